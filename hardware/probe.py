"""Looks at the machine for the doctor: reads what kernel and system tell, asks the display, changes nothing.

Every file is read below a root, so that a test gives a machine as a folder.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import grp
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from lastnose.companion.config.settings import calibration_file, load_calibration, machine_name, on_a_pi
from lastnose.companion.core.errors import CompanionError, DeviceError
from lastnose.companion.core.text import Text
from lastnose.companion.system import host_clock
from lastnose.companion.system.doctor.checks import ADDRESSES
from lastnose.companion.system.doctor.facts import (
    ChipFacts,
    ClockFacts,
    Devices,
    Facts,
    Folder,
    LateFacts,
    Line,
    LogFacts,
    Node,
    PageFacts,
    Wanted,
)
from lastnose.companion.table.memory_store import EveningRecord
from lastnose.companion.table.reader import LogReader
from lastnose.companion.table.rescue import last_copy
from lastnose.companion.wiring.profile import OledSettings
from lastnose.hardware.box.ports import find_ports
from lastnose.hardware.sources.gpiochip import find_header_chip

if TYPE_CHECKING:
    import gpiod

# ---- What the system tells of itself: names, clock and supply.

CONFIG_TXT = ("boot/firmware/config.txt", "boot/config.txt")
TIMEX_BYTES = 512  # more than any struct timex
CRYSTAL_PPM = 100.0
SLEW_WATCH_S = 0.2  # two readings to 0.2 µs each, so far apart, tell 2 ppm


def read(path: Path) -> str | None:
    """Return what a file says, stripped; None when it is not there or may not be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\n\0 ")
    except OSError:
        return None


def system_name(root: Path) -> str:
    """Return machine and system as a person calls them."""
    found = re.search(r'^PRETTY_NAME="?([^"\n]*)', read(root / "etc/os-release") or "", re.MULTILINE)
    names = [read(root / "proc/device-tree/model"), found[1] if found else "Linux"]
    return ", ".join(name for name in names if name)


def kernel_version(release: str) -> tuple[int, int]:
    """Return the first two numbers of a kernel's release.

    >>> kernel_version("6.6.31+rpt-rpi-v8")
    (6, 6)
    """
    found = re.match(r"(\d+)\.(\d+)", release)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def config_txt(root: Path) -> tuple[str | None, str | None]:
    """Return the path and the text of the Pi's config.txt, None where there is none."""
    for place in CONFIG_TXT:
        config = read(root / place)
        if config is not None:
            return str(root / place), config
    return None, None


def clock(root: Path) -> ClockFacts:
    return ClockFacts(
        step_ns=host_clock.STEP_NS,
        source=read(root / "sys/devices/system/clocksource/clocksource0/current_clocksource"),
        slew_ppm=_slew_ppm(),
        throttled=_throttled(root),
        wall_s=time.time(),
    )


def slew_ppm(pairs: Sequence[tuple[int, int]], set_ppm: float) -> float:
    """Return how fast the clock is slewed, from readings of the steady clock and it.

    *set_ppm* is what the kernel makes up for all the time. No crystal needs more than 100: some time servers
    slew by setting it, for a while.

    >>> round(slew_ppm([(0, 0), (200_000_000, 200_092_400)], -38.0))
    500
    """
    (steady_ns, host_ns), (steady_end_ns, host_end_ns) = pairs[0], pairs[-1]
    span_ns = steady_end_ns - steady_ns
    always_ppm = max(-CRYSTAL_PPM, min(CRYSTAL_PPM, set_ppm))
    return (host_end_ns - host_ns - span_ns) / span_ns * 1e6 - always_ppm


def _slew_ppm() -> float | None:
    """Watch both clocks for a fifth of a second; return how far apart they run beyond the kernel's rule."""
    timex = ctypes.create_string_buffer(TIMEX_BYTES)
    try:
        answer: int = ctypes.CDLL(None).adjtimex(timex)
    except (OSError, AttributeError):
        return None
    if answer < 0 or host_clock.steady_ns is None:
        return None
    # struct timex: int modes, then longs: offset, freq (in 2**-16 ppm), …
    long_bytes = ctypes.sizeof(ctypes.c_long)
    frequency = ctypes.c_long.from_buffer(timex, 2 * long_bytes).value / (1 << 16)
    pairs = [_both_clocks(host_clock.steady_ns)]
    time.sleep(SLEW_WATCH_S)
    pairs.append(_both_clocks(host_clock.steady_ns))
    return slew_ppm(pairs, frequency)


def _both_clocks(steady: Callable[[], int]) -> tuple[int, int]:
    """Return the steady clock and the one that stamps at one instant, the quickest of some readings."""
    tries = []
    for _ in range(20):
        before_ns = host_clock.now_ns()
        steady_ns = steady()
        after_ns = host_clock.now_ns()
        tries.append((after_ns - before_ns, steady_ns, before_ns + (after_ns - before_ns) // 2))
    _, steady_ns, host_ns = min(tries)
    return steady_ns, host_ns


def _throttled(root: Path) -> int | None:
    """Return the firmware's word for the supply, as `vcgencmd get_throttled` would.

    Kernels without it may still have a sensor that tells of too little right now.
    """
    for path in sorted((root / "sys/devices/platform").glob("soc*/*firmware/get_throttled")):
        told = read(path)
        if told is not None and re.fullmatch(r"(0x)?[0-9a-fA-F]+", told):
            return int(told, 16)
    for sensor in sorted((root / "sys/class/hwmon").glob("hwmon*")):
        if read(sensor / "name") == "rpi_volt":
            return int(read(sensor / "in0_lcrit_alarm") == "1")
    return None


def look(wanted: Wanted, data: Path, port: int, *, root: Path = Path("/")) -> Facts:
    """Return the facts of this machine; evenings are in *data*, and the display of *wanted* is asked."""
    config_path, config_says = config_txt(root)
    pi = on_a_pi(root)
    return Facts(
        name=os.uname().nodename,
        system=system_name(root),
        kernel=kernel_version(os.uname().release),
        pi=pi,
        clock=clock(root),
        devices=devices(wanted, root),
        folder=folder(data),
        evening=evening(data, root),
        page=page(port),
        config_path=config_path,
        config_txt=config_says,
        service=service(root),
        late=lateness(data, wanted),
        bits=64 if sys.maxsize > 2**32 else 32,
    )


# ---- What is plugged in: device files, the header's chip and who has its lines, displays and boxes.

NODES = ("gpiochip*", "i2c-*", "spidev*", "ttyACM*")
CONNECTIONS = "etc/NetworkManager/system-connections"
I2C_SLAVE = 0x0703  # from linux/i2c-dev.h


def devices(wanted: Wanted, root: Path) -> Devices:
    """Return what is plugged in; the display of the profile's bus is asked for its address."""
    found = [path for kind in NODES for path in sorted((root / "dev").glob(kind))]
    gpiod = find_spec("gpiod") is not None
    chip, why = _header(root) if gpiod and wanted.source in ("gpiochip", "pins") else (None, None)
    return Devices(
        nodes=tuple(_node(path, root) for path in found),
        gpiod=gpiod,
        chip=chip,
        no_chip=why,
        boxes=tuple(find_ports()) if wanted.source == "box" else (),
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


# ---- Where the evening is kept and shown: the data folder, its log, the port, the service. Nothing is
# locked.

UNIT = "usr/lib/systemd/system/lastnose.service"


def folder(data: Path) -> Folder:
    """Return how the data folder is, or the folder in which it would be made."""
    there = data.absolute()
    while not os.access(there, os.F_OK) and there != there.parent:
        there = there.parent
    return Folder(str(there), os.access(there, os.W_OK | os.X_OK), shutil.disk_usage(there).free)


def _is_read_only(folder: Path) -> bool:
    """Return whether nobody can write to the file system of *folder*, as when its card is worn out."""
    return hasattr(os, "statvfs") and bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def evening(data: Path, root: Path = Path("/")) -> LogFacts:
    """Return how the log in *data* is; it may be in use meanwhile."""
    held_by = _holder(data / "lock", read(root / "proc/locks") or "")
    file = data / "lastnose.sqlite"
    try:
        file.stat()  # since Python 3.14 `exists` says no where it may not look
    except (FileNotFoundError, NotADirectoryError):
        return LogFacts("none", held_by=held_by)
    except PermissionError:
        return LogFacts("closed", held_by=held_by)
    # SQLite wants its index beside the log, and does without where nobody can write.
    needed = os.R_OK | os.X_OK if _is_read_only(data) else os.R_OK | os.W_OK | os.X_OK
    if not os.access(data, needed):
        return LogFacts("closed", held_by=held_by)
    try:
        store = LogReader(data)
        try:
            store.must_be_sound()
            EveningRecord(store)  # raises what `lastnose run` would
        finally:
            store.close()
    except CompanionError as error:
        return LogFacts("bad", error.text, held_by=held_by)
    copied = last_copy(data)
    if copied is None:
        return LogFacts("sound", held_by=held_by)
    age_s = max(0.0, time.time() - copied.at)
    return LogFacts("sound", held_by=held_by, copied_s=age_s, copy=copied.file)


def lateness(data: Path, wanted: Wanted) -> LateFacts | None:
    """Return how late interrupt threads were when they were measured; None when nobody has."""
    if wanted.profile is None:
        return None
    path = str(calibration_file(data, wanted.profile.name, wanted.source))
    try:
        found = load_calibration(data, wanted.profile.name, wanted.source).lateness
    except CompanionError as error:
        return LateFacts(path, why=error.text)
    if found is None:
        return None
    return LateFacts(path, found.late_us, found.machine == machine_name())


def _holder(lock: Path, locks: str) -> int | None:
    """Return the process that has *lock*, from what the kernel lists in /proc/locks."""
    try:
        inode = lock.stat().st_ino
    except OSError:
        return None
    found = re.search(rf"FLOCK\s+ADVISORY\s+WRITE\s+(\d+)\s+\w+:\w+:{inode}\s", locks)
    return int(found[1]) if found else None


def page(port: int) -> PageFacts:
    """Return whether a page could be served at *port*."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError as error:
            return PageFacts(port, error.strerror or str(error))
    return PageFacts(port)


def service(root: Path = Path("/")) -> str | None:
    """Return what systemd says of our service, None when it is not installed.

    One that ends and is begun again and again has "failed", whatever its state is meanwhile.
    """
    if not (root / UNIT).exists():
        return None
    ask = ["systemctl", "show", "--property=ActiveState,SubState", "lastnose"]
    try:
        told = subprocess.run(ask, capture_output=True, text=True, timeout=5, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    said = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
    return "failed" if said.get("SubState") == "auto-restart" else said.get("ActiveState", "unknown")
