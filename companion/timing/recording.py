"""What a round rests on: its inputs, to judge it again from (law 6), and the losses among them (law 5)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping

import msgspec
from lastnose.companion.core.model import PAGE_SOURCE, BrokenPromise, Edge, Gap, Input, Levels, Press
from lastnose.companion.core.text import Text, text
from lastnose.companion.timing.debounce import Debouncer, LostEdges
from lastnose.companion.timing.round import LostPresses, Round
from lastnose.companion.timing.sequencer import FOREVER

_IDLE_ITEMS = 512


class LateEdge(msgspec.Struct, frozen=True):
    """An edge that broke a promise, and what became of it. `stays`: nothing later is known of its line."""

    broken: BrokenPromise
    edge: Edge
    stays: bool


class Evidence:
    """Knows what each seat's line has shown; holds the inputs of the round and the losses that reach it.

    Inputs are held in stream order, each with its place in the stream.
    """

    def __init__(self, debouncer: Debouncer) -> None:
        self._debouncer = debouncer
        self._items: list[tuple[int, Input]] = []
        self._fresh: list[Input] = []  # not handed out yet
        self._losses: list[Gap | LostEdges] = []
        self._line_of: Mapping[int, str] = {}
        self._of_rack: dict[str, tuple[int, int]] = {}  # a round's further lines: the seat or cradle of each

    def bind(self, line_of: Mapping[int, str]) -> None:
        """Take another map of seats to lines."""
        self._line_of = line_of

    def add(self, t_ns: int, item: Input) -> None:
        """Take an input that has its place at *t_ns*, not before the one taken last."""
        self._items.append((t_ns, item))
        self._fresh.append(item)

    def known(self, seat: int, name: str | None = None) -> Press | None:
        """Return what a stamp of the line *name* is worth, as a press of *seat*; None while nothing says so.

        Without a name it is the seat's nose.
        """
        line = self._debouncer.lines.get(self._line_of[seat] if name is None else name)
        if line is None or line.u_ns is None:
            return None
        return Press(seat, 0, line.u_ns, line.source, line.clock_u_ns, wire_u_ns=line.wire_u_ns)

    def begin(
        self,
        armed: Round,
        down: set[str],
        of_rack: Mapping[str, tuple[int, int]],
        *,
        late: Collection[Edge] | None = None,
    ) -> None:
        """Begin a round: it learns of losses that reach into it, and its inputs are kept from now on.

        *of_rack*: its lines that are no noses, with seat (of a dock) and cradle, one of them 0. *late*: it
        goes on with what it has learnt of losses already, and of these edges, which came after its verdict.
        """
        self._of_rack = dict(of_rack)
        self._losses = [
            loss
            for loss in self._losses
            if armed.armed_ns <= loss.to_ns < FOREVER and not _made_of(loss, late or ())
        ]
        for loss in self._losses if late is None else ():
            self._pass_on(armed, loss)
        gaps = [loss for loss in self._losses if isinstance(loss, Gap)]
        self._record(armed.armed_ns, self._standing(armed, down), gaps, late)

    def _record(
        self,
        armed_ns: int,
        levels: Iterable[Input],
        gaps: Iterable[Gap],
        late: Collection[Edge] | None = None,
    ) -> None:
        """Hold a round: *levels* as they stood, *gaps* that reach into it, and inputs from *armed_ns* on.

        Of a round that goes on *late* edges came after it was judged. It has been judged again with them in
        their places, and so they are kept as edges, not as the losses that they were told as. Other losses
        of that kind were told before it is decided, whenever: judged again, it may be decided sooner.
        """
        del self._items[: bisect_left(self._items, armed_ns, key=_place)]
        kept = {id(item) for _, item in self._items}
        gaps = [gap for gap in gaps if id(gap) not in kept]
        if late is not None:
            self._items = [
                (t_ns, item)
                for t_ns, item in self._items
                if not _made_of(item, late) or as_found(item, armed_ns) is not None
            ]
            end_ns = self._items[-1][0] if self._items else armed_ns
            self._items += [(end_ns, edge) for edge in late if edge.t_ns >= armed_ns]
        self._fresh = [*levels, *gaps, *(item for _, item in self._items)]
        if late is not None:
            self._fresh = [as_found(item, armed_ns) or _in_time(item) for item in self._fresh]

    def lose(self, armed: Round | None, loss: Gap | LostEdges) -> None:
        """Note that edges are lost, and tell the armed round."""
        self._losses.append(loss)
        if armed is not None:
            self._pass_on(armed, loss)

    def hand_out(self) -> tuple[Input, ...]:
        """Return the inputs that have come since the round began or since this was last asked.

        Trains that are still open wait until they are whole.
        """
        open_trains = self._debouncer.open_trains()  # by line, when each began
        whole: list[Input] = []
        rest: list[Input] = []
        for item in self._fresh:
            is_open = isinstance(item, Edge) and item.t_ns >= open_trains.get(item.line, FOREVER)
            (rest if is_open else whole).append(item)
        self._fresh = rest
        return tuple(whole)

    def fresh(self) -> tuple[Input, ...]:
        """Return the inputs that `hand_out` would, open trains as well, without handing them out."""
        return tuple(self._fresh)

    def end(self, at_ns: int) -> None:
        """Drop what was touched after *at_ns*: the list was closed then, also where the round goes on."""
        beyond = {id(one) for _, one in self._items if isinstance(one, Edge) and one.t_ns > at_ns}
        self._items = [one for one in self._items if id(one[1]) not in beyond]
        self._fresh = [one for one in self._fresh if id(one) not in beyond]

    def forget(self, before_ns: int) -> None:
        """Drop what lies before *before_ns*, now and then: no round needs it."""
        if len(self._items) > _IDLE_ITEMS:
            del self._items[: bisect_left(self._items, before_ns, key=_place)]
            self._fresh = []

    def cuts(self, armed: Round, doubt: LostEdges) -> Text | None:
        """Return why the round is void: edges of its lines *were* lost, and before it began; None if not so.

        Then a hand may have been down already when the round was armed, and its press would be none.
        """
        if (
            doubt.line in self._noses(armed).keys() | self._of_rack.keys()
            and doubt.from_ns <= armed.armed_ns <= doubt.to_ns
        ):
            return _lost_text(doubt.line)
        return None

    def _noses(self, armed: Round) -> dict[str, tuple[int, int]]:
        """Return the noses that can change anything in a round, each with its seat and no cradle."""
        return {line: (seat, 0) for seat, line in self._line_of.items() if armed.heeds(seat)}

    def _pass_on(self, armed: Round, loss: Gap | LostEdges) -> None:
        """Tell the round of lost edges: a gap concerns all lines of its source, or of none known."""
        for name, (seat, cradle) in (self._noses(armed) | self._of_rack).items():
            line = self._debouncer.lines.get(name)
            u_ns = loss.u_ns if isinstance(loss, LostEdges) else 0
            if isinstance(loss, LostEdges):
                concerned, why = name == loss.line, _lost_text(loss.line)
            else:
                mine = line is None or line.source == loss.source
                concerned, why = mine if loss.lines is None else name in loss.lines, _gap_text(loss)
            if concerned:
                armed.doubt(LostPresses(seat, loss.from_ns, loss.to_ns, why, cradle, u_ns))

    def _standing(self, armed: Round, down: set[str]) -> list[Levels]:
        """Return the levels of watched and of active lines at arming, by source and worth of stamps.

        A dock may be away from rest then: so it was when that was told, and older news may still correct it.
        """
        groups: dict[tuple[int, str, int | None, int, int | None], dict[str, int]] = {}
        shown = {self._line_of[seat] for seat in armed.seats if seat in self._line_of}
        shown |= down | self._of_rack.keys()
        for name, line in sorted(self._debouncer.lines.items()):
            if name in shown:
                is_dock = self._of_rack.get(name, (0, 0))[0] > 0
                t_ns = min(line.told_ns, armed.armed_ns) if is_dock else armed.armed_ns
                key = t_ns, line.source, line.u_ns, line.clock_u_ns, line.wire_u_ns
                groups.setdefault(key, {})[name] = int(name in down) ^ line.rest
        return [
            Levels(levels, t_ns, source, u_ns, clock_u_ns, wire_u_ns)
            for (t_ns, source, u_ns, clock_u_ns, wire_u_ns), levels in groups.items()
        ]


def _gap_text(gap: Gap) -> Text:
    if gap.source.startswith(PAGE_SOURCE) and gap.lines is not None:
        return text("A phone or computer fell silent, and a tap on it could change the verdict.")
    return _lost_text(gap.source)


def _lost_text(where: str) -> Text:
    if where.startswith(PAGE_SOURCE):
        return text("A tap on a phone or computer came too late, and it could change the verdict.")
    return text("Edges of {where} may be lost, and they could change the verdict.", where=where)


def _place(entry: tuple[int, Input]) -> int:
    return entry[0]


def as_found(item: Input, armed_ns: int) -> Levels | None:
    """Return levels that were made of a late edge of before the round as they were found in it.

    Whose nose had been let go by then plays from when that was told (F22). None for anything else.
    """
    if not isinstance(item, Levels) or item.late_ns is None:
        return None
    if item.t_ns == item.late_ns:  # as a log has them: they have been found so
        return item
    if item.t_ns >= armed_ns:
        return None
    told_ns = max(item.late_ns, armed_ns)
    return msgspec.structs.replace(item, t_ns=told_ns, late_ns=told_ns)


def is_of_late_edge(item: Input) -> bool:
    """Return whether *item* was made of an edge that came too late, which in its place says more."""
    return isinstance(item, Levels | Gap) and item.late_ns is not None


def _in_time(item: Input) -> Input:
    """Return what was made of a late edge as told in time."""
    return msgspec.structs.replace(item, late_ns=None) if isinstance(item, Levels | Gap) else item


def _made_of(item: Input | LostEdges, late: Collection[Edge]) -> bool:
    """Return whether *item* is the loss, or the levels, that one of the *late* edges was told as."""
    if not isinstance(item, Levels | Gap) or item.late_ns is None:
        return False
    since_ns, lines = (item.from_ns, None) if isinstance(item, Gap) else (item.t_ns, item.levels)
    return any(
        (edge.t_ns, edge.source) == (since_ns, item.source) and (lines is None or edge.line in lines)
        for edge in late
    )


def held_text(line: str) -> Text:
    """Return why a round is void of which a nose was found down."""
    return text("Nobody saw {line} go down, and it may have been down before the round began.", line=line)


def noise_text(line: str) -> Text:
    """Return why a round is void of which a line keeps changing."""
    return text("{line} keeps changing: check its button and wires.", line=line)
