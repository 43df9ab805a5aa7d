"""What a table in a hall shows of it: what the hall has said, and what its own log says to that. Pure."""

from __future__ import annotations

import msgspec
from lastnose.companion.core.text import Text, listing, text
from lastnose.companion.evening.state import Evening
from lastnose.companion.views.snapshot import HallView

NO_LINK_YET = text("No link to the hall yet.")


def hall_view(evening: Evening, told: HallView | None) -> HallView | None:
    """Return what the hall has *told*, with the game that is played for it; None at a table alone."""
    match = evening.match
    if told is None or match is None:
        return told
    waits = match.started.call not in ("", told.typed) and match.finished and not match.signed_by
    begun = max((one.seq for one in evening.matches if one.started.call == told.call != ""), default=0)
    return msgspec.structs.replace(
        told, signs=match.seq if waits else 0, begun=begun, match=begun if match.seq == begun else 0
    )


def gathering(phase: str, round_no: int) -> bool:
    """Return whether a called game waits for its people: none of its rounds has begun."""
    return round_no == 1 and phase in ("ready", "blocked")


def hall_lines(view: HallView | None, phase: str, round_no: int) -> tuple[Text, ...]:
    """Return what the table is to do for the hall now: sign a result off, settle one, come to their seats."""
    if view is None:
        return ()
    if view.signs:
        return (text("It counts in the hall once the table’s host has signed it off."),)
    if view.settles:
        return (
            text(
                "{players} are too few for the game: settle it by hand, by one deal of another game or by "
                "lot, and tell the desk who comes first.",
                players=listing(view.players),
            ),
        )
    if view.match and gathering(phase, round_no) and len(view.here) < len(view.players):
        here = text("{n} of {all} are here: touch your nose once.", n=len(view.here), all=len(view.players))
        return (here,)
    return ()
