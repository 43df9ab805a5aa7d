"""A protest: until the next deal, with its reason; the tape is judged again, the decision is in the log."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from lastnose.companion.core.errors import NotNow
from lastnose.companion.core.model import Edge, Verdict
from lastnose.companion.core.text import text
from lastnose.companion.evening import events, log
from lastnose.companion.evening.commands import Amend, Keep, Protest, Redo, Start, Undo
from lastnose.companion.table.store import Store
from lastnose.companion.views.scoreboard import round_views

from tests.table.test_table import FOUR, Box


def judged(store: Store | None = None) -> Box:
    """A table whose first round has just named the fourth."""
    box = Box(store)
    box.do(Start("pig", FOUR))
    box.wait(10)
    for number in (1, 2, 3, 4):
        box.edge(number, 1)
        box.wait(50)
    box.wait(100)
    return box


def proof(box: Box) -> list[str]:
    """What history says of the round."""
    return [str(line) for line in box.table.queries.rounds()[0].proof]


def test_a_protest_judges_the_tape_again_and_stays_in_the_log_with_its_reason() -> None:
    """One touch: the verdict stands as it was, and everybody sees why."""
    box = judged()
    (view,) = box.table.queries.rounds()
    tape = box.table.queries.tape(view.seq)
    assert view.seq == box.table.publish().protestable
    box.do(Protest("my  button stuck"))
    assert "my button stuck" in proof(box)
    assert "After a protest the tape was judged again: it says the same." in proof(box)
    kept = box.store.event(box.table.record.evening.seq)
    assert isinstance(kept, events.Protested)
    assert (view.seq, "my button stuck", (4,)) == (kept.of, kept.reason, kept.verdict.last)
    assert tape == box.table.queries.tape(view.seq)
    assert (False, False) == (box.table.queries.rounds()[0].contested, box.table.queries.rounds()[0].void)


def test_a_protest_of_a_verdict_that_is_no_longer_the_newest_is_about_no_other() -> None:
    """Of a verdict before it: that is closed, and the newest is untouched."""
    box = judged()
    (first,) = box.table.queries.rounds()
    for level, order in ((0, (1, 2, 3, 4)), (1, (4, 3, 2, 1))):
        for number in order:
            box.edge(number, level)
            box.wait(50)
        box.wait(4_000)
    _, second = box.table.queries.rounds()
    with pytest.raises(NotNow, match="this one cannot any more"):
        box.do(Protest("my button stuck", first.seq))
    assert not any(view.protested for view in box.table.queries.rounds())
    box.do(Protest("my button stuck", second.seq))
    assert [False, True] == [view.protested for view in box.table.queries.rounds()]


def test_a_round_that_was_taken_back_is_not_protested_until_it_is_put_back() -> None:
    """There is no verdict to stand against."""
    box = judged()
    (view,) = box.table.queries.rounds()
    box.do(Undo())
    assert 0 == box.table.publish().protestable
    with pytest.raises(NotNow):
        box.do(Protest("my button stuck"))
    box.do(Redo())
    assert view.seq == box.table.publish().protestable


def test_the_host_decides_a_protest_and_says_why() -> None:
    """The tape says the same, and the round waits for the host all the same, who keeps it or takes it out."""
    box = judged()
    (view,) = box.table.queries.rounds()
    box.do(Protest("my button stuck"))
    asked = box.table.publish().contest
    assert asked is not None
    assert "Round 1 is contested: keep it, or void it." == str(asked.says)
    (seen,) = box.table.queries.rounds()
    assert (True, True, False) == (seen.protested, seen.undecided, seen.contested)
    assert ",protested," in box.table.queries.export_csv()
    box.do(Keep(view.seq, "  pressed   twenty times, it\nalways closed "))
    why = "pressed twenty times, it always closed"
    assert {"The table kept it as it was judged.", why} <= {*proof(box)}
    (seen,) = box.table.queries.rounds()
    assert (True, False, None) == (seen.protested, seen.undecided, box.table.publish().contest)
    assert log.fold(box.store.events()) == box.table.record.evening
    with pytest.raises(NotNow):
        box.do(Keep(view.seq))
    box.do(Protest("again"))
    assert box.table.queries.rounds()[0].undecided
    box.do(Amend(view.seq, {"type": "void", "reason": "the button is loose"}))
    assert not box.table.queries.rounds()[0].undecided
    assert "the button is loose" in proof(box)
    assert {"The table kept it as it was judged.", why}.isdisjoint(proof(box))


@pytest.mark.parametrize("let_go", [False, True])
@pytest.mark.parametrize("cut_in_round", [False, True])
def test_a_verdict_can_be_protested_after_a_restart_as_before_it(
    tmp_path: Path, *, let_go: bool, cut_in_round: bool
) -> None:
    """Stopped or cut off, with the next round armed or not: its own tape is judged.

    An edge of before the restart tells nothing of the verdict: no round is contested or withdrawn by it.
    """
    store = Store(tmp_path)
    box = judged(store)
    (before,) = box.table.queries.rounds()
    if cut_in_round:
        for number in (1, 2, 3, 4):
            box.edge(number, 0)
        box.wait(3_200)
        assert "armed" == box.table.publish().phase
    if let_go:
        box.table.let_go()
    store.close()
    back = Box(Store(tmp_path))
    back.table.feed(Edge(-1, "gpio", "nose.4", 0, 1_000))
    back.wait(10)
    assert before.seq == back.table.publish().protestable
    assert tuple(map(str, before.proof)) == tuple(proof(back))
    back.do(Protest("my button stuck"))
    assert "After a protest the tape was judged again: it says the same." in proof(back)
    last = [event for _, event in back.store.events()][-1]
    assert isinstance(last, events.Protested)
    assert (before.seq, (4,)) == (last.of, last.verdict.last)
    cut = [view for view in back.table.queries.rounds() if view.void]
    assert (cut_in_round and not let_go) == bool(cut)
    assert not any("my button stuck" in str(line) for view in cut for line in view.proof)
    assert not back.table.queries.rounds()[0].contested
    back.store.close()


def test_nobody_protests_once_the_next_round_is_under_way() -> None:
    """Or before there is a verdict at all."""
    box = judged()
    for number in (1, 2, 3, 4):
        box.edge(number, 0)
    box.wait(4_000)
    assert 0 != box.table.publish().protestable
    box.edge(2, 1)
    box.wait(30)
    assert 0 == box.table.publish().protestable
    with pytest.raises(NotNow):
        box.do(Protest())
    fresh = Box()
    fresh.do(Start("pig", FOUR))
    with pytest.raises(NotNow):
        fresh.do(Protest())


@pytest.mark.parametrize(
    ("again", "says"),
    [
        (Verdict((1, 2, 4, 3), (3,), 50_000_000, 20), "was judged again: South."),
        (Verdict(void=text("Lost.")), "was judged again: nobody can tell."),
    ],
)
def test_a_tape_that_says_otherwise_makes_the_round_contested_until_the_table_decides(
    again: Verdict, says: str
) -> None:
    """The letter stays until somebody keeps the round or takes it out; the log reads back the same."""
    box = judged()
    (view,) = box.table.queries.rounds()
    protest = events.Protested(by="host", at=1.0, of=view.seq, verdict=again)
    records = [*box.store.events(), (box.table.record.evening.seq + 1, protest)]
    evening = log.fold(records)
    (seen,) = round_views(evening)
    assert seen.contested
    assert any(str(line).endswith(says) for line in seen.proof)
    assert not any("Contested" in str(line) for line in seen.proof)
    kept = log.apply(evening, evening.seq + 1, events.Kept(by="host", at=2.0, of=view.seq))
    assert not round_views(kept)[0].contested
    assert events.DECODER.decode(events.ENCODER.encode(protest)) == protest
    assert msgspec.structs.asdict(protest)["reason"] == ""
    with pytest.raises(NotNow):
        box.do(Keep(view.seq))
