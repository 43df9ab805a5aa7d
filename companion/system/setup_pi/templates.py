"""The files that setup-pi writes, word for word. Pure."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
from lastnose.companion.config import PAGES
from lastnose.companion.config.settings import run_settings
from lastnose.companion.core.errors import BadInput, where_kept
from lastnose.companion.core.text import text
from lastnose.companion.system.config_txt import BEGIN, END, without_block
from lastnose.companion.system.doctor.checks import NO_PI
from lastnose.companion.wiring.profile import SIMULATED, Profile, built_in_profiles

# ---- What was wished of a table that starts by itself; it is kept, so that what is not named stays as it
# was.

SSID = "Last Nose"


BOX = text("The buzzer box, by port or serial number; again for each further box. “sim” simulates one.")
NAME = text(
    "The name in the network, of 1 to 63 small letters, digits and hyphens: lastnose is found as "
    "lastnose.local."
)


class Wish(msgspec.Struct, frozen=True):
    """How the table is to run. `own_profile`: the text of one that is not built in; `boxes`: those named;
    `phones`: how many noses phones are beside the wired ones.

    `name` is its name in the local network, without `.local`; `ssid` the Wi-Fi of its own, None for none;
    `backup` the folder for copies of the evenings, `neighbours` the file of who outside hears of the table,
    None for none. `done`: all of it has been done.
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
    neighbours: str | None = None
    done: bool = False

    def check(self) -> None:
        """Raise BadInput for what cannot be."""
        if not re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", self.name):
            raise BadInput(text("{what}: {says}", what=f"--name {self.name}", says=NAME))
        for box in self.boxes:
            if not re.fullmatch(r"[\w/.:=,+-]+", box, re.ASCII):
                raise BadInput(text("{what}: {says}", what=f"--box {box}", says=BOX))
        for option, path, as_in in (
            ("--backup", self.backup, "/media/stick"),
            ("--neighbours", self.neighbours, "/etc/lastnose/neighbours.toml"),
        ):
            if path is not None and not re.fullmatch(r"/[\w/.,:=+-]+", path):
                raise BadInput(
                    text(
                        "{option} {path}: give a whole path as {as_in}, without spaces, or none.",
                        option=option,
                        path=path,
                        as_in=as_in,
                    )
                )
        if self.backup is not None and Path(self.backup) == Path(EVENINGS):
            raise BadInput(where_kept(self.backup))


def renewed(
    old: Wish | None,
    kept_profile: Path,
    *,
    pi: bool,
    language: str,
    profile: str | None = None,
    source: str | None = None,
    access_point: bool | None = None,
    ssid: str | None = None,
    boxes: tuple[str, ...] = (),
    **said: Any,
) -> tuple[Wish, Profile]:
    """Return what is wished now, and its profile; raise BadInput or ProfileError.

    What is None stays as it was in *old*, or is as usual; *kept_profile* keeps one that is not built in.
    *said* are other fields of a Wish; "none" for those that may be None.
    """
    named = {key: value for key, value in said.items() if value is not None}
    base = msgspec.structs.replace(old or Wish("", ""), **named)
    chosen = profile or (base.own_profile and str(kept_profile)) or base.profile or None
    source = source or ("box" if boxes else base.source or _usual_source(pi))
    boxes = boxes or (base.boxes if source == "box" else ())
    phones, data = base.phones, Path(EVENINGS)
    pins = run_settings(source=source, profile=chosen, pi=pi, data_dir=data, boxes=boxes, phones=phones)
    own = None if chosen is None or _comes_along(chosen) else Path(chosen).read_text(encoding="utf-8-sig")
    wish = msgspec.structs.replace(
        base,
        profile=pins.profile.name if own is not None else chosen or pins.profile.name,
        source=pins.source,
        own_profile=own,
        language=language,
        ssid=_ssid(base, access_point, ssid),
        boxes=boxes,
        backup=None if base.backup == "none" else base.backup,
        neighbours=None if base.neighbours == "none" else base.neighbours,
    )
    wish.check()
    return wish, pins.profile


def _usual_source(pi: bool) -> str:
    """Return the pins of a Pi; raise BadInput on other machines."""
    if not pi:
        raise BadInput(NO_PI)
    return "gpiochip"


def _comes_along(profile: str) -> bool:
    return profile in (PAGES, *built_in_profiles()) or SIMULATED.fullmatch(profile) is not None


def _ssid(base: Wish, access_point: bool | None, ssid: str | None) -> str | None:
    """Return the name of the table's own Wi-Fi, None for none."""
    if access_point is False:
        return None
    if access_point or base.ssid is not None:
        return ssid or base.ssid or SSID
    if ssid is not None:
        raise BadInput(text("--ssid and --password go with --access-point."))
    return None


# What the Debian package brings (tools/deb.py).
PACKAGE = "/usr/lib/lastnose"
PROGRAM = "/usr/bin/lastnose"
UNIT = "/usr/lib/systemd/system/lastnose.service"
EVENINGS = "/var/lib/lastnose"
# What setup-pi writes.
SETUP = "/etc/lastnose/setup.json"
PROFILE = "/etc/lastnose/table.toml"
WIFI = "/etc/lastnose/wifi.toml"
DROP_IN = "/etc/systemd/system/lastnose.service.d/table.conf"
AVAHI_SERVICE = "/etc/avahi/services/lastnose.service"
CONNECTION = "/etc/NetworkManager/system-connections/lastnose.nmconnection"
AVAHI_CONF = "/etc/avahi/avahi-daemon.conf"
AP_ADDRESS = "10.42.7.1"
AP_UUID = "6c617374-6e6f-7365-8a70-3a6b7f0c5d21"
_WRITTEN = "Written by lastnose setup-pi, which takes it away again."
OURS = f"# {_WRITTEN}"


def is_ours(content: str) -> bool:
    """Whether a file with this *content* was written by setup-pi."""
    return _WRITTEN in content


def profile(own: str) -> str:
    """Return the copy of a profile that is not built in."""
    return f"{OURS}\n{own}"


def arguments(wish: Wish) -> list[str]:
    """Return how the service calls the table.

    >>> " ".join(arguments(Wish("home6", "gpiochip"))[:6])
    '/usr/bin/lastnose run --source gpiochip --profile home6'
    """
    chosen = wish.profile if wish.own_profile is None else PROFILE
    words = [PROGRAM, "run", "--source", wish.source, "--profile", chosen, "--port", str(wish.port)]
    for box in wish.boxes:
        words += ["--box", box]
    if wish.phones:
        words += ["--phones", str(wish.phones)]
    words += ["--lan", "--data", EVENINGS, "--name", f"{wish.name}.local"]
    if wish.backup is not None:
        words += ["--backup", wish.backup]
    if wish.neighbours is not None:
        words += ["--neighbours", wish.neighbours]
    return words if wish.ssid is None else [*words, "--wifi", WIFI]


def drop_in(wish: Wish) -> str:
    """Return what the service of the package runs with on this machine (systemd.unit(5): a drop-in)."""
    lines = [OURS, "[Service]", f"Environment=LANGUAGE={wish.language}", "ExecStart="]
    lines.append(f"ExecStart={' '.join(arguments(wish))}")
    if wish.port < 1024:
        lines += [f"{name}=CAP_NET_BIND_SERVICE" for name in ("CapabilityBoundingSet", "AmbientCapabilities")]
    if wish.backup is not None:
        # A stick that is plugged in later comes with its own rights; one that is there would be read-only.
        lines.append(f"ReadWritePaths=-{wish.backup}")
    return "\n".join(lines) + "\n"


def avahi_service(wish: Wish) -> str:
    """Return the announcement of the page in the local network (avahi.service(5))."""
    return f"""\
<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<!-- {_WRITTEN} -->
<service-group>
  <name replace-wildcards="yes">Last Nose on %h</name>
  <service>
    <type>_http._tcp</type>
    <port>{wish.port}</port>
  </service>
</service-group>
"""


def named(conf: str, name: str) -> str:
    """Return avahi-daemon.conf with a block of ours that calls this machine *name* (avahi-daemon.conf(5)).

    Without a place for it, it stays as it is. Raise BadInput when somebody has given it another name.

    >>> print(named("[server]\\nuse-ipv4=yes\\n", "nose"))  # doctest: +ELLIPSIS
    [server]
    # Last Nose needs these lines...
    host-name=nose
    # The end of what Last Nose needs.
    use-ipv4=yes
    <BLANKLINE>
    """
    conf = without_block(conf)
    found = re.search(r"^\s*host-name\s*=\s*(\S+)", conf, re.MULTILINE)
    if found is not None and found[1] != name:
        raise BadInput(
            text(
                "{file} calls this machine {name} already: use --name {name}, or take that line out.",
                file=AVAHI_CONF,
                name=found[1],
            )
        )
    place = re.search(r"^\[server\]\n", conf, re.MULTILINE)
    if found is not None or place is None:
        return conf
    return f"{conf[: place.end()]}{BEGIN}\nhost-name={name}\n{END}\n{conf[place.end() :]}"


def connection(ssid: str, password: str) -> str:
    """Return NetworkManager's access point, which gives out addresses (nm-settings-keyfile(5)).

    Management frames are not protected (pmf=1 is "disable"): the Wi-Fi of a Pi cannot install the group key
    of an access point that does (raspberrypi/linux #3619, #7247), and phones then get no address.
    """
    return f"""\
{OURS}
[connection]
id=lastnose
uuid={AP_UUID}
type=wifi
autoconnect=true
autoconnect-priority=100

[wifi]
mode=ap
band=bg
ssid={_network(ssid)}

[wifi-security]
key-mgmt=wpa-psk
proto=rsn
pairwise=ccmp
group=ccmp
pmf=1
psk={_escaped(password)}

[ipv4]
method=shared
address1={AP_ADDRESS}/24

[ipv6]
method=disabled
"""


def _escaped(value: str) -> str:
    r"""Return *value* as a key file wants a string: a space at its start would be lost.

    >>> _escaped(" a;b\\")
    '\\sa;b\\\\'
    """
    safe = value.replace("\\", "\\\\")
    return f"\\s{safe[1:]}" if safe.startswith(" ") else safe


def _network(ssid: str) -> str:
    r"""Return a network's name; there, unlike in a password, a semicolon would divide a list of bytes.

    >>> _network("a;b")
    'a\\;b'
    """
    return _escaped(ssid).replace(";", "\\;")


def wifi(ssid: str, password: str) -> str:
    """Return what the table reads of its own Wi-Fi (`companion.config.settings`)."""
    return f"""\
{OURS}
ssid = {_quoted(ssid)}
password = {_quoted(password)}
address = "{AP_ADDRESS}"
"""


def _quoted(value: str) -> str:
    r"""Return *value* as a TOML string.

    >>> _quoted('a"b\\')
    '"a\\"b\\\\"'
    """
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
