"""A network that fails, a page that is closed or loaded again: what it costs is said; the table goes on."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.evening.commands import Arm, Start
from lastnose.companion.system import host_clock
from lastnose.web import bundle, delivery
from lastnose.web.server.server import Server

from tests.support.phones import make_access
from tests.support.ports import free_port
from tests.support.streams import eventually
from tests.support.tables import Served, served, started
from tests.web.browser.conftest import PHONE, WATCHER, Stage, Visits, expect, settle
from tests.web.browser.noses import FREE, HIDE, LINES, SMALL, armed_phone, sit, table_of_three, touch
from tests.web.browser.scenes import ARMED, CLOSE
from tests.web.browser.test_evening import again, headline, play, playing, ready


@pytest.fixture
def table(visit: Visits) -> Iterator[Served]:
    """Serve a table of three with a game."""
    with table_of_three(visit) as table:
        yield table


@pytest.mark.parametrize("touched", [False, True], ids=["untouched", "touched"])
def test_who_takes_a_silent_phones_seat_over_in_a_round_is_told_that_it_will_not_count(
    visit: Visits, table: Served, touched: bool
) -> None:
    """Never mind changes nothing. Else the round is void, or armed again where nobody had touched."""
    page = armed_phone(visit, table)
    host = visit(f"{table.address}/").page
    if touched:
        table.source.drive(LINES[0], 1, host_clock.now_ns(), StampWorth(1000))
    page.context.set_offline(True)
    expect(host.locator(".faults")).to_contain_text(
        "This round will not count: for a while nothing came from Björn."
    )
    instead, dialog = host.get_by_role("button", name="Use this page: Björn"), host.locator("#instead")
    instead.click()
    expect(dialog).to_contain_text("this round will not count. The next goes with this page.")
    dialog.get_by_role("button", name="Never mind").click()
    assert ["silent"] == [one.state for one in table.table.snapshot.phones]
    rounds = table.table.snapshot.seq
    instead.click()
    dialog.get_by_role("button", name="Use this page").click()
    assert eventually(lambda: not table.table.snapshot.phones)
    expect(host.locator("#verdict")).to_have_attribute("data-phase", "void" if touched else "armed")
    assert table.table.snapshot.seq > rounds
    expect(host.locator(".faults")).to_be_empty()


def test_only_a_host_is_offered_to_be_the_nose_of_a_silent_phone(visit: Visits, table: Served) -> None:
    """Who watches sees that it is silent."""
    page = armed_phone(visit, table)
    host, watcher = visit(table.address).page, visit(table.address, **WATCHER).page
    page.context.set_offline(True)
    host.get_by_role("button", name="Use this page: Björn").wait_for()
    expect(watcher.locator("#view-host .seats li.away")).to_contain_text("silent")
    expect(watcher.get_by_role("button", name="Use this page: Björn")).to_be_hidden()


def test_a_phone_that_falls_silent_after_its_touch_costs_nothing_and_nothing_else_is_said(
    visit: Visits, table: Served
) -> None:
    """It says that its touch has arrived; its seat is taken over without a question, and Zoë is last."""
    page = armed_phone(visit, table)
    host = visit(f"{table.address}/").page
    touch(page, 0.5, 0.8)()
    assert eventually(lambda: table.table.snapshot.rows[1].pressed)
    expect(page.locator("#nose text")).to_have_text("it counts")
    page.context.set_offline(True)
    expect(page.locator(".m-away")).to_have_text("Your touch has arrived.")
    expect(host.locator(".faults")).to_contain_text("Björn’s phone has fallen silent: is it in the network?")
    host.get_by_role("button", name="Use this page: Björn").click()
    assert eventually(lambda: not any(not one.shared for one in table.table.snapshot.phones))
    expect(host.locator("#instead")).to_be_hidden()
    table.source.drive(LINES[0], 1, host_clock.now_ns(), StampWorth(1000))
    assert eventually(lambda: table.table.snapshot.phase == "verdict")
    assert "Zoë was last: P" == str(table.table.snapshot.headline)


def test_a_finger_that_lets_go_without_network_is_up_when_the_phone_is_back(
    visit: Visits, table: Served
) -> None:
    """Björn touched; the table has counted his phone as silent by the time he is in the network again."""
    page = armed_phone(visit, table)
    lift = touch(page, 0.5, 0.8)
    assert eventually(lambda: table.table.snapshot.rows[1].held)
    page.context.set_offline(True)
    lift()
    assert eventually(lambda: "silent" == table.table.snapshot.phones[0].state)
    page.wait_for_timeout(700)  # by now the phone, too, takes the table to have counted it as silent
    assert table.table.snapshot.rows[1].held
    page.context.set_offline(False)
    assert eventually(lambda: not table.table.snapshot.rows[1].held)


def test_a_phone_that_loses_its_nose_in_a_round_takes_no_other_under_the_thumb(
    visit: Visits, table: Served
) -> None:
    """It stays where it is, dead, and says so; the way on is at the top. Zoë's phone keeps her nose."""
    zoe = visit(f"{table.address}/nose", **SMALL).page
    sit(zoe, table, "Zoë")
    page = armed_phone(visit, table)
    host = visit(f"{table.address}/").page
    host.evaluate(FREE, LINES[1])
    expect(host.locator(".note")).to_contain_text("Björn has another nose now.")
    page.get_by_role("heading", name="Another page is this nose now: take a seat again.").wait_for()
    expect(page.locator(".m-away")).to_have_text("This nose does not count now.")
    for y in (0.5, 0.6, 0.7, 0.8, 0.9, 0.7):
        touch(page, 0.5, y)()
    way_on = page.get_by_role("button", name="Take a seat")
    box = way_on.bounding_box()
    assert box["y"] + box["height"] < 0.15 * 640
    expect(page.locator("#choose")).to_be_hidden()
    way_on.tap()
    for _ in range(2):
        page.get_by_role("button", name="Zoë").tap()
    expect(page.locator(".notes")).to_contain_text(
        "This nose is a phone that answers: take it when the round is over."
    )
    assert ["nose.3"] == [one.line for one in table.table.snapshot.phones if not one.shared]
    expect(zoe.locator("#nose.counts")).to_be_visible()
    assert not any(row.pressed for row in table.table.snapshot.rows)
    page.get_by_role("button", name="Björn").tap()
    expect(page.locator("#nose.counts")).to_be_visible()


def test_a_nose_that_is_lost_under_a_finger_is_dead_as_well_and_let_go(visit: Visits, table: Served) -> None:
    """The hold ends at the table; neither that finger nor the next takes Zoë's nose, though it sleeps."""
    zoe = visit(f"{table.address}/nose", **SMALL).page
    sit(zoe, table, "Zoë")
    page = armed_phone(visit, table)
    zoe.evaluate(HIDE)
    assert eventually(lambda: "asleep" in [one.state for one in table.table.snapshot.phones])
    lift = touch(page, 0.5, 0.7)
    assert eventually(lambda: table.table.snapshot.rows[1].held)
    page.evaluate(FREE, LINES[1])
    page.locator("#seat.dead").wait_for()
    assert eventually(lambda: not table.table.snapshot.rows[1].held)
    lift()
    for y in (0.5, 0.6, 0.7, 0.8, 0.9):
        touch(page, 0.5, y)()
    expect(page.locator("#seat.dead")).to_be_visible()
    expect(page.locator("#choose")).to_be_hidden()
    assert LINES[1] not in [one.line for one in table.table.snapshot.phones]
    assert not any(row.pressed for row in table.table.snapshot.rows if row.line == LINES[2])


def test_a_touch_on_a_phone_that_woke_without_network_is_not_forgotten_with_its_nose(
    visit: Visits, table: Served
) -> None:
    """Björn was first; the host's page had his nose before that got through. Nobody keeps a letter for it."""
    page = armed_phone(visit, table)
    host = visit(f"{table.address}/").page
    page.evaluate(HIDE)
    assert eventually(lambda: "asleep" == table.table.snapshot.phones[0].state)
    page.context.set_offline(True)
    page.evaluate(HIDE.replace("true", "false", 1))
    touch(page, 0.5, 0.8)()
    expect(page.locator(".m-away")).to_contain_text("No network: this touch")
    host.get_by_role("button", name="Use this page: Björn").click()
    assert eventually(lambda: not table.table.snapshot.phones)
    for line in (LINES[0], LINES[2]):
        table.source.drive(line, 1, host_clock.now_ns(), StampWorth(1000))
    assert eventually(lambda: "verdict" == table.table.snapshot.phase)
    assert "Björn was last: P" == str(table.table.snapshot.headline)
    page.context.set_offline(False)
    assert eventually(lambda: "void" == table.table.snapshot.phase)
    assert not any(row.letters for row in table.table.snapshot.rows)
    page.locator("#seat.dead").wait_for()


def test_a_phone_says_each_reason_as_a_sentence_of_its_own(visit: Visits, table: Served) -> None:
    """Whom the round waits for has no stop of its own; what is wrong with a phone comes after it."""
    page, asleep = (visit(f"{table.address}/nose", **SMALL).page for _ in range(2))
    sit(page, table, "Zoë")
    sit(asleep, table, "Ana")
    table.table.submit(Arm(), "host").result(120)
    page.locator("#nose.counts").wait_for()
    asleep.evaluate(HIDE)
    table.source.drive(LINES[2], 1, host_clock.now_ns(), StampWorth(1000))
    waits = page.locator(".m-proof li").first
    expect(waits).to_have_text("Not yet: Ana and Björn")
    expect(page.locator(".m-proof li + li", has_text="Ana’s phone is asleep")).to_have_count(1)
    between = "(one) => getComputedStyle(one, '::after').content"
    assert '"."' == waits.evaluate(between)
    assert '" "' == page.locator(".m-proof li + li").evaluate(between.replace("after", "before"))


def test_a_touch_without_network_is_said_at_once_not_to_have_got_through_then_not_to_count(
    visit: Visits, table: Served
) -> None:
    """On the nose and above it; back in the network nothing of it stays, and nobody was last for it."""
    page = armed_phone(visit, table)
    page.context.set_offline(True)
    page.locator("#nose.away").wait_for()
    words, proof = page.locator(".m-away"), page.locator(".m-proof li").first
    expect(words).to_have_text("This nose does not count now.")
    touch(page, 0.5, 0.8)()
    for said in ("has not got through.", "did not count."):
        for place in (words, proof):
            expect(place).to_have_text(f"No network: this touch {said}")
    box, nose = words.bounding_box(), page.locator("#nose .face").bounding_box()
    assert nose["x"] < box["x"] < box["x"] + box["width"] < nose["x"] + nose["width"]
    page.context.set_offline(False)
    page.locator("#nose.counts:not(.away)").wait_for()
    expect(words).to_be_empty()
    expect(page.locator(".m-proof")).to_contain_text(
        "A touch of Björn was reported too late: the round may be void."
    )
    expect(page.locator(".m-proof")).to_contain_text("This round will not count")
    assert not any(row.letters for row in table.table.snapshot.rows)


def test_a_phone_whose_words_are_not_answered_says_so_while_it_still_waits(
    visit: Visits, table: Served
) -> None:
    """Nothing is refused where all is swallowed: the nose is hollow before the first word is given up."""
    page = visit(f"{table.address}/nose", **SMALL).page
    sit(page, table, "Björn")
    given_up: list[str] = []
    page.on("requestfailed", lambda request: given_up.append(request.url))
    page.route("**/api/v1/taps", lambda _: None)
    page.locator("#nose.away").wait_for()
    assert given_up == []
    page.unroute_all()


def test_a_phone_that_finds_the_network_again_does_not_take_its_nose_back_from_the_hosts_page(
    visit: Visits, table: Served
) -> None:
    """It says so, and asks for a seat; taken by hand, also after another load, it is a nose again."""
    page = visit(f"{table.address}/nose", may_complain=True, **SMALL).page
    sit(page, table, "Björn")
    host = visit(f"{table.address}/").page
    page.context.set_offline(True)
    host.get_by_role("button", name="Use this page: Björn").click()
    assert eventually(lambda: not table.table.snapshot.phones)
    page.context.set_offline(False)
    page.get_by_role("heading", name="Another page is this nose now: take a seat again.").wait_for()
    assert not table.table.snapshot.phones
    page.reload()
    page.get_by_role("heading", name="This phone was Björn’s nose.").wait_for()
    assert not table.table.snapshot.phones
    page.get_by_role("button", name="Take a seat").tap()
    sit(page, table, "Björn")


def test_before_the_deal_a_silent_phones_remedy_takes_the_green_buttons_place(
    visit: Visits, table: Served
) -> None:
    """Björn's phone sleeps: the host's page plays his nose; one touch on the phone that wakes takes it."""
    page = visit(f"{table.address}/nose", **SMALL).page
    sit(page, table, "Björn")
    host = visit(f"{table.address}/", **SMALL).page
    go = host.locator("#view-play .go")
    go.get_by_role("button", name="Everybody has 4: play").wait_for()
    page.evaluate(HIDE)
    use = go.get_by_role("button", name="Play Björn’s nose on this page")
    use.wait_for()
    expect(go.locator(".duty")).to_have_text(
        "Björn’s phone is asleep: wake it, or touch that nose on another page."
    )
    expect(go.locator("[data-do=arm]")).to_be_hidden()
    box = use.bounding_box()
    assert box["y"] + box["height"] < 640, "on the first screen"
    expect(go.locator("[data-do=use]:not([aria-disabled])")).to_be_visible()
    use.tap()
    go.get_by_role("button", name="Everybody has 4: play").wait_for()
    page.evaluate(HIDE.replace("true", "false", 1))
    take = page.get_by_role("button", name="Take my seat")
    take.wait_for()
    box = take.bounding_box()
    assert box["width"] > 0.8 * 360
    assert box["height"] > 0.45 * 640
    expect(page.locator("#take:not([aria-disabled])")).to_be_visible()
    take.tap()
    page.locator("#nose:visible").wait_for()
    assert eventually(
        lambda: [(LINES[1], "awake")] == [(p.line, p.state) for p in table.table.snapshot.phones]
    )
    expect(take).to_be_hidden()


def test_a_round_is_dealt_without_a_silent_phone_in_one_touch(visit: Visits, table: Served) -> None:
    """The phone says that its player sits it out; the others play, and the next deal asks again."""
    page = visit(f"{table.address}/nose", **SMALL).page
    sit(page, table, "Björn")
    host = visit(f"{table.address}/", **SMALL).page
    page.evaluate(HIDE)
    go = host.locator("#view-play .go")
    without = go.get_by_role("button", name="Play this round without Björn")
    without.wait_for()
    expect(go.locator("[data-do=without]:not([aria-disabled])")).to_be_visible()
    without.tap()
    expect(host.locator("#guide .quiet")).to_contain_text("Björn sits this round out.")
    page.evaluate(HIDE.replace("true", "false", 1))
    page.get_by_role("heading", name="You sit this round out.").wait_for()
    page.evaluate(HIDE)
    expect(go.locator("[data-do=arm]:not([aria-disabled])")).to_be_visible()
    go.locator("[data-do=arm]").tap()
    assert eventually(lambda: table.table.snapshot.phase == "armed")
    table.source.drive(LINES[2], 1, host_clock.now_ns(), StampWorth(1000))
    assert eventually(lambda: table.table.snapshot.phase == "verdict")
    assert "Ana was last: P" == str(table.table.snapshot.headline)
    table.source.drive(LINES[2], 0, host_clock.now_ns(), StampWorth(1000))
    without.wait_for()


def test_a_phone_whose_page_was_closed_finds_its_seat_again_in_one_touch(
    visit: Visits, table: Served
) -> None:
    """A new page of the same browser knows whose nose it was; who wants another seat has the list."""
    page = visit(f"{table.address}/nose", **SMALL).page
    sit(page, table, "Björn")
    page.goto("about:blank")
    assert eventually(lambda: ["asleep"] == [one.state for one in table.table.snapshot.phones])
    again = page.context.new_page()
    page.close()
    again.goto(f"{table.address}/nose")
    again.get_by_role("heading", name="This phone was Björn’s nose.").wait_for()
    expect(again.locator("#take:not([aria-disabled])")).to_be_visible()
    again.get_by_role("button", name="Take my seat").tap()
    again.locator("#nose:visible").wait_for()
    assert eventually(
        lambda: [(LINES[1], "awake")] == [(p.line, p.state) for p in table.table.snapshot.phones]
    )


@pytest.fixture
def loads_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a page take long to be loaded again: the machine is busy.

    Touches are believed as late as elsewhere: what is told later counts because the page is the only one.
    """
    monkeypatch.setattr("lastnose.web.taps._HANDED_NS", 50_000_000)
    for name in (
        "lastnose.web.taps.ALONE_NS",
        "lastnose.web.page_sources.ALONE_NS",
        "lastnose.web.open_page.ALONE_NS",
        "lastnose.web.taps._VOWED_NS",
        "lastnose.web.open_page.LONGEST_DELAY_NS",
        "lastnose.hardware.sources.mock.FIRST_NS",
    ):
        monkeypatch.setattr(name, 100_000_000_000)


@pytest.mark.usefixtures("loads_slowly")
@pytest.mark.parametrize("way", ["refused", "held"])
def test_a_page_loaded_again_says_what_it_could_not_say_before(
    visit: Visits, table: Served, way: str
) -> None:
    """Second round of a game: touch and last word get through by the next page alone, with their numbers."""
    page = visit.drawn(table.address, may_complain=True)
    for key in "123":
        page.keyboard.down(key)
        page.keyboard.up(key)
    assert eventually(lambda: not any(row.held for row in table.table.snapshot.rows))
    table.table.submit(Arm(), "host").result(120)
    page.locator("#verdict[data-phase=armed]").wait_for()
    words: list[dict[str, Any]] = []
    page.on("request", lambda one: one.url.endswith("/taps") and words.append(one.post_data_json))
    page.route("**/api/v1/taps", lambda route: route.abort() if way == "refused" else None)
    page.keyboard.down("1")
    page.keyboard.up("1")
    assert eventually(lambda: any(word["taps"] for word in words) or page.wait_for_timeout(10))
    before = words[-1]["page"]
    page.evaluate("() => location.reload()")
    page.wait_for_event("domcontentloaded")
    page.unroute_all(behavior="ignoreErrors")
    settle(page)
    page.wait_for_function("(key) => !(key in sessionStorage)", arg=f"lastnose-left-{before}")

    def last_words() -> list[dict[str, Any]]:
        return [word for word in words if word["page"] == before and word["leaves"]]

    assert eventually(lambda: last_words() or page.wait_for_timeout(10))
    last = last_words()[-1]
    assert (8, [7, 8]) == (last["upto"], [tap["no"] for tap in last["taps"]])
    assert eventually(lambda: table.table.snapshot.rows[0].pressed)
    page.keyboard.down("2")
    page.keyboard.up("2")
    assert eventually(lambda: table.table.snapshot.phase in ("verdict", "void"))
    assert "Zoë was last: P" == str(table.table.snapshot.headline)


@pytest.mark.usefixtures("loads_slowly")
@pytest.mark.parametrize("earlier", [False, True])
@pytest.mark.parametrize("before", ["", "1"])
def test_noses_touched_as_soon_as_they_are_there_again_count_on_a_slow_machine(
    visit: Visits, table: Served, earlier: bool, before: str
) -> None:
    """Six times slower than this one, and nobody waits until the page knows the clock."""
    page = visit.drawn(table.address)

    def touch(keys: str) -> None:
        for key in keys:
            page.keyboard.down(key)
            page.keyboard.up(key)

    if earlier:
        touch("123")
        assert eventually(lambda: not any(row.held for row in table.table.snapshot.rows))
    table.table.submit(Arm(), "host").result(120)
    page.locator("#verdict[data-phase=armed]").wait_for()
    touch(before)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
    page.evaluate("() => { setTimeout(() => location.reload()); }")
    page.wait_for_event("domcontentloaded")
    page.wait_for_function("() => document.querySelectorAll('.nose').length === 3")
    touch("12"[len(before) :])
    assert eventually(lambda: table.table.snapshot.phase in ("verdict", "void") or page.wait_for_timeout(20))
    assert "Zoë was last: P" == str(table.table.snapshot.headline)


WITHIN_S = 120


class SilentWifi:
    """A Wi-Fi that forwards what comes to its own `port` to *server_port* of this machine, until `stall`.

    What was open when it stalled, or was opened since, stays dead, as when a phone changes its network.
    """

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._dead = threading.Event()
        self._open: list[socket.socket] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def stall(self) -> None:
        """Let nothing through any more, and close nothing."""
        self._dead.set()

    def recover(self) -> None:
        """Let through what is opened from now on."""
        self._dead = threading.Event()

    def close(self) -> None:
        """Close everything, also what a phone opens at this very moment."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        for one in (self._listening, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                phone, _ = self._listening.accept()
                self._open.append(phone)
                table = socket.create_connection(("127.0.0.1", self._server_port))
                self._open.append(table)
                for one, other in ((phone, table), (table, phone)):
                    threading.Thread(target=_pump, args=(one, other, self._dead), daemon=True).start()


def _pump(one: socket.socket, other: socket.socket, dead: threading.Event) -> None:
    """Pass on what *one* says to *other*, as long as the network is not *dead*."""
    with suppress(OSError):
        while said := one.recv(65536):
            if dead.is_set():
                return
            other.sendall(said)
        other.shutdown(socket.SHUT_WR)


def test_a_page_whose_network_died_in_silence_says_so_and_catches_up(visit: Visits) -> None:
    """No error reaches the browser: 12 s after the last sign of life it gives up, and goes on trying."""
    with served(("nose.1", "nose.2", "nose.3")) as evening:
        wifi = SilentWifi(evening.server.port)
        try:
            page = visit("about:blank", may_complain=True, **PHONE).page
            page.clock.install()
            page.goto(f"http://127.0.0.1:{wifi.port}/")
            assert eventually(lambda: 1 == evening.server.viewers)
            lost = page.get_by_text("Not connected. Trying again…")
            wifi.stall()
            page.clock.run_for(13_000)
            lost.wait_for()
            evening.table.submit(Start("pig", ("North", "East", "South")), "test").result(WITHIN_S)
            page.clock.run_for(13_000)  # what was tried meanwhile hangs too
            assert lost.is_visible()
            assert 0 == page.get_by_text("North").count()
            wifi.recover()
            page.clock.run_for(13_000)
            lost.wait_for(state="detached")
            page.get_by_text("North").first.wait_for(state="attached")
        finally:
            visit.close()
            wifi.close()


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


DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"


@pytest.mark.parametrize("path", ["/", "/board", "/overlay/verdict", "/nose"])
def test_a_page_that_was_open_over_an_update_has_the_new_scripts_once_nobody_is_at_it(
    visit: Visits, stage: Stage, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Not in the middle of a round; a table that was only started again lets its pages be."""
    port, read = free_port(), bundle._read

    def updated(name: str, changed_ns: int) -> bundle.Module:
        made = read(name, changed_ns)
        return msgspec.structs.replace(made, body=f"{made.body}\n1;") if name == "lib/live.js" else made

    stage.set(ARMED)
    with started(Server(stage, make_access(), port=port)):
        page = visit.drawn(f"http://127.0.0.1:{port}{path}", may_complain=True, service_workers="block")
        page.evaluate("window.opened = true")
    with started(Server(stage, make_access(), port=port)):
        page.wait_for_event("response", lambda answer: answer.request.method == "HEAD")
    page.evaluate(DRAWN)
    assert page.evaluate("window.opened")
    monkeypatch.setattr(bundle, "_read", updated)
    delivery._script.cache_clear()
    with started(Server(stage, make_access(), port=port)):
        page.wait_for_event("response", lambda answer: answer.request.method == "HEAD")
        page.evaluate(DRAWN)
        assert page.evaluate("window.opened")
        stage.set(CLOSE)
        page.wait_for_function("() => !window.opened")
        settle(page)
    delivery._script.cache_clear()


PLAYERS = ("North", "East", "South", "West")


def hold_back(page: Any) -> list[Any]:
    """Let no tap of *page* get through, though its promises do; return the requests held back."""
    held: list[Any] = []

    def hold(route: Any) -> None:
        if route.request.post_data_json["taps"]:
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/v1/taps", hold)
    return held


def test_whoever_touches_first_on_a_slow_phone_is_not_last(visit: Visits, evening: str) -> None:
    """Seat 1's request takes half a second, the other three are pressed on another page meanwhile."""
    shared = playing(visit, evening, *PLAYERS)
    phone = visit(evening, **PHONE).page
    ready(phone)
    again(shared)
    phone.keyboard.down("1")
    shared.locator("#verdict[data-phase=judging]").wait_for()
    shared.wait_for_timeout(80)
    play(shared, "2", "3", "4")
    phone.keyboard.up("1")
    again(shared)
    settle(phone)
    held = hold_back(phone)
    phone.keyboard.down("1")
    for key in ("2", "3", "4"):
        shared.wait_for_timeout(80)
        shared.keyboard.down(key)
    shared.wait_for_timeout(300)
    assert shared.locator("#verdict").get_attribute("data-phase") in ("armed", "judging")
    for route in held:
        route.continue_()
    headline(shared, "West was last: I")
    expect(shared.get_by_text("North opened.")).to_be_visible()
    phone.unroute("**/api/v1/taps")
    for key in ("2", "3", "4"):
        shared.keyboard.up(key)
    phone.keyboard.up("1")
    shared.locator(".nose.held").first.wait_for(state="detached")
