"""Swedish Gin Rummy: the first hand of the source, and what minutes do not say of the sheet (SGR-1 to 11)."""

from __future__ import annotations

from functools import partial
from typing import Any

from lastnose.companion.games.sheet_game.state import CellCorrection, Correct, SheetState
from lastnose.companion.games.swedish_gin.game import GAME, Bought

from tests.support.sheets import fill, refusal

NAMES = ("North", "East", "South", "West", "Ann", "Ben", "Zoë", "Max")
write = partial(fill, GAME)
refused = partial(refusal, GAME)


def table(players: int = 4, **options: Any) -> SheetState:
    """Return an empty sheet."""
    return GAME.new(NAMES[:players], GAME.read_options({"exact_cut": True, **options}))


def test_sheet_has_fifteen_contracts_in_words() -> None:
    """SGR-2, with the purchases each needs at least."""
    lines = GAME.sheet(table()).lines
    assert 15 == len(lines)
    assert ("2 sets of 3", "5 runs of 3") == (str(lines[0].title), str(lines[11].title))
    assert {9: "at least 1 buy", 12: "at least 2 buys"} == {
        hand: str(lines[hand - 1].hint) for hand in (9, 12)
    }
    assert lines[0].hint is None


def test_first_hand_of_the_source_is_counted() -> None:
    """SGR-8: 0, 125 (not 115), 65 and 25."""
    state = write(
        table(),
        0,
        "3♥ 3♥ 3♠ K♥ K♦ 10♣ J♣ Q♣ K♣ A♣ 8♠ K♠ 2♦",
        "7♠ 7♣ 7♥ 7♦ 5♠ 6♠ 8♠ 9♠ J♥ J♥ 4♣",
        "9♦ 10♦ Q♦ 6♥",
    )
    assert (0, 125, 65, 25) == GAME.totals(state)
    assert ("9D", "10D", "QD", "6H") == GAME.sheet(state).lines[0].cells[3].pieces
    assert any("it is 125" in str(line) for section in GAME.help(state.options) for line in section.lines)


def test_closing_without_the_buys_a_contract_needs_is_noted() -> None:
    """SGR-2: written all the same: somebody may have forgotten to tap."""
    state = table(2)
    for _ in range(8):
        state = write(state, 0, 5)
    assert ["North must have bought more often than is written."] == [
        str(note) for note in GAME.sheet(write(state, 0, 5)).lines[8].notes
    ]
    assert () == GAME.sheet(write(GAME.play(state, Bought(9, 1)), 0, 5)).lines[8].notes


def test_who_can_still_win_counts_what_exact_cuts_may_bring() -> None:
    """305 a hand at most; the one who deals may still take 100 off."""
    state = table(2, exact_cut=False)
    for number in range(14):
        state = write(state, 0, 300 if number else 305)
    assert (2,) == GAME.cannot_win(state)
    with_cut = table(2)
    for number in range(13):
        with_cut = write(with_cut, 0, 60 if number else 190)
    # East is 910 behind with two hands to go: 610 for North at the worst, 100 off for East at best.
    assert ((0, 910), (2,)) == (GAME.totals(with_cut), GAME.cannot_win(with_cut))
    close = table(2)
    for number in range(13):
        close = write(close, 0, 50 if number else 110)
    # 710 behind: 610 more for North and 100 less for East make them equal, and equal is shared.
    assert ((0, 710), ()) == (GAME.totals(close), GAME.cannot_win(close))


def test_an_exact_cut_that_was_forgotten_is_written_later() -> None:
    """Also in a hand that is over; where it earns nothing it cannot be said."""
    state = write(write(table(), 0, 5, 5, 5), 5, 0, 5, 5)
    corrected = GAME.play(state, Correct(1, marks=("exact-cut",)))
    assert [(5, 5, 10, 10), (-95, 5, 10, 10)] == [GAME.totals(state), GAME.totals(corrected)]
    assert (5, 5, 10, 10) == GAME.totals(GAME.play(corrected, Correct(1, marks=())))
    plain = write(table(exact_cut=False), 0, 5, 5, 5)
    assert "cannot be said of a hand" in refused(plain, Correct(1, marks=("exact-cut",)))[1]


def test_a_corrected_hand_is_checked_against_two_packs() -> None:
    """SGR-1 and SGR-7 hold for what it should have been."""
    state = write(table(), 0, "KS KS", 5, 5)
    assert "SGR-7" == refused(state, Correct(1, (CellCorrection(3, points=7),)))[0]
    assert "SGR-1" == refused(state, Correct(1, (CellCorrection(3, pieces=("KS",)),)))[0]
    assert (0, 5, 10, 5) == GAME.totals(
        GAME.play(state, Correct(1, (CellCorrection(2, points=5), CellCorrection(3, pieces=("KS",)))))
    )
