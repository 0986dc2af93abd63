"""`python -m tests.soak.likeness`: how alike faces of a table's own dice are, for the limits in vision/own_dice.py.

Its one rule: every face is compared with all faces of the same table's other rolls. The limits depend on the judge, so
look at this table after the judge was trained.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import sys
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.soak.learning import PROCESSES, SEED, TABLES
from tests.soak.rolls import tray
from vision import decide, own_dice, reader
from vision.render import fixed

ROLLS = 30
ALIKE = (0.8, 0.85, 0.9, 0.92, 0.94, 0.96)
APART = (0.25, 0.3, 0.35, 0.4, 0.5, 0.6)
Rows = NDArray[np.float64]


def compared(number: int, seed: int, rolls: int) -> Rows:
    """For each face seen at this table: its value, the value read, the likeness of the closest face of each value."""
    cv2.setNumThreads(1)
    try:
        table, known = tray(seed, number)
    except ValueError:
        return np.zeros((0, 8))
    rng = np.random.default_rng((seed, number, 2))
    rows: list[tuple[int, int, int]] = []
    faces: list[own_dice.Face] = []
    for roll in range(rolls):
        thrown = fixed.roll(rng, table, int(rng.integers(1, 7)))
        frame = next(fixed.lying(rng, table, thrown.scene))
        found = reader.look(frame, known, len(thrown.values)).found
        for true in table.truth(thrown.scene):
            near = [c for c in found if math.dist((c.x, c.y), true.centre) < c.side / 3]
            if near:
                best = max(near, key=lambda c: c.clear)
                rows.append((roll, true.value, best.value))
                faces += own_dice.seen(frame, [(decide.box(best), true.value, False)])
    looks = np.array([face.looks for face in faces], np.float32)
    likeness = np.einsum("if,jtf->ijt", looks[:, 0], looks).max(2)
    told = np.array(rows)
    likeness[told[:, None, 0] == told[None, :, 0]] = -1  # faces of the same roll
    closest = [np.where(told[:, 1] == value, likeness, -1).max(1) for value in range(1, 7)]
    return np.column_stack([told[:, 1:], *closest])


def lines(rows: Rows) -> list[str]:
    value, read, closest = rows[:, 0].astype(int), rows[:, 1].astype(int), rows[:, 2:]
    own = closest[np.arange(len(rows)), value - 1]
    other = np.where(np.arange(1, 7) == value[:, None], -1, closest).max(1)
    shares = (0.1, 1, 10, 50, 90, 99, 99.9)
    out = [f"{len(rows)} faces, {int((read != value).sum())} misread", f"{'percent':>14} " + told_in(shares, "6g")]
    for name, likeness in (("same value", own), ("other value", other)):
        out.append(f"{name:>14} " + told_in(np.percentile(likeness, shares), "6.3f"))
    out.append("alike  apart   recognized   wrong   misread and confirmed   misread and doubted   right and doubted")
    vote, ranked = closest.argmax(1) + 1, np.sort(closest, axis=1)
    for alike in ALIKE:
        for apart in APART:
            votes = (ranked[:, 5] >= alike) & (1 - ranked[:, 5] <= apart * (1 - ranked[:, 4]))
            wrong, same = votes & (vote != value), votes & (vote == read)
            counts = [wrong, same & (read != value), votes & ~same & (read != value), votes & ~same & (read == value)]
            out.append(
                f"{alike:5.2f}  {apart:5.2f}   {votes.mean():10.1%}   "
                + "   ".join(f"{int(count.sum()):{wide}}" for count, wide in zip(counts, (5, 21, 19, 17), strict=True))
            )
    return out


def told_in(numbers: object, form: str) -> str:
    return " ".join(f"{number:{form}}" for number in np.asarray(numbers, float))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.likeness", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tables", type=int, default=TABLES, help="tables, each with its own dice (%(default)s)")
    parser.add_argument("--rolls", type=int, default=ROLLS, help="rolls of 1 to 6 dice at each table (%(default)s)")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    asked = parser.parse_args()
    with multiprocessing.get_context("spawn").Pool(asked.processes) as pool:
        work = partial(compared, seed=asked.seed, rolls=asked.rolls)
        rows = np.concatenate(pool.map(work, range(asked.tables), chunksize=1))
    print(*lines(rows), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
