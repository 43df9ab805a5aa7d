"""Output pins through the kernel (libgpiod), as gpiozero's devices want them: like the noses, past no kernel.

It is what gpiozero calls a pin factory, of outputs alone: levels, and tones (see `hardware.outputs.tone`).
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple, cast

from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import english
from lastnose.hardware.outputs import tone
from lastnose.hardware.sources.factories import PinFactory
from lastnose.hardware.sources.gpiochip import check_free, explain, find_header_chip, import_gpiod

QUIET_WITHIN_S = 1.0


class PinInfo(NamedTuple):
    """What gpiozero asks of a pin: its name."""

    name: str


class KernelPin:
    """A line of the header as an output; at rest it is low."""

    def __init__(self, request: Any, number: int) -> None:
        self.info = PinInfo(f"GPIO{number}")
        self.frequency: float | None = None
        self._request = request
        self._player: subprocess.Popen[bytes] | None = None
        self._state = 0.0

    @property
    def function(self) -> str:
        """Return that it is an output."""
        return "output"

    @function.setter
    def function(self, wanted: str) -> None:
        if wanted != "output":
            raise DeviceError(english("{pin} is an output here, and cannot be read.", pin=self.info.name))

    @property
    def state(self) -> float:
        """Return what was set last: the level, or the share of a wave that is high."""
        return self._state

    @state.setter
    def state(self, wanted: float) -> None:
        self._state = wanted
        if 0 < wanted < 1 and self.frequency is not None:
            self._tell(round(self.frequency))
            return
        if self._player is not None:
            self._tell(0)
        tone.set_line(self._request.fd, int(wanted >= 1))

    def output_with_state(self, state: float) -> None:
        self.state = state

    def close(self) -> None:
        """Rest, and release the line; may be called twice."""
        request, self._request = self._request, None
        if request is None:
            return
        try:
            self._dismiss()
            with contextlib.suppress(OSError):
                tone.set_line(request.fd, 0)
        finally:
            request.release()

    def _tell(self, pitch_hz: int) -> None:
        if self._player is None:
            handle = self._request.fd
            self._player = subprocess.Popen(
                [sys.executable, "-I", "-S", str(Path(tone.__file__)), str(handle)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=(handle,),
            )
        assert self._player.stdin is not None
        self._player.stdin.write(b"%d\n" % pitch_hz)
        self._player.stdin.flush()

    def _dismiss(self) -> None:
        player, self._player = self._player, None
        if player is None:
            return
        assert player.stdin is not None
        with contextlib.suppress(OSError):
            player.stdin.close()
        try:
            player.wait(QUIET_WITHIN_S)
        except subprocess.TimeoutExpired:
            player.kill()
            player.wait()


class KernelPins:
    """Output pins of the header's chip. A call may raise OSError when the device is gone."""

    def __init__(self) -> None:
        self._gpiod = import_gpiod()
        self._path = find_header_chip()
        self.pins: dict[int, KernelPin] = {}

    def pin(self, number: int) -> KernelPin:
        """Return pin *number*, taken and low; raise DeviceError when there is none, or somebody has it."""
        if number not in self.pins:
            low = self._gpiod.LineSettings(
                direction=self._gpiod.line.Direction.OUTPUT,
                output_value=self._gpiod.line.Value.INACTIVE,
            )
            try:
                with self._gpiod.Chip(self._path) as device:
                    check_free(device, {f"GPIO{number}": number}, self._path)
                    request = device.request_lines({number: low}, consumer="lastnose")
            except OSError as error:
                raise explain(error, self._path) from error
            self.pins[number] = KernelPin(request, number)
        return self.pins[number]

    def reserve_pins(self, requester: object, *names: object) -> None:
        """Do nothing: the kernel knows who has a line."""

    def release_pins(self, reserver: object, *names: object) -> None:
        """Forget the pins of these names, which their device closes."""
        self.pins = {number: pin for number, pin in self.pins.items() if pin.info.name not in names}

    def close(self) -> None:
        """Release every pin."""
        while self.pins:
            self.pins.popitem()[1].close()


def real_factory() -> PinFactory:
    """Open pins for outputs, of our own; raise DeviceError when there are none."""
    return cast("PinFactory", KernelPins())
