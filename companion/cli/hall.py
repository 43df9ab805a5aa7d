"""`lastnose hall`: an evening of many tables, its state, its export; and how a table joins one."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any, TypeVar

import click

from companion.cli.frame import (
    argument,
    data_option,
    json_option,
    language,
    option,
    print_json,
    say,
    speak,
)
from companion.cli.frame import command as define
from companion.cli.group import CliGroup
from companion.cli.hall_serving import (
    PORT,
    folder_option,
    kept_in,
    run,
    screen,
    simulate,
)
from companion.cli.live_table import base_of
from companion.core.errors import BadInput, reason
from companion.core.text import text

F = TypeVar("F", bound=Callable[..., Any])
WITHIN_S = 10


@click.command(
    "hall",
    cls=CliGroup,
    help=text("An evening of many tables: seat people, follow every table, keep the list."),
    examples=[
        "lastnose hall run",
        "lastnose hall status",
        "lastnose hall join http://192.168.1.5:8100/#abcd2345ef",
    ],
)
def command() -> None:
    """Hold the members together."""


def _address_option() -> Callable[[F], F]:
    return option(
        "--at",
        "address",
        default=f"http://127.0.0.1:{PORT}/",
        show_default=True,
        metavar="ADDRESS",
        help=text("The hall’s page."),
    )


_STANDS = {
    "waiting": text("has not begun"),
    "playing": text("plays"),
    "unsigned": text("not signed off"),
    "doubtful": text("to look at"),
    "counts": text("counts"),
    "typed": text("typed by hand"),
    "free": text("ready"),
}


@define(
    "status",
    help=text("Say how a running hall stands: tables, entries, what needs somebody."),
    examples=["lastnose hall status", "lastnose hall status --at http://hall.local:8100/ --json"],
)
@_address_option()
@json_option()
def status(address: str, as_json: bool) -> int:
    """Print it; the status is 1 when something needs somebody."""
    found = _asked(address, "state")
    needs = 1 if found.get("todos") or found.get("engine") else 0
    if as_json:
        print_json(found)
        return needs
    head = text("{name}: {how}", name=found.get("name", ""), how=found["headline"])
    click.echo(speak(head) if found.get("name") else found["headline"])
    if found.get("engine"):
        click.echo(f"    ! {found['engine']}")
    for table in found.get("tables", ()):
        numbers = speak(text("{have} of {n}", have=table["have"], n=table["n"]))
        stands = speak(_STANDS[table["state"]])
        click.echo(f"{table['number']:>4}  {numbers:<14} {stands:<16} {table.get('says', '')}")
    for todo in found.get("todos", ()):
        click.echo(f"{todo['number'] or '':>4}! {todo['says']} {todo.get('why') or ''}".rstrip())
    return needs


@define(
    "export",
    help=text("Write everything of an event (.json), or its standings (.csv), as a file."),
    examples=["lastnose hall export event.json", "lastnose hall export standings.csv --folder spring-cup"],
)
@argument("file", type=click.Path(dir_okay=False, path_type=Path))
@folder_option()
@data_option()
def export(file: Path, folder: Path | None, data_dir: Path | None) -> None:
    """Read the folder of an event, which may be running, and write the file."""
    from companion.hall.export import everything, standings_csv
    from companion.hall.hub import Hall
    from companion.hall.reading import store_to_read
    from companion.hall.store import NAME

    ending = file.suffix.lower()
    if ending not in (".json", ".csv"):
        raise BadInput(
            text("{file}: an event is written as .json (everything) or .csv (standings).", file=str(file))
        )
    kept = kept_in(folder, "hall", data_dir)
    if not (kept / NAME).exists():
        raise BadInput(text("There is no event in {folder}.", folder=str(kept)))
    with store_to_read(kept) as store:
        hall = Hall(store)
        made = standings_csv(hall.view).encode("utf-8-sig") if ending == ".csv" else everything(hall)
    try:
        file.write_bytes(made)
    except OSError as problem:
        raise BadInput(
            text("{file} cannot be written ({why}).", file=str(file), why=reason(problem))
        ) from problem
    say(text("Written: {file}", file=str(file)))


@define(
    "open",
    help=text("Make an event’s folder again of its archive, what export has written; then run shows it."),
    examples=["lastnose hall open event.json --folder spring-cup", "lastnose hall run --folder spring-cup"],
)
@argument("file", type=click.Path(dir_okay=False, path_type=Path))
@folder_option()
@data_option()
def open_archive(file: Path, folder: Path | None, data_dir: Path | None) -> int:
    """Read the archive, check it, and write the folder; the status is 1 when not all of it is there."""
    from companion.hall.archive import reopen

    where = kept_in(folder, "hall", data_dir)
    missing = reopen(_read(file), where)
    say(text("Written: {file}", file=str(where)))
    if missing is not None:
        say(missing)
    return 0 if missing is None else 1


@define(
    "join",
    help=text("Let the table of this machine join a hall, with the address and code that the hall shows."),
    examples=["lastnose hall join http://192.168.1.5:8100/#abcd2345ef"],
)
@argument("address")
@option(
    "--engine",
    metavar="ADDRESS",
    help=text("The message server of this house, where a hall has one in each."),
)
@data_option()
def join(address: str, engine: str | None, data_dir: Path | None) -> None:
    """Join and remember it: from the next start on, the table is in the hall."""
    from companion.config.settings import default_data_dir
    from companion.hall.engine import must_have_parts
    from companion.hall.membership import join as come_in

    must_have_parts(server=False)
    folder = data_dir or default_data_dir()
    made = come_in(folder, address, engine=engine)
    say(text("This is table {n} of the hall at {hall}", n=made.number, hall=made.hall))
    if _runs(folder):
        say(text("The table that runs here comes in once it is ended and started again."))


@define(
    "leave",
    help=text("Let the table of this machine leave its hall; its evenings stay."),
    examples=["lastnose hall leave"],
)
@data_option()
def leave(data_dir: Path | None) -> int:
    """Forget the hall; the status is 1 when there was none."""
    from companion.config.settings import default_data_dir
    from companion.hall.membership import leave as go

    folder = data_dir or default_data_dir()
    gone = go(folder)
    say(text("This table is in no hall any more.") if gone else text("This table was in no hall."))
    if gone and _runs(folder):
        say(text("The table that runs here leaves once it is ended and started again."))
    return 0 if gone else 1


for member in (run, screen, simulate, status, export, open_archive, join, leave):
    command.add_command(member)


def _runs(folder: Path) -> bool:
    """Return whether a table runs with its data in *folder*."""
    from companion.core.errors import StoreError
    from companion.table.log_file import own

    try:
        own(folder).release()
    except StoreError:
        return True
    return False


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as problem:
        raise BadInput(
            text("{file} cannot be read ({why}).", file=str(file), why=reason(problem))
        ) from problem


def _asked(address: str, what: str) -> dict[str, Any]:
    """Return what the hall at *address* answers; raise BadInput."""
    base = base_of(address)
    try:
        with urllib.request.urlopen(
            f"{base}/api/v1/hall/{what}?lang={language()}", timeout=WITHIN_S
        ) as answer:
            found: dict[str, Any] = json.loads(answer.read())
    except (OSError, HTTPException, ValueError) as problem:
        raise BadInput(
            text("No hall answers at {address} ({why}).", address=address, why=str(problem))
        ) from problem
    return found
