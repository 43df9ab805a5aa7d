"""The kernel's character device: one request for all lines, every edge stamped in its interrupt.

No edge is lost unnoticed: what is missing from the kernel's numbering becomes a Gap, or, where an edge
only took the place of another, a wider error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec
from lastnose.companion.core.errors import DeviceError, no_permission, reason
from lastnose.companion.core.model import Edge, Input
from lastnose.companion.core.ports import Emit, Report
from lastnose.companion.core.text import text
from lastnose.companion.system import host_clock
from lastnose.hardware.sources.stream import LATE_NS, Handed, Sequence, Stream, Threaded

if TYPE_CHECKING:
    import gpiod

# ---- The lines of a kernel GPIO device: found, requested and read, or refused with a sentence that helps.

EVENT_BUFFER_SIZE = 1024
HEADER_LABELS = ("pinctrl-bcm2711", "pinctrl-bcm2835", "pinctrl-rp1")


class KernelEvent(NamedTuple):
    """An edge as the kernel tells it: `level` is active (1) or at rest (0), `seqno` counts over all lines."""

    t_ns: int
    offset: int
    level: int
    seqno: int


class Reader(Protocol):
    """The lines of one request. Every call may raise OSError when the device is gone.

    `buffer_size` is how many events the kernel keeps before it drops the oldest.
    """

    buffer_size: int

    def wait(self, timeout_s: float) -> bool:
        """Wait until events can be read; return False when none came in *timeout_s*."""

    def read(self) -> list[KernelEvent]:
        """Return the events that wait, at least one."""

    def levels(self) -> dict[int, int]:
        """Return the level of every line now, by offset."""

    def close(self) -> None:
        """Release the lines."""


class KernelReader:
    """A `Reader` through libgpiod 2: both edges, CLOCK_MONOTONIC, no debounce, pulled up, active low."""

    def __init__(
        self, lines: Mapping[str, int], chip: str | None, *, event_buffer_size: int = EVENT_BUFFER_SIZE
    ) -> None:
        gpiod = import_gpiod()
        self.buffer_size = event_buffer_size
        self._active = gpiod.line.Value.ACTIVE
        self._rising = gpiod.EdgeEvent.Type.RISING_EDGE
        path = chip or find_header_chip()
        settings = gpiod.LineSettings(
            direction=gpiod.line.Direction.INPUT,
            edge_detection=gpiod.line.Edge.BOTH,
            bias=gpiod.line.Bias.PULL_UP,
            active_low=True,
            event_clock=gpiod.line.Clock.MONOTONIC,
        )
        self._offsets = tuple(lines.values())
        try:
            with gpiod.Chip(path) as device:
                check_free(device, lines, path)
                self._request = device.request_lines(
                    {self._offsets: settings}, consumer="lastnose", event_buffer_size=event_buffer_size
                )
        except OSError as error:
            raise explain(error, path) from error

    def wait(self, timeout_s: float) -> bool:
        return bool(self._request.wait_edge_events(timeout_s))

    def read(self) -> list[KernelEvent]:
        rising = self._rising
        return [
            KernelEvent(
                event.timestamp_ns, event.line_offset, int(event.event_type is rising), event.global_seqno
            )
            for event in self._request.read_edge_events(EVENT_BUFFER_SIZE)
        ]

    def levels(self) -> dict[int, int]:
        values = self._request.get_values(self._offsets)
        return {
            offset: int(value is self._active) for offset, value in zip(self._offsets, values, strict=True)
        }

    def close(self) -> None:
        self._request.release()


def find_header_chip(devices: Path = Path("/dev")) -> str:
    """Return the device of the 40-pin header, by its chip's label; raise DeviceError when there is none."""
    gpiod = import_gpiod()
    labels: dict[str, str] = {}
    refused: list[DeviceError] = []
    for path in sorted(devices.glob("gpiochip*")):
        try:
            with gpiod.Chip(str(path)) as chip:
                # By its label: which number the header has depends on the model and on the kernel.
                labels[str(path)] = chip.get_info().label
        except OSError as error:
            refused.append(explain(error, str(path)))
    for path_name, label in labels.items():
        if label in HEADER_LABELS:
            return path_name
    if refused:
        raise refused[0]
    raise _no_pi(", ".join(f"{path} {label}" for path, label in labels.items()) or "/dev/gpiochip*: 0")


def _no_pi(found: str) -> DeviceError:
    return DeviceError(
        text(
            "A Raspberry Pi’s pins are not here ({found}). To play without noses, use --source mock.",
            found=found,
        )
    )


def import_gpiod() -> Any:
    """Return the module; raise DeviceError when it is not installed."""
    try:
        import gpiod
    except ImportError as error:
        raise DeviceError(
            text("The library for the pins is missing (gpiod 2.4): run make pi in the folder of Last Nose.")
        ) from error
    return gpiod


def check_free(device: gpiod.Chip, lines: Mapping[str, int], path: str) -> None:
    """Raise DeviceError that names the first line which is missing or in use."""
    count = device.get_info().num_lines
    for line, offset in lines.items():
        if offset >= count:
            raise DeviceError(
                text(
                    "{line} is on GPIO{pin}, but {chip} ends at GPIO{last}.",
                    line=line,
                    pin=offset,
                    chip=path,
                    last=count - 1,
                )
            )
        info = device.get_line_info(offset)
        if info.used:
            raise DeviceError(
                text(
                    "GPIO{pin} ({line}) is in use: {why}. Stop that program (is a second Last Nose running?)"
                    ", then try again.",
                    pin=offset,
                    line=line,
                    why=info.consumer or "?",
                )
            )


def _is_roots(path: str) -> bool:
    """Return whether *path* has no group but root's."""
    return Path(path).exists() and Path(path).stat().st_gid == 0


def explain(error: OSError, path: str) -> DeviceError:
    """Return what the *error* of the chip at *path* means, and what helps."""
    if isinstance(error, PermissionError):
        if _is_roots(path):
            return DeviceError(
                text(
                    "{chip} belongs to root alone: the Debian package (make deb) gives it to the group gpio.",
                    chip=path,
                )
            )
        return DeviceError(no_permission(path, "gpio"))
    if isinstance(error, FileNotFoundError):
        return _no_pi(f"{path}: 0")
    return DeviceError(text("{host} cannot be reached: {why}.", host=path, why=reason(error)))


GRACE_NS = LATE_NS
U_NS = 10_000
IDLE_S, QUICK_S = 0.05, 0.002
QUICK_FOR_NS = 40_000_000
RETRY_S = 0.5


class GpioChip(Threaded):
    """The pins of a board through its kernel device; keeps the `Source` port.

    *lines* maps a line's name to its offset (BCM number). *chip* is a device path; None finds the chip of the
    header. *u_ns* is the error of a stamp: 10 µs until a board's self-test has measured better, *skew_ns*
    how much of it is the difference between pins. *late_ns* is how late an interrupt thread of this machine
    may be, 5 ms until it was measured: so far off may be the stamp of a contact that bounced out of the
    kernel's sight.
    """

    simulated = False

    def __init__(
        self,
        lines: Mapping[str, int],
        chip: str | None = None,
        *,
        u_ns: int | None = None,
        late_ns: int | None = None,
        skew_ns: int | None = None,
        open_reader: Callable[[], Reader] | None = None,
        clock: Callable[[], int] = host_clock.now_ns,
    ) -> None:
        super().__init__("gpio")
        self._lines = dict(lines)
        self._names = {offset: line for line, offset in lines.items()}
        self._worth = Worth(u_ns or U_NS, skew_ns or 0, LATE_NS if late_ns is None else late_ns)
        self.handed = Handed()
        self._clock = clock
        self._open = open_reader or (lambda: KernelReader(self._lines, chip))

    def start(self, emit: Emit, report: Report) -> None:
        """Request the lines and read them in a thread; raise DeviceError when they cannot be had."""
        session = ChipSession(self._open(), self._names, self.name, self._worth, self._clock, self.handed)
        self._spawn(self._run, session, emit, report)

    def _run(self, session: ChipSession, emit: Emit, report: Report) -> None:
        while not self._closing.is_set():
            try:
                for item in session.step():
                    emit(item)
            except OSError as error:
                report(
                    text(
                        "The pins stopped answering ({why}). Trying again; this round may not count.",
                        why=reason(error),
                    )
                )
                if not self._reopen(session, emit):
                    return
                report(None)
        session.close()

    def _reopen(self, session: ChipSession, emit: Emit) -> bool:
        """Try until the device is back; return False when the source was closed meanwhile."""
        session.close()
        wait_s = RETRY_S
        back = False
        while not back and not self._closing.wait(wait_s):
            try:
                told, back = session.resume(self._open()), True
            except DeviceError:
                told, wait_s = session.away(), min(wait_s * 2, 5.0)
            for item in told:
                emit(item)
        return back


class Worth(msgspec.Struct, frozen=True):
    """What stamps are worth, see `GpioChip`."""

    u_ns: int = U_NS
    skew_ns: int = 0
    late_ns: int = LATE_NS


class ChipSession:
    """Read one request, step by step, and say what the table is told; survives the device being away."""

    def __init__(
        self,
        reader: Reader,
        names: Mapping[int, str],
        source: str,
        worth: Worth,
        clock: Callable[[], int],
        handed: Handed | None = None,
    ) -> None:
        self.stream = Stream(source)
        self._names = names
        self._worth = worth
        # An edge is stamped before it can be read: by so long a promise stays behind the clock (law 3).
        self._grace_ns = max(GRACE_NS, worth.late_ns)
        self._handed = handed or Handed()
        self._clock = clock
        self._known_ns = clock()
        self._edge_ns: int | None = None
        self._again = False
        self._reader = reader
        self._sequence = Sequence(self._known_ns, reader.buffer_size, worth.late_ns)

    def step(self) -> list[Input]:
        """Poll once and return what follows; a promise rests on the clock read *before* the poll."""
        if self.stream.wants_levels:
            self._read_levels()
        # Before, not after: an edge between the poll and a later look at the clock would be older than the
        # promise.
        before_ns = self._clock()
        if self._reader.wait(self._patience_s(before_ns)):
            return self._inputs_of(self._reader.read())
        self._again = False
        return self._quiet(before_ns - self._grace_ns)

    def away(self) -> list[Input]:
        """Return what the table is told while the device is away: a gap since the last promise, up to now."""
        from_ns, self._known_ns = self._known_ns, self._clock()
        return self.stream.outage(from_ns, self._known_ns)

    def resume(self, reader: Reader) -> list[Input]:
        """Go on with a new request; return what the table is told of the time before it."""
        self._reader = reader
        now_ns = self._clock()
        self._sequence = Sequence(now_ns, reader.buffer_size, self._worth.late_ns)
        return self.stream.lost(self._known_ns, now_ns)

    def close(self) -> None:
        """Release the lines."""
        self._reader.close()

    def _patience_s(self, now_ns: int) -> float:
        """Return how long to wait for an edge: not at all after one, briefly until its verdict is out."""
        if self._again:
            return 0.0
        settling = self.stream.wants_levels or self.stream.promised_ns is None
        recent = self._edge_ns is not None and self._known_ns < self._edge_ns + QUICK_FOR_NS
        return QUICK_S if settling or recent else IDLE_S

    def _read_levels(self) -> None:
        # The clock on both sides: an edge between them is in the levels or not, and the stream has to know
        # that it may be.
        from_ns = self._clock()
        levels = self._reader.levels()
        named = {self._names[offset]: level for offset, level in levels.items()}
        self.stream.levels(named, from_ns, self._clock())

    def _inputs_of(self, events: list[KernelEvent]) -> list[Input]:
        out: list[Input] = []
        # What was read may not be all: only a poll that finds nothing allows a promise, so the next one does
        # not wait.
        self._again = True
        handed_ns = self._clock()
        # As they came first, for the count that shows what is missing; by time only then, as the kernel may
        # have queued neighbours the other way round.
        for event in events:
            self._sequence.take(event.seqno, event.t_ns)
            self._handed.note(handed_ns - event.t_ns)
        for event in sorted(events, key=lambda event: event.t_ns):
            self._edge_ns = event.t_ns
            line, worth = self._names[event.offset], self._worth
            late_ns = self._sequence.error_ns(event.seqno, event.t_ns, line)
            edge = Edge(
                event.t_ns,
                self.stream.source,
                line,
                event.level,
                worth.u_ns + late_ns,
                skew_u_ns=min(worth.skew_ns, worth.u_ns),
                contact_u_ns=late_ns,
            )
            out += self.stream.edge(edge)
        return out

    def _quiet(self, horizon_ns: int) -> list[Input]:
        out: list[Input] = []
        gap = self._sequence.quiet(horizon_ns)
        if gap is not None:
            out += self.stream.lost(*gap)
        pending_ns = self._sequence.pending_ns()
        # A number that is missing may only be late: nothing behind it is promised until it has come, or
        # counts as lost.
        limit_ns = horizon_ns if pending_ns is None else min(horizon_ns, pending_ns)
        out += self.stream.quiet(limit_ns)
        self._known_ns = max(self._known_ns, self.stream.promised_ns or 0)
        return out
