"""The machine itself: system and kernel, wiring, clock, supply."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.text import Text, text, texts
from companion.core.units import duration
from companion.system.doctor.facts import ClockFacts, Facts, LateFacts, Wanted
from companion.system.doctor.finding import DoctorFinding, care, fine, note, wrong

OLDEST_KERNEL = (5, 10)  # the GPIO device's second interface, which numbers its edges
LARGEST_STEP_NS = 1_000
SLEWED_PPM = 20.0  # warmth alone moves a crystal by less in a minute; ntpd and the kernel slew by 500
ONLY_64_BIT = text(
    "Last Nose needs a 64-bit system: a Raspberry Pi Zero 2 W, 3, 4, 5, 400, 500 or Compute Module with the "
    "64-bit Raspberry Pi OS. For an older one, let a laptop judge through the buzzer box."
)
BAD_CLOCKS = ("jiffies", "refined-jiffies")
# Bits of the firmware's get_throttled: now, and since the start.
UNDER_VOLTAGE = 0x1
BEFORE = 16


def findings(facts: Facts, wanted: Wanted) -> Iterator[DoctorFinding]:
    """Yield what there is to say of the machine itself."""
    if facts.bits < 64:
        yield wrong(
            "bits",
            "machine",
            text("This is a {n}-bit system, for which not all packages exist.", n=facts.bits),
            ONLY_64_BIT,
        )
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
            text("The kernel {version} is too old to number its edges.", version=version),
            text("Install a newer Raspberry Pi OS: the kernel must be 5.10 or newer."),
        )
    elif wanted.source in ("gpiochip", "pins") and not facts.pi:
        yield wrong(
            "no-pi",
            "machine",
            text("This machine is no Raspberry Pi, so it has no pins to read."),
            text("Run it on a Pi, plug in a buzzer box (--source box), or play with --source mock."),
        )
    else:
        yield fine("machine", text("{system}, kernel {version}.", system=facts.system, version=version))


def _wiring(wanted: Wanted) -> Iterator[DoctorFinding]:
    do = text("Say lastnose profiles check, mend the file, or name another profile with --profile.")
    for problem in wanted.problems:
        yield wrong("profile", "wiring", problem, do)
    profile = wanted.profile
    if profile is None or wanted.problems:
        return
    for warning in profile.warnings():
        yield care("profile-care", "wiring", warning)
    noses = texts("{n} nose", "{n} noses", n=len(profile.pins.noses))
    yield fine("wiring", text("The profile {name} is sound: {noses}.", name=profile.name, noses=noses))


def _clock(clock: ClockFacts) -> Iterator[DoctorFinding]:
    if clock.source in BAD_CLOCKS or clock.step_ns > LARGEST_STEP_NS:
        yield wrong(
            "clock-coarse",
            "clock",
            text(
                "The clock that stamps the touches moves in steps of {step} (clock source {source}).",
                step=duration(clock.step_ns),
                source=clock.source or "?",
            ),
            text("Take clocksource= out of cmdline.txt, or use another machine: this one cannot judge."),
        )
    else:
        yield fine(
            "clock", text("The clock that stamps moves in steps of {step}.", step=duration(clock.step_ns))
        )
    if clock.slew_ppm is not None and abs(clock.slew_ppm) >= SLEWED_PPM:
        yield care(
            "clock-slewed",
            "clock",
            text(
                "The clock is being set: it runs {ppm} ppm off just now, so long margins are that much off.",
                ppm=round(clock.slew_ppm),
            ),
            text("Wait some minutes, until timedatectl timesync-status shows a small offset, then begin."),
        )


def _lateness(late: LateFacts | None, wanted: Wanted) -> Iterator[DoctorFinding]:
    """Say where the bound of a late interrupt thread comes from, which widens what lost edges leave open."""
    if wanted.profile is None or wanted.source not in ("gpiochip", "pins"):
        return
    measure = text("Say lastnose selftest --wired: it measures this machine, at rest and under load.")
    own_us = wanted.profile.timing.late_us
    if late is not None and late.why is not None:
        yield DoctorFinding("calibration", "clock", "wrong", late.why)
    elif own_us is not None:
        yield fine(
            "clock",
            text("An interrupt thread may be {late} late: the profile says so.", late=_microseconds(own_us)),
        )
    elif late is None or late.late_us is None:
        yield note(
            "late-unmeasured",
            "clock",
            text("How late an interrupt thread of this machine may be was never measured: 5 ms are assumed."),
            measure,
        )
    elif not late.here:
        yield note(
            "late-elsewhere",
            "clock",
            text(
                "How late an interrupt thread may be was measured on {machine}, which this is not: "
                "5 ms are assumed.",
                machine=late.machine,
            ),
            measure,
        )
    else:
        says = text(
            "An interrupt thread may be {late} late, as measured here ({path}).",
            late=_microseconds(late.late_us),
            path=late.path,
        )
        yield fine("clock", says)


def _microseconds(late_us: float) -> Text:
    return duration(round(late_us * 1_000))


def _power(clock: ClockFacts) -> Iterator[DoctorFinding]:
    if clock.throttled is None:
        return
    now, before = clock.throttled & 0xF, clock.throttled >> BEFORE & 0xF
    supply = text("Use the supply that belongs to this Pi, and a short thick cable.")
    if now & UNDER_VOLTAGE:
        yield wrong(
            "under-voltage", "power", text("The supply is too weak: it gives too little right now."), supply
        )
    elif before & UNDER_VOLTAGE:
        yield care(
            "under-voltage-before",
            "power",
            text("The supply was too weak at some time since the start."),
            supply,
        )
    else:
        yield fine("power", text("The supply is strong enough."))
