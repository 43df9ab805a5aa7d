"""What is plugged in: pins and who has them, buses and display, boxes, Wi-Fi, and whether this user may."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.text import Text, listing, text, texts
from companion.system.config_txt import missing
from companion.system.doctor.facts import ChipFacts, Devices, Facts, Node, Wanted
from companion.system.doctor.finding import Area, DoctorFinding, care, fine, note, wrong
from companion.wiring.profile import Profile

OURS = "lastnose"
LGPIO = "lg"  # what gpiozero's usual factory calls itself, for noses on --source pins
KERNELS_OWN = ("led ", "oled SDA", "oled SCL", "oled MOSI", "oled clock", "oled select")
NOBODYS = ("root", "?")  # to join these would be to own the machine
ADDRESSES = (0x3C, 0x3D)


def findings(facts: Facts, wanted: Wanted) -> Iterator[DoctorFinding]:
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
            text("This Pi’s Wi-Fi protects management frames, which it cannot: phones get no address."),
            text("sudo nmcli connection modify lastnose wifi-sec.pmf disable, then restart the Pi."),
        )
    if devices.wifi_blocked and facts.pi:
        yield care(
            "wifi-blocked",
            "wifi",
            text("Wi-Fi is switched off on this machine."),
            text(
                "Say which country you are in (sudo raspi-config, Localisation), or sudo rfkill unblock wifi."
            ),
        )


def _pins(devices: Devices, profile: Profile, ours: tuple[str, ...]) -> Iterator[DoctorFinding]:
    if not devices.gpiod:
        yield wrong(
            "gpiod-missing",
            "pins",
            text("The library that reads the pins is missing."),
            text("Type make pi."),
        )
    elif devices.chip is None:
        yield wrong(
            "no-header",
            "pins",
            devices.no_chip or text("No header was found."),
            text("Look at ls /dev/gpiochip*; a Raspberry Pi OS that is up to date has one for the header."),
        )
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
            text("GPIO{pin} ({use}) is taken by “{consumer}”.", pin=use.pin, use=use.name, consumer=consumer),
            text(
                "Stop that program, take its line out of config.txt, or wire {use} to another pin.",
                use=use.name,
            ),
        )
    if any(taken.get(use.pin) in ours for use in uses):
        yield fine("pins", text("The pins of the profile are those of a running table."))
    elif not foreign:
        yield fine(
            "pins",
            texts(
                "The {n} pin of the profile is free on {chip}.",
                "The {n} pins of the profile are free on {chip}.",
                n=len(uses),
                chip=f"{chip.path} ({chip.label})",
            ),
        )


def _buses(facts: Facts, profile: Profile) -> Iterator[DoctorFinding]:
    if facts.config_txt is None:
        return
    lines = profile.config_lines()
    lacking = missing(facts.config_txt, lines)
    if lacking:
        yield wrong(
            "config-txt",
            "buses",
            text("{file} lacks {lines}.", file=facts.config_path or "config.txt", lines=", ".join(lacking)),
            text("Let lastnose setup-pi add that, or add it yourself; then restart the Pi."),
        )
    elif lines:
        yield fine(
            "buses", text("{file} has what the profile needs.", file=facts.config_path or "config.txt")
        )
    there = {node.path for node in facts.devices.nodes}
    for path in _wanted_nodes(profile):
        if path not in there and not lacking:
            yield wrong(
                "bus-off",
                "buses",
                text("{path} is not there, although config.txt switches it on.", path=path),
                text("Restart the Pi; if that does not help: sudo modprobe i2c-dev (or spidev)."),
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
        says = text("{user} may not use {paths}.", user=facts.user, paths=paths)
        if group in facts.member:
            do = text(
                "Log out and in again: {user} has joined the group {group} since.",
                user=facts.user,
                group=group,
            )
        elif group in NOBODYS:
            do = text("The Debian package (make deb) has the udev rule that gives such devices to groups.")
        else:
            do = text("sudo usermod -aG {group} {user}, then log in again.", group=group, user=facts.user)
        area: Area = "pins" if group == "gpio" else "buses"
        # A service has a user of its own, who may.
        served = facts.service == "active"
        yield note("permission", area, says, do) if served else wrong("permission", area, says, do)


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
        yield fine("buses", text("The display answers at {address}.", address=f"0x{oled.i2c_address:02X}"))
        return
    says = text("The display does not answer at {address}.", address=f"0x{oled.i2c_address:02X}")
    if devices.oled:
        do = text(
            "One answers at {found}: write i2c_address = {found} under [oled] in the profile.",
            found=f"0x{devices.oled[0]:02X}",
        )
    else:
        do = text(
            "Look at its four wires: VCC and GND change places between makers. The game goes on without it."
        )
    yield care("display-silent", "buses", says, do)


def _boxes(devices: Devices, wanted: str | None) -> Iterator[DoctorFinding]:
    ready = [box for box in devices.boxes if box.kind == "MicroPython"]
    if wanted not in (None, "auto"):
        ready = [box for box in ready if wanted in (box.port, box.serial)]
    if ready:
        names: list[Text | str] = [f"{box.serial} ({box.port})" for box in ready]
        yield fine("box", text("Plugged in: {boxes}.", boxes=listing(names)))
    else:
        yield wrong(
            "no-box",
            "box",
            text("No buzzer box is plugged in."),
            text(
                "Look at its cable: some only charge. lastnose box list shows what is there, "
                "and lastnose box flash makes a box of a bare Pico."
            ),
        )
