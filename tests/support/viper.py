"""MicroPython's viper as far as the firmware uses it: pointers, and memory of 32-bit words that wrap.

Not the compiler: what it makes of the same lines runs on the chip only. An access outside every buffer fails.
"""

from __future__ import annotations

import inspect
import struct
from array import array
from collections.abc import Callable
from types import ModuleType
from typing import Any

from lastnose.hardware.box import protocol

STEP = 0x10000
FIRST = 0x2000_0000
Buffer = bytearray | array | memoryview  # type: ignore[type-arg]


class Memory:
    """Buffers at addresses of their own."""

    def __init__(self) -> None:
        self._buffers: list[Buffer] = []

    def addressof(self, buffer: Buffer) -> int:
        """Return where *buffer* lies."""
        for at, one in enumerate(self._buffers):
            if one is buffer:
                return FIRST + at * STEP
        self._buffers.append(buffer)
        return FIRST + (len(self._buffers) - 1) * STEP

    def find(self, address: int) -> tuple[memoryview, int]:
        """Return the bytes of the buffer at *address*, and how far in it that is."""
        number, offset = divmod(address - FIRST, STEP)
        assert 0 <= number < len(self._buffers), f"nothing lies at {address:#x}"
        return memoryview(self._buffers[number]).cast("B"), offset

    def pointer(self, form: str) -> Callable[[Any], Pointer]:
        """Return `ptr8`, `ptr32` and so on: of an address, or of a buffer."""

        def make(where: Buffer | int) -> Pointer:
            return Pointer(self, where if isinstance(where, int) else self.addressof(where), form)

        return make


class Pointer:
    """An address of integers of *form* (as in struct)."""

    def __init__(self, memory: Memory, address: int, form: str) -> None:
        self._memory, self._address, self._form = memory, address, form

    def _at(self, index: int) -> tuple[memoryview, int]:
        size = struct.calcsize(self._form)
        where, offset = self._memory.find((self._address + index * size) & 0xFFFF_FFFF)
        assert 0 <= offset <= len(where) - size, "outside its buffer"
        assert offset % size == 0, "the chip reads no word across words"
        return where, offset

    def __getitem__(self, index: int) -> int:
        where, offset = self._at(index)
        return int(struct.unpack_from(self._form, where, offset)[0])

    def __setitem__(self, index: int, value: int) -> None:
        where, offset = self._at(index)
        size = struct.calcsize(self._form)
        struct.pack_into(self._form.upper(), where, offset, value & ((1 << 8 * size) - 1))


def load() -> tuple[Any, Memory]:
    """Return the firmware's `quick` as a module of this Python, and the memory that it works on."""
    memory = Memory()
    pointers = {"ptr8": memory.pointer("B"), "ptr32": memory.pointer("i")}

    def viper(function: Callable[..., Any]) -> Callable[..., Any]:
        kinds = [one.annotation for one in inspect.signature(function).parameters.values()]

        def run(*given: Any) -> Any:
            assert len(given) == len(kinds) <= 4, "viper takes four arguments at most"
            pairs = zip(kinds, given, strict=True)
            return function(*(one if kind is int else kind(one) for kind, one in pairs))

        return run

    micropython, uctypes = ModuleType("micropython"), ModuleType("uctypes")
    micropython.viper = viper  # type: ignore[attr-defined]
    uctypes.addressof = memory.addressof  # type: ignore[attr-defined]
    given = {"micropython": micropython, "uctypes": uctypes}
    return protocol.load_with("quick", given, pointers), memory
