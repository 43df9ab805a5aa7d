"""What one app serves: its table, the encoded views, the clocks of its pages."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from flask import current_app

from web.taps import Pages
from web.view import Views

if TYPE_CHECKING:
    from web.seam import Screen, TableLike


class House:
    """What the views of one app share. `closing` is set when the server is about to stop."""

    def __init__(self, table: TableLike, screen: Screen | None, join_address: str | None) -> None:
        self.table = table
        self.screen = screen
        self.join_address = join_address
        self.views = Views()
        self.pages = Pages(table.driver)
        self.closing = threading.Event()

    @staticmethod
    def here() -> House:
        """Return the house of the app that answers this request."""
        found = current_app.extensions["lastnose.house"]
        assert isinstance(found, House)
        return found
