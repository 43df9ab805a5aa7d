"""Halls of the same network, by multicast DNS: a hall announces itself, a table's page lists who does.

Nothing is believed of what is announced but the address: what a hall is called it says itself, there.
"""

from __future__ import annotations

import logging
import socket
import threading
import urllib.request
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING

import msgspec
from lastnose.companion.hall.wire import NearHall

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange

SERVICE = "_lastnose-hall._tcp.local."
LOOK_S = 1.5  # who is there answers within a tenth of that
ASK_S = 1.0
MOST, MOST_ADDRESSES = 12, 4  # halls that are listed, and addresses of one
LONGEST_SAID = 20_000
_log = logging.getLogger("lastnose.hall")


class _Summary(msgspec.Struct, frozen=True):
    name: str = ""


def announce(
    port: int, addresses: Sequence[str], *, name: str = "", on: Sequence[str] | None = None
) -> Callable[[], None]:
    """Let the network know that a hall's pages are at *port* of *addresses* (IPv4); return what ends that.

    *name* is this machine's, *on* the addresses of the interfaces to speak on, None for all. It takes a
    second or two, on a thread of its own; a network that lets nothing through is no trouble of the hall.
    """
    from zeroconf import InterfaceChoice, IPVersion, ServiceInfo, Zeroconf

    ended = threading.Event()
    called = (name or socket.gethostname()).partition(".")[0] or "hall"

    def run() -> None:
        try:
            here = Zeroconf(InterfaceChoice.All if on is None else list(on), ip_version=IPVersion.V4Only)
        except OSError as problem:
            _log.info("the hall cannot be announced: %s", problem)
            return
        try:
            packed = [socket.inet_aton(one) for one in addresses]
            info = ServiceInfo(
                SERVICE, f"{called}-{port}.{SERVICE}", port, addresses=packed, server=f"{called}.local."
            )
            here.register_service(info, allow_name_change=True)
            ended.wait()
        except Exception as problem:
            _log.info("the hall cannot be announced: %s", problem)
        finally:
            here.close()

    thread = threading.Thread(target=run, name="nearby", daemon=True)
    thread.start()

    def end() -> None:
        ended.set()
        thread.join(timeout=3)

    return end


def find(*, within_s: float = LOOK_S, on: Sequence[str] | None = None) -> tuple[NearHall, ...]:
    """Return the halls that announce themselves and answer, in the order of their names.

    It takes *within_s*, and as long again at most for their answers. *on*: see `announce`.
    """
    from zeroconf import InterfaceChoice, IPVersion, ServiceBrowser, Zeroconf

    names: dict[str, None] = {}

    def note(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        names.setdefault(name)

    try:
        here = Zeroconf(InterfaceChoice.All if on is None else list(on), ip_version=IPVersion.V4Only)
    except OSError as problem:
        _log.info("halls cannot be looked for: %s", problem)
        return ()
    try:
        browser = ServiceBrowser(here, SERVICE, handlers=[note])
        threading.Event().wait(within_s)
        browser.cancel()
        infos = [here.get_service_info(SERVICE, name, 300) for name in list(names)[:MOST]]
    finally:
        here.close()
    with ThreadPoolExecutor(max_workers=MOST, thread_name_prefix="nearby") as asking:
        found = {one for one in asking.map(_asked, filter(None, infos)) if one is not None}
    return tuple(sorted(found, key=lambda one: (one.title.casefold(), one.address)))


def _asked(info: ServiceInfo) -> NearHall | None:
    """Return the hall that *info* announces as it calls itself, None where none answers in this house."""
    for ip in info.parsed_addresses()[:MOST_ADDRESSES]:
        address = f"http://{ip}:{info.port}/"
        with suppress(OSError, ValueError, msgspec.MsgspecError):
            if not ip_address(ip).is_private:
                continue
            with urllib.request.urlopen(f"{address}api/v1/hall/summary", timeout=ASK_S) as answer:
                said = msgspec.json.decode(answer.read(LONGEST_SAID), type=_Summary)
            return NearHall(address, said.name)
    return None
