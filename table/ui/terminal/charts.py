"""Charts in a terminal: faces of a die, probability of winning, last games, standings per round.

Its one rule: they use the characters in `draw`, so an ASCII version exists for each. In a window of at least 40
columns, no line is wider than the window. Bars with figures are in `figures`.
"""

from collections.abc import Sequence
from typing import TypeVar

from table.analysis.fairness import EXPECTED
from table.ui.terminal import draw, figures
from table.ui.terminal.screen import Screen

HIGH = 8  # lines of the probability chart
WON, LOST = "●", "○"
STEPS = "▁▂▃▅▆▇█"  # without ▄, because it has the same ASCII version as ▂

_AXIS = 6  # columns to the left of the probability chart
_GONE = "·"

T = TypeVar("T")


def faces(
    screen: Screen,
    counts: Sequence[int],
    percents: Sequence[str],
    band: tuple[float, float] | None,
    suspect: int = 0,
) -> None:
    """A bar per face, a line at one sixth, and dashes for the range of a fair face. A suspicious face has an arrow."""
    thrown = sum(counts)
    shares = [count / thrown if thrown else 0.0 for count in counts]
    told = percents if thrown else ["-"] * len(counts)
    wide, long = max(len(str(count)) for count in counts), max(map(len, told))
    before = len("▸ 6") + wide + long + 3 * len(draw.GAP)
    room = min(figures.WIDEST_BAR, screen.width - before)
    highest = max(*shares, 1.2 * EXPECTED, band[1] if band else 0)
    fair, (low, high) = round(room * EXPECTED / highest), (round(room * share / highest) for share in band or (0, 0))
    drawn = room >= figures.NARROWEST_BAR
    if drawn:
        screen.line(f"{' ' * before}{'1/6'.rjust(min(fair + 2, room))}", "bold")
    for face, (count, share, percent) in enumerate(zip(counts, shares, told, strict=True), 1):
        solid = round(room * share / highest)
        bar = "━" * solid + "".join("─" if low <= at < high else " " for at in range(solid, room))
        bar = f"{bar[:fair]}│{bar[fair + 1 :]}".rstrip()
        cells = (f"{'▸' if face == suspect else ' '} {face}", str(count).rjust(wide), percent.rjust(long))
        line = draw.GAP.join((*cells, bar) if drawn else cells)
        screen.line(line, "bad" if face == suspect else "")


def chances(
    screen: Screen, start: float, points: Sequence[tuple[float, bool]], result: float, axis: Sequence[str]
) -> None:
    """Draws the probability of winning, with a column for the start, each decision and the end. If space is short,
    several share a column.

    Each of the `points` is the probability after a decision, and whether the decision was a mistake. Mistakes are
    marked."""
    known = [(start, False), *points, (result, False)]
    shares = _shared(known, screen.width - _AXIS - 1)
    wide = max(1, min(3, (screen.width - _AXIS - 1) // len(known)))
    heights = [round(2 * HIGH * share[-1][0]) for share in shares]
    for row in range(HIGH, 0, -1):
        label = {HIGH: axis[0], HIGH // 2: axis[1]}.get(row, "")
        bars = (_halves(height - 2 * (row - 1)) * wide for height in heights)
        screen.line(f"{label:>{_AXIS - 1}}│{''.join(bars)}".rstrip())
    screen.line(f"{axis[2]:>{_AXIS - 1}}╰{'─' * (len(shares) * wide)}")
    marks = "".join(("▾" if any(slip for _, slip in share) else " ").center(wide) for share in shares)
    if marks.strip():
        screen.line(f"{' ' * _AXIS}{marks}".rstrip())


def _halves(count: int) -> str:
    return "█" if count >= 2 else "▄" if count == 1 else " "


def dots(won: Sequence[bool], most: int) -> str:
    """The last games, at most `most`, oldest on the left."""
    return "".join(WON if each else LOST for each in won[max(0, len(won) - most) :])


def series(screen: Screen, seats: Sequence[tuple[str, Sequence[float | None]]]) -> None:
    """A line per seat: its name, a chart of its values, and the last value. The charts share one scale. A dot means no
    value."""
    known = [value for _, values in seats for value in values if value is not None]
    if not known:
        return
    low, high = min(0, *known), max(known)
    ends = [next((f"{value:.10g}" for value in reversed(values) if value is not None), "") for _, values in seats]
    after = max(map(len, ends))
    names = [draw.cut(draw.isolated(name), screen.width // 3) for name, _ in seats]
    before = max(map(draw.width_of, names))
    room = screen.width - before - after - 2 * len(draw.GAP)
    longest = max(len(values) for _, values in seats)
    for name, (_, values), end in zip(names, seats, ends, strict=True):
        all_along = [*values, *[None] * (longest - len(values))]
        run = "".join(_step(share[-1], low, high) for share in _shared(all_along, room))
        screen.line(draw.GAP.join((draw.padded(name, before), run, end.rjust(after))).rstrip())


def _step(value: float | None, low: float, high: float) -> str:
    if value is None:
        return _GONE
    return STEPS[round((len(STEPS) - 1) * (value - low) / (high - low))] if high > low else STEPS[0]


def small(counts: Sequence[int]) -> str:
    """Six small bars side by side, one per face."""
    return "".join(STEPS[round((len(STEPS) - 1) * count / (max(counts) or 1))] for count in counts)


def _shared(values: Sequence[T], columns: int) -> list[Sequence[T]]:
    """Distributes the values over at most this many columns, in order; a column can have several."""
    count = min(len(values), columns)
    return [values[len(values) * at // count : len(values) * (at + 1) // count] for at in range(count)]
