"""Words as letters, in any script: a letter is what a reader sees as one."""

from __future__ import annotations

import unicodedata

# Spacing vowels that Unicode counts as letters, though a reader sees one sign with the letter before.
_CLINGING = frozenset("\N{THAI CHARACTER SARA AM}\N{LAO VOWEL SIGN AM}")
_JOINERS = frozenset("\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")


def letters_of(word: str) -> tuple[str, ...]:
    """Split *word* into what a reader sees as letters: each with its accents and vowel signs.

    A sign that is no letter stands alone. Jamo become syllables and accents join their letter where Unicode
    has one sign for both.

    >>> letters_of("ŽABA"), len(letters_of("नमस्ते"))
    (('Ž', 'A', 'B', 'A'), 3)
    """
    letters: list[str] = []
    joined = False
    for sign in unicodedata.normalize("NFC", word):
        clings = sign in _JOINERS or sign in _CLINGING or unicodedata.category(sign).startswith("M")
        if letters and (clings or joined):
            letters[-1] += sign
        else:
            letters.append(sign)
        joined = _joins(sign) or (joined and clings)
    return tuple(letters)


def is_letter(letter: str) -> bool:
    """Tell whether *letter* (one of `letters_of`) is a letter of some script.

    >>> is_letter("Ж"), is_letter("1")
    (True, False)
    """
    return unicodedata.category(letter[0]).startswith("L")


def _joins(sign: str) -> bool:
    """Tell whether *sign* draws the next letter to it: a virama of an Indic script."""
    return unicodedata.combining(sign) == 9 and unicodedata.name(sign, "").startswith(
        ("DEVANAGARI", "BENGALI", "GUJARATI", "ORIYA", "TELUGU", "MALAYALAM")
    )
