"""What was done in the hall of late, in words: so that an organiser finds what to take back. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

import msgspec
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.evening.authors import given_name
from lastnose.companion.hall import events
from lastnose.companion.hall.events import AnyHallEvent, HallEvent
from lastnose.companion.hall.formats import said_of, title_of
from lastnose.companion.hall.orders import LASTING
from lastnose.companion.hall.state import HallState


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


@singledispatch
def _says(event: HallEvent, state: HallState) -> Text:
    raise TypeError(f"nothing is said of {type(event).__name__}")


@_says.register
def _(event: events.EventArranged, state: HallState) -> Text:
    return text("Set up: {name}", name=event.arrangement.name)


@_says.register
def _(event: events.PeopleJoined, state: HallState) -> Text:
    return text("Came: {who}", who=_who([one.name for one in event.people]))


@_says.register
def _(event: events.Renamed, state: HallState) -> Text:
    return text("Corrected: {who}", who=event.person.name)


@_says.register
def _(event: events.Went, state: HallState) -> Text:
    return text("Left: {who}", who=_who(_names(event.entrants, state)))


@_says.register
def _(event: events.CameBack, state: HallState) -> Text:
    return text("Plays on: {who}", who=_who(_names(event.entrants, state)))


def _names(entrants: tuple[int, ...], state: HallState) -> list[str]:
    """Return the names of *entrants*; who is not on the list any more is a number."""
    return [state.shown(one) if one in state.people else str(one) for one in entrants]


def _who(names: Sequence[str]) -> Text | str:
    """Return one by name, more by the first and how many others."""
    first, *others = names
    if not others:
        return first
    return texts("{player} and {n} other", "{player} and {n} others", n=len(others), player=first)


@_says.register
def _(event: events.PutOut, state: HallState) -> Text:
    table = state.tables.get(event.table)
    return text("Removed: table {n}", n=table.number) if table is not None else text("A machine was removed")


@_says.register
def _(event: events.Drawn, state: HallState) -> Text:
    return text("Drawn: {round}", round=said_of(event.kind, event.first))


@_says.register
def _(event: events.Called, state: HallState) -> Text:
    return text("Called: {round}", round=title_of(state, event.round))


@_says.register
def _(event: events.CalledAgain, state: HallState) -> Text:
    return text("{round}, table {n}: played again", round=title_of(state, event.round), n=event.number)


@_says.register
def _(event: events.Paused, state: HallState) -> Text:
    return text("The clock is stopped") if event.stands else text("The clock goes on")


@_says.register
def _(event: events.Announced, state: HallState) -> Text:
    return text("Said: {words}", words=event.says) if event.says else text("The announcement was taken away")


@_says.register
def _(event: events.ListClosed, state: HallState) -> Text:
    return text("The list is closed") if event.closed else text("The list is open")


@_says.register
def _(event: events.Typed, state: HallState) -> Text:
    title = title_of(state, event.round)
    if event.places:
        return text("{round}, table {n}: result typed", round=title, n=event.number)
    return text("{round}, table {n}: what the table says counts", round=title, n=event.number)


@_says.register
def _(event: events.Cleared, state: HallState) -> Text:
    title = title_of(state, event.round)
    return text("{round}, table {n}: looked at, and counts", round=title, n=event.number)


@_says.register
def _(event: events.ChangeSeen, state: HallState) -> Text:
    return text("{round}: seen that results before it have changed", round=title_of(state, event.round))


@_says.register
def _(event: events.VerdictAppealed, state: HallState) -> Text:
    return text("{round}: an appeal", round=title_of(state, event.round))


@_says.register
def _(event: events.AppealDecided, state: HallState) -> Text:
    return text("An appeal was decided: {why}", why=event.reason)
