"""Profiles: the built-in ones are sound, and a wrong one is refused naming file, key and pin."""

from __future__ import annotations

from pathlib import Path

import pytest
from lastnose.companion.core.errors import NoSuchProfile, ProfileError
from lastnose.companion.wiring.profile import DRIVERS, built_in_profiles, examined, load_profile

from tests.support.profiles import read_profile

# Pin maps as they are wired, from the hardware facts (BCM).
HOME_NOSES = (5, 6, 12, 13, 19, 16, 26, 20)
HOME_SPOONS = (23, 24, 25, 22, 27, 17, 4)
PARTY_NOSES = (5, 6, 12, 13, 19, 16, 26, 20, 21, 17, 27, 22, 4)

KITS = (
    *("home4", "home4-screws", "home6", "home6-screws", "home8", "mock"),
    *("party13", "party13-max", "pico-party", "pico-party-screws"),
)

SMALL = """
name = "small"
board = "pi"
[pins]
noses = [5, 6, 13]
host = 21
"""


def refusal(toml: str) -> str:
    """Return the sentence with which a profile is refused."""
    with pytest.raises(ProfileError) as refused:
        read_profile(toml, "my.toml")
    sentence = str(refused.value)
    assert sentence.startswith("my.toml: ")
    assert sentence.endswith(".")
    return sentence.removeprefix("my.toml: ")


def test_built_in_profiles_are_the_known_kits() -> None:
    """Each is named like its file, and can be read."""
    assert KITS == built_in_profiles()
    for name in built_in_profiles():
        assert name == load_profile(name).name


@pytest.mark.parametrize("seats", [4, 6, 8])
def test_home_kits_are_the_first_noses_and_spoons_of_one_map(seats: int) -> None:
    """A table of four grows to six and eight without moving a wire."""
    pins = load_profile(f"home{seats}").pins
    assert HOME_NOSES[:seats] == pins.noses
    assert HOME_SPOONS[: seats - 1] == pins.spoons
    assert (21, 18) == (pins.host, pins.buzzer)


def test_party13_leaves_console_and_eeprom_alone() -> None:
    """GPIO 0, 1, 14 and 15 have other masters."""
    profile = load_profile("party13")
    assert PARTY_NOSES == profile.pins.noses
    assert set() == {0, 1, 14, 15} & {pin for _, pin in profile.pins.named()}


def test_mock_has_a_nose_for_every_seat_a_game_can_have() -> None:
    """26 noses, 25 spoons and the host button, on 52 different pins of two boards."""
    lines = load_profile("mock").lines
    noses, spoons = [f"nose.{seat}" for seat in range(1, 27)], [f"spoon.{n}" for n in range(1, 26)]
    assert [*noses, *spoons, "host"] == list(lines)
    assert set(range(53)) >= set(lines.values())
    assert 52 == len(set(lines.values()))


def test_lines_are_noses_spoons_docks_and_host_with_their_pins() -> None:
    """Lamps and buzzer are not watched."""
    toml = SMALL + "spoons = [23, 24]\ndocks = [25]\nbuzzer = 18\n"
    noses = {"nose.1": 5, "nose.2": 6, "nose.3": 13}
    others = {"spoon.1": 23, "spoon.2": 24, "dock.1": 25, "host": 21}
    assert noses | others == read_profile(toml, "x").lines
    assert {"nose.1": 5} == read_profile('name="a"\nboard="pi"\npins.noses=[5]', "x").lines


def test_times_are_written_in_microseconds_and_used_in_nanoseconds() -> None:
    """Confirm 1 ms and lockout 20 ms unless the profile says otherwise (law 2)."""
    timing = read_profile(SMALL, "x").timing
    assert (1_000_000, 20_000_000, None) == (timing.confirm_ns, timing.lockout_ns, timing.u_ns)
    timing = read_profile(SMALL + "[timing]\nconfirm_us = 500\nlockout_us = 8000\nu_us = 2.5\n", "x").timing
    assert (500_000, 8_000_000, 2_500) == (timing.confirm_ns, timing.lockout_ns, timing.u_ns)


@pytest.mark.parametrize(
    ("toml", "sentence"),
    [
        (
            SMALL.replace("13", "28"),
            "nose.3 is on GPIO28, but there are only GPIO0–GPIO27.",
        ),
        (
            SMALL.replace("13", "-1"),
            "nose.3 is on GPIO-1, but there are only GPIO0–GPIO27.",
        ),
        (SMALL.replace("13", "5"), "nose.1 and nose.3 are both on GPIO5."),
        (SMALL.replace("21", "6"), "nose.2 and host are both on GPIO6."),
        (SMALL + "buzzer = 13\n", "nose.3 and buzzer are both on GPIO13."),
        (
            SMALL + "leds = {data = 10, clock = 11, latch = 10}\n",
            "led data and led latch are both on GPIO10.",
        ),
        (SMALL + "spoons = [2]\n[oled]\ndriver = 'ssd1306'\n", "spoon.1 and oled SDA are both on GPIO2."),
        (
            SMALL + "docks = [8]\n[oled]\ndriver = 'ssd1306'\ninterface = 'spi'\n",
            "dock.1 and oled select are both on GPIO8.",
        ),
        (SMALL.replace("[5, 6, 13]", "[]"), "pins.noses has 0 pins; a table has 1 to 26 noses."),
        (
            SMALL.replace("[5, 6, 13]", str(list(range(27)))).replace("host = 21", ""),
            "pins.noses has 27 pins; a table has 1 to 26 noses.",
        ),
        (SMALL.replace("noses", "nozes"), "pins.nozes is not a key that is known here."),
        (SMALL.replace("noses = [5, 6, 13]", ""), "pins.noses is missing."),
        (SMALL + "lights = 4\n", "pins.lights is not a key that is known here."),
        (SMALL + "lamps = 4\n", "pins.lamps must be a list, not a whole number."),
        (SMALL + "lamps = [17, 27, 21]\n", "host and lamp.3 are both on GPIO21."),
        (SMALL + "lamps = [17, 27, 40]\n", "lamp.3 is on GPIO40, but there are only GPIO0–GPIO27."),
        (
            SMALL + "lamps = [17, 27]\n",
            "Lamps are wired by pins.leds, or by pins.lamps with a pin for each nose in its order: 3, not 2.",
        ),
        (
            SMALL + "lamps = [17, 27, 22]\nleds = {data = 10, clock = 11, latch = 8}\n",
            "Lamps are wired by pins.leds, or by pins.lamps with a pin for each nose in its order: 3, not 3.",
        ),
        ("colour = 'red'\n" + SMALL, "colour is not a key that is known here."),
        (SMALL.replace("13", '"13"'), "pins.noses[2] must be a whole number, not a text."),
        (SMALL.replace("21", "2.5"), "pins.host must be a whole number, not a decimal number."),
        (SMALL.replace("21", "true"), "pins.host must be a whole number, not true or false."),
        (SMALL.replace('"pi"', '"pine"'), "board cannot be 'pine': mock, pi, pico."),
        (
            SMALL + "[timing]\nconfirm_us = 20000\n",
            (
                "timing.confirm_us is 20000 and timing.lockout_us 20000; "
                "confirming must take more than 0 and less than the lockout."
            ),
        ),
        (SMALL + "[timing]\nu_us = -1\n", "timing.u_us is −1.0; an error cannot be less than 0."),
        (SMALL + "[oled]\nrotate = 5\n", "oled.rotate cannot be 5: 0, 1, 2, 3."),
        (
            SMALL + "leds = {data = 10, clock = 11, latch = 7}\n",
            "led latch is on GPIO7, but the lamps are chained on SPI, which has it on GPIO8.",
        ),
        (
            SMALL + "spoons = [19]\n[oled]\ndriver = 'ssd1306'\ninterface = 'spi'\nspi_port = 1\n"
            "gpio_data_command = 26\ngpio_reset = 27\n",
            "host and oled clock are both on GPIO21.",
        ),
        (
            SMALL.replace("host = 21", "spoons = [19]")
            + "[oled]\ndriver = 'ssd1306'\ninterface = 'spi'\nspi_port = 1\n",
            "spoon.1 is on GPIO19, which SPI bus 1 takes for its MISO.",
        ),
        (
            SMALL + "spoons = [8]\n[oled]\ndriver = 'ssd1306'\ninterface = 'spi'\nspi_device = 1\n",
            "spoon.1 is on GPIO8, which SPI bus 0 takes for its select 0.",
        ),
        (
            SMALL + "[oled]\ndriver = 'ssd1306'\ninterface = 'spi'\nspi_device = 2\n",
            "oled.spi_port 0 has no device 2: SPI 0 has devices 0 and 1, SPI 1 has 0 to 2.",
        ),
        (
            SMALL + "[oled]\ndriver = 'xx'\n",
            "There is no display driver “xx” (oled.driver). Choose none or one of: "
            + ", ".join(DRIVERS)
            + ".",
        ),
        (SMALL + "[oled]\nwidth = 0\n", "oled.width is 0; it goes from 1 to 1024."),
        (SMALL + "[oled]\nheight = -5\n", "oled.height is -5; it goes from 1 to 1024."),
        (SMALL + "[oled]\npage_s = 1e-10\n", "oled.page_s is 1e-10; a page needs some time."),
        (
            SMALL + "[oled]\ndriver = 'ssd1306'\ncontrast = 256\n",
            "oled.contrast is 256; it goes from 0 to 255.",
        ),
        (
            SMALL + "[oled]\ndriver = 'ssd1306'\ni2c_address = 0x300\n",
            "oled.i2c_address is 0x300; it goes from 0x8 to 0x77.",
        ),
        (SMALL + "sync = 6\n", "nose.2 and sync are both on GPIO6."),
        (
            SMALL.replace('"pi"', '"pico"').replace("21", "25"),
            "host is on GP25, but there are only GP0–GP22, GP26–GP28.",
        ),
        (SMALL.replace('"pi"', '"pico"').replace("21", "13"), "nose.3 and host are both on GP13."),
    ],
)
def test_a_wrong_profile_is_refused_naming_file_key_and_pin(toml: str, sentence: str) -> None:
    """One clear sentence each."""
    assert sentence == refusal(toml)


def test_text_that_is_not_toml_is_refused_with_its_place() -> None:
    """The line of the mistake is in the sentence."""
    assert "line 2" in refusal('name = "x"\nboard = \n')


@pytest.mark.parametrize("toml", ["x = " + "[" * 2000, "x = " + "{a=" * 2000, "x = " + "[" * 70 + "]" * 70])
def test_a_profile_nested_without_end_is_refused(toml: str) -> None:
    """Before anything follows it down."""
    assert "nested more than 64 deep" in refusal(toml)


def test_a_profile_can_be_a_file_of_ones_own(tmp_path: Path) -> None:
    """A path works where a built-in name does."""
    path = tmp_path / "mine.toml"
    for encoding in ("utf-8", "utf-8-sig"):  # as editors of Windows begin it
        path.write_text(SMALL, encoding=encoding)
        assert "small" == load_profile(str(path)).name


def test_unknown_profile_lists_the_built_in_ones(tmp_path: Path) -> None:
    """So one sees what could have been meant."""
    with pytest.raises(ProfileError, match=r"no profile “home5”\. Did you mean home\d"):
        load_profile("home5")
    with pytest.raises(ProfileError, match="cannot be read"):
        load_profile(str(tmp_path))


def test_an_unreadable_or_missing_file_is_told_from_a_wrong_one(tmp_path: Path) -> None:
    """The one is a slip of the finger, the other an answer."""
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("board = 3")
    for missing in ("home5", str(tmp_path)):
        with pytest.raises(NoSuchProfile):
            examined(missing)
    assert (None, ["board must be a text, not a whole number."]) == (
        examined(str(wrong))[0],
        [str(problem) for problem in examined(str(wrong))[1]],
    )
    wrong.write_bytes("name = 'é'".encode("latin-1"))
    with pytest.raises(NoSuchProfile, match=r"wrong\.toml cannot be read \(it is not UTF-8\)\.$"):
        examined(str(wrong))


def test_party13_max_has_a_pin_for_everything_and_none_left() -> None:
    """13 noses, 12 spoons, the display's two and the host button are the header's 28."""
    uses = load_profile("party13-max").uses()
    assert list(range(28)) == sorted(use.pin for use in uses)
    assert PARTY_NOSES == load_profile("party13-max").pins.noses


def test_a_pico_has_the_contacts_and_the_pi_beside_it_the_rest() -> None:
    """Noses, spoons and sync are GP numbers; lamps, buzzer and display may have the same on the Pi."""
    profile = load_profile("pico-party")
    pico = {use.pin for use in profile.uses() if use.board == "pico"}
    assert {*range(23), 26, 27, 28} == pico
    assert (tuple(range(13)), 12, 28) == (profile.pins.noses, len(profile.pins.spoons), profile.pins.sync)
    beside = {use.name: use.pin for use in profile.uses() if use.board == "pi"}
    assert {
        "buzzer": 18,
        "led data": 10,
        "led clock": 11,
        "led latch": 8,
        "oled SDA": 2,
        "oled SCL": 3,
    } == beside


@pytest.mark.parametrize("seats", [1, 3, 26])
def test_mock_of_any_size_has_a_nose_a_seat_and_a_spoon_less(seats: int) -> None:
    """`mock:N`; more than a table can have is refused like any profile."""
    lines = load_profile(f"mock:{seats}").lines
    noses = [f"nose.{seat}" for seat in range(1, seats + 1)]
    spoons = [f"spoon.{place}" for place in range(1, seats)]
    assert [*noses, *spoons, "host"] == list(lines)
    assert len(lines) == len(set(lines.values()))


@pytest.mark.parametrize("seats", [0, 27])
def test_mock_of_an_impossible_size_is_refused(seats: int) -> None:
    """None, or more than 26."""
    with pytest.raises(ProfileError, match=f"pins.noses has {seats} pins"):
        load_profile(f"mock:{seats}")


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("home4", ["dtparam=i2c_arm=on", "dtparam=spi=on"]),
        ("home8", ["dtparam=i2c_arm=on", "dtparam=spi=on"]),
        ("party13", ["dtparam=i2c_arm=on", "dtparam=spi=on", "dtoverlay=spi0-1cs,no_miso"]),
        (
            "party13-max",
            ["dtparam=i2c_arm=on", "enable_uart=0", "force_eeprom_read=0", "disable_poe_fan=1"],
        ),
        ("pico-party", ["dtparam=i2c_arm=on", "dtparam=spi=on"]),
        ("mock", []),
    ],
)
def test_config_txt_gets_what_the_pins_need(name: str, lines: list[str]) -> None:
    """As the hardware facts have it for each kit."""
    assert lines == load_profile(name).config_lines()


def test_only_party13_max_needs_care() -> None:
    """The other kits have no warning."""
    careful = [name for name in built_in_profiles() if load_profile(name).warnings()]
    assert ["party13-max"] == careful


def test_an_i2c_bus_whose_pins_are_not_known_is_said() -> None:
    """Buses 3 to 6 have other pins on each Pi."""
    (warning,) = read_profile(SMALL + "[oled]\ndriver = 'ssd1306'\ni2c_port = 4\n", "x").warnings()
    assert "oled.i2c_port is 4" in str(warning)


def test_a_lamp_on_a_pin_that_is_pulled_up_at_start_is_named() -> None:
    """The drivers behind it need next to nothing; it works, so it is no problem."""
    profile = read_profile(SMALL + "lamps = [17, 4, 22]\n", "x")
    (warning,) = profile.warnings()
    assert str(warning).startswith("lamp.2 is on GPIO4, which is pulled up at start: a lamp glows, ")


def test_lamps_of_a_box_hang_on_the_pi_that_listens_to_it() -> None:
    """GPIO17 of the Pi beside GP17 of the Pico: no clash."""
    toml = 'name="a"\nboard="pico"\npins.noses=[16, 17]\npins.lamps=[17, 16]\n'
    boards = [(use.name, use.board) for use in read_profile(toml, "x").uses()]
    assert [("nose.1", "pico"), ("nose.2", "pico"), ("lamp.1", "pi"), ("lamp.2", "pi")] == boards
