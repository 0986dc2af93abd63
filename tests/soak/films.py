"""`python -m tests.soak.films`: films of a fixed camera with known throws, under all kinds of light and motion.

Its one rule: a throw counts only if it is told exactly once, with the right values, while its dice lie still. A throw
that is not read is the reader's failure if stills of the resting dice are not read either.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np

from tests.soak.composed import CONDITIONS, FPS, Condition, Moment, Table, filmed, photographed, rendered, script
from vision.mark import mark
from vision.networks import Image
from vision.reader import read
from vision.reading import OK, Reading
from vision.settle import Settle

SEED = 7
TABLES, THROWS = 3, 8
STILLS = 2  # resting frames of each throw that are read one by one
BAR = 0.95  # minimum share of throws that are told exactly once, right and sure
PROCESSES = 2
KINDS = ("once", "again", "missed", "unsure", "wrong")


@dataclass(frozen=True)
class Outcome:
    condition: str
    table: str
    throw: int
    actual: tuple[int, ...]
    kind: str  # one of KINDS
    told: tuple[tuple[int, ...], ...]  # the values of every reading while the dice lay
    by_reader: bool  # whether stills of the resting dice were not read exactly either
    after: float | None  # seconds from the rest to the first reading


@dataclass(frozen=True)
class Watched:
    outcomes: tuple[Outcome, ...]
    strays: tuple[tuple[int, ...], ...]  # readings while no dice lay still


def watch(
    condition: Condition, table: Table, seed: int, counted: bool = False, pictures: Path | None = None
) -> Watched:
    """Film all throws at this table and read them. With `counted`, the reader knows the number of dice."""
    rng = np.random.default_rng((seed, *condition.name.encode()))
    moments = script(rng, condition, len(table.rests))
    settle = Settle()
    told: dict[int, list[tuple[float, Reading]]] = {}
    stills: dict[int, list[Image]] = {}
    begun: dict[int, float] = {}
    strays: list[tuple[int, ...]] = []
    for number, (moment, frame) in enumerate(zip(moments, filmed(rng, table, condition, moments), strict=False)):
        at = number / FPS
        if counted and moment.throw is not None:
            settle.expect = len(table.rests[moment.throw].values)
        reading = settle.see(frame, at).reading
        if moment.still and moment.throw is not None:
            begun.setdefault(moment.throw, at)
            shown = stills.setdefault(moment.throw, [])
            if moment.hand is None and len(shown) < STILLS and at - begun[moment.throw] > 0.1 * (len(shown) + 1):
                shown.append(frame)
        if reading is None:
            continue
        if moment.still and moment.throw is not None:
            told.setdefault(moment.throw, []).append((at, reading))
        else:
            strays.append(reading.values)
        if pictures:
            _keep(pictures, f"{condition.name} {table.name} {at:.2f}", frame, reading, moment)
    outcomes = []
    for throw, rest in enumerate(table.rests):
        readings = [reading for _, reading in told.get(throw, [])]
        expect = len(rest.values) if counted else None
        looks = [read(frame, None, expect) for frame in stills.get(throw, [])]
        outcomes.append(
            Outcome(
                condition.name,
                table.name,
                throw,
                rest.values,
                judged(readings, rest.values),
                tuple(reading.values for reading in readings),
                not all(one.status == OK and one.values == rest.values for one in looks),
                told[throw][0][0] - begun[throw] if readings else None,
            )
        )
    return Watched(tuple(outcomes), tuple(strays))


def judged(readings: Sequence[Reading], actual: tuple[int, ...]) -> str:
    if any(reading.status == OK and reading.values != actual for reading in readings):
        return "wrong"
    if not readings:
        return "missed"
    if len(readings) > 1:
        return "again"
    return "once" if readings[0].status == OK else "unsure"


def _keep(pictures: Path, name: str, frame: Image, reading: Reading, moment: Moment) -> None:
    pictures.mkdir(parents=True, exist_ok=True)
    state = "still" if moment.still else "stray"
    cv2.imwrite(str(pictures / f"{name.replace('/', '-')} {state}.png"), mark(frame, reading))


@dataclass(frozen=True)
class Job:
    """All films at one table."""

    number: int
    seed: int
    throws: int
    photos: Path | None
    conditions: tuple[str, ...]
    counted: bool
    pictures: Path | None


def play(job: Job) -> list[Watched]:
    cv2.setNumThreads(1)
    if job.photos:
        table = photographed(job.photos, job.seed, job.number, job.throws)
    else:
        table = rendered(job.seed, job.number, job.throws)
    chosen = [condition for condition in CONDITIONS if not job.conditions or condition.name in job.conditions]
    return [watch(condition, table, job.seed, job.counted, job.pictures) for condition in chosen]


def missed(films: Sequence[Watched]) -> list[str]:
    """One sentence for each target that was missed."""
    outcomes = [outcome for film in films for outcome in film.outcomes]
    kinds = Counter(outcome.kind for outcome in outcomes)
    fair = [outcome for outcome in outcomes if not outcome.by_reader]
    once = sum(outcome.kind == "once" for outcome in fair)
    out = []
    if kinds["once"] < BAR * len(outcomes):
        out.append(f"{kinds['once']} of {len(outcomes)} throws were told once and right. The target is {BAR:.0%}.")
    if once < BAR * len(fair):
        out.append(f"Of throws whose stills are read, {once} of {len(fair)} were told. The target is {BAR:.0%}.")
    if kinds["wrong"]:
        out.append(f"{kinds['wrong']} of {len(outcomes)} throws were read wrong. The target is none.")
    again = kinds["again"] + sum(len(film.strays) for film in films)
    if again:
        out.append(f"{again} throws were told again, or without dice at rest. The target is none.")
    return out


def lines(films: Sequence[Watched]) -> list[str]:
    """A table with one line per condition."""
    out = [f"{'':16} throws {'  '.join(f'{kind:>6}' for kind in KINDS)}  strays  reader*  seconds"]
    names = dict.fromkeys(outcome.condition for film in films for outcome in film.outcomes)
    for name in (*names, "all"):
        chosen = [film for film in films if name in ("all", *(one.condition for one in film.outcomes))]
        own = [one for film in chosen for one in film.outcomes]
        kinds = Counter(one.kind for one in own)
        strays = sum(len(film.strays) for film in chosen)
        late = [one.after for one in own if one.after is not None]
        reader = sum(one.by_reader and one.kind != "once" for one in own)
        counts = "  ".join(f"{kinds[kind]:6}" for kind in KINDS)
        out.append(f"{name:16} {len(own):6} {counts}  {strays:6} {reader:7}  {float(np.median(late or [0])):8.2f}")
    return [*out, "* throws that were not told once and right, and whose stills are not read either"]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.films", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tables", type=int, default=TABLES, help="tables to film (%(default)s)")
    parser.add_argument("--throws", type=int, default=THROWS, help="throws per film (%(default)s)")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--photos", type=Path, help="compose the films from the labelled photos in this folder")
    parser.add_argument("--condition", action="append", default=[], choices=[one.name for one in CONDITIONS])
    parser.add_argument("--expect", action="store_true", help="tell the reader the number of dice")
    parser.add_argument("--pictures", type=Path, help="save every frame that gave a reading to this folder")
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    begun = time.monotonic()
    jobs = [
        Job(n, asked.seed, asked.throws, asked.photos, tuple(asked.condition), asked.expect, asked.pictures)
        for n in range(asked.tables)
    ]
    with multiprocessing.get_context("spawn").Pool(asked.processes) as pool:
        films = [film for found in pool.imap(play, jobs) for film in found]
    faults = missed(films)
    if asked.json:
        for film in films:
            for outcome in film.outcomes:
                print(json.dumps(asdict(outcome)))
        strays = [values for film in films for values in film.strays]
        print(json.dumps({"seed": asked.seed, "strays": strays, "missed": faults}))
    else:
        print(*lines(films), sep="\n")
        print(*(faults or ["All targets are met."]), sep="\n")
        print(f"seed {asked.seed}, {time.monotonic() - begun:.0f} seconds")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
