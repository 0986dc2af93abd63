"""A stand-in for nmcli with NetworkManager behind it: a program on PATH that takes the words the real one takes,
refuses the rest as it does, and keeps its connections in a file.

Its one rule: words, exit statuses and errors are those of nmcli 1.42 (Bookworm), and of nothing that the table would
like better. What the radio does, and what goes wrong, is what a test says.
"""

import json
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

STATE = "STAND_IN_NMCLI"  # names the file, in the environment
FIELDS = {
    "device status": ("DEVICE", "TYPE", "STATE", "IP4-CONNECTIVITY", "CONNECTION"),
    "device show": ("GENERAL.DEVICE", "GENERAL.STATE", "IP4.ADDRESS", "IP4.GATEWAY"),
}
WORDS: dict[str, Callable[[str], Any]] = {  # of properties: what they may be
    "connection.id": str,
    "connection.interface-name": lambda text: re.fullmatch(r"[a-z0-9]{0,15}", text),
    "connection.autoconnect": lambda text: text in ("yes", "no"),
    "connection.autoconnect-priority": lambda text: -999 <= int(text) <= 999,
    "802-11-wireless.ssid": lambda text: 1 <= len(text.encode()) <= 32,
    "802-11-wireless.mode": lambda text: text in ("infrastructure", "mesh", "adhoc", "ap"),
    "802-11-wireless.band": lambda text: text in ("a", "bg"),
    "802-11-wireless-security.key-mgmt": lambda text: text in ("none", "wpa-psk", "sae", "owe", "ieee8021x"),
    "802-11-wireless-security.proto": lambda text: text in ("wpa", "rsn"),
    "802-11-wireless-security.pairwise": lambda text: text in ("tkip", "ccmp"),
    "802-11-wireless-security.group": lambda text: text in ("wep40", "wep104", "tkip", "ccmp"),
    "802-11-wireless-security.pmf": lambda text: text in ("default", "disable", "optional", "required"),
    "802-11-wireless-security.psk": lambda text: re.fullmatch(r"[ -~]{8,63}|[0-9a-fA-F]{64}", text),
    "ipv4.method": lambda text: text in ("auto", "manual", "link-local", "shared", "disabled"),
    "ipv6.method": lambda text: text in ("auto", "manual", "link-local", "shared", "disabled", "ignore"),
}
SHORT = {
    "con-name": "connection.id",
    "ifname": "connection.interface-name",
    "autoconnect": "connection.autoconnect",
    "ssid": "802-11-wireless.ssid",
    "mode": "802-11-wireless.mode",
}
LONG = 20.0  # seconds that it takes to come up, if the test opens no gate before
SECRET = "802-11-wireless-security.psk"


# For the tests


class Nmcli:
    """`folder` goes to the front of PATH. `state` is what NetworkManager would know; a test may change it."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "bin"
        self.folder.mkdir(parents=True)
        self.file = home / "networkmanager.json"
        program = self.folder / "nmcli"
        program.write_text(f'#!/bin/sh\n{STATE}="{self.file}" exec "{sys.executable}" -S "{__file__}" "$@"\n')
        program.chmod(0o755)
        wlan0 = {"DEVICE": "wlan0", "TYPE": "wifi", "STATE": "disconnected", "CONNECTION": ""}
        others = [
            {"DEVICE": "eth0", "TYPE": "ethernet", "STATE": "unavailable", "CONNECTION": ""},
            {"DEVICE": "p2p-dev-wlan0", "TYPE": "wifi-p2p", "STATE": "disconnected", "CONNECTION": ""},
            {"DEVICE": "lo", "TYPE": "loopback", "STATE": "unmanaged", "CONNECTION": ""},
        ]
        self.set(running=True, allowed=True, fails="", gate="", devices=[wlan0, *others], connections=[], said=[])

    @property
    def state(self) -> dict[str, Any]:
        return json.loads(self.file.read_text(encoding="utf-8"))

    def set(self, **changes: Any) -> None:
        kept = self.state if self.file.exists() else {}
        keep(self.file, {**kept, **changes})

    def wifi(self, state: str, connection: str = "") -> None:
        """The Wi-Fi device is in that state."""
        first, *others = self.state["devices"]
        self.set(devices=[{**first, "STATE": state, "CONNECTION": connection}, *others])

    def at_home(self, ssid: str = "Home sweet home") -> None:
        """The machine is in a Wi-Fi that it knows, under the name that an installer gave it."""
        known = {"connection.id": "preconfigured", "connection.autoconnect": "yes", "802-11-wireless.ssid": ssid}
        self.set(connections=[*self.state["connections"], {**known, SECRET: "open sesame"}])
        self.wifi("connected", "preconfigured")

    @property
    def hotspot(self) -> dict[str, str]:
        """The properties of the table's profile; empty if there is none."""
        return next((one for one in self.state["connections"] if one["connection.id"] == "dicetable-hotspot"), {})

    def change(self, **properties: str) -> None:
        """Somebody else changed the table's profile."""
        connections = self.state["connections"]
        next(one for one in connections if one["connection.id"] == "dicetable-hotspot").update(properties)
        self.set(connections=connections)

    @property
    def connected(self) -> str:
        """The profile that the Wi-Fi device is used with."""
        return str(self.state["devices"][0]["CONNECTION"])


# The program


class Refused(Exception):
    def __init__(self, status: int, words: str) -> None:
        self.status, self.words = status, words


def main(words: list[str]) -> int:
    path = Path(os.environ[STATE])
    state = json.loads(path.read_text(encoding="utf-8"))
    state["said"].append(list(words))
    try:
        answer(state, words)
    except Refused as why:
        print(f"Error: {why.words}", file=sys.stderr)
        return why.status
    finally:
        keep(path, state)
    return 0


def keep(path: Path, state: dict[str, Any]) -> None:
    """Whoever reads it meanwhile reads all of the one before."""
    new = path.with_suffix(f".{os.getpid()}")
    new.write_text(json.dumps(state), encoding="utf-8")
    new.replace(path)


def answer(state: dict[str, Any], words: list[str]) -> None:
    look = options(words)
    if state["running"] is None:
        raise Refused(1, "Could not create NMClient object: Could not connect: No such file or directory.")
    if not state["running"]:
        raise Refused(8, "NetworkManager is not running.")
    command, rest = " ".join(words[:2]), words[2:]
    match command, rest:
        case "device status", []:
            tell(look, FIELDS[command], state["devices"])
        case "device show", [name]:
            device = next((one for one in state["devices"] if one["DEVICE"] == name), None)
            if device is None:
                raise Refused(10, f"Device '{name}' not found.")
            address = {"IP4.ADDRESS": device["ADDRESS"]} if device.get("ADDRESS") else {}
            values(look, FIELDS[command], [{"GENERAL.DEVICE": name, **address}])
        case "connection show", ["id", name]:
            hidden = {} if look["-s"] and state["allowed"] else {SECRET: ""}
            values(look, tuple(WORDS), [{**one, **hidden} for one in known(state, name, "show")])
        case "connection add", _:
            add(state, rest)
        case "connection modify", ["id", name, *pairs]:
            found = known(state, name, "modify")
            allow(state, 1, f"Failed to modify connection '{name}'")
            found[0].update(properties(pairs, f"failed to modify {' '.join(pairs)}"))
        case "connection up", ["id", name, *device] if device[:-1] in ([], ["ifname"]):
            up(state, known(state, name, "up")[0], device[-1] if device else "")
        case "connection down", ["id", name]:
            down(state, name)
        case "connection delete", ["id", name]:
            known(state, name, "delete")
            allow(state, 7, "Connection deletion failed")
            state["connections"] = [one for one in state["connections"] if one["connection.id"] != name]
        case _:
            raise Refused(2, f"argument '{' '.join(words)}' not understood. Try passing --help instead.")


def options(words: list[str]) -> dict[str, Any]:
    """Takes them off the front."""
    found: dict[str, Any] = {"-t": False, "-s": False, "-e": "yes", "-f": None, "-g": None, "--wait": None}
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option not in found:
            raise Refused(2, f"Option '{option}' is unknown, try 'nmcli -help'.")
        found[option] = True if isinstance(found[option], bool) else words.pop(0)
    if found["--wait"] is not None and not found["--wait"].isdecimal():
        raise Refused(2, f"'{found['--wait']}' is not a valid timeout.")
    return found


def tell(look: dict[str, Any], known: tuple[str, ...], rows: list[dict[str, str]]) -> None:
    """A line each, colons between."""
    for row in rows:
        print(":".join(written(look, row.get(field, "")) for field in chosen(look, known)))


def values(look: dict[str, Any], known: tuple[str, ...], rows: list[dict[str, str]]) -> None:
    """With -g: only what they are, a line each; a device has no line for what it has not."""
    assert look["-g"], "the stand-in shows one thing with -g only"
    for row in rows:
        for field in chosen(look, known):
            if field in row or field in WORDS:
                print(written(look, row.get(field, "")))


def chosen(look: dict[str, Any], known: tuple[str, ...]) -> list[str]:
    fields = (look["-g"] or look["-f"] or "").split(",")
    for field in fields:
        if field not in known:
            raise Refused(2, f"invalid field '{field}'; allowed fields: {','.join(known)}.")
    return fields


def written(look: dict[str, Any], value: str) -> str:
    return value if look["-e"] == "no" else re.sub(r"([\\:])", r"\\\1", value)


def known(state: dict[str, Any], name: str, command: str) -> list[dict[str, str]]:
    found = [one for one in state["connections"] if one["connection.id"] == name]
    if not found:
        words = {"show": f"{name} - no such connection profile.", "delete": f"unknown connection '{name}'."}
        raise Refused(10, words.get(command, f"unknown connection '{name}'."))
    return found


def allow(state: dict[str, Any], status: int, words: str, why: str = "Insufficient privileges") -> None:
    if not state["allowed"]:
        raise Refused(status, f"{words}: {why}")


def properties(pairs: list[str], failed: str) -> dict[str, str]:
    found = {}
    for word, text in zip(pairs[::2], pairs[1::2], strict=True):
        name, value = SHORT.get(word, word), "" if (word, text) == ("ifname", "*") else text
        if name not in WORDS:
            raise Refused(2, f"invalid property '{name}': '{name}' not among the known.")
        if not WORDS[name](value):
            raise Refused(4, f"{failed}: {name}: property is invalid")
        found[name] = value
    return found


def add(state: dict[str, Any], words: list[str]) -> None:
    if words[:2] != ["type", "wifi"]:
        raise Refused(2, "'type' argument is required.")
    found = properties(words[2:], "Failed to add the connection")
    for needed in ("connection.id", "connection.interface-name", "802-11-wireless.ssid"):
        if needed not in found:
            raise Refused(2, f"'{needed}' argument is required.")
    name = found["connection.id"]
    allow(state, 4, f"Failed to add '{name}' connection")
    state["connections"].append({"connection.autoconnect": "yes", **found})
    print(f"Connection '{name}' (229ae750-cff9-45c4-8958-e25a410cf55b) successfully added.")


def up(state: dict[str, Any], connection: dict[str, str], ifname: str) -> None:
    name, failed = connection["connection.id"], "Connection activation failed"
    device = next((one for one in state["devices"] if one["DEVICE"] == (ifname or "wlan0")), None)
    if device is None:
        raise Refused(4, f"device '{ifname}' not found for connection '{name}'.")
    allow(state, 4, failed, "Not authorized to control networking.")
    end = time.monotonic() + LONG
    while state["gate"] and not os.path.exists(state["gate"]) and time.monotonic() < end:
        time.sleep(0.02)
    if state["fails"]:
        print("Hint: use 'journalctl -xe NM_CONNECTION=229ae750' to get more details.", file=sys.stdout)
        raise Refused(4, f"{failed}: {state['fails']}")
    shared = connection.get("ipv4.method") == "shared"
    device.update(STATE="connected", CONNECTION=name, ADDRESS="10.42.0.1/24" if shared else "192.168.1.23/24")
    print("Connection successfully activated (D-Bus active path: /org/freedesktop/NetworkManager/ActiveConnection/2)")


def down(state: dict[str, Any], name: str) -> None:
    device = next((one for one in state["devices"] if one["CONNECTION"] == name), None)
    if device is None:
        print(f"Error: '{name}' is not an active connection.", file=sys.stderr)
        raise Refused(10, "no active connection provided.")
    allow(state, 5, f"Connection '{name}' deactivation failed", "Not authorized to deactivate connections")
    device.update(STATE="disconnected", CONNECTION="", ADDRESS="")
    print(f"Connection '{name}' successfully deactivated (D-Bus active path: /org/freedesktop/NetworkManager/2)")
    # What may connect by itself does, the one that was just brought down too; each on one device only.
    used = [one["CONNECTION"] for one in state["devices"]]
    free = [one for one in state["connections"] if one["connection.id"] not in used]
    ready = [one for one in free if one["connection.autoconnect"] == "yes"]
    if ready:
        up(state, max(ready, key=lambda one: int(one.get("connection.autoconnect-priority", 0))), device["DEVICE"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
