"""Inputs come out in order of time, as far as every source has promised."""

from __future__ import annotations

from random import Random

import pytest
from lastnose.companion.core.model import Edge, Gap, Levels, Watermark
from lastnose.companion.timing.streams import FOREVER, NEVER, BrokenPromise, Item, Sequencer

from tests.support.examples import examples

SOURCES = "gpio", "box"


def random_item(rng: Random) -> Edge | Watermark | Levels | Gap:
    """Return what a source may tell, of a time so short that much of it falls together."""
    t_ns, source, late_ns = rng.randrange(6), rng.choice(SOURCES), rng.choice((None, None, 1, 4))
    return rng.choice(
        (
            Edge(t_ns, source, rng.choice(("nose.1", "nose.2")), rng.randrange(2), 0),
            Watermark(rng.choice((t_ns, t_ns + 1, t_ns + 1, FOREVER)), source),
            Levels({}, t_ns, source, late_ns=late_ns),
            Gap(t_ns, 6, source, late_ns=late_ns),
        )
    )


def released(sequencer: Sequencer) -> list[tuple[int, Item]]:
    """Return everything that is released, each with its time."""
    items = []
    while (at_ns := sequencer.peek_ns()) is not None:
        items.append((at_ns, sequencer.pop()))
    return items


@pytest.mark.parametrize("known", [(), ("gpio",), (*SOURCES, "page")])
def test_out_comes_what_all_sources_have_promised_in_order_of_time(
    known: tuple[str, ...],
) -> None:
    """Gaps, levels, edges by line. Whoever has left may come back; nobody new speaks of the past."""
    for seed in range(examples(1000)):
        rng = Random(seed)
        must_be_released([random_item(rng) for _ in range(30)], known)


def must_be_released(told: list[Edge | Watermark | Levels | Gap], known: tuple[str, ...]) -> None:
    """Work out from lists what is released by each of *told*, and hold the sequencer to it."""
    sequencer, low_ns = Sequencer(known), NEVER
    marks: dict[str, int] = dict.fromkeys(known, NEVER)
    waiting: list[tuple[int, int, str, str, int, Item]] = []
    for n, item in enumerate(told):
        if low_ns == FOREVER:  # time has ended
            break
        mark = max(marks.get(item.source, low_ns), item.t_ns) if isinstance(item, Watermark) else None
        if mark is not None:
            marks[item.source] = mark
            marks = {source: t_ns for source, t_ns in marks.items() if t_ns != FOREVER}
            moved = min(marks.values(), default=FOREVER) > low_ns
            low_ns = max(low_ns, min(marks.values(), default=FOREVER))
            assert moved == sequencer.promise(item)
        elif isinstance(item, Edge):
            mark = marks.setdefault(item.source, low_ns)
            gap = Gap(item.t_ns, mark, item.source, late_ns=max(item.t_ns, low_ns))
            broken = BrokenPromise(gap, item.line) if item.t_ns < mark else None
            assert broken == sequencer.add(item)
            waiting += [] if broken else [(item.t_ns, 2, item.line, item.source, n, item)]
        else:
            marks.setdefault(item.source, low_ns)
            t_ns, rank = (item.from_ns, 0) if isinstance(item, Gap) else (item.t_ns, 1)
            at_ns = max(low_ns, t_ns if item.late_ns is None else item.late_ns)
            waiting.append((at_ns, rank, "", item.source, n, item))
            sequencer.add_news(item)
        out = sorted(one for one in waiting if one[0] < low_ns)
        waiting = [one for one in waiting if one not in out]
        assert ([(one[0], one[-1]) for one in out], low_ns) == (released(sequencer), sequencer.low_ns)
    assert max([low_ns, *(one[0] for one in waiting)]) == sequencer.finish()
    assert [(one[0], one[-1]) for one in sorted(waiting)] == released(sequencer)
