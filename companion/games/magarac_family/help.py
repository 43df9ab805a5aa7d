"""The rules of the games in turns to read aloud, and the option they share (MAG-1 to MAG-5, MAG-8)."""

from __future__ import annotations

from lastnose.companion.core.text import Text, text
from lastnose.companion.games.magarac_family.game import TurnOptions, travel_notes
from lastnose.companion.games.pig_family.help import APPEALS, dead_heat_line, deck_of
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
            Choice(
                10,
                text("Ten seconds"),
                text("The seconds are counted down. Later the host can still say it."),
            ),
            Choice(0, text("Until the next deal"), text("No hurry: until the next round is judged.")),
        ),
    )


def sections(
    options: TurnOptions, penalty: tuple[Text, ...], tips: tuple[Text, ...] = ()
) -> tuple[Section, ...]:
    """Return the help of a game in turns with its own *penalty*, and *tips* of its own."""
    travel = (Section(text("The travel card"), _travel()),) if options.travel_card else ()
    return (
        Section(
            text("Aim"),
            (
                A_NOSE,
                text("Four of a kind. And never to be last."),
            ),
        ),
        Section(text("Passing cards"), _passing(options), _ROUND),
        Section(text("The race"), _race(options)),
        *travel,
        Section(text("If you’re last"), penalty),
        Section(text("At this table"), _house(options)),
        Section(text("Tips"), (*_tips(options), *tips)),
    )


_ROUND = round_table(
    text("The table from above: one card goes to the left neighbour, then the next one, clockwise."),
    at_once=False,
)


def _passing(options: TurnOptions) -> tuple[Text, ...]:
    held = (
        text("Everybody holds four cards, and five in their turn.")
        if options.travel_card
        else text(
            "Whoever started holds four cards in their turn and three otherwise, the others five and four."
        )
    )
    return (
        deck_of(text("four of a kind")),
        text(
            "Who deals first is drawn by lot. The dealer shuffles and deals all cards, four each, clockwise."
        ),
        text("The player on the dealer’s left starts, and passes one card to the left, face down."),
        text("Then each in turn looks at what has come and passes one card on: any card, the new one too."),
        held,
        text("Whoever has four of a kind passes nothing."),
        text("The deal passes to the left after every round."),
    )


def _race(options: TurnOptions) -> tuple[Text, ...]:
    return (
        text(
            "With four of a kind, slap your button (your nose) and shout “Vatra!”, “Fire!”. "
            "Everybody else must too."
        ),
        text("The slap and the shout: one without the other does not count."),
        text("Did somebody slap in silence? Say so within ten seconds, and the round is judged again.")
        if options.challenge_s
        else text(
            "Did somebody slap in silence? Say so before the next deal, and the round is judged again."
        ),
    )


def _travel() -> tuple[Text, ...]:
    return (
        text("One extra card makes the journey: the 7♦, or a joker from eight players on."),
        text("The extra card goes to whoever starts, who has five cards."),
        text(
            "Before play whoever holds the travel card, starter or not, shows it to all, then shuffles it "
            "into their hand, unseen."
        ),
        *travel_notes(),
    )


def _house(options: TurnOptions) -> tuple[Text, ...]:
    hold = (
        (text("A nose let go before the verdict counts only from its next touch."),) if options.hold else ()
    )
    return (
        *hold,
        dead_heat_line(options.dead_heat),
        *APPEALS,
        text("Whoever began too early: the table may count them last, or not count the round."),
    )


def _tips(options: TurnOptions) -> tuple[Text, ...]:
    common = (
        text("Good reflexes help; open ears help more. Listen for the shout, not only for the slap."),
        text("Never break a pair, unless your other three cards are alike."),
        text("See what your left neighbour does with your card: whoever keeps it collects that rank."),
        text("With three or four players you can hold one card of every rank: then nobody else can finish."),
    )
    if not options.travel_card:
        return common
    return (
        *common,
        text("Watch faces: they often tell where the travel card is."),
        text(
            "Sure that the player on your right does not hold the travel card? Refuse: the next card may be "
            "better."
        ),
    )
