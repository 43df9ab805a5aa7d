"""`lastnose selftest`: is the table wired as its profile says, and how sure are its stamps?"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec
from lastnose.companion.app.selftest import about, keep, keep_calibration
from lastnose.companion.cli.frame import (
    A_FILE,
    FOLDER,
    bad_option,
    data_option,
    define,
    json_option,
    language,
    option,
    print_json,
    say,
    say_pin,
    speak,
)
from lastnose.companion.cli.table_options import (
    beside_option,
    boxes_option,
    lan_option,
    oled_option,
    port_option,
    profile_option,
    source_option,
)
from lastnose.companion.config import PAGES
from lastnose.companion.config.settings import RunSettings, on_a_pi, run_settings
from lastnose.companion.core.errors import BadInput, CompanionError, unreadable
from lastnose.companion.core.model import rest_level
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.selftest.course import AnswerGiven, Course, LineMoved, Wait, play, read
from lastnose.companion.selftest.plan import (
    WIRED,
    TestPlan,
    contacts_of,
    read_pair,
    read_wired,
    spare_pins,
    spares_of,
)
from lastnose.companion.selftest.report import as_json as as_json_report
from lastnose.companion.selftest.view import SelfTestView, Tested
from lastnose.companion.selftest.words import sentence
from lastnose.companion.system import host_clock
from lastnose.companion.wiring.profile import OledSettings

if TYPE_CHECKING:
    from lastnose.companion.app.selftest import SelfTestRun


MEASURE_ONLY = text("Leave out contacts, lamps, screen and sounds: measure only, with --wired or --tied.")
SIMULATED_PROFILE = "home4"


@define(
    "selftest",
    examples=[
        "lastnose selftest --profile home6",
        "lastnose selftest --source mock",
        "lastnose selftest --profile home6 --tied nose.1,nose.2",
        "lastnose selftest --profile home6 --wired 17:nose.1 --json",
        "lastnose selftest --profile home6 --measure-only --wired 17:all --changes 10000",
    ],
)
@source_option()
@profile_option
@boxes_option
@beside_option
@option(
    "--tied",
    metavar="LINE,LINE",
    help=text("Two lines whose terminals you tie together, to measure how far their stamps are apart."),
)
@option("--wired", metavar="PIN:LINE,…", help=WIRED)
@option(
    "--changes",
    type=click.IntRange(40, 100_000),
    default=1_000,
    show_default=True,
    metavar="N",
    help=text("How often --wired moves its lines."),
)
@option("--measure-only", is_flag=True, help=MEASURE_ONLY)
@option(
    "--output",
    "-o",
    type=FOLDER,
    help=text("The folder of the report; otherwise “selftests” in the data folder."),
)
@option(
    "--script",
    type=A_FILE,
    help=text("For --source mock: what the hand does, a line each, such as “touch nose.1” or “yes”."),
)
@data_option
@port_option
@option("--page/--no-page", default=True, show_default=True, help=text("Show it on a page as well."))
@lan_option
@oled_option
@json_option
def command(
    source: str | None,
    profile: str | None,
    tied: str | None,
    wired: str | None,
    changes: int,
    measure_only: bool,
    output: Path | None,
    script: Path | None,
    page: bool,
    as_json: bool,
    **given: Any,
) -> int:
    """Go through it, write the report, and return 1 when something is not well."""
    if source == PAGES or (source is None and not given["boxes"] and not on_a_pi()):
        raise BadInput(text("Nothing is wired here: test a box with --source box, or try --source mock."))
    profile = profile or (SIMULATED_PROFILE if source == "mock" else None)
    settings = run_settings(source=source, profile=profile, language=language(), **given)
    if measure_only and tied is None and wired is None:
        wired = _pretended(settings)
    plan = make_plan(settings, tied, wired, changes=changes, measured_only=measure_only)
    if source == "mock" and given["oled"] is None:
        no_screen = msgspec.structs.replace(settings.profile, oled=OledSettings())
        settings = msgspec.structs.replace(settings, profile=no_screen)
    made = _go_through(settings, plan, script, page=page, quiet=as_json)
    _keep(settings, made, output, as_json=as_json)
    return 0 if made.course.passed else 1


def _pretended(settings: RunSettings) -> str:
    """Return a free pin of a simulated table, wired to all; raise BadInput where that takes a real wire."""
    if settings.source != "mock":
        raise bad_option("--measure-only", MEASURE_ONLY)
    taken = {use.pin for use in settings.profile.uses()}
    return f"{next(pin for pin in count(2) if pin not in taken)}:all"


class FinishedTest(NamedTuple):
    """A self-test that was gone through, what devices complained of, and the boxes that took part."""

    course: Course
    faults: list[Text]
    boxes: tuple[tuple[str, str], ...] = ()


def _go_through(
    settings: RunSettings, plan: TestPlan, script: Path | None, *, page: bool, quiet: bool
) -> FinishedTest:
    if script is None:
        return _live(settings, plan, page=page, quiet=quiet)
    course = _scripted(plan, script, settings)
    Teller(err=quiet).tell(course.view)
    return FinishedTest(course, [])


def _keep(settings: RunSettings, made: FinishedTest, output: Path | None, *, as_json: bool) -> None:
    """Write the report and what the table counts on from now, and say where."""
    course = made.course
    facts = about(settings, made.boxes, made.faults, speak)
    paths = keep(output or settings.data_dir / "selftests", course, facts, speak, language())
    if as_json:
        print_json(as_json_report(course, speak, **facts))
    for path in paths:
        say(text("Written: {file}", file=str(path)), err=as_json)
    kept = keep_calibration(settings, course, facts["at"])
    if kept is not None:
        say(text("What this table counts on from now: {path}", path=str(kept)), err=as_json)


def make_plan(
    settings: RunSettings,
    tied: str | None = None,
    wired: str | None = None,
    *,
    changes: int = 1_000,
    measured_only: bool = False,
) -> TestPlan:
    """Return what there is to test; raise BadInput when a measurement is not one."""
    profile = settings.profile
    contacts = tuple(
        contact
        for number, lines in enumerate(settings.wirings)
        for contact in contacts_of(
            settings.beside if settings.beside is not None and number == len(settings.boxes) else profile,
            lines,
        )
    )
    lines = [contact.line for contact in contacts]
    taken = [use.pin for use in profile.uses() if use.board != "pico"]
    moved = None if wired is None else read_wired(wired, lines, taken)
    free = {line: pin for line, pin in spare_pins(profile).items() if moved is None or pin != moved[0]}
    return TestPlan(
        profile.name,
        contacts,
        () if settings.source == "box" else spares_of(profile, free),
        profile.timing,
        lamps=len(settings.noses) if profile.pins.leds or profile.pins.lamps else 0,
        screen=settings.oled.driver != "none",
        buzzer=profile.pins.buzzer is not None,
        tied=None if tied is None else read_pair(tied, lines, what=f"--tied {tied}"),
        wired=moved,
        changes=changes,
        measured_only=measured_only,
    )


# ---- by a script


def _scripted(plan: TestPlan, script: Path, settings: RunSettings) -> Course:
    """Go through it by a script, in its own time."""
    if settings.source != "mock":
        raise BadInput(english("A script moves simulated noses: --script goes with --source mock."))
    course = Course(plan, 0, simulated=True)
    try:
        written = script.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(unreadable(script, error)) from None
    actions = [action for line in written for action in read(line, list(plan.lines))]
    play(course, tuple(actions))
    return course


# ---- by hand


def _live(settings: RunSettings, plan: TestPlan, *, page: bool, quiet: bool) -> FinishedTest:
    """Go through it with people, on terminal, small screen and page."""
    from lastnose.companion.app.selftest import SelfTestRun
    from lastnose.companion.cli.run import told_to_leave

    told = told_to_leave()
    run = SelfTestRun(settings, plan, page=page, listen=Teller(err=quiet).tell)
    try:
        urls = run.start()
        _announce(run, urls, quiet)
        threading.Thread(target=_leave_when, args=(told, run), daemon=True).start()
        Keyboard(run).start()
        run.wait()
        return FinishedTest(run.course, run.faults, run.boxes)
    finally:
        run.stop()


def _leave_when(told: Callable[[], int], run: SelfTestRun) -> None:
    told()
    run.leave()


def _announce(run: SelfTestRun, urls: tuple[str, ...], quiet: bool) -> None:
    if run.simulated:
        say(text("SIMULATED: type “touch nose.1”, or use the page."), err=quiet)
    for url in urls:
        say(text("The page is at {url}", url=url), err=quiet)
    if run.access.lan:
        say_pin(run.access.pin, run.settings.data_dir, err=quiet)


# ---- terminal


class Teller:
    """Tells a terminal what is new: each prompt once, each result once, and at the end what was found.

    With *err* on standard error, where standard output is for a program.
    """

    def __init__(self, *, err: bool = False) -> None:
        self._err = err
        self._prompt: tuple[object, ...] = ()
        self._count: tuple[Text, ...] = ()  # what a terminal shows in one place, as it counts
        self._told: dict[str, Tested] = {}

    def tell(self, view: SelfTestView) -> None:
        """Print what *view* has that the one before had not."""
        for one in view.lines:
            line = one.contact.line
            if one.says is not None and self._told.get(line) != msgspec.structs.replace(one, away=False):
                self._told[line] = msgspec.structs.replace(one, away=False)
                said = text("{what}: {says}", what=one.contact.label, says=one.says)
                click.echo(f"    {speak(said)}", err=self._err)
        moving = view.step in ("lamps", "tied", "wired")
        asked = (view.number, view.prompt, () if moving else view.hints)
        if asked != self._prompt:
            self._prompt = asked
            if self._count:
                click.echo(err=self._err)
            self._count = ()
            click.echo("\n".join(self._asking(view)), err=self._err)
        elif moving and view.hints != self._count and (sys.stderr if self._err else sys.stdout).isatty():
            self._count = view.hints
            click.echo("".join(f"\r    {speak(hint)}" for hint in view.hints[:1]), nl=False, err=self._err)

    def _asking(self, view: SelfTestView) -> Iterable[str]:
        yield f"[{view.number}/{view.of}] {speak(view.prompt)}"
        yield from (f"    {speak(hint)}" for hint in view.hints)
        if view.passed is not None:
            for finding in view.findings:
                yield f"  - {sentence(speak(finding.says))}"
                if finding.remedy is not None:
                    yield f"    {speak(finding.remedy)}"
        choices = (text("{what}: {says}", what=one.key, says=one.says) for one in view.choices)
        yield "    " + "   ".join(map(speak, choices))


class Keyboard(threading.Thread):
    """Reads answers, and what a hand does to simulated noses, a line each; the end of input is no answer."""

    def __init__(self, run: SelfTestRun) -> None:
        super().__init__(name="keyboard", daemon=True)
        self._run = run

    def run(self) -> None:
        """Read until there is no more."""
        for line in sys.stdin or ():  # who has closed it has none
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
