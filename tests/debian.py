"""A Debian of its own for an emulated machine: the programs that make and run one, its files, and wheels that fit it.

Its one rule: it is made once. What lies in the folder for caches is whole or not there at all, and nothing else of this
machine is changed but for Debian packages that are missing, and those only by root.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from table.machine.install.layout import RELEASES

CLONE = Path(__file__).resolve().parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dicetable"
SUITES = {"bookworm": ("12", "3.11", 36), "trixie": ("13", "3.13", 41)}
"""Those that Raspberry Pi OS is made of: Debian's number, its Python, and its C library (the 36 of 2.36)."""


def begin() -> None:
    """Whoever ends this ends all that it started; and programs of the system are found by users who are not root."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.environ["PATH"] += os.pathsep + "/usr/sbin"


def say(line: str) -> None:
    print(f"--- {line}", flush=True)


def need(programs: Mapping[str, str]) -> None:
    """Programs, each with the Debian package that has it."""
    missing = sorted({package for program, package in programs.items() if not shutil.which(program)})
    if not missing:
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit(f"This needs the Debian packages {', '.join(missing)}: install them, and run the same command again.")
    say(f"Installing {', '.join(missing)}")
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300"]
    run(600, [*apt, "update"])
    run(900, [*apt, "install", "--yes", "--no-install-recommends", *missing])


def run(seconds: float, command: Sequence[str], env: Mapping[str, str] | None = None) -> None:
    """A command that has to end well within that time, and ends with this process."""
    with subprocess.Popen(command, env=env, start_new_session=True) as process:
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            sys.exit(f"This did not end within {seconds:.0f} seconds: {' '.join(command)}")
        finally:
            end(process)
    if status:
        sys.exit(f"This ended with status {status}, see above: {' '.join(command)}")


def end(process: "subprocess.Popen[bytes]") -> None:
    """A process with a session of its own, and all in it."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, how)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                continue


def kept(name: str, what: str, make: Callable[[Path], None]) -> Path:
    """The file or folder of that name among the caches; what is not there is made first."""
    path = CACHE / name
    if not path.exists():
        say(f"Making {path}: {what}")
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="begun.", dir=CACHE) as folder:
            make(Path(folder) / "made")
            (Path(folder) / "made").rename(path)
    return path


def requirements(suite: str, *tools: str) -> list[str]:
    """What an installed table has there, and those of its test tools that are named."""
    project = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = (one for one in project["optional-dependencies"]["test"] if one.partition(">")[0] in tools)
    return [*project["dependencies"], *RELEASES[SUITES[suite][0]][1], *named]


def fitting(suite: str, machine: str) -> list[str]:
    """What pip has to be told to take wheels for another machine than this one."""
    _, python, library = SUITES[suite]
    platforms = [f"manylinux_2_{minor}_{machine}" for minor in range(library, 16, -1)] + [f"manylinux2014_{machine}"]
    return ["--only-binary=:all:", f"--python-version={python}", *(f"--platform={one}" for one in platforms)]


def pip(*arguments: str) -> None:
    run(1200, [sys.executable, "-m", "pip", "-qq", "--no-input", "--disable-pip-version-check", *arguments])
