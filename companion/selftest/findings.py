"""What was heard, in words: a sentence for each thing that is wrong, and what to do about it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from companion.core.text import Text, listing, text, texts
from companion.core.units import duration
from companion.selftest.contact import ContactReading, Outcome
from companion.selftest.plan import SPARE, Contact, TestPlan
from companion.selftest.skew import Apart, Timed
from companion.selftest.view import Finding, Seen

# A page draws no more of a trace; the report has all of it.
MOST_SEEN = 60

SHORT: dict[Outcome, Text] = {
    "ok": text("good"),
    "bouncy": text("good, but it bounces long"),
    "slow": text("good, but its voltage crawls"),
    "bouncing": text("bounces"),
    "weak": text("closes too briefly"),
    "bridged": text("takes others along"),
    "crosstalk": text("makes others flicker"),
    "wrong": text("is heard elsewhere"),
    "silent": text("is never heard"),
    "stuck": text("is stuck"),
    "skipped": text("left out"),
}


def findings_of(plan: TestPlan, readings: Mapping[str, ContactReading]) -> tuple[Finding, ...]:
    """Return what is wrong with contacts, in the order of the plan; two that are swapped are one finding."""
    told: set[str] = set()
    found: list[Finding] = []
    for contact in plan.contacts:
        reading = readings.get(contact.line)
        if reading is None or contact.line in told:
            continue
        if reading.outcome == "wrong":
            found.append(_elsewhere(plan, contact, reading, readings))
            told.update(found[-1].lines)
        elif reading.outcome in _SAY:
            made = _SAY[reading.outcome](plan, contact, reading)
            found.append(msgspec.structs.replace(made, trace=_seen(reading)))
    return tuple(found)


def _seen(reading: ContactReading) -> tuple[Seen, ...]:
    """Return the trace of *reading*, as much of it as can be looked at."""
    return tuple(
        Seen(edge.t_ns - reading.trace[0].t_ns, edge.line, edge.level) for edge in reading.trace[:MOST_SEEN]
    )


def _elsewhere(
    plan: TestPlan, contact: Contact, reading: ContactReading, readings: Mapping[str, ContactReading]
) -> Finding:
    """Return that a contact is heard on another pin, or that two are swapped."""
    assert reading.heard is not None
    other = plan.find(reading.heard)
    back = readings.get(other.line)
    if back is not None and back.heard == contact.line:
        return Finding(
            "swapped",
            (contact.line, other.line),
            text("{a} and {b} are swapped.", a=contact.label, b=other.label),
            text(
                "At the board, exchange the wires at {a}, {one}, and {b}, {two}.",
                one=_wire(contact),
                a=contact.where,
                two=_wire(other),
                b=other.where,
            ),
        )
    says = text(
        "{a} is heard on {pin}, and belongs on {own}.", a=contact.label, pin=other.where, own=contact.where
    )
    if not other.line.startswith(SPARE):
        says = text(
            "{a} is heard on {pin}, the pin of {b}, and belongs on {own}.",
            a=contact.label,
            pin=other.where,
            b=other.label,
            own=contact.where,
        )
    move = text("Move its {wire} wire to {own}.", wire=_wire(contact), own=contact.where)
    return Finding("wrong-pin", (contact.line,), says, move)


def _silent(plan: TestPlan, contact: Contact, reading: ContactReading) -> Finding:
    return Finding(
        "silent",
        (contact.line,),
        text("{a} was never heard.", a=contact.label),
        text(
            "Measure at {own}: over 3 V open, under 0.8 V closed; or its {wire} wire is broken, or astray.",
            own=contact.where,
            wire=_wire(contact),
        ),
    )


def _stuck(plan: TestPlan, contact: Contact, reading: ContactReading) -> Finding:
    """Return that a line does not rest, or does not come back to rest."""
    closes = contact.rest == 0
    if reading.trace:
        says = (
            text("{a} stays closed once it was touched.", a=contact.label)
            if closes
            else text("{a} stays open once its spoon was taken.", a=contact.label)
        )
    else:
        says = (
            text("{a} is closed all the time.", a=contact.label)
            if closes
            else text("{a} is open all the time.", a=contact.label)
        )
    remedy = (
        text(
            "A short to ground, or a button that opens instead of closing: pull its {wire} wire off {own}.",
            wire=_wire(contact),
            own=contact.where,
        )
        if closes
        else text(
            "No spoon in it, its magnet too far or turned, or its {wire} wire is broken ({own}).",
            wire=_wire(contact),
            own=contact.where,
        )
    )
    return Finding("stuck", (contact.line,), says, remedy)


def _bouncing(plan: TestPlan, contact: Contact, reading: ContactReading) -> Finding:
    return Finding(
        "bouncing",
        (contact.line,),
        text(
            "{a} changes its mind: {n} changes in one touch, for {time} at a stretch.",
            a=contact.label,
            n=len(reading.trace),
            time=duration(_longest_ns(reading)),
        ),
        text(
            "A cold joint, a loose plug or a worn button. The judge bears {time}.",
            time=duration(plan.timing.lockout_ns),
        ),
    )


def _bouncy(plan: TestPlan, contact: Contact, reading: ContactReading) -> Finding:
    return Finding(
        "bouncy",
        (contact.line,),
        text("{a} bounces for {time}.", a=contact.label, time=duration(_longest_ns(reading))),
        text(
            "The judge bears {time}, so it can be played with; a worn button gets worse.",
            time=duration(plan.timing.lockout_ns),
        ),
        failed=False,
    )


def _slow(plan: TestPlan, contact: Contact, reading: ContactReading) -> Finding:
    return Finding(
        "slow",
        (contact.line,),
        text("{a} opens as if its voltage crawled.", a=contact.label),
        text("Is there a capacitor larger than 1 nF? Measure it with --wired."),
        failed=False,
    )


def _weak(plan: TestPlan, contact: Contact, reading: ContactReading) -> Finding:
    return Finding(
        "weak",
        (contact.line,),
        text("{a} changed only for an instant each time.", a=contact.label),
        text("A cold joint or a loose plug; a lever or magnet that does not reach its switch."),
    )


def _bridged(plan: TestPlan, contact: Contact, reading: ContactReading) -> Finding:
    return Finding(
        "bridged",
        (contact.line, *reading.others),
        text("{a} takes {others} along.", a=contact.label, others=_names(plan, reading.others)),
        text("Their wires touch, or share a pin: power off, and measure between them. It must be silent."),
    )


def _crosstalk(plan: TestPlan, contact: Contact, reading: ContactReading) -> Finding:
    return Finding(
        "crosstalk",
        (contact.line, *reading.others),
        text("{a} makes others flicker: {others}.", a=contact.label, others=_names(plan, reading.others)),
        text("Twist each pair and keep cables apart; longer ones want 4.7 kΩ and 1 nF at the pin."),
    )


_SAY: dict[Outcome, Callable[[TestPlan, Contact, ContactReading], Finding]] = {
    "silent": _silent,
    "stuck": _stuck,
    "bouncing": _bouncing,
    "bouncy": _bouncy,
    "slow": _slow,
    "weak": _weak,
    "bridged": _bridged,
    "crosstalk": _crosstalk,
}


def restless(contact: Contact, changes: int) -> Finding:
    """Return that a line changed with all hands off."""
    return Finding(
        "noisy",
        (contact.line,),
        text("{a} changed {n} times while nobody touched it.", a=contact.label, n=changes),
        text(
            "A cold joint, a cable beside the mains, or no twist: look at its {wire} wire.",
            wire=_wire(contact),
        ),
    )


def lost(times: int) -> Finding:
    """Return that the source has admitted losses."""
    return Finding(
        "lost",
        (),
        texts("Changes may have been lost, {n} time.", "Changes may have been lost, {n} times.", n=times),
        text("Is the machine busy? Test again what is doubtful."),
        failed=False,
    )


def refused(what: str) -> Finding:
    """Return that somebody looked or listened, and it was not right: lamps, screen or sounds."""
    says, remedy = _REFUSED[what]
    return Finding(what, (), says, remedy)


_REFUSED = {
    "lamps": (
        text("The lamps did not light one after the other."),
        text("Look at the order of the chips and their wires: the drawing has lamp 1 on QA of the first."),
    ),
    "screen": (
        text("The small screen did not show the test picture as it is."),
        text("Another driver, size or rotation? They stand under [oled] in the profile."),
    ),
    "sounds": (
        text("The buzzer was not heard as it should."),
        text("A piezo without electronics, 220 Ω in its wire, its other leg on ground?"),
    ),
}


def timing_findings(timed: Iterable[Timed], apart: Iterable[Apart]) -> Iterator[Finding]:
    """Yield what measurements found wrong: a large capacitor, or too little to go by."""
    for pair in apart:
        if pair.bound_ns is None:
            yield Finding(
                "few",
                (pair.line, pair.against),
                texts(
                    "{n} press is too few to say how far {lines} are apart.",
                    "{n} presses are too few to say how far {lines} are apart.",
                    n=pair.found.pairs,
                    lines=f"{pair.line}, {pair.against}",
                ),
                text("59 say what 95 of 100 presses stay within: measure again, with --presses 60."),
            )
    told: set[tuple[str, ...]] = set()
    for one in timed:
        if one.lines in told or not (one.slow or one.u_ns is None):
            continue
        told.add(one.lines)
        if one.slow:
            yield Finding(
                "slow",
                one.lines,
                text(
                    "Opening is not as quick as closing: there is a large capacitor on {lines}.",
                    lines=", ".join(one.lines),
                ),
                text("Take it out: 1 nF at most. It moves releases, and spoons, by milliseconds."),
            )
        else:
            yield Finding(
                "few",
                one.lines,
                text(
                    "Too few changes were seen on {lines} to say how sure they are.",
                    lines=", ".join(one.lines),
                ),
                text("Do the wires go where you said? Then measure again."),
            )


def sentence(said: str) -> str:
    """Return a finding in words with a capital at its beginning, where the name of a contact may stand.

    >>> sentence("nose 1 and nose 2 are swapped.")
    'Nose 1 and nose 2 are swapped.'
    """
    return said[:1].upper() + said[1:]


def _longest_ns(reading: ContactReading) -> int:
    return max((swing.span_ns for swing in (reading.away, reading.back) if swing is not None), default=0)


def _names(plan: TestPlan, lines: Iterable[str]) -> Text | str:
    return listing([plan.find(line).label for line in lines])


def _wire(contact: Contact) -> Text | str:
    return contact.colour.name if contact.colour is not None else contact.pin
