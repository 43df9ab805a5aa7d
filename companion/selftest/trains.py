"""Edges of one line in, trains out: what belongs together, and what that says of a contact. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.core.model import Edge

# Contacts bounce for some milliseconds; fingers are slower.
TRAIN_GAP_NS = 5_000_000
# A voltage that crawls past the threshold toggles faster than any spring.
CRAWL_NS, CRAWL_EDGES = 100_000, 6


class Train(msgspec.Struct, frozen=True):
    """Edges of one line less than 5 ms apart, in order of time."""

    edges: tuple[Edge, ...]

    @property
    def t_ns(self) -> int:
        """When it began."""
        return self.edges[0].t_ns

    @property
    def end_ns(self) -> int:
        """When it ended."""
        return self.edges[-1].t_ns

    @property
    def span_ns(self) -> int:
        """How long it took: 0 for a clean change."""
        return self.end_ns - self.t_ns

    @property
    def level(self) -> int:
        """The level in which it left the line."""
        return self.edges[-1].level

    @property
    def crawls(self) -> bool:
        """Whether it toggled faster than a spring can."""
        times = [edge.t_ns for edge in self.edges]
        return any(
            last - first <= CRAWL_NS for first, last in zip(times, times[CRAWL_EDGES - 1 :], strict=False)
        )


def trains_of(edges: Iterable[Edge], line: str) -> tuple[Train, ...]:
    """Return the trains of *line*, whatever the order in which *edges* arrived.

    >>> made = [Edge(t_ns, "x", "nose.1", level, 0) for t_ns, level in ((0, 1), (400_000, 0), (900_000, 1))]
    >>> [(train.span_ns, train.level) for train in trains_of(made, "nose.1")]
    [(900000, 1)]
    """
    mine = sorted((edge for edge in edges if edge.line == line), key=lambda edge: edge.t_ns)
    groups: list[list[Edge]] = []
    for edge in mine:
        if groups and edge.t_ns - groups[-1][-1].t_ns < TRAIN_GAP_NS:
            groups[-1].append(edge)
        else:
            groups.append([edge])
    return tuple(Train(tuple(group)) for group in groups)


def acted(trains: Sequence[Train], rest: int) -> bool:
    """Return whether the line left its rest for longer than a train, and came back."""
    away = [number for number, train in enumerate(trains) if train.level != rest]
    return bool(away) and any(train.level == rest for train in trains[away[0] :])


def is_away(trains: Sequence[Train], rest: int) -> bool:
    """Return whether the last train left the line away from its rest."""
    return bool(trains) and trains[-1].level != rest
