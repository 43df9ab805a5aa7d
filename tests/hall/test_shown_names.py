"""How tables and screens write names: a table takes each of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.names import alike
from lastnose.companion.core.text import text
from lastnose.companion.event import commands
from lastnose.companion.event.roster import Person, shown_names
from lastnose.companion.games.rules.checks import check_players
from lastnose.companion.link.hub import Hall

from tests.support.examples import examples
from tests.support.halls import begun, call_to


def test_names_that_would_be_written_alike_get_a_number() -> None:
    """Two namesakes with their clubs, and somebody whose name is written like one of them; then once more."""
    people = {
        1: Person("Ann", "Red"),
        2: Person("Ann", "Blue"),
        3: Person("Ann (Red)"),
        4: Person("ANN  (red)"),
        5: Person("Bob", "Red"),
    }
    assert ["Ann (Red)", "Ann (Blue)", "Ann (Red) 2", "ANN  (red) 3", "Bob"] == [
        *shown_names(people).values()
    ]


@pytest.mark.parametrize(
    ("name", "club", "shown"),
    [
        ("N" * 40, "", "N" * 40),
        ("N" * 41, "", "N" * 39 + "…"),
        ("N" * 30, "C" * 7, "N" * 30 + " (CCCCCCC)"),
        ("N" * 20, "C" * 30, "N" * 20 + " (" + "C" * 16 + "…)"),
        ("N" * 40, "C" * 30, "N" * 24 + "… (" + "C" * 11 + "…)"),
        ("N" * 40, "Oak", "N" * 33 + "… (Oak)"),
    ],
)
def test_a_name_and_its_club_are_cut_to_what_a_table_takes(name: str, club: str, shown: str) -> None:
    """Forty letters, of which twelve are left to the club; both are written out where there is room."""
    people = {1: Person(name, club), 2: Person(name, "Elm")} if club else {1: Person(name)}
    assert shown == shown_names(people)[1]
    assert len(shown) <= 40


def test_namesakes_of_long_names_and_clubs_play_at_one_table(hall: Hall) -> None:
    """Three whose names are alike for 24 letters, and so are their clubs for eleven."""
    name = "Maximiliane-Friederike von und zu Hohen"
    clubs = (f"Kartenfreunde {place}" for place in ("Nord", "Mitte", "Oberstadt"))
    (member,) = begun(hall, "name,club\n" + "\n".join(f"{name},{club}" for club in clubs), tables=1, final=0)
    call = call_to(hall, member)
    whole = "Maximiliane-Friederike v… (Kartenfreun…)"
    second, third = (f"Maximiliane-Friederike… (Kartenfreun…) {n}" for n in (2, 3))
    assert sorted((whole, second, third)) == sorted(call.players)
    assert call.players == check_players(text("Pig"), call.players, (3, 13))
    hall.do(commands.TypeResult(1, 1, ((1,), (2,), (3,)), "paper"), "Ann")
    assert [whole, second, third] == [hall.state.shown(line.entrant) for line in hall.view.lines]


NAMES = st.text(st.sampled_from("aAb (2)…"), min_size=1, max_size=44).filter(str.strip)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.builds(Person, NAMES, NAMES | st.just("")), min_size=1, max_size=12))
def test_a_table_takes_whoever_sits_there(people: list[Person]) -> None:
    """Whatever their names are, and those of an older log may be longer."""
    shown = [*shown_names(dict(enumerate(people))).values()]
    assert len(people) == len({alike(name) for name in shown})
    check_players(text("Any"), shown, (1, 12))
