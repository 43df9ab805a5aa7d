"""`lastnose hall`: an evening of many tables, its state, its export; and how a table joins one."""

from __future__ import annotations

import gc
import json
import re
import time
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from companion.cli.frame import (
    argument,
    data_option,
    json_option,
    language,
    option,
    print_json,
    say,
    say_pin,
    speak,
)
from companion.cli.frame import command as define
from companion.cli.group import CliGroup
from companion.cli.live_table import base_of
from companion.core.errors import BadInput, StoreError, reason
from companion.core.text import text

if TYPE_CHECKING:
    from companion.app.event_hall import HallSettings

F = TypeVar("F", bound=Callable[..., Any])
PORT = 8100
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


def _port_option() -> Callable[[F], F]:
    return option(
        "--port",
        type=click.IntRange(0, 65535),
        default=PORT,
        show_default=True,
        help=text("The port of the hall’s pages."),
    )


def _engine_port_option() -> Callable[[F], F]:
    return option(
        "--engine-port",
        type=click.IntRange(1, 65535),
        default=4222,
        show_default=True,
        help=text("The port of our own message server."),
    )


def _folder_option() -> Callable[[F], F]:
    return option(
        "--folder",
        type=click.Path(file_okay=False, path_type=Path),
        help=text("Where the event is kept; one folder an event. Default: “hall” in the data folder."),
    )


def _address_option() -> Callable[[F], F]:
    return option(
        "--at",
        "address",
        default=f"http://127.0.0.1:{PORT}/",
        show_default=True,
        metavar="ADDRESS",
        help=text("The hall’s page."),
    )


@define(
    "run",
    help=text("Start a hall: its pages, and the message server that its tables send their logs to."),
    examples=[
        "lastnose hall run",
        "lastnose hall run --folder spring-cup --port 80",
        "lastnose hall run --engine nats://10.0.0.5,nats://10.0.0.6,nats://10.0.0.7 --replicas 3",
    ],
)
@_folder_option()
@_port_option()
@option("--lan/--no-lan", default=True, show_default=True, help=text("Open the hall to the network."))
@option(
    "--engine",
    metavar="ADDRESS",
    help=text(
        "A message server that runs already, instead of one of our own: nats://HOST:PORT, or "
        "tls://HOST:PORT; of a cluster all, with commas between them."
    ),
)
@_engine_port_option()
@option(
    "--replicas",
    type=click.Choice(["1", "3"]),
    default="1",
    show_default=True,
    help=text("On how many servers of a cluster every entry is kept."),
)
@option(
    "--domain",
    "domains",
    metavar="NAME",
    multiple=True,
    help=text(
        "A house with a message server of its own, joined to --engine as a leaf node with this JetStream "
        "domain; may be given more than once."
    ),
)
@option(
    "--tls-cert",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help=text("A certificate for our own message server, where the hall is more than one room."),
)
@option(
    "--tls-key",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help=text("Its key."),
)
@option(
    "--watch",
    is_flag=True,
    help=text("Wait beside a hall that runs in this folder, and take over as soon as it has ended."),
)
@option(
    "--tables",
    type=click.IntRange(0, 64),
    default=0,
    help=text("Let so many simulated tables play in it, to see how it goes."),
)
def run(
    folder: Path | None,
    port: int,
    lan: bool,
    engine: str | None,
    engine_port: int,
    replicas: str,
    domains: tuple[str, ...],
    tls_cert: Path | None,
    tls_key: Path | None,
    watch: bool,
    tables: int,
) -> None:
    """Run until told to leave."""
    from companion.app.event_hall import HallSettings
    from companion.config.settings import default_data_dir

    if (tls_cert is None) != (tls_key is None):
        raise BadInput(text("TLS takes a certificate and its key: give --tls-cert and --tls-key."))
    if domains and (engine is None or not all(re.fullmatch(r"[A-Za-z0-9_-]{1,40}", one) for one in domains)):
        raise BadInput(
            text("--domain names a house whose server is a leaf node of --engine: letters and digits.")
        )
    settings = HallSettings(
        folder=folder or default_data_dir() / "hall",
        port=port,
        lan=lan,
        engine=engine,
        engine_port=engine_port,
        replicas=int(replicas),
        domains=domains,
        tls=None if tls_cert is None or tls_key is None else (tls_cert, tls_key),
    )
    if watch:
        _wait_beside(settings.folder)
    _serve(settings, tables)


def _serve(settings: HallSettings, tables: int) -> None:
    """Run the hall, with so many simulated *tables*, until told to leave."""
    from companion.app.event_hall import HallApp
    from companion.app.rehearsal import Rehearsal
    from companion.cli.run import told_to_leave

    wait_for_signal = told_to_leave()
    app = HallApp(settings)
    rehearsal = None
    try:
        urls = app.start()
        gc.collect()
        gc.freeze()  # what is there now stays: looking through it again held every page up for 0.1 s
        say(text("The organiser’s desk is at {url}", url=urls[0]))
        for url in urls[1:]:
            say(text("On the network: {url}", url=url))
            say_pin(app.access.pin, settings.folder)
        if tables:
            rehearsal = Rehearsal(app.hall, settings.folder, tables, engine=app.engine_for("127.0.0.1"))
            rehearsal.start()
            say(text("{n} simulated tables play in it.", n=tables))
        say(text("Ctrl-C ends it; the event is kept."))
        wait_for_signal()
    finally:
        if rehearsal is not None:
            rehearsal.stop()
        app.stop()


@define(
    "simulate",
    help=text(
        "Start a hall whose tables and people are simulated, on this machine alone: to see how it goes."
    ),
    examples=["lastnose hall simulate", "lastnose hall simulate --tables 20 --port 8200"],
)
@option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help=text("Where it is kept. Default: “rehearsal” in the data folder, never that of a real event."),
)
@_port_option()
@_engine_port_option()
@option(
    "--tables",
    type=click.IntRange(1, 64),
    default=8,
    show_default=True,
    help=text("How many tables there are."),
)
def simulate(folder: Path | None, port: int, engine_port: int, tables: int) -> None:
    """Run until told to leave."""
    from companion.app.event_hall import HallSettings
    from companion.config.settings import default_data_dir

    where = folder or default_data_dir() / "rehearsal"
    _serve(HallSettings(folder=where, port=port, lan=False, engine_port=engine_port), tables)


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
    if as_json:
        print_json(found)
        return 1 if found.get("todos") else 0
    click.echo(f"{found['name']}: {found['headline']}" if found.get("name") else found["headline"])
    for table in found.get("tables", ()):
        numbers = speak(text("{have} of {n}", have=table["have"], n=table["n"]))
        click.echo(f"{table['number']:>4}  {numbers:<14} {table['state']:<10} {table.get('says', '')}")
    for todo in found.get("todos", ()):
        click.echo(f"{todo['number']:>4}! {todo['says']}")
    return 1 if found.get("todos") else 0


@define(
    "export",
    help=text("Write everything of an event, or its standings, as a file."),
    examples=["lastnose hall export event.json", "lastnose hall export standings.csv --folder spring-cup"],
)
@argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_folder_option()
@data_option()
def export(file: Path, folder: Path | None, data_dir: Path | None) -> None:
    """Read the folder of an event that is not running, and write the file."""
    from companion.config.settings import default_data_dir
    from companion.hall.export import everything, standings_csv
    from companion.hall.hub import Hall
    from companion.hall.store import HallStore

    store = HallStore(folder or (data_dir or default_data_dir()) / "hall")
    try:
        hall = Hall(store)
        csv = file.suffix.lower() == ".csv"
        file.write_bytes(standings_csv(hall.view).encode("utf-8-sig") if csv else everything(hall))
    except OSError as problem:
        raise BadInput(
            text("{file} cannot be written ({why}).", file=str(file), why=reason(problem))
        ) from problem
    finally:
        store.close()
    say(text("Written: {file}", file=str(file)))


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
    from companion.hall.membership import join as come_in

    made = come_in(data_dir or default_data_dir(), address, engine=engine)
    say(text("This is table {n} of the hall at {hall}", n=made.number, hall=made.hall))


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

    gone = go(data_dir or default_data_dir())
    say(text("This table is in no hall any more.") if gone else text("This table was in no hall."))
    return 0 if gone else 1


for member in (run, simulate, status, export, join, leave):
    command.add_command(member)


def _wait_beside(folder: Path) -> None:
    """Wait until no hall runs in *folder*, however it has ended; raise StoreError for another trouble."""
    from filelock import Timeout

    from companion.table import log_file

    said = False
    while True:
        try:
            log_file.own(folder).release()
        except StoreError as problem:
            if not isinstance(problem.__cause__, Timeout):
                raise
            if not said:
                say(text("Waiting beside the hall that runs in {folder}.", folder=str(folder)))
            said = True
            time.sleep(0.5)
        else:
            return


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
