"""`lastnose box`: which buzzer boxes there are, our firmware on them, and how well they see and tell time."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

import click
import msgspec
from lastnose.companion.cli import completion
from lastnose.companion.cli.frame import (
    COMMANDS,
    FILE,
    CliGroup,
    Span,
    argument,
    define,
    json_option,
    option,
    print_json,
    say,
    speak,
)
from lastnose.companion.cli.table_options import BESIDE, WIRING
from lastnose.companion.core.errors import BadInput, DeviceError, unreadable, unwritable
from lastnose.companion.core.model import Edge, Gap, Input, Levels, Watermark
from lastnose.companion.core.ports import FoundBox
from lastnose.companion.core.text import Text, text
from lastnose.companion.core.units import figures, measured, uncertainty
from lastnose.companion.system import host_clock
from lastnose.companion.wiring.profile import load_profile

if TYPE_CHECKING:
    from lastnose.hardware.box.boxes import Boxes

PORT = "PORT|SERIAL|sim"
WIRED_AS = option(
    "--profile",
    metavar="NAME|FILE",
    default="pico-party",
    show_default=True,
    shell_complete=completion.profiles,
    help=WIRING,
)
SECONDS = text("How long to look.")


@click.command(
    "box",
    cls=CliGroup,
    help=COMMANDS["box"],
    examples=["lastnose box list", "lastnose box flash", "lastnose box watch", "lastnose box clock sim"],
)
def command() -> None:
    """Hold the members together."""


class Listed(msgspec.Struct, frozen=True):
    """A port that looks like a Pico, and what answers there. `state`: ours, busy, bare, silent."""

    port: str
    serial: str
    state: str
    firmware: str | None = None


@define(
    "list",
    help=text("List the boxes that are plugged in, with serial number and firmware."),
    examples=["lastnose box list", "lastnose box list --json"],
)
@json_option
def list_boxes(as_json: bool) -> int:
    """Ask every port that looks like a Pico; the status is 1 when there is none."""
    from lastnose.hardware.box.ports import find_ports

    found = [_look(one) for one in find_ports()]
    if as_json:
        print_json(found)
    elif not found:
        say(
            text(
                "No buzzer box is plugged in. Look at its cable: some only charge. lastnose box flash makes "
                "a box of a bare Pico; to try without one, name it sim."
            )
        )
    for one in () if as_json else found:
        click.echo(f"{one.port}  {one.serial}  {speak(_state(one))}")
    return 0 if found else 1


def _look(found: FoundBox) -> Listed:
    from lastnose.hardware.box.flash import ask_who
    from lastnose.hardware.box.ports import SerialPort

    port, serial = found.port, found.serial
    if found.kind == "bootloader":
        return Listed(port, serial, "bare")
    try:
        opened = SerialPort(port)
    except DeviceError:
        return Listed(port, serial, "busy")
    try:
        hello = ask_who(opened, 1.0)
    finally:
        opened.close()
    if hello is None:
        return Listed(port, serial, "silent")
    return Listed(port, hello.serial, "ours", _dotted(hello.version))


def _state(one: Listed) -> Text:
    match one.state:
        case "ours":
            return text("{what}: {says}", what=text("firmware"), says=one.firmware or "")
        case "busy":
            return text("in use, or not permitted")
        case _:
            return text("without our firmware: run lastnose box flash")


@define(
    "flash",
    help=text("Put our firmware on a Pico that has MicroPython; for a bare one, say how it gets that."),
    examples=["lastnose box flash", "lastnose box flash /dev/ttyACM0"],
)
@argument("port", required=False, shell_complete=completion.ports)
def flash(port: str | None) -> int:
    """Copy, restart and check; the status is 1 when only the steps for a bare Pico could be said."""
    from lastnose.hardware.box.flash import STEPS
    from lastnose.hardware.box.flash import flash as put_on
    from lastnose.hardware.box.ports import SerialPort, choose_port, find_ports

    found = find_ports()
    if port is None and not [one for one in found if one.kind == "MicroPython"]:
        say(text("There is no Pico with MicroPython. To put it on one:"))
        for step in STEPS:
            say(step)
        return 1
    device = port or choose_port(found, None)
    say(text("Copying the firmware to {port} …", port=device), err=True)
    hello = put_on(device, lambda: SerialPort(device))
    say(
        text(
            "The box at {port} ({serial}) has firmware {version}.",
            port=device,
            serial=hello.serial,
            version=_dotted(hello.version),
        )
    )
    return 0


@define(
    "uf2",
    help=text(
        "Put MicroPython’s .uf2 and our firmware into one file, to be copied onto a bare Pico’s drive."
    ),
    examples=["lastnose box uf2 RPI_PICO-v1.25.0.uf2", "lastnose box uf2 RPI_PICO2-v1.25.0.uf2 -o box.uf2"],
)
@argument("micropython", metavar="MICROPYTHON.uf2", type=FILE)
@option(
    "--output",
    "-o",
    default="lastnose.uf2",
    show_default=True,
    type=FILE,
    help=text("The file to write."),
)
def uf2(micropython: Path, output: Path) -> None:
    """Merge, and say what it is for."""
    from lastnose.hardware.box.flash import merge, read_image
    from lastnose.hardware.box.protocol import FILES, folder, version

    try:
        image = read_image(micropython.read_bytes())
    except OSError as error:
        raise BadInput(unreadable(micropython, error)) from None
    merged = merge(image, {name: (folder() / name).read_bytes() for name in FILES})
    try:
        output.write_bytes(merged)
    except OSError as error:
        raise BadInput(unwritable(output, error)) from None
    say(
        text(
            "{path} has MicroPython {version} for {board}, and firmware {firmware}: hold BOOTSEL, plug the "
            "Pico in, and copy it onto the drive that appears.",
            path=str(output),
            version=image.version,
            board=image.board.name,
            firmware=_dotted(version()),
        )
    )


@define(
    "watch",
    help=text("Show live what each input does, with times: press each nose once when the wiring is done."),
    examples=["lastnose box watch", "lastnose box watch --profile my-box.toml", "lastnose box watch sim"],
)
@argument("port", default="auto", metavar=PORT, shell_complete=completion.ports)
@WIRED_AS
@option("--seconds", type=Span(0), default=0.0, help=SECONDS)
@json_option
def watch(port: str, profile: str, seconds: float, as_json: bool) -> None:
    """Print levels, edges and gaps as they come."""
    with _running((port,), profile) as (_, heard):
        begin_ns: int | None = None
        for item in _until(heard, time.monotonic() + (seconds or float("inf"))):
            if isinstance(item, Watermark):
                continue
            at_ns = item.from_ns if isinstance(item, Gap) else item.t_ns
            begin_ns = at_ns if begin_ns is None else begin_ns
            if as_json:
                click.echo(msgspec.json.encode(item))
            else:
                click.echo(f"{(at_ns - begin_ns) / 1e9:12.6f}  {speak(_seen(item))}")


def _seen(item: Input) -> Text:
    match item:
        case Edge():
            state = text("closes") if item.level else text("opens")
            return Text(
                "{line} {state} (± {u})", {"line": item.line, "state": state, "u": uncertainty(item.u_ns)}
            )
        case Gap():
            return text("inputs may be missing for {ms} ms", ms=round((item.to_ns - item.from_ns) / 1e6))
        case Levels():
            closed = [line for line, level in item.levels.items() if level]
            return text("closed now: {lines}", lines=", ".join(closed) or "–")
    raise AssertionError(item)


@define(
    "clock",
    help=text("Say how well a box’s clock is known: round trip, rate, claimed error, what was lost."),
    examples=["lastnose box clock", "lastnose box clock sim:drift=80 --seconds 10 --json"],
)
@argument("port", default="auto", metavar=PORT, shell_complete=completion.ports)
@option("--seconds", type=Span(0.5), default=60.0, show_default=True, help=SECONDS)
@json_option
def clock(port: str, seconds: float, as_json: bool) -> None:
    """Watch the clock for a while and print what is known of it."""
    with _running((port,), "pico-party") as (boxes, heard):
        for _ in _until(heard, time.monotonic() + seconds):
            pass
        session = boxes.boxes[0].session
        known = session.quality()
    if as_json:
        print_json(known)
        return
    ppm, sure = figures(known["ppm"], known["ppm_u"])
    say(
        text(
            "quickest round trip {us} µs; rate {ppm} ppm, known to ± {sure} ppm; claimed error ± {u}",
            us=round(known["round_trip_us"], 1),
            ppm=ppm,
            sure=sure,
            u=uncertainty(math.ceil(known["clock_u_us"] * 1_000)),
        )
    )
    say(
        text(
            "{events} events; {damaged} frames damaged, {skipped} missing; {overruns} events overrun",
            events=session.counts.events,
            damaged=session.counts.damaged,
            skipped=session.counts.skipped,
            overruns=session.counts.overruns,
        )
    )


@define(
    "sync",
    help=text("Say how far boxes’ USB clocks are apart, by the pulses on the sync wire between them."),
    examples=[
        "lastnose box sync E66038B713000001 E66038B713000002",
        "lastnose box sync auto --beside my-pins.toml",
        "lastnose box sync sim sim --seconds 6",
    ],
)
@argument("ports", nargs=-1, metavar=PORT, shell_complete=completion.ports)
@WIRED_AS
@option("--beside", metavar="NAME|FILE", help=BESIDE)
@option("--seconds", type=Span(0.5), default=10.0, show_default=True, help=SECONDS)
@json_option
def sync(ports: tuple[str, ...], profile: str, beside: str | None, seconds: float, as_json: bool) -> int:
    """Print the offset of each box to the first; the status is 1 when something hears no pulse."""
    chosen = ports or (("auto",) if beside else ("auto", "auto"))
    for name in filter(None, (profile, beside)):
        if load_profile(name).pins.sync is None:
            raise DeviceError(text("The profile {name} has no sync wire: add pins.sync.", name=name))
    if len(chosen) == 1 and beside is None:
        raise BadInput(text("One box alone has nothing to be compared with: name two, or use --beside."))
    with _running(chosen, profile, beside) as (boxes, heard):
        wire = boxes.wire
        assert wire is not None, "the profile has a sync wire, and there is something to compare"
        for _ in _until(heard, time.monotonic() + seconds):
            pass
        offsets = {
            serial: wire.offset(box.name)
            for serial, box in list(zip(boxes.serials(), boxes.boxes, strict=True))[1:]
        }
        pins_ns = _pins_ns(boxes) if beside else None
    if as_json:
        found: list[dict[str, object]] = [
            {"serial": serial, "offset_ns": one and one[0], "u_ns": one and one[1]}
            for serial, one in offsets.items()
        ]
        print_json([*found, *([{"beside": beside, "u_ns": pins_ns}] if beside else [])])
    else:
        for serial, one in offsets.items():
            say(_offset(serial, one))
        if beside:
            say(_pins(pins_ns))
    return 0 if all(offsets.values()) and (pins_ns or not beside) else 1


def _pins_ns(boxes: Boxes) -> int | None:
    """Return how well the Pi's own pins know the first box's clock by the wire, None if they hear nothing."""
    if boxes.wire is None or not boxes.wire.anchored(host_clock.now_ns()):
        return None
    known: dict[str, float] = boxes.boxes[0].session.quality()
    return round(known["clock_u_us"] * 1_000)


def _pins(u_ns: int | None) -> Text:
    if u_ns is None:
        return text("{what}: no pulse heard. Is the sync wire on its pin?", what="Pi")
    return text(
        "The Pi’s own pins: they hear the pulses; by the wire the first box is known to ± {u}",
        u=uncertainty(u_ns),
    )


def _offset(serial: str, one: tuple[int, int] | None) -> Text:
    if one is None:
        return text("{what}: no pulse heard. Is the sync wire on its pin?", what=serial)
    ahead, sure = measured(*one)
    return text(
        "{serial}: USB clock {time} ahead of the first box; by the wire known to ± {u}",
        serial=serial,
        time=ahead,
        u=sure,
    )


@contextmanager
def _running(
    ports: tuple[str, ...], profile: str, beside: str | None = None
) -> Iterator[tuple[Boxes, SimpleQueue[Input]]]:
    """Run boxes, as a table would, and collect what they tell."""
    from lastnose.companion.app.sources import make_boxes
    from lastnose.companion.config.settings import run_settings

    settings = run_settings(source="box", boxes=ports, profile=profile, beside=beside)
    boxes = make_boxes(settings)
    heard: SimpleQueue[Input] = SimpleQueue()
    try:
        boxes.start(heard.put, _complain)
        yield boxes, heard
    finally:
        boxes.close()


def _complain(says: Text | None) -> None:
    say(text("“{name}” works again.", name="Pico") if says is None else says, err=True)


def _until(heard: SimpleQueue[Input], end: float) -> Iterator[Input]:
    """Yield what is heard until *end* of the monotonic clock, or Ctrl-C: so one stops watching."""
    with suppress(KeyboardInterrupt):
        while (left := end - time.monotonic()) > 0:
            try:
                yield heard.get(timeout=min(left, 0.2))
            except Empty:
                continue


def _dotted(version: tuple[int, int, int]) -> str:
    return ".".join(map(str, version))


for member in (list_boxes, flash, uf2, watch, clock, sync):
    command.add_command(member)
