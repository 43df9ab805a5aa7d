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
    CARDS_GO_ROUND,
    Calls,
    CallState,
    Ruled,
    counts,
    fair_play,
    late,
    marked,
    more,
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


class NoCards(msgspec.Struct, frozen=True, tag="no-cards", tag_field="type"):
    """The player of `seat` has no cards left (SLAP-7)."""

    seat: int


class HasWon(msgspec.Struct, frozen=True, tag="has-won", tag_field="type"):
    """The player of `seat` has all the cards, or most of them when time was up (SLAP-9)."""

    seat: int


SlapMove = NoCards | HasWon


class SlapState(CallState[Any], frozen=True, kw_only=True):
    """Piles taken, and wrong slaps, by seat; `empty`: who has no cards and may slap in, `out` for good."""

    won: tuple[int, ...]
    wrong: tuple[int, ...]
    empty: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    winner: int = 0


class SlapPile(Calls[Any, SlapState, SlapMove]):
    """What both games are. `keeps_chance`: who has no cards may slap in for ever, not only once."""

    seats = (2, 10)
    move_types = Ruled | NoCards | HasWon
    comings: Text | None = CARDS_GO_ROUND
    call_rule = "SLAP-1"
    end_rule = "SLAP-9"
    emblem = (
        "M5 9h11v14H5zM17.2 2.2l1.7 1.7l-2.6 2.6l-1.7-1.7zM20 8h3v2h-3zM10.500 1h2v4.200h-2z"
        "M5.600 2.600l1.700-1.700l2.600 2.600l-1.700 1.700z"
    )
    keeps_chance: bool

    # ---- what a game says for itself

    def trigger(self, options: Any) -> tuple[Text, ...]:
        """Return what may be slapped."""
        raise NotImplementedError

    def fine(self, options: Any) -> Text:
        """Return what a wrong slap costs (SLAP-5)."""
        raise NotImplementedError

    def begins_next(self) -> Text:
        """Return who begins the next pile."""
        raise NotImplementedError

    # ---- rulings

    def begin(self, players: tuple[str, ...], options: Any) -> SlapState:
        """Return the state before the first card (SLAP-1)."""
        nothing = (0,) * len(players)
        return SlapState(players=players, options=options, won=nothing, wrong=nothing)

    def brought(self, state: SlapState, sat: Circle) -> dict[str, Any]:
        """Return what everybody has taken and slapped wrongly, who is out, and who has no cards."""
        tallies = {name: counts(name, sat) for name in ("won", "wrong")}
        return tallies | {name: marked(name, sat) for name in ("empty", "out")}

    def eligible(self, state: SlapState) -> tuple[int, ...]:
        """Return the seats that have cards, or may slap in."""
        return tuple(seat for seat in range(1, len(state.players) + 1) if seat not in state.out)

    def choices(self, state: SlapState) -> tuple[Choice, ...]:
        """Return what a slap may have been worth; the hand of one who slapped together may be the lowest."""
        together = len(state.called) > 1
        takes = text("The pile stays.") if together else text("The pile goes under the winner’s stock.")
        pays = text("{fine} All who have slapped pay.", fine=self.fine(state.options))
        tie = _TIES.get(state.options.ties) if together else None
        named = tuple(
            Choice(f"right-{seat}", text("Right: {players}", players=state.players[seat - 1]), tie)
            for seat in state.called
            if tie is not None
        )
        return (Choice("right", text("Right"), takes), Choice("wrong", text("Wrong"), pays), late(), *named)

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
        if isinstance(move, HasWon):
            return msgspec.structs.replace(state, winner=move.seat)
        if move.seat in state.empty:
            player = state.players[move.seat - 1]
            raise IllegalMove(rule, text("{player} has none already.", player=player))
        if self._holding(state) == (move.seat,):
            player = state.players[move.seat - 1]
            raise IllegalMove(rule, text("Nobody else has cards: then {player} has won.", player=player))
        if state.options.slap_in:
            return msgspec.structs.replace(state, empty=(*state.empty, move.seat))
        return msgspec.structs.replace(state, out=(*state.out, move.seat))

    def between(self, state: SlapState) -> tuple[ChooseSeat, ...]:
        """Return who has no cards left, and who has won."""
        holding = self._holding(state)
        explain = text("Whoever has no card left is out.")
        if state.options.slap_in:
            explain = text("Whoever has no card left may slap in: right, and the pile is theirs.")
        none = ChooseSeat("no-cards", text("No cards left"), explain, holding)
        won = ChooseSeat(
            "has-won",
            text("Has won"),
            text("With all the cards, or with most of them when your time is up."),
            self.eligible(state),
        )
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

    def highest(self, state: SlapState) -> bool:
        """Return that piles are what one wants."""
        return True

    def outcome(self, state: SlapState) -> Outcome | None:
        """Return who has all the cards, None while several play (SLAP-9)."""
        if state.winner:
            why = text("{player} has all the cards, or most of them.", player=state.players[state.winner - 1])
            return Outcome(winners=(state.winner,), losers=(), why=why)
        return self.alone(state)

    def describe(self, before: SlapState, move: Ruled | SlapMove, after: SlapState) -> Text | None:
        """Return what history says of *move*."""
        if isinstance(move, NoCards):
            return text("{player} has no cards left", player=before.players[move.seat - 1])
        if isinstance(move, HasWon):
            return text("{player} has won", player=before.players[move.seat - 1])
        if isinstance(move, Ruled) and before.called and (seats := self._named(move.value)):
            return text("Right: {players}", players=before.players[seats[0] - 1])
        if isinstance(move, Ruled) and before.called and move.value == "wrong":
            slapped = sorted({*before.called, *before.order})
            return text("Wrong: {players}", players=listing([before.players[seat - 1] for seat in slapped]))
        return super().describe(before, move, after)

    def advice(self, state: SlapState) -> Advice:
        """Return that all cards are dealt, two packs above three players (SLAP-1)."""
        packs = 1 if len(state.players) <= ONE_PACK else 2
        jokers = 2 * packs * bool(getattr(state.options, "jokers", False))
        cards = packs * PACK + jokers
        take = texts("Take {n} whole pack.", "Take {n} whole packs.", n=packs)
        more = (texts("Add {n} joker.", "Add {n} jokers.", n=jokers),) if jokers else ()
        sentences = () if state.begun else (take, *more, text("Deal all cards, face down."))
        each = cards // len(state.players)
        return Advice(sentences, packs=packs, ranks=RANKS, cards=cards, each=each, dealer=None)

    def armed_text(self, state: SlapState) -> Text:
        """Return when to slap."""
        return text("Lay cards in turn. One to slap? Press!")

    def help(self, options: Any) -> tuple[Section, ...]:
        """Return the rules as a table with these *options* plays them."""
        turned = text("In turn everybody lays their top card on the pile, turning it away from themselves.")
        packs = text("One whole pack, above three players two. Deal all cards, face down.")
        return (
            Section(text("Aim"), (A_NOSE, text("All the cards; or most of them when your time is up."))),
            Section(text("How to play"), (packs, turned, *self.trigger(options), self.begins_next())),
            Section(text("The slap"), self._slapping(options)),
            Section(
                text("A wrong slap"),
                (text("{fine} All who slapped before the table says so pay.", fine=self.fine(options)),),
            ),
            fair_play(),
        )

    def _slapping(self, options: Any) -> tuple[Text, ...]:
        slap_in = (
            text("Without cards you may still slap: right, you are in again; wrong, you are out for good.")
            if options.slap_in
            else text("Whoever has no card left is out.")
        )
        single = options.slap_in and not self.keeps_chance
        once = (
            (text("There is one chance, the next jack: if another player takes it, you are out."),)
            if single
            else ()
        )
        return (
            text("Your nose is the slap. The table says “Stop!”, then who was first, and by how much."),
            text("Then say whether it was right, wrong or too late: only that is counted."),
            _TOGETHER[options.ties],
            slap_in,
            *once,
        )


class Slapjack(SlapPile):
    """Jacks are slapped."""

    name = "slapjack"
    title = text("Slapjack")
    summary = text("Cards are laid in turn on one pile. A jack is slapped: whoever is first takes the pile.")
    options_type = SlapjackOptions
    keeps_chance = False

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return whether one may slap in, and what breaks ties."""
        return (_slap_in_field(text("At the next jack, once.")), _ties_field("lowest"))

    def trigger(self, options: SlapjackOptions) -> tuple[Text, ...]:
        """Return that jacks are slapped, until the next card covers them (SLAP-2)."""
        return (
            text("Is it a jack? Slap it: the first takes the pile, and puts it under their stock."),
            text("Once another card covers the jack, it’s too late: wait for the next one."),
        )

    def fine(self, options: SlapjackOptions) -> Text:
        """Return what a wrong slap costs (SLAP-5)."""
        return text("A card for whoever laid the last one.")

    def begins_next(self) -> Text:
        """Return who begins the next pile (SLAP-1)."""
        return text("The player to the left of whoever took the pile starts the next one.")


class EgyptianRatscrew(SlapPile):
    """Doubles are slapped, and what the table has agreed on; court cards are answered with cards."""

    name = "egyptian-ratscrew"
    title = text("Egyptian Ratscrew")
    summary = text(
        "Two of a rank in a row are slapped: whoever is first takes the pile. Aces and court cards ask for "
        "cards."
    )
    options_type = RatscrewOptions
    keeps_chance = True

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return what may be slapped, what a wrong slap costs, and the rest."""
        return (
            _flag(
                "sandwich", text("Sandwich"), text("Two of a rank with one card between: 6, 7, 6."), on=True
            ),
            _flag("double_sandwich", text("Double sandwich"), text("Two of a rank with two cards between.")),
            _flag("tens", text("Tens"), text("Two that make ten.")),
            _flag("marriage", text("Marriage"), text("King and queen.")),
            _flag("run", text("Run"), text("Three or more in order.")),
            _flag("flush", text("Flush"), text("Three or more of a suit.")),
            _flag("jokers", text("Jokers"), text("Two a pack; a joker asks for five cards.")),
            _wrong_field(),
            _slap_in_field(text("At any pile, as often as they like."), on=True),
            _ties_field("stays"),
        )

    def trigger(self, options: RatscrewOptions) -> tuple[Text, ...]:
        """Return what is slapped, and what court cards ask for (SLAP-3, SLAP-4)."""
        agreed = (
            (options.sandwich, text("a sandwich (6, 7, 6)")),
            (options.double_sandwich, text("a double sandwich (two cards between)")),
            (options.tens, text("two that make ten")),
            (options.marriage, text("a marriage (king and queen)")),
            (options.run, text("a run of three")),
            (options.flush, text("a flush of three")),
        )
        things = listing([text("a double"), *(name for on, name in agreed if on)])
        asks = text("An ace asks the next player for 4 cards, a king for 3, a queen for 2, a jack for 1.")
        if options.jokers:
            asks = text(
                "A joker asks the next player for 5 cards, an ace for 4, a king for 3, a queen for 2, a jack "
                "for 1."
            )
        return (
            text(
                "Slap: {things}. The first takes the pile, and puts it under their stock.",
                things=things,
            ),
            asks,
            text(
                "Is another of these among them? Then that one asks the next. If not, its player takes all."
            ),
            text("A slap goes before a debt."),
        )

    def fine(self, options: RatscrewOptions) -> Text:
        """Return what a wrong slap costs (SLAP-5)."""
        return _FINES[options.wrong]

    def begins_next(self) -> Text:
        """Return who begins the next pile (SLAP-1)."""
        return text("Whoever took the pile begins the next one.")


_TIES = {"lowest": text("Theirs was the lowest hand."), "fingers": text("Theirs were the most fingers.")}
_FINES = {
    "one": text("One card under the pile."),
    "three": text("Three cards under the pile."),
    "top": text("One card onto the pile."),
    "each": text("One card to each other player."),
    "pause": text("No slap for 30 seconds."),
}


def _wrong_field() -> OptionField:
    labels = {
        "one": text("One card"),
        "three": text("Three cards"),
        "top": text("One card onto it"),
        "each": text("A card each"),
        "pause": text("A pause"),
    }
    choices = tuple(Choice(value, label, _FINES[value]) for value, label in labels.items())
    return OptionField("wrong", "choice", text("A wrong slap"), text("What it costs."), "one", choices)


def _flag(key: str, label: Text, explain: Text, *, on: bool = False) -> OptionField:
    return OptionField(key, "flag", label, explain, on, at_hand=True)


def _slap_in_field(explain: Text, *, on: bool = True) -> OptionField:
    return OptionField("slap_in", "flag", text("Slap in without cards"), explain, on)


_TOGETHER = {
    "stays": text("Slapped together: the pile stays, and play goes on."),
    "lowest": text("Slapped together: the lowest hand takes the pile; look, and say whose it is."),
    "fingers": text("Slapped together: most fingers take the pile; look, and say whose they are."),
}


def _ties_field(usual: str) -> OptionField:
    choices = (
        Choice("stays", text("The pile stays"), _TOGETHER["stays"]),
        Choice("lowest", text("The lowest hand"), _TOGETHER["lowest"]),
        Choice("fingers", text("Most fingers"), _TOGETHER["fingers"]),
    )
    explain = text("When the noses cannot be told apart.")
    return OptionField("ties", "choice", text("Slapped together"), explain, usual, choices)


def _notes(wrong: int, empty: bool) -> tuple[Text, ...]:
    said = (texts("{n} wrong slap", "{n} wrong slaps", n=wrong),) if wrong else ()
    return (*said, text("no cards")) if empty else said


SLAPJACK = Slapjack()
RATSCREW = EgyptianRatscrew()
