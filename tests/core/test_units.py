"""Times as they are printed: never sharper than known, and what is printed holds what may be."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.core.text import Text, text
from lastnose.companion.core.units import at_least, everyday, measured, uncertainty
from lastnose.companion.i18n import translator

UNITS = {"µs": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
TIMES = st.integers(0, 10**11)


def read(shown: Text) -> tuple[Decimal, int, str]:
    """Return what people read: the time in ns, its decimals, its unit."""
    amount, unit = str(shown).split(" ")
    return Decimal(amount) * UNITS[unit], len(amount.partition(".")[2]), unit


@given(TIMES, TIMES)
def test_what_is_printed_holds_all_that_may_be(ns: int, u_ns: int) -> None:
    """From the exact lower end to the exact upper end, read back from the digits."""
    (time_ns, decimals, unit), (sure_ns, others, same) = map(read, measured(ns, u_ns))
    assert time_ns - sure_ns <= ns - u_ns
    assert ns + u_ns <= time_ns + sure_ns
    assert (decimals, unit) == (others, same), "one step and one unit"


@given(TIMES, st.integers(10, 10**11))
def test_a_plus_minus_has_two_figures_and_is_hardly_wider_than_it_has_to_be(ns: int, u_ns: int) -> None:
    """Two figures, or one and a zero; rounding adds less than a step and a half."""
    sure_ns = int(read(measured(ns, u_ns).sure)[0])
    figures = str(sure_ns).rstrip("0")
    assert len(figures) <= 2
    step_ns = 10 ** (len(str(sure_ns)) - 2)
    assert sure_ns - u_ns < Decimal("1.5") * step_ns + step_ns


@pytest.mark.parametrize(
    ("ns", "u_ns", "english", "french"),
    [
        (123_456_000, 87_500, "123.456 ms ± 0.088 ms", "123,456 ms ± 0,088 ms"),
        (123_456_000, 88_100, "123.456 ms ± 0.089 ms", "123,456 ms ± 0,089 ms"),
        (400_000_000, 60_000_000, "400 ms ± 60 ms", "400 ms ± 60 ms"),
        (1_400_000_000, 60_000_000, "1.400 s ± 0.060 s", "1,400 s ± 0,060 s"),
        (400, 20_000, "0 µs ± 21 µs", "0 µs ± 21 µs"),
        (96_000, 20_053, "96 µs ± 21 µs", "96 µs ± 21 µs"),
    ],
)
def test_a_margin_is_printed_at_the_step_of_its_plus_minus(
    ns: int, u_ns: int, english: str, french: str
) -> None:
    """Worked out by hand; a language has its own decimal sign."""
    said = text("{margin} ± {sure}", margin=measured(ns, u_ns).time, sure=measured(ns, u_ns).sure)
    assert english == str(said)
    assert french == translator("fr")(said).replace("\u202f", " ").replace("\xa0", " ")


@given(st.integers(0, 10**11))
def test_a_bound_is_rounded_away_from_what_it_bounds(ns: int) -> None:
    """Behind ± up, in “at least” down."""
    assert read(uncertainty(ns))[0] >= ns
    assert read(at_least(ns))[0] <= ns


@given(st.integers(1_000_000, 10**11))
def test_everyday_words_are_within_a_twentieth_of_a_second_or_half_a_millisecond(ns: int) -> None:
    """0.4 s, 12 ms: rounded as people round."""
    assert abs(read(everyday(ns))[0] - ns) <= (50_000_000 if ns >= 99_500_000 else 500_000)
