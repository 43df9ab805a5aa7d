"""What others wrote (JSON, TOML), into values: the one place for it, under one limit. Pure.

Whatever comes is either read or refused with Malformed. A value that is read is nested at most `MOST_NESTED`
deep, so that code which follows it down may recurse; its numbers fit into 64 bits, so that none is a time
for which nothing ever comes; its texts can be written down again as UTF-8. A whole number may be written 2.0.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any, TypeVar, overload

import msgspec
from lastnose.companion.core.errors import NOT_UTF8, CompanionError, Malformed, reason
from lastnose.companion.core.text import Text, text
from msgspec import inspect

# ---- Say in a person's words why data does not fit a struct: msgspec's errors in, Texts out. Pure.

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


MOST_NESTED = 64
MOST_WHOLE = 2**63 - 1
_T = TypeVar("_T")
_JSON_PARTS = re.compile(
    rb'"(?:[^"\\]|\\.)*+"?|(?P<opens>[\[{])|(?P<closes>[\]}])|(?P<number>-?\d[\d.eE+-]*+)',
    re.DOTALL,
)
_LARGE = re.compile(rb"\d{19}|\d[eE]\+?\d\d")
_SHAPE = bytes.maketrans(b"123456789E", b"000000000e")
_LONG = 19 * b"0"  # in that shape
_NOT_JSON = text("it is not valid JSON")
_TOO_DEEP = text("it is nested more than {n} deep", n=MOST_NESTED)
_TOO_LARGE = text("a number in it is too large")


@overload
def decode_json(raw: bytes | str) -> Any: ...
@overload
def decode_json(raw: bytes | str, kind: type[_T]) -> _T: ...
def decode_json(raw: bytes | str, kind: Any = Any) -> Any:
    """Return the JSON *raw* as *kind*, of what msgspec can decode; raise Malformed.

    >>> decode_json(b'{"a":[1]}', dict[str, list[int]])
    {'a': [1]}
    >>> decode_json("[" * 1200)
    Traceback (most recent call last):
        ...
    lastnose.companion.core.errors.Malformed: it is nested more than 64 deep
    """
    try:
        written = raw.encode() if isinstance(raw, str) else raw
        _check_json(written)
        try:
            return msgspec.json.decode(written, type=kind)
        except msgspec.ValidationError as error:
            # What is no JSON further on comes out as such.
            return _with_whole(msgspec.json.decode(written), kind, error)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Malformed(_NOT_JSON) from error


def why_not(problem: Exception) -> Text:
    """Return why something was not read, as part of a sentence: what a decoder or a fold has raised.

    Of what is not told in words of ours the reason, which is English, comes behind.

    >>> try:
    ...     msgspec.json.decode(b"[1")
    ... except msgspec.DecodeError as error:
    ...     str(why_not(error))
    'it is not valid JSON: Input data was truncated'
    """
    if isinstance(problem, CompanionError):
        return problem.text
    if isinstance(problem, msgspec.ValidationError):
        return misfit(problem)
    if isinstance(problem, RecursionError):
        return _TOO_DEEP
    if isinstance(problem, KeyError):
        return text("{key} is missing", key=_short(str(*problem.args)))
    said = _short(reason(problem) or type(problem).__name__)
    if isinstance(problem, msgspec.DecodeError | UnicodeError):
        return text("{what}: {says}", what=_NOT_JSON, says=said)
    if isinstance(problem, OSError):
        return Text("{reason}", {"reason": said})
    return text("something in it does not fit: {reason}", reason=said)


def fit(value: object, kind: type[_T]) -> _T:
    """Return *value*, which has been read here, as *kind*; raise Malformed."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        found: _T = _with_whole(value, kind, error)
        return found


def _choices(kind: Any, where: str) -> str:
    """Return the words or numbers that *kind* takes at *where*, "" when it takes others as well.

    >>> from typing import Literal
    >>> _choices(dict[str, list[Literal[0, 1]]], "[...][3]"), _choices(dict[str, int], "[...]")
    ('0, 1', '')
    """
    found: Any = inspect.type_info(kind)
    for key in re.findall(r"[^.\[\]]+|\[\.\.\.\]", where):
        if isinstance(found, inspect.StructType):
            found = next((field.type for field in found.fields if field.encode_name == key), None)
        else:
            found = getattr(found, "value_type", None) or getattr(found, "item_type", None)
    return ", ".join(map(str, found.values)) if isinstance(found, inspect.LiteralType) else ""


def _with_whole(value: object, kind: Any, why: msgspec.ValidationError) -> Any:
    """Return *value* as *kind*, with 2.0 taken for 2; raise Malformed with *why* if it still does not fit."""
    try:
        return msgspec.convert(_whole(value), kind)
    except msgspec.ValidationError:
        said, where = misfit(why), str(why).partition(" - at `$")[2].strip(".`")
        choices = _choices(kind, where) if str(why).startswith("Invalid enum value") else ""
        raise Malformed(text("{what}: {says}", what=said, says=choices) if choices else said) from why


def _whole(value: object) -> object:
    """Return *value* with every 2.0 as 2."""
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def decode_toml(written: bytes | str) -> dict[str, Any]:
    """Return the TOML *written* (as bytes: UTF-8); raise Malformed.

    >>> decode_toml("[timing]\\nlockout_ns = 5")
    {'timing': {'lockout_ns': 5}}
    """
    try:
        found = tomllib.loads(written.decode("utf-8-sig") if isinstance(written, bytes) else written)
    except RecursionError as error:
        raise Malformed(_TOO_DEEP) from error
    except UnicodeError as error:
        raise Malformed(NOT_UTF8) from error
    except ValueError as error:  # a TOMLDecodeError, or a number that no machine would read
        raise Malformed(text("it is not valid TOML ({reason})", reason=_short(str(error)))) from error
    _check_value(found)
    return found


def can_be_written(said: str) -> bool:
    """Return whether *said* can be kept as UTF-8: an argument in another encoding has lone surrogates.

    >>> can_be_written("é"), can_be_written("\\udce9")
    (True, False)
    """
    try:
        said.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_numbers(written: bytes) -> None:
    """Raise Malformed when a number of the JSON *written* does not fit into 64 bits.

    >>> check_numbers(b'{"t":1.5,"name":"1e400"}')
    >>> check_numbers(b"[1e400]")
    Traceback (most recent call last):
        ...
    lastnose.companion.core.errors.Malformed: a number in it is too large
    """
    if _may_be_large(written):
        for part in _JSON_PARTS.finditer(written):
            _check_number(part["number"])


def _may_be_large(written: bytes) -> bool:
    """Return whether a number so large may be in *written*; looks at each byte once, and no closer."""
    shape = written.translate(_SHAPE)
    return _LONG in shape or b"0e" in shape


def _check_number(number: bytes | None) -> None:
    if number and _LARGE.search(number):
        _must(_fits(number.lstrip(b"-")), _TOO_LARGE)


def _check_json(written: bytes) -> None:
    """Raise Malformed when the JSON *written* passes a limit; what is no JSON at all may pass here."""
    many = written.count(b"[") + written.count(b"{") > MOST_NESTED
    if not many and not _may_be_large(written):
        return
    deep = 0
    for part in _JSON_PARTS.finditer(written):
        if part["opens"]:
            deep += 1
            _must(deep <= MOST_NESTED, _TOO_DEEP)
        elif part["closes"]:
            deep -= 1
        else:
            _check_number(part["number"])


def _fits(number: bytes) -> bool:
    """Return whether *number*, of JSON and without its sign, is within the limit; what is no number passes.

    >>> [_fits(b"9223372036854775807"), _fits(b"9223372036854775808"), _fits(b"1e19"), _fits(b"1e400")]
    [True, False, False, False]
    """
    if number.isdigit():
        return len(number) <= 19 and int(number) <= MOST_WHOLE
    try:
        return float(number) <= MOST_WHOLE
    except ValueError:
        return True


def _check_value(value: object) -> None:
    """Raise Malformed when *value*, of dicts and lists, passes a limit."""
    level: list[object] = [value]
    for _ in range(MOST_NESTED + 1):
        for item in level:
            _must(not isinstance(item, int | float) or abs(item) <= MOST_WHOLE, _TOO_LARGE)
        level = [
            part
            for item in level
            if isinstance(item, dict | list)
            for part in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return
    raise Malformed(_TOO_DEEP)


def _must(good: bool, otherwise: Text) -> None:
    if not good:
        raise Malformed(otherwise)


def _short(reason: str) -> str:
    return reason if len(reason) <= 120 else reason[:119] + "…"
