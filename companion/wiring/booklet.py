"""The booklet of a kit: one HTML file that prints to A4, followed page by page to the first round.

Everything in it is drawn and counted from the profile. `companion.wiring.booklet_steps` has the steps; here
they are put on pages, which are as large as a sheet: nothing flows over from one to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from companion.core.text import Text, text
from companion.wiring import bom
from companion.wiring.booklet_steps import SAFETY, Step, opening, steps
from companion.wiring.drawings.levers import input_sheets, input_table
from companion.wiring.drawings.sheets import must_be_wired, sheets
from companion.wiring.profile import Profile
from companion.wiring.wires import HEADINGS, rows

Speak = Callable[[Text], str]
Cells = Sequence[Text | str]

ITEMS_A_PAGE, WIRES_A_PAGE, PIECES_A_COLUMN = 15, 22, 14

_STYLE = """
@page { size: A4 landscape; margin: 0 }
* { box-sizing: border-box }
body { margin: 0; font: 11pt/1.35 "DejaVu Sans", Verdana, Arial, sans-serif;
  color: #1a1a1a; background: #fff }
.page { position: relative; width: 297mm; height: 209.8mm; padding: 11mm 14mm 12mm;
  overflow: hidden; break-after: page }
.page:last-child { break-after: auto }
.sheet { padding: 0 }
.sheet > svg { display: block; width: 297mm; height: 209.8mm }
footer { position: absolute; left: 14mm; right: 14mm; bottom: 5mm; display: flex;
  justify-content: space-between; font-size: 8.5pt; color: #5c5c5c }
.sheet footer { bottom: 2mm }
h1 { font-size: 26pt; margin: 0 0 4mm } h2 { font-size: 17pt; margin: 0 0 4mm }
.step { display: grid; grid-template-columns: 148mm 1fr; gap: 9mm; align-items: start }
.picture { display: flex; flex-wrap: wrap; gap: 3mm; justify-content: center; border: 0.3mm solid #b9b9b0;
  border-radius: 2mm; padding: 3mm }
.picture svg { width: 100%; height: auto; max-height: 158mm }
.picture img { width: 67mm } .picture img:only-child { width: 130mm }
ol, ul { margin: 0 0 4mm; padding-left: 6mm } li { margin-bottom: 2mm }
.check ul { list-style: none; margin: 0; padding: 0 }
.check { background: #eef6ee; border: 0.3mm solid #5a8a66; border-radius: 2mm; padding: 3mm 4mm }
.check li { margin: 0 0 1.5mm; padding-left: 7mm; text-indent: -7mm }
.check li::before { content: "☐"; display: inline-block; width: 7mm; text-indent: 0;
  font-size: 13pt; line-height: 1 }
.check strong { display: block; margin-bottom: 1mm }
table { border-collapse: collapse; width: 100%; font-size: 9.5pt; line-height: 1.25 }
th, td { text-align: left; vertical-align: top; padding: 0.9mm 2mm; border-bottom: 0.2mm solid #c9c9c0 }
th { border-bottom: 0.5mm solid #1a1a1a } td.tick { width: 7mm; font-size: 12pt; line-height: 1 }
.halves { display: grid; grid-template-columns: 1fr 1fr; gap: 8mm; align-items: start }
.halves table { font-size: 8pt }
@media screen { body { background: #dcdcd8 }
  .page { margin: 5mm auto; background: #fff; box-shadow: 0 0 2mm #888 } }
"""


def booklet(profile: Profile, speak: Speak, language: str) -> str:
    """Return the booklet of *profile* as one HTML document; raise BadInput for one wired only in memory."""
    must_be_wired(profile)
    title = speak(text("Last Nose: build {name}", name=profile.name))
    pages = list(_pages(profile, speak))
    body = "".join(
        f'<section class="page {kind}">{inside}{_footer(speak, profile, number, len(pages))}</section>\n'
        for number, (kind, inside) in enumerate(pages, start=1)
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=1130"><style>{_STYLE}</style></head>\n'
        f"<body>\n{body}</body></html>\n"
    )


def _footer(speak: Speak, profile: Profile, number: int, count: int) -> str:
    page = speak(text("page {n} of {count}", n=number, count=count))
    return f"<footer><span>Last Nose · {escape(profile.name)}</span><span>{escape(page)}</span></footer>"


def _pages(profile: Profile, speak: Speak) -> Iterator[tuple[str, str]]:
    """Yield each page: its kind, and what is on it."""
    yield "", _cover(profile, speak)
    items = [(*row[:2], row[4], row[5]) for row in bom.rows(bom.bill(profile))]
    headings = (*bom.HEADINGS[:2], *bom.HEADINGS[4:])
    yield from _table(text("What to buy"), headings, items, speak, ITEMS_A_PAGE, ticks=True)
    found = steps(profile, speak)
    for number, step in enumerate(found, start=1):
        if step.wiring:
            yield from _papers(profile, speak)
        yield "", _step(step, number, len(found), speak)


def _papers(profile: Profile, speak: Speak) -> Iterator[tuple[str, str]]:
    """Yield the drawings at their true size, and the tables beside them: what the wiring steps go by."""
    for sheet in sheets(profile, speak):
        yield "sheet", sheet
    yield from _table(text("Every wire at a pin"), HEADINGS, rows(profile), speak, WIRES_A_PAGE)
    for sheet in input_sheets(profile, speak):
        yield "sheet", sheet
    headings, pieces = input_table(profile)
    share = 2 * PIECES_A_COLUMN
    for at in range(0, len(pieces), share):
        halves = (pieces[at : at + PIECES_A_COLUMN], pieces[at + PIECES_A_COLUMN : at + share])
        inside = "".join(_rows(headings, half, speak, ticks=True) for half in halves if half)
        yield "", f'{_heading(text("Piece by piece"), speak)}<div class="halves">{inside}</div>'


def _cover(profile: Profile, speak: Speak) -> str:
    title = speak(text("Last Nose: build {name}", name=profile.name))
    told = "".join(f"<p>{escape(speak(line))}</p>" for line in opening(profile))
    safety = "".join(f"<li>{escape(speak(line))}</li>" for line in SAFETY)
    return f"<h1>{escape(title)}</h1>{told}{_heading(text('Safety'), speak)}<ul>{safety}</ul>"


def _heading(title: Text, speak: Speak) -> str:
    return f"<h2>{escape(speak(title))}</h2>"


def _table(
    title: Text, headings: Cells, lines: Sequence[Cells], speak: Speak, share: int, *, ticks: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield pages of a table, *share* rows on each."""
    for at in range(0, len(lines), share):
        yield "", _heading(title, speak) + _rows(headings, lines[at : at + share], speak, ticks=ticks)


def _rows(headings: Cells, lines: Sequence[Cells], speak: Speak, *, ticks: bool) -> str:
    def cell(what: Text | str) -> str:
        return escape(what if isinstance(what, str) else speak(what))

    box = '<td class="tick">☐</td>' if ticks else ""
    head = ("<th></th>" if ticks else "") + "".join(f"<th>{cell(one)}</th>" for one in headings)
    body = "".join(f"<tr>{box}{''.join(f'<td>{cell(one)}</td>' for one in line)}</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _step(step: Step, number: int, count: int, speak: Speak) -> str:
    which = speak(text("Step {n} of {count}", n=number, count=count))
    done = "".join(f"<li>{escape(speak(line))}</li>" for line in step.do)
    checked = "".join(f"<li>{escape(speak(line))}</li>" for line in step.check)
    return (
        f"<h2>{escape(which)} · {escape(speak(step.title))}</h2>"
        f'<div class="step"><div class="picture">{step.picture}</div>'
        f'<div><ol>{done}</ol><div class="check"><strong>{escape(speak(text("Check")))}</strong>'
        f"<ul>{checked}</ul></div></div></div>"
    )
