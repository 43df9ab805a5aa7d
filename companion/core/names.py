"""Names as people write them down: one, or a list of any length. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

import msgspec

JOINERS = "\u200c\u200d"  # of Persian, Hindi and pictures; Python does not call them printable
# What a terminal obeys and does not show: controls, and what turns the rest of a line around.
_OBEYED = dict.fromkeys(
    (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)), " "
)
_BETWEEN = re.compile(r"[,;\t\r\n]")
# What a list has before a name: "1.", "2)", "-"; "1.5" is a number, and "-5" too.
_MARK = re.compile(r"\s*(?:[0-9]{1,3}[.)](?![0-9])|[•‣◦▪·]|[-–—*+](?=\s|$))\s*")


_FORMER_GAMES = {"pig10": "pig-10"}  # until version 0.2; logs, tapes and programs still say so


def game_today(name: str) -> str:
    """Return what the game once called *name* is called now.

    >>> game_today("pig10"), game_today("pig")
    ('pig-10', 'pig')
    """
    return _FORMER_GAMES.get(name, name)


def call_game_as_today(one: msgspec.Struct, name: str) -> None:
    """Let *one*, a frozen struct with a `game` called *name*, call it as it is called now."""
    if name in _FORMER_GAMES:
        msgspec.structs.force_setattr(one, "game", game_today(name))


def tidy(name: str) -> str:
    """Return *name* with one space between its words, and none around them."""
    return " ".join(name.split())


@lru_cache(maxsize=30_000)  # a hall asks for those of a thousand people, again and again
def alike(name: str) -> str:
    """Return what is the same for two ways to write one *name*.

    Capitals, spaces, accents as they compose, and joiners and other signs that nobody sees do not count.

    >>> alike("  ana  MARIA"), alike("  ZOË  Müller ") == alike("Zoe\\u0308 müller\\u200d")
    ('ana maria', True)
    """
    seen = "".join(sign for sign in name if unicodedata.category(sign) != "Cf")
    return tidy(unicodedata.normalize("NFKC", seen).casefold())


def unmarked(line: str) -> str:
    """Return a *line* of a list without the number or bullet that it begins with; one alone stays.

    >>> unmarked("2) Bob"), unmarked("- Мая"), unmarked("3.\\tEva"), unmarked("4u2"), unmarked("Ana-Maria")
    ('Bob', 'Мая', 'Eva', '4u2', 'Ana-Maria')
    """
    found = _MARK.match(line)
    return (line[found.end() :] if found else "") or line


def listed(written: str) -> tuple[str, ...]:
    """Return the names in *written*, a list with commas, semicolons, tabs or lines between them.

    >>> listed("Eva,  Farid Ali;\\nZoë,"), listed("1.\\tEva\\n2.\\tFarid")
    (('Eva', 'Farid Ali', 'Zoë'), ('Eva', 'Farid'))
    """
    parts = (part for line in re.split(r"[\r\n]", written) for part in _BETWEEN.split(unmarked(line)))
    return tuple(name for name in map(tidy, map(unmarked, parts)) if name)


def shown(words: str) -> str:
    """Return *words* with a space for every sign that cannot be shown.

    >>> shown("Ann\\a!"), shown("علی\\u200cرضا") == "علی\\u200cرضا"
    ('Ann !', True)
    """
    if words.isprintable():
        return words
    return "".join(sign if sign.isprintable() or sign in JOINERS else " " for sign in words)


def harmless(words: str) -> str:
    """Return *words* with a space for every sign that a terminal obeys and does not show.

    >>> harmless("Bob\\u202e:"), harmless("Ann\\x1b[2J"), harmless("Zoë 🦊")
    ('Bob :', 'Ann [2J', 'Zoë 🦊')
    """
    return words.translate(_OBEYED)


def can_be_shown(name: str) -> bool:
    """Return whether *name* has no line break, control character or half of a sign in it.

    Joiners, of which Persian, Hindi and many pictures are made, may be in it.

    >>> can_be_shown("علی\u200cرضا"), can_be_shown("Ann\a"), can_be_shown("A\u2028nn")
    (True, False, False)
    """
    return all(unicodedata.category(sign) not in ("Cc", "Cs", "Zl", "Zp") for sign in name)


# ---- What somebody may have meant who typed a name that is not there.

LONGEST = 60


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the one of *names* that looks most like *name*, None when none does.

    >>> nearest("donky", ["pig", "donkey"]), nearest("bridge", ["pig", "donkey"])
    ('donkey', None)
    """
    found = get_close_matches(name[:LONGEST].lower(), list(names), n=1)
    return found[0] if found else None
