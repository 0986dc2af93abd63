"""Dice as a camera sees them, with the truth about each: for training, for tests, and as the table's simulated camera.

Its one rule: nothing but numpy and OpenCV, and the same generator gives the same bytes.
"""

from vision.render.chance import random_scene
from vision.render.faults import FAULTS, with_fault
from vision.render.motion import random_stage, throw
from vision.render.picture import draw
from vision.render.scene import (
    Box,
    Camera,
    Die,
    Lamp,
    Layout,
    Material,
    Panel,
    Picture,
    Scene,
    Sensor,
    Shape,
    Table,
    Thing,
    Tray,
    Truth,
)

__all__ = [
    "FAULTS",
    "Box",
    "Camera",
    "Die",
    "Lamp",
    "Layout",
    "Material",
    "Panel",
    "Picture",
    "Scene",
    "Sensor",
    "Shape",
    "Table",
    "Thing",
    "Tray",
    "Truth",
    "draw",
    "random_scene",
    "random_stage",
    "throw",
    "with_fault",
]
