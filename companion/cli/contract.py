"""`lastnose contract`: does this hand lay its contract, and how."""

from __future__ import annotations

import click

from companion.cards import row, shown
from companion.cli.frame import argument, json_option, option, print_json, speak
from companion.cli.frame import command as define
from companion.contracts import Answer, Meld, asked, contract_name, get_contract, write
from companion.text import Text, listing, text, texts


@define(
    "contract",
    help=text(
        "Help with a contract of Swedish Gin Rummy: say whether the hand lays, with the best lay-down and "
        "the discard, or how many cards it is short. Give all the cards you hold, the drawn one too."
    ),
    examples=[
        "lastnose contract 4 3S 4S 5S 6S 8H 9H 10H 2C KD KS 9D 4C",
        "lastnose contract 1 7♠ 7♥ 7♦ K♠ K♥ 3♦ 4♦ 9♣ 10♣ A♦ J♠ 5♥ --json",
    ],
)
@argument("number", type=int)
@argument("cards", nargs=-1, required=True)
@option("--no-extras", is_flag=True, help=text("Further sets and runs wait for a later turn (house rule)."))
@json_option()
def command(number: int, cards: tuple[str, ...], no_extras: bool, as_json: bool) -> int:
    """Print what the hand can do; the status is 1 when it does not lay."""
    contract = get_contract(number)
    answer, draws = asked(number, cards, extras=not no_extras)
    if as_json:
        print_json(write(answer, draws))
    else:
        click.echo(speak(text("Contract {number}: {what}.", number=number, what=contract_name(contract))))
        for sentence in _sentences(answer):
            click.echo(speak(sentence))
        if draws:
            click.echo(speak(text("Any of these would do: {cards}", cards=row([*map(shown, draws)]))))
    return 0 if answer.lays else 1


def _sentences(answer: Answer) -> list[Text]:
    """Return what there is to say, a line each."""
    if not answer.lays:
        held = [row([*map(shown, meld.cards)]) for meld in answer.parts if meld.cards]
        so_far = [text("So far: {melds}", melds=listing(held))] if held else []
        short = texts("It does not lay: {n} card short.", "It does not lay: {n} cards short.", n=answer.short)
        return [short, *so_far]
    lines = [_laid(meld) for meld in answer.melds]
    if answer.discard:
        lines.append(text("Discard: {card}", card=shown(answer.discard)))
    if answer.left:
        left = row([*map(shown, answer.left)])
        lines.append(
            texts("Left: {cards}, {n} point", "Left: {cards}, {n} points", n=answer.points_left, cards=left)
        )
    else:
        lines.append(text("Nothing is left: that closes the hand."))
    return [text("It lays."), *lines]


def _laid(meld: Meld) -> Text:
    cards = row([*map(shown, meld.cards)])
    if meld.kind == "run":
        return text("Run: {cards}", cards=cards)
    return text("Pair: {cards}", cards=cards) if meld.kind == "pair" else text("Set: {cards}", cards=cards)
