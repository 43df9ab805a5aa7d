"""The hall at one moment, as everything that shows it reads it. Pure."""

from __future__ import annotations

import msgspec
from lastnose.companion.core.text import Text
from lastnose.companion.hall.next_step import NextStep
from lastnose.companion.hall.servers import ServersSeen
from lastnose.companion.hall.standings import StandingLine
from lastnose.companion.hall.state import HallState
from lastnose.companion.hall.tally import TableOutcome
from lastnose.companion.hall.wire import ALL, SOME, SPOILT, Presence


class TableSeen(msgspec.Struct, frozen=True):
    """What is known of a table beside its log: its presence, and why rows are `refused`.

    `odd` is why the newest presence could not be read; the one before it holds on.
    """

    presence: Presence | None = None
    refused: str | Text = ""
    odd: Text | None = None

    @property
    def trouble(self) -> str:
        """Why nothing, or not everything, of its log is taken; "" when all is well."""
        return str(self.refused) or (self.presence.trouble if self.presence is not None else "")

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

    `games` are what each table plays now, by its number (see `games_now`), `stuck` those of the outcomes that
    get no result by themselves, `heat_lines` the standings as they are without the final. `stopped`: why this
    hub takes no orders, None while it leads the event. `there` are the tables that had lately spoken when it
    was made; another is made as soon as these are others, however quiet the hall. `archived` are tables of an
    archive that was opened, not heard since: nobody waits for those. Of those that are `overdue` something
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
