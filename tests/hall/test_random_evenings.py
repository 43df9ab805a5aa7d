"""Random evenings of every format, against sums that know nothing of the hall: pen, paper and pairs.

`LASTNOSE_EVENINGS=200 pytest tests/hall/test_random_evenings.py` plays so many of each format.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from lastnose.companion.evening.commands import SignOff
from lastnose.companion.event import commands
from lastnose.companion.event.formats import FORMATS
from lastnose.companion.event.roster import Person
from lastnose.companion.event.snapshot import HallSnapshot
from lastnose.companion.event.tally import Tally
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore

from tests.hall.test_only_edges_count import ZERO
from tests.support.examples import examples
from tests.support.hall_tables import TableOfHall
from tests.support.halls import arranged

EVENINGS = int(os.environ.get("LASTNOSE_EVENINGS", examples(10, least=1)))
Places = list[tuple[int, ...]]  # of a table, the best first; who shares a place together


def points(places: Places) -> dict[int, Fraction]:
    """Return what a table gives: 1 for each whom one was before, ½ for a draw, by all whom one has met."""
    at = {one: n for n, group in enumerate(places) for one in group}
    if len(at) < 2:
        return {one: Fraction(1) for one in at}
    worth = {
        one: sum(2 * (mine < its) + (mine == its) for other, its in at.items() if other != one)
        for one, mine in at.items()
    }
    return {one: Fraction(found, 2 * (len(at) - 1)) for one, found in worth.items()}


class PaperEvening:
    """An evening of *format_*, of which what each table came to is kept here, too."""

    def __init__(self, folder: Path, format_: str, seed: int) -> None:
        rng = self.rng = Random(seed)
        self.format, self.late = format_, rng.choice(["nothing", "mean"])
        self.store = HallStore(folder)
        self.hall = Hall(self.store, random=Random(seed))
        self.hall.subscribe(self.as_from_nothing)
        tables = rng.randint(2, 4)
        people = rng.randint(9, 6 * tables)
        self.final = rng.choice([0, 3, 4]) if format_ == "mixed" else 0
        wishes = {"tables": tables, "most": 6, "rounds": rng.randint(1, 4), "final": self.final}
        names = ",".join(f"P{n}" for n in range(people))
        arranged(self.hall, names, **wishes, format=format_, late=self.late, options={"word": "PI"})
        for member in rng.sample(range(1, people + 1), 4):
            person = Person(f"P{member - 1}", family=rng.choice(["Kos", "Orr"]))
            self.do(commands.Rewrite(member, person))
        self.tables = [TableOfHall(self.hall, noses=6) for _ in range(tables)]
        for table in self.tables:
            table.table.record.append(ZERO)
        self.places: dict[tuple[int, int], Places] = {}
        self.missed: dict[int, int] = {}
        self.sat: dict[int, int] = {}  # the last round to which each was called

    def as_from_nothing(self, view: HallSnapshot) -> None:
        """Hold what is worked out entry by entry to what comes of the same logs when all is worked out."""
        tally = Tally()
        for log in self.hall.logs.values():
            tally.take(log)
        assert tally.outcomes(view.state) == view.outcomes

    def do(self, wish: commands.AnyHallCommand) -> None:
        """Let the organiser do something."""
        self.hall.do(wish, "Ann")

    def play(self) -> None:
        """Play it to its end, with all that happens on the way, and compare after each round."""
        for _ in range(9):
            self.come_and_go()
            if self.hall.view.step.kind == "draw":
                self.do(commands.Draw())
            if self.hall.view.step.kind != "call":
                break
            self.do(commands.CallRound())
            self.play_round()
            self.compare()
        assert self.places

    def come_and_go(self) -> None:
        """Let some leave, return or come late, as far as an evening of this size goes on with it."""
        state, rng = self.hall.state, self.rng
        heats = sum(one.kind == "heat" for one in state.called)
        if self.format == "knock-out" and heats:
            return
        if rng.random() < 0.4 and len(state.there) < 6 * len(self.tables):
            self.do(commands.AddPeople(f"Late {state.seq}"))
            self.missed[max(self.hall.state.people)] = heats
        if rng.random() < 0.3 and len(state.there) > 8:
            self.do(commands.Leave((rng.choice(sorted(state.there)),)))
        away = sorted(set(state.people) - self.hall.state.there)
        if away and len(self.hall.state.there) < 6 * len(self.tables) and rng.random() < 0.3:
            back = rng.choice(away)
            self.do(commands.Return((back,)))
            if back not in self.sat:
                self.missed[back] = heats

    def play_round(self) -> None:
        """Let each table of the newest round have a result, from its own log or typed; correct some."""
        called = self.hall.state.rounds[len(self.hall.state.called) - 1]
        self.sat |= {one: called.number for seats in called.seats for one in seats}
        for number, seats in zip(called.numbers, called.seats, strict=True):
            where = called.number, number
            table = next(one for one in self.tables if one.member.number == number)
            if table.call.call and self.rng.random() < 0.6:
                self.places[where] = self.played(table, seats, where)
                if self.rng.random() < 0.2:
                    self.do(commands.PlayAgain(*where, "a cup fell"))
                    self.places[where] = self.played(table, seats, where)
            else:
                self.places[where] = self.typed(seats, where)
            if self.rng.random() < 0.2:
                before = self.places[where]
                self.places[where] = self.typed(seats, where)
                if self.rng.random() < 0.5:
                    self.do(commands.TakeBack(self.hall.state.seq))
                    self.places[where] = before

    def typed(self, seats: Iterable[int], where: tuple[int, int]) -> Places:
        """Type a result by chance, now and then with shared places."""
        places: Places = []
        for one in self.rng.sample(sorted(seats), len(tuple(seats))):
            if places and self.rng.random() < 0.15:
                places[-1] = (*places[-1], one)
            else:
                places.append((one,))
        self.do(commands.TypeResult(*where, tuple(places), "paper"))
        return places

    def played(self, table: TableOfHall, seats: tuple[int, ...], where: tuple[int, int]) -> Places:
        """Let a table play: two letters and one is out, the last two by one deal; the first out is last."""
        table.begin()
        letters, out = dict.fromkeys(range(1, len(seats) + 1), 0), list[int]()
        while len(letters) > 1:
            order = self.rng.sample(sorted(letters), len(letters))
            table.judged(*order)
            letters[order[-1]] += 1
            if letters[order[-1]] == 2 or len(letters) == 2:
                out.append(order[-1])
                del letters[order[-1]]
        table.do(SignOff())
        if next(one for one in self.hall.view.outcomes if (one.round, one.number) == where).state != "counts":
            self.do(commands.Clear(*where))
        return [(seats[seat - 1],) for seat in (*letters, *reversed(out))]

    def compare(self) -> None:
        """Hold the hall's standings to what the papers say: every point, and who is before whom."""
        kinds = {one.number: one.kind for one in self.hall.state.rounds}
        won: dict[int, list[tuple[int, Fraction]]] = {}
        for (number, _), places in self.places.items():
            if kinds[number] == "heat":
                for one, worth in points(places).items():
                    won.setdefault(one, []).append((number, worth))
        final = [places for (number, _), places in self.places.items() if kinds[number] == "final"]
        first = {one: n for n, group in enumerate(final[-1]) for one in group} if final else {}
        rank: dict[int, tuple[Fraction | int, ...]] = {}
        for line in self.hall.view.lines:
            mine = won.get(line.entrant, [])
            total = sum((worth for _, worth in mine), Fraction(0))
            if self.late == "mean" and mine:
                total += total / len(mine) * self.missed.get(line.entrant, 0)
            assert (total, len(mine)) == (line.points, line.rounds), self.hall.state.shown(line.entrant)
            waits = line.entrant in self.hall.state.there and self.hall.view.step.kind != "over"
            gone = line.entrant not in self.sat and not waits
            assert gone is (line.place is None)
            if gone:
                continue
            last = self.sat.get(line.entrant, 0) if self.format == "knock-out" else 0
            rank[line.entrant] = (
                -first.get(line.entrant, len(rank) + 99 if first else 0) if line.entrant in first else -99,
                last,
                sum((worth for number, worth in mine if number == last), Fraction(0)),
                total if line.entrant not in first else 0,
            )
        place = {line.entrant: line.place or 0 for line in self.hall.view.lines}
        for one, mine in rank.items():
            assert place[one] > sum(other > mine for other in rank.values()), "who is worth more is before"
            assert place[one] <= 1 + sum(other >= mine for other in rank.values() if other is not mine)


@pytest.mark.parametrize("format_", FORMATS)
def test_the_standings_of_a_random_evening_are_what_pen_and_paper_say(tmp_path: Path, format_: str) -> None:
    """With corrections, games played again, leavers, latecomers, families; opened again they are the same."""
    for seed in range(EVENINGS):
        evening = PaperEvening(tmp_path / f"{seed}", format_, seed)
        evening.play()
        again = Hall(evening.store)
        assert again.view.lines == evening.hall.view.lines
        evening.store.close()
