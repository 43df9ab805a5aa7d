"""The options that every command has which takes a table's noses: where they are, how wired, which page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from lastnose.companion.cli import completion
from lastnose.companion.cli.frame import A_FILE, F, bad_option, option
from lastnose.companion.config import SOURCES, TAPE
from lastnose.companion.config.plugins import source_names
from lastnose.companion.core.decode import decode_json
from lastnose.companion.core.errors import BadInput, Malformed
from lastnose.companion.core.text import text

A_PORT = click.IntRange(0, 65535)
FROM = text("Where touches come from; without it a Pi’s pins (gpiochip), elsewhere pages and phones.")
WIRING = text("The wiring: a built-in profile or a .toml file.")
BOX = text("The buzzer box, by port or serial number; again for each further box. “sim” simulates one.")
BESIDE = text("The wiring of the Pi’s own pins, beside the boxes.")
ANY = text("Any option of the game as NAME=VALUE; `lastnose games` lists them.")
PAGE_PORT = text("The port of the page.")
LAN = text("Open the page to the network (default on a Pi and for a hall); phones then ask for the PIN.")
BACKUP = text(
    "Copy all evenings to this folder, on another card or a stick, which the table’s user must own."
)
NEIGHBOURS = text(
    "What else is to hear of the evening: MQTT, web hooks, Bitfocus Companion (TOML, readable by the "
    "table’s user)."
)
CERTIFICATE = text("A certificate, for https or a hall’s message server; without it nothing is encrypted.")


def source_option(*, tapes: bool = False) -> Callable[[F], F]:
    """Add `--source`, one of SOURCES; a tape where *tapes*. It arrives as `source`, None when not given."""
    return option(
        "--source",
        type=click.Choice([one for one in (*SOURCES, *source_names()) if tapes or one != TAPE]),
        help=FROM,
    )


def phones_option(default: int | None = 0) -> Callable[[F], F]:
    """Add `--phones`; it arrives as `phones`, *default* when it is not given."""
    return option(
        "--phones",
        type=click.IntRange(0),
        default=default,
        metavar="N",
        help=text(
            "So many more noses, beside the wired ones, that are phones or are touched on a shared page; "
            "sure to about ± 70 ms."
        ),
    )


# What is not given arrives as None, but for the port, and for what may be given several times.
profile_option = option("--profile", metavar="NAME|FILE", shell_complete=completion.profiles, help=WIRING)
boxes_option = option(
    "--box", "boxes", multiple=True, metavar="PORT|SERIAL|sim", shell_complete=completion.ports, help=BOX
)
beside_option = option("--beside", metavar="NAME|FILE", shell_complete=completion.profiles, help=BESIDE)
port_option = option("--port", type=A_PORT, default=8080, show_default=True, help=PAGE_PORT)
lan_option = option("--lan/--no-lan", default=None, help=LAN)
oled_option = option(
    "--oled", metavar="DRIVER", help=text("The display’s driver instead of the profile’s, or none.")
)
certificate_option = option("--tls-cert", type=A_FILE, metavar="FILE", help=CERTIFICATE)
key_option = option("--tls-key", type=A_FILE, metavar="FILE", help=text("Its key."))


def certificate(tls_cert: Path | None, tls_key: Path | None) -> tuple[Path, Path] | None:
    """Return both, None for neither; raise BadInput for one without the other."""
    if tls_cert is not None and tls_key is not None:
        return tls_cert, tls_key
    if tls_cert is None and tls_key is None:
        return None
    raise BadInput(text("TLS takes a certificate (--tls-cert) and its key (--tls-key), both PEM files."))


# ---- The options of a game on the command line: some have a flag of their own, any can be said as
# NAME=VALUE.

set_option = option(
    "--set",
    "highest",
    type=int,
    help=text("The dominoes’ highest double: 6, 9, 12 or 15; otherwise 9."),
)
any_option = option("--option", "more", multiple=True, metavar="NAME=VALUE", help=ANY)


def gathered(flags: Mapping[str, Any], more: Sequence[str]) -> dict[str, Any]:
    """Return the options that were said: *flags* that are not None, and *more* written as NAME=VALUE.

    Raises BadInput for one that is not written so, or said twice.

    >>> gathered({"set": 6, "stock": None}, ["little_chick=true", "start=alternative"])
    {'set': 6, 'little_chick': True, 'start': 'alternative'}
    """
    said = {name: value for name, value in flags.items() if value is not None}
    for written in more:
        name, sign, value = written.partition("=")
        if not sign or name in said:
            raise bad_option(written, ANY)
        said[name] = _read(value)
    return said


def _read(value: str) -> Any:
    """Return *value* as a number or a truth if it is one, else as it stands."""
    try:
        return decode_json(value)
    except Malformed:
        return value
