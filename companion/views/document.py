"""A document on paper: headings, facts, paragraphs and tables, as HTML or, in `pdf`, as PDF. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Literal

import msgspec


class DocumentPart(msgspec.Struct, frozen=True):
    """A part of a document: a heading, paragraphs, and rows of cells, the first of them their heads."""

    heading: str
    paragraphs: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class Document(msgspec.Struct, frozen=True):
    """A document in a reader's language: a warning stands above all, `facts` are names with values."""

    title: str
    facts: tuple[tuple[str, str], ...]
    parts: tuple[DocumentPart, ...]
    language: str = "en"
    warning: str = ""


_STYLE = """
body{font:11pt/1.45 "Helvetica Neue",Arial,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;
color:#111;background:#fff}
h1{font-size:1.5rem;margin:0 0 1rem}h2{font-size:1.05rem;margin:1.6rem 0 .4rem}p{margin:.4rem 0}
.warning{border:.15rem solid #a00;color:#a00;font-weight:700;padding:.4rem .8rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.2rem;margin:0}dt{color:#555}dd{margin:0}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.88rem;width:100%}
th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:.06rem solid #bbb;vertical-align:bottom}
td+td,th+th{text-align:right;font-variant-numeric:tabular-nums}
@page{size:A4;margin:18mm}@media print{body{margin:0;max-width:none;padding:0}.wide{overflow:visible}}
"""


def as_html(document: Document) -> bytes:
    """Return *document* as a page of its own, to be read and printed in any browser."""
    return "\n".join(_html(document)).encode()


def _html(document: Document) -> Iterator[str]:
    yield f'<!doctype html>\n<html lang="{escape(document.language)}">\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    title = escape(document.title)
    yield f"<title>{title}</title>\n<style>{_STYLE}</style>\n<h1>{title}</h1>"
    if document.warning:
        yield f'<p class="warning">{escape(document.warning)}</p>'
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in document.facts)
    yield f"<dl>{facts}</dl>"
    for part in document.parts:
        yield f"<h2>{escape(part.heading)}</h2>"
        yield from (f"<p>{escape(paragraph)}</p>" for paragraph in part.paragraphs)
        if part.rows:
            yield '<div class="wide"><table>'
            yield from (_row(row, "td" if number else "th") for number, row in enumerate(part.rows))
            yield "</table></div>"


def _row(cells: tuple[str, ...], tag: Literal["td", "th"]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"
