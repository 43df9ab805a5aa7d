"""The hall at work: obeys organisers, keeps both logs, knows how every table stands. For any thread.

What is kept of an event is the standings as a table, and everything as one JSON document, read years later:
the hall's log and every table's as they were written, with the chain that proves them, and beside them the
standings and results that follow, so that whoever has no Last Nose any more can still read those.
What it `holds` stands before the logs, so that one that was cut says what is missing.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random, SystemRandom
from typing import Any, NamedTuple, TypeVar

import msgspec
from lastnose.companion import __version__
from lastnose.companion.core.csv_file import as_csv
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.core.names import can_be_shown
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.event import events, roster
from lastnose.companion.event.calls import call_for
from lastnose.companion.event.commands import AnyHallCommand, Draw
from lastnose.companion.event.events import AnyHallEvent
from lastnose.companion.event.formats import Stage, drawing
from lastnose.companion.event.history import must_not_overwrite
from lastnose.companion.event.messages import SPOILT, UNHEARD, ClockWatch, HallCall, Presence, ServersSeen
from lastnose.companion.event.orders import CHANGED, Order, Tell, must_have_seen
from lastnose.companion.event.snapshot import (
    AWAY_S,
    AskingTable,
    Attendance,
    HallSnapshot,
    Overdue,
    TableSeen,
)
from lastnose.companion.event.standings import StandingLine
from lastnose.companion.event.state import apply, fold
from lastnose.companion.event.table_log import TableLog
from lastnose.companion.event.tally import Tally, games_now
from lastnose.companion.link import keys
from lastnose.companion.link.copies import Copies
from lastnose.companion.link.store import HallStore
from lastnose.companion.link.wire import Parcel
from lastnose.companion.system import host_clock
from lastnose.companion.table.log_file import LogRow
from msgspec.structs import replace

T = TypeVar("T")
# So long after its last word a table waits at the door, so many at once, and so many of one address.
AT_DOOR_S, AT_DOOR, OF_ONE = 15.0, 64, 8
NEVER_S = float("-inf")
PERCENT = 5  # a draw's progress is shown in such steps
COLUMNS = ("place", "name", "club", "guest", "points", "rounds", "firsts", "letters", "deals", "decided")


def _event_of(store: HallStore) -> str:
    """Return the id of the event in *store*, made the first time."""
    if not (event := store.setting("event")):
        event = keys.random_id(keys.EVENT)
        store.keep("event", event)
    return event


@contextmanager
def _uncollected() -> Iterator[None]:
    """Let nothing look for garbage meanwhile: what is made of a long event stays; looking took a fifth."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class _AtDoor(NamedTuple):
    """Who waits at the door, when it asked last, and from which address."""

    asks: AskingTable
    at_s: float
    where: str


class Hall:
    """One event: its log, copies of its tables' logs, and what follows from them."""

    def __init__(
        self,
        store: HallStore,
        *,
        wall_s: Callable[[], float] = time.time,
        now_s: Callable[[], float] = time.monotonic,
        elapsed_s: Callable[[], float] = host_clock.elapsed_s,
        random: Random | None = None,
        told: Callable[[int, int], None] = lambda done, of: None,
    ) -> None:
        """Open the event in *store*; *elapsed_s* counts on while the machine sleeps, *now_s* need not.

        *told* is how many of how many tables have been read.
        """
        self._store = store
        self._wall_s, self._now_s = wall_s, now_s
        self._random = random or SystemRandom()
        self._listeners: list[Callable[[HallSnapshot], None]] = []
        self.event = _event_of(store)
        self.state, self._authors = fold(own := [*store.own()]), {seq: event.by for seq, event in own}
        self._clocks = ClockWatch(wall_s, elapsed_s, own[-1][1].at if own else 0.0)
        self._archived, self._before = store.archived_tables(), frozenset(self.state.tables)
        self._lock, self._tally = threading.RLock(), Tally()
        self._seen: dict[str, TableSeen] = {}
        self._copies = Copies(self.event, self._tally, store, self._note)
        self._attendance, self._overdue = Attendance(), Overdue()
        self._spoilt_s: dict[str, float] = {}  # when each last said so: of two with one key only one does
        self._drawn: int | None = None  # how far a draw is that is being made, in percent
        self._code = keys.EveningCode(store.setting, store.keep, wall_s, now_s, elapsed_s)
        self._asking: dict[str, _AtDoor] = {}
        self.run = keys.random_id(keys.TABLE)  # what tells this start of a hub from any other
        self.fenced = False  # another hub leads since, or has other entries
        self._behind, self._apart = False, 0  # it has entries to be read; has others from this one on
        self._stale, self._ends, self._version, self._servers = False, False, 0, ServersSeen()
        self._trouble: Text | None = None
        with _uncollected():
            self._copies.open(told)
            self._begun_s, self._begun_n = now_s(), self.state.seq
            self.view = self._copies.made(self._look)

    def subscribe(self, listener: Callable[[HallSnapshot], None]) -> Callable[[], None]:
        """Call *listener* with every new view; return what ends that."""
        with self._lock:
            self._listeners.append(listener)

        def leave() -> None:
            with self._lock, suppress(ValueError):
                self._listeners.remove(listener)

        return leave

    def made(self, make: Callable[[HallSnapshot], T], view: HallSnapshot | None = None) -> T:
        """Return what *make* makes of *view*; of a newer one where a table's log has to be left out."""
        view = view or self.view
        while True:
            try:
                return make(view)
            except Exception:
                with self._lock:
                    if not self._copies.doubt() and self.view is view:
                        raise
                    view = self._publish()

    def _look(self) -> HallSnapshot:
        state = self._copies.settled(self.state)
        found = self._tally.outcomes(state)
        lines = self._tally.lines(state, found)
        step = Stage(state, found, lines).next_step() if self._drawn is None else drawing(self._drawn)
        return HallSnapshot(
            version=self._version,
            event=self.event,
            state=state,
            outcomes=found,
            lines=self._tally.last_lines(state, found) if step.kind == "over" else lines,
            heat_lines=self._tally.heat_lines,
            step=step,
            games=games_now(state, found),
            stuck=tuple(one for one in found if one.stuck or (one.void and one.open)),
            seen=dict(self._seen),
            have=dict(self._copies.have),
            engine=self._trouble,
            servers=self._servers,
            stopped=self._stopped(),
            there=self._attendance.there(self._now_s()),
            archived=self._awaited_by_nobody(),
            overdue=self._overdue.vain,
            asking=tuple(one.asks for one in self._asking.values()),
        )

    def _awaited_by_nobody(self) -> frozenset[str]:
        """Return which tables were not heard yet, and need not be: see `HallSnapshot.archived`."""
        just_begun = self._now_s() < self._begun_s + AWAY_S
        known = self._archived | self._before if just_begun else self._archived
        return frozenset(one for one in known if self._of(one).presence is UNHEARD)

    def _publish(self) -> HallSnapshot:
        self._version += 1
        self.view = self._copies.made(self._look)
        self._stale = False
        for listener in tuple(self._listeners):
            listener(self.view)
        return self.view

    @property
    def logs(self) -> dict[str, TableLog]:
        """The tables' logs as far as they are here, by table."""
        return dict(self._tally.logs)

    def rows(self, table: str) -> list[LogRow]:
        """Return the rows of *table*'s log as far as they are here."""
        return self._store.rows(table)

    def unfounded(self, table: str) -> frozenset[int]:
        """Return the rounds of *table* whose verdicts do not follow from their edges."""
        return self._store.unfounded(table)

    def own(self) -> list[tuple[int, AnyHallEvent]]:
        """Return the hall's own log."""
        return list(self._store.own())

    # ---- one hub leads

    def _stopped(self) -> Text | None:
        """Return why this hub takes no orders, None while it leads."""
        if self._apart:
            return text(
                "Another hub leads this event, and has other entries from {n} on. What was done here since "
                "is not there: keep it with Everything.",
                n=self._apart,
            )
        if self.fenced:
            return text(
                "Another hub has been started for this event, and leads it: this one only shows it. To lead "
                "from here, end it and start it again."
            )
        return text("The newest entries of this event are being read.") if self._behind else None

    def fence(self) -> None:
        """Take that another hub leads from now on: this one takes no orders any more."""
        with self._lock:
            self.fenced = True
            self._publish()

    def compared(self, differs_at: int) -> None:
        """Take at which entry the message server's copy of our log differs from it; 0: it does not.

        One that we lack is read soon; where we have another we have parted for good.
        """
        with self._lock:
            behind = differs_at > self.state.seq
            apart = self._apart or (0 if behind else differs_at)
            if (behind, apart) != (self._behind, self._apart):
                self._behind, self._apart = behind, apart
                self.fenced = self.fenced or apart > 0  # nor does it send any more: a store may be put back
                self._publish()

    def follow(self, parcel: Parcel) -> bool:
        """Take what the message server has of our log and we have not; return False before a hole."""
        with self._lock:
            n, head = self._store.own_head()
            if parcel.first > n + 1 and not self._apart:
                return False
            rows = () if self._apart else parcel.after(n, head)
            if rows is None:
                self.compared(n)
            for row in rows or ():
                event = events.DECODER.decode(row.raw)
                self._store.append_row(row)
                self._took_place(row.seq, event)
            if rows:
                self._publish()
            return True

    # ---- what comes from the tables

    def took(self, found: list[tuple[str, LogRow]]) -> None:
        """Take rows that are kept already."""
        with self._lock:
            self._copies.took(found)
            self._stale = True

    def tick(self) -> None:
        """Show what has come since: many rows make one view."""
        with self._lock:
            if self._stale:
                self._publish()

    def _note(self, table: str, **changes: object) -> None:
        self._seen[table] = replace(self._of(table), **changes)

    def _of(self, table: str) -> TableSeen:
        return self._seen.get(table, TableSeen())

    def refused(self, table: str, why: str | Text) -> None:
        """Note why rows of *table* were not taken; "": they follow again."""
        with self._lock:
            known = self._of(table).refused
            if known != why and (why or known in SPOILT):
                self._note(table, refused=why)
                self._stale = True

    def flooded(self, table: str) -> None:
        """Put *table* out, under whose name far too much has come that is nothing."""
        with self._lock:
            known = self.state.tables.get(table)
            if known is not None and known.inside and self.view.stopped is None:
                self._keep(events.PutOut(by="hall", at=self._wall_s(), table=table, floods=True))
                self._publish()

    def heard(self, table: str, found: Presence | Text) -> None:
        """Take what *table* says of itself, or why that cannot be read."""
        with self._lock:
            now_s = self._now_s()
            self._attendance.heard(table, now_s)
            known = self._of(table)
            if isinstance(found, Presence) and found.trouble in SPOILT:
                self._spoilt_s[table] = now_s
            elif isinstance(found, Presence) and now_s < self._spoilt_s.get(table, NEVER_S) + AWAY_S:
                found = replace(found, trouble=known.presence.trouble)
            changed = {"odd": found} if isinstance(found, Text) else {"presence": found, "odd": None}
            seen = replace(known, **changed)
            if seen != known:
                self._seen[table] = seen
                self._stale = True
            self._stale |= table not in self.view.there

    def look_at_tables(self, *, keeps: bool = True) -> bool:
        """Note which tables have fallen silent; return whether one has long had more than has come.

        Its rows may be in the stream and have been missed, or the message server keeps none any more. Not so
        while it is our own disk that *keeps* none: then nobody is waited for.
        """
        with self._lock:
            self._mind_the_clock()
            now_s, have = self._now_s(), self._copies.have
            for table in [t for t, one in self._asking.items() if now_s - one.at_s > AT_DOOR_S]:
                del self._asking[table]  # it asks no more
                self._stale = True
            spoke = self._attendance.there(now_s)
            self._stale |= (spoke, self._awaited_by_nobody()) != (self.view.there, self.view.archived)
            if not keeps:
                self._overdue.forget()
            waits = spoke if keeps else ()
            again = self._overdue.look(((one, self._seen[one], have.get(one, 0)) for one in waits), now_s)
            self._stale |= self._overdue.vain != self.view.overdue
            return again

    def _mind_the_clock(self) -> None:
        """Write down that this machine's wall clock was set: the round's clock goes on as it was."""
        past = all(one.seq <= self._begun_n for one in self.state.called)
        if (by_s := self._clocks.set_by_s(past=past)) and self.state.called and self.view.stopped is None:
            self._keep(events.ClockSet(by="hall", at=self._wall_s(), by_s=by_s))
            self._stale = True

    def engine_trouble(self, says: Text | None) -> None:
        """Note what is wrong with the message server, None when nothing is."""
        with self._lock:
            if says != self._trouble:
                self._trouble = says
                self._publish()

    def servers_seen(self, found: ServersSeen) -> None:
        """Note how the message servers stand that somebody else runs."""
        with self._lock:
            if found != self._servers:
                self._servers = found
                self._publish()

    # ---- what tables are told

    def call_for(self, table: str) -> HallCall | None:
        """Return what *table* is to know now, None for one that is not in the hall."""
        with self._lock:
            return call_for(self.view, table, self._wall_s(), self.run)

    # ---- tables come in

    def invite(self, *, renew: bool = False) -> str:
        """Return the code that lets tables in this evening, when it is to *renew* another; raise NotNow."""
        with self._lock:
            self._must_lead()
            return self._code.renew() if renew else self._code.shown()

    def admit(self, code: str, table: str, key: str, where: str = "") -> int:
        """Let *table* in with the public *key* for the *code* of the evening, from the address *where*.

        Return its number; raise BadInput, and NotNow where codes are guessed.
        """
        with self._lock:
            self._must_be_table(table, key)
            self._code.check(code, where)
            number = self._admit(table, key, "hall")
            self._publish()
            return number

    def ask(self, table: str, key: str, name: str, where: str = "") -> int:
        """Take that *table* asks to be let in, from the address *where*; return its number, else 0.

        Raise BadInput, and NotNow where too many ask.
        """
        with self._lock:
            self._must_be_table(table, key)
            known = self.state.tables.get(table)
            if known is not None and known.inside:
                return known.number
            before = self._asking.get(table)
            if before is not None and before.asks.key != key:
                raise NotNow(text("Another table asks under this name: ask no more, then ask again."))
            if before is None:
                same = sum(1 for one in self._asking.values() if one.where == where)
                if len(self._asking) >= AT_DOOR or same >= OF_ONE:
                    raise NotNow(text("Too many tables ask at once: come in with a code from the desk."))
            called = name if len(name) <= roster.LONGEST and can_be_shown(name) else ""
            check = keys.check(key) if before is None else before.asks.check
            asks = AskingTable(table, key, called, check)
            self._stale |= before is None or before.asks != asks
            self._asking[table] = _AtDoor(asks, self._now_s(), where)
            return 0

    def let_in(self, tables: tuple[str, ...], by: str) -> int:
        """Let those of *tables* in that ask at the door; return how many; raise NotNow or StoreError."""
        with self._lock:
            found = [self._asking[table].asks for table in tables if table in self._asking]
            for one in found:
                self._admit(one.id, one.key, by)
                del self._asking[one.id]
            self._publish()
            return len(found)

    def _must_be_table(self, table: str, key: str) -> None:
        if not keys.is_id(table, keys.TABLE) or not keys.is_public_key(key):
            raise BadInput(english("This is not a table of a Last Nose that this hall understands."))
        known = self.state.tables.get(table)
        if known is not None and known.key != key:  # the screens tell its id to everybody
            raise NotNow(
                text("A table with this name but another key is in: remove that one first.")
                if known.inside
                else text("Another table asks under this name: ask no more, then ask again.")
            )
        if self._is_spoilt(table):
            raise NotNow(
                text(
                    "Nothing more can be taken under this table’s old name: run lastnose hall leave there, "
                    "then let it in again; it comes with a new one."
                )
            )

    def needs_new_name(self, table: str) -> bool:
        """Return whether *table* was put out, and nothing more can be taken under its id."""
        known = self.state.tables.get(table)
        return known is not None and not known.inside and self._is_spoilt(table)

    def _is_spoilt(self, table: str) -> bool:
        known = self.state.tables.get(table)
        return (known is not None and known.spoilt) or self._of(table).trouble in SPOILT

    def _admit(self, table: str, key: str, by: str) -> int:
        """Write down that *table* is in; return its number."""
        number = self.state.number_for(table)
        self._keep(events.Admitted(by=by, at=self._wall_s(), table=table, number=number, key=key))
        self._note(table, refused="")
        return number

    # ---- what organisers want

    def do(
        self,
        command: AnyHallCommand,
        by: str,
        seen: int | None = None,
        tell: Tell | None = None,
        *,
        opened: int | None = None,
    ) -> HallSnapshot:
        """Do what the organiser *by* asks, who has seen the hall's log up to entry *seen*.

        It was written in a dialog that was opened at entry *opened*. *tell* is told what there is to say of
        it. Raises a CompanionError, and nothing has changed; NotNow when another organiser was faster.
        """
        with self._lock:
            must_not_overwrite(command, opened, self.state, self._store.own, self._copies.settled)
            must_have_seen(self.state.seq, self._authors, by, seen)
            if not isinstance(command, Draw):
                self._keep(self._order(by, tell).event_of(command))
                return self._publish()
            if self._drawn is not None:
                raise NotNow(CHANGED)
            order, self._drawn = self._order(by), 0
            self._publish()
        try:
            made = order.event_of(command)  # beside the lock: it takes seconds, and the tables play on
            while (later := self._kept_for(order, made)) is not None:
                order, made = later, later.amended(made, order)
        finally:
            with self._lock:
                self._drawn = None
                self._publish()
        return self.view

    def _kept_for(self, order: Order, made: AnyHallEvent) -> Order | None:
        """Keep what was *made* for *order*; or return the order of now, where the list is another."""
        with self._lock:
            if not order.holds(later := self._order(order.by)):
                return later
            self._keep(made)
            return None

    def _drew(self, whole: int, left: int) -> None:
        """Show how far the draw is; raise NotNow once nobody waits for it any more."""
        percent = 100 * (whole - left) // max(1, whole)
        with self._lock:
            if self._ends:
                raise NotNow(CHANGED)
            if self._drawn is not None and percent >= self._drawn + PERCENT:
                self._drawn = percent
                self._publish()

    def end(self) -> None:
        """Take that this hub ends: a draw that is being made is given up."""
        with self._lock:
            self._ends = True

    def _order(self, by: str, tell: Tell | None = None) -> Order:
        """Return what an order of *by* meets now."""
        kept = self.state, self.view, self._tally.logs, self._store.own
        nonce = keys.random_id(keys.NONCE)
        return Order(by, self._wall_s(), *kept, self._random, self._drew, tell, nonce)

    def _keep(self, event: AnyHallEvent) -> None:
        """Write *event* down, then let it hold; raise NotNow or StoreError, and nothing has changed."""
        self._must_lead()
        seq = self.state.seq + 1
        self._store.append(seq, event)
        self._took_place(seq, event)

    def _took_place(self, seq: int, event: AnyHallEvent) -> None:
        self._authors[seq] = event.by
        if isinstance(event, events.EntryTakenBack | events.EntryRenewed):
            self.state = fold(self._store.own())
        else:
            self.state = apply(self.state, seq, event)

    def _must_lead(self) -> None:
        """Raise NotNow when this hub does not lead the event."""
        if (why := self.view.stopped) is not None:
            raise NotNow(why)


def standings_csv(view: HallSnapshot) -> str:
    """Return a line an entrant, the best first."""
    return as_csv([COLUMNS, *(_row(view, line) for line in view.lines)])


def _row(view: HallSnapshot, line: StandingLine) -> tuple[str | int | float, ...]:
    person = view.state.people[line.entrant]
    return (
        line.place or "",
        person.name,
        person.club,
        "guest" if person.guest else "",
        f"{float(line.points):.4f}",
        line.rounds,
        line.firsts,
        line.letters,
        line.deals,
        "" if line.decided is None else str(line.decided),
    )


def everything(hall: Hall) -> bytes:
    """Return the document."""
    view = hall.view
    own = [{"n": seq, "event": event} for seq, event in hall.own()]
    tables: dict[str, dict[str, Any]] = {
        table.id: {
            "number": table.number,
            "unfounded": sorted(hall.unfounded(table.id)),
            "log": [
                {"n": row.seq, "evening": row.evening, "head": row.head.hex(), "event": msgspec.Raw(row.raw)}
                for row in hall.rows(table.id)
            ],
        }
        for table in view.state.tables.values()
    }
    document = {
        "lastnose_hall": 1,
        "version": __version__,
        "event": hall.event,
        "holds": {"hall": len(own), "tables": {one: len(kept["log"]) for one, kept in tables.items()}},
        "standings": [
            {"place": line.place, "name": view.state.shown(line.entrant), "points": str(line.points)}
            for line in view.lines
        ],
        "results": [
            {
                "round": one.round,
                "table": one.number,
                "state": one.state,
                "places": [
                    {"name": view.state.shown(entrant), "place": placing.place}
                    for entrant, placing in (one.result.placings if one.result is not None else ())
                ],
            }
            for one in view.outcomes
        ],
        "hall": own,
        "tables": tables,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1)
