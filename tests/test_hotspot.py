"""The table's own Wi-Fi, with a fake nmcli that keeps NetworkManager's state. Tests of the output run the real
command; all others call the module."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from table.machine import hotspot
from table.session.messages import HotspotState
from tests import processes
from tests.nmcli import SECRET, Nmcli
from tests.terminal_session import Sitting

pytestmark = [
    pytest.mark.ground,
    pytest.mark.skipif(sys.platform == "win32", reason="the fake nmcli is a Unix script"),
]
pytest.importorskip("segno", reason="segno is not installed: make test installs it")
cv2 = pytest.importorskip("cv2", reason="opencv-python-headless is not installed: make test installs it")
numpy = pytest.importorskip("numpy", reason="numpy is not installed: make test installs it")


@pytest.fixture
def nmcli(tmp_path, monkeypatch):
    made = Nmcli(tmp_path)
    monkeypatch.setenv("PATH", f"{made.folder}{os.pathsep}{os.environ['PATH']}")
    return made


def run(*words: str, start=processes.typed) -> "subprocess.CompletedProcess[str]":
    return start("hotspot", *words, env={**os.environ, "PYTHONIOENCODING": "utf-8"})


def read(picture) -> str:
    """The content of the QR code."""
    return cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0]


def photographed(lines: list[str]):
    """A picture of a terminal with light text on a dark background; each half block is a square of ten pixels."""
    rows = [[mark in marks for mark in line] for line in lines for marks in ("▀█", "▄█")]
    return numpy.kron(numpy.array(rows, numpy.uint8) * 255, numpy.ones((10, 10), numpy.uint8))


def code_in(output: str) -> str:
    return read(photographed([line for line in output.splitlines() if line and set(line) <= set(" ▀▄█")]))


def test_on_makes_an_access_point_and_shows_how_to_join_it(nmcli):
    done = run("on", start=processes.run)
    assert (done.returncode, done.stderr) == (0, "")
    kept = nmcli.hotspot
    name, password = kept["802-11-wireless.ssid"], kept[SECRET]
    assert f"name      {name}\n" in done.stdout and f"password  {password}\n" in done.stdout
    assert "address   10.42.0.1\n" in done.stdout
    assert code_in(done.stdout) == f"WIFI:T:WPA;S:{name};P:{password};;"
    assert nmcli.connected == "dicetable-hotspot"
    assert (kept["802-11-wireless.mode"], kept["ipv4.method"]) == ("ap", "shared")


def test_the_hotspot_uses_an_encryption_that_a_pis_wifi_supports(nmcli):
    hotspot.switch(True)
    security = {name.partition(".")[2]: value for name, value in nmcli.hotspot.items() if "-security." in name}
    assert security.pop("psk")
    assert security == {"key-mgmt": "wpa-psk", "proto": "rsn", "pairwise": "ccmp", "group": "ccmp", "pmf": "disable"}


def test_the_password_is_long_and_has_only_unambiguous_letters(nmcli):
    password = hotspot.switch(True).password
    assert len(password) >= 10 and password.isascii() and password.islower() and password.isalpha()
    assert not set(password) & set("ilo")


def test_every_table_has_its_own_permanent_password(nmcli, tmp_path, monkeypatch):
    first = hotspot.switch(True)
    assert not hotspot.switch(False).on
    assert hotspot.switch(True) == hotspot.switch(True) == hotspot.look() == first
    other = Nmcli(tmp_path / "other")
    monkeypatch.setenv("PATH", f"{other.folder}{os.pathsep}{os.environ['PATH']}")
    assert hotspot.switch(True).password not in ("", first.password)


def test_once_turned_on_the_hotspot_starts_at_boot_before_other_networks_until_it_is_turned_off(nmcli):
    nmcli.at_home()
    hotspot.switch(True)
    assert nmcli.hotspot["connection.autoconnect"] == "yes"
    assert int(nmcli.hotspot["connection.autoconnect-priority"]) > 0
    hotspot.switch(False)
    assert nmcli.hotspot["connection.autoconnect"] == "no"


def test_on_names_the_network_it_disconnects_and_off_reconnects_it(nmcli):
    nmcli.at_home()
    assert run().stdout == "The table hotspot is off. The table uses Home sweet home.\n"
    assert run("on").stdout.startswith("The table now leaves the Wi-Fi Home sweet home and opens its own.\n")
    assert nmcli.connected == "dicetable-hotspot"
    assert run("off").stdout == "The table hotspot is off. The table uses Home sweet home.\n"
    assert nmcli.connected == "preconfigured"


def test_off_does_nothing_if_the_hotspot_was_never_on(nmcli):
    nmcli.at_home()
    before = nmcli.state
    done = run("off")
    assert (done.returncode, done.stderr) == (0, "")
    assert {**nmcli.state, "said": []} == {**before, "said": []}


def test_a_free_second_device_is_preferred_to_a_connected_one(nmcli):
    nmcli.at_home()
    free = {"DEVICE": "wlan1", "TYPE": "wifi", "STATE": "disconnected", "CONNECTION": ""}
    nmcli.set(devices=[*nmcli.state["devices"], free])
    assert hotspot.switch(True).on
    assert nmcli.connected == "preconfigured"
    assert nmcli.state["devices"][-1]["CONNECTION"] == "dicetable-hotspot"
    hotspot.switch(False)
    assert nmcli.state["devices"][-1]["CONNECTION"] == "" and nmcli.connected == "preconfigured"


def test_a_custom_name_and_password_are_shown_unchanged_and_escaped_in_the_code(nmcli):
    hotspot.switch(True)
    nmcli.change(**{"802-11-wireless.ssid": 'Bar: "7;8,9\\', SECRET: "a\\b;c:d,e"})
    done = run()
    assert '  name      Bar: "7;8,9\\\n  password  a\\b;c:d,e\n' in done.stdout
    assert code_in(done.stdout) == 'WIFI:T:WPA;S:Bar\\: \\"7\\;8\\,9\\\\;P:a\\\\b\\;c\\:d\\,e;;'


def test_the_code_is_light_on_dark_in_any_terminal_theme(nmcli):
    sitting = Sitting("hotspot", "on", tty=True)
    assert sitting.until_question() is None
    assert sitting.end() == (0, "")
    coloured = re.findall(r"^\x1b\[97;40m(.*)\x1b\[0m$", sitting.text, re.M)
    assert read(photographed(coloured)).startswith("WIFI:T:WPA;S:Dice Table ")
    assert max(map(len, coloured)) <= 60 and len(coloured) <= 24


def test_connection_names_may_contain_colons(nmcli):
    nmcli.at_home("Café: 5 GHz \\ left")
    connections = nmcli.state["connections"]
    connections[0]["connection.id"] = "auto:wifi\\1"
    nmcli.set(connections=connections)
    nmcli.wifi("connected", "auto:wifi\\1")
    assert hotspot.look().network == "Café: 5 GHz \\ left"


FAILURES = {
    "not running": (lambda nmcli: nmcli.set(running=False), "NetworkManager is not running: start it"),
    "no D-Bus": (lambda nmcli: nmcli.set(running=None), "NetworkManager is not running: start it"),
    "no Wi-Fi": (lambda nmcli: nmcli.set(devices=nmcli.state["devices"][1:]), "no usable Wi-Fi device: plug one in"),
    "unmanaged": (lambda nmcli: nmcli.wifi("unmanaged"), "no usable Wi-Fi device"),
    "radio off": (lambda nmcli: nmcli.wifi("unavailable"), "Wi-Fi is off: set its country"),
    "not allowed": (lambda nmcli: nmcli.set(allowed=False), "NetworkManager does not permit this: use sudo"),
    "connecting": (lambda nmcli: nmcli.wifi("connecting (getting IP configuration)", "preconfigured"), "busy"),
    "busy": (lambda nmcli: nmcli.set(fails="Device or resource busy"), "busy with another connection: try again"),
    "supplicant": (
        lambda nmcli: nmcli.set(fails="802.1X supplicant took too long to authenticate"),
        "NetworkManager failed: Connection activation failed: 802.1X supplicant took too long",
    ),
}


@pytest.mark.parametrize("wrong", FAILURES)
def test_a_failure_is_one_sentence_and_leaves_the_network_unchanged(nmcli, wrong):
    nmcli.at_home()
    happens, says = FAILURES[wrong]
    happens(nmcli)
    before = nmcli.connected
    done = run("on")
    assert done.returncode == 1
    assert says in done.stderr and done.stderr.endswith(".\n") and len(done.stderr.splitlines()) == 1
    assert nmcli.connected == before
    assert nmcli.hotspot.get("connection.autoconnect", "no") == "no"


def test_without_nmcli_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    done = run("on")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"dicetable: {hotspot.TROUBLES['missing']}\n"


def test_a_user_without_permission_gets_no_password_and_cannot_turn_it_off(nmcli):
    hotspot.switch(True)
    nmcli.set(allowed=False)
    assert hotspot.look() == hotspot.switch(False) == HotspotState(trouble="denied")
    assert nmcli.connected == "dicetable-hotspot"


def test_the_state_can_be_read_as_json(nmcli):
    nmcli.at_home()
    off = {"on": False, "name": "", "password": "", "address": "", "network": "Home sweet home"}
    assert json.loads(run("--json").stdout) == off
    kept = json.loads(run("on", "--json").stdout)
    assert kept.pop("password") == nmcli.hotspot[SECRET] and kept.pop("name").startswith("Dice Table ")
    assert kept == {"on": True, "address": "10.42.0.1", "network": ""}


@pytest.mark.parametrize(("words", "status"), [(["on"], 1), ([], 1), (["maybe"], 2), (["--loud"], 2)])
def test_errors_can_be_read_as_json_too(nmcli, words, status):
    nmcli.set(running=False)
    done, plain = run(*words, "--json"), run(*words)
    assert (done.returncode, done.stderr) == (plain.returncode, "") and done.returncode == status
    answer = json.loads(done.stdout)
    assert list(answer) == ["error"] and plain.stderr.endswith(f"{answer['error']}\n") and not plain.stdout


def test_an_nmcli_that_never_answers_times_out(nmcli, monkeypatch):
    (nmcli.folder / "nmcli").write_text("#!/bin/sh\nexec sleep 600\n")
    assert shutil.which("nmcli") == str(nmcli.folder / "nmcli")
    monkeypatch.setattr(hotspot, "PATIENCE", 0.3)
    assert hotspot.sentence(hotspot.look()) == "NetworkManager failed: nmcli did not answer."


@pytest.mark.parametrize("words", [["maybe"], ["on", "off"], ["--loud"]], ids=" ".join)
def test_wrong_arguments_get_one_line_and_status_2(nmcli, words):
    done = run(*words)
    assert (done.returncode, len(done.stderr.splitlines()), done.stdout) == (2, 1, "")
    assert "dicetable hotspot --help" in done.stderr
