"""A person and a box with faults in its wiring, for tests of the self-test: touches what is asked for."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from lastnose.companion.core.model import Edge, Levels, rest_level
from lastnose.companion.selftest.course import Course
from lastnose.companion.selftest.plan import TestPlan, contacts_of, spare_pins, spares_of
from lastnose.companion.selftest.view import SelfTestView
from lastnose.companion.wiring.boards import physical_pin
from lastnose.companion.wiring.profile import Profile

from tests.support.profiles import read_profile

MS = 1_000_000
TABLE = """
name = "four"
board = "pi"
[pins]
noses = [5, 6, 12, 13]
spoons = [23, 24]
host = 21
"""
LINES = ("nose.1", "nose.2", "nose.3", "nose.4", "spoon.1", "spoon.2", "host")
TICK_NS, LONG_TICK_NS = 50 * MS, 500 * MS


def plan_of(profile: Profile | None = None, **more: object) -> TestPlan:
    """Return the plan of a small table on a Pi."""
    profile = profile or read_profile(TABLE, "four.toml")
    pins = spare_pins(profile)
    assert all(physical_pin("pi", pin) for pin in pins.values())
    plan = TestPlan(
        profile.name, contacts_of(profile, profile.lines), spares_of(profile, pins), profile.timing
    )
    return msgspec.structs.replace(plan, **more)


class Rig:
    """A self-test with its own time, and a box in which touching a contact moves other lines than it should.

    `wiring` says which lines move when a contact is touched (itself, where nothing is said); `held` are lines
    that are away from their rest whatever happens.
    """

    def __init__(
        self,
        plan: TestPlan | None = None,
        wiring: dict[str, tuple[str, ...]] | None = None,
        held: Iterable[str] = (),
    ) -> None:
        self.now_ns = 1_000 * MS
        self.wiring = wiring or {}
        self.held = frozenset(held)
        self.course = Course(plan or plan_of(), self.now_ns)
        levels = {line: rest_level(line) ^ (line in self.held) for line in self.course.plan.lines}
        self.course.feed(Levels(levels, self.now_ns, "gpio"))

    @property
    def asked(self) -> str | None:
        """The line that is asked for now."""
        contact = self.course.view.contact
        return contact.line if contact is not None else None

    def wait(self, ms: float) -> None:
        """Let time pass, in ticks of 50 ms, and of half a second where it gets long."""
        end_ns = self.now_ns + round(ms * MS)
        while self.now_ns < end_ns:
            tick_ns = TICK_NS if end_ns - self.now_ns < 3_000 * MS else LONG_TICK_NS
            self.now_ns = min(self.now_ns + tick_ns, end_ns)
            self.course.advance(self.now_ns)

    def edge(self, line: str, level: int, at_us: float = 0, u_ns: int = 10_000) -> None:
        """Feed an edge *at_us* from now."""
        if line not in self.held:
            self.course.feed(Edge(self.now_ns + round(at_us * 1_000), "gpio", line, level, u_ns))

    def away(self, line: str, at_us: float = 0) -> None:
        """Move *line* off its rest."""
        self.edge(line, 1 - rest_level(line), at_us)

    def back(self, line: str, at_us: float = 0) -> None:
        """Move *line* to its rest."""
        self.edge(line, rest_level(line), at_us)

    def touch(self, contact: str, hold_ms: float = 120) -> None:
        """Touch a contact: every line that it is wired to moves, a few microseconds apart."""
        lines = self.wiring.get(contact, (contact,))
        for number, line in enumerate(lines):
            self.away(line, number * 3)
        self.wait(hold_ms)
        for number, line in enumerate(lines):
            self.back(line, number * 3)
        self.wait(500)

    def go_through(self) -> None:
        """Do what is asked, patiently, up to the first question that is not about a contact."""
        self.wait(2_200)
        for _ in range(20 * len(self.course.plan.contacts)):
            if self.asked is None:
                return
            self.touch(self.asked)
            if self.asked is not None and not self.wiring.get(self.asked, (self.asked,)):
                self.wait(31_000)
        raise AssertionError(f"stays at {self.asked}")


def moments() -> dict[str, SelfTestView]:
    """Return moments of a self-test that screens show: nose 1 is on a free pin."""
    rig = Rig(plan_of(screen=True), wiring={"nose.1": ("spare.17",)})
    seen = {"rest": rig.course.view}
    rig.wait(2_200)
    seen["asked"] = rig.course.view
    rig.touch("nose.1")
    seen["wrong"] = rig.course.view
    rig.go_through()
    seen["picture"] = rig.course.view
    rig.course.say("yes")
    seen["failed"] = rig.course.view
    well = Rig()
    well.go_through()
    seen["well"] = well.course.view
    return seen
