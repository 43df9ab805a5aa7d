"""Who may become a host: the table's PIN, its secret, API tokens, and a brake on guessing.

What is decided here, and kept in the data folder (files readable by their owner only):

- The *key* that signs the devices' cookies is made once. A restart, also after a crash, locks no phone out.
  Deleting `access.json` makes a new key and so forgets every device.
- The *PIN* (4 digits, from the system's randomness) makes a host, and nobody else needs it. It belongs to an
  evening: a restart keeps it; a new evening, a host, or `lastnose run --new-pin` draws another, which ends
  the hosts of the old one (`web.devices`). No wall clock is asked: a Pi has none while it is off.
- *API tokens* are shown once, when they are made, and kept only as hashes in `tokens.json`. The running
  table reads that file at each use, so a new token works and a deleted one stops working at once.
- Wrong PINs: after 5 from one address, or 30 from all together, the next try has to wait, longer each time
  (up to 5 minutes for the address, 1 minute for all). A try that comes too early is not even looked at.
- The *secret* (96 bits) lives as long as the PIN and does the same. The terminal's QR code carries it, behind
  the `#` that no browser sends. Nobody guesses it, so no brake holds it up: nor does one hold up a host, who
  can make any phone of the list a host, however many wrong PINs were typed on it.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
from lastnose.companion.core.brake import Brakes
from lastnose.companion.core.decode import can_be_written, decode_json
from lastnose.companion.core.errors import BadInput, Malformed, StoreError, unreadable
from lastnose.companion.core.text import english, text, texts
from lastnose.companion.system.private_file import in_turn, write_private
from lastnose.web.devices import KeptDevices, KnownDevices
from lastnose.web.hosts import network_of

COOKIE_LIFE_S = 30 * 24 * 3600


class Token(msgspec.Struct, frozen=True):
    """An API token as it is kept: its name and the SHA-256 of the token."""

    name: str
    sha256: str


class NotAllowed(BadInput):
    """The role of this device does not allow it."""


class WrongPin(BadInput):
    """The PIN is not the table's."""


class TooManyTries(BadInput):
    """A guess that came too early; `wait_s` whole seconds are left."""

    def __init__(self, wait_s: int) -> None:
        self.wait_s = wait_s
        super().__init__(
            texts(
                "Too many wrong PINs. Try again in {n} second, or let a host make this phone one.",
                "Too many wrong PINs. Try again in {n} seconds, or let a host make this phone one.",
                n=wait_s,
            )
        )


class Access:
    """The PIN and its brake, for any thread.

    *key* signs cookies, *lan* tells whether other machines can reach the page, *now_s* is a monotonic clock
    in seconds, *tokens* returns the API tokens that are valid at this moment, *draw* gives it another PIN.
    """

    def __init__(
        self,
        *,
        pin: str,
        key: bytes,
        lan: bool,
        now_s: Callable[[], float],
        tokens: Callable[[], Iterable[Token]] = tuple,
        secret: str = "",
        devices: KnownDevices | None = None,
        draw: Callable[[Access], None] | None = None,
    ) -> None:
        self.pin = pin
        self.secret = secret or draw_secret()
        self.key = key
        self.lan = lan
        self._now_s = now_s
        self._tokens = tokens
        self._lock = threading.Lock()
        self._all = Brakes(free=30, first_wait_s=2, longest_wait_s=60)
        self._each = Brakes(free=5, first_wait_s=5, longest_wait_s=300)
        self.devices = devices or KnownDevices(key)
        self._draw = draw or _draw

    def draw_pin(self) -> None:
        """Draw another PIN, and keep it; raise StoreError."""
        self._draw(self)

    def renew(self, pin: str, secret: str) -> None:
        """Let another *pin* and *secret* make hosts from now on."""
        with self._lock:
            self.pin, self.secret = pin, secret

    def check_pin(self, pin: str, address: str) -> None:
        """Return for the right *pin*, or the secret; raise WrongPin or TooManyTries."""
        where = network_of(address)
        if hmac.compare_digest(pin.strip().encode(), self.secret.encode()):
            return
        with self._lock:
            now_s = self._now_s()
            wait_s = max(self._each.wait_s(where, now_s), self._all.wait_s("", now_s))
            if wait_s:
                raise TooManyTries(wait_s)
            if not hmac.compare_digest(pin.strip().encode(), self.pin.encode()):
                self._each.wrong(where, now_s)
                self._all.wrong("", now_s)
                raise WrongPin(text("That is not the PIN. The small screen or the terminal shows it."))
            self._each.right(where)

    def token_name(self, token: str) -> str | None:
        """Return the name of a valid API *token*, None for any other string."""
        hashed = digest(token)
        found = None
        for known in self._tokens():
            if hmac.compare_digest(known.sha256, hashed):
                found = known.name
        return found


def digest(token: str) -> str:
    """Return the SHA-256 of *token*, by which it is kept."""
    return hashlib.sha256(token.encode()).hexdigest()


def draw_secret() -> str:
    """Return 16 letters: so that the address still fits a QR code that a small screen can show large."""
    return secrets.token_urlsafe(12)


def _draw(access: Access) -> None:
    access.renew(draw_pin(access.pin), draw_secret())


def draw_pin(old: str = "") -> str:
    """Return four digits that are not *old*."""
    while (pin := f"{secrets.randbelow(10_000):04}") == old:
        pass
    return pin


# ---- What access keeps in the data folder, in files that only their owner reads.

FILE, DEVICES, TOKENS = "access.json", "devices.json", "tokens.json"
_log = logging.getLogger("lastnose")
_T = TypeVar("_T")


class _Kept(msgspec.Struct, frozen=True):
    """What `access.json` holds; `evening` is the one that the PIN belongs to, 0 for none yet."""

    key: Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{2}){16,}$")]
    pin: Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}$")]
    secret: Annotated[str, msgspec.Meta(pattern=r"^([A-Za-z0-9_-]{16})?$")] = ""
    evening: int = 0


def open_access(
    folder: Path,
    *,
    lan: bool,
    now_s: Callable[[], float],
    evening: int | None = None,
    new_pin: bool = False,
) -> Access:
    """Return the access rules kept in *folder*, made when they are missing; raise StoreError.

    *now_s* is a monotonic clock in seconds. The PIN is a new one when *evening* (None: whichever) is not the
    one that it was drawn for, or when a *new_pin* is wanted.
    """
    path, renewed = folder / FILE, False
    kept = _read(path, _Kept)
    if kept is None:
        kept = _Kept(secrets.token_hex(32), draw_pin(), draw_secret(), evening or 0)
        _write(path, kept)
    elif renewed := new_pin or evening not in (None, kept.evening) or not kept.secret:
        kept = _another(kept, kept.evening if evening is None else evening)
        _write(path, kept)
    devices = _open_devices(folder, bytes.fromhex(kept.key))
    if evening is not None:
        devices.begin(evening)
    # Who was let in by the old PIN is a host no more: that is what people want a new one for.
    if renewed:
        devices.only("")
    return Access(
        pin=kept.pin,
        key=bytes.fromhex(kept.key),
        lan=lan,
        now_s=now_s,
        tokens=lambda: _valid_tokens(folder),
        secret=kept.secret,
        devices=devices,
        draw=lambda access: renew_pin(folder, access, None),
    )


def _open_devices(folder: Path, key: bytes) -> KnownDevices:
    """Return the devices kept in *folder*; what cannot be kept holds, and is tried again."""
    said = False

    def keep(kept: KeptDevices) -> bool:
        nonlocal said
        try:
            _write(folder / DEVICES, kept)
        except (StoreError, OSError) as problem:
            if not said:
                _log.warning("the roles of devices cannot be kept: %s", problem)
            said = True
        else:
            said = False
        return not said

    return KnownDevices(key, _read(folder / DEVICES, KeptDevices), keep)


def renew_pin(folder: Path, access: Access, evening: int | None) -> None:
    """Give the table of *access* another PIN for *evening*, and keep it in *folder*; raise StoreError.

    None: for the evening that the present one is for.
    """
    another = evening is not None
    if evening is None:
        old = _read(folder / FILE, _Kept)
        evening = old.evening if old is not None else 0
    kept = _another(_Kept(access.key.hex(), access.pin, access.secret), evening)
    if another:  # that of the last one lets nobody in any more, kept or not
        access.renew(kept.pin, kept.secret)
    _write(folder / FILE, kept)
    access.renew(kept.pin, kept.secret)


def _another(kept: _Kept, evening: int) -> _Kept:
    return msgspec.structs.replace(kept, pin=draw_pin(kept.pin), secret=draw_secret(), evening=evening)


def _valid_tokens(folder: Path) -> tuple[Token, ...]:
    """Return the tokens for who asks from afar: such a one is not told of this machine's files."""
    try:
        return read_tokens(folder)
    except StoreError as error:
        _log.warning("%s", error)
        raise StoreError(
            text("The API tokens of this table cannot be read: the log of its machine says why.")
        ) from error


def read_tokens(folder: Path) -> tuple[Token, ...]:
    """Return the API tokens kept in *folder*; raise StoreError."""
    return _read(folder / TOKENS, tuple[Token, ...]) or ()


def make_token(folder: Path, name: str) -> str:
    """Make an API token called *name*, keep its hash in *folder* and return it: it is not shown again.

    Raise BadInput when the name is empty or taken, StoreError when it cannot be kept.
    """
    name = name.strip()
    if not can_be_written(name):
        raise BadInput(english("This name is not written in UTF-8, as names are kept. Choose another name."))
    token = "lastnose_" + secrets.token_urlsafe(32)
    with in_turn(folder / TOKENS):
        tokens = read_tokens(folder)
        if not name or any(one.name == name for one in tokens):
            raise BadInput(text("Give the token a name that no other has."))
        _write(folder / TOKENS, (*tokens, Token(name, digest(token))))
    return token


def drop_token(folder: Path, name: str) -> None:
    """Forget the API token called *name* of *folder*, if there is one; raise StoreError."""
    with in_turn(folder / TOKENS):
        _write(folder / TOKENS, tuple(token for token in read_tokens(folder) if token.name != name))


def _read(path: Path, kind: type[_T]) -> _T | None:
    try:
        return decode_json(path.read_bytes(), kind)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(unreadable(path, error)) from error
    except Malformed as error:
        raise StoreError(
            text("{file} is damaged ({why}). Delete it and start again.", file=str(path), why=error.text)
        ) from error


def _write(path: Path, value: object) -> None:
    """Replace *path* at one stroke with *value* as JSON, readable by its owner only."""
    write_private(path, msgspec.json.format(msgspec.json.encode(value)) + b"\n")
