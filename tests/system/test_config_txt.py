"""The Pi's config.txt: what counts as there, and a block that comes out as it went in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.system.config_txt import BEGIN, END, missing, with_block, without_block

I2C, SPI = "dtparam=i2c_arm=on", "dtparam=spi=on"
LINES = st.sampled_from(
    [
        "",
        "[all]",
        "[pi4]",
        "# a remark",
        "dtparam=audio=on",
        "#" + I2C,
        "arm_boost=1",
        I2C,
        "dtoverlay=vc4-kms-v3d",
    ]
)


@pytest.mark.parametrize(
    ("config", "lacks"),
    [
        ("", [I2C, SPI]),
        ("dtparam=i2c_arm=on\ndtparam=spi=on\n", []),
        ("dtparam=i2c_arm=on,spi=on", []),
        ("dtparam=i2c1=on\r\ndtparam=spi\r\n", []),
        ("  dtparam=i2c_arm=on   # for the OLED\ndtparam = spi = on", []),
        ("#dtparam=i2c_arm=on\n", [I2C, SPI]),
        ("dtparam=i2c_arm=on\ndtparam=i2c_arm=off\ndtparam=spi=on", [I2C]),
        ("[pi5]\ndtparam=spi=on\n[all]\ndtparam=i2c_arm=on", [SPI]),
    ],
)
def test_a_line_is_missing_unless_it_holds_for_every_pi(config: str, lacks: list[str]) -> None:
    """Other spellings count; remarks, sections of one model and what a later line takes back do not."""
    assert lacks == missing(config, [I2C, SPI])


def test_overlays_and_other_keys_are_compared_whole() -> None:
    """An overlay with other parameters is another overlay; a key has the value of its last line."""
    wanted = ["dtoverlay=spi0-1cs,no_miso", "enable_uart=0"]
    assert wanted == missing("dtoverlay=spi0-1cs\nenable_uart=0\nenable_uart=1\n", wanted)
    assert [] == missing("enable_uart=0\ndtoverlay=spi0-1cs,no_miso\n", wanted)


@given(st.lists(LINES), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_the_block_comes_out_as_it_went_in(lines: list[str], newline: str, ends: bool) -> None:
    """Byte for byte, but for a newline that the last line lacked; and all our lines hold in it."""
    before = newline.join(lines) + (newline if ends and lines else "")
    after = with_block(before, [I2C, SPI])
    assert [] == missing(after, [I2C, SPI])
    assert after == with_block(after, [I2C, SPI])
    assert before.rstrip("\r\n") == without_block(after).rstrip("\r\n")
    if before.endswith("\n") or not before:
        assert before == without_block(after)


def test_what_was_changed_around_the_block_stays() -> None:
    """Lines before and after are somebody's own; another block takes the place of the first."""
    changed = with_block("a=1\n", [I2C]).replace("a=1", "a=2") + "c=3\n"
    assert "a=2\nc=3\n" == without_block(changed)
    again = with_block(changed, [SPI])
    assert (1, [I2C]) == (again.count(BEGIN), missing(again, [I2C, SPI]))


def test_a_block_without_its_end_is_left_alone() -> None:
    """Nothing of somebody else's is cut away by guessing."""
    torn = with_block("a=1\n", [I2C]).replace(END, "")
    assert torn == without_block(torn)
