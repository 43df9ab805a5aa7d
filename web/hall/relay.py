"""The pages of a machine that only shows a hall: what the message server tells it, without the hub's log."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, redirect
from werkzeug.wrappers import Response as AnyResponse

from companion.hall.screen import HallScreen
from web.access import Access
from web.app import bare_app
from web.hall.shown import ShownHall, shown_pages
from web.name_fonts import name_fonts
from web.server.application import Application
from web.server.page_server import PageServer

relay_pages = Blueprint("relay", __name__)


@relay_pages.get("/")
def first() -> AnyResponse:
    """Show the board: there is no desk here."""
    return redirect("/board", 302)


class RelayedHall(ShownHall):
    """The newest screen of a hall whose pages are at *hall*; for any thread."""

    relayed = True

    def __init__(self, hall: str, newest: Callable[[], HallScreen]) -> None:
        super().__init__()
        self._hall = hall
        self._newest = newest

    def screen(self) -> HallScreen:
        """Return what came last."""
        return self._newest()

    def address(self) -> str | None:
        """Return the address of the hall itself: there people ask where they sit."""
        return self._hall


class RelayServer(PageServer):
    """Serves the screens of the hall at *hall*; `show` is told what came, *newest* returns it."""

    def __init__(self, hall: str, newest: Callable[[], HallScreen], access: Access, *, port: int) -> None:
        super().__init__(access, port=port)
        self._here = RelayedHall(hall, newest)

    def show(self, screen: HallScreen) -> None:
        """Show *screen* on every page; may be called on any thread."""
        if self._hub is not None:
            self._hub.publish(screen)

    def _build(self) -> Application:
        app = bare_app(self._access, self._names, f"lastnose-screen-{self.port}")
        app.extensions["lastnose.hall"] = self._here
        app.register_blueprint(shown_pages)
        app.register_blueprint(relay_pages)
        app.register_blueprint(name_fonts)
        application = self._application(app, self._here)
        self.show(self._here.screen())
        return application
