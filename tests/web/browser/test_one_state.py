"""The state of a round is one, in word and sign: on page, nose, board, OLED, terminal, lamps, voice."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from lastnose.companion.cli.remote import state_of
from lastnose.companion.cli.watch import nose, where
from lastnose.companion.core.text import Text
from lastnose.companion.i18n import translator
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings
from lastnose.companion.views.snapshot import Snapshot
from lastnose.hardware.oled.canvas import Canvas
from lastnose.hardware.oled.layout import MARGIN, NOSE_LIVE, SMALL
from lastnose.hardware.oled.screens import draw

from tests.web.browser.conftest import PHONE, Stage, expect
from tests.web.browser.scenes import SCENES
from tests.web.browser.test_help import VOICE

NAMES = ("North", "East", "South")
WORDS = {
    "en": {"deal": "Deal", "on": "Noses on", "running": "Running", "verdict": "Verdict"},
    "fr": {"deal": "Donne", "on": "Nez en jeu", "running": "En cours", "verdict": "Verdict"},
    "bs": {"deal": "Dijeljenje", "on": "Nos važi", "running": "U toku", "verdict": "Presuda"},
}


def walked(game: str) -> dict[str, Snapshot]:
    """Return what a table shows of the first round of *game*, the first of each stage."""
    table = Scenario(game, NAMES, settings=Settings(rearm_ns=None))
    shown = [table.snapshot]
    table.table.subscribe(shown.append)
    table.arm()
    if game == "spoons":
        table.lift(1, at_us=0)
        table.wait(0.1)
        table.lift(2, at_us=200_000)
    for at, player in enumerate(NAMES[: 1 if game in ("quiz", "snap") else 2]):
        table.press(player, at_us=1_000_000 + 200_000 * at)
        table.table.publish()
        table.wait(0.1)
    table.wait(2)
    states = {one.stage: one for one in reversed(shown) if one.stage}
    # Where the first is asked a nose is down only as long as another source has still to promise.
    return {"running": msgspec.structs.replace(states["on"], phase="judging"), **states}


def small_screen(shown: Snapshot, word: str, say: Callable[[Text], str]) -> tuple[bool, bool]:
    """Return whether the small screen's heading has *word*, and its nose is filled, dot by dot."""
    there = draw(msgspec.structs.replace(shown, simulated=False), (128, 64), translate=say)
    canvas = Canvas(128 - MARGIN, 64)
    canvas.text(10, 1, word, SMALL)
    canvas.pattern(0, 1, NOSE_LIVE)
    ours = canvas.image(MARGIN)
    ends = MARGIN + 10 + SMALL.measure(word)
    parts = ((MARGIN + 10, 1, ends, 9), (MARGIN, 1, MARGIN + 7, 8))
    has, filled = (there.crop(part).tobytes() == ours.crop(part).tobytes() for part in parts)
    return has, filled


@pytest.mark.parametrize(
    ("game", "language"), [("pig", "en"), ("spoons", "fr"), ("vatra", "bs"), ("quiz", "en")]
)
def test_every_screen_says_the_same_of_each_state(stage: Stage, game: str, language: str) -> None:
    """Also the voice: over a question it says the verdict alone. East touches for that, not before."""
    states, say = walked(game), translator(language)
    stage.set(SCENES["armed"])
    heard = stage.visits("about:blank", locale=language).page
    heard.add_init_script(f"{VOICE}; localStorage.setItem('lastnose.voice', 'on');")
    heard.goto(stage.address)
    expect(heard.locator("#verdict[data-phase=armed]")).to_be_visible()
    board = stage.visit("/board", locale=language).page
    stage.set(states["deal"])
    phone = stage.visit("/nose", locale=language, **PHONE).page
    phone.locator(".m-seats button").nth(1).click()
    spoken = []
    for name, usual in WORDS[language].items():
        shown = states[name]
        stage.set(shown)
        word = say(shown.stage_word) if shown.stage_word is not None and name == "deal" else usual
        for page in (heard, phone, board):
            expect(page.locator(".stages:visible [aria-current=step]")).to_have_text([word])
            expect(page.locator(".stages:visible .done")).to_have_count([*WORDS[language]].index(name))
        state = state_of(stage.address, language)
        assert f" · {word}" in where(state)
        filled = name in ("on", "running")
        assert (True, filled) == small_screen(shown, word, say)
        assert filled is ("●" == nose(state["rows"][1], name))
        assert ("off" != shown.lamps[1].light) is (filled or (name, shown.question) == ("verdict", "last"))
        expect(phone.locator("#nose.counts")).to_have_count(int(filled))
        expect(board.locator(".b-table:visible li:nth-child(2).counts > svg")).to_have_count(int(filled))
        if name == "verdict":
            spoken.append(" ".join(f"{word}. {say(shown.headline)}".split()))
        elif shown.question == "last":
            spoken.append(word)
    heard.wait_for_function("last => window.said.some(([words]) => words === last)", arg=spoken[-1])
    said = [words for words, *_ in heard.evaluate("window.said")]
    assert spoken == [words for words in said if words in spoken]  # what is due is said behind


def test_where_no_nose_is_watched_no_screen_has_a_state(stage: Stage) -> None:
    """Points are written: page and board are without the four, the small screen has the game's name."""
    shown = Scenario("chickenfoot", NAMES).snapshot
    stage.set(shown)
    for path in ("/", "/board"):
        page = stage.drawn(path)
        expect(page.locator(".stages")).to_be_hidden()
    assert (True, False) == small_screen(shown, "Chickenfoot", str)
