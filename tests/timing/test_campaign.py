"""Simulated evenings: nobody is named last who was not, whatever bounces, drifts, comes late or is lost."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.model import Edge, Levels, Rack

from tests.support.campaign import listen, rounds_of, weigh
from tests.support.examples import examples
from tests.support.simulator import FAULTS, Evening
from tests.support.simulator_modes import MODE_FAULTS, MODES
from tests.support.slow_modes import Rules, possible_lasts

SHARP = ("wrong", "margin", "opener", "rival", "against the law")
EVENINGS = examples(60)
MODE_EVENINGS = examples(20)


def too_sharp(counts: Counter[str]) -> list[str]:
    """Return what a verdict has said that the truth or some explanation of the evidence does not (law 8)."""
    return [what for what, n in counts.items() if n and what.endswith(SHARP)]


@pytest.mark.parametrize("fault", ["", *FAULTS, "many"])
def test_nobody_is_named_last_who_was_not(fault: str) -> None:
    """Three rounds an evening, from the truth up; what was withdrawn or contested later does not stand."""
    faults = None if fault == "many" else (fault,) if fault else ()
    counts: Counter[str] = Counter()
    for seed in range(EVENINGS):
        counts += weigh(Evening(seed, faults))
    assert [] == too_sharp(counts)
    assert counts["named"] > counts["rounds"] // 3
    if not fault:
        assert 0 == counts["void"] + counts["withdrawn"] + counts["open"] + counts["needless dead heat"]


@settings(max_examples=examples(400), deadline=None)
@given(st.integers(0, 2**48), st.sets(st.sampled_from(FAULTS)))
def test_the_judge_names_nobody_whom_a_slow_and_obvious_one_would_not(seed: int, faults: set[str]) -> None:
    """Whatever goes wrong at once: last in every explanation of the evidence, and last in truth."""
    assert [] == too_sharp(weigh(Evening(seed, tuple(sorted(faults)), rounds=2)))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fault", ["", *MODE_FAULTS])
def test_nobody_is_named_last_who_was_not_however_a_round_is_played(mode: str, fault: str) -> None:
    """Held together, spoons at noses, spoons in docks, the rack alone; none waits for what has happened."""
    counts: Counter[str] = Counter()
    for seed in range(MODE_EVENINGS):
        counts += weigh(MODES[mode](seed, (fault,) if fault else ()))
    assert ([], 0) == (too_sharp(counts), counts["waited"])
    if not fault:
        assert (0, 0) == (counts["needless void"], counts["needless dead heat"])
    close = counts["dead heat"] if mode == "first" else 0  # hands are quickest at the beginning
    assert counts["named"] + close > counts["rounds"] // 3


@pytest.mark.parametrize(
    ("seed", "faults"),
    [
        # A contact that closes once more just after the others came together: 1 to 3 ms of it are no margin.
        *((seed, ("bounce",)) for seed in (19, 94, 122, 290)),
        # A margin of a second on one page, whose clock goes wrong by 1,000 ppm: 1,250 are claimed.
        *((seed, None) for seed in (1001531, 1002054, 1006592)),
    ],
)
def test_no_margin_of_held_noses_is_too_sharp(seed: int, faults: tuple[str, ...] | None) -> None:
    """Each of these was, of somebody who was last indeed."""
    assert [] == too_sharp(weigh(MODES["hold"](seed, faults)))


@pytest.mark.parametrize(
    ("seed", "faults"),
    [
        # A loss after a verdict, then an edge told late: the margin forgot what may have been lost before it.
        *((seed, ("lost", "late")) for seed in (716, 3231, 4795, 5008, 5199, 6436)),
        (433089957709503, ("late", "odd")),  # an edge told late is of a touch that was still settling
        (10000176, ("late", "lost", "early")),  # and of one that had begun before the arming
        (10000312, ("bounce", "late", "lost", "sources")),  # levels told late are older than what has come
        (305442538108852, ("lost", "merged", "late", "early", "sources", "odd")),  # a loss before the arming
        (10001200, ("bounce", "lost", "merged")),  # a loss as a touch was settling
        (605259779228855, ("lost", "late", "odd")),  # a light hand whose second closure was lost
        # Found with more faults at once. Armed in the chatter that followed a loss, or a touch told late:
        (455572395231438, ("drift", "lost", "early", "bounce", "merged", "sources")),
        (235476348761437, ("merged", "sources", "bounce", "late", "early", "drift")),
        (307502432671931, ("lost", "drift", "late", "merged", "sources", "odd")),  # a light hand, then a loss
        (993873937376982, ("late", "lost", "drift", "odd", "sources")),
        (720125647714197, ("lost", "odd", "late", "bounce", "sources")),  # a hand told late, still there
        # a release told late, while the round was armed; a loss told late, and then another
        (44376074730231, ("sources", "early", "bounce", "merged", "lost", "odd", "drift", "late")),
        (329996386497876, ("lost", "sources", "late", "bounce")),
        (465581235182383, ("sources", "early", "lost", "bounce", "late", "drift")),  # of before the arming
        (1092935239063895, ("late", "lost", "sources", "early", "drift", "bounce", "merged")),  # found down
    ],
)
def test_what_a_long_attack_has_found_stays_mended(seed: int, faults: tuple[str, ...]) -> None:
    """Each of these named somebody whom the evidence, or the truth, did not."""
    for rounds in (2, 3, 5):
        assert [] == too_sharp(weigh(Evening(seed, faults, rounds)))


@pytest.mark.parametrize(
    ("mode", "seed", "faults"),
    [
        # a release that ends in a bounce of 1.4 ms, and began before the others came together
        *(("hold", seed, ("bounce",)) for seed in (1068, 1081)),
        ("dock", 138390152464783, ("lost",)),  # a spoon left its dock unseen, before it had lain a second
        ("dock", 604703225656526, ("late", "drift", "early")),  # it had left before the arming, told late
        # a dock thought taken at the arming, which it was not
        ("dock", 884559190359009, ("late", "sources", "lost", "drift")),
        ("dock", 786480267743990, ("sources", "merged", "bounce", "lost")),  # a dock found as it had been
        ("hold", 964951516059850, ("late", "bounce", "merged", "lost")),  # a touch told late, then a release
        ("hold", 934601253334376, ("bounce",)),  # the chatter of a release was taken for a hold
        ("hold", 50822059894544, ("bounce", "lost", "sources")),
        ("confirm", 131064161819367, ("sources", "bounce", "drift", "late", "early", "merged", "lost")),
        ("rack-only", 858065958729801, ("drift", "early", "merged", "late", "bounce")),  # armed as it went
    ],
)
def test_nor_what_it_has_found_in_other_rounds(mode: str, seed: int, faults: tuple[str, ...]) -> None:
    """Each of these named somebody, or called a rack empty, where the truth was another."""
    for rounds in (2, 3, 5):
        assert 0 == weigh(MODES[mode](seed, faults, rounds))["wrong"]


@settings(max_examples=examples(150), deadline=None)
@given(st.integers(0, 2**48), st.sampled_from(sorted(MODES)), st.sets(st.sampled_from(MODE_FAULTS)))
def test_nor_when_several_things_go_wrong_at_once(seed: int, mode: str, faults: set[str]) -> None:
    """As above, with any faults together."""
    assert 0 == weigh(MODES[mode](seed, tuple(sorted(faults)), 2))["wrong"]


@pytest.mark.parametrize(
    ("lifted_ns", "touched_ns", "lasts"),
    [
        ((1_000, 2_000), (3_000, 4_000, 5_000), [{3}]),
        ((1_000, 2_000), (3_000, 4_000, 4_020), [{2}, {3}]),  # 20 ns apart, each known to 10
        ((1_000, 3_995), (3_000, 4_000, 5_000), [{2}, {3}]),  # 2 may have touched before its spoon was gone
    ],
)
def test_the_slow_reading_of_spoons_finds_every_last_that_stamps_leave_open(
    lifted_ns: tuple[int, ...], touched_ns: tuple[int, ...], lasts: list[set[int]]
) -> None:
    """Three seats, two spoons, worked out by hand; without doubt the third to touch goes without."""
    noses, spoons = ("nose.1", "nose.2", "nose.3"), ("spoon.1", "spoon.2")
    rest = Levels(dict.fromkeys(noses, 0) | dict.fromkeys(spoons, 1), 0, "gpio", 10)
    moved = [*zip(spoons, lifted_ns, strict=True), *zip(noses, touched_ns, strict=True)]
    edges = [Edge(t_ns, "gpio", line, int(line in noses), 10) for line, t_ns in moved]
    rules = Rules((1, 2, 3), hold=False, rack=Rack((1, 2)))
    found = possible_lasts(1, 9 * 10**9, (*noses, *spoons), rules, [rest, *edges])
    assert {frozenset(last) for last in lasts} == found


def test_the_simulator_can_tell_when_a_verdict_is_wrong() -> None:
    """A judge that ignored what comes late would have named somebody wrongly: that is what was withdrawn."""
    wrong = 0
    for seed in range(25):
        evening = Evening(seed, ("late",))
        for told in rounds_of(listen(evening)):
            if not told.stands and told.judged is not None:
                wrong += evening.truly_last(told.armed.t_ns, told.until_ns) != set(told.judged.verdict.last)
    assert wrong > 0
