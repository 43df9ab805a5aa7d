"""The pages as served: their state, language and headers. What they do is tested in tests/web/browser."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.text import text
from lastnose.companion.views.snapshot import PlayerRow, Snapshot

from tests.support.fakes import ROUND, VERDICT, FakeTable
from tests.support.phones import PIN, Phone, make_access, make_app

PAGES = (
    "/",
    "/setup",
    "/board",
    "/appeal",
    "/history",
    f"/history/{ROUND.seq}",
    "/join",
    "/help/pig",
    "/statistics",
    "/nose",
    "/zero",
)
JOIN = "http://192.0.2.2:8080/join"


class FakeScreen:
    """A small screen that shows one picture."""

    def png(self) -> bytes:
        return b"\x89PNG picture"


def data_of(html: str, name: str) -> Any:
    """Return the JSON of the script element *name* of a page."""
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', html, re.DOTALL)
    assert found, f"the page has no {name}"
    return json.loads(found[1])


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_page_comes_in_every_language_with_the_state_in_it(path: str, language: str) -> None:
    """The first picture needs no second request; the page says which language it is in."""
    answer = Phone(make_app()).get(f"{path}?lang={language}")
    html = answer.get_data(as_text=True)
    assert (200, language) == (answer.status_code, answer.headers["Content-Language"])
    assert f'<html lang="{language}"' in html
    assert 7 == data_of(html, "state")["version"]
    assert "no-store" == answer.headers["Cache-Control"]


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_inline_code_or_asks_another_host(path: str) -> None:
    """What the policy would block is not there: no inline script, handler or style, no foreign address."""
    html = Phone(make_app()).get(path).get_data(as_text=True)
    for tag in re.findall(r"<script\b[^>]*>", html):
        assert "src=" in tag or 'type="application/json"' in tag
    outside_data = re.sub(r"<script\b.*?</script>", "", html, flags=re.DOTALL)
    assert not re.search(r"<style\b|\sstyle=|\son\w+=", outside_data)
    assert set() == set(re.findall(r"https?://[^\s\"'<]+", html)) - {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("path", PAGES)
def test_the_token_in_the_page_lets_it_change_things(path: str) -> None:
    """The meta tag is what the page's own code sends."""
    browser = Phone(make_app())
    html = browser.get(path).get_data(as_text=True)
    token = unescape(re.search(r'name="csrf-token" content="([^"]+)"', html)[1])  # type: ignore[index]
    answer = browser.post("/api/v1/commands", {"type": "arm"}, csrf=False, X_CSRFToken=token)
    assert 200 == answer.status_code


@pytest.mark.parametrize("path", PAGES)
def test_the_pin_is_on_no_page(path: str) -> None:
    """Not even for the host: the QR code is fetched when it is wanted, and only then."""
    app = make_app(access=make_access(lan=True), join_address=JOIN)
    phone = Phone.in_network(app)
    phone.join()
    for visitor in (Phone(app), phone, Phone.in_network(app)):
        html = visitor.get(path).get_data(as_text=True)
        assert PIN not in re.sub(r'(content|data-device)="[^"]+"', "", html)


def test_a_phone_that_has_not_joined_gets_no_controls() -> None:
    """It is shown the way to join instead; a joined one and the machine itself get them."""
    app = make_app(access=make_access(lan=True), join_address=JOIN)
    joined = Phone.in_network(app)
    joined.join()
    pages = [
        visitor.get("/").get_data(as_text=True) for visitor in (Phone(app), joined, Phone.in_network(app))
    ]
    assert [True, True, False] == ['data-do="arm"' in html for html in pages]
    assert [True, True, False] == ['id="phones"' in html for html in pages]
    assert 'href="/join"' in pages[2]


def test_a_name_made_of_markup_stays_a_name() -> None:
    """</script> as a player neither ends the data nor becomes an element."""
    name = '</script><img src=x onerror="alert(1)">'
    row = PlayerRow(seat=1, player=name, letters=(), word=(), out=False, score=None)
    table = FakeTable(
        msgspec.structs.replace(VERDICT, rows=(row,), headline=text("{player} was last", player=name))
    )
    for path in PAGES:
        html = Phone(make_app(table)).get(path).get_data(as_text=True)
        assert "<img src=x" not in html
        assert name == data_of(html, "state")["rows"][0]["player"]


def test_set_up_knows_games_players_and_noses() -> None:
    """All that is needed to start without a further request."""
    html = Phone(make_app()).get("/setup").get_data(as_text=True)
    assert "pig" in [game["name"] for game in data_of(html, "games")]
    assert ["Zoé", "North", "East", "South"] == data_of(html, "known")
    assert ["nose.1", "nose.2", "nose.3"] == data_of(html, "lines")


def test_history_has_its_rounds_and_a_round_itself() -> None:
    """A round that is not there is one sentence, as text."""
    browser = Phone(make_app())
    assert [12] == [
        found["seq"] for found in data_of(browser.get("/history").get_data(as_text=True), "rounds")
    ]
    assert 12 == data_of(browser.get("/history/12").get_data(as_text=True), "round")["seq"]
    missing = browser.get("/history/99")
    assert (404, "There is no entry 99 this evening.\n") == (
        missing.status_code,
        missing.get_data(as_text=True),
    )


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_language_once_chosen_stays(method: str) -> None:
    """The cookie wins over the browser's wish, and one comes back to where one was."""
    browser = Phone(make_app())
    path = "/lang/fr?next=/board"
    answer = browser.get(path) if method == "GET" else browser.post(path, {})
    assert (303, "/board") == (answer.status_code, answer.headers["Location"])
    assert "SameSite=Lax" in answer.headers["Set-Cookie"]
    assert "fr" == browser.get("/board", Accept_Language="en").headers["Content-Language"]


@pytest.mark.parametrize(
    "there", ["https://evil.example/", "//evil.example", "/\\evil.example", "", "/%0d%0aSet-Cookie:x"]
)
def test_choosing_a_language_leads_nowhere_else(there: str) -> None:
    """Only paths of this site are gone back to."""
    assert "/" == Phone(make_app()).get(f"/lang/en?next={there}").headers["Location"]


def test_a_language_we_do_not_speak_is_refused() -> None:
    """The sentence says which there are."""
    answer = Phone(make_app()).get("/lang/tlh")
    assert (404, "The pages speak en, fr, bs.\n") == (answer.status_code, answer.get_data(as_text=True))


def test_the_small_screen_is_shown_live() -> None:
    """The picture of this moment, never a kept one; without a screen one sentence."""
    answer = Phone(make_app(screen=FakeScreen())).get("/oled.png")
    assert (b"\x89PNG picture", "image/png", "no-store") == (
        answer.get_data(),
        answer.mimetype,
        answer.headers["Cache-Control"],
    )
    missing = Phone(make_app()).get("/oled.png")
    assert (404, "This table has no small screen.\n") == (missing.status_code, missing.get_data(as_text=True))


def test_before_the_first_game_every_page_works() -> None:
    """Nothing has been played and nobody is known."""
    empty = Snapshot(
        version=1, seq=0, evening=1, phase="setup", simulated=False, headline=text("Who plays?"), proof=()
    )
    table = FakeTable(empty, simulated=False)
    table.rounds = lambda: ()  # type: ignore[method-assign]
    table.known_players = lambda: ()  # type: ignore[method-assign]
    for path in ("/", "/setup", "/board", "/history", "/join"):
        assert 200 == Phone(make_app(table)).get(path).status_code


def test_the_rules_say_how_the_options_change_the_game() -> None:
    """Those in the address, else those of the game that is being played."""
    browser = Phone(make_app())
    usual = browser.get("/help/pig").get_data(as_text=True)
    assert "There are no turns" in usual
    assert "House rules" not in usual
    stock = browser.get('/help/pig?options={"stock":true,"word":"SOW"}').get_data(as_text=True)
    assert "The dealer draws from the stock" in stock
    assert "SOW" in stock
    assert "With a stock</b> yes" in stock
    table = FakeTable(msgspec.structs.replace(VERDICT, game="pig", options={"stock": True}))
    assert "The dealer draws from the stock" in Phone(make_app(table)).get("/help/pig").get_data(as_text=True)


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/help/nothing", 404, "There is no game “nothing” at this table.\n"),
        (
            "/help/pig?options=[1]",
            400,
            "These options cannot be read: this must be a group of keys, not a list.\n",
        ),
        ("/help/pig?options={", 400, "These options cannot be read: it is not valid JSON.\n"),
        (
            f"/help/pig?options={'[' * 1500}{']' * 1500}",
            400,
            "These options cannot be read: it is nested more than 64 deep.\n",
        ),
    ],
)
def test_rules_that_are_not_there_are_refused_in_a_sentence(path: str, status: int, says: str) -> None:
    """No game of that name, options that are none."""
    answer = Phone(make_app()).get(path)
    assert (status, says) == (answer.status_code, answer.get_data(as_text=True))


def test_a_browser_is_refused_with_a_page() -> None:
    """What wants HTML gets it, in its language, with a way back; the sentence is the same."""
    answer = Phone(make_app()).get("/nowhere", Accept="text/html,*/*;q=0.8", Accept_Language="fr")
    html = answer.get_data(as_text=True)
    assert (404, "text/html; charset=utf-8") == (answer.status_code, answer.headers["Content-Type"])
    assert '<html lang="fr">' in html
    assert 'href="/"' in html
    assert "/nowhere" in html
    foreign = Phone(make_app(), host="evil.example").get("/", Accept="text/html")
    assert (421, True) == (foreign.status_code, "<h1>" in foreign.get_data(as_text=True))
    plain = Phone(make_app()).get("/nowhere", Accept="*/*")
    assert "text/plain" in plain.headers["Content-Type"]


def test_the_address_stands_beside_the_qr_code_without_the_pin() -> None:
    """For a phone whose camera does not want to."""
    html = Phone(make_app(join_address=JOIN)).get("/").get_data(as_text=True)
    assert f'<p class="address">{JOIN}</p>' in html
