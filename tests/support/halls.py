"""A hall for tests: with a real message server where one is asked for, and tables without a page in it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from lastnose.companion.app.event_hall import SimulatedTable
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.model import Edge, Input, Press, Watermark
from lastnose.companion.evening.events import (
    ENCODER,
    AnyEvent,
    Finished,
    SignedOff,
    Started,
)
from lastnose.companion.event import commands
from lastnose.companion.event.events import Arrangement
from lastnose.companion.event.messages import HallCall
from lastnose.companion.event.screen import HallScreen, Screens
from lastnose.companion.event.snapshot import Todo
from lastnose.companion.event.table_log import call_of
from lastnose.companion.link import engine, keys, reader, service, uplink
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.membership import Membership
from lastnose.companion.link.service import HallService
from lastnose.companion.link.store import Cursor, HallStore
from lastnose.companion.table.log_file import NO_HEAD, LogRow, chained

from tests.support.evenings import judged_round
from tests.support.ports import free_port

WITHIN_S = 120  # how long a busy machine may take; nothing is asserted about it


def need_server() -> None:
    """Skip without a nats-server that can be run."""
    try:
        engine.find_server()
    except DeviceError as problem:
        pytest.skip(str(problem))


def until(there: Callable[[], object], what: str) -> None:
    """Wait until *there*, however busy the machine; fail with *what* was waited for."""
    end = time.monotonic() + WITHIN_S
    while not there():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.01)


def rows(events: tuple[AnyEvent, ...], after: tuple[int, bytes] = (0, NO_HEAD)) -> list[LogRow]:
    """Return *events* as the rows of a log that come after *after*."""
    n, head = after
    out = []
    for event in events:
        n, raw = n + 1, ENCODER.encode(event)
        head = chained(head, n, 1, raw)
        out.append(LogRow(n, 1, str(event.__struct_config__.tag), raw, head))
    return out


def arranged(hall: Hall, names: str, **wishes: object) -> None:
    """Set an event up with people of these names."""
    given = {"name": "Pig Cup", "game": "pig", "rounds": 2, "tables": 2, "most": 6, "final": 3, **wishes}
    hall.do(commands.Arrange(Arrangement(**given)), "Ann")  # type: ignore[arg-type]
    hall.do(commands.AddPeople(names), "Ann")


def let_in(hall: Hall, address: str = "") -> Membership:
    """Let one more table in."""
    seed, table = keys.make_seed(), keys.random_id(keys.TABLE)
    number = hall.admit(hall.invite(), table, keys.public_key(seed))
    return Membership("http://hall/", hall.event, address, number, table, seed)


def call_round(hall: Hall) -> None:
    """Draw what is to be drawn, and call the next round."""
    if hall.view.step.kind == "draw":
        hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")


def begun(hall: Hall, names: str, *, tables: int = 2, **wishes: object) -> tuple[Membership, ...]:
    """Set an event up, let its tables in and call the first round; return the tables."""
    arranged(hall, names, tables=tables, **wishes)
    members = tuple(let_in(hall) for _ in range(tables))
    call_round(hall)
    return members


def call_to(hall: Hall, member: Membership) -> HallCall:
    """Return what the hall says to a table that is in."""
    call = hall.call_for(member.table)
    assert call is not None
    return call


def type_result(hall: Hall, number: int, table: int) -> None:
    """Type a result from paper: at *table* of round *number* they come in as they sit."""
    people = hall.state.rounds[number - 1].at(table)
    hall.do(commands.TypeResult(number, table, tuple((one,) for one in people), "from paper"), "Ann")


def decide(hall: Hall, decision: str, entry: int = 3, *, table: str = "", by: str = "Ann") -> int:
    """Appeal the verdict of *entry* at table 1, or at machine *table*; return the decision's entry."""
    hall.do(commands.Object(1, entry, "Tom was pushed.", table=table), by)
    hall.do(commands.Decide(hall.state.seq, decision, "The strip says so."), by)
    return hall.state.seq


def screen(hall: Hall) -> HallScreen:
    """Return what the hall's pages show."""
    return Screens().screen(hall.view, hall.logs)


def todos(hall: Hall, kind: str) -> list[Todo]:
    """Return what of this *kind* needs the organiser."""
    return [one for one in screen(hall).todos if one.kind == kind]


def states(hall: Hall) -> list[tuple[int, int, str]]:
    """Return round, table and state of every game."""
    return [(one.round, one.number, one.state) for one in hall.view.outcomes]


def seated(hall: Hall, number: int = 1) -> tuple[tuple[str, ...], str]:
    """Return who sits at table *number* in the round that is played, and the call that their game answers."""
    now = hall.state.now
    assert now is not None
    return tuple(hall.state.shown(one) for one in now.at(number)), call_of(hall.event, now.seq, now.nonce)


def take(hall: Hall, member: Membership, found: list[LogRow]) -> None:
    """Let rows of a table arrive, without a server."""
    sent = [(member.table, row) for row in found]
    hall._store.take(sent, Cursor("", 0))
    hall.took(sent)
    hall.tick()


def known(hall: Hall, member: Membership) -> tuple[int, bytes]:
    """Return number and head of the newest row of a table that is here: what comes next comes after that."""
    return hall._store.heads().get(member.table, (0, NO_HEAD))


def edges(presses: tuple[Press, ...], lines: tuple[str, ...]) -> tuple[Input, ...]:
    """Return what a source tells of *presses*, on the *lines* by seats."""
    made = [Edge(one.t_ns, one.source, lines[one.seat - 1], 1, one.u_ns) for one in presses]
    made.sort(key=lambda edge: edge.t_ns)
    return (*made, Watermark(made[-1].t_ns + 1_000_000_000, made[-1].source))


def judged_game(names: tuple[str, ...], call: str, after: int, margin_us: int = 412) -> tuple[AnyEvent, ...]:
    """Return a game behind *after* entries: the third was last by so much, ± 20 µs, and it was ended."""
    lines = tuple(f"nose.{seat}" for seat in range(1, len(names) + 1))
    presses = tuple(
        Press(seat, t * 1_000, 10_000, "gpio") for seat, t in ((1, 10), (2, 90), (3, 90 + margin_us))
    )
    return (
        Started(by="hall", at=0, game="pig", players=names, options={}, lines=lines, call=call),
        *judged_round(presses, edges(presses, lines), at=2),
        Finished(by="host", at=3),
        SignedOff(by="host", at=4, of=after + 1),
    )


def play_called(hall: Hall, member: Membership) -> None:
    """Let a table play what it is called for, with one verdict, and let that count."""
    call, after = call_to(hall, member), known(hall, member)
    take(hall, member, rows(judged_game(call.players, call.call, after[0]), after))
    if (call.round, member.number, "doubtful") in states(hall):
        hall.do(commands.Clear(call.round, member.number), "Ann")


class LiveHall:
    """A hall with a nats-server of its own, and simulated tables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"nats://127.0.0.1:{self.port}"
        self.tables: list[SimulatedTable] = []
        self.store: HallStore
        self.hall: Hall
        self.service: HallService
        self.open()

    def open(self) -> None:
        """Begin, or begin again."""
        self.store = HallStore(self.folder / "hall")
        self.hall = Hall(self.store, random=Random(7))
        self.service = HallService(
            self.folder / "hall",
            self.store,
            self.hall,
            host="127.0.0.1",
            port=self.port,
        )
        self.hall.subscribe(lambda view: self.service.tell_all())
        self.service.start()

    def close(self) -> None:
        """End the hall, not its tables."""
        self.service.stop()
        self.store.close()

    def add_table(self, seats: int = 6, wall_s: Callable[[], float] = time.time) -> SimulatedTable:
        """Let a simulated table in, and wait until it is heard; its wall clock is *wall_s*."""
        member = let_in(self.hall, self.address)
        folder = self.folder / f"table-{member.number}"
        folder.mkdir()
        table = SimulatedTable(folder, member, Random(member.number), seats, wall_s=wall_s)
        self.tables.append(table)
        until(lambda: member.table in self.hall.view.there, "the table to be there")
        return table

    def level(self) -> bool:
        """Return whether the hall has all that the tables have."""
        have = self.hall.view.have
        return all(have.get(one.member.table, 0) == one.thread.snapshot.seq for one in self.tables)

    def play(self) -> None:
        """Let the tables play until each has a result that is signed off."""

        def done() -> bool:
            for table in self.tables:
                table.step()
            now = self.hall.state.now
            assert now is not None
            states = [one.state for one in self.hall.view.outcomes if one.round == now.number]
            return bool(states) and all(one in ("counts", "doubtful") for one in states)

        until(done, "all tables to have a result")
        for one in self.hall.view.outcomes:
            if one.state == "doubtful":
                self.hall.do(commands.Clear(one.round, one.number), "Ann")


# How often is looked, and said that one is there.
RHYTHMS = (
    (service, "LOOK_S"),
    (service, "ASK_S"),
    (reader, "LOOK_S"),
    (uplink, "BEAT_S"),
)


@contextmanager
def live_hall(folder: Path) -> Iterator[LiveHall]:
    """Give a running hall in which all is done ten times as often; end it and its tables."""
    need_server()
    with pytest.MonkeyPatch.context() as patch:
        for module, name in RHYTHMS:
            patch.setattr(module, name, getattr(module, name) / 10)
        made = LiveHall(folder)
        try:
            yield made
        finally:
            for table in made.tables:
                table.close()
            made.close()
