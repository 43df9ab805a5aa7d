"""What is plugged in: device files, the header's chip and who has its lines, displays and boxes."""

from __future__ import annotations

import contextlib
import fcntl
import grp
import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import DeviceError
from companion.core.text import Text
from companion.system.doctor.checks import ADDRESSES
from companion.system.doctor.facts import BoxFacts, ChipFacts, Devices, Line, Node, Wanted
from companion.wiring.profile import OledSettings
from hardware.box.ports import find_ports
from hardware.probe.system import read
from hardware.sources.kernel import find_header_chip

if TYPE_CHECKING:
    import gpiod

NODES = ("gpiochip*", "i2c-*", "spidev*", "ttyACM*")
CONNECTIONS = "etc/NetworkManager/system-connections"
I2C_SLAVE = 0x0703  # from linux/i2c-dev.h


def devices(wanted: Wanted, root: Path) -> Devices:
    """Return what is plugged in; the display of the profile's bus is asked for its address."""
    found = [path for kind in NODES for path in sorted((root / "dev").glob(kind))]
    gpiod = find_spec("gpiod") is not None
    chip, why = _header(root) if gpiod and wanted.source in ("gpiochip", "pins") else (None, None)
    boxes = find_ports() if wanted.source == "box" else []
    return Devices(
        nodes=tuple(_node(path, root) for path in found),
        gpiod=gpiod,
        chip=chip,
        no_chip=why,
        boxes=tuple(BoxFacts(box.port, box.serial, box.kind) for box in boxes),
        oled=_answering(wanted.oled, root) if wanted.real else None,
        wifi_blocked=_wifi_blocked(root),
        wifi_protected=_wifi_protected(root),
    )


def _node(path: Path, root: Path) -> Node:
    try:
        group = grp.getgrgid(path.stat().st_gid).gr_name
    except (KeyError, OSError):
        group = "?"
    return Node(f"/{path.relative_to(root)}", group, os.access(path, os.R_OK | os.W_OK))


def _header(root: Path) -> tuple[ChipFacts | None, Text | None]:
    """Return the header's chip with its taken lines, or why there is none."""
    import gpiod

    try:
        path = find_header_chip(root / "dev")
        with gpiod.Chip(path) as device:
            return chip_of(device, path), None
    except DeviceError as error:
        return None, error.text


def chip_of(device: gpiod.Chip, path: str) -> ChipFacts:
    """Return what an open chip tells of its lines."""
    told = device.get_info()
    infos = (device.get_line_info(offset) for offset in range(told.num_lines))
    return ChipFacts(path, told.label, tuple(Line(info.offset, info.consumer) for info in infos if info.used))


def _answering(oled: OledSettings, root: Path) -> tuple[int, ...] | None:
    """Return which addresses of displays answer on the profile's bus, None when they cannot be asked."""
    bus = root / f"dev/i2c-{oled.i2c_port}"
    if oled.driver == "none" or oled.interface != "i2c" or not os.access(bus, os.R_OK | os.W_OK):
        return None
    return tuple(at for at in sorted({oled.i2c_address, *ADDRESSES}) if _answers(bus, at))


def _answers(bus: Path, address: int) -> bool:
    """Return whether somebody acknowledges *address* when one byte is read from it."""
    handle = os.open(bus, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.ioctl(handle, I2C_SLAVE, address)
        return len(os.read(handle, 1)) == 1
    except OSError:
        return False
    finally:
        with contextlib.suppress(OSError):
            os.close(handle)


def _wifi_protected(root: Path) -> bool:
    """Return whether an access point of NetworkManager is not told to leave management frames unprotected."""
    kept = (read(path) or "" for path in (root / CONNECTIONS).glob("*.nmconnection"))
    lines = ([line.strip() for line in said.splitlines()] for said in kept)
    return any("mode=ap" in said and not {"pmf=1", "pmf=disable"} & set(said) for said in lines)


def _wifi_blocked(root: Path) -> bool:
    """Return whether Wi-Fi is switched off in software, as on a Pi that was never told its country."""
    switches = sorted((root / "sys/class/rfkill").glob("rfkill*"))
    return any(read(switch / "type") == "wlan" and read(switch / "soft") == "1" for switch in switches)
