"""What others changed of the very thing that an organiser had open to write it again. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lastnose.companion.core.errors import NotNow
from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.evening.authors import HOST
from lastnose.companion.games import get_game
from lastnose.companion.hall import commands, events
from lastnose.companion.hall.appeals import HallAppeal
from lastnose.companion.hall.commands import AnyHallCommand
from lastnose.companion.hall.events import AnyHallEvent, Arrangement
from lastnose.companion.hall.formats import named
from lastnose.companion.hall.orders import must_be_an_entry, said_of_author
from lastnose.companion.hall.state import HallState, fold

DECISIONS = {
    "stands": text("the verdict stands"),
    "again": text("this table’s game is played again"),
    "void": text("the deal does not count"),
}


def must_not_overwrite(
    command: AnyHallCommand,
    opened: int | None,
    state: HallState,
    own: Callable[[], Iterable[tuple[int, AnyHallEvent]]],
    settled: Callable[[HallState], HallState],
) -> None:
    """Raise NotNow when what *command* writes whole is not what it was at entry *opened* of the log, *own*.

    None: nothing was opened. A dialog shows what was there then, and would put it back. BadInput: there is no
    such entry. *settled* puts machines that were let in anew in their old places.
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
    return text("a result was typed") if found else text("what the table says counts")


def _said_of_decision(made: tuple[HallAppeal, ...]) -> Text:
    if not made:
        return text("nothing is decided any more")
    newest = max(made, key=lambda one: one.decided)
    return text("{decision} ({why})", decision=DECISIONS[newest.decision], why=newest.why)


def _differences(was: Arrangement, now: Arrangement) -> list[Text | str]:
    """Return in words what is new in the arrangement *now*."""
    final = text("a final of {n}", n=now.final) if now.final else text("no final")
    clock = texts("{n} minute a round", "{n} minutes a round", n=now.minutes)
    parts: dict[str, Text | str] = {
        "name": now.name,
        "game": get_game(now.game).title,
        "format": named(now.format),
        "rounds": texts("{n} round", "{n} rounds", n=now.rounds),
        "tables": texts("{n} table", "{n} tables", n=now.tables),
        "most": text("at most {n} at a table", n=now.most),
        "final": final,
        "minutes": clock if now.minutes else text("no clock"),
        "options": text("other house rules"),
        "final_options": text("other house rules in the final"),
        "late": text("missed rounds count otherwise"),
    }
    return [said for field, said in parts.items() if getattr(was, field) != getattr(now, field)]
