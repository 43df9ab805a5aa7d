"""What only shows a hall: its screens."""

from __future__ import annotations

import threading
from typing import Any

from babel.numbers import format_decimal
from flask import Blueprint, Response, current_app, request
from lastnose.companion.core.errors import Missing
from lastnose.companion.core.text import english
from lastnose.companion.event.screen import HallScreen, where_screen
from lastnose.web import auth
from lastnose.web.encoding import change_of, to_json
from lastnose.web.heavy import qr_code
from lastnose.web.language import language
from lastnose.web.page import asked_scale, render

shown_pages = Blueprint("shown", __name__)


class ShownHall:
    """A hall that pages show. Who inherits says what they show now, and the hall's address in the network."""

    def __init__(self) -> None:
        self._encoding = threading.Lock()
        self._encoded: dict[str, tuple[HallScreen, bytes]] = {}

    @staticmethod
    def here() -> ShownHall:
        """Return the hall of the app that answers this request."""
        found = current_app.extensions["lastnose.hall"]
        assert isinstance(found, ShownHall)
        return found

    def screen(self) -> HallScreen:
        """Return what screens show now."""
        raise NotImplementedError

    def address(self) -> str | None:
        """Return the address of the hall's own pages for phones, None when there is none."""
        raise NotImplementedError

    def state(self, snapshot: HallScreen, read_as: str) -> bytes:
        """Return *snapshot*, or its part, as JSON; *read_as* is "en", or "en/where". Made once."""
        language, _, part = read_as.partition("/")
        with self._encoding:
            found = self._encoded.get(read_as)
            if found is not None and found[0] is snapshot:
                return found[1]
            made = to_json(where_screen(snapshot) if part else snapshot, language)
            self._encoded[read_as] = snapshot, made
            return made

    def change(self, before: HallScreen, snapshot: HallScreen, read_as: str) -> bytes:
        """Return what makes *snapshot* of *before*, as `state` writes them: most of a hall stays as it is."""
        language, _, part = read_as.partition("/")
        if part:
            return change_of(where_screen(before), where_screen(snapshot), language)
        return change_of(before, snapshot, language, "tables")

    def code(self, path: str) -> str:
        """Return a QR code of the hall's page *path*, "" when no phone can reach it."""
        address = self.address()
        return qr_code(address + path, inline=True).decode() if address is not None else ""


def page(name: str, plain: dict[str, Any] | None = None, part: str = "", **context: object) -> Response:
    """Return the page *name*; *context* reaches it as JSON that is safe in a script, *plain* as it is.

    Of what the hall shows it has, and follows, a *part* alone.
    """
    here = ShownHall.here()
    screen = here.screen()
    script = "host" if name == "join" else f"hall-{name}"  # the PIN's form is the same as a table's
    return render(
        f"hall/{name}.html",
        script,
        here.state(screen, f"{language()}/{part}" if part else language()),
        context,
        screen=screen,
        whose=auth.visitor().by,
        followed=part,
        points=lambda number: format_decimal(number, "0.00", locale=language()),
        **(plain or {}),
    )


@shown_pages.get("/board")
def board() -> Response:
    """Show the hall to a whole room."""
    return page("board", plain={"qr": ShownHall.here().code("where")})


@shown_pages.get("/standings")
def standings() -> Response:
    """Show the standings, to read and to print."""
    return page("standings")


@shown_pages.get("/overlay/<name>")
def overlay(name: str) -> Response:
    """Show one thing on a transparent ground, to be mixed into a picture: `?scale=1.5`, `?says=no`."""
    if name not in ("standings", "tables", "headline"):
        raise Missing(english("There are overlays for headline, standings and tables."))
    quiet = request.args.get("says") == "no"
    return page("overlay", plain={"shown": name, "scale": asked_scale(), "quiet": quiet})
