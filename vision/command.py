"""`dicetable read`: reads photos, films and cameras, prints one line per result, and shows a progress bar. Also
`dicetable calibrate`, which calibrates a fixed camera from photos, and `dicetable markers`, which writes the markers.

Its one rule: for every file, in the order given, it prints the results or one sentence that says why there are none.
It never changes the files.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

import cv2

from vision import calibrate, camera, files, folder, lighting, mark, markers, saving, tray
from vision.networks import Image
from vision.reader import read
from vision.reading import OK, UNSURE, Box, Reading
from vision.settle import EMPTY, Settle
from vision.tray import Calibration

WRITTEN = (".png", ".jpg", ".jpeg", ".webp")  # formats for marked pictures
CAMERA = "camera:"
SHEET = "dicetable-markers"
WHOLE = 1 << 20  # longest side in pixels: so large that photos for a calibration are never scaled down
MOST_DICE = 100  # largest value of --expect
PATIENCE = 1.0  # seconds until the progress bar appears
PACE = 0.1  # seconds between updates of the progress bar
BAR = 30  # width of the progress bar in columns


def run(
    names: Sequence[str],
    as_json: bool = False,
    annotate: str | None = None,
    expect: int | None = None,
    calibration: str | None = None,
) -> bool:
    """Read all sources. Returns whether all could be read. Raises ValueError if an argument is wrong."""
    check_expected(expect)
    known = _calibration(calibration) if calibration else None
    sources = [source for name in names for source in found(name)]
    marks = None if annotate is None else Marks(annotate, names, [s.name for s in sources if s.trouble is None])
    return Reader(as_json, marks, expect, known).all(sources)


def check_expected(expect: int | None) -> None:
    if expect is not None and not 0 <= expect <= MOST_DICE:
        raise ValueError(f"--expect takes the number of dice, from 0 to {MOST_DICE}.")


def learn(into: str, empty: Sequence[str], thrown: Sequence[str]) -> tuple[Calibration, list[str]]:
    """Calibrate from photos of the empty tray and of dice in it, and save the result. Returns the calibration
    and advice on the light. Raises ValueError if a calibration is not possible."""
    if os.path.lexists(into):
        try:
            tray.load(into)
        except ValueError:
            shown = mark.plain(into)
            raise ValueError(f"{shown} already exists and is not a calibration: choose another name.") from None
    bare, dice = [_whole(name) for name in empty], [_whole(name) for name in thrown]
    found = calibrate.calibrate(bare, dice)
    try:
        tray.save(found, Path(into))
    except OSError as why:
        raise ValueError(f"{mark.plain(into)} cannot be written ({why.strerror}): choose another file.") from None
    told = lighting.of_empty(bare[:1], found.tray)  # one photo, because different exposures would look like flicker
    told += [finding for frame in dice for finding in lighting.of_dice(found, frame, read(frame, found).dice)]
    return found, list(dict.fromkeys(finding.says for finding in told))


def write_markers(where: str) -> list[str]:
    """Save the sheet of markers as PDF and PNG in a folder. Returns both names, safe to print. Raises
    ValueError if they cannot be saved."""
    page = markers.sheet()
    done, picture = cv2.imencode(".png", page)
    assert done
    written = []
    for ending, data in ((".pdf", markers.pdf(page)), (".png", picture.tobytes())):
        path = Path(where) / f"{SHEET}{ending}"
        shown = mark.plain(str(path))
        try:
            if path.exists() and path.read_bytes() != data:
                raise ValueError(f"{shown} already exists and is something else: move it away.")
            saving.write(path, data)
        except OSError as why:
            raise ValueError(f"{shown} cannot be written ({why.strerror}): choose another folder.") from None
        written.append(shown)
    return written


def _whole(name: str) -> Image:
    if os.path.isdir(name) or name.startswith(CAMERA) or _is_film(name):
        raise ValueError(f"{mark.plain(name)}: a calibration needs photos: name each file.")
    try:
        photo = files.load(name, WHOLE)
    except ValueError as why:
        raise ValueError(f"{mark.plain(name)}: {why}") from None
    return photo.frame


def _calibration(path: str) -> Calibration:
    try:
        return tray.load(Path(path))
    except OSError as why:
        raise ValueError(f"The calibration {mark.plain(path)} cannot be opened ({why.strerror}).") from None


@dataclass(frozen=True)
class Source:
    """One thing to read: a file or a camera; `trouble` says why it cannot be read."""

    name: str
    camera: bool = False
    trouble: str | None = None


def found(name: str) -> list[Source]:
    """The sources for a name on the command line."""
    if name.startswith(CAMERA):
        number = name.removeprefix(CAMERA)
        if not (number.isascii() and number.isdigit() and len(number) < 4):
            raise ValueError(f"Cameras are numbered, such as {CAMERA}0; use ./{CAMERA} for a file with that name.")
        return [Source(name, camera=True)]
    if not os.path.isdir(name):
        return [Source(name)]
    try:
        return [Source(path) for path in folder.pictures(name)]
    except ValueError as why:
        return [Source(name, trouble=str(why))]


class Reader:
    """Reads the sources one by one and prints the results."""

    def __init__(self, as_json: bool, marks: Marks | None, expect: int | None, calibration: Calibration | None) -> None:
        self._json, self._marks = as_json, marks
        self._expect, self._calibration = expect, calibration
        self._good = True
        self._progress = Progress(sys.stderr, 0)

    def all(self, sources: Sequence[Source]) -> bool:
        self._progress = Progress(sys.stderr, len(sources))
        try:
            for source in sources:
                self._progress.show(0.0)
                begun = time.perf_counter()
                try:
                    self._one(source)
                except ValueError as why:
                    self._fail(source.name, str(why), begun)
                self._progress.done += 1
        finally:
            self._progress.clear()
        return self._good

    def _one(self, source: Source) -> None:
        if source.trouble:
            raise ValueError(source.trouble)
        if source.camera:
            size = self._calibration.size if self._calibration else camera.USUAL
            with closing(camera.opened(source.name, size)) as feed:
                if sys.stderr is not None and sys.stderr.isatty():
                    print(f"Watching {source.name}. Press Ctrl-C to stop.", file=sys.stderr)
                self._rolls(source.name, feed.frames())
        elif files.is_film(source.name):
            with files.film(source.name) as film:
                self._film(source.name, film)
        else:
            self._photo(source.name)

    def _photo(self, name: str) -> None:
        photo = files.load(name, max(files.ENOUGH, *self._calibration.size) if self._calibration else files.ENOUGH)
        self._fits(photo.size)
        begun = time.perf_counter()
        reading = read(photo.frame, calibration=self._calibration, expect=self._expect)
        took = time.perf_counter() - begun
        real = enlarged(reading, photo)
        self._print_reading(name, real, photo.size, took)
        self._keep(name, photo.frame, replace(reading, why=real.why))

    def _film(self, name: str, film: files.Film) -> None:
        rolls, state = self._rolls(name, self._counted(film))
        if film.trouble:
            raise ValueError(film.trouble)
        if not rolls:
            empty = state == EMPTY and not self._expect
            none = Reading((), OK) if empty else Reading((), UNSURE, "no roll settled")
            self._print_reading(name, none, (1, 1), 0.0, film.at)

    def _counted(self, film: files.Film) -> Iterator[tuple[Image, float]]:
        for seen in film.frames():
            yield seen
            if film.count:
                self._progress.show(film.seen / film.count)

    def _rolls(self, name: str, frames: Iterator[tuple[Image, float]]) -> tuple[int, str]:
        """Print every roll with its time since the first frame. Returns their number and the final state."""
        settle = Settle(self._calibration, self._expect)
        rolls, state, begun = 0, "", None
        for frame, at in frames:
            begun = at if begun is None else begun
            size = (frame.shape[1], frame.shape[0])
            self._fits(size)
            started = time.perf_counter()
            seen = settle.see(frame, at)
            state = seen.state
            if seen.reading is not None:
                rolls += 1
                self._print_reading(name, seen.reading, size, time.perf_counter() - started, at - begun)
                self._keep(name, frame, seen.reading, at - begun)
        return rolls, state

    def _fits(self, size: tuple[int, int]) -> None:
        if self._calibration and self._calibration.size != size:
            wide, high = self._calibration.size
            raise ValueError(
                f"The picture is {size[0]}x{size[1]} and the calibration is for {wide}x{high}: "
                "read it without --calibration."
            )

    def _print_reading(
        self, name: str, reading: Reading, size: tuple[int, int], took: float, at: float | None = None
    ) -> None:
        if not self._json:
            when = "" if at is None else f", {at:.1f} s"
            self._print(f"{mark.plain(name)}{when}: {mark.result(reading)}")
            return
        dice = [
            {"value": d.value, "box": upright(d.box, size), "confidence": round(d.confidence, 2)} for d in reading.dice
        ]
        line = {"file": name, "status": reading.status, "dice": dice, "why": reading.why, "ms": round(1000 * took)}
        self._print(json.dumps(line if at is None else {**line, "at": round(at, 2)}))

    def _fail(self, name: str, why: str, begun: float) -> None:
        self._good = False
        if self._json:
            took = round(1000 * (time.perf_counter() - begun))
            self._print(json.dumps({"file": name, "status": "error", "dice": [], "why": why, "ms": took}))
        else:
            self._print_error(f"{mark.plain(name)}: {why}")

    def _keep(self, name: str, frame: Image, reading: Reading, at: float | None = None) -> None:
        """Save the marked picture. After an error, no more pictures are saved, but reading continues."""
        if self._marks is None:
            return
        target = self._marks.target(name, at)
        try:
            mark.save(target, mark.mark(frame, reading))
        except OSError as why:
            self._good, self._marks = False, None
            self._print_error(
                f"{mark.plain(str(target))} cannot be written ({why.strerror}): no more marked pictures are saved."
            )

    def _print(self, line: str) -> None:
        self._progress.clear()
        coding = sys.stdout.encoding or "utf-8"
        known = line.encode(coding, "backslashreplace").decode(coding)
        print(known, flush=True)  # flush, because readers of a pipe wait for each line

    def _print_error(self, line: str) -> None:
        self._progress.clear()
        if sys.stderr is not None:
            print(f"dicetable: {line}", file=sys.stderr)


def enlarged(reading: Reading, photo: files.Photo) -> Reading:
    """Scale the reading of a reduced frame back to the picture's own pixels, including any coordinates in its `why`."""
    k, high = photo.size[0] / photo.frame.shape[1], photo.size[1] / photo.frame.shape[0]
    if k == 1:
        return reading

    def there(found: re.Match[str]) -> str:
        return f"{int(found[1]) * k:.0f},{int(found[2]) * high:.0f}"

    dice = tuple(
        replace(
            die,
            centre=(die.centre[0] * k, die.centre[1] * high),
            box=Box(
                (die.box.centre[0] * k, die.box.centre[1] * high),
                (die.box.size[0] * k, die.box.size[1] * k),
                die.box.angle,
            ),
        )
        for die in reading.dice
    )
    return Reading(dice, reading.status, reading.why and re.sub(r"\b(\d+),(\d+)\b", there, reading.why))


def upright(box: Box, size: tuple[int, int]) -> list[int]:
    """Left, top, width and height of the upright bounding rectangle of a box, clipped to the picture."""
    points = mark.points_of(box)
    left, top = (max(0, round(float(v))) for v in points.min(0))
    right, bottom = (min(most, round(float(v))) for v, most in zip(points.max(0), size, strict=True))
    return [left, top, max(0, right - left), max(0, bottom - top)]


class Marks:
    """Where marked pictures are saved: a folder, or a file if a single photo is read."""

    def __init__(self, where: str, names: Sequence[str], inputs: Sequence[str]) -> None:
        self._inputs = {known for name in inputs if (known := _identity(name))}
        self._used: set[str] = set()
        self._file: Path | None = None
        self._folder = Path(where)
        shown, ending = mark.plain(where), os.path.splitext(where)[1].lower()
        if not where or (ending[1:].isalpha() and ending not in WRITTEN and not os.path.isdir(where)):
            kinds = f"{', '.join(WRITTEN[:-1])} or {WRITTEN[-1]}"
            raise ValueError(f"--annotate takes a folder, or for one photo a file that ends in {kinds}.")
        if os.path.isdir(where) or ending not in WRITTEN:
            try:
                os.makedirs(where, exist_ok=True)
            except OSError as why:
                raise ValueError(f"The folder {shown} cannot be created ({why.strerror}): choose another.") from None
            return
        if len(names) != 1 or os.path.isdir(names[0]) or names[0].startswith(CAMERA) or _is_film(names[0]):
            raise ValueError(f"{shown} is a single file, but there may be several pictures: choose a folder.")
        if not self._folder.parent.is_dir():
            raise ValueError(f"There is no folder {mark.plain(str(self._folder.parent))} for {shown}.")
        self._file = self._folder
        if _identity(where) in self._inputs:
            raise ValueError(f"{shown} is the picture to read: choose another name.")
        if os.path.lexists(where) and not (folder.MARKED.search(os.path.splitext(where)[0]) and os.path.isfile(where)):
            raise ValueError(f"{shown} already exists: choose another name, or remove it first.")

    def target(self, name: str, at: float | None) -> Path:
        """The path of a marked picture; unique, and never one of the input files."""
        if self._file:
            return self._file
        stem, ending = os.path.splitext(os.path.basename(name.replace(CAMERA, "camera-") if at is not None else name))
        stem += "" if at is None else f"-{at:.1f}s"
        ending = ".jpg" if at is not None or ending.lower() in (".jpg", ".jpeg", ".jpe") else ".png"
        for number in range(1, len(self._used) + len(self._inputs) + 2):
            more = "" if number == 1 else f"-{number}"
            target = self._folder / f"{stem}.read{more}{ending}"
            if str(target) not in self._used and _identity(str(target)) not in self._inputs:
                break
        self._used.add(str(target))
        return target


def _identity(path: str) -> tuple[int, int] | None:
    """The file's device and inode, which are the same under all its names."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_film(path: str) -> bool:
    try:
        return files.is_film(path)
    except ValueError:
        return False


class Progress:
    """A progress bar on stderr, shown only on a terminal, and only if reading takes a while."""

    def __init__(self, out: TextIO | None, total: int) -> None:
        self._out = out if out is not None and out.isatty() else None
        self._total = total
        self._begun = time.monotonic()
        self._drawn = 0.0
        self._there = False
        self.done = 0

    def show(self, part: float) -> None:
        """Update the bar; `part` is the progress within the current source."""
        now = time.monotonic()
        if self._out is None or now - self._begun < PATIENCE or now - self._drawn < PACE:
            return
        share = min(1.0, (self.done + min(part, 1.0)) / max(1, self._total))
        self._out.write(f"\r[{'#' * int(share * BAR):{BAR}}] {share:4.0%}, {self.done} of {self._total} ")
        self._out.flush()
        self._drawn, self._there = now, True

    def clear(self) -> None:
        if self._out is not None and self._there:
            self._out.write("\r\x1b[K")
            self._out.flush()
            self._there, self._drawn = False, 0.0
