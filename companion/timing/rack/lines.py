"""The lines of a round that are no noses: spoons and docks. Changes in, what the round says of them out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import msgspec
from lastnose.companion.core.model import (
    Armed,
    Confirmed,
    Lift,
    Lifted,
    Phantom,
    Press,
    PutBack,
    Rack,
    RefereeEvent,
    dock_beside,
    rest_level,
)
from lastnose.companion.timing.evidence import Evidence
from lastnose.companion.timing.rack.round import RackRound
from lastnose.companion.timing.round import Round
from lastnose.companion.timing.streams import AssumedLevel, Change, Debouncer


class RackLines:
    """Knows the lines of the armed rack: `of` has the seat (of a dock) and cradle of each, one of them 0."""

    def __init__(self, debouncer: Debouncer, evidence: Evidence) -> None:
        self.of: dict[str, tuple[int, int]] = {}
        self._debouncer = debouncer
        self._evidence = evidence
        self._line_of: Mapping[int, str] = {}

    def begin(
        self, armed: Armed, rack: Rack, confirm_ns: int, line_of: Mapping[int, str], down: Collection[str]
    ) -> RackRound:
        """Return the round to judge by; *line_of* has each seat's nose, *down* what is away from rest."""
        self._line_of = line_of
        rack_round = RackRound(armed.t_ns, armed.seats, confirm_ns, self._worth, rack, self._has_dock)
        self.of = {f"spoon.{cradle}": (0, cradle) for cradle in rack_round.cradles}
        if rack.confirm == "dock":
            docks = {seat: dock_beside(line_of[seat]) for seat in armed.seats}
            self.of |= {dock: (seat, 0) for seat, dock in docks.items()}
            rack_round.begin_empty(
                {
                    seat: int(dock in down) ^ rest_level(dock)
                    for seat, dock in docks.items()
                    if dock in self._debouncer.lines
                }
            )
        return rack_round

    def changed(self, armed: Round | None, change: Change) -> Iterator[RefereeEvent]:
        """Take a change of a spoon or dock of the armed rack."""
        (seat, cradle), edge = self.of[change.line], change.edge
        if not isinstance(armed, RackRound):
            return
        if seat:
            armed.dock(change.press(seat), change.level ^ rest_level(change.line), change.sure_ns)
            return
        mark = Lift(cradle, edge.t_ns, edge.u_ns, edge.source, edge.clock_u_ns)
        if change.level:
            yield Lifted(mark, armed.lift(mark, change.sure_ns))
        else:
            yield PutBack(cradle, edge.t_ns, armed.put_back(mark))

    def taken_over(self, armed: Round | None, what: AssumedLevel, at_ns: int) -> Iterator[RefereeEvent]:
        """Take the level of a spoon or dock of the armed rack that nobody saw change."""
        seat, cradle = self.of[what.line]
        if not isinstance(armed, RackRound):
            return
        since_ns = armed.armed_ns if what.since_ns is None else what.since_ns
        until_ns = max(at_ns if what.until_ns is None else what.until_ns, armed.armed_ns)
        worth = self._evidence.known(seat, what.line) or Press(seat, 0, 0, "")
        if seat and what.until_ns is not None and what.until_ns < armed.armed_ns:
            armed.begin_empty({seat: what.level ^ rest_level(what.line)})  # it was so at the arming already
            return
        if seat:
            press = msgspec.structs.replace(worth, t_ns=until_ns)
            armed.take_over_dock(press, what.level ^ rest_level(what.line), since_ns)
            return
        mark = Lift(cradle, until_ns, worth.u_ns, worth.source, worth.clock_u_ns)
        opens = not armed.opened
        armed.take_over_spoon(mark, bool(what.level), since_ns)
        yield Lifted(mark, opens) if what.level else PutBack(cradle, until_ns, feint=False)

    def ring(self, armed: Round | None, at_ns: int) -> Iterator[RefereeEvent]:
        """Tell of a dock in which a spoon has lain for long enough."""
        if isinstance(armed, RackRound):
            rung = armed.ring(at_ns)
            if rung is not None:
                yield Confirmed(rung[0]) if rung[1] else Phantom(rung[0])

    def _has_dock(self, seat: int) -> bool:
        """Return whether the seat has a dock that has shown itself."""
        return dock_beside(self._line_of[seat]) in self._debouncer.lines

    def _worth(self, seat: int) -> Press | None:
        """Return what a touch of the seat is worth: in its dock, if that is known and counts, or a nose."""
        nose = self._line_of.get(seat, "")
        docked = self._evidence.known(seat, dock_beside(nose)) if dock_beside(nose) in self.of else None
        return docked or self._evidence.known(seat, nose)
