"""Which source of edges the settings name, and what else can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lastnose.companion.config import plugins
from lastnose.companion.config.neighbours import Neighbours
from lastnose.companion.config.settings import RunSettings
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.ports import Display, Driver, Lamp, Lamps, Output, Report, Signal, Sound, Source
from lastnose.companion.i18n import translator
from lastnose.companion.timing.tape import ArmRecord, MoveRecord, Tape
from lastnose.companion.views.snapshot import Snapshot
from lastnose.companion.wiring.profile import ProfileTiming

if TYPE_CHECKING:
    from lastnose.hardware.box.boxes import Boxes, SimulatedBoxes
    from lastnose.hardware.sources.gpiochip import GpioChip
    from lastnose.hardware.sources.stream import Handed


class WiredSource(NamedTuple):
    """A source, not started; what moves lines that no wire moves; where it shows that a round is armed.

    `handed` counts how late events are handed over, where the kernel stamps them.
    """

    source: Source
    driver: Driver | None = None
    show_armed: Callable[[bool], None] | None = None
    handed: Handed | None = None


def make_source(
    settings: RunSettings,
    tape: Tape | None,
    obey: Callable[[ArmRecord | MoveRecord], None],
    spares: Mapping[str, int] | None = None,
) -> WiredSource:
    """Return the source that *settings* name, not started; *obey* takes the moves of *tape*.

    *spares* are pins beside those of the profile that are listened to as well. Noses on phones are beside
    wires a source of their own, and more simulated noses where all are simulated.
    """
    made = _make(settings, tape, obey, settings.profile.lines | dict(spares or {}))
    if not settings.phones or made.driver is not None:
        return made
    from lastnose.hardware.sources.mock import WithPhones, phone_lines

    phones = phone_lines(settings.phone_lines)
    return made._replace(source=WithPhones(made.source, phones), driver=phones)


def _make(
    settings: RunSettings,
    tape: Tape | None,
    obey: Callable[[ArmRecord | MoveRecord], None],
    lines: Mapping[str, int],
) -> WiredSource:
    profile = settings.profile
    match settings.source:
        case "gpiochip":
            chip = _pins(lines, profile.timing)
            return WiredSource(chip, handed=chip.handed)
        case "pins":
            from lastnose.hardware.sources.factories import wants_mock
            from lastnose.hardware.sources.pins import PinSource

            # gpiozero set to its mock factory is a wish, not a fallback: the table says SIMULATED.
            if wants_mock(None):
                return _mock(settings, lines)
            pins = PinSource(lines, u_ns=profile.timing.u_ns, late_ns=profile.timing.late_ns)
            return WiredSource(pins, handed=pins.handed)
        case "mock":
            return _mock(settings, lines)
        case "pages":
            return _on_pages(settings)
        case "box":
            return _with_boxes(make_boxes(settings))
        case "replay":
            from lastnose.hardware.sources.replay import Replay

            assert tape is not None
            return WiredSource(Replay(tape, command=obey, speed=settings.speed or None))
        case other:
            return WiredSource(plugins.make_source(other, lines))


def _on_pages(settings: RunSettings) -> WiredSource:
    """Return noses that pages and phones alone touch: nothing of them is simulated."""
    from lastnose.hardware.sources.mock import WithPhones, phone_lines

    pages = phone_lines(settings.phone_lines)
    return WiredSource(WithPhones(None, pages), driver=pages)


def _pins(lines: Mapping[str, int], timing: ProfileTiming) -> GpioChip:
    """Return the Pi's own pins, with what a profile says of the kernel's stamps."""
    from lastnose.hardware.sources.gpiochip import GpioChip

    return GpioChip(lines, u_ns=timing.u_ns, skew_ns=timing.skew_ns, late_ns=timing.late_ns)


def _mock(settings: RunSettings, lines: Mapping[str, int]) -> WiredSource:
    from lastnose.hardware.sources.mock import Mock

    mock = Mock(_and_phones(settings, lines))
    return WiredSource(mock, driver=mock)


def _with_boxes(boxes: Boxes | SimulatedBoxes) -> WiredSource:
    from lastnose.hardware.box.boxes import SimulatedBoxes

    driver = boxes if isinstance(boxes, SimulatedBoxes) else None
    return WiredSource(boxes, driver=driver, show_armed=boxes.show_armed)


def make_boxes(settings: RunSettings) -> Boxes | SimulatedBoxes:
    """Return the boxes of a table, with the Pi's own pins beside them if they are wanted."""
    from lastnose.hardware.box.boxes import Boxes, SimulatedBoxes
    from lastnose.hardware.box.simulated import PREFIX
    from lastnose.hardware.sources.mock import Mock

    wirings, sync_pin = settings.wirings, settings.profile.pins.sync
    if settings.beside is None:
        if not all(port.startswith(PREFIX) for port in settings.boxes):
            return Boxes(settings.boxes, wirings, sync_pin=sync_pin)
        phones = Mock(settings.phone_lines) if settings.phones else None
        return SimulatedBoxes(settings.boxes, wirings, sync_pin=sync_pin, beside=phones)
    sync = {} if sync_pin is None else settings.beside.sync_line
    hears = next(iter(sync), None)
    if settings.beside.board == "mock":
        pins = Mock(_and_phones(settings, wirings[-1] | sync))
        return SimulatedBoxes(settings.boxes, wirings[:-1], sync_pin=sync_pin, beside=pins, hears=hears)
    header = _pins(wirings[-1] | sync, settings.beside.timing)
    return Boxes(settings.boxes, wirings[:-1], sync_pin=sync_pin, beside=header, hears=hears)


def _and_phones(settings: RunSettings, lines: Mapping[str, int]) -> dict[str, int]:
    """Return simulated *lines* with those of phones, on numbers that are free."""
    above = max(lines.values(), default=-1) + 1
    return dict(lines) | {line: above + number for line, number in settings.phone_lines.items()}


# ---- The small screen, the lamps and the buzzer of a table: opened where it has any.


class Signalled(Protocol):
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


Show = Callable[[Signalled], None]


def open_display(settings: RunSettings, reporter: Callable[[str], Report], stack: ExitStack) -> Display:
    """Open the small screen; *reporter* says how it tells its trouble, *stack* closes it."""
    from lastnose.hardware.oled.display import Oled

    display = Oled(settings.oled, translate=translator(settings.language), report=reporter("oled"))
    stack.callback(display.close)
    return display


def open_outputs(
    settings: RunSettings,
    reporter: Callable[[str], Report],
    stack: ExitStack,
    now: Signalled,
    *,
    simulated: bool,
) -> tuple[Show, Callable[[tuple[Lamp, ...]], None] | None]:
    """Open lamps and buzzer and show them *now*; return what shows each later moment, and what lights lamps.

    Those of a *simulated* table are simulated, too. *reporter* says how a device tells its trouble; *stack*
    closes them.
    """
    from lastnose.hardware.outputs.buzzer import TunePlayer, voice_maker
    from lastnose.hardware.outputs.lamps import SeatLamps, row_maker

    pins = settings.profile.pins
    shows: list[Show] = []
    light = None
    row = row_maker(pins.lamps, pins.leds, len(settings.wired_noses), simulated=simulated)
    if row is not None:
        lamps: Lamps = SeatLamps(row, report=reporter("lamps"))
        stack.callback(lamps.close)
        light = lamps.light
        light(now.lamps)
        shows.append(lambda moment: lamps.light(moment.lamps))
    voice = voice_maker(pins.buzzer, simulated=simulated)
    if voice is not None:
        sound: Sound = TunePlayer(voice, report=reporter("buzzer"))
        stack.callback(sound.close)
        shows.append(hears(sound.play, now))

    def show_all(moment: Signalled) -> None:
        for show in shows:
            show(moment)

    return show_all, light


def open_neighbours(
    wanted: Neighbours, language: str, reporter: Callable[[str], Report], stack: ExitStack, now: Snapshot
) -> Callable[[Snapshot], None]:
    """Open what tells those outside; return what tells them of each moment after *now*.

    *reporter* says how an output tells its trouble; *stack* closes all.
    """
    from lastnose.hardware.outputs.neighbours import CompanionOutput, HookOutput, OutwardPort

    say = translator(language)
    outputs: dict[str, Output] = {}
    if wanted.mqtt is not None:
        from lastnose.hardware.outputs.mqtt import MqttOutput

        outputs["mqtt"] = MqttOutput(
            wanted.mqtt, name=wanted.called, table_id=wanted.id, say=say, report=reporter("mqtt")
        )
    for number, hook in enumerate(wanted.hook, 1):
        name = f"hook {number}"
        outputs[name] = HookOutput(hook, report=reporter(name), number=number)
    if wanted.companion is not None:
        outputs["companion"] = CompanionOutput(wanted.companion, report=reporter("companion"))
    for name, given in wanted.output.items():
        try:
            outputs[name] = plugins.make_output(name, given)
        except BadInput as problem:
            reporter(name)(problem.text)
    port = OutwardPort(outputs, now, table=wanted.called, say=say, reporter=reporter)
    stack.callback(port.close)
    return port.hear


def hears(play: Callable[[tuple[Signal, ...]], None], before: Signalled) -> Show:
    """Return what plays the signals that come after *before*, each once."""
    until = before.signalled

    def hear(moment: Signalled) -> None:
        nonlocal until
        if moment.signalled != until:
            until = moment.signalled
            play(moment.signals)

    return hear
