"""How the tests run the table as people do: the real command in a process of its own, with a home of its own.

Its one rule: what is waited for can be seen from outside (a file, a line, the end), for as long as a slow machine may
take. Whoever starts one ends it, whatever happens in between.
"""

import io
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.in_process import Output, call
from tests.terminal_session import ROOT

Found = TypeVar("Found")

COMMAND = [sys.executable, "-m", "table"]
# The same for `running`, but all that waits until the first screen has been there for a while begins at once.
AT_ONCE = (
    "import sys; from table.app import main; from table.ui.kiosk import start; start.FIRST_SCREEN = 0; sys.exit(main())"
)
PATIENCE = 60.0  # seconds: far more than anything here takes
LOOK = 0.02  # seconds between two looks
DEVICES = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "SDL_AUDIODRIVER")


def environment(home: Path, **more: str) -> dict[str, str]:
    """As it is here, but with no screen, no sound and no records other than those that are named."""
    kept = {name: value for name, value in os.environ.items() if name not in DEVICES}
    own = {"XDG_DATA_HOME": str(home), "HOME": str(home), "LOCALAPPDATA": str(home), "PYTHONIOENCODING": "utf-8"}
    own["DICETABLE_CONFIG"] = str(ROOT / "tests" / "quiet.toml")
    return {**kept, **own, "SDL_AUDIODRIVER": "dummy", **more}


def unseen(home: Path) -> dict[str, str]:
    """With a screen that nobody sees."""
    return environment(home, SDL_VIDEODRIVER="dummy")


def nowhere(home: Path) -> dict[str, str]:
    """Without a screen, whatever this machine has."""
    return environment(home, SDL_VIDEODRIVER="nothing")


def records(home: Path) -> Path:
    """The folder in which a table with that home keeps its games."""
    return home / ("Library/Application Support" if sys.platform == "darwin" else "") / "dicetable"


@contextmanager
def running(*arguments: str, env: dict[str, str], code: str = "") -> Iterator["subprocess.Popen[str]"]:
    """The command, or `code` that prepares something and then calls it."""
    command = [sys.executable, "-c", code] if code else COMMAND
    with subprocess.Popen(
        [*command, *arguments],
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()


def typed(
    *arguments: str, env: dict[str, str], stdin: str | bytes = "", folder: Path = ROOT
) -> "subprocess.CompletedProcess[str]":
    """The same command to its end, within this process, for tests of what it says: starting one takes half a second."""
    encoding = env.get("PYTHONIOENCODING", "utf-8")
    given = io.TextIOWrapper(io.BytesIO(stdin if isinstance(stdin, bytes) else stdin.encode(encoding)), encoding)
    out, errors = Output(encoding), Output(encoding)
    status = call(arguments, env, given, out, errors, folder)
    return subprocess.CompletedProcess([*arguments], status, out.text, errors.text)


def run(*arguments: str, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """The command to its end."""
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )


@contextmanager
def x_server(folder: Path, size: str) -> Iterator[str]:
    """A screen of that size that nobody sees, as DISPLAY names it; its pixels are in a file of the folder."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed (Debian: xvfb)")
    theirs, ours = os.pipe()[::-1]
    command = ["Xvfb", "-displayfd", str(theirs), "-screen", "0", f"{size}x24", "-fbdir", str(folder)]
    with subprocess.Popen(
        [*command, "-nolisten", "tcp", "-noreset"],
        pass_fds=[theirs],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            os.close(theirs)
            with os.fdopen(ours) as said:
                display = said.readline().strip()
            assert display, "Xvfb did not start"
            yield f":{display}"
        finally:
            server.kill()


class Port:
    """A number on loopback that nobody else is given until it is closed. On Linux a socket stays bound to it, without
    listening: a server that sets SO_REUSEADDR, as most do, may listen there, as often as it likes."""

    def __init__(self) -> None:
        self._held = socket.socket()
        self._held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._held.bind(("127.0.0.1", 0))
        self.number = int(self._held.getsockname()[1])
        if sys.platform != "linux":
            self.close()  # elsewhere nobody could listen there

    def close(self) -> None:
        self._held.close()


def until(what: str, look: Callable[[], Found | None], process: "subprocess.Popen[str] | None" = None) -> Found:
    """What is there to be seen at last."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < end, f"in vain: {what}"
        if process is not None and process.poll() is not None:
            raise AssertionError(f"it ended before {what}: {process.communicate()}")
        time.sleep(LOOK)
    return found


def up(home: Path, process: "subprocess.Popen[str]", name: str = "table.db") -> None:
    """The first screen is there: the journal is opened after it."""
    until("the table was there", (records(home) / name).exists, process)


def asked(home: Path, question: str) -> list[tuple[Any, ...]]:
    """What the journal answers to a line of SQL while the table runs; nothing if it is not there, or not yet ours."""
    path = records(home) / "table.db"
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=5)) as file:
            return file.execute(question).fetchall()
    except sqlite3.Error:
        return []
