"""A device that comes and goes: opened once, said once, tried again after longer and longer rests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import Text, text
from lastnose.hardware.outputs.worker import LONGEST_RETRY_NS, SECOND_NS, Retrying, as_device_error


class Thing:
    """A device that works while `well`, and counts how often it was opened and let go."""

    def __init__(self) -> None:
        self.well = True
        self.opened = self.released = self.used = 0
        self.reports: list[str | None] = []
        self.kept: Retrying[Thing] = Retrying(
            self._open, Thing._release, lambda why: text("No thing ({why}).", why=why), self._hear
        )

    def _open(self) -> Thing:
        if not self.well:
            raise OSError("gone")
        self.opened += 1
        return self

    def _release(self) -> None:
        self.released += 1
        if not self.well:
            raise OSError("gone as well")

    def _hear(self, says: Text | None) -> None:
        self.reports.append(None if says is None else str(says))

    def work(self) -> None:
        """Be used."""
        if not self.well:
            raise OSError("gone")
        self.used += 1

    def use(self, now_ns: int) -> bool:
        """Use it through its keeper."""
        return self.kept.use(Thing.work, now_ns)


def test_a_device_is_opened_when_it_is_wanted_and_kept() -> None:
    """Once for all its uses; closing twice lets it go once."""
    thing = Thing()
    assert 0 == thing.opened
    assert all(thing.use(at) for at in range(3))
    thing.kept.close()
    thing.kept.close()
    assert (1, 3, 1) == (thing.opened, thing.used, thing.released)
    assert [] == thing.reports


def test_a_failure_is_said_once_and_its_end_too() -> None:
    """However often it is tried meanwhile; rests of 1, 2, 4 seconds, then of 8."""
    thing = Thing()
    assert thing.use(0)
    thing.well = False
    tries = [at for at in range(0, 30 * SECOND_NS, SECOND_NS // 2) if _tried(thing, at)]
    assert [0, 1, 3, 7, 15, 23] == [at // SECOND_NS for at in tries]
    assert ["No thing (gone)."] == thing.reports
    thing.well = True
    assert not thing.use(30 * SECOND_NS)
    assert thing.use(31 * SECOND_NS)
    assert ["No thing (gone).", None] == thing.reports
    assert (2, 1) == (thing.opened, thing.released)


def _tried(thing: Thing, at_ns: int) -> bool:
    """Use *thing*; return whether its keeper tried at all."""
    before = thing.kept.retry_at_ns
    thing.use(at_ns)
    return thing.kept.retry_at_ns != before


@given(st.lists(st.tuples(st.integers(0, 12 * SECOND_NS), st.booleans()), max_size=40))
def test_reports_take_turns_and_the_last_one_is_true(steps: list[tuple[int, bool]]) -> None:
    """Whatever happens when: a Text, then None, then a Text; never longer than 8 s without a try."""
    thing, now_ns = Thing(), 0
    for pause_ns, well in steps:
        now_ns += pause_ns
        thing.well = well
        worked = thing.use(now_ns)
        assert not worked or well
        if pause_ns >= LONGEST_RETRY_NS:
            assert worked == well
        if worked:
            assert thing.reports[-1:] in ([], [None])
    assert all((said is None) == (number % 2 == 1) for number, said in enumerate(thing.reports))


def test_what_a_pin_library_raises_becomes_a_device_error() -> None:
    """Our own errors pass as they are."""
    with pytest.raises(DeviceError, match="GPIO busy"), as_device_error():
        raise KeyError("GPIO busy")
    ours = DeviceError(text("Ours."))
    with pytest.raises(DeviceError) as caught, as_device_error():
        raise ours
    assert ours is caught.value
