"""A round in which a nose must stay down: a release ends the hold, a new touch begins another (PIG-5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lastnose.companion.core.model import Press, Verdict
from lastnose.companion.core.text import Text, text
from lastnose.companion.timing.judge import in_order, uncertainty_ns
from lastnose.companion.timing.round import Round

# A contact that is let go may close again for so long; so does one hold as long before it is sure to be one.
CHATTER_NS = 20_000_000


class HoldRound(Round):
    """Decided when all but one are first held together, each timed from its present hold.

    A release and a press that could have come in either order leave open whether all were held together:
    such a round is void when that press made, or would have made, all but one. It suffices to look at that
    press: were all but one held together in truth, then every release that was stamped before the last of
    their presses truly came after it, so it lies within `w` of it; and the other way round.
    """

    def __init__(
        self,
        armed_ns: int,
        seats: tuple[int, ...],
        confirm_ns: int,
        known: Callable[[int], Press | None],
    ) -> None:
        super().__init__(armed_ns, seats, confirm_ns, known)
        self._held: dict[int, Press] = {}
        self._released: dict[int, Press] = {}  # by seat, the stamp of its last release
        self._together: tuple[int, ...] = ()  # the seats that were held together at the deciding instant
        self._ambiguous = False
        self._chattered: set[int] = set()

    def press(self, press: Press, sure_ns: int) -> bool:
        """Take a press: it begins a hold. Once all but one were together only the missing seat's counts."""
        if self.due_ns is not None:
            if press.seat in self._together or not self.times(press):
                return False
            return super().press(press, sure_ns)
        self._held[press.seat] = press
        self.opened = True
        self._unseen.pop(press.seat, None)
        self._sure[press.seat] = sure_ns
        near = {
            seat
            for seat, mark in self._released.items()
            if press.t_ns - mark.t_ns <= uncertainty_ns(mark, press) and seat != press.seat
        }
        together = {*self._held, *self._unseen}
        if len(together) >= len(self.seats) - 1:
            self._ambiguous = bool(near) or self._chatters(press.t_ns)
            self._decide(press.t_ns)
        elif len(together | near) >= len(self.seats) - 1:
            self._ambiguous = True
            self.presses = dict(self._held)
            self.due_ns = press.t_ns
        return True

    def is_done_with(self, seat: int, at_ns: int) -> bool:
        """Return that nobody is done: here releases count."""
        return False

    def release(self, mark: Press) -> None:
        """Take a release: it ends the hold, or comes too close to the deciding presses to tell."""
        if self.due_ns is not None:
            self._ambiguous |= mark.seat in self._together and any(
                mark.t_ns - press.t_ns <= uncertainty_ns(mark, press)
                for seat, press in self.presses.items()
                if seat in self._together and seat != mark.seat
            )
            return
        self._held.pop(mark.seat, None)
        self._unseen.pop(mark.seat, None)
        self._released[mark.seat] = mark

    def stir(self, seat: int, until_ns: int) -> None:
        """Learn of a short opening, too: the decision waits for whether the hand has let go with it."""
        super().stir(seat, until_ns)
        if self.due_ns is not None and seat in self._together:
            self.due_ns = max(self.due_ns, until_ns)

    def take_over(self, seat: int, level: int, since_ns: int, until_ns: int, now_ns: int) -> None:
        """Learn that a nose is down (or up) without having seen how."""
        if self.due_ns is not None:
            return
        if not level:
            self._held.pop(seat, None)
            self._unseen.pop(seat, None)
        elif seat not in self._held:
            self._unseen[seat] = max(since_ns, self.armed_ns), max(until_ns, self.armed_ns)
            if len(self._held) + len(self._unseen) >= len(self.seats) - 1:
                self._decide(now_ns)

    def void(self, why: Text) -> Verdict:
        """Return a void verdict with those who are held now, in order."""
        presses = in_order((self.presses or self._held).values())
        return Verdict(order=tuple(press.seat for press in presses), presses=presses, void=why)

    def verdict(self) -> Verdict:
        """Judge as any round, unless nobody can tell who was held together."""
        if self._ambiguous:
            return self.void(
                text(
                    "A nose was let go so close to the deciding touch that nobody can tell "
                    "whether all were held together."
                )
            )
        return super().verdict()

    def _chatters(self, now_ns: int) -> bool:
        """Return whether a hold that counts may be the chatter of a contact that was let go just before."""
        return any(
            press.t_ns - self._released[seat].t_ns < CHATTER_NS > now_ns - press.t_ns
            for seat, press in self._held.items()
            if seat in self._released
        )

    def times(self, press: Press) -> bool:
        """Return whether *press* says when its seat came, or may be the chatter of a contact just let go.

        Surely after all others, its seat is last in either case, by a margin that is open from then on: which
        of its touches was the first, nobody can tell (law 8).
        """
        if press.seat in self._chattered:
            return False
        released = self._released.get(press.seat)
        if released is None or press.t_ns - released.t_ns >= CHATTER_NS:
            return True
        after = all(press.t_ns - one.t_ns > uncertainty_ns(one, press) for one in self.presses.values())
        if after:
            self._chattered.add(press.seat)
        self._ambiguous |= not after  # level with the others, or not come at all: no margin holds both
        return not after

    def _decide(self, now_ns: int) -> None:
        """All but one are together: keep their presses, and wait for a close press or release."""
        self._together = tuple(sorted({*self._held, *self._unseen}))
        self.presses = dict(self._held)
        held = self.presses.values()
        closest = max(
            (one.t_ns + uncertainty_ns(one, other) for one in held for other in held), default=now_ns
        )
        stirred = [until_ns for seat, until_ns in self._stirred.items() if seat in self._together]
        self.due_ns = max(now_ns, self._reach(), closest + self._confirm_ns, *stirred)

    def _set_due(self, now_ns: int) -> None:
        """Leave `due_ns` as it is: with hold a release may still come close."""

    def _doubt_that_matters(self, last: tuple[int, ...], marks: Iterable[Press]) -> Text | None:
        """Doubt any round with lost edges: a lost release could move the deciding instant."""
        return self._doubts[0].why if self._doubts else super()._doubt_that_matters(last, marks)
