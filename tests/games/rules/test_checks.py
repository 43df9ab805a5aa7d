"""Players and options as set-up hands them over: what is taken, and which sentence refuses the rest."""

from __future__ import annotations

from typing import Any

import pytest
from lastnose.companion.core.errors import BadInput
from lastnose.companion.games import get_game

PIG = get_game("pig")


def refusal(players: tuple[str, ...] = ("N", "E", "S"), **raw: Any) -> str:
    """Return the sentence with which Pig refuses *players* or the options *raw*."""
    with pytest.raises(BadInput) as caught:
        PIG.new(players, PIG.read_options(raw))
    return str(caught.value)


def test_options_that_nobody_chose_have_their_defaults() -> None:
    """Four cards, three lives, two winners, no extras."""
    options = PIG.read_options({})
    assert ("PIG", 4, 2, "replay") == (options.word, options.hand_size, options.winners, options.dead_heat)
    assert [False] * 4 == [options.stock, options.sudden_death, options.hold, options.no_talking]


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({"stok": True}, "Pig has no option “stok”; it has: sudden_death, word, stock, hand_size, hold, "),
        ({"stock": 1}, "Pig: the option “stock” is false or true, not 1."),
        ({"hold": "yes"}, "Pig: the option “hold” is false or true, not “yes”."),
        ({"hand_size": "4"}, "Pig: the option “hand_size” is 3, 4 or 5, not “4”."),
        ({"winners": True}, "Pig: the option “winners” is 2 or 1, not true."),
        ({"winners": 1.0}, "Pig: the option “winners” is 2 or 1, not 1.0."),
        ({"dead_heat": None}, "Pig: the option “dead_heat” is “replay” or “share”, not null."),
    ],
)
def test_an_option_is_refused_by_name_with_what_is_allowed(raw: dict[str, Any], sentence: str) -> None:
    """Unknown options, wrong types (1 is not true) and wrong values."""
    assert refusal(**raw).startswith(sentence)


@pytest.mark.parametrize("word", ["PIG", "Žaba", "дурак", "豚", "DONKEY", "ABCDEFGHIJKL", "כבשה", "नमस्ते"])
def test_a_word_may_be_of_any_script(word: str) -> None:
    """One to twelve letters, kept as they were given."""
    assert word == PIG.read_options({"word": word}).word


@pytest.mark.parametrize(
    "word", ["", "ABCDEFGHIJKLM", "P1G", "P G", "P-G", "\u0301A", "🐷", "A" + "\u0301" * 200, 3]
)
def test_a_word_of_something_else_is_refused(word: object) -> None:
    """Nothing, thirteen letters, figures, blanks, signs, an accent without a letter, no text at all."""
    assert refusal(word=word).startswith("Pig: the option “word” is a word of 1 to 12 letters, not ")


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (("North", "East"), "Pig is for 3 to 26 players, not 2."),
        (tuple(map(str, range(27))), "Pig is for 3 to 26 players, not 27."),
        (("North", "  ", "South"), "Seat 2 needs a name of 1 to 40 letters on one line."),
        (("North", "East", "x" * 41), "Seat 3 needs a name of 1 to 40 letters on one line."),
        (("North", "East", "Sou\nth"), "Seat 3 needs a name of 1 to 40 letters on one line."),
        (("Ann", "East", "ANN "), "Seats 1 and 3 are both called “ANN”: change one of them."),
        (("Zoé", "Zoe\u0301", "West"), "Seats 1 and 2 are both called “Zoe\u0301”: change one of them."),
    ],
)
def test_players_are_refused_by_seat(players: tuple[str, ...], sentence: str) -> None:
    """Too few, too many, without a name, too long, alike whatever the capitals."""
    assert sentence == refusal(players)


def test_names_lose_the_blanks_around_them() -> None:
    """A phone's keyboard likes to add one."""
    assert ("North", "Éa O’Hara", "x" * 40) == PIG.new(
        (" North", "Éa O’Hara ", "x" * 40), PIG.read_options({})
    ).players
