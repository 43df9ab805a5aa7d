"""The small screen, the lamps and the buzzer of a table: opened where it has any."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Protocol

from companion.config.settings import RunSettings
from companion.core.ports import Display, Lamp, Lamps, Report, Signal, Sound
from companion.i18n import translator


class Moment(Protocol):
    """What lamps and buzzer need of a snapshot, or of a view of the self-test."""

    @property
    def lamps(self) -> tuple[Lamp, ...]:
        """Return the lamps of the seats."""

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Return what is to be heard once by whoever comes to see `signalled` grow."""

    @property
    def signalled(self) -> int:
        """Return which version brought the signals."""


Show = Callable[[Moment], None]


def open_display(settings: RunSettings, reporter: Callable[[str], Report], stack: ExitStack) -> Display:
    """Open the small screen; *reporter* says how it tells its trouble, *stack* closes it."""
    from hardware.oled.display import Oled

    display = Oled(settings.oled, translate=translator(settings.language), report=reporter("oled"))
    stack.callback(display.close)
    return display


def open_outputs(
    settings: RunSettings,
    reporter: Callable[[str], Report],
    stack: ExitStack,
    now: Moment,
    *,
    simulated: bool,
) -> Show:
    """Open lamps and buzzer and show them *now*; return what shows them each later moment.

    Those of a *simulated* table are simulated, too. *reporter* says how a device tells its trouble; *stack*
    closes them.
    """
    from hardware.outputs.buzzer import TunePlayer, voice_maker
    from hardware.outputs.lamps import SeatLamps, row_maker

    pins = settings.profile.pins
    shows: list[Show] = []
    row = row_maker(pins.lamps, pins.leds, len(settings.wired_noses), simulated=simulated)
    if row is not None:
        lamps: Lamps = SeatLamps(row, report=reporter("lamps"))
        stack.callback(lamps.close)
        lamps.light(now.lamps)
        shows.append(lambda moment: lamps.light(moment.lamps))
    voice = voice_maker(pins.buzzer, simulated=simulated)
    if voice is not None:
        sound: Sound = TunePlayer(voice, report=reporter("buzzer"))
        stack.callback(sound.close)
        shows.append(hears(sound.play, now))

    def show_all(moment: Moment) -> None:
        for show in shows:
            show(moment)

    return show_all


def hears(play: Callable[[tuple[Signal, ...]], None], before: Moment) -> Show:
    """Return what plays the signals that come after *before*, each once."""
    until = before.signalled

    def hear(moment: Moment) -> None:
        nonlocal until
        if moment.signalled != until:
            until = moment.signalled
            play(moment.signals)

    return hear
