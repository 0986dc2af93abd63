"""The data model: camera, lamps, table, dice and things, and the ground truth of each die.

Its one rule: a scene consists of values only. Randomness is used only to create a scene, so a scene always gives the
same picture. Lengths are in millimetres; the table is the plane z = 0 with z up. Colours are linear light in BGR order.
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
Array = NDArray[np.floating[Any]]  # always float32: twice as fast as numpy's default
Image = NDArray[np.uint8]
Size = tuple[int, int]

# Normals of the six sides of a solid in its own frame, always in this order: +x -x +y -y +z -z.
NORMALS: Array = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], np.float32)
UPRIGHT: Turn = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
COCKED_FROM = math.radians(8)  # a die that leans more than this does not lie flat


@dataclass(frozen=True)
class Camera:
    """A pinhole camera with mild lens distortion, as in cv2.projectPoints."""

    eye: Vec
    target: Vec
    roll: float = 0.0
    focal: float = 1.2  # focal length relative to the picture's longer side
    k1: float = 0.0
    k2: float = 0.0


@dataclass(frozen=True)
class Lamp:
    """Light from one direction. Larger lamps have softer shadows and highlights."""

    towards: Vec  # unit vector from the table to the lamp
    colour: Colour
    size: float = 0.1  # the lamp's angular radius
    pool: tuple[float, float, float, float] | None = None  # a pool of light: x, y, radius, level outside it
    edges: tuple[tuple[float, float, float, float], ...] = ()  # edges of shadows: normal x, normal y, offset, softness


@dataclass(frozen=True)
class Panel:
    """The shape of a lamp or window as it appears in reflections. A panel lights nothing itself; the lamps do that."""

    kind: str  # box, window (with a cross), strip or ring
    towards: Vec  # unit vector towards the panel's centre
    along: Vec  # unit vector along the panel's length, perpendicular to `towards`
    half: Point  # half length and half width as angles; for a ring, its radius and half its thickness
    colour: Colour


@dataclass(frozen=True)
class Shape:
    """A box with rounded edges, or a polyhedron. A ball may cut off the corners of the box. `half` holds half of each
    side, relative to half the solid's size."""

    half: Vec = (1.0, 1.0, 1.0)
    radius: float = 0.2  # radius of rounded edges, relative to half the solid's size
    ball: float = 9.0  # radius of a ball that cuts off the corners; with 9, it cuts nothing
    planes: str = ""  # the name of a polyhedron, or ""


@dataclass(frozen=True)
class Layout:
    """The marks on the six sides: 0 is blank, 1 to 6 are pips; for 100 and above see pips.py."""

    marks: tuple[int, int, int, int, int, int]
    pip: float = 0.2  # radius of a pip, relative to half the die's size
    spread: float = 0.5  # distance of a four's pips from the centre, along each axis
    turns: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)  # quarter turns of the pattern on each side
    straight: bool = False  # whether the pips of twos and threes lie along an axis instead of a diagonal
    close: float = 1.0  # factor that moves the pips of twos and threes inwards
    six: Point = (1.0, 1.0)  # width and length of the six, relative to the four
    ace: float = 1.0  # radius of the one's pip, relative to the others
    jitter: float = 0.0
    square: float = 0.0
    letters: tuple[int, int] = (0, 12)  # OpenCV's font, and the width of strokes: 12 is a twelfth of a side
    seed: int = 0


@dataclass(frozen=True)
class Material:
    colour: Colour
    second: Colour = (0.0, 0.0, 0.0)
    vein: str = ""  # the noise that mixes in the second colour, or ""
    vein_scale: Vec = (1.0, 1.0, 1.0)
    vein_mix: float = 0.0
    pips: tuple[Colour, Colour, Colour, Colour, Colour, Colour] = ((0.01, 0.01, 0.01),) * 6  # colours of one to six
    drilled: float = 0.5  # pips are printed at 0, drilled above 0, raised below 0
    sag: float = 0.0  # how steeply the face slopes down around each drilled pip
    ring: float = 0.0  # width of a ring around each pip, in pip radii
    ring_colour: Colour = (0.5, 0.5, 0.5)
    eye: bool = False  # whether each pip is a ring around a dot, as on precision dice
    gloss: float = 0.4
    rough: float = 0.05
    bulge: float = 0.05  # curvature of the sides, which concentrates glare into spots; negative for hollow sides
    clear: float = 0.0  # share of light that passes through the material
    metal: float = 0.0
    wear: float = 0.0
    faded: float = 0.0  # share of the pips' paint that has come off
    hollow: float = 0.0  # pips are rings of this width, in pip radii; 0 for filled pips
    far_pips: float = 0.0  # how clearly the pips of hidden sides shine through a clear die
    murk: float = 0.3  # how blurred these look, in half sizes
    seed: int = 0


@dataclass(frozen=True)
class Die:
    """A solid on the table: a die if its sides carry 1 to 6, otherwise clutter."""

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
    scale: float  # size of the pattern's main feature in millimetres
    angle: float = 0.0
    contrast: float = 0.5
    gloss: float = 0.0
    rough: float = 0.1
    seed: int = 0


@dataclass(frozen=True)
class Region:
    """A part of the table with another surface: a sheet, a mat, the table's edge. `height` only affects the region's
    shadow."""

    corners: tuple[Point, ...]
    table: Table
    inside: bool = True
    height: float = 0.0


@dataclass(frozen=True)
class Tray:
    """A round or rectangular tray with a rim."""

    centre: Point
    reach: Point  # half sides; for a round tray, both are the radius
    round: bool
    angle: float
    rim: float  # width of the rim
    height: float
    colour: Colour
    floor: Table
    screws: int = 0


@dataclass(frozen=True)
class Thing:
    """Flat clutter, painted by clutter.py; with `above` it is over the dice and hides them."""

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
    """The effects of lens, sensor and codec."""

    exposure: float = 1.0
    auto: float = 0.7  # how strongly auto-exposure evens out the brightness
    balance: Colour = (1.0, 1.0, 1.0)
    gamma: float = 2.2
    contrast: float = 0.2
    saturation: float = 1.0
    haze: float = 0.0
    vignette: float = 0.1
    defocus: float = 0.5  # blur of a picture out of focus: sigma in pixels
    smear: Point = (0.0, 0.0)
    shift: float = 0.0  # shift of red relative to green and blue, in pixels at the ends of the longer side
    shrink: float = 1.0
    sharpen: float = 0.0
    shot: float = 0.01
    read: float = 0.005
    grain: float = 0.0  # how much the noise itself is blurred: sigma in pixels
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
    )  # a window that glossy things reflect: angle, height, width, brightness
    panels: tuple[Panel, ...] = ()


@dataclass(frozen=True)
class Box:
    """A rotated rectangle in pixels, as from cv2.minAreaRect; angle in degrees."""

    centre: Point
    size: Point
    angle: float


@dataclass(frozen=True)
class Truth:
    value: int  # the value of the top face
    centre: Point  # the centre of the top face
    top: Box
    whole: Box
    corners: tuple[Point, Point, Point, Point]  # the corners of the top face, in order around it
    visible: float  # share of the die's outline that is inside the picture and not hidden
    top_visible: float
    cocked: bool = False
    stacked: bool = False
    cut: bool = False  # whether the picture's edge cuts off part of the die


@dataclass(frozen=True)
class Picture:
    image: Image
    truth: tuple[Truth, ...]
