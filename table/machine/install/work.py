"""How each step is done: files, links, a virtual environment, and the system's own programs.

Its one rule: what is in use is replaced in one move, whole or not at all, and whatever fails says so in a sentence.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from table.engine.errors import Closed, Refused
from table.machine.commands import run
from table.machine.install.layout import UNIT, Layout

SECONDS = 240.0  # for a program of the system; our unit is given up by systemd after three minutes and a few seconds
HOUR = 3600.0  # for what fetches packages, on a slow line


class Failed(Closed):
    """A step was not possible. The message is a sentence that says why."""


@contextmanager
def alone(layout: Layout) -> Iterator[None]:
    """Nobody else installs meanwhile."""
    import fcntl

    with open(layout.lock, "w") as file:
        os.set_inheritable(file.fileno(), True)  # see make
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused("Another install is at work on this machine: run this again when it has ended.") from None
        yield


def note(layout: Layout, build: str, sure: bool) -> None:
    """Which build was last seen running, and whether nothing was touched since."""
    replace(layout.good, f"{build}{'' if sure else ' changing'}\n".encode())


def packages(missing: Sequence[str]) -> None:
    apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"]
    install = [*apt, "install", "--yes", "--no-install-recommends", *missing]
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        _run(install, HOUR, env=quiet)
    except Failed:  # what apt knows of may be old, or nothing yet
        try:
            _run([*apt, "update"], HOUR, env=quiet)
            _run(install, HOUR, env=quiet)
        except Failed as why:
            raise Failed(f"{why} Check the network, then run the same command again.") from None


def make(layout: Layout, build: str, given: str, fitting: Sequence[str]) -> None:
    """A virtual environment that shows through to Debian's packages, for lgpio; all else is put into it, even what
    Debian has as well, so that nothing of Debian's can change under the table."""
    folder = layout.builds / build
    remove(folder)
    try:
        # They hold the lock too: should only this process be killed, pip goes on in that folder for a while.
        _run([str(layout.python), "-I", "-m", "venv", "--system-site-packages", str(folder)], HOUR, keep_lock=True)
        constraints = folder / "constraints.txt"
        constraints.write_text("".join(f"{one}\n" for one in fitting), encoding="utf-8")
        pip = [str(folder / "bin/python"), "-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
        pip += ["--quiet", "--no-cache-dir", "--ignore-installed", "--only-binary", ":all:"]
        pip += ["--constraint", str(constraints), given]
        _run(pip, HOUR, env={**os.environ, "PIP_USER": "0"}, keep_lock=True)
        own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # not what this runs from
        _run([str(folder / "bin/dicetable"), "--version"], env=own)
        os.sync()  # a power cut must not leave the mark without what it stands for
        python = _run([str(folder / "bin/python"), "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"])
        replace(layout.whole(build), python.encode())
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def put(layout: Layout, build: str, name: str) -> None:
    """A system file as a build has it, even if that is not at all."""
    brought = layout.brought(build, name)
    if brought.is_file():
        replace(layout.system_file(name), brought.read_bytes())
    else:
        remove(layout.system_file(name))


def replace(path: Path, data: bytes) -> None:
    _beside(path, data).replace(path)


def write_new(path: Path, data: bytes) -> None:
    """A file that somebody wrote meanwhile stays."""
    new = _beside(path, data)
    with suppress(FileExistsError):
        path.hardlink_to(new)
    new.unlink()


def link(path: Path, to: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = _new(path)
    new.unlink(missing_ok=True)
    new.symlink_to(to)
    new.replace(path)


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def read_anew() -> None:
    command("systemd-sysusers")  # first: the rules name its group
    forget()
    command("udevadm", "trigger", "--action=change", "--subsystem-match=tty")  # electronic dice may be plugged in


def forget() -> None:
    command("udevadm", "control", "--reload")
    command("systemctl", "daemon-reload")


def start(patience: float) -> None:
    """Up means ready, as the table itself says to systemd, and still the same process so many seconds later."""
    with suppress(Failed):
        command("systemctl", "reset-failed", UNIT)  # a version that crashed all the time must not bar the next one
    try:
        command("systemctl", "restart", UNIT)
    except Failed:
        raise Failed("The table did not start: journalctl -u dicetable says why.") from None
    process, end = _process(), time.monotonic() + patience
    while (left := end - time.monotonic()) > 0 and process == _process():
        time.sleep(min(left, 1.0))
    if _process() != process or "ActiveState=active" not in process.split():
        raise Failed("The table started and ended again: journalctl -u dicetable says why.")


def _process() -> str:
    """Which one runs, and how it is: one that ended and was started again is another one."""
    return _run(["systemctl", "show", "--property=ActiveState,MainPID", UNIT])


def command(*words: str) -> None:
    _run(words)


def _run(
    words: Sequence[str], seconds: float = SECONDS, env: Mapping[str, str] | None = None, keep_lock: bool = False
) -> str:
    try:
        done = run(words, seconds, env, close_fds=not keep_lock)  # nothing else of ours is inherited
    except FileNotFoundError:
        raise Failed(f"{words[0]} is not on this machine.") from None
    except subprocess.TimeoutExpired:
        raise Failed(f"{words[0]} did not end within {seconds:.0f} seconds.") from None
    if done.returncode:
        said = [line.strip() for line in f"{done.stdout}\n{done.stderr}".splitlines() if line.strip()]
        why = said[-1].removeprefix("ERROR: ").removeprefix("E: ").rstrip(".") if said else f"status {done.returncode}"
        raise Failed(f"{'pip' if 'pip' in words else Path(words[0]).name} says: {why}.")
    return done.stdout


def _beside(path: Path, data: bytes) -> Path:
    """The data on the disk, under another name in the same folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = _new(path)
    with open(new, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    new.chmod(0o644)
    return new


def _new(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")  # neither udev, polkit nor systemd reads names that begin with a dot
