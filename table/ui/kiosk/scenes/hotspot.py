"""The table hotspot: a code for phones, name and password in large letters, and a switch.

The screen shows the last state reported by NetworkManager, or says that a request is running. The first entry never
turns off a hotspot that is in use.
"""

from functools import partial

from pygame import Rect

from table.devices.hotspot import Hotspot
from table.machine.hotspot import joining
from table.session.messages import HotspotState
from table.ui.kiosk import frame, lists
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Caps
from table.ui.kiosk.gestures import Gesture
from table.ui.kiosk.layout import cut_bottom, cut_top, inset, share
from table.ui.kiosk.lists import ROW, Row
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.join import draw_code
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.style import BRASS_DARK, GOLD, INK, INK_SOFT, NIGHT, Colour


class HotspotScreen(Scene):
    overlay = True

    def __init__(self, context: KioskContext, hotspot: Hotspot, under: Scene) -> None:
        self.context = context
        self.under = under
        self._hotspot = hotspot
        self._wish: bool | None = None  # the state last requested here; None before the first request
        self._offered: tuple[str, ...] = ()
        hotspot.look()
        self.tick(0.0)

    @property
    def _state(self) -> HotspotState | None:
        return self.context.devices.hotspot_state

    def _words(self) -> tuple[str, ...]:
        state = self._state
        if state is None:
            return ("done",)
        if state.trouble:
            return ("again", "done")
        return ("done", "turn_off") if state.on else ("turn_on", "done")

    def _entries(self) -> list[Entry]:
        say, lit = self.context.say, not self._hotspot.busy
        return [
            Entry(Row(say("settings.back")), lambda _: self.under)
            if word == "done"
            else Entry(Row(say(f"hotspot.{word}"), lit=lit), partial(self._take, word))
            for word in self._offered
        ]

    def _take(self, word: str, now: float) -> None:
        self._wish = self._wish if word == "again" else word == "turn_on"
        if self._wish is None:
            self._hotspot.look()
        else:
            self._hotspot.switch(self._wish)

    def tick(self, now: float) -> Scene:
        if self._offered != self._words():  # a new list, with the cursor on its first entry
            self._offered = self._words()
            self._list = Listing(self.context, lambda: Heading(""), self._entries, lambda _: self.under)
        return self

    def handle(self, gesture: Gesture, now: float) -> Scene:
        after = self._list.handle(gesture, now)
        return self if after is self._list else after

    def caps(self, now: float) -> Caps:
        return self._list.caps(now)

    # drawing

    def draw(self, canvas: Canvas, now: float) -> None:
        say, state = self.context.say, self._state
        room = frame.head(canvas, say("hotspot.title"), say("list.hold_back"))
        on = state if state and state.on and not self._hotspot.busy else None
        right = draw_code(canvas, room, 47, joining(on.name, on.password) if on else "")
        below, right = cut_bottom(right, canvas.px((2 * ROW + 6) * lists.row_scale(canvas)), canvas.px(8))
        lists.rows(canvas, below, [entry.row for entry in self._entries()], self._list.at)
        if on:
            self._draw_facts(canvas, right, on)
        else:
            self._draw_words(canvas, right)

    def _draw_facts(self, canvas: Canvas, room: Rect, state: HotspotState) -> None:
        say = self.context.say
        hint, room = cut_top(room, canvas.px(44), canvas.px(8))
        canvas.text(say("hotspot.scan"), hint, 18, INK_SOFT, align="left", lines=2, shrink=0.7)
        canvas.panel(room, NIGHT, 16, border=BRASS_DARK, alpha=150, width=1.5)
        name, password, address = share(
            inset(room, canvas.px(16), canvas.px(10)), (52, 66, 24), canvas.px(6), vertical=True
        )
        _fact(canvas, name, say("hotspot.name"), state.name, 29, INK)
        _fact(canvas, password, say("hotspot.password"), state.password, 38, GOLD)
        canvas.text(say("hotspot.address", address=state.address), address, 16, INK_SOFT, "bold", align="left")

    def _draw_words(self, canvas: Canvas, room: Rect) -> None:
        say, state = self.context.say, self._state
        canvas.panel(room, NIGHT, 16, border=BRASS_DARK, alpha=150, width=1.5)
        inner = inset(room, canvas.px(16), canvas.px(12))
        if state is None or self._hotspot.busy:
            canvas.text(say("hotspot.busy"), inner, 26, INK, "display")
        elif state.trouble:
            words = say(f"hotspot.trouble.{state.trouble}", detail=state.detail)
            canvas.text(words, inner, 24, INK, "bold", align="left", lines=7, shrink=0.55)
        else:
            head, rest = cut_top(inner, canvas.px(50), canvas.px(8))
            canvas.text(say("hotspot.off"), head, 34, INK, "display", align="left")
            words = say("hotspot.help")
            if state.network:
                words = f"{words} {say('hotspot.leaves', network=state.network)}"
            canvas.text(words, rest, 22, INK_SOFT, "bold", align="left", valign="top", lines=6, shrink=0.6)


def _fact(canvas: Canvas, room: Rect, label: str, value: str, size: float, colour: Colour) -> None:
    above, below = cut_top(room, canvas.px(17))
    canvas.text(label, above, 14, INK_SOFT, align="left", shrink=0.7)
    canvas.text(value, below, size, colour, "bold", align="left", lines=3, shrink=0.28)
