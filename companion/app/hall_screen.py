"""Wires a machine that only shows a hall together: its link to the message server, and the pages."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

from companion.hall.membership import KeyMembership
from companion.hall.relay import ScreenLink
from companion.hall.screen import HallScreen
from web.access_files import open_access
from web.hall.relay import RelayServer


class HallScreenApp:
    """A running screen of the hall of *member*; *folder* keeps its access rules."""

    def __init__(self, folder: Path, member: KeyMembership, *, port: int, lan: bool) -> None:
        access = open_access(folder, lan=lan, now_s=time.monotonic)
        self.link = ScreenLink(member, self._shown)
        self.server = RelayServer(member.hall, lambda: self.link.newest, access, port=port)
        self._stack = ExitStack()

    def _shown(self, screen: HallScreen) -> None:
        self.server.show(screen)

    def start(self) -> tuple[str, ...]:
        """Begin; return the addresses of the pages. Raises a CompanionError, and nothing is left open."""
        try:
            self._stack.callback(self.server.stop)
            urls = self.server.start()
            self._stack.callback(self.link.stop)
            self.link.start()
        except BaseException:
            self.stop()
            raise
        return urls

    def stop(self) -> None:
        """Close everything; may be called twice."""
        self._stack.close()
