"""The arena: wins do not depend on the number of cores, seating is fair, and verdicts are statistically significant."""

import json
import math
import multiprocessing
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections import Counter, deque
from contextlib import closing, suppress
from fractions import Fraction

import pytest

from table.analysis import arena
from table.engine.errors import Closed, Refused
from table.games import GAMES
from table.ui.terminal import figures
from tests.terminal_session import ROOT
from tests.test_cli import COMMAND, run

unix = pytest.mark.skipif(sys.platform == "win32", reason="signals to process groups need Linux or macOS")


def contest(*levels, game="mexico", games=12, seed=7, **options):
    return arena.contest(GAMES[game], levels, options, games, seed)


def last(playing):
    """The final number of wins for each player."""
    return deque(playing, maxlen=1).pop()


def test_the_wins_do_not_depend_on_the_number_of_cores():
    wanted = contest("classic", "random", "random", game="pocoloco", chips=2)
    alone = Counter(arena.winners(wanted, number) for number in range(wanted.games))
    assert last(arena.played(wanted, 1)) == last(arena.played(wanted, 3)) == alone
    assert alone.total() == wanted.games


def test_another_seed_plays_other_games():
    ones, others = contest("random", "random"), contest("random", "random", seed=8)
    assert [arena.winners(ones, number) for number in range(12)] != [
        arena.winners(others, number) for number in range(12)
    ]


@pytest.mark.parametrize("seats", [2, 3, 5, 10])
def test_every_entrant_sits_in_every_seat_equally_often(seats):
    wanted = contest(*["random"] * seats, game="bluff", games=4 * seats)
    sat = Counter(place for number in range(wanted.games) for place in enumerate(arena.seating(wanted, number)))
    assert set(sat.values()) == {4} and len(sat) == seats * seats


def test_neighbours_change_between_games():
    wanted = contest(*["random"] * 4, game="bluff")
    after = {(seats.index(0) - seats.index(1)) % 4 for seats in (arena.seating(wanted, n) for n in range(0, 200, 4))}
    assert after == {1, 2, 3}


def test_a_level_named_twice_is_counted_separately():
    assert contest("classic", "random", "classic", game="bluff").names == ["classic", "random", "classic #2"]


def test_a_shared_win_counts_as_a_fraction_for_each():
    wanted = contest("classic", "random", "classic", game="cheese")
    won = Counter({(0,): 4, (0, 2): 3, (0, 1, 2): 1, (1,): 2})
    assert {each.name: each.wins for each in arena.results(wanted, won)} == {
        "classic": Fraction(35, 6),
        "random": Fraction(7, 3),
        "classic #2": Fraction(11, 6),
    }
    assert [each.name for each in arena.results(wanted, won)] == ["classic", "random", "classic #2"]


@pytest.mark.parametrize(("wins", "games"), [(0, 5), (1, 5), (30, 60), (599, 600)])
def test_the_ends_of_the_interval_are_the_99_percent_limits(wins, games):
    share = wins / games
    for end in arena.interval(share, games):
        assert 0 <= end <= 1
        if 0 < end < 1:
            assert abs(share - end) == pytest.approx(2.5758293 * math.sqrt(end * (1 - end) / games))


def by_chance(mine: int, yours: int) -> float:
    """The exact chance that two equal players are at least this far apart."""
    games, most = mine + yours, max(mine, yours)
    return min(1.0, 2 * sum(math.comb(games, k) for k in range(most, games + 1)) / 2**games)


def test_a_verdict_is_given_only_below_a_chance_of_one_percent():
    for games in range(1, 120):
        for mine in range((games + 1) // 2, games + 1):
            certain, _ = arena.told_apart(mine, games - mine, games)
            if certain:
                assert by_chance(mine, games - mine) < 0.01
            else:
                assert by_chance(mine, games - mine) > 0.003


def test_without_a_verdict_the_number_of_games_needed_is_estimated():
    certain, needed = arena.told_apart(520, 480, 1000)
    assert not certain and needed == pytest.approx(1000 * 2.5758**2 * 1000 / 40**2, rel=0.001)
    assert arena.told_apart(round(0.52 * 1.05 * needed), round(0.48 * 1.05 * needed), round(1.05 * needed))[0]
    assert arena.told_apart(500, 500, 1000) == (False, None)
    assert arena.told_apart(501, 499, 1000) == (False, None)  # proving so small a lead would take too many games


def test_classic_beats_random_beyond_chance_but_not_itself():
    won = last(arena.played(contest("classic", "random", games=150), 1))
    assert arena.verdicts(contest("classic", "random"), won) == [("classic", "random", True, None)]
    won = last(arena.played(contest("classic", "classic", games=150), 1))
    assert not arena.verdicts(contest("classic", "classic"), won)[0].beyond_chance


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: contest("clasic", "random"), "Did you mean classic"),
        (lambda: contest("classic"), "at least two"),
        (lambda: contest("classic", game="cheese"), "at least two"),
        (lambda: contest(*["random"] * 11), "2 to 10 players, not 11"),
        (lambda: contest(*["random"] * 3, mode="challenge"), "exactly 2 players"),
        (lambda: contest("classic", "random", games=0), "from 1 to"),
        (lambda: contest("classic", "random", lives=0), "from 1 to 9"),
        (lambda: contest("classic", "random", game="bluff", cups=[0]), "real cup"),
    ],
)
def test_an_invalid_contest_is_refused_before_the_first_game(wrong, says):
    with pytest.raises(Refused, match=says):
        wrong()


def test_closing_early_ends_the_workers():
    playing = arena.played(contest("classic", "random", games=10**6), 2)
    assert 0 < next(playing).total() < 10**6
    assert len(multiprocessing.active_children()) == 2
    playing.close()
    assert multiprocessing.active_children() == []


def test_a_killed_worker_is_noticed():
    playing = arena.played(contest("classic", "random", games=10**6), 2)
    next(playing)
    multiprocessing.active_children()[0].kill()
    with pytest.raises(Closed, match="was killed"):
        last(playing)
    assert multiprocessing.active_children() == []


def test_a_game_that_fails_is_named_by_number_and_seed():
    broken = arena.Contest("mexico", ("classic", "classic"), {"lives": 99}, 3, 7)
    with pytest.raises(Closed, match="Game 1 of seed 7 cannot be played: Option lives"):
        last(arena.played(broken, 1))


def test_the_command_prints_wins_verdict_and_seed():
    done = run("arena", "mexico", "classic", "random", "--games", "200", "--seed", "3")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Mexico, 200 games, seed 3.\n")
    assert "classic beats random: that is beyond chance (99%)." in done.stdout
    assert re.search(r"\d games a second", done.stdout)


def test_the_reported_seed_repeats_the_run():
    once = json.loads(run("arena", "mexico", "random", "random", "--games", "20", "--json").stdout)
    again = run("arena", "mexico", "random", "random", "--games", "20", "--json", "--seed", str(once["seed"])).stdout
    assert json.loads(again)["entrants"] == once["entrants"]


def test_json_output_is_one_complete_object():
    arguments = ("cheese", "Classic", "random", "--games", "10", "--option", "goal=500", "--option", "last_turn=yes")
    done = run("arena", *arguments, "--json")
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    told = json.loads(done.stdout)
    assert (told["game"], told["games"], told["wanted"], told["confidence"]) == ("cheese", 10, 10, 0.99)
    assert told["options"]["goal"] == 500 and told["options"]["last_turn"] is True
    assert sum(each["wins"] for each in told["entrants"]) == pytest.approx(10)
    assert {each["level"] for each in told["entrants"]} == {"classic", "random"}
    assert all(each["low"] <= each["share"] <= each["high"] for each in told["entrants"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chess", "classic", "random"], "Did you mean cheese?"),
        (["mexico"], "LEVEL"),
        (["mexico", "classic"], "at least two"),
        (["mexico", "classic", "grand"], 'no level "grand"'),
        (["mexico", "classic", "random", "--games", "many"], "whole number"),
        (["mexico", "classic", "random", "--games", "-1"], "from 1 to"),
        (["mexico", "classic", "random", "--option", "lives"], "name=value"),
    ],
    ids=lambda case: case if isinstance(case, str) else " ".join(case),
)
def test_wrong_use_gets_one_line_and_status_2(arguments, says):
    done = run("arena", *arguments)
    assert says in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""
    assert done.returncode == 2


def test_help_has_examples_and_the_levels():
    done = run("arena", "--help")
    assert "Examples:\n  dicetable arena" in done.stdout and "random, easy, classic, sharp, perfect" in done.stdout


class Watched:
    """A run of the command, with the progress that it shows in a terminal."""

    def __init__(self, *arguments: str) -> None:
        import pty

        self._seen, theirs = pty.openpty()
        self.shown = b""
        self.process = subprocess.Popen(
            [*COMMAND, "arena", *arguments], stdout=subprocess.PIPE, stderr=theirs, cwd=ROOT, start_new_session=True
        )
        os.close(theirs)

    def _look(self, patience: float) -> bool:
        """Read more output; return False once it has ended."""
        ready, _, _ = select.select([self._seen], [], [], patience)
        assert ready, f"no progress and no end: {self.shown[-200:]!r}"
        piece = b""
        with suppress(OSError):  # a pty raises OSError when the other side is closed
            piece = os.read(self._seen, 65536)
        self.shown += piece
        return bool(piece)

    def until(self, words: bytes) -> None:
        while words not in self.shown:
            assert self._look(60)

    def interrupt(self) -> str:
        """Press Ctrl-C: send SIGINT to the whole process group, as a terminal does."""
        os.killpg(self.process.pid, signal.SIGINT)
        said = self.end()
        assert self.process.returncode == 130 and b"Traceback" not in self.shown
        return said

    def end(self) -> str:
        """Wait until the command and its workers have closed the terminal, and return the command's output."""
        end = time.monotonic() + 60
        while self._look(60):
            assert time.monotonic() < end, "the command does not end"
        return self.process.communicate(timeout=60)[0].decode()

    def close(self) -> None:
        os.close(self._seen)
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.communicate()


@unix
@pytest.mark.parametrize("json_too", [False, True], ids=["text", "json"])
def test_ctrl_c_ends_at_once_with_the_results_so_far(json_too):
    with closing(Watched("mexico", "random", "random", "--games", "1000000", *["--json"] * json_too)) as watched:
        watched.until(b" s left")
        said = watched.interrupt()
    if json_too:
        assert 0 < json.loads(said)["games"] < json.loads(said)["wanted"] == 10**6
    else:
        assert re.match(r"Mexico, \d+ games? of 1000000, stopped, seed", said)


@unix
def test_ctrl_c_works_while_the_workers_start():
    with closing(Watched("mexico", "random", "random", "--games", "1000000", "--json")) as watched:
        watched.until(b"starting")
        assert watched.interrupt() == "" or b" s left" in watched.shown


@unix
def test_a_terminal_shows_the_progress():
    with closing(Watched("mexico", "random", "random", "--games", "100")) as watched:
        assert watched.end().startswith("Mexico, 100 games")
        assert watched.process.returncode == 0
    assert b"0%  0 of 100, starting" in watched.shown and b"100%  100 of 100" in watched.shown
    assert watched.shown.endswith(b" \r")  # the progress is erased before the results


@pytest.mark.parametrize("columns", [60, 80])
def test_the_table_fits_the_window(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    wanted = contest("classic", "random", "classic", game="cheese", games=999)
    shown = figures.of_arena(wanted, Counter({(0,): 460, (0, 2): 30, (2,): 409, (1,): 100}), 3.0, 2)
    assert max(map(len, shown.splitlines())) <= columns
    assert "classic and classic #2 cannot be told apart yet." in shown.replace("\n", " ")
    assert "475  47.55%" in shown and "━" in shown


def test_an_ascii_output_gets_plain_characters():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "80"}
    command = [*COMMAND, "arena", "mexico", "random", "random", "--games", "20"]
    said = subprocess.run(command, capture_output=True, cwd=ROOT, env=environment, timeout=60).stdout
    assert said.isascii() and b"===" in said
