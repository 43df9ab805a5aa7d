"""Words as letters, in any script: a letter is what a reader sees as one."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

# Beyond Unicode's grapheme clusters (UAX 29) a reader sees as one: a letter with its spacing vowels, Burmese
# ones too, and what a virama merges in Kannada, and with a joiner in Sinhala.
_LETTER = r"\X(?:\p{M}+|(?<=\N{KANNADA SIGN VIRAMA}|\N{SINHALA SIGN AL-LAKUNA}\u200D)\p{L}\p{M}*)*"


def letters_of(word: str) -> tuple[str, ...]:
    """Split *word* into what a reader sees as letters: each with its accents and vowel signs.

    A sign that is no letter stands alone. Jamo become syllables and accents join their letter where Unicode
    has one sign for both.

    >>> letters_of("ŽABA"), len(letters_of("नमस्ते")), len(letters_of("ស្រី"))
    (('Ž', 'A', 'B', 'A'), 3, 1)
    """
    if word.isascii():
        return tuple(word)
    return tuple(_letter().findall(unicodedata.normalize("NFC", word)))


def is_letter(letter: str) -> bool:
    """Tell whether *letter* (one of `letters_of`) is a letter of some script.

    >>> is_letter("Ж"), is_letter("1")
    (True, False)
    """
    return unicodedata.category(letter[0]).startswith("L")


@cache
def _letter() -> regex.Pattern[str]:
    """Return the pattern of a letter; the library is loaded when a word is the first to need it."""
    import regex

    return regex.compile(_LETTER)
