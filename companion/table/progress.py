"""Shows the round in progress: whose noses are down, which spoons are gone, who holds the arming up.

Nothing of it is kept: what counts comes with the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core import model
from companion.core.text import Text, text
from companion.table.publisher import Publisher
from companion.table.record import EveningRecord

EARLY_NS = 4_000_000_000  # so long it is said that somebody has touched too early
AFTER_NS = 1_500_000_000  # who touches so soon after a verdict has not seen it yet, or is the last one

Progress = (
    model.ArmingBlocked
    | model.Pressed
    | model.Released
    | model.UnseenChange
    | model.Lifted
    | model.PutBack
    | model.Confirmed
    | model.Phantom
    | model.Noisy
    | model.BrokenPromise
)


class RoundProgress:
    """Tells *publisher* what the referee says between arming and verdict; players come from *record*.

    *pressed* hears of every press, with its line.
    """

    def __init__(
        self, record: EveningRecord, publisher: Publisher, pressed: Callable[[str, model.Press], None]
    ) -> None:
        self._pressed_at = pressed
        self._record = record
        self._publisher = publisher
        self._line_of: dict[int, str] = {}
        self._decided_ns: int | None = None
        self._early_ns: dict[int, int] = {}  # by seat, when it was touched while nothing counted

    def bind(self, lines: Mapping[str, int]) -> None:
        """Know whose line is which: *lines* maps them to seats."""
        self._line_of = {seat: line for line, seat in lines.items()}

    def forget(self) -> None:
        """Show nothing of the round before any more."""
        nobody: frozenset[int] = frozenset()
        self._publisher.change(opened=False, pressed=nobody, lifted=nobody, phantoms=nobody)
        self._publisher.change(blocked=(), blocked_lines=())
        self._early_ns.clear()
        self._tell_early()

    def decided(self, at_ns: int) -> None:
        """Note that a round was decided: what is touched a moment later was meant for it."""
        self._decided_ns = at_ns

    def elapse(self, now_ns: int) -> None:
        """Take back, in time, that somebody has touched too early."""
        if not self._early_ns:
            return
        down = self._publisher.live.down
        gone = [
            seat
            for seat, at_ns in self._early_ns.items()
            if now_ns > at_ns + EARLY_NS and self._line_of.get(seat) not in down
        ]
        for seat in gone:
            del self._early_ns[seat]
        if gone:
            self._tell_early()

    def _tell_early(self) -> None:
        early = frozenset(self._early_ns)
        if early != self._publisher.live.early:
            self._publisher.change(early=early)

    def show(self, said: Progress) -> None:
        """Show what the referee has said."""
        match said:
            case model.ArmingBlocked():
                self._publisher.change(blocked=said.seats, blocked_lines=said.lines)
            case model.Pressed():
                self._pressed(said)
            case model.Released():
                self._freed(said.seat)
            case model.UnseenChange():
                self._seen(said)
            case model.Lifted() | model.PutBack():
                self._spoon_moved(said)
            case model.Confirmed():
                self._counted(said.press.seat)
            case model.Phantom():
                phantoms = self._publisher.live.phantoms | {said.press.seat}
                self._publisher.change(phantoms=phantoms)
            case model.Noisy():
                says = text(
                    "{line} keeps changing: check its button and wires.", line=self._called(said.line)
                )
                self._publisher.fault("noise", says)
            case model.BrokenPromise():
                self._publisher.fault("late", self._too_late(said.line))

    def _too_late(self, line: str) -> Text:
        """Return what to say of a touch on *line* that was told of when it could not be judged any more."""
        player = self._player(line)
        if not self._publisher.live.armed:
            whose = line if player is None else player
            return text("A touch of {whose} was told of too late and does not count.", whose=whose)
        if player is None:
            return text("A touch on {line} was told of too late: the round may be void.", line=line)
        return text("{player}’s touch was told of too late: the round may be void.", player=player)

    def _called(self, line: str) -> str:
        """Return *line* with the player whose it is, if it is somebody's."""
        player = self._player(line)
        return line if player is None else f"{player} ({line})"

    def _player(self, line: str) -> str | None:
        match = self._record.evening.match
        seat = next((seat for seat, one in self._line_of.items() if one == line), None)
        return None if match is None or seat is None else match.player(seat)

    def _pressed(self, said: model.Pressed) -> None:
        seat = said.press.seat
        line = self._line_of[seat]
        self._publisher.change(down=self._publisher.live.down | {line})
        self._pressed_at(line, said.press)
        live = self._publisher.live
        if said.counts:
            self._counted(seat)
        elif live.binding is None and live.zero is None and self._too_early(said.press):
            self._early_ns[seat] = said.press.t_ns
            self._tell_early()
        live = self._publisher.live
        if live.binding is not None:
            others = {player: bound for player, bound in live.bindings.items() if bound != line}
            self._publisher.change(binding=None, bindings={**others, live.binding: line})

    def _too_early(self, press: model.Press) -> bool:
        """Return whether *press* was meant for a round that is not armed yet: people deal."""
        match = self._record.evening.match
        if match is None or match.finished or not match.game.watched or self._publisher.live.armed:
            return False
        newest = next((one.verdict for one in reversed(match.entries) if one.verdict is not None), None)
        if newest is not None and press.seat in set(newest.last) - {one.seat for one in newest.presses}:
            return False  # it completes the verdict that named this seat
        return self._decided_ns is None or press.t_ns > self._decided_ns + AFTER_NS

    def _freed(self, seat: int) -> None:
        live = self._publisher.live
        self._publisher.change(
            down=live.down - {self._line_of[seat]},
            blocked=tuple(one for one in live.blocked if one != seat),
        )

    def _seen(self, seen: model.UnseenChange) -> None:
        """Show a nose as it was found to be."""
        if not seen.level:
            self._freed(seen.seat)
            return
        self._publisher.change(down=self._publisher.live.down | {self._line_of[seen.seat]})
        if seen.counts:
            self._counted(seen.seat)

    def _counted(self, seat: int) -> None:
        live = self._publisher.live
        self._publisher.change(opened=True, pressed=live.pressed | {seat}, phantoms=live.phantoms - {seat})

    def _spoon_moved(self, said: model.Lifted | model.PutBack) -> None:
        """Show a spoon as gone or back; a round in which there was only a feint has not opened."""
        live = self._publisher.live
        if isinstance(said, model.Lifted):
            self._publisher.change(opened=True, lifted=live.lifted | {said.lift.cradle})
            return
        lifted = live.lifted - {said.cradle}
        opened = live.opened and not (said.feint and not lifted and not live.pressed)
        self._publisher.change(opened=opened, lifted=lifted)
