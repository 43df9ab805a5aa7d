"""Play two rounds of Pig on a running table: `two_rounds.py ADDRESS TOKEN [LINES]`.

The noses are those of the page (`--source mock`), or the kernel's simulated lines (gpio-sim) in the
folder LINES, wired as `home4` is. With the standard library alone, for it runs where only the package is.
Nose 3 is last by 100 ms, then nose 1.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

PLAYERS = ("North", "East", "South")
APART_S = 0.1
WITHIN_S = 120.0
TRIES = 5
BUSY, LATE = 503, 409
PAGE = {"page": "machine", "clock_u_ns": 0}
PINS = {1: 5, 2: 6, 3: 12}  # by nose, in home4
PULLS = ("pull-up", "pull-down")  # by level: a contact goes to ground


def main(address: str, token: str, lines: str = "") -> None:
    """Play; raise SystemExit when a verdict is not what was played."""

    def ask(path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        wish = urllib.request.Request(f"{address}/api/v1/{path}", data, headers)
        left = 1 if body is not None else TRIES  # the table may be busy: what only asks may ask again
        while True:
            try:
                with urllib.request.urlopen(wish, timeout=WITHIN_S) as answer:
                    return json.loads(answer.read() or b"null")
            except urllib.error.HTTPError as refused:
                left -= 1
                if refused.code != BUSY or not left:
                    raise
            time.sleep(1)

    def promise() -> None:  # as an open page does: one that is silent for three seconds is not believed
        if not lines:
            ask("taps", {**PAGE, "taps": [], "promised_ns": ask("clock")["t_ns"]})

    def wait_for(what: str, found: Callable[[], Any]) -> Any:
        until = time.monotonic() + WITHIN_S
        while time.monotonic() < until:
            value = found()
            if value:
                return value
            promise()
            time.sleep(0.2)
        raise SystemExit(f"In {WITHIN_S:.0f} s the table was not {what}.")

    def touch(order: tuple[int, ...], level: int) -> None:
        for nose in order:
            if lines:
                (Path(lines) / f"sim_gpio{PINS[nose]}/pull").write_text(PULLS[level])
            else:
                tap(nose, level)
            time.sleep(APART_S)
        promise()

    def tap(nose: int, level: int) -> None:
        for left in reversed(range(TRIES)):
            taps = [{"line": f"nose.{nose}", "level": level, "t_ns": ask("clock")["t_ns"]}]
            try:
                ask("taps", {**PAGE, "taps": taps})
            except urllib.error.HTTPError as refused:
                # It came too late: the machine is too slow for its own taps.
                if refused.code != LATE or not left:
                    raise
            else:
                return

    def rounds() -> list[Any]:
        return [one for one in ask("rounds")["rounds"] if one["judged"]]

    def play(order: tuple[int, ...]) -> str:
        before = len(rounds())
        if not lines:  # noses on pages wait for somebody to say play
            ask("commands", {"type": "arm"})
        wait_for("armed", lambda: ask("state")["phase"] == "armed")
        touch(order, 1)
        said = wait_for("done", lambda: rounds()[before:])[0]
        touch(order, 0)
        return "" if said["void"] else str(said["headline"])

    if not lines:
        ask("clock", {"page": PAGE["page"]})
    ask("commands", {"type": "start", "game": "pig", "players": list(PLAYERS), "rearm_s": 0.5})
    for order in ((1, 2, 3), (3, 2, 1)):
        # On a machine that is too slow for its own taps a round is void, as it should be: it is played again.
        said = next(filter(None, (play(order) for _ in range(TRIES))), "")
        if PLAYERS[order[-1] - 1] not in said:
            raise SystemExit(
                f"Nose {order[-1]} was last; the table says: {said or 'nothing but void rounds'}"
            )
        print(said, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
