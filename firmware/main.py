"""The buzzer box: wires LED, USB and sampler to the protocol, until the host says leave."""

import gc
import os
import select
import sys
import time

import micropython
from box import ARMED, DARK, FAULT, IDLE, LINK_LOST, Box
from machine import Pin, Timer, reset, unique_id
from quick import QuickLink
from sampler import Sampler

STEADY_MS = 10_000
BLINKS_MS = {ARMED: 0, IDLE: 1000, LINK_LOST: 250, FAULT: 80}


def usb(sampler):
    """Return the serial line of the USB, 8-bit clean."""
    ready = select.poll()
    ready.register(sys.stdin, select.POLLIN)
    return QuickLink(ready.ipoll, sys.stdin.buffer.readinto, sys.stdout.buffer.write, sampler)


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
    led = Led().show if has_led() else lambda _: None

    def lamp(state):
        led(state)
        if state != ARMED:
            gc.collect()  # now, and not in a round

    sampler = Sampler()
    boot = int.from_bytes(os.urandom(4), "little")
    box = Box(None, sampler, boot, unique_id(), lamp, usb(sampler))
    began = time.ticks_ms()
    micropython.kbd_intr(-1)
    try:
        while not box.leaves:
            box.poll()
    except Exception:
        # Out of memory, say: begin again, and tell the host. Not at once, so that the REPL can still be had.
        if time.ticks_diff(time.ticks_ms(), began) > STEADY_MS:
            reset()
        raise
    finally:
        micropython.kbd_intr(3)
        box.close()


run()
