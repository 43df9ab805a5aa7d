"""Every OLED screen against its picture in `screens`; `tests/support/pictures.py` says how to renew them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import segno
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.config.settings import Wifi
from lastnose.companion.core.ports import JoinInfo, WifiInfo
from lastnose.companion.core.text import listing, text, texts
from lastnose.companion.core.units import duration
from lastnose.companion.evening.events import ZeroTested
from lastnose.companion.i18n import translator
from lastnose.companion.views.snapshot import (
    WITHDRAWN,
    Due,
    Duty,
    HallView,
    PlayerRow,
    SeatPhone,
    Snapshot,
    ZeroView,
)
from lastnose.companion.views.zero import asked_text, zero_text
from lastnose.hardware.oled import screens
from lastnose.hardware.oled.canvas import Canvas, load
from lastnose.hardware.oled.layout import LARGE, SMALL, Scene
from lastnose.hardware.oled.phase_pages import _margin
from lastnose.hardware.oled.screens import count_pages, draw, pages_of_sentences
from PIL import Image

from tests.support.asked_scenes import ASKED
from tests.support.entry_scenes import ENTRIES
from tests.support.examples import examples
from tests.support.pictures import assert_as_in_picture
from tests.support.screen_scenes import (
    FOUR,
    JACKS,
    LONG,
    NEW_G,
    NEW_I,
    THIRTEEN,
    TWENTY_SIX,
    finish,
    rows,
    snapshot,
    was_last,
    weighed,
)
from tests.support.script_scenes import SCRIPTS
from tests.support.selftest_rig import moments

SCREENS = Path(__file__).parent / "screens"
TESTED = moments()


def zero(at: float) -> ZeroView:
    """Return a zero test with a plate that was not flat, or kept since *at*."""
    lines, off_ns = ("nose.1", "nose.2"), (3_000, -48_000)
    event = ZeroTested(by="box", at=at, lines=lines, off_ns=off_ns, u_ns=20_000)
    says = zero_text(event) if at else asked_text(lines, {}, off_ns, 20_000, 20, "")
    return ZeroView(lines, off_ns, 20_000, 0, 20, at, says)


def qr(border: int = 1) -> tuple[tuple[bool, ...], ...]:
    """Return a QR code as `companion.app.app` makes it."""
    code = segno.make("http://192.168.178.34:8080/join#4821", error="l", micro=False)
    return tuple(tuple(bool(dot) for dot in row) for row in code.matrix_iter(border=border))


def wifi(password: str) -> WifiInfo:
    """Return a table's own network as `companion.app.app` makes it."""
    code = segno.make(Wifi("Last Nose", password).code, error="l", micro=False)
    return WifiInfo("Last Nose", password, tuple(tuple(map(bool, row)) for row in code.matrix_iter(border=1)))


LAN = JoinInfo("http://192.168.178.34:8080/join#4821", "4821")
PHASES: dict[str, tuple[Snapshot, dict[str, Any]]] = {
    "setup": (snapshot("setup", text("Who plays?"), round_no=0), {}),
    "setup-address": (
        snapshot("setup", text("Who plays?"), round_no=0),
        {"join": JoinInfo("http://127.0.0.1:8080/")},
    ),
    "zero-test-asks": (
        snapshot("setup", text("Who plays?"), round_no=0, simulated=False, zero=zero(0.0)),
        {},
    ),
    "zero-test-kept": (
        snapshot("setup", text("Who plays?"), round_no=0, simulated=False, zero=zero(9.0)),
        {"page": 1},
    ),
    "setup-pin": (snapshot("setup", text("Who plays?"), simulated=False), {"join": LAN}),
    "setup-qr": (snapshot("setup", text("Who plays?")), {"join": JoinInfo(LAN.url, LAN.pin, qr())}),
    "setup-wifi": (
        snapshot("setup", text("Who plays?"), simulated=False),
        {"join": JoinInfo(LAN.url, LAN.pin, qr(), wifi("amber-7-falcon"))},
    ),
    "setup-wifi-long": (
        snapshot("setup", text("Who plays?"), simulated=False),
        {"join": JoinInfo(LAN.url, LAN.pin, qr(), wifi("a password that nobody wants to type"))},
    ),
    "blocked": (
        snapshot(
            "blocked",
            text("Let go first: {players}", players=listing(("East", "West"))),
            players=rows(FOUR, by_seat={2: {"held": True}, 4: {"held": True}}),
        ),
        {},
    ),
    "blocked-line": (
        snapshot("blocked", text("Let go first: {players}", players="nose.9"), players=rows(FOUR)),
        {},
    ),
    "ready": (snapshot("ready", text("Ready to deal"), players=rows(FOUR), advice=JACKS, round_no=1), {}),
    "hall-idle": (
        snapshot("setup", text("Who plays?"), simulated=False, hall=HallView(7)),
        {"join": JoinInfo(LAN.url, LAN.pin, qr())},
    ),
    "hall-number": (
        snapshot("setup", text("Who plays?"), simulated=False, hall=HallView(12)),
        {"join": JoinInfo(LAN.url, LAN.pin, qr()), "page": 1},
    ),
    "hall-here": (
        snapshot(
            "ready",
            text("Ready to deal"),
            players=rows(FOUR),
            round_no=1,
            hall=HallView(7, match=1, players=FOUR, here=(1, 2), says="Pizza at nine"),
        ),
        {},
    ),
    "armed": (snapshot("armed", text("Play!"), players=rows(FOUR, by_seat=NEW_I)), {}),
    "judging": (
        snapshot(
            "judging",
            text("Noses: {n} of {of}", n=2, of=4),
            players=rows(FOUR, by_seat={1: {"pressed": True}, 4: {"pressed": True}}),
        ),
        {},
    ),
    "verdict": (was_last(FOUR, "PIG", NEW_G), {}),
    "doubt": (was_last(FOUR, "PIG", NEW_G, finish=weighed(finish((3,), 96_000, 20_200))), {"page": -1}),
    "verdict-missing": (was_last(FOUR, "PIG", NEW_I, finish=finish((3,), None, 20_000)), {}),
    "verdict-sudden-death": (
        was_last(FOUR, "", {3: {"out": True, "new": True}}, finish=finish((3,), 1_234_567, 20_000)),
        {},
    ),
    "verdict-no-letter": (
        was_last(FOUR, "PIG", {}, finish=finish((3,), 246_000_000, 1_200_000), simulated=False),
        {},
    ),
    "dead-heat": (
        snapshot(
            "dead-heat",
            text("Dead heat: {players}", players=listing(("East", "South"))),
            players=rows(FOUR),
            finish=finish((2, 3), 400, 20_000, dead_heat=True),
        ),
        {},
    ),
    "dead-heat-three": (
        snapshot(
            "dead-heat",
            text("Dead heat: {players}", players=listing(("Nguyễn Thị Minh Khai", "Œdipe-Emmanuel", "West"))),
            players=rows(("Bob", *LONG[1:3], "West")),
            finish=finish((2, 3, 4), 3_400, 20_000, dead_heat=True),
        ),
        {},
    ),
    "void": (
        snapshot(
            "void",
            text("This round does not count."),
            text("The box may have missed a press; nobody can say for sure who was last."),
            players=rows(FOUR),
        ),
        {},
    ),
    "withdrawn": (
        snapshot(
            "void",
            WITHDRAWN,
            text("A tap on a page came too late and contradicts the verdict."),
            text("The box had judged: {players}.", players="North"),
            players=rows(FOUR),
        ),
        {},
    ),
    "won-one": (
        snapshot(
            "won",
            text("{player} wins!", player="East"),
            text("With two left, the first nose wins."),
            players=rows(FOUR, by_seat={2: {"winner": True}}),
        ),
        {},
    ),
    "won-two": (
        snapshot(
            "won",
            text("{players} win!", players=listing(("North", "Maximilian"))),
            players=rows(
                ("North", "East", "South", "Maximilian"), by_seat={1: {"winner": True}, 4: {"winner": True}}
            ),
        ),
        {},
    ),
    "fault": (
        snapshot(
            "ready",
            text("Ready to deal"),
            players=rows(FOUR),
            faults=(text("The buzzer box was pulled out. Plug it in again; the game waits."),),
        ),
        {"page": 1},
    ),
    "advice": (was_last(FOUR, "PIG", NEW_G), {"page": 2}),
    "advice-one-line": (
        was_last(FOUR, "PIG", NEW_I, advice=msgspec.structs.replace(JACKS, sentences=JACKS.sentences[2:])),
        {"page": 2},
    ),
}
TABLES: dict[str, tuple[Snapshot, dict[str, Any]]] = {
    "thirteen": (snapshot("ready", text("Ready to deal"), players=rows(THIRTEEN, "DONKEY")), {}),
    "thirteen-dense": (
        snapshot(
            "verdict",
            text("x"),
            players=rows(
                THIRTEEN, "DONKEY", by_seat={3: {"letters": tuple("DON"), "new": True}, 5: {"out": True}}
            ),
        ),
        {"dense": True, "page": 1},
    ),
    "twenty-six": (snapshot("armed", text("Play!"), players=rows(TWENTY_SIX, "DONKEY")), {"page": 6}),
    "twenty-six-dense": (
        snapshot("armed", text("Play!"), players=rows(TWENTY_SIX, "DONKEY"), simulated=False),
        {"dense": True, "page": 1},
    ),
    "twenty-six-judging": (
        snapshot(
            "judging",
            text("Noses: {n} of {of}", n=9, of=26),
            players=rows(TWENTY_SIX, by_seat={seat: {"pressed": True} for seat in range(1, 26, 3)}),
        ),
        {},
    ),
    "thirteen-judging": (
        snapshot(
            "judging",
            text("x"),
            players=rows(THIRTEEN, by_seat={seat: {"pressed": True} for seat in (2, 5, 9)}),
        ),
        {},
    ),
    "accents": (snapshot("ready", text("Ready to deal"), players=rows(THIRTEEN, "ČVOR")), {"page": 1}),
    "long-names": (snapshot("ready", text("Ready to deal"), players=rows(LONG, "PIG")), {}),
    "long-word": (snapshot("ready", text("Ready to deal"), players=rows(LONG, "SCHWEINEREIE")), {}),
    "long-word-dense": (
        snapshot("ready", text("Ready to deal"), players=rows(THIRTEEN, "SCHWEINEREIE")),
        {"dense": True},
    ),
    "long-word-verdict": (was_last(LONG, "SCHWEINEREIE", {3: {"letters": tuple("SCHWEI"), "new": True}}), {}),
    "scripts": (
        snapshot(
            "ready",
            text("Ready to deal"),
            players=(
                *rows(("דוד", "Юлия"), "ΓΟΥΡΟΥΝΙ"),
                PlayerRow(3, "გიორგი", ("ח", "ז"), ("ח", "ז", "י", "ר"), False, None),
                PlayerRow(4, "王小明", ("豬",), ("豬", "頭"), False, None),
            ),
        ),
        {},
    ),
    "scores": (
        snapshot(
            "ready",
            text("Ready to deal"),
            players=rows(
                FOUR, "", by_seat={1: {"score": 125}, 2: {"score": -5}, 3: {"score": 0, "dealer": True}}
            ),
        ),
        {},
    ),
}
CASES: dict[str, Callable[[], Image.Image]] = {}


def _case(
    name: str, shown: Snapshot, how: dict[str, Any], size: tuple[int, int] = (128, 64), lang: str = "en"
) -> None:
    CASES[name] = lambda: draw(shown, size, translate=translator(lang), **how)


for _name, (_shown, _how) in {**PHASES, **ASKED, **ENTRIES, **TABLES, **SCRIPTS}.items():
    _case(_name, _shown, _how)
for _name in (
    "setup-pin",
    "ready",
    "judging",
    "verdict",
    "dead-heat",
    "void",
    "withdrawn",
    "won-one",
    "won-two",
    "blocked",
):
    _case(f"{_name}-128x32", *PHASES[_name], size=(128, 32))
_case("doubt-128x32", *PHASES["doubt"], size=(128, 32))
_case("doubt-fr", *PHASES["doubt"], lang="fr")
_case("withdrawn-fr", *PHASES["withdrawn"], lang="fr")
for _name, _page in (("asked-suit", 1), ("asked-turned", 1), ("rack", 0)):
    _case(f"{_name}-128x32", ASKED[_name][0], {"page": _page}, size=(128, 32))
for _name in ("asked-card", "asked-suit", "asked-turned", "asked-forfeit", "asked-beside", "rack"):
    _case(f"{_name}-fr", *ASKED[_name], lang="fr")
for _name in ("asked-above", "asked-turn", "asked-many", "asked-over", "rack-alone", "rack-missing"):
    _case(f"{_name}-fr", *ASKED[_name], lang="fr")
for _name in ("asked-turned", "asked-beside"):
    _case(f"{_name}-64x128", *ASKED[_name], size=(64, 128))
for _name in ("script-chinese", "script-arabic-verdict", "script-few-judging"):
    _case(f"{_name}-128x32", *SCRIPTS[_name], size=(128, 32))
for _name in ("pad", "pad-ten"):
    _case(f"{_name}-fr", *ENTRIES[_name], lang="fr")
    _case(f"{_name}-128x32", *ENTRIES[_name], size=(128, 32))
    _case(f"{_name}-64x128", *ENTRIES[_name], size=(64, 128))
for _name in ("sheet-both", "sheet-rest"):
    _case(f"{_name}-fr", *ENTRIES[_name], lang="fr")
    _case(f"{_name}-128x32", *ENTRIES[_name], size=(128, 32))
    _case(f"{_name}-256x64", *ENTRIES[_name], size=(256, 64))
    _case(f"{_name}-64x128", *ENTRIES[_name], size=(64, 128))
for _name in ("setup-qr", "setup-wifi"):
    _case(f"{_name}-64x128", *PHASES[_name], size=(64, 128))
for _size in ((128, 32), (64, 128)):
    _case(f"hall-number-{_size[0]}x{_size[1]}", *PHASES["hall-number"], size=_size)
for _name in ("armed", "verdict"):
    _case(f"{_name}-256x64", *PHASES[_name], size=(256, 64))
    _case(f"{_name}-64x128", *PHASES[_name], size=(64, 128))
_case("sheet-fr", *ENTRIES["sheet"], lang="fr")
_case("zero-test-asks-fr", *PHASES["zero-test-asks"], lang="fr")
for _name in ("setup-pin", "setup-address", "blocked", "verdict", "verdict-missing", "dead-heat", "won-one"):
    _case(f"{_name}-fr", *PHASES[_name], lang="fr")

for _name, _view in TESTED.items():
    CASES[f"selftest-{_name}"] = partial(screens.draw_selftest, _view, (128, 64))
for _name in ("asked", "wrong", "failed"):
    CASES[f"selftest-{_name}-128x32"] = partial(screens.draw_selftest, TESTED[_name], (128, 32))
    CASES[f"selftest-{_name}-fr"] = partial(
        screens.draw_selftest, TESTED[_name], (128, 64), translate=translator("fr")
    )


@pytest.mark.parametrize("name", CASES)
def test_screen_is_as_in_its_picture(name: str) -> None:
    """Every pixel of every screen is where the picture has it."""
    assert_as_in_picture(CASES[name](), SCREENS / f"{name}.png")


def test_every_picture_belongs_to_a_screen() -> None:
    """No picture is left over from a screen that is drawn no more."""
    assert sorted(CASES) == sorted(
        path.stem for path in SCREENS.glob("*.png") if not path.stem.endswith(".drawn")
    )


# The lowest, the narrowest and the widest; what lies between them takes long.
EXTREMES = ((96, 16), (64, 48), (256, 64))
BETWEEN = ((128, 64), (128, 32), (128, 128), (64, 128), (64, 32))


@pytest.mark.parametrize(
    "size", [*EXTREMES, *(pytest.param(size, marks=pytest.mark.heavy) for size in BETWEEN)]
)
@pytest.mark.parametrize("dense", [False, True])
def test_no_display_is_too_small(size: tuple[int, int], dense: bool) -> None:
    """Every phase can be drawn on every size that luma's drivers have, on every page."""
    for shown, how in {**PHASES, **ASKED, **ENTRIES, **TABLES, **SCRIPTS}.values():
        rest = {"dense": dense, "join": how.get("join")}
        for page in range(count_pages(shown, size, **rest)):
            assert size == draw(shown, size, page=page, **rest).size


def test_standings_of_twenty_six_turn_through_seven_pages_or_two_dense_ones() -> None:
    """Four players a page, fourteen on a dense one."""
    shown = TABLES["twenty-six"][0]
    assert (7, 2) == (count_pages(shown, (128, 64)), count_pages(shown, (128, 64), dense=True))


def test_pages_turn_round_and_round() -> None:
    """The page after the last is the first."""
    shown = TABLES["thirteen"][0]
    pages = [draw(shown, (128, 64), page=page).tobytes() for page in range(5)]
    assert pages[0] == pages[4]
    assert 4 == len(set(pages[:4]))


@pytest.mark.parametrize(
    "screens",
    [PHASES, pytest.param({**ASKED, **ENTRIES, **TABLES, **SCRIPTS}, marks=pytest.mark.heavy)],
    ids=["phases", "all others"],
)
def test_every_screen_of_noses_that_count_says_simulated(
    screens: dict[str, tuple[Snapshot, dict[str, Any]]],
) -> None:
    """No page of any phase of a simulated table is without the word, in the larger font or the smaller.

    But a sheet: nobody touches a nose for it.
    """
    marks = []
    for font, height in (("6x13", 11), ("5x8", 8)):
        width = load(font).measure("SIMULATED") + 2
        canvas = Canvas(width, height)
        canvas.text(1, -1 if height == 11 else 0, "SIMULATED", load(font))
        canvas.invert(0, 0, width, height)
        marks.append(canvas.image())
    for either, how in screens.values():
        real = msgspec.structs.replace(either, simulated=False)
        shown = msgspec.structs.replace(either, simulated=True)
        for dense in (False, True):
            rest = {"dense": dense, "join": how.get("join")}
            for page in range(count_pages(shown, (128, 64), **rest)):
                sheet = not shown.watched
                said = holds(draw(shown, (128, 64), page=page, **rest), marks)
                assert said is not sheet, (shown.phase, page)
                assert not holds(draw(real, (128, 64), page=page, **rest), marks)


def test_a_table_of_real_phones_is_not_called_simulated() -> None:
    """Four phones, each a nose: as on a table of wires. Where one is a page that several touch it is."""
    lines = [f"nose.{seat}" for seat in range(1, 5)]
    seated = [
        msgspec.structs.replace(row, line=line) for row, line in zip(rows(FOUR, "PIG"), lines, strict=True)
    ]
    shown = snapshot("armed", text("Play!"), players=tuple(seated))
    phones = tuple(SeatPhone(line, "awake") for line in lines)
    real = draw(msgspec.structs.replace(shown, simulated=False), (128, 64))
    assert real == draw(msgspec.structs.replace(shown, phones=phones), (128, 64))
    shared = (*phones[1:], SeatPhone(lines[0], "awake", shared=True))
    assert real != draw(msgspec.structs.replace(shown, phones=shared), (128, 64))


def holds(picture: Image.Image, marks: list[Image.Image]) -> bool:
    """Return whether one of *marks* stands somewhere on the upper edge of *picture*."""
    return any(
        mark.tobytes() == picture.crop((x, 0, x + mark.width, mark.height)).tobytes()
        for mark in marks
        for x in range(picture.width - mark.width + 1)
    )


def test_a_fault_is_marked_on_every_page_and_told_on_one() -> None:
    """A device that fails changes every page a little and adds one that says what to do."""
    shown = PHASES["fault"][0]
    well = msgspec.structs.replace(shown, faults=())
    assert count_pages(well, (128, 64)) + 1 == count_pages(shown, (128, 64))
    assert draw(well, (128, 64)).tobytes() != draw(shown, (128, 64)).tobytes()


@pytest.mark.parametrize("size", [(128, 64), (128, 32), (64, 128), (256, 64)])
@pytest.mark.parametrize(
    ("phase", "hall", "more"),
    [
        ("setup", HallView(7), 1),
        ("setup", HallView(7, says="Pizza at nine"), 2),
        ("setup", HallView(7, text("Round {n}", n=2)), 1),
        ("ready", HallView(7, match=1, players=FOUR, here=(1, 2)), 1),
        ("ready", HallView(7, match=1, players=FOUR, here=(1, 2, 3, 4)), 0),
        ("verdict", HallView(7, match=1, says="Pizza at nine"), 1),
        ("ready", HallView(7, match=1, players=FOUR, here=(1, 2, 3, 4), link=text("Away")), 1),
        ("verdict", HallView(7, match=1, stuck=(text("Away"),)), 1),
        ("armed", HallView(7, match=1, says="Pizza at nine", link=text("Away")), 0),
        ("armed", HallView(7, match=1, stuck=(text("Away"),)), 0),
        ("judging", HallView(7, match=1, says="Pizza at nine", link=text("Away")), 0),
    ],
)
def test_a_table_in_a_hall_has_a_page_for_what_the_hall_wants_but_not_in_a_round(
    size: tuple[int, int], phase: str, hall: HallView, more: int
) -> None:
    """Its number, called, not all here, an announcement, the link away; nothing turns while people play."""
    alone = PHASES[phase][0]
    inside = msgspec.structs.replace(alone, hall=hall)
    assert count_pages(alone, size) + more == count_pages(inside, size)


@pytest.mark.parametrize("size", [(128, 64), (128, 32), (64, 128), (256, 64)])
def test_two_who_settle_it_by_hand_read_so_on_the_table(size: tuple[int, int]) -> None:
    """Beside the round that they are called for: more than one page where the display is small."""
    alone = PHASES["setup"][0]
    called = HallView(7, text("Round {n}", n=2), players=FOUR[:2])
    settles = msgspec.structs.replace(called, settles=True)
    pages = [count_pages(msgspec.structs.replace(alone, hall=one), size) for one in (called, settles)]
    assert pages[0] < pages[1]


def test_the_address_never_shows_what_the_fragment_carries() -> None:
    """The PIN is drawn only when it is given as the PIN."""
    shown = PHASES["setup"][0]
    with_fragment = draw(shown, (128, 64), join=JoinInfo("http://10.0.0.5:8080/join#4821"))
    without = draw(shown, (128, 64), join=JoinInfo("http://10.0.0.5:8080/"))
    assert without.tobytes() == with_fragment.tobytes()


def test_the_qr_code_can_be_read_back() -> None:
    """Every module stands in the picture, two pixels wide, with light around it."""
    picture = draw(*PHASES["setup-qr"][:1], (128, 64), **PHASES["setup-qr"][1])
    code = qr(border=0)
    left, top = 64 + 3, 3
    read = tuple(
        tuple(picture.getpixel((left + 2 * x, top + 2 * y)) == 0 for x in range(29)) for y in range(29)
    )
    assert code == read
    upright = draw(*PHASES["setup-qr"][:1], (64, 128), **PHASES["setup-qr"][1])
    left, top = 2 + 2, 128 - 62 + 2  # a square as wide as the display without its margin, at the bottom
    read = tuple(
        tuple(upright.getpixel((left + 2 * x, top + 2 * y)) == 0 for x in range(29)) for y in range(29)
    )
    assert code == read
    edge = [picture.getpixel((x, y)) for x in range(64, 128) for y in (0, 1, 2, 61, 62, 63)]
    assert {255} == set(edge)


NAMES = st.text(min_size=0, max_size=20)


@settings(max_examples=examples(60), deadline=None)
@given(
    phase=st.sampled_from(sorted({shown.phase for shown, _ in PHASES.values()})),
    names=st.lists(NAMES, min_size=1, max_size=26),
    word=st.lists(NAMES, max_size=12).map(tuple),
    flags=st.lists(st.booleans(), min_size=8, max_size=8),
    size=st.sampled_from([(128, 64), (128, 32), (64, 48)]),
)
def test_whatever_people_are_called_it_can_be_drawn(
    phase: str, names: list[str], word: tuple[str, ...], flags: list[bool], size: tuple[int, int]
) -> None:
    """No name and no word of any script stops the display."""
    out, new, held, pressed, winner, dealer, simulated, dense = flags
    people = tuple(
        PlayerRow(
            seat,
            name,
            word[:seat],
            word,
            out,
            None,
            new=new,
            dealer=dealer,
            winner=winner and seat < 4,
            held=held,
            pressed=pressed,
        )
        for seat, name in enumerate(names, 1)
    )
    shown = snapshot(
        phase,
        text("{names}", names=" ".join(names)),
        players=people,
        simulated=simulated,
        finish=finish((1,), 5, 5),
    )
    for page in range(count_pages(shown, size, dense=dense)):
        assert size == draw(shown, size, page=page, dense=dense).size


def test_the_small_screen_says_whose_phone_is_waited_for_behind_stop() -> None:
    """A page more, and not the first: everybody stops; the host reads what else can be done."""
    stop = msgspec.structs.replace(
        snapshot("judging", text("Stop! Somebody has pressed"), players=rows(FOUR)), question="first"
    )
    duty = Duty(
        2,
        "East",
        "nose.2",
        text("{player}’s phone has fallen silent: is it in the network?", player="East"),
        None,
        None,
    )
    waits = msgspec.structs.replace(stop, duty=duty)
    assert 1 == count_pages(stop, (256, 64))
    assert 2 == count_pages(waits, (256, 64))


def test_the_margin_is_not_told_of_somebody_else() -> None:
    """When the table gave the letter to another than the box judged, the judged margin is not theirs."""
    corrected = was_last(FOUR, "PIG", {2: {"letters": ("P",), "new": True}})
    unjudged = msgspec.structs.replace(corrected, finish=None)
    assert draw(unjudged, (128, 64)).tobytes() == draw(corrected, (128, 64)).tobytes()


def test_of_who_was_first_no_margin_says_last() -> None:
    """Where it was close the small screen says how far two were apart, as of a dead heat."""
    shown = was_last(FOUR, "PIG", {2: {"letters": ("P",), "new": True}})
    assert shown.finish is not None
    (seat,) = [mark.seat for mark in shown.finish.marks if mark.last]
    said = []
    for first in (False, True):
        close = msgspec.structs.replace(shown.finish, closeness="close", first=first)
        scene = Scene(msgspec.structs.replace(shown, finish=close), (126, 64), False, str, None)
        said.append(_margin(scene, [row for row in shown.rows if row.seat == seat])[0])
    assert said[0] == said[1]
    assert "last" not in said[0]


@pytest.mark.parametrize("language", ["fr"])
def test_short_words_fit_in_every_language(language: str) -> None:
    """What stands in a heading or beside a mark is not cut off in translation."""
    say = translator(language)
    mark = say(text("Simulated")).upper()
    room = 128 - load("6x13").measure(mark) - 2 - 2 - 10
    for title in (
        text("Round {n}", n=99),
        text("Last Nose"),
        text("Next round"),
        text("The end"),
        text("Self-test"),
    ):
        assert room >= load("5x8").measure(say(title)), say(title)
    for wide in (text("Does not count"), text("Dead heat"), text("not yet"), text("PIN {pin}", pin="4821")):
        assert load("6x13").measure(say(wide)) <= 126, say(wide)
    for n in (1, 2):
        held = texts("Let go of the nose:", "Let go of the noses:", n=n)
        assert load("6x13").measure(say(held)) <= 128, say(held)
    margin = say(duration(1_234_567))
    assert load("6x13").measure(margin) + 3 + load("5x8").measure("±20 µs") <= 128, margin


def test_two_columns_at_the_left_stay_dark() -> None:
    """On every page of every moment; the self-test's picture alone goes to the edge."""
    for name, (shown, *_) in PHASES.items():
        for page in range(count_pages(shown, (128, 64))):
            assert draw(shown, (128, 64), page=page).crop((0, 0, 2, 64)).getbbox() is None, name


def test_long_faults_are_told_in_whole_sentences() -> None:
    """A page ends where a sentence ends; one longer than a page is small, or shared out evenly."""
    wide, high = 126, 52
    two = "The log cannot be written: the disk is full. Make room: the evening goes on in memory until then."
    pages = pages_of_sentences((two, "Nose 3 is silent."), wide, high, LARGE)
    assert [
        (["The log cannot be", "written: the disk is", "full."], LARGE),
        (["Make room: the", "evening goes on in", "memory until then.", "Nose 3 is silent."], LARGE),
    ] == pages
    short = pages_of_sentences(("All is well. Play.",), wide, high, LARGE)
    assert [(["All is well. Play."], LARGE)] == short
    long = "x " * 80 + "void."  # 80 signs and blanks: 25 a line of 5 pixels, 7 lines: not 6 and 1
    pages = pages_of_sentences((long,), wide, high, LARGE)
    assert [(3, SMALL), (4, SMALL)] == [(len(lines), font) for lines, font in pages]
    assert long.split() == " ".join(line for lines, _ in pages for line in lines).split()


def test_an_armed_round_shows_what_to_deal_until_everybody_has_cards() -> None:
    """A page more than the standings; a table with only a box is never told, and goes on showing them."""
    pages = [
        count_pages(
            snapshot("armed", text("Play!"), players=rows(FOUR), advice=JACKS, dealing=dealing), (128, 64)
        )
        for dealing in (True, False)
    ]
    alone = count_pages(snapshot("armed", text("Play!"), players=rows(FOUR)), (128, 64))
    assert [alone + 1, alone] == pages


@pytest.mark.parametrize("kind", ["settle", "decide", "lay"])
def test_what_has_to_be_done_before_cards_go_round_is_the_first_page(kind: Any) -> None:
    """A page more, before the verdict; none for what another page says already, and none to play."""
    shown = PHASES["verdict"][0]
    says = text("{player}’s phone has fallen silent: is it in the network?", player="East")
    due = msgspec.structs.replace(shown, due=Due(kind, says))
    assert count_pages(shown, (128, 64)) + 1 == count_pages(due, (128, 64))
    told = msgspec.structs.replace(shown, early=says)  # which is drawn in the same place
    assert draw(told, (128, 64)).tobytes() == draw(due, (128, 64)).tobytes()
    for other in ("free", "answer", "play"):
        same = msgspec.structs.replace(shown, due=Due(other, says))
        assert draw(shown, (128, 64)).tobytes() == draw(same, (128, 64)).tobytes()
