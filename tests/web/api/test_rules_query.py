"""Asking the rules over the API, of the game that is being played; nothing is written."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.phones import Phone

THREE = ("North", "East", "South")

SHORT = "7S 7C 7H 7D 5S 6S 8S 9S JH JH 4C"


def ask(phone: Phone, **query: Any) -> Any:
    """Ask the rules."""
    words = "&".join(f"{name}={str(value).replace(' ', '+')}" for name, value in query.items())
    return phone.get(f"/api/v1/sheet/rules-query?{words}")


@pytest.fixture
def begun(scorer: Phone) -> Phone:
    """Return the scorer of a table with a sheet of contracts."""
    assert 201 == scorer.post("/api/v1/sheet", {"game": "swedish-gin", "players": THREE}).status_code
    return scorer


def test_the_answer_can_be_drawn(begun: Phone) -> None:
    """One card short: what there is, what is missing, which would do; in French, too."""
    found = ask(begun, about="contract", pieces=SHORT).json
    assert (False, "You cannot lay down yet: 1 card short.", "SGR-2") == (
        found["good"],
        found["says"],
        found["rule"],
    )
    assert [0, 1, 0] == [group["missing"] for group in found["groups"]]
    assert {"name": "JS", "stands_for": ""} in found["groups"][2]["pieces"]
    assert "C’est permis." == ask(begun, about="meld", pieces="9S 9H 9D", lang="fr").json["says"]


def test_the_former_path_answers_the_same(begun: Phone) -> None:
    """For programs written for version 0.1; the description has it no more."""
    asked = "about=meld&pieces=9S&pieces=9H&pieces=9D"
    now, before = (begun.get(f"/api/v1/sheet/{path}?{asked}").json for path in ("rules-query", "counsel"))
    assert now["good"]
    assert now == before


def test_another_hand_can_be_asked_about(begun: Phone) -> None:
    """A pair is a meld in hand 14, and in no other."""
    assert [False, True] == [
        ask(begun, about="meld", hand=hand, pieces="9S 9H").json["good"] for hand in (0, 14)
    ]


def test_nothing_is_written(begun: Phone) -> None:
    """The table is as it was."""
    before = begun.get("/api/v1/state").json["version"]
    ask(begun, about="contract", pieces=SHORT)
    assert before == begun.get("/api/v1/state").json["version"]


@pytest.mark.parametrize(
    ("query", "status", "why"),
    [
        ({"about": "contract", "pieces": "1S"}, 422, "is not a card"),
        ({"about": "contract", "pieces": "9S 9S 9S"}, 422, "two packs have it twice."),
        ({"about": "contract", "hand": 16, "pieces": "9S"}, 422, "There is no contract 16"),
        ({"about": "contract", "hand": "x", "pieces": "9S"}, 400, "cannot be read"),
        ({"about": "weather", "pieces": "9S"}, 422, "Ask about"),
        ({"pieces": "9S"}, 400, "cannot be read"),
    ],
)
def test_what_cannot_be_asked_is_refused(begun: Phone, query: dict[str, Any], status: int, why: str) -> None:
    """One sentence each."""
    found = ask(begun, **query)
    assert status == found.status_code
    assert why in found.json["error"]


def test_without_a_game_there_is_nobody_to_ask(scorer: Phone) -> None:
    """And where noses decide, nothing to be asked."""
    assert 404 == ask(scorer, about="contract", pieces="9S").status_code
    scorer.post("/api/v1/commands", {"type": "start", "game": "pig", "players": THREE})
    found = ask(scorer, about="contract", pieces="9S")
    assert (422, "In this game the rules are not asked about single hands.") == (
        found.status_code,
        found.json["error"],
    )
