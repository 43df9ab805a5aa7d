"""A connection to the message server, by key. Who loses it connects again: one way for every trouble."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from companion.hall import keys

if TYPE_CHECKING:
    from nats.aio.client import Client

WITHIN_S = 3
_log = logging.getLogger("lastnose.hall")


async def connect(address: str, seed: str, name: str, inbox: str = "_INBOX") -> Client:
    """Return a connection to *address*, proven with the secret key *seed*; raise what the client raises."""
    from nats.aio.client import Client

    client = Client()
    # The client's own way asks for a package that there is no wheel of, for this and a signature.
    client._public_nkey = keys.public_key(seed)
    try:
        await client.connect(
            address,
            name=name,
            signature_cb=lambda nonce: keys.signed(seed, nonce),
            inbox_prefix=inbox.encode(),
            allow_reconnect=False,
            connect_timeout=WITHIN_S,
            ping_interval=5,
            max_outstanding_pings=2,
            error_cb=_quiet,
        )
    except BaseException:
        if client._transport is not None:  # a refusal leaves its socket open
            client._transport.close()  # type: ignore[no-untyped-call]
        raise
    return client


async def _quiet(problem: Exception) -> None:
    _log.debug("%r", problem)
