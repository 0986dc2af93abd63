"""`dicetable doctor` as a command: on a machine with nothing attached, next to a running table, at a terminal."""

import json
import os
import select
import signal
import sys
import time
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.ground,
    pytest.mark.skipif(sys.platform == "win32", reason="stand-in commands and ptys need Linux or macOS"),
]
pytest.importorskip("cv2", reason="OpenCV opens cameras")

from tests.processes import PATIENCE, environment, nowhere, records, run, running, typed, unseen, until, up  # noqa: E402
from tests.standin import COMMAND, StandIn  # noqa: E402
from tests.terminal_session import Sitting  # noqa: E402

STATES = ("ok", "warning", "broken")
# Only one process can open the Pi's camera; the second gets this error.
EXCLUSIVE = """
import fcntl
alone = open(os.path.join(here, "alone"), "w")
try:
    fcntl.flock(alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    sys.stderr.write("ERROR: *** failed to acquire camera /base/soc/i2c0mux/i2c@1/imx708@1a ***" + chr(10))
    sys.exit(1)
"""


def test_nothing_is_broken_on_a_laptop_with_nothing_attached(tmp_path):
    done = run("doctor", env=nowhere(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert "ok       pins        Not a Raspberry Pi: the keyboard replaces the buttons." in lines
    assert all(line.startswith((*STATES, "   ")) for line in lines[:-1])
    assert lines[-1].startswith(("Nothing is broken", "Everything is fine"))
    assert not records(tmp_path).exists()  # a check leaves no files behind


def test_json_output_is_one_object_with_every_finding(tmp_path):
    done = typed("doctor", "--json", env=unseen(tmp_path))
    said = json.loads(done.stdout)
    assert done.returncode == 0 and said["state"] == "warning"
    assert {"what": "screen", "state": "warning"}.items() <= next(
        finding for finding in said["findings"] if finding["what"] == "screen"
    ).items()
    for finding in said["findings"]:
        assert list(finding) == ["what", "state", "said", "fix"]
        assert finding["state"] in STATES and finding["said"] and bool(finding["fix"]) == (finding["state"] != "ok")


def test_a_broken_device_gives_status_1_and_a_fix(tmp_path):
    config = tmp_path / "table.toml"
    config.write_text('[buttons]\nenabled = "on"\n[dice]\nsource = "edice"\nedice = "/dev/none"\n')
    done = typed("doctor", "--config", str(config), env=unseen(tmp_path))
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "broken   pins" in done.stdout and "broken   e-dice      /dev/none: Nothing is plugged in." in done.stdout
    assert done.stdout.splitlines()[-1].startswith("2 broken")


def test_a_wrong_config_gives_one_line_and_status_2(tmp_path):
    done = typed("doctor", "--config", str(tmp_path / "none.toml"), env=unseen(tmp_path))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


def test_the_help_has_examples(tmp_path):
    assert "Examples:\n  dicetable doctor\n" in typed("doctor", "--help", env=unseen(tmp_path)).stdout


def test_devices_of_a_running_table_are_reported_as_in_use(tmp_path):
    folder = records(tmp_path)
    folder.mkdir(parents=True)
    stand_in = StandIn(folder)
    (folder / "stand-in" / "rpicam-vid").write_text(COMMAND.replace("asked = dict", f"{EXCLUSIVE}\nasked = dict", 1))
    config = tmp_path / "table.toml"
    config.write_text('[dice]\nsource = "camera"\ncamera = "csi"\n')
    env = unseen(tmp_path) | {"PATH": stand_in.path, "GPIOZERO_PIN_FACTORY": "mock"}
    env.pop("PYGAME_HIDE_SUPPORT_PROMPT", None)  # even so, pygame's greeting must not spoil the JSON
    with running("--config", str(config), env=env) as table:
        up(tmp_path, table)
        until("the table opened its camera", (folder / "stand-in" / "alone").exists, table)
        done = run("doctor", "--json", "--config", str(config), env=env)
        table.send_signal(signal.SIGTERM)
        table.communicate(timeout=PATIENCE)
    found = {finding["what"]: finding for finding in json.loads(done.stdout)["findings"]}
    assert f"running (process {table.pid})" in found["table"]["said"]
    assert found["camera"]["said"] == "The running table is using the camera."
    assert found["pins"]["said"] == "The running table is using the pins."
    assert found["screen"]["said"] == "The running table is using the screen."
    assert "stop the table" in found["camera"]["fix"] and done.returncode == 0


def test_at_a_terminal_the_doctor_asks_for_the_buttons_and_ctrl_c_ends_it(tmp_path):
    if not Path("/dev/ptmx").exists():
        pytest.skip("there are no ptys here")
    env = environment(tmp_path, SDL_VIDEODRIVER="dummy", GPIOZERO_PIN_FACTORY="mock")
    sitting = Sitting("doctor", tty=True, **env)
    end, seen = time.monotonic() + PATIENCE, b""
    while b"Press Roll, then End" not in seen:
        assert time.monotonic() < end and sitting.process.poll() is None, seen
        if select.select([sitting._out], [], [], 0.1)[0]:
            seen += os.read(sitting._out, 4096)
    assert b"...      pins\r" in seen  # the check in progress is always shown
    sitting.type("\x03")
    status, errors = sitting.end()
    assert (status, errors.strip()) == (130, "")
