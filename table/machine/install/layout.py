"""The parts of an installed table, and where they are.

Its one rule: everything outside the project's own folders (paths, Debian packages, system files) is named only here.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

UNIT = "dicetable.service"
USER = "dicetable"

# The files in systemd/, and where they go in the system.
SYSTEM_FILES: Mapping[str, str] = {
    "dicetable.service": "etc/systemd/system/dicetable.service",
    "dicetable.sysusers": "etc/sysusers.d/dicetable.conf",
    "dicetable.udev": "etc/udev/rules.d/60-dicetable.rules",
    "dicetable.polkit": "etc/polkit-1/rules.d/60-dicetable.rules",
}

PACKAGES = (
    "python3-venv",
    "udev",
    "libegl1", "libgles2", "libgbm1", "libgl1-mesa-dri",  # SDL needs them to draw without a desktop
    "polkitd",  # allows the table's user to shut down the machine
)  # fmt: skip
RASPBERRY_PACKAGES = (
    "python3-lgpio",  # for the pins; only Raspberry Pi OS has this package
    "dnsmasq-base",  # for DHCP, which phones need on the table's own Wi-Fi
)

# Constraints by Debian release. A build's virtual environment includes Debian's own Python packages, for lgpio. The
# compiled ones among them (the Pi's camera, OpenCV) need Debian's major version of numpy: 1.24 in Bookworm, 2.2 in
# Trixie. Since version 4.12, OpenCV's wheels require numpy 2.
RELEASES: Mapping[str, tuple[str, Sequence[str]]] = {
    "12": ("Bookworm", ("numpy<2", "opencv-python-headless<4.12")),
    "13": ("Trixie", ("numpy>=2,<3",)),
}


class Layout:
    """`root` is /, except in tests."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.python = root / "usr/bin/python3"  # always Debian's own, because lgpio is compiled for it
        self.builds = root / "opt/dicetable"  # one virtual environment per version; some may be incomplete
        self.current = self.builds / "current"  # a symlink to the build that runs
        self.good = self.builds / "good"  # contains the name of the last build that was seen running
        self.command = root / "usr/local/bin/dicetable"
        self.config = root / "etc/dicetable.toml"
        self.state = root / "var/lib/dicetable"  # games and everything else that the table stores
        self.lock = root / "run/dicetable-install.lock"

    def whole(self, build: str) -> Path:
        """The file that marks a build as complete: it is written last, and contains the version of Python."""
        return self.builds / build / ".whole"

    def system_file(self, name: str) -> Path:
        return self.root / SYSTEM_FILES[name]

    def brought(self, build: str, name: str) -> Path:
        """The build's version of a system file."""
        inside = next((self.builds / build).glob("lib/python3*/site-packages/table"), self.builds / build)
        return inside / "systemd" / name
