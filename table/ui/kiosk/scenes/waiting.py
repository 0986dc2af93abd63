"""Waits for another thread that reads a page of the records or changes a name.

The screen never blocks. The previous scene stays for a moment, which is usually enough; after that a message appears.
Failures are shown as a sentence.
"""

import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from table.engine.errors import Refused
from table.session.messages import Committed, Found, NotKept
from table.storage.journal.entries import Entry as Kept
from table.storage.records.read import Question
from table.text.records import words
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, Gesture, Held, Tap
from table.ui.kiosk.layout import centred
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.listing import Heading, asking
from table.ui.kiosk.style import BRASS_DARK, INK, NIGHT

PATIENCE = 0.15  # seconds; a shorter wait shows no message

Page = TypeVar("Page")
Answer = TypeVar("Answer")


class Waiting(Scene):
    overlay = True

    def __init__(
        self,
        context: KioskContext,
        ask: Callable[[Callable[[Answer], None]], None],
        then: Callable[[Answer, float], Scene],
        under: Scene,
        now: float,
    ) -> None:
        self.context = context
        self.under = under
        self._then: Callable[[Any, float], Scene] = then
        self._slow = now + PATIENCE
        self._answers: list[Any] = []
        ask(self._answers.append)

    def handle(self, gesture: Gesture, now: float) -> Scene:
        if gesture in (Tap(END), Held(END)):
            self.context.sounds.play("back")
            return self.under
        return self

    def tick(self, now: float) -> Scene:
        return self._then(self._answers[0], now) if self._answers else self

    def wake(self, now: float) -> float | None:
        return self._slow if now < self._slow else None

    def caps(self, now: float) -> Caps:
        return self.under.caps(now) if now < self._slow else Caps(None, Cap(self.context.say("cap.back")))

    def draw(self, canvas: Canvas, now: float) -> None:
        self.under.draw(canvas, now)
        if now >= self._slow:
            canvas.veil()
            card = centred(canvas.area, canvas.px(360), canvas.px(90))
            canvas.panel(card, NIGHT, 18, border=BRASS_DARK, shadow=True, width=1.5)
            canvas.text(self.context.say("records.reading"), card, 24, INK, "display")


def reading(
    context: KioskContext,
    question: Question[Page],
    then: Callable[[Page, float], Scene],
    under: Scene,
    now: float,
    without: str = "refused.unreadable",
) -> Scene:
    """Reads a page and shows the screen that `then` makes from the page. If there is no such page, `without` is the key
    of the error."""

    def asked(connection: sqlite3.Connection) -> Page:
        try:
            return question(connection)
        except Refused:
            raise Refused(without) from None

    def found(answer: Found, now: float) -> Scene:
        if answer.why:
            return refused(context, words.why(answer.why, context.say), under)
        return then(answer.page, now)

    return Waiting(context, partial(context.storage.ask, asked), found, under, now)


def writing(context: KioskContext, entry: Kept, then: Callable[[float], Scene], under: Scene, now: float) -> Scene:
    """Writes an entry and shows the next screen once it is on disk."""

    def kept(answer: Committed | NotKept, now: float) -> Scene:
        if isinstance(answer, NotKept):
            return refused(context, context.say("refused.not_kept"), under)
        return then(now)

    return Waiting(context, partial(context.storage.keep, entry), kept, under, now)


def refused(context: KioskContext, why: str, under: Scene) -> Scene:
    """Shows a sentence and an entry to go back."""

    heading = Heading(context.say("records.title"), note=why)
    return asking(context, lambda: heading, {"cap.back": lambda _: under}, under)
