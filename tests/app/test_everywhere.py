"""The table runs where there is only what every system has: no POSIX modules, unix sockets or fine clock."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import serial
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.cli.run import told_to_leave
from lastnose.companion.core.errors import BadInput, DeviceError
from lastnose.companion.core.model import Gap, Levels
from lastnose.companion.core.touch import LATENCY_U_NS
from lastnose.companion.system import host_clock
from lastnose.companion.system.setup_pi.machine import must_be_possible
from lastnose.hardware.box.ports import SerialPort
from lastnose.hardware.box.simulated import HOLDS, MemoryCable, SimulatedBox
from lastnose.web.page_sources import Pages
from lastnose.web.server.addresses import _claim
from lastnose.web.taps import PageClock, Tap, Taps

from tests.cli.test_run import Run
from tests.support.anywhere import MODULES, OF_OS
from tests.support.boxes import listening
from tests.support.fakes import FakeDriver
from tests.test_layers import modules

ANYWHERE = Path(__file__).parents[1] / "support" / "anywhere.py"

# Who may need Linux: what drives its devices, sets it up, looks at it, or is tried before something else.
LINUX_ONLY = {"lastnose.hardware.outputs.spi", "lastnose.hardware.probe"}


class RunAnywhere(Run):
    """A table with its page in a process of that kind."""

    program = (str(ANYWHERE),)


@pytest.fixture(
    params=[
        pytest.param(("--source", "mock"), id="mock", marks=pytest.mark.heavy),
        pytest.param(("--source", "box", "--box", "sim"), id="box"),
    ]
)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Run]:
    """A running table: simulated noses, and a simulated box."""
    run = RunAnywhere(tmp_path / "data", *request.param, "--oled", "none")
    yield run
    run.end()


def test_table_page_and_simulated_box_play_a_round_without_posix(table: Run) -> None:
    """Three noses are touched on the page; the page's own state then names who was last: S gets a P."""
    table.start_pig()
    table.touch(2, 1, 3)
    state = table.shows(lambda state: state["phase"] == "verdict")
    assert [[], [], ["P"]] == [row["letters"] for row in state["rows"]]


def test_such_a_process_has_none_of_it() -> None:
    """The net has no hole: what was taken away cannot be had."""
    program = (
        "from tests.support import anywhere; anywhere.take_away(); import os, select, socket\n"
        f"for name in {sorted(MODULES)}:\n"
        "    try: __import__(name, globals())\n"
        "    except ImportError: pass\n"
        "    else: print(name)\n"
        f"print([name for name in {OF_OS} if hasattr(os, name)], hasattr(select, 'poll'), "
        "hasattr(socket, 'AF_UNIX'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ANYWHERE.parents[2], capture_output=True, text=True, check=True
    )
    assert "[] False False\n" == done.stdout


def test_only_what_is_linuxs_own_imports_posix_modules() -> None:
    """Everything else can be imported on any system."""
    users = {f"lastnose.{name}" for name, source in modules().items() if source.at_once & MODULES}
    assert users == {
        name for name in users if any(name == one or name.startswith(f"{one}.") for one in LINUX_ONLY)
    }
    assert "lastnose.hardware.outputs.spi" in users


def test_only_one_module_reads_the_clock_of_edges() -> None:
    """`host_clock` knows which clock that is, and how coarse; `perf_counter` only times our own work."""
    fine = {"monotonic_ns", "clock_gettime_ns"}
    readers = {f"lastnose.{name}" for name, source in modules().items() if source.attributes & fine}
    assert {"lastnose.companion.system.host_clock"} == readers


# The clock


def _told(**steps_s: float) -> Callable[[str], Any]:
    return lambda name: SimpleNamespace(resolution=steps_s[name], monotonic=True)


@pytest.mark.parametrize(
    ("platform", "monotonic_s", "perf_counter_s", "chosen"),
    [
        ("win32", 0.015625, 1e-7, "perf_counter"),  # Windows, Python 3.11 and 3.12
        ("win32", 1e-7, 1e-7, "monotonic"),  # Windows since 3.13
        ("darwin", 1e-9, 1e-9, "monotonic"),
        ("linux", 1e-6, 1e-9, "monotonic"),  # whatever its step: the kernel's stamps are on it
    ],
)
def test_the_finest_clock_is_taken_and_on_linux_the_kernels(
    platform: str, monotonic_s: float, perf_counter_s: float, chosen: str
) -> None:
    """As Python tells of them there."""
    told = _told(monotonic=monotonic_s, perf_counter=perf_counter_s)
    assert chosen == host_clock.choose(platform, told)


def test_a_clock_that_may_step_back_is_never_taken() -> None:
    """However fine."""
    told = {
        "monotonic": SimpleNamespace(resolution=0.015, monotonic=True),
        "perf_counter": SimpleNamespace(resolution=1e-9, monotonic=False),
    }
    assert "monotonic" == host_clock.choose("win32", told.__getitem__)


def test_a_step_of_the_clock_is_part_of_a_taps_error() -> None:
    """A reading 100 ns behind at most 99: 40 000 become 40 099."""
    driver = FakeDriver(("nose.1",))
    pages = Pages(driver, lambda: 5_000_000_000, behind_ns=host_clock.step_ns(1e-7) - 1)
    pages.introduce(PageClock("p"))
    pages.drive(Taps("p", 40_000, (Tap("nose.1", 1, 4_999_000_000),)))
    assert [40_099 + LATENCY_U_NS] == [edge["clock_u_ns"] for edge in driver.driven]


# The cable in memory


def test_a_box_on_a_cable_in_memory_is_a_box() -> None:
    """Greeted, pressed, pulled and put back: the same source tells its edges, and the gap between."""
    with SimulatedBox(cable=MemoryCable()) as simulated, listening(simulated, {"nose.1": 0}) as heard:
        assert isinstance(heard.told[0], Levels)
        simulated.set(0, 1)
        assert 1 == heard.edge().level
        simulated.unplug()
        heard.until(lambda item: isinstance(item, Gap))
        simulated.plug()
        heard.until(lambda item: isinstance(item, Levels))


@given(st.lists(st.binary(max_size=3_000), max_size=12))
def test_a_cable_in_memory_loses_and_exchanges_nothing(pieces: list[bytes]) -> None:
    """Whatever is sent arrives, in order, though it holds only so much at a time."""
    cable = MemoryCable()
    cable.plug()
    port = cable.open_port()
    got = b""
    for piece in pieces:
        while piece:
            sent = cable.send(piece)
            assert sent or got is not None
            piece = piece[sent:]
            got += port.read(0)
    assert b"".join(pieces) == got
    for piece in pieces:
        port.write(piece)
        assert piece == cable.receive()


def test_a_cable_in_memory_is_full_at_some_point_and_one_program_has_it() -> None:
    """As a pseudo-terminal is; the second to open it is refused, until the first has closed."""
    cable = MemoryCable()
    with pytest.raises(DeviceError, match="is not a serial port"):
        cable.open_port()
    cable.plug()
    port = cable.open_port()
    assert (HOLDS, 0) == (cable.send(bytes(HOLDS + 5)), cable.send(b"more"))
    with pytest.raises(DeviceError, match="is in use"):
        cable.open_port()
    port.close()
    again = cable.open_port()
    cable.unplug()
    with pytest.raises(OSError, match="pulled"):
        again.read(0)
    with pytest.raises(OSError, match="pulled"):
        again.write(b"?")


# Ports, signals, sockets


@pytest.mark.parametrize(
    ("why", "says"),
    [
        ("PermissionError(13, 'Access is denied.', None, 5)", "COM7 is in use"),
        (
            "FileNotFoundError(2, 'The system cannot find the file specified.', None, 2)",
            "COM7 is not a serial port",
        ),
    ],
)
def test_a_com_port_that_cannot_be_opened_is_said(
    monkeypatch: pytest.MonkeyPatch, why: str, says: str
) -> None:
    """pyserial puts Windows' error into its words, without its number."""

    def refuse(*_: Any, **__: Any) -> None:
        raise serial.SerialException(f"could not open port 'COM7': {why}")

    monkeypatch.setattr("serial.Serial", refuse)
    with pytest.raises(DeviceError, match=re.escape(says)):
        SerialPort("COM7")


def test_a_port_is_read_with_what_pyserial_has_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first byte ends the wait, and the rest comes with it; no file's number and no select is needed."""

    class Com:
        def __init__(self, device: str, *_: Any, timeout: float, **__: Any) -> None:
            self.waits, self.data = [timeout], b"abc"

        @property
        def in_waiting(self) -> int:
            return 0 if len(self.data) == 3 else len(self.data)

        def read(self, size: int) -> bytes:
            data, self.data = self.data[:size], self.data[size:]
            return data

    monkeypatch.setattr("serial.Serial", Com)
    port = SerialPort("COM7")
    assert (b"abc", b"") == (port.read(5.0), port.read(0))


def test_windows_own_signal_ends_the_table_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-Break, or a window that is closed, arrives as SIGBREAK."""
    handlers: dict[int, Callable[[int, Any], None]] = {}
    monkeypatch.setattr("signal.SIGBREAK", 21, raising=False)
    monkeypatch.setattr("signal.signal", lambda number, handler: handlers.update({number: handler}))
    wait = told_to_leave()
    handlers[21](21, None)
    assert 21 == wait()


@pytest.mark.parametrize(("before", "ends"), [(signal.SIG_DFL, True), (signal.SIG_IGN, False)])
def test_a_terminal_that_is_closed_ends_the_table_unless_nohup_began_it(
    monkeypatch: pytest.MonkeyPatch, before: signal.Handlers, ends: bool
) -> None:
    """Killed by it, a hall leaves its message server behind, and a stick has no last copy."""
    handlers: dict[int, Callable[[int, Any], None]] = {}
    monkeypatch.setattr("signal.SIGHUP", 1, raising=False)
    monkeypatch.setattr("signal.getsignal", lambda number: before)
    monkeypatch.setattr("signal.signal", lambda number, handler: handlers.update({number: handler}))
    wait = told_to_leave()
    assert ends == (1 in handlers)
    if ends:
        handlers[1](1, None)
        assert 1 == wait()


@pytest.mark.parametrize(
    ("platform", "option"), [("win32", "SO_EXCLUSIVEADDRUSE"), ("linux", "SO_REUSEADDR")]
)
def test_a_port_is_never_shared_with_a_second_table(
    monkeypatch: pytest.MonkeyPatch, platform: str, option: str
) -> None:
    """On Windows SO_REUSEADDR would do just that."""
    monkeypatch.setattr("socket.SO_EXCLUSIVEADDRUSE", -5, raising=False)
    monkeypatch.setattr("socket.SO_REUSEADDR", 2)
    asked: list[int] = []
    made: Any = SimpleNamespace(setsockopt=lambda level, name, value: asked.append(name))
    _claim(made, platform)
    assert [{"SO_EXCLUSIVEADDRUSE": -5, "SO_REUSEADDR": 2}[option]] == asked


def test_nothing_is_set_up_where_there_is_no_systemd(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Before anything that only Linux has is asked."""
    monkeypatch.setattr("sys.platform", "win32")
    with pytest.raises(BadInput, match="does not start with systemd"):
        must_be_possible(tmp_path, dry=True)
