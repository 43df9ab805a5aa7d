"""kill -9 amid every kind of evening: what was answered with 200 is there, and the log is sound."""

from __future__ import annotations

import http.client
import random
import tempfile
import threading
import urllib.error
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path

from lastnose.companion.evening import log
from lastnose.companion.table.reader import LogReader

from tests.campaign.figures import Figure, none_of, times
from tests.campaign.process import TableProcess

GAMES = (
    *("pig", "hog", "donkey", "spoons", "forks-and-knives", "magarac", "vatra"),
    *("pig-10", "chickenfoot", "swedish-gin"),
)


def kills(scale: float) -> Iterable[Figure]:
    """Kill tables amid starts, verdicts, variations, undos and new evenings; full: 300 times."""
    chance, count = random.Random(1), times(scale, 300, 3)
    lost = broken = complained = said = 0
    with tempfile.TemporaryDirectory() as place:
        kept: set[str] = set()
        for number in range(count):
            data = Path(place) / f"{number // 30}"  # a log of thirty lives
            kept = kept if number % 30 else set()
            with TableProcess(data) as table:
                answered = _live(table, GAMES[number % len(GAMES)], number, chance)
                complained += "Traceback" in table.errors()
            kept |= answered
            said += len(answered)
            try:
                with closing(LogReader(data)) as reader:
                    reader.must_be_sound()
                    lost += len(kept - {one.name for one in reader.variations()})
                    log.fold(reader.events())
            except Exception as problem:
                print("   ", number, repr(problem))
                broken += 1
    yield none_of("kill -9: answered, and not on the disk", lost, said)
    yield none_of("kill -9: logs that are not sound or do not fold", broken, count)
    yield none_of("kill -9: tables that complained before", complained, count)


def _live(table: TableProcess, game: str, number: int, chance: random.Random) -> set[str]:
    """Play until the table is killed at any moment; return the names that it said it had kept."""
    answered: set[str] = set()
    timer = threading.Timer(chance.uniform(0.05, 1.2), table.kill)
    timer.start()
    with suppress(OSError, ValueError, http.client.HTTPException):  # killed in the middle of an answer
        table.do("start", game=game, players=["N", "E", "S", "W"])
        table.ask("/api/v1/clock", {"page": "campaign"})
        for turn in range(10_000):
            name = f"{number}.{turn}"
            table.do("save-variation", name=name, game="pig")
            answered.add(name)
            with suppress(urllib.error.HTTPError):
                match turn % 8:
                    case 1 | 2 | 3 | 4:
                        if turn % 8 == 1:
                            table.do("arm")
                        table.touch(turn % 8)
                    case 5:
                        for nose in (1, 2, 3, 4):
                            table.touch(nose, 0)
                    case 6:
                        table.do(chance.choice(["undo", "redo", "void", "arm"]))
                    case 7:
                        table.do(chance.choice(["new-evening", "finish", "arm"]))
                        table.do("start", game=game, players=["N", "E", "S", "W"])
    timer.join()
    return answered
