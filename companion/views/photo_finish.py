"""The photo finish of a judged round: who pressed when, on one axis that begins with the opener. Pure."""

from __future__ import annotations

import msgspec

from companion.core.model import Press, Verdict, clock_of
from companion.evening.entries import effective_move
from companion.evening.state import Entry, Match
from companion.views.budget import budget_of
from companion.views.doubt import closeness, doubt_text, in_short
from companion.views.sentences import counted, judged_again
from companion.views.snapshot import Aside, Mark, PhotoFinish
from companion.views.zero import with_zero


def finish_now(match: Match, last: Entry) -> PhotoFinish | None:
    """Return the photo finish to show after *last*: if it judged a round again, that of the round (MAG-4)."""
    again = judged_again(match, last)
    if again is None:
        return finish_of(match, last)
    before = (match.entries[place] for place in range(last.place - 1, -1, -1))
    judged = next(entry for entry in before if isinstance(effective_move(entry, match), Verdict))
    return finish_of(match, judged, again)


def finish_of(match: Match, entry: Entry, again: Verdict | None = None) -> PhotoFinish | None:
    """Return the photo finish of a judged round, None when nothing happened in it or it was a move.

    *again* is how the table has judged it since.
    """
    judged = entry.verdict
    if judged is None or not (judged.presses or judged.lifts):
        return None
    shown = again or counted(entry, match) or judged
    start = min([*(press.t_ns for press in judged.presses[:1]), *(lift.t_ns for lift in judged.lifts)])
    mixed = len({clock_of(press.source) for press in judged.presses}) > 1  # as law 4 compares them
    marks = tuple(
        Mark(
            seat=press.seat,
            player=match.player(press.seat),
            t_ns=press.t_ns - start,
            u_ns=press.u_ns + (_clock_u_ns(press, judged) if mixed else 0),
            last=press.seat in shown.last,
        )
        for press in judged.presses
    )
    seen = {press.seat for press in judged.presses}
    missing = tuple((seat, match.player(seat)) for seat in judged.last if seat not in seen)
    same = shown.last == judged.last
    u_ns = judged.margin_u_ns if same and not shown.dead_heat else judged.u_ns
    made = PhotoFinish(
        marks=marks,
        missing=missing,
        margin_ns=judged.margin_ns if same else None,
        u_ns=u_ns,
        dead_heat=shown.dead_heat,
        asides=_asides(match, judged, start),
        budget=budget_of(judged, u_ns),
        at_least_ns=judged.at_least_ns if same else None,
    )
    weighed = _weighed(made, valid=same and judged.void is None and shown.void is None)
    return with_zero(_called(weighed), entry.zero)


def _called(finish: PhotoFinish) -> PhotoFinish:
    """Return *finish* with how its margin is called."""
    if finish.margin_ns is None or finish.u_ns is None:
        return finish
    near = closeness(finish.margin_ns, finish.u_ns, dead_heat=finish.dead_heat)
    shown = in_short(finish.margin_ns, finish.u_ns, near)
    return msgspec.structs.replace(finish, closeness=near, in_short=shown)


def _clock_u_ns(press: Press, judged: Verdict) -> int:
    """Return what the clock of *press* adds to its band: a phone's against a wire, where one decided."""
    wired = any(one.wire_u_ns is None for one in judged.presses[-2:])
    return press.clock_u_ns if press.wire_u_ns is None or not wired else press.wire_u_ns


def _weighed(finish: PhotoFinish, *, valid: bool) -> PhotoFinish:
    """Return *finish* whose budget says how the margin compares with it, where the round counts as judged."""
    if finish.budget is None or not valid:
        return finish
    budget = msgspec.structs.replace(finish.budget, says=doubt_text(finish))
    return msgspec.structs.replace(finish, budget=budget)


def _asides(match: Match, judged: Verdict, start_ns: int) -> tuple[Aside, ...]:
    asides = [
        Aside(kind, lift.t_ns - start_ns, lift.u_ns, cradle=lift.cradle)
        for kind, lifts in (("lift", judged.lifts), ("feint", judged.feints))
        for lift in lifts
    ]
    asides += [
        Aside("phantom", press.t_ns - start_ns, press.u_ns, seat=press.seat, player=match.player(press.seat))
        for press in judged.phantoms
    ]
    return tuple(sorted(asides, key=lambda aside: aside.t_ns))
