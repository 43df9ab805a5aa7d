"""Who may change things: the table's PIN, phones that have joined, API tokens, and a brake on guessing.

What is decided here, and kept in the data folder (files readable by their owner only):

- The *key* that signs the phones' cookies is made once. A restart, also after a crash, locks no phone out.
  Deleting `access.json` makes a new key and so forgets every phone.
- The *PIN* (4 digits, from the system's randomness) is kept for restarts within 12 hours of the last start,
  an evening; after that a start draws a new one. Phones that have joined do not need it again.
- *API tokens* are shown once, when they are made, and kept only as hashes in `tokens.json`. The running
  table reads that file at each use, so a new token works and a deleted one stops working at once.
- Wrong PINs: after 5 from one address, or 30 from all together, the next try has to wait, longer each time
  (up to 5 minutes for the address, 1 minute for all). A try that comes too early is not even looked at.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import os
import re
import secrets
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from companion.errors import BadInput, StoreError
from companion.text import text, texts

PIN_LIFE_S = 12 * 3600
COOKIE_LIFE_S = 30 * 24 * 3600
_FORGET_S = 3600
_MOST_ADDRESSES = 1000
_T = TypeVar("_T")


class Token(msgspec.Struct, frozen=True):
    """An API token as it is kept: its name and the SHA-256 of the token."""

    name: str
    sha256: str


class _Kept(msgspec.Struct, frozen=True):
    """What `access.json` holds; `started_at` is the wall time of the last start in seconds."""

    key: str
    pin: str
    started_at: float


class NotJoined(BadInput):
    """The phone may watch, but has not joined."""


class WrongPin(BadInput):
    """The PIN is not the table's."""


class TooManyTries(BadInput):
    """A guess that came too early; `wait_s` whole seconds are left."""

    def __init__(self, wait_s: int) -> None:
        self.wait_s = wait_s
        super().__init__(
            texts(
                "Too many wrong PINs. Try again in {n} second.",
                "Too many wrong PINs. Try again in {n} seconds.",
                n=wait_s,
            )
        )


class Brake(msgspec.Struct):
    """Wrong tries so far, and from when on the next is looked at. Times in seconds of one clock.

    >>> brake = Brake(free=2, first_wait_s=5, longest_wait_s=60)
    >>> [brake.wrong(now_s=0.0) or brake.wait_s(0.0) for _ in range(5)]
    [0, 5, 10, 20, 40]
    """

    free: int
    first_wait_s: int
    longest_wait_s: int
    wrongs: int = 0
    until_s: float = 0.0
    last_s: float = 0.0

    def wrong(self, now_s: float) -> None:
        """Count a wrong try at *now_s*."""
        self.wrongs += 1
        self.last_s = now_s
        if self.wrongs >= self.free:
            doublings = min(self.wrongs - self.free, 20)
            self.until_s = now_s + min(self.first_wait_s * 2**doublings, self.longest_wait_s)

    def wait_s(self, now_s: float) -> int:
        """Return how many whole seconds are left before the next try is looked at, rounded up."""
        return max(0, -int((now_s - self.until_s) // 1))

    def forgotten(self, now_s: float) -> bool:
        """Return whether the last wrong try is so long ago that it no longer counts."""
        return now_s - self.last_s > _FORGET_S and now_s >= self.until_s


class Access:
    """The PIN and its brake, for any thread.

    *key* signs cookies, *lan* tells whether other machines can reach the page, *now_s* is a monotonic clock
    in seconds, *tokens* returns the API tokens that are valid at this moment.
    """

    def __init__(
        self,
        *,
        pin: str,
        key: bytes,
        lan: bool,
        now_s: Callable[[], float],
        tokens: Callable[[], Iterable[Token]] = tuple,
    ) -> None:
        self.pin = pin
        self.key = key
        self.lan = lan
        self._now_s = now_s
        self._tokens = tokens
        self._lock = threading.Lock()
        self._all = _brake_for_all()
        self._brakes: OrderedDict[str, Brake] = OrderedDict()

    def join(self, pin: str, address: str) -> str:
        """Return a new phone's short id for the right *pin*; raise WrongPin or TooManyTries."""
        where = network_of(address)
        with self._lock:
            now_s = self._now_s()
            if self._all.forgotten(now_s):
                self._all = _brake_for_all()
            brake = self._brakes.get(where)
            if brake is None or brake.forgotten(now_s):
                brake = Brake(free=5, first_wait_s=5, longest_wait_s=300)
            wait_s = max(brake.wait_s(now_s), self._all.wait_s(now_s))
            if wait_s:
                raise TooManyTries(wait_s)
            if not hmac.compare_digest(pin.strip().encode(), self.pin.encode()):
                self._remember(where, brake, now_s)
                raise WrongPin(text("That is not the table's PIN. The box and the terminal show it."))
            self._brakes.pop(where, None)
        return secrets.token_hex(2)

    def _remember(self, where: str, brake: Brake, now_s: float) -> None:
        brake.wrong(now_s)
        self._all.wrong(now_s)
        self._brakes[where] = brake
        self._brakes.move_to_end(where)
        while len(self._brakes) > _MOST_ADDRESSES:
            self._brakes.popitem(last=False)

    def token_name(self, token: str) -> str | None:
        """Return the name of a valid API *token*, None for any other string."""
        digest = _digest(token)
        found = None
        for known in self._tokens():
            if hmac.compare_digest(known.sha256, digest):
                found = known.name
        return found


def _brake_for_all() -> Brake:
    return Brake(free=30, first_wait_s=2, longest_wait_s=60)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


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


def open_access(
    folder: Path, *, lan: bool, now_s: Callable[[], float], wall_s: Callable[[], float]
) -> Access:
    """Return the access rules kept in *folder*, made when they are missing; raise StoreError.

    *now_s* is a monotonic clock, *wall_s* the wall clock, both in seconds.
    """
    path = folder / "access.json"
    started_at = wall_s()
    kept = _read(path, _Kept)
    if kept is None:
        kept = _Kept(key=secrets.token_hex(32), pin=_draw_pin(), started_at=started_at)
    elif not 0 <= started_at - kept.started_at <= PIN_LIFE_S:
        kept = msgspec.structs.replace(kept, pin=_draw_pin())
    _write(path, msgspec.structs.replace(kept, started_at=started_at))
    return Access(
        pin=kept.pin,
        key=bytes.fromhex(kept.key),
        lan=lan,
        now_s=now_s,
        tokens=lambda: read_tokens(folder),
    )


def read_tokens(folder: Path) -> tuple[Token, ...]:
    """Return the API tokens kept in *folder*; raise StoreError."""
    return _read(folder / "tokens.json", tuple[Token, ...]) or ()


def make_token(folder: Path, name: str) -> str:
    """Make an API token called *name*, keep its hash in *folder* and return it: it is not shown again.

    Raise BadInput when the name is empty or taken, StoreError when it cannot be kept.
    """
    name = name.strip()
    tokens = read_tokens(folder)
    if not name:
        raise BadInput(text("Give the token a name, so that you know later what it was for."))
    if any(token.name == name for token in tokens):
        raise BadInput(text("There is already a token called “{name}”. Choose another name.", name=name))
    token = "lastnose_" + secrets.token_urlsafe(32)
    _write(folder / "tokens.json", (*tokens, Token(name, _digest(token))))
    return token


def _draw_pin() -> str:
    return f"{secrets.randbelow(10_000):04}"


def _read(path: Path, kind: type[_T]) -> _T | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(
            text("{file} cannot be read: {why}.", file=str(path), why=error.strerror or str(error))
        ) from error
    except msgspec.MsgspecError as error:
        raise StoreError(
            text("{file} is damaged ({why}). Delete it and start again.", file=str(path), why=str(error))
        ) from error


def _write(path: Path, value: object) -> None:
    """Replace *path* at one stroke with *value* as JSON, readable by its owner only."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(value)) + b"\n")
                file.flush()
                os.fsync(file.fileno())
            if os.geteuid() == 0:  # the table that reads it may run as the folder's owner
                owner = path.parent.stat()
                os.chown(draft, owner.st_uid, owner.st_gid)
            Path(draft).replace(path)
        except OSError:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StoreError(
            text("{file} cannot be written: {why}.", file=str(path), why=error.strerror or str(error))
        ) from error
