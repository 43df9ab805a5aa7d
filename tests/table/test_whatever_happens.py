"""A table, its log and a hub that hears of it, in any order of what can happen to them: Hypothesis draws it.

The disk fails or is full, the card is pulled and put back, the folder is deleted, the process is killed or
stopped. Beside it stands what was done, as lists: what the table has, what lies on the disk, and what the hub
has heard are held to them.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from lastnose.companion.core.errors import CompanionError, StoreError
from lastnose.companion.evening.commands import (
    AnyCommand,
    DeleteVariation,
    Finish,
    NewEvening,
    Redo,
    Regroup,
    SaveVariation,
    Start,
    Undo,
)
from lastnose.companion.evening.events import AnyEvent
from lastnose.companion.link.store import Cursor, HallStore
from lastnose.companion.table import log_file
from lastnose.companion.table.log_file import NO_HEAD, LogRow
from lastnose.companion.table.reader import LogReader
from lastnose.companion.table.store import Store
from lastnose.companion.table.table import Table

from tests.support.examples import examples, of_machine

LINES = ("nose.1", "nose.2", "nose.3")
SAVE = SaveVariation("house", "pig", {"word": "NOSE"})
COMMANDS: tuple[AnyCommand, ...] = (
    Start("pig", ("Ana", "Björn", "Zoë"), {}, LINES),
    Start("score-pad", ("Ana", "Чедо"), {}, LINES[:2]),
    Regroup(("Ana", "Zoë", "Dora")),
    Undo(),
    Redo(),
    Finish(),
    SAVE,
    DeleteVariation("house"),
    NewEvening(),
)
Entries = list[tuple[int, AnyEvent]]


class Nights(RuleBasedStateMachine):
    """Evenings at one table."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(mkdtemp(prefix="lastnose-test-"))
        self.folder, self.copies = self.home / "data", 0
        self.pulled = False
        self.trouble = 0  # what SQLite says to the next writing
        self.patch = pytest.MonkeyPatch()
        self._write = log_file.write
        self.patch.setattr(log_file, "write", self.write)
        # Only the machine's own end would need the disk to be waited for, and that is not tried here.
        self._connect = log_file.connect
        self.patch.setattr(log_file, "connect", self.connect)
        self.patch.setattr("os.fsync", lambda handle: None)
        self.hub = HallStore(self.home / "hub")
        self.heard = 0
        self.done: dict[int, Entries] = {}
        self.durable: dict[int, Entries] = {}
        self.open()

    def write(self, db: sqlite3.Connection, found: list[LogRow], evening: int) -> None:
        """Write, or fail as told."""
        number, self.trouble = self.trouble, 0
        if number:
            problem = sqlite3.OperationalError("so it is")
            problem.sqlite_errorcode = number
            raise problem
        self._write(db, found, evening)

    def connect(self, path: Path, mode: str = "rw") -> sqlite3.Connection:
        """Connect, and wait for no disk."""
        db = self._connect(path, mode)
        db.execute("PRAGMA synchronous = OFF")
        return db

    def open(self) -> None:
        """Start a table on what lies in the folder."""
        self.store = Store(self.folder)
        self.table = Table(self.store, LINES, clock_ns=lambda: 0, wall_s=lambda: 5.0)
        self.note()

    def note(self) -> None:
        """Write down what was done; it is durable unless the table says otherwise."""
        self.done[self.store.evening] = list(self.store.events())
        if self.store.adrift is None:
            self.durable = {evening: list(entries) for evening, entries in self.done.items()}

    def known(self) -> tuple[Any, ...]:
        """Return what the store offers again."""
        store = self.store
        return store.evening, store.newest(), store.known_players(), store.variations(), store.last_game()

    # ---- what happens

    @initialize()
    def begins(self) -> None:
        """Two evenings have been played."""
        for command in (COMMANDS[0], NewEvening(), SAVE):
            self.does(command)

    @rule(command=st.sampled_from(COMMANDS))
    def does(self, command: AnyCommand) -> None:
        """Do what somebody asks; what is refused has changed nothing, and nothing before it ever changes."""
        evening, before, full = self.store.evening, self.known(), self.trouble == sqlite3.SQLITE_FULL
        try:
            self.table.execute(command, "host")
        except CompanionError as problem:
            assert isinstance(problem, StoreError) == (full and not self.trouble)
            assert before == self.known()
        now = list(self.store.events())
        if self.store.evening == evening:
            assert self.done[evening] == now[: len(self.done[evening])]
        else:  # what ended the evening before is its last entry
            assert (evening + 1, []) == (self.store.evening, now)
            ends = range(before[1] + 1, self.store.newest() + 1)
            self.done[evening] += [(seq, self.store.event(seq)) for seq in ends]
        self.note()

    @precondition(lambda self: not self.pulled and not self.trouble)
    @rule(number=st.sampled_from((sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FULL)))
    def fails(self, number: int) -> None:
        """Let the next writing fail."""
        self.trouble = number

    @precondition(lambda self: not self.pulled and self.folder.exists() and not self.trouble)
    @rule()
    def is_pulled(self) -> None:
        """The card is gone, and nothing can be made in its place."""
        self.folder.rename(self.home / "pulled")
        self.folder.write_text("no folder can be made here")
        self.pulled = True

    @precondition(lambda self: self.pulled)
    @rule()
    def is_put_back(self) -> None:
        """The card is there again."""
        self.folder.unlink()
        (self.home / "pulled").rename(self.folder)
        self.pulled = False

    @precondition(lambda self: not self.pulled and not self.trouble and self.store.adrift is None)
    @rule()
    def is_deleted(self) -> None:
        """The folder is deleted: with the next entry the table finds out, and writes all of it again."""
        shutil.rmtree(self.folder)
        self.does(SAVE)
        assert "is gone" in str(self.store.adrift)
        self.tries_again()
        assert self.store.adrift is None

    @rule()
    def tries_again(self) -> None:
        """The table writes what is in memory only; where there is a place and no trouble, that succeeds."""
        fails = self.pulled or bool(self.trouble)
        adrift = self.store.adrift is not None
        self.table.retry()
        assert (adrift and fails) == (self.store.adrift is not None)
        self.note()

    @precondition(lambda self: not self.pulled and not self.trouble)
    @rule()
    def stops(self) -> None:
        """The table ends and starts again: it has all that it had."""
        before = self.known()
        self.store.close()
        self.open()
        assert before == self.known()
        assert {row.evening for row in self.store._rows} <= {self.store.evening}, "earlier ones are not held"

    @precondition(lambda self: not self.pulled)
    @rule()
    def is_killed(self) -> None:
        """Nothing is written any more: another start has what was durable, neither more nor less."""
        self.copies += 1
        folder = self.home / f"data-{self.copies}"
        shutil.copytree(self.folder, folder)
        self.store._let_go()
        self.folder, self.done = folder, {at: list(entries) for at, entries in self.durable.items()}
        self.trouble = 0
        evening, entries = max(self.done.items())
        self.store = Store(self.folder)
        assert (evening, entries) == (self.store.evening, list(self.store.events()))
        self.store._let_go()
        self.open()

    @precondition(lambda self: not self.pulled)
    @rule()
    def hears(self) -> None:
        """The hub takes what lies on the disk behind what it has, which is never another history."""
        with closing(log_file.connect(self.folder / log_file.NAME, "ro")) as db:
            rows = list(log_file.rows(db))
        _, head = self.hub.heads().get("table", (0, NO_HEAD))
        heads = [NO_HEAD, *(row.head for row in rows)]
        assert head == heads[self.heard]
        self.hub.take([("table", row) for row in rows[self.heard :]], Cursor("", 0))
        self.heard = len(rows)

    # ---- what holds

    @invariant()
    def has_what_was_done(self) -> None:
        """In memory, whatever the disk does, and every screen says what is wrong with that."""
        entries = self.done[self.store.evening]
        assert entries == list(self.store.events())
        assert entries == [(seq, self.store.event(seq)) for seq, _ in entries]
        said = " ".join(map(str, self.table.publish().faults))
        assert (self.store.adrift is not None) == ("goes on in memory" in said)
        assert self.table.waits_for_disk == (self.store.adrift is not None)

    def on_disk(self) -> Iterator[tuple[int, Entries]]:
        """Yield the evenings as somebody else reads them; they are sound."""
        with closing(LogReader(self.folder)) as reader:
            reader.must_be_sound()
            for evening in self.done:
                reader.evening = evening
                yield evening, list(reader.events())

    def teardown(self) -> None:
        """At the end all of it lies on the disk, and the hub has all of it."""
        try:
            if self.pulled:
                self.is_put_back()
            self.trouble = 0
            self.tries_again()
            self.stops()
            assert self.done == dict(self.on_disk())
            self.hears()
            assert self.heard == sum(map(len, self.done.values()))
        finally:
            self.store.close()
            self.hub.close()
            self.patch.undo()
            shutil.rmtree(self.home, ignore_errors=True)


TestNights = Nights.TestCase
TestNights.settings = of_machine(examples(100))
