"""Hosts and addresses: which name means us, which address is one place, which is this machine itself."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable


def network_of(address: str) -> str:
    """Return what counts as one place to guess from: the IPv4 address, or the /64 of an IPv6 address.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7"), network_of("2001:db8:1:2:3::4")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::/64')
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)


def host_of(header: str) -> str:
    """Return the host of a Host header in lower case, without port and brackets.

    >>> host_of("LocalHost:8080"), host_of("[::1]:8080"), host_of("192.0.2.7")
    ('localhost', '::1', '192.0.2.7')
    """
    header = header.strip().lower()
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0].rstrip(".")


def is_loopback(host: str) -> bool:
    """Return whether *host*, a name or an address, is this machine for itself.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "192.0.2.7", "localhost.example")]
    [True, True, True, False, False]
    """
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return bool((mapped or ip).is_loopback)


def may_be_called(header: str, names: Iterable[str]) -> bool:
    """Return whether a request with this Host *header* is meant for us.

    A foreign name may point at this address without our knowledge (DNS rebinding), so only an address, a
    loopback name or one of our own *names* will do: an address cannot be rebound. Where two machines want
    one name of the local network (`table.local`), the second is called `table-2.local`.

    >>> [may_be_called(host, ["table.local"]) for host in ("192.0.2.7:80", "table.local", "evil.example")]
    [True, True, False]
    >>> [may_be_called(host, ["table.local"]) for host in ("table-2.local", "table-x.local", "other-2.local")]
    [True, False, False]
    """
    host, own = host_of(header), {name.lower() for name in names}
    first = re.sub(r"-\d+\.local$", ".local", host)
    if is_loopback(host) or host in own or (first in own and first.endswith(".local")):
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


# ---- What guards every answer, whoever gives it: Flask, or the server itself (`web.server`).

LARGEST_BODY = 256 * 1024

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}
