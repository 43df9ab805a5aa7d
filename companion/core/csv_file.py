"""Rows in, a table for spreadsheets out: no word in it is a formula, and each can be had back. Pure."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

_BEGINS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def as_csv(rows: Iterable[Iterable[str | int | float]], line_end: str = "\r\n") -> str:
    """Return *rows* as CSV; numbers are numbers, and words are words.

    >>> as_csv([("name", "points"), ("=1+1", -5)])
    "name,points\\r\\n'=1+1,-5\\r\\n"
    """
    out = StringIO()
    writer = csv.writer(out, lineterminator=line_end)
    writer.writerows([harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return out.getvalue()


def harmless(words: str) -> str:
    """Return *words* so that no spreadsheet takes them for a formula.

    >>> harmless("=SUM(A1)"), harmless("Ana"), harmless("'=A1"), harmless("'t Hooft")
    ("'=SUM(A1)", 'Ana', "''=A1", "'t Hooft")
    """
    return f"'{words}" if words.lstrip("'").startswith(_BEGINS) else words


def plain(cell: str) -> str:
    """Return the words that `harmless` has made *cell* of.

    >>> [plain(harmless(words)) for words in ("=SUM(A1)", "Ana", "'=A1", "'t Hooft")]
    ['=SUM(A1)', 'Ana', "'=A1", "'t Hooft"]
    """
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(_BEGINS) else cell
