"""The buzzer: tones in their order and time, cut short by news, and silence that stops nobody."""

from __future__ import annotations

import threading
from typing import get_args

import pytest
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.ports import Signal
from lastnose.companion.core.text import Text
from lastnose.hardware.outputs.buzzer import TUNES, Buzzer, Tone, TunePlayer, tune, voice_maker
from lastnose.hardware.sources.factories import mock_factory

WITHIN_S = 120
MS = 1_000_000


class FakeVoice:
    """A voice of our own port: keeps what it was told, fails when it is told to."""

    def __init__(self) -> None:
        self.heard: list[int | None] = []
        self.broken = False
        self.told = threading.Semaphore(0)

    def sound(self, hz: int | None) -> None:
        """Keep it."""
        if self.broken:
            raise OSError(19, "No such device")
        self.heard.append(hz)
        self.told.release()

    def close(self) -> None:
        """Do nothing."""


class Bench:
    """A buzzer whose thread has ended: the test takes its steps, at its own times."""

    def __init__(self) -> None:
        self.voice = FakeVoice()
        self.reports: list[str | None] = []
        self.now_ns = 0
        self.sound = TunePlayer(lambda: self.voice, report=self._hear, clock_ns=lambda: self.now_ns)
        assert self.voice.told.acquire(timeout=WITHIN_S)
        self.sound.close()
        self.voice.heard.clear()

    def _hear(self, says: Text | None) -> None:
        self.reports.append(None if says is None else str(says))

    def run(self, until_ms: int) -> list[tuple[int, int | None]]:
        """Step whenever it wants to, up to *until_ms*; return when it sounded what, in ms."""
        heard = []
        while True:
            before = len(self.voice.heard)
            due_ns = self.sound._bring(self.now_ns)
            heard += [(self.now_ns // MS, hz) for hz in self.voice.heard[before:]]
            if due_ns is None or due_ns > until_ms * MS:
                self.now_ns = until_ms * MS
                return heard
            self.now_ns = due_ns


def test_every_signal_has_a_tune_that_a_piezo_can_play() -> None:
    """Within the range of the device, over within a second."""
    assert set(get_args(Signal)) == set(TUNES)
    buzzer = Buzzer(18, mock_factory())
    for tones in TUNES.values():
        assert 0 < sum(tone.length_ms for tone in tones) < 1000
        for tone in tones:
            buzzer.sound(tone.hz)
            assert (tone.hz is not None) == buzzer.device.is_active
    buzzer.sound(2093)
    assert 2093 == pytest.approx(buzzer.device.pwm_device.pin.frequency, abs=1)
    buzzer.close()


def test_tones_come_one_after_the_other_and_then_silence() -> None:
    """Armed: 90 ms, a breath of 10 ms, 150 ms."""
    bench = Bench()
    bench.sound.play(("armed",))
    assert [(0, 2093), (90, None), (100, 3136), (250, None)] == bench.run(5000)


def test_two_signals_have_a_pause_between_them() -> None:
    """A verdict and its letter."""
    decided, letter = TUNES["decided"], TUNES["letter"]
    assert (*decided, Tone(None, 90), *letter) == tune(("decided", "letter"))
    assert () == tune(())


def test_news_cuts_short_what_still_sounds() -> None:
    """The second half of the verdict is never heard."""
    bench = Bench()
    bench.sound.play(("decided",))
    assert [(0, 1760)] == bench.run(100)
    bench.sound.play(("opened",))
    assert [(100, 3520), (140, 2637), (170, None)] == bench.run(5000)


def test_a_buzzer_that_fails_is_said_once_and_tried_again_in_silence() -> None:
    """What it should have played is over by then."""
    bench = Bench()
    bench.voice.broken = True
    bench.sound.play(("armed",))
    assert [] == bench.run(20_000)
    (says,) = bench.reports
    assert says is not None
    assert says.startswith("The buzzer cannot be reached; the page has tones, and the game goes on. ")
    assert says.endswith("Reason: [Errno 19] No such device")
    bench.voice.broken = False
    assert [None] == [hz for _, hz in bench.run(40_000)]
    assert [None] == bench.reports[1:]


@pytest.mark.parametrize("signals", [("armed",), ("decided", "letter")])
def test_playing_waits_for_nobody(signals: tuple[Signal, ...]) -> None:
    """The table's thread goes on at once; the tones come on the buzzer's own."""
    voice = FakeVoice()
    sound = TunePlayer(lambda: voice, report=lambda says: None)
    assert voice.told.acquire(timeout=WITHIN_S)
    sound.play(signals)
    assert voice.told.acquire(timeout=WITHIN_S)
    sound.close()
    assert TUNES[signals[0]][0].hz == voice.heard[1]


def test_a_missing_pin_is_a_device_error_that_names_it() -> None:
    """And leaves nothing taken."""
    factory = mock_factory()
    with pytest.raises(DeviceError, match="77"):
        Buzzer(77, factory)
    assert {} == dict(factory.pins)
    assert voice_maker(None, simulated=True) is None
    made = voice_maker(18, simulated=True)
    assert made is not None
    made().close()
