"""A screen with a list: menu, settings, games, or a question.

Roll moves to the next entry, End selects it, holding End goes back. Touching an entry selects it, dragging scrolls. The
callers supply the entries and their actions. The entries are rebuilt whenever they are needed, so they are always up to
date and in the current language.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pygame import Rect, Surface

from table.ui.kiosk import frame, lists
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, Gesture, Held, Moved, Run, Scrolled, Tap, Touched
from table.ui.kiosk.layout import centred, cut_left, cut_top, inset
from table.ui.kiosk.lists import ROW, Row
from table.ui.kiosk.picker import Picker
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.style import BRASS_DARK, INK, NIGHT

Take = Callable[[float], Scene | None]
"""The action of an entry: returns the next scene, or None to stay in this list."""


@dataclass(frozen=True)
class Entry:
    row: Row
    take: Take
    key: str = ""  # keeps the cursor on this entry when others appear or disappear


@dataclass(frozen=True)
class Heading:
    title: str
    detail: str = ""
    note: str = ""  # a sentence above the list
    mark: Callable[[int], Surface] | None = None  # draws the icon at a given size, in pixels


BESIDE = 32  # percent of the width for the area next to a list
FEW = 3  # a list with at most this many entries counts as a question, and its text goes above the entries


class Listing(Scene):
    def __init__(
        self,
        context: KioskContext,
        heading: Callable[[], Heading],
        entries: Callable[[], Sequence[Entry]],
        back: Callable[[float], Scene],
        height: float = ROW,
        overlay: bool = False,
        aside: Callable[[Canvas, Rect], None] | None = None,
        beside: int = BESIDE,
    ) -> None:
        self.context = context
        self._overlay = overlay
        self._heading = heading
        self._entries = entries
        self._back = back
        self._picker = Picker[Entry](())  # filled on first use, because entries can refer back to this list
        self._height = height
        self._aside = aside  # draws the area next to the list
        self._beside = beside
        self._shown = range(0)  # visible entries at the last draw

    @property
    def overlay(self) -> bool:
        return self._overlay

    @property
    def at(self) -> int:
        return self._picker.at

    def to_first(self) -> None:
        self._picker.at = 0

    def handle(self, gesture: Gesture, now: float) -> Scene:
        if gesture == Held(END):
            self.context.sounds.play("back")
            return self._back(now)
        entries, before = self._refresh(), self._picker.at
        if isinstance(gesture, Scrolled):
            if len(self._shown) < len(entries):
                self._picker.at = lists.scrolled(len(entries), self._shown, gesture.step)
                self._shown = lists.window(len(entries), self._picker.at, len(self._shown))
            return self
        taken = self._picker.handle(gesture)
        if taken is None:
            if isinstance(gesture, (Tap, Run, Moved)):
                self.context.sounds.play("tick")
            return self
        self.context.sounds.play("take" if taken.row.lit else "refuse")
        follows = (taken.take(now) if taken.row.lit else None) or self
        if follows is self and isinstance(gesture, Touched):
            self._picker.at = before  # do not scroll, or the next touch would hit another entry
        return follows

    def _refresh(self) -> Sequence[Entry]:
        entries, before = self._entries(), self._picker
        key = before.entry.key if before.entries else ""
        keys = [entry.key for entry in entries]
        at = keys.index(key) if key and key in keys else min(before.at, len(entries) - 1)
        self._picker = Picker(entries, at)
        return entries

    def caps(self, now: float) -> Caps:
        say, entries = self.context.say, self._refresh()
        take = Cap(say("cap.take"), lit=self._picker.entry.row.lit)
        return Caps(frame.following(say("cap.next"), entries), take)

    def draw(self, canvas: Canvas, now: float) -> None:
        heading = self._heading()
        entries = self._refresh()
        mark = heading.mark(canvas.px(36)) if heading.mark else None
        room = frame.head(canvas, heading.title, heading.detail or self.context.say("list.hold_back"), mark)
        if self._aside:
            left, room = cut_left(room, room.width * self._beside // 100, canvas.px(14))
            self._aside(canvas, left)
        if heading.note and len(entries) <= FEW:
            room = centred(room, canvas.px(600), canvas.px(120 + 84 * len(entries)))
            canvas.panel(room, NIGHT, 18, border=BRASS_DARK, alpha=140, width=1.5)
            room = inset(room, canvas.px(18), canvas.px(12))
            note, room = cut_top(room, canvas.px(90), canvas.px(10))
            canvas.text(heading.note, note, 27, INK, "display", lines=4, shrink=0.45)
        elif heading.note:
            note, room = cut_top(room, canvas.px(54), canvas.px(8))
            canvas.text(heading.note, note, 20, INK, "bold", lines=2, shrink=0.65)
        self._shown = lists.rows(canvas, room, [entry.row for entry in entries], self._picker.at, self._height)


def asking(context: KioskContext, heading: Callable[[], Heading], answers: Mapping[str, Take], under: Scene) -> Listing:
    """A question with its answers below. `answers` maps catalogue keys to actions.

    The first answer must change nothing, so that pressing twice without reading is harmless.
    """

    def entries() -> list[Entry]:
        return [Entry(Row(context.say(key)), take) for key, take in answers.items()]

    return Listing(context, heading, entries, lambda _: under, overlay=True)
