"""Figures in, lines of a table out. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.figures import UNITS, Column, Figure, FigureGroup, FigureRow, FigureTable


def lines(group: FigureGroup) -> Iterator[str]:
    """Yield the tables of *group*, the aim beside each figure that has one, then its notes."""
    for table in group.tables:
        yield from _table(table)
    yield from group.notes


def _table(table: FigureTable) -> Iterator[str]:
    head = ["", *(column.label for column in table.columns)]
    body = [[row.label, *(_cell(row, column) for column in table.columns)] for row in table.rows]
    widths = [max(len(cells[at]) for cells in (head, *body)) for at in range(len(head))]
    for label, *cells in (head, *body):
        shown = [f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True)]
        yield "   ".join([f"{label:<{widths[0]}}", *shown]).rstrip()


def _cell(row: FigureRow, column: Column) -> str:
    figure = row.figures.get(column.key)
    if figure is None:
        return "–"
    shown = amount(figure.value, column.unit)
    return shown if figure.aim is None else f"{shown} {_beside(figure, figure.aim)}"


def amount(value: float, unit: str) -> str:
    """Return *value* with its unit (a key of UNITS), three figures or all of a whole number.

    >>> amount(7.1234, "us"), amount(138_100, "per_s"), amount(70.0, "mb")
    ('7.12 µs', '138100 a second', '70 MB')
    """
    short = value if abs(value) >= 1_000 else float(f"{value:.3g}")
    return UNITS[unit].format(amount=int(short) if short == int(short) else short)


def _beside(figure: Figure, aim: float) -> str:
    most = int(aim) if aim == int(aim) else aim
    return f"✓ at most {most}" if figure.met else f"✗ over {most}"


def verdict(groups: dict[str, FigureGroup]) -> str:
    """Return how many aims are met.

    >>> verdict({})
    'None of these figures has an aim.'
    """
    met = [
        figure.met for group in groups.values() for figure in group.all_figures() if figure.met is not None
    ]
    if not met:
        return "None of these figures has an aim."
    missed = met.count(False)
    return f"{missed} of {len(met)} aims missed: marked ✗." if missed else f"Aims met: all {len(met)}."
