"""Verdicts that have been given, and evidence that comes after them: does it leave them as they were?

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

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec
from lastnose.companion.core.model import (
    PAGE_SOURCE,
    Armed,
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
from lastnose.companion.timing.sequencer import FOREVER

KEPT_ROUNDS = 16  # so far back late evidence is weighed


class Decided(msgspec.Struct):
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
        self._rounds: deque[Decided] = deque(maxlen=KEPT_ROUNDS)

    @property
    def trusts(self) -> bool:
        """Whether nobody reconsiders: a round is being judged again with all that is known of it."""
        return self._again is None

    def note(self, decided: Decided) -> None:
        """Remember a round; a void one says nothing that could turn out wrong."""
        if decided.verdict.void is None and (decided.verdict.named or decided.verdict.nobody):
            self._rounds.append(decided)

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
        again = (
            None if self._again is None else self._again(decided, [*decided.inputs, *fresh, *decided.late])
        )
        if again is not None and again.void is None and _said(again) == _said(decided.verdict):
            decided.verdict = again
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
        again = self._again(decided, [*decided.inputs, *decided.late])
        if again.void is not None or _said(again) != _said(decided.verdict):
            return verdict, False
        decided.verdict = again
        return again, True

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
        again = self._again(decided, [*since, evidence])
        if again.void is not None or _said(again) != _said(decided.verdict):
            return again, False
        decided.verdict = again
        if evidence not in since:
            decided.late.append(evidence)
            decided.untold.append(evidence)
        if (
            isinstance(evidence, Gap) and evidence.to_ns < FOREVER
        ):  # judged with it, it would be decided after it
            decided.at_ns = max(decided.at_ns, evidence.to_ns)
        return again, True

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
