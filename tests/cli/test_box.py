"""`lastnose box`: what it says with boxes, without any, and with the wrong ones."""

from __future__ import annotations

import json
from binascii import crc32
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest
from click.testing import Result
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.model import Input, Levels
from lastnose.companion.core.ports import FoundBox
from lastnose.hardware.box import protocol
from lastnose.hardware.box.flash import ENTER_S, RawRepl, flash
from lastnose.hardware.box.ports import SerialPort
from lastnose.hardware.box.simulated import SimulatedBox

from tests.support.commands import lastnose
from tests.support.pico import PretendedPico, PtyCable


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatedBox]:
    """One simulated box, found as a real one is."""
    with SimulatedBox(cable=PtyCable()) as box:
        found = [FoundBox(box.port, box.serial, "MicroPython")]
        monkeypatch.setattr("lastnose.hardware.box.ports.find_ports", lambda: found)
        yield box


def box_command(*words: str) -> Result:
    """Run `lastnose box`."""
    return lastnose("box", *words)


def test_list_names_port_serial_number_and_firmware(plugged: SimulatedBox) -> None:
    """For people and for programs."""
    said = box_command("list")
    assert (0, f"{plugged.port}  {plugged.serial}  firmware: 1.1.0\n") == (said.exit_code, said.stdout)
    (one,) = json.loads(box_command("list", "--json").stdout)
    assert {"port": plugged.port, "serial": plugged.serial, "state": "ours", "firmware": "1.1.0"} == one


def test_list_without_boxes_is_a_no(monkeypatch: pytest.MonkeyPatch) -> None:
    """Status 1; the JSON is printed all the same."""
    monkeypatch.setattr("lastnose.hardware.box.ports.find_ports", list)
    said = box_command("list", "--json")
    assert (1, []) == (said.exit_code, json.loads(said.stdout))
    assert "No buzzer box is plugged in." in box_command("list").stdout


def test_list_says_what_is_no_box_of_ours(monkeypatch: pytest.MonkeyPatch, plugged: SimulatedBox) -> None:
    """In its bootloader, or in use by another program."""
    found = [FoundBox("/dev/ttyACM8", "E1", "bootloader"), FoundBox(plugged.port, "E2", "MicroPython")]
    monkeypatch.setattr("lastnose.hardware.box.ports.find_ports", lambda: found)
    holder = SerialPort(plugged.port)
    said = box_command("list").stdout.splitlines()
    holder.close()
    assert ["without our firmware: run lastnose box flash", "in use, or not permitted"] == [
        line.split("  ")[2] for line in said
    ]


def test_watch_shows_levels_as_json() -> None:
    """The first line says how all inputs are."""
    said = box_command("watch", "sim", "--seconds", "0.6", "--json")
    assert 0 == said.exit_code
    first = json.loads(said.stdout.splitlines()[0])
    assert ("levels", 25) == (first["type"], len(first["levels"]))


@pytest.mark.heavy
def test_clock_tells_rate_round_trip_and_claim() -> None:
    """The crystal that is 80 ppm fast is within what is said."""
    said = box_command("clock", "sim:drift=80", "--seconds", "2.5", "--json")
    known = json.loads(said.stdout)
    assert abs(known["ppm"] - 80) <= known["ppm_u"]
    assert 0 < known["round_trip_us"]
    assert 0 < known["clock_u_us"]


@pytest.mark.heavy
def test_sync_tells_the_offset_between_boxes() -> None:
    """Heard through the simulated wire; a busy machine's own clock of a box is off by some milliseconds."""
    said = box_command("sync", "sim", "sim", "--seconds", "2.5", "--json")
    (one,) = json.loads(said.stdout)
    assert (0, "E66038B713000002") == (said.exit_code, one["serial"])
    assert abs(one["offset_ns"]) < 1_000_000_000
    assert 0 < one["u_ns"] < 1_000_000_000


class CutShort(SimpleQueue[Input]):
    """Hands out what a box tells until all of its inputs are known; then somebody presses Ctrl-C."""

    def get(self, block: bool = True, timeout: float | None = None) -> Input:
        """Return the next input."""
        item = super().get(block, timeout)
        if isinstance(item, Levels):
            raise KeyboardInterrupt
        return item


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (("clock", "sim"), 0, "quickest round trip"),
        (("sync", "sim", "sim"), 1, "E66038B713000002: no pulse heard."),
        (("watch", "sim"), 0, ""),
    ],
)
def test_who_stops_watching_is_told_what_is_known_so_far(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], status: int, says: str
) -> None:
    """Ctrl-C is how one stops: it is no failure."""
    monkeypatch.setattr("lastnose.companion.cli.box.SimpleQueue", CutShort)
    said = box_command(*words)
    assert (status, "") == (said.exit_code, said.stderr)
    assert said.stdout.startswith(says)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["watch", "/dev/ttyACM99"], "/dev/ttyACM99 is not a serial port."),
        (["sync", "sim", "--profile", "home4"], "has no sync wire"),
        (["clock", "sim:rain=3"], "“rain=3” is not a fault with its number"),
    ],
)
def test_bad_input_gets_one_sentence(words: list[str], sentence: str) -> None:
    """Status 2, on stderr."""
    said = box_command(*words)
    assert 2 == said.exit_code
    assert sentence in said.stderr
    assert 1 == said.stderr.count("\n")


def test_flash_says_how_a_bare_pico_gets_micropython(monkeypatch: pytest.MonkeyPatch) -> None:
    """Step by step; nothing was done, so the status is 1."""
    monkeypatch.setattr("lastnose.hardware.box.ports.find_ports", list)
    said = box_command("flash")
    assert 1 == said.exit_code
    assert ["There", "Get", "Hold"] == [line.split()[0] for line in said.stdout.splitlines()]


def test_flash_puts_every_file_on_a_pico_and_sees_it_run(tmp_path: Path) -> None:
    """A bare one, then again the one that runs by now: it leaves its program first, and old files go."""
    with PretendedPico(tmp_path) as pico:
        for _ in range(2):
            hello = flash(pico.port, lambda: SerialPort(pico.port))
            assert protocol.version() == hello.version
            (tmp_path / "main.py").write_text("old")
        flash(pico.port, lambda: SerialPort(pico.port))
    assert {name: (protocol.folder() / name).read_bytes() for name in protocol.FILES} == {
        path.name: path.read_bytes() for path in tmp_path.iterdir()
    }


def test_flash_says_why_it_could_not_copy(tmp_path: Path) -> None:
    """The last line of what MicroPython complains of; what was there is as it was."""
    (tmp_path / "box.py.new").mkdir()
    (tmp_path / "frames.py").write_text("old")
    with (
        PretendedPico(tmp_path) as pico,
        pytest.raises(DeviceError, match=r"IsADirectoryError: .*\)\. Is it a Pico with MicroPython on it"),
    ):
        flash(pico.port, lambda: SerialPort(pico.port))
    assert "old" == (tmp_path / "frames.py").read_text()


def test_flash_leaves_the_old_files_when_one_did_not_arrive_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cable that turned a bit: told by length and CRC, before anything is put in place."""
    (tmp_path / "frames.py").write_text("old")
    monkeypatch.setattr("lastnose.hardware.box.flash.crc32", lambda content: crc32(content) ^ 1)
    with (
        PretendedPico(tmp_path) as pico,
        pytest.raises(DeviceError, match=r"could not be copied to .* \(frames\.py\)"),
    ):
        flash(pico.port, lambda: SerialPort(pico.port))
    assert "old" == (tmp_path / "frames.py").read_text()


@pytest.mark.parametrize("says", [b"", b"login: "], ids=["silent", "another"])
def test_flash_gives_up_a_port_that_does_not_answer(says: bytes) -> None:
    """It takes what is sent, and says nothing, or what no MicroPython says; within seconds."""
    port, now = FakePort(says), iter(range(100))
    with pytest.raises(
        DeviceError, match=r"could not be copied to COM3 \(no answer\)\. Is it a Pico with MicroPython"
    ):
        RawRepl(port, "COM3", clock_s=lambda: float(next(now))).enter()
    assert b"\r\x03\x03\r\x01" == port.sent
    assert next(now) <= ENTER_S + 2


def test_flash_gives_up_a_port_that_takes_nothing() -> None:
    """Whose other end is gone: the write runs out of time."""
    port = FakePort(b"", OSError("Write timeout"))
    with pytest.raises(DeviceError, match=r"could not be copied to COM3 \(no answer\)"):
        flash("COM3", lambda: port)
    assert port.closed


class FakePort:
    """A port that says one thing, for ever."""

    def __init__(self, says: bytes, trouble: OSError | None = None) -> None:
        self.sent, self.closed = b"", False
        self._says, self._trouble = says, trouble

    def read(self, wait_s: float) -> bytes:
        """Say it."""
        return self._says

    def write(self, data: bytes) -> None:
        """Take it, or not."""
        if self._trouble is not None:
            raise self._trouble
        self.sent += data

    def close(self) -> None:
        """Be closed."""
        self.closed = True


def test_flash_does_not_believe_an_old_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers, but not as it should by now."""
    monkeypatch.setattr("lastnose.hardware.box.flash.RESTART_S", 3.5)
    with PretendedPico(tmp_path) as pico:
        monkeypatch.setattr("lastnose.hardware.box.protocol.version", lambda: (9, 9, 9))
        with pytest.raises(DeviceError, match=r"does not answer with firmware 9\.9\.9"):
            flash(pico.port, lambda: SerialPort(pico.port))
