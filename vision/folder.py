"""Lists the pictures in a folder.

Its one rule: leave out the marked pictures that this program has saved there.
"""

from __future__ import annotations

import os
import re

ENDINGS = (".jpg", ".jpeg", ".jpe", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif", ".heic", ".heif")
FILMS = (".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v")
MARKED = re.compile(r"\.read(-\d+)?$")  # how the names of marked pictures end, before the extension


def pictures(folder: str) -> list[str]:
    """The paths of all pictures in a folder, sorted by name. Skips subfolders, hidden files and marked pictures."""
    try:
        with os.scandir(folder) as entries:
            inside = [(e.name, e.is_dir()) for e in entries if not e.name.startswith(".")]
    except OSError as why:
        raise ValueError(f"The folder cannot be opened ({why.strerror}).") from None
    names = sorted(
        name
        for name, is_folder in inside
        if not is_folder and name.lower().endswith(ENDINGS) and not MARKED.search(os.path.splitext(name)[0])
    )
    if not names:
        others = ["folders"] if any(is_folder for _, is_folder in inside) else []
        others += ["videos"] if any(name.lower().endswith(FILMS) for name, _ in inside) else []
        more = f" itself: name the {' and '.join(others)} in it" if others else ""
        raise ValueError(f"The folder has no pictures{more}.")
    return [os.path.join(folder, name) for name in names]
