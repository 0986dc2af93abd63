"""Finds out whether a network address is local, and which address this machine has.

Its one rule: it sends no packets.
"""

import ipaddress
import socket
from contextlib import suppress
from urllib.parse import urlsplit

EXAMPLE = ("192.0.2.1", 9)  # reserved for documentation: no host uses it


def hostname(address: str) -> str:
    with suppress(ValueError):
        return (urlsplit(address).hostname or "").lower()
    return ""


def near_by(peer: str, own: str = "") -> bool:
    """Whether the peer is this machine or on a private network. An IPv6 peer is also near if it is on the same /64
    network as `own`, the address that it connected to."""
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
    """The address at which phones on the same network reach this machine. Normally, this is the address that the system
    uses for the default route. Without a default route, for example with a table hotspot, the first address on any
    network is used."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(EXAMPLE)  # sends nothing: the system only selects the route
        return str(probe.getsockname()[0])
    import ifaddr

    found = [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    return next((ip for ip in found if not ip.startswith(("127.", "169.254."))), "127.0.0.1")
