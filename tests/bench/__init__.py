"""What Last Nose costs on this machine: speed, memory and timing error, as figures with their aims.

A group of figures is a module with one function `measure`; `GROUPS` names them in the order in which
`make bench` prints them. A group that needs what is not there is a note that says so, never a figure.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from lastnose.companion import __version__
from lastnose.companion.core.errors import BadInput, DeviceError, reason
from lastnose.companion.core.text import text

from tests.bench.figures import BenchPlan, FigureGroup

GROUPS: dict[str, str] = {
    "edges": "Edges: debounce and judge",
    "campaign": "Simulated evenings: is the right one last?",
    "phones": "Rounds on phones: is the right one last?",
    "killed_tabs": "Phones whose tab is killed: whom is waited for?",
    "verdict": "Press to verdict",
    "first": "Press to who was first",
    "long": "A long evening",
    "box": "Buzzer box, simulated",
    "pages": "Press to page",
    "browser": "Key to verdict on a page, and what pages cost, in a browser",
    "load": "Press to verdict, under load",
    "oled": "OLED: drawing a picture",
    "contracts": "Contract help",
    "start": "Start to first page",
    "rest": "At rest",
    "hall_pages": "A hall: deal to its pages",
    "hall_table": "A hall: what it costs a table",
    "hall_faults": "A hall: what is lost when its parts are killed",
    "hall_many": "A hall of a thousand tables",
    "hall_start": "A hall that is started again after a hundred rounds",
    "hall_evening": "A hall’s whole evening",
    "kernel": "Timing error, measured in the test kernel",
}


def measure(name: str, plan: BenchPlan) -> FigureGroup:
    """Measure the group *name* as *plan* says; what cannot be measured here is a note."""
    try:
        found: FigureGroup = import_module(f"tests.bench.{name}").measure(plan)
    except DeviceError as problem:
        return FigureGroup(notes=(str(problem),))
    busy, cores = _load(), os.cpu_count() or 1
    return (
        found if busy <= cores else msgspec.structs.replace(found, notes=(*found.notes, _busy(busy, cores)))
    )


def _load() -> float:
    """Return how many programs want the processor; 0 where the system does not count them (Windows)."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _busy(load: float, cores: int) -> str:
    return f"The machine was busy (load {load:.1f}, processors: {cores}): on a quiet one figures are better."


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
        "notes": [*group.notes],
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
    """Return the groups called *names*, in the order of the table; all when none is named.

    What begins like a name is meant with it: "hall" is all of a hall.

    >>> chosen(["oled", "edges", "oled"])
    ('edges', 'oled')
    >>> chosen(["hall"])[0]
    'hall_pages'
    """
    wanted = set(names)
    return tuple(n for n in GROUPS if not wanted or n in wanted or n.partition("_")[0] in wanted)


def choices() -> tuple[str, ...]:
    """Return what may be asked for: every group, and what several of them are called together."""
    return tuple(dict.fromkeys(word for name in GROUPS for word in (name.partition("_")[0], name)))
