"""A connection to the message server, by key. Who loses it connects again: one way for every trouble."""

from __future__ import annotations

import asyncio
import logging
import ssl
from pathlib import Path
from random import sample
from ssl import SSLContext
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lastnose.companion.hall import engine, keys
from lastnose.companion.hall.link_trouble import explained, must_be_tls

if TYPE_CHECKING:
    from nats.aio.client import Client

WITHIN_S = 3
_log = logging.getLogger("lastnose.hall")


async def connect(
    address: str, seed: str, name: str, inbox: str = "_INBOX", own: Path | None = None
) -> Client:
    """Return a connection to *address*, proven with the secret key *seed*.

    Raises NoLink when it is known why there is none, else what the client raises. Of several addresses, with
    commas between them, it is any that answers. *own* is the certificate of our own server, which is known by
    that alone: not every certificate is for the name by which we reach it.
    """
    known = address.split(",")
    troubles: list[Exception] = []
    for one in sample(known, len(known)):
        try:
            await asyncio.to_thread(engine.must_stay_inside, one)  # a name is asked for, which may take long
            return await _connect(one, seed, name, inbox, own)
        except Exception as problem:  # the client raises kinds of its own for every part of a link
            troubles.append(explained(problem, urlsplit(one).hostname or one))
    # A certificate that is not right is somebody's to mend; a server that is gone may be one of a cluster.
    raise max(troubles, key=lambda one: isinstance(one.__cause__, ssl.SSLError))


async def _connect(address: str, seed: str, name: str, inbox: str, own: Path | None) -> Client:
    from nats.aio.client import Client
    from nats.errors import NoServersError

    client = Client()
    last: list[Exception] = []  # it tells what was wrong, and then raises that there is no server

    async def note(problem: Exception) -> None:
        _log.debug("%r", problem)
        last[:] = [problem]

    def sign(nonce: str) -> bytes:
        must_be_tls(address, client._server_info)
        return keys.signed(seed, nonce)

    # The client's own way asks for a package that there is no wheel of, for this and a signature.
    client._public_nkey = keys.public_key(seed)
    try:
        await client.connect(
            address,
            name=name,
            signature_cb=sign,
            inbox_prefix=inbox.encode(),
            allow_reconnect=False,
            max_reconnect_attempts=1,  # else a server that is gone is tried for two minutes before the next
            reconnect_time_wait=0,
            connect_timeout=WITHIN_S,
            ping_interval=5,
            max_outstanding_pings=2,
            error_cb=note,
            tls=_known_by(own) if own is not None else None,
        )
        must_be_tls(address, client._server_info)  # who wants no signature may be anybody
    except BaseException as problem:
        await _let_go(client)
        if isinstance(problem, NoServersError) and last:
            raise last[0] from None
        raise
    return client


async def rest(client: Client, for_s: float) -> None:
    """Wait, and let lie what the server sends meanwhile: read together it costs far less than one by one."""
    writer = getattr(client._transport, "_io_writer", None)  # none while the link is being made anew
    if writer is not None:
        writer.transport.pause_reading()
    try:
        await asyncio.sleep(for_s)
    finally:
        if writer is not None:
            writer.transport.resume_reading()


async def _let_go(client: Client) -> None:
    if client.is_connected:
        await client.close()
    elif client._transport is not None:  # a refusal leaves its socket open
        client._transport.close()  # type: ignore[no-untyped-call]


def _known_by(certificate: Path) -> SSLContext:
    """Return what trusts the server with this *certificate*, and no other."""
    made = ssl.create_default_context(cafile=certificate)
    made.check_hostname = False
    made.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return made
