"""Where the files lie that are not Python: inside the package in a wheel, beside it in a clone."""

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def assets() -> Path:
    """What the table shows that is not code: the rules as players read them."""
    return _folder("assets")


def systemd() -> Path:
    """The units that start the table with the machine."""
    return _folder("systemd")


def _folder(name: str) -> Path:
    packed = _HERE / name
    return packed if packed.is_dir() else _HERE.parent / name
