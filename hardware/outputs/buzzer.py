"""The buzzer: signals in, tones on a pin out, through the kernel; simulated as well.

The latest signals cut short what still sounds. Tones are timed here, on a thread of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from lastnose.companion.core.ports import Report, Signal
from lastnose.companion.core.text import Text, text
from lastnose.companion.system import host_clock
from lastnose.hardware.outputs.kernel_pins import real_factory
from lastnose.hardware.outputs.worker import Retrying, Worker, as_device_error
from lastnose.hardware.sources.factories import PinFactory, let_go, mock_factory

PAUSE_MS = 90
# A small piezo is loudest between 2 and 4 kHz: two octaves above what the page plays.
MID_TONE_HZ, OCTAVES = 1760.0, 2


class Tone(NamedTuple):
    """A pitch (None: silence) and how long it sounds."""

    hz: int | None
    length_ms: int


TUNES: dict[Signal, tuple[Tone, ...]] = {
    "armed": (Tone(2093, 90), Tone(None, 10), Tone(3136, 150)),
    "opened": (Tone(3520, 40), Tone(2637, 30)),
    "decided": (Tone(1760, 150), Tone(1319, 260)),
    "wrong": (Tone(1047, 120), Tone(None, 20), Tone(880, 280)),
    "dead-heat": (Tone(1865, 60), Tone(1976, 60)) * 3,
    "tick": (Tone(2637, 25),),
    "time": (Tone(1319, 500),),
    "too-early": (Tone(880, 90),),
    "letter": (Tone(1568, 110), Tone(None, 10), Tone(1397, 110), Tone(None, 10), Tone(1175, 340)),
    # A team's, or a seat's: each its own two tones, which nobody has to tell apart by pitch alone.
    "side-1": (Tone(2093, 240),),
    "side-2": (Tone(1568, 100), Tone(None, 20), Tone(1568, 160)),
    "side-3": (Tone(2637, 80), Tone(None, 20)) * 3,
    "side-4": (Tone(1319, 140), Tone(1976, 200)),
    "side-5": (Tone(2349, 140), Tone(1397, 200)),
    "side-6": (Tone(1760, 80), Tone(2217, 80), Tone(2637, 140)),
    "side-7": (Tone(2637, 80), Tone(2217, 80), Tone(1760, 140)),
    "side-8": (Tone(3136, 60), Tone(1568, 60)) * 2,
}


def tune(signals: Iterable[Signal]) -> tuple[Tone, ...]:
    """Return the tones of *signals*, with a pause between two.

    >>> [tone.hz for tone in tune(["opened", "opened"])]
    [3520, 2637, None, 3520, 2637]
    """
    tones: list[Tone] = []
    for signal in signals:
        tones += [Tone(None, PAUSE_MS)] if tones else []
        tones += TUNES[signal]
    return tuple(tones)


class Voice(Protocol):
    """What sounds. Every call may raise OSError or a CompanionError."""

    def sound(self, hz: int | None) -> None:
        """Sound at *hz* from now on, None for silence."""

    def close(self) -> None:
        """Be silent and release the device."""


VoiceMaker = Callable[[], Voice]


class TunePlayer:
    """The buzzer of a table (companion.core.ports.Sound).

    It opens its device at once, so that a missing one is said before the first tone is due. *report* hears a
    Text when it fails and None when it is well again. *clock_ns* is for tests.
    """

    def __init__(
        self, make: VoiceMaker, *, report: Report, clock_ns: Callable[[], int] = host_clock.now_ns
    ) -> None:
        self._kept: Retrying[Voice] = Retrying(make, lambda voice: voice.close(), _unreachable, report)
        self._lock = threading.Lock()
        self._wanted: tuple[Tone, ...] | None = ()
        self._playing: list[Tone] = []
        self._ends_ns: int | None = None
        self._worker = Worker("buzzer", self._bring, self._kept.close, clock_ns)

    def play(self, signals: tuple[Signal, ...]) -> None:
        """Play *signals* from now on."""
        with self._lock:
            self._wanted = tune(signals)
        self._worker.wake()

    def close(self) -> None:
        """Be quiet and release the buzzer within a second; may be called twice."""
        self._worker.close()

    def _bring(self, now_ns: int) -> int | None:
        """Sound what is due at *now_ns*; return when the next tone is, or when to try the device again."""
        with self._lock:
            wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self._playing, self._ends_ns = list(wanted), now_ns
        if self._ends_ns is None:
            return self._retry(now_ns)
        if now_ns < self._ends_ns:
            return self._ends_ns
        tone = self._playing.pop(0) if self._playing else None
        worked = self._kept.use(lambda voice: voice.sound(tone.hz if tone else None), now_ns)
        if tone is None or not worked:
            self._playing, self._ends_ns = [], None
            return self._kept.retry_at_ns
        self._ends_ns += tone.length_ms * 1_000_000
        return self._ends_ns

    def _retry(self, now_ns: int) -> int | None:
        """Try a device that has failed; a tone whose time is over is not played."""
        if self._kept.retry_at_ns is not None:
            self._kept.use(lambda voice: voice.sound(None), now_ns)
        return self._kept.retry_at_ns


class Buzzer:
    """A piezo on a pin, through gpiozero; a `Voice`."""

    def __init__(self, pin: int, factory: PinFactory) -> None:
        from gpiozero import TonalBuzzer
        from gpiozero.tones import Tone as Pitch

        self._factory = factory
        with as_device_error():
            try:
                mid = Pitch.from_frequency(MID_TONE_HZ)
                self.device = TonalBuzzer(pin, mid_tone=mid, octaves=OCTAVES, pin_factory=factory)
            except BaseException:
                let_go(factory)
                raise

    def sound(self, hz: int | None) -> None:
        from gpiozero.tones import Tone as Pitch

        with as_device_error():
            if hz is not None:
                self.device.play(Pitch.from_frequency(hz))
                return
            self.device.stop()
            # A tone may end high, and a buzzer behind a transistor would draw current.
            self.device.pwm_device.pin.state = 0

    def close(self) -> None:
        with as_device_error():
            try:
                self.device.close()
            finally:
                let_go(self._factory)


def voice_maker(pin: int | None, *, simulated: bool) -> VoiceMaker | None:
    """Return what opens the buzzer on *pin*, None where there is none."""
    if pin is None:
        return None
    return lambda: Buzzer(pin, mock_factory() if simulated else real_factory())


def _unreachable(why: Text | str) -> Text:
    return text(
        "The buzzer cannot be reached; the page has tones, and the game goes on. Reason: {why}", why=why
    )
