"""While a large event is read, its address says how far that is."""

from __future__ import annotations

import urllib.request
from urllib.error import HTTPError

import pytest
from lastnose.web.hall.server import ReadingPage
from lastnose.web.server.addresses import listen

from tests.support.ports import free_port


def _asked(port: int, language: str) -> tuple[int, str]:
    """Return status and body of the page."""
    wish = urllib.request.Request(f"http://127.0.0.1:{port}/where", headers={"Accept-Language": language})
    with pytest.raises(HTTPError) as found, urllib.request.urlopen(wish, timeout=60):
        pass
    with found.value as answer:
        return answer.code, answer.read().decode()


def test_the_page_says_how_far_the_reading_is_and_makes_room_for_the_halls_own() -> None:
    """Two of five tables are 40 %, in each language; then the port is free."""
    port, now_s = free_port(), [0.0]
    page = ReadingPage(port, lan=False, now_s=lambda: now_s[0])
    page.told(0, 5)
    for one in listen(port, lan=False):  # so early nothing is served yet: most starts are over by then
        one.close()
    now_s[0] = 1.0
    page.told(2, 5)
    assert (503, True) == (_asked(port, "en")[0], "Reading the event: 40 %" in _asked(port, "en")[1])
    page.told(4, 5)
    assert "80\u00a0%" in _asked(port, "fr")[1]
    page.close()
    page.close()
    for one in listen(port, lan=False):
        one.close()


def test_a_taken_port_is_left_to_who_says_so() -> None:
    """The pages themselves say it, with what to do."""
    port, now_s = free_port(), [0.0]
    taken = listen(port, lan=False)
    page = ReadingPage(port, lan=False, now_s=lambda: now_s[0])
    now_s[0] = 1.0
    page.told(1, 2)
    page.told(2, 2)
    page.close()
    for one in taken:
        one.close()
