"""Start a program under the service's own filter of address families: `filtered.py UNIT PROGRAM WORDS…`.

What systemd does for `RestrictAddressFamilies=`, for machines in which it does not run: socket(2) of any
other family fails with EAFNOSUPPORT (seccomp(2)). With the standard library alone.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import re
import socket
import sys
from pathlib import Path

# linux/audit.h, and the number of socket(2), by machine.
MACHINES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06  # linux/filter.h
NR, ARCH, ARGUMENT = 0, 4, 16  # where struct seccomp_data has them
ALLOW, FAIL = 0x7FFF0000, 0x00050000
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, FILTER = 22, 38, 2


class Step(ctypes.Structure):
    """struct sock_filter."""

    _fields_ = (
        ("code", ctypes.c_uint16),
        ("yes", ctypes.c_uint8),
        ("no", ctypes.c_uint8),
        ("k", ctypes.c_uint32),
    )


class Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = (("length", ctypes.c_uint16), ("steps", ctypes.POINTER(Step)))


def allow_only(families: list[int]) -> None:
    """Let this process, and what it starts, open sockets of *families* alone."""
    arch, number = MACHINES[platform.machine()]
    allow = 6 + len(families)

    def to_allow(at: int) -> int:  # a jump counts from the step after it
        return allow - at - 1

    steps = [
        (LOAD, 0, 0, ARCH),
        (EQUAL, 0, to_allow(1), arch),
        (LOAD, 0, 0, NR),
        (EQUAL, 0, to_allow(3), number),
        (LOAD, 0, 0, ARGUMENT),
        *((EQUAL, to_allow(5 + at), 0, family) for at, family in enumerate(families)),
        (RETURN, 0, 0, FAIL | errno.EAFNOSUPPORT),
        (RETURN, 0, 0, ALLOW),
    ]
    made = Program(len(steps), (Step * len(steps))(*steps))
    libc = ctypes.CDLL(None, use_errno=True)
    refused = libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if refused or libc.prctl(PR_SET_SECCOMP, FILTER, ctypes.byref(made), 0, 0):
        raise OSError(ctypes.get_errno(), "the filter is refused")


def main(unit: str, *program: str) -> None:
    """Read the unit, close the rest, become *program*."""
    said = Path(unit).read_text(encoding="utf-8")
    names = " ".join(re.findall(r"^RestrictAddressFamilies=(.+)$", said, re.MULTILINE)).split()
    allow_only([int(getattr(socket, name)) for name in names])
    try:
        socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    except OSError as refused:
        if refused.errno != errno.EAFNOSUPPORT:
            raise
    else:
        sys.exit("The filter lets everything pass.")
    os.execvp(program[0], program)


if __name__ == "__main__":
    main(*sys.argv[1:])
