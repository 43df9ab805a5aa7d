"""Random evenings, with comings and goings, corrections, undo and redo, against an umpire with a list."""

from __future__ import annotations

import pytest
from lastnose.companion.evening import log
from lastnose.companion.views.scoreboard import round_views
from lastnose.companion.views.statistics import figures_over

from tests.support.random_evenings import CALLS, MOVES, NOSES, Evenings, evening

# Evenings a game; those of a sheet of moves take a second each.
QUICK, HEAVY, QUICK_OF_MOVES, OF_MOVES = 10, 660, 4, 120


def played(game: str, seed: int) -> Evenings:
    """Play a random evening, and read its log again."""
    one = evening(game, seed)
    assert one.evening == log.fold(one.book.kept), "what the log says is what was shown"
    for view in round_views(one.evening):
        assert str(view.headline)
    got = one.umpire.account().got
    for person in figures_over((one.evening, one.evening)).players:
        assert (2, 2 * got[person.player]) == (person.games, person.letters), "twice over two evenings"
    return one


@pytest.mark.parametrize("game", [*NOSES, *MOVES, *CALLS])
def test_random_evenings_are_the_umpires(game: str) -> None:
    """What can be is done as he does it, and what cannot be is refused, foretold, and changes nothing."""
    found = [played(game, seed) for seed in range(QUICK_OF_MOVES if game in MOVES else QUICK)]
    assert sum(one.done for one in found) > 5 * sum(one.refused > 0 for one in found) > 0


@pytest.mark.heavy
@pytest.mark.parametrize("game", [*NOSES, *MOVES, *CALLS])
def test_many_more_evenings_are_the_umpires(game: str) -> None:
    """The same, for longer."""
    quick, heavy = (QUICK_OF_MOVES, OF_MOVES) if game in MOVES else (QUICK, HEAVY)
    for seed in range(quick, quick + heavy):
        played(game, seed)
