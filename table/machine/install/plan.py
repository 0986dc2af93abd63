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
    if not found.systemd:
        return "This machine was not started by systemd, so the table cannot be installed to start with it."
    if not found.known and not anyway:
        ours = " and ".join(f"{number} ({name})" for number, (name, _) in RELEASES.items())
        return (
            f"This is {found.system}; the table is made for Raspberry Pi OS and Debian {ours}, 64-bit. "
            "Add --anyway to try it all the same."
        )
    if found.command is not None and not _ours(found):
        return f"{found.layout.command} is there and not from here: move it away, then run this again."
    return ""


def prepare(found: Found, source: Source) -> list[Step]:
    """A whole build, beside the one that runs, which is not touched."""
    builds, made = found.layout.builds, source.build in found.whole
    wanted = PACKAGES + (RASPBERRY_PACKAGES if found.raspberry else ())
    missing = [package for package in wanted if package not in found.packages]
    # The build before stays until yet another one needs the room: it can be gone back to.
    unused = (found.half if made else found.half | found.whole) - {
        source.build, found.current, found.good, found.running,
    }  # fmt: skip
    _, fitting = RELEASES.get(found.release, ("", ()))
    return [
        Step(f"Install Debian packages: {', '.join(missing or wanted)}", not missing, partial(work.packages, missing)),
        *(_removal(builds / build, True) for build in sorted(unused)),
        Step(
            f"Make {builds / source.build} from {source.says} (takes some minutes)",
            made,
            partial(work.make, found.layout, source.build, source.given, fitting),
        ),
    ]


def settle(found: Found, build: str, patience: float) -> list[Step]:
    """A build that is whole, or will be, becomes the one that runs."""
    layout = found.layout
    files = [_system_file(found, build, name) for name in SYSTEM_FILES]
    current = found.current == build
    settled = all(step.done for step in files) and current and found.good == build and found.sure
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
    if build not in found.whole:
        return Step(f"Write {path}", False, put)
    brought = found.brought[build].get(name)
    return Step(f"{'Have no' if brought is None else 'Write'} {path}", brought == found.lie.get(name), put)


def remove(found: Found, purge: bool) -> list[Step]:
    """All of that undone; what the table remembers only if asked for."""
    layout = found.layout
    stop = partial(work.command, "systemctl", "disable", "--now", UNIT)
    stopped = not (found.enabled or found.active or UNIT in found.lie)  # one that waits for its next try is neither
    steps = [
        Step("Stop the table, and no longer start it with the machine", stopped, stop),
        *(_removal(layout.system_file(name), name in found.lie) for name in SYSTEM_FILES),
        Step("Let udev and systemd forget these files", not found.lie, work.forget),
    ]
    if purge:
        steps += [
            _removal(layout.config, found.config),
            Step(f"Remove {layout.state}, with all games", not found.state, partial(work.remove, layout.state)),
            Step(f"Remove the user {USER}", not found.user, partial(work.command, "userdel", USER)),
        ]
    # Last of all: until then the command is there to go on with what was interrupted.
    return [*steps, _removal(layout.command, _ours(found)), _removal(layout.builds, found.builds)]


def _removal(path: Path, there: bool) -> Step:
    return Step(f"Remove {path}", not there, partial(work.remove, path))


def _ours(found: Found) -> bool:
    return found.command is not None and found.command.startswith(f"{found.layout.builds}/")


def notes(found: Found) -> list[str]:
    """What is good to know beside the steps."""
    said = ["The text login on the first screen (getty@tty1) makes way for the table; other logins stay as they are."]
    if found.desktop:
        said.append(
            "A desktop has the screen: it ends when the table starts, with all that is open on it. "
            "To start without one: sudo systemctl set-default multi-user.target, and restart."
        )
    if not found.raspberry:
        said.append("Only Raspberry Pi OS has python3-lgpio: here the keyboard stands in for the buttons.")
    return said


def notes_of_removal(found: Found, purge: bool) -> list[str]:
    layout = found.layout
    said = ["Debian packages stay. The text login on the first screen is back after a restart at the latest."]
    kept = [str(path) for path, there in ((layout.config, found.config), (layout.state, found.state)) if there]
    if kept and not purge:
        said.append(f"Kept, unless with --purge: {', '.join(kept)}.")
    return said
