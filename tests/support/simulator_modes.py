"""Evenings of other rounds: noses that must stay down, spoons confirmed by noses or docks, the rack alone.

As in `simulator` the truth comes first: what hands did, and who was last by the rules (PIG-5, SPN-6, SPN-7).
Nobody argues about when a touch began here: light hands are left to the rounds in which that decides.
"""

from __future__ import annotations

from typing import ClassVar, Literal, NamedTuple

from lastnose.companion.core.model import Rack

from tests.support.explanations import NEVER_NS, Possible, together
from tests.support.simulator import FAULTS, KINDS, MS, US, Evening, S, Sent, Touch

MODE_FAULTS = tuple(fault for fault in FAULTS if fault != "odd")
FEINT_NS, DOCKED_NS = 300 * MS, 1 * S
NOBODY = 0


class FirstEvening(Evening):
    """Rounds that ask who was first; all that can go wrong of plain touches may."""

    question = "first"


class HoldEvening(Evening):
    """Rounds in which all but one must be held together; hands feint before they stay."""

    all_faults = MODE_FAULTS

    hold = True

    def _play(self, rounds: int) -> None:
        rng, t = self.rng, 1 * S
        spacing = rng.choice([20 * US, 200 * US, 2 * MS, 15 * MS, 60 * MS, 400 * MS])
        for _ in range(rounds):
            self.sent.append(Sent(t, None))
            begin = t + rng.randint(300 * MS, 900 * MS)
            together = begin + len(self.seats) * spacing + rng.randint(300 * MS, 900 * MS)
            freed_ns = [together]
            absent = rng.choice([0, 0, *self.seats])
            stays = together
            for seat in rng.sample(self.seats, len(self.seats)):
                stays += rng.randint(0, spacing)
                feint = begin + rng.randint(0, spacing)
                while rng.random() < 0.5:
                    until_ns = feint + rng.randint(60 * MS, 200 * MS)
                    # Some let go just as the others come together.
                    if rng.random() < 0.3:
                        until_ns = max(until_ns, together + rng.randint(0, 2 * spacing))
                    if until_ns >= stays - 40 * MS and seat != absent:
                        break
                    self._touch(seat, feint, until_ns)
                    freed_ns.append(until_ns)
                    feint = until_ns + rng.randint(40 * MS, 200 * MS)
                if seat != absent and (not self.touches[seat] or self.touches[seat][-1].until_ns < stays):
                    until_ns = stays + rng.randint(300 * MS, 1500 * MS)
                    self._touch(seat, stays, until_ns)
                    freed_ns.append(until_ns)
            t = max(freed_ns) + rng.randint(50 * MS, 900 * MS)
            if "early" in self.faults:
                t = max(freed_ns) + rng.randint(-1 * MS, 3 * MS)
        self.end_ns = t + 3 * S

    def truly_last(self, armed_ns: int, until_ns: int) -> set[int]:
        """Return who was missing when all but one were first held together; nobody when that never was."""
        held: set[int] = set()
        for _, level, seat in self._moments(armed_ns, until_ns):
            (held.add if level else held.discard)(seat)
            if len(held) == len(self.seats) - 1:
                return set(self.seats) - held
        return set()

    def truly(self, armed_ns: int, until_ns: int) -> Possible | None:
        """Return how those who were held together began, and when the missing one came after that."""
        moments = self._moments(armed_ns, until_ns)
        held: dict[int, int] = {}
        for n, (t_ns, level, seat) in enumerate(moments):
            if level:
                held[seat] = t_ns
            else:
                held.pop(seat, None)
            if len(held) == len(self.seats) - 1:
                (missing,) = set(self.seats) - held.keys()
                came = [t_ns for t_ns, level, seat in moments[n:] if level and seat == missing]
                return together([{**held, missing: min(came, default=NEVER_NS)}])
        return None

    def _moments(self, armed_ns: int, until_ns: int) -> list[tuple[int, int, int]]:
        """Return when seats touched (1) and let go (0) in a round."""
        moments: list[tuple[int, int, int]] = []
        for seat in self.seats:
            bound = self.bound_ns(f"nose.{seat}")
            for touch in self.touches[seat]:
                if armed_ns - bound <= touch.at_ns < until_ns - bound:
                    moments += [(touch.at_ns, 1, seat), (touch.until_ns, 0, seat)]
        return sorted(moments)


class Deed(NamedTuple):
    """What a hand did: it took the spoon of a cradle or laid it back, or touched for one at a seat."""

    at_ns: int
    kind: Literal["touch", "lift", "back"]
    of: int
    line: str


class RackEvening(Evening):
    """Rounds with a spoon less than players; `confirm` says how a spoon finds its player (SPN-6)."""

    all_faults = MODE_FAULTS
    kinds = KINDS[:4]  # no spoon lies on a page
    confirm: ClassVar[Literal["confirm", "dock", "rack-only"]] = "confirm"

    @property
    def rack(self) -> Rack | None:
        """All its spoons."""
        return Rack(tuple(self._cradles()), self.confirm)

    def _cradles(self) -> range:
        return range(1, len(self.seats))

    def _watched(self) -> tuple[str, ...]:
        spoons = tuple(f"spoon.{cradle}" for cradle in self._cradles())
        docks = tuple(f"dock.{seat}" for seat in self.seats) if self.confirm == "dock" else ()
        return (*self.lines, *spoons, *docks)

    def _touched(self, seat: int) -> str:
        return f"dock.{seat}" if self.confirm == "dock" else f"nose.{seat}"

    def _play(self, rounds: int) -> None:
        self.deeds: list[Deed] = []
        rng, t = self.rng, 1 * S
        spacing = rng.choice([200 * US, 2 * MS, 15 * MS, 60 * MS, 400 * MS])
        for _ in range(rounds):
            self.sent.append(Sent(t, None))
            t += rng.randint(300 * MS, 900 * MS)
            t = self._rush(t, spacing) + rng.randint(50 * MS, 900 * MS)
            if "early" in self.faults:
                t += rng.randint(-51 * MS, 3 * MS) - 50 * MS
        self.deeds.sort()
        self.end_ns = t + 3 * S

    def _rush(self, t: int, spacing: int) -> int:
        """Let hands take the spoons from *t* on; return when all is free and back in its place."""
        rng = self.rng
        if rng.random() < 0.3:  # a feint, with or without somebody else's hand in between
            back = t + rng.randint(60 * MS, 250 * MS)
            self._spoon(1, t, back)
            t = back + rng.randint(40 * MS, 100 * MS)
        busy_ns = [t]
        *quick, slow = rng.sample(self.seats, len(self.seats))
        taken: list[tuple[int, int]] = []
        for cradle, seat in zip(self._cradles(), quick, strict=True):
            t += rng.randint(0, spacing)
            taken.append((cradle, t))
            if self.confirm != "rack-only" and rng.random() < 0.97:
                busy_ns.append(self._reach(seat, t + rng.randint(0, spacing) + rng.choice([0, 30 * MS])))
        if self.confirm != "rack-only" and rng.random() < 0.7:  # who has none tries it all the same
            busy_ns.append(self._reach(slow, t + rng.randint(0, 3 * spacing)))
        free_ns = max([t + 400 * MS, *busy_ns]) + rng.randint(100 * MS, 500 * MS)
        for cradle, lifted_ns in taken:
            self._spoon(cradle, lifted_ns, free_ns)
            free_ns += rng.randint(0, 30 * MS)
        return free_ns + 50 * MS

    def _spoon(self, cradle: int, lifted_ns: int, back_ns: int) -> None:
        line = f"spoon.{cradle}"
        self._close(line, lifted_ns)  # away from rest, whatever the contact does
        self._open(line, back_ns)
        self.deeds += [Deed(lifted_ns, "lift", cradle, line), Deed(back_ns, "back", cradle, line)]

    def _reach(self, seat: int, t: int) -> int:
        """Let a hand touch for a spoon at *t*, perhaps once more; return when it has let go."""
        rng, line = self.rng, self._touched(seat)
        stays_ns = (
            rng.randint(1300 * MS, 1800 * MS) if self.confirm == "dock" else rng.randint(60 * MS, 900 * MS)
        )
        if self.confirm == "dock" and rng.random() < 0.1:
            stays_ns = rng.randint(100 * MS, 800 * MS)  # too short to count
        self._close(line, t)
        self._open(line, t + stays_ns)
        if self.confirm == "confirm":
            self.touches[seat].append(Touch(t, t + stays_ns, t))
        if stays_ns > DOCKED_NS or self.confirm == "confirm":
            self.deeds.append(Deed(t, "touch", seat, line))
        if rng.random() < 0.2:
            return self._reach(seat, t + stays_ns + rng.randint(60 * MS, 400 * MS))
        return t + stays_ns

    def truly_last(self, armed_ns: int, until_ns: int) -> set[int]:
        """Return who is left when all others have a spoon; nobody when that never was.

        Where the rack alone is watched nobody can be named: NOBODY when it was never empty.
        """
        deeds = self._deeds_of(armed_ns, until_ns)
        lying = have = 0
        without = set(self.seats)
        for n, deed in enumerate(deeds):
            if deed.kind == "lift" and not self._feint(deeds, n):
                lying += 1
            elif deed.kind == "touch" and deed.of in without and lying > have and len(without) > 1:
                have += 1
                without.discard(deed.of)
        if self.confirm == "rack-only":
            return set() if lying >= len(self._cradles()) else {NOBODY}
        return without if len(without) == 1 else set()

    def _deeds_of(self, armed_ns: int, until_ns: int) -> list[Deed]:
        return [
            deed
            for deed in self.deeds
            if armed_ns - self.bound_ns(deed.line) <= deed.at_ns < until_ns - self.bound_ns(deed.line)
        ]

    def truly(self, armed_ns: int, until_ns: int) -> Possible | None:
        """Return when each got its spoon, and when the one without touched after that; None with no last."""
        deeds = self._deeds_of(armed_ns, until_ns)
        lying, have = 0, dict[int, int]()
        for n, deed in enumerate(deeds):
            if deed.kind == "lift" and not self._feint(deeds, n):
                lying += 1
            elif deed.kind != "touch" or deed.of in have:
                continue
            elif len(have) == len(self.seats) - 1:
                return together([have | {deed.of: deed.at_ns}])
            elif lying > len(have):
                have[deed.of] = deed.at_ns
        if len(have) < len(self.seats) - 1:
            return None
        return together([{seat: have.get(seat, NEVER_NS) for seat in self.seats}])

    @staticmethod
    def _feint(deeds: list[Deed], n: int) -> bool:
        """Return whether a lift was back at once, with nothing else in between."""
        after = deeds[n + 1] if n + 1 < len(deeds) else None
        if after is None or (after.kind, after.of) != ("back", deeds[n].of):
            return False
        return after.at_ns - deeds[n].at_ns <= FEINT_NS


class DockEvening(RackEvening):
    """A spoon counts once it has lain in the seat's dock for a second."""

    confirm = "dock"


class RackOnlyEvening(RackEvening):
    """Only that the rack is empty can be told."""

    confirm = "rack-only"


MODES: dict[str, type[Evening]] = {
    "hold": HoldEvening,
    "confirm": RackEvening,
    "dock": DockEvening,
    "rack-only": RackOnlyEvening,
    "first": FirstEvening,
}
