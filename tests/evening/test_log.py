"""The evening as the fold of its events: undo, redo, amend, and what does not fit."""

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput, CompanionError, NotNow
from lastnose.companion.core.model import Press, Verdict
from lastnose.companion.core.text import text
from lastnose.companion.evening.events import (
    DECODER,
    ENCODER,
    Agreed,
    Amended,
    AnyEvent,
    Finished,
    Played,
    RoundJudged,
    Started,
    Undone,
)
from lastnose.companion.evening.log import apply, check_agreeing, fold
from lastnose.companion.evening.state import Evening, effective_move

PLAYERS = ("North", "East", "South", "West")
LINES = ("nose.1", "nose.2", "nose.3", "nose.4")


def started(**options: object) -> Started:
    """A game of Pig among four."""
    return Started(by="host", at=0.0, game="pig", players=PLAYERS, options=dict(options), lines=LINES)


def judged(last: int, void: bool = False) -> RoundJudged:
    """A round in which *last* was last (seats 1 to 4 pressed in order, *last* at the end)."""
    order = (*(s for s in (1, 2, 3, 4) if s != last), last)
    presses = tuple(Press(seat, n * 1_000_000, 1_000, "gpio") for n, seat in enumerate(order))
    verdict = Verdict(order, (last,), 1_000_000, 2_000, presses=presses)
    if void:
        verdict = Verdict(order, void=text("The table said so."), presses=presses)
    return RoundJudged(by="box", at=1.0, verdict=verdict, confirm_ns=1_000_000, lockout_ns=20_000_000)


def evening_of(*events: AnyEvent) -> Evening:
    """Fold *events*, numbered from 1."""
    return fold(enumerate(events, 1))


def letters(evening: Evening) -> tuple[str, ...]:
    """Everybody's letters."""
    assert evening.match is not None
    return tuple("".join(s.letters) for s in evening.match.now.standings)


def test_a_correction_names_seats_of_the_table() -> None:
    """Seat 9 is none."""
    evening = evening_of(started(), judged(3))
    with pytest.raises(BadInput, match="numbers from 1 to 4"):
        apply(evening, 3, Amended(by="host", at=2.0, of=2, move={"type": "last", "seats": [9]}))


def test_an_entry_that_does_not_exist_cannot_be_undone() -> None:
    """Nor twice."""
    evening = evening_of(started(), judged(3))
    with pytest.raises(BadInput, match="no entry 77"):
        apply(evening, 3, Undone(by="host", at=2.0, of=77))
    evening = apply(evening, 3, Undone(by="host", at=2.0, of=2))
    with pytest.raises(BadInput, match="that way already"):
        apply(evening, 4, Undone(by="host", at=2.0, of=2))


def test_every_event_survives_its_json() -> None:
    """What is written can be read, with the judgement's raw inputs."""
    from lastnose.companion.core.model import Edge, Gap, Levels, Watermark

    inputs = (
        Levels({"nose.1": 1}, 1, "gpio"),
        Edge(2, "gpio", "nose.2", 1, 1_000, 5),
        Gap(3, 4, "gpio"),
        Watermark(9, "gpio"),
    )
    event = RoundJudged(
        by="box", at=1.5, verdict=Verdict((2,), (1,), None, 2), confirm_ns=1, lockout_ns=2, inputs=inputs
    )
    for each in (event, started(word="ŽABA"), Amended(by="x", at=1.0, of=2, move={"type": "void"})):
        assert DECODER.decode(ENCODER.encode(each)) == each


# Options agreed while the first hand is played


def sheet(**options: object) -> Started:
    """A score sheet of Chickenfoot for two."""
    return Started(
        by="host", at=0.0, game="chickenfoot", players=PLAYERS[:2], options=options, lines=LINES[:2]
    )


def scored(seat: int, points: int) -> Played:
    """A cell of the first hand, filled in."""
    move = {"type": "score", "hand": 1, "seat": seat, "points": points}
    return Played(by="phone 0001", at=1.0, move=move)


def agreed(**options: object) -> Agreed:
    """The table agrees on options."""
    return Agreed(by="host", at=2.0, options=options)


def test_options_may_be_agreed_until_something_is_written() -> None:
    """Older logs have them agreed with one cell of two filled in, and nothing is left to put back."""
    evening = evening_of(
        started(), judged(3), sheet(set=6), scored(1, 5), scored(2, 0), Undone(by="host", at=1.0, of=5)
    )
    assert 1 == len(evening.undone)
    evening = apply(evening, 7, agreed(set=9))
    assert ((), 2) == (evening.undone, len(evening.matches))
    assert ["pig", "chickenfoot"] == [match.started.game for match in evening.matches]
    match = evening.matches[1]
    assert ({"set": 9}, 9) == (match.started.options, match.state.options.set)
    assert (True, False) == tuple(entry.stands for entry in match.entries)
    check_agreeing(evening_of(sheet(set=6)))
    for cells in ((scored(1, 5),), (scored(1, 5), scored(2, 0))):
        with pytest.raises(CompanionError, match="Something is written already"):
            check_agreeing(evening_of(sheet(set=6), *cells))


def test_options_are_agreed_for_a_sheet_that_is_being_filled_in() -> None:
    """Not before a game, not after it, and not in one without a sheet."""
    over = evening_of(sheet(set=6), Finished(by="host", at=1.0))
    for evening in (Evening(), over):
        with pytest.raises(NotNow, match="No game is being played: start one first"):
            apply(evening, 9, agreed(set=9))
    with pytest.raises(NotNow, match="Start Pig again to play it with other options"):
        apply(evening_of(started()), 9, agreed(word="HOG"))


@pytest.mark.parametrize("event", [judged(1), scored(1, 5), Finished(by="host", at=1.0)])
def test_nothing_is_played_before_a_game_has_begun(event: AnyEvent) -> None:
    """The sentence says so."""
    with pytest.raises(BadInput, match="No game is being played"):
        apply(Evening(), 1, event)


@pytest.mark.parametrize("lines", [(), ("nose.1", "nose.2", "nose.3"), ("",) * 5])
def test_a_game_that_has_other_noses_than_players_is_not_read(lines: tuple[str, ...]) -> None:
    """No table writes it; a hall that took it could not show its players."""
    with pytest.raises(BadInput, match="as many lines as players"):
        apply(Evening(), 1, msgspec.structs.replace(started(), lines=lines))


# Corrections


@pytest.mark.parametrize("seats", [None, 3, "12", [5], [1, 5], [0, 1]])
def test_a_correction_without_its_seats_is_refused(seats: object) -> None:
    """Each and all of them must be seats of the table, and there must be one."""
    amended = Amended(by="host", at=1.0, of=2, move={"type": "last", "seats": seats})
    with pytest.raises(BadInput, match="Say which seats were last, as numbers from 1 to 4"):
        apply(evening_of(started(), judged(3)), 3, amended)


def test_seats_of_a_correction_are_told_in_their_order_and_each_once() -> None:
    """Named as they came to mind."""
    move = {"type": "last", "seats": [4, 1, 4]}
    evening = evening_of(started(), judged(3), Amended(by="host", at=1.0, of=2, move=move))
    assert evening.match is not None
    verdict = effective_move(evening.match.entries[0], evening.match)
    assert ((1, 4), True, (2, 3, 1, 4)) == (verdict.last, verdict.dead_heat, verdict.order)


def test_after_the_end_only_what_is_still_asked_is_taken() -> None:
    """The table has ended the game: neither a round nor a move counts any more."""
    evening = evening_of(started(), Finished(by="host", at=1.0))
    for event in (judged(3), Played(by="host", at=1.0, move={"type": "talked", "seat": 2})):
        with pytest.raises(BadInput, match="The game is over: start another, or undo"):
            apply(evening, 3, event)
