"""The certificate of our own message server and its key, looked at before anything starts with them."""

from __future__ import annotations

import ssl
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lastnose.companion.core.errors import BadInput, unreadable
from lastnose.companion.core.text import text

_CERTIFICATE, _KEY = b"-----BEGIN CERTIFICATE-----", b"PRIVATE KEY-----"
_ANY_TIME = 0x200000  # OpenSSL's X509_V_FLAG_NO_CHECK_TIME, which Python has no name for


def must_be_good(certificate: Path, key: Path, now_s: float) -> None:
    """Raise BadInput unless a server can use *certificate* with *key* at the wall time *now_s*."""
    _must_have(certificate, _CERTIFICATE)
    _must_have(key, _KEY)
    begins_s, ends_s = _valid(certificate, key)
    if not begins_s <= now_s < ends_s:
        raise BadInput(
            text(
                "The certificate {file} is valid from {begin} to {end}: get a new one, or set this machine’s "
                "clock right.",
                file=str(certificate),
                begin=_shown(begins_s),
                end=_shown(ends_s),
            )
        )


def _must_have(file: Path, mark: bytes) -> None:
    try:
        found = file.read_bytes()
    except OSError as problem:
        raise BadInput(unreadable(file, problem)) from problem
    if mark not in found:
        takes = text("TLS takes a certificate (--tls-cert) and its key (--tls-key), both PEM files.")
        raise BadInput(text("{what}: {says}", what=str(file), says=takes))


def _valid(certificate: Path, key: Path) -> tuple[float, float]:
    """Return from when to when *certificate* is valid; raise BadInput when it cannot be used with *key*."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        server.load_cert_chain(certificate, key, password=lambda: b"")
        client = ssl.create_default_context(cafile=certificate)
        client.check_hostname = False
        client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | _ANY_TIME
        found = _shake_hands(client, server)
    except ssl.SSLError as problem:
        raise BadInput(
            text(
                "No server can use {file} with {key} ({why}).",
                file=str(certificate),
                key=str(key),
                why=getattr(problem, "verify_message", None) or problem.reason or str(problem),
            )
        ) from problem
    return ssl.cert_time_to_seconds(found["notBefore"]), ssl.cert_time_to_seconds(found["notAfter"])


def _shake_hands(client: ssl.SSLContext, server: ssl.SSLContext) -> dict[str, str]:
    """Let *client* meet *server* in memory; return what it has read in the certificate."""
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    asks = client.wrap_bio(back, there)
    answers = server.wrap_bio(there, back, server_side=True)
    waiting = [asks, answers]
    while waiting:
        for one in tuple(waiting):
            try:
                one.do_handshake()
                waiting.remove(one)
            except ssl.SSLWantReadError:
                continue
    found = asks.getpeercert() or {}
    return {name: str(value) for name, value in found.items()}


def _shown(at_s: float) -> str:
    """Return the moment *at_s* here; of a certificate for ever, that no clock here can show, in UTC."""
    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=at_s)
    with suppress(ValueError, OverflowError, OSError):
        at = at.astimezone()
    return at.strftime("%Y-%m-%d %H:%M")
