"""`lastnose regroup` at a real table: who comes, who goes, and who may say so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email.message import Message
from io import BytesIO
from pathlib import Path
from urllib.error import HTTPError

import pytest

from companion.cli.live_table import sent
from companion.core.errors import BadInput, DeviceError
from companion.evening.commands import Start
from tests.support.commands import lastnose
from tests.support.phones import TOKEN
from tests.support.tables import Served, served
from web.access_files import open_access, passing_token

LINES = tuple(f"nose.{number}" for number in range(1, 6))


@pytest.fixture
def table() -> Iterator[Served]:
    """Serve a table on which three play Pig."""
    with served(LINES) as table:
        table.table.submit(Start("pig", ("Ana", "Björn", "Ines"), {}, LINES[:3]), "host").result(120)
        yield table


def test_who_comes_and_who_goes_in_one_line(table: Served) -> None:
    """It says who plays from now on, with their letters; undo on any screen takes it back."""
    done = lastnose("regroup", "--comes", "Zoë", "--goes", "Björn", "--at", table.address, "--token", TOKEN)
    assert (0, "") == (done.exit_code, done.stderr)
    first, *rows = done.stdout.splitlines()
    assert "Zoë comes. Björn goes." in first
    assert ["   1  Ana  ···", "   2  Ines  ···", "   3  Zoë  ···"] == rows


def test_several_come_in_one_list(table: Served) -> None:
    """Between commas, as on the page."""
    done = lastnose("regroup", "--comes", "Eva, Farid", "--at", table.address, "--token", TOKEN, "--json")
    assert ["Ana", "Björn", "Ines", "Eva", "Farid"] == [
        row["player"] for row in json.loads(done.stdout)["rows"]
    ]


def test_mixed_seats_are_the_same_people(table: Served) -> None:
    """As JSON, as the API has it."""
    done = lastnose("regroup", "--mixed", "--at", table.address, "--token", TOKEN, "--json")
    rows = json.loads(done.stdout)["rows"]
    assert {("Ana", "nose.1"), ("Björn", "nose.2"), ("Ines", "nose.3")} == {
        (r["player"], r["line"]) for r in rows
    }


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        (("--goes", "Zoe"), "“Zoe” does not sit at this table. There are: Ana, Björn and Ines."),
        (("--goes", "Ana"), "3 to 26 players, not 2"),
        (("--comes", "Ana"), "Ana"),
        ((), "Say who comes, who goes, or that seats are mixed."),
    ],
)
def test_what_cannot_be_is_one_sentence(table: Served, wish: tuple[str, ...], says: str) -> None:
    """And nothing has changed at the table."""
    refused = lastnose("regroup", *wish, "--at", table.address, "--token", TOKEN)
    assert 2 == refused.exit_code
    assert says in refused.stderr
    assert ["Ana", "Björn", "Ines"] == [row.player for row in table.table.snapshot.rows]


def test_who_may_not_is_told_so(table: Served) -> None:
    """In the table's own sentence."""
    refused = lastnose("regroup", "--comes", "Zoë", "--at", table.address, "--token", "lastnose_no")
    assert 2 == refused.exit_code
    assert "token" in refused.stderr
    assert 3 == len(table.table.snapshot.rows)


def test_the_connection_of_a_refusal_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read to its end or not: newer Pythons complain of what is left open."""
    said = [BytesIO(b'{"error": "Not now."}'), BytesIO(b"<p>Sorry</p>")]
    refusals = [HTTPError("http://table/", 409, "Conflict", Message(), one) for one in said]
    answers = iter(refusals)

    def refuse(*_: object, **__: object) -> None:
        raise next(answers)

    monkeypatch.setattr("companion.cli.live_table.urlopen", refuse)
    for kind in (BadInput, DeviceError):
        with pytest.raises(kind):
            sent("http://table", "en", {"type": "undo"}, TOKEN)
    assert [True, True] == [one.closed for one in said]


def test_on_the_table_s_own_machine_a_token_is_lent_and_taken_back(tmp_path: Path) -> None:
    """Afterwards it opens nothing, and the tokens that were there still do."""
    access = open_access(tmp_path, lan=True, now_s=lambda: 0.0)
    with passing_token(tmp_path, "lastnose regroup") as lent:
        assert access.token_name(lent) is not None
    assert access.token_name(lent) is None
