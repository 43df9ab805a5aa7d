"""The photo finish of a judged round: who pressed when, on one axis that begins with the opener. Pure."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import msgspec
from lastnose.companion.core.model import (
    PAGE_SOURCE,
    Edge,
    Gap,
    Input,
    Levels,
    Lift,
    Press,
    Verdict,
    between_clocks_ns,
    clock_of,
    length_u_ns,
)
from lastnose.companion.core.text import Text, text
from lastnose.companion.core.touch import TOUCH_U_NS
from lastnose.companion.core.units import around, duration
from lastnose.companion.evening.state import Entry, Match, effective_move
from lastnose.companion.timing.judge import uncertainty_ns
from lastnose.companion.views.sentences import (
    as_it_counts,
    closeness,
    doubt_text,
    in_short,
    judged_again,
    least_in_short,
)
from lastnose.companion.views.snapshot import HOW_SURE, Aside, Budget, Mark, PhotoFinish, Share
from lastnose.companion.views.zero import NONE_MADE, zero_text

Stamp = Press | Lift
_Line = tuple[str, Text, Text, int]  # a share before it is known how it is shown


class TapeEdge(msgspec.Struct, frozen=True):
    """A line of a round's tape as its page lists it: `t_ns` counts from the opener, as in the photo finish.

    `kind` is "edge", "levels" (how lines stood; `held` are those that were down), "gap" (until `until_ns`) or
    "armed". `u_ns` is what an edge may be off by: one that counts, as the photo finish says it.
    """

    kind: Literal["edge", "levels", "gap", "armed"]
    t_ns: int
    source: str = ""
    line: str = ""
    player: str = ""
    level: int = 0
    u_ns: int | None = None
    until_ns: int | None = None
    held: tuple[str, ...] = ()


def budget_of(verdict: Verdict, u_ns: int | None) -> Budget | None:
    """Return what *u_ns*, the ± that is shown with *verdict*, is made of; None when nothing is shown.

    Where the last one has not pressed, nobody knows yet what the missing stamp will be worth: what is left
    counts as its stamp. The notes say what the ± leaves out, by what the two stamps came from.
    """
    if u_ns is None:
        return None
    pair = _pair(verdict)
    paged = tuple(one for one in pair if one.source.startswith(PAGE_SOURCE))
    wired = tuple(one for one in pair if one not in paged)
    notes = []
    if wired and not any(one.button_u_ns for one in wired):
        notes.append(
            text("How far each button travels before it closes is not in it: this table judges contacts.")
        )
    if paged:
        notes.append(
            text("For browser and screen the figures are those that others have measured on such devices.")
        )
    lines = _lines(verdict, u_ns, pair, paged)
    _, sure_ns, step_ns = around(verdict.margin_ns or 0, u_ns)
    total, shown = _as_shown((sure_ns, step_ns), [line[3] for line in lines])
    shares = tuple(Share(*line, words) for line, words in zip(lines, shown, strict=True))
    return Budget(u_ns, shares, total, notes=tuple(notes))


def _lines(verdict: Verdict, u_ns: int, pair: tuple[Stamp, ...], paged: tuple[Stamp, ...]) -> list[_Line]:
    """Return the lines of the budget; they add up to *u_ns*."""
    mixed = len({clock_of(one.source) for one in pair}) > 1
    wired = tuple(one for one in pair if one not in paged)
    lines = [*_of_wires(wired), *([_page(paged)] if any(one.u_ns for one in paged) else ())]
    lines += [_clock(pair, bool(paged))] if mixed else []
    own = tuple(one.u_ns - one.skew_u_ns - one.contact_u_ns - one.button_u_ns for one in wired)
    own_ns = sum(own)
    rest_ns = u_ns - own_ns - sum(line[3] for line in lines)
    if rest_ns < 0:
        return [("stamp", text("Stamp"), text("both together"), u_ns)]
    if len(pair) < 2:
        lines.append(("stamp", text("The missing stamp"), text("the most it may be worth"), rest_ns))
    elif verdict.margin_ns is not None and (rest_ns or not mixed):
        lost_ns = min(rest_ns, max(0, (verdict.u_ns or 0) - uncertainty_ns(*pair)))
        if lost_ns:
            how = text("a touch may be among them")
            lines.append(("lost", text("Edges that were lost"), how, lost_ns))
        lines.append(_rate(rest_ns - lost_ns, verdict.margin_ns, mixed))
    if own_ns:
        lines.insert(0, ("stamp", text("Stamp"), _sum(own), own_ns))
    return lines


def _as_shown(printed: tuple[int, int], shares: list[int]) -> tuple[Text, list[Text]]:
    """Return a ± as it is *printed* (in ns, and its step), and its *shares* so: they add up as they stand.

    What rounding adds goes to the shares that lost most by it.

    >>> total, lines = _as_shown((21_000, 1_000), [10_005, 10_110, 112])
    >>> str(total), [str(line) for line in lines]
    ('21 µs', ['10 µs', '10 µs', '1 µs'])
    """
    sure_ns, step_ns = printed
    steps = [share // step_ns for share in shares]
    lost = sorted(range(len(shares)), key=lambda n: shares[n] % step_ns, reverse=True)
    for n in range(sure_ns // step_ns - sum(steps)):
        steps[lost[n % len(lost)]] += 1
    return duration(sure_ns, 2), [
        Text("< {time}", {"time": duration(step_ns)}) if share and not count else duration(count * step_ns)
        for share, count in zip(shares, steps, strict=True)
    ]


def _pair(verdict: Verdict) -> tuple[Stamp, ...]:
    """Return the two stamps that `margin_ns` lies between, or the one there is while the other is missing."""
    if verdict.margin_ns is None:
        return verdict.presses[-1:] or verdict.lifts[-1:]
    named = verdict.named
    single = named[0] if len(named) == 1 else None
    by_time = min if verdict.first else max
    latest = by_time(verdict.presses, key=lambda press: (press.t_ns, press.seat))
    latest = next((press for press in verdict.presses if press.seat == single), latest)
    margin_ns, u_ns = verdict.margin_ns, verdict.u_ns or 0
    mine = (latest.seat,) if verdict.dead_heat else named  # of a team the margin is to another
    others = [press for press in verdict.presses if press.seat not in mine]
    measured = [one for one in others if abs(latest.t_ns - one.t_ns) == margin_ns]
    if not measured:  # the middle of what may be, as edges are lost: no two stamps are so far apart
        return latest, min(others, key=lambda one: abs(latest.t_ns - one.t_ns) - uncertainty_ns(latest, one))
    return latest, min(measured, key=lambda one: abs(uncertainty_ns(latest, one) - u_ns))


def _sum(values: tuple[int, ...]) -> Text:
    """Return how a share comes about: "2 × 10 µs", "10 µs + 30 µs"."""
    values = tuple(value for value in values if value)
    if len(values) == 2 and values[0] == values[1]:
        return Text("2 × {time}", {"time": duration(values[0])})
    if len(values) == 2:
        return Text("{a} + {b}", {"a": duration(values[0]), "b": duration(values[1])})
    return Text("1 × {time}", {"time": duration(values[0] if values else 0)})


def _of_wires(pair: tuple[Stamp, ...]) -> list[_Line]:
    """Return what pins, contacts and buttons add to stamps that came by wire, where they add anything.

    Buttons differ only in rounds that an older version judged with that counted in.
    """
    skews, contacts, buttons = (
        tuple(getattr(one, part) for one in pair) for part in ("skew_u_ns", "contact_u_ns", "button_u_ns")
    )
    lines: list[_Line] = []
    if any(skews):
        lines.append(("skew", text("Pin to pin"), _sum(skews), sum(skews)))
    if any(contacts):
        how = text("{sum}: it bounced, or its interrupt was late", sum=_sum(contacts))
        lines.append(("contact", text("Contact"), how, sum(contacts)))
    if any(buttons):
        how = text("{sum}: 95 of 100 presses", sum=_sum(buttons))
        lines.append(("button", text("Button to button"), how, sum(buttons)))
    return lines


def _page(pair: tuple[Stamp, ...]) -> _Line:
    values = tuple(one.u_ns for one in pair)
    how = _sum(values)
    if {*values} == {TOUCH_U_NS["touch"]}:
        how = text("{sum}: a screen feels for fingers 60 times a second", sum=how)
    elif {*values} == {TOUCH_U_NS["key"]}:
        how = text("{sum}: a keyboard or mouse is asked every 8 ms", sum=how)
    return "page", text("Browser and screen"), how, sum(values)


def _clock(pair: tuple[Stamp, ...], paged: bool) -> _Line:
    values = tuple(between_clocks_ns(one, other) for one, other in zip(pair, reversed(pair), strict=True))
    how = _sum(values)
    if paged:
        how = text("{sum}: the clocks, and how late each device reports", sum=how)
    return "clock", text("Between the clocks"), how, sum(values)


def _rate(u_ns: int, margin_ns: int, mixed: bool) -> _Line:
    """Return what the pace of the clock adds over the margin: nothing to the order, little to the length."""
    time = duration(margin_ns)
    how = text("over {time}", time=time) if mixed else text("one clock for both, over {time}", time=time)
    return "rate", text("Pace of the clock"), how, u_ns


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
    shown = again or as_it_counts(entry, match) or judged
    same, start = shown.named == judged.named, began_ns(judged)
    marks = _marks(match, judged, shown.named, start)
    if same and judged.is_widened:
        marks = _as_wide_as_known(marks, judged)
    players = {mark.seat: mark.player for mark in marks}
    alone = shown.last or (() if players.keys() & {*shown.first} else shown.first)  # a team needs one press
    others = [seat for seat in alone if seat not in players]
    u_ns = judged.margin_u_ns if same else judged.u_ns
    aside = judged.lifts or judged.feints or judged.phantoms
    made = PhotoFinish(
        marks=_beside_each_other(marks, steered=judged.is_steered),
        missing=tuple((seat, match.player(seat)) for seat in others if seat in judged.last),
        margin_ns=judged.margin_ns if same else None,
        u_ns=u_ns,
        dead_heat=shown.dead_heat,
        asides=_asides(match, judged, start) if aside else (),
        at_least_ns=judged.at_least_ns if same else None,
        first=bool(judged.first),
        opener=players.get(shown.opener or 0),
        rival=players.get(judged.rival or 0) if same else None,
        unseen=tuple((seat, match.player(seat)) for seat in others if seat not in judged.last),
    )
    budget = budget_of(judged, u_ns)
    if budget is not None:
        counts = same and judged.void is None and shown.void is None
        budget = msgspec.structs.replace(
            budget,
            says=doubt_text(made) if counts else HOW_SURE,
            zero=NONE_MADE if entry.zero is None else zero_text(entry.zero),
        )
    return called(msgspec.structs.replace(made, budget=budget))


def _marks(match: Match, judged: Verdict, named: tuple[int, ...], start_ns: int) -> tuple[Mark, ...]:
    """Return the presses of *judged* from *start_ns* on, with those marked who are *named*."""
    mixed = len({clock_of(press.source) for press in judged.presses}) > 1  # as law 4 compares them
    return tuple(
        Mark(
            seat=press.seat,
            player=match.player(press.seat),
            t_ns=press.t_ns - start_ns,
            u_ns=press.u_ns + (_clock_u_ns(press, judged) if mixed else 0),
            last=press.seat in named,
        )
        for press in judged.presses
    )


def began_ns(judged: Verdict) -> int:
    """Return when the opener touched or lifted, from which a photo finish counts."""
    return min([*(press.t_ns for press in judged.presses[:1]), *(lift.t_ns for lift in judged.lifts)])


def _beside_each_other(marks: tuple[Mark, ...], *, steered: bool) -> tuple[Mark, ...]:
    """Return *marks* with how long each came after the one before, and what such times are sure to."""
    beside = [msgspec.structs.replace(mark, t_u_ns=mark.u_ns) for mark in marks[:1]]
    for before, mark in pairwise(marks):
        t_ns, after_ns = mark.t_ns - marks[0].t_ns, mark.t_ns - before.t_ns
        beside.append(
            msgspec.structs.replace(
                mark,
                t_u_ns=length_u_ns(t_ns, mark.u_ns + marks[0].u_ns, steered=steered),
                after_ns=after_ns,
                after_u_ns=length_u_ns(after_ns, mark.u_ns + before.u_ns, steered=steered),
            )
        )
    return tuple(beside)


def tape_edges(
    tape: tuple[Input, ...],
    armed_ns: int,
    players: tuple[str, ...],
    finish: PhotoFinish | None,
    judged: Verdict,
) -> tuple[TapeEdge, ...]:
    """Return the lines of a round's *tape*, named as tapes do; *players* sat there, by seat."""
    edges = [item for item in tape if isinstance(item, Edge)]
    first = [edge.t_ns for edge in edges if edge.level and edge.line.startswith("nose.")] or [armed_ns]
    start_ns = began_ns(judged) if judged.presses or judged.lifts else first[0]
    worth = {(mark.player, mark.t_ns): mark.u_ns for mark in (finish.marks if finish else ())}
    alone = len({edge.source for edge in edges}) == 1

    def told(item: Input) -> TapeEdge | None:
        match item:
            case Edge():
                kind, _, seat = item.line.partition(".")
                player = players[int(seat) - 1] if kind in ("nose", "dock") else ""
                at_ns, own_ns = item.t_ns - start_ns, item.u_ns + (0 if alone else item.clock_u_ns)
                u_ns = worth.get((player, at_ns), own_ns) if item.level else own_ns
                return TapeEdge("edge", at_ns, item.source, item.line, player, item.level, u_ns)
            case Levels():
                held = tuple(line for line, level in item.levels.items() if level and not item.expected)
                return TapeEdge("levels", item.t_ns - start_ns, item.source, held=held)
            case Gap():
                return TapeEdge("gap", item.from_ns - start_ns, item.source, until_ns=item.to_ns - start_ns)
            case _:
                return None

    return (TapeEdge("armed", armed_ns - start_ns), *filter(None, map(told, tape)))


def _as_wide_as_known(marks: tuple[Mark, ...], judged: Verdict) -> tuple[Mark, ...]:
    """Return *marks* with the last one where the margin has it, and as unsure: the stamp is one of many."""
    moved = max((mark for mark in marks if mark.last), key=lambda mark: mark.t_ns)
    fixed = max((mark for mark in marks if not mark.last), key=lambda mark: mark.t_ns)
    if judged.first:  # the axis begins with the first: it is the second that moves
        fixed, moved = moved, min((mark for mark in marks if not mark.last), key=lambda mark: mark.t_ns)
    t_ns = fixed.t_ns + (judged.margin_ns or 0)
    u_ns = max(moved.u_ns, (judged.margin_u_ns or 0) - fixed.u_ns)
    return tuple(
        msgspec.structs.replace(mark, t_ns=t_ns, u_ns=u_ns) if mark is moved else mark for mark in marks
    )


def called(finish: PhotoFinish) -> PhotoFinish:
    """Return *finish* with how its margin is called."""
    if finish.margin_ns is None or finish.u_ns is None:
        return msgspec.structs.replace(finish, in_short=least_in_short(finish.at_least_ns))
    near = closeness(finish.margin_ns, finish.u_ns, dead_heat=finish.dead_heat)
    shown = in_short(finish.margin_ns, finish.u_ns, near)
    return msgspec.structs.replace(finish, closeness=near, in_short=shown)


def _clock_u_ns(press: Press, judged: Verdict) -> int:
    """Return what the clock of *press* adds to its band: a phone's against a wire, where one decided."""
    pair = judged.presses[-2:]
    if judged.first:
        others = [one for one in judged.presses[1:] if judged.dead_heat or one.seat not in judged.first]
        pair = (judged.presses[0], *others[:1])
    wired = any(one.wire_u_ns is None for one in pair)
    return press.clock_u_ns if press.wire_u_ns is None or not wired else press.wire_u_ns


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
