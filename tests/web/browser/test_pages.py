"""Every page, looked at by a browser: accessible, light, self-contained, never too wide, always live."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from lastnose.companion.config.settings import Wifi
from lastnose.web.server.server import Server
from PIL import Image

from tests.support.phones import PIN, make_access
from tests.support.ports import free_port
from tests.support.tables import started
from tests.web.browser.conftest import PHONE, WATCHER, Stage, Visits, expect, settle
from tests.web.browser.scenes import SCENES

PATHS = (
    *("/", "/setup", "/board", "/history", "/history/11", "/join", "/host", "/devices", "/help/vatra"),
    *("/statistics", "/zero"),
)
LARGEST = 100_000


def weights(seen: list[Any]) -> dict[str, int]:
    """Return the bytes on the wire of each response that was *seen*, but of the stream."""
    return {one.url: one.request.sizes()["responseBodySize"] for one in seen if "/events" not in one.url}


def serious(page: Any) -> list[Any]:
    """Return what axe finds serious on *page*, with the places."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        (one["id"], [node["html"] for node in one["nodes"]])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("lang", ["en", "fr", "bs"])
@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_serious(stage: Stage, path: str, lang: str) -> None:
    """On a phone, in both schemes, with a close verdict and every card of the page open."""
    page = stage.visit(path, reduced_motion="reduce", **PHONE, locale=lang).page
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        settle(page)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert [] == serious(page), scheme


def test_axe_finds_nothing_serious_at_any_moment(stage: Stage) -> None:
    """The live table in every phase, and each of its dialogs, on a wide screen, at rest."""
    page = stage.visit(reduced_motion="reduce").page
    for name in ("heat", "armed", "judging", "blocked", "void", "setup", "won", "crowd", "asked"):
        stage.set(SCENES[name])
        page.locator(f"#verdict[data-phase={SCENES[name].phase}]").wait_for(state="attached")
        settle(page)
        assert [] == serious(page), name
    for name in ("void", "rearm", "finish"):
        page.evaluate(f"document.querySelector('dialog#{name}').showModal()")
        assert [] == serious(page), name
        page.keyboard.press("Escape")


@pytest.mark.parametrize("lang", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("path", PATHS)
def test_a_page_is_light_and_asks_no_other_host(stage: Stage, path: str, lang: str) -> None:
    """Under 100 KB on the wire with all it loads, from this table only, over one stream."""
    seen: list[Any] = []
    opened = stage.visits("about:blank", locale=lang)
    opened.page.on("response", lambda response: seen.append(response))
    opened.page.goto(stage.address + path)
    settle(opened.page)
    opened.page.wait_for_timeout(300)
    sizes = weights(seen)
    assert 2 < len(sizes)
    assert LARGEST > sum(sizes.values()), sizes
    hosts = {urlsplit(url).netloc for url in opened.asked if not url.startswith(("about:", "data:"))}
    assert {urlsplit(stage.address).netloc} == hosts
    assert 1 >= sum("/events" in url for url in opened.asked)


@pytest.mark.parametrize("lang", ["en-GB", "fr-FR"])
def test_nothing_is_wider_than_a_small_phone(stage: Stage, lang: str) -> None:
    """26 players, long names, both languages, 360 pixels."""
    page = stage.visit(**PHONE, locale=lang).page
    for scene, path in (*(("crowd", path) for path in PATHS), ("asked", "/"), ("asked", "/board")):
        stage.set(SCENES[scene])
        page.goto(stage.address + path)
        settle(page)
        assert 360 >= page.evaluate("document.documentElement.scrollWidth"), path
        outside = page.evaluate(
            """[...document.querySelectorAll('body *:not(.unseen, .skip, .skip *)')]
            .filter(one => !one.closest('.scroll, dialog') && one.getClientRects().length)
            .filter(one => one.getBoundingClientRect().right > 361).map(one => one.outerHTML.slice(0, 90))"""
        )
        assert [] == outside, path


def test_the_projector_shows_everything_at_once(stage: Stage) -> None:
    """Nothing in the way or below the edge, no type under 2.5 % of the height; it stands still."""
    page = stage.visit("/board", size=(1920, 1080), reduced_motion="reduce").page
    for name, scene in SCENES.items():
        stage.set(scene)
        page.wait_for_function(
            "([at]) => document.querySelector('#board').dataset.phase === at", arg=[scene.phase]
        )
        settle(page)
        assert "0" == page.locator(".b-do").evaluate("one => getComputedStyle(one).opacity")
        lowest, widest, smallest = page.evaluate(
            """(() => {
              const seen = [...document.querySelectorAll('#board *:not(.unseen, .b-do *, svg *)')]
                .filter(one => one.getClientRects().length && !one.closest('.b-do'));
              const says = (one) => [...one.childNodes].some(part => part.nodeType === 3 && part.data.trim());
              const type = seen.filter(says);
              return [
                Math.max(...seen.map(one => one.getBoundingClientRect().bottom)),
                Math.max(...seen.map(one => one.getBoundingClientRect().right)),
                Math.min(...type.map(one => parseFloat(getComputedStyle(one).fontSize))),
              ];
            })()"""
        )
        assert (True, True) == (lowest <= 1080, widest <= 1920), name
        assert 27 <= smallest, name
        assert [] == page.evaluate("document.getAnimations().map(one => one.animationName)"), name


@pytest.mark.journey
def test_the_projector_replays_a_verdict_then_shows_the_deal_and_then_the_table(stage: Stage) -> None:
    """246 ms at 1 : 20 are 0.3 + 4.92 s; the letter lands 2.4 s later, stays 5.6 s; the deal 16 s."""
    stage.set(SCENES["armed"])
    opened = stage.visits("about:blank", size=(1920, 1080))
    opened.page.clock.install()
    opened.page.goto(f"{stage.address}/board")
    settle(opened.page)
    opened.page.clock.pause_at(opened.page.evaluate("Date.now()") / 1000 + 5)
    board = opened.page.locator("#board")
    expect(board).to_have_attribute("data-show", "table")
    stage.set(SCENES["close"])
    opened.page.wait_for_selector("#board[data-show=verdict]")
    assert 150 < opened.page.evaluate("parseFloat(getComputedStyle(document.querySelector('h1')).fontSize)")
    delays = opened.page.locator(".b-replay circle").evaluate_all(
        "all => all.map(one => [+one.getAttribute('cx'), parseFloat(one.style.getPropertyValue('--d'))])"
    )
    (first_x, first_s), (fourth_x, fourth_s) = delays[:2]
    (last_x, last_s) = delays[-1]
    assert (0.3, 0.3 + 0.181 * 20, 0.3 + 0.246 * 20) == pytest.approx((first_s, fourth_s, last_s), abs=0.006)
    assert 181 / 246 == pytest.approx((fourth_x - first_x) / (last_x - first_x))
    said = opened.page.locator(".b-replay svg").get_attribute("aria-label")
    assert "South 246.000 ms, last" in said
    stage.set(SCENES["armed"])  # the table arms itself meanwhile; the show goes on
    opened.page.clock.run_for(11_500)
    expect(board).to_have_attribute("data-show", "verdict")
    opened.page.clock.run_for(2000)
    expect(board).to_have_attribute("data-show", "deal")
    expect(opened.page.locator(".dl-fan svg")).to_have_count(4)
    opened.page.clock.run_for(16_100)
    expect(board).to_have_attribute("data-show", "table")
    stage.set(SCENES["close"])
    expect(board).to_have_attribute("data-show", "table")


def test_a_nose_that_goes_down_ends_the_show(stage: Stage) -> None:
    """Nobody looks at the last round while the next one is decided."""
    stage.set(SCENES["armed"])
    page = stage.drawn("/board")
    stage.set(SCENES["heat"])
    page.wait_for_selector("#board[data-show=verdict]")
    stage.set(SCENES["judging"])
    page.wait_for_selector("#board[data-show=table]")
    down = page.locator(".b-table .down bdi")
    expect(down).to_have_count(2)
    for name in ("North", "West"):
        expect(down.filter(has_text=name)).to_have_count(1)


def test_the_buttons_of_the_projector_come_with_the_pointer(stage: Stage) -> None:
    """Full screen, and sounds, which are remembered."""
    page = stage.visit("/board").page
    page.mouse.move(200, 200)
    page.mouse.move(300, 200)
    page.wait_for_function("() => getComputedStyle(document.querySelector('.b-do')).opacity === '1'")
    page.get_by_role("button", name="Sounds").click()
    expect(page.get_by_role("button", name="Sounds")).to_have_attribute("aria-pressed", "true")
    page.reload()
    page.wait_for_selector(".b-do [aria-pressed=true]")
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function("() => document.fullscreenElement !== null")


class Blank:
    """A small screen on which nothing stands."""

    def png(self) -> bytes:
        """Return one dark pixel."""
        picture = BytesIO()
        Image.new("1", (1, 1)).save(picture, "PNG")
        return picture.getvalue()


def test_the_small_screen_turns_its_pages_on_the_page_while_it_is_looked_at(
    visit: Visits, stage: Stage
) -> None:
    """Nothing happens at the table: out of sight the picture is left alone, in sight it is fetched again."""
    server = Server(stage, make_access(), port=0, screen=Blank())
    (address, *_) = server.start()
    try:
        opened = visit("about:blank")
        page = opened.page
        page.clock.install()
        page.goto(address)
        settle(page)
        page.evaluate("document.querySelector('#oled').style.marginTop = '200vh'")
        page.clock.run_for(1000)
        opened.asked.clear()
        page.clock.run_for(6000)
        assert [] == [url for url in opened.asked if "/oled.png" in url]
        with page.expect_request("**/oled.png*"):  # at once when it comes into sight
            page.evaluate("document.querySelector('#oled img').scrollIntoView()")
        with page.expect_request("**/oled.png*"):
            page.clock.run_for(3100)
    finally:
        visit.close()
        server.stop()


@pytest.mark.parametrize("again", [False, True], ids=["goes on", "counts from the beginning"])
def test_the_page_says_when_it_is_not_connected_and_catches_up(
    visit: Visits, stage: Stage, again: bool
) -> None:
    """The table stops, the page says so, and comes back on its own: to what happened, or to a new table."""
    port = free_port()
    with started(Server(stage, make_access(), port=port)):
        page = visit.drawn(f"http://127.0.0.1:{port}/", may_complain=True)
    lost = page.get_by_text("Not connected. Trying again…")
    lost.wait_for()
    stage.set(SCENES["heat"])
    then, says = (Stage(SCENES["setup"]), "Who plays?") if again else (stage, "Dead heat: East and South")
    with started(Server(then, make_access(), port=port)):
        page.get_by_role("heading", name=says).wait_for()
        lost.wait_for(state="detached")


def test_news_leave_focus_and_dialog_where_they_are(stage: Stage) -> None:
    """A reason half typed stays while the table goes on."""
    page = stage.drawn()
    page.get_by_role("button", name="It does not count…").click()
    page.get_by_label("Why?").type("The cat")
    stage.set(SCENES["judging"])
    page.locator("#verdict[data-phase=judging]").wait_for(state="attached")
    page.keyboard.type(" sat down")
    expect(page.get_by_label("Why?")).to_have_value("The cat sat down")
    assert page.locator("dialog#void").evaluate("one => one.open")


@pytest.mark.parametrize("screen", [(1280, 900), (1920, 1080)], ids=str)
def test_a_verdict_does_not_move_the_noses(stage: Stage, screen: tuple[int, int]) -> None:
    """Fingers are on them when it comes; its strip follows what is said of it: room is left below."""
    stage.set(SCENES["judging"])
    page = stage.drawn(size=(screen[0], screen[1]))
    before = page.locator(".nose").first.bounding_box()
    stage.set(SCENES["close"])
    page.get_by_role("heading", name="South was last").wait_for()
    settle(page)
    assert before == pytest.approx(page.locator(".nose").first.bounding_box(), abs=1)
    said, strip = (page.locator(f"#verdict {one}").bounding_box() for one in (".proof", "photo-finish"))
    assert strip["y"] - said["y"] - said["height"] <= 24


def test_who_only_watches_sees_no_control(stage: Stage) -> None:
    """The ways to a seat and to hosting stand where the controls would be."""
    page = stage.drawn(**WATCHER)
    expect(page.locator("[data-do], .nose, dialog")).to_have_count(0)
    expect(page.get_by_role("link", name="Take a seat").first).to_be_visible()
    expect(page.get_by_role("link", name="Host with the PIN").first).to_be_visible()


@pytest.mark.journey
def test_the_fragment_with_the_pin_is_posted_and_forgotten(stage: Stage) -> None:
    """It is in no address that is asked for, and no longer in the bar."""
    opened = stage.visits("about:blank", **WATCHER)
    bodies: list[tuple[str, str | None]] = []
    opened.page.on("request", lambda request: bodies.append((request.url, request.post_data)))
    opened.page.goto(f"{stage.address}/host#{PIN}")
    opened.page.wait_for_url(f"{stage.address}/")
    assert [f'{{"pin":"{PIN}"}}'] == [body for url, body in bodies if url.endswith("/api/v1/join")]
    assert not [url for url, _ in bodies if PIN in url.partition("#")[0]]
    assert PIN not in opened.page.url
    opened.page.get_by_role("button", name="Next round").wait_for()


def test_phones_are_let_in_by_one_code_or_by_two(
    visit: Visits, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the first game already; a Wi-Fi of the table's own comes first; each code has a name."""
    stage.set(SCENES["setup"])
    monkeypatch.setattr("lastnose.web.server.page_server.lan_address", lambda: "192.0.2.2")
    network = Wifi("Last Nose", "amber-7-falcon", "10.42.7.1")
    for wifi, names in (
        (None, ["A code for the camera of a phone"]),
        (network, ["A code for the camera of a phone", "A code for the camera of a phone"]),
    ):
        server = Server(stage, make_access(lan=True), port=0, wifi=wifi)
        (address, *_) = server.start()
        try:
            page = visit.drawn(address, reduced_motion="reduce", **PHONE)
            page.get_by_role("button", name="Let phones in…").click()
            page.locator("dialog#phones[open]").wait_for()
            codes = page.locator("dialog#phones .code svg[role=img]")
            expect(codes).to_have_count(len(names))
            assert names == [codes.nth(at).get_attribute("aria-label") for at in range(len(names))]
            assert all(codes.nth(at).bounding_box()["width"] > 150 for at in range(len(names)))
            assert [] == serious(page)
            assert network.password not in page.content()
        finally:
            visit.close()
            server.stop()


@pytest.mark.parametrize("where", ["in the field", "in the address"])
def test_a_wrong_pin_is_said_at_the_field(stage: Stage, where: str) -> None:
    """In a sentence, ready to be corrected; the address has it no longer."""
    page = stage.visit(f"/host{'#0000' * (where != 'in the field')}", may_complain=True, **WATCHER).page
    if where == "in the field":
        page.get_by_label("PIN").fill("0000")
        page.get_by_role("button", name="Host", exact=True).click()
    page.get_by_text("That is not the PIN.").wait_for()
    expect(page.get_by_label("PIN")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("PIN")).to_have_value("0000")
    assert f"{stage.address}/host" == page.url


def pump(page: Any, condition: Callable[[], object]) -> None:
    """Wait until it is so, while *page* goes on; at most a minute."""
    until = time.monotonic() + 60
    while not condition() and time.monotonic() < until:
        page.wait_for_timeout(20)


def driven(page: Any, stage: Stage, count: int) -> list[tuple[object, object]]:
    """Wait until *count* changes have reached the noses (and the page knows the clock); return them."""
    driver = stage.driver
    pump(page, lambda: len(driver.driven) >= count and driver.clocks)
    return [(one["line"], one["level"]) for one in stage.driver.driven]


def levels_of(page: Any, stage: Stage, nose: str) -> list[object]:
    """Wait until *nose* has been let go; return its levels in the order in which they came."""
    pump(page, lambda: (nose, 0) in driven(page, stage, 0))
    return [level for line, level in driven(page, stage, 0) if line == nose]


@pytest.mark.journey
def test_a_tap_carries_the_time_of_the_finger(stage: Stage) -> None:
    """On the host's clock, within the error that the page declares and what the test itself takes."""
    stage.set(SCENES["armed"])
    page = stage.drawn()
    assert stage.driver is not None
    driver = stage.driver
    pump(page, lambda: driver.clocks)
    before = time.monotonic_ns()
    page.keyboard.down("3")
    after = time.monotonic_ns()
    page.keyboard.up("3")
    pump(page, lambda: len(driver.driven) == 2)
    down, up = stage.driver.driven
    assert (("nose.3", 1), ("nose.3", 0)) == ((down["line"], down["level"]), (up["line"], up["level"]))
    u_ns = int(str(down["clock_u_ns"]))
    assert before - u_ns <= int(str(down["t_ns"])) <= after + u_ns
    assert int(str(down["t_ns"])) < int(str(up["t_ns"]))
    assert 0 < u_ns


def test_a_key_held_is_one_press_and_a_key_in_a_field_is_none(stage: Stage) -> None:
    """Keys repeat; and a 3 in a reason is a 3."""
    page = stage.drawn()
    page.keyboard.down("1")
    page.keyboard.down("1")
    page.keyboard.up("1")
    page.get_by_role("button", name="It does not count…").click()
    page.get_by_label("Why?").type("3")
    assert [("nose.1", 1), ("nose.1", 0)] == driven(page, stage, 2)


def test_noses_are_let_go_when_the_window_is_left(stage: Stage) -> None:
    """No nose stays down that nobody holds."""
    page = stage.drawn()
    page.keyboard.down("2")
    page.evaluate("window.dispatchEvent(new Event('blur'))")
    assert [("nose.2", 1), ("nose.2", 0)] == driven(page, stage, 2)


def test_a_nose_let_go_does_not_overtake_its_press(stage: Stage) -> None:
    """The press is held up on its way: the release waits for it, another nose does not."""
    from playwright.sync_api import Error as PlaywrightError

    page = stage.drawn()
    driven(page, stage, 0)
    held_up: list[Any] = []
    page.route("**/api/v1/taps", lambda way: way.continue_() if len(held_up) == 2 else held_up.append(way))
    for key in "12":
        page.keyboard.down(key)
        page.keyboard.up(key)
    pump(page, lambda: len(held_up) == 2)
    first, second = held_up
    second.continue_()
    assert [1, 0] == levels_of(page, stage, "nose.2")
    with suppress(PlaywrightError):  # after some seconds the page itself has asked again
        first.continue_()
    assert [1, 0] == levels_of(page, stage, "nose.1")


def test_no_verdict_waits_for_a_page_that_has_left(stage: Stage) -> None:
    """Its clock is known while it is open, and let go when it is not."""
    clocks = stage.driver.clocks
    before = {*clocks}  # of pages of other tests, which may leave late
    page = stage.visit().page
    pump(page, lambda: {*clocks} - before)
    mine = {*clocks} - before
    assert 1 == len(mine)
    page.goto(f"{stage.address}/history")
    pump(page, lambda: not mine & {*clocks})
    assert set() == mine & {*clocks}


def test_language_can_be_chosen_and_stays(stage: Stage) -> None:
    """The switch leads back to the same page."""
    page = stage.visit("/history").page
    page.get_by_role("link", name="Français").click()
    page.wait_for_url(f"{stage.address}/history")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.goto(stage.address)
    expect(page.locator("html")).to_have_attribute("lang", "fr")


@pytest.mark.journey
def test_the_tape_is_shown_as_a_table_and_an_appeal_stands_beside_the_verdict(stage: Stage) -> None:
    """Edges with names and times from the opener; the gap by its name; the other verdict is not stored."""
    page = stage.visit("/history/11").page
    page.get_by_role("cell", name="South (nose.3)").wait_for()
    row = page.get_by_role("row").filter(has_text="South (nose.3)")
    assert "246.000 ms" == row.get_by_role("cell").first.inner_text().replace("\u202f", " ")
    expect(page.get_by_role("cell", name="edges may be missing")).to_be_visible()
    page.get_by_role("button", name="Judge again").click()
    page.get_by_text("Judged again: not stored").wait_for()
    expect(page.locator(".versus .big").first).to_have_text("South was last: G", use_inner_text=True)
    expect(page.locator(".versus .other .big")).to_have_text("Dead heat: East and South", use_inner_text=True)
