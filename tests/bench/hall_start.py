"""A hall that is started again late in a long event: until it stands, its memory, and what a row costs then.

Its folder is written here: each table has played every round with four people, and what its games came to was
kept by a hall before.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.model import Edge, Press, Watermark
from lastnose.companion.core.text import text
from lastnose.companion.evening.events import (
    ENCODER,
    AnyEvent,
    RoundArmed,
    RoundJudged,
    SignedOff,
    Started,
    ZeroTested,
)
from lastnose.companion.evening.log import apply
from lastnose.companion.evening.state import Evening
from lastnose.companion.event import events
from lastnose.companion.event.events import Arrangement
from lastnose.companion.event.roster import Person
from lastnose.companion.event.table_log import call_of
from lastnose.companion.link import keys
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import Cursor, HallStore
from lastnose.companion.table.log_file import NO_HEAD, LogRow, chained
from lastnose.companion.timing import judge

from tests.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded
from tests.bench.processes import memory_mb

SEATS = 4
LINES = tuple(f"nose.{seat}" for seat in range(1, SEATS + 1))
START_S, MEMORY_MB = 5.0, 300
COLUMNS = (
    Column("rows", "entries", ""),
    Column("cpu_s", "processor time of a start", "s"),
    Column("hall_mb", "memory", "mb"),
    Column("first_us", "an entry in the second round", "us"),
    Column("row_us", "an entry after the last", "us"),
)
WITHIN_S = 1_800


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure in a process of its own, as it is after a start of the machine."""
    tables, games = (20, 5) if plan.quick else (1_000, 100)
    with tempfile.TemporaryDirectory(prefix="bench-hall-", dir=plan.folder) as folder:
        written = Written(Path(folder), tables)
        first_us = 0.0
        for number in range(1, games + 1):
            us = written.play()
            first_us = us if number == 2 else first_us
        row_us = written.play()
        written.close()
        found = _started(Path(folder))
    if found["results"] != tables * (games + 1):
        raise DeviceError(text("The hall has entries twice, or out of order."))
    figures = {
        "rows": Figure(written.entries),
        "cpu_s": Figure(rounded(found["cpu_s"]), START_S),
        "hall_mb": Figure(rounded(found["mb"]), MEMORY_MB),
        "first_us": Figure(rounded(first_us)),
        "row_us": Figure(rounded(row_us)),
    }
    label = f"{tables} tables, {games} games each"
    return FigureGroup((FigureTable(COLUMNS, (FigureRow("start", label, figures),)),))


def _started(folder: Path) -> dict[str, float]:
    """Return what starting the hall in *folder* costs, and how many results it has."""
    words = [sys.executable, "-m", "tests.bench.hall_start", str(folder)]
    done = subprocess.run(words, capture_output=True, check=True, timeout=WITHIN_S)
    found: dict[str, float] = json.loads(done.stdout)
    return found


class Written:
    """An event in *folder* whose *tables* play as often as they are told to."""

    def __init__(self, folder: Path, tables: int) -> None:
        self._store = HallStore(folder)
        self._hall = Hall(self._store, random=Random(1))
        self._rng, self._rounds, self.entries = Random(5), 0, 0
        made = Arrangement(name="Bench", game="pig", rounds=1_000, tables=tables, most=SEATS, final=0)
        self._people = tuple(f"Player {n}" for n in range(1, tables * SEATS + 1))
        key = keys.public_key(keys.make_seed())
        self._ids = [keys.random_id(keys.TABLE) for _ in range(tables)]
        self._heads = dict.fromkeys(self._ids, (0, NO_HEAD))
        self._keep(
            events.EventArranged(by="Ann", at=1.0, arrangement=made),
            events.PeopleJoined(by="Ann", at=1.0, first=1, people=tuple(map(Person, self._people))),
            *(
                events.Admitted(by="Ann", at=1.0, table=i, number=n, key=key)
                for n, i in enumerate(self._ids, 1)
            ),
        )

    def _keep(self, *made: events.AnyHallEvent) -> None:
        for one in made:
            self._hall._keep(one)

    def play(self) -> float:
        """Let each table play one round more; return what an entry has cost the hall, in µs."""
        self._rounds += 1
        n = len(self._ids)
        seats = tuple(tuple(range(one * SEATS + 1, (one + 1) * SEATS + 1)) for one in range(n))
        nonce, numbers = keys.random_id(keys.NONCE), tuple(range(1, n + 1))
        self._keep(
            events.Drawn(by="Ann", at=1.0, kind="heat", first=self._rounds, rounds=(seats,), rests_on=()),
            events.Called(by="Ann", at=1.0, round=self._rounds, numbers=numbers, options={}, nonce=nonce),
        )
        call = call_of(self._hall.event, self._hall.state.seq, nonce)
        deals = [(str(e.__struct_config__.tag), ENCODER.encode(e)) for e in self._game()]
        rows = [row for n in range(n) for row in self._rows(n, call, deals)]
        self.entries += len(rows)
        self._store.take(rows, Cursor())
        begun_s = time.process_time()
        self._hall.took(rows)
        self._hall.tick()
        return (time.process_time() - begun_s) / len(rows) * 1e6

    def _game(self) -> list[AnyEvent]:
        """Return the deals of a game, until it has a result."""
        started = Started(by="hall", at=0, game="pig", players=tuple("ABCD"), options={}, lines=LINES)
        evening, out = apply(Evening(), 1, started), []
        while (match := evening.match) is not None and not match.finished:
            seats = [one.seat for one in match.now.standings if not one.out]
            for event in self._deal(seats):
                evening = apply(evening, evening.seq + 1, event)
                out.append(event)
        return out

    def _deal(self, seats: list[int]) -> tuple[AnyEvent, AnyEvent]:
        """Return a round that *seats* touch in an order of chance."""
        order = self._rng.sample(seats, len(seats))
        presses = tuple(Press(s, 10 + 90_000_000 * n, 10_000, "gpio") for n, s in enumerate(order))
        edges = tuple(Edge(one.t_ns, "gpio", LINES[one.seat - 1], 1, one.u_ns) for one in presses)
        judged = RoundJudged(
            by="box",
            at=2,
            verdict=judge(presses),
            confirm_ns=1_000_000,
            lockout_ns=20_000_000,
            inputs=(*edges, Watermark(presses[-1].t_ns + 1_000_000_000, "gpio")),
        )
        return RoundArmed(by="box", at=1, t_ns=0, seats=tuple(seats)), judged

    def _rows(self, place: int, call: str, deals: list[tuple[str, bytes]]) -> list[tuple[str, LogRow]]:
        """Return the next game of a table as the rows of its log."""
        table = self._ids[place]
        n, head = self._heads[table]
        names = self._people[place * SEATS : (place + 1) * SEATS]
        started = Started(by="hall", at=0, game="pig", players=names, options={}, lines=LINES, call=call)
        zero = ZeroTested(by="host", at=0, lines=(LINES[0], LINES[1]), off_ns=(10,) * 20, u_ns=1_000)
        first = [("zero", ENCODER.encode(zero))] if n == 0 else []
        signed = ENCODER.encode(SignedOff(by="host", at=4, of=n + len(first) + 1))
        out = []
        for kind, raw in (*first, ("started", ENCODER.encode(started)), *deals, ("signed-off", signed)):
            n, head = n + 1, chained(head, n + 1, 1, raw)
            out.append((table, LogRow(n, 1, kind, raw, head)))
        self._heads[table] = n, head
        return out

    def close(self) -> None:
        """End it."""
        self._store.close()


def main() -> None:
    """Start the hall in the folder that is named; print what that costs."""
    store = HallStore(Path(sys.argv[1]))
    view = Hall(store).view
    cpu_s = time.process_time()
    results = sum(one.state == "counts" for one in view.outcomes)
    print(json.dumps({"cpu_s": cpu_s, "mb": memory_mb(os.getpid()), "results": results}))
    store.close()


if __name__ == "__main__":
    main()
