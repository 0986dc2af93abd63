"""Builds a table from its config: connects the journal, dice, buttons and screen, and closes them at the end.

The first screen appears before anything else. Whatever opens slowly (journal, sound, buttons) opens in its own thread.
Missing devices are reported on the screen, never by a traceback.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pygame

from table import devices
from table.config import Config, paths
from table.devices.buttons import Buttons, open_buttons
from table.devices.hotspot import Hotspot
from table.engine.errors import Refused
from table.machine import power
from table.machine.service import Service
from table.session.mailbox import Mailbox
from table.session.messages import DeviceFound, DeviceLost, Message, Post
from table.session.session import Session
from table.storage.journal.lock import Lock
from table.storage.journal.writer import Journal
from table.storage.records.reader import Reader
from table.text.catalogue import Catalogue
from table.ui.kiosk.context import KioskContext, Run
from table.ui.kiosk.demo import Forgetful
from table.ui.kiosk.devices import Devices
from table.ui.kiosk.loop import Kiosk, run
from table.ui.kiosk.scenes.attract import Attract
from table.ui.kiosk.settings import Settings
from table.ui.kiosk.sounds import Sounds
from table.ui.phone.port import Port
from table.ui.shared.storage import Storage

LOOK_AGAIN = 3.0  # seconds between attempts to find lost buttons
FIRST_SCREEN = 1.5  # seconds before slow services such as the phone port open, so that the first screen is not delayed
CLOSING = 1.2  # seconds for closing the journal, so that the table ends within two seconds of the request


class NoScreen(Exception):
    """No display could be opened. The system's error message says why."""


class LateButtons:
    """The physical buttons, opened in a thread because gpiozero is slow to load. Reopens lost buttons."""

    def __init__(self, config: Config, post: Post) -> None:
        self._config = config
        self._post = post
        self._buttons: Buttons | None = None
        self._lit = (False, False)
        self._lock = threading.Lock()
        self._closed = threading.Event()
        threading.Thread(target=self._open, name="buttons", daemon=True).start()

    def _open(self) -> None:
        while not self._closed.is_set():
            try:
                buttons = open_buttons(self._config.buttons, self._hear)
            except Refused as why:
                self._post(DeviceLost("buttons", str(why)))
                if self._buttons is None:  # give up: no buttons have been found since the start
                    return
                self._closed.wait(LOOK_AGAIN)
                continue
            with self._lock:
                self._buttons = buttons
                buttons.lamps(*self._lit)
            if self._closed.is_set():
                buttons.close()
            else:
                self._post(DeviceFound("buttons"))
            return

    def _hear(self, message: Message) -> None:
        self._post(message)
        if isinstance(message, DeviceLost):
            threading.Thread(target=self._replace, name="buttons", daemon=True).start()

    def _replace(self) -> None:
        if self._buttons:
            self._buttons.close()
        self._closed.wait(LOOK_AGAIN)
        self._open()

    def lamps(self, roll: bool, end: bool) -> None:
        with self._lock:
            self._lit = (roll, end)
            if self._buttons:
                self._buttons.lamps(roll, end)

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            if self._buttons:
                self._buttons.close()


def open_screen(window: tuple[int, int] | None) -> pygame.Surface:
    """Opens the window or the full screen. Raises NoScreen if there is no display."""
    try:
        with _drivers():
            # Otherwise SDL swallows the click that focuses the window, and on a busy machine the first click is lost.
            os.environ.setdefault("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1")
            pygame.display.init()
        if window:
            surface = pygame.display.set_mode(window, pygame.RESIZABLE)
        else:
            surface = pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
            pygame.mouse.set_visible(False)  # hidden until a mouse is moved
    except pygame.error as why:
        pygame.display.quit()
        raise NoScreen(str(why)) from why
    return surface


@contextmanager
def _drivers() -> Iterator[None]:
    """Limits the SDL video drivers: no fallback to an invisible display, no error output when Wayland is missing."""
    if not sys.platform.startswith("linux") or "SDL_VIDEODRIVER" in os.environ:
        yield
        return
    os.environ["SDL_VIDEODRIVER"] = "wayland,x11,kmsdrm" if "XDG_RUNTIME_DIR" in os.environ else "x11,kmsdrm"
    try:
        yield
    finally:
        del os.environ["SDL_VIDEODRIVER"]


def play(
    config: Config,
    folder: Path,
    simulate: bool = False,
    demo: bool = False,
    camera: str | None = None,
    edice: str | None = None,
    service: bool = False,
) -> str:
    """Runs the table until the process is told to end (returns "") or someone at the table requests it (returns "exit"
    or "restart").

    If `camera` or `edice` is given, that device becomes the dice source, whatever the config and the journal say.
    `service` means that the machine is dedicated to the table.
    """
    if camera:
        config = replace(config, dice=replace(config.dice, source="camera", camera=camera))
    if edice:
        config = replace(config, dice=replace(config.dice, source="edice", edice=edice))
    with ExitStack() as held:
        ended = threading.Event()
        held.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, lambda *_: ended.set()))
        if not demo:
            held.enter_context(Lock(folder))
        try:
            surface = open_screen(config.screen.window)
        except NoScreen:
            if ended.is_set():
                return ""
            raise
        held.callback(pygame.quit)
        pygame.display.set_caption(Catalogue(config.screen.language)("attract.title"))
        mailbox = Mailbox()
        size, league = config.journal.megabytes * 1_000_000, bool(config.league.address)
        journal = Forgetful(mailbox.post) if demo else Journal(folder, mailbox.post, size, league)
        held.callback(journal.close, CLOSING)
        setup = devices.Setup(config.dice.camera, folder, config.dice.edice)
        sources = {name: devices.make(name, mailbox.post, setup) for name in devices.SOURCES}
        for source in sources.values():
            held.callback(source.close)
        named = "edice" if edice else "camera" if camera else None
        fixed = "simulated" if demo else named or ("simulated" if simulate else None)
        session = Session(journal, sources, fixed or config.dice.source, post=mailbox.post)
        context = _context(config, session, journal, fixed, partial(power.ask, post=mailbox.post))
        context.run.demo, context.run.service = demo, service
        if not demo:
            context.storage.reader = Reader(folder, mailbox.post)
            held.callback(context.storage.reader.close)
        held.callback(context.sounds.close)
        buttons = None
        if not simulate and config.buttons.enabled != "off":
            buttons = LateButtons(config, mailbox.post)
            held.callback(buttons.close)
        else:
            context.devices.buttons_missing = ""
        if sys.platform.startswith("linux") and not (simulate or demo):
            context.devices.hotspot = Hotspot(mailbox.post)
        now = time.monotonic()
        kiosk = Kiosk(context, Attract(context, now), surface, buttons, now)
        kiosk.turn([], [], now)
        pygame.display.flip()
        manager = Service()
        manager.ready()
        held.callback(manager.stopping)
        journal.start()
        context.devices.calibrating = next((one.calibrating for one in sources.values() if one.calibrating), None)
        context.devices.own_dice = next((one.own_dice for one in sources.values() if one.own_dice), None)
        context.session.dice.device.open()
        if config.phones.on and not demo:
            port = Port(mailbox.post, config.phones, after=FIRST_SCREEN)
            held.callback(port.close)
            context.connect(port)
        if not demo:
            context.storage.open_services(held, config, folder, mailbox.post, context.say, FIRST_SCREEN)
        run(kiosk, mailbox, time.monotonic, ended.is_set, manager)
        return context.run.ending or ""


def _context(
    config: Config,
    session: Session,
    journal: Journal | Forgetful,
    fixed: str | None,
    power: Callable[[str], None],
) -> KioskContext:
    settings = Settings.of(config)
    if fixed:
        settings = settings.changed("source", fixed)
    return KioskContext(
        session,
        config,
        settings,
        Catalogue(settings.language),
        Sounds(paths.assets() / "sounds", settings.sound, settings.volume),
        Devices(),
        Storage(journal),
        Run(power),
    )
