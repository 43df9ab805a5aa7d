"""Keeps the rounds: inputs in, the referee's word stored, what the table has to answer out.

An event is durable before it is shown. What the disk does not take is kept, said, and tried again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy

import msgspec
from lastnose.companion.core import model
from lastnose.companion.core.errors import BadInput, IllegalMove, NotNow, StoreError
from lastnose.companion.core.model import HostPress, Input, Passthrough, RefereeEvent
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.evening.authors import BOX
from lastnose.companion.evening.events import (
    RoundArmed,
    RoundDropped,
    RoundJudged,
    VerdictCompleted,
    VerdictContested,
    VerdictWithdrawn,
)
from lastnose.companion.evening.state import Entry, Evening, Match, effective_move
from lastnose.companion.evening.undo import UNDER_WAY
from lastnose.companion.games.rules.game import Chance
from lastnose.companion.games.rules.prompts import WatchNoses, is_ruling
from lastnose.companion.table.memory_store import EveningRecord
from lastnose.companion.table.publisher import Publisher, RoundProgress
from lastnose.companion.timing import KEPT_ROUNDS, ArmRequest, Referee, Request, Settings

NOW = (0, 0)  # when a round is armed that no signal begins
_Lasting = model.Armed | model.Judged | model.Late | model.Contradicted


class RoundKeeper:
    """The referee of a table: `take` inputs, then `work_off` until it returns None.

    `lines` are the nose lines of the profile; `settings` the debounce of the referee and its delay; `armed`
    whom the armed round watches, None while none is armed. *sources* are to be waited for; *wall_s* is the
    time of day in seconds; *pressed* hears of every press during a zero test, with its line. *on_pages*
    are the lines that are touched on pages and phones.
    """

    def __init__(
        self,
        record: EveningRecord,
        publisher: Publisher,
        lines: tuple[str, ...],
        settings: Settings,
        *,
        sources: tuple[str, ...],
        wall_s: Callable[[], float],
        pressed: Callable[[str, model.Press], None],
        on_pages: Collection[str] = (),
        chance: Chance | None = None,
    ) -> None:
        self.lines = lines
        self._chance = chance
        self.settings = settings
        self._on_pages = frozenset(on_pages)
        self.armed: WatchNoses | None = None
        self._record = record
        self._publisher = publisher
        self._wall_s = wall_s
        self._inbox: deque[Input | Request] = deque()
        self._said: deque[RefereeEvent] = deque()  # what the referee has said and nobody has heard
        self._unsaved: tuple[_Lasting, str] | None = None  # what was said, and by whom
        self._left_out: frozenset[int] = frozenset()  # of the round before: nor of a question that goes on
        self._armed_ns = self._drawn_ms = 0  # in so many milliseconds the signal comes; 0: none is on its way
        self._from_ns = 0  # when the question of that round was opened
        # When armed, as which entry, and since when its question was open.
        self._armings: deque[tuple[int, int, int]] = deque(maxlen=KEPT_ROUNDS)
        self._progress = RoundProgress(record, publisher, pressed)
        self._watched = self._armed_for = WatchNoses(())  # the second is of the armed round
        self._referee = Referee(self._identity(), settings, sources)
        self.follow_match()

    # ---- inputs

    def take(self, item: Input | Request) -> None:
        """Take an input of a source, or a request."""
        if self._publisher.live.question == "first":
            self._publisher.stop.take(item, self.settings.confirm_ns)
        self._inbox.append(item)

    def close(self) -> None:
        """Say that nothing more will come."""
        self._referee.close()

    def work_off(self) -> HostPress | Passthrough | None:
        """Store and show what follows from all that came in, up to what is for the table to answer.

        Call it again when that is done. It returns None when all is worked off, or an event cannot be stored:
        then it goes on from there another time.
        """
        while self._unsaved is None or self._save(*self._unsaved):
            if self._said:
                said = self._said.popleft()
                if isinstance(said, HostPress | Passthrough):
                    return said
                if isinstance(said, _Lasting):
                    self._save(said)
                else:
                    self._progress.show(said)
                continue
            while self._inbox:
                self._referee.take(self._inbox.popleft())
            self._said.extend(self._referee.tell())
            if not self._said:
                self._progress.elapse(self._referee.now_ns)
                if self._publisher.live.asked and not self._referee.asked:
                    self._publisher.change(asked=False)  # nobody is watched any more
                if self._publisher.live.stirred:
                    self._publisher.stop.elapse(self._referee.now_ns - self.settings.lockout_ns)
                return None
        return None

    @property
    def waits_for_disk(self) -> bool:
        """Whether an event could not be stored; `work_off` tries again."""
        return self._unsaved is not None

    # ---- what is kept

    def _save(self, happening: _Lasting, by: str = BOX) -> bool:
        """Store what the referee said; on failure keep it, say so and return False."""
        try:
            self._store(happening, by)
        except StoreError as problem:
            self._unsaved = happening, by
            self._publisher.fault("disk", problem.text)
            return False
        self._unsaved = None
        self._publisher.fault("disk", None)
        return True

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Take back what the referee does in here when the disk does not take it: who asked is refused."""
        before = deepcopy(self._referee)
        try:
            yield
        except StoreError:
            self._referee = before
            raise

    def _store(self, happening: _Lasting, by: str) -> None:
        at = self._wall_s()
        match happening:
            case model.Armed():
                self._keep_armed(happening, by, at)
            case model.Judged():
                self._keep_judged(happening, at)
                self._publisher.fault("late", None)  # the verdict says what came of it
                self._armings.append((self._armed_ns, self._record.evening.seq, self._from_ns))
                self._disarmed()
                self._progress.decided_ns = happening.t_ns
                number = self._watched.number
                self.watch()
                if self._watched.seats and self._watched.number != number:
                    # Another question comes, and no ruling on this one: its list of who buzzed ends, so that
                    # a press before the next opening is a false start of that.
                    self._referee.rest(happening.t_ns, closes=True)
                self._left_out = self._publisher.live.aside
                self._publisher.change(asked=self._referee.asked, dealt=False, aside=frozenset())
            case model.Late() | model.Contradicted():
                self._keep_later(happening, at)

    def _keep_armed(self, armed: model.Armed, by: str, at: float) -> None:
        """Store that a round, or a question that goes on, is *armed*, and show it."""
        self._record.append(
            RoundArmed(
                by=by,
                at=at,
                t_ns=armed.t_ns,
                seats=armed.seats,
                rules=armed.rules,
                barred=armed.barred,
                early=armed.early,
                since_ns=armed.since_ns,
            )
        )
        goes_on = self.armed is not None and armed.since_ns is not None  # until its verdict (F32)
        self.armed = now = msgspec.structs.replace(self._watched, seats=armed.seats)
        self._armed_for = self._watched
        self._armed_ns, self._drawn_ms = armed.t_ns, 0
        self._from_ns, unlisted = armed.from_ns, now.goes_on and armed.since_ns is None
        self._publisher.fault("noise", None)
        self._publisher.fault("late", None)
        if not goes_on:
            self._progress.forget()
        self._publisher.change(
            armed=True, asked=False, rack=now.rack, question=now.question, unlisted=unlisted
        )
        self._progress.opened(armed)

    def _keep_judged(self, judged: model.Judged, at: float) -> None:
        """Store it; one that its game refuses never counts, neither without that game nor by what is late."""
        verdict = judged.verdict
        said = verdict.presses or verdict.lifts or verdict.nobody
        event = RoundJudged(
            by=BOX,
            at=at,
            verdict=verdict,
            confirm_ns=self.settings.confirm_ns,
            lockout_ns=self.settings.lockout_ns,
            hold=self.armed.hold if self.armed else False,
            rack=self.armed.rack if self.armed else None,
            question=self.armed.question if self.armed else "last",
            opened=bool(said) or self._publisher.live.opened,
            inputs=judged.inputs,
        )
        try:
            self._record.append(event)
        except (BadInput, IllegalMove) as refused:
            void = msgspec.structs.replace(verdict, void=refused.text, last=(), first=())
            self._record.append(msgspec.structs.replace(event, verdict=void))
            self._armed_ns = -1

    def _keep_later(self, said: model.Late | model.Contradicted, at: float) -> None:
        """Store what came after a verdict: more of it, or that it does not stand, or is contested.

        Where another game has begun since, the table has built on it: it can only be contested.
        """
        of = next((seq for t_ns, seq, _ in self._armings if t_ns == said.of_ns), 0)
        matches = self._record.evening.matches
        if not matches or of < matches[0].seq:
            return
        older = of < matches[-1].seq
        kind: type[VerdictCompleted | VerdictWithdrawn | VerdictContested] = VerdictCompleted
        if isinstance(said, model.Contradicted):
            withdrawn = isinstance(said, model.Withdrawn) and not older
            kind = VerdictWithdrawn if withdrawn else VerdictContested
        self._record.append(kind(by=BOX, at=at, of=of, verdict=said.verdict, inputs=said.inputs))
        if isinstance(said, model.Contradicted):
            self._publisher.fault("late", None)
            self.watch()

    def _disarmed(self) -> None:
        self.armed = None
        self._progress.forget()
        self._publisher.change(armed=False, closes_ns=0)

    # ---- keeping referee and evening together

    def follow_match(self) -> None:
        """Bind the noses to the seats of the match in progress, and watch whom it wants watched."""
        match = self._record.evening.playing
        if match is not None:
            self._by_number = False
            self._bind({line: seat for seat, line in enumerate(match.started.lines, 1) if line})
        else:
            self.bind_identity()
        self.watch()

    def follow_circle(self, t_ns: int, *, arms: bool = True) -> None:
        """Let the noses be those of who sits there now; where the table *arms*, nothing asked before stays.

        Not before it is written: the referee forgets whom to watch, too.
        """
        if arms:
            self.forget_asked()
        self._publisher.change(binding=None, bindings={}, down=frozenset(), dealt=False, aside=frozenset())
        self.follow_match()
        if arms:
            self.arm_again(t_ns)

    def bind_identity(self) -> None:
        """Let each nose be the seat with its number; no round may be armed."""
        self._by_number = True
        self._bind(self._identity())

    def _identity(self) -> dict[str, int]:
        return {line: number for number, line in enumerate(self.lines, 1)}

    def _bind(self, lines: Mapping[str, int]) -> None:
        self._referee.bind(lines)
        self._progress.bind(lines)
        self._publisher.fault("late", None)

    def watch(self) -> None:
        """Tell the referee whom the game wants watched in the next round, and when to arm that by itself."""
        self._watched = asked = _asked(self._record.evening)
        drawn_ms = self._drawn_ms if asked.after_ms != NOW else 0
        rules = msgspec.structs.replace(asked.rules, lock_ms=drawn_ms or asked.rules.lock_ms)
        self._referee.watch(asked.seats, asked.hold, asked.rack, asked.question, rules)
        self._tell_rearm()

    def set_rearm(self, rearm_ns: int | None) -> None:
        """Arm the next rounds *rearm_ns* after all noses are free; None: only when somebody asks."""
        self.settings = msgspec.structs.replace(self.settings, rearm_ns=rearm_ns)
        self._tell_rearm()

    def _tell_rearm(self) -> None:
        rearm_ns = self.rearm_ns
        if self._publisher.live.rearm_ns != rearm_ns:  # what is shown is what the referee was told
            self._referee.set_rearm(rearm_ns)
            self._publisher.change(rearm_ns=rearm_ns)

    @property
    def rearm_ns(self) -> int | None:
        """How long noses must be free before a round is armed by itself; None: only when somebody says so.

        So it is wherever a nose of the game is touched on a page: there a thumb rests while cards go round;
        and where the game says so.
        """
        by_people = self._watched.by_host or (self._on_pages and self.played_on_pages)
        return None if by_people else self.settings.rearm_ns

    @property
    def played_on_pages(self) -> bool:
        """Whether a nose of the game that is played is touched on a page or a phone."""
        match = self._record.evening.playing
        return match is not None and not self._on_pages.isdisjoint(match.started.lines)

    def ask_to_arm(self, t_ns: int) -> None:
        """Arm as soon as the noses are free after *t_ns*, or where the game wants it when chance says so."""
        if self._watched.after_ms != NOW:
            if self._referee.asked:
                return  # a second thumb on the button: the signal is on its way
            t_ns += self._signal_in_ns()
        self._referee.forget_requests()  # a second thumb, before the first is told: else it would be void
        goes_on = self._watched.goes_on and self._is_newest()
        if goes_on:  # whoever pressed while another ruling stood, which was taken back, is in the queue
            self._said.extend(self._referee.reopen())
        aside = self._publisher.live.aside | (self._left_out if goes_on else frozenset())
        if aside.issuperset(self._watched.seats):  # nobody else is left to ask: somebody has to be
            aside = frozenset()
        self._publisher.change(asked=True, aside=aside)
        seats = tuple(seat for seat in self._watched.seats if seat not in aside) if aside or goes_on else None
        self.take(ArmRequest(t_ns, seats, goes_on=goes_on))

    def _is_newest(self) -> bool:
        """Return whether what is ruled on, or goes on, is the question that was opened last."""
        match = self._record.evening.match
        found = (entry for entry in reversed(match.entries) if entry.stands) if match is not None else ()
        judged = next((one.seq for one in found if match is not None and _counts(one, match)), 0)
        return judged in {seq for _, seq, from_ns in self._armings if from_ns == self._armings[-1][2]}

    def _signal_in_ns(self) -> int:
        """Return how long it is until the signal; from now on a touch is a false start, and shuts out."""
        least, most = self._watched.after_ms
        self._drawn_ms = least + (self._chance.pick(most - least + 1) if self._chance is not None else 0)
        self.watch()
        return self._drawn_ms * 1_000_000

    def leave_out(self, seats: Collection[int]) -> None:
        """Arm the next round without *seats*; raise a CompanionError when that cannot be."""
        if self._watched.rack is not None:
            raise NotNow(english("The spoons are for everybody: nobody can be left out of this round."))
        for seat in seats:
            if seat not in self._watched.seats:
                raise BadInput(english("Seat {seat} does not play now.", seat=seat))
        alone = self._watched.question == "first" and self._watched.after_ms == NOW  # no duel, and no race
        if len(set(self._watched.seats) - set(seats)) < 2 and not alone:
            raise NotNow(text("That would leave too few to play."))
        if self._watched.after_ms != NOW and self._referee.asked:  # the signal is on its way
            raise NotNow(UNDER_WAY)
        self._publisher.change(aside=frozenset(seats))

    def go_on_without(self, seats: Collection[int], by: str) -> None:
        """Let the open question go on without *seats*, as *by* wants, and note it; raise a CompanionError."""
        assert self.armed is not None  # it is open
        if set(self.armed.seats) <= set(seats):
            raise NotNow(text("Somebody has to be left who can be first: let the round not count instead."))
        with self._all_or_nothing():
            gone_on = self._referee.go_on_without(seats)
            if gone_on is not None:
                self._store(gone_on, by)
                self._publisher.change(aside=self._publisher.live.aside | set(seats))

    def still_asked(self, asked: Collection[object]) -> bool:
        """Return whether *asked*, what a game asks, has what the armed round was armed for."""
        return self._armed_for in asked

    def forget_asked(self) -> None:
        """Forget that something was to be armed, also where that still waits for the sources' promises."""
        self._referee.drop()
        self._drawn_ms = 0
        self._publisher.change(asked=False, aside=frozenset())

    def void(self, why: Text) -> None:
        """Void the round that is armed, if one is, and store that; raise StoreError."""
        if self.armed is None:
            return
        with self._all_or_nothing():
            judged = self._referee.void(why)
            if judged is not None:
                self._store(judged, BOX)
                return
        self._drop()  # it is to be armed once more, and something holds that up

    def _drop(self) -> None:
        """Forget the armed round, which nobody has begun, and store that."""
        self._record.append(RoundDropped(by=BOX, at=self._wall_s()))
        self._referee.drop()
        self._disarmed()
        self.watch()

    def let_go(self) -> None:
        """Let go of an armed round that nobody has touched: the table is being stopped."""
        if not self._publisher.live.opened:
            self.void(text("The table was switched off in the middle of the round."))

    def leave(self) -> None:
        """Forget that a round was armed, or was to be: it was one of another evening."""
        self._disarmed()
        self.forget_asked()
        self.follow_match()

    def make_way(self, after: Evening) -> bool:
        """End the armed round where the game asks something else in *after*, and say whether it did.

        Call it before *after* is kept. Raise StoreError, and the round goes on.
        """
        if self.still_asked((_asked(after),)):
            return False
        if self._publisher.live.opened:
            self.void(text("The table changed in the middle of the round."))
        else:
            self._drop()
        return True

    def follow_move(self, t_ns: int, *, cleared: bool, back: bool = False) -> None:
        """Watch whom the game now wants, armed from *t_ns*; by a step *back* no question goes on.

        *cleared*: the armed round has made way for it.
        """
        before = self._watched
        self.watch()
        if self._by_number and self._record.evening.playing is not None:
            self.follow_match()  # a game that was over goes on
        if not before.seats and self._publisher.live.question == "first":
            match = self._record.evening.match
            assert match is not None  # there was a move in it
            if not any(map(is_ruling, match.asks)):  # seen before the next is armed
                self._referee.rest(t_ns, closes=not self._watched.goes_on)
        if cleared:
            self._publisher.change(aside=frozenset())
            self.arm_again(t_ns)
        elif self.armed is None and self._watched != before:
            if self._publisher.live.asked and (before.goes_on or not self._watched.seats):
                self.forget_asked()  # the ruling that let it go on has been taken back, or the game is over
                self.watch()
            if self._watched.at_once and not (back and self._watched.goes_on):
                self._publisher.change(dealt=True)
                self.ask_to_arm(t_ns)

    def arm_again(self, t_ns: int) -> None:
        """Arm from *t_ns* for who is watched now, where the table does that itself."""
        if self.rearm_ns is None:
            self._publisher.change(dealt=False)
        elif self._watched.seats:
            self.ask_to_arm(t_ns)


def _asked(evening: Evening) -> WatchNoses:
    """Return whom the game wants watched; nobody where there is none, or it asks something else."""
    prompts = evening.match.asks if evening.match is not None else ()
    return next((ask for ask in prompts if isinstance(ask, WatchNoses)), WatchNoses(()))


def _counts(entry: Entry, match: Match) -> bool:
    """Return whether *entry* is a verdict that counts, as it is by now."""
    move = effective_move(entry, match)
    return isinstance(move, model.Verdict) and move.void is None
