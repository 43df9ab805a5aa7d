"""A port for a server that is started again: one that the system gives to nobody else meanwhile."""

from __future__ import annotations

import random
import socket

RANGE = (20_000, 32_000)  # below what Linux gives to whoever asks for any port


def free_port() -> int:
    """Return a port that nobody listens on."""
    while True:
        number = random.SystemRandom().randint(*RANGE)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", number))
            except OSError:
                continue
            return number
