"""How a table is started: options, machine and profile put together, and where the data lives."""

from __future__ import annotations

import ipaddress
import os
import platform
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from lastnose.companion.config import PAGES, SOURCES, described
from lastnose.companion.config.neighbours import Neighbours
from lastnose.companion.config.plugins import source_names
from lastnose.companion.core.decode import decode_json
from lastnose.companion.core.errors import BadInput, Malformed, ProfileError, unwritable, where_kept
from lastnose.companion.core.text import Text, text
from lastnose.companion.wiring.profile import MAX_SEATS, OledSettings, Pins, Profile, load_profile
from platformdirs import user_data_path

# ---- The Wi-Fi that phones join before they can open the page: what its file says, and its QR code.
#
# The file is TOML with `ssid`, `password` and, where it is known, the table's own `address` in that network.

SSID_BYTES = 32
PASSWORD_LENGTH = range(8, 64)


class Wifi(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A network with a password (WPA2)."""

    ssid: str
    password: str
    address: str | None = None

    @property
    def code(self) -> str:
        """Return what its QR code says to a phone's camera.

        >>> Wifi("Last Nose", "a;b").code
        'WIFI:T:WPA;S:Last Nose;P:a\\\\;b;;'
        """
        from segno.helpers import make_wifi_data

        return str(make_wifi_data(ssid=self.ssid, password=self.password, security="WPA"))

    def problem(self) -> Text | None:
        """Return why no phone could join it, None when one can."""
        named = 1 <= len(self.ssid.encode()) <= SSID_BYTES and self.ssid.isprintable()
        plain = self.password.isascii() and self.password.isprintable()
        if not named or len(self.password) not in PASSWORD_LENGTH or not plain:
            return text(
                "the network’s name has 1 to {n} bytes, its password 8 to 63 letters, digits and signs of "
                "plain ASCII",
                n=SSID_BYTES,
            )
        if self.address is not None and not _is_address(self.address):
            return text("{address} is no IPv4 address", address=self.address)
        return None


def _is_address(address: str) -> bool:
    try:
        return bool(ipaddress.IPv4Address(address))
    except ValueError:
        return False


def read_wifi(path: Path) -> Wifi:
    """Return the network that the file describes; raise BadInput that names the file."""
    return described(path, Wifi)


ON_THE_HEADER = ("gpiochip", "pins")
SIMULATED = ("mock", "replay")
NO_PINS = Profile(PAGES, "mock", Pins(noses=()))


class RunSettings(msgspec.Struct, frozen=True):
    """Everything `lastnose run` was asked for. `rearm_s` None: the next round waits for the host.

    `names` are names by which phones may call the page, beside this machine's own. `phones` is how many noses
    only phones and shared pages touch, beside the wired ones and numbered on from them.
    """

    source: str
    profile: Profile
    data_dir: Path
    port: int = 8080
    lan: bool = False
    open_browser: bool = False
    language: str = "en"
    rearm_s: float | None = 3.0
    tape: Path | None = None
    speed: float = 1.0
    boxes: tuple[str, ...] = ()
    beside: Profile | None = None
    phones: int = 0
    names: tuple[str, ...] = ()
    wifi: Wifi | None = None
    backup: Path | None = None
    new_pin: bool = False
    tls: tuple[Path, Path] | None = None
    neighbours: Neighbours | None = None

    @property
    def oled(self) -> OledSettings:
        """The display."""
        return self.profile.oled

    @property
    def wirings(self) -> tuple[dict[str, int], ...]:
        """The lines with their pins: those of each box, or the profile's; at last those beside boxes.

        Seats, spoons and docks are numbered on from one to the next; the first host button is the host's.
        """
        wired = [self.profile] * max(1, len(self.boxes)) + ([] if self.beside is None else [self.beside])
        return tuple(numbered_on([one.lines for one in wired]))

    @property
    def wired_noses(self) -> tuple[str, ...]:
        """The lines of the noses on pins and boxes, simulated ones too, in order."""
        return tuple(line for lines in self.wirings for line in lines if line.startswith("nose."))

    @property
    def phone_lines(self) -> dict[str, int]:
        """The noses that only pages touch, counted from 0."""
        first = len(self.wired_noses) + 1
        return {f"nose.{first + number}": number for number in range(self.phones)}

    @property
    def noses(self) -> tuple[str, ...]:
        """The lines of all noses, in order."""
        return (*self.wired_noses, *self.phone_lines)


def numbered_on(wirings: Sequence[Mapping[str, int]]) -> Iterator[dict[str, int]]:
    """Yield each wiring with its lines numbered on from the one before.

    >>> list(numbered_on([{"nose.1": 0, "nose.2": 1, "host": 9}, {"nose.1": 5, "host": 6}]))
    [{'nose.1': 0, 'nose.2': 1, 'host': 9}, {'nose.3': 5}]
    """
    before: Counter[str] = Counter()
    for lines in wirings:
        out: dict[str, int] = {}
        for line, pin in lines.items():
            kind, dot, number = line.partition(".")
            if dot:
                out[f"{kind}.{int(number) + before[kind]}"] = pin
            elif not before[kind]:
                out[line] = pin
        before.update(line.partition(".")[0] for line in lines)
        yield out


def _check_board(source: str, chosen: Profile) -> None:
    """Raise ProfileError when the noses of *chosen* are not where *source* looks for them."""
    wanted = "pico" if source == "box" else "pi"
    if source in (*ON_THE_HEADER, "box") and chosen.board != wanted:
        raise _not_wired(chosen.name, f"--source {source}", usual_profile(source))


def _not_wired(name: str, option: str, usual: str) -> ProfileError:
    return ProfileError(
        text(
            "The profile {name} does not go with {option}: name one whose noses are there, such as {usual}.",
            name=name,
            option=option,
            usual=usual,
        )
    )


def _apart(option: str, source: str) -> BadInput:
    return BadInput(
        text(
            "{option} does not go with --source {source}: name another one, as with --source box.",
            option=option,
            source=source,
        )
    )


def _check(settings: RunSettings) -> None:
    """Raise BadInput for too many noses, what is no name, and copies where the evenings are."""
    for name in settings.names:
        if not re.fullmatch(r"[\w.-]+", name):
            raise BadInput(Text("{why}.", {"why": text("“{key}” is no name of a machine", key=name)}))
    if settings.backup is not None and settings.backup.resolve() == settings.data_dir.resolve():
        raise BadInput(where_kept(settings.backup))
    noses = len(settings.wired_noses) + settings.phones
    if settings.source == "replay" and settings.phones:
        raise _apart("--phones", "replay")
    if noses > MAX_SEATS:
        raise BadInput(
            text(
                "These boxes, pins and phones have {n} noses; a table has at most {most}.",
                n=noses,
                most=MAX_SEATS,
            )
        )


def run_settings(
    *,
    source: str | None = None,
    profile: str | None = None,
    data_dir: Path | None = None,
    lan: bool | None = None,
    oled: str | None = None,
    pi: bool | None = None,
    boxes: Sequence[str] = (),
    beside: str | None = None,
    wifi: Path | None = None,
    **given: Any,
) -> RunSettings:
    """Put options and profile together; what is None depends on the machine (*pi*: None asks it).

    On a Pi the source is gpiochip and the page is open to the network. Elsewhere noses are touched on pages
    and phones: those are real, for nothing real falls back to pretend (law 7). *boxes* are ports of buzzer
    boxes, each wired as the profile; *beside* is the profile of the Pi's own pins beside them. *oled*
    replaces its driver; *wifi* is a file; *given* are other fields as they are. Raise a CompanionError.
    """
    pi = on_a_pi() if pi is None else pi
    source = _choose_source("box" if boxes and source is None else source, given.get("tape"), pi)
    if source != "box" and (boxes or beside):
        raise _apart("--box" if boxes else "--beside", source)
    chosen = _shown_on(_chosen_profile(source, profile), oled)
    if source == PAGES and not given.get("phones"):
        given["phones"] = MAX_SEATS
    settings = RunSettings(
        source=source,
        profile=chosen,
        data_dir=data_dir or default_data_dir(),
        lan=pi if lan is None else lan,
        boxes=tuple(boxes) or (("auto",) if source == "box" else ()),
        beside=None if beside is None else _beside(beside, boxes),
        wifi=None if wifi is None else read_wifi(wifi),
        **given,
    )
    _check(settings)
    return settings


def _chosen_profile(source: str, name: str | None) -> Profile:
    """Return the profile called *name*, or what is usual; raise BadInput or ProfileError."""
    if source == PAGES and name not in (None, PAGES):
        raise _apart("--profile", source)
    chosen = NO_PINS if source == PAGES else load_profile(name or usual_profile(source))
    _check_board(source, chosen)
    return chosen


def _shown_on(profile: Profile, driver: str | None) -> Profile:
    """Return *profile*, on another display if one is named; raise BadInput for none, or one on taken pins."""
    if driver is None:
        return profile
    made = msgspec.structs.replace(profile, oled=msgspec.structs.replace(profile.oled, driver=driver))
    # The pins of a simulated table are in memory only, and no display hangs on them.
    for problem in made.oled.problems() if made.board == "mock" else made.problems():
        raise BadInput(problem)
    return made


def usual_profile(source: str) -> str:
    """Return the name of the profile for a source when none is named."""
    return {"box": "pico-party", **dict.fromkeys(ON_THE_HEADER, "home8")}.get(source, "mock")


def _beside(name: str, boxes: Sequence[str]) -> Profile:
    """Return the profile of the Pi's own pins beside boxes; simulated ones only beside simulated boxes."""
    profile = load_profile(name)
    pretends = bool(boxes) and all(port.startswith("sim") for port in boxes)
    if profile.board != ("mock" if pretends and profile.board == "mock" else "pi"):
        raise _not_wired(name, "--beside", usual_profile("gpiochip"))
    return profile


def _choose_source(source: str | None, tape: Path | None, pi: bool) -> str:
    """Return where the edges come from; raise BadInput when that is not clear."""
    chosen = ("gpiochip" if pi else PAGES) if source is None else source
    known = (*SOURCES, *source_names())
    if chosen not in known:
        raise BadInput(
            text(
                "There is no source “{source}”: choose one of {sources}.",
                source=chosen,
                sources=", ".join(known),
            )
        )
    if (chosen == "replay") != (tape is not None):
        raise BadInput(text("A tape goes with --source replay, and --source replay with a tape."))
    return chosen


def device_tree(name: str, root: Path = Path("/")) -> str:
    """Return what the device tree of the machine below *root* says under *name*, "" where it does not."""
    try:
        said = (root / "proc/device-tree" / name).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return said.strip("\0\n")


def on_a_pi(root: Path = Path("/")) -> bool:
    """Return whether the machine whose files are below *root* is a Raspberry Pi."""
    return "Raspberry Pi" in device_tree("model", root)


def default_data_dir() -> Path:
    """Return where evenings are kept: $LASTNOSE_DATA, else `lastnose` in the user's data directory.

    Each system has its own: ~/.local/share or $XDG_DATA_HOME, ~/Library/Application Support, %LOCALAPPDATA%.
    """
    chosen = os.environ.get("LASTNOSE_DATA")
    return Path(chosen) if chosen else user_data_path("lastnose", appauthor=False)


# ---- What the self-test has measured of a table, kept in the data folder, a file for each profile and
# source.
#
# `lastnose selftest --wired` measures how late interrupt threads are; with another kernel or machine that
# counts no more.

FOLDER = "calibration"


class Lateness(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How late interrupt threads were (µs): the latest of so many events under load, and what to declare."""

    machine: str
    events: int
    most_us: float
    late_us: float


class Calibration(msgspec.Struct, frozen=True):
    """What has been measured `at` (ISO 8601), by which version of Last Nose; older ones say more."""

    profile: str
    source: str
    at: str = ""
    version: str = ""
    lateness: Lateness | None = None


def machine_name() -> str:
    """Return what interrupt threads depend on: the machine and its kernel."""
    model = device_tree("model") or f"{platform.node()} {platform.machine()}"
    return f"{model}, {platform.system()} {platform.release()}"


def calibration_file(data_dir: Path, profile: str, source: str) -> Path:
    """Return the file of a profile and source.

    >>> calibration_file(Path("data"), "home6", "gpiochip").as_posix()
    'data/calibration/home6.gpiochip.json'
    """
    name = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in Path(profile).stem)
    return data_dir / FOLDER / f"{name}.{source}.json"


def load_calibration(data_dir: Path, profile: str, source: str) -> Calibration:
    """Return what has been measured, an empty one when nothing has; raise BadInput when it cannot be read."""
    path = calibration_file(data_dir, profile, source)
    try:
        return decode_json(path.read_bytes(), Calibration)
    except FileNotFoundError:
        return Calibration(profile, source)
    except (OSError, Malformed) as problem:
        why = problem.text if isinstance(problem, Malformed) else str(problem)
        raise BadInput(
            text("{file} is damaged ({why}). Delete it and start again.", file=str(path), why=why)
        ) from None


def save_calibration(data_dir: Path, made: Calibration) -> Path:
    """Write *made* in place of what was known, whole or not at all; raise BadInput."""
    path = calibration_file(data_dir, made.profile, made.source)
    draft = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n")
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # the table that reads it owns the folder
            owner = data_dir.stat()
            for ours in (path.parent, draft):
                os.chown(ours, owner.st_uid, owner.st_gid)
        draft.replace(path)
    except OSError as error:
        raise BadInput(unwritable(path, error)) from None
    return path


def calibrated(settings: RunSettings, machine: str) -> RunSettings:
    """Return *settings* with what was measured on this *machine*; what the profile says comes first."""
    known = load_calibration(settings.data_dir, settings.profile.name, settings.source)
    found, profile = known.lateness, settings.profile
    if found is not None and found.machine == machine and profile.timing.late_us is None:
        timing = msgspec.structs.replace(profile.timing, late_us=found.late_us)
        profile = msgspec.structs.replace(profile, timing=timing)
    return msgspec.structs.replace(settings, profile=profile)
