"""What needs the organiser: appeals, results to look at, tables that are slow, away or refused. Pure.

And hubs and message servers: who leads, what is gone or takes no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lastnose.companion import __version__
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.event import messages
from lastnose.companion.event.calls import TYPE_IT, no_result, todo_of_left
from lastnose.companion.event.changes import OtherDraw
from lastnose.companion.event.formats import title_of
from lastnose.companion.event.messages import said_of_clock
from lastnose.companion.event.pictures import TablePicture, open_protest
from lastnose.companion.event.snapshot import HallSnapshot, Todo
from lastnose.companion.event.state import HallState
from lastnose.companion.event.table_log import TableLog
from lastnose.companion.event.tally import TableOutcome
from lastnose.companion.views.scoreboard import round_view
from lastnose.companion.views.snapshot import RoundView
from msgspec.structs import replace

MANY_AWAY = 3  # so many tables without a link are one thing to look at, not as many
KEY_TAKEN = text(
    "None of that is taken. Somebody may have its key: run lastnose hall leave there, then let it in again."
)
LONGEST = 500  # of what a table says why, as shown: it is on every page of the desk
NOT_READ = text("It has sent what this hall cannot read.")
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


def todos_of(
    view: HallSnapshot,
    pictures: tuple[TablePicture, ...],
    logs: Mapping[str, TableLog],
    changes: tuple[OtherDraw, ...],
) -> tuple[Todo, ...]:
    """Return what needs the organiser, the most urgent first."""
    return (
        *_servers(view),
        *_appeals(view, logs),
        *_asking(view),
        *_protests(view),
        *_edges(view),
        *(todo for one in view.outcomes if (todo := _of_outcome(view, one)) is not None),
        *_unknown(view, pictures, logs),
        *(todo for one in pictures if (todo := todo_of_left(view, one)) is not None),
        *_flooding(view.state),
        *_changed(view, changes),
        *_of_tables(view, tuple(one for one in pictures if one.inside)),
    )


def _servers(view: HallSnapshot) -> Iterator[Todo]:
    """Yield that another hub leads, and what is to be done about message servers that somebody else runs."""
    if view.stopped is not None:
        yield Todo("hub", 0, view.stopped)
    said = said_of_accounts(view)
    if said is not None and view.servers.first:
        yield Todo("accounts", 0, said)
    elif said is not None:
        why = text(
            "Not yet at {servers}. Until then who was let in is not heard, and who was removed may "
            "still be in.",
            servers=", ".join(view.servers.that_are("older")),
        )
        yield Todo("accounts", 0, said, why)
    silent = view.servers.that_are("silent")
    count = len(view.servers.servers)
    if count // 2 < len(silent) < count:  # the others alone keep nothing
        yield from (Todo("servers", 0, text("{host} does not answer.", host=one)) for one in silent)
    elif silent and len(silent) < count:
        says = text(
            "These message servers do not answer: {servers}. The hall goes on with the others.",
            servers=", ".join(silent),
        )
        yield Todo("servers", 0, says)
    tables = [one for one in view.state.tables.values() if one.inside and one.id in view.there]
    unkept = sorted(one.number for one in tables if view.seen_of(one.id).presence.unkept)
    if unkept:
        which = text("Tables {numbers}", numbers=", ".join(map(str, unkept)))
        yield Todo("full", 0, messages.FULL, which if unkept[1:] else text("Table {n}", n=unkept[0]))


def _appeals(view: HallSnapshot, logs: Mapping[str, TableLog]) -> Iterator[Todo]:
    """Yield the appeals that nobody has decided."""
    for number, appeal in view.state.appeals.items():
        if appeal.decision:
            continue
        says, finish = text("Appeal: {verdict}", verdict="–"), None
        log = logs.get(appeal.table)
        for played in log.played.get(appeal.call, ()) if log is not None else ():
            entry = next((one for one in played.entries if one.seq == appeal.entry), None)
            if entry is not None:
                made = round_view(played.part_of(entry), 0, entry)
                says, finish = text("Appeal: {verdict}", verdict=made.headline), made.finish
        yield Todo(
            kind="appeal",
            number=view.state.number_of(appeal) or view.state.tables[appeal.table].number,
            says=says,
            why=Text("{reason}", {"reason": appeal.reason}) if appeal.reason else None,
            round=appeal.round,
            entry=appeal.entry,
            appeal=number,
            table=appeal.table,
            finish=finish,
        )


def _asking(view: HallSnapshot) -> Iterator[Todo]:
    """Yield which tables ask to be let in: each by one touch, or all at once."""
    n = len(view.asking)
    every = texts("Let {n} table in", "Let all {n} tables in", n=n) if n > 1 else None
    for one in view.asking:
        says = text("{name} asks to be let in.", name=one.name or one.check)
        why = text("Its page shows {check}.", check=one.check)
        yield Todo("asks", 0, says, why, text("Let it in"), table=one.id, other=every)


def _protests(view: HallSnapshot) -> Iterator[Todo]:
    """Yield protests that the tables' hosts have not decided, unless an appeal speaks of them already."""
    for one in view.outcomes:
        if (entry := open_protest(view.state, one)) is not None and one.called is not None:
            made = round_view(one.called.part_of(entry), 0, entry)
            reason = entry.protest.reason[:LONGEST] if entry.protest is not None else ""
            why = Text("{reason}", {"reason": reason}) if reason else None
            yield _of_verdict(one, made, text("Protest: {verdict}", verdict=made.headline), why)


def _edges(view: HallSnapshot) -> Iterator[Todo]:
    """Yield of each game the first round whose verdict does not follow from its edges."""
    why = text("Nothing of it counts before you have looked and decided.")
    for one in view.outcomes:
        if one.called is not None and one.unfounded and one.state != "typed":
            entry = next(e for e in one.called.entries if e.seq == one.unfounded[0])
            made = round_view(one.called.part_of(entry), 0, entry)
            yield _of_verdict(
                one, made, text("The edges say otherwise: {verdict}", verdict=made.headline), why
            )


def _of_verdict(one: TableOutcome, made: RoundView, says: Text, why: Text | None) -> Todo:
    """Return that a verdict of a game is to be looked at."""
    table = one.called.id if one.called is not None else ""
    return Todo(
        "appeal", one.number, says, why, round=one.round, entry=made.seq, table=table, finish=made.finish
    )


def _of_outcome(view: HallSnapshot, one: TableOutcome) -> Todo | None:
    """Return what the organiser, or the table's host, has still to do about a result."""
    missing = no_result(view, one)
    if missing is not None:
        return missing
    where = title_of(view.state, one.round)
    if one.state == "doubtful":
        return _of_doubts(view, one, where)
    if one.state == "unsigned":
        says = text("Its host has not signed off its result yet.")
        return Todo("unsigned", one.number, says, round=one.round)
    if one.other is None:
        return None
    why = text("{round}: the result that counted stays. If the other is right, type it.", round=where)
    return Todo(
        kind="twice",
        number=one.number,
        says=one.other,
        why=why,
        button=text("It counts"),
        command=_clear(one),
        round=one.round,
        places=_places(view, one),
    )


def _of_doubts(view: HallSnapshot, one: TableOutcome, where: Text) -> Todo | None:
    """Return what is to be looked at in a result before it counts; None where edges come first."""
    if one.lacks:
        again = _clear(one) | {"type": "play-again", "reason": str(one.doubts[0])}
        return Todo(
            kind="doubtful",
            number=one.number,
            says=text("Not everybody who was drawn has a place: it does not count."),
            why=where,
            button=TYPE_IT,
            round=one.round,
            other=text("Play again"),
            other_command=again,
        )
    if one.unfounded:
        return None  # see `_edges`
    typed = one.void > 0 and one.beyond
    return Todo(
        kind="doubtful",
        number=one.number,
        says=one.doubts[0],
        why=where,
        button=TYPE_IT if typed else text("It counts"),
        command=None if typed else _clear(one),
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


def _unknown(
    view: HallSnapshot, pictures: tuple[TablePicture, ...], logs: Mapping[str, TableLog]
) -> Iterator[Todo]:
    """Yield which tables have played for a call that the hall's own log does not have."""
    state = view.state
    says = text("It has played a game for a call that this hall’s log does not have.")
    why = text(
        "Was the hall’s folder put back to an older copy? That game does not count: let it be played when it "
        "is called, or type its result."
    )
    for table in pictures:
        games = logs[table.id].played if table.inside and table.id in logs else {}
        if any(call > state.seq or one[-1].nonce != state.nonce_of(call) for call, one in games.items()):
            yield Todo("unknown", table.number, says, why)


def _flooding(state: HallState) -> Iterator[Todo]:
    """Yield which tables the hall has put out by itself, while nobody has their number."""
    says = text("It was removed: under its name has come what no table writes.")
    taken = state.numbers()
    for one in state.tables.values():
        if one.floods and one.number not in taken:
            yield Todo("refused", one.number, says, KEY_TAKEN)


def _changed(view: HallSnapshot, changes: tuple[OtherDraw, ...]) -> Iterator[Todo]:
    """Yield what would be drawn otherwise: called rounds, which nobody calls again, and the next one."""
    for n, _, why in changes:
        says = text("{round}: the list has changed since it was drawn.", round=title_of(view.state, n))
        yield Todo("changed", 0, says, why, text("Seen"), {"type": "see-change", "round": n}, n)
    if view.step.why is not None:
        yield Todo("draw", 0, view.step.why, text("Print the seating cards once more."))


def _of_tables(view: HallSnapshot, pictures: tuple[TablePicture, ...]) -> Iterator[Todo]:
    """Yield which of the tables that are in are refused, away, slow, idle, of another version or time."""
    begun = sorted(one.left for one in pictures if one.state not in ("waiting", "free") and one.seats)
    if view.step.kind == "over":
        pictures = tuple(one for one in pictures if one.there or one.trouble)  # who has gone home is gone
    away = [one for one in pictures if not one.there and not one.trouble and not one.archived]
    groups = [[one for one in away if _never_came(view, one) is never] for never in (False, True)]
    many = [group for group in groups if len(group) >= MANY_AWAY]
    yield from (_silent_together(view, group) for group in many)
    for one in pictures:
        if one.trouble:
            yield _refused(view, one)
        elif one in away and not any(one in group for group in many):
            yield _silent(view, one)
        elif one.there and one.id in view.overdue:
            yield _overdue(one)
        elif one.there and (slow := _slow(one, begun, len(pictures))) is not None:
            yield Todo("slow", one.number, slow)
    yield from _idle(view, pictures)
    yield from _odd(view, pictures)
    yield from _versions(view, pictures)
    yield from _clocks(view, pictures)


def _slow(one: TablePicture, begun: list[int], tables: int) -> Text | None:
    """Return that a table keeps the others waiting; *begun* is how many are left at each that has begun."""
    usual = begun[len(begun) // 2] if begun else 0
    many = len(begun) > 2 and one.left > MANY_LEFT * max(usual, 2)
    if one.state == "playing" and many and not one.sheet:  # on a sheet nobody is ever out
        return text(
            "Slow: {left} of {all} still play, at other tables {n}.",
            left=one.left,
            all=len(one.seats),
            n=usual,
        )
    if one.state != "waiting" or not one.seats or one.by_hand or 2 * len(begun) <= tables:
        return None
    return text("Slow: its game has not begun.")


def _never_came(view: HallSnapshot, table: TablePicture) -> bool:
    return table.n == 0 and view.seen_of(table.id).presence is messages.UNHEARD


def _silent(view: HallSnapshot, table: TablePicture) -> Todo:
    """Return that nothing is heard of *table*, and where to look."""
    says, why = text("Its link is down. It plays on."), _here(table)
    if _never_came(view, table):
        says = text("It was let in, and has not come yet.")
        why = text("A table that was let in on its command line comes once it is started again.")
        if view.servers.servers:
            why = text("It was not heard yet. Has its message server read accounts.conf?")
    return Todo("away", table.number, says, why)


def _silent_together(view: HallSnapshot, tables: list[TablePicture]) -> Todo:
    """Return that nothing is heard of many *tables*: where they had come that is the network, no table."""
    numbers = ", ".join(str(one.number) for one in tables)
    if not _never_came(view, tables[0]):
        says = text(
            "Tables {numbers} have no link. They play on. Look at the network first.", numbers=numbers
        )
        return Todo("away", 0, says)
    one, which = _silent(view, tables[0]), text("Tables {numbers}", numbers=numbers)
    assert one.why is not None
    return replace(one, number=0, why=text("{what}: {says}", what=which, says=one.why))


def _here(table: TablePicture) -> Text:
    return text("{have} of {n} entries are here.", have=table.have, n=table.n)


def _refused(view: HallSnapshot, table: TablePicture) -> Todo:
    """Return why not all of the log of *table* is taken, and how it goes on."""
    if table.trouble == messages.UNREADABLE:
        says = text("Under its name has come what no table writes.")
        return Todo("refused", table.number, says, KEY_TAKEN)
    if table.trouble not in messages.SPOILT:
        refused = view.seen_of(table.id).refused
        why = Text("{why}", {"why": refused if isinstance(refused, Text) else table.trouble})
        return Todo("refused", table.number, NOT_READ, why)
    says = text("What it sends does not follow what is here.")
    why = text("Nothing more can be taken. Remove it: it asks to be let in again, under a new name.")
    remove = {"type": "put-out", "number": table.number}
    return Todo("refused", table.number, says, why, text("Remove it"), remove)


def _overdue(table: TablePicture) -> Todo:
    """Return that what *table* says that it has written does not come, and how it goes on."""
    why = text(
        "The rest does not come. Remove it; there run lastnose hall leave, then let it in again: "
        "all of its log comes then."
    )
    return Todo("overdue", table.number, _here(table), why)


def _idle(view: HallSnapshot, pictures: tuple[TablePicture, ...]) -> Iterator[Todo]:
    """Yield why tables do not begin the games that they are called to."""
    for one in pictures:
        if one.state == "waiting" and (why := view.seen_of(one.id).presence.cannot):
            yield Todo("idle", one.number, Text("{why}", {"why": why}))


def _odd(view: HallSnapshot, pictures: tuple[TablePicture, ...]) -> Iterator[Todo]:
    """Yield why it cannot be read what tables say of themselves."""
    for one in pictures:
        if (odd := view.seen_of(one.id).odd) is not None:
            why = text(
                "Why: {why}. Update the older of the two; until then the desk does not see who is "
                "seated. Its results come all the same.",
                why=odd,
            )
            yield Todo("refused", one.number, NOT_READ, why)


def _versions(view: HallSnapshot, pictures: tuple[TablePicture, ...]) -> Iterator[Todo]:
    """Yield which tables run another version than the hall."""
    for one in pictures:
        theirs = view.seen_of(one.id).presence.version
        if theirs not in ("", __version__):
            says = text("It runs Last Nose {theirs}, the hall {ours}.", theirs=theirs, ours=__version__)
            yield Todo("version", one.number, says)


def _clocks(view: HallSnapshot, pictures: tuple[TablePicture, ...]) -> Iterator[Todo]:
    """Yield which tables have another time than the hall; many of them are one thing: it may be the hall."""
    wrong = {one.number: ahead_s for one in pictures if (ahead_s := view.seen_of(one.id).presence.ahead_s)}
    if len(wrong) >= MANY_AWAY:
        says = text(
            "Tables {numbers} have another time than the hall: is its own clock right? Results are right.",
            numbers=", ".join(map(str, wrong)),
        )
        yield Todo("clock", 0, says)
        return
    for number, ahead_s in wrong.items():
        yield Todo("clock", number, said_of_clock(ahead_s))
