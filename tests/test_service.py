"""The table as a systemd service: its notifications on a real socket, from a real process."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from table.machine.service import Service
from table.ui.kiosk.loop import ASLEEP, LONGEST
from table.ui.kiosk.loop import run as run_loop
from tests.processes import PATIENCE, nowhere, run, running, unseen
from tests.scripted_clock import TimedMailbox
from tests.tabletop import Tabletop
from tests.terminal_session import ROOT

pytestmark = [
    pytest.mark.ground,
    pytest.mark.skipif(sys.platform != "linux", reason="systemd is Linux"),
]

WATCHED = 0.2  # the watchdog's interval in seconds; in this time the table should report twice
# The real table, except that SIGUSR1 makes its main loop hang while its threads continue. The signal
# handler sends HANGS=1 at once. It sends HANGS=2 when the table would have sent ten more watchdog reports.
HANGS = """
import os, signal, socket, sys, time
from table.app import main

def hang(*_):
    to = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    to.connect(os.environ["NOTIFY_SOCKET"].replace("@", "\\0", 1))
    to.send(b"HANGS=1")
    time.sleep(10 * int(os.environ["WATCHDOG_USEC"]) / 2e6)
    to.send(b"HANGS=2")
    time.sleep(600)

signal.signal(signal.SIGUSR1, hang)
sys.exit(main(sys.argv[1:]))
"""


class Manager:
    """Stands in for systemd and owns the notification socket."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)

    def close(self) -> None:
        self._socket.close()

    def env(self, home: Path, **more: str) -> dict[str, str]:
        own = {"NOTIFY_SOCKET": self.address, "WATCHDOG_USEC": str(int(WATCHED * 1e6)), **more}
        return {**unseen(home), **own}

    def heard(self) -> list[str]:
        """All notifications not read yet."""
        sent: list[str] = []
        self._socket.setblocking(False)
        while True:
            try:
                sent.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return sent

    def until(self, line: str) -> list[str]:
        """Wait for this notification; return everything up to it."""
        sent: list[str] = []
        self._socket.settimeout(PATIENCE)
        while line not in sent:
            sent.append(self._socket.recv(4096).decode())
        return sent


@pytest.fixture
def manager(tmp_path) -> Iterator[Manager]:
    made = Manager(str(tmp_path / "notify"))
    yield made
    made.close()


@pytest.fixture
def nameless() -> Iterator[Manager]:
    """A manager with an abstract socket, which has no file."""
    made = Manager(f"@dicetable-test-{os.getpid()}")
    yield made
    made.close()


@contextmanager
def hanging(env: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", HANGS, "table", "--window", "800x480", "--service", "--simulate"]
    with subprocess.Popen(command, cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_table_reports_ready_alive_and_stopping_to_systemd(manager, tmp_path):
    with running("--window", "800x480", "--service", "--simulate", env=manager.env(tmp_path)) as process:
        assert manager.until("READY=1") == ["READY=1"]
        sent = [*manager.until("WATCHDOG=1"), *manager.until("WATCHDOG=1")]
        assert set(sent) == {"WATCHDOG=1", "STATUS=No game is in progress."}
        process.send_signal(signal.SIGTERM)
        assert manager.until("STOPPING=1")[-1] == "STOPPING=1"
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, ""), "systemd may start it again"


def test_an_idle_loop_reports_twice_per_watchdog_interval_and_not_more_often(manager):
    with Tabletop() as table:
        mailbox, begun = TimedMailbox(table), table.now
        service = Service({"NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "1000000"})
        sent: list[tuple[float, str]] = []

        def ended() -> bool:
            sent.extend((table.now - begun, line) for line in manager.heard())
            return table.now > begun + 10

        run_loop(table.kiosk, mailbox, mailbox.clock, ended, service)
    times = [at for at, line in sent if line == "WATCHDOG=1"]
    assert 20 <= len(times) <= 21 and max(later - sooner for sooner, later in pairwise(times)) < 1
    assert [line for _, line in sent if line != "WATCHDOG=1"] == ["STATUS=No game is in progress."]


def test_an_idle_loop_ends_promptly():
    with Tabletop() as table:
        mailbox, told = TimedMailbox(table), table.now + 0.05
        assert table.kiosk.due(table.now) == table.now + LONGEST
        run_loop(table.kiosk, mailbox, mailbox.clock, lambda: table.now >= told, Service({}))
        assert table.now <= told + ASLEEP


def test_a_hanging_loop_stops_reporting_and_its_traceback_is_printed(nameless, tmp_path):
    with hanging(nameless.env(tmp_path, PYTHONFAULTHANDLER="1")) as process:
        nameless.until("WATCHDOG=1")
        process.send_signal(signal.SIGUSR1)
        nameless.until("HANGS=1")
        assert nameless.until("HANGS=2") == ["HANGS=2"]
        process.send_signal(signal.SIGABRT)  # as systemd does when the watchdog expires
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGABRT
    assert "loop.py" in errors and " in run" in errors


def test_without_a_screen_a_table_never_reports_ready_and_ends_with_one_sentence(manager, tmp_path):
    done = run("--service", env={**nowhere(tmp_path), "NOTIFY_SOCKET": manager.address})
    assert manager.heard() == []
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("dicetable: There is no screen (") and done.stderr.count("\n") == 1


def test_the_table_continues_if_the_socket_is_gone(tmp_path):
    told = Service({"NOTIFY_SOCKET": str(tmp_path / "gone"), "WATCHDOG_USEC": "1000000"})
    told.ready()
    told.alive(1.0)
    told.doing("No game is in progress.")
    told.stopping()


@pytest.mark.timeout(PATIENCE)
def test_a_manager_that_does_not_read_does_not_block_the_table(manager):
    told = Service({"NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "2000000"})
    for second in range(2000):  # more than the socket's queue holds
        told.alive(float(second))
    held = manager.heard()
    assert held and len(held) < 2000
    told.alive(2000.0)
    assert manager.heard() == ["WATCHDOG=1"], "it reports again as soon as there is room"


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({}, []),
        ({"WATCHDOG_USEC": "0x10"}, []),
        ({"WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "1"}, []),  # another process's watchdog
        ({"WATCHDOG_USEC": "2000000"}, ["WATCHDOG=1"] * 4),
        ({"WATCHDOG_USEC": "2000000", "WATCHDOG_PID": str(os.getpid())}, ["WATCHDOG=1"] * 4),
    ],
)
def test_a_table_reports_at_half_the_watchdog_interval_if_there_is_a_watchdog(given, sent, manager):
    told = Service({"NOTIFY_SOCKET": manager.address, **given})
    for tenth in range(31):
        told.alive(100 + tenth / 10)
    assert manager.heard() == sent
