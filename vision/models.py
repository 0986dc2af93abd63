"""The trained parts of the reader: two networks, and the rules that weigh their votes. One folder holds the networks
and the rules.

Its one rule: the files in a folder belong together. `make train` fitted the rules to these networks, and recorded which
pictures were used.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2

FINDER, JUDGE, RULES = "finder.onnx", "judge.onnx", "rules.json"


@dataclass(frozen=True)
class Rules:
    """Weights of the two regressions, and their thresholds (see vision/train/scoring.py)."""

    trust: tuple[float, ...]  # weights that predict whether a candidate is a clearly visible die and its value is right
    presence: tuple[float, ...]  # weights that predict whether a candidate is a die or part of one
    sure: float  # minimum trust of a candidate that is believed
    agreed: float  # the same if all witnesses agree on its value
    none: float  # presence below which a candidate is dropped
    known: float  # minimum trust if the number of dice is known, and the candidate stands out from those beyond it
    gap: float  # it stands out if theirs is at most this share of its trust


@dataclass(frozen=True)
class Skill:
    finder: Any  # networks of cv2.dnn
    judge: Any
    rules: Rules
    seen: str  # the pictures to which the networks and the rules were fitted


@cache
def shipped() -> Skill:
    """The networks and rules that come with the program."""
    return load(_home())


@cache
def fingerprint() -> str:
    """Identifies the shipped judge, because its descriptions of faces mean nothing to another judge."""
    return hashlib.sha256((_home() / JUDGE).read_bytes()).hexdigest()[:16]


def _home() -> Path:
    """The folder with the shipped files: next to the package in a clone, inside it in a wheel."""
    home = Path(__file__).resolve().parent.parent
    for folder in (home / "assets" / "vision", home / "table" / "assets" / "vision"):
        if (folder / RULES).is_file():
            return folder
    raise FileNotFoundError("The dice reader's networks are missing: run `make train` to create them.")


def load(folder: Path) -> Skill:
    return ruled(draft(folder), folder / RULES)


def draft(folder: Path) -> Skill:
    """The networks without rules, for fitting the rules. Such networks find candidates but trust none."""
    return Skill(network(folder / FINDER), network(folder / JUDGE), Rules((), (), 1.0, 1.0, 0.0, 1.0, 0.0), "")


def network(path: Path) -> Any:
    # OpenCV 5 has several engines; on networks this small the classic one is the fastest.
    engine = [cv2.dnn.ENGINE_CLASSIC] if hasattr(cv2.dnn, "ENGINE_CLASSIC") else []
    return cv2.dnn.readNetFromONNX(str(path), *engine)


def ruled(networks: Skill, path: Path) -> Skill:
    """The same networks with the rules from this file."""
    told = json.loads(path.read_text(encoding="utf-8"))
    seen = told.pop("seen")
    rules = Rules(**told | {"trust": tuple(told["trust"]), "presence": tuple(told["presence"])})
    return replace(networks, rules=rules, seen=seen)


def save_rules(path: Path, rules: Rules, seen: str) -> None:
    told = asdict(rules) | {"seen": seen}
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
