"""The table as a process: starting, error messages, and ending on SIGTERM."""

import json
import re
import signal
import sqlite3
import sys
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from table.storage.journal.entries import Began
from table.storage.journal.writer import Journal
from tests.processes import PATIENCE, asked, nowhere, records, run, running, typed, unseen, until, up
from tests.terminal_session import Sitting

pytestmark = [
    pytest.mark.ground,
    pytest.mark.skipif(sys.platform == "win32", reason="a process is ended by a signal on Linux and macOS only"),
]

STATUSES = (143, -signal.SIGTERM)
"""Exit statuses of a table that has opened nothing yet: it exits with 143, or the signal kills it."""

# The command, which sends itself SIGTERM after certain Python audit events. These events are the same on every machine.
ENDS_ITSELF = """
import json, os, signal, sys, threading

moments, lock = json.loads(sys.argv.pop(1)), threading.RLock()

def look(event, arguments):
    with lock:
        if moments and event == moments[0][0] and moments[0][1] in str(arguments[0]):
            del moments[0]
            if not moments:
                os.kill(os.getpid(), signal.SIGTERM)

sys.addaudithook(look)
from table.app import main
sys.exit(main())
"""
SAYS = (
    "socket.sendto",
    "",
)  # a message to systemd: there is one with the first picture, then two in each turn of the loop
UNHEARD = {"NOTIFY_SOCKET": "/nobody/listens", "WATCHDOG_USEC": "2"}
STARTS = {
    "before the app is imported": [("import", "table.app")],
    "pygame is loaded": [("import", "pygame")],
    "its own modules are loaded": [("import", "table.ui.kiosk.loop")],
}
PLAYS = {
    "the first picture is drawn": [SAYS],
    "computers play": [SAYS] * 30,
}
RUNS = {
    "the first picture is drawn": [SAYS],
    "the loop has run a few times": [SAYS] * 6,
    "the lock is taken": [("open", "table.lock")],
    "the pins are opened": [("import", "gpiozero")],
    "the journal is opened": [("sqlite3.connect", "table.db")],
}

# The command with mock pins that print a line when a lamp is set. No lamp is set before all pins are open.
PINS = """
import sys
import gpiozero
from gpiozero.pins.mock import MockFactory, MockPin

class Lamp(MockPin):
    def _set_state(self, value):
        super()._set_state(value)
        print("a lamp was set", flush=True)

gpiozero.Device.pin_factory = MockFactory(pin_class=Lamp)
from table.app import main
sys.exit(main())
"""


def terminated(process) -> tuple[int, str]:
    """Send SIGTERM, and return the exit status and standard error."""
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, errors


def ended_by_itself(moments, *arguments, env, before="") -> tuple[int, str]:
    """Run a table that sends itself SIGTERM after the audit events in `moments`. Returns its exit status and standard
    error. `before` is code to run first."""
    with running(json.dumps(moments), *arguments, env=env, code=before + ENDS_ITSELF) as process:
        _, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, errors


def kept(home, *entries) -> None:
    """Write entries to the journal before the table starts."""
    journal = Journal(records(home), lambda message: None)
    journal.start()
    for entry in entries:
        journal.keep(entry)
    assert journal.close(PATIENCE)


def test_a_table_ends_cleanly_on_sigterm(tmp_path):
    kept(tmp_path, Began("m", "mexico", 1, ("Ann", "Bo"), (None, None), (), {}, 1, 1.0))
    (records(tmp_path) / "table.older.db").unlink()
    with running("--window", "800x480", env=unseen(tmp_path)) as process:
        up(tmp_path, process, "table.older.db")  # the table creates this file after checking the others
        assert terminated(process) == (0, "")
    assert asked(tmp_path, "PRAGMA integrity_check") == [("ok",)]
    assert asked(tmp_path, "SELECT id FROM matches WHERE ended IS NULL") == [("m",)]


def test_a_table_with_button_pins_ends_cleanly_too(tmp_path):
    pytest.importorskip("gpiozero", reason="gpiozero is not installed: make test installs it")
    with running("--window", "800x480", env=unseen(tmp_path), code=PINS) as process:
        assert process.stdout.readline() == "a lamp was set\n"
        assert terminated(process) == (0, "")
    assert asked(tmp_path, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.parametrize("moment", STARTS)
@pytest.mark.parametrize("command", ["table", "demo"])
def test_a_table_can_be_ended_at_any_moment_while_it_starts(command, moment, tmp_path):
    status, errors = ended_by_itself(STARTS[moment], command, "--window", "800x480", env=unseen(tmp_path))
    assert status in STATUSES and errors == ""
    assert not records(tmp_path).exists()


@pytest.mark.parametrize(
    ("command", "moment"), [*(("table", moment) for moment in RUNS), *(("demo", moment) for moment in PLAYS)]
)
def test_a_table_that_has_started_ends_cleanly_at_any_moment(command, moment, tmp_path):
    moments = {"table": RUNS, "demo": PLAYS}[command][moment]
    assert ended_by_itself(moments, command, "--window", "800x480", env=unseen(tmp_path) | UNHEARD) == (0, "")


def test_a_second_start_says_that_one_is_running(tmp_path):
    with running("--window", "800x480", env=unseen(tmp_path)) as process:
        up(tmp_path, process)
        second = typed("--window", "800x480", env=unseen(tmp_path))
        assert process.poll() is None
        assert terminated(process)[0] == 0
    assert second.returncode == 2
    assert len(second.stderr.splitlines()) == 1
    assert "A table is already running in" in second.stderr and str(process.pid) in second.stderr


def test_a_table_starts_after_another_was_killed(tmp_path):
    with running("--window", "800x480", env=unseen(tmp_path)) as process:
        up(tmp_path, process)
        process.kill()
        process.communicate()
    (records(tmp_path) / "table.older.db").unlink(missing_ok=True)
    with running("--window", "800x480", env=unseen(tmp_path)) as process:
        up(tmp_path, process, "table.older.db")
        assert terminated(process) == (0, "")


def test_a_wrong_key_is_named_with_its_line_and_the_nearest_right_key(tmp_path):
    config = tmp_path / "table.toml"
    config.write_text('[screen]\nlanguage = "es"\n\n[buttons]\nrol_pin = 4\n', encoding="utf-8")
    done = typed("--config", str(config), env=unseen(tmp_path))
    assert done.returncode == 2
    assert f'{config}, line 5: There is no key "rol_pin" in [buttons]. Did you mean roll_pin?' in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_config_is_written_once_and_a_table_starts_with_it(tmp_path):
    config = tmp_path / "table.toml"
    written = typed("config", str(config), env=unseen(tmp_path))
    assert written.returncode == 0 and str(config) in written.stdout
    config.write_text(config.read_text(encoding="utf-8").replace('window = ""', 'window = "800x480"'), encoding="utf-8")
    before = config.read_bytes()
    again = typed("config", str(config), env=unseen(tmp_path))
    assert again.returncode == 2 and "already exists" in again.stderr and len(again.stderr.splitlines()) == 1
    assert config.read_bytes() == before
    with running("--config", str(config), env=unseen(tmp_path)) as process:
        up(tmp_path, process)
        assert terminated(process) == (0, "")


@pytest.mark.parametrize("size", ["rubbish", "1280", "0x0", "-5x7", "99999x99999"])
def test_an_invalid_window_size_gets_one_line(size, tmp_path):
    done = typed(f"--window={size}", env=unseen(tmp_path))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and "Traceback" not in done.stderr
    assert not records(tmp_path).exists()


def test_without_a_screen_or_a_terminal_the_table_serves_phones_and_prints_the_address(tmp_path):
    config = str(Path(__file__).with_name("loopback.toml"))
    with running("--config", config, env=nowhere(tmp_path)) as process:
        line = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", line)[0]
        with urllib.request.urlopen(address, timeout=PATIENCE) as page:
            assert b"<html" in page.read().lower()
        status, errors = terminated(process)
    assert status == 0 and errors.startswith("dicetable: There is no screen") and len(errors.splitlines()) == 1


def test_without_a_screen_a_terminal_or_phones_the_table_says_so(tmp_path):
    done = run(env=nowhere(tmp_path))
    assert done.returncode == 1 and "phones are off in the config" in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "80"], "A port is a number from 1024 to 65535, not 80."),
        (["--key", "a.key"], "needs --tls, --certificate and --key together"),
        (["--tls", "--certificate", "no.crt", "--key", "no.key"], "no.crt"),
    ],
)
def test_invalid_options_of_serve_get_one_line(arguments, said, tmp_path):
    done = typed("serve", *arguments, env=nowhere(tmp_path))
    assert done.returncode == 2 and said in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(("start", "arguments"), [(run, ["demo"]), (typed, ["demo", "--text"])], ids=["", "--text"])
def test_a_demo_without_a_screen_is_text(start, arguments, tmp_path):
    done = start(*arguments, env=nowhere(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "Mexico" in done.stdout
    assert not records(tmp_path).exists()


def test_without_a_screen_the_table_plays_in_the_terminal(tmp_path):
    sitting = Sitting(tty=True, **nowhere(tmp_path))
    assert sitting.until_question() is not None
    sitting.type("q\n")
    while sitting.until_question() is not None:
        sitting.type("q\n")
    status, errors = sitting.end()
    assert status == 0
    assert errors.startswith("There is no screen") and len(errors.splitlines()) == 1
    assert "Goodbye" in sitting.text


def test_a_foreign_file_in_place_of_the_journal_is_not_changed(tmp_path):
    foreign = records(tmp_path) / "table.db"
    foreign.parent.mkdir(parents=True)
    with closing(sqlite3.connect(foreign)) as file:
        file.execute("CREATE TABLE photos (name TEXT)")
        file.execute("INSERT INTO photos VALUES ('summer')")
        file.commit()
    before = foreign.read_bytes()
    with running("--window", "800x480", env=unseen(tmp_path)) as process:
        up(tmp_path, process, "table-2.db")
        assert terminated(process) == (0, "")
    assert foreign.read_bytes() == before


@pytest.mark.parametrize("rubbish", [b"", b"\0" * 4096, b"SQLite format 3\0\x10\0\1\1"], ids=["", "zeros", "torn"])
def test_a_broken_file_is_set_aside_and_the_table_plays(rubbish, tmp_path):
    broken = records(tmp_path) / "table.db"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(rubbish)
    with running("--window", "800x480", env=unseen(tmp_path)) as process:
        until("the journal has tables", lambda: asked(tmp_path, "SELECT 1 FROM sqlite_master"), process)
        assert terminated(process) == (0, "")
    assert not rubbish or rubbish in {path.read_bytes() for path in broken.parent.iterdir()}


def test_a_table_starts_even_if_the_home_folder_is_not_writable(tmp_path):
    home = tmp_path / "home"
    home.write_text("not a folder", encoding="utf-8")  # a file, because root could write into any folder
    again = "import table.storage.journal.inbox as inbox; inbox._RETRY = 0.05\n"  # seconds between two tries
    folder = ("os.mkdir", str(records(home)))
    # The lock tries once to create its folder, and the journal twice. The screen then has time to report the error.
    moments = [folder, folder, folder, *[SAYS] * 5]
    assert ended_by_itself(moments, "--window", "800x480", env=unseen(home) | UNHEARD, before=again) == (0, "")
    assert home.read_text(encoding="utf-8") == "not a folder"
