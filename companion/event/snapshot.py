"""The hall at one moment, as everything that shows it reads it, and what in it needs the organiser. Pure.

Also which tables have lately said that they are there, and what they have written and does not come. What is
done about that ends the message server for a moment, for all tables; and what a table says may be forged. So
for one table alone it is done ever more rarely, and an organiser is told who it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from lastnose.companion.core.text import Text
from lastnose.companion.event.formats import NextStep
from lastnose.companion.event.messages import ALL, SOME, SPOILT, UNHEARD, Presence, ServersSeen
from lastnose.companion.event.standings import StandingLine
from lastnose.companion.event.state import HallState
from lastnose.companion.event.tally import TableOutcome
from lastnose.companion.views.snapshot import PhotoFinish

AWAY_S = 12.0  # a table that has said nothing for so long is not there
BEHIND_S = 10.0  # how long what a table has written may take to come
AGAIN_S = 30.0  # how long what is done about it may take to help
FREE = TableOutcome(0, 0, (), "free")  # of a table that sits out
VAIN = 3  # so often something was done for a table before it is told
RAREST = 10  # so often the pause is doubled


class Todo(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that needs the organiser: at which table, what, why, and the command that its button sends.

    `kind` is "asks" (the table `table` asks to be let in; `other` lets all in that do), "hub", "accounts" (a
    message server has yet to read who may come in), "servers" (one of several is gone), "full" (one keeps
    nothing more), "appeal", "doubtful", "unsigned", "open" (it may get no result), "twice" (two machines have
    sent one), "left" (people have left it), "changed" (a round was drawn by other results), "unknown" (a
    game was played for a call that this log does not have), "draw" (what was drawn does not fit any more),
    "slow", "away", "overdue", "idle", "version", "clock" or
    "refused"; `entry` a verdict to look at; `number` is 0 for what concerns many tables, or none. `places` is
    the result that would count, the best first. `other` is a second button, with its command.
    """

    kind: str
    number: int
    says: Text
    why: Text | None = None
    button: Text | None = None
    command: dict[str, Any] | None = None
    round: int = 0
    entry: int = 0
    appeal: int = 0
    table: str = ""
    finish: PhotoFinish | None = None
    places: str = ""
    other: Text | None = None
    other_command: dict[str, Any] | None = None


class TableSeen(msgspec.Struct, frozen=True):
    """What is known of a table beside its log: its presence, and why rows are `refused`.

    `odd` is why the newest presence could not be read; the one before it holds on.
    """

    presence: Presence = UNHEARD
    refused: str | Text = ""
    odd: Text | None = None

    @property
    def trouble(self) -> str:
        """Why nothing, or not everything, of its log is taken; "" when all is well."""
        return str(self.refused) or self.presence.trouble

    @property
    def refuses(self) -> str:
        """How much of what it sends cannot be taken: see `HallCall.refuses`."""
        return ALL if self.refused in SPOILT else SOME if self.refused or self.odd is not None else ""


class AskingTable(msgspec.Struct, frozen=True):
    """A table that asks to be let in, as its machine is called; `check` tells it from another: see `keys`."""

    id: str
    key: str
    name: str
    check: str


class HallSnapshot(msgspec.Struct, frozen=True):
    """Everything that a page of the hall shows, at one moment; `version` grows with every change.

    `games` are what each table plays now, by its number (see `tally`), `stuck` those of the outcomes that
    get no result by themselves, `heat_lines` the standings as they are without the final. `stopped`: why this
    hub takes no orders, None while it leads the event. `there` are the tables that had lately spoken when it
    was made; another is made as soon as these are others, however quiet the hall. `archived` are tables of an
    archive that was opened, not heard since: nobody waits for those, nor, when a hub has just begun, for any
    that were in before. Of those that are `overdue` something
    has long not come, whatever was done about it. `asking` are tables that wait at the door.
    """

    version: int
    event: str
    state: HallState
    outcomes: tuple[TableOutcome, ...]
    lines: tuple[StandingLine, ...]
    step: NextStep
    games: dict[int, TableOutcome]
    seen: dict[str, TableSeen]
    have: dict[str, int]
    engine: Text | None = None
    servers: ServersSeen = ServersSeen()
    stopped: Text | None = None
    there: frozenset[str] = frozenset()
    overdue: frozenset[str] = frozenset()
    heat_lines: tuple[StandingLine, ...] = ()
    stuck: tuple[TableOutcome, ...] = ()
    archived: frozenset[str] = frozenset()
    asking: tuple[AskingTable, ...] = ()

    @property
    def seq(self) -> int:
        """The newest entry of the hall's own log that it rests on."""
        return self.state.seq

    def seen_of(self, table: str) -> TableSeen:
        """Return what is known of *table* beside its log."""
        return self.seen.get(table, TableSeen())

    def outcome_of(self, round_: int, number: int) -> TableOutcome | None:
        """Return how round *round_* stands at table *number*, None where that does not play in it."""
        return next((one for one in self.outcomes if (one.round, one.number) == (round_, number)), None)

    def game_of(self, number: int) -> TableOutcome:
        """Return what table *number* plays now: see `games`."""
        return self.games.get(number, FREE)


class Attendance:
    """Knows when each table spoke last, who spoke longest ago first: only who falls silent costs anything."""

    def __init__(self) -> None:
        self._spoke_s: dict[str, float] = {}
        self._there: frozenset[str] | None = None  # None: somebody has come since it was asked

    def heard(self, table: str, now_s: float) -> None:
        """Take that *table* speaks at *now_s*, which never goes back."""
        if self._spoke_s.pop(table, None) is None:
            self._there = None
        self._spoke_s[table] = now_s

    def there(self, now_s: float) -> frozenset[str]:
        """Return who has lately spoken."""
        while self._spoke_s:
            table, spoke_s = next(iter(self._spoke_s.items()))
            if spoke_s > now_s - AWAY_S:
                break
            del self._spoke_s[table]
            self._there = None
        if self._there is None:
            self._there = frozenset(self._spoke_s)
        return self._there


class Overdue:
    """Knows which tables lack entries, since when, and how often something was done about it.

    `vain` are those for which that has not helped.
    """

    def __init__(self) -> None:
        self._since: dict[str, tuple[int, float]] = {}  # how many entries of a table are here, and since when
        self._tries: dict[str, int] = {}  # never forgotten: who forges can make it look as if it had helped
        self._tried_s = float("-inf")
        self.vain: frozenset[str] = frozenset()

    def look(self, found: Iterable[tuple[str, TableSeen, int]], now_s: float) -> bool:
        """Return whether it is time to do something; of each table there is *found*: how many are here."""
        late = [table for table, seen, have in found if self._is_late(table, seen, have, now_s)]
        self.vain = frozenset(one for one in late if self._tries.get(one, 0) >= VAIN)
        doublings = self._tries.get(late[0], 0) - 1 if len(late) == 1 else 0
        pause_s = AGAIN_S * 2 ** min(max(doublings, 0), RAREST)
        if not late or now_s < self._tried_s + pause_s:
            return False
        self._tried_s = now_s
        for table in late:
            self._tries[table] = self._tries.get(table, 0) + 1
        return True

    def forget(self) -> None:
        """Take that nothing could come until now, whoever has sent it."""
        self._since.clear()

    def _is_late(self, table: str, seen: TableSeen, have: int, now_s: float) -> bool:
        """Return whether *table* has long had more than has come, and nothing of it comes.

        One that says what its trouble is, or whose rows are refused, is not waited for.
        """
        if seen.trouble or seen.presence.n <= have:
            self._since.pop(table, None)
            return False
        had, since_s = self._since.get(table, (-1, now_s))
        if had != have:
            self._since[table] = have, now_s
            return False
        return now_s >= since_s + BEHIND_S
