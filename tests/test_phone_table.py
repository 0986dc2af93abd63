"""Phones next to the table's own screen: games can be started on either, and the screen shows no hidden dice."""

import asyncio
import random
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.ground
aiohttp = pytest.importorskip("aiohttp", reason="aiohttp serves the phones")
pytest.importorskip("pygame", reason="pygame draws the table")

from table.config import DEFAULT  # noqa: E402
from table.config.sections import OperatorSettings, PhoneSettings  # noqa: E402
from table.engine.asks import Choose, Roll  # noqa: E402
from table.games import GAMES  # noqa: E402
from table.machine.service import Service  # noqa: E402
from table.session.lineup import Lineup, Seat  # noqa: E402
from table.session.messages import Committed, PhoneSaid  # noqa: E402
from table.storage.journal import store  # noqa: E402
from table.storage.journal.entries import Forgotten, Renamed  # noqa: E402
from table.storage.records import read  # noqa: E402
from table.ui.kiosk.context import Phones  # noqa: E402
from table.ui.kiosk.gestures import END, Tap  # noqa: E402
from table.ui.kiosk.loop import LONGEST, run  # noqa: E402
from table.ui.kiosk.private_look import own_dice  # noqa: E402
from table.ui.kiosk.scenes.attract import Attract  # noqa: E402
from table.ui.kiosk.scenes.games import games  # noqa: E402
from table.ui.kiosk.scenes.join import Join  # noqa: E402
from table.ui.kiosk.scenes.menu import menu  # noqa: E402
from table.ui.kiosk.scenes.play import Play  # noqa: E402
from table.ui.kiosk.scenes.players import Players  # noqa: E402
from table.ui.kiosk.scenes.result import Result  # noqa: E402
from table.ui.phone.connections import Connections  # noqa: E402
from table.ui.phone.port import Port  # noqa: E402
from table.ui.phone.record_requests import PAUSE  # noqa: E402
from tests.blocks import rows_of  # noqa: E402
from tests.past_games import filled  # noqa: E402
from tests.phones import SLOW, Phone, play_out  # noqa: E402
from tests.scripted_clock import TimedMailbox  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402


class PhoneTable:
    """A table with a screen and an open port, and phones that run in another thread."""

    def __init__(self, table: Tabletop) -> None:
        self.table = table
        self.port = Port(table.mailbox.post, PhoneSettings(port=0, reach="machine"))
        table.context.connect(self.port)
        self.until(lambda: self.port.address)

    def until(self, done: Callable[[], Any], do: Callable[[], Any] = lambda: None) -> None:
        """Run the table as fast as possible until `done` returns true, calling `do` on every turn."""
        end = time.monotonic() + SLOW
        while not done():
            assert time.monotonic() < end, f"timed out while the screen showed {self.table.words}"
            self.table.run(0.05)
            do()
            if self.table.session.turn != "table":
                self.table.mailbox.wait(0.002)  # give the phones' thread time to run

    def while_they(self, talk: Callable[..., Awaitable[Any]], do: Callable[[], Any] = lambda: None) -> Any:
        """Run `talk` in another thread while the table runs, and return its result."""
        told: list[Any] = []

        async def within() -> Any:
            async with aiohttp.ClientSession() as session:
                return await talk(session)

        def run() -> None:
            try:
                told.append(asyncio.run(within()))
            except BaseException as why:
                told.append(why)

        thread = threading.Thread(target=run)
        thread.start()
        self.until(lambda: told, do)
        thread.join()
        if isinstance(told[0], BaseException):
            raise told[0]
        return told[0]

    async def joined(self, session: aiohttp.ClientSession, *names: str) -> list[Phone]:
        found = []
        for name in names:
            phone = await Phone(self.port.address, session, name).open(self.table.context.room.code)
            await phone.say("join", name=name)
            await phone.sees(lambda state: state["you"])
            found.append(phone)
        return found

    def answer(self, chance: random.Random) -> None:
        """Answer at random for a player at the table, if it is their turn."""
        session = self.table.session
        if session.turn == "person":
            ask = session.match.referee.ask
            if isinstance(ask, Roll):
                session.dice.throw()
            elif isinstance(ask, Choose):
                session.choose(chance.choice(ask.options))


@contextmanager
def phone_table(**how: Any) -> Iterator[PhoneTable]:
    with Tabletop(**how) as table:
        found = PhoneTable(table)
        try:
            yield found
        finally:
            found.port.close()


@pytest.fixture
def evening() -> Iterator[PhoneTable]:
    with phone_table() as found:
        yield found


def test_the_first_screen_shows_the_code_and_phones_that_join_get_seats(evening: PhoneTable):
    table = evening.table
    assert {table.context.room.code, f"{evening.port.address.partition('//')[2]}/{table.context.room.code}"} <= set(
        table.words
    )
    table.kiosk.show(games(table.context), table.now)
    table.kiosk.show(Players(table.context, Lineup(GAMES["bluff"], (Seat("Zoe"),))), table.now)

    async def talk(session):
        ann, _ = await evening.joined(session, "Ann", "Bo")
        return [seat["name"] for seat in (await ann.sees(lambda s: len(s["lobby"]["seats"]) == 3))["lobby"]["seats"]]

    assert evening.while_they(talk) == ["Zoe", "Ann", "Bo"]
    table.run(0.1)
    assert {"Zoe", "Ann", "Bo", "On a phone"} <= set(table.words)


def test_a_game_started_on_a_phone_is_shown_on_the_screen_to_the_end(evening: PhoneTable):
    table = evening.table
    assert isinstance(table.scene, Attract)

    async def talk(session):
        ann, bo = await evening.joined(session, "Ann", "Bo")
        await ann.say("game", game="pocoloco")
        await ann.say("option", name="chips", value=2)
        await ann.say("computer", level="classic")
        await bo.say("ready", ready=True)
        await ann.sees(lambda state: state["lobby"]["start"])
        await ann.say("start")
        await asyncio.gather(play_out(ann, random.Random(1)), play_out(bo, random.Random(2)))
        return ann.state["table"]["result"]["sentence"]

    shown = []
    sentence = evening.while_they(talk, lambda: shown.append(type(table.scene)))
    assert Play in shown
    evening.until(lambda: isinstance(table.scene, Result))
    table.run(1.0)
    assert sentence in table.words


def test_a_game_with_phones_continues_while_the_menu_is_open_at_the_table(evening: PhoneTable):
    table, shown = evening.table, []

    async def talk(session):
        (ann,) = await evening.joined(session, "Ann")
        await ann.say("game", game="pocoloco")
        await ann.say("option", name="chips", value=2)
        await ann.say("computer", level="classic")
        await ann.sees(lambda state: state["lobby"]["start"])
        await ann.say("start")
        await play_out(ann, random.Random(1))

    def open_the_menu() -> None:
        if isinstance(table.scene, Play):
            table.kiosk.show(menu(table.context, table.scene), table.now)
        elif table.session.match:
            shown.append(table.scene)

    evening.while_they(talk, open_the_menu)
    assert table.session.turn == "over" and not any(isinstance(scene, Play | Result) for scene in shown)
    table.end(seconds=1.0)
    evening.until(lambda: isinstance(table.scene, Result))


def test_phones_people_at_the_table_and_computers_play_together(evening: PhoneTable):
    table, chance = evening.table, random.Random(3)

    async def talk(session):
        (ann,) = await evening.joined(session, "Ann")
        await ann.sees(lambda state: state["phase"] == "playing")
        assert {s["name"]: s["kind"] for s in ann.state["table"]["seats"]} == {
            "Ann": "phone", "Zoe": "table", "Dot": "computer",
        }  # fmt: skip
        await play_out(ann, random.Random(1))

    def do() -> None:
        room = table.context.room
        if table.session.match is None and room.people and all(p.here for p in room.people.values()):
            ann = next(iter(room.people.values()))
            seats = (Seat("Ann", phone=ann.id), Seat("Zoe"), Seat("", "classic"))
            table.sit("bluff", seats, {"rounds": 1})
        evening.answer(chance)

    evening.while_they(talk, do)


def test_during_a_phones_turn_the_tables_buttons_do_nothing_and_the_screen_says_so(evening: PhoneTable):
    table = evening.table

    async def talk(session):
        (ann,) = await evening.joined(session, "Ann")
        state = await ann.sees(lambda state: state["phase"] == "playing" and state["ask"])
        await ann.say("roll", at=state["ask"]["at"])
        state = await ann.sees(lambda state: state["hand"] and state["ask"])
        pressed.set()
        await asyncio.to_thread(seen.wait, SLOW)
        return state

    pressed, seen = threading.Event(), threading.Event()
    words: list[str] = []

    def do() -> None:
        room = table.context.room
        if table.session.match is None and room.people and all(p.here for p in room.people.values()):
            ann = next(iter(room.people.values()))
            table.sit("bluff", (Seat("Ann", phone=ann.id), Seat("", "classic")), {})
            table.session._chance.seed(1)
        if pressed.is_set() and not seen.is_set() and table.session.turn == "phone":
            table.run(3.0)
            before = len(table.session.match.referee.history)
            table.roll(3)
            table.end(3)
            assert len(table.session.match.referee.history) == before
            words.extend(table.words)
            assert not any(text.private for text in table.canvas.texts)
            seen.set()

    state = evening.while_they(talk, do)
    assert any(word.endswith("(on your phone)") for word in words)
    assert state["hand"]["words"] not in words  # Ann is the only person playing, but everybody can see the screen


def test_a_disconnected_phone_can_be_awaited_replaced_or_moved_to_the_table(evening: PhoneTable):
    table = evening.table
    table.context.room.phone_rules.patience = 0

    async def talk(session):
        ann, bo = await evening.joined(session, "Ann", "Bo")
        await ann.say("game", game="pocoloco")
        await bo.say("ready", ready=True)
        await ann.sees(lambda state: state["lobby"]["start"])
        await ann.say("start")
        await ann.sees(lambda state: state["phase"] == "playing")
        await bo.close()
        await ann.sees(lambda state: state["gone"])
        asked.set()
        state = await ann.sees(lambda state: {s["kind"] for s in state["table"]["seats"]} == {"phone", "table"})
        await bo.open()  # a phone that reconnects gets its seat back
        await bo.sees(lambda state: state["you"] and state["you"]["seat"] is not None)
        return state

    asked = threading.Event()

    def do() -> None:
        if asked.is_set() and table.context.room.seats.gone():
            asked.clear()  # do this only once, because both phones disconnect at the end
            table.kiosk.show(Join(table.context, table.scene), table.now)
            table.run(0.2)
            assert {"Wait for Bo", "Let a computer play for Bo", "Let Bo play here at the table"} <= set(table.words)
            table.roll(3)
            table.end(1)
            assert isinstance(table.scene, Play)

    state = evening.while_they(talk, do)
    assert not state["gone"]


def test_the_screen_is_drawn_again_when_the_patience_with_a_disconnected_phone_ends():
    with Tabletop(pins=True) as table:
        room, say = table.context.room, table.context.say
        ann, _ = room.register.enter("Ann")  # registered, but without a connection
        table.sit("mexico", (Seat("Ann", phone=ann.id), Seat("Bo")), {})
        table.run(3.0)
        assert table.session.turn == "phone" and room.seats.gone() == []
        # Hardly any time passes on the room's clock during this test.
        patience, room.phone_rules.patience = room.phone_rules.patience, 0
        table.run(patience + 1, 1.0)
        assert say("play.phone_gone", name="Ann") in table.words


def test_the_menu_shows_the_code_during_a_game(evening: PhoneTable):
    table = evening.table
    table.sit("mexico", (Seat("Zoe"), Seat("", "classic")))
    table.kiosk.show(menu(table.context, table.scene), table.now)
    table.run(0.2)
    assert {"Join with a phone", table.context.room.code} <= set(table.words)
    table.kiosk.show(table.scene.handle(Tap("roll"), table.now), table.now)
    table.kiosk.show(table.scene.handle(Tap(END), table.now), table.now)
    table.run(0.2)
    assert isinstance(table.scene, Join) and table.context.joining in table.words


def test_a_restarted_table_keeps_its_code_and_its_players(tmp_path: Path):
    async def come(session):
        (ann,) = await first.joined(session, "Ann")
        return ann.token

    with phone_table(folder=tmp_path) as first:
        token = first.while_they(come)
        first.table.wait_for_disk(lambda: True)
        code = first.table.context.room.code

    async def back(session):
        ann = Phone(second.port.address, session)
        ann.token = token
        await ann.open(code)
        return (await ann.sees(lambda state: state["you"]))["you"]["name"]

    with phone_table(folder=tmp_path) as second:
        assert second.table.context.room.code == code
        assert second.while_they(back) == "Ann"


def test_messages_from_phones_are_handled_between_frames():
    """Even while dice tumble, no message waits for the next frame."""
    with Tabletop() as table:
        table.sit("pocoloco", [Seat("", "classic")] * 4)
        heard: list[float] = []
        hear = table.kiosk.hear

        def hearing(messages: Any, now: float) -> None:
            heard.extend(now for message in messages if message == Committed(0))
            hear(messages, now)

        table.kiosk.hear = hearing  # type: ignore[method-assign]
        mailbox = TimedMailbox(table)
        posted = [table.now + 0.021 * number for number in range(1, 41)]
        for at in posted:
            mailbox.post_at(at, Committed(0))
        run(table.kiosk, mailbox, mailbox.clock, lambda: table.now > posted[-1], Service())
        assert heard == posted


def test_the_table_wakes_up_as_soon_as_a_phones_pause_ends(tmp_path: Path):
    filled(tmp_path, 6)
    hello = {"say": "hello", "room": "", "token": "", "language": "en", "watch": False}
    ask = {"say": "records", "page": "board", "name": "", "number": 0, "at": 0}
    with Tabletop(folder=tmp_path) as table:
        phone_rules, clock = table.context.room.phone_rules, lambda: table.now
        connections = Connections(lambda out: None, str, phone_rules, clock=clock, storage=table.context.storage)
        port = Port(table.mailbox.post, PhoneSettings(port=0), after=60.0)
        table.context.phones = Phones(port, connections)
        table.kiosk.hear([PhoneSaid(1, hello), PhoneSaid(1, ask), PhoneSaid(1, ask)], table.now)
        assert connections.due == inf and table.kiosk.due(table.now) == table.now + LONGEST
        table.wait_for_disk(lambda: connections.due < inf)
        assert table.kiosk.due(table.now) == table.now + PAUSE < table.now + LONGEST
        port.close()


def test_play_again_at_the_table_keeps_phones_in_their_seats_and_updates_the_history(evening: PhoneTable):
    table = evening.table

    async def talk(session):
        ann, bo = await evening.joined(session, "Ann", "Bo")
        await ann.say("game", game="bluff")
        await ann.say("option", name="rounds", value=1)
        await bo.say("ready", ready=True)
        await ann.sees(lambda state: state["lobby"]["start"])
        await ann.say("start")
        await asyncio.gather(play_out(ann, random.Random(1)), play_out(bo, random.Random(2)))
        over.set()
        await ann.sees(lambda state: state["phase"] == "playing")
        return ann.state

    over = threading.Event()

    def do() -> None:
        if over.is_set() and isinstance(table.scene, Result):
            table.run(2.0)
            table.roll(1)

    state = evening.while_they(talk, do)
    assert {seat["kind"] for seat in state["table"]["seats"]} == {"phone"} and state["you"]["seat"] is not None
    assert {player.name for player in table.context.history.players} == {"Ann", "Bo"}


def test_a_computer_that_replaces_a_phone_reveals_no_hand_on_the_screen(evening: PhoneTable):
    table = evening.table
    table.context.room.phone_rules.patience = 0

    async def talk(session):
        (bo,) = await evening.joined(session, "Bo")
        await bo.sees(lambda state: state["phase"] == "playing")
        await bo.close()

    def do() -> None:
        room = table.context.room
        if table.session.match is None and room.people and all(p.here for p in room.people.values()):
            bo = next(iter(room.people.values()))
            table.sit("cacho", (Seat("Ann"), Seat("Bo", phone=bo.id)), {"shuffle": False})

    evening.while_they(talk, do)
    evening.until(lambda: table.context.room.seats.gone() == [1])
    table.context.room.decide(1, "computer")
    shown: list[Any] = []

    def play() -> None:
        shown.extend(text for text in table.canvas.texts if text.private)
        shown.extend(own_dice(table.session.match, table.session.phones) if isinstance(table.scene, Play) else [])
        ask = table.session.match.referee.ask
        if table.session.turn == "person" and isinstance(ask, Roll):
            table.session.dice.throw()

    evening.until(lambda: isinstance(table.session.match.referee.ask, Choose) and table.session.turn == "person", play)
    table.run(2.0)
    assert table.session.match.alone and table.session.match.hidden_dice(0) and not shown
    assert table.scene.wants_look


def test_phones_at_a_table_with_a_screen_read_the_records_and_change_them_with_the_pin(tmp_path: Path):
    filled(tmp_path, 6)
    with phone_table(folder=tmp_path, config=replace(DEFAULT, operator=OperatorSettings("2468"))) as evening:

        async def talk(session: aiohttp.ClientSession) -> tuple[Any, Any]:
            (zoe,) = await evening.joined(session, "Zoe")
            await zoe.say("records", page="replay", name="", number=2, at=0)
            game = await zoe.until(lambda said: said["is"] == "records")
            await zoe.say("rename_player", pin="2468", name="Ann", to="Anna")
            await zoe.until(lambda said: said.get("page") == "changed")
            await zoe.say("records", page="players", name="", number=0, at=0)
            return game, await zoe.until(lambda said: said.get("page") == "players")

        game, players = evening.while_they(talk)
        assert game["steps"] and "why" not in game
        assert {row["label"] for row in rows_of(players)} == {"Anna", "Bo", "Cleo"}
        evening.until(lambda: "Anna" in {player.name for player in evening.table.context.history.players})


@pytest.mark.parametrize(
    ("entry", "called"), [(Renamed("Ann", "Anna"), "Anna"), (Forgotten("Ann"), "Player")], ids=["renamed", "forgotten"]
)
def test_a_name_changed_at_the_table_is_changed_on_joined_phones(
    tmp_path: Path, entry: Renamed | Forgotten, called: str
):
    filled(tmp_path, 6)
    with phone_table(folder=tmp_path) as evening:
        context = evening.table.context

        async def talk(session: aiohttp.ClientSession) -> Any:
            ann, _ = await evening.joined(session, "Ann", "Zoe")
            context.storage.journal.keep(entry)
            return await ann.sees(lambda state: state["you"]["name"] != "Ann")

        state = evening.while_they(talk)
        assert state["you"]["name"] == called
        assert [one["name"] for one in state["lobby"]["seats"]] == [called, "Zoe"]
    with read.opened(tmp_path) as connection:
        assert {one["name"] for one in store.settings(connection)["room"]["people"]} == {called, "Zoe"}


def test_a_player_renamed_after_a_game_plays_the_next_one_under_the_new_name(tmp_path: Path):
    with phone_table(folder=tmp_path) as evening:
        context, room = evening.table.context, evening.table.context.room

        async def talk(session: aiohttp.ClientSession) -> Any:
            phones = await evening.joined(session, "Ann", "Zoe")
            await phones[0].say("game", game="bluff")
            await phones[0].say("option", name="rounds", value=1)
            await phones[1].say("ready", ready=True)
            await phones[0].sees(lambda state: state["lobby"]["game"] == "bluff" and state["lobby"]["start"])
            await phones[0].say("start")
            await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate(phones)))
            context.storage.journal.keep(Renamed("Ann", "Anna"))
            await phones[0].sees(lambda state: state["you"]["name"] == "Anna")
            await phones[0].say("again")
            await phones[0].sees(lambda state: state["phase"] == "playing")

        evening.while_they(talk)
        assert set(room.session.match.referee.players) == {"Anna", "Zoe"}


def test_a_table_without_storage_has_no_records_for_phones(evening: PhoneTable):
    async def talk(session: aiohttp.ClientSession) -> Any:
        (zoe,) = await evening.joined(session, "Zoe")
        await zoe.say("records", page="board", name="", number=0, at=0)
        return await zoe.until(lambda said: said["is"] == "records")

    assert evening.while_they(talk)["why"] == "There are no records here."
