"""The board of Pass the Cheese: the points at risk next to the banked points, the roll, and the dice set aside.

Points at risk never look like banked points: they have their own place, and on a bar they are
hollow.
"""

from typing import cast

from pygame import Rect

from table.engine.asks import View
from table.games.cheese.pieces import CardKind, card, cheese
from table.games.cheese.rules import DICE
from table.ui.kiosk import dice, pieces
from table.ui.kiosk import text as writing
from table.ui.kiosk.boards import Stage, parts, plates
from table.ui.kiosk.boards.motion import between, eased, part
from table.ui.kiosk.boards.plates import Place, Plate
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import centred, columns, cut_bottom, cut_right, cut_top, inset
from table.ui.kiosk.style import FELT_DARK, GOLD, INK, INK_SOFT, NIGHT, mixed

STEPS = 50  # while points count up on the screen, they change in steps of this size


def draw(canvas: Canvas, area: Rect, view: View, stage: Stage) -> None:
    ring = plates.in_rows(canvas, area, view)
    risk, banked = _points(view, stage)
    drawn = [_plate(canvas, place, view, seat, stage, risk, banked[seat]) for seat, place in enumerate(ring.places)]
    risk_at = _middle(canvas, ring.middle, view, stage, _seat(view, stage), risk, banked)
    _moved(canvas, ring.middle, drawn, risk_at, stage)


def _seat(view: View, stage: Stage) -> int:
    """The seat whose dice and points are shown in the middle: the seat whose turn it is or, after the game, the seat
    that reached the goal first."""
    seat = view["turn"]
    if seat is None and stage.moment is not None:
        seat = stage.moment.facts.get("seat")
    if seat is None:
        dealt = (s for s, hand in enumerate(view["dice"]) if hand)
        seat = view["finisher"] if view["finisher"] is not None else next(dealt, 0)
    return int(seat)


def _points(view: View, stage: Stage) -> tuple[int, list[int]]:
    """The points at risk and everyone's banked points at this moment of the animation."""
    risk, banked = view["points"], list(view["standing"])
    moment = stage.moment
    if moment is None:
        return risk, banked
    if moment.kind == "cut":
        risk = moment.facts["points"] if moment.t < 0.3 else 0
    elif moment.kind == "banked" and moment.t < 1:
        still = moment.facts["points"] - _run(moment.facts["points"], part(moment.t, 0.4, 1))
        banked[moment.facts["seat"]] -= still
        risk = moment.facts["points"] if moment.t < 0.1 else 0
    elif moment.kind == "passed" and moment.t < 1:
        risk -= moment.facts["bonus"] - _run(moment.facts["bonus"], moment.t)
    return risk, banked


def _run(points: int, t: float) -> int:
    return round(points * t / STEPS) * STEPS if t < 1 else points


# plates


def _plate(canvas: Canvas, place: Place, view: View, seat: int, stage: Stage, risk: int, banked: int) -> Plate:
    goal = view["options"]["goal"]
    plates.glow(canvas, place.rect, stage, seat, "passed", "banked", "last_turns")
    unit = stage.say("cheese.board.goal", goal=goal)
    plate = plates.plate(canvas, place, view, seat, stage, str(banked), unit=unit, reserved=22)
    way = centred(plate.rest, plate.rest.width, canvas.px(14 if plate.tall else 12))
    if not plate.tall and plate.rest.height > canvas.px(24):
        way.bottom = plate.rest.bottom - canvas.px(4)
    parts.bar(canvas, way, banked / goal, risk / goal if seat == view["turn"] else 0.0)
    if seat == view["finisher"]:
        plates.mark(canvas, plate.face, pieces.crown, 20, right=True)
    return plate


# the middle


def _middle(
    canvas: Canvas, rect: Rect, view: View, stage: Stage, seat: int, risk: int, banked: list[int]
) -> tuple[int, int]:
    """Draws the middle of the board. Returns where the points at risk are."""
    inner = parts.tray(canvas, rect)
    top, inner = cut_top(inner, inner.height * 23 // 100, canvas.px(4))
    tray, inner = cut_bottom(inner, canvas.px(42), canvas.px(2))
    if view["card"]:
        middle = centred(top, round(top.height * 5 / 7) + canvas.px(8), top.height)
        left = Rect(top.x, top.y, middle.x - top.x, top.height)
        right = Rect(middle.right, top.y, top.right - middle.right, top.height)
        _card(canvas, middle, view["card"], stage)
    else:
        left, right = columns(top, 2, canvas.px(8))
    at_risk = stage.say("cheese.board.risk"), str(risk)
    safe = stage.say("cheese.board.banked"), str(banked[seat])
    risk_at = parts.labelled(canvas, left, *at_risk, GOLD, like=safe)
    parts.labelled(canvas, right, *safe, INK, like=at_risk)
    faces = view["dice"][seat]
    keeping = _keeping(stage)
    cut = stage.moment is not None and stage.moment.kind == "cut"
    places = len(faces) or view["left"]
    boxes = parts.hand(canvas, inner, faces, stage, seat, places=places, most=92, gone=keeping, dim=cut)
    slots = _tray(canvas, tray, view["kept"], stage)
    for i, place in enumerate(keeping):
        _set_aside(canvas, boxes[place], slots[min(DICE - 1, len(view["kept"]) + i)], faces[place], stage)
    return risk_at.center


def _keeping(stage: Stage) -> tuple[int, ...]:
    """The positions of the dice that are being set aside."""
    moment = stage.moment
    if moment is None or moment.kind != "chose" or moment.facts["option"][0] != "keep":
        return ()
    return tuple(moment.facts["option"][1])


def _set_aside(canvas: Canvas, box: Rect, slot: Rect, value: int, stage: Stage) -> None:
    """A die that moves into the tray. The die shrinks in three steps, because each size is a separate picture."""
    assert stage.moment is not None
    t = stage.moment.t
    size = box.width + (slot.width - box.width) * round(eased(t) * 3) // 3
    canvas.blit(dice.die(value, size), center=between(box.center, slot.center, t, canvas.px(12)))


def _tray(canvas: Canvas, rect: Rect, kept: list[int], stage: Stage) -> list[Rect]:
    """The dice set aside, and empty places for the others."""
    canvas.panel(rect, mixed(NIGHT, FELT_DARK, 0.5), 10, alpha=170)
    inner = inset(rect, canvas.px(9), canvas.px(4))
    size = inner.height
    step = min(round(size * 1.1), inner.width * 7 // 10 // DICE)
    size = min(size, step)
    dice_at, words = cut_right(inner, step * DICE, canvas.px(6))
    canvas.text(stage.say("cheese.board.kept"), words, 16, INK_SOFT, align="left", shrink=0.6)
    slots = [
        Rect(dice_at.x + step * i + (step - size) // 2, inner.centery - size // 2, size, size) for i in range(DICE)
    ]
    for slot, value in zip(slots, [*kept, *[None] * (DICE - len(kept))], strict=True):
        if value is None:
            parts.hollow(canvas, slot)
        else:
            canvas.blit(dice.die(value, size), center=slot.center)
    return slots


def _card(canvas: Canvas, rect: Rect, kind: str, stage: Stage) -> None:
    """The card of this turn. While the card is being drawn, it comes in from above, face down."""
    y = float(rect.centery)
    shown: CardKind = cast(CardKind, kind)
    if moment := stage.showing("drew"):
        y -= (1 - eased(part(moment.t, 0, 0.5))) * canvas.px(60)
        shown = "back" if moment.t < 0.6 else shown
    canvas.blit(card(rect.height, shown), center=(rect.centerx, y))


# animations


def _moved(canvas: Canvas, middle: Rect, drawn: list[Plate], risk_at: tuple[int, int], stage: Stage) -> None:
    moment = stage.moving
    if moment is None:
        return
    t, facts = moment.t, moment.facts
    size = min(canvas.px(150), middle.height // 2)
    match moment.kind:
        case "cut":
            fading = round(255 * min(1.0, t * 6, (1 - t) * 4))
            canvas.blit(cheese(size, cut=t > 0.3), center=middle.center, alpha=fading)
            if facts["points"] and t >= 0.3:
                down = (t - 0.3) / 0.7
                start, end = risk_at[1] + canvas.px(48), middle.bottom - canvas.px(60)
                _number(canvas, (risk_at[0], start + (end - start) * down * down), f"−{facts['points']}", down**3)
        case "passed":
            at = between((middle.left + size / 2, middle.centery), (middle.right - size / 2, middle.centery), t)
            canvas.blit(cheese(size), center=at, alpha=round(255 * min(1.0, t * 6, (1 - t) * 4)))
            if facts["bonus"]:
                _number(canvas, (risk_at[0], risk_at[1] + canvas.px(50)), f"+{facts['bonus']}", max(0.0, t * 4 - 3))
        case "banked":
            to = drawn[facts["seat"]].figure.center
            if 0.1 <= t < 0.5 and facts["points"]:
                _number(canvas, between(risk_at, to, (t - 0.1) / 0.4, canvas.px(30)), f"+{facts['points']}", 0.0)


def _number(canvas: Canvas, at: tuple[float, float], text: str, fading: float) -> None:
    """Points that fly across the board, on a small plate of their own so that they can be read over any text."""
    fitted = writing.fit(text, "display", canvas.text_px(28), canvas.area.size)
    picture = writing.drawn(fitted.lines[0], fitted.size, GOLD)
    box = picture.get_rect().inflate(canvas.px(24), canvas.px(6))
    box.center = round(at[0]), round(at[1])
    alpha = round(255 * (1 - fading))
    canvas.panel(box, NIGHT, 20, border=GOLD, alpha=alpha)
    canvas.blit(picture, center=box.center, alpha=alpha)
