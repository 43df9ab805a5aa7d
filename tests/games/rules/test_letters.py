"""Words as letters: what a reader sees as one."""

from __future__ import annotations

import pytest
from lastnose.companion.games.rules.checks import is_letter, letters_of


@pytest.mark.parametrize(
    "letters",
    [
        ("Ž", "A", "B", "A"),
        ("ệ", "x"),
        ("ห", "มู"),
        ("น้ำ",),
        ("ลำ",),
        ("न", "म", "स्ते"),
        ("न", "म", "क"),
        ("क्षि",),
        ("돼", "지"),
        ("خ", "و", "ک"),
        ("م", "ی‌", "خ", "و", "ا", "ه", "م"),
        ("ស្រី",),
        ("က", "မ္ဘာ"),
        ("ශ්‍රී",),
        ("ಕ", "ತ್ತೆ"),
        ("க", "ழு", "தை"),
    ],
)
def test_a_letter_is_what_a_reader_sees_as_one(letters: tuple[str, ...]) -> None:
    """With its accents, vowel signs and joined consonants; stacks stay whole."""
    assert letters == letters_of("".join(letters))
    assert all(is_letter(letter) for letter in letters)


@pytest.mark.parametrize(
    ("word", "letters"),
    [
        ("q\u0323\u0307a", ("q\u0323\u0307", "a")),
        ("e\u0301a", ("\u00e9", "a")),
        ("Z\u030cABA", ("Ž", "A", "B", "A")),
        ("e\u0323\u0302x", ("ệ", "x")),
        ("\u1103\u116b\u110c\u1175", ("돼", "지")),
        ("\u0301a", ("\u0301", "a")),
        ("👩‍🚀👨‍👩‍👧", ("👩‍🚀", "👨‍👩‍👧")),
        ("🇫🇷🇨🇭👍🏽", ("🇫🇷", "🇨🇭", "👍🏽")),
        ("\U0001f468\u200d\U0001f33ea", ("\U0001f468\u200d\U0001f33e", "a")),
        ("ab\u200dc", ("a", "b\u200d", "c")),
        ("", ()),
    ],
)
def test_a_letter_has_its_marks_and_what_is_joined_to_it_and_no_more(
    word: str, letters: tuple[str, ...]
) -> None:
    """Two accents, one accent, one alone; signs and emoji that are put together; a joiner; nothing."""
    assert letters == letters_of(word)
