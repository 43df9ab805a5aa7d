"""A running table, asked over HTTP by a command: what it shows now, its live stream, and commands to it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from lastnose.companion.cli.frame import F, language, option
from lastnose.companion.core.errors import BadInput, CompanionError, DeviceError, reason
from lastnose.companion.core.names import harmless
from lastnose.companion.core.text import Text, text

SILENCE_S = 15.0  # the table gives a sign of life every 5 s
AGAIN_S = 1.0

TableState = dict[str, Any]

HERE = "http://127.0.0.1:8080/"
ADDRESS = text("The address, as the terminal of the table or hall shows it.")
HOME = ("127.0.0.1", "localhost", "::1")
WITHIN_S = 15.0


def at_option(default: str | None = None) -> Callable[[F], F]:
    """Add `--at`, where the table is; it arrives as `address`, *default* when it is not given."""
    return option("--at", "address", metavar="ADDRESS", default=default, show_default=HERE, help=ADDRESS)


token_option = option(
    "--token",
    metavar="TOKEN",
    help=text("A token of that table, from lastnose token; for this machine’s table none is needed."),
)


def is_here(base: str) -> bool:
    """Return whether *base* is the address of a table on this machine."""
    return urlsplit(base).hostname in HOME


def base_of(address: str) -> str:
    """Return *address* as it begins every request; raise BadInput.

    >>> base_of("127.0.0.1:8080"), base_of("http://lastnose.local/")
    ('http://127.0.0.1:8080', 'http://lastnose.local')
    """
    full = address if "://" in address else f"http://{address}"
    try:
        host = urlsplit(full).netloc
    except ValueError:  # as of a bracket that is not closed
        host = ""
    if not full.startswith(("http://", "https://")) or not host or any(sign.isspace() for sign in full):
        raise BadInput(
            text(
                "“{address}” is not the address of a table or hall. One looks like {example}.",
                address=address[:80],
                example="http://127.0.0.1:8080/",
            )
        )
    return full.rstrip("/")


def state_of(base: str, language: str) -> TableState:
    """Return what the table at *base* shows now; raise DeviceError when there is none."""
    try:
        with urlopen(f"{base}/api/v1/state?lang={language}", timeout=SILENCE_S) as answer:
            found = json.load(answer)
    except (OSError, HTTPException, ValueError) as problem:
        raise no_table(base, problem) from None
    if not isinstance(found, dict) or "headline" not in found:
        raise no_table(base, None)
    return found


def plain(found: Any) -> Any:
    """Return *found* with a space for every sign in it that a terminal obeys and does not show.

    >>> plain({"rows": [{"seat": 1, "player": "Bob\\u202e"}]})
    {'rows': [{'seat': 1, 'player': 'Bob '}]}
    """
    if isinstance(found, dict):
        return {name: plain(one) for name, one in found.items()}
    if isinstance(found, list):
        return [plain(one) for one in found]
    return harmless(found) if isinstance(found, str) else found


def no_table(base: str, problem: Exception | None) -> DeviceError:
    """Return the error that no table answers at *base*."""
    return DeviceError(
        text(
            "No table answers at {address} ({why}). Start one with lastnose run, or name another with --at.",
            address=base,
            why=reason(problem) if problem is not None else "?",
        )
    )


def messages(lines: Iterator[bytes]) -> Iterator[TableState]:
    """Return the snapshots of a stream of Server-Sent Events; other events are passed over.

    >>> said = [b"retry: 1\\n", b"\\n", b"event: beat\\n", b"data: 1\\n", b"\\n", b'data: {"a":1}\\n', b"\\n"]
    >>> list(messages(iter(said)))
    [{'a': 1}]
    """
    name, data = "message", b""
    for line in lines:
        field, _, value = line.rstrip(b"\r\n").partition(b": ")
        if field == b"event":
            name = value.decode()
        elif field == b"data":
            data += value
        elif not field:
            if data and name == "message":
                yield json.loads(data)
            name, data = "message", b""


def follow(
    base: str, language: str, sleep: Callable[[float], object] = time.sleep
) -> Iterator[TableState | None]:
    """Give the table's snapshots for ever, None whenever it has gone; it is asked again by itself."""
    while True:
        request = Request(f"{base}/events?lang={language}", headers={"Accept": "text/event-stream"})
        try:
            with urlopen(request, timeout=SILENCE_S) as stream:
                yield from messages(stream)
        except (OSError, HTTPException, ValueError):
            pass  # it is said by the None below, and tried again
        yield None
        sleep(AGAIN_S)


# ---- commands


def command_table(base: str, folder: Path, token: str | None, wish: dict[str, Any]) -> None:
    """Let the table at *base* do *wish*, a command; raise a CompanionError with what it says against it.

    Without a *token* one of *folder* is made for this, the data folder of the table of this machine.
    """
    if token is None and not is_here(base):  # no other machine is told a token of this one
        raise _unknown_token(base)
    with _token(folder, token) as key:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        asked = Request(
            f"{base}/api/v1/commands?lang={language()}", json.dumps(wish).encode(), headers, method="POST"
        )
        try:
            with urlopen(asked, timeout=WITHIN_S) as answer:
                answer.read()
        except HTTPError as refusal:
            with refusal:
                raise _refused(base, refusal) from None
        except (OSError, HTTPException, ValueError) as problem:
            raise no_table(base, problem) from None


@contextmanager
def _token(folder: Path, given: str | None) -> Iterator[str]:
    """Yield the token *given*, or one of *folder* that holds until this ends."""
    from lastnose.web.access import drop_token, make_token

    if given is not None:
        yield given
        return
    called = f"terminal {time.time_ns()}"
    key = make_token(folder, called)
    try:
        yield key
    finally:
        drop_token(folder, called)


def _unknown_token(base: str) -> BadInput:
    return BadInput(
        text(
            "The table at {address} wants a token of its own: make one there with lastnose token, and give "
            "it with --token; for a table of this machine, name its folder with --data.",
            address=base,
        )
    )


def _refused(base: str, refusal: HTTPError) -> CompanionError:
    """Return what a table says that does not do it."""
    if refusal.code == 401:
        return _unknown_token(base)
    try:
        found: Any = json.loads(refusal.read())
        sentence = found["error"]
    except (OSError, HTTPException, ValueError, TypeError, KeyError):
        sentence = f"HTTP {refusal.code}"
    return DeviceError(Text("{sentence}", {"sentence": str(sentence)}))
