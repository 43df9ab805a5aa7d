"""What a round rests on, and what comes after its verdict: does that leave it as it was?

An armed round's inputs are kept, to judge it again from (law 6), and the losses among them (law 5).

Late evidence is an edge older than its source's watermark, or a loss that is told (or shows) only now. The
round is judged again with it in its place. A verdict whose `last` this changes does not stand; nor does that
of a round that turns out to have been armed over a hand. Where `last` is what it was, but margin, rival,
opener or order are not, the verdict is said again as it is known now (law 8).

Weighed are the newest rounds since the program began. What a restart cuts off is not taken up again: the
round that it falls into is void, stamps of another run of the machine mean nothing, and in the same run each
source says again how things stand. An older edge is then told as late and makes nothing contested: its round
is the newest in the history, or has been played on, and the host can correct it there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import msgspec
from lastnose.companion.core.model import (
    PAGE_SOURCE,
    Armed,
    BrokenPromise,
    Edge,
    Gap,
    Input,
    Levels,
    Press,
    Question,
    Rack,
    Verdict,
    rest_level,
    uncertainty_ns,
)
from lastnose.companion.core.text import Text, text
from lastnose.companion.timing.judge import voided
from lastnose.companion.timing.rack.notes import DOCK_NS
from lastnose.companion.timing.round import LostPresses, Round
from lastnose.companion.timing.streams import FOREVER, Debouncer, LostEdges

KEPT_ROUNDS = 16  # so far back late evidence is weighed
_IDLE_ITEMS = 512

# ---- of the round that is armed


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
        lines = self._debouncer.lines.items()
        open_trains = {name: line.first.t_ns for name, line in lines if line.first and not line.noisy}
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


# ---- of rounds that are judged


class Decided(msgspec.Struct, gc=False):
    """A round that was judged, with all that was known of it, and the verdict as it stands.

    `late`: what was told since and agreed; `untold`: what of all this no event has handed out yet.
    `until_ns`: when the next round was armed, or the table had ruled: from there on nothing belongs to this
    one.
    """

    armed: Armed
    lines: Mapping[str, int]
    hold: bool
    rack: Rack | None
    verdict: Verdict
    at_ns: int
    inputs: list[Input]
    late: list[Edge | Gap] = []
    untold: list[Input] = []
    until_ns: int = FOREVER
    question: Question = "last"

    def lists(self, line: str) -> bool:
        """Return whether a press of *line* still completes the verdict, up to the next arming.

        So it does of the seat that was last without having pressed; and of each that was not first.
        """
        last = self.verdict.last
        waited = self.armed.seats if self.question == "first" else last if len(last) == 1 else ()
        seat = self.lines.get(line)
        return seat in waited and seat not in self.verdict.order

    def counts(self, line: str) -> bool:
        """Return whether *line* is the nose of somebody who was watched, and not known to be down then."""
        seat = self.lines.get(line)
        return seat in self.armed.seats and dict(self.armed.barred).get(seat or 0) != FOREVER


Again = Callable[[Decided, Sequence[Input]], Verdict]


class Hindsight:
    """Remembers the rounds that were decided. `again(decided, inputs)` judges one of them once more.

    Without it nobody reconsiders: a round is being judged again, and all its evidence is there.
    For *settles_ns* after a round is decided an edge, or a loss, may still tell when a touch began before.
    """

    def __init__(self, again: Again | None, settles_ns: int) -> None:
        self._again = again
        self._settles_ns = settles_ns
        self._rounds: list[Decided] = []

    @property
    def trusts(self) -> bool:
        """Whether nobody reconsiders: a round is being judged again with all that is known of it."""
        return self._again is None

    def note(self, decided: Decided) -> None:
        """Remember a round; a void one says nothing that could turn out wrong."""
        if decided.verdict.void is None and (decided.verdict.named or decided.verdict.nobody):
            self._rounds = [*self._rounds, decided][-KEPT_ROUNDS:]

    def forget(self, decided: Decided) -> None:
        """Forget a round: its verdict has been withdrawn, or is contested."""
        self._rounds.remove(decided)

    def newest(self, armed: Armed | None) -> Decided | None:
        """Return the newest round if it is *armed*'s and its verdict stands."""
        newest = self._rounds[-1] if self._rounds else None
        return newest if newest is not None and newest.armed is armed else None

    def end(self, t_ns: int) -> None:
        """Note that from *t_ns* on nothing belongs to the newest round: it is ruled on, or another armed."""
        if self._rounds:
            self._rounds[-1].until_ns = min(self._rounds[-1].until_ns, t_ns)

    def reopened(self, decided: Decided, fresh: Sequence[Input]) -> Verdict:
        """Return the verdict of a round whose list goes on after all; *fresh*: what has come meanwhile."""
        decided.until_ns = FOREVER
        if self._again is not None:
            _weighed(self._again, decided, [*decided.inputs, *fresh, *decided.late])
        return decided.verdict

    def weigh(
        self, evidence: Edge | Gap, fresh: Callable[[Decided], Sequence[Input]], *, stays: bool = False
    ) -> Iterator[tuple[Decided, Verdict, bool]]:
        """Yield the rounds that *evidence* changes: what is to be said now, and whether the verdict stands.

        *fresh* gives what else has come since a round was judged. What agrees with a verdict is kept: with
        something else it may not. *stays*: the evidence is an edge after which its line is not known to move.
        """
        for decided in tuple(self._rounds):
            former = decided.verdict
            again, stands = self._against(evidence, decided, fresh(decided), stays=stays)
            if not stands or again != former:
                yield decided, again, stands

    def completed(self, decided: Decided, verdict: Verdict) -> tuple[Verdict, bool]:
        """Return the *verdict* of a round that a press has just completed, and whether it still stands.

        What agreed with it alone (a loss, an edge that leaves open when a touch began) may not beside more;
        and only all of it together says what is known now.
        """
        # Without a loss the stamps are all there is: `complete` has said it, and judging again costs a round.
        lossless = not decided.late and not any(isinstance(one, Gap) for one in decided.inputs)
        if self._again is None or lossless:
            decided.verdict = verdict
            return verdict, True
        again, stands = _weighed(self._again, decided, [*decided.inputs, *decided.late])
        return again if stands else verdict, stands

    def armed_over_a_hand(self, evidence: Edge | Gap, decided: Decided, *, stays: bool) -> bool:
        """Return whether a round just judged was, by *evidence* that was told too late while it was armed.

        All else that it may mean has been weighed as a loss.
        """
        return decided in self._rounds and _was_down(evidence, decided, decided.inputs, stays=stays)

    def _against(
        self, evidence: Edge | Gap, decided: Decided, fresh: Sequence[Input], *, stays: bool
    ) -> tuple[Verdict, bool]:
        """Return what is to be said of a round with *evidence*, and whether its verdict stands."""
        since = [*decided.inputs, *fresh, *decided.late]
        if _was_down(evidence, decided, since, stays=stays):
            return Verdict(void=late_text(evidence)), False
        if self._again is None or not self._concerns(evidence, decided):
            return decided.verdict, True
        again, stands = _weighed(self._again, decided, [*since, evidence])
        if stands and evidence not in since:
            decided.late.append(evidence)
            decided.untold.append(evidence)
        if stands and isinstance(evidence, Gap) and evidence.to_ns < FOREVER:
            decided.at_ns = max(decided.at_ns, evidence.to_ns)  # judged with it, it would be decided after it
        return again, stands

    def _concerns(self, evidence: Edge | Gap, decided: Decided) -> bool:
        """Return whether *evidence* may say something of a round: of its presses, or of one it waits for."""
        since_ns, until_ns = decided.armed.from_ns, decided.at_ns + self._settles_ns
        if isinstance(evidence, Gap):
            presses = decided.verdict.presses
            until_ns = max([until_ns, *(one.t_ns + self._settles_ns for one in presses)])
            return evidence.from_ns <= until_ns and evidence.to_ns >= since_ns
        if evidence.line not in decided.lines and decided.rack is None:
            return False
        if decided.rack is not None and decided.rack.confirm == "dock":
            until_ns += DOCK_NS  # a spoon that left its dock sooner was never there
        # Its stamp may lie behind the decision, and it all the same before a press that counted; and whom the
        # round still waits for may come as late as they like.
        until_ns = max(until_ns, _latest_ns(evidence, decided) + self._settles_ns)
        if decided.lists(evidence.line):
            until_ns = max(until_ns, decided.until_ns - 1)
        return since_ns <= evidence.t_ns <= until_ns


def _weighed(again: Again, decided: Decided, inputs: Sequence[Input]) -> tuple[Verdict, bool]:
    """Judge a round again by *inputs*: return what that says, and whether its verdict stands.

    It does where whom it names is named again, and then what is known by now is kept.
    """
    verdict = again(decided, inputs)
    stands = verdict.void is None and _said(verdict) == _said(decided.verdict)
    if stands:
        decided.verdict = verdict
    return verdict, stands


def _latest_ns(edge: Edge, decided: Decided) -> int:
    """Return until when a touch stamped as *edge* is may have come before one that counted (law 4)."""
    mark = Press(0, edge.t_ns, edge.u_ns, edge.source, edge.clock_u_ns, wire_u_ns=edge.wire_u_ns)
    return max(
        (one.t_ns + uncertainty_ns(one, mark) for one in decided.verdict.presses), default=decided.at_ns
    )


def withdrawn(verdict: Verdict, evidence: Edge | Gap) -> Verdict:
    """Return *verdict*, which late *evidence* has brought about, as void and with the reason."""
    why = verdict.void if verdict.void is not None and isinstance(evidence, Gap) else late_text(evidence)
    return voided(verdict, why)


def _said(verdict: Verdict) -> tuple[tuple[int, ...], bool, bool]:
    """Return what must not change about a verdict: whom it names, or that nobody pressed in time."""
    return verdict.named, verdict.dead_heat, verdict.nobody


def late_text(evidence: Edge | Gap) -> Text:
    """Return why a verdict does not stand."""
    if evidence.source.startswith(PAGE_SOURCE):
        return text("A tap on a page came too late and contradicts the verdict.")
    where = evidence.line if isinstance(evidence, Edge) else evidence.source
    return text("An edge of {where} came too late and contradicts the verdict.", where=where)


def _was_down(evidence: Edge | Gap, decided: Decided, since: Sequence[Input], *, stays: bool) -> bool:
    """Return whether a hand was on a nose when the round was armed: it came before, or in a loss.

    Such a release may end in chatter that was taken for a press. A touch that *stays* is still there; and of
    a nose whose first edge in the round is a release nobody knows when it was touched.
    """
    # Two things can tell of a hand that was down at the arming: a touch or loss that began before it, or a
    # release after it. A release before it can only take such a hand back, and a touch after it is a touch.
    before_ns = evidence.t_ns if isinstance(evidence, Edge) else evidence.from_ns
    freed = isinstance(evidence, Edge) and evidence.level == rest_level(evidence.line)
    if freed != (before_ns >= decided.armed.from_ns):
        return freed and _was_away(evidence, decided)
    if stays and not freed and isinstance(evidence, Edge) and decided.counts(evidence.line):
        return True
    firsts: dict[str, Edge] = {}
    for edge in (*since, evidence):
        if isinstance(edge, Edge) and edge.t_ns >= decided.armed.from_ns and _may_be_of(evidence, edge):
            former = firsts.get(edge.line)
            firsts[edge.line] = edge if former is None or edge.t_ns < former.t_ns else former
    return any(first.level == 0 and decided.counts(line) for line, first in firsts.items())


def _was_away(evidence: Edge | Gap, decided: Decided) -> bool:
    """Return whether a line that the round found away from rest had come back before: it hid a change."""
    return isinstance(evidence, Edge) and any(
        isinstance(one, Levels)
        and one.t_ns <= decided.armed.from_ns
        and one.levels.get(evidence.line, evidence.level) != evidence.level
        and (evidence.line not in decided.lines or decided.counts(evidence.line))
        for one in decided.inputs
    )


def _may_be_of(evidence: Edge | Gap, edge: Edge) -> bool:
    if isinstance(evidence, Edge):
        return edge.line == evidence.line
    return edge.source == evidence.source if evidence.lines is None else edge.line in evidence.lines
