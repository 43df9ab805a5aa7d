"""What was done in the hall of late, in words, so that an organiser finds what to take back. Pure.

Also what others have changed of the very thing that an organiser had open to write it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from lastnose.companion.core.errors import NotNow
from lastnose.companion.core.text import Text, listing, text
from lastnose.companion.evening.authors import HOST, given_name
from lastnose.companion.event import commands, events
from lastnose.companion.event.commands import AnyHallCommand
from lastnose.companion.event.events import AnyHallEvent, Arrangement
from lastnose.companion.event.formats import named, said_of, title_of
from lastnose.companion.event.orders import DECISIONS, LASTING, must_be_an_entry, said_of_author
from lastnose.companion.event.state import HallState, fold
from lastnose.companion.event.table_log import HallAppeal
from lastnose.companion.games import get_game


class Done(msgspec.Struct, frozen=True):
    """Entry `seq` of the hall's log in words: when (wall time), who did it, if it was taken back."""

    seq: int
    at: float
    who: str
    says: Text
    back: bool


def newest(own: Sequence[tuple[int, AnyHallEvent]], state: HallState, most: int = 12) -> tuple[Done, ...]:
    """Return what was done last and can be taken back, or was: *most* entries of *own*, the newest first."""
    found = [(seq, event) for seq, event in own if not isinstance(event, LASTING)][-most:]
    return tuple(
        Done(seq, event.at, given_name(event.by), _says(event, state), seq in state.back)
        for seq, event in reversed(found)
    )


def _says(event: AnyHallEvent, state: HallState) -> Text:
    """Return what *event* did, in words."""
    match event:
        case events.EventArranged():
            return _line(text("The event"), event.arrangement.name)
        case events.PeopleJoined():
            return _line(text("At the door"), _who([one.name for one in event.people]))
        case events.Renamed():
            return _line(text("The list"), event.person.name)
        case events.Went():
            return _line(text("Leaves"), _who(_names(event.entrants, state)))
        case events.CameBack():
            return _line(text("Plays on"), _who(_names(event.entrants, state)))
        case events.PutOut():
            table = state.tables.get(event.table)
            return _line(text("Remove this table"), event.table if table is None else str(table.number))
        case events.Paused():
            return text("Pause") if event.stands else text("Go on")
        case events.Announced():
            return _line(text("Say on every screen"), event.says or "–")
        case events.ListClosed():
            may = text("no") if event.closed else text("yes")
            return _line(text("People may put themselves on the list"), may)
    return _says_of_round(event, state)


def _says_of_round(event: AnyHallEvent, state: HallState) -> Text:
    match event:
        case events.Drawn():
            return text("Draw: {round}", round=said_of(event.kind, event.first))
        case events.Called():
            return text("Call: {round}", round=title_of(state, event.round))
        case events.CalledAgain():
            return _of_table(event, state, DECISIONS["again"])
        case events.Typed():
            return _of_table(event, state, _of_typed(bool(event.places)))
        case events.Cleared():
            return _of_table(event, state, text("It counts"))
        case events.ChangeSeen():
            return _line(text("Seen"), title_of(state, event.round))
        case events.VerdictAppealed():
            return _line(title_of(state, event.round), text("appeal"))
        case events.AppealDecided():
            return _line(DECISIONS[event.decision], event.reason)
    raise TypeError(f"nothing is said of {type(event).__name__}")


def _names(entrants: tuple[int, ...], state: HallState) -> list[str]:
    """Return the names of *entrants*; who is not on the list any more is a number."""
    return [state.shown(one) if one in state.people else str(one) for one in entrants]


def _who(names: Sequence[str]) -> str:
    """Return one by name, more by the first and how many others."""
    first, *others = names
    return f"{first} + {len(others)}" if others else first


def _line(what: Text, says: Text | str) -> Text:
    return text("{what}: {says}", what=what, says=says)


def _of_table(
    event: events.CalledAgain | events.Typed | events.Cleared, state: HallState, says: Text
) -> Text:
    title = title_of(state, event.round)
    return text("{round}, table {n}: {what}", round=title, n=event.number, what=says)


def _of_typed(typed: bool) -> Text:
    return text("This result counts") if typed else text("What the table says counts")


def must_not_overwrite(
    command: AnyHallCommand,
    opened: int | None,
    state: HallState,
    own: Callable[[], Iterable[tuple[int, AnyHallEvent]]],
    settled: Callable[[HallState], HallState],
) -> None:
    """Raise NotNow when what *command* writes whole is not what it was at entry *opened* of the log, *own*.

    None: nothing was opened. A dialog shows what was there then, and would put it back. BadInput: there is no
    such entry. *settled* puts machines that were let in again in their old places.
    """
    must_be_an_entry(state.seq, opened)
    state = settled(state)
    if isinstance(command, commands.Decide) and (appeal := state.appeals.get(command.appeal)) is not None:
        command = commands.Object(0, appeal.entry, "", appeal.table)  # of the verdict that it decides about
    if opened is None or opened >= state.seq or _thing(command, state) is None:
        return
    entries = dict(own())
    before = settled(fold((seq, event) for seq, event in entries.items() if seq <= opened))
    said = _said(command, before, state)
    if said is None:
        return
    by = next(
        (e.by for n, e in reversed(entries.items()) if n > opened and _touches(command, e, state)),
        HOST,  # an older entry was taken back, or holds again
    )
    raise NotNow(
        text(
            "{other} has changed this meanwhile: {what}. Press once more, and yours holds instead.",
            other=said_of_author(by),
            what=said,
        )
    )


def _thing(command: AnyHallCommand, state: HallState) -> Any:
    """Return what *command* writes whole as it is in *state*, None when it writes nothing whole."""
    match command:
        case commands.Arrange():
            return state.arrangement
        case commands.Rewrite():
            return state.people.get(command.entrant)
        case commands.TypeResult():
            return state.typed.get((command.round, command.number), ())
        case commands.Object():
            about = command.table, command.entry
            made = state.appeals.values()
            return tuple(one for one in made if about == (one.table, one.entry) and one.decision)
    return None


def _touches(command: AnyHallCommand, event: AnyHallEvent, state: HallState) -> bool:
    match command, event:
        case commands.Arrange(), events.EventArranged():
            return True
        case commands.Rewrite(), events.Renamed():
            return command.entrant == event.entrant
        case commands.TypeResult(), events.Typed():
            return (command.round, command.number) == (event.round, event.number)
        case commands.Object(), events.AppealDecided():
            decided = state.appeals.get(event.appeal)
            return decided is not None and (command.table, command.entry) == (decided.table, decided.entry)
    return isinstance(event, events.EntryTakenBack | events.EntryRenewed)


def _said(command: AnyHallCommand, before: HallState, now: HallState) -> Text | str | None:
    """Return in words how what *command* writes is *now*, None when that is as it was *before*."""
    was, found = _thing(command, before), _thing(command, now)
    if was == found:
        return None
    if isinstance(found, Arrangement):
        return listing(_differences(was or Arrangement(name=""), found))
    if isinstance(command, commands.Object):
        return _said_of_decision(found)
    if isinstance(command, commands.Rewrite):
        return ", ".join(part for part in (found.name, found.club, found.family) if part)
    return _of_typed(bool(found))


def _said_of_decision(made: tuple[HallAppeal, ...]) -> Text:
    if not made:
        return text("taken back")
    newest = max(made, key=lambda one: one.decided)
    return Text("{decision} ({why})", {"decision": DECISIONS[newest.decision], "why": newest.why})


def _differences(was: Arrangement, now: Arrangement) -> list[Text | str]:
    """Return in words what is new in the arrangement *now*."""
    parts: dict[str, Text | str] = {
        "name": now.name,
        "game": get_game(now.game).title,
        "format": named(now.format),
        "rounds": _line(text("Rounds"), str(now.rounds)),
        "tables": _line(text("Tables"), str(now.tables)),
        "most": _line(text("At most at a table"), str(now.most)),
        "final": _line(text("In the final (0: none)"), str(now.final)),
        "minutes": _line(text("Minutes a round (0: no clock)"), str(now.minutes)),
        "options": text("House rules"),
        "final_options": text("The final’s house rules"),
        "late": text("Latecomers"),
    }
    return [said for field, said in parts.items() if getattr(was, field) != getattr(now, field)]
