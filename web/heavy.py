"""What takes long to work out, for the workshop: plain data in, the answer as the page gets it out.

Contract help, points, statistics, history, exports and QR codes would take the processor from the judge. The
picture of the small screen is drawn in less time than it would take to send it over and back; like all of
these it comes through the gate of `web.server.application`, one at a time.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from lastnose.companion.core.errors import StoreError
from lastnose.companion.evening.state import Evening
from lastnose.companion.games import GAMES, count_hand, get_game
from lastnose.companion.system.workshop import Workshop
from lastnose.companion.table.memory_store import EveningRecord
from lastnose.companion.table.queries import EveningQueries
from lastnose.companion.table.reader import LogReader
from lastnose.companion.table.replay import replay, unpacked
from lastnose.companion.table.thread import TableThread
from lastnose.companion.views.statistics import at_a_glance, figures_over, to_csv
from lastnose.web.api.responses import HandPoints
from lastnose.web.encoding import to_json


def figures_of(evening: EveningQueries, kind: str, language: str) -> bytes:
    """Return what *kind* names of *evening*: JSON in *language*, or a file.

    Of all evenings, where it is asked, *evening* knows its own alone.
    """
    match kind:
        case "statistics" | "statistics-all":
            return to_json(evening.statistics(), language)
        case "statistics-glance":
            return to_json(at_a_glance(evening.statistics()), language)
        case "statistics.csv" | "statistics-all.csv":
            return to_csv(evening.statistics()).encode()
        case "rounds":
            return to_json(evening.rounds(), language)
        case "export.json":
            return evening.export_json()
        case "export.csv":
            return evening.export_csv().encode()
        case _:
            raise ValueError(kind)


def figures_kept(folder: Path, number: int, newest: int, kind: str, language: str) -> bytes:
    """Return what *kind* names of an evening in the log of *folder*, whose last entry is *newest*."""
    store = LogReader(folder)
    try:
        if kind.startswith("statistics-all"):
            found = figures_over(tuple(_evenings(store)))
            return to_csv(found).encode() if kind.endswith(".csv") else to_json(found, language)
        store.evening = number
        return figures_of(EveningQueries(EveningRecord(store)), kind, language)
    finally:
        store.close()


def _evenings(store: LogReader) -> Iterator[Evening]:
    """Yield all evenings in which something was played, the oldest first."""
    for number in range(1, store.evening + 1):
        store.evening = number
        evening = EveningRecord(store).evening
        if evening.matches:
            yield evening


def rules_query(
    game: str,
    state: object,
    about: str,
    hand: int | None,
    pieces: Sequence[str],
    table: Sequence[str],
    language: str,
) -> bytes:
    """Return what the rules of *game* in *state* say about *pieces* (see `Game.answer_query`), as JSON."""
    return to_json(get_game(game).answer_query(state, about, hand, pieces, table), language)


def calculate(name: str, query: dict[str, Any], language: str) -> bytes:
    """Return what the game's calculation *name* answers to *query*, as JSON."""
    (one,) = (one for game in GAMES.values() for one in game.calculations if one.name == name)
    return to_json(one.answer(msgspec.convert(query, one.takes)), language)


def points(game: str, pieces: Sequence[str], options: Mapping[str, Any], language: str) -> bytes:
    """Return what *pieces* left in a hand of *game* cost, as JSON."""
    counted = count_hand(game, tuple(pieces), options)
    return to_json(HandPoints(counted.points, game, counted.pieces), language)


def judge(address: str, language: str) -> bytes:
    """Return the rounds of the tape that *address* holds (see `companion.table.replay.packed`), as JSON."""
    table = replay(unpacked(address))
    return to_json({"rounds": [one for one in table.queries.rounds() if one.judged]}, language)


def qr_code(says: str, *, inline: bool = False) -> bytes:
    """Return a QR code as a picture (SVG); *inline*: as part of a page, whose style says how large it is."""
    import segno

    drawn = io.BytesIO()
    code = segno.make(says, error="m", micro=False)
    code.save(drawn, kind="svg", xmldecl=False, scale=4, border=2, light="#fff", omitsize=inline)
    return drawn.getvalue()


def asked_of_table(workshop: Workshop | None, table: TableThread, kind: str, language: str) -> bytes:
    """Return what *kind* names of the evening of *table*; worked out here where nothing else can read it."""
    folder, now = table.queries.folder, table.snapshot
    if folder is None or (workshop is None and not kind.startswith("statistics-all")):
        return figures_of(table.queries, kind, language)
    try:
        if workshop is None:
            return figures_kept(folder, now.evening, now.seq, kind, language)
        return workshop.do(figures_kept, folder, now.evening, now.seq, kind, language)
    except StoreError:
        # The log cannot be read at this moment; the table itself knows its evening by heart.
        return figures_of(table.queries, kind, language)
