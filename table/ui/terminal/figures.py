"""Tables of figures in a terminal: the probabilities of a game, and the results of an arena.

Its one rule: a column is as wide as its content, and bars fill the rest of the window.
"""

import io
import shutil
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction

from table.analysis import arena
from table.analysis.sheets import Sheet
from table.games import GAMES
from table.text import numbers
from table.text.catalogue import Catalogue
from table.ui.terminal.draw import GAP, columns, isolated_in, width_of
from table.ui.terminal.screen import Screen
from table.ui.terminal.setup import note_estimates

WIDEST_BAR, NARROWEST_BAR = 30, 6
BEAT = 0.5  # seconds between two updates of the elapsed time

Bar = tuple[float, float]
"""A bar's certain and possible lengths, as fractions."""


def percent(share: Fraction | float) -> str:
    """A percentage in English, like the tables of `arena` and `solve`."""
    return numbers.percent(float(share), Catalogue(), 2)


def table(
    screen: Screen, lines: Sequence[Sequence[str]], bars: Sequence[Bar | None], styles: Sequence[str], least: int = 2
) -> None:
    """The first column is a label; the others are right-aligned figures. If the window is too narrow, the last columns
    are omitted, but at least `least` stay. Bars use the remaining width."""
    count = max(map(len, lines))
    full = [(*line, *[""] * (count - len(line))) for line in lines]
    widths = [max(map(width_of, column)) + len(GAP) for column in zip(*full, strict=True)]
    while count > least and sum(widths[:count]) - len(GAP) > screen.width:
        count -= 1
    labels = columns([line[:1] for line in full], str.ljust)
    figures = columns([line[1:count] for line in full], str.rjust)
    room = min(WIDEST_BAR, screen.width - sum(widths[:count]))
    for label, cells, bar, style in zip(labels, figures, bars, styles, strict=True):
        row, drawn = isolated_in(f"{label}{GAP}{cells}"), ""
        if bar and room >= NARROWEST_BAR:
            solid, whole = round(room * bar[0]), round(room * bar[1])
            drawn = screen.paint("━" * solid, "name") + screen.paint("─" * (whole - solid), "dim")
        screen.line(screen.paint(row, style) + GAP + drawn if drawn else screen.paint(row.rstrip(), style))


class Page(io.StringIO):
    """Collects output in stdout's encoding, and writes it all at once, so that `head` causes no broken pipe error."""

    encoding = property(lambda _: sys.stdout.encoding)

    def isatty(self) -> bool:
        return sys.stdout.isatty()

    @property
    def text(self) -> str:
        return self.getvalue().rstrip("\n")


def _with_heads(screen: Screen, heads: Sequence[str], rows: Sequence[Sequence[str]], bars: Sequence[Bar]) -> None:
    table(screen, [heads, *rows], [None, *bars], ["bold", *[""] * len(rows)], least=len(heads))


def of_odds(game: str, sheets: Mapping[str, Sheet]) -> str:
    """The probability tables of a game."""
    screen = Screen(io.StringIO(), page := Page())
    screen.line(GAMES[game].name, "name")
    for title, heads, drawn, rows in sheets.values():
        screen.line("")
        screen.say(title)
        shown = [[(column.show or percent)(row[column.key]) for column in heads] for row in rows]
        most = max(row[drawn] for row in rows)
        bars = [float(row[drawn] / most) for row in rows]
        _with_heads(screen, [column.head for column in heads], shown, [(bar, bar) for bar in bars])
    return page.text


def of_arena(contest: arena.Contest, won: arena.Tally, seconds: float, workers: int) -> str:
    """Each entrant's results, and whether the differences are significant."""
    screen = Screen(io.StringIO(), page := Page())
    games, seats, sure = won.total(), len(contest.levels), f"{arena.CONFIDENCE:.0%}"
    stopped = "" if games == contest.games else f" of {contest.games}, stopped"
    screen.say(
        f"{screen.paint(GAMES[contest.game].name, 'name')}, {_many(games, 'game')}{stopped}, seed {contest.seed}."
    )
    screen.say(f"Seats rotate. Equal players would win {percent(1 / seats)} each.")
    note_estimates(screen, contest.game, contest.options, contest.levels)
    screen.line("")
    results = arena.results(contest, won)
    heads = ("level", "wins", "share", f"with {sure} certainty")
    rows = [
        (result.name, _wins(result.wins), percent(result.share), f"{percent(result.low)} to {percent(result.high)}")
        for result in results
    ]
    _with_heads(screen, heads, rows, [(result.low, result.high) for result in results])
    screen.line("")
    for verdict in arena.verdicts(contest, won):
        screen.say(_in_words(verdict, sure), "good" if verdict.beyond_chance else "")
    speed = games / seconds
    figure = f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}"
    screen.say(f"{seconds:.1f} seconds on {_many(workers, 'core')}: {figure} games a second.", "dim")
    return page.text


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _wins(wins: Fraction) -> str:
    return str(wins) if wins.denominator == 1 else f"{float(wins):.1f}"


def _in_words(verdict: arena.Verdict, sure: str) -> str:
    if verdict.beyond_chance:
        return f"{verdict.ahead} beats {verdict.behind}: that is beyond chance ({sure})."
    told = f"{verdict.ahead} and {verdict.behind} cannot be told apart yet."
    if verdict.games_to_tell is None:
        return told
    return f"{told} If the lead holds, {_round(verdict.games_to_tell)} games will show it."


def _round(games: int) -> str:
    """Rounds an estimated number of games up to two digits."""
    unit = 10 ** max(0, len(str(games)) - 2)
    return f"about {-(-games // unit) * unit}"


def progress(done: int, wanted: int, seconds: float) -> None:
    """A progress bar on stderr, if that is a terminal."""
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
    """Shows the elapsed seconds of work of unknown length."""
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
