"""The rules of a game, illustrated, page by page: Roll turns the page, End goes back.

Its one rule: no page ends inside a paragraph, a step, a question, a table or a group of dice.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from pygame import Rect

from table.text import game_texts, pages
from table.ui.kiosk import dice, frame
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.layout import inset
from table.ui.kiosk.pieces import emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.paging import Paging
from table.ui.kiosk.style import BRASS_DARK, DARK, DARK_SOFT, FELT, IVORY, IVORY_SHADE, Face
from table.ui.kiosk.text import width as text_width
from table.ui.kiosk.text import wrapped

SIZE, HEADING, DIE = 18, 24, 32
# The cost of each page; the cost of free space, if a whole page is free; and the costs of three places where a page can
# end: after a heading, inside a section, and between units that belong together.
PAGE, FREE, NEVER = 10, 12, 1000
SECTION, JOINED = 6, 15


@dataclass(frozen=True)
class _Words:
    """One line of text, with a bullet or a step's number before it if `mark` is set."""

    height: int
    text: str
    face: Face = "body"
    size: float = SIZE
    indent: int = 0
    mark: str = ""
    gap: int = 0  # space above this line, unless the page starts with it

    def draw(self, canvas: Canvas, rect: Rect) -> None:
        x, y = rect.x + canvas.px(11 * canvas.larger), rect.centery
        if self.mark == "•":
            canvas.circle((x, y), canvas.px(3), BRASS_DARK)
        elif self.mark:
            size = canvas.px(10.5 * canvas.larger)
            canvas.circle((x, y), size, BRASS_DARK)
            canvas.text(self.mark, Rect(x - size, y - size, 2 * size, 2 * size), 14, IVORY, "bold")
        colour = BRASS_DARK if self.face == "display" else DARK
        words = Rect(rect.x + self.indent, rect.y, rect.width - self.indent, rect.height)
        canvas.text(self.text, words, self.size, colour, self.face, align="left", shrink=0.8)


@dataclass(frozen=True)
class _Picture:
    """Dice on felt, with a caption to their right."""

    height: int
    values: tuple[int | None, ...]
    caption: str
    indent: int  # the caption's indent
    gap: int

    def draw(self, canvas: Canvas, rect: Rect) -> None:
        size = canvas.px(DIE)
        tray = Rect(rect.x, 0, _tray_width(canvas, len(self.values)), size + canvas.px(6))
        tray.centery = rect.centery
        canvas.panel(tray, FELT, 9)
        for place, value in enumerate(self.values):
            x = tray.x + canvas.px(4) + (size + canvas.px(5)) * (place + 0.5)
            canvas.blit(dice.die(value, size), center=(x, rect.centery))
        words = Rect(rect.x + self.indent, rect.y, rect.width - self.indent, rect.height)
        canvas.text(self.caption, words, SIZE, DARK_SOFT, "bold", align="left", lines=3, shrink=0.8)


@dataclass(frozen=True)
class _Row:
    """One row of a table: the lines of each cell, and the position of each column."""

    height: int
    cells: tuple[tuple[str, ...], ...]
    columns: tuple[tuple[int, int], ...]  # left edge and width of each column
    head: bool
    gap: int

    def draw(self, canvas: Canvas, rect: Rect) -> None:
        last, wide = self.columns[-1]
        edge = Rect(rect.x, rect.y, min(rect.width, last + wide + canvas.px(10)), rect.height)
        if self.head:
            canvas.panel(edge, IVORY_SHADE, 6)
        else:
            canvas.panel(Rect(edge.x, edge.bottom - canvas.px(1), edge.width, canvas.px(1)), IVORY_SHADE, 0)
        line = canvas.line_height(SIZE)
        face: Face = "bold" if self.head else "body"
        for lines, (left, width) in zip(self.cells, self.columns, strict=True):
            top = rect.centery - line * len(lines) // 2
            for number, words in enumerate(lines):
                box = Rect(rect.x + left, top + number * line, width, line)
                canvas.text(words, box, SIZE, DARK, face, align="left", shrink=0.8)


_Piece = _Words | _Picture | _Row


@dataclass(frozen=True)
class _Unit:
    """Pieces of one block, or of a group of dice, that stay together on one page."""

    kind: type[pages.Block]
    pieces: tuple[_Piece, ...]

    @property
    def gap(self) -> int:
        return self.pieces[0].gap

    @property
    def height(self) -> int:
        return sum(piece.height + piece.gap for piece in self.pieces) - self.gap


def rules(context: KioskContext, game: str, under: Scene) -> Scene:
    def draw(canvas: Canvas, page: int) -> int:
        say = context.say
        paper = frame.room(canvas)
        inner = inset(paper, canvas.px(22), canvas.px(12))
        split = paginate(units(canvas, pages.page(game, context.settings.language), inner.width), inner.height)
        page = min(page, len(split) - 1)  # there can be fewer pages in another language or in smaller letters
        where = say("rules.page", page=page + 1, pages=len(split))
        title = game_texts.name(game, say)
        frame.head(canvas, title, where, emblem(game, canvas.px(36)))
        canvas.panel(paper, IVORY, 14, shadow=True)
        canvas.spot("page", paper)
        top = inner.y
        for place, piece in enumerate(piece for unit in split[page] for piece in unit.pieces):
            top += piece.gap if place else 0
            piece.draw(canvas, Rect(inner.x, top, inner.width, piece.height))
            top += piece.height
        return len(split)

    return Paging(context, draw, under)


def units(canvas: Canvas, blocks: Sequence[pages.Block], width: int) -> list[_Unit]:
    """Lays out the blocks of a rules page in this width. The game's name is left out, because the header shows it."""
    found: list[_Unit] = []
    for dice_too, some in groupby(blocks, key=lambda block: isinstance(block, pages.Dice)):
        if dice_too:
            group = [block for block in some if isinstance(block, pages.Dice)]
            found.append(_Unit(pages.Dice, tuple(_pictures(canvas, group, width))))
        else:
            found += (_Unit(type(block), tuple(pieces)) for block in some for pieces in _written(canvas, block, width))
    return [unit for unit in found if unit.pieces]


def _written(canvas: Canvas, block: pages.Block, width: int) -> Iterator[Iterable[_Piece]]:
    """The pieces of a block, in groups. The pieces of a group stay together on one page."""
    gap = canvas.px(9)
    match block:
        case pages.Heading(text, level) if level > 1:
            yield [_Words(canvas.line_height(HEADING), text, "display", HEADING, gap=canvas.px(14))]
        case pages.Paragraph(text):
            yield _lines(canvas, text, width, gap=gap)
        case pages.Bullets(items):
            indent = canvas.px(24 * canvas.larger)
            for item in items:
                yield _lines(canvas, item, width, indent=indent, mark="•", gap=canvas.px(4))
        case pages.Steps(items):
            indent = canvas.px(30 * canvas.larger)
            for number, item in enumerate(items, 1):
                yield _lines(canvas, item, width, indent=indent, mark=str(number), gap=canvas.px(7))
        case pages.Question(text, answer):
            yield [*_lines(canvas, text, width, face="bold", gap=gap), *_lines(canvas, answer, width)]
        case pages.Grid(rows):
            yield _rows(canvas, rows, width)


def _lines(
    canvas: Canvas, text: str, width: int, face: Face = "body", indent: int = 0, mark: str = "", gap: int = 0
) -> Iterator[_Words]:
    line = canvas.line_height(SIZE)
    for number, words in enumerate(wrapped(text, face, canvas.text_px(SIZE), width - indent)):
        first = number == 0
        yield _Words(line, words, face, SIZE, indent, mark if first else "", gap if first else 0)


def _pictures(canvas: Canvas, group: Sequence[pages.Dice], width: int) -> Iterator[_Picture]:
    """Rows of dice, one below the other, with their captions in one column."""
    indent = max(_tray_width(canvas, len(block.values)) for block in group) + canvas.px(12)
    for place, block in enumerate(group):
        lines = wrapped(block.caption, "bold", canvas.text_px(SIZE), width - indent)
        height = max(canvas.px(DIE + 8), len(lines) * canvas.line_height(SIZE))
        yield _Picture(height, block.values, block.caption, indent, canvas.px(3 if place else 9))


def _tray_width(canvas: Canvas, count: int) -> int:
    return (canvas.px(DIE) + canvas.px(5)) * count + canvas.px(7)


def _rows(canvas: Canvas, rows: Sequence[Sequence[str]], width: int) -> Iterator[_Row]:
    size, line, air = canvas.text_px(SIZE), canvas.line_height(SIZE), canvas.px(10)
    natural = [max(text_width(cell, "bold", size) for cell in column) + 1 for column in zip(*rows, strict=True)]
    widths = pages.column_widths(natural, width - 2 * air * len(natural))
    columns = tuple((air + sum(widths[:at]) + 2 * air * at, wide) for at, wide in enumerate(widths))
    for number, row in enumerate(rows):
        face: Face = "body" if number else "bold"
        cells = tuple(tuple(wrapped(cell, face, size, wide)) for cell, wide in zip(row, widths, strict=True))
        height = max(1, *map(len, cells)) * line + canvas.px(6)
        yield _Row(height, cells, columns, number == 0, 0 if number else canvas.px(9))


def paginate(units: Sequence[_Unit], height: int) -> list[list[_Unit]]:
    """Divides the units into pages at the lowest total cost. The costs are chosen so that there are few pages, about
    equally full. A page ends before a heading if possible, and right after a heading only if there is no other way. An
    extra page is used if it avoids a worse break, for example between two steps."""
    whole = [part for unit in units for part in _parts(unit, height)]
    best: list[tuple[float, int]] = [(0.0, 0)]  # by number of units: the lowest cost, and where the last page begins
    for end in range(1, len(whole) + 1):
        torn = _torn(whole[end - 1], whole[end]) if end < len(whole) else 0
        found: list[tuple[float, int]] = []
        for start in range(end - 1, -1, -1):
            used = _height(whole[start:end])
            if found and used > height:
                break
            cost = best[start][0] + PAGE + torn + FREE * max(0.0, 1 - used / height) ** 4
            found.append((cost, start))
        best.append(min(found))
    ends = [len(whole)]
    while ends[-1]:
        ends.append(best[ends[-1]][1])
    bounds = ends[::-1]
    return [whole[start:end] for start, end in pairwise(bounds)] or [[]]


def _torn(above: _Unit, below: _Unit) -> int:
    """The cost of ending a page between these units."""
    match above.kind, below.kind:
        case pages.Heading, _:
            return NEVER
        case _, pages.Heading:
            return 0
        case (pages.Steps, pages.Steps) | (pages.Paragraph, pages.Dice) | (pages.Paragraph, pages.Grid):
            return JOINED
    return SECTION


def _parts(unit: _Unit, height: int) -> Iterable[_Unit]:
    """The unit as it is or, if the unit is taller than a page, its lines. Units of that height occur in rules that were
    written for larger screens."""
    return [unit] if unit.height <= height else [_Unit(unit.kind, (piece,)) for piece in unit.pieces]


def _height(units: Sequence[_Unit]) -> int:
    return sum(unit.height + unit.gap for unit in units) - units[0].gap
