"""What the games of Pig's family share: letters of a word for whoever was last, and a deck that shrinks.

A game of the family is one `Family(...)` in a file of its own that says only what is its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, english, listing, text, texts
from lastnose.companion.games.pieces.deck import taken_out
from lastnose.companion.games.pig_family import rules, sentences
from lastnose.companion.games.pig_family.help import sections
from lastnose.companion.games.pig_family.options import (
    LET_GO,
    ONE_DEAL,
    AnyOptions,
    Options,
    RackOptions,
    fields,
    rack_fields,
)
from lastnose.companion.games.pig_family.rules import (
    FalseOpener,
    Move,
    NoSpoon,
    PigState,
    Talked,
    deck,
    seats_in,
)
from lastnose.companion.games.pig_family.sentences import RackItem
from lastnose.companion.games.rules.base import Plain
from lastnose.companion.games.rules.carried import LETTERS_STAY, Circle
from lastnose.companion.games.rules.checks import check_options, check_players
from lastnose.companion.games.rules.game import (
    Advice,
    Guide,
    GuideStep,
    OptionField,
    Outcome,
    Section,
    Standing,
)
from lastnose.companion.games.rules.prompts import ChooseSeat, Prompt, Rack, WatchNoses

__all__ = ["FalseOpener", "Family", "NoSpoon", "Options", "PigState", "RackItem", "RackOptions", "Talked"]


class Family(Plain[AnyOptions, PigState, Talked | FalseOpener | NoSpoon]):
    """A game of Pig's family: its name, its word, and what it calls a player who is out (`role`: "a pig").

    With a `ware` the players reach for a rack instead of their noses (SPN-1). `loser`: what whoever was last
    is called until the next deal (PIG-13).
    """

    comings: Text | None = LETTERS_STAY

    def __init__(
        self,
        *,
        name: str,
        title: Text,
        summary: Text,
        seats: tuple[int, int],
        word: str,
        role: Text,
        emblem: str,
        ware: RackItem | None = None,
        loser: Text | None = None,
    ) -> None:
        self.name = name
        self.title = title
        self.summary = summary
        self.seats = seats
        self.crowd = text("{least} players or more; here {most} at most", least=seats[0], most=seats[1])
        self.word = word
        self.role = self._role = role
        self.emblem = emblem
        self.ware = ware
        self.loser = loser

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the options, in the order set-up shows them."""
        return fields(self.word, self._role) if self.ware is None else rack_fields(self.word)

    def read_options(self, raw: Mapping[str, Any]) -> AnyOptions:
        """Check *raw* and return the frozen options; raise BadInput naming the option.

        Whoever names a word for a game with a rack wants it spelled.
        """
        checked = check_options(self.title, self.option_fields(), raw)
        if self.ware is None:
            return Options(**checked)
        if "word" in raw and "losses" not in raw:
            checked["losses"] = "word"
        return RackOptions(**checked)

    def read_move(self, raw: Mapping[str, Any]) -> Talked | FalseOpener | NoSpoon:
        """Check *raw* (`{"type": "talked", "seat": 2}`) and return the move; raise BadInput."""
        kinds: object = Talked | FalseOpener if self.ware is None else FalseOpener | NoSpoon
        names = "“talked”, “false-opener”" if self.ware is None else "“no-spoon”, “false-opener”"
        try:
            move: Talked | FalseOpener | NoSpoon = msgspec.convert(raw, kinds)
        except msgspec.ValidationError:
            raise BadInput(
                english(
                    "{game} has the moves {moves}, each with a seat number.", game=self.title, moves=names
                )
            ) from None
        return move

    def new(self, players: tuple[str, ...], options: AnyOptions) -> PigState:
        """Return the first state, seat 1 to deal; raise BadInput when the players do not fit (PIG-1)."""
        names = check_players(self.title, players, self.seats)
        return PigState(players=names, options=options, letters=(0,) * len(names))

    def play(self, state: PigState, move: Move) -> PigState:
        """Return the state after *move*; raise IllegalMove naming the rule."""
        match move:
            case Verdict():
                return rules.judged(state, move)
            case Talked(seat):
                return rules.talked(state, seat)
            case FalseOpener(seat):
                return rules.false_opener(state, seat)
            case NoSpoon(seat):
                return rules.no_spoon(state, seat)

    def standings(self, state: PigState) -> tuple[Standing, ...]:
        """Return letters and who is out, by seat; without lives there is no word (PIG-6, PIG-7)."""
        word = state.options.marks
        return tuple(
            Standing(
                seat=seat,
                letters=word[:count],
                word=word,
                out=seat in state.out,
                notes=(self.loser,) if self.loser and seat in state.lost and seat not in state.out else (),
            )
            for seat, count in enumerate(state.letters, start=1)
        )

    def outcome(self, state: PigState) -> Outcome | None:
        """Return who won and why, None while the game goes on (PIG-9, PIG-10)."""
        won = rules.winners(state)
        return Outcome(winners=won, losers=(), why=sentences.why(state, won)) if won else None

    def asks(self, state: PigState) -> tuple[Prompt, ...]:
        """Return what to watch and what the table may say now; empty when the game has ended.

        When the rack is empty and nobody knows who has nothing, only that is asked (SPN-6).
        """
        if rules.winners(state):
            return ()
        still_in, options = seats_in(state), state.options
        if state.waiting and self.ware is not None:
            explain = text("Only you at the table know.")
            goes_on = text("The game goes on once you have said it.")
            return (ChooseSeat("no-spoon", self.ware.who_has_none, explain, still_in, prompt=goes_on),)
        rack = None
        if isinstance(options, RackOptions):  # a spoon less than players, in the first cradles (SPN-1, SPN-4)
            rack = Rack(tuple(range(1, len(still_in))), options.confirm, options.feint_ms)
        watch = WatchNoses(seats=still_in, hold=options.hold, rack=rack)
        early = sentences.began_early(still_in, sentences.kind(options))
        if not (options.no_talking and state.out):
            return watch, early
        explain = text(
            "Whoever talked becomes {role} at once; a round in progress does not count.", role=self._role
        )
        talked = ChooseSeat("talked", text("Talked to {role}", role=self._role), explain, still_in)
        return watch, talked, early

    def advice(self, state: PigState) -> Advice:
        """Return what to do with deck and rack before the next deal, given what the last move changed.

        Nothing but the figures when there is none.
        """
        seated, options, still_in = len(state.players), state.options, len(seats_in(state))
        now, over = deck(still_in, seated, options), bool(rules.winners(state))
        before = deck(still_in + len(state.left), seated, options)
        removed = () if over else taken_out(before, now)
        dealer = None if over or sentences.only_the_table_knows(state) else state.dealer
        title = None  # where only the dealer is to be named
        if state.deals and dealer is not None:
            deals = sentences.dealing(state.players[dealer - 1], now.each)
            title = sentences.away(before, now) if removed else deals
        return Advice(
            sentences=() if over else sentences.what_to_do(state, before, now, self.ware),
            packs=now.packs,
            ranks=now.ranks,
            cards=now.cards,
            each=now.each,
            dealer=dealer,
            remove=removed,
            title=title,
        )

    def dealt_again(self, state: PigState) -> PigState:
        """Return *state* with the cards taken at the start, and those of who left put away."""
        return msgspec.structs.replace(state, left=(), deals=state.deals or 1)

    def gone_on(self, state: PigState, players: tuple[str, ...], sat: Circle) -> PigState:
        """Return everybody's letters; who comes has as many as whoever has most (PIG-7)."""
        rules.check_going_on(state)
        return rules.gone_on(state, self.new(players, state.options), sat)

    def guide(self, state: PigState, was: PigState | None = None) -> Guide | None:
        """Return the steps to the next verdict, None when the game has ended.

        *was* is the state for which the cards lie on the table, if it was not this one's.
        """
        if rules.winners(state):
            return None
        still_in, options, ware = len(seats_in(state)), state.options, self.ware
        now = deck(still_in, len(state.players), options)
        who, beside = sentences.dealer_and_right(state)
        passing = text("Pass one card to the left, all together.")
        if now.stock:
            passing = sentences.draws(who, beside)
        opener, *then = sentences.race(options, ware)
        back = tuple(seat for seat in was.out if seat not in state.out) if was is not None else ()
        gone = tuple(seat for seat in state.out if seat not in was.out) if was is not None else ()
        left = () if back else state.left
        before = [sentences.returning(state, back, gone, now)] if back else []
        before += sentences.first(now) if not state.deals else ()
        if left:
            before.append(sentences.leaving(state, now))
        if ware is not None and state.deals and left:
            before.append(GuideStep(sentences.retired(ware, still_in - 1, len(left)), text("take")))
        elif ware is not None:
            before.append(GuideStep(sentences.laid_out(ware, still_in - 1), text("lay")))
        return Guide(
            before=(*before, GuideStep(sentences.dealing(who, options.hand_size), text("deal"))),
            then=(GuideStep(passing, text("Passing cards")), GuideStep(opener, text("The race"))),
            ready=sentences.ready(options.hand_size),
            now=text("Pass to the left."),
            proof=(passing, opener, *then[:2]),
        )

    def armed_text(self, state: PigState) -> Text:
        """Return who touches or takes first, with a hand of this table's size (PIG-14)."""
        return sentences.race(state.options, self.ware)[0]

    def notes(self, state: PigState) -> tuple[Text, ...]:
        """Return who may talk, how one stays on the nose, and when one deal decides."""
        if rules.winners(state):
            return ()
        said = []
        if state.options.no_talking and state.out:
            players = listing([state.players[seat - 1] for seat in state.out])
            said.append(
                texts(
                    "{players} may talk. Do not answer.",
                    "{players} may talk. Do not answer.",
                    n=len(state.out),
                    players=players,
                )
            )
        if rules.one_deal_decides(state):
            said.append(ONE_DEAL)
        if state.options.hold:
            said.append(LET_GO)
        return tuple(said)

    def describe(self, before: PigState, move: Move, after: PigState) -> Text | None:
        """Return what history says of *move*: who talked to whom (PIG-12)."""
        if not isinstance(move, Talked):
            return None
        return text(
            "{player} talked to {role}, and is out", player=before.players[move.seat - 1], role=self._role
        )

    def revised_verdict(self, state: PigState) -> Verdict | None:
        """Return the verdict that the table gave when the rack was empty (SPN-6)."""
        return None if state.answer is None else Verdict(last=(state.answer,))

    def help(self, options: AnyOptions) -> tuple[Section, ...]:
        """Return the rules as a table with these *options* plays them."""
        return sections(options, self.word, self._role, self.ware)

    def dealt(self, players: int, options: AnyOptions) -> dict[str, Any]:
        """Return spoons, dealer, stock, odd cards and the sentences for seats without names."""
        return sentences.dealt(players, options, self.ware)


# Four of a kind, a silent finger on the nose, and whoever is last gets a letter (PIG-1 to PIG-15).
PIG = Family(
    name="pig",
    title=text("Pig"),
    summary=text(
        "Pass cards to the left until somebody has four of a kind and quietly touches their "
        "nose. Then everybody else does the same. Whoever is last gets a letter."
    ),
    seats=(3, 26),
    word="PIG",
    role=text("a pig"),
    emblem="M12 5a9 7.5 0 1 0 0 15a9 7.5 0 1 0 0-15zM8.5 10a1.6 2.4 0 1 1 0 4.8a1.6 2.4 0 1 1 0-4.8z"
    "M15.5 10a1.6 2.4 0 1 1 0 4.8a1.6 2.4 0 1 1 0-4.8z",
)

# Pig as in Australia; the loser of a deal is the hog, three times hog makes a pig (PIG-13).
HOG = Family(
    name="hog",
    title=text("Hog"),
    summary=text(
        "Pig from Australia: whoever is last is the hog of that deal. Be the hog three times and "
        "you’re a pig."
    ),
    seats=(3, 26),
    word="HOG",
    role=text("a pig"),
    loser=text("the hog"),
    emblem="M12 6a8 7 0 1 0 0 14a8 7 0 1 0 0-14zM9 11a1.5 2.2 0 1 1 0 4.4a1.5 2.2 0 1 1 0-4.4z"
    "M15 11a1.5 2.2 0 1 1 0 4.4a1.5 2.2 0 1 1 0-4.4zM3.6 13L1 6l3.5 4zM20.4 13L23 6l-3.5 4z",
)

# Pig with six lives, a letter of DONKEY each (PIG-7).
DONKEY = Family(
    name="donkey",
    title=text("Donkey"),
    summary=text("Pig with six lives: a longer evening, and nobody is a donkey straight away."),
    seats=(3, 26),
    word="DONKEY",
    role=text("a donkey"),
    emblem="M7 1c2 2 3 5 3 8h4c0-3 1-6 3-8c1.5 3 1.5 7 0 10v5c0 4-2 7-5 7s-5-3-5-7v-5c-1.5-3-1.5-7 0-10z"
    "M9.5 18.5h1.5v1.5h-1.5zM13 18.5h1.5v1.5H13z",
)

# As Pig, but one reaches for a rack with a spoon less than players (SPN-1 to SPN-7).
SPOONS = Family(
    name="spoons",
    title=text("Spoons"),
    summary=text(
        "Pass cards until somebody has four of a kind and takes a spoon from the middle. Then "
        "everybody else may, and there is one too few."
    ),
    seats=(3, 26),
    word="SPOON",
    role=text("a spectator"),
    emblem="M12 1c3 0 4.5 3 4.5 6s-1.5 5-3.5 5.5V22a1 1 0 0 1-2 0v-9.5C9 12 7.5 10 7.5 7S9 1 12 1z",
    ware=RackItem(many=text("spoons"), one=text("one spoon"), who_has_none=text("Who has no spoon?")),
)

# Spoons with sharper tableware (SPN-5).
FORKS_AND_KNIVES = Family(
    name="forks-and-knives",
    title=text("Forks and Knives"),
    summary=text(
        "Spoons for people who trust each other: what lies in the middle is sharper. Reach with care, "
        "handles outwards."
    ),
    seats=(3, 26),
    word="KNIFE",
    role=text("a spectator"),
    emblem="M4 1h1.5v6h1V1H8v6h1V1h1.5v8c0 1.5-1 2.5-2 3v10a1 1 0 0 1-2.5 0V12c-1-.5-2-1.5-2-3z"
    "M15 1c3 1 5 5 5 9v4h-2.5v8a1.2 1.2 0 0 1-2.5 0z",
    ware=RackItem(
        many=text("forks and knives"),
        one=text("one fork or knife"),
        who_has_none=text("Who has neither fork nor knife?"),
    ),
)
