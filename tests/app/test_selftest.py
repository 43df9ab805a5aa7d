"""A self-test at work: lamps, buzzer, small screen, page, and a measurement with an output."""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
from logging.handlers import QueueHandler
from pathlib import Path

import msgspec
import pytest
from gpiozero.pins.mock import MockFactory
from lastnose.companion.app.selftest import BusyCores, RealPulse, SelfTestRun, make_pulse
from lastnose.companion.config.settings import RunSettings
from lastnose.companion.core.errors import DeviceError, NotNow
from lastnose.companion.selftest.plan import spares_of
from lastnose.companion.selftest.view import SelfTestView
from lastnose.companion.wiring.profile import Profile, load_profile
from lastnose.hardware.box.boxes import SimulatedBoxes
from lastnose.hardware.oled import screens
from lastnose.hardware.oled.canvas import Canvas
from lastnose.hardware.sources.mock import Mock

from tests.support.fakes import FakeTable
from tests.support.phones import Phone, make_app
from tests.support.profiles import read_profile
from tests.support.selftest_rig import MS, Rig, plan_of

WITHIN_S = 120
SIZES = [(128, 64), (128, 32), (96, 64), (256, 64)]
LIT = """
name = "lit"
board = "pi"
pins.noses = [5, 6]
pins.lamps = [17, 27]
pins.buzzer = 18
"""


def settings_of(profile: Profile, tmp_path: Path) -> RunSettings:
    """Return the settings of a simulated table."""
    return RunSettings(source="mock", profile=profile, data_dir=tmp_path, port=0)


def until(run: SelfTestRun, step: str) -> None:
    """Wait until *run* is at *step*."""
    at = threading.Event()
    run._show.append(lambda view: at.set() if view.step == step else None)
    if run.view.step != step:
        assert at.wait(WITHIN_S)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the rest and the pace of writes short: they wait for people and wires, not for us."""
    monkeypatch.setattr("lastnose.companion.selftest.course.REST_NS", 50 * MS)
    monkeypatch.setattr("lastnose.companion.selftest.measurements.WRITE_NS", 6 * MS)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no groups of processes there")
def test_ctrl_c_does_not_reach_the_load() -> None:
    """It goes to the group of the terminal; a process of the load would print where it was."""
    busy = BusyCores()
    busy.begin()
    try:
        assert os.getpgrp() not in {os.getpgid(process.pid) for process in busy._processes}
    finally:
        busy.end()


def test_a_wired_output_is_moved_and_measured(tmp_path: Path) -> None:
    """40 writes on simulated noses, half with all cores busy, each 20 µs before its stamp."""
    noses = plan_of(load_profile("mock:3")).contacts
    plan = msgspec.structs.replace(
        plan_of(load_profile("mock:3")), contacts=noses[:1], spares=(), wired=(27, ("nose.1",)), changes=40
    )
    run = SelfTestRun(settings_of(load_profile("mock:3"), tmp_path), plan, page=False)
    run.start()
    try:
        until(run, "contact")
        run.say("nothing")
        until(run, "done")
        assert [False, True] == [timed.loaded for timed in run.course.timed]
        for timed in run.course.timed:
            assert timed.closing is not None
            assert timed.opening is not None
            assert (10, 10) == (timed.closing.pairs, timed.opening.pairs)
            assert 20_000 == timed.closing.median_ns == timed.opening.median_ns
            assert 10_000 == timed.u_ns, "twenty changes do not show that it is better than unmeasured"
        assert not run._busy.going_on
    finally:
        run.stop()


def test_lamps_and_buzzer_follow_the_test_and_are_let_go(tmp_path: Path) -> None:
    """They have threads of their own, and no thread stays."""
    profile = read_profile(LIT, "lit.toml")
    run = SelfTestRun(settings_of(profile, tmp_path), plan_of(profile, lamps=2, buzzer=True), page=False)
    run.start()
    try:
        assert {"lamps", "buzzer", "self-test"} <= {thread.name for thread in threading.enumerate()}
        until(run, "contact")
        assert ["on", "off"] == [lamp.light for lamp in run.view.lamps]
        with pytest.raises(NotNow):
            run.say("yes")
    finally:
        run.stop()
    assert not {"lamps", "buzzer", "self-test"} & {thread.name for thread in threading.enumerate()}


def test_a_box_whose_cable_comes_out_is_said_where_the_test_is_made(tmp_path: Path) -> None:
    """Else a terminal only has contacts that are never heard, and their wires are looked for in vain."""
    settings = msgspec.structs.replace(
        settings_of(load_profile("pico-party"), tmp_path), source="box", boxes=("sim",), language="fr"
    )
    logged: queue.SimpleQueue[logging.LogRecord] = queue.SimpleQueue()
    handler = QueueHandler(logged)  # type: ignore[arg-type]
    logging.getLogger("lastnose").addHandler(handler)

    def until_said(words: str) -> None:
        while words not in logged.get(timeout=WITHIN_S).getMessage():
            pass

    run = SelfTestRun(settings, plan_of(load_profile("pico-party")), page=False)
    run.start()
    try:
        box = run._source
        assert isinstance(box, SimulatedBoxes)
        box.simulated_box(0).unplug()
        until_said("Le boîtier E66038B713000001 ne répond plus")
        box.simulated_box(0).plug()
        until_said("fonctionne de nouveau")
    finally:
        run.stop()
        logging.getLogger("lastnose").removeHandler(handler)
    assert any("E66038B713000001" in str(fault) for fault in run.faults)


def test_a_free_pin_that_somebody_has_is_not_listened_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The contacts are tested all the same; one of those that is taken is an error."""
    profile = read_profile(LIT, "lit.toml")
    plan = plan_of(profile)
    assert plan.spares
    claim = Mock._claim

    def busy(self: Mock) -> None:
        if len(self.lines()) > 2:
            raise DeviceError(plan.contacts[0].label)
        claim(self)

    monkeypatch.setattr(Mock, "_claim", busy)
    run = SelfTestRun(settings_of(profile, tmp_path), plan, page=False)
    run.start()
    run.stop()
    assert () == run.view.spares
    monkeypatch.setattr("tests.support.selftest_rig.spare_pins", lambda _: {})
    with pytest.raises(DeviceError):
        SelfTestRun(
            settings_of(load_profile("mock:4"), tmp_path), plan_of(load_profile("mock:4")), page=False
        ).start()


@pytest.mark.parametrize("size", SIZES)
def test_small_screen_shows_who_is_asked_for_and_how_it_came_out(size: tuple[int, int]) -> None:
    """Each moment has a picture of its own, on any display."""
    rig = Rig(plan_of(screen=True), wiring={"nose.1": ("spare.17",)})
    pictures = [screens.draw_selftest(rig.course.view, size)]
    rig.wait(2_200)
    pictures.append(screens.draw_selftest(rig.course.view, size))
    rig.touch("nose.1")
    pictures.append(screens.draw_selftest(rig.course.view, size))
    rig.go_through()
    pictures.append(screens.draw_selftest(rig.course.view, size))
    rig.course.say("yes")
    pictures.append(screens.draw_selftest(rig.course.view, size))
    assert {size} == {picture.size for picture in pictures}
    assert len(pictures) == len({picture.tobytes() for picture in pictures})


@pytest.mark.parametrize("size", SIZES)
def test_test_picture_reaches_every_edge_and_is_half_lit_inside(size: tuple[int, int]) -> None:
    """A missing row or column cuts the frame; the chessboard shows doubled ones."""
    picture = screens.picture(size).convert("L")
    width, height = size
    edge = [picture.getpixel((x, y)) for x in range(width) for y in (0, height - 1)]
    edge += [picture.getpixel((x, y)) for y in range(height) for x in (0, width - 1)]
    assert {255} == set(edge)
    assert [255, 0] == [picture.getpixel((x, 5)) for x in (5, 9)]
    assert Canvas(*size).image().tobytes() != picture.tobytes()


class FakeTest:
    """A self-test that remembers what it was told."""

    def __init__(self) -> None:
        self.rig = Rig(plan_of(lamps=4))
        self.rig.wait(2_200)

    @property
    def view(self) -> SelfTestView:
        """The newest view."""
        return self.rig.course.view

    def say(self, word: str) -> SelfTestView:
        """Answer it."""
        self.rig.course.say(word)  # type: ignore[arg-type]
        return self.view

    def report(self, form: str, speak: object, language: str) -> bytes:
        """Return a report."""
        return form.encode()


def test_the_page_has_the_place_of_the_table_while_a_test_runs() -> None:
    """In French too; its state is in the page itself."""
    browser = Phone(make_app(selftest=FakeTest()))
    assert "/selftest" == browser.get("/").headers["Location"]
    page = browser.get("/selftest", Accept_Language="fr").get_data(as_text=True)
    assert "Touchez le nez 1, puis lâchez." in page
    assert "Broches libres" in page


def test_the_test_is_answered_over_the_api() -> None:
    """A word, and the view after it; a word that does not fit is told, with status 409."""
    browser = Phone(make_app(selftest=FakeTest()))
    before = browser.get("/api/v1/selftest").json
    assert ("contact", "nose.1", "brown") == (
        before["step"],
        before["contact"]["line"],
        before["contact"]["colour"]["name"],
    )
    after = browser.post("/api/v1/selftest", {"word": "skip"})
    assert (200, "nose.2") == (after.status_code, after.json["contact"]["line"])
    assert 409 == browser.post("/api/v1/selftest", {"word": "yes"}).status_code
    assert b"html" == browser.get("/api/v1/selftest/report.html").data
    assert b"json" == browser.get("/api/v1/selftest/report.json").data


def test_watching_is_free_and_answering_wants_the_pin() -> None:
    """As at the table."""
    from tests.support.phones import make_access

    phone = Phone.in_network(make_app(access=make_access(lan=True), selftest=FakeTest()))
    assert 200 == phone.get("/api/v1/selftest").status_code
    assert 403 == phone.post("/api/v1/selftest", {"word": "skip"}).status_code
    assert 'id="noses"' not in phone.get("/selftest").get_data(as_text=True)


def test_without_a_test_there_is_no_page_of_it() -> None:
    """It says how to start one."""
    browser = Phone(make_app(FakeTable()))
    for path in ("/selftest", "/api/v1/selftest"):
        answer = browser.get(path)
        assert 404 == answer.status_code
        assert "lastnose selftest" in answer.get_data(as_text=True)


def test_a_real_output_pulls_its_line_down_to_close_it() -> None:
    """Active low: level 1 is a low pin; the clock is read before and after."""
    factory = MockFactory()
    times = iter([10, 12, 20, 25])
    pulse = RealPulse(17, factory, clock=lambda: next(times))
    assert factory.pin(17).state
    first = pulse.write(1)
    assert (1, 10, 12) == (first.level, first.before_ns, first.after_ns)
    assert not factory.pin(17).state
    pulse.write(0)
    assert factory.pin(17).state
    pulse.close()


def test_an_output_that_cannot_be_had_names_its_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    """And says why."""
    monkeypatch.setattr("lastnose.companion.app.selftest.real_factory", MockFactory)
    with pytest.raises(DeviceError, match=r"GPIO99: .*99"):
        make_pulse(99, None, "nose.1")


def test_spare_lines_are_named_after_their_pins() -> None:
    """Without a wire, as nothing should be there."""
    profile = load_profile("home6")
    (one,) = spares_of(profile, {"spare.17": 17})
    assert ("free pin GPIO17", "GPIO17 (pin 11)", None, 0) == (
        str(one.label),
        str(one.where),
        one.colour,
        one.rest,
    )
    assert MS == 1_000_000
