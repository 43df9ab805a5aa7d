"""A gate before what takes long: one request at a time, in turn by address, with a breath between two.

Whoever asks in a loop waits like everybody else, and longer: so asking costs the judge nothing. Belongs to
the loop's thread.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from companion.games import GAMES
from web.hosts import is_loopback, network_of

_CALLS = ("sheet/counsel", "points", "statistics", "rounds", "export", "qr.svg", "wifi.svg")
_PAGES = ("history", "statistics", "oled.png")


def heavy_paths() -> re.Pattern[str]:
    """Return what the path of a request that takes long looks like.

    >>> [bool(heavy_paths().match(path)) for path in ("/api/v1/statistics", "/history/7", "/", "/api/v1")]
    [True, True, False, False]
    """
    worked_out = (one.name for game in GAMES.values() for one in game.calculations)
    calls = "|".join(map(re.escape, (*_CALLS, *worked_out)))
    return re.compile(rf"/(api/v1/({calls})|{'|'.join(map(re.escape, _PAGES))})\b")


class Breath(msgspec.Struct, frozen=True):
    """How the gate breathes, in seconds, and how many wait.

    After a request it stays closed for `rest_s`; one that has waited `patience_s` is refused, and so is one
    more than `most` of all, or than `most_of_one` of one address in the network. A refusal comes after
    `slow_s`, so that nobody asks again at once.
    """

    rest_s: float = 0.03
    patience_s: float = 8.0
    slow_s: float = 1.0
    most: int = 64
    most_of_one: int = 4


class Gate:
    """One request inside, the others in their queues."""

    def __init__(self, breath: Breath | None = None) -> None:
        self._breath = breath or Breath()
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._taken = False

    @property
    def waiting(self) -> int:
        """Return how many wait."""
        return sum(map(len, self._queues.values()))

    @asynccontextmanager
    async def passing(self, address: str) -> AsyncIterator[bool]:
        """Wait for the turn of a request from *address*; give whether it may pass."""
        may = await self._turn(network_of(address))
        try:
            yield may
        finally:
            if may:
                asyncio.get_running_loop().call_later(self._breath.rest_s, self._open)

    async def _turn(self, place: str) -> bool:
        if not self._taken:
            self._taken = True
            return True
        queue = self._queues.get(place, deque())
        too_many = len(queue) >= self._breath.most_of_one and not is_loopback(place)
        if too_many or self.waiting >= self._breath.most:
            await asyncio.sleep(self._breath.slow_s)
            return False
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(place, queue).append(turn)
        try:
            async with asyncio.timeout(self._breath.patience_s):
                await turn
        except TimeoutError:
            self._leave(place, turn)
            return turn.done() and not turn.cancelled()  # it was let in at that very moment
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._open()  # it was just let in
            self._leave(place, turn)
            raise
        return True

    def _leave(self, place: str, turn: asyncio.Future[None]) -> None:
        queue = self._queues.get(place)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[place]

    def _open(self) -> None:
        """Let the next one in: of the address whose turn it is, the one that has waited longest."""
        while self._queues:
            place, queue = self._queues.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._queues[place] = queue
            if not turn.done():
                turn.set_result(None)
                return
        self._taken = False
