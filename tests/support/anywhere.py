"""Make this process one in which nothing can be had that only POSIX systems have, as on Windows.

The standard library itself may go on with what it has loaded: Windows has its own versions of those parts.
Run `python tests/support/anywhere.py WORDS…` for `lastnose WORDS…` in such a process.
"""

from __future__ import annotations

import asyncio
import builtins
import multiprocessing
import os
import select
import selectors
import socket
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

MODULES = frozenset(("fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "syslog"))
OF_OS = ("fork", "forkpty", "openpty", "geteuid", "getgroups", "getloadavg", "chown", "killpg", "mkfifo")
STANDARD = Path(sysconfig.get_path("stdlib")).resolve()
assert asyncio, multiprocessing  # loaded before their POSIX parts are taken away


def _is_standard(caller: dict[str, Any] | None) -> bool:
    """Return whether the module with these globals belongs to Python itself."""
    file = (caller or {}).get("__file__") or ""
    if not file:
        return str((caller or {}).get("__name__", "")).startswith("importlib")
    path = Path(file).resolve()
    return STANDARD in path.parents and not {"site-packages", "dist-packages"} & set(path.parts)


def take_away() -> None:
    """Refuse imports of POSIX modules, and take their like out of os, select, signal and socket."""
    usual = builtins.__import__

    def guarded(name: str, globals: Any = None, *rest: Any, **named: Any) -> Any:
        if name.partition(".")[0] in MODULES and not _is_standard(globals):
            raise ModuleNotFoundError(f"No module named '{name}' (not on this system)", name=name)
        return usual(name, globals, *rest, **named)

    builtins.__import__ = guarded
    for name in OF_OS:
        if hasattr(os, name):
            delattr(os, name)
    for name in ("poll", "epoll"):
        if hasattr(select, name):
            delattr(select, name)
    for name in ("PollSelector", "EpollSelector"):
        if hasattr(selectors, name):
            delattr(selectors, name)
    selectors.DefaultSelector = selectors.SelectSelector  # type: ignore[misc]
    socket.socketpair = _pair_through_loopback  # type: ignore[assignment]
    del socket.AF_UNIX


def _pair_through_loopback(*_: Any) -> tuple[socket.socket, socket.socket]:
    """Return two connected sockets, made as Python makes them where there are no unix sockets."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        one = socket.create_connection(server.getsockname())
        other, _ = server.accept()
    return one, other


def main(words: list[str]) -> None:
    """Be `lastnose` in such a process."""
    run: Callable[[list[str]], Any]
    take_away()
    sys.path.insert(0, str(Path(__file__).parent.parent.parent))
    from lastnose.companion.cli import main as run

    from tests.support.patient import be_patient

    be_patient()
    run(words)


if __name__ == "__main__":
    main(sys.argv[1:])
