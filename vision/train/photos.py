"""Labelled photographs as cases for fitting the rules. Each folder is a source, used for leave-one-out validation.

Its one rule: photographs stay where they are; only the networks' votes on them influence the rules.
"""

from __future__ import annotations

import csv
import json
import math
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision import reader
from vision.models import Rules, Skill
from vision.scoring import Candidate
from vision.train.pictures import bar
from vision.train.scoring import GOOD, HARD, Case, fit

Label = Sequence[float]  # x, y, width, height, value


def photographed(home: Path, skill: Skill) -> list[Case]:
    """A case for each photo in labels.csv."""
    with (home / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    out, start = [], time.monotonic()
    for done, row in enumerate(rows, 1):
        frame = cv2.imread(str(home / row["file"]))
        if frame is not None:
            values = tuple(sorted(int(v) for v in row["faces"].split("-") if v))
            found = reader.candidates(np.asarray(frame, np.uint8), skill)
            boxes = json.loads(row["boxes"] or "[]")
            deserved = [_deserved(c, boxes) for c in found] if len(boxes) == len(values) else matched(found, values)
            trust, presence = [d[0] for d in deserved], [d[1] for d in deserved]
            state = HARD if row["tier"] == "hard" else GOOD
            out.append(Case(found, trust, presence, state, values, row["file"].split("/")[0]))
        bar("photos", done, len(rows), start, "\n" * (done == len(rows)))
    return out


def _deserved(c: Candidate, boxes: Iterable[Label]) -> tuple[float, float]:
    """The correct trust and presence of a candidate. The box of a label encloses the pips or the whole die."""
    for x, y, w, h, value in boxes:
        if math.hypot(x + w / 2 - c.x, y + h / 2 - c.y) < 0.4 * c.side:
            return float(c.value == value), 1.0
    return 0.0, 0.0


def matched(found: Sequence[Candidate], values: Sequence[int]) -> list[tuple[float, float]]:
    """The correct trust and presence of all candidates in a photo without boxes: for each value, the clearest
    candidates with this value are the dice. All are nan if there are too few."""
    right: set[int] = set()
    for value, count in Counter(values).items():
        able = sorted((k for k, c in enumerate(found) if c.value == value), key=lambda k: -found[k].clear)[:count]
        if len(able) < count:
            return [(math.nan, math.nan)] * len(found)
        right.update(able)
    return [(float(k in right), float(k in right)) for k in range(len(found))]


def left_out(found: Sequence[Case], sources: Iterable[str]) -> dict[str, Rules]:
    """For each source, the rules fitted without it."""
    return {source: fit([c for c in found if c.source != source]) for source in sources}
