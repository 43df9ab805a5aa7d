"""A small fuzzer that coverage guides, on any Python: inputs that reach new arcs are changed further.

An arc is a step from one line to another in a file that counts. Runs are repeatable: chance has a seed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from random import Random
from types import FrameType, ModuleType
from typing import Any, NamedTuple

Arc = tuple[str, int, int]
SPLICES = (b"\0", b"\xff", b"\x7f", b"\x80", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f")


class Found(NamedTuple):
    """How often the target ran, which arcs it took, and the inputs that are worth keeping."""

    runs: int
    arcs: frozenset[Arc]
    corpus: tuple[bytes, ...]


def arcs_of(target: Callable[[bytes], object], data: bytes, files: frozenset[str]) -> set[Arc]:
    """Run *target* on *data*; return the arcs that it takes in *files*. What it raises goes through."""
    arcs: set[Arc] = set()

    def enter(frame: FrameType, event: str, _: Any) -> Any:
        file = frame.f_code.co_filename
        if file not in files:
            return None
        before = -frame.f_code.co_firstlineno

        def step(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal before
            if event == "line":
                arcs.add((file, before, frame.f_lineno))
                before = frame.f_lineno
            return step

        return step

    former = sys.gettrace()
    sys.settrace(enter)
    try:
        target(data)
    finally:
        sys.settrace(former)
    return arcs


def fuzz(
    target: Callable[[bytes], object],
    seeds: Iterable[bytes],
    modules: Iterable[ModuleType],
    *,
    runs: int,
) -> Found:
    """Run *target* on *seeds* and what becomes of them, *runs* times in all.

    An exception ends it; the input that raised it is told as a note.
    """
    chance, files = Random(1), frozenset(str(module.__file__) for module in modules)
    known: set[Arc] = set()
    corpus: list[bytes] = []
    waiting, ran = list(seeds), 0
    while waiting or ran < runs:
        data = waiting.pop() if waiting else changed(chance, corpus)[:400]
        ran += 1
        try:
            new = arcs_of(target, data, files) - known
        except Exception as error:
            error.add_note(f"the input was {data!r}")
            raise
        if new or not corpus:
            known |= new
            corpus.append(data)
    return Found(ran, frozenset(known), tuple(corpus))


def changed(chance: Random, corpus: list[bytes]) -> bytes:
    """Return one of *corpus*, mostly a late one, changed in one to four places."""
    data = bytearray(corpus[-1 - int(len(corpus) * chance.random() ** 2)])
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(7):
            case 0:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                data[at : at + 1] = bytes([data[at] ^ 1 << chance.randrange(8)]) if at < len(data) else b"\0"
            case 2:
                data[at:at] = chance.randbytes(chance.randrange(1, 9))
            case 3:
                del data[at : at + chance.randrange(1, 17)]
            case 4:
                splice = chance.choice(SPLICES)
                data[at : at + len(splice)] = splice
            case 5:
                data[at:at] = data[at : at + chance.randrange(1, 33)]
            case _:
                other = chance.choice(corpus)
                data[at:] = other[chance.randrange(len(other) + 1) :]
    return bytes(data)
