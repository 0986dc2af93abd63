"""Writes files atomically: after a power cut, a file is either the old one or the new one, never half of it."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def write(path: Path, data: bytes) -> None:
    """Raises OSError if the file cannot be written; an existing file is then unchanged."""
    # Each writer and each ending has its own temporary file. The name is cut, because a long one may not be allowed.
    part = path.with_name(f".{path.stem[:40]}{path.suffix[:10]}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
