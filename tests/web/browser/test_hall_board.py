"""The hall's board: names, margins and reasons have room, and a photo finish comes and goes."""

from __future__ import annotations

import re

import msgspec
import pytest
from lastnose.companion.core.model import Press
from lastnose.companion.event import commands
from lastnose.companion.table.log_file import NO_HEAD
from lastnose.companion.timing import judge

from tests.support.hall_tables import TableOfHall
from tests.support.halls import (
    arranged,
    begun,
    call_round,
    judged_game,
    let_in,
    rows,
    seated,
    take,
    type_result,
)
from tests.web.browser.conftest import OpenHall, expect


def test_the_board_replays_a_new_photo_finish_and_goes_back(opened: OpenHall) -> None:
    """With no standings yet it stays; the words are those of the table; the picture is told in words, too."""
    hall = opened.hall
    (member,) = begun(hall, "A,B,C", tables=1, final=0, rounds=1)
    names, call = seated(hall)
    board = opened.visit("/board", size=(1920, 1080)).page
    board.clock.install()
    board.reload()
    take(hall, member, rows(judged_game(names, call, 0)[:3], (0, NO_HEAD)))
    board.clock.run_for(11_000)
    board.get_by_text(f"{names[2]} was last: P").wait_for()
    expect(board.locator(".finish em")).to_have_text("P")
    label = board.locator(".finish svg").get_attribute("aria-label")
    assert "412" in label


def test_the_board_says_why_a_finalist_stands_above_more_points_and_keeps_long_names_in(
    opened: OpenHall,
) -> None:
    """The last of the heats wins the final; the reason stands beside the name, and covers no points."""
    hall = opened.hall
    arranged(hall, "Wolfeschlegelsteinhausenbergerdorff,Ben,Zoë", tables=1, final=3, rounds=1)
    let_in(hall)
    for best_first in (True, False):
        call_round(hall)
        now = hall.state.now
        places = tuple((one,) for one in sorted(now.at(1), reverse=not best_first))
        hall.do(commands.TypeResult(now.number, 1, places, "from paper"), "Ann")
    board = opened.visit("/board", size=(1920, 1080)).page
    lines = board.locator(".stand li")
    expect(lines.locator("b")).to_have_text(["0.00", "0.50", "1.00"])
    expect(lines.locator("small")).to_have_text(["The final", "The final", ""])
    for line in lines.all():
        name, points = line.locator("bdi").bounding_box(), line.locator("b").bounding_box()
        assert name["x"] + name["width"] <= points["x"]


@pytest.mark.parametrize("width", [1280, 1920])
def test_the_board_cuts_neither_a_name_nor_the_reason_of_its_place(opened: OpenHall, width: int) -> None:
    """A reason that has no room beside its name is left away; the name is there for everybody."""
    hall = opened.hall
    arranged(hall, "P2 Joueur2,Ana Kovač,Joueur12,Bo", tables=1, final=3, rounds=1)
    let_in(hall)
    for places in (((4,), (3,), (2,), (1,)), ((2,), (3,), (4,))):
        call_round(hall)
        now = hall.state.now
        hall.do(commands.TypeResult(now.number, 1, places, "from paper"), "Ann")
    size = {"width": width, "height": width * 9 // 16}
    board = opened.visit("/board", viewport=size, locale="fr-FR").page
    expect(board.locator(".stand li")).to_have_count(4)
    for one in board.locator(".stand li :is(bdi, small:not([hidden]))").all():
        assert one.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    assert board.locator(".stand small").all_text_contents().count("La finale") >= 2


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720), (1024, 768)])
def test_the_board_has_no_name_cut_and_no_line_over_another_whatever_is_announced(
    opened: OpenHall, width: int, height: int
) -> None:
    """Sixteen of one family, told apart by the end of their names; an announcement as long as one may be."""
    hall = opened.hall
    begun(hall, ",".join(f"Beauregard-Lévesque Y{n}" for n in range(16)), rounds=3, final=0, most=8)
    for number in (1, 2):
        type_result(hall, 1, number)
    hall.do(commands.Announce(("The pizza is here. " * 13)[:240]), "Ann")
    board = opened.visit("/board", size=(width, height)).page
    board.locator(".stand li").first.wait_for()
    names = board.locator(".stand bdi, .next bdi")
    cut = names.evaluate_all("all => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length")
    assert (32, 0) == (names.count(), cut)
    over = board.locator(".stand li").evaluate_all(
        """all => all.slice(1).filter((one, i) => {
          const box = (line) => line.querySelector("bdi").getBoundingClientRect();
          const [above, below] = [box(all[i]), box(one)];
          return below.left === above.left && below.top < above.bottom - 1;
        }).length"""
    )
    assert 0 == over


@pytest.mark.parametrize("face", ["DejaVu Sans", "Liberation Sans Narrow"])
def test_a_name_on_the_board_is_whole_and_small_only_where_it_has_no_room_on_one_line(
    opened: OpenHall, face: str
) -> None:
    """Measured, not counted: machines write with wide and with narrow faces."""
    hall = opened.hall
    names = "Anaïs Lemaire,Nouvelle Venue,Seán O’Brien,Paul & Marie,Jean Dupont (Étoile),WWWWWWWWWWWWWW"
    begun(hall, names, tables=1, rounds=2, final=0)
    hall.do(commands.TypeResult(1, 1, tuple((one,) for one in range(1, 7)), "paper"), "Ann")
    board = opened.visit("/board", size=(1920, 1080)).page
    board.locator(".next bdi").first.wait_for()
    board.evaluate(f"document.documentElement.style.setProperty('--sans', '{face}')")
    board.evaluate("dispatchEvent(new Event('resize'))")
    found = board.locator(".stand bdi, .next bdi").evaluate_all(
        """all => all.map((one) => {
          const isCut = () => {
            const words = document.createRange();
            words.selectNodeContents(one);
            return words.getBoundingClientRect().width > one.getBoundingClientRect().width + 0.1;
          };
          const cut = isCut() || one.scrollHeight > one.clientHeight + 1;
          const [style, size] = [one.className, one.style.fontSize];
          one.className = one.style.fontSize = "";
          const needed = isCut();
          [one.className, one.style.fontSize] = [style, size];
          return [cut, Boolean(style || size) && !needed];
        })"""
    )
    assert 12 == len(found)
    assert [False, False] == [any(cut for cut, _ in found), any(vain for _, vain in found)]
    leader = board.locator(".stand bdi", has_text="Jean Dupont")
    assert "long" not in (leader.get_attribute("class") or ""), "there is room for nearly all of it"


def test_a_wide_margin_and_how_slow_it_is_shown_stay_apart_on_the_board(opened: OpenHall) -> None:
    """Phones are not sure to the µs: their ± is long, and its line may have no room beside it."""
    hall = opened.hall
    (member,) = begun(hall, "A,B,C", tables=1, final=0, rounds=1)
    start, armed, judged, *_ = judged_game(*seated(hall), 0)
    presses = [(1, 10_000), (2, 90_000_000), (3, 282_000_000)]
    verdict = judge(tuple(Press(seat, t_ns, 4_100_000, "phone") for seat, t_ns in presses))
    take(hall, member, rows((start, armed, msgspec.structs.replace(judged, verdict=verdict))))
    board = opened.visit("/board", size=(1920, 1080)).page
    margin = board.locator(".finish .rp-gap")
    slow = board.locator(".finish .rp-scale", has_text="slow motion")
    one, other = margin.bounding_box(), slow.bounding_box()
    beside = one["x"] + one["width"] <= other["x"]
    assert beside or one["y"] + one["height"] <= other["y"] + 1


def test_four_tables_stand_two_by_two_and_everybody_has_a_turn_in_the_standings(opened: OpenHall) -> None:
    """Who leads comes back every other turn; between them stand the others, on pages of one length."""
    hall = opened.hall
    arranged(hall, ",".join(f"P{n:02}" for n in range(75)), tables=4, final=0, rounds=1, most=19)
    for _ in range(4):
        let_in(hall)
    call_round(hall)
    for table in range(1, 5):
        type_result(hall, 1, table)
    board = opened.visit("/board", size=(1920, 1080)).page
    board.clock.install()
    board.reload()
    boxes = [one.bounding_box() for one in board.locator(".tables li").all()]
    assert [2, 2] == [len({round(box[side]) for box in boxes}) for side in ("x", "y")]
    title, names = board.locator(".stand h2"), board.locator(".stand li bdi")
    seen: set[str] = set()
    for first, last in ((1, 25), (26, 50), (1, 25), (51, 75), (1, 25)):
        expect(title).to_contain_text(f": {first}–{last} / 75")
        expect(names).to_have_count(last - first + 1)
        seen |= set(names.all_inner_texts())
        board.clock.run_for(10_000)
    assert 75 == len(seen)


def test_in_a_lively_round_standings_and_photo_finishes_take_turns_on_the_board(opened: OpenHall) -> None:
    """With a new verdict every ten seconds: between them, in turn, who is behind and who leads."""
    hall = opened.hall
    names = ",".join(f"P{n:02}" for n in range(40))
    arranged(hall, names, tables=4, final=0, rounds=2, most=13, options={"word": "MAGNIFICENT"})
    tables = [TableOfHall(hall, noses=13) for _ in range(4)]
    call_round(hall)
    for number in range(1, 5):
        type_result(hall, 1, number)
    call_round(hall)
    tables[0].begin()
    board = opened.visit("/board", size=(1920, 1080)).page
    board.clock.install()
    board.reload()
    title, finish = board.locator(".stand h2"), board.locator(".finish")
    shown = []
    for turn in range(10):
        last = 1 + turn % 3
        tables[0].judged(*range(1, last), *range(last + 1, 11), last)
        expect(board.locator(f".tables > li:first-child circle:nth-child({1 + last})")).to_have_class("s l")
        board.clock.run_for(10_000)
        shown.append("finish" if finish.is_visible() else title.inner_text().rpartition(": ")[2])
    leaders, behind = "1–20 / 40", "21–40 / 40"
    assert [*["finish", behind, "finish", leaders] * 2, "finish", behind] == shown


# Where the list of standings is, and each of its lines with the size of its letters (px).
_STANDINGS = """() => [...document.querySelectorAll(".stand ol, .stand li")].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return { x, y, width, height, size: parseFloat(getComputedStyle(one).fontSize) };
})"""


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720), (1024, 768)])
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_sixty_people_are_two_pages_of_the_board_and_all_that_the_head_names_are_there(
    opened: OpenHall, width: int, height: int, locale: str
) -> None:
    """Names on two lines push nobody out of sight; a line can be read from a distance of six such screens."""
    hall = opened.hall
    begun(hall, ",".join(f"Maximiliane-Theodora Test {n}" for n in range(60)), tables=4, rounds=3, most=15)
    for number in range(1, 5):
        type_result(hall, 1, number)
    size = {"width": width, "height": height}
    board = opened.visit("/board", viewport=size, locale=locale).page
    expect(board.locator(".stand h2")).to_have_text(re.compile(r": 1–30 / 60$"))
    list_, *lines = board.evaluate(
        _STANDINGS
    )  # at once: a slow machine is at the second page by the last line
    assert 30 == len(lines) == len({(round(line["x"]), round(line["y"])) for line in lines})
    for line in lines:
        assert list_["x"] - 1 <= line["x"]
        assert line["x"] + line["width"] <= list_["x"] + list_["width"] + 1
        assert line["y"] + line["height"] <= list_["y"] + list_["height"] + 1
        assert 0.023 * height <= line["size"]
    tops = {round(one.bounding_box()["y"], -1) for one in board.locator(".tables > li").all()}
    assert 2 == len(tops)


@pytest.mark.parametrize("width", [1920, 1280])
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_a_very_long_name_among_sixty_shortens_itself_and_nobody_else_s(
    opened: OpenHall, width: int, locale: str
) -> None:
    """It has the room of one line; whoever is called as people are called is written in full size."""
    hall = opened.hall
    longest = "Wolfeschlegelsteinhausenbergerdorff Mary"
    assert 40 == len(longest)
    names = [longest, *(f"{('Zoë', 'Tom', 'Ana')[n % 3]} Dupont {n:02}" for n in range(1, 60))]
    begun(hall, ",".join(names), tables=4, rounds=3, most=15)
    for number in range(1, 5):
        seated_at = hall.state.rounds[0].at(number)
        people = sorted(seated_at, key=lambda one: hall.state.shown(one) != longest)
        hall.do(commands.TypeResult(1, number, tuple((one,) for one in people), "paper"), "Ann")
    size = {"width": width, "height": width * 9 // 16}
    board = opened.visit("/board", viewport=size, locale=locale).page
    expect(board.locator(".stand li")).to_have_count(30)
    small = board.locator("bdi.long, bdi[style*=font]")
    line = board.locator(".stand li", has=small)
    expect(line.locator("bdi")).to_have_text([longest])
    ends, points_begin, size_px = line.evaluate(
        """(one) => {
          const [name, points] = ["bdi", "b"].map((part) => one.querySelector(part));
          const [{ right }, { left }] = [name, points].map((part) => part.getBoundingClientRect());
          return [right, left, parseFloat(getComputedStyle(name).fontSize)];
        }"""
    )  # at once: the board turns its page
    assert 0 < ends <= points_begin
    assert 12 <= size_px


@pytest.mark.parametrize(("tables", "wide_px"), [(2, 390), (8, 190), (20, 150)])
def test_an_upright_screen_is_full_from_top_to_bottom_and_its_tables_are_as_large_as_can_be(
    opened: OpenHall, tables: int, wide_px: int
) -> None:
    """Nobody scrolls it: with twenty tables, an announcement and all there is to say it fits."""
    hall = opened.hall
    names = ",".join(f"{'ABCDEFGH'[n % 8]}. P{n:02}" for n in range(3 * tables))
    begun(hall, names, tables=tables, most=3, rounds=2, final=0)
    for number in range(1, tables + 1):
        type_result(hall, 1, number)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.Announce("Pizza at eight; don’t touch the noses."), "Ann")
    board = opened.visit("/board", size=(1080, 1920)).page
    expect(board.locator(".next li")).to_have_count(min(20, 3 * tables))
    expect(board.locator(".tables > li")).to_have_count(tables)
    least, last = board.evaluate(
        """() => {
            const boxes = (where) =>
                [...document.querySelectorAll(where)].map((one) => one.getBoundingClientRect());
            return [Math.min(...boxes(".tables > li").map((one) => one.width)),
                Math.max(...boxes(".next li").map((one) => one.bottom))];
        }"""
    )
    assert wide_px <= least
    assert 1800 < last < 1920
    assert 1920 == board.evaluate("document.documentElement.scrollHeight")


def test_every_table_everybody_in_the_standings_and_every_seat_of_the_next_draw_has_its_turn_on_the_board(
    opened: OpenHall,
) -> None:
    """Twenty tables and twenty seats at a time, by name; then it begins again."""
    hall = opened.hall
    names = [f"{'ABCDEFGH'[n // 9]}. P{n:02}" for n in range(72)]
    begun(hall, ",".join(names), tables=24, most=3, rounds=2, final=0)
    for number in range(1, 25):
        type_result(hall, 1, number)
    hall.do(commands.Draw(), "Ann")
    board = opened.visit("/board", size=(1920, 1080)).page
    board.clock.install()
    board.reload()
    tables, leaders = board.locator(".tables > li text"), board.locator(".stand li bdi")
    seats, which = board.locator(".next li"), board.locator(".next h2 > :last-child")
    drawn = hall.state.rounds[1]
    numbers, listed, seated_at = [], set(), {}
    for turn, letters in enumerate(("A – C", "C – E", "E – G", "G – H")):
        expect(which).to_have_text(f"{letters}, {turn + 1} / 4")
        numbers.append([int(one) for one in tables.all_text_contents()])
        found = [one.inner_text().split() for one in seats.all()]
        assert sorted(found) == found
        seated_at |= {f"{letter} {name}": int(number) for letter, name, number in found}
        board.clock.run_for(10_000)
    assert [[*range(1, 21)], [*range(21, 25)]] * 2 == numbers
    assert {
        hall.state.shown(one): n for n, people in enumerate(drawn.seats, 1) for one in people
    } == seated_at
    expect(which).to_have_text("A – C, 1 / 4")
    for _ in range(14):  # the first, and between them the others, page by page
        listed |= set(leaders.all_inner_texts())
        board.clock.run_for(10_000)
    assert set(names) == listed
