"""gpiozero's pin factories by name, and how each of them stamps an edge."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

from lastnose.companion.core.errors import BadInput, DeviceError
from lastnose.companion.core.text import Text, text
from lastnose.companion.system.setup_pi.machine import is_packaged

# To import lgpio elsewhere changes the working directory, which all threads share.
_one_at_a_time = threading.Lock()


class GpioPin(Protocol):
    """What we use of a gpiozero pin. `state` is true when the pin is high."""

    function: str
    pull: str
    bounce: float | None
    when_changed: Callable[[float, Any], None] | None

    @property
    def state(self) -> Any:
        """Return the state now."""

    @state.setter
    def state(self, high: object) -> None:
        """Drive the pin."""

    def close(self) -> None:
        """Release the pin."""


class PinFactory(Protocol):
    """What we use of a gpiozero pin factory; `pins` are those that have been taken, by number."""

    pins: Mapping[int, GpioPin]

    def pin(self, number: int) -> GpioPin:
        """Return pin *number*, taken."""

    def close(self) -> None:
        """Release every pin."""


FactoryMaker = Callable[[], PinFactory]


class Stamping(Enum):
    """Where the time of an edge comes from."""

    KERNEL = "the interrupt; the callback brings it along, in seconds"
    CALLBACK = "the factory reads the clock when the callback starts, in seconds"
    OURS = "unknown: we read the clock when we are called"


def stamping_of(factory: object) -> Stamping:
    """Return how *factory* (or a subclass of a known one) stamps its edges."""
    names = {kind.__name__ for kind in type(factory).__mro__}
    if "LGPIOFactory" in names:
        return Stamping.KERNEL
    return Stamping.CALLBACK if "RPiGPIOFactory" in names else Stamping.OURS


def is_mock(factory: object) -> bool:
    """Return whether *factory* only pretends."""
    return any(kind.__name__ == "MockFactory" for kind in type(factory).__mro__)


def wants_mock(name: str | None) -> bool:
    """Return whether *name*, or without one gpiozero's own setting, asks for simulated pins."""
    chosen = name if name is not None else os.environ.get("GPIOZERO_PIN_FACTORY", "")
    return chosen.lower() == "mock"


def factory_maker(name: str | None) -> FactoryMaker:
    """Return what opens the factory *name*; None opens the one that gpiozero is set to use.

    Raise BadInput when there is no such factory.
    """
    if name is None:
        return _configured
    makers = {"lgpio": _lgpio, "rpigpio": _rpigpio, "rpi.gpio": _rpigpio, "rpi-lgpio": _rpigpio}
    try:
        return makers[name.lower()]
    except KeyError:
        raise BadInput(wrong_factory(name)) from None


def wrong_factory(name: str) -> Text:
    """Return the sentence for a factory that is not there, or whose pins are none that can be timed."""
    return text(
        "“{name}” is no pin factory (GPIOZERO_PIN_FACTORY): take lgpio or rpigpio. To play without noses, "
        "use --source mock.",
        name=name,
    )


def open_factory(maker: FactoryMaker) -> PinFactory:
    """Open a factory, one at a time; raise DeviceError that says what is missing."""
    with _one_at_a_time, _lgpio_files_elsewhere():
        try:
            return maker()
        except ImportError as error:
            if type(error).__name__ == "BadPinFactory":
                raise BadInput(wrong_factory(os.environ.get("GPIOZERO_PIN_FACTORY", ""))) from error
            raise DeviceError(_what_is_missing(str(error))) from error
        except Exception as error:  # the libraries have no common base for "this is no Pi"
            raise DeviceError(
                text(
                    "The pins cannot be opened: {why}. Is this a Raspberry Pi, are you in the group gpio? To "
                    "play without noses, use --source mock.",
                    why=str(error) or type(error).__name__,
                )
            ) from error


def _what_is_missing(why: str) -> Text:
    """Say how the library is had that is missing for *why*, or done without."""
    apt = "sudo apt install python3-lgpio"
    return text(
        "The library for these pins is missing ({why}). Use --source gpiochip, which needs none, or install "
        "it (Raspberry Pi OS has it, Debian itself does not): {how}",
        why=why,
        how=apt if is_packaged() else f"{apt}; make clean; make pi SYSTEM_SITE_PACKAGES=1",
    )


@contextlib.contextmanager
def _lgpio_files_elsewhere() -> Iterator[None]:
    """Import lgpio so that neither its pipe stays in the working directory nor the directory changes."""
    if "lgpio" in sys.modules or "LG_WD" in os.environ:
        yield
        return
    home = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="lastnose-lgpio-") as elsewhere:
        os.environ["LG_WD"] = elsewhere
        try:
            yield
        finally:
            del os.environ["LG_WD"]
            os.chdir(home)


def _lgpio() -> PinFactory:
    from gpiozero.pins.lgpio import LGPIOFactory

    factory: PinFactory = LGPIOFactory()
    return factory


def _rpigpio() -> PinFactory:
    from gpiozero.pins.rpigpio import RPiGPIOFactory

    factory: PinFactory = RPiGPIOFactory()
    return factory


def _configured() -> PinFactory:
    """Return the factory that gpiozero is set to use, or the first of those that go through the kernel.

    Left to itself gpiozero would end with its NativeFactory, which writes to a Pi's registers behind the
    kernel's back, and to whatever else lies there on another machine.
    """
    chosen = os.environ.get("GPIOZERO_PIN_FACTORY", "").lower()
    if chosen == "native":
        raise DeviceError(wrong_factory(chosen))
    if chosen:
        return _named()
    problems: list[Exception] = []
    for make in (_lgpio, _rpigpio):
        try:
            return make()
        except Exception as problem:  # the libraries have no common base for "this is no Pi"
            problems.append(problem)
    raise problems[0]


def _named() -> PinFactory:
    """Return gpiozero's own choice, and leave none with it: whoever opens it again gets a fresh one."""
    from gpiozero import Device

    Device.ensure_pin_factory()
    factory: PinFactory = Device.pin_factory
    Device.pin_factory = None
    return factory


def mock_factory() -> PinFactory:
    """Return simulated pins for outputs, tones among them."""
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    factory: PinFactory = MockFactory(pin_class=MockPWMPin)
    return factory


def let_go(factory: PinFactory) -> None:
    """Release the pins of a factory; RPi.GPIO would reset every pin of this program, so only ours are."""
    if stamping_of(factory) is Stamping.CALLBACK:
        for pin in tuple(factory.pins.values()):
            pin.close()
    else:
        factory.close()
