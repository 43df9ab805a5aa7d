"""Wires a hall together: its store, the hub, the message server, the pages."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random

import msgspec
from lastnose.companion.app import Running
from lastnose.companion.app.hall import InHall
from lastnose.companion.core.errors import CompanionError
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.core.text import Text
from lastnose.companion.evening.commands import SignOff
from lastnose.companion.link import keys
from lastnose.companion.link.engine import PORT, is_number, must_be_safe_to_join, must_not_be_open
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.membership import Membership, announce, keep, load
from lastnose.companion.link.service import HallService, event_in
from lastnose.companion.link.store import HallStore
from lastnose.companion.table.store import Store
from lastnose.companion.table.table import Table
from lastnose.companion.table.thread import TableThread
from lastnose.companion.views.hall import gathering
from lastnose.hardware.sources.mock import Mock
from lastnose.web.access import Access, open_access
from lastnose.web.hall.server import HallServer, ReadingPage
from lastnose.web.server.addresses import interface_addresses


class HallSettings(msgspec.Struct, frozen=True):
    """Everything that `lastnose hall run` was asked for.

    `engine` is a message server that runs already, None to run one on `engine_port`; `tls` certificate and
    key for that.
    """

    folder: Path
    port: int = 8100
    lan: bool = True
    engine: str | None = None
    engine_port: int = PORT
    replicas: int = 1
    tls: tuple[Path, Path] | None = None
    names: tuple[str, ...] = ()


class HallApp(Running):
    """A running hall. `start` returns the addresses of its pages; `stop` releases everything."""

    def __init__(self, settings: HallSettings) -> None:
        super().__init__()
        self.settings = settings
        self.hall: Hall
        self.access: Access
        self.server: HallServer
        self.service: HallService

    def _start(self) -> tuple[str, ...]:
        made = self.settings
        if made.lan and made.engine is None and made.tls is None:
            must_not_be_open(interface_addresses())
        store = HallStore(made.folder)
        self._stack.callback(store.close)
        if not store.setting("event") and (event := event_in(made.folder)):
            store.keep("event", event)  # with its key alone: all else is in the message server
        self.access = open_access(made.folder, lan=made.lan, now_s=time.monotonic)
        reading = ReadingPage(made.port, lan=made.lan)
        try:
            self.hall = Hall(store, told=reading.told)
        finally:
            reading.close()
        self.service = HallService(
            made.folder,
            store,
            self.hall,
            address=made.engine,
            host="0.0.0.0" if made.lan else "127.0.0.1",
            port=made.engine_port,
            replicas=made.replicas,
            tls=made.tls,
        )
        self._stack.callback(self.service.stop)
        self.service.start()
        self._stack.callback(self.hall.subscribe(lambda view: self.service.tell_all()))
        self.server = HallServer(
            self.hall, self.access, port=made.port, engine=self.engine_for, names=made.names
        )
        self._stack.callback(self.server.stop)
        self._stack.callback(self.hall.end)
        addresses = self.server.start()
        if made.lan:
            self._stack.callback(announce(self.server.port, tuple(interface_addresses())))
        return addresses

    def engine_for(self, host: str) -> str:
        """Return the message server's address for a table that reaches our pages under the name *host*.

        Raises BadInput for a number from beyond private addresses when there is no TLS; a name may mean
        another machine there than here.
        """
        made = self.settings
        if made.engine is not None:
            return made.engine
        found = f"{'tls' if made.tls else 'nats'}://{host}:{made.engine_port}"
        if is_number(host):
            must_be_safe_to_join(found)
        return found


# ---- Simulated tables that play in a hall: to see how an evening goes, to practise, and to measure it.
#
# They are tables like any other (store, judge, log, uplink); only the people are pretended: they sit down
# when they are called, touch their noses in an order of chance, and sign the result off. Their time is their
# own.

SECOND_NS = 1_000_000_000
MOST_SEATS = 13
U_NS = 20_000
MEAN_S, SPREAD_S = 0.35, 0.12  # how long after the first nose the others come
_log = logging.getLogger("lastnose.hall")


class SimulatedTable:
    """One table with its people. *folder* keeps its log; `step` lets them do the next thing."""

    def __init__(
        self,
        folder: Path,
        membership: Membership,
        random: Random,
        seats: int = MOST_SEATS,
        *,
        wall_s: Callable[[], float] = time.time,
    ) -> None:
        self.member = membership
        self._random = random
        self._now_ns = SECOND_NS
        self._stack = ExitStack()
        lines = tuple(f"nose.{seat}" for seat in range(1, seats + 1))
        store = Store(folder)
        self._stack.callback(store.close)
        table = Table(store, lines, simulated=True, clock_ns=lambda: self._now_ns, wall_s=wall_s)
        self.thread = TableThread(table)
        self.thread.start()
        self._stack.callback(self.thread.stop)
        self._driver = Mock(lines, scripted=True)
        self._driver.start(self.thread.emit, self._report)
        self._stack.callback(self._driver.close)
        self.inside = InHall(self.thread, folder, membership, self._report, rearm_s=3.0, wall_s=wall_s)
        self.inside.start()
        self._stack.callback(self.inside.stop)
        self._pass(1.0)

    def _report(self, says: Text | None) -> None:
        if says is not None:
            _log.warning("simulated table: %s", says)

    def close(self) -> None:
        """End the table; its log stays."""
        self._stack.close()

    def step(self) -> str:
        """Let the people do what comes next; return what that was, "" when there is nothing to do."""
        snapshot = self.thread.snapshot
        hall = snapshot.hall
        if hall is None:
            return ""
        if hall.signs:
            self.thread.submit(SignOff(), "host").result(timeout=10)
            return "signed"
        if not hall.match or snapshot.phase == "won":
            return ""
        seats = [row.seat for row in snapshot.rows if not row.out]
        if gathering(snapshot.phase, snapshot.round_no) and len(hall.here) < len(seats):
            for seat in seats:
                self._touch({seat: 0.0})
            return "here"
        self.deal()
        return "played"

    def deal(self) -> None:
        """Let everybody who is in touch their nose, in an order of chance, if that is waited for."""
        snapshot = self.thread.snapshot
        if snapshot.phase == "armed":
            seats = [row.seat for row in snapshot.rows if not row.out]
            first = self._random.choice(seats)
            self._touch({seat: 0.0 if seat == first else self._later() for seat in seats})
        self._pass(4.0)

    def _later(self) -> float:
        return max(0.02, self._random.gauss(MEAN_S, SPREAD_S))

    def _touch(self, after_s: dict[int, float]) -> None:
        """Let each of these seats touch its nose so long from now, then all let go."""
        begun = self._now_ns
        for seat, late_s in sorted(after_s.items(), key=lambda one: one[1]):
            self._driver.drive(f"nose.{seat}", 1, begun + round(late_s * SECOND_NS), StampWorth(U_NS))
        self._now_ns = begun + round(max(after_s.values()) * SECOND_NS)
        self._pass(0.3)
        for seat in after_s:
            self._driver.drive(f"nose.{seat}", 0, self._now_ns, StampWorth(U_NS))
        self._pass(0.3)

    def _pass(self, seconds: float) -> None:
        self._now_ns += round(seconds * SECOND_NS)
        self._driver.promise(self._now_ns)
        self.thread.answers(10.0)


PACE_S = 0.4


class Rehearsal:
    """So many simulated tables in *hall*, with a thread that lets each do something every `PACE_S`."""

    def __init__(self, hall: Hall, folder: Path, tables: int, *, engine: str) -> None:
        self._hall = hall
        self._folder = folder
        self._count = tables
        self._engine = engine
        self._random = Random(1)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rehearsal", daemon=True)
        self.tables: list[SimulatedTable] = []

    def start(self) -> None:
        """Let the tables come in, and play."""
        for number in range(1, self._count + 1):
            folder = self._folder / f"table-{number}"
            self.tables.append(SimulatedTable(folder, self._member(folder), Random(self._random.random())))
        self._thread.start()

    def _member(self, folder: Path) -> Membership:
        """Return the membership of the table in *folder*: as it was, or fresh."""
        known = load(folder)
        if known is not None and known.event == self._hall.event and known.table in self._hall.state.tables:
            return known
        seed, table = keys.make_seed(), keys.random_id(keys.TABLE)
        number = self._hall.admit(self._hall.invite(), table, keys.public_key(seed))
        made = Membership("", self._hall.event, self._engine, number, table, seed)
        keep(folder, made)
        return made

    def stop(self) -> None:
        """End all of them."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        for table in self.tables:
            table.close()

    def _run(self) -> None:
        while not self._closing.is_set():
            for table in self.tables:
                if self._closing.is_set():
                    return
                try:
                    table.step()
                except CompanionError as problem:
                    _log.warning("simulated table: %s", problem)
            self._closing.wait(PACE_S)
