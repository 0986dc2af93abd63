"""The table's own Wi-Fi, for a place that has none: NetworkManager makes this machine an access point.

Its one rule: NetworkManager keeps all of it: the name, the password, and whether it is on, over a restart too. Nothing
is remembered here; what is told is what nmcli has just said.
"""

import os
import re
import secrets
import subprocess
from dataclasses import dataclass

from table.machine.commands import run
from table.session.messages import HotspotState

PROFILE = "dicetable-hotspot"  # under which NetworkManager keeps it
LETTERS = "bcdfghjkmnpqrstvwxyz"  # no l that looks like a 1, no vowels that make words, nothing to shift for on a phone
LENGTH = 12  # of them: 2^51 passwords
PATIENCE = 20  # seconds for an answer of nmcli
SWITCHING = 45  # seconds that NetworkManager has to bring it up or down: a slow one takes ten
FIRST = 100  # once it is on, it comes before the other networks that this machine knows

TROUBLES = {
    "missing": "There is no nmcli here: install NetworkManager with sudo apt install network-manager.",
    "asleep": "NetworkManager is not running: start it with sudo systemctl enable --now NetworkManager.",
    "no_wifi": "NetworkManager has no Wi-Fi device to use: plug one in, and see what nmcli device says.",
    "radio": "Wi-Fi is switched off: set its country with sudo raspi-config, or switch it on with nmcli radio wifi on.",
    "busy": "The Wi-Fi is busy with another connection: try again in a moment.",
    "denied": "NetworkManager does not allow it: use sudo, or allow this user its actions by a polkit rule.",
    "failed": "NetworkManager could not do it: {detail}",
}
"""By their words; the kiosk has texts of its own for them."""


class _Trouble(Exception):
    def __init__(self, word: str, detail: str = "") -> None:
        self.word, self.detail = word, detail


class _Unknown(_Trouble):
    """There is no such connection or device."""


@dataclass(frozen=True)
class _Device:
    name: str
    state: str  # connected, disconnected, connecting (...), deactivating, unavailable, unmanaged
    connection: str  # the profile that it is used with

    @property
    def on(self) -> bool:
        return self.connection == PROFILE and self.state == "connected"


def look() -> HotspotState:
    """How it stands."""
    try:
        return _stands(_device())
    except _Trouble as why:
        return HotspotState(trouble=why.word, detail=why.detail)


def switch(on: bool) -> HotspotState:
    """It is brought up or down, and stays so; how it stands then."""
    try:
        if on:
            _up(_device())
        else:
            _down(_device())
        return _stands(_device())
    except _Trouble as why:
        return HotspotState(trouble=why.word, detail=why.detail)


def sentence(state: HotspotState) -> str:
    """What is wrong, for a terminal."""
    return TROUBLES[state.trouble].format(detail=state.detail)


def joining(name: str, password: str) -> str:
    """What a phone reads from a code to join that network."""
    name, password = (re.sub(r'([\\;,":])', r"\\\1", text) for text in (name, password))
    return f"WIFI:T:WPA;S:{name};P:{password};;"


def _stands(device: _Device) -> HotspotState:
    if not device.on:
        kept = _kept(device.connection) if device.state == "connected" else None
        return HotspotState(network=kept[0] if kept else "")
    kept = _kept(PROFILE)
    if kept is None or not kept[1]:  # to whoever may not know it, nmcli shows an empty one
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
    _again(True)


def _down(device: _Device) -> None:
    if _kept(PROFILE) is not None:
        _again(False)  # before it goes down, or NetworkManager would bring it up again
    if device.connection == PROFILE:
        _nmcli("--wait", str(SWITCHING), "connection", "down", "id", PROFILE, patience=SWITCHING)


def _make() -> None:
    """A profile with a name and a password of its own. That others on this machine could see the password in the list
    of processes for a moment does no harm: it stands on the screen for everybody in the room."""
    profile = {
        "type": "wifi",
        "con-name": PROFILE,
        "ifname": "*",
        "autoconnect": "no",
        "ssid": f"Dice Table {100 + secrets.randbelow(900)}",  # there may be another table in the room
        "802-11-wireless.mode": "ap",
        "802-11-wireless.band": "bg",
        "802-11-wireless-security.key-mgmt": "wpa-psk",
        # The Pi's own Wi-Fi cannot protect management frames as an access point: phones, or all of it, would fail.
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


def _again(on: bool) -> None:
    """Whether it comes up by itself when the machine starts."""
    _nmcli("connection", "modify", "id", PROFILE, "connection.autoconnect", "yes" if on else "no")


def _kept(profile: str) -> tuple[str, str] | None:
    """The name of that Wi-Fi, and the password if it is our own; if there is such a profile."""
    wanted = "802-11-wireless.ssid,802-11-wireless-security.psk"
    shown = ("-s",) if profile == PROFILE else ()  # nobody else's password is any business of ours
    try:
        told = _nmcli(*shown, "-e", "no", "-g", wanted, "connection", "show", "id", profile)
    except _Unknown:
        return None
    name, password, *_ = [*told.split("\n"), "", ""]
    return name, password


def _device() -> _Device:
    """The Wi-Fi device with the hotspot; else one that is free; else one that would leave its network for it."""
    told = _nmcli("-t", "-f", "DEVICE,TYPE,STATE,CONNECTION", "device", "status")
    rows = [_fields(line) for line in told.splitlines()]
    found = [_Device(name, state, connection) for name, kind, state, connection in rows if kind == "wifi"]
    usable = [device for device in found if device.state not in ("unmanaged", "unavailable")]
    if not usable:
        raise _Trouble("radio" if any(device.state == "unavailable" for device in found) else "no_wifi")
    return min(usable, key=lambda device: (not device.on, device.state != "disconnected", device.name))


def _fields(line: str) -> list[str]:
    """Of a line that nmcli wrote with -t: colons between them, and a backslash before what is none between."""
    return [re.sub(r"\\(.)", r"\1", field) for field in re.findall(r"(?:^|:)((?:\\.|[^:\\])*)", line)]


def _nmcli(*words: str, patience: float = 0.0) -> str:
    """What it says, in the words of no language but English."""
    try:
        done = run(["nmcli", *words], PATIENCE + patience, {**os.environ, "LC_ALL": "C.UTF-8"})
    except subprocess.TimeoutExpired:
        raise _Trouble("failed", "It does not answer.") from None
    except OSError:
        raise _Trouble("missing") from None
    if done.returncode:
        raise _why(done.returncode, done.stderr)
    return done.stdout


def _why(status: int, said: str) -> _Trouble:
    """By the exit status, as nmcli's manual has them, and by what it says."""
    words = said.strip().partition("\n")[0].removeprefix("Error: ")
    if status == 10:
        return _Unknown("failed", words)
    if status == 8 or "NMClient" in words:  # the second: there is not even a D-Bus
        return _Trouble("asleep")
    if any(sign in words.lower() for sign in ("insufficient privileges", "not authorized", "permission denied")):
        return _Trouble("denied")
    if "busy" in words.lower():
        return _Trouble("busy")
    return _Trouble("failed", words if words.endswith(".") else f"{words}.")
