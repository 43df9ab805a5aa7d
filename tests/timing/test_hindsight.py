"""Which late evidence is weighed against which round, and what is said when a verdict does not stand."""

from __future__ import annotations

import pytest
from lastnose.companion.core.model import Armed, Edge, Gap, Press, Verdict
from lastnose.companion.core.text import text
from lastnose.companion.timing.evidence import KEPT_ROUNDS, Decided, Hindsight, late_text, withdrawn
from lastnose.companion.timing.round import HoldRound

MS, S, U = 1_000_000, 1_000_000_000, 10_000
WHY = text("enough")


def decided(armed_ns: int = 1 * S) -> Decided:
    """Return a round of seats 1 and 2, armed then and decided a second later: 2 was last."""
    lines = {"nose.1": 1, "nose.2": 2}
    verdict = Verdict(order=(1, 2), last=(2,))
    return Decided(Armed(armed_ns, (1, 2)), lines, False, None, verdict, armed_ns + 1 * S, [])


def weighed(evidence: Edge | Gap, *rounds: Decided) -> list[int]:
    """Return when the rounds were armed that do not stand with *evidence*, all being judged void by now."""
    hindsight = Hindsight(lambda one, inputs: Verdict(void=WHY), settles_ns=20 * MS)
    for one in rounds or (decided(),):
        hindsight.note(one)
    return [one.armed.t_ns for one, _, stands in hindsight.weigh(evidence, lambda one: ()) if not stands]


@pytest.mark.parametrize(
    ("line", "t_ns", "counts"),
    [
        ("nose.1", 1 * S - 1, False),
        ("nose.1", 1 * S, True),
        ("nose.2", 2 * S, True),
        ("nose.2", 2 * S + 20 * MS, True),
        ("nose.2", 2 * S + 20 * MS + 1, False),
        ("nose.3", 1_500 * MS, False),
    ],
)
def test_a_late_edge_is_weighed_where_its_line_was_watched_by_then(
    line: str, t_ns: int, counts: bool
) -> None:
    """From the arming until 20 ms after the decision; a nose that was not in the round says nothing of it."""
    assert ([1 * S] if counts else []) == weighed(Edge(t_ns, "gpio", line, 1, U))


@pytest.mark.parametrize(
    ("from_ns", "to_ns", "counts"),
    [
        (0, 1 * S - 1, False),
        (0, 1 * S, True),
        (2 * S + 20 * MS, 3 * S, True),
        (2 * S + 20 * MS + 1, 3 * S, False),
    ],
)
def test_a_late_loss_is_weighed_where_it_touches_the_round(from_ns: int, to_ns: int, counts: bool) -> None:
    """To the nanosecond."""
    assert ([1 * S] if counts else []) == weighed(Gap(from_ns, to_ns, "gpio"))


def test_what_was_lost_or_late_before_the_arming_counts_where_the_hand_then_lets_go() -> None:
    """The first that the round has of nose 1 is its release; of nose 2 it is a press."""
    for evidence, line, counts in (
        (Edge(900 * MS, "gpio", "nose.1", 1, U), "nose.1", True),
        (Edge(900 * MS, "gpio", "nose.1", 0, U), "nose.1", False),
        (Edge(900 * MS, "gpio", "nose.2", 1, U), "nose.1", False),
        (Gap(100 * MS, 900 * MS, "gpio"), "nose.1", True),
        (Gap(100 * MS, 900 * MS, "box"), "nose.1", False),
        (Gap(100 * MS, 900 * MS, "gpio", ("nose.2",)), "nose.1", False),
        (Edge(900 * MS, "gpio", "nose.1", 1, U), "nose.2", False),
    ):
        one = decided()
        one.inputs += [Edge(1_300 * MS, "gpio", line, 1, U), Edge(1_200 * MS, "gpio", line, 0, U)]
        assert counts == bool(weighed(evidence, one))


def test_of_many_rounds_the_newest_are_weighed() -> None:
    """One loss over all of twenty rounds: sixteen are remembered, and none that named nobody."""
    rounds = [decided(n * 10 * S) for n in range(20)]
    rounds[19].verdict = Verdict(void=WHY)
    found = weighed(Gap(0, 1000 * S, "gpio"), *rounds)
    assert KEPT_ROUNDS == 16 == len(found)
    assert [n * 10 * S for n in range(3, 19)] == found


def test_what_came_too_late_is_named() -> None:
    """A line for an edge, the source for a loss, and a page is no line that anybody knows."""
    said = [
        str(late_text(one))
        for one in (Edge(1, "gpio", "nose.2", 1, U), Gap(1, 2, "box"), Edge(1, "page.k3", "nose.2", 1, U))
    ]
    assert [
        "An edge of nose.2 came too late and contradicts the verdict.",
        "An edge of box came too late and contradicts the verdict.",
        "A tap on a page came too late and contradicts the verdict.",
    ] == said


def test_a_withdrawn_verdict_names_nobody_and_says_why() -> None:
    """A loss keeps its own reason where judging with it gave one; an edge is named as late."""
    before = Verdict(order=(1, 2), last=(2,), dead_heat=True, void=WHY)
    by_loss, by_edge = (withdrawn(before, one) for one in (Gap(1, 2, "box"), Edge(1, "gpio", "nose.1", 1, U)))
    assert ((), False, "enough") == (by_loss.last, by_loss.dead_heat, str(by_loss.void))
    assert "An edge of nose.1 came too late" in str(by_edge.void)
    assert (1, 2) == by_edge.order


def test_with_all_but_one_held_a_nose_found_down_decides() -> None:
    """Of three, 1 is held and 2 is found down: 3 is missing, and nobody else is waited for."""
    armed = HoldRound(0, (1, 2, 3), 1 * MS, {seat: Press(seat, 0, U, "gpio") for seat in (1, 2, 3)}.get)
    armed.press(Press(1, 1 * S, U, "gpio"), 1 * S)
    assert armed.due_ns is None
    armed.take_over(2, 1, 1_500 * MS, 1_900 * MS, 2 * S)
    assert armed.due_ns is not None
    assert armed.due_ns >= 2 * S
    assert (3,) == armed.verdict().last
