"""`.ci/venv`, which creates the virtual environments. If it runs twice at once in a clone, the runs take turns."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="make and sh are for Linux and macOS")

SCRIPT = Path(__file__).parent.parent / ".ci" / "venv"

# A fake interpreter that creates environments instantly and logs each installation.
PYTHON = f"""#!/bin/sh
case "$*" in
"-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
*" -m pip install "* | "-m pip install "*) echo installed >>"$(dirname "$0")/../../installed" ;;
*) exec {sys.executable} "$@" ;;
esac
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").write_text(PYTHON)
    (tmp_path / "bin" / "python").chmod(0o755)
    (tmp_path / "pyproject.toml").touch()
    return tmp_path


def start(clone: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        ["sh", SCRIPT, ".venv", "test", "something"],
        cwd=clone,
        env={"PATH": f"{clone / 'bin'}:/usr/bin:/bin", "PYTHON": str(clone / "bin" / "python")},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_of_two_concurrent_commands_one_installs_and_the_other_waits(clone):
    import fcntl

    with (clone / ".venv.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # as if a third command were installing
        both = [start(clone) for _ in range(2)]
        waiting = [process.stdout.readline() for process in both]
    assert all(line.startswith("Another command is installing") for line in waiting)
    outputs = [process.communicate(timeout=60)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(line.startswith("Installing into .venv") for line in outputs) == [False, True]
    assert (clone / "installed").read_text() == "installed\n"


def install(clone: Path) -> None:
    process = start(clone)
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_an_incomplete_environment_is_rebuilt(clone):
    install(clone)
    (clone / ".venv" / ".whole").unlink()
    (clone / ".venv" / "left half done").touch()
    install(clone)
    assert not (clone / ".venv" / "left half done").exists()
    assert (clone / "installed").read_text() == "installed\n" * 2
