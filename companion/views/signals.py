"""What lamps and sounds say: a snapshot in, a lamp a seat out; two snapshots in, signals out. Pure."""

from __future__ import annotations

import msgspec

from companion.core.ports import Lamp, Light, Signal
from companion.views.snapshot import WITHDRAWN, PlayerRow, Snapshot

_DECIDED: dict[str, Signal] = {"verdict": "decided", "won": "decided", "dead-heat": "dead-heat"}


def lamps(snapshot: Snapshot) -> tuple[Lamp, ...]:
    """Return the lamp of every seat: off when out, blinking while an open round waits for it, else on."""
    return tuple(Lamp(row.seat, row.line, _light(snapshot, row)) for row in snapshot.rows)


def _light(snapshot: Snapshot, row: PlayerRow) -> Light:
    if row.out or row.aside:
        return "off"
    if snapshot.phase == "judging" and snapshot.question == "first":
        return "off"  # for all alike: until the verdict no lamp tells one seat from another
    return "blink" if snapshot.phase == "judging" and not row.pressed else "on"


def signals(before: Snapshot, after: Snapshot) -> tuple[Signal, ...]:
    """Return what *after* has to be heard of, in the order to play it; nothing when only figures changed.

    A verdict is heard once: not again when something is taken back or corrected later, nor when the history
    is read after a restart. One that waited for the table's answer is heard with that. One that is withdrawn
    is heard as a dead heat: nobody was last, and the round is played again.
    """
    if after.phase == "void" and after.headline == WITHDRAWN and before.phase in _DECIDED:
        return ("dead-heat",)
    answered = _answered(before, after)
    if before.phase == after.phase and not answered:
        return ()
    if after.phase == "armed":
        return ("armed",)
    if after.phase == "judging":
        return ("opened",)
    decided = _DECIDED.get(after.phase)
    if decided is None or not (answered or before.phase in ("armed", "judging")):
        return ()
    return (decided, "letter") if any(row.new for row in after.rows) else (decided,)


def _answered(before: Snapshot, after: Snapshot) -> bool:
    """Return whether the table has just said who was last (an empty rack does not tell)."""
    asked = before.waits and before.phase == "verdict" and not after.waits
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
