"""A machine's place in a hall: which event, which server, its own key; joined once with a code."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from lastnose.companion.core.decode import why_not
from lastnose.companion.core.errors import BadInput, reason
from lastnose.companion.core.text import text
from lastnose.companion.hall import MEMBERSHIP, keys
from lastnose.companion.hall.engine import must_be_safe_to_join
from lastnose.companion.system.private_file import write_private

T = TypeVar("T")
WITHIN_S = 10


class TableComes(msgspec.Struct, frozen=True):
    """A table that wants to come in: the code of the evening, its random id, its public key."""

    code: str
    table: str
    key: str
    name: str = ""


class TableAsks(msgspec.Struct, frozen=True):
    """A table that asks to come in: its random id, its public key, what its machine is called."""

    table: str
    key: str
    name: str = ""


class TableAnswer(msgspec.Struct, frozen=True):
    """What a table that asks is told: as `TableIsIn`; `number` is 0 as long as the desk has not let it in.

    `anew`: nothing more can be taken under its name, and it is to ask under another.
    """

    event: str = ""
    number: int = 0
    engine: str = ""
    anew: bool = False


class NeedsNewName(Exception):
    """The hall can take nothing more under this table's id: it is to ask under another, with another key."""


class TableIsIn(msgspec.Struct, frozen=True):
    """A table that is in: which event, its number, where the message server is."""

    event: str
    number: int
    engine: str


class Membership(msgspec.Struct, frozen=True):
    """What a table needs to know of the hall that it is in. `seed` is its secret key."""

    hall: str
    event: str
    engine: str
    number: int
    table: str
    seed: str


def load(folder: Path) -> Membership | None:
    """Return the hall that the table with its data in *folder* is in, None without one; raise BadInput."""
    path = folder / MEMBERSHIP
    try:
        return msgspec.json.decode(path.read_bytes(), type=Membership)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as problem:
        raise BadInput(
            text(
                "{file} cannot be read ({why}): delete it, and join the hall again.",
                file=str(path),
                why=why_not(problem),
            )
        ) from problem


def join(folder: Path, address: str, name: str = "") -> Membership:
    """Join the hall at *address*, with the code behind #, or a hall near by the code alone.

    It is remembered in *folder*. The key is made here, and only its public half leaves this machine.
    Raises BadInput.
    """
    return come_in(folder, invitations(address), name)


def come_in(folder: Path, wanted: Sequence[str], name: str) -> Membership:
    """Join the first hall that takes one of the invitations *wanted* (see `join`); raise the last refusal."""
    *others, last = wanted
    for one in others:  # halls that are near: one of them has this code
        with suppress(BadInput):
            return _join(folder, one, name)
    return _join(folder, last, name)


def invitations(written: str) -> tuple[str, ...]:
    """Return what *written* may stand for: an address, or for a code alone each hall near, with that code."""
    code = written.strip().lower()
    if not keys.is_id(code, keys.CODE):
        return (written,)
    from lastnose.companion.hall.nearby import find

    return tuple(f"{hall.address}#{code}" for hall in find()) or (written,)


def _join(folder: Path, address: str, name: str) -> Membership:
    hall, code = address_of(address)
    if not code:
        raise _no_invitation(address)
    known = load(folder)
    table = known.table if known is not None else keys.random_id(keys.TABLE)
    seed = known.seed if known is not None else keys.make_seed()
    wish = TableComes(code, table, keys.public_key(seed), name)
    found = _ask(f"{hall}api/v1/hall/tables", wish, TableIsIn)
    made = Membership(hall, found.event, found.engine, found.number, table, seed)
    must_be_safe_to_join(made.engine)
    keep(folder, made)
    return made


def ask_in(hall: str, table: str, seed: str, name: str) -> Membership | None:
    """Ask the desk of *hall* to let *table* in; return None as long as it has not.

    Raises BadInput, and NeedsNewName.
    """
    wish = TableAsks(table, keys.public_key(seed), name)
    found = _ask(f"{hall}api/v1/hall/asks", wish, TableAnswer)
    if found.anew:
        raise NeedsNewName
    if not found.number:
        return None
    must_be_safe_to_join(found.engine)
    return Membership(hall, found.event, found.engine, found.number, table, seed)


def address_of(address: str) -> tuple[str, str]:
    """Return the hall and the code of what somebody has typed or scanned, "" without a code; raise BadInput.

    >>> address_of("http://192.168.1.5:8100/#abc"), address_of("hall.local:8100")
    (('http://192.168.1.5:8100/', 'abc'), ('http://hall.local:8100/', ''))
    """
    written = address.strip()
    try:
        parts = urlsplit(written if "://" in written else f"http://{written}")
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or any(sign.isspace() for sign in written):
        raise _no_invitation(address)
    return f"{parts.scheme}://{parts.netloc}/", parts.fragment


def _no_invitation(address: str) -> BadInput:
    return BadInput(
        text(
            "“{address}” is not an invitation from a hall: one looks like http://HOST:PORT/#CODE.",
            address=address,
        )
    )


def keep(folder: Path, made: Membership) -> None:
    """Remember *made* in *folder*; raise StoreError."""
    write_private(folder / MEMBERSHIP, msgspec.json.encode(made))


def leave(folder: Path) -> bool:
    """Forget the hall; return whether there was one. The key stays nowhere."""
    path = folder / MEMBERSHIP
    found = path.exists()
    path.unlink(missing_ok=True)
    return found


def _ask(hall: str, wish: TableComes | TableAsks, gives: type[T]) -> T:
    where = hall.partition("api/")[0]
    request = urllib.request.Request(hall, msgspec.json.encode(wish), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=WITHIN_S) as answer:
            return msgspec.json.decode(answer.read(100_000), type=gives)
    except urllib.error.HTTPError as problem:
        raise BadInput(text("The hall says: {why}", why=_said(problem))) from problem
    except msgspec.MsgspecError as problem:
        raise BadInput(text("{hall} is not a hall that this Last Nose understands.", hall=where)) from problem
    except (OSError, HTTPException, ValueError) as problem:
        raise BadInput(
            text(
                "The hall at {hall} does not answer ({why}): is this machine in its network?",
                hall=where,
                why=reason(problem),
            )
        ) from problem


def _said(problem: urllib.error.HTTPError) -> str:
    try:
        with problem:
            return str(json.loads(problem.read(10_000))["error"])
    except (ValueError, KeyError, TypeError, OSError, HTTPException):
        return f"{problem.code} {problem.reason}"
