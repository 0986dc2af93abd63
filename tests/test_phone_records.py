"""The records on phones, over real sockets: every page, the operator's changes, and floods of requests."""

import asyncio
import json
import queue
import random
import sqlite3
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytestmark = pytest.mark.ground
aiohttp = pytest.importorskip("aiohttp", reason="aiohttp serves the phones")

from table.games import tables  # noqa: E402
from table.session.messages import Committed, Found, League, NotKept, PhoneSaid, Player  # noqa: E402
from table.storage.journal.writer import Journal  # noqa: E402
from table.storage.records import games, read  # noqa: E402
from table.storage.records.pages import leaders  # noqa: E402
from table.storage.records.reader import Reader  # noqa: E402
from table.text.catalogue import Catalogue, languages  # noqa: E402
from table.ui.phone import records, replayed  # noqa: E402
from table.ui.phone.record_requests import PAUSE, RecordRequests  # noqa: E402
from table.ui.phone.replayed import Asked  # noqa: E402
from table.ui.phone.seats import PhoneRules  # noqa: E402
from table.ui.serve import LONGEST, Host  # noqa: E402
from table.ui.shared.storage import Storage  # noqa: E402
from tests.blocks import of_kind, rows_of, texts_of, titles_of  # noqa: E402
from tests.past_games import filled  # noqa: E402
from tests.phones import SHORT, SLOW, Phone, Rooms, play_out, rooms, seat  # noqa: E402
from tests.processes import until  # noqa: E402
from tests.test_phones import at, whose_turn  # noqa: E402

PIN = "2468"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    filled(tmp_path, 30)
    return tmp_path


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory):
    """A table shared by tests that only read it."""
    folder = tmp_path_factory.mktemp("table")
    filled(folder, 30)
    with rooms(folder, pin=PIN) as opened:
        yield opened


@pytest.fixture
def fresh(folder: Path):
    """A table for one test, which may play or change something."""
    with rooms(folder, pin=PIN) as opened:
        yield opened


async def asks(
    table: Rooms, phone: Phone, page: str, name: str = "", number: int = 0, place: int = 0
) -> dict[str, Any]:
    """Advance the clock past the pause between requests, request a page, and return the complete answer."""
    table.later(PAUSE)
    asked = {"page": page, "name": name, "number": number, "at": place}
    await phone.say("records", **asked)

    def answers(said: dict[str, Any]) -> bool:
        return said["is"] == "records" and "thinking" not in said and all(said[key] == asked[key] for key in asked)

    return await phone.until(answers)


async def refused(phone: Phone) -> str:
    return str((await phone.until(lambda said: said["is"] == "refused"))["why"])


def browse(table: Rooms, *pages: tuple[Any, ...], language: str = "en") -> list[dict[str, Any]]:
    async def talk(session):
        phone = await Phone(table.address, session).open(language=language)
        return [await asks(table, phone, *page) for page in pages]

    return at(table.address, talk)


def labels(page: dict[str, Any]) -> set[str]:
    return {row["label"] for row in rows_of(page)}


# Pages


@pytest.mark.parametrize("language", languages())
def test_every_page_comes_in_the_phones_language(table: Rooms, language: str):
    say = Catalogue(language)
    board, players, ann, listed, game, replay, dice, review = browse(
        table,
        ("board",),
        ("players",),
        ("player", "Ann"),
        ("games", "", 0),
        ("game", "", 2),
        ("replay", "", 2, 0),
        ("dice",),
        ("review", "", 2, 1),
        language=language,
    )
    assert board["title"] == say("records.title") and of_kind(board, "switch")[0]["label"] == say("records.board")
    assert [label for label, _ in dice["tabs"]] == [say(f"records.{tab}") for tab in records.TABS]
    assert labels(players) == {"Ann", "Bo", "Cleo"}
    assert titles_of(ann) == [say(f"records.{part}") for part in ("games", "rivals", "moments")]
    last = rows_of(listed)[0]
    assert last["detail"].startswith(say("cacho.name"))
    assert last["figures"][1] == say("records.number", number=last["link"]["number"])
    assert game["detail"].startswith(say("records.number", number=2))
    assert game["title"] == say("bluff.name") and say("records.luck") in titles_of(game)
    assert replay["steps"][0]["round"] == say("round.of", round=1, rounds=3)
    assert titles_of(dice)[0] == say("records.by_source")
    label = next(block["label"] for block in of_kind(game, "go") if block["link"].get("at") == 1)
    assert review["title"] == say("review.title", name="Bo") == label


def test_the_pages_on_phones_match_the_records(table: Rooms, folder: Path):
    board, mexico, ann, dice = browse(table, ("board",), ("board", "mexico"), ("player", "Ann"), ("dice",))
    with read.opened(folder) as connection:
        players = read.players(connection)
        page, faces = read.player(connection, "Ann"), read.dice(connection)
    most = max(leader.played for leader in leaders(players))
    for row, leader in zip(rows_of(board), leaders(players), strict=True):
        assert (row["label"], row["mark"]) == (leader.name, str(leader.place))
        assert row["figures"][0].startswith(f"{leader.won} of {leader.played} ")
        bar = row["bar"]
        assert (bar["part"] * most, bar["of"] * most) == pytest.approx((leader.won, leader.played), abs=0.01)
    assert [row["label"] for row in rows_of(mexico)] == [leader.name for leader in leaders(players, "mexico")]
    (dots,) = of_kind(ann, "dots")
    assert dots["won"] == list(page.recent)
    rivals = {row["label"]: row["figures"][1:] for row in rows_of(ann) if len(row["figures"]) == 3}
    assert rivals == {one.name: [f"{one.won} won", f"{one.lost} lost"] for one in page.rivals}
    sources, people = of_kind(dice, "section")[:2]
    assert [one["counts"] for one in sources["blocks"]] == [list(each) for each in faces.sources.values()]
    for one in [*sources["blocks"], *people["blocks"]]:
        assert sum(float(share.rstrip("%")) for share in one["shown"]) == pytest.approx(100, abs=0.4)
        assert one["band"][0] < 1 / 6 < one["band"][1] and one["text"]
    (needed,) = of_kind(dice, "table")
    assert [len(line) for line in needed["lines"]] == [4] * (len(faces.sources) + len(faces.players))
    assert len(of_kind(ann, "faces")[0]["needed"]) == 3


def test_the_list_of_games_continues_to_the_first_one(table: Rooms):
    async def talk(session):
        phone = await Phone(table.address, session).open()
        seen, after = [], 0
        while True:
            page = await asks(table, phone, "games", "", after)
            assert texts_of(page) == ["30 games"]
            seen += [row["link"]["number"] for row in rows_of(page)]
            further = of_kind(page, "go")
            if not further:
                return seen
            after = further[0]["link"]["number"]

    assert at(table.address, talk) == list(range(30, 0, -1))


def test_the_list_of_one_players_games_has_no_others(table: Rooms):
    ann, listed = browse(table, ("player", "Ann"), ("games", "Ann"))
    assert all("Ann" in row["detail"] for row in rows_of(listed))
    (games,) = (block for block in of_kind(ann, "section") if block["title"] == "Games")
    played = [int(row["figures"][0].split()[2]) for row in rows_of(games)]
    assert texts_of(listed) == [f"{sum(played)} games"]


@pytest.mark.parametrize("number", [2, 5])
def test_a_finished_game_is_shown_step_by_step_with_its_hidden_dice(table: Rooms, folder: Path, number: int):
    async def talk(session):
        phone = await Phone(table.address, session).open()
        first = await asks(table, phone, "replay", "", number, 0)
        found = first["steps"]
        while len(found) < first["count"]:
            further = await asks(table, phone, "replay", "", number, len(found))
            assert further["from"] == len(found)
            found += further["steps"]
        return found

    shown = at(table.address, talk)
    with read.opened(folder) as connection:
        steps = games.steps(games.played(read.game(connection, number)))
    assert len(shown) == len(steps)
    hidden = 0
    for step, news in zip(shown, steps, strict=True):
        dice = {one["seat"]: one["dice"] for one in step["seats"]}
        if any(news.after["dice"]):
            assert dice == dict(enumerate(news.after["dice"]))
        hidden += sum(None in public for public in news.after["shown"])
        assert step["told"] and not any(None in each for each in dice.values())
    assert hidden > 5


def test_dice_that_ended_a_round_are_still_shown_in_that_step(table: Rooms):
    """A challenge in Cacho clears the table, but the replay has to show the dice that were counted."""
    (page,) = browse(table, ("replay", "", 5, 0))
    ends = [step for step in page["steps"] if step["told"][0].startswith(("Dudo", "Calza"))]
    assert ends and all(all(one["dice"] or one["out"] for one in step["seats"]) for step in ends)
    assert not any("hidden then" in one["marks"] for step in ends for one in step["seats"])


def test_a_review_has_every_decision_and_adds_up(table: Rooms, folder: Path):
    (found,) = browse(table, ("review", "", 4, 0))
    (chances,) = of_kind(found, "chances")
    (every,) = (block for block in of_kind(found, "section") if block.get("folded"))
    assert len(chances["points"]) == len(rows_of(every)) > 3
    (tiles,) = (block["rows"] for block in of_kind(found, "rows") if block.get("tiles"))
    facts = {row["label"]: float(row["figures"][0].rstrip("%").replace("−", "-")) / 100 for row in tiles}
    given = sum(before - after for before, after, _ in chances["points"])
    assert facts["Lost to mistakes"] == pytest.approx(-given, abs=0.01)
    assert facts["Start"] + facts["Luck"] + facts["Lost to mistakes"] == pytest.approx(facts["End"], abs=0.02)
    with read.opened(folder) as connection:
        page = read.game(connection, 4)
    assert chances["result"] == page.line.seats[0].won
    for row, (_, _, slip) in zip(rows_of(every), chances["points"], strict=True):
        assert ("note" in row) == row["figures"][0].startswith("▾") == slip and row["label"] and row["detail"]


def test_a_decision_in_a_review_links_to_its_step(table: Rooms, folder: Path):
    (found,) = browse(table, ("review", "", 3, 0))
    with read.opened(folder) as connection:
        steps = games.steps(games.played(read.game(connection, 3)))
    assert all(steps[row["link"]["at"]].ask.seat == 0 and row["link"]["number"] == 3 for row in rows_of(found))


def test_a_review_reports_its_progress(table: Rooms, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(replayed, "SLICE", 0.0)

    async def talk(session):
        phone = await Phone(table.address, session).open()
        await asks(table, phone, "review", "", 4, 0)
        return [json.loads(text) for text in phone.heard if '"thinking"' in text]

    parts = [said["part"] for said in at(table.address, talk)]
    assert len(parts) > 3 and parts == sorted(parts) and 0 < parts[0] <= parts[-1] <= 1


def test_the_board_has_all_league_players_and_links_only_those_of_this_table(fresh: Rooms):
    far = Player("Faraway", {"bluff": 90}, {"bluff": 80})
    fresh.mailbox.post(League((far, Player("Ann", {"bluff": 9}, {"bluff": 3}))))
    (board,) = browse(fresh, ("board",))
    assert [(row["label"], "link" in row) for row in rows_of(board)] == [("Faraway", False), ("Ann", True)]
    assert of_kind(board, "switch")[0]["label"] == Catalogue()("records.board_all")
    fresh.mailbox.post(League((far,), "refused"))
    (board,) = browse(fresh, ("board",))
    assert labels(board) == {"Ann", "Bo", "Cleo"}
    assert of_kind(board, "switch")[0]["label"] == Catalogue()("records.board_here")


# After and during a game


def test_a_game_that_has_just_ended_can_be_reviewed_without_its_number(fresh: Rooms):
    async def talk(session):
        people = await seat(fresh.address, session, ["Ann", "Zoe"], "bluff", rounds=1)
        await people[0].say("start")
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate(people)))
        for phone in people:
            own = phone.state["you"]["seat"]
            found = await asks(fresh, phone, "review", "", 0, own)
            assert found["title"] == f"How did {phone.name} play?"
            numbers = {row["link"]["number"] for row in rows_of(found)}
            assert numbers <= {0, 31}  # the number is 0 while the game is still being written
            assert numbers or len(found["blocks"]) <= 2  # a player with nothing to decide gets a short page
        seated = rows_of(await asks(fresh, people[0], "game", "", 0))
        assert {row["label"] for row in seated} == {phone.name for phone in people}

    at(fresh.address, talk)


@pytest.mark.parametrize("game", ["bluff", "cacho"])
def test_the_records_do_not_show_a_game_in_progress(fresh: Rooms, game: str):
    async def talk(session):
        people = await seat(fresh.address, session, ["Ann", "Bo"], game, **SHORT[game])
        await people[0].say("start")
        await people[0].sees(lambda state: state["phase"] == "playing")
        for _ in range(3):
            asked = await whose_turn(people)
            if asked.state["ask"]["kind"] != "roll":
                break
            ask = asked.state["ask"]["at"]
            await asked.say("roll", at=ask)
            await asked.sees(lambda state, ask=ask: state["at"] != ask)
        for page in ("game", "replay", "review"):
            for number in (0, 31, 32):
                found = await asks(fresh, people[0], page, "", number)
                assert found["why"] == "This game is not in the records." and "steps" not in found
        assert texts_of(await asks(fresh, people[0], "games")) == ["30 games"]

    at(fresh.address, talk)


# Missing pages and invalid requests


@pytest.mark.parametrize("language", languages())
def test_a_missing_record_is_reported_in_the_phones_language(table: Rooms, language: str):
    say = Catalogue(language)
    found = browse(
        table,
        ("player", "Nobody"),
        ("game", "", 999),
        ("game", "", -1),
        ("replay", "", 999, 3),
        ("review", "", 999, 0),
        ("review", "", 2, 99),
        ("review", "", 2, -1),
        language=language,
    )
    missing, strange = say("refused.no_game"), say("refused.not_offered")
    assert [page["why"] for page in found] == [say("refused.no_player"), *[missing] * 4, strange, strange]


def test_numbers_out_of_range_are_clamped(table: Rooms):
    far, before = browse(table, ("replay", "", 2, 10**8), ("replay", "", 2, -5))
    assert far["from"] + len(far["steps"]) == far["count"] and before["from"] == 0
    beyond, nobody = browse(table, ("players", "", 10**8), ("games", "Nobody", 5))
    assert rows_of(beyond) == rows_of(nobody) == []


@pytest.mark.parametrize("page", ["", "settings", "review.py", "__init__", "changed", "Board"])
def test_an_unknown_page_is_refused(table: Rooms, page: str):
    async def talk(session):
        phone = await Phone(table.address, session).open()
        await phone.say("records", page=page, name="", number=0, at=0)
        return await refused(phone)

    assert at(table.address, talk) == "That choice isn't available."


RUBBISH = [
    {"page": "game", "name": "", "number": 10**30, "at": 0},
    {"page": "game", "name": "", "number": 2**63, "at": 0},
    {"page": "replay", "name": "", "number": 2, "at": -(10**40)},
    {"page": "game", "name": "", "number": True, "at": 0},
    {"page": "game", "name": "", "number": 1.5, "at": 0},
    {"page": "player", "name": "x" * 201, "number": 0, "at": 0},
]


@pytest.mark.parametrize("asked", RUBBISH, ids=str)
def test_invalid_requests_never_reach_the_records(table: Rooms, asked: dict[str, Any]):
    async def talk(session):
        phone = await Phone(table.address, session).open()
        await phone.say("records", **asked)
        assert (await refused(phone)).endswith("has the wrong type or size.")
        return await asks(table, phone, "board")

    assert rows_of(at(table.address, talk))


@pytest.mark.parametrize("name", ["'; DROP TABLE seats; --", "\x00", "%", "Ann\n", "\u202eAnn", "🎲" * 40])
def test_strange_names_are_reported_as_unknown(table: Rooms, name: str):
    player, listed = browse(table, ("player", name), ("games", name))
    assert player["why"] == "No player with that name is in the records." and rows_of(listed) == []


def test_a_game_without_its_log_says_so(folder: Path):
    with sqlite3.connect(next(folder.glob("*.db"))) as connection:
        connection.execute("UPDATE matches SET log = NULL WHERE key = 7")
    connection.close()
    with rooms(folder) as table:
        game, replay, review = browse(table, ("game", "", 7), ("replay", "", 7, 0), ("review", "", 7, 0))
    gone = "This game can no longer be replayed."
    assert texts_of(game)[-1] == replay["why"] == review["why"] == gone
    assert rows_of(game) and of_kind(game, "luck") == of_kind(game, "go") == []


def test_without_any_game_the_pages_are_empty_and_say_so(tmp_path: Path):
    filled(tmp_path, 0)
    with rooms(tmp_path) as table:
        board, players, games, dice = browse(table, ("board",), ("players",), ("games",), ("dice",))
    for page in (board, players):
        assert any("Guests aren't ranked" in text for text in texts_of(page))
    for page in (games, dice):
        assert "No game has been finished here yet." in texts_of(page)


def test_a_disk_error_is_reported_without_file_names(folder: Path):
    with rooms(folder, pin=PIN) as table:
        table.reader._folder = folder / "gone"
        (board,) = browse(table, ("board",))
        found = changes(table, ("forget_player", {"pin": PIN, "name": "Ann"}))
    assert [board["why"], *found] == ["The records can't be read right now. Try again in a moment."] * 2


def test_a_review_without_the_tables_of_the_perfect_player_says_so(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("table.games.tables.path", lambda name: tmp_path_factory.getbasetemp() / "nothing")
    tables.load.cache_clear()
    with rooms(folder) as table:
        (cacho,) = browse(table, ("review", "", 5, 0))
    tables.load.cache_clear()
    assert cacho["why"] == Catalogue()("refused.no_table")


# Floods of requests


def test_a_phone_that_floods_requests_gets_the_last_answer_and_delays_nobody(fresh: Rooms):
    async def talk(session):
        offender = await Phone(fresh.address, session).open()
        other = await Phone(fresh.address, session).open()
        people = await seat(fresh.address, session, ["Ann", "Bo"], "bluff", rounds=1)
        await people[0].say("start")
        for number in range(90):
            await offender.say("records", page="replay", name="", number=1 + number % 30, at=0)
        await other.say("records", page="board", name="", number=0, at=0)
        assert rows_of(await other.until(lambda said: said["is"] == "records"))
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate(people)))
        await offender.say("ready", ready=True)
        await refused(offender)  # refused only after all its earlier messages were handled
        fresh.later(PAUSE)
        last = await offender.until(lambda said: said["is"] == "records" and said["number"] == 30)
        return last, [text for text in offender.heard if '"records"' in text]

    last, answers = at(fresh.address, talk)
    assert last["steps"] and len(answers) <= 2  # the last answer, and the first too unless a newer request replaced it


def test_reviews_for_many_phones_at_once_are_all_answered(table: Rooms, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(replayed, "SLICE", 0.01)

    async def talk(session):
        phones = [await Phone(table.address, session).open() for _ in range(8)]
        found = await asyncio.gather(*(asks(table, phone, "review", "", 5, n % 2) for n, phone in enumerate(phones)))
        return [texts_of(page)[0] for page in found]

    leads = at(table.address, talk)
    assert len(set(leads)) == 2 and leads[::2] == leads[:1] * 4


def test_a_phone_that_asks_and_leaves_is_forgotten(fresh: Rooms):
    async def talk(session):
        for number in range(10):
            phone = await Phone(fresh.address, session).open()
            await phone.say("records", page="review", name="", number=5, at=number % 2)
            await phone.close()
        phone = await Phone(fresh.address, session).open()
        return await asks(fresh, phone, "dice")

    assert of_kind(at(fresh.address, talk), "faces")
    requests = fresh.host.connections._record_requests
    until("the requests of closed phones are dropped", lambda: not requests._waiting and not requests._ticket)


class Questions:
    """Handles requests for records with a real reader and a stopped clock, and collects the answers."""

    def __init__(self, folder: Path) -> None:
        self.answers: list[tuple[int, dict[str, Any]]] = []
        self.messages: queue.SimpleQueue[Found] = queue.SimpleQueue()
        self.now = 0.0
        self.reader = Reader(folder, self.messages.put)
        storage = Storage(SimpleNamespace(keep=lambda entry: 1), self.reader)
        self.requests = RecordRequests(storage, lambda *answer: self.answers.append(answer), lambda: self.now)

    def ask(self, line: int, page: str, number: int = 0) -> None:
        self.requests.ask(line, Asked(page, "", number, 0), Catalogue())

    def takes(self, count: int = 1) -> None:
        """Wait for `count` pages from the reader and pass them on."""
        for _ in range(count):
            self.requests.found(self.messages.get(timeout=SLOW))


@pytest.fixture
def asking(folder: Path):
    made = Questions(folder)
    yield made
    made.reader.close()


def test_of_several_requests_while_waiting_only_the_last_is_answered(asking: Questions):
    for page in ("board", "players", "dice"):
        asking.ask(1, page)
    asking.takes()
    assert asking.answers == []  # a newer request replaced the first
    asking.now = 1.0
    asking.requests.go_on()
    asking.takes()
    assert [(line, page["page"]) for line, page in asking.answers] == [(1, "dice")]
    assert asking.messages.empty()


def test_a_phone_has_to_pause_between_requests_and_others_need_not_wait(asking: Questions):
    asking.ask(1, "board")
    asking.takes()
    asking.ask(1, "dice")
    asking.ask(2, "players")
    asking.takes()
    assert [line for line, _ in asking.answers] == [1, 2]
    asking.now = 1.0
    asking.requests.go_on()
    asking.takes()
    assert [line for line, _ in asking.answers] == [1, 2, 1]


def test_nothing_is_due_while_reading_or_before_the_pause_ends(asking: Questions):
    asking.ask(1, "board")
    asking.ask(1, "dice")
    assert asking.requests.due == inf
    asking.takes()
    assert asking.requests.due == asking.now + PAUSE


def test_the_host_wakes_up_as_soon_as_a_pause_ends(asking: Questions, tmp_path: Path):
    journal = Journal(tmp_path, asking.messages.put)
    host = Host(
        journal, asking.messages.put, lambda out: None, str, PhoneRules(), clock=lambda: 1000.0, reader=asking.reader
    )
    hello = {"say": "hello", "room": "", "token": "", "language": "en", "watch": False}
    ask = {"say": "records", "page": "board", "name": "", "number": 0, "at": 0}
    host.turn([PhoneSaid(1, hello), PhoneSaid(1, ask), PhoneSaid(1, ask)], 1000.0)
    assert host.due(1000.0) == 1000.0 + LONGEST
    host.turn([asking.messages.get(timeout=SLOW)], 1000.0)
    assert host.due(1000.0) == 1000.0 + PAUSE < 1000.0 + LONGEST


def test_a_long_review_alternates_with_other_requests(asking: Questions, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(replayed, "SLICE", 0.0)
    asking.ask(1, "review", 4)
    asking.ask(2, "board")
    asking.takes(3)
    assert [(line, "thinking" in page) for line, page in asking.answers] == [(1, True), (2, False), (1, True)]


def test_pages_and_commits_with_unknown_tickets_are_ignored(asking: Questions):
    asking.ask(1, "board")
    asking.requests.found(Found(10**6, {"page": "kiosk"}))
    assert (
        asking.answers == []
        and asking.requests.kept(Committed(7)) is None
        and asking.requests.kept(NotKept(7, "full")) is None
    )
    asking.takes()
    assert len(asking.answers) == 1


# The operator


def changes(table: Rooms, *said: tuple[str, dict[str, str]], language: str = "en") -> list[str]:
    """Send the changes, and return for each one why it was refused, or "" if it was accepted."""

    async def talk(session):
        phone = await Phone(table.address, session).open(language=language)
        found = []
        for word, fields in said:
            await phone.say(word, **fields)
            answer = await phone.until(lambda said: said["is"] == "refused" or said.get("page") == "changed")
            found.append(answer.get("why", ""))
        return found

    return at(table.address, talk)


def known(table: Rooms) -> set[str]:
    return labels(browse(table, ("players",))[0])


def counts(folder: Path) -> dict[str, int]:
    """How many games each player has finished, read from the file."""
    with read.opened(folder) as connection:
        return {one.name: sum(one.played.values()) for one in read.players(connection)}


def test_the_operator_renames_and_deletes_a_player(fresh: Rooms):
    assert changes(
        fresh,
        ("rename_player", {"pin": PIN, "name": "Ann", "to": "  Anna \n"}),
        ("forget_player", {"pin": PIN, "name": "Bo"}),
    ) == ["", ""]
    assert known(fresh) == {"Anna", "Cleo"}
    anna, ann, game = browse(fresh, ("player", "Anna"), ("player", "Ann"), ("game", "", 23))
    assert " of 24 " in texts_of(anna)[0] and ann["why"]
    assert {row["label"] for row in rows_of(game)} == {"Player 1", "Anna"}


def test_players_who_never_met_are_merged(tmp_path: Path):
    filled(tmp_path, 6, people=("Ann", "Bo"))
    filled(tmp_path, 6, seed=2, people=("Annie", "Bo"))
    with rooms(tmp_path, pin=PIN) as table:
        before = browse(table, ("player", "Ann"), ("player", "Annie"))
        assert changes(table, ("merge_player", {"pin": PIN, "name": "Annie", "to": "Ann"})) == [""]
        (ann,) = browse(table, ("player", "Ann"))
        assert known(table) == {"Ann", "Bo"}
    played = [len(of_kind(page, "dots")[0]["won"]) for page in (*before, ann)]
    assert played[0] + played[1] == played[2]


@pytest.mark.parametrize("language", languages())
def test_a_refused_change_names_the_reason(table: Rooms, language: str):
    say = Catalogue(language)
    assert changes(
        table,
        ("rename_player", {"pin": PIN, "name": "Nobody", "to": "Zoe"}),
        ("rename_player", {"pin": PIN, "name": "Ann", "to": "Bo"}),
        ("rename_player", {"pin": PIN, "name": "Ann", "to": " "}),
        ("merge_player", {"pin": PIN, "name": "Ann", "to": "Bo"}),
        ("forget_player", {"pin": PIN, "name": "Nobody"}),
        language=language,
    ) == [
        *[say("refused.no_rename_player")] * 3,
        say("refused.no_merge_player"),
        say("refused.no_forget_player"),
    ]
    assert known(table) == {"Ann", "Bo", "Cleo"}


@pytest.mark.parametrize(
    ("word", "fields"),
    [
        ("rename_player", {"name": "Ann", "to": "Zoe"}),
        ("merge_player", {"name": "Ann", "to": "Bo"}),
        ("forget_player", {"name": "Ann"}),
    ],
)
def test_changing_names_needs_the_pin_and_shares_its_limit_on_guesses_with_the_settings(
    fresh: Rooms, word: str, fields: dict[str, str]
):
    wrong = [(word, {"pin": f"000{guess}", **fields}) for guess in range(4)]
    setting = ("settings", {"pin": "0009", "name": "create", "value": False})
    right = [(word, {"pin": PIN, **fields})]  # the PIN is right, but comes after too many wrong guesses
    found = changes(fresh, *wrong, setting, *right)  # type: ignore[arg-type]
    assert found == ["Wrong PIN. Try again."] * 5 + ["Too many wrong PINs. Try again in a minute."]
    assert known(fresh) == {"Ann", "Bo", "Cleo"}


def test_without_a_pin_no_name_is_changed_from_a_phone(folder: Path):
    with rooms(folder) as table:
        found = changes(
            table,
            ("forget_player", {"pin": "", "name": "Ann"}),
            ("rename_player", {"pin": "", "name": "Ann", "to": "Zoe"}),
        )
        assert found == ["To change this from a phone, set an operator PIN in the table's config."] * 2
        assert known(table) == {"Ann", "Bo", "Cleo"}


def test_a_renamed_player_has_the_new_name_in_the_lobby_and_the_next_game(folder: Path):
    async def talk(session):
        ann, bo = await seat(table.address, session, ["Ann", "Bo"], "bluff", rounds=1)
        await bo.say("rename_player", pin=PIN, name="Ann", to="Anna")
        state = await ann.sees(lambda state: state["you"]["name"] == "Anna")
        assert [one["name"] for one in state["lobby"]["seats"]] == ["Anna", "Bo"]
        await ann.say("start")
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate((ann, bo))))

    with rooms(folder, pin=PIN) as table:
        at(table.address, talk)
    with rooms(folder) as table:  # the first table wrote the game before it closed
        (listed,) = browse(table, ("games",))
        assert texts_of(listed) == ["31 games"]
        assert rows_of(listed)[0]["detail"] in ("Bluff: Anna and Bo", "Bluff: Bo and Anna")
        assert known(table) == {"Anna", "Bo", "Cleo"}


def test_a_deleted_player_has_no_name_in_the_lobby_either(fresh: Rooms):
    async def talk(session):
        ann, bo = await seat(fresh.address, session, ["Ann", "Bo"], "bluff", rounds=1)
        await bo.say("forget_player", pin=PIN, name="Ann")
        state = await ann.sees(lambda state: state["you"]["name"] != "Ann")
        assert [one["name"] for one in state["lobby"]["seats"]] == ["Player", "Bo"]

    at(fresh.address, talk)


def test_a_player_replaced_by_a_computer_keeps_the_name_and_the_game_counts(folder: Path):
    async def talk(session):
        ann, bo = await seat(table.address, session, ["Ann", "Bo"], "bluff", rounds=1)
        await ann.say("start")
        await bo.sees(lambda state: state["phase"] == "playing")
        await ann.say("leave")
        await bo.say("forget_player", pin=PIN, name="Ann")
        assert await refused(bo) == "This player is in a game. Finish or leave it first."
        await play_out(bo, random.Random(2))

    before = counts(folder)
    with rooms(folder, pin=PIN) as table:
        at(table.address, talk)
    after = counts(folder)  # the table wrote the game before it closed
    assert {name: after[name] - before.get(name, 0) for name in ("Ann", "Bo")} == {"Ann": 1, "Bo": 1}
    assert {one.name: sum(one.played.values()) for one in table.host.history.players} == after


def test_a_player_keeps_the_name_until_the_game_is_over(fresh: Rooms):
    async def talk(session):
        ann, bo = await seat(fresh.address, session, ["Ann", "Bo"], "bluff", rounds=1)
        await ann.say("start")
        await bo.sees(lambda state: state["phase"] == "playing")
        await bo.say("forget_player", pin=PIN, name="Ann")
        assert await refused(bo) == "This player is in a game. Finish or leave it first."
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate((ann, bo))))
        await bo.say("forget_player", pin=PIN, name="Ann")
        await bo.until(lambda said: said.get("page") == "changed")

    at(fresh.address, talk)
    assert known(fresh) == {"Bo", "Cleo"}
