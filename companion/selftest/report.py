"""A self-test on paper: Markdown for people, JSON for programs, from the same course. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from companion.core.model import Edge
from companion.core.text import Text, text, texts
from companion.core.units import duration
from companion.selftest.contact import ContactReading
from companion.selftest.course import Course
from companion.selftest.findings import SHORT, sentence
from companion.selftest.skew import Spread, Timed
from companion.selftest.view import Finding, Step, Word

Speak = Callable[[Text], str]
TRACE_ROWS = 40
_STEPS: dict[Step, Text] = {
    "lamps": text("The lamps light one after the other"),
    "screen": text("The small screen shows the test picture"),
    "sounds": text("The buzzer plays its tunes"),
    "tied": text("Two lines tied together"),
    "wired": text("An output wired to lines"),
    "spread": text("Two buttons under one bar"),
}
_WORDS: dict[Word, Text] = {"yes": text("yes"), "no": text("no"), "skip": text("left out")}


def as_json(course: Course, speak: Speak, **about: object) -> dict[str, Any]:
    """Return the whole test as plain data, times in ns; *about* says when, where and with what."""
    return {
        **about,
        "profile": course.plan.profile,
        "passed": course.passed,
        "stopped": course.stopped,
        "simulated": course.view.simulated,
        "contacts": [
            _contact(course, contact.line, speak)
            | {"label": speak(contact.label), "at": speak(contact.where)}
            for contact in course.plan.contacts
        ],
        "findings": [_found(one, speak) for one in course.findings],
        "answers": dict(course.answers),
        "timing": [_timed(one) for one in course.timed],
        "spread": [
            {
                "line": one.line,
                "against": one.against,
                "found": _spread(one.found),
                "bound_ns": one.bound_ns,
            }
            for one in course.apart.values()
        ],
        "handed": {
            "rest": course.lag.rest,
            "rest_ns": course.lag.rest_ns,
            "load": course.lag.load,
            "load_ns": course.lag.load_ns,
            "late_ns": course.lag.late_ns,
        },
        "u_us": None if proposed(course) is None else (proposed(course) or 0) / 1_000,
    }


def _found(one: Finding, speak: Speak) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "lines": list(one.lines),
        "failed": one.failed,
        "says": sentence(speak(one.says)),
        "remedy": None if one.remedy is None else speak(one.remedy),
    }


def proposed(course: Course) -> int | None:
    """Return the error of a stamp that the measurements propose, the largest of them; None without any."""
    return max((one.u_ns for one in course.timed if one.u_ns is not None), default=None)


def _contact(course: Course, line: str, speak: Speak) -> dict[str, Any]:
    reading = course.readings.get(line)
    if reading is None:
        return {"line": line, "outcome": None}
    swings = {
        name: None if one is None else {"edges": one.edges, "span_ns": one.span_ns, "u_ns": one.u_ns}
        for name, one in (("away", reading.away), ("back", reading.back))
    }
    found = {
        "line": line,
        "outcome": reading.outcome,
        "says": speak(SHORT[reading.outcome]),
        "heard": reading.heard,
        "others": list(reading.others),
        "presses": reading.presses,
    }
    trace = reading.trace if reading.outcome != "ok" else ()
    return found | swings | {"trace": [[edge.t_ns - trace[0].t_ns, edge.line, edge.level] for edge in trace]}


def _timed(one: Timed) -> dict[str, Any]:
    return {
        "how": one.how,
        "lines": list(one.lines),
        "closing": _spread(one.closing),
        "opening": _spread(one.opening),
        "u_ns": one.u_ns,
        "slow": one.slow,
        "loaded": one.loaded,
        "standard_ns": one.standard_ns,
        "bound_ns": one.bound_ns,
        "share": one.share,
    }


def _spread(one: Spread | None) -> dict[str, int] | None:
    if one is None:
        return None
    return {"pairs": one.pairs, "median_ns": one.median_ns, "least_ns": one.least_ns, "most_ns": one.most_ns}


def as_markdown(course: Course, speak: Speak, about: Sequence[tuple[Text, str]]) -> str:
    """Return the report that an organiser keeps; *about* are lines for its head."""
    return "\n".join(_written(course, speak, about)) + "\n"


def _written(course: Course, speak: Speak, about: Sequence[tuple[Text, str]]) -> Iterator[str]:
    yield f"# {speak(text('Self-test of {profile}', profile=course.plan.profile))}"
    yield ""
    yield f"**{speak(course.view.prompt) if course.view.step == 'done' else speak(text('Not finished.'))}**"
    yield ""
    if course.view.simulated:
        yield f"**{speak(text('SIMULATED'))}**"
        yield ""
    yield from (f"- {speak(name)}: {value}" for name, value in about)
    yield ""
    yield f"## {speak(text('What was found'))}"
    yield ""
    for one in course.findings:
        remedy = f" {speak(one.remedy)}" if one.remedy is not None else ""
        mark = "**" if one.failed else ""
        yield f"- {mark}{sentence(speak(one.says))}{mark}{remedy}"
    if not course.findings:
        yield speak(text("Nothing amiss."))
    yield ""
    for step, word in course.answers.items():
        yield f"- {speak(_STEPS[step])} – {speak(_WORDS[word])}"
    yield ""
    yield from _table(course, speak)
    yield from _measured(course, speak)
    yield from _traces(course, speak)


def _table(course: Course, speak: Speak) -> Iterator[str]:
    yield f"## {speak(text('The contacts'))}"
    yield ""
    heads = (
        text("contact"),
        text("pin"),
        text("wire"),
        text("result"),
        text("touches"),
        text("changes off / on"),
        text("longest bounce"),
    )
    yield "| " + " | ".join(speak(head) for head in heads) + " |"
    yield "|" + " --- |" * len(heads)
    for contact in course.plan.contacts:
        reading = course.readings.get(contact.line)
        cells = [
            speak(contact.label),
            speak(contact.where),
            "" if contact.colour is None else speak(contact.colour.name),
            *_figures(reading, speak),
        ]
        yield "| " + " | ".join(cells) + " |"
    yield ""


def _figures(reading: ContactReading | None, speak: Speak) -> list[str]:
    if reading is None:
        return [speak(text("not tested")), "", "", ""]
    says = speak(SHORT[reading.outcome])
    if reading.away is None or reading.back is None:
        return [says, "", "", ""]
    longest_ns = max(reading.away.span_ns, reading.back.span_ns)
    return [
        says,
        str(reading.presses),
        f"{reading.away.edges} / {reading.back.edges}",
        speak(duration(longest_ns)),
    ]


def _measured(course: Course, speak: Speak) -> Iterator[str]:
    yield from _buttons(course, speak)
    if not course.timed:
        return
    yield f"## {speak(text('How sure the stamps are'))}"
    yield ""
    for one in course.timed:
        yield f"**{speak(_title(one))}**"
        yield ""
        for name, found in ((text("closing"), one.closing), (text("opening"), one.opening)):
            if found is not None:
                yield f"- {speak(name)}: {speak(_sentence(found))}"
        if one.bound_ns is not None:
            bound = text(
                "95 of 100 are within {bound} of it, with 95 % confidence", bound=duration(one.bound_ns)
            )
            yield f"- {speak(bound)}"
        yield ""
    u_ns = proposed(course)
    if u_ns is not None:
        yield speak(text("For the profile, under [timing]:"))
        yield ""
        yield f"    u_us = {u_ns / 1_000:g}"
        if course.lag.late_ns is not None:
            yield f"    late_us = {course.lag.late_ns / 1_000:g}"
        yield ""


def _title(one: Timed) -> Text:
    lines = ", ".join(one.lines)
    if one.how == "tied":
        return text("Tied together: {lines}", lines=lines)
    if one.loaded:
        return text("Moved by an output, the machine busy: {lines}", lines=lines)
    return text("Moved by an output: {lines}", lines=lines)


def _buttons(course: Course, speak: Speak) -> Iterator[str]:
    if not course.apart:
        return
    yield f"## {speak(text('How far apart the buttons are'))}"
    yield ""
    for one in course.apart.values():
        said = speak(_sentence(one.found))
        if one.bound_ns is not None:
            within = text("95 of 100 within {bound}, with 95 % confidence", bound=duration(one.bound_ns))
            said += f"; {speak(within)}"
        yield f"- {one.line} – {one.against}: {said}"
    yield ""


def _sentence(found: Spread) -> Text:
    return texts(
        "{n} pair, median {median}, from {least} to {most}",
        "{n} pairs, median {median}, from {least} to {most}",
        n=found.pairs,
        median=signed(found.median_ns),
        least=signed(found.least_ns),
        most=signed(found.most_ns),
    )


def signed(ns: int) -> Text:
    """Return a time that may be before another."""
    return duration(ns) if ns >= 0 else text("−{time}", time=duration(-ns))


def _traces(course: Course, speak: Speak) -> Iterator[str]:
    shown = [one for one in course.readings.values() if one.failed and one.trace]
    if not shown:
        return
    yield f"## {speak(text('Traces'))}"
    yield ""
    for reading in shown:
        yield f"{sentence(speak(course.plan.find(reading.line).label))}:"
        yield ""
        yield from (f"    {row}" for row in trace_rows(reading.trace, speak))
        yield ""


def trace_rows(trace: Sequence[Edge], speak: Speak) -> Iterator[str]:
    """Yield a line an edge, with milliseconds from the first.

    >>> edges = [Edge(5_000_000, "x", "nose.1", 1, 0), Edge(5_250_000, "x", "nose.1", 0, 0)]
    >>> list(trace_rows(edges, str))
    ['     0.000 ms  nose.1 closes', '     0.250 ms  nose.1 opens']
    """
    for edge in trace[:TRACE_ROWS]:
        does = speak(text("closes") if edge.level else text("opens"))
        yield f"{(edge.t_ns - trace[0].t_ns) / 1e6:10.3f} ms  {edge.line} {does}"
    if len(trace) > TRACE_ROWS:
        yield "…"
