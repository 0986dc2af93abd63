"""Charts in the table's style: faces of a die, winning probability, standings, recent games.

A chart stays inside its rectangle. Everything shown by colour is also shown by shape or position. Lengths are to scale.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil

from pygame import Rect, Surface

from table.analysis.fairness import EXPECTED
from table.text import numbers
from table.text.catalogue import Catalogue
from table.text.records.blocks import Chances, Faces, Series
from table.ui.kiosk import dice, plot
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import columns, cut_bottom, cut_left, cut_right, cut_top, inset
from table.ui.kiosk.plot import Point, Shape
from table.ui.kiosk.style import BAD, GOLD, GREEN, INK, INK_FAINT, INK_SOFT, ORANGE, PURPLE, SKY, Colour, mixed

# Five hues with one shape each. Seats six to ten reuse them with hollow markers and dashed lines.
_HUES: tuple[Colour, ...] = (GOLD, SKY, ORANGE, mixed(GREEN, INK, 0.4), mixed(PURPLE, INK, 0.35))
_SHAPES: tuple[Shape, ...] = ("disc", "square", "up", "diamond", "down")


# faces of a die


def faces(canvas: Canvas, rect: Rect, found: Faces, say: Catalogue) -> None:
    """How often each face came up: a column per face, a line at one sixth, and the expected range of a fair die."""
    counts, suspect, thrown = found.counts, found.suspect, sum(found.counts)
    shares = [count / thrown if thrown else 0.0 for count in counts]
    side = canvas.px(30) if rect.width >= canvas.px(300) else 0
    beside, rect = cut_left(rect, side, canvas.px(2) if side else 0)
    cells = columns(rect, len(counts), canvas.px(3))
    wide = min(cell.width for cell in cells)
    percents = list(found.shown) if thrown else ["–"] * len(counts)
    if max(canvas.text_width(text, 15, "bold") for text in percents) > wide - canvas.px(6):
        percents = [numbers.percent(share, say) for share in shares]
    above, room = cut_top(rect, canvas.line_height(15))
    counted, room = cut_top(room, canvas.line_height(12), canvas.px(6))
    size = min(wide, canvas.px(38), rect.height // 5)
    below, room = cut_bottom(room, size, canvas.px(4))
    badge = min(wide, canvas.px(20), room.height // 3)
    highest = max(*shares, 1.2 * EXPECTED, found.band[1])
    if suspect and badge > canvas.px(4):  # the warning marker sits on top of its column
        highest = max(highest, shares[suspect - 1] * room.height / (room.height - badge - canvas.px(2)))

    def height(share: float) -> int:
        return round(room.height * share / highest)

    low, high = map(height, found.band)
    canvas.panel(Rect(room.x, room.bottom - high, room.width, max(1, high - low)), SKY, 0, alpha=90)
    plot.write_row(canvas, percents, _cells(above, cells), 15, INK, "bold")
    plot.write_row(canvas, [plot.short(count, say) for count in counts], _cells(counted, cells), 12, INK_SOFT)
    fair = room.bottom - height(EXPECTED)
    canvas.line((room.x, fair), (room.right - 1, fair), INK, 1)
    for face, (cell, share) in enumerate(zip(cells, shares, strict=True), 1):
        slim, high = min(cell.width * 5 // 8, canvas.px(60)), max(1, height(share)) if share else 0
        column = Rect(cell.centerx - slim // 2, room.bottom - high, slim, high)
        canvas.panel(column, BAD if face == suspect else GOLD, 3)
        if share >= EXPECTED:
            plot.rule(canvas, (column.x, fair), (column.right - 1, fair))
        if size >= 8:
            canvas.blit(dice.die(face, size), center=(cell.centerx, below.centery))
    if side:
        plot.write(canvas, "1/6", plot.beside_level(canvas, beside, fair), plot.SMALL, INK_SOFT, align="right")
    if suspect and badge > canvas.px(4):
        over = room.bottom - height(shares[suspect - 1]) - canvas.px(2) - badge
        canvas.blit(plot.mark("warning", badge, BAD), topleft=(cells[suspect - 1].centerx - badge / 2, over))


def _cells(row: Rect, cells: Sequence[Rect]) -> list[Rect]:
    """The parts of a row that lie above or below the columns of the chart."""
    return [Rect(cell.x, row.y, cell.width, row.height) for cell in cells]


# winning probability


def chances(canvas: Canvas, rect: Rect, game: Chances) -> None:
    """The winning probability from the start through every decision to the end.

    Each point is a decision, with the probability before and after it, and whether it was a mistake. The thin line
    between points is luck; a mistake is a thick drop with a marker below it.
    """
    below, room = cut_bottom(rect, canvas.px(12), canvas.px(4))
    labels = {0.25: "", 0.75: ""} | dict(zip((1, 0.5, 0), game.axis, strict=True))
    room = plot.grid(canvas, inset(room, 0, canvas.line_height(plot.SMALL) // 2), labels)

    def at(place: int, chance: float) -> Point:
        return room.x + room.width * place / (len(game.points) + 1), room.bottom - room.height * chance

    drawn = list(_told(game.points, max(1, room.width // canvas.px(8))))
    size = max(canvas.px(7), min(below.height, room.width // (len(drawn) + 1)))
    luck, drops = [at(0, game.start)], []
    for place in drawn:
        before, after, slip = game.points[place]
        luck.append(at(place + 1, before))
        if slip:
            drops.append((at(place + 1, before), at(place + 1, after)))
            plot.path(canvas, luck, GOLD, 2.5)
            luck = [at(place + 1, after)]
    plot.path(canvas, [*luck, at(len(game.points) + 1, game.result)], GOLD, 2.5)
    for high, low in drops:
        canvas.line(high, low, BAD, 5)
        canvas.blit(plot.mark("down", size, BAD), center=(low[0], below.centery))
    canvas.ring(at(0, game.start), canvas.px(5), GOLD, 2)
    canvas.circle(at(len(game.points) + 1, game.result), canvas.px(5), GOLD)


def _told(points: Sequence[tuple[float, float, bool]], most: int) -> Iterator[int]:
    """The indices of the points to draw. Of several points that would overlap, only the costliest mistake is drawn, or
    the last point if none of them is a mistake."""
    for _, together in groupby(range(len(points)), key=lambda place: place * most // max(most, len(points))):
        places = list(together)
        slips = [place for place in places if points[place][2]]
        yield max(slips, key=lambda place: points[place][0] - points[place][1], default=places[-1])


# standings


def line(canvas: Canvas, rect: Rect, series: Series, say: Catalogue) -> None:
    """A line per seat, from the start through every round, with the name at its end."""
    known = [value for values in series.values for value in values if value is not None]
    if not known:
        return
    longest = max(map(len, series.values))
    size, high = canvas.px(12), canvas.line_height(plot.SMALL)
    names = max(canvas.text_width(name, 15, "bold") for name in series.names) + size
    names += _lead(canvas, len(series.names)) + canvas.px(8)
    ends, room = cut_right(rect, min(names, rect.width * 3 // 10))
    below, room = cut_bottom(room, high, canvas.px(4))
    room = inset(room, 0, max(high, size) // 2)
    whole = all(float(value).is_integer() for value in known)
    levels = plot.levels(min(0, *known), max(known), max(1, min(5, 2 * room.height // (3 * high))), whole)
    low = levels[0]
    tall = max(known) - low or 1
    room = plot.grid(canvas, room, {(level - low) / tall: _figure(level, say) for level in levels})

    def at(place: int, value: float) -> Point:
        across = place / (longest - 1) if longest > 1 else 0.5
        return room.x + room.width * across, room.bottom - room.height * (value - low) / tall

    left, right = columns(Rect(room.x, below.y, room.width, high), 2)
    plot.write(canvas, "0", left, plot.SMALL, INK_SOFT, align="left")
    if longest > 1:
        plot.write(canvas, str(longest - 1), right, plot.SMALL, INK_SOFT, align="right")
    every = max(1, ceil(longest * 2 * size / max(1, room.width)))
    last: dict[int, Point] = {}
    for seat, values in enumerate(series.values):
        points = {place: at(place, value) for place, value in enumerate(values) if value is not None}
        for _, run in groupby(enumerate(points), key=lambda found: found[1] - found[0]):
            plot.path(canvas, [points[place] for _, place in run], _HUES[seat % 5], 2.5, dashed=seat >= 5)
        for place in points:
            if place == max(points) or (place + seat) % every == 0:
                canvas.blit(_seat(seat, size), center=points[place])
                last[seat] = points[place]
    _names(canvas, ends, series.names, last)


def _names(canvas: Canvas, rect: Rect, names: Sequence[str], last: dict[int, Point]) -> None:
    """Draws each name next to the end of its line, spaced out to stay readable."""
    seats = sorted(last, key=lambda seat: last[seat][1])
    high = min(canvas.line_height(15), rect.height // len(seats))
    size = min(canvas.px(12), high - 2)
    leads, room = cut_left(rect, min(_lead(canvas, len(names)), rect.width // 3) + size, canvas.px(6))
    middles = plot.apart([last[seat][1] for seat in seats], high, rect.y + high / 2, rect.bottom - high / 2)
    for seat, middle in zip(seats, middles, strict=True):
        x, y = last[seat]
        if x < leads.x - canvas.px(20):  # this seat's line ends before the others
            plot.path(canvas, [(x + size, y), (leads.x, y)], INK_FAINT, 1, dashed=True)
        canvas.line((leads.x, y), (leads.right - size, middle), _HUES[seat % 5], 1)
        canvas.blit(_seat(seat, size), center=(leads.right - size / 2, middle))
        box = Rect(room.x, round(middle - high / 2), room.width, high)
        plot.write(canvas, names[seat], box, 15, INK, "bold", "left")


def _lead(canvas: Canvas, seats: int) -> int:
    """The distance between lines and names, larger with more seats."""
    return canvas.px(16 + 2 * seats)


def _figure(value: float, say: Catalogue) -> str:
    return plot.short(round(value), say) if value >= 10_000 else numbers.localized(f"{value:g}", say)


def _seat(seat: int, size: int) -> Surface:
    return plot.mark(_SHAPES[seat % 5], size, _HUES[seat % 5], hollow=seat >= 5)


# recent games


def dots(canvas: Canvas, rect: Rect, won: Sequence[bool]) -> None:
    """The latest games that fit, the oldest on the left: a disc for a win, a ring for any other result."""
    most = rect.width // canvas.px(14)
    shown = won[-most:] if most else ()
    if not shown:
        return
    pitch = min(rect.width / len(shown), canvas.px(24), rect.height)
    for place, win in enumerate(shown):
        centre = rect.x + pitch * (place + 0.5), rect.centery
        if win:
            canvas.circle(centre, pitch * 0.38, GOLD)
        else:
            canvas.ring(centre, pitch * 0.38, INK_SOFT, 2)
