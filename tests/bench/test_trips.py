"""What a verdict, a snapshot and a tile go through stays little: counted, not timed (`tests.bench.trips`)."""

import pytest

from tests.bench.trips import TRIPS

# Calls, functions and files at most: lower them when a step becomes shorter.
MOST = {"verdict": (486, 223, 31), "publish": (58, 38, 9), "tile": (750, 223, 31)}


@pytest.mark.parametrize("name", TRIPS)
def test_a_trip_is_no_longer_than_it_was(name: str) -> None:
    """Each walk has a figure of its own; a reader follows it from file to file."""
    trip = TRIPS[name]()
    now = trip.calls, trip.functions, trip.files
    assert all(one <= most for one, most in zip(now, MOST[name], strict=True)), (now, trip.most[:20])
