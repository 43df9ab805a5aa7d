"""Who comes to a sheet, who goes, who comes back, by name; examples are in `minutes/comings.txt`."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.games import get_game
from lastnose.companion.games.chickenfoot.game import Blocked
from lastnose.companion.games.rules.carried import Sat
from lastnose.companion.games.score_pad import LastRound
from lastnose.companion.games.sheet_game.state import CellCorrection, Correct, Score, SheetState, current

from tests.support.examples import examples

GIN = get_game("swedish-gin")


class Circle:
    """A game with people who come and go, as the evening asks it; nobody has the name of another."""

    def __init__(self, game: Any, names: str, **options: Any) -> None:
        self.game = game
        self.state: SheetState = game.new(tuple(names), game.read_options(options))
        self.last: dict[str, Sat] = {}

    def hand(self, *points: int) -> Circle:
        """Write a whole hand, by seat."""
        hand = current(self.state)
        assert hand is not None
        for seat, left in enumerate(points, start=1):
            self.state = self.game.play(self.state, Score(hand, seat, points=left))
        return self

    def sit(self, names: str) -> Circle:
        """Let *names* play on, in this order."""
        for seat, name in enumerate(self.state.players, start=1):
            self.last[name] = Sat(self.state, seat)
        sat = tuple(self._sat(name) for name in names)
        self.state = self.game.gone_on(self.state, tuple(names), sat)
        return self

    def _sat(self, name: str) -> Sat | None:
        one = self.last.get(name)
        return None if one is None else Sat(one.state, one.seat, here=name in self.state.players)

    @property
    def totals(self) -> dict[str, int | None]:
        """Everybody's total."""
        found = self.game.standings(self.state)
        return {self.state.player(one.seat): one.score for one in found}


class Scorer:
    """Keeps the same evenings as a list of hands, by name; nothing is carried from one to the next."""

    def __init__(self, gives: str) -> None:
        self.gives = gives
        self.hands: list[dict[str, int]] = []
        self.given: list[dict[str, int]] = []

    def total(self, name: str) -> int:
        """Add up a person's hands, and what was given for others."""
        return sum(hand.get(name, 0) + given.get(name, 0) for hand, given in self.rows())

    def rows(self) -> list[tuple[dict[str, int], dict[str, int]]]:
        """Return hands, and what was given for them."""
        return list(zip(self.hands, self.given, strict=True))

    def sits(self, stays: list[str], comes: list[str]) -> None:
        """Give who comes points for the hands that they have nothing of."""
        had = {name: [h.get(name, g.get(name, 0)) for h, g in self.rows()] for name in stays}
        for name in comes:
            missed = [at for at, (hand, given) in enumerate(self.rows()) if name not in {**hand, **given}]
            worst = max(stays, key=lambda one: sum(had[one][at] for at in missed))
            before = 0
            for number, at in enumerate(missed, start=1):
                whole = sum(had[one][so_far] for one in stays for so_far in missed[:number])
                average = floor(Fraction(whole, len(stays)) + Fraction(1, 2))
                gives = {"average": average - before, "worst": had[worst][at], "zero": 0}
                self.given[at][name] = gives[self.gives]
                before = average


@settings(max_examples=examples(40), deadline=None)
@given(data=st.data(), gives=st.sampled_from(["average", "worst", "zero"]))
def test_any_evening_of_comings_and_goings_adds_up_as_by_name(data: st.DataObject, gives: str) -> None:
    """Fifteen hands of Gin, anybody goes, comes, comes back, between any two of them."""
    made, scorer = Circle(GIN, "ABC", latecomers=gives), Scorer(gives)
    names = "ABC"
    for _ in range(data.draw(st.integers(1, 14))):
        points = [5 * data.draw(st.integers(1, 20)) for _ in names]
        points[data.draw(st.integers(0, len(names) - 1))] = 0
        made.hand(*points)
        scorer.hands.append(dict(zip(names, points, strict=True)))
        scorer.given.append({})
        if data.draw(st.booleans()):
            stays = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True))
            others = [name for name in "ABCDEFG" if name not in names]
            fewest = 2 - min(2, len(stays))
            comes = data.draw(st.lists(st.sampled_from(others), min_size=fewest, max_size=2, unique=True))
            before = {name: scorer.total(name) for name in names}
            dealer = names[made.state.dealer(current(made.state) or 1) - 1]
            order = [*names, *names][names.index(dealer) :]
            names = "".join(data.draw(st.permutations([*stays, *comes])))
            made.sit(names)
            in_the_order_of_before = [name for name in before if name in stays]
            scorer.sits(in_the_order_of_before, comes)
            deals = next(name for name in order if name in stays)
            assert deals == names[made.state.dealer(current(made.state) or 1) - 1]
            gone = {one.name: one.points for one in made.state.left}
            assert {name: before[name] for name in before if name not in names}.items() <= gone.items()
            assert not {*gone} & {*names}
        assert {name: scorer.total(name) for name in names} == made.totals


def test_the_last_round_stays_the_last_where_one_before_somebody_came_is_corrected() -> None:
    """10, 20 and 30, so D comes with 20. A had 37, after all: D has (37 + 20 + 30) / 3 = 29, and A wins."""
    made = Circle(get_game("score-pad"), "ABC").hand(10, 20, 30).sit("ABCD")
    made.state = made.game.play(made.state, LastRound(2))
    assert (3,) == made.game.outcome(made.state).winners
    made.state = made.game.play(made.state, Correct(1, (CellCorrection(1, points=37),)))
    assert {"A": 37, "B": 20, "C": 30, "D": 29} == made.totals
    assert (1,) == made.game.outcome(made.state).winners


def test_a_hand_that_was_blocked_stays_so_where_one_before_somebody_came_is_corrected() -> None:
    """Nobody has 0 in the second hand: without the mark somebody would have to be out."""
    made = Circle(get_game("chickenfoot"), "ABC").hand(0, 10, 20).sit("ABCD")
    made.state = made.game.play(made.state, Blocked(2))
    made.hand(5, 10, 15, 20)
    made.state = made.game.play(made.state, Correct(1, (CellCorrection(2, points=40),)))
    assert [2] == [mark.hand for mark in made.state.marks]


def test_points_that_people_agreed_on_for_a_missed_hand_are_not_called_the_average() -> None:
    """Of 0, 10 and 35 D is given 15, the average of the hand; then people say that it shall be 40."""
    sheet = Circle(GIN, "ABC").hand(0, 10, 35).sit("ABCD")

    def shown() -> tuple[int | None, list[str]]:
        cell = GIN.sheet(sheet.state).lines[0].cells[3]
        return cell.points, [*map(str, cell.notes)]

    assert (15, ["not here: The average"]) == shown()
    sheet.state = GIN.play(sheet.state, Correct(1, (CellCorrection(4, points=40),)))
    assert (40, ["not here"]) == shown()
