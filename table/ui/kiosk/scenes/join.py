"""How to join by phone: the code to scan, the address to type, who has joined, and actions for disconnected phones.

The first entry goes back without changing anything.
"""

from functools import partial

from pygame import Rect

from table.engine.errors import Refused
from table.text.refusals import sentence
from table.ui.kiosk import frame, lists
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Caps
from table.ui.kiosk.gestures import Gesture
from table.ui.kiosk.layout import centred, cut_bottom, cut_left, cut_top, inset
from table.ui.kiosk.lists import ROW, Row
from table.ui.kiosk.pieces import code, no_waves
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.style import BRASS_DARK, GOLD, INK, INK_SOFT, IVORY, NIGHT

FACTS = 150  # units reserved for the address; the list of actions gets the rest, and scrolls if necessary
MOST_NAMES, LONGEST_NAMES = 3, 36
DECISIONS = ("wait", "computer", "table", "remove")


class Join(Scene):
    overlay = True

    def __init__(self, context: KioskContext, under: Scene) -> None:
        self.context = context
        self._refused = ""
        self._list = Listing(context, self._heading, self._entries, lambda _: under, overlay=True)
        self._under = under

    def _heading(self) -> Heading:
        return Heading(self.context.say("join.title"), self.context.say("list.hold_back"))

    def _entries(self) -> list[Entry]:
        say, room = self.context.say, self.context.room
        found = [Entry(Row(say("settings.back")), lambda _: self._under)]
        for seat in room.seats.gone():
            assert room.session.match is not None
            name = room.session.match.referee.players[seat]
            found += [
                Entry(Row(say(f"join.gone_{do}", name=name)), partial(self._decide, seat, do)) for do in DECISIONS
            ]
        return found

    def _decide(self, seat: int, do: str, now: float) -> Scene | None:
        try:
            self.context.room.decide(seat, do)
        except Refused as why:
            self._refused = sentence(why, self.context.say)
            return None
        return self._under

    def handle(self, gesture: Gesture, now: float) -> Scene:
        after = self._list.handle(gesture, now)
        return self if after is self._list else after

    def caps(self, now: float) -> Caps:
        return self._list.caps(now)

    def draw(self, canvas: Canvas, now: float) -> None:
        say, context = self.context.say, self.context
        room = frame.head(canvas, say("join.title"), say("list.hold_back"))
        right = draw_code(canvas, room, 44, context.joining)
        entries = self._entries()
        high = min(canvas.px((ROW + 6) * lists.row_scale(canvas)) * len(entries), right.height - canvas.px(FACTS))
        below, right = cut_bottom(right, high, canvas.px(8))
        lists.rows(canvas, below, [entry.row for entry in entries], self._list.at)
        draw_facts(canvas, right, context, self._refused)


def draw_code(canvas: Canvas, room: Rect, part: int, text: str) -> Rect:
    """Draws the code or a crossed-out symbol on the left, in `part` percent of the width. Returns the remaining
    area."""
    left, right = cut_left(room, min(room.height, room.width * part // 100), canvas.px(16))
    left, on = centred(left, left.width, left.width), bool(text)
    canvas.panel(left, IVORY if on else NIGHT, 16, border=BRASS_DARK, alpha=255 if on else 150, shadow=on)
    sign = code(text, left.width - canvas.px(8)) if on else no_waves(left.width * 6 // 10)
    canvas.blit(sign, center=left.center)
    return right


def draw_facts(canvas: Canvas, rect: Rect, context: KioskContext, refused: str = "") -> None:
    """Draws the room name, code and address, for people who type them instead of scanning the code."""
    say, room = context.say, context.room
    canvas.panel(rect, NIGHT, 16, border=BRASS_DARK, alpha=150, width=1.5)
    inner = inset(rect, canvas.px(16), canvas.px(10))
    if not context.joining:
        why = context.phones.port.why if context.phones else ""
        canvas.text(say("join.closed", why=why), inner, 22, INK, "bold", align="left", lines=4, shrink=0.6)
        return
    name, inner = cut_top(inner, inner.height // 4)
    canvas.text(room.name, name, 24, INK, "display", align="left", shrink=0.5)
    letters, inner = cut_top(inner, inner.height * 2 // 5)
    canvas.text(room.code, letters, 44, GOLD, "bold", align="left", shrink=0.4)
    address, inner = cut_top(inner, inner.height // 2)
    canvas.text(context.joining, address, 20, INK, "bold", align="left", shrink=0.4)
    words = refused or " · ".join(filter(None, (who(context, True), who(context, False)))) or say("join.nobody")
    canvas.text(words, inner, 17, INK_SOFT, align="left", lines=2, shrink=0.6)


def who(context: KioskContext, here: bool) -> str:
    """The phone users who are connected (`here`) or disconnected: their names, or their number if there are many."""
    say, names = context.say, [person.name for person in context.room.people.values() if person.here is here]
    few = len(names) <= MOST_NAMES and sum(map(len, names)) <= LONGEST_NAMES
    listed = say.listed(names) if few and names else say("many.people", count=len(names))
    return say("join.here" if here else "join.away", names=listed) if names else ""
