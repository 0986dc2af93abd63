"""Pictures of dice with their values, drawn once by `python -m tests.dice` and read by many tests."""

import json
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

HOME = Path(__file__).parent


class Kept(NamedTuple):
    name: str
    image: NDArray[np.uint8]
    values: tuple[int, ...]


def kept() -> list[Kept]:
    told = json.loads((HOME / "truth.json").read_text(encoding="utf-8"))
    return [Kept(name, np.asarray(cv2.imread(str(HOME / name)), np.uint8), tuple(v)) for name, v in told.items()]
