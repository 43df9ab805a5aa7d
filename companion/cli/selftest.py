"""`lastnose selftest`: is the table wired as its profile says, and how sure are its stamps?"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.cli.frame import command as define
from companion.cli.frame import data_option, json_option, language, option, print_json, say, say_pin, speak
from companion.cli.selftest_terminal import Keyboard, Teller
from companion.cli.table_options import (
    beside_option,
    boxes_option,
    lan_option,
    oled_option,
    port_option,
    profile_option,
    source_option,
)
from companion.config import RunSettings, default_data_dir, run_settings
from companion.errors import BadInput
from companion.selftest.course import Course
from companion.selftest.plan import Plan, contacts_of, read_tied, read_wired, spare_pins, spares_of
from companion.selftest.report import as_json as as_json_report
from companion.selftest.script import play, read
from companion.selftest_paper import about, keep
from companion.text import Text, text

SIMULATED_PROFILE = "home4"


@define(
    "selftest",
    help=text(
        "Test the wiring: it asks for each nose and spoon by number and wire, walks the lamps, draws a "
        "picture, plays the sounds, measures timing, and writes a report. The status is 1 unless all is well."
    ),
    examples=[
        "lastnose selftest --profile home6",
        "lastnose selftest --source mock",
        "lastnose selftest --profile home6 --tied nose.1,nose.2",
        "lastnose selftest --profile home6 --wired 17:nose.1 --json",
    ],
)
@source_option()
@profile_option()
@boxes_option()
@beside_option()
@option(
    "--tied",
    metavar="LINE,LINE",
    help=text("Two lines whose terminals you tie together, to measure how far their stamps are apart."),
)
@option(
    "--wired",
    metavar="PIN:LINE",
    help=text("A free pin that you wire to a line, to move it and measure latency and jitter."),
)
@option(
    "--output",
    "-o",
    type=click.Path(file_okay=False, path_type=Path),
    help=text("The folder of the report; otherwise “selftests” in the data folder."),
)
@option(
    "--script",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=text("For --source mock: what the hand does, a line each, such as “touch nose.1” or “yes”."),
)
@data_option()
@port_option()
@option("--page/--no-page", default=True, show_default=True, help=text("Show it on a page as well."))
@lan_option()
@oled_option()
@json_option()
def command(
    source: str | None,
    profile: str | None,
    boxes: tuple[str, ...],
    beside: str | None,
    tied: str | None,
    wired: str | None,
    output: Path | None,
    script: Path | None,
    data_dir: Path | None,
    port: int,
    page: bool,
    lan: bool | None,
    oled: str | None,
    as_json: bool,
) -> int:
    """Go through it, write the report, and return 1 when something is not well."""
    if profile is None and source == "mock":
        profile = SIMULATED_PROFILE
    settings = run_settings(
        source=source,
        profile=profile,
        boxes=boxes,
        beside=beside,
        data_dir=data_dir,
        lan=lan,
        oled=oled,
        port=port,
        language=language(),
    )
    plan = make_plan(settings, tied, wired)
    if source == "mock" and oled is None:
        settings = msgspec.structs.replace(
            settings, oled=msgspec.structs.replace(settings.oled, driver="none")
        )
    faults: list[Text] = []
    if script is not None:
        course = _scripted(plan, script, settings)
        Teller(err=as_json).tell(course.view)
    else:
        course, faults = _live(settings, plan, page=page, quiet=as_json)
    folder = output or (data_dir or default_data_dir()) / "selftests"
    facts = about(settings, faults, speak)
    paths = keep(folder, course, facts, speak)
    if as_json:
        print_json(as_json_report(course, speak, **facts))
    for path in paths:
        say(text("Report: {path}", path=str(path)), err=as_json)
    return 0 if course.passed else 1


def make_plan(settings: RunSettings, tied: str | None, wired: str | None) -> Plan:
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
    return Plan(
        profile.name,
        contacts,
        () if settings.source == "box" else spares_of(profile, free),
        profile.timing,
        lamps=len(settings.noses) if profile.pins.leds or profile.pins.lamps else 0,
        screen=settings.oled.driver != "none",
        buzzer=profile.pins.buzzer is not None,
        tied=None if tied is None else read_tied(tied, lines),
        wired=moved,
    )


# ---- by a script


def _scripted(plan: Plan, script: Path, settings: RunSettings) -> Course:
    """Go through it by a script, in its own time."""
    if settings.source != "mock":
        raise BadInput(text("A script moves simulated noses: --script goes with --source mock."))
    course = Course(plan, 0, simulated=True)
    try:
        written = script.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            text("{path} cannot be read ({reason}).", path=str(script), reason=str(error))
        ) from None
    actions = [action for line in written for action in read(line, list(plan.lines))]
    play(course, tuple(actions))
    return course


# ---- by hand


def _live(settings: RunSettings, plan: Plan, *, page: bool, quiet: bool) -> tuple[Course, list[Text]]:
    """Go through it with people, on terminal, small screen and page."""
    from companion.cli.run import told_to_leave
    from companion.selftest_run import SelfTestRun

    told = told_to_leave()
    run = SelfTestRun(settings, plan, page=page, listen=Teller(err=quiet).tell)
    try:
        urls = run.start()
        _announce(run, urls, quiet)
        threading.Thread(target=_leave_when, args=(told, run), daemon=True).start()
        Keyboard(run).start()
        run.wait()
        return run.course, run.faults
    finally:
        run.stop()


def _leave_when(told: Callable[[], int], run: Any) -> None:
    told()
    run.leave()


def _announce(run: Any, urls: tuple[str, ...], quiet: bool) -> None:
    if run.simulated:
        say(text("SIMULATED: type “touch nose.1”, or use the page."), err=quiet)
    for url in urls:
        say(text("The page is at {url}", url=url), err=quiet)
    if run.access.lan:
        say_pin(run.access.pin, run.settings.data_dir, err=quiet)
