"""Says when the next round can be armed, and who or what holds it up.

A contact that is let go may chatter, and a hand that lets go may fall back on it: what follows a release
within `SETTLE_NS` belongs to the round before. 150 ms are many times what contacts chatter (leaves and
springs settle in 20 ms), more than a hand takes to bounce off, and less than anybody takes to see that a
round has begun and press on purpose: about 200 ms for the quickest. So nobody loses a press by it. The same
holds for the end of a loss, in which a hand may have let go, and for a contact that met and parted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lastnose.companion.core.model import NO_RULES, Armed, ArmingBlocked, FirstRules, Rack
from lastnose.companion.timing.rack.round import cradles
from lastnose.companion.timing.settings import ArmRequest
from lastnose.companion.timing.streams import FOREVER, NEVER

SETTLE_NS = 150_000_000


class _Needed(NamedTuple):
    """Who is to be armed, those whose noses must be free, spoons that must be in the rack, lines of both."""

    seats: tuple[int, ...]
    noses: tuple[int, ...]
    spoons: tuple[str, ...]
    lines: frozenset[str]


class Arming:
    """Knows which lines are away from rest, and arms by itself or when told. Times are stream time.

    By itself: from `ready_ns` on, when all watched noses have been free, and all spoons in use in the rack,
    for `rearm_ns`. When told: when they have been for SETTLE_NS. Neither while edges may be lost.
    """

    def __init__(self, rearm_ns: int | None) -> None:
        self.seats: tuple[int, ...] = ()
        self.rack: Rack | None = None
        self.rules = NO_RULES
        self.ready_ns: int | None = None
        self.until_ns: int | None = None  # no arming by itself after this: the tape has ended
        self.down: set[str] = set()
        self._busy: set[str] = set()  # down, or noisy
        self._freed_ns: dict[str, int] = {}
        self._lines: Mapping[int, str] = {}
        self.rearm_ns = rearm_ns  # None: it arms only when told
        self.request: ArmRequest | None = None  # by which it arms, as soon as it can
        self._told: tuple[tuple[int, ...], tuple[str, ...]] = (), ()
        self._news = True  # what blocks may be other than what was told
        self._needed: _Needed | None = None  # as follows from what is asked, once somebody wants to know
        self._lost_until_ns = NEVER  # nobody knows what was pressed before

    def bind(self, line_of: Mapping[int, str]) -> None:
        """Take another map of seats to lines; what is down stays down, and nobody is watched."""
        self._lines = line_of
        self.watch(())

    def watch(self, seats: tuple[int, ...], rack: Rack | None = None, rules: FirstRules = NO_RULES) -> None:
        """Watch these seats, and the spoons of *rack*, from the next arming on."""
        self.seats, self.rack, self.rules = seats, rack, rules
        self.ask(self.request if seats else None)

    def ask(self, request: ArmRequest | None) -> None:
        """Take (or forget) a request to arm."""
        self.request, self._needed = request, None
        self._news = True

    def decided(self, at_ns: int) -> None:
        """Note that a round was decided."""
        self.ready_ns = at_ns + (self.rearm_ns or 0)
        self._told, self._news = ((), ()), True

    def settles(self, line: str, t_ns: int) -> bool:
        """Return whether *t_ns* is so soon after *line* was let go that it may be the end of that."""
        return t_ns < self._freed_ns.get(line, NEVER) + SETTLE_NS

    def press(self, line: str) -> None:
        """Note that a line is down."""
        self.down.add(line)
        self._busy.add(line)
        self._news = True

    def free(self, line: str, t_ns: int) -> None:
        """Note that a line is at rest since *t_ns*."""
        self.down.discard(line)
        self._busy.discard(line)
        self._freed_ns[line] = t_ns
        self._news = True
        watched = self._watched().lines
        if line in watched and watched.isdisjoint(self._busy):
            self._told = (), ()

    def noise(self, line: str) -> None:
        """Note that nobody knows whether a line is down, until it is quiet."""
        self._busy.add(line)
        self._news = True

    def lose(self, until_ns: int) -> None:
        """Note that edges may be lost until then; a source that has fallen silent is not waited for.

        A release among them may chatter after it, as one that was seen.
        """
        if until_ns < FOREVER:
            self._lost_until_ns = max(self._lost_until_ns, until_ns + SETTLE_NS)

    def stir(self, line: str, t_ns: int) -> None:
        """Note that a contact met and parted: a hand is at it, whose touch nobody may have seen."""
        self._freed_ns[line] = t_ns

    def quiet(self, line: str, level: int, t_ns: int) -> None:
        """Note a line's level as it was taken over."""
        if level:
            self.press(line)
        else:
            self.free(line, t_ns)

    def due_ns(self, seen_ns: int) -> int | None:
        """Return when there is next something to say, not before *seen_ns*; None: nothing as things stand."""
        if self.request is not None:
            at_ns, settles_ns = self.request.t_ns, SETTLE_NS
        elif not self.seats or self.rearm_ns is None or self.ready_ns is None:
            return None
        else:
            at_ns, settles_ns = self.ready_ns, max(self.rearm_ns, SETTLE_NS)
        watched = self._watched().lines
        held = not watched.isdisjoint(self._busy) and not self.rules.skips_held
        if held:
            if not self._news:
                return None
        elif not self.rules.skips_held:
            freed_ns = max((self._freed_ns.get(line, NEVER) for line in watched), default=NEVER)
            at_ns = max(at_ns, freed_ns + settles_ns)
        if self.request is not None and (self.request.again or self.request.barred is not None):
            return max(self.request.t_ns, seen_ns)
        # Who holds it up is said at once.
        at_ns = max(at_ns, seen_ns) if held else max(at_ns, seen_ns, self._lost_until_ns)
        if self.request is None and self.until_ns is not None and at_ns > self.until_ns:
            return None
        return at_ns

    def open(self, at_ns: int) -> Armed | ArmingBlocked | None:
        """Arm, or say who holds it up; None when that is told already, or when there is nothing to watch."""
        request = self.request
        self._news = False
        seats, needed, lines, _ = self._watched()
        noses = tuple(seat for seat in needed if self._lines[seat] in self._busy)
        spoons = tuple(line for line in lines if line in self._busy)
        if (noses or spoons) and not self.rules.skips_held:
            said = None if (noses, spoons) == self._told else ArmingBlocked(at_ns, noses, spoons)
            self._told = noses, spoons
            return said
        self._told = (), ()
        barred = self._barred(seats, at_ns) if request is None or request.barred is None else request.barred
        early, asked_ns = ((), None) if request is None else (request.early, request.asked_ns)
        self.ask(None)
        return Armed(at_ns, seats, self.rules, barred, early, asked_ns=asked_ns) if seats else None

    def _barred(self, seats: tuple[int, ...], at_ns: int) -> tuple[tuple[int, int], ...]:
        """Return from when on touches count of who is held, or was just now, if that blocks nothing (F22)."""
        if not self.rules.skips_held:
            return ()
        since = {
            seat: FOREVER
            if self._lines[seat] in self._busy
            else self._freed_ns.get(self._lines[seat], NEVER) + SETTLE_NS
            for seat in seats
        }
        return tuple((seat, t_ns) for seat, t_ns in since.items() if t_ns > at_ns)

    def _watched(self) -> _Needed:
        """Return what must be at rest; nobody's nose must, where the rack alone is asked."""
        if self._needed is None:
            request, rack = self.request, self.rack
            seats = self.seats if request is None or request.seats is None else request.seats
            noses = () if rack is not None and rack.confirm == "rack-only" else seats
            spoons = () if rack is None else tuple(f"spoon.{n}" for n in cradles(rack, seats))
            lines = frozenset((*(self._lines[seat] for seat in noses), *spoons))
            self._needed = _Needed(seats, noses, spoons, lines)
        return self._needed


class HostButton:
    """Tells a short press from a long one. A button that was down before anyone looked is neither."""

    def __init__(self, long_press_ns: int) -> None:
        self._long_press_ns = long_press_ns
        self.due_ns: int | None = None

    def press(self, t_ns: int) -> None:
        """Note that it went down: at `due_ns` it has been held long enough."""
        self.due_ns = t_ns + self._long_press_ns

    def release(self) -> bool:
        """Note that it came up; return whether that was a short press."""
        short = self.due_ns is not None
        self.due_ns = None
        return short
