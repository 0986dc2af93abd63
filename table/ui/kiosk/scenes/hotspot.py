"""The table's own Wi-Fi: a code for phones, its name and password in large letters, and a way to turn it on and off.

Its one rule: it shows what NetworkManager last said, or that it is being asked. The first entry never takes away what
people are using.
"""

from pygame import Rect

from table.devices.hotspot import Hotspot
from table.machine.hotspot import joining
from table.session.messages import HotspotState
from table.ui.kiosk import frame, lists
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, Gesture, Held
from table.ui.kiosk.layout import centred, cut_bottom, cut_left, cut_top, inset, share
from table.ui.kiosk.lists import LARGER_ROWS, ROW, Row
from table.ui.kiosk.picker import Picker
from table.ui.kiosk.pieces import code, no_waves
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.style import BRASS_DARK, GOLD, INK, INK_SOFT, IVORY, NIGHT, Colour


class HotspotScreen:
    wants_look = restful = typing = False

    def __init__(self, context: KioskContext, hotspot: Hotspot, under: Scene) -> None:
        self.context = context
        self.under = under
        self._hotspot = hotspot
        self._wish: bool | None = None  # what was last asked for here; None: only how it stands
        self._picker: Picker[str] = Picker(self._entries())
        hotspot.look()

    @property
    def _state(self) -> HotspotState | None:
        return self.context.devices.hotspot_state

    def _entries(self) -> tuple[str, ...]:
        state = self._state
        if state is None:
            return ("done",)
        if state.trouble:
            return ("again", "done")
        return ("done", "turn_off") if state.on else ("turn_on", "done")

    def tick(self, now: float) -> Scene:
        if self._picker.entries != self._entries():
            self._picker = Picker(self._entries())
        return self

    def wake(self, now: float) -> float | None:
        return None

    def handle(self, gesture: Gesture, now: float) -> Scene:
        if gesture == Held(END):
            self.context.sounds.play("back")
            return self.under
        taken = self._picker.handle(gesture)
        if taken is None:
            self.context.sounds.play("tick")
        elif taken == "done":
            self.context.sounds.play("take")
            return self.under
        elif not self._row(taken).lit:
            self.context.sounds.play("refuse")
        else:
            self.context.sounds.play("take")
            self._wish = self._wish if taken == "again" else taken == "turn_on"
            if self._wish is None:
                self._hotspot.look()
            else:
                self._hotspot.switch(self._wish)
        return self

    def caps(self, now: float) -> Caps:
        say = self.context.say
        take = Cap(say("cap.take"), lit=self._row(self._picker.entry).lit)
        return Caps(frame.following(say("cap.next"), self._picker.entries), take)

    def _row(self, entry: str) -> Row:
        if entry == "done":
            return Row(self.context.say("settings.back"))
        return Row(self.context.say(f"hotspot.{entry}"), lit=not self._hotspot.busy)

    # drawing

    def draw(self, canvas: Canvas, now: float) -> None:
        say, state = self.context.say, self._state
        canvas.background()
        room = frame.head(canvas, say("hotspot.title"), say("list.hold_back"))
        left, right = cut_left(room, min(room.height, room.width * 47 // 100), canvas.px(16))
        left = centred(left, left.width, left.width)
        on = state is not None and state.on and not self._hotspot.busy
        canvas.panel(left, IVORY if on else NIGHT, 16, border=BRASS_DARK, alpha=255 if on else 150, shadow=on)
        scale = LARGER_ROWS if canvas.style.large_text else 1.0
        below, right = cut_bottom(right, canvas.px((2 * ROW + 6) * scale), canvas.px(8))
        lists.rows(canvas, below, [self._row(entry) for entry in self._picker.entries], self._picker.at)
        if on and state is not None:
            canvas.blit(code(joining(state.name, state.password), left.width - canvas.px(8)), center=left.center)
            self._draw_facts(canvas, right, state)
        else:
            canvas.blit(no_waves(left.width * 6 // 10), center=left.center)
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
