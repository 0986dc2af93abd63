"""The paths of files: the table's own (inside the package in a wheel, next to it in a clone), and those it writes."""

import os
import sys
from pathlib import Path

MACHINE = Path("/etc/dicetable.toml")
_TABLE = Path(__file__).resolve().parent.parent


def assets() -> Path:
    """Shared texts and sounds."""
    return _folder("assets")


def systemd() -> Path:
    """The files for systemd and the system."""
    return _folder("systemd")


def records() -> Path:
    """The user's folder for application data."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "dicetable"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "dicetable"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "dicetable"


def config() -> Path | None:
    """The config to use if the command line names none: DICETABLE_CONFIG, else the machine's, else none."""
    if named := os.environ.get("DICETABLE_CONFIG"):
        return Path(named)
    return MACHINE if MACHINE.exists() else None


def passing() -> Path:
    """The folder for files that exist only while the table is running."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return Path(runtime) / "dicetable" if runtime else records()


def _folder(name: str) -> Path:
    packed = _TABLE / name
    return packed if packed.is_dir() else _TABLE.parent / name
