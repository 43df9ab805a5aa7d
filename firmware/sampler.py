"""The sampler on the chip: PIO reads all pins, DMA fills a ring; a pad that is not wanted is off.

Ticks are the PIO's. The microsecond timer, on the same crystal, tells the tick of now: `_calibrate`
finds the constant between the two and how well it is known (`slack`).
"""

import sys
import time

import program
import rp2
from machine import Pin, mem32
from uctypes import addressof

PINS = tuple(range(23)) + (26, 27, 28)
SIZE = 1024
RING_BITS = 13  # of SIZE * 8 bytes
COUNT = 0x0FFFFFFF  # the most words that every chip's DMA counts
HZ = 5_000_000
MASK32 = 0xFFFFFFFF

_RP2350 = "RP2350" in sys.implementation._machine
_PADS = 0x40038000 if _RP2350 else 0x4001C000
_TIMER = (0x400B0000 if _RP2350 else 0x40054000) + 0x28  # TIMERAWL
_FDEBUG = 0x50200008
_RXSTALL = 1  # of state machine 0
_INPUT_ENABLE, _ISOLATED = 1 << 6, 1 << 8


def _aligned():
    """Return a buffer and the ring in it, whose address is a multiple of its length."""
    room = bytearray(2 << RING_BITS)
    skip = -addressof(room) & ((1 << RING_BITS) - 1)
    return room, memoryview(room)[skip : skip + (1 << RING_BITS)]


class Sampler:
    """Keep the last SIZE events; see box.py for what is asked of it."""

    hz = HZ
    size = SIZE

    def __init__(self):
        self.mask = 0
        self.mask_before = 0
        self.slack = 0
        self._room, self._ring = _aligned()
        self._offset = 0
        self._skipped = 0
        self._program = program.build(rp2)
        self._machine = None
        self._dma = None
        self._pulse = None

    def start(self, mask, pulse_pin):
        """Watch the pins in *mask*, pulled up; drive *pulse_pin* (255: none), which is watched too."""
        for number in PINS:
            if number != pulse_pin:
                Pin(number, Pin.IN, Pin.PULL_UP if mask >> number & 1 else Pin.PULL_DOWN)
        for number in range(30):
            pad = _PADS + 4 + 4 * number
            wanted = mask >> number & 1
            mem32[pad] = mem32[pad] | _INPUT_ENABLE if wanted else mem32[pad] & ~_INPUT_ENABLE
        self._pulse = Pin(pulse_pin, Pin.OUT, value=0) if pulse_pin != 255 else None
        if self._pulse is not None:
            mem32[_PADS + 4 + 4 * pulse_pin] |= _INPUT_ENABLE
        self._run()
        self.mask = self.mask_before = mask
        self._calibrate()

    def stop(self):
        """Stop PIO and DMA; nothing writes into memory any more."""
        if self._machine is not None:
            self._machine.active(0)
        if self._dma is not None:
            self._dma.active(0)
            self._dma.close()
            self._dma = None
        if self._machine is not None:
            rp2.PIO(0).remove_program()
            self._machine = None
        self.mask = 0

    def _run(self):
        self._machine = rp2.StateMachine(0, self._program, freq=HZ * program.CYCLES_PER_TICK, in_base=Pin(0))
        while self._machine.rx_fifo():
            self._machine.get()
        mem32[_FDEBUG] = _RXSTALL
        self._dma = rp2.DMA()
        control = self._dma.pack_ctrl(
            size=2, inc_read=False, inc_write=True, ring_size=RING_BITS, ring_sel=True, treq_sel=4
        )
        self._dma.config(read=self._machine, write=self._ring, count=COUNT, ctrl=control, trigger=True)
        self._skipped = 0
        self._machine.active(1)

    def _calibrate(self):
        """Let the program tell ticks at known times; keep the narrowest bounds of tick minus timer."""
        low, high = -(1 << 31), 1 << 31
        for _ in range(16):
            before = self._all_written()
            t0 = mem32[_TIMER]
            self._machine.exec(program.MARK)
            t1 = mem32[_TIMER]
            time.sleep_us(20)
            if self._all_written() != before + 1:
                continue  # a pin moved meanwhile, or the mark fell into the telling of a change
            slot = (before % SIZE) * 8 + 4
            tick = int.from_bytes(self._ring[slot : slot + 4], "little")
            if high == 1 << 31:
                self._offset = (tick - t1 * 5) & MASK32
            nearest = ((tick - t1 * 5 - self._offset + (1 << 31)) & MASK32) - (1 << 31)
            low, high = max(low, nearest - 5), min(high, nearest + ((t1 - t0) & MASK32) * 5 + 5)
        self._offset = (self._offset + (low + high) // 2) & MASK32
        self.slack = max(5, (high - low) // 2 + 6) if high - low < 60_000 else 60_000
        self._skipped = max(0, self._all_written() - 1)  # the last one tells how the pins are

    def _all_written(self):
        return (COUNT - self._dma.count) // 2

    def written(self):
        """Return how many events there are."""
        return self._all_written() - self._skipped

    def copy(self, first, count):
        """Return the bytes of *count* events from *first* on."""
        start = (first + self._skipped) % SIZE
        if start + count <= SIZE:
            return self._ring[start * 8 : (start + count) * 8]
        return bytes(self._ring[start * 8 :]) + bytes(self._ring[: (start + count - SIZE) * 8])

    def now(self):
        """Return the tick of now, to `slack`."""
        return (mem32[_TIMER] * 5 + self._offset) & MASK32

    def pins(self):
        """Return the pins as they are."""
        return mem32[0xD0000004] & MASK32  # SIO GPIO_IN

    def stalled(self):
        """Return whether a change could not be told, or the DMA is about to end."""
        if self._dma.count < 4 * SIZE:
            return True
        return bool(mem32[_FDEBUG] & _RXSTALL)

    def pulse(self, level):
        """Drive the sync wire."""
        self._pulse.value(level)
