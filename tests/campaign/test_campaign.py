"""The campaign itself: its parts can be called alone, it fails when it should, its power cuts are real."""

from __future__ import annotations

import random
import sys

import pytest

from tests.campaign import __main__ as campaign
from tests.campaign.disk import Disk, Note
from tests.campaign.figures import Figure, none_of
from tests.campaign.network import Holdings, grown


@pytest.mark.heavy
def test_a_part_can_be_called_alone_and_ends_in_a_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A figure a line, each with its verdict."""
    monkeypatch.setattr(sys, "argv", ["campaign", "clock", "damaged", "--scale", "0.01"])
    assert 0 == campaign.main()
    lines = capsys.readouterr().out.rpartition("\n\n")[2].splitlines()
    assert {"clock", "damaged"} == {line.split()[1] for line in lines}
    assert {"good"} == {line.split()[0] for line in lines}


def test_a_bad_figure_or_a_part_that_breaks_is_no_success(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The status says so, and the other parts are run."""

    def breaks(scale: float) -> list[Figure]:
        raise RuntimeError("no")

    monkeypatch.setattr(campaign, "PARTS", {"breaks": breaks, "lies": lambda _: [none_of("x", 1, 2)]})
    monkeypatch.setattr(sys, "argv", ["campaign"])
    assert 1 == campaign.main()
    assert 2 == capsys.readouterr().out.rpartition("\n\n")[2].count("BAD ")


def test_a_check_that_tried_nothing_is_no_success() -> None:
    """None of none proves nothing."""
    assert not none_of("x", 0, 0).good


def test_a_power_cut_keeps_what_was_synced_and_any_sectors_of_the_rest() -> None:
    """Worked out by hand: two sectors synced, two not."""
    disk = Disk()
    disk.take(Note("W", "a", 0, b"x" * 1024))
    disk.take(Note("S", "a", 0, b""))
    disk.take(Note("W", "a", 0, b"y" * 1024))
    seen = {disk.after_a_cut(random.Random(seed))["a"] for seed in range(60)}
    assert {one + two for one in (b"x" * 512, b"y" * 512) for two in (b"x" * 512, b"y" * 512)} == seen


@pytest.mark.parametrize(
    ("last", "bad"),
    [
        (Holdings(510, 106.0, 20, 9, 2_000.0, 1.0), []),
        (Holdings(510, 114.0, 20, 9, 2_000.0, 1.0), ["soak: memory gained"]),
        (Holdings(510, 106.0, 30, 9, 2_000.0, 1.0), ["soak: files opened and not closed"]),
        (Holdings(510, 106.0, 20, 19, 2_000.0, 1.0), ["soak: threads begun and not ended"]),
        (Holdings(510, 106.0, 20, 9, 3_600.0, 1.0), ["soak: log a round"]),
        (Holdings(510, 106.0, 20, 9, 2_000.0, 90.0), ["soak: what it complained"]),
    ],
)
def test_a_soak_notices_what_grows_beyond_its_rounds(last: Holdings, bad: list[str]) -> None:
    """500 rounds: 3 MB and 15 kB a round (10.5 MB in all), 6 kB of log a round, a few files and threads."""
    first = Holdings(10, 100.0, 18, 8, 500.0, 0.0)
    assert bad == [figure.what for figure in grown(first, last) if not figure.good]
