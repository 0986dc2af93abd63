"""The board of Mexico: lives as hearts, everyone's score this round, and the roller's dice in the middle.

Scores are always shown with the higher die first (54).
"""

from math import cos, pi, sin

import pygame
from pygame import Rect

from table.engine.asks import View
from table.games.mexico import rules as mexico
from table.games.mexico.pieces import heart
from table.text import narration
from table.ui.kiosk import layout, pieces
from table.ui.kiosk import text as writing
from table.ui.kiosk.boards import Stage, plates
from table.ui.kiosk.boards.plates import NOTHING, Plate, between, corner, eased, showing, showing_of
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import cut_bottom, cut_left, cut_right, cut_top
from table.ui.kiosk.style import BRASS, FELT, GOLD, INK, INK_SOFT, NIGHT, Align, mixed

MOST_HEARTS = 5  # more lives are shown as one heart and a number
RAYS = 14


def draw(canvas: Canvas, area: Rect, view: View, stage: Stage) -> None:
    seats = range(len(view["players"]))
    boxes, middle = plates.around(canvas, area, view)
    drawn = [_plate(canvas, boxes[seat], view, seat, stage) for seat in seats]
    _middle(canvas, middle, view, stage)
    for seat in seats:
        _lives(canvas, drawn[seat], view, seat, stage)
    _moved(canvas, middle, drawn, stage)


def _plate(canvas: Canvas, rect: Rect, view: View, seat: int, stage: Stage) -> Plate:
    """The figure is the seat's score, or the single die rolled for who starts or who loses."""
    dice, score = view["dice"][seat], view["scores"][seat]
    challenge = view["options"]["mode"] == "challenge"
    single = len(dice) == 1
    unit = ""
    if challenge:
        unit = stage.say("mexico.board.house" if seat else "mexico.board.challenger")
    out = view["standing"][seat] == 0 and not _leaving(stage, seat)
    plates.glow(canvas, rect, stage, seat, "won", "begins", "tie")
    if len(dice) == 2 and seat == view["turn"] and not showing_of(stage, seat, "rolled"):
        score = mexico.score(dice)
    elif showing_of(stage, seat, "rolled"):
        score = None
    figure = "" if single else NOTHING if score is None else str(score)
    plate = plates.plate(canvas, rect, view, seat, stage, figure, unit=unit, out=out, extras=54 if challenge else 30)
    if single and not out and not showing_of(stage, seat, "rolled"):
        plates.small_dice(canvas, plate.figure, dice, "center" if plate.align == "center" else "right", most=44)
    if seat == view["leader"] and not out:
        size = max(canvas.px(18), min(plate.face.size) * 2 // 5)
        canvas.blit(pieces.star(size), center=corner(plate.face))
    return plate


def _leaving(stage: Stage, seat: int) -> bool:
    """Whether the seat's latest loss is still being shown. The seat is shown as out only afterwards."""
    return showing_of(stage, seat, "lost", "out") is not None


# lives


def _lives(canvas: Canvas, plate: Plate, view: View, seat: int, stage: Stage) -> None:
    lives, rect = view["standing"][seat], plate.extras
    options = view["options"]
    if options["mode"] == "challenge":
        won, rect = cut_bottom(rect, rect.height // 2)
        count = view["won"][seat]
        text = stage.say("mexico.standing.won", count=count)
        canvas.text(text, won, 17, INK_SOFT, align=plate.align, shrink=0.8)
    if lives is None or (lives == 0 and not _leaving(stage, seat)):
        return
    losing = showing_of(stage, seat, "lost")
    falling = losing.facts["lives"] if losing else 0
    most = max(options["lives"], lives + falling)
    size = min(rect.height, canvas.px(26))
    if most > MOST_HEARTS or size * most > rect.width:
        _counted(canvas, rect, lives + (falling if losing and losing.t < 0.3 else 0), size, plate.align)
        places = [(rect.x + size // 2 if plate.align == "left" else rect.centerx - size, rect.centery)] * falling
    else:
        step = min(round(size * 1.1), rect.width // most)
        left = rect.x if plate.align == "left" else rect.centerx - step * most // 2
        hearts = [(left + step * i + step // 2, rect.centery) for i in range(most)]
        for i, at in enumerate(hearts):
            canvas.blit(heart(size, i < lives), center=at)
        places = hearts[lives : lives + falling]
    if losing:
        for at in places:
            _fall(canvas, at, size, losing.t)


def _counted(canvas: Canvas, rect: Rect, lives: int, size: int, align: Align) -> None:
    """One heart and the number of lives."""
    left = rect.x if align == "left" else rect.centerx - size * 3 // 2
    canvas.blit(heart(size), center=(left + size // 2, rect.centery))
    words = Rect(left + size + canvas.px(3), rect.y, rect.right - left - size - canvas.px(3), rect.height)
    canvas.text(f"×{lives}", words, 19, INK, "bold", "left")


def _fall(canvas: Canvas, at: tuple[int, int], size: int, t: float) -> None:
    """A heart swells, then falls and fades."""
    if t < 0.3:
        canvas.blit(heart(round(size * (1 + sin(t / 0.3 * pi) * 0.6))), center=at)
        return
    down = (t - 0.3) / 0.7
    place = at[0], at[1] + down * down * size * 2.4
    canvas.blit(heart(size), center=place, alpha=round(255 * (1 - down)))


# the middle


def _middle(canvas: Canvas, rect: Rect, view: View, stage: Stage) -> None:
    inner = plates.well(canvas, rect)
    canvas.spot("dice", rect)
    seat = view["turn"]
    dice = view["dice"][seat] if seat is not None else []
    single = len(dice) == 1 or (not dice and view["leader"] is None)
    if moment := showing(stage, "mexico"):
        _rays(canvas, rect, moment.t)
    top, inner = cut_top(inner, canvas.px(26))
    low, inner = cut_bottom(inner, canvas.px(58), canvas.px(2))
    if single:
        canvas.text(
            stage.say("mexico.board.who_begins" if not any(view["scores"]) else "mexico.board.who_loses"),
            top,
            18,
            INK_SOFT,
        )
    else:
        half, lead = cut_left(top, top.width // 2, canvas.px(6))
        plates.rolls(canvas, half, stage, view["rolls"], view["limit"])
        if view["leader"] is not None:
            _leader(canvas, lead, view, stage)
    plates.hand(canvas, inner, dice, stage, seat, places=1 if single else 2, most=118)
    _reading(canvas, low, view, stage, dice)


def _leader(canvas: Canvas, rect: Rect, view: View, stage: Stage) -> None:
    size = canvas.px(18)
    name, bare = narration.name_of(view, view["leader"]), stage.say("mexico.board.leads", name="")
    free = rect.width - size - writing.width(bare, "bold", canvas.px(plates.SHORT_NAME))
    if writing.width(name, "bold", canvas.px(plates.SMALLEST_NAME)) > free:
        name = plates.shortened(name, free, canvas.px(plates.SHORT_NAME))
    text = stage.say("mexico.board.leads", name=name)
    wide = min(rect.width - size, canvas.text_width(text, 17)) + canvas.px(2)
    words, _ = cut_right(rect, wide)
    canvas.text(text, words, 17, INK_SOFT, align="right")
    canvas.blit(pieces.star(size), center=(words.x - size // 2 - canvas.px(2), rect.centery))


def _reading(canvas: Canvas, rect: Rect, view: View, stage: Stage, dice: list[int]) -> None:
    """The current score next to the score to beat, or the lowest score so far."""
    left, right = cut_left(rect, rect.width // 2, canvas.px(10))
    flying = showing(stage, "rolled")
    read = mexico.score(dice) if len(dice) == 2 and not flying else None
    plates.labelled(
        canvas, left, stage.say("mexico.board.rolled"), NOTHING if read is None else _named(read, stage), GOLD
    )
    others = [score for seat, score in enumerate(view["scores"]) if score is not None and seat != view["turn"]]
    mark = max(others, key=mexico.RANKING.index, default=None)
    label = "mexico.board.to_beat" if view["options"]["mode"] == "challenge" else "mexico.board.lowest"
    plates.labelled(canvas, right, stage.say(label), NOTHING if mark is None else _named(mark, stage), INK)


def _named(score: int, stage: Stage) -> str:
    return stage.say("mexico.hand.mexico") if score == mexico.MEXICO else str(score)


# animations


def _moved(canvas: Canvas, middle: Rect, drawn: list[Plate], stage: Stage) -> None:
    moment = stage.moving
    if moment is None:
        return
    t = moment.t
    match moment.kind:
        case "mexico":
            grown = 1 - (1 - min(1.0, t / 0.35)) ** 3
            side = round(middle.height * 0.56 * grown * min(1.0, (1 - t) * 6))
            box = layout.around((middle.centerx, middle.centery - canvas.px(14)), side, side)
            canvas.panel(box, NIGHT, side, border=GOLD, width=4)
            if side > canvas.px(30):
                canvas.text(str(mexico.MEXICO), box, 90 * side / middle.height / 0.56, GOLD, "display", shrink=0.2)
        case "begins":
            to = corner(drawn[moment.facts["seat"]].face)
            at = between(middle.center, to, eased(t), canvas.px(50))
            canvas.blit(pieces.star(canvas.px(26)), center=at)
        case "won":
            face = drawn[moment.facts["seat"]].face
            size = canvas.px(34)
            drop = eased(min(1.0, t / 0.4))
            at = face.centerx, face.top + canvas.px(4) - (1 - drop) * canvas.px(40)
            canvas.blit(pieces.crown(size), center=at, alpha=round(255 * min(1.0, drop, (1 - t) * 4)))
        case "tie":
            box = layout.around(middle.center, canvas.px(110), canvas.px(90))
            canvas.panel(box, NIGHT, 20, border=GOLD, alpha=round(230 * min(1.0, (1 - t) * 4)))
            canvas.text("=", box, 80, GOLD, "display")


def _rays(canvas: Canvas, rect: Rect, t: float) -> None:
    """Turning sun rays behind the dice."""
    colour = mixed(FELT, BRASS, 0.4 + 0.4 * sin(pi * t))
    far = rect.height * 0.48 * sin(pi * t) ** 0.5
    old = canvas.surface.get_clip()
    canvas.surface.set_clip(rect.clip(old))
    x, y = rect.centerx, rect.centery - canvas.px(14)
    for i in range(RAYS):
        a = 2 * pi * (i + t * 1.5) / RAYS
        b = a + pi / RAYS
        corners = [(x, y), (x + far * cos(a), y + far * sin(a)), (x + far * cos(b), y + far * sin(b))]
        pygame.draw.polygon(canvas.surface, colour, corners)
    canvas.surface.set_clip(old)
