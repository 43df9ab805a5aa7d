"""The slap and the shout: a verdict judged again when seats that slapped did not shout (MAG-4)."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from companion.core.model import Verdict


def judged_again(verdict: Verdict, silent: Collection[int]) -> Verdict:
    """Return *verdict* as it is when the seats in *silent* count as not there.

    Whoever had not slapped either is not there as well; several who are not there are a dead heat.

    >>> judged_again(Verdict(order=(1, 2, 3), last=(3,), margin_ns=40, u_ns=2), [1]).last
    (1,)
    """
    if not silent:
        return verdict
    absent = {*silent, *(seat for seat in verdict.last if seat not in verdict.order)}
    return msgspec.structs.replace(
        verdict,
        order=tuple(seat for seat in verdict.order if seat not in absent),
        last=tuple(sorted(absent)),
        margin_ns=None,
        at_least_ns=None,
        u_ns=None,
        dead_heat=len(absent) > 1,
    )
