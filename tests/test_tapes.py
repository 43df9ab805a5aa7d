"""Every tape in `tests/tapes` gives the verdict that was written by hand beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.replay import load_tape, replay, report

TAPES = Path(__file__).parent / "tapes"
NAMES = sorted(path.stem for path in TAPES.glob("*.jsonl"))


def test_every_tape_has_its_verdict() -> None:
    """And every verdict its tape."""
    assert NAMES
    assert NAMES == sorted(path.name.removesuffix(".expected.json") for path in TAPES.glob("*.expected.json"))


@pytest.mark.parametrize("name", NAMES)
def test_a_tape_gives_its_verdict(name: str) -> None:
    """Rounds, standings and outcome, as `lastnose replay --json` prints them."""
    expected = json.loads((TAPES / f"{name}.expected.json").read_text(encoding="utf-8"))
    assert expected == report(replay(load_tape(TAPES / f"{name}.jsonl")))
