"""What people enter in a match: moves, corrections, undo, protests, and what voids a round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from lastnose.companion.core.decode import unread
from lastnose.companion.core.errors import BadInput, NotNow, StoreError
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.evening import commands, events, log
from lastnose.companion.evening.authors import HOST, signature
from lastnose.companion.evening.state import Evening, Match, find, protestable, running, voidable
from lastnose.companion.evening.undo import UNDER_WAY, others_sit, redoable, undoable
from lastnose.companion.games import Chance
from lastnose.companion.games.rules.checks import CHANGED
from lastnose.companion.games.rules.prompts import ChooseSeat, CorrectHand, EnterScore
from lastnose.companion.table.memory_store import EveningRecord
from lastnose.companion.table.publisher import Publisher
from lastnose.companion.table.queries import EveningQueries
from lastnose.companion.table.rounds import RoundKeeper

Entered = (
    commands.Play
    | commands.Void
    | commands.Protest
    | commands.Agree
    | commands.Undo
    | commands.Redo
    | commands.Amend
    | commands.Rename
)


class MatchEntries:
    """Checks what is entered, keeps it, and lets the rounds follow; `chance` as for the table."""

    def __init__(
        self,
        record: EveningRecord,
        queries: EveningQueries,
        publisher: Publisher,
        rounds: RoundKeeper,
        chance: Chance | None,
        clock_ns: Callable[[], int],
        wall_s: Callable[[], float],
    ) -> None:
        self._record = record
        self._queries = queries
        self._publisher = publisher
        self._rounds = rounds
        self._chance = chance
        self._clock_ns = clock_ns
        self._wall_s = wall_s

    def obey(self, command: Entered, by: str) -> None:
        """Enter what *by* asks; raise a CompanionError, and nothing has changed."""
        match command:
            case commands.Play():
                if command.seq is None or self._is_meant_now(command.move, command.seq):
                    self.play(command.move, by)
            case commands.Void():
                self.void(command, by)
            case commands.Protest():
                self.protest(command, by)
            case commands.Agree():
                self.agree(command.options, by)
            case commands.Rename():
                name = log.check_renaming(self._record.evening, command.player, command.name)
                self.append(events.NameChanged(by=by, at=self._wall_s(), was=command.player, name=name))
            case commands.Undo() | commands.Redo():
                self.toggle(command, by)
            case commands.Amend():
                move = dict(command.move)
                self._must_not_overwrite(command)
                self.append(events.Amended(by=by, at=self._wall_s(), of=command.seq, move=move))

    def _is_meant_now(self, move: dict[str, Any], seq: int) -> bool:
        """Return whether *move*, of the state *seq*, answers what is asked now: no second thumb, or host.

        On a sheet several phones write at once: raises NotNow when others sit there since, to whom a seat
        would be by now.
        """
        match = self._record.evening.match
        if match is None:
            return True
        written = {ask.move for ask in match.now.asks if isinstance(ask, EnterScore | CorrectHand)}
        if move.get("type") not in written:
            return seq >= self._newest() or (match.ended and match.now.sheet is not None)
        if seq < match.seq:
            raise NotNow(CHANGED)
        return True

    def _newest(self) -> int:
        """Return the log number of what last changed what is asked, 0 before the first.

        That is what was judged or played, taken back, put back or corrected; no late press, nor a new name.
        """
        evening = self._record.evening
        match = evening.match
        return max(match.entries[-1].seq if match is not None and match.entries else 0, evening.revised)

    def void(self, command: commands.Void, by: str) -> None:
        """Void the round under way, or take the newest one out of the count."""
        match = running(self._record.evening) if self._rounds.armed else self._record.evening.match
        why = command.reason.strip()
        says = Text("{reason}", {"reason": why}) if why else text("The table said so.")
        newest = voidable(match) if match is not None else None
        begun = self._publisher.live.opened or (newest is not None and newest.seq > (command.seq or 0))
        if command.seq is not None and begun:
            raise NotNow(CHANGED)
        if self._publisher.live.opened:
            # Somebody has touched: what is meant is this round, whatever has been judged before, and also
            # where only the touch's own source has promised so (it stirred).
            self._publisher.change(stirred=False)
            self._rounds.void(says)
            return
        if command.under_way:
            self._arm_again(says)
            return
        if newest is None:
            raise NotNow(text("There is no round that could be taken out of the count."))
        move = {"type": "void", "reason": why}
        self.append(events.Amended(by=by, at=self._wall_s(), of=newest.seq, move=move))

    def _arm_again(self, why: Text) -> None:
        """Arm the round again that is armed and that nobody has touched, if one is; cards stay in hand."""
        if self._rounds.armed is None:
            return
        live = self._publisher.live
        self._rounds.void(why)
        # A void round is dealt again, as a rule; nobody has touched in this one, so what is dealt stays
        # dealt.
        self._publisher.change(dealt=live.dealt, aside=live.aside)
        self._rounds.ask_to_arm(self._clock_ns())

    def protest(self, command: commands.Protest, by: str) -> None:
        """Judge the newest verdict again from its tape, until the next round is under way; write it down."""
        match = self._record.evening.match
        newest = protestable(match) if match is not None else None
        if newest is None or self._publisher.live.opened or command.seq not in (None, newest.seq):
            raise NotNow(text("A verdict can be protested until the next deal: this one cannot any more."))
        verdict, why = self._queries.judged_again(newest.seq), reason_of(command.reason)
        self._record.append(
            events.Protested(by=by, at=self._wall_s(), of=newest.seq, verdict=verdict, reason=why)
        )

    def play(self, move: dict[str, Any], by: str) -> None:
        """Make a move of the game; one that changes the table voids the round under way."""
        match = self._record.evening.match
        if match is None or not match.asks:
            match = running(self._record.evening)
        wish = match.game.read_move(move)
        if (stray := unread(move, wish)) is not None:
            raise BadInput(
                english("{game} does not have this move: {why}.", game=match.game.title, why=stray)
            )
        # Without chance it is a tape that plays, which says what came out.
        made = wish if self._chance is None else match.game.by_chance(match.state, wish, self._chance)
        # What chance decided goes into the log, not that chance decided: a replay must come out the same.
        if made is not wish:
            move = msgspec.to_builtins(made)
        event = events.Played(by=by, at=self._wall_s(), move=move)
        # Made before it is kept: what does not fit raises here, and neither log nor round has changed.
        after = self._record.after(event)
        if self._publisher.live.opened and not self._of_an_earlier_round(match, move, after):
            self._rounds.void(text("The table changed in the middle of the round."))
            after = self._record.after(event)  # the void stands before it now
        self._keep(after, event)

    def _must_not_overwrite(self, command: commands.Amend) -> None:
        """Raise NotNow when the round is not as it was corrected when *command* was begun."""
        if command.over is None:
            return
        _, _, entry = find(self._record.evening, command.seq)
        now = entry.held.seq if entry.held else 0
        if now == command.over:
            return
        back = {one.seq: one.by for one in self._record.evening.undone}
        by = entry.held.by if entry.held and now > command.over else back.get(command.over, HOST)
        raise NotNow(
            text(
                "{other} has changed this meanwhile: {what}. Press once more, and yours holds instead.",
                other=signature(by),
                what=self._queries.round(command.seq).headline,
            )
        )

    def append(self, event: events.AnyEvent) -> None:
        """Keep *event* of a person; the rounds follow the game, and the noses who sits there then."""
        after = self._record.after(event)
        # Noses belong to seats: as long as the circle is the same, no seat changes its nose.
        if not others_sit(self._record.evening, after):
            self._keep(after, event)
            return
        if self._publisher.live.opened:
            raise NotNow(UNDER_WAY)
        self._rounds.void(text("The table changed in the middle of the round."))
        self._record.append(event)
        self._rounds.follow_circle(self._clock_ns())

    def _keep(self, after: Evening, event: events.AnyEvent) -> None:
        """Keep *event*, which leads to *after*, and let the rounds follow the game."""
        cleared = self._rounds.armed is not None and self._rounds.make_way(after)
        if cleared:
            after = self._record.after(event)  # the end of that round stands before it now
        # Whoever takes back that a queue named the next does not want the same name once more.
        voided = isinstance(event, events.Amended) and event.move.get("type") == "void"
        back = voided or isinstance(event, events.Undone)
        try:
            self._record.keep(after, event)
        except StoreError:
            if cleared:  # the round is gone, and the game still wants one
                self._rounds.follow_move(self._clock_ns(), cleared=True)
            raise
        self._rounds.follow_move(self._clock_ns(), cleared=cleared, back=back)

    def agree(self, wanted: dict[str, Any], by: str) -> None:
        """Play the game with other options, while they may still change."""
        match = running(self._record.evening)
        options = msgspec.to_builtins(match.game.read_options({**match.started.options, **wanted}))
        if options != match.started.options:
            log.check_agreeing(self._record.evening)
            self._record.append(events.Agreed(by=by, at=self._wall_s(), options=options))

    def _of_an_earlier_round(self, match: Match, move: dict[str, Any], after: Evening) -> bool:
        """Return whether *move* is about the verdict before, and leaves the round in progress alone."""
        asked = any(
            isinstance(ask, ChooseSeat) and ask.prompt and ask.move == move["type"] for ask in match.asks
        )
        return asked and after.match is not None and self._rounds.still_asked(after.match.now.asks)

    def toggle(self, command: commands.Undo | commands.Redo, by: str) -> None:
        """Take an entry back, or put one back: the one that is named, or the newest that is theirs."""
        if isinstance(command, commands.Undo):
            of = command.seq or undoable(self._record.evening, by)
            if not of and undoable(self._record.evening):
                raise BadInput(text("Nothing here is yours to take back: the history takes back any entry."))
            if not of:
                raise NotNow(text("There is nothing to take back or to put back."))
            self.append(events.Undone(by=by, at=self._wall_s(), of=of))
            return
        of = command.seq or redoable(self._record.evening, by)
        if not of:
            raise NotNow(text("There is nothing to take back or to put back."))
        self.append(events.Redone(by=by, at=self._wall_s(), of=of))


def reason_of(said: str) -> str:
    """Return a reason as the log keeps it: one line, of no more than 200 letters."""
    return " ".join(said.split())[:200]
