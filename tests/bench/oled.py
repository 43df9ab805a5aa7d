"""How long a picture for the OLED takes to draw, for every phase of a game among thirteen."""

from __future__ import annotations

import time

from lastnose.companion.evening.state import Evening
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings
from lastnose.companion.views.scoreboard import make
from lastnose.companion.views.snapshot import Live, Snapshot
from lastnose.hardware.oled.screens import count_pages, draw

from tests.bench.figures import SPREAD, BenchPlan, FigureGroup, FigureRow, FigureTable, spread

PLAYERS = tuple(f"Geneviève {letter}" for letter in "ABCDEFGHIJKLM")
AIM_MS = 4.0
SIZE = (128, 64)
PHASES: dict[str, str] = {
    "setup": "set-up",
    "blocked": "blocked",
    "ready": "ready",
    "armed": "armed",
    "judging": "judging",
    "verdict": "verdict",
    "dead-heat": "dead heat",
    "void": "void",
    "won": "won",
}


def measure(plan: BenchPlan) -> FigureGroup:
    """Draw every phase 200 times."""
    found = snapshots()
    rows = tuple(
        FigureRow(
            phase.replace("-", "_"),
            label,
            spread(rendering_ns(found[phase], 10 if plan.quick else 200), p50_aim_ms=AIM_MS),
        )
        for phase, label in PHASES.items()
    )
    return FigureGroup((FigureTable(SPREAD, rows),))


def rendering_ns(snapshot: Snapshot, times: int) -> list[int]:
    """Return how long each of *times* drawings of *snapshot* took, in nanoseconds; its pages take turns."""
    pages = count_pages(snapshot, SIZE)
    taken = []
    for turn in range(times):
        start_ns = time.perf_counter_ns()
        draw(snapshot, SIZE, page=turn % pages)
        taken.append(time.perf_counter_ns() - start_ns)
    return taken


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
