"""The way through a self-test: inputs, words and time in, a view out. Pure.

`feed` what a source tells, `say` what a person chose, `advance` the time; then look at `view`. Time is
CLOCK_MONOTONIC in ns, as everywhere; a script may bring its own. A contact is judged by what sources promise
to have told in full: on a busy machine edges come late.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import get_args

import msgspec
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.core.model import Edge, Gap, Input, Levels, Watermark, rest_level
from lastnose.companion.core.ports import Lamp, Signal
from lastnose.companion.core.text import english
from lastnose.companion.selftest import words
from lastnose.companion.selftest.contact import MS, ContactReading, Trial
from lastnose.companion.selftest.measurements import (
    Lag,
    Measurement,
    OutputWrite,
    Timed,
    Together,
    Wired,
    measurement_of,
)
from lastnose.companion.selftest.plan import Contact, TestPlan
from lastnose.companion.selftest.view import Finding, SelfTestView, Step, Tested, Word
from lastnose.companion.selftest.words import SHORT, findings_of, lost, refused, restless, timing_findings

REST_NS = 2_000 * MS
# A source that has promised nothing for so long is not waited for.
MUTE_NS = 5_000 * MS
RESTLESS_EDGES = 4
LAMP_NS = 700 * MS
SOUND_NS = 1_500 * MS
TUNES: tuple[Signal, ...] = ("armed", "opened", "decided", "dead-heat", "letter")


class Course:
    """A self-test of *plan*, begun at *now_ns*. It belongs to one thread."""

    def __init__(self, plan: TestPlan, now_ns: int, *, simulated: bool = False) -> None:
        self.plan = plan
        self.readings: dict[str, ContactReading] = {}
        self.timed: list[Timed] = []
        self.lag = Lag()
        self.stopped = False
        self._simulated = simulated
        self._now_ns = now_ns
        self._levels: dict[str, int] = {}
        self._known: set[str] = set()
        self._measuring: Measurement | None = None
        self._rest: list[Edge] = []
        self._promised_ns: dict[str, int] = {}
        self._gaps = 0
        self.answers: dict[Step, Word] = {}
        self._turn = -1
        self._restless: list[Finding] = []
        self._signals: tuple[tuple[Signal, ...], int] = ((), 0)
        self._steps = tuple(_steps(plan))
        self._at = 0
        self._since_ns = now_ns
        self._trial: Trial | None = None
        self._version = 0
        self.left = False
        self.view = self._look()

    # ---- what comes in

    def feed(self, item: Input) -> None:
        """Take what a source tells."""
        if isinstance(item, Levels):
            self._levels |= {line: level for line, level in item.levels.items() if line in self.plan.lines}
            if not set(self.plan.lines) - self._levels.keys() and not self._known:
                self._known = set(self._levels)
                self._since_ns = self._now_ns
        elif isinstance(item, Gap):
            self._gaps += 1
        elif isinstance(item, Watermark):
            self._promised_ns[item.source] = item.t_ns
        elif isinstance(item, Edge) and item.line in self.plan.lines:
            self._levels[item.line] = item.level
            self._edge(item)
        self._refresh()

    def wrote(self, write: OutputWrite) -> None:
        """Take a write to the output that is wired to inputs."""
        if isinstance(self._measuring, Wired):
            self._measuring.writes.append(write)

    def handed(self, events: int, most_ns: int) -> None:
        """Take how many events were handed over so far, and how long after its stamp the latest was."""
        if self.wants_load:
            self.lag = msgspec.structs.replace(self.lag, load=events - self.lag.rest, load_ns=most_ns)
        elif not self.lag.load:
            self.lag = Lag(events, most_ns)

    def say(self, word: Word) -> None:
        """Do what a person chose; raise NotNow when it is not to be chosen now."""
        if word not in {choice.word for choice in self.view.choices}:
            raise NotNow(words.not_now(word))
        step, _ = self._steps[self._at]
        if word == "stop":
            self.stopped = True
            self._at = len(self._steps) - 1
        elif word == "leave":
            self.left = True
        elif word == "back":
            self._go(self._at - 1)
        elif step in ("lamps", "screen", "sounds"):
            self.answers[step] = word
            self._next()
        elif self._trial is not None:
            reading = self._trial.give_up() if word == "nothing" else None
            line = self._trial.contact.line
            self._conclude(reading or ContactReading(line, "skipped"))
        else:
            self.answers[step] = word
            self._next()
        self._refresh()

    def advance(self, now_ns: int) -> None:
        """Let it be *now_ns*."""
        self._now_ns = max(self._now_ns, now_ns)
        step, _ = self._steps[self._at]
        if step == "rest" and self._known and self._elapsed_ns() >= REST_NS:
            self._rested()
            self._next()
        elif self._trial is not None:
            reading = self._trial.verdict(self._told_ns)
            if reading is not None:
                self._conclude(reading)
        elif self._measuring is not None and self._measuring.done(self._told_ns):
            self._measured(self._measuring)
        elif step == "sounds":
            self._sound()
        self._refresh()

    # ---- what is wanted of the outputs

    @property
    def wants_write(self) -> int | None:
        """Return the level that the wired output should make its lines read now, None when it need not."""
        measuring = self._measuring
        if not isinstance(measuring, Wired) or not self._known:
            return None
        return measuring.wants_write(self._now_ns)

    @property
    def wants_load(self) -> bool:
        """Whether the machine is to be kept busy now."""
        return isinstance(self._measuring, Wired) and self._measuring.wants_load

    # ---- the way

    def _edge(self, edge: Edge) -> None:
        step, _ = self._steps[self._at]
        if step == "rest":
            self._rest.append(edge)
        elif self._trial is not None:
            self._trial.take(edge)
        elif self._measuring is not None:
            self._measuring.take(edge)

    def _elapsed_ns(self) -> int:
        return self._now_ns - self._since_ns

    @property
    def _told_ns(self) -> int:
        """Return the time up to which every edge has been fed: now, for sources that never promise."""
        told_ns = min(self._promised_ns.values(), default=self._now_ns)
        return max(min(told_ns, self._now_ns), self._now_ns - MUTE_NS)

    def _next(self) -> None:
        self._go(self._at + 1)

    def _go(self, at: int) -> None:
        """Begin the step at *at* again."""
        self._at = min(max(at, 0), len(self._steps) - 1)
        step, contact = self._steps[self._at]
        self.answers.pop(step, None)
        if step == "rest":
            self._rest = []
        self._since_ns = self._now_ns
        self._measuring = measurement_of(step, self.plan, self._now_ns)
        self._trial = None
        if contact is not None and step == "contact":
            self._trial = Trial(
                contact,
                self.plan.lines,
                self._levels,
                self.plan.timing,
                self._now_ns,
                frozenset(line for finding in self._restless for line in finding.lines),
            )
        self._turn = -1

    def _conclude(self, reading: ContactReading) -> None:
        self.readings[reading.line] = reading
        self._next()

    def _rested(self) -> None:
        """Look at what moved while nobody touched anything."""
        count = Counter(edge.line for edge in self._rest)
        self._restless = [
            restless(contact, count[contact.line])
            for contact in self.plan.contacts
            if count[contact.line] >= RESTLESS_EDGES
        ]

    def _measured(self, measuring: Measurement) -> None:
        """Keep what a measurement says in place of what it said before."""
        if isinstance(measuring, Wired):
            self.timed = [one for one in self.timed if one.how == "tied"] + [*measuring.timed()]
        elif isinstance(measuring, Together):
            self.timed = [one for one in self.timed if one.how != "tied"] + [measuring.tied()]
        self._next()

    def _sound(self) -> None:
        turn = self._elapsed_ns() // SOUND_NS
        if turn != self._turn:
            self._turn = turn
            self._signals = ((TUNES[turn % len(TUNES)],), self._signals[1] + 1)

    # ---- what is seen

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything found so far."""
        return (
            *self._restless,
            *findings_of(self.plan, self.readings),
            *timing_findings(self.timed),
            *(refused(step) for step, word in self.answers.items() if word == "no"),
            *([lost(self._gaps)] if self._gaps else []),
        )

    @property
    def left_out(self) -> tuple[Step, ...]:
        """The steps that were left out, contacts aside."""
        return tuple(step for step, word in self.answers.items() if word == "skip")

    @property
    def passed(self) -> bool:
        """Whether all was gone through and nothing failed."""
        skipped = any(reading.outcome == "skipped" for reading in self.readings.values())
        every = self.plan.measured_only or len(self.readings) == len(self.plan.contacts)
        whole = every and not skipped and not self.left_out
        return whole and not self.stopped and not any(finding.failed for finding in self.findings)

    def _refresh(self) -> None:
        """Make the view again if it differs."""
        made = self._look()
        if msgspec.structs.replace(made, version=self._version) != self.view:
            self._version += 1
            self.view = msgspec.structs.replace(made, version=self._version)

    def _look(self) -> SelfTestView:
        step, contact = self._steps[self._at]
        done = step == "done"
        return SelfTestView(
            version=self._version,
            step=step,
            number=self._at + 1,
            of=len(self._steps),
            prompt=words.prompt(step, self.plan, contact, passed=self.passed, stopped=self.stopped),
            hints=words.hints(step, self.plan, self._trial, self._progress(step)),
            contact=contact,
            choices=words.choices(step),
            lines=tuple(self._line(one) for one in self.plan.contacts),
            spares=tuple(self._line(one) for one in self.plan.spares),
            findings=self.findings,
            lamps=self._lamps(step, contact),
            signals=self._signals[0],
            signalled=self._signals[1],
            picture=step == "screen",
            passed=self.passed if done else None,
            simulated=self._simulated,
            profile=self.plan.profile,
        )

    def _progress(self, step: Step) -> tuple[int, int]:
        """Return how many of how many have been measured, or which lamp of how many is lit."""
        if self._measuring is not None:
            return self._measuring.progress
        return (self._lit(), self.plan.lamps) if step == "lamps" else (0, 0)

    def _lit(self) -> int:
        return self._elapsed_ns() // LAMP_NS % self.plan.lamps + 1

    def _line(self, contact: Contact) -> Tested:
        reading = self.readings.get(contact.line)
        away = self._levels.get(contact.line, contact.rest) != contact.rest
        if reading is None:
            return Tested(contact, away)
        return Tested(contact, away, reading.outcome, SHORT[reading.outcome])

    def _lamps(self, step: Step, contact: Contact | None) -> tuple[Lamp, ...]:
        """Return the lamps: at the nose that is asked for, each in turn, or at the good ones at the end."""
        lit: set[int] = set()
        if step == "lamps":
            lit = {self._lit()}
        elif contact is not None and contact.kind == "nose":
            lit = {int(contact.line.partition(".")[2])}
        elif step == "done":
            good = [line for line, reading in self.readings.items() if reading.outcome == "ok"]
            lit = {int(line.partition(".")[2]) for line in good if line.startswith("nose.")}
        return tuple(
            Lamp(number, f"nose.{number}", "on" if number in lit else "off")
            for number in range(1, self.plan.lamps + 1)
        )


def _steps(plan: TestPlan) -> Iterator[tuple[Step, Contact | None]]:
    yield "rest", None
    if not plan.measured_only:
        yield from (("contact", contact) for contact in plan.contacts)
    if plan.tied is not None:
        yield "tied", None
    if plan.wired is not None:
        yield "wired", None
    if not plan.measured_only:
        shown: tuple[tuple[bool, Step], ...] = (
            (plan.lamps > 0, "lamps"),
            (plan.screen, "screen"),
            (plan.buzzer, "sounds"),
        )
        yield from ((step, None) for wanted, step in shown if wanted)
    yield "done", None


# ---- What a hand does, in words a line: for scripts, and for a keyboard before simulated noses. Pure.
#
# `touch nose.1` (several lines: all at once), `away nose.1`, `back nose.1`, `wait 500` (ms), and the answers
# of the self-test: `yes`, `no`, `nothing`, `skip`, `back`, `stop`. What follows a `#` is for people.

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
                    english(
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
        english(
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
