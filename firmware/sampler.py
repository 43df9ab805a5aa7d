"""The sampler on the chip: PIO reads all pins, DMA fills a ring; a pad that is not wanted is off.

Ticks are the PIO's. The microsecond timer, on the same crystal, tells the tick of now (`Relation`).
"""

import sys
import time
from array import array

import micropython
import program
import quick
import rp2
from machine import Pin, mem32
from relation import MASK32, Relation
from ring import Ring
from uctypes import addressof

PINS = tuple(range(23)) + (26, 27, 28)
SIZE = 1024
RING_BITS = 13  # of SIZE * 8 bytes
COUNT = 0x0FFFFFFF  # the most words that every chip's DMA counts
HZ = 5_000_000
TICKS_PER_US = 5
UNDER_WAY_US = 2  # from a change until it lies in the ring
PATIENCE_US = 100_000

_RP2350 = "RP2350" in sys.implementation._machine
_PADS = 0x40038000 if _RP2350 else 0x4001C000
_TIMER = (0x400B0000 if _RP2350 else 0x40054000) + 0x28  # TIMERAWL
_FDEBUG = 0x50200008
_DMA = 0x50000000  # TRANS_COUNT of a channel is 8 beyond 64 times its number
_GPIO_IN = 0xD0000004  # of the SIO
_RXSTALL = 1  # of state machine 0
_INPUT_ENABLE = 1 << 6


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
        self._room, self.memory = _aligned()
        self._ring = Ring(self.memory, lambda: COUNT - self._dma.count)
        self._none = array("I", (COUNT,))  # as if the DMA had written nothing
        self.words = array("I", bytes(4 * quick.WORDS))
        self.words[quick.TIMER], self.words[quick.FDEBUG], self.words[quick.PINS] = _TIMER, _FDEBUG, _GPIO_IN
        self.words[quick.DMA] = addressof(self._none)
        self._relation = Relation(TICKS_PER_US)
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
        words = self.words
        words[quick.OFFSET] = self._relation.tick(0)
        words[quick.SKIPPED] = self._ring.skipped
        words[quick.KNOWN] = self._relation.known
        words[quick.DMA] = _DMA + 0x40 * self._dma.channel + 8

    def stop(self):
        """Stop PIO and DMA; nothing writes into memory any more."""
        self.words[quick.DMA], self.words[quick.SKIPPED] = addressof(self._none), 0
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
        self._dma.config(read=self._machine, write=self.memory, count=COUNT, ctrl=control, trigger=True)
        self._machine.active(1)

    def _calibrate(self):
        """Let the program tell ticks at known times; in a storm of changes, take those that come anyway."""
        ring, relation = self._ring, Relation(TICKS_PER_US)
        for _ in range(16):
            before = ring.all_written()
            t0 = mem32[_TIMER]
            self._machine.exec(program.MARK)
            t1 = mem32[_TIMER]
            time.sleep_us(20)
            # Otherwise a pin moved meanwhile, or the mark fell into the telling of a change.
            if ring.all_written() == before + 1:
                relation.take(ring.tick_of(before), t0, t1)
        if not relation.known:
            self._calibrate_in_storm(relation)
        self._relation = relation
        ring.begin()

    def _calibrate_in_storm(self, relation):
        """Take events that came between two looks, unless so many did that they are gone again."""
        ring, end = self._ring, time.ticks_add(time.ticks_us(), PATIENCE_US)
        for _ in range(16):
            t0 = mem32[_TIMER]
            before = after = ring.all_written()
            while after == before and time.ticks_diff(end, time.ticks_us()) > 0:
                after = ring.all_written()
            t1 = mem32[_TIMER]
            tick = ring.tick_of(before)
            if before < after and ring.all_written() < before + SIZE:
                relation.take(tick, (t0 - UNDER_WAY_US) & MASK32, t1)

    @micropython.viper
    def written(self) -> int:
        """Return how many events there are."""
        words = ptr32(self.words)
        return ((0x0FFFFFFF - ptr32(words[1])[0]) >> 1) - words[5]

    @micropython.viper
    def time(self) -> int:
        """Return the time in 1,024 µs, 22 bits."""
        words = ptr32(self.words)
        return (ptr32(words[0])[0] >> 10) & 0x3FFFFF

    def copy(self, first, count):
        """Return a copy of the bytes of *count* events from *first* on."""
        return self._ring.copy(first, count)

    def now(self):
        """Return the tick of now, to `slack`."""
        return self._relation.tick(mem32[_TIMER])

    @property
    def slack(self):
        """By how many ticks `now` may differ from the ticks of events."""
        return self._relation.slack

    def pins(self):
        """Return the pins as they are."""
        return mem32[_GPIO_IN] & MASK32

    @micropython.viper
    def stalled(self) -> int:
        """Return whether a change could not be told, the DMA is about to end, or ticks of now are unknown."""
        words = ptr32(self.words)
        if ptr32(words[1])[0] < 4096 or words[6] == 0:
            return 1
        return ptr32(words[2])[0] & 1

    def pulse(self, level):
        """Drive the sync wire."""
        self._pulse.value(level)
