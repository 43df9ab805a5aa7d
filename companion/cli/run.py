"""`lastnose run`: the table with its page, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from lastnose.companion.cli.frame import (
    A_FILE,
    FOLDER,
    Span,
    bad_option,
    data_option,
    define,
    language,
    option,
    say,
    say_pin,
)
from lastnose.companion.cli.table_options import (
    BACKUP,
    NEIGHBOURS,
    beside_option,
    boxes_option,
    certificate,
    certificate_option,
    key_option,
    lan_option,
    oled_option,
    phones_option,
    port_option,
    profile_option,
    source_option,
)
from lastnose.companion.config import PAGES
from lastnose.companion.core.text import Text, text
from lastnose.companion.games import GAMES, get_game

if TYPE_CHECKING:
    from lastnose.companion.app.app import App
    from lastnose.companion.config.settings import RunSettings
    from lastnose.companion.table.thread import TableThread
    from lastnose.companion.views.snapshot import Snapshot

REARM = text(
    "Arm the next round so many seconds after the noses are free; “never” waits for the host, as noses on "
    "pages and phones always do."
)
LOOK_UP_S = 0.5  # how long Ctrl-C may wait on Windows


@define(
    "run",
    examples=[
        "lastnose run",
        "lastnose run --lan",
        "lastnose run --profile home6 --lan",
        "lastnose run --source box",
        "lastnose run --source box --box sim",
        "lastnose run --profile home4 --phones 2 --lan",
        "lastnose run --source replay --tape evening.jsonl",
    ],
)
@source_option(tapes=True)
@profile_option
@boxes_option
@beside_option
@phones_option()
@option("--tape", type=A_FILE, help=text("The tape for --source replay."))
@option(
    "--speed",
    type=Span(0, 1000),
    default=1.0,
    show_default=True,
    help=text("How fast a tape is played; 0 plays it at once."),
)
@data_option
@port_option
@lan_option
@oled_option
@option("--rearm", "rearm", metavar="SECONDS", default="3", show_default=True, help=REARM)
@option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help=text(
        "Another name by which phones may call the page, as lastnose.local; again for each further one."
    ),
)
@option("--backup", metavar="DIR", type=FOLDER, help=BACKUP)
@option(
    "--wifi",
    type=A_FILE,
    metavar="FILE",
    help=text("The Wi-Fi that phones join first, with ssid and password (TOML); its QR code is shown too."),
)
@option("--neighbours", type=A_FILE, metavar="FILE", help=NEIGHBOURS)
@certificate_option
@key_option
@option("--new-pin", is_flag=True, help=text("Make a new PIN in the middle of the evening."))
@option(
    "--hall",
    metavar="ADDRESS",
    help=text("Join the hall with this address and code, and stay in it; lastnose hall leave ends that."),
)
@option("--open", "open_browser", is_flag=True, help=text("Open the page in a browser."))
def command(
    rearm: str,
    neighbours: Path | None,
    hall: str | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    **given: Any,
) -> None:
    """Run until told to leave."""
    from lastnose.companion.config.neighbours import read_neighbours
    from lastnose.companion.config.settings import calibrated, machine_name, run_settings

    if hall is not None:
        from lastnose.companion.link.engine import must_have_parts

        must_have_parts(server=False)
    settings = run_settings(
        tls=certificate(tls_cert, tls_key),
        language=language(),
        rearm_s=_seconds(rearm),
        neighbours=None if neighbours is None else read_neighbours(neighbours),
        **given,
    )
    if hall is not None:
        _join(hall, settings)
    _serve(calibrated(settings, machine_name()))


def _serve(settings: RunSettings) -> None:
    """Run a table until told to leave."""
    from lastnose.companion.app.app import App

    wait_for_signal = told_to_leave()
    app = App(settings)
    try:
        urls = app.start()
        _announce(app, urls)
        tell_link(app.table)
        if settings.open_browser:
            _open(urls[0])
        wait_for_signal()
    finally:
        app.stop()


def tell_link(table: TableThread) -> None:
    """Say what is wrong with the link to the hall, and when it is right again; nothing of the usual."""
    from lastnose.companion.views.hall import NO_LINK_YET

    told: Text | None = None

    def tell(snapshot: Snapshot) -> None:
        nonlocal told
        link = snapshot.hall.link if snapshot.hall is not None else None
        if link in (told, NO_LINK_YET):
            return
        told = link
        say(link if link is not None else text("The link to the hall is right again."))

    table.subscribe(tell)
    tell(table.snapshot)


def _join(hall: str, settings: RunSettings) -> None:
    """Let the table join a hall before it begins."""
    from lastnose.companion.link.membership import join

    made = join(settings.data_dir, hall)
    say(text("This is table {n} of the hall at {hall}", n=made.number, hall=made.hall))


def told_to_leave() -> Callable[[], int]:
    """Take Ctrl-C, SIGTERM and a closed terminal from now on; return what waits for the first of them.

    Whoever began us with nohup wants a closed terminal to end nothing.
    A signal may come while another is being taken: an Event would then wait for itself, this queue does not.
    Windows wakes nobody who waits for ever, and tells Ctrl-Break, or a window that is closed, by SIGBREAK.
    """
    told: SimpleQueue[int] = SimpleQueue()
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
        number = getattr(signal, name, None)
        if number is not None and (name != "SIGHUP" or signal.getsignal(number) != signal.SIG_IGN):
            signal.signal(number, lambda number, _: told.put(number))

    def wait() -> int:
        while True:
            with suppress(Empty):
                return told.get(timeout=LOOK_UP_S)

    return wait


def _seconds(rearm: str) -> float | None:
    if rearm == "never":
        return None
    from lastnose.companion.table.table import rearm_from

    try:
        seconds = float(rearm)
    except ValueError:
        raise bad_option("--rearm", REARM) from None
    rearm_from(seconds)  # said before a log is begun
    return seconds


def _announce(app: App, urls: tuple[str, ...]) -> None:
    from lastnose.companion.system.doctor.checks import NOT_WIRED

    if app.table.snapshot.simulated:
        say(text("SIMULATED: the noses are on the page."))
    elif app.settings.source == PAGES:
        say(NOT_WIRED)
    say(text("The page is at {url}", url=urls[0]))
    for url in urls[1:]:
        say(text("On the network: {url}", url=url))
    for warning in app.settings.profile.warnings():
        say(warning)
    if app.settings.wifi is not None and sys.stdout.isatty():
        wifi = app.settings.wifi
        say(text("Wi-Fi {ssid}, password {password}", ssid=wifi.ssid, password=wifi.password))
        _print_qr(wifi.code)
    if app.access.lan:
        say_pin(app.access.pin, app.settings.data_dir)
        _print_qr(app.host_address)
    if app.settings.source == PAGES or app.settings.phones:
        for line in fairness():
            say(line)
    say(text("Ctrl-C ends it; the evening is kept."))


def fairness() -> tuple[Text, ...]:
    """Return what all games together say of phones, each sentence once."""
    return tuple({line.id: line for name in GAMES for line in get_game(name).on_phones}.values())


def _print_qr(address: str | None) -> None:
    """Draw the QR code for phones where a person looks at a terminal."""
    if address is not None and sys.stdout.isatty():
        import segno

        segno.make(address, error="l", micro=False).terminal(compact=True)


def _open(url: str) -> None:
    """Open *url* where there is a desktop; a machine without one is no error."""
    import webbrowser

    if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(url)
