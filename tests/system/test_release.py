"""A release: what belongs together agrees, and its wheel works far from any checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from companion import __version__
from tests.support.two_commands import answers
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


def installed(wheel: Path, home: Path) -> Path:
    """Install *wheel* with the locked packages into a fresh environment, and return its program."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    for what in (("--require-hashes", f"-r{release.ROOT / 'requirements.lock'}"), ("--no-deps", str(wheel))):
        uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-config"]
        subprocess.run(
            [*uv, "--python", str(home / "bin/python"), "--only-binary", ":all:", *what], check=True
        )
    return home / "bin/lastnose"


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


@pytest.mark.heavy
def test_the_wheel_runs_in_another_folder(tmp_path: Path) -> None:
    """Fresh, from the locks: version, a simulated table's page, its evening as JSON, and a measurement."""
    home = tmp_path / "elsewhere"
    program = installed(deb.make_wheel(tmp_path), home)
    plain = {"HOME": str(tmp_path), "PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1"}

    def says(*words: str) -> str:
        told = subprocess.run(
            [program, *words], cwd=home, env=plain, capture_output=True, text=True, check=False
        )
        assert (0, False) == (told.returncode, "Traceback" in told.stderr), words
        return told.stdout

    assert f"lastnose {__version__}\n" == says("--version")
    data = ("--data", str(tmp_path / "data"))
    words = [program, "run", "--source", "mock", "--port", "0", *data]
    with subprocess.Popen(words, cwd=home, env=plain, stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        line = next(line for line in table.stdout if "http://" in line)
        try:
            assert answers(line[line.index("http://") :].split()[0])
        finally:
            table.terminate()
    assert 1 == json.loads(says("export", "--json", *data))["evening"]
