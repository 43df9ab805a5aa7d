"""What an installation was asked for, and what the machine was like before it. Both are written down."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from companion.config import run_settings
from companion.errors import BadInput
from companion.profile import Profile, built_in_profiles
from companion.text import text

SSID = "Last Nose"
GROUPS = ("gpio", "i2c", "spi", "dialout")
USER = "lastnose"


class Wish(msgspec.Struct, frozen=True):
    """How the table is to run. `own_profile`: the text of one that is not built in; `boxes`: those named.

    `name` is its name in the local network, without `.local`; `ssid` the Wi-Fi of its own, None for none.
    """

    profile: str
    source: str
    own_profile: str | None = None
    port: int = 8080
    name: str = "lastnose"
    language: str = "en"
    ssid: str | None = None
    boxes: tuple[str, ...] = ()

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
        if not 1 <= self.port <= 65535:
            raise BadInput(
                text("--port {port}: a service needs a port from 1 to 65535.", port=str(self.port))
            )


class Before(msgspec.Struct, frozen=True):
    """What was there before the first installation, so that it is not taken away by the last uninstallation.

    `person` is who called sudo, and `person_groups` the groups that this person was in.
    """

    groups: tuple[str, ...] = ()
    user: bool = False
    person: str | None = None
    person_groups: tuple[str, ...] = ()


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
) -> tuple[Wish, Profile]:
    """Return what is wished now, and its profile: what is None stays as it was in *old*, or as is usual.

    *kept_profile* is where an earlier installation has kept a profile that is not built in. Raise BadInput or
    ProfileError.
    """
    base = old or Wish(profile="", source="")
    if profile is None and base.own_profile is not None:
        profile = str(kept_profile)
    chosen = profile or base.profile or None
    source = source or ("box" if boxes else base.source or None)
    boxes = boxes or (base.boxes if source == "box" else ())
    settings = run_settings(
        source=source, profile=chosen, pi=pi, data_dir=Path("/var/lib/lastnose"), boxes=boxes
    )
    own = None if chosen is None or _comes_along(chosen) else Path(chosen).read_text(encoding="utf-8")
    wish = msgspec.structs.replace(
        base,
        profile=settings.profile.name if own is not None else chosen or settings.profile.name,
        source=settings.source,
        own_profile=own,
        port=base.port if port is None else port,
        name=base.name if name is None else name,
        language=language,
        ssid=_ssid(base, access_point, ssid),
        boxes=boxes,
    )
    wish.check()
    return wish, settings.profile


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
