"""The certificate of our own message server and its key: looked at before the server is, which says less."""

from __future__ import annotations

import re
import ssl
from pathlib import Path

from companion.core.errors import BadInput, reason
from companion.core.text import text

_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----")
_KEY = re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----")


def must_fit(cert: Path, key: Path) -> None:
    """Raise BadInput unless *cert* is a certificate and *key* its key, both in PEM and without a password."""
    in_cert, in_key = _read(cert), _read(key)
    if not _CERTIFICATE.search(in_cert):
        if _KEY.search(in_cert):
            raise BadInput(text("{file} is a key: give it as --tls-key.", file=str(cert)))
        raise BadInput(text("{file} is no certificate in PEM form.", file=str(cert)))
    if not _KEY.search(in_key):
        if _CERTIFICATE.search(in_key):
            raise BadInput(text("{file} is a certificate: give it as --tls-cert.", file=str(key)))
        raise BadInput(text("{file} is no key in PEM form.", file=str(key)))
    if "ENCRYPTED" in in_key:
        raise BadInput(text("{file} has a password: give a key without one.", file=str(key)))
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
    except ssl.SSLError as problem:
        if problem.reason == "KEY_VALUES_MISMATCH":
            says = text("{key} is not the key of the certificate {file}.", key=str(key), file=str(cert))
        else:
            says = text(
                "{file} and {key} cannot be used ({why}).", file=str(cert), key=str(key), why=str(problem)
            )
        raise BadInput(says) from problem


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode("latin-1")
    except OSError as problem:
        raise BadInput(
            text("{file} cannot be read ({why}).", file=str(file), why=reason(problem))
        ) from problem
