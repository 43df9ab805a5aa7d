"""What needs the organiser of hubs and message servers: who leads, what is gone or takes no more. Pure."""

from __future__ import annotations

from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.hall.snapshot import HallSnapshot
from lastnose.companion.hall.todo import Todo


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
    older, gone = view.servers.that_are("older"), view.servers.that_are("gone")
    todos = [] if view.stopped is None else [Todo("hub", 0, view.stopped)]
    if said is not None and view.servers.first:
        todos.append(Todo("accounts", 0, said, text("Until then no table is heard.")))
    elif said is not None:
        why = text(
            "Not yet at {servers}. Until then who was let in is not heard, and who was removed may "
            "still be in.",
            servers=", ".join(older),
        )
        todos.append(Todo("accounts", 0, said, why))
    if gone and len(gone) < len(view.servers.servers):
        says = text("{n} of {all} message servers do not answer.", n=len(gone), all=len(view.servers.servers))
        why = text("{servers}. The hall goes on with the others.", servers=", ".join(gone))
        todos.append(Todo("servers", 0, says, why))
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
    says = text("A message server keeps nothing more: is its disk full?")
    listed = ", ".join(map(str, numbers))
    why = texts(
        "Make room there, and start it again. Table {numbers} sends it all then.",
        "Make room there, and start it again. Tables {numbers} send it all then.",
        n=len(numbers),
        numbers=listed,
    )
    if not view.servers.servers:  # it is our own
        why = texts(
            "Make room there, and it goes on. Table {numbers} sends it all then.",
            "Make room there, and it goes on. Tables {numbers} send it all then.",
            n=len(numbers),
            numbers=listed,
        )
    return [Todo("full", 0, says, why)]
