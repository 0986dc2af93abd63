"""Devices attached to the table: dice sources and the two buttons.

Its one rule: a device posts messages and never changes the table's state itself. A dice source is asked for dice and
answers later; the rest of the table knows only its name and the abilities that `DiceSource` declares.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from table.devices.camera import CameraDice
from table.devices.edice import EDice
from table.devices.simulated import SimulatedDice
from table.devices.source import Camera, DiceSource, OwnDice, Pairing
from table.devices.typed import TypedDice
from table.engine.errors import Refused, did_you_mean, shown
from table.session.messages import Post

__all__ = ["SOURCES", "UNTOLD", "Camera", "DiceSource", "OwnDice", "Pairing", "Setup", "make"]


@dataclass(frozen=True)
class Setup:
    """Device settings: the camera, the e-dice ports, and the folder for learned data such as calibrations."""

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
        raise Refused(f"There is no dice source {shown(name)}.{did_you_mean(name, SOURCES)} Available: {known}.")
    return SOURCES[name](post, setup)
