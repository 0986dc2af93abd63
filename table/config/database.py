"""The address of a database, as people write it: postgresql://user:password@db.example.org/dicetable.

Its one rule: what is wrong with it is said without it, because there may be a password in it. What passes here holds
nothing that libpq would quote in a complaint of its own.
"""

import re
from urllib.parse import unquote

from table.engine.errors import Refused

_SIGN = r"(?:[^\s:@/?#%,&]|%(?!00)[0-9A-Fa-f]{2})"  # what stands for no letter is found afterwards
_USER = rf"(?:{_SIGN}+(?::(?:{_SIGN}|[:,&])*)?@)?"
# Without a name, or with that of a folder such as %2Frun, it is a socket of this machine.
_HOST = rf"(?:\[[0-9A-Fa-f:.]+\]|(?:(?![\[\]]){_SIGN})*)(?::\d{{1,5}})?"
_MORE = rf"(?!password=)\w+=(?:{_SIGN}|[:/,])*"  # such as sslmode=verify-full
_ADDRESS = re.compile(
    rf"postgres(?:ql)?://{_USER}({_HOST}(?:,{_HOST})*)(?:/({_SIGN}*))?(?:\?{_MORE}(?:&{_MORE})*)?", re.ASCII
)


def check_database(address: str) -> None:
    if not _ADDRESS.fullmatch(address) or "\ufffd" in unquote(address):
        raise Refused(
            "The address of a league is postgresql:// and a host, such as "
            "postgresql://user:password@db.example.org/dicetable; in a password, write @ as %40, / as %2F, # as %23, "
            "? as %3F and % as %25."
        )


def where(address: str) -> str:
    """The address without user, password and settings, for people to read."""
    found = _ADDRESS.fullmatch(address)
    assert found is not None  # or the config would have refused it
    return "/".join(part for part in found.groups() if part) or "this machine"
