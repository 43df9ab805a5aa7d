"""What a hand does, in words a line: for scripts, and for a keyboard before simulated noses. Pure.

`touch nose.1` (several lines: all at once), `away nose.1`, `back nose.1`, `wait 500` (ms), and the answers of
the self-test: `yes`, `no`, `nothing`, `skip`, `back`, `stop`. What follows a `#` is for people.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import get_args

import msgspec

from companion.core.errors import BadInput
from companion.core.model import Edge, Levels, rest_level
from companion.core.text import text
from companion.selftest.contact import MS
from companion.selftest.course import Course
from companion.selftest.view import Word

HOLD_MS, AFTER_MS = 120, 500
TICK_NS = 50 * MS
# As long as a contact may be waited for, and a little more.
PATIENCE_NS = 45_000 * MS
U_NS = 1_000


class LineMoved(msgspec.Struct, frozen=True):
    """A line is moved off its rest, or back."""

    line: str
    away: bool


class Wait(msgspec.Struct, frozen=True):
    """Nothing happens for so long."""

    ms: float


class AnswerGiven(msgspec.Struct, frozen=True):
    """A word is said."""

    word: Word


Action = LineMoved | Wait | AnswerGiven


def read(line: str, lines: Collection[str]) -> tuple[Action, ...]:
    """Return what a line of a script does; raise BadInput for one that cannot be read.

    >>> read("touch nose.1  # the brown one", ["nose.1"])[:2]
    (LineMoved(line='nose.1', away=True), Wait(ms=120))
    """
    words = line.partition("#")[0].split()
    if not words:
        return ()
    verb, *rest = words
    if verb == "wait" and len(rest) == 1 and rest[0].isdigit():
        return (Wait(int(rest[0])),)
    if verb in get_args(Word) and not rest:
        return (AnswerGiven(verb),)  # type: ignore[arg-type]
    if verb in ("touch", "away", "back") and rest:
        for name in rest:
            if name not in lines:
                raise BadInput(
                    text(
                        "There is no line “{line}” here. There are: {lines}.",
                        line=name,
                        lines=", ".join(lines),
                    )
                )
        off, on = (tuple(LineMoved(name, away) for name in rest) for away in (True, False))
        if verb == "touch":
            return (*off, Wait(HOLD_MS), *on, Wait(AFTER_MS))
        return off if verb == "away" else on
    raise BadInput(
        text(
            "“{line}” cannot be read. Say touch, away or back with a line, wait with ms, or one of: {words}.",
            line=line.strip(),
            words=", ".join(get_args(Word)),
        )
    )


def play(course: Course, actions: Iterator[Action] | tuple[Action, ...], now_ns: int = 0) -> None:
    """Let a hand go through *course* in its own time, which passes at once; then wait out what is left.

    A question that nobody answers ends it.
    """
    course.feed(Levels({line: rest_level(line) for line in course.plan.lines}, now_ns, "script"))
    for action in actions:
        match action:
            case Wait():
                now_ns = _pass(course, now_ns, round(action.ms * MS))
            case LineMoved():
                level = rest_level(action.line) ^ action.away
                course.feed(Edge(now_ns, "script", action.line, level, U_NS))
            case AnswerGiven():
                course.say(action.word)
    while course.view.step in ("rest", "contact"):
        now_ns = _pass(course, now_ns, PATIENCE_NS)
    if course.view.step != "done":
        course.say("stop")


def _pass(course: Course, now_ns: int, wait_ns: int) -> int:
    """Let time pass in ticks; return the time then."""
    end_ns = now_ns + wait_ns
    while now_ns < end_ns:
        now_ns = min(now_ns + TICK_NS, end_ns)
        course.advance(now_ns)
    return now_ns
