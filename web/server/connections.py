"""The open connections: how many there may be, how long each may take, and who goes when there are too many.

Every request has a deadline, the second on a connection like the first. When there is no room, connections on
which nothing is being answered make way, those that have rested longest first. Belongs to the loop's thread.
"""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Callable
from typing import Literal, Protocol

import msgspec
from lastnose.companion.system.systemd import allow_files
from lastnose.web.hosts import is_loopback, network_of

MOST_CONNECTIONS = 1500
MOST_OF_ONE = 64
RESERVE = 60
_OTHER_FILES = 120  # what the table itself has open, with room: log, pins, boxes, the worker
_FEWEST_FILES = 18  # of these what it has open at rest, and one or two to read
_STREAM = "/events"

Stage = Literal["resting", "asking", "answered", "streaming"]


class Pace(msgspec.Struct, frozen=True):
    """How long to be patient with the other side, in seconds.

    A stream that is silent for `heartbeat_s` gets a sign of life; a viewer may leave a message unread for
    `patience_s`. A connection must begin to ask for something within `first_request_s`, and for something
    more within `rest_s`; a request must have come whole within `request_s` of its first byte, and its answer
    must have gone `answer_s` after that.
    """

    heartbeat_s: float = 5.0
    patience_s: float = 10.0
    tick_s: float = 0.25
    first_request_s: float = 20.0
    request_s: float = 20.0
    answer_s: float = 60.0
    rest_s: float = 65.0


class Room(msgspec.Struct, frozen=True):
    """How many connections there may be: `most` in all, `most_of_one` from one address in the network.

    `reserve` more are let in to be told that there is no room, and to find out who is at home here.
    """

    most: int = MOST_CONNECTIONS
    most_of_one: int = MOST_OF_ONE
    reserve: int = RESERVE


def room_here(wanted: int = MOST_CONNECTIONS) -> Room:
    """Let this process open as many files as *wanted* connections take; return the room that this gives."""
    files = allow_files(wanted + RESERVE + _OTHER_FILES)
    most = max(8, min(wanted, files - RESERVE - _OTHER_FILES))
    # Never more than there are files: a connection that cannot be taken at all waits, and is told nothing.
    spare = max(4, files - _FEWEST_FILES)
    reserve = min(RESERVE, spare // 2)
    most = min(most, spare - reserve)
    return Room(most=most, most_of_one=max(4, min(MOST_OF_ONE, most // 4)), reserve=reserve)


class Outlet(Protocol):
    """Where something can be written past the answer that is being given."""

    @property
    def free(self) -> bool:
        """Return whether something can be written without waiting for the reader."""

    def push(self, written: bytes) -> None:
        """Write this as it is, never waiting."""

    def end(self) -> None:
        """Close it at once, whatever has not been read."""


class Link(Outlet, Protocol):
    """One open connection, as its protocol keeps it."""

    client: tuple[str, int] | None
    timing: ConnectionTiming


class ConnectionTiming:
    """What a connection is doing, since when, and until when at most. Times in seconds of one clock."""

    def __init__(self, pace: Pace, now_s: Callable[[], float]) -> None:
        self._pace = pace
        self._now_s = now_s
        self.stage: Stage = "resting"
        self.since_s = now_s()
        self.deadline_s: float | None = self.since_s + pace.first_request_s

    def _enter(self, stage: Stage, within_s: float | None) -> None:
        self.stage, self.since_s = stage, self._now_s()
        self.deadline_s = None if within_s is None else self.since_s + within_s

    def asks(self) -> None:
        """Note that something came; only the first byte of a request begins its time."""
        if self.stage == "resting":
            self._enter("asking", self._pace.request_s)

    def answers(self, path: str) -> None:
        """Note that the head of a request for *path* has come whole."""
        if path == _STREAM:
            self._enter("streaming", None)  # its readers are looked after by themselves
        else:
            self._enter("answered", self._pace.request_s + self._pace.answer_s)

    def rests(self) -> None:
        """Note that everything has been answered."""
        self._enter("resting", self._pace.rest_s)


class Connections:
    """Every open connection by its client (address and port)."""

    def __init__(self, room: Room | None = None, now_s: Callable[[], float] = time.monotonic) -> None:
        self.room = room or Room()
        self.now_s = now_s
        self._open: dict[object, Link] = {}
        self._places: Counter[str] = Counter()
        self._extra: set[object] = set()

    def __len__(self) -> int:
        return len(self._open)

    def opened(self, link: Link) -> None:
        """Take in a connection; make room for it, or mark it as one too many, or end it."""
        place = _place(link)
        one_too_many = not self._make_room(place)
        if one_too_many and len(self._open) >= self.room.most + self.room.reserve:
            link.end()
            return
        self._open[link.client] = link
        self._places[place] += 1
        if one_too_many:
            self._extra.add(link.client)

    def closed(self, link: Link) -> None:
        """Forget a connection."""
        if self._open.get(link.client) is link:
            self._forget(link)

    def _forget(self, link: Link) -> None:
        del self._open[link.client]
        self._extra.discard(link.client)
        place = _place(link)
        self._places[place] -= 1
        if not self._places[place]:
            del self._places[place]

    def is_extra(self, client: object) -> bool:
        """Return whether there is no room for this client: only who is at home here is answered."""
        return client in self._extra

    def _make_room(self, place: str) -> bool:
        """Return whether one more from *place* fits in; end some that rest where that makes it fit."""
        if self._places[place] >= self.room.most_of_one and not is_loopback(place):
            return self._let_some_go(place)
        return len(self._open) < self.room.most or self._let_some_go(None)

    def _let_some_go(self, place: str | None) -> bool:
        resting = [
            link
            for link in self._open.values()
            if link.timing.stage in ("resting", "asking") and (place is None or _place(link) == place)
        ]
        if not resting:
            return False
        # Several at a time: to look through all of them for each newcomer would be work for a flood.
        for link in heapq.nsmallest(1 + len(resting) // 50, resting, key=lambda link: link.timing.since_s):
            self._forget(link)
            link.end()
        return True

    def look_after(self) -> None:
        """End every connection whose time is over."""
        now_s = self.now_s()
        for link in tuple(self._open.values()):
            if link.timing.deadline_s is not None and now_s > link.timing.deadline_s:
                link.end()

    def find(self, client: object) -> Link | None:
        """Return the connection of *client*, None when it has gone."""
        return self._open.get(client)

    def cut_all(self) -> None:
        """End every connection at once."""
        for link in tuple(self._open.values()):
            link.end()


def _place(link: Link) -> str:
    return network_of(link.client[0]) if link.client is not None else ""
