"""A UF2 that is flashed to an emulated Pico, heard by the lastnose that is installed: `python round.py FILE`.

A storm of edges first, of which none may be lost, then a round of Pig. All in the chip's own time, so that a
slow machine changes nothing. Only what is installed is imported.
"""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lastnose.companion.core.model import Edge, Gap, Input
from lastnose.companion.evening.commands import Start
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table
from lastnose.companion.wiring.profile import load_profile
from lastnose.hardware.box.session import BoxSession

MS = 1_000_000
PLAYERS = ("North", "East", "South", "West")
PRESSED_NS = {"South": 0, "East": 31 * MS, "North": 44 * MS, "West": 44 * MS + 900_000}  # after the first


class Pico:
    """The emulated board, with the box's side of `lastnose run` at the other end of its cable."""

    def __init__(self, uf2: Path) -> None:
        self._pins = load_profile("pico-party").lines
        self.session = BoxSession("box", self._pins)
        here = Path(__file__).parent
        self._process = subprocess.Popen(
            ["node", here / "pico.mjs", uf2.resolve()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=here,
        )
        self.now_ns = 0
        self.told: list[Input] = []
        self._ready = False
        self.table = Table(
            MemoryStore(),
            tuple(line for line in self._pins if line.startswith("nose.")),
            clock_ns=lambda: self.now_ns,
            wall_s=lambda: self.now_ns / 1e9,
        )

    def press(self, after_ns: dict[str, int], *, at_ns: int) -> None:
        """Let people touch their noses, each so long after *at_ns*, and stay there."""
        pin_of = {name: self._pins[f"nose.{seat}"] for seat, name in enumerate(PLAYERS, 1)}
        self._tell(edges=[[at_ns + ns, pin_of[name], 0] for name, ns in after_ns.items()])

    def storm(self, changes: int, *, every_ns: int) -> None:
        """Let all inputs change in turn, one *every_ns*, *changes* times each: pressed first, then let go."""
        pins = list(self._pins.values())
        begin_ns = self.now_ns + 5 * MS
        turns = [(number, pin) for number in range(changes) for pin in pins]
        self._tell(
            edges=[[begin_ns + n * every_ns, pin, number % 2] for n, (number, pin) in enumerate(turns)]
        )

    def until(self, done: Callable[[], bool], *, most_ms: int) -> bool:
        """Let time pass, as a box's thread does; return whether it was *done* in time."""
        end_ns = self.now_ns + most_ms * MS
        while self.now_ns < end_ns and not done():
            self._tell()
            self.table.publish()
        return done()

    def close(self) -> None:
        """Switch it off."""
        self._process.kill()
        self._process.wait()

    def _tell(self, **more: Any) -> None:
        to_box = self.session.outgoing(self.now_ns) if self._ready else b""
        command = {"run": 250_000, "send": b64encode(to_box).decode(), **more}
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps(command), file=self._process.stdin, flush=True)
        answer = json.loads(self._process.stdout.readline() or sys.exit("The emulated Pico has stopped."))
        self.now_ns, self._ready = answer["now"], answer["ready"]
        heard = self.session.receive(b64decode(answer["heard"]), self.now_ns)
        for item in (*heard, *self.session.overdue(self.now_ns)):
            self.told.append(item)
            self.table.feed(item)


def hear_a_storm(pico: Pico) -> str:
    """Let 5,000 edges come at 30,000 a second; return what was told, or end with what went wrong."""
    if not pico.until(lambda: pico.session.hello is not None and pico.session.settled, most_ms=3_000):
        sys.exit("The box did not greet within three seconds.")
    before = len(pico.told)
    pico.storm(200, every_ns=33_000)
    pico.until(lambda: False, most_ms=400)
    told = sum(isinstance(item, Edge) for item in pico.told[before:])
    if told != 5_000 or any(isinstance(item, Gap) for item in pico.told):
        sys.exit(f"Of 5,000 edges at 30,000 a second {told} were told.")
    return "All of 5,000 edges at 30,000 a second were told."


def play(pico: Pico) -> str:
    """Play a round of Pig; return what was judged, in a sentence, or end with what went wrong."""
    pico.table.execute(Start("pig", PLAYERS, {}), "script")
    pico.until(lambda: False, most_ms=20)
    pico.press(PRESSED_NS, at_ns=pico.now_ns + 5 * MS)
    if not pico.until(lambda: pico.table.queries.last_judged() > 0, most_ms=3_000):
        sys.exit("The round was not judged.")
    pico.until(lambda: False, most_ms=100)  # what comes later completes order and margin
    verdict = pico.table.queries.judged_again(pico.table.queries.last_judged())
    order = [PLAYERS[seat - 1] for seat in verdict.order]
    last = [PLAYERS[seat - 1] for seat in verdict.last]
    if (order, last, verdict.void) != (sorted(PRESSED_NS, key=PRESSED_NS.__getitem__), ["West"], None):
        sys.exit(f"It was judged as it was not played: {verdict}")
    margin_u_ns = verdict.margin_u_ns
    if verdict.margin_ns is None or margin_u_ns is None or abs(verdict.margin_ns - 900_000) > margin_u_ns:
        sys.exit(f"The margin is wrong by more than it says: {verdict}")
    assert pico.session.hello is not None
    version = ".".join(map(str, pico.session.hello.version))
    said = f"{verdict.margin_ns / 1000:.1f} ± {margin_u_ns / 1000:.1f} µs"
    return f"Firmware {version} judged as was played: West last, by {said} where it was 900.0."


def main(words: list[str]) -> None:
    """Flash the file that is named, and play."""
    if len(words) != 1 or not Path(words[0]).is_file():
        sys.exit("Say: python round.py lastnose-pico.uf2")
    pico = Pico(Path(words[0]))
    try:
        print(hear_a_storm(pico))
        print(play(pico))
    finally:
        pico.close()


if __name__ == "__main__":
    main(sys.argv[1:])
