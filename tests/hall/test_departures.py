"""Somebody leaves the event while a table waits for them, or plays with them."""

from __future__ import annotations

import pytest
from lastnose.companion.evening.events import Finished, Started
from lastnose.companion.event import commands
from lastnose.companion.event.calls import call_for, said_of_left
from lastnose.companion.event.messages import Presence
from lastnose.companion.i18n import translator
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.membership import Membership

from tests.support.halls import begun, call_round, judged_game, known, rows, screen, seated, take


def told(hall: Hall) -> list[tuple[int, str, str]]:
    """Return what the desk is told of who has left: at which table, what, and what helps."""
    todos = screen(hall).todos
    say = translator("en")
    return [(one.number, say(one.says), say(one.why or "")) for one in todos if one.kind == "left"]


def at_table(hall: Hall, member: Membership) -> tuple[str, ...]:
    """Return who has left, as the table of *member* hears it."""
    call = call_for(hall.view, member.table, 0, "")
    return call.left


def leave(hall: Hall, *names: str) -> None:
    """Let people of these names leave at the desk."""
    found = tuple(one for one in hall.state.people if hall.state.shown(one) in names)
    hall.do(commands.Leave(found), "Ann")
    hall.tick()


def test_the_desk_and_the_table_are_told_who_of_a_called_table_has_left_until_its_host_lets_them_go(
    hall: Hall,
) -> None:
    """Before its game begins, and while it is played."""
    first, second = begun(hall, "A,B,C,D,E,F,G,H", final=0)
    names, call = seated(hall, 1)
    leave(hall, names[0])
    says = f"{names[0]} has left the event, and has a seat at this table."
    lets_go = "Gone already? The table’s host lets them go: “Somebody comes or goes”."
    assert [(1, says, lets_go)] == told(hall)
    assert ((names[0],), ()) == (at_table(hall, first), at_table(hall, second))
    game = judged_game(names, call, 0)
    take(hall, first, rows(game[:1]))
    assert [(1, says, lets_go)] == told(hall)
    assert (names[0],) == at_table(hall, first)
    others = names[1:]
    without = Started(
        by="host",
        at=3,
        game="pig",
        players=others,
        options={},
        lines=tuple(f"nose.{seat}" for seat in range(2, 5)),
        call=call,
        carried={"marks": [0, 0, 0]},
    )
    take(hall, first, rows((Finished(by="host", at=3), without), (1, known(hall, first)[1])))
    assert ([], ()) == (told(hall), at_table(hall, first))


def test_nothing_is_said_of_who_comes_back_nor_of_a_table_that_has_played(hall: Hall) -> None:
    """A leave that is taken back is forgotten; so is one after the game."""
    first, _ = begun(hall, "A,B,C,D,E,F,G,H", final=0)
    names, call = seated(hall, 1)
    leave(hall, names[0], names[1])
    assert ["have left the event, and have seats at this table." in says for _, says, _ in told(hall)]
    hall.do(commands.Return(tuple(hall.state.people)), "Ann")
    assert ([], ()) == (told(hall), at_table(hall, first))
    leave(hall, names[0])
    take(hall, first, rows(judged_game(names, call, 0)[:4]))
    assert [] == told(hall)


def test_who_leaves_a_table_of_three_leaves_too_few_for_the_game(hall: Hall) -> None:
    """Its host cannot let them go: the game needs three."""
    begun(hall, "A,B,C,D,E,F", final=0)
    leave(hall, seated(hall, 1)[0][0])
    ((number, _, why),) = told(hall)
    assert (1, "Too few are left for the game then: let them settle it, and type its result.") == (
        number,
        why,
    )


def test_a_final_that_has_not_begun_is_drawn_again_with_the_next_of_the_list(hall: Hall) -> None:
    """The desk says so, and it is so; once it is played its host lets them go."""
    (member,) = begun(hall, "A,B,C,D,E", tables=1, rounds=1, final=4)
    hall.do(commands.TypeResult(1, 1, tuple((one,) for one in range(1, 6)), "paper"), "Ann")
    call_round(hall)
    names, call = seated(hall, 1)
    assert {"A", "B", "C", "D"} == set(names)
    leave(hall, "A")
    again = "Take its call back, and draw it again: the next of the list plays."
    assert [again] == [why for _, _, why in told(hall)]
    take(hall, member, rows(judged_game(names, call, 0)[:1]))
    hall.heard(member.table, Presence(n=1, here=(1, 2, 3, 4), phase="armed"))
    hall.tick()
    assert ["Gone already? The table’s host lets them go: “Somebody comes or goes”."] == [
        why for _, _, why in told(hall)
    ]
    hall.do(commands.TakeBack(hall.state.now.seq), "Ann")
    call_round(hall)
    assert {"B", "C", "D", "E"} == set(seated(hall, 1)[0])
    assert [] == told(hall)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("heat", "Gone already? The table’s host lets them go: “Somebody comes or goes”."),
        ("final", "Ask the desk how it goes on."),
    ],
)
def test_a_table_says_who_has_left_and_whom_to_ask(kind: str, why: str) -> None:
    """In a final the next of the list may play instead: the desk decides."""
    assert () == said_of_left(kind, ())
    assert ["Ana has left the event, and has a seat at this table.", why] == [
        translator("en")(one) for one in said_of_left(kind, ("Ana",))
    ]
