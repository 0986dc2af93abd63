"""Tables that were solved in advance. Each is loaded on first use."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from table.engine.errors import NoTable
from table.games import folder


def path(game: str) -> Path:
    return Path(str(folder(game))) / "table.npz"


@cache
def load(name: str) -> Mapping[str, np.ndarray[Any, Any]]:
    """The arrays of a game's table, by name."""
    try:
        with path(name).open("rb") as file, np.load(file, allow_pickle=False) as kept:
            return {key: kept[key] for key in kept.files}
    except (OSError, ValueError, BadZipFile, EOFError) as why:
        raise NoTable(
            f"The table for perfect play of {name} is missing or corrupt: {path(name)}. Install dicetable again, or "
            "play another level."
        ) from why
