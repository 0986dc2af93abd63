"""Run the real command in a child process with its own home folder.

Tests wait only for things visible from outside, such as a file, a line or the end of the process. The time limits are
generous, for slow machines. Every started process is ended, whatever happens.
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
# Code for `running` that immediately starts everything that is normally delayed until after the first screen.
AT_ONCE = (
    "import sys; from table.app import main; from table.ui.kiosk import start; start.FIRST_SCREEN = 0; sys.exit(main())"
)
PATIENCE = 60.0  # seconds to wait for anything
LOOK = 0.02  # seconds between two checks
DEVICES = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "SDL_AUDIODRIVER")


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of this process without its screen, sound and records, and with the given variables."""
    kept = {name: value for name, value in os.environ.items() if name not in DEVICES}
    own = {"XDG_DATA_HOME": str(home), "HOME": str(home), "LOCALAPPDATA": str(home), "PYTHONIOENCODING": "utf-8"}
    own["DICETABLE_CONFIG"] = str(ROOT / "tests" / "quiet.toml")
    return {**kept, **own, "SDL_AUDIODRIVER": "dummy", **more}


def unseen(home: Path) -> dict[str, str]:
    """An environment with an invisible screen."""
    return environment(home, SDL_VIDEODRIVER="dummy")


def nowhere(home: Path) -> dict[str, str]:
    """An environment without a screen."""
    return environment(home, SDL_VIDEODRIVER="nothing")


def records(home: Path) -> Path:
    """The folder in which a table with this home saves its games."""
    return home / ("Library/Application Support" if sys.platform == "darwin" else "") / "dicetable"


@contextmanager
def running(*arguments: str, env: dict[str, str], code: str = "") -> Iterator["subprocess.Popen[str]"]:
    """Run the command. If `code` is given, run that instead: it prepares something, then calls the command."""
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
    """Run the command to completion in this process, to save the half second that starting a child process takes."""
    encoding = env.get("PYTHONIOENCODING", "utf-8")
    given = io.TextIOWrapper(io.BytesIO(stdin if isinstance(stdin, bytes) else stdin.encode(encoding)), encoding)
    out, errors = Output(encoding), Output(encoding)
    status = call(arguments, env, given, out, errors, folder)
    return subprocess.CompletedProcess([*arguments], status, out.text, errors.text)


def run(*arguments: str, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run the command to completion in a child process."""
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
    """Start a virtual X server of this size; yield its DISPLAY. A file in the folder contains the screen's pixels."""
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
    """A reserved port number on loopback. On Linux, a socket stays bound to it without listening, so that no other
    program gets it. A server that sets SO_REUSEADDR, as most do, can still listen there."""

    def __init__(self) -> None:
        self._held = socket.socket()
        self._held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._held.bind(("127.0.0.1", 0))
        self.number = int(self._held.getsockname()[1])
        if sys.platform != "linux":
            self.close()  # on other systems, a bound socket would keep the server from listening

    def close(self) -> None:
        self._held.close()


def until(what: str, look: Callable[[], Found | None], process: "subprocess.Popen[str] | None" = None) -> Found:
    """Wait until `look` returns something true, and return it."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < end, f"timed out waiting for: {what}"
        if process is not None and process.poll() is not None:
            raise AssertionError(f"the process ended while waiting for: {what}; {process.communicate()}")
        time.sleep(LOOK)
    return found


def up(home: Path, process: "subprocess.Popen[str]", name: str = "table.db") -> None:
    """Wait until the table has opened its journal, which it does after showing the first screen."""
    until("the journal was opened", (records(home) / name).exists, process)


def asked(home: Path, question: str) -> list[tuple[Any, ...]]:
    """Query the journal while the table runs. Returns [] if the journal does not exist or has no tables yet."""
    path = records(home) / "table.db"
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=5)) as file:
            return file.execute(question).fetchall()
    except sqlite3.Error:
        return []
