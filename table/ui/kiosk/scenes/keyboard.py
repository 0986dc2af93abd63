"""Entry of a name with an on-screen keyboard (two buttons or touch) or a real keyboard.

The result is always a valid name.
"""

from collections.abc import Callable

from table.engine.names import LONGEST, clean
from table.ui.kiosk import frame
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Caps
from table.ui.kiosk.gestures import END, Gesture, Held, Typed
from table.ui.kiosk.keys import DELETE, DONE, SPACE, Keys
from table.ui.kiosk.layout import cut_top
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.style import DARK, INK_FAINT, IVORY

LETTERS = {
    "en": ("ABCDEFG", "HIJKLMN", "OPQRSTU", "VWXYZ-'"),
    "es": ("ABCDEFG", "HIJKLMN", "ÑOPQRST", "UVWXYZÁ", "ÉÍÓÚÜ-'"),
}


class Keyboard(Scene):
    typing = True

    def __init__(
        self, context: KioskContext, under: Scene, named: Callable[[str, float], Scene], title: str = "", text: str = ""
    ) -> None:
        self.context = context
        self.under = under
        self.text = text
        self._named = named  # called with the entered name; returns the next scene
        self._title = title  # a title of its own if people do not type their own name
        letters = LETTERS.get(context.settings.language, LETTERS["en"])
        self._keys = Keys([*letters, (SPACE, DELETE, DONE)])

    def handle(self, gesture: Gesture, now: float) -> Scene:
        if gesture == Held(END):
            self.context.sounds.play("back")
            return self if self._keys.back() else self.under
        key = self._keys.handle(gesture, self.context.sounds)
        if key is None:
            return self
        return self._type(key if isinstance(gesture, Typed) else self._cased(key), now)

    def _type(self, text: str, now: float) -> Scene:
        if text == DONE:
            name = clean(self.text)
            if not name:
                self.context.sounds.play("refuse")
                return self
            self.context.sounds.play("take")
            return self._named(name, now)
        self.context.sounds.play("take")
        if text == DELETE:
            self.text = self.text[:-1]
        else:
            self.text = (self.text + text)[:LONGEST]
        return self

    def _cased(self, key: str) -> str:
        """The letter that an on-screen key types. The keys show capitals, but only the first letter of a word is a
        capital."""
        begins = not self.text or self.text.endswith((" ", "-", "'"))
        return key if begins else key.lower()

    def caps(self, now: float) -> Caps:
        return self._keys.caps(self.context.say)

    def draw(self, canvas: Canvas, now: float) -> None:
        say = self.context.say
        room = frame.head(canvas, self._title or say("keyboard.title"), say("list.hold_back"))
        box, room = cut_top(room, canvas.px(56), canvas.px(10))
        canvas.panel(box, IVORY, 12)
        shown = self.text or say("keyboard.empty")
        canvas.text(shown, box.inflate(-canvas.px(24), 0), 30, DARK if self.text else INK_FAINT, "display", shrink=0.4)
        words = {SPACE: say("keyboard.space"), DELETE: say("keyboard.delete"), DONE: say("keyboard.done")}
        self._keys.draw(canvas, room, words)
