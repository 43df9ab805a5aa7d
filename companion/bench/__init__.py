"""What Last Nose costs on this machine: speed, memory and timing error, as figures with their aims.

A group of figures is a module with one function `measure`; `GROUPS` names them in the order in which
`lastnose bench` prints them. A group that needs what is not there is a note that says so, never a figure.
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

from companion import __version__
from companion.bench.figures import Group, Plan
from companion.errors import BadInput, DeviceError
from companion.text import Text, text, texts

GROUPS: dict[str, Text] = {
    "edges": text("Edges: debounce and judge"),
    "verdict": text("Press to verdict"),
    "box": text("Buzzer box, simulated"),
    "pages": text("Press to page"),
    "oled": text("OLED: drawing a picture"),
    "contracts": text("Contract help"),
    "start": text("Start to first page"),
    "rest": text("At rest"),
    "kernel": text("Timing error, measured in the test kernel"),
}


def measure(name: str, plan: Plan) -> Group:
    """Measure the group *name* as *plan* says; what cannot be measured here is a note."""
    try:
        found: Group = import_module(f"companion.bench.{name}").measure(plan)
    except DeviceError as problem:
        return Group(notes=(problem.text,))
    busy, cores = os.getloadavg()[0], os.cpu_count() or 1
    return (
        found if busy <= cores else msgspec.structs.replace(found, notes=(*found.notes, _busy(busy, cores)))
    )


def _busy(load: float, cores: int) -> Text:
    return texts(
        "The machine was busy (load {load} on {n} core): on a quiet one these figures are better.",
        "The machine was busy (load {load} on {n} cores): on a quiet one these figures are better.",
        n=cores,
        load=round(load, 1),
    )


def describe(group: Group, plan: Plan) -> dict[str, Any]:
    """Return *group* as JSON knows it, with when it was measured and how busy the machine was then."""
    return {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "load_1min": round(os.getloadavg()[0], 2),
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
            text("{file} cannot be written: {why}", file=str(file), why=problem.strerror or str(problem))
        ) from problem
    except (msgspec.DecodeError, KeyError, TypeError) as problem:
        raise BadInput(
            text("{file} does not hold figures of a bench: move it away, or name another.", file=str(file))
        ) from problem


def chosen(names: Iterable[str]) -> tuple[str, ...]:
    """Return the groups called *names*, in the order of the table; all when none is named.

    >>> chosen(["oled", "edges", "oled"])
    ('edges', 'oled')
    """
    wanted = set(names) or set(GROUPS)
    return tuple(name for name in GROUPS if name in wanted)
