"""The Wi-Fi that phones join before they can open the page: what its file says, and its QR code.

The file is TOML with `ssid`, `password` and, where it is known, the table's own `address` in that network.
"""

from __future__ import annotations

import ipaddress
from pathlib import Path

import msgspec

from companion.core.decode import decode_toml, fit
from companion.core.errors import BadInput, Malformed, reason
from companion.core.text import Text, text

SSID_BYTES = 32
PASSWORD_LENGTH = range(8, 64)


class Wifi(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A network with a password (WPA2)."""

    ssid: str
    password: str
    address: str | None = None

    @property
    def code(self) -> str:
        """Return what its QR code says to a phone's camera.

        >>> Wifi("Last Nose", "a;b").code
        'WIFI:T:WPA;S:Last Nose;P:a\\\\;b;;'
        """
        from segno.helpers import make_wifi_data

        return str(make_wifi_data(ssid=self.ssid, password=self.password, security="WPA"))

    def problem(self) -> Text | None:
        """Return why no phone could join it, None when one can."""
        if not 1 <= len(self.ssid.encode()) <= SSID_BYTES or not self.ssid.isprintable():
            return text("the network’s name has 1 to {n} bytes", n=SSID_BYTES)
        plain = self.password.isascii() and self.password.isprintable()
        if len(self.password) not in PASSWORD_LENGTH or not plain:
            return text("its password has 8 to 63 letters, digits and signs of plain ASCII")
        if self.address is not None and not _is_address(self.address):
            return text("{address} is no IPv4 address", address=self.address)
        return None


def _is_address(address: str) -> bool:
    try:
        return bool(ipaddress.IPv4Address(address))
    except ValueError:
        return False


def read_wifi(path: Path) -> Wifi:
    """Return the network that the file describes; raise BadInput that names the file."""
    try:
        found = fit(decode_toml(path.read_bytes()), Wifi)
    except OSError as error:
        raise _bad(path, text("it cannot be read ({reason})", reason=reason(error))) from None
    except Malformed as error:
        raise _bad(path, error.text) from None
    problem = found.problem()
    if problem is not None:
        raise _bad(path, problem)
    return found


def _bad(path: Path, what: Text) -> BadInput:
    return BadInput(text("The Wi-Fi in {file} cannot be used: {what}.", file=str(path), what=what))
