"""What was wished of a table that starts by itself; it is kept, so that what is not named stays as it was."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.config.settings import run_settings
from companion.core.errors import BadInput
from companion.core.text import text
from companion.wiring.profile import Profile, built_in_profiles

_T = TypeVar("_T")
_DATA = Path("/var/lib/lastnose")
SSID = "Last Nose"


class Wish(msgspec.Struct, frozen=True):
    """How the table is to run. `own_profile`: the text of one that is not built in; `boxes`: those named;
    `phones`: how many noses phones are beside the wired ones.

    `name` is its name in the local network, without `.local`; `ssid` the Wi-Fi of its own, None for none;
    `backup` the folder for copies of the evenings, None for none. `done`: all of it has been done.
    """

    profile: str
    source: str
    own_profile: str | None = None
    port: int = 8080
    name: str = "lastnose"
    language: str = "en"
    ssid: str | None = None
    boxes: tuple[str, ...] = ()
    phones: int = 0
    backup: str | None = None
    done: bool = False

    def check(self) -> None:
        """Raise BadInput for what cannot be."""
        if not re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", self.name):
            raise BadInput(
                text(
                    "--name {name}: a name in the network has 1 to 63 small letters, digits and hyphens.",
                    name=self.name,
                )
            )
        for box in self.boxes:
            if not re.fullmatch(r"[\w/.:=,+-]+", box, re.ASCII):
                raise BadInput(text("--box {box}: that is neither a port nor a serial number.", box=box))
        if self.backup is not None and not re.fullmatch(r"/[\w/.,:=+-]+", self.backup):
            raise BadInput(
                text(
                    "--backup {folder}: give a whole path as /media/stick, without spaces, or none.",
                    folder=self.backup,
                )
            )
        if not 1 <= self.port <= 65535:
            raise BadInput(
                text("--port {port}: a service needs a port from 1 to 65535.", port=str(self.port))
            )


def renewed(
    old: Wish | None,
    kept_profile: Path,
    *,
    pi: bool,
    language: str,
    profile: str | None = None,
    source: str | None = None,
    port: int | None = None,
    name: str | None = None,
    access_point: bool | None = None,
    ssid: str | None = None,
    boxes: tuple[str, ...] = (),
    phones: int | None = None,
    backup: str | None = None,
) -> tuple[Wish, Profile]:
    """Return what is wished now, and its profile; raise BadInput or ProfileError.

    What is None stays as it was in *old*, or is as usual; *kept_profile* keeps one that is not built in.
    """
    base = msgspec.structs.replace(old or Wish("", ""), **_said(port=port, name=name, phones=phones))
    kept = None if base.own_profile is None else str(kept_profile)
    chosen = profile or kept or base.profile or None
    source = source or ("box" if boxes else base.source or None)
    boxes = boxes or (base.boxes if source == "box" else ())
    pins = run_settings(source=source, profile=chosen, pi=pi, data_dir=_DATA, boxes=boxes, phones=base.phones)
    own = None if chosen is None or _comes_along(chosen) else Path(chosen).read_text(encoding="utf-8")
    wish = msgspec.structs.replace(
        base,
        profile=pins.profile.name if own is not None else chosen or pins.profile.name,
        source=pins.source,
        own_profile=own,
        language=language,
        ssid=_ssid(base, access_point, ssid),
        boxes=boxes,
        backup=None if backup == "none" else _or(backup, base.backup),
    )
    wish.check()
    return wish, pins.profile


def _said(**given: object) -> dict[str, Any]:
    """Return what is not None."""
    return {key: value for key, value in given.items() if value is not None}


def _or(said: _T, before: _T) -> _T:
    """Return what is *said*, or what was so *before* when nothing is."""
    return before if said is None else said


def _comes_along(profile: str) -> bool:
    return profile in built_in_profiles() or re.fullmatch(r"mock:\d+", profile) is not None


def _ssid(base: Wish, access_point: bool | None, ssid: str | None) -> str | None:
    """Return the name of the table's own Wi-Fi, None for none."""
    if access_point is False:
        return None
    if access_point or base.ssid is not None:
        return ssid or base.ssid or SSID
    if ssid is not None:
        raise BadInput(text("--ssid and --password go with --access-point."))
    return None
