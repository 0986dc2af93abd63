"""The doctor reports each device in one line, with its state (good, missing, busy or broken) and what to do about it.

The checks use real interfaces: gpiozero's mock pins, stand-ins for the Pi's commands, ptys, lock files, a full disk.
"""

import itertools
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.ground,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the stand-ins need Linux, as on a Pi"),
]
pytest.importorskip("pygame", reason="pygame draws the table")
cv2 = pytest.importorskip("cv2", reason="OpenCV opens cameras and films")
pytest.importorskip("termios", reason="Windows has no ptys")
gpiozero = pytest.importorskip("gpiozero", reason="gpiozero is not installed: make test installs it")
serial = pytest.importorskip("serial", reason="pyserial is not installed: make test installs it")

import numpy as np  # noqa: E402
from gpiozero.pins.mock import MockFactory, MockPin  # noqa: E402
from serial.tools import list_ports  # noqa: E402

from table import config, games  # noqa: E402
from table.devices import edice as driver  # noqa: E402
from table.devices import link  # noqa: E402
from table.devices.camera_feed import calibration_path  # noqa: E402
from table.devices.pretend import Pretend  # noqa: E402
from table.machine.doctor import edice, pins  # noqa: E402
from table.machine.doctor.checks import CHECKS, Check, examined  # noqa: E402
from table.machine.doctor.finding import BROKEN, OK, WARNING, Finding, Patient, summary  # noqa: E402
from table.session.messages import Committed  # noqa: E402
from table.storage.journal.entries import Setting  # noqa: E402
from table.storage.journal.lock import Lock  # noqa: E402
from table.storage.journal.writer import Journal  # noqa: E402
from table.text import pages  # noqa: E402
from tests.edice import Cable, Firmware, Scripted  # noqa: E402
from tests.homemade import homemade  # noqa: E402
from tests.processes import DEVICES, PATIENCE, ROOT, unseen, x_server  # noqa: E402
from tests.standin import SIZE, StandIn  # noqa: E402
from vision import camera, trouble  # noqa: E402

NOBODY = 65534
SETTINGS = config.DEFAULT.buttons
ROLL, END, ROLL_LAMP, END_LAMP = SETTINGS.roll_pin, SETTINGS.end_pin, SETTINGS.roll_lamp, SETTINGS.end_lamp


def configured(text: str = "") -> config.Config:
    return config.parse(text, "table.toml")


@pytest.fixture
def patient(tmp_path) -> Patient:
    """A table on a machine with an empty root folder."""
    (tmp_path / "games").mkdir()
    (tmp_path / "root").mkdir()
    return Patient(configured(), tmp_path / "games", root=tmp_path / "root")


def on_a_pi(patient: Patient) -> Patient:
    write_file(patient.root / "proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    return patient


def write_file(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def look(patient: Patient, what: str) -> list[Finding]:
    """One check's findings, with a time limit that even a busy machine can meet."""
    return list(examined(patient, checks=[replace(it, seconds=PATIENCE) for it in CHECKS if it.what == what]))


def one(patient: Patient, what: str) -> Finding:
    (found,) = look(patient, what)
    return found


@pytest.fixture
def commands(tmp_path, monkeypatch) -> Path:
    """A folder at the front of PATH, for stand-in commands."""
    folder = tmp_path / "commands"
    folder.mkdir()
    monkeypatch.setenv("PATH", os.pathsep.join((str(folder), os.environ["PATH"])))
    return folder


def stub_command(folder: Path, name: str, says: str, status: int = 0) -> None:
    write_file(folder / name, f"#!/bin/sh\necho '{says}'\nexit {status}\n", 0o755)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may open any file, so a test that runs as root switches to the user nobody."""
    if os.geteuid():
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture(autouse=True)
def no_delays(monkeypatch) -> None:
    """Skip the pauses for lamps and for the camera's exposure, but give slow test e-dice more time to answer."""
    monkeypatch.setattr(pins, "LIT", 0)
    monkeypatch.setattr(camera, "SETTLES", 0)
    monkeypatch.setattr(link, "PATIENCE", PATIENCE / 2)
    monkeypatch.setattr(edice, "LONGEST", PATIENCE)


# Buttons and lamps


@pytest.fixture
def mock(monkeypatch) -> Iterator[MockFactory]:
    factory = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    yield factory
    factory.close()


class Stuck(MockPin):
    """A pin shorted to ground."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self.drive_low()


class Gone(MockPin):
    """A pin that raises OSError once `gone` is set."""

    gone = False

    def _get_state(self) -> bool:
        if self.gone:
            raise OSError("the chip is gone")
        return bool(super()._get_state())


class Person:
    """Presses the given buttons one after the other, as the doctor asks for them, and releases each once the doctor
    reports the press. Then the clock jumps past the time limit for presses.
    """

    def __init__(self, factory: MockFactory, *numbers: int) -> None:
        self.lines: list[str] = []
        self._pins = [factory.pin(number) for number in numbers]
        self._later = 0.0

    def tell(self, line: str) -> None:
        self.lines.append(line)
        if line.endswith("was pressed."):
            self._pins.pop(0).drive_high()
        if self._pins and (line.endswith("was pressed.") or line.startswith("Press Roll, then End")):
            self._pins[0].drive_low()
        if not self._pins:
            self._later = pins.PRESSING

    def clock(self) -> float:
        return time.monotonic() + self._later


def test_without_a_raspberry_pi_the_keyboard_is_used(patient):
    assert one(patient, "pins") == Finding("pins", OK, "Not a Raspberry Pi: the keyboard replaces the buttons.")


def test_required_buttons_count_as_broken_on_a_machine_without_pins(patient):
    found = one(replace(patient, config=configured('[buttons]\nenabled = "on"')), "pins")
    assert (found.state, 'enabled = "auto"' in found.fix) == (BROKEN, True)


def test_a_pi_without_lgpio_is_told_to_install_it(patient):
    found = one(on_a_pi(patient), "pins")
    assert (found.state, "python3-lgpio" in found.fix) == (WARNING, True)


def test_pins_without_permission_are_fixed_by_joining_their_group(patient):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        write_file(Path(folder) / "dev/gpiochip0", "", 0o000)
        pi = on_a_pi(replace(patient, root=Path(folder)))
        with as_nobody():
            assert "usermod -aG gpio" in one(pi, "pins").fix


def test_disabled_buttons_are_ok(patient):
    assert one(replace(patient, config=configured('[buttons]\nenabled = "off"')), "pins").state == OK


def test_every_pin_is_opened_and_the_lamps_are_lit_in_turn(patient, mock):
    found = look(patient, "pins")
    assert [(finding.what, finding.state) for finding in found] == [("pins", WARNING), ("buttons", OK), ("lamps", OK)]
    assert "simulated" in found[0].said
    for number in (ROLL, END, ROLL_LAMP, END_LAMP):
        assert f"GPIO {number}" in found[0].said
    assert "run this in a terminal" in found[1].said
    first, second = ([state.state for state in mock.pin(number).states] for number in (ROLL_LAMP, END_LAMP))
    assert first == [False, True, False] and second[:2] == [False, True]
    assert mock.pin(END_LAMP).function == "input"  # switched off and released


def test_a_person_at_the_terminal_is_asked_to_press_both_buttons(patient, mock):
    person = Person(mock, ROLL, END)
    _, buttons, lamps = look(replace(patient, tell=person.tell, clock=person.clock), "pins")
    assert buttons == Finding("buttons", OK, "Roll and End were pressed.")
    assert person.lines[1:3] == ["Roll was pressed.", "End was pressed."]
    assert lamps.state == OK and sum("is on now" in line for line in person.lines) == 2


def test_a_button_that_is_never_pressed_is_named_with_its_pin(patient, mock):
    person = Person(mock, ROLL)
    _, buttons, _ = look(replace(patient, tell=person.tell, clock=person.clock), "pins")
    assert (buttons.state, buttons.said) == (WARNING, f"Not pressed: End (GPIO {END}).")
    assert "ground" in buttons.fix


def test_a_button_that_is_stuck_down_is_reported(patient, mock):
    mock.pin(ROLL, pin_class=Stuck)
    _, buttons, _ = look(patient, "pins")
    assert (buttons.state, f"Roll (GPIO {ROLL})" in buttons.said, "pull_up" in buttons.fix) == (WARNING, True, True)


def test_a_button_that_fails_during_the_lamp_test_is_reported(patient, mock):
    button = mock.pin(ROLL, pin_class=Gone)
    found = pins.pins(patient)
    assert [next(found).what, next(found).what] == ["pins", "buttons"]
    button.gone = True
    (lamps,) = found
    assert (lamps.state, "the chip is gone" in lamps.said, lamps.fix) == (BROKEN, True, pins.AGAIN)


def test_every_pin_in_use_elsewhere_is_named(patient, mock):
    with gpiozero.LED(END), gpiozero.LED(ROLL_LAMP):
        found = look(patient, "pins")
    assert [finding.state for finding in found] == [BROKEN, BROKEN]
    assert f"Pin {END} cannot be the End button" in found[0].said
    assert f"Pin {ROLL_LAMP} cannot be the lamp of the Roll button" in found[1].said


def test_a_table_running_as_a_service_is_found_even_with_another_data_folder(patient, commands):
    stub_command(commands, "systemctl", "4711")
    assert "running (process 4711)" in one(patient, "table").said
    stub_command(commands, "systemctl", "0")
    assert "not running" in one(replace(patient), "table").said


def test_the_pins_of_a_running_table_are_left_alone(patient, mock):
    with Lock(patient.folder):
        found = one(patient, "pins")
    assert (found.state, found.said) == (WARNING, "The running table is using the pins.")
    assert "stop the table" in found.fix
    assert ROLL not in mock.pins


# The camera


def film(path: Path, frame: np.ndarray, count: int = 6) -> str:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, frame.shape[1::-1])
    for _ in range(count):
        writer.write(frame)
    writer.release()
    return f"video:{path}"


def with_camera(patient: Patient, name: str, source: str = "camera") -> Patient:
    return replace(patient, config=configured(f'[dice]\nsource = "{source}"\ncamera = "{name}"'))


@pytest.fixture
def stand_in(patient, monkeypatch) -> StandIn:
    made = StandIn(patient.folder)
    monkeypatch.setenv("PATH", made.path)
    return made


def change_view(stand_in: StandIn, change) -> None:
    """Change every picture of the stand-in camera from now on."""
    frames = [change(frame) for frame in stand_in._lying(stand_in.lies, 4)]
    stand_in._play([])
    now = stand_in._here / (stand_in._here / "now").read_text()
    now.write_bytes(b"".join(cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420).tobytes() for frame in frames))


def states(findings: list[Finding]) -> dict[str, str]:
    """The state of each finding except the one about the frame rate, which depends on the machine's load."""
    return {finding.what: finding.state for finding in findings if finding.what != "frame rate"}


def test_a_good_camera_over_a_calibrated_tray_passes_every_check(patient, stand_in):
    found = look(with_camera(patient, "csi"), "camera")
    assert states(found) == {"camera": OK, "focus": OK, "light": OK, "calibration": OK}
    assert found[0].said == "csi gives pictures of 640x480."
    assert found[1].what == "frame rate" and found[1].said.endswith(" pictures per second.")


def test_dice_in_the_tray_do_not_count_as_bad_light(patient, stand_in):
    stand_in.throw(5)
    stand_in._play([])  # skip the frames in which the dice are still rolling
    assert states(look(with_camera(patient, "csi"), "camera"))["light"] == OK


def test_a_lens_out_of_focus_counts_as_broken(patient, stand_in):
    change_view(stand_in, lambda frame: cv2.GaussianBlur(frame, (0, 0), 6))
    found = {finding.what: finding for finding in look(with_camera(patient, "csi"), "camera")}
    assert (found["focus"].state, found["focus"].said) == (BROKEN, "The picture is blurred.")
    assert found["focus"].fix == "Focus the camera, or clean its lens."


def test_a_dark_room_counts_as_broken_and_focus_is_not_guessed(patient, stand_in):
    stand_in.light(0.05)
    found = look(with_camera(patient, "csi"), "camera")
    assert states(found) == {"camera": OK, "light": BROKEN, "calibration": OK}
    assert "too dark" in found[2].said and "lamp" in found[2].fix


def test_a_moved_camera_has_to_be_put_back_or_calibrated_again(patient, stand_in):
    pushed = np.float32([[1, 0, 14], [0, 1, 9]])
    change_view(stand_in, lambda frame: cv2.warpAffine(frame, pushed, SIZE, borderMode=cv2.BORDER_REPLICATE))
    *_, calibration = look(with_camera(patient, "csi"), "camera")
    assert (calibration.what, calibration.state) == ("calibration", BROKEN)
    assert "moved" in calibration.said and "Settings" in calibration.fix


def test_a_camera_without_a_calibration_is_only_a_warning(patient, tmp_path):
    name = film(tmp_path / "roll.avi", cv2.imread("tests/dice/03.jpg"))
    found = look(with_camera(patient, name), "camera")
    assert states(found) == {"camera": OK, "focus": OK, "light": OK, "calibration": WARNING}


def test_a_damaged_calibration_counts_as_broken_and_is_reported_as_damaged(patient, tmp_path):
    name = film(tmp_path / "roll.avi", cv2.imread("tests/dice/03.jpg"))
    write_file(calibration_path(name, patient.folder), "rubbish")
    *_, calibration = look(with_camera(patient, name), "camera")
    assert calibration.state == BROKEN and "damaged" in calibration.said


def test_a_low_frame_rate_is_a_warning(patient, tmp_path):
    path = tmp_path / "slow.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, SIZE)
    for _ in range(6):
        writer.write(np.full((SIZE[1], SIZE[0], 3), 120, np.uint8))
    writer.release()
    rate = look(with_camera(patient, f"video:{path}"), "camera")[1]
    assert (rate.state, rate.said) == (WARNING, "10 pictures per second.") and "light" in rate.fix


def test_a_very_slow_camera_is_reported_as_slow_before_the_check_times_out(patient, monkeypatch):
    came = []

    class Slow:
        size = SIZE

        def frames(self):
            for at in itertools.count(step=4.0):
                came.append(at)
                yield np.full((SIZE[1], SIZE[0], 3), 120, np.uint8), at

        def close(self):
            """There is nothing to release."""

    monkeypatch.setattr(camera, "opened", lambda name, size: Slow())
    _, rate, *_ = look(with_camera(patient, "csi"), "camera")
    assert (rate.state, rate.said) == (WARNING, "0 pictures per second.") and "light" in rate.fix
    assert came == [0.0, 4.0, 8.0]


def test_a_camera_that_is_not_the_source_is_not_checked_for_focus_or_light(patient, tmp_path):
    name = film(tmp_path / "face.avi", np.zeros((480, 640, 3), np.uint8))
    assert states(look(with_camera(patient, name, "simulated"), "camera")) == {"camera": OK}


def test_the_simulated_camera_needs_no_lens(patient):
    assert states(look(with_camera(patient, "simulated-camera"), "camera")) == {"camera": OK}


def test_a_missing_camera_counts_as_broken_only_if_the_config_uses_it(patient):
    missing = one(with_camera(patient, "camera:99"), "camera")
    assert missing.state == BROKEN and "no camera 99" in missing.said and 'camera = "csi"' in missing.fix
    with Lock(patient.folder):  # the error is the same while a table is running
        assert one(with_camera(patient, "camera:99"), "camera") == missing
    unasked = one(with_camera(patient, "camera:99", "simulated"), "camera")
    assert (unasked.state, unasked.fix) == (OK, "")


def test_a_missing_calibrated_camera_is_only_a_warning_if_the_config_does_not_use_it(patient, stand_in):
    stand_in.pull()
    assert one(with_camera(patient, "csi", "typed"), "camera").state == WARNING
    found = one(with_camera(patient, "csi"), "camera")
    assert found.state == BROKEN and "no cameras available" in found.said and "flat cable" in found.fix


def test_the_pi_camera_without_rpicam_apps_is_told_to_install_them(patient, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    found = one(with_camera(patient, "csi"), "camera")
    assert (found.state, found.fix) == (BROKEN, "Run sudo apt install rpicam-apps.")


def test_a_camera_without_permission_is_fixed_by_joining_its_group(patient):
    device = Pretend(6)
    path = os.path.realpath(device.port)  # this pty stands in for the camera's device
    os.chmod(path, 0o000)
    with as_nobody():
        found = one(with_camera(patient, path), "camera")
    device.close()
    assert found.state == BROKEN and "not allowed to open" in found.said and "usermod -aG video" in found.fix


@pytest.mark.parametrize("number", ["00", "03", "05", "11"])
def test_photos_of_dice_are_sharp_and_blurred_copies_are_not(number):
    photo = cv2.imread(f"tests/dice/{number}.jpg")
    side = len(photo) / 12
    assert not trouble.unsharp(photo, side)
    assert trouble.unsharp(cv2.GaussianBlur(photo, (0, 0), side * 0.15), side)
    assert not trouble.unsharp(np.full((240, 320, 3), 90, np.uint8), 30)  # an empty picture is not blurred


# Electronic dice


def with_edice(patient: Patient, port: str = "", source: str = "edice") -> Patient:
    return replace(patient, config=configured(f'[dice]\nsource = "{source}"\nedice = "{port}"'))


def test_electronic_dice_that_answer_are_ok(patient, tmp_path):
    with Cable(tmp_path / "a", Firmware(6, "aa11")) as a, Cable(tmp_path / "b", Firmware(1, "bb22")) as b:
        found = look(with_edice(patient, f"{a.port}, {b.port}"), "e-dice")
    assert [(finding.state, finding.said) for finding in found] == [
        (OK, f"{a.port}: aa11 with 6 dice answers."),
        (OK, f"{b.port}: bb22 with one die answers."),
    ]
    assert a.rolled == b.rolled == {}


@pytest.mark.parametrize(
    ("says", "words"),
    [
        (lambda data: b"", "sends nothing"),
        (lambda data: b"OK\r\n" * 9, "is not a set of e-dice"),
        (lambda data: b"x" * 3000, "data nonstop"),
    ],
    ids=["silent", "foreign", "flood"],
)
def test_devices_that_are_not_e_dice_are_recognised(patient, tmp_path, says, words, monkeypatch):
    if words == "sends nothing":
        monkeypatch.setattr(link, "PATIENCE", 0.1)
    with Cable(tmp_path / "port", Scripted(says)) as cable:
        found = one(with_edice(patient, cable.port), "e-dice")
    assert found.state == BROKEN and words in found.said and found.fix


def test_a_port_scan_that_hangs_is_reported(patient, monkeypatch):
    over = threading.Event()
    monkeypatch.setattr(list_ports, "comports", lambda: over.wait(PATIENCE) and [])
    monkeypatch.setattr(edice, "LONGEST", 0.1)
    monkeypatch.setattr(driver, "LAST", 0.1)
    try:
        found = one(with_edice(patient), "e-dice")
    finally:
        over.set()
    assert (found.state, found.said) == (BROKEN, "Listing the ports takes too long.") and found.fix


def test_a_port_without_permission_is_fixed_by_joining_its_group(patient):
    pretend = Pretend(6)
    path = os.path.realpath(pretend.port)
    try:
        os.chmod(path, 0o000)
        with as_nobody():
            found = one(with_edice(patient, path), "e-dice")
    finally:
        pretend.close()
    assert found.state == BROKEN and "usermod -aG dialout" in found.fix


def test_a_port_in_use_names_the_running_table_or_another_program(patient, tmp_path):
    with Cable(tmp_path / "port", Firmware()) as cable, serial.Serial(cable.port, exclusive=True):
        found = one(with_edice(patient, cable.port), "e-dice")
        assert found.state == BROKEN and "Another program" in found.said
        with Lock(patient.folder):
            found = one(with_edice(replace(patient), cable.port), "e-dice")
        assert found.state == WARNING and "The running table is using it." in found.said


def test_missing_e_dice_count_as_broken_only_if_the_config_uses_them(patient, tmp_path):
    assert one(with_edice(patient, "", "simulated"), "e-dice").state == OK
    assert one(with_edice(patient), "e-dice").state == BROKEN
    absent = one(with_edice(patient, str(tmp_path / "none")), "e-dice")
    assert absent.state == BROKEN and "Nothing is plugged in" in absent.said


# Settings chosen at the table


def with_settings(patient: Patient, **settings: object) -> Patient:
    """The same table after these settings were changed in its menu and the table was closed."""
    journal = Journal(patient.folder, lambda _: None)
    journal.start()
    for name, value in settings.items():
        journal.keep(Setting(name, value))
    assert journal.close(PATIENCE)
    return replace(patient)


def test_dice_chosen_at_the_table_are_checked_instead_of_those_in_the_config(patient):
    assert one(with_settings(patient, source="edice"), "e-dice").state == BROKEN
    assert one(with_settings(with_camera(patient, "camera:99", "simulated"), source="camera"), "camera").state == BROKEN
    assert one(with_settings(with_edice(patient), source="typed"), "e-dice").state == OK


def test_dice_that_differ_from_the_config_are_named(patient):
    assert "chosen" not in one(patient, "table").said
    said = one(with_settings(patient, source="edice"), "table").said
    assert said.endswith(" Its dice are edice, as chosen at the table; the config says simulated.")


def test_sound_switched_off_at_the_table_is_not_reported_as_missing(patient, monkeypatch):
    monkeypatch.setenv("SDL_AUDIODRIVER", "nothing")
    assert one(with_settings(patient, sound=False), "sound").state == OK


def test_settings_are_read_while_the_table_runs_without_leaving_files_behind(patient):
    looked = with_settings(patient, source="edice")
    before = sorted(os.listdir(patient.folder))
    assert looked.settings.source == "edice" and sorted(os.listdir(patient.folder)) == before
    kept = threading.Event()
    journal = Journal(patient.folder, lambda message: kept.set() if isinstance(message, Committed) else None)
    journal.start()
    journal.keep(Setting("source", "typed"))
    assert kept.wait(PATIENCE)
    before = sorted(os.listdir(patient.folder))
    assert replace(patient).settings.source == "typed" and sorted(os.listdir(patient.folder)) == before
    assert journal.close(PATIENCE)


@pytest.mark.parametrize("content", [b"", b"rubbish", b"SQLite format 3\x00", b"\0" * 4096])
def test_unreadable_records_leave_the_config_in_force_and_stay_unchanged(patient, content):
    (patient.folder / "table.db").write_bytes(content)
    assert with_edice(patient).settings.source == "edice"
    assert (patient.folder / "table.db").read_bytes() == content


# Screen and sound


def test_an_invisible_screen_is_a_warning(patient, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    found = one(patient, "screen")
    assert found.state == WARNING and "Nothing is visible: 1024x768, through dummy" in found.said


def test_a_missing_screen_counts_as_broken_on_a_pi_but_only_as_a_warning_over_ssh(patient, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "nothing")
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    assert one(patient, "screen").state == WARNING
    pi = on_a_pi(replace(patient))
    assert one(pi, "screen").state == BROKEN
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.2 22")
    found = one(pi, "screen")
    assert found.state == WARNING and "at the machine itself" in found.fix


def test_a_real_screen_is_reported_with_its_size_and_a_small_window_is_a_warning(patient, tmp_path, monkeypatch):
    for name in DEVICES:
        monkeypatch.delenv(name, raising=False)
    with x_server(tmp_path, "1280x720") as display:
        monkeypatch.setenv("DISPLAY", display)
        whole = one(patient, "screen")
        small = one(replace(patient, config=configured('[screen]\nwindow = "640x400"')), "screen")
    assert whole == Finding("screen", OK, "1280x720, through x11.")
    assert (small.state, small.said) == (WARNING, "Texts may be hard to read: 640x400, through x11.")


def test_the_screen_of_a_running_table_is_left_alone(patient, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "nothing")
    with Lock(patient.folder):
        assert one(patient, "screen") == Finding("screen", OK, "The running table is using the screen.")


def test_a_working_sound_device_is_ok_and_plays_a_sound_at_a_terminal(patient, tmp_path, monkeypatch):
    write_file(tmp_path / "asound.conf", "pcm.!default { type null }\nctl.!default { type null }\n")
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(tmp_path / "asound.conf"))
    monkeypatch.setenv("SDL_AUDIODRIVER", "alsa")
    lines: list[str] = []
    found = one(replace(patient, tell=lines.append), "sound")
    if "No such" in found.said or "not available" in found.said:
        pytest.skip(f"SDL has no ALSA here: {found.said}")
    assert found.state == OK and len(lines) == 1 and "You should hear a sound now" in lines[0]


@pytest.mark.parametrize(
    ("driver", "says"), [("dummy", "turns the sound off"), ("nothing", "No sound device can be opened")]
)
def test_inaudible_sound_is_a_warning(patient, monkeypatch, driver, says):
    monkeypatch.setenv("SDL_AUDIODRIVER", driver)
    found = one(patient, "sound")
    assert found.state == WARNING and says in found.said and found.fix
    assert one(replace(patient, config=configured("[sound]\non = false")), "sound").state == OK


# Disk, clock, power


def test_a_disk_is_reported_with_free_space_and_write_speed_and_no_file_is_left(patient):
    found = one(patient, "disk")
    assert "free, and a write takes" in found.said and str(patient.folder) in found.said
    assert found.state in (OK, WARNING)  # this machine's disk may be full
    assert list(patient.folder.iterdir()) == []


def test_a_missing_folder_is_not_created(patient):
    where = patient.folder / "of" / "mine"
    assert str(patient.folder) in one(replace(patient, folder=where), "disk").said
    assert list(patient.folder.iterdir()) == []


def test_another_users_folder_counts_as_broken_and_the_fix_is_to_run_as_that_user(patient):
    patient.folder.chmod(0o500)
    with as_nobody():
        found = one(patient, "disk")
    assert found.state == BROKEN and "Permission denied" in found.said and "run this as that user" in found.fix


@pytest.mark.parametrize(("options", "words", "fix"), [("size=64k", "No space", "full"), ("ro", "Read-only", "card")])
def test_a_full_or_read_only_disk_counts_as_broken(tmp_path, options, words, fix):
    if subprocess.run(["unshare", "-rm", "true"], stderr=subprocess.DEVNULL).returncode:
        pytest.skip("unshare may not mount a separate disk here")
    games = tmp_path / "games"
    games.mkdir()
    script = f'mount -t tmpfs -o {options} none "$0" && ({{ cat /dev/zero > "$0/full"; }} 2>/dev/null; exec "$@")'
    look = "from table import config; from table.machine.doctor import finding, machine\n"
    look += "from pathlib import Path; import sys\n"
    look += "(found,) = machine.disk(finding.Patient(config.DEFAULT, Path(sys.argv[1]))); print(finding.as_text(found))"
    line = ["unshare", "-rm", "sh", "-c", script, str(games), sys.executable, "-c", look, str(games)]
    done = subprocess.run(line, cwd=ROOT, env=unseen(tmp_path), capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    said, advice = done.stdout.splitlines()
    assert said.startswith("broken   disk") and words in said and fix in advice


@pytest.mark.parametrize(
    ("says", "state", "words"),
    [("yes", OK, "confirmed by the network"), ("no", WARNING, "not confirmed"), ("", OK, "plausible")],
)
def test_the_clock_is_reported_as_the_system_reports_it(patient, commands, says, state, words):
    stub_command(commands, "timedatectl", says, status=0 if says else 1)
    found = one(patient, "clock")
    assert found.state == state and words in found.said and bool(found.fix) == (state != OK)


def test_a_clock_behind_the_last_game_counts_as_broken(patient, commands):
    stub_command(commands, "timedatectl", "yes")
    write_file(patient.folder / "table.db", "")
    os.utime(patient.folder / "table.db", (time.time() + 30 * 86_400,) * 2)
    found = one(patient, "clock")
    assert found.state == BROKEN and "newer" in found.said and "timedatectl set-ntp true" in found.fix


@pytest.mark.parametrize(
    ("bits", "state", "said", "fix"),
    [
        ("0x0", OK, "Voltage and temperature are fine.", ""),
        (
            "0x50000",
            WARNING,
            "Since power-on: the voltage is too low, the processor is throttled.",
            "supply",
        ),
        ("0x50001", BROKEN, "Now: the voltage is too low. Since power-on: the processor is throttled", "supply"),
        ("0x80008", WARNING, "Now: it is too hot.", "fan"),
    ],
)
def test_the_power_bits_are_put_into_words(patient, commands, bits, state, said, fix):
    stub_command(commands, "vcgencmd", f"throttled={bits}")
    found = one(patient, "power")
    assert (found.state, found.said.startswith(said), fix in found.fix) == (state, True, True)


def test_power_is_read_from_sysfs_without_vcgencmd(patient):
    write_file(patient.root / "sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n")
    assert one(patient, "power").state == BROKEN


def test_unknown_power_is_a_warning_on_a_pi_and_ok_elsewhere(patient, commands):
    stub_command(commands, "vcgencmd", "VCHI initialization failed", status=255)
    assert one(patient, "power") == Finding("power", OK, "Not a Raspberry Pi, so its power cannot be checked.")
    assert one(on_a_pi(replace(patient)), "power").state == WARNING


# The network


def test_a_machine_without_a_network_is_told_how_phones_could_reach_it(patient):
    (patient.root / "sys/class/net/lo").mkdir(parents=True)
    found = one(patient, "network")
    assert found.state == WARNING and "hotspot" in found.fix


def test_an_address_is_reported_with_its_kind_of_connection(patient):
    real = Path("/sys/class/net")
    names = [path.name for path in real.iterdir()] if real.is_dir() else []
    for name in names:
        (patient.root / "sys/class/net" / name / "wireless").mkdir(parents=True)
    found, here = one(patient, "network"), one(replace(patient, root=Path("/")), "network")
    if here.state != OK:
        pytest.skip("this machine has no network")
    assert found.said == here.said.replace("by cable", "by Wi-Fi")
    assert "(lo)" not in here.said


def test_the_phone_port_is_free_or_in_use(patient):
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))  # picks a port, which others can still bind until listen() is called
        port = held.getsockname()[1]

        def phone_port() -> Finding:
            return one(replace(patient, config=configured(f"[phones]\nport = {port}")), "phone port")

        assert phone_port() == Finding("phone port", OK, f"Port {port} is free.")
        held.listen()
        found = phone_port()
        assert found.state == WARNING and "Another program" in found.said and str(port) in found.fix
        with Lock(patient.folder):
            assert phone_port().state == OK


def test_the_phone_port_is_not_checked_if_phones_are_off(patient):
    found = one(replace(patient, config=configured("[phones]\non = false")), "phone port")
    assert (found.state, found.said) == (OK, "Phones are off in the config.")


# The whole list


def test_a_check_that_hangs_or_fails_is_reported_and_the_next_one_runs(patient):
    hanging, over = threading.Event(), threading.Event()

    def hangs(_: Patient) -> Iterator[Finding]:
        yield Finding("camera", OK, "It opens.")
        hanging.set()
        over.wait(PATIENCE)

    def fails(_: Patient) -> Iterator[Finding]:
        raise RuntimeError("a library's own words")
        yield

    def good(_: Patient) -> Iterator[Finding]:
        yield Finding("disk", OK, "Well.")

    checks = [
        Check("camera", hangs, 0.2),
        Check("pins", fails),
        Check("screen", fails, apart=False),
        Check("disk", good),
    ]
    patient = replace(patient, clock=lambda: 0.2 if hanging.is_set() and not over.is_set() else 0.0)
    found = examined(patient, checks=checks)
    first, hung = next(found), next(found)
    over.set()
    failed, failed_here, last = found
    assert first.state == last.state == OK
    assert hung.state == BROKEN and "hangs" in hung.said and "restart this machine" in hung.fix
    assert failed.state == failed_here.state == BROKEN and "a library's own words" in failed.said


def test_a_game_that_cannot_be_imported_is_named_with_the_reason(patient):
    (well,) = look(patient, "games")
    assert well.state == OK and "Mexico" in well.said
    games.register([EntryPoint("gone", "no_such_package", games.GROUP)])
    try:
        (found,) = look(patient, "games")
    finally:
        del games.BROKEN["gone"]
    assert found.state == BROKEN and "gone" in found.said and "no_such_package" in found.said and found.fix


def test_a_games_broken_file_is_named_and_is_only_a_warning(patient, tmp_path):
    with homemade(tmp_path, {"words.py": "1 / 0"}):
        (found,) = look(patient, "games")
    assert found.state == WARNING and "pig: words" in found.said and "in words.py, line 1" in found.said


BROKEN_FILES = {
    "perfect": {"perfect.py": "1 / 0"},
    "solve": {"solve.py": "raise SystemExit"},
    "solve.build": {"solve.py": "def built(progress): return {}"},
    "table.npz": {"solve.py": "def build(progress): return {}"},
    "perfect.win": {"perfect.py": "def perfect(view, options): return []"},
    "bots.wild": {"bots.py": "LEVELS = ('search', 'wild')"},
    "beats.PACES": {"beats.py": "PACES = {'bust': (1, 2)}"},
    "emblem": {"emblem.py": "import no_such_package"},
}


@pytest.mark.parametrize(("where", "files"), BROKEN_FILES.items(), ids=BROKEN_FILES)
def test_every_file_of_a_game_of_another_package_is_loaded(patient, tmp_path, where, files):
    with homemade(tmp_path, files):
        found = look(patient, "games")
    assert {one.state for one in found} == {WARNING}
    assert f"pig: {where} cannot be used" in " ".join(one.said for one in found)


def test_a_rule_page_that_cannot_be_read_is_named_and_another_one_is_shown(patient, tmp_path):
    with homemade(tmp_path) as pig:
        (tmp_path / "homemade_pig" / "es.md").write_bytes(b"# Cerdo \xff")
        (found,) = look(patient, "games")
        assert pages.page("pig", "es")[0] == pages.Heading("Pig", 1), pig
    assert found.state == WARNING and "pig: es.md" in found.said


def test_a_faultless_game_of_another_package_is_ok(patient, tmp_path):
    with homemade(tmp_path, {"emblem.py": "def colour(game): return 1, 2, 3", "en.md": "# Pig"}):
        (found,) = look(patient, "games")
    assert found.state == OK and "Pig" in found.said


def test_the_checks_are_announced_in_order(patient):
    begun: list[str] = []
    list(examined(patient, begins=begun.append, checks=[check for check in CHECKS if check.what != "screen"]))
    every = ["table", "games", "pins", "camera", "e-dice", "screen", "sound", "disk", "clock", "power"]
    every += ["network", "phone port", "mqtt", "league"]
    assert [check.what for check in CHECKS] == every
    assert begun == [what for what in every if what != "screen"]


def test_the_summary_counts():
    ok, warning, broken = (Finding("x", state, "y.", "z.") for state in (OK, WARNING, BROKEN))
    assert summary([ok, ok]) == "Everything is fine."
    assert summary([ok, warning]).startswith("Nothing is broken, 1 warning. ")
    assert summary([broken, broken, warning, warning]).startswith("2 broken, 2 warnings. ")
