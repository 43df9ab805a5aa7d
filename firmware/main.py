"""The buzzer box: wires LED, USB and sampler to the protocol, until the host says leave."""

import os
import select
import sys
import time

from box import ARMED, DARK, FAULT, IDLE, LINK_LOST, Box
from machine import Pin, Timer, reset, unique_id
from sampler import Sampler

import micropython

STEADY_MS = 10_000
BLINKS_MS = {ARMED: 0, IDLE: 1000, LINK_LOST: 250, FAULT: 80}


class Usb:
    """The serial line of the USB, 8-bit clean."""

    def __init__(self):
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def read(self):
        """Return the bytes that wait."""
        out = bytearray()
        while len(out) < 64 and self._poll.poll(0):
            out.extend(self._in.read(1))
        return out

    def write(self, data):
        """Send *data*."""
        self._out.write(data)


def has_led():
    """Return whether the LED hangs on a pin; a W has it on the radio, which the sampler cuts off."""
    return " W with " not in sys.implementation._machine


class Led:
    """Lit while armed; blinks slowly when idle, fast without a link, very fast after a loss."""

    def __init__(self):
        self._pin = Pin("LED", Pin.OUT)
        self._timer = Timer(-1)

    def show(self, state):
        """Show *state*."""
        self._timer.deinit()
        self._pin.value(state == ARMED)
        period = BLINKS_MS.get(state, 0)
        if state != DARK and period:
            self._timer.init(period=period, callback=lambda _: self._pin.toggle())


def run():
    """Serve the host."""
    lamp = Led().show if has_led() else None
    box = Box(Usb(), Sampler(), int.from_bytes(os.urandom(4), "little"), unique_id(), lamp)
    began = time.ticks_ms()
    micropython.kbd_intr(-1)
    try:
        while not box.leaves:
            box.poll()
    except Exception:
        # Out of memory, say: begin anew, and tell the host. Not at once, so that mpremote can still get in.
        if time.ticks_diff(time.ticks_ms(), began) > STEADY_MS:
            reset()
        raise
    finally:
        micropython.kbd_intr(3)
        box.close()


run()
