"""`python -m vision.bench FOLDER`: how the reader does on photographs and on pictures without dice, and how fast.

Its one rule: thresholds are chosen on rendered pictures (`--tune`), never on what is scored here.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision import reader
from vision.reader import Candidate, Thresholds
from vision.render import FAULTS, draw, random_scene
from vision.sight import Image

Values = tuple[int, ...]


@dataclass(frozen=True)
class Case:
    folder: str
    name: str
    want: Values | None  # nothing: whatever is read in good faith is wrong
    found: list[Candidate]
    ms: float


def photos(home: Path) -> Iterator[tuple[str, str, Values, Image]]:
    with (home / "labels.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            image = cv2.imread(str(home / row["file"]))
            if image is not None:
                faces = tuple(int(v) for v in row["faces"].split("-")) if row["faces"] else ()
                yield row["file"].split("/")[0], row["file"], faces, np.asarray(image, np.uint8)


def empty(home: Path, count: int) -> Iterator[tuple[str, str, Values, Image]]:
    """Pictures without dice: rendered clutter that training never drew, and parts of the photographs."""
    rng = np.random.default_rng(2026)
    for i in range(count * 2 // 3):
        scene = random_scene(rng, (640, 480), dice=0, die_px=(25, 120), clutter=1.0, unseen=True)
        yield "no dice", f"rendered {i}", (), draw(scene, (640, 480)).image
    with (home / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file) if r["boxes"]]
    left = count - count * 2 // 3
    for row in (rows[int(k)] for k in rng.permutation(len(rows))):
        image = cv2.imread(str(home / row["file"]))
        piece = None if image is None else free_part(np.asarray(image, np.uint8), json.loads(row["boxes"]), rng)
        if piece is not None and left > 0:
            left -= 1
            yield "no dice", row["file"], (), piece


def free_part(image: Image, boxes: list[list[float]], rng: np.random.Generator) -> Image | None:
    """A part of at least a quarter of the picture's sides that no box reaches into, or nothing."""
    height, width = image.shape[:2]
    best: tuple[int, int, int, int] | None = None
    for _ in range(300):
        w, h = int(rng.uniform(0.25, 0.9) * width), int(rng.uniform(0.25, 0.9) * height)
        x, y = int(rng.integers(width - w)), int(rng.integers(height - h))
        # Boxes may go round the pips only: a die reaches twice as far.
        clear = all(
            bx - bw > x + w or bx + 2 * bw < x or by - bh > y + h or by + 2 * bh < y for bx, by, bw, bh, *_ in boxes
        )
        if clear and (best is None or w * h > best[2] * best[3]):
            best = (x, y, w, h)
    if best is None:
        return None
    x, y, w, h = best
    return np.ascontiguousarray(image[y : y + h, x : x + w])


def rendered(count: int, seed: int) -> Iterator[tuple[str, str, Values | None, Image]]:
    """For choosing thresholds: looks that training never drew; a third has a die that must not be read."""
    for i in range(count):
        rng = np.random.default_rng((seed, i))
        fault = FAULTS[i % len(FAULTS)] if i % 3 == 0 else None
        size = ((640, 480), (640, 640), (800, 600))[i % 3]
        scene = random_scene(rng, size, die_px=(25, 150), clutter=0.6, fault=fault, unseen=True)
        picture = draw(scene, size)
        clear = [t for t in picture.truth if t.top_visible > 0.1]
        if any(t.top_visible < 0.6 or t.cocked or t.stacked for t in clear) or fault == "blurred":
            yield "faulty", f"{seed} {i}", None, picture.image
        elif all(t.top_visible > 0.85 for t in clear):
            yield "rendered", f"{seed} {i}", tuple(sorted(t.value for t in clear)), picture.image


def score(cases: list[Case], limits: Thresholds) -> dict[str, Counter[str]]:
    out: dict[str, Counter[str]] = {}
    for case in cases:
        got = reader.decide(case.found, None, limits)
        right = got.values == case.want
        count = out.setdefault(case.folder, Counter())
        count["all"] += 1
        count["unsure" if got.status != "ok" else "exact" if right else "wrong"] += 1
        count["right, sure or not"] += right
    return out


def look(source: Iterator[tuple[str, str, Values | None, Image]]) -> list[Case]:
    cases = []
    for folder, name, want, image in source:
        start = time.perf_counter()
        found = reader.candidates(image)
        cases.append(Case(folder, name, want, found, (time.perf_counter() - start) * 1000))
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{len(cases)} pictures")
    return cases


def table(cases: list[Case], limits: Thresholds) -> Iterator[str]:
    for folder, count in score(cases, limits).items():
        ms = [c.ms for c in cases if c.folder == folder]
        yield (
            f"{folder:10} {count['all']:4} pictures: exact {count['exact'] / count['all']:6.1%}"
            f"  wrong {count['wrong']:3}  unsure {count['unsure']:3}"
            f"  right, sure or not {count['right, sure or not'] / count['all']:6.1%}"
            f"  ms median {np.median(ms):.0f} most {max(ms):.0f}"
        )


def sweep(cases: list[Case]) -> Iterator[str]:
    """What other thresholds would give. On photographs this is no fair score: it is chosen on what it scores."""
    for sure in (0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9):
        for none in (0.15, 0.25, 0.35, 0.45):
            found = score(cases, Thresholds(sure=sure, none=none))
            cells = (f"{f} {c['exact'] / c['all']:.0%}/{c['wrong']}" for f, c in found.items())
            yield f"sure {sure:.2f} none {none:.2f}: " + "  ".join(cells)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.bench", description=__doc__)
    parser.add_argument("photos", type=Path, help="a folder with labels.csv")
    parser.add_argument("--tune", type=int, metavar="N", help="sweep thresholds over N rendered pictures instead")
    parser.add_argument("--sweep", action="store_true", help="also what other thresholds would give on these photos")
    parser.add_argument("--empty", type=int, default=100, help="how many pictures without dice")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    if asked.tune:
        cases = look(rendered(asked.tune, 4242))
    else:
        cases = look(photos(asked.photos)) + look(empty(asked.photos, asked.empty))
    print("\n".join(table(cases, reader.THRESHOLDS)))
    if asked.tune or asked.sweep:
        print(
            "Other thresholds, exact and wrong" + ("" if asked.tune else " (not a fair score: chosen on these photos)")
        )
        print("\n".join(sweep(cases)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
