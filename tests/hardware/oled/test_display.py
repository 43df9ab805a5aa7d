"""The display's thread, paging, failures and bytes on the bus, with devices of our own port."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import luma.oled.device
import msgspec
import pytest
from gpiozero.pins.mock import MockFactory
from lastnose.companion.core.errors import BadInput, DeviceError
from lastnose.companion.core.ports import JoinInfo, WifiInfo
from lastnose.companion.core.text import Text, text
from lastnose.companion.views.snapshot import PlayerRow, Snapshot
from lastnose.companion.wiring.profile import DRIVERS, MOVABLE, OledSettings
from lastnose.hardware.oled import display
from lastnose.hardware.oled.display import SECOND_NS, Oled, Panel, columns, maker, page_at
from lastnose.hardware.oled.screens import draw
from lastnose.hardware.outputs.spi import OutputPins, SpiFile, open_spi
from luma.core.device import dummy
from luma.core.error import DeviceNotFoundError
from luma.core.interface.serial import i2c, noop
from PIL import Image

from tests.support.packages import need

SIZE = (128, 64)
# luma reads pixels in a way that Pillow 14 will not know any more: hence pillow<14.
LUMA_WARNS = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")
WAIT_S = 120
ROWS = tuple(PlayerRow(seat, f"Player {seat}", ("P",), ("P", "I", "G"), False, None) for seat in range(1, 14))


def armed(number: int, **more: Any) -> Snapshot:
    """Return a snapshot of round *number*, armed, with thirteen players on four pages."""
    more = {"rows": ROWS, "phase": "armed", "seq": number, "round_no": number, **more}
    return Snapshot(version=1, evening=1, simulated=False, headline=text("Play!"), proof=(), **more)


SETUP = armed(0, phase="setup", rows=())


class Screen:
    """A device of our own port that keeps what it was shown and fails when told to."""

    mode = "1"

    def __init__(self) -> None:
        self.shown: list[Image.Image] = []
        self.checks = 0
        self.broken = False
        self.cleaned = 0
        self.drawn = threading.Condition()
        self.gate = threading.Event()
        self.gate.set()

    def display(self, image: Image.Image) -> None:
        """Keep *image*, once the gate is open."""
        assert self.gate.wait(WAIT_S)
        if self.broken:
            raise OSError(121, "Remote I/O error")
        with self.drawn:
            self.shown.append(image)
            self.drawn.notify_all()

    def show(self) -> None:
        """Count a check."""
        if self.broken:
            raise DeviceNotFoundError("I2C device not found on address: 0x3C")
        self.checks += 1

    def cleanup(self) -> None:
        """Count the release."""
        self.cleaned += 1

    def wait_for(self, expected: Image.Image) -> None:
        """Wait until *expected* is on the screen."""
        with self.drawn:
            there = self.drawn.wait_for(
                lambda: bool(self.shown) and self.shown[-1].tobytes() == expected.tobytes(), WAIT_S
            )
        assert there, "the picture never came"


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        """Return the time."""
        return self.now_ns


@pytest.fixture
def screen() -> Screen:
    """A screen that works."""
    return Screen()


@pytest.fixture
def reports() -> list[Text | None]:
    """What has been reported."""
    return []


@pytest.fixture
def clock() -> Clock:
    """A clock at 0."""
    return Clock()


@pytest.fixture
def oled(screen: Screen, reports: list[Text | None], clock: Clock) -> Iterator[Oled]:
    """A display with its thread on *screen*."""
    display = Oled(OledSettings(), report=reports.append, make_device=lambda: screen, clock_ns=clock)
    yield display
    display.close()


def test_a_snapshot_is_drawn_on_the_device(oled: Oled, screen: Screen) -> None:
    """What is shown is the drawing of the snapshot."""
    oled.show(armed(1))
    screen.wait_for(draw(armed(1), SIZE))


def test_latest_snapshot_wins_and_show_never_waits(oled: Oled, screen: Screen) -> None:
    """While the device is busy with one picture, all snapshots but the newest are passed over."""
    oled.show(armed(1))
    screen.wait_for(draw(armed(1), SIZE))
    before = len(screen.shown)  # an empty picture may have come first
    screen.gate.clear()
    for number in range(2, 50):
        oled.show(armed(number))
    screen.gate.set()
    screen.wait_for(draw(armed(49), SIZE))
    assert len(screen.shown) <= before + 2  # the one at the gate, and the newest


def test_join_information_comes_to_the_screen(oled: Oled, screen: Screen) -> None:
    """The set-up screen shows the PIN as soon as it is known."""
    oled.show(SETUP)
    oled.join(JoinInfo("http://10.0.0.5:8080", "4821"))
    screen.wait_for(draw(SETUP, SIZE, join=JoinInfo("http://10.0.0.5:8080", "4821")))


def test_png_has_neither_pin_nor_qr(oled: Oled) -> None:
    """The picture for the page is the one of a table without a PIN, with the address."""
    oled.show(SETUP)
    address = JoinInfo("http://10.0.0.5:8080")
    for join in (
        JoinInfo("http://10.0.0.5:8080/join#4821", "4821"),
        JoinInfo("http://10.0.0.5:8080/join#4821", "4821", ((True, False) * 12,) * 25),
        JoinInfo("http://10.0.0.5:8080", wifi=WifiInfo("Last Nose", "amber-falcon")),
    ):
        oled.join(join)
        assert draw(SETUP, SIZE, join=address).tobytes() == opened(oled.png()).tobytes()
        assert draw(SETUP, SIZE, join=join).tobytes() != opened(oled.png()).tobytes()


def test_png_turns_its_pages_with_the_clock(oled: Oled, clock: Clock) -> None:
    """The first page stays for two page times (3 s each), the others for one."""
    oled.show(armed(1))
    for second, page in ((0, 0), (5, 0), (6, 1), (9, 2), (12, 3), (14, 3), (15, 0)):
        clock.now_ns = second * SECOND_NS
        assert draw(armed(1), SIZE, page=page).tobytes() == opened(oled.png()).tobytes(), second


def test_a_new_moment_begins_at_its_first_page(oled: Oled, clock: Clock) -> None:
    """A verdict is not missed because the standings were on another page; a held nose turns nothing back."""
    oled.show(armed(1))
    clock.now_ns = 6 * SECOND_NS
    held = armed(1, rows=(msgspec.structs.replace(ROWS[0], held=True), *ROWS[1:]))
    oled.show(held)
    assert draw(held, SIZE, page=1).tobytes() == opened(oled.png()).tobytes()
    oled.show(armed(2))
    assert draw(armed(2), SIZE, page=0).tobytes() == opened(oled.png()).tobytes()


def test_close_blanks_the_screen_and_may_be_called_twice(oled: Oled, screen: Screen) -> None:
    """Closing releases the device once."""
    oled.show(armed(1))
    screen.wait_for(draw(armed(1), SIZE))
    oled.close()
    oled.close()
    assert 1 == screen.cleaned


def test_without_a_display_there_is_still_the_picture(reports: list[Text | None]) -> None:
    """The driver "none" starts no thread; the page gets its picture."""
    before = threading.active_count()
    display = Oled(OledSettings(), report=reports.append)
    assert Image.new("1", SIZE).tobytes() == opened(display.png()).tobytes()
    display.show(armed(1))
    assert draw(armed(1), SIZE).tobytes() == opened(display.png()).tobytes()
    assert before == threading.active_count()
    display.close()
    assert [] == reports


def test_a_turned_display_is_drawn_upright(reports: list[Text | None]) -> None:
    """A display turned by a quarter is as wide as it was high."""
    display = Oled(OledSettings(rotate=1), report=reports.append)
    assert (64, 128) == display.size == opened(display.png()).size


def opened(png: bytes) -> Image.Image:
    """Return the picture in *png* as one-bit pixels."""
    return Image.open(io.BytesIO(png)).convert("1")


# Failures, with time as an argument.


PICTURES = [draw(armed(number), SIZE) for number in range(4)]


def test_unchanged_picture_is_not_sent_again_but_the_device_is_checked(
    screen: Screen, reports: list[Text | None]
) -> None:
    """The bus is free while nothing changes; once a second the device is asked whether it is there."""
    panel = Panel(lambda: screen, reports.append)
    for tenth in range(25):
        panel.show(PICTURES[0], tenth * SECOND_NS // 10)
    assert (1, 2) == (len(screen.shown), screen.checks)


@pytest.mark.parametrize("pulled_while_idle", [False, True])
def test_pulled_display_is_reported_and_comes_back_redrawn(
    reports: list[Text | None], pulled_while_idle: bool
) -> None:
    """A display that was pulled, in a game or in a pause, is opened again and gets the present picture."""
    made: list[Screen] = []

    def make() -> Screen:
        made.append(Screen())
        return made[-1]

    panel = Panel(make, reports.append)
    panel.show(PICTURES[0], 0)
    made[0].broken = True
    picture = PICTURES[0] if pulled_while_idle else PICTURES[1]
    panel.show(picture, 2 * SECOND_NS)
    assert [False, 1] == [reports[0] is None, made[0].cleaned]
    panel.show(PICTURES[2], 2 * SECOND_NS + 1)
    assert 1 == len(made)
    panel.show(PICTURES[0], 3 * SECOND_NS)
    assert (2, None) == (len(reports), reports[-1])
    assert [PICTURES[0].tobytes()] == [image.tobytes() for image in made[1].shown]


def test_another_failure_is_told_too(screen: Screen, reports: list[Text | None]) -> None:
    """When the reason changes, the table hears the new one."""
    errors = [OSError(121, "Remote I/O error"), OSError(13, "Permission denied")]

    def make() -> Any:
        raise errors.pop(0)

    panel = Panel(make, reports.append)
    panel.show(PICTURES[0], 0)
    panel.show(PICTURES[0], SECOND_NS)
    assert ["Remote", "Permission"] == [str(said).partition("] ")[2].split()[0] for said in reports]


def test_failure_in_the_thread_leaves_the_table_alone(reports: list[Text | None], clock: Clock) -> None:
    """A display that never works raises nothing in `show`, `png` or `close`."""
    failed = threading.Event()

    def make() -> Any:
        raise OSError("no bus")

    def report(said: Text | None) -> None:
        reports.append(said)
        failed.set()

    display = Oled(OledSettings(), report=report, make_device=make, clock_ns=clock)
    display.show(armed(1))
    assert failed.wait(WAIT_S)
    assert draw(armed(1), SIZE).tobytes() == opened(display.png()).tobytes()
    display.close()


def test_a_colour_device_gets_pictures_of_its_mode() -> None:
    """luma's dummy device, in RGB, keeps the white-on-black picture."""
    device = dummy(width=128, height=64, mode="RGB")
    Panel(lambda: device, lambda said: None).show(PICTURES[1], 0)
    assert PICTURES[1].convert("RGB").tobytes() == device.image.tobytes()


# Settings and luma.


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"driver": "ssd9999"}, "sh1106"),
        ({"driver": "ws0010"}, "ws0010"),
        ({"driver": "ssd1306", "contrast": 256}, "256"),
        ({"driver": "ssd1306", "page_s": 0}, "page_s"),
        ({"driver": "ssd1306", "i2c_address": 0x300}, "0x300; it goes from 0x8 to 0x77"),
        ({"driver": "ssd1306", "interface": "spi", "spi_bus_speed": 3}, "8000000"),
    ],
)
def test_settings_that_nobody_can_open_are_refused(change: dict[str, Any], named: str) -> None:
    """A wrong key is named before a thread is started."""
    with pytest.raises(BadInput, match=named):
        Oled(OledSettings(**change), report=lambda said: None)


@LUMA_WARNS
def test_every_driver_of_luma_takes_our_pictures() -> None:
    """Each graphic driver is opened in its own size and shown a picture in its mode."""
    assert set(luma.oled.device.__all__) - {"ws0010", "winstar_weh"} == set(DRIVERS)  # those show letters
    assert set(MOVABLE) == {name for name in DRIVERS if columns(name)}
    for name in DRIVERS:
        device = getattr(luma.oled.device, name)(noop())
        size = (device.width, device.height)
        Panel(lambda device=device: device, fail).show(draw(armed(1), size), 0)


def fail(said: Text | None) -> None:
    """Refuse a report."""
    raise AssertionError(said)


class Bus:
    """An I2C bus in memory, with what luma calls of SMBus; it keeps the picture's bytes."""

    def __init__(self) -> None:
        self.commands: list[list[int]] = []
        self.data: list[int] = []
        self.pulled = False

    def write_i2c_block_data(self, address: int, register: int, values: list[int]) -> None:
        """Take commands (register 0x00) or picture bytes (0x40)."""
        if self.pulled:
            raise OSError(121, "Remote I/O error")
        if register == 0x00:
            self.commands.append([address, *values])
        else:
            self.data += values

    def close(self) -> None:
        """Be closed."""


@LUMA_WARNS
def test_ssd1306_gets_the_pixels_of_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes on the bus, eight rows a byte, are the picture; contrast is set; a pulled bus is noticed."""
    bus = Bus()
    monkeypatch.setattr(display, "_i2c", lambda settings: i2c(bus=bus, address=settings.i2c_address))
    make = maker(OledSettings(driver="ssd1306", i2c_address=0x3D, contrast=77))
    assert make is not None
    reports: list[Text | None] = []
    panel = Panel(make, reports.append)
    panel.show(PICTURES[1], 0)
    picture = bus.data[-1024:]
    lit = {
        (x, page * 8 + bit)
        for page in range(8)
        for x in range(128)
        for bit in range(8)
        if picture[page * 128 + x] >> bit & 1
    }
    expected = {(x, y) for x in range(128) for y in range(64) if PICTURES[1].getpixel((x, y))}
    assert expected == lit
    assert [0x3D, 0x81, 77] in bus.commands
    bus.pulled = True
    panel.show(PICTURES[2], SECOND_NS)
    assert 1 == len(reports)


@LUMA_WARNS
@pytest.mark.parametrize(
    ("driver", "size", "before", "after"),
    [
        ("sh1106", (128, 64), [0xB0, 0x02, 0x10], [0xB0, 0x00, 0x10]),  # page 0, column 2, then column 0
        ("ssd1306", (64, 48), [0x21, 32, 95], [0x21, 30, 93]),  # columns from the first to the last
    ],
)
def test_a_picture_that_stands_two_columns_off_is_moved(
    monkeypatch: pytest.MonkeyPatch, driver: str, size: tuple[int, int], before: list[int], after: list[int]
) -> None:
    """`h_offset` moves where the glass begins in its memory: commands 0x21, or 0xB0 and two nibbles."""
    for h_offset, wanted in ((0, before), (-2, after)):
        bus = Bus()
        monkeypatch.setattr(display, "_i2c", lambda _, bus=bus: i2c(bus=bus, address=0x3C))
        make = maker(OledSettings(driver=driver, width=size[0], height=size[1], h_offset=h_offset))
        assert make is not None
        device = make()
        bus.commands.clear()
        device.display(Image.new("1", size))
        assert any(command[1:4] == wanted for command in bus.commands)


@LUMA_WARNS
def test_an_offset_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns count from 0, and a display of colours has none that luma moves so."""
    monkeypatch.setattr(display, "_i2c", lambda _: i2c(bus=Bus(), address=0x3C))
    make = maker(OledSettings(driver="sh1106", h_offset=-3))
    assert make is not None
    with pytest.raises(BadInput, match="no controller has a column −1"):
        make()
    with pytest.raises(BadInput, match="not the ssd1322"):
        maker(OledSettings(driver="ssd1322", h_offset=2))


def test_missing_i2c_bus_says_which() -> None:
    """Without a bus the report names the file that is not there."""
    make = maker(OledSettings(driver="sh1106", i2c_port=97))
    assert make is not None
    reports: list[Text | None] = []
    Panel(make, reports.append).show(PICTURES[0], 0)
    assert "/dev/i2c-97" in str(reports[0])


def test_missing_spi_says_which() -> None:
    """Without SPI the error names the file, and the pins are free again."""
    factory = MockFactory()
    with pytest.raises(Exception, match="SPI"):
        open_spi(OledSettings(interface="spi"), folder="/nowhere", factory=factory)
    assert ["input", "input"] == [factory.pin(pin).function for pin in (24, 25)]
    factory.close()


def test_spi_never_takes_pretended_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real display hangs on the kernel's pins (law 7), also where gpiozero is set to simulated ones."""
    need("gpiod")
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")

    def none() -> str:
        raise DeviceError(text("This machine has no GPIO pins."))

    monkeypatch.setattr("lastnose.hardware.outputs.kernel_pins.find_header_chip", none)
    with pytest.raises(DeviceError, match="no GPIO pins"):
        open_spi(OledSettings(interface="spi"))


def test_spi_sends_commands_and_data_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data/command pin is low for commands, high for data; reset is pulsed; cleanup frees everything."""
    (tmp_path / "spidev0.1").touch()
    monkeypatch.setattr(
        "lastnose.hardware.outputs.spi.fcntl.ioctl",
        lambda file, request, packed: asked.append((request, packed)),
    )
    asked: list[tuple[int, bytes]] = []
    factory = MockFactory()
    serial = open_spi(
        OledSettings(interface="spi", spi_device=1, gpio_data_command=24, gpio_reset=25),
        folder=str(tmp_path),
        factory=factory,
    )
    data_command, reset = factory.pin(24), factory.pin(25)
    assert [(0x40046B04, (8_000_000).to_bytes(4, "little"))] == asked
    assert [0, 1] == [state.state for state in reset.states][-2:]
    assert ["output", "output"] == [data_command.function, reset.function]
    serial.command(0xAE)
    assert 0 == data_command.state
    serial.data(list(range(200)))
    assert 1 == data_command.state
    serial.cleanup()
    serial.cleanup()
    assert ["input", "input"] == [data_command.function, reset.function]
    assert bytes([0xAE, *range(200)]) == (tmp_path / "spidev0.1").read_bytes()
    factory.close()


def open_files() -> int:
    """Return how many files this process has open."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_spi_file_and_pins_may_be_closed_twice(tmp_path: Path) -> None:
    """Nothing is closed that is not ours any more."""
    (tmp_path / "spidev0.0").touch()
    file = SpiFile(str(tmp_path))
    file.open(0, 0)
    before = open_files()
    file.close()
    file.close()
    assert before - 1 == open_files()
    factory = MockFactory()
    pins = OutputPins(factory)
    pins.setup(5, "out")
    pins.close()
    pins.close()
    factory.close()


def test_page_at_holds_the_first_page_twice_as_long() -> None:
    """With three pages of 2 s each, 0 lasts 4 s and the round 8 s."""
    assert [0, 0, 0, 0, 1, 1, 2, 2, 0] == [page_at(second, 3, 2) for second in range(9)]
