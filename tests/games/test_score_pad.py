"""The sheet for any other game: limits, notes, and what is said of rounds; the rest is in its minutes."""

from __future__ import annotations

from typing import Any

import pytest
from lastnose.companion.core.errors import BadInput, IllegalMove
from lastnose.companion.games import GAMES
from lastnose.companion.games.rules.prompts import EnterScore
from lastnose.companion.games.sheet_game.state import SheetState

GAME = GAMES["score-pad"]
THREE = ("North", "East", "South")


def played(*rounds: tuple[int | None, ...], end: bool = False, **options: Any) -> SheetState:
    """Return the sheet of THREE after *rounds*; None: not written."""
    state = GAME.new(THREE, GAME.read_options(options))
    for hand, row in enumerate(rounds, start=1):
        for seat, points in enumerate(row, start=1):
            if points is not None:
                move = {"type": "score", "hand": hand, "seat": seat, "points": points}
                state = GAME.play(state, GAME.read_move(move))
    if end:
        state = GAME.play(state, GAME.read_move({"type": "last-round", "hand": len(rounds) + 1}))
    return state


def totals(state: SheetState) -> list[int | None]:
    """Return everybody's total."""
    return [one.score for one in GAME.standings(state)]


def test_what_is_said_counts_rounds_and_never_hands() -> None:
    """In history, in its corrections, in what is refused, and of who leads."""
    state = played((5, -3, 0), (1, None, None))
    written = {"type": "score", "hand": 2, "seat": 2, "points": 7}
    corrected = {"type": "correct", "hand": 1, "cells": [{"seat": 1, "points": 6}]}
    said = [str(one) for one in GAME.notes(state)]
    said += [str(GAME.describe(state, GAME.read_move(move), state)) for move in (written, corrected)]
    for hand, seat, points in ((1, 1, 1), (3, 1, 1)):
        move = {"type": "score", "hand": hand, "seat": seat, "points": points}
        with pytest.raises(IllegalMove) as refused:
            GAME.play(played((5, -3, 0), (1, None, None), rounds=3), GAME.read_move(move))
        said.append(str(refused.value.text))
    assert said == [
        "Round 1: North leads by 5 points.",
        "Round 2, East: 7",
        "Round 1 corrected: North 6",
        "Round 1: North has 5 already. Correct that entry.",
        "Round 2 comes first: it is not complete.",
    ]


def test_a_correction_can_end_the_game_and_open_it_again() -> None:
    """The limit counts what stands, whoever wrote it."""
    over = played((90, 0, 0), limit=80)
    assert (1, None) == (len(over.cells), None if GAME.outcome(over) else 1)
    fix = {"type": "correct", "hand": 1, "cells": [{"seat": 1, "points": 9}]}
    on = GAME.play(over, GAME.read_move(fix))
    assert (2, [9, 0, 0]) == (len(on.cells), totals(on))
    back = {"type": "correct", "hand": 1, "cells": [{"seat": 1, "points": 80}]}
    assert GAME.outcome(GAME.play(on, GAME.read_move(back))) is not None


def test_a_note_stands_beside_its_points_and_stays_when_they_are_corrected() -> None:
    """A bid, a bonus: tidied, and at most 80 characters."""
    noted = {"type": "score", "hand": 1, "seat": 1, "points": -20, "note": "  bid   nil "}
    state = GAME.play(played(), GAME.read_move(noted))
    fix = {"type": "correct", "hand": 1, "cells": [{"seat": 1, "points": 20}]}
    state = GAME.play(state, GAME.read_move(fix))
    sheet = GAME.sheet(state)
    assert sheet is not None
    assert (20, ["“bid nil”"]) == (
        sheet.lines[0].cells[0].points,
        [str(note) for note in sheet.lines[0].cells[0].notes],
    )
    chicken = GAMES["chickenfoot"]
    other = chicken.new(THREE, chicken.read_options({}))
    kept = chicken.play(other, chicken.read_move({**noted, "points": 20}))
    assert "" == kept.cells[0][0].note  # only where notes are asked for


def test_points_and_options_have_their_limits() -> None:
    """9999 either way; whole numbers; a limit is one, too."""
    ask = next(ask for ask in GAME.asks(played()) if isinstance(ask, EnterScore))
    assert (-9999, 9999, (), True) == (ask.least, ask.most, ask.pieces, ask.noted)
    with pytest.raises(IllegalMove, match="Points go from −9999 to 9999"):
        played((10_000,))
    with pytest.raises(IllegalMove, match="Points go from −9999 to 9999"):
        played((-10_000,))
    for wrong in (-1, 100_001, 2.5, "many", True):
        with pytest.raises(BadInput, match="the option “limit” is a whole number from 0 to 100000, not"):
            GAME.read_options({"limit": wrong})
    with pytest.raises(BadInput, match="say the points"):
        GAME.play(played(), GAME.read_move({"type": "score", "hand": 1, "seat": 1, "pieces": ["AH"]}))
