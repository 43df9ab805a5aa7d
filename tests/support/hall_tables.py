"""A real table in a hall, without a message server between them."""

from __future__ import annotations

from lastnose.companion.core.model import Press
from lastnose.companion.evening.commands import AnyCommand, Finish, Play, SignOff, Start
from lastnose.companion.evening.events import ENCODER, AnyEvent
from lastnose.companion.event import commands
from lastnose.companion.event.messages import HallCall
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.membership import Membership
from lastnose.companion.table.log_file import NO_HEAD, LogRow, chained
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table

from tests.support.evenings import judged_round
from tests.support.halls import arranged, call_round, call_to, edges, let_in, take


class SendingStore(MemoryStore):
    """A store that knows its rows; `unsent` are those that nobody has asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.unsent: list[LogRow] = []
        self.all: list[LogRow] = []
        self._head = NO_HEAD

    def append(self, *found: AnyEvent) -> tuple[int, ...]:
        """Keep *found*."""
        numbers = super().append(*found)
        for n, event in zip(numbers, found, strict=True):
            raw = ENCODER.encode(event)
            self._head = chained(self._head, n, self.evening, raw)
            tag = str(event.__struct_config__.tag)
            self.all.append(LogRow(n, self.evening, tag, raw, self._head))
        self.unsent += self.all[-len(found) :]
        return numbers


class TableOfHall:
    """A table of *hall* that sends all that it does at once, unless it is `away`."""

    def __init__(self, hall: Hall, noses: int = 3) -> None:
        self.hall = hall
        self.member: Membership = let_in(hall)
        self.away = False
        self._store = SendingStore()
        lines = tuple(f"nose.{n}" for n in range(1, noses + 1))
        self._lines = lines
        self.table = Table(self._store, lines, simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)

    def do(self, *wishes: AnyCommand) -> None:
        """Do what the host wishes."""
        for wish in wishes:
            self.table.execute(wish, "host")
        self.send()

    def send(self) -> None:
        """Send what has not been sent."""
        if self.away:
            return
        sent, self._store.unsent = self._store.unsent, []
        take(self.hall, self.member, sent)

    def come_again(self) -> list[LogRow]:
        """Come in again under another id; return all that was ever done here, which is to be sent then."""
        self.member = let_in(self.hall)
        return self.sent

    def judged(self, *order: int, apart_ms: int = 100) -> int:
        """Let a round be judged that these seats touched in this *order*; return its entry."""
        presses = tuple(Press(seat, n * apart_ms * 1_000_000, 10_000, "gpio") for n, seat in enumerate(order))
        lines = self.table.record.evening.matches[-1].started.lines
        for event in judged_round(presses, edges(presses, lines), at=2):
            self.table.record.append(event)
        self.send()
        return self.table.record.evening.seq

    @property
    def sent(self) -> list[LogRow]:
        """All that was ever done here."""
        return list(self._store.all)

    @property
    def call(self) -> HallCall:
        """What the hall says to it."""
        return call_to(self.hall, self.member)

    def begin(self) -> None:
        """Begin the game that it is called for."""
        call = self.call
        assert call.call
        self.do(Start(call.game, call.players, dict(call.options), call=call.call))

    def end(self) -> int:
        """Play the game to its end, sign it off, let it count; return the entry that has ended it."""
        call = self.call
        if call.game == "chickenfoot":
            hands = [(hand, seat) for hand in range(1, 11) for seat in (1, 2, 3)]
            moves = [{"type": "score", "hand": h, "seat": s, "points": 10 * (s - 1)} for h, s in hands]
            self.do(*(Play(move) for move in moves))
        else:
            self.do(Finish())
        newest = self.table.record.evening.seq
        self.do(SignOff())
        if any(
            one.state == "doubtful" and (one.round, one.number) == (call.round, call.number)
            for one in self.hall.view.outcomes
        ):
            self.hall.do(commands.Clear(call.round, call.number), "Ann")
        return newest


def playing(hall: Hall, names: str = "Aya,Noor,Tom", **wishes: object) -> TableOfHall:
    """Set an event up for people of these names at one table, which has begun what the first round calls."""
    arranged(hall, names, tables=1, most=3, final=0, **wishes)
    table = TableOfHall(hall)
    call_round(hall)
    table.begin()
    return table
