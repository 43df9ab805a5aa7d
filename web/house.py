"""What one app serves: its table, the encoded views, the clocks of its pages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import TimeoutError as NotYet
from typing import TYPE_CHECKING

from flask import current_app

from companion.errors import StoreError
from companion.text import text
from web import auth
from web.taps import Pages
from web.view import Views

if TYPE_CHECKING:
    from companion.commands import AnyCommand
    from companion.snapshot import Snapshot
    from companion.wifi import Wifi
    from web.seam import Screen, SelfTestLike, TableLike

_ANSWER_WITHIN_S = 10.0
_LOOK_EVERY_S = 0.2


class House:
    """What the views of one app share. `closing` is set when the server is about to stop."""

    def __init__(
        self,
        table: TableLike,
        screen: Screen | None,
        join_address: Callable[[], str | None],
        wifi: Wifi | None = None,
        selftest: SelfTestLike | None = None,
    ) -> None:
        self.table = table
        self.screen = screen
        self._join_address = join_address
        self.wifi = wifi
        self.selftest = selftest
        self.views = Views()
        self.pages = Pages(table.driver)
        self.closing = threading.Event()

    @property
    def join_address(self) -> str | None:
        """Return the address of `/join` for phones at this moment, None when they cannot reach us."""
        return self._join_address()

    @staticmethod
    def here() -> House:
        """Return the house of the app that answers this request."""
        found = current_app.extensions["lastnose.house"]
        assert isinstance(found, House)
        return found

    def do(self, command: AnyCommand) -> Snapshot:
        """Let the table do what the visitor commands; return the snapshot that shows it, safely stored.

        Raises what the table refuses with, or StoreError when it does not answer in time.
        """
        future = self.table.submit(command, auth.visitor().by)
        deadline = time.monotonic() + _ANSWER_WITHIN_S
        while time.monotonic() < deadline and not self.closing.is_set():
            try:
                return future.result(timeout=_LOOK_EVERY_S)
            except NotYet:
                continue
        raise StoreError(text("The table has not answered yet. Look at what it shows before you try again."))
