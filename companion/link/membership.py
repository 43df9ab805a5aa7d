"""A machine's place in a hall: which event, which server, its own key; joined once with a code.

Halls of the same network are found by multicast DNS: a hall announces itself, a table's page lists who does.
Nothing is believed of what is announced but the address: what a hall is called it says itself, there.
"""

from __future__ import annotations

import json
import logging
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPException
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

import msgspec
from lastnose.companion.core.decode import why_not
from lastnose.companion.core.errors import BadInput, reason
from lastnose.companion.core.text import Text, text
from lastnose.companion.event.messages import NearHall
from lastnose.companion.link import MEMBERSHIP, keys
from lastnose.companion.link.engine import must_be_safe_to_join
from lastnose.companion.system.private_file import write_private

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange

SERVICE = "_lastnose-hall._tcp.local."
LOOK_S = 1.5  # who is there answers within a tenth of that
ASK_S = 1.0
MOST, MOST_ADDRESSES = 12, 4  # halls that are listed, and addresses of one
LONGEST_SAID = 20_000
_log = logging.getLogger("lastnose.hall")
T = TypeVar("T")
WITHIN_S = 10
_NO_HALL = (403, 404, 405, 501)  # what another page, such as a table's, answers who posts there


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


def find_halls(*, within_s: float = LOOK_S, on: Sequence[str] | None = None) -> tuple[NearHall, ...]:
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


class TableComes(msgspec.Struct, frozen=True):
    """A table that wants to come in: the code of the evening, its random id, its public key."""

    code: str
    table: str
    key: str
    name: str = ""


class TableAsks(msgspec.Struct, frozen=True):
    """A table that asks to come in: its random id, its public key, what its machine is called."""

    table: str
    key: str
    name: str = ""


class TableAnswer(msgspec.Struct, frozen=True):
    """What a table that asks is told: as `TableIsIn`; `number` is 0 as long as the desk has not let it in.

    `spoilt`: nothing more can be taken under its name, and it is to ask under another.
    """

    event: str = ""
    number: int = 0
    engine: str = ""
    spoilt: bool = False


class NeedsNewName(Exception):
    """The hall can take nothing more under this table's id: it is to ask under another, with another key."""


class TableIsIn(msgspec.Struct, frozen=True):
    """A table that is in: which event, its number, where the message server is."""

    event: str
    number: int
    engine: str


class Membership(msgspec.Struct, frozen=True):
    """What a table needs to know of the hall that it is in. `seed` is its secret key."""

    hall: str
    event: str
    engine: str
    number: int
    table: str
    seed: str


def load(folder: Path) -> Membership | None:
    """Return the hall that the table with its data in *folder* is in, None without one; raise BadInput."""
    path = folder / MEMBERSHIP
    try:
        return msgspec.json.decode(path.read_bytes(), type=Membership)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as problem:
        raise BadInput(
            text(
                "{file} cannot be read ({why}): delete it, and join the hall again.",
                file=str(path),
                why=why_not(problem),
            )
        ) from problem


def join(folder: Path, address: str, name: str = "") -> Membership:
    """Join the hall at *address*, with the code behind #, or a hall near by the code alone.

    It is remembered in *folder*. The key is made here, and only its public half leaves this machine.
    Raises BadInput.
    """
    return come_in(folder, invitations(address), name)


def come_in(folder: Path, wanted: Sequence[str], name: str) -> Membership:
    """Join the first hall that takes one of the invitations *wanted* (see `join`); raise the last refusal."""
    *others, last = wanted
    for one in others:  # halls that are near: one of them has this code
        with suppress(BadInput):
            return _join(folder, one, name)
    return _join(folder, last, name)


def identity(folder: Path) -> tuple[str, str]:
    """Return random id and secret key of the table with its data in *folder*, as they were, or new ones.

    Raises BadInput.
    """
    known = load(folder)
    return (keys.random_id(keys.TABLE), keys.make_seed()) if known is None else (known.table, known.seed)


def invitations(written: str) -> tuple[str, ...]:
    """Return what *written* may stand for: an address, or for a code alone each hall near, with that code."""
    code = written.strip().lower()
    if not keys.is_id(code, keys.CODE):
        return (written,)
    return tuple(f"{hall.address}#{code}" for hall in find_halls()) or (written,)


def _join(folder: Path, address: str, name: str) -> Membership:
    hall, code = address_of(address)
    if not code:
        raise _no_invitation(address)
    table, seed = identity(folder)
    wish = TableComes(code, table, keys.public_key(seed), name)
    found = _ask(f"{hall}api/v1/hall/tables", wish, TableIsIn)
    made = Membership(hall, found.event, found.engine, found.number, table, seed)
    must_be_safe_to_join(made.engine)
    keep(folder, made)
    return made


def ask_in(hall: str, table: str, seed: str, name: str) -> Membership | None:
    """Ask the desk of *hall* to let *table* in; return None as long as it has not.

    Raises BadInput, and NeedsNewName.
    """
    wish = TableAsks(table, keys.public_key(seed), name)
    found = _ask(f"{hall}api/v1/hall/asks", wish, TableAnswer)
    if found.spoilt:
        raise NeedsNewName
    if not found.number:
        return None
    must_be_safe_to_join(found.engine)
    return Membership(hall, found.event, found.engine, found.number, table, seed)


def address_of(address: str) -> tuple[str, str]:
    """Return the hall and the code of what somebody has typed or scanned, "" without a code; raise BadInput.

    >>> address_of("http://192.168.1.5:8100/#abc"), address_of("hall.local:8100")
    (('http://192.168.1.5:8100/', 'abc'), ('http://hall.local:8100/', ''))
    """
    written = address.strip()
    try:
        parts = urlsplit(written if "://" in written else f"http://{written}")
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or any(sign.isspace() for sign in written):
        raise _no_invitation(address)
    return f"{parts.scheme}://{parts.netloc}/", parts.fragment


def _no_invitation(address: str) -> BadInput:
    return BadInput(
        text(
            "“{address}” is not an invitation from a hall: one looks like http://HOST:PORT/#CODE.",
            address=address,
        )
    )


def keep(folder: Path, made: Membership) -> None:
    """Remember *made* in *folder*; raise StoreError."""
    write_private(folder / MEMBERSHIP, msgspec.json.encode(made))


def leave(folder: Path) -> bool:
    """Forget the hall; return whether there was one. The key stays nowhere."""
    path = folder / MEMBERSHIP
    found = path.exists()
    path.unlink(missing_ok=True)
    return found


def _ask(hall: str, wish: TableComes | TableAsks, gives: type[T]) -> T:
    where = hall.partition("api/")[0]
    request = urllib.request.Request(hall, msgspec.json.encode(wish), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=WITHIN_S) as answer:
            return msgspec.json.decode(answer.read(100_000), type=gives)
    except urllib.error.HTTPError as problem:
        said = BadInput(Text("{why}", {"why": _said(problem)}))
        raise (_no_hall(where) if problem.code in _NO_HALL else said) from problem
    except msgspec.MsgspecError as problem:
        raise _no_hall(where) from problem
    except (OSError, HTTPException, ValueError) as problem:
        raise BadInput(
            text(
                "The hall at {hall} does not answer ({why}): is this machine in its network?",
                hall=where,
                why=reason(problem),
            )
        ) from problem


def _no_hall(where: str) -> BadInput:
    return BadInput(text("{hall} is not a hall that this Last Nose understands.", hall=where))


def _said(problem: urllib.error.HTTPError) -> str:
    try:
        with problem:
            return str(json.loads(problem.read(10_000))["error"])
    except (ValueError, KeyError, TypeError, OSError, HTTPException):
        return f"{problem.code} {problem.reason}"
