"""Addresses of machines: which are near, and which is this one's own.

Its one rule: it sends nothing to find out.
"""

import ipaddress
import socket
from contextlib import suppress
from urllib.parse import urlsplit

EXAMPLE = ("192.0.2.1", 9)  # an address for examples: nobody is there


def hostname(address: str) -> str:
    with suppress(ValueError):
        return (urlsplit(address).hostname or "").lower()
    return ""


def near_by(peer: str, own: str = "") -> bool:
    """On this machine, or on a network that does not reach beyond the house; with IPv6 also on the same network as the
    address that this machine was reached at."""
    try:
        address = ipaddress.ip_address(peer.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            address = address.ipv4_mapped
        elif own and address in ipaddress.ip_network(f"{own.partition('%')[0]}/64", strict=False):
            return True
    return address.is_private or address.is_loopback or address.is_link_local


def own_address() -> str:
    """The address that phones on the same network reach this machine by: the way out, or else, as with a Wi-Fi of the
    table's own, the first that leads to any network."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(EXAMPLE)  # nothing is sent: the system only says which way it would go
        return str(probe.getsockname()[0])
    import ifaddr

    found = [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    return next((ip for ip in found if not ip.startswith(("127.", "169.254."))), "127.0.0.1")
