"""A release: what belongs together agrees; the files for a blank card are read as the first start does."""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from lastnose import companion
from lastnose.companion import __version__

from tests.support.commands import lastnose
from tools import deb, release
from tools.card import card_files, main, manifest, write_zip


def test_version_and_changelog_agree() -> None:
    """So that `make release` works at any commit."""
    assert __version__ == release.declared_version((release.ROOT / "pyproject.toml").read_text())
    assert release.section((release.ROOT / "CHANGELOG.md").read_text(), __version__)


@pytest.mark.parametrize(
    "changelog", ["", "## 1.0.1\n\n- x\n", "## 1.0\n\n## 0.9\n\n- x\n", "## 100\n\n- x\n"]
)
def test_a_release_without_its_own_words_is_refused(changelog: str) -> None:
    """Another version's, or none: a sentence says what to write."""
    with pytest.raises(ValueError, match="write what a player notices"):
        release.section(changelog, "1.0")


def test_the_checksums_are_those_that_sha256sum_reads(tmp_path: Path) -> None:
    """Of an empty file: the well-known figure."""
    (tmp_path / "b").write_bytes(b"")
    assert "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n" == release.checksums(
        tmp_path, ["b"]
    )


def test_the_program_knows_the_day_that_its_changelog_has() -> None:
    """By it the doctor sees that a clock is years behind."""
    told = (Path(release.ROOT) / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {__version__} ({companion.RELEASED})\n" in told


@pytest.mark.heavy
def test_the_source_builds_the_wheel_again(tmp_path: Path) -> None:
    """Unpacked elsewhere, without git: the same files."""
    wheel, source = deb.make_wheel(tmp_path), release.make_source(tmp_path)
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = tmp_path / f"lastnose-{__version__}"
    again = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "again")]
    subprocess.run(again, cwd=unpacked, check=True, capture_output=True)
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(tmp_path / "again" / wheel.name) as second:
        assert sorted(first.namelist()) == sorted(second.namelist())


def test_booklets_and_prints_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    """A booklet in each language, an STL of each part: a release built again has the same checksums."""
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    one, two = (release.write_booklets(tmp_path / folder, ["home4-screws"]) for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as archive:
        assert [f"home4-screws-{language}.html" for language in ("en", "fr", "bs")] == archive.namelist()
        assert b'<html lang="bs">' in archive.read("home4-screws-bs.html")
    prints = tmp_path / "prints"
    prints.mkdir()
    for name in ("b.stl", "a.stl"):
        (prints / name).write_bytes(name.encode())
    one, two = (release.zip_prints(prints, tmp_path / folder / "p.zip") for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as archive:
        assert {"a.stl": b"a.stl", "b.stl": b"b.stl"} == {
            name: archive.read(name) for name in archive.namelist()
        }


HALL = "/boot/firmware/lastnose-hall_1_arm64.deb"
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
        [
            "sh",
            "-c",
            f"test ! -e {HALL} || dpkg --install {HALL}",
        ],
        ["lastnose", "setup-pi", "--profile", "home6", "--access-point", "--lang", "fr", "--yes"],
    ] == commands()
    assert FILES["user-data"].startswith("#cloud-config\n")


def test_imager_is_offered_the_very_image_that_is_there(tmp_path: Path) -> None:
    """Every field that Imager's schema requires, of its type; settings of Imager's own are off.

    Source: rpi-imager doc/json-schema/os-list-schema.json. The checksum is that of abc (FIPS 180).
    """
    image = tmp_path / "2026-10-01-raspios-trixie-arm64-lite.img.xz"
    image.write_bytes(lzma.compress(b"abc"))
    (entry,) = manifest(image)["os_list"]
    texts = {"name", "description", "icon", "url", "extract_sha256", "release_date"}
    assert texts | {"extract_size", "image_download_size", "devices"} <= set(entry), (
        "what the schema requires"
    )
    assert texts | {"init_format", "architecture"} == {key for key, v in entry.items() if isinstance(v, str)}
    assert "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" == entry["extract_sha256"]
    assert (3, image.stat().st_size, "2026-10-01", "none") == (
        entry["extract_size"],
        entry["image_download_size"],
        entry["release_date"],
        entry["init_format"],
    )
    assert entry["url"].startswith("file:///")
    assert ["pi5-64bit", "pi4-64bit", "pi3-64bit"] == entry["devices"]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("2026-10-01-raspios-trixie-arm64-lite.img.xz", b"half a file", "download it once more"),
        ("2026-10-01-raspios-trixie-arm64-lite.img.xz", lzma.compress(b"abc")[:-4], "download it once more"),
        ("2026-10-01-raspios-bookworm-arm64-lite.img.xz", b"", "of Debian 13"),
    ],
)
def test_an_image_that_would_not_do_is_refused(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    """Damaged, cut off, of another Debian: nothing is written."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=says):
        manifest(tmp_path / name)
    assert 2 == main([str(tmp_path / "card"), "home6", "FR", "--image", str(tmp_path / name)])
    assert not (tmp_path / "card").exists()


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
        ("home6", "UK", "en", "UK: .* as FR, GB or BA"),
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
