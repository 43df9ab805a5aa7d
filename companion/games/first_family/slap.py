"""The slap pile: Slapjack, and Egyptian Ratscrew (Bataille corse). The first slap takes it (SLAP-1 to 9).

Cards are laid in turn on one pile. What may be slapped, and what a wrong slap costs, each of the games says.
Sources: en.wikipedia.org, recipegoldmine.com, jeuxdecartes1.e-monsite.com (Slapjack); en.wikibooks.org,
traditionalgamerules.neocities.org, fr.wikipedia.org, linternaute.fr, groupgames.xyz (Ratscrew).
"""

from __future__ import annotations

from typing import Any

import msgspec
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.text import Text, listing, text, texts
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
from lastnose.companion.games.rules.game import A_NOSE, Advice, OptionField, Outcome, Section, Standing
from lastnose.companion.games.rules.prompts import Choice, ChooseSeat

ONE_PACK = 3  # so many players have enough cards with one pack (terre.tv)


class SlapjackOptions(msgspec.Struct, frozen=True):
    """How a table plays Slapjack."""

    slap_in: bool
    ties: str


class RatscrewOptions(msgspec.Struct, frozen=True):
    """How a table plays Egyptian Ratscrew: what is slapped beside a double, what a wrong slap costs."""

    sandwich: bool
    double_sandwich: bool
    tens: bool
    marriage: bool
    run: bool
    flush: bool
    jokers: bool
    wrong: str
    slap_in: bool
    ties: str


class HasWon(msgspec.Struct, frozen=True, tag="has-won", tag_field="type"):
    """The player of `seat` has all the cards, or most of them when time was up (SLAP-9)."""

    seat: int


SlapMove = NoCards | HasWon


class SlapState(PilesState[Any], frozen=True, kw_only=True):
    """What is won are piles. `empty`: who has no cards and may slap in; `out` for good."""

    empty: tuple[int, ...] = ()
    winner: int = 0


class SlapPile(Piles[Any, SlapState, SlapMove]):
    """What both games are. `keeps_chance`: who has no cards may slap in for ever, not only once."""

    seats = (2, 10)
    state_type = SlapState
    move_types = Ruled | NoCards | HasWon
    call_rule = "SLAP-1"
    end_rule = "SLAP-9"
    emblem = (
        "M5 9h11v14H5zM17.2 2.2l1.7 1.7l-2.6 2.6l-1.7-1.7zM20 8h3v2h-3zM10.500 1h2v4.200h-2z"
        "M5.600 2.600l1.700-1.700l2.600 2.600l-1.700 1.700z"
    )
    keeps_chance: bool

    # ---- what a game says for itself

    def trigger(self, options: Any) -> tuple[Text, ...]:
        """Return what may be slapped, and who begins the next pile."""
        raise NotImplementedError

    def fine(self, options: Any) -> Text:
        """Return what a wrong slap costs (SLAP-5)."""
        raise NotImplementedError

    # ---- rulings

    def brought(self, state: SlapState, sat: Circle) -> dict[str, Any]:
        """Return what everybody has taken and slapped wrongly, who is out, and who stays without cards."""
        tallies = {name: counts(name, sat) for name in ("won", "wrong")}
        stay = tuple(one if one is not None and one.here else None for one in sat)  # who comes is given cards
        return tallies | {"empty": marked("empty", stay), "out": marked("out", sat)}

    def choices(self, state: SlapState) -> tuple[Choice, ...]:
        """Return what a slap may have been worth; the hand of one who slapped together may be the lowest."""
        together = len(state.called) > 1
        takes = _TOGETHER[state.options.ties] if together else TAKEN
        named = tuple(
            Choice(f"right-{seat}", of_ruling(text("Right"), state.players[seat - 1]))
            for seat in state.called
            if together and state.options.ties != "stays"
        )
        wrong = Choice("wrong", text("Wrong"), self._pays(state.options))
        return (Choice("right", text("Right"), takes), wrong, late(), *named)

    def _pays(self, options: Any) -> Text:
        return text("{fine}. All who slapped before the table says so pay.", fine=self.fine(options))

    def ruled(self, state: SlapState, value: str) -> SlapState:
        """Return the state after the table has said what a slap was worth."""
        if value == "wrong":  # not only the first: everybody who slapped slapped wrongly (SLAP-8)
            slapped = tuple(sorted({*state.called, *state.order}))
            lost = tuple(seat for seat in slapped if seat in state.empty)
            return self._changed(state, wrong=more(state.wrong, slapped), gone=lost)
        takes = state.called if value == "right" else self._named(value)
        if len(takes) != 1:
            return state
        left = tuple(seat for seat in state.empty if seat not in takes)
        state = msgspec.structs.replace(state, empty=left)
        return self._changed(state, won=more(state.won, takes), gone=() if self.keeps_chance else left)

    def _named(self, value: str) -> tuple[int, ...]:
        _, _, seat = value.partition("-")
        return (int(seat),) if seat.isdigit() else ()

    def _changed(self, state: SlapState, gone: tuple[int, ...], **counts: Any) -> SlapState:
        """Return *state* with *counts*, and those *gone* out: they had no cards, and one chance (SLAP-7)."""
        empty = tuple(seat for seat in state.empty if seat not in gone)
        return msgspec.structs.replace(state, empty=empty, out=(*state.out, *gone), **counts)

    def moved(self, state: SlapState, move: SlapMove) -> SlapState:
        """Return the state after somebody has run out of cards, or has won."""
        rule = "SLAP-7" if isinstance(move, NoCards) else "SLAP-9"
        self.check_playing(state, rule, move.seat)
        holding = self._holding(state)
        if move.seat not in holding or (holding == (move.seat,) and isinstance(move, NoCards)):
            raise IllegalMove(rule, text("This does not count any more."))
        if isinstance(move, HasWon):
            return msgspec.structs.replace(state, winner=move.seat)
        if state.options.slap_in:
            return msgspec.structs.replace(state, empty=(*state.empty, move.seat))
        return msgspec.structs.replace(state, out=(*state.out, move.seat))

    def between(self, state: SlapState) -> tuple[ChooseSeat, ...]:
        """Return who has no cards left, and who has won."""
        holding = self._holding(state)
        if not holding:
            return ()
        explain = _SLAP_IN if state.options.slap_in else NO_CARD_LEFT
        none = ChooseSeat("no-cards", text("No cards left"), explain, holding)
        won = ChooseSeat("has-won", text("Has won"), _AIM, holding)
        return (none, won) if len(holding) > 1 else (won,)

    def _holding(self, state: SlapState) -> tuple[int, ...]:
        return tuple(seat for seat in self.eligible(state) if seat not in state.empty)

    # ---- what a state means

    def standings(self, state: SlapState) -> tuple[Standing, ...]:
        """Return the piles that everybody has taken, and their wrong slaps."""
        return tuple(
            Standing(seat=seat, out=seat in state.out, score=won, notes=_notes(wrong, seat in state.empty))
            for seat, (won, wrong) in enumerate(zip(state.won, state.wrong, strict=True), start=1)
        )

    def outcome(self, state: SlapState) -> Outcome | None:
        """Return who has all the cards, None while several play (SLAP-9)."""
        if state.winner:
            return Outcome(
                winners=(state.winner,),
                losers=(),
                why=text("{player} has the most cards.", player=state.players[state.winner - 1]),
            )
        return super().outcome(state)

    def describe(self, before: SlapState, move: Ruled | SlapMove, after: SlapState) -> Text | None:
        """Return what history says of *move*."""
        if isinstance(move, HasWon):
            return text("{player} wins!", player=before.players[move.seat - 1])
        if isinstance(move, Ruled) and before.called and (seats := self._named(move.value)):
            return of_ruling(text("Right"), before.players[seats[0] - 1])
        if isinstance(move, Ruled) and before.called and move.value == "wrong":
            slapped = sorted({*before.called, *before.order})
            return of_ruling(text("Wrong"), listing([before.players[seat - 1] for seat in slapped]))
        return super().describe(before, move, after)

    def advice(self, state: SlapState) -> Advice:
        """Return that all cards are dealt, two packs above three players (SLAP-1)."""
        packs = 1 if len(state.players) <= ONE_PACK else 2
        jokers = 2 * packs * bool(getattr(state.options, "jokers", False))
        cards = packs * PACK + jokers
        more = (texts("Add {n} joker.", "Add {n} jokers.", n=jokers),) if jokers else ()
        sentences = () if state.begun else (take(packs), *more, DEAL_ALL)
        each = cards // len(state.players)
        return Advice(sentences, packs=packs, ranks=RANKS, cards=cards, each=each, dealer=None)

    def armed_text(self, state: SlapState) -> Text:
        """Return when to slap."""
        return text("Lay cards in turn. One to slap? Press!")

    def help(self, options: Any) -> tuple[Section, ...]:
        """Return the rules as a table with these *options* plays them."""
        packs = text("One whole pack, above three players two.")
        laid = (packs, DEAL_ALL, ONE_PILE, *self.trigger(options))
        return (
            Section(text("Aim"), (A_NOSE, _AIM)),
            Section(text("How to play"), (*laid, *self._slapping(options))),
            Section(text("A wrong slap"), (self._pays(options),)),
            fair_play(),
        )

    def _slapping(self, options: Any) -> tuple[Text, ...]:
        lines = (FIRST_PRESS, _TOGETHER[options.ties])
        if not options.slap_in:
            return (*lines, NO_CARD_LEFT)
        return (*lines, _SLAP_IN) if self.keeps_chance else (*lines, _SLAP_IN, _ONCE)


class Slapjack(SlapPile):
    """Jacks are slapped."""

    name = "slapjack"
    title = text("Slapjack")
    summary = text("Cards are laid in turn on one pile. A jack is slapped: whoever is first takes the pile.")
    options_type = SlapjackOptions
    keeps_chance = False

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return whether one may slap in, and what breaks ties."""
        return (_slap_in_field(_ONCE), _ties_field("lowest"))

    def trigger(self, options: SlapjackOptions) -> tuple[Text, ...]:
        """Return that jacks are slapped, until the next card covers them (SLAP-1, SLAP-2)."""
        return (
            text(
                "Is it a jack? Slap your button (your nose). The first takes the pile, and puts it under "
                "their stock; the player on their left begins the next one. Once another card covers the "
                "jack, it’s too late."
            ),
        )

    def fine(self, options: SlapjackOptions) -> Text:
        """Return what a wrong slap costs (SLAP-5)."""
        return text("A card for whoever laid the last one")


class EgyptianRatscrew(SlapPile):
    """Doubles are slapped, and what the table has agreed on; court cards are answered with cards."""

    name = "egyptian-ratscrew"
    title = text("Egyptian Ratscrew")
    emblem = (
        "M11.500 7.500L2 23h12zM13.200 7.900L15.700 23H22zM11.100 1h1.800v4.400h-1.800z"
        "M5.600 1.800l3.200 3l-1.300 1.300l-3.200-3zM18.400 1.800l1.300 1.300l-3.200 3l-1.300-1.300z"
    )
    summary = text(
        "Two of a rank in a row are slapped: whoever is first takes the pile. Aces and court cards ask for "
        "cards."
    )
    options_type = RatscrewOptions
    keeps_chance = True

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return what may be slapped, what a wrong slap costs, and the rest."""
        agreed = tuple(_flag(key, label, on=key == "sandwich") for key, label in _SLAPPED.items())
        jokers = _flag("jokers", text("Jokers"), _JOKERS)
        return (*agreed, jokers, _wrong_field(), _slap_in_field(_SLAP_IN), _ties_field("stays"))

    def trigger(self, options: RatscrewOptions) -> tuple[Text, ...]:
        """Return what is slapped, and what court cards ask for (SLAP-1, SLAP-3, SLAP-4)."""
        agreed = (label for key, label in _SLAPPED.items() if getattr(options, key))
        asks = text(
            "An ace asks the next player for 4 cards, a king for 3, a queen for 2, a jack for 1. Is another "
            "of these among them? Then that one asks the next. If not, its player takes all. A slap goes "
            "before a debt."
        )
        return (
            text(
                "Slap your button (your nose) for any of these: {things}.",
                things=listing([text("a double"), *agreed]),
            ),
            text("The first takes the pile, puts it under their stock, and begins the next one."),
            *((_JOKERS,) if options.jokers else ()),
            asks,
        )

    def fine(self, options: RatscrewOptions) -> Text:
        """Return what a wrong slap costs (SLAP-5)."""
        return _FINES[options.wrong]


_AIM = text("All the cards; or most of them when your time is up.")
_SLAP_IN = text(
    "Without cards you may still slap, at any pile: right, you are in again; wrong, you are out for good."
)
_ONCE = text("There is one chance, the next jack: if another player takes it, you are out.")
_JOKERS = text("Two jokers a pack; a joker asks for five cards.")
_SLAPPED = {
    "sandwich": text("a sandwich (6, 7, 6)"),
    "double_sandwich": text("a double sandwich (6, 7, 8, 6)"),
    "tens": text("two that make ten"),
    "marriage": text("a marriage (king and queen)"),
    "run": text("a run of three or more"),
    "flush": text("a flush of three or more"),
}
_FINES = {
    "one": text("One card under the pile"),
    "three": text("Three cards under the pile"),
    "top": text("One card onto the pile"),
    "each": TO_EACH,
    "pause": text("No slap for 30 seconds"),
}


def _wrong_field() -> OptionField:
    choices = tuple(Choice(value, label) for value, label in _FINES.items())
    return OptionField("wrong", "choice", text("A wrong slap"), None, "one", choices)


def _flag(key: str, label: Text, explain: Text | None = None, *, on: bool = False) -> OptionField:
    return OptionField(key, "flag", label, explain, on, at_hand=True)


def _slap_in_field(explain: Text) -> OptionField:
    return OptionField("slap_in", "flag", text("Slap in without cards"), explain, True)


_TOGETHER = {
    "stays": STAYS,
    "lowest": text("Slapped together: the lowest hand takes the pile; look, and say whose it is."),
    "fingers": text("Slapped together: most fingers take the pile; look, and say whose they are."),
}


def _ties_field(usual: str) -> OptionField:
    choices = (
        Choice("stays", text("The pile stays"), _TOGETHER["stays"]),
        Choice("lowest", text("The lowest hand"), _TOGETHER["lowest"]),
        Choice("fingers", text("Most fingers"), _TOGETHER["fingers"]),
    )
    return OptionField("ties", "choice", text("Slapped together"), None, usual, choices)


def _notes(wrong: int, empty: bool) -> tuple[Text, ...]:
    return (*mistakes(wrong), text("No cards left")) if empty else mistakes(wrong)


SLAPJACK = Slapjack()
RATSCREW = EgyptianRatscrew()
