"""A release: what belongs together agrees; that it runs far from any checkout is tried in clean Debians."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from lastnose.companion import __version__

from tools import deb, release


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
