"""What is known of a machine before anybody judges it. None: it could not be found out, or is not there."""

from __future__ import annotations

from typing import Literal

import msgspec
from lastnose.companion.core.ports import FoundBox
from lastnose.companion.core.text import Text
from lastnose.companion.wiring.profile import OledSettings, Profile


class Node(msgspec.Struct, frozen=True):
    """A device file: its group, and whether this user may read and write it."""

    path: str
    group: str
    usable: bool = True


class Line(msgspec.Struct, frozen=True):
    """A line of the header that is taken, and by whom."""

    pin: int
    consumer: str


class ChipFacts(msgspec.Struct, frozen=True):
    """The header's GPIO chip. `taken`: its lines that somebody uses."""

    path: str
    label: str
    taken: tuple[Line, ...] = ()


class Devices(msgspec.Struct, frozen=True):
    """What is plugged in. `gpiod`: the library for pins is there. `oled`: which addresses answer.

    `no_chip` says why no header was found; `oled` is None when nobody was asked. `wifi_protected`: an access
    point of this machine wants protected management frames, which a Pi cannot do.
    """

    nodes: tuple[Node, ...] = ()
    gpiod: bool = True
    chip: ChipFacts | None = None
    no_chip: Text | None = None
    boxes: tuple[FoundBox, ...] = ()
    oled: tuple[int, ...] | None = None
    wifi_blocked: bool = False
    wifi_protected: bool = False


class ClockFacts(msgspec.Struct, frozen=True):
    """The clock that stamps, and what feeds it. `step_ns`: its resolution; `throttled`: the firmware's word.

    `wall_s` is the time of day, in seconds since 1970.

    `slew_ppm`: how much faster than the steady clock it runs right now, beyond what it is always set to.
    """

    step_ns: int
    source: str | None = None
    throttled: int | None = None
    slew_ppm: float | None = None
    wall_s: float | None = None


class LateFacts(msgspec.Struct, frozen=True):
    """How late interrupt threads may be, as the self-test has measured it.

    `here`: on this machine and kernel. `why` says what keeps us from reading it.
    """

    path: str
    late_us: float | None = None
    here: bool = False
    why: Text | None = None


class LogFacts(msgspec.Struct, frozen=True):
    """The log in the data folder. `why` says what is the matter; `held_by` is the process that uses it.

    "closed": this user may not look. `copied_s` is the age of the last copy in seconds, `copy` its file.
    """

    state: Literal["none", "sound", "bad", "closed"]
    why: Text | None = None
    held_by: int | None = None
    copied_s: float | None = None
    copy: str = ""


class Folder(msgspec.Struct, frozen=True):
    """The data folder, or the nearest one above it that exists."""

    path: str
    writable: bool
    free_bytes: int


class PageFacts(msgspec.Struct, frozen=True):
    """The port of the page; `why` says what keeps us from it, None when it is free."""

    port: int
    why: str | None = None


class Facts(msgspec.Struct, frozen=True):
    """Everything that was found out. `service` is systemd's word for it, None when it is not installed.

    `lan` is the address by which the network knows this machine.
    """

    name: str
    system: str
    kernel: tuple[int, int]
    pi: bool
    clock: ClockFacts
    devices: Devices
    folder: Folder
    evening: LogFacts
    page: PageFacts
    config_path: str | None = None
    config_txt: str | None = None
    service: str | None = None
    bits: int = 64
    late: LateFacts | None = None
    lan: str | None = None


class Wanted(msgspec.Struct, frozen=True):
    """What is to run here. `problems` says why the profile cannot be used; then there may be none.

    `phones`: so many noses are phones.
    """

    source: str
    profile: Profile | None
    problems: tuple[Text, ...] = ()
    box: str | None = None
    phones: int = 0

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


# ---- What the doctor says of one thing.

State = Literal["fine", "note", "care", "wrong"]
Area = Literal[
    "machine", "wiring", "clock", "power", "pins", "buses", "box", "wifi", "evening", "page", "phones"
]  # fmt: skip


class DoctorFinding(msgspec.Struct, frozen=True):
    """One finding: `name` stays the same for programs, `says` is for people, `do` what helps."""

    name: str
    area: Area
    state: State
    says: Text
    do: Text | None = None


def fine(area: Area, says: Text) -> DoctorFinding:
    """Return that all is well."""
    return DoctorFinding("fine", area, "fine", says)


def note(name: str, area: Area, says: Text, do: Text | None = None) -> DoctorFinding:
    """Return what is worth knowing."""
    return DoctorFinding(name, area, "note", says, do)


def care(name: str, area: Area, says: Text, do: Text | None = None) -> DoctorFinding:
    """Return what works, but not as well as it could."""
    return DoctorFinding(name, area, "care", says, do)


def wrong(name: str, area: Area, says: Text, do: Text | None = None) -> DoctorFinding:
    """Return what keeps the table from working."""
    return DoctorFinding(name, area, "wrong", says, do)
