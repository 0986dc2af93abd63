"""`python -m tests.soak.rolls`: films of dice rolled into fixed trays, read and compared with the true values.

Its one rule: a roll depends only on the seed and its number, so any roll can be repeated (`--only 17`, or `--only f17`
for a faulty one). A sure reading counts as exact if it has every die right, and otherwise as wrong, even if a die is
cocked or half hidden. Everything else is unsure.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from vision.calibrate import calibrate
from vision.mark import mark
from vision.reading import OK, Reading
from vision.render import FAULTS, fixed
from vision.render.scene import Image
from vision.settle import Settle
from vision.tray import Calibration

SEED = 4
ROLLS, FAULTY = 20, 6  # clear and faulty rolls per tray
EMPTY, SHOWN = 6, 4  # frames of the empty tray, and rolls of all six dice, for the calibration
SECONDS = 0.16  # seconds from one frame to the next, as with a slow camera
BEFORE, MOVING, LYING = 1, 6, 30  # frames before a roll, with moving dice, and (at most) with dice at rest
BAR = 0.995  # minimum share of exact readings among rolls without a fault
PROCESSES = 2


@dataclass(frozen=True)
class Outcome:
    name: str
    tray: int
    fault: str | None
    actual: tuple[int, ...]
    verdict: str  # "exact" | "wrong" | "unsure"
    read: tuple[int, ...] | None  # None if there was no reading at all
    why: str | None


def tray(seed: int, number: int) -> tuple[fixed.SetUp, Calibration]:
    rng = np.random.default_rng((seed, number))
    table = fixed.set_up(rng)
    empty = list(islice(fixed.lying(rng, table, table.stage), EMPTY))
    shown = [next(fixed.lying(rng, table, fixed.roll(rng, table, 6).scene)) for _ in range(SHOWN)]
    return table, calibrate(empty, shown)


def names(number: int, rolls: int, faulty: int) -> list[str]:
    """The names of this tray's rolls. `rolls` and `faulty` count the clear and the faulty rolls on all trays."""
    clear = range(number * ROLLS, min(rolls, (number + 1) * ROLLS))
    askew = range(number * FAULTY, min(faulty, (number + 1) * FAULTY))
    return [str(n) for n in clear] + [f"f{n}" for n in askew]


def tray_of(name: str) -> int:
    return int(name[1:]) // FAULTY if name[0] == "f" else int(name) // ROLLS


def play(rolls: Sequence[str], seed: int = SEED, pictures: Path | None = None) -> list[Outcome]:
    """Play these rolls, all of one tray. Pictures of rolls that were not read exactly go to the folder `pictures`."""
    cv2.setNumThreads(1)
    number = tray_of(rolls[0])
    try:
        table, known = tray(seed, number)
    except ValueError as refused:
        return [Outcome(name, number, None, (), "unsure", None, f"not calibrated: {refused}") for name in rolls]
    return [_one(seed, name, table, known, pictures) for name in rolls]


def _one(seed: int, name: str, table: fixed.SetUp, known: Calibration, pictures: Path | None) -> Outcome:
    faulty, n = name[0] == "f", int(name.lstrip("f"))
    rng = np.random.default_rng((seed, faulty, n))
    fault = FAULTS[n % len(FAULTS)] if faulty else None
    roll = fixed.roll(rng, table, int(rng.integers(1, 7)), fault)
    frame, reading, moving = watch(film(rng, table, roll), Settle(known, len(roll.values)))
    verdict = judged(reading, roll.values, moving)
    if pictures and verdict != "exact":
        shown = frame if reading is None else mark(frame, reading)
        actual = "-".join(str(v) for v in roll.values)
        pictures.mkdir(parents=True, exist_ok=True)
        for kind, image in (("frame", frame), ("reading", shown)):
            cv2.imwrite(str(pictures / f"{name} {fault or 'clear'} {verdict} {actual} {kind}.png"), image)
    read = None if reading is None else reading.values
    return Outcome(name, tray_of(name), fault, roll.values, verdict, read, reading.why if reading else "no reading")


def film(rng: fixed.Chance, table: fixed.SetUp, roll: fixed.Roll) -> Iterator[tuple[Image, bool]]:
    """Each frame, and whether the dice have yet to come to rest."""
    for frame in islice(fixed.lying(rng, table, table.stage), BEFORE):
        yield frame, True
    for frame in fixed.flying(rng, table, roll.scene, MOVING):
        yield frame, True
    for frame in islice(fixed.lying(rng, table, roll.scene), LYING):
        yield frame, False


def watch(frames: Iterator[tuple[Image, bool]], settle: Settle) -> tuple[Image, Reading | None, bool]:
    """The frame with the reading (or the last frame), the reading if any, and whether the reading came too early."""
    for number, (frame, moving) in enumerate(frames):
        reading = settle.see(frame, number * SECONDS).reading
        if reading is not None:
            return frame, reading, moving
    return frame, None, False


def judged(reading: Reading | None, actual: tuple[int, ...], moving: bool) -> str:
    if reading is None or reading.status != OK:
        return "unsure"
    return "exact" if reading.values == actual and not moving else "wrong"


def missed(outcomes: Sequence[Outcome]) -> list[str]:
    """One sentence for each target that was missed."""
    clear = [o for o in outcomes if o.name[0] != "f"]
    exact, wrong = (sum(o.verdict == v for o in clear) for v in ("exact", "wrong"))
    fooled = sum(o.verdict == "wrong" for o in outcomes) - wrong
    out = []
    if exact < BAR * len(clear):
        out.append(f"{exact} of {len(clear)} rolls were exact. The target is {BAR:.1%}.")
    if wrong:
        out.append(f"{wrong} of {len(clear)} rolls were read wrong. The target is none.")
    if fooled:
        out.append(f"{fooled} of {len(outcomes) - len(clear)} faulty rolls were read wrong. The target is none.")
    return out


def line_of(outcome: Outcome) -> str:
    """One line about a roll."""
    actual, read = (" ".join(str(v) for v in values or ()) or "nothing" for values in (outcome.actual, outcome.read))
    fault = f" ({outcome.fault})" if outcome.fault else ""
    return f"{outcome.name:>5}{fault} {outcome.verdict}: {actual} rolled, {read} read; {outcome.why or 'sure'}"


def summary(outcomes: Sequence[Outcome]) -> dict[str, dict[str, int]]:
    out: dict[str, Counter[str]] = {}
    for o in outcomes:
        kind = "clear" if o.name[0] != "f" else o.fault or "faulty"
        out.setdefault(kind, Counter(exact=0, wrong=0, unsure=0))[o.verdict] += 1
    return {kind: dict(counts) for kind, counts in out.items()}


def all_rolls(rolls: int, faulty: int, seed: int, pictures: Path | None) -> list[Outcome]:
    trays = max(-(-rolls // ROLLS), -(-faulty // FAULTY))
    jobs = [found for number in range(trays) if (found := names(number, rolls, faulty))]
    outcomes: list[Outcome] = []
    begun = time.monotonic()
    # A spawned process shares no state with this one, and behaves the same on every system.
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        for played in pool.imap(partial(play, seed=seed, pictures=pictures), jobs):
            outcomes += played
            _progress(len(outcomes), rolls + faulty, begun)
    return outcomes


def _progress(done: int, total: int, begun: float) -> None:
    if sys.stderr.isatty():
        bar = "#" * (30 * done // total)
        left = (time.monotonic() - begun) * (total - done) / max(1, done)
        sys.stderr.write(f"\r[{bar:<30}] {done} of {total} rolls, {left:.0f} s left " + "\n" * (done == total))
        sys.stderr.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.rolls", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rolls", type=int, default=1000, help="rolls of 1 to 6 dice that lie flat")
    parser.add_argument("--faulty", type=int, default=300, help="rolls with a cocked, stacked, hidden or blurred die")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", metavar="N", help="only this roll: 17, or f17 for a faulty one")
    parser.add_argument(
        "--pictures", type=Path, metavar="FOLDER", help="save pictures of the readings that were not exact"
    )
    parser.add_argument("--json", action="store_true", help="one line for each roll and one for all")
    asked = parser.parse_args()
    if asked.only and not re.fullmatch(r"f?\d+", asked.only):
        parser.error("--only takes the number of a roll, for example 17, or f17 for a faulty one.")
    begun = time.monotonic()
    if asked.only:
        outcomes = play([asked.only], asked.seed, asked.pictures)
    else:
        outcomes = all_rolls(asked.rolls, asked.faulty, asked.seed, asked.pictures)
    faults = missed(outcomes)
    if asked.json:
        for outcome in outcomes:
            print(json.dumps(asdict(outcome)))
        print(json.dumps({"seed": asked.seed, "counts": summary(outcomes), "missed": faults}))
    else:
        for outcome in outcomes:
            if asked.only or outcome.verdict == "wrong" or (outcome.verdict != "exact" and not outcome.fault):
                print(line_of(outcome))
        for kind, counts in summary(outcomes).items():
            print(f"{kind:8}", "  ".join(f"{what} {count}" for what, count in counts.items()))
        print(*(faults or ["All targets are met."]), sep="\n")
        print(f"seed {asked.seed}, {(time.monotonic() - begun) / max(1, len(outcomes)):.2f} seconds per roll")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
