"""Why data does not fit, in a person's words and language."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import pytest
from lastnose.companion.core.decode import misfit
from lastnose.companion.core.text import Text
from lastnose.companion.i18n import translator


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    """A part."""

    level: Literal[0, 1]
    note: str | None = None


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    """A whole."""

    parts: list[Inner]
    count: int | float = 0


def why(data: Any) -> Text:
    """Return why *data* is not an Outer."""
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(data, Outer)
    return misfit(error.value)


@pytest.mark.parametrize(
    ("data", "english", "french"),
    [
        ([], "this must be a group of keys, not a list", "ceci doit être un groupe de clés, pas une liste"),
        ({}, "parts is missing", "il manque parts"),
        (
            {"parts": [{"level": 0, "x": 1}]},
            "parts[0].x is not a key that is known here",
            "parts[0].x n’est pas une clé connue ici",
        ),
        ({"parts": [{"level": 2}]}, "parts[0].level cannot be 2", "parts[0].level ne peut pas valoir 2"),
        (
            {"parts": [], "count": "x"},
            "count must be a whole number or a number, not a text",
            "count doit être un nombre entier ou un nombre, pas un texte",
        ),
        (
            {"parts": [{"level": 0, "note": False}]},
            "parts[0].note must be a text, not true or false",
            "parts[0].note doit être un texte, pas vrai ou faux",
        ),
    ],
)
def test_misfit_names_the_place_and_what_was_expected(data: Any, english: str, french: str) -> None:
    """The path as one would write it, the kinds in words."""
    assert (english, french) == (str(why(data)), translator("fr")(why(data)))


def test_what_is_not_known_is_passed_on() -> None:
    """A reason without words of ours is still shown."""
    assert "x does not fit (Too odd)" == str(misfit(msgspec.ValidationError("Too odd - at `$.x`")))
