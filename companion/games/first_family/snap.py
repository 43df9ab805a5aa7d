"""Snap: whoever is first to call a match takes the piles; called together, they are the pool (SNAP-1 to 6).

Sources: dummies.com, whatacardgame.com, groupgames.xyz, bookrags.com (who may call).
"""

from __future__ import annotations

from typing import Any

import msgspec
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.games.first_family import (
    DEAL_ALL,
    FIRST_PRESS,
    NO_CARD_LEFT,
    ONE_PILE,
    STAYS,
    TAKEN,
    TO_EACH,
    NoCards,
    Piles,
    PilesState,
    Ruled,
    called,
    counts,
    fair_play,
    late,
    marked,
    mistakes,
    more,
    of_ruling,
    take,
)
from lastnose.companion.games.pieces.cards import PACK, RANKS
from lastnose.companion.games.rules.carried import Circle
from lastnose.companion.games.rules.game import A_NOSE, Advice, OptionField, Section, Standing
from lastnose.companion.games.rules.prompts import Choice, ChooseSeat


class SnapOptions(msgspec.Struct, frozen=True):
    """How a table plays."""

    piles: str
    who: str
    wrong: str


class SnapState(PilesState[SnapOptions], frozen=True, kw_only=True):
    """What is won are matches; so many pools lie in the middle."""

    pools: int = 0


class Snap(Piles[SnapOptions, SnapState, NoCards]):
    name = "snap"
    title = text("Snap")
    summary = text(
        "Cards are turned one after the other. Whoever is first to press when two match takes the piles; "
        "the last one with cards wins."
    )
    emblem = (
        "M2 7h8.5v14H2zM13.5 7H22v14h-8.5zM11.1 1h1.8v4.4h-1.8zM5.6 1.8l3.2 3l-1.3 1.3l-3.2-3z"
        "M18.4 1.8l1.3 1.3l-3.2 3l-1.3-1.3z"
    )
    options_type = SnapOptions
    state_type = SnapState
    move_types = Ruled | NoCards
    call_rule = "SNAP-2"
    end_rule = "SNAP-6"

    # ---- set-up

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return where cards are turned to, who may call, and what a wrong call costs."""
        return (_piles_field(), _who_field(), _wrong_field())

    def brought(self, state: SnapState, sat: Circle) -> dict[str, Any]:
        """Return what everybody has won and called wrongly, and who is out; pools lie where they are."""
        won, wrong = counts("won", sat), counts("wrong", sat)
        return {"won": won, "wrong": wrong, "out": marked("out", sat), "pools": state.pools}

    # ---- rulings

    def choices(self, state: SnapState) -> tuple[Choice, ...]:
        """Return what a call may have been worth (SNAP-2 to 4)."""
        own, together = state.options.piles == "own", len(state.called) > 1
        takes, pool = TAKEN, Choice("pool", text("Right, the pool"), TAKEN)
        if together:
            takes, pool = _POOLED if own else STAYS, Choice("pool", text("Right, the pool"), STAYS)
        return (
            Choice("right", text("Right"), takes),
            Choice("wrong", text("Wrong"), _pays(state.options)),
            late(),
            *((pool,) if state.pools else ()),
        )

    def ruled(self, state: SnapState, value: str) -> SnapState:
        """Return the state after the table has said what a call was worth (SNAP-2 to 4)."""
        own, together = state.options.piles == "own", len(state.called) > 1
        won, wrong, pools = state.won, state.wrong, state.pools
        if value == "right" and together:
            pools += own  # SNAP-3
        elif value == "right":
            won = more(won, state.called)
        elif value == "pool" and not together:
            won, pools = more(won, state.called), pools - 1  # of each pool another card lies on top
        elif value == "wrong":
            wrong = more(wrong, state.called)
            pools += len(state.called) * (own and state.options.wrong == "pool")
        return msgspec.structs.replace(state, won=won, wrong=wrong, pools=pools)

    def moved(self, state: SnapState, move: NoCards) -> SnapState:
        """Return the state after somebody has run out of cards (SNAP-5)."""
        self.check_playing(state, "SNAP-5", move.seat)
        return msgspec.structs.replace(state, out=(*state.out, move.seat))

    def between(self, state: SnapState) -> tuple[ChooseSeat, ...]:
        """Return who has no cards left."""
        return (ChooseSeat("no-cards", text("No cards left"), NO_CARD_LEFT, self.eligible(state)),)

    # ---- what a state means

    def standings(self, state: SnapState) -> tuple[Standing, ...]:
        """Return the matches that everybody has won, and the calls that were wrong."""
        return tuple(
            Standing(seat=seat, out=seat in state.out, score=won, notes=mistakes(wrong))
            for seat, (won, wrong) in enumerate(zip(state.won, state.wrong, strict=True), start=1)
        )

    def describe(self, before: SnapState, move: Ruled | NoCards, after: SnapState) -> Text | None:
        """Return what history says of *move*."""
        if isinstance(move, Ruled) and move.value == "pool" and before.called:
            return of_ruling(text("Right, the pool"), called(before))
        return super().describe(before, move, after)

    def advice(self, state: SnapState) -> Advice:
        """Return that all cards are dealt, before the first is turned (SNAP-1)."""
        each = PACK // len(state.players)
        sentences = () if state.begun else (take(1), DEAL_ALL)
        return Advice(sentences, packs=1, ranks=RANKS, cards=PACK, each=each, dealer=None)

    def notes(self, state: SnapState) -> tuple[Text, ...]:
        """Return how many pools lie in the middle (SNAP-3)."""
        if not state.pools or self.outcome(state) is not None:
            return ()
        return (texts("{n} pool in the middle.", "{n} pools in the middle.", n=state.pools),)

    def armed_text(self, state: SnapState) -> Text:
        """Return when to press."""
        return text("Turn cards. Two match? Press!")

    def help(self, options: SnapOptions) -> tuple[Section, ...]:
        """Return the rules as a table with these *options* plays them."""
        return (
            Section(text("Aim"), (A_NOSE, text("The last one who has cards wins."))),
            Section(text("How to play"), (*_turning(options), FIRST_PRESS, *_ending(options))),
            Section(text("A wrong call"), (_pays(options),)),
            fair_play(),
        )


_MATCH = {
    "own": text(
        "Is the new card of the same rank as another pile’s top card? The first to press takes both."
    ),
    "one": text("Is the new card of the same rank as the one below? The first to press takes the pile."),
}
_PAIR = text("Only the two whose cards match may call; others call wrongly.")
_POOLED = text("Pressed together: both piles go to the middle, face up, as a pool.")
_FINES = {
    "each": TO_EACH,
    "one": text("The top card of the stock goes under a pile"),
    "pool": text("Their own pile goes to the middle, as a pool"),
}


def _piles_field() -> OptionField:
    own = Choice("own", text("One each"), _MATCH["own"])
    one = Choice("one", text("One for all"), _MATCH["one"])
    return OptionField("piles", "choice", text("Piles"), None, "own", (own, one), at_hand=True)


def _who_field() -> OptionField:
    choices = (Choice("anybody", text("Anybody")), Choice("pair", text("The two that match"), _PAIR))
    return OptionField("who", "choice", text("Who may call"), None, "anybody", choices, ("piles", "own"))


def _wrong_field() -> OptionField:
    choices = tuple(Choice(value, label) for value, label in _FINES.items())
    return OptionField("wrong", "choice", text("A wrong call"), None, "each", choices)


def _pays(options: SnapOptions) -> Text:
    """Return what a wrong call costs (SNAP-4)."""
    if options.wrong == "pool" and options.piles == "one":
        return text("It costs nothing.")
    return text("{fine}. All who pressed together pay.", fine=_FINES[options.wrong])


def _turning(options: SnapOptions) -> tuple[Text, ...]:
    match = _MATCH[options.piles]
    if options.piles == "one":
        return (take(1), DEAL_ALL, ONE_PILE, match)
    return (
        take(1),
        DEAL_ALL,
        text("In turn everybody turns their top card, away from themselves, onto a pile of their own."),
        match,
        *((_PAIR,) if options.who == "pair" else ()),
        text("Your stock is empty? Turn your own pile over."),
    )


def _ending(options: SnapOptions) -> tuple[Text, ...]:
    if options.piles == "one":
        return (STAYS, NO_CARD_LEFT)
    later = text("When a later card matches the pool’s top card, the first to press takes the pool.")
    return (_POOLED, later, NO_CARD_LEFT)


GAME = Snap()
