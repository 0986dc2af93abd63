"""The illustrated rules of a game, page by page: Roll turns the page, End goes back."""

from dataclasses import dataclass

from pygame import Rect

from table.text import game_texts, pages
from table.ui.kiosk import dice, frame
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.layout import cut_left, inset
from table.ui.kiosk.pieces import emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.paging import Paging
from table.ui.kiosk.style import BRASS_DARK, DARK, DARK_SOFT, FELT, IVORY, Face
from table.ui.kiosk.text import wrapped

SIZE, HEADING, DIE = 18, 24, 34


@dataclass(frozen=True)
class _Piece:
    """A part of a page that is not split: a line of text, or dice with their caption."""

    text: str
    height: int
    face: Face = "body"
    size: float = SIZE
    indent: int = 0
    bullet: bool = False
    dice: tuple[int | None, ...] = ()
    gap: int = 0  # space above it, unless it is first on the page


def rules(context: KioskContext, game: str, under: Scene) -> Scene:
    def draw(canvas: Canvas, page: int) -> int:
        say = context.say
        width = frame.room(canvas).width - 2 * canvas.px(22)
        paper = frame.room(canvas)
        inner = inset(paper, canvas.px(22), canvas.px(12))
        split = paginate(_pieces(canvas, game, context.settings.language, width), inner.height)
        page = min(page, len(split) - 1)  # another language or text size can have fewer pages
        where = say("rules.page", page=page + 1, pages=len(split))
        title = game_texts.name(game, say)
        frame.head(canvas, title, where, emblem(game, canvas.px(36)))
        canvas.panel(paper, IVORY, 14, shadow=True)
        canvas.spot("page", paper)
        top = inner.y
        for place, piece in enumerate(split[page]):
            top += piece.gap if place else 0
            _draw_piece(canvas, Rect(inner.x, top, inner.width, piece.height), piece)
            top += piece.height
        return len(split)

    return Paging(context, draw, under)


def _pieces(canvas: Canvas, game: str, language: str, width: int) -> list[_Piece]:
    found: list[_Piece] = []
    line = canvas.line_height(SIZE)
    small = canvas.px(9)
    for block in pages.page(game, language):
        match block:
            case pages.Heading(_, 1):
                pass  # the game's name is in the header
            case pages.Heading(text, _):
                found.append(_Piece(text, canvas.line_height(HEADING), "display", HEADING, gap=canvas.px(14)))
            case pages.Paragraph(text):
                for number, words in enumerate(wrapped(text, "body", canvas.text_px(SIZE), width)):
                    found.append(_Piece(words, line, gap=0 if number else small))
            case pages.Bullets(items):
                indent = canvas.px(18)
                for item in items:
                    for number, words in enumerate(wrapped(item, "body", canvas.text_px(SIZE), width - indent)):
                        gap = 0 if number else small // 2
                        found.append(_Piece(words, line, indent=indent, bullet=not number, gap=gap))
            case pages.Dice(values, caption):
                found.append(_Piece(caption, canvas.px(DIE + 8), "bold", dice=values, gap=small))
    return found


def _draw_piece(canvas: Canvas, rect: Rect, piece: _Piece) -> None:
    if piece.dice:
        size = canvas.px(DIE)
        tray = Rect(rect.x, 0, (size + canvas.px(5)) * len(piece.dice) + canvas.px(7), size + canvas.px(6))
        tray.centery = rect.centery
        canvas.panel(tray, FELT, 9)
        for place, value in enumerate(piece.dice):
            x = tray.x + canvas.px(4) + (size + canvas.px(5)) * (place + 0.5)
            canvas.blit(dice.die(value, size), center=(x, rect.centery))
        rect = cut_left(rect, tray.width, canvas.px(12))[1]
    if piece.bullet:
        canvas.circle((rect.x + canvas.px(6), rect.centery), canvas.px(3), BRASS_DARK)
    words = Rect(rect.x + piece.indent, rect.y, rect.width - piece.indent, rect.height)
    colour = BRASS_DARK if piece.face == "display" else DARK_SOFT if piece.dice else DARK
    canvas.text(piece.text, words, piece.size, colour, piece.face, align="left", shrink=0.8)


def paginate(pieces: list[_Piece], height: int) -> list[list[_Piece]]:
    """Fills pages from the top. A heading stays with the piece after it."""
    found: list[list[_Piece]] = [[]]
    used = 0
    for number, piece in enumerate(pieces):
        need = piece.height + (piece.gap if found[-1] else 0)
        follows = pieces[number + 1].height + pieces[number + 1].gap if number + 1 < len(pieces) else 0
        if found[-1] and used + need + (follows if piece.face == "display" else 0) > height:
            found.append([])
            used, need = 0, piece.height
        found[-1].append(piece)
        used += need
    return found
