"""The rules of the family to read aloud, as a table with these options plays them."""

from __future__ import annotations

from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.games.pig_family.deck_texts import RackItem, kind
from lastnose.companion.games.pig_family.options import AnyOptions, RackOptions
from lastnose.companion.games.rules.checks import letters_of
from lastnose.companion.games.rules.game import A_NOSE, Section, round_table


def sections(options: AnyOptions, word: str, role: Text, ware: RackItem | None) -> tuple[Section, ...]:
    """Return the help of a game whose loser is *role*; with *ware* one reaches for a rack."""
    return (
        Section(
            text("Aim"), (*_what_is_touched(options, ware), _aim(options), text("And never to be last."))
        ),
        Section(text("Passing cards"), _passing(options), None if options.stock else _ROUND),
        Section(text("The race"), _race(options, ware)),
        Section(text("If you’re last"), _penalty(options, role, ware)),
        Section(text("The end"), _end(options)),
        Section(text("At this table"), _house(options, role)),
        Section(text("Tips"), _tips(options, ware)),
    )


_ROUND = round_table(
    text("The table from above: everybody passes a card to the left neighbour at once, clockwise."),
    at_once=True,
)


def _what_is_touched(options: AnyOptions, ware: RackItem | None) -> tuple[Text, ...]:
    """Return what a nose is, where any is touched; a spoon may count on its dock, or as it is taken."""
    return (A_NOSE,) if ware is None or options.confirm == "confirm" else ()


def _aim(options: AnyOptions) -> Text:
    if options.hand_size == 5:
        return text("Four of a kind among the five cards in your hand.")
    return text("Collect {kind}: your whole hand alike.", kind=kind(options))


def _passing(options: AnyOptions) -> tuple[Text, ...]:
    most = text("Never hold more than {n} cards: first put one down, then pick one up.", n=options.hand_size)
    no_turns = text("There are no turns: as fast as you like, one card at a time.")
    if options.stock:
        return (
            text(
                "Everybody gets {n} cards of whole packs. The rest is the stock, on the dealer’s right; it "
                "stays when somebody drops out.",
                n=options.hand_size,
            ),
            text("The dealer draws from the stock and passes a card on to the left, face down."),
            text("Whoever sits on the dealer’s right discards; the discards are the next stock."),
            no_turns,
            most,
            text("Whoever took the first one deals the next: you know who, the table does not.")
            if options.confirm == "rack-only"
            else text("Whoever opened a round deals the next."),
        )
    return (
        _deck(options),
        text(
            "All at once: put a card you do not want to your left, face down; pick up from the player on "
            "your right."
        ),
        no_turns,
        most,
        text("The deal passes to the left."),
    )


def _deck(options: AnyOptions) -> Text:
    if options.hand_size == 5:
        return text("The deck has five cards for each player; the table says which.")
    return deck_of(kind(options))


def deck_of(alike: Text) -> Text:
    """Return which cards are in play where everybody's hand could be *alike*."""
    return text("The deck has {kind} for each player; the table says which.", kind=alike)


def _race(options: AnyOptions, ware: RackItem | None) -> tuple[Text, ...]:
    if ware is None:
        return (
            text("Whoever has {kind} touches the nose, silently, and stays there.", kind=kind(options)),
            text("Then everybody else may do the same, whatever cards they hold. One of you will be last."),
        )
    return (
        text("Whoever has {kind} takes {one} from the middle.", kind=kind(options), one=ware.one),
        text("Then everybody else may take one. There’s one fewer than there are players."),
        *_confirming(options),
        *((_feints(options),) if isinstance(options, RackOptions) else ()),
    )


def _feints(options: RackOptions) -> Text:
    return text(
        "What is back in its cradle within {ms} ms, with nothing else touched, was only a feint. "
        "Where nobody can tell, ten seconds after the last touch the table is asked.",
        ms=options.feint_ms,
    )


def _confirming(options: AnyOptions) -> tuple[Text, ...]:
    phantom = text("A touch with nothing taken before it is a phantom: it is shown, and does not count.")
    match options.confirm:
        case "confirm":
            return (text("With it in your hand, touch your own nose: then it counts."), phantom)
        case "dock":
            return (text("Lay it in your own dock and leave it there: then it counts."), phantom)
        case _:
            return (text("When the middle is empty, tell the table who has none."),)


def _penalty(options: AnyOptions, role: Text, ware: RackItem | None) -> tuple[Text, ...]:
    leave = () if options.stock else (_taking_out(options),)
    if ware is not None:
        leave = (*leave, text("Each time a player drops out, {one} goes too.", one=ware.one))
    if options.sudden_death:
        return (text("Whoever is last is out at once."), *leave)
    if isinstance(options, RackOptions) and options.losses == "three":
        return (text("Whoever is last gets a cross. With three crosses you are out."), *leave)
    return (
        texts(
            "Whoever is last gets the letter {word}, and is out.",
            "Whoever is last gets the next letter of {word}. With all {n} you are out.",
            n=len(letters_of(options.word)),
            word=options.word,
        ),
        text("Whoever is out is {role}.", role=role),
        *leave,
    )


def _taking_out(options: AnyOptions) -> Text:
    if options.hand_size == 5:
        return text("Each time a player drops out, take five cards out of the deck (the table says which).")
    return text(
        "Each time a player drops out, {kind} goes out of the deck too (the table says which).",
        kind=kind(options),
    )


def _end(options: AnyOptions) -> tuple[Text, ...]:
    if options.winners == 2:
        return (text("When two are left, both have won."),)
    return (text("When two are left, one more deal decides: whoever opens it wins, whatever came before."),)


def _house(options: AnyOptions, role: Text) -> tuple[Text, ...]:
    said = []
    if options.hold:
        said.append(text("A nose let go before the verdict counts only from its next touch."))
    if options.no_talking:
        said.append(
            text("Do not talk to {role}: whoever does becomes {role} too. They may talk to you.", role=role)
        )
    said += [dead_heat_line(options.dead_heat), *APPEALS]
    said.append(text("Whoever began too early: the table may count them last, or not count the round."))
    return tuple(said)


APPEALS = (
    text("Not agreed? Until the next deal the host may protest: tap the ±, and the round is judged again."),
    text("Where evidence comes too late and says otherwise, the verdict is withdrawn: deal again."),
)


def dead_heat_line(dead_heat: str) -> Text:
    """Return what becomes of those who cannot be told apart."""
    if dead_heat == "share":
        return text("Dead heat: all of them count as last.")
    return text("Dead heat: nobody was last, and the round is played again.")


def _tips(options: AnyOptions, ware: RackItem | None) -> tuple[Text, ...]:
    watch = (
        text("Look up from your cards. Most people who are last were studying them.")
        if ware is None
        else text("One eye on your cards, one on the middle. A hand that moves slowly is already too late.")
    )
    pairs = text("Keep pairs together. A card that comes back to you is one your neighbour does not want.")
    if not options.stock:
        return (watch, pairs)
    return (watch, pairs, text("With a stock the dealer never has to wait: a small lead, gladly taken."))
