"""Films of a fixed camera with known throws, composed from still pictures: an empty table, dice at rest, and a hand.

The stills are rendered, or made from a labelled photo: the photo without its dice is the empty table, and its dice are
put back at other places. Dice fly in and a drawn hand moves over both. Then the film is seen through a camera with
noise, flicker, sway, auto exposure or a codec.
"""

from __future__ import annotations

import csv
import math
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import reader
from vision.networks import Floats, Image
from vision.render import fixed
from vision.render.scene import Scene

FPS = 25
LONG = 640  # length in pixels of the long side of a frame
SEEN = 12.0  # grey levels by which dice and their shadows differ from the empty table
PATCH, SOFT = 1.5, 0.12  # die widths: the side of the patch that is cut out with a die, and the blur of its edge
APART = 1.7  # die widths between the centres of two dice put back
TRIES = 200
SKIN = (122, 150, 205)  # blue, green, red
Chance = np.random.Generator
Point = tuple[float, float]


@dataclass(frozen=True)
class Rest:
    """Dice at rest."""

    image: Image
    shape: Floats  # how much of each pixel belongs to dice or their shadows, from 0 to 1
    values: tuple[int, ...]


@dataclass(frozen=True)
class Table:
    name: str
    empty: Image
    rests: tuple[Rest, ...]


@dataclass(frozen=True)
class Moment:
    """One frame of a film, before it is drawn."""

    throw: int | None = None  # the throw whose dice are in view
    away: float = 0.0  # how far the dice still are from their places, relative to the picture's width
    hand: float | None = None  # how far the hand reaches in, from 0 to 1
    still: bool = False  # the dice lie, and no hand has come to take them


@dataclass(frozen=True)
class Condition:
    """What the camera and the light do to a film."""

    name: str
    noise: float = 2.0  # standard deviation in grey levels
    codec: str = ""  # "MJPG" or "mp4v"
    flicker: float = 0.0  # largest relative change of the brightness from frame to frame
    bands: float = 0.0  # the same for soft horizontal bands
    sway: float = 0.0  # amplitude in pixels of a slow sine
    walk: float = 0.0  # largest distance in pixels of a random walk
    exposure: float = 0.0  # strength of auto exposure, from 0 to 1
    drift: float = 0.0  # relative change of the light over the film, stronger on one side
    begins_with_hand: bool = False
    cuts: bool = False  # the film shows only dice at rest, one throw after the other


CONDITIONS = (
    Condition("plain"),
    Condition("noise 1, MJPG", noise=1, codec="MJPG"),
    Condition("noise 5, MJPG", noise=5, codec="MJPG"),
    Condition("noise 3, MPEG-4", noise=3, codec="mp4v"),
    Condition("auto exposure", exposure=0.8),
    Condition("flicker 3%", flicker=0.03),
    Condition("flicker 8%", flicker=0.08),
    Condition("bands 3%", flicker=0.03, bands=0.03),
    Condition("sway 0.1", sway=0.1),
    Condition("sway 0.3", sway=0.3),
    Condition("sway 1", sway=1.0),
    Condition("random walk 2", walk=2.0),
    Condition("hand at first", begins_with_hand=True),
    Condition("drifting light", drift=0.3),
    Condition("cuts", cuts=True),
)


def rendered(seed: int, number: int, throws: int) -> Table:
    """A rendered table with its own dice."""
    rng = np.random.default_rng((seed, number))
    table = fixed.set_up(rng)

    def shot(scene: Scene) -> Image:
        clean = replace(scene, sensor=replace(scene.sensor, shot=0.0, read=0.0, jpeg=0))
        return next(fixed.lying(rng, table, clean))

    empty = shot(table.stage)
    rests = []
    for _ in range(throws):
        roll = fixed.roll(rng, table, int(rng.integers(1, 6)))
        image = shot(roll.scene)
        differs = cv2.blur(cv2.absdiff(image, empty).max(2), (3, 3)) > SEEN
        shape = cv2.dilate(differs.astype(np.float32), np.ones((9, 9), np.uint8))
        rests.append(Rest(image, np.asarray(cv2.GaussianBlur(shape, (0, 0), 2), np.float32), roll.values))
    return Table(f"rendered {number}", empty, tuple(rests))


def photographed(photos: Path, seed: int, number: int, throws: int) -> Table:
    """A table made from a labelled photo, from each folder in turn. A photo is used if the reader finds all its dice,
    with the right values, sure or not."""
    with (photos / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["tier"] == "main" and row["faces"]]
    rng = np.random.default_rng((seed, number))
    folders = sorted({row["file"].split("/")[0] for row in rows if row["licence"] != "none stated"})
    folder = folders[number % len(folders)]
    own = [row for row in rows if row["file"].startswith(f"{folder}/")]
    for turn in rng.permutation(len(own)):
        if table := _of_photo(rng, photos, own[int(turn)], throws):
            return table
    raise ValueError(f"No photo in {folder} can be made into a film.")


def _of_photo(rng: Chance, photos: Path, row: dict[str, str], throws: int) -> Table | None:
    photo = cv2.imread(str(photos / row["file"]))
    if photo is None:
        return None
    k = LONG / max(photo.shape[:2])
    image = np.asarray(cv2.resize(photo, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), np.uint8)
    reading = reader.read(image)
    if reading.values != tuple(sorted(int(v) for v in row["faces"].split("-"))):
        return None
    sides = [math.sqrt(die.box.size[0] * die.box.size[1]) for die in reading.dice]
    patches = [_patch(image.shape, die.centre, side) for die, side in zip(reading.dice, sides, strict=True)]
    alone = [
        k
        for k, die in enumerate(reading.dice)
        if all(other is die or math.dist(other.centre, die.centre) > APART * sides[k] for other in reading.dice)
    ]
    if not alone:
        return None
    covered = np.max(patches, axis=0) > 0.02
    empty = np.asarray(cv2.inpaint(image, covered.astype(np.uint8), 5, cv2.INPAINT_TELEA), np.uint8)
    rests = []
    for _ in range(throws):
        chosen = rng.permutation(alone)[: int(rng.integers(1, 6))]
        laid = empty.astype(np.float32)
        shape = np.zeros(image.shape[:2], np.float32)
        places: list[Point] = []
        values = []
        for die in (int(k) for k in chosen):
            place = _free(rng, image.shape, places, sides[die])
            if place is None:
                continue
            places.append(place)
            values.append(reading.dice[die].value)
            (x, y), (to_x, to_y) = reading.dice[die].centre, place
            move = np.array([[1, 0, round(to_x - x)], [0, 1, round(to_y - y)]], np.float32)
            own = cv2.warpAffine(patches[die], move, shape.shape[::-1])
            moved = cv2.warpAffine(image, move, shape.shape[::-1])
            laid += (moved - laid) * own[:, :, None]
            shape = np.maximum(shape, own)
        rests.append(Rest(laid.round().astype(np.uint8), shape, tuple(sorted(values))))
    return Table(row["file"], empty, tuple(rests))


def _patch(size: Sequence[int], centre: Point, side: float) -> Floats:
    """1 on a die and close to it, fading out to 0."""
    y, x = np.ogrid[: size[0], : size[1]]
    inside = np.maximum(np.abs(x - centre[0]), np.abs(y - centre[1])) < PATCH / 2 * side
    return np.asarray(cv2.GaussianBlur(inside.astype(np.float32), (0, 0), max(1.0, SOFT * side)), np.float32)


def _free(rng: Chance, size: Sequence[int], taken: Sequence[Point], side: float) -> Point | None:
    for _ in range(TRIES):
        x, y = (float(rng.uniform(1.5 * side, far - 1.5 * side)) for far in (size[1], size[0]))
        if all(math.dist((x, y), other) > APART * side for other in taken):
            return x, y
    return None


def script(rng: Chance, condition: Condition, throws: int) -> list[Moment]:
    """What happens in a film, frame by frame."""
    frames: list[Moment] = []

    def add(seconds: float, throw: int | None = None, **more: bool) -> None:
        frames.extend([Moment(throw, **more)] * round(seconds * FPS))

    def hand(seconds: float, before: int | None, after: int | None, deep: float = 1.0, still: bool = False) -> None:
        """A hand reaches in and leaves; halfway the dice `before` are replaced by those `after`."""
        count = round(seconds * FPS)
        for k in range(count):
            part = (k + 0.5) / count
            reach = deep * math.sin(math.pi * part)
            frames.append(Moment(before if part < 0.5 else after, hand=reach, still=still))

    if condition.cuts:
        for throw in range(throws):
            add(1.0, throw, still=True)
        return frames
    if condition.begins_with_hand:
        frames.extend(Moment(hand=0.7 + 0.1 * math.sin(0.3 * k)) for k in range(3 * FPS))
        hand(0.6, None, None, 0.7)
    else:
        add(1.0)
    for throw in range(throws):
        flight = round(0.5 * FPS)
        for k in range(flight):
            left = 1 - k / flight
            frames.append(Moment(throw, away=left**2, hand=max(0.0, 0.6 * (2 * left - 1)) or None))
        add(float(rng.uniform(0.6, 1.2)), throw, still=True)
        if rng.random() < 0.5:
            hand(0.8, throw, throw, float(rng.uniform(0.5, 1.0)), still=True)
            add(float(rng.uniform(0.6, 1.0)), throw, still=True)
        hand(0.9, throw, None)
        if rng.random() < 0.6:
            add(float(rng.uniform(0.2, 0.8)))
    add(0.3)
    return frames


def filmed(rng: Chance, table: Table, condition: Condition, moments: Sequence[Moment]) -> Iterator[Image]:
    """The frames of a film as the camera delivers them."""
    frames = _through_camera(rng, condition, len(moments), _drawn(rng, table, moments))
    return _coded(condition.codec, frames) if condition.codec else frames


def _drawn(rng: Chance, table: Table, moments: Sequence[Moment]) -> Iterator[Image]:
    height, width = table.empty.shape[:2]
    arm, covers = _arm(width, height)
    for moment in moments:
        frame = table.empty
        if moment.throw is not None:
            rest = table.rests[moment.throw]
            frame = rest.image
            if moment.away:
                move = np.array([[1, 0, -moment.away * width], [0, 1, 0.3 * moment.away * height]], np.float32)
                dice = cv2.warpAffine(rest.image, move, (width, height))
                frame = _over(table.empty, dice, cv2.warpAffine(rest.shape, move, (width, height)))
        if moment.hand is not None:
            # Even a resting hand trembles.
            down = (1 - moment.hand) * height + float(rng.normal(0, 1))
            move = np.array([[1, 0, float(rng.normal(0, 1))], [0, 1, down]], np.float32)
            hand, over = (cv2.warpAffine(layer, move, (width, height)) for layer in (arm, covers))
            frame = _over(frame, hand, over)
        yield frame


def _over(below: Image, above: NDArray[Any], share: NDArray[Any]) -> Image:
    mixed = below + (above.astype(np.float32) - below) * share[:, :, None]
    return np.asarray(mixed.round(), np.uint8)


def _arm(width: int, height: int) -> tuple[Image, Floats]:
    """A hand with an arm that comes from the lower edge and reaches into the middle, and which pixels it covers."""
    shape = np.zeros((height, width), np.uint8)
    w, x, y = width / 640, width // 2, height // 2
    cv2.line(shape, (x, y), (x + round(60 * w), height + round(40 * w)), 255, round(75 * w))
    cv2.ellipse(shape, (x, y), (round(55 * w), round(62 * w)), 0, 0, 360, 255, -1)
    for finger in range(-2, 3):
        tip = (x + round(34 * finger * w), y - round((125 - 14 * abs(finger)) * w))
        cv2.line(shape, (x + round(20 * finger * w), y), tip, 255, round(22 * w))
    shade = np.clip(cv2.distanceTransform(shape, cv2.DIST_L2, 5) / (25 * w), 0.0, 1.0)
    picture = np.array(SKIN, np.float32) * (0.65 + 0.35 * shade)[:, :, None]
    soft = cv2.GaussianBlur(shape, (0, 0), 1.5).astype(np.float32) / 255
    return np.asarray(picture, np.uint8), np.asarray(soft, np.float32)


def _through_camera(rng: Chance, condition: Condition, count: int, frames: Iterator[Image]) -> Iterator[Image]:
    grain: Floats | None = None
    usual, gain, place = 0.0, 1.0, np.zeros(2)
    for number, clean in enumerate(frames):
        frame = clean
        height, width = frame.shape[:2]
        if grain is None:
            grain = np.asarray(rng.normal(0, condition.noise, (height + 64, width + 64, 3)), np.float32)
            usual = float(frame.mean())
        if condition.sway or condition.walk:
            place = np.clip(place + rng.normal(0, condition.walk / 10, 2), -condition.walk, condition.walk)
            now = place + condition.sway * np.sin(number / FPS * np.array([5.0, 3.4]))
            move = np.array([[1, 0, now[0]], [0, 1, now[1]]], np.float32)
            frame = _swayed(clean, move)
        if condition.exposure:
            goal = (usual / float(frame.mean())) ** condition.exposure
            gain += 0.15 * (goal - gain)
        light = np.full((height, width), gain * (1 + rng.uniform(-1, 1) * condition.flicker), np.float32)
        rows = np.arange(height, dtype=np.float32) / height * 5.5 * math.pi + rng.uniform(0, 2 * math.pi)
        light *= 1 + condition.bands * np.sin(rows)[:, None]
        light *= 1 - condition.drift * number / count * np.linspace(0.6, 1, width, dtype=np.float32)
        top, left = (int(rng.integers(64)) for _ in range(2))
        out = frame * light[:, :, None] + grain[top : top + height, left : left + width]
        yield np.asarray(out.round().clip(0, 255), np.uint8)


def _swayed(frame: Image, move: Floats) -> Image:
    size = frame.shape[1], frame.shape[0]
    moved = cv2.warpAffine(frame, move, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def _coded(codec: str, frames: Iterator[Image]) -> Iterator[Image]:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / ("film.avi" if codec == "MJPG" else "film.mp4"))
        writer: cv2.VideoWriter | None = None
        for frame in frames:
            if writer is None:
                writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*codec), FPS, frame.shape[1::-1])
            writer.write(frame)
        if writer:
            writer.release()
        film = cv2.VideoCapture(path)
        while (one := film.read())[0]:
            yield np.asarray(one[1], np.uint8)
        film.release()
