"""Phones at a table, over real sockets: joining, whole games, reconnecting, leaving, and hidden dice."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.ground
aiohttp = pytest.importorskip("aiohttp", reason="aiohttp serves the phones")

from table.analysis import odds  # noqa: E402
from table.devices import DiceSource  # noqa: E402
from table.engine.asks import Roll  # noqa: E402
from table.session.messages import DiceRead  # noqa: E402
from table.text import narration, numbers  # noqa: E402
from table.text.catalogue import Catalogue  # noqa: E402
from table.ui.phone.connections import about  # noqa: E402
from table.ui.phone.seats import PhoneRules  # noqa: E402
from tests.homemade import RULES, homemade  # noqa: E402
from tests.phones import SLOW, Phone, Rooms, leaks, play_out, rooms, seat, touch, whole_game  # noqa: E402

GAMES = {
    "mexico": {},
    "bluff": {"rounds": 2},
    "pocoloco": {"chips": 3},
    "cheese": {"goal": 1000},
    "cacho": {"dice": 2},
}


def at(address: str, talk: Callable[[aiohttp.ClientSession], Awaitable[Any]]) -> Any:
    """Run a conversation with the table at that address."""

    async def within() -> Any:
        async with aiohttp.ClientSession() as session:
            return await talk(session)

    return asyncio.run(within())


async def answered(phone: Phone, said: dict[str, Any]) -> None:
    await phone.sees(lambda state: state["at"] != said["at"])


async def whose_turn(people: list[Phone]) -> Phone:
    """Wait until a phone is asked something, and return that phone."""
    async with asyncio.timeout(SLOW):
        while not (asked := [phone for phone in people if phone.state.get("ask")]):
            hearing = [asyncio.create_task(phone.hears()) for phone in people]
            await asyncio.wait(hearing, return_when=asyncio.FIRST_COMPLETED)
            for task in hearing:
                task.cancel()
    return asked[0]


@pytest.fixture
def table(tmp_path: Path):
    with rooms(tmp_path) as opened:
        yield opened


# Joining


def test_the_player_who_opens_a_room_is_its_host_and_others_join_by_code(table: Rooms):
    async def talk(session):
        ann = await Phone(table.address, session).open()
        assert (await ann.until(lambda said: said["is"] == "rooms"))["create"] is True
        await ann.say("create", name="The <b>Red</b> Lion", player="  Ann\n")
        state = await ann.sees(lambda state: state["you"])
        assert state["room"]["name"] == "The <b>Red</b> Lion" and state["room"]["code"] == ann.room
        assert state["room"]["address"] == f"{table.address}/{ann.room}"
        assert state["you"]["host"] and state["you"]["name"] == "Ann"
        bo = await Phone(table.address, session).open(ann.room.lower())
        await bo.say("join", name="Ann")
        state = await bo.sees(lambda state: state["you"])
        assert state["you"]["name"] == "Ann 2" and not state["you"]["host"]
        assert [s["name"] for s in (await ann.sees(lambda s: len(s["lobby"]["seats"]) == 2))["lobby"]["seats"]] == [
            "Ann",
            "Ann 2",
        ]

    at(table.address, talk)


def test_a_room_without_a_name_gets_one_and_is_listed(table: Rooms):
    async def talk(session):
        ann = await Phone(table.address, session).open()
        await ann.say("create", name="", player="Ann")
        name = (await ann.sees(lambda state: state["you"]))["room"]["name"]
        assert len(name.split()) == 3
        other = await Phone(table.address, session).open()
        listed = await other.until(lambda said: said["is"] == "rooms")
        assert [(room["name"], room["code"]) for room in listed["rooms"]] == [(name, ann.room)]

    at(table.address, talk)


def test_a_room_whose_name_is_taken_gets_it_with_a_number(table: Rooms):
    async def talk(session):
        names = []
        for _ in range(3):
            ann = await Phone(table.address, session).open()
            await ann.say("create", name=" Bar ", player="Ann")
            names.append((await ann.sees(lambda state: state["you"]))["room"]["name"])
        assert names == ["Bar", "Bar 2", "Bar 3"]

    at(table.address, talk)


def test_the_list_of_rooms_names_each_game_in_the_phones_language(table: Rooms):
    async def game(phone: Phone) -> str:
        return (await phone.until(lambda said: said["is"] == "rooms" and said["rooms"]))["rooms"][0]["game"]

    async def talk(session):
        english = await Phone(table.address, session).open()
        spanish = await Phone(table.address, session).open(language="es")
        for phone in (english, spanish):
            await phone.until(lambda said: said["is"] == "rooms")
        ann = await Phone(table.address, session).open()
        await ann.say("create", name="", player="Ann")
        assert (await game(english), await game(spanish)) == ("Bluff", "Farol"), "told when the list changes"
        await english.say("language", language="es")
        assert await game(english) == "Farol", "or the language"
        late = await Phone(table.address, session).open(language="es")
        assert await game(late) == "Farol", "or when the phone arrives"

    at(table.address, talk)


def test_only_the_host_sets_a_game_up_and_starts_it_once_all_are_ready(table: Rooms):
    async def talk(session):
        ann, bo = await seat(table.address, session, ["Ann", "Bo"], "cheese")
        for word, fields in {
            "game": {"game": "cacho"}, "start": {}, "computer": {"level": "classic"}, "drop": {"place": 0},
            "option": {"name": "goal", "value": 3000}, "move": {"place": 0, "to": 1},
        }.items():  # fmt: skip
            await bo.say(word, **fields)
            assert (await bo.until(lambda said: said["is"] == "refused"))["why"] == "Only the host can do that."
        await bo.say("ready", ready=False)
        await ann.sees(lambda state: "Bo" in state["lobby"]["why"])
        await ann.say("start")
        assert (await ann.until(lambda said: said["is"] == "refused"))["why"] == "Not everyone is ready yet."
        await ann.say("computer", level="classic")
        await ann.say("move", place=0, to=2)
        await ann.say("option", name="goal", value=3000)
        await ann.say("option", name="goal", value=-4)
        assert (await ann.until(lambda said: said["is"] == "refused"))["why"] == "That choice isn't available."
        await bo.say("rename", name="Bonnie")
        await bo.say("ready", ready=True)
        state = await ann.sees(lambda state: state["lobby"]["start"])
        assert [s["kind"] for s in state["lobby"]["seats"]] == ["phone", "computer", "phone"]
        assert state["lobby"]["seats"][0]["name"] == "Bonnie"
        assert next(o["value"] for o in state["lobby"]["options"] if o["name"] == "goal") == 3000
        await ann.say("start")
        state = await bo.sees(lambda state: state["phase"] == "playing")
        assert [s["name"] for s in state["table"]["seats"]] == ["Bonnie", "Dot", "Ann"]

    at(table.address, talk)


@pytest.fixture
def fails_at_the_start(tmp_path_factory):
    """Pig, with rules that fail before they ask for anything."""
    rules = RULES.replace("board = table.board = Board()", "0 / 0")
    with homemade(tmp_path_factory.mktemp("package"), {"rules.py": rules}):
        yield


def test_the_host_is_told_in_the_lobby_that_the_rules_fail_at_the_start(fails_at_the_start, table: Rooms):
    async def talk(session):
        host = await Phone(table.address, session, "Ann").open(language="es")
        await host.say("create", name="", player="Ann")
        await host.say("game", game="pig")
        state = await host.sees(lambda state: state["lobby"]["game"] == "pig")
        assert state["lobby"]["why"] == Catalogue("es")("play.fault_rules") and not state["lobby"]["start"]
        await host.say("start")
        assert (await host.until(lambda said: said["is"] == "refused"))["why"] == state["lobby"]["why"]

    at(table.address, talk)


@pytest.fixture
def fails_at_the_end_of_a_turn(tmp_path_factory):
    """Pig, with rules that fail when someone banks their points."""
    rules = RULES.replace("table.standing[seat] += board.points", "0 / 0")
    with homemade(tmp_path_factory.mktemp("package"), {"rules.py": rules}):
        yield


@pytest.fixture
def fails_at_each_roll(tmp_path_factory):
    """Pig, with rules that fail whenever someone rolls two dice."""
    rules = RULES.replace("board.thrown = list(dice)", "0 / 0").replace("highest_die(table, table.seats)", "iter_0()")
    rules += "\n\ndef iter_0():\n    return 1\n    yield\n"  # the second seat starts, without a roll
    with homemade(tmp_path_factory.mktemp("package"), {"rules.py": rules}):
        yield


def test_after_rules_that_fail_at_a_computers_turn_the_game_waits_until_a_phone_tries_again(
    fails_at_each_roll, table: Rooms, capsys
):
    async def talk(session):
        (ann,) = await seat(table.address, session, ["Ann"], "pig")
        await ann.say("computer", level="random")
        await ann.say("language", language="es")
        await ann.sees(lambda state: len(state["lobby"]["seats"]) == 2)
        await ann.say("start")
        for _ in range(2):
            state = await ann.sees(lambda state: state.get("stuck"))
            assert state["stuck"] == Catalogue("es")("play.fault_rules") and state["phase"] == "playing"
            assert state["table"]["seats"][1]["turn"]
            told = await ann.until(lambda said: said["is"] == "refused")
            assert told["why"] == state["stuck"]
            ann.state = {}
            await ann.say("retry")
        await ann.sees(lambda state: state["stuck"])

    at(table.address, talk)
    assert 2 <= capsys.readouterr().err.count("The rules of Pig failed") <= 3


def test_everyone_is_told_in_their_language_that_the_rules_failed(fails_at_the_end_of_a_turn, table: Rooms):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo"], "pig")
        await people[1].say("language", language="es")
        await people[0].say("start")
        while True:  # until points can be banked, because a roll with a 1 ends the turn
            phone = await whose_turn(people)
            ask = phone.state["ask"]
            if ask["kind"] != "roll":
                break
            await phone.say("roll", at=ask["at"])
            await answered(phone, ask)
        await phone.say("pick", at=ask["at"], pick=1)
        for told, language in zip(people, ("en", "es"), strict=True):
            why = (await told.until(lambda said: said["is"] == "refused"))["why"]
            assert why == Catalogue(language)("play.fault_rules")
        assert phone.state["at"] == ask["at"], "the player can choose again"

    at(table.address, talk)


@pytest.mark.parametrize("game", GAMES)
def test_the_host_can_set_options_before_enough_players_have_joined(table: Rooms, game: str):
    async def talk(session):
        host = await Phone(table.address, session, "Ann").open()
        await host.say("create", name="", player="Ann")
        await host.say("game", game=game)
        state = await host.sees(lambda state: state["you"] and state["lobby"]["game"] == game)
        assert len(state["lobby"]["seats"]) == 1 and state["lobby"]["options"]
        first = state["lobby"]["options"][0]
        wanted = next(one["value"] for one in first["values"] if one["value"] != first["value"])
        await host.say("option", name=first["name"], value=wanted)
        await host.sees(lambda state: state["lobby"]["options"][0]["value"] == wanted)

    at(table.address, talk)


def test_a_late_player_watches_and_gets_a_seat_in_the_next_game(table: Rooms):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo"], "bluff", rounds=1)
        await people[0].say("start")
        await people[0].sees(lambda state: state["phase"] == "playing")
        zoe = await Phone(table.address, session).open(people[0].room)
        await zoe.say("join", name="Zoe")
        state = await zoe.sees(lambda state: state["you"])
        assert state["you"]["seat"] is None and state["hand"] is None and state["ask"] is None
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate(people)))
        await people[0].say("lobby")
        state = await zoe.sees(lambda state: state["phase"] == "lobby")
        assert [s["name"] for s in state["lobby"]["seats"]] == ["Ann", "Bo", "Zoe"]

    at(table.address, talk)


# Whole games


@pytest.mark.parametrize("game", GAMES)
def test_three_phones_and_a_computer_play_a_whole_game_and_another(table: Rooms, game: str):
    names = ["Ann", "Bo"] if game == "mexico" else ["Ann", "Bo", "Carla"]

    async def talk(session):
        people = await seat(table.address, session, names, game, **GAMES[game])
        watcher = await Phone(table.address, session).open(people[0].room, watch=True, language="es")
        if game != "mexico":
            await people[0].say("computer", level="classic")
        await people[0].say("start")
        for again in range(2):
            for phone in people:
                await phone.sees(lambda state: state["phase"] == "playing")
            await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate(people)))
            state = await watcher.sees(lambda state: state["phase"] == "over")
            lines = state["table"]["result"]["lines"]
            winners = [line["name"] for line in lines if line["won"]]
            assert [line["place"] for line in lines] == sorted(line["place"] for line in lines)
            assert {line["name"] for line in lines if line["place"] == 1} == set(winners)
            assert winners and state["you"] is None and state["language"] == "es"
            assert {line["name"] for line in people[0].state["table"]["result"]["lines"] if line["won"]} == set(winners)
            if not again:
                await people[0].say("again")
                await watcher.sees(lambda state: state["phase"] == "playing")

    at(table.address, talk)


def test_stale_taps_and_taps_for_another_seat_do_nothing(table: Rooms):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo"], "cacho", dice=5)
        await people[0].say("start")
        for phone in people:
            await phone.sees(lambda state: state["phase"] == "playing")
        chance, stale = random.Random(1), []
        for _ in range(12):
            asked = await whose_turn(people)
            other = people[1 - people.index(asked)]
            said, ask = touch(asked.state, chance), asked.state["ask"]
            await other.raw(json.dumps(said))  # it is not this player's turn
            for old in stale:
                await asked.raw(json.dumps(old))
            if ask["kind"] == "bid":
                face = ask["counts"][0]["faces"][
                    len(stale) % len(ask["counts"][0]["faces"])
                ]  # rarely the same face as in the last bid
                said = {"say": "pick", "at": ask["at"], "pick": face["pick"]}
            await asked.raw(json.dumps(said))
            await asked.raw(json.dumps(said))  # an accidental second tap
            await answered(asked, said)
            stale.append(said)
        (room,) = table.host.connections.rooms.values()
        history = room.session.match.referee.history
        for said in stale:
            ask, answer = history[int(said["at"].split(":")[1])]
            assert said["say"] == "roll" or answer == ask.options[said["pick"]]

    at(table.address, talk)


def test_only_the_asked_phone_speaks_to_its_player(table: Rooms):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo"], "cacho")
        await people[0].say("start")
        asked = await whose_turn(people)
        state = asked.state
        assert state["ask"]["prompt"] == "Roll one die. Highest starts!"
        assert state["table"]["prompt"] == f"{state['you']['name']}, roll one die. Highest starts!"

    at(table.address, talk)


# Reconnecting


def test_a_reloaded_phone_is_back_in_its_seat_with_the_current_state(table: Rooms):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo"], "bluff")
        ann, bo = people
        await ann.say("start")
        await ann.sees(lambda state: state["phase"] == "playing")
        asked = await whose_turn(people)
        await asked.say("roll", at=asked.state["ask"]["at"])
        holder = asked
        await holder.sees(lambda state: state["hand"])
        before = holder.state
        await holder.close()
        other = bo if holder is ann else ann
        await other.sees(lambda state: not all(s["here"] for s in state["table"]["seats"]))
        await holder.open()  # no retry delay is needed, because the table's clock stands still
        after = await holder.sees(lambda state: state["you"])
        assert (after["you"], after["hand"], after["ask"]) == (before["you"], before["hand"], before["ask"])

    at(table.address, talk)


def test_a_code_moves_a_seat_to_another_phone_and_the_old_token_becomes_invalid(table: Rooms):
    async def talk(session):
        (ann,) = await seat(table.address, session, ["Ann"], "cheese")
        old = ann.token
        await ann.say("pass")
        code = (await ann.until(lambda said: said["is"] == "code"))["code"]
        new = await Phone(table.address, session).open(ann.room)
        await new.say("take", code="000000" if code != "000000" else "000001")
        assert (await new.until(lambda said: said["is"] == "refused"))["why"]
        await new.say("take", code=code)
        state = await new.sees(lambda state: state["you"])
        assert state["you"]["name"] == "Ann" and new.token != old
        await ann.until(lambda said: said["is"] == "moved")
        await ann.close()
        await ann.open()
        assert (await ann.sees(lambda state: True))["you"] is None
        third = await Phone(table.address, session).open(ann.room)
        await third.say("take", code=code)
        assert (await third.until(lambda said: said["is"] == "refused"))["why"]

    at(table.address, talk)


def test_wrong_codes_lock_out_a_guesser(table: Rooms):
    async def talk(session):
        (ann,) = await seat(table.address, session, ["Ann"], "cheese")
        await ann.say("pass")
        code = (await ann.until(lambda said: said["is"] == "code"))["code"]
        thief = await Phone(table.address, session).open(ann.room)
        for guess in range(5):
            await thief.say("take", code=f"x{guess}")
            await thief.until(lambda said: said["is"] == "refused")
        await thief.say("take", code=code)
        assert (await thief.until(lambda said: said["is"] in ("refused", "yours")))["is"] == "refused"

    at(table.address, talk)


def test_a_killed_table_restores_its_rooms_people_and_games(tmp_path: Path):
    async def begin(session):
        people = await seat(first.address, session, ["Ann", "Bo"], "bluff")
        await people[0].say("start")
        for phone in people:
            await phone.sees(lambda state: state["phase"] == "playing")
        for _ in range(4):
            asked = await whose_turn(people)
            said = touch(asked.state, random.Random(3))
            await asked.raw(json.dumps(said))
            await answered(asked, said)
        return [(phone.room, phone.token, phone.name) for phone in people]

    with rooms(tmp_path) as first:
        known = at(first.address, begin)
        (room,) = first.host.connections.rooms.values()
        played = len(room.session.match.referee.history)
        name = room.name
    assert played

    async def go_on(session):
        people = []
        for code, token, person in known:
            phone = Phone(second.address, session, person)
            phone.token = token
            await phone.open(code)
            people.append(phone)
            state = await phone.sees(lambda state: state["you"])
            assert state["you"]["name"] == person and state["phase"] == "playing" and state["room"]["name"] == name
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate(people)))

    with rooms(tmp_path) as second:
        at(second.address, go_on)


# Leaving


@pytest.mark.parametrize("do", ["computer", "remove"])
def test_the_others_play_on_without_a_disconnected_phone(tmp_path: Path, do: str):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo", "Carla"], "bluff", rounds=1)
        ann, bo, carla = people
        await ann.say("start")
        for phone in people:
            await phone.sees(lambda state: state["phase"] == "playing")
        await carla.close()
        state = await ann.sees(lambda state: state["gone"])
        gone = state["gone"][0]
        assert gone["name"] == "Carla"
        await bo.say("gone", seat=gone["seat"], do=do)
        state = await ann.sees(lambda state: not state["gone"])
        names = {s["name"]: s["kind"] for s in state["table"]["seats"]}
        assert names == (
            {"Ann": "phone", "Bo": "phone", "Carla": "computer"}
            if do == "computer"
            else dict.fromkeys(("Ann", "Bo"), "phone")
        )
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate((ann, bo))))

    with rooms(tmp_path, phone_rules=PhoneRules(patience=0)) as table:
        at(table.address, talk)


def test_a_player_who_returns_takes_the_seat_back_from_the_computer(tmp_path: Path):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo"], "pocoloco", chips=9)
        ann, bo = people
        await ann.say("start")
        await bo.sees(lambda state: state["phase"] == "playing")
        await bo.close()
        gone = (await ann.sees(lambda state: state["gone"]))["gone"][0]
        await ann.say("gone", seat=gone["seat"], do="computer")
        await ann.sees(lambda state: any(s["kind"] == "computer" for s in state["table"]["seats"]))
        await bo.open()
        state = await bo.sees(lambda state: state["you"] and state["table"])
        assert all(s["kind"] == "phone" for s in state["table"]["seats"])

    with rooms(tmp_path, pace=1.0, phone_rules=PhoneRules(patience=0)) as table:
        at(table.address, talk)


def test_a_spectator_cannot_replace_a_missing_player_and_no_phone_can_move_a_hand_to_the_table(tmp_path: Path):
    async def talk(session):
        ann, bo, carla = await seat(table.address, session, ["Ann", "Bo", "Carla"], "bluff")
        await ann.say("start")
        await ann.sees(lambda state: state["phase"] == "playing")
        zoe = await Phone(table.address, session).open(ann.room)
        await zoe.say("join", name="Zoe")
        await carla.close()
        gone = (await zoe.sees(lambda state: state["you"] and state["gone"]))["gone"][0]
        for phone, do in ((zoe, "remove"), (zoe, "computer"), (bo, "table")):
            await phone.say("gone", seat=gone["seat"], do=do)
            assert (await phone.until(lambda said: said["is"] == "refused"))["why"] == "That choice isn't available."

    with rooms(tmp_path, phone_rules=PhoneRules(patience=0)) as table:
        at(table.address, talk)


def test_an_option_is_checked_even_if_it_belongs_to_another_mode(table: Rooms):
    async def talk(session):
        ann, _ = await seat(table.address, session, ["Ann", "Bo"], "mexico")
        for value in ("garbage", -1, True, 10**6):
            await ann.say("option", name="double", value=value)
            await ann.say("option", name="lives", value=value)
        await ann.say("computer", level="classic")
        state = await ann.sees(lambda state: len(state["lobby"]["seats"]) == 3)
        assert state["lobby"]["start"] and all(option["values"] for option in state["lobby"]["options"])
        await ann.say("option", name="mode", value="challenge")
        state = await ann.sees(lambda state: not state["lobby"]["start"])
        assert state["lobby"]["why"].endswith(".")

    at(table.address, talk)


def test_a_player_replaced_at_the_end_of_a_game_does_not_get_the_computers_next_hand(tmp_path: Path):
    async def talk(session):
        ann, bo, carla = await seat(table.address, session, ["Ann", "Bo", "Carla"], "bluff", rounds=1)
        await ann.say("start")
        await carla.sees(lambda state: state["phase"] == "playing")
        await carla.close()
        await ann.sees(lambda state: any(not one["here"] for one in state["table"]["seats"]))
        table.later(1)
        gone = (await ann.sees(lambda state: state["gone"]))["gone"][0]
        await ann.say("gone", seat=gone["seat"], do="computer")
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate((ann, bo))))
        await ann.say("again")
        for phone in (ann, bo):
            await phone.sees(lambda state: state["phase"] == "playing")
        await carla.open()
        state = await carla.sees(lambda state: state["you"])
        assert state["you"]["seat"] is None and state["hand"] is None
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate((ann, bo))))
        await ann.say("lobby")
        state = await carla.sees(lambda state: state["phase"] == "lobby")
        assert {s["name"] for s in state["lobby"]["seats"] if s["kind"] == "phone"} == {"Ann", "Bo", "Carla"}

    with rooms(tmp_path, phone_rules=PhoneRules(patience=1)) as table:
        at(table.address, talk)


def test_a_player_who_leaves_after_a_game_has_no_seat_in_the_next(table: Rooms):
    async def talk(session):
        ann, bo, carla = await seat(table.address, session, ["Ann", "Bo", "Carla"], "bluff", rounds=1)
        await ann.say("start")
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate((ann, bo, carla))))
        await carla.say("leave")
        await carla.sees(lambda state: state["you"] is None)
        await ann.say("again")
        for phone in (ann, bo):
            await phone.sees(lambda state: state["phase"] == "playing")
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate((ann, bo))))
        assert len(ann.state["table"]["seats"]) == 2

    at(table.address, talk)


def test_joining_under_a_players_name_gives_no_access_to_their_seat(tmp_path: Path):
    async def begin(session):
        ann, bo, cy = await seat(first.address, session, ["Ann", "Bo", "Cy"], "bluff")
        await ann.say("start")
        await cy.sees(lambda state: state["phase"] == "playing")
        await cy.say("leave")
        await cy.sees(lambda state: state["you"] is None)
        stranger = await Phone(first.address, session).open(ann.room)
        await stranger.say("join", name="Cy")
        state = await stranger.sees(lambda state: state["you"])
        assert state["you"]["name"] == "Cy" and state["you"]["seat"] is None
        return [(phone.room, phone.token) for phone in (ann, bo, stranger)]

    with rooms(tmp_path) as first:
        known = at(first.address, begin)

    async def go_on(session):
        people = []
        for room, token in known:
            phone = Phone(second.address, session)
            phone.token = token
            people.append(await phone.open(room))
            await phone.sees(lambda state: state["you"])
        assert people[2].state["you"]["seat"] is None and people[2].state["hand"] is None
        (room,) = second.host.connections.rooms.values()
        told = about(room, Catalogue())
        assert told["game"] == "Bluff" and told["players"] == 3 and told["playing"]
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate(people[:2])))

    with rooms(tmp_path) as second:
        at(second.address, go_on)


# Hidden dice


class Fixed(DiceSource):
    """Seeded dice with a separate generator per seat, so that one seat's hidden dice can be changed without affecting
    others."""

    name, instant = "simulated", True

    def __init__(self, post: Callable[[Any], None], seed: int, changed: int | None) -> None:
        self._post = post
        self._rows = {seat: random.Random(f"{seed} {seat} {seat == changed}") for seat in range(10)}
        self._open = random.Random(seed)

    def private(self, seat: int) -> bool:
        return True

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        chance = self._rows[roll.seat] if roll.hidden else self._open
        self._post(DiceRead(self.name, ticket, tuple(chance.randint(1, 6) for _ in range(roll.count))))


REVEALING = ("Dudo", "Calza", "Call the bluff", "Keep the card", "Play the card")


def told_until_the_first_reveal(folder: Path, game: str, seed: int, changed: int | None) -> dict[str, list[str]]:
    """Every message sent to three players, a spectator and the public table before any cup is lifted.

    The seed decides all dice and taps, except for the hidden dice of the seat `changed`."""
    heard: dict[str, list[str]] = {}

    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo", "Carla"], game)
        (room,) = table.host.connections.rooms.values()
        room.session.dice.devices["simulated"] = Fixed(table.mailbox.post, seed, changed)
        room.session._chance = random.Random(seed)
        others = [
            await Phone(table.address, session, "watcher").open(people[0].room),
            await Phone(table.address, session, "table").open(people[0].room, watch=True),
        ]
        every = [*people, *others]
        for phone in every:
            await phone.sees(lambda state: state["lobby"]["start"])
            phone.heard.clear()
        await people[0].say("start")
        chance = random.Random(seed)
        while True:
            asked = await whose_turn(people)
            said = touch(asked.state, chance)
            labels = {option["pick"]: option["label"] for option in asked.state["ask"].get("options", ())}
            if labels.get(said.get("pick")) in REVEALING:
                break  # from here on hidden dice may be revealed
            await asked.raw(json.dumps(said))
            for phone in every:
                await answered(phone, said)
            if any(
                event.kind in ("called", "dudo", "calza") for news in room.session.news.recent for event in news.events
            ):
                break
        match = room.session.match.id[:6]
        for phone in every:
            heard[phone.name] = [text.replace(match, "match") for text in phone.heard if '"is": "state"' in text]

    with rooms(folder, phone_rules=PhoneRules(odds=True)) as table:
        at(table.address, talk)
    return heard


def by_moment(texts: list[str]) -> dict[Any, str]:
    """The state sent at each point of the game. Lists of states cannot be compared directly, because timing decides
    which states a phone skips."""
    found = {}
    for text in texts:
        state = json.loads(text)
        del state["version"], state["room"]  # a message counter, and a random room code
        found[state["at"], state["ask"] is None] = json.dumps(state, sort_keys=True)
    return found


def test_everybody_sees_the_odds_of_a_bid_but_only_the_owner_sees_the_odds_with_hidden_dice(tmp_path: Path):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo"], "cacho")
        watcher = await Phone(table.address, session).open(people[0].room)
        await people[0].say("start")
        (room,) = table.host.connections.rooms.values()
        while not (room.session.match and room.session.match.referee.view(None)["bid"]):
            asked = await whose_turn(people)
            said = touch(asked.state, random.Random(1))
            await asked.raw(json.dumps(said))
            await answered(asked, said)
        referee, say, now = room.session.match.referee, Catalogue("en"), room.seats.at
        for number, phone in enumerate([*people, watcher]):
            state = await phone.sees(lambda state: state["at"] == now)
            assert said_of(state["odds"]["now"]) == shown(odds.now(referee.view(None), referee.ask), say)
            if phone is watcher:
                assert state["hand"] is None
                continue
            own = shown(odds.own(referee.view(number)), say)
            assert said_of(state["hand"]["odds"]) == own and all(
                ": ".join(line) in state["hand"]["said"] for line in own
            )

    with rooms(tmp_path, phone_rules=PhoneRules(odds=True)) as table:
        at(table.address, talk)


def said_of(lines: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(line["label"], line["shown"]) for line in lines]


def shown(lines: list[odds.Odds], say: Catalogue) -> list[tuple[str, str]]:
    return [(narration.chance(line, "cacho", say), numbers.percent(line.chance, say)) for line in lines]


def test_no_odds_are_sent_unless_the_operator_allows_them(table: Rooms):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo"], "cacho")
        await people[0].say("start")
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate(people)))
        states = [json.loads(text) for phone in people for text in phone.heard if '"is": "state"' in text]
        assert any(state["hand"] for state in states)
        assert not any(state["odds"] or (state["hand"] or {}).get("odds") for state in states)

    at(table.address, talk)


@pytest.mark.parametrize("game", ["bluff", "cacho"])
def test_nobody_is_sent_another_players_hidden_dice_in_whole_games(tmp_path: Path, game: str):
    """A short version of `python -m tests.soak.phones`."""

    async def talk(session):
        for seed in range(10):
            looked, found = leaks(*await whole_game(table, session, game, seed))
            assert looked > 50 and found == []

    with rooms(tmp_path) as table:
        at(table.address, talk)


@pytest.mark.parametrize("game", ["bluff", "cacho"])
@pytest.mark.parametrize("seed", range(5))
def test_the_hidden_dice_of_others_do_not_change_a_byte_of_what_a_phone_is_sent(tmp_path: Path, game: str, seed: int):
    changed = seed % 3
    plain = told_until_the_first_reveal(tmp_path / "a", game, seed, None)
    other = told_until_the_first_reveal(tmp_path / "b", game, seed, changed)
    owner = ["Ann", "Bo", "Carla"][changed]
    for name in plain:
        if name != owner:
            one, two = by_moment(plain[name]), by_moment(other[name])
            both = one.keys() & two.keys()
            assert len(both) > 3 and [one[key] for key in both] == [two[key] for key in both], name
