"""What needs the organiser: appeals, results to look at, tables that are slow, away or refused. Pure.

And hubs and message servers: who leads, what is gone or takes no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lastnose.companion import __version__
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.event import messages
from lastnose.companion.event.calls import TYPE_IT, no_result, todo_of_left
from lastnose.companion.event.changes import DrawChanges, said_of_final, said_of_half
from lastnose.companion.event.formats import title_of
from lastnose.companion.event.messages import said_of_clock
from lastnose.companion.event.pictures import TablePicture, open_protest
from lastnose.companion.event.snapshot import HallSnapshot, Todo
from lastnose.companion.event.state import HallState
from lastnose.companion.event.table_log import HallAppeal, TableLog
from lastnose.companion.event.tally import TableOutcome
from lastnose.companion.views.scoreboard import round_view

MANY_AWAY = 3  # so many tables without a link are one thing to look at, not as many
KEY_TAKEN = text(
    "None of that is taken. Somebody may have its key: run lastnose hall leave there, then let it in again."
)
LONGEST = 500  # of what a table says why, as shown: it is on every page of the desk
MANY_LEFT = 2  # so many times as many left as at the median table: slow


def said_of_accounts(view: HallSnapshot) -> Text | None:
    """Return in words that a message server which somebody else runs has yet to read who may come in."""
    if view.stopped is not None:
        return None
    if view.servers.first and not view.servers.that_are("newest"):
        return text(
            "accounts.conf says who may come in: copy it to every message server, beside its own "
            'configuration, which has include "accounts.conf", and start that, or restart it if it '
            "runs."
        )
    if view.servers.that_are("older"):
        return text(
            "accounts.conf has changed: copy it to every message server, and reload that; restart it "
            "if its tables stay away."
        )
    return None


def of_servers(view: HallSnapshot) -> list[Todo]:
    """Return that another hub leads, and what is to be done about message servers that somebody else runs."""
    said = said_of_accounts(view)
    older, silent = view.servers.that_are("older"), view.servers.that_are("silent")
    todos = [] if view.stopped is None else [Todo("hub", 0, view.stopped)]
    if said is not None and view.servers.first:
        todos.append(Todo("accounts", 0, said))
    elif said is not None:
        why = text(
            "Not yet at {servers}. Until then who was let in is not heard, and who was removed may "
            "still be in.",
            servers=", ".join(older),
        )
        todos.append(Todo("accounts", 0, said, why))
    if silent and len(silent) < len(view.servers.servers):
        says = text(
            "These message servers do not answer: {servers}. The hall goes on with the others.",
            servers=", ".join(silent),
        )
        todos.append(Todo("servers", 0, says))
    return todos + _unkept(view)


def _unkept(view: HallSnapshot) -> list[Todo]:
    """Return which tables send to a message server that takes nothing more."""
    numbers = sorted(
        table.number
        for table in view.state.tables.values()
        if table.inside and table.id in view.there and (seen := view.seen[table.id].presence) and seen.unkept
    )
    if not numbers:
        return []
    which = text("Tables {numbers}", numbers=", ".join(map(str, numbers)))
    return [Todo("full", 0, messages.FULL, which if numbers[1:] else text("Table {n}", n=numbers[0]))]


def todos_of(
    view: HallSnapshot,
    pictures: tuple[TablePicture, ...],
    logs: Mapping[str, TableLog],
    changes: DrawChanges,
) -> tuple[Todo, ...]:
    """Return what needs the organiser, the most urgent first."""
    out = [_appeal(view, number, logs) for number in view.state.appeals]
    todos = of_servers(view)
    todos += [one for one in out if one is not None]
    todos += _asking(view)
    todos += [todo for one in view.outcomes if (todo := _protest(view.state, one)) is not None]
    todos += [todo for one in view.outcomes if (todo := _of_edges(view, one)) is not None]
    todos += [todo for one in view.outcomes if (todo := _of_outcome(view, one)) is not None]
    todos += [todo for one in pictures if (todo := _unknown(view, one, logs.get(one.id))) is not None]
    todos += [todo for one in pictures if (todo := todo_of_left(view, one)) is not None]
    todos += _flooding(view.state)
    todos += _changed(view, changes)
    if view.step.why is not None:
        todos.append(Todo("draw", 0, view.step.why, text("Print the seating cards once more.")))
    todos += _of_tables(view, tuple(one for one in pictures if one.inside))
    return tuple(todos)


def _asking(view: HallSnapshot) -> list[Todo]:
    """Return which tables ask to be let in: each by one touch, or all at once."""
    n = len(view.asking)
    every = texts("Let {n} table in", "Let all {n} tables in", n=n) if n > 1 else None
    return [
        Todo(
            kind="asks",
            number=0,
            says=text("{name} asks to be let in.", name=one.name or one.check),
            why=text("Its page shows {check}.", check=one.check),
            button=text("Let it in"),
            table=one.id,
            other=every,
        )
        for one in view.asking
    ]


def _of_tables(view: HallSnapshot, pictures: tuple[TablePicture, ...]) -> list[Todo]:
    """Return which of the tables that are in are refused, away, slow, idle, of another version or time."""
    begun = sorted(one.left for one in pictures if one.state not in ("waiting", "free") and one.seats)
    if view.step.kind == "over":
        pictures = tuple(one for one in pictures if one.there or one.trouble)  # who has gone home is gone
    away = [one for one in pictures if not one.there and not one.trouble and not one.archived]
    todos = [_away(away)] if len(away) >= MANY_AWAY else []
    for one in pictures:
        if one.trouble:
            todos.append(_refused(view, one))
        elif one in away and len(away) < MANY_AWAY:
            todos.append(_silent(view, one))
        elif one.there and one.id in view.overdue:
            todos.append(_overdue(one))
        elif one.there and (slow := _slow(one, begun, len(pictures))) is not None:
            todos.append(slow)
    todos += [todo for one in pictures if (todo := _idle(view, one)) is not None]
    todos += [todo for one in pictures if (todo := _odd(view, one)) is not None]
    todos += [todo for one in pictures if (todo := _version(view, one)) is not None]
    return todos + _clocks(view, pictures)


def _slow(one: TablePicture, begun: list[int], tables: int) -> Todo | None:
    """Return that a table keeps the others waiting; *begun* is how many are left at each that has begun."""
    usual = begun[len(begun) // 2] if begun else 0
    many = len(begun) > 2 and one.left > MANY_LEFT * max(usual, 2)
    if one.state == "playing" and many and not one.sheet:  # on a sheet nobody is ever out
        says = text(
            "Slow: {left} of {all} still play, at other tables {n}.",
            left=one.left,
            all=len(one.seats),
            n=usual,
        )
        return Todo("slow", one.number, says)
    if one.state != "waiting" or not one.seats or one.by_hand or 2 * len(begun) <= tables:
        return None
    return Todo("slow", one.number, text("Slow: its game has not begun."))


def _silent(view: HallSnapshot, table: TablePicture) -> Todo:
    """Return that nothing is heard of *table*, and where to look."""
    seen = view.seen.get(table.id)
    says = text("Its link is down. It plays on.")
    why = _here(table)
    if table.n == 0 and (seen is None or seen.presence is None):
        says = text("It was let in, and has not come yet.")
        why = text("A table that was let in on its command line comes once it is started again.")
        if view.servers.servers:
            why = text("It was not heard yet. Has its message server read accounts.conf?")
    return Todo("away", table.number, says, why)


def _here(table: TablePicture) -> Text:
    return text("{have} of {n} entries are here.", have=table.have, n=table.n)


def _refused(view: HallSnapshot, table: TablePicture) -> Todo:
    """Return why not all of the log of *table* is taken, and how it goes on."""
    if table.trouble == messages.UNREADABLE:
        says = text("Under its name has come what no table writes.")
        return Todo("refused", table.number, says, KEY_TAKEN)
    if table.trouble not in messages.SPOILT:
        says = text("It has sent what this hall cannot read.")
        seen = view.seen.get(table.id)
        why = seen.refused if seen is not None and isinstance(seen.refused, Text) else table.trouble
        return Todo("refused", table.number, says, Text("{why}", {"why": why}))
    says = text("What it sends does not follow what is here.")
    why = text("Nothing more can be taken. Remove it: it asks to be let in again, under a new name.")
    remove = {"type": "put-out", "number": table.number}
    return Todo("refused", table.number, says, why, button=text("Remove it"), command=remove)


def _overdue(table: TablePicture) -> Todo:
    """Return that what *table* says that it has written does not come, and how it goes on."""
    why = text(
        "The rest does not come. Remove it; there run lastnose hall leave, then let it in again: "
        "all of its log comes then."
    )
    return Todo("overdue", table.number, _here(table), why)


def _clocks(view: HallSnapshot, pictures: tuple[TablePicture, ...]) -> list[Todo]:
    """Return which tables have another time than the hall; many of them are one thing: it may be the hall."""
    wrong = {
        one.number: seen.presence.ahead_s
        for one in pictures
        if (seen := view.seen.get(one.id)) is not None and seen.presence is not None and seen.presence.ahead_s
    }
    if len(wrong) >= MANY_AWAY:
        says = text(
            "Tables {numbers} have another time than the hall: is its own clock right? Results are right.",
            numbers=", ".join(map(str, wrong)),
        )
        return [Todo("clock", 0, says)]
    return [Todo("clock", number, said_of_clock(ahead_s)) for number, ahead_s in wrong.items()]


def _idle(view: HallSnapshot, table: TablePicture) -> Todo | None:
    """Return why *table* does not begin the game that it is called to."""
    seen = view.seen.get(table.id)
    why = seen.presence.cannot if seen is not None and seen.presence is not None else ""
    if not why or table.state != "waiting":
        return None
    return Todo("idle", table.number, Text("{why}", {"why": why}))


def _odd(view: HallSnapshot, table: TablePicture) -> Todo | None:
    """Return why it cannot be read what *table* says of itself."""
    seen = view.seen.get(table.id)
    if seen is None or seen.odd is None:
        return None
    says = text("It has sent what this hall cannot read.")
    why = text(
        "Why: {why}. Update the older of the two; until then the desk does not see who is "
        "seated. Its results come all the same.",
        why=seen.odd,
    )
    return Todo("refused", table.number, says, why)


def _version(view: HallSnapshot, table: TablePicture) -> Todo | None:
    """Return that *table* runs another version than the hall."""
    seen = view.seen.get(table.id)
    theirs = seen.presence.version if seen is not None and seen.presence is not None else ""
    if theirs in ("", __version__):
        return None
    says = text("It runs Last Nose {theirs}, the hall {ours}.", theirs=theirs, ours=__version__)
    return Todo("version", table.number, says)


def _away(tables: list[TablePicture]) -> Todo:
    """Return one thing to look at for all of *tables*: so many at once are the network, not a table."""
    numbers = ", ".join(str(one.number) for one in tables)
    return Todo(
        "away",
        0,
        text("Tables {numbers} have no link. They play on. Look at the network first.", numbers=numbers),
    )


def _appeal(view: HallSnapshot, number: int, logs: Mapping[str, TableLog]) -> Todo | None:
    appeal = view.state.appeals[number]
    if appeal.decision:
        return None
    says, finish = text("Appeal: {verdict}", verdict="–"), None
    log = logs.get(appeal.table)
    for played in log.played.get(appeal.call, ()) if log is not None else ():
        entry = next((one for one in played.entries if one.seq == appeal.entry), None)
        if entry is not None:
            made = round_view(played.part_of(entry), 0, entry)
            says, finish = text("Appeal: {verdict}", verdict=made.headline), made.finish
    return Todo(
        kind="appeal",
        number=_number_of(view.state, appeal),
        says=says,
        why=Text("{reason}", {"reason": appeal.reason}) if appeal.reason else None,
        round=appeal.round,
        entry=appeal.entry,
        appeal=number,
        table=appeal.table,
        finish=finish,
    )


def _number_of(state: HallState, appeal: HallAppeal) -> int:
    """Return as which table that was played that is appealed; its machine may have another number by now."""
    played = state.round_of(appeal.call)
    ids = next((one.ids for one in state.called if one.number == played), {})
    return next((n for n, were in ids.items() if appeal.table in were), state.tables[appeal.table].number)


def _protest(state: HallState, one: TableOutcome) -> Todo | None:
    """Return the protest of a table that its host has not decided, unless an appeal speaks of it already."""
    entry = open_protest(state, one)
    if one.called is None or entry is None:
        return None
    made = round_view(one.called.part_of(entry), 0, entry)
    why = entry.protest.reason[:LONGEST] if entry.protest is not None else ""
    return Todo(
        kind="appeal",
        number=one.number,
        says=text("Protest: {verdict}", verdict=made.headline),
        why=Text("{reason}", {"reason": why}) if why else None,
        round=one.round,
        entry=entry.seq,
        table=one.called.id,
        finish=made.finish,
    )


def _of_edges(view: HallSnapshot, one: TableOutcome) -> Todo | None:
    """Return the first round of a game whose verdict does not follow from its edges."""
    if one.called is None or not one.unfounded or one.state == "typed":
        return None
    entry = next(e for e in one.called.entries if e.seq == one.unfounded[0])
    made = round_view(one.called.part_of(entry), 0, entry)
    return Todo(
        kind="appeal",
        number=one.number,
        says=text("The edges say otherwise: {verdict}", verdict=made.headline),
        why=text("Nothing of it counts before you have looked and decided."),
        round=one.round,
        entry=entry.seq,
        table=one.called.id,
        finish=made.finish,
    )


def _unknown(view: HallSnapshot, table: TablePicture, log: TableLog | None) -> Todo | None:
    """Return that *table* has played for a call that the hall's own log does not have."""
    state = view.state
    games = log.played if log is not None and table.inside else {}
    if not any(call > state.seq or one[-1].nonce != state.nonce_of(call) for call, one in games.items()):
        return None
    says = text("It has played a game for a call that this hall’s log does not have.")
    why = text(
        "Was the hall’s folder put back to an older copy? That game does not count: let it be played when it "
        "is called, or type its result."
    )
    return Todo("unknown", table.number, says, why)


def _flooding(state: HallState) -> list[Todo]:
    """Return which tables the hall has put out by itself, while nobody has their number."""
    says = text("It was removed: under its name has come what no table writes.")
    taken = state.numbers()
    out = [one.number for one in state.tables.values() if one.floods and one.number not in taken]
    return [Todo("refused", number, says, KEY_TAKEN) for number in out]


def _changed(view: HallSnapshot, found: DrawChanges) -> list[Todo]:
    """Return which called rounds of a knock-out, or which final, would be others: nobody calls them again."""
    changes = [(one.number, said_of_half(view.state, one)) for one in found.halves]
    if found.final is not None:
        changes.append((found.final.number, said_of_final(view.state, found.final)))
    return [
        Todo(
            kind="changed",
            number=0,
            says=text("{round}: the list has changed since it was drawn.", round=title_of(view.state, n)),
            why=why,
            button=text("Seen"),
            command={"type": "see-change", "round": n},
            round=n,
        )
        for n, why in changes
    ]


def _of_outcome(view: HallSnapshot, one: TableOutcome) -> Todo | None:
    """Return what the organiser, or the table's host, has still to do about a result."""
    missing = no_result(view, one)
    if missing is not None:
        return Todo("open", one.number, missing.says, missing.why, missing.button, round=one.round)
    where = title_of(view.state, one.round)
    if one.state == "doubtful":
        return _of_doubts(view, one, where)
    if one.state == "unsigned":
        says = text("Its host has not signed off its result yet.")
        return Todo("unsigned", one.number, says, round=one.round)
    if one.other is not None:
        return Todo(
            kind="twice",
            number=one.number,
            says=one.other,
            why=text("{round}: the result that counted stays. If the other is right, type it.", round=where),
            button=text("It counts"),
            command=_clear(one),
            round=one.round,
            places=_places(view, one),
        )
    return None


def _of_doubts(view: HallSnapshot, one: TableOutcome, where: Text) -> Todo | None:
    """Return what is to be looked at in a result before it counts; None where edges come first."""
    if one.lacks:
        says = text("Not everybody who was drawn has a place: it does not count.")
        again = {"type": "play-again", "round": one.round, "number": one.number, "reason": str(one.doubts[0])}
        return Todo(
            kind="doubtful",
            number=one.number,
            says=says,
            why=where,
            button=TYPE_IT,
            round=one.round,
            other=text("Play again"),
            other_command=again,
        )
    if one.unfounded:
        return None  # see `_of_edges`
    return Todo(
        kind="doubtful",
        number=one.number,
        says=one.doubts[0],
        why=where,
        button=TYPE_IT if one.void and one.beyond else text("It counts"),
        command=None if one.void and one.beyond else _clear(one),
        round=one.round,
        places=_places(view, one),
    )


def _places(view: HallSnapshot, one: TableOutcome) -> str:
    """Return the result of *one*, the best first: nobody says that it counts without having seen it."""
    placings = one.result.placings if one.result is not None else ()
    found = sorted(placings, key=lambda each: each[1].place)
    return ", ".join(f"{placing.place}. {view.state.shown(entrant)}" for entrant, placing in found)


def _clear(one: TableOutcome) -> dict[str, Any]:
    return {"type": "clear", "round": one.round, "number": one.number, "mark": one.mark}
