"""Inspects the machine before anything is changed.

Its one rule: it changes nothing and needs no privileges, so that any user can see the plan.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from table import config
from table.engine.errors import Refused
from table.machine.commands import asked
from table.machine.install.layout import PACKAGES, RASPBERRY_PACKAGES, RELEASES, SYSTEM_FILES, UNIT, USER, Layout

_asked = partial(asked, seconds=30.0, failed=True)
"""A program's output, even if it fails; "" if the program is missing or times out."""


@dataclass(frozen=True)
class System:
    name: str  # PRETTY_NAME in os-release
    release: str  # Debian's version number; "" on other systems
    known: bool  # whether the system is supported: a 64-bit Debian release in RELEASES
    raspberry: bool  # whether this is Raspberry Pi OS
    systemd: bool
    desktop: bool
    packages: frozenset[str]  # required Debian packages that are already installed


@dataclass(frozen=True)
class Builds:
    there: bool  # whether the folder for builds exists
    whole: frozenset[str]
    half: frozenset[str]  # builds left incomplete, because the work on them was interrupted
    current: str | None  # the build that starts at boot
    good: str | None  # the build last seen running
    sure: bool  # False if a change has been started since `good` was last seen running
    running: str | None  # the build that contains the code running now
    files: Mapping[str, Mapping[str, bytes]]  # the system files that each build contains


@dataclass(frozen=True)
class Found:
    layout: Layout
    system: System
    builds: Builds
    command: str | None  # target of the symlink /usr/local/bin/dicetable; "" if it is a file, None if missing
    files: Mapping[str, bytes]  # installed system files
    config: bool
    extras: tuple[str, ...]  # extras of the Python package that the config needs
    state: bool
    user: bool
    enabled: bool
    active: bool


def look(layout: Layout) -> Found:
    return Found(
        layout=layout,
        system=_system(layout.root),
        builds=_builds(layout),
        command=_leads_to(layout.command),
        files=_read({name: layout.system_file(name) for name in SYSTEM_FILES}),
        config=layout.config.exists(),
        extras=_extras(layout.config),
        state=layout.state.exists(),
        user=any(line.startswith(f"{USER}:") for line in _text(layout.root / "etc/passwd").splitlines()),
        enabled=_asked("systemctl", "is-enabled", UNIT) == "enabled",
        active=_asked("systemctl", "is-active", UNIT) == "active",
    )


def _system(root: Path) -> System:
    release = _os_release(root)
    number = release.get("VERSION_ID", "") if release.get("ID") in ("debian", "raspbian") else ""
    return System(
        name=release.get("PRETTY_NAME", "an unknown system"),
        release=number,
        known=release.get("ID") == "debian" and number in RELEASES,  # ID=raspbian is the 32-bit Raspberry Pi OS
        raspberry=(root / "etc/rpi-issue").exists(),
        systemd=(root / "run/systemd/system").is_dir(),
        desktop=_asked("systemctl", "is-active", "display-manager.service") == "active",
        packages=_installed(),
    )


def _builds(layout: Layout) -> Builds:
    python = _asked(str(layout.python), "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
    builds = {path.name for path in _children(layout.builds) if path.is_dir() and not path.is_symlink()}
    whole = frozenset(build for build in builds if _text(layout.whole(build)) == python)
    good, _, changing = _text(layout.good).partition(" ")
    return Builds(
        there=layout.builds.exists(),
        whole=whole,
        half=frozenset(builds - whole),
        current=_link(layout.current),
        good=good if good in whole else None,
        sure=not changing,
        running=_running(layout),
        files={build: _read({name: layout.brought(build, name) for name in SYSTEM_FILES}) for build in whole},
    )


def _extras(path: Path) -> tuple[str, ...]:
    """The extras that the config needs. Errors in the config are ignored here; the table and the doctor report them."""
    try:
        settings = config.load(path) if path.exists() else config.DEFAULT
    except (Refused, OSError):
        return ()
    wanted = {"league": settings.league.address, "mqtt": settings.mqtt.address}
    return tuple(extra for extra, address in wanted.items() if address)


def _installed() -> frozenset[str]:
    told = _asked(
        "dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\\n", *PACKAGES, *RASPBERRY_PACKAGES
    )
    said = (line.split() for line in told.splitlines())
    return frozenset(words[0] for words in said if words[1:] == ["installed"])


def _os_release(root: Path) -> dict[str, str]:
    lines = (line.partition("=") for line in _text(root / "etc/os-release").splitlines())
    return {name: value.strip().strip("\"'") for name, _, value in lines}


def _running(layout: Layout) -> str | None:
    home = Path(sys.prefix).resolve()
    return home.name if home.parent == layout.builds.resolve() else None


def _leads_to(path: Path) -> str | None:
    return _link(path) or ("" if path.exists() else None)


def _link(path: Path) -> str | None:
    try:
        return str(path.readlink())
    except OSError:
        return None


def _children(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _read(paths: Mapping[str, Path]) -> Mapping[str, bytes]:
    return {name: path.read_bytes() for name, path in paths.items() if path.is_file()}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
