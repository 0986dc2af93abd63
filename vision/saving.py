"""Writes files atomically: after a power cut, a file is either the old one or the new one, never half of it."""

from __future__ import annotations

import os
from pathlib import Path


def write(path: Path, data: bytes) -> None:
    """Raises OSError if the file cannot be written; an existing file is then unchanged."""
    part = path.with_name(f".{path.name[:40]}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
