"""What there is on this machine, before anything is done to it.

Its one rule: looking changes nothing and needs no rights, so that a plan can be shown to anybody.
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
"""What a program says to a question; nothing where there is none, or no answer."""


@dataclass(frozen=True)
class System:
    name: str  # as it calls itself
    release: str  # Debian's number, of a system that we know
    known: bool  # and that its wheels are made for
    raspberry: bool  # Raspberry Pi OS
    systemd: bool
    desktop: bool
    packages: frozenset[str]  # those of ours that are installed


@dataclass(frozen=True)
class Builds:
    there: bool  # whether there is a folder for them
    whole: frozenset[str]
    half: frozenset[str]  # that somebody or something interrupted
    current: str | None  # the one that starts with the machine
    good: str | None  # the one that was last seen running,
    sure: bool  # and whether nothing was touched since
    running: str | None  # the one that this very code is of
    files: Mapping[str, Mapping[str, bytes]]  # by build: its system files


@dataclass(frozen=True)
class Found:
    layout: Layout
    system: System
    builds: Builds
    command: str | None  # where /usr/local/bin/dicetable leads to; "" if it is no link
    files: Mapping[str, bytes]  # the system files that are in their places
    config: bool
    extras: tuple[str, ...]  # of the package, that it asks for
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
        known=release.get("ID") == "debian" and number in RELEASES,  # raspbian is the name of the 32-bit one
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
    """What is wrong with a config is the table's to say, or the doctor's."""
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
