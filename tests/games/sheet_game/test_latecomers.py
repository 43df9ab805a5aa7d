"""Who comes to a sheet, who goes, who comes back: points, who deals, who is in the ranking."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput, IllegalMove, NotNow
from lastnose.companion.games import get_game
from lastnose.companion.games.rules.carried import Sat
from lastnose.companion.games.sheet_game.state import CellCorrection, Correct, Score, SheetState, current

from tests.support.examples import examples

GIN, CHICKEN, PAD = (get_game(name) for name in ("swedish-gin", "chickenfoot", "score-pad"))


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

    def notes(self) -> list[str]:
        """What is said of the moment."""
        return [str(note) for note in self.game.notes(self.state)]


def three_hands(**options: str) -> Circle:
    """A has 45, B 25, C 55; A has dealt the first hand, so A deals the fourth."""
    return Circle(GIN, "ABC", **options).hand(0, 10, 25).hand(5, 0, 30).hand(40, 15, 0)


@pytest.mark.parametrize(("gives", "points"), [("average", 40), ("worst", 55), ("zero", 0)])
def test_a_latecomer_begins_with_what_the_table_gives(gives: str, points: int) -> None:
    """A goes, D comes: B and C have 25 and 55."""
    made = three_hands(latecomers=gives).sit("DCB")
    assert {"D": points, "C": 55, "B": 25} == made.totals
    notes = [[str(note) for note in one.notes] for one in GIN.standings(made.state)]
    assert [["3 hands fewer"] if gives == "zero" else [], [], []] == notes
    rows = GIN.sheet(made.state).lines
    assert [points, 55, 25] == [cell.total for cell in rows[2].cells]
    given = {"average": ": The average", "worst": ": Like the last", "zero": ""}[gives]
    assert f"not here{given}" == str(rows[0].cells[0].notes[0])
    assert {"D": points, "C": 60, "B": 35} == made.hand(0, 5, 10).totals


def test_who_goes_is_out_of_the_ranking_and_shown_with_their_points() -> None:
    """Under the hand they played last, and beside who leads; the others win among themselves."""
    made = three_hands().sit("BC")
    assert ["B leads by 30 points.", "No longer here, and out of the ranking: A 45."] == made.notes()
    assert ["A left with 45 points"] == [str(note) for note in GIN.sheet(made.state).lines[2].notes]
    for _ in range(12):
        made.hand(0, 5)
    outcome = GIN.outcome(made.state)
    assert outcome is not None
    assert (1,) == outcome.winners
    assert "No longer here" in made.notes()[-1]


def test_the_deal_goes_on_to_the_left_of_who_went() -> None:
    """SGR-11: A would deal the fourth hand, so B does; who dealt before stays written, of A nobody."""
    rows = GIN.sheet(three_hands().sit("DCB").state).lines
    assert [None, 3, 2, 3, 1, 2] == [row.dealer for row in rows[:6]]
    assert [1, 2, 3] == [row.starter for row in rows[3:6]]
    here = GIN.sheet(three_hands().sit("CAB").state).lines
    assert [2, 3, 1, 2, 3] == [row.dealer for row in here[:5]], "all stay: A still deals the fourth"


def test_who_comes_back_has_what_they_had_and_the_same_for_what_they_missed() -> None:
    """A had 45; of the fourth hand the others had 0, 5 and 5: on average 3⅓."""
    made = three_hands().sit("DCB").hand(0, 5, 5).sit("ADCB")
    assert {"A": 48, "D": 40, "C": 60, "B": 30} == made.totals
    assert "No longer here" not in " ".join(made.notes())
    assert [0, 5, 40, 3] == [row.cells[0].points for row in GIN.sheet(made.state).lines[:4]]


def test_a_hand_is_written_out_before_anybody_comes_or_goes() -> None:
    """Otherwise nobody knows who still has a score in it; and somebody has to stay."""
    made = three_hands()
    made.state = GIN.play(made.state, Score(4, 1, points=5))
    with pytest.raises(NotNow, match="Hand 4 is half written: complete it"):
        made.sit("AB")
    with pytest.raises(NotNow, match="Somebody who still plays has to stay"):
        three_hands().sit("XYZ")
    with pytest.raises(BadInput, match="2 to 8 players, not 1"):
        three_hands().sit("A")


def test_hands_played_with_others_are_corrected_among_them() -> None:
    """A closed the first hand: nobody else did, and C’s column is corrected as before."""
    made = three_hands().sit("DCB")
    with pytest.raises(IllegalMove, match="C and A cannot both have nothing left"):
        GIN.play(made.state, Correct(1, (CellCorrection(2, points=0),)))
    made.state = GIN.play(made.state, Correct(1, (CellCorrection(2, points=35),)))
    assert 65 == made.totals["C"]
    made.state = GIN.play(made.state, Correct(1, (CellCorrection(1, points=0),)))
    assert 22 == made.totals["D"], "what is given may be agreed on otherwise: no hand of theirs"


def test_tiles_in_the_hands_of_who_left_are_still_theirs() -> None:
    """CHK-11: the 5-5 was in A’s hand; of those who sat there then three drew, 14 each."""
    made = Circle(CHICKEN, "ABC")
    for seat, held in enumerate((("5-5", "1-0"), ("3-1",), ()), start=1):
        made.state = CHICKEN.play(made.state, Score(1, seat, pieces=held))
    made.sit("BCDE")
    assert {"B": 4, "C": 0, "D": 2, "E": 2} == made.totals
    with pytest.raises(IllegalMove, match="B and A cannot both hold 5-5"):
        CHICKEN.play(made.state, Correct(1, (CellCorrection(1, pieces=("5-5",)),)))
    assert 4 == made.state.sitting(2)
    assert 3 == made.state.sitting(1)


def test_on_a_pad_on_which_the_most_wins_the_worst_off_has_the_fewest() -> None:
    """40, -10 and 5: who comes begins with -10."""
    made = Circle(PAD, "ABC", latecomers="worst").hand(40, -10, 5).sit("ABCD")
    assert {"A": 40, "B": -10, "C": 5, "D": -10} == made.totals
    made.hand(1, 1, 1, 1)
    assert {"A": 41, "B": -9, "C": 6, "D": -9} == made.totals


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
