"""Reading the records from real journals: the pages match the games, even while other programs write."""

import json
import random
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import cache, partial
from itertools import groupby, pairwise
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.engine import referee
from table.engine.asks import Over
from table.engine.errors import Refused
from table.games import GAMES
from table.games import new as new_game
from table.session.messages import Found, Player
from table.storage.journal import files, integrity, store
from table.storage.journal.entries import Answered, Began, Entry, Finished, Forgotten, Left, Renamed, Setting
from table.storage.journal.lock import Lock
from table.storage.records import backup, games, names, read
from table.storage.records.pages import Leader, Rival, SeatLine, leaders, verdicts
from table.storage.records.reader import Reader
from table.text.catalogue import Catalogue, languages
from table.text.records import words
from tests import past_games
from tests.test_journal import child

GAMES_KEPT = 30
NUMBERS = range(GAMES_KEPT)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with thirty games, shared by tests that only read it."""
    made = tmp_path_factory.mktemp("records")
    past_games.filled(made, GAMES_KEPT)
    return made


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A table's database with ten games."""
    made = tmp_path_factory.mktemp("ten")
    past_games.filled(made, 10)
    return (made / "table.db").read_bytes()


@pytest.fixture
def own(tmp_path: Path, ten: bytes) -> Path:
    """A folder with ten games, which the test may change."""
    (tmp_path / "table.db").write_bytes(ten)
    return tmp_path


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Another table's database, with one game."""
    made = tmp_path_factory.mktemp("one")
    past_games.filled(made, 1, seed=7)
    return (made / "table.db").read_bytes()


@pytest.fixture
def other(tmp_path_factory: pytest.TempPathFactory, one: bytes) -> Path:
    folder = tmp_path_factory.mktemp("other")
    (folder / "table.db").write_bytes(one)
    return folder


def page(folder: Path, question: Callable[..., Any], *arguments: Any, **facts: Any) -> Any:
    with read.opened(folder) as connection:
        return question(connection, *arguments, **facts)


def board(connection: sqlite3.Connection, game: str | None = None) -> tuple[Leader, ...]:
    return leaders(read.players(connection), game)


@cache
def played(number: int) -> tuple[Began, list[Answered], Finished]:
    began, *answers, finished = past_games.game(f"m{number}", number)
    assert isinstance(began, Began) and isinstance(finished, Finished)
    return began, [entry for entry in answers if isinstance(entry, Answered)], finished


def known(began: Began) -> dict[int, str]:
    return {at: name for at, name in enumerate(began.players) if began.levels[at] is None and at not in began.guests}


def write(folder: Path, *entries: Entry) -> None:
    path = files.ours(folder)
    assert path is not None
    with closing(files.opened(path)) as connection:
        for entry in entries:
            store.write(connection, entry)


# Players


def test_the_leaderboard_counts_every_finished_game_of_known_players(folder):
    won: dict[str, list[int]] = {}
    for number in NUMBERS:
        began, _, finished = played(number)
        for seat, name in known(began).items():
            won.setdefault(name, []).append(seat in finished.winners)
    lines = page(folder, board)
    assert {line.name: (line.played, line.won) for line in lines} == {
        name: (len(results), sum(results)) for name, results in won.items()
    }
    assert [line.won for line in lines] == sorted((line.won for line in lines), reverse=True)


def test_the_leaderboard_of_a_game_counts_only_that_game(folder):
    assert max(line.played for line in page(folder, board, "cheese")) <= GAMES_KEPT / len(GAMES)


def test_equal_wins_share_a_place_and_fewer_games_are_listed_first():
    people = [Player("Ann", {"mexico": 9}, {"mexico": 3}), Player("Bo", {"mexico": 4}, {"mexico": 3})]
    people += [Player("Cleo", {"bluff": 4}, {"bluff": 3}), Player("Dot", {}, {}), Player("Eve", {"bluff": 1}, {})]
    assert [(line.place, line.name) for line in leaders(people)] == [(1, "Bo"), (1, "Cleo"), (3, "Ann"), (4, "Eve")]


@pytest.mark.parametrize("name", ["Ann", "Bo", "Cleo"])
def test_a_players_page_has_their_streaks_and_rivals(folder, name):
    results, met = [], dict[str, list[tuple[bool, bool]]]()
    for number in NUMBERS:
        began, _, finished = played(number)
        seats = {who: seat for seat, who in known(began).items()}
        if name not in seats:
            continue
        results.append(seats[name] in finished.winners)
        for rival in seats.keys() - {name}:
            met.setdefault(rival, []).append((results[-1], seats[rival] in finished.winners))
    found = page(folder, read.player, name)
    runs = [(won, len(list(same))) for won, same in groupby(results)]
    assert found.streak == (runs[-1][1] if runs[-1][0] else -runs[-1][1])
    assert found.longest == max(length for won, length in runs if won)
    assert found.recent == tuple(results[-read.RECENT :])
    assert {rival.name: (rival.played, rival.won, rival.lost) for rival in found.rivals} == {
        rival: (len(both), sum(own for own, _ in both), sum(other for _, other in both)) for rival, both in met.items()
    }
    assert sum(found.played.values()) == len(results) and sum(found.won.values()) == sum(results)


def test_a_players_best_moments_refer_to_their_games(folder):
    for best in page(folder, read.player, "Ann").moments:
        began, _, finished = played(best.number - 1)
        assert "Ann" in known(began).values() and began.game == best.game
        kinds = {event["event"] for event in finished.events}
        assert kinds & {"mexico", "scored", "called", "chips", "banked", "passed", "calza", "dudo"}


def test_an_unknown_name_is_refused_with_the_nearest_name(folder):
    with pytest.raises(Refused, match=r'No one called "Cloe" has played here\. Did you mean Cleo'):
        page(folder, read.player, "Cloe")


# Games


@pytest.mark.parametrize("wanted", [{}, {"game": "bluff"}, {"player": "Bo"}, {"game": "cacho", "player": "Bo"}])
def test_the_parts_of_the_list_hold_all_matching_games_with_the_latest_first(folder, wanted):
    numbers, after = [], None
    while True:
        found = page(folder, read.games, after=after, most=4, **wanted)
        numbers += [line.number for line in found.games]
        after = found.after
        if after is None:
            break
    fitting = [
        number + 1
        for number in NUMBERS
        if wanted.get("game") in (None, played(number)[0].game)
        and wanted.get("player") in (None, *known(played(number)[0]).values())
    ]
    assert numbers == fitting[::-1] and found.total == len(fitting)


def test_a_line_in_the_list_shows_who_played_and_who_won_and_when(folder):
    began, _, finished = played(11)
    line = page(folder, read.line, 12)
    assert (line.game, line.ended, line.kept) == (began.game, finished.at, True)
    assert [(seat.name, seat.level) for seat in line.seats] == list(zip(began.players, began.levels, strict=True))
    assert [seat.won for seat in line.seats] == [at in finished.winners for at in range(len(line.seats))]
    assert [seat.standing for seat in line.seats] == list(finished.standing)


@pytest.mark.parametrize("number", range(1, 11))
def test_a_game_is_replayed_step_by_step_with_every_hand_open(folder, number):
    found = page(folder, read.game, number)
    game = games.played(found)
    steps = games.steps(game)
    assert isinstance(game.ask, Over) and game.ask.winners == played(number - 1)[2].winners
    assert len([step for step in steps if step.ask is not None]) == len(game.history)
    for before, after in pairwise(steps):
        assert before.after == after.before
    assert not any(None in hand for step in steps for hand in step.after["dice"])
    assert all(event.visible_to(None) for step in steps for event in step.events)


def test_hands_stay_hidden_in_an_unfinished_game():
    with pytest.raises(Refused, match="not over"):
        games.steps(new_game("cacho", ["Ann", "Bo"], {}, 1))


def test_an_unknown_or_unfinished_game_is_refused(own):
    began = played(0)[0]
    write(own, replace(began, match="on"))
    for number in (0, 11, 99, -1):
        with pytest.raises(Refused, match="There is no finished game"):
            page(own, read.game, number)


@pytest.mark.parametrize("number", range(1, 11))
def test_an_exported_game_is_the_same_on_another_table(own, other, number):
    exported = json.loads(json.dumps(games.exported(page(own, read.game, number))))
    names.change(other, games.taken_in(exported))
    here, there = page(own, read.game, number), page(other, read.game, 2)
    assert replace(there, line=replace(there.line, number=number)) == here
    assert page(other, read.dice).sources.keys() >= set(here.sources) & {"camera", "edice", "typed"}
    with pytest.raises(Refused, match="does not fit"):  # the game is already there
        names.change(other, games.taken_in(exported))


def test_a_saved_game_without_metadata_always_gets_the_same_match_id():
    first, again = (games.taken_in(_finished_game())[0] for _ in range(2))
    assert isinstance(first, Began) and isinstance(again, Began) and first.match == again.match
    assert list(first.levels) == [None, None]


@cache
def _finished_game() -> dict[str, Any]:
    """A finished game in its saved form."""
    game = new_game("mexico", ["Ann", "Bo"], {}, 3)
    while not isinstance(game.ask, Over):
        game.answer(game.ask.options[0] if hasattr(game.ask, "options") else game.drawn())
    return game.save()


def test_an_unfinished_game_is_not_imported():
    with pytest.raises(Refused, match="not over"):
        games.taken_in(new_game("mexico", ["Ann", "Bo"], {}, 1).save())


rubbish = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*games.ABOUT]), inner, max_size=6),
    max_leaves=8,
)


@given(rubbish, st.sampled_from([*games.ABOUT]))
def test_random_metadata_is_imported_or_refused_without_any_other_error(value, key):
    saved = _finished_game()
    good = {"match": "m", "began": 1.0, "ended": 2.0, "levels": [None, None], "guests": [], "sources": []}
    good["sources"] = ["typed"] * len(saved["answers"])
    for about in (value, {**good, key: value}):
        try:
            entries = games.taken_in(referee.with_about(saved, about if isinstance(about, dict) else {"about": about}))
        except Refused:
            continue
        assert isinstance(entries[0], Began) and isinstance(entries[-1], Finished)


@pytest.mark.parametrize(
    ("key", "words", "says"),
    [
        ("levels", [None, "grandmaster"], '"grandmaster"'),
        ("sources", ["loaded"], '"loaded"'),
        ("sources", ["<b>"], '"<b>"'),
        ("match", "café", "damaged"),
        ("match", "two\nlines", "damaged"),
    ],
)
def test_metadata_that_no_table_writes_is_not_imported(key, words, says):
    saved = _finished_game()
    about = {"match": "m", "began": 1.0, "ended": 2.0, "levels": [None, None], "guests": [], "sources": []}
    about["sources"] = ["typed"] * len(saved["answers"])
    assert games.taken_in(referee.with_about(saved, about))
    about[key] = [*words, *about[key][len(words) :]] if isinstance(words, list) else words
    with pytest.raises(Refused, match=says):
        games.taken_in(referee.with_about(saved, about))


@pytest.mark.parametrize("source", games.GIVEN_BY)
def test_every_known_source_of_an_answer_is_imported(source):
    saved = _finished_game()
    about = {"match": "m", "began": 1.0, "ended": 2.0, "levels": [None, "easy"], "guests": [], "sources": []}
    about["sources"] = [source] * len(saved["answers"])
    assert {entry.source for entry in games.taken_in(referee.with_about(saved, about))[1:-1]} == {source}


@pytest.mark.parametrize("language", languages())
def test_an_unknown_level_is_shown_as_it_is_written(language):
    seat = SeatLine("Computer", "grandmaster", False, True, 3)
    assert "grandmaster" in words.who(seat, 0, Catalogue(language))


# Dice


def test_faces_by_source_and_by_player_count_every_rolled_die(folder):
    by_source, by_player = dict[str, list[int]](), dict[str, list[int]]()
    for number in NUMBERS:
        began, answers, _ = played(number)
        for entry in answers:
            word, seat = entry.asked.split()[:2]
            if word not in ("dice", "hidden"):
                continue
            for counts in (
                by_source.setdefault(entry.source, [0] * 6),
                by_player.setdefault(known(began).get(int(seat), ""), [0] * 6),
            ):
                for die in entry.answer:
                    counts[die - 1] += 1
    found = page(folder, read.dice)
    assert {source: list(counts) for source, counts in found.sources.items()} == by_source
    assert {name: list(counts) for name, counts in found.players.items()} == {
        name: counts for name, counts in by_player.items() if name
    }


def test_the_allowance_for_false_alarms_is_split_between_all_groups(folder):
    found = page(folder, read.dice)
    assert len(verdicts(found)) == 4 + 3
    loaded = replace(found, sources={"typed": (10, 10, 10, 10, 10, 60)}, players={})
    alone = verdicts(loaded)["source", "typed"].one_in
    many = verdicts(replace(loaded, players={str(n): (1,) * 6 for n in range(12)}))["source", "typed"].one_in
    assert alone == pytest.approx(many * 16 / 4)


# As text


@pytest.mark.parametrize("language", languages())
def test_a_streak_mentions_the_longest_winning_streak_if_there_was_one(folder, language):
    say, found = Catalogue(language), page(folder, read.player, "Ann")
    lost = say("records.streak_lost", count=9)
    assert words.streak(replace(found, streak=-9, longest=0), say) == lost
    told = words.streak(replace(found, streak=-9, longest=1), say)
    assert (
        told.startswith(lost)
        and {"en": "longest winning streak: 1", "es": "mejor racha de victorias: 1"}[language] in told
    )


def test_one_day_is_shown_once_and_two_days_in_order(folder):
    say, found = Catalogue(), page(folder, read.player, "Ann")
    early = past_games.FIRST
    assert words.days(replace(found, first=early, last=early + 60), say) == words.day(early, say)
    late = early + 5 * past_games.EVENING
    two = f"{words.day(early, say)} to {words.day(late, say)}"
    assert words.days(replace(found, first=early, last=late), say) == two
    assert words.days(replace(found, first=None, last=None), say) == ""


def test_importing_an_old_game_changes_the_first_day_and_not_the_last(own):
    before = page(own, read.player, "Ann")
    began, answers, finished = played(20)
    long_ago = began.at - 1000 * past_games.EVENING
    names.change(own, [replace(began, at=long_ago), *answers, replace(finished, at=long_ago + 60)])
    after = page(own, read.player, "Ann")
    assert "Ann" in began.players and (after.first, after.last) == (long_ago + 60, before.last)
    names.change(own, [Renamed("Ann", "Anna")])
    assert (page(own, read.player, "Anna").first, page(own, read.player, "Anna").last) == (after.first, after.last)


@pytest.mark.parametrize(("won", "lost", "told"), [(1, 0, True), (0, 0, True), (3, 1, False), (2, 2, False)])
def test_games_that_neither_rival_won_count_as_won_by_others(won, lost, told):
    assert words.others_won(Rival("Bo", 4, won, lost)) is told


# Names


def test_a_new_name_must_be_free_and_the_old_one_known(own):
    assert page(own, names.renamed, "Ann", "  Zoë ") == Renamed("Ann", "Zoë")
    for old, new, why in (
        ("Ann", "Bo", "already a player called Bo"),
        ("Zed", "Una", "No one called"),
        ("Ann", " ", "letter"),
    ):
        with pytest.raises(Refused, match=why):
            page(own, names.renamed, old, new)


def test_a_new_name_must_be_free_ignoring_case_except_for_its_owner(own):
    with pytest.raises(Refused, match="already a player called Bo"):
        page(own, names.renamed, "Ann", "BO")
    with pytest.raises(Refused, match="The name is already Ann"):
        page(own, names.renamed, "Ann", "Ann")
    assert page(own, names.renamed, "Ann", "ANN") == Renamed("Ann", "ANN")


@pytest.mark.parametrize(("new", "whose"), [("dot", "computer called Dot"), ("GUEST 1", "guest called Guest 1")])
def test_a_new_name_must_not_belong_to_a_computer_or_guest_they_played_against(own, new, whose):
    with pytest.raises(Refused, match=f"Ann has played against a {whose}"):
        page(own, names.renamed, "Ann", new)


def test_a_computers_name_is_free_for_players_who_never_met_it(own):
    began, answers, finished = played(22)
    assert list(began.players) == ["Bo", "Ann"]
    write(own, replace(began, players=["Bo", "Zed"]), *answers, finished)
    assert page(own, names.renamed, "Zed", "Dot") == Renamed("Zed", "Dot")


def test_a_player_is_not_merged_into_the_name_of_a_computer_they_played_against(own):
    began, answers, finished = played(22)
    write(own, replace(began, players=["Bo", "Dot"]), *answers, finished)
    with pytest.raises(Refused, match="Ann has played against a computer called Dot"):
        page(own, names.merged, "Ann", "Dot")


def test_players_who_have_met_cannot_be_merged(own):
    with pytest.raises(Refused, match="against each other"):
        page(own, names.merged, "Ann", "Bo")


def test_players_who_never_met_can_be_merged(own):
    began, answers, finished = played(20)
    there = ["Annie" if name == "Ann" else name for name in began.players]
    assert "Annie" in there
    write(own, replace(began, players=there), *answers, finished)
    before = page(own, read.player, "Ann")
    names.change(own, [page(own, names.merged, "Annie", "Ann")])
    after = page(own, read.player, "Ann")
    assert sum(after.played.values()) == sum(before.played.values()) + 1
    assert "Annie" not in {player.name for player in page(own, read.players)}
    met = {rival.name: rival.played for rival in after.rivals}
    assert sum(met.values()) > sum(rival.played for rival in before.rivals)
    for name, count in met.items():  # their rivals, too, have met one person, not two
        others = {rival.name: rival.played for rival in page(own, read.player, name).rivals}
        assert others["Ann"] == count and "Annie" not in others


ROOM = {"code": "ABCD", "name": "Den", "match": "", "held": {}}


def people(*called: str) -> list[dict[str, str]]:
    return [{"id": f"p{number}", "key": "0", "name": name} for number, name in enumerate(called)]


@pytest.mark.parametrize("change", [Renamed("Ann", "Zoë"), Forgotten("Ann")], ids=["renamed", "forgotten"])
def test_changing_a_name_updates_joined_phones_unless_their_table_is_running(own, change):
    """Otherwise the old name would come back with the next game."""
    room, rooms = ROOM | {"people": people("Ann", "Bo")}, [ROOM | {"people": people("Cleo", "Ann")}]
    write(own, Setting("room", room), Setting("rooms", rooms))
    with Lock(own), pytest.raises(Refused, match="has joined the running table"):
        names.change(own, [change])
    names.change(own, [change])
    kept = files.settings(own)
    found = [[person["name"] for person in one["people"]] for one in (kept["room"], *kept["rooms"])]
    assert found == ([["Zoë", "Bo"], ["Cleo", "Zoë"]] if isinstance(change, Renamed) else [["Bo"], ["Cleo"]])
    assert {key: kept["room"][key] for key in ROOM} == ROOM
    assert all(b"Ann" not in file.read_bytes() for file in own.glob("*.db"))


@pytest.mark.parametrize("rooms", [None, 7, {}, {"people": 3}, [{"people": [{"id": "p1"}]}], [[]]])
def test_a_room_stored_by_another_version_does_not_prevent_a_rename(own, rooms):
    write(own, Setting("room", rooms), Setting("rooms", rooms))
    names.change(own, [Renamed("Ann", "Zoë")])
    kept = files.settings(own)
    assert kept["room"] == kept["rooms"] == rooms and "Zoë" in {one.name for one in page(own, read.players)}


def test_players_who_meet_before_their_merge_is_confirmed_are_not_merged(own):
    began, answers, finished = played(20)
    there = ["Annie" if name == "Ann" else "Ann" if name == "Cleo" else name for name in began.players]
    assert {"Annie", "Ann"} <= set(there)
    merge = Renamed("Annie", "Ann")
    write(own, replace(began, players=there), *answers, finished)
    with pytest.raises(Refused, match="played in the same game"):
        names.change(own, [merge])
    assert {"Annie", "Ann"} <= {player.name for player in page(own, read.players)}


def test_a_forgotten_player_has_no_name_on_another_table_either(own, other):
    names.change(own, [Forgotten("Ann")])
    number = next(line.number for line in page(own, read.games).games if not line.seats[0].name)
    names.change(other, games.taken_in(json.loads(json.dumps(games.exported(page(own, read.game, number))))))
    assert page(other, read.game, 2).line.seats == page(own, read.game, number).line.seats


def test_a_forgotten_players_games_stay_without_the_name(own):
    before, dice = page(own, read.games), page(own, read.dice)
    names.change(own, [page(own, names.forgotten, "Ann")])
    after = page(own, read.games)
    assert [line.number for line in after.games] == [line.number for line in before.games]
    for old, new in zip(before.games, after.games, strict=True):
        assert [seat.name for seat in new.seats] == ["" if seat.name == "Ann" else seat.name for seat in old.seats]
        games.steps(games.played(page(own, read.game, new.number)))  # the games can still be replayed
    assert "Ann" not in page(own, read.dice).players
    assert page(own, read.dice).sources == dice.sources
    assert "Ann" not in {player.name for player in page(own, read.players)}
    assert all(b"Ann" not in file.read_bytes() for file in own.glob("*.db"))


def test_if_one_change_is_refused_none_is_made(own):
    with pytest.raises(Refused):
        names.change(own, [Forgotten("Ann"), Left("nobody", 1.0)])
    assert "Ann" in {player.name for player in page(own, read.players)}


def test_a_page_is_a_snapshot_even_if_a_game_finishes_while_it_is_read(own):
    with read.opened(own) as connection:
        before = read.games(connection)
        write(own, *past_games.game("later", 30))
        assert read.games(connection) == before
    assert page(own, read.games).total == before.total + 1


# The thread that reads


def test_a_page_is_delivered_with_the_ticket_of_its_request(folder):
    posted: SimpleQueue[Any] = SimpleQueue()
    reader = Reader(folder, posted.put)
    tickets = [reader.ask(board), reader.ask(partial(read.player, name="Ann"))]
    found = [posted.get(timeout=30) for _ in tickets]
    reader.close()
    assert [message.ticket for message in found] == tickets
    assert found[1].page == page(folder, read.player, "Ann")


@pytest.mark.parametrize("there", ["nothing", "rubbish", "torn"])
def test_an_unreadable_page_is_reported_and_the_next_one_is_still_read(tmp_path, own, there):
    whole = own / "table.db"
    if there == "nothing":
        whole.unlink()
    elif there == "rubbish":
        whole.write_bytes(b"not a table at all" * 100)
    else:
        content = bytearray(whole.read_bytes())
        content[4096:] = random.Random(1).randbytes(len(content) - 4096)
        whole.write_bytes(content)
    posted: SimpleQueue[Any] = SimpleQueue()
    reader = Reader(own, posted.put)
    for _ in range(2):
        reader.ask(partial(read.games, most=100))
        message = posted.get(timeout=30)
        assert isinstance(message, Found) and message.page is None and message.why.endswith(".")
    reader.close()


TABLE = """
    import queue, sys
    from functools import partial
    from pathlib import Path
    from table.storage.journal.writer import Journal
    from table.session.messages import Committed, Found, Opened
    from table.storage.records import read
    from table.storage.records.reader import Reader
    from tests import past_games
    folder, posted = Path(sys.argv[1]), queue.SimpleQueue()
    journal, reader = Journal(folder, posted.put), Reader(folder, posted.put)
    entries = past_games.game("on", 33)

    def wait(kind):
        while not isinstance(message := posted.get(timeout=60), kind):
            pass
        return message

    journal.start()
    wait(Opened)
    for line in sys.stdin:
        if line == "look\\n":
            reader.ask(partial(read.games, most=5))
            assert wait(Found).page is not None
        else:
            journal.keep(next(entries))
            wait(Committed)
        print("done", flush=True)
"""


def test_answers_are_stored_after_reading_the_records_and_a_change_by_another_program(own):
    """If the table closed another descriptor of the file, SQLite would lose its POSIX locks, and then its log."""
    with child(TABLE, own, stdin=subprocess.PIPE) as process:
        assert process.stdin and process.stdout

        def do(what: str) -> None:
            process.stdin.write(f"{what}\n")
            process.stdin.flush()
            assert process.stdout.readline() == "done\n"

        for what in ("keep", "keep", "look"):
            do(what)
        names.change(own, [Renamed("Cleo", "Zoë")])
        for what in ("keep", "look", "keep", "keep"):
            do(what)
        process.kill()
    with closing(files.reading(own / "table.db")) as connection:
        (unfinished,) = store.records(connection).unfinished
    assert len(unfinished.saved["answers"]) == 4


# Backups


def test_a_backup_restored_elsewhere_is_the_same(own, tmp_path_factory):
    other = tmp_path_factory.mktemp("elsewhere")
    copy = other / "copy.db"
    write(own, Setting("volume", 40))
    assert backup.backup(own, copy) == copy.stat().st_size
    assert backup.restore(other / "table", copy) is None
    for question in (board, read.dice, read.games, partial(read.player, name="Bo"), partial(read.game, number=4)):
        assert page(other / "table", question) == page(own, question)
    assert files.settings(other / "table") == {"volume": 40}


def test_a_backup_overwrites_a_file_only_on_request(own, tmp_path):
    there = tmp_path / "mine"
    there.write_bytes(b"precious")
    with pytest.raises(Refused, match="already exists"):
        backup.backup(own, there)
    assert there.read_bytes() == b"precious"
    backup.backup(own, there, over=True)
    assert files.kind(there) == files.OURS


def test_restoring_keeps_the_game_in_progress_and_sets_the_old_data_aside(own, tmp_path):
    copy = tmp_path / "copy.db"
    backup.backup(own, copy)
    lines = page(own, board)
    more = [entry for number in (30, 31) for entry in past_games.game(f"later {number}", number)]
    write(own, *more)
    began, answers, finished = played(33)
    write(own, began, *answers[:4])
    before = page(own, read.games)
    aside = backup.restore(own, copy)
    assert page(own, board) == lines
    write(own, *answers[4:], finished)  # the table notices nothing and plays on to the end
    found = page(own, read.games)
    assert found.total == 11 and page(own, read.game, found.games[0].number).match == began.match
    assert aside is not None
    with closing(sqlite3.connect(aside)) as connection:
        assert read.games(connection).total == before.total == 12
    with closing(files.reading(own / "table.db")) as connection:
        assert integrity.contradiction(connection, deep=True) is None


def test_restoring_the_file_of_a_table_that_lost_power_includes_its_log(own, tmp_path):
    """Its disk may be in another machine now, for example."""
    disk = tmp_path / "disk"
    disk.mkdir()
    with closing(files.opened(own / "table.db")) as connection:
        for entry in (*past_games.game("later 30", 30), *past_games.game("later 31", 31)):
            store.write(connection, entry)
        for file in ("table.db", "table.db-wal"):
            (disk / file).write_bytes((own / file).read_bytes())
    (tmp_path / "link.db").symlink_to(disk / "table.db")
    for number, source in enumerate((disk / "table.db", tmp_path / "link.db")):
        backup.restore(tmp_path / f"new {number}", source)
        assert page(tmp_path / f"new {number}", read.games).total == 12
    assert (disk / "table.db-wal").stat().st_size
    with Lock(disk), pytest.raises(Refused, match="A running table is writing"):
        backup.restore(own, disk / "table.db")


@pytest.mark.parametrize("damage", ["truncated", "corrupt", "foreign", "missing", "folder"])
def test_an_invalid_backup_is_refused_and_nothing_changes(own, tmp_path, damage):
    copy = tmp_path / "copy.db"
    backup.backup(own, copy)
    content = bytearray(copy.read_bytes())
    if damage == "truncated":
        copy.write_bytes(content[: len(content) // 2])
    elif damage == "corrupt":
        content[5000:9000] = random.Random(2).randbytes(4000)
        copy.write_bytes(content)
    elif damage == "foreign":
        copy.write_bytes(b"PK\x03\x04" + bytes(5000))
    else:
        copy.unlink()
        if damage == "folder":
            copy.mkdir()
    before = page(own, read.games)
    with pytest.raises(Refused, match=r"backup|file"):
        backup.restore(own, copy)
    assert page(own, read.games) == before


def test_a_game_without_its_log_says_that_it_is_no_longer_kept(own):
    with closing(files.opened(own / "table.db")) as connection:
        connection.execute("UPDATE matches SET log = NULL WHERE key = 3")
    found = page(own, read.game, 3)
    assert not found.line.kept and found.line.seats
    for question in (games.played, games.exported):
        with pytest.raises(Refused, match="no longer kept"):
            question(found)


def test_a_mistaken_restore_can_be_undone(own, tmp_path):
    """This includes a game that was unfinished in the backup and has finished since."""
    began, answers, finished = played(33)
    write(own, began, *answers[:4])
    monday = tmp_path / "monday.db"
    backup.backup(own, monday)
    write(own, *answers[4:], finished)
    lines, dice = page(own, board), page(own, read.dice)
    aside = backup.restore(own, monday)
    assert page(own, read.games).total == 10
    assert aside is not None
    backup.restore(own, aside)
    assert (page(own, board), page(own, read.dice)) == (lines, dice)
    assert page(own, read.games).total == 11
    assert sum(page(own, read.player, name).played.get(began.game, 0) for name in known(began).values()) >= 2


def test_a_backup_with_the_end_of_a_game_in_progress_here_is_not_restored(own, tmp_path):
    began, answers, finished = played(33)
    write(own, began, *answers, finished)
    copy = tmp_path / "copy.db"
    backup.backup(own, copy)
    with closing(sqlite3.connect(own / "table.db")) as connection:
        connection.execute("UPDATE matches SET ended = NULL, answers = NULL WHERE id = ?", (began.match,))
        connection.commit()
    with Lock(own), pytest.raises(Refused, match="still being played here"):
        backup.restore(own, copy)


def test_repeated_restores_do_not_use_up_game_numbers(own, tmp_path):
    began, answers, _ = played(33)
    write(own, began, *answers[:4])
    copy = tmp_path / "copy.db"
    backup.backup(own, copy)
    for _ in range(6):
        backup.restore(own, copy)
    with read.opened(own) as connection:
        assert connection.execute("SELECT max(key), count(*) FROM matches").fetchone() == (12, 11)


def test_a_damaged_table_is_repaired_before_a_backup_replaces_it(own, tmp_path):
    copy = tmp_path / "copy.db"
    backup.backup(own, copy)
    content = bytearray((own / "table.db").read_bytes())
    content[8192:] = random.Random(3).randbytes(len(content) - 8192)
    (own / "table.db").write_bytes(content)
    backup.restore(own, copy)
    assert page(own, read.games).total == 10
    assert bytes(content) in {file.read_bytes() for file in own.glob("*.broken-*.db")}


def test_leftover_files_do_not_block_a_backup_or_a_restore(own, tmp_path):
    copy = tmp_path / "copy.db"
    backup.backup(own, copy)
    (own / "table.before-restore-1.db.new").write_bytes(b"half")
    (tmp_path / "other.db.new").write_bytes(b"somebody's own")
    assert backup.restore(own, copy) is not None
    backup.backup(own, tmp_path / "other.db")
    assert (tmp_path / "other.db.new").read_bytes() == b"somebody's own"
