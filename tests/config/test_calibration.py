"""What the self-test has measured is kept for each profile and source, and counts where it may."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import msgspec
import pytest
from lastnose.companion.config.settings import (
    Calibration,
    Lateness,
    RunSettings,
    calibrated,
    calibration_file,
    load_calibration,
    save_calibration,
)
from lastnose.companion.core.errors import BadInput
from lastnose.companion.wiring.profile import load_profile

HERE = "Pi 4, Linux 6.6"
LATE = Lateness(HERE, events=5_000, most_us=420.0, late_us=840.0)


def settings_of(tmp_path: Path, known: Calibration | None = None) -> RunSettings:
    """Return the settings of a table of home4 of which so much is known."""
    if known is not None:
        save_calibration(tmp_path, known)
    return RunSettings(source="gpiochip", profile=load_profile("home4"), data_dir=tmp_path)


def test_what_was_measured_is_read_back_and_an_older_file_too(tmp_path: Path) -> None:
    """An older one has the spread of buttons as well, which counts no more."""
    known = Calibration("home4", "gpiochip", lateness=LATE)
    path = save_calibration(tmp_path, known)
    assert calibration_file(tmp_path, "home4", "gpiochip") == path
    assert known == load_calibration(tmp_path, "home4", "gpiochip")
    assert Calibration("home4", "mock") == load_calibration(tmp_path, "home4", "mock")
    older = msgspec.json.decode(path.read_bytes())
    older["spread"] = [{"line": "nose.2", "against": "nose.1", "presses": 60, "median_us": 1, "bound_us": 2}]
    path.write_bytes(msgspec.json.encode(older))
    assert known == load_calibration(tmp_path, "home4", "gpiochip")


def test_lateness_counts_on_the_machine_it_was_measured_on_and_never_over_the_profile(tmp_path: Path) -> None:
    """Another kernel, and nothing is known any more: five milliseconds, as before."""
    settings = settings_of(tmp_path, Calibration("home4", "gpiochip", lateness=LATE))
    assert settings.profile.timing.late_ns is None
    assert 840_000 == calibrated(settings, HERE).profile.timing.late_ns
    assert calibrated(settings, "Pi 5, Linux 6.12").profile.timing.late_ns is None
    timing = msgspec.structs.replace(settings.profile.timing, late_us=99.0)
    own = msgspec.structs.replace(settings, profile=msgspec.structs.replace(settings.profile, timing=timing))
    assert 99_000 == calibrated(own, HERE).profile.timing.late_ns


@pytest.mark.parametrize("raw", [b"", b"[", b'{"profile":1}', b'{"profile":"a","source":"b","at":1}'])
def test_a_damaged_calibration_is_named_and_not_guessed(tmp_path: Path, raw: bytes) -> None:
    """One sentence that says what to do."""
    path = calibration_file(tmp_path, "home4", "gpiochip")
    path.parent.mkdir()
    path.write_bytes(raw)
    with pytest.raises(BadInput, match=r"home4\.gpiochip\.json is damaged \(.*\)\. Delete it"):
        calibrated(settings_of(tmp_path), HERE)


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such rights there")
def test_a_calibration_is_for_its_owner_only_however_lax_the_mask(tmp_path: Path) -> None:
    """Also in place of one that all could read, and beside a draft that was left behind."""
    mask = os.umask(0)
    try:
        path = save_calibration(tmp_path, Calibration("home4", "gpiochip"))
        path.chmod(0o644)
        path.with_suffix(".new").write_text("left behind")
        assert path == save_calibration(tmp_path, Calibration("home4", "gpiochip", lateness=LATE))
    finally:
        os.umask(mask)
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert [path] == [*path.parent.iterdir()]
    owners = {(file.stat().st_uid, file.stat().st_gid) for file in (tmp_path, path.parent, path)}
    assert 1 == len(owners), "the table that reads it owns the folder"


def test_a_calibration_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A file stands where its folder should be."""
    (tmp_path / "calibration").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        save_calibration(tmp_path, Calibration("home4", "gpiochip"))
