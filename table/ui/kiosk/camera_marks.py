"""Marks on the camera's picture while dice are read: a box and a value for each die, and dice in question enlarged."""

from collections.abc import Sequence

from pygame import Rect, Surface

from table.session.messages import SeenDie
from table.ui.kiosk import dice as drawn_dice
from table.ui.kiosk.camera_view import CLEAR, around, bounds, closeup, labels
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.entry import FACES, Entering
from table.ui.kiosk.layout import centred, grid, inset
from table.ui.kiosk.style import DARK, GOLD, NIGHT, SKY

COLUMN = 0.36  # the largest share of the width for enlarged dice
GAP = 10  # units between enlarged dice, and between them and the picture


def column(canvas: Canvas, place: Rect, dice: int) -> list[Rect]:
    """A square for each of these dice to be enlarged in, as large as possible, at the right side of a place."""
    if not dice:
        return []
    across, gap = 1 if dice < 3 else 2, canvas.px(GAP)
    down = -(-dice // across)
    side = min((place.height + gap) // down, (round(COLUMN * place.width) + gap) // across) - gap
    whole = centred(place, across * (side + gap) - gap, down * (side + gap) - gap)
    whole.right = place.right
    return grid(whole, across, down, gap)[:dice]


def enlarge(canvas: Canvas, picture: Surface, square: Rect, die: SeenDie, entering: Entering) -> None:
    """Draws a die of the picture enlarged, and the value that it would be entered with."""
    canvas.panel(square, NIGHT, 4, border=GOLD, width=3)
    closeup(canvas, picture, die.corners, inset(square, canvas.px(4)))
    value = die.value if entering.confirming else entering.change or entering.picker.entry
    if value in FACES:
        size = min(canvas.px(60), square.width // 4 - canvas.px(8))
        plate = Rect(0, 0, size + canvas.px(8), size + canvas.px(8))
        plate.bottomright = square.bottomright
        canvas.panel(plate, NIGHT, 10, border=GOLD, width=3)
        canvas.blit(drawn_dice.die(value, size), center=plate.center)


def boxes(canvas: Canvas, picture: Rect, dice: Sequence[SeenDie], entering: Entering | None) -> list[Rect]:
    """Draws a box around each die, with its value. A die in question has a question mark and another colour. During an
    entry, each die can be touched ("die:0") to change it. Returns the places of the dice and their values."""
    asked, entered = (entering.asked, entering.entered) if entering else ((), {})
    side = canvas.px(24)
    seen = [[(picture.x + x * picture.width, picture.y + y * picture.height) for x, y in die.corners] for die in dice]
    frames = [around(corners, canvas.px(CLEAR)) for corners in seen]
    marked = [die in asked or not (die.sure or die in entered) for die in dice]
    for die, mark, frame in zip(dice, marked, frames, strict=True):
        for a, b in zip(frame, [*frame[1:], frame[0]], strict=True):
            canvas.line(a, b, GOLD if mark else SKY, 5 if die in asked else 3)
    sizes = [(side * 3 // 2 if mark else side, side) for mark in marked]
    places = labels([around(frame, canvas.px(CLEAR)) for frame in frames], sizes, picture)
    for number, (die, mark, frame, place) in enumerate(zip(dice, marked, frames, places, strict=True)):
        canvas.panel(place, GOLD if mark else SKY, 6)
        value = entered.get(die, die.value)
        canvas.text(f"{value}?" if mark else str(value), place, 18, DARK, "bold")
        if entering:
            canvas.spot(f"die:{number}", bounds(frame).inflate(canvas.px(12), canvas.px(12)))
    return [*map(bounds, frames), *places]
