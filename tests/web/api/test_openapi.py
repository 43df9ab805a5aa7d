"""The API's description held against the running server by Schemathesis: every call, good data and bad.

It checks status codes, media types, bodies, `Allow`, that bad data is rejected and good data read, and that
nothing changes without a token. Bounded and seeded: the same requests every time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.evening.commands import AnyCommand, Arm, Play, Start
from lastnose.companion.games import GAMES
from lastnose.web.api.endpoint import TABLE

from tests.support.phones import TOKEN
from tests.support.streams import eventually
from tests.support.tables import served

LINES = ("nose.1", "nose.2", "nose.3")
PLAYERS = ("North", "East", "South")
CONFIG = Path(__file__).parent.parent.parent / "schemathesis.toml"
CASES_A_CALL = 10
OPEN = {"DealAdvice", "Error"}  # a deal has what is a game's own besides


@pytest.fixture
def address() -> Iterator[str]:
    """Serve a table that has judged a round (entry 3) and keeps a sheet; return its address."""
    with served(LINES) as evening:

        def do(command: AnyCommand) -> None:
            evening.table.submit(command, "host").result(120)

        do(Start("pig", PLAYERS))
        do(Arm())
        for number, line in enumerate(LINES):
            evening.source.drive(line, 1, time.monotonic_ns() + number, StampWorth(1000))
        assert eventually(lambda: [3] == [one.seq for one in evening.table.queries.rounds()])
        do(Start("swedish-gin", PLAYERS))
        do(Play({"type": "score", "hand": 1, "seat": 1, "points": 0}))
        yield evening.address


def described(address: str) -> dict[str, Any]:
    """Return the description."""
    with urllib.request.urlopen(f"{address}/api/v1/openapi.json", timeout=120) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def closed(document: dict[str, Any]) -> dict[str, Any]:
    """Return *document* with every answer allowed exactly the fields that it names, without the stream."""
    del document["paths"]["/events"]
    schemas = document["components"]["schemas"]
    wishes = {one.takes.__name__ for one in TABLE.calls if isinstance(one.takes, type)} | {"Tap", "Command"}
    for name, schema in schemas.items():
        if "properties" in schema and name not in OPEN | wishes and not name.endswith("Command"):
            schema["additionalProperties"] = False
    return document


@pytest.mark.heavy
def test_the_server_keeps_what_its_description_promises(address: str, tmp_path: Path) -> None:
    """Examples, limits, random data and sequences of calls; a failure comes with its curl line."""
    (tmp_path / "openapi.json").write_text(json.dumps(closed(described(address))))
    (tmp_path / "schemathesis.toml").write_text(CONFIG.read_text())
    command = [
        *(str(Path(sys.executable).with_name("schemathesis")), "--no-color", "run", "openapi.json"),
        *("--url", address, "--header", f"Authorization: Bearer {TOKEN}", "--checks", "all"),
        *("--phases", "examples,coverage,fuzzing,stateful", "--max-examples", str(CASES_A_CALL)),
        *("--seed", "1", "--continue-on-failure", "--request-timeout", "120"),
        # How long an answer takes is the machine's mood: not the 10 s that are the limit unasked.
        *("--max-response-time", "120"),
    ]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=1800, check=False)
    assert 0 == run.returncode, run.stdout + run.stderr
    assert f"Tested: {len(TABLE.calls)}" in run.stdout


def test_a_call_that_no_program_can_make_is_described_without_a_token(address: str) -> None:
    """A phone gives itself a name; a token was named when it was made, and every example with it fails."""
    paths = described(address)["paths"]
    assert [{"page": []}] == paths["/api/v1/phone"]["post"]["security"]
    assert {"token": []} in paths["/api/v1/commands"]["post"]["security"]


REFUSED = {
    ("get", "/state"): "400 401 421 503",
    ("get", "/wifi.svg"): "400 401 403 404 421 503",
    ("get", "/rounds/{seq}/tape"): "400 401 404 421 503",
    ("post", "/commands"): "400 401 403 409 413 415 421 422 503",
}


def test_calls_are_described_with_all_that_they_refuse(address: str) -> None:
    """No host, nothing there, too long, no JSON: by its status; a key too many where every key is looked at.

    What is one of several commands is described by those alone.
    """
    document = described(address)
    for (method, path), refused in REFUSED.items():
        answers = document["paths"][f"/api/v1{path}"][method]["responses"]
        assert refused == " ".join(sorted(status for status in answers if status >= "400")), path
    schemas = document["components"]["schemas"]
    assert False is schemas["StartCommand"]["additionalProperties"]
    assert "additionalProperties" not in schemas["Command"]
    wishes = {one.takes.__name__: one for one in TABLE.calls if isinstance(one.takes, type)}
    for name, one in wishes.items():
        assert one.strict == (schemas[name].get("additionalProperties") is False), name


def test_every_example_of_the_description_works(address: str) -> None:
    """In the order of the description; each is made from a game that there is."""
    document = described(address)
    examples = [
        (method, path, operation["requestBody"]["content"]["application/json"]["example"])
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if path.startswith("/api/v1/sheet") and "requestBody" in operation
    ]
    for method, path, body in examples:
        wish = urllib.request.Request(
            address + path.format(hand=1, seat=1),
            method=method.upper(),
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(wish, timeout=120) as answer:
            assert answer.status in (200, 201)
    points = document["paths"]["/api/v1/points"]["get"]["parameters"]
    assert next(one["example"] for one in points if one["name"] == "game") in GAMES
