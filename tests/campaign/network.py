"""The page under load and malice: slow, half-open and stuck connections, storms, a soak."""

from __future__ import annotations

import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from lastnose.companion.system.systemd import allow_files
from lastnose.companion.table import log_file

from tests.campaign.figures import Figure, at_most, none_of, times
from tests.campaign.process import TableProcess

# What a soak allows.
SEATS, LEAST_ROUNDS = (1, 2, 3), 15
APART_S = 0.06  # more than a page's clock is unsure of
DECIDED = ("verdict", "dead-heat", "void", "won")
SPARE_KB, MEMORY_KB, LOG_KB, SAID_KB = 3_000, 15, 6, 20
UNDECIDED_PERCENT = 5  # a first tap that comes late on a busy machine voids its round
SPARE_FILES = SPARE_THREADS = 4
LATE_S = 5.0  # the host waits no longer than this for an answer, on a busy machine of two cores


@contextmanager
def _table(*words: str, env: dict[str, str] | None = None) -> Iterator[TableProcess]:
    with tempfile.TemporaryDirectory() as place, TableProcess(Path(place) / "data", *words, env=env) as table:
        table.do("start", game="pig", players=["N", "E", "S"])
        table.ask("/api/v1/clock", {"page": "campaign"})
        yield table


def _connect(port: int, said: bytes = b"") -> socket.socket | None:
    try:
        one = socket.create_connection(("127.0.0.1", port), timeout=2)
        one.settimeout(0.2)
        one.sendall(said)
    except OSError:
        return None
    return one


def _host_waits(table: TableProcess, seconds: float) -> tuple[list[float], int]:
    """Return how long the table's host waited for each answer, and how often in vain."""
    took: list[float] = []
    failed, until = 0, time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        try:
            table.do("arm")
        except urllib.error.HTTPError as refused:
            failed += refused.code >= 500  # a game that is over has nothing to arm
        except OSError:
            failed += 1
        took.append(time.monotonic() - began)
        time.sleep(0.05)
    return took, failed


def slow(scale: float) -> Iterable[Figure]:
    """Half a second request, drips and silence on as many connections as there is room for; full: 1,010."""
    count = times(scale, 1010, 50)
    allow_files(count + 200)
    request = b"GET /api/v1/clock HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with _table() as table, ExitStack() as stack:
        held = []
        for number in range(count):
            one = _connect(table.port, (request + b"G", b"GET / HT", b"")[number % 3])
            if one is not None:
                held.append(stack.enter_context(one))
        took, failed = _host_waits(table, 10)
        yield none_of("slow connections: the host's commands that failed", failed, len(took))
        yield at_most("slow connections: the host's longest wait", max(took), LATE_S, "s")
        until = time.monotonic() + 60
        while held and time.monotonic() < until:
            held = [one for one in held if not _closed(one)]
        yield none_of("slow connections: still open after a minute", len(held), count)
        yield at_most("slow connections: what the log grew by", len(table.errors()) / 1e3, 20, "kB")


def _closed(one: socket.socket) -> bool:
    one.settimeout(0.001)
    try:
        while one.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


def stuck(scale: float) -> Iterable[Figure]:
    """Readers of the live stream that never read, while the table is busy; full: 40."""
    count = times(scale, 40, 5)
    with _table() as table, ExitStack() as stack:
        for _ in range(count):
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            one.connect(("127.0.0.1", table.port))
            one.sendall(b"GET /events?lang=en HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            stack.enter_context(one)
        before = table.memory_mb()
        took, failed = _host_waits(table, 10 + 20 * scale)
        yield none_of("stuck readers: the host's commands that failed", failed, len(took))
        yield at_most("stuck readers: the host's median wait", 1e3 * statistics.median(took), 1000, "ms")
        yield at_most("stuck readers: memory gained", table.memory_mb() - before, 30, "MB")


def storm(scale: float) -> Iterable[Figure]:
    """Phones that all tap as fast as they can; full: 100 phones for 30 s."""
    phones, seconds = times(scale, 100, 10), max(5.0, 30 * scale)
    codes: dict[int, int] = {}
    lock = threading.Lock()
    with _table() as table:
        until = time.monotonic() + seconds

        def tap(number: int) -> None:
            level = 0
            with suppress(OSError):
                table.ask("/api/v1/clock", {"page": f"phone-{number}"})
            while time.monotonic() < until:
                level = 1 - level
                code = 200
                try:
                    table.touch(number % 8 + 1, level, page=f"phone-{number}")
                except urllib.error.HTTPError as problem:
                    code = problem.code
                except OSError:
                    code = 0
                with lock:
                    codes[code] = codes.get(code, 0) + 1

        threads = [threading.Thread(target=tap, args=(number,)) for number in range(phones)]
        for one in threads:
            one.start()
        took, failed = _host_waits(table, seconds)
        for one in threads:
            one.join()
        total = sum(codes.values())
        print("    answers by status:", codes)
        yield none_of(
            "tap storm: taps that met a fault of the server (5xx)",
            sum(n for code, n in codes.items() if code >= 500),
            total,
        )
        taken = codes.get(200, 0)
        yield Figure("tap storm: taps that were taken", f"{taken} of {total}", "≥ 90 %", taken >= 0.9 * total)
        yield none_of("tap storm: the host's commands that failed", failed, len(took))
        yield none_of("tap storm: tracebacks", table.errors().count("Traceback"), 1)
        phase = str(table.ask("/api/v1/state")["phase"])
        yield Figure("tap storm: the table still plays", phase, "a phase", phase != "")


def reconnect(scale: float) -> Iterable[Figure]:
    """Pages that come and go at once, with and without a word; full: 3,000."""
    count, failed = times(scale, 3000, 100), 0
    with _table() as table:
        for number in range(count):
            one = _connect(table.port, b"GET /events?lang=en HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            if one is None:
                failed += 1
                continue
            if number % 2:
                with suppress(OSError):
                    one.recv(1000)
            one.close()
        took, missed = _host_waits(table, 3)
        yield none_of("reconnects: pages that were not let in", failed, count)
        yield none_of("reconnects: the host's commands that failed", missed, len(took))
        yield none_of("reconnects: tracebacks", table.errors().count("Traceback"), 1)


def pipes(scale: float) -> Iterable[Figure]:
    """Readers of a command's output that leave early; full: 20 each."""
    count, odd = times(scale, 20, 2), 0
    with tempfile.TemporaryDirectory() as place:
        with TableProcess(Path(place) / "data") as table:
            table.do("start", game="pig", players=["N", "E", "S"])
        words = (["games"], ["games", "--json"], ["export", "--data", f"{place}/data"], ["profiles", "list"])
        for one in words * count:
            command = subprocess.Popen(
                [sys.executable, "-m", "lastnose.companion.cli", *one],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            assert command.stdout is not None
            assert command.stderr is not None
            command.stdout.close()
            odd += b"Traceback" in command.stderr.read()
            command.wait(60)
    yield none_of("broken pipe: tracebacks", odd, len(words) * count)


class Holdings(NamedTuple):
    """What a table holds after so many rounds; `log_kb` is its evening, `said_kb` what it complained."""

    rounds: int
    memory_mb: float
    files: int
    threads: int
    log_kb: float
    said_kb: float


def reading(table: TableProcess, rounds: int) -> Holdings:
    """Read what *table* holds now."""
    proc = Path(f"/proc/{table.process.pid}")
    with closing(log_file.connect(table.data / log_file.NAME, "ro")) as db:
        (written,) = db.execute("SELECT sum(length(json)) FROM event").fetchone()
    files, threads = (len(list((proc / kind).iterdir())) for kind in ("fd", "task"))
    return Holdings(rounds, table.memory_mb(), files, threads, written / 1e3, len(table.errors()) / 1e3)


def grown(first: Holdings, last: Holdings) -> Iterable[Figure]:
    """Return what became more from *first* to *last*: only what rounds are made of may grow, with them."""
    rounds = last.rounds - first.rounds
    memory_kb = 1e3 * (last.memory_mb - first.memory_mb)
    yield at_most("soak: memory gained", memory_kb, SPARE_KB + MEMORY_KB * rounds, f"kB in {rounds} rounds")
    yield at_most("soak: log a round", (last.log_kb - first.log_kb) / max(1, rounds), LOG_KB, "kB")
    yield at_most("soak: files opened and not closed", last.files - first.files, SPARE_FILES, "files")
    yield at_most("soak: threads begun and not ended", last.threads - first.threads, SPARE_THREADS, "threads")
    yield at_most("soak: what it complained", last.said_kb, SAID_KB, "kB")


def soak(scale: float, env: dict[str, str] | None = None) -> Iterable[Figure]:
    """Round after round, each awaited; full: 10 minutes."""
    seconds, rounds, undecided = max(20.0, 600 * scale), 0, 0
    with _table(env=env) as table:
        for nose in SEATS:
            table.touch(nose, 0)
        first, until = None, time.monotonic() + seconds
        while first is None or rounds - first.rounds < LEAST_ROUNDS or time.monotonic() < until:
            undecided += not _one_round(table)
            rounds += 1
            if first is None and time.monotonic() > until - seconds * 0.7:
                first = reading(table, rounds)
        percent = 100 * undecided / rounds
        yield at_most("soak: rounds that named nobody", percent, UNDECIDED_PERCENT, f"% of {rounds}")
        yield from grown(first, reading(table, rounds))
        yield none_of("soak: tracebacks", table.errors().count("Traceback"), 1)


def _one_round(table: TableProcess) -> bool:
    """Say play, and play a round as soon as it is armed; return whether somebody was said to be last."""
    if table.ask("/api/v1/state")["phase"] == "won":
        table.do("start", game="pig", players=["N", "E", "S"])
    table.do("arm")
    state = _state(table, lambda state: state["phase"] == "armed")
    number = state["round_no"]
    for level in (1, 0):
        for nose in SEATS:
            table.touch(nose, level)
            time.sleep(APART_S)
    after = _state(table, lambda state: state["phase"] in DECIDED or state["round_no"] != number)
    told = after["phase"] if after["phase"] in DECIDED else (after["told"] or {}).get("phase")
    return told in ("verdict", "won")


def _state(table: TableProcess, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the table's state once it is as *wanted*, or the last before patience ends; promise on."""
    until = time.monotonic() + 60
    while not wanted(state := dict(table.ask("/api/v1/state"))) and time.monotonic() < until:
        table.promise()
        time.sleep(0.02)
    return state
