"""The board of Bluff: the players in playing order, around the current claim.

Dice are drawn only if the view or the stage contains them. Other dice are drawn as a closed cup.
"""

from collections.abc import Sequence

from pygame import Rect

from table.engine.asks import Choose, View
from table.games.bluff.pieces import shield
from table.games.bluff.rules import CALLS, CARD
from table.ui.kiosk import dice, layout, pieces
from table.ui.kiosk.boards import Stage, parts
from table.ui.kiosk.boards.circle import bubble, draw_cup, draw_die, sidelined, strip, verdict, way
from table.ui.kiosk.boards.motion import between, part, pulse
from table.ui.kiosk.boards.plates import Place, Plate, Ring, in_circle, open_plate, seated
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import centred, cut_bottom, cut_left, cut_right, cut_top, inset
from table.ui.kiosk.show import Moment
from table.ui.kiosk.style import BRASS, DARK, GOLD, INK, INK_SOFT, IVORY, NIGHT, ORANGE, SKY, Colour

FLAT = 110  # if the middle has fewer units of height, the words are next to the picture
ARRIVED = 0.9  # the fraction of an animation during which numbers fly
LIFT = 0.45  # the fraction of a call's animation during which the cup is lifted
ROLES: dict[str, Colour] = {"claimant": GOLD, "caller": SKY}


def draw(canvas: Canvas, area: Rect, view: View, stage: Stage) -> None:
    seats = range(len(view["players"]))
    circle = view["circle"] or list(seats)
    others = [seat for seat in seats if seat not in circle]
    if others:
        aside, area = cut_right(area, area.width * 22 // 100, canvas.px(12))
        sidelined(canvas, aside, stage.say("bluff.board.watching"), view, others, stage)
    ring = in_circle(canvas, area, len(circle))
    if (scored := stage.showing("scored")) and scored.t < ARRIVED:
        view = _before_gains(view, scored)
    parts.well(canvas, ring.middle)
    words = _middle(canvas, ring.middle, view, stage)
    places = seated(ring, circle, _dealing(stage))
    plates = {seat: _seat(canvas, place, view, seat, stage) for seat, place in places}
    if _dealing(stage) is None:
        claimant = None if _rolling_off(view) else view["claimant"]
        for number, seat in enumerate(circle):
            way(canvas, ring, number, seat == claimant, words)
    if stage.moving:
        _movement(canvas, ring, plates, stage, stage.moving)


def needs_look(ask: Choose) -> bool:
    """Whether the player must peek before choosing. A call is about another player's dice, and when the card can be
    played, the player's own dice are already open."""
    return ask.options not in (CALLS, CARD)


def _before_gains(view: View, moment: Moment) -> View:
    """The previous scores, shown while the points are still flying."""
    scores = list(view["standing"])
    facts = moment.facts
    for seat, gain in zip((facts["claimant"], facts["caller"]), facts["gains"], strict=True):
        scores[seat] -= gain
    return {**view, "standing": scores}


def _dealing(stage: Stage) -> float | None:
    """The progress of the animation that draws the playing order; None if it is not running."""
    moment = stage.showing("drew")
    return moment.t if moment and moment.facts["kind"] == "order" else None


def _rolling_off(view: View) -> bool:
    """Whether tied players are rolling off (simple rules): everyone has claimed, and either the hands have been cleared
    or all the new dice are open."""
    if view["options"]["rules"] != "simple" or not view["claims"] or None in view["claims"]:
        return False
    hands = view["dice"]
    if not all(hands):
        return True
    tied = view["standing"].count(max(view["standing"])) > 1
    return tied and view["turn"] != view["caller"] and all(None not in hand for hand in hands)


def _called(view: View) -> bool:
    claimant = view["claimant"]
    return (
        view["claim"] is not None
        and bool(view["dice"][claimant])
        and None not in view["dice"][claimant]
        and not _rolling_off(view)
    )


# a player


def _seat(canvas: Canvas, place: Place, view: View, seat: int, stage: Stage) -> Plate:
    out = _rolling_off(view) and view["standing"][seat] < max(view["standing"])
    role = None if _rolling_off(view) else next((role for role in ROLES if view[role] == seat), None)
    made = open_plate(canvas, place, view, seat, stage, ROLES[role] if role else None, out)
    if seat == view["leader"]:  # a star on the leader's picture
        size = max(canvas.px(18), min(made.face.size) * 45 // 100)
        canvas.blit(pieces.star(size), center=(made.face.right - size // 4, made.face.bottom - size // 3))
    row = Rect(made.rest)
    if made.tall:
        foot, row = cut_bottom(row, canvas.px(46), canvas.px(2))
        label, row = cut_bottom(row, canvas.px(26), canvas.px(2))
        _figures(canvas, foot, view, seat, stage.say("bluff.board.points", count=view["standing"][seat]))
    elif row.height >= canvas.px(50):
        label, lower = cut_top(row, canvas.px(22))
        row.width = _figures(canvas, lower, view, seat).width
        label = cut_right(label, label.width - row.width)[0]
    else:
        row = _figures(canvas, row, view, seat)
        shown = view["dice"][seat] and None not in view["dice"][seat]
        spare = row.width - canvas.px(90 if shown else 64)
        label, row = cut_right(row, min(spare, canvas.px(90)) if spare >= canvas.px(46) else 0, canvas.px(4))
    if role:
        _role(canvas, label, role, view, stage)
    if out:
        canvas.text(stage.say("bluff.board.watching_one"), row, 15, INK_SOFT, align="left")
    else:
        _hand(canvas, row, view, seat, stage, made.tall)
    return made


def _role(canvas: Canvas, rect: Rect, role: str, view: View, stage: Stage) -> None:
    words = {key: stage.say(f"bluff.board.{key}") for key in (*ROLES, "has_called")}
    # Unless every word would fit, there are no labels, and only the arrow shows the roles.
    if max(canvas.text_width(each, 15, "bold") for each in words.values()) * 0.7 + canvas.px(10) < rect.width:
        word = words["has_called" if role == "caller" and _called(view) else role]
        parts.tag(canvas, word, rect.center, 15, ROLES[role], DARK, rect.size)


def _figures(canvas: Canvas, rect: Rect, view: View, seat: int, unit: str = "") -> Rect:
    """Draws the score, the immunity card and the games won before, starting from the right. Returns the rest of the
    row."""
    rest = rect
    if unit:
        words, rest = cut_right(rest, min(rest.width // 3, canvas.text_width(unit, 16)), canvas.px(5))
        canvas.text(unit, words, 16, INK_SOFT, align="left")
    score = str(view["standing"][seat])
    big = 26 if rect.height < canvas.px(40) else 34
    box, rest = cut_right(rest, min(rest.width // 3, canvas.text_width(score, big, "display")), canvas.px(5))
    canvas.text(score, box, big, GOLD if view["turn"] == seat else INK, "display", "right", shrink=0.4)
    mark = min(rect.height, canvas.px(26))
    options = view["options"]
    cut = cut_left if unit else cut_right
    if options["rules"] == "full" and options["immunity"]:
        card = shield(mark, used=not view["cards"][seat])
        box, rest = cut(rest, card.get_width(), canvas.px(4))
        canvas.blit(card, center=box.center)
    if options["wins"][seat]:
        wins = str(options["wins"][seat])
        wide = min(canvas.text_width(wins, 15, "bold"), canvas.px(34))
        box, rest = cut(rest, canvas.px(18) + wide, canvas.px(6))
        crown, number = cut_left(box, canvas.px(17), canvas.px(1))
        canvas.blit(pieces.crown(crown.width), center=(crown.centerx, rect.centery - canvas.px(1)))
        canvas.text(wins, number, 15, INK_SOFT, "bold", "right", shrink=0.4)
    return rest


def _hand(canvas: Canvas, rect: Rect, view: View, seat: int, stage: Stage, in_middle: bool) -> None:
    """The cup or the open dice, and the player's claim in this round."""
    hand = view["dice"][seat]
    claim = view["claims"][seat] if view["claims"] and not _rolling_off(view) else None
    chosen, called = stage.showing("chose"), stage.showing("called")
    flying = chosen is not None and chosen.facts["option"][0] == "claim"
    spoken = 0 if claim is None else canvas.px(44 if in_middle else 26)
    air = canvas.px(4 if spoken else 0)
    covered = called is not None and called.facts["claimant"] == seat and called.t < LIFT  # not lifted yet
    open_ = bool(hand) and None not in hand and not covered
    under = stage.under[seat] if stage.under and hand and not open_ else ()
    known = [value for value in under if value is not None]
    size = min(rect.height, canvas.px(72 if in_middle else 44), (rect.width - spoken - air) // 2)
    cup = min(rect.height, canvas.px(84 if in_middle else 44), rect.width - spoken - air)
    wide = (len(hand) * size if open_ or known else cup) + spoken + air
    x, y = rect.centerx - wide // 2 if in_middle else rect.x, rect.centery
    if open_:
        for i, value in enumerate(hand):
            draw_die(canvas, (x + size * (i + 0.5), y), value, size, seat, i, stage, None)
        x += len(hand) * size
    elif known:  # a transparent cup
        canvas.blit(pieces.cup(cup), center=(x + len(hand) * size / 2, y), alpha=150)
        small = size * 4 // 5
        for i, value in enumerate(known):
            center = x + size * len(hand) / 2 + small * (i - (len(hand) - 1) / 2), y + (cup - small) / 2
            canvas.blit(dice.die(value, small), center=center)
        x += len(hand) * size
    elif hand:
        draw_cup(canvas, (x + cup / 2, y), cup, seat, stage)
        x += cup
    elif not _rolling_off(view):  # an empty cup, until the player shakes it
        canvas.blit(pieces.cup(cup, lifted=True), center=(rect.centerx if in_middle else x + cup / 2, y), alpha=110)
    if claim is not None and not (flying and seat == view["claimant"]):
        high = min(canvas.px(30 if in_middle else 26), rect.height)
        bubble(canvas, Rect(x + air, y - high // 2, spoken, high), str(claim), said=seat == view["claimant"])


# the middle


def _middle(canvas: Canvas, middle: Rect, view: View, stage: Stage) -> int:
    """The claim and a sentence about it. Returns the width of the line of text at the bottom."""
    say, called, chosen = stage.say, stage.showing("called"), stage.showing("chose")
    if _dealing(stage) is not None:
        return 0
    if _rolling_off(view):
        canvas.text(say("bluff.board.roll_off"), inset(middle, canvas.px(12)), 26, INK, "display", lines=3)
        return 0
    rounds = view["options"]["rounds"]
    key = "round" if view["round"] <= rounds else "extra_round"
    line = say(f"bluff.board.{key}", round=view["round"], rounds=rounds)
    claimant, claim = view["claimant"], view["claim"]
    flying = chosen and chosen.facts["seat"] == claimant and not _called(view)
    unknown = claim is None or (chosen and flying and isinstance(chosen.facts["option"], (tuple, list)))
    told = claimant is not None and claim is not None and (called or _called(view))
    t = called.t if called else 1.0
    if not view["circle"] or claimant is None:
        words = say("bluff.board.rolling" if view["circle"] else "bluff.board.before")
    elif told and t >= LIFT:
        faces = view["dice"][claimant]
        words = say("bluff.board.true" if sum(faces) == claim else "bluff.board.false", sum=sum(faces))
    else:
        words = say("bluff.board.to_claim" if unknown else "bluff.board.claims", name=view["players"][claimant])
    picture = _words(canvas, middle, words, line, told and t >= LIFT, alone=claimant is None)
    if told:
        _told(canvas, picture, claim, view["dice"][claimant], t)
    elif claimant is not None and unknown:
        canvas.blit(pieces.cup(min(*picture.size, canvas.px(110))), center=picture.center)
    elif claimant is not None:
        _claim(canvas, centred(picture, picture.height * 5 // 4, picture.height), claim)
    return canvas.text_width(line, 15)


def _words(canvas: Canvas, middle: Rect, text: str, line: str, loud: bool, alone: bool) -> Rect:
    """Writes the texts beside the picture if the middle is flat, otherwise above and below it. Returns the picture's
    place."""
    foot = strip(canvas, middle, top=False)
    if middle.height < canvas.px(FLAT):
        inner = inset(middle, canvas.px(12), canvas.px(6))
        if alone:
            picture = Rect(inner.right, inner.y, 0, inner.height)
        else:
            picture, inner = cut_right(inner, inner.width * 52 // 100, canvas.px(10))
        below, above = cut_bottom(inner, canvas.px(20))
        canvas.text(text, above, 22, INK, "display" if loud or alone else "bold", lines=3, shrink=0.35)
        canvas.text(line, below, 15, INK_SOFT, shrink=0.7)
        return picture
    canvas.text(line, foot, 15, INK_SOFT)
    top = strip(canvas, middle, top=True).bottom if middle.height > canvas.px(200) else middle.y + canvas.px(8)
    inner = Rect(middle.x + canvas.px(12), top, middle.width - canvas.px(24), foot.y - top - canvas.px(2))
    if alone:
        canvas.text(text, inner, 28, INK, "display", lines=3)
        return inner
    head, picture = cut_top(inner, inner.height * 32 // 100, canvas.px(4))
    canvas.text(text, head, 24, INK, "display" if loud else "bold", lines=3, shrink=0.35)
    return centred(picture, picture.width, min(picture.height, canvas.px(110)))


def _claim(canvas: Canvas, card: Rect, claim: int) -> None:
    """The claim on an ivory card, as large as possible."""
    canvas.panel(card, IVORY, 12, border=BRASS, width=3, shadow=True)
    canvas.text(str(claim), card, parts.filling(canvas, card.height, 0.76), DARK, "display")


def _told(canvas: Canvas, rect: Rect, claim: int, faces: Sequence[int], t: float) -> None:
    """A called claim, with the dice under the cup and whether the claim was true."""
    gap = canvas.px(8)
    size = min(rect.height, canvas.px(84), (rect.width - 3 * gap) * 10 // 38)
    mark = size * 6 // 10
    x = rect.centerx - (size * 38 // 10 + 3 * gap) // 2
    card = Rect(x, rect.centery - size // 2, size * 12 // 10, size)
    _claim(canvas, card, claim)
    x = card.right + gap
    if t >= LIFT:
        verdict(canvas, (x + mark / 2, rect.centery), mark, sum(faces) == claim)
    x += mark + gap
    lifted = part(t, 0.0, LIFT)
    if lifted > 0.25:
        for i, value in enumerate(faces):
            canvas.blit(dice.die(value, size), center=(x + size * (i + 0.5), rect.centery))
    if lifted < 1:
        up = lifted * lifted
        cup = pieces.cup(size * 14 // 10, lifted=lifted > 0.5)
        canvas.blit(cup, center=(x + size, rect.centery - up * size), alpha=round(255 * (1 - up)))


# animations


def _movement(canvas: Canvas, ring: Ring, plates: dict[int, Plate], stage: Stage, moment: Moment) -> None:
    facts, t, middle = moment.facts, moment.t, ring.middle.center
    match moment.kind:
        case "chose" if facts["seat"] in plates:
            at = between(plates[facts["seat"]].rect.center, middle, t, canvas.px(16))
            match facts["option"]:
                case ("claim", claim) | ["claim", claim]:
                    canvas.text(str(claim), parts.card(canvas, at, 58, 48), 36, DARK, "display")
                case word:
                    said = stage.say(f"bluff.board.says_{word}")
                    parts.tag(canvas, said, at, 26, GOLD, DARK, (canvas.px(260), canvas.px(60)))
        case "scored":
            for seat, gain in zip((facts["claimant"], facts["caller"]), facts["gains"], strict=True):
                if gain and seat in plates:
                    above = -26 if seat == facts["claimant"] else 26
                    start = middle[0], middle[1] + canvas.px(above)
                    goal = plates[seat].rest.midright[0] - canvas.px(26), plates[seat].rest.centery
                    _gain(canvas, gain, between(start, goal, part(t, 0.25, ARRIVED)))
        case "tied" | "void":
            for seat in facts["seats"]:
                if seat in plates:
                    pulse(canvas, plates[seat].face, t)
        case "drew" if facts["kind"] == "pick":
            _spotlight(canvas, plates, facts["drawn"][0], t)


def _gain(canvas: Canvas, gain: int, at: tuple[float, float]) -> None:
    colour: Colour = SKY if gain > 0 else ORANGE
    text = f"+{gain}" if gain > 0 else f"−{-gain}"
    rect = layout.around(at, canvas.px(62), canvas.px(34))
    canvas.panel(rect, NIGHT, 17, border=colour, width=2.5)
    canvas.text(text, rect, 24, colour, "display")


def _spotlight(canvas: Canvas, plates: dict[int, Plate], drawn: int, t: float) -> None:
    """A spotlight that moves from player to player, slows down, and stops at the player who was drawn."""
    if drawn not in plates:
        return
    order = list(plates)
    left = int((1 - part(t, 0, 0.8)) ** 2 * 2 * len(order))
    seat = order[(order.index(drawn) - left) % len(order)]
    rect = plates[seat].rect.inflate(canvas.px(4), canvas.px(4))
    canvas.panel(rect, GOLD, 12, alpha=60)
    if seat == drawn:
        pulse(canvas, plates[seat].face, part(t, 0.8, 1.0))
