"""The plans of the rig: which line is moved when, and what must come of it."""

from __future__ import annotations

from typing import NamedTuple

NOSES = (5, 6, 12, 13, 19, 16, 26, 20, 21, 17, 27, 22, 4)
LINES = {f"nose.{seat}": pin for seat, pin in enumerate(NOSES, start=1)}
SPACINGS_US = (20, 100, 500)


class Step(NamedTuple):
    """A line is set at a time: `pull` 0 touches the nose, 1 lets it go."""

    at_us: int
    line: str
    pull: int


class Write(NamedTuple):
    """What the driver did: `line` changed to `level` between the two instants."""

    line: str
    level: int
    before_ns: int
    after_ns: int


class Round(NamedTuple):
    """One round: all press 2 ms apart, but the last two `spacing_us`; then all let go."""

    spacing_us: int
    order: tuple[str, ...]
    steps: tuple[Step, ...]


# Nothing is armed before all noses have been free for 150 ms (`companion.timing.arming.SETTLE_NS`).
SETTLE_US = 170_000


def rounds(
    count: int, period_us: int, hold_us: int, spacings_us: tuple[int, ...] = SPACINGS_US
) -> list[Round]:
    """Return *count* rounds, one each *period_us* and settling; who is last wanders around the table."""
    names = tuple(LINES)
    made = []
    for number in range(count):
        turn = (number * 5) % len(names)
        order = names[turn:] + names[:turn]
        spacing_us = spacings_us[number % len(spacings_us)]
        start_us = number * (period_us + SETTLE_US)
        times = [start_us + 2_000 * place for place in range(len(order) - 1)]
        times.append(times[-1] + spacing_us)
        touch = [Step(at_us, line, 0) for at_us, line in zip(times, order, strict=True)]
        let_go = [Step(start_us + hold_us + 300 * place, line, 1) for place, line in enumerate(order)]
        made.append(Round(spacing_us, order, (*touch, *let_go)))
    return made


def bouncing(count: int, period_us: int, hold_us: int) -> list[Round]:
    """Return rounds whose last contact closes, opens and closes again as fast as the driver can."""
    made = []
    for number, plain in enumerate(rounds(count, period_us, hold_us)):
        press = plain.steps[len(LINES) - 1]
        chatter = tuple(Step(press.at_us + 1, press.line, pull) for pull in (1, 0) * (1 + number % 3))
        steps = (*plain.steps[: len(LINES)], *chatter, *plain.steps[len(LINES) :])
        made.append(Round(plain.spacing_us, plain.order, steps))
    return made


def burst(edges: int) -> list[Step]:
    """Return *edges* changes, as fast as the driver can, over all lines in turn."""
    names = tuple(LINES)
    return [Step(0, names[n % len(names)], (n // len(names)) % 2) for n in range(edges)]


def _held(*lines: str) -> list[Step]:
    """Return a touch of 100 ms that moves *lines*, 50 µs apart."""
    return [
        Step(at_us + 50 * place, line, pull)
        for at_us, pull in ((0, 0), (100_000, 1))
        for place, line in enumerate(lines)
    ]


# What touching each nose moves in a box with faults: 1 and 2 swapped, 3 bouncing for 24 ms, 4 bridged with 5,
# and 5 on a free pin, which is nose 10's elsewhere.
TOUCHES = {
    "nose.1": _held("nose.2"),
    "nose.2": _held("nose.1"),
    "nose.3": [*(Step(2_000 * n, "nose.3", n % 2) for n in range(13)), Step(90_000, "nose.3", 1)],
    "nose.4": _held("nose.4", "nose.5"),
    "nose.5": _held("nose.10"),
}
