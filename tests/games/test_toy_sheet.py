"""A score sheet in one file is kept everywhere: tape, OLED, API, command line.

In a browser it is filled in `tests/web/browser/test_cards_on_phones.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lastnose.companion.evening.commands import Play, Start
from lastnose.companion.games import GAMES
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.replay import load_tape, replay, report
from lastnose.companion.table.table import Table

from tests.support import toy_sheet
from tests.support.commands import lastnose
from tests.support.phones import Phone, make_app
from tests.support.pictures import assert_as_in_picture, every_page
from tests.support.tables import AnsweringTable

ROOT = Path(__file__).parent.parent.parent
PICTURE = Path(__file__).parent / "toy_sheet.png"
THREE = ("North", "East", "South")
# What is written of two hands: 10 + 11 with an ace for 11; all of the second counts twice.
MOVES: tuple[dict[str, Any], ...] = (
    {"type": "score", "hand": 1, "seat": 1, "points": 0},
    {"type": "score", "hand": 1, "seat": 2, "pieces": ["AH", "10H"]},
    {"type": "score", "hand": 1, "seat": 3, "points": 7},
    {"type": "sour", "hand": 2},
    {"type": "score", "hand": 2, "seat": 1, "pieces": ["2H", "3H"]},
    {"type": "score", "hand": 2, "seat": 3, "points": 0},
    {"type": "score", "hand": 2, "seat": 2, "points": 4},
)
TOTALS = [2 * (2 + 3), 21 + 2 * 4, 7]


@pytest.fixture(autouse=True)
def berries(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the table know the toy game, for one test."""
    monkeypatch.setitem(GAMES, toy_sheet.GAME.name, toy_sheet.GAME)
    yield


def written(store: Any = None, moves: tuple[dict[str, Any], ...] = MOVES) -> Table:
    """Return a table with what is written of two hands."""
    table = Table(store or MemoryStore(), ("nose.1",), simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    table.execute(Start("berries", THREE, {"ace": 11}), "host")
    for number, move in enumerate(moves):
        table.execute(Play(move), f"phone {number % 2 + 1}")
    return table


def test_nothing_else_knows_it() -> None:
    """One file is all it takes: neither the packages nor the page name it."""
    sources = [path for folder in ("companion", "web", "hardware") for path in (ROOT / folder).rglob("*")]
    texts = [path for path in sources if path.suffix in (".py", ".js", ".html", ".css", ".po")]
    assert [] == [path for path in texts if "berries" in path.read_text(encoding="utf-8").casefold()]


def test_it_plays_from_a_tape(tmp_path: Path) -> None:
    """Its moves, and the totals as every other game's scores."""
    header = {"tape": 1, "game": "berries", "players": THREE, "options": {"ace": 11}}
    lines = [header, *({"move": move, "t_ns": at} for at, move in enumerate(MOVES, start=1))]
    tape = tmp_path / "berries.jsonl"
    tape.write_text("\n".join(map(json.dumps, lines)) + "\n")
    found = report(replay(load_tape(tape)))
    assert TOTALS == [one["score"] for one in found["standings"]]
    assert ([], None) == (found["rounds"], found["outcome"])


def test_it_is_drawn_on_the_oled() -> None:
    """Hand, what it is about, the dealer, the totals; compared pixel by pixel."""
    shown = written().snapshot
    assert "Hand 3: sloes" == str(shown.headline)
    assert_as_in_picture(every_page(shown), PICTURE)


def test_it_is_filled_over_the_api() -> None:
    """Begun, entered, made sour, corrected and taken back; what cannot be is refused with its rule."""
    browser = Phone(make_app(AnsweringTable(Table(MemoryStore(), (), simulated=True, wall_s=lambda: 1.0))))
    begun = browser.post("/api/v1/sheet", {"game": "berries", "players": THREE, "options": {"ace": 11}})
    assert (201, "Hand 1: raspberries") == (begun.status_code, begun.json["headline"])
    for move in MOVES:
        assert 200 == browser.command("play", move=move).status_code
    assert TOTALS == browser.get("/api/v1/sheet").json["sheet"]["totals"]
    corrected = browser.put("/api/v1/sheet/cells/1/3", {"pieces": ["KH"]})
    assert [*TOTALS[:2], 10] == corrected.json["sheet"]["totals"]
    assert 0 == browser.delete("/api/v1/sheet/cells/2/2").json["sheet"]["totals"][1] - 21
    answers = [
        browser.post("/api/v1/sheet/cells", {"hand": 2, "seat": 2, **what})
        for what in ({"points": 91}, {"pieces": ["KS"]}, {"points": 0})
    ]
    assert [(409, "BRY-3"), (422, None), (409, "BRY-1")] == [
        (one.status_code, one.json["rule"]) for one in answers
    ]
    wrong = browser.post("/api/v1/sheet", {"game": "berries", "players": THREE, "options": {"ace": 5}})
    assert "Berries: the option “ace” is 1 or 11, not 5." == wrong.json["error"]


def test_it_is_counted_and_dealt_over_the_api() -> None:
    """As any game."""
    browser = Phone(make_app())
    counted = browser.get('/api/v1/points?game=berries&pieces=AH&pieces=10H&options={"ace":11}').json
    assert {"points": 21, "game": "berries", "pieces": ["AH", "10H"]} == counted
    assert 11 == browser.get('/api/v1/deal?game=berries&players=3&options={"ace":11}').json["ace"]
    assert "berries" in [game["name"] for game in browser.get("/api/v1/games").json["games"]]
    assert "Three baskets." in browser.get("/help/berries").get_data(as_text=True)


def test_it_is_counted_and_dealt_on_the_command_line() -> None:
    """Its option is said by name."""
    for line, said in (
        ("points berries AH 10H --option ace=11", "21 points\n"),
        (
            "points berries KS",
            "Error: KS is no berry, or is there twice (BRY-2). Try lastnose points --help for help.\n",
        ),
        ("deal berries --players 3", "Deal all hearts.\n"),
    ):
        assert said == lastnose(*line.split()).output
