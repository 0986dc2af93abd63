"""Plans the steps of an install, update or uninstall from what was found on the machine.

Its one rule: nothing is changed here. Each step has a description, a flag that says whether it is already done, and
the function that carries it out.
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
    """Why the table cannot be installed on this machine, or ""."""
    if not found.system.systemd:
        return "This machine does not use systemd, so the table cannot be installed."
    if not found.system.known and not anyway:
        ours = " and ".join(f"{number} ({name})" for number, (name, _) in RELEASES.items())
        return (
            f"This is {found.system.name}; the table supports Raspberry Pi OS and Debian {ours}, 64-bit. "
            "Add --anyway to try it nevertheless."
        )
    if found.command is not None and not _ours(found):
        return f"{found.layout.command} belongs to something else: move it away, then run this again."
    return ""


def prepare(found: Found, source: Source) -> list[Step]:
    """The steps that make a complete build, without touching the build that runs."""
    folder, builds = found.layout.builds, found.builds
    made = source.build in builds.whole
    wanted = PACKAGES + (RASPBERRY_PACKAGES if found.system.raspberry else ())
    missing = [package for package in wanted if package not in found.system.packages]
    # Keep the previous build for a rollback. It is removed when another new build is made.
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
    """The steps that switch to a build. The build need not be complete until the steps are carried out."""
    layout, builds = found.layout, found.builds
    files = [_system_file(found, build, name) for name in SYSTEM_FILES]
    current = builds.current == build
    settled = all(step.done for step in files) and current and builds.good == build and builds.sure
    command = str(layout.current / "bin/dicetable")
    settings = config.commented().encode()
    return [
        *files,
        Step(f"Create the user {USER}, and reload udev and systemd", settled, work.read_anew),
        Step(f"Link {layout.current} to {build}", current, partial(work.link, layout.current, build)),
        Step(f"Create {layout.command}", found.command == command, partial(work.link, layout.command, command)),
        Step(f"Write the config {layout.config}", found.config, partial(work.write_new, layout.config, settings)),
        Step("Start the table at boot", found.enabled, partial(work.command, "systemctl", "enable", UNIT)),
        Step(
            "Start the table now, and check that it keeps running",
            settled and found.active,
            partial(work.start, patience),
        ),
    ]


def _system_file(found: Found, build: str, name: str) -> Step:
    path, put = found.layout.system_file(name), partial(work.put, found.layout, build, name)
    if build not in found.builds.whole:
        return Step(f"Write {path}", False, put)
    brought = found.builds.files[build].get(name)
    return Step(f"{'Remove' if brought is None else 'Write'} {path}", brought == found.files.get(name), put)


def remove(found: Found, purge: bool) -> list[Step]:
    """The steps that undo the installation. With `purge`, they also remove the table's data and config."""
    layout = found.layout
    stop = partial(work.command, "systemctl", "disable", "--now", UNIT)
    # A unit that waits for its next restart is neither enabled nor active, so look for its file too.
    stopped = not (found.enabled or found.active or UNIT in found.files)
    steps = [
        Step("Stop the table, and don't start it at boot any more", stopped, stop),
        *(_removal(layout.system_file(name), name in found.files) for name in SYSTEM_FILES),
        Step("Reload udev and systemd", not found.files, work.forget),
    ]
    if purge:
        steps += [
            _removal(layout.config, found.config),
            Step(f"Remove {layout.state}, with all games", not found.state, partial(work.remove, layout.state)),
            Step(f"Remove the user {USER}", not found.user, partial(work.command, "userdel", USER)),
        ]
    # Remove the command last, so that an interrupted uninstall can be run again.
    return [*steps, _removal(layout.command, _ours(found)), _removal(layout.builds, found.builds.there)]


def _removal(path: Path, there: bool) -> Step:
    return Step(f"Remove {path}", not there, partial(work.remove, path))


def _ours(found: Found) -> bool:
    return found.command is not None and found.command.startswith(f"{found.layout.builds}/")


def notes(found: Found) -> list[str]:
    """Notes to show with the steps."""
    said = ["The table replaces the text login on the first console (getty@tty1); other logins are not affected."]
    if found.system.desktop:
        said.append(
            "A desktop is using the screen: it ends when the table starts, together with all open programs. "
            "To boot without it, run sudo systemctl set-default multi-user.target and restart."
        )
    if not found.system.raspberry:
        said.append("Only Raspberry Pi OS has python3-lgpio: here the keyboard replaces the buttons.")
    return said


def notes_of_removal(found: Found, purge: bool) -> list[str]:
    layout = found.layout
    said = ["Debian packages stay. The text login on the first console is back after a restart at the latest."]
    kept = [str(path) for path, there in ((layout.config, found.config), (layout.state, found.state)) if there]
    if kept and not purge:
        said.append(f"Kept: {', '.join(kept)} (--purge removes them too).")
    return said
