"""Hubs of one event at one message server, in any order: Hypothesis draws it.

Each may be cut off, started again, put back to an older folder; the server is put back or replaced. While the
server keeps what it has, its log of the hall is one chain in which each start of a hub has its turn, and no
second one.
"""

from __future__ import annotations

import asyncio
import shutil
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from random import Random
from tempfile import mkdtemp

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from lastnose.companion.core.errors import NotNow
from lastnose.companion.event import commands
from lastnose.companion.link import keys, reader, uplink, wire
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.reader import StreamReader
from lastnose.companion.link.service import Fence
from lastnose.companion.link.store import HallStore
from lastnose.companion.link.uplink import AnotherHistory
from lastnose.companion.table.log_file import NO_HEAD, LogRow

from tests.support.examples import examples, of_machine
from tests.support.message_server import Server, at_once, now

MOST_HUBS = 3
ALL = 1_000


class Hub:
    """A hub of *event* in *folder*, with its fence and its reader."""

    def __init__(self, folder: Path, event: str) -> None:
        self.folder, self.event = folder, event
        self.copies = [folder]
        self.open()

    def open(self) -> None:
        """Start on what lies in the folder."""
        self.store = HallStore(self.folder)
        self.store.keep("event", self.event)
        self.hall = Hall(self.store)
        self.fence = Fence(self.store, self.hall)
        nobody = self.hall.took, self.hall.refused
        self.reader = StreamReader(
            self.event, self.store, *nobody, own=lambda parcel, mark: self.hall.follow(parcel)
        )

    @property
    def rows(self) -> list[LogRow]:
        """The log of the hall as it is here."""
        return self.store.own_rows(0, ALL)


class AnyHubs(RuleBasedStateMachine):
    """One event, and up to three hubs that know its key."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(mkdtemp(prefix="lastnose-test-"))
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(wire, "MANY", 3)
        self.patch.setattr(uplink, "MANY", 5)
        self.patch.setattr(reader, "LOOK_S", 0)
        self.patch.setattr(reader, "rest", at_once)
        self.server, self.event = Server(), keys.random_id(keys.EVENT)
        self.server.upto = ALL
        self.hubs: list[Hub] = []
        self.said = 0
        self.is_sound = True  # the server has all that it ever had, and who leads knows it

    @initialize()
    def begins(self) -> None:
        """One hub is there."""
        self.comes()

    @precondition(lambda self: len(self.hubs) < MOST_HUBS)
    @rule()
    def comes(self) -> None:
        """Another, with the event's key alone."""
        self.hubs.append(Hub(self.home / f"hub-{len(self.hubs)}", self.event))

    def hub(self, at: int) -> Hub:
        """Return one of them."""
        return self.hubs[at % len(self.hubs)]

    @rule(at=st.integers(0, 2))
    def says(self, at: int) -> None:
        """Somebody at its desk says something; of one that does not lead any more it is refused."""
        hall, self.said = self.hub(at).hall, self.said + 1
        if hall.view.stopped is None:
            hall.do(commands.Announce(str(self.said)), "Ann")
        else:
            with pytest.raises(NotNow):
                hall.do(commands.Announce(str(self.said)), "Ann")

    @rule(at=st.integers(0, 2), loses=st.sampled_from(("", "", "request", "answer")), after=st.integers(0, 2))
    def sends(self, at: int, loses: str, after: int) -> None:
        """It compares its log with the server's, and sends what is not there, if nothing is lost."""
        hub = self.hub(at)
        if hub.hall.fenced:
            return
        self.server.loses, self.server.after = loses, after
        try:
            now(hub.fence._once(self.server))
        except AnotherHistory as found:
            hub.hall.compared(found.n)
            assert not hub.fence.leads
        except (ConnectionError, TimeoutError):
            if not hub.fence.leads:  # it may have led, and never heard so
                self.is_sound = False
        else:
            assert hub.hall.fenced or (hub.fence.leads and self.kept() == hub.rows)

    @rule(at=st.integers(0, 2))
    def reads(self, at: int) -> None:
        """It takes what others have written; where it has others itself, it says so, now or when it sends."""
        hub = self.hub(at)
        with suppress(ConnectionError):
            asyncio.run(hub.reader.read(self.server))
        kept, here = self.kept(), hub.rows
        assert here[: len(kept)] == kept or len(kept) <= len(here) or hub.hall.view.stopped is not None

    @rule(at=st.integers(0, 2), older=st.booleans(), seed=st.integers(0, 999))
    def starts_again(self, at: int, older: bool, seed: int) -> None:
        """It ends, and starts again, on an *older* copy of its folder or as it was."""
        hub = self.hub(at)
        hub.store.close()
        hub.folder = Random(seed).choice(hub.copies) if older else hub.folder
        hub.folder = shutil.copytree(hub.folder, self.home / f"{hub.copies[0].name}-{len(hub.copies)}")
        hub.copies.append(hub.folder)
        hub.open()

    @precondition(lambda self: self.server.stream)
    @rule(seed=st.integers(0, 999), whole=st.booleans())
    def is_put_back(self, seed: int, whole: bool) -> None:
        """The server has an older folder, or another one."""
        self.is_sound = False
        if whole:
            self.server.begun_again()
        else:
            del self.server.stream[Random(seed).randrange(len(self.server.stream)) :]

    # ---- what holds

    def kept(self) -> list[LogRow]:
        """Return what the server has of the hall's log: one chain, whoever wrote its parts."""
        out: list[LogRow] = []
        for message in self.server.stream:
            parcel = wire.unpacked(message.data, message.headers, evenings=0)
            head = out[-1].head if out else NO_HEAD
            assert parcel.first == len(out) + 1
            assert parcel.head == head or parcel.raws
            found = parcel.after(len(out), head)
            assert found is not None
            out += found
        return out

    @invariant()
    def each_has_its_turn(self) -> None:
        """Who is fenced never comes back in the same start."""
        self.kept()
        turns = [mark for mark, _ in groupby(one.headers[wire.MARK] for one in self.server.stream)]
        assert len(set(turns)) == len(turns) or not self.is_sound

    def teardown(self) -> None:
        """One that comes in the end has all, and leads; who led before is stopped."""
        try:
            if self.hubs:
                self.comes_to_its_end()
        finally:
            for hub in self.hubs:
                hub.store.close()
            self.patch.undo()
            shutil.rmtree(self.home, ignore_errors=True)

    def comes_to_its_end(self) -> None:
        """Read, lead, and say something; once more all others ask."""
        led = [hub for hub in self.hubs if hub.fence.leads]
        self.hubs.append(last := Hub(self.home / "last", self.event))
        at = len(self.hubs) - 1
        self.reads(at)
        assert self.kept() == last.rows
        self.sends(at, "", 0)
        assert last.fence.leads
        self.says(at)
        self.sends(at, "", 0)
        for hub in led if self.is_sound else ():
            self.sends(self.hubs.index(hub), "", 0)
            assert not hub.fence.leads
            self.reads(self.hubs.index(hub))
            assert hub.hall.view.stopped is not None
        self.each_has_its_turn()


TestAnyHubs = AnyHubs.TestCase
TestAnyHubs.settings = of_machine(examples(60))
