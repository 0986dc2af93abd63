"""The screen for the table's own Wi-Fi: two buttons turn it on and off, and phones scan the QR code."""

import os
import shutil
import sys
import threading
import time

import pytest

pytestmark = [
    pytest.mark.ground,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs NetworkManager"),
]
pygame = pytest.importorskip("pygame", reason="pygame draws the table")
cv2 = pytest.importorskip("cv2", reason="opencv-python-headless is not installed: make test installs it")

from table.devices.hotspot import Hotspot  # noqa: E402
from table.machine import hotspot  # noqa: E402
from table.session.messages import DeviceLost, HotspotState  # noqa: E402
from table.text.catalogue import Catalogue  # noqa: E402
from table.ui.kiosk.scenes.hotspot import HotspotScreen  # noqa: E402
from tests.fingers import Fingers  # noqa: E402
from tests.nmcli import SECRET, Nmcli  # noqa: E402
from tests.processes import environment, running, x_server  # noqa: E402
from tests.tabletop import PATIENCE, Tabletop  # noqa: E402
from tests.test_window import FIRST, SIZE, WINDOW, Window  # noqa: E402


@pytest.fixture
def nmcli(tmp_path, monkeypatch):
    made = Nmcli(tmp_path)
    monkeypatch.setenv("PATH", f"{made.folder}{os.pathsep}{os.environ['PATH']}")
    return made


def wait_for_answers() -> None:
    """Waits until NetworkManager's answers are posted, which happens shortly after the device stops being busy."""
    for thread in threading.enumerate():
        if thread.name == "hotspot":
            thread.join(PATIENCE)
            assert not thread.is_alive(), "NetworkManager did not answer"


class Sitting:
    """A table with a hotspot, operated with two buttons."""

    def __init__(self, table: Tabletop) -> None:
        self.table, self.fingers = table, Fingers(table)
        table.context.devices.hotspot = Hotspot(table.mailbox.post)

    def open(self) -> None:
        say = self.table.context.say
        self.fingers.both()
        self.fingers.take(say("menu.settings"))
        self.fingers.take(say("settings.hotspot"))
        assert isinstance(self.table.scene, HotspotScreen)
        self.settle()

    def settle(self) -> None:
        """Waits until NetworkManager has answered and the screen is updated."""
        wait_for_answers()
        self.fingers.wait(0.1)

    def take(self, key: str) -> None:
        self.fingers.take(self.table.context.say(key))
        self.settle()

    @property
    def said(self) -> str:
        return " ".join(self.table.words)


def read(surface) -> str:
    """The content of the QR code on the screen."""
    seen = pygame.surfarray.array3d(surface).swapaxes(0, 1)[:, :, ::-1].copy()
    return cv2.QRCodeDetectorAruco().detectAndDecode(seen)[0]


@pytest.mark.parametrize("language", ["en", "es"])
def test_two_buttons_turn_the_hotspot_on_and_off_and_a_phone_can_scan_the_code(nmcli, language):
    with Tabletop((800, 480), pins=True, language=language) as table:
        sitting = Sitting(table)
        sitting.open()
        assert Catalogue(language)("hotspot.off") in sitting.said and read(table.surface) == ""
        sitting.take("hotspot.turn_on")
        name, password = nmcli.hotspot["802-11-wireless.ssid"], nmcli.hotspot[SECRET]
        assert {name, password} <= set(table.words) and "10.42.0.1" in sitting.said
        assert read(table.surface) == f"WIFI:T:WPA;S:{name};P:{password};;"
        sitting.take("hotspot.turn_off")
        assert Catalogue(language)("hotspot.off") in sitting.said and password not in sitting.said
        assert nmcli.connected == "" and nmcli.hotspot["connection.autoconnect"] == "no"
        sitting.take("settings.back")
        assert Catalogue(language)("settings.title") in sitting.said


@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (1280, 720), (1920, 1080)])
def test_the_code_can_be_scanned_on_every_screen_size_even_when_dimmed(size):
    with Tabletop(size, brightness=40) as table:
        table.context.devices.hotspot_state = HotspotState(True, "Café; 7", "wkpvdtrnqhzm", "10.42.0.1")
        table.context.devices.hotspot = Hotspot(lambda message: None)
        scene = HotspotScreen(table.context, table.context.devices.hotspot, table.scene)
        wait_for_answers()
        table.kiosk.show(scene, table.now)
        table.run(0.1)
        assert read(table.surface) == "WIFI:T:WPA;S:Café\\; 7;P:wkpvdtrnqhzm;;"


def test_the_first_press_never_turns_the_hotspot_off(nmcli):
    hotspot.switch(True)
    with Tabletop(pins=True) as table:
        sitting = Sitting(table)
        sitting.open()
        sitting.fingers.press("end")
        sitting.settle()
        assert nmcli.connected == "dicetable-hotspot"
        assert not isinstance(table.scene, HotspotScreen)


def test_the_settings_say_whether_the_hotspot_is_on(nmcli):
    with Tabletop(pins=True) as table:
        sitting = Sitting(table)
        for on in (False, True):
            hotspot.switch(on)
            sitting.fingers.both()
            sitting.fingers.take(table.context.say("menu.settings"))
            sitting.settle()
            sitting.fingers.find(table.context.say("settings.hotspot"))
            assert ("On" if on else "Off") in sitting.fingers.shown.split()
            sitting.fingers.hold_end()
            sitting.fingers.hold_end()


def test_the_screen_stays_responsive_while_networkmanager_is_slow(nmcli, tmp_path):
    gate = tmp_path / "gate"
    nmcli.set(gate=str(gate))
    with Tabletop(pins=True) as table:
        sitting = Sitting(table)
        sitting.open()
        sitting.fingers.take(table.context.say("hotspot.turn_on"))
        table.run(1.0)
        assert "One moment…" in sitting.said and table.context.devices.hotspot.busy
        gate.touch()
        sitting.settle()
        assert nmcli.hotspot[SECRET] in sitting.said


def test_while_networkmanager_is_busy_no_other_command_is_sent_and_the_screen_can_be_left(nmcli, tmp_path):
    gate = tmp_path / "gate"
    nmcli.set(gate=str(gate))
    with Tabletop(pins=True) as table:
        sitting = Sitting(table)
        sitting.open()
        sitting.fingers.take(table.context.say("hotspot.turn_on"))
        sitting.fingers.press("end")
        assert table.ears.heard[-1] == "refuse"
        sitting.fingers.hold_end()
        assert not isinstance(table.scene, HotspotScreen)
        gate.touch()
        sitting.settle()
        assert sum("up" in words for words in nmcli.state["said"]) == 1
        sitting.fingers.find(table.context.say("settings.hotspot"))
        assert "On" in sitting.fingers.shown.split()


def test_the_screen_names_the_network_that_would_be_disconnected(nmcli):
    nmcli.at_home("Vicarage")
    with Tabletop(pins=True) as table:
        sitting = Sitting(table)
        sitting.open()
        assert "While the hotspot is on, the table is disconnected from Vicarage." in sitting.said


@pytest.mark.parametrize(
    ("happens", "word"),
    [
        (lambda nmcli: (nmcli.folder / "nmcli").unlink(), "missing"),
        (lambda nmcli: nmcli.set(running=False), "asleep"),
        (lambda nmcli: nmcli.set(devices=nmcli.state["devices"][1:]), "no_wifi"),
        (lambda nmcli: nmcli.wifi("unavailable"), "radio"),
        (lambda nmcli: nmcli.set(fails="Device or resource busy"), "busy"),
        (lambda nmcli: nmcli.set(allowed=False), "denied"),
        (lambda nmcli: nmcli.set(fails="it rains"), "failed"),
    ],
    ids=["missing", "asleep", "no_wifi", "radio", "busy", "denied", "failed"],
)
def test_a_failure_is_explained_on_the_screen_and_can_be_retried(nmcli, happens, word, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", f"{nmcli.folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
    if word == "missing":
        monkeypatch.setenv("PATH", str(nmcli.folder))
    with Tabletop(pins=True) as table:
        sitting, say = Sitting(table), table.context.say
        sitting.open()
        happens(nmcli)
        sitting.take("hotspot.turn_on")
        assert say(f"hotspot.trouble.{word}", detail="Connection activation failed: it rains.") in sitting.said
        assert not nmcli.connected
        working = Nmcli(tmp_path / "working")
        monkeypatch.setenv("PATH", f"{working.folder}{os.pathsep}{os.environ['PATH']}")
        sitting.take("hotspot.again")
        assert working.connected == "dicetable-hotspot" and working.hotspot[SECRET] in sitting.said


def test_a_table_without_networkmanager_has_no_hotspot_entry():
    with Tabletop(pins=True) as table:
        Fingers(table).both()
        Fingers(table).take(table.context.say("menu.settings"))
        assert table.context.say("settings.hotspot") not in table.words


@pytest.fixture
def window(tmp_path, nmcli):
    """A real table in a window."""
    if shutil.which("xdotool") is None:
        pytest.skip("xdotool is not installed (Debian: xdotool)")
    (tmp_path / "home").mkdir()
    with x_server(tmp_path, WINDOW) as display:
        env = environment(tmp_path / "home", DISPLAY=display)
        with running("--window", WINDOW, env=env) as process:
            yield Window(tmp_path / "home", process, env, tmp_path / "Xvfb_screen0")


def test_keys_turn_the_hotspot_on_in_a_real_window(nmcli, tmp_path, window):
    with Tabletop(SIZE, folder=tmp_path / "shadow") as shadow:
        sitting = Sitting(shadow)
        shadow.context.devices.calibrating = shadow.context.session.dice.devices["camera"].calibrating
        shadow.kiosk.turn([DeviceLost("buttons", "")], [], shadow.now)

        def key(name: str, code: int, times: int = 1) -> None:
            for _ in range(times):
                window.key(name)
                shadow.key(code)
                sitting.settle()
                window.shows(shadow)

        window.shows(shadow, FIRST)
        key("Escape", pygame.K_ESCAPE)
        key("Up", pygame.K_UP, 4)
        key("Return", pygame.K_RETURN)
        key("Up", pygame.K_UP, 2)
        key("Return", pygame.K_RETURN)
        assert nmcli.connected == ""
        window.key("Return")
        end = time.monotonic() + PATIENCE
        while "IP4.ADDRESS" not in nmcli.state["said"][-1]:  # the last query when a hotspot is turned on
            assert time.monotonic() < end, "the hotspot was not turned on"
            time.sleep(0.05)
        assert nmcli.connected == "dicetable-hotspot"
        shadow.key(pygame.K_RETURN)
        sitting.settle()
        window.shows(shadow)
        assert read(window.seen()).startswith("WIFI:T:WPA;S:Dice Table ")
