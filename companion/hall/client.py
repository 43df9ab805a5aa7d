"""A connection to the message server, by key. Who loses it connects again: one way for every trouble."""

from __future__ import annotations

import logging
import ssl
from pathlib import Path
from random import sample
from ssl import SSLContext
from typing import TYPE_CHECKING

from companion.hall import keys

if TYPE_CHECKING:
    from nats.aio.client import Client

WITHIN_S = 3
_log = logging.getLogger("lastnose.hall")


async def connect(
    address: str, seed: str, name: str, inbox: str = "_INBOX", own: Path | None = None
) -> Client:
    """Return a connection to *address*, proven with the secret key *seed*; raise what the client raises.

    Of several addresses, with commas between them, it is any that answers. *own* is the certificate of our
    own server, which is known by that alone: not every certificate is for the name by which we reach it.
    """
    known = address.split(",")
    trouble: Exception = ConnectionError(address)
    for one in sample(known, len(known)):
        try:
            return await _connect(one, seed, name, inbox, own)
        except Exception as problem:  # the client raises kinds of its own for every part of a link
            trouble = problem
    raise trouble


async def _connect(address: str, seed: str, name: str, inbox: str, own: Path | None) -> Client:
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
            tls=_known_by(own) if own is not None else None,
        )
    except BaseException:
        if client._transport is not None:  # a refusal leaves its socket open
            client._transport.close()  # type: ignore[no-untyped-call]
        raise
    return client


def _known_by(certificate: Path) -> SSLContext:
    """Return what trusts the server with this *certificate*, and no other."""
    made = ssl.create_default_context(cafile=certificate)
    made.check_hostname = False
    made.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return made


async def _quiet(problem: Exception) -> None:
    _log.debug("%r", problem)
