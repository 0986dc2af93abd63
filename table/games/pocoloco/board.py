"""The board of PocoLoco: everyone's chips, the order of the round, each finished hand, and the roller's dice.

A hand is shown with both its dice and its name, so that no one has to know the ranking by heart.
"""

from pygame import Rect

from table.engine.asks import View
from table.games.pocoloco.pieces import chip
from table.games.pocoloco.words import called
from table.ui.kiosk import pieces
from table.ui.kiosk.boards import Stage, parts, plates
from table.ui.kiosk.boards.motion import between
from table.ui.kiosk.boards.parts import NOTHING
from table.ui.kiosk.boards.plates import Place, Plate
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import centred, columns, cut_bottom, cut_left, cut_top, rows
from table.ui.kiosk.show import Moment
from table.ui.kiosk.style import DARK, GOLD, INK

IN_FLIGHT = 0.45  # the fraction of the animation during which one chip flies


def draw(canvas: Canvas, area: Rect, view: View, stage: Stage) -> None:
    ring, chips = plates.in_rows(canvas, area, view), _chips(view, stage)
    drawn = [_plate(canvas, place, view, seat, stage, chips[seat]) for seat, place in enumerate(ring.places)]
    places = _middle(canvas, ring.middle, view, stage)
    if moment := stage.showing("chips"):
        _fly(canvas, drawn, moment)
    elif (moment := stage.showing("drew")) and moment.facts["kind"] == "order":
        _draw_order(canvas, drawn, places, view, stage, moment.t)


# plates


def _plate(canvas: Canvas, place: Place, view: View, seat: int, stage: Stage, chips: int) -> Plate:
    order, high = view["order"], place.rect.height
    badge = str(order.index(seat) + 1) if seat in order and not _still_drawn(view, stage, seat) else ""
    _glow(canvas, place.rect, stage, seat)
    roomy = high >= canvas.px(270)
    unit = stage.say("pocoloco.board.chips", count=chips) if roomy or high < canvas.px(plates.TALL) else ""
    figure, reserved = str(chips), 98 if roomy else 78
    plate = plates.plate(canvas, place, view, seat, stage, figure, unit=unit, badge=badge, icon=chip, reserved=reserved)
    hand = plate.rest
    if plate.tall:
        piles, hand = cut_top(hand, canvas.px(40), canvas.px(6 if roomy else 8))
        _piles(canvas, piles, chips)
    rank = view["ranks"][seat]
    if rank is None or stage.showing_of(seat, "rolled"):
        if plate.tall:  # a tall plate has empty places until the hand is complete
            for box in columns(centred(hand, canvas.px(94), min(hand.height, canvas.px(28))), 3, canvas.px(3)):
                parts.hollow(canvas, centred(box, box.height, box.height))
        return plate
    _hand(canvas, hand, view["dice"][seat], rank, stage, plate)
    if rank == _best(view):
        plates.mark(canvas, plate.face, pieces.crown, 20, right=True)
    return plate


def _glow(canvas: Canvas, rect: Rect, stage: Stage, seat: int) -> None:
    moment = stage.moment
    if moment and moment.kind == "drew" and moment.facts["kind"] == "pick" and seat in moment.facts["drawn"]:
        plates.glow(canvas, rect, stage, seat, "drew")
    elif moment and moment.kind == "chips" and seat == moment.facts["winner"]:
        plates.glow(canvas, rect, stage, seat, "chips")


def _hand(canvas: Canvas, rect: Rect, faces: list[int], rank: list[int], stage: Stage, plate: Plate) -> None:
    """The three dice with their name below, or after them if there is little height."""
    word = _short(rank, stage)
    if rect.height >= canvas.px(42):
        top, low = rows(rect, 2)
        parts.small_dice(canvas, top, faces, plate.align, most=28)
        canvas.text(word, low, 17, INK, "bold", plate.align)
        return
    wide = max(canvas.text_width(one, 15, "bold") for one in (word, stage.say("pocoloco.hand.poco"))) + canvas.px(1)
    gap = canvas.px(4)
    size = min(rect.height, canvas.px(28), round((rect.width - gap - wide) / 3.36))
    size = max(size, min(rect.height, canvas.px(14)))
    if plate.tall:
        rect = centred(rect, round(size * 3.36) + gap + wide, rect.height)
    few, words = cut_left(rect, round(size * 3.36), gap)
    parts.small_dice(canvas, few, faces, most=28)
    canvas.text(word, words, 15, INK, "bold", "left")


def _short(rank: list[int], stage: Stage) -> str:
    chips, value = rank
    if chips == 4:
        return stage.say("pocoloco.hand.poco")
    if chips == 2:
        return stage.say("pocoloco.hand.loco")
    return str(value) * 3 if chips == 3 else str(value)


def _best(view: View) -> list[int] | None:
    return max((rank for rank in view["ranks"] if rank is not None), default=None)


def _piles(canvas: Canvas, rect: Rect, chips: int) -> None:
    """Chips in piles of five, or in taller piles if there are many."""
    size = canvas.px(25)
    most = max(1, rect.width // (size + canvas.px(3)))
    high = max(5, -(-chips // most))
    piles = -(-chips // high)
    lift = min(canvas.px(4), (rect.height - size) // max(1, min(high, 20) - 1)) or 1
    left = rect.centerx - (size + canvas.px(3)) * piles // 2
    for i in range(piles):
        for k in range(min(high, chips - i * high, 20)):
            x = left + (size + canvas.px(3)) * i + size // 2
            canvas.blit(chip(size), center=(x, rect.bottom - size // 2 - lift * k))


# the middle


def _middle(canvas: Canvas, rect: Rect, view: View, stage: Stage) -> list[Rect]:
    """Draws the middle of the board. Returns where each player's picture is, in this round's order."""
    inner = parts.tray(canvas, rect)
    seat = view["turn"]
    if seat is None:  # shows the best hand between rounds and at the end
        seat = next((s for s, rank in enumerate(view["ranks"]) if rank is not None and rank == _best(view)), None)
    faces = view["dice"][seat] if seat is not None else []
    top, inner = cut_top(inner, canvas.px(26))
    low, inner = cut_bottom(inner, canvas.px(34), canvas.px(4))
    text, inner = cut_bottom(inner, canvas.px(46), canvas.px(2))
    made, worth = cut_left(top, top.width // 2, canvas.px(6))
    parts.rolls(canvas, made, stage, view["rolls"] if faces else 0, view["limit"])
    parts.hand(canvas, inner, faces, stage, seat, places=3, most=104)
    left, right = cut_left(text, text.width * 60 // 100, canvas.px(8))
    known = len(faces) == 3 and not stage.showing("rolled")
    name = called(faces, stage.say) if known else NOTHING
    parts.labelled(canvas, left, stage.say("pocoloco.board.hand"), name, GOLD)
    best = _best(view)
    if seat is not None and stage.showing_of(seat, "rolled") and best == view["ranks"][seat]:
        best = max((rank for s, rank in enumerate(view["ranks"]) if rank is not None and s != seat), default=None)
    short = NOTHING if best is None else _short(best, stage)
    parts.labelled(canvas, right, stage.say("pocoloco.board.best"), short, INK)
    if best is not None:  # the chips that everyone gives if this hand wins
        each = stage.say("pocoloco.board.each", count=best[0])
        parts.noted(canvas, worth, chip(canvas.px(18)), each, gap=3)
    return _order(canvas, low, view, stage)


def _order(canvas: Canvas, rect: Rect, view: View, stage: Stage) -> list[Rect]:
    """The players in this round's order. Players who are done have a tick, and the current player has a ring."""
    order = view["order"]
    if not order:
        return []
    step = min(canvas.px(44), rect.width // len(order))
    size = min(rect.height - canvas.px(4), step - canvas.px(2))
    left = rect.centerx - step * len(order) // 2
    found = []
    for i, seat in enumerate(order):
        box = Rect(left + step * i + (step - size) // 2, rect.centery - size // 2, size, size)
        found.append(box)
        if _still_drawn(view, stage, seat):
            continue
        plays, done = seat == view["turn"], view["ranks"][seat] is not None
        picture = pieces.avatar(view["players"][seat], size, seat in stage.computers)
        canvas.blit(picture, center=box.center, alpha=255 if plays or done else 130)
        if plays:
            canvas.ring(box.center, size / 2 + canvas.px(2), GOLD, 2.5)
        elif done:
            tick = max(canvas.px(12), size // 2)
            canvas.circle(box.move(size // 3, size // 3).center, tick / 2, DARK)
            canvas.blit(pieces.sign("tick", tick * 3 // 4, GOLD), center=box.move(size // 3, size // 3).center)
    return found


# animations


def _chips(view: View, stage: Stage) -> list[int]:
    """Everyone's chips at this moment. Chips that are flying are counted for no one."""
    chips = list(view["standing"])
    moment = stage.showing("chips")
    if moment is None:
        return chips
    t, loser = moment.t, moment.facts["loser"]
    for giver, start in _flights(moment.facts["given"]):
        if t < start:
            chips[giver] += 1
        if t < start + IN_FLIGHT:
            chips[loser] -= 1
    return chips


def _flights(given: list[int]) -> list[tuple[int, float]]:
    """The giver and start time of each flying chip. The givers take turns."""
    flights = [(giver, k) for k in range(max(given)) for giver, count in enumerate(given) if k < count]
    return [(giver, (1 - IN_FLIGHT) * i / len(flights)) for i, (giver, _) in enumerate(flights)]


def _fly(canvas: Canvas, drawn: list[Plate], moment: Moment) -> None:
    facts, t = moment.facts, moment.t
    to = drawn[facts["loser"]].figure.center
    size = canvas.px(26)
    for giver, start in _flights(facts["given"]):
        own = (t - start) / IN_FLIGHT
        if 0 <= own < 1:
            start_at = drawn[giver].figure.center
            far = ((to[0] - start_at[0]) ** 2 + (to[1] - start_at[1]) ** 2) ** 0.5
            at = between(start_at, to, own, far * 0.06)
            canvas.blit(chip(size), center=at)


def _still_drawn(view: View, stage: Stage, seat: int) -> bool:
    """Whether this seat's place in the order has yet to be drawn in the current animation."""
    moment = stage.showing("drew")
    if moment is None or moment.facts["kind"] != "order":
        return False
    order = view["order"]
    return seat in order and moment.t * len(order) < order.index(seat) + 1


def _draw_order(canvas: Canvas, drawn: list[Plate], places: list[Rect], view: View, stage: Stage, t: float) -> None:
    """The picture of the player whose place is being drawn moves from the plate to that place."""
    along = t * len(places)
    i = min(len(places) - 1, int(along))
    seat, box = view["order"][i], places[i]
    at = between(drawn[seat].face.center, box.center, along - i, canvas.px(20))
    canvas.blit(pieces.avatar(view["players"][seat], box.width, seat in stage.computers), center=at)
