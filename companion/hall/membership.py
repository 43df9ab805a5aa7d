"""A table's place in a hall: which event, which server, its own key; joined once with a one-time code."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from companion.core.errors import BadInput, reason
from companion.core.text import text
from companion.hall import keys
from companion.hall.engine import must_be_safe
from companion.system.private_file import write_private

FILE = "hall.json"
WITHIN_S = 10


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
    path = folder / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Membership)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as problem:
        raise BadInput(
            text(
                "{file} cannot be read ({why}): delete it, and join the hall again.",
                file=str(path),
                why=reason(problem),
            )
        ) from problem


def join(folder: Path, address: str, name: str = "", *, engine: str | None = None) -> Membership:
    """Join the hall at *address* (as its QR code has it, with the code behind #) and remember it in *folder*.

    The key is made here, and only its public half leaves this machine. *engine* is the message server of the
    table's own house, None: the hall says which. Raises BadInput.
    """
    parts = urlsplit(address)
    code = parts.fragment
    if parts.scheme not in ("http", "https") or not parts.netloc or not code:
        raise BadInput(
            text(
                "“{address}” is no invitation of a hall: it looks like http://HOST:PORT/#CODE.",
                address=address,
            )
        )
    if engine is not None:
        must_be_safe(engine)
    known = load(folder)
    table = known.table if known is not None else keys.random_id(keys.TABLE)
    seed = known.seed if known is not None else keys.make_seed()
    hall = f"{parts.scheme}://{parts.netloc}/"
    answer = _ask(hall, {"code": code, "table": table, "key": keys.public_key(seed), "name": name})
    try:
        server = engine or str(answer["engine"])
        made = Membership(hall, str(answer["event"]), server, int(str(answer["number"])), table, seed)
    except (KeyError, TypeError, ValueError) as problem:
        raise BadInput(text("{hall} is no hall that this Last Nose understands.", hall=hall)) from problem
    keep(folder, made)
    return made


def keep(folder: Path, made: Membership) -> None:
    """Remember *made* in *folder*; raise StoreError."""
    write_private(folder / FILE, msgspec.json.encode(made))


def leave(folder: Path) -> bool:
    """Forget the hall; return whether there was one. The key stays nowhere."""
    path = folder / FILE
    found = path.exists()
    path.unlink(missing_ok=True)
    return found


def _ask(hall: str, wish: dict[str, str]) -> dict[str, object]:
    request = urllib.request.Request(
        f"{hall}api/v1/hall/tables", json.dumps(wish).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=WITHIN_S) as answer:
            found = json.loads(answer.read(100_000))
    except urllib.error.HTTPError as problem:
        raise BadInput(text("The hall says: {why}", why=_said(problem))) from problem
    except (OSError, ValueError) as problem:
        raise BadInput(
            text(
                "The hall at {hall} does not answer ({why}): is this table in its network?",
                hall=hall,
                why=str(problem),
            )
        ) from problem
    return found if isinstance(found, dict) else {}


def _said(problem: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(problem.read(10_000))["error"])
    except (ValueError, KeyError, TypeError, OSError):
        return f"{problem.code} {problem.reason}"
