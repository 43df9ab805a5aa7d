"""The hall's side of the message server: runs it, reads the tables' logs, hears who is there, sends calls.

One hub leads an event; the message server itself fences any other: there is no protocol of ours for it.
All that a hub writes goes to one subject, each message with the number of the one that it believes to be the
newest there (`Nats-Expected-Last-Subject-Sequence`), and with the hub's mark, random at each start. A hub
that starts first writes a message of nothing but its mark: from then on the server refuses whatever another
writes, and that one reads there why, and stops.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from lastnose.companion.core.decode import why_not
from lastnose.companion.core.errors import BadInput, CompanionError, Malformed, Missing, StoreError, reason
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.event.messages import FULL, UNHEARD, Presence, ServersSeen
from lastnose.companion.event.snapshot import HallSnapshot
from lastnose.companion.link import engine, keys, wire
from lastnose.companion.link.client import LoopThread, ServerWatch, connect, let_go, refused, witness
from lastnose.companion.link.copies import event_of
from lastnose.companion.link.engine import Engine, NoLink
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.reader import StreamReader
from lastnose.companion.link.store import HallStore
from lastnose.companion.link.uplink import AnotherHistory, LogSender, NotAnEntry, NotKept
from lastnose.companion.link.wire import unread
from lastnose.companion.system.certificate import must_be_good
from lastnose.companion.system.private_file import write_private
from lastnose.companion.table.log_file import LogRow
from lastnose.companion.table.memory_store import EveningRecord, MemoryStore
from lastnose.companion.table.queries import EveningQueries
from lastnose.companion.views.snapshot import RoundView
from msgspec.structs import replace

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

ASK_S = 5.0  # how often the server is asked when nothing happens
STUCK = 6  # so many times nothing was taken: one of our own is begun again
SOON_S = 0.2  # how soon when something does not fit
REST_S = 0.02  # what has come is shown at once, and what comes so soon after it together
SHARE = 4  # at least so many times as long as showing took is rested: it has a fifth of a core at most
LOOK_S = 1.0  # how often tables and server are looked after
WINDOW, WORDS = 10, 600  # in so many looks so many words of a table about itself: six times what one says
AGAIN_S = 0.5
SECRET = "keys.json"
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
                await asyncio.sleep(ASK_S)
            except NotKept:
                self._failed, self._full = self._failed + 1, True
                self._hub.engine_trouble(FULL)
                await asyncio.sleep(ASK_S)
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
                    await asyncio.wait_for(self._news.wait(), ASK_S)

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


class AppealView(msgspec.Struct, frozen=True):
    """A verdict as its table's history shows it, and once more as judging its tape again has it.

    `upheld`: both say the same. `tape` are its raw edges, as a tape (JSON Lines) for `lastnose replay`.
    """

    number: int
    round: RoundView
    again: Text
    upheld: bool
    tape: str


def look(hall: Hall, table: str, entry: int) -> AppealView:
    """Return verdict *entry* of *table*; raise Missing when the hall has none, or cannot read it."""
    try:
        return _look(hall, table, entry)
    except Exception as problem:
        if isinstance(problem, CompanionError) and not isinstance(problem, Malformed):
            raise
        # Of a row that no table writes: the hall has said so, and gone on.
        raise Missing(unread(entry, problem)) from problem


def _look(hall: Hall, table: str, entry: int) -> AppealView:
    known = hall.state.tables.get(table)
    rows = hall.rows(table)
    evening = next((row.evening for row in rows if row.seq == entry), None)
    if known is None or evening is None:
        raise Missing(english("The hall has no entry {seq} of this table.", seq=entry))
    # The numbers of its log must stay what they are: what is of other evenings is there, and not folded.
    store = MemoryStore()
    for row in rows:
        store.evening = row.evening
        store.append(event_of(row.raw))
    store.evening = evening
    queries = EveningQueries(EveningRecord(store))
    shown, verdict = queries.round(entry), queries.judged_again(entry)
    stored = next(one for match in queries.evening.matches for one in match.entries if one.seq == entry)
    judged = stored.verdict
    upheld = judged is not None and (judged.named, judged.void is None) == (
        verdict.named,
        verdict.void is None,
    )
    match = next(one for one in queries.evening.matches if stored in one.entries)
    names = [match.player(seat) for seat in verdict.named]
    again = (
        text("Judged again: it does not count.")
        if verdict.void is not None or not names
        else text("Judged again: {players}, as before.", players=", ".join(names))
        if upheld
        else text("Judged again: {players}.", players=", ".join(names))
    )
    return AppealView(known.number, shown, again, upheld, queries.tape(entry))


class HallService:
    """Keeps *hub* in touch with its tables, with a thread of its own.

    Without *address* a `nats-server` is run on *host* and *port*; with it, one that runs already is used (of
    a cluster, any of several with commas between them), and who may come in is written to `ACCOUNTS` for it.
    A hub that starts leads the event: see `Fence`. `engine` is the server that is our child, None when it is
    somebody else's.
    """

    def __init__(
        self,
        folder: Path,
        store: HallStore,
        hub: Hall,
        *,
        address: str | None = None,
        host: str = "0.0.0.0",
        port: int = engine.PORT,
        replicas: int = 1,
        tls: tuple[Path, Path] | None = None,
    ) -> None:
        self.hub = hub
        self._folder = folder
        self._address = address or f"{'tls' if tls else 'nats'}://127.0.0.1:{port}"
        self._ours = address is None
        self._host, self._port, self._tls = host, port, tls
        self._replicas = replicas
        self._seed = seed_of(folder, hub.event)
        self.fence = Fence(store, hub)
        self.engine = Engine(engine.find_server(), folder) if self._ours else None
        self.reader = StreamReader(hub.event, store, self._took, self._refused, self._own, hub.flooded)
        self._watch = ServerWatch(self._address, self._servers_seen)
        work = [self._live, self._look_after, self._tick, *([] if self._ours else [self._watch.run])]
        self._thread = LoopThread("hall", *work, closing=self._close)
        self._news, self._comes = asyncio.Event(), asyncio.Event()
        self._nc: Client | None = None
        self._configured = ""
        self._let_in: object = None  # what this was made of
        self._told: HallSnapshot | None = None  # the newest of which tables are told
        self._tells: HallSnapshot | None = None  # the newest of which they were
        self._unkept = False  # our own disk did not take what came last
        self._words: Counter[str] = Counter()  # that tables have said of themselves since the last WINDOW

    @property
    def accounts_file(self) -> Path | None:
        """Where it stands who may come in, for servers that somebody else runs; None for one of our own."""
        return None if self._ours else self._folder / engine.ACCOUNTS

    def start(self) -> None:
        """Begin; raise a CompanionError when the server cannot be run."""
        if self.engine is None:
            engine.must_be_safe(self._address)
        elif self._tls is not None:
            must_be_good(*self._tls, time.time())
        self._configure()
        if self.engine is not None:
            self.engine.start()
        self._thread.start()

    def stop(self) -> None:
        """End, and end the server with us."""
        self._thread.stop(3)
        if self.engine is not None:
            self.engine.stop()

    def _configure(self) -> None:
        """Let the server know which tables may come in; it reads that again when it has changed."""
        known = self.hub.state.tables
        if known is self._let_in:
            return
        event, key = self.hub.event, keys.public_key(self._seed)
        tables = {one.id: one.key for one in known.values() if one.inside}
        if self.engine is None:
            made = engine.accounts(event, key, tables)
            seed = witness(self._seed, made)
            written = engine.written(engine.with_witness(made, keys.public_key(seed)))
            if written != self._configured:
                write_private(self._folder / engine.ACCOUNTS, written.encode())
                self._watch.expect(seed)
        else:
            stream, tls = self._folder / "stream", self._tls
            written = engine.configuration(
                event, key, tables, store=stream, host=self._host, port=self._port, tls=tls
            )
            if written != self._configured:
                self.engine.configure(written)
        self._configured, self._let_in = written, known

    def _servers_seen(self, found: ServersSeen) -> None:
        """Pass on how the servers stand."""
        first = bool(found.servers) and not self.reader.has_begun
        self.hub.servers_seen(replace(found, first=first))

    async def _close(self) -> None:
        if self._nc is not None:
            await let_go(self._nc)

    def _took(self, found: list[tuple[str, LogRow]]) -> None:
        if self._unkept:
            self._unkept = False
            self.hub.engine_trouble(None)
        if found:
            self.hub.took(found)
            self._news.set()

    def _own(self, parcel: wire.Parcel, mark: str) -> bool:
        """Take what a hub has written of the hall's own log; one of another mark may lead since."""
        if mark != self.hub.run:
            self.fence.changed()
        return self.hub.follow(parcel)

    def _refused(self, table: str, why: str) -> None:
        self.hub.refused(table, why)
        self._news.set()

    async def _tick(self) -> None:
        """Show what has come: the first thing at once, and what comes while that is shown together.

        Rest follows from this thread's own work: a machine that is busy otherwise does not make it longer.
        """
        while True:
            await self._news.wait()
            self._news.clear()
            start_s = time.thread_time()
            try:
                self.hub.tick()
            except Exception:  # what it could not show is shown with what comes next
                _log.exception("the hall cannot be shown as it stands")
            await asyncio.sleep(max(REST_S, SHARE * (time.thread_time() - start_s)))

    async def _look_after(self) -> None:
        """Keep the server alive and its tables known: one that comes in at once, before it is refused."""
        for look in count(1):
            if not look % WINDOW:
                self._words.clear()
            try:
                if self.engine is not None and self.engine.look_after():
                    _log.warning("nats-server had ended, and was started again")
                self._configure()
                behind = self.hub.look_at_tables(keeps=not self._unkept)
                if behind:
                    _log.warning("a table has sent what did not come: the stream is read again")
                    self.reader.read_again()
                if self.engine is not None and (behind or self.fence.is_stuck()):
                    # A server whose disk was full keeps nothing more, though there is room by now.
                    self.engine.restart()
                self._news.set()
            except CompanionError as problem:
                self.hub.engine_trouble(problem.text)
            except OSError as problem:
                self.hub.engine_trouble(
                    text("The message server cannot be run ({why}).", why=reason(problem))
                )
            except Exception:  # it is looked after again all the same
                _log.exception("the hall cannot be looked after")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._comes.wait(), LOOK_S)
            self._comes.clear()

    async def _live(self) -> None:
        """Read, and connect again after trouble, until cancelled."""
        while True:
            try:
                own = self._tls[0] if self._tls is not None and self._ours else None
                self._nc = await connect(self._address, self._seed, "hall", own=own)
                engine.must_be_new_enough(str(self._nc.connected_server_version))
                await self.reader.make_stream(self._nc, self._replicas)
                await self._nc.subscribe(engine.now_subject(self.hub.event, "*"), cb=self._hear)
                self.hub.engine_trouble(None)
                self._watch.look()
                sending = asyncio.create_task(self.fence.run(self._nc))
                try:
                    await self._read(self._nc)
                finally:
                    sending.cancel()
            except Exception as problem:  # the client raises kinds of its own for every part of a link
                _log.debug("the message server cannot be reached: %r", problem)
                self.hub.engine_trouble(_said(problem, self.accounts_file))
                if self._nc is not None:
                    await let_go(self._nc)
                await asyncio.sleep(AGAIN_S)

    async def _read(self, nc: Client) -> None:
        """Read until the connection breaks; a full disk of our own does not: the tables are heard on."""
        while True:
            try:
                await self.reader.read(nc)
            except StoreError as problem:
                self._unkept = True
                self.hub.engine_trouble(problem.text)
                await asyncio.sleep(AGAIN_S)

    async def _hear(self, message: Msg) -> None:
        """Take a table's presence, and tell it what it does not know yet."""
        try:
            table = wire.table_of(message.subject, self.hub.event)
        except BadInput as problem:
            _log.warning("%s", problem)
            return
        self._words[table] += 1
        if self._words[table] > WORDS:  # nothing of it is looked at any more, nor written down
            if self._words[table] == WORDS + 1:
                self.hub.flooded(table)
            return
        presence = UNHEARD  # what one knows of which that cannot be read is not known
        try:
            presence = wire.presence_of(message.data)
            self.hub.heard(table, presence)
        except BadInput as problem:
            _log.warning("%s: %s", message.subject, problem)
            self.hub.heard(table, problem.text)
        self._news.set()
        await self._tell(table, presence)

    async def _tell(self, table: str, presence: Presence) -> None:
        """Tell *table* what it does not know, by its *presence*."""
        call = self.hub.call_for(table)
        if call is None or self._nc is None or presence.knows(call):
            return
        await self._nc.publish(engine.call_subject(self.hub.event, table), msgspec.json.encode(call))

    def tell_all(self) -> None:
        """Tell every table what it does not know yet; may be called on any thread.

        What is to be told follows from the hall's own log and from results alone.
        """
        view, told = self.hub.view, self._told
        if told is not None and view.state is told.state and view.outcomes is told.outcomes:
            return
        self._told = view
        self._thread.call(self.fence.changed)
        if self.hub.state.tables is not self._let_in:
            self._thread.call(self._comes.set)

        async def tell() -> None:
            newest = self.hub.view
            if self._tells is newest:
                return  # one has told all that several orders have changed
            self._tells = newest
            for table, seen in newest.seen.items():
                with suppress(Exception):
                    await self._tell(table, seen.presence)

        self._thread.begin(tell)


def _said(problem: Exception, accounts: Path | None) -> Text:
    """Return what the organiser is told of a message server that cannot be used.

    Who may come in stands in *accounts*, when somebody else runs it.
    """
    if accounts is not None and refused(problem):
        return text(
            "The message server does not let this hall in: copy {file} to it, and reload it. The tables play "
            "on, and send it all later.",
            file=accounts.name,
        )
    if isinstance(problem, CompanionError) and not isinstance(problem, NoLink):
        return problem.text
    return text(
        "The message server cannot be reached: {why} The tables play on, and send it all later.",
        why=problem.text
        if isinstance(problem, NoLink)
        else Text("{says}.", {"says": text("it does not answer")}),
    )


def seed_of(folder: Path, event: str) -> str:
    """Return the secret key of *event*'s hub, made the first time; raise BadInput or StoreError."""
    found = _kept(folder)
    if "hub" not in found:
        found = {"hub": keys.make_seed()}
    if found.get("event") != event:
        found = {**found, "event": event}
        write_private(folder / SECRET, msgspec.json.encode(found))
    return found["hub"]


def event_in(folder: Path) -> str:
    """Return the event whose key lies in *folder*, "" when none does; raise BadInput."""
    found = _kept(folder).get("event", "")
    return found if keys.is_id(found, keys.EVENT) else ""


def _kept(folder: Path) -> dict[str, str]:
    path = folder / SECRET
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as problem:
        raise BadInput(
            text("{file} cannot be read ({why}).", file=str(path), why=why_not(problem))
        ) from problem
