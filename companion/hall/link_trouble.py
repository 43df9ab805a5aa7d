"""Why there is no link to a message server, as the part of a sentence that follows a colon. Pure."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Mapping
from errno import ECONNREFUSED
from typing import Any

from lastnose.companion.core.errors import CompanionError, reason
from lastnose.companion.core.text import Text, text

_EXPIRED, _NOT_YET, _OTHER_NAME = 10, 9, (62, 64)  # how OpenSSL numbers what a certificate fails by


class NoLink(CompanionError):
    """There is no link to the message server; `text` is why, as part of a sentence, with its full stop."""


def must_be_tls(address: str, said: Mapping[str, Any]) -> None:
    """Raise NoLink when *address* asks for TLS and the server there, as it has *said* of itself, speaks none.

    The client would go on without.
    """
    if address.startswith("tls:") and not said.get("tls_required"):
        raise NoLink(text("it does not speak TLS."))


def explained(problem: Exception, host: str) -> Exception:
    """Return *problem* with *host* as a NoLink, or as it is when nothing more is known of it."""
    why = None if isinstance(problem, CompanionError) else _cause(problem, host)
    if why is None:
        return problem
    made = NoLink(why)
    made.__cause__ = problem
    return made


def _cause(problem: Exception, host: str) -> Text | None:
    if isinstance(problem, ssl.SSLError):
        return _of_tls(problem, host)
    if isinstance(problem, socket.gaierror):
        return text("{host} cannot be found ({why}).", host=host, why=reason(problem))
    if isinstance(problem, TimeoutError) or not isinstance(problem, OSError):
        return text("{host} does not answer.", host=host) if isinstance(problem, TimeoutError) else None
    # of a name with several addresses asyncio only tells the errors' text
    told = re.findall(r"\[Errno (\d+)\]", str(problem))
    if str(ECONNREFUSED) in (told or [str(problem.errno)]):
        return text("no message server runs at {host}.", host=host)
    return text("{host} does not answer.", host=host)


def _of_tls(problem: ssl.SSLError, host: str) -> Text:
    code = problem.verify_code if isinstance(problem, ssl.SSLCertVerificationError) else 0
    if code == _EXPIRED:
        return text("its certificate has expired, or this machine’s clock is wrong.")
    if code == _NOT_YET:
        return text("its certificate is not valid yet, or this machine’s clock is wrong.")
    if code in _OTHER_NAME:
        return text("its certificate is not for {host}.", host=host)
    if code:
        return text("nobody whom this machine trusts has signed its certificate (SSL_CERT_FILE).")
    return text("TLS fails with it ({why}).", why=reason(problem))
