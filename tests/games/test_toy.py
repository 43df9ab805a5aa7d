"""A game in one file plays everywhere: from a tape, on the OLED, in set-up and in the rules.

In a browser it plays in `tests/web/browser/test_prompts.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lastnose.companion.games import GAMES
from lastnose.companion.table.replay import load_tape, replay, report
from lastnose.companion.testing.scenario import Scenario
from lastnose.hardware.oled.screens import count_pages

from tests.support import toy
from tests.support.phones import Phone, make_app
from tests.support.pictures import assert_as_in_picture, every_page
from tests.web.test_pages import data_of

PICTURE = Path(__file__).parent / "toy.png"
PLAYERS = ["North", "East", "South"]


@pytest.fixture(autouse=True)
def pebbles(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the table know the toy game, for one test."""
    monkeypatch.setitem(GAMES, toy.GAME.name, toy.GAME)
    yield


def lose(table: Scenario, player: str) -> None:
    """Let *player* be last by 412 µs."""
    others = [name for name in table.players if name != player]
    for number, name in enumerate(others):
        table.press(name, at_us=1_000 * number)
    table.press(player, at_us=1_412)
    table.judge()


def test_it_plays_from_a_tape(tmp_path: Path) -> None:
    """Two rounds, a thank you between them; rounds and standings as every other game has them."""
    header = {"tape": 1, "game": "pebbles", "players": PLAYERS, "options": {"polite": True}}
    lines: list[object] = [header]
    for start_ms, order in ((1_000, "123"), (20_000, "132")):
        t_ns = start_ms * 1_000_000
        nose = [(f"nose.{seat}", t_ns + at * 1_000_000) for at, seat in enumerate(order)]
        lines += [{"t_ns": t, "source": "gpio", "line": line, "level": 1, "u_ns": 1000} for line, t in nose]
        up_ns = t_ns + 1_000_000_000
        lines += [
            {"t_ns": up_ns, "source": "gpio", "line": line, "level": 0, "u_ns": 1000} for line, _ in nose
        ]
        if order == "123":
            lines.append({"move": {"type": "thanked", "seat": 3}, "t_ns": t_ns + 2_000_000_000})
    tape = tmp_path / "pebbles.jsonl"
    tape.write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    found = report(replay(load_tape(tape)))
    assert [[3], [2]] == [one["last"] for one in found["rounds"]]
    assert [1_000_000, 1_000_000] == [one["margin_ns"] for one in found["rounds"]]
    assert [0, 1, 0] == [one["score"] for one in found["standings"]]
    assert found["outcome"] is None


def test_it_is_drawn_on_the_oled() -> None:
    """The verdict with its margin, then the pebbles; the picture is compared pixel by pixel."""
    table = Scenario("pebbles", PLAYERS)
    table.press("North", at_us=0)
    table.press("South", at_us=500)
    table.press("East", at_us=912)
    table.wait(1)
    shown = table.snapshot
    assert ("verdict", "East was last") == (shown.phase, str(shown.headline))
    assert_as_in_picture(every_page(shown), PICTURE)


def test_its_question_is_on_the_oled_and_its_answer_in_the_history() -> None:
    """Three pebbles end it; what is asked then has a screen of its own."""
    table = Scenario("pebbles", PLAYERS)
    for _ in range(3):
        lose(table, "South")
    assert "won" == table.snapshot.phase
    assert ["show", "choose"] == [step.__struct_config__.tag for step in table.snapshot.steps]
    before = count_pages(table.snapshot, (128, 64))
    table.move(type="ordered", value="tea")
    assert () == table.snapshot.steps
    assert before - 1 == count_pages(table.snapshot, (128, 64))
    assert table.table.queries.rounds()[-1].step


def test_set_up_offers_it_and_its_rules_are_at_hand() -> None:
    """With its option and picture; the page of rules is its own."""
    browser = Phone(make_app())
    games = data_of(browser.get("/setup").get_data(as_text=True), "games")
    found = next(game for game in games if game["name"] == "pebbles")
    assert ("Pebbles", ["polite"], toy.GAME.emblem) == (
        found["title"],
        [field["key"] for field in found["options"]],
        found["emblem"],
    )
    assert "Three pebbles fetch the drinks." in browser.get("/help/pebbles").get_data(as_text=True)
