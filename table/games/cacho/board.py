"""The board of Cacho: a cup for each player with their remaining dice, and the current bid in the middle.

A closed cup shows only how many dice are under it. Open dice are drawn only if the view contains them. When all dice
are open, those that support the bid are lit.
"""

from collections.abc import Sequence

from pygame import Rect

from table.engine.asks import View
from table.games.cacho import rules as cacho
from table.text.catalogue import Catalogue
from table.ui.kiosk import dice, pieces
from table.ui.kiosk.boards import Stage, parts
from table.ui.kiosk.boards.circle import draw_cup, draw_die, verdict, way
from table.ui.kiosk.boards.motion import between, part, pulse
from table.ui.kiosk.boards.plates import Place, Plate, Ring, in_circle, open_plate, seated
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import cut_bottom, cut_left, cut_right, cut_top, inset
from table.ui.kiosk.show import Hand, Moment
from table.ui.kiosk.style import BAD, DARK, GOLD, INK, INK_FAINT, INK_SOFT

FLAT = 110  # units: if the middle of the board is lower than this, the words are next to the picture
LIFT, COUNTED = 0.2, 0.9  # in the animation of a challenge (0 to 1): when the cups are up, when the last die is counted
TRAIL = 4  # previous bids to show

Lit = dict[tuple[int, int], bool]  # whether a die counts, by seat and position


def draw(canvas: Canvas, area: Rect, view: View, stage: Stage) -> None:
    circle, lit, dealing = view["circle"], _counting(view, stage), stage.showing("drew")
    ring = in_circle(canvas, area, len(circle))
    parts.well(canvas, ring.middle)
    if not dealing:
        for number in range(len(circle)):
            way(canvas, ring, number)
        _middle(canvas, ring.middle, view, stage, lit)
    places = seated(ring, circle, dealing.t if dealing else None)
    plates = {seat: _seat(canvas, place, view, seat, stage, lit) for seat, place in places}
    if stage.moving:
        _movement(canvas, ring, plates, stage, stage.moving)


# a challenge


def _shown(view: View) -> bool:
    """Whether all dice are open because a bid was challenged."""
    hands = [hand for hand in view["dice"] if hand]
    return view["bid"] is not None and bool(hands) and all(None not in hand for hand in hands)


def _counting(view: View, stage: Stage) -> Lit | None:
    """The dice that are lit at this moment; None if nothing is being counted."""
    if not _shown(view):
        return None
    wild = not view["single"]
    found = {
        (seat, place): cacho.count(view["bid"][1], [[value]], wild) == 1
        for seat in view["circle"]
        for place, value in enumerate(view["dice"][seat])
    }
    if moment := stage.showing("challenged"):
        last = int(part(moment.t, LIFT, COUNTED) * sum(found.values()))
        for where, counts in found.items():
            if counts:
                found[where] = last > 0
                last -= 1
    return found


# a player


def _seat(canvas: Canvas, place: Place, view: View, seat: int, stage: Stage, lit: Lit | None) -> Plate:
    left = view["standing"][seat]
    hand = view["dice"][seat]
    out = left == 0 and not hand
    bids = seat == view["bidder"] and view["bid"] is not None
    made = open_plate(canvas, place, view, seat, stage, GOLD if bids else None, out)
    rest = made.rest
    if out:
        canvas.text(stage.say("board.out"), rest, 20, INK_FAINT, "display")
        return made
    if bids:
        _speaks(canvas, made)
    covered = not hand or None in hand
    challenged = stage.showing("challenged")
    lifting = challenged is not None and challenged.t < LIFT
    if made.tall:
        head, rest = cut_top(rest, canvas.px(54), canvas.px(4))
    elif covered or len(hand) < left:
        head, rest = cut_left(rest, min(rest.height, canvas.px(54)) + canvas.px(26), canvas.px(4))
    else:
        head = Rect(rest.x, rest.y, 0, 0)
    if head.width:
        _cup(canvas, head, left, seat, made.tall, stage, raised=not covered)
    faces: Hand = [None] * len(hand) if lifting else hand
    if stage.under and covered:
        faces = stage.under[seat]
    _dice(canvas, rest, faces, seat, stage, None if lifting else lit, made.tall)
    return made


def _speaks(canvas: Canvas, made: Plate) -> None:
    """A speech bubble next to the picture of the player who made the current bid."""
    size = max(canvas.px(18), min(made.face.size) * 42 // 100)
    box = Rect(0, 0, size * 6 // 5, size * 9 // 10)
    box.bottomright = made.face.right + canvas.px(4), made.face.bottom
    canvas.panel(box, DARK, 6)
    canvas.panel(box.inflate(-canvas.px(3), -canvas.px(3)), GOLD, 5)
    for i in (-1, 0, 1):
        canvas.circle((box.centerx + i * size * 0.27, box.centery), max(1.5, size * 0.08), DARK)


def _cup(canvas: Canvas, rect: Rect, left: int, seat: int, tall: bool, stage: Stage, raised: bool) -> None:
    """The cup and the number of dice under it."""
    size = min(rect.height, canvas.px(54))
    wide = size + canvas.px(4 if not tall else 10) + canvas.px(24)
    x, y = (rect.centerx - wide // 2 if tall else rect.x) + size / 2, rect.centery + 0.0
    start = round(x + size / 2) + canvas.px(3)
    number = Rect(start, rect.y, rect.right - start, rect.height)
    draw_cup(canvas, (x, y), size, seat, stage, lifted=raised)
    canvas.text(str(left), number, 24 if not tall else 38, INK, "display", "left")


def _dice(canvas: Canvas, rect: Rect, faces: Hand, seat: int, stage: Stage, lit: Lit | None, tall: bool) -> None:
    if not faces:
        return
    across = (len(faces) + 1) // 2 if tall and len(faces) > 3 else len(faces)
    down = -(-len(faces) // across)
    most = canvas.px(64 if faces[0] is not None else 48 if tall else 36)
    size = min(rect.height // down, most, rect.width // max(across, 3))
    for i, value in enumerate(faces):
        row, column = divmod(i, across)
        in_row = min(across, len(faces) - row * across)
        x = rect.centerx + (column - (in_row - 1) / 2) * size if tall else rect.x + (column + 0.5) * size
        y = rect.centery + (row - (down - 1) / 2) * size
        draw_die(canvas, (x, y), value, size, seat, i, stage, None if lit is None else lit.get((seat, i), False))


# the middle


def _middle(canvas: Canvas, middle: Rect, view: View, stage: Stage, lit: Lit | None) -> None:
    say = stage.say
    inner = inset(middle, canvas.px(12), canvas.px(6))
    if view["starter"] is None:
        canvas.text(say("cacho.board.highest"), inner, 28, INK, "display", lines=3)
        return
    bids = view["bids"]
    chosen = stage.showing("chose")
    if chosen and isinstance(chosen.facts["option"], (tuple, list)):
        bids = bids[:-1]  # the newest bid is still moving
    flat = middle.height < canvas.px(FLAT)
    if flat and bids:  # the picture goes on the left, the words on the right
        picture, inner = cut_left(inner, inner.width * (42 if lit is None else 56) // 100, canvas.px(10))
    foot, inner = cut_bottom(inner, canvas.px(20), canvas.px(1))
    _in_play(canvas, foot, view, stage)
    if not bids:
        text = say("cacho.board.opens", name=view["players"][view["starter"]])
        canvas.text(text, inner, 26, INK, "display", lines=3, shrink=0.35)
        return
    if not flat:
        picture, inner = cut_top(inner, inner.height * (46 if lit is None else 60) // 100, canvas.px(2))
    bidder, bid = bids[-1]
    if lit is not None:
        _count(canvas, picture, inner, view, stage, sum(lit.values()))
        return
    _times(canvas, picture, bid, say, 84)
    before = [old for _, old in bids[-TRAIL - 1 : -1]]
    trail, inner = cut_bottom(inner, canvas.px(22 if flat else 30) if before else 0, canvas.px(1))
    _trail(canvas, trail, before, say)
    words, by = cut_top(inner, inner.height if flat and before else inner.height * 56 // 100)
    canvas.text(say.bid(*bid), words, 32, INK, "display", shrink=0.5)
    if by.height:
        name = say("cacho.board.bid_by", name=view["players"][bidder])
        canvas.text(name, by, 17, INK_SOFT, lines=2, shrink=0.4)


def _in_play(canvas: Canvas, rect: Rect, view: View, stage: Stage) -> None:
    key = "cacho.board.in_play_single" if view["single"] else "cacho.board.in_play"
    words = stage.say(key, count=view["in_play"])
    canvas.text(words, rect, 15, GOLD if view["single"] else INK_SOFT, "bold" if view["single"] else "body", shrink=0.4)


def _times(canvas: Canvas, rect: Rect, bid: Sequence[int], say: Catalogue, most: float) -> None:
    """A bid, for example "3 ×" and a picture of a die."""
    count, face = bid
    size = min(rect.height, canvas.px(most), rect.width // 2)
    text = say("cacho.board.times", count=count)
    tall = parts.filling(canvas, size, 0.7)
    wide = min(canvas.text_width(text, tall, "display") + canvas.px(1), rect.width - size - canvas.px(4))
    x = rect.centerx - (wide + size + canvas.px(4)) // 2
    number = Rect(x, rect.centery - size // 2, wide, size)
    canvas.text(text, number, tall, GOLD, "display", shrink=0.4)
    canvas.blit(dice.die(face, size), center=(x + wide + canvas.px(4) + size / 2, rect.centery))


def _trail(canvas: Canvas, rect: Rect, bids: Sequence[Sequence[int]], say: Catalogue) -> None:
    """The previous bids, oldest first."""
    if not bids:
        return
    size = min(rect.height - canvas.px(2), canvas.px(26))
    texts = [say("cacho.board.times", count=count) for count, _ in bids]
    widths = [canvas.text_width(text, 16, "bold") + canvas.px(2) for text in texts]
    gap = canvas.px(20)
    each = size + canvas.px(2)
    total = sum(widths) + each * len(bids) + gap * (len(bids) - 1)
    while total > rect.width and len(bids) > 1:  # drops the oldest bid
        total -= widths[0] + each + gap
        bids, texts, widths = bids[1:], texts[1:], widths[1:]
    x = rect.centerx - total // 2
    for number, ((_, face), text, wide) in enumerate(zip(bids, texts, widths, strict=True)):
        if number:
            canvas.blit(pieces.arrow(canvas.px(14)), center=(x - gap / 2, rect.centery))
        canvas.text(text, Rect(x, rect.y, wide, rect.height), 16, INK_SOFT, "bold", "left")
        canvas.blit(dice.die(face, size), center=(x + wide + each / 2, rect.centery), alpha=190)
        x += wide + each + gap


def _against(found: int, bid: int) -> str:
    return "more" if found > bid else "exactly" if found == bid else "too_few"


def _count(canvas: Canvas, picture: Rect, words: Rect, view: View, stage: Stage, so_far: int) -> None:
    """The bid, and how many dice have been counted for it so far. After the last die, also the result."""
    say, bid = stage.say, view["bid"]
    challenged = stage.showing("challenged")
    counted = challenged is None or challenged.t >= COUNTED
    enough = so_far >= bid[0]
    left, right = cut_left(picture, picture.width * 57 // 100, canvas.px(6))
    _times(canvas, left, bid, say, 70)
    size = min(right.height, canvas.px(70), right.width * 55 // 100)
    mark, number = cut_right(right, size, canvas.px(4))
    canvas.text(str(so_far), number, parts.filling(canvas, size, 0.9), INK, "display", "right", shrink=0.4)
    if counted:
        verdict(canvas, mark.center, size * 7 // 10, enough)
        text = say(f"cacho.board.{_against(so_far, bid[0])}", count=so_far)
    else:
        text = say.bid(*bid)
    canvas.text(text, words, 24, INK, "display", lines=3, shrink=0.45)


# animations


def _movement(canvas: Canvas, ring: Ring, plates: dict[int, Plate], stage: Stage, moment: Moment) -> None:
    facts, t, middle = moment.facts, moment.t, ring.middle.center
    seat = facts.get("seat")
    if seat not in plates:
        return
    made = plates[seat]
    match moment.kind:
        case "chose":
            at = between(made.rect.center, middle, t, canvas.px(16))
            match facts["option"]:
                case ("bid", bid) | ["bid", bid]:
                    card = parts.card(canvas, at, 112, 52)
                    number, place = cut_left(card, card.width * 52 // 100)
                    canvas.text(stage.say("cacho.board.times", count=bid[0]), number, 30, DARK, "display", "right")
                    canvas.blit(dice.die(bid[1], canvas.px(42)), center=place.center)
                case word:
                    text = stage.say(f"cacho.board.says_{word}")
                    parts.tag(canvas, text, at, 30, GOLD, DARK, (canvas.px(240), canvas.px(60)))
        case "lost":
            _falls(canvas, made, t)
        case "regained":
            size = canvas.px(34)
            at = between(middle, made.rest.center, t, canvas.px(24))
            canvas.blit(dice.tumbling(None, size, min(t, 0.7), moment.turn), center=at)
        case "begins" | "out":
            pulse(canvas, made.face, t)


def _falls(canvas: Canvas, made: Plate, t: float) -> None:
    """A lost die rolls off its owner's plate and fades."""
    size = canvas.px(34)
    x = made.rest.centerx + made.rest.width * 0.3 * t
    y = made.rest.centery - canvas.px(14) * (1 - (2 * t - 0.4) ** 2) + canvas.px(46) * t * t
    canvas.blit(dice.tumbling(None, size, min(0.7, t), 1), center=(x, y), alpha=round(255 * (1 - t * t)))
    at = made.face.centerx, made.face.centery - canvas.px(12) * t
    parts.tag(canvas, "−1", at, 20, BAD, INK, (canvas.px(48), canvas.px(30)))
