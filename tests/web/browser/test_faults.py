"""What is wrong with the table, above its page: it never pushes the noses out of sight."""

from __future__ import annotations

import msgspec

from tests.web.browser.conftest import Stage, expect
from tests.web.browser.scenes import ARMED
from tests.web.browser.test_board_room import FAULTS

SMALL = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def test_on_a_small_phone_two_warnings_are_one_line_that_opens(stage: Stage) -> None:
    """Each of five noses is above the tabs; the line is as high as a finger needs, and closes again."""
    stage.set(msgspec.structs.replace(ARMED, faults=FAULTS))
    page = stage.drawn(**SMALL)
    tabs = page.locator(".tabs").bounding_box()
    noses = [one.bounding_box() for one in page.locator(".noses .nose").all()]
    assert 5 == len(noses)
    assert max(box["y"] + box["height"] for box in noses) <= tabs["y"]
    first, second = (page.get_by_text(str(one)) for one in FAULTS)
    expect(second).to_be_hidden()
    more = page.get_by_role("button", name="and 1 more")
    assert 44 <= more.bounding_box()["height"] == page.locator(".faults").bounding_box()["height"]
    more.click()
    expect(second).to_be_visible()
    assert second.bounding_box()["y"] >= first.bounding_box()["y"] + first.bounding_box()["height"]
    page.get_by_role("button", name="Close").click()
    expect(second).to_be_hidden()


def test_one_warning_and_two_on_a_desktop_stand_whole(stage: Stage) -> None:
    """There is nothing to open."""
    stage.set(msgspec.structs.replace(ARMED, faults=FAULTS[1:]))
    phone = stage.drawn(**SMALL)
    one = phone.get_by_text(str(FAULTS[1]))
    assert one.evaluate("one => one.scrollWidth <= one.clientWidth")
    expect(phone.locator(".faults button")).to_have_count(0)
    stage.set(msgspec.structs.replace(ARMED, faults=FAULTS))
    desktop = stage.drawn()
    for says in FAULTS:
        expect(desktop.get_by_text(str(says))).to_be_visible()
    expect(desktop.locator(".faults button")).to_be_hidden()
