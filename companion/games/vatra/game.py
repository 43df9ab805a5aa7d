"""Vatra: no letters; whoever is last to slap and shout is punished, or draws a forfeit (MAG-1 to 5, 7 to 9).

It ends when the table says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.games.magarac_family import help
from lastnose.companion.games.magarac_family.game import (
    FirstDealer,
    NoShout,
    TurnMove,
    TurnOptions,
    Turns,
    TurnState,
    deck_of,
    name,
    travel_card,
)
from lastnose.companion.games.pieces.cards import SUITS, Card
from lastnose.companion.games.pieces.deck import cards_of
from lastnose.companion.games.pig_family.options import dead_heat_field, hold_field
from lastnose.companion.games.pig_family.rules import FalseOpener
from lastnose.companion.games.pig_family.sentences import BEGAN_EARLY
from lastnose.companion.games.rules.carried import Circle
from lastnose.companion.games.rules.checks import CHANGED
from lastnose.companion.games.rules.game import Chance, OptionField, Outcome, Section, Standing
from lastnose.companion.games.rules.prompts import Choice, Choose, Prompt, Show, Step
from lastnose.companion.games.vatra import punishment
from lastnose.companion.games.vatra.punishment import FromEnd, NameCard, Punishment, Turn, Turned

# ---- harmless forfeits in place of blows: our own, to be done in a minute, at the table, and to laugh at

FORFEITS = (
    text("Deal the next round with your other hand."),
    text("Praise everybody at the table, one sentence each. You must mean it."),
    text("Speak only in questions until the next deal."),
    text("Sing the last thing you said."),
    text("Tell a joke. If nobody laughs, tell another."),
    text("Fetch something to drink for whoever asks first."),
    text("Keep a card on your head until the next deal."),
    text("Say the alphabet backwards, as far as you get."),
    text("Balance on one leg while the cards are dealt."),
    text("Make the sound of an animal; the table guesses which."),
    text("Say a tongue-twister three times, quickly."),
    text("Invent a card game, and explain it in one sentence."),
    text("Draw the player on your left in ten seconds. Show it."),
    text("Play the next round with a bow to everybody who passes you a card."),
    text("Hum a tune; the table guesses what it is."),
    text("Talk like a newsreader until the next deal."),
    text("Stand up, take a bow, and sit down with dignity."),
    text("Name five things that are red, in five seconds."),
    text("Give the winner of the round a short speech of thanks."),
    text("Hold a straight face for ten seconds while everybody tries to break it."),
    text("Whisper until somebody shouts “Vatra!”."),
)


# ---- the game


class Options(TurnOptions, frozen=True, kw_only=True):
    """How a table plays."""

    punishment: Literal["real", "virtual", "forfeit"]


class Mercy(msgspec.Struct, frozen=True, tag="mercy", tag_field="type"):
    """The punishment that is due is let be, or was done without the table's help."""

    value: Literal["mercy", "done"] = "mercy"


class Forfeit(msgspec.Struct, frozen=True, tag="forfeit", tag_field="type", omit_defaults=True):
    """Draw a forfeit, or say that it is done. `number` is the one drawn, from 0."""

    value: Literal["draw", "done"]
    number: int | None = None


class VatraState(TurnState[Options], frozen=True, kw_only=True):
    """The game between two deals.

    `due`: who is to be punished still, in turn; `spared`: who was let off; `by` who opened. `act` is the
    punishment in progress, or the one just over. `forfeit`: the one drawn, `drew` whether one has been
    drawn since the verdict, or somebody punished without these steps. `suits[i]`: how often each suit has
    punished seat i + 1. `told`: a punishment has been told here, so one that is not told has not been; a
    table that never tells one has everybody punished who was last.
    """

    due: tuple[int, ...] = ()
    spared: tuple[int, ...] = ()
    by: int | None = None
    act: Punishment | None = None
    forfeit: int | None = None
    drew: bool = False
    suits: tuple[tuple[int, ...], ...] = ()
    told: bool = False


Own = NameCard | FromEnd | Turned | Turn | Mercy | Forfeit


class Vatra(Turns[Options, VatraState, Own]):
    """The game: only its penalty is its own."""

    name = "vatra"
    title = text("Vatra")
    summary = text(
        "From Bosnia: cards go round in turn. Whoever has four of a kind slaps and shouts “Vatra!”, and "
        "so must everybody. Whoever is last is punished by the cards, gently, or draws a forfeit."
    )
    emblem = (
        "M13 1c1 4 6 7 6 13a7 8 0 0 1-14 0c0-3 1.5-5 3-6c0 2 .5 3 2 4c1-4 1-7 3-11zM12 21a3 3.5 0 0 0 3-3.5"
    )
    emblem += "c0-2-1.5-3-3-5c-1.5 2-3 3-3 5A3 3.5 0 0 0 12 21z"
    options_type = Options
    state_type = VatraState
    move_types = TurnMove | Own

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the options, in the order set-up shows them."""
        return (
            _punishment_field(),
            help.travel_field(),
            help.challenge_field(),
            hold_field(),
            dead_heat_field(),
        )

    # ---- what a round changes

    comings: Text | None = text(
        "A newcomer has not been punished yet. Anyone who comes back has the count they had. The "
        "others keep theirs. The next dealer stays the same, or is the player to their left if "
        "they leave. Then the table says which cards you need."
    )

    def newcomer(self, marks: Sequence[int]) -> int:
        """Return none: who comes late has not been punished."""
        return 0

    def penalised(self, state: VatraState, last: tuple[int, ...], opener: int | None) -> VatraState:
        """Return the state in which *last* are to be punished (MAG-7), by the *opener* if not one of them."""
        return msgspec.structs.replace(
            state,
            marks=tuple(count + (seat in last) for seat, count in enumerate(state.marks, start=1)),
            due=last,
            by=None if opener in last else opener,
        )

    def settled(self, state: VatraState) -> VatraState:
        """Return *state* with nothing left open of the last round.

        Who is to be punished still has not been, where that is told at all.
        """
        rest = super().settled(_still_spared(state, state.due) if state.told else state)
        return msgspec.structs.replace(rest, due=(), spared=(), by=None, act=None, forfeit=None, drew=False)

    def gone_on(self, state: VatraState, players: tuple[str, ...], sat: Circle) -> VatraState:
        """Return everybody's count; who is to be punished still when people come or go has not been."""
        settled = [one and msgspec.structs.replace(one, state=self.settled(one.state)) for one in sat]
        return super().gone_on(self.settled(state), players, settled)

    def too_late_to_challenge(self, state: VatraState) -> bool:
        """Tell whether the punishment of the round has begun, or is over."""
        return state.act is not None or state.drew

    def play(self, state: VatraState, move: Verdict | TurnMove | Own) -> VatraState:
        """Return the state after *move*; raise IllegalMove naming the rule."""
        match move:
            case NoShout():
                judged = super().play(state, move)
                return msgspec.structs.replace(_still_spared(judged, state.spared), told=state.told)
            case Verdict() | FirstDealer() | FalseOpener():
                return super().play(state, move)
            case Mercy("done"):
                return _without_steps(state)
            case Mercy():
                return _spared(state)
            case Forfeit(value, number):
                return _forfeited(state, value, number)
            case _:
                return _punished(state, move)

    def by_chance(
        self, state: VatraState, move: TurnMove | Own | None, chance: Chance
    ) -> TurnMove | Own | None:
        """Return *move* with the virtual deck shuffled, or the forfeit drawn."""
        if isinstance(move, FromEnd) and state.options.punishment == "virtual":
            deck = _deck(state)
            return msgspec.structs.replace(move, order=tuple(str(deck[at]) for at in chance.order(len(deck))))
        if isinstance(move, Forfeit) and move.value == "draw":
            others = [number for number in range(len(FORFEITS)) if number != state.forfeit]
            return msgspec.structs.replace(move, number=others[chance.pick(len(others))])
        return super().by_chance(state, move, chance)

    # ---- what is asked and said

    def asks(self, state: VatraState) -> tuple[Prompt, ...]:
        """Return the noses to watch and the punishment; while cards are turned, only that."""
        act = state.act
        if act is not None and not act.over:
            return self._steps(state)
        return (*super().asks(state), *self._steps(state))

    def _steps(self, state: VatraState) -> tuple[Step, ...]:
        act = state.act
        over = (punishment.done(act, name(state, act.seat)),) if act is not None and act.over else ()
        if state.options.punishment == "forfeit":
            return _forfeit_steps(state)
        if not state.due:
            return over
        current = act if act is not None and not act.over else Punishment(state.due[0])
        player, travel = name(state, current.seat), _travel(state)
        return (*over, *punishment.steps(current, player, _by(state), _deck(state), travel))

    def describe(self, before: VatraState, move: TurnMove | Own, after: VatraState) -> Text | None:
        """Return what history says of *move*."""
        match move:
            case Mercy("done") | Forfeit("done") if before.due:
                return text("{player} is punished", player=name(before, before.due[0]))
            case Mercy() if before.due:
                return text("Mercy for {player}", player=name(before, before.due[0]))
            case Mercy():
                return text("Mercy")
            case Forfeit("draw", number) if number is not None:
                return FORFEITS[number]
            case FalseOpener(seat):  # no letter says whom it was about
                return text("{what}: {says}", what=BEGAN_EARLY, says=name(before, seat))
            case Turn() if before.act is not None and after.act is not None and after.act != before.act:
                return punishment.turned_up(before.act, after.act)
            case NameCard() | FromEnd() | Turned() | Turn():
                return punishment.describe(move, before.act)
            case _:
                return super().describe(before, move, after)

    def standings(self, state: VatraState) -> tuple[Standing, ...]:
        """Return how often everybody was punished, and by which suits (MAG-7)."""
        suits = state.suits or ((0,) * len(SUITS),) * len(state.players)
        return tuple(
            Standing(seat=seat, score=count, notes=(punishment.counts(by_suit),) if any(by_suit) else ())
            for seat, (count, by_suit) in enumerate(zip(state.marks, suits, strict=True), start=1)
        )

    def outcome(self, state: VatraState) -> Outcome | None:
        """Return nothing: it ends when the table says so."""
        return None

    def help(self, options: Options) -> tuple[Section, ...]:
        """Return the rules as this table plays them."""
        tips = () if options.punishment == "forfeit" else _tips(options)
        return help.sections(options, _penalty(options), tips)


def _deck(state: VatraState) -> tuple[Card, ...]:
    return cards_of(deck_of(len(state.players), travels=state.options.travel_card))


def _travel(state: VatraState) -> Card | None:
    return travel_card(len(state.players)) if state.options.travel_card else None


def _by(state: VatraState) -> tuple[Text, ...]:
    """Return who shuffles and who punishes, by name where the table knows."""
    shuffled = _shuffled(state.options)
    if state.by is None:
        return (shuffled,)
    return (shuffled, text("{player} punishes, as the cards say.", player=name(state, state.by)))


def _shuffled(options: Options) -> Text:
    if options.punishment == "virtual":
        return text(
            "The table shuffles; whoever opened the round usually punishes, and never whoever was last."
        )
    return text("One player gathers and shuffles the cards; another, usually whoever opened, punishes.")


def _check_due(state: VatraState) -> None:
    if not state.due:
        raise IllegalMove("MAG-9", CHANGED)


def _check_not_begun(state: VatraState) -> None:
    _check_due(state)
    if state.forfeit is not None or (state.act is not None and not state.act.over):
        raise IllegalMove("MAG-9", CHANGED)


def _spared(state: VatraState) -> VatraState:
    _check_not_begun(state)
    spared = (*state.spared, state.due[0])
    return msgspec.structs.replace(_still_spared(state, spared[-1:]), spared=spared, told=True)


def _without_steps(state: VatraState) -> VatraState:
    """Return *state* with the punishment that is due done, by no cards that anybody has told."""
    _check_not_begun(state)
    return msgspec.structs.replace(state, due=state.due[1:], drew=True, told=True)


def _still_spared(state: VatraState, spared: tuple[int, ...]) -> VatraState:
    """Return *state* with nothing due for *spared*, whatever the round is judged to be now."""
    marks = tuple(count - (at in spared and at in state.due) for at, count in enumerate(state.marks, start=1))
    due = tuple(seat for seat in state.due if seat not in spared)
    return msgspec.structs.replace(state, marks=marks, due=due, spared=spared)


def _forfeited(state: VatraState, value: str, number: int | None) -> VatraState:
    _check_due(state)
    if state.options.punishment != "forfeit":
        raise IllegalMove("MAG-9", english("At this table the cards punish."))
    if value == "draw":
        if number is None or not 0 <= number < len(FORFEITS):
            raise IllegalMove("MAG-9", english("The forfeit is missing: “number” says which."))
        return msgspec.structs.replace(state, forfeit=number, drew=True)
    if state.forfeit is None:
        raise IllegalMove("MAG-9", CHANGED)
    return msgspec.structs.replace(state, forfeit=None, due=state.due[1:], told=True)


def _punished(state: VatraState, move: NameCard | FromEnd | Turned | Turn) -> VatraState:
    _check_due(state)
    if state.options.punishment == "forfeit":
        raise IllegalMove("MAG-9", english("At this table a forfeit is drawn instead."))
    deck = _deck(state)
    act = state.act if state.act is not None and not state.act.over else Punishment(state.due[0])
    match move:
        case NameCard(card):
            act = punishment.named(act, card, deck, _travel(state))
        case FromEnd():
            act = punishment.from_end(act, move, deck, virtual=state.options.punishment == "virtual")
        case Turned(value):
            act = punishment.turned(act, value, deck)
        case Turn(value):
            act = punishment.turn(act, value)
    if not act.over:
        return msgspec.structs.replace(state, act=act)
    suits = list(state.suits or ((0,) * len(SUITS),) * len(state.players))
    suits[act.seat - 1] = tuple(a + b for a, b in zip(suits[act.seat - 1], act.suits, strict=True))
    return msgspec.structs.replace(state, act=act, due=state.due[1:], suits=tuple(suits), told=True)


def _forfeit_steps(state: VatraState) -> tuple[Step, ...]:
    if not state.due:
        return ()
    title = text("{player} was last", player=name(state, state.due[0]))
    label = text("A forfeit")
    if state.forfeit is None:
        draw = Choice("draw", text("Draw a forfeit"))
        return (Show(title), Choose("forfeit", label, None, (draw,)), punishment.mercy())
    choices = (Choice("done", text("Done")), Choice("draw", text("Another one")))
    return (Show(title, (FORFEITS[state.forfeit],)), Choose("forfeit", label, None, choices))


def _punishment_field() -> OptionField:
    return OptionField(
        key="punishment",
        kind="choice",
        label=text("Penalty for being last"),
        explain=None,
        default="real",
        choices=(
            Choice("real", text("Our deck"), text("You turn the cards you play with; the table counts.")),
            Choice(
                "virtual", text("A shuffled deck"), text("The table shuffles and turns the cards in play.")
            ),
            Choice("forfeit", text("A forfeit"), _DRAWS),
        ),
    )


_DRAWS = text("Whoever is last draws a forfeit: harmless, and soon over.")


def _penalty(options: Options) -> tuple[Text, ...]:
    ends = text("The game goes on until you end it.")
    if options.punishment == "forfeit":
        return (_DRAWS, ends)
    return (
        _shuffled(options),
        _names_a_card(options),
        punishment.TURNING,
        *(text("{what}: {says}", what=label, says=how) for label, how in punishment.meanings().values()),
        ends,
    )


def _names_a_card(options: Options) -> Text:
    if options.travel_card:
        return text(
            "Whoever is last lays a palm on the table, names a card (never the travel card), and says top or "
            "bottom."
        )
    return text("Whoever is last lays a palm on the table, names a card, and says top or bottom.")


def _tips(options: Options) -> tuple[Text, ...]:
    watch = text("Watch the shuffle: you may see where a card ends up.")
    hearts = text("Do not name a heart: hearts are what you want turned before it.")
    return (*((watch,) if options.punishment == "real" else ()), hearts, punishment.PALM)


GAME = Vatra()
