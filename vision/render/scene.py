"""What a picture is made of: camera, lamps, table, dice and things, and the truth about each die.

Its one rule: a scene is values only. All chance was spent when it was made, so the same scene is the same picture.
Lengths are millimetres on a table that is the plane z = 0 with z up; colours are linear light: blue, green, red.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vec = tuple[float, float, float]
Colour = tuple[float, float, float]
Point = tuple[float, float]
Turn = tuple[float, float, float, float, float, float, float, float, float]
Array = NDArray[np.floating[Any]]  # float32 throughout: twice as fast as numpy's own choice
Image = NDArray[np.uint8]
Size = tuple[int, int]

# The six sides of a solid in its own frame, in this order everywhere: +x -x +y -y +z -z.
NORMALS: Array = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], np.float32)
UPRIGHT: Turn = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
COCKED_FROM = math.radians(8)  # a die that leans more than this lies on something


@dataclass(frozen=True)
class Camera:
    """A pinhole with a mild lens, as cv2.projectPoints understands it."""

    eye: Vec
    target: Vec
    roll: float = 0.0
    focal: float = 1.2  # in units of the picture's longer side
    k1: float = 0.0
    k2: float = 0.0


@dataclass(frozen=True)
class Lamp:
    """Light from one direction. A large lamp makes soft shadows and soft highlights."""

    towards: Vec  # unit vector from the table to the lamp
    colour: Colour
    size: float = 0.1  # its radius as an angle
    pool: tuple[float, float, float, float] | None = None  # x, y, reach, level outside: a lamp that lights a part only
    edges: tuple[tuple[float, float, float, float], ...] = ()  # nx, ny, offset, softness: something stands in its way


@dataclass(frozen=True)
class Panel:
    """A lamp or window with a shape, which polished things mirror; what it lights is left to the lamps."""

    kind: str  # box, window (with a cross), strip or ring
    towards: Vec  # unit vector to its middle
    along: Vec  # unit vector of its length, at right angles to that
    half: Point  # length and width as angles; of a ring its radius and half its thickness
    colour: Colour


@dataclass(frozen=True)
class Shape:
    """A box of these half sides (1 is half the size), its edges rounded, cut by a ball, or a polyhedron."""

    half: Vec = (1.0, 1.0, 1.0)
    radius: float = 0.2  # of the rounding, in half sizes
    ball: float = 9.0  # of the ball that cuts the corners; 9 cuts nothing
    planes: str = ""  # the name of a polyhedron, or nothing


@dataclass(frozen=True)
class Layout:
    """What is marked on the six sides: 0 is blank, 1 to 6 pips, from 100 on what pips.py says no die carries."""

    marks: tuple[int, int, int, int, int, int]
    pip: float = 0.2  # radius in half sizes
    spread: float = 0.5  # how far out the pips of a four are
    turns: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)  # quarter turns of each side's pattern
    straight: bool = False  # twos and threes along an axis, not a diagonal
    close: float = 1.0  # twos and threes drawn together
    six: Point = (1.0, 1.0)  # how wide and how long the six is, against the four
    ace: float = 1.0  # the ace's radius against the others
    jitter: float = 0.0
    square: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class Material:
    colour: Colour
    second: Colour = (0.0, 0.0, 0.0)
    vein: str = ""  # the noise that mixes the second colour in, or nothing
    vein_scale: Vec = (1.0, 1.0, 1.0)
    vein_mix: float = 0.0
    pips: tuple[Colour, Colour, Colour, Colour, Colour, Colour] = ((0.01, 0.01, 0.01),) * 6  # of ace, two, ... six
    drilled: float = 0.5  # 0 is printed flat, below it the marks are raised
    sag: float = 0.0  # how steep the face sinks towards each drilled pip
    ring: float = 0.0  # width of a ring around each pip, in pip radii
    ring_colour: Colour = (0.5, 0.5, 0.5)
    eye: bool = False  # each pip is a ring around a dot, as on precision dice
    gloss: float = 0.4
    rough: float = 0.05
    bulge: float = 0.05  # sides are never quite flat: it is what makes glare a spot; below 0 they are hollow
    clear: float = 0.0  # how much shines through
    metal: float = 0.0
    wear: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class Die:
    """A solid on the table. One whose sides carry 1 to 6 is a die, any other is clutter."""

    centre: Vec
    size: float
    turn: Turn
    shape: Shape
    layout: Layout
    material: Material

    @property
    def matrix(self) -> Array:
        return np.array(self.turn, np.float32).reshape(3, 3)

    @property
    def top_side(self) -> int:
        return int(np.argmax(NORMALS @ self.matrix[2]))

    @property
    def value(self) -> int:
        return self.layout.marks[self.top_side]

    @property
    def lean(self) -> float:
        """The angle between the top face and the table."""
        return math.acos(min(1.0, float(np.max(NORMALS @ self.matrix[2]))))

    @property
    def is_die(self) -> bool:
        return sorted(self.layout.marks) == [1, 2, 3, 4, 5, 6]


@dataclass(frozen=True)
class Table:
    kind: str
    colours: tuple[Colour, ...]
    scale: float  # millimetres of the pattern's main feature
    angle: float = 0.0
    contrast: float = 0.5
    gloss: float = 0.0
    rough: float = 0.1
    seed: int = 0


@dataclass(frozen=True)
class Region:
    """A part of the table with another surface: a sheet, a mat, what is beyond the edge; height is only its shadow."""

    corners: tuple[Point, ...]
    table: Table
    inside: bool = True
    height: float = 0.0


@dataclass(frozen=True)
class Tray:
    """A tray with a rim; round if it has no corners' sides of its own."""

    centre: Point
    reach: Point  # half sides, or the radius twice
    round: bool
    angle: float
    rim: float  # width
    height: float
    colour: Colour
    floor: Table
    screws: int = 0


@dataclass(frozen=True)
class Thing:
    """Flat or flattish clutter, painted by clutter.py; what is above hides dice."""

    kind: str
    place: Point
    angle: float
    size: float
    colour: Colour
    second: Colour
    height: float = 1.0
    above: bool = False
    seed: int = 0


@dataclass(frozen=True)
class Sensor:
    """What lens, sensor and codec do to light."""

    exposure: float = 1.0
    auto: float = 0.7  # how much the camera's own metering evens out
    balance: Colour = (1.0, 1.0, 1.0)
    gamma: float = 2.2
    contrast: float = 0.2
    saturation: float = 1.0
    haze: float = 0.0
    vignette: float = 0.1
    defocus: float = 0.5  # sigma in pixels
    smear: Point = (0.0, 0.0)
    shift: float = 0.0  # red against blue, in pixels at the corner
    shrink: float = 1.0
    sharpen: float = 0.0
    shot: float = 0.01
    read: float = 0.005
    grain: float = 0.0  # sigma of the noise's own blur
    jpeg: int = 0
    seed: int = 0


@dataclass(frozen=True)
class Scene:
    camera: Camera
    lamps: tuple[Lamp, ...]
    ambient: Colour
    table: Table
    dice: tuple[Die, ...] = ()
    solids: tuple[Die, ...] = ()
    things: tuple[Thing, ...] = ()
    regions: tuple[Region, ...] = ()
    tray: Tray | None = None
    sensor: Sensor = field(default_factory=Sensor)
    window: tuple[float, float, float, float] = (
        0.0,
        0.0,
        0.0,
        0.0,
    )  # what shines in glossy things: angle, height, width, light
    panels: tuple[Panel, ...] = ()


@dataclass(frozen=True)
class Box:
    """A rotated rectangle in pixels, as cv2.minAreaRect gives it; angle in degrees."""

    centre: Point
    size: Point
    angle: float


@dataclass(frozen=True)
class Truth:
    value: int  # of the side that is most upward
    centre: Point  # of the top face
    top: Box
    whole: Box
    corners: tuple[Point, Point, Point, Point]  # of the top face, going round
    visible: float  # of the whole die, as the camera would see it alone on an endless picture
    top_visible: float
    cocked: bool = False
    stacked: bool = False
    cut: bool = False  # by the edge of the picture


@dataclass(frozen=True)
class Picture:
    image: Image
    truth: tuple[Truth, ...]
