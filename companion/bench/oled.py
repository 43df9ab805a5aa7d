"""How long a picture for the OLED takes to draw, for every phase of a game among thirteen."""

from __future__ import annotations

from companion.bench.figures import SPREAD, Group, Plan, Row, Table, spread
from companion.kit import Scenario
from companion.log import Evening
from companion.scoreboard import make
from companion.snapshot import Live, Snapshot
from companion.text import Text, text
from companion.timing import Settings
from hardware.oled import time_rendering

PLAYERS = tuple(f"Geneviève {letter}" for letter in "ABCDEFGHIJKLM")
AIM_MS = 4.0
PHASES: dict[str, Text] = {
    "setup": text("set-up"),
    "blocked": text("blocked"),
    "ready": text("ready"),
    "armed": text("armed"),
    "judging": text("judging"),
    "verdict": text("verdict"),
    "dead-heat": text("dead heat"),
    "void": text("void"),
    "won": text("won"),
}


def measure(plan: Plan) -> Group:
    """Draw every phase 200 times."""
    found = snapshots()
    rows = tuple(
        Row(
            phase.replace("-", "_"),
            label,
            spread(time_rendering(found[phase], times=10 if plan.quick else 200), p50_aim_ms=AIM_MS),
        )
        for phase, label in PHASES.items()
    )
    return Group((Table(SPREAD, rows),))


def snapshots() -> dict[str, Snapshot]:
    """Play a short evening and return a snapshot of each phase.

    >>> set(snapshots()) == set(PHASES)
    True
    """
    empty = make(Evening(), Live(simulated=True))
    game = Scenario("pig", PLAYERS, settings=Settings(rearm_ns=None), sudden_death=True)
    found = {empty.phase: empty, game.snapshot.phase: game.snapshot}

    def keep(snapshot: Snapshot) -> None:
        found.setdefault(snapshot.phase, snapshot)

    game.table.subscribe(keep)
    game.press(PLAYERS[0], at_us=0)
    game.wait(1)
    game.arm()
    game.release(PLAYERS[0], at_us=0)
    game.wait(1)
    game.press(PLAYERS[0], at_us=2_000_000)
    game.wait(1)
    game.void()
    game.release(PLAYERS[0], at_us=0)
    for gap_us in (1, *(300 for _ in PLAYERS[2:])):  # a dead heat, then everybody leaves but two
        game.arm()
        for turn, player in enumerate(game.players_in):
            game.press(player, at_us=turn * gap_us)
        game.judge()
    return found
