"""Rounds whose margin, and what it is sure to, a test chooses; and the rule by which both are printed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_CEILING, Decimal

from lastnose.companion.core.model import Edge, Levels, Press
from lastnose.companion.evening import events as log
from lastnose.companion.table.memory_store import MemoryStore

from tests.support.evenings import judged_round

LINES = ("nose.1", "nose.2", "nose.3")
SEATS = (1, 2, 3)
OPENED_NS, RIVAL_NS = 10_000_000, 90_000_000

# From a dead heat to a second; what stamps of wires, late interrupts, boxes and phones may be wrong by.
MARGINS_NS = (7_000, 72_000, 412_345, 4_123_456, 123_456_000, 1_250_000_000)
SURE_NS = (20_000, 20_227, 87_500, 101_000, 996_000, 60_100_000)

SIZES = {"s": 10**9, "ms": 10**6, "µs": 10**3}
POINT = {"en": ".", "fr": ",", "bs": ","}
MEASURED = re.compile(r"([\d.,]+) (s|ms|µs)\b[^\d±]*± ?([\d.,]+) (s|ms|µs)\b")
EVERYDAY = re.compile(r"([\d.,]+) ?(s|ms|µs)\b")


def _presses(margin_ns: int, u_ns: int) -> list[Press]:
    times = (OPENED_NS, RIVAL_NS, RIVAL_NS + margin_ns)
    worth = (10_000, u_ns // 2, u_ns - u_ns // 2)
    return [Press(seat, t, u, "gpio") for seat, t, u in zip(SEATS, times, worth, strict=True)]


def evening(pairs: Iterable[tuple[int, int]]) -> MemoryStore:
    """Return the log of a game with a judged round for each margin and ± of *pairs*: twelve at the most."""
    store = MemoryStore()
    store.append(
        log.Started(
            by="host",
            at=1.0,
            game="pig",
            players=("North", "East", "Zoë"),
            options={"word": "FACETIOUSLYX"},
            lines=LINES,
        )
    )
    for number, (margin_ns, u_ns) in enumerate(pairs, 1):
        at = 10.0 * number
        presses = _presses(margin_ns, u_ns)
        edges = [Edge(one.t_ns, "gpio", f"nose.{one.seat}", 1, one.u_ns) for one in presses]
        store.append(
            *judged_round(presses, (Levels(dict.fromkeys(LINES, 0), 0, "gpio", 10_000), *edges), at=at)
        )
    return store


def read(figure: str, unit: str, language: str) -> tuple[Decimal, Decimal]:
    """Return a *figure* in ns as people of *language* read it, and the step of its last digit."""
    whole, _, part = figure.partition(POINT[language])
    assert whole.isdigit()
    assert not part or part.isdigit(), f"no sign but the decimal one of {language}: {figure}"
    return Decimal(f"{whole}.{part or 0}") * SIZES[unit], Decimal(SIZES[unit]).scaleb(-len(part))


def held(words: str, ns: int, u_ns: int, language: str) -> tuple[Decimal, Decimal]:
    """Hold a margin and its ± in *words* to the rule; return both as they are read, in ns.

    Both stand in one unit and at one step, which is the second figure of the ±: never more digits than are
    known, never fewer than the ± needs. What is read back holds all that may be.
    """
    found = MEASURED.findall(words)
    assert 1 == len(set(found)), words
    time, unit, sure, same = found[0]
    (time_ns, step_ns), (sure_ns, other_ns) = read(time, unit, language), read(sure, same, language)
    assert (unit, step_ns) == (same, other_ns), "one unit, one step"
    figures = sure.replace(POINT[language], "").lstrip("0")
    assert len(figures.rstrip("0")) <= 2 <= len(figures), f"the ± has two figures: {words}"
    step_ns *= 10 ** (len(figures) - 2)  # 110 µs are written to 10
    assert time_ns % step_ns == 0, f"what is left of the margin is not known: {words}"
    assert time_ns - sure_ns <= ns - u_ns, words
    assert ns + u_ns <= time_ns + sure_ns, words
    assert sure_ns < u_ns + Decimal("1.5") * step_ns, f"and is no wider than rounding makes it: {words}"
    return time_ns, sure_ns


def known_ns(ns: int, u_ns: int) -> int:
    """Return what a margin of *ns* may be wrong by: its two stamps, and 550 ppm of all that it may be."""
    pace = (Decimal(ns + u_ns) * 550 / 10**6).to_integral_value(ROUND_CEILING)
    return u_ns + int(pace)
