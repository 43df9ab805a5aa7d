"""The table's own Wi-Fi: its file, what cannot be a network, and what a phone's camera reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from lastnose.companion.config.settings import Wifi, read_wifi
from lastnose.companion.core.errors import BadInput

GOOD = 'ssid = "Last Nose"\npassword = "abcdefgh"\naddress = "10.42.7.1"\n'


def test_a_file_says_name_password_and_address(tmp_path: Path) -> None:
    """The address may be missing."""
    file = tmp_path / "wifi.toml"
    file.write_text(GOOD)
    assert Wifi("Last Nose", "abcdefgh", "10.42.7.1") == read_wifi(file)
    file.write_text('ssid = "É"\npassword = "12345678"\n')
    assert Wifi("É", "12345678") == read_wifi(file)


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("ssid =", "it is not valid TOML"),
        ("ssid = " + "[" * 2000, "it is nested more than 64 deep"),
        ("ssid = " + "9" * 5000, "it is not valid TOML"),
        ('ssid = "x"\n', "password is missing"),
        (GOOD + "hidden = true\n", "hidden is not a key"),
        (GOOD.replace("Last Nose", ""), "1 to 32 bytes"),
        (GOOD.replace("Last Nose", "é" * 17), "1 to 32 bytes"),
        (GOOD.replace("abcdefgh", "abcdefg"), "8 to 63"),
        (GOOD.replace("abcdefgh", "a" * 64), "8 to 63"),
        (GOOD.replace("abcdefgh", "äbcdefgh"), "8 to 63"),
        (GOOD.replace("10.42.7.1", "10.42.7"), "10.42.7 is no IPv4 address"),
    ],
)
def test_what_no_phone_could_join_is_refused_with_the_file(tmp_path: Path, says: str, why: str) -> None:
    """One sentence."""
    file = tmp_path / "wifi.toml"
    file.write_text(says)
    with pytest.raises(BadInput) as refused:
        read_wifi(file)
    assert str(file) in str(refused.value)
    assert why in str(refused.value)


def test_a_missing_file_is_refused_too(tmp_path: Path) -> None:
    """With its name."""
    with pytest.raises(BadInput, match=r"wifi\.toml cannot be read"):
        read_wifi(tmp_path / "wifi.toml")
