"""The pages of the records, read from real journals: they say what was really played, whatever happens beside them."""

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
    """Thirty games, of which nothing is changed."""
    made = tmp_path_factory.mktemp("records")
    past_games.filled(made, GAMES_KEPT)
    return made


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a table with ten games."""
    made = tmp_path_factory.mktemp("ten")
    past_games.filled(made, 10)
    return (made / "table.db").read_bytes()


@pytest.fixture
def own(tmp_path: Path, ten: bytes) -> Path:
    """Ten games, to be changed."""
    (tmp_path / "table.db").write_bytes(ten)
    return tmp_path


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of another table, with one game."""
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


def test_the_leaderboard_counts_every_finished_game_of_those_who_are_remembered(folder):
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


def test_the_leaderboard_of_a_game_counts_that_game_alone(folder):
    assert max(line.played for line in page(folder, board, "cheese")) <= GAMES_KEPT / len(GAMES)


def test_equals_share_a_place_and_who_needed_fewer_games_stands_above():
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


def test_a_players_best_moments_lead_to_the_games_they_were_in(folder):
    for best in page(folder, read.player, "Ann").moments:
        began, _, finished = played(best.number - 1)
        assert "Ann" in known(began).values() and began.game == best.game
        kinds = {event["event"] for event in finished.events}
        assert kinds & {"mexico", "scored", "called", "chips", "banked", "passed", "calza", "dudo"}


def test_nobody_of_that_name_is_a_sentence_with_the_nearest_name(folder):
    with pytest.raises(Refused, match=r'Nobody called "Cloe" has played here\. Did you mean Cleo'):
        page(folder, read.player, "Cloe")


# Games


@pytest.mark.parametrize("wanted", [{}, {"game": "bluff"}, {"player": "Bo"}, {"game": "cacho", "player": "Bo"}])
def test_portions_of_the_list_put_together_are_all_games_that_fit_the_last_one_first(folder, wanted):
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


def test_a_line_of_the_list_says_who_played_won_and_when(folder):
    began, _, finished = played(11)
    line = page(folder, read.line, 12)
    assert (line.game, line.ended, line.kept) == (began.game, finished.at, True)
    assert [(seat.name, seat.level) for seat in line.seats] == list(zip(began.players, began.levels, strict=True))
    assert [seat.won for seat in line.seats] == [at in finished.winners for at in range(len(line.seats))]
    assert [seat.standing for seat in line.seats] == list(finished.standing)


@pytest.mark.parametrize("number", range(1, 11))
def test_a_game_is_played_again_step_by_step_with_every_hand_open(folder, number):
    found = page(folder, read.game, number)
    game = games.played(found)
    steps = games.steps(game)
    assert isinstance(game.ask, Over) and game.ask.winners == played(number - 1)[2].winners
    assert len([step for step in steps if step.ask is not None]) == len(game.history)
    for before, after in pairwise(steps):
        assert before.after == after.before
    assert not any(None in hand for step in steps for hand in step.after["dice"])
    assert all(event.visible_to(None) for step in steps for event in step.events)


def test_hands_stay_closed_in_a_game_that_goes_on():
    with pytest.raises(Refused, match="not over"):
        games.steps(new_game("cacho", ["Ann", "Bo"], {}, 1))


def test_a_game_that_there_is_not_or_that_goes_on_is_refused_with_a_sentence(own):
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
    with pytest.raises(Refused, match="does not fit"):  # it is there already
        names.change(other, games.taken_in(exported))


def test_a_saved_game_without_a_word_about_it_is_the_same_match_however_often_it_comes():
    first, again = (games.taken_in(_over())[0] for _ in range(2))
    assert isinstance(first, Began) and isinstance(again, Began) and first.match == again.match
    assert list(first.levels) == [None, None]


@cache
def _over() -> dict[str, Any]:
    """A game that is over, as it is saved."""
    game = new_game("mexico", ["Ann", "Bo"], {}, 3)
    while not isinstance(game.ask, Over):
        game.answer(game.ask.options[0] if hasattr(game.ask, "options") else game.drawn())
    return game.save()


def test_a_game_that_is_not_over_is_not_taken_in():
    with pytest.raises(Refused, match="not over"):
        games.taken_in(new_game("mexico", ["Ann", "Bo"], {}, 1).save())


rubbish = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*games.ABOUT]), inner, max_size=6),
    max_leaves=8,
)


@given(rubbish, st.sampled_from([*games.ABOUT]))
def test_rubbish_about_a_game_is_refused_with_a_sentence(value, key):
    saved = _over()
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
def test_what_no_table_writes_about_a_game_is_not_taken_in(key, words, says):
    saved = _over()
    about = {"match": "m", "began": 1.0, "ended": 2.0, "levels": [None, None], "guests": [], "sources": []}
    about["sources"] = ["typed"] * len(saved["answers"])
    assert games.taken_in(referee.with_about(saved, about))
    about[key] = [*words, *about[key][len(words) :]] if isinstance(words, list) else words
    with pytest.raises(Refused, match=says):
        games.taken_in(referee.with_about(saved, about))


@pytest.mark.parametrize("source", games.GIVEN_BY)
def test_every_word_for_where_an_answer_came_from_is_taken_in(source):
    saved = _over()
    about = {"match": "m", "began": 1.0, "ended": 2.0, "levels": [None, "easy"], "guests": [], "sources": []}
    about["sources"] = [source] * len(saved["answers"])
    assert {entry.source for entry in games.taken_in(referee.with_about(saved, about))[1:-1]} == {source}


@pytest.mark.parametrize("language", languages())
def test_a_level_that_this_version_does_not_know_is_shown_as_it_is(language):
    seat = SeatLine("Computer", "grandmaster", False, True, 3)
    assert "grandmaster" in words.who(seat, 0, Catalogue(language))


# Dice


def test_faces_by_source_and_by_player_are_all_dice_that_were_thrown(folder):
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


def test_every_group_that_is_shown_takes_its_share_of_the_allowance(folder):
    found = page(folder, read.dice)
    assert len(verdicts(found)) == 4 + 3
    loaded = replace(found, sources={"typed": (10, 10, 10, 10, 10, 60)}, players={})
    alone = verdicts(loaded)["source", "typed"].one_in
    many = verdicts(replace(loaded, players={str(n): (1,) * 6 for n in range(12)}))["source", "typed"].one_in
    assert alone == pytest.approx(many * 16 / 4)


# In words


@pytest.mark.parametrize("language", languages())
def test_a_streak_names_the_most_that_were_won_unless_nothing_ever_was(folder, language):
    say, found = Catalogue(language), page(folder, read.player, "Ann")
    lost = say("records.streak_lost", count=9)
    assert words.streak(replace(found, streak=-9, longest=0), say) == lost
    told = words.streak(replace(found, streak=-9, longest=1), say)
    assert (
        told.startswith(lost)
        and {"en": "longest winning streak: 1", "es": "mejor racha de victorias: 1"}[language] in told
    )


def test_one_day_is_said_once_and_two_in_their_order(folder):
    say, found = Catalogue(), page(folder, read.player, "Ann")
    early = past_games.FIRST
    assert words.days(replace(found, first=early, last=early + 60), say) == words.day(early, say)
    late = early + 5 * past_games.EVENING
    two = f"{words.day(early, say)} to {words.day(late, say)}"
    assert words.days(replace(found, first=early, last=late), say) == two
    assert words.days(replace(found, first=None, last=None), say) == ""


def test_a_game_of_long_ago_that_is_taken_in_is_the_first_and_not_the_last(own):
    before = page(own, read.player, "Ann")
    began, answers, finished = played(20)
    long_ago = began.at - 1000 * past_games.EVENING
    names.change(own, [replace(began, at=long_ago), *answers, replace(finished, at=long_ago + 60)])
    after = page(own, read.player, "Ann")
    assert "Ann" in began.players and (after.first, after.last) == (long_ago + 60, before.last)
    names.change(own, [Renamed("Ann", "Anna")])
    assert (page(own, read.player, "Anna").first, page(own, read.player, "Anna").last) == (after.first, after.last)


@pytest.mark.parametrize(("won", "lost", "told"), [(1, 0, True), (0, 0, True), (3, 1, False), (2, 2, False)])
def test_games_that_neither_of_two_rivals_won_are_somebody_elses(won, lost, told):
    assert words.others_won(Rival("Bo", 4, won, lost)) is told


# Names


def test_a_new_name_must_be_free_and_the_old_one_known(own):
    assert page(own, names.renamed, "Ann", "  Zoë ") == Renamed("Ann", "Zoë")
    for old, new, why in (("Ann", "Bo", "is a player too"), ("Zed", "Una", "Nobody called"), ("Ann", " ", "letter")):
        with pytest.raises(Refused, match=why):
            page(own, names.renamed, old, new)


def test_a_new_name_is_free_only_if_nobody_has_it_in_other_capitals_but_its_owner(own):
    with pytest.raises(Refused, match="Bo is a player too"):
        page(own, names.renamed, "Ann", "BO")
    with pytest.raises(Refused, match="Ann is the name already"):
        page(own, names.renamed, "Ann", "Ann")
    assert page(own, names.renamed, "Ann", "ANN") == Renamed("Ann", "ANN")


@pytest.mark.parametrize(("new", "whose"), [("dot", "computer called Dot"), ("VISITOR", "guest called Visitor")])
def test_a_new_name_is_that_of_no_computer_or_guest_in_one_of_their_games(own, new, whose):
    with pytest.raises(Refused, match=f"Ann has played against a {whose}"):
        page(own, names.renamed, "Ann", new)


def test_the_name_of_a_computer_is_free_for_whoever_never_met_it(own):
    began, answers, finished = played(22)
    assert list(began.players) == ["Bo", "Ann"]
    write(own, replace(began, players=["Bo", "Zed"]), *answers, finished)
    assert page(own, names.renamed, "Zed", "Dot") == Renamed("Zed", "Dot")


def test_nobody_is_merged_into_the_name_of_a_computer_whom_they_met(own):
    began, answers, finished = played(22)
    write(own, replace(began, players=["Bo", "Dot"]), *answers, finished)
    with pytest.raises(Refused, match="Ann has played against a computer called Dot"):
        page(own, names.merged, "Ann", "Dot")


def test_two_who_have_met_are_two_people(own):
    with pytest.raises(Refused, match="against each other"):
        page(own, names.merged, "Ann", "Bo")


def test_two_who_never_met_can_be_one(own):
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
    for name, count in met.items():  # and the others have met one person
        others = {rival.name: rival.played for rival in page(own, read.player, name).rivals}
        assert others["Ann"] == count and "Annie" not in others


ROOM = {"code": "ABCD", "name": "Den", "match": "", "held": {}}


def people(*called: str) -> list[dict[str, str]]:
    return [{"id": f"p{number}", "key": "0", "name": name} for number, name in enumerate(called)]


@pytest.mark.parametrize("change", [Renamed("Ann", "Zoë"), Forgotten("Ann")], ids=["renamed", "forgotten"])
def test_who_has_joined_with_a_phone_is_called_anew_there_too_and_not_beside_a_table_that_runs(own, change):
    """Else the old name would come back with the next game."""
    room, rooms = ROOM | {"people": people("Ann", "Bo")}, [ROOM | {"people": people("Cleo", "Ann")}]
    write(own, Setting("room", room), Setting("rooms", rooms))
    with Lock(own), pytest.raises(Refused, match="has joined the table that is running"):
        names.change(own, [change])
    names.change(own, [change])
    kept = files.settings(own)
    found = [[person["name"] for person in one["people"]] for one in (kept["room"], *kept["rooms"])]
    assert found == ([["Zoë", "Bo"], ["Cleo", "Zoë"]] if isinstance(change, Renamed) else [["Bo"], ["Cleo"]])
    assert {key: kept["room"][key] for key in ROOM} == ROOM
    assert all(b"Ann" not in file.read_bytes() for file in own.glob("*.db"))


@pytest.mark.parametrize("rooms", [None, 7, {}, {"people": 3}, [{"people": [{"id": "p1"}]}], [[]]])
def test_a_room_that_another_version_has_kept_keeps_nobody_from_being_called_anew(own, rooms):
    write(own, Setting("room", rooms), Setting("rooms", rooms))
    names.change(own, [Renamed("Ann", "Zoë")])
    kept = files.settings(own)
    assert kept["room"] == kept["rooms"] == rooms and "Zoë" in {one.name for one in page(own, read.players)}


def test_two_who_meet_while_somebody_thinks_about_it_are_not_made_one(own):
    began, answers, finished = played(20)
    there = ["Annie" if name == "Ann" else "Ann" if name == "Cleo" else name for name in began.players]
    assert {"Annie", "Ann"} <= set(there)
    thinking = Renamed("Annie", "Ann")
    write(own, replace(began, players=there), *answers, finished)
    with pytest.raises(Refused, match="have met"):
        names.change(own, [thinking])
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
        games.steps(games.played(page(own, read.game, new.number)))  # and they can be played again
    assert "Ann" not in page(own, read.dice).players
    assert page(own, read.dice).sources == dice.sources
    assert "Ann" not in {player.name for player in page(own, read.players)}
    assert all(b"Ann" not in file.read_bytes() for file in own.glob("*.db"))


def test_changes_that_do_not_fit_together_change_nothing(own):
    with pytest.raises(Refused):
        names.change(own, [Forgotten("Ann"), Left("nobody", 1.0)])
    assert "Ann" in {player.name for player in page(own, read.players)}


def test_a_page_is_of_one_moment_whatever_is_finished_while_it_is_read(own):
    with read.opened(own) as connection:
        before = read.games(connection)
        write(own, *past_games.game("later", 30))
        assert read.games(connection) == before
    assert page(own, read.games).total == before.total + 1


# The thread that reads


def test_a_page_that_is_asked_for_comes_with_its_ticket(folder):
    posted: SimpleQueue[Any] = SimpleQueue()
    reader = Reader(folder, posted.put)
    tickets = [reader.ask(board), reader.ask(partial(read.player, name="Ann"))]
    found = [posted.get(timeout=30) for _ in tickets]
    reader.close()
    assert [message.ticket for message in found] == tickets
    assert found[1].page == page(folder, read.player, "Ann")


@pytest.mark.parametrize("there", ["nothing", "rubbish", "torn"])
def test_a_page_that_cannot_be_read_is_a_sentence_and_the_next_one_comes(tmp_path, own, there):
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


def test_answers_are_kept_after_somebody_looked_at_the_records_and_another_program_changed_them(own):
    """What a process opens and closes besides SQLite takes SQLite's locks away, and then its log."""
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


def test_a_backup_never_takes_the_place_of_a_file_unless_that_is_wished(own, tmp_path):
    there = tmp_path / "mine"
    there.write_bytes(b"precious")
    with pytest.raises(Refused, match="exists already"):
        backup.backup(own, there)
    assert there.read_bytes() == b"precious"
    backup.backup(own, there, over=True)
    assert files.kind(there) == files.OURS


def test_a_restored_backup_keeps_the_game_that_is_being_played_and_sets_aside_what_was_there(own, tmp_path):
    copy = tmp_path / "copy.db"
    backup.backup(own, copy)
    lines = page(own, board)
    shelves_more = [entry for number in (30, 31) for entry in past_games.game(f"later {number}", number)]
    write(own, *shelves_more)
    began, answers, finished = played(33)
    write(own, began, *answers[:4])
    before = page(own, read.games)
    aside = backup.restore(own, copy)
    assert page(own, board) == lines
    write(own, *answers[4:], finished)  # the table has noticed nothing, and plays to the end
    found = page(own, read.games)
    assert found.total == 11 and page(own, read.game, found.games[0].number).match == began.match
    assert aside is not None
    with closing(sqlite3.connect(aside)) as connection:
        assert read.games(connection).total == before.total == 12
    with closing(files.reading(own / "table.db")) as connection:
        assert integrity.contradiction(connection, deep=True) is None


def test_the_file_of_a_table_that_lost_power_is_restored_with_all_that_was_in_its_log(own, tmp_path):
    """From its disk in another machine, say."""
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
    with Lock(disk), pytest.raises(Refused, match="A table is writing"):
        backup.restore(own, disk / "table.db")


@pytest.mark.parametrize("damage", ["cut", "rotten", "foreign", "missing", "folder"])
def test_what_is_no_whole_backup_is_refused_and_nothing_changes(own, tmp_path, damage):
    copy = tmp_path / "copy.db"
    backup.backup(own, copy)
    content = bytearray(copy.read_bytes())
    if damage == "cut":
        copy.write_bytes(content[: len(content) // 2])
    elif damage == "rotten":
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


def test_a_game_of_which_only_the_result_is_left_says_so(own):
    with closing(files.opened(own / "table.db")) as connection:
        connection.execute("UPDATE matches SET log = NULL WHERE key = 3")
    found = page(own, read.game, 3)
    assert not found.line.kept and found.line.seats
    for question in (games.played, games.exported):
        with pytest.raises(Refused, match="no longer kept"):
            question(found)


def test_a_mistaken_restore_can_be_taken_back(own, tmp_path):
    """Also of a game that was going on when the backup was made, and is over since."""
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


def test_a_game_that_is_over_in_a_backup_and_goes_on_at_a_table_that_runs_is_not_restored(own, tmp_path):
    began, answers, finished = played(33)
    write(own, began, *answers, finished)
    copy = tmp_path / "copy.db"
    backup.backup(own, copy)
    with closing(sqlite3.connect(own / "table.db")) as connection:
        connection.execute("UPDATE matches SET ended = NULL, answers = NULL WHERE id = ?", (began.match,))
        connection.commit()
    with Lock(own), pytest.raises(Refused, match="still going on here"):
        backup.restore(own, copy)


def test_numbers_of_games_do_not_run_away_however_often_something_is_restored(own, tmp_path):
    began, answers, _ = played(33)
    write(own, began, *answers[:4])
    copy = tmp_path / "copy.db"
    backup.backup(own, copy)
    for _ in range(6):
        backup.restore(own, copy)
    with read.opened(own) as connection:
        assert connection.execute("SELECT max(key), count(*) FROM matches").fetchone() == (12, 11)


def test_a_damaged_table_is_mended_before_a_backup_takes_its_place(own, tmp_path):
    copy = tmp_path / "copy.db"
    backup.backup(own, copy)
    content = bytearray((own / "table.db").read_bytes())
    content[8192:] = random.Random(3).randbytes(len(content) - 8192)
    (own / "table.db").write_bytes(content)
    backup.restore(own, copy)
    assert page(own, read.games).total == 10
    assert bytes(content) in {file.read_bytes() for file in own.glob("*.broken-*.db")}


def test_what_a_killed_restore_left_behind_is_in_nobodys_way(own, tmp_path):
    copy = tmp_path / "copy.db"
    backup.backup(own, copy)
    (own / "table.before-restore-1.db.new").write_bytes(b"half")
    (tmp_path / "other.db.new").write_bytes(b"somebody's own")
    assert backup.restore(own, copy) is not None
    backup.backup(own, tmp_path / "other.db")
    assert (tmp_path / "other.db.new").read_bytes() == b"somebody's own"
