"""All sources of a table with boxes as one: boxes, their sync wire, the Pi's own pins beside."""

from __future__ import annotations

import contextlib
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import msgspec
from lastnose.companion.core.errors import BadInput, DeviceError
from lastnose.companion.core.model import Edge, Gap, Input, Levels, Watermark, rest_level
from lastnose.companion.core.ports import Emit, Report, Source, StampWorth
from lastnose.companion.core.text import Text, text
from lastnose.companion.system import host_clock
from lastnose.companion.timing import FOREVER
from lastnose.hardware.box import protocol
from lastnose.hardware.box.ports import Port, SerialPort, choose_port, find_ports, two_of
from lastnose.hardware.box.session import BoxSession
from lastnose.hardware.box.simulated import PREFIX, SimulatedBox, read_faults
from lastnose.hardware.box.sync import SteadyClock, SyncWire
from lastnose.hardware.sources.mock import Mock, no_such_line, no_time_of_its_own
from lastnose.hardware.sources.stream import Threaded

# ---- A buzzer box on its port as a source of edges: opened, read in a thread, taken again when it comes
# back.

GREETING_S = 3.0
AWAY_AFTER_NS = 300_000_000
SILENT_NS = 2_000_000_000
RETRY_S, RETRY_MOST_S = 0.1, 3.0
MOST_WAIT_S = 0.1

OpenPort = Callable[[], Port]


class BoxSource(Threaded):
    """The inputs of one box; keeps the `Source` port.

    *open_port* opens its port, again and again if need be; *where* says which that is. *others* are the
    serial numbers of the table's other boxes, which have noses of their own: none of them comes back here.
    See `BoxSession` for the rest. The session keeps the time of *steady*, which boxes on a sync wire share;
    what it tells is put into the host's.
    """

    def __init__(
        self,
        open_port: OpenPort,
        lines: Mapping[str, int],
        *,
        name: str = "box",
        where: Callable[[], str] | None = None,
        others: Callable[[], Collection[str]] = tuple,
        simulated: bool = False,
        sync_pin: int | None = None,
        drives: bool = False,
        wire: SyncWire | None = None,
        steady: SteadyClock | None = None,
    ) -> None:
        super().__init__(name)
        self.simulated = simulated
        self.session = BoxSession(
            name, lines, sync_pin=sync_pin, drives=drives, wire=wire, behind_ns=host_clock.BEHIND_NS
        )
        self._where = where or (lambda: name)
        self._others = others
        self._open_port = open_port
        self._steady = steady or SteadyClock()
        self._clock = self._steady.now_ns
        self._lamp = b""
        self._armed = False
        self.serial = ""  # of the box that is there, or was last

    def start(self, emit: Emit, report: Report) -> None:
        """Open the port and wait for the box's greeting; raise DeviceError when it is none of ours."""
        emit = self._steady.listener(emit)
        port = self._open_port()
        try:
            self._greet(port, emit)
        except OSError as error:
            port.close()
            raise DeviceError(self._no_box()) from error
        except BaseException:
            port.close()
            raise
        self._spawn(self._run, port, emit, report)

    def show_armed(self, armed: bool) -> None:
        """Let the box's LED say whether a round is armed."""
        if armed == self._armed:
            return
        self._armed = armed
        self._lamp = protocol.lamp("armed" if armed else "idle")

    # ---- the thread

    def _greet(self, port: Port, emit: Emit) -> None:
        session = self.session
        session.connected()
        until_ns = self._clock() + round(GREETING_S * 1e9)
        while session.hello is None:
            if self._clock() > until_ns:
                raise DeviceError(self._no_box())
            for item in self._step(port):
                emit(item)
        serial = session.hello.serial
        if self.serial and serial != self.serial and serial in self._others():
            raise DeviceError(self._gone())
        self.serial = serial

    def _step(self, port: Port) -> list[Input]:
        """Write what is due, read what comes within the time until something else is due."""
        session = self.session
        self._write(port)
        wait_s = min(session.wait_ns(self._clock()) / 1e9, MOST_WAIT_S)
        data = port.read(wait_s)
        now_ns = self._clock()
        out = session.receive(data, now_ns) if data else []
        return [*out, *session.overdue(now_ns)]

    def _write(self, port: Port) -> None:
        data = self.session.outgoing(self._clock())
        if self._lamp and self.session.hello is not None:
            data, self._lamp = data + self._lamp, b""
        if data:
            port.write(data)

    def _run(self, port: Port, emit: Emit, report: Report) -> None:
        current: Port | None = port
        while not self._closing.is_set() and current is not None:
            try:
                for item in self._step(current):
                    emit(item)
                if self.session.silent_ns(self._clock()) > SILENT_NS:
                    raise TimeoutError("no answer")
            except (OSError, DeviceError) as error:
                current.close()
                report(error.text if isinstance(error, DeviceError) else self._gone())
                current = self._reopen(emit)
                if current is not None:
                    report(None)
                    self._lamp = protocol.lamp("armed" if self._armed else "idle")
        if current is not None:
            current.close()

    def _reopen(self, emit: Emit) -> Port | None:
        """Try until the box is back; return None when the source was closed meanwhile.

        A hiccup of the port costs nothing: the gap is told only when the box has been away for a while.
        """
        gone_ns = self._clock()
        wait_s = RETRY_S
        while not self._closing.wait(wait_s):
            if self._clock() - gone_ns > AWAY_AFTER_NS:
                for item in self.session.away(self._clock()):
                    emit(item)
            port: Port | None = None
            try:
                port = self._open_port()
                self._greet(port, emit)
            except (OSError, DeviceError):
                if port is not None:
                    port.close()
                wait_s = min(wait_s * 2, RETRY_MOST_S)
            else:
                return port
        return None

    def _no_box(self) -> Text:
        return text(
            "{port} does not answer as a buzzer box does. Is it one, with its firmware (lastnose box flash)?",
            port=self._where(),
        )

    def _gone(self) -> Text:
        return text(
            "The box {serial} stopped answering: look at its cable. Trying again; this round may not count.",
            serial=self.serial,
        )


AUTO = "auto"
PINS_U_NS = 10_000


class Boxes:
    """The boxes at *ports* with their *lines* (line to GP number, a mapping a box); keeps the `Source` port.

    A port is a device path, `auto` (found by its USB number), a serial number, or `sim` and faults.
    *sync_pin*: where the sync wire is on every box; the first one drives it. *beside* is a further source,
    of the Pi's own pins; its line *hears* is on the sync wire too, None if it has none there.
    """

    name = "box"

    def __init__(
        self,
        ports: Sequence[str],
        lines: Sequence[Mapping[str, int]],
        *,
        sync_pin: int | None = None,
        beside: Source | None = None,
        hears: str | None = None,
    ) -> None:
        self._simulated: dict[int, SimulatedBox] = {}
        self._pins = [dict(one) for one in lines]
        self._taken: dict[int, str] = {}
        self._sync_pin = sync_pin
        several = len(ports) > 1
        wired = sync_pin is not None and (several or hears is not None)
        self._hears, self._beside = hears, beside
        steady = SteadyClock()
        self.wire = SyncWire("box/1" if several else "box", steady) if wired else None
        self._check(ports)
        slash = "/" if wired else ""
        self.boxes = [
            BoxSource(
                self._opener(number, port),
                lines[number],
                name=f"box{slash}{number + 1}" if several else "box",
                where=self._namer(number, port),
                others=partial(self._others, number),
                simulated=port.startswith(PREFIX),
                sync_pin=sync_pin if self.wire else None,
                drives=self.wire is not None and number == 0,
                wire=self.wire,
                steady=steady,
            )
            for number, port in enumerate(ports)
        ]
        self._sources: list[Source] = [*self.boxes, *([beside] if beside is not None else [])]
        self._says: dict[str, Text | None] = {}
        self._lock = threading.Lock()
        self.simulated = any(source.simulated for source in self._sources)

    def start(self, emit: Emit, report: Report) -> None:
        """Open every box; raise DeviceError when one cannot be had, with none left open."""
        try:
            for number, source in enumerate(self._sources):
                source.start(self._emit_of(source, emit), self._reporter(str(number), report))
            self._check_serials()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let all go."""
        for source in self._sources:
            source.close()
        for simulated in self._simulated.values():
            simulated.close()

    def show_armed(self, armed: bool) -> None:
        """Let the LEDs of all boxes say whether a round is armed."""
        for box in self.boxes:
            box.show_armed(armed)

    def serials(self) -> list[str]:
        """Return the serial number that each box says it has."""
        return [box.session.hello.serial if box.session.hello else "" for box in self.boxes]

    def identities(self) -> tuple[tuple[str, str], ...]:
        """Return the serial number and the firmware's version of each box that has answered."""
        hellos = [box.session.hello for box in self.boxes if box.session.hello]
        return tuple((hello.serial, ".".join(map(str, hello.version))) for hello in hellos)

    def simulated_box(self, number: int) -> SimulatedBox:
        """Return the simulated box with this number, from 0; raise KeyError when that one is real."""
        return self._simulated[number]

    # ---- opening

    def _emit_of(self, source: Source, emit: Emit) -> Emit:
        """Return where *source* sends its inputs."""
        if source is self._beside and self.wire is not None and self._hears is not None:
            return self.wire.listener(self._hears, emit)
        return emit

    def _check(self, ports: Sequence[str]) -> None:
        twice = [
            port for port in ports if list(ports).count(port) > 1 and not port.startswith((AUTO, PREFIX))
        ]
        if twice:
            raise BadInput(text("--box {port} is there twice: name each box once.", port=twice[0]))

    def _check_serials(self) -> None:
        serials = self.serials()
        for serial in serials:
            if serials.count(serial) > 1:
                raise two_of(serial)

    def _opener(self, number: int, port: str) -> Callable[[], Port]:
        if port.startswith(PREFIX) and not port.startswith("/"):
            simulated = SimulatedBox(faults=read_faults(port), serial=f"E66038B7130000{number + 1:02X}")
            self._simulated[number] = simulated
            for line, pin in self._pins[number].items():
                simulated.set(pin, rest_level(line))
            if self.wire is not None and number and 0 in self._simulated and self._sync_pin is not None:
                simulated.hear(self._simulated[0], self._sync_pin)
            return simulated.open_port
        if port.startswith("/") or port.upper().startswith("COM"):
            return lambda: SerialPort(self._gone_to(number) or port)
        return lambda: SerialPort(self._look_for(number, None if port == AUTO else port))

    def _namer(self, number: int, port: str) -> Callable[[], str]:
        """Return what says at which port a box is, or was looked for."""
        return lambda: self._taken.get(number, port)

    def _others(self, number: int) -> list[str]:
        """Return the serial numbers of all boxes but one."""
        return [box.serial for other, box in enumerate(self.boxes) if other != number and box.serial]

    def _gone_to(self, number: int) -> str | None:
        """Return where a box is now that was here before: at another port after its cable was out."""
        serial = self.boxes[number].serial
        found = [one.port for one in find_ports() if one.serial == serial] if serial else []
        return found[0] if len(found) == 1 else None

    def _look_for(self, number: int, serial: str | None) -> str:
        with self._lock:
            if (again := self._gone_to(number)) is not None:
                self._taken[number] = again
                return again
            found = find_ports()
            others = [path for other, path in self._taken.items() if other != number]
            others += [one.port for one in found if one.serial in self._others(number)]
            self._taken[number] = path = choose_port(found, serial, others)
            return path

    def _reporter(self, key: str, report: Report) -> Report:
        """Return a report for one of several: well again only when all are."""

        def say(says: Text | None) -> None:
            with self._lock:
                self._says[key] = says
                wrong = [one for one in self._says.values() if one is not None]
            report(wrong[0] if wrong else None)

        return say


class SimulatedBoxes(Boxes):
    """Boxes that are all simulated: their noses can be touched, by the page or a script (`Driver`).

    A tap with a clock counts when it was made (`TapTimes`); what a script does without one, when it does it.
    What is *beside* them is simulated too, and a `Driver` itself.
    """

    def __init__(
        self,
        ports: Sequence[str],
        lines: Sequence[Mapping[str, int]],
        *,
        sync_pin: int | None = None,
        beside: Mock | None = None,
        hears: str | None = None,
    ) -> None:
        super().__init__(ports, lines, sync_pin=sync_pin, beside=beside, hears=hears)
        self._taps = TapTimes()
        self._pretend_pins = beside
        self._tell: Emit = lambda _: None

    def start(self, emit: Emit, report: Report) -> None:
        """Start them all, the sync wire laid; raise DeviceError when one cannot be had."""
        self._tell = emit
        super().start(emit, report)
        if self.wire is not None and self._pretend_pins is not None and self._hears is not None:
            self._simulated[0].tell_pulses(self._pulse)

    def lines(self) -> tuple[str, ...]:
        beside = () if self._pretend_pins is None else self._pretend_pins.lines()
        own = (line for pins in self._pins for line in pins)
        return (*own, *(line for line in beside if line != self._hears))

    def attach(self, clock: str, delay_ns: int | None) -> None:
        self._taps.attach(clock, delay_ns)
        if self._pretend_pins is not None:
            self._pretend_pins.attach(clock, delay_ns)

    def vouch(self, clock: str, t_ns: int) -> None:
        self._taps.vouch(clock, t_ns, host_clock.now_ns())
        if self._pretend_pins is not None:
            self._pretend_pins.vouch(clock, t_ns)

    def lose(self, clock: str, from_ns: int, to_ns: int, lines: tuple[str, ...]) -> None:
        self._tell(Gap(from_ns, to_ns, clock, lines))
        self._tell(Watermark(FOREVER, clock))

    def detach(self, clock: str) -> None:
        self._taps.detach(clock)
        if self._pretend_pins is not None:
            self._pretend_pins.detach(clock)

    def drive(self, line: str, level: int, t_ns: int, worth: StampWorth, *, clock: str | None = None) -> None:
        """Set *line* to *level*; raise BadInput when there is no such line."""
        for number, pins in enumerate(self._pins):
            if line in pins:
                with self._taps.lock:
                    arrived_ns = self._simulated[number].set(pins[line], level)
                    if clock is not None:
                        self._taps.note(line, level, arrived_ns, t_ns, worth, clock=clock)
                return
        if self._pretend_pins is not None and line in self.lines():
            self._pretend_pins.drive(line, level, t_ns, worth, clock=clock)
            return
        raise no_such_line(line, self.lines())

    def _pulse(self, level: int, t_ns: int) -> None:
        """Let the simulated pins hear the sync wire, as surely as a kernel's stamp; active is low."""
        assert self._pretend_pins is not None
        assert self._hears is not None
        with contextlib.suppress(BadInput):  # they are closed already
            self._pretend_pins.drive(self._hears, 1 - level, t_ns, StampWorth(PINS_U_NS))

    def _emit_of(self, source: Source, emit: Emit) -> Emit:
        beside = source is self._beside
        return super()._emit_of(source, emit) if beside else self._taps.listener(emit)

    def expect(self, lines: tuple[str, ...], clock: str | None, worth: StampWorth) -> tuple[str, ...]:
        """Leave it: how the lines of a box stand is known only when the box has told it."""
        return lines

    def promise(self, t_ns: int) -> None:
        """Refuse: the boxes promise for themselves."""
        raise no_time_of_its_own()


# ---- taps count when they were made, not when they arrived


SPARE_NS = 1_000_000
TOGETHER_NS = 60_000_000_000  # what lies further apart, no error of a page's clock can put in doubt
_NOBODY = ""  # the clock of contacts that no tap has moved


class _Tap(msgspec.Struct, frozen=True):
    """A contact was moved to `level` at `arrived_ns`, because of what happened within `u_ns` of `t_ns`.

    `clock_u_ns` is what all taps of that page are off by alike, as long as nobody else moves contacts.
    """

    level: int
    arrived_ns: int
    t_ns: int
    u_ns: int
    clock_u_ns: int = 0


class _Mover(msgspec.Struct):
    """Who moves contacts: when last, and when and by how much (at the most) its clock's error stood apart."""

    at_ns: int
    apart_ns: int = 0
    clock_u_ns: int = 0


class TapTimes:
    """The taps under way through simulated boxes. For any thread; move and `note` under `lock`."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._delays: dict[str, int | None] = {}
        self._vouched: dict[str, deque[tuple[int, int]]] = {}  # when a clock promised, and what
        self._taps: defaultdict[str, deque[_Tap]] = defaultdict(lambda: deque(maxlen=64))
        self._movers: dict[str, _Mover] = {}
        self._marks: dict[str, int] = {}
        self._floors: dict[str, int] = {}

    def attach(self, clock: str, delay_ns: int | None) -> None:
        """Announce a clock whose taps may arrive up to *delay_ns* late; None: it promises for itself."""
        with self.lock:
            self._delays[clock] = delay_ns
            if delay_ns is None:
                self._vouched.setdefault(clock, deque())
            else:
                self._vouched.pop(clock, None)

    def vouch(self, clock: str, t_ns: int, now_ns: int) -> None:
        """Note that *clock* has promised, at *now_ns*, that no tap from before *t_ns* is still coming."""
        with self.lock:
            promises = self._vouched.get(clock)
            if promises is not None and (not promises or t_ns > promises[-1][1]):
                promises.append((now_ns, t_ns))

    def detach(self, clock: str) -> None:
        """Let a clock go."""
        with self.lock:
            self._delays.pop(clock, None)
            self._vouched.pop(clock, None)

    def note(
        self,
        line: str,
        level: int,
        arrived_ns: int,
        t_ns: int,
        worth: StampWorth,
        *,
        clock: str = _NOBODY,
    ) -> None:
        """Take note that a tap on *clock*, made at *t_ns* within *worth*, moved *line* at *arrived_ns*."""
        with self.lock:
            own_ns, apart_ns = self._errors_of(clock, worth.clock_u_ns, arrived_ns)
            self._taps[line].append(_Tap(level, arrived_ns, t_ns, worth.u_ns + own_ns, apart_ns))

    def _errors_of(self, clock: str, clock_u_ns: int, now_ns: int) -> tuple[int, int]:
        """Return what of a clock's error a stamp bears itself, and what stands apart as the clock's."""
        since_ns = now_ns - TOGETHER_NS
        self._movers = {name: one for name, one in self._movers.items() if one.at_ns > since_ns}
        others = [one for name, one in self._movers.items() if name != clock]
        mover = self._movers.setdefault(clock, _Mover(now_ns))
        mover.at_ns = now_ns
        if not others and clock != _NOBODY:
            mover.apart_ns, mover.clock_u_ns = now_ns, max(mover.clock_u_ns, clock_u_ns)
            return 0, clock_u_ns
        theirs_ns = max((one.clock_u_ns for one in others if one.apart_ns > since_ns), default=0)
        return clock_u_ns + theirs_ns, 0

    def listener(self, emit: Emit) -> Emit:
        def hear(item: Input) -> None:
            with self.lock:
                corrected = self._corrected(item)
            if corrected is not None:
                emit(corrected)

        return hear

    def _corrected(self, item: Input) -> Input | None:
        """Return what the table is told in place of *item*, None for a promise that adds nothing."""
        match item:
            case Edge():
                return self._edge(item)
            case Watermark():
                mark_ns = self._reach_ns(item.t_ns)
                if (
                    mark_ns is None
                    or mark_ns <= self._marks.get(item.source, -1)
                    or mark_ns < self._floors.get(item.source, 0)
                ):
                    return None
                self._marks[item.source] = mark_ns
                return Watermark(mark_ns, item.source)
            case Gap():
                # A tap that got lost in it may be as old as what has not been promised yet.
                from_ns = min(item.from_ns, self._marks.get(item.source, item.from_ns))
                return Gap(from_ns, item.to_ns, item.source)
            case Levels():
                self._floors[item.source] = item.t_ns
                return item

    def _reach_ns(self, t_ns: int) -> int | None:
        """Return up to when no tap is missing any more when a box promises *t_ns*; None: nobody knows.

        What a clock has promised counts once the box has promised what it saw of the taps before that.
        """
        reach_ns = t_ns - max((one for one in self._delays.values() if one is not None), default=0)
        for promises in self._vouched.values():
            while len(promises) > 1 and promises[1][0] + SPARE_NS <= t_ns:
                promises.popleft()
            if not promises or promises[0][0] + SPARE_NS > t_ns:
                return None
            reach_ns = min(reach_ns, promises[0][1])
        return reach_ns

    def _edge(self, edge: Edge) -> Edge:
        taps, claim_ns = self._taps[edge.line], edge.u_ns + edge.clock_u_ns + SPARE_NS
        while taps and taps[0].arrived_ns < edge.t_ns - claim_ns:
            taps.popleft()  # its edge got lost, or it changed nothing
        if not taps or taps[0].level != edge.level or taps[0].arrived_ns > edge.t_ns + claim_ns:
            own_ns, _ = self._errors_of(_NOBODY, 0, edge.t_ns)
            return msgspec.structs.replace(edge, u_ns=edge.u_ns + own_ns) if own_ns else edge
        tap = taps.popleft()
        t_ns = tap.t_ns + edge.t_ns - tap.arrived_ns
        # The levels that stand have been told; nothing happens before them any more.
        counts_ns = max(t_ns, self._floors.get(edge.source, t_ns))
        u_ns = edge.u_ns + tap.u_ns + counts_ns - t_ns
        clock_u_ns = edge.clock_u_ns + tap.clock_u_ns
        return msgspec.structs.replace(edge, t_ns=counts_ns, u_ns=u_ns, clock_u_ns=clock_u_ns)
