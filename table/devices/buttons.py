"""The two physical buttons, Roll and End, and their lamps.

Its one rule: every press that was posted is followed by a release, even if the pins fail or are closed.

The pins are gpiozero pins from any factory that gpiozero supports. Their edges arrive in the pin library's thread and
go through our own debouncing. A button at rest causes no edges, so our own thread posts the changes that fall due
later. It also reads the pins every second, to recover lost edges, and to notice failed pins while no one presses a
button. If the pins hang, only that thread waits for them, because it never touches them while it holds the lock.
"""

import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any

from table.config.sections import ButtonSettings
from table.devices.debounce import Change, Debounce
from table.engine.errors import Refused
from table.session.messages import DeviceLost, Post, Pressed, Released

DEVICE = "buttons"
LOOK = 1.0  # seconds between two readings of idle pins
LAST = 0.5  # seconds to wait for the thread to end
NO_PINS = "There are no GPIO pins for buttons here"
PARTS = (("pin", "roll"), ("pin", "end"), ("lamp", "roll"), ("lamp", "end"))  # each part has its own pin


class _Lamps:
    """The buttons' lamps, and which of them have to be switched."""

    def __init__(self, pins: dict[str, Any]) -> None:
        self.wanted: dict[str, bool] = {}  # whether each lamp should be lit
        self._pins = pins
        self._lit: dict[str, bool] = {}  # whether each lamp is lit

    @property
    def due(self) -> dict[str, bool]:
        return {name: lit for name, lit in self.wanted.items() if self._lit.get(name) != lit}

    def switch(self, name: str, lit: bool) -> None:
        self._pins[name].value = self._lit[name] = lit


class Buttons:
    """The opened buttons and lamps. Created by `open_buttons`."""

    def __init__(
        self,
        keys: dict[str, Any],
        lamps: dict[str, Any],
        settle: float,
        post: Post,
        clock: Callable[[], float],
        factory: Any,
    ) -> None:
        self.factory = factory  # the pin factory
        self.held = ExitStack()  # resources to release in `close`
        self._keys, self._lamps, self._post, self._clock = keys, _Lamps(lamps), post, clock
        self._edges = dict.fromkeys(keys, 0)  # number of edges per button
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._wake = threading.Condition()
        with self._wake:  # an edge that arrives now waits until the button's line exists
            for name, key in keys.items():
                key.when_activated = partial(self._edge, name, True)
                key.when_deactivated = partial(self._edge, name, False)
            self._lines = {name: Debounce(settle, bool(key.is_active)) for name, key in keys.items()}

    def start(self) -> None:
        """Starts a thread that calls `due` on time. Without this thread, the owner has to call it."""
        self._thread = threading.Thread(target=self._watch, name=DEVICE, daemon=True)
        self._thread.start()

    def due(self, now: float) -> None:
        """Posts the changes that are due. Reads each pin first: an edge alone is not trusted."""
        if self._over.is_set():
            return
        edges = dict(self._edges)
        try:
            levels = {name: bool(key.is_active) for name, key in self._keys.items()}
        except Exception as error:  # every pin library has errors of its own
            self._lose(error)
            return
        with self._wake:
            if self._over.is_set():
                return
            changes = []
            for name, line in self._lines.items():
                if self._edges[name] != edges[name]:
                    continue  # the value might be older than the edge; the next reading decides
                if levels[name] != line.level:
                    moment = line.next_due
                    then = now if moment is None else min(now, moment)  # no later than the next change that falls due
                    changes += [(name, change) for change in line.edge(levels[name], then)]
                changes += [(name, change) for change in line.due(now)]
            for name, change in sorted(changes, key=lambda said: said[1].at):
                self._say(name, change)

    @property
    def pressed(self) -> list[str]:
        """The buttons that are down now, even if they still bounce."""
        with self._wake:
            return [name for name, line in self._lines.items() if line.level]

    def lamps(self, roll: bool, end: bool) -> None:
        """Lights the buttons that can be pressed. If the thread runs, it switches the lamps."""
        with self._wake:
            self._lamps.wanted = {"roll": roll, "end": end}
            self._wake.notify()
        if not self._thread:
            self._light()

    def close(self) -> None:
        """Switches the lamps off, releases the pins and ends the thread. Does not touch pins that hang. Idempotent."""
        with self._wake:
            self._end()
            self._wake.notify()
        if self._thread:
            self._thread.join(LAST)
            if self._thread.is_alive():
                return
        self.held.close()

    def _edge(self, name: str, down: bool) -> None:
        with self._wake:
            if self._over.is_set():
                return
            self._edges[name] += 1
            for change in self._lines[name].edge(down, self._clock()):
                self._say(name, change)
            self._wake.notify()

    def _say(self, name: str, change: Change) -> None:
        self._post(Pressed(name, change.at) if change.down else Released(name, change.at))

    def _lose(self, error: Exception) -> None:
        with self._wake:
            if not self._over.is_set():
                self._end()
                self._post(DeviceLost(DEVICE, f"The buttons' pins have stopped responding ({_words(error)})."))

    def _end(self) -> None:
        """Posts a release for each button that is down. After this, no press or release is posted."""
        if self._over.is_set():
            return
        self._over.set()
        for name, line in self._lines.items():
            if line.down:
                self._post(Released(name, self._clock()))

    def _light(self) -> None:
        for name, lit in self._lamps.due.items():
            if self._over.is_set():
                return
            try:
                self._lamps.switch(name, lit)
            except Exception as error:  # every pin library has errors of its own
                self._lose(error)

    def _watch(self) -> None:
        while not self._over.is_set():
            self._light()
            self.due(self._clock())
            with self._wake:
                if self._over.is_set() or self._lamps.due:
                    continue
                now = self._clock()
                moments = [line.next_due for line in self._lines.values()]
                self._wake.wait(max(0.0, min([now + LOOK, *(at for at in moments if at is not None)]) - now))


def open_buttons(
    settings: ButtonSettings,
    post: Post,
    clock: Callable[[], float] = time.monotonic,
    timer: bool = True,
    factory: Any = None,
) -> Buttons:
    """Opens the buttons as configured. If `factory` is given, it provides the pins and is not closed with the buttons.

    Raises Refused with the reason if they cannot be opened. Without `timer`, the owner calls `due` when its clock
    advances."""
    with ExitStack() as held, _silence():
        gpiozero = _gpiozero()
        if factory is None:
            factory = _factory(gpiozero, settings.pin_factory, held)
        parts: dict[str, dict[str, Any]] = {"pin": {}, "lamp": {}}
        for part, name in PARTS:
            parts[part][name] = _on_its_pin(gpiozero, settings, factory, part, name)
            held.callback(_close, parts[part][name])
        keys, lamps = parts["pin"], parts["lamp"]
        with _refusing("The buttons' pins do not respond"):
            buttons = Buttons(keys, lamps, settings.debounce_ms / 1000, post, clock, factory)
        buttons.held = held.pop_all()
    if timer:
        buttons.start()
    return buttons


def refused_pins(settings: ButtonSettings) -> list[str]:
    """One sentence for each pin that cannot be used. Releases all pins before it returns."""
    refused = []
    with ExitStack() as held, _silence():
        gpiozero = _gpiozero()
        factory = _factory(gpiozero, settings.pin_factory, held)
        for part, name in PARTS:
            try:
                held.callback(_close, _on_its_pin(gpiozero, settings, factory, part, name))
            except Refused as why:
                refused.append(str(why))
    return refused


def _on_its_pin(gpiozero: Any, settings: ButtonSettings, factory: Any, part: str, name: str) -> Any:
    """A button or a lamp on its configured pin."""
    pin, button = getattr(settings, f"{name}_{part}"), name.capitalize()
    lamp = f"Pin {pin} cannot be the lamp of the {button} button"
    with _refusing(lamp if part == "lamp" else f"Pin {pin} cannot be the {button} button"):
        if part == "lamp":
            return gpiozero.LED(pin, pin_factory=factory)
        # This is not gpiozero's Button, which starts a thread that wakes ten times a second to detect holding.
        return gpiozero.DigitalInputDevice(pin, pull_up=settings.pull_up, pin_factory=factory)


def _gpiozero() -> Any:
    try:
        import gpiozero  # type: ignore[import-untyped]  # imported here because it takes a tenth of a second
    except ImportError:
        raise Refused("The buttons need gpiozero, which is not installed.") from None
    return gpiozero


def _factory(gpiozero: Any, name: str, held: ExitStack) -> Any:
    """The named pin factory, or the first one that works. If we create it, we close it at the end, because some
    libraries release a pin only then, and because only a new factory works after a failure."""
    device = gpiozero.Device
    if not name and device.pin_factory is not None:
        return device.pin_factory  # other code set it for the whole process, so we do not close it
    with _refusing(NO_PINS):
        if name:
            from importlib.metadata import entry_points  # slow to import, and rarely needed

            kinds = {kind.name: kind for kind in entry_points(group="gpiozero_pin_factories")}
            factory = kinds[name].load()()
        else:
            device.ensure_pin_factory()
            factory, device.pin_factory = device.pin_factory, None
    held.callback(_close, factory)
    return factory


@contextmanager
def _silence() -> Iterator[None]:
    """Suppresses gpiozero's warnings about each factory that fails; the refusal gives the reason once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _refusing(what: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # every pin library has errors of its own
        raise Refused(f"{what} ({_words(error)}).") from error


def _words(error: Exception) -> str:
    """The library's error, shortened to fit the end of a sentence."""
    first = next(iter(str(error).strip().splitlines()), "")
    return first.strip(" .!'\"") or type(error).__name__


def _close(device: Any) -> None:
    with suppress(Exception):  # pins that failed cannot be closed
        device.close()
