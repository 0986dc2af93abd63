"""What an installed table is made of, and where each part of it lies.

Its one rule: what is outside of this project's own folders (a path, a Debian package, a system file) is named here and
nowhere else.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

UNIT = "dicetable.service"
USER = "dicetable"

# The files of systemd/, and where the system looks for each.
SYSTEM_FILES: Mapping[str, str] = {
    "dicetable.service": "etc/systemd/system/dicetable.service",
    "dicetable.sysusers": "etc/sysusers.d/dicetable.conf",
    "dicetable.udev": "etc/udev/rules.d/60-dicetable.rules",
    "dicetable.polkit": "etc/polkit-1/rules.d/60-dicetable.rules",
}

PACKAGES = (
    "python3-venv",
    "udev",
    "libegl1", "libgles2", "libgbm1", "libgl1-mesa-dri",  # SDL loads them to draw without a desktop
    "polkitd",  # lets the table's user shut the machine down
)  # fmt: skip
RASPBERRY_PACKAGES = (
    "python3-lgpio",  # the pins; Debian itself does not have it
    "dnsmasq-base",  # gives phones their addresses on the table's own Wi-Fi
)

# By Debian's number: a build shows through to Debian's own Python packages, for lgpio, and those among them that are
# compiled (the Pi's camera, Debian's OpenCV) are made for Debian's numpy: 1.24 in Bookworm, 2.2 in Trixie. A numpy of
# the same generation over it works for all of them, another for none. OpenCV's wheels ask for numpy 2 from 4.12 on.
RELEASES: Mapping[str, tuple[str, Sequence[str]]] = {
    "12": ("Bookworm", ("numpy<2", "opencv-python-headless<4.12")),
    "13": ("Trixie", ("numpy>=2,<3",)),
}


class Layout:
    """`root` is / on every machine; tests have one of their own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.python = root / "usr/bin/python3"  # Debian's own, whatever runs this: lgpio is made for it
        self.builds = root / "opt/dicetable"  # a virtual environment a version; half made ones may lie there too
        self.current = self.builds / "current"  # a link to the build that runs
        self.good = self.builds / "good"  # names the build that was last seen running
        self.command = root / "usr/local/bin/dicetable"
        self.config = root / "etc/dicetable.toml"
        self.state = root / "var/lib/dicetable"  # the games, and all else that the table remembers
        self.lock = root / "run/dicetable-install.lock"

    def whole(self, build: str) -> Path:
        """Written last into a build: the version of Python that it was made for."""
        return self.builds / build / ".whole"

    def system_file(self, name: str) -> Path:
        return self.root / SYSTEM_FILES[name]

    def brought(self, build: str, name: str) -> Path:
        """A system file as a build has it."""
        inside = next((self.builds / build).glob("lib/python3*/site-packages/table"), self.builds / build)
        return inside / "systemd" / name
