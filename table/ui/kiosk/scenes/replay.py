"""A replay of a finished game, step by step, including the dice hidden under cups.

Apart from hidden dice, the replay shows only what the table showed during the game. Only finished games can be
replayed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from table.engine.asks import View
from table.games import part
from table.session.match import News
from table.text import game_texts, narration
from table.text.catalogue import Catalogue
from table.ui.kiosk import frame
from table.ui.kiosk.boards import Stage
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, ROLL, Gesture, Held, Moved, Run, Tap, Touched
from table.ui.kiosk.layout import cut_bottom, cut_right, inset
from table.ui.kiosk.pieces import emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.show import Beat, Moment, beats
from table.ui.kiosk.style import INK, INK_SOFT, NIGHT

PROMPT = 56  # units; same as in `match_screen`


@dataclass(frozen=True)
class Frame:
    """The table after one event."""

    view: View
    moment: Moment | None
    caption: str
    under: tuple[tuple[int | None, ...], ...]  # the dice under the cups, by seat
    computers: frozenset[int]


def frames(steps: Sequence[News], end: str, say: Catalogue, computers: frozenset[int]) -> tuple[Frame, ...]:
    """All events of a game in the order in which they were shown, then the result with the caption `end`."""
    found: list[Frame] = []
    for news in steps:
        events = tuple(event._replace(table=event.table and _public(event.table)) for event in news.events)
        public = news._replace(events=events, before=_public(news.before), after=_public(news.after))
        for beat in beats(public, say, computers):
            moment = Moment(beat.kind, beat.facts, 1.0, len(found), beat.before)
            found.append(Frame(beat.view, moment, beat.caption, _under(beat, news), computers))
    last = steps[-1].after
    return (*found, Frame(_public(last), None, end, _hands(last), computers))


def _public(view: View) -> View:
    """The view as everyone saw it."""
    return {**view, "dice": view["shown"]}


def _under(beat: Beat, news: News) -> tuple[tuple[int | None, ...], ...]:
    """The hands at this step, with all dice visible. The values of covered dice come from the view after the step or,
    if the rules have cleared these dice by then, from the view before the step."""
    after, before = _hands(news.after), _hands(news.before)
    return tuple(
        tuple(hand) if None not in hand else new if len(new) == len(hand) else old
        for hand, new, old in zip(beat.view["dice"], after, before, strict=True)
    )


def _hands(view: View) -> tuple[tuple[int | None, ...], ...]:
    return tuple(tuple(hand) for hand in view["dice"])


class Replay(Scene):
    overlay = True

    def __init__(self, context: KioskContext, shown: Sequence[Frame], under: Scene) -> None:
        self.context = context
        self.under = under
        self._frames = shown
        self._at = 0

    def handle(self, gesture: Gesture, now: float) -> Scene:
        match gesture:
            case Held(button) if button == END:
                self.context.sounds.play("back")
                return self.under
            case Tap(button) | Run(button) if button == ROLL:
                self._go(1)
            case Tap(button) if button == END:
                self._go(-1)
            case Moved(step):
                self._go(step)
            case Touched("dice" | "board"):
                self._go(1)
        return self

    def _go(self, step: int) -> None:
        at = max(0, min(self._at + step, len(self._frames) - 1))
        self.context.sounds.play("tick" if at != self._at else "refuse")
        self._at = at

    def caps(self, now: float) -> Caps:
        say, last = self.context.say, len(self._frames) - 1
        return Caps(
            Cap(say("records.screen.step_on"), lit=self._at < last),
            Cap(say("records.screen.step_back"), lit=self._at > 0),
        )

    def draw(self, canvas: Canvas, now: float) -> None:
        say, shown = self.context.say, self._frames[self._at]
        game = shown.view["game"]
        line = narration.round_line(shown.view, say)
        room = frame.head(canvas, game_texts.name(game, say), line, emblem(game, canvas.px(36)))
        prompt, room = cut_bottom(room, canvas.px(PROMPT), canvas.px(4))
        canvas.spot("board", room)
        part(game, "board").draw(canvas, room, shown.view, Stage(say, shown.computers, shown.moment, under=shown.under))
        canvas.panel(prompt, NIGHT, 12, alpha=150)
        inner = inset(prompt, canvas.px(14), canvas.px(2))
        step = say("records.screen.step", number=self._at + 1, count=len(self._frames))
        beside, words = cut_right(inner, canvas.text_width(step, 16), canvas.px(14))
        canvas.text(step, beside, 16, INK_SOFT, align="right")
        canvas.text(shown.caption, words, 21, INK, "bold", "left", lines=2, shrink=0.6)
