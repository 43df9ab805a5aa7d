"""A signature is for one result: with another one the game is signed off again."""

from __future__ import annotations

import pytest
from lastnose.companion.core.errors import NotNow
from lastnose.companion.evening.events import (
    Amended,
    AnyEvent,
    Finished,
    Played,
    Redone,
    SignedOff,
    Started,
    Undone,
)
from lastnose.companion.evening.log import apply, fold
from lastnose.companion.evening.state import Evening

PLAYERS = ("North", "East", "South")


def started() -> Started:
    """A sheet of one round, on which the highest total wins."""
    lines = ("nose.1", "nose.2", "nose.3")
    return Started(
        by="hall", at=0, game="score-pad", players=PLAYERS, options={"rounds": 1}, lines=lines, call="e.1"
    )


def wrote(seat: int, points: int) -> Played:
    """*seat* has so many points."""
    return Played(by="host", at=1, move={"type": "score", "hand": 1, "seat": seat, "points": points})


def played(*more: AnyEvent) -> Evening:
    """Fold a game that East wins with 30, and that entry 5 has signed off; then *more*, from entry 6 on."""
    game = (started(), wrote(1, 10), wrote(2, 30), wrote(3, 20), SignedOff(by="host", at=2, of=1))
    return fold(enumerate((*game, *more), 1))


def signed(evening: Evening) -> list[tuple[bool, str]]:
    """Return for each game whether it is over, and who has signed it off."""
    return [(match.finished, match.signed_by) for match in evening.matches]


def test_who_takes_the_end_back_takes_the_signature_with_it() -> None:
    """South's points are written again: North and East need not have seen that. It can be signed off then."""
    back = Undone(by="host", at=3, of=4)
    assert [(True, "host")] == signed(played())
    assert [(False, "")] == signed(played(back))
    again = played(back, wrote(3, 40))
    assert [(True, "")] == signed(again)
    assert [(True, "host")] == signed(apply(again, 8, SignedOff(by="host", at=4, of=1)))
    again = played(back, Redone(by="host", at=3, of=4))
    assert [(True, "")] == signed(again), "also the same end is another one"


def test_a_game_that_was_ended_by_hand_and_goes_on_is_signed_off_at_its_real_end() -> None:
    """The end by hand was signed; North was ahead then, and is as long as nobody writes anything."""
    game = (started(), wrote(1, 10), Finished(by="host", at=2), SignedOff(by="host", at=2, of=1))
    goes_on = (Undone(by="host", at=3, of=3), wrote(2, 30), wrote(3, 20))
    assert [(True, "host")] == signed(fold(enumerate(game, 1)))
    assert [(False, "")] == signed(fold(enumerate((*game, goes_on[0]), 1)))
    assert [(True, "")] == signed(fold(enumerate((*game, *goes_on), 1)))


@pytest.mark.parametrize(("points", "by"), [(31, ""), (20, "host")])
def test_a_correction_after_the_signature_needs_another_one_if_points_change(points: int, by: str) -> None:
    """South had 20; whether by a correction of the entry or of the sheet."""
    cells = [{"seat": 3, "points": points}]
    on_sheet = Played(by="guest", at=3, move={"type": "correct", "hand": 1, "cells": cells})
    assert [(True, by)] == signed(played(on_sheet))
    move = {"type": "score", "hand": 1, "seat": 3, "points": points}
    assert [(True, by)] == signed(played(Amended(by="host", at=3, of=4, move=move)))


def test_an_older_game_keeps_its_signature_as_nobody_could_sign_it_again() -> None:
    """The next one has begun when South's 20 becomes 40; the hall counts the correction."""
    move = {"type": "score", "hand": 1, "seat": 3, "points": 40}
    evening = played(started(), Amended(by="host", at=3, of=4, move=move))
    assert [(True, "host"), (False, "")] == signed(evening)
    with pytest.raises(NotNow, match="The game is not over, or signed off already"):
        apply(evening, 8, SignedOff(by="host", at=4, of=1))
