"""The names and keys of an event: random ids, nkeys (Ed25519), the code of the evening."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

from lastnose.companion.core.brake import Brakes
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.core.text import text

if TYPE_CHECKING:
    from nacl.signing import SigningKey

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_AMONG_LETTERS = frozenset(LETTERS).issuperset
EVENT, TABLE, CODE, NONCE = 8, 10, 6, 8
SLOW = 20_000  # turns of a hash: some ms
GUESSES, GUESS_S = 8, 60  # wrong codes of one address that are looked at; how long it waits then
LIFE_S = 12 * 3600.0
_USER, _SEED = 20 << 3, 18 << 3
_PREFIX = bytes([_SEED | (_USER >> 5), (_USER & 31) << 3])  # of the secret key of a user


def random_id(letters: int) -> str:
    """Return *letters* random letters, none of which looks like another."""
    return "".join(secrets.choice(LETTERS) for _ in range(letters))


def is_id(written: str, letters: int) -> bool:
    """Return whether *written* could be such an id.

    >>> is_id("abcdefgh", EVENT), is_id("abc.defg", EVENT), is_id("*", EVENT)
    (True, False, False)
    """
    return len(written) == letters and _AMONG_LETTERS(written)


def make_seed() -> str:
    """Return a new secret nkey of a user."""
    return _encode(_PREFIX + secrets.token_bytes(32))


def derived_seed(seed: str, what: bytes) -> str:
    """Return the secret nkey that who has the secret key *seed* always makes of *what*."""
    return _encode(_PREFIX + hashlib.sha256(seed.encode() + b" " + what).digest())


def public_key(seed: str) -> str:
    """Return the public half of *seed*; raise BadInput for what is no nkey seed."""
    raw = bytes([_USER]) + bytes(_signing_key(seed).verify_key)
    return _encode(raw)


def signed(seed: str, nonce: str) -> bytes:
    """Return what proves to a server that sent *nonce* that we have *seed*, in base64."""
    return base64.b64encode(_signing_key(seed).sign(nonce.encode()).signature)


def _signing_key(seed: str) -> SigningKey:
    from nacl.signing import SigningKey

    try:
        raw = base64.b32decode(seed + "=" * (-len(seed) % 8))
    except ValueError:
        raw = b""
    if len(raw) != 36 or raw[:2] != _PREFIX or raw[-2:] != _crc(raw[:-2]):
        raise BadInput(
            text(
                "{file} cannot be read ({why}): delete it, and join the hall again.",
                file="hall.json",
                why="nkey",
            )
        )
    return SigningKey(raw[2:34])


def is_public_key(written: str) -> bool:
    """Return whether *written* is the public nkey of a user: the configuration takes nothing else."""
    if len(written) != 56 or not written.startswith("U") or not written.isascii() or not written.isalnum():
        return False
    try:
        raw = base64.b32decode(written)
    except ValueError:
        return False
    return raw[0] == _USER and raw[-2:] == _crc(raw[:-2])


def _encode(raw: bytes) -> str:
    return base64.b32encode(raw + _crc(raw)).rstrip(b"=").decode()


def _crc(raw: bytes) -> bytes:
    """Return CRC-16/XMODEM of *raw*, little-endian, as nkeys end with it."""
    import binascii

    return binascii.crc_hqx(raw, 0).to_bytes(2, "little")


def check(key: str) -> str:
    """Return six letters by which people tell a table's public *key* from another's.

    They are slow to work out, so that nobody looks for a key of their own with the same ones.

    >>> check("UAAA"), check("UAAB")
    ('DCFWP3', 'B3R4E5')
    """
    digest = hashlib.pbkdf2_hmac("sha256", key.encode(), b"lastnose table", SLOW)
    return base64.b32encode(digest)[:6].decode()


class EveningCode:
    """The code that lets tables in, the same for all of them until it is renewed or twelve hours old.

    *kept* returns what *keep* was given last under a name, "" at first. *wall_s* is the time of day, which
    may be set, *now_s* a monotonic clock, *elapsed_s* one that counts sleep; not for several threads.
    """

    def __init__(
        self,
        kept: Callable[[str], str],
        keep: Callable[[str, str], None],
        wall_s: Callable[[], float],
        now_s: Callable[[], float],
        elapsed_s: Callable[[], float],
    ) -> None:
        self._code, _, since = kept("code").partition(" ")
        self._since_s = float(since or 0)
        self._made_s: float | None = None  # by *elapsed_s*; None for one of before this start
        self._keep, self._wall_s, self._now_s, self._elapsed_s = keep, wall_s, now_s, elapsed_s
        self._brakes = Brakes(free=GUESSES, first_wait_s=GUESS_S, longest_wait_s=GUESS_S)

    def shown(self) -> str:
        return self._code if self._good() else self.renew()

    def renew(self) -> str:
        """Return another: the one before lets nobody in any more."""
        self._code, self._since_s, self._made_s = random_id(CODE), self._wall_s(), self._elapsed_s()
        self._keep("code", f"{self._code} {self._since_s:.0f}")
        return self._code

    def check(self, code: str, where: str) -> None:
        """Raise BadInput unless *code* is it, NotNow for an address *where* that guesses."""
        now_s = self._now_s()
        if self._brakes.wait_s(where, now_s):
            raise NotNow(text("Too many wrong codes: wait a minute, or ask the desk without one."))
        if not (self._good() and secrets.compare_digest(code.strip().lower().encode(), self._code.encode())):
            self._brakes.wrong(where, now_s)
            raise BadInput(text("That is not the code of this evening: the desk shows it."))
        self._brakes.right(where)

    def _good(self) -> bool:
        made_s = self._made_s
        age_s = abs(self._wall_s() - self._since_s) if made_s is None else self._elapsed_s() - made_s
        return bool(self._code) and age_s < LIFE_S
