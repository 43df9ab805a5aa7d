"""The evening as the fold of its events: undo, redo, amend, and what does not fit."""

import pytest

from companion import log
from companion.errors import BadInput, IllegalMove
from companion.log import Evening, TakenBack, apply, fold
from companion.model import Press, Verdict
from companion.text import text
from companion.undo import undoable

PLAYERS = ("North", "East", "South", "West")
LINES = ("nose.1", "nose.2", "nose.3", "nose.4")


def started(**options: object) -> log.Started:
    """A game of Pig among four."""
    return log.Started(by="host", at=0.0, game="pig", players=PLAYERS, options=dict(options), lines=LINES)


def judged(last: int, void: bool = False) -> log.Judged:
    """A round in which *last* was last (seats 1 to 4 pressed in order, *last* at the end)."""
    order = (*(s for s in (1, 2, 3, 4) if s != last), last)
    presses = tuple(Press(seat, n * 1_000_000, 1_000, "gpio") for n, seat in enumerate(order))
    verdict = Verdict(order, (last,), 1_000_000, 2_000, presses=presses)
    if void:
        verdict = Verdict(order, void=text("The table said so."), presses=presses)
    return log.Judged(by="box", at=1.0, verdict=verdict, confirm_ns=1_000_000, lockout_ns=20_000_000)


def evening_of(*events: log.AnyEvent) -> Evening:
    """Fold *events*, numbered from 1."""
    return fold(enumerate(events, 1))


def letters(evening: Evening) -> tuple[str, ...]:
    """Everybody's letters."""
    assert evening.run is not None
    return tuple("".join(s.letters) for s in evening.run.game.standings(evening.run.state))


def test_totals_are_the_fold_of_the_rounds() -> None:
    """South was last twice, East once."""
    evening = evening_of(started(), judged(3), judged(2), judged(3))
    assert letters(evening) == ("", "P", "PI", "")


def test_a_void_round_is_kept_and_changes_nothing() -> None:
    """It is listed with its number."""
    evening = evening_of(started(), judged(3), judged(2, void=True))
    assert letters(evening) == ("", "", "P", "")
    assert evening.run is not None
    assert [entry.number for entry in evening.run.entries] == [1, 2]


def test_undo_takes_back_and_redo_puts_back() -> None:
    """The letter goes and comes."""
    evening = evening_of(started(), judged(3), judged(2))
    evening = apply(evening, 4, log.Undone(by="host", at=2.0, of=3))
    assert (letters(evening), evening.undone) == (("", "", "P", ""), (TakenBack(3, "host"),))
    evening = apply(evening, 5, log.Redone(by="host", at=2.0, of=3))
    assert (letters(evening), evening.undone) == (("", "P", "P", ""), ())


def test_a_new_round_ends_what_could_be_put_back() -> None:
    """Redo is not offered across a later round."""
    evening = evening_of(started(), judged(3), log.Undone(by="host", at=2.0, of=2), judged(1))
    assert (letters(evening), evening.undone) == (("P", "", "", ""), ())


def test_undoing_goes_backwards_through_the_entries() -> None:
    """Newest first, what was undone is passed over."""
    evening = evening_of(started(), judged(3), judged(2))
    assert undoable(evening) == 3
    evening = apply(evening, 4, log.Undone(by="host", at=2.0, of=3))
    assert undoable(evening) == 2


def test_an_earlier_round_can_be_corrected() -> None:
    """West was last in round 1 after all; the stored verdict stays as judged."""
    evening = evening_of(started(), judged(3), judged(2))
    evening = apply(evening, 4, log.Amended(by="host", at=2.0, of=2, move={"type": "last", "seats": [4]}))
    assert letters(evening) == ("", "P", "", "P")
    assert evening.run is not None
    stored = evening.run.entries[0].verdict
    assert stored is not None
    assert stored.last == (3,)


def test_undo_after_a_correction_takes_back_the_correction_first() -> None:
    """Then the round counts as judged again."""
    evening = evening_of(
        started(), judged(3), log.Amended(by="host", at=2.0, of=2, move={"type": "void", "reason": "spilt"})
    )
    assert (letters(evening), undoable(evening)) == (("", "", "", ""), 3)
    evening = apply(evening, 4, log.Undone(by="host", at=2.0, of=3))
    assert letters(evening) == ("", "", "P", "")


def test_a_correction_that_later_rounds_contradict_is_refused_with_the_reason() -> None:
    """South cannot have gone out before rounds in which South pressed and was last."""
    evening = evening_of(started(word="P"), judged(3))
    with pytest.raises(IllegalMove, match="does not fit what was played afterwards"):
        later = apply(evening, 3, log.Undone(by="host", at=2.0, of=2))
        later = apply(later, 4, judged(1))
        apply(later, 5, log.Redone(by="host", at=2.0, of=2))
    assert letters(evening) == ("", "", "P", "")


def test_a_correction_names_seats_of_the_table() -> None:
    """Seat 9 is none."""
    evening = evening_of(started(), judged(3))
    with pytest.raises(BadInput, match="numbers from 1 to 4"):
        apply(evening, 3, log.Amended(by="host", at=2.0, of=2, move={"type": "last", "seats": [9]}))


def test_an_entry_that_does_not_exist_cannot_be_undone() -> None:
    """Nor twice."""
    evening = evening_of(started(), judged(3))
    with pytest.raises(BadInput, match="no entry 77"):
        apply(evening, 3, log.Undone(by="host", at=2.0, of=77))
    evening = apply(evening, 3, log.Undone(by="host", at=2.0, of=2))
    with pytest.raises(BadInput, match="that way already"):
        apply(evening, 4, log.Undone(by="host", at=2.0, of=2))


def test_a_late_press_completes_the_verdict_and_keeps_who_was_last() -> None:
    """Order and margin are filled in."""
    evening = evening_of(started(), judged(3))
    whole = Verdict((1, 2, 4, 3), (3,), 7_000_000, 2_000)
    evening = apply(evening, 3, log.Late(by="box", at=2.0, of=2, verdict=whole))
    assert evening.run is not None
    assert evening.run.entries[0].verdict == whole
    assert letters(evening) == ("", "", "P", "")


def test_an_armed_round_is_open_until_it_is_judged() -> None:
    """So that a killed round is known."""
    armed = log.Armed(by="box", at=1.0, t_ns=5, seats=(1, 2, 3, 4))
    evening = evening_of(started(), armed)
    assert evening.open_round == 2
    assert apply(evening, 3, judged(3)).open_round == 0


def test_an_early_finish_ends_the_game_and_can_be_undone() -> None:
    """Stop, and go on another day."""
    evening = evening_of(started(), judged(3), log.Finished(by="host", at=2.0))
    assert evening.run is not None
    assert evening.run.finished
    with pytest.raises(BadInput, match="game is over"):
        apply(evening, 4, judged(2))
    evening = apply(evening, 4, log.Undone(by="host", at=2.0, of=3))
    assert evening.run is not None
    assert not evening.run.finished


def test_every_event_survives_its_json() -> None:
    """What is written can be read, with the judgement's raw inputs."""
    from companion.model import Edge, Gap, Levels, Watermark

    inputs = (
        Levels({"nose.1": 1}, 1, "gpio"),
        Edge(2, "gpio", "nose.2", 1, 1_000, 5),
        Gap(3, 4, "gpio"),
        Watermark(9, "gpio"),
    )
    event = log.Judged(
        by="box", at=1.5, verdict=Verdict((2,), (1,), None, 2), confirm_ns=1, lockout_ns=2, inputs=inputs
    )
    for each in (event, started(word="ŽABA"), log.Amended(by="x", at=1.0, of=2, move={"type": "void"})):
        assert log.DECODER.decode(log.ENCODER.encode(each)) == each
