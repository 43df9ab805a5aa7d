"""Message servers that somebody else runs: which are gone, and which have yet to read who may come in.

Each version of `accounts.conf` has a key of its own that may do nothing: a server that lets it in has read
that version.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from lastnose.companion.hall import keys
from lastnose.companion.hall.client import connect

if TYPE_CHECKING:
    from nats.aio.client import Client

LOOK_S = 5.0  # how often the servers are asked
SOON_S = 2.0  # how often while one of them has yet to read the newest version
CLOSE_S = 1.0

Standing = Literal["newest", "older", "gone"]


class ServerSeen(msgspec.Struct, frozen=True):
    """A message server: it has the "newest" accounts or an "older" version, or it is "gone"."""

    address: str
    standing: Standing


class ServersSeen(msgspec.Struct, frozen=True):
    """What is known of all of them, and the `version` of the accounts that they were asked for.

    `first`: none has ever let this hub in.
    """

    version: str = ""
    servers: tuple[ServerSeen, ...] = ()
    first: bool = False

    @property
    def all_newest(self) -> bool:
        """Whether all have read the newest accounts."""
        return bool(self.servers) and all(one.standing == "newest" for one in self.servers)

    def that_are(self, standing: Standing) -> tuple[str, ...]:
        """Return the addresses of those that are so."""
        return tuple(one.address for one in self.servers if one.standing == standing)


def witness(seed: str, accounts: dict[str, Any]) -> str:
    """Return the secret key of the witness of *accounts*, the same for the same; *seed* is the hub's."""
    return keys.derived_seed(seed, msgspec.json.encode(accounts, order="sorted"))


class ServerWatch:
    """Asks the servers of *address*, with commas between them; `seen` is called with what is known of them.

    Until `expect` has said which accounts they should have nothing is asked: a server writes down whom it
    refuses.
    """

    def __init__(self, address: str, seen: Callable[[ServersSeen], None]) -> None:
        self._addresses = address.split(",")
        self._seen = seen
        self._seed = ""
        self._news = asyncio.Event()

    def expect(self, seed: str) -> None:
        """Ask for the accounts whose witness has the secret key *seed* from now on; on the loop's thread."""
        self._seed = seed
        self._news.set()

    def look(self) -> None:
        """Ask now; on the loop's thread."""
        self._news.set()

    async def run(self) -> None:
        """Ask again and again, until cancelled."""
        while True:
            self._news.clear()
            found = ServersSeen()
            if self._seed:
                found = await self._look(self._seed)
            self._seen(found)
            with suppress(TimeoutError):
                pause_s = SOON_S if not found.servers or found.that_are("older") else LOOK_S
                await asyncio.wait_for(self._news.wait(), pause_s)

    async def _look(self, seed: str) -> ServersSeen:
        standings = await asyncio.gather(*(_standing(one, seed) for one in self._addresses))
        made = (ServerSeen(*one) for one in zip(self._addresses, standings, strict=True))
        return ServersSeen(keys.public_key(seed), tuple(made))


async def _standing(address: str, seed: str) -> Standing:
    try:
        client = await connect(address, seed, "witness")
    except Exception as problem:  # the client raises kinds of its own for every part of a link
        return "older" if refused(problem) else "gone"
    await _leave(client)
    return "newest"


async def _leave(client: Client) -> None:
    with suppress(Exception):
        await asyncio.wait_for(client.close(), CLOSE_S)


def refused(problem: Exception) -> bool:
    """Return whether a server did not let us in, by *problem*: it is there, and does not know our key."""
    return "authorization violation" in str(problem).lower()
