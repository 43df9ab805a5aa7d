"""`lastnose hall`: an evening of many tables, its state, its export; and how a table joins one."""

from __future__ import annotations

import gc
import json
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from lastnose.companion.cli.frame import (
    COMMANDS,
    CSV,
    FILE,
    FOLDER,
    CliGroup,
    argument,
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
    write_out,
)
from lastnose.companion.cli.remote import ADDRESS, base_of, plain
from lastnose.companion.cli.table_options import (
    A_PORT,
    LAN,
    PAGE_PORT,
    certificate,
    certificate_option,
    key_option,
)
from lastnose.companion.core.errors import MOST_NUMBER, BadInput, StoreError, reason, unreadable
from lastnose.companion.core.names import harmless
from lastnose.companion.core.text import Text, text

if TYPE_CHECKING:
    from lastnose.companion.app.event_hall import HallSettings
    from lastnose.companion.event.reports import Finisher
    from lastnose.companion.event.snapshot import HallSnapshot
    from lastnose.companion.link.hub import Hall


PORT = 8100
EVENT_FOLDER = text(
    "Where the event is kept; one folder an event. Default: “hall” in the data folder, “rehearsal” for "
    "simulate."
)


event_option = option("--data", "data_dir", type=FOLDER, help=EVENT_FOLDER, former=["--folder"])  # until 0.3
_port_option = option("--port", type=A_PORT, default=PORT, show_default=True, help=PAGE_PORT)
_engine_port_option = option(
    "--engine-port",
    type=click.IntRange(1, 65535),
    default=4222,
    show_default=True,
    help=text("The port of our own message server."),
)


def kept_in(data_dir: Path | None, name: str = "hall") -> Path:
    """Return *data_dir*, or without one the folder *name* in this user's data folder."""
    from lastnose.companion.config.settings import default_data_dir

    return data_dir or default_data_dir() / name


@define(
    "run",
    help=text("Start a hall: its pages, and the message server that its tables send their logs to."),
    examples=[
        "lastnose hall run",
        "lastnose hall run --data spring-cup --port 80",
        "lastnose hall run --engine nats://10.0.0.5,nats://10.0.0.6,nats://10.0.0.7 --replicas 3",
    ],
)
@event_option
@_port_option
@option("--lan/--no-lan", default=True, show_default=True, help=LAN)
@option(
    "--engine",
    metavar="ADDRESS",
    help=text(
        "A message server that runs already, instead of one of our own: nats://HOST:PORT, or "
        "tls://HOST:PORT; of a cluster all, with commas between them."
    ),
)
@_engine_port_option
@option(
    "--replicas",
    type=click.Choice(["1", "3"]),
    default="1",
    show_default=True,
    help=text("On how many servers of a cluster every entry is kept."),
)
@certificate_option
@key_option
def run(
    data_dir: Path | None, replicas: str, tls_cert: Path | None, tls_key: Path | None, **given: Any
) -> None:
    """Run until told to leave."""
    from lastnose.companion.app.event_hall import HallSettings
    from lastnose.companion.link.engine import must_have_parts

    tls = certificate(tls_cert, tls_key)
    must_have_parts(server=given["engine"] is None)
    _serve(HallSettings(folder=kept_in(data_dir), replicas=int(replicas), tls=tls, **given), 0)


def _serve(settings: HallSettings, tables: int) -> None:
    """Run the hall, with so many simulated *tables*, until told to leave."""
    from lastnose.companion.app.event_hall import HallApp, Rehearsal
    from lastnose.companion.cli.run import told_to_leave

    wait_for_signal = told_to_leave()
    app = HallApp(settings)
    rehearsal = None
    try:
        urls = app.start()
        gc.collect()
        gc.freeze()  # what is there now stays: looking through it again held every page up for 0.1 s
        gc.set_threshold(20_000, 20, 50)  # what entries make stays: looking through it took a tenth
        say(text("The organiser’s desk is at {url}", url=urls[0]))
        for url in urls[1:]:
            say(text("On the network: {url}", url=url))
            say_pin(app.access.pin, settings.folder, hall=True)
        if tables:
            rehearsal = Rehearsal(app.hall, settings.folder, tables, engine=app.engine_for("127.0.0.1"))
            rehearsal.start()
        _tell_stop(app.hall)
        _tell_accounts(app.hall, app.service.accounts_file)
        say(text("Ctrl-C ends it; the evening is kept."))
        wait_for_signal()
    finally:
        if rehearsal is not None:
            rehearsal.stop()
        app.stop()


def _tell_stop(hall: Hall) -> None:
    """Say why this hub takes no orders, whenever that changes."""
    told: Text | None = None

    def tell(view: HallSnapshot) -> None:
        nonlocal told
        if view.stopped != told:
            told = view.stopped
            say(told if told is not None else text("This hub leads the event."))

    hall.subscribe(tell)
    tell(hall.view)


def _tell_accounts(hall: Hall, file: Path | None) -> None:
    """Say each version of *file* that message servers have yet to read, and when all of them have."""
    from lastnose.companion.event.todos import said_of_accounts

    told = ""

    def tell(view: HallSnapshot) -> None:
        nonlocal told
        says = said_of_accounts(view)
        if says is not None and told != view.servers.version:
            told = view.servers.version
            say(text("{what}: {says}", what=str(file), says=says))
        elif told and view.servers.all_newest:
            told = ""
            say(text("Every message server has read accounts.conf."))

    if file is not None:
        hall.subscribe(tell)
        tell(hall.view)


@define(
    "simulate",
    help=text(
        "Start a hall whose tables and people are simulated, on this machine alone: to see how it goes."
    ),
    examples=["lastnose hall simulate", "lastnose hall simulate --tables 20 --port 8200"],
)
@event_option
@_port_option
@_engine_port_option
@option(
    "--tables",
    type=click.IntRange(1, 64),
    default=8,
    show_default=True,
    help=text("How many tables there are."),
)
def simulate(data_dir: Path | None, port: int, engine_port: int, tables: int) -> None:
    """Run until told to leave."""
    from lastnose.companion.app.event_hall import HallSettings
    from lastnose.companion.link.engine import must_have_parts

    must_have_parts(server=True)
    where = kept_in(data_dir, "rehearsal")
    _serve(HallSettings(folder=where, port=port, lan=False, engine_port=engine_port), tables)


# ---- the hall's commands


WITHIN_S = 10


@click.command(
    "hall",
    cls=CliGroup,
    help=COMMANDS["hall"],
    examples=[
        "lastnose hall run",
        "lastnose hall status",
        "lastnose hall join http://192.168.1.5:8100/#abc234",
    ],
)
def command() -> None:
    """Hold the members together."""


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
    help=text("Show how a running hall is doing: tables, entries, what needs attention."),
    examples=["lastnose hall status", "lastnose hall status --at http://hall.local:8100/ --json"],
)
@option(
    "--at",
    "address",
    default=f"http://127.0.0.1:{PORT}/",
    show_default=True,
    metavar="ADDRESS",
    help=ADDRESS,
)
@json_option
def status(address: str, as_json: bool) -> int:
    """Print it; the status is 1 when something needs somebody."""
    found = _asked(address, "state")
    needs = 1 if found.get("todos") or found.get("engine") else 0
    if as_json:
        print_json(found)
        return needs
    found = plain(found)
    head = text("{what}: {says}", what=found.get("name", ""), says=found["headline"])
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


WRITES = text(
    "Write everything of an event (.json), its standings (.csv), or all results as one page (.html)."
)


@define(
    "export",
    help=WRITES,
    examples=[
        "lastnose hall export event.json",
        "lastnose hall export standings.csv --data spring-cup",
        "lastnose hall export results.html",
    ],
)
@argument("file", type=FILE)
@event_option
def export(file: Path, data_dir: Path | None) -> None:
    """Read the folder of an event, which may be running, and write the file."""
    from lastnose.companion.link.hub import Hall, everything, standings_csv
    from lastnose.companion.link.reader import store_to_read
    from lastnose.companion.link.store import NAME
    from lastnose.web.hall.result_file import result_file

    ending = file.suffix.lower()
    if ending not in (".json", ".csv", ".html"):
        raise bad_option(str(file), WRITES)
    kept = kept_in(data_dir)
    if not (kept / NAME).exists():
        raise BadInput(text("There is no event in {folder}.", folder=str(kept)))
    with store_to_read(kept) as store:
        hall = Hall(store)
        if ending == ".csv":
            made = standings_csv(hall.view).encode("utf-8-sig")
        elif ending == ".html":
            made = hall.made(lambda view: result_file(view, language())).encode()
        else:
            made = everything(hall)
    write_out(file, made, kept)
    say(text("Written: {file}", file=str(file)))


@define(
    "open",
    help=text("Rebuild an event’s folder from its archive, which export wrote; run then shows it."),
    examples=["lastnose hall open event.json --data spring-cup", "lastnose hall run --data spring-cup"],
)
@argument("file", type=FILE)
@event_option
def open_archive(file: Path, data_dir: Path | None) -> int:
    """Read the archive, check it, and write the folder; the status is 1 when not all of it is there."""
    from lastnose.companion.link.store import reopen

    where = kept_in(data_dir)
    missing = reopen(_read(file), where)
    say(text("Written: {file}", file=str(where)))
    if missing is not None:
        say(missing)
    return 0 if missing is None else 1


WORTH = text(
    "What the first place is worth, the second, and so on: whole numbers with commas; shared places share "
    "the points."
)


@define(
    "season",
    help=text("Add up several evenings, from their archives, by a table of points by place."),
    examples=[
        "lastnose hall season may.json june.json july.json",
        "lastnose hall season may.json june.json --points 25,18,15,12,10,8,6,4,2,1 --csv",
    ],
)
@argument("files", nargs=-1, required=True, type=FILE)
@option("--points", default="10,8,6,5,4,3,2,1", show_default=True, metavar="N,N,…", help=WORTH)
@option("--csv", "as_csv", is_flag=True, help=CSV)
@json_option
def season(files: tuple[Path, ...], points: str, *, as_csv: bool, as_json: bool) -> None:
    """Open each archive in a folder that goes again: its chain is checked, its places are worked out."""
    from lastnose.companion.core import csv_file
    from lastnose.companion.event import reports

    try:
        worth = tuple(int(one) for one in points.split(","))
    except ValueError as problem:
        raise bad_option("--points", WORTH) from problem
    if max(map(abs, worth)) > MOST_NUMBER:
        raise bad_option("--points", WORTH)
    evenings: dict[str, tuple[str, list[Finisher]]] = {}
    given: dict[str, Path] = {}
    for file in files:
        event, name, places = _evening(file)
        if event in given:
            raise BadInput(
                text(
                    "{file} and {other} are archives of the same event: give the newer one alone.",
                    file=str(given[event]),
                    other=str(file),
                )
            )
        given[event], evenings[event] = file, (name, places)
    found = reports.season(tuple(evenings.values()), worth)
    if as_json:
        print_json(found)
    elif as_csv:
        click.echo(csv_file.as_csv(reports.rows_of(found), "\n"), nl=False)
    else:
        for line in found.lines:
            each = " + ".join("–" if one is None else _written(one) for one in line.evenings)
            club = f" ({line.club})" if line.club else ""
            click.echo(f"{line.place:>4}. {harmless(line.name + club)}  {_written(line.points)}  = {each}")


def _written(points: float) -> str:
    """Return *points* as its reader writes them, to a hundredth."""
    whole, shown = int(points), round(points, 2)
    return speak(text("{value}", value=whole if whole == shown else shown))


def _evening(file: Path) -> tuple[str, str, list[Finisher]]:
    """Return the id, the name and the places of the event that is archived in *file*; raise BadInput."""
    from tempfile import TemporaryDirectory

    from lastnose.companion.event import reports
    from lastnose.companion.link.hub import Hall
    from lastnose.companion.link.store import HallStore, reopen

    written = _read(file)
    with TemporaryDirectory(prefix="lastnose-") as folder:
        try:
            missing = reopen(written, Path(folder))
        except BadInput as problem:
            raise BadInput(text("{what}: {says}", what=str(file), says=problem.text)) from problem
        if missing is not None:
            raise BadInput(text("{what}: {says}", what=str(file), says=missing))
        store = HallStore(Path(folder))
        try:
            view = Hall(store).view
        finally:
            store.close()
    if view.step.kind == "wait":
        raise BadInput(text("{what}: {says}", what=str(file), says=view.step.says))
    made = view.state.arrangement
    return view.event, made.name if made is not None else file.stem, reports.finishers(view)


@define(
    "join",
    help=text("Let the table of this machine join a hall, with the address and code that the hall shows."),
    examples=["lastnose hall join http://192.168.1.5:8100/#abc234"],
)
@argument("address")
@data_option
def join(address: str, data_dir: Path | None) -> None:
    """Join and remember it: from the next start on, the table is in the hall."""
    from lastnose.companion.config.settings import default_data_dir
    from lastnose.companion.link.engine import must_have_parts
    from lastnose.companion.link.membership import join as come_in

    must_have_parts(server=False)
    folder = data_dir or default_data_dir()
    made = come_in(folder, address)
    say(text("This is table {n} of the hall at {hall}", n=made.number, hall=made.hall))
    if _runs(folder):
        say(text("The table that runs here takes note of it once it is ended and started again."))


@define(
    "leave",
    help=text("Let the table of this machine leave its hall; its evenings stay."),
    examples=["lastnose hall leave"],
)
@data_option
def leave(data_dir: Path | None) -> int:
    """Forget the hall; the status is 1 when there was none."""
    from lastnose.companion.config.settings import default_data_dir
    from lastnose.companion.link.membership import leave as go

    folder = data_dir or default_data_dir()
    gone = go(folder)
    say(text("This table is in no hall."))
    if gone and _runs(folder):
        say(text("The table that runs here takes note of it once it is ended and started again."))
    return 0 if gone else 1


for member in (run, simulate, status, export, open_archive, season, join, leave):
    command.add_command(member)


def _runs(folder: Path) -> bool:
    """Return whether a table runs with its data in *folder*."""
    from lastnose.companion.table.log_file import own

    try:
        own(folder).release()
    except StoreError:
        return True
    return False


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as problem:
        raise BadInput(unreadable(file, problem)) from problem


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
            text("No hall answers at {address} ({why}).", address=address, why=reason(problem))
        ) from problem
    return found
