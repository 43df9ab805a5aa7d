"""The persons of an evening: who is meant by a name, and whose seat is where in another circle. Pure.

A person is a number, and no two of an evening are called alike: so a name says who is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.names import alike, tidy
from lastnose.companion.core.text import text
from lastnose.companion.evening.state import Entry, Match

_OF_A_SEAT = re.compile(r"([a-z-]+-)([0-9]{1,2})")


def identified(people: tuple[str, ...], names: Sequence[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return *people* with whoever of *names* is new, and the persons of these names.

    >>> identified(("Ana", "Björn"), ("björn", "Zoë"))
    (('Ana', 'Björn', 'Zoë'), (2, 3))
    """
    known = {alike(name): person for person, name in enumerate(people, start=1)}
    for name in names:
        called = alike(name)
        if called not in known:
            people = (*people, name)
            known[called] = len(people)
    return people, tuple(known[alike(name)] for name in names)


def renamed(people: tuple[str, ...], was: str, name: str) -> tuple[int, tuple[str, ...]]:
    """Return whom *was* names, and *people* with *name* for them; raise BadInput when that cannot be."""
    name, known = tidy(name), [alike(one) for one in people]
    if alike(was) not in known:
        raise BadInput(text("Nobody is called {name} this evening.", name=was))
    person = known.index(alike(was)) + 1
    if not name:
        raise BadInput(text("Type a name first."))
    if alike(name) in known and known.index(alike(name)) + 1 != person:
        raise BadInput(text("“{name}” is there already. Add a letter to one.", name=name))
    return person, (*people[: person - 1], name, *people[person:])


def placed(
    entry: Entry, match: Match, circles: Mapping[int, tuple[int, ...]], people: Sequence[str]
) -> Entry:
    """Return what was written in *entry* by the seats of *match*; raise NotNow for who does not sit there.

    *circles* are the persons by seats of every seating, by its log number, as they are known now.
    """
    entry = entry.written
    there = entry.under in (0, match.seq)
    held = entry.held
    corrected = held is not None and held.seated is None and held.circle != match.circle
    if there and not corrected and (entry.move is None or entry.circle == match.circle):
        return entry
    judged = _places(circles[entry.under], match, people) if not there else None
    own = _places(entry.circle, match, people) if entry.circle else None
    return msgspec.structs.replace(
        entry,
        origin=entry,
        seats=entry.seats if judged is None else tuple(map(judged, entry.seats)),
        left_out=entry.left_out if there else _still(entry.left_out, circles[entry.under], match),
        verdict=_reseated(entry.verdict, judged),
        withdrawn=_reseated(entry.withdrawn, judged),
        contest=_reseated(entry.contest, judged),
        protest=entry.protest
        and msgspec.structs.replace(entry.protest, verdict=_reseated(entry.protest.verdict, judged)),
        move=entry.move if own is None or held is not None else moved(entry.move, own),
        corrections=tuple(
            msgspec.structs.replace(one, move=moved(one.move, _places(one.circle, match, people)))
            if one is held and one.seated is None
            else one
            for one in entry.corrections
        ),
    )


def told_by(verdict: Verdict, circle: tuple[int, ...], match: Match, people: Sequence[str]) -> Verdict:
    """Return *verdict*, of the seats of *circle*, by those of *match*; raise NotNow for who is not there."""
    if circle == match.circle:
        return verdict
    told: Verdict = _reseated(verdict, _places(circle, match, people))
    return told


def _places(circle: tuple[int, ...], match: Match, people: Sequence[str]) -> Callable[[int], int]:
    """Return what makes a seat of *circle* the seat of the same person in *match*."""
    seats = {person: seat for seat, person in enumerate(match.circle, start=1)}

    def place(seat: int) -> int:
        if not 1 <= seat <= len(circle):
            return seat  # the whole table, or a seat that the game refuses in its own words
        person = circle[seat - 1]
        if person not in seats:
            raise NotNow(text("{player} does not sit there.", player=people[person - 1]))
        return seats[person]

    return place


def _still(seats: tuple[int, ...], circle: tuple[int, ...], match: Match) -> tuple[int, ...]:
    """Return the seats in *match* of those who had *seats* of *circle*, as far as they sit there."""
    people = {person for seat, person in enumerate(circle, start=1) if seat in seats}
    return tuple(seat for seat, person in enumerate(match.circle, start=1) if person in people)


def moved(move: Any, place: Callable[[int], int]) -> Any:
    """Return a move's JSON by other seats: `seat`, `seats` and the end of a `value` "right-3" are seats.

    >>> moved({"type": "correct", "hand": 2, "cells": [{"seat": 1, "points": 3}]}, lambda seat: seat + 2)
    {'type': 'correct', 'hand': 2, 'cells': [{'seat': 3, 'points': 3}]}
    >>> moved({"type": "ruled", "value": "right-3"}, lambda seat: seat - 2)
    {'type': 'ruled', 'value': 'right-1'}
    """
    if isinstance(move, Mapping):
        return {key: _moved_value(key, value, place) for key, value in move.items()}
    return [moved(one, place) for one in move] if isinstance(move, list | tuple) else move


def _moved_value(key: str, value: Any, place: Callable[[int], int]) -> Any:
    if key == "seat" and isinstance(value, int):
        return place(value)
    if key == "seats" and isinstance(value, list | tuple):
        return [place(seat) if isinstance(seat, int) else seat for seat in value]
    if key == "value" and isinstance(value, str) and (named := _OF_A_SEAT.fullmatch(value)):
        return f"{named[1]}{place(int(named[2]))}"
    return moved(value, place)


def _reseated(verdict: Verdict | None, place: Callable[[int], int] | None) -> Any:
    """Return *verdict* by other seats."""
    if verdict is None or place is None:
        return verdict
    return msgspec.structs.replace(
        verdict,
        order=tuple(map(place, verdict.order)),
        last=tuple(sorted(map(place, verdict.last))),
        first=tuple(sorted(map(place, verdict.first))),
        unseen=tuple(map(place, verdict.unseen)),
        asked=tuple(map(place, verdict.asked)),
        presses=tuple(_press(press, place) for press in verdict.presses),
        phantoms=tuple(_press(press, place) for press in verdict.phantoms),
        early=tuple(_press(press, place) for press in verdict.early),
    )


def _press(press: Any, place: Callable[[int], int]) -> Any:
    return msgspec.structs.replace(press, seat=place(press.seat))
