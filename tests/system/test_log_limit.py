"""A flood of lines becomes a few."""

from __future__ import annotations

import logging

from lastnose.companion.system.systemd import LogLimit, limit_logs


def test_of_a_thousand_lines_a_minute_twenty_are_written_and_the_rest_are_counted() -> None:
    """Each kind for itself, whatever stands in its place holders; a minute later the first tells."""
    now_s = [0.0]
    limit = LogLimit(now_s=lambda: now_s[0])
    written = []

    def write(message: str, *args: object) -> None:
        record = logging.LogRecord("x", logging.WARNING, __file__, 1, message, args, None)
        if limit.filter(record):
            written.append(record.getMessage())

    for number in range(1000):
        write("no room for %d", number)
    write("something else")
    assert [*(f"no room for {number}" for number in range(20)), "something else"] == written
    now_s[0] = 60.5
    write("no room for %d", 7)
    write("no room for %d", 8)
    assert ["no room for 7 (980 more like this left out)", "no room for 8"] == written[-2:]


def test_kinds_do_not_pile_up() -> None:
    """A message that is new each time fills no memory."""
    limit = LogLimit(now_s=lambda: 0.0)
    for number in range(5000):
        limit.filter(logging.LogRecord("x", logging.WARNING, __file__, 1, f"kind {number}", (), None))
    assert len(limit._seen) <= 201


def test_a_logger_is_limited_once() -> None:
    """Two servers in one process share it."""
    for _ in range(2):
        limit_logs("lastnose.test.limit")
    assert 1 == len(logging.getLogger("lastnose.test.limit").filters)
