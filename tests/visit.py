"""Bring a whole table to one screen and draw it.

A screen is always the same: seeds are fixed, the clock is scripted, and all players, including people, choose as a
computer with a fixed seed would. The screens on the way are not drawn.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pygame
from pygame import Rect

from table.engine.asks import Choose, Over, Roll, View
from table.games import GAMES, bots
from table.session.lineup import Lineup, Seat
from table.session.match import Match
from table.ui.kiosk import frame
from table.ui.kiosk import text as writing
from table.ui.kiosk.canvas import Canvas, Placed
from table.ui.kiosk.gestures import ROLL, Tap
from table.ui.kiosk.scenes.play import Play
from table.ui.kiosk.scenes.result import Result
from table.ui.kiosk.style import Look
from tests.tabletop import Tabletop

MOST_ANSWERS = 3000  # many more than any game in the gallery takes


@dataclass
class Visit:
    """A table on the way to a screen, with the names of its players."""

    table: Tabletop
    names: Sequence[str]

    @property
    def context(self) -> Any:
        return self.table.context

    @property
    def scene(self) -> Any:
        return self.table.scene

    def show(self, scene: Any) -> None:
        self.table.kiosk.show(scene, self.table.now)

    def do(self, *gestures: Any) -> None:
        for gesture in gestures:
            self.show(self.scene.handle(gesture, self.table.now))

    def sit(self, game: str, people: int, computers: int = 0, seed: int = 1, **options: Any) -> None:
        """Start a game with people in the first seats, then computers. The seed decides dice, draws and choices."""
        seats = [Seat(name) for name in self.names[:people]] + [Seat("", bots.usual(game))] * computers
        self.table.sources["simulated"]._chance.seed(seed)
        self.context.session._chance.seed(seed)
        self.context.sit_down(Lineup(GAMES[game], tuple(seats), options))
        self.context.session.match.referee.seed = seed
        self.show(Play(self.context, self.table.now))
        self._tick()

    def moment(self, kind: str, t: float, when: Callable[[Mapping[str, Any], View], Any]) -> None:
        """Play until this kind of moment is being shown and has progressed to `t`."""
        for _ in range(MOST_ANSWERS):
            assert isinstance(self.scene, Play), f"the game ended without {kind}"
            while not self.scene._show.done(self.table.now):
                moment, view = self.scene._show.at(self.table.now).moment, self.scene._show.at(self.table.now).view
                here = moment.kind == kind and when(moment.facts, view)
                if here and moment.t >= t:
                    return
                self.table.now += 0.01 if here else 0.1
            self._answer()
        raise AssertionError(f"{kind} did not happen")

    def asked(self, when: Callable[[Any, View], Any]) -> None:
        """Play until a person gets a matching ask and all animations are done."""
        for _ in range(MOST_ANSWERS):
            self._skip()
            referee = self.context.session.match.referee
            assert not isinstance(referee.ask, Over), "the game ended without such an ask"
            if self.context.session.turn == "person" and when(referee.ask, referee.view(None)):
                return
            self._answer()
        raise AssertionError("there was no such ask")

    def over(self) -> None:
        """Play to the result, and wait for its animation."""
        while not isinstance(self.scene, Result):
            self._answer()
            self._skip()
        self.table.now += 2

    def _answer(self) -> None:
        """Do what the current ask needs."""
        session = self.context.session
        match: Match = session.match
        ask = match.referee.ask
        if session.turn == "table":
            session.step()
        elif isinstance(ask, Roll):
            session.dice.throw()
        elif isinstance(ask, Choose):
            chance = random.Random(f"{match.referee.seed} {len(match.referee.history)}")
            session.choose(bots.choose(bots.usual(match.game.id), match.referee, chance))
        self._tick()

    def _tick(self) -> None:
        """Deliver all pending messages."""
        messages = self.table.mailbox.take()
        while messages:
            for message in messages:
                self.context.session.handle(message)
            messages = self.table.mailbox.take()
        self.show(self.scene.tick(self.table.now))

    def _skip(self) -> None:
        while isinstance(self.scene, Play) and not self.scene._show.done(self.table.now):
            self.table.now += 0.5
        self._tick()


Step = Callable[[Visit], object]


@dataclass(frozen=True)
class Screen:
    name: str
    shows: str
    steps: tuple[Step, ...]
    settings: Mapping[str, Any]
    private: bool = False  # only for one player, so no picture of it is saved
    pages: bool = False  # has several pages, which Roll turns
    moving: bool = False  # animated, so something may cover text

    def visit(self, language: str, names: Sequence[str]) -> Visit:
        """Bring a new table to this screen. Close it afterwards (`with visit.table`)."""
        visit = Visit(Tabletop((160, 96), language=language, **self.settings), names)
        for step in self.steps:
            step(visit)
        return visit


@dataclass(frozen=True)
class Written:
    """A text on a screen and its font size in pixels."""

    placed: Placed
    size: int


class Watched(Canvas):
    """A canvas that records the font size of every text, and texts that were partly painted over."""

    def __init__(self, surface: pygame.Surface, style: Look) -> None:
        super().__init__(surface, style)
        self.written: list[Written] = []
        self.half_covered: list[Placed] = []

    def text(
        self,
        text: str,
        rect: Rect,
        size: float,
        *look: Any,
        lines: int = 1,
        shrink: float = 0.6,
        face: Any = None,
        **more: Any,
    ) -> Rect:
        face = face or (look[1] if len(look) > 1 else "body")
        given = (look[0], face, *look[2:]) if look else ()
        more = more if look else {"face": face, **more}
        drawn = super().text(text, rect, size, *given, lines=lines, shrink=shrink, **more)
        fitted = writing.fit(text, face, self.text_px(size), rect.size, lines, shrink)
        self.written.append(Written(self.texts[-1], fitted.size))
        return drawn

    def panel(
        self, rect: Rect, colour: Any, radius: float = 12, border: Any = None, alpha: int = 255, **more: Any
    ) -> None:
        super().panel(rect, colour, radius, border, alpha, **more)
        if alpha < 255:
            return
        for written in [written for written in self.written if rect.colliderect(written.placed.drawn)]:
            self.written.remove(written)
            if not rect.contains(written.placed.drawn):
                self.half_covered.append(written.placed)

    def veil(self, brightness: float = 0.4) -> None:
        """Forget the texts so far: they are only background now."""
        super().veil(brightness)
        self.written.clear()


@cache
def _nothing(size: tuple[int, int]) -> pygame.Surface:
    """A surface of this size on which drawing has no effect."""
    surface = pygame.Surface(size, 0, 32)
    surface.set_clip(Rect(0, 0, 0, 0))
    return surface


def draw(visit: Visit, size: tuple[int, int], large_text: bool = False, pixels: bool = True) -> Watched:
    """Draw the current screen as the main loop does. Without `pixels`, texts are laid out but no pixel is set."""
    context = visit.context
    context.settings = replace(context.settings, large_text=large_text)
    buttons = context.config.buttons
    look = Look(
        large_text, context.say("button.roll"), context.say("button.end"), buttons.roll_colour, buttons.end_colour
    )
    canvas = Watched(pygame.Surface(size, 0, 32) if pixels else _nothing(size), look)
    visit.scene.draw(canvas, visit.table.now)
    frame.caps(canvas, visit.scene.caps(visit.table.now))
    return canvas


def pages(
    visit: Visit, screen: Screen, size: tuple[int, int], large_text: bool = False, pixels: bool = True
) -> Iterator[Watched]:
    """Draw the screen, or each of its pages."""
    yield draw(visit, size, large_text, pixels)
    if screen.pages:
        visit.do(Tap(ROLL))
        while visit.scene._page:
            yield draw(visit, size, large_text, pixels)
            visit.do(Tap(ROLL))
