"""The table: what sources and people send goes in, events are stored, a snapshot comes out.

`feed` and `execute` belong to one thread (`thread` gives it one); `snapshot` and the queries may be
used from any.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from lastnose.companion.core import model
from lastnose.companion.core.errors import BadInput, CompanionError, NotNow, StoreError
from lastnose.companion.core.model import Input, Rack
from lastnose.companion.core.names import alike, listed, tidy
from lastnose.companion.core.text import Text, english, text, texts
from lastnose.companion.evening import commands, events, log
from lastnose.companion.evening.authors import BOX
from lastnose.companion.evening.events import Started
from lastnose.companion.evening.state import Match, find, last_judged, running
from lastnose.companion.evening.undo import UNDER_WAY
from lastnose.companion.games import Absent, AnyGame, Chance, get_game
from lastnose.companion.games.rules.checks import CHANGED
from lastnose.companion.games.rules.prompts import CloseQuestion, is_ruling
from lastnose.companion.games.rules.variations import check_variation
from lastnose.companion.system import host_clock
from lastnose.companion.table.match_entries import MatchEntries, reason_of
from lastnose.companion.table.memory_store import EveningRecord, EventStore, resume
from lastnose.companion.table.publisher import Listener, Publisher, TableClock
from lastnose.companion.table.queries import EveningQueries
from lastnose.companion.table.rounds import RoundKeeper
from lastnose.companion.table.zero import ZeroTester
from lastnose.companion.timing import Request, Settings
from lastnose.companion.views import sheet_file
from lastnose.companion.views.lobby import LobbyView
from lastnose.companion.views.phones import duty, waited_for
from lastnose.companion.views.snapshot import HallView, Live, SeatPhone, Snapshot

# ---- Who sits where before a game begins: the nose line of each seat, and the rack that the game wants.


def rack_of(
    game: AnyGame, players: tuple[str, ...], options: Mapping[str, Any], cradles: int | None
) -> Rack | None:
    """Return the rack that the game wants for all its players, None when it wants none.

    Raises BadInput when it cannot be played so, or the table's rack of *cradles* is too small.
    """
    noses = game.moment(game.new(players, game.read_options(options))).noses
    rack = None if noses is None else noses.rack
    if rack is not None and cradles is not None and max(rack.spoons) > cradles:
        raise BadInput(
            texts(
                "The rack of this table has {n} cradle: that is too few for {players} players.",
                "The rack of this table has {n} cradles: that is too few for {players} players.",
                n=cradles,
                players=len(players),
            )
        )
    return rack


# What can be asked whatever game was played last, and whether its rules are here or not.
_WITHOUT_RULES = (
    commands.Start,
    commands.Import,
    commands.Finish,
    commands.NewEvening,
    commands.Bind,
    commands.Rearm,
    commands.Rename,
    commands.SaveVariation,
    commands.DeleteVariation,
    commands.TestZero,
)


def bound_lines(lines: tuple[str, ...], bindings: Mapping[int, str], players: int) -> tuple[str, ...]:
    """Return a line for each of *players*: as bound in set-up, else the free ones in order, "" for none."""
    bound = {number: line for number, line in bindings.items() if number <= players}
    free = iter(line for line in lines if line not in bound.values())
    return tuple(bound.get(number) or next(free, "") for number in range(1, players + 1))


def kept_lines(started: Started, players: tuple[str, ...], lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return a line for each of *players*: their own of the game before, a free one for who is new."""
    own = dict(zip(started.players, started.lines, strict=True))
    taken = {own[name] for name in players if name in own}
    free = iter(line for line in lines if line not in taken)
    return tuple(own[name] if name in own else next(free, "") for name in players)


def circle(wanted: tuple[str, ...], sitting: tuple[str, ...]) -> tuple[str, ...]:
    """Return who is *wanted* around the table, one name each: who is not *sitting* may be written as a list.

    Who sits there goes by the same name as before, however it is written now, and so keeps their nose. An
    entry without any name stays, for the game to refuse.
    """
    sat = {alike(name): name for name in sitting}
    names = ((sat[alike(one)],) if alike(one) in sat else listed(one) or ("",) for one in wanted)
    return tuple(name for several in names for name in several)


def check_lines(wanted: tuple[str, ...], lines: tuple[str, ...], players: int, rack: Rack | None) -> None:
    """Raise BadInput unless each of *players* has one of *lines* of their own.

    Where only the *rack* is watched a player may be without.
    """
    spare = rack is not None and rack.confirm == "rack-only"
    if len(wanted) != players or ("" in wanted and not spare):
        if players <= len(lines):
            raise BadInput(english("Give a nose for each of the {n} players, or no lines at all.", n=players))
        raise BadInput(
            text(
                "This table has {noses} noses: that is too few for {players} players.",
                noses=len(lines),
                players=players,
            )
        )
    for number, line in enumerate(wanted):
        if spare and not line:
            continue
        if line not in lines:
            raise BadInput(english("There is no nose “{line}” at this table.", line=line))
        if line in wanted[:number]:
            raise BadInput(
                english(
                    "Seats {a} and {b} have the same nose, {line}: give each seat its own.",
                    a=wanted.index(line) + 1,
                    b=number + 1,
                    line=line,
                )
            )


class SystemChance:
    """Decides where no person does (`companion.games.Chance`)."""

    def pick(self, count: int) -> int:
        """Return one of the numbers from 0 to *count* - 1, each as likely."""
        return secrets.randbelow(count)

    def order(self, count: int) -> tuple[int, ...]:
        """Return the numbers from 0 to *count* - 1, each order as likely."""
        return tuple(secrets.SystemRandom().sample(range(count), count))


class Table:
    """A table of people: it does what they ask, and holds its evening, its rounds and what it shows.

    `lines` are the nose lines of the profile, `phones` those of them that phones touch, `cradles` how many
    its rack has (None: any number, as on a tape), `settings` its debounce, `sources` those to be waited for.
    `on_pages` are the lines that are touched on pages and phones: a game with one of them is armed by people
    only.
    `chance` decides what games leave to it, before the log keeps it; None: a move must say that itself. A
    table that `arms_first` arms the first round of a game; on a tape the referee does, by its own clock.
    `clock_ns` is CLOCK_MONOTONIC or a scenario's own time; `wall_s` the time of day in seconds.
    """

    def __init__(
        self,
        store: EventStore,
        lines: tuple[str, ...],
        *,
        settings: Settings | None = None,
        simulated: bool = False,
        cradles: int | None = None,
        sources: tuple[str, ...] = (),
        phones: Collection[str] = (),
        on_pages: Collection[str] = (),
        chance: Chance | None = SystemChance(),  # noqa: B008 - it has no state
        arms_first: bool = True,
        clock_ns: Callable[[], int] = host_clock.now_ns,
        wall_s: Callable[[], float] = time.time,
    ) -> None:
        self.cradles, self.chance = cradles, chance
        self._arms_first, self._clock_ns, self._wall_s = arms_first, clock_ns, wall_s
        self.record = EveningRecord(store)
        self.queries = EveningQueries(self.record, lambda: self.publisher.live.opened)
        settings = resume(self.record, settings or Settings(), wall_s())
        live = Live(evening=store.evening, simulated=simulated, rearm_ns=settings.rearm_ns)
        self.publisher = Publisher(self.record, live)
        self.clock = TableClock(self.record, self.publisher)
        self.zero = ZeroTester(self.record, self.publisher, wall_s, phones)
        self.rounds = RoundKeeper(
            self.record,
            self.publisher,
            lines,
            settings,
            sources=sources,
            wall_s=wall_s,
            pressed=self.zero.heard,
            on_pages=on_pages,
            chance=chance,
        )
        self.entries = MatchEntries(
            self.record, self.queries, self.publisher, self.rounds, chance, clock_ns, wall_s
        )

    @property
    def snapshot(self) -> Snapshot:
        """What every screen shows."""
        return self.publisher.snapshot

    def publish(self) -> Snapshot:
        """Show what has changed, and return that; rule on who has not answered in time, if that is played."""
        live, shown = self.publisher.live, self.publisher.shown
        runs = live.question == "first" or live.clock is not None or shown.evening is not self.record.evening
        overdue = self.clock.follow(self._clock_ns()) if runs else None
        if overdue is not None:
            try:
                self.obey(commands.Play({"type": overdue.move, "value": overdue.overdue}), BOX)
            except CompanionError as problem:
                self.publisher.fault("host", problem.text)
            self.work_off()
            self.clock.follow(self._clock_ns())
        return self.publisher.publish()

    def wakes_in_s(self) -> float | None:
        """Return in how many seconds it has something to show by itself, None when nothing runs down."""
        return self.clock.wakes_in_s(self._clock_ns())

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call *listener* with every new snapshot, on the table's thread; return what ends that."""
        return self.publisher.subscribe(listener)

    def report(self, name: str, says: Text | None) -> None:
        """Show *says* as the trouble of the device *name* until it is None again."""
        self.publisher.fault(name, says)

    def show_phones(self, phones: tuple[SeatPhone, ...]) -> None:
        """Show which phones are noses, and how they are."""
        self.publisher.change(phones=phones)
        self.zero.follow()

    def show_hall(self, hall: HallView | None) -> None:
        """Show what the hall says, and how the link to it is."""
        self.publisher.change(hall=hall)

    def show_lobby(self, lobby: LobbyView) -> None:
        if lobby != self.publisher.live.lobby:
            self.publisher.change(lobby=lobby)

    def let_go(self) -> None:
        """Leave the log tidy before the end: an armed round that nobody has touched is none."""
        with suppress(StoreError):
            self.rounds.let_go()

    def feed(self, item: Input | Request) -> None:
        """Take an input of a source, or a request; what follows from it is stored and shown."""
        self.rounds.take(item)
        self.work_off()

    @property
    def waits_for_disk(self) -> bool:
        """Whether something could not be stored; call `retry` from time to time."""
        return self.rounds.waits_for_disk or self.record.store.adrift is not None

    def retry(self) -> None:
        """Try again to store what the disk did not take, and what is in memory only."""
        self.record.store.settle()
        self.work_off()

    def work_off(self) -> None:
        """Do what follows from all that came in, as far as the disk takes it."""
        while (asked := self.rounds.work_off()) is not None:
            self.answer(asked)

    def answer(self, asked: model.HostPress | model.Passthrough) -> None:
        """Do what the host's button asks; what else was put into the stream is for whoever did it."""
        if not isinstance(asked, model.HostPress):
            return
        try:
            # No page waits for an answer here: what the button is refused, the screens say as a fault of it.
            self.obey(self._meant_by(asked), BOX)
        except CompanionError as problem:
            self.publisher.fault("host", problem.text)
        else:
            self.publisher.fault("host", None)

    def _meant_by(self, pressed: model.HostPress) -> commands.AnyCommand:
        """Return what a press of the host's button says: of who was first, right (short) or wrong (long).

        Short it closes a question that is open.
        """
        match = self.record.evening.match
        asks = match.asks if match is not None else ()
        ruling = next(filter(is_ruling, asks), None)
        closing = next((ask for ask in asks if isinstance(ask, CloseQuestion)), None)
        if closing is not None and self.rounds.armed is not None and not pressed.long:
            return commands.Play({"type": closing.move})
        if ruling is not None:
            # It is heard behind every source, as a name is: it may have been pressed before one was told.
            if self._arms_first and self.publisher.snapshot.ruling is None:
                raise NotNow(text("The button was pressed before the name was told: press it again."))
            choice = ruling.choices[1 if pressed.long else 0]
            return commands.Play({"type": ruling.move, "value": choice.value})
        return commands.Void() if pressed.long else commands.Arm()

    def execute(self, command: commands.AnyCommand, by: str) -> Snapshot:
        """Do what *by* asks, after all that came in before; return the snapshot that shows it.

        Raises a CompanionError, and nothing has changed.
        """
        # Edges first: whoever presses undo has seen the verdict of all that came in before. What the disk
        # does not take must not be overtaken by what it might.
        self.work_off()
        if self.rounds.waits_for_disk:
            raise StoreError(self.publisher.faults["disk"])
        # Once more, for what the command has put into the stream, such as an arming: the answer shows it.
        self.obey(command, by)
        self.work_off()
        return self.publish()

    def obey(self, command: commands.AnyCommand, by: str) -> None:
        """Do what *by* asks at this place of the stream; raise a CompanionError, and nothing has changed."""
        self._must_be_installed(command)
        match command:
            case commands.Start():
                self._start(command, by)
            case commands.Regroup():
                self._regroup(command, by)
            case commands.Import():
                self._import(command.sheet, by)
            case commands.Arm():
                self._arm(command.seq)
            case commands.LeaveOut():
                self._leave_out(command, by)
            case commands.TestZero():
                self._begin_zero_test(command.lines)
            case commands.Keep():
                why = reason_of(command.reason)
                self.record.append(events.Kept(by=by, at=self._wall_s(), of=command.seq, reason=why))
            case commands.Finish():
                self._finish(command.seq, by)
            case commands.SignOff():
                self._sign_off(by)
            case commands.NewEvening():
                self._new_evening(command.evening, by)
            case commands.Bind():
                self._wait_for_nose(command.player)
            case commands.Rearm():
                self._rearm(rearm_from(command.seconds))
            case commands.SaveVariation():
                self._save_variation(command, by)
            case commands.DeleteVariation():
                self._delete_variation(command.name, by)
            case _:
                self.entries.obey(command, by)
                if self.publisher.live.zero is not None or self.publisher.live.binding is not None:
                    self._end_setup()

    def _end_setup(self) -> None:
        """Wait for no nose and end the zero test where a game goes on that was over."""
        if self.record.evening.playing is not None:
            self.zero.begin(None)
            self.publisher.change(binding=None)

    def _must_be_installed(self, command: commands.AnyCommand) -> None:
        """Raise NotNow for what would change a game whose rules are not here."""
        match, seq = self.record.evening.match, getattr(command, "seq", None)
        if isinstance(command, _WITHOUT_RULES) or match is None:
            return
        with suppress(BadInput):  # who names no entry is told so by what follows
            match = find(self.record.evening, seq or 0)[1]
        if isinstance(match.game, Absent):
            raise NotNow(match.game.summary)

    def _save_variation(self, command: commands.SaveVariation, by: str) -> None:
        made = check_variation(command.name, command.game, command.options)
        saved = events.Saved(by=by, at=self._wall_s(), name=made.name, game=made.game, options=made.options)
        self.record.append(saved)

    def _delete_variation(self, name: str, by: str) -> None:
        found = [one.name for one in self.queries.variations() if alike(one.name) == alike(name)]
        if not found:
            raise BadInput(text("There is no saved variation “{name}”.", name=name))
        self.record.append(events.Forgotten(by=by, at=self._wall_s(), name=found[0]))

    def _running(self) -> Match:
        return running(self.record.evening)

    def _regroup(self, command: commands.Regroup, by: str) -> None:
        """Go on with somebody more or less, or with the same in other seats."""
        match = self._running()
        self._must_sit_as_then(command.seq)
        names = circle(command.players, match.started.players)
        if self.publisher.live.opened:
            raise NotNow(UNDER_WAY)
        if self.publisher.snapshot.waits:
            raise NotNow(text("The table has a question: answer it first."))
        lines = kept_lines(match.started, names, self.rounds.lines)
        lines = self._lines_for(match.game, names, match.started.options, lines)
        # Written down with the circle: a replay of the log arms as this table did, whatever is set later.
        rearm_ns = self.rounds.settings.rearm_ns
        event = events.Seated(by=by, at=self._wall_s(), players=names, lines=lines, rearm_ns=rearm_ns)
        self.record.after(event)  # refused before anything is written
        self.zero.begin(None)
        self.rounds.void(text("The table changed in the middle of the round."))
        self.record.append(event)
        self._follow_circle(rearm_ns)

    def _follow_circle(self, rearm_ns: int | None) -> None:
        self.rounds.set_rearm(rearm_ns)
        self.rounds.follow_circle(self._clock_ns(), arms=self._arms_first)

    def _must_sit_as_then(self, seq: int | None) -> None:
        """Raise NotNow when a game has begun, or people have come or gone, since the state *seq*."""
        begun_since = self.record.evening.matches[-1:]
        if seq is not None and begun_since and seq < begun_since[0].seq:
            raise NotNow(CHANGED)  # a second thumb, or a request that was long on its way

    def _start(self, command: commands.Start, by: str, told: Sequence[events.AnyEvent] = ()) -> None:
        """Begin a game, with what has been *told* of it elsewhere."""
        self._must_sit_as_then(command.seq)
        game = get_game(command.game)
        players = tuple(map(tidy, command.players))
        options = msgspec.to_builtins(game.read_options(command.options))
        lines = self._lines_for(game, players, options, command.lines)
        if command.teams:
            game.in_teams(game.new(players, game.read_options(options)), command.teams)
        rearm_ns = self.rounds.settings.rearm_ns
        if command.rearm_s is not msgspec.UNSET:
            rearm_ns = rearm_from(command.rearm_s)
        at = self._wall_s()
        self._must_be_signed_off(command.call)
        begun: list[events.AnyEvent] = [
            events.Started(
                by=by,
                at=at,
                game=game.name,
                players=players,
                options=options,
                lines=lines,
                rearm_ns=rearm_ns,
                call=command.call,
                teams=command.teams,
            )
        ]
        if self.record.evening.playing is not None:
            begun.insert(0, events.Finished(by=by, at=at))
        self.zero.begin(None)
        # All that can be refused has been by now: from here on the old game ends.
        self.rounds.void(text("The table changed in the middle of the round."))
        # In one stroke: a log that ends between them would have ended one game and begun no other.
        self.record.append(*begun, *self._opening(game, players, options, by), *told)
        self._follow_circle(rearm_ns)

    def _lines_for(
        self, game: AnyGame, players: tuple[str, ...], options: dict[str, Any], wanted: tuple[str, ...] | None
    ) -> tuple[str, ...]:
        """Return the nose line of each player; raise BadInput when the game cannot be played so here."""
        rack = rack_of(game, players, options, self.cradles)
        if not game.watched:
            return ("",) * len(players)
        lines = self.rounds.lines
        if wanted is None:
            wanted = bound_lines(lines, self.publisher.live.bindings, len(players))
        check_lines(wanted, lines, len(players), rack)
        return wanted

    def _import(self, raw: dict[str, Any], by: str) -> None:
        """Begin the game of a sheet with all that is written on it, or refuse the whole."""
        sheet = sheet_file.read(raw)
        told = sheet_file.check(sheet, by, self._wall_s())
        match = self.record.evening.playing
        if match is not None and match.started.game != sheet.game:
            raise NotNow(
                text(
                    "{game} is being played, and this is a sheet of {other}: end that game first.",
                    game=match.game.title,
                    other=get_game(sheet.game).title,
                )
            )
        self._start(commands.Start(sheet.game, sheet.players, sheet.options), by, told)

    def _opening(
        self, game: AnyGame, players: tuple[str, ...], options: dict[str, Any], by: str
    ) -> tuple[events.Played, ...]:
        """Return what chance decides before the first deal, for the log to hold."""
        state = game.new(players, game.read_options(options))
        move = game.by_chance(state, None, self.chance) if self.chance is not None else None
        if move is None:
            return ()
        return (events.Played(by=by, at=self._wall_s(), move=msgspec.to_builtins(move)),)

    def _arm(self, seq: int | None) -> None:
        """Arm, and let pages show the noses; not for somebody who had seen no more of the log than *seq*."""
        match = self._running()
        if not match.game.watched:
            raise NotNow(text("No noses are watched in this game: there is nothing to arm."))
        # A second thumb on the green button, on a page that had not yet heard: it meant the round before.
        if seq is not None and seq < max(match.seq, last_judged(self.record.evening)):
            return
        if any(map(is_ruling, match.asks)):
            raise NotNow(text("Say first whether it was right."))
        if self.rounds.armed is None and (first := duty(match, self.publisher.live)) is not None:
            raise NotNow(first.says)
        self.publisher.change(dealt=True)
        if self.rounds.armed is None:
            self.rounds.ask_to_arm(self._clock_ns())

    def _leave_out(self, command: commands.LeaveOut, by: str) -> None:
        """Deal the next round without some seats, or go on without who is waited for in the one under way."""
        match, live = self._running(), self.publisher.live
        if command.seq is not None and command.seq < max(match.seq, last_judged(self.record.evening)):
            raise NotNow(CHANGED)
        if self.rounds.armed is None:
            self.rounds.leave_out(command.seats)
            return
        fresh = {*command.seats} - live.aside
        if not fresh or not fresh <= {seat for seat, _ in waited_for(match, live)}:
            raise NotNow(UNDER_WAY)
        self.rounds.go_on_without(fresh, by)

    def _rearm(self, rearm_ns: int | None) -> None:
        if rearm_ns is not None and self.rounds.played_on_pages:
            raise NotNow(text("Noses on pages and phones wait for the host: only wired ones arm themselves."))
        self.rounds.set_rearm(rearm_ns)

    def _begin_zero_test(self, lines: tuple[str, str] | None) -> None:
        if lines is not None and self.record.evening.playing is not None:
            raise NotNow(text("That is done before a game: end this one first."))
        for line in lines or ():
            if line not in self.rounds.lines:
                raise BadInput(english("There is no nose “{line}” at this table.", line=line))
        if lines is not None and lines[0] == lines[1]:
            raise BadInput(english("A zero test takes two noses: name two different ones."))
        if lines is not None:
            self.rounds.bind_identity()
        self.zero.begin(lines)

    def _finish(self, seq: int | None, by: str) -> None:
        self._running()
        self._must_sit_as_then(seq)
        self.entries.append(self._ended(by))

    def _ended(self, by: str) -> events.Finished:
        """Take the round under way out of the count, and return what ends its game."""
        self.rounds.void(text("The game was ended here."))
        return events.Finished(by=by, at=self._wall_s())

    def _sign_off(self, by: str) -> None:
        match = self.record.evening.match
        if match is None:
            raise NotNow(log.NOT_TO_SIGN)
        self.record.append(events.SignedOff(by=by, at=self._wall_s(), of=match.seq))

    def _must_be_signed_off(self, call: str) -> None:
        """Raise NotNow when a hall waits, or may wait, for what is played here, unless *call* is its own."""
        hall, match = self.publisher.live.hall, self.record.evening.match
        if call or hall is None or match is None or not match.started.call or match.signed_by:
            return
        # Only while the link is well: a call that cannot be heard of any more may hold still.
        if hall.call != match.started.call and hall.link is None:
            return  # the hall has taken its call back, or has a result from its desk
        raise NotNow(text("This game counts in the hall: its result has to be signed off first."))

    def _new_evening(self, evening: int | None, by: str) -> None:
        if evening not in (None, self.record.store.evening):
            raise NotNow(CHANGED)
        self._must_be_signed_off("")
        last = () if self.record.evening.playing is None else (self._ended(by),)
        self.record.begin_another(*last)
        self.publisher.change(evening=self.record.store.evening, binding=None, bindings={})
        self.rounds.leave()

    def _wait_for_nose(self, player: int | None) -> None:
        if player is not None:
            if self.record.evening.playing is not None:
                raise NotNow(text("That is done before a game: end this one first."))
            if not 1 <= player <= len(self.rounds.lines):
                raise BadInput(english("This table has seats 1 to {n}.", n=len(self.rounds.lines)))
            self.rounds.bind_identity()
        self.publisher.change(binding=player)


def rearm_from(seconds: float | None) -> int | None:
    """Return the re-arm delay in ns; raise BadInput when it is not between 0.5 and 60 s."""
    if seconds is None:
        return None
    if not 0.5 <= seconds <= 60:
        raise BadInput(text("The table can arm itself after 0.5 to 60 seconds, or wait for the host."))
    return round(seconds * 1_000_000_000)
