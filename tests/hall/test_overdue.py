"""What a table has written and does not come: what is done is no trouble for the others."""

from __future__ import annotations

from lastnose.companion.event.messages import Presence
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore

from tests.support.halls import let_in, screen


def test_what_a_table_says_it_sent_and_never_came_is_asked_for_again(store: HallStore) -> None:
    """After ten seconds, and thirty later; not while the table says what its trouble is."""
    now = [100.0]
    hall = Hall(store, now_s=lambda: now[0])
    member = let_in(hall)

    def asked(after_s: float, n: int, trouble: str = "") -> bool:
        now[0] += after_s
        hall.heard(member.table, Presence(n=n, trouble=trouble))
        return hall.look_at_tables()

    assert [False] * 3 == [asked(0, 2), asked(9, 2), asked(0.5, 2)]
    assert asked(1, 2)
    assert [False, False, True] == [asked(11, 2), asked(18, 2), asked(2, 2)]
    assert [False] * 3 == [asked(0, 3, "another history"), asked(60, 3, "another history"), asked(0, 1)]


def test_nobody_is_waited_for_while_the_disk_of_the_hall_itself_is_full(store: HallStore) -> None:
    """However long; and with room again what the tables have sent has ten seconds to come."""
    now = [100.0]
    hall = Hall(store, now_s=lambda: now[0])
    member = let_in(hall)

    def asked(after_s: float, *, keeps: bool) -> bool:
        now[0] += after_s
        hall.heard(member.table, Presence(n=2))
        return hall.look_at_tables(keeps=keeps)

    assert [False] * 4 == [asked(0, keeps=True), *(asked(9, keeps=False) for _ in range(3))]
    assert [False, False, True] == [asked(9, keeps=True), asked(9, keeps=True), asked(2, keeps=True)]


def test_a_table_that_says_it_has_written_what_never_comes_disturbs_the_others_ever_more_rarely(
    store: HallStore,
) -> None:
    """Whatever it sends between, in an evening: the third time the desk says who it is. Two are trouble."""
    now = [100.0]
    hall = Hall(store, now_s=lambda: now[0])
    forger, other = let_in(hall), let_in(hall)

    def passes(for_s: int, n: int = 0) -> list[int]:
        """Return when something was to be done."""
        done = []
        for at_s in range(for_s):
            now[0] += 1
            hall.heard(forger.table, Presence(n=0 if at_s % 3600 == 0 else 2**62))
            hall.heard(other.table, Presence(n=n))
            if hall.look_at_tables():
                done.append(at_s)
        hall.tick()
        return done

    def told() -> list[tuple[int, str]]:
        todos = screen(hall).todos
        return [(one.number, str(one.says)) for one in todos if one.kind == "overdue"]

    assert ([11, 41], []) == (passes(60), told())
    assert [41, 161, 401, 881, 1841] == passes(3500)
    assert [(1, f"0 of {2**62} entries are here.")] == told()
    assert 2 > len(passes(3600))
    assert [10, 40, 70, 100] == passes(120, n=3)
    hall.heard(forger.table, Presence(n=0))
    hall.look_at_tables()
    hall.tick()
    assert [2] == [number for number, _ in told()]
