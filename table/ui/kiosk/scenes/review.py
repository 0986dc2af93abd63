"""The review of a person's play: winning probability over time, luck and decisions separated, and the worst mistakes.

It never blocks the screen: the table for perfect play is loaded in a thread, then one decision is judged per frame,
with the progress on screen.
"""

from contextlib import suppress
from threading import Thread

from pygame import Rect

from table.analysis.review import Progress, Review, reviewing
from table.engine.errors import NoTable
from table.games import bots
from table.session.match import Match
from table.text.narration import reviewed
from table.text.records.review import chances, facts
from table.ui.kiosk import charts, frame
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, ROLL, Gesture, Held, Tap, Touched
from table.ui.kiosk.layout import cut_bottom, cut_left, cut_top, rows
from table.ui.kiosk.pieces import emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.style import BAD, GOOD, INK, INK_FAINT, INK_SOFT

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
        with suppress(NoTable):  # judging the first decision raises it again
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
        inner = canvas.sunk(room, 16, 12)
        if self._trouble:
            canvas.text(self._trouble, inner, 20, INK, "bold", lines=4)
            return
        if isinstance(found, Progress):
            canvas.text(say("review.thinking", number=found.number, count=found.count), inner, 22, INK, "bold")
            return
        if why := reviewed.without(found, name, say):
            canvas.text(why, inner, 22, INK, "bold", lines=2)
            return
        low, inner = cut_bottom(inner, canvas.px(132), canvas.px(10))
        figures, chart = cut_left(inner, inner.width * 3 // 10, canvas.px(18))
        self._draw_figures(canvas, figures, found)
        went = chances(found, say)
        charts.chances(canvas, chart, went.start, went.points, went.result, say)
        self._draw_slips(canvas, low, found, name)

    def _draw_figures(self, canvas: Canvas, rect: Rect, found: Review) -> None:
        """Draws the probability at the start, the effects of luck and mistakes, and the end."""
        lines = facts(found, self.context.say).rows
        colours = (INK, GOOD if found.luck > 0 else INK, BAD if found.cost > 0 else INK, INK)
        for line, colour, row in zip(lines, colours, rows(rect, len(lines), canvas.px(4)), strict=True):
            label, value = cut_left(row, row.width * 3 // 5, canvas.px(4))
            canvas.text(line.label, label, 17, INK_SOFT, align="left", shrink=0.6)
            canvas.text(line.figures[0], value, 22, colour, "display", align="right", shrink=0.6)

    def _draw_slips(self, canvas: Canvas, rect: Rect, found: Review, name: str) -> None:
        say = self.context.say
        lines = [reviewed.summary(found, name, say)]
        lines += [reviewed.slip(decision, say) for decision in found.slips[:SLIPS]] or [say("review.right")]
        faint = list(reviewed.notes(found, name, say))[:1]
        for place, line in enumerate(lines + faint):
            top, rect = cut_top(rect, canvas.px(25), canvas.px(2))
            colour = INK if place == 0 else INK_FAINT if line in faint else INK_SOFT
            canvas.text(line, top, 17, colour, "bold" if place == 0 else "body", align="left", shrink=0.55)
