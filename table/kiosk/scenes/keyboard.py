"""A name, by an on-screen keyboard that two buttons can drive, by touch, or by a real keyboard.

Its one rule: two buttons go by rows first, then by keys within the row: any letter in a few presses, not in thirty.
"""

from typing import TYPE_CHECKING

from pygame import Rect

from table.kiosk import frame
from table.kiosk.canvas import Canvas
from table.kiosk.desk import Desk
from table.kiosk.frame import Cap, Caps
from table.kiosk.gestures import END, Gesture, Held, Touched, Typed
from table.kiosk.layout import columns, cut_top, rows
from table.kiosk.picker import Picker
from table.kiosk.scenes import Scene
from table.kiosk.style import DARK, GOLD, INK, INK_FAINT, IVORY, NIGHT
from table.names import LONGEST, clean

if TYPE_CHECKING:
    from table.kiosk.scenes.players import Players

LETTERS = {
    "en": ("ABCDEFG", "HIJKLMN", "OPQRSTU", "VWXYZ-'"),
    "es": ("ABCDEFG", "HIJKLMN", "ÑOPQRST", "UVWXYZÁ", "ÉÍÓÚÜ-'"),
}
SPACE, DELETE, DONE = " ", "\b", "\n"


class Keyboard:
    wants_look = restful = False
    typing = True

    def __init__(self, desk: Desk, under: "Players") -> None:
        self.desk = desk
        self.under = under
        self.text = ""
        self._rows = [tuple(row) for row in LETTERS.get(desk.settings.language, LETTERS["en"])]
        self._rows.append((SPACE, DELETE, DONE))
        self._row = Picker(range(len(self._rows)))
        self._key: Picker[str] | None = None  # within the row that was taken

    def handle(self, gesture: Gesture, now: float) -> Scene:
        match gesture:
            case Held(button) if button == END:
                self.desk.sounds.play("back")
                if self._key is None:
                    return self.under
                self._key = None
                return self
            case Typed(text):
                self._row.at = len(self._rows) - 1  # whoever has a real keyboard means Done by Enter
                self._key = Picker(self._rows[-1], self._rows[-1].index(DONE))
                return self._type(text)
            case Touched(spot) if spot.startswith("key:"):
                return self._type(self._cased(self._at(spot)))
            case Touched():
                return self
        if self._key is None:
            row = self._row.handle(gesture)
            self.desk.sounds.play("tick" if row is None else "take")
            if row is not None:
                self._key = Picker(self._rows[row])
            return self
        key = self._key.handle(gesture)
        if key is None:
            self.desk.sounds.play("tick")
            return self
        self._key = None
        return self._type(self._cased(key))

    def _at(self, spot: str) -> str:
        row, place = spot.removeprefix("key:").split(".")
        return self._rows[int(row)][int(place)]

    def _type(self, text: str) -> Scene:
        if text == DONE:
            name = clean(self.text)
            if not name:
                self.desk.sounds.play("refuse")
                return self
            self.desk.sounds.play("take")
            return self.under.named(name)
        self.desk.sounds.play("take")
        if text == DELETE:
            self.text = self.text[:-1]
        else:
            self.text = (self.text + text)[:LONGEST]
        return self

    def _cased(self, key: str) -> str:
        """The screen's keys are capitals: the first letter of a word stays one."""
        begins = not self.text or self.text.endswith((" ", "-", "'"))
        return key if begins else key.lower()

    def tick(self, now: float) -> Scene:
        return self

    def wake(self, now: float) -> float | None:
        return None

    def caps(self, now: float) -> Caps:
        say = self.desk.say
        return Caps(Cap(say("cap.next")), Cap(say("keyboard.row" if self._key is None else "cap.take")))

    def draw(self, canvas: Canvas, now: float) -> None:
        say = self.desk.say
        canvas.background()
        room = frame.head(canvas, say("keyboard.title"), say("list.hold_back"))
        box, room = cut_top(room, canvas.px(56), canvas.px(10))
        canvas.panel(box, IVORY, 12)
        shown = self.text or say("keyboard.empty")
        canvas.text(shown, box.inflate(-canvas.px(24), 0), 30, DARK if self.text else INK_FAINT, "display", shrink=0.4)
        for row, line in enumerate(rows(room, len(self._rows), canvas.px(6))):
            self._draw_row(canvas, line, row)

    def _draw_row(self, canvas: Canvas, rect: Rect, row: int) -> None:
        here = row == self._row.at
        words = {SPACE: "keyboard.space", DELETE: "keyboard.delete", DONE: "keyboard.done"}
        if here:
            canvas.panel(rect.inflate(canvas.px(10), canvas.px(9)), NIGHT, 12, border=GOLD, width=3)
        keys = self._rows[row]
        for place, box in enumerate(columns(rect, len(keys), canvas.px(6))):
            taken = here and self._key is not None and self._key.at == place
            canvas.panel(box, IVORY if taken else NIGHT, 9, border=GOLD if taken else None, alpha=255 if taken else 190)
            label = self.desk.say(words[keys[place]]) if keys[place] in words else keys[place]
            canvas.text(label, box, 24 if len(label) == 1 else 19, DARK if taken else INK, "bold")
            canvas.spot(f"key:{row}.{place}", box)
