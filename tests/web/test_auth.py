"""Who may change things: the machine itself, joined phones, tokens; and nobody through another site."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import pytest
from lastnose.companion.config.settings import Wifi
from lastnose.web.access import Access, open_access

from tests.support.fakes import ROUND, FakeTable
from tests.support.phones import PIN, TOKEN, TOKENS, Clock, Phone, make_access, make_app

TAP = {"page": "p1", "clock_u_ns": 0, "taps": []}
CHANGES = [
    ("/api/v1/commands", {"type": "arm"}),
    ("/api/v1/clock", {"page": "p1"}),
    ("/api/v1/taps", TAP),
]


def opened(folder: Path) -> Access:
    """Return the access rules kept in *folder*, which is made."""
    folder.mkdir(exist_ok=True)
    return open_access(folder, lan=True, now_s=Clock(), evening=1)


NAMED = {"name": "  Élodie   of the long\nwinter nights"}


@pytest.mark.parametrize(("path", "body"), CHANGES)
@pytest.mark.parametrize(
    ("who", "csrf", "expected"),
    [
        ("machine", True, 200),
        ("machine", False, 403),
        ("phone", True, 403),
        ("phone", False, 403),
        ("joined", True, 200),
        ("joined", False, 403),
        ("token", False, 200),
        ("token on phone", False, 200),
        ("wrong token", True, 401),
        ("wrong token", False, 401),
        ("proxied", True, 403),
    ],
)
def test_who_may_change_the_table(
    path: str, body: dict[str, object], who: str, csrf: bool, expected: int
) -> None:
    """The whole matrix: from where, joined or not, with token, with the page's CSRF token or without."""
    table = FakeTable()
    app = make_app(table, make_access(lan=True, tokens=TOKENS))
    on_machine = who in ("machine", "token", "wrong token", "proxied")
    visitor = Phone(app) if on_machine else Phone.in_network(app)
    if who == "joined":
        assert 200 == visitor.join().status_code
    headers = {
        "token": {"Authorization": f"Bearer {TOKEN}"},
        "token on phone": {"Authorization": f"Bearer {TOKEN}"},
        "wrong token": {"Authorization": f"Bearer {TOKEN}x"},
        "proxied": {"X_Forwarded_For": "192.0.2.77"},
    }.get(who, {})
    assert expected == visitor.post(path, body, csrf=csrf, **headers).status_code
    assert (expected == 200 and "commands" in path) == bool(table.commands)


@pytest.mark.parametrize(
    "path", ["/api/v1/state", "/api/v1/rounds", "/api/v1/export.csv", "/api/v1/rounds/12/tape"]
)
def test_watching_needs_no_pin(path: str) -> None:
    """A phone that has not joined sees everything."""
    assert 200 == Phone.in_network(make_app(access=make_access(lan=True))).get(path).status_code


def test_an_appeal_changes_nothing_and_needs_no_pin() -> None:
    """Everybody may look at the edges again."""
    phone = Phone.in_network(make_app(access=make_access(lan=True)))
    answer = phone.post(f"/api/v1/rounds/{ROUND.seq}/appeal", {"confirm_us": 1, "lockout_us": 2})
    assert 200 == answer.status_code


def test_the_log_knows_who_asked() -> None:
    """The machine is the host, a phone and a token have names."""
    table = FakeTable()
    app = make_app(table, make_access(lan=True, tokens=TOKENS))
    phone = Phone.in_network(app)
    name = phone.join().json["phone"]
    phone.command()
    Phone(app).command()
    phone.post("/api/v1/commands", {"type": "arm"}, csrf=False, Authorization=f"Bearer {TOKEN}")
    assert [name, "host", "token board"] == [by for _, by in table.commands]
    assert name.startswith("phone ")


def test_a_phone_may_be_given_a_name() -> None:
    """Tidied and cut; the log writes it behind the phone's own, and it can be taken off again."""
    table = FakeTable()
    app = make_app(table, make_access(lan=True, tokens=TOKENS))
    phone, host = Phone.in_network(app), Phone(app)
    assert 403 == phone.post("/api/v1/phone", NAMED).status_code
    phone.join()
    given = phone.post("/api/v1/phone", NAMED).get_json()
    assert "Élodie of the long w" == given["name"]
    host.post("/api/v1/phone", {"name": "East"})
    phone.command()
    host.command()
    assert [given["phone"], "host East"] == [by for _, by in table.commands]
    page = phone.get("/").get_data(as_text=True)
    assert f'data-by="{given["phone"].removesuffix(" Élodie of the long w")}"' in page
    assert 'value="Élodie of the long w"' in page
    assert {"phone": "host", "name": ""} == host.post("/api/v1/phone", {"name": " "}).get_json()
    refused = host.post("/api/v1/phone", NAMED, csrf=False, Authorization=f"Bearer {TOKEN}")
    assert (403, "A program has no seat, and goes by the name of its token.") == (
        refused.status_code,
        refused.get_json()["error"],
    )


def test_an_answer_on_its_way_does_not_bring_an_old_name_back() -> None:
    """Only pages renew the cookie of a phone; pictures, streams and calls leave it alone."""
    app = make_app(access=make_access(lan=True))
    phone = Phone.in_network(app)
    phone.join()
    assert "Set-Cookie" in phone.get("/").headers
    for path in ("/api/v1/state", "/api/v1/rounds", "/static/pages/table.js"):
        assert "Set-Cookie" not in phone.get(path).headers, path


def test_a_host_stays_one_after_a_restart(tmp_path: Path) -> None:
    """What is kept knows it still; a table with another key knows none of its devices."""
    first = Phone.in_network(make_app(access=opened(tmp_path)))
    pin = opened(tmp_path).pin
    assert 200 == first.join(pin).status_code
    for folder, expected in ((tmp_path, 200), (tmp_path / "another", 403)):
        again = Phone.in_network(make_app(access=opened(folder)))
        again.client._cookies.update(first.client._cookies)
        assert expected == again.command().status_code


@pytest.mark.parametrize("days", [40, -40, -300 / 86400])
def test_a_joined_phone_stays_joined_when_the_clock_is_put_right(
    days: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Pi without a clock chip starts in the past; a time server, or a pulled plug, moves it either way."""
    phone = Phone.in_network(make_app(access=make_access(lan=True)))
    phone.join()
    then_s = time.time()
    monkeypatch.setattr(time, "time", lambda: then_s + days * 86400)
    assert 200 == phone.command().status_code
    phone.get("/")
    assert 200 == phone.command().status_code


def test_a_cookie_that_is_not_ours_joins_nobody() -> None:
    """Neither nonsense nor one letter of the phone's name changed."""
    phone = Phone.in_network(make_app(access=make_access(lan=True)))
    phone.join()
    (cookie,) = phone.client._cookies.values()
    good = cookie.value
    for bad in ("", "x", "a.b", good[:-1], good[:3] + ("A" if good[3] != "A" else "B") + good[4:]):
        phone.client.set_cookie("lastnose", bad, domain=cookie.domain)
        assert 403 == phone.command().status_code
    phone.client.set_cookie("lastnose", good, domain=cookie.domain)
    assert 200 == phone.command().status_code


def test_the_cookie_is_kept_from_scripts_and_other_sites() -> None:
    """HttpOnly and SameSite=Strict, for a month by the phone's clock, under a name of this table's own."""
    phone = Phone.in_network(make_app(access=make_access(lan=True), cookie="lastnose-8080"))
    cookie = phone.join().headers["Set-Cookie"]
    assert cookie.startswith("lastnose-8080=")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert f"Max-Age={30 * 24 * 3600}" in cookie


def test_wrong_pins_are_braked_with_the_seconds_to_wait() -> None:
    """The sixth try is refused unseen, says how long, and the right PIN works after that time."""
    clock = Clock()
    phone = Phone.in_network(make_app(access=make_access(lan=True, clock=clock)))
    assert [403] * 5 == [phone.join("0000").status_code for _ in range(5)]
    refused = phone.join(PIN)
    assert (429, "5") == (refused.status_code, refused.headers["Retry-After"])
    assert refused.json["error"].startswith("Too many wrong PINs. Try again in 5 seconds, or")
    clock.now_s += 5
    assert 200 == phone.join(PIN).status_code


def test_the_pin_is_in_no_answer_and_no_log(caplog: pytest.LogCaptureFixture) -> None:
    """Only hosts are told; the code that anybody may see is the way to a seat."""
    caplog.set_level(logging.DEBUG)
    app = make_app(access=make_access(lan=True), join_address="http://192.0.2.2:8080/join")
    phone = Phone.in_network(app)
    assert 403 == phone.get("/api/v1/pin").status_code
    answers = [phone.join("1111"), phone.join(), phone.join()]
    paths = ("state", "games", "players", "rounds", "export.json", "export.csv", "openapi.json", "qr.svg")
    answers += [phone.get(f"/api/v1/{path}") for path in paths]
    said = "".join(answer.get_data(as_text=True) + str(answer.headers) for answer in answers[:-1])
    for secret in (PIN, app.extensions["lastnose.access"].secret):
        assert secret not in said
        assert secret not in caplog.text
    assert (200, "image/svg+xml") == (answers[-1].status_code, answers[-1].mimetype)


def test_a_join_with_the_pin_in_the_address_is_not_understood() -> None:
    """The PIN belongs in the body of a POST, nowhere else."""
    phone = Phone.in_network(make_app(access=make_access(lan=True)))
    assert 405 == phone.get(f"/api/v1/join?pin={PIN}").status_code
    assert 400 == phone.post(f"/api/v1/join?pin={PIN}", {}).status_code


def test_without_a_network_there_is_no_qr_code() -> None:
    """The sentence says how to let phones in."""
    answer = Phone(make_app()).get("/api/v1/qr.svg")
    assert (404, True) == (answer.status_code, "--lan" in answer.json["error"])


def test_the_wifi_password_is_in_its_qr_code_only() -> None:
    """For who has joined; without a network of the table's own there is none, in one sentence."""
    network = Wifi("Last Nose", "amber-7-falcon")
    app = make_app(access=make_access(lan=True), join_address="http://192.0.2.2:8080/join", wifi=network)
    phone = Phone.in_network(app)
    assert 403 == phone.get("/api/v1/wifi.svg").status_code
    phone.join()
    code = phone.get("/api/v1/wifi.svg")
    assert (200, "image/svg+xml", "no-store") == (
        code.status_code,
        code.mimetype,
        code.headers["Cache-Control"],
    )
    html = phone.get("/").get_data(as_text=True)
    assert 'data-code="/api/v1/wifi.svg"' in html
    assert network.password not in html
    plain = Phone(make_app(join_address="http://192.0.2.2:8080/join"))
    refused = plain.get("/api/v1/wifi.svg")
    assert (404, True) == (refused.status_code, "--access-point" in refused.json["error"])
    assert "wifi.svg" not in plain.get("/").get_data(as_text=True)


@pytest.mark.parametrize("path", ["/api/v1/state", "/api/v1/clock", "/static/nothing.js", "/"])
@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:8080", "192.0.2.2.evil.example"])
def test_a_foreign_name_for_this_address_is_refused(path: str, host: str) -> None:
    """DNS rebinding: the request reaches us, but under another site's name."""
    answer = Phone(make_app(), host=host).get(path)
    assert 421 == answer.status_code
    assert "does not go by that name" in answer.get_data(as_text=True)


def test_own_names_are_answered() -> None:
    """Addresses, loopback names and the names given."""
    app = make_app(names=("nosebox.local",))
    for host in ("localhost:1", "127.0.0.1:1", "[::1]:1", "192.0.2.2:1", "NoseBox.local:1"):
        assert 200 == Phone(app, host=host).get("/api/v1/state").status_code


def test_a_rebound_name_on_the_machine_itself_is_not_the_host() -> None:
    """From a loopback address but under a network name one has to join."""
    app = make_app(access=make_access(lan=True), names=("nosebox.local",))
    assert 403 == Phone(app, host="nosebox.local:8080").command().status_code


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, 200),
        ({"Origin": "null"}, 200),
        ({"Origin": "http://localhost:8080"}, 200),
        ({"Origin": "http://[::1]:8080"}, 200),
        ({"Origin": "http://192.0.2.2:8591"}, 403),
        ({"Origin": "https://nosebox.example"}, 403),
        ({"Origin": "http://[::1"}, 200),
        ({"Via": "1.1 cache"}, 403),
        ({"X-Forwarded-Proto": "https"}, 403),
        ({"X-Forwarded-Host": "nosebox.example"}, 403),
    ],
)
def test_who_comes_through_a_proxy_in_this_machines_name_is_not_the_host(
    headers: dict[str, str], expected: int
) -> None:
    """The page's own address, or any word of the proxy, tells; a window of the machine itself hosts."""
    browser = Phone(make_app(access=make_access(lan=True)))
    assert expected == browser.post("/api/v1/commands", {"type": "arm"}, **headers).status_code


def test_a_csrf_token_of_another_browser_does_not_help() -> None:
    """The token belongs to the cookie."""
    app = make_app()
    stolen = Phone(app).get("/csrf").get_data(as_text=True)
    victim = Phone(app)
    victim.get("/csrf")
    answer = victim.post("/api/v1/commands", {"type": "arm"}, csrf=False, X_CSRFToken=stolen)
    assert (403, "This page is out of date. Load it again.") == (
        answer.status_code,
        answer.json["error"],
    )


def test_a_page_may_stay_open_all_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    """The CSRF token does not age: eight hours later it still works."""
    browser = Phone(make_app())
    token = browser.get("/csrf").get_data(as_text=True)
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 8 * 3600)
    answer = browser.post("/api/v1/commands", {"type": "arm"}, csrf=False, X_CSRFToken=token)
    assert 200 == answer.status_code


@pytest.mark.parametrize("path", ["/api/v1/state", "/api/v1/nothing", "/nothing", "/static/site.css"])
def test_every_answer_keeps_foreign_content_out(path: str) -> None:
    """Headers of refusals and files too: nothing from elsewhere, nothing framed, nothing guessed."""
    headers = Phone(make_app()).get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert ("nosniff", "no-referrer") == (headers["X-Content-Type-Options"], headers["Referrer-Policy"])
