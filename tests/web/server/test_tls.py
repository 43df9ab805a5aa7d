"""A table with a certificate: the same pages and streams over TLS, and a cookie that leaves no other way."""

from __future__ import annotations

import json
import ssl
import urllib.request
from pathlib import Path

import pytest
from lastnose.companion.app.app import App
from lastnose.companion.config.settings import RunSettings
from lastnose.companion.core.errors import BadInput
from lastnose.companion.wiring.profile import load_profile

from tests.support.certificates import certificate, need_openssl

WITHIN_S = 120


@need_openssl
def test_a_page_over_tls_has_a_cookie_for_tls_only(tmp_path: Path) -> None:
    """Page, post and stream; this machine is the host there, too."""
    tls = certificate(tmp_path, "table", of="IP:127.0.0.1")
    app = App(RunSettings("mock", load_profile("mock:3"), tmp_path / "data", port=0, tls=tls))
    (url, *_) = app.start()
    try:
        assert url.startswith("https://127.0.0.1:")
        trust = ssl.create_default_context(cafile=str(tls[0]))
        with urllib.request.urlopen(f"{url}setup", timeout=WITHIN_S, context=trust) as page:
            cookie, html = page.headers["Set-Cookie"], page.read().decode()
        assert "Secure" in cookie
        assert "HttpOnly" in cookie
        token = html.partition('name="csrf-token" content="')[2].partition('"')[0]
        asked = urllib.request.Request(
            f"{url}api/v1/pin",
            data=b"{}",
            headers={
                "Cookie": cookie.partition(";")[0],
                "X-CSRFToken": token,
                "Content-Type": "application/json",
            },
        )
        with urllib.request.urlopen(asked, timeout=WITHIN_S, context=trust) as answer:
            assert app.access.pin == json.load(answer)["pin"]
        with urllib.request.urlopen(f"{url}events", timeout=WITHIN_S, context=trust) as stream:
            assert b"retry: 1000\n" == stream.readline()
    finally:
        app.stop()


@need_openssl
def test_a_certificate_that_is_none_is_named_before_anybody_is_let_in(tmp_path: Path) -> None:
    """The key in its place: a sentence, and no page."""
    good, key = certificate(tmp_path, "table")
    app = App(RunSettings("mock", load_profile("mock:3"), tmp_path / "data", port=0, tls=(key, good)))
    with pytest.raises(BadInput, match=r"table\.key: TLS takes a certificate"):
        app.start()
