"""Every tape in `tests/tapes` gives the verdict that was written by hand beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lastnose.companion.core.errors import TapeError
from lastnose.companion.table.replay import judge_file, load_tape, replay, report, rounds

TAPES = Path(__file__).parent.parent / "tapes"
NAMES = sorted(path.stem for path in TAPES.glob("*.jsonl"))


def test_every_tape_has_its_verdict() -> None:
    """And every verdict its tape."""
    assert NAMES
    assert NAMES == sorted(path.name.removesuffix(".expected.json") for path in TAPES.glob("*.expected.json"))


@pytest.mark.parametrize("name", NAMES)
def test_a_tape_gives_its_verdict(name: str) -> None:
    """Rounds, standings and outcome, as `lastnose replay --json` prints them, who opened by --doubt.

    The interval of a margin holds its ± at least: `u_ns` is that of the order, without the clock's pace.
    """
    expected = json.loads((TAPES / f"{name}.expected.json").read_text(encoding="utf-8"))
    table = replay(load_tape(TAPES / f"{name}.jsonl"))
    for wanted, found in zip(expected["rounds"], rounds(table, doubt=True), strict=True):
        for key in ("opener", "rival"):
            assert wanted.pop(key, found[key]) == found[key]
    told = report(table)
    for wanted, found in zip(expected["rounds"], told["rounds"], strict=True):
        assert (found["margin_ns"] is not None) == ("span_ns" in found)
        least_ns, most_ns = found.pop("span_ns", (None, None))
        if least_ns is not None:
            assert least_ns <= max(0, found["margin_ns"] - found["u_ns"])
            assert most_ns is None or found["margin_ns"] + found["u_ns"] <= most_ns
        assert wanted.pop("span_ns", [least_ns, most_ns]) == [least_ns, most_ns]
    assert expected == told


HEADER = '{"tape":1,"game":"pig","players":["North","East","South"],"options":{}}'


@pytest.mark.parametrize(
    "lines",
    [
        [HEADER.replace('"pig"', '"whist"')],
        [HEADER.replace(',"South"', "")],
        [HEADER.replace("{}", '{"stok":true}')],
        [HEADER, '{"move":{"type":"talked","seat":1},"t_ns":0}'],
        [HEADER, "{broken"],
    ],
)
def test_whatever_is_wrong_with_a_tape_its_file_is_named(tmp_path: Path, lines: list[str]) -> None:
    """Its game, its players, its options, its moves and its lines."""
    file = tmp_path / "round-12.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(TapeError, match=r"round-12\.jsonl: "):
        judge_file(file)


def test_a_tape_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """Some editors put one there."""
    file = tmp_path / "a.jsonl"
    file.write_text(HEADER, encoding="utf-8-sig")
    assert load_tape(file).header.players == ("North", "East", "South")
