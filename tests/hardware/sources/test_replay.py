"""A tape as a source: moved to now, at its own pace, with promises for who made none."""

from __future__ import annotations

import queue

from lastnose.companion.core.model import Edge, Gap, Input, Levels, Watermark
from lastnose.companion.core.ports import Source
from lastnose.companion.timing.tape import ArmRecord, Header, MoveRecord, Tape
from lastnose.hardware.sources.replay import LEAD_NS, Replay, TapePlayer

MS = 1_000_000
HEADER = Header("pig", ("North", "East", "South"))


def edge(t_ns: int, line: str = "nose.1", source: str = "gpio") -> Edge:
    """Return a press."""
    return Edge(t_ns, source, line, 1, 10)


def test_distances_are_kept_and_the_earliest_entry_is_now() -> None:
    """Also when the earliest entry is not the first; a gap is moved as a whole and told when it is over."""
    player = TapePlayer((edge(700), Gap(500, 900, "gpio"), edge(950, "nose.2")), 10_000)

    def told(now_ns: int) -> list[object]:
        return [item for item in player.until(now_ns) if not isinstance(item, Watermark)]

    assert [] == told(10_199)
    assert [edge(10_200)] == told(10_399)
    assert [Gap(10_000, 10_400, "gpio")] == told(10_400)
    assert [edge(10_450, "nose.2")] == told(10_450)


def test_a_source_without_promises_is_given_the_clock() -> None:
    """Short of what it still has on the tape; after the end, the clock."""
    player = TapePlayer((edge(0), edge(100, "nose.2")), 1_000)
    assert [edge(1_000), Watermark(1_050, "gpio")] == list(player.until(1_050))
    assert [edge(1_100, "nose.2"), Watermark(1_130, "gpio")] == list(player.until(1_130))
    assert [Watermark(9_000, "gpio")] == list(player.until(9_000))


def test_a_late_entry_of_an_unpromising_source_is_not_promised_away() -> None:
    """The tape has an older edge behind a newer one: until it is told, nothing later is promised."""
    player = TapePlayer((edge(100), edge(0, "nose.2"), edge(300, "nose.3")), 1_000)
    assert [Watermark(1_000, "gpio")] == list(player.until(1_050))
    assert [edge(1_100), edge(1_000, "nose.2"), Watermark(1_200, "gpio")] == list(player.until(1_200))


def test_promises_on_the_tape_are_kept_as_they_are() -> None:
    """Until the tape is over; one beyond its end comes at its end."""
    tape = (edge(0), Watermark(40, "gpio"), edge(100), Watermark(10**9, "gpio"))
    player = TapePlayer(tape, 1_000)
    assert [edge(1_000)] == list(player.until(1_030))
    assert [Watermark(1_040, "gpio")] == list(player.until(1_050))
    assert [edge(1_100), Watermark(1_000 + 10**9, "gpio"), Watermark(1_100, "gpio")] == list(
        player.until(1_100)
    )


def test_every_source_begins_with_levels() -> None:
    """Those of the tape, or none held."""
    tape = (Levels({"nose.1": 1}, 0, "box"), edge(5), edge(6, source="box"))
    assert [Levels({}, 1_000, "gpio")] == list(TapePlayer(tape, 1_000).first())


def test_what_people_did_goes_to_the_command() -> None:
    """Arming and moves come in their place, with moved times."""
    now_ns = [0]
    commands: list[ArmRecord | MoveRecord] = []
    told: queue.SimpleQueue[Input] = queue.SimpleQueue()
    tape = Tape(HEADER, (ArmRecord(50), edge(60), MoveRecord({"type": "talked", "seat": 2}, 70)))
    source: Source = Replay(tape, command=commands.append, clock=lambda: now_ns[0])
    assert source.simulated
    source.start(told.put, lambda _: None)
    assert Levels({}, LEAD_NS, "gpio") == told.get(timeout=120)
    now_ns[0] = LEAD_NS + 100
    while told.get(timeout=120) != edge(LEAD_NS + 10):
        pass
    while told.get(timeout=120) != Watermark(LEAD_NS + 100, "gpio"):
        pass
    source.close()
    source.close()
    assert [ArmRecord(LEAD_NS), MoveRecord({"type": "talked", "seat": 2}, LEAD_NS + 20)] == commands


def test_twice_the_speed_keeps_the_distances_of_the_tape() -> None:
    """After half the time the second edge is there, with its own stamp."""
    now_ns = [0]
    told: queue.SimpleQueue[Input] = queue.SimpleQueue()
    source = Replay(Tape(HEADER, (edge(0), edge(200, "nose.2"))), speed=2.0, clock=lambda: now_ns[0])
    source.start(told.put, lambda _: None)
    now_ns[0] = LEAD_NS + 100
    while told.get(timeout=120) != edge(LEAD_NS + 200, "nose.2"):
        pass
    source.close()


def test_at_once_everything_is_told_without_waiting() -> None:
    """The whole tape, with the promises that always followed."""
    player = TapePlayer((edge(0), edge(10**12, "nose.2")), 1_000, at_once=True)
    told = list(player.until(0))
    assert [edge(1_000), edge(1_000 + 10**12, "nose.2")] == [item for item in told if isinstance(item, Edge)]
