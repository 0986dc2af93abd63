"""The default board: the players around the table, the dice of the player to move, and the game's public facts.

This board knows nothing about any particular game. The game's `words` provide who is out, which dice were set aside,
and the labels of the facts.
"""

from collections.abc import Sequence

from pygame import Rect

from table.engine.asks import Choose, View
from table.games import GAMES, part
from table.text import narration
from table.ui.kiosk import pieces
from table.ui.kiosk.boards import Stage, parts, plates
from table.ui.kiosk.boards.motion import eased, shaking
from table.ui.kiosk.boards.parts import NOTHING
from table.ui.kiosk.boards.plates import Place, Plate
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import columns, cut_bottom, cut_top, inset, rows
from table.ui.kiosk.style import BAD, DARK, GOOD, INK, INK_FAINT, INK_SOFT, NIGHT

MOST_FACTS = 6  # more facts than this are not shown
SMALLEST_DIE = 12  # units; smaller dice on a plate are unreadable
ACROSS = 3  # tiles per row
BASIC = ("rolled", "shaken", "chose")  # events that the dice on the board already show


def draw(canvas: Canvas, area: Rect, view: View, stage: Stage) -> None:
    ring, asked = plates.in_rows(canvas, area, view), _asked(view, stage)
    drawn = [_plate(canvas, place, view, seat, stage, asked) for seat, place in enumerate(ring.places)]
    _middle(canvas, ring.middle, view, stage, asked)
    for seat, plate in enumerate(drawn):
        _gain(canvas, plate, view, seat, stage)


def needs_look(ask: Choose) -> bool:
    """Whether a choice depends on the player's hidden dice, so that they must peek at the screen first."""
    return True


def _asked(view: View, stage: Stage) -> int | None:
    """The seat whose dice are in the middle: the seat whose turn it is, or else the seat that acted last."""
    if view["turn"] is not None:
        return int(view["turn"])
    seat = stage.moment.facts.get("seat") if stage.moment else None
    return seat if seat is not None else next((seat for seat, hand in enumerate(view["dice"]) if hand), None)


# plates


def _plate(canvas: Canvas, place: Place, view: View, seat: int, stage: Stage, asked: int | None) -> Plate:
    moment = stage.moment
    if moment and moment.kind not in BASIC and seat in _concerned(moment.facts):
        plates.glow(canvas, place.rect, stage, seat, moment.kind)
    words = part(view["game"], "words")
    out = words.out(view, seat)
    plate = plates.plate(canvas, place, view, seat, stage, _figure(view, seat, stage), out=out, reserved=30)
    dice = stage.under[seat] if stage.under else view["dice"][seat]
    note = "" if out else words.note(view, seat, stage.say)
    if note:
        canvas.text(note, plate.rest, 16, INK_SOFT, "bold", plate.align, shrink=0.65)
    elif (seat != asked or stage.under) and plate.rest.width >= len(dice) * canvas.px(SMALLEST_DIE):
        parts.small_dice(canvas, plate.rest, dice, plate.align, most=28)
    return plate


def _concerned(facts: dict[str, object]) -> list[object]:
    """The seats that an event names."""
    found: list[object] = []
    for name in ("seat", "seats", "winner", "loser"):
        named = facts.get(name)
        found += named if isinstance(named, list) else [named]
    return found


def _gained(view: View, seat: int, stage: Stage) -> int:
    """How much the current event has changed the seat's standing."""
    before, now = stage.moment.before["standing"][seat] if stage.moment else None, view["standing"][seat]
    return now - before if isinstance(before, int) and isinstance(now, int) else 0


def _figure(view: View, seat: int, stage: Stage) -> str:
    """The seat's standing. After a change, the number counts up or down to the new value."""
    standing = view["standing"][seat]
    if standing is None:
        return NOTHING
    gained = _gained(view, seat, stage)
    return str(standing - round(gained * (1 - eased(stage.moment.t))) if gained and stage.moment else standing)


def _gain(canvas: Canvas, plate: Plate, view: View, seat: int, stage: Stage) -> None:
    """A label at the corner of the plate with the change of the standing."""
    gained = _gained(view, seat, stage)
    if gained and stage.moment:
        rise = canvas.px(14) * (1 - eased(min(1.0, 2 * stage.moment.t)))
        at = plate.rect.right - canvas.px(26), plate.rect.top + rise
        most = canvas.px(64), canvas.px(26)
        parts.tag(canvas, f"{gained:+}", at, 17, GOOD if gained > 0 else BAD, DARK, most)


# the middle


def _middle(canvas: Canvas, rect: Rect, view: View, stage: Stage, asked: int | None) -> None:
    game = view["game"]
    words = part(game, "words")
    inner = _facts(canvas, parts.tray(canvas, rect), narration.facts(view, stage.say)[:MOST_FACTS])
    dice = view["dice"][asked] if asked is not None else []
    kept = words.kept(view, asked) if asked is not None else ()
    if not dice and view["turn"] is None:
        side = min(inner.height, inner.width, canvas.px(150))
        canvas.blit(pieces.emblem(game, side), center=inner.center)
        return
    if kept:
        top, inner = cut_top(inner, canvas.px(38), canvas.px(4))
        canvas.panel(top, NIGHT, 10, alpha=130)
        parts.small_dice(canvas, inset(top, canvas.px(8), canvas.px(3)), kept, "center", most=32)
    if moment := stage.showing_of(asked, "shaken"):
        x, y = shaking(canvas, moment.t, moment.turn)
        inner = inner.move(round(x), round(y))
    places = len(dice) or max(1, GAMES[game].dice - len(kept))
    parts.hand(canvas, inner, dice, stage, asked, places=places, most=118)


def _facts(canvas: Canvas, rect: Rect, facts: Sequence[tuple[str, str]]) -> Rect:
    """Draws the facts in rows at the bottom and returns the remaining area."""
    if not facts:
        return rect
    down, gap = -(-len(facts) // ACROSS), canvas.px(6)
    low, rest = cut_bottom(rect, min(canvas.px(58) * down, rect.height // 2), gap)
    across = -(-len(facts) // down)
    for row, line in enumerate(rows(low, down, gap)):
        tiles = facts[row * across : (row + 1) * across]
        for (label, figure), box in zip(tiles, columns(line, len(tiles), gap), strict=True):
            _tile(canvas, box, label, figure)
    return rest


def _tile(canvas: Canvas, rect: Rect, label: str, figure: str) -> None:
    """A value with its label above."""
    canvas.panel(rect, NIGHT, 10, alpha=130)
    words, rest = cut_top(inset(rect, canvas.px(7), canvas.px(3)), rect.height * 38 // 100)
    canvas.text(label, words, 15, INK_SOFT, shrink=0.65)
    canvas.text(figure, rest, 27, INK_FAINT if figure == NOTHING else INK, "display", shrink=0.4)
