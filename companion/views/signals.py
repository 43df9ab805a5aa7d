"""What lamps and sounds say: a snapshot in, a lamp a seat out; two snapshots in, signals out. Pure."""

from __future__ import annotations

from typing import cast

import msgspec
from lastnose.companion.core.ports import SIDES, Lamp, Light, Signal
from lastnose.companion.views.phones import owing
from lastnose.companion.views.sentences import OVERDUE
from lastnose.companion.views.snapshot import WITHDRAWN, PhotoFinish, PlayerRow, Snapshot

TICKS = 3  # so many seconds before the end a clock is heard
_DECIDED: dict[str, Signal] = {"verdict": "decided", "won": "decided", "dead-heat": "dead-heat"}


def lamps(snapshot: Snapshot) -> tuple[Lamp, ...]:
    """Return the lamp of every seat, off when out: while people deal those blink of whom something is due.

    Once noses count all are on; those blink who are waited for, then who was last, also who is out with that.
    """
    return tuple(Lamp(row.seat, row.line, _light(snapshot, row)) for row in snapshot.rows)


def _light(snapshot: Snapshot, row: PlayerRow) -> Light:
    if snapshot.phase in _DECIDED and row.seat in _last_seats(snapshot.finish):
        return "blink"
    if row.out or row.aside or snapshot.hushed:
        return "off"
    if snapshot.phase == "judging" and snapshot.question == "first":
        return "off"  # for all alike: until the verdict no lamp tells one seat from another
    finish = snapshot.finish
    if finish is not None and finish.first and snapshot.phase in _DECIDED:
        if not any(mark.last and mark.seat == row.seat for mark in finish.marks):
            return "off"
        return "blink" if snapshot.ruling is not None or finish.dead_heat else "on"
    if snapshot.stage == "deal":
        return "blink" if row.seat in owing(snapshot) else "off"
    return "blink" if snapshot.phase == "judging" and not row.pressed else "on"


def _last_seats(finish: PhotoFinish | None) -> set[int]:
    if finish is None or finish.first:
        return set()
    return {mark.seat for mark in finish.marks if mark.last} | {seat for seat, _ in finish.missing}


def signals(before: Snapshot, after: Snapshot) -> tuple[Signal, ...]:
    """Return what *after* has to be heard of, in the order to play it; nothing when only figures changed.

    A verdict is heard once: not again when something is taken back or corrected later, nor when the history
    is read after a restart. One that waited for the table's answer is heard with that. One that is withdrawn
    is heard as a dead heat: nobody was last, and the round is played again.
    """
    if after.phase == "void" and after.headline == WITHDRAWN and before.phase in _DECIDED:
        return ("dead-heat",)
    has_answered = answered(before, after)
    if before.phase == after.phase and not has_answered:
        return _heard(before, after)
    out: tuple[Signal, ...] = ("time",) if has_answered and after.ruled == OVERDUE.value else ()
    if after.phase == "armed":
        return (*out, "armed")
    if after.phase == "judging":
        return ("opened",)
    decided = _DECIDED.get(after.phase)
    if out:
        return out
    if decided is None or not (has_answered or before.phase in ("armed", "judging")):
        return ()
    if after.ruling is not None and after.ruling.side:
        return (cast(Signal, f"side-{(after.ruling.side - 1) % SIDES + 1}"),)
    if before.clock is not None and before.clock.kind == "buzz" and after.finish is None:
        return (
            ("time",) if before.clock.left_s else ()
        )  # nobody has buzzed; else it was heard when it was over
    if has_answered and after.ruled and after.phase != "won":
        return ("wrong",) if after.ruled in ("wrong", "late") else ("decided",)
    return (decided, "letter") if any(row.new for row in after.rows) else (decided,)


def _heard(before: Snapshot, after: Snapshot) -> tuple[Signal, ...]:
    """Return what is heard while a phase lasts: somebody was too early, or a clock comes to its end."""
    if after.early is not None and after.early != before.early:
        return ("too-early",)
    if _locked_out(after) - _locked_out(before):
        return ("too-early",)
    if after.clock is None or after.clock == before.clock or after.clock.left_s > TICKS:
        return ()
    return ("tick",) if after.clock.left_s else ("time",)


def _locked_out(snapshot: Snapshot) -> set[int]:
    """Return the seats that were too early for the question that is open."""
    return {row.seat for row in snapshot.rows if row.early} if snapshot.question == "first" else set()


def answered(before: Snapshot, after: Snapshot) -> bool:
    """Return whether the table has just said who was last (an empty rack does not tell)."""
    asked = before.waits and before.phase in ("verdict", "dead-heat") and not after.waits
    played = after.undo is not None and before.seq < after.seq == after.undo.seq
    return asked and played and before.headline != after.headline


def cued(before: Snapshot | None, after: Snapshot) -> Snapshot:
    """Return *after* with its lamps, and with its signals, or with those of *before* when it has none."""
    found = signals(before, after) if before is not None else ()
    heard = before if before is not None and not found else None
    return msgspec.structs.replace(
        after,
        lamps=lamps(after),
        signals=heard.signals if heard is not None else found,
        signalled=heard.signalled if heard is not None else after.version if found else 0,
    )
