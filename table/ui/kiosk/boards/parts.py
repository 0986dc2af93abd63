"""What is on a board besides the plates: the well in the middle, dice, figures with their labels, cards and tags."""

from collections.abc import Container
from functools import partial

from pygame import Rect, Surface

from table.ui.kiosk import dice, layout
from table.ui.kiosk import text as writing
from table.ui.kiosk.boards import Stage
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import centred, cut_left, cut_right, inset
from table.ui.kiosk.paint import Point
from table.ui.kiosk.show import Hand
from table.ui.kiosk.style import BRASS, BRASS_DARK, FELT_LIGHT, GOLD, INK_FAINT, INK_SOFT, IVORY, NIGHT, Align, Colour

NOTHING = "–"  # placeholder for a missing figure


def well(canvas: Canvas, rect: Rect) -> Rect:
    """The middle of the table, sunk into the felt. Returns the free area."""
    canvas.panel(rect, NIGHT, 14, border=BRASS_DARK, alpha=110, width=1.5)
    return inset(rect, canvas.px(10), canvas.px(8))


def tray(canvas: Canvas, rect: Rect) -> Rect:
    """A well that rolls the dice when touched."""
    canvas.spot("dice", rect)
    return well(canvas, rect)


# dice


def hand(
    canvas: Canvas,
    rect: Rect,
    faces: Hand,
    stage: Stage,
    seat: int | None,
    *,
    places: int,
    most: float = 96,
    gone: Container[int] = (),
    dim: bool = False,
) -> list[Rect]:
    """A seat's large dice: tumbling during their roll, raised if the current entry would keep them.

    `places` is the maximum number of dice. Empty places, and places whose die is `gone`, are hollows in the felt.
    Returns the rectangle of each place.
    """
    in_two = min(rect.width / max(1, -(-places // 2)), rect.height / 2)
    down = 2 if places > 3 and in_two > 1.15 * rect.width / places else 1
    across = max(1, -(-places // down))
    room = min(rect.width / across, rect.height / down)
    size = min(canvas.px(most), round(room * 0.84))
    step = min(round(size * 1.22), rect.width // across)
    found = []
    for place in range(places):
        row, column = divmod(place, across)
        in_row = min(across, places - row * across)
        x = rect.centerx + round((column - (in_row - 1) / 2) * step)
        y = rect.centery + round((row - (down - 1) / 2) * min(step, rect.height // down))
        box = layout.around((x, y), size, size)
        found.append(box)
        if place >= len(faces) or place in gone:
            hollow(canvas, box)
    flying = stage.showing_of(seat, "rolled")
    for place, (box, value) in enumerate(zip(found, faces, strict=False)):
        if place in gone:
            continue
        if flying and value is not None and place in flying.facts["places"]:
            flight = partial(_lands, box=box, value=value, turn=flying.turn, place=place)
            if stage.flights is None:
                flight(canvas, flying.t)
            else:
                stage.flights.append(flight)
            continue
        marked = place in (stage.marks or ()) and not flying
        center = box.move(0, -canvas.px(6) if marked else 0).center
        canvas.blit(dice.die(value, size, lit=marked, dim=dim), center=center)
        if stage.marks is not None:
            canvas.spot(f"die:{place}", box.inflate(canvas.px(6), canvas.px(10)))
    return found


def _lands(canvas: Canvas, t: float, *, box: Rect, value: int, turn: int, place: int) -> None:
    """A die in the air. The dice land one after another."""
    own = min(1.0, t / (0.75 + 0.05 * min(place, 5)))
    tumble(canvas, box.center, value, box.width, own, turn + place, (0.6, 0.6))


def tumble(canvas: Canvas, to: Point, value: int, size: int, t: float, turn: int, reach: Point) -> None:
    """A die on its way to a place. `reach` scales its flight sideways and upwards."""
    x, y = dice.flight(t, turn)
    at = to[0] + x * size * reach[0], to[1] + y * size * reach[1]
    canvas.blit(dice.tumbling(value, size, t, turn), center=at)


def hollow(canvas: Canvas, box: Rect) -> None:
    """An empty place for a die."""
    side = centred(box, box.width * 9 // 10, box.height * 9 // 10)
    canvas.panel(side, NIGHT, 0.2 * box.width / canvas.unit, border=FELT_LIGHT, alpha=120, width=1.5)


def small_dice(canvas: Canvas, rect: Rect, faces: Hand, align: Align = "left", most: float = 30) -> None:
    """Dice in a row, as large as the height allows."""
    if not faces:
        return
    size = min(rect.height, canvas.px(most), round(rect.width / len(faces) / 1.12))
    step = round(size * 1.12)
    wide = step * len(faces)
    x = {"left": rect.x, "center": rect.centerx - wide // 2, "right": rect.right - wide}[align]
    for i, value in enumerate(faces):
        canvas.blit(dice.die(value, size), center=(x + step * i + step / 2, rect.centery))


# figures and words


def rolls(canvas: Canvas, rect: Rect, stage: Stage, made: int, limit: int) -> None:
    """The rolls of a turn: one mark for each allowed roll, filled once the roll is used, and the same in words."""
    size = canvas.px(15)
    step = canvas.px(21)
    marks, words = cut_left(rect, step * limit, canvas.px(4))
    for i in range(limit):
        box = Rect(marks.x + i * step, rect.centery - size // 2, size, size)
        canvas.panel(box, BRASS if i < made else NIGHT, 4, border=None if i < made else INK_FAINT, width=1.5)
    canvas.text(stage.say("board.rolls", made=made, count=limit), words, 17, INK_SOFT, align="left")


def noted(canvas: Canvas, rect: Rect, piece: Surface, text: str, gap: float = 2) -> None:
    """A text at the right end of the rectangle, with a small picture (18 units) before it."""
    size = canvas.px(18)
    words, _ = cut_right(rect, min(rect.width - size, canvas.text_width(text, 17)) + canvas.px(2))
    canvas.text(text, words, 17, INK_SOFT, align="right")
    canvas.blit(piece, center=(words.x - size // 2 - canvas.px(gap), rect.centery))


def labelled(
    canvas: Canvas, rect: Rect, label: str, figure: str, colour: Colour, like: tuple[str, str] = ("", "")
) -> Rect:
    """A label and its figure side by side. Returns the rectangle of the figure.

    `like` is the label and figure of the neighbouring field, which gets the same space and text size.
    """
    canvas.panel(rect, NIGHT, 10, alpha=130)
    inner = inset(rect, canvas.px(9), canvas.px(2))
    longest = max(canvas.text_width(word, 16) for word in (label, like[0]))
    words, rest = cut_left(inner, min(inner.width * 48 // 100, longest + canvas.px(2)), canvas.px(4))
    canvas.text(label, words, 16, INK_SOFT, align="left", lines=2, shrink=0.7)
    size = min(46.0, rect.height / canvas.unit * 0.64)
    pixels = canvas.text_px(size)
    size *= min(writing.fit(text, "display", pixels, rest.size, 1, 0.35).size for text in (figure, like[1])) / pixels
    canvas.text(figure, rest, size, INK_FAINT if figure == NOTHING else colour, "display", "right", shrink=0.9)
    return rest


def filling(canvas: Canvas, height: float, share: float) -> float:
    """The size of a text that fills this share of a height, whatever the text size in the settings."""
    return height / canvas.unit * share / canvas.larger


def bar(canvas: Canvas, rect: Rect, part: float, more: float = 0.0) -> None:
    """A progress bar. `more` is progress that is still at risk, drawn as an outline."""
    canvas.panel(rect, NIGHT, 6, border=INK_FAINT, width=1)
    inner = inset(rect, canvas.px(2))
    done, both = (round(inner.width * max(0.0, min(1.0, share))) for share in (part, part + more))
    if both > done:
        canvas.panel(Rect(inner.x, inner.y, both, inner.height), NIGHT, 4, border=GOLD, width=1.5)
    if done:
        canvas.panel(Rect(inner.x, inner.y, done, inner.height), BRASS, 4)


def tag(
    canvas: Canvas, text: str, center: Point, size: float, colour: Colour, ink: Colour, most: tuple[int, int]
) -> None:
    """A word on a coloured label, no larger than `most` pixels."""
    width = min(most[0], canvas.text_width(text, size, "bold") + canvas.px(14))
    rect = layout.around(center, width, min(most[1], canvas.line_height(size) + canvas.px(2)))
    canvas.panel(rect, colour, 6)
    canvas.text(text, inset(rect, canvas.px(4), 0), size, ink, "bold", shrink=0.6)


def card(canvas: Canvas, center: Point, width: float, height: float) -> Rect:
    """An ivory card that moves across the board. Width and height are in units."""
    rect = layout.around(center, canvas.px(width), canvas.px(height))
    canvas.panel(rect, IVORY, 10, border=BRASS, shadow=True)
    return rect
