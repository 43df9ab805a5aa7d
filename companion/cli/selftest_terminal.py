"""The terminal of `lastnose selftest`: prompts and results out, answers and simulated hands in."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click
import msgspec

from companion.cli.frame import say, speak
from companion.core.errors import BadInput, CompanionError
from companion.core.model import rest_level
from companion.core.ports import StampWorth
from companion.core.text import text
from companion.selftest.script import AnswerGiven, LineMoved, Wait, read
from companion.selftest.view import SelfTestView, Tested
from companion.selftest.words import sentence
from companion.system import host_clock

if TYPE_CHECKING:
    from companion.app.selftest import SelfTestRun


class Teller:
    """Tells a terminal what is new: each prompt once, each result once, and at the end what was found.

    With *err* on standard error, where standard output is for a program.
    """

    def __init__(self, *, err: bool = False) -> None:
        self._err = err
        self._prompt: tuple[object, ...] = ()
        self._told: dict[str, Tested] = {}

    def tell(self, view: SelfTestView) -> None:
        """Print what *view* has that the one before had not."""
        for one in view.lines:
            line = one.contact.line
            if one.says is not None and self._told.get(line) != msgspec.structs.replace(one, away=False):
                self._told[line] = msgspec.structs.replace(one, away=False)
                said = text("{contact}: {says}", contact=one.contact.label, says=one.says)
                click.echo(f"    {speak(said)}", err=self._err)
        moving = view.step in ("lamps", "tied", "wired")
        asked = (view.number, view.prompt, () if moving else view.hints)
        if asked != self._prompt:
            self._prompt = asked
            click.echo("\n".join(self._asking(view)), err=self._err)

    def _asking(self, view: SelfTestView) -> Iterable[str]:
        yield f"[{view.number}/{view.of}] {speak(view.prompt)}"
        yield from (f"    {speak(hint)}" for hint in view.hints)
        if view.passed is not None:
            for finding in view.findings:
                yield f"  - {sentence(speak(finding.says))}"
                if finding.remedy is not None:
                    yield f"    {speak(finding.remedy)}"
        yield "    " + "   ".join(f"{one.key}: {speak(one.says)}" for one in view.choices)


class Keyboard(threading.Thread):
    """Reads answers, and what a hand does to simulated noses, a line each; the end of input is no answer."""

    def __init__(self, run: SelfTestRun) -> None:
        super().__init__(name="keyboard", daemon=True)
        self._run = run

    def run(self) -> None:
        """Read until there is no more."""
        for line in sys.stdin:
            try:
                self._do(line)
            except CompanionError as problem:
                say(problem.text, err=True)
        self._run.alone()

    def _do(self, line: str) -> None:
        key = line.strip()
        for choice in self._run.view.choices:
            if key == choice.key:
                self._run.say(choice.word)
                return
        for action in read(line, list(self._run.plan.lines)):
            match action:
                case AnswerGiven():
                    self._run.say(action.word)
                case Wait():
                    time.sleep(action.ms / 1_000)
                case LineMoved():
                    self._move(action)

    def _move(self, action: LineMoved) -> None:
        driver = self._run.driver
        if driver is None:
            raise BadInput(text("These noses are real: touch them."))
        level = rest_level(action.line) ^ action.away
        driver.drive(action.line, level, host_clock.now_ns(), StampWorth(1_000 + host_clock.BEHIND_NS))
