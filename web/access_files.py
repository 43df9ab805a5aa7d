"""What access keeps in the data folder, in files that only their owner reads."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from companion.core.decode import can_be_written, decode_json
from companion.core.errors import BadInput, Malformed, StoreError, reason
from companion.core.text import text
from companion.system.private_file import write_private
from web.access import Access, Token, digest, draw_pin, draw_secret
from web.devices import KeptDevices, KnownDevices

FILE, DEVICES = "access.json", "devices.json"
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
    """Return the devices kept in *folder*; what cannot be kept holds until the table stops."""

    def keep(kept: KeptDevices) -> None:
        try:
            _write(folder / DEVICES, kept)
        except (StoreError, OSError) as problem:
            _log.warning("the roles of devices cannot be kept: %s", problem)

    return KnownDevices(key, _read(folder / DEVICES, KeptDevices), keep)


def renew_pin(folder: Path, access: Access, evening: int | None) -> None:
    """Give the table of *access* another PIN for *evening*, and keep it in *folder*; raise StoreError.

    None: for the evening that the present one is for.
    """
    if evening is None:
        old = _read(folder / FILE, _Kept)
        evening = old.evening if old is not None else 0
    kept = _another(_Kept(access.key.hex(), access.pin, access.secret), evening)
    access.renew(kept.pin, kept.secret)
    _write(folder / FILE, kept)


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
    return _read(folder / "tokens.json", tuple[Token, ...]) or ()


def make_token(folder: Path, name: str) -> str:
    """Make an API token called *name*, keep its hash in *folder* and return it: it is not shown again.

    Raise BadInput when the name is empty or taken, StoreError when it cannot be kept.
    """
    name = name.strip()
    tokens = read_tokens(folder)
    if not name:
        raise BadInput(text("Give the token a name, so that you know later what it was for."))
    if not can_be_written(name):
        raise BadInput(text("This name is not written in UTF-8, as names are kept. Choose another name."))
    if any(token.name == name for token in tokens):
        raise BadInput(text("There is already a token called “{name}”. Choose another name.", name=name))
    token = "lastnose_" + secrets.token_urlsafe(32)
    _write(folder / "tokens.json", (*tokens, Token(name, digest(token))))
    return token


def _read(path: Path, kind: type[_T]) -> _T | None:
    try:
        return decode_json(path.read_bytes(), kind)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(text("{file} cannot be read: {why}.", file=str(path), why=reason(error))) from error
    except Malformed as error:
        raise StoreError(
            text("{file} is damaged ({why}). Delete it and start again.", file=str(path), why=error.text)
        ) from error


def _write(path: Path, value: object) -> None:
    """Replace *path* at one stroke with *value* as JSON, readable by its owner only."""
    write_private(path, msgspec.json.format(msgspec.json.encode(value)) + b"\n")
