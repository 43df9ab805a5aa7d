"""The web server of a hall: its pages, its API and its live stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.hall.hub import Hall
from web.access import Access
from web.server.application import Application
from web.server.page_server import PageServer

if TYPE_CHECKING:
    from web.hall.context import HallContext


class HallServer(PageServer):
    """Serves *hall*; *engine* tells the message server's address for who reaches us under a host name."""

    def __init__(
        self,
        hall: Hall,
        access: Access,
        *,
        port: int,
        engine: Callable[[str], str],
        names: tuple[str, ...] = (),
    ) -> None:
        super().__init__(access, port=port, names=names)
        self._hall = hall
        self._engine = engine

    @property
    def join_address(self) -> str | None:
        """What a QR code carries so that an organiser's phone may join."""
        address = self._join_address()
        return f"{address}#{self._access.secret}" if address is not None else None

    @property
    def here(self) -> HallContext:
        """What the pages show; once it has been started."""
        return self._here

    def _build(self) -> Application:
        from web.hall.app import create_hall_app
        from web.hall.context import HallContext, HallFrames

        app = create_hall_app(
            self._hall,
            self._access,
            engine=self._engine,
            address=lambda: self.urls[1] if len(self.urls) > 1 else None,
            names=self._names,
            cookie=f"lastnose-hall-{self.port}",
        )
        here = app.extensions["lastnose.hall"]
        assert isinstance(here, HallContext)
        self._here = here
        application = self._application(app, HallFrames(here))
        stream = self._hub
        assert stream is not None
        self._listening.callback(self._hall.subscribe(stream.publish))
        stream.publish(self._hall.view)
        return application
