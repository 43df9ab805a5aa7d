"""Words as letters: what a reader sees as one."""

from __future__ import annotations

import pytest
from lastnose.companion.games.rules.checks import letters_of


@pytest.mark.parametrize(
    ("word", "letters"),
    [
        ("q\u0323\u0307a", ("q\u0323\u0307", "a")),
        ("e\u0301a", ("\u00e9", "a")),
        ("\u0301a", ("\u0301", "a")),
        ("क्षि", ("क्षि",)),
        ("नमक", ("न", "म", "क")),
        ("น้ำ", ("น้ำ",)),
        ("\U0001f468\u200d\U0001f33ea", ("\U0001f468\u200d\U0001f33e", "a")),
        ("ab\u200dc", ("a", "b\u200d", "c")),
        ("", ()),
    ],
)
def test_a_letter_has_its_marks_and_what_is_joined_to_it_and_no_more(
    word: str, letters: tuple[str, ...]
) -> None:
    """Two accents, one accent, one alone; a conjunct and none; a Thai vowel; a pictogram of two; a joiner."""
    assert letters == letters_of(word)
