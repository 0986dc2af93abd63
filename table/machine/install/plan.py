"""What will be done to this machine, as a list of steps: from what was found, and without touching anything.

Its one rule: nothing is done here. A step says what it is for and whether that is so already, and holds what would make
it so.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from table import config
from table.machine.install import work
from table.machine.install.layout import PACKAGES, RASPBERRY_PACKAGES, RELEASES, SYSTEM_FILES, UNIT, USER
from table.machine.install.look import Found
from table.machine.install.source import Source


@dataclass(frozen=True)
class Step:
    says: str
    done: bool
    do: Callable[[], None]


def unfit(found: Found, anyway: bool) -> str:
    """Why this is no machine for it, in words; nothing if it is one."""
    if not found.system.systemd:
        return "This machine was not started by systemd, so the table cannot be installed to start with it."
    if not found.system.known and not anyway:
        ours = " and ".join(f"{number} ({name})" for number, (name, _) in RELEASES.items())
        return (
            f"This is {found.system.name}; the table is made for Raspberry Pi OS and Debian {ours}, 64-bit. "
            "Add --anyway to try it all the same."
        )
    if found.command is not None and not _ours(found):
        return f"{found.layout.command} is there and not from here: move it away, then run this again."
    return ""


def prepare(found: Found, source: Source) -> list[Step]:
    """A whole build, beside the one that runs, which is not touched."""
    folder, builds = found.layout.builds, found.builds
    made = source.build in builds.whole
    wanted = PACKAGES + (RASPBERRY_PACKAGES if found.system.raspberry else ())
    missing = [package for package in wanted if package not in found.system.packages]
    # The build before stays until yet another one needs the room: it can be gone back to.
    unused = builds.half if made else builds.half | builds.whole
    unused -= {source.build, builds.current, builds.good, builds.running}
    _, fitting = RELEASES.get(found.system.release, ("", ()))
    return [
        Step(f"Install Debian packages: {', '.join(missing or wanted)}", not missing, partial(work.packages, missing)),
        *(_removal(folder / build, True) for build in sorted(unused)),
        Step(
            f"Make {folder / source.build} from {source.says} (takes some minutes)",
            made,
            partial(work.make, found.layout, source.build, source.given, fitting),
        ),
    ]


def settle(found: Found, build: str, patience: float) -> list[Step]:
    """A build that is whole, or will be, becomes the one that runs."""
    layout, builds = found.layout, found.builds
    files = [_system_file(found, build, name) for name in SYSTEM_FILES]
    current = builds.current == build
    settled = all(step.done for step in files) and current and builds.good == build and builds.sure
    command = str(layout.current / "bin/dicetable")
    settings = config.commented().encode()
    return [
        *files,
        Step(f"Make the user {USER}, and let udev and systemd read these files", settled, work.read_anew),
        Step(f"Lead {layout.current} to {build}", current, partial(work.link, layout.current, build)),
        Step(f"Make {layout.command}", found.command == command, partial(work.link, layout.command, command)),
        Step(f"Write {layout.config}: all settings", found.config, partial(work.write_new, layout.config, settings)),
        Step("Start the table with the machine", found.enabled, partial(work.command, "systemctl", "enable", UNIT)),
        Step("Start the table now, and see that it stays up", settled and found.active, partial(work.start, patience)),
    ]


def _system_file(found: Found, build: str, name: str) -> Step:
    path, put = found.layout.system_file(name), partial(work.put, found.layout, build, name)
    if build not in found.builds.whole:
        return Step(f"Write {path}", False, put)
    brought = found.builds.files[build].get(name)
    return Step(f"{'Have no' if brought is None else 'Write'} {path}", brought == found.files.get(name), put)


def remove(found: Found, purge: bool) -> list[Step]:
    """All of that undone; what the table remembers only if asked for."""
    layout = found.layout
    stop = partial(work.command, "systemctl", "disable", "--now", UNIT)
    stopped = not (found.enabled or found.active or UNIT in found.files)  # one that waits for its next try is neither
    steps = [
        Step("Stop the table, and no longer start it with the machine", stopped, stop),
        *(_removal(layout.system_file(name), name in found.files) for name in SYSTEM_FILES),
        Step("Let udev and systemd forget these files", not found.files, work.forget),
    ]
    if purge:
        steps += [
            _removal(layout.config, found.config),
            Step(f"Remove {layout.state}, with all games", not found.state, partial(work.remove, layout.state)),
            Step(f"Remove the user {USER}", not found.user, partial(work.command, "userdel", USER)),
        ]
    # Last of all: until then the command is there to go on with what was interrupted.
    return [*steps, _removal(layout.command, _ours(found)), _removal(layout.builds, found.builds.there)]


def _removal(path: Path, there: bool) -> Step:
    return Step(f"Remove {path}", not there, partial(work.remove, path))


def _ours(found: Found) -> bool:
    return found.command is not None and found.command.startswith(f"{found.layout.builds}/")


def notes(found: Found) -> list[str]:
    """What is good to know beside the steps."""
    said = ["The text login on the first screen (getty@tty1) makes way for the table; other logins stay as they are."]
    if found.system.desktop:
        said.append(
            "A desktop has the screen: it ends when the table starts, with all that is open on it. "
            "To start without one: sudo systemctl set-default multi-user.target, and restart."
        )
    if not found.system.raspberry:
        said.append("Only Raspberry Pi OS has python3-lgpio: here the keyboard stands in for the buttons.")
    return said


def notes_of_removal(found: Found, purge: bool) -> list[str]:
    layout = found.layout
    said = ["Debian packages stay. The text login on the first screen is back after a restart at the latest."]
    kept = [str(path) for path, there in ((layout.config, found.config), (layout.state, found.state)) if there]
    if kept and not purge:
        said.append(f"Kept, unless with --purge: {', '.join(kept)}.")
    return said
