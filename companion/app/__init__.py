"""Profile and options in, a running table out."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from contextlib import ExitStack

from lastnose.companion.core.text import Text, text
from lastnose.companion.i18n import translator

_log = logging.getLogger("lastnose")


def log_trouble(name: str, says: Text | None, language: str) -> None:
    """Log what is wrong with the device *name*, None for that it works again: a terminal shows it."""
    told = text("“{name}” works again.", name=name) if says is None else says
    _log.warning("%s", translator(language)(told))


class Running(ABC):
    """What is opened piece by piece in `_start`, which puts on the stack how each piece is closed."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    @abstractmethod
    def _start(self) -> tuple[str, ...]: ...

    def start(self) -> tuple[str, ...]:
        """Open everything, and return the addresses of its pages.

        Raise a CompanionError, with nothing left open, when something cannot be had.
        """
        try:
            return self._start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Close everything in the opposite order; may be called twice."""
        self._stack.close()
