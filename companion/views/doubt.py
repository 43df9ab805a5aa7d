"""A margin weighed against its ±, in one sentence for people, and the lines of a budget for paper. Pure."""

from __future__ import annotations

from companion.core.text import Text, text
from companion.core.units import at_least, everyday, measured
from companion.views.snapshot import HOW_SURE, Budget, Closeness, PhotoFinish

MOST_TIMES = 1_000
CLEAR_TIMES = 5
WORTH_SAYING_NS = 100_000_000  # of a margin of which only the least is known


def closeness(margin_ns: int, u_ns: int, *, dead_heat: bool = False) -> Closeness:
    """Return how a margin is called, from the exact figures: where the ± stands in the open on every screen.

    >>> closeness(101_135, 20_227), closeness(101_134, 20_227), closeness(7, 20, dead_heat=True)
    ('clear', 'close', 'too-close')
    """
    if dead_heat:
        return "too-close"
    return "clear" if margin_ns >= CLEAR_TIMES * u_ns else "close"


def in_short(margin_ns: int, u_ns: int, near: Closeness) -> Text:
    """Return a margin as a picture shows it: in everyday words where it was clear, else with its ±.

    >>> str(in_short(412_000_000, 61_000_000, "clear")), str(in_short(8_000_000, 2_100_000, "close"))
    ('0.4 s: clear', '8.0 ms ± 2.1 ms')
    """
    if near == "clear":
        return text("{margin}: clear", margin=everyday(margin_ns))
    time, sure = measured(margin_ns, u_ns)
    return text("{margin} ± {sure}", margin=time, sure=sure)


def least_in_short(at_least_ns: int | None) -> Text | None:
    """Return a margin of which only the least is known, as a picture shows it; None where that says nothing.

    >>> str(least_in_short(290_000_000)), least_in_short(99_000_000), least_in_short(None)
    ('at least 0.2 s', None, None)
    """
    if at_least_ns is None or at_least_ns < WORTH_SAYING_NS:
        return None
    return text("at least {margin}", margin=at_least(at_least_ns))


def doubt_text(finish: PhotoFinish) -> Text:
    """Return how the margin of *finish* compares with what it may be wrong by.

    >>> from companion.views.snapshot import Mark
    >>> marks = (Mark(1, "North", 0, 10_000, False), Mark(2, "Zoë", 412_000, 10_000, True))
    >>> str(doubt_text(PhotoFinish(marks, (), 412_000, 20_200, False)))
    'Zoë was last, by 20 times the doubt.'
    """
    last = [mark.player for mark in finish.marks if mark.last] + [name for _, name in finish.missing]
    if finish.margin_ns is None or not finish.u_ns:
        if len(finish.missing) == 1:
            return text("{player} was not there yet when it was decided.", player=last[-1])
        return HOW_SURE
    if finish.dead_heat:
        time, sure = measured(finish.margin_ns, finish.u_ns)
        return text("Too close to tell: {margin} apart, and in doubt by ± {sure}.", margin=time, sure=sure)
    times = finish.margin_ns // finish.u_ns
    if len(last) != 1 or times < 1:
        return HOW_SURE
    if times < 2:
        return text("{player} was last, by more than the doubt.", player=last[0])
    if times >= MOST_TIMES:
        return text("{player} was last, by more than {n} times the doubt.", player=last[0], n=MOST_TIMES)
    return text("{player} was last, by {n} times the doubt.", player=last[0], n=times)


def budget_lines(budget: Budget) -> tuple[Text, ...]:
    """Return *budget* for a terminal or a file: the sum, a line a share, then what is not in it."""
    shares = (
        text("{name}: {shown} ({how})", name=share.name, shown=share.shown, how=share.how)
        for share in budget.shares
    )
    return (text("The doubt: ± {sure}", sure=budget.shown), *shares, *budget.notes)
