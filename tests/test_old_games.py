"""Data from an older dicetable still works: saved games, and a journal with finished and unfinished games.

The older version wrote the fixtures with tests/old_games.py. Every game then had version 1 of its rules.
"""

import queue
import shutil
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from table import games
from table.analysis import luck
from table.engine import referee
from table.engine.asks import Over
from table.engine.errors import Refused
from table.session.match import resumed
from table.session.messages import Committed, Opened
from table.storage.journal.entries import Answered, finished
from table.storage.journal.writer import Journal
from table.storage.records import read
from table.storage.records.games import played, steps
from table.storage.records.pages import SOURCES
from table.text.catalogue import Catalogue
from table.text.narration import transcript
from table.text.records.words import who
from table.ui.phone import records
from table.ui.phone.replayed import Asked
from tests import old_games
from tests.blocks import rows_of, texts_of
from tests.playing import at_random

PATIENCE = 60.0  # seconds; only a failing test waits this long
SAY = Catalogue()


def play_on(game):
    """Plays to the end with random answers; yields each ask and answer as JSON."""
    chance = Random(1)
    while not isinstance(game.ask, Over):
        ask, answer = game.ask, at_random(game, chance)
        game.answer(answer)
        yield referee.outline(ask), referee.to_json(ask, answer)


LOST_EARLIER = {f"mexico win, out of lives, {point}" for point in ("middle", "late", "over")}
"""Under version 2 of the rules, these games end earlier, when the challenger has lost all lives."""
NOT_OVER = "mexico win, lives left, over"
"""Under version 2 of the rules, this game is not over yet."""


@pytest.mark.parametrize("name", sorted(old_games.saved().keys() - LOST_EARLIER))
def test_a_saved_game_loads_and_can_be_played_to_its_end(name):
    saved = old_games.saved()[name]
    game = games.load(saved)
    assert (game.save()["asks"], game.save()["answers"]) == (saved["asks"], saved["answers"])
    assert isinstance(game.ask, Over) == (name.endswith(", over") and name != NOT_OVER)
    list(play_on(game))


@pytest.mark.parametrize("name", sorted(LOST_EARLIER))
def test_a_saved_game_that_would_have_ended_earlier_is_refused_with_the_reason(name):
    with pytest.raises(Refused, match="saved with version 1 of the Mexico rules and cannot be resumed with version 2"):
        games.load(old_games.saved()[name])


class Keeper:
    """An open journal that waits until each entry is committed."""

    def __init__(self, folder):
        self._posted = queue.SimpleQueue()
        self._journal = Journal(folder, self._posted.put)
        self._journal.start()
        self.unfinished = self._wait(Opened).records.unfinished

    def _wait(self, kind):
        while not isinstance(message := self._posted.get(timeout=PATIENCE), kind):
            pass
        return message

    def keep(self, *entries):
        """Fails with a timeout if an entry is refused."""
        tickets = {self._journal.keep(entry) for entry in entries}
        while tickets:
            tickets.discard(self._wait(Committed).ticket)

    def close(self):
        assert self._journal.close(PATIENCE)


@contextmanager
def journal_in(folder):
    keeper = Keeper(folder)
    try:
        yield keeper
    finally:
        keeper.close()


@pytest.fixture
def folder(tmp_path) -> Path:
    """A copy of the old journal, because opening it may upgrade it."""
    return Path(shutil.copytree(old_games.RULES1 / "journal", tmp_path / "journal"))


def test_every_unfinished_game_can_be_resumed_and_finished(folder):
    with journal_in(folder) as journal:
        assert len(journal.unfinished) == len(old_games.SETUPS)
        for unfinished in journal.unfinished:
            if unfinished.match in LOST_EARLIER:
                continue
            match = resumed(unfinished.saved, unfinished.levels, unfinished.guests, unfinished.match)
            first = len(match.referee.history)
            journal.keep(
                *(
                    Answered(match.id, first + number, asked, answer, "simulated")
                    for number, (asked, answer) in enumerate(play_on(match.referee))
                ),
                finished(match.id, match.referee, unfinished.at + 60),
            )
    with read.opened(folder) as connection:
        assert read.games(connection).total == 2 * len(old_games.SETUPS) - 1
    with journal_in(folder) as journal:
        assert [unfinished.match for unfinished in journal.unfinished] == ["mexico win, out of lives, middle"]


def test_an_unfinished_game_that_is_over_under_the_current_rules_is_finished(folder):
    name = "mexico win, out of lives, middle"
    with closing(sqlite3.connect(folder / "table.db")) as connection:
        saved = old_games.saved()[name]
        (number,) = (n for n in range(len(saved["answers"])) if ends_after(saved, n))
        connection.execute(
            "DELETE FROM answers WHERE match = (SELECT key FROM matches WHERE id = ?) AND number >= ?", (name, number)
        )
        connection.execute("UPDATE matches SET looked_at = ? WHERE id = ?", (number, name))
        connection.commit()
    with journal_in(folder) as journal:
        assert name not in {unfinished.match for unfinished in journal.unfinished}
    with read.opened(folder) as connection:
        page = read.game(connection, read.number_of(connection, name))
    assert [seat.won for seat in page.line.seats] == [False, True]


def ends_after(saved, answers):
    """Whether the saved game ends with exactly this number of answers under the current rules."""
    game = games.new(saved["game"], saved["players"], saved["options"], saved["seed"])
    for answer in saved["answers"][:answers]:
        if isinstance(game.ask, Over):
            return False
        game.answer(referee.from_json(game.ask, answer))
    return isinstance(game.ask, Over)


@pytest.mark.parametrize("number", range(1, len(old_games.SETUPS) + 1))
def test_a_finished_games_page_opens_and_can_replay_it(folder, number):
    with journal_in(folder):
        pass
    with read.opened(folder) as connection:
        page = read.game(connection, number)
        on_a_phone = records.question(Asked("game", "", number, 0), SAY)(connection)
    assert texts_of(on_a_phone)[0] and len(rows_of(on_a_phone)) == len(page.line.seats)
    *told, end = transcript.chapters(page, SAY)
    assert len(told) > 1 and end
    if page.match in {*LOST_EARLIER, NOT_OVER}:
        assert SAY("refused.game_gone") in texts_of(on_a_phone)
        with pytest.raises(Refused, match=r"under version 2|with version 2"):
            played(page)
        return
    game = played(page)
    assert len(steps(game)) >= len(game.history)
    assert page.places == game.ask.places, "the recorded events and the current rules agree"
    assert list(page.order) == [seat for place in page.places for seat in place]
    assert [row["label"] for row in rows_of(on_a_phone)] == [who(page.line.seats[at], at, SAY) for at in page.order]
    assert [line.partition(":")[0] for line in end.lines] == [game.players[seat] for seat in page.order]
    assert luck.luck(game)


def test_a_game_without_its_log_lists_its_players_in_seat_order(folder):
    with journal_in(folder):
        pass
    with closing(sqlite3.connect(folder / "table.db")) as connection:
        connection.execute("UPDATE matches SET log = NULL")
        connection.commit()
    with read.opened(folder) as connection:
        page = read.game(connection, [setup.name for setup in old_games.SETUPS].index("elimination") + 1)
    assert page.places == () and list(page.order) == list(range(5))


def test_all_other_pages_of_the_records_open(folder):
    with journal_in(folder):
        pass
    with read.opened(folder) as connection:
        assert {player.name for player in read.players(connection)} == {"Ann", "Bo", "Cleo"}
        assert read.player(connection, "Ann").played == {
            "mexico": 7,
            "bluff": 3,
            "pocoloco": 1,
            "cheese": 2,
            "cacho": 3,
        }
        assert [line.number for line in read.games(connection).games] == list(range(len(old_games.SETUPS), 0, -1))
        assert set(read.dice(connection).sources) == {"camera", "simulated"} <= set(SOURCES)
        for page in ("board", "players", "player", "games", "dice"):
            assert records.question(Asked(page, "Ann" if page == "player" else "", 0, 0), SAY)(connection)
