"""A hall whose game keeps a score sheet: nobody is told to touch a nose, or that so many are left."""

from __future__ import annotations

from lastnose.companion.evening.events import Started
from lastnose.companion.event.messages import Presence
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.membership import Membership

from tests.support.halls import begun, rows, screen, seated, take, todos


def begins(hall: Hall, member: Membership) -> None:
    """Let *member* begin the sheet that it is called for."""
    names, call = seated(hall, member.number)
    noses = ("nose.1", "nose.2", "nose.3")
    started = Started(by="hall", at=0, game="score-pad", players=names, options={}, lines=noses, call=call)
    hall.heard(member.table, Presence(n=1, call=call, phase="playing"))
    take(hall, member, rows((started,)))


def test_a_table_with_a_sheet_is_slow_only_before_its_game_has_begun(hall: Hall) -> None:
    """Two of three play; the third waits: not because noses were not touched."""
    members = begun(hall, "A,B,C,D,E,F,G,H,I", tables=3, most=3, game="score-pad")
    shown = screen(hall)
    assert (True, [True] * 3) == (shown.sheet, [one.sheet for one in shown.tables])
    for member in members:
        hall.heard(member.table, Presence(n=0))
    for member in members[:2]:
        begins(hall, member)
    shown = screen(hall)
    assert ["playing", "playing", "waiting"] == [one.state for one in shown.tables]
    assert [(3, "Slow: its game has not begun.")] == [
        (one.number, str(one.says)) for one in shown.todos if one.kind == "slow"
    ]
    begins(hall, members[2])
    assert [] == todos(hall, "slow")


def test_a_table_is_slow_to_begin_once_more_than_half_of_them_have_begun(hall: Hall) -> None:
    """Of four: nobody waits for the others yet where two play, and for one where three do."""
    members = begun(hall, "A,B,C,D,E,F,G,H,I,J,K,L", tables=4, most=3, game="score-pad")
    for member in members:
        hall.heard(member.table, Presence(n=0))
    for member in members[:2]:
        begins(hall, member)
    assert [] == todos(hall, "slow")
    begins(hall, members[2])
    assert [4] == [one.number for one in screen(hall).todos if one.kind == "slow"]


def test_a_game_with_noses_is_none_of_these(hall: Hall) -> None:
    """Neither before nor after its round is called."""
    assert not screen(hall).sheet
    begun(hall, "A,B,C,D,E,F")
    assert [False] * 3 == [screen(hall).sheet, *(one.sheet for one in screen(hall).tables)]
