"""Certificates for tests, made by openssl: of any days, for any name, signed by themselves or by another."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

_CONFIGURATION = """
[ca]
default_ca = made
[made]
database = {folder}/index.txt
new_certs_dir = {folder}
rand_serial = yes
unique_subject = no
default_md = sha256
policy = names
x509_extensions = server
[names]
commonName = supplied
[server]
subjectAltName = {name}
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid:always
[signer]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[req]
distinguished_name = asked
[asked]
"""
BEGINS, ENDS = "20200101120000Z", "20990101120000Z"

need_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")


def certificate(
    folder: Path,
    name: str,
    *,
    of: str = "DNS:localhost",
    begins: str = BEGINS,
    ends: str = ENDS,
    by: tuple[Path, Path] | None = None,
    signs: bool = False,
) -> tuple[Path, Path]:
    """Make *name*.pem and *name*.key for the names *of*, signed with the certificate and key *by*.

    One that *signs* is for others, not for a server.
    """
    folder.mkdir(exist_ok=True)
    cert, key, wish, config = (folder / f"{name}.{ending}" for ending in ("pem", "key", "csr", "cnf"))
    config.write_text(_CONFIGURATION.format(folder=folder, name=of), encoding="ascii")
    (folder / "index.txt").touch()
    _openssl(
        f"req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN={name} "
        f"-config {config} -keyout {key} -out {wish}"
    )
    signed = f"-selfsign -keyfile {key}" if by is None else f"-cert {by[0]} -keyfile {by[1]}"
    _openssl(
        f"ca -batch -notext -config {config} {signed} -in {wish} -out {cert} "
        f"-startdate {begins} -enddate {ends} -extensions {'signer' if signs else 'server'}"
    )
    return cert, key


def _openssl(words: str) -> None:
    subprocess.run(["openssl", *words.split()], check=True, capture_output=True)
