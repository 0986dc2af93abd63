"""The driver's threads with real pyserial on ptys, and the pretend e-dice. Decisions are tested in test_boards.py."""

import errno
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import closing, suppress
from types import SimpleNamespace

import pytest

from firmware.die import FIRM, Die
from table.devices import edice as driver
from table.devices import link, pretend
from table.devices.edice import EDice
from table.engine.asks import Roll
from table.engine.errors import Refused
from table.session.messages import DeviceLost, SourcePaired, SourcePressed, SourceState
from tests.edice import PATIENCE, Cable, Firmware, Listener, Scripted

pytestmark = pytest.mark.ground
serial = pytest.importorskip("serial", reason="pyserial is not installed: make test installs it")


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Lengthens the timeout for silent boards, so that slow test machines do not run into it."""
    monkeypatch.setattr(link, "PATIENCE", 2 * PATIENCE)


@pytest.fixture
def heard():
    return Listener()


@pytest.fixture
def plug(tmp_path):
    """Plugs in devices, and unplugs them after the test."""
    cables = []

    def plug(name="edice", device=None):
        cables.append(Cable(tmp_path / name, device or Firmware()))
        return cables[-1]

    yield plug
    for cable in cables:
        cable.pull()


@pytest.fixture
def edice(heard):
    """Returns a function that makes a driver. The driver uses the cables that are passed to the function; without any,
    it searches for boards."""
    made = []

    def edice(*cables):
        made.append(EDice(heard, ",".join(cable.port for cable in cables)))
        return made[-1]

    yield edice
    for source in made:
        source.close()


def trouble(word):
    return lambda message: isinstance(message, SourceState) and message.trouble == word


def ready(count):
    return lambda message: isinstance(message, SourceState) and message.ready == count


def test_a_roll_arrives_unchanged_while_another_port_is_flooded(plug, edice, heard):
    flood, cable = plug("flood", Scripted(lambda data: b"x" * 4000)), plug()
    source = edice(flood, cable)
    for ticket, count in enumerate((1, 6)):
        source.ask(ticket, Roll(0, count))
        dice = heard.dice(ticket)
        assert len(dice) == count and dice in cable.rolled.values()


def test_a_roll_is_completed_after_unplugging_and_plugging_in_again(plug, edice, heard):
    cable = plug()
    source = edice(cable)
    source.open()
    heard.wait(ready(1))
    cable.line.silent = True  # so that the roll cannot end before the cable is pulled
    source.ask(1, Roll(0, 3))
    cable.pull()
    heard.wait(ready(0))
    cable.line.silent = False
    cable.put_back()
    assert heard.dice(1) in cable.rolled.values()


def test_a_board_that_no_longer_reads_is_reported_as_silent(plug, edice, heard):
    cable = plug()
    cable.pull()
    cable.line.silent = True
    cable.put_back()
    line = os.open(cable.port, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
    with suppress(BlockingIOError):
        while True:
            os.write(line, b"x")
    edice(cable).open()
    heard.wait(trouble("silent"))
    os.close(line)


def test_two_tables_do_not_share_a_port(plug, edice, heard):
    cable = plug()
    source = edice(cable)
    source.open()
    heard.wait(ready(1))
    others = Listener()
    with closing(EDice(others, cable.port)) as second:
        second.ask(1, Roll(0, 1))
        others.wait(trouble("busy"))
    source.ask(1, Roll(0, 1))
    heard.dice(1)


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ((errno.EACCES, "could not open port"), "denied"),
        (("could not open port 'COM3': PermissionError(13, 'Access is denied.', None, 5)",), "busy"),  # on Windows
    ],
)
def test_a_port_that_cannot_be_opened_is_reported(plug, edice, heard, monkeypatch, said, word):
    def refused(*_, **__):
        raise serial.SerialException(*said)

    monkeypatch.setattr(serial, "Serial", refused)
    edice(plug()).ask(1, Roll(0, 1))
    heard.wait(trouble(word))


def test_a_type_error_in_pyserial_counts_as_an_unplugged_port(plug, edice, heard, monkeypatch):
    class Failing(serial.Serial):
        def read(self, size=1):
            if failing.is_set():
                failing.clear()
                raise TypeError("'NoneType' object cannot be interpreted as an integer")
            return super().read(size)

    failing = threading.Event()
    monkeypatch.setattr(serial, "Serial", Failing)
    source = edice(plug())
    source.open()
    heard.wait(ready(1))
    failing.set()
    assert heard.wait(ready(0)).trouble == ""
    heard.wait(ready(1))


def found_at(port, vid=0x2E8A):
    return SimpleNamespace(device=port, vid=vid)


def test_boards_are_found_by_their_usb_id(plug, edice, heard, monkeypatch):
    """The board is plugged in later; other devices are not opened."""
    from serial.tools import list_ports

    cable, printer, looked = plug(), plug("printer", Scripted(lambda data: b"")), threading.Event()
    ports = [found_at(printer.port, 0x1A86), found_at("/dev/ttyS0", None)]

    def comports():
        if looked.is_set():
            return [*ports, found_at(cable.port)]
        looked.set()
        return ports

    monkeypatch.setattr(list_ports, "comports", comports)
    source = edice()
    source.open()
    heard.wait(ready(1))
    assert set(source.heard) == {cable.port}


def test_a_device_unplugged_during_a_scan_does_not_stop_the_scanning(plug, edice, heard, monkeypatch):
    """pyserial reads several system files per port and fails if one disappears in the meantime."""
    from serial.tools import list_ports

    cable, scans = plug(), []

    def comports():
        scans.append(len(scans))
        if len(scans) == 2:
            raise TypeError("int() can't convert non-string with explicit base")
        return [found_at(cable.port)] if len(scans) > 2 else []

    monkeypatch.setattr(list_ports, "comports", comports)
    edice().open()
    heard.wait(ready(1))


def test_closing_ends_all_threads_and_releases_the_port(plug, heard, monkeypatch):
    monkeypatch.setattr(driver, "LAST", PATIENCE)
    before = set(threading.enumerate())
    cable = plug()
    source = EDice(heard, cable.port)
    source.open()
    heard.wait(ready(1))
    source.close()
    assert [thread.name for thread in set(threading.enumerate()) - before if thread.name.startswith("edice")] == []
    with serial.Serial(cable.port, exclusive=True):
        pass


def test_closing_a_driver_that_was_never_opened_does_nothing(heard):
    EDice(heard, "/nowhere").close()
    assert heard.posted == []


def test_a_port_that_is_being_closed_is_not_woken(plug, edice, heard, monkeypatch):
    """Waking writes to a file descriptor, which may belong to another file once the port is closed."""
    woken, closed = [], threading.Event()

    class Watched(serial.Serial):
        def close(self):
            woken.append(self.port in source._wakes)
            super().close()
            closed.set()

    monkeypatch.setattr(serial, "Serial", Watched)
    cable = plug()
    source = edice(cable)
    source.open()
    heard.wait(ready(1))
    cable.pull()
    assert closed.wait(PATIENCE)
    assert not any(woken)


def test_a_port_is_woken_when_there_is_something_to_send(plug, edice, heard, monkeypatch):
    """Otherwise the thread would send nothing before its read timeout. Closing wakes the thread, too."""
    for name in ("TICK", "LOOK", "LAST"):
        monkeypatch.setattr(driver, name, 2 * PATIENCE)
    cable = plug()
    source = edice(cable)
    source.open()
    heard.wait(ready(1))
    source.ask(1, Roll(0, 1))
    heard.dice(1)
    source.close()
    assert source._threads == {}


def test_missing_pyserial_is_reported(edice, heard, monkeypatch):
    monkeypatch.setitem(sys.modules, "serial.tools", None)
    source = edice()
    for ticket in range(2):
        source.ask(ticket, Roll(0, 1))
        assert heard.wait(lambda message: isinstance(message, DeviceLost)) == DeviceLost("edice", "pyserial")
    assert source.heard[""].trouble == "pyserial"


@pytest.fixture
def start_pretend(tmp_path, monkeypatch):
    """Starts `dicetable edice` as a subprocess; returns it and the port that it prints."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    started = []

    def start_pretend():
        command, pipe = [sys.executable, "-m", "table", "edice", "--dice", "4"], subprocess.PIPE
        started.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8"))
        return started[-1], re.search(r"--edice (\S+)$", started[-1].stdout.readline())[1]

    late = threading.Timer(2 * PATIENCE, lambda: [process.kill() for process in started])
    late.start()
    yield start_pretend
    late.cancel()
    for process in started:
        process.kill()
        process.communicate()


def enter(process):
    process.stdin.write("\n")
    process.stdin.flush()


def test_the_command_runs_a_pretend_e_dice(start_pretend, heard):
    """The command prints its port, rolls dice, and can hide them. Enter presses its button, and Ctrl-C unplugs it.
    If the command is started again, it plugs in the same dice."""
    process, port = start_pretend()
    with closing(EDice(heard, port)) as source:
        source.ask(1, Roll(0, 4))
        dice = heard.dice(1)
        assert process.stdout.readline() == "Enter presses its button; Ctrl-C unplugs it.\n"
        assert process.stdout.readline() == f"It shows {' '.join(map(str, dice))}.\n"
        enter(process)
        heard.wait(lambda message: isinstance(message, SourcePressed))
        source.sit(["Ann"])
        source.pair("Ann")
        enter(process)
        heard.wait(lambda message: isinstance(message, SourcePaired))
        source.ask(2, Roll(0, 4, hidden=True))
        dice = heard.dice(2)
        assert "hidden" in process.stdout.readline()  # like a real e-dice, it hides dice until its button is held
        enter(process)
        assert process.stdout.readline() == f"It shows {' '.join(map(str, dice))}.\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stderr.read().strip() == ""
        heard.wait(ready(0))
        source.ask(3, Roll(0, 4, hidden=True))
        assert start_pretend()[1] == port
        heard.dice(3)  # the dice have the same id, so they are still Ann's


def test_enter_holds_and_releases_the_button_long_enough_for_a_slow_board(monkeypatch):
    """The board takes four seconds to see the button pressed, and four more to see it released, while Enter is pressed
    again and again."""
    times = iter([1000, 5000, 5000 + FIRM, 5000 + pretend.PRESS, 9000, 9000 + FIRM, 9000 + pretend.PRESS, 13000])
    downs = []

    class Board:
        port, die = "port", Die("1", 1, os.urandom, 0)

        def turn(self, down):
            if not down:
                keyboard.write(b"\n")
            now = next(times)
            downs.append(down)
            return now

    theirs, ours = os.pipe()
    with open(theirs, encoding="ascii") as stdin, open(ours, "wb", buffering=0) as keyboard:
        monkeypatch.setattr(sys, "stdin", stdin)
        with pytest.raises(StopIteration):
            pretend._live(Board(), lambda line: None)
    assert downs == [False, True, True, True, False, False, False, True]


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_pretend_e_dice_removes_its_link_when_it_ends(start_pretend, ending):
    """The system reuses pty names, so a table would write to someone's terminal through a stale link."""
    process, port = start_pretend()
    assert os.path.exists(port)
    process.send_signal(ending)
    process.wait(PATIENCE)
    assert not os.path.lexists(port)


def test_pretend_e_dice_have_unique_names_and_ids_and_replace_stale_links(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    folder = tmp_path / "dicetable"
    folder.mkdir()
    (folder / "edice").symlink_to("/nowhere")  # left by a killed process
    one, two = pretend.Pretend(2), pretend.Pretend(2)
    assert [one.port, two.port] == [str(folder / "edice"), str(folder / "edice-2")]
    assert one.die.greeting().split()[5] != two.die.greeting().split()[5]
    one.close()
    again = pretend.Pretend(2)
    assert again.port == str(folder / "edice") and os.path.exists(again.port)
    two.close()
    again.close()
    assert [path for path in folder.iterdir() if path.suffix != ".lock"] == []


def test_without_ptys_the_command_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "pty", None)
    with pytest.raises(Refused, match="only Linux and macOS have"):
        pretend.run(5, print)


@pytest.mark.parametrize("dice", [0, 7, -1])
def test_a_pretend_e_dice_has_one_to_six_dice(dice):
    with pytest.raises(Refused, match="1 to 6 dice"):
        pretend.run(dice, print)
