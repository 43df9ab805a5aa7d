"""The certificate and the key that a hall is given: each wrong file is named, before anything is started."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from companion.core.errors import BadInput
from companion.hall.tls import must_fit

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two certificates and their keys, a key with a password, and a file of words."""
    folder = tmp_path_factory.mktemp("tls")
    curve = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1"

    def openssl(words: str) -> None:
        subprocess.run(["openssl", *words.split()], cwd=folder, check=True, capture_output=True)

    for name in ("", "other-"):
        files = f"-keyout {name}key.pem -out {name}cert.pem"
        openssl(f"req -x509 {curve} -nodes -days 2 -subj /CN=hall.example {files}")
    openssl("pkcs8 -topk8 -in key.pem -passout pass:pig -out locked.pem")
    (folder / "words.pem").write_text("Dear organiser,", encoding="utf-8")
    (folder / "broken.pem").write_text("-----BEGIN CERTIFICATE-----\nAAAA\n", encoding="utf-8")
    both = (folder / "cert.pem").read_bytes() + (folder / "key.pem").read_bytes()
    (folder / "both.pem").write_bytes(both)
    return folder


@pytest.mark.parametrize(
    ("cert", "key", "says"),
    [
        ("key", "cert", "key.pem is a key: give it as --tls-key."),
        ("cert", "cert", "cert.pem is a certificate: give it as --tls-cert."),
        ("words", "key", "words.pem is no certificate in PEM form."),
        ("cert", "words", "words.pem is no key in PEM form."),
        ("cert", "locked", "locked.pem has a password"),
        ("cert", "other-key", "other-key.pem is not the key of the certificate"),
        ("broken", "key", "cannot be used ("),
        ("away", "key", "away.pem cannot be read (No such file or directory)."),
    ],
)
def test_a_wrong_file_is_named_with_what_it_is(files: Path, cert: str, key: str, says: str) -> None:
    """The sentence ends with what to do, where that can be known."""
    with pytest.raises(BadInput) as problem:
        must_fit(files / f"{cert}.pem", files / f"{key}.pem")
    assert says in str(problem.value)


@pytest.mark.parametrize(("cert", "key"), [("cert", "key"), ("other-cert", "other-key"), ("both", "both")])
def test_a_certificate_with_its_key_is_taken(files: Path, cert: str, key: str) -> None:
    """In two files, or in one."""
    must_fit(files / f"{cert}.pem", files / f"{key}.pem")
