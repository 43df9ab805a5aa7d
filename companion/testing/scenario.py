"""Scenarios in a line a press, for plain scripts and as pytest fixtures.

A scenario is a whole table on simulated noses with a clock of its own: nothing waits, every time is exact.

    >>> table = Scenario("pig", ["North", "East", "South"])
    >>> table.press("North", at_us=0)
    >>> table.press("East", at_us=246_000)
    >>> table.press("South", at_us=246_412)
    >>> result = table.judge()
    >>> result.last, result.margin_us
    (('South',), 412.0)
    >>> table.letters("South")
    'P'

What goes wrong with real wires is a call as well: `lose`, `late_us`, `second_clock`, `reboot`, `cut`. And the
noses may hang on the pins of gpiozero's own `MockFactory`, see `wire`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import inf
from typing import Any, Protocol

import msgspec
from lastnose.companion.config.plugins import load_games
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.model import Edge, Gap, Input, Levels, Verdict, Watermark, rest_level
from lastnose.companion.core.text import Text, english
from lastnose.companion.evening.commands import Amend, AnyCommand, Arm, Play, Redo, Start, Undo, Void
from lastnose.companion.games import Chance
from lastnose.companion.table.memory_store import EventStore, MemoryStore
from lastnose.companion.table.table import Table
from lastnose.companion.timing import Settings
from lastnose.companion.views.snapshot import Snapshot

SECOND_NS = 1_000_000_000
FIRST_CLOCK = "script"


class PinMaker(Protocol):
    """What a scenario uses of a gpiozero pin factory: `pin(number)`, the same one each time."""

    def pin(self, spec: int, /) -> Any:
        """Return the pin: its `function`, `pull`, `state` and `when_changed` are used."""


class Result(msgspec.Struct, frozen=True):
    """How a round ended, with players by name and times in µs. `void` is the reason in English.

    Where a game asks who was first, `first` names that, and `last` is empty.
    """

    order: tuple[str, ...]
    last: tuple[str, ...]
    margin_us: float | None
    u_us: float | None
    dead_heat: bool
    void: str | None
    first: tuple[str, ...] = ()


class Scenario:
    """A table on simulated noses; times are microseconds after the round was armed plus one second.

    `u_us` is the declared error of every stamp. Without a `chance` nothing is drawn by lot: seat 1 deals
    first, and a move says what the lot would. Further keyword arguments are options of the game.
    """

    def __init__(
        self,
        game: str = "pig",
        players: Sequence[str] = ("North", "East", "South", "West"),
        *,
        u_us: float = 1.0,
        settings: Settings | None = None,
        store: EventStore | None = None,
        chance: Chance | None = None,
        **options: object,
    ) -> None:
        load_games()
        self._u_ns = _span_ns(u_us)
        self._now_ns = SECOND_NS
        self._driven = False
        seats = range(1, len(players) + 1)
        lines = tuple(f"nose.{seat}" for seat in seats)
        spoons = (f"spoon.{cradle}" for cradle in seats[:-1])
        every = (*lines, *spoons, *(f"dock.{seat}" for seat in seats))
        # Of each contact since when it stands so; what is lost in between; what is told only then.
        self._history = {line: [(0, rest_level(line))] for line in every}
        self._lost: list[tuple[int, int, frozenset[str]]] = []
        self._due: list[tuple[int, tuple[Input, ...]]] = []
        self._clock_of = dict.fromkeys(every, FIRST_CLOCK)
        self._clock_u_ns = {FIRST_CLOCK: 0}
        self._pins: dict[str, tuple[Any, Any]] = {}  # with their handlers: a pin keeps a weak reference only
        self.table = Table(
            store or MemoryStore(),
            lines,
            settings=settings or Settings(),
            simulated=True,
            chance=chance,
            clock_ns=lambda: self._now_ns,
            wall_s=lambda: self._now_ns / SECOND_NS,
        )
        self.table.feed(self._levels(every, 0))
        self.players = tuple(players)
        self.table.execute(Start(game, self.players, options), "script")
        self._pass(SECOND_NS)
        self._begin()

    # ---- noses

    def press(self, player: str, at_us: float, *, late_us: float = 0) -> None:
        """Let *player* touch the nose, *at_us* after the start of the round, and stay there.

        *late_us*: the table is told so much later, when it has been promised already that nothing is coming.
        """
        self._drive(player, 1, at_us, late_us)

    def release(self, player: str, at_us: float, *, late_us: float = 0) -> None:
        """Let *player* go of the nose."""
        self._drive(player, 0, at_us, late_us)

    def bounce(self, player: str, at_us: float, gaps_us: Sequence[float]) -> None:
        """Let the contact of *player* open and close, each of *gaps_us* after the edge before it."""
        level = 0
        for gap_us in gaps_us:
            at_us += gap_us
            self._drive(player, level, at_us)
            level = 1 - level

    # ---- spoons

    def lift(self, cradle: int, at_us: float) -> None:
        """Let somebody take the spoon out of *cradle* (from 1)."""
        self._drive_line(f"spoon.{cradle}", 0, at_us)

    def put_back(self, cradle: int, at_us: float) -> None:
        """Let the spoon come back to its *cradle*."""
        self._drive_line(f"spoon.{cradle}", 1, at_us)

    def dock(self, player: str, at_us: float) -> None:
        """Let *player* lay a spoon into the dock at the seat; it counts once it has lain there for 1 s."""
        self._drive_line(f"dock.{self._seat(player)}", 0, at_us)

    def undock(self, player: str, at_us: float) -> None:
        """Let *player* take the spoon out of the dock again."""
        self._drive_line(f"dock.{self._seat(player)}", 1, at_us)

    # ---- pins of gpiozero

    def wire(self, factory: PinMaker, pins: Mapping[str, int]) -> None:
        """Hang noses on pins of gpiozero's mock *factory*: *pins* has the number of each player's.

        From then on `factory.pin(17).drive_low()` is a touch, and `drive_high()` lets go: at the time that
        `at` has set, whatever gpiozero's own clock says.
        """
        for player, number in pins.items():
            line, pin = self._nose(player), factory.pin(number)
            if not hasattr(pin, "drive_low"):
                raise BadInput(
                    english("A scenario takes pins of gpiozero’s MockFactory: nothing else can be moved.")
                )
            pin.function, pin.pull = "input", "up"
            self._pins[line] = pin, partial(self._changed, line)
            pin.when_changed = self._pins[line][1]

    def at(self, us: float) -> None:
        """Set the time, *us* after the start of the round, at which pins of `wire` change from now on."""
        self._at_ns = self._time_ns(us)

    def _changed(self, line: str, _ticks: object, high: object) -> None:
        self._drive_line(line, 0 if high else 1, (self._at_ns - self._start_ns) / 1_000)

    # ---- what goes wrong

    def lose(self, *players: str, from_us: float, to_us: float) -> None:
        """Let the source lose what these noses (none named: all lines) do in between, and say so at the end.

        To be called before what is lost happens. Raises BadInput when it ends before it begins.
        """
        from_ns, to_ns = self._time_ns(from_us), self._time_ns(to_us)
        if to_ns < from_ns:
            raise BadInput(english("A loss ends after it begins: give from_us before to_us."))
        noses = tuple(self._nose(player) for player in players)
        for clock in {self._clock_of[line] for line in noses or self._history}:
            lines = tuple(line for line in noses or self._history if self._clock_of[line] == clock)
            self._lost.append((from_ns, to_ns, frozenset(lines)))
            self._due.append((to_ns, (Gap(from_ns, to_ns, clock, lines), self._levels(lines, to_ns))))

    def reboot(self, at_us: float, for_us: float = 2_000_000) -> None:
        """Let what watches all lines start again, blind *for_us* long; afterwards it says how they stand."""
        self.lose(from_us=at_us, to_us=at_us + for_us)

    def cut(self, player: str, at_us: float) -> None:
        """Cut the wire to the nose of *player*: it seems let go, and nobody can see that it is cut."""
        line, t_ns = self._nose(player), self._time_ns(at_us)
        self._drive_line(line, 0, at_us)
        self._lost.append((t_ns, 2**63 - 1, frozenset({line})))

    def second_clock(self, *players: str, u_us: float) -> None:
        """Let a second box watch these noses, whose clock is known to *u_us* against the first."""
        lines = tuple(self._nose(player) for player in players)
        self._clock_u_ns["second"] = _span_ns(u_us)
        self._clock_of |= dict.fromkeys(lines, "second")
        self.table.feed(self._levels(lines, self._now_ns))

    # ---- lines

    def _drive(self, player: str, level: int, at_us: float, late_us: float = 0) -> None:
        self._drive_line(self._nose(player), level, at_us, late_us)

    def _drive_line(self, line: str, level: int, at_us: float, late_us: float = 0) -> None:
        t_ns, late_ns = self._time_ns(at_us), _span_ns(late_us)
        self._driven = True
        self._now_ns = max(self._now_ns, t_ns)
        if line not in self._history:
            raise BadInput(english("There is no line “{line}” in this scenario.", line=line))
        if self._level(line, t_ns) == level:
            return
        self._history[line].append((t_ns, level))
        if any(line in lines and from_ns <= t_ns < to_ns for from_ns, to_ns, lines in self._lost):
            return
        clock = self._clock_of[line]
        edge = Edge(t_ns, clock, line, level, self._u_ns, self._clock_u_ns[clock])
        if late_ns > 0:
            self._due.append((t_ns + late_ns, (edge,)))
        else:
            self.table.feed(edge)

    def _level(self, line: str, t_ns: int) -> int:
        return max(
            (since_ns, at, level)
            for at, (since_ns, level) in enumerate(self._history[line])
            if since_ns <= t_ns
        )[2]

    def _levels(self, lines: Sequence[str], t_ns: int) -> Levels:
        clock = self._clock_of[lines[0]]
        levels = {line: self._level(line, t_ns) for line in lines}
        return Levels(levels, t_ns, clock, self._u_ns, self._clock_u_ns[clock])

    def _nose(self, player: str) -> str:
        return f"nose.{self._seat(player)}"

    def _time_ns(self, at_us: float) -> int:
        if at_us < 0:
            raise BadInput(
                english("Times count from the start of the round: {us} µs is before it.", us=at_us)
            )
        return self._start_ns + _span_ns(at_us)

    def _seat(self, player: str) -> int:
        try:
            return self.players.index(player) + 1
        except ValueError:
            raise BadInput(
                english(
                    "There is no player “{player}” in this scenario: {players}.",
                    player=player,
                    players=", ".join(self.players),
                )
            ) from None

    # ---- time

    def _begin(self) -> None:
        self._start_ns = self._at_ns = self._now_ns

    def _pass(self, ns: int) -> None:
        self._driven = False
        self._now_ns += ns
        due = sorted((one for one in self._due if one[0] <= self._now_ns), key=lambda one: one[0])
        self._due = [one for one in self._due if one[0] > self._now_ns]
        for t_ns, inputs in due:
            self._promise(t_ns)
            for item in inputs:
                self.table.feed(item)
        self._promise(self._now_ns)
        self.table.publish()

    def _promise(self, t_ns: int) -> None:
        for clock in self._clock_u_ns:
            self.table.feed(Watermark(t_ns, clock))

    def wait(self, seconds: float) -> None:
        """Let time pass in which nobody touches anything."""
        self._pass(round(seconds * SECOND_NS))

    def judge(self) -> Result:
        """Let the round come to its verdict, then everybody let go and the table arm itself again.

        Spoons are put back into the rack. Raises BadInput when nobody can be named yet: two or more seats
        have not pressed, or nobody has where the first is asked, or no round is armed.
        """
        before = self.table.queries.last_judged()
        self._pass(2 * SECOND_NS)
        seq = self.table.queries.last_judged()
        if seq == before:
            raise BadInput(self._undecided())
        self._at_ns = self._now_ns
        for pin, _ in self._pins.values():
            pin.drive_high()
        for line in self._history:
            self._drive_line(line, rest_level(line), (self._now_ns - self._start_ns) / 1_000)
        self._pass((self.table.rounds.settings.rearm_ns or 0) + SECOND_NS)
        self._begin()
        return self.result(seq)

    def _undecided(self) -> Text:
        watched = self.table.rounds.armed
        if watched is None:
            return english("No round is armed, so no press counts: call arm() first.")
        if watched.question == "first":
            return english("The round is not decided: nobody has pressed.")
        return english("The round is not decided: two or more noses have not been pressed.")

    # ---- what people do

    def play(self, move: str, player: str) -> None:
        """Make a move of the game that names a player: `table.play("talked", "South")`."""
        self._execute(Play({"type": move, "seat": self._seat(player)}))

    def move(self, **move: object) -> None:
        """Make any move of the game: `table.move(type="name-card", card="QS")`."""
        self._execute(Play(move))

    def arm(self) -> None:
        """Arm the next round now."""
        self._execute(Arm())

    def void(self, reason: str = "") -> None:
        """Take the round in progress, or the last one, out of the count. Noses stay as they are."""
        self._execute(Void(reason))

    def undo(self) -> None:
        """Take back what was entered last."""
        self._execute(Undo())

    def redo(self) -> None:
        """Put back what was taken back last."""
        self._execute(Redo())

    def amend(self, move: dict[str, Any]) -> None:
        """Correct the last round (see `companion.evening.commands.Amend`)."""
        self._execute(Amend(self.table.queries.last_judged(), move))

    def _execute(self, command: AnyCommand) -> None:
        if self._driven:  # what was pressed before it has happened before it
            self._pass(SECOND_NS)
        self.table.execute(command, "script")
        self._pass(SECOND_NS)
        self._begin()

    # ---- what there is to see

    @property
    def snapshot(self) -> Snapshot:
        """What every screen shows now."""
        return self.table.publish()

    def letters(self, player: str) -> str:
        return "".join(self.snapshot.rows[self._seat(player) - 1].letters)

    @property
    def players_in(self) -> tuple[str, ...]:
        """The players who are not out."""
        return tuple(row.player for row in self.snapshot.rows if not row.out)

    def result(self, seq: int) -> Result:
        """Return the judged round with log number *seq*, as the box judged it."""
        match = self.table.record.evening.match
        assert match is not None
        entry = next(e for e in match.entries if e.seq == seq)
        verdict = entry.verdict or Verdict()
        return Result(
            order=tuple(match.player(seat) for seat in verdict.order),
            last=tuple(match.player(seat) for seat in verdict.last),
            margin_us=None if verdict.margin_ns is None else verdict.margin_ns / 1_000,
            u_us=None if verdict.u_ns is None else verdict.u_ns / 1_000,
            dead_heat=verdict.dead_heat,
            void=None if verdict.void is None else str(verdict.void),
            first=tuple(match.player(seat) for seat in verdict.first),
        )


def _span_ns(us: float) -> int:
    """Return *us* as whole nanoseconds; raise BadInput when it is no length of time."""
    if not 0 <= us < inf:
        raise BadInput(english("A time is 0 µs or more, and not {us} µs.", us=us))
    return round(us * 1_000)
