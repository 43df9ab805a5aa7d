"""The machine itself: system and kernel, wiring, clock, supply."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from lastnose.companion import RELEASED
from lastnose.companion.core.errors import no_permission
from lastnose.companion.core.text import Text, english, listing, text, texts
from lastnose.companion.core.units import duration
from lastnose.companion.system.config_txt import missing
from lastnose.companion.system.doctor.facts import (
    Area,
    ChipFacts,
    ClockFacts,
    Devices,
    DoctorFinding,
    Facts,
    Folder,
    LateFacts,
    LogFacts,
    Node,
    Wanted,
    care,
    fine,
    note,
    wrong,
)
from lastnose.companion.wiring.profile import Profile

OLDEST_KERNEL = (5, 10)  # the GPIO device's second interface, which numbers its edges
LARGEST_STEP_NS = 1_000
RELEASED_S = datetime.fromisoformat(RELEASED).replace(tzinfo=UTC).timestamp()
SLEWED_PPM = 20.0  # warmth alone moves a crystal by less in a minute; ntpd and the kernel slew by 500
ONLY_64_BIT = text(
    "Last Nose needs a 64-bit system: a Raspberry Pi Zero 2 W, 3, 4, 5, 400, 500 or Compute Module with the "
    "64-bit Raspberry Pi OS. For an older one, let a laptop judge through the buzzer box."
)
NO_PI = text(
    "This machine is not a Raspberry Pi and has no pins to read: plug in a buzzer box (--source box), or "
    "play on pages and phones (--source pages)."
)
NOT_WIRED = text(
    "No noses are wired: touch them on the page, or each on your own phone (where the page is open to the "
    "network: --lan)."
)
NEVER_MEASURED = text(
    "How late an interrupt thread of this machine may be was never measured, so 5 ms are assumed: "
    "lastnose selftest --wired measures it, at rest and under load."
)
BAD_CLOCKS = ("jiffies", "refined-jiffies")
# Bits of the firmware's get_throttled: now, and since the start.
UNDER_VOLTAGE = 0x1
BEFORE = 16


def system_findings(facts: Facts, wanted: Wanted) -> Iterator[DoctorFinding]:
    """Yield what there is to say of the machine itself."""
    if facts.bits < 64:
        yield wrong("bits", "machine", ONLY_64_BIT)
    yield from _kernel(facts, wanted)
    yield from _wiring(wanted)
    yield from _clock(facts.clock)
    yield from _lateness(facts.late, wanted)
    yield from _power(facts.clock)


def _kernel(facts: Facts, wanted: Wanted) -> Iterator[DoctorFinding]:
    version = ".".join(map(str, facts.kernel))
    if wanted.source in ("gpiochip", "pins") and facts.kernel < OLDEST_KERNEL:
        yield wrong(
            "kernel-old",
            "machine",
            text(
                "The kernel {version} is too old: install a Raspberry Pi OS with 5.10 or newer.",
                version=version,
            ),
        )
    elif wanted.source in ("gpiochip", "pins") and not facts.pi:
        yield wrong("no-pi", "machine", NO_PI)
    else:
        yield fine("machine", english("{system}, Linux {version}.", system=facts.system, version=version))


def _wiring(wanted: Wanted) -> Iterator[DoctorFinding]:
    do = text("Run lastnose profiles check, fix the file, or name another profile with --profile.")
    for problem in wanted.problems:
        yield wrong("profile", "wiring", problem, do)
    profile = wanted.profile
    if profile is None or wanted.problems:
        return
    for warning in profile.warnings():
        yield care("profile-care", "wiring", warning)
    if not profile.pins.noses:
        yield fine("wiring", NOT_WIRED)
        return
    noses = texts("{n} nose", "{n} noses", n=len(profile.pins.noses))
    yield fine("wiring", text("{what}: {says}", what=profile.name, says=noses))


def _clock(clock: ClockFacts) -> Iterator[DoctorFinding]:
    says = text(
        "The clock that stamps the touches moves in steps of {step} ({source}).",
        step=duration(clock.step_ns),
        source=clock.source or "?",
    )
    if clock.source in BAD_CLOCKS or clock.step_ns > LARGEST_STEP_NS:
        other = text("Take clocksource= out of cmdline.txt, or use another machine: this one cannot judge.")
        yield wrong("clock-coarse", "clock", says, other)
    else:
        yield fine("clock", says)
    behind = 0 if clock.wall_s is None else int((RELEASED_S - clock.wall_s) // DAY_S)
    if behind > 0:  # by so much at the least: as a Pi says it that has no battery and no network yet
        off = text(
            "This table’s clock is off by {time}: set it. Times in its history are wrong, its results are "
            "right.",
            time=texts("{n} day", "{n} days", n=behind),
        )
        yield care("clock-behind", "clock", off)
    if clock.slew_ppm is not None and abs(clock.slew_ppm) >= SLEWED_PPM:
        yield care(
            "clock-slewed",
            "clock",
            text(
                "The clock is being set: it runs {ppm} ppm off, and so do long margins. Wait some minutes, "
                "until timedatectl timesync-status shows a small offset. If chrony sets the clock, "
                "maxslewrate 500 in its chrony.conf keeps every margin within its ±.",
                ppm=round(clock.slew_ppm),
            ),
        )


def _lateness(late: LateFacts | None, wanted: Wanted) -> Iterator[DoctorFinding]:
    """Say where the bound of a late interrupt thread comes from, which widens what lost edges leave open."""
    if wanted.profile is None or wanted.source not in ("gpiochip", "pins"):
        return
    own_us = wanted.profile.timing.late_us
    if late is not None and late.why is not None:
        yield DoctorFinding("calibration", "clock", "wrong", late.why)
    elif own_us is not None:
        yield fine("clock", _late(own_us, wanted.profile.name))
    elif late is None or late.late_us is None:
        yield note("late-unmeasured", "clock", NEVER_MEASURED)
    elif not late.here:
        yield note("late-elsewhere", "clock", NEVER_MEASURED)
    else:
        yield fine("clock", _late(late.late_us, late.path))


def _late(late_us: float, path: str) -> Text:
    late = duration(round(late_us * 1_000))
    return text("An interrupt thread may be {late} late ({path}).", late=late, path=path)


def _power(clock: ClockFacts) -> Iterator[DoctorFinding]:
    if clock.throttled is None:
        return
    now, before = clock.throttled & 0xF, clock.throttled >> BEFORE & 0xF
    weak = text(
        "The supply is too weak, or was since the start: use the one that belongs to this Pi, and a short "
        "thick cable."
    )
    if now & UNDER_VOLTAGE:
        yield wrong("under-voltage", "power", weak)
    elif before & UNDER_VOLTAGE:
        yield care("under-voltage-before", "power", weak)
    else:
        yield fine("power", text("The supply is strong enough."))


# ---- what is plugged in


OURS = "lastnose"
LGPIO = "lg"  # what gpiozero's usual factory calls itself, for noses on --source pins
KERNELS_OWN = ("led ", "oled SDA", "oled SCL", "oled MOSI", "oled clock", "oled select")
NOBODYS = ("root", "?")  # to join these would be to own the machine
ADDRESSES = (0x3C, 0x3D)


def devices_findings(facts: Facts, wanted: Wanted) -> Iterator[DoctorFinding]:
    """Yield what there is to say of pins, buses, display and boxes."""
    devices = facts.devices
    if wanted.source in ("gpiochip", "pins") and wanted.profile is not None and facts.pi:
        running = facts.evening.held_by is not None or facts.service == "active"
        yield from _pins(devices, wanted.profile, (OURS, LGPIO) if running else (OURS,))
    if wanted.real and wanted.profile is not None and facts.pi:
        yield from _buses(facts, wanted.profile)
    if wanted.real:
        yield from _permissions(facts, wanted)
    yield from _display(devices, wanted)
    if wanted.source == "box" and not wanted.simulated_box:
        yield from _boxes(devices, wanted.box)
    if devices.wifi_protected and facts.pi:
        yield care(
            "wifi-protected",
            "wifi",
            text(
                "This Pi’s Wi-Fi protects management frames, which it cannot: phones get no address. Run "
                "sudo nmcli connection modify lastnose wifi-sec.pmf disable, then restart the Pi."
            ),
        )
    if devices.wifi_blocked and facts.pi:
        yield care(
            "wifi-blocked",
            "wifi",
            text(
                "Wi-Fi is switched off on this machine. Choose your country (sudo raspi-config, "
                "Localisation), or run sudo rfkill unblock wifi."
            ),
        )


def _pins(devices: Devices, profile: Profile, ours: tuple[str, ...]) -> Iterator[DoctorFinding]:
    if not devices.gpiod:
        yield wrong(
            "gpiod-missing",
            "pins",
            text("The library that reads the pins is missing: type make pi."),
        )
    elif devices.chip is None:
        look = text(
            "No header: look at ls /dev/gpiochip*; a Raspberry Pi OS that is up to date has one for it."
        )
        yield wrong("no-header", "pins", devices.no_chip or look, look)
    else:
        yield from _taken(devices.chip, profile, ours)


def _taken(chip: ChipFacts, profile: Profile, ours: tuple[str, ...]) -> Iterator[DoctorFinding]:
    """Yield the pins that somebody else has; those of a running table are its own."""
    taken = {line.pin: line.consumer for line in chip.taken}
    uses = [use for use in profile.uses() if use.board == "pi" and not use.name.startswith(KERNELS_OWN)]
    foreign = [use for use in uses if taken.get(use.pin, OURS) not in ours]
    for use in foreign:
        consumer = taken[use.pin] or "?"
        yield wrong(
            "pin-taken",
            "pins",
            text(
                "GPIO{pin} ({use}) is taken by “{consumer}”: stop that program, take its line out of "
                "config.txt, or wire {use} to another pin.",
                pin=use.pin,
                use=use.name,
                consumer=consumer,
            ),
        )
    if not foreign or any(taken.get(use.pin) in ours for use in uses):
        yield fine("pins", english("{chip}", chip=f"{chip.path} ({chip.label})"))


def _buses(facts: Facts, profile: Profile) -> Iterator[DoctorFinding]:
    if facts.config_txt is None:
        return
    lines = profile.config_lines()
    lacking = missing(facts.config_txt, lines)
    if lacking:
        yield wrong(
            "config-txt",
            "buses",
            text(
                "{file} lacks {lines}: let lastnose setup-pi add that, or add it yourself; then restart the "
                "Pi.",
                file=facts.config_path or "config.txt",
                lines=", ".join(lacking),
            ),
        )
    elif lines:
        yield fine("buses", english("{lines}", lines=", ".join(lines)))
    there = {node.path for node in facts.devices.nodes}
    for path in _wanted_nodes(profile):
        if path not in there and not lacking:
            yield wrong(
                "bus-off",
                "buses",
                text(
                    "{path} is not there, although config.txt switches it on: restart the Pi; if that does "
                    "not help, run sudo modprobe i2c-dev (or spidev).",
                    path=path,
                ),
            )


def _wanted_nodes(profile: Profile) -> Iterator[str]:
    """Yield the bus devices that lamps and display need."""
    oled = profile.oled
    if oled.driver != "none":
        spi = f"/dev/spidev{oled.spi_port}.{oled.spi_device}"
        yield f"/dev/i2c-{oled.i2c_port}" if oled.interface == "i2c" else spi
    if profile.pins.leds is not None:
        yield "/dev/spidev0.0"


def _permissions(facts: Facts, wanted: Wanted) -> Iterator[DoctorFinding]:
    """Yield a finding for each group whose devices this user may not use."""
    needed = [node for node in facts.devices.nodes if not node.usable and _needed(node, wanted)]
    for group in sorted({node.group for node in needed}):
        paths = listing([node.path for node in needed if node.group == group])
        if group in NOBODYS:
            says = text(
                "The Debian package (make deb) has the udev rule that gives {paths} to groups.", paths=paths
            )
        else:
            says = no_permission(paths, group)
        area: Area = "pins" if group == "gpio" else "buses"
        # A service has a user of its own, who may.
        served = facts.service == "active"
        yield note("permission", area, says) if served else wrong("permission", area, says)


def _needed(node: Node, wanted: Wanted) -> bool:
    if "gpiochip" in node.path:
        return wanted.source in ("gpiochip", "pins")
    if "tty" in node.path:
        return wanted.source == "box"
    return wanted.profile is not None and node.path in _wanted_nodes(wanted.profile)


def _display(devices: Devices, wanted: Wanted) -> Iterator[DoctorFinding]:
    oled = wanted.oled
    if oled.driver == "none" or devices.oled is None:
        return
    if oled.i2c_address in devices.oled:
        yield fine("buses", english("OLED 0x{address}", address=f"{oled.i2c_address:02X}"))
        return
    says = text(
        "The display does not answer. Look at its four wires: VCC and GND change places between makers. The "
        "game goes on without it."
    )
    if devices.oled:
        says = text(
            "The display answers at {found}: write i2c_address = {found} under [oled] in the profile.",
            found=f"0x{devices.oled[0]:02X}",
        )
    yield care("display-silent", "buses", says)


def _boxes(devices: Devices, wanted: str | None) -> Iterator[DoctorFinding]:
    ready = [box for box in devices.boxes if box.kind == "MicroPython"]
    if wanted not in (None, "auto"):
        ready = [box for box in ready if wanted in (box.port, box.serial)]
    if ready:
        yield fine("box", english("{boxes}", boxes=", ".join(f"{box.serial} ({box.port})" for box in ready)))
    else:
        yield wrong(
            "no-box",
            "box",
            text(
                "No buzzer box is plugged in. Look at its cable, or run lastnose box list; to try without "
                "one, name it sim."
            ),
        )


# ---- where the evening is kept and shown


FULL_BYTES = 20_000_000
DAY_S = 24 * 3600


def storage_findings(facts: Facts) -> Iterator[DoctorFinding]:
    """Yield what there is to say of disk, log, port and service."""
    yield from _disk(facts.folder, closed=facts.evening.state == "closed")
    yield from _evening(facts.evening)
    yield from _copies(facts.evening)
    yield from _page(facts)
    yield from _service(facts.service)


def _disk(folder: Folder, *, closed: bool) -> Iterator[DoctorFinding]:
    if not folder.writable and not closed:
        yield wrong(
            "disk-closed",
            "evening",
            text(
                "{folder} cannot be written to: name another with --data, or give this one to the user who "
                "runs the table. Is the SD card worn out?",
                folder=folder.path,
            ),
        )
    free = text("{n} MB are free in {folder}.", n=folder.free_bytes // 1_000_000, folder=folder.path)
    if folder.free_bytes < FULL_BYTES:
        room = text("Make room: an evening takes about 1 MB, the system wants more.")
        yield wrong("disk-full", "evening", free, room)
    else:
        yield fine("evening", free)


def _evening(evening: LogFacts) -> Iterator[DoctorFinding]:
    if evening.state == "bad":
        assert evening.why is not None, "a log that cannot be read says why"
        yield wrong("log-bad", "evening", evening.why)
    elif evening.state == "closed":
        yield note(
            "log-closed",
            "evening",
            text("The evenings belong to the service: run sudo lastnose doctor to check them as well."),
        )
    elif evening.state == "sound":
        yield fine("evening", text("The log of the evenings is sound."))


def _copies(evening: LogFacts) -> Iterator[DoctorFinding]:
    """Yield when the evenings were last copied to another place."""
    if evening.state != "sound":
        return
    if evening.copied_s is None:
        yield fine(
            "evening",
            text("No copy of the evenings is kept: lastnose run --backup DIR makes one on a stick."),
        )
        return
    days = int(evening.copied_s // DAY_S)
    says = texts(
        "The newest copy of the evenings is {n} day old: {file}.",
        "The newest copy of the evenings is {n} days old: {file}.",
        n=days,
        file=evening.copy,
    )
    if days == 0:
        yield fine("evening", says)
    else:
        plug = text("Plug the stick in that --backup names, and start the table again.")
        yield note("copy-old", "evening", says, plug)


def _page(facts: Facts) -> Iterator[DoctorFinding]:
    page, running = facts.page, facts.evening.held_by is not None or facts.service == "active"
    if page.why is None or running:
        yield fine("page", english("Port {port}", port=str(page.port)))
    else:
        yield wrong(
            "port-taken",
            "page",
            text(
                "The page cannot have port {port} ({why}): stop what uses it (sudo ss -ltnp shows it), or "
                "name another with --port.",
                port=str(page.port),
                why=page.why,
            ),
        )


def _service(state: str | None) -> Iterator[DoctorFinding]:
    match state:
        case None | "activating" | "reloading":
            return
        case "active":
            yield fine("page", english("systemd: lastnose"))
        case "failed":
            yield wrong(
                "service-failed",
                "page",
                text(
                    "The service lastnose does not come up: journalctl -u lastnose -n 20 says why; fix that, "
                    "then sudo systemctl restart lastnose."
                ),
            )
        case _:
            yield note(
                "service-stopped",
                "page",
                text(
                    "The service lastnose is there, but not running: sudo lastnose setup-pi --profile home6 "
                    "sets it up; after that, sudo systemctl start lastnose starts it."
                ),
            )


# ---- phones that are noses


OWN = "169.254."  # an address that an interface gave itself, because nobody else gave it one


def phones_findings(facts: Facts, wanted: Wanted) -> Iterator[DoctorFinding]:
    """Yield what there is to say of phones, where there are to be any."""
    if not wanted.phones:
        return
    yield _way(facts)
    yield note(
        "phones-plain",
        "phones",
        text(
            "Without a certificate the page cannot be kept for later, and a silent film keeps phones from "
            "going dark; where it does not, give the screen more time in the phone’s settings."
        ),
    )
    yield note(
        "phones-sure",
        "phones",
        text("A phone is sure to about ± 70 ms: make the zero test on the page before the first game."),
    )


def _way(facts: Facts) -> DoctorFinding:
    if facts.lan is None or facts.lan.startswith(OWN):
        return care(
            "phones-no-way",
            "phones",
            text(
                "This machine has no address in a network, so phones may not find the page: join a Wi-Fi, "
                "or let a Pi make one: sudo lastnose setup-pi --access-point."
            ),
        )
    address = f"http://{facts.lan}:{facts.page.port}/"
    return fine("phones", text("On the network: {url}", url=address))
