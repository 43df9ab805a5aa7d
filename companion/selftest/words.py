"""What a self-test says: what to do now, what can be answered, what is wrong, and what helps. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.core.units import duration
from lastnose.companion.selftest.contact import ContactReading, Outcome, Trial
from lastnose.companion.selftest.measurements import ENOUGH, Timed
from lastnose.companion.selftest.plan import SPARE, Contact, TestPlan
from lastnose.companion.selftest.view import Finding, Reply, Seen, Step, Word

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
    "wrong": text("heard elsewhere"),
    "silent": text("never heard"),
    "stuck": text("stuck"),
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
        elif reading.outcome in _REMEDIES:
            found.append(_found(plan, contact, reading))
    return tuple(found)


def _found(plan: TestPlan, contact: Contact, reading: ContactReading) -> Finding:
    """Return what came of a contact, what helps, and as much of its trace as can be looked at."""
    trace = reading.trace[:MOST_SEEN]
    return Finding(
        reading.outcome,
        (contact.line, *reading.others),
        _came(contact, reading.outcome),
        _REMEDIES[reading.outcome](plan, contact, reading),
        failed=reading.failed,
        trace=tuple(Seen(edge.t_ns - trace[0].t_ns, edge.line, edge.level) for edge in trace),
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
            text(
                "{a} and {b} are swapped: at the board, exchange the wires at {here}, {one}, and {there}, "
                "{two}.",
                a=contact.label,
                b=other.label,
                one=_wire(contact),
                here=contact.where,
                two=_wire(other),
                there=other.where,
            ),
        )
    move = text(
        "It is heard at {b}: move its {wire} wire to {own}.",
        b=_said(other),
        wire=_wire(contact),
        own=contact.where,
    )
    return Finding("wrong-pin", (contact.line,), _came(contact, "wrong"), move)


def _said(other: Contact) -> Text | str:
    """Return what to call a contact that is heard instead, with its pin."""
    if other.line.startswith(SPARE):
        return other.where
    return Text("{name}, {place}", {"name": other.label, "place": other.where})


def _came(contact: Contact, outcome: Outcome) -> Text:
    return text("{what}: {says}.", what=contact.label, says=SHORT[outcome])


def _silent(plan: TestPlan, contact: Contact, reading: ContactReading) -> Text:
    return text(
        "Measure at {own}: over 3 V open, under 0.8 V closed; or its {wire} wire is broken, or astray.",
        own=contact.where,
        wire=_wire(contact),
    )


def _stuck(plan: TestPlan, contact: Contact, reading: ContactReading) -> Text:
    """Say what helps a line that does not rest, or does not come back to rest."""
    if contact.rest == 0:
        return text(
            "It stays closed: a short to ground, or a button that opens instead of closing. Pull its {wire} "
            "wire off {own}.",
            wire=_wire(contact),
            own=contact.where,
        )
    return text(
        "It stays open: no spoon in it, its magnet too far or turned, or its {wire} wire is broken ({own}).",
        wire=_wire(contact),
        own=contact.where,
    )


def _bouncing(plan: TestPlan, contact: Contact, reading: ContactReading) -> Text:
    swings = (reading.away, reading.back)
    return text(
        "For {time}; the judge copes with {copes}. A cold joint, a loose plug, or a worn button, which "
        "gets worse.",
        time=duration(max((swing.span_ns for swing in swings if swing is not None), default=0)),
        copes=duration(plan.timing.lockout_ns),
    )


def _slow(plan: TestPlan, contact: Contact, reading: ContactReading) -> Text:
    return text("Is there a capacitor larger than 1 nF? Measure it with --wired.")


def _weak(plan: TestPlan, contact: Contact, reading: ContactReading) -> Text:
    return text("A cold joint or a loose plug; a lever or magnet that does not reach its switch.")


def _bridged(plan: TestPlan, contact: Contact, reading: ContactReading) -> Text:
    return text(
        "With {others}: their wires touch, or share a pin. Power off, and measure between them: it must "
        "be silent.",
        others=_names(plan, reading.others),
    )


def _crosstalk(plan: TestPlan, contact: Contact, reading: ContactReading) -> Text:
    return text(
        "With {others}: twist each pair and keep cables apart; longer ones want 4.7 kΩ and 1 nF at the pin.",
        others=_names(plan, reading.others),
    )


_REMEDIES: dict[Outcome, Callable[[TestPlan, Contact, ContactReading], Text]] = {
    "silent": _silent,
    "stuck": _stuck,
    "bouncing": _bouncing,
    "bouncy": _bouncing,
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
        text(
            "{a} changed {n} times while nobody touched it. A cold joint, a cable beside the mains, or no "
            "twist: look at its {wire} wire.",
            a=contact.label,
            n=changes,
            wire=_wire(contact),
        ),
    )


def lost(times: int) -> Finding:
    """Return that the source has admitted losses."""
    return Finding(
        "lost",
        (),
        texts(
            "Changes may have been lost, {n} time. Is the machine busy? Test again what is doubtful.",
            "Changes may have been lost, {n} times. Is the machine busy? Test again what is doubtful.",
            n=times,
        ),
        failed=False,
    )


def refused(what: str) -> Finding:
    """Return that somebody looked or listened, and it was not right: lamps, screen or sounds."""
    return Finding(what, (), _REFUSED[what])


_REFUSED = {
    "lamps": text(
        "The lamps do not light one after the other: look at the order of the chips and their wires; the "
        "drawing has lamp 1 on QA of the first."
    ),
    "screen": text(
        "The small screen does not show the test picture. Another driver, size or rotation? They stand under "
        "[oled] in the profile."
    ),
    "sounds": text(
        "The buzzer is not heard as it should. A piezo without electronics, 220 Ω in its wire, its other "
        "leg on ground?"
    ),
}


def timing_findings(timed: Iterable[Timed]) -> Iterator[Finding]:
    """Yield what measurements found wrong: a large capacitor, or too little to go by."""
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
                    "Opening is not as quick as closing: there is a large capacitor on {lines}. Take it out "
                    "(1 nF at most): it moves releases, and spoons, by milliseconds.",
                    lines=", ".join(one.lines),
                ),
            )
        else:
            yield Finding(
                "few",
                one.lines,
                text(
                    "Too few changes were seen on {lines} to say how sure they are. Do the wires go where "
                    "you said? Then measure again.",
                    lines=", ".join(one.lines),
                ),
            )


def sentence(said: str) -> str:
    """Return a finding in words with a capital at its beginning, where the name of a contact may stand.

    >>> sentence("nose 1 and nose 2 are swapped.")
    'Nose 1 and nose 2 are swapped.'
    """
    return said[:1].upper() + said[1:]


def _names(plan: TestPlan, lines: Iterable[str]) -> Text | str:
    return listing([plan.find(line).label for line in lines])


def _wire(contact: Contact) -> Text | str:
    return contact.colour.name if contact.colour is not None else contact.pin


# ---- what to do now

_NOTHING = Reply("nothing", text("Nothing happens"), "n")
_SKIP = Reply("skip", text("Leave it out"), "s")
_BACK = Reply("back", text("Back"), "b")
_YES = Reply("yes", text("Yes"), "y")
_NO = Reply("no", text("No"), "n")
_STOP = Reply("stop", text("Stop here"), "q")
_LEAVE = Reply("leave", text("Finish"), "q")

_CHOICES: dict[Step, tuple[Reply, ...]] = {
    "rest": (_STOP,),
    "contact": (_NOTHING, _SKIP, _BACK, _STOP),
    "tied": (_SKIP, _BACK, _STOP),
    "wired": (_SKIP, _BACK, _STOP),
    "lamps": (_YES, _NO, _SKIP, _BACK, _STOP),
    "screen": (_YES, _NO, _SKIP, _BACK, _STOP),
    "sounds": (_YES, _NO, _SKIP, _BACK, _STOP),
    "done": (_LEAVE,),
}


def choices(step: Step) -> tuple[Reply, ...]:
    """Return what can be answered in *step*."""
    return _CHOICES[step]


def not_now(word: Word) -> Text:
    """Return the refusal of a word that does not fit the step."""
    return text("“{word}” does not answer what is asked now. Look at the page again.", word=word)


def prompt(step: Step, plan: TestPlan, contact: Contact | None, *, passed: bool, stopped: bool) -> Text:
    """Return what to do now, as one sentence."""
    if contact is not None:
        return _TOUCH[contact.kind](contact)
    match step:
        case "rest":
            return text("Hands off everything, and every spoon in its cradle.")
        case "tied":
            assert plan.tied is not None
            one, other = (plan.find(line) for line in plan.tied)
            return text(
                "Tie the terminals of {a} and {b} together, and press {a} {n} times.",
                a=one.label,
                b=other.label,
                n=ENOUGH,
            )
        case "wired":
            assert plan.wired is not None
            pin, lines = plan.wired
            moved = listing([plan.find(line).label for line in lines])
            return text("GPIO{pin} moves {line} now: hands off.", pin=pin, line=moved)
        case "lamps":
            return text("Do the lamps light one after the other, from 1 to {n}?", n=plan.lamps)
        case "screen":
            return text("Does the small screen show a frame along all four edges, and an even chessboard?")
        case "sounds":
            return text("Does the buzzer play five short tunes, one after the other?")
    if stopped:
        return text("Stopped before the end.")
    return text("All is well: play.") if passed else text("Not all is well yet.")


_TOUCH = {
    "nose": lambda contact: text("Touch {a}, and let go.", a=contact.label),
    "spoon": lambda contact: text("Take {a} out, and lay it back.", a=contact.label),
    "dock": lambda contact: text("Lay a spoon into {a}, and take it out again.", a=contact.label),
    "host": lambda contact: text("Press the host button, and let go."),
}


def hints(step: Step, plan: TestPlan, trial: Trial | None, progress: tuple[int, int]) -> tuple[Text, ...]:
    """Return what helps with it: the wire and the pin, what was heard instead, how far it is."""
    if trial is not None:
        return _about(plan, trial)
    if step == "tied":
        return (text("{have} of {n}", have=progress[0], n=progress[1]),)
    if step == "wired":
        return (text("{have} of {n}", have=progress[0] // 20 * 20, n=progress[1]),)
    if step == "lamps":
        return (text("Now lamp {n}.", n=progress[0]),)
    return ()


def _about(plan: TestPlan, trial: Trial) -> tuple[Text, ...]:
    contact = trial.contact
    assert contact.colour is not None
    said = [text("Its wire is {colour}, at {own}.", colour=contact.colour.name, own=contact.where)]
    if trial.blocked:
        said.append(
            text("It is closed already: let go of it.")
            if contact.rest == 0
            else text("It is open already: is the spoon in its cradle?")
        )
    if trial.wrong is not None:
        other = plan.find(trial.wrong)
        said.append(text("That was {b}. Once more: {a}.", b=_said(other), a=contact.label))
    if trial.weak:
        said.append(text("That was very short. Once more, and hold it a moment."))
    return tuple(said)
