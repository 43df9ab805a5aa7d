"""Who is at the table: by phone, typed by a host, late, gone, and back again."""

from __future__ import annotations

import pytest
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.evening import lobby
from lastnose.companion.evening.lobby import Guest, Guests, NameTaken

LINES = ("nose.1", "nose.2", "nose.3")
ANA = Guest("a", "Ana", "d1", "nose.1")
BOB = Guest("b", "Bob")
ZOE = Guest("z", "Zoë", "d3", "nose.3", plays=True)


def names(guests: Guests) -> list[str]:
    """Return who sits there, in order."""
    return [one.name for one in guests]


def test_a_name_is_a_seat_at_the_end_and_a_nose_that_is_nobodys() -> None:
    """The first free line, in the order of the table."""
    cleo = Guest("c", "Cleo", "d9", lobby.free_line((ANA, ZOE), LINES))
    assert (ANA, ZOE, Guest("c", "Cleo", "d9", "nose.2")) == lobby.sat_down((ANA, ZOE), cleo, most=3)
    assert "" == lobby.free_line((ANA, ZOE, cleo), LINES)


def test_a_full_table_says_so() -> None:
    """Who comes then can watch."""
    with pytest.raises(NotNow, match=r"The table is full\. You can watch"):
        lobby.sat_down((ANA, BOB), Guest("c", "Cleo", "d9"), most=2)


def test_who_was_typed_for_gets_the_phone_and_keeps_the_place() -> None:
    """Also when the table is full; spaces and capitals do not tell people apart."""
    found = lobby.sat_down((BOB, ANA), Guest("new", " bOB ", "d2", "nose.2"), most=2)
    assert (Guest("b", "Bob", "d2", "nose.2"), ANA) == found


@pytest.mark.parametrize("there", [ANA, ZOE, Guest("z", "Zoë", plays=True)])
def test_a_name_with_a_phone_or_a_seat_in_the_game_is_nobody_elses(there: Guest) -> None:
    """The sentence has a way out; `guest` is who is there."""
    with pytest.raises(NameTaken, match=f"There is a {there.name} already") as refused:
        lobby.sat_down((there,), Guest("x", there.name, "d7"), most=9)
    assert there == refused.value.guest


def test_a_seat_whose_phone_was_put_out_is_for_whoever_types_that_name() -> None:
    """It keeps its line; who was only in the lobby is gone with the phone."""
    (vacant,) = lobby.unseated((ANA, ZOE), "d3", vacant=True)[1:]
    assert (True, "", "nose.3") == (vacant.vacant, vacant.device, vacant.line)
    (back,) = lobby.sat_down((vacant,), Guest("x", "Zoë", "d8", "nose.2"), most=9)
    assert Guest("z", "Zoë", "d8", "nose.3", plays=True) == back
    assert (ZOE,) == lobby.unseated((ANA, ZOE), "d1", vacant=True)


def test_who_is_called_otherwise_is_so_as_a_guest_and_a_newcomer_of_the_old_name_is_not() -> None:
    """Zoë is Zora by now. A second Zoë who comes later is another, and so is who has taken the name."""
    people, formerly = ("Zora", "Ana"), {"zoë": 1, "ana": 2}
    assert ("Zora", "Ana") == tuple(names(lobby.called((ZOE, Guest("a", "ana")), people, formerly)))
    zora, newcomer = lobby.called((ZOE, BOB), people, formerly)[0], Guest("n", "Zoë", "d9")
    assert ("Zora", "d3", "nose.3", True) == (zora.name, zora.device, zora.line, zora.plays)
    assert (zora, newcomer) == lobby.called((zora, newcomer), people, formerly)
    assert (newcomer,) == lobby.called((newcomer,), ("Zora", "Ana", "Zoë"), formerly)


def test_a_phone_is_of_one_guest_only() -> None:
    """Handed the seat of another, it leaves its own: who only waited there is gone."""
    assert (Guest("z", "Zoë", "d1", "nose.3", plays=True),) == lobby.with_phone((ANA, ZOE), "z", "d1")


def test_guests_change_places() -> None:
    """Where somebody sits the two change; a place that is not there changes nothing."""
    assert ["Zoë", "Bob", "Ana"] == names(lobby.moved((ANA, BOB, ZOE), "a", 2))
    assert (ANA, BOB) == lobby.moved((ANA, BOB), "a", 7) == lobby.moved((ANA, BOB), "nobody", 0)


def test_a_host_arranges_all_whom_they_see_and_nobody_is_lost() -> None:
    """Who has come by phone meanwhile stays behind them; who was only typed and is not named goes."""
    wanted = [("", "Cleo"), ("z", "Zoë"), ("", "Dan")]
    found = lobby.arranged((ANA, BOB, ZOE), wanted, ("i", "j", "k"))
    assert ["Cleo", "Zoë", "Dan", "Ana"] == names(found)
    assert ["i", "z", "j", "a"] == [one.id for one in found]


def test_a_host_renames_who_does_not_play() -> None:
    """Letters and points belong to a name: in a game it stays."""
    found = lobby.arranged((ANA, ZOE), [("a", "Anna"), ("z", "Zoe")], ())
    assert ["Anna", "Zoë"] == names(found)


@pytest.mark.parametrize("wanted", [[("", "Eva"), ("", " eva ")], [("", "  ")], [("", "E" * 41)]])
def test_a_list_that_cannot_be_is_refused_whole(wanted: list[tuple[str, str]]) -> None:
    """Two of one name, none at all, too long."""
    with pytest.raises(BadInput):
        lobby.arranged((ANA,), wanted, ("i", "j"))


def test_who_plays_is_a_guest_on_the_line_of_the_seat() -> None:
    """In the order of the seats; who waits stays behind, without a nose that is somebody's now."""
    waits = Guest("w", "Wim", "d5", "nose.2")
    rows = [("Bob", "nose.2"), ("Ana", "nose.3")]
    found = lobby.followed((ANA, waits), (), rows, over=False, ids=("i", "j"))
    assert (
        Guest("i", "Bob", "", "nose.2", plays=True),
        Guest("a", "Ana", "d1", "nose.3", plays=True),
        Guest("w", "Wim", "d5", ""),
    ) == found


def test_who_left_the_game_is_no_guest_and_who_only_sat_out_another_is() -> None:
    """Between two rounds somebody went; another game with fewer people sends home who was leaving."""
    rows = [("Ana", "nose.1")]
    assert ["Ana"] == names(lobby.followed((ANA, ZOE), ("Ana", "Zoë"), rows, over=False, ids=()))
    assert ["Ana", "Zoë"] == names(lobby.followed((ANA, ZOE), (), rows, over=False, ids=()))
    leaving = Guest("z", "Zoë", "d3", "nose.3", plays=True, leaving=True)
    assert ["Ana"] == names(lobby.followed((ANA, leaving), (), rows, over=False, ids=()))


def test_nobody_plays_any_more_when_the_game_is_over() -> None:
    """All stay for the next one; who wanted to leave does not any more."""
    leaving = Guest("z", "Zoë", "d3", "nose.3", plays=True, leaving=True)
    rows = [("Zoë", "nose.3")]
    (found,) = lobby.followed((leaving,), ("Zoë",), rows, over=True, ids=())
    assert (False, False) == (found.plays, found.leaving)
