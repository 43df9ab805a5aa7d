"""One hub leads an event; the message server itself fences any other: there is no protocol of ours for it.

All that a hub writes goes to one subject, each message with the number of the one that it believes to be the
newest there (`Nats-Expected-Last-Subject-Sequence`), and with the hub's mark, random at each start. A hub
that starts first writes a message of nothing but its mark: from then on the server refuses whatever another
writes, and that one reads there why, and stops.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from lastnose.companion.core.text import text
from lastnose.companion.hall import engine
from lastnose.companion.hall.hub import Hall
from lastnose.companion.hall.sender import AnotherHistory, LogSender, NotAnEntry, NotKept
from lastnose.companion.hall.store import HallStore

if TYPE_CHECKING:
    from nats.aio.client import Client

LOOK_S = 5.0  # how often the server is asked when nothing happens
STUCK = 6  # so many times nothing was taken: one of our own is begun anew
SOON_S = 0.2  # how soon when something does not fit
_log = logging.getLogger("lastnose.hall")


class Fence:
    """Keeps the log of *hub* and its copy in the server the same. Everything belongs to the loop's thread."""

    def __init__(self, store: HallStore, hub: Hall) -> None:
        self._hub = hub
        self._newest = 0  # the number of our newest message, 0 before there is one
        self._failed = 0  # how often the server took nothing, or said nothing
        self._full = False  # it said that it keeps nothing more
        own = engine.own_subject(hub.event)
        self._sender = LogSender(hub.event, own, "hub", store.own_rows, 0, mark=hub.run)
        self._news = asyncio.Event()

    @property
    def sent(self) -> int:
        """The newest entry that the server is known to have."""
        return self._sender.sent

    @property
    def leads(self) -> bool:
        """Whether the server has our mark, and nobody else's since."""
        return self._newest > 0 and self._hub.view.stopped is None

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
        """Send and ask until the connection breaks, or another hub leads; return then."""
        while nc.is_connected and not self._hub.fenced:
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
                        "nobody can take this event over. This hub and its tables go on."
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
        theirs = self._sender.theirs
        if theirs != self._hub.run and self._newest and s > self._newest:
            self._hub.fence()  # a store that was put back has older messages: then we go on
            return
        self._hub.compared(0)
        if theirs != self._hub.run:
            s = await self._sender.put_mark(nc, n, s)
        self._newest = s
        _, self._newest = await self._sender.send(nc, n, s)
