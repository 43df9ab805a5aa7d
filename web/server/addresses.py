"""Where the server listens, and under which addresses and names others find it."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Iterator

from lastnose.companion.core.errors import DeviceError, reason
from lastnose.companion.core.text import text

_DEAD_PEER_MS = 30_000
_NOWHERE = ("192.0.2.1", 9)  # an address for documentation: nothing is ever sent to it
_log = logging.getLogger("lastnose.web")


def listen(port: int, *, lan: bool) -> list[socket.socket]:
    """Return the listening sockets; raise DeviceError when the port is taken or forbidden."""
    sockets = [_socket(socket.AF_INET, "0.0.0.0" if lan else "127.0.0.1", port)]
    if not lan:
        # `localhost` may mean ::1 first; a machine without IPv6 does well without.
        try:
            sockets.append(_socket(socket.AF_INET6, "::1", sockets[0].getsockname()[1]))
        except DeviceError:
            _log.debug("no IPv6 loopback")
    return sockets


def _socket(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    try:
        # asyncio switches Nagle off only where the protocol is named; else each answer waits 40 ms.
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise DeviceError(text("No network: {why}.", why=reason(error))) from error
    try:
        _claim(made)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _DEAD_PEER_MS)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((host, port))
        made.listen(2048)
        made.setblocking(False)
    except (OSError, OverflowError) as error:
        made.close()
        why = reason(error)
        raise DeviceError(
            text(
                "The page cannot be served at port {port}: {why}. Choose another with --port.",
                port=str(port),
                why=why,
            )
        ) from error
    return made


def _claim(made: socket.socket, platform: str = sys.platform) -> None:
    """Make a port ours alone, and free again at once when we leave: each system has a word of its own for it.

    On Windows SO_REUSEADDR would let a second table take the port of the first.
    """
    ours = "SO_EXCLUSIVEADDRUSE" if platform == "win32" else "SO_REUSEADDR"
    made.setsockopt(socket.SOL_SOCKET, getattr(socket, ours), 1)


def lan_address() -> str | None:
    """Return the address under which the network knows this machine, None when there is no network.

    Nothing is sent: the system is only asked which way it would go. In a network that leads nowhere else it
    knows no way, and the first interface with an address must do.
    """
    return _way_out() or next(interface_addresses(), None)


def _way_out() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_NOWHERE)
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if found.startswith(("127.", "0.")) else found


def interface_addresses() -> Iterator[str]:
    """Yield the IPv4 addresses of the interfaces, without the machine's own loop.

    One that an interface gave itself because nobody gave it any (169.254…) comes last.
    """
    from ifaddr import get_adapters  # it looks for the C library when it is imported

    try:
        adapters = list(get_adapters())
    except OSError:
        return
    found = [str(ip.ip) for adapter in adapters for ip in adapter.ips if ip.is_IPv4]
    reachable = [address for address in found if not address.startswith(("127.", "0."))]
    yield from sorted(reachable, key=lambda address: address.startswith("169.254."))


def own_names() -> tuple[str, ...]:
    """Return the names under which the network may know this machine."""
    name = socket.gethostname().lower()
    return (name, f"{name.partition('.')[0]}.local")
