"""Who is at the table this evening, in the order they sit: with a phone of their own, or typed by a host.
Pure.

A guest stays from the first name typed to the end of the evening, whatever is played meanwhile. Who comes
while a game goes on waits here, and comes in between two rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.core.names import alike, can_be_shown, tidy
from lastnose.companion.core.text import Text, text

LONGEST = 40  # letters of a name, as on a page


class Guest(msgspec.Struct, frozen=True):
    """Somebody at the table: `device` is the phone that is theirs, "" for none, `line` the nose that it is.

    `plays`: in the game that is going on. `leaving`: goes as soon as no round is under way. `vacant`: the
    phone was put out; the seat is for whoever types this name.
    """

    id: str
    name: str
    device: str = ""
    line: str = ""
    plays: bool = False
    leaving: bool = False
    vacant: bool = False


Guests = tuple[Guest, ...]


class NameTaken(NotNow):
    """Somebody of this name sits there already; `guest` is who."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        more = Text("{name} B.", {"name": guest.name})
        super().__init__(text("There is a {name} already. {other}?", name=guest.name, other=more))


def same(one: str, other: str) -> bool:
    """Return whether two names are one: spaces and capitals do not tell people apart."""
    return alike(one) == alike(other)


def named(guests: Guests, name: str) -> Guest | None:
    """Return who goes by *name*."""
    return next((one for one in guests if same(one.name, name)), None)


def of_device(guests: Guests, device: str) -> Guest | None:
    """Return whose phone *device* is."""
    return next((one for one in guests if device and one.device == device), None)


def of_id(guests: Guests, guest: str) -> Guest | None:
    return next((one for one in guests if one.id == guest), None)


def checked(name: str) -> str:
    """Return *name* as it is kept; raise BadInput for one that nobody can go by."""
    clean = tidy(name)
    if not clean:
        raise BadInput(text("Type a name first."))
    if len(clean) > LONGEST or not can_be_shown(clean):
        raise BadInput(text("A name has 1 to {n} letters on one line.", n=LONGEST))
    return clean


def free_line(guests: Guests, lines: Sequence[str]) -> str:
    """Return the first of *lines* that is nobody's nose, "" when there is none."""
    taken = {one.line for one in guests}
    return next((line for line in lines if line not in taken), "")


def sat_down(guests: Guests, new: Guest, most: int) -> Guests:
    """Return *guests* with *new*, whose phone this is, at the end; of *most* that have room.

    A name that is there without a phone, and plays nowhere yet, was typed for this very person: it gets the
    phone. Raises NameTaken, or NotNow when the table is full.
    """
    there = named(guests, new.name)
    if there is not None:
        if there.device or (there.plays and not there.vacant):
            raise NameTaken(there)
        return with_phone(guests, there.id, new.device, there.line or new.line)
    if len(guests) >= most:
        raise NotNow(text("The table is full. You can watch."))
    return (*guests, new)


def with_phone(guests: Guests, guest: str, device: str, line: str | None = None) -> Guests:
    """Return *guests*, the seat of *guest* with this phone; on *line*, else on the nose that it had."""
    return tuple(
        msgspec.structs.replace(
            one, device=device, line=one.line if line is None else line, leaving=False, vacant=False
        )
        if one.id == guest
        else one
        for one in unseated(guests, device)
    )


def unseated(guests: Guests, device: str, *, vacant: bool = False) -> Guests:
    """Return *guests* without this phone: who plays keeps the seat, *vacant* or waiting for a host's word."""
    return tuple(
        msgspec.structs.replace(one, device="", leaving=False, vacant=vacant) if one.device == device else one
        for one in guests
        if not device or one.device != device or one.plays
    )


def without(guests: Guests, guest: str) -> Guests:
    """Return *guests* but for this one."""
    return tuple(one for one in guests if one.id != guest)


def moved(guests: Guests, guest: str, to: int) -> Guests:
    """Return *guests* with this one at place *to*, from 0; where somebody sits they change places."""
    at = next((n for n, one in enumerate(guests) if one.id == guest), None)
    if at is None or not 0 <= to < len(guests):
        return guests
    order = list(guests)
    order[at], order[to] = order[to], order[at]
    return tuple(order)


def arranged(guests: Guests, wanted: Sequence[tuple[str, str]], ids: Sequence[str]) -> Guests:
    """Return *guests* as a host has arranged them: (id, name) each in their order, "" for who has none yet.

    Who has a phone, or plays, and is not named stays, behind them: they came while the host looked elsewhere.
    Who was only typed goes. *ids* are for who is new. Raises BadInput for two of one name.
    """
    free, made = iter(ids), list[Guest]()
    for known, name in wanted:
        clean = checked(name)
        there = of_id(guests, known) if known else named(guests, clean)
        if any(same(one.name, clean) for one in made):
            raise BadInput(text("“{name}” is there already. Add a letter to one.", name=clean))
        if there is None:
            made.append(Guest(next(free), clean))
        elif all(one.id != there.id for one in made):
            made.append(msgspec.structs.replace(there, name=there.name if there.plays else clean))
    kept = {one.id for one in made}
    rest = [one for one in guests if one.id not in kept and (one.device or one.plays)]
    if clash := next((one for one in rest if named(tuple(made), one.name)), None):
        raise NameTaken(clash)
    return (*made, *rest)


def called(guests: Guests, people: Sequence[str], formerly: Mapping[str, int]) -> Guests:
    """Return *guests* as the *people* of the evening are called now; *formerly* see `Evening`.

    Who has taken a name that somebody else had is meant by it.
    """
    taken = {alike(name) for name in people}
    for one in guests:
        key = alike(one.name)
        if key not in formerly:
            continue
        name = people[formerly[key] - 1]
        if alike(name) == key or (key not in taken and named(guests, name) is None):
            made = msgspec.structs.replace(one, name=name)
            guests = tuple(made if guest is one else guest for guest in guests)
    return guests


def followed(
    guests: Guests, before: Sequence[str], rows: Sequence[tuple[str, str]], *, over: bool, ids: Sequence[str]
) -> Guests:
    """Return *guests* when a game shows *rows*: (name, line) in the order of the seats; *before* sat there
    then.

    Who plays is a guest, on the line of the seat; who was in this very game and left it is none any more,
    nor who was about to leave when another began without them.
    """
    playing = {alike(name): (name, line) for name, line in rows}
    gone = {alike(name) for name in before} - playing.keys()
    stay = [one for one in guests if alike(one.name) not in gone]
    known = {alike(one.name): one for one in stay}
    free, seated = iter(ids), list[Guest]()
    for key, (name, line) in playing.items():
        guest = known.get(key) or Guest(next(free), name)
        leaving = guest.leaving and not over
        seated.append(
            msgspec.structs.replace(guest, line=line or guest.line, plays=not over, leaving=leaving)
        )
    lines = {one.line for one in seated}
    waiting = [one for one in stay if alike(one.name) not in playing and not one.leaving]
    return (
        *seated,
        *(
            msgspec.structs.replace(one, plays=False, line="" if one.line in lines else one.line)
            for one in waiting
        ),
    )
