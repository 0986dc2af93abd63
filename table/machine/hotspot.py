"""The table's own Wi-Fi, for places without one: NetworkManager turns this machine into an access point.

Its one rule: NetworkManager stores everything: the name, the password, and whether the hotspot is on, even after a
restart. Nothing is cached here; every answer comes from nmcli.
"""

import os
import re
import secrets
import subprocess
from dataclasses import dataclass

from table.machine.commands import run
from table.session.messages import HotspotState

PROFILE = "dicetable-hotspot"  # the name of NetworkManager's connection profile
LETTERS = "bcdfghjkmnpqrstvwxyz"  # for passwords: no l, which looks like 1; no vowels, which make words; no capitals
LENGTH = 12  # the length of the password: 2^51 possibilities
PATIENCE = 20  # seconds to wait for nmcli
SWITCHING = 45  # extra seconds for bringing the hotspot up or down; a slow machine takes ten
FIRST = 100  # autoconnect priority, above the other networks that this machine knows

TROUBLES = {
    "missing": "nmcli is not installed: run sudo apt install network-manager.",
    "asleep": "NetworkManager is not running: start it with sudo systemctl enable --now NetworkManager.",
    "no_wifi": "NetworkManager has no usable Wi-Fi device: plug one in, and check it with nmcli device.",
    "radio": "Wi-Fi is off: set its country with sudo raspi-config, or turn it on with nmcli radio wifi on.",
    "busy": "The Wi-Fi is busy with another connection: try again in a moment.",
    "denied": "NetworkManager does not permit this: use sudo, or add a polkit rule for this user.",
    "failed": "NetworkManager failed: {detail}",
}
"""Error messages by code, for the command. The kiosk has its own texts for these codes."""


class _Trouble(Exception):
    def __init__(self, word: str, detail: str = "") -> None:
        self.word, self.detail = word, detail


class _Unknown(_Trouble):
    """There is no such connection or device."""


@dataclass(frozen=True)
class _Device:
    name: str
    state: str  # connected, disconnected, connecting (...), deactivating, unavailable, unmanaged
    connection: str  # the name of the device's active profile

    @property
    def on(self) -> bool:
        return self.connection == PROFILE and self.state == "connected"


def look() -> HotspotState:
    """The current state of the hotspot."""
    try:
        return _stands(_device())
    except _Trouble as why:
        return HotspotState(trouble=why.word, detail=why.detail)


def switch(on: bool) -> HotspotState:
    """Turns the hotspot on or off, and keeps it so after a restart. Returns the new state."""
    try:
        if on:
            _up(_device())
        else:
            _down(_device())
        return _stands(_device())
    except _Trouble as why:
        return HotspotState(trouble=why.word, detail=why.detail)


def sentence(state: HotspotState) -> str:
    """The error message for a state, as shown in a terminal."""
    return TROUBLES[state.trouble].format(detail=state.detail)


def joining(name: str, password: str) -> str:
    """The content of a QR code that lets a phone join the network."""
    name, password = (re.sub(r'([\\;,":])', r"\\\1", text) for text in (name, password))
    return f"WIFI:T:WPA;S:{name};P:{password};;"


def _stands(device: _Device) -> HotspotState:
    if not device.on:
        kept = _kept(device.connection) if device.state == "connected" else None
        return HotspotState(network=kept[0] if kept else "")
    kept = _kept(PROFILE)
    if kept is None or not kept[1]:  # without permission, nmcli shows an empty password
        raise _Trouble("denied")
    address = _nmcli("-g", "IP4.ADDRESS", "device", "show", device.name).partition("/")[0].strip()
    return HotspotState(True, *kept, address)


def _up(device: _Device) -> None:
    if device.on:
        return
    if device.state.startswith(("connecting", "deactivating")):
        raise _Trouble("busy")
    if _kept(PROFILE) is None:
        _make()
    _nmcli("--wait", str(SWITCHING), "connection", "up", "id", PROFILE, "ifname", device.name, patience=SWITCHING)
    _set_autoconnect(True)


def _down(device: _Device) -> None:
    if _kept(PROFILE) is not None:
        _set_autoconnect(False)  # must come first, or NetworkManager would bring the hotspot up again
    if device.connection == PROFILE:
        _nmcli("--wait", str(SWITCHING), "connection", "down", "id", PROFILE, patience=SWITCHING)


def _make() -> None:
    """Creates the profile, with a random name and password. The password is briefly visible in the process list, which
    does no harm: the screen shows it to everybody in the room."""
    profile = {
        "type": "wifi",
        "con-name": PROFILE,
        "ifname": "*",
        "autoconnect": "no",
        "ssid": f"Dice Table {100 + secrets.randbelow(900)}",  # random, in case two tables are near each other
        "802-11-wireless.mode": "ap",
        "802-11-wireless.band": "bg",
        "802-11-wireless-security.key-mgmt": "wpa-psk",
        # The Pi's built-in Wi-Fi does not support protected management frames (PMF) as an access point: phones could
        # not join, or the hotspot would not start.
        "802-11-wireless-security.proto": "rsn",
        "802-11-wireless-security.pairwise": "ccmp",
        "802-11-wireless-security.group": "ccmp",
        "802-11-wireless-security.pmf": "disable",
        "802-11-wireless-security.psk": "".join(secrets.choice(LETTERS) for _ in range(LENGTH)),
        "ipv4.method": "shared",
        "ipv6.method": "disabled",
        "connection.autoconnect-priority": str(FIRST),
    }
    _nmcli("connection", "add", *(word for pair in profile.items() for word in pair))


def _set_autoconnect(on: bool) -> None:
    """Sets whether the hotspot starts when the machine boots."""
    _nmcli("connection", "modify", "id", PROFILE, "connection.autoconnect", "yes" if on else "no")


def _kept(profile: str) -> tuple[str, str] | None:
    """The SSID of a profile, and the password if the profile is ours. None if there is no such profile."""
    wanted = "802-11-wireless.ssid,802-11-wireless-security.psk"
    shown = ("-s",) if profile == PROFILE else ()  # never ask for the password of another network
    try:
        told = _nmcli(*shown, "-e", "no", "-g", wanted, "connection", "show", "id", profile)
    except _Unknown:
        return None
    name, password, *_ = [*told.split("\n"), "", ""]
    return name, password


def _device() -> _Device:
    """The Wi-Fi device to use: one that runs the hotspot, or else a free one, or else one that is connected."""
    told = _nmcli("-t", "-f", "DEVICE,TYPE,STATE,CONNECTION", "device", "status")
    rows = [_fields(line) for line in told.splitlines()]
    found = [_Device(name, state, connection) for name, kind, state, connection in rows if kind == "wifi"]
    usable = [device for device in found if device.state not in ("unmanaged", "unavailable")]
    if not usable:
        raise _Trouble("radio" if any(device.state == "unavailable" for device in found) else "no_wifi")
    return min(usable, key=lambda device: (not device.on, device.state != "disconnected", device.name))


def _fields(line: str) -> list[str]:
    """Splits a line of nmcli -t at its colons, and removes the backslashes that escape colons within fields."""
    return [re.sub(r"\\(.)", r"\1", field) for field in re.findall(r"(?:^|:)((?:\\.|[^:\\])*)", line)]


def _nmcli(*words: str, patience: float = 0.0) -> str:
    """Runs nmcli and returns its output, always in English."""
    try:
        done = run(["nmcli", *words], PATIENCE + patience, {**os.environ, "LC_ALL": "C.UTF-8"})
    except subprocess.TimeoutExpired:
        raise _Trouble("failed", "nmcli did not answer.") from None
    except OSError:
        raise _Trouble("missing") from None
    if done.returncode:
        raise _why(done.returncode, done.stderr)
    return done.stdout


def _why(status: int, said: str) -> _Trouble:
    """The error for nmcli's exit status (its manual lists them) and message."""
    words = said.strip().partition("\n")[0].removeprefix("Error: ")
    if status == 10:
        return _Unknown("failed", words)
    if status == 8 or "NMClient" in words:  # an error with NMClient means that D-Bus is not running either
        return _Trouble("asleep")
    if any(sign in words.lower() for sign in ("insufficient privileges", "not authorized", "permission denied")):
        return _Trouble("denied")
    if "busy" in words.lower():
        return _Trouble("busy")
    return _Trouble("failed", words if words.endswith(".") else f"{words}.")
