"""A whole table in this process, for tests: the real kiosk with a scripted clock, driven by mock pins, keys or touches.

No part of the table is replaced. The test advances the clock. Every turn of the loop waits until threads have written
to the disk and loaded what a review needs, because the scripted clock would otherwise run ahead of them.
"""

import os
import random
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from table import devices
from table.config import DEFAULT, Config
from table.devices.buttons import Buttons, open_buttons
from table.devices.edice import EDice
from table.devices.simulated import SimulatedDice
from table.games import GAMES
from table.session.lineup import Lineup, Seat
from table.session.mailbox import Mailbox
from table.session.messages import Post
from table.session.session import Session
from table.storage.journal.writer import Journal
from table.storage.records.reader import Reader
from table.text.catalogue import Catalogue
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext, Run
from table.ui.kiosk.demo import Forgetful
from table.ui.kiosk.devices import Devices
from table.ui.kiosk.loop import Kiosk
from table.ui.kiosk.scenes.attract import Attract
from table.ui.kiosk.scenes.play import Play
from table.ui.kiosk.scenes.review import Reviewing
from table.ui.kiosk.settings import Settings
from table.ui.shared.storage import Storage

STEP = 1 / 60
PATIENCE = 60.0  # real seconds to wait for the disk


def loaded(scene: Reviewing) -> None:
    """Wait until the review has loaded its tables."""
    scene._loading.join(PATIENCE)
    assert not scene._loading.is_alive(), "the review's tables were not loaded"


class Ears:
    """Records the sounds that would be played."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def play(self, name: str) -> None:
        self.heard.append(name)

    def set(self, on: bool, volume: int) -> None:
        pass

    def close(self) -> None:
        pass


class Tabletop:
    """`with Tabletop(...) as table`. With a folder, the real journal saves the games there; otherwise nothing is saved.

    A test that looks at pixels gives a size. Without a size, everything is laid out and drawn on a screen of 800 by
    480, but every pixel is clipped away. This saves a quarter of the time of a game played with buttons.
    """

    def __init__(
        self,
        size: tuple[int, int] | None = None,
        config: Config = DEFAULT,
        folder: Path | None = None,
        pins: bool = False,
        seed: int = 1,
        edice: Callable[[Post], EDice] | None = None,
        **settings: Any,
    ) -> None:
        self._held = ExitStack()
        self.now = 1000.0
        self.mailbox = Mailbox()
        pygame.display.init()
        self.surface = pygame.display.set_mode(size or (800, 480))
        self.surface.set_clip(None if size else pygame.Rect(0, 0, 0, 0))
        self._held.callback(self.surface.set_clip, None)  # remove the clip: the next window may reuse the surface
        self.journal = Journal(folder, self.mailbox.post) if folder else Forgetful(self.mailbox.post)
        self._held.callback(self.journal.close, 5.0)
        setup = devices.Setup(config.dice.camera, folder, config.dice.edice)
        sources: dict[str, Any] = {name: devices.make(name, self.mailbox.post, setup) for name in devices.SOURCES}
        if edice:
            sources["edice"] = edice(self.mailbox.post)
        for source in sources.values():
            self._held.callback(source.close)
        sources["simulated"] = SimulatedDice(self.mailbox.post, random.Random(seed))
        self.sources = sources
        kept = replace(Settings.of(config), **settings)
        self.ears = Ears()
        self.session = Session(self.journal, sources, kept.source, random.Random(seed), clock=lambda: self.now)
        say, found = Catalogue(kept.language), Devices()
        self.wishes: list[str] = []  # requests to the machine, such as shutting down
        storage, run = Storage(self.journal), Run(self.wishes.append)
        self.context = KioskContext(self.session, config, kept, say, self.ears, found, storage, run)
        if folder:
            self.context.storage.reader = Reader(folder, self.mailbox.post)
            self._held.callback(self.context.storage.reader.close)
        self.buttons: Buttons | None = None
        if pins:
            from gpiozero.pins.mock import MockFactory

            self.factory = MockFactory()
            self._held.callback(self.factory.close)
            self.buttons = open_buttons(
                config.buttons, self.mailbox.post, lambda: self.now, timer=False, factory=self.factory
            )
            self._held.callback(self.buttons.close)
        self.kiosk = Kiosk(self.context, Attract(self.context, self.now), self.surface, self.buttons, self.now)
        self.journal.start()
        self.wait_for_disk(lambda: self.context.history.read)

    def __enter__(self) -> "Tabletop":
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    @property
    def scene(self) -> Any:
        return self.kiosk.scene

    @property
    def canvas(self) -> Canvas:
        assert self.kiosk.canvas is not None
        return self.kiosk.canvas

    @property
    def words(self) -> list[str]:
        """All texts on the screen."""
        return [placed.text for placed in self.canvas.texts]

    def turn(self, *events: pygame.event.Event) -> None:
        """Run the loop once without advancing the clock, and wait for the disk."""
        if isinstance(self.scene, Reviewing):
            loaded(self.scene)
        self.kiosk.turn(self.mailbox.take(), events, self.now)
        while self.session.writing or self.context.storage.busy:
            self.mailbox.wait(PATIENCE)
            messages = self.mailbox.take()
            assert messages, "the disk did not answer"
            self.kiosk.turn(messages, [], self.now)

    def wait_for_disk(self, done: Any) -> None:
        self.turn()
        while not done():
            self.mailbox.wait(PATIENCE)
            messages = self.mailbox.take()
            assert messages, "the disk did not answer"
            self.kiosk.turn(messages, [], self.now)

    def run(self, seconds: float, step: float = STEP) -> None:
        """Let this much time pass."""
        end = self.now + seconds
        while self.now < end:
            self.now += step
            if self.buttons:
                self.buttons.due(self.now)
            self.turn()

    def until(self, done: Any, most: float = 120.0, step: float = STEP) -> None:
        end = self.now + most
        while not done():
            assert self.now < end, f"timed out after {most} seconds with {self.words} on the screen"
            self.run(step, step)

    # Physical buttons

    def pin(self, button: str) -> Any:
        buttons = self.context.config.buttons
        return self.factory.pin(buttons.roll_pin if button == "roll" else buttons.end_pin)

    def press(self, button: str, seconds: float = 0.1) -> None:
        """Press a mock pin and release it after this many seconds."""
        self.pin(button).drive_low()
        self.run(seconds)
        self.pin(button).drive_high()
        self.run(0.1)

    # Keys and touch

    def key(self, key: int, text: str = "", seconds: float = 0.1) -> None:
        self.turn(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=text))
        if self.scene.typing and text:
            self.turn(pygame.event.Event(pygame.TEXTINPUT, text=text))
        self.run(seconds)
        self.turn(pygame.event.Event(pygame.KEYUP, key=key, mod=0))
        self.run(0.05)

    def roll(self, times: int = 1, seconds: float = 0.1) -> None:
        for _ in range(times):
            self.key(pygame.K_SPACE, " ", seconds)

    def end(self, times: int = 1, seconds: float = 0.1) -> None:
        for _ in range(times):
            self.key(pygame.K_RETURN, "\r", seconds)

    def touch(self, spot: str) -> None:
        """Click the middle of this spot."""
        place = {name: rect.center for name, rect in self.canvas.spots}[spot]
        self.turn(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=place, touch=False))
        self.run(0.1)
        self.turn(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=place, touch=False))
        self.run(0.05)

    def sit(self, game: str, seats: Sequence[Seat], options: dict[str, Any] | None = None) -> None:
        """Start a game without going through the menus."""
        self.context.sit_down(Lineup(GAMES[game], tuple(seats), options or {}))
        self.kiosk.show(Play(self.context, self.now), self.now)
        self.turn()
