"""Peeking: the screen is passed to the choosing player, who looks at dice that are hidden from everyone else.

The seat's private view is requested only during the peek and drawn separately from everything shared.
"""

from collections.abc import Collection

from pygame import Rect

from table.analysis import odds
from table.engine.asks import Choose
from table.games import part
from table.session.match import Match
from table.text import narration
from table.text.catalogue import Catalogue
from table.ui.kiosk import dice, gauges
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import centred, cut_bottom, cut_top, inset
from table.ui.kiosk.pieces import avatar
from table.ui.kiosk.style import DARK, DARK_SOFT, FELT, GOLD, IVORY


def alone(match: Match, phones: Collection[int]) -> bool:
    """Whether one person plays against computers only.

    A computer that stands in for a disconnected phone counts as a person, because the person might come back.
    """
    return match.alone and not phones


def own_dice(match: Match, phones: Collection[int]) -> list[int | None]:
    """The hidden dice of a person who plays alone. The dice of such a person can stay visible, because there is no one
    to hide them from."""
    return match.hidden_dice(match.seating.people[0]) if alone(match, phones) else []


def allowed(match: Match, phones: Collection[int]) -> bool:
    """Whether the choosing player can peek: only if the choice depends on dice that no one else may see."""
    ask = match.referee.ask
    assert isinstance(ask, Choose)
    hidden = not alone(match, phones) and bool(match.hidden_dice(ask.seat))
    return hidden and bool(part(match.game.id, "board").needs_look(ask))


def draw(canvas: Canvas, rect: Rect, match: Match, say: Catalogue, looking: bool, with_odds: bool) -> None:
    """Draws a request to pass the screen to the choosing player or, while Roll is held, that player's dice and their
    odds."""
    ask = match.referee.ask
    assert isinstance(ask, Choose)
    name = match.referee.players[ask.seat]
    card = inset(rect, rect.width // 8, canvas.px(6))
    canvas.veil(0.45)
    canvas.panel(card, IVORY, 18, border=GOLD, width=4, shadow=True)
    inner = inset(card, canvas.px(20), canvas.px(14))
    if not looking:
        low, top = cut_bottom(inner, inner.height * 3 // 10)
        face, top = cut_top(top, top.height * 3 // 5, canvas.px(4))
        canvas.blit(avatar(name, face.height * 9 // 10), center=face.center)
        canvas.text(say("play.pass", name=name), top, 32, DARK, "display", lines=2, shrink=0.5)
        canvas.text(say("play.hold_to_look", name=name), low, 20, DARK_SOFT, "bold", lines=2)
        canvas.spot("go on", card)
        return
    canvas.private = True
    view = match.referee.view(ask.seat)
    own, lines = view["dice"][ask.seat], odds.own(view) if with_odds else []
    if lines:
        low, inner = cut_bottom(inner, inner.height // 4, canvas.px(6))
        gauges.draw(canvas, centred(low, low.width * 4 // 5, low.height), lines, match.game.id, say, gauges.ON_IVORY)
    low, top = cut_bottom(inner, inner.height // 3)
    size = min(canvas.px(90), top.height - canvas.px(18), (top.width + canvas.px(8)) // max(1, len(own)) - canvas.px(8))
    step = size + canvas.px(8)
    canvas.panel(centred(top, step * len(own) + canvas.px(14), size + canvas.px(18)), FELT, 14)
    for place, die in enumerate(own):
        center = (top.centerx + step * (place - (len(own) - 1) / 2), top.centery)
        canvas.blit(dice.die(die, size), center=center)
    canvas.text(narration.hand(own, match.game.id, say), low, 22, DARK, "bold", lines=2)
    canvas.private = False
