"""All results of an event as one page, with nothing beside it: to be put onto any web server, or sent."""

from __future__ import annotations

from functools import cache

from babel.numbers import format_decimal
from jinja2 import Environment, PackageLoader
from lastnose.companion.core.text import Text, text
from lastnose.companion.event import reports
from lastnose.companion.event.snapshot import HallSnapshot
from lastnose.companion.i18n import gettext_for, translator
from lastnose.web.bundle import STATIC
from markupsafe import Markup
from msgspec.structs import replace

STYLES = "results-file.css", "results-on-paper.css"


@cache
def _templates() -> Environment:
    return Environment(loader=PackageLoader("lastnose.web"), autoescape=True, trim_blocks=True)


def result_file(view: HallSnapshot, language: str) -> str:
    """Return the page of *view* in *language*: standings by rounds, bracket, prizes, every table's sheet.

    What a table's game has come to is told once it counts; whoever has no JavaScript reads all of it.
    """
    made = view.state.arrangement
    counted = reports.TableSheets(
        tuple(one for one in reports.sheets(view).sheets if one.state in ("counts", "typed"))
    )
    return (
        _templates()
        .get_template("hall/results-file.html")
        .render(
            _=gettext_for(language),
            say=translator(language),
            points=lambda number: format_decimal(number, "0.00", locale=language),
            lang=language,
            style=Markup("".join((STATIC / "hall" / one).read_text("utf-8") for one in STYLES)),
            name=made.name if made is not None else "",
            so_far=so_far(view),
            matrix=reports.matrix(view),
            bracket=reports.bracket(view),
            prizes=_without_years(reports.prizes(view)),
            sheets=counted,
        )
    )


def so_far(view: HallSnapshot) -> Text | None:
    """Return that prizes may still go to others, None when they may not: free play is over at any time."""
    made, step = view.state.arrangement, view.step.kind
    if made is None or step == "over" or (made.format == "free" and step != "wait"):
        return None
    return text("So far: not everything has been played yet.")


def _without_years(found: reports.Prizes) -> reports.Prizes:
    """Return *found* without the years in which people were born: the page may go onto the web."""
    return reports.Prizes(
        tuple(
            replace(one, lines=tuple(replace(line, says=None) for line in one.lines))
            if one.kind == "youngest"
            else one
            for one in found.categories
        )
    )
