"""What is kept of an event: the standings as a table, and everything as one JSON document. Read years later.

The document holds the hall's log and every table's as they were written, with the chain that proves them, and
beside them the standings and results that follow: whoever has no Last Nose any more can still read those.
What it `holds` stands before the logs, so that one that was cut says what is missing.
"""

from __future__ import annotations

from typing import Any

import msgspec
from lastnose.companion import __version__
from lastnose.companion.core.csv_file import as_csv
from lastnose.companion.hall.hub import Hall
from lastnose.companion.hall.snapshot import HallSnapshot
from lastnose.companion.hall.standings import StandingLine

COLUMNS = ("place", "name", "club", "guest", "points", "rounds", "firsts", "letters", "deals", "decided")


def standings_csv(view: HallSnapshot) -> str:
    """Return a line an entrant, the best first."""
    return as_csv([COLUMNS, *(_row(view, line) for line in view.lines)])


def _row(view: HallSnapshot, line: StandingLine) -> tuple[str | int | float, ...]:
    person = view.state.people[line.entrant]
    return (
        line.place or "",
        person.name,
        person.club,
        "guest" if person.guest else "",
        f"{float(line.points):.4f}",
        line.rounds,
        line.firsts,
        line.letters,
        line.deals,
        "" if line.decided is None else str(line.decided),
    )


def everything(hall: Hall) -> bytes:
    """Return the document."""
    view = hall.view
    own = [{"n": seq, "event": event} for seq, event in hall.own()]
    tables: dict[str, dict[str, Any]] = {
        table.id: {
            "number": table.number,
            "log": [
                {"n": row.seq, "evening": row.evening, "head": row.head.hex(), "event": msgspec.Raw(row.raw)}
                for row in hall.rows(table.id)
            ],
        }
        for table in view.state.tables.values()
    }
    results = [
        {
            "round": one.round,
            "table": one.number,
            "state": one.state,
            "places": [
                {"name": view.state.shown(entrant), "place": placing.place}
                for entrant, placing in (one.result.placings if one.result is not None else ())
            ],
        }
        for one in view.outcomes
    ]
    document = {
        "lastnose_hall": 1,
        "version": __version__,
        "event": hall.event,
        "holds": {"hall": len(own), "tables": {one: len(kept["log"]) for one, kept in tables.items()}},
        "standings": [
            {"place": line.place, "name": view.state.shown(line.entrant), "points": str(line.points)}
            for line in view.lines
        ],
        "results": results,
        "hall": own,
        "tables": tables,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1)
