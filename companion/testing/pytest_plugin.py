"""For tests of your own: a table on simulated noses as a fixture, and what every game promises as a class.

A game of yours is held to it by `class TestMine(GameContract): game = MINE`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput, IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, must_be_sayable

if TYPE_CHECKING:
    from lastnose.companion.testing.scenario import Scenario


@pytest.fixture
def new_table() -> Callable[..., Scenario]:
    """Make tables: `new_table("pig", ["North", "East", "South"], word="HOG")`."""
    from lastnose.companion.testing.scenario import Scenario

    return Scenario


@pytest.fixture
def table(new_table: Callable[..., Scenario]) -> Scenario:
    """A table of Pig with North, East, South and West."""
    return new_table()


class GameContract:
    """What every game promises, to be inherited by a test class with `game`; needs nothing but pytest.

    `evenings` random ones are played, the same each time, with any options, of at most `moves`; `endless` is
    a game that may have no end by then. What only a sheet can ask (points, tokens) is left unanswered.
    """

    game: Any
    evenings = 25
    moves = 400
    endless = False

    def test_it_is_described(self) -> None:
        """A name for tapes, sentences for people, seats, and options that say what they mean."""
        game = self.game
        assert game.name == game.name.lower().strip(), "a name is written in small letters"
        assert game.name.replace("-", "").isalnum(), "a name has letters, digits and hyphens"
        assert str(game.title).strip()
        assert str(game.summary).endswith("."), "the summary is a sentence"
        assert 2 <= game.seats[0] <= game.seats[1] <= 26
        options = game.read_options({})
        must_be_sayable((game.comings, game.crowd, game.loser, game.role, game.on_phones))
        must_be_sayable((game.option_fields(), game.help(options)))
        with suppress(BadInput):  # it counts no hands
            game.count_hand((), options)
        keys = [field.key for field in game.option_fields()]
        assert len(keys) == len(set(keys)), "each option has a key of its own"
        for field in game.option_fields():
            assert field.kind in ("flag", "choice", "word", "number"), field.key
            assert str(field.label), field.key
            explained = field.explain is None or str(field.explain).endswith(".")
            assert explained, f"{field.key} is explained in a sentence"
            values = [choice.value for choice in field.choices]
            assert field.kind != "choice" or field.default in values, (
                f"the default of {field.key} is a choice"
            )
            assert field.kind != "number" or field.least <= field.default <= field.most, field.key
            assert field.only_if is None or field.only_if[0] in keys, field.key

    def test_its_options_go_through_json_and_back(self) -> None:
        """What the log keeps is what is played; nobody's option is taken for one."""
        shown = {field.key: field.default for field in self.game.option_fields()}
        options = self.game.read_options({})
        stored = json.loads(msgspec.json.encode(options))
        assert shown == stored, "what nobody chose is what set-up shows"
        assert options == self.game.read_options(stored)
        with pytest.raises(BadInput):
            self.game.read_options({"nobody has this": True})

    def test_a_move_that_is_none_is_refused_in_a_sentence(self) -> None:
        """Whatever comes by the API."""
        for raw in ({}, {"type": 3}, {"type": "nothing of the kind"}, {"type": "verdict"}):
            with pytest.raises(BadInput) as refused:
                self.game.read_move(raw)
            assert str(refused.value).endswith(".")

    def test_too_few_and_too_many_players_are_refused(self) -> None:
        """And two of one name."""
        options = self.game.read_options({})
        for names in (_names(self.game.seats[0] - 1), _names(self.game.seats[1] + 1), ("Ana", "Ana", "Zoë")):
            with pytest.raises(BadInput):
                self.game.new(names, options)

    def test_evenings_are_played_to_their_end(self) -> None:
        """Asks, moves, standings and outcome fit each other at every step; no state is changed in place."""
        ended = 0
        for seed in range(self.evenings):
            chance = Random(seed)
            state = self._begin(chance)
            for _ in range(self.moves):
                now = self.game.moment(state)
                _check(now, state)
                if now.outcome is not None:
                    ended += 1
                    self._over(state)
                    break
                before, kept = state, msgspec.json.encode(state)
                move = self._move(chance, now, state)
                if move is None:
                    ended += 1
                    break
                if not isinstance(move, Verdict):
                    assert move == self.game.read_move(json.loads(msgspec.json.encode(move)))
                state = self.game.play(state, move)
                assert kept == msgspec.json.encode(before), "a state is never changed, a new one is made"
                assert state == self.game.play(before, move), "the same move leads to the same state"
                said = self.game.moment(state).headline(now, move, _names(len(now.standings)))
                must_be_sayable(said)
                assert str(said).strip()
        assert ended == self.evenings or self.endless, f"{self.evenings - ended} evenings had no end"

    def test_a_round_that_names_nobody_changes_no_letters(self) -> None:
        """In a dead heat nobody is picked by the order in which they are written down."""
        state = self._begin(Random(1))
        noses = self.game.moment(state).noses
        if noses is None or noses.question == "first":
            pytest.skip("the first round does not ask who was last")
        seats = noses.seats
        heat = Verdict(order=seats, last=seats[-2:], margin_ns=0, u_ns=1, dead_heat=True)
        swapped = msgspec.structs.replace(heat, order=(*seats[:-2], seats[-1], seats[-2]))
        stands = [self.game.moment(self.game.play(state, one)).standings for one in (heat, swapped)]
        assert stands[0] == stands[1], "who gets a letter follows from who was last, not from the order"

    def _begin(self, chance: Random) -> Any:
        least, most = self.game.seats
        players = _names(chance.randint(least, min(most, least + 3)))
        with suppress(BadInput):  # these options do not go together, or not with so many
            return self.game.new(players, self.game.read_options(_chosen(self.game, chance)))
        return self.game.new(players, self.game.read_options({}))

    def _over(self, state: Any) -> None:
        """Hold an end to it: no round changes it, or it refuses one."""
        verdict = Verdict(order=(1, 2), last=(2,), margin_ns=1_000_000, u_ns=1_000)
        with suppress(IllegalMove):
            assert state == self.game.play(state, verdict), "it is over, and yet it went on"

    def _move(self, chance: Random, now: Any, state: Any) -> Any:
        """Return a move that the game asks for, None where only a sheet can answer.

        One that it asks for and then refuses is a broken promise.
        """
        assert now.asks, "the game goes on, and asks nothing"
        answers = [raw for ask in now.asks for raw in _answers(ask, chance)]
        if not answers:
            return None
        raw = chance.choice(answers)
        if isinstance(raw, Verdict):
            return raw
        made = self.game.by_chance(state, self.game.read_move(raw), _Lots(chance))
        try:
            self.game.play(state, made)
        except IllegalMove as problem:
            raise AssertionError(f"it asks for {raw} and refuses it: {problem}") from problem
        return made


class _Lots:
    """Chance of a test."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def pick(self, count: int) -> int:
        """Return one of the numbers from 0."""
        return self._chance.randrange(count)

    def order(self, count: int) -> tuple[int, ...]:
        """Return the numbers from 0 in any order."""
        return tuple(self._chance.sample(range(count), count))


def _names(count: int) -> tuple[str, ...]:
    return tuple(f"Player {number}" for number in range(1, count + 1))


def _chosen(game: Any, chance: Random) -> dict[str, Any]:
    """Return a value for each option: any flag or choice, the usual number or one less."""
    raw: dict[str, Any] = {}
    for field in game.option_fields():
        found = [choice.value for choice in field.choices] or [field.default]
        if field.kind == "flag":
            found = [False, True]
        elif field.kind == "number":
            found = [max(field.least, field.default - 1), field.default]
        if field.only_if is None or raw.get(field.only_if[0]) == field.only_if[1]:
            raw[field.key] = chance.choice(found)
    return raw


def _answers(ask: Any, chance: Random) -> Iterator[dict[str, Any] | Verdict]:
    """Yield what can be answered to *ask*."""
    from lastnose.companion.games.rules.prompts import Choose, ChooseCard, ChooseSeat, Keypad, WatchNoses

    match ask:
        case WatchNoses() if ask.rack is not None and ask.rack.confirm == "rack-only":
            yield Verdict(order=())
        case WatchNoses():
            order = tuple(chance.sample(ask.seats, len(ask.seats)))
            first, last = (order[:1], ()) if ask.question == "first" else ((), order[-1:])
            yield Verdict(order=order, margin_ns=1_000_000, u_ns=1_000, first=first, last=last)
        case ChooseSeat():
            yield from ({"type": ask.move, "seat": seat} for seat in ask.seats)
        case Choose():
            yield from ({"type": ask.move, "value": choice.value} for choice in ask.choices)
        case ChooseCard():
            yield from ({"type": ask.move, "card": str(card)} for card in ask.cards)
        case Keypad():
            for key in ask.keys:
                about = {"type": ask.move, "seat": ask.seat, "key": key.key}
                yield from ({**about, "value": choice.value} for choice in key.choices)
        case _:
            pass


def _check(now: Any, state: Any) -> None:
    """Hold a moment to what screens rely on."""
    from lastnose.companion.games.rules.prompts import ChooseSeat, Show, WatchNoses

    seats = {one.seat for one in now.standings}
    assert seats == set(range(1, len(now.standings) + 1)), "standings are by seat, one a seat"
    still_in = {one.seat for one in now.standings if not one.out}
    parts = (now.standings, now.outcome, now.asks, now.advice, now.guide, now.notes, now.ready, now.revised)
    must_be_sayable(parts)
    msgspec.json.encode((*parts, now.sheet, now.highest, now.places))
    for one in now.standings:
        assert one.letters == one.word[: len(one.letters)], "letters are those of the word, one after another"
    assert now.advice.each * len(still_in) <= now.advice.cards, "there are cards enough for everybody"
    said: list[Text] = [*now.notes, *now.advice.sentences, now.armed_text]
    for ask in now.asks:
        if isinstance(ask, WatchNoses):
            assert set(ask.seats) <= still_in, "who is out is not watched"
            assert len(ask.seats) > 1 or ask.question == "first", "a round has two noses or more"
        elif isinstance(ask, Show):
            said.append(ask.title)
        else:
            said += [ask.label, *([] if ask.explain is None else [ask.explain])]
        if isinstance(ask, ChooseSeat):
            assert ask.seats, "one of no seats cannot be chosen"
            assert set(ask.seats) <= seats
    assert now.advice.dealer is None or now.advice.dealer in still_in
    assert hash(state) is not None, "a state is frozen, and so is all that is in it"
    if now.outcome is not None:
        assert now.noses is None, "no nose is watched once it is over"
        assert {*now.outcome.winners, *now.outcome.losers} <= seats
        assert now.outcome.winners or now.outcome.losers
        assert not {*now.outcome.winners} & {*now.outcome.losers}, "nobody has won and lost"
        must_be_sayable(now.ending(_names(len(seats))))
        said.append(now.outcome.why)
    for one in said:
        must_be_sayable(one)
        assert str(one).strip()
