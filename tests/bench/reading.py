"""`make bench-vision`: the accuracy, speed and memory of the dice reader, each figure next to its target.

Its one rule: nothing is tuned here. Times are this process's CPU time on one thread, so other work on the machine
does not count.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.bench import empties
from vision import calibrate, mark, models, reader, settle
from vision.networks import Image
from vision.reading import OK, Reading
from vision.render import Scene, draw, finish, picture, placing, random_scene, random_stage, throw
from vision.tray import Calibration

CLONE = Path(__file__).resolve().parents[2]
LEFT_OUT = Path(__file__).parent / "left_out"  # sets of rules for the reader, each fitted without one folder of photos
PHOTOS = CLONE.parent / "shared" / "photos"
Values = tuple[int, ...]

EMPTY = (0.99, 1)
ANY_PHOTO_MS, WATCH_MS, MEMORY_MB = 250.0, 3.0, 250.0

# Frame size, pixels per die, maximum milliseconds per read.
RIGS = (
    ((640, 480), 42.0, 25.0),
    ((1280, 720), 63.0, 50.0),
)
STAGES, ROLLS, SHOWN, FILMS = 4, 6, 4, 2  # trays, frames read on each, frames for its calibration, trays filmed
DICE, DIE = 5, 16.0
FPS, QUIET = 30, 60  # after QUIET frames of an empty tray, only motion detection runs
FRAMES = ((640, 480), (960, 540), (1280, 720), (640, 480), (640, 640)) * 2
LARGE = (4000, 3000)  # the size of a photo from a phone
MAIN, NO_DICE = "main", "empty"  # tiers of photos
COUNTED, ONE_MORE = ", counted", ", one die missing"  # readings with the right number of dice, and with one more
# Minimum share of exact readings and maximum share of wrong ones, over all photos of the main tier.
SHARES = {"": (0.95, 0.01), COUNTED: (0.98, 0.005), ONE_MORE: (0.0, 0.005)}
LEGEND = """
* right: all values are correct, sure or not. blobs: cv2.SimpleBlobDetector over the same frames, in milliseconds."""

READS = """
import pathlib, sys, cv2
from vision import reader
for path in sys.argv[1:]:
    print(repr(reader.read(cv2.imread(path))))
status = pathlib.Path("/proc/self/status")  # on Linux
print(status.read_text().split("VmHWM:")[1].split()[0] if status.exists() else 0)
"""


@dataclass(frozen=True)
class Case:
    want: Values
    reading: Reading
    ms: float
    blobs_ms: float
    tier: str = MAIN
    told: str = ""  # what was told about the number of dice: COUNTED, ONE_MORE or nothing

    @property
    def verdict(self) -> str:
        if self.reading.status != OK:
            return "unsure"
        return "exact" if self.reading.values == self.want else "wrong"


@dataclass(frozen=True)
class Score:
    """The results for one folder of pictures."""

    what: str
    pictures: int
    exact: float
    wrong: int
    unsure: int
    right: float  # share of pictures with all values right, sure or not
    ms: float
    worst_ms: float
    exact_at_least: float | None = None
    wrong_at_most: int | None = None

    @property
    def reached(self) -> bool | None:
        if self.exact_at_least is None or self.wrong_at_most is None:
            return None
        return self.exact >= self.exact_at_least and self.wrong <= self.wrong_at_most


@dataclass(frozen=True)
class Figure:
    what: str
    measured: float
    unit: str
    at_most: float
    worst: float | None = None
    blobs: float | None = None  # the time of cv2.SimpleBlobDetector on the same frames

    @property
    def reached(self) -> bool:
        return self.measured <= self.at_most


Part = tuple[str, Sequence[Score | Figure]]


@dataclass(frozen=True)
class Rig:
    """A fixed camera over a tray: its scene, its calibration, and frames of rolls with their values."""

    stage: Scene
    calibration: Calibration
    frames: list[tuple[Image, Values]]


class Bench:
    """The command's options, and inputs that several parts share because they are expensive to make."""

    def __init__(self, photos: Path, failures: Path | None) -> None:
        self.photos = photos if (photos / "labels.csv").is_file() else None
        self.failures = failures
        self.blobs = cv2.SimpleBlobDetector.create()
        self.notes: list[str] = []
        self.skills = {path.stem: models.ruled(models.shipped(), path) for path in LEFT_OUT.glob("*.json")}
        if not self.photos:
            self.notes.append(
                f"There are no photos in {photos} (no labels.csv), so the parts that need them are skipped."
            )
        reader.read(next(_frames()))  # the networks are loaded at the first read

    def read(self, name: str, want: Values, frame: Image, folder: str = "", tier: str = MAIN) -> list[Case]:
        """Read a picture without a known number of dice, with it, and with one die more, as if it had fallen off the
        table. A photo is read with rules that were not fitted to the photos in its folder."""
        skill = self.skills.get(folder) or models.shipped()
        if folder in models.shipped().seen.split(", ") and folder not in self.skills:
            raise SystemExit(f"The rules fitted without {folder} are missing: run make train with --photos.")
        _, blobs_ms = timed(self.blobs.detect, frame)
        count = len(want)
        cases = []
        for told, expect in (("", None), (COUNTED, count), (ONE_MORE, count + 1)):
            if told != COUNTED or want:
                reading, ms = timed(reader.read, frame, None, expect, skill)
                cases.append(Case(want, reading, ms, blobs_ms, tier, told))
        for case in cases:
            if self.failures and case.verdict != "exact":
                self.failures.mkdir(parents=True, exist_ok=True)
                wanted, got = ("-".join(map(str, values)) or "none" for values in (want, case.reading.values))
                told = case.told.replace(", ", "-").replace(" ", "-")
                path = self.failures / f"{case.verdict}{told}_{name}_is_{wanted}_read_{got}.jpg"
                cv2.imwrite(str(path), mark.mark(frame, case.reading))
        return cases

    @cached_property
    def on_photos(self) -> dict[str, list[Case]]:
        """The cases of each folder of photos."""
        found: dict[str, list[Case]] = {}
        if not self.photos:
            return found
        with (self.photos / "labels.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        lost = 0
        for row in progress(rows, len(rows), "photos"):
            frame = cv2.imread(str(self.photos / row["file"]))
            if frame is None:
                lost += 1
                continue
            folder = row["file"].split("/")[0]
            want = tuple(sorted(int(v) for v in row["faces"].split("-") if v))
            name = row["file"].replace("/", "-").rpartition(".")[0]
            cases = self.read(name, want, np.asarray(frame, np.uint8), folder, row["tier"])
            found.setdefault(folder, []).extend(cases)
        if lost:
            self.notes.append(f"{lost} of the {len(rows)} photos in labels.csv are missing or not pictures.")
        return found

    @cached_property
    def rigs(self) -> list[list[Rig]]:
        """For each entry of RIGS, the trays that could be calibrated."""
        found: list[list[Rig]] = []
        for number, (size, _, _) in enumerate(RIGS):
            found.append([])
            for k in progress(range(STAGES), STAGES, f"trays at {size[0]}x{size[1]}"):
                try:
                    found[-1].append(set_up(number, k))
                except ValueError as why:
                    self.notes.append(f"Tray {k + 1} of {STAGES} at {size[0]}x{size[1]} was not calibrated: {why}")
        return found


def timed(do: Callable[..., Any], *given: Any) -> tuple[Any, float]:
    begun = time.process_time()
    done = do(*given)
    return done, (time.process_time() - begun) * 1000


def progress(items: Iterable[Any], count: int, what: str) -> Iterator[Any]:
    for done, item in enumerate(items, 1):
        yield item
        if sys.stderr.isatty():
            print(f"\r{what}: {done} of {count} ", end="\n" if done == count else "", file=sys.stderr, flush=True)


def scored(what: str, cases: list[Case], bar: tuple[float, int] | None) -> Score:
    verdicts = [case.verdict for case in cases]
    return Score(
        what,
        len(cases),
        verdicts.count("exact") / len(cases),
        verdicts.count("wrong"),
        verdicts.count("unsure"),
        sum(case.reading.values == case.want for case in cases) / len(cases),
        float(np.median([case.ms for case in cases])),
        max(case.ms for case in cases),
        *(bar or (None, None)),
    )


def photos(bench: Bench) -> Part:
    return "Photos", [score for told in SHARES for score in _photos(bench, told)]


def _photos(bench: Bench, told: str) -> Iterator[Score]:
    """Scores of readings for which the same was told about the number of dice. Only all photos of the main tier
    together, and those without dice, have a target."""
    every: list[Case] = []
    for folder, cases in bench.on_photos.items():
        own = [case for case in cases if case.told == told]
        if own:
            least = (0.0, 0) if own[0].tier == NO_DICE else None
            yield scored(f"{folder}{told}", own, least)
        every += [case for case in own if case.tier == MAIN]
    if every:
        exact, wrong = SHARES[told]
        yield scored(f"all main photos{told}", every, (exact, int(wrong * len(every))))


def empty(bench: Bench) -> Part:
    found: dict[str, list[Case]] = {}
    count = empties.COUNT if bench.photos else empties.COUNT - empties.CROPS
    for kind, name, frame in progress(empties.pictures(bench.photos), count, "pictures without dice"):
        cases = bench.read(name, (), frame, name.split("-")[1] if kind == "crops" else "")
        found.setdefault(kind, []).extend(case for case in cases if not case.told)
    every = [case for cases in found.values() for case in cases]
    rows = [scored(kind, cases, None) for kind, cases in found.items()]
    return "Pictures without dice", [*rows, scored("all of them", every, EMPTY)]


def set_up(number: int, k: int) -> Rig:
    """A tray unlike those in training, calibrated like a real table with some empty frames and some rolls."""
    size, die_px, _ = RIGS[number]
    rng = np.random.default_rng((4, number, k))
    stage = random_stage(rng, size, DIE, die_px, unseen=True)
    ground = picture.lay_ground(stage, size)
    meter = finish.gain(stage.sensor, picture.light_table(stage, size, ground, ()))

    def shoot(count: int) -> tuple[Image, Values]:
        dice = placing.random_dice(rng, size, stage.camera, count, DIE, True, stage.tray) if count else []
        light, truth = picture.expose(replace(stage, dice=tuple(dice)), size, ground)
        sensor = replace(stage.sensor, seed=int(rng.integers(1 << 30)))
        return finish.develop(sensor, light, meter), tuple(sorted(t.value for t in truth))

    bare = [shoot(0)[0] for _ in range(SHOWN)]
    shown = [shoot(DICE)[0] for _ in range(SHOWN)]
    return Rig(stage, calibrate.calibrate(bare, shown), [shoot(DICE) for _ in range(ROLLS)])


def speed(bench: Bench) -> Part:
    lost = sum(STAGES - len(rigs) for rigs in bench.rigs)
    rows = [Figure(f"Trays that could not be calibrated (of {STAGES * len(RIGS)})", lost, "", 0)]
    for (size, die_px, most), rigs in zip(RIGS, bench.rigs, strict=True):
        cases = []
        for rig in rigs:
            # Warm up: a network allocates its buffers once per picture size.
            reader.read(rig.frames[0][0], rig.calibration, DICE)
            for frame, want in rig.frames:
                reading, ms = timed(reader.read, frame, rig.calibration, len(want))
                cases.append(Case(want, reading, ms, timed(bench.blobs.detect, frame)[1]))
        exact = sum(case.verdict == "exact" for case in cases)
        what = f"Calibrated, {size[0]}x{size[1]}, dice of {die_px:.0f} pixels"
        rows += took(f"{what} ({exact} of {len(cases)} exact)", cases, most)
    every = [case for found in bench.on_photos.values() for case in found]
    if every:
        p95 = sorted(every, key=lambda case: case.ms)[len(every) * 95 // 100]
        slowest = max(case.ms for case in every)
        rows.append(Figure("Any photo, not calibrated, p95", p95.ms, "ms", ANY_PHOTO_MS, slowest, p95.blobs_ms))
    return "Reading on one thread, median", rows


def took(what: str, cases: list[Case], most: float) -> list[Figure]:
    if not cases:
        return []
    ms = [case.ms for case in cases]
    blobs_ms = float(np.median([case.blobs_ms for case in cases]))
    return [Figure(what, float(np.median(ms)), "ms", most, max(ms), blobs_ms)]


def motion(bench: Bench) -> Part:
    rows = []
    for (size, _, _), rigs in zip(RIGS, bench.rigs, strict=True):
        rolling, idle = [], []
        for k, rig in enumerate(progress(rigs[:FILMS], FILMS, f"films at {size[0]}x{size[1]}")):
            watch = settle.Settle(rig.calibration, DICE)
            film = list(throw(np.random.default_rng((5, k)), rig.stage, DICE, size, DIE, still=0, unseen=True))
            bare = [frame for frame, truth in film if truth is not None]
            quiet = [bare[i % len(bare)] for i in range(QUIET + len(film))]
            moving = [frame for frame, truth in film if truth is None]
            ms = [timed(watch.see, frame, i / FPS)[1] for i, frame in enumerate(quiet + moving)]
            idle += ms[QUIET : len(quiet)]
            rolling += ms[len(quiet) :]
        for what, found in (("dice roll", rolling), ("nothing moves", idle)):
            if found:
                name = f"A frame of {size[0]}x{size[1]} while {what}"
                rows.append(Figure(name, float(np.median(found)), "ms", WATCH_MS, max(found)))
    return "Watching for motion on one thread, median", rows


def memory(bench: Bench) -> Part:
    """Memory use is measured in a separate process that imports only the reader."""
    frames = list(_frames())
    frames.append(np.asarray(cv2.resize(frames[0], LARGE, interpolation=cv2.INTER_CUBIC), np.uint8))
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/{i}.png" for i in range(len(frames))]
        for path, frame in zip(paths, frames, strict=True):
            cv2.imwrite(path, frame)
        done = subprocess.run(
            [sys.executable, "-c", READS, *paths], cwd=CLONE, capture_output=True, text=True, timeout=300
        )
    if done.returncode:
        raise SystemExit(done.stderr)
    *there, peak = done.stdout.splitlines()
    once, again = ([repr(reader.read(frame)) for frame in frames] for _ in range(2))
    differ = sum(not a == b == c for a, b, c in zip(once, again, there, strict=True))
    rows = [Figure(f"Read differently a second time or in another process (of {len(frames)})", differ, "", 0)]
    if int(peak):
        rows.insert(0, Figure("Peak memory, ten frames and 12 megapixels", int(peak) / 1024, "MB", MEMORY_MB))
    else:
        bench.notes.append("Peak memory is measured only on Linux.")
    return "Memory and repeatability", rows


def _frames() -> Iterator[Image]:
    for i, size in enumerate(FRAMES):
        yield draw(random_scene(np.random.default_rng((6, i)), size, die_px=(30, 90), unseen=True), size).image


PARTS = {"photos": photos, "empty": empty, "speed": speed, "motion": motion, "memory": memory}


def report(part: Part) -> Iterator[str]:
    title, rows = part
    if rows and isinstance(rows[0], Score):
        heads = (
            f"{'exact':>27} {'least':>5} {'wrong':>6} {'most':>4} {'unsure':>7} {'right*':>7} {'ms':>5} {'worst':>6}"
        )
        yield f"\n{title:30} {heads}"
    elif rows:
        yield f"\n{title:58} {'measured':>9} {'at most':>8} {'share':>6} {'worst':>7} {'blobs*':>7} {'ratio':>6}"
    for row in rows:
        reached = "no target" if row.reached is None else "reached" if row.reached else "MISSED"
        yield f"{_score(row) if isinstance(row, Score) else _figure(row)}  {reached}"


def _score(row: Score) -> str:
    least = "" if row.exact_at_least is None else f"{row.exact_at_least:.0%}"
    most = "" if row.wrong_at_most is None else f"{row.wrong_at_most}"
    return (
        f"{row.what:24} {row.pictures:5} {'#' * round(20 * row.exact):.<20} {row.exact:6.1%} {least:>5}"
        f" {row.wrong:6} {most:>4} {row.unsure:7} {row.right:7.1%} {row.ms:5.0f} {row.worst_ms:6.0f}"
    )


def _figure(row: Figure) -> str:
    share = f"{row.measured / row.at_most:.0%}" if row.at_most else ""
    worst = "" if row.worst is None else f"{row.worst:.1f}"
    blobs, ratio = ("", "") if row.blobs is None else (f"{row.blobs:.1f}", f"{row.measured / row.blobs:.2f}")
    return (
        f"{row.what:58} {row.measured:6.4g} {row.unit:2} {row.at_most:5g} {row.unit:2} {share:>6} {worst:>7}"
        f" {blobs:>7} {ratio:>6}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.reading", description=__doc__)
    parser.add_argument("--photos", type=Path, default=PHOTOS, help="a folder with labels.csv (%(default)s)")
    parser.add_argument("--json", action="store_true", help="all figures as one JSON object")
    parser.add_argument("--only", choices=list(PARTS), help="run only this part")
    parser.add_argument(
        "--failures", type=Path, metavar="DIR", help="where to write marked pictures of wrong and unsure readings"
    )
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    bench = Bench(asked.photos, asked.failures)
    figures: dict[str, list[dict[str, Any]]] = {}
    missed = 0
    for name in [asked.only] if asked.only else PARTS:
        part = PARTS[name](bench)
        missed += sum(row.reached is False for row in part[1])
        figures[name] = [asdict(row) | {"reached": row.reached} for row in part[1]]
        if not asked.json:
            print("\n".join(report(part)), flush=True)
    if asked.json:
        print(json.dumps({"figures": figures, "notes": bench.notes, "missed": missed}, indent=1))
    else:
        print(LEGEND, *bench.notes, f"{missed} missed." if missed else "All targets are reached.", sep="\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
