"""`lastnose uninstall`: the machine as it was before."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import click

from companion.cli.frame import command as define
from companion.cli.frame import json_option, option, print_json, say, speak
from companion.core.text import Text, text


@define(
    "uninstall",
    help=text(
        "Take back all that install has done, step by step; files of the system get back what was in them. "
        "The evenings stay, unless they are to go too."
    ),
    examples=["lastnose uninstall", "lastnose uninstall --dry-run"],
)
@option("--delete-evenings", is_flag=True, help=text("Delete the evenings too; nothing brings them back."))
@option("--dry-run", is_flag=True, help=text("Say each step and do none."))
@option(
    "--root",
    type=click.Path(path_type=Path),
    default=Path("/"),
    metavar="FOLDER",
    help=text("Take back what was written below this folder as a trial."),
)
@json_option()
def command(delete_evenings: bool, dry_run: bool, root: Path, as_json: bool) -> int:
    """Take back what the journal tells; the status is 1 when something could not be taken back."""
    from companion.system.install.builder import Builder
    from companion.system.install.commands import must_be_possible, run_command
    from companion.system.install.journal import read_record, what_undoing_says

    root = root.absolute()
    must_be_possible(root, dry=dry_run)
    record = read_record(root)
    if record is None:
        nothing: dict[str, list[str]] = {"steps": [], "problems": []}
        print_json(nothing) if as_json else say(text("Nothing is installed here."))
        return 0
    if dry_run:
        steps = [speak(says) for says in what_undoing_says(record)]
        print_json({"steps": steps, "problems": []}) if as_json else _show(steps)
        return 0
    told: list[Text] = []
    tell = told.append if as_json else (lambda says: click.echo(f"· {speak(says)}"))
    run = run_command if root == Path("/") else None
    problems = Builder(root, record, run=run, say=tell).uninstall()
    _evenings(root, delete=delete_evenings and not problems, tell=tell)
    if as_json:
        print_json({"steps": [speak(says) for says in told], "problems": [speak(says) for says in problems]})
    else:
        for problem in problems:
            say(problem, err=True)
    return 1 if problems else 0


def _show(steps: list[str]) -> None:
    for number, step in enumerate(steps, 1):
        click.echo(f"{number}. {step}")


def _evenings(root: Path, *, delete: bool, tell: Callable[[Text], None]) -> None:
    """Delete the evenings, or say where they stay."""
    from companion.system.install import templates

    folder = root / templates.EVENINGS.lstrip("/")
    if not folder.is_dir():
        return
    if delete:
        shutil.rmtree(folder)
        tell(text("Delete the evenings in {folder}.", folder=str(folder)))
    else:
        tell(text("The evenings stay in {folder}.", folder=str(folder)))
