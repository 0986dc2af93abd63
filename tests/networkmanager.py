"""The fake nmcli program; nmcli.py puts it on PATH.

Its arguments, exit statuses and errors are exactly those of nmcli 1.42 (Bookworm). It is started hundreds of times, so
it imports very little.
"""

import marshal
import os
import sys
import time

FIELDS = {
    "device status": ("DEVICE", "TYPE", "STATE", "IP4-CONNECTIVITY", "CONNECTION"),
    "device show": ("GENERAL.DEVICE", "GENERAL.STATE", "IP4.ADDRESS", "IP4.GATEWAY"),
}
WORDS = {  # the known properties, each with a check of its values
    "connection.id": str,
    "connection.interface-name": lambda text: text == "" or (text.isalnum() and text.islower() and len(text) <= 15),
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
    "802-11-wireless-security.psk": lambda text: 8 <= len(text) <= 63 and text.isascii() and text.isprintable(),
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
LONG = 60.0  # seconds that activation takes, unless the test opens the gate earlier
SECRET = "802-11-wireless-security.psk"


class Refused(Exception):
    def __init__(self, status: int, words: str) -> None:
        self.status, self.words = status, words


def main(path: str, words: list[str]) -> int:
    state = kept(path)
    state["said"].append(list(words))
    try:
        answer(state, words)
    except Refused as why:
        print(f"Error: {why.words}", file=sys.stderr)
        return why.status
    finally:
        keep(path, state)
    return 0


def kept(path: str) -> dict:
    with open(path, "rb") as file:
        return marshal.load(file)


def keep(path: str, state: dict) -> None:
    """Write the state atomically, so that no other process ever reads half of it."""
    new = f"{path}.{os.getpid()}"
    with open(new, "wb") as file:
        marshal.dump(state, file)
    os.replace(new, path)


def answer(state: dict, words: list[str]) -> None:
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


def options(words: list[str]) -> dict:
    """Remove the options from the front of `words` and return them."""
    found: dict = {"-t": False, "-s": False, "-e": "yes", "-f": None, "-g": None, "--wait": None}
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option not in found:
            raise Refused(2, f"Option '{option}' is unknown, try 'nmcli -help'.")
        found[option] = True if isinstance(found[option], bool) else words.pop(0)
    if found["--wait"] is not None and not found["--wait"].isdecimal():
        raise Refused(2, f"'{found['--wait']}' is not a valid timeout.")
    return found


def tell(look: dict, known: tuple[str, ...], rows: list[dict[str, str]]) -> None:
    """Print one line per row, with colons between the fields."""
    for row in rows:
        print(":".join(written(look, row.get(field, "")) for field in chosen(look, known)))


def values(look: dict, known: tuple[str, ...], rows: list[dict[str, str]]) -> None:
    """Print one value per line, as with -g. A device has no line for a field that it lacks."""
    assert look["-g"], "this fake supports `show` only with -g"
    for row in rows:
        for field in chosen(look, known):
            if field in row or field in WORDS:
                print(written(look, row.get(field, "")))


def chosen(look: dict, known: tuple[str, ...]) -> list[str]:
    fields = (look["-g"] or look["-f"] or "").split(",")
    for field in fields:
        if field not in known:
            raise Refused(2, f"invalid field '{field}'; allowed fields: {','.join(known)}.")
    return fields


def written(look: dict, value: str) -> str:
    return value if look["-e"] == "no" else value.replace("\\", "\\\\").replace(":", "\\:")


def known(state: dict, name: str, command: str) -> list[dict[str, str]]:
    found = [one for one in state["connections"] if one["connection.id"] == name]
    if not found:
        words = {"show": f"{name} - no such connection profile.", "delete": f"unknown connection '{name}'."}
        raise Refused(10, words.get(command, f"unknown connection '{name}'."))
    return found


def allow(state: dict, status: int, words: str, why: str = "Insufficient privileges") -> None:
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


def add(state: dict, words: list[str]) -> None:
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


def up(state: dict, connection: dict[str, str], ifname: str) -> None:
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


def down(state: dict, name: str) -> None:
    device = next((one for one in state["devices"] if one["CONNECTION"] == name), None)
    if device is None:
        print(f"Error: '{name}' is not an active connection.", file=sys.stderr)
        raise Refused(10, "no active connection provided.")
    allow(state, 5, f"Connection '{name}' deactivation failed", "Not authorized to deactivate connections")
    device.update(STATE="disconnected", CONNECTION="", ADDRESS="")
    print(f"Connection '{name}' successfully deactivated (D-Bus active path: /org/freedesktop/NetworkManager/2)")
    # The device then activates a free profile with autoconnect, possibly the one that was just brought down.
    used = [one["CONNECTION"] for one in state["devices"]]
    free = [one for one in state["connections"] if one["connection.id"] not in used]
    ready = [one for one in free if one["connection.autoconnect"] == "yes"]
    if ready:
        up(state, max(ready, key=lambda one: int(one.get("connection.autoconnect-priority", 0))), device["DEVICE"])
