"""How long a verdict takes while others load the page, against the same table left alone.

Eight loops ask for contract help with the hands that take longest, 500 viewers follow, 20 readers are stuck.
The table runs in a process of its own, as it does for `tests.bench.pages`.
"""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from random import Random
from urllib.parse import urlencode

from lastnose.companion.games.swedish_gin.contracts.melds import CONTRACTS

from tests.bench.contracts import hand
from tests.bench.figures import (
    SPREAD,
    BenchPlan,
    Column,
    Figure,
    FigureGroup,
    FigureRow,
    FigureTable,
    percentile,
    rounded,
    spread,
)
from tests.bench.pages import PATIENCE_S, Report, play, running_table, told
from tests.bench.viewers import SPARE_FILES, Audience, allow_files

LOOPS, VIEWERS, STUCK = 8, 500, 20
# Many short turns: the slowest hundredth of few rounds is one round, and what else the machine did just then.
TURNS, ROUNDS = 16, 20
AIM = 1.5
COLUMNS = (
    *SPREAD,
    Column("of_alone", "99 % of alone", ""),
    Column("undecided", "undecided", ""),
    Column("answers_per_s", "loops answered", "per_s"),
    Column("server_cpu_percent", "server CPU", "percent"),
)


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure one table, in turn alone and under load, so that other work of the machine meets both."""
    turns, rounds, viewers = (1, 5, 20) if plan.quick else (TURNS, ROUNDS, VIEWERS)
    allow_files(viewers + STUCK + LOOPS + SPARE_FILES)
    alone: list[Report] = []
    loaded: list[Report] = []
    answers = 0
    with running_table(plan) as process:
        port = told(process, int)
        for _ in range(turns):
            with Audience(port, 0) as nobody:
                alone.append(play(process, nobody, rounds))
            with Audience(port, viewers) as hall, stuck_readers(port, STUCK), loops(port, LOOPS) as answered:
                hall.read_all(0, PATIENCE_S)
                loaded.append(play(process, hall, rounds))
                hall.read_all(loaded[-1].presses[-1].version, PATIENCE_S)
                answers += len(answered)
    return FigureGroup((FigureTable(COLUMNS, _rows(alone, loaded, answers)),))


def _rows(alone: Sequence[Report], loaded: Sequence[Report], answers: int) -> tuple[FigureRow, FigureRow]:
    idle_ns, busy_ns = _verdicts_ns(alone), _verdicts_ns(loaded)
    idle = spread(idle_ns) | {
        "undecided": Figure(sum(report.undecided for report in alone), 0),
        "server_cpu_percent": _cpu(alone),
    }
    under = spread(busy_ns) | {
        "of_alone": Figure(rounded(percentile(busy_ns, 99) / percentile(idle_ns, 99)), AIM),
        "undecided": Figure(sum(report.undecided for report in loaded), 0),
        "answers_per_s": Figure(rounded(answers / max(0.001, _seconds(loaded)))),
        "server_cpu_percent": _cpu(loaded),
    }
    return FigureRow("alone", "left alone", idle), FigureRow("loaded", "under load", under)


def _cpu(reports: Sequence[Report]) -> Figure:
    return Figure(rounded(sum(report.cpu_percent for report in reports) / len(reports)))


def _verdicts_ns(reports: Sequence[Report]) -> list[int]:
    """Return how long each deciding press, the second of its round, took to be shown."""
    return [shown.published_ns - shown.pressed_ns for report in reports for shown in report.presses[1::2]]


def _seconds(reports: Sequence[Report]) -> float:
    return sum(report.presses[-1].published_ns - report.presses[0].pressed_ns for report in reports) / 1e9


@contextmanager
def stuck_readers(port: int, readers: int) -> Iterator[None]:
    """Hold *readers* of the live stream that read nothing."""
    with ExitStack() as stack:
        for _ in range(readers):
            reader = stack.enter_context(socket.socket())
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            reader.connect(("127.0.0.1", port))
            reader.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        yield


@contextmanager
def loops(port: int, many: int) -> Iterator[list[int]]:
    """Ask for contract help from *many* threads without a pause; give the statuses of the answers so far."""
    statuses: list[int] = []
    over = threading.Event()
    numbers = count()

    def ask() -> None:
        while not over.is_set():
            way = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
            try:
                while not over.is_set():
                    way.request("GET", question(next(numbers)))
                    answer = way.getresponse()
                    answer.read()
                    statuses.append(answer.status)
            except (OSError, http.client.HTTPException):
                continue
            finally:
                way.close()

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(many)]
    for thread in threads:
        thread.start()
    try:
        yield statuses
    finally:
        over.set()
        for thread in threads:
            thread.join(PATIENCE_S)


def question(number: int) -> str:
    """Return the address of contract help for a crowded hand, another one for each *number*."""
    draw = Random(number)
    contract = [*CONTRACTS.values()][number % len(CONTRACTS)]
    cards = hand("crowded", contract, draw)
    return "/api/v1/contract?" + urlencode(
        [("number", contract.number), *(("cards", str(card)) for card in cards)]
    )
