"""The files for a blank card: read as the first start reads them, and every command is one that there is."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from lastnose import companion

from tests.support.commands import lastnose
from tools import deb
from tools.card import card_files, write_zip

FILES = card_files("lastnose_1_arm64.deb", "home6", "FR", "fr")


def commands() -> list[list[str]]:
    """Return what the first start runs: each line of runcmd is a list, quoted or not."""
    lines = [
        line.strip()[3:-1].split(", ") for line in FILES["user-data"].splitlines() if line.startswith("  - [")
    ]
    return [[json.loads(word) if word.startswith('"') else word for word in line] for line in lines]


def test_the_first_start_sets_the_country_before_the_package_and_the_package_before_the_table() -> None:
    """Without a country the Wi-Fi is blocked; without the package there is no lastnose."""
    assert [
        ["raspi-config", "nonint", "do_wifi_country", "FR"],
        ["dpkg", "--install", "/boot/firmware/lastnose_1_arm64.deb"],
        ["lastnose", "setup-pi", "--profile", "home6", "--access-point", "--lang", "fr", "--yes"],
    ] == commands()
    assert FILES["user-data"].startswith("#cloud-config\n")


def test_its_last_command_is_one_that_lastnose_takes(tmp_path: Path) -> None:
    """Tried below a folder that looks like a Pi: the Wi-Fi's files are written, nobody is asked."""
    for name, content in {
        "proc/device-tree/model": "Raspberry Pi 5\0",
        "boot/firmware/config.txt": "[all]\n",
        "etc/NetworkManager/x": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    done = lastnose(*commands()[-1][1:], "--root", str(tmp_path))
    assert 0 == done.exit_code, done.output
    assert (tmp_path / "etc/NetworkManager/system-connections/lastnose.nmconnection").is_file()
    assert "dtparam=i2c_arm=on" in (tmp_path / "boot/firmware/config.txt").read_text()


@pytest.mark.parametrize(
    ("profile", "country", "language", "says"),
    [
        ("home7", "FR", "fr", "home6"),
        ("home6", "France", "fr", "two letters"),
        ("home6", "FR", "xx", "say en"),
    ],
)
def test_what_the_pi_could_not_use_is_refused_at_once(
    profile: str, country: str, language: str, says: str
) -> None:
    """On the laptop, not at the party."""
    with pytest.raises(ValueError, match=says):
        card_files("x.deb", profile, country, language)


def test_the_package_has_the_name_that_user_data_gives() -> None:
    """Debian's: name, version, machine."""
    assert f"lastnose_{companion.__version__}_arm64.deb" == deb.package_name("arm64")


def test_a_releases_card_names_the_releases_package_and_is_the_same_each_time(tmp_path: Path) -> None:
    """Country and profile are changed in the file itself, which says so."""
    first, second = write_zip(tmp_path), tmp_path / "again"
    second.mkdir()
    assert first.read_bytes() == write_zip(second).read_bytes()
    with zipfile.ZipFile(first) as archive:
        assert ["user-data", "network-config", "meta-data"] == archive.namelist()
        said = archive.read("user-data").decode()
    assert f'dpkg, --install, "/boot/firmware/{deb.package_name("arm64")}"]' in said
    assert 'do_wifi_country, "FR"]' in said
