"""Wish and machine in, steps out. Pure: what a machine is like is a value, and so is what is done to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from companion.core.text import listing, text
from companion.system import config_txt
from companion.system.install import templates
from companion.system.install.request import GROUPS, USER, Before, Wish
from companion.system.install.steps import Command, Do, EditFile, LeaveAsIs, MakeLink, Step, WriteFile

PIP = ("install", "--quiet", "--disable-pip-version-check")
LOCKED = ("--require-hashes", "--only-binary", ":all:")
DEVICES = ("gpio", "i2c-dev", "spidev", "tty")  # subsystems of the kernel
NO_LGPIO_FROM = (3, 13)  # there is no lgpio to download; Raspberry Pi OS has python3-lgpio


class Place(msgspec.Struct, frozen=True):
    """The machine. The texts of its files are as they would be without us; None: there is no such file.

    `project` is the folder to install from, None when there is none and the program stays as it is;
    `fingerprint` changes with what is in it. `packaged`: the Debian package has brought program, command and
    rules. `config_lines` are what the profile needs of config.txt.
    """

    before: Before = Before()
    python: str = "/usr/bin/python3"
    python_version: tuple[int, int] = (3, 11)
    project: str | None = None
    fingerprint: str = ""
    packaged: bool = False
    config_path: str | None = None
    config_txt: str | None = None
    config_lines: tuple[str, ...] = ()
    avahi_conf: str | None = None


def plan(wish: Wish, place: Place, password: str | None = None) -> tuple[Step, ...]:
    """Return what is to be done, in order; *password* is that of the Wi-Fi, if there is to be one."""
    return tuple(_all(wish, place, password))


def _all(wish: Wish, place: Place, password: str | None) -> Iterator[Step]:
    yield from _people(place.before)
    if not place.packaged:
        yield from _program(place)
    if wish.own_profile is not None:
        yield WriteFile(text("Keep a copy of the profile."), templates.PROFILE, wish.own_profile)
    if not place.packaged:
        yield from _rules()
    yield from _boot(place)
    yield from _name(wish, place)
    if wish.ssid is not None and password is not None:
        yield from _access_point(wish.ssid, password)
    yield from _service(wish, place)


def _people(before: Before) -> Iterator[Step]:
    """Yield the groups of the devices, the service's own user, and the groups for who calls sudo."""
    for group in GROUPS:
        if group not in before.groups:
            yield Do(
                text("Make the group {group}.", group=group),
                f"group {group}",
                (("groupadd", "--system", group),),
                (("groupdel", group),),
                text("Take away the group {group}.", group=group),
            )
    if not before.user:
        make = ("useradd", "--system", "--user-group", "--home-dir", templates.EVENINGS, "--no-create-home")
        yield Do(
            text("Make the user {user}, to whom the table belongs.", user=USER),
            "user",
            ((*make, "--shell", "/usr/sbin/nologin", USER),),
            (("userdel", USER),),
            text("Take away the user {user}.", user=USER),
        )
    new = [group for group in GROUPS if group not in before.person_groups]
    if before.person is not None and new:
        yield Do(
            text(
                "Let {user} use pins, buses and boxes: join {groups}.",
                user=before.person,
                groups=listing(new),
            ),
            "person",
            (("usermod", "--append", "--groups", ",".join(new), before.person),),
            tuple(("gpasswd", "--delete", before.person, group) for group in new),
            text("Take {user} out of {groups}.", user=before.person, groups=listing(new)),
        )


def _program(place: Place) -> Iterator[Step]:
    """Yield the program, and its name for everybody."""
    yield LeaveAsIs("do program") if place.project is None else _environment(place.project, place)
    yield MakeLink(
        text("Make the command lastnose known to everybody."), "/usr/local/bin/lastnose", templates.PROGRAM
    )


def _environment(project: str, place: Place) -> Do:
    """Return the step that makes the environment with the locked versions and the project in it."""
    python = f"{templates.VENV}/bin/python"
    pip: Command = (python, "-m", "pip", *PIP)
    system = ("--system-site-packages",) if place.python_version >= NO_LGPIO_FROM else ()
    locks = [("-r", f"{project}/{lock}") for lock in ("requirements.lock", "requirements-pi.lock")]
    return Do(
        text("Set up the program in {folder}, from the locked versions.", folder=templates.VENV),
        "program",
        (
            (place.python, "-m", "venv", "--clear", *system, templates.VENV),
            *((*pip, *LOCKED, *lock) for lock in locks),
            (*pip, "--no-deps", "--no-build-isolation", project),
        ),
        undo_says=text("Take away {path}.", path=templates.VENV),
        trees=(templates.VENV,),
        state=place.fingerprint,
    )


def _rules() -> Iterator[Step]:
    """Yield who may use the devices, at once and for those that are plugged in later."""
    reload: Sequence[Command] = (
        ("udevadm", "control", "--reload"),
        ("udevadm", "trigger", "--action=change", *(f"--subsystem-match={name}" for name in DEVICES)),
    )
    yield _after_undoing("udev", reload)
    yield WriteFile(
        text("Give pins, buses and boxes to their groups."), templates.RULES, templates.udev_rules()
    )
    yield Do(
        text("Let udev read that."), "udev reload", tuple(reload), state=templates.udev_rules(), may_fail=True
    )


def _boot(place: Place) -> Iterator[Step]:
    """Yield what the buses need: lines in config.txt, and the module that gives I²C its device."""
    if place.config_path is not None and place.config_txt is not None:
        lacking = config_txt.missing(place.config_txt, place.config_lines)
        block = config_txt.block(place.config_txt, lacking)
        if block:
            yield EditFile(
                text("Switch the buses on in {file}.", file=place.config_path),
                place.config_path,
                "",
                block,
                ask=True,
            )
    if any("i2c" in line for line in place.config_lines):
        yield WriteFile(
            text("Have the I²C device made at every start."),
            templates.MODULES,
            f"{templates.OURS}\ni2c-dev\n",
        )


def _name(wish: Wish, place: Place) -> Iterator[Step]:
    """Yield the table's name in the local network, where Avahi is there to tell it."""
    if place.avahi_conf is None:
        return
    says = text("Call this machine {name}.local in the network.", name=wish.name)
    reload: Sequence[Command] = (("systemctl", "try-restart", "avahi-daemon"),)
    yield _after_undoing("avahi", reload)
    renamed = templates.avahi_name(place.avahi_conf, wish.name)
    if renamed is not None:
        yield EditFile(says, templates.AVAHI_CONF, *renamed)
    announced = templates.avahi_service(wish)
    yield WriteFile(text("Announce the page in the network."), templates.AVAHI_SERVICE, announced)
    yield Do(
        text("Let Avahi read that."),
        "avahi reload",
        tuple(reload),
        state=f"{wish.name} {wish.port} {bool(renamed)}",
    )


def _access_point(ssid: str, password: str) -> Iterator[Step]:
    """Yield a Wi-Fi of the table's own; it comes up at the next start."""
    reload: Sequence[Command] = (("nmcli", "connection", "reload"),)
    yield _after_undoing("wifi", reload)
    yield WriteFile(
        text(
            "Make the Wi-Fi “{ssid}” of this Pi’s own; it takes the place of another at the next start.",
            ssid=ssid,
        ),
        templates.CONNECTION,
        templates.connection(ssid, password),
        mode=0o600,
        secret=True,
    )
    yield WriteFile(
        text("Tell the table its password, for the QR code."),
        templates.WIFI,
        templates.wifi(ssid, password),
        mode=0o640,
        secret=True,
    )
    yield Do(
        text("Let the table read it, and nobody else."),
        "wifi group",
        (("chgrp", USER, templates.WIFI),),
        state=templates.wifi(ssid, password),
    )
    yield Do(text("Let NetworkManager read that."), "wifi reload", tuple(reload), state=ssid, may_fail=True)


def _service(wish: Wish, place: Place) -> Iterator[Step]:
    """Yield the service, begun at once and at every start of the machine."""
    reload: Command = ("systemctl", "daemon-reload")
    unit = templates.unit(wish, templates.PACKAGED_PROGRAM if place.packaged else templates.PROGRAM)
    yield _after_undoing("service", (reload,))
    yield WriteFile(text("Write the service."), templates.UNIT, unit)
    yield MakeLink(text("Have it started with the machine."), templates.WANTED_BY, templates.UNIT)
    yield Do(
        text("Start the table."),
        "start",
        (reload, ("systemctl", "restart", "--no-block", "lastnose")),
        (("systemctl", "stop", "lastnose"),),
        text("Stop the table."),
        state=f"{place.fingerprint} {wish.ssid} {unit} {wish.own_profile}",
    )


def _after_undoing(name: str, commands: Sequence[Command]) -> Do:
    """Return a step that does nothing now, and *commands* once all that stands below it is taken back."""
    says = text("Let the system read its files again.")
    return Do(says, f"afterwards {name}", undo=tuple(commands), undo_says=says, may_fail=True)
