"""The box as a source: the whole host side as it runs, on a pseudo-terminal with a simulated box."""

from __future__ import annotations

import errno
import queue
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lastnose.companion.app.sources import make_boxes
from lastnose.companion.config.settings import RunSettings, numbered_on, run_settings
from lastnose.companion.core.errors import BadInput, DeviceError, ProfileError
from lastnose.companion.core.model import Armed, Edge, Gap, Input, Judged, Levels, RefereeEvent, Watermark
from lastnose.companion.core.ports import FoundBox, StampWorth
from lastnose.companion.core.text import Text
from lastnose.companion.timing import Referee, Settings
from lastnose.hardware.box import ports
from lastnose.hardware.box.boxes import Boxes, BoxSource, SimulatedBoxes
from lastnose.hardware.box.ports import SerialPort, choose_port
from lastnose.hardware.box.simulated import SimulatedBox, read_faults
from lastnose.hardware.box.sync import SteadyClock

from tests.support.box_rig import Rig, World
from tests.support.boxes import WITHIN_S, Heard, listening
from tests.support.pico import PtyCable

MS, S = 1_000_000, 1_000_000_000
LINES = {"nose.1": 0, "nose.2": 1, "nose.3": 2}


@pytest.fixture
def simulated() -> Iterator[SimulatedBox]:
    """A simulated box."""
    with SimulatedBox(cable=PtyCable()) as box:
        yield box


@pytest.fixture
def heard(simulated: SimulatedBox) -> Iterator[Heard]:
    """A started source on it."""
    with listening(simulated, LINES) as found:
        yield found


def test_levels_first_then_an_edge_with_its_time(simulated: SimulatedBox, heard: Heard) -> None:
    """Through pseudo-terminal, pyserial and thread; the claim holds."""
    assert isinstance(heard.told[0], Levels)
    before_ns = time.monotonic_ns()
    simulated.set(1, 1)
    after_ns = time.monotonic_ns()
    edge = heard.edge()
    assert ("nose.2", 1) == (edge.line, edge.level)
    u_ns = edge.u_ns + edge.clock_u_ns
    assert before_ns - u_ns <= edge.t_ns <= after_ns + u_ns


def test_a_pulled_cable_is_reported_and_the_box_is_taken_again(simulated: SimulatedBox, heard: Heard) -> None:
    """One sentence, a gap over the outage, levels, None; then edges again."""
    simulated.unplug()
    said = heard.reports.get(timeout=WITHIN_S)
    assert "The box E66038B713000001 stopped answering: look at its cable." in str(said)
    heard.until(lambda item: isinstance(item, Gap))
    simulated.set(2, 1)
    simulated.plug()
    assert heard.reports.get(timeout=WITHIN_S) is None
    levels = heard.until(lambda item: isinstance(item, Levels))
    assert isinstance(levels, Levels)
    assert 1 == levels.levels["nose.3"]
    simulated.set(0, 1)
    assert "nose.1" == heard.edge().line


def test_the_led_says_whether_a_round_is_armed(simulated: SimulatedBox, heard: Heard) -> None:
    """And says it again to a box that has been away."""

    def shows(state: int) -> bool:
        until = time.monotonic() + WITHIN_S
        while simulated.chip.lamp != state and time.monotonic() < until:
            time.sleep(0.005)
        return simulated.chip.lamp == state

    assert shows(1)
    heard.source.show_armed(True)
    assert shows(2)
    simulated.unplug()
    simulated.plug()
    assert shows(2)
    heard.source.show_armed(False)
    assert shows(1)


def test_closing_may_be_repeated(simulated: SimulatedBox, heard: Heard) -> None:
    """The port is free for the next."""
    heard.source.close()
    heard.source.close()
    with listening(simulated, LINES) as again:
        assert again.source.session.settled


# ---- what cannot be had


def test_no_such_port_is_said(tmp_path: Path) -> None:
    """With the command that lists them."""
    with pytest.raises(DeviceError, match=r"nowhere.* is not a serial port\. Run lastnose box list"):
        SerialPort(str(tmp_path / "nowhere"))


def test_no_permission_names_the_group(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The one that the port belongs to; nobody is told to join root."""
    import serial

    def refuse(*_: object, **__: object) -> None:
        raise serial.SerialException(errno.EACCES, "Permission denied")

    monkeypatch.setattr(serial, "Serial", refuse)
    port = tmp_path / "ttyACM0"
    for owner, group in (("uucp", "uucp"), ("root", "dialout")):
        monkeypatch.setattr(Path, "group", lambda _, owner=owner: owner)
        with pytest.raises(DeviceError, match=rf"Join the group {group} \(sudo usermod -aG {group} "):
            SerialPort(str(port))
    monkeypatch.undo()
    monkeypatch.setattr(serial, "Serial", refuse)
    with pytest.raises(DeviceError, match="Join the group dialout"):
        SerialPort(str(tmp_path / "gone"))


def test_what_is_no_serial_port_is_said() -> None:
    """It can be opened, but not set."""
    with pytest.raises(DeviceError, match=r"/dev/null is not a serial port\. Run lastnose box list"):
        SerialPort("/dev/null")


def test_a_port_in_use_is_said(simulated: SimulatedBox) -> None:
    """A second opener is refused."""
    first = SerialPort(simulated.port)
    with pytest.raises(DeviceError, match="in use"):
        SerialPort(simulated.port)
    first.close()


def test_a_port_that_is_no_box_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """It echoes, as a modem does."""
    monkeypatch.setattr("lastnose.hardware.box.boxes.GREETING_S", 0.2)

    class Echo:
        def __init__(self) -> None:
            self.held = b""
            self.closed = False

        def read(self, wait_s: float) -> bytes:
            held, self.held = self.held, b""
            time.sleep(0.001)
            return held

        def write(self, data: bytes) -> None:
            self.held += data

        def close(self) -> None:
            self.closed = True

    echo = Echo()
    with pytest.raises(DeviceError, match="modem does not answer as a buzzer box"):
        BoxSource(lambda: echo, LINES, where=lambda: "modem").start(lambda _: None, lambda _: None)
    assert echo.closed


A, B = FoundBox("/dev/ttyACM0", "E660A", "MicroPython"), FoundBox("/dev/ttyACM1", "E660B", "MicroPython")


def test_ports_are_chosen_by_serial_number_or_in_order() -> None:
    """`auto` twice is the one and the other; a number is in any case."""
    assert "/dev/ttyACM0" == choose_port([A, B], None)
    assert "/dev/ttyACM1" == choose_port([A, B], None, ["/dev/ttyACM0"])
    assert "/dev/ttyACM1" == choose_port([A, B], "e660b")


def test_the_same_box_is_the_first_however_the_system_numbers_ports_today() -> None:
    """Their noses are those of the evening before, whichever was plugged in or found first."""
    today = [FoundBox(A.port, B.serial, B.kind), FoundBox(B.port, A.serial, A.kind)]
    first = choose_port(today, None)
    assert "/dev/ttyACM1" == first
    assert "/dev/ttyACM0" == choose_port(today, None, [first])


@pytest.mark.parametrize(
    ("found", "serial", "sentence"),
    [
        ([], None, "No buzzer box is plugged in"),
        ([FoundBox("/dev/ttyACM0", "E660", "bootloader")], None, "No buzzer box is plugged in"),
        ([A], "E660C", "serial number E660C is plugged in; there is E660A"),
        (
            [A, FoundBox("/dev/ttyACM7", "E660A", "MicroPython")],
            None,
            "Two boxes have the serial number E660A",
        ),
    ],
)
def test_ports_that_cannot_be_chosen_get_a_sentence(
    found: list[FoundBox], serial: str | None, sentence: str
) -> None:
    """What is there, and what to do."""
    with pytest.raises(DeviceError, match=sentence):
        choose_port(found, serial)


def test_boxes_are_found_by_their_usb_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other serial ports are none of our business."""
    from types import SimpleNamespace

    there = [
        SimpleNamespace(device="/dev/ttyUSB0", vid=0x0403, pid=0x6001, serial_number="FT"),
        SimpleNamespace(device="/dev/ttyACM1", vid=0x2E8A, pid=0x0005, serial_number="e66b"),
        SimpleNamespace(device="/dev/ttyS0", vid=None, pid=None, serial_number=None),
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: there)
    assert [FoundBox("/dev/ttyACM1", "E66B", "MicroPython")] == ports.find_ports()


def test_two_boxes_that_say_the_same_serial_number_are_refused() -> None:
    """Nothing is left open."""
    with SimulatedBox(cable=PtyCable()) as one, SimulatedBox(cable=PtyCable()) as other:
        boxes = Boxes([one.port, other.port], [{"nose.1": 0}, {"nose.2": 0}])
        with pytest.raises(DeviceError, match="serial number E66038B713000001"):
            boxes.start(lambda _: None, lambda _: None)
        SerialPort(one.port).close()


@pytest.mark.parametrize(("named", "known"), [(True, True), (True, False), (False, True)])
def test_two_boxes_that_come_back_at_each_others_port_keep_their_own_noses(
    monkeypatch: pytest.MonkeyPatch, *, named: bool, known: bool
) -> None:
    """Each is looked for by its number; where the system cannot tell that, a wrong one is not taken."""
    cables = PtyCable(), PtyCable()
    with (
        SimulatedBox(cable=cables[0], serial="E66A") as one,
        SimulatedBox(cable=cables[1], serial="E66B") as other,
    ):
        opened: queue.SimpleQueue[str] = queue.SimpleQueue()
        there = {"E66A": cables[0], "E66B": cables[1]}

        def found() -> list[FoundBox]:
            seen = [(cable.name, serial) for serial, cable in there.items()]
            return [FoundBox(*one, "MicroPython") for one in sorted(seen)] if known else []

        def open_it(device: str) -> SerialPort:
            opened.put(device)
            return SerialPort(device)

        monkeypatch.setattr("lastnose.hardware.box.boxes.find_ports", found)
        monkeypatch.setattr("lastnose.hardware.box.boxes.SerialPort", open_it)
        names = [port for _, port in sorted((cable.name, cable.name) for cable in cables)]
        first = one if not named or names[0] == cables[0].name else other
        boxes = Boxes(names if named else ["auto", "auto"], [{"nose.1": 0}, {"nose.2": 0}])
        heard = Heard(boxes)
        boxes.start(heard.inputs.put, heard.reports.put)

        def stands(item: Input) -> bool:
            return isinstance(item, Levels) and "nose.1" in item.levels

        try:
            heard.until(stands)
            for box in (one, other):
                box.unplug()
            cables[0].name, cables[1].name = cables[1].name, cables[0].name
            for box in (one, other):
                box.plug()
            if not known:
                for _ in range(6):  # two at the start, and each looked twice
                    opened.get(timeout=WITHIN_S)
                for box in (one, other):
                    box.unplug()
                cables[0].name, cables[1].name = cables[1].name, cables[0].name
                for box in (one, other):
                    box.plug()
            while heard.reports.get(timeout=WITHIN_S) is not None:
                pass
            heard.until(stands)
            first.set(0, 1)
            assert "nose.1" == heard.edge().line
        finally:
            boxes.close()


def test_a_box_named_twice_is_refused() -> None:
    """By its port."""
    with pytest.raises(BadInput, match="--box /dev/ttyACM0 is there twice"):
        Boxes(["/dev/ttyACM0"] * 2, [{}, {}])


@pytest.mark.parametrize(
    "spec", ["sim:rain=1", "sim:corrupt", "sim:corrupt=much", "sim:lose=-3", "sim:drift=²"]
)
def test_a_fault_that_is_none_is_refused(spec: str) -> None:
    """With the ones there are."""
    with pytest.raises(BadInput, match="corrupt, lose, reboot"):
        read_faults(spec)


class SilentPort:
    """A port at which nothing comes while a world's time passes; keeps `Port`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def read(self, wait_s: float) -> bytes:
        """Let the time pass."""
        self._world.now_ns += round(wait_s * 1e9)
        return b""

    def write(self, data: bytes) -> None:
        """Send it to nobody."""

    def close(self) -> None:
        """Do nothing."""


def test_what_is_lost_while_a_box_does_not_answer_lies_in_one_gap_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its port is there again, and nobody answers for three seconds, twice: between two gaps is no hole."""
    monkeypatch.setattr("lastnose.hardware.box.boxes.RETRY_S", 0.001)
    world = World()
    rig = Rig(world, {"nose.1": 0})
    world.run(300 * MS)
    ports: list[SilentPort] = []

    def silent() -> SilentPort:
        ports.append(SilentPort(world))
        if len(ports) == 3:
            source._closing.set()
            raise OSError
        return ports[-1]

    source = BoxSource(silent, {"nose.1": 0}, steady=SteadyClock(lambda: world.now_ns, None))
    source.session = rig.session
    told: list[Input] = []
    world.now_ns += S
    assert source._reopen(told.append) is None
    gaps = [item for item in told if isinstance(item, Gap)]
    assert len(gaps) > 2
    assert [gap.to_ns for gap in gaps[:-1]] == [gap.from_ns for gap in gaps[1:]]


# ---- at a table


def judged_by(referee: Referee, told: list[Input]) -> list[RefereeEvent]:
    """Return what the referee makes of inputs."""
    return [happening for item in told for happening in referee.feed(item)]


@pytest.mark.parametrize("sync_pin", [28, None])
def test_two_boxes_play_one_round(sync_pin: int | None) -> None:
    """The third nose is on the second box; the verdict says how sure that is."""
    boxes = SimulatedBoxes(["sim", "sim"], [{"nose.1": 0, "nose.2": 1}, {"nose.3": 0}], sync_pin=sync_pin)
    heard = Heard(boxes)
    boxes.start(heard.inputs.put, heard.reports.put)
    try:
        sources = {"box/1", "box/2"} if sync_pin else {"box1", "box2"}
        promised: set[str] = set()

        def all_promise(item: Input) -> bool:
            if isinstance(item, Watermark):
                promised.add(item.source)
            return promised == sources

        heard.until(all_promise)
        referee = Referee({f"nose.{n}": n for n in (1, 2, 3)}, Settings(), sorted(sources))
        referee.watch((1, 2, 3))
        for line in ("nose.1", "nose.3", "nose.2"):
            boxes.drive(line, 1, 0, StampWorth(0))
            time.sleep(0.1)  # people are not quicker
        happenings: list[RefereeEvent] = judged_by(referee, heard.told)
        while not any(isinstance(one, Judged) for one in happenings):
            happenings += judged_by(referee, [heard.inputs.get(timeout=WITHIN_S)])
        (verdict,) = [one.verdict for one in happenings if isinstance(one, Judged)]
        assert any(isinstance(one, Armed) for one in happenings)
        assert ((2,), None) == (verdict.last, verdict.void)
        assert verdict.u_ns is not None
        assert verdict.u_ns > 200
    finally:
        boxes.close()


def test_the_spoons_of_a_simulated_box_lie_in_their_cradles() -> None:
    """They rest closed, as on simulated pins; noses rest open."""
    boxes = SimulatedBoxes(["sim"], [{"nose.1": 0, "spoon.1": 1, "dock.1": 2}])
    heard = Heard(boxes).start()
    boxes.close()
    (levels,) = [item for item in heard.told if isinstance(item, Levels)]
    assert {"nose.1": 0, "spoon.1": 1, "dock.1": 1} == levels.levels


def settings_of(**options: Any) -> RunSettings:
    """Return settings on any machine."""
    return run_settings(pi=False, **options)


def test_run_takes_boxes_wired_as_pico_party() -> None:
    """Thirteen noses a box; seats are numbered on."""
    settings = settings_of(boxes=["sim", "sim:drift=50"])
    assert ("box", "pico-party") == (settings.source, settings.profile.name)
    assert [f"nose.{n}" for n in range(1, 27)] == list(settings.noses)
    source = make_boxes(settings)
    assert source.simulated
    assert settings.noses == tuple(line for line in source.lines() if line.startswith("nose"))
    source.close()


@pytest.mark.parametrize(("profile", "name", "hears"), [("pico-party", "box", "sync"), ("dry", "box", None)])
def test_the_pis_own_sync_pin_is_read_where_a_box_drives_it(
    profile: str, name: str, hears: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One box drives the wire, the Pi listens; without a sync pin on the box there is nothing to hear."""
    asked: list[dict[str, int]] = []

    class Header:
        simulated = False

        def __init__(self, lines: dict[str, int], u_ns: int, **_: int) -> None:
            asked.append(lines)

        def close(self) -> None:
            """Let go."""

    monkeypatch.setattr("lastnose.hardware.sources.gpiochip.GpioChip", Header)
    (tmp_path / "dry.toml").write_text('name = "dry"\nboard = "pico"\n[pins]\nnoses = [0, 1]\n')
    beside = tmp_path / "beside.toml"
    beside.write_text('name = "beside"\nboard = "pi"\n[pins]\nnoses = [5]\nsync = 26\n')
    boxes = profile if profile == "pico-party" else str(tmp_path / "dry.toml")
    settings = settings_of(boxes=["sim"], profile=boxes, beside=str(beside))
    source = make_boxes(settings)
    source.close()
    assert ("sync" in asked[0], hears is not None) == (hears is not None, source.wire is not None)
    assert [name] == [box.name for box in source.boxes]
    assert [hears is not None] == [box.session._pulse_pin == 28 for box in source.boxes]


def test_simulated_pins_beside_simulated_boxes_hear_the_wire_too(tmp_path: Path) -> None:
    """All of it on a laptop: both are driven, the pulse is heard, and is no line of the table."""
    beside = tmp_path / "beside.toml"
    beside.write_text('name = "beside"\nboard = "mock"\n[pins]\nnoses = [1]\nsync = 2\n')
    source = make_boxes(settings_of(boxes=["sim:drift=40"], beside=str(beside)))
    assert source.simulated
    assert ("nose.14", False) == (source.lines()[-1], "sync" in source.lines())
    source.attach("page", 20 * MS)
    heard = Heard(source)
    source.start(heard.inputs.put, heard.reports.put)
    try:
        heard.until(lambda _: source.wire.anchored(time.monotonic_ns()))
        for line, sources in (("nose.1", {"box"}), ("nose.14", {"page"})):
            now_ns = time.monotonic_ns()
            source.drive(line, 1, now_ns, StampWorth(5, 7), clock="page")
            edge = heard.edge()
            assert (line, 1, sources) == (edge.line, edge.level, {edge.source})
            assert abs(edge.t_ns - now_ns) <= edge.u_ns + edge.clock_u_ns
        assert "sync" not in {line for item in heard.told if isinstance(item, Levels) for line in item.levels}
        with pytest.raises(BadInput, match=r"no simulated line “sync”"):
            source.drive("sync", 1, 0, StampWorth(0))
        source.detach("page")
    finally:
        source.close()


def test_pins_beside_a_box_come_after_its_seats() -> None:
    """The Pi's own four noses are seats 14 to 17."""
    settings = settings_of(source="box", beside="home4")
    assert {"nose.14": 5, "nose.15": 6} == {
        line: pin for line, pin in settings.wirings[1].items() if line in ("nose.14", "nose.15")
    }
    assert 17 == len(settings.noses)


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"boxes": ["sim"] * 3}, BadInput, "have 39 noses"),
        ({"source": "mock", "boxes": ["sim"]}, BadInput, "--box does not go with --source mock"),
        ({"source": "box", "profile": "home4"}, ProfileError, "home4 does not go with --source box"),
        ({"source": "box", "beside": "pico-party"}, ProfileError, "pico-party does not go with --beside"),
        ({"boxes": ["sim", "E660A"], "beside": "mock:2"}, ProfileError, "mock:2 does not go with --beside"),
    ],
)
def test_what_does_not_go_together_is_said(
    options: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    """One sentence each."""
    with pytest.raises(error, match=sentence):
        settings_of(**options)


def test_a_pin_asked_for_twice_is_named(tmp_path: Path) -> None:
    """By the profile's own check, before any box is opened."""
    file = tmp_path / "twice.toml"
    file.write_text('name = "twice"\nboard = "pico"\n[pins]\nnoses = [0, 1, 0]\n')
    with pytest.raises(ProfileError, match="GP0"):
        settings_of(source="box", profile=str(file))


def test_numbers_go_on_from_box_to_box() -> None:
    """Noses, spoons and docks each for themselves; a second host button is none."""
    one = {"nose.1": 0, "spoon.1": 5, "spoon.2": 6, "host": 9}
    assert [one, {"nose.2": 0, "spoon.3": 5, "spoon.4": 6}] == list(numbered_on([one, one]))


@pytest.mark.heavy
def test_a_million_edges_come_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pseudo-terminal, decoder and session: none is missing, none is out of order, no gap.

    How long either side may be silent is no part of this: a machine that stalls is silent too.
    """
    monkeypatch.setattr("lastnose.hardware.box.boxes.SILENT_NS", 600_000_000_000)
    monkeypatch.setattr("lastnose.hardware.box.simulated.DROPS_AFTER_NS", 600_000_000_000)
    with SimulatedBox(cable=PtyCable()) as simulated:
        told = [0, 0, -1]
        gaps: list[Gap] = []
        reports: list[Text | None] = []

        def count(item: Input) -> None:
            if isinstance(item, Edge):
                told[0] += 1
                told[1] += item.t_ns < told[2]
                told[2] = item.t_ns
            elif isinstance(item, Gap):
                gaps.append(item)

        source = BoxSource(lambda: SerialPort(simulated.port), {"nose.1": 0, "nose.2": 1})
        source.start(count, reports.append)
        while not source.session.settled:
            time.sleep(0.01)
        sampler = simulated.chip.sampler
        sent, until = 0, time.monotonic() + 1200
        while sent < 1_000_000:
            with simulated._lock:
                for _ in range(800):
                    sampler.levels ^= 3 if sent % 3 else 1
                    sampler._note(time.monotonic_ns())
                    sent += 1
            simulated._cable.wake()
            while source.session.counts.events < sent - 100 and time.monotonic() < until:
                time.sleep(0.0005)
        while source.session.counts.events < sent and time.monotonic() < until:
            time.sleep(0.001)
        source.close()
        assert ([], []) == (gaps, reports)
        assert sent <= source.session.counts.events
        assert told[0] > sent
        assert 0 == told[1]


def test_a_cable_that_goes_as_its_port_is_set_up_is_a_box_to_be_looked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a terminal says then is no error of the system to Python."""
    termios = pytest.importorskip("termios", reason="needs a system with terminals")

    def gone(*_: object, **__: object) -> None:
        raise termios.error(5, "Input/output error")

    monkeypatch.setattr("serial.Serial", gone)
    with pytest.raises(DeviceError, match=r"/dev/null cannot be reached: Input/output error\."):
        SerialPort("/dev/null")
