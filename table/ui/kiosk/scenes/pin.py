"""Entry of the operator's PIN with a number pad (two buttons or touch) or a real keyboard.

The digits are never shown. The protected scene opens only after the right PIN.
"""

from collections.abc import Callable
from math import ceil

from table.ui.kiosk import frame
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Caps
from table.ui.kiosk.gestures import END, Gesture, Held
from table.ui.kiosk.keys import DELETE, DONE, Keys
from table.ui.kiosk.layout import centred, cut_top
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.style import DARK, GOLD, INK, IVORY

MOST = 12  # digits
KEYS = {*"0123456789", DELETE, DONE}


def guarded(context: KioskContext, then: Callable[[float], Scene], under: Scene) -> Callable[[float], Scene]:
    """Wraps an action so that it asks for the PIN first, if one is set."""
    return (lambda _: Pin(context, then, under)) if context.guard.asks else then


class Pin(Scene):
    typing = overlay = True

    def __init__(self, context: KioskContext, then: Callable[[float], Scene], under: Scene) -> None:
        self.context = context
        self.under = under
        self._then = then
        self._typed = ""
        self._wrong = False
        self._keys = Keys(["123", "456", "789", (DELETE, "0", DONE)])

    def handle(self, gesture: Gesture, now: float) -> Scene:
        if gesture == Held(END):
            self.context.sounds.play("back")
            return self if self._keys.back() else self.under
        key = self._keys.handle(gesture, self.context.sounds)
        return self._type(key, now) if key and key in KEYS else self

    def _type(self, key: str, now: float) -> Scene:
        guard, sounds = self.context.guard, self.context.sounds
        if guard.locked(now) or (key == DONE and not self._typed):
            sounds.play("refuse")
            return self
        if key == DONE:
            typed, self._typed = self._typed, ""
            right = guard.right(typed, now)
            self.context.keep_guard(now)
            if right:
                sounds.play("take")
                return self._then(now)
            self._wrong = True
            sounds.play("refuse")
            return self
        self._wrong = False
        self._typed = self._typed[:-1] if key == DELETE else (self._typed + key)[:MOST]
        sounds.play("take")
        return self

    def wake(self, now: float) -> float | None:
        left = self.context.guard.locked(now)
        return now + (left - ceil(left) + 1) + 0.01 if left else None

    def caps(self, now: float) -> Caps:
        return self._keys.caps(self.context.say, lit=not self.context.guard.locked(now))

    def draw(self, canvas: Canvas, now: float) -> None:
        say, left = self.context.say, self.context.guard.locked(now)
        room = frame.head(canvas, say("pin.title"), say("list.hold_back"))
        room = centred(room, canvas.px(420), room.height)
        box, room = cut_top(room, canvas.px(54), canvas.px(2))
        canvas.panel(box, IVORY, 12)
        gap = min(canvas.px(28), box.width // MOST)
        for place in range(len(self._typed)):
            x = box.centerx + (place - (len(self._typed) - 1) / 2) * gap
            canvas.circle((x, box.centery), gap * 0.28, DARK)
        words, room = cut_top(room, canvas.px(30), canvas.px(4))
        if left:
            canvas.text(say("pin.locked", count=ceil(left)), words, 18, GOLD, "bold")
        else:
            canvas.text(say("pin.wrong" if self._wrong else "pin.why"), words, 18, GOLD if self._wrong else INK, "bold")
        self._keys.draw(canvas, room, {DELETE: say("keyboard.delete"), DONE: say("keyboard.done")})
