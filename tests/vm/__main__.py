"""`make vm-test`: install the table on Debian in an emulated machine, play on it, hang it and restart it.

Its one rule: `dicetable install` puts everything there from the wheel. Some settings differ from a real table's.
The display is a small dummy, although SDL still reads the keyboard. There are no buttons. The watchdog waits longer,
because an emulated table may take 15 seconds to draw a screen.
"""

import argparse
import shlex
import sys
import tempfile
import time
from pathlib import Path

from tests import debian
from tests.vm import image, machine
from tests.vm.machine import Failed, Machine

UNIT = "dicetable.service"
STATUS = f"systemctl show -P StatusText {UNIT}"
SHOWN = "Type,ActiveState,UnitFileState,User,NRestarts,MainPID,StatusText,Result,ExecMainStatus"
STATE = "/var/lib/dicetable"
OWN = {"/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue"}
"""Where else it may write: its private temporary folders, and shared memory, which carries the camera's pictures. None
of these survive a reboot."""

PAUSE = 4.0  # seconds between two keys

DROP_IN = """[Service]
Environment=SDL_VIDEODRIVER=evdev SDL_AUDIODRIVER=dummy
WatchdogSec=120
"""
CONFIG = """[screen]
window = "640x400"
[buttons]
enabled = "off"
"""
PROBE = f"""[Service]
Type=oneshot
Restart=no
WatchdogSec=0
StandardInput=null
StandardOutput=journal
ExecStart=
ExecStart=/usr/bin/python3 -I {image.BROUGHT}/probe.py
"""
ANSWERS = f"""
import sqlite3
file = sqlite3.connect("file:{STATE}/table.db?mode=ro", uri=True)
for row in file.execute("SELECT id, count(number) FROM matches LEFT JOIN answers ON key = match GROUP BY id"):
    print(*row)
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.vm", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "suite", nargs="?", choices=debian.SUITES, default="trixie", help="the Debian release (%(default)s)"
    )
    parser.add_argument("--kvm", action="store_true", help="use hardware virtualization, if available: much faster")
    parser.add_argument("--log", metavar="FILE", help="write the logs of the machine and the table there")
    given = parser.parse_args()
    debian.begin()
    debian.need({**image.PROGRAMS, **machine.PROGRAMS})
    base = image.base(given.suite)
    with tempfile.TemporaryDirectory(prefix="dicetable-vm.") as name:
        folder = Path(name)
        brought = image.brought(given.suite, image.wheel(folder), folder)
        debian.say(f"Starting Debian {given.suite} (some minutes if the processor is emulated)")
        vm = Machine(base, brought, folder, given.kvm)
        try:
            run_parts(vm)
        except Failed as why:
            sys.exit(f"{why}\n\n{_last_words(vm)}")
        finally:
            if given.log:
                Path(given.log).write_text(_last_words(vm, 100_000), encoding="utf-8")
            vm.close()
    debian.say("All checks passed.")


def run_parts(vm: Machine) -> None:
    """Run the parts in order; each one continues in the state that the previous one left."""
    for part in (
        it_boots,
        it_is_installed_from_its_wheel,
        it_is_running,
        a_game_is_played_on_its_keyboard,
        it_is_restarted_when_it_hangs,
        its_game_continues_where_it_stopped,
        it_cannot_write_outside_its_folder,
        it_stays_off_after_exit_in_its_menu,
    ):
        begun = time.monotonic()
        debian.say(f"{part.__name__.replace('_', ' ').capitalize()} ...")
        print(f"    {part(vm)} ({time.monotonic() - begun:.0f} s)", flush=True)


def it_boots(vm: Machine) -> str:
    vm.boot()
    vm.do(f"mount -o ro /dev/vdb {image.BROUGHT}")
    return vm.do("systemctl --version | head -n 1; uname -r").replace("\n", ", Linux ")


def it_is_installed_from_its_wheel(vm: Machine) -> str:
    """Install from the wheel like any user, but without a network."""
    _write(vm, f"/etc/systemd/system/{UNIT}.d/vm.conf", DROP_IN)
    _write(vm, "/etc/dicetable.toml", CONFIG)
    wheels = f"PIP_NO_INDEX=1 PIP_FIND_LINKS={image.BROUGHT}/wheels"
    install = f"cd {image.BROUGHT}; env {wheels} PYTHONPATH=$(echo dicetable-*.whl) python3 -m table install"
    vm.do(install, 3600)
    again = vm.do(install, 600)
    _check("Nothing to do." in again, "a second install finds nothing to do", again)
    return again.splitlines()[-1]


def it_is_running(vm: Machine) -> str:
    """A unit of type `notify` is active only once the table has reported that it is ready."""
    now = _unit(vm)
    _check(now["ActiveState"] == "active" and now["Type"] == "notify", "the unit is ready", now)
    _check(now["UnitFileState"] == "enabled", "it starts with the machine", now)
    _check(now["User"] == "dicetable" and now["NRestarts"] == "0", "it started without a restart, as its own user", now)
    vm.do(f"test $(ps -o user= -p {now['MainPID']}) = dicetable")
    return now["StatusText"]


def a_game_is_played_on_its_keyboard(vm: Machine) -> str:
    """Start the first game with the default players and options, and press keys until answers are stored."""
    doing = _sit_down(vm)
    for _ in range(40):
        _press(vm, "spc", "ret")
        if sum(_games(vm).values()) >= 4:
            _check(_unit(vm)["NRestarts"] == "0", "it is still the same table", _unit(vm))
            return f"{doing} {sum(_games(vm).values())} answers are stored."
    raise Failed(f"No answers were stored: {_games(vm)}")


def it_is_restarted_when_it_hangs(vm: Machine) -> str:
    before = _unit(vm)
    vm.do(f"kill -STOP {before['MainPID']}")
    vm.until(f"systemctl show -P NRestarts {UNIT}", "^1$", 900)
    vm.until(f"systemctl show -P ActiveState {UNIT}", "^active$")
    now = _unit(vm)
    _check(now["MainPID"] not in ("0", before["MainPID"]), "another process is the table", now)
    return vm.do(f"journalctl -u {UNIT} -o cat | grep -i -m 1 watchdog")


def its_game_continues_where_it_stopped(vm: Machine) -> str:
    before = _games(vm)
    _check(len(before) == 1, "there is one game", before)
    vm.until(STATUS, "1 can be resumed")  # the journal has been read
    _sit_down(vm)  # the unfinished game is offered first
    for _ in range(40):
        _press(vm, "spc", "ret")
        now = _games(vm)
        _check(now.keys() == before.keys(), "no other game was started", now)
        if sum(now.values()) > sum(before.values()):
            return f"from {sum(before.values())} answers to {sum(now.values())}"
    raise Failed(f"The game did not continue: {before}")


def it_cannot_write_outside_its_folder(vm: Machine) -> str:
    """Run another program under a copy of the table's unit."""
    vm.do(f"cp /etc/systemd/system/{UNIT} /run/systemd/system/probe.service")
    _write(vm, "/run/systemd/system/probe.service.d/probe.conf", PROBE)
    vm.do("systemctl daemon-reload; systemctl start probe.service", 1800)
    said = vm.do("journalctl -u probe.service -o cat | grep -E '^(made|opened) /'").splitlines()
    found = [Path(line.partition(" ")[2]) for line in said]
    _check(Path(STATE) in found, "it can write to its own folder", said)
    outside = [path for path in found if not {str(path), *map(str, path.parents)} & {STATE, *OWN}]
    _check(not outside, "it can write nowhere else", outside)
    return f"of all folders and files, {len(found)} are writable, all of them its own"


def it_stays_off_after_exit_in_its_menu(vm: Machine) -> str:
    vm.until(STATUS, "1 can be resumed")  # the probe took the console away, so the table was restarted
    _press(vm, "esc", "up", "ret", "down", "ret")  # the menu, its last entry, yes
    vm.until(f"systemctl show -P ActiveState {UNIT}", "^inactive$", 120)
    time.sleep(10)
    now = _unit(vm)
    _check(now["ActiveState"] == "inactive" and now["Result"] == "success", "it was not started again", now)
    return f"status {now['ExecMainStatus']}"


def _sit_down(vm: Machine) -> str:
    """Wake the table and accept the first entry of each screen until a game is running."""
    _press(vm, "spc")
    for _ in range(40):
        _press(vm, "ret")
        if "A game of" in (doing := vm.do(STATUS)):
            return doing
    raise Failed(f"There is no game after forty presses: {doing}")


def _press(vm: Machine, *keys: str) -> None:
    """Press the keys in turn, with enough time for an emulated table to draw the next screen."""
    for key in keys:
        vm.press(key)
        time.sleep(PAUSE)


def _games(vm: Machine) -> dict[str, int]:
    """The number of answers in each game of the journal."""
    said = vm.do(f"python3 -c {shlex.quote(ANSWERS)}")
    return {match: int(count) for match, count in (line.split() for line in said.splitlines())}


def _unit(vm: Machine) -> dict[str, str]:
    said = vm.do(f"systemctl show {UNIT} -p {SHOWN}")
    return dict(line.split("=", 1) for line in said.splitlines())


def _write(vm: Machine, path: str, text: str) -> None:
    vm.do(f"mkdir -p $(dirname {path}); printf %s {shlex.quote(text)} >{path}")


def _check(holds: bool, what: str, found: object) -> None:
    if not holds:
        raise Failed(f"Not true: {what}. Found: {found}")


def _last_words(vm: Machine, lines: int = 60) -> str:
    try:
        said = vm.do(f"systemctl status --no-pager {UNIT}; journalctl --no-pager -n {lines}; true", 120)
    except (Failed, OSError) as why:
        said = str(why)
    return f"{vm.console.read_text(encoding='utf-8', errors='replace')[-5000:]}\n{said}"


if __name__ == "__main__":
    main()
