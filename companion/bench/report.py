"""Figures in, lines of a table out, in the reader's language. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.bench.figures import UNITS, Column, Figure, FigureGroup, FigureRow, FigureTable
from companion.core.text import Text, text, texts

Say = Callable[[Text], str]


def lines(group: FigureGroup, say: Say) -> Iterator[str]:
    """Yield the tables of *group*, the aim beside each figure that has one, then its notes."""
    for table in group.tables:
        yield from _table(table, say)
    yield from (say(note) for note in group.notes)


def _table(table: FigureTable, say: Say) -> Iterator[str]:
    head = ["", *(say(column.label) for column in table.columns)]
    body = [[say(row.label), *(_cell(row, column, say) for column in table.columns)] for row in table.rows]
    widths = [max(len(cells[at]) for cells in (head, *body)) for at in range(len(head))]
    for label, *cells in (head, *body):
        shown = [f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True)]
        yield "   ".join([f"{label:<{widths[0]}}", *shown]).rstrip()


def _cell(row: FigureRow, column: Column, say: Say) -> str:
    figure = row.figures.get(column.key)
    if figure is None:
        return "–"
    shown = say(amount(figure.value, column.unit))
    return shown if figure.aim is None else f"{shown} {say(_beside(figure, figure.aim))}"


def amount(value: float, unit: str) -> Text:
    """Return *value* with its unit (a key of UNITS), three figures or all of a whole number.

    >>> str(amount(7.1234, "us")), str(amount(138_100, "per_s")), str(amount(70.0, "mb"))
    ('7.12 µs', '138100 a second', '70 MB')
    """
    short = value if abs(value) >= 1_000 else float(f"{value:.3g}")
    return Text(UNITS[unit].id, {"amount": int(short) if short == int(short) else short})


def _beside(figure: Figure, aim: float) -> Text:
    most = int(aim) if aim == int(aim) else aim
    return text("✓ at most {aim}", aim=most) if figure.met else text("✗ over {aim}", aim=most)


def verdict(groups: dict[str, FigureGroup]) -> Text:
    """Return how many aims are met.

    >>> str(verdict({}))
    'None of these figures has an aim.'
    """
    met = [
        figure.met for group in groups.values() for figure in group.all_figures() if figure.met is not None
    ]
    if not met:
        return text("None of these figures has an aim.")
    if all(met):
        return texts("The aim is met.", "All {n} aims are met.", n=len(met))
    return texts(
        "{n} of {aims} aims is missed: it is marked ✗.",
        "{n} of {aims} aims are missed: they are marked ✗.",
        n=met.count(False),
        aims=len(met),
    )
