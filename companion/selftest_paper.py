"""The report of a self-test with when, where and on what it was made, and its files."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec

from companion import __version__
from companion.config import RunSettings, on_a_pi
from companion.errors import BadInput
from companion.selftest.course import Course
from companion.selftest.report import as_json, as_markdown
from companion.text import Text, text

Form = Literal["md", "json"]
Speak = Callable[[Text], str]
MODEL = Path("/proc/device-tree/model")

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
            text("{path} cannot be written ({reason}).", path=str(folder), reason=str(error))
        ) from None
    return paths
