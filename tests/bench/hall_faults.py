"""What killing the parts of a hall loses, and how soon it is level again: every table's file is compared.

The message server and the hall are killed, the links of all tables are cut, the server's store is put back to
what it was, and a server of a cluster of three is killed; the tables play all the time.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from lastnose.companion.link import store
from lastnose.companion.link.engine import find_server
from lastnose.companion.table import log_file
from lastnose.companion.table.log_file import LogRow

from tests.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded
from tests.bench.hall_cluster import Cluster
from tests.bench.hall_links import CutLink
from tests.bench.measured_hall import WITHIN_S, MeasuredHall

STEPS_PER_S = 20.0  # of all tables together; a deal is about two
COLUMNS = (
    Column("entries", "entries", ""),
    Column("lost", "lost", ""),
    Column("wrong", "twice or out of order", ""),
    Column("level_s", "level again, slowest", "s"),
)


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure one hall after another."""
    find_server()
    tables, engines, hubs, cut_s, back_s = (4, 2, 1, 3.0, 1.0) if plan.quick else (20, 10, 5, 60.0, 15.0)
    with tempfile.TemporaryDirectory(prefix="bench-hall-", dir=plan.folder) as folder:
        rows = [
            *_one_server(Path(folder) / "one", tables, engines, hubs, cut_s, back_s),
            _cluster(Path(folder) / "cluster", min(tables, 10)),
        ]
    return FigureGroup((FigureTable(COLUMNS, tuple(rows)),))


def _one_server(
    folder: Path, tables: int, engines: int, hubs: int, cut_s: float, back_s: float
) -> list[FigureRow]:
    folder.mkdir()
    with closing(MeasuredHall(folder, tables, link=CutLink)) as hall:
        hall.call()

        def cut() -> None:
            assert hall.link is not None
            hall.link.cut()
            time.sleep(cut_s)
            hall.link.restore()

        return [
            _disturbed(
                hall,
                "engine",
                f"message server killed {engines} times",
                [hall.kill_engine] * engines,
            ),
            _disturbed(hall, "hub", f"hall killed {hubs} times", [hall.reopen] * hubs),
            _disturbed(hall, "links", f"links of all tables cut for {round(cut_s)} s", [cut]),
            _disturbed(
                hall,
                "store",
                f"server’s store put back by {round(back_s)} s",
                [lambda: hall.put_back(back_s)],
            ),
        ]


def _cluster(folder: Path, tables: int) -> FigureRow:
    """Kill the first of three servers, at which the hall is, and let it come back."""
    folder.mkdir()
    with (
        closing(Cluster(folder)) as cluster,
        closing(MeasuredHall(folder, tables, cluster=cluster)) as hall,
    ):
        hall.call()

        def kill() -> None:
            cluster.kill(0)
            time.sleep(3)

        row = _disturbed(hall, "cluster", "one server of three killed", [kill])
        cluster.start(0)
        return row


def _disturbed(hall: MeasuredHall, key: str, label: str, doing: list[Callable[[], None]]) -> FigureRow:
    """Let the tables play while each of *doing* is done; return what was lost, and how long that lasted."""
    waits = []
    for do in doing:
        over = threading.Event()
        thread = threading.Thread(target=_play, args=(hall, over))
        thread.start()
        try:
            do()
            time.sleep(1)
        finally:
            over.set()
            thread.join()
        waits.append(hall.wait(hall.level))
    figures = _compared(hall) | {"level_s": Figure(rounded(max(waits)), WITHIN_S)}
    return FigureRow(key, label, figures)


def _play(hall: MeasuredHall, over: threading.Event) -> None:
    while not over.is_set():
        for table in hall.tables:
            table.step()
            over.wait(1 / STEPS_PER_S)


def _compared(hall: MeasuredHall) -> dict[str, Figure]:
    """Compare the tables' own files with what the hall has kept: row by row, in the order of both."""
    entries = lost = wrong = 0
    for table in hall.tables:
        db = log_file.connect(hall.folder.with_name(f"table-{table.member.number}") / log_file.NAME, "ro")
        ours, theirs = list(log_file.rows(db)), _kept(hall.folder, table.member.table)
        db.close()
        entries += len(ours)
        lost += len(set(ours) - set(theirs))
        wrong += sum(1 for a, b in zip(ours, theirs, strict=False) if a != b) + max(
            0, len(theirs) - len(ours)
        )
    return {"entries": Figure(entries), "lost": Figure(lost, 0), "wrong": Figure(wrong, 0)}


def _kept(folder: Path, table: str) -> list[LogRow]:
    """Return the rows of *table* that the hall in *folder* has, in the order in which they lie there."""
    db = log_file.connect(folder / store.NAME, "ro")
    try:
        query = 'SELECT n, evening, type, json, head FROM row WHERE "table" = ? ORDER BY n'
        return [LogRow(*found) for found in db.execute(query, (table,))]
    finally:
        db.close()
