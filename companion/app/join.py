"""How a phone comes to a seat, and how one becomes a host; what the small screen shows of it."""

from __future__ import annotations

from companion.config.wifi import Wifi
from companion.core.ports import JoinInfo, WifiInfo
from web.access import Access


def join_address(urls: tuple[str, ...], access: Access) -> str | None:
    """Return what a QR code carries so that somebody may sit down, None when phones cannot reach the page."""
    return f"{urls[1]}join" if access.lan and len(urls) > 1 else None


def host_address(urls: tuple[str, ...], access: Access) -> str | None:
    """Return what a QR code carries so that a phone hosts, None when phones cannot reach the page.

    The secret stands in the fragment, which a browser never sends.
    """
    return f"{urls[1]}host#{access.secret}" if access.lan and len(urls) > 1 else None


def join_info(urls: tuple[str, ...], access: Access, wifi: Wifi | None = None) -> JoinInfo:
    """Return what the display shows a phone: the way to the page, and to the Wi-Fi before it."""
    address = join_address(urls, access)
    if address is None:
        return JoinInfo(urls[0])
    network = None if wifi is None else WifiInfo(wifi.ssid, wifi.password, _dots(wifi.code))
    return JoinInfo(urls[1], access.pin, _dots(address), network)


def _dots(says: str) -> tuple[tuple[bool, ...], ...]:
    """Return a QR code row by row, True for dark, with a light border."""
    import segno

    rows = segno.make(says, error="l", micro=False).matrix_iter(border=1)
    return tuple(tuple(bool(dot) for dot in row) for row in rows)
