"""Tables of figures in a terminal: the chances behind a game, and how the computers in an arena did.

Its one rule: a column is as wide as what stands in it, and the bars take what the window leaves.
"""

import io
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NamedTuple

from table.analysis import arena
from table.games import GAMES
from table.ui.terminal.draw import padded, width_of
from table.ui.terminal.screen import Screen
from table.ui.terminal.setup import note_estimates
from table.ui.terminal.words import many, mexico_words, pocoloco_words

WIDEST_BAR, NARROWEST_BAR = 30, 6
GAP = "  "
BEAT = 0.5  # seconds between two looks at the clock

Bar = tuple[float, float]
"""How far it goes, of 1: surely, and perhaps."""


def percent(share: Fraction | float) -> str:
    """With two digits after the point, but never 0 for what can happen nor 100 for what need not."""
    if share in (0, 1):
        return "100%" if share else "0%"
    if 0 < share < 0.00005:
        return "<0.01%"
    if 0.99995 < share < 1:
        return ">99.99%"
    return f"{100 * float(share):.2f}%"


def table(screen: Screen, heads: Sequence[str], rows: Sequence[Sequence[str]], bars: Sequence[Bar]) -> None:
    """The first column is what a line is about; the others are figures, and stand to the right."""
    widths = [max(map(width_of, column)) for column in zip(heads, *rows, strict=True)]
    room = min(WIDEST_BAR, screen.width - sum(widths) - len(GAP) * len(widths))

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        return GAP.join([padded(*first), *(" " * (width - width_of(cell)) + cell for cell, width in others)])

    screen.line(line(heads).rstrip(), "bold")
    for cells, (surely, perhaps) in zip(rows, bars, strict=True):
        drawn = ""
        if room >= NARROWEST_BAR:
            solid, whole = round(room * surely), round(room * perhaps)
            drawn = screen.paint("━" * solid, "name") + screen.paint("─" * (whole - solid), "dim")
        screen.line((line(cells) + GAP + drawn).rstrip())


class Page(io.StringIO):
    """What is shown, as the output can show it. It is written as a whole, so that nobody who reads only the head of it
    is told that a terminal was closed."""

    encoding = property(lambda _: sys.stdout.encoding)

    def isatty(self) -> bool:
        return sys.stdout.isatty()

    @property
    def text(self) -> str:
        return self.getvalue().rstrip("\n")


class Column(NamedTuple):
    head: str
    key: str
    show: Callable[[Any], str] = percent


class Sheet(NamedTuple):
    """How a table of chances is shown. `bars` is the key of those that are drawn."""

    title: str
    columns: tuple[Column, ...]
    bars: str


def _hand(dice: Sequence[int]) -> str:
    return f"{'-'.join(map(str, dice))}, {pocoloco_words(dice)}"


def _average(points: Fraction) -> str:
    return f"{float(points):.1f}"


KINDS = {"poco": "PoCo (4-5-6)", "three": "three of a kind", "loco": "Loco (1-2-3)", "points": "points"}
TURN = (Column("1 roll", "in_1"), Column("2 rolls", "in_2"), Column("3 rolls", "in_3"))
HOLDS = (Column("holds", "at_least"), Column("exact", "exactly"))
SHEETS = {
    "mexico rolls": Sheet(
        "How often two dice make each roll, and one at least as good:",
        (
            Column("roll", "roll", mexico_words),
            Column("of 36", "ways", str),
            Column("chance", "chance"),
            Column("or better", "at_least"),
        ),
        "at_least",
    ),
    "mexico beaten": Sheet(
        "How often each score is beaten in a turn of so many rolls:",
        (Column("score", "score", mexico_words), *TURN),
        "in_3",
    ),
    "bluff claims": Sheet(
        "How often two dice that nobody has seen make the sum that is claimed, and that or more (1 is never true):",
        (
            Column("claim", "claim", str),
            Column("of 36", "ways", str),
            Column("true", "true"),
            Column("or more", "at_least"),
        ),
        "true",
    ),
    "pocoloco kinds": Sheet(
        "How often three dice make each kind of hand, and one at least as good:",
        (
            Column("hand", "kind", KINDS.__getitem__),
            Column("of 216", "ways", str),
            Column("chance", "chance"),
            Column("or better", "at_least"),
        ),
        "at_least",
    ),
    "pocoloco beaten": Sheet(
        "How often a hand is beaten in a turn of so many rolls, if the right dice are thrown again:",
        (Column("hand", "hand", _hand), *TURN),
        "in_3",
    ),
    "cheese rolls": Sheet(
        "How often nothing scores in one roll of so many dice (the cheese is cut), how often every die does, and the "
        "average points if all that scores is kept:",
        (
            Column("dice", "dice", str),
            Column("cut", "cut"),
            Column("exactly", "cut", str),
            Column("all score", "all"),
            Column("exactly", "all", str),
            Column("points", "points", _average),
        ),
        "cut",
    ),
    "cacho bids": Sheet(
        "How often there are so many of a face among {dice} dice, none of them seen (it holds), and exactly so many "
        "(for a calza):",
        (
            Column("bid", "count", str),
            *HOLDS,
            Column("aces hold", "aces_at_least"),
            Column("exact", "aces_exactly"),
        ),
        "at_least",
    ),
    "cacho single": Sheet(
        "How often there are so many of a face among {dice} dice, none of them seen (it holds), and exactly so many "
        "(for a calza). Aces are not wild in a single-die round:",
        (Column("bid", "count", str), *HOLDS),
        "at_least",
    ),
}


def of_odds(game: str, given: Mapping[str, Any], tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """The tables of chances behind a game, one below the other."""
    screen = Screen(io.StringIO(), page := Page())
    screen.line(GAMES[game].name, "name")
    for name, rows in tables.items():
        sheet = SHEETS[f"{game} {'single' if given.get('single') else name}"]
        screen.line("")
        screen.say(sheet.title.format(**given))
        shown = [[column.show(row[column.key]) for column in sheet.columns] for row in rows]
        most = max(row[sheet.bars] for row in rows)
        bars = [float(row[sheet.bars] / most) for row in rows]
        table(screen, [column.head for column in sheet.columns], shown, [(drawn, drawn) for drawn in bars])
    return page.text


def of_arena(contest: arena.Contest, won: arena.Tally, seconds: float, workers: int) -> str:
    """How everybody did, and what that is worth."""
    screen = Screen(io.StringIO(), page := Page())
    games, seats, sure = won.total(), len(contest.levels), f"{arena.CONFIDENCE:.0%}"
    stopped = "" if games == contest.games else f" of {contest.games}, stopped"
    screen.say(
        f"{screen.paint(GAMES[contest.game].name, 'name')}, {many(games, 'game')}{stopped}, seed {contest.seed}."
    )
    roles = ", so everybody is the challenger and the house in turn" if contest.roles else ""
    screen.say(f"Seats rotate{roles}. Equal players would win {percent(1 / seats)} each.")
    note_estimates(screen, contest.game, contest.options, contest.levels)
    screen.line("")
    results = arena.results(contest, won)
    heads = ("level", "wins", "share", f"with {sure} certainty")
    rows = [
        (result.name, _wins(result.wins), percent(result.share), f"{percent(result.low)} to {percent(result.high)}")
        for result in results
    ]
    table(screen, heads, rows, [(result.low, result.high) for result in results])
    screen.line("")
    for verdict in arena.verdicts(contest, won):
        screen.say(_in_words(verdict, sure), "good" if verdict.beyond_chance else "")
    speed = games / seconds
    figure = f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}"
    screen.say(f"{seconds:.1f} seconds on {many(workers, 'core')}: {figure} games a second.", "dim")
    return page.text


def _wins(wins: Fraction) -> str:
    return str(wins) if wins.denominator == 1 else f"{float(wins):.1f}"


def _in_words(verdict: arena.Verdict, sure: str) -> str:
    if verdict.beyond_chance:
        return f"{verdict.ahead} beats {verdict.behind}: that is beyond chance ({sure})."
    told = f"{verdict.ahead} and {verdict.behind} cannot be told apart yet."
    if verdict.games_to_tell is None:
        return told
    return f"{told} If the lead stays as it is, {_round(verdict.games_to_tell)} games will tell."


def _round(games: int) -> str:
    """Two digits are more than anybody knows of it."""
    unit = 10 ** max(0, len(str(games)) - 2)
    return f"some {-(-games // unit) * unit}"


def progress(done: int, wanted: int, seconds: float) -> None:
    """A bar below what has been said, for a person who looks."""
    if sys.stderr is None or not sys.stderr.isatty():
        return
    left = f"{seconds / done * (wanted - done):.0f} s left" if done else "starting"
    words = f" {done / wanted:4.0%}  {done} of {wanted}, {left}"
    columns = shutil.get_terminal_size().columns - 1
    room = max(0, min(40, columns - len(words)))
    drawn = round(room * done / wanted)
    line = f"{'#' * drawn}{'.' * (room - drawn)}{words}"[:columns]
    print(f"\r{line}{' ' * (columns - len(line))}", end="", file=sys.stderr, flush=True)


@contextmanager
def busy(what: str) -> Iterator[None]:
    """A line with the seconds, where nobody knows how much is left to do."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done, began = threading.Event(), time.monotonic()

    def count() -> None:
        while not done.wait(BEAT):
            line = f"{what}: {time.monotonic() - began:.0f} s"
            print(f"\r{line[: shutil.get_terminal_size().columns - 1]}", end="", file=sys.stderr, flush=True)

    counting = threading.Thread(target=count, name="busy", daemon=True)
    counting.start()
    try:
        yield
    finally:
        done.set()
        counting.join()
        wipe_progress()


def wipe_progress() -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"\r{' ' * (shutil.get_terminal_size().columns - 1)}\r", end="", file=sys.stderr, flush=True)
