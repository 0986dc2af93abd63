"""The review of a person's play: winning probability over time, luck and decisions separated, and the worst mistakes.

The review never blocks the screen. The table for perfect play is loaded in a thread; then one decision is judged per
frame, and the screen shows the progress.
"""

from contextlib import suppress
from threading import Thread

from table.analysis.review import Progress, Review, reviewing
from table.engine.errors import NoTable
from table.games import bots
from table.session.match import Match
from table.text.narration import reviewed
from table.text.records.blocks import Text
from table.text.records.review import chances, facts
from table.ui.kiosk import frame, records
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, ROLL, Gesture, Held, Tap, Touched
from table.ui.kiosk.pieces import emblem
from table.ui.kiosk.scenes import Scene

SLIPS = 3  # mistakes shown in detail
SOON = 0.05  # seconds


def reviewable(match: Match) -> bool:
    """Whether the match can be reviewed: it is over, a person played against someone, and perfect play is known."""
    played = bool(match.winners and match.seating.people) and len(match.referee.players) > 1
    return played and bots.has_perfect(match.game.id)


class Reviewing(Scene):
    overlay = True

    def __init__(self, context: KioskContext, match: Match, under: Scene) -> None:
        self.context = context
        self.match = match
        self.under = under
        self._place = 0
        self._trouble = ""  # why there is no review
        self._loading = Thread(target=self._load, daemon=True)
        self._loading.start()
        self._begin()

    @property
    def seat(self) -> int:
        return self.match.seating.people[self._place]

    def _load(self) -> None:
        with suppress(NoTable):  # judging the first decision will raise the error again
            bots.prepare(self.match.game.id)

    def _begin(self) -> None:
        self._judging = reviewing(self.match.referee, [self.seat])
        self._now: Progress | Review = next(self._judging)

    def handle(self, gesture: Gesture, now: float) -> Scene:
        if gesture == Tap(ROLL) and len(self.match.seating.people) > 1:
            self.context.sounds.play("take")
            self._place = (self._place + 1) % len(self.match.seating.people)
            self._begin()
        elif gesture in (Tap(END), Held(END)) or isinstance(gesture, Touched):
            self.context.sounds.play("back")
            return self.under
        return self

    def tick(self, now: float) -> Scene:
        if isinstance(self._now, Progress) and not self._trouble and not self._loading.is_alive():
            try:
                self._now = next(self._judging)
            except NoTable:
                self._trouble = self.context.say("refused.no_table")
        return self

    def wake(self, now: float) -> float | None:
        if self._loading.is_alive():
            return now + SOON
        return now if isinstance(self._now, Progress) and not self._trouble else None

    def caps(self, now: float) -> Caps:
        several = len(self.match.seating.people) > 1
        return Caps(Cap(self.context.say("cap.next")) if several else None, Cap(self.context.say("cap.back")))

    def draw(self, canvas: Canvas, now: float) -> None:
        say, found = self.context.say, self._now
        name = self.match.referee.players[self.seat]
        room = frame.head(canvas, say("review.title", name=name), "", emblem(self.match.game.id, canvas.px(36)))
        if isinstance(found, Progress):
            waits = self._trouble or say("review.thinking", number=found.number, count=found.count)
        else:
            waits = reviewed.without(found, name, say)
        if isinstance(found, Progress) or waits:
            records.panel(canvas, room, (Text(waits),), say)
            return
        slips = [reviewed.slip(each, say) for each in found.slips[:SLIPS]] or [say("review.right")]
        notes = list(reviewed.notes(found, name, say))[:1]
        words = (Text(reviewed.summary(found, name, say)), *(Text(text, "quiet") for text in (*slips, *notes)))
        records.panel(canvas, room, (facts(found, say), chances(found, say), *words), say)
