"""A link with a tape in it, opened at another table: photo finish, margin, doubt; and what is no tape."""

from __future__ import annotations

from lastnose.companion.table.replay import packed

from tests.web.browser.conftest import Stage, expect
from tests.web.browser.test_pages import serious
from tests.web.test_appeal_link import tape_of


def test_a_round_is_judged_from_its_address(stage: Stage) -> None:
    """Zoë is 20 ms and 111 µs behind Björn: (2² − 1²) · 37 = 111. What is cut off is said."""
    link = packed(tape_of(("Ana", "Björn", "Zoë")))
    opened = stage.visit(f"/appeal#{link}")
    page, opened.may_complain = opened.page, True  # of the answer that refuses
    expect(page.locator("h3.big")).to_have_text("Zoë was last: P")
    expect(page.locator("#rounds photo-finish")).to_be_visible()
    expect(page.locator("#rounds")).to_contain_text("20 ms")
    expect(page.locator(".doubt h2")).to_be_visible()
    assert [] == serious(page)
    page.evaluate("location.hash = '#1AAAA'")
    expect(page.locator("#appeal-wrong")).to_have_text(
        "This address holds no tape: copy all of it, to its last letter."
    )
    expect(page.locator("h3.big")).to_have_count(0)
