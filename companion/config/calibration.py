"""What the self-test has measured of a table, kept in the data folder, a file for each profile and source.

`lastnose selftest --wired` measures how late interrupt threads are; with another kernel or machine that
counts no more.
"""

from __future__ import annotations

import platform
from pathlib import Path

import msgspec

from companion.config.settings import RunSettings
from companion.core.decode import decode_json
from companion.core.errors import BadInput, Malformed, reason
from companion.core.text import text

FOLDER = "calibration"
MODEL = Path("/proc/device-tree/model")


class Lateness(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How late interrupt threads were (µs): the latest of so many events under load, and what to declare."""

    machine: str
    events: int
    most_us: float
    late_us: float


class Calibration(msgspec.Struct, frozen=True):
    """What has been measured `at` (ISO 8601), by which version of Last Nose; older ones say more."""

    profile: str
    source: str
    at: str = ""
    version: str = ""
    lateness: Lateness | None = None


def machine_name() -> str:
    """Return what interrupt threads depend on: the machine and its kernel."""
    try:
        model = MODEL.read_text(encoding="utf-8", errors="replace").strip("\0\n")
    except OSError:
        model = f"{platform.node()} {platform.machine()}"
    return f"{model}, {platform.system()} {platform.release()}"


def calibration_file(data_dir: Path, profile: str, source: str) -> Path:
    """Return the file of a profile and source.

    >>> calibration_file(Path("data"), "home6", "gpiochip").as_posix()
    'data/calibration/home6.gpiochip.json'
    """
    name = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in Path(profile).stem)
    return data_dir / FOLDER / f"{name}.{source}.json"


def load_calibration(data_dir: Path, profile: str, source: str) -> Calibration:
    """Return what has been measured, an empty one when nothing has; raise BadInput when it cannot be read."""
    path = calibration_file(data_dir, profile, source)
    try:
        return decode_json(path.read_bytes(), Calibration)
    except FileNotFoundError:
        return Calibration(profile, source)
    except (OSError, Malformed) as problem:
        why = problem.text if isinstance(problem, Malformed) else str(problem)
        raise BadInput(
            text(
                "{path} cannot be read ({reason}): delete it, and measure again.", path=str(path), reason=why
            )
        ) from None


def save_calibration(data_dir: Path, made: Calibration) -> Path:
    """Write *made* in place of what was known, whole or not at all; raise BadInput."""
    path = calibration_file(data_dir, made.profile, made.source)
    draft = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n")
        draft.replace(path)
    except OSError as error:
        raise BadInput(
            text("{path} cannot be written ({reason}).", path=str(path), reason=reason(error))
        ) from None
    return path


def calibrated(settings: RunSettings, machine: str) -> RunSettings:
    """Return *settings* with what was measured on this *machine*; what the profile says comes first."""
    known = load_calibration(settings.data_dir, settings.profile.name, settings.source)
    found, profile = known.lateness, settings.profile
    if found is not None and found.machine == machine and profile.timing.late_us is None:
        timing = msgspec.structs.replace(profile.timing, late_us=found.late_us)
        profile = msgspec.structs.replace(profile, timing=timing)
    return msgspec.structs.replace(settings, profile=profile)
