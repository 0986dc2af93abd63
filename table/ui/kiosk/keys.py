"""Rows of keys operated by two buttons or by touch: letters for a name, digits for a PIN.

With the two buttons, people select a row and then a key in that row, so any key can be reached with a few presses
instead of up to thirty.
"""

from collections.abc import Mapping, Sequence

from pygame import Rect

from table.text.catalogue import Catalogue
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import SoundPlayer
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import Gesture, Touched, Typed
from table.ui.kiosk.layout import columns
from table.ui.kiosk.layout import rows as lines_of
from table.ui.kiosk.picker import Picker
from table.ui.kiosk.style import DARK, GOLD, INK, IVORY, NIGHT

SPACE, DELETE, DONE = " ", "\b", "\n"


class Keys:
    """Rows of keys, and the position of the cursor. `DONE` is in the last row."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        self._rows = [tuple(row) for row in rows]
        self._row = Picker(range(len(self._rows)))
        self._key: Picker[str] | None = None  # the keys of the selected row

    def handle(self, gesture: Gesture, sounds: SoundPlayer) -> str | None:
        """The key pressed by the gesture, or the text typed on a real keyboard. None if the gesture only moved the
        cursor."""
        match gesture:
            case Typed(text):
                self.to_done()
                return text
            case Touched(spot):
                return self._touched(spot)
        if self._key is None:
            row = self._row.handle(gesture)
            self._key = Picker(self._rows[row]) if row is not None else None
            sounds.play("tick" if row is None else "take")
            return None
        key = self._key.handle(gesture)
        if key is None:
            sounds.play("tick")
        else:
            self._key = None
        return key

    def _touched(self, spot: str) -> str | None:
        if not spot.startswith("key:"):
            return None
        row, place = spot.removeprefix("key:").split(".")
        return self._rows[int(row)][int(place)]

    def back(self) -> bool:
        """Leaves the selected row. Returns False if no row was selected."""
        was, self._key = self._key is not None, None
        return was

    def to_done(self) -> None:
        """Moves to Done, so that Enter on a real keyboard finishes."""
        self._row.at = len(self._rows) - 1
        self._key = Picker(self._rows[-1], self._rows[-1].index(DONE))

    def caps(self, say: Catalogue, lit: bool = True) -> Caps:
        return Caps(Cap(say("cap.next"), lit), Cap(say("keyboard.row" if self._key is None else "cap.take"), lit))

    def draw(self, canvas: Canvas, rect: Rect, words: Mapping[str, str]) -> None:
        """Draws the keys. `words` labels the keys that cannot be shown as a character."""
        for row, line in enumerate(lines_of(rect, len(self._rows), canvas.px(6))):
            self._draw_row(canvas, line, row, words)

    def _draw_row(self, canvas: Canvas, rect: Rect, row: int, words: Mapping[str, str]) -> None:
        here = row == self._row.at
        if here:
            canvas.panel(rect.inflate(canvas.px(10), canvas.px(9)), NIGHT, 12, border=GOLD, width=3)
        keys = self._rows[row]
        for place, box in enumerate(columns(rect, len(keys), canvas.px(6))):
            taken = here and self._key is not None and self._key.at == place
            canvas.panel(box, IVORY if taken else NIGHT, 9, border=GOLD if taken else None, alpha=255 if taken else 190)
            label = words.get(keys[place], keys[place])
            canvas.text(label, box, 24 if len(label) == 1 else 19, DARK if taken else INK, "bold")
            canvas.spot(f"key:{row}.{place}", box)
