"""The rules of the family to read aloud, as a table with its options plays them."""

from __future__ import annotations

from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.games.pig_family.options import (
    AT_ONCE,
    BOTH_WIN,
    CROSSES,
    DEAD_HEAT,
    LET_GO,
    ONE_DEAL,
    AnyOptions,
    RackOptions,
    not_talking,
)
from lastnose.companion.games.pig_family.sentences import RackItem, kind, race
from lastnose.companion.games.rules.checks import letters_of
from lastnose.companion.games.rules.game import A_NOSE, Section, round_table


def sections(options: AnyOptions, word: str, role: Text, ware: RackItem | None) -> tuple[Section, ...]:
    """Return the help of a game whose loser is *role*; with *ware* one reaches for a rack."""
    return (
        Section(text("Aim"), (*_what_is_touched(options, ware), aim(kind(options)))),
        Section(text("Passing cards"), _passing(options), None if options.stock else _ROUND),
        Section(text("The race"), (*race(options, ware), *_feints(options))),
        Section(text("If you’re last"), _penalty(options, role, ware)),
        Section(text("The end"), _end(options)),
        Section(text("At this table"), _house(options, role)),
        Section(text("Tips"), _tips(options, ware)),
    )


FROM_ABOVE = text("The table from above: cards go to the left neighbour, clockwise.")
_ROUND = round_table(FROM_ABOVE, at_once=True)


def _what_is_touched(options: AnyOptions, ware: RackItem | None) -> tuple[Text, ...]:
    """Return what a nose is, where any is touched; a spoon may count on its dock, or as it is taken."""
    return (A_NOSE,) if ware is None or options.confirm == "confirm" else ()


def aim(alike: Text) -> Text:
    """Return what everybody wants: cards that are *alike*."""
    return text("Collect {kind}, and never be last.", kind=alike)


def _passing(options: AnyOptions) -> tuple[Text, ...]:
    no_turns = text(
        "There are no turns: as fast as you like, one card at a time. Never hold more than {n} cards: "
        "first put one down, then pick one up.",
        n=options.hand_size,
    )
    if options.stock:
        return (
            text(
                "Everybody gets {n} cards of whole packs. The rest is the stock, on the dealer’s right; it "
                "stays when somebody drops out.",
                n=options.hand_size,
            ),
            text(
                "The dealer draws from the stock and passes cards on to the left, face down. Whoever sits on "
                "the dealer’s right discards; the discards are the next stock."
            ),
            no_turns,
            text("Whoever took the first one deals the next; only you know who.")
            if options.confirm == "rack-only"
            else text("Whoever opened a round deals the next."),
        )
    return (
        deck_of(_each(options)),
        text(
            "All at once: put a card you do not want to your left, face down; pick up from the player on "
            "your right."
        ),
        no_turns,
        text("The deal passes to the left after every round."),
    )


def _each(options: AnyOptions) -> Text:
    """Return what the deck has for each player (PIG-3, PIG-14)."""
    return text("five cards") if options.hand_size == 5 else kind(options)


def deck_of(alike: Text) -> Text:
    """Return which cards are in play where everybody's hand could be *alike*."""
    return text("The deck has {kind} for each player; the table says which.", kind=alike)


def _feints(options: AnyOptions) -> tuple[Text, ...]:
    if not isinstance(options, RackOptions) or options.confirm == "rack-only":
        return ()  # there the table is asked once the rack is empty, and not before
    return (
        text(
            "What is back in its cradle within {ms} ms, with nothing else touched, was only a feint. "
            "Where nobody can tell, ten seconds after the last touch the table is asked.",
            ms=options.feint_ms,
        ),
    )


def _penalty(options: AnyOptions, role: Text, ware: RackItem | None) -> tuple[Text, ...]:
    things = [*(() if options.stock else (_each(options),)), *(() if ware is None else (ware.one,))]
    leave = (_taken_away(things),) if things else ()
    if options.sudden_death:
        return (AT_ONCE, *leave)
    if isinstance(options, RackOptions) and options.losses == "three":
        return (CROSSES, *leave)
    return (
        texts(
            "Whoever is last gets the letter {word}, and is out: {role}.",
            "Whoever is last gets the next letter of {word}. With all {n} you are out: {role}.",
            n=len(letters_of(options.word)),
            word=options.word,
            role=role,
        ),
        *leave,
    )


def _taken_away(things: list[Text]) -> Text:
    return text(
        "Each time a player drops out, take {things} away (the table says which).", things=listing(things)
    )


def _end(options: AnyOptions) -> tuple[Text, ...]:
    return (BOTH_WIN if options.winners == 2 else ONE_DEAL,)


def _house(options: AnyOptions, role: Text) -> tuple[Text, ...]:
    said = [LET_GO] if options.hold else []
    if options.no_talking:
        said.append(not_talking(role))
    return (*said, DEAD_HEAT[options.dead_heat], *APPEALS)


APPEALS = (
    text(
        "Not agreed? Until the next deal the host may protest: tap the ±, and the round is judged again. "
        "Where evidence comes too late and says otherwise, the verdict is withdrawn: deal again."
    ),
    text("Whoever began too early: the table may count them last, or not count the round."),
)


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
