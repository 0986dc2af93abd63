"""A kiosk's systemd unit, user, udev rule and polkit rule, each checked with the program that reads it."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from table.app.arguments import parsers
from table.devices.edice import PICO
from table.machine import service

FILES = Path(__file__).parent.parent / "systemd"
UNIT = FILES / "dicetable.service"
MOST_EXPOSED = 4.0  # on systemd-analyze's scale, from 0 (may do nothing) to 10 (may do everything)
SECONDS = 60
PACKAGES = {"systemd-analyze": "systemd", "systemd-sysusers": "systemd", "udevadm": "udev", "node": "nodejs"}
POWER = {
    f"org.freedesktop.login1.{verb}{more}" for verb in ("power-off", "reboot") for more in ("", "-multiple-sessions")
}


def tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed (Debian: {PACKAGES[name]})")
    return path


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], capture_output=True, encoding="utf-8", timeout=SECONDS)


@pytest.fixture(scope="module")
def unit() -> dict[str, list[str]]:
    """The unit's settings, by key."""
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE):
        found.setdefault(key, []).append(value)
    return found


# The unit


@pytest.fixture
def machine(tmp_path) -> Path:
    """A root folder with systemd's units, the table's unit, and the commands that it starts."""
    tool("systemd-analyze")
    theirs = next(path for path in (Path("/usr/lib/systemd/system"), Path("/lib/systemd/system")) if path.is_dir())
    shutil.copytree(theirs, tmp_path / "usr/lib/systemd/system", symlinks=True)
    for command in (tmp_path / "opt/dicetable/current/bin/dicetable", tmp_path / "bin/sh"):
        command.parent.mkdir(parents=True)
        command.write_text("#!/bin/sh\n", encoding="utf-8")
        command.chmod(0o755)
    ours = tmp_path / "etc/systemd/system/dicetable.service"
    ours.parent.mkdir(parents=True)
    shutil.copy(UNIT, ours)
    return tmp_path


def verified(machine: Path) -> str:
    """The problems that systemd finds in the unit."""
    done = run("systemd-analyze", "verify", f"--root={machine}", "dicetable.service")
    return f"{done.stdout}{done.stderr}" if done.returncode == 0 else f"status {done.returncode}: {done.stderr}"


def test_systemd_accepts_the_unit(machine):
    assert verified(machine) == ""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("ProtectSystem=strict", "ProtectSystem=stritc"), ("/current/bin/", "/bin/"), ("WatchdogSec=", "WachdogSec=")],
)
def test_a_mistake_in_the_unit_is_detected(machine, right, wrong):
    ours = machine / "etc/systemd/system/dicetable.service"
    ours.write_text(UNIT.read_text(encoding="utf-8").replace(right, wrong), encoding="utf-8")
    assert "dicetable" in verified(machine)


def test_the_units_exposure_level_is_low():
    tool("systemd-analyze")
    done = run(
        "systemd-analyze", "security", "--offline=yes", "--no-pager", f"--threshold={MOST_EXPOSED * 10:.0f}", UNIT
    )
    level = re.search(r"Overall exposure level for dicetable.service: ([\d.]+)", done.stdout)
    assert level and float(level[1]) <= MOST_EXPOSED, done.stdout[-200:] + done.stderr
    assert done.returncode == 0


def test_the_unit_starts_a_valid_command(unit):
    (command,) = unit["ExecStart"]
    program, *arguments = command.split()
    assert program == "/opt/dicetable/current/bin/dicetable"
    parsed = parsers()[0].parse_args(arguments)
    assert parsed.command == "table" and parsed.service


def test_the_unit_always_restarts_except_after_exit_from_the_menu(unit):
    assert unit["Restart"] == ["always"]
    assert unit["StartLimitIntervalSec"] == ["0"]
    assert unit["RestartPreventExitStatus"] == unit["SuccessExitStatus"] == [str(service.LEFT)]


@pytest.mark.parametrize(
    ("status", "asked"),
    [(str(service.LEFT), "--no-block start getty@tty1.service\n"), ("0", ""), ("1", ""), ("ABRT", "")],
)
@pytest.mark.skipif(sys.platform == "win32", reason="the line needs a POSIX shell")
def test_a_login_prompt_starts_only_after_exit_from_the_menu(unit, tmp_path, status, asked):
    (line,) = unit["ExecStopPost"]
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(f'#!/bin/sh\necho "$@" >"{tmp_path}/asked"\n', encoding="utf-8")
    systemctl.chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "EXIT_STATUS": status}
    subprocess.run(shlex.split(line.lstrip("+").replace("$$", "$")), env=env, check=True, timeout=SECONDS)
    told = tmp_path / "asked"
    assert (told.read_text(encoding="utf-8") if told.exists() else "") == asked


def test_the_working_directory_is_the_writable_data_folder(unit):
    state = f"/var/lib/{unit['StateDirectory'][0]}"
    given = dict(pair.split("=") for line in unit["Environment"] for pair in line.split())
    assert unit["WorkingDirectory"] == [state] == [f"{given['XDG_DATA_HOME']}/dicetable"]
    assert unit["ProtectSystem"] == ["strict"] and "ReadWritePaths" not in unit


def test_every_device_group_exists_before_the_unit_starts(unit):
    """systemd resolves device groups once, at the start, and a group such as char-ttyACM exists only once its driver is
    loaded."""
    drivers = {
        "char-drm": "drm", "char-video4linux": "videodev", "char-media": "mc", "char-alsa": "snd",
        "char-ttyACM": "cdc_acm", "char-ttyUSB": "usbserial",
    }  # fmt: skip
    always = {"/dev/tty1", "char-input", "char-gpiochip", "char-dma_heap"}
    allowed = {line.split()[0] for line in unit["DeviceAllow"]}
    assert unit["DevicePolicy"] == ["closed"] and allowed == always | set(drivers)
    for order in ("Wants", "After"):
        assert {f"modprobe@{driver}.service" for driver in drivers.values()} <= set(" ".join(unit[order]).split())


# The user


def test_the_user_has_only_the_groups_of_its_devices(tmp_path):
    command = tool("systemd-sysusers")
    (tmp_path / "etc").mkdir()
    done = run(command, f"--root={tmp_path}", FILES / "dicetable.sysusers")
    assert done.returncode == 0, done.stderr
    users = [line.split(":") for line in (tmp_path / "etc/passwd").read_text(encoding="utf-8").splitlines()]
    ((_, _, uid, _, _, home, shell),) = [user for user in users if user[0] == "dicetable"]
    assert 0 < int(uid) < 1000 and home == "/var/lib/dicetable" and shell.endswith("nologin")
    groups = [line.split(":") for line in (tmp_path / "etc/group").read_text(encoding="utf-8").splitlines()]
    assert {name for name, _, _, members in groups if members == "dicetable"} == {
        "gpio", "video", "render", "input", "audio", "dialout",
    }  # fmt: skip


def test_the_unit_runs_as_its_user(unit):
    lines = (FILES / "dicetable.sysusers").read_text(encoding="utf-8").splitlines()
    assert unit["User"] == [line.split()[1] for line in lines if line.startswith("u ")]


# The udev rule for e-dice

PICO_TTY = {
    "SUBSYSTEM": "tty", "ATTRS{idVendor}": f"{PICO:04x}", "ATTRS{idProduct}": "0005", "$attr{serial}": "e6614103e7",
}  # fmt: skip


def udev(device: dict[str, str]) -> dict[str, str]:
    """What the rules assign to a device. As in udev, a line applies only if all its comparisons match."""
    given: dict[str, str] = {}
    for line in (FILES / "dicetable.udev").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        parts = [re.fullmatch(r'([A-Z]+(?:\{\w+\})?)(==|\+=|=)"([^"]*)"', part.strip()) for part in line.split(",")]
        assert all(parts), f"this is not a valid udev line: {line}"
        words = [part.groups() for part in parts if part]
        if all(device.get(key) == value for key, sign, value in words if sign == "=="):
            for key, _, value in (word for word in words if word[1] != "=="):
                given[key] = re.sub(r"\$attr\{\w+\}", lambda name: device[name[0]], value)
    return given


def test_an_e_dice_gets_a_stable_name_and_the_tables_group():
    assert udev(PICO_TTY) == {
        "GROUP": "dialout", "MODE": "0660", "SYMLINK": "edice-e6614103e7", "ENV{ID_MM_PORT_IGNORE}": "1",
    }  # fmt: skip


@pytest.mark.parametrize(
    "other", [{"ATTRS{idVendor}": "1a86"}, {"ATTRS{idProduct}": "0003"}, {"SUBSYSTEM": "block"}, {"SUBSYSTEM": "usb"}]
)
def test_other_devices_are_left_alone(other):
    assert udev({**PICO_TTY, **other}) == {}


def test_udev_accepts_the_rule(tmp_path):
    command = tool("udevadm")
    if int(run(command, "--version").stdout.split()[0]) < 254:
        return  # this version has no `udevadm verify`; the tests above have to suffice
    rules = tmp_path / "60-dicetable.rules"
    shutil.copy(FILES / "dicetable.udev", rules)
    done = run(command, "verify", "--resolve-names=never", rules)
    assert done.returncode == 0, done.stdout + done.stderr


# The polkit rule

ASK = """
const fs = require("fs"), vm = require("vm");
const rules = [], polkit = {
    Result: {NO: "no", YES: "yes", AUTH_ADMIN: "auth_admin", NOT_HANDLED: null},
    addRule: (rule) => rules.push(rule),
};
vm.runInNewContext(fs.readFileSync(process.argv[1], "utf-8"), {polkit});
const asked = JSON.parse(process.argv[2]);
console.log(JSON.stringify(asked.map(([id, user, groups]) => {
    const subject = {user, groups, local: false, active: false, isInGroup: (name) => groups.includes(name)};
    return rules.map((rule) => rule({id, lookup: () => undefined}, subject)).find((answer) => answer) || null;
})));
"""


def answers(*asked: tuple[str, str, tuple[str, ...]]) -> list[Any]:
    """The polkit rules' answers. Each question is an action, a user and the user's groups."""
    done = run(tool("node"), "-e", ASK, "--", FILES / "dicetable.polkit", json.dumps(asked))
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def test_the_tables_user_may_shut_down_and_restart_the_machine():
    assert answers(*((action, "dicetable", ()) for action in sorted(POWER))) == ["yes"] * 4


def test_the_tables_user_may_turn_the_tables_wifi_on_and_off():
    manager = "org.freedesktop.NetworkManager."
    actions = ("network-control", "settings.modify.system", "wifi.share.protected")
    assert answers(*((manager + action, "dicetable", ()) for action in actions)) == ["yes"] * 3


def test_the_tables_user_may_do_nothing_else():
    others = [
        "org.freedesktop.login1.power-off-ignore-inhibit", "org.freedesktop.login1.reboot-ignore-inhibit",
        "org.freedesktop.login1.halt", "org.freedesktop.login1.suspend", "org.freedesktop.login1.power",
        "org.freedesktop.login1.set-reboot-to-firmware-setup", "org.freedesktop.systemd1.manage-units",
        "org.freedesktop.NetworkManager.settings.modify.hostname", "org.freedesktop.NetworkManager.wifi.share.open",
        "org.freedesktop.policykit.exec", "",
    ]  # fmt: skip
    assert answers(*((action, "dicetable", ("video",)) for action in others)) == [None] * len(others)


def test_other_users_get_no_rights():
    users = ["pi", "root", "dicetable2", "Dicetable", "", "nobody"]
    assert (
        answers(*((action, user, ("dicetable", "sudo")) for action in sorted(POWER) for user in users)) == [None] * 24
    )
