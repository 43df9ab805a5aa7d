"""What the self-test has measured is kept for each profile and source, and counts where it may."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.config.calibration import (
    ButtonSpread,
    Calibration,
    Lateness,
    calibrated,
    calibration_file,
    load_calibration,
    save_calibration,
)
from companion.config.settings import RunSettings
from companion.core.errors import BadInput
from companion.wiring.profile import load_profile

HERE = "Pi 4, Linux 6.6"
LATE = Lateness(HERE, events=5_000, most_us=420.0, late_us=840.0)


def apart(line: str, bound_us: float, against: str = "nose.1") -> ButtonSpread:
    """Return a spread of a nose's button."""
    return ButtonSpread(line, against, presses=60, median_us=10.0, bound_us=bound_us)


def settings_of(tmp_path: Path, known: Calibration | None = None) -> RunSettings:
    """Return the settings of a table of home4 of which so much is known."""
    if known is not None:
        save_calibration(tmp_path, known)
    return RunSettings(source="gpiochip", profile=load_profile("home4"), data_dir=tmp_path)


def test_what_was_measured_is_read_back_and_newer_figures_take_its_place(tmp_path: Path) -> None:
    """Nose by nose; measured against another nose, the older ones would mean something else and go."""
    known = Calibration("home4", "gpiochip").measured([apart("nose.2", 900), apart("nose.3", 400)], LATE)
    assert calibration_file(tmp_path, "home4", "gpiochip") == save_calibration(tmp_path, known)
    again = load_calibration(tmp_path, "home4", "gpiochip")
    assert known == again
    newer = again.measured([apart("nose.3", 300)], None)
    assert {"nose.1": 0, "nose.2": 900_000, "nose.3": 300_000} == newer.bounds_ns
    assert newer.lateness == LATE
    other = newer.measured([apart("nose.1", 500, against="nose.4")], None)
    assert {"nose.1": 500_000, "nose.4": 0} == other.bounds_ns
    assert Calibration("home4", "mock") == load_calibration(tmp_path, "home4", "mock")


def test_lateness_counts_on_the_machine_it_was_measured_on_and_never_over_the_profile(tmp_path: Path) -> None:
    """Another kernel, and nothing is known any more: five milliseconds, as before."""
    settings = settings_of(tmp_path, Calibration("home4", "gpiochip", lateness=LATE))
    assert settings.profile.timing.late_ns is None
    assert 840_000 == calibrated(settings, "contacts", HERE).profile.timing.late_ns
    assert calibrated(settings, "contacts", "Pi 5, Linux 6.12").profile.timing.late_ns is None
    timing = msgspec.structs.replace(settings.profile.timing, late_us=99.0)
    own = msgspec.structs.replace(settings, profile=msgspec.structs.replace(settings.profile, timing=timing))
    assert 99_000 == calibrated(own, "contacts", HERE).profile.timing.late_ns


def test_hands_are_judged_only_where_every_button_was_measured(tmp_path: Path) -> None:
    """home4 has four noses; what is missing is named."""
    some = Calibration("home4", "gpiochip").measured([apart("nose.2", 900), apart("nose.3", 400)], None)
    settings = settings_of(tmp_path, some)
    assert calibrated(settings, "contacts", HERE).buttons_ns is None
    with pytest.raises(BadInput, match=r"--judge hands: .* nose\.4"):
        calibrated(settings, "hands", HERE)
    save_calibration(tmp_path, some.measured([apart("nose.4", 0.5)], None))
    assert {"nose.1": 0, "nose.2": 900_000, "nose.3": 400_000, "nose.4": 500} == calibrated(
        settings, "hands", HERE
    ).buttons_ns


@pytest.mark.parametrize("raw", [b"", b"[", b'{"profile":1}', b'{"profile":"a","source":"b","more":1}'])
def test_a_damaged_calibration_is_named_and_not_guessed(tmp_path: Path, raw: bytes) -> None:
    """One sentence that says what to do."""
    path = calibration_file(tmp_path, "home4", "gpiochip")
    path.parent.mkdir()
    path.write_bytes(raw)
    with pytest.raises(
        BadInput, match=r"home4\.gpiochip\.json cannot be read \(.*\): delete it, and measure again"
    ):
        calibrated(settings_of(tmp_path), "contacts", HERE)


def test_a_calibration_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A file stands where its folder should be."""
    (tmp_path / "calibration").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        save_calibration(tmp_path, Calibration("home4", "gpiochip"))
