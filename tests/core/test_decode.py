"""Anything at all is read or refused; what is read keeps to the limits."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.decode import (
    MOST_NESTED,
    MOST_WHOLE,
    can_be_written,
    decode_json,
    decode_toml,
    fit,
)
from lastnose.companion.core.errors import Malformed

from tests.support.examples import examples

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MOST_WHOLE, MOST_WHOLE)
    | st.floats(-(2.0**63), 2.0**63, exclude_min=True, exclude_max=True)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def nested(deep: int, inside: str = "") -> str:
    """Return a list in a list in a list, as JSON and as TOML."""
    return "[" * deep + inside + "]" * deep


@settings(max_examples=examples(300))
@given(VALUES)
def test_what_is_within_the_limits_is_read_as_it_was_written(value: Any) -> None:
    """Brackets and digits inside of texts count for nothing."""
    written = json.dumps(value, allow_nan=False)
    if "\\ud" not in written or can_be_written(str(value)):
        assert json.loads(written) == decode_json(written)


@settings(max_examples=examples(300))
@given(st.binary() | st.text(alphabet='[]{}",:\\0123456789.-eE \ud800').map(str))
def test_anything_else_is_refused_and_nothing_worse(raw: bytes | str) -> None:
    """No other error comes out, whatever goes in."""
    for read in (decode_json, decode_toml):
        try:
            read(raw)
        except Malformed as refusal:
            assert str(refusal)


@pytest.mark.parametrize("deep", [MOST_NESTED + 1, 1200, 100_000])
def test_deep_nesting_is_refused_before_anybody_follows_it(deep: int) -> None:
    """In JSON, whole or cut off, behind a text of brackets, in a key that is ignored; and in TOML."""

    class Small(msgspec.Struct):
        a: int = 0

    for written in (nested(deep), "[" * deep, '{"x":' * deep, f'["]]]",{nested(deep)}]'):
        with pytest.raises(Malformed, match="nested more than 64 deep"):
            decode_json(written)
    with pytest.raises(Malformed, match="nested more than 64 deep"):
        decode_json(f'{{"b":{nested(deep)}}}', Small)
    with pytest.raises(Malformed, match="nested more than 64 deep"):
        decode_toml(f"a = {nested(deep)}")


def test_a_toml_key_of_many_parts_is_nested_too() -> None:
    """`a.a.a = 1` is a table in a table in a table."""
    assert decode_toml(".".join("a" * MOST_NESTED) + " = 1")
    with pytest.raises(Malformed, match="nested more than 64 deep"):
        decode_toml(".".join("a" * (MOST_NESTED + 1)) + " = 1")


def test_the_limit_itself_is_allowed() -> None:
    """Sixty-four deep is read, and as many side by side as one likes."""
    assert decode_json(nested(MOST_NESTED))
    assert 500 == len(decode_json(nested(1, ",".join(["[]"] * 500))))
    assert decode_json(f'"{"[" * 200}"', str)


@pytest.mark.parametrize("number", [2**63, -(2**63), 2**64, 10**30, 1e19, -1e300, "1e400", 2.0**63, "nan"])
def test_a_number_of_more_than_64_bits_is_refused(number: object) -> None:
    """Alone, in a list, as a tape's watermark; the largest one is read."""
    for written in (f"{number}", f"[1,{number}]", f'{{"watermark":{number},"source":"x"}}'):
        with pytest.raises(Malformed, match=r"number in it is too large|not valid JSON"):
            decode_json(written)
    with pytest.raises(Malformed, match="number in it is too large"):
        decode_toml(f"a = {number}")
    assert [MOST_WHOLE, -MOST_WHOLE] == decode_json(f"[{MOST_WHOLE},-{MOST_WHOLE}]")


def test_many_digits_that_are_no_large_number_are_read() -> None:
    """A long fraction, an exponent, and a text of digits."""
    assert 0.1 == decode_json("0.1000000000000000000000000")
    assert [9e18, 1e-300, 1.0] == decode_json("[9e18,1e-300,0.00000000000000000001e20]")
    assert "9" * 40 == decode_json('"' + "9" * 40 + '"')


@pytest.mark.parametrize(
    "raw", [b'"\xff"', '"\ud800"', '"\\ud800"', '"\\udc00abcdefgh"', b"", b"[1]x", b"NaN"]
)
def test_what_is_no_json_is_said_to_be_none(raw: bytes | str) -> None:
    """Neither bytes that are no UTF-8 nor half a sign are read."""
    with pytest.raises(Malformed, match="it is not valid JSON"):
        decode_json(raw)


def test_a_whole_number_may_be_written_with_a_point() -> None:
    """JSON Schema counts 2.0 among the whole numbers, and some programs write them so; 2.5 is none."""
    assert [_Pair(2), _Pair(2)] == [decode_json('{"a":2.0}', _Pair), fit({"a": 2.0}, _Pair)]
    with pytest.raises(Malformed, match="a must be a whole number, not a decimal number"):
        decode_json('{"a":2.5}', _Pair)


def test_a_misfit_says_where() -> None:
    """The reader hears which key is wrong, from JSON and from TOML alike."""
    with pytest.raises(Malformed, match="a must be a whole number, not a text"):
        fit({"a": "x"}, _Pair)
    with pytest.raises(Malformed, match="a must be a whole number, not a text"):
        decode_json('{"a":"x"}', _Pair)


class _Pair(msgspec.Struct):
    a: int


def test_bad_toml_is_one_short_sentence() -> None:
    """However long the reason."""
    with pytest.raises(Malformed, match="it is not valid TOML") as refused:
        decode_toml('a = "' + "x" * 10_000)
    assert len(str(refused.value)) < 200
    with pytest.raises(Malformed, match="it is not UTF-8"):
        decode_toml(b"a = '\xff'")


def test_json_that_is_wrong_in_kind_before_it_is_cut_off_is_no_json() -> None:
    """The kind is seen first, and what follows is missing."""
    with pytest.raises(Malformed, match="it is not valid JSON"):
        decode_json("[", dict[str, int])
