"""Rounds on phones with the physical truth beside them: pages' own script, network, table's half and judge.

Fingers touch at times that only the truth knows. Each phone tells of a touch late, within what is declared
(`companion.core.touch`); then everything on the way goes wrong that a `Row` says. Counted is what stands in
the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random

import msgspec
from lastnose.companion.core.errors import CompanionError
from lastnose.companion.core.model import (
    Armed,
    Contested,
    Edge,
    Gap,
    Judged,
    Late,
    Levels,
    Pressed,
    Verdict,
    Watermark,
    Withdrawn,
)
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.core.text import text
from lastnose.companion.core.touch import LATENCY_U_NS, TOUCH_U_NS
from lastnose.companion.timing import FOREVER, ArmRequest, Referee, Settings
from lastnose.companion.views.snapshot import Snapshot
from lastnose.web.page_sources import Pages
from lastnose.web.taps import PageClock, Tap, Taps

from tests.support.fakes import VERDICT, rows
from tests.support.page_rig import MS, Doing, Phone, Way, World

SETTLE_NS = 1_000 * MS
GIVE_UP_NS = 5_000 * MS  # after the last touch a host ends a round that two have forgotten
LATE_NS = 40 * MS  # which all phones are about


class Row(msgspec.Struct, frozen=True):
    """What goes wrong, and for how many phones; `shared`: noses beside them that are touched on one page."""

    key: str
    label: str
    way: Way = Way()
    phones: int = 4
    shared: int = 0
    grain: float = 0.0  # of phones whose clock goes in steps of 16.67 ms
    fault: str = ""  # what happens to one of them in most rounds
    fine: bool = False  # the network is: what is void is needless


FAIR = Way(1, 25)
ROWS = (
    Row("fine", "nothing goes wrong", FAIR, fine=True),
    Row("one_page", "one page, its network fine", Way(1, 6), phones=0, shared=4, fine=True),
    Row("refused", "12 % of words refused, with any status", FAIR._replace(refused=0.12)),
    Row("grain", "60 % of clocks in steps of 16.67 ms", FAIR, grain=0.6, fine=True),
    Row("jumps", "a phone’s clock jumps", FAIR, fault="jumps"),
    Row("sleeps", "a phone sleeps, its link cut", FAIR, fault="sleeps"),
    Row("owns_up", "a shared page silent at arming, then back", FAIR, phones=2, shared=2, fault="silent"),
    Row("hidden", "a page hidden 20–100 ms after a touch", Way(5, 100), fault="hidden"),
    Row("cheat", "a cheat, mute, tells of an early touch", FAIR, phones=3, fault="cheat"),
    Row("slow_cheat", "a cheat, always slow, tells of an early touch", FAIR, phones=3, fault="cheat"),
    Row("dies", "a tab dies, another takes its seat", FAIR, fault="dies"),
    Row("thief", "a stranger speaks with a page’s id", FAIR, fault="thief", fine=True),
    Row("many_pages", "forty pages of one phone", FAIR, fault="many", fine=True),
    Row(
        "cut",
        "words cut, doubled, swallowed, stalled",
        FAIR._replace(cut=0.1, doubled=0.1, swallowed=0.05, stalls=0.02),
    ),
    Row("phones_32", "32 phones", FAIR, phones=32, fine=True),
)


class Table:
    """The judge behind the pages; keeps the `Driver` port as simulated noses do, by the world's time."""

    def __init__(self, world: World, seats: int) -> None:
        self.world = world
        self._lines = tuple(f"nose.{seat}" for seat in range(1, seats + 1))
        self._levels = dict.fromkeys(self._lines, 0)
        self._changed: dict[str, int] = {}
        self._told_ns = world.now_ns
        self._promised = {"mock": world.now_ns}
        self.clocks: dict[str, int | None] = {"mock": 5 * MS}
        self.referee = Referee({line: n for n, line in enumerate(self._lines, 1)}, Settings(rearm_ns=None))
        self.referee.watch(tuple(range(1, seats + 1)))
        self.phase = "verdict"
        self.hears: Callable[[object], None] = lambda _: None
        self._feed(Levels(dict(self._levels), world.now_ns, "mock"))

    def _feed(self, item: object) -> None:
        self.referee.take(item)  # type: ignore[arg-type]

    def tick(self) -> None:
        """Let the clocks promise that do so by themselves, and hear what the judge says."""
        for clock, delay_ns in self.clocks.items():
            if delay_ns is not None:
                self._vow(clock, self.world.now_ns - delay_ns)
        while said := self.referee.tell():
            for one in said:
                self.hears(one)

    def snapshot(self) -> Snapshot:
        """Return what the pages' half is told."""
        return msgspec.structs.replace(
            VERDICT, phase=self.phase, rows=rows(self._lines), game_no=1, watched=True
        )

    def arm(self) -> None:
        """Ask for the next round."""
        self._feed(ArmRequest(self.world.now_ns))

    def _vow(self, clock: str, t_ns: int) -> None:
        if t_ns > self._promised.get(clock, 0):
            self._promised[clock] = t_ns
            self._feed(Watermark(t_ns, clock))

    def lines(self) -> tuple[str, ...]:
        return self._lines

    def attach(self, clock: str, delay_ns: int | None) -> None:
        self.clocks[clock] = delay_ns
        self._vow(clock, self.world.now_ns - (250 * MS if delay_ns is None else delay_ns))

    def detach(self, clock: str) -> None:
        del self.clocks[clock]
        self._feed(Watermark(FOREVER, clock))

    def drive(self, line: str, level: int, t_ns: int, worth: StampWorth, *, clock: str | None = None) -> None:
        if self._levels[line] != level:
            self._levels[line], self._changed[line] = level, t_ns
            self._feed(Edge(t_ns, clock or "mock", line, level, worth.u_ns, worth.clock_u_ns))

    def vouch(self, clock: str, t_ns: int) -> None:
        self._vow(clock, t_ns)

    def lose(self, clock: str, from_ns: int, to_ns: int, lines: tuple[str, ...]) -> None:
        self._feed(Gap(from_ns, to_ns, clock, lines))

    def expect(self, lines: tuple[str, ...], clock: str | None, worth: StampWorth) -> tuple[str, ...]:
        promised_ns = min(self._promised[one] for one in self.clocks)
        at_ns = max(self._told_ns + 1, min(promised_ns, self.world.now_ns - 250 * MS))
        levels = {line: self._levels[line] for line in lines if self._changed.get(line, 0) <= at_ns}
        if levels:
            self._told_ns = at_ns
            self._feed(Levels(levels, at_ns, clock or "mock", *worth))
        return tuple(levels)

    def promise(self, t_ns: int) -> None:
        raise AssertionError("pages have no time of their own")


class Rounds:
    """*many* rounds of one *row*: `counts` what became of them, `waits_ms` is how long verdicts took.

    That is from when the last touch that it tells of was stamped, so without what a phone's panel takes.
    """

    def __init__(self, rng: Random, row: Row, many: int) -> None:
        self.row, self.rng, self._left = row, rng, many
        self.counts: Counter[str] = Counter()
        self.waits_ms: list[float] = []
        self.seats = row.phones + row.shared
        self.world = World(rng, None, lambda _: self._begin())
        self.world.again_ms = 0 if row.key in ("one_page", "fine") else 100
        self.table = Table(self.world, self.seats)
        self.table.hears = self._hear
        self.pages = Pages(self.table, lambda: self.world.now_ns, behind_ns=0)
        self.world.pages, self.world.ticks = self.pages, self.table.tick
        self.of: dict[int, Phone] = {}  # by seat
        self._truth: dict[int, dict[int, int]] = {}  # by arming: when each seat was touched
        self._verdicts: dict[int, Verdict] = {}
        self._shaken: set[int] = set()
        self._armed: Armed | None = None
        self._asked_ns = self._opened = 0
        self._stamped_ns: dict[int, int] = {}  # by seat, its newest touch
        self._touched_ns: dict[int, tuple[int, int]] = {}  # by seat, when that was stamped, and was

    # ---- the evening

    def _begin(self) -> None:
        world, rng = self.world, self.rng
        for seat in range(1, self.row.phones + 1):
            cheats = self.row.fault == "cheat" and seat == self.row.phones
            self._join(seat, None if cheats else self._phone(f"p{seat}"))
        if self.row.shared:
            page = self._phone("shared")
            for seat in range(self.row.phones + 1, self.seats + 1):
                self.of[seat] = page
            world.at(world.now_ns, lambda: world.open(page))
        world.every(20 * MS, self.table.tick)
        world.every(250 * MS, self.pages.look)
        world.end_ns = 2**62
        world.at(world.now_ns + 1500 * MS + rng.randrange(100 * MS), self._next)

    def _phone(self, name: str) -> Phone:
        grain_ms = 16.67 if self.rng.random() < self.row.grain else self.rng.choice((0.1, 1.0))
        phone = Phone(name, self.rng, self.row.way, grain_ms=grain_ms)
        phone.late_ns = LATE_NS + self.rng.randrange(-LATENCY_U_NS, LATENCY_U_NS)
        return phone

    def _join(self, seat: int, phone: Phone | None) -> None:
        if phone is None:
            self.pages.introduce(PageClock("cheat", owns=f"nose.{seat}"), "cheat")
            return self.world.every(120 * MS, self._cheat_promises)
        phone.line, self.of[seat] = f"nose.{seat}", phone
        return self.world.at(self.world.now_ns, lambda: self.world.open(phone))

    def _next(self) -> Doing | None:
        if not self._left:
            self.world.end_ns = self.world.now_ns + 4_000 * MS
            return None
        self._left -= 1
        self._asked_ns = self.world.now_ns
        self._armed = None
        self.table.arm()
        self.world.at(self.world.now_ns + 6_000 * MS, partial(self._unarmed, self._asked_ns))
        if self.row.fault in ("silent", "sleeps", "dies", "many", "thief"):
            self._fault(self.world.now_ns - 1)
        return None

    def _unarmed(self, asked_ns: int) -> None:
        if self._armed is None and asked_ns == self._asked_ns:
            self.counts["not armed"] += 1
            self._left = 0
            self._next()

    def _hear(self, said: object) -> None:
        before = self.table.phase
        if isinstance(said, Armed):
            self._armed, self.table.phase = said, "armed"
            self._play(said)
        elif isinstance(said, Pressed) and said.counts and self.table.phase == "armed":
            self.table.phase = "judging"
        elif isinstance(said, Judged):
            self._judged(said)
        elif isinstance(said, Late) and self._armed is not None:
            self._verdicts[self._armed.t_ns] = said.verdict
        elif isinstance(said, Withdrawn | Contested):
            self._shaken.add(said.of_ns)
        if before != self.table.phase:
            self.pages.follow(self.table.snapshot())
            for phone in self.world.phones.values():
                tell_ns = self.world.now_ns + self.rng.randrange(3, 30) * MS
                self.world.at(tell_ns, partial(self._told, phone, self.table.phase))

    def _told(self, phone: Phone, phase: str) -> Doing | None:
        hears = not (phone.hidden or phone.offline)
        return self.world.does(phone, "follow", phase) if hears else None

    def _judged(self, said: Judged) -> None:
        assert self._armed is not None
        self.table.phase = "verdict"
        self._verdicts[self._armed.t_ns] = said.verdict
        if said.verdict.void is None:
            done_ns = max(self._stamped_ns.get(press.seat, 0) for press in said.verdict.presses)
            self.waits_ms.append((self.world.now_ns - done_ns) / MS)
        begin_ns = max(self.world.now_ns, max(self._truth[self._armed.t_ns].values()) + 400 * MS)
        self._asked_ns = -1
        armed = self._armed
        self.world.at(begin_ns + SETTLE_NS, lambda: self._next() if self._armed is armed else None)

    # ---- a round

    def _play(self, armed: Armed) -> None:
        rng, world = self.rng, self.world
        order = list(range(1, self.seats + 1))
        rng.shuffle(order)
        t_ns = world.now_ns + rng.randrange(300, 700) * MS
        absent = rng.random() < 0.25 and self.row.fault not in ("cheat", "hidden")
        truth: dict[int, int] = {}
        for seat in order:
            t_ns += round(rng.choice((5, 60, 250)) * MS * rng.random()) + MS
            stamped_ns, touched_ns = self._touched_ns.get(seat, (0, 0))
            if stamped_ns >= armed.t_ns:  # before it was told: the round before was void at once
                truth[seat] = touched_ns
            elif absent and seat == order[-1]:
                truth[seat] = 2**60
            else:
                truth[seat] = t_ns
                self._touch(seat, t_ns)
        self._truth[armed.t_ns] = truth
        world.at(t_ns + GIVE_UP_NS, lambda: self._give_up(armed))
        if truth[order[-1]] == 2**60:
            others_ns = (at for at in truth.values() if at < 2**60)
            truth[order[-1]] = max(others_ns, default=0) + 10**10  # much later than anybody
        if self.row.fault in ("jumps", "hidden", "cheat", "dies", "sleeps"):
            self._fault(world.now_ns)

    def _touch(self, seat: int, t_ns: int) -> None:
        phone, rng, world = self.of.get(seat), self.rng, self.world
        if phone is None:
            return
        hold_ns = rng.randrange(80, 300) * MS
        u_ns = TOUCH_U_NS["touch"]
        kept_back: list[int] = []
        for level, at_ns in ((1, t_ns), (0, t_ns + hold_ns)):
            at_ns += rng.randrange(-u_ns, u_ns)
            if level:
                self._stamped_ns[seat] = at_ns + phone.late_ns
            handed_ns = rng.randrange(1, 9) * MS
            finger = partial(self._finger, phone, seat, level, at_ns, handed_ns, self._armed, kept_back)
            world.at(at_ns, finger)

    def _finger(
        self,
        phone: Phone,
        seat: int,
        level: int,
        t_ns: int,
        handed_ns: int,
        armed: Armed | None,
        kept_back: list[int],
    ) -> None:
        """Touch, or let go: what nobody sees on a dark screen nobody touches.

        A round that was void may be *armed* again at once: who meant to touch in the first keeps that back.
        """
        if level and armed is not self._armed:
            kept_back.append(seat)
        if kept_back:
            return
        if level and (phone.hidden or phone.dead) and self._armed is not None:
            self._truth[self._armed.t_ns][seat] = t_ns + 10**10
        if level and not (phone.hidden or phone.dead):
            self._touched_ns[seat] = t_ns + phone.late_ns, t_ns
        if not (phone.hidden and level):  # whoever hides a page lets go of it
            self.world.touch(phone, f"nose.{seat}", level, t_ns, handed_ns)

    def _give_up(self, armed: Armed) -> None:
        if self._armed is armed and armed.t_ns not in self._verdicts:
            ended = self.table.referee.void(text("tea"))
            if ended is not None:
                self.counts["given up"] += 1
                self._hear(ended)

    # ---- what goes wrong

    def _fault(self, now_ns: int) -> None:
        what, rng = self.row.fault, self.rng
        if rng.random() < 0.1 and what != "cheat":
            return
        seat = rng.randrange(1, self.row.phones + 1) if self.row.phones else self.seats
        getattr(self, f"_{what}")(self.of.get(seat), seat)

    def _jumps(self, phone: Phone, seat: int) -> None:
        def jump() -> None:
            unseen_ns = round((3 + 4.2 * phone.grain_ms) * MS)
            phone.jumped_ns += self.rng.choice((-1, 1, 1)) * (
                unseen_ns + round(10 ** self.rng.uniform(6, 9.7))
            )

        self.world.at(self.world.now_ns + self.rng.randrange(1500) * MS, jump)

    def _away(self, phone: Phone, at_ns: int, back_ns: int, *, cut: bool, still: bool) -> None:
        """Let a page be hidden, its network *cut*, its clock stand *still*, and be back at *back_ns*."""
        world = self.world

        def hide() -> Doing | None:
            phone.hidden = True
            return world.does(phone, "leave")

        def link(is_cut: bool) -> None:
            phone.offline = is_cut

        def show() -> Doing | None:
            phone.hidden = False
            phone.jumped_ns -= back_ns - at_ns if still else 0
            return world.does(phone, "wake")

        if cut:
            world.at(at_ns - 5 * MS, lambda: link(True))
            world.at(back_ns + self.rng.randrange(0, 900) * MS, lambda: link(False))
        world.at(at_ns, hide)
        world.at(back_ns, show)

    def _sleeps(self, phone: Phone, seat: int) -> None:
        if not (phone.hidden or phone.offline):
            at_ns = self.world.now_ns + self.rng.randrange(10, 600) * MS
            self._away(phone, at_ns, at_ns + self.rng.randrange(50, 2500) * MS, cut=True, still=True)

    def _hidden(self, phone: Phone, seat: int) -> None:
        assert self._armed is not None
        touched_ns = self._truth[self._armed.t_ns][seat]
        at_ns = touched_ns + phone.late_ns + self.rng.randrange(20, 100) * MS
        if touched_ns < 2**60:
            back_ns = at_ns + self.rng.randrange(1000, 2500) * MS
            self._away(phone, at_ns, back_ns, cut=False, still=self.rng.random() < 0.5)

    def _silent(self, phone: Phone | None, seat: int) -> None:
        page = self.of[self.seats]

        def link(is_cut: bool) -> None:
            page.offline = is_cut

        link(True)
        self.world.at(self.world.now_ns + self.rng.randrange(400, 3800) * MS, lambda: link(False))

    def _dies(self, phone: Phone, seat: int) -> None:
        """Let a tab die; its person takes the seat again on another phone, or the host frees it."""
        if phone.dead or self.of[seat] is not phone:
            return
        self._opened += 1
        another = self._phone(f"p{seat}x{self._opened}")

        def kill() -> None:
            phone.dead = True

        def take() -> None:
            if self.table.phase in ("armed", "judging"):
                return self.world.at(self.world.now_ns + 200 * MS, take)
            if self.rng.random() < 0.5:
                self.pages.forget(f"nose.{seat}")
            return self._join(seat, another)

        at_ns = self.world.now_ns + self.rng.randrange(1500) * MS
        self.world.at(at_ns, kill)
        self.world.at(at_ns + self.rng.randrange(100, 2500) * MS, take)

    def _thief(self, phone: Phone, seat: int) -> None:
        def steal() -> None:
            for n in (1, 2**39):
                tap = Tap(phone.line, 1, self.world.now_ns, no=n % 1000)
                self._say(Taps(phone.name, 0, (tap,), self.world.now_ns, upto=n % 900, n=n), "thief")

        for _ in range(4):
            self.world.at(self.world.now_ns + self.rng.randrange(1500) * MS, steal)

    def _many(self, phone: Phone, seat: int) -> None:
        for _ in range(4):
            self._opened += 1
            self._say(Taps(f"many{self._opened % 40}", 0, (), self.world.now_ns, n=self._opened), "many")

    def _cheat_promises(self) -> None:
        if self.world.now_ns > self._mute_ns:
            self._words += 1
            self._say(self._cheats_word(), "cheat")

    _mute_ns, _words, _no = 0, 0, 0

    def _cheats_word(self, *taps: Tap) -> Taps:
        """Return its next word: prompt, or as if each way there and back took 200 ms."""
        now_ns, slow = self.world.now_ns, self.row.key == "slow_cheat"
        promised_ns, echo_ns = (now_ns - 320 * MS, now_ns - 200 * MS) if slow else (now_ns - 8 * MS, 0)
        return Taps("cheat", MS, taps, promised_ns, upto=self._no, n=self._words, echo_ns=echo_ns)

    def _cheat(self, phone: Phone | None, seat: int) -> None:
        """Touch last of all, after the others have, and say that it was before them."""
        assert self._armed is not None
        seat, truth = self.row.phones, self._truth[self._armed.t_ns]
        early_ns = min(at for one, at in truth.items() if one != seat)
        truth[seat] = touched_ns = max(truth.values()) + self.rng.randrange(150, 400) * MS
        said_ns = early_ns - self.rng.randrange(20, 150) * MS
        if self.row.key == "slow_cheat":
            said_ns = max(at for one, at in truth.items() if one != seat) - self.rng.randrange(1, 100) * MS
        self._mute_ns = touched_ns + 200 * MS

        def tell() -> None:
            for level in (1, 0):
                self._no += 1
                self._words += 1
                t_ns = said_ns if level else self.world.now_ns
                tap = Tap(f"nose.{seat}", level, t_ns, no=self._no)
                self._say(self._cheats_word(tap), "cheat")

        self.world.at(touched_ns, tell)

    def _say(self, word: Taps, device: str) -> None:
        try:
            self.pages.drive(word, device)
        except CompanionError:
            self.counts["turned away"] += 1
        self.table.tick()

    # ---- what became of it

    def weigh(self) -> Counter[str]:
        """Return how many rounds there were, and what of them stands."""
        counts = self.counts
        for armed_ns, verdict in self._verdicts.items():
            truth = self._truth[armed_ns]
            last = max(truth, key=lambda seat: truth[seat])
            counts["rounds"] += 1
            if armed_ns in self._shaken:
                counts["taken back"] += 1
            elif verdict.void is not None:
                counts["void"] += "tea" not in str(verdict.void)
            elif verdict.dead_heat:
                counts["dead heat"] += 1
                counts["wrong"] += last not in verdict.last
            else:
                counts["named"] += 1
                counts["wrong"] += verdict.last != (last,)
                counts["outside"] += self._outside(verdict, truth)
        counts["open"] += len(self._truth) - len(self._verdicts)
        return counts

    def _outside(self, verdict: Verdict, truth: dict[int, int]) -> bool:
        """Return whether the margin is further from the truth than is claimed."""
        if verdict.margin_ns is None or verdict.margin_u_ns is None or len(verdict.presses) < 2:
            return False
        found = {press.seat: press.t_ns for press in verdict.presses}
        (last,) = verdict.last
        if last not in found:
            return False
        others = [seat for seat in found if seat != last]
        rivals = [seat for seat in others if found[last] - found[seat] == verdict.margin_ns]
        rivals = rivals or [seat for seat in truth if seat != last]  # one whose touch was lost, too
        return all(
            abs(truth[last] - truth[rival] - verdict.margin_ns) > verdict.margin_u_ns for rival in rivals
        )
