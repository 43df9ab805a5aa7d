"""Whole evenings of every game, word by word: what people did, and what the table says of it.

The figures of the same evenings are in `test_umpire`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from lastnose.companion.games import GAMES

from tests.support.minutes import FOLDER, Minutes, written

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_table_says_what_its_minutes_have_word_by_word(file: Path) -> None:
    """Options, help, deals; then prompts, advice, guide and history after every move, allowed or not."""
    assert file.read_text().splitlines() == written(file).splitlines()


@pytest.mark.heavy
def test_every_game_has_minutes() -> None:
    """Also those that differ from another by a name only; whoever begins a game writes them last."""
    told = "\n".join(file.read_text() for file in FILES)
    assert [] == [name for name in GAMES if f"$ table {name} " not in told or f"$ help {name}\n" not in told]


def test_minutes_tell_only_what_is_new_and_what_is_over() -> None:
    """Sabine starts a pile of Pig 10: there is a pad instead of the question, and the draw pile stays."""
    minutes = Minutes()
    first = minutes.does("table pig-10 Udo Sabine")
    then = minutes.does('{"type": "starts", "seat": 2}')
    assert "note “74 cards to draw.”" in first
    assert ["history", "ask"] == [line.split(" ")[0] for line in then]
