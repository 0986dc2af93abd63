"""What is attached to the table: where its dice come from, and its two buttons.

The one rule of this room: a device posts messages and changes nothing itself. A dice source is asked and answers later;
the rest of the table knows it by its name only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from table.devices.camera import CameraDice
from table.devices.edice import EDice
from table.devices.simulated import SimulatedDice
from table.devices.typed import TypedDice
from table.engine.asks import Roll
from table.engine.errors import Refused, did_you_mean, shown
from table.session.messages import Post


class DiceSource(Protocol):
    """Where dice come from. Each ask is answered by one DiceRead with its name and ticket, or by none if cancelled."""

    name: str

    def private(self, seat: int) -> bool:
        """Nobody but that seat sees its dice before the table shows them, so that it can throw hidden ones."""

    @property
    def watches(self) -> bool:
        """People throw before they press: it is asked as soon as dice are."""

    def ask(self, ticket: int, roll: Roll) -> None:
        """Throw, or wait for a throw. A new ask takes the place of the one before."""

    def cancel(self) -> None:
        """Nobody waits for the dice any more."""

    def close(self) -> None: ...


@dataclass(frozen=True)
class Setup:
    """What a table was told about its devices: which camera and e-dice, and where what is learnt of them is kept."""

    camera: str = "camera:0"
    folder: Path | None = None
    edice: str = ""


UNTOLD = Setup()

SOURCES: dict[str, Callable[[Post, Setup], DiceSource]] = {  # in menu order
    SimulatedDice.name: lambda post, _: SimulatedDice(post),
    TypedDice.name: lambda post, _: TypedDice(post),
    CameraDice.name: lambda post, setup: CameraDice(post, setup.camera, setup.folder),
    EDice.name: lambda post, setup: EDice(post, setup.edice),
}


def make(name: str, post: Post, setup: Setup = UNTOLD) -> DiceSource:
    if name not in SOURCES:
        known = ", ".join(SOURCES)
        raise Refused(f"There is no dice source {shown(name)}.{did_you_mean(name, SOURCES)} There are {known}.")
    return SOURCES[name](post, setup)
