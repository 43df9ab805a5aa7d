"""What a table says to systemd, and what it does every few seconds: sd_notify(3) without a library.

READY=1 is said when the page is up. WATCHDOG=1 is said only after the judge's thread has answered, so that a
table that hangs or whose judge has died is restarted.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping

_log = logging.getLogger("lastnose.service")


class Notifier:
    """The socket on which systemd listens. `watchdog_s`: how soon it wants to hear again, None for never."""

    def __init__(self, address: str, watchdog_s: float | None = None) -> None:
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self.watchdog_s = watchdog_s

    def tell(self, *lines: str) -> None:
        """Say *lines* (`READY=1`, `STATUS=…`); a manager that does not listen is no error of ours."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.sendto("\n".join(lines).encode(), self._address)
        except OSError as problem:
            _log.debug("systemd does not listen: %s", problem)


def notifier(environ: Mapping[str, str] = os.environ, pid: int | None = None) -> Notifier | None:
    """Return the way to systemd, None when this process is not a service of its.

    >>> service = {"NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "9000000", "WATCHDOG_PID": "7"}
    >>> notifier(service, pid=7).watchdog_s
    9.0
    >>> notifier(service, pid=8).watchdog_s
    >>> notifier({})
    """
    address = environ.get("NOTIFY_SOCKET", "")
    if not address or not hasattr(socket, "AF_UNIX"):
        return None
    ours = environ.get("WATCHDOG_PID", "") in ("", str(os.getpid() if pid is None else pid))
    usec = environ.get("WATCHDOG_USEC", "")
    return Notifier(address, int(usec) / 1e6 if ours and usec.isdigit() and int(usec) else None)


class Watchdog:
    """Tells systemd three times in its period that all is well, as long as *well* says so.

    *well* is asked with the seconds that it may take to answer.
    """

    def __init__(self, to: Notifier, well: Callable[[float], bool]) -> None:
        self._to = to
        self._well = well
        self._every: Every | None = None

    def start(self) -> None:
        """Begin; does nothing when no watchdog listens."""
        if self._to.watchdog_s is not None:
            self._every = Every(self._to.watchdog_s / 3, self._beat, name="heartbeat")
            self._every.start()

    def _beat(self) -> None:
        assert self._to.watchdog_s is not None
        if self._well(self._to.watchdog_s / 3):
            self._to.tell("WATCHDOG=1")

    def stop(self) -> None:
        """Say no more; may be called twice."""
        if self._every is not None:
            self._every.stop()


class Every:
    """Calls *do* every *period_s* seconds on a thread of its own, the first time at once."""

    def __init__(self, period_s: float, do: Callable[[], None], *, name: str) -> None:
        self._period_s = period_s
        self._do = do
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End it; may be called twice."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1)

    def _run(self) -> None:
        while True:
            self._do()
            if self._ended.wait(self._period_s):
                return


# ---- How many files and connections this process may have open, and how much it may log.

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
    """Lets `MOST` lines of one kind through `WITHIN_S`; the first after that says how many were left out.

    A kind is the unformatted message. *now_s* is a monotonic clock in seconds.
    """

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now_s = now_s
        self._seen: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether *record* is written."""
        kind, now_s = str(record.msg)[:200], self._now_s()
        since_s, count = self._seen.get(kind, (now_s, 0))
        left_out = 0
        if now_s - since_s > WITHIN_S:
            left_out, since_s, count = max(0, count - MOST), now_s, 0
        elif kind not in self._seen and len(self._seen) >= _MOST_KINDS:
            self._seen.clear()
        self._seen[kind] = since_s, count + 1
        if left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out} more like this left out)", None
        return count < MOST


def limit_logs(*names: str) -> None:
    """Limit the loggers called *names*; once each, however often it is called."""
    for name in names:
        logger = logging.getLogger(name)
        if not any(isinstance(kept, LogLimit) for kept in logger.filters):
            logger.addFilter(LogLimit())
