"""What the reader has learnt: the two networks, and the rules for what their votes are worth. One folder holds it all.

Its one rule: what lies in a folder was made together by `make train`, and says what it was made from.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2

FINDER, JUDGE, RULES = "finder.onnx", "judge.onnx", "rules.json"


@dataclass(frozen=True)
class Rules:
    """Two rules, and where they are cut (see weigh.py)."""

    trust: tuple[float, ...]  # that it is a die, well seen, of its value
    presence: tuple[float, ...]  # that it is a die or part of one at all
    sure: float  # trust of at least this is believed
    none: float  # presence of less than this is nothing


@dataclass(frozen=True)
class Skill:
    finder: Any  # networks of cv2.dnn
    judge: Any
    rules: Rules
    seen: str  # what all this was made from


@cache
def shipped() -> Skill:
    """Beside the code in a clone, inside the package in a wheel."""
    home = Path(__file__).resolve().parent.parent
    for folder in (home / "assets" / "vision", home / "table" / "assets" / "vision"):
        if (folder / RULES).is_file():
            return load(folder)
    raise FileNotFoundError("What the dice reader has learnt is missing: `make train` makes it.")


def load(folder: Path) -> Skill:
    return ruled(draft(folder), folder / RULES)


def draft(folder: Path) -> Skill:
    """The networks alone, which find candidates but believe nothing: what rules are fitted over."""
    finder, judge = (cv2.dnn.readNetFromONNX(str(folder / name)) for name in (FINDER, JUDGE))
    return Skill(finder, judge, Rules((), (), 1.0, 0.0), "")


def ruled(networks: Skill, path: Path) -> Skill:
    """The same networks under the rules of this file."""
    told = json.loads(path.read_text(encoding="utf-8"))
    rules = Rules(tuple(told["trust"]), tuple(told["presence"]), told["sure"], told["none"])
    return replace(networks, rules=rules, seen=told["seen"])


def save_rules(path: Path, rules: Rules, seen: str) -> None:
    told = asdict(rules) | {"seen": seen}
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
