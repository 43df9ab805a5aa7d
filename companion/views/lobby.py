"""Who is at the table, as screens show it. Pure."""

from __future__ import annotations

from collections.abc import Collection

import msgspec


class GuestView(msgspec.Struct, frozen=True):
    """Somebody at the table, in the order they sit. `device` is the id of their phone, "" for none.

    `line` is the nose that it is, `held` whether that is touched now. `host`: they may start; `plays`: in the
    game that goes on; `waits`: they have come meanwhile, and come in between two rounds; `leaving`: they go
    then.
    """

    id: str
    name: str
    device: str = ""
    line: str = ""
    host: bool = False
    plays: bool = False
    waits: bool = False
    leaving: bool = False
    held: bool = False


class LobbyView(msgspec.Struct, frozen=True):
    """Who is at the table this evening, how many just watch, and who starts ("": whoever hosts)."""

    guests: tuple[GuestView, ...] = ()
    watching: int = 0
    starts: str = ""


def with_touched(lobby: LobbyView, down: Collection[str]) -> LobbyView:
    """Return *lobby* with who touches their nose now: those on the lines that are *down*."""
    guests = tuple(
        one if one.held == (one.line in down) else msgspec.structs.replace(one, held=not one.held)
        for one in lobby.guests
    )
    return lobby if guests == lobby.guests else msgspec.structs.replace(lobby, guests=guests)
