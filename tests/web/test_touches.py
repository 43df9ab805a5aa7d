"""Both halves of the protocol of touches, and a network that refuses, delays, repeats, reorders and cuts.

The page's half is the script that browsers run, in node; the table's is what the table runs.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.core.touch import LATENCY_U_NS, TOUCH_U_NS
from lastnose.web.page_sources import Pages

from tests.support.page_rig import MS, Node, Phone, Way, World, run, seeds

LINES = ("nose.1", "nose.2", "nose.3")
FINE = Way()


class Truth(NamedTuple):
    """A finger that changed a line, and whether its page had been told of it by the time it was hidden."""

    line: str
    level: int
    t_ns: int


class Auditor:
    """A driver that knows the truth: what is promised has to be accounted for."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.truths: list[Truth] = []
        self.driven: list[tuple[str, int, int, int]] = []
        self.lost: list[tuple[int, int, str]] = []
        self.wrong: list[str] = []
        self.clocks: dict[str, int | None] = {}
        self.vouched = 0

    def lines(self) -> tuple[str, ...]:
        return LINES

    def attach(self, clock: str, delay_ns: int | None) -> None:
        self.clocks[clock] = delay_ns

    def detach(self, clock: str) -> None:
        del self.clocks[clock]

    def expect(self, lines: tuple[str, ...], clock: str | None, worth: StampWorth) -> tuple[str, ...]:
        return lines

    def promise(self, t_ns: int) -> None:
        raise AssertionError

    def drive(self, line: str, level: int, t_ns: int, worth: StampWorth, *, clock: str | None = None) -> None:
        off_ns = worth.u_ns - TOUCH_U_NS["touch"] + worth.clock_u_ns - LATENCY_U_NS
        if clock is not None:
            self.driven.append((line, level, t_ns, off_ns))

    def lose(self, clock: str, from_ns: int, to_ns: int, lines: tuple[str, ...]) -> None:
        assert clock in self.clocks
        self.lost += [(from_ns, to_ns, line) for line in lines]

    def vouch(self, clock: str, t_ns: int) -> None:
        assert clock in self.clocks
        self.vouched += 1
        name = clock.split(".")[1]
        mine = {self.world.phones[name].line}
        for truth in self.truths:
            if truth.line in mine and truth.t_ns < t_ns and not self.accounted(truth):
                self.wrong.append(f"{clock} promised {t_ns}, and had not told of {truth}")

    def accounted(self, truth: Truth) -> bool:
        """Return whether the table knows of *truth*: within what was claimed, or as lost."""
        known = any(
            (line, level) == (truth.line, truth.level) and abs(t_ns - truth.t_ns) <= off_ns
            for line, level, t_ns, off_ns in self.driven
        )
        return known or any(
            line == truth.line and from_ns <= truth.t_ns <= to_ns for from_ns, to_ns, line in self.lost
        )


def schedule(rng: Random) -> tuple[World, Auditor]:
    """Return a world of one or two phones on which noses are touched while everything goes wrong."""
    world = World(rng, None, lambda world: script(world, auditor))
    auditor = Auditor(world)
    world.pages = Pages(auditor, lambda: world.now_ns, behind_ns=0)
    return world, auditor


def script(world: World, auditor: Auditor) -> None:
    """Put in what happens: seconds of touches, then a network that is fine."""
    rng = world.rng
    begin_ns = world.now_ns
    world.again_ms = 150
    world.every(500 * MS, world.pages.look if world.pages else lambda: None)
    for number in range(rng.choice((1, 1, 2))):
        way = Way(
            *(1, rng.choice((5, 40, 150))),
            *(rng.choice((0, 0.12, 0.5)) for _ in range(4)),
            stalls=rng.choice((0, 0, 0.05)),
        )
        phone = Phone(f"p{number}", rng, FINE, grain_ms=rng.choice((0.1, 0.1, 1, 16.67)))
        phone.line = LINES[number]
        world.at(begin_ns, lambda phone=phone: world.open(phone))
        t_ns = begin_ns + 300 * MS
        fails_ns, fine_ns = t_ns, t_ns + 3000 * MS

        def fails(phone: Phone = phone, way: Way = way) -> None:
            phone.way = way

        world.at(fails_ns, fails)
        for n in range(rng.randrange(1, 9)):
            t_ns += rng.randrange(5, 600) * MS
            truth = Truth(phone.line, 1 - n % 2, t_ns)
            world.at(t_ns, lambda truth=truth, phone=phone: touches(world, auditor, phone, truth))
        happens(world, phone, rng.choice(KINDS), fails_ns + rng.randrange(2500) * MS)
        world.at(t_ns, lambda phone=phone: world.does(phone, "follow", rng.choice(("judging", "verdict"))))

        def fine(phone: Phone = phone) -> None:
            phone.way, phone.offline = FINE, False

        world.at(max(t_ns, fine_ns), fine)
        world.end_ns = max(world.end_ns, max(t_ns, fine_ns) + 4_500 * MS)


def touches(world: World, auditor: Auditor, phone: Phone, truth: Truth) -> None:
    """Let a finger touch what it sees."""
    if not phone.hidden:
        auditor.truths.append(truth)
        world.touch(phone, *truth, handed_ns=world.rng.randrange(1, 8) * MS)


KINDS = ("nothing", "nothing", "hidden", "slept", "jumps", "offline", "killed")


def happens(world: World, phone: Phone, what: str, at_ns: int) -> None:
    """Let something happen to *phone* at *at_ns*, and end some time after."""
    rng = world.rng
    back_ns = at_ns + rng.randrange(50, 4_000) * MS

    def offline(is_so: bool) -> None:
        phone.offline = is_so

    def jump() -> None:
        unseen_ns = round((3 + 4.2 * phone.grain_ms) * MS)  # nobody can tell less by two clocks
        phone.jumped_ns += rng.choice((-1, 1, 1)) * (unseen_ns + round(10 ** rng.uniform(6, 9.7)))

    def hide() -> object:
        phone.hidden = True
        return world.does(phone, "leave")

    def show() -> object:
        phone.hidden = False
        if what == "slept" and phone.jumped_ns == 0:
            phone.jumped_ns -= back_ns - at_ns  # its clock stood still
        return world.does(phone, "wake")

    def kill() -> None:
        phone.dead = True

    if what in ("hidden", "slept"):
        world.at(at_ns, hide)
        world.at(back_ns, show)
    elif what == "jumps":
        world.at(at_ns, jump)
    elif what == "offline":
        world.at(at_ns, lambda: offline(True))
        world.at(back_ns, lambda: offline(False))
    elif what == "killed":
        world.at(at_ns, kill)


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    """Run the pages' script."""
    if shutil.which("node") is None:
        pytest.skip("both halves cannot be joined: install node")
    with Node() as node:
        yield node


def hold(node: Node, first: int, many: int) -> None:
    """Hold *many* schedules to what the protocol promises."""
    made = [schedule(rng) for rng in seeds(first, many)]
    run(node, [world for world, _ in made])
    for seed, (world, auditor) in enumerate(made, first):
        assert [] == auditor.wrong, f"seed {seed}"
        for truth in auditor.truths:
            phone = next(one for one in world.phones.values() if one.line == truth.line)
            assert phone.dead or auditor.accounted(truth), f"seed {seed}: {truth} is forgotten"
        assert len(auditor.driven) <= len(auditor.truths), f"seed {seed}: something was driven twice"
    assert sum(auditor.vouched for _, auditor in made) > 20 * many
    assert sum(world.failed for world, _ in made) > many


def test_every_touch_is_accounted_for_before_its_page_promises_beyond_it(node: Node) -> None:
    """Whatever the network does: driven within its claim, or lost with its line, and never twice."""
    hold(node, 0, 100)


@pytest.mark.parametrize("seed", [2224, 10255])
def test_an_answer_to_a_word_from_before_a_jump_narrows_no_claim(node: Node, seed: int) -> None:
    """The page's clock went back by 6 to 9 ms while a word was under way: when it was sent bounds nothing."""
    hold(node, seed - 10, 20)


@pytest.mark.heavy
def test_every_touch_is_accounted_for_in_many_more_schedules(node: Node) -> None:
    """The same, for longer."""
    for first in range(0, 4_000, 250):
        hold(node, first, 250)
