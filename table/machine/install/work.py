"""Carries out the steps: files, links, virtual environments, and system programs.

Its one rule: files in use are replaced atomically, and every failure is reported in a sentence.
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

SECONDS = 240.0  # timeout for system programs; systemd gives up starting our unit after a little over three minutes
HOUR = 3600.0  # timeout for downloads, which can use a slow connection


class Failed(Closed):
    """A step failed. The message is a sentence that says why."""


@contextmanager
def alone(layout: Layout) -> Iterator[None]:
    """Holds a lock, so that no other install can run at the same time."""
    import fcntl

    with open(layout.lock, "w") as file:
        os.set_inheritable(file.fileno(), True)  # `make` passes the lock on to pip
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(
                "Another installation is running on this machine: run this again when it has finished."
            ) from None
        yield


def note(layout: Layout, build: str, sure: bool) -> None:
    """Records the build that was last seen running. `sure` is false if a change has been started since then."""
    replace(layout.good, f"{build}{'' if sure else ' changing'}\n".encode())


def packages(missing: Sequence[str]) -> None:
    apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"]
    install = [*apt, "install", "--yes", "--no-install-recommends", *missing]
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        _run(install, HOUR, env=quiet)
    except Failed:  # the package lists might be outdated or missing
        try:
            _run([*apt, "update"], HOUR, env=quiet)
            _run(install, HOUR, env=quiet)
        except Failed as why:
            raise Failed(f"{why} Check the network, then run the same command again.") from None


def make(layout: Layout, build: str, given: str, fitting: Sequence[str]) -> None:
    """Creates a virtual environment that can import Debian's packages, because lgpio is one of them. All other
    requirements are installed into the environment, even those that Debian has, so that Debian's updates do not affect
    the table."""
    folder = layout.builds / build
    remove(folder)
    try:
        # The child processes inherit the lock: if only this process is killed, pip can keep writing for a while.
        _run([str(layout.python), "-I", "-m", "venv", "--system-site-packages", str(folder)], HOUR, keep_lock=True)
        constraints = folder / "constraints.txt"
        constraints.write_text("".join(f"{one}\n" for one in fitting), encoding="utf-8")
        pip = [str(folder / "bin/python"), "-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
        pip += ["--quiet", "--no-cache-dir", "--ignore-installed", "--only-binary", ":all:"]
        pip += ["--constraint", str(constraints), given]
        _run(pip, HOUR, env={**os.environ, "PIP_USER": "0"}, keep_lock=True)
        # PYTHONPATH is removed, because it could make the new build run this code instead of its own.
        own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        _run([str(folder / "bin/dicetable"), "--version"], env=own)
        os.sync()  # after a power cut, the marker file must not exist without the other files
        python = _run([str(folder / "bin/python"), "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"])
        replace(layout.whole(build), python.encode())
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def put(layout: Layout, build: str, name: str) -> None:
    """Installs the build's version of a system file, or removes the file if the build does not have it."""
    brought = layout.brought(build, name)
    if brought.is_file():
        replace(layout.system_file(name), brought.read_bytes())
    else:
        remove(layout.system_file(name))


def replace(path: Path, data: bytes) -> None:
    _beside(path, data).replace(path)


def write_new(path: Path, data: bytes) -> None:
    """Writes a file, unless one has appeared in the meantime."""
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
    command("systemd-sysusers")  # must come first, because the udev rules refer to the group that this creates
    forget()
    command("udevadm", "trigger", "--action=change", "--subsystem-match=tty")  # for e-dice that are already plugged in


def forget() -> None:
    command("udevadm", "control", "--reload")
    command("systemctl", "daemon-reload")


def start(patience: float) -> None:
    """Restarts the table. The table must report that it is ready, and still be the same process `patience` seconds
    later."""
    with suppress(Failed):
        command("systemctl", "reset-failed", UNIT)  # clear the start limit, if the previous version kept crashing
    try:
        command("systemctl", "restart", UNIT)
    except Failed:
        raise Failed("The table did not start: see journalctl -u dicetable.") from None
    process, end = _process(), time.monotonic() + patience
    while (left := end - time.monotonic()) > 0 and process == _process():
        time.sleep(min(left, 1.0))
    if _process() != process or "ActiveState=active" not in process.split():
        raise Failed("The table started, but stopped again: see journalctl -u dicetable.")


def _process() -> str:
    """The process id and state of the table's unit. The id changes whenever the table restarts."""
    return _run(["systemctl", "show", "--property=ActiveState,MainPID", UNIT])


def command(*words: str) -> None:
    _run(words)


def _run(
    words: Sequence[str], seconds: float = SECONDS, env: Mapping[str, str] | None = None, keep_lock: bool = False
) -> str:
    try:
        done = run(words, seconds, env, close_fds=not keep_lock)  # the lock is our only inheritable file
    except FileNotFoundError:
        raise Failed(f"{words[0]} is not installed.") from None
    except subprocess.TimeoutExpired:
        raise Failed(f"{words[0]} did not end within {seconds:.0f} seconds.") from None
    if done.returncode:
        said = [line.strip() for line in f"{done.stdout}\n{done.stderr}".splitlines() if line.strip()]
        why = said[-1].removeprefix("ERROR: ").removeprefix("E: ").rstrip(".") if said else f"status {done.returncode}"
        raise Failed(f"{'pip' if 'pip' in words else Path(words[0]).name} says: {why}.")
    return done.stdout


def _beside(path: Path, data: bytes) -> Path:
    """Writes and syncs the data to a temporary file in the same folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = _new(path)
    with open(new, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    new.chmod(0o644)
    return new


def _new(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")  # udev, polkit and systemd ignore hidden files
