"""`lastnose contract`: can this hand lay down, and how; what can be added to the table after that."""

from __future__ import annotations

from collections.abc import Sequence

import click
from lastnose.companion.cli.frame import argument, define, json_option, option, print_json, speak
from lastnose.companion.core.text import Text, listing, text
from lastnose.companion.games.pieces.cards import Card, read_cards, row, shown
from lastnose.companion.games.swedish_gin.answers import counted, drawing, kept, rest, verdict
from lastnose.companion.games.swedish_gin.contracts.melds import (
    CONTRACTS,
    Meld,
    contract_name,
    get_contract,
    in_turn,
)
from lastnose.companion.games.swedish_gin.contracts.solve import Solution, asked, write


@define(
    "contract",
    examples=[
        "lastnose contract 4 3S 4S 5S 6S 8H 9H 10H 2C KD KS 9D 4C",
        "lastnose contract 1 7♠ 7♥ 7♦ K♠ K♥ 3♦ 4♦ 9♣ 10♣ A♦ J♠ 5♥ --json",
        'lastnose contract 1 --laid --table "5S 6S 7S" --table "KS KH KC" 8S KD 4C',
    ],
)
@argument("number", type=click.IntRange(1, len(CONTRACTS)))
@argument("cards", nargs=-1, required=True)
@option("--no-extras", is_flag=True, help=text("Further sets and runs wait for a later turn (house rule)."))
@option(
    "--table",
    "table",
    multiple=True,
    metavar="MELD",
    help=text("A meld on the table, in quotes, to which cards may be added; as often as there are melds."),
)
@option("--laid", is_flag=True, help=text("Your contract is down already: what can be laid and added now?"))
@json_option
def command(
    number: int,
    cards: tuple[str, ...],
    no_extras: bool,
    table: tuple[str, ...],
    laid: bool,
    as_json: bool,
) -> int:
    """Print what the hand can do; the status is 1 when it cannot lay, or add anything."""
    contract = get_contract(number)
    answer, draws = asked(number, cards, extras=not no_extras, table=table, laid=laid)
    if as_json:
        print_json(write(answer, draws))
    else:
        click.echo(speak(text("Contract {number}: {what}.", number=number, what=contract_name(contract))))
        held = len(read_cards(cards))
        count = () if laid else counted(contract, held)
        for sentence in _after(answer) if laid else _sentences(answer):
            if not (count and in_turn(held) is None and sentence == rest(answer)):
                click.echo(speak(sentence))
        for sentence in count:
            click.echo(speak(sentence))
        if draws:
            click.echo(speak(_line(text("Any of these would do"), draws)))
    return 0 if answer.lays and (not laid or answer.melds or answer.added) else 1


def _sentences(answer: Solution) -> list[Text]:
    """Return what there is to say, a line each."""
    still = drawing(answer) if answer.drawing else ()
    if not answer.lays:
        held = [row([*map(shown, meld.cards)]) for meld in answer.parts if meld.cards]
        so_far = [text("So far: {melds}", melds=listing(held))] if held else []
        return [verdict(answer), *still, *so_far]
    return [verdict(answer), *still, *_lines(answer)]


def _after(answer: Solution) -> list[Text]:
    """Return what there is to say once the contract lies."""
    nothing = [] if answer.melds or answer.added else [text("Nothing can be laid or added.")]
    return [*nothing, *_lines(answer)]


def _lines(answer: Solution) -> list[Text]:
    """Return what is laid, added and left, a line each."""
    lines = [_laid(meld) for meld in answer.melds]
    lines += [_line(text("To {meld}", meld=_row(one.meld.cards)), one.cards) for one in answer.added]
    if answer.discard and not answer.drawing:
        lines.append(_line(text("Discard"), [answer.discard]))
    if left := kept(answer):
        label = text("Left, with the card you draw") if answer.drawing else text("Left in hand")
        lines.append(_line(label, left))
    if not answer.drawing:
        lines.append(rest(answer))
    return lines


def _laid(meld: Meld) -> Text:
    if meld.kind == "run":
        return _line(text("A run"), meld.cards)
    return _line(text("A pair") if meld.kind == "pair" else text("A set"), meld.cards)


def _line(label: Text, cards: Sequence[Card]) -> Text:
    return text("{what}: {says}", what=label, says=_row(cards))


def _row(cards: Sequence[Card]) -> Text | str:
    return row([*map(shown, cards)])
