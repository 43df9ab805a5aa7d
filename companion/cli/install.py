"""`lastnose install`: a table that starts by itself."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Collection, Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.frame import command as define
from companion.cli.frame import json_option, language, option, print_json, say, speak
from companion.cli.table_options import boxes_option, profile_option, source_option
from companion.core.errors import BadInput
from companion.core.text import Text, text

if TYPE_CHECKING:
    from companion.system.install.plan import Place
    from companion.system.install.request import Wish
    from companion.system.install.steps import EditFile, Record, Step

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another


@define(
    "install",
    help=text(
        "Set this machine up as a table that starts by itself: the program, a user and groups, the buses, a "
        "watched service, a name in the network and, if wanted, a Wi-Fi of its own. Said again, it updates; "
        "what is not named stays as it was. lastnose uninstall takes all of it back."
    ),
    examples=[
        "lastnose install --profile home6",
        "lastnose install --access-point",
        "lastnose install --profile home6 --dry-run",
    ],
)
@profile_option()
@source_option()
@boxes_option()
@option("--port", type=int, help=text("The port of the page: 8080 if it is not said; 80 needs no typing."))
@option("--name", metavar="NAME", help=text("The name in the network: lastnose is found as lastnose.local."))
@option(
    "--access-point/--no-access-point",
    default=None,
    help=text("Give the table a Wi-Fi of its own, so that phones can join without a router (off)."),
)
@option("--ssid", metavar="NAME", help=text("What that Wi-Fi is called: Last Nose if it is not said."))
@option("--password", metavar="PASSWORD", help=text("Its password; one is drawn if it is not said."))
@option(
    "--backup",
    metavar="DIR|none",
    help=text("Copy all evenings to this folder, on another card or a stick; the user lastnose must own it."),
)
@option("--python", metavar="FILE", help=text("The Python of the service; this one if it is not said."))
@option("--yes", is_flag=True, help=text("Change config.txt without asking."))
@option("--keep-config", is_flag=True, help=text("Leave config.txt alone; its lines are named instead."))
@option("--dry-run", is_flag=True, help=text("Say each step and do none."))
@option(
    "--root",
    type=click.Path(path_type=Path),
    default=Path("/"),
    metavar="FOLDER",
    help=text("Write the files below this folder instead, as a trial; no command is run."),
)
@json_option()
def command(
    yes: bool,
    keep_config: bool,
    dry_run: bool,
    root: Path,
    as_json: bool,
    password: str | None,
    python: str | None,
    **wanted: Any,
) -> None:
    """Plan, ask, build, and say what comes next."""
    from companion.system.install.builder import Builder
    from companion.system.install.commands import look, must_be_possible, run_command
    from companion.system.install.plan import plan

    root = root.absolute()
    must_be_possible(root, dry=dry_run)
    record, lines = _record(root, wanted)
    password = _password(root, record.wish.ssid, password)
    place = look(root, record, python=python, config_lines=lines)
    steps = plan(record.wish, place, password)
    if dry_run:
        print_json([_entry(step) for step in steps]) if as_json else _show(steps, root)
        return
    declined = [] if yes else _declined(steps, root, keep=keep_config, quiet=as_json)
    steps = tuple(step for step in steps if step not in declined)
    run = run_command if root == Path("/") else None
    done = Builder(root, record, run=run, say=_quiet if as_json else _tell).install(steps)
    if as_json:
        print_json([_entry(step) | {"done": step.key in done} for step in steps])
        return
    if root != Path("/"):
        say(text("A trial below {folder}: no command was run.", folder=str(root)))
    _say_what_next(record.wish, done, declined, place, password)


def _record(root: Path, wanted: dict[str, Any]) -> tuple[Record, tuple[str, ...]]:
    """Return the journal with today's wish, and what its profile needs of config.txt."""
    from msgspec.structs import replace

    from companion.config.settings import on_a_pi
    from companion.system.install import templates
    from companion.system.install.commands import before
    from companion.system.install.journal import read_record
    from companion.system.install.request import renewed
    from companion.system.install.steps import Record

    old = read_record(root)
    wish, profile = renewed(
        None if old is None else old.wish,
        root / templates.PROFILE.lstrip("/"),
        pi=on_a_pi(root / "proc/device-tree/model"),
        language=language(),
        **wanted,
    )
    lines = tuple(profile.config_lines())
    return (Record(wish, before(root)) if old is None else replace(old, wish=wish)), lines


def _password(root: Path, ssid: str | None, given: str | None) -> str | None:
    """Return the Wi-Fi's password: the one given, the one it has, or a new one; raise BadInput."""
    from companion.config.wifi import Wifi, read_wifi
    from companion.system.install import templates
    from companion.system.install.commands import must_have_network_manager

    if ssid is None:
        if given is not None:
            raise BadInput(text("--ssid and --password go with --access-point."))
        return None
    must_have_network_manager(root)
    kept = root / templates.WIFI.lstrip("/")
    if given is None and os.access(kept, os.R_OK):
        given = read_wifi(kept).password
    password = given or "-".join("".join(secrets.choice(LETTERS) for _ in range(5)) for _ in range(2))
    problem = Wifi(ssid, password).problem()
    if problem is not None:
        raise BadInput(text("--access-point: {what}.", what=problem))
    return password


def _declined(steps: Sequence[Step], root: Path, *, keep: bool, quiet: bool) -> list[EditFile]:
    """Return the changes that are not wanted, after asking; raise BadInput where nobody can answer."""
    from companion.system.install.steps import EditFile

    asked = [step for step in steps if isinstance(step, EditFile) and step.ask]
    asked = [step for step in asked if not _is_there(step, root)]
    if keep or not asked:
        return asked
    if quiet or not _somebody_is_here():
        raise BadInput(
            text(
                "{file} would be changed, and nobody is here to ask: say --yes, or --keep-config.",
                file=asked[0].path,
            )
        )
    declined = []
    for step in asked:
        click.echo("\n".join(_difference(step, root)))
        if not click.confirm(speak(text("Change {file} like this? A copy is kept.", file=step.path))):
            declined.append(step)
    return declined


def _somebody_is_here() -> bool:
    return sys.stdin.isatty()


def _is_there(step: EditFile, root: Path) -> bool:
    """Whether the change has been made already."""
    from companion.system.install.journal import current

    return step.inserted in (current(root, step.path, None) or "")


def _difference(step: EditFile, root: Path) -> Iterator[str]:
    """Yield the lines of a change as a patch shows them."""
    from companion.system.install.journal import current, read_record

    now = current(root, step.path, read_record(root)) or ""
    return unified_diff(
        now.splitlines(), step.applied(now).splitlines(), step.path, step.path, lineterm="", n=1
    )


def _show(steps: Sequence[Step], root: Path) -> None:
    """Print each step with what it would do."""
    from companion.system.install.steps import Do, EditFile, LeaveAsIs, MakeLink, WriteFile

    seen = [
        step
        for step in steps
        if not isinstance(step, LeaveAsIs) and not (isinstance(step, Do) and not step.run)
    ]
    for number, step in enumerate(seen, 1):
        lines: list[str] = []
        match step:
            case WriteFile():
                lines = [step.path] if step.secret else [step.path, *_indented(step.content)]
            case EditFile():
                lines = list(_difference(step, root))
            case MakeLink():
                lines = [f"{step.path} → {step.target}"]
            case Do():
                lines = [" ".join(words) for words in step.run]
        click.echo(f"{number}. {speak(step.says)}")
        click.echo("".join(f"     {line}\n" for line in lines), nl=False)


def _indented(content: str) -> list[str]:
    return [f"  {line}" if line else "" for line in content.splitlines()]


def _entry(step: Step) -> dict[str, Any]:
    """Return a step as JSON has it; no password stands in it."""
    from companion.system.install.steps import Do, EditFile, LeaveAsIs, MakeLink, WriteFile

    match step:
        case WriteFile():
            more: dict[str, Any] = {"writes": step.path}
        case EditFile():
            more = {"changes": step.path, "adds": step.inserted, "replaces": step.replaced}
        case MakeLink():
            more = {"links": step.path, "to": step.target}
        case Do():
            more = {"runs": [list(words) for words in step.run]}
        case LeaveAsIs():
            return {"step": step.key, "says": None}
    return {"step": step.key, "says": speak(step.says)} | more


def _tell(says: Text) -> None:
    click.echo(f"· {speak(says)}")


def _quiet(says: Text) -> None:
    pass


def _say_what_next(
    wish: Wish, done: Collection[str], declined: Sequence[EditFile], place: Place, password: str | None
) -> None:
    """Say where the page is, and what a person still has to do."""
    from companion.system.install.templates import CONNECTION

    if not done:
        say(text("All of it was done already."))
    port = "" if wish.port == 80 else f":{wish.port}"
    if place.avahi_conf is None:
        say(
            text("Avahi is missing, so the network knows no name: sudo apt install avahi-daemon, then again.")
        )
    else:
        say(text("The page is at {url}", url=f"http://{wish.name}.local{port}/"))
    for step in declined:
        lines = [line for line in step.inserted.splitlines() if line and not line.startswith("#")]
        say(text("Add these lines to {file} yourself:", file=step.path))
        click.echo("\n".join(f"  {line}" for line in lines))
    if wish.ssid is not None:
        say(text("Wi-Fi {ssid}, password {password}", ssid=wish.ssid, password=password or ""))
    if declined or any(key.endswith(("config.txt", CONNECTION)) for key in done):
        say(text("Restart the machine now: sudo reboot"))
    say(text("Is all well? sudo lastnose doctor"))
