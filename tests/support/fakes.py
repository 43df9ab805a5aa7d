"""A table that only remembers: what was asked of it, and what it was told to show. For tests of the pages."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

import msgspec
from lastnose.companion.core.errors import BadInput, CompanionError, Missing
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import AnyCommand
from lastnose.companion.evening.state import Evening
from lastnose.companion.games.rules.variations import Variation
from lastnose.companion.table.queries import LastGame
from lastnose.companion.views.lobby import LobbyView
from lastnose.companion.views.photo_finish import TapeEdge
from lastnose.companion.views.scoreboard import due
from lastnose.companion.views.snapshot import (
    Mark,
    PhotoFinish,
    PlayerRow,
    RoundView,
    SeatPhone,
    Snapshot,
)
from lastnose.companion.views.statistics import Close, Figures, GameFigures, PlayerFigures, Reaction

WORD = ("P", "I", "G")
PLAYERS = ("North", "East", "South")


def rows(players: tuple[str, ...] = PLAYERS) -> tuple[PlayerRow, ...]:
    """Return one Row a player, seats from 1, nobody with a letter yet."""
    return tuple(
        PlayerRow(seat=seat, player=player, letters=(), word=WORD, out=False, score=None, line=f"nose.{seat}")
        for seat, player in enumerate(players, 1)
    )


FINISH = PhotoFinish(
    marks=(
        Mark(seat=1, player="North", t_ns=0, u_ns=10_000, last=False),
        Mark(seat=2, player="East", t_ns=1_250_000, u_ns=10_000, last=False, t_u_ns=20_688),
        Mark(seat=3, player="South", t_ns=1_662_000, u_ns=10_000, last=True, t_u_ns=20_915),
    ),
    missing=(),
    margin_ns=412_000,
    u_ns=20_000,
    dead_heat=False,
)

VERDICT = Snapshot(
    version=7,
    seq=12,
    evening=1,
    phase="verdict",
    simulated=True,
    headline=text("{player} was last: {letter}", player="South", letter="P"),
    proof=(text("{player} opened.", player="North"),),
    game="pig",
    round_no=1,
    rows=rows(),
    finish=FINISH,
)

ROUND = RoundView(
    seq=12,
    number=1,
    game=1,
    at=1_700_000_000.0,
    headline=VERDICT.headline,
    proof=VERDICT.proof,
    finish=FINISH,
    void=False,
    amended=False,
    undone=False,
)

_ESCAPE = Close(seq=12, game=1, number=1, rival="East", last="South", margin_ns=412_000, u_ns=20_000)
_REACTIONS = {
    "North": None,
    "East": Reaction(seq=12, after_ns=1_250_000, u_ns=20_000),
    "South": Reaction(seq=12, after_ns=1_662_000, u_ns=20_000),
}
FIGURES = Figures(
    rounds=1,
    dead_heats=0,
    games=(
        GameFigures(
            seq=1,
            number=1,
            game="pig",
            title=text("Pig"),
            players=PLAYERS,
            rounds=1,
            dead_heats=0,
            finished=False,
            winners=(),
            losers=(),
        ),
    ),
    players=tuple(
        PlayerFigures(
            player=player,
            games=1,
            rounds=1,
            lost=int(player == "South"),
            letters=int(player == "South"),
            openings=int(player == "North"),
            reactions=(reaction,) if reaction else (),
            best=reaction,
            median_ns=reaction.after_ns if reaction else None,
            median_u_ns=reaction.u_ns if reaction else None,
            escapes=(_ESCAPE,) if player == "East" else (),
        )
        for player, reaction in _REACTIONS.items()
    ),
    closest=(_ESCAPE,),
)

TAPE = '{"tape":1,"game":"pig","players":["North","East","South"],"options":{}}\n{"arm":0}\n'


class FakeDriver:
    """Simulated noses that remember how they were moved."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        self._lines = lines
        self.clocks: dict[str, int | None] = {}
        self.vouched: list[tuple[str, int]] = []
        self.lost: list[tuple[str, int, int, tuple[str, ...]]] = []
        self.gone: list[str] = []
        self.driven: list[dict[str, object]] = []
        self.expected: tuple[tuple[str, ...], str | None, int, int] | None = None

    def lines(self) -> tuple[str, ...]:
        return self._lines

    def attach(self, clock: str, delay_ns: int | None) -> None:
        assert clock not in self.gone, "a clock that has been let go does not come back"
        self.clocks[clock] = delay_ns

    def detach(self, clock: str) -> None:
        del self.clocks[clock]
        self.gone.append(clock)

    def drive(self, line: str, level: int, t_ns: int, worth: StampWorth, *, clock: str | None = None) -> None:
        assert clock in self.clocks, "a page's clock is announced before its taps"
        self.driven.append(
            {
                "line": line,
                "level": level,
                "t_ns": t_ns,
                "u_ns": worth.u_ns,
                "clock": clock,
                "clock_u_ns": worth.clock_u_ns,
            }
        )

    def vouch(self, clock: str, t_ns: int) -> None:
        assert clock in self.clocks, "a page's clock is announced before its promises"
        self.vouched.append((clock, t_ns))

    def lose(self, clock: str, from_ns: int, to_ns: int, lines: tuple[str, ...]) -> None:
        assert clock in self.clocks, "a page's clock is announced before its losses"
        self.lost.append((clock, from_ns, to_ns, lines))

    def expect(self, lines: tuple[str, ...], clock: str | None, worth: StampWorth) -> tuple[str, ...]:
        assert clock is None or clock in self.clocks, "a page's clock is announced before it is expected"
        self.expected = lines, clock, worth.u_ns, worth.clock_u_ns
        return lines

    def promise(self, t_ns: int) -> None:
        raise AssertionError("a page has no time of its own")


class FakeTable:
    """A table that answers every command at once with the next version of its snapshot, or with `refusal`."""

    profile_name = "fake"
    folder = None
    lines = ("nose.1", "nose.2", "nose.3")
    evening = Evening()

    def __init__(self, snapshot: Snapshot = VERDICT, *, simulated: bool = True) -> None:
        self.snapshot = snapshot
        self.driver: FakeDriver | None = FakeDriver(self.lines) if simulated else None
        self.commands: list[tuple[AnyCommand, str]] = []
        self.refusal: CompanionError | None = None
        self.silent = False
        self.listeners: list[Callable[[Snapshot], None]] = []

    @property
    def queries(self) -> FakeTable:
        """What is asked of its evening it answers itself."""
        return self

    def subscribe(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener) if listener in self.listeners else None

    def show(self, **changes: object) -> Snapshot:
        """Show the snapshot with *changes*, as the next version."""
        self.snapshot = msgspec.structs.replace(
            self.snapshot, **{"version": self.snapshot.version + 1, **changes}
        )
        self.snapshot = msgspec.structs.replace(self.snapshot, due=due(self.snapshot))
        for listener in tuple(self.listeners):
            listener(self.snapshot)
        return self.snapshot

    def submit(self, command: AnyCommand, by: str) -> Future[Snapshot]:
        self.commands.append((command, by))
        future: Future[Snapshot] = Future()
        if self.silent:
            return future
        if self.refusal is not None:
            future.set_exception(self.refusal)
        else:
            future.set_result(self.show())
        return future

    def tell_phones(self, phones: tuple[SeatPhone, ...]) -> None:
        self.show(phones=phones)

    def tell_lobby(self, lobby: LobbyView) -> None:
        self.snapshot = msgspec.structs.replace(self.snapshot, lobby=lobby)  # no news of the tests' own

    def last_game(self) -> LastGame | None:
        return None

    def known_players(self) -> tuple[str, ...]:
        return ("Zoé", *PLAYERS)

    def variations(self) -> tuple[Variation, ...]:
        return (Variation("Our Pig", "pig", {"word": "SOW", "stock": True}),)

    def rounds(self) -> tuple[RoundView, ...]:
        return (ROUND,)

    def statistics(self) -> Figures:
        return FIGURES

    def listed_round(self, seq: int) -> RoundView:
        if seq != ROUND.seq:
            raise Missing(text("There is no entry {seq} this evening.", seq=seq))
        return ROUND

    def playing(self) -> tuple[str, object]:
        return "pig", None

    def tape(self, seq: int) -> str:
        if seq != ROUND.seq:
            raise BadInput(text("There is no tape of round {seq}.", seq=seq))
        return TAPE

    def edges(self, seq: int) -> tuple[TapeEdge, ...]:
        return (TapeEdge("armed", -5_000), TapeEdge("edge", 0, "gpio", "nose.1", "North", 1, 10_000)) * 300

    def appeal(self, seq: int, confirm_ns: int, lockout_ns: int) -> RoundView:
        if confirm_ns <= 0 or lockout_ns <= 0:
            raise BadInput(text("Both times must be longer than nothing."))
        return msgspec.structs.replace(ROUND, headline=text("Judged with {confirm}", confirm=confirm_ns))

    def export_json(self) -> bytes:
        return b'{"evening":1}'

    def sheet_json(self) -> bytes:
        return b'{"sheet":1}'

    def sheet_csv(self) -> str:
        return "hand,about\n"

    def export_csv(self) -> str:
        return "round,last\n1,Zoé\n"
