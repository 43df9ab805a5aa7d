"""Who sat where is an entry like any other: corrected, it takes what the noses there did with it."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput, IllegalMove, NotNow
from lastnose.companion.core.model import Press, Verdict
from lastnose.companion.evening import log
from lastnose.companion.evening.commands import Amend, Play, Redo, Regroup, Rename, Start, Undo
from lastnose.companion.evening.events import Amended, RoundJudged, Started
from lastnose.companion.evening.people import placed
from lastnose.companion.evening.state import Correction, Entry, LodgedProtest
from lastnose.companion.games.rules.prompts import ChooseSeat

from tests.table.test_regroup import early, letters, offered, players, table
from tests.table.test_table import FOUR, Box

NORTH, EAST, SOUTH, WEST = FOUR


def test_who_really_sat_at_a_nose_gets_what_it_was_last_with_and_who_was_named_keeps_that() -> None:
    """Nose 1 was last, and North was said to be too early: in truth they sat the other way round."""
    box = Box()
    box.do(Start("pig", FOUR))
    box.round(2, 3, 4, 1)
    box.do(Play({"type": "false-opener", "seat": 1}))
    assert {NORTH: "PI", EAST: "", SOUTH: "", WEST: ""} == letters(box.table)
    seated = box.table.queries.rounds()[0].seated
    box.do(Amend(seated, {"type": "seats", "players": [EAST, NORTH, SOUTH, WEST]}))
    assert {NORTH: "P", EAST: "P", SOUTH: "", WEST: ""} == letters(box.table)
    assert [EAST, NORTH, SOUTH, WEST] == players(box.table)
    assert ["East was last: P", "North gets a letter: P"] == [
        str(view.headline) for view in box.table.queries.rounds()
    ]
    assert box.table.record.evening == log.fold(box.table.record.store.events())
    assert ("the correction of who sat where", None) == offered(box.table)
    box.do(Undo())
    assert {NORTH: "PI", EAST: "", SOUTH: "", WEST: ""} == letters(box.table)
    box.do(Redo())
    assert {NORTH: "P", EAST: "P", SOUTH: "", WEST: ""} == letters(box.table)


def test_undo_says_what_was_corrected_where_it_is_no_round() -> None:
    """North was too early, and then it was East: no "correction of round 0"."""
    box = Box()
    box.do(Start("pig", FOUR))
    box.do(Play({"type": "false-opener", "seat": 1}))
    said = box.table.queries.rounds()[-1].seq
    box.do(Amend(said, {"type": "false-opener", "seat": 2}))
    assert ("the correction: East gets a letter: P", None) == offered(box.table)


def test_a_round_of_a_circle_that_never_was_keeps_its_tape_and_its_appeal() -> None:
    """East and North changed seats, or so one thought, and North was last; in truth they had not."""
    box = Box()
    box.do(Start("pig", FOUR))
    box.wait(3_200)
    box.do(Regroup((EAST, NORTH, SOUTH, WEST)))
    box.wait(3_200)
    box.round(2, 3, 4, 1)
    queries = box.table.queries
    changed, judged = (view.seq for view in queries.rounds())

    def told() -> tuple[str, str, str]:
        header, *lines = map(json.loads, queries.tape(judged).splitlines())
        slow = [line["line"] for line in lines if line.get("level") == 1][-1]
        last = header["players"][int(slow.removeprefix("nose.")) - 1]
        again = queries.appeal(judged, 1_000_000, 20_000_000)
        return last, str(queries.round(judged).headline), str(again.headline)

    assert (NORTH, "North was last: P", "North was last: P") == told()
    box.do(Undo(changed))
    assert (NORTH, "North was last: P", "North was last: P") == told()
    assert (2,) == queries.judged_again(judged).last, "by the seats of then, as it was judged"
    box.do(Redo(changed))
    box.do(Amend(changed, {"type": "seats", "players": list(FOUR)}))
    assert (EAST, "East was last: P", "East was last: P") == told()
    box.do(Undo(changed))
    assert (EAST, "East was last: P", "East was last: P") == told()


def in_truth(told: Any, of: str = "") -> Any:
    """Return *told*, JSON with seats under these names, where 1, 2, 3 in truth sat at 2, 3, 1."""
    if isinstance(told, dict):
        return {name: in_truth(one, name) for name, one in told.items()}
    if isinstance(told, list):
        found = [in_truth(one, of) for one in told]
        return sorted(found) if of in ("last", "first", "left_out") else found
    seats = ("seat", "seats", "left_out", "order", "last", "first", "unseen", "asked")
    return told % 3 + 1 if of in seats else told


def test_all_that_is_known_of_a_round_is_told_by_the_seats_where_people_sat_in_truth() -> None:
    """Whoever pressed, was asked, was too early or left out, in what was judged and whatever came of that."""
    one, three = Press(1, 7, 10, "gpio"), Press(3, 9, 10, "gpio")
    verdict = Verdict(
        order=(1, 3),
        last=(3, 2),
        first=(1, 3),
        presses=(one, three),
        phantoms=(three,),
        early=(one,),
        unseen=(2,),
        asked=(1, 3),
    )
    protest = LodgedProtest("host", 3.0, "No.", verdict)
    correction = Correction(8, "host", {"type": "last", "seats": [1, 3]}, circle=(1, 2, 3))
    entry = Entry(
        seq=7,
        by="box",
        at=1.0,
        verdict=verdict,
        withdrawn=verdict,
        contest=verdict,
        protest=protest,
        seats=(3, 1),
        left_out=(2, 3),
        corrections=(correction,),
        under=5,
        circle=(1, 2, 3),
    )
    (match,) = log.fold(
        [(1, Started(by="host", at=0.0, game="pig", players=("C", "A", "B"), options={}, lines=("", "", "")))]
    ).matches
    match = msgspec.structs.replace(match, circle=(3, 1, 2))
    found = placed(entry, match, {5: (1, 2, 3)}, ("A", "B", "C"))
    assert entry == found.origin
    found = msgspec.structs.replace(found, origin=None)
    written, told = (json.loads(msgspec.json.encode(one)) for one in (entry, found))
    assert in_truth(written) == told
    match = msgspec.structs.replace(match, circle=(3, 1, 4))  # who was left out did not sit there at all
    entry = Entry(seq=7, by="box", at=1.0, seats=(3, 1), left_out=(2,), under=5)
    found = placed(entry, match, {5: (1, 2, 3)}, ("A", "B", "C", "D"))
    assert ((1, 2), ()) == (found.seats, found.left_out)


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["Ana", "Björn"], "each of the 3 seats"),
        (["Ana", " ", "Ines"], "each of the 3 seats"),
        (["Ana", "ana", "Ines"], "nobody twice"),
    ],
)
def test_seats_that_cannot_be_are_refused(names: list[str], why: str) -> None:
    """One name a seat."""
    made = table("pig", "Ana", "Björn", "Ines")
    early(made, 1)
    seated = made.queries.rounds()[0].seated
    with pytest.raises(BadInput, match=why):
        made.execute(Amend(seated, {"type": "seats", "players": names}), "host")
    with pytest.raises(BadInput, match="cannot be corrected"):
        made.execute(Amend(seated, {"type": "void"}), "host")
    with pytest.raises(BadInput, match="no entry 1 this evening"):
        made.execute(Undo(seated), "host")


def test_nobody_was_last_where_the_rack_alone_tells() -> None:
    """Spoons, rack only: the box named Ana, and nobody knows it: the table is asked who has none."""
    begun = Started(
        by="host",
        at=0.0,
        game="spoons",
        players=("Ana", "Björn", "Ines"),
        options={"confirm": "rack-only"},
        lines=("", "", ""),
    )
    judged = RoundJudged(
        by="box", at=1.0, verdict=Verdict(last=(1,)), confirm_ns=1_000_000, lockout_ns=20_000_000
    )
    nobody = Amended(by="host", at=2.0, of=2, move={"type": "last", "seats": []})
    match = log.fold(enumerate((begun, judged, nobody), 1)).match
    assert match is not None
    assert ["no-spoon"] == [ask.move for ask in match.asks if isinstance(ask, ChooseSeat)]


def test_somebody_is_called_otherwise_all_evening() -> None:
    """In both games, in what was said, and also after undo; nobody takes the name of somebody else."""
    made = table("pig", "Ana", "Björn", "Ines")
    early(made, 1)
    made.execute(Regroup(("Ana", "Björn", "Ines", "Zoë")), "host")
    made.execute(Rename("Ana", "Anna"), "host")
    assert {"Anna": "P", "Björn": "", "Ines": "", "Zoë": "P"} == letters(made)
    assert "Anna gets a letter: P" == str(made.queries.rounds()[0].headline)
    assert made.record.evening == log.fold(made.record.store.events())
    with pytest.raises(BadInput, match="“zoë” is there already"):
        made.execute(Rename("Anna", "zoë"), "host")
    with pytest.raises(BadInput, match="Nobody is called Ana"):
        made.execute(Rename("Ana", "Anja"), "host")
    with pytest.raises(BadInput, match="Type a name first"):
        made.execute(Rename("Anna", " "), "host")
    made.execute(Undo(), "host")
    assert ["Anna", "Björn", "Ines"] == players(made)


def test_who_plays_in_a_hall_is_called_otherwise_at_its_desk_alone() -> None:
    """The hall knows its people by their names; Zoë, who came for the table's own game, is none of them."""
    made = table("pig", "Ana", "Björn", "Ines")
    made.execute(Start("pig", ("Ana", "Björn", "Ines"), call="7.1.x"), "host")
    with pytest.raises(NotNow, match="ana plays in a hall: names are changed at its desk"):
        made.execute(Rename("ana", "Anna"), "host")
    made.execute(Start("pig", ("Ana", "Zoë", "Ines")), "host")
    made.execute(Rename("Zoë", "Zoe"), "host")
    assert ["Ana", "Zoe", "Ines"] == players(made)


def test_an_exact_cut_goes_and_comes_back_with_who_lifted_the_cards() -> None:
    """SGR-10: Ana dealt hand 1 and lifted exactly. While she is away nobody has it, or can be given it."""
    made = table("swedish-gin", "Ana", "Björn", "Ines", exact_cut=True)
    made.execute(Play({"type": "exact-cut", "hand": 1}), "host")
    for seat, points in ((1, 20), (2, 0), (3, 10)):
        made.execute(Play({"type": "score", "hand": 1, "seat": seat, "points": points}), "host")
    assert [-80, 0, 10] == [row.score for row in made.snapshot.rows]
    made.execute(Regroup(("Björn", "Ines")), "host")
    assert [0, 10] == [row.score for row in made.snapshot.rows]
    marked = {"type": "correct", "hand": 1, "cells": [], "marks": ["exact-cut"]}
    with pytest.raises(IllegalMove, match="does not sit here any more"):
        made.execute(Play(marked), "host")
    made.execute(Regroup(("Ines", "Ana", "Björn")), "host")
    assert [10, -80, 0] == [row.score for row in made.snapshot.rows]
    made.execute(Play({**marked, "marks": []}), "host")
    assert [10, 20, 0] == [row.score for row in made.snapshot.rows]
    made.execute(Play(marked), "host")
    assert [10, -80, 0] == [row.score for row in made.snapshot.rows]
