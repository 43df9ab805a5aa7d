"""`lastnose setup-pi`: what the package cannot know of a table that starts by itself, and its undoing."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from lastnose.companion.cli.frame import (
    A_FOLDER,
    bad_option,
    define,
    json_option,
    language,
    option,
    print_json,
    say,
    speak,
)
from lastnose.companion.cli.table_options import (
    BACKUP,
    NEIGHBOURS,
    PAGE_PORT,
    boxes_option,
    phones_option,
    profile_option,
    source_option,
)
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text, text
from lastnose.companion.system.setup_pi.templates import NAME

if TYPE_CHECKING:
    from lastnose.companion.system.setup_pi.plan import EditFile, Place, Step
    from lastnose.companion.system.setup_pi.templates import Wish

UNDO = text("Take everything back; the evenings stay. It goes with no other option.")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another


@define(
    "setup-pi",
    examples=[
        "lastnose setup-pi --profile home6",
        "lastnose setup-pi --access-point",
        "lastnose setup-pi --profile home6 --dry-run",
        "lastnose setup-pi --undo",
    ],
)
@profile_option
@source_option()
@boxes_option
@phones_option(None)
@option("--port", type=click.IntRange(1, 65535), help=PAGE_PORT)
@option("--name", metavar="NAME", help=NAME)
@option(
    "--access-point/--no-access-point",
    default=None,
    help=text("Give the table a Wi-Fi of its own, so that phones can join without a router (off)."),
)
@option("--ssid", metavar="NAME", help=text("What that Wi-Fi is called; otherwise Last Nose."))
@option("--password", metavar="PASSWORD", help=text("Its password; otherwise one is made up."))
@option("--backup", metavar="DIR|none", help=BACKUP)
@option("--neighbours", metavar="FILE|none", help=NEIGHBOURS)
@option("--yes", is_flag=True, help=text("Change config.txt without asking."))
@option("--undo", is_flag=True, help=UNDO)
@option("--dry-run", is_flag=True, help=text("Say each step and do none."))
@option(
    "--root",
    type=A_FOLDER,
    default=Path("/"),
    metavar="FOLDER",
    help=text("Write the files below this folder instead, as a trial; no command is run."),
)
@json_option
def command(
    yes: bool,
    undo: bool,
    dry_run: bool,
    root: Path,
    as_json: bool,
    password: str | None,
    **wanted: Any,
) -> None:
    """Plan, ask, do, and say what comes next."""
    from lastnose.companion.system.setup_pi.machine import look, must_be_possible
    from lastnose.companion.system.setup_pi.plan import plan, undo_plan

    root = root.absolute()
    must_be_possible(root, dry=dry_run, undo=undo)
    if undo:
        _must_be_alone(password, wanted)
        steps = undo_plan(look(root))
        _carry_out(steps, root, dry=dry_run, as_json=as_json)
        if not steps and not as_json:
            say(text("There is nothing to do."))
        return
    wish, lines = _wish(root, wanted)
    password = _password(root, wish.ssid, password)
    place = look(root, lines)
    steps = plan(wish, place, password)
    declined = [] if yes or dry_run else _declined(steps, quiet=as_json)
    steps = tuple(step for step in steps if step not in declined)
    _carry_out(steps, root, dry=dry_run, as_json=as_json)
    if not dry_run and not as_json:
        _say_what_next(wish, steps, declined, place, password)


def _must_be_alone(password: str | None, wanted: dict[str, Any]) -> None:
    """Raise BadInput for a wish beside --undo: nobody could say which of both holds."""
    if password is not None or any(value not in (None, ()) for value in wanted.values()):
        raise bad_option("--undo", UNDO)


def _wish(root: Path, wanted: dict[str, Any]) -> tuple[Wish, tuple[str, ...]]:
    """Return today's wish, and what its profile needs of config.txt."""
    from lastnose.companion.config.settings import on_a_pi
    from lastnose.companion.system.setup_pi import templates
    from lastnose.companion.system.setup_pi.machine import below, must_be_for_the_table, read_setup
    from lastnose.companion.system.setup_pi.templates import renewed

    wish, profile = renewed(
        read_setup(root),
        below(root, templates.PROFILE),
        pi=on_a_pi(root),
        language=language(),
        **wanted,
    )
    must_be_for_the_table(wish, root)
    return wish, tuple(profile.config_lines())


def _password(root: Path, ssid: str | None, given: str | None) -> str | None:
    """Return the Wi-Fi's password: the one given, the one it has, or a new one; raise BadInput."""
    from lastnose.companion.config.settings import Wifi, read_wifi
    from lastnose.companion.system.setup_pi import templates
    from lastnose.companion.system.setup_pi.machine import below, must_have_network_manager

    if ssid is None:
        if given is not None:
            raise BadInput(text("--ssid and --password go with --access-point."))
        return None
    must_have_network_manager(root)
    kept = below(root, templates.WIFI)
    if given is None and os.access(kept, os.R_OK):
        given = read_wifi(kept).password
    password = given or "-".join("".join(secrets.choice(LETTERS) for _ in range(5)) for _ in range(2))
    problem = Wifi(ssid, password).problem()
    if problem is not None:
        raise bad_option("--access-point", problem)
    return password


def _declined(steps: Sequence[Step], *, quiet: bool) -> list[EditFile]:
    """Return the changes that are not wanted, after asking; raise BadInput where nobody can answer."""
    from lastnose.companion.system.setup_pi.plan import EditFile

    declined = []
    for step in steps:
        if not isinstance(step, EditFile) or not step.ask:
            continue
        if quiet or not _somebody_is_here():
            raise BadInput(
                text("{file} would be changed, and nobody is here to ask: use --yes.", file=step.path)
            )
        click.echo("\n".join(_difference(step)))
        if not click.confirm(speak(text("Change {file} like this?", file=step.path))):
            declined.append(step)
    return declined


def _somebody_is_here() -> bool:
    return sys.stdin.isatty()


def _difference(step: EditFile) -> Iterator[str]:
    """Yield the lines of a change as a patch shows them."""
    before, after = step.before.splitlines(), step.after.splitlines()
    return unified_diff(before, after, step.path, step.path, lineterm="", n=1)


def _carry_out(steps: Sequence[Step], root: Path, *, dry: bool, as_json: bool) -> None:
    """Do the steps and say each, or show them; as JSON, all at the end."""
    from lastnose.companion.system.setup_pi.machine import apply, run_command, systemd_runs

    if dry:
        print_json([_entry(step) for step in steps]) if as_json else _show(steps)
        return

    def tell(says: Text) -> None:
        if not as_json:
            click.echo(f"· {speak(says)}")

    live = root == Path("/") and systemd_runs()
    apply(steps, root, run=run_command if live else None, say=tell)
    if as_json:
        print_json([_entry(step) for step in steps])


def _show(steps: Sequence[Step]) -> None:
    """Print each step with what it would do."""
    from lastnose.companion.system.setup_pi.plan import EditFile, RunCommand, WriteFile

    for number, step in enumerate(steps, 1):
        lines: list[str] = []
        match step:
            case WriteFile():
                content = [] if step.secret else step.content.splitlines()
                lines = [step.path, *(f"  {line}" if line else "" for line in content)]
            case EditFile():
                lines = list(_difference(step))
            case RunCommand():
                lines = [" ".join(step.command)]
        click.echo(f"{number}. {speak(step.says)}")
        click.echo("".join(f"     {line}\n" for line in lines), nl=False)


def _entry(step: Step) -> dict[str, Any]:
    """Return a step as JSON has it; no password stands in it."""
    from lastnose.companion.system.setup_pi.plan import EditFile, RemoveFile, RunCommand, WriteFile

    match step:
        case WriteFile():
            more: dict[str, Any] = {"writes": step.path}
        case EditFile():
            more = {"changes": step.path, "difference": list(_difference(step))}
        case RemoveFile():
            more = {"removes": step.path}
        case RunCommand():
            more = {"runs": list(step.command)}
    return {"says": speak(step.says)} | more


def _say_what_next(
    wish: Wish, steps: Sequence[Step], declined: Sequence[EditFile], place: Place, password: str | None
) -> None:
    """Say where the page is, and what a person still has to do."""
    from lastnose.companion.system.setup_pi.plan import RunCommand
    from lastnose.companion.system.setup_pi.templates import CONNECTION

    if not steps:
        say(text("There is nothing to do."))
    port = "" if wish.port == 80 else f":{wish.port}"
    if place.avahi_conf is None:
        say(
            text("Avahi is missing, so the network knows no name: sudo apt install avahi-daemon, then again.")
        )
    else:
        say(text("The page is at {url}", url=f"http://{wish.name}.local{port}/"))
    for step in declined:
        say(text("Add these lines to {file} yourself:", file=step.path))
        added = [
            line[1:] for line in _difference(step) if line.startswith("+") and not line.startswith("+++")
        ]
        click.echo("\n".join(f"  {line}" for line in added if line and not line.startswith("#")))
    if wish.ssid is not None:
        say(text("Wi-Fi {ssid}, password {password}", ssid=wish.ssid, password=password or ""))
    changed = {step.path for step in steps if not isinstance(step, RunCommand)}
    if declined or changed & {place.config_path, CONNECTION}:
        say(text("Restart the machine now: sudo reboot"))
    say(text("Is all well? sudo lastnose doctor"))
