"""The words that all parts share: what comes from the pins, and what the judge says.

Times are integer nanoseconds on the host's CLOCK_MONOTONIC (law 1). Seats count from 1. `level` is *active*
(1) or not (0); polarity ends in `hardware/`. Noses rest open, at 0. Spoons and docks rest closed, at 1: the
level falls to 0 when a spoon is lifted (or laid into a dock).

What is kept in thousands says `gc=False`: nothing that it holds leads back to it, and looking for such
circles took a hall a quarter of its time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec
from lastnose.companion.core.text import Text

PAGE_SOURCE = "page."  # how the sources begin that are the clocks of open pages
Question = Literal["last", "first"]  # what a round asks of its presses (laws 4 and 9)


def rest_level(line: str) -> int:
    """Return the level at which *line* rests, which is also its level where nothing has said otherwise.

    >>> rest_level("nose.3"), rest_level("spoon.3"), rest_level("dock.3"), rest_level("host")
    (0, 1, 1, 0)
    """
    return 1 if line.startswith(("spoon.", "dock.")) else 0


def dock_beside(nose: str) -> str:
    """Return the line of the dock at the seat of a nose.

    >>> dock_beside("nose.3")
    'dock.3'
    """
    return f"dock.{nose.rpartition('.')[2]}"


def clock_of(source: str) -> str:
    """Return the clock that stamps a source's edges: sources with the same word before a slash share one.

    >>> clock_of("gpio"), clock_of("box/1"), clock_of("box/2")
    ('gpio', 'box', 'box')
    """
    return source.partition("/")[0]


# How much faster or slower than true time the host's clock may run: 500 ppm is the most by which the kernel
# slews CLOCK_MONOTONIC when its time is being set, and 50 ppm are those of a plain crystal, warm or cold.
RATE_ERROR_PPM = 550
# And how much more so the timeline of a source with a clock of its own, which is steered towards the host's.
TIMELINE_PPM = 700


def length_u_ns(span_ns: int, u_ns: int = 0, *, steered: bool = False) -> int:
    """Return what the length of a span may be wrong by, rounded up: its ends by *u_ns* together, and the rate
    of the clock that it was taken by over all that it may be.

    *steered*: that is a source's own clock as it was mapped to the host's, not the host's alone.

    >>> length_u_ns(0), length_u_ns(1), length_u_ns(280_000), length_u_ns(-1_000_000)
    (0, 1, 154, 550)
    >>> length_u_ns(1_000_000, steered=True), length_u_ns(999_000, 1_000)
    (1250, 1550)
    """
    ppm = RATE_ERROR_PPM + (TIMELINE_PPM if steered else 0)
    return u_ns - (-abs(span_ns + u_ns) * ppm // 1_000_000)


class Edge(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="edge", gc=False):
    """One level change of one line.

    `line` is unique at a table (`nose.3`, `spoon.2`, `host`). `source` names what stamped it, see `clock_of`.
    `u_ns` is the stamp's own error, `clock_u_ns` the error of mapping the source's clock to the host's. What
    of `u_ns` is there because pins of one source are not stamped alike says `skew_u_ns`, and what because the
    contact bounced out of the kernel's sight, `contact_u_ns`; `button_u_ns` is what buttons differ by, in
    logs of older versions: they are parts of it, for the budget. `wire_u_ns` takes the place of `clock_u_ns`
    against what has none, a wire: phones are late much alike, and a wire is not late at all.
    """

    t_ns: int
    source: str
    line: str
    level: int
    u_ns: int
    clock_u_ns: int = 0
    skew_u_ns: int = 0
    contact_u_ns: int = 0
    button_u_ns: int = 0
    wire_u_ns: int | None = None


class Levels(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="levels", gc=False):
    """The levels of lines as they are at `t_ns`: at the start and after a gap (absent: at rest).

    `u_ns`, `clock_u_ns` and `wire_u_ns` say what this source's stamps are worth (see `Edge`), `u_ns` None
    when it does not say. `late_ns`: made of an edge of `t_ns` that came too late, when the stream was there.
    `expected`: nobody has looked; they say only what the lines' next stamps are worth.
    """

    levels: dict[str, int]
    t_ns: int
    source: str
    u_ns: int | None = None
    clock_u_ns: int = 0
    wire_u_ns: int | None = None
    late_ns: int | None = None
    expected: bool = False


class Gap(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="gap", gc=False):
    """The source may have lost edges in `[from_ns, to_ns]` (law 5): of these `lines`, or of any (None).

    `late_ns`: made of an edge that came too late, when the stream was there.
    """

    from_ns: int
    to_ns: int
    source: str
    lines: tuple[str, ...] | None = None
    late_ns: int | None = None


class Watermark(msgspec.Struct, frozen=True, tag_field="type", tag="watermark", gc=False):
    """The source promises: nothing earlier than `t_ns` is still coming (law 3)."""

    t_ns: int
    source: str


Input = Edge | Levels | Gap | Watermark


class Press(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A debounced press of a seat's nose, stamped with the first edge of its train (law 2). Errors as in
    `Edge`.
    """

    seat: int
    t_ns: int
    u_ns: int
    source: str
    clock_u_ns: int = 0
    skew_u_ns: int = 0
    contact_u_ns: int = 0
    button_u_ns: int = 0
    wire_u_ns: int | None = None


class Lift(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A spoon that left its cradle, stamped with the first edge of its train (law 2). Errors as in
    `Edge`.
    """

    cradle: int
    t_ns: int
    u_ns: int
    source: str
    clock_u_ns: int = 0
    skew_u_ns: int = 0
    contact_u_ns: int = 0
    button_u_ns: int = 0
    wire_u_ns: int | None = None


def between_clocks_ns(one: Press | Lift, other: Press | Lift) -> int:
    """Return what the clock of *one* adds to `w` where *other* is stamped by another clock."""
    apart = one.wire_u_ns if other.wire_u_ns is None else None
    return one.clock_u_ns if apart is None else apart


def uncertainty_ns(a: Press | Lift, b: Press | Lift) -> int:
    """Return `w`: what the gap between two stamps may be wrong by, in nanoseconds (law 4).

    >>> a = Press(seat=1, t_ns=0, u_ns=10, source="gpio", clock_u_ns=500)
    >>> b = Press(seat=2, t_ns=0, u_ns=20, source="gpio", clock_u_ns=500)
    >>> uncertainty_ns(a, b)
    30
    >>> phone = Press(seat=2, t_ns=0, u_ns=20, source="page.a", clock_u_ns=700, wire_u_ns=900)
    >>> uncertainty_ns(a, phone), uncertainty_ns(phone, Press(3, 0, 20, "page.b", 700, wire_u_ns=900))
    (1430, 1440)
    >>> uncertainty_ns(Lift(1, 0, 100, "box/1", 700), Lift(2, 0, 900, "box/2", 700))
    1000
    """
    same = a.source == b.source or clock_of(a.source) == clock_of(b.source)
    return a.u_ns + b.u_ns + (0 if same else between_clocks_ns(a, b) + between_clocks_ns(b, a))


class Rack(msgspec.Struct, frozen=True):
    """The spoons of a round: `spoons` are the cradles in use, by number; others are ignored (SPN-1, SPN-4).

    `confirm` says how a spoon finds its player (SPN-6): by the nose ("confirm"), by the seat's dock
    ("dock"), or not at all ("rack-only": the round ends, without a last, when the rack is empty). A spoon
    back within `feint_ms` while nothing else happened was a feint (SPN-7).
    """

    spoons: tuple[int, ...]
    confirm: Literal["confirm", "dock", "rack-only"] = "confirm"
    feint_ms: int = 300


class FirstRules(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a round goes that asks who was first, beyond the law itself (F20 to F29).

    `teams`: seats that answer as one; who is in none plays alone. A team is first if nobody of another could
    have been, and which of them answers is the table's to say. `lock_ms`: a touch that was surely before the
    opening is a false start, and locks its seat, and its team, so long. `skips_held`: a nose held at the
    opening blocks nothing, it plays from 150 ms after it is let go on. `within_ms`: nobody is first who
    presses later than that (0: no end). With `shuts_out` a false start in the last
    `lock_ms` before the opening shuts out for as long as the question lasts. `guess_ms`: who presses surely
    sooner than that after the opening has guessed, and that is a false start as well (DUEL-5).
    """

    teams: tuple[tuple[int, ...], ...] = ()
    lock_ms: int = 0
    skips_held: bool = False
    within_ms: int = 0
    shuts_out: bool = False
    guess_ms: int = 0

    def sides(self, seats: Iterable[int]) -> dict[int, int]:
        """Return by seat what it plays for: a number of its team, or of its own where it plays alone.

        >>> FirstRules(teams=((1, 2), (4,))).sides((1, 2, 3, 4))
        {1: 1, 2: 1, 3: -3, 4: 2}
        """
        team_of = {seat: number for number, team in enumerate(self.teams, 1) for seat in team}
        return {seat: team_of.get(seat, -seat) for seat in seats}


NO_RULES = FirstRules()


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True, tag="verdict", tag_field="type", gc=False):
    """Who was last in a round, or first, and how sure that is (laws 4 and 9).

    `order`: seats by press time, the missing one omitted. `last`: the seat that was last; more than one in a
    dead heat; empty when void. So is `first` where that is asked, and `last` is empty then: the rival is who
    was surely second, and `order` grows until the table has ruled, or arms again. Of teams it has all the
    seats: the rival, and the margin, are of another team. `nobody`: nobody of those `asked` pressed in time.
    `early` are the false starts that were locked at the opening, and touches in such a lock: shown, not
    counted. `void`: why the round does not count.
    `presses` lists the presses that counted, in order. `unseen`: seats that are not named and are not in
    `order` either, as nobody saw when they pressed (law 5).

    The margin is an interval: all that the evidence allows (law 8). Where it has two ends, `margin_ns` is its
    middle, the difference of the two stamps unless edges are lost, and `u_ns` its half: `w` of the last two
    then, what their order may be wrong by; what the length may be wrong by says `margin_u_ns`. While the last
    seat has not been seen to press `margin_ns` is None, and `u_ns` is the `w` that its press will have; where
    a press of it may be lost the margin is `at_least_ns`. All are None when void without a pair.
    `opener_unsure` and `rival_unsure`: edges that are lost leave open who was first, or last but one.

    With a rack a press is the confirmation of a spoon, and the last one may be a touch that came too late for
    a spoon. `lifts` are the spoons taken, in order; `feints` those that were back at once and `phantoms` the
    touches without a spoon: shown, not counted (SPN-6, SPN-7). "Rack only" names nobody.
    """

    order: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    margin_ns: int | None = None
    u_ns: int | None = None
    dead_heat: bool = False
    void: Text | None = None
    presses: tuple[Press, ...] = ()
    lifts: tuple[Lift, ...] = ()
    feints: tuple[Lift, ...] = ()
    phantoms: tuple[Press, ...] = ()
    unseen: tuple[int, ...] = ()
    opener_unsure: bool = False
    at_least_ns: int | None = None
    rival_unsure: bool = False
    first: tuple[int, ...] = ()
    nobody: bool = False
    early: tuple[Press, ...] = ()
    asked: tuple[int, ...] = ()

    @property
    def named(self) -> tuple[int, ...]:
        """Who was first or last, whichever the round asked; several in a dead heat, nobody when void.

        >>> Verdict(last=(3,)).named, Verdict(first=(1, 2), dead_heat=True).named, Verdict().named
        ((3,), (1, 2), ())
        """
        return self.first or self.last

    @property
    def opener(self) -> int | None:
        """The seat that pressed first, None when nobody did, nobody can know, or the round is void.

        Nobody can when somebody's press was not seen or may have been lost before it (`opener_unsure`), or
        came within `w` of it (law 4): neither the number of a seat nor a pin decides.

        >>> presses = Press(1, 19, 10, "gpio"), Press(2, 0, 10, "gpio"), Press(3, 90, 10, "gpio")
        >>> Verdict(order=(2, 1), presses=presses).opener, Verdict(order=(2, 3), presses=presses).opener
        (None, 2)
        """
        if self.first:
            return self.first[0] if len(self.first) == 1 else None
        if not self.order or self.unseen or self.opener_unsure or self.void is not None:
            return None
        opener = self.order[0]
        first = next((press for press in self.presses if press.seat == opener), None)
        if first is None:
            return opener
        for one in self.presses:
            near = one is not first and one.seat in self.order and one.t_ns >= first.t_ns
            if near and one.t_ns - first.t_ns <= uncertainty_ns(first, one):
                return None
        return opener

    @property
    def rival(self) -> int | None:
        """The seat that was surely last but one (or second), which the margin is to; None: nobody can know.

        Nobody can when a seat's press was not seen or lost edges leave it open (`rival_unsure`), or when the
        two that come into question pressed within `w` of each other (law 4).

        >>> presses = tuple(Press(seat, t_ns, 10, "gpio") for seat, t_ns in ((1, 0), (2, 50), (3, 90)))
        >>> Verdict(order=(1, 2, 3), last=(3,), presses=presses).rival
        2
        >>> Verdict(order=(1, 2), last=(3,), presses=(presses[0], Press(2, 20, 10, "gpio"))).rival is None
        True
        """
        if self.void is not None or not self.named or self.dead_heat or self.unseen or self.rival_unsure:
            return None
        others = [press for press in self.presses if press.seat not in self.named]
        by_time = min if self.first else max
        nearest = by_time(others, key=lambda press: press.t_ns, default=None)
        if nearest is None:
            return None
        close = any(
            one is not nearest and abs(nearest.t_ns - one.t_ns) <= uncertainty_ns(nearest, one)
            for one in others
        )
        return None if close else nearest.seat

    @property
    def margin_u_ns(self) -> int | None:
        """What the length of the margin may be wrong by: `u_ns`, and the clock's rate over the margin.

        >>> Verdict(margin_ns=520_000_000, u_ns=200).margin_u_ns
        286201
        """
        if self.u_ns is None or self.margin_ns is None:
            return self.u_ns
        return length_u_ns(self.margin_ns, self.u_ns, steered=self.is_steered)

    @property
    def is_widened(self) -> bool:
        """Whether the margin is no difference of two stamps, but the middle of what lost edges leave open.

        >>> presses = tuple(Press(seat, t_ns, 10, "gpio") for seat, t_ns in ((1, 0), (2, 50), (3, 90)))
        >>> [Verdict(last=(3,), margin_ns=ns, presses=presses).is_widened for ns in (40, 90, 60, None)]
        [False, False, True, False]
        >>> Verdict(margin_ns=60, presses=presses).is_widened  # it was taken back, and names nobody
        False
        """
        if self.margin_ns is None or self.dead_heat or not self.named or not self.presses:
            return False
        end_ns = (min if self.first else max)(press.t_ns for press in self.presses)
        return all(abs(end_ns - press.t_ns) != self.margin_ns for press in self.presses)

    @property
    def is_steered(self) -> bool:
        """Whether some press was stamped by a clock of its own, so that a margin may be a span of that."""
        return any(press.clock_u_ns for press in self.presses)

    @property
    def span_ns(self) -> tuple[int, int | None] | None:
        """The least and the most that the margin may be; (…, None): there is no most. None: nothing is known.

        >>> Verdict(margin_ns=800, u_ns=600).span_ns, Verdict(at_least_ns=200).span_ns, Verdict().span_ns
        ((199, 1401), (200, None), None)
        """
        if self.margin_ns is None:
            return None if self.at_least_ns is None else (self.at_least_ns, None)
        u_ns = self.margin_u_ns or 0
        return max(0, self.margin_ns - u_ns), self.margin_ns + u_ns


# What the referee tells the table, in the order of stream time.


class Armed(msgspec.Struct, frozen=True, gc=False):
    """The round is armed at `t_ns` for `seats`.

    Where it asks who is first: by which `rules`; `barred` are seats whose touches count from a time of their
    own on only (held at the opening: FOREVER, until they are let go), `early` the false starts behind that.
    `since_ns`: the question was opened before that already, and goes on without who has answered; `opened`:
    somebody of those who are left has pressed. `asked_ns`: judged again, it was asked among these only then.
    """

    t_ns: int
    seats: tuple[int, ...]
    rules: FirstRules = NO_RULES
    barred: tuple[tuple[int, int], ...] = ()
    early: tuple[Press, ...] = ()
    since_ns: int | None = None
    opened: bool = False
    asked_ns: int | None = None

    @property
    def from_ns(self) -> int:
        """When touches began to count."""
        return self.t_ns if self.since_ns is None else self.since_ns


class ArmingBlocked(msgspec.Struct, frozen=True):
    """The round cannot be armed: noses are held (`seats`), and these spoons missing or unsteady (`lines`)."""

    t_ns: int
    seats: tuple[int, ...]
    lines: tuple[str, ...] = ()


class Pressed(msgspec.Struct, frozen=True, gc=False):
    """A nose went down. `counts`: a watched seat's press in an armed round; `opens`: the first."""

    press: Press
    counts: bool
    opens: bool


class Released(msgspec.Struct, frozen=True, gc=False):
    """A nose was let go at `t_ns`."""

    seat: int
    t_ns: int
    counts: bool


class Lifted(msgspec.Struct, frozen=True):
    """A spoon of the rack went in an armed round. `opens`: the first; it may still turn out a feint."""

    lift: Lift
    opens: bool


class PutBack(msgspec.Struct, frozen=True):
    """A spoon came back to the rack in an armed round. `feint`: its lift does not count (SPN-7)."""

    cradle: int
    t_ns: int
    feint: bool


class Confirmed(msgspec.Struct, frozen=True, gc=False):
    """A spoon has lain in a seat's dock for 1 s; the press bears the time at which it came there."""

    press: Press


class Phantom(msgspec.Struct, frozen=True):
    """Somebody confirmed a spoon that nobody had taken: shown, not counted (SPN-6)."""

    press: Press


class Judged(msgspec.Struct, frozen=True, gc=False):
    """The round is decided: the verdict and every input it rests on, in stream order (of time).

    `inputs` begins with a Levels for each source as things stood at arming; a broken promise is in it as its
    gap. Together with the Armed it is enough to judge the round again.
    """

    verdict: Verdict
    t_ns: int
    inputs: tuple[Input, ...]


class Late(msgspec.Struct, frozen=True, gc=False):
    """More is known of the round armed at `of_ns`, and whom it named it names: a press of whom was missing
    completes order and margin, or what came late has moved margin, rival, opener or order.

    `verdict` is what is known now. `inputs` are those since the Judged, or the late evidence alone.
    """

    of_ns: int
    verdict: Verdict
    inputs: tuple[Input, ...]


class Contradicted(msgspec.Struct, frozen=True):
    """Late evidence contradicts the verdict of the round armed at `of_ns`.

    `inputs` are those since the Judged or the last Late, the late evidence among them.
    """

    of_ns: int
    verdict: Verdict
    inputs: tuple[Input, ...]


class Withdrawn(Contradicted, frozen=True):
    """None has been armed since: `verdict` is what stands now, void, with the reason."""


class Contested(Contradicted, frozen=True):
    """People have played on, and decide: `verdict` is how the round is judged with that evidence."""


class UnseenChange(msgspec.Struct, frozen=True):
    """A nose is down (`level` 1) or up, but nobody saw it change. `counts`: it did so in an armed round."""

    seat: int
    level: int
    t_ns: int
    counts: bool


class Noisy(msgspec.Struct, frozen=True):
    """A line kept changing for longer than the lockout (law 2)."""

    line: str
    t_ns: int


class HostPress(msgspec.Struct, frozen=True):
    """The host button was let go after a short press, or has been held for 1 s (`long`)."""

    t_ns: int
    long: bool


class BrokenPromise(msgspec.Struct, frozen=True):
    """An edge came older than its source's watermark; it was turned into `gap` (law 3)."""

    gap: Gap
    line: str


class Passthrough(msgspec.Struct, frozen=True):
    """Anything else that was said to happen at `t_ns`, in its place in the stream (a move on a tape)."""

    t_ns: int
    what: object


RefereeEvent = (
    Armed
    | ArmingBlocked
    | Pressed
    | Released
    | Lifted
    | PutBack
    | Phantom
    | Confirmed
    | Judged
    | Late
    | Withdrawn
    | Contested
    | UnseenChange
    | Noisy
    | HostPress
    | BrokenPromise
    | Passthrough
)
