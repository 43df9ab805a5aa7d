"""A thread with an event loop of its own: what keeps a link alive beside the threads that do the rest."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

CLOSING_S = 1.0  # how long what was cancelled, and then the closing, may take

Work = Callable[[], Coroutine[Any, Any, None]]


class LoopThread:
    """Does *work*, side by side, in a thread called *name* until it is stopped; then awaits *closing*."""

    def __init__(self, name: str, *work: Work, closing: Work | None = None) -> None:
        self._name = name
        self._work = work
        self._closing = closing
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stopped = asyncio.Event()

    def start(self) -> None:
        """Begin; return when the loop runs."""
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), name=self._name, daemon=True)
        self._thread.start()
        ready.wait()

    def call(self, what: Callable[[], object]) -> None:
        """Let the loop call *what* soon; nothing happens where none runs. May be called on any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # it has just ended
                self._loop.call_soon_threadsafe(what)

    def begin(self, work: Work) -> None:
        """Let the loop do *work* too; nothing happens where none runs. May be called on any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):
                asyncio.run_coroutine_threadsafe(work(), self._loop)

    def stop(self, within_s: float) -> None:
        """End; return within *within_s* seconds."""
        self.call(self._stopped.set)
        if self._thread is not None:
            self._thread.join(timeout=within_s)

    def _run(self, ready: threading.Event) -> None:
        try:
            asyncio.run(self._live(ready))
        finally:
            ready.set()

    async def _live(self, ready: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        ready.set()
        tasks = [asyncio.create_task(one()) for one in self._work]
        await self._stopped.wait()
        for task in tasks:
            task.cancel()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), CLOSING_S)
        if self._closing is not None:
            with suppress(Exception):
                await asyncio.wait_for(self._closing(), CLOSING_S)
