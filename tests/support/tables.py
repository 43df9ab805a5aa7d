"""Tables as tests start them: on a thread with pages behind a real port, or answering whoever asks at once.

A table in microseconds, without threads, is `companion.testing.scenario.Scenario`; one that only remembers
what was asked of it is `tests.support.fakes.FakeTable`.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import NamedTuple, Protocol, TypeVar

from lastnose.companion.core.errors import CompanionError
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.evening.commands import AnyCommand
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table
from lastnose.companion.table.thread import TableThread
from lastnose.companion.timing import Settings
from lastnose.companion.views.snapshot import Snapshot
from lastnose.hardware.sources.mock import Mock, WithPhones, phone_lines
from lastnose.web.server.server import Server

from tests.support.phones import TOKENS, make_access

LATE_NS = 300_000_000


class Starts(Protocol):
    """What runs until it is stopped: a server, a program."""

    def start(self) -> object:
        """Begin."""

    def stop(self) -> object:
        """End."""


Started = TypeVar("Started", bound=Starts)


@contextmanager
def started(one: Started) -> Iterator[Started]:
    """Start *one*, and stop it at the end."""
    one.start()
    try:
        yield one
    finally:
        one.stop()


class AnsweringTable(TableThread):
    """Runs *table* on the thread that asks."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.table = table

    def submit(self, command: AnyCommand, by: str) -> Future[Snapshot]:
        """Do what *command* says at once."""
        future: Future[Snapshot] = Future()
        try:
            future.set_result(self.table.execute(command, by))
        except CompanionError as refusal:
            future.set_exception(refusal)
        return future


class Served(NamedTuple):
    """A running table, what moves its noses, and the server of its page."""

    table: TableThread
    source: Mock
    server: Server

    @property
    def address(self) -> str:
        """The page's address, without a slash at its end."""
        return f"http://127.0.0.1:{self.server.port}"


@contextmanager
def served_with_phones(wires: tuple[str, ...], phones: tuple[str, ...]) -> Iterator[tuple[Served, Mock]]:
    """Run a table on noses that a test moves as wires do, and on those of phones; also yield the wires."""
    wired = Mock(wires, name="gpio", worth=StampWorth(10_000, 0, None), delay_ns=3 * LATE_NS)
    touched = phone_lines({line: number for number, line in enumerate(phones)})
    source = WithPhones(wired, touched)
    table = TableThread(
        Table(
            MemoryStore(),
            (*wires, *phones),
            settings=Settings(rearm_ns=None),
            phones=phones,
            on_pages=phones,
        ),
        driver=touched,
    )
    server = Server(table, make_access(), port=0)
    table.start()
    source.start(table.emit, table.reporter("source"))
    server.start()
    try:
        yield Served(table, touched, server), wired
    finally:
        server.stop()
        source.close()
        table.stop()


@contextmanager
def served(
    lines: tuple[str, ...],
    *,
    spoons: int = 0,
    rearm_ns: int | None = None,
    tokens: bool = True,
    store: MemoryStore | None = None,
    late_ns: int = LATE_NS,
) -> Iterator[Served]:
    """Run a table on simulated noses and spoons, with its server, on the log of *store* or an empty one.

    Its noses may be moved with the time of up to *late_ns* ago: a test is held up as others are.
    """
    source = Mock((*lines, *(f"spoon.{number}" for number in range(1, spoons + 1))), delay_ns=late_ns)
    table = TableThread(
        Table(
            store or MemoryStore(),
            lines,
            settings=Settings(rearm_ns=rearm_ns),
            simulated=True,
            on_pages=lines,
        ),
        driver=source,
        profile_name="mock",
    )
    server = Server(table, make_access(tokens=TOKENS if tokens else ()), port=0)
    table.start()
    source.start(table.emit, table.reporter("source"))
    server.start()
    try:
        yield Served(table, source, server)
    finally:
        server.stop()
        source.close()
        table.stop()
