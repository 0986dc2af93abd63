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
from table.ui.kiosk.boards import Stage, parts, plates
from table.ui.kiosk.boards.motion import between, eased, part
from table.ui.kiosk.boards.parts import NOTHING
from table.ui.kiosk.boards.plates import Place, Plate
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import cut_bottom, cut_left, cut_top
from table.ui.kiosk.style import BRASS, FELT, GOLD, INK, INK_SOFT, NIGHT, mixed

MOST_HEARTS = 5  # more lives are shown as one heart and a number
RAYS = 14


def draw(canvas: Canvas, area: Rect, view: View, stage: Stage) -> None:
    ring = plates.in_rows(canvas, area, view)
    drawn = [_plate(canvas, place, view, seat, stage) for seat, place in enumerate(ring.places)]
    _middle(canvas, ring.middle, view, stage)
    for seat, plate in enumerate(drawn):
        _lives(canvas, plate, view, seat, stage)
    _moved(canvas, ring.middle, drawn, stage)


def _plate(canvas: Canvas, place: Place, view: View, seat: int, stage: Stage) -> Plate:
    """The figure is the seat's score, or the single die rolled for who starts or who loses."""
    dice, score = view["dice"][seat], view["scores"][seat]
    challenge = view["options"]["mode"] == "challenge"
    single, rolling = len(dice) == 1, stage.showing_of(seat, "rolled")
    unit = stage.say("mexico.board.house" if seat else "mexico.board.challenger") if challenge else ""
    out = view["standing"][seat] == 0 and not _leaving(stage, seat)
    plates.glow(canvas, place.rect, stage, seat, "won", "begins", "tie")
    if rolling:
        score = None
    elif len(dice) == 2 and seat == view["turn"]:
        score = mexico.score(dice)
    figure = "" if single else NOTHING if score is None else str(score)
    reserved = 54 if challenge else 30
    plate = plates.plate(canvas, place, view, seat, stage, figure, unit=unit, out=out, reserved=reserved)
    if single and not out and not rolling:
        parts.small_dice(canvas, plate.figure, dice, "center" if plate.tall else "right", most=44)
    if seat == view["leader"] and not out:
        plates.mark(canvas, plate.face, pieces.star, 18)
    return plate


def _leaving(stage: Stage, seat: int) -> bool:
    """Whether the seat's latest loss is still being shown. The seat is shown as out only afterwards."""
    return stage.showing_of(seat, "lost", "out") is not None


# lives


def _lives(canvas: Canvas, plate: Plate, view: View, seat: int, stage: Stage) -> None:
    lives, rect = view["standing"][seat], plate.rest
    options = view["options"]
    if options["mode"] == "challenge":
        won, rect = cut_bottom(rect, rect.height // 2)
        text = stage.say("mexico.standing.won", count=view["won"][seat])
        canvas.text(text, won, 17, INK_SOFT, align=plate.align, shrink=0.8)
    if lives is None or (lives == 0 and not _leaving(stage, seat)):
        return
    losing = stage.showing_of(seat, "lost")
    falling = losing.facts["lives"] if losing else 0
    most = max(options["lives"], lives + falling)
    size = min(rect.height, canvas.px(26))
    if most > MOST_HEARTS or size * most > rect.width:
        _counted(canvas, rect, lives + (falling if losing and losing.t < 0.3 else 0), size, plate.tall)
        places = [(rect.centerx - size if plate.tall else rect.x + size // 2, rect.centery)] * falling
    else:
        step = min(round(size * 1.1), rect.width // most)
        left = rect.centerx - step * most // 2 if plate.tall else rect.x
        hearts = [(left + step * i + step // 2, rect.centery) for i in range(most)]
        for i, at in enumerate(hearts):
            canvas.blit(heart(size, i < lives), center=at)
        places = hearts[lives : lives + falling]
    if losing:
        for at in places:
            _fall(canvas, at, size, losing.t)


def _counted(canvas: Canvas, rect: Rect, lives: int, size: int, tall: bool) -> None:
    """One heart and the number of lives."""
    left = rect.centerx - size * 3 // 2 if tall else rect.x
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
    inner = parts.tray(canvas, rect)
    seat = view["turn"]
    dice = view["dice"][seat] if seat is not None else []
    single = len(dice) == 1 or (not dice and view["leader"] is None)
    if moment := stage.showing("mexico"):
        _rays(canvas, rect, moment.t)
    top, inner = cut_top(inner, canvas.px(26))
    low, inner = cut_bottom(inner, canvas.px(58), canvas.px(2))
    if single:
        text = stage.say("mexico.board.who_loses" if any(view["scores"]) else "mexico.board.who_begins")
        canvas.text(text, top, 18, INK_SOFT)
    else:
        half, lead = cut_left(top, top.width // 2, canvas.px(6))
        parts.rolls(canvas, half, stage, view["rolls"], view["limit"])
        if view["leader"] is not None:
            _leader(canvas, lead, view, stage)
    parts.hand(canvas, inner, dice, stage, seat, places=1 if single else 2, most=118)
    _reading(canvas, low, view, stage, dice)


def _leader(canvas: Canvas, rect: Rect, view: View, stage: Stage) -> None:
    size = canvas.px(18)
    name, bare = narration.name_of(view, view["leader"]), stage.say("mexico.board.leads", name="")
    free = rect.width - size - writing.width(bare, "bold", canvas.px(plates.SHORT_NAME))
    if writing.width(name, "bold", canvas.px(plates.SMALLEST_NAME)) > free:
        name = plates.shortened(name, free, canvas.px(plates.SHORT_NAME))
    parts.noted(canvas, rect, pieces.star(size), stage.say("mexico.board.leads", name=name))


def _reading(canvas: Canvas, rect: Rect, view: View, stage: Stage, dice: list[int]) -> None:
    """The current score and, next to it, the score to beat or the lowest score so far."""
    left, right = cut_left(rect, rect.width // 2, canvas.px(10))
    read = mexico.score(dice) if len(dice) == 2 and not stage.showing("rolled") else None
    parts.labelled(canvas, left, stage.say("mexico.board.rolled"), _named(read, stage), GOLD)
    others = [score for seat, score in enumerate(view["scores"]) if score is not None and seat != view["turn"]]
    mark = max(others, key=mexico.RANKING.index, default=None)
    label = "mexico.board.to_beat" if view["options"]["mode"] == "challenge" else "mexico.board.lowest"
    parts.labelled(canvas, right, stage.say(label), _named(mark, stage), INK)


def _named(score: int | None, stage: Stage) -> str:
    return stage.say("mexico.hand.mexico") if score == mexico.MEXICO else str(score or NOTHING)


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
            at = between(middle.center, plates.corner(drawn[moment.facts["seat"]].face), t, canvas.px(50))
            canvas.blit(pieces.star(canvas.px(26)), center=at)
        case "won":
            face = drawn[moment.facts["seat"]].face
            drop = eased(part(t, 0, 0.4))
            at = face.centerx, face.top + canvas.px(4) - (1 - drop) * canvas.px(40)
            canvas.blit(pieces.crown(canvas.px(34)), center=at, alpha=round(255 * min(1.0, drop, (1 - t) * 4)))
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
