"""Judge hands instead of contacts: a nose's stamps are worth less by what its button differs."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.core.model import Edge, Input, Levels


class Buttons:
    """Widens what comes in by *bounds_ns*, a bound for each nose's line.

    A bound says how much a button differs from one and the same other; law 4 adds those of two stamps, so
    the sum says how much two buttons differ from each other.
    """

    def __init__(self, bounds_ns: Mapping[str, int]) -> None:
        self._bounds_ns = dict(bounds_ns)

    def widened(self, item: Input) -> Input:
        """Return *item* with its wider error.

        Levels say what the stamp of a seat that has not pressed is worth: the most of any of their lines.

        >>> buttons = Buttons({"nose.1": 300, "nose.2": 0})
        >>> buttons.widened(Levels({"nose.1": 0, "nose.2": 0}, 5, "gpio", 10)).u_ns
        310
        >>> edge = buttons.widened(Edge(7, "gpio", "nose.1", 1, 10))
        >>> edge.u_ns, edge.button_u_ns
        (310, 300)
        """
        if isinstance(item, Edge):
            bound_ns = self._bounds_ns.get(item.line, 0)
            return msgspec.structs.replace(item, u_ns=item.u_ns + bound_ns, button_u_ns=bound_ns)
        if isinstance(item, Levels) and item.u_ns is not None:
            most_ns = max((self._bounds_ns.get(line, 0) for line in item.levels), default=0)
            return msgspec.structs.replace(item, u_ns=item.u_ns + most_ns)
        return item
