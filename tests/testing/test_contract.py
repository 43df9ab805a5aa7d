"""The contract for outsiders: our games keep it, and each of these sabotages of a good game is caught."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import text
from lastnose.companion.games import GAMES
from lastnose.companion.games.rules.game import Outcome, Section, Standing
from lastnose.companion.games.rules.prompts import ChooseSeat, WatchNoses
from lastnose.companion.testing.pytest_plugin import GameContract

from tests.support import toy


class Strict(GameContract):
    """As what is ours keeps it: once it is over a round is refused, by the name of its rule."""

    def _over(self, state: Any) -> None:
        with pytest.raises(IllegalMove):
            self.game.play(state, Verdict(order=(1, 2), last=(2,), margin_ns=1_000_000, u_ns=1_000))


ENDLESS = {"vatra", "swedish-gin"}  # until the table says so, or writes more than the contract can
PROMISES = sorted(name for name in vars(GameContract) if name.startswith("test_"))


def kept(game: Any, promise: str, contract: type[GameContract] = GameContract, **about: Any) -> None:
    """Hold *game* to one *promise* of the contract; raise what pytest would show."""
    held: Any = type("Held", (contract,), {"game": game, "evenings": 5, **about})()
    getattr(held, promise)()


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("name", [*GAMES, "pebbles"])
def test_our_own_games_keep_it(name: str, promise: str) -> None:
    """All of them, and the toy; a sheet as far as it can be answered without one."""
    try:
        kept(GAMES.get(name, toy.GAME), promise, Strict, endless=name in ENDLESS, moves=100)
    except pytest.skip.Exception:
        assert promise == "test_a_round_that_names_nobody_changes_no_letters"


class Loud(toy.Pebbles):
    """Its name is none for a tape."""

    name = "Pebbles!"


class Forgetful(toy.Pebbles):
    """What nobody chose is not what set-up shows."""

    def read_options(self, raw: Any) -> Any:
        """Take another default."""
        return super().read_options({"polite": True, **raw})


class Trusting(toy.Pebbles):
    """Takes whatever comes for thanks."""

    def read_move(self, raw: Any) -> Any:
        """Check nothing."""
        return toy.Thanked(1)


class Crowded(toy.Pebbles):
    """Lets any number play."""

    def new(self, players: tuple[str, ...], options: Any) -> Any:
        """Check nothing."""
        return toy.PebbleState(options, (0,) * len(players))


class Ungrateful(toy.Pebbles):
    """Asks whether somebody said thank you who has no pebble, and refuses it."""

    def asks(self, state: Any) -> Any:
        """Ask everybody."""
        seats = tuple(range(1, len(state.pebbles) + 1))
        return (ChooseSeat("thanked", text("Thanks"), text("A pebble goes back."), seats),)


class Watchful(toy.Pebbles):
    """Watches a nose that nobody has."""

    def asks(self, state: Any) -> Any:
        """Watch one too many."""
        return (WatchNoses(tuple(range(1, len(state.pebbles) + 2))),)


class Staring(toy.Pebbles):
    """Watches noses after its end."""

    def asks(self, state: Any) -> Any:
        """Go on."""
        return (*super().asks(state), WatchNoses((1, 2))) if self.outcome(state) else super().asks(state)


class Endless(toy.Pebbles):
    """Never says that it is over, but refuses to go on."""

    def outcome(self, state: Any) -> Outcome | None:
        """Return none."""
        return None


class Nobody(toy.Pebbles):
    """Is over, and nobody has won or lost."""

    def outcome(self, state: Any) -> Outcome | None:
        """Return nobody."""
        return Outcome((), (), text("Enough.")) if any(state.pebbles) else None


class Short(toy.Pebbles):
    """Forgets where the last seat stands."""

    def standings(self, state: Any) -> tuple[Standing, ...]:
        """Return one too few."""
        return super().standings(state)[:-1]


class Ordered(toy.Pebbles):
    """Gives the pebble of a dead heat to whoever is written down last."""

    def play(self, state: Any, move: Any) -> Any:
        """Pick by the order of pins."""
        if isinstance(move, Verdict) and move.order:
            move = msgspec.structs.replace(move, last=move.order[-1:])
        return super().play(state, move)


class Counting(toy.Pebbles):
    """Keeps something beside the state."""

    played = 0

    def play(self, state: Any, move: Any) -> Any:
        """Give more each time."""
        self.played += 1
        after = super().play(state, move)
        return msgspec.structs.replace(after, drink=f"{self.played}")


class Torn(toy.Pebbles):
    """Has won and lost at once."""

    def outcome(self, state: Any) -> Outcome | None:
        """Let the loser win as well."""
        over = super().outcome(state)
        return over and msgspec.structs.replace(over, winners=over.losers)


class Restless(toy.Pebbles):
    """Goes on after its end."""

    def play(self, state: Any, move: Any) -> Any:
        """Give everybody one more pebble."""
        try:
            return super().play(state, move)
        except IllegalMove:
            if not isinstance(move, Verdict):
                raise
            return msgspec.structs.replace(state, pebbles=tuple(count + 1 for count in state.pebbles))


class Spelling(toy.Pebbles):
    """Has more letters than its word."""

    def standings(self, state: Any) -> tuple[Standing, ...]:
        """Return a letter a pebble."""
        return tuple(
            Standing(seat, letters=("A",) * count, word=("A",)) for seat, count in enumerate(state.pebbles, 1)
        )


class Sparing(toy.Pebbles):
    """Has three cards for everybody, four each."""

    def advice(self, state: Any) -> Any:
        """Take too few."""
        return msgspec.structs.replace(super().advice(state), cards=3, each=4)


class Rude(toy.Pebbles):
    """Breaks where people are polite, which is not usual."""

    def play(self, state: Any, move: Any) -> Any:
        """Play by one option alone."""
        if state.options.polite:
            raise ZeroDivisionError("thanks")
        return super().play(state, move)


class Mumbling(toy.Pebbles):
    """Says on a page what nobody can fill in."""

    def help(self, options: Any) -> Any:
        """Return a line with a field that it has not."""
        return (Section(text("Aim"), (text("{who} plays."),)),)


class Miscounting(toy.Pebbles):
    """Breaks where it is asked what a hand costs."""

    def count_hand(self, written: Any, options: Any) -> Any:
        """Count nothing."""
        raise ZeroDivisionError("hands")


class Broken(toy.Pebbles):
    """Says what nobody can fill in."""

    def notes(self, state: Any) -> Any:
        """Return a field without its value."""
        return (text("{who} thinks."),)


@pytest.mark.parametrize(
    ("game", "promise"),
    [
        *((game, "test_it_is_described") for game in (Loud, Mumbling, Miscounting)),
        (Forgetful, "test_its_options_go_through_json_and_back"),
        (Trusting, "test_a_move_that_is_none_is_refused_in_a_sentence"),
        (Crowded, "test_too_few_and_too_many_players_are_refused"),
        *(
            (game, "test_evenings_are_played_to_their_end")
            for game in (Ungrateful, Watchful, Staring, Endless, Nobody, Short, Counting, Broken)
        ),
        *(
            (game, "test_evenings_are_played_to_their_end")
            for game in (Torn, Restless, Spelling, Sparing, Rude)
        ),
        (Ordered, "test_a_round_that_names_nobody_changes_no_letters"),
    ],
)
def test_a_sabotaged_game_is_caught(game: Any, promise: str) -> None:
    """By the promise that it breaks; the game itself breaks none."""
    kept(toy.GAME, promise)
    broken = (AssertionError, pytest.fail.Exception, ValueError, IllegalMove, KeyError, ZeroDivisionError)
    with pytest.raises(broken):
        kept(game(), promise)
