"""The one mutable object: what sources and people send goes in, events are stored, a snapshot comes out.

`feed` and `execute` belong to one thread (`companion.loop` gives it one); `snapshot` and the queries may be
used from any.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion import commands, log, model, sheet_file
from companion.authors import BOX
from companion.chance import SystemChance
from companion.errors import BadInput, IllegalMove, NotNow, StoreError
from companion.games import Chance, Game, get_game
from companion.games.asks import Seats, Watch
from companion.games.variations import check_variation, same_name
from companion.keeper import Keeper
from companion.snapshot import Snapshot
from companion.text import Text, text, texts
from companion.timing import ArmRequest
from companion.undo import redoable, undoable


class Table(Keeper):
    """A table of people: it keeps the rounds and does what people ask.

    `chance` decides what games leave to it, before the log keeps it; None: a move must say that itself.
    """

    chance: Chance | None = SystemChance()

    def execute(self, command: commands.AnyCommand, by: str) -> Snapshot:
        """Do what *by* asks and return the snapshot that shows it.

        Raises a CompanionError, and nothing has changed.
        """
        self._pump()
        if self._unsaved is not None:
            raise StoreError(self._faults["disk"])
        self._execute(command, by)
        self._pump()
        return self.publish()

    def _execute(self, command: commands.AnyCommand, by: str) -> None:
        match command:
            case commands.Start():
                self._start(command, by)
            case commands.Import():
                self._import(command.sheet, by)
            case commands.Arm():
                self._arm()
            case commands.Void():
                self._void(command.reason, by)
            case commands.Play():
                self._play(command.move, by)
            case commands.Agree():
                self._agree(command.options, by)
            case commands.Undo() | commands.Redo():
                self._toggle(command, by)
            case commands.Amend():
                self._append_checked(
                    log.Amended(by=by, at=self._wall_s(), of=command.seq, move=dict(command.move))
                )
            case commands.Finish():
                self._finish(by)
            case commands.NewEvening():
                self._new_evening(by)
            case commands.Bind():
                self._wait_for_nose(command.player)
            case commands.Rearm():
                self._set_rearm(command.seconds)
            case commands.SaveVariation():
                made = check_variation(command.name, command.game, command.options)
                self._append(
                    log.Saved(by=by, at=self._wall_s(), name=made.name, game=made.game, options=made.options)
                )
            case commands.DeleteVariation():
                self._delete_variation(command.name, by)

    def _delete_variation(self, name: str, by: str) -> None:
        found = [one.name for one in self.variations() if same_name(one.name, name.strip())]
        if not found:
            raise BadInput(text("There is no saved variation “{name}”.", name=name))
        self._append(log.Forgotten(by=by, at=self._wall_s(), name=found[0]))

    def _running(self) -> log.Run:
        run = self.evening.run
        if run is None or run.finished:
            raise NotNow(text("No game is being played: start one first."))
        return run

    def _start(self, command: commands.Start, by: str) -> None:
        game = get_game(command.game)
        players = tuple(" ".join(name.split()) for name in command.players)
        options = msgspec.to_builtins(game.read_options(command.options))
        lines = ("",) * len(players)
        rack = self._rack(game, players, options)
        if game.watched:
            lines = self._chosen_lines(command.lines, players, rack)
        rearm_ns = self.settings.rearm_ns
        if command.rearm_s is not msgspec.UNSET:
            rearm_ns = rearm_from(command.rearm_s)
        at = self._wall_s()
        events: list[log.AnyEvent] = [
            log.Started(
                by=by, at=at, game=game.name, players=players, options=options, lines=lines, rearm_ns=rearm_ns
            )
        ]
        run = self.evening.run
        if run is not None and not run.finished:
            events.insert(0, log.Finished(by=by, at=at))
        self._end_round(text("Another game was started."))
        self._append(*events, *self._opening(game, players, options, by))
        self._set_rearm_ns(rearm_ns)
        self._change(binding=None, bindings={}, down=frozenset())
        self._bind_run()
        self._watch()
        self._arm_first_round()

    def _import(self, raw: dict[str, Any], by: str) -> None:
        """Begin the game of a sheet with all that is written on it, or refuse the whole."""
        sheet = sheet_file.read(raw)
        moves = sheet_file.check(sheet)
        run = self.evening.run
        if run is not None and not run.finished and run.started.game != sheet.game:
            raise NotNow(
                text(
                    "{game} is being played, and this is a sheet of {other}: end that game first.",
                    game=run.game.title,
                    other=get_game(sheet.game).title,
                )
            )
        at = self._wall_s()
        self._start(commands.Start(sheet.game, sheet.players, sheet.options), by)
        self._append(*(log.Played(by=by, at=at, move=move) for move in moves))

    def _opening(
        self, game: Game, players: tuple[str, ...], options: dict[str, Any], by: str
    ) -> tuple[log.Played, ...]:
        """Return what chance decides before the first deal, for the log to hold."""
        state = game.new(players, game.read_options(options))
        move = game.opening(state, self.chance) if self.chance is not None else None
        if move is None:
            return ()
        return (log.Played(by=by, at=self._wall_s(), move=msgspec.to_builtins(move)),)

    def _arm_first_round(self) -> None:
        """Arm, unless the table waits for the host."""
        if self.settings.rearm_ns is not None and self._running().game.watched:
            self._ask_to_arm()

    def _rack(self, game: Game, players: tuple[str, ...], options: dict[str, Any]) -> model.Rack | None:
        """Return the rack that the game wants for all its players, None when it wants none.

        Raises BadInput when it cannot be played so, or the table's rack is too small.
        """
        asked = game.asks(game.new(players, game.read_options(options)))
        rack = next((ask.rack for ask in asked if isinstance(ask, Watch)), None)
        if rack is not None and self.cradles is not None and max(rack.spoons) > self.cradles:
            raise BadInput(
                texts(
                    "The rack of this table has {n} cradle: that is too few for {players} players.",
                    "The rack of this table has {n} cradles: that is too few for {players} players.",
                    n=self.cradles,
                    players=len(players),
                )
            )
        return rack

    def _chosen_lines(
        self, wanted: tuple[str, ...] | None, names: tuple[str, ...], rack: model.Rack | None
    ) -> tuple[str, ...]:
        """Return a nose line for each player: as asked, as bound in set-up, else the free ones in order.

        Where only the *rack* is watched a player may be without.
        """
        players = len(names)
        spare = rack is not None and rack.confirm == "rack-only"
        if wanted is None:
            bound = {number: line for number, line in self._live.bindings.items() if number <= players}
            free = iter(line for line in self.lines if line not in bound.values())
            lines = tuple(bound.get(number) or next(free, "") for number in range(1, players + 1))
        else:
            lines = wanted
        if len(lines) != players or ("" in lines and not spare):
            raise BadInput(
                text(
                    "This table has {noses} noses: that is too few for {players} players.",
                    noses=len(self.lines),
                    players=players,
                )
            )
        for number, line in enumerate(lines):
            if spare and not line:
                continue
            if line not in self.lines:
                raise BadInput(text("There is no nose “{line}” at this table.", line=line))
            if line in lines[:number]:
                raise BadInput(
                    text(
                        "Seats {a} and {b} have the same nose, {line}: give each seat its own.",
                        a=lines.index(line) + 1,
                        b=number + 1,
                        line=line,
                    )
                )
        return lines

    def _arm(self) -> None:
        if not self._running().game.watched:
            raise NotNow(text("No noses are watched in this game: there is nothing to arm."))
        if self._armed is None:
            self._ask_to_arm()

    def _ask_to_arm(self) -> None:
        """Arm as soon as the noses are free."""
        self._change(asked=True)
        self._inbox.append(ArmRequest(self._clock_ns()))

    def _void(self, reason: str, by: str) -> None:
        run = self._running() if self._armed else self.evening.run
        why = reason.strip()
        if self._live.opened:
            self._end_round(Text("{reason}", {"reason": why}) if why else text("The table said so."))
            return
        newest = log.voidable(run) if run is not None else None
        if newest is None:
            raise NotNow(text("There is no round that could be taken out of the count."))
        move = {"type": "void", "reason": why}
        self._append_checked(log.Amended(by=by, at=self._wall_s(), of=newest.seq, move=move))

    def _play(self, move: dict[str, Any], by: str) -> None:
        run = self.evening.run
        if run is None or not run.asks:
            run = self._running()
        wish = run.game.read_move(move)
        made = wish if self.chance is None else run.game.completed(run.state, wish, self.chance)
        after = run.game.play(run.state, made)
        if made is not wish:
            move = msgspec.to_builtins(made)
        if self._live.opened and not self._of_an_earlier_round(run, move, after):
            self._end_round(text("The table changed in the middle of the round."))
        self._append_checked(log.Played(by=by, at=self._wall_s(), move=move))

    def _agree(self, wanted: dict[str, Any], by: str) -> None:
        run = self._running()
        options = msgspec.to_builtins(run.game.read_options({**run.started.options, **wanted}))
        if options != run.started.options:
            self._append(log.Agreed(by=by, at=self._wall_s(), options=options))

    def _of_an_earlier_round(self, run: log.Run, move: dict[str, Any], after: Any) -> bool:
        """Return whether *move* is about the verdict before, and leaves the round in progress alone."""
        asked = any(isinstance(ask, Seats) and ask.prompt and ask.move == move["type"] for ask in run.asks)
        return asked and self._armed in run.game.asks(after)

    def _toggle(self, command: commands.Undo | commands.Redo, by: str) -> None:
        if isinstance(command, commands.Undo):
            of = command.seq or undoable(self.evening, by)
            if not of and undoable(self.evening):
                raise BadInput(text("Nothing here is yours to take back: the history takes back any entry."))
            if not of:
                raise NotNow(text("There is nothing to take back."))
            self._append_checked(log.Undone(by=by, at=self._wall_s(), of=of))
            return
        of = command.seq or redoable(self.evening, by)
        if not of:
            raise NotNow(text("There is nothing to put back."))
        self._append_checked(log.Redone(by=by, at=self._wall_s(), of=of))

    def _finish(self, by: str) -> None:
        self._running()
        self._end_round(text("The game was ended here."))
        self._append_checked(log.Finished(by=by, at=self._wall_s()))

    def _new_evening(self, by: str) -> None:
        run = self.evening.run
        if run is not None and not run.finished:
            self._finish(by)
        evening = self.store.new_evening()
        self.evening = log.Evening()
        self._disarmed()
        self._change(evening=evening, binding=None, bindings={})
        self._bind_run()
        self._watch()

    def _wait_for_nose(self, player: int | None) -> None:
        run = self.evening.run
        if player is not None:
            if run is not None and not run.finished:
                raise NotNow(text("Noses are given to seats before the game: end this one first."))
            if not 1 <= player <= len(self.lines):
                raise BadInput(text("This table has seats 1 to {n}.", n=len(self.lines)))
            self._bind(self._identity())
        self._change(binding=player)

    def _set_rearm(self, seconds: float | None) -> None:
        self._set_rearm_ns(rearm_from(seconds))

    def _set_rearm_ns(self, rearm_ns: int | None) -> None:
        self.settings = msgspec.structs.replace(self.settings, rearm_ns=rearm_ns)
        self.referee.set_rearm(rearm_ns)
        self._change(rearm_ns=rearm_ns)

    def _append_checked(self, event: log.AnyEvent) -> None:
        """Append *event*; a round armed for other seats than the game now asks for is armed again."""
        self._append(event)
        self._watch()
        if self._armed is None or self._armed == self._watched:
            return
        if self._live.opened:
            self._end_round(text("The table changed in the middle of the round."))
        else:
            self.referee.drop()
            self._disarmed()
            self._watch()
        if self._watched.seats and self.settings.rearm_ns is not None:
            self._ask_to_arm()

    def _host_pressed(self, happening: model.HostPress) -> None:
        wish = commands.Void() if happening.long else commands.Arm()
        try:
            self._execute(wish, BOX)
        except (BadInput, IllegalMove) as problem:
            self._fault("host", problem.sentence)
        else:
            self._fault("host", None)


def rearm_from(seconds: float | None) -> int | None:
    """Return the re-arm delay in ns; raise BadInput when it is not between 0.5 and 60 s."""
    if seconds is None:
        return None
    if not 0.5 <= seconds <= 60:
        raise BadInput(text("The table can arm itself after 0.5 to 60 seconds, or wait for the host."))
    return round(seconds * 1_000_000_000)
