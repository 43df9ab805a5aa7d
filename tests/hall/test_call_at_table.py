"""What a table does with a call of the hall, without a message server: its game begins, once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from lastnose.companion.app.hall import AGAIN_S, InHall
from lastnose.companion.core.errors import NotNow, StoreError
from lastnose.companion.core.text import Text, text
from lastnose.companion.evening.commands import Finish, NewEvening, SignOff, Start
from lastnose.companion.evening.events import AnyEvent
from lastnose.companion.event import messages
from lastnose.companion.event.messages import HallCall, StuckGame
from lastnose.companion.link import keys
from lastnose.companion.link.membership import Membership
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table
from lastnose.companion.table.thread import TableThread

from tests.support.halls import judged_game

CALL = HallCall(8, "cup", 1, "cup.8", "heat", 1, "pig", {}, ("Aya", "Noor", "Tom"))
LINES = ("nose.1", "nose.2", "nose.3")


class Disk(MemoryStore):
    """A store that can be full."""

    full = False

    def append(self, *found: AnyEvent) -> tuple[int, ...]:
        """Keep *found*, if there is room."""
        if self.full:
            raise StoreError(text("The disk is full."))
        return super().append(*found)


class Called:
    """A table in a hall that nobody reaches; *now_s* is its clock, `said` what it told of its trouble."""

    def __init__(self, folder: Path, rearm_s: float | None) -> None:
        self.now_s = 0.0
        self.disk = Disk()
        self.said: list[str] = []
        self._rearm_s = rearm_s
        self._start(folder)

    def _start(self, folder: Path) -> None:
        self.thread = TableThread(Table(self.disk, LINES))
        self.thread.start()
        member = Membership("", "cup", "nats://127.0.0.1:1", 1, "abc", keys.make_seed())
        self._inside = InHall(
            self.thread, folder, member, self._report, self._rearm_s, now_s=lambda: self.now_s
        )
        self._inside._show()

    def begin_again(self, folder: Path) -> None:
        """End the table and begin it again, with its log and nothing else."""
        self.thread.stop()
        self._start(folder)

    def link(self) -> None:
        """Let the hall be reached."""
        self._inside._linked(None)
        self._settle()

    def _report(self, says: Text | None) -> None:
        if says is not None:
            self.said.append(str(says))

    def hear(self, call: HallCall) -> None:
        """Let the hall say *call*, and the table do what follows."""
        self._inside._hear(call)
        self._settle()

    def pass_time(self, seconds: float) -> None:
        """Let so much time pass, and the table say how it is."""
        self.now_s += seconds
        self._inside._presence()
        self._settle()

    def _settle(self) -> None:
        for _ in range(3):  # what is shown, what follows from that, and what it has led to
            assert self.thread.answers(60)

    @property
    def cannot(self) -> str:
        """What the hall hears of why the called game does not begin."""
        return str(self._inside._presence().cannot)

    def knows(self, call: HallCall) -> bool:
        """Return whether the hall need not say *call* to it again."""
        return self._inside._presence().knows(call)

    @property
    def matches(self) -> list[str]:
        """The calls of all games that were begun."""
        return [match.started.call for match in self.thread.queries.evening.matches]


@contextmanager
def called(folder: Path, rearm_s: float | None = None) -> Iterator[Called]:
    """Give such a table; end it."""
    made = Called(folder, rearm_s)
    try:
        yield made
    finally:
        made.thread.stop()


def test_a_called_game_that_a_full_disk_refused_begins_when_there_is_room(tmp_path: Path) -> None:
    """And once, however long it is called; before it was asked for only once."""
    with called(tmp_path) as table:
        table.disk.full = True
        table.hear(CALL)
        assert ["The hall’s game cannot be played here: The disk is full."] == table.said
        table.disk.full = False
        table.pass_time(AGAIN_S / 2)
        assert [] == table.matches
        table.pass_time(AGAIN_S / 2)
        table.pass_time(AGAIN_S)
        assert ["cup.8"] == table.matches


def test_a_called_game_that_cannot_be_played_here_is_asked_for_once(tmp_path: Path) -> None:
    """Four have no place at three noses, however often it is tried; another call is tried."""
    with called(tmp_path) as table:
        table.hear(HallCall(8, "cup", 1, "cup.8", "heat", 1, "pig", {}, ("Aya", "Noor", "Tom", "Ewa")))
        table.pass_time(AGAIN_S)
        assert 1 == len(table.said)
        assert table.cannot.startswith("The hall’s game cannot be played here: This table has 3 noses: ")
        table.hear(HallCall(9, "cup", 1, "cup.9", "heat", 1, "pig", {}, ("Aya", "Noor", "Tom")))
        assert ["cup.9"] == table.matches
        assert "" == table.cannot


def test_a_game_that_is_called_again_begins_after_that_of_a_later_round(tmp_path: Path) -> None:
    """It has another call than before; the same call does not begin it a third time."""
    with called(tmp_path) as table:
        for call in (CALL, HallCall(20, "cup", 1, "cup.20", "heat", 2, "pig", {}, ("Aya", "Noor", "Tom"))):
            table.hear(call)
            table.thread.submit(Finish(), "host").result(60)
        again = msgspec.structs.replace(CALL, rev=30, call="cup.30")
        table.hear(again)
        table.hear(msgspec.structs.replace(again, rev=31))
        assert ["cup.8", "cup.20", "cup.30"] == table.matches


def test_nothing_else_begins_at_a_table_until_the_called_game_is_signed_off(tmp_path: Path) -> None:
    """Neither the same people again nor another evening, while it is played and when it is over."""
    again, evening = Start("pig", ("Aya", "Noor", "Tom"), {}, None, None), NewEvening()
    with called(tmp_path) as table:
        table.hear(CALL)
        for over in (False, True):
            for wish in (again, evening):
                with pytest.raises(NotNow, match=r"[Ss]ign the result off|signed off first"):
                    table.thread.submit(wish, "host").result(60)
            if not over:
                table.thread.submit(Finish(), "host").result(60)
        table.thread.submit(SignOff(), "host").result(60)
        table.thread.submit(again, "host").result(60)
        assert ["cup.8", ""] == table.matches
        table.thread.submit(again, "host").result(60)  # a game of their own binds nobody


def test_a_called_game_is_kept_though_the_hall_is_not_heard_and_let_go_once_its_call_is_taken_back(
    tmp_path: Path,
) -> None:
    """A table begun again knows its own log only; what the hall says then is no call any more."""
    again = Start("pig", ("Aya", "Noor", "Tom"), {}, None, None)
    with called(tmp_path) as table:
        table.hear(CALL)
        table.begin_again(tmp_path)
        with pytest.raises(NotNow, match="signed off first"):
            table.thread.submit(again, "host").result(60)
        table.link()
        table.hear(HallCall(9, "cup", 1))
        table.thread.submit(again, "host").result(60)
        assert ["cup.8", ""] == table.matches


def test_a_table_is_not_told_to_sign_off_a_game_whose_result_was_typed(tmp_path: Path) -> None:
    """It says that instead; the typed result taken back, its host signs as before."""
    with called(tmp_path) as table:
        table.link()
        table.hear(CALL)
        table.thread.submit(Finish(), "host").result(60)
        found = []
        for call in (HallCall(9, "cup", 1, typed="cup.8"), msgspec.structs.replace(CALL, rev=10)):
            table.hear(call)
            hall = table.thread.snapshot.hall
            found.append((hall.signs, [str(one) for one in hall.stuck]))
        says = "The hall’s desk has typed the result of this game: it counts so."
        assert [(0, [says]), (1, [])] == found


def test_a_called_game_goes_on_after_a_restart_and_arms_itself_as_before(tmp_path: Path) -> None:
    """Its first deal is over, so nobody is asked to touch their nose; and it is not begun a second time."""
    with called(tmp_path, rearm_s=5.0) as table:
        table.hear(CALL)
        assert table.thread.snapshot.rearms_in_ns is None, "nobody is there yet"
        table.disk.append(*judged_game(CALL.players, CALL.call, 0)[1:3])
        table.begin_again(tmp_path)
        assert table.thread.snapshot.rearms_in_ns is None
        table.hear(CALL)
        assert 5_000_000_000 == table.thread.snapshot.rearms_in_ns
        assert ["cup.8"] == table.matches


def test_a_game_that_was_played_is_not_begun_again_because_another_came_after_it(tmp_path: Path) -> None:
    """The hall has yet to read the last rows when the table, begun again, hears the old call."""
    with called(tmp_path) as table:
        table.hear(CALL)
        for wish in (Finish(), SignOff(), Start("pig", ("Aya", "Noor", "Tom"), {}, None, None)):
            table.thread.submit(wish, "host").result(60)
        table.begin_again(tmp_path)
        table.hear(CALL)
        assert ["cup.8", ""] == table.matches


def test_a_table_whose_two_settle_it_by_hand_says_so_and_begins_nothing(tmp_path: Path) -> None:
    """Before any game and after one, until the hall says something else; nobody is asked to touch a nose."""
    says = (
        "Aya and Tom are too few for the game: settle it by hand, by one deal of another game or by lot, and "
        "tell the desk who comes first."
    )
    settle = HallCall(9, "cup", 1, kind="tie", round=2, players=("Aya", "Tom"), by_hand=True)
    with called(tmp_path) as table:
        table.hear(settle)
        shown = table.thread.snapshot
        assert ("setup", [says]) == (shown.phase, [str(one) for one in shown.proof])
        assert "For the final’s last seats" == str(shown.hall.title)
        table.hear(msgspec.structs.replace(CALL, rev=10))
        assert says not in [str(one) for one in table.thread.snapshot.proof]
        table.thread.submit(Finish(), "host").result(60)
        table.thread.submit(SignOff(), "host").result(60)
        table.hear(msgspec.structs.replace(settle, rev=11))
        assert says == str(table.thread.snapshot.proof[0])
        assert ["cup.8"] == table.matches


def test_a_table_says_which_of_its_games_get_no_result_by_themselves(tmp_path: Path) -> None:
    """And what helps; the hall hears what it was told, though it is called for nothing."""
    stuck = StuckGame("heat", 1, back=True), StuckGame("final", 4)
    with called(tmp_path) as table:
        assert table.knows(HallCall(0, "cup", 1))
        call = HallCall(9, "cup", 1, stuck=stuck)
        assert not table.knows(call)
        table.hear(call)
        assert table.knows(call)
        back, gone = map(str, table.thread.snapshot.hall.stuck)
        assert "The final: no result of this table. Let the hall’s desk type it." == gone
        assert (
            "Round 1: no result any more, as an entry was taken back or corrected here. Put it back in the "
            "history, or let the hall’s desk type the result."
        ) == back
        table.hear(HallCall(9, "cup", 1))
        assert () == table.thread.snapshot.hall.stuck


@pytest.mark.parametrize(
    ("refuses", "says"),
    [
        (messages.SOME, "The hall cannot read all that this table sends: play on, and tell the desk"),
        (messages.ALL, "The hall can take nothing more of this table: play on, and ask the organiser."),
    ],
)
def test_a_table_says_that_the_hall_cannot_take_what_it_sends(
    tmp_path: Path, refuses: str, says: str
) -> None:
    """Before what is stuck, until the hall takes all again."""
    with called(tmp_path) as table:
        table.hear(HallCall(9, "cup", 1, refuses=refuses, stuck=(StuckGame("final", 4),)))
        first, _ = map(str, table.thread.snapshot.hall.stuck)
        assert first.startswith(says)
        table.hear(HallCall(9, "cup", 1))
        assert () == table.thread.snapshot.hall.stuck
