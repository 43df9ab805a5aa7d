"""Which entry of which game is meant, which round is the newest, and how much can be put back."""

from __future__ import annotations

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput, IllegalMove, NotNow
from lastnose.companion.core.text import text
from lastnose.companion.evening import log
from lastnose.companion.evening.events import (
    DECODER,
    Amended,
    AnyEvent,
    Finished,
    Forgotten,
    Kept,
    Played,
    RoundArmed,
    RoundJudged,
    Saved,
    SignedOff,
    Undone,
    VerdictCompleted,
    VerdictContested,
    ZeroTested,
)
from lastnose.companion.evening.log import apply
from lastnose.companion.evening.state import (
    Entry,
    Evening,
    effective_move,
    find,
    is_void,
    last_judged,
    voidable,
)
from lastnose.companion.evening.undo import authors, offered, undoable
from lastnose.companion.games.rules.sheet import Cell, SheetRow

from tests.evening.test_log import evening_of, judged, scored, sheet, started

ONE, TWO = "phone 0001", "phone 0002"


def last(of: int, seat: int, by: str = "host") -> Amended:
    """Return that *seat* was last in round *of* after all."""
    return Amended(by=by, at=2.0, of=of, move={"type": "last", "seats": [seat]})


def undone(of: int, by: str = "host") -> Undone:
    """Return that *of* was taken back."""
    return Undone(by=by, at=3.0, of=of)


def unopened() -> RoundJudged:
    """Return a round that ended before anybody pressed."""
    return msgspec.structs.replace(judged(1, void=True), opened=False)


def whose(evening: Evening) -> frozenset[str]:
    """Return the authors of what stands in the newest game."""
    assert evening.match is not None
    return evening.match.writers


def entries(evening: Evening) -> tuple[Entry, ...]:
    """Return the entries of the newest game."""
    assert evening.match is not None
    return tuple(evening.match.entries)


# Which entry


@pytest.mark.parametrize("seq", [0, 3, 5, 99])
def test_what_is_no_entry_is_not_found(seq: int) -> None:
    """Nothing, an arming between two rounds, and what comes after the last."""
    armed = RoundArmed(by="box", at=1.0, t_ns=5, seats=(1, 2, 3, 4))
    with pytest.raises(BadInput, match=f"There is no entry {seq} this evening"):
        find(evening_of(started(), judged(3), armed, judged(2)), seq)
    with pytest.raises(BadInput, match=f"There is no entry {seq} this evening"):
        find(Evening(), seq)


def test_what_is_long_past_is_found_as_what_is_new() -> None:
    """The first, the 80th and the newest of 200 rounds."""
    evening = evening_of(started(), *([judged(3, void=True)] * 200))
    assert [2, 81, 201] == [find(evening, seq)[2].seq for seq in (2, 81, 201)]
    with pytest.raises(BadInput, match="There is no entry 202"):
        find(evening, 202)


def test_only_a_game_that_is_over_is_signed_off_and_once() -> None:
    """Neither one that is played, nor the one before it, nor none."""
    ended = (started(), judged(3), Finished(by="host", at=2.0))
    over = evening_of(*ended)
    for evening, of in (
        (Evening(), 1),
        (evening_of(started(), judged(3)), 1),
        (over, 2),
        (evening_of(*ended, started()), 1),
    ):
        with pytest.raises(NotNow, match="The game is not over, or signed off already"):
            apply(evening, 9, SignedOff(by="host", at=3.0, of=of))
    signed = apply(over, 9, SignedOff(by="host", at=3.0, of=1))
    assert signed.match is not None
    assert "host" == signed.match.signed_by
    with pytest.raises(NotNow, match="signed off already"):
        apply(signed, 10, SignedOff(by="host", at=4.0, of=1))


def test_a_correction_is_no_entry_to_correct_and_neither_is_an_end() -> None:
    """Only rounds and moves are."""
    evening = evening_of(started(), judged(3), last(2, 4), Finished(by="host", at=2.0))
    for seq in (3, 4):
        with pytest.raises(BadInput, match=f"Entry {seq} cannot be corrected"):
            apply(evening, 5, last(seq, 1))


def test_the_newest_round_is_found_behind_moves() -> None:
    """Two rounds and a move: the second; none without a game or a round."""
    early = Played(by=ONE, at=1.0, move={"type": "false-opener", "seat": 1})
    assert 0 == last_judged(Evening()) == last_judged(evening_of(started()))
    assert 3 == last_judged(evening_of(started(), judged(3), judged(2)))
    assert 3 == last_judged(evening_of(started(), judged(3), judged(2), early))
    assert 0 == last_judged(evening_of(sheet(set=6), scored(1, 5)))


def test_rounds_are_numbered_and_what_is_no_round_has_no_number() -> None:
    """One that nobody pressed in stands between the first and the second."""
    evening = evening_of(started(), judged(3), unopened(), judged(2), judged(1))
    assert [1, 0, 2, 3] == [entry.number for entry in entries(evening)]
    assert [True, False, True, True] == [entry.listed for entry in entries(evening)]
    (cell,) = entries(evening_of(sheet(set=6), scored(1, 5)))
    assert (0, 0, True, None) == (cell.number, cell.armed_seq, cell.listed, cell.verdict)


def test_the_round_to_take_out_is_the_newest_that_stands() -> None:
    """Not one that nobody pressed in, nor one taken back; and nothing when the newest counts for nothing."""

    def found(*more: AnyEvent) -> int | None:
        match = evening_of(started(), judged(3), judged(2), *more).match
        assert match is not None
        entry = voidable(match)
        return None if entry is None else entry.seq

    void = Amended(by="host", at=2.0, of=3, move={"type": "void", "reason": ""})
    assert [3, 3, 2, 3] == [found(), found(unopened()), found(undone(3)), found(last(3, 1))]
    assert [None, None] == [found(void), found(judged(1, void=True))]
    match = evening_of(sheet(set=6), scored(1, 5)).match
    assert match is not None
    assert voidable(match) is None


def test_a_move_is_no_round_that_does_not_count() -> None:
    """Nor is a round that counts, and one corrected to a loser counts again."""
    (cell,) = entries(evening_of(sheet(set=6), scored(1, 5)))
    clear, voided = entries(evening_of(started(), judged(3), judged(2, void=True)))
    (put_right,) = entries(evening_of(started(), judged(3, void=True), last(2, 4)))
    assert [False, False, True, False] == [is_void(one) for one in (cell, clear, voided, put_right)]


def test_seats_above_eight_are_told_in_their_order_too() -> None:
    """Nine and one of ten were last together."""
    names = tuple("ABCDEFGHIJ")
    ten = msgspec.structs.replace(started(), players=names, lines=tuple(f"nose.{n}" for n in range(10)))
    move = {"type": "last", "seats": [9, 1]}
    match = evening_of(ten, judged(3), Amended(by="host", at=2.0, of=2, move=move)).match
    assert match is not None
    assert (1, 9) == effective_move(match.entries[0], match).last


def test_who_alone_was_last_was_in_no_dead_heat() -> None:
    """Of one seat, named twice or once."""
    for seats in ([4], [4, 4]):
        move = {"type": "last", "seats": seats}
        match = evening_of(started(), judged(3), Amended(by="host", at=2.0, of=2, move=move)).match
        assert match is not None
        assert not effective_move(match.entries[0], match).dead_heat


def test_a_cell_was_not_won_by_a_nose() -> None:
    """So nobody can be said to have been last in it."""
    with pytest.raises(IllegalMove, match="In this game points decide, not noses"):
        apply(evening_of(sheet(set=6), scored(1, 5)), 3, last(2, 1))


def test_a_game_begins_without_an_open_round() -> None:
    """One that was armed in the game before is forgotten."""
    armed = RoundArmed(by="box", at=1.0, t_ns=5, seats=(1, 2, 3, 4))
    assert 0 == evening_of(started(), armed, started()).open_round


def test_what_is_written_is_corrected_after_the_end_and_no_round_is_taken() -> None:
    """All seven hands of two are written; then East's 5 in the first becomes a 6."""
    moves = [
        {"type": "score", "hand": hand, "seat": seat, "points": points}
        for hand in range(1, 8)
        for seat, points in ((1, 0), (2, 5))
    ]
    evening = evening_of(sheet(set=6), *(Played(by=ONE, at=1.0, move=move) for move in moves))
    assert evening.match is not None
    assert (True, False) == (evening.match.finished, evening.match.ended)
    for event in (judged(1), Finished(by="host", at=2.0)):
        with pytest.raises(BadInput, match="The game is over: start another, or undo"):
            apply(evening, 16, event)
    six = {"type": "correct", "hand": 1, "seat": 2, "points": 6}
    assert 15 == len(entries(apply(evening, 16, Played(by=ONE, at=1.0, move=six))))


def test_variations_are_found_among_everything_else() -> None:
    """Two are saved and one deleted, in the middle of a game."""
    saved = [Saved(by="host", at=0.0, name=name, game="pig", options={}) for name in ("Ours", "Theirs")]
    gone = Forgotten(by="host", at=0.0, name="Theirs")
    kept = log.variations([started(), *saved, judged(3), gone])
    assert [("Ours", "pig")] == [(one.name, one.game) for one in kept]


# What can be put back


def test_fifty_steps_can_be_put_back() -> None:
    """Of fifty-one corrections taken back the first is for the history."""
    events: list[AnyEvent] = [started(), judged(3), *(last(2, 1 + n % 4) for n in range(51))]
    evening = evening_of(*events, *(undone(seq) for seq in range(3, 54)))
    assert list(range(4, 54)) == [back.seq for back in evening.undone]


# Who has written


def test_who_has_written_what_stands_is_told() -> None:
    """A round is the box's; its correction is whose it is, until it or the round is taken back."""
    evening = evening_of(started(), judged(3), last(2, 4, ONE), unopened())
    assert {"box", ONE} == whose(evening)
    assert {"box"} == whose(apply(evening, 5, undone(3, TWO)))
    assert set() == whose(apply(evening, 5, undone(2, TWO)))
    assert set() == whose(evening_of(started(), unopened()))
    assert ("box", TWO) == authors(apply(evening, 5, undone(3, TWO)))


def test_what_was_corrected_or_ended_is_kept_in_view() -> None:
    """Each place once, in the order in which it happened; a late press is no correction."""
    late = VerdictCompleted(by="box", at=2.0, of=2, verdict=judged(3).verdict)
    evening = evening_of(started(), judged(3), judged(2), late, last(3, 4), last(3, 1), undone(6))
    assert evening.match is not None
    assert [1] == list(evening.match.special)
    ended = apply(evening, 8, Finished(by="host", at=2.0))
    assert ended.match is not None
    assert ([1, 2], True) == (list(ended.match.special), ended.match.ended)
    assert () == ended.match.asks
    back = apply(ended, 9, undone(8)).match
    assert back is not None
    assert not back.ended


def test_only_a_contested_round_is_kept() -> None:
    """Once; and a correction is a decision too."""
    contested = VerdictContested(by="box", at=2.0, of=2, verdict=judged(4).verdict)
    evening = evening_of(started(), judged(3), contested)
    assert (judged(4).verdict, True) == (entries(evening)[0].contest, entries(evening)[0].contested)
    kept = apply(evening, 4, Kept(by="host", at=2.0, of=2))
    assert (False, (3,)) == (entries(kept)[0].contested, entries(kept)[0].late)
    assert not entries(apply(evening, 4, last(2, 4)))[0].contested
    with pytest.raises(NotNow, match="Entry 2 is neither contested nor protested"):
        apply(kept, 5, Kept(by="host", at=2.0, of=2))


# Undo


def test_undo_is_offered_while_it_is_soon_told_whether_it_fits() -> None:
    """One corrects the first cell, Two writes sixty more, and then another; to undo by number stays."""
    names = tuple("ABCDEFGH")
    began = msgspec.structs.replace(sheet(set=9), players=names, lines=tuple(f"nose.{n}" for n in range(8)))
    first = Played(by=TWO, at=1.0, move={"type": "score", "hand": 1, "seat": 1, "points": 0})
    same = Amended(by=ONE, at=1.0, of=2, move={"type": "score", "hand": 1, "seat": 1, "points": 0})
    cells = [(hand, seat) for hand in range(1, 10) for seat in range(1, 9)][1:62]
    moves = [{"type": "score", "hand": h, "seat": seat, "points": 5 * (seat > 1)} for h, seat in cells]
    evening = evening_of(began, first, same, *(Played(by=TWO, at=1.0, move=move) for move in moves))
    before = evening_of(began, first, same, *(Played(by=TWO, at=1.0, move=move) for move in moves[:-1]))
    assert ({ONE: 3, TWO: 63}, {TWO: 64}) == (offered(before, (ONE, TWO)), offered(evening, (ONE, TWO)))
    assert 3 == undoable(evening, ONE)


# What is written


def test_what_a_log_leaves_out_is_what_it_was() -> None:
    """Logs leave out what is usual: a round that was opened, in which nobody had to hold."""
    line = b'{"type":"judged","by":"box","at":1.0,"verdict":{},"confirm_ns":1,"lockout_ns":2}'
    event = DECODER.decode(line)
    assert isinstance(event, RoundJudged)
    assert (False, True, None, ()) == (event.hold, event.opened, event.rack, event.inputs)
    zero = DECODER.decode(
        b'{"type":"zero","by":"box","at":1.0,"lines":["nose.1","nose.2"],"off_ns":[],"u_ns":1}'
    )
    assert isinstance(zero, ZeroTested)
    assert 0 == zero.missed
    assert (0, 0, ()) == (Evening().seq, Evening().open_round, Evening().undone)


BLANK = SheetRow(1, text("Hand"), "", None, None, (Cell(), Cell()), complete=False, current=True)


def test_points_a_note_or_a_mark_make_a_line_a_written_one() -> None:
    """Nought is written too, and one cell is enough."""
    lines = (
        BLANK,
        msgspec.structs.replace(BLANK, cells=(Cell(points=0), Cell())),
        msgspec.structs.replace(BLANK, cells=(Cell(), Cell(notes=(text("Hand"),)))),
        msgspec.structs.replace(BLANK, marks=("blocked",)),
    )
    assert [False, True, True, True] == [log._written(line) for line in lines]
