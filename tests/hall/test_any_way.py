"""Tables play, their logs go to a hub, and anything happens on the way: Hypothesis draws it.

The real sender and the real reader stand at both ends of a message server that is a list: it loses a request
or its answer, is put back, is replaced, drops or repeats a message, has nonsense under a table's name. The
hub is cut off, stopped, killed, put back to an older folder. What was played is known with pen and paper.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from lastnose.companion.evening.commands import SignOff
from lastnose.companion.evening.events import Started
from lastnose.companion.event.formats import FORMATS
from lastnose.companion.event.tally import merits
from lastnose.companion.link import engine, reader, wire
from lastnose.companion.link.copies import event_of
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.reader import StreamReader
from lastnose.companion.link.store import HallStore
from lastnose.companion.link.uplink import LogSender

from tests.hall.test_only_edges_count import ZERO
from tests.hall.test_random_evenings import points
from tests.support.examples import examples, of_machine
from tests.support.hall_tables import TableOfHall
from tests.support.halls import arranged, call_round, todos
from tests.support.message_server import Server, at_once, now

Merits = tuple[tuple[int, int, int], ...]
ROUNDS = 3


class AnyWay(RuleBasedStateMachine):
    """An event of two tables."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(mkdtemp(prefix="lastnose-test-"))
        self.folder, self.copies, self.random = self.home / "hub", [self.home / "hub"], Random(1)
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(wire, "MANY", 3)
        self.patch.setattr(reader, "BATCH", 8)
        self.patch.setattr(reader, "LOOK_S", 0)
        self.patch.setattr(reader, "rest", at_once)
        self.server, self.tables = Server(), list[TableOfHall]()
        self.played: dict[tuple[str, str], Merits] = {}  # by table and call
        self.dropped = False
        self.places: dict[tuple[str, str], list[tuple[int, ...]]] = {}
        self.open()

    def open(self) -> None:
        """Start a hub on what lies in the folder."""
        self.store = HallStore(self.folder)
        self.hall = Hall(self.store, random=self.random)
        self.reader = StreamReader(self.hall.event, self.store, self.hall.took, self.hall.refused)
        for table in self.tables:
            table.hall = self.hall

    def copied(self, folder: Path) -> Path:
        """Return another folder with what the disk has of *folder*."""
        copy = self.home / f"hub-{len(self.copies)}"
        shutil.copytree(folder, copy)
        self.copies.append(copy)
        return copy

    # ---- what happens

    @initialize(format_=st.sampled_from(tuple(FORMATS)))
    def begins(self, format_: str) -> None:
        """Twelve people, and tables that are in."""
        people = "A,B,C,D,E,F,G,H,I,J,K,L"
        arranged(self.hall, people, rounds=ROUNDS, final=0, format=format_, options={"word": "P"})
        for _ in range(2):
            table = TableOfHall(self.hall, noses=6)
            table.away = True  # what it does is sent by `sends` alone
            table.table.record.append(ZERO)
            self.tables.append(table)
        event = self.hall.event
        self.senders = [
            LogSender(event, engine.log_subject(event, one.member.table), one.member.table, self.rows_of(one))
            for one in self.tables
        ]
        self.calls()

    def rows_of(self, table: TableOfHall) -> Callable[[int, int], list[Any]]:
        """Return what reads the log of *table*."""
        return lambda after, most: table.sent[after : after + most]

    @precondition(lambda self: self.hall.view.step.kind in ("draw", "call"))
    @rule()
    def calls(self) -> None:
        """The next round is drawn and called."""
        call_round(self.hall)

    @rule(at=st.integers(0, 1), seed=st.integers(0, 999))
    def plays(self, at: int, seed: int) -> None:
        """A table plays what it is called for: who is last is out; the last two play for the win alone."""
        table, random = self.tables[at], Random(seed)
        call = table.call
        mark = table.member.table, call.call
        if not call.call or mark in self.played:
            return
        seats = self.hall.state.rounds[call.round - 1].at(table.member.number)
        table.begin()
        left, out = list(range(1, len(seats) + 1)), list[int]()
        while len(left) > 1:
            order = random.sample(left, len(left))
            table.judged(*order)
            left.remove(order[-1])
            out.insert(0, order[-1])
        table.do(SignOff())
        best = [seats[seat - 1] for seat in (*left, *out)]
        self.played[mark] = tuple(sorted((one, place, int(place > 2)) for place, one in enumerate(best, 1)))
        self.places[mark] = [(one,) for one in best]

    @rule(at=st.integers(0, 1), loses=st.sampled_from(("", "request", "answer")), after=st.integers(0, 2))
    def sends(self, at: int, loses: str, after: int) -> None:
        """A table sends what is not there, if nothing is lost."""
        self.server.loses, self.server.after = loses, after
        with suppress(ConnectionError, TimeoutError):
            now(self.senders[at].send(self.server, *now(self.senders[at].ask(self.server))))

    @rule(upto=st.integers(1, 20), skips=st.sampled_from((0, 0, 2, 5)))
    def reads(self, upto: int, skips: int) -> None:
        """The hub reads so many messages, of which one may be lost on its way."""
        self.server.upto, self.server.skips = upto, skips
        with suppress(ConnectionError):
            asyncio.run(self.reader.read(self.server))
        self.hall.tick()

    @precondition(lambda self: self.server.stream)
    @rule(seed=st.integers(0, 999))
    def is_put_back(self, seed: int) -> None:
        """The server has an older folder: what came later is gone."""
        del self.server.stream[Random(seed).randrange(len(self.server.stream)) :]

    @rule()
    def is_replaced(self) -> None:
        """Another server has nothing."""
        self.server.begun_again()

    @precondition(lambda self: self.server.stream)
    @rule(seed=st.integers(0, 999), what=st.sampled_from(("drop", "repeat", "nonsense")))
    def is_spoilt(self, seed: int, what: str) -> None:
        """A message is gone, comes once more, or is nothing that a table writes."""
        at = Random(seed).randrange(len(self.server.stream))
        found = self.server.stream[at]
        if what == "drop":
            self.server.stream[at], self.dropped = None, True
        elif what == "repeat" and found is not None:
            self.server.keep(found.subject, found.data, found.headers)
        elif found is not None:
            self.server.keep(found.subject, b"[" + found.data, found.headers)

    @rule(dies=st.booleans())
    def starts_again(self, dies: bool) -> None:
        """The hub ends, or dies, and starts again: it shows the same."""
        before, shown = self.hall.view, self.shown()
        if dies:
            copy = self.copied(self.folder)
            self.store.close()
            self.folder = copy
        else:
            self.store.close()
        self.open()
        assert (before.state, shown) == (self.hall.view.state, self.shown())

    def shown(self) -> tuple[Any, ...]:
        """Return what the hub shows of results and tables."""
        view = self.hall.view
        came = [(one.state, one.result and merits(one.result)) for one in view.outcomes]
        return came, view.lines, view.have

    @rule(seed=st.integers(0, 999))
    def has_an_older_folder(self, seed: int) -> None:
        """The hub goes on with an older copy: what it has called since it does not know."""
        self.store.close()
        self.folder = self.copied(Random(seed).choice(self.copies))
        self.open()

    # ---- what holds

    @invariant()
    def has_nothing_else(self) -> None:
        """Of each table the hub has the beginning of its log, and no more; and no more of it counts."""
        for table in self.tables:
            rows = self.hall.rows(table.member.table)
            assert rows == table.sent[: len(rows)]
        for one in self.hall.view.outcomes:
            if one.state == "counts":
                assert one.called is not None
                assert one.result is not None
                call = f"{self.hall.event}.{one.called.call}.{one.called.nonce}"
                assert self.played[one.called.id, call] == merits(one.result)
        said = [one.number for one in todos(self.hall, "unknown")]
        assert said == [table.member.number for table in self.tables if self.answers_unknown(table)]

    def answers_unknown(self, table: TableOfHall) -> bool:
        """Return whether *table* has sent a game for a call that the hub does not know, or has made twice."""
        own, sent = dict(self.hall.own()), table.sent[: self.hall.view.have.get(table.member.table, 0)]
        begun = [event for event in map(event_of, (row.raw for row in sent)) if isinstance(event, Started)]
        newest = {int(event.call.split(".")[1]): event.call.split(".")[2] for event in begun}
        return any(getattr(own.get(call), "nonce", "") != nonce for call, nonce in newest.items())

    def comes_through(self) -> None:
        """Nothing is lost on the way: all is there."""
        for at in range(len(self.tables)):
            self.sends(at, "", 0)
        self.reads(10_000, 0)
        for table in self.tables:
            assert table.sent == self.hall.rows(table.member.table)
        self.has_nothing_else()

    def teardown(self) -> None:
        """In the end all rounds are played, and count as they were."""
        try:
            if self.tables:
                self.comes_to_its_end()
        finally:
            self.store.close()
            self.patch.undo()
            shutil.rmtree(self.home, ignore_errors=True)

    def comes_to_its_end(self) -> None:
        """Play what is left; the standings are those of pen and paper."""
        if self.dropped:  # what a sound server has is enough
            self.server.begun_again()
        self.comes_through()
        for _ in range(ROUNDS):
            if self.hall.view.step.kind in ("draw", "call") and len(self.hall.state.called) < ROUNDS:
                self.calls()
            for at in range(len(self.tables)):
                self.plays(at, at)
            self.comes_through()
        worth = dict.fromkeys(self.hall.state.people, Fraction(0))
        assert {"counts"} == {one.state for one in self.hall.view.outcomes}
        for one in self.hall.view.outcomes:
            assert one.called is not None
            call = f"{self.hall.event}.{one.called.call}.{one.called.nonce}"
            for who, found in points(self.places[one.called.id, call]).items():
                worth[who] += found
        assert worth == {line.entrant: line.points for line in self.hall.view.lines}
        self.starts_again(dies=False)


TestAnyWay = AnyWay.TestCase
TestAnyWay.settings = of_machine(examples(60))
