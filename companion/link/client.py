"""A connection to the message server, by key. Who loses it connects again: one way for every trouble.

A thread with an event loop of its own keeps a link alive beside the threads that do the rest. Of servers that
somebody else runs it is known which are gone, and which have yet to read who may come in: each version of
`accounts.conf` has a key of its own that may do nothing, and a server that lets it in has read that version.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from random import sample
from ssl import SSLContext
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from lastnose.companion.event.messages import ServersSeen, Standing
from lastnose.companion.link import engine, keys
from lastnose.companion.link.engine import explained, must_be_tls

if TYPE_CHECKING:
    from nats.aio.client import Client

CLOSING_S = 1.0  # how long what was cancelled, and then the closing, may take

Work = Callable[[], Coroutine[Any, Any, None]]
WITHIN_S = 3
_log = logging.getLogger("lastnose.hall")
# A link over TLS that is closed makes asyncio warn of nothing, once each: a hall would say it all evening.
logging.getLogger("asyncio").addFilter(lambda record: "eof_received() has no effect" not in str(record.msg))
LOOK_S = 5.0  # how often the servers are asked
SOON_S = 2.0  # how often while one of them has yet to read the newest version
CLOSE_S = 1.0


class LoopThread:
    """Does *work*, side by side, in a thread called *name* until it is stopped; then awaits *closing*."""

    def __init__(self, name: str, *work: Work, closing: Work | None = None) -> None:
        self._name = name
        self._work = work
        self._closing = closing
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stopped = asyncio.Event()

    def start(self) -> None:
        """Begin; what is asked of the loop from now on is done."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, args=(self._loop,), name=self._name, daemon=True)
        self._thread.start()

    def call(self, what: Callable[[], object]) -> None:
        """Let the loop call *what* soon; nothing happens where none runs. May be called on any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # it has just ended
                self._loop.call_soon_threadsafe(what)

    def begin(self, work: Work) -> None:
        """Let the loop do *work* too; nothing happens where none runs. May be called on any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):
                asyncio.run_coroutine_threadsafe(work(), self._loop)

    def stop(self, within_s: float) -> None:
        """End; return within *within_s* seconds."""
        self.call(self._stopped.set)
        if self._thread is not None:
            self._thread.join(timeout=within_s)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(self._live())

    async def _live(self) -> None:
        tasks = [asyncio.create_task(one()) for one in self._work]
        await self._stopped.wait()
        for task in tasks:
            task.cancel()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), CLOSING_S)
        if self._closing is not None:
            with suppress(Exception):
                await asyncio.wait_for(self._closing(), CLOSING_S)


async def connect(
    address: str, seed: str, name: str, inbox: str = "_INBOX", own: Path | None = None
) -> Client:
    """Return a connection to *address*, proven with the secret key *seed*.

    Raises NoLink when it is known why there is none, else what the client raises. Of several addresses, with
    commas between them, it is any that answers. *own* is the certificate of our own server, which is known by
    that alone: not every certificate is for the name by which we reach it.
    """
    known = address.split(",")
    troubles: list[Exception] = []
    for one in sample(known, len(known)):
        try:
            await asyncio.to_thread(engine.must_stay_inside, one)  # a name is asked for, which may take long
            return await _connect(one, seed, name, inbox, own)
        except Exception as problem:  # the client raises kinds of its own for every part of a link
            troubles.append(explained(problem, urlsplit(one).hostname or one))
    # A wrong certificate is somebody's to put right; a server that is gone may be one of a cluster.
    raise max(troubles, key=lambda one: isinstance(one.__cause__, ssl.SSLError))


async def _connect(address: str, seed: str, name: str, inbox: str, own: Path | None) -> Client:
    from nats.aio.client import Client
    from nats.errors import NoServersError

    client = Client()
    last: list[Exception] = []  # it tells what was wrong, and then raises that there is no server

    async def note(problem: Exception) -> None:
        _log.debug("%r", problem)
        last[:] = [problem]

    def sign(nonce: str) -> bytes:
        must_be_tls(address, client._server_info)
        return keys.signed(seed, nonce)

    # The client's own way asks for a package that there is no wheel of, for this and a signature.
    client._public_nkey = keys.public_key(seed)
    try:
        await client.connect(
            address,
            name=name,
            signature_cb=sign,
            inbox_prefix=inbox.encode(),
            allow_reconnect=False,
            max_reconnect_attempts=1,  # else a server that is gone is tried for two minutes before the next
            reconnect_time_wait=0,
            connect_timeout=WITHIN_S,
            ping_interval=5,
            max_outstanding_pings=2,
            error_cb=note,
            tls=_known_by(own) if own is not None else None,
        )
        must_be_tls(address, client._server_info)  # who wants no signature may be anybody
    except BaseException as problem:
        await let_go(client)
        if isinstance(problem, NoServersError) and last:
            raise last[0] from None
        raise
    return client


async def rest(client: Client, for_s: float) -> None:
    """Wait, and let lie what the server sends meanwhile: read together it costs far less than one by one."""
    writer = getattr(client._transport, "_io_writer", None)  # none while the link is being made again
    if writer is not None:
        writer.transport.pause_reading()
    try:
        await asyncio.sleep(for_s)
    finally:
        if writer is not None:
            writer.transport.resume_reading()


async def let_go(client: Client) -> None:
    """Close *client*, its socket too: one that is refused, or cut while it spoke, leaves that open."""
    try:
        with suppress(Exception):
            await asyncio.wait_for(client.close(), CLOSE_S)
    finally:  # also where who waits for this has no more time
        writer = getattr(client._transport, "_io_writer", None)
        if writer is not None:
            with suppress(AttributeError):  # Debian 12's Python: over TLS nothing is left to abort
                writer.transport.abort()


def _known_by(certificate: Path) -> SSLContext:
    """Return what trusts the server with this *certificate*, and no other."""
    made = ssl.create_default_context(cafile=certificate)
    made.check_hostname = False
    made.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return made


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
        return ServersSeen(keys.public_key(seed), dict(zip(self._addresses, standings, strict=True)))


async def _standing(address: str, seed: str) -> Standing:
    try:
        client = await connect(address, seed, "witness")
    except Exception as problem:  # the client raises kinds of its own for every part of a link
        return "older" if refused(problem) else "silent"
    await let_go(client)
    return "newest"


def refused(problem: Exception) -> bool:
    """Return whether a server did not let us in, by *problem*: it is there, and does not know our key."""
    return "authorization violation" in str(problem).lower()
