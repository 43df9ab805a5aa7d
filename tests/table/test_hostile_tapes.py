"""A tape that somebody has tampered with, whatever is in it, is judged or refused with a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import CompanionError, TapeError
from lastnose.companion.table.replay import judge_file, load_tape, replay
from lastnose.companion.timing.tape import read_tape

from tests.support.examples import examples

TAPES = Path(__file__).parent.parent / "tapes"
HEADER = '{"tape":1,"game":"pig","players":["North","East","South"],"options":{}}'
EDGE = '{"t_ns":0,"source":"gpio","line":"nose.1","level":1,"u_ns":1000}'
NESTED = '{"a":' * 1200 + "1" + "}" * 1200


@pytest.mark.parametrize(
    "line",
    [
        '{"watermark":18446744073709551616,"source":"gpio"}',
        '{"watermark":9223372036854775807,"source":"gpio"}',
        '{"watermark":-18446744073709551617,"source":"gpio"}',
        '{"move":{"type":{}},"t_ns":1}',
        '{"move":{"type":["undo"]},"t_ns":1}',
        '{"move":{},"t_ns":1}',
        '{"move":' + NESTED + ',"t_ns":1}',
        "[" * 1200,
        '{"t_ns":0,"source":"\\ud800","line":"nose.1","level":1,"u_ns":1}',
        '{"t_ns":1e400,"source":"gpio","line":"nose.1","level":1,"u_ns":1}',
    ],
    ids=lambda line: line[:40],
)
def test_a_line_that_no_table_writes_is_named(tmp_path: Path, line: str) -> None:
    """Times beyond all measure, kinds that are no text, depths without end: one sentence with its line."""
    file = tmp_path / "tape.jsonl"
    file.write_text("\n".join((HEADER, EDGE, line)), encoding="utf-8")
    with pytest.raises(TapeError, match=r"tape\.jsonl: Line 3 of the tape") as caught:
        judge_file(file)
    assert len(str(caught.value)) < 800


def test_the_furthest_promise_that_is_taken_is_judged_at_once() -> None:
    """A source that promises for 146 years: the round in which nobody pressed a second nose is void."""
    line = f'{{"watermark":{2**62},"source":"gpio"}}'
    assert [True] == [view.void for view in replay(read_tape([HEADER, EDGE, line])).queries.rounds()]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
LINES = [
    line
    for path in sorted(TAPES.glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
    if line.strip()
]
MOVES = sorted({line for line in LINES if line.startswith('{"move"')})


@given(st.data())
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])
def test_a_tape_with_a_value_exchanged_is_judged_or_refused(data: st.DataObject) -> None:
    """Any value of any line, at any depth, by anything that JSON can say; only a CompanionError comes out."""
    path = data.draw(st.sampled_from(sorted(TAPES.glob("*.jsonl"))))
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    at = data.draw(st.integers(0, min(len(lines) - 1, 12)))
    if at and data.draw(st.booleans()):
        lines[at] = json.loads(data.draw(st.sampled_from(MOVES)))
    _exchange(lines[at], data)
    try:
        replay(read_tape(json.dumps(line) for line in lines))
    except CompanionError as problem:
        assert str(problem)


def _exchange(value: Any, data: st.DataObject) -> None:
    """Put anything in the place of one part of *value*."""
    while True:
        key = data.draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        if isinstance(value[key], dict | list) and value[key] and data.draw(st.booleans()):
            value = value[key]
            continue
        value[key] = data.draw(ANYTHING)
        return


def test_every_tape_of_ours_is_still_read() -> None:
    """The limits are far from what tables write."""
    assert all(load_tape(path).entries for path in TAPES.glob("*.jsonl"))
