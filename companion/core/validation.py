"""Say in a person's words why data does not fit a struct: msgspec's errors in, Texts out. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from companion.core.text import Text, text

_KINDS = {
    "int": text("a whole number"),
    "float": text("a number"),
    "str": text("a text"),
    "bool": text("true or false"),
    "array": text("a list"),
    "object": text("a group of keys"),
    "null": text("nothing"),
}


def misfit(error: msgspec.ValidationError) -> Text:
    """Return what is wrong, and where, as a sentence without its full stop.

    >>> try:
    ...     msgspec.convert({"noses": [5, "x"]}, dict[str, list[int]])
    ... except msgspec.ValidationError as error:
    ...     str(misfit(error))
    '[...][1] must be a whole number, not a text'
    """
    reason, _, path = str(error).partition(" - at `")
    where = path.rstrip("`").removeprefix("key in ").removeprefix("$").removeprefix(".")
    for pattern, words in _PATTERNS:
        found = re.fullmatch(pattern, reason, flags=re.DOTALL)
        if found:
            return words(where, *found.groups())
    return text("{where} does not fit ({reason})", where=where or text("this"), reason=reason)


def unread(raw: object, read: object, where: str = "") -> Text | None:
    """Return that something in *raw* was not read into the struct *read*, as `misfit` does; None: all was.

    >>> class Person(msgspec.Struct):
    ...     name: str
    >>> str(unread([{"name": "Zoë", "clubb": "A"}], [Person("Zoë")]))
    '[0].clubb is not a key that is known here'
    """
    if isinstance(read, msgspec.Struct) and isinstance(raw, dict):
        tag = read.__struct_config__.tag_field
        names = dict(zip(read.__struct_encode_fields__, read.__struct_fields__, strict=True))
        for key, value in raw.items():
            if key in names:
                found = unread(value, getattr(read, names[key]), _join(where, key))
            else:
                found = None if key == tag else _unknown(where, key)
            if found is not None:
                return found
    elif isinstance(read, list | tuple) and isinstance(raw, list):
        parts = (unread(a, b, f"{where}[{n}]") for n, (a, b) in enumerate(zip(raw, read, strict=False)))
        return next((found for found in parts if found is not None), None)
    return None


def _join(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _kind(names: str) -> Text | str:
    """Return the kinds that msgspec names (`int | null`) in words, without the mention of null."""
    kinds = [name for name in names.split(" | ") if name != "null"] or ["null"]
    first = _KINDS.get(kinds[0], kinds[0])
    for name in kinds[1:]:
        first = text("{one} or {other}", one=first, other=_KINDS.get(name, name))
    return first


def _wrong_kind(where: str, wanted: str, got: str) -> Text:
    return text(
        "{where} must be {wanted}, not {got}",
        where=where or text("this"),
        wanted=_kind(wanted),
        got=text("a decimal number") if got == "float" else _kind(got),
    )


def _missing(where: str, key: str) -> Text:
    return text("{key} is missing", key=_join(where, key))


def _unknown(where: str, key: str) -> Text:
    return text("{key} is not a key that is known here", key=_join(where, key))


def _bad_value(where: str, value: str) -> Text:
    return text("{where} cannot be {value}", where=where or text("this"), value=value)


_PATTERNS: tuple[tuple[str, Callable[..., Text]], ...] = (
    (r"Object missing required field `(.+)`", _missing),
    (r"Object contains unknown field `(.+)`", _unknown),
    (r"Expected `([^`]+)`, got `([^`]+)`", _wrong_kind),
    (r"Invalid enum value (.+)", _bad_value),
    (r"Invalid value (.+)", _bad_value),
)
