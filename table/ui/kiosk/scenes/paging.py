"""A screen with pages: Roll turns the page, End goes back. If there is only one page, a touch goes back too.

A page is drawn by a function, which also returns the total number of pages.
"""

from collections.abc import Callable, Sequence

from pygame import Surface

from table.text.records.blocks import Block
from table.ui.kiosk import frame, records
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, ROLL, Gesture, Held, Moved, Run, Tap, Touched
from table.ui.kiosk.layout import inset
from table.ui.kiosk.scenes import Scene


class Paging(Scene):
    overlay = True

    def __init__(
        self,
        context: KioskContext,
        draw: Callable[[Canvas, int], int],
        under: Scene,
        turn: str = "rules.turn",
        touch: Callable[[str, int, float], Scene | None] | None = None,
    ) -> None:
        """Creates the screen.

        `draw` is called with a page number and returns the number of pages. `touch` is called for spots other than
        "page" and returns a scene or None.
        """
        self.context = context
        self.under = under
        self._draw_page = draw
        self._turn = turn  # catalogue key of Roll's action
        self._touch = touch
        self._page = 0
        self._pages = 1  # number of pages at the last draw

    def handle(self, gesture: Gesture, now: float) -> Scene:
        match gesture:
            case Tap(button) | Held(button) if button == END:
                return self._back()
            case Touched() if self._pages == 1:
                return self._back()
            case Tap() | Run() | Moved() if self._pages == 1:
                self.context.sounds.play("refuse")
            case Tap(button) | Run(button) if button == ROLL:
                self._go(self._page + 1)
            case Touched("page"):
                self._go(self._page + 1)
            case Moved(step):
                self._go(self._page + step)
            case Touched(spot) if self._touch and (follows := self._touch(spot, self._page, now)):
                self.context.sounds.play("take")
                return follows
        return self

    def _back(self) -> Scene:
        self.context.sounds.play("back")
        return self.under

    def _go(self, page: int) -> None:
        self.context.sounds.play("tick")
        self._page = page % self._pages

    def caps(self, now: float) -> Caps:
        say = self.context.say
        return Caps(frame.following(say(self._turn), range(self._pages)), Cap(say("cap.back")))

    def draw(self, canvas: Canvas, now: float) -> None:
        self._pages = self._draw_page(canvas, self._page)
        self._page = min(self._page, self._pages - 1)


def page_of(
    context: KioskContext,
    under: Scene,
    mark: Callable[[int], Surface],
    *parts: tuple[str, Sequence[Block]],
    note: str = "",
) -> Scene:
    """A page of the records, made of titles and their blocks. Each title begins on a new sheet. The note is always in
    the header."""

    def draw(canvas: Canvas, at: int) -> int:
        room, say = frame.room(canvas), context.say
        inner = inset(room, canvas.px(16), canvas.px(10))
        split = [(title, sheet) for title, blocks in parts for sheet in records.sheets(canvas, inner, blocks, say)]
        title, sheet = split[min(at, len(split) - 1)]
        where = say("rules.page", page=at + 1, pages=len(split)) if len(split) > 1 else ""
        frame.head(canvas, title, " · ".join(filter(None, (note, where))), mark(canvas.px(36)))
        records.draw(canvas, canvas.sunk(room, 16, 10), sheet)
        canvas.spot("page", room)
        return len(split)

    return Paging(context, draw, under)
