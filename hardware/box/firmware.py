"""The files for the Pico, and their pure ones as modules: the simulated box runs the real firmware."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import companion
from companion.core.errors import DeviceError
from companion.core.text import text

FILES = (
    "frames.py",
    "program.py",
    "ring.py",
    "relation.py",
    "plain.py",
    "quick.py",
    "box.py",
    "sampler.py",
    "main.py",
)


def folder() -> Path:
    """Return the folder with the firmware, of a checkout or of an installed package; raise DeviceError."""
    package = Path(companion.__file__).parent
    for place in (package.parent / "firmware", package / "firmware"):
        if (place / "box.py").exists():
            return place
    raise DeviceError(text("The firmware’s files are not where they belong: install Last Nose again."))


@cache
def load(name: str) -> Any:
    """Return the pure firmware module *name* (`frames`, `box`, `ring` and so on) as it runs on the Pico."""
    return load_with(name, {}, {})


def load_with(name: str, modules: Mapping[str, ModuleType], names: Mapping[str, object]) -> Any:
    """Return firmware module *name*, run with *modules* to import from and *names* as if built in."""
    path = folder() / f"{name}.py"
    source = path.read_text(encoding="utf-8")
    module = ModuleType(f"firmware_{name}")
    needs = [other for other in ("frames", "program", "plain") if f"\nimport {other}\n" in source]
    given = {**modules, **{other: load(other) for other in needs}}
    before = {other: sys.modules.get(other) for other in given}
    module.__dict__.update(names)
    try:
        sys.modules.update(given)
        exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    finally:
        for other, former in before.items():
            if former is None:
                del sys.modules[other]
            else:
                sys.modules[other] = former
    return module


def version() -> tuple[int, int, int]:
    """Return the version of the firmware that comes with this package."""
    major, minor, patch = load("box").VERSION
    return major, minor, patch
