"""The certificate of a box: what a self-test has measured, how, on how many samples, and how sure. Pure.

`standard_ns` and the coverage factor are GUM's (JCGM 100:2008, 7.2): U = k · u with k = 2 is about a 95 %
interval where errors are normally distributed. The bound beside it assumes nothing of their shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil

import msgspec

from companion.core.text import Text, text
from companion.core.units import duration
from companion.selftest.course import Course
from companion.selftest.report import proposed, signed
from companion.selftest.samples import COVERAGE_FACTOR
from companion.selftest.skew import Timed
from companion.views.document import Document, DocumentPart

Speak = Callable[[Text], str]


class Identity(msgspec.Struct, frozen=True):
    """What is certified, and with what: the box or board, what runs on it, the machine, when."""

    serial: str
    firmware: str
    source: str
    machine: str
    version: str
    at: str


def certificate_of(course: Course, identity: Identity, speak: Speak, language: str) -> Document:
    """Return the certificate of what *course* has measured."""
    facts = (
        (text("Serial number"), identity.serial),
        (text("Firmware"), identity.firmware),
        (text("Profile"), course.plan.profile),
        (text("Source"), identity.source),
        (text("Machine"), identity.machine),
        (text("Last Nose"), identity.version),
        (text("Date"), identity.at),
    )
    return Document(
        speak(text("Certificate of a buzzer box")),
        tuple((speak(name), value or "–") for name, value in facts),
        tuple(_parts(course, speak)),
        language,
        speak(text("SIMULATED: this says nothing of a real box.")) if course.view.simulated else "",
    )


def _parts(course: Course, speak: Speak) -> Iterator[DocumentPart]:
    yield DocumentPart(speak(text("Result")), tuple(speak(one) for one in _result(course)))
    yield DocumentPart(speak(text("Method")), tuple(speak(one) for one in _method(course)))
    heads = (
        text("line"),
        text("machine"),
        text("changes"),
        text("u"),
        text("U, k = {k}", k=COVERAGE_FACTOR),
        text("95 % bound"),
        text("widest"),
        text("speaks for"),
    )
    rows = [tuple(speak(head) for head in heads), *(_row(course, one, speak) for one in course.timed)]
    yield DocumentPart(speak(text("Stamps")), rows=tuple(rows))
    if course.lag.load:
        yield DocumentPart(speak(text("Interrupts")), (speak(lag_text(course)),))
    if course.apart:
        yield DocumentPart(
            speak(text("Buttons")),
            (
                speak(
                    text("How much later each closes than another under one bar: that is no error of stamps.")
                ),
            ),
            tuple(_button_rows(course, speak)),
        )


def _result(course: Course) -> Iterator[Text]:
    measured = {line for one in course.timed for line in one.lines}
    yield text("Lines measured: {n} of {of}.", n=len(measured), of=len(course.plan.contacts))
    u_ns = proposed(course)
    if u_ns is None:
        yield text("There are too few changes to declare an error of a stamp.")
    else:
        yield text(
            "Declared error of a stamp: ± {u}. The order of two presses is sure beyond twice that.",
            u=duration(u_ns),
        )
    fewest = min((one.changes for one in course.timed), default=0)
    yield text(
        "Each line changed {n} times or more: the extremes speak for {share} % of all, with 95 % confidence.",
        n=fewest,
        share=share_of(min((one.share for one in course.timed), default=0.0)),
    )


def _method(course: Course) -> Iterator[Text]:
    if course.plan.wired is not None:
        yield text(
            "GPIO{pin} moved the lines {n} times, every 12 ms: the first half while the machine was at rest, "
            "the second while all its cores were busy.",
            pin=course.plan.wired[0],
            n=course.plan.changes,
        )
        yield text(
            "Each stamp is compared with the clock as read before and after the write. Closing and opening "
            "are taken apart from their medians, as what is common to all changes delays all alike."
        )
    if course.plan.tied is not None:
        yield text("Two lines on one wire were moved by hand, and their stamps of each change compared.")
    yield text(
        "u is the standard uncertainty of a stamp (GUM): the standard deviation, and the usual time of a "
        "write as a rectangular distribution. U is u times {k}. The bound is what 95 of 100 changes stay "
        "within, with 95 % confidence, by order statistics; it is left out where samples are too few.",
        k=COVERAGE_FACTOR,
    )


def _row(course: Course, one: Timed, speak: Speak) -> tuple[str, ...]:
    u_ns = one.standard_ns
    widest = max((half.width_ns for half in (one.closing, one.opening) if half is not None), default=0)
    return (
        speak(text("all of them")) if one.how == "pins" else _names(course, one.lines, speak),
        speak(text("busy") if one.loaded else text("at rest")),
        str(one.changes),
        "–" if u_ns is None else speak(duration(ceil(u_ns))),
        "–" if u_ns is None else speak(duration(ceil(COVERAGE_FACTOR * u_ns))),
        "–" if one.bound_ns is None else speak(duration(one.bound_ns)),
        speak(duration(widest)),
        speak(text("{share} %", share=share_of(one.share))),
    )


def _button_rows(course: Course, speak: Speak) -> Iterator[tuple[str, ...]]:
    yield tuple(
        speak(head)
        for head in (text("button"), text("against"), text("presses"), text("median"), text("95 % bound"))
    )
    for one in course.apart.values():
        bound = "–" if one.bound_ns is None else speak(duration(one.bound_ns))
        names = (_names(course, (line,), speak) for line in (one.line, one.against))
        yield *names, str(one.found.pairs), speak(signed(one.found.median_ns)), bound


def _names(course: Course, lines: tuple[str, ...], speak: Speak) -> str:
    return ", ".join(speak(course.plan.find(line).label) for line in lines)


def lag_text(course: Course) -> Text:
    """Return how late events were handed over, which no interrupt thread was later than."""
    lag = course.lag
    return text(
        "Events were in our hands {rest} after their stamps at the latest while the machine was at rest, and "
        "{load} while it was busy ({n} events): no interrupt thread was later than that.",
        rest=duration(lag.rest_ns),
        load=duration(lag.load_ns),
        n=lag.load,
    )


def share_of(share: float) -> float:
    """Return a share in percent, never rounded up.

    >>> share_of(0.99970047), share_of(0.8609), share_of(0.0)
    (99.97, 86.09, 0.0)
    """
    return int(share * 10_000) / 100
