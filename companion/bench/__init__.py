"""What Last Nose costs on this machine: speed, memory and timing error, as figures with their aims.

A group of figures is a module with one function `measure`; `GROUPS` names them in the order in which
`lastnose bench` prints them. A group that needs what is not there is a note that says so, never a figure.
A wheel has only those that measure the machine it is installed on (pyproject.toml).
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from companion import __version__
from companion.bench.figures import BenchPlan, FigureGroup
from companion.core.errors import BadInput, DeviceError, reason
from companion.core.text import Text, text, texts

GROUPS: dict[str, Text] = {
    "stamps": text("Stamps by this machine’s clock"),
    "edges": text("Edges: debounce and judge"),
    "campaign": text("Simulated evenings: is the right one last?"),
    "verdict": text("Press to verdict"),
    "long": text("A long evening"),
    "box": text("Buzzer box, simulated"),
    "pages": text("Press to page"),
    "browser": text("Key to verdict on a page, in a browser"),
    "load": text("Press to verdict, under load"),
    "oled": text("OLED: drawing a picture"),
    "contracts": text("Contract help"),
    "start": text("Start to first page"),
    "rest": text("At rest"),
    "hall_pages": text("A hall: deal to its pages"),
    "hall_table": text("A hall: what it costs a table"),
    "hall_faults": text("A hall: what is lost when its parts are killed"),
    "hall_many": text("A hall of a thousand tables"),
    "hall_evening": text("A hall’s whole evening"),
    "kernel": text("Timing error, measured in the test kernel"),
}


def measure(name: str, plan: BenchPlan) -> FigureGroup:
    """Measure the group *name* as *plan* says; what cannot be measured here is a note."""
    try:
        found: FigureGroup = import_module(f"companion.bench.{name}").measure(plan)
    except DeviceError as problem:
        return FigureGroup(notes=(problem.text,))
    busy, cores = _load(), os.cpu_count() or 1
    return (
        found if busy <= cores else msgspec.structs.replace(found, notes=(*found.notes, _busy(busy, cores)))
    )


def _load() -> float:
    """Return how many programs want the processor; 0 where the system does not count them (Windows)."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _busy(load: float, cores: int) -> Text:
    return texts(
        "The machine was busy (load {load} on {n} core): on a quiet one these figures are better.",
        "The machine was busy (load {load} on {n} cores): on a quiet one these figures are better.",
        n=cores,
        load=round(load, 1),
    )


def describe(group: FigureGroup, plan: BenchPlan) -> dict[str, Any]:
    """Return *group* as JSON knows it, with when it was measured and how busy the machine was then."""
    return {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "load_1min": round(_load(), 2),
        "quick": plan.quick,
        "rows": {row.key: row.values() for table in group.tables for row in table.rows},
        "aims": {
            f"{row.key}.{key}": aim for table in group.tables for row in table.rows for key, aim in row.aims()
        },
        "aims_met": group.met,
        "notes": [str(note) for note in group.notes],
        "details": group.details,
    }


def document(groups: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return everything measured as one document: this machine, and each group (see `describe`).

    >>> sorted(document({}))
    ['bench', 'groups', 'machine']
    """
    machine = {
        "cores": os.cpu_count(),
        "processor": platform.machine(),
        "kernel": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "lastnose": __version__,
    }
    return {"bench": 1, "machine": machine, "groups": groups}


def keep(measured: dict[str, Any], file: Path) -> None:
    """Write *measured* to *file*; groups that were not measured now stay as they are there.

    Raises BadInput when the file cannot be written or is something else.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        before = msgspec.json.decode(file.read_bytes())["groups"] if file.exists() else {}
        groups = {**before, **measured["groups"]}
        file.write_bytes(msgspec.json.format(msgspec.json.encode({**measured, "groups": groups}), indent=2))
    except OSError as problem:
        raise BadInput(
            text("{file} cannot be written: {why}", file=str(file), why=reason(problem))
        ) from problem
    except (msgspec.DecodeError, KeyError, TypeError) as problem:
        raise BadInput(
            text("{file} does not hold figures of a bench: move it away, or name another.", file=str(file))
        ) from problem


def chosen(names: Iterable[str]) -> tuple[str, ...]:
    """Return the groups called *names*, in the order of the table; all that are here when none is named.

    What begins like a name is meant with it: "hall" is all of a hall.

    >>> chosen(["oled", "edges", "oled"])
    ('edges', 'oled')
    >>> chosen(["hall"])[0]
    'hall_pages'
    """
    wanted = set(names)
    return tuple(n for n in available() if not wanted or n in wanted or n.partition("_")[0] in wanted)


def choices() -> tuple[str, ...]:
    """Return what may be asked for: every group, and what several of them are called together."""
    return tuple(dict.fromkeys(word for name in available() for word in (name.partition("_")[0], name)))


def available() -> tuple[str, ...]:
    """Return the groups that can be measured here: all in a checkout, fewer where it was installed.

    >>> available()[:2]
    ('stamps', 'edges')
    """
    return tuple(name for name in GROUPS if find_spec(f"companion.bench.{name}") is not None)
