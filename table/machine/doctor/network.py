"""Checks the network, and the port for phones.

Its one rule: it sends nothing.
"""

import errno
import os
import socket
import struct
import sys
from collections.abc import Iterator

from table.machine.doctor.finding import OK, WARNING, Finding, Patient

ADDRESS_OF = 0x8915  # SIOCGIFADDR on Linux


def network(patient: Patient) -> Iterator[Finding]:
    found = _addresses(patient)
    if found:
        yield Finding("network", OK, f"{'; '.join(found)}.")
    else:
        fix = "Plug in a cable, join a Wi-Fi network, or turn on the table hotspot: dicetable hotspot on."
        yield Finding("network", WARNING, "There is no network address, so phones cannot reach the table.", fix)


def _addresses(patient: Patient) -> list[str]:
    """This machine's addresses. On Linux, each comes with its network interface."""
    if not sys.platform.startswith("linux"):
        return [own] if (own := _outgoing_address()) else []
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
        except OSError:  # no address
            return ""
    return socket.inet_ntoa(told[20:24])


def _outgoing_address() -> str:
    """Our address for outgoing traffic. To find it, a UDP socket is connected to an address that is reserved for
    documentation. This sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(asked.getsockname()[0])


def phones(patient: Patient) -> Iterator[Finding]:
    settings = patient.config.phones
    if not settings.on:
        yield Finding("phone port", OK, "Phones are off in the config.")
        return
    port = settings.port
    with socket.socket() as tried:
        if os.name == "posix":  # on Windows, SO_REUSEADDR would succeed even for a port in use
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("", port))
        except OSError as why:
            yield _taken(patient, port, why)
            return
    yield Finding("phone port", OK, f"Port {port} is free.")


def _taken(patient: Patient, port: int, why: OSError) -> Finding:
    if why.errno != errno.EADDRINUSE:
        return Finding("phone port", WARNING, f"Port {port} cannot be used ({why.strerror}).", "Check the firewall.")
    if patient.is_running:
        return Finding("phone port", OK, f"Port {port} is in use, probably by the running table.")
    fix = f"Stop that program; sudo ss -ltnp 'sport = :{port}' shows which one it is."
    return Finding("phone port", WARNING, f"Another program uses port {port}.", fix)
