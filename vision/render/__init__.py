"""Renders pictures of dice with ground truth, for training, for tests, and for the table's simulated camera.

Its one rule: only numpy and OpenCV are needed, and the same random generator gives the same bytes.
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
