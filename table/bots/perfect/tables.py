"""Tables that were solved beforehand, read when the first of their numbers is needed."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from table.places import assets

FOLDER = "players"


def path(name: str) -> Path:
    return assets() / FOLDER / f"{name}.npz"


@cache
def load(name: str) -> Mapping[str, np.ndarray[Any, Any]]:
    """The arrays of one file, by name."""
    with np.load(path(name), allow_pickle=False) as kept:
        return {key: kept[key] for key in kept.files}
