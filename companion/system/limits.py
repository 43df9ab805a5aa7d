"""How many files and connections this process may have open, and how much it may log."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

UNKNOWN = 1024
NO_LIMIT = 1_000_000


def allow_files(wanted: int) -> int:
    """Let this process open *wanted* files, or as many as the system permits; return how many that are.

    Where the system has no such limit (Windows), as many as one likes; where it does not say (a sandbox), the
    usual 1,024.
    """
    try:
        import resource
    except ImportError:
        return NO_LIMIT
    try:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft == resource.RLIM_INFINITY:
            return NO_LIMIT
        if soft < wanted:
            most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
        return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    except (OSError, ValueError):
        return UNKNOWN


# ---- a flood of log lines becomes a few


WITHIN_S = 60.0
MOST = 20
_MOST_KINDS = 200


class LogLimit(logging.Filter):
    """Lets *most* lines of one kind through *within_s*; the first after that says how many were left out.

    A kind is the unformatted message. *now_s* is a monotonic clock in seconds.
    """

    def __init__(
        self, most: int = MOST, within_s: float = WITHIN_S, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._most = most
        self._within_s = within_s
        self._now_s = now_s
        self._seen: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether *record* is written."""
        kind, now_s = str(record.msg)[:200], self._now_s()
        since_s, count = self._seen.get(kind, (now_s, 0))
        left_out = 0
        if now_s - since_s > self._within_s:
            left_out, since_s, count = max(0, count - self._most), now_s, 0
        elif kind not in self._seen and len(self._seen) >= _MOST_KINDS:
            self._seen.clear()
        self._seen[kind] = since_s, count + 1
        if left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out} more like this left out)", None
        return count < self._most


def limit_logs(*names: str) -> None:
    """Limit the loggers called *names*; once each, however often it is called."""
    for name in names:
        logger = logging.getLogger(name)
        if not any(isinstance(kept, LogLimit) for kept in logger.filters):
            logger.addFilter(LogLimit())
