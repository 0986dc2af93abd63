"""Parses the addresses of brokers (mqtt://user:password@homeassistant.local:1883) and databases
(postgresql://user:password@db.example.org/dicetable).

Its one rule: an error never quotes the address, because it may contain a password. The pattern for databases also
rejects everything that libpq would quote in its own errors.
"""

import re
from typing import NamedTuple
from urllib.parse import unquote

from table.engine.errors import Refused

PORTS = {"mqtt": 1883, "mqtts": 8883}
_BROKER_HOST = r"\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*"
_BROKER = re.compile(rf"(mqtts?)://(?:([^\s:@/?#]+)(?::([^\s@/?#]*))?@)?({_BROKER_HOST})(?::(\d{{1,5}}))?/?", re.ASCII)


class Broker(NamedTuple):
    """An MQTT broker, and how to log in to it."""

    host: str
    port: int
    user: str
    password: str
    tls: bool

    @property
    def where(self) -> str:
        """Host and port, for messages."""
        return f"{self.host}:{self.port}"


def parse_broker(address: str) -> Broker:
    found = _BROKER.fullmatch(address)
    port = int(found[5] or PORTS[found[1]]) if found else 0
    if not found or not 0 < port < 65536:
        raise Refused(
            "A broker's address is mqtt:// or mqtts:// and a host, such as mqtt://user:password@homeassistant.local; "
            "in a password, write @ as %40, / as %2F, # as %23, ? as %3F and % as %25."
        )
    user, password = unquote(found[2] or ""), unquote(found[3] or "")
    return Broker(found[4].strip("[]"), port, user, password, found[1] == "mqtts")


_SIGN = r"(?:[^\s:@/?#%,&]|%(?!00)[0-9A-Fa-f]{2})"  # invalid UTF-8 is detected later
_USER = rf"(?:{_SIGN}+(?::(?:{_SIGN}|[:,&])*)?@)?"
# An empty host, or a folder such as %2Frun, means a Unix socket on this machine.
_HOST = rf"(?:\[[0-9A-Fa-f:.]+\]|(?:(?![\[\]]){_SIGN})*)(?::\d{{1,5}})?"
_MORE = rf"(?!password=)\w+=(?:{_SIGN}|[:/,])*"  # such as sslmode=verify-full
_DATABASE = re.compile(
    rf"postgres(?:ql)?://{_USER}({_HOST}(?:,{_HOST})*)(?:/({_SIGN}*))?(?:\?{_MORE}(?:&{_MORE})*)?", re.ASCII
)


def check_database(address: str) -> None:
    if not _DATABASE.fullmatch(address) or "\ufffd" in unquote(address):
        raise Refused(
            "The address of a league is postgresql:// and a host, such as "
            "postgresql://user:password@db.example.org/dicetable; in a password, write @ as %40, / as %2F, # as %23, "
            "? as %3F and % as %25."
        )


def database_where(address: str) -> str:
    """Host and database, without the user, password and options, for messages."""
    found = _DATABASE.fullmatch(address)
    assert found is not None  # the config has already checked the address
    return "/".join(part for part in found.groups() if part) or "this machine"
