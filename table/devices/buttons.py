"""The two physical buttons, Roll and End, and the lamps in them.

Its one rule: whoever was told that a button went down is told that it came up, also when the pins fail or are given
back.

Pins are gpiozero's, of any kind that it knows. Their edges arrive in a thread of the pin library and go through our own
debounce; as edges stop when a button rests, a thread of ours says what time brings. It also looks at the pins every
second: an edge that got lost is made good, and pins that are gone are noticed while nobody presses. Pins that hang
instead keep nobody else waiting: only that thread touches them, and never while it holds the lock.
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
LOOK = 1.0  # seconds between two looks at pins that are at rest
LAST = 0.5  # seconds that the thread has to end
NO_PINS = "There are no GPIO pins for buttons here"
PARTS = (("pin", "roll"), ("pin", "end"), ("lamp", "roll"), ("lamp", "end"))  # each on a pin of its own


class Buttons:
    """Buttons and lamps that are open. Made by `open_buttons`."""

    def __init__(
        self,
        keys: dict[str, Any],
        lamps: dict[str, Any],
        settle: float,
        post: Post,
        clock: Callable[[], float],
        factory: Any,
    ) -> None:
        self.factory = factory  # whose pins they are
        self.held = ExitStack()  # what is given back at the end
        self._keys, self._lamps, self._post, self._clock = keys, lamps, post, clock
        self._wanted: dict[str, bool] = {}  # lamps, as they should be lit,
        self._lit: dict[str, bool] = {}  # and as they are
        self._edges = dict.fromkeys(keys, 0)  # how many came of each
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._wake = threading.Condition()
        with self._wake:  # an edge that comes now waits until its line is there
            for name, key in keys.items():
                key.when_activated = partial(self._edge, name, True)
                key.when_deactivated = partial(self._edge, name, False)
            self._lines = {name: Debounce(settle, bool(key.is_active)) for name, key in keys.items()}

    def start(self) -> None:
        """From now on a thread asks `due` in time. Without it the owner does."""
        self._thread = threading.Thread(target=self._watch, name=DEVICE, daemon=True)
        self._thread.start()

    def due(self, now: float) -> None:
        """Posts what time has brought. Each pin is read first: a level is not believed for an edge alone."""
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
                    continue  # what was read may be older than the edge: the next time will tell
                if levels[name] != line.level:
                    moment = line.next_due
                    then = now if moment is None else min(now, moment)  # before what falls due is believed
                    changes += [(name, change) for change in line.edge(levels[name], then)]
                changes += [(name, change) for change in line.due(now)]
            for name, change in sorted(changes, key=lambda said: said[1].at):
                self._say(name, change)

    @property
    def pressed(self) -> list[str]:
        """The buttons whose lines say so now, bouncing or not."""
        with self._wake:
            return [name for name, line in self._lines.items() if line.level]

    def lamps(self, roll: bool, end: bool) -> None:
        """Lights what can be pressed now; with a thread, that one does, as soon as it can."""
        with self._wake:
            self._wanted = {"roll": roll, "end": end}
            self._wake.notify()
        if not self._thread:
            self._light()

    def close(self) -> None:
        """Gives the pins back, dark, and ends the thread. Pins that hang are left as they are. May be called twice."""
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
                self._post(DeviceLost(DEVICE, f"The pins of the buttons do not answer any more ({_words(error)})."))

    def _end(self) -> None:
        """Nothing is said after this."""
        if self._over.is_set():
            return
        self._over.set()
        for name, line in self._lines.items():
            if line.down:
                self._post(Released(name, self._clock()))

    def _light(self) -> None:
        for name, lit in self._wanted.items():
            if self._over.is_set() or self._lit.get(name) == lit:
                continue
            try:
                self._lamps[name].value = lit
            except Exception as error:  # as above
                self._lose(error)
            else:
                self._lit[name] = lit

    def _watch(self) -> None:
        while not self._over.is_set():
            self._light()
            self.due(self._clock())
            with self._wake:
                if self._over.is_set() or self._lit != self._wanted:
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
    """The buttons as the config has them, on the pins of `factory` if one is given; it then stays the caller's.

    Refused says why there are none. Without `timer`, the owner calls `due` whenever its clock has gone on.
    """
    with ExitStack() as held, _silence():
        gpiozero = _gpiozero()
        if factory is None:
            factory = _factory(gpiozero, settings.pin_factory, held)
        parts: dict[str, dict[str, Any]] = {"pin": {}, "lamp": {}}
        for part, name in PARTS:
            parts[part][name] = _on_its_pin(gpiozero, settings, factory, part, name)
            held.callback(_close, parts[part][name])
        keys, lamps = parts["pin"], parts["lamp"]
        with _refusing("The pins of the buttons do not answer"):
            buttons = Buttons(keys, lamps, settings.debounce_ms / 1000, post, clock, factory)
        buttons.held = held.pop_all()
    if timer:
        buttons.start()
    return buttons


def refused_pins(settings: ButtonSettings) -> list[str]:
    """Why each pin that cannot be used cannot, a sentence each. All are given back at once."""
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
    """A button or a lamp, on the pin that the config has for it."""
    pin, button = getattr(settings, f"{name}_{part}"), name.capitalize()
    lamp = f"Pin {pin} cannot be the lamp of the {button} button"
    with _refusing(lamp if part == "lamp" else f"Pin {pin} cannot be the {button} button"):
        if part == "lamp":
            return gpiozero.LED(pin, pin_factory=factory)
        # Not gpiozero's Button: each has a thread that wakes ten times a second to see whether it is held.
        return gpiozero.DigitalInputDevice(pin, pull_up=settings.pull_up, pin_factory=factory)


def _gpiozero() -> Any:
    try:
        import gpiozero  # type: ignore[import-untyped]  # here, because it takes a tenth of a second
    except ImportError:
        raise Refused("The buttons need gpiozero, which is not installed here.") from None
    return gpiozero


def _factory(gpiozero: Any, name: str, held: ExitStack) -> Any:
    """The pins of that kind, or of the first kind that works here. They are held by us alone, to be let go at the end:
    some libraries give a pin back only then, and after a failure only new ones will do."""
    device = gpiozero.Device
    if not name and device.pin_factory is not None:
        return device.pin_factory  # somebody chose it for the whole process, and keeps it
    with _refusing(NO_PINS):
        if name:
            from importlib.metadata import entry_points  # slow as well, and seldom needed

            kinds = {kind.name: kind for kind in entry_points(group="gpiozero_pin_factories")}
            factory = kinds[name].load()()
        else:
            device.ensure_pin_factory()
            factory, device.pin_factory = device.pin_factory, None
    held.callback(_close, factory)
    return factory


@contextmanager
def _silence() -> Iterator[None]:
    """gpiozero warns of each kind of pins that it tries in vain; the refusal says it once."""
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
    """What a library says, fit for the end of a sentence."""
    first = next(iter(str(error).strip().splitlines()), "")
    return first.strip(" .!'\"") or type(error).__name__


def _close(device: Any) -> None:
    with suppress(Exception):  # pins that are gone cannot be given back
        device.close()
