"""Labelled photographs as cases for fitting the rules. Each folder is a source, used for leave-one-out validation.

Its one rule: photographs stay where they are; only the networks' votes on them influence the rules.
"""

from __future__ import annotations

import csv
import json
import math
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision import reader
from vision.models import Rules, Skill
from vision.scoring import Candidate
from vision.train.pictures import bar
from vision.train.scoring import GOOD, Case, fit

Label = Sequence[float]  # x, y, width, height, value


def photographed(home: Path, skill: Skill) -> list[Case]:
    """A case for each photo in the main tier of labels.csv."""
    with (home / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["tier"] == "main"]
    out, start = [], time.monotonic()
    for done, row in enumerate(rows, 1):
        frame = cv2.imread(str(home / row["file"]))
        if frame is not None:
            values = tuple(sorted(int(v) for v in row["faces"].split("-") if v))
            found = reader.candidates(np.asarray(frame, np.uint8), skill)
            boxes = json.loads(row["boxes"] or "[]")
            deserved = [_deserved(c, boxes if len(boxes) == len(values) else None) for c in found]
            trust, presence = [d[0] for d in deserved], [d[1] for d in deserved]
            out.append(Case(found, trust, presence, GOOD, values, row["file"].split("/")[0]))
        bar("photos", done, len(rows), start, "\n" * (done == len(rows)))
    return out


def _deserved(c: Candidate, boxes: Iterable[Label] | None) -> tuple[float, float]:
    """The correct trust and presence of a candidate; both are nan if some dice in the photo are not labelled. The box
    of a label encloses the pips or the whole die."""
    if boxes is None:
        return math.nan, math.nan
    for x, y, w, h, value in boxes:
        if math.hypot(x + w / 2 - c.x, y + h / 2 - c.y) < 0.4 * c.side:
            return float(c.value == value), 1.0
    return 0.0, 0.0


def left_out(found: Sequence[Case], sources: Iterable[str]) -> dict[str, Rules]:
    """For each source, the rules fitted without it."""
    return {source: fit([c for c in found if c.source != source]) for source in sources}
