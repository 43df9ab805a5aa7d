"""A self-test on paper: a page that a browser prints for people, JSON for programs. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from typing import Any

import msgspec
from lastnose.companion.core.model import Edge
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.core.units import duration
from lastnose.companion.selftest.contact import ContactReading
from lastnose.companion.selftest.course import Course
from lastnose.companion.selftest.measurements import Spread, Timed
from lastnose.companion.selftest.view import Finding, Word
from lastnose.companion.selftest.words import SHORT, prompt, sentence

Speak = Callable[[Text], str]
TRACE_ROWS = 40
_STYLE = """
body{font:11pt/1.45 "Helvetica Neue",Arial,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;
color:#111;background:#fff}
h1{font-size:1.5rem;margin:0 0 1rem}h2{font-size:1.05rem;margin:1.6rem 0 .4rem;break-after:avoid}
p{margin:.4rem 0}
.warning{border:.15rem solid #a00;color:#a00;font-weight:700;padding:.4rem .8rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.2rem;margin:0}dt{color:#555}dd{margin:0}
ul{margin:.4rem 0;padding-left:1.2rem}pre{font-size:.8rem;break-inside:avoid}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.88rem;width:100%}tr{break-inside:avoid}
th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:.06rem solid #bbb;vertical-align:bottom}
td{vertical-align:top}
.figure{text-align:right;font-variant-numeric:tabular-nums}
@page{size:A4;margin:18mm}@media print{body{margin:0;max-width:none;padding:0}.wide{overflow:visible}}
"""
_WORDS: dict[Word, Text] = {"yes": text("Yes"), "no": text("No"), "skip": text("left out")}


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
        "timing": [msgspec.to_builtins(one) | {"slow": one.slow} for one in course.timed],
        "handed": msgspec.to_builtins(course.lag) | {"late_ns": course.lag.late_ns},
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
        name: msgspec.to_builtins(one) for name, one in (("away", reading.away), ("back", reading.back))
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


def as_html(course: Course, speak: Speak, about: Sequence[tuple[Text, str]], language: str) -> str:
    """Return the report that an organiser keeps, a page of its own; *about* are lines for its head."""
    title = escape(speak(text("Self-test of {profile}", profile=course.plan.profile)))
    head = (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
        f"<style>{_STYLE}</style>\n<h1>{title}</h1>"
    )
    return "\n".join((head, *_parts(course, speak, about))) + "\n"


def _parts(course: Course, speak: Speak, about: Sequence[tuple[Text, str]]) -> Iterator[str]:
    if course.view.simulated:
        yield f'<p class="warning">{escape(speak(text("Simulated")))}</p>'
    said = course.view.prompt if course.view.step == "done" else text("Stopped before the end.")
    yield f"<p><b>{escape(speak(said))}</b></p>"
    facts = (f"<dt>{escape(speak(name))}</dt><dd>{escape(value)}</dd>" for name, value in about)
    yield f"<dl>{''.join(facts)}</dl>"
    yield _heading(speak(text("What was found")))
    found = [(sentence(speak(one.says)), one.failed, one.remedy) for one in course.findings]
    yield _list(
        f"{f'<b>{escape(says)}</b>' if failed else escape(says)} {escape(speak(remedy)) if remedy else ''}"
        for says, failed, remedy in found
    )
    if not found:
        yield f"<p>{escape(speak(text('Nothing is wrong.')))}</p>"
    asked = (
        (prompt(step, course.plan, None, passed=False, stopped=False), word)
        for step, word in course.answers.items()
    )
    yield _list(f"{escape(speak(says))} – {escape(speak(_WORDS[word]))}" for says, word in asked)
    if not course.plan.measured_only:
        yield from _contacts(course, speak)
    yield from _measured(course, speak)
    yield from _traces(course, speak)


def _heading(words: str) -> str:
    return f"<h2>{escape(words)}</h2>"


def _list(items: Iterable[str]) -> str:
    """Return a list of *items*, HTML each; nothing where there are none."""
    rows = "".join(f"<li>{item.strip()}</li>" for item in items)
    return f"<ul>{rows}</ul>" if rows else ""


def _contacts(course: Course, speak: Speak) -> Iterator[str]:
    yield _heading(speak(text("The contacts")))
    heads = (
        text("Contact"),
        text("pin"),
        text("wire"),
        text("result"),
        text("touches"),
        text("changes off / on"),
        text("longest bounce"),
    )
    yield '<div class="wide"><table>'
    yield _row("th", [speak(head) for head in heads])
    for contact in course.plan.contacts:
        colour = "" if contact.colour is None else speak(contact.colour.name)
        figures = _figures(course.readings.get(contact.line), speak)
        yield _row("td", [speak(contact.label), speak(contact.where), colour, *figures])
    yield "</table></div>"


def _row(tag: str, cells: Sequence[str]) -> str:
    kinds = [""] * 4 + [' class="figure"'] * 3
    row = (f"<{tag}{kind}>{escape(cell)}</{tag}>" for kind, cell in zip(kinds, cells, strict=True))
    return f"<tr>{''.join(row)}</tr>"


def _figures(reading: ContactReading | None, speak: Speak) -> list[str]:
    if reading is None:
        return ["–", "", "", ""]
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
    if not course.timed:
        return
    yield _heading(speak(text("How sure the stamps are")))
    for one in course.timed:
        halves = ((text("closes"), one.closing), (text("opens"), one.opening))
        yield f"<p>{escape(speak(_title(one)))}</p>"
        yield _list(
            escape(speak(text("{what}: {says}", what=name, says=_sentence(found))))
            for name, found in halves
            if found is not None
        )
    lag, u_ns = course.lag, proposed(course)
    if lag.load:
        late = text(
            "Events were in our hands {rest} after their stamps at the latest while the machine was at rest, "
            "and {load} while it was busy ({n} events): no interrupt thread was later than that.",
            rest=duration(lag.rest_ns),
            load=duration(lag.load_ns),
            n=lag.load,
        )
        yield f"<p>{escape(speak(late))}</p>"
    if u_ns is not None:
        late_us = "" if lag.late_ns is None else f"\nlate_us = {lag.late_ns / 1_000:g}"
        yield f"<p>{escape(speak(text('For the profile, under [timing]:')))}</p>"
        yield f"<pre>u_us = {u_ns / 1_000:g}{late_us}</pre>"


def _title(one: Timed) -> Text:
    lines = ", ".join(one.lines)
    if one.how == "tied":
        return text("Tied together: {lines}", lines=lines)
    if one.loaded:
        return text("Moved by an output, the machine busy: {lines}", lines=lines)
    return text("Moved by an output: {lines}", lines=lines)


def _sentence(found: Spread) -> Text:
    return texts(
        "{n} pair, median {median}, from {least} to {most}",
        "{n} pairs, median {median}, from {least} to {most}",
        n=found.pairs,
        median=_signed(found.median_ns),
        least=_signed(found.least_ns),
        most=_signed(found.most_ns),
    )


def _signed(ns: int) -> Text:
    """Return a time that may be before another."""
    return duration(ns) if ns >= 0 else Text("−{time}", {"time": duration(-ns)})


def _traces(course: Course, speak: Speak) -> Iterator[str]:
    shown = [one for one in course.readings.values() if one.failed and one.trace]
    for reading in shown:
        yield f"<p>{escape(sentence(speak(course.plan.find(reading.line).label)))}:</p>"
        rows = "\n".join(trace_rows(reading.trace, speak))
        yield f"<pre>{escape(rows)}</pre>"


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
