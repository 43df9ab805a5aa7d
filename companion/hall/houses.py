"""Houses whose tables send to a message server of their own, joined to the main one as a leaf node. Pure."""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec

from companion.core.errors import BadInput
from companion.core.text import text
from companion.hall.engine import PORT


class Houses(msgspec.Struct, frozen=True):
    """The JetStream `domains` of an event's houses, none in one hall; `main` are the main server's."""

    domains: tuple[str, ...] = ()
    main: str = ""

    def must_be_heard(self, engine: str | None) -> None:
        """Raise BadInput when what a table sends to *engine* is not gathered.

        "" is the server that the hall names, None one that is not known: an older table does not say.
        """
        if not self.domains or engine is None:
            return
        if engine and not places(engine) & places(self.main):
            return
        raise BadInput(
            text(
                "Each table of this hall sends to the message server of its own house: say lastnose hall "
                "join with this address and --engine nats://HOUSE:4222. The code is not used up."
            )
        )


def places(address: str) -> set[tuple[str, int]]:
    """Return host and port of each server in *address*, as they are written there.

    >>> places("nats://North,tls://north:4222") == {("north", 4222)}
    True
    """
    found = set()
    for one in filter(None, address.split(",")):
        try:
            parts = urlsplit(one)
            found.add((parts.hostname or "", parts.port or PORT))
        except ValueError:
            continue  # no address of a server: what joins with it says so itself
    return found
