"""What is attached to the table: where its dice come from, and its two buttons.

Its one rule: a device posts messages and changes nothing itself. A dice source is asked and answers later; the rest of
the table knows it by its name and by what `DiceSource` says that it can do.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from table.devices.camera import CameraDice
from table.devices.edice import EDice
from table.devices.simulated import SimulatedDice
from table.devices.source import Camera, DiceSource, Pairing
from table.devices.typed import TypedDice
from table.engine.errors import Refused, did_you_mean, shown
from table.session.messages import Post

__all__ = ["SOURCES", "UNTOLD", "Camera", "DiceSource", "Pairing", "Setup", "make"]


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
