"""The rules of the games in turns to read aloud, and the option they share (MAG-1 to MAG-5, MAG-8)."""

from __future__ import annotations

from lastnose.companion.core.text import Text, text
from lastnose.companion.games.magarac_family.game import (
    EVERYBODY_TOO,
    FOUR,
    REFUSING,
    SLAP,
    TRAVELLING,
    TurnOptions,
)
from lastnose.companion.games.pig_family.help import APPEALS, FROM_ABOVE, aim, deck_of
from lastnose.companion.games.pig_family.options import ALIKE, DEAD_HEAT, LET_GO
from lastnose.companion.games.rules.game import A_NOSE, OptionField, Section, round_table
from lastnose.companion.games.rules.prompts import Choice


def travel_field() -> OptionField:
    """Return the option of the travel card (MAG-8)."""
    return OptionField(
        key="travel_card",
        kind="flag",
        label=text("Travel card"),
        explain=text("One card too many goes round, and spoils the hand it is in."),
        default=False,
    )


def challenge_field() -> OptionField:
    """Return the option how long the table asks who kept silent (MAG-4)."""
    return OptionField(
        key="challenge_s",
        kind="choice",
        label=text("Who kept silent?"),
        explain=text("After the verdict the table asks who slapped without a shout."),
        default=10,
        choices=(
            Choice(10, text("Ten seconds"), text("Later only the host can say it.")),
            Choice(0, text("Until the next deal")),
        ),
    )


def sections(
    options: TurnOptions, penalty: tuple[Text, ...], tips: tuple[Text, ...] = ()
) -> tuple[Section, ...]:
    """Return the help of a game in turns with its own *penalty*, and *tips* of its own."""
    travel = (Section(text("Travel card"), _travel()),) if options.travel_card else ()
    return (
        Section(
            text("Aim"),
            (A_NOSE, aim(ALIKE[FOUR])),
        ),
        Section(text("Passing cards"), _passing(options), _ROUND),
        Section(text("The race"), _race()),
        *travel,
        Section(text("If you’re last"), penalty),
        Section(text("At this table"), _house(options)),
        Section(text("Tips"), (*_tips(options), *tips)),
    )


_ROUND = round_table(FROM_ABOVE, at_once=False)


def _passing(options: TurnOptions) -> tuple[Text, ...]:
    held = (
        text("Everybody holds four cards, and five in their turn.")
        if options.travel_card
        else text(
            "Whoever started holds four cards in their turn and three otherwise, the others five and four."
        )
    )
    return (
        deck_of(ALIKE[FOUR]),
        text(
            "Who deals first is drawn by lot. The dealer shuffles and deals all cards, four each, clockwise."
        ),
        text(
            "The player on the dealer’s left starts, and passes one card to the left, face down. Then each "
            "in turn looks at what has come and passes one card on: any card, the new one too. Whoever has "
            "four of a kind passes nothing."
        ),
        held,
        text("The deal passes to the left after every round."),
    )


def _race() -> tuple[Text, ...]:
    return (
        SLAP,
        EVERYBODY_TOO,
        text(
            "The slap and the shout: one without the other does not count. Did somebody slap in silence? Say "
            "so before the next deal, and the round is judged again."
        ),
    )


def _travel() -> tuple[Text, ...]:
    return (
        text("One extra card makes the journey: the 7♦, or a joker from eight players on."),
        *TRAVELLING,
        REFUSING,
    )


def _house(options: TurnOptions) -> tuple[Text, ...]:
    return (*((LET_GO,) if options.hold else ()), DEAD_HEAT[options.dead_heat], *APPEALS)


def _tips(options: TurnOptions) -> tuple[Text, ...]:
    common = (
        text("Good reflexes help; open ears help more. Listen for the shout, not only for the slap."),
        text(
            "Never break a pair, unless your other three cards are alike. See what your left neighbour does "
            "with your card: whoever keeps it collects that rank."
        ),
        text("With three or four players you can hold one card of every rank: then nobody else can finish."),
    )
    if not options.travel_card:
        return common
    return (
        *common,
        text(
            "Watch faces: they often tell where the travel card is. Sure that your right neighbour does not "
            "have it? Refuse: the next card may be better."
        ),
    )
