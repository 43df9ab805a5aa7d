"""A link that can be cut: between tables and message server, it carries bytes, or swallows them silently."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

from lastnose.companion.link.client import LoopThread


class CutLink:
    """Listens on `port` and passes on to *to*. Cut, connections stay open and nothing comes through."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._whole = asyncio.Event()
        self._whole.set()
        self._carried: set[asyncio.Task[None]] = set()
        self.port = 0
        listening = threading.Event()
        self._thread = LoopThread("link", lambda: self._listen(listening))
        self._thread.start()
        listening.wait()

    def cut(self) -> None:
        """Let nothing through from now on."""
        self._thread.call(self._whole.clear)

    def restore(self) -> None:
        """Let everything through again; what was open meanwhile has died, as behind a router."""
        self._thread.call(self._mend)

    def close(self) -> None:
        """End."""
        self._thread.stop(5.0)

    def _mend(self) -> None:
        for task in self._carried:
            task.cancel()
        self._whole.set()

    async def _listen(self, listening: threading.Event) -> None:
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        listening.set()
        try:
            await asyncio.Event().wait()
        finally:
            server.close()
            for task in self._carried:
                task.cancel()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._carry(reader, writer))
        self._carried.add(task)
        try:
            with suppress(asyncio.CancelledError):
                await task
        finally:
            self._carried.discard(task)
            writer.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._whole.wait()
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            return  # nobody is there: the connection ends at once, as without a link
        try:
            ways = [
                asyncio.ensure_future(self._pass(*way))
                for way in ((reader, far_writer), (far_reader, writer))
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
        finally:
            far_writer.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._whole.wait()
                writer.write(data)
                await writer.drain()
