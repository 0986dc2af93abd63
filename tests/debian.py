"""Build a Debian system for an emulated machine: its files, its wheels, and the programs needed to build it.

Everything is built once and cached; a cache entry is either complete or missing. Nothing else on this machine changes,
except that missing Debian packages are installed if this runs as root.
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
"""The Debian releases behind Raspberry Pi OS: version, Python, and minor version of the C library (36 for 2.36)."""


def begin() -> None:
    """On SIGTERM, exit cleanly, so that child processes end too. Add /usr/sbin to PATH, since a user's PATH may lack
    it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.environ["PATH"] += os.pathsep + "/usr/sbin"


def say(line: str) -> None:
    print(f"--- {line}", flush=True)


def need(programs: Mapping[str, str]) -> None:
    """Check that these programs exist; `programs` maps each to its Debian package. As root, install what is missing."""
    missing = sorted({package for program, package in programs.items() if not shutil.which(program)})
    if not missing:
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit(f"The Debian packages {', '.join(missing)} are missing. Install them, then try again.")
    say(f"Installing {', '.join(missing)}")
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300"]
    run(600, [*apt, "update"])
    run(900, [*apt, "install", "--yes", "--no-install-recommends", *missing])


def run(seconds: float, command: Sequence[str], env: Mapping[str, str] | None = None) -> None:
    """Run a command that must succeed within this time. If this process ends, so does the command."""
    with subprocess.Popen(command, env=env, start_new_session=True) as process:
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            sys.exit(f"Timed out after {seconds:.0f} seconds: {' '.join(command)}")
        finally:
            end(process)
    if status:
        sys.exit(f"Failed with status {status}, see above: {' '.join(command)}")


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a process and everything else in its session."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, how)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                continue


def kept(name: str, what: str, make: Callable[[Path], None]) -> Path:
    """Return a cached file or folder, making it first if it does not exist."""
    path = CACHE / name
    if not path.exists():
        say(f"Making {path}: {what}")
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="begun.", dir=CACHE) as folder:
            make(Path(folder) / "made")
            (Path(folder) / "made").rename(path)
    return path


def requirements(suite: str, *tools: str) -> list[str]:
    """The requirements of a table installed on this release, and of the given test tools."""
    project = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = (one for one in project["optional-dependencies"]["test"] if one.partition(">")[0] in tools)
    return [*project["dependencies"], *RELEASES[SUITES[suite][0]][1], *named]


def fitting(suite: str, machine: str) -> list[str]:
    """The pip options that select wheels for another machine."""
    _, python, library = SUITES[suite]
    platforms = [f"manylinux_2_{minor}_{machine}" for minor in range(library, 16, -1)] + [f"manylinux2014_{machine}"]
    return ["--only-binary=:all:", f"--python-version={python}", *(f"--platform={one}" for one in platforms)]


def pip(*arguments: str) -> None:
    run(1200, [sys.executable, "-m", "pip", "-qq", "--no-input", "--disable-pip-version-check", *arguments])
