"""Pins through a factory: what stamps are worth, what cannot be missed, and how pins come and go.

The factory here is one of our own that keeps gpiozero's `Pin`; real ones run in tests/kernel.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from lastnose.companion.app.sources import make_source
from lastnose.companion.config.settings import run_settings
from lastnose.companion.core.errors import BadInput, DeviceError
from lastnose.companion.core.model import Edge, Gap, Input, Levels, Watermark
from lastnose.hardware.sources import factories
from lastnose.hardware.sources.factories import Stamping, factory_maker, open_factory, stamping_of, wants_mock
from lastnose.hardware.sources.pins import KERNEL_BUFFER_EVENTS, STUCK_NS, TOUCH_NS, PinSource, Watch
from lastnose.hardware.sources.stream import LATE_NS

from tests.hardware.sources.test_gpiochip import collect, gaps_of_outage
from tests.support.packages import need

WITHIN_S = 120

MS = 1_000_000
SECOND = 1_000_000_000


class FakePin:
    """A pin that a test pulls."""

    def __init__(self) -> None:
        self.function = ""
        self.pull = ""
        self.bounce: float | None = 1.0
        self.when_changed: Callable[[float, Any], None] | None = None
        self.high = True
        self.broken = False

    @property
    def state(self) -> bool:
        """Return whether the pin is high."""
        if self.broken:
            raise OSError("chip is gone")
        return self.high


class FakeFactory:
    """A factory of such pins."""

    def __init__(self) -> None:
        self.pins: dict[int, FakePin] = {}
        self.closed = 0

    def pin(self, number: int) -> FakePin:
        """Return the pin; 13 is taken."""
        if number == 13:
            raise RuntimeError("GPIO busy")
        return self.pins.setdefault(number, FakePin())

    def close(self) -> None:
        """Count it."""
        self.closed += 1


class Bench:
    """Two watched lines and a clock that a test sets."""

    def __init__(self, stamping: Stamping) -> None:
        self.now_ns = SECOND
        self.told: list[Input] = []
        self.pins = {"nose.1": FakePin(), "nose.2": FakePin()}
        u_ns = 10_000 if stamping is Stamping.KERNEL else 0
        self.watch = Watch(
            "pins",
            stamping,
            self.told.append,
            lambda: self.now_ns,
            u_ns=u_ns,
            delay_ns=20 * MS,
            sample_ns=2 * MS,
        )
        self.watch.add(self.pins)
        self.scan_for(60 * MS)
        self.told.clear()

    def scan_for(self, ns: int) -> None:
        """Scan every 2 ms while time passes."""
        for _ in range(ns // (2 * MS)):
            self.watch.scan()
            self.now_ns += 2 * MS

    def change(self, line: str, level: int, t_ns: int, *, handed_ns: int | None = None) -> None:
        """Let the callback of an edge at *t_ns* come at *handed_ns*, at once if it is not given."""
        self.now_ns = t_ns if handed_ns is None else handed_ns
        self.pins[line].high = not level
        self.watch.changed(line, t_ns / 1e9, not level)

    def only(self, kind: type) -> list[Any]:
        """Return what was told of one kind."""
        return [item for item in self.told if isinstance(item, kind)]


def test_a_kernel_stamp_is_passed_on_exactly() -> None:
    """gpiozero hands over seconds as a float; not a nanosecond is lost on the way."""
    bench = Bench(Stamping.KERNEL)
    t_ns = 5_183_999_123_456_789
    bench.change("nose.2", 1, t_ns)
    assert [Edge(t_ns, "pins", "nose.2", 1, 10_000 + LATE_NS, contact_u_ns=LATE_NS)] == bench.only(Edge)


def test_levels_come_first_then_promises_that_leave_room_for_callbacks() -> None:
    """Levels as read at the start, once all of their time has come, 20 ms later; then each 50 ms."""
    bench = Bench(Stamping.KERNEL)
    fresh: list[Input] = []
    watch = Watch(
        "pins", Stamping.KERNEL, fresh.append, lambda: bench.now_ns, u_ns=0, delay_ns=20 * MS, sample_ns=MS
    )
    bench.pins["nose.2"].high = False
    watch.add(bench.pins)
    begun_ns = bench.now_ns
    for _ in range(40):
        watch.scan()
        bench.now_ns += 2 * MS
    assert Levels({"nose.1": 0, "nose.2": 1}, begun_ns, "pins") == fresh[0]
    promised = [item.t_ns for item in fresh[1:] if isinstance(item, Watermark)]
    assert [begun_ns, begun_ns + 50 * MS] == promised


def test_what_lgpio_cannot_see_it_declares() -> None:
    """An edge may have taken another's place unseen: as early as a thread is late, or as the edge before."""
    bench = Bench(Stamping.KERNEL)
    t_ns = bench.now_ns + SECOND
    bench.change("nose.1", 1, t_ns)
    bench.change("nose.1", 1, t_ns + 40_000)
    bench.change("nose.1", 0, t_ns + SECOND)
    assert [10_000 + LATE_NS, 50_000, 10_000 + LATE_NS] == [edge.u_ns for edge in bench.only(Edge)]


def test_a_full_kernel_buffer_becomes_a_gap() -> None:
    """Sixteen edges of a line were handed over after the last of them: before them some may be missing."""
    bench = Bench(Stamping.KERNEL)
    t_ns = bench.now_ns + MS
    stamps = [t_ns + 10_000 * place for place in range(KERNEL_BUFFER_EVENTS)]
    for place, stamp in enumerate(stamps):
        bench.change("nose.1", (place + 1) % 2, stamp, handed_ns=stamps[-1] + MS)
    gaps = bench.only(Gap)
    assert [t_ns] == [gap.to_ns for gap in gaps]
    assert gaps[0].from_ns < t_ns


def test_edges_that_are_handed_over_as_they_come_are_no_gap() -> None:
    """The buffer cannot have been full."""
    bench = Bench(Stamping.KERNEL)
    for place in range(3 * KERNEL_BUFFER_EVENTS):
        bench.change("nose.1", (place + 1) % 2, bench.now_ns + 10_000)
    assert [] == bench.only(Gap)


def test_a_software_stamp_is_the_middle_of_when_it_can_have_been() -> None:
    """Last seen at rest 1.5 ms before its callback: it happened in between, somewhere."""
    bench = Bench(Stamping.CALLBACK)
    seen_ns = bench.now_ns
    bench.watch.scan()
    bench.change("nose.1", 1, seen_ns + 1_500_000)
    assert [Edge(seen_ns + 750_000, "pins", "nose.1", 1, 750_000)] == bench.only(Edge)


def test_a_late_callback_declares_how_late_it_may_be() -> None:
    """The line was seen pressed 30 ms before its callback came: the last rest counts, not the last look."""
    bench = Bench(Stamping.CALLBACK)
    rest_ns = bench.now_ns
    bench.watch.scan()
    bench.pins["nose.1"].high = False
    bench.now_ns += 2 * MS
    bench.scan_for(30 * MS)
    bench.change("nose.1", 1, bench.now_ns)
    assert [(bench.now_ns - rest_ns) // 2] == [edge.u_ns for edge in bench.only(Edge)]
    assert [(bench.now_ns + rest_ns) // 2] == [edge.t_ns for edge in bench.only(Edge)]


def test_nothing_is_promised_while_a_callback_is_on_its_way() -> None:
    """The line is seen pressed but was not told: the promise stays before the press."""
    bench = Bench(Stamping.CALLBACK)
    pressed_ns = bench.now_ns
    bench.pins["nose.1"].high = False
    bench.scan_for(200 * MS)
    assert all(item.t_ns < pressed_ns for item in bench.only(Watermark))
    bench.change("nose.1", 1, bench.now_ns)
    bench.scan_for(500 * MS)
    assert bench.only(Watermark)[-1].t_ns > pressed_ns + 200 * MS


def test_an_edge_that_never_is_told_becomes_a_gap() -> None:
    """After two seconds the table learns that something was lost, and how the lines are."""
    bench = Bench(Stamping.KERNEL)
    bench.pins["nose.1"].high = False
    bench.scan_for(STUCK_NS + 100 * MS)
    gap = bench.only(Gap)[0]
    assert gap.to_ns - gap.from_ns > STUCK_NS
    assert [{"nose.1": 1, "nose.2": 0}] == [item.levels for item in bench.only(Levels)]
    bench.scan_for(100 * MS)
    assert 1 == len(bench.only(Gap))
    assert bench.only(Watermark)[-1].t_ns > gap.to_ns


def test_a_callback_that_comes_after_all_is_no_level_told_twice() -> None:
    """The lines were read after a loss; the late callback says the same, and is worth what it always was."""
    bench = Bench(Stamping.KERNEL)
    t_ns = bench.now_ns
    bench.pins["nose.1"].high = False
    bench.scan_for(STUCK_NS + 100 * MS)
    bench.change("nose.1", 1, t_ns, handed_ns=bench.now_ns)
    assert [10_000 + LATE_NS] == [edge.u_ns for edge in bench.only(Edge)]


def test_a_whole_touch_that_nobody_saw_becomes_a_gap() -> None:
    """Nothing ran for 80 ms, then both callbacks see a line at rest: a nose may have been touched."""
    bench = Bench(Stamping.CALLBACK)
    bench.watch.scan()
    blind_ns = bench.now_ns
    bench.change("nose.1", 0, blind_ns + 80 * MS)
    bench.change("nose.1", 0, blind_ns + 80 * MS + 50_000)
    assert [Gap(blind_ns, blind_ns + 80 * MS, "pins")] == bench.only(Gap)


def test_a_glitch_between_two_looks_is_no_gap() -> None:
    """Lines were read all the time: what was not seen was shorter than any touch."""
    bench = Bench(Stamping.CALLBACK)
    bench.watch.scan()
    bench.change("nose.1", 0, bench.now_ns + 2 * MS)
    assert [] == bench.only(Gap)
    assert TOUCH_NS // 2 == bench.only(Edge)[0].u_ns


def test_slow_callbacks_make_the_promises_more_careful() -> None:
    """A callback was 60 ms late: promises leave 120 ms from then on."""
    bench = Bench(Stamping.KERNEL)
    t_ns = bench.now_ns
    bench.change("nose.1", 1, t_ns, handed_ns=t_ns + 60 * MS)
    bench.told.clear()
    bench.scan_for(SECOND)
    assert bench.only(Watermark)[-1].t_ns <= bench.now_ns - 120 * MS


def test_the_pause_is_long_at_rest_and_short_after_an_edge() -> None:
    """Few wake-ups while nobody plays; an edge ends the pause."""
    bench = Bench(Stamping.KERNEL)
    bench.scan_for(200 * MS)
    assert bench.watch.rests()
    bench.change("nose.1", 1, bench.now_ns)
    assert not bench.watch.rests()
    assert bench.watch.woken.is_set()
    assert bench.watch.pause_ns() < 10 * MS


def test_pins_are_inputs_with_pull_ups_and_no_debouncing() -> None:
    """Debouncing is ours: a library's would move the time."""
    factory = FakeFactory()
    source = PinSource({"nose.1": 5}, lambda: factory)
    inputs, _ = collect(source)
    pin = factory.pins[5]
    assert ("input", "up", None) == (pin.function, pin.pull, pin.bounce)
    assert isinstance(inputs.get(timeout=120), Levels)
    source.close()
    source.close()
    assert pin.when_changed is None
    assert 1 == factory.closed


def test_a_taken_pin_is_named_and_all_are_released() -> None:
    """A second process on the same pins gets a sentence with line and pin."""
    factory = FakeFactory()
    source = PinSource({"nose.1": 5, "nose.2": 13}, lambda: factory)
    with pytest.raises(DeviceError, match=r"GPIO13 \(nose\.2\).*GPIO busy"):
        collect(source)
    assert 1 == factory.closed


def test_pins_that_stop_answering_are_reported_and_taken_again_behind_a_gap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To take them takes 400 ms: a touch in these would be told by nobody, so they are in a gap."""
    monkeypatch.setattr("lastnose.hardware.sources.pins.RETRY_S", 0.01)
    factories: list[FakeFactory] = []
    passed_ns, taken_ns = [0], [0]

    def now_ns() -> int:
        return time.monotonic_ns() + passed_ns[0]

    def slowly() -> FakeFactory:
        passed_ns[0] += 400 * MS
        taken_ns[0] = now_ns()
        factories.append(FakeFactory())
        return factories[-1]

    source = PinSource({"nose.1": 5}, slowly, stamping=Stamping.KERNEL, delay_ns=0, clock=now_ns)
    gaps = gaps_of_outage(source, lambda: setattr(factories[0].pins[5], "broken", True), "chip is gone")
    assert taken_ns[0] <= max(gap.to_ns for gap in gaps)
    assert [1, 1] == [factory.closed for factory in factories]


def test_real_pins_never_fall_back_to_pretend() -> None:
    """gpiozero set to its mock factory is refused, with the way to ask for it."""
    with pytest.raises(DeviceError, match="--source mock"):
        collect(PinSource({"nose.1": 5}, MockFactory))


def test_a_library_that_is_missing_is_named() -> None:
    """What to install is in the sentence."""

    def missing() -> Any:
        raise ImportError("No module named 'RPi'")

    with pytest.raises(DeviceError, match=r"--source gpiochip.*make pi"):
        collect(PinSource({"nose.1": 5}, missing))


def test_in_the_package_what_is_missing_comes_from_raspberry_pi_os(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no checkout to run make in, and Debian 13 itself has no lgpio: what works there is first."""

    def missing() -> Any:
        raise ImportError("No module named 'lgpio'")

    monkeypatch.setattr(factories, "is_packaged", lambda: True)
    with pytest.raises(
        DeviceError, match=r"Use --source gpiochip.*Raspberry Pi OS has it, Debian.*not"
    ) as caught:
        collect(PinSource({"nose.1": 5}, missing))
    assert "make" not in str(caught.value)


def test_a_factory_that_gpiozero_does_not_know_is_said_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the environment's word that is wrong, and no library is missing."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "pigpoid")
    with pytest.raises(
        BadInput, match=r"“pigpoid” is no pin factory \(GPIOZERO_PIN_FACTORY\): take lgpio or rpigpio"
    ):
        open_factory(factory_maker(None))


def test_without_a_library_that_asks_the_kernel_no_other_way_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither gpiozero's native registers nor its own odd words for what is missing."""
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)

    def missing() -> None:
        raise ImportError("No module named 'lgpio'")

    for maker in ("_lgpio", "_rpigpio"):
        monkeypatch.setattr(factories, maker, missing)
    monkeypatch.setattr(Device, "ensure_pin_factory", lambda: pytest.fail("gpiozero chose by itself"))
    with pytest.raises(DeviceError, match="The library for these pins is missing \\(No module named 'lgpio'"):
        open_factory(factory_maker(None))


def test_pins_that_go_past_the_kernel_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when somebody asks for them; the others that there are, are tried in turn."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "native")
    with pytest.raises(DeviceError, match=r"“native” is no pin factory.*take lgpio or rpigpio"):
        open_factory(factory_maker(None))
    with pytest.raises(BadInput, match=r"lgpio or rpigpio\. .*mock"):
        factory_maker("native")
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY")

    def closed() -> None:
        raise OSError("no chip")

    monkeypatch.setattr(factories, "_lgpio", closed)
    monkeypatch.setattr(factories, "_rpigpio", MockFactory)
    assert isinstance(open_factory(factory_maker(None)), MockFactory)


def test_factories_are_opened_one_at_a_time() -> None:
    """Source, lamps and buzzer open theirs in threads of their own, and the working directory is for all."""
    inside: list[int] = []
    together, alone = threading.Barrier(8), threading.Event()

    def open_one() -> None:
        together.wait(WITHIN_S)
        open_factory(maker)

    def maker() -> None:
        inside.append(1)
        assert not alone.wait(0.005)
        assert [1] == inside
        inside.pop()

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(open_one) for _ in range(8)]:
            done.result(WITHIN_S)


def test_gpiozero_s_own_choice_is_fresh_for_each_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever closes its factory takes no pin away from another."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    one, other = open_factory(factory_maker(None)), open_factory(factory_maker(None))
    other.pin(5)
    one.close()
    assert 1 == len(other.pins)
    assert Device.pin_factory is None


def test_an_unknown_factory_is_bad_input() -> None:
    """The choices are named; names are not fussy about case."""
    with pytest.raises(BadInput, match=r"lgpio or rpigpio\. .*mock"):
        PinSource({"nose.1": 5}, "pigpiod")
    assert callable(factory_maker("RPi.GPIO"))
    assert wants_mock("mock")
    assert not wants_mock("lgpio")


def test_gpiozero_set_to_mock_is_a_wish_for_simulated_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """GPIOZERO_PIN_FACTORY counts where no name is given."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert wants_mock(None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY")
    assert not wants_mock(None)


def test_pins_on_a_mock_that_was_asked_for_are_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--source pins` with gpiozero set to mock: a table that says SIMULATED, not an error."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    settings = run_settings(source="pins", profile="home4")
    assert make_source(settings, None, lambda _: None).source.simulated
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY")
    assert not make_source(
        run_settings(source="pins", profile="home4"), None, lambda _: None
    ).source.simulated


def test_a_factory_that_we_do_not_know_is_stamped_by_our_own_clock() -> None:
    """Its ticks may be anything: pigpio counts microseconds from boot in 32 bits."""
    assert Stamping.OURS is stamping_of(FakeFactory())
    bench = Bench(Stamping.OURS)
    bench.change("nose.1", 1, 77, handed_ns=bench.now_ns + MS)
    assert [bench.now_ns] == [edge.t_ns + edge.u_ns for edge in bench.only(Edge)]


def test_lgpio_leaves_neither_a_file_nor_a_changed_directory(tmp_path: Path) -> None:
    """Its pipe goes elsewhere and is gone afterwards."""
    need("lgpio")
    program = """
import os
from lastnose.companion.core.errors import DeviceError
from lastnose.hardware.sources.factories import factory_maker, open_factory
try:
    open_factory(factory_maker("lgpio"))
except DeviceError as error:
    print(error)
print(os.getcwd())
"""
    root = str(Path(__file__).parent.parent.parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": root, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(tmp_path) == done.stdout.splitlines()[-1]
    assert [] == list(tmp_path.iterdir())
