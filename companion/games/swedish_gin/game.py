"""Swedish Gin Rummy: fifteen contracts, the lowest total wins (SGR-1 to SGR-11).

The sheet. What is behind it lies beside it; whether a hand lays, `contracts` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, english, text, texts
from lastnose.companion.games.pieces.cards import RANKS, read_cards
from lastnose.companion.games.rules.carried import AVERAGE
from lastnose.companion.games.rules.checks import CHANGED
from lastnose.companion.games.rules.game import Advice, OptionField, RulesAnswer, Section
from lastnose.companion.games.rules.prompts import Choice, ChooseSeat, MarkHand, Prompt, TokenCount, Tokens
from lastnose.companion.games.sheet_game.game import SheetGame
from lastnose.companion.games.sheet_game.latecomers import field as latecomers_field
from lastnose.companion.games.sheet_game.state import Correct, HandMark, HandScore, Score, SheetState, current
from lastnose.companion.games.swedish_gin import answers, checks, help
from lastnose.companion.games.swedish_gin.answers import CALCULATIONS
from lastnose.companion.games.swedish_gin.checks import EACH, PACKS, TOKENS
from lastnose.companion.games.swedish_gin.contracts import melds
from lastnose.companion.games.swedish_gin.contracts.melds import CONTRACTS, contract_name

# ---- what happens in a hand beside its scores: who deals first, who buys, an exact cut (SGR-9 to SGR-11)

EXACT_CUT = -100


class DealsFirst(msgspec.Struct, frozen=True, tag="deals-first", tag_field="type"):
    """The player of `seat` deals the first hand."""

    seat: int


class Bought(msgspec.Struct, frozen=True, tag="bought", tag_field="type"):
    """The player of `seat` paid a token in `hand` (SGR-9)."""

    hand: int
    seat: int


class ExactCut(msgspec.Struct, frozen=True, tag="exact-cut", tag_field="type"):
    """The dealer of `hand` lifted exactly the right number of cards (SGR-10)."""

    hand: int


def check_seat(state: SheetState, seat: int) -> None:
    """Raise IllegalMove when nobody sits in *seat*."""
    if seat not in state.seats:
        raise IllegalMove("SGR-1", english("There is no seat {seat} in this game.", seat=seat))


def dealt_first(state: SheetState, move: DealsFirst) -> SheetState:
    """Return *state* with its first dealer named; raise IllegalMove once something is written (SGR-11)."""
    check_seat(state, move.seat)
    if state.begun:
        raise IllegalMove("SGR-11", CHANGED)
    return msgspec.structs.replace(state, first=move.seat)


def bought(state: SheetState, move: Bought, hand: int) -> HandMark:
    """Return the mark of a buy in *hand*, the one that is played; raise IllegalMove (SGR-9)."""
    check_seat(state, move.seat)
    _check_hand("SGR-9", move.hand, hand)
    if state.marked("bought", hand, move.seat) == TOKENS:
        raise IllegalMove("SGR-9", CHANGED)
    if state.cell(hand, move.seat) is not None:
        raise IllegalMove("SGR-9", CHANGED)
    return HandMark("bought", hand, move.seat)


def cut(state: SheetState, move: ExactCut, hand: int) -> HandMark:
    """Return the mark of an exact cut in *hand*, the one that is played; raise IllegalMove (SGR-10)."""
    if not state.options.exact_cut:
        raise IllegalMove("SGR-10", english("At this table an exact cut earns nothing."))
    _check_hand("SGR-10", move.hand, hand)
    if state.marks_of("exact-cut", hand):
        raise IllegalMove("SGR-10", CHANGED)
    return lifted(state, hand)


def lifted(state: SheetState, hand: int) -> HandMark:
    """Return the mark of an exact cut by who dealt *hand*: theirs, wherever they sit later (SGR-10)."""
    if not state.dealer(hand):
        raise IllegalMove("SGR-10", text("Who dealt hand {hand} does not sit here any more.", hand=hand))
    return HandMark("exact-cut", hand, state.dealer(hand))


def cuts(state: SheetState, seat: int) -> tuple[int, ...]:
    """Return the hands in which *seat* dealt with an exact cut."""
    return tuple(mark.hand for mark in state.marks if (mark.what, mark.seat) == ("exact-cut", seat))


def _check_hand(rule: str, wanted: int, hand: int) -> None:
    if wanted != hand:
        raise IllegalMove(rule, CHANGED)


def tokens_left(state: SheetState, hand: int) -> Tokens | None:
    """Return the tokens of *hand* to be drawn and spent, None when none can be."""
    purses = tuple(_purse(state, hand, seat) for seat in state.seats)
    if not any(purse.open for purse in purses):
        return None
    return Tokens("bought", text("Buying"), help.TOKEN, hand, purses)


def _purse(state: SheetState, hand: int, seat: int) -> TokenCount:
    buys = state.marked("bought", hand, seat)
    left = TOKENS - buys
    holds = texts("{n} card", "{n} cards", n=EACH + 2 * buys)
    return TokenCount(seat, left, TOKENS, holds, left > 0 and state.cell(hand, seat) is None)


def cell_notes(state: SheetState, hand: int, seat: int) -> tuple[Text, ...]:
    """Return how often *seat* bought in *hand*, and an exact cut."""
    buys = state.marked("bought", hand, seat)
    notes = [texts("{n} buy", "{n} buys", n=buys)] if buys else []
    if hand in cuts(state, seat):
        notes.append(text("Exact cut"))
    return tuple(notes)


def doubts(state: SheetState, hand: int) -> tuple[Text, ...]:
    """Return what the buys written down do not explain: somebody may have forgotten to tap (SGR-2, SGR-9)."""
    said = []
    for seat, cell in state.played(hand):
        if seat not in state.seats:
            continue  # what they bought went with them
        player, buys = state.player(seat), state.marked("bought", hand, seat)
        closed_short = cell.points == 0 and buys < CONTRACTS[hand].buys
        if closed_short or len(cell.pieces or ()) > EACH + 2 * buys:
            said.append(text("{player} must have bought more often than is written.", player=player))
    return tuple(said)


def describe(before: SheetState, move: object) -> Text | None:
    """Return what history says of *move*."""
    match move:
        case DealsFirst(seat):
            return text("{player} deals first", player=before.player(seat))
        case Bought(hand, seat):
            return text("Hand {hand}, {player} buys", hand=hand, player=before.player(seat))
        case ExactCut(hand):
            return _cut_by(before.player(before.dealer(hand)))
    return None


def _cut_by(dealer: str) -> Text:
    return text("Exact cut by {player}: 100 points less.", player=dealer)


# ---- the game


class Options(msgspec.Struct, frozen=True):
    """How a table plays.

    `exact_cut`: lifting exactly the right number of cards takes 100 off (SGR-10). `extras`: other melds may
    lie down in the same turn as the contract (SGR-5).
    """

    exact_cut: bool
    extras: bool
    latecomers: str = AVERAGE


Own = DealsFirst | Bought | ExactCut


class SwedishGin(SheetGame[Options, Own]):
    name = "swedish-gin"
    title = text("Swedish Gin Rummy")
    summary = text("Fifteen hands, fifteen contracts of sets and runs. What you hold at the end counts.")
    seats = (2, 8)
    crowd: Text | None = text("best with 3 to 6 players; here 2 to 8")
    emblem = "M3 6l8-3l4 13l-8 3zM13 5h7v13h-4.5z"
    options_type = Options
    move_types = Score | Own
    drawn = "cards"
    step = checks.STEP
    copies = PACKS
    once = "SGR-7"
    calculations = CALCULATIONS

    # ---- set-up

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the options (SGR-5, SGR-10)."""
        return (
            OptionField("exact_cut", "flag", text("Exact cut"), help.CUT, False, rule="SGR-10", at_hand=True),
            OptionField("extras", "flag", text("All at once"), help.AT_ONCE, True, rule="SGR-5"),
            latecomers_field(),
        )

    def hands(self, options: Options) -> int:
        """Return the number of contracts (SGR-2)."""
        return len(CONTRACTS)

    # ---- the sheet

    def line_title(self, state: SheetState, hand: int) -> Text:
        """Return the contract (SGR-2)."""
        return contract_name(CONTRACTS[hand])

    def picture(self, state: SheetState, hand: int) -> str:
        """Return the contract as groups of cards (SGR-2)."""
        return CONTRACTS[hand].picture

    def count(self, state: SheetState, pieces: tuple[str, ...]) -> HandScore:
        """Count cards (SGR-7)."""
        cards = read_cards(pieces)
        melds.check_hand(cards)
        return HandScore(melds.hand_points(cards), tuple(map(str, cards)))

    def pieces(self, options: Options) -> tuple[str, ...]:
        """Return the cards of a pack."""
        return tuple(map(str, checks.ONE_PACK))

    def pieces_left(self, state: SheetState, hand: int) -> tuple[str, ...]:
        """Return the cards of two packs that nobody has been given."""
        return tuple(map(str, checks.cards_left(state, hand)))

    def most(self, state: SheetState, hand: int) -> int:
        """Return the most that one more player can have left (SGR-7, SGR-9)."""
        return checks.most_points(state, hand)

    def most_in_any_hand(self, state: SheetState) -> int:
        """Return what the dearest fifteen cards cost."""
        return checks.dearest(checks.ONE_PACK * PACKS, 1)

    def check(self, state: SheetState, hand: int) -> None:
        """Raise IllegalMove for what cannot be (SGR-1, SGR-7, SGR-9)."""
        self.check_winner(state, hand)
        checks.check_row(state, hand)
        if None not in state.cells[hand - 1] and not self.went_out(state, hand):
            raise IllegalMove("SGR-7", text("Nobody has 0, and whoever closed the hand must."))

    def bonus(self, state: SheetState, seat: int) -> int:
        """Return what exact cuts take off (SGR-10)."""
        return EXACT_CUT * len(cuts(state, seat))

    def best_bonus(self, state: SheetState, seat: int, hands: range) -> int:
        """Return what exact cuts can still take off."""
        if not state.options.exact_cut:
            return 0
        deals = [hand for hand in hands if state.dealer(hand) == seat]
        return EXACT_CUT * sum(not state.marks_of("exact-cut", hand) for hand in deals)

    def hand_marks(self, options: Options) -> tuple[Choice, ...]:
        """Return that there was an exact cut (SGR-10)."""
        return (Choice("exact-cut", text("Exact cut"), help.CUT),) if options.exact_cut else ()

    def play(self, state: SheetState, move: Verdict | Score | Correct | Own) -> SheetState:
        """Return the sheet after *move*; raise IllegalMove naming the rule."""
        return dealt_first(state, move) if isinstance(move, DealsFirst) else super().play(state, move)

    def marked(self, state: SheetState, move: Verdict | Own, hand: int) -> HandMark:
        """Return the mark of a buy or of an exact cut."""
        if isinstance(move, Bought):
            return bought(state, move, hand)
        if isinstance(move, ExactCut):
            return cut(state, move, hand)
        return super().marked(state, move, hand)

    def mark_of(self, state: SheetState, what: str, hand: int) -> HandMark:
        """Return the mark of an exact cut, of who dealt *hand*."""
        return lifted(state, hand)

    def own_asks(self, state: SheetState, hand: int) -> tuple[Prompt, ...]:
        """Ask for buys and the exact cut, at the very start for the dealer; let the rules be asked."""
        asked: list[Prompt] = [*answers.rules_queries(hand)]
        tokens = tokens_left(state, hand)
        if tokens is not None:
            asked.append(tokens)
        if state.options.exact_cut and not state.marks_of("exact-cut", hand):
            by = _cut_by(state.player(state.dealer(hand)))
            asked.append(MarkHand("exact-cut", text("Exact cut"), by, hand))
        if not state.begun:
            explain = text("Who deals the first hand; after that the deal passes left.")
            prompt = None if state.first else text("Tap a name.")
            asked.append(ChooseSeat("deals-first", text("First dealer"), explain, state.seats, prompt=prompt))
        return tuple(asked)

    def cell_notes(self, state: SheetState, hand: int, seat: int) -> tuple[Text, ...]:
        """Return how often *seat* bought in *hand*, and an exact cut."""
        return cell_notes(state, hand, seat)

    def line_hint(self, state: SheetState, hand: int) -> Text | None:
        """Return how many purchases the contract takes at least (SGR-2)."""
        least = CONTRACTS[hand].buys
        return help.at_least(least) if least else None

    def line_notes(self, state: SheetState, hand: int) -> tuple[Text, ...]:
        """Return what the buys that are written down do not explain."""
        return doubts(state, hand)

    def describe(self, before: SheetState, move: Score | Correct | Own, after: SheetState) -> Text | None:
        """Return what history says."""
        return describe(before, move) or super().describe(before, move, after)

    def answer_query(
        self,
        state: SheetState,
        about: str,
        hand: int | None,
        pieces: Sequence[str],
        table: Sequence[str] = (),
    ) -> RulesAnswer:
        """Return whether *pieces* lay a contract, or are a legal meld, and what there is to see."""
        wanted = hand if hand is not None else current(state) or len(CONTRACTS)
        return answers.answer(about, wanted, pieces, extras=state.options.extras, table=table)

    # ---- the deal, and the rules

    def advice(self, state: SheetState) -> Advice:
        """Return who deals, and what (SGR-1, SGR-11)."""
        hand = current(state)
        sentences = help.dealing(len(state.players))
        dealer = state.dealer(hand) if hand is not None else None
        if hand is not None and dealer is not None:
            who = text(
                "{dealer} deals, {starter} starts.",
                dealer=state.player(dealer),
                starter=state.player(state.starter(hand)),
            )
            sentences = (who, *sentences)
        return Advice(sentences, PACKS, ranks=RANKS, cards=checks.CARDS, each=EACH, dealer=dealer)

    def dealt(self, players: int, options: Options) -> dict[str, Any]:
        """Return how many cards the dealer lifts, and how many are left for the stock (SGR-1)."""
        lift = help.lifted(players)
        return {"lift": lift, "stock": checks.CARDS - lift, "sentences": [*help.dealing(players)]}

    def help(self, options: Options) -> tuple[Section, ...]:
        """Return the rules as this table plays them."""
        return help.sections(exact_cut=options.exact_cut, extras=options.extras)


GAME = SwedishGin()
