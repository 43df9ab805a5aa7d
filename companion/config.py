"""How a table is started: options, machine and profile put together, and where the data lives."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from companion.errors import BadInput, ProfileError
from companion.profile import OledSettings, Profile, load_profile
from companion.text import text

SOURCES = ("gpiochip", "pins", "mock", "replay")
ON_THE_HEADER = ("gpiochip", "pins")
SIMULATED = ("mock", "replay")


class RunSettings(msgspec.Struct, frozen=True):
    """Everything `lastnose run` was asked for. `rearm_s` None: the next round waits for the host."""

    source: str
    profile: Profile
    data_dir: Path
    port: int = 8080
    lan: bool = False
    open_browser: bool = False
    language: str = "en"
    oled: OledSettings = OledSettings()
    rearm_s: float | None = 3.0
    tape: Path | None = None
    speed: float = 1.0


def run_settings(
    *,
    source: str | None = None,
    profile: str | None = None,
    data_dir: Path | None = None,
    lan: bool | None = None,
    oled: str | None = None,
    tape: Path | None = None,
    pi: bool | None = None,
    port: int = 8080,
    open_browser: bool = False,
    language: str = "en",
    rearm_s: float | None = 3.0,
    speed: float = 1.0,
) -> RunSettings:
    """Put options and profile together; what is None depends on the machine (*pi*: None asks it).

    On a Pi the source is gpiochip and the page is open to the network. Elsewhere a source must be named, for
    nothing real falls back to pretend (law 7). *oled* replaces the profile's driver. Raise BadInput or
    ProfileError.
    """
    pi = on_a_pi() if pi is None else pi
    source = _choose_source(source, tape, pi)
    chosen = load_profile(profile or ("mock" if source in SIMULATED else "home8"))
    if source not in SIMULATED and chosen.board == "mock":
        raise ProfileError(
            text(
                "The profile {name} has simulated noses only: for --source {source} name one with real pins.",
                name=chosen.name,
                source=source,
            )
        )
    if source in ON_THE_HEADER and chosen.board == "pico":
        raise ProfileError(
            text(
                "The profile {name} has its noses on a Pico: --source {source} reads the Pi's own pins, "
                "so name one that is wired to those.",
                name=chosen.name,
                source=source,
            )
        )
    return RunSettings(
        source=source,
        profile=chosen,
        data_dir=data_dir or default_data_dir(),
        port=port,
        lan=pi if lan is None else lan,
        open_browser=open_browser,
        language=language,
        oled=chosen.oled if oled is None else msgspec.structs.replace(chosen.oled, driver=oled),
        rearm_s=rearm_s,
        tape=tape,
        speed=speed,
    )


def _choose_source(source: str | None, tape: Path | None, pi: bool) -> str:
    """Return where the edges come from; raise BadInput when that is not clear."""
    if source is None and not pi:
        raise BadInput(
            text("This machine is not a Raspberry Pi: say --source mock to play on simulated noses.")
        )
    chosen = "gpiochip" if source is None else source
    if chosen not in SOURCES:
        raise BadInput(
            text(
                "There is no source “{source}”: choose one of {sources}.",
                source=chosen,
                sources=", ".join(SOURCES),
            )
        )
    if (chosen == "replay") != (tape is not None):
        raise BadInput(text("A tape goes with --source replay, and --source replay with a tape."))
    return chosen


def on_a_pi(model: Path = Path("/proc/device-tree/model")) -> bool:
    """Return whether this machine is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in model.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def default_data_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """Return where evenings are kept: $LASTNOSE_DATA, else `lastnose` in the user's data directory.

    >>> default_data_dir({"LASTNOSE_DATA": "/srv/nose"}), default_data_dir({"XDG_DATA_HOME": "/home/x/data"})
    (PosixPath('/srv/nose'), PosixPath('/home/x/data/lastnose'))
    """
    if environ.get("LASTNOSE_DATA"):
        return Path(environ["LASTNOSE_DATA"])
    home = environ.get("XDG_DATA_HOME", "")
    return (Path(home) if home.startswith("/") else Path.home() / ".local" / "share") / "lastnose"
