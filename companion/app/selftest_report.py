"""The report of a self-test with when, where and on what it was made, and its files."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec

from companion import __version__
from companion.config.calibration import Lateness, load_calibration, machine_name, save_calibration
from companion.config.settings import SIMULATED, RunSettings, on_a_pi
from companion.core.errors import BadInput, reason
from companion.core.text import Text, text
from companion.selftest.course import Course
from companion.selftest.report import as_html, as_json

Form = Literal["html", "json"]
Speak = Callable[[Text], str]
MODEL = Path("/proc/device-tree/model")
SERIAL = Path("/proc/device-tree/serial-number")

_HEADS: dict[str, Text] = {
    "at": text("when"),
    "source": text("source"),
    "serial": text("serial number"),
    "firmware": text("firmware"),
    "machine": text("machine"),
    "version": text("Last Nose"),
    "faults": text("devices"),
}


def about(
    settings: RunSettings, boxes: Sequence[tuple[str, str]], faults: Sequence[Text], speak: Speak
) -> dict[str, str]:
    """Return when, where and with what it is tested now, and what devices complained of.

    Of *boxes* with serial numbers and firmware, or of this machine's pins.
    """
    real = on_a_pi()
    name = _read(MODEL) if real else platform.node()
    pins = (_read(SERIAL) if real and settings.source not in SIMULATED else "", "")
    serial, firmware = (", ".join(dict.fromkeys(one)) for one in zip(*(boxes or (pins,)), strict=True))
    return {
        "at": datetime.now().astimezone().isoformat(timespec="seconds"),
        "source": settings.source,
        "serial": serial,
        "firmware": firmware,
        "machine": f"{name}, {platform.system()} {platform.release()}, Python {platform.python_version()}",
        "version": __version__,
        "faults": " ".join(dict.fromkeys(speak(fault) for fault in faults)),
    }


def written(course: Course, facts: dict[str, str], speak: Speak, language: str) -> dict[Form, bytes]:
    """Return the report for people and for programs."""
    heads = [(_HEADS[key], value) for key, value in facts.items() if value]
    data = msgspec.json.encode(as_json(course, speak, **facts))
    return {
        "html": as_html(course, speak, heads, language).encode(),
        "json": msgspec.json.format(data, indent=2) + b"\n",
    }


def keep(folder: Path, course: Course, facts: dict[str, str], speak: Speak, language: str) -> list[Path]:
    """Write the report into *folder*, named after time and profile; raise BadInput when that fails."""
    profile = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in course.plan.profile)
    stem = f"{facts['at'][:19].replace(':', '-')}-{profile}"
    paths = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for form, content in written(course, facts, speak, language).items():
            paths.append(folder / f"{stem}.{form}")
            paths[-1].write_bytes(content)
    except OSError as error:
        raise BadInput(
            text("{path} cannot be written ({reason}).", path=str(folder), reason=reason(error))
        ) from None
    return paths


def _read(path: Path) -> str:
    """Return what the device tree says, nothing where it does not."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n")
    except OSError:
        return ""


def keep_calibration(settings: RunSettings, course: Course, at: str) -> Path | None:
    """Write what *course* has measured into the table's calibration; return its file, None when nothing was.

    Raises BadInput.
    """
    late_ns, lag = course.lag.late_ns, course.lag
    if late_ns is None:
        return None
    lateness = Lateness(machine_name(), lag.load, max(lag.rest_ns, lag.load_ns) / 1_000, late_ns / 1_000)
    known = load_calibration(settings.data_dir, settings.profile.name, settings.source)
    made = msgspec.structs.replace(known, lateness=lateness, at=at, version=__version__)
    return save_calibration(settings.data_dir, made)
