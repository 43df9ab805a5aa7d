"""For when the table does not answer: a page kept from any other, gone by itself when the table is back."""

from __future__ import annotations

import pytest
from lastnose.web.server.server import Server

from tests.support.phones import make_access
from tests.support.ports import free_port
from tests.support.tables import started
from tests.web.browser.conftest import PHONE, Stage, Visits, expect


@pytest.mark.parametrize("path", ["/", "/statistics"])
def test_a_page_that_was_open_once_says_what_is_wrong_and_comes_back(
    visit: Visits, stage: Stage, path: str
) -> None:
    """The table stops; the page is opened again, and says so; both are there again."""
    port = free_port()
    with started(Server(stage, make_access(), port=port)):
        page = visit.drawn(f"http://127.0.0.1:{port}{path}", may_complain=True, **PHONE)
        page.wait_for_function(
            "() => navigator.serviceWorker.ready.then((kept) => kept.active.state === 'activated')"
        )
    page.reload()
    page.get_by_role("heading", name="The table does not answer").wait_for()
    with started(Server(stage, make_access(), port=port)):
        expect(page.locator("nav.foot, footer.foot")).to_be_attached()
        assert f":{port}{path}" in page.url
