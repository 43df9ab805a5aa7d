"""Every evening comes to its end: without disk, server and tables, whatever people wish and results are."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import hypothesis.strategies as st
from hypothesis import assume, given
from lastnose.companion.core.errors import BadInput
from lastnose.companion.event import commands
from lastnose.companion.event.events import Admitted, AnyHallEvent, Arrangement, EventArranged, PeopleJoined
from lastnose.companion.event.formats import Stage
from lastnose.companion.event.orders import Order
from lastnose.companion.event.roster import Person
from lastnose.companion.event.snapshot import HallSnapshot
from lastnose.companion.event.standings import StandingLine
from lastnose.companion.event.state import HallState, apply
from lastnose.companion.event.tally import Tally, games_now


class PaperEvening:
    """An event of which every result is typed."""

    def __init__(self, arrangement: Arrangement, people: int, random: Random) -> None:
        self.state, self.random, self.tally = HallState(), random, Tally()
        names = tuple(Person(f"P{n}") for n in range(people))
        self.take(EventArranged(by="Ann", at=0, arrangement=arrangement))
        self.take(PeopleJoined(by="Ann", at=0, first=1, people=names))
        for n in range(1, arrangement.tables + 1):
            self.take(Admitted(by="hall", at=0, table=f"table-{n}", number=n, key=f"{n}"))

    def take(self, event: AnyHallEvent) -> None:
        """Let *event* take place."""
        self.state = apply(self.state, self.state.seq + 1, event)

    def view(self) -> HallSnapshot:
        """Return the hall as its desk shows it."""
        found = self.tally.outcomes(self.state)
        lines = self.tally.lines(self.state, found)
        step, games = Stage(self.state, found, lines).next_step(), games_now(self.state, found)
        return HallSnapshot(1, "abcdefgh", self.state, found, lines, step, games, {}, {})

    def lines(self) -> tuple[StandingLine, ...]:
        """Return the standings as they are shown."""
        view = self.view()
        return self.tally.last_lines(view.state, view.outcomes) if view.step.kind == "over" else view.lines

    def do(self, command: commands.AnyHallCommand) -> None:
        """Do as the organiser wishes."""
        self.take(Order("Ann", 0, self.state, self.view(), {}, list, self.random).event_of(command))

    def play(self, level: Callable[[int], bool]) -> None:
        """Call what is drawn and type its results: *level* says whether somebody shares the place before."""
        self.do(commands.CallRound())
        for one in self.view().outcomes:
            if not one.open:
                continue
            groups: list[tuple[int, ...]] = []
            for n, entrant in enumerate(self.random.sample(one.entrants, len(one.entrants))):
                if groups and level(n):
                    groups[-1] += (entrant,)
                else:
                    groups.append((entrant,))
            self.do(commands.TypeResult(one.round, one.number, tuple(groups), "paper"))


@given(data=st.data())
def test_every_evening_comes_to_its_end_however_many_are_level_and_leave(data: st.DataObject) -> None:
    """Of any format and size. People share places for a while, then everybody has a place of their own.

    After the last heat, in a knock-out after any round, people leave.
    """
    game, least = data.draw(st.sampled_from([("pig", 3), ("pig-10", 2)]))
    most = data.draw(st.integers(least, 6))
    made = Arrangement(
        "Cup",
        game=game,
        format=data.draw(st.sampled_from(["mixed", "knock-out"])),
        rounds=data.draw(st.integers(1, 2)),
        tables=data.draw(st.integers(1, 4)),
        most=most,
        final=data.draw(st.sampled_from([0, *range(least, most + 1)])),
    )
    people = data.draw(st.integers(least, max(least, min(12, made.tables * most))))
    evening = PaperEvening(made, people, Random(data.draw(st.integers(0, 99))))
    shared = data.draw(st.integers(0, 4))
    try:
        evening.do(commands.Draw())
    except BadInput:  # so many do not fit at such tables: said before the first round
        assume(False)
    for n in range(30):
        step = evening.view().step.kind
        if step == "over":
            return
        if step == "draw":
            evening.do(commands.Draw())
        evening.play(lambda place, n=n: n < shared and place % 3 != 2)
        last_heat = made.format == "knock-out" or len(evening.state.called) >= made.rounds
        gone = sorted(evening.state.there)[: data.draw(st.integers(0, 2)) if last_heat else 0]
        if gone:
            evening.do(commands.Leave(tuple(gone)))
    raise AssertionError(f"no end: {[one.kind for one in evening.state.called]}")


def test_who_came_to_no_round_is_no_rank_and_counts_for_nobody() -> None:
    """P4 leaves before the first round, P5 comes after the last; P3 leaves in a round, and has a result."""
    made = Arrangement("Cup", game="pig", rounds=1, tables=1, most=6, final=0)
    evening = PaperEvening(made, 5, Random(1))

    def places() -> dict[int, int | None]:
        return {line.entrant: line.place for line in evening.lines()}

    evening.do(commands.Leave((5,)))
    evening.do(commands.Draw())
    evening.do(commands.CallRound())
    evening.do(commands.Leave((4,)))
    assert [None] == [place for entrant, place in places().items() if entrant == 5]
    assert places()[4] is not None  # the table still plays
    evening.do(commands.AddPerson(Person("P5")))
    evening.do(commands.TypeResult(1, 1, ((1,), (2,), (3,), (4,)), "paper"))
    assert "over" == evening.view().step.kind
    assert {1: 1, 2: 2, 3: 3, 4: 4, 5: None, 6: None} == places()
    evening.do(commands.TypeResult(1, 1, (), ""))
    evening.do(commands.Return((5,)))
    assert places()[5] is not None


def test_who_only_played_the_final_has_a_place() -> None:
    """They came after the only heat, and one of the four in the final is needed: they are third there."""
    made = Arrangement("Cup", game="pig", rounds=1, tables=1, most=6, final=4)
    evening = PaperEvening(made, 3, Random(1))
    evening.do(commands.Draw())
    evening.do(commands.CallRound())
    evening.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "paper"))
    evening.do(commands.AddPerson(Person("P3")))
    evening.do(commands.Draw())
    evening.do(commands.CallRound())
    evening.do(commands.TypeResult(2, 1, ((1,), (2,), (4,), (3,)), "paper"))
    assert "over" == evening.view().step.kind
    assert [(1, 1), (2, 2), (4, 3), (3, 4)] == [(line.entrant, line.place) for line in evening.lines()]
