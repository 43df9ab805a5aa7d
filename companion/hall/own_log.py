"""The hub's own log in the message server: sent while this hub leads, so that a second one can follow.

The server takes an entry only after the one that the writer believes to be the newest, so of two hubs that
both believe to lead one is refused. It is told when it asks, and follows from then on.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.core.text import text
from companion.hall import engine, wire
from companion.hall.hub import Hall
from companion.hall.sender import AnotherHistory, LogSender, NotAnEntry, NotKept
from companion.hall.store import HallStore

if TYPE_CHECKING:
    from nats.aio.client import Client

LOOK_S = 5.0  # how often the server is asked when nothing happens
STUCK = 6  # so many times nothing was taken: one of our own is begun anew
SOON_S = 0.2  # how soon when something does not fit
_log = logging.getLogger("lastnose.hall")


class OwnLog:
    """Keeps the log of *hub* and its copy in the server the same. Everything belongs to the loop's thread."""

    def __init__(self, store: HallStore, hub: Hall) -> None:
        self._hub = hub
        self._failed = 0  # how often the server took nothing, or said nothing
        self._full = False  # it said that it keeps nothing more
        self._sender = LogSender(hub.event, engine.own_subject(hub.event), "hub", store.own_rows, 0)
        self._news = asyncio.Event()

    @property
    def sent(self) -> int:
        """The newest entry that the server is known to have."""
        return self._sender.sent

    def is_stuck(self) -> bool:
        """Return, once every so often, whether the server takes nothing: there may be room by now."""
        if self._failed < STUCK:
            return False
        self._failed = 1
        return True

    def changed(self) -> None:
        """Look whether there is something to send, soon."""
        self._news.set()

    async def run(self, nc: Client) -> None:
        """Send and ask until the connection breaks; return then."""
        while nc.is_connected:
            self._news.clear()
            try:
                await self._once(nc)
            except AnotherHistory as found:
                self._hub.compared(found.n)
                await asyncio.sleep(SOON_S)
            except NotAnEntry:
                self._hub.engine_trouble(
                    text(
                        "The message server’s copy of the hall’s own log ends with what no hub wrote: "
                        "a second hub cannot follow any more. This one and its tables go on."
                    )
                )
                await asyncio.sleep(LOOK_S)
            except NotKept:
                self._failed, self._full = self._failed + 1, True
                self._hub.engine_trouble(
                    text(
                        "The message server keeps nothing more: is its disk full? Make room there; one that "
                        "somebody else runs has to be started again. The tables play on, and send it all "
                        "later."
                    )
                )
                await asyncio.sleep(LOOK_S)
            except Exception as problem:  # the client raises kinds of its own for every part of a link
                _log.debug("the hall's own log cannot be sent: %r", problem)
                self._failed += isinstance(problem, TimeoutError)  # as one whose disk has just become full
                await asyncio.sleep(SOON_S)
            else:
                self._failed = 0
                if self._full:
                    self._full = False
                    self._hub.engine_trouble(None)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), LOOK_S)

    async def _once(self, nc: Client) -> None:
        n, s = await self._sender.ask(nc)
        self._hub.compared(0)
        leads, wished = self._hub.view.role == "leads", self._hub.leadership.wish
        if leads or wished:
            # Who follows has something to send where the server was put back to an older store.
            n, s = await self._sender.send(nc, n, s)
        if not leads and wished:
            row = self._hub.taking_over()
            await self._sender.put(nc, [row], s)
            self._hub.follow(wire.Parcel(row.seq, row.evening, (row.raw,), row.head))
            self._hub.leadership.wish = ""
