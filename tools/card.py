"""A blank card's first start: `python -m tools.card FOLDER PROFILE COUNTRY [LANGUAGE]`.

The files go onto the boot partition of a stock Raspberry Pi OS (64-bit, with cloud-init: of Debian 13 since
the end of 2025). The Pi reads them once: it installs the package, which lies beside them, sets the table up
with a Wi-Fi of its own, and restarts. No network is needed for that.
"""

from __future__ import annotations

import re
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from lastnose.companion.i18n import LANGUAGES
from lastnose.companion.wiring.profile import built_in_profiles

from tools import deb

USUAL = ("home6", "FR")  # of a release: whoever takes it may change both in user-data
_USER_DATA = """\
#cloud-config
# Last Nose, read once at the card's first start. What it said is in /var/log/cloud-init-output.log.
# Yours to change: the country in which the Wi-Fi sends, the profile, the language.
hostname: lastnose
runcmd:
  - [raspi-config, nonint, do_wifi_country, "{country}"]
  - [dpkg, --install, "/boot/firmware/{package}"]
  - [lastnose, setup-pi, --profile, "{profile}", --access-point, --lang, "{language}", --yes]
power_state:
  mode: reboot
  message: Last Nose is set up; the table starts now.
"""
# A cable may be there, and is not waited for; the Wi-Fi is the table's own.
_NETWORK_CONFIG = """\
version: 2
ethernets:
  eth0:
    dhcp4: true
    optional: true
"""


def card_files(package: str, profile: str, country: str, language: str = "en") -> dict[str, str]:
    """Return the texts by their names; raise ValueError for what the Pi could not use."""
    if profile not in built_in_profiles():
        raise ValueError(f"{profile}: no such profile; there are {', '.join(sorted(built_in_profiles()))}.")
    if not re.fullmatch(r"[A-Z]{2}", country):
        raise ValueError(
            f"{country}: say the country in which the Wi-Fi will send, in two letters, as FR or BA."
        )
    if language not in LANGUAGES:
        raise ValueError(f"{language}: say {' or '.join(LANGUAGES)}.")
    said = _USER_DATA.format(package=package, profile=profile, country=country, language=language)
    return {"user-data": said, "network-config": _NETWORK_CONFIG, "meta-data": "instance-id: lastnose\n"}


def write_card(folder: Path, profile: str, country: str, language: str = "en") -> list[Path]:
    """Write the files and the package for arm64 into *folder* and return them."""
    files = card_files(deb.package_name("arm64"), profile, country, language)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8", newline="\n")
    with tempfile.TemporaryDirectory() as scratch:
        package = deb.make_deb("arm64", deb.make_wheel(Path(scratch)), folder, time_s=deb.commit_time())
    return [*(folder / name for name in files), package]


def write_zip(folder: Path) -> Path:
    """Write the usual card, without the package, as one file into *folder* and return it."""
    target = folder / deb.package_name("arm64").replace("_arm64.deb", "_card.zip")
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in card_files(deb.package_name("arm64"), *USUAL).items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return target


def main(words: Sequence[str]) -> int:
    """Write the card's files; return the exit status."""
    if len(words) not in (3, 4):
        print(
            'Say: make card ARGS="home6 FR", or "home6 FR fr": profile, country and language.',
            file=sys.stderr,
        )
        return 2
    try:
        print("\n".join(map(str, write_card(Path(words[0]), *words[1:]))))
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
