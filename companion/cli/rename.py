"""`lastnose rename`: somebody is called otherwise in all of the evening, at a running table or in its log."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from companion.cli.frame import argument, data_option, json_option, language, option, print_json, say
from companion.cli.frame import command as define
from companion.core.errors import BadInput, CompanionError, DeviceError
from companion.core.names import tidy
from companion.core.text import Text, text

HERE = "http://127.0.0.1:8080/"
HOME = ("127.0.0.1", "localhost", "::1")
WITHIN_S = 15.0


@define(
    "rename",
    help=text(
        "Change somebody’s name in all of this evening: in every game, in the history and in the figures. A "
        "table that is running does it itself; otherwise it is written into the log."
    ),
    examples=[
        "lastnose rename Jhon John",
        "lastnose rename 'Ana 2' Annika --at http://lastnose.local/ --token lastnose_…",
    ],
)
@argument("player")
@argument("name")
@data_option()
@option(
    "--at",
    "address",
    metavar="ADDRESS",
    help=text("The table’s address, as its terminal shows it; otherwise http://127.0.0.1:8080/."),
)
@option(
    "--token",
    help=text("A token of that table, from lastnose token; for this machine’s table none is needed."),
)
@json_option()
def command(
    player: str, name: str, data_dir: Path | None, address: str | None, token: str | None, as_json: bool
) -> None:
    """Ask the table, or write into the log; say who is who."""
    from companion.config.settings import default_data_dir
    from companion.table.log_file import InUse

    folder = data_dir or default_data_dir()
    try:
        if address is not None or token is not None:
            _ask(address or HERE, folder, token, player, name)
        else:
            _write(folder, player, name)
    except InUse:
        _ask(HERE, folder, None, player, name)
    if as_json:
        print_json({"was": tidy(player), "name": tidy(name)})
    else:
        say(text("{player} is called {name} this evening.", player=tidy(player), name=tidy(name)))


def _write(folder: Path, player: str, name: str) -> None:
    """Write it into the log in *folder*, which no table uses; raise a CompanionError, InUse if one does."""
    from companion.evening.events import NameChanged
    from companion.evening.log import check_renaming
    from companion.table.log_file import NAME, none_kept
    from companion.table.memory_store import EveningRecord
    from companion.table.store import Store, must_be_there

    must_be_there(folder / NAME)
    if not (folder / NAME).is_file():
        raise BadInput(none_kept(folder / NAME))
    store = Store(folder)
    try:
        record = EveningRecord(store)
        check_renaming(record.evening, player)
        record.append(NameChanged(by="host", at=time.time(), was=player, name=tidy(name)))
    finally:
        store.close()


def _ask(address: str, folder: Path, token: str | None, player: str, name: str) -> None:
    """Let the table at *address* do it; raise a CompanionError with what it says, or that there is none."""
    from companion.cli.watch import base_of, no_table

    base = base_of(address)
    if token is None and urlsplit(base).hostname not in HOME:  # no other machine is told a token of this one
        raise BadInput(
            text(
                "A table on another machine wants a token of its own: make one there with lastnose token, "
                "and give it with --token."
            )
        )
    wish = json.dumps({"type": "rename", "player": player, "name": name}).encode()
    with _token(folder, token) as key:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        asked = Request(f"{base}/api/v1/commands?lang={language()}", wish, headers, method="POST")
        try:
            with urlopen(asked, timeout=WITHIN_S) as answer:
                answer.read()
        except HTTPError as refusal:
            raise _refused(base, folder, refusal) from None
        except (OSError, HTTPException, ValueError) as problem:
            raise no_table(base, problem) from None


@contextmanager
def _token(folder: Path, given: str | None) -> Iterator[str]:
    """Yield the token *given*, or one of *folder* that holds until this ends."""
    from web.access import drop_token, make_token

    if given is not None:
        yield given
        return
    called = f"rename {time.time_ns()}"
    key = make_token(folder, called)
    try:
        yield key
    finally:
        drop_token(folder, called)


def _refused(base: str, folder: Path, refusal: HTTPError) -> CompanionError:
    """Return what a table says that does not do it."""
    if refusal.code == 401:
        return BadInput(
            text(
                "The table at {address} does not know this token: name its folder with --data "
                "({folder} now), or give one of its own with --token.",
                address=base,
                folder=str(folder),
            )
        )
    try:
        found: Any = json.loads(refusal.read())
        sentence = found["error"]
    except (OSError, HTTPException, ValueError, TypeError, KeyError):
        sentence = f"HTTP {refusal.code}"
    return DeviceError(Text("{sentence}", {"sentence": str(sentence)}))
