"""What an organiser's command makes happen: checked against the hall as it stands, made an event. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random

from lastnose.companion.core.errors import BadInput, CompanionError, NotNow
from lastnose.companion.core.text import Text, english, text, texts
from lastnose.companion.evening.authors import HOST, WATCHER, signature
from lastnose.companion.evening.state import is_void
from lastnose.companion.event import commands, events, formats, roster
from lastnose.companion.event.changes import other_draws
from lastnose.companion.event.commands import AnyHallCommand
from lastnose.companion.event.events import AnyHallEvent, Arrangement
from lastnose.companion.event.formats import Stage, options_of
from lastnose.companion.event.messages import SPOILT
from lastnose.companion.event.snapshot import HallSnapshot
from lastnose.companion.event.state import HallState, apply, fold, needed
from lastnose.companion.event.table_log import HallAppeal, TableLog
from lastnose.companion.event.tally import TableOutcome, merits
from lastnose.companion.games import get_game
from msgspec.structs import replace

Tell = Callable[[Text], None]  # what is told a sentence about what was done
CHANGED = text("Something has just changed: look again, then try again.")
DECISIONS = {
    "stands": text("The verdict stands"),
    "again": text("This table’s game is played again"),
    "void": text("The deal does not count: the table’s host takes it out"),
}
LASTING = (  # what is not taken back
    events.Admitted,
    events.ClockSet,
    events.EntryTakenBack,
    events.EntryRenewed,
)


@dataclass(frozen=True)
class Order:
    """Who gives an order, when (wall time), and what it meets: state, view, tables' logs, the hall's own log.

    `random` draws, and `progress` is told how far that is; `tell` is told how reading a list went.
    `nonce`: see `events.Called`.
    """

    by: str
    at: float
    state: HallState
    view: HallSnapshot
    logs: Mapping[str, TableLog]
    own: Callable[[], Iterable[tuple[int, AnyHallEvent]]]
    random: Random
    progress: Callable[[int, int], None] | None = None
    tell: Tell | None = None
    nonce: str = ""

    def event_of(self, command: AnyHallCommand) -> AnyHallEvent:
        """Return what *command* makes happen; raise a CompanionError."""
        at, state = self.at, self.state
        match command:
            case commands.Arrange():
                return events.EventArranged(by=self.by, at=at, arrangement=checked(command.arrangement))
            case commands.AddPeople():
                read = roster.read(command.written, state.people.values())
                if not read.people:
                    raise BadInput(roster.summary(read))
                if self.tell is not None:
                    self.tell(roster.summary(read))
                return events.PeopleJoined(by=self.by, at=at, first=state.given + 1, people=read.people)
            case commands.AddPerson():
                roster.must_have_room(len(state.people) + 1)
                people = (roster.one(command.person, state.people.values()),)
                return events.PeopleJoined(by=self.by, at=at, first=state.given + 1, people=people)
            case commands.Rewrite():
                _known(state, (command.entrant,))
                others = [one for n, one in state.people.items() if n != command.entrant]
                person = roster.one(command.person, others)
                return events.Renamed(by=self.by, at=at, entrant=command.entrant, person=person)
            case commands.Leave():
                return events.Went(by=self.by, at=at, entrants=_of(state, command.entrants, there=True))
            case commands.Return():
                return events.CameBack(by=self.by, at=at, entrants=_of(state, command.entrants, there=False))
            case commands.Announce():
                return events.Announced(by=self.by, at=at, says=" ".join(command.says.split())[:240])
            case commands.CloseList():
                return events.ListClosed(by=self.by, at=at, closed=command.closed)
            case commands.TakeBack() | commands.Renew():
                return self._toggled(command)
            case commands.PutTableOut():
                table = state.table(command.number).id
                spoilt = self.view.seen_of(table).trouble in SPOILT
                return events.PutOut(by=self.by, at=at, table=table, spoilt=spoilt)
            case _:
                return self._of_a_round(command)

    def _of_a_round(self, command: AnyHallCommand) -> AnyHallEvent:
        at, state = self.at, self.state
        match command:
            case commands.Draw():
                drawn = Stage(state, self.view.outcomes, self.view.lines).draw(self.random, self.progress)
                return replace(drawn, by=self.by, at=at)
            case commands.CallRound():
                return self._called()
            case commands.Pause():
                if state.now is None:
                    raise NotNow(CHANGED)
                return events.Paused(by=self.by, at=at, stands=command.stands)
            case commands.TypeResult():
                return self._typed(command)
            case commands.Clear():
                return self._cleared(command)
            case commands.PlayAgain():
                return self._again(command)
            case commands.SeeChange():
                others = other_draws(self.view.state, self.view.outcomes, self.view.heat_lines)
                rests_on = {one.number: one.rests_on for one in others}
                if command.round not in rests_on:
                    raise NotNow(CHANGED)
                found = rests_on[command.round]
                return events.ChangeSeen(by=self.by, at=at, round=command.round, rests_on=found)
            case commands.Object():
                return self._appealed(command)
            case commands.Decide():
                return self._decided(command)
        raise BadInput(english("This is nothing that a hall can do."))

    def holds(self, later: Order) -> bool:
        """Return whether what was drawn for this order is good for *later*: the same people, rounds, list."""
        old, new = self.state, later.state
        return old is new or (
            (old.arrangement, old.people, old.there, old.rounds)
            == (new.arrangement, new.people, new.there, new.rounds)
            and self.view.lines == later.view.lines
        )

    def amended(self, made: AnyHallEvent, earlier: Order) -> AnyHallEvent:
        """Return what was drawn for an *earlier* order for who has come or gone since; raise NotNow.

        Who puts themselves on the list while a large draw is *made* takes a chair, and not the draw away.
        """
        old, state = earlier.state, self.state
        if (old.arrangement, old.rounds) != (state.arrangement, state.rounds):
            raise NotNow(CHANGED)
        then = replace(state, rounds=apply(old, old.seq + 1, made).rounds)
        stage = Stage(then, self.view.outcomes, self.view.lines)
        if stage.next_step().kind == "call":
            return made
        if not stage.kept:
            raise NotNow(CHANGED)
        return replace(stage.draw(self.random), by=self.by, at=self.at)

    def _toggled(self, command: commands.TakeBack | commands.Renew) -> AnyHallEvent:
        state, at = self.state, self.at
        if not 1 <= command.of <= state.seq:
            raise BadInput(english("There is no entry {seq} in the log.", seq=command.of))
        back = isinstance(command, commands.TakeBack)
        if (command.of in state.back) == back:
            raise NotNow(text("Entry {seq} is that way already.", seq=command.of))
        event = dict(self.own())[command.of]
        if isinstance(event, LASTING):
            raise NotNow(english("Entry {seq} cannot be taken back.", seq=command.of))
        made = (events.EntryTakenBack if back else events.EntryRenewed)(by=self.by, at=at, of=command.of)
        after = fold([*self.own(), (state.seq + 1, made)])
        _must_leave_rounds(state, after)
        roster.must_differ(after.people.values(), state.people.values())
        return made

    def _called(self) -> events.Called:
        state, view = self.state, self.view
        drawn = next(iter(state.ahead), None)
        if view.step.kind in ("wait", "over"):
            raise NotNow(view.step.says)
        if drawn is None or view.step.kind != "call":
            raise NotNow(CHANGED)
        numbers = state.numbers()
        there = [n for n in numbers if state.table(n).id in view.there]
        chosen = sorted((there + [n for n in numbers if n not in there])[: len(drawn.seats)])
        if len(chosen) < len(drawn.seats):
            raise NotNow(
                texts(
                    "{n} table is to play, and {have} are in the hall: let more in, or arrange fewer.",
                    "{n} tables are to play, and {have} are in the hall: let more in, or arrange fewer.",
                    n=len(drawn.seats),
                    have=len(numbers),
                )
            )
        return events.Called(
            by=self.by,
            at=self.at,
            round=drawn.number,
            numbers=tuple(chosen),
            game=needed(state).game,
            options=options_of(state, drawn.kind),
            nonce=self.nonce,
        )

    def _outcome(self, number: int, table: int) -> TableOutcome:
        found = self.view.outcome_of(number, table)
        if found is None:
            title = formats.title_of(self.state, number)
            raise BadInput(english("{round}: table {n} does not play.", round=title, n=table))
        return found

    def _typed(self, command: commands.TypeResult) -> events.Typed:
        found = self._outcome(command.round, command.number)
        given = [one for group in command.places for one in group]
        if command.places and not (all(command.places) and sorted(given) == sorted(found.entrants)):
            raise BadInput(text("Give everybody at table {n} one place.", n=command.number))
        return events.Typed(
            by=self.by,
            at=self.at,
            round=command.round,
            number=command.number,
            places=command.places,
            reason=_why(command.reason) if command.places else " ".join(command.reason.split())[:240],
        )

    def _cleared(self, command: commands.Clear) -> events.Cleared:
        seen = self._outcome(command.round, command.number)
        if seen.result is None or (seen.state != "doubtful" and seen.other is None):
            raise NotNow(CHANGED)
        if command.mark not in ("", seen.mark):
            raise NotNow(CHANGED)
        if seen.lacks:
            raise NotNow(text("Not everybody who was drawn has a place: it does not count."))
        if seen.unfounded:
            raise NotNow(text("Nothing of it counts before you have looked and decided."))
        known = self.state.cleared.get((command.round, command.number))
        out = {*(known.out if known is not None else ()), *((one.id, one.began) for one in seen.others)}
        return events.Cleared(
            by=self.by,
            at=self.at,
            round=command.round,
            number=command.number,
            found=merits(seen.result),
            doubts=tuple(map(str, seen.to_clear)),
            out=tuple(sorted(out)),
            call=seen.called.call if seen.called is not None else 0,
        )

    def _again(self, command: commands.PlayAgain) -> events.CalledAgain:
        found = self._outcome(command.round, command.number)
        called = self.state.rounds[command.round - 1]
        if found.state in ("waiting", "typed") or not called.ids.get(command.number):
            raise NotNow(CHANGED)
        if command.mark and (found.result is None or command.mark != found.mark):
            raise NotNow(CHANGED)
        return events.CalledAgain(
            by=self.by,
            at=self.at,
            round=command.round,
            number=command.number,
            reason=_why(command.reason),
            nonce=self.nonce,
        )

    def _appealed(self, command: commands.Object) -> events.VerdictAppealed:
        number, table = command.number, command.table
        named = {table} if table else self._were(number)
        found = {one: call for one in named if (call := self._call_of(one, command.entry))}
        if not found:
            raise BadInput(
                english(
                    "Entry {seq} of table {n} is not a verdict of this event.", seq=command.entry, n=number
                )
            )
        if len(found) > 1:
            raise BadInput(english("Two machines have been table {n}: say which by its id.", n=number))
        ((table, call),) = found.items()
        for one in self.view.state.appeals.values():
            if (one.table, one.entry) == (table, command.entry) and not one.decision:
                says = text(
                    "{other} has appealed this verdict already: “{reason}”. Decide that appeal.",
                    other=said_of_author(one.by),
                    reason=one.reason,
                )
                raise NotNow(says)
        return events.VerdictAppealed(
            by=self.by,
            at=self.at,
            table=table,
            entry=command.entry,
            reason=_why(command.reason),
            round=self.state.round_of(call),
            call=call,
            nonce=self.nonce,
        )

    def _decided(self, command: commands.Decide) -> events.AppealDecided:
        made = self.state.appeals.get(command.appeal)
        if made is None or made.decision:
            raise NotNow(CHANGED)
        if command.decision not in DECISIONS:
            raise BadInput(english("Decide “stands”, “again” or “void”."))
        game = made.round, self.view.state.number_of(made)
        if command.decision != "stands" and game in self.state.typed:
            raise NotNow(text("The result of that game was typed, and counts: take that back first."))
        if command.decision == "void" and not self._counts(made):
            raise NotNow(text("That deal does not count as it is: decide something else."))
        return events.AppealDecided(
            by=self.by,
            at=self.at,
            appeal=command.appeal,
            decision=command.decision,
            reason=_why(command.reason),
        )

    def _counts(self, appeal: HallAppeal) -> bool:
        """Return whether the verdict that *appeal* is about counts at its table, as far as that is known."""
        made = self.logs.get(appeal.table, TableLog(appeal.table)).played.values()
        found = (e for games in made for one in games for e in one.entries if e.seq == appeal.entry)
        return all(e.stands and not is_void(e) for e in found)

    def _were(self, number: int) -> set[str]:
        """Return the ids of the machines that are, or were, table *number*."""
        were = {table for one in self.view.state.called for table in one.ids.get(number, ())}
        return were | {one.id for one in self.state.tables.values() if one.inside and one.number == number}

    def _call_of(self, table: str, entry: int) -> int:
        """Return for which entry verdict *entry* of *table* was played, 0 when it is none of this event."""
        for made in self.logs.get(table, TableLog(table)).played.values():
            for one in made:
                mine = one.nonce == self.state.nonce_of(one.call)
                if mine and any(e.seq == entry and e.verdict is not None for e in one.entries):
                    return one.call if self.state.round_of(one.call) else 0
        return 0


def _why(reason: str) -> str:
    """Return a reason as it is kept; raise BadInput when none is given."""
    if not reason.strip():
        raise BadInput(text("Say why: it is read out and kept."))
    return " ".join(reason.split())[:240]


def said_of_author(by: str) -> Text | str:
    """Return who *by* is, to begin a sentence with."""
    return text("Somebody at the hall’s own machine") if by == HOST else signature(by)


def must_be_an_entry(newest: int, seen: int | None) -> None:
    """Raise BadInput when a page cannot have seen entry *seen*: *newest* is that of the hall's log."""
    if seen is not None and not 0 <= seen <= newest:
        raise BadInput(CHANGED)


def must_have_seen(newest: int, authors: Mapping[int, str], by: str, seen: int | None) -> None:
    """Raise NotNow when others have changed something after entry *seen*, the newest that *by* saw.

    *newest* is that of the hall's log, and *authors* have written it. More than that nobody sees: BadInput.
    Who puts themselves on the list is no other organiser: a hundred a minute may come.
    """
    must_be_an_entry(newest, seen)
    others = {authors.get(n, by) for n in range((newest if seen is None else seen) + 1, newest + 1)}
    others -= {by, "hall", WATCHER}
    if others:
        by = HOST if HOST in others else min(others)
        raise NotNow(
            text("{other} has just changed something: look again, then try again.", other=said_of_author(by))
        )


def checked(made: Arrangement) -> Arrangement:
    """Return *made*, tidied; raise BadInput for what cannot be played so."""
    name = " ".join(made.name.split())[:60]
    if not name:
        raise BadInput(text("Give the event a name."))
    game = get_game(made.game)
    game.read_options(made.options)
    try:
        game.read_options({**made.options, **made.final_options})
    except CompanionError as problem:
        raise BadInput(text("{what}: {says}", what=text("The final"), says=problem.text)) from problem
    low, high = game.seats
    if made.format not in formats.FORMATS:
        raise BadInput(english("There is no format “{name}”.", name=made.format))
    if not 1 <= made.rounds <= 30 or not 1 <= made.tables <= 1_000 or not 0 <= made.minutes <= 600:
        raise BadInput(
            text("A hall has 1 to 1,000 tables, 1 to 30 rounds, and a clock of at most 600 minutes.")
        )
    if not low <= made.most <= high or (made.final and not low <= made.final <= high):
        raise BadInput(
            text("{game} is played by {low} to {high} at a table.", game=game.title, low=low, high=high)
        )
    if made.final > made.most:
        raise BadInput(text("At most {most} sit at a table: not more in the final.", most=made.most))
    if made.late not in ("nothing", "mean"):
        raise BadInput(english("A missed round counts “nothing” or the “mean” of the others."))
    return replace(made, name=name)


def _must_leave_rounds(before: HallState, after: HallState) -> None:
    """Raise NotNow when a called round would get other people, names or another game than its tables have.

    And when a table would not have been in that was called.
    """
    kept = {one.seq: (one.seats, one.names, one.game) for one in before.called}
    found = {one.seq: (one.seats, one.names, one.game) for one in after.called}
    out = any(number not in one.ids for one in after.called for number in one.numbers)
    unset = after.arrangement is None and bool(after.rounds)
    if unset or out or any(kept.get(seq, one) != one for seq, one in found.items()):
        raise NotNow(text("Later entries rest on this one: take those back first."))


def _known(state: HallState, entrants: tuple[int, ...]) -> tuple[int, ...]:
    needed(state)
    if not entrants:
        raise BadInput(english("Say who: nobody was named."))
    strange = [one for one in entrants if one not in state.people]
    if strange:
        raise BadInput(english("There is no player {n} on the list.", n=strange[0]))
    return tuple(dict.fromkeys(entrants))


def _of(state: HallState, entrants: tuple[int, ...], *, there: bool) -> tuple[int, ...]:
    """Return who of *entrants* is *there*, or has left; raise NotNow when nobody is."""
    found = tuple(one for one in _known(state, entrants) if (one in state.there) == there)
    if not found:
        raise NotNow(CHANGED)
    return found
