"""Lamps that are seen and signals that are heard: off at first, kept on the phone, never twice."""

from __future__ import annotations

from typing import Any

import msgspec
from lastnose.companion.core.ports import Signal
from lastnose.companion.core.text import text
from lastnose.companion.views.news import lamps
from lastnose.companion.views.snapshot import Duty, Snapshot

from tests.web.browser.conftest import Stage, expect, settle
from tests.web.browser.scenes import SCENES
from tests.web.browser.test_help import VOICE

# Remembers the frequency of every tone that is begun.
TONES = """
window.tones = [];
const begin = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) {
  window.tones.push(this.frequency.value);
  return begin.apply(this, at);
};
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
