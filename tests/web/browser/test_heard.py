"""What is heard and said: signals, a voice, rules read aloud, a word for each state, any script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from lastnose.companion.cli.remote import state_of
from lastnose.companion.cli.watch import nose, where
from lastnose.companion.core.ports import Signal
from lastnose.companion.core.text import Text, text
from lastnose.companion.games.rules.checks import letters_of
from lastnose.companion.i18n import translator
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings
from lastnose.companion.views.news import lamps
from lastnose.companion.views.snapshot import Duty, Snapshot
from lastnose.hardware.oled.canvas import Canvas
from lastnose.hardware.oled.layout import MARGIN, NOSE_LIVE, SMALL
from lastnose.hardware.oled.screens import draw

from tests.support.script_scenes import WORDS, standings
from tests.web.browser.conftest import PHONE, Stage, Visits, expect, settle
from tests.web.browser.scenes import SCENES
from tests.web.browser.test_pages import serious

# Remembers the frequency of every tone that is begun.
TONES = """
window.tones = [];
const begin = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) {
  window.tones.push(this.frequency.value);
  return begin.apply(this, at);
};
"""
# Holds tones back until the page is touched, as browsers do where nobody drives them.
HELD = """
const touched = new Promise((done) => addEventListener("pointerdown", done, { capture: true, once: true }));
let state = "suspended";
touched.then(() => { state = "running"; });
Object.defineProperty(AudioContext.prototype, "state", { get: () => state });
AudioContext.prototype.resume = () => touched;
"""


def lit(name: str) -> Snapshot:
    """Return a scene with its lamps."""
    return msgspec.structs.replace(SCENES[name], lamps=lamps(SCENES[name]))


def bring(stage: Stage, name: str, *signals: Signal) -> None:
    """Show a scene that is to be heard."""
    version = stage.snapshot.version + 1
    stage.set(msgspec.structs.replace(lit(name), signals=signals, signalled=version))


def opened(stage: Stage) -> Any:
    """Return the table's page, with ears at its tones and its voice."""
    page = stage.visits("about:blank").page
    page.add_init_script(TONES)
    page.add_init_script(VOICE)
    page.goto(stage.address)
    settle(page)
    return page


def test_lamps_show_who_is_in_who_is_out_and_who_is_awaited(stage: Stage) -> None:
    """On the rows and on the noses."""
    stage.set(lit("judging"))
    page = stage.drawn()
    for places in (".players .seat", ".noses > div"):
        for at, light in enumerate(("on", "blink", "off", "on", "off")):
            expect(page.locator(places).nth(at)).to_have_attribute("data-light", light)


def test_a_page_is_silent_until_it_is_told_otherwise(stage: Stage) -> None:
    """Neither tone nor voice."""
    stage.set(lit("armed"))
    page = opened(stage)
    bring(stage, "close", "decided", "letter")
    page.get_by_role("heading", name="South was last").wait_for()
    page.wait_for_timeout(200)
    assert ([], []) == (page.evaluate("window.tones"), page.evaluate("window.said"))


def test_switched_on_it_plays_the_signals_and_calls_who_was_last(stage: Stage) -> None:
    """Once, in order; a reload does not repeat it and keeps the switches."""
    stage.set(lit("armed"))
    page = opened(stage)
    page.get_by_role("switch", name="Sounds").click()
    page.get_by_role("switch", name="A voice").click()
    page.wait_for_function("() => window.tones.length === 2")  # a taste of it
    bring(stage, "close", "decided", "letter")
    page.get_by_role("heading", name="South was last").wait_for()
    page.wait_for_function("() => window.said.length")
    assert [["Verdict. South was last: G", "en", "Alan"]] == page.evaluate("window.said")
    page.wait_for_function("() => window.tones.length === 2 + 2 + 3")
    stage.set(msgspec.structs.replace(stage.snapshot, proof=()))
    page.reload()
    settle(page)
    page.wait_for_timeout(200)
    assert [] == page.evaluate("window.tones")
    expect(page.get_by_role("switch", name="A voice")).to_be_checked()


def test_what_a_browser_holds_back_until_the_first_touch_is_not_heard_then(stage: Stage) -> None:
    """The page is loaded again: the voice waits for no tone, and the first touch brings only what is new."""
    stage.set(lit("armed"))
    page = stage.visits("about:blank").page
    page.add_init_script(HELD)
    page.add_init_script("localStorage['lastnose.tones'] = localStorage['lastnose.voice'] = 'on'")
    page.add_init_script(TONES)
    page.add_init_script(VOICE)
    page.goto(stage.address)
    settle(page)
    bring(stage, "close", "decided", "letter")
    page.wait_for_function("() => window.said.length")
    page.locator("h1").click()
    bring(stage, "armed", "armed")
    page.wait_for_function("() => window.tones.length > 1")
    assert [523, 784] == page.evaluate("window.tones")


def test_the_voice_says_that_noses_count_where_somebody_will_be_last(stage: Stage) -> None:
    """By the word that screens have for it, once; nothing over the question of a quiz."""
    page = opened(stage)
    page.get_by_role("switch", name="A voice").click()
    asks = msgspec.structs.replace(lit("first"), question="first")
    stage.set(msgspec.structs.replace(asks, signals=("armed",), signalled=stage.snapshot.version + 1))
    bring(stage, "armed", "armed")
    page.wait_for_function("() => window.said.length")
    bring(stage, "close", "decided")
    page.wait_for_function("() => window.said.length === 2")
    said = [words for words, *_ in page.evaluate("window.said")]
    assert ["Noses on", "Verdict. South was last: G"] == said


def test_the_voice_says_once_what_has_to_be_done_before_cards_go_round(stage: Stage) -> None:
    """After the verdict with which it comes; alone when a phone falls silent later; never again."""
    silent = Duty(4, "West", "nose.4", text("West is silent."), None, None)
    stage.set(lit("armed"))
    page = opened(stage)
    page.get_by_role("switch", name="A voice").click()
    version = stage.snapshot.version + 1
    told = msgspec.structs.replace(lit("close"), duty=silent, signals=("decided",), signalled=version)
    stage.set(told)
    page.wait_for_function("() => window.said.length === 2")
    stage.set(msgspec.structs.replace(told, proof=()))
    stage.set(msgspec.structs.replace(told, duty=None))
    stage.set(msgspec.structs.replace(told, duty=msgspec.structs.replace(silent, says=text("Wake East."))))
    page.wait_for_function("() => window.said.length === 3")
    said = [words for words, *_ in page.evaluate("window.said")]
    assert ["Verdict. South was last: G", "West is silent.", "Wake East."] == said


# A voice that has said its sentence when `next` is called and remembers what it said; `cancel` ends it, as
# browsers do.
VOICE = """
window.said = [];
window.next = () => current.onend();
class Utterance { constructor(text) { this.text = text; } }
Object.defineProperty(window, "SpeechSynthesisUtterance", { value: Utterance });
let current = null;
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "fr-FR", name: "Amélie" }, { lang: "en-GB", name: "Alan" }],
  speak: (one) => {
    current = one;
    window.said.push([one.text.trim(), one.lang, one.voice?.name]);
  },
  cancel: () => { const one = current; current = null; one?.onerror?.(); },
} });
"""


@pytest.mark.journey
def test_set_up_leads_to_the_rules_as_set_there(visit: Visits, evening: str) -> None:
    """An option that is changed changes the page; a thumb hits the link on a wide screen too."""
    page = visit(f"{evening}/setup").page
    page.get_by_text("With a stock").click()
    rules = page.locator("#rulebook")
    assert rules.bounding_box()["height"] >= 44
    rules.click()
    page.get_by_text("The dealer draws from the stock").wait_for()
    expect(page.get_by_role("heading", name="Pig")).to_be_visible()
    assert [] == serious(page)


def test_rules_are_read_aloud_and_cut_short(stage: Stage) -> None:
    """In the page's language, marked as they are read; signs of suits are not spelled."""
    opened = stage.visits("about:blank", locale="fr-FR")
    opened.page.add_init_script(VOICE)
    opened.page.goto(f"{stage.address}/help/vatra")
    settle(opened.page)
    button = opened.page.get_by_role("button", name="Lire à voix haute")
    button.click()
    for _ in range(3):  # the name, what it is about, a title
        opened.page.evaluate("window.next()")
    opened.page.locator(".rulebook section:nth-of-type(1) p.now").wait_for()
    opened.page.wait_for_function("() => window.said.length === 4")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(opened.page.locator(".now")).to_have_count(1)
    assert ["Vatra", "fr", "Amélie"] == opened.page.evaluate("window.said[0]")
    button.click()
    opened.page.locator("#aloud[aria-pressed=false]").wait_for()
    assert 4 == opened.page.evaluate("window.said.length")
    expect(opened.page.locator(".now")).to_have_count(0)


def test_a_browser_that_cannot_speak_offers_no_voice(stage: Stage) -> None:
    """The rules can still be read."""
    opened = stage.visits("about:blank")
    opened.page.add_init_script("delete window.SpeechSynthesisUtterance")
    opened.page.goto(f"{stage.address}/help/vatra")
    settle(opened.page)
    expect(opened.page.locator("#aloud")).to_be_hidden()


NAMES = ("North", "East", "South")
STATE_WORDS = {
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
    for name, usual in STATE_WORDS[language].items():
        shown = states[name]
        stage.set(shown)
        word = say(shown.stage_word) if shown.stage_word is not None and name == "deal" else usual
        for page in (heard, phone, board):
            expect(page.locator(".stages:visible [aria-current=step]")).to_have_text([word])
            expect(page.locator(".stages:visible .done")).to_have_count([*STATE_WORDS[language]].index(name))
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


SLOTS = "word => [...word.children].map(one => [one.textContent, one.getBoundingClientRect().left])"


def words(stage: Stage, script: str) -> Any:
    """Show four players with letters of a word in *script* on a phone; return their words."""
    stage.set(SCENES["setup"])
    page = stage.visit(**PHONE).page
    stage.set(standings(*WORDS[script]))
    page.locator(".players li").nth(3).wait_for()
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    return page.locator(".players .word")


def test_arabic_letters_stand_from_the_right_and_the_whole_word_is_joined(stage: Stage) -> None:
    """ح م ا one by one, the first at the right; with the last letter it is written as one: حمار."""
    shown = words(stage, "arabic")
    slots = shown.nth(2).evaluate(SLOTS)
    assert ["ح", "م", "ا", ""] == [letter for letter, _ in slots]
    assert sorted((left for _, left in slots), reverse=True) == [left for _, left in slots]
    assert ["حمار"] == [letter for letter, _ in shown.nth(3).evaluate(SLOTS)]


@pytest.mark.parametrize("script", ["latin", "chinese", "korean", "devanagari"])
def test_other_letters_stand_from_the_left(stage: Stage, script: str) -> None:
    """One slot a letter, as the rules count letters."""
    shown = words(stage, script)
    slots = shown.nth(0).evaluate(SLOTS)
    assert len(letters_of(WORDS[script][0])) == len(slots)
    assert sorted(left for _, left in slots) == [left for _, left in slots]


def test_the_dashes_of_twelve_letters_stand_in_two_lines_of_full_height(stage: Stage) -> None:
    """Who has no letter yet takes as much room as who has eleven."""
    shown = words(stage, "twelve-wide")
    heights = [box["height"] for box in (shown.nth(n).bounding_box() for n in (0, 2))]
    assert abs(heights[0] - heights[1]) <= 4


def test_set_up_says_at_once_what_is_no_word(stage: Stage) -> None:
    """Figures, emoji and a thirteenth letter are none; a word of any script is one, and the hint goes."""
    stage.set(SCENES["setup"])
    page = stage.visit("/setup", **PHONE).page
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    field = page.locator("[data-option=word] input")
    hint = page.locator("[data-option=word] .wrong")
    for word in ("A1", "🐴🐴", "ABCDEFGHIJKLM", ""):
        field.fill(word)
        expect(hint).to_have_text("1 to 12 letters, please.", use_inner_text=True)
    for word in ("हिंदुस्तानीभाषापरिवार", "نمستے", "我爱玩牌今天晚上一起来吧", "PIG"):
        field.fill(word)
        expect(hint).to_have_text("", use_inner_text=True)


def test_a_hint_beside_the_newcomer_goes_when_the_name_is_mended(stage: Stage) -> None:
    """Two of one name cannot be; typing on says no more of it."""
    stage.set(SCENES["setup"])
    page = stage.visit("/setup", **PHONE).page
    field = page.get_by_label("A name, or a list")
    for _ in range(2):
        field.fill("王小明")
        page.get_by_role("button", name="Add").click()
    hint = page.locator("#newcomer-wrong")
    expect(hint).to_contain_text("王小明", use_inner_text=True)
    field.press_sequentially("2")
    expect(hint).to_have_text("", use_inner_text=True)
