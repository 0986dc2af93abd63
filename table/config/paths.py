"""Where files lie: those that belong to the table, inside the package in a wheel and beside it in a clone; and those
that it writes."""

import os
import sys
from pathlib import Path

MACHINE = Path("/etc/dicetable.toml")
_TABLE = Path(__file__).resolve().parent.parent


def assets() -> Path:
    """What the table shows that is not code: the rules as players read them."""
    return _folder("assets")


def systemd() -> Path:
    """The units that start the table with the machine."""
    return _folder("systemd")


def records() -> Path:
    """Where this system keeps what a program remembers for its user."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "dicetable"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "dicetable"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "dicetable"


def config() -> Path | None:
    """What this machine's table was told, unless another file is named there or by DICETABLE_CONFIG."""
    if named := os.environ.get("DICETABLE_CONFIG"):
        return Path(named)
    return MACHINE if MACHINE.exists() else None


def passing() -> Path:
    """Where this system keeps what is there only as long as a program runs."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return Path(runtime) / "dicetable" if runtime else records()


def _folder(name: str) -> Path:
    packed = _TABLE / name
    return packed if packed.is_dir() else _TABLE.parent / name
