"""Wish and machine in, steps out. Pure: what a machine is like is a value, and so is what is done to it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text, text
from lastnose.companion.system import config_txt
from lastnose.companion.system.setup_pi import templates
from lastnose.companion.system.setup_pi.templates import Wish

Command = tuple[str, ...]
# In the order in which they are taken away: without its setup the service would not even start.
OWN_FILES = (
    templates.SETUP,
    templates.DROP_IN,
    templates.PROFILE,
    templates.CONNECTION,
    templates.WIFI,
    templates.AVAHI_SERVICE,
)
# By file: how who reads it is told to do so again.
RELOADS: dict[str, Command] = {
    templates.CONNECTION: ("nmcli", "connection", "reload"),
    templates.AVAHI_SERVICE: ("systemctl", "try-restart", "avahi-daemon"),
}
READ_UNITS: Command = ("systemctl", "daemon-reload")
START: Command = ("systemctl", "restart", "--no-block", "lastnose")


class Place(msgspec.Struct, frozen=True):
    """The machine: the texts of its files as they are. None, or not among *files*: there is no such file.

    `files` are those that setup-pi writes; `config_lines` are what the profile needs of config.txt.
    """

    config_path: str | None = None
    config_txt: str | None = None
    config_lines: tuple[str, ...] = ()
    avahi_conf: str | None = None
    files: dict[str, str] = {}


class WriteFile(msgspec.Struct, frozen=True):
    """Write a file of our own; what is `secret` is not shown, and only root and the table may read it."""

    says: Text
    path: str
    content: str
    secret: bool = False


class EditFile(msgspec.Struct, frozen=True):
    """Change somebody else's file from *before* to *after*; `ask` first where somebody may say no."""

    says: Text
    path: str
    before: str
    after: str
    ask: bool = False


class RemoveFile(msgspec.Struct, frozen=True):
    """Take a file of our own away."""

    says: Text
    path: str


class RunCommand(msgspec.Struct, frozen=True):
    """Run a command. `may_fail`: it only makes a program read what it reads at its next start anyway."""

    says: Text
    command: Command
    may_fail: bool = False


Step = WriteFile | EditFile | RemoveFile | RunCommand


def plan(wish: Wish, place: Place, password: str | None = None) -> tuple[Step, ...]:
    """Return what is still to be done, in order; *password* is that of the Wi-Fi, if there is to be one.

    What was begun and not ended is done again. Raise BadInput where somebody's own file is in the way.
    """
    must_be_ours(place)
    wanted = dict(_files(wish, place, password))
    steps = [*_boot(place), *_files_to_change(wanted, place), *_name(wish, place)]
    kept = msgspec.structs.replace(wish, done=True)
    if not steps and place.files.get(templates.SETUP) == written(kept):
        return ()
    return (
        _write(templates.SETUP, written(msgspec.structs.replace(wish, done=False))),
        *steps,
        *(_run(RELOADS[path], may_fail=True) for path in RELOADS if path in {**wanted, **place.files}),
        _run(READ_UNITS),
        _run(START),
        WriteFile(text("Take note that all is done."), templates.SETUP, written(kept)),
    )


def undo_plan(place: Place) -> tuple[Step, ...]:
    """Return what takes all of it back; nothing where nothing was done."""
    steps: list[Step] = [
        RemoveFile(_away(path), path)
        for path in OWN_FILES
        if path in place.files and (path == templates.SETUP or templates.is_ours(place.files[path]))
    ]
    for path, now in ((place.config_path, place.config_txt), (templates.AVAHI_CONF, place.avahi_conf)):
        if path is not None and now is not None and now != config_txt.without_block(now):
            says = _away(path)
            steps.append(EditFile(says, path, now, config_txt.without_block(now)))
    if not steps:
        return ()
    stop = _run(("systemctl", "stop", "lastnose"), may_fail=True)
    reads = [READ_UNITS, *(RELOADS[path] for path in RELOADS if path in place.files)]
    return (stop, *steps, *(_run(read, may_fail=True) for read in reads))


def written(wish: Wish) -> str:
    """Return the wish as it is kept."""
    return msgspec.json.format(msgspec.json.encode(wish)).decode() + "\n"


def must_be_ours(place: Place) -> None:
    """Raise BadInput for a file of somebody else's where ours is to be."""
    for path, content in place.files.items():
        if path != templates.SETUP and not templates.is_ours(content):
            raise BadInput(text("{file} is somebody else’s: put it elsewhere first.", file=path))


def _files(wish: Wish, place: Place, password: str | None) -> Iterator[tuple[str, WriteFile]]:
    """Yield what is to be in each file of ours."""
    found = [_write(templates.DROP_IN, templates.drop_in(wish))]
    if wish.own_profile is not None:
        found.append(_write(templates.PROFILE, templates.profile(wish.own_profile)))
    if place.avahi_conf is not None:
        found.append(_write(templates.AVAHI_SERVICE, templates.avahi_service(wish)))
    if wish.ssid is not None and password is not None:
        says = text(
            "Make the Wi-Fi “{ssid}” of this Pi’s own; it takes the place of another at the next start.",
            ssid=wish.ssid,
        )
        air = templates.connection(wish.ssid, password)
        found.append(WriteFile(says, templates.CONNECTION, air, secret=True))
        found.append(_write(templates.WIFI, templates.wifi(wish.ssid, password), secret=True))
    for step in found:
        yield step.path, step


def _write(path: str, content: str, *, secret: bool = False) -> WriteFile:
    return WriteFile(text("Write {path}.", path=path), path, content, secret)


def _files_to_change(wanted: dict[str, WriteFile], place: Place) -> Iterator[Step]:
    for path in OWN_FILES[1:]:
        step = wanted.get(path)
        if step is None and path in place.files:
            yield RemoveFile(_away(path), path)
        elif step is not None and step.content != place.files.get(path):
            yield step


def _boot(place: Place) -> Iterator[Step]:
    """Yield the lines that the buses need."""
    if place.config_path is None or place.config_txt is None:
        return
    bare = config_txt.without_block(place.config_txt)
    after = config_txt.with_block(bare, config_txt.missing(bare, place.config_lines))
    if after != place.config_txt:
        says = text("Switch the buses on in {file}.", file=place.config_path)
        yield EditFile(says, place.config_path, place.config_txt, after, ask=True)


def _name(wish: Wish, place: Place) -> Iterator[Step]:
    """Yield the table's name in the local network, where Avahi is there to tell it."""
    if place.avahi_conf is None:
        return
    after = templates.named(place.avahi_conf, wish.name)
    if after != place.avahi_conf:
        says = text("Call this machine {name}.local in the network.", name=wish.name)
        yield EditFile(says, templates.AVAHI_CONF, place.avahi_conf, after)


def _run(command: Command, *, may_fail: bool = False) -> RunCommand:
    return RunCommand(text("Run {command}.", command=" ".join(command)), command, may_fail=may_fail)


def _away(path: str) -> Text:
    return text("Take away what is ours in {path}.", path=path)
