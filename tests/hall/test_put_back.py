"""The hub's folder is put back to an older copy, at each step of an evening: nothing wrong counts then."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from lastnose.companion.evening.commands import SignOff
from lastnose.companion.evening.events import ZeroTested
from lastnose.companion.event import commands
from lastnose.companion.event.events import Called
from lastnose.companion.event.tally import merits
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import NAME, HallStore

from tests.support.hall_tables import TableOfHall
from tests.support.halls import arranged, call_round, live_hall, screen, until

ZERO = ZeroTested(by="box", at=0, lines=("nose.1", "nose.2"), off_ns=(10,) * 20, u_ns=1_000)
Merits = tuple[tuple[int, int, int], ...]


class Evening:
    """An evening of two tables in a folder, of which a copy is kept after each step."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.random = folder, Random(seed)
        self.copies: list[Path] = []
        self.store = HallStore(folder)
        self.hall = Hall(self.store, random=self.random)
        self.tables: list[TableOfHall] = []
        self.played: dict[str, Merits] = {}  # by call and table: what was played for it

    def keep(self) -> None:
        """Copy the folder as it is now."""
        copy = self.folder.with_name(f"{self.folder.name}-{len(self.copies)}")
        copy.mkdir()
        self.store.close()
        shutil.copy(self.folder / NAME, copy / NAME)
        self.copies.append(copy)
        self.open(self.folder)

    def open(self, folder: Path) -> None:
        """Go on with what is in *folder*; the tables are as they are, and send what is not there."""
        self.store = HallStore(folder)
        self.hall = Hall(self.store, random=self.random)
        self.tables = [table.after(self.hall) for table in self.tables]

    def play(self, table: TableOfHall) -> None:
        """Let a table play what it is called for; who is last is a matter of chance."""
        call = table.call
        table.begin()
        n = len(call.players)
        left = list(range(1, n + 1))
        while len(left) > 1:
            order = self.random.sample(left, len(left))
            table.judged(*order)
            left.remove(order[-1])
        table.do(SignOff())
        found = [one for one in self.hall.view.outcomes if one.called is not None and not one.open]
        self.played |= {self.mark(one.called.call, one.called.id): merits(one.result) for one in found}

    def mark(self, call: int, table: str) -> str:
        """Return what tells a game from any other: its call, with what is random in it, and its table."""
        return f"{call} {self.hall.state.nonce_of(call)} {table}"

    def must_be_right(self) -> None:
        """Hold that what counts was played for a call of this log, by the people that were drawn for it."""
        calls = {seq: event.nonce for seq, event in self.hall.own() if isinstance(event, Called)}
        for one in self.hall.view.outcomes:
            assert one.state in ("waiting", "counts"), one
            if one.called is None or one.result is None:
                continue
            assert calls[one.called.call] == one.called.nonce
            assert set(one.entrants) == {entrant for entrant, *_ in merits(one.result)}
            assert self.played[self.mark(one.called.call, one.called.id)] == merits(one.result)

    def go_on(self, rounds: int, *, keeps: bool = False) -> None:
        """Play until so many rounds have been called and played."""
        while True:
            step = self.hall.view.step.kind
            for table in self.tables:
                if table.call.call:
                    self.play(table)
                    self.keep() if keeps else None
                    break
            else:
                if len(self.hall.state.called) >= rounds:
                    return
                wish = commands.Draw() if step == "draw" else commands.CallRound()
                self.hall.do(wish, "Ann")
                self.keep() if keeps else None
            self.must_be_right()


@pytest.mark.parametrize("format_", ["free", "mixed", "knock-out"])
def test_whatever_copy_is_put_back_only_what_was_called_since_counts(tmp_path: Path, format_: str) -> None:
    """The tables have played on: what they have for calls that the hub has lost is said, and never counts."""
    evening = Evening(tmp_path / "hall", 1)
    people = "A,B,C,D,E,F" if format_ != "knock-out" else "A,B,C,D,E,F,G,H,I,J,K,L"
    arranged(evening.hall, people, rounds=2, final=0, format=format_, options={"word": "P"})
    evening.tables = [TableOfHall(evening.hall, noses=6) for _ in range(2)]
    for table in evening.tables:
        table.table.record.append(ZERO)
    evening.keep()
    evening.go_on(2, keeps=True)
    tables, said = evening.tables, 0
    evening.store.close()
    for copy in evening.copies:
        evening.tables = tables
        evening.open(copy)
        evening.must_be_right()
        todos = screen(evening.hall).todos
        said += any(one.kind == "unknown" for one in todos)
        evening.go_on(2)
        assert 2 == len(evening.hall.state.called)
        assert all(one.state == "counts" for one in evening.hall.view.outcomes)
        evening.store.close()
    assert len(evening.copies) >= 8
    assert said >= 3, "the desk says that its folder was put back"


@pytest.mark.heavy
def test_tables_begin_what_a_hub_calls_whose_folder_was_put_back_with_its_message_server(
    tmp_path: Path,
) -> None:
    """Its log has fewer entries than the tables have heard of; they are told by another run of the hub."""
    with live_hall(tmp_path) as live:
        table = live.add_table()
        arranged(live.hall, "Aya,Noor,Tom", tables=1, rounds=2, final=0, format="free")
        live.close()
        shutil.copytree(tmp_path / "hall", tmp_path / "older")
        live.open()
        call_round(live.hall)
        live.play()
        first = live.hall.view.outcomes[0].called
        live.close()
        shutil.rmtree(tmp_path / "hall")
        shutil.copytree(tmp_path / "older", tmp_path / "hall")
        live.open()
        until(live.level, "the table to have sent all again")
        call_round(live.hall)
        live.play()
        again = live.hall.view.outcomes[0].called
        assert (first.call, first.id) == (again.call, again.id)
        assert (first.nonce, first.began) != (again.nonce, again.began)
        assert table.member.table == again.id
