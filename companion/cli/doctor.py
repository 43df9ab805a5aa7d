"""`lastnose doctor`: what is wrong with this machine, and what to do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from lastnose.companion.cli.frame import data_option, define, json_option, option, print_json, say, speak
from lastnose.companion.cli.table_options import A_PORT, BOX, FROM, PAGE_PORT, phones_option, profile_option
from lastnose.companion.config import PAGES
from lastnose.companion.core.errors import BadInput, NoSuchProfile, ProfileError
from lastnose.companion.core.text import text
from lastnose.companion.system.doctor import DoctorFinding, Facts, Wanted, examine
from msgspec.structs import replace

MARKS = {"fine": "✓", "note": "·", "care": "!", "wrong": "✗"}
COLOURS = {"fine": "green", "note": None, "care": "yellow", "wrong": "red"}


@define(
    "doctor",
    examples=[
        "lastnose doctor",
        "lastnose doctor --source gpiochip --profile home6",
        "lastnose doctor --source box --phones 2 --json",
    ],
)
@option("--source", type=click.Choice(["gpiochip", "pins", "box", PAGES, "mock"]), help=FROM)
@profile_option
@option("--box", metavar="PORT|SERIAL|sim", help=BOX)
@phones_option()
@data_option
@option("--port", type=A_PORT, help=PAGE_PORT)
@json_option
def command(
    source: str | None,
    profile: str | None,
    box: str | None,
    phones: int,
    data_dir: Path | None,
    port: int | None,
    as_json: bool,
) -> int:
    """Look, judge, and say it; the status is 1 when something is wrong.

    Where a service is installed, that is what is judged, but for what is named.
    """
    if sys.platform != "linux":
        raise BadInput(
            text(
                "The doctor knows Linux machines only. Pages, phones and buzzer boxes need nothing of "
                "what it looks at: use lastnose run, or lastnose box list."
            )
        )
    from lastnose.hardware.probe import look
    from lastnose.web.server.addresses import lan_address

    source, profile, box, data, port = _named(source, profile, box, data_dir, port)
    wanted = _wanted(source, profile, box, phones)
    facts = replace(look(wanted, data, port), lan=lan_address() if phones else None)
    findings = examine(facts, wanted)
    wrong = sum(finding.state == "wrong" for finding in findings)
    if as_json:
        print_json(_document(facts, wanted, findings))
    else:
        _print(findings)
        if not wrong:
            say(text("Nothing is wrong."))
    return 1 if wrong else 0


def _named(
    source: str | None, profile: str | None, box: str | None, data_dir: Path | None, port: int | None
) -> tuple[str | None, str | None, str | None, Path, int]:
    """Return what was named, and for the rest what an installed service runs with, or what is usual."""
    from lastnose.companion.config.settings import default_data_dir
    from lastnose.companion.system.setup_pi.machine import read_setup
    from lastnose.companion.system.setup_pi.templates import EVENINGS, PROFILE

    wish = read_setup(Path("/"))
    data = default_data_dir()
    if wish is not None:
        data = Path(EVENINGS)
        port = wish.port if port is None else port
        if source is None and profile is None and box is None:
            source, profile = wish.source, wish.profile if wish.own_profile is None else PROFILE
            box = next(iter(wish.boxes), None)
    return source, profile, box, data_dir or data, 8080 if port is None else port


def _wanted(source: str | None, name: str | None, box: str | None, phones: int) -> Wanted:
    """Return what is to run here; raise what `run` would, but for a profile that is there and unfit."""
    from lastnose.companion.config.settings import run_settings
    from lastnose.companion.wiring.profile import examined

    boxes = () if box is None else (box,)
    try:
        made = run_settings(source=source, profile=name, boxes=boxes, phones=phones)
    except NoSuchProfile:
        raise
    except ProfileError as error:
        assert name is not None  # those that are usual are fit
        profile, problems = examined(name)
        why = tuple(problems) or (error.text,)
        return Wanted(source or ("box" if boxes else "gpiochip"), profile, why, box, phones)
    return Wanted(made.source, made.profile, (), box, phones)


def _print(findings: tuple[DoctorFinding, ...]) -> None:
    for finding in findings:
        mark = click.style(MARKS[finding.state], fg=COLOURS[finding.state], bold=finding.state == "wrong")
        click.echo(f"{mark} {speak(finding.says)}")
        if finding.do is not None:
            click.echo(f"    {speak(finding.do)}")


def _document(facts: Facts, wanted: Wanted, findings: tuple[DoctorFinding, ...]) -> dict[str, Any]:
    return {
        "ok": not any(finding.state == "wrong" for finding in findings),
        "machine": facts.system,
        "source": wanted.source,
        "profile": wanted.profile.name if wanted.profile is not None else None,
        "findings": [_entry(finding) for finding in findings],
    }


def _entry(finding: DoctorFinding) -> dict[str, str | None]:
    return {
        "name": finding.name,
        "area": finding.area,
        "state": finding.state,
        "says": speak(finding.says),
        "do": None if finding.do is None else speak(finding.do),
    }
