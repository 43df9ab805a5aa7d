"""The way through a self-test: inputs, words and time in, a view out. Pure.

`feed` what a source tells, `say` what a person chose, `advance` the time; then look at `view`. Time is
CLOCK_MONOTONIC in ns, as everywhere; a script may bring its own. A contact is judged by what sources promise
to have told in full: on a busy machine edges come late.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from companion.errors import NotNow
from companion.model import Edge, Gap, Input, Levels, Watermark
from companion.ports import Lamp, Signal
from companion.selftest import prompts
from companion.selftest.contact import MS, Reading, Trial
from companion.selftest.findings import SHORT, findings_of, lost, refused, restless, timing_findings
from companion.selftest.plan import Contact, Plan
from companion.selftest.skew import ENOUGH, Timed, Write, measure_tied, measure_wired
from companion.selftest.trains import trains_of
from companion.selftest.view import Finding, SelfTestView, Step, Tested, Word

REST_NS = 2_000 * MS
# A source that has promised nothing for so long is not waited for.
MUTE_NS = 5_000 * MS
RESTLESS_EDGES = 4
LAMP_NS = 700 * MS
SOUND_NS = 1_500 * MS
WRITE_NS = 20 * MS
WRITES = 100
TUNES: tuple[Signal, ...] = ("armed", "opened", "decided", "dead-heat", "letter")


class Course:
    """A self-test of *plan*, begun at *now_ns*. It belongs to one thread."""

    def __init__(self, plan: Plan, now_ns: int, *, simulated: bool = False) -> None:
        self.plan = plan
        self.readings: dict[str, Reading] = {}
        self.timed: list[Timed] = []
        self.stopped = False
        self._simulated = simulated
        self._now_ns = now_ns
        self._levels: dict[str, int] = {}
        self._known: set[str] = set()
        self._edges: list[Edge] = []
        self._writes: list[Write] = []
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

    def wrote(self, write: Write) -> None:
        """Take a write to the output that is wired to an input."""
        self._writes.append(write)

    def say(self, word: Word) -> None:
        """Do what a person chose; raise NotNow when it is not to be chosen now."""
        if word not in {choice.word for choice in self.view.choices}:
            raise NotNow(prompts.not_now(word))
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
            self._conclude(reading or Reading(line, "skipped"))
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
        elif (step == "tied" and self._tied_enough()) or (step == "wired" and self._written_out()):
            self._measured()
        elif step == "sounds":
            self._sound()
        self._refresh()

    # ---- what is wanted of the outputs

    @property
    def wants_write(self) -> int | None:
        """Return the level that the wired output should make its line read now, None when it need not."""
        step, _ = self._steps[self._at]
        if step != "wired" or len(self._writes) >= WRITES or not self._known:
            return None
        before_ns = self._writes[-1].after_ns if self._writes else self._since_ns
        return (len(self._writes) + 1) % 2 if self._now_ns - before_ns >= WRITE_NS else None

    # ---- the way

    def _edge(self, edge: Edge) -> None:
        step, _ = self._steps[self._at]
        if step == "rest":
            self._rest.append(edge)
        elif self._trial is not None:
            self._trial.take(edge)
        elif step in ("tied", "wired"):
            self._edges.append(edge)

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
        """Begin the step at *at* anew."""
        self._at = min(max(at, 0), len(self._steps) - 1)
        step, contact = self._steps[self._at]
        self.answers.pop(step, None)
        if step == "rest":
            self._rest = []
        self._since_ns = self._now_ns
        self._edges, self._writes = [], []
        self._trial = None
        if contact is not None:
            self._trial = Trial(
                contact,
                self.plan.lines,
                self._levels,
                self.plan.timing,
                self._now_ns,
                frozenset(line for finding in self._restless for line in finding.lines),
            )
        self._turn = -1

    def _conclude(self, reading: Reading) -> None:
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

    def _tied_enough(self) -> bool:
        assert self.plan.tied is not None
        trains = trains_of(self._edges, self.plan.tied[0])
        quiet = not trains or self._told_ns - trains[-1].end_ns > 300 * MS
        return len(trains) >= 2 * ENOUGH and quiet

    def _written_out(self) -> bool:
        return len(self._writes) >= WRITES and self._told_ns - self._writes[-1].after_ns > 20 * WRITE_NS

    def _measured(self) -> None:
        step, _ = self._steps[self._at]
        self.timed = [one for one in self.timed if one.how != step]
        if step == "tied":
            assert self.plan.tied is not None
            self.timed.append(measure_tied(self._edges, self.plan.tied))
        else:
            assert self.plan.wired is not None
            self.timed.append(measure_wired(self._writes, self._edges, self.plan.wired[1]))
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
        whole = len(self.readings) == len(self.plan.contacts) and not skipped and not self.left_out
        return whole and not self.stopped and not any(finding.failed for finding in self.findings)

    def _refresh(self) -> None:
        """Make the view anew if it differs."""
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
            prompt=prompts.prompt(step, self.plan, contact, passed=self.passed, stopped=self.stopped),
            hints=prompts.hints(step, self.plan, self._trial, self._progress(step)),
            contact=contact,
            choices=prompts.choices(step),
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

    def _progress(self, step: Step) -> int:
        """Return how many pairs have been seen, or which lamp is lit."""
        if step == "tied" and self.plan.tied is not None:
            return len(trains_of(self._edges, self.plan.tied[0]))
        if step == "wired":
            return len(self._writes)
        return self._lit() if step == "lamps" else 0

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


def _steps(plan: Plan) -> Iterator[tuple[Step, Contact | None]]:
    yield "rest", None
    for contact in plan.contacts:
        yield "contact", contact
    for wanted, step in (
        (plan.tied is not None, "tied"),
        (plan.wired is not None, "wired"),
        (plan.lamps > 0, "lamps"),
        (plan.screen, "screen"),
        (plan.buzzer, "sounds"),
    ):
        if wanted:
            yield step, None  # type: ignore[misc]
    yield "done", None
