"""A real table with its log on a disk, in any order of what people, noses, the disk and the power do to it.

Beside it an umpire with a list works out what everybody has (`tests.support.random_evenings`), and here it is
worked out once more whose entry undo and redo mean. What he holds impossible the table refuses.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from lastnose.companion.core.errors import BadInput, CompanionError, IllegalMove
from lastnose.companion.core.model import Edge, Verdict
from lastnose.companion.core.text import text
from lastnose.companion.evening import log
from lastnose.companion.evening.authors import author
from lastnose.companion.evening.commands import (
    Agree,
    Amend,
    AnyCommand,
    Arm,
    Bind,
    Finish,
    Keep,
    LeaveOut,
    NewEvening,
    Play,
    Protest,
    Redo,
    Regroup,
    Rename,
    SignOff,
    Start,
    TestZero,
    Undo,
    Void,
)
from lastnose.companion.evening.events import (
    Amended,
    AnyEvent,
    Finished,
    NameChanged,
    Played,
    Redone,
    RoundArmed,
    RoundDropped,
    RoundJudged,
    Seated,
    Started,
    Undone,
)
from lastnose.companion.evening.state import Evening
from lastnose.companion.evening.undo import authors, redoable, undoable
from lastnose.companion.table import log_file
from lastnose.companion.table.store import Store

from tests.support.examples import examples, of_machine
from tests.support.random_evenings import CALLS, Evenings, Log, NoseEvenings, begun
from tests.support.umpire_evening import CannotBe, Line
from tests.table.test_table import Box

LINES = tuple(f"nose.{number}" for number in range(1, 8))
GAMES = ("pig", "hog", "donkey", "magarac", "vatra", "pig-10", "chickenfoot", *CALLS)
WITHOUT_A_GAME: tuple[AnyCommand, ...] = (
    *(Arm(), Finish(), Void(), Undo(), Undo(1), Redo(), SignOff(), Protest(), Keep(1), LeaveOut((1,))),
    *(Play({"type": "false-opener", "seat": 1}), Regroup(("A", "B", "C")), Rename("A", "B"), Agree({})),
    *(Amend(1, {"type": "void"}), *map(Bind, (0, 8)), *(TestZero(("nose.1", f"nose.{n}")) for n in (1, 8))),
)
ENDING: tuple[AnyCommand, ...] = (Finish(), NewEvening(), Start("pig", ("A", "B", "C")))
BY = ("host", "phone 0001", "phone 0002 Zoë")


class Disk:
    """SQLite's disk, which has room for so many writes more, or for all; nothing waits for it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.room: int | None = None
        write, connect = log_file.write, log_file.connect

        def writes(*what: Any) -> None:
            if self.room is not None:
                self.room -= 1
            if self.room == -1:
                self.room = 0
                problem = sqlite3.OperationalError("database or disk is full")
                problem.sqlite_errorcode = sqlite3.SQLITE_FULL
                raise problem
            write(*what)

        def connects(path: Path, mode: str = "rw") -> sqlite3.Connection:
            db = connect(path, mode)
            db.execute("PRAGMA synchronous = OFF")
            return db

        patch.setattr(log_file, "write", writes)
        patch.setattr(log_file, "connect", connects)
        patch.setattr("os.fsync", lambda handle: None)


class AtTable(Log):
    """Writes by asking a table, and by moving its noses.

    Entries have numbers of their own: the table writes more than that.
    """

    pressed = True

    def __init__(self, folder: Path, disk: Disk) -> None:
        super().__init__()
        self.folder, self.disk, self.by = folder, disk, "host"
        self.seqs: dict[int, int] = {}
        self.authors: dict[int, str] = {}
        self.follow = lambda number, event: None  # is told what was kept
        self.passes = lambda: None  # lets a moment pass
        self.unnamed = False  # undo and redo are to find out themselves what is meant
        self.room: int | None = None  # so many writes fit on the disk the first time
        self.open()

    def open(self) -> None:
        """Start a table on what lies in the folder."""
        self.store = Store(self.folder)
        self.box = Box(self.store, LINES, chance=None)
        self.table = self.box.table

    def settles(self) -> None:
        """Let the box say what it has to say."""
        self.passes()

    @property
    def evening(self) -> Evening:
        """The evening as the table has it."""
        return self.table.record.evening

    def seq(self, number: int) -> int:
        """Return the log's own number of entry *number*."""
        return self.seqs[number]

    def state(self) -> tuple[Any, ...]:
        """Return all that a refusal must leave as it is."""
        shown = msgspec.structs.replace(self.table.publish(), version=0)
        return shown, list(self.store.events()), self.evening, self.store.newest()

    def foretold(self, event: AnyEvent, *, fits: bool) -> None:
        """Look at what was told before it is done."""
        if isinstance(event, Amended | Undone | Redone):
            super().foretold(msgspec.structs.replace(event, of=self.seqs[event.of]), fits=fits)

    def keep(self, event: AnyEvent) -> None:
        """Let the table do what leads to *event*; what it refuses changes nothing."""
        if isinstance(event, RoundArmed):
            return  # the table does that by itself
        before, noses = self.state(), self.noses()
        if not self._had_room(event, before[3]):
            before = self.state()
            try:
                self._do(event)
            except CompanionError:
                assert before == self.state() or isinstance(event, RoundJudged)  # it may have been armed
                raise
        if isinstance(event, Seated):  # who stays keeps their nose, and who comes takes the first free one
            taken = {noses[name] for name in event.players if name in noses}
            free = iter(line for line in LINES if line not in taken)
            kept = {name: noses[name] if name in noses else next(free) for name in event.players}
            assert not any(noses.values()) or kept == self.noses()
        new = [before[3] + n for n, one in enumerate(self.gone_on(before[3]), 1) if type(one) is type(event)]
        self.noted(event, *new)

    def _had_room(self, event: AnyEvent, newest: int) -> bool:
        """Do it where the disk may be full, and say whether it is done: else a round may have ended."""
        if self.room is None or isinstance(event, RoundJudged):
            return False
        self.disk.room, self.room = self.room, None
        with suppress(CompanionError):
            self._do(event)
        self.disk.room = None
        self.table.retry()
        written = self.gone_on(newest)
        if any(type(one) is type(event) for one in written):
            return True
        for one in written:
            assert isinstance(one, RoundDropped) or (isinstance(one, RoundJudged) and one.verdict.void)
        return False

    def noses(self) -> dict[str, str]:
        """Return the nose of everybody."""
        return {row.player: row.line for row in self.table.snapshot.rows}

    def gone_on(self, after: int) -> list[AnyEvent]:
        """Return what has been written after entry *after*."""
        return [kept for seq, kept in self.store.events() if seq > after]

    def noted(self, event: AnyEvent, *new: int) -> None:
        """Note what number *event* has in the log, and whose it is."""
        (self.seqs[self.next],) = new
        self.authors[self.next] = "box" if isinstance(event, RoundJudged) else author(self.by)
        self.kept.append((self.next, event))
        self.follow(self.next - 1, event)

    def _do(self, event: AnyEvent) -> None:
        if isinstance(event, RoundJudged):
            self._press(event.verdict)
        else:
            self.table.execute(self._wish(event), self.by)

    def _wish(self, event: AnyEvent) -> AnyCommand:
        match event:
            case Started():
                return Start(event.game, event.players, event.options)
            case Seated():
                return Regroup(event.players)
            case NameChanged():
                return Rename(event.was, event.name)
            case Played():
                return Play(event.move)
            case Finished():
                return Finish()
            case Amended():
                return Amend(self.seqs[event.of], event.move)
            case Undone():
                return Undo(None if self.unnamed else self.seqs[event.of])
            case _:
                assert isinstance(event, Redone)
                return Redo(None if self.unnamed else self.seqs[event.of])

    def _press(self, verdict: Verdict) -> None:
        """Arm a round unless one is, touch noses as *verdict* says, let go, and wait for the next arming."""
        rounds = self.table.rounds
        if rounds.armed is None:
            self.table.execute(Arm(), self.by)
        for _ in range(30):  # some games give a signal
            if rounds.armed is None:
                self.box.wait(400)
        if rounds.armed is None or not {*verdict.order} <= {*rounds.armed.seats}:
            raise IllegalMove("", text("Nobody watches that nose."))
        first = len(verdict.first) if verdict.first else len(verdict.order) - len(verdict.last) + 1
        lines = [self.table.snapshot.rows[seat - 1].line for seat in verdict.order]
        for at, line in enumerate(lines, 1):
            together = at < first if verdict.first else at >= first
            self.table.feed(Edge(self.box.now_ns, "gpio", line, 1, 1_000))
            if not together:
                self.box.wait(0.5)
        self.box.wait(100)
        for line in lines:
            self.table.feed(Edge(self.box.now_ns, "gpio", line, 0, 1_000))
        self.box.wait(3_100)


class AnyEvening(RuleBasedStateMachine):
    """Games of one evening."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(mkdtemp(prefix="lastnose-test-"))
        self.patch, self.copies = pytest.MonkeyPatch(), 0
        self.book = AtTable(self.home / "data", Disk(self.patch))
        self.games: list[Evenings] = []
        self.book.follow, self.book.passes = self.follow, self.passes
        self.back: list[tuple[int, str]] = []  # what was taken back, by whom, and can be put back

    # ---- what happens

    @initialize(game=st.sampled_from(GAMES), seed=st.integers(0, 999))
    def begins(self, game: str, seed: int) -> None:
        """The first game."""
        self.another(game, seed)

    def played(self) -> bool:
        """Return whether something has been played in the newest game."""
        return len(self.games[-1].umpire.lines) > 5

    @precondition(played)
    @rule(game=st.sampled_from(GAMES), seed=st.integers(0, 999))
    def another(self, game: str, seed: int) -> None:
        """Another game begins, and ends the one before."""
        book, ended = self.book, 0
        book.by, book.unnamed, book.room = "host", False, None
        if self.games and not self.games[-1].account().over:
            ended = book.next
            self.games[-1].umpire.lines.append(Line(ended, "end"))
            book.kept.append((ended, Finished(by="host", at=0.0)))
            book.authors[ended] = "host"
        one = begun(game, Random(seed), book)
        if ended:
            book.seqs[ended] = book.seqs[ended + 1] - 1
            assert isinstance(book.store.event(book.seqs[ended]), Finished)
        self.games.append(one)
        one.beside = self.games

    @precondition(lambda self: len(self.games) > 1)
    @rule(game=st.sampled_from(GAMES), seed=st.integers(0, 999))
    def another_evening(self, game: str, seed: int) -> None:
        """Nothing has happened in it yet; names are known still."""
        number, names = self.book.store.evening, self.book.store.known_players()
        self.book.table.execute(NewEvening(), "host")
        assert (number + 1, [], Evening()) == (
            self.book.store.evening,
            list(self.book.store.events()),
            self.book.evening,
        )
        assert names == self.book.store.known_players()
        assert (0, 0, ()) == (undoable(Evening()), redoable(Evening()), authors(Evening()))
        before = self.book.state()
        for wish in WITHOUT_A_GAME:
            with pytest.raises(BadInput):
                self.book.table.execute(wish, "host")
            assert before == self.book.state()
        self.games = []
        self.another(game, seed)

    @rule(
        seed=st.integers(0, 9_999),
        by=st.sampled_from(BY),
        room=st.sampled_from((None, None, 0, 1)),
        taps=st.integers(0, 2),
    )
    def plays(self, seed: int, by: str, room: int | None, taps: int) -> None:
        """Somebody does something in the newest game; the disk may be full at first, or after one write.

        Then thumbs are on the green button, wanted or not.
        """
        game = self.asked(by, self.games[-1], seed)
        self.book.room = room
        game.step()
        game.step()
        for _ in range(taps):
            with suppress(CompanionError):
                self.book.table.execute(Arm(), by)
        self.passes()

    @precondition(played)
    @rule(by=st.sampled_from(BY))
    def ends(self, by: str) -> None:
        """Somebody ends the newest game by hand."""
        game = self.asked(by, self.games[-1])
        game.tries(game.ends)

    @rule(seed=st.integers(0, 9_999), by=st.sampled_from(BY))
    def corrects(self, seed: int, by: str) -> None:
        """Somebody changes what was written in any game of the evening."""
        self.asked(by, Random(seed).choice(self.games), seed).corrects()

    @rule(by=st.sampled_from(BY), back=st.booleans())
    def toggles(self, by: str, back: bool) -> None:
        """Somebody takes back, or puts back, what is theirs."""
        of = self.put_back(by) if back else self.taken_back(by)
        self.asked(by, self.games[-1])
        if not of:
            before = self.book.state()
            with pytest.raises(BadInput, match="othing"):  # is there, or is theirs
                self.book.table.execute(Redo() if back else Undo(), by)
            assert before == self.book.state()
            return
        game, _ = self.part(of)

        def toggled(number: int, circle: list[str]) -> AnyEvent:
            self.stands(of, back)
            return (Redone if back else Undone)(by=by, at=0.0, of=of)

        self.book.unnamed = True
        game.tries(toggled)

    @rule(
        command=st.sampled_from((Finish(), NewEvening(), Start("pig", ("A", "B", "C")))),
        seed=st.integers(0, 99),
    )
    def meets_a_full_disk(self, command: AnyCommand, seed: int) -> None:
        """What ends the game is refused then, and nothing has happened: its noses are judged as before."""
        game, newest = self.asked("host", self.games[-1], seed), self.book.store.newest()
        self.book.disk.room = 0
        with pytest.raises(CompanionError):
            self.book.table.execute(command, "host")
        self.book.disk.room = None
        self.book.table.retry()
        assert not self.book.gone_on(newest)
        if isinstance(game, NoseEvenings):
            game.tries(game.round)

    @rule()
    def stops(self) -> None:
        """The table ends and starts again; a round that nobody has touched was none."""
        self.book.table.let_go()
        before = self.book.evening
        self.book.store.close()
        self.book.open()
        assert (before.matches, before.undone) == (self.book.evening.matches, self.book.evening.undone)

    @rule()
    def is_killed(self) -> None:
        """Another start has all that was done; a round that was armed is void: it may have been touched."""
        book, newest, before = self.book, self.book.store.newest(), self.book.evening.matches
        self.copies += 1
        folder = self.home / f"data-{self.copies}"
        shutil.copytree(book.folder, folder)
        book.store._let_go()
        book.folder = folder
        book.open()
        void = book.gone_on(newest)[:1]
        if not void or not isinstance(void[0], RoundJudged):
            assert before == book.evening.matches
            return
        assert void[0].verdict.void is not None
        self.games[-1].umpire.lines.append(Line(book.next, "void"))
        book.by = "host"
        book.noted(void[0], newest + 1)

    def passes(self) -> None:
        """A moment passes, in which the box may say who is next in the queue of a question."""
        newest, game = self.book.store.newest(), self.games[-1]
        self.book.box.wait(100)
        for seq, event in [*self.book.store.events()]:
            if seq <= newest or not isinstance(event, RoundJudged):
                continue
            assert not event.opened or event.verdict.named, "who has pressed is forgotten"
            if event.verdict.named:
                who = [*event.verdict.order], [*event.verdict.first]
                game.umpire.lines.append(
                    Line(self.book.next, "round", seats=who, under=game.under(), move={"early": []})
                )
                self.book.noted(event, seq)

    def asked(self, by: str, game: Evenings, seed: int = 0) -> Evenings:
        """Let *by* do what comes next, in *game*, which is returned."""
        self.book.by, self.book.unnamed, self.book.room, game.rng = by, False, None, Random(seed)
        return game

    # ---- what undo and redo mean, by the list

    def part(self, of: int) -> tuple[Evenings, Any]:
        """Return entry or correction *of*, and its game."""
        for game in self.games:
            for line in game.umpire.lines:
                for number, one in ((line.number, line), *((fix[0], fix) for fix in line.fixes)):
                    if number == of:
                        return game, one
        raise AssertionError(of)

    def stands(self, of: int, stands: bool) -> None:
        """Let *of* stand, or not."""
        _, one = self.part(of)
        if isinstance(one, Line):
            one.stands = stands
        else:
            one[2] = stands

    def fits(self, of: int, stands: bool) -> bool:
        """Return whether *of* could stand, or not."""
        game, _ = self.part(of)
        self.stands(of, stands)
        try:
            game.umpire.account()
        except CannotBe:
            return False
        finally:
            self.stands(of, not stands)
        return True

    def taken_back(self, by: str) -> int:
        """Return the newest of *by*, or of the box; of the host's, anybody's."""
        newest, whose, found = self.games[-1], self.book.authors, [0]
        mine = {"box", *whose.values()} if by == "host" else {"box", author(by)}
        for game in self.games:
            for line in game.umpire.lines:
                fixes = [fix[0] for fix in line.fixes if fix[2] and line.stands]
                found += [one for one in fixes if one > newest.umpire.lines[0].number and whose[one] in mine]
                if game is newest and line is not newest.umpire.lines[0] and line.stands:
                    others = {whose[line.number], *(whose[one] for one in fixes)}
                    if by == "host" or (whose[line.number] in mine and len(others) == 1):
                        found.append(line.number)
        return max(found)

    def put_back(self, by: str) -> int:
        """Return what *by* took back last; for the host, what anybody took back."""
        return next((of for of, who in reversed(self.back) if by == "host" or who == author(by)), 0)

    def follow(self, number: int, event: AnyEvent) -> None:
        """Take what was written: who writes has nothing to put back, and others only what still fits."""
        by = author(self.book.by)
        if isinstance(event, RoundJudged) and event.question == "first":
            armed = [one for one in self.book.gone_on(0) if isinstance(one, RoundArmed)]
            self.part(number)[1].move["armed"] = [*armed[-1].seats]
        if isinstance(event, Undone | Redone):
            self.back = [one for one in self.back if one[0] != event.of]
            self.back += [(event.of, by)] if isinstance(event, Undone) else []
        elif isinstance(event, Started | Seated | RoundJudged):
            self.back = []
        elif not isinstance(event, NameChanged):
            self.back = [(of, who) for of, who in self.back if who != by and self.fits(of, True)]

    # ---- what holds

    @invariant()
    def is_the_umpires(self) -> None:
        """In every game of the evening everybody has what the list says, and sits where it says."""
        for game in self.games:
            game.agree(game.account())

    @invariant()
    def is_what_the_log_says(self) -> None:
        """Entry by entry, each number one more than the one before; and no two have the same nose."""
        events = list(self.book.store.events())
        assert self.book.evening == log.fold(events)
        assert [seq for seq, _ in events] == [*range(events[0][0], self.book.store.newest() + 1)]
        lines = [row.line for row in self.book.table.publish().rows if row.line]
        assert len(lines) == len({*lines} & {*LINES})

    @invariant()
    def watches_whom_the_game_asks(self) -> None:
        """An armed round that nobody has touched is what the game wants."""
        rounds, match = self.book.table.rounds, self.book.evening.match
        assert rounds.armed is None or (match is not None and rounds.still_asked(match.asks))

    @invariant()
    def offers_what_is_ones_own(self) -> None:
        """To whom undo and redo belong."""
        seqs, shown = {0: 0, **self.book.seqs}, self.book.table.publish()
        for by in BY:
            assert seqs[self.taken_back(by)] == undoable(self.book.evening, by)
            assert seqs[self.put_back(by)] == redoable(self.book.evening, by)
            of = self.taken_back(by)
            offered = shown.undo if by == "host" else shown.undos.get(author(by))
            if by == "host" or author(by) in self.writers():
                assert (seqs[of] if of and self.fits(of, False) else 0) == (offered.seq if offered else 0)
        assert tuple(sorted(self.writers())) == authors(self.book.evening)
        assert seqs[self.put_back("host")] == (shown.redo.seq if shown.redo else 0)

    def writers(self) -> set[str]:
        """Return who has written what stands in the newest game, or taken something back; not the host."""
        whose, newest = self.book.authors, self.games[-1].umpire.lines
        found = {who for _, who in self.back}
        for game in self.games:
            for line in game.umpire.lines:
                fixes = [fix[0] for fix in line.fixes if fix[2]]
                found |= {whose[one] for one in fixes if one > newest[0].number}
                if line in newest[1:] and line.stands:
                    found |= {whose[line.number], *(whose[one] for one in fixes)}
        return found - {"host"}

    def teardown(self) -> None:
        """Nothing is left behind."""
        self.book.store.close()
        self.patch.undo()
        shutil.rmtree(self.home, ignore_errors=True)


TestAnyEvening = AnyEvening.TestCase
TestAnyEvening.settings = of_machine(examples(100))
