"""Pages of the records on the screen: texts, rows, tables and charts, one below the other.

Its one rule: a block is as high as its content needs. Spare height goes to the charts or, if there are none, to the
rows. A title is always on the same sheet as what follows it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from pygame import Rect

from table.text.catalogue import Catalogue
from table.text.records import blocks as b
from table.ui.kiosk import charts, plot
from table.ui.kiosk.boards.plates import written
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import centred, columns, cut_bottom, cut_left, cut_right, cut_top, inset, rows
from table.ui.kiosk.pieces import avatar, crown
from table.ui.kiosk.style import BAD, BRASS, GOLD, GOOD, INK, INK_SOFT, NIGHT, SKY, Colour, Face
from table.ui.kiosk.text import wrapped

TEXTS: dict[str, tuple[float, Colour, Face]] = {"lead": (25, BRASS, "display"), "quiet": (16, INK_SOFT, "body")}
INKS = {"good": GOOD, "bad": BAD}
GAP = 7  # units between pieces
ROW, CHART = 1, 1000  # shares of the spare height, for a row and for a chart


@dataclass(frozen=True)
class Piece:
    """A block, or a part of a block, that is not divided further."""

    height: int  # pixels that the content needs
    draw: Callable[[Rect], object]
    grows: int = 0  # the piece's share of the spare height
    title: bool = False
    again: "Piece | None" = None  # the heading to repeat if a new sheet begins with this piece


def sheets(canvas: Canvas, room: Rect, blocks: Sequence[b.Block], say: Catalogue) -> list[list[Piece]]:
    """Divides the blocks into sheets that fit in the given area. If everything nearly fits on one sheet, only one is
    used."""
    whole = list(pieces(canvas, room.width, blocks, say))
    if _height(canvas, whole) <= room.height * 7 // 6:
        return [whole]
    found: list[list[Piece]] = [[]]
    for piece in whole:
        if found[-1] and _height(canvas, [*found[-1], piece]) > room.height:
            found.append([found[-1].pop()] if found[-1][-1].title else [piece.again] if piece.again else [])
        found[-1].append(piece)
    return found


def _height(canvas: Canvas, sheet: Sequence[Piece]) -> int:
    return sum(piece.height for piece in sheet) + canvas.px(GAP) * (len(sheet) - 1)


def panel(canvas: Canvas, rect: Rect, blocks: Sequence[b.Block], say: Catalogue) -> None:
    """A panel with all blocks, on one sheet and without titles."""
    inner = canvas.sunk(rect, 16, 10)
    parts = (block.blocks if isinstance(block, b.Section) else (block,) for block in blocks)
    draw(canvas, inner, list(pieces(canvas, inner.width, [part for each in parts for part in each], say)))


def draw(canvas: Canvas, room: Rect, sheet: Sequence[Piece]) -> None:
    """Draws the pieces, with reduced heights if the pieces would not fit otherwise."""
    spare, natural = room.height - _height(canvas, sheet), sum(piece.height for piece in sheet)
    shares = sum(piece.grows for piece in sheet) or 1
    for piece in sheet:
        extra = spare * piece.grows // shares if spare > 0 else spare * piece.height // natural
        high = piece.height + (extra if piece.grows == CHART else min(extra, piece.height * 2 // 3))
        place, room = cut_top(room, high, canvas.px(GAP))
        piece.draw(place)


def pieces(canvas: Canvas, width: int, blocks: Sequence[b.Block], say: Catalogue) -> Iterator[Piece]:
    """Every block at its natural height. If a page is a single text, the text is in the middle."""
    if len(blocks) == 1 and isinstance(text := blocks[0], b.Text):
        yield Piece(canvas.px(60), lambda rect: canvas.text(text.text, rect, 22, INK, "bold", lines=6), CHART)
        return
    for kind, run in groupby(blocks, type):
        if kind is b.Faces:
            faces = [block for block in run if isinstance(block, b.Faces)]
            for at in range(0, len(faces), 2):
                some = faces[at : at + 2]
                high = canvas.px(142 if len(faces) > 1 else 240)
                yield Piece(high, partial(_side_by_side, canvas, some, min(2, len(faces)), say), CHART)
        else:
            for block in run:
                yield from _pieces(canvas, width, block, say)


def _pieces(canvas: Canvas, width: int, block: b.Block, say: Catalogue) -> Iterator[Piece]:
    match block:
        case b.Text(text, tone):
            yield _text(canvas, width, text, *TEXTS.get(tone, (18, INKS.get(tone, INK), "body")))
        case b.Section(title, blocks):
            yield _text(canvas, width, title, 18, BRASS, "bold", True)
            yield from pieces(canvas, width, blocks, say)
        case b.Rows(listed, tiles=True):
            yield Piece(canvas.px(52), partial(_tiles, canvas, listed))
        case b.Rows(listed):
            yield from _rows(canvas, width, listed)
        case b.Table(heads, figures):
            head = Piece(canvas.line_height(17), partial(_line, canvas, heads, INK_SOFT), title=True)
            yield head
            for line in figures:
                yield Piece(canvas.line_height(17), partial(_line, canvas, line, INK), ROW, again=head)
        case b.Dots(won):
            yield Piece(canvas.px(24), lambda rect: charts.dots(canvas, rect, won))
        case b.Series():
            yield Piece(canvas.px(110), lambda rect: charts.line(canvas, rect, block, say), CHART)
        case b.Luck():
            lines = len(wrapped(block.text, "bold", canvas.text_px(15), width * 11 // 20)) + 1
            yield Piece(canvas.line_height(15) * lines, partial(_luck, canvas, block), ROW)
        case b.Chances():
            yield Piece(canvas.px(110), lambda rect: charts.chances(canvas, rect, block), CHART)


def _text(canvas: Canvas, width: int, text: str, size: float, colour: Colour, face: Face, title: bool = False) -> Piece:
    lines = len(wrapped(text, face, canvas.text_px(size), width))
    draw = lambda rect: canvas.text(text, rect, size, colour, face, "left", lines=lines)  # noqa: E731
    return Piece(canvas.line_height(size) * lines, draw, title=title)


def _tiles(canvas: Canvas, rows: Sequence[b.Row], rect: Rect) -> None:
    for row, cell in zip(rows, columns(rect, len(rows), canvas.px(10)), strict=True):
        label, figure = cut_top(cell, cell.height * 2 // 5)
        canvas.text(row.label, label, 16, INK_SOFT, align="left")
        canvas.text(row.figures[0], figure, 25, INKS.get(row.tone, INK), "display", "left")


def _line(canvas: Canvas, line: Sequence[str], ink: Colour, rect: Rect) -> None:
    """A line of a table."""
    label, rest = cut_left(rect, rect.width * 3 // 10, canvas.px(10))
    canvas.text(line[0], label, 17, INK_SOFT, align="left")
    for text, cell in zip(line[1:], columns(rest, len(line) - 1, canvas.px(10)), strict=True):
        canvas.text(text, cell, 17, ink, "bold", "right")


# Rows


def _rows(canvas: Canvas, width: int, rows: Sequence[b.Row]) -> Iterator[Piece]:
    """One row per line, or two side by side if they have neither bars nor details."""
    across = 1 if len(rows) < 3 or any(row.bar or row.detail for row in rows) else 2
    wide = (width - canvas.px(12) * (across - 1)) // across
    figures = [
        max(canvas.text_width(figure, 16, "bold") for figure in column) + canvas.px(2)
        for column in zip(*(row.figures for row in rows if row.figures), strict=True)
    ]
    figures = [min(figure, wide // 2 // len(figures)) for figure in figures]
    label = min(max(canvas.text_width(row.label, 18, "bold") for row in rows), (wide - sum(figures)) // 2)
    for at in range(0, len(rows), across):
        some = list(enumerate(rows))[at : at + across]

        def draw(rect: Rect, some: Sequence[tuple[int, b.Row]] = some) -> None:
            for (place, row), cell in zip(some, columns(rect, across, canvas.px(12)), strict=False):
                canvas.spot(f"row:{place}", cell)
                _row(canvas, cell, row, label, figures)

        yield Piece(max(canvas.px(28 if across == 2 else 24), canvas.line_height(18)), draw, ROW)


def _row(canvas: Canvas, rect: Rect, row: b.Row, label: int, figures: Sequence[int]) -> None:
    if row.mark.isdigit():
        place, rect = cut_left(rect, canvas.px(30), canvas.px(6))
        canvas.text(row.mark, place, 22, BRASS if row.mark == "1" else INK_SOFT, "display", shrink=0.5)
    if row.face or row.mark or (row.link and row.link.page == "player"):
        face, rect = cut_left(rect, min(rect.height, canvas.px(44)), canvas.px(6))
        canvas.blit(avatar(row.label, face.width, row.face == "computer"), center=face.center)
        if row.mark == "★":
            canvas.blit(crown(face.width * 3 // 5), center=(face.right - face.width // 6, face.y + face.width // 5))
    for figure, column in zip(reversed(row.figures), reversed(figures), strict=False):
        wide = column if row.bar else min(column, canvas.text_width(figure, 16, "bold") + 2)
        cell, rect = cut_right(rect, wide, canvas.px(8))
        ink = GOLD if row.mark == "★" else INKS.get(row.tone, INK)
        canvas.text(figure, cell, 16, ink, "bold", "right", shrink=0.5)
    if row.detail:
        words = " · ".join(filter(None, (row.label, row.detail, row.note)))
        canvas.text(words, rect, 17, INK_SOFT, align="left", shrink=0.55)
        return
    if row.bar:
        rect, bar = cut_left(rect, label, canvas.px(14))
        _bar(canvas, centred(bar, bar.width, canvas.px(18)), row.bar)
    written(canvas, rect, row.label, 18, INK, lines=1)


def _bar(canvas: Canvas, rect: Rect, bar: b.Bar) -> None:
    groove = Rect(rect.x, rect.y, max(2, round(rect.width * bar.of)), rect.height)
    canvas.panel(groove, NIGHT, 9, border=INK_SOFT, width=1)
    if bar.theirs:
        canvas.panel(groove, SKY, 9)
        plot.filled(canvas, groove, 1 - bar.theirs, NIGHT, 9)
    plot.filled(canvas, groove, bar.part / bar.of, GOLD, 9)


# Charts with words


def _side_by_side(canvas: Canvas, faces: Sequence[b.Faces], across: int, say: Catalogue, rect: Rect) -> None:
    for group, cell in zip(faces, columns(rect, across, canvas.px(16)), strict=False):
        chart, words = cut_left(inset(cell, 0, canvas.px(4)), cell.width * 11 // 20, canvas.px(14))
        charts.faces(canvas, chart, group, say)
        title, words = cut_top(words, canvas.px(36), canvas.px(4))
        if group.link:
            face, title = cut_left(title, title.height, canvas.px(8))
            canvas.blit(avatar(group.label, face.width), center=face.center)
            written(canvas, title, group.label, 19, INK, lines=1)
        else:
            canvas.text(group.label, title, 18, BRASS, "display", "left", lines=2)
        tone = GOLD if group.level in ("odd", "unfair") else INK
        for size, ink, text in ((17, tone, group.text), *((16, INK_SOFT, text) for text in group.needed)):
            told = canvas.text(text, words, size, ink, "body", "left", "top", lines=8)
            words = cut_top(words, told.height, canvas.px(10))[1]


def _luck(canvas: Canvas, luck: b.Luck, rect: Rect) -> None:
    """The middle of the bar is average luck; the right side is good luck."""
    face, rest = cut_left(rect, min(rect.height, canvas.px(46)), canvas.px(12))
    canvas.blit(avatar(luck.name, face.width, luck.computer), center=face.center)
    words, left = cut_right(rest, rect.width * 11 // 20, canvas.px(18))
    name, bar = rows(centred(left, left.width, canvas.px(56)), 2)
    written(canvas, name, luck.name, 19, INK, lines=1)
    groove = centred(bar, bar.width, min(bar.height * 2 // 3, canvas.px(18)))
    canvas.panel(groove, NIGHT, 9, border=INK_SOFT, width=1)
    middle, end = groove.centerx, groove.x + round(groove.width * (0.5 if luck.part is None else luck.part))
    filled = Rect(min(middle, end), groove.y, abs(end - middle), groove.height)
    canvas.panel(filled, GOLD if end > middle else SKY, 3)
    plot.rule(canvas, (middle, groove.y - canvas.px(3)), (middle, groove.bottom + canvas.px(3)))
    detail, text = cut_bottom(words, canvas.line_height(15) if luck.detail else 0)
    canvas.text(luck.text, text, 15, INK, "bold", "left", lines=4)
    canvas.text(luck.detail, detail, 15, INK_SOFT, align="left")
