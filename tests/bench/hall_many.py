"""A thousand simulated tables that each write an entry a second: what comes, and what that costs the hall.

They speak to the message server as a table does (`companion.link.uplink`), each with its own key and
connection, all in this process. Their entries are those that one real table has written of a game.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

import msgspec
from lastnose.companion.app.event_hall import SimulatedTable
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import Arm, Start
from lastnose.companion.event import messages
from lastnose.companion.link import engine, wire
from lastnose.companion.link.client import connect, let_go
from lastnose.companion.link.engine import find_server
from lastnose.companion.link.membership import Membership
from lastnose.companion.table import log_file
from lastnose.companion.table.log_file import LogRow

from tests.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded
from tests.bench.measured_hall import WITHIN_S, MeasuredHall
from tests.bench.processes import cpu_s, memory_mb
from tests.bench.viewers import SPARE_FILES, allow_files

CPU_S, MANY = 5.0, 30_000  # processor time for so many entries
BEAT_S = 5.0
COLUMNS = (
    Column("entries", "entries", ""),
    Column("lost", "lost", ""),
    Column("level_s", "level after the end", "s"),
    Column("cpu_s", "hall’s processor time", "s"),
    Column("server_cpu_s", "server’s", "s"),
    Column("hall_mb", "hall memory", "mb"),
)


class CrowdTable:
    """One of the tables: sends *rows*, the first `due` of them, until all are acknowledged."""

    def __init__(self, member: Membership, rows: list[LogRow]) -> None:
        self.member = member
        self._rows = rows
        self.due = self.sent = 0
        self.news = asyncio.Event()

    async def live(self) -> None:
        """Send until cancelled; after any trouble ask what the server has."""
        while True:
            with suppress(Exception):
                await self._connected()
            await asyncio.sleep(1)

    async def _connected(self) -> None:
        member = self.member
        nc = await connect(member.engine, member.seed, member.table, f"_INBOX.{member.table}")
        try:
            log = engine.log_subject(member.event, member.table)
            found = await nc.request(f"$JS.API.DIRECT.GET.{engine.stream_of(member.event)}.{log}", timeout=10)
            headers = found.headers or {}
            none = headers.get("Status") == "404"
            self.sent, s = (0, 0) if none else (int(headers[wire.SEQ]), int(headers["Nats-Sequence"]))
            told_s = 0.0
            while True:
                self.news.clear()  # before looking: what comes meanwhile is looked at again
                for parcel in wire.parcels(self._rows[self.sent : self.due]):
                    payload, wanted = wire.packed(parcel, s, member.table)
                    answer = await nc.request(log, payload, timeout=10, headers=wanted)
                    s = int(msgspec.json.decode(answer.data)["seq"])
                    self.sent = parcel[-1].seq
                if time.monotonic() - told_s > BEAT_S:
                    told_s = time.monotonic()
                    says = msgspec.json.encode(messages.Presence(n=self.due))
                    await nc.publish(engine.now_subject(member.event, member.table), says)
                await self.news.wait()
        finally:
            await let_go(nc)


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure; the hall has no viewers, and the board of a thousand tables is another figure's."""
    find_server()
    tables, seconds = (50, 5) if plan.quick else (1_000, 30)
    allow_files(tables + SPARE_FILES)
    with tempfile.TemporaryDirectory(prefix="bench-hall-", dir=plan.folder) as folder:
        rows = _written(Path(folder), seconds)
        with closing(MeasuredHall(Path(folder), 0)) as hall:
            members = [hall.member(number) for number in range(1, tables + 1)]
            figures = asyncio.run(_play(hall, [CrowdTable(one, rows) for one in members], seconds))
    label = f"{tables} tables, an entry a second each"
    return FigureGroup((FigureTable(COLUMNS, (FigureRow("many", label, figures),)),))


def _written(folder: Path, count: int) -> list[LogRow]:
    """Return the first *count* entries that a table writes when a game is played at it."""
    nowhere = Membership("", "", "", 1, "", "")
    table = SimulatedTable(folder, nowhere, random.Random(1), seats=6)
    try:
        start = Start("pig", tuple("ABCDEF"), {"word": "LASTNOSE"}, rearm_s=3.0)
        table.thread.submit(start, "bench").result(WITHIN_S)
        table.thread.submit(Arm(), "bench").result(WITHIN_S)
        while table.thread.snapshot.seq < count:
            table.deal()
    finally:
        table.close()
    with closing(log_file.connect(folder / log_file.NAME, "ro")) as db:
        return list(log_file.rows(db))[:count]


async def _play(hall: MeasuredHall, tables: list[CrowdTable], seconds: int) -> dict[str, Figure]:
    lives = [asyncio.ensure_future(one.live()) for one in tables]
    server = hall.engine_pid
    before_s, server_before_s = cpu_s(hall.process.pid), cpu_s(server)
    start_s = time.monotonic()
    for number in range(len(tables) * seconds):  # each in its turn: a thousand in a second, evenly
        wait_s = start_s + number / len(tables) - time.monotonic()
        if wait_s > 0:
            await asyncio.sleep(wait_s)
        elif number % 50 == 0:
            await asyncio.sleep(0)
        table = tables[number % len(tables)]
        table.due += 1
        table.news.set()
    wanted = seconds * len(tables)
    end_s = time.monotonic()
    while (have := await asyncio.to_thread(_have, hall)) < wanted and time.monotonic() < end_s + WITHIN_S:
        await asyncio.sleep(0.5)
    level_s = time.monotonic() - end_s
    worked_s, server_s = cpu_s(hall.process.pid) - before_s, cpu_s(server) - server_before_s
    for life in lives:
        life.cancel()
    await asyncio.gather(*lives, return_exceptions=True)
    return {
        "entries": Figure(wanted),
        "lost": Figure(wanted - have, 0),
        "level_s": Figure(rounded(level_s), WITHIN_S),
        "cpu_s": Figure(rounded(worked_s), CPU_S if wanted >= MANY else None),  # fewer: it is mostly at rest
        "server_cpu_s": Figure(rounded(server_s)),
        "hall_mb": Figure(rounded(memory_mb(hall.process.pid)), 150),
    }


def _have(hall: MeasuredHall) -> int:
    """Return how many entries the hall has kept on its disk, each once and in its order."""
    found = hall.kept()
    for numbers in found.values():
        if numbers != [*range(1, len(numbers) + 1)]:
            raise DeviceError(text("The hall has entries twice, or out of order."))
    return sum(map(len, found.values()))
