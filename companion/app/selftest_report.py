"""The report of a self-test with when, where and on what it was made, and its files."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec

from companion import __version__
from companion.config.calibration import (
    ButtonSpread,
    Lateness,
    load_calibration,
    machine_name,
    save_calibration,
)
from companion.config.settings import SIMULATED, RunSettings, on_a_pi
from companion.core.errors import BadInput, reason
from companion.core.text import Text, text
from companion.selftest.course import Course
from companion.selftest.report import as_json, as_markdown
from companion.views.certificate import Identity
from companion.views.document import Document, as_html
from companion.views.pdf import as_pdf

Form = Literal["md", "json"]
Speak = Callable[[Text], str]
MODEL = Path("/proc/device-tree/model")
SERIAL = Path("/proc/device-tree/serial-number")

_HEADS: dict[str, Text] = {
    "at": text("when"),
    "source": text("source"),
    "machine": text("machine"),
    "version": text("Last Nose"),
    "faults": text("devices"),
}


def about(settings: RunSettings, faults: Sequence[Text], speak: Speak) -> dict[str, str]:
    """Return when, where and with what it is tested now, and what devices complained of."""
    name = MODEL.read_text(encoding="utf-8", errors="replace").strip("\0\n") if on_a_pi() else platform.node()
    return {
        "at": datetime.now().astimezone().isoformat(timespec="seconds"),
        "source": settings.source,
        "machine": f"{name}, {platform.system()} {platform.release()}, Python {platform.python_version()}",
        "version": __version__,
        "faults": " ".join(dict.fromkeys(speak(fault) for fault in faults)),
    }


def written(course: Course, facts: dict[str, str], speak: Speak) -> dict[Form, bytes]:
    """Return the report for people and for programs."""
    heads = [(_HEADS[key], value) for key, value in facts.items() if value]
    data = msgspec.json.encode(as_json(course, speak, **facts))
    return {
        "md": as_markdown(course, speak, heads).encode(),
        "json": msgspec.json.format(data, indent=2) + b"\n",
    }


def keep(folder: Path, course: Course, facts: dict[str, str], speak: Speak) -> list[Path]:
    """Write the report into *folder*, named after time and profile; raise BadInput when that fails."""
    profile = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in course.plan.profile)
    stem = f"{facts['at'][:19].replace(':', '-')}-{profile}"
    paths = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for form, content in written(course, facts, speak).items():
            paths.append(folder / f"{stem}.{form}")
            paths[-1].write_bytes(content)
    except OSError as error:
        raise BadInput(
            text("{path} cannot be written ({reason}).", path=str(folder), reason=reason(error))
        ) from None
    return paths


def identity_of(settings: RunSettings, boxes: Sequence[tuple[str, str]], facts: dict[str, str]) -> Identity:
    """Return what a certificate is of: *boxes* with serial numbers and firmware, or this machine's pins."""
    serial, firmware = "", ""
    if boxes:
        serial, firmware = (", ".join(dict.fromkeys(one)) for one in zip(*boxes, strict=True))
    elif settings.source not in SIMULATED and on_a_pi():
        serial, firmware = _read(SERIAL), f"{platform.system()} {platform.release()}"
    return Identity(serial, firmware, settings.source, facts["machine"], facts["version"], facts["at"])


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
    spread = [
        ButtonSpread(
            one.line, one.against, one.found.pairs, one.found.median_ns / 1_000, one.bound_ns / 1_000
        )
        for one in course.apart.values()
        if one.bound_ns is not None
    ]
    late_ns, lag = course.lag.late_ns, course.lag
    lateness = None
    if late_ns is not None:
        most_ns = max(lag.rest_ns, lag.load_ns)
        lateness = Lateness(machine_name(), lag.load, most_ns / 1_000, late_ns / 1_000)
    if not spread and lateness is None:
        return None
    known = load_calibration(settings.data_dir, settings.profile.name, settings.source)
    made = msgspec.structs.replace(known.measured(spread, lateness), at=at, version=__version__)
    return save_calibration(settings.data_dir, made)


def keep_certificate(path: Path, document: Document) -> None:
    """Write *document* to a file that ends in .pdf or .html; raise BadInput."""
    try:
        path.write_bytes(as_pdf(document) if path.suffix.lower() == ".pdf" else as_html(document))
    except OSError as error:
        raise BadInput(
            text("{path} cannot be written ({reason}).", path=str(path), reason=reason(error))
        ) from None
