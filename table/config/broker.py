"""A broker's address, as people write it: mqtt://user:password@homeassistant.local:1883.

Its one rule: what is wrong with it is said without it, because there may be a password in it.
"""

import re
from typing import NamedTuple
from urllib.parse import unquote

from table.engine.errors import Refused

PORTS = {"mqtt": 1883, "mqtts": 8883}
_HOST = r"\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*"
_ADDRESS = re.compile(rf"(mqtts?)://(?:([^\s:@/?#]+)(?::([^\s@/?#]*))?@)?({_HOST})(?::(\d{{1,5}}))?/?", re.ASCII)


class Broker(NamedTuple):
    """Where MQTT is spoken, and as whom."""

    host: str
    port: int
    user: str
    password: str
    tls: bool

    @property
    def where(self) -> str:
        """For people to read."""
        return f"{self.host}:{self.port}"


def parse_broker(address: str) -> Broker:
    found = _ADDRESS.fullmatch(address)
    port = int(found[5] or PORTS[found[1]]) if found else 0
    if not found or not 0 < port < 65536:
        raise Refused(
            "A broker's address is mqtt:// or mqtts:// and a host, such as mqtt://user:password@homeassistant.local; "
            "in a password, write @ as %40, / as %2F, # as %23, ? as %3F and % as %25."
        )
    user, password = unquote(found[2] or ""), unquote(found[3] or "")
    return Broker(found[4].strip("[]"), port, user, password, found[1] == "mqtts")
