"""The zero test as people read it: on screens, in a verdict's details, with printed results. Pure."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from companion.core.text import Text, text
from companion.core.units import duration, uncertainty
from companion.evening.events import ZeroTested
from companion.evening.state import Evening
from companion.views.snapshot import PhotoFinish, ZeroView

NONE_MADE = text("No zero test was made this evening.")


def zero_text(event: ZeroTested) -> Text:
    """Return what came of a zero test.

    >>> str(zero_text(ZeroTested(by="box", at=0, lines=("a", "b"), off_ns=(4_000, -11_000), u_ns=20_000)))
    'Zero test: 2 of 2 inside ± 20 µs; at most 11 µs apart.'
    """
    return text(
        "Zero test: {n} of {of} inside ± {sure}; at most {most} apart.",
        n=sum(abs(off_ns) <= event.u_ns for off_ns in event.off_ns),
        of=len(event.off_ns) + event.missed,
        sure=uncertainty(event.u_ns),
        most=duration(max(map(abs, event.off_ns), default=0)),
    )


def by_hand_text(lines: tuple[str, str], phones: Collection[str], n: int, of: int) -> Text | None:
    """Return what is to be done when a line is one of *phones*, which no plate closes; None when none is.

    >>> str(by_hand_text(("nose.1", "nose.4"), ("nose.4",), 3, 20))
    '3 of 20: touch phone 4 and wired nose 1 at once, with two fingers of one hand.'
    """
    touched = [_number(line) for line in lines if line in phones]
    wired = [_number(line) for line in lines if line not in phones]
    if not touched:
        return None
    if not wired:
        return text(
            "{n} of {of}: touch phones {one} and {other} at once, with two fingers of one hand.",
            n=n,
            of=of,
            one=touched[0],
            other=touched[1],
        )
    return text(
        "{n} of {of}: touch phone {phone} and wired nose {wire} at once, with two fingers of one hand.",
        n=n,
        of=of,
        phone=touched[0],
        wire=wired[0],
    )


def asked_text(lines: tuple[str, str], off_ns: tuple[int, ...], u_ns: int, of: int, alone: str) -> Text:
    """Return what is to be done in a zero test with a plate, and what came of the last press.

    *off_ns* and *u_ns* as in `ZeroTested`, *of* how many are enough, *alone* the line that was heard alone.

    >>> str(asked_text(("nose.1", "nose.2"), (4_000,), 20_000, 20, ""))
    '1 of 20: 4 µs apart. Again, with one plate on noses 1 and 2.'
    """
    one, other = map(_number, lines)
    n = len(off_ns)
    if alone:
        number = _number(alone)
        return text(
            "{n} of {of}: only nose {number} was heard. Press the plate on both.", n=n, of=of, number=number
        )
    if not off_ns:
        return text(
            "Close noses {one} and {other} at once with one plate, {of} times.", one=one, other=other, of=of
        )
    apart = duration(abs(off_ns[-1]))
    if abs(off_ns[-1]) > u_ns:
        return text(
            "{n} of {of}: {apart} apart, outside ± {sure}. Is the plate flat on both?",
            n=n,
            of=of,
            apart=apart,
            sure=uncertainty(u_ns),
        )
    return text(
        "{n} of {of}: {apart} apart. Again, with one plate on noses {one} and {other}.",
        n=n,
        of=of,
        apart=apart,
        one=one,
        other=other,
    )


def _number(line: str) -> str:
    return line.rpartition(".")[2]


def zero_view(evening: Evening) -> ZeroView | None:
    """Return the last zero test of the evening."""
    event = evening.zero
    if event is None:
        return None
    of = len(event.off_ns) + event.missed
    return ZeroView(event.lines, event.off_ns, event.u_ns, event.missed, of, event.at, zero_text(event))


def with_zero(finish: PhotoFinish | None, zero: ZeroTested | None) -> PhotoFinish | None:
    """Return *finish* whose budget says what the *zero* test of its evening showed, or that none was made."""
    if finish is None or finish.budget is None:
        return finish
    made = NONE_MADE if zero is None else zero_text(zero)
    budget = msgspec.structs.replace(finish.budget, zero=made)
    return msgspec.structs.replace(finish, budget=budget)
