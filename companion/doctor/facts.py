"""What is known of a machine before anybody judges it. None: it could not be found out, or is not there."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.profile import OledSettings, Profile
from companion.text import Text


class Package(msgspec.Struct, frozen=True):
    """A package of the lock: the version it wants, and the one that is installed."""

    name: str
    wanted: str
    found: str | None = None


class Node(msgspec.Struct, frozen=True):
    """A device file: its group, and whether this user may read and write it."""

    path: str
    group: str
    usable: bool = True


class Line(msgspec.Struct, frozen=True):
    """A line of the header that is taken, and by whom."""

    pin: int
    consumer: str


class Chip(msgspec.Struct, frozen=True):
    """The header's GPIO chip. `taken`: its lines that somebody uses."""

    path: str
    label: str
    taken: tuple[Line, ...] = ()


class Box(msgspec.Struct, frozen=True):
    """A serial port that looks like a buzzer box; `kind` is "MicroPython" or "bootloader"."""

    port: str
    serial: str
    kind: str


class Devices(msgspec.Struct, frozen=True):
    """What is plugged in. `gpiod`, `lgpio`: the libraries for pins are there. `oled`: which addresses answer.

    `no_chip` says why no header was found; `oled` is None when nobody was asked.
    """

    nodes: tuple[Node, ...] = ()
    gpiod: bool = True
    lgpio: bool = True
    chip: Chip | None = None
    no_chip: Text | None = None
    boxes: tuple[Box, ...] = ()
    oled: tuple[int, ...] | None = None
    wifi_blocked: bool = False


class Clock(msgspec.Struct, frozen=True):
    """The clock that stamps. `step_ns`: the smallest step seen; `synchronised`: the time of day is right."""

    step_ns: int
    source: str | None = None
    synchronised: bool | None = None
    governors: tuple[str, ...] = ()
    throttled: int | None = None


class Evening(msgspec.Struct, frozen=True):
    """The log in the data folder. `why` says what is the matter; `held_by` is the process that uses it.

    "closed": this user may not look.
    """

    state: Literal["none", "sound", "bad", "closed"]
    why: Text | None = None
    open_round: bool = False
    held_by: int | None = None


class Folder(msgspec.Struct, frozen=True):
    """The data folder, or the nearest one above it that exists."""

    path: str
    writable: bool
    free_bytes: int


class Page(msgspec.Struct, frozen=True):
    """The port of the page; `why` says what keeps us from it, None when it is free."""

    port: int
    why: str | None = None


class Facts(msgspec.Struct, frozen=True):
    """Everything that was found out. `service` is systemd's word for it, None when it is not installed."""

    name: str
    system: str
    kernel: tuple[int, int]
    python: tuple[int, int]
    pi: bool
    user: str
    groups: tuple[str, ...]
    member: tuple[str, ...]
    packages: tuple[Package, ...]
    memory_free_bytes: int | None
    clock: Clock
    devices: Devices
    folder: Folder
    evening: Evening
    page: Page
    config_path: str | None = None
    config_txt: str | None = None
    service: str | None = None


class Wanted(msgspec.Struct, frozen=True):
    """What is to run here. `problems` says why the profile cannot be used; then there may be none."""

    source: str
    profile: Profile | None
    problems: tuple[Text, ...] = ()
    box: str | None = None

    @property
    def oled(self) -> OledSettings:
        """The display of the profile; the simulated table has none."""
        return self.profile.oled if self.profile is not None else OledSettings()

    @property
    def simulated_box(self) -> bool:
        """Whether the box is only pretended."""
        return self.box is not None and self.box.startswith("sim")

    @property
    def real(self) -> bool:
        """Whether anything but the page is needed."""
        return self.source in ("gpiochip", "pins", "box") and not self.simulated_box
