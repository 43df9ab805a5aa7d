"""A blank card's first start: `python -m tools.card FOLDER PROFILE COUNTRY [LANGUAGE]`.

The files go onto the boot partition of a stock Raspberry Pi OS (64-bit, with cloud-init: of Debian 13 since
the end of 2025). The Pi reads them once: it installs the packages, which lie beside them (what joins a table
to a hall may be left out), sets the table up with a Wi-Fi of its own, and restarts. No network is needed for
that.

`--image FILE.img.xz` besides: a manifest for Raspberry Pi Imager 2 that offers that very image, with its
checksum, and with settings of Imager's own switched off, for they would take the place of ours. Its fields
are those of rpi-imager's doc/json-schema/os-list-schema.json.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from babel import Locale
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
  - [sh, -c, "test ! -e /boot/firmware/{hall} || dpkg --install /boot/firmware/{hall}"]
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
    if not re.fullmatch(r"[A-Z]{2}", country) or country not in Locale("en").territories:
        raise ValueError(
            f"{country}: say the country in which the Wi-Fi will send, in two letters, as FR, GB or BA."
        )
    if language not in LANGUAGES:
        raise ValueError(f"{language}: say {' or '.join(LANGUAGES)}.")
    said = _USER_DATA.format(
        package=package,
        hall=package.replace("lastnose_", "lastnose-hall_"),
        profile=profile,
        country=country,
        language=language,
    )
    return {"user-data": said, "network-config": _NETWORK_CONFIG, "meta-data": "instance-id: lastnose\n"}


def write_card(folder: Path, profile: str, country: str, language: str = "en") -> list[Path]:
    """Write the files and the package for arm64 into *folder* and return them."""
    files = card_files(deb.package_name("arm64"), profile, country, language)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8", newline="\n")
    with tempfile.TemporaryDirectory() as scratch:
        package = deb.make_deb("arm64", deb.make_wheel(Path(scratch)), folder, time_s=deb.commit_time())
    hall = deb.make_hall_deb("arm64", folder, time_s=deb.commit_time())
    return [*(folder / name for name in files), package, hall]


MANIFEST = "lastnose.rpi-imager-manifest"
DEVICES = (
    "pi5-64bit",
    "pi4-64bit",
    "pi3-64bit",
)  # Imager's tags: a Zero 2 W is one of the last, a 400 and 500 of the others


def manifest(image: Path) -> dict[str, Any]:
    """Return what Imager wants to know of *image*; raise ValueError for what is no Raspberry Pi OS Lite."""
    named = re.fullmatch(r"(\d{4}-\d{2}-\d{2})-raspios-trixie-arm64-lite\.img(\.xz)?", image.name)
    if named is None:
        raise ValueError(
            f"{image.name}: take Raspberry Pi OS Lite (64-bit) of Debian 13 as it comes, its name is "
            "…-raspios-trixie-arm64-lite.img.xz."
        )
    digest, size = hashlib.sha256(), 0
    try:
        with lzma.open(image) if named[2] else image.open("rb") as content:
            while piece := content.read(1 << 20):
                digest.update(piece)
                size += len(piece)
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise ValueError(f"{image} cannot be read ({error}): download it once more.") from None
    entry = {
        "name": "Last Nose",
        "description": "Raspberry Pi OS Lite (64-bit) as it comes; copy the files onto bootfs afterwards",
        "icon": "icons/cat_raspberry_pi_os.png",
        "url": image.resolve().as_uri(),
        "extract_size": size,
        "extract_sha256": digest.hexdigest(),
        "image_download_size": image.stat().st_size,
        "release_date": named[1],
        "init_format": "none",
        "architecture": "armv8",
        "devices": list(DEVICES),
    }
    return {"os_list": [entry]}


def write_zip(folder: Path) -> Path:
    """Write the usual card, without the package, as one file into *folder* and return it."""
    target = folder / deb.package_name("arm64").replace("_arm64.deb", "_card.zip")
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in card_files(deb.package_name("arm64"), *USUAL).items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return target


def main(words: Sequence[str]) -> int:
    """Write the card's files; return the exit status."""
    *words, image = [*words, ""] if "--image" not in words[-2:-1] else (*words[:-2], words[-1])
    if len(words) not in (3, 4):
        print(
            'Say: make card ARGS="home6 FR", or "home6 FR fr": profile, country and language; behind them '
            "--image FILE.img.xz, if Imager is to offer that one.",
            file=sys.stderr,
        )
        return 2
    try:
        offered = manifest(Path(image)) if image else None
        written = write_card(Path(words[0]), *words[1:])
        if offered:
            written.append(Path(words[0]) / MANIFEST)
            written[-1].write_text(json.dumps(offered, indent=2) + "\n", encoding="utf-8")
        print("\n".join(map(str, written)))
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
