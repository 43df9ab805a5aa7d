"""A buzzer box on its port as a source of edges: opened, read in a thread, taken again when it comes back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from companion.core.errors import DeviceError
from companion.core.model import Input
from companion.core.ports import Emit, Report
from companion.core.text import Text, text
from companion.system import host_clock
from hardware.box import protocol
from hardware.box.ports import Port
from hardware.box.session import BoxSession
from hardware.box.sync import SteadyClock, SyncWire

GREETING_S = 3.0
AWAY_AFTER_NS = 300_000_000
SILENT_NS = 2_000_000_000
RETRY_S, RETRY_MOST_S = 0.1, 3.0
MOST_WAIT_S = 0.1

OpenPort = Callable[[], Port]


class BoxSource:
    """The inputs of one box; keeps the `Source` port.

    *open_port* opens its port, again and again if need be; *where* says which that is. See `BoxSession`
    for the rest. The session keeps the time of *steady*, which boxes on a sync wire share; what it tells is
    put into the host's.
    """

    def __init__(
        self,
        open_port: OpenPort,
        lines: Mapping[str, int],
        *,
        name: str = "box",
        where: Callable[[], str] | None = None,
        simulated: bool = False,
        sync_pin: int | None = None,
        drives: bool = False,
        wire: SyncWire | None = None,
        steady: SteadyClock | None = None,
    ) -> None:
        self.name = name
        self.simulated = simulated
        self.session = BoxSession(
            name, lines, sync_pin=sync_pin, drives=drives, wire=wire, behind_ns=host_clock.BEHIND_NS
        )
        self._where = where or (lambda: name)
        self._open_port = open_port
        self._steady = steady or SteadyClock()
        self._clock = self._steady.now_ns
        self._lamp = b""
        self._armed = False
        self._serial = ""
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, emit: Emit, report: Report) -> None:
        """Open the port and wait for the box's greeting; raise DeviceError when it is none of ours."""
        emit = self._steady.listener(emit)
        port = self._open_port()
        try:
            early = self._greet(port)
        except OSError as error:
            port.close()
            raise DeviceError(self._no_box()) from error
        except BaseException:
            port.close()
            raise
        for item in early:
            emit(item)
        assert self.session.hello is not None
        self._serial = self.session.hello.serial
        self._thread = threading.Thread(
            target=self._run, args=(port, emit, report), name=f"source-{self.name}", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Let the box go; it keeps its time base for whoever comes next."""
        self._closing.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(1.0)

    def show_armed(self, armed: bool) -> None:
        """Let the box's LED say whether a round is armed."""
        if armed == self._armed:
            return
        self._armed = armed
        self._lamp = protocol.lamp("armed" if armed else "idle")

    # ---- the thread

    def _greet(self, port: Port) -> list[Input]:
        session = self.session
        session.connected()
        until_ns = self._clock() + round(GREETING_S * 1e9)
        out: list[Input] = []
        while session.hello is None:
            if self._clock() > until_ns:
                raise DeviceError(self._no_box())
            out += self._step(port)
        return out

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
                for item in self._greet(port):
                    emit(item)
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
            serial=self._serial,
        )
