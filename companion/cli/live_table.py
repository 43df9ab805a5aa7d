"""A table's live stream for programs in a terminal: snapshots as they come, None while it is away."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from companion.core.errors import BadInput, DeviceError
from companion.core.text import text

SILENCE_S = 15.0  # the table gives a sign of life every 5 s
AGAIN_S = 1.0

TableState = dict[str, Any]


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
                "“{address}” is no address of a table or hall. One looks like {example}.",
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


def no_table(base: str, problem: Exception | None) -> DeviceError:
    """Return the error that no table answers at *base*."""
    why = problem.reason if isinstance(problem, URLError) and not isinstance(problem, HTTPError) else problem
    return DeviceError(
        text(
            "No table answers at {address} ({why}). Start one with lastnose run, or name another with --at.",
            address=base,
            why=str(why) if why is not None else "?",
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
