"""Drawings of the help pages, measured: where cards, tiles and pips are, by what a table looks like."""

from __future__ import annotations

import re
from math import cos, dist, radians, sin
from xml.etree import ElementTree as ET

import pytest
from lastnose.companion.core.text import text
from lastnose.companion.games import get_game
from lastnose.companion.games.chickenfoot.help import foot
from lastnose.companion.games.rules.game import Diagram, round_table
from lastnose.companion.games.swedish_gin.help import groups

Point = tuple[float, float]
SAYS = text("South was last: P")


def parts(diagram: Diagram) -> list[ET.Element]:
    """Return the elements that *diagram* draws, in order."""
    return list(ET.fromstring(f"<svg>{diagram.inside}</svg>"))


def numbers(element: ET.Element, *names: str) -> list[float]:
    """Return attributes as numbers."""
    return [float(element.attrib[name]) for name in names]


def placed(group: ET.Element) -> tuple[Point, float]:
    """Return where the middle of *group* is, and by how many degrees it is turned."""
    x, y, turn = map(float, re.findall(r"-?[\d.]+", group.attrib["transform"]))
    return (x, y), turn


def pips(tile: ET.Element, middle: int) -> list[Point]:
    """Return the pips of the half of *tile* around (0, *middle*), as seen from there."""
    marks = [(x, y - middle) for x, y in (numbers(one, "cx", "cy") for one in tile if "cx" in one.attrib)]
    return [(x, y) for x, y in marks if abs(y) <= 9]


@pytest.mark.parametrize(("name", "later"), [("pig", 0), ("spoons", 0), ("magarac", 5), ("vatra", 5)])
def test_help_draws_all_cards_on_their_way_at_once_or_all_but_one_later(name: str, later: int) -> None:
    """PIG-3: everybody passes at once. MAG-2: one after the other."""
    game = get_game(name)
    drawings = [one.diagram for one in game.help(game.read_options({})) if one.diagram is not None]
    assert later == sum(drawing.inside.count("dg-later") for drawing in drawings)


@pytest.mark.parametrize("at_once", [True, False])
def test_six_sit_around_a_table_evenly_and_a_card_goes_to_each_left(at_once: bool) -> None:
    """A hexagon's side is its radius, 78; the first sits on top, and from above the left is clockwise."""
    drawn = round_table(SAYS, at_once=at_once)
    assert (2 * 100, 2 * 100) == (drawn.width, drawn.height), "the table is in the middle"
    table, *around = parts(drawn)
    assert [100, 100, 48] == numbers(table, "cx", "cy", "r")
    seats = [(x, y) for x, y in (numbers(one, "cx", "cy") for one in around[0::2])]
    assert ((100, 22), 6) == (seats[0], len(seats))
    assert {13} == {numbers(one, "r")[0] for one in around[0::2]}
    cards = [placed(one) for one in around[1::2]]
    for number, ((middle, turn), here) in enumerate(zip(cards, seats, strict=True)):
        there = seats[(number + 1) % 6]
        assert 78 == pytest.approx(dist(here, there), abs=0.2)
        assert 78 == pytest.approx(dist((100, 100), middle), abs=0.2)
        assert dist(here, middle) == pytest.approx(dist(middle, there), abs=0.2)
        assert 30 + 60 * number == turn
    assert seats[1][0] > 100 > seats[5][0]
    written = [value for one in around for value in (one.get("cx", "0"), one.get("cy", "0"))]
    assert all(len(value.partition(".")[2]) <= 1 for value in written), "a tenth of a unit is enough"
    later = [one.attrib["class"] == "dg-way dg-later" for one in around[1::2]]
    assert later == [False] * 6 if at_once else [False, *[True] * 5]
    assert {"dg-way", "dg-way dg-later"} >= {one.attrib["class"] for one in around[1::2]}


def test_tiles_have_the_pips_that_dominoes_have() -> None:
    """As many as the number, the same seen from both ends, in columns beside the middle, each once."""
    shown: set[int] = set()
    for tile in parts(foot(SAYS)):
        for half in (pips(tile, -10), pips(tile, 10)):
            shown.add(len(half))
            assert len(half) == len(set(half))
            assert set(half) == {(-x, -y) for x, y in half}
            assert len(half) % 2 == half.count((0, 0)), "only an odd number has one in the middle"
            assert all(abs(x) == 4 and abs(y) in (0, 4, 5) for x, y in half if (x, y) != (0, 0))
            if len(half) in (2, 3):
                assert (-4, -4) in half, "from corner to corner"
            if len(half) == 6:
                assert {-5, 0, 5} == {y for _, y in half}
            elif len(half) > 1:
                assert {-4, 4} == {y for x, y in half if x}
    assert set(range(7)) == shown


def test_six_tiles_lie_around_the_double_and_three_make_a_foot() -> None:
    """CHK-4: each touches its double with the half that has its number; left is as right, above as below."""
    drawn = foot(SAYS)
    assert (2 * 75, 400) == (drawn.height, drawn.width), "as much room above the double as below"
    double, *six = parts(drawn)[:7]
    heel, *claws = parts(foot(SAYS))[7:]
    assert [((110, 75), 0), ((330, 40), 90)] == [placed(double), placed(heel)]
    assert [5, 5, 3, 3] == [len(pips(tile, middle)) for tile in (double, heel) for middle in (-10, 10)]
    assert [(5, n) for n in (0, 1, 2, 3, 4, 6)] == [(len(pips(one, -10)), len(pips(one, 10))) for one in six]
    assert [(3, n) for n in range(3)] == [(len(pips(one, -10)), len(pips(one, 10))) for one in claws]
    for around, middle in ((six, (110.0, 75.0)), (claws, (330.0, 40.0))):
        for one in around:
            (x, y), turn = placed(one)
            high = x + 10 * sin(radians(turn)), y - 10 * cos(radians(turn))
            low = x - 10 * sin(radians(turn)), y + 10 * cos(radians(turn))
            assert dist(high, middle) < dist((x, y), middle) < dist(low, middle)
    turned = {(x, y, turn % 360) for (x, y), turn in map(placed, six)}
    assert turned == {(220 - x, y, -turn % 360) for x, y, turn in turned}
    assert turned == {(x, 150 - y, (180 - turn) % 360) for x, y, turn in turned}
    places = {placed(one)[0] for one in six}
    assert 6 == len(places)
    assert places == {(220 - x, y) for x, y in places} == {(x, 150 - y) for x, y in places}
    assert [(298, 86), (330, 86), (362, 86)] == [placed(one)[0] for one in claws]


def test_groups_of_cards_overlap_and_runs_climb() -> None:
    """Each card 9 to the right of the one before, a run's 2 higher; 8 between groups, 34 between lines.

    A set of three is 2 × 9 + 13 = 31 wide, so the run begins at 26 + 31 + 8 = 65 and is 3 × 9 + 13 = 40 wide.
    """
    drawn = groups(SAYS, [(2, "=3 /4"), (15, "/*")])
    rects = [one for one in parts(drawn) if one.tag == "rect"]
    places = [numbers(one, "x", "y") for one in rects]
    assert [[26, 8], [35, 8], [44, 8], [65, 10], [74, 8], [83, 6], [92, 4]] == places[:7]
    assert [[26 + 9 * n, 44 - 2 * n] for n in range(6)] == places[7:]
    assert ["dg-face"] * 10 + ["dg-open"] * 3 == [one.attrib["class"] for one in rects]
    assert {(13, 18)} == {(x, y) for x, y in (numbers(one, "width", "height") for one in rects)}
    marks = [numbers(one, "cx", "cy") for one in parts(drawn) if one.tag == "circle"]
    assert [[x + 4.6, 13] for x in (26, 35, 44)] == marks, "alike: their ranks show"
    titles = [(one.text, *numbers(one, "x", "y")) for one in parts(drawn) if one.tag == "text"]
    assert [("2", 20, 22), ("15", 20, 56)] == titles
    assert (113, 68) == (drawn.width, drawn.height)
