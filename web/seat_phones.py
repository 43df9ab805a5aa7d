"""The phones that are noses, as the table shows them: whose can be heard, and what a touch is worth."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.core.touch import TOUCH_U_NS
from companion.views.snapshot import SeatPhone
from web.open_page import OpenPage
from web.phone_claims import PhoneClaims


def known_u_ns(page: OpenPage, apart_ns: int | None, behind_ns: int) -> int:
    """Return what a touch on *page* may be off by, *apart_ns* for its device; 0: there is no other."""
    known_ns = TOUCH_U_NS["touch"] + page.clock_u_ns + behind_ns
    return 0 if apart_ns is None else known_ns + apart_ns


def seat_phones(
    pages: Mapping[str, OpenPage],
    claims: PhoneClaims,
    tested: Mapping[str, tuple[int, int]],
    unowned: tuple[str, ...],
    behind_ns: int,
    beside_wires: Collection[str],
) -> tuple[SeatPhone, ...]:
    """Return the phones that own noses, by line, and the shared pages that are away.

    Of the lines *beside_wires*, which no wire moves, each is told that has no phone and no page.
    """
    owners = {page.owns: page.phone for page in pages.values() if page.owns}
    owned = [
        SeatPhone(
            page.owns,
            page.state,
            page.rtt_ns,
            page=name,
            u_ns=known_u_ns(page, claims.worth(page.phone).share_ns, behind_ns),
            wire_u_ns=known_u_ns(page, claims.worth(page.phone).wire_ns, behind_ns),
            tested=tested.get(page.phone or name),
            lost=page.lost,
            untested=unowned if (page.phone or name) in tested else (),
            untied=claims.untied(page.phone, owners),
            phone=page.phone,
            refused_ns=claims.refused_ns(page.phone),
        )
        for name, page in pages.items()
        if page.owns
    ]
    mine = {phone.line for phone in owned}
    missed = (one for one in pages.values() if one.state == "silent" or one.lost)
    away = sorted(missed, key=lambda page: page.lost)
    shared = {line: page for page in away if not page.owns for line in page.named - mine}
    silent = [_shared(line, page) for line, page in shared.items()]
    open_to_all = any(page.state == "awake" and not page.owns for page in pages.values())
    nothing = [] if open_to_all else [line for line in beside_wires if line not in mine | shared.keys()]
    missing = [SeatPhone(line, "missing", shared=True) for line in nothing]
    return tuple(sorted([*owned, *silent, *missing], key=lambda phone: phone.line))


def _shared(line: str, page: OpenPage) -> SeatPhone:
    return SeatPhone(line, "silent" if page.state == "silent" else "awake", shared=True, lost=page.lost)
