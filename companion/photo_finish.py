"""The photo finish of a judged round: who pressed when, on one axis that begins with the opener. Pure."""

from __future__ import annotations

from companion.log import Entry, Run, effective_move
from companion.model import Verdict
from companion.sentences import counted, judged_again
from companion.snapshot import Aside, Finish, Mark


def finish_now(run: Run, last: Entry) -> Finish | None:
    """Return the photo finish to show after *last*: if it judged a round again, that of the round (MAG-4)."""
    again = judged_again(run, last)
    if again is None:
        return finish_of(run, last)
    before = run.entries[: run.entries.index(last)]
    judged = [entry for entry in before if isinstance(effective_move(entry, run), Verdict)]
    return finish_of(run, judged[-1], again)


def finish_of(run: Run, entry: Entry, again: Verdict | None = None) -> Finish | None:
    """Return the photo finish of a judged round, None when nothing happened in it or it was a move.

    *again* is how the table has judged it since.
    """
    judged = entry.verdict
    if judged is None or not (judged.presses or judged.lifts):
        return None
    shown = again or counted(entry, run) or judged
    start = min([*(press.t_ns for press in judged.presses[:1]), *(lift.t_ns for lift in judged.lifts)])
    mixed = len({press.source for press in judged.presses}) > 1
    marks = tuple(
        Mark(
            seat=press.seat,
            player=run.player(press.seat),
            t_ns=press.t_ns - start,
            u_ns=press.u_ns + (press.clock_u_ns if mixed else 0),
            last=press.seat in shown.last,
        )
        for press in judged.presses
    )
    seen = {press.seat for press in judged.presses}
    missing = tuple((seat, run.player(seat)) for seat in judged.last if seat not in seen)
    same = shown.last == judged.last
    return Finish(
        marks=marks,
        missing=missing,
        margin_ns=judged.margin_ns if same else None,
        u_ns=judged.u_ns,
        dead_heat=shown.dead_heat,
        asides=_asides(run, judged, start),
    )


def _asides(run: Run, judged: Verdict, start_ns: int) -> tuple[Aside, ...]:
    asides = [
        Aside(kind, lift.t_ns - start_ns, lift.u_ns, cradle=lift.cradle)
        for kind, lifts in (("lift", judged.lifts), ("feint", judged.feints))
        for lift in lifts
    ]
    asides += [
        Aside("phantom", press.t_ns - start_ns, press.u_ns, seat=press.seat, player=run.player(press.seat))
        for press in judged.phantoms
    ]
    return tuple(sorted(asides, key=lambda aside: aside.t_ns))
