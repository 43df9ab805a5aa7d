"""The files of an installation, word for word. Pure."""

from __future__ import annotations

from companion.system.install.request import GROUPS, USER, Wish

PREFIX = "/opt/lastnose"
VENV = f"{PREFIX}/venv"
PROGRAM = f"{VENV}/bin/lastnose"
# Where the Debian package has both (tests/support/deb.py).
PACKAGE = "/usr/lib/lastnose"
PACKAGED_PROGRAM = "/usr/bin/lastnose"
EVENINGS = "/var/lib/lastnose"
PROFILE = "/etc/lastnose/table.toml"
WIFI = "/etc/lastnose/wifi.toml"
UNIT = "/etc/systemd/system/lastnose.service"
WANTED_BY = "/etc/systemd/system/multi-user.target.wants/lastnose.service"
AVAHI_SERVICE = "/etc/avahi/services/lastnose.service"
AVAHI_CONF = "/etc/avahi/avahi-daemon.conf"
MODULES = "/etc/modules-load.d/lastnose.conf"
RULES = "/etc/udev/rules.d/60-lastnose.rules"
CONNECTION = "/etc/NetworkManager/system-connections/lastnose.nmconnection"
AP_ADDRESS = "10.42.7.1"
AP_UUID = "6c617374-6e6f-7365-8a70-3a6b7f0c5d21"
OURS = "# Written by lastnose install; lastnose uninstall takes it away."


def arguments(wish: Wish, program: str = PROGRAM) -> list[str]:
    """Return how the service calls the table.

    >>> " ".join(arguments(Wish("home6", "gpiochip"))[:6])
    '/opt/lastnose/venv/bin/lastnose run --source gpiochip --profile home6'
    """
    profile = wish.profile if wish.own_profile is None else PROFILE
    words = [program, "run", "--source", wish.source, "--profile", profile, "--port", str(wish.port)]
    for box in wish.boxes:
        words += ["--box", box]
    words += ["--lan", "--data", EVENINGS, "--name", f"{wish.name}.local"]
    if wish.backup is not None:
        words += ["--backup", wish.backup]
    return words if wish.ssid is None else [*words, "--wifi", WIFI]


_UNIT = """\
{ours}
[Unit]
Description=Last Nose, a table companion that says who was last
After=network.target
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=main
ExecStart={command}
Environment=LANGUAGE={language}
Environment=PYTHONDONTWRITEBYTECODE=1
WatchdogSec=15
TimeoutStartSec=90
TimeoutStopSec=10
Restart=always
Nice=-5
RestartSec=3

User={user}
Group={user}
SupplementaryGroups={groups}
StateDirectory=lastnose
StateDirectoryMode=0750
UMask=0077
LimitCORE=0
LimitNOFILE=8192

DevicePolicy=closed
DeviceAllow=char-gpiochip rw
DeviceAllow=/dev/gpiomem rw
DeviceAllow=char-i2c rw
DeviceAllow=char-spi rw
DeviceAllow=char-ttyACM rw

CapabilityBoundingSet={capability}
AmbientCapabilities={capability}
NoNewPrivileges=yes
ProtectSystem=strict
{copies}ProtectHome=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""


def unit(wish: Wish, program: str = PROGRAM) -> str:
    """Return the systemd unit: restarted when it falls silent, and shut in with its devices.

    Sources: systemd.service(5), systemd.exec(5), systemd.resource-control(5). /proc stays whole, because the
    model of the Pi stands there.
    """
    # A stick that is plugged in later comes with its own rights; one that is there would be read-only.
    copies = "" if wish.backup is None else f"ReadWritePaths=-{wish.backup}\n"
    return _UNIT.format(
        ours=OURS,
        command=" ".join(arguments(wish, program)),
        language=wish.language,
        user=USER,
        groups=" ".join(GROUPS),
        capability="CAP_NET_BIND_SERVICE" if wish.port < 1024 else "",
        copies=copies,
    )


def udev_rules() -> str:
    """Return who may use pins and buses: as Raspberry Pi OS has it, for systems that give them to root alone.

    Source: udev(7); the names of the kernel's subsystems.
    """
    return f"""\
{OURS}
SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"
SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"
SUBSYSTEM=="tty", KERNEL=="ttyACM*", GROUP="dialout", MODE="0660"
"""


def avahi_service(wish: Wish) -> str:
    """Return the announcement of the page in the local network (avahi.service(5))."""
    return f"""\
<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<!-- Written by lastnose install; lastnose uninstall takes it away. -->
<service-group>
  <name replace-wildcards="yes">Last Nose on %h</name>
  <service>
    <type>_http._tcp</type>
    <port>{wish.port}</port>
  </service>
</service-group>
"""


def avahi_name(conf: str, name: str) -> tuple[str, str] | None:
    """Return what in avahi-daemon.conf is to be replaced by what, so that this machine is called *name*.

    None when it is called so already, or there is no place for it (avahi-daemon.conf(5)).

    >>> avahi_name("[server]\\n#host-name=foo\\nuse-ipv4=yes\\n", "lastnose")
    ('[server]\\n#host-name=foo\\n', '[server]\\n#host-name=foo\\nhost-name=lastnose\\n')
    >>> avahi_name("[server]\\nhost-name=box\\n", "lastnose")
    ('host-name=box\\n', 'host-name=lastnose\\n')
    """
    lines = conf.splitlines(keepends=True)
    for line in lines:
        key, equals, value = line.partition("=")
        if equals and key.strip() == "host-name":
            return None if value.strip() == name else (line, f"host-name={name}\n")
    at = next((number for number, line in enumerate(lines) if line.strip() == "[server]"), None)
    if at is None:
        return None
    rest = lines[at + 1 : at + 2]
    remark = rest if rest and rest[0].startswith("#host-name") else []
    place = "".join([lines[at], *remark])
    return (place, f"{place}host-name={name}\n") if place.endswith("\n") and conf.count(place) == 1 else None


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
    """Return what the table reads of its own Wi-Fi (`companion.config.wifi`)."""
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
