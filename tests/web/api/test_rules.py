"""What a hand costs, whether it lays, what to deal, and the rules of what is played: asked of the API."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.support.phones import Phone, make_app


def ask(path: str, **query: Any) -> Any:
    """Ask with *query*: lists as several of one name, objects as JSON."""
    written = {key: json.dumps(value) if isinstance(value, dict) else value for key, value in query.items()}
    return Phone(make_app()).get(f"/api/v1/{path}?{urlencode(written, doseq=True)}")


def test_hands_are_counted() -> None:
    """CHK-9 and SGR-8, as on the command line; pieces one each or several in one."""
    tiles = ["5-5", "1-0", "0-0", "3-1"]
    assert {"points": 65, "game": "chickenfoot", "pieces": tiles} == ask(
        "points", game="chickenfoot", pieces=tiles
    ).json
    by_agreement = ask("points", game="chickenfoot", pieces=" ".join(tiles), options={"double_blank": 25})
    assert 40 == by_agreement.json["points"]
    cards = "7S 7C 7H 7D 5S 6S 8S 9S JH JH 4C"
    assert 65 == ask("points", game="swedish-gin", pieces=cards).json["points"]


def test_a_contract_is_solved() -> None:
    """The same answer as the command's, whether it lays or not: the question was understood."""
    laid = ask("contract", number=4, cards="3S 4S 5S 6S 8H 9H 10H 2C KD 9D 4C 7D")
    assert 200 == laid.status_code
    assert {
        "lays": True,
        "melds": [["3S", "4S", "5S", "6S"], ["8H", "9H", "10H", "2C"]],
        "discard": "KD",
        "points_left": 15,
        "short": 0,
        "left": ["4C", "7D", "9D"],
        "draws": [],
    } == laid.json
    short = ask("contract", number=1, cards="7S 7H 7D KS KH 3D 4D").json
    assert (False, 1, None, "2S") == (short["lays"], short["short"], short["discard"], short["draws"][0])
    hand = "3S 3H 3D KS KH KD QS QH QC 4C 5H 4D"
    assert 10 == ask("contract", number=1, cards=hand).json["points_left"]
    assert 25 == ask("contract", number=1, cards=hand, extras="false").json["points_left"]


def test_a_deal_is_told() -> None:
    """With a game's own figures."""
    tiles = ask("deal", game="chickenfoot", players=4, options={"set": 9}).json
    assert (11, 11) == (tiles["tiles_each"], tiles["boneyard"])
    assert ["A", "K", "Q"] == ask("deal", game="pig", players=3, lang="fr").json["ranks"]


@pytest.mark.parametrize(
    ("path", "query", "status", "sentence"),
    [
        ("points", {"game": "pig", "pieces": "KS"}, 422, "Pig has no hand points"),
        (
            "points",
            {"game": "chickenfoot", "options": {"double_blank": 30}},
            422,
            "is 50 or 25, not 30.",
        ),
        ("points", {}, 400, "game is missing."),
        ("points", {"game": "chickenfoot", "tiles": "5-5"}, 400, "tiles is not a key that is known here."),
        ("points", {"game": "chickenfoot", "options": "{"}, 400, "This request cannot be read: "),
        (
            "points",
            {"game": "chickenfoot", "options": "[]"},
            400,
            "options must be a group of keys, not a list",
        ),
        ("contract", {"number": 16, "cards": "3S"}, 422, "There is no contract 16"),
        ("contract", {"number": "one", "cards": "3S"}, 400, "This request cannot be read: "),
        ("contract", {"number": 1, "cards": ""}, 422, "Say which cards"),
        ("contract", {"number": 1, "cards": "AS " * 19}, 422, "19 cards are too many for one hand"),
        ("contract", {"number": 1, "cards": "3S", "extras": "perhaps"}, 400, "cannot be read"),
        ("deal", {"game": "pig", "players": 2}, 422, "Pig is for 3 to 26 players, not 2."),
        ("deal", {"game": "chickenfoot", "players": 11}, 422, "the tiles would not go round. Be 10 at most"),
        ("deal", {"game": "pig", "players": 3, "lang": "xx"}, 400, "lang cannot be 'xx'"),
    ],
)
def test_bad_input_is_one_sentence(path: str, query: dict[str, Any], status: int, sentence: str) -> None:
    """With the rule; 400 when it cannot be read, 422 when it still cannot be (more in `test_hand_points`)."""
    answer = ask(path, **query)
    assert status == answer.status_code
    assert {"error", "rule"} == set(answer.json)
    assert sentence in answer.json["error"]


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("points", {"game": "x" * 5000}),
        ("points", {"game": "chickenfoot", "pieces": "9" * 5000}),
        ("points", {"game": "swedish-gin", "pieces": "9" * 5000}),
        ("points", {"game": "chickenfoot", "options": {"set": "9" * 5000}}),
        ("contract", {"number": 4, "cards": "9" * 5000}),
        ("deal", {"game": "pig", "players": "9" * 5000}),
    ],
)
def test_what_is_too_long_is_not_said_whole(path: str, query: dict[str, Any]) -> None:
    """A sentence is one that people can read, with all our games in it and more."""
    answer = ask(path, **query)
    assert answer.status_code in (400, 422)
    assert len(answer.json["error"]) < 400


def test_sentences_are_in_the_readers_language() -> None:
    """What the API refuses is said as the page would."""
    english, french = (
        ask("points", game="chickenfoot", pieces="12-1", lang=language).json["error"]
        for language in ("en", "fr")
    )
    assert english != french
    assert "double-9" in french


THREE = ("North", "East", "South")

SHORT = "7S 7C 7H 7D 5S 6S 8S 9S JH JH 4C"


def ask_rules(phone: Phone, **query: Any) -> Any:
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
    found = ask_rules(begun, about="contract", pieces=SHORT).json
    assert (False, "You cannot lay down yet: 1 card short.", "SGR-2") == (
        found["good"],
        found["says"],
        found["rule"],
    )
    assert [0, 1, 0] == [group["missing"] for group in found["groups"]]
    assert {"name": "JS", "stands_for": ""} in found["groups"][2]["pieces"]
    assert "C’est permis." == ask_rules(begun, about="meld", pieces="9S 9H 9D", lang="fr").json["says"]


def test_the_former_path_answers_the_same(begun: Phone) -> None:
    """For programs written for version 0.1; the description has it no more."""
    asked = "about=meld&pieces=9S&pieces=9H&pieces=9D"
    now, before = (begun.get(f"/api/v1/sheet/{path}?{asked}").json for path in ("rules-query", "counsel"))
    assert now["good"]
    assert now == before


def test_another_hand_can_be_asked_about(begun: Phone) -> None:
    """A pair is a meld in hand 14, and in no other."""
    assert [False, True] == [
        ask_rules(begun, about="meld", hand=hand, pieces="9S 9H").json["good"] for hand in (0, 14)
    ]


def test_nothing_is_written(begun: Phone) -> None:
    """The table is as it was."""
    before = begun.get("/api/v1/state").json["version"]
    ask_rules(begun, about="contract", pieces=SHORT)
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
    found = ask_rules(begun, **query)
    assert status == found.status_code
    assert why in found.json["error"]


def test_without_a_game_there_is_nobody_to_ask(scorer: Phone) -> None:
    """And where noses decide, nothing to be asked."""
    assert 404 == ask_rules(scorer, about="contract", pieces="9S").status_code
    scorer.post("/api/v1/commands", {"type": "start", "game": "pig", "players": THREE})
    found = ask_rules(scorer, about="contract", pieces="9S")
    assert (422, "In this game the rules are not asked about single hands.") == (
        found.status_code,
        found.json["error"],
    )
