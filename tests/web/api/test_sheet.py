"""Score sheets over the API: begun, filled in, corrected, taken back, kept as a file; on a real table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table

from tests.support.phones import Phone, make_app
from tests.support.tables import AnsweringTable

THREE = ["North", "East", "South"]


@pytest.fixture
def begun(scorer: Phone) -> Phone:
    """Return it with a sheet begun: double-6, North has gone out in the first hand."""
    sheet = {"game": "chickenfoot", "players": THREE, "options": {"set": 6}}
    assert 201 == scorer.post("/api/v1/sheet", sheet).status_code
    assert 201 == enter(scorer, 1, 1, points=0).status_code
    return scorer


def enter(scorer: Phone, hand: int, seat: int, **what: Any) -> Any:
    """Enter a cell."""
    return scorer.post("/api/v1/sheet/cells", {"hand": hand, "seat": seat, **what})


def totals(scorer: Phone) -> list[int]:
    """Return the totals."""
    found: list[int] = scorer.get("/api/v1/sheet").json["sheet"]["totals"]
    return found


def test_a_sheet_is_begun_and_filled_in(begun: Phone) -> None:
    """Numbers and tiles, each cell with who wrote it; the answer is the sheet with it."""
    made = enter(begun, 1, 3, pieces=["0-0", "3-1"])
    assert (201, "/api/v1/sheet/cells/1/3") == (made.status_code, made.headers["Location"])
    assert [0, 0, 54] == made.json["sheet"]["totals"]
    assert {"points": 54, "pieces": ["0-0", "3-1"], "by": "host"}.items() <= begun.get(
        made.headers["Location"]
    ).json.items()
    assert [2] == next(ask["seats"] for ask in made.json["entries"] if ask["ask"] == "points")
    enter(begun, 1, 2, points=12)
    now = begun.get("/api/v1/sheet").json
    assert ("chickenfoot", "Chickenfoot", 6) == (now["game"], now["title"], now["options"]["set"])
    assert ("Hand 2: double 5", [0, 12, 54], [1]) == (
        now["headline"],
        now["sheet"]["totals"],
        now["sheet"]["leaders"],
    )


def test_a_cell_is_corrected_and_taken_back(begun: Phone) -> None:
    """What is written is there to be changed; what is taken back is not there any more."""
    enter(begun, 1, 2, points=12)
    cell = "/api/v1/sheet/cells/1/2"
    assert [0, 21, 0] == begun.put(cell, {"points": 21}).json["sheet"]["totals"]
    assert [0, 8, 0] == begun.put(cell, {"pieces": ["5-3"]}).json["sheet"]["totals"]
    assert [0, 0, 0] == begun.delete(cell).json["sheet"]["totals"]
    answers = [begun.get(cell), begun.delete(cell), begun.put(cell, {"points": 3})]
    assert [(404, "Nothing is written yet for East in hand 1.")] * 3 == [
        (one.status_code, one.json["error"]) for one in answers
    ]


@pytest.mark.parametrize(
    ("wish", "status", "rule", "sentence"),
    [
        ({"hand": 1, "seat": 1, "points": 3}, 409, "CHK-11", "Hand 1: North has 0 already"),
        ({"hand": 1, "seat": 2, "points": 0}, 409, "CHK-11", "cannot both have nothing left"),
        ({"hand": 2, "seat": 2, "points": 3}, 409, "CHK-11", "Hand 1 comes first"),
        ({"hand": 1, "seat": 2, "points": 900}, 409, "CHK-11", "900 points are too many: what is left makes"),
        ({"hand": 1, "seat": 2, "points": 204}, 409, "CHK-11", "No tiles that are left add up to 204."),
        (
            {"hand": 1, "seat": 2, "pieces": ["9-1"]},
            422,
            None,
            "A double-6 set has every tile once, up to 6-6: look at 9-1 again.",
        ),
        ({"hand": 1, "seat": 2, "pieces": ["6-6"]}, 409, "CHK-3", "started this hand"),
        (
            {"hand": 1, "seat": 2, "pieces": ["5-1", "1-5"]},
            422,
            None,
            "every tile once, up to 6-6: look at 5-1 again.",
        ),
        ({"hand": 1, "seat": 9, "points": 3}, 409, "CHK-11", "There is no seat 9"),
        ({"hand": 9, "seat": 2, "points": 3}, 409, "CHK-11", "There are 7 hands, and no 9."),
        ({"hand": 1, "seat": 2}, 422, None, "either “points”, a number, or “pieces”"),
        ({"hand": 1, "seat": 2, "points": 1, "pieces": []}, 422, None, "either “points”, a number"),
        ({"hand": 1, "points": 3}, 400, None, "seat is missing"),
        (
            {"hand": 1, "seat": 2, "points": 1.5},
            400,
            None,
            "points must be a whole number, not a decimal number",
        ),
    ],
)
def test_a_cell_that_cannot_be_is_refused_with_its_rule(
    begun: Phone, wish: dict[str, Any], status: int, rule: str | None, sentence: str
) -> None:
    """One sentence, and the sheet is as it was.

    Without 6-6 and 1-0 a double-6 set holds 218 - 12 - 1 = 205: 204 would want the 1-0 back.
    """
    enter(begun, 1, 3, pieces=["1-0"])
    before = begun.get("/api/v1/sheet").json
    answer = begun.post("/api/v1/sheet/cells", wish)
    assert (status, rule) == (answer.status_code, answer.json["rule"])
    assert sentence in answer.json["error"]
    assert before == begun.get("/api/v1/sheet").json


def test_a_correction_that_does_not_fit_is_refused(begun: Phone) -> None:
    """Two who went out."""
    enter(begun, 1, 2, points=12)
    answer = begun.put("/api/v1/sheet/cells/1/2", {"points": 0})
    assert (409, True) == (answer.status_code, "cannot both have nothing left" in answer.json["error"])
    assert [0, 12, 0] == totals(begun)


def test_a_sheet_goes_out_as_a_file_and_comes_back(begun: Phone) -> None:
    """Elsewhere, whole; what does not fit is refused whole, with its reason."""
    enter(begun, 1, 2, pieces=["5-3"])
    kept = begun.get("/api/v1/sheet.json").json
    other = Table(MemoryStore(), (), simulated=True, wall_s=lambda: 1.0)
    elsewhere = Phone(make_app(AnsweringTable(other)))
    assert 404 == elsewhere.get("/api/v1/sheet.json").status_code
    assert [0, 8, 0] == elsewhere.put("/api/v1/sheet.json", kept).json["sheet"]["totals"]
    assert kept == elsewhere.get("/api/v1/sheet.json").json
    for change, status, sentence in (
        ({"sheet": 2}, 422, "has format 2; this Last Nose reads 1. Update Last Nose first."),
        ({"game": "bridge"}, 422, "There is no game “bridge”."),
        ({"game": "pig", "options": {}, "moves": []}, 422, "There is no score sheet in this game."),
        ({"game": "pig"}, 422, "There is no score sheet in this game."),
        ({"players": "North"}, 400, "cannot be read: players must be a list, not a text."),
        (
            {"moves": [{"type": "score", "hand": 2, "seat": 1, "points": 0}]},
            409,
            "Hand 1 comes first",
        ),
        ({"options": {"set": 7}}, 422, "is 6, 9, 12 or 15, not 7."),
    ):
        answer = elsewhere.put("/api/v1/sheet.json", {**kept, **change})
        assert (status, True) == (answer.status_code, sentence in answer.json["error"])
    assert [0, 8, 0] == totals(elsewhere)


def test_options_are_settled_with_the_first_entry(begun: Phone) -> None:
    """CHK-11: before, they may be changed; a hand that is written is never counted again."""
    options = "/api/v1/sheet/options"
    assert 409 == begun.put(options, {"double_blank": 25}).status_code
    assert 200 == begun.delete("/api/v1/sheet/cells/1/1").status_code
    assert 25 == begun.put(options, {"double_blank": 25}).json["options"]["double_blank"]
    enter(begun, 1, 3, pieces=["0-0"])
    enter(begun, 1, 2, points=12)
    wishes: list[tuple[Any, int, str | None]] = [
        ({"double_blank": 50}, 409, "CHK-11"),
        ({"double_blank": 30}, 422, None),
        ({"jokers": 1}, 422, None),
        ([], 400, None),
    ]
    for wish, status, rule in wishes:
        answer = begun.put(options, wish)
        assert (status, rule) == (answer.status_code, answer.json["rule"])
    assert [0, 12, 25] == totals(begun)


def test_there_may_be_no_sheet(scorer: Phone) -> None:
    """Nothing is being played: 404 and a sentence. A game without a sheet cannot be begun here."""
    for path in ("sheet", "sheet.json", "sheet.csv", "sheet/cells/1/1"):
        assert 404 == scorer.get(f"/api/v1/{path}").status_code
    assert 404 == enter(scorer, 1, 1, points=0).status_code
    refused = scorer.post("/api/v1/sheet", {"game": "pig", "players": THREE})
    assert (422, "There is no score sheet in this game.") == (refused.status_code, refused.json["error"])
    alike = scorer.post("/api/v1/sheet", {"game": "chickenfoot", "players": ["North", "north"]})
    assert (422, True) == (alike.status_code, "both called" in alike.json["error"])


WRITES: list[Callable[[Phone], Any]] = [
    lambda phone: phone.post("/api/v1/sheet", {"game": "chickenfoot", "players": THREE}),
    lambda phone: enter(phone, 1, 2, points=3),
    lambda phone: phone.put("/api/v1/sheet/cells/1/1", {"points": 3}),
    lambda phone: phone.delete("/api/v1/sheet/cells/1/1"),
    lambda phone: phone.put("/api/v1/sheet.json", {}),
    lambda phone: phone.put("/api/v1/sheet/options", {}),
]


@pytest.mark.parametrize("write", WRITES)
def test_who_only_watches_writes_nothing(begun: Phone, write: Callable[[Phone], Any]) -> None:
    """Reading is free; a phone without a seat is told what it takes."""
    watcher = Phone.in_network(begun.client.application)
    refused = write(watcher)
    assert (403, True) == (
        refused.status_code,
        "watches" in refused.text or "host" in refused.text,
    )
    assert 200 == watcher.get("/api/v1/sheet").status_code


def test_another_site_writes_nothing(begun: Phone) -> None:
    """Neither the page's token nor an API token: refused, and said how it is done."""
    answer = begun.put("/api/v1/sheet/cells/1/1", {"points": 3}, csrf=False)
    assert (403, True) == (answer.status_code, "API token" in answer.json["error"])
