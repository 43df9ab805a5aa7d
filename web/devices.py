"""Every phone, desk and screen that looks at the table, and what each may do. For any thread.

A *device* has a key of its own, made at its first visit, in a cookie that scripts cannot read. Others see its
*id*, which is made of the key and gives no right. Its *role* is worked out, never kept twice:

- *host*: it typed the PIN, or a host made it one. Counts only at the address where it became that: the same
  cookie at another address watches, until the PIN is typed there. The machine of the table is a host without
  a PIN.
- *player*: a guest of the lobby has it as theirs (`companion.evening.lobby`).
- *watcher*: everybody else, and whatever has never said a word.

A device that was *removed* is refused everything until it comes again by the code, as a new one. A new PIN
ends the hosts of the old one; the end of an evening ends all roles. Without a certificate all this is plain
HTTP: who can listen in the Wi-Fi can copy a cookie, and what is done about that is the address above, and
`--tls-cert`.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
from lastnose.companion.core.errors import Missing
from lastnose.companion.core.text import text
from lastnose.companion.evening import lobby
from lastnose.companion.evening.authors import MOST_SIGNS
from lastnose.companion.evening.lobby import Guest, Guests
from lastnose.web.hosts import network_of

Role = Literal["watcher", "player", "host"]
ROLES: tuple[Role, ...] = ("watcher", "player", "host")
MOST_WATCHERS = 200  # that are remembered with an id; more may watch
_ID = b"device"


class KeptDevices(msgspec.Struct, frozen=True):
    """What outlives a restart: `hosts` are the addresses of each host, by its id."""

    evening: int = 0
    hosts: dict[str, tuple[str, ...]] = {}
    names: dict[str, str] = {}
    removed: tuple[str, ...] = ()
    guests: Guests = ()


class SeenDevice(msgspec.Struct):
    """A device as it was seen last: where, since when (wall time, s), and whether it is this machine."""

    address: str
    since: float
    home: bool = False
    wants: str = ""  # the name of a guest whose seat somebody on it asks for


class KnownDevice(msgspec.Struct, frozen=True):
    """A device for a host to see; `pages` are open on it now."""

    id: str
    role: Role
    name: str
    since: float
    home: bool
    pages: int
    wants: str = ""


class KnownDevices:
    """The devices of one table, or hall. *key* makes ids of their keys.

    *keep* stores what has changed and returns whether it did: what it could not is tried again by `settle`.
    """

    def __init__(
        self,
        key: bytes,
        kept: KeptDevices | None = None,
        keep: Callable[[KeptDevices], bool] = lambda _: True,
        wall_s: Callable[[], float] = time.time,
    ) -> None:
        self._key = key
        self._kept = kept or KeptDevices()
        self._keep = keep
        self._wall_s = wall_s
        self._lock = threading.RLock()
        self._seen: OrderedDict[str, SeenDevice] = OrderedDict()  # the last in order is the last seen
        self._open: Counter[str] = Counter()  # pages, by device
        self._listeners: list[Callable[[], None]] = []
        self.version = 0
        self._stale = self._unkept = False
        self.heir = ""  # the host that ends the evening stays one: else nobody could begin the next

    @staticmethod
    def new_key() -> str:
        """Return a key for a device that has none (128 bits)."""
        return secrets.token_urlsafe(16)

    def id_of(self, key: str) -> str:
        """Return what others see of the device with this *key*."""
        return hmac.digest(self._key, _ID + key.encode(), "sha256").hex()[:6]

    def listen(self, told: Callable[[], None]) -> None:
        """Call *told* after every change of roles, names, guests or open pages."""
        self._listeners.append(told)

    # ---- what is so

    @property
    def guests(self) -> Guests:
        """Who is at the table, in order."""
        return self._kept.guests

    @property
    def watching(self) -> int:
        """How many devices have a page open and just watch."""
        with self._lock:
            return sum(n > 0 and self.role(device) == "watcher" for device, n in self._open.items())

    def guest(self, device: str) -> Guest | None:
        """Return whose phone *device* is."""
        return lobby.of_device(self._kept.guests, device)

    def role(self, device: str, address: str | None = None) -> Role:
        """Return what *device* may do, at *address* or wherever it was seen last."""
        with self._lock:
            seen = self._seen.get(device)
            if seen is not None and seen.home:
                return "host"
            at = address if address is not None else seen.address if seen else ""
            known = self._kept.hosts.get(device)
            if known is not None and network_of(at) in known:
                return "host"
            return "player" if self.guest(device) is not None else "watcher"

    def standing(self, device: str, address: str) -> str:
        """Return what a page of *device* at *address* is told: its role; a host's grows with each change."""
        if self.removed(device):
            return "removed"
        role = self.role(device, address)
        if role != "host":
            return role
        asked = any(seen.wants for seen in tuple(self._seen.values()))
        return f"host {self.version}" + " asked" * asked

    def removed(self, device: str) -> bool:
        """Return whether a host has put *device* out."""
        return device in self._kept.removed

    def may_touch(self, device: str) -> bool:
        """Return whether pages of *device* may be noses; of one that is forgotten nobody knows otherwise."""
        with self._lock:
            if self.removed(device):
                return False
            return device not in self._seen or self.role(device) != "watcher"

    def name(self, device: str) -> str:
        """Return what *device* goes by: the guest whose it is, or the name that it was given."""
        guest = self.guest(device)
        return guest.name if guest is not None else self._kept.names.get(device, "")

    def all(self) -> tuple[KnownDevice, ...]:
        """Return the devices with a role or an open page: hosts, players by their seats, watchers."""
        with self._lock:
            order = {guest.device: n for n, guest in enumerate(self._kept.guests, 1) if guest.device}
            known = {*order, *self._kept.hosts, *(one for one, n in self._open.items() if n > 0)}
            made = [self._device(one) for one in known if not self.removed(one)]
            rank = {"host": 0, "player": 1, "watcher": 2}
            made.sort(key=lambda one: (rank[one.role], order.get(one.id, 0), one.since, one.id))
            return tuple(made)

    def _device(self, device: str) -> KnownDevice:
        seen = self._seen.get(device) or SeenDevice("", 0.0)
        return KnownDevice(
            device,
            self.role(device),
            self.name(device),
            seen.since,
            seen.home,
            self._open[device],
            seen.wants,
        )

    # ---- what is seen

    def see(self, device: str, address: str, *, home: bool) -> None:
        """Note that *device* has asked for something from *address*, which is this machine: *home*.

        Of more watchers than are remembered the oldest of the address that has most of them is forgotten: a
        crowd from twelve addresses pushes out its own.
        """
        with self._lock:
            known = self._seen.pop(device, None)
            seen = known or SeenDevice(address, self._wall_s())
            seen.address, seen.home = address, home
            self._seen[device] = seen
            if known is None and len(self._seen) > MOST_WATCHERS:
                self._forget_one()

    def _forget_one(self) -> None:
        idle = [one for one in self._seen if one not in self._kept.hosts and self.guest(one) is None]
        crowds = Counter(network_of(self._seen[one].address) for one in idle)
        if len(idle) > MOST_WATCHERS:
            crowd, _ = crowds.most_common(1)[0]
            oldest = next(one for one in idle if network_of(self._seen[one].address) == crowd)
            del self._seen[oldest]

    def opened(self, device: str) -> None:
        """Note that a page of *device* is open."""
        with self._lock:
            self._open[device] += 1
            self._stale = True

    def closed(self, device: str) -> None:
        """Note that a page of *device* is closed."""
        with self._lock:
            self._open[device] -= 1
            if self._open[device] <= 0:
                del self._open[device]
            self._stale = True

    def settle(self) -> None:
        """Tell of pages that were opened and closed, and keep what a full disk did not take.

        To be called now and then: a crowd comes at once.
        """
        with self._lock:
            if self._unkept:
                self._unkept = not self._keep(self._kept)
            if self._stale:
                self._told()

    # ---- what changes

    def make_host(self, device: str, address: str | None = None) -> None:
        """Let *device* host, at *address* or where it was seen last; raise Missing."""
        with self._lock:
            if address is None:
                address = self._known(device).address
            here = network_of(address)
            known = tuple(one for one in self._kept.hosts.get(device, ()) if one != here)
            hosts = {**self._kept.hosts, device: (*known, here)[-4:]}
            self._change(hosts=hosts, removed=tuple(one for one in self._kept.removed if one != device))

    def no_host(self, device: str) -> None:
        """Let *device* host no more."""
        with self._lock:
            self._change(hosts={one: at for one, at in self._kept.hosts.items() if one != device})

    def only(self, device: str) -> None:
        """Let no other device than *device* host from now on: there is a new PIN."""
        with self._lock:
            self._change(hosts={one: at for one, at in self._kept.hosts.items() if one == device})

    def remove(self, device: str) -> None:
        """Put *device* out; the seat that it had stays, without a phone. Raise Missing."""
        with self._lock:
            self._known(device)
            self._change(
                hosts={one: at for one, at in self._kept.hosts.items() if one != device},
                removed=(*self._kept.removed, device)[-MOST_WATCHERS:],
                guests=lobby.unseated(self._kept.guests, device, vacant=True),
            )

    def rename(self, device: str, name: str) -> None:
        """Let *device* go by *name*, "" for none; what a guest goes by is the guest's. Raise BadInput."""
        with self._lock:
            clean = " ".join(name.split())[:MOST_SIGNS]
            guest = self.guest(device)
            if guest is not None:
                self.change(
                    lambda all_: lobby.arranged(
                        all_, [(one.id, clean if one.id == guest.id else one.name) for one in all_], ()
                    )
                )
            else:
                names = {one: said for one, said in self._kept.names.items() if one != device}
                self._change(names={**names, **({device: clean} if clean else {})})

    def wants(self, device: str, name: str) -> None:
        """Note that somebody on *device* asks for the seat of *name*, "" for no more."""
        with self._lock:
            seen = self._seen.get(device)
            if seen is not None and seen.wants != name:
                seen.wants = name
                self._told()

    def change(self, how: Callable[[Guests], Guests]) -> None:
        """Change who is at the table; what *how* raises leaves everything as it was."""
        with self._lock:
            self._change(guests=how(self._kept.guests))

    def new_ids(self, n: int) -> Sequence[str]:
        """Return *n* ids for guests."""
        return [secrets.token_hex(4) for _ in range(n)]

    def begin(self, evening: int) -> None:
        """End all roles when *evening* is another than theirs, but for the host that has ended it."""
        with self._lock:
            if evening == self._kept.evening:
                return
            known, heir = self._kept, self.heir
            hosts = {heir: known.hosts[heir]} if heir in known.hosts and known.evening else {}
            self.heir = ""
            self._change(evening=evening, hosts=hosts, names={}, removed=(), guests=())

    def _known(self, device: str) -> SeenDevice:
        seen = self._seen.get(device)
        if seen is None:
            if device in self._kept.hosts or self.guest(device) is not None:
                return SeenDevice("", 0.0)
            raise Missing(text("This table knows no phone {phone}.", phone=device[:40]))
        return seen

    def _change(self, **changes: object) -> None:
        made = msgspec.structs.replace(self._kept, **changes)
        if made == self._kept:
            return
        self._kept = made
        self._unkept = not self._keep(made)
        self._told()

    def _told(self) -> None:
        self.version, self._stale = self.version + 1, False
        for told in self._listeners:
            told()
