"""Somebody comes or goes between two rounds: letters stay, who comes has as many as whoever has most."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput, IllegalMove, NotNow
from lastnose.companion.core.model import Edge, Levels
from lastnose.companion.evening import log
from lastnose.companion.evening.commands import (
    Amend,
    Arm,
    Bind,
    Import,
    LeaveOut,
    Play,
    Protest,
    Redo,
    Regroup,
    Start,
    Undo,
    Void,
)
from lastnose.companion.evening.state import Evening
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table
from lastnose.companion.timing import Settings

from tests.table.test_table import FOUR, NOSES, Box

LINES = tuple(f"nose.{number}" for number in range(1, 7))


def table(game: str, *players: str, **options: Any) -> Table:
    """Return a table at which *game* has begun."""
    made = Table(MemoryStore(), LINES, simulated=True, wall_s=lambda: 1.0)
    made.execute(Start(game, players, options), "host")
    return made


def letters(made: Table) -> dict[str, str]:
    """Return everybody's letters by name."""
    return {row.player: "".join(row.letters) for row in made.snapshot.rows}


def early(made: Table, *seats: int) -> None:
    """Give a letter to each of *seats*, as to whoever touched too early."""
    for seat in seats:
        made.execute(Play({"type": "false-opener", "seat": seat}), "host")


def test_who_stays_keeps_name_and_nose_however_it_is_written_now() -> None:
    """Björn goes, so nose 2 is free; in capitals, and with ë as two signs, Ines and Zoë stay at theirs."""
    made = table("pig", "Ana", "Björn", "Ines", "Zo\u00eb", "Dima")
    made.execute(Regroup(("Ana", "INES", "Zoe\u0308", "Dima")), "host")
    assert {"Ana": "nose.1", "Ines": "nose.3", "Zo\u00eb": "nose.4", "Dima": "nose.5"} == {
        row.player: row.line for row in made.snapshot.rows
    }
    assert "Björn goes." == str(made.queries.rounds()[-1].headline)


def write(made: Table, hand: int, *points: int) -> None:
    """Write a whole hand, by seat."""
    for seat, left in enumerate(points, start=1):
        made.execute(Play({"type": "score", "hand": hand, "seat": seat, "points": left}), "host")


@pytest.mark.parametrize("kind", ["score", "correct"])
def test_a_number_that_was_on_its_way_as_somebody_left_is_written_for_nobody_else(kind: str) -> None:
    """North goes, and South has East's seat: what was sent for that is refused, then and in the next game.

    What others wrote meanwhile is no reason to refuse anything.
    """
    made = table("score-pad", "North", "East", "South", "West")

    def sent(hand: int, seat: int, points: int) -> Play:
        cell = {"seat": seat, "points": points}
        move = {"hand": hand, **cell} if kind == "score" else {"hand": hand, "cells": [cell]}
        return Play({"type": kind, **move}, seq=made.snapshot.seq)

    if kind == "correct":
        write(made, 1, 9, 9, 9, 9)
    for one in [sent(1, seat, 10 * seat) for seat in (4, 2, 1, 3)]:
        made.execute(one, "host")
    assert [10, 20, 30, 40] == [row.score for row in made.snapshot.rows]
    of_east = sent(2 if kind == "score" else 1, 2, 21)
    made.execute(Regroup(("East", "South", "West")), "host")
    stood = [row.score for row in made.snapshot.rows]
    for _ in range(2):
        with pytest.raises((NotNow, IllegalMove), match="That has just changed"):
            made.execute(of_east, "host")
        assert stood == [row.score for row in made.snapshot.rows]
        made.execute(Start("score-pad", ("A", "B", "C"), {}), "host")
        stood = [0, 0, 0]


@pytest.mark.parametrize("way", ["by the sheet", "of the entry"])
def test_a_latecomer_begins_with_what_a_corrected_hand_says_whichever_way_it_is_corrected(way: str) -> None:
    """0, 10 and 4 are 14, and a third of them is 5; 0, 10 and 50 are 60, and a third is 20.

    Eva comes after two hands, in which the four had 39, later 100: a quarter of it is 10, later 25. What
    people said themselves in place of a start stays, and counts for others.
    """
    made = table("score-pad", "Ana", "Björn", "Ines")
    write(made, 1, 0, 10, 4)
    third = 4  # the game began with 1
    made.execute(Regroup(("Ana", "Björn", "Ines", "Zoë")), "host")
    assert {"Ana": 0, "Björn": 10, "Ines": 4, "Zoë": 5} == scores(made)
    write(made, 2, 5, 0, 10, 5)
    made.execute(Regroup(("Björn", "Ines", "Zoë", "Eva", "Ana")), "host")
    assert 10 == scores(made)["Eva"], "5, 10, 14 and 10 are 39"
    if way == "by the sheet":
        fixed = {"type": "correct", "hand": 1, "cells": [{"seat": 2, "points": 50}]}
        made.execute(Play(fixed), "host")
    else:
        made.execute(Amend(third, {"type": "score", "hand": 1, "seat": 3, "points": 50}), "host")
    assert {"Ana": 5, "Björn": 10, "Ines": 60, "Zoë": 25, "Eva": 25} == scores(made)
    said = {"type": "correct", "hand": 1, "cells": [{"seat": 3, "points": 40}]}
    made.execute(Play(said), "host")
    assert {"Ana": 5, "Björn": 10, "Ines": 60, "Zoë": 45, "Eva": 30} == scores(made), "a quarter of 120"
    made.execute(Play({"type": "correct", "hand": 1, "cells": [{"seat": 2, "points": 10}]}), "host")
    assert {"Ana": 5, "Björn": 10, "Ines": 20, "Zoë": 45, "Eva": 20} == scores(made), "a quarter of 80"


def test_a_sheet_with_comings_is_read_back_from_its_file_with_the_same_totals() -> None:
    """The file has the people of now, all hands, and what was given for those that somebody missed."""
    made = table("swedish-gin", "Ana", "Björn", "Ines")
    write(made, 1, 0, 10, 15)
    made.execute(Regroup(("Björn", "Ines", "Zoë")), "host")
    write(made, 2, 5, 0, 5)
    file = json.loads(made.queries.sheet_json())
    other = Table(MemoryStore(), ("nose.1", "nose.2", "nose.3"), simulated=True, wall_s=lambda: 1.0)
    other.execute(Import(file), "host")
    assert scores(made) == scores(other) == {"Björn": 15, "Ines": 15, "Zoë": 18}


def scores(made: Table) -> dict[str, int | None]:
    """Return everybody's score."""
    made.publish()
    return {row.player: row.score for row in made.snapshot.rows}


def test_too_few_are_refused() -> None:
    """Two are no circle (PIG-1)."""
    made = table("pig", "Ana", "Björn", "Ines")
    with pytest.raises(BadInput, match="3 to 26 players, not 2"):
        made.execute(Regroup(("Ana", "Björn")), "host")
    assert 1 == made.snapshot.game_no


@pytest.mark.parametrize("comes", ["Eva, Farid", "Eva;Farid", " Eva \n Farid\n", "Eva\tFarid,,"])
def test_a_list_of_who_comes_is_several_people(comes: str) -> None:
    """As it is typed or pasted; who sits there already stays one, whatever the name looks like."""
    made = table("pig", "Ana", "Björn", "O, Ines")
    made.execute(Regroup(("Ana", "O, Ines", comes)), "host")
    assert ["Ana", "O, Ines", "Eva", "Farid"] == players(made)


def test_a_newcomer_without_a_name_is_refused() -> None:
    """Not passed over: the seat is named."""
    made = table("pig", "Ana", "Björn", "Ines")
    with pytest.raises(BadInput, match="Seat 4 needs a name"):
        made.execute(Regroup(("Ana", "Björn", "Ines", " ")), "host")


def players(made: Table) -> list[str]:
    """Return who sits at the table, by seats."""
    return [row.player for row in made.snapshot.rows]


def offered(made: Table) -> tuple[str | None, str | None]:
    """Return what undo and redo would do, as the host reads it."""
    undo, redo = made.snapshot.undo, made.snapshot.redo
    return str(undo.says) if undo else None, str(redo.says) if redo else None


def test_undo_brings_back_who_went_and_redo_lets_them_go_again() -> None:
    """Letters, noses and the deal are as they were; history says what happened, once."""
    made = table("pig", "Ana", "Björn", "Ines", "Dima")
    early(made, 2, 2, 3)
    made.execute(Regroup(("Ana", "Ines", "Dima", "Zoë")), "host")
    assert ("Zoë comes. Björn goes.", None) == offered(made)
    made.execute(Undo(None), "host")
    assert {"Ana": "", "Björn": "PI", "Ines": "P", "Dima": ""} == letters(made)
    assert ["nose.1", "nose.2", "nose.3", "nose.4"] == [row.line for row in made.snapshot.rows]
    assert ["Dima"] == [row.player for row in made.snapshot.rows if row.dealer]
    assert "Zoë comes. Björn goes." == offered(made)[1]
    made.execute(Redo(None), "host")
    assert {"Ana": "", "Ines": "P", "Dima": "", "Zoë": "P"} == letters(made)
    listed = [(view.game, str(view.headline)) for view in made.queries.rounds()]
    assert (1, "Zoë comes. Björn goes.") == listed[-1]
    assert "The game was ended here." not in dict(listed).values()


def test_who_came_and_got_a_letter_since_did_come() -> None:
    """The history refuses that they never came, and says why; the host's undo takes step after step."""
    made = table("pig", "Ana", "Björn", "Ines")
    early(made, 1)
    made.execute(Regroup(("Ana", "Björn", "Ines", "Zoë")), "host")
    came = made.snapshot.undo
    early(made, 4)
    assert came is not None
    written = made.record.store.newest()
    with pytest.raises(NotNow, match="does not fit what was played afterwards: Zoë does not sit there"):
        made.execute(Undo(came.seq), "host")
    assert ["Ana", "Björn", "Ines", "Zoë"] == players(made)
    assert written == made.record.store.newest(), "refused before anything is written"
    made.execute(Undo(None), "host")
    assert "Zoë comes." == offered(made)[0]
    made.execute(Undo(None), "host")
    assert ["Ana", "Björn", "Ines"] == players(made)


@pytest.mark.parametrize("touched", [False, True])
def test_who_never_came_is_taken_back_where_the_table_has_armed_since(touched: bool) -> None:
    """It was armed for Zoë, too, and North may have brushed a nose: a void round is nothing to anybody."""
    box = Box()
    box.do(Start("pig", FOUR))
    box.round(2, 3, 4, 1)
    came = box.do(Regroup((*FOUR, "Zoë"))).undo.seq
    box.wait(3_100)
    assert "armed" == box.shown()[0]
    if touched:
        box.edge(1, 1)
        box.wait(30)
        box.do(Void("only brushed"))
        box.edge(1, 0)
        box.wait(3_100)
    box.do(Undo(came))
    assert [*FOUR] == players(box.table)
    assert "P" == letters(box.table)["North"]
    assert box.table.record.evening == log.fold(box.table.record.store.events())
    box.do(Redo(came))
    assert "P" == letters(box.table)["Zoë"]


@pytest.mark.parametrize("undone", [False, True])
def test_a_correction_that_ends_the_game_under_a_touch_voids_that_round_and_is_done(undone: bool) -> None:
    """West was out with round 2, or was it nobody? While East touches they agree: West."""
    box = Box()
    box.do(Start("pig", FOUR, {"word": "X"}))
    box.round(2, 3, 4, 1)
    box.round(2, 3, 4)
    assert "won" == box.shown()[0]
    second = box.table.queries.last_judged()
    box.do(Amend(second, {"type": "void"}))
    box.wait(3_100)
    box.edge(2, 1)
    box.wait(30)
    box.do(Undo() if undone else Amend(second, {"type": "last", "seats": [4]}))
    assert ("won", "X") == (box.shown()[0], letters(box.table)["West"])
    told = [(view.number, view.void) for view in box.table.queries.rounds() if view.number]
    assert [(1, False), (2, False), (3, True)] == told
    box.edge(2, 0)
    box.wait(3_100)
    assert "won" == box.shown()[0]
    assert box.table.record.evening == log.fold(box.table.record.store.events())


def test_rounds_are_counted_on() -> None:
    """Two games, a circle of three and then of four: each knows its number."""
    made = table("magarac", "Ana", "Björn", "Ines")
    made.execute(Start("pig", ("Ana", "Björn", "Ines")), "host")
    made.execute(Regroup(("Ana", "Björn", "Ines", "Zoë")), "host")
    made.execute(Regroup(("Björn", "Ana", "Ines", "Zoë")), "host")
    assert 2 == made.snapshot.game_no
    assert [2, 2] == [view.game for view in made.queries.rounds() if view.game > 1]
    assert "The same people, in other seats." == offered(made)[0]
    assert [1, 2] == [game.number for game in made.queries.statistics().games]


def test_every_screen_says_who_came_and_with_what() -> None:
    """Before the first deal in the new circle."""
    made = table("pig", "Ana", "Björn", "Ines")
    early(made, 1)
    made.execute(Regroup(("Ana", "Ines", "Zoë")), "host")
    assert "Ready to deal" == str(made.snapshot.headline)
    assert "Zoë comes. Björn goes." == str(made.snapshot.proof[0])


def test_who_came_is_what_was_said_last_also_where_the_host_has_the_cards_dealt() -> None:
    """So the big screen says who came, with which letters, and which cards are to be dealt to them."""
    made = table("pig", "Ana", "Boris", "Ines", "Zoë")
    early(made, 1)
    made.execute(Regroup(("Ana", "Boris", "Ines", "Zoë", "Dima")), "host")
    shown = made.snapshot
    assert "ready" == shown.phase
    assert shown.last_round is not None
    assert ("ready", "Dima comes.") == (shown.last_round.phase, str(shown.last_round.headline))
    assert ["Dima: P"] == [str(line) for line in shown.last_round.proof]


def test_a_circle_that_went_on_before_anything_was_played_begins_a_game_of_its_own() -> None:
    """No table writes that; a log that says it is read all the same."""
    made = table("pig", "Ana", "Björn", "Ines")
    early(made, 2)
    made.execute(Regroup(("Ana", "Björn", "Ines", "Zoë")), "host")
    carried = made.record.evening.matches[-1].started
    three = ("Ana", "Björn", "Ines")
    first = msgspec.structs.replace(carried, players=three, lines=carried.lines[:3], carried=None)
    evening = log.apply(log.apply(Evening(), 1, first), 2, carried)
    assert [(1, ()), (2, ())] == [(match.number, match.circle_before) for match in evening.matches]


def test_no_correction_of_who_came() -> None:
    """There is nothing in it to correct: it is taken back, or put back."""
    made = table("pig", "Ana", "Björn", "Ines")
    made.execute(Regroup(("Ana", "Björn", "Ines", "Zoë")), "host")
    came = made.snapshot.undo
    assert came is not None
    with pytest.raises(BadInput, match="cannot be corrected"):
        made.execute(Amend(came.seq, {"type": "void"}), "host")


def test_who_was_out_before_somebody_came_cannot_be_last_after_it() -> None:
    """Word X: South out, Eva comes, Eva out: that it was North in round 1 is refused, who was in round 2."""
    box = Box()
    box.do(Start("pig", FOUR, {"word": "X"}))
    box.round(1, 2, 4, 3)
    entry = box.table.record.evening.matches[0].entries[-1].seq
    box.do(Regroup((*FOUR, "Eva")))
    box.wait(3_100)
    box.round(1, 2, 4, 5)
    box.table.publish()
    assert {"Eva", FOUR[2]} == {row.player for row in box.table.snapshot.rows if row.out}
    written = box.table.record.store.newest()
    with pytest.raises(IllegalMove, match=f"Round 2: {FOUR[0]} is out already") as refused:
        box.do(Amend(entry, {"type": "last", "seats": [1]}))
    assert "PIG-5" == refused.value.rule
    assert written == box.table.record.store.newest()


def test_a_round_that_was_to_be_armed_once_more_is_none_when_another_game_begins() -> None:
    """Who regroups has a finger on a nose that the sources have not told yet: nothing is armed over it."""
    spoons = tuple(f"spoon.{n}" for n in range(1, 4))
    box = Box(settings=Settings(rearm_ns=500_000_000))
    box.table.feed(Levels({**dict.fromkeys(NOSES, 0), **dict.fromkeys(spoons, 1)}, box.now_ns, "gpio"))
    box.do(Start("spoons", FOUR))
    box.wait(1_000)
    box.now_ns += 1_000_000_000
    box.table.feed(Edge(box.now_ns - 20_000_000, "gpio", "nose.1", 1, 1_000))
    box.do(Regroup(("East", "North", "South", "West")))
    box.wait(100)
    box.do(Start("pig", FOUR, rearm_s=None))
    box.edge(1, 0)
    box.wait(2_000)
    assert "ready" == box.shown()[0]
    box.do(Arm())
    box.wait(100)
    for number in (1, 2, 3, 4):
        box.edge(number, 1)
    box.wait(100)
    assert ("verdict", "West was last: P") == box.shown()


def test_a_round_that_is_armed_is_armed_again_when_it_is_corrected_who_sits_where() -> None:
    """It was asked of the wrong people: power that is cut in the new one leaves that void, not nothing."""
    box = Box()
    box.do(Start("pig", FOUR))
    box.wait(10)
    box.do(Amend(1, {"type": "seats", "players": ["East", "North", "South", "West"]}))
    box.wait(200)
    assert "armed" == box.shown()[0]
    box.edge(1, 1)
    box.wait(10)
    with pytest.raises(NotNow, match="A round is under way"):
        box.do(Amend(1, {"type": "seats", "players": list(FOUR)}))
    again = Table(box.store, NOSES, wall_s=lambda: 100.0)
    assert ["RoundArmed", "RoundJudged", "Amended", "RoundArmed", "RoundJudged"] == box.kinds()[1:]
    assert again.queries.rounds()[-1].void


@pytest.mark.parametrize("game", ["pig", "quiz", "reaction-duel"])
def test_who_was_left_out_is_nobody_once_it_is_taken_back_who_sits_where(game: str) -> None:
    """Seat 4 is left out, and goes again; also while a round waits to be armed without it."""
    for asks in (False, True):
        box = Box()
        box.do(Start(game, FOUR[:3], rearm_s=None))
        box.do(Regroup(FOUR))
        box.do(LeaveOut((4,)))
        if asks:
            box.do(Arm())
        box.do(Undo())
        box.wait(10)
        assert [False] * 3 == [row.aside for row in box.table.publish().rows]
        box.do(Arm())
        box.wait(6_500)
        assert box.table.rounds.armed is not None
        assert (1, 2, 3) == box.table.rounds.armed.seats


def test_another_is_not_left_out_where_it_is_taken_back_who_sits_where() -> None:
    """West in seat 1 was; the seat is North's again."""
    box = Box()
    box.do(Start("pig", FOUR, rearm_s=None))
    box.do(Regroup(("West", "North", "East", "South")))
    box.do(LeaveOut((1,)))
    box.do(Undo())
    assert [False] * 4 == [row.aside for row in box.table.publish().rows]


def test_a_round_has_its_tape_though_sitting_down_as_before_was_taken_back() -> None:
    """The circle is the same: the round armed before ends, and the next one can be protested."""
    box = Box()
    box.do(Start("pig", FOUR[:3], rearm_s=None))
    box.do(Regroup(FOUR[:3]))
    box.do(Arm())
    box.wait(500)
    box.do(Undo())
    box.do(Arm())
    box.wait(500)
    box.round(1, 2, 3)
    box.do(Protest())
    assert "Protested" == box.kinds()[-1]


def test_noses_that_a_bind_has_numbered_are_their_players_again_where_a_quiz_goes_on() -> None:
    """It was over; the host begins to bind, then takes the ruling back: nose 5 is nobody's of the three."""
    box = Box()
    box.do(Start("quiz", FOUR[:3], {"questions": 1}, rearm_s=None))
    box.do(Arm())
    box.wait(500)
    box.round(1)
    box.do(Play({"type": "ruled", "value": "right"}))
    box.do(Bind(1))
    box.do(Undo())
    box.wait(8_000)
    box.round(5)
    assert ("verdict", "North was first") == box.shown()


def test_nobody_is_left_out_while_a_signal_is_on_its_way() -> None:
    """It would be shown, and not be so."""
    box = Box()
    box.do(Start("reaction-duel", FOUR, rearm_s=None))
    box.do(Arm())
    with pytest.raises(NotNow):
        box.do(LeaveOut((4,)))
    assert [False] * 4 == [row.aside for row in box.table.publish().rows]
