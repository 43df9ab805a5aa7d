"""A real table whose noses are open pages, on a clock that is moved by hand."""

from __future__ import annotations

from collections.abc import Callable

from lastnose.companion.core.model import Edge, Gap, Levels, Verdict, Watermark
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.core.touch import TouchKind
from lastnose.companion.evening import log
from lastnose.companion.evening.commands import Start, TestZero
from lastnose.companion.evening.events import (
    RoundJudged,
    VerdictCompleted,
    VerdictContested,
    VerdictWithdrawn,
)
from lastnose.companion.link.copies import TableEdges
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table
from lastnose.companion.timing import FOREVER, ArmRequest, Settings
from lastnose.companion.views.snapshot import Snapshot
from lastnose.web.page_sources import Pages
from lastnose.web.taps import PageClock, Tap, Taps

MS = 1_000_000
BEGIN_NS = 100_000 * MS
WIRE_U_NS = 10_000


class PageTable:
    """Players with one nose each, tapped on pages; keeps the `Driver` port. `now_ns` is the host's clock.

    The first *wires* of them have wired noses, which `press` moves and no page does.
    """

    def __init__(
        self,
        players: int = 4,
        rearm_ns: int | None = None,
        *,
        wires: int = 0,
        game: str = "pig",
        may: Callable[[str], bool] = lambda device: True,
    ) -> None:
        self.now_ns = BEGIN_NS
        self._lines = tuple(f"nose.{seat}" for seat in range(1, players + 1))
        self._wires = self._lines[:wires]
        self._level = dict.fromkeys(self._lines, 0)
        self._changed_ns: dict[str, int] = {}
        self._words = 100
        self.ways_ms: dict[str, float] = {}  # of pages, there and back, as they let the host measure it
        self._told_ns = BEGIN_NS - 10 * MS
        self._promised_ns = {"mock": BEGIN_NS - 10 * MS}
        self._reached_ns = 0
        self.clocks: dict[str, int | None] = {"mock": 5 * MS}
        self.table = Table(
            MemoryStore(),
            self._lines,
            settings=Settings(rearm_ns=rearm_ns),
            simulated=True,
            sources=("mock",),
            clock_ns=lambda: self.now_ns,
            wall_s=lambda: self.now_ns / 1e9,
        )
        tell = self.table.show_phones
        self.pages = Pages(self, lambda: self.now_ns, behind_ns=0, tell=tell, wires=self._wires, may=may)
        self.table.subscribe(self.pages.follow)
        self._begin()
        names = tuple(["North", "East", "South", "West", "Ana", "Björn", "Chloé", "Дима"][:players])
        self.table.execute(Start(game, names, {}, self._lines), "host")
        self.wait(50)

    def _begin(self) -> None:
        """Say how the lines stand, and what their stamps are worth where that is known from the start."""
        at_ns = self.now_ns - 10 * MS
        worth = (8_500_000, 30 * MS, 60 * MS) if self._wires else (None,)
        self.table.feed(Levels(dict.fromkeys(self.lines(), 0), at_ns, "mock", *worth))
        if self._wires:
            self.table.feed(Levels(dict.fromkeys(self._wires, 0), at_ns, "gpio", WIRE_U_NS))

    # ---- what happens

    def press(self, seat: int, level: int, t_ns: int) -> None:
        """Let the wired nose of *seat* change at *t_ns*."""
        self.table.feed(Edge(t_ns, "gpio", f"nose.{seat}", level, WIRE_U_NS))

    def wait(self, ms: float, *promising: str) -> Snapshot:
        """Let time pass in steps of 10 ms or more; the pages *promising* say that nothing is coming."""
        end_ns = self.now_ns + round(ms * MS)
        step_ns = max(10 * MS, min(round(ms * MS / 6), 250 * MS))
        while self.now_ns < end_ns:
            self.now_ns = min(end_ns, self.now_ns + step_ns)
            for page in promising:
                self._drive(page)
            self._tick()
        return self.table.publish()

    def arm(self) -> Snapshot:
        """Ask for the next round."""
        self.table.feed(ArmRequest(self.now_ns))
        return self.table.publish()

    def armed(self, *promising: str) -> None:
        """Let time pass, ask for the next round, and let time pass: everybody can see that it is armed."""
        self.wait(300, *promising)
        self.arm()
        assert "armed" == self.wait(300, *promising).phase

    def touch(
        self, page: str, *seats: int, every_ms: float = 100, also: tuple[str, ...] = (), level: int = 1
    ) -> None:
        """Touch noses on *page*, or let them go: after each, time passes for that page and *also* those."""
        for seat in seats:
            self.send(page, (seat, level, self.now_ns))
            self.wait(every_ms, page, *also)

    def send(
        self,
        page: str,
        *taps: tuple[int, int, int],
        promised_ns: int | None = None,
        leaves: bool = False,
        clock_u_ns: int = MS,
        kind: TouchKind = "key",
    ) -> None:
        """Let *page* send taps given as (seat, level, t_ns), and promise: by default up to 8 ms ago."""
        made = tuple(Tap(f"nose.{seat}", level, t_ns, kind) for seat, level, t_ns in taps)
        try:
            self._drive(page, made, promised_ns, clock_u_ns, leaves=leaves)
        finally:
            self._tick()

    def _drive(
        self,
        page: str,
        taps: tuple[Tap, ...] = (),
        until_ns: int | None = None,
        clock_u_ns: int = MS,
        *,
        leaves: bool = False,
    ) -> None:
        self._words += 1
        until_ns = self.now_ns - 8 * MS if until_ns is None else until_ns
        echo_ns = self.now_ns - round(self.ways_ms[page] * MS) if page in self.ways_ms else 0
        word = Taps(page, clock_u_ns, taps, until_ns, leaves=leaves, n=self._words, echo_ns=echo_ns)
        self.pages.drive(word)

    def own(self, page: str, seat: int = 0, *, takes: bool = False) -> None:
        """Let *page* be the nose of *seat*, 0 for none, which somebody *takes* just now.

        Its way there and back takes 10 ms, if `ways_ms` does not say otherwise.
        """
        owns, echo_ns = f"nose.{seat}" if seat else "", self.now_ns - round(self.ways_ms.get(page, 10) * MS)
        self.pages.introduce(PageClock(page, owns=owns, takes=takes, echo_ns=echo_ns))
        self.table.publish()

    def _tick(self) -> None:
        if self._wires:
            self.table.feed(Watermark(self.now_ns - 5 * MS, "gpio"))
        for clock, delay_ns in tuple(self.clocks.items()):
            if delay_ns is not None:
                self._vow(clock, self.now_ns - delay_ns)
        self.pages.look()
        self.table.publish()

    def _stream_ns(self) -> int:
        """Return up to when all had promised, whatever has come since."""
        self._reached_ns = max(self._reached_ns, min(self._promised_ns[one] for one in self.clocks))
        return self._reached_ns

    def _vow(self, clock: str, t_ns: int) -> None:
        self._promised_ns[clock] = max(t_ns, self._promised_ns.get(clock, 0))
        self.table.feed(Watermark(t_ns, clock))

    # ---- what is to be seen

    @property
    def shown(self) -> Snapshot:
        """Return what the screens show."""
        return self.table.publish()

    @property
    def verdicts(self) -> list[Verdict]:
        """Return the verdicts as they were judged, but for rounds that were armed again."""
        judged = [
            event.verdict for _, event in self.table.record.store.events() if isinstance(event, RoundJudged)
        ]
        return [one for one in judged if "was armed before" not in str(one.void)]

    def held(self) -> set[int]:
        """Return the seats whose noses are shown as held."""
        return {row.seat for row in self.shown.rows if row.held}

    # ---- Driver

    def lines(self) -> tuple[str, ...]:
        return self._lines[len(self._wires) :]

    def attach(self, clock: str, delay_ns: int | None) -> None:
        self._stream_ns()
        self.clocks[clock] = delay_ns
        self._vow(clock, self.now_ns - (250 * MS if delay_ns is None else delay_ns))

    def detach(self, clock: str) -> None:
        del self.clocks[clock]
        self.table.feed(Watermark(FOREVER, clock))

    def drive(self, line: str, level: int, t_ns: int, worth: StampWorth, *, clock: str | None = None) -> None:
        clock = clock or "mock"
        assert clock in self.clocks
        if self._level[line] != level:
            self._level[line], self._changed_ns[line] = level, t_ns
            u_ns, clock_u_ns, wire_u_ns = worth
            self.table.feed(Edge(t_ns, clock, line, level, u_ns, clock_u_ns, wire_u_ns=wire_u_ns))

    def vouch(self, clock: str, t_ns: int) -> None:
        assert clock in self.clocks
        self._vow(clock, t_ns)

    def lose(self, clock: str, from_ns: int, to_ns: int, lines: tuple[str, ...]) -> None:
        assert clock in self.clocks
        self.table.feed(Gap(from_ns, to_ns, clock, lines))

    def expect(self, lines: tuple[str, ...], clock: str | None, worth: StampWorth) -> tuple[str, ...]:
        assert clock is None or clock in self.clocks
        at_ns = max(self._told_ns + 1, self._stream_ns())
        levels = {line: self._level[line] for line in lines if self._changed_ns.get(line, 0) <= at_ns}
        if levels:
            self._told_ns = at_ns
            self.table.feed(Levels(levels, at_ns, clock or "mock", *worth, expected=True))
        return tuple(levels)

    def promise(self, t_ns: int) -> None:
        raise AssertionError("pages have no time of their own")


# ---- a phone beside wires


def beside_wires() -> PageTable:
    """Return a table of two wires and South, whose nose is a phone."""
    table = PageTable(3, wires=2)
    table.pages.introduce(PageClock("p", owns="nose.3", phone="south"))
    table.wait(400, "p")
    return table


def final(table: PageTable) -> Verdict:
    """Return the newest verdict as it stands: completed or withdrawn, when that has happened since."""
    stands = RoundJudged | VerdictCompleted | VerdictWithdrawn | VerdictContested
    return [event.verdict for _, event in table.table.record.store.events() if isinstance(event, stands)][-1]


def contradicted(table: PageTable) -> list[int]:
    """Return the rounds whose verdicts do not follow from what the log has of their edges, as a hall asks."""
    edges, evening, odd = TableEdges(), log.fold(()), list[int]()
    for seq, event in table.table.record.store.events():
        before, evening = evening, log.apply(evening, seq, event)
        edges.take(seq, event, evening)
        odd += [of for of in (edges.contradict(seq, event, before),) if of]
    return odd


def wait(table: PageTable, ms: float, *pages: str) -> None:
    """Let time pass for phones that promise."""
    table.wait(ms, *(pages or ("p",)))


def race(table: PageTable, touches: dict[int, float], late_ms: float = 50) -> Verdict:
    """Let hands touch the noses so many ms after the same moment; South's phone tells *late_ms* late."""
    table.arm()
    assert "armed" == table.wait(400, "p").phase
    begin_ns = table.now_ns + 200 * MS
    changes = [(begin_ns + round(ms * MS), seat, 1) for seat, ms in touches.items()]
    changes += [(t_ns + 600 * MS, seat, 0) for t_ns, seat, _ in changes]
    told = [(t_ns + (round(late_ms * MS) if seat == 3 else 0), seat, level) for t_ns, seat, level in changes]
    for stamp_ns, seat, level in sorted(told):
        wait(table, max(0, stamp_ns - table.now_ns) / MS + 1)
        if seat == 3:
            table.send("p", (3, level, stamp_ns), kind="touch")
        else:
            table.press(seat, level, stamp_ns)
    wait(table, 600)
    return final(table)


def touched_together(table: PageTable, late_ms: list[float]) -> None:
    """Touch wire 2 and South's phone together, as often as there are figures of how late it tells."""
    table.table.execute(TestZero(("nose.2", "nose.3")), "host")
    for ms in late_ms:
        at_ns = table.now_ns
        table.press(2, 1, at_ns)
        wait(table, ms)
        table.send("p", (3, 1, at_ns + round(ms * MS)), kind="touch")
        wait(table, 200)
        table.press(2, 0, table.now_ns)
        table.send("p", (3, 0, table.now_ns), kind="touch")
        wait(table, 400)


# ---- a question that waits for a phone


def waiting_for_south() -> PageTable:
    """Return a quiz of three: South's phone has said nothing for 0.5 s, and North buzzed 450 ms ago.

    East buzzed 120 ms after North; both have promised ever since.
    """
    table = PageTable(3, game="quiz")
    for seat, page in enumerate(("n", "e", "s"), 1):
        table.own(page, seat)
    table.armed("n", "e", "s")
    table.wait(50, "n", "e")
    table.send("n", (1, 1, table.now_ns))
    table.wait(120, "n", "e")
    assert table.shown.duty is None, "nobody is named before 300 ms have passed"
    table.send("e", (2, 1, table.now_ns))
    table.wait(330, "n", "e")
    return table
