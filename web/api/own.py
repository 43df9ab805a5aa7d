"""What a player may do: touch the own nose, write the own score, undo what was written here. Nothing else.

A host may do everything, and so may a program with a token; a watcher comes no further than `needs`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lastnose.companion.core.errors import CompanionError
from lastnose.companion.core.text import english, text
from lastnose.companion.evening import commands
from lastnose.companion.evening.authors import author
from lastnose.companion.evening.commands import AnyCommand
from lastnose.companion.evening.state import Evening, find
from lastnose.companion.games.rules.prompts import EnterScore, Keypad
from lastnose.companion.views.snapshot import Snapshot
from lastnose.web import auth
from lastnose.web.access import NotAllowed
from lastnose.web.context import WebContext


def own_nose() -> str | None:
    """Return the only nose that who asks may touch, "" for none; None: any."""
    if auth.visitor().may_control:
        return None
    guest = auth.my_guest()
    return guest.line if guest is not None else ""


def may_touch(lines: Iterable[str]) -> None:
    """Raise NotAllowed when one of *lines* is not the nose of who asks."""
    own = own_nose()
    if own is not None and any(line != own for line in lines):
        raise NotAllowed(english("This phone is one nose: its own."))


def own_seat() -> int | None:
    """Return the seat of who asks, in the game that is played; None for none."""
    guest = auth.my_guest()
    if guest is None:
        return None
    rows = WebContext.here().table.snapshot.rows
    return next((row.seat for row in rows if row.player == guest.name), None)


def may_score(seat: int) -> None:
    """Raise NotAllowed unless who asks may write the points of *seat*."""
    if not auth.visitor().may_control and seat != own_seat():
        raise NotAllowed(text("Only a host may do this. Type the PIN to become one."))


def may_do(command: AnyCommand) -> None:
    """Raise NotAllowed unless who asks may ask for *command*."""
    visitor = auth.visitor()
    if visitor.may_control:
        return
    table = WebContext.here().table
    match command:
        case commands.Play() if _own_score(table.snapshot, command.move, own_seat()):
            return
        case commands.Undo() | commands.Redo() if command.seq is not None:
            if _wrote(table.queries.evening, command.seq, author(visitor.by)):
                return
            raise NotAllowed(text("Somebody else wrote this: only a host may take it back."))
    raise NotAllowed(text("Only a host may do this. Type the PIN to become one."))


def _own_score(snapshot: Snapshot, move: dict[str, Any], seat: int | None) -> bool:
    """Return whether *move* writes what *seat* is asked for just now."""
    return seat is not None and any(
        move.get("type") == one.move and move.get("seat") == seat
        for one in snapshot.entries
        if (isinstance(one, EnterScore) and seat in one.seats)
        or (isinstance(one, Keypad) and one.seat == seat)
    )


def _wrote(evening: Evening, seq: int, whose: str) -> bool:
    """Return whether entry or amendment *seq* is of *whose*."""
    try:
        _, _, entry = find(evening, seq)
    except CompanionError:
        return False
    if entry.seq == seq:
        return author(entry.by) == whose
    return any(one.seq == seq and author(one.by) == whose for one in entry.corrections)
