"""A fake nmcli with a fake NetworkManager behind it. It is a program on PATH that accepts and refuses the same
arguments as the real one, and keeps its connections in a file. Tests decide what the radio does and what fails. The
program itself is networkmanager.py.
"""

import sys
from pathlib import Path
from typing import Any

from tests.networkmanager import SECRET, keep, kept

__all__ = ["SECRET", "Nmcli"]

PROGRAM = """#!/bin/sh
exec "{python}" -IS -c '
import sys
sys.path.append(sys.argv[1])
import networkmanager
sys.exit(networkmanager.main(sys.argv[2], sys.argv[3:]))
' "{here}" "{file}" "$@"
"""


class Nmcli:
    """Put `folder` first on PATH. `state` is NetworkManager's state, which a test may change."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "bin"
        self.folder.mkdir(parents=True)
        self.file = home / "networkmanager"
        program = self.folder / "nmcli"
        here = Path(__file__).resolve().parent
        program.write_text(PROGRAM.format(python=sys.executable, here=here, file=self.file))
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
        return kept(str(self.file))

    def set(self, **changes: Any) -> None:
        before = self.state if self.file.exists() else {}
        keep(str(self.file), {**before, **changes})

    def wifi(self, state: str, connection: str = "") -> None:
        """Set the state of the Wi-Fi device."""
        first, *others = self.state["devices"]
        self.set(devices=[{**first, "STATE": state, "CONNECTION": connection}, *others])

    def at_home(self, ssid: str = "Home sweet home") -> None:
        """Connect the machine to a known Wi-Fi, under the profile name that Raspberry Pi Imager gives it."""
        known = {"connection.id": "preconfigured", "connection.autoconnect": "yes", "802-11-wireless.ssid": ssid}
        self.set(connections=[*self.state["connections"], {**known, SECRET: "open sesame"}])
        self.wifi("connected", "preconfigured")

    @property
    def hotspot(self) -> dict[str, str]:
        """The properties of the table's profile, or an empty dict."""
        return next((one for one in self.state["connections"] if one["connection.id"] == "dicetable-hotspot"), {})

    def change(self, **properties: str) -> None:
        """Change the table's profile from outside."""
        connections = self.state["connections"]
        next(one for one in connections if one["connection.id"] == "dicetable-hotspot").update(properties)
        self.set(connections=connections)

    @property
    def connected(self) -> str:
        """The active profile of the Wi-Fi device."""
        return str(self.state["devices"][0]["CONNECTION"])
