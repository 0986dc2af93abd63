"""A simulated person who reads the screen and presses Roll and End on mock pins.

It uses only the screen and the lamps, and knows nothing about the game.
"""

import random
from typing import Any

from table.devices import DiceSource
from table.engine.asks import Roll
from table.session.messages import DiceRead
from table.ui.kiosk.frame import Caps
from table.ui.kiosk.scenes.play import Play
from tests.tabletop import Tabletop

QUICK = 0.05  # seconds per step: longer than the debounce time, shorter than a press


class Fingers:
    def __init__(self, table: Tabletop, seed: int = 1, look: Any = None) -> None:
        self.table = table
        self.chance = random.Random(seed)
        self.look = look or (lambda: None)  # called after every action

    def press(self, button: str, seconds: float = 2 * QUICK) -> None:
        pin = self.table.pin(button)
        pin.drive_low()
        self.wait(seconds)
        pin.drive_high()
        self.wait(2 * QUICK)

    def both(self, seconds: float = 0.9) -> None:
        for button in ("roll", "end"):
            self.table.pin(button).drive_low()
        self.wait(seconds)
        for button in ("roll", "end"):
            self.table.pin(button).drive_high()
        self.wait(QUICK)

    def hold_end(self) -> None:
        self.press("end", 1.2)

    def wait(self, seconds: float) -> None:
        self.table.run(seconds, QUICK)
        self.look()

    # Lists

    @property
    def caps(self) -> Caps:
        return self.table.scene.caps(self.table.now)

    @property
    def shown(self) -> str:
        """The text of the marked entry, which End would choose."""
        scene = self.table.scene
        picker = scene._decision.choosing if isinstance(scene, Play) else getattr(scene, "_list", scene)._picker
        (box,) = [rect for name, rect in self.table.canvas.spots if name == f"entry:{picker.at}"]
        return " ".join(placed.text for placed in self.table.canvas.texts if box.contains(placed.rect))

    def find(self, words: str) -> None:
        """Press Roll until the marked entry contains these words."""
        seen = []
        for _ in range(40):
            if words in self.shown:
                return
            seen.append(self.shown)
            self.press("roll")
        raise AssertionError(f"{words!r} is not among {seen}")

    def take(self, words: str) -> None:
        self.find(words)
        self.press("end")

    def set(self, name: str, value: str) -> None:
        """Go to this entry and press End until it has this value."""
        self.find(name)
        for _ in range(40):
            if self.shown.split()[-1] == value or f" {value} " in f" {self.shown} ":
                return
            self.press("end")
        raise AssertionError(f"{name} cannot be {value}")

    # A game

    def play(self, until: Any, most: int = 4000) -> None:
        """Choose at random until this condition holds."""
        for _ in range(most):
            if until():
                return
            self.go_on()
        raise AssertionError(f"too many presses; the screen shows {self.table.words}")

    def throw(self) -> None:
        """Roll all dice that are asked for, until there is a choice to make."""
        calm(self.table)
        while isinstance(self.table.session.match.referee.ask, Roll):
            self.press("roll")
            calm(self.table)

    def go_on(self) -> None:
        say, caps = self.table.context.say, self.caps
        roll, end = caps.roll is not None and caps.roll.lit, caps.end is not None and caps.end.lit
        if not roll and not end:
            self.wait(QUICK)
        elif caps.roll and caps.roll.label == say("cap.hold_to_look"):
            self.press("roll", 0.3)
            self.press("end")
        elif caps.roll and caps.roll.label == say("cap.next"):
            for _ in range(self.chance.choice((0, 0, 1, 1, 2, 3))):
                self.press("roll")
            if self.caps.end and self.caps.end.lit:
                self.press("end")
        else:
            self.press(self.chance.choice([*["roll"] * roll, *["end"] * end]))


class Loaded(DiceSource):
    """Simulated dice that first roll the given values, and then random ones."""

    name, instant = "simulated", True

    def __init__(self, table: Tabletop, *throws: tuple[int, ...], seed: int = 1) -> None:
        self.throws = list(throws)
        self._chance = random.Random(seed)
        self._post = table.mailbox.post
        table.sources[self.name] = self

    def private(self, seat: int) -> bool:
        return True

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        dice = self.throws.pop(0) if self.throws else tuple(self._chance.choices(range(1, 7), k=roll.count))
        self._post(DiceRead(self.name, ticket, dice))


class Silent(DiceSource):
    """A dice source that never answers."""

    def __init__(self, table: Tabletop, name: str) -> None:
        self.name = name
        self.asked = 0
        table.sources[name] = self

    def private(self, seat: int) -> bool:
        return True

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        self.asked += 1


def calm(table: Tabletop) -> None:
    """Wait until a person has to press a button."""

    def waits() -> bool:
        scene = table.scene
        return isinstance(scene, Play) and scene._show.done(table.now) and table.session.turn == "person"

    table.until(waits, step=QUICK)


def go_to(fingers: Fingers, row: int, key: int) -> None:
    """Press a key of the keyboard or number pad on the screen."""
    keys = fingers.table.scene._keys
    while keys._row.at != row:
        fingers.press("roll")
    fingers.press("end")
    for _ in range(key):
        fingers.press("roll")
    fingers.press("end")


def lamps(table: Tabletop) -> tuple[bool, bool]:
    pins = table.context.config.buttons
    return bool(table.factory.pin(pins.roll_lamp).state), bool(table.factory.pin(pins.end_lamp).state)


def lit(table: Tabletop) -> tuple[bool, bool]:
    caps = table.scene.caps(table.now)
    return caps.roll is not None and caps.roll.lit, caps.end is not None and caps.end.lit
