"""A phone beside wired noses, as people see it: which seat has what, the claim, a zero test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.core.touch import LATE_NS
from lastnose.companion.evening.commands import Arm, Start
from lastnose.companion.system import host_clock
from lastnose.companion.views.snapshot import Snapshot
from lastnose.hardware.sources.mock import Mock

from tests.support.streams import eventually
from tests.support.tables import Served, served_with_phones
from tests.web.browser.conftest import Visits, expect
from tests.web.browser.noses import touch
from tests.web.browser.test_names import BROKEN_OR_PARTED

WIRES, PHONES = ("nose.1", "nose.2"), ("nose.3", "nose.4")
NAMES = ("Ana", "Björn", "Zoë")
SMALL = {"width": 360, "height": 740}
At = tuple[Served, Mock]


@pytest.fixture
def at(visit: Visits) -> Iterator[At]:
    """Serve a table of two wires and two phones."""
    with served_with_phones(WIRES, PHONES) as at:
        yield at
        visit.close()


def start(table: Served) -> None:
    """Begin a game of both wires and a phone."""
    lines = (*WIRES, PHONES[0])
    table.table.submit(Start("pig", NAMES, {}, lines), "host").result(120)


def phone(visit: Visits, table: Served, name: str) -> Any:
    """Return a phone that is the nose called *name*."""
    page = visit(f"{table.address}/nose", viewport=SMALL, has_touch=True, is_mobile=True).page
    page.get_by_role("button", name=name).tap()
    page.locator("#seat").wait_for()
    line = PHONES[0]
    assert eventually(
        lambda: any(one.line == line and one.state == "awake" for one in table.table.snapshot.phones)
    )
    return page


def press(wires: Mock, line: str, level: int, t_ns: int | None = None) -> None:
    """Move a wire, just now."""
    wires.drive(line, level, host_clock.now_ns() if t_ns is None else t_ns, StampWorth(10_000))


def test_the_host_sees_wires_phones_and_nothing_and_a_shared_page_touches_only_what_is_not_wired(
    visit: Visits, at: At
) -> None:
    """On the table's page one nose can be touched; the phone takes it over."""
    table, _ = at
    start(table)
    shared = visit(table.address, size=(1280, 900)).page
    expect(shared.locator("#noses .nose")).to_have_count(1)
    expect(shared.locator("#view-host .seats small")).to_have_text(["wired", "wired", "this page"])
    mine = phone(visit, table, "Zoë")
    shared.locator("#view-host .seats li small", has_text=" ms").wait_for()
    expect(mine.locator("#sure")).to_contain_text("wired ± ")
    mine.close()
    shared.locator("#view-host .seats li.away", has_text="Zoë").wait_for()
    shared.get_by_role("button", name="Use this page: Zoë").click()
    shared.locator("#view-host .seats li small", has_text="this page").wait_for()


def test_letters_and_touches_of_wired_players_are_seen_beside_the_noses_of_a_page(
    visit: Visits, at: At
) -> None:
    """Who has a nose on the page has them there; a phone, too, shows who of the others has touched."""
    table, wires = at
    start(table)
    desktop = visit(table.address, size=(1920, 1080)).page
    hand = visit(table.address, viewport=SMALL, has_touch=True, is_mobile=True).page
    hand.get_by_role("button", name="Everybody has 4: play").tap()
    hand.locator("#view-play[data-shows=race] .nose").wait_for()
    press(wires, "nose.2", 1)
    for page in (desktop, hand):
        expect(page.locator(".strip li.pressed .name > :first-child")).to_have_text("Björn")
        widths = page.locator(".strip li").evaluate_all("(all) => all.map((one) => one.clientWidth > 40)")
        assert [True, True, False] == widths


def test_a_name_of_the_hosts_list_breaks_between_its_parts_and_never_inside_one(
    visit: Visits, at: At
) -> None:
    """On the narrow third of a large screen."""
    table, _ = at
    names = ("Ana", "Björn", "Marguerite-Élise")
    table.table.submit(Start("pig", names, {}, (*WIRES, PHONES[0])), "host").result(120)
    page = visit(table.address, size=(1920, 1080)).page
    name = page.locator("#view-host .seats bdi", has_text="Marguerite")
    name.wait_for()
    assert [3, []] == page.evaluate(BROKEN_OR_PARTED, "#view-host .seats bdi")[:2]
    assert name.evaluate("(name) => name.scrollWidth <= name.clientWidth")


def told_of(table: Served, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that fills with when the phone says that it was touched."""
    told: list[int] = []
    drive = table.source.drive

    def noted(line: str, level: int, t_ns: int, *worth: StampWorth, **more: Any) -> None:
        if level:
            told.append(t_ns)
        drive(line, level, t_ns, *worth, **more)

    monkeypatch.setattr(table.source, "drive", noted)
    return told


def close_round(table: Served, wires: Mock, mine: Any, told: list[int]) -> Snapshot:
    """Play Ana well before, then Björn and Zoë as near to each other as can be told; return how it ended."""
    table.table.submit(Arm(), "host").result(120)
    mine.locator("#nose.counts").wait_for()
    told.clear()
    press(wires, "nose.1", 1)
    mine.wait_for_timeout(200)
    lift = touch(mine, 0.5, 0.8)
    assert eventually(lambda: told)
    press(wires, "nose.2", 1, told[0] - LATE_NS)
    assert eventually(lambda: table.table.snapshot.phase in ("verdict", "dead-heat", "void"))
    found = table.table.snapshot
    lift()
    for line in WIRES:
        press(wires, line, 0)
    assert eventually(lambda: not any(row.held for row in table.table.snapshot.rows))
    return found


def test_a_touch_too_close_to_a_wire_is_a_dead_heat_that_asks_for_a_wire(
    visit: Visits, at: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone is believed to tell 50 ms late. A round that a busy browser voids is played again."""
    table, wires = at
    start(table)
    told = told_of(table, monkeypatch)
    mine = phone(visit, table, "Zoë")
    for _ in range(20):
        found = close_round(table, wires, mine, told)
        if found.phase != "void":
            break
    assert ("dead-heat", "Dead heat: Björn and Zoë") == (found.phase, str(found.headline))
    assert [1] == [1 for says in found.proof if str(says).startswith("Too close for phones: wire buttons")]
    mine.get_by_text("Narrow it: a zero test, or wired buttons").wait_for()


def test_a_zero_test_with_a_wire_narrows_the_phone(visit: Visits, at: At) -> None:
    """Twenty touches of both, and the phone says what is left of ± 60 ms."""
    table, wires = at
    host = visit(f"{table.address}/zero", size=(768, 900)).page
    mine = phone(visit, table, "Nose 3")
    before = mine.locator("#sure").inner_text()
    for box, wanted in zip(host.locator("#pick input").all(), (False, True, True, False), strict=True):
        box.set_checked(wanted, force=True)
    host.get_by_role("button", name="Start", exact=True).click()
    mine.get_by_text("Lay this phone beside the nose of Nose 2").wait_for()
    for _ in range(60):  # a busy machine may hand a touch over too late to belong to its press
        have = len(table.table.snapshot.zero.off_ns)
        if have == 20:
            break
        press(wires, "nose.2", 1)
        touch(mine, 0.5, 0.8)()
        press(wires, "nose.2", 0)
        eventually(lambda have=have: len(table.table.snapshot.zero.off_ns) > have, within_s=10)
    host.locator("#over").wait_for()
    assert eventually(lambda: mine.locator("#sure").inner_text() != before)
