"""The network, and the port at which phones find the table.

Its one rule: it sends nothing.
"""

import errno
import os
import socket
import struct
import sys
from collections.abc import Iterator

from table.machine.doctor.finding import OK, WARNING, Finding, Patient

ADDRESS_OF = 0x8915  # SIOCGIFADDR, as Linux numbers it


def network(patient: Patient) -> Iterator[Finding]:
    found = _addresses(patient)
    if found:
        yield Finding("network", OK, f"{'; '.join(found)}.")
    else:
        fix = "Plug in a cable or join a Wi-Fi. Phones need one, or the table's own: dicetable hotspot on."
        yield Finding("network", WARNING, "There is no address, so that phones cannot reach the table.", fix)


def _addresses(patient: Patient) -> list[str]:
    """Each with what it goes through, as far as this system tells."""
    if not sys.platform.startswith("linux"):
        return [own] if (own := _towards_others()) else []
    interfaces = patient.root / "sys/class/net"
    names = sorted(path.name for path in interfaces.iterdir()) if interfaces.is_dir() else []
    found = []
    for name in names:
        address = _address(name)
        if address and not address.startswith("127."):
            kind = "Wi-Fi" if (interfaces / name / "wireless").exists() else "cable"
            found.append(f"{address} by {kind} ({name})")
    return found


def _address(interface: str) -> str:
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            told = fcntl.ioctl(asked, ADDRESS_OF, struct.pack("256s", os.fsencode(interface)[:15]))
        except OSError:  # it has none
            return ""
    return socket.inet_ntoa(told[20:24])


def _towards_others() -> str:
    """The address from which something would be sent to the world; an address for examples, and nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(asked.getsockname()[0])


def phones(patient: Patient) -> Iterator[Finding]:
    settings = patient.config.phones
    if not settings.on:
        yield Finding("phone port", OK, "The config allows no phones.")
        return
    port = settings.port
    with socket.socket() as tried:
        if os.name == "posix":  # elsewhere it would take a port that somebody has
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("", port))
        except OSError as why:
            yield _taken(patient, port, why)
            return
    yield Finding("phone port", OK, f"Port {port} is free.")


def _taken(patient: Patient, port: int, why: OSError) -> Finding:
    if why.errno != errno.EADDRINUSE:
        return Finding("phone port", WARNING, f"Port {port} cannot be used ({why.strerror}).", "Look at the firewall.")
    if patient.is_running:
        return Finding("phone port", OK, f"Port {port} is in use, and the table is running.")
    fix = f"End that program; sudo ss -ltnp 'sport = :{port}' says which it is."
    return Finding("phone port", WARNING, f"Another program uses port {port}.", fix)
