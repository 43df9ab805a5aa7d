"""The web server of a table: its pages, its API and its live stream."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from lastnose.companion.system.workshop import Workshop
from lastnose.web.access import Access
from lastnose.web.page_sources import LOOK_EVERY_S
from lastnose.web.server.application import Application
from lastnose.web.server.page_server import PageServer

if TYPE_CHECKING:
    from lastnose.companion.config.settings import Wifi
    from lastnose.companion.core.ports import Display
    from lastnose.companion.link.door import HallDoor
    from lastnose.companion.table.thread import TableThread
    from lastnose.web.context import SelfTestLike, WebContext


class Server(PageServer):
    """The pages, the API and the live stream of one table. *serving* is what every `PageServer` takes."""

    def __init__(
        self,
        table: TableThread,
        access: Access,
        *,
        screen: Display | None = None,
        selftest: SelfTestLike | None = None,
        wifi: Wifi | None = None,
        door: HallDoor | None = None,
        **serving: Any,
    ) -> None:
        super().__init__(access, own_address=wifi.address if wifi is not None else None, **serving)
        self._table = table
        self._shared = {"screen": screen, "selftest": selftest, "wifi": wifi, "door": door}
        self._workshop = Workshop()
        self._house: WebContext | None = None

    def stop(self) -> None:
        """End the streams, then the server; return within 2 s. May be called twice."""
        if self._house is not None:
            self._house.closing.set()
        super().stop()
        self._workshop.close()

    def _build(self) -> Application:
        from lastnose.web.app import create_app

        app = create_app(
            self._table,
            self._access,
            names=self._names,
            cookie=f"lastnose-{self.port}",
            join_address=self._join_address,
            workshop=self._workshop,
            **self._shared,
        )
        house = self._house = app.extensions["lastnose.house"]
        application = self._application(app, house.views)
        assert self._hub is not None
        self._listening.callback(self._table.subscribe(self._hub.publish))
        self._listening.callback(self._table.subscribe(house.pages.follow))
        self._listening.callback(self._table.subscribe(house.lobby.follow))
        house.pages.follow(self._table.snapshot)
        house.pages.remember(self._table.queries.evening.zeros)
        self._hub.publish(self._table.snapshot)
        return application

    def _chores(self) -> list[Coroutine[Any, Any, None]]:
        return [*super()._chores(), self._look()]

    async def _look(self) -> None:
        """Find pages that have fallen silent, and let in who waits, until cancelled."""
        while self._house is not None:
            await asyncio.sleep(LOOK_EVERY_S)
            self._house.pages.look()
            self._house.lobby.look()
