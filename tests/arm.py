"""`make arm-check`: test the table's packages, rules and dice reader on arm64, emulated by qemu.

The Python is Debian's arm64 build, the packages are the wheels that a Pi would get, and the tests are the usual ones.
Programs run under qemu-aarch64 and proot, which needs neither root nor kernel settings. Emulation is slow, so this runs
only the tests that could fail on another processor.
"""

import argparse
import hashlib
import os
import re
import time
from pathlib import Path

from tests import debian

PROGRAMS = {"mmdebstrap": "mmdebstrap", "proot": "proot", "qemu-aarch64-static": "qemu-user-static"}
# gpiozero's pin driver. On a Pi it comes from Debian; it has no wheels for newer versions of Python.
PINS = {"bookworm": ("lgpio>=0.2",), "trixie": ()}

RULES = ("bluff", "cacho", "cheese", "mexico", "pocoloco", "golden", "laws", "odds", "keep_strip")
VISION = ("ground", "scoring", "networks", "patterns", "markers")
SHELL = "tests/test_markers.py::test_a_full_disk_leaves_no_partial_files"  # a test that needs sh
READING = ("tests/test_read.py::test_most_kept_pictures_are_read_and_none_wrongly",)

IMPORTS = """
import importlib, platform, sys
from importlib.metadata import packages_distributions, version

assert platform.machine() == "aarch64", platform.machine()
print("Python", platform.python_version(), "on", platform.machine())
owners = packages_distributions()
for name in sys.argv[1:]:
    modules = [one for one, of in owners.items() if name in map(str.lower, of) and one.isidentifier() and one[0] != "_"]
    assert modules, f"{name} contains no module to import"
    for module in modules:
        importlib.import_module(module)
    print(" ", name, version(name), "as", *modules, flush=True)
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arm", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "suite", nargs="?", choices=debian.SUITES, default="trixie", help="which Debian release (default: trixie)"
    )
    suite = parser.parse_args().suite
    debian.begin()
    debian.need(PROGRAMS)
    root = debian.kept(f"arm64-{suite}", f"Python of Debian {suite} for arm64", lambda made: _root(suite, made))
    wanted = [*debian.requirements(suite, "pytest", "pytest-timeout", "hypothesis"), *PINS[suite]]
    digest = hashlib.sha256("\n".join(wanted).encode()).hexdigest()[:8]
    wheels = debian.kept(
        f"arm64-{suite}-wheels-{digest}",
        "the packages from wheels for arm64",
        lambda made: debian.pip(
            "install", "--no-compile", "--target", str(made), *debian.fitting(suite, "aarch64"), *wanted
        ),
    )
    names = dict.fromkeys(re.split("[<>=]", one)[0] for one in wanted)
    debian.say("Importing every package")
    _emulated(600, root, wheels, "-c", IMPORTS, *names)
    for what, seconds, tests in (
        ("rules", 3600, [f"tests/test_{name}.py" for name in RULES]),
        (
            "vision, including calibration",
            3600,
            [f"--deselect={SHELL}", *(f"tests/test_{name}.py" for name in VISION)],
        ),
        ("reading 24 kept pictures", 7200, READING),
    ):
        debian.say(f"Tests: {what}")
        begun = time.monotonic()
        # Individual tests have no timeout, since emulation is slow, but the whole run has one.
        told = ("-v", "-p", "no:cacheprovider", "--timeout=0", "--durations=3")
        _emulated(seconds, root, wheels, "-m", "pytest", *told, *tests)
        debian.say(f"Tests: {what}: passed in {(time.monotonic() - begun) / 60:.1f} minutes")


def _root(suite: str, made: Path) -> None:
    """Unpack the packages without running any of their scripts."""
    packages = "--include=python3,libstdc++6"
    debian.run(1200, ["mmdebstrap", "--quiet", "--arch=arm64", "--variant=extract", packages, suite, str(made)])
    if not (made / "lib").exists():  # on Trixie, base-files makes this link, but that package is not installed here
        (made / "lib").symlink_to("usr/lib")


def _emulated(seconds: float, root: Path, wheels: Path, *arguments: str) -> None:
    """Run Debian's arm64 Python on this clone. The emulated processor is a Pi 4's, because qemu's default processor
    signs pointers, and emulating that takes most of the time."""
    seen = [f"--bind={path}" for path in ("/proc", "/dev", "/tmp", debian.CLONE, debian.CACHE)]
    proot = ["proot", "-q", "qemu-aarch64-static", "-r", str(root), *seen, "-w", str(debian.CLONE)]
    env = {
        **os.environ,
        "QEMU_CPU": "cortex-a72",
        "PATH": "/usr/bin:" + os.environ["PATH"],
        "PYTHONPATH": f"{debian.CLONE}:{wheels}",
        "PYTHONPYCACHEPREFIX": f"{root}/pycache",
        "DICETABLE_REQUIRE_ALL": "1",
    }
    debian.run(seconds, [*proot, "/usr/bin/python3", *arguments], env)


if __name__ == "__main__":
    main()
