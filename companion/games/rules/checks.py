"""What set-up hands to a game, checked: the players and the options. A wrong one is named in one sentence."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from lastnose.companion.core.decode import misfit
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.names import alike, can_be_shown
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.games.rules.game import OptionField

if TYPE_CHECKING:
    import regex

# What another phone was a second faster with: nothing is lost, and the screen shows what is asked now.
CHANGED = text("That has just changed: look again.")
MAX_NAME = 40
MAX_WORD = 12
MAX_SIGNS = 8 * MAX_WORD  # accents and vowel signs included


def check_count(title: Text, players: int, seats: tuple[int, int]) -> None:
    """Raise BadInput when the game called *title* is not for that many *players*."""
    least, most = seats
    if not least <= players <= most:
        raise BadInput(
            text(
                "{game} is for {least} to {most} players, not {n}.",
                game=title,
                least=least,
                most=most,
                n=players,
            )
        )


def check_players(title: Text, players: Sequence[str], seats: tuple[int, int]) -> tuple[str, ...]:
    """Return the names without spaces around them.

    Raises BadInput, naming the seat, when one is empty, too long, not printable or there twice (capitals make
    no difference), and when there are too few or too many.
    """
    check_count(title, len(players), seats)
    names = tuple(player.strip() for player in players)
    first_seat: dict[str, int] = {}
    for seat, name in enumerate(names, start=1):
        problem = _name_problem(seat, name)
        if problem is not None:
            raise BadInput(problem)
        earlier = first_seat.setdefault(alike(name), seat)
        if earlier != seat:
            raise BadInput(
                text(
                    "Seats {first} and {second} are both called “{name}”: change one of them.",
                    first=earlier,
                    second=seat,
                    name=name,
                )
            )
    return names


def _name_problem(seat: int, name: str) -> Text | None:
    if name and len(name) <= MAX_NAME and can_be_shown(name):
        return None
    return text("Seat {seat} needs a name of 1 to {most} letters on one line.", seat=seat, most=MAX_NAME)


def check_options(title: Text, fields: Sequence[OptionField], raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value for each of *fields*: the one in *raw*, or the default.

    Raises BadInput, naming the option and what is allowed, for an option the game does not have and for a
    value that it cannot take.
    """
    known = {field.key: field for field in fields}
    for key in raw:
        if key not in known:
            allowed = ", ".join(known) or "–"
            raise BadInput(
                text(
                    "{game} has no option “{option}”; it has: {allowed}.",
                    game=title,
                    option=key,
                    allowed=allowed,
                )
            )
    return {
        key: _check_value(title, field, raw[key]) if key in raw else field.default
        for key, field in known.items()
    }


def check_move(title: Text, raw: Mapping[str, Any], types: object) -> Any:
    """Return the move of *types* that *raw* is; raise BadInput that says what does not fit."""
    try:
        return msgspec.convert(raw, types)
    except msgspec.ValidationError as problem:
        raise BadInput(
            english("{game} does not have this move: {why}.", game=title, why=misfit(problem))
        ) from None


def _check_value(title: Text, field: OptionField, value: object) -> int | str | bool:
    if field.kind == "word":
        return _check_word(title, field, value)
    if field.kind == "number":
        return _check_number(title, field, value)
    allowed = (False, True) if field.kind == "flag" else tuple(choice.value for choice in field.choices)
    for choice in allowed:
        if type(value) is type(choice) and value == choice:
            return choice
    raise _unfit(title, field, _or([_shown(choice) for choice in allowed]), value)


def _unfit(title: Text, field: OptionField, allowed: Text | str, value: object) -> BadInput:
    return BadInput(
        text(
            "{game}: the option “{option}” is {allowed}, not {value}.",
            game=title,
            option=field.key,
            allowed=allowed,
            value=_shown(value),
        )
    )


def _check_word(title: Text, field: OptionField, value: object) -> str:
    if isinstance(value, str) and len(value) <= MAX_SIGNS:
        letters = letters_of(value)
        if 1 <= len(letters) <= MAX_WORD and all(is_letter(letter) for letter in letters):
            return "".join(letters)
    raise BadInput(
        text(
            "{game}: the option “{option}” is a word of 1 to {most} letters, not {value}.",
            game=title,
            option=field.key,
            most=MAX_WORD,
            value=_shown(value),
        )
    )


def _check_number(title: Text, field: OptionField, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and field.least <= value <= field.most:
        return value
    allowed = text("a whole number from {least} to {most}", least=field.least, most=field.most)
    raise _unfit(title, field, allowed, value)


def _or(items: Sequence[str]) -> Text | str:
    *rest, last = items
    return text("{first} or {last}", first=", ".join(rest), last=last) if rest else last


def _shown(value: object) -> str:
    """Return *value* as a tape writes it, cut short.

    >>> _shown(True), _shown("share"), _shown(7)
    ('true', '“share”', '7')
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f"“{value[:MAX_NAME]}”"
    return str(value)[:MAX_NAME]


# ---- words as letters, in any script: a letter is what a reader sees as one

# Beyond Unicode's grapheme clusters (UAX 29) a reader sees as one: a letter with its spacing vowels, Burmese
# ones too, and what a virama merges in Kannada, and with a joiner in Sinhala.
_LETTER = r"\X(?:\p{M}+|(?<=\N{KANNADA SIGN VIRAMA}|\N{SINHALA SIGN AL-LAKUNA}\u200D)\p{L}\p{M}*)*"


@lru_cache(maxsize=256)  # a table plays with one word all evening
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
