"""Boards: their pins lie where a second source says, and each warning comes from a pin that earns it."""

from __future__ import annotations

import pytest
from gpiozero.pins.pi import PiBoardInfo
from lastnose.companion.wiring.boards import (
    PI_HEADER,
    PICO_EDGES,
    Board,
    Use,
    boot_pull,
    config_lines,
    physical_pin,
    pin_name,
    problems,
    warnings,
)

PI_4B = 0xC03111


def test_header_is_the_one_of_gpiozeros_board_data() -> None:
    """Forty pins, each where gpiozero has it on a Pi 4B."""
    theirs = {
        int(pin.name.removeprefix("GPIO")): number
        for number, pin in PiBoardInfo.from_revision(PI_4B).headers["J8"].pins.items()
        if pin.name.startswith("GPIO")
    }
    assert theirs == {pin: physical_pin("pi", pin) for pin in range(28)}
    assert 40 == len(PI_HEADER)


def test_picos_ground_is_every_fifth_pin_of_each_edge() -> None:
    """3, 8, 13, 18 on the left; 23, 28, 33 (analogue) and 38 on the right; 26 GPIO pins in all."""
    grounds = [number for number, what in enumerate(PICO_EDGES, start=1) if str(what).endswith("GND")]
    assert [3, 8, 13, 18, 23, 28, 33, 38] == grounds
    assert 40 == len(PICO_EDGES)
    assert [*range(23), 26, 27, 28] == sorted(what for what in PICO_EDGES if isinstance(what, int))
    assert (1, 20, 21, 29, 34) == tuple(physical_pin("pico", pin) for pin in (0, 15, 16, 22, 28))


@pytest.mark.parametrize(
    ("board", "pin", "name", "pull"),
    [
        ("pi", 0, "GPIO0", "up"),
        ("pi", 8, "GPIO8", "up"),
        ("pi", 9, "GPIO9", "down"),
        ("pi", 27, "GPIO27", "down"),
        ("pico", 5, "GP5", "down"),
        ("mock", 5, "GPIO5", "none"),
    ],
)
def test_pin_has_a_name_and_a_pull_at_boot(board: Board, pin: int, name: str, pull: str) -> None:
    """GPIO0 to 8 are held up, 9 to 27 down; a Pico's all down; memory has none."""
    assert (name, pull) == (pin_name(board, pin), boot_pull(board, pin))


def test_every_problem_is_told_at_once() -> None:
    """Not only the first."""
    uses = [Use("nose.1", "pi", 5), Use("nose.2", "pi", 5), Use("nose.3", "pi", 40), Use("led data", "pi", 9)]
    assert 3 == len(list(problems(uses)))


def test_the_same_number_on_two_boards_is_no_conflict() -> None:
    """GP5 and GPIO5 are two pins."""
    assert [] == list(problems([Use("nose.1", "pico", 5), Use("buzzer", "pi", 5)]))


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (Use("nose.1", "pi", 2), "GPIO2, which is pulled up with 1.8 kΩ"),
        (Use("spoon.1", "pi", 3), "GPIO3, which is pulled up with 1.8 kΩ"),
        (Use("nose.1", "pi", 14), "serial console"),
        (Use("host", "pi", 15), "serial console"),
        (Use("buzzer", "pi", 14), "serial console"),
        (Use("spoon.2", "pi", 0), "no HAT can be used"),
        (Use("buzzer", "pi", 7), "sounds, until the table runs"),
    ],
)
def test_a_pin_with_another_master_is_warned_of(use: Use, words: str) -> None:
    """One sentence, which names the use."""
    (warning,) = warnings([use])
    assert words in str(warning)
    assert use.name in str(warning)


def test_behind_a_kilohm_a_closed_contact_on_a_fixed_pull_up_is_not_low() -> None:
    """3.3 V over 1.8 kΩ and 1 kΩ leaves 1.18 V, over the 0.8 V that counts as low; 220 Ω leaves 0.36 V."""
    usual, advised = (3.3 * below / (1800 + below) for below in (1000, 220))
    assert usual > 0.8 > advised
    (warning,) = warnings([Use("nose.1", "pi", 2)])
    assert f"reads {usual:.1f} V" in str(warning)


@pytest.mark.parametrize("pin", [4, 5, 6, 7, 8, *range(9, 14), *range(16, 28)])
def test_other_pins_take_a_contact_without_a_word(pin: int) -> None:
    """A nose on a pin that is held down at start is fine: software pulls it up before it looks."""
    assert [] == list(warnings([Use("nose.1", "pi", pin)]))


def test_the_displays_own_bus_is_not_warned_of() -> None:
    """SDA and SCL want the fixed pull-ups."""
    assert [] == list(warnings([Use("oled SDA", "pi", 2), Use("oled SCL", "pi", 3)]))


@pytest.mark.parametrize(
    ("others", "overlay"),
    [
        ([], []),
        ([7], ["dtoverlay=spi0-1cs"]),
        ([9], ["dtoverlay=spi0-2cs,no_miso"]),
        ([7, 9], ["dtoverlay=spi0-1cs,no_miso"]),
    ],
)
def test_spi_gives_back_just_the_pins_that_are_used_otherwise(others: list[int], overlay: list[str]) -> None:
    """GPIO7 is its second select, GPIO9 its MISO."""
    chain = [Use("led data", "pi", 10), Use("led clock", "pi", 11), Use("led latch", "pi", 8)]
    spoons = [Use(f"spoon.{place}", "pi", pin) for place, pin in enumerate(others, start=1)]
    assert ["dtparam=spi=on", *overlay] == config_lines([*chain, *spoons])
    assert [] == config_lines(spoons), "without SPI its pins are free"
