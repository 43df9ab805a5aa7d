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
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.errors import BadInput
from companion.core.model import Verdict, rest_level
from companion.core.ports import StampWorth
from companion.core.text import text
from companion.evening.commands import Amend, AnyCommand, Arm, Play, Redo, Start, Undo, Void
from companion.games import Chance
from companion.table.memory_store import EventStore, MemoryStore
from companion.table.table import Table
from companion.timing import Settings
from companion.views.snapshot import Snapshot
from hardware.sources.mock import Mock

SECOND_NS = 1_000_000_000


class Result(msgspec.Struct, frozen=True):
    """How a round ended, with players by name and times in µs. `void` is the reason in English."""

    order: tuple[str, ...]
    last: tuple[str, ...]
    margin_us: float | None
    u_us: float | None
    dead_heat: bool
    void: str | None


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
        self._u_ns = round(u_us * 1_000)
        self._now_ns = SECOND_NS
        self._driven = False
        seats = range(1, len(players) + 1)
        lines = tuple(f"nose.{seat}" for seat in seats)
        spoons = (f"spoon.{cradle}" for cradle in seats[:-1])
        self.driver = Mock((*lines, *spoons, *(f"dock.{seat}" for seat in seats)), scripted=True)
        self.table = Table(
            store or MemoryStore(),
            lines,
            settings=settings or Settings(),
            simulated=True,
            chance=chance,
            clock_ns=lambda: self._now_ns,
            wall_s=lambda: self._now_ns / SECOND_NS,
        )
        self.driver.start(self.table.feed, lambda says: self.table.report("source", says))
        self.players = tuple(players)
        self.table.execute(Start(game, self.players, options), "script")
        self._pass(SECOND_NS)
        self._start_ns = self._now_ns

    # ---- noses

    def press(self, player: str, at_us: float) -> None:
        """Let *player* touch the nose, *at_us* after the start of the round, and stay there."""
        self._drive(player, 1, at_us)

    def release(self, player: str, at_us: float) -> None:
        """Let *player* go of the nose."""
        self._drive(player, 0, at_us)

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

    def _drive(self, player: str, level: int, at_us: float) -> None:
        self._drive_line(f"nose.{self._seat(player)}", level, at_us)

    def _drive_line(self, line: str, level: int, at_us: float) -> None:
        t_ns = self._start_ns + round(at_us * 1_000)
        self.driver.drive(line, level, t_ns, StampWorth(self._u_ns))
        self._now_ns = max(self._now_ns, t_ns)
        self._driven = True

    def _seat(self, player: str) -> int:
        try:
            return self.players.index(player) + 1
        except ValueError:
            raise BadInput(
                text(
                    "There is no player “{player}” in this scenario: {players}.",
                    player=player,
                    players=", ".join(self.players),
                )
            ) from None

    # ---- time

    def _pass(self, ns: int) -> None:
        self._driven = False
        self._now_ns += ns
        self.driver.promise(self._now_ns)
        self.table.publish()

    def wait(self, seconds: float) -> None:
        """Let time pass in which nobody touches anything."""
        self._pass(round(seconds * SECOND_NS))

    def judge(self) -> Result:
        """Let the round come to its verdict, then everybody let go and the table arm itself again.

        Spoons are put back into the rack. Raises BadInput when nobody can be last yet: two or more seats have
        not pressed.
        """
        before = self.table.queries.last_judged()
        self._pass(2 * SECOND_NS)
        seq = self.table.queries.last_judged()
        if seq == before:
            raise BadInput(text("The round is not decided: two or more noses have not been pressed."))
        for line in self.driver.lines():
            self._drive_line(line, rest_level(line), (self._now_ns - self._start_ns) / 1_000)
        self._pass((self.table.rounds.settings.rearm_ns or 0) + SECOND_NS)
        self._start_ns = self._now_ns
        return self.result(seq)

    # ---- what people do

    def play(self, move: str, player: str) -> None:
        """Make a move of the game that names a player: `table.play("talked", "South")`."""
        self._execute(Play({"type": move, "seat": self.players.index(player) + 1}))

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
        self._start_ns = self._now_ns

    # ---- what there is to see

    @property
    def snapshot(self) -> Snapshot:
        """What every screen shows now."""
        return self.table.publish()

    def letters(self, player: str) -> str:
        """Return the letters of *player*."""
        return "".join(self.snapshot.rows[self.players.index(player)].letters)

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
        )
