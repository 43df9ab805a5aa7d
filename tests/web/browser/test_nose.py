"""A phone as one nose: it takes a seat, is touched without looking, sleeps, and is taken over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.evening.commands import Arm, Start
from lastnose.companion.system import host_clock

from tests.support.streams import eventually
from tests.support.tables import Served, served
from tests.web.browser.conftest import Visits, expect
from tests.web.browser.noses import FREE, HIDE, LINES, NAMES, armed_phone, sit, table_of_three, touch
from tests.web.browser.test_lobby import sit as seated

# The boxes of all of *shown* at one moment, once each of them is there.
ALL_BOXES = """shown => {
    const found = shown.map(one => document.querySelector(one));
    if (found.some(one => !one || !one.getClientRects().length)) return null;
    return found.map(one => one.getBoundingClientRect().toJSON());
}"""


@pytest.fixture
def table(visit: Visits) -> Iterator[Served]:
    """Serve a table of three with a game."""
    with table_of_three(visit) as table:
        yield table


def phone(visit: Visits, table: Served, width: int = 390, height: int = 844, **how: Any) -> Any:
    """Return a phone that shows which nose it could be."""
    size = {"width": width, "height": height}
    return visit(f"{table.address}/nose", viewport=size, has_touch=True, is_mobile=True, **how).page


@pytest.mark.parametrize("place", [(0.02, 0.55), (0.97, 0.55), (0.5, 0.9), (0.1, 0.99), (0.9, 0.99)])
def test_a_touch_anywhere_on_the_lower_half_counts(
    visit: Visits, table: Served, place: tuple[float, float]
) -> None:
    """At the edges as in the middle, and where words stand below; the finger may stay or go."""
    page = phone(visit, table)
    sit(page, table, "Zoë")
    table.table.submit(Arm(), "host").result(120)
    page.locator("#nose.counts").wait_for()
    lift = touch(page, *place)
    page.get_by_text("it counts").wait_for()
    assert table.table.snapshot.rows[2].pressed
    lift()
    assert eventually(lambda: not table.table.snapshot.rows[2].held)
    page.locator(".m-proof li", has_text="Not yet: Ana and Björn").wait_for()


def test_who_was_last_sees_it_in_red_with_the_letter(visit: Visits, table: Served) -> None:
    """Both others touched; this phone did not."""
    page = phone(visit, table)
    sit(page, table, "Zoë")
    table.table.submit(Arm(), "host").result(120)
    page.locator("#nose.counts").wait_for()
    for line in LINES[:2]:
        table.source.drive(line, 1, host_clock.now_ns(), StampWorth(1000))
    page.locator("#nose.is-last").wait_for()
    expect(page.locator("#seat h1")).to_have_text("You were last: P", use_inner_text=True)


def test_the_letter_of_another_is_red_on_a_phone_as_on_the_tables_page(visit: Visits, table: Served) -> None:
    """Ana and this phone touched; Björn did not."""
    page = phone(visit, table)
    sit(page, table, "Zoë")
    table.table.submit(Arm(), "host").result(120)
    page.locator("#nose.counts").wait_for()
    touch(page, 0.5, 0.55)()
    page.get_by_text("it counts").wait_for()
    table.source.drive(LINES[0], 1, host_clock.now_ns(), StampWorth(1000))
    expect(page.locator("#seat h1")).to_have_text("Björn was last: P", use_inner_text=True)
    expect(page.locator("#seat h1 em")).to_have_text("P")


@pytest.mark.parametrize(("width", "height"), [(320, 568), (360, 740), (390, 844), (740, 360), (1280, 900)])
def test_nothing_scrolls_and_the_nose_has_its_half(
    visit: Visits, table: Served, width: int, height: int
) -> None:
    """At least 45 % of the height (upright) or of the width (lying) is the nose; the link is in sight."""
    page = phone(visit, table, width, height)
    sit(page, table, "Ana")
    inside, screen = page.locator("#nose").bounding_box(), page.viewport_size
    across, down = inside["width"] / screen["width"], inside["height"] / screen["height"]
    assert down >= 0.45 if height > width or height > 600 else across >= 0.45
    page.locator("#link").wait_for()
    foot = page.locator("#link").bounding_box()
    assert foot["y"] + foot["height"] <= height
    assert [0, 0] == page.evaluate("() => { scrollTo(0, 500); return [scrollX, scrollY]; }")


def test_a_long_name_pushes_nothing_off_a_small_phone(visit: Visits, table: Served) -> None:
    """The name is shortened; the button to leave and the ± of phones end where the screen ends."""
    long = "Maximiliane-Theodora von und zu Hohenfels"[:40]
    table.table.submit(Start("pig", (long, *NAMES[1:]), {}, LINES), "host").result(120)
    page = phone(visit, table, 320, 640)
    page.get_by_role("button", name=long).tap()
    page.locator("#seat").wait_for()
    parts = [page.locator(one) for one in ("#leave", "#sure", "#nose")]
    for part in parts:
        part.wait_for()
    ends = [part.bounding_box() for part in parts]
    assert [] == [end for end in ends if end is None or end["x"] + end["width"] > 320]


def test_a_phone_without_network_is_hollow_and_says_so_once(visit: Visits, table: Served) -> None:
    """However often it is touched; no note lies over it. Back in the network it counts again."""
    page = armed_phone(visit, table)
    page.context.set_offline(True)
    page.locator("#nose.away:not(.counts)").wait_for()
    for _ in range(3):
        touch(page, 0.5, 0.8)()
    page.locator(".note.unsent").wait_for(state="attached")
    assert 1 == page.locator(".note.unsent").count()
    assert 0 == page.locator(".note:visible").count()
    expect(page.locator("#seat h1")).to_have_text("Not connected. Trying again…", use_inner_text=True)
    words, nose = page.locator(".m-away"), page.locator("#nose .face").bounding_box()
    expect(words).to_contain_text("No network: this touch")
    box = words.bounding_box()
    assert box["y"] > 0.5 * 640
    assert nose["x"] < box["x"] < box["x"] + box["width"] < nose["x"] + nose["width"]
    assert page.evaluate("() => link.scrollWidth <= link.clientWidth")  # not cut, either
    page.context.set_offline(False)
    page.locator("#nose.counts:not(.away)").wait_for()
    assert 0 == page.locator(".note.unsent").count()


def test_a_phone_speaks_of_the_deal_until_everybody_has_cards(visit: Visits, table: Served) -> None:
    """As the table's page does: its nose is hollow, and a touch is told to have come too early."""
    page = phone(visit, table)
    sit(page, table, "Björn")
    heading = page.locator("#seat h1")
    expect(heading).to_have_text("First the cards.")
    expect(page.locator("#nose.counts")).to_have_count(0)
    expect(page.locator(".m-proof li").first).to_have_text("Ana deals 4 cards each.")
    lift = touch(page, 0.5, 0.8)
    expect(heading).to_have_text("Not yet: let go, and wait for the deal.")
    expect(page.locator("#nose text")).to_have_text("not yet")
    lift()
    assert "ready" == table.table.snapshot.phase
    expect(heading).to_have_text("First the cards.")
    table.table.submit(Arm(), "host").result(120)
    page.locator("#nose.counts").wait_for()
    expect(heading).to_have_text("Pass to the left.")
    expect(page.locator(".m-proof li").first).to_have_text("Whoever has four of a kind touches the nose.")


def test_the_phone_of_who_was_put_out_says_so_and_lets_them_watch(visit: Visits) -> None:
    """With one letter Zoë is out at once. The next round is armed; nobody tells her to deal."""
    lines = (*LINES, "nose.4")
    with served(lines, tokens=False) as four:
        four.table.submit(Start("pig", (*NAMES, "Ида"), {"word": "A"}, lines), "host").result(120)
        page = phone(visit, four)
        sit(page, four, "Zoë")
        four.table.submit(Arm(), "host").result(120)
        page.locator("#nose.counts").wait_for()
        others = [line for line in lines if line != "nose.3"]
        for level, phase in ((1, "verdict"), (0, "armed")):
            for line in others:
                four.source.drive(line, level, host_clock.now_ns(), StampWorth(1000))
            if phase == "armed":
                four.table.submit(Arm(), "host").result(120)
            assert eventually(lambda phase=phase: four.table.snapshot.phase == phase)
        expect(page.locator("#seat h1")).to_have_text("You’re out: the others play on.")
        assert not page.locator("#nose.counts").count()
        visit.close()


@pytest.mark.parametrize(
    ("width", "height", "locale"),
    [(360, 640, "en-GB"), (320, 568, "fr-FR"), (360, 740, "en-GB"), (360, 740, "fr-FR"), (740, 360, "fr-FR")],
)
def test_a_dead_heat_is_read_whole_on_a_small_phone(
    visit: Visits, table: Served, width: int, height: int, locale: str
) -> None:
    """Between the letters and the sentence is air; the figure under the marks is whole, and can be read."""
    page = phone(visit, table, width, height, locale=locale)
    others = [phone(visit, table) for _ in range(2)]
    for each, name in zip((page, *others), NAMES, strict=True):
        sit(each, table, name)
    table.table.submit(Arm(), "host").result(120)
    page.locator("#nose.counts").wait_for()
    at_ns = host_clock.now_ns()
    for line in LINES:
        table.source.drive(line, 1, at_ns, StampWorth(30_000_000))
    shown = (".m-say .word", "#seat.close h1", ".m-close .apart", "#nose .face", ".m-say")
    word, head, figure, nose, inside = page.wait_for_function(ALL_BOXES, arg=shown).json_value()
    assert head["y"] - (word["y"] + word["height"]) >= 5
    assert figure["y"] + figure["height"] <= nose["y"] or figure["x"] + figure["width"] <= nose["x"]
    assert figure["height"] >= 11
    assert figure["y"] + figure["height"] <= inside["y"] + inside["height"]


@pytest.mark.parametrize(("width", "height", "locale"), [(360, 740, "en-GB"), (320, 568, "fr-FR")])
def test_the_end_of_a_game_is_read_whole_on_a_small_phone(
    visit: Visits, table: Served, width: int, height: int, locale: str
) -> None:
    """By who has won and by who is out, with long names: the nose, which counts no more, makes room."""
    long = ("Maximilian Alexander", "Wilhelmina Theodora", "Konstantina")
    table.table.submit(Start("pig", long, {}, LINES), "host").result(120)
    pages = [phone(visit, table, width, height, locale=locale) for _ in long[1:]]
    for page, name in zip(pages, long[1:], strict=True):
        page.get_by_role("button", name=name).tap()
        page.locator("#seat").wait_for()
    for _ in "PIG":
        table.table.submit(Arm(), "host").result(120)
        assert eventually(lambda: table.table.snapshot.phase == "armed")
        at_ns = host_clock.now_ns()
        for order, line in enumerate((LINES[0], LINES[2], LINES[1])):
            table.source.drive(line, 1, at_ns + order * 200_000_000, StampWorth(30_000_000))
        assert eventually(lambda: table.table.snapshot.phase in ("verdict", "won"))
        for line in LINES:
            table.source.drive(line, 0, host_clock.now_ns(), StampWorth(30_000_000))
        assert eventually(lambda: not any(row.held for row in table.table.snapshot.rows))
    for page in pages:
        page.locator("#seat.done").wait_for()
        assert page.evaluate(
            "() => { const said = document.querySelector('.m-say');"
            " return said.scrollHeight <= said.clientHeight + 1; }"
        )


def test_a_dead_heat_names_who_keeps_a_zero_test_from_counting(visit: Visits, table: Served) -> None:
    """Björn's and Zoë's phones were tested against each other: that counts once Ana's is tested, too."""
    pages = [phone(visit, table) for _ in range(3)]
    for each, name in zip(pages, NAMES, strict=True):
        sit(each, table, name)
    table.table.submit(Arm(), "host").result(120)
    pages[2].locator("#nose.counts").wait_for()
    table.source.drive(LINES[0], 1, host_clock.now_ns(), StampWorth(1_000))
    at_ns = host_clock.now_ns()
    for line in LINES[1:]:
        table.source.drive(line, 1, at_ns, StampWorth(30_000_000))
    says = pages[2].locator(".m-proof")
    expect(says).to_contain_text("Narrow it: a zero test, or wired buttons")
    for tested, sentence in (
        (LINES[1:], "Their zero test does not count as long as one is untested: Ana."),
        (LINES, "Their zero test is counted in: wired buttons are surer"),
    ):
        # What the phones themselves report takes the place of what is told here: told until it is read.
        def read(tested: Sequence[int] = tested, sentence: str = sentence) -> bool:
            phones = table.table.snapshot.phones
            table.table.tell_phones(
                tuple(
                    msgspec.structs.replace(p, tested=(63, 42) if p.line in tested else None) for p in phones
                )
            )
            return sentence in (says.text_content() or "")

        assert eventually(read)


def test_a_phone_that_sleeps_is_named_and_its_seat_goes_on(visit: Visits, table: Served) -> None:
    """Before the round is armed; whoever frees its nose lets any page touch it."""
    page = phone(visit, table)
    sit(page, table, "Björn")
    page.evaluate(HIDE)
    assert eventually(lambda: any("asleep" in str(fault) for fault in table.table.snapshot.faults))
    host = phone(visit, table)
    expect(host.get_by_role("button", name="Björn")).to_contain_text("silent", use_inner_text=True)
    freed = host.evaluate(FREE, "nose.2")
    assert {"phones": []} == freed
    assert eventually(lambda: not table.table.snapshot.faults)


def test_a_phone_that_is_hidden_while_it_takes_its_seat_is_asleep(visit: Visits, table: Served) -> None:
    """The table hears of the seat after the page has gone: it does not wait for it."""
    page = phone(visit, table)
    held: list[Any] = []
    page.route(
        "**/api/v1/clock",
        lambda it: held.append(it) if it.request.method == "POST" and not held else it.continue_(),
    )
    page.get_by_role("button", name="Björn").tap()
    while not held:
        page.wait_for_timeout(10)
    page.evaluate(HIDE)
    held[0].continue_()
    assert eventually(lambda: ["asleep"] == [one.state for one in table.table.snapshot.phones])


def test_a_nose_that_is_a_phone_is_seen_on_the_tables_page_and_not_touched_there(
    visit: Visits, table: Served
) -> None:
    """By finger or key; while the phone is away it is touched there like any other."""
    page = phone(visit, table)
    sit(page, table, "Ana")
    host = visit(f"{table.address}/").page
    table.table.submit(Arm(), "host").result(120)
    host.locator(".noses[data-phase=armed]").wait_for()
    nose = host.get_by_role("button", name="Nose of Ana, seat 1: a phone")
    before = nose.bounding_box()
    nose.click(force=True)
    host.keyboard.press("1")
    said = host.locator("#noses .free", has_text="This nose is on a phone: touch it there.")
    said.wait_for()
    assert 0 == host.locator(".note").count(), "nothing lies over the sentence above"
    assert before == nose.bounding_box(), "nothing moves under the fingers"
    expect(said).to_have_count(0)
    lift = touch(page, 0.5, 0.8)
    host.locator(".nose.phone.pressed").wait_for()
    assert [True, False, False] == [row.pressed for row in table.table.snapshot.rows]
    lift()
    page.close()
    host.locator(".nose:not(.phone)[data-line='nose.1']").wait_for()


def test_a_desktop_ticks_the_steps_that_are_done_and_says_which_round_is_played(
    visit: Visits, table: Served
) -> None:
    """Before everybody has cards the first two are now; then the third, and with a nose down the last."""
    page = visit(f"{table.address}/").page
    page.locator(".noses[data-phase=ready]").wait_for()
    numbers, now = page.locator(".todo i"), page.locator(".todo .now i")
    round_ = page.locator("#view-host h2").first
    assert ["1", "2", "3", "4"] == numbers.all_text_contents()
    assert ["1", "2"] == now.all_text_contents()
    expect(round_).to_have_text("Round 1")
    table.table.submit(Arm(), "host").result(120)
    expect(now).to_have_text(["3"])
    assert ["✓", "✓", "3", "4"] == numbers.all_text_contents()
    expect(round_).to_have_text("Round 1")
    table.source.drive(LINES[0], 1, host_clock.now_ns(), StampWorth(1000))
    expect(now).to_have_text(["4"])
    assert ["✓", "✓", "✓", "4"] == numbers.all_text_contents()
    expect(round_).to_have_text("Round 1")


def test_who_wants_a_zero_test_in_a_game_is_told_before_and_may_end_it_there(
    visit: Visits, table: Served
) -> None:
    """The host reads it where the test is chosen; its page has the way on, and the way back."""
    page = visit(f"{table.address}/").page
    test = page.get_by_role("link", name="Zero test…")
    expect(test).to_contain_text("A zero test is made before a game: end this one first.")
    test.click()
    page.get_by_role("link", name="Back", exact=True).wait_for()
    page.get_by_role("button", name="End this game…").click()
    page.get_by_role("button", name="End this game", exact=True).click()
    page.get_by_role("button", name="Start", exact=True).wait_for()
    page.goto(f"{table.address}/")
    expect(page.locator("#zero-when")).to_be_hidden()


def test_a_game_without_noses_offers_none(visit: Visits, table: Served) -> None:
    """The way to one's nose stands above a game for noses only, and below it, on every page."""
    page = visit(f"{table.address}/").page
    help_ = visit(f"{table.address}/help").page
    ways = [one.get_by_role("link", name="My nose") for one in (page.locator(".bar"), help_.locator(".foot"))]
    for way in ways:
        expect(way).to_be_visible()
    table.table.submit(Start("swedish-gin", NAMES), "host").result(120)
    for way in ways:
        expect(way).to_be_hidden()
    expect(page.locator(".foot a[href='/nose']")).to_be_hidden()


def test_a_seat_is_one_phones_and_is_kept_over_a_reload(visit: Visits, table: Served) -> None:
    """Another asks before it takes it; the phone that had it says so, and so does the table's page.

    Leaving takes two taps.
    """
    first, second = phone(visit, table), phone(visit, table)
    host = visit(f"{table.address}/").page
    sit(first, table, "Ana")
    first.reload()
    first.locator("#seat").wait_for()
    first.wait_for_timeout(3100)  # so long a phone believes that the table has not heard yet
    second.get_by_role("button", name="Ana").tap()
    expect(second.get_by_role("button", name="Ana")).to_contain_text("Sure? Tap again")
    expect(second.locator("#seat")).to_be_hidden()
    sit(second, table, "Ana")
    first.get_by_role("heading", name="Another page is this nose now: take a seat again.").wait_for()
    expect(host.locator(".note")).to_contain_text("Ana has another nose now.")
    first.get_by_role("button", name="Take a seat").tap()
    expect(first.locator("#choose")).to_be_visible()
    second.get_by_role("button", name="Leave").tap()
    expect(second.locator("#seat")).to_be_visible()
    second.get_by_role("button", name="Sure? Tap again").tap()
    second.locator("#choose").wait_for()
    assert eventually(lambda: not table.table.snapshot.phones)


def test_leaving_is_asked_about_each_time(visit: Visits, table: Served) -> None:
    """A phone that has left once and sits again is not thrown off its nose by one tap."""
    page = phone(visit, table)
    leave = page.locator("#leave")
    for name in ("Ana", "Björn"):
        sit(page, table, name)
        expect(leave).to_have_text("Leave")
        leave.tap()
        expect(leave).to_have_text("Sure? Tap again")
        expect(page.locator("#seat")).to_be_visible()
        leave.tap()
        page.locator("#choose").wait_for()
        assert eventually(lambda: not table.table.snapshot.phones)


ASKED = """(() => {
  window.asked = [];
  const note = (what, answer) => function () { asked.push(what(...arguments)); return answer; };
  navigator.vibrate = note((pattern) => `felt ${[pattern].flat().length > 0}`, true);
  Element.prototype.requestFullscreen = note(() => "whole screen", Promise.resolve());
  const lock = LOCK;
  const value = lock && { request: note((what) => `lock ${what}`, lock) };
  Object.defineProperty(navigator, "wakeLock", { value });
})()"""


@pytest.mark.parametrize("certificate", [True, False])
def test_a_seat_keeps_the_screen_lit_takes_all_of_it_and_is_felt(
    visit: Visits, table: Served, certificate: bool
) -> None:
    """In the tap that takes the seat, as browsers want it; without a lock a film of nothing plays instead."""
    page = phone(visit, table)
    lock = "Promise.resolve({ release: () => Promise.resolve() })" if certificate else "null"
    page.add_init_script(ASKED.replace("LOCK", lock))
    page.reload()
    sit(page, table, "Zoë")
    page.wait_for_function("asked.includes('whole screen')")
    if certificate:
        page.wait_for_function("asked.includes('lock screen')")
        assert 0 == page.locator("video.m-film").count()
    else:
        page.locator("video.m-film").wait_for(state="attached")
    table.table.submit(Arm(), "host").result(120)
    page.locator("#nose.counts").wait_for()
    lift = touch(page, 0.5, 0.8)
    page.wait_for_function("asked.includes('felt true')")
    lift()


def test_a_phone_stays_with_its_person_in_another_game(visit: Visits, table: Served) -> None:
    """Two change seats, and their phones with them; where a person does not play, the phone asks again."""
    ana, zoe = phone(visit, table), phone(visit, table)
    sit(ana, table, "Ana")
    sit(zoe, table, "Zoë")

    def held() -> set[str]:
        return {one.line for one in table.table.snapshot.phones if one.state == "awake"}

    table.table.submit(Start("pig", ("Zoë", "Björn", "Ana"), {}, LINES), "host").result(120)
    for page, name, seat in ((ana, "Ana", 3), (zoe, "Zoë", 1)):
        page.get_by_role("button", name=f"Nose of {name}, seat {seat}").wait_for()
    assert eventually(lambda: held() == {"nose.1", "nose.3"})
    table.table.submit(Start("pig", ("Ida", "Zoë", "Uwe"), {}, LINES), "host").result(120)
    ana.get_by_role("heading", name="Ana does not play now: take a seat again.").wait_for()
    ana.get_by_role("button", name="Take a seat").tap()
    ana.get_by_role("button", name="Ida").wait_for()
    zoe.get_by_role("button", name="Nose of Zoë, seat 2").wait_for()
    assert eventually(lambda: held() == {"nose.2"})


def test_a_phone_keeps_its_person_through_a_game_without_noses(visit: Visits, table: Served) -> None:
    """A score sheet between two games of Pig: nobody has to take a seat again."""
    ana = phone(visit, table)
    sit(ana, table, "Ana")
    names = ("Zoë", "Björn", "Ana")
    table.table.submit(Start("pig-10", names, {}, LINES), "host").result(120)
    ana.get_by_text("This game is played without noses.").wait_for()
    table.table.submit(Start("pig", names, {}, LINES), "host").result(120)
    ana.get_by_role("button", name="Nose of Ana, seat 3").wait_for()
    assert eventually(
        lambda: ["nose.3"] == [one.line for one in table.table.snapshot.phones if one.state == "awake"]
    )


@pytest.mark.parametrize("begun", [False, True], ids=["before the game", "in a round"])
def test_a_phone_whose_cookies_were_cleared_says_so_and_leads_to_a_seat(
    visit: Visits, evening: str, begun: bool
) -> None:
    """It is not called unconnected, and the way on asks for a name."""
    phones = {name: seated(visit, evening, name, may_complain=True) for name in NAMES}
    page = phones["Ana"]
    page.locator("#link", has_text="Connected,").wait_for()
    if begun:
        host = visit(f"{evening}/setup").page
        host.get_by_role("button", name="Play Pig with 3").click()
        host.wait_for_url(f"{evening}/")
        host.locator("[data-do=arm]:visible").first.click()
        page.locator("#nose.counts").wait_for()
    page.context.clear_cookies()
    page.get_by_role("heading", name="This page is out of date. Load it again.").wait_for()
    expect(page.locator(".m-away")).to_have_text("This nose does not count now.")
    expect(page.locator(".m-lobby")).to_be_hidden()
    page.get_by_role("button", name="Take a seat").tap()
    page.wait_for_url(f"{evening}/join")
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()
