"""The options of the family. Keys are stable: tapes and saved tables carry them."""

from __future__ import annotations

import msgspec

from companion.games.game import Choice, OptionField
from companion.text import Text, text


class Options(msgspec.Struct, frozen=True):
    """How a table plays; `option_fields` says what each means and what it is when nobody chose."""

    stock: bool
    hand_size: int
    word: str
    sudden_death: bool
    hold: bool
    no_talking: bool
    winners: int
    dead_heat: str


def fields(word: str, role: Text) -> tuple[OptionField, ...]:
    """Return the options with their sentences; *word* is the game's own, *role* what it calls who is out."""
    return (*_penalty(word), *_deck(), *_manners(role), _winners(), _dead_heat())


def _flag(key: str, label: Text, explain: Text) -> OptionField:
    return OptionField(key=key, kind="flag", label=label, explain=explain, default=False)


def _penalty(word: str) -> tuple[OptionField, OptionField]:
    return (
        _flag(
            "sudden_death",
            text("Sudden death"),
            text("Whoever is last is out at once. A short evening, and a cruel one."),
        ),
        OptionField(
            key="word",
            kind="word",
            label=text("Word"),
            explain=text("Whoever is last gets the next letter, and is out when the word is complete."),
            default=word,
            only_if=("sudden_death", False),
        ),
    )


def _deck() -> tuple[OptionField, OptionField]:
    return (
        _flag(
            "stock",
            text("With a stock"),
            text(
                "Play with whole packs: the dealer draws from the stock. The deck stays when somebody leaves."
            ),
        ),
        OptionField(
            key="hand_size",
            kind="choice",
            label=text("Cards each"),
            explain=text("How many cards everybody holds."),
            default=4,
            choices=(
                Choice(3, text("Three"), text("Collect three of a kind. Quick, good with small hands.")),
                Choice(4, text("Four"), text("Collect four of a kind. The usual game.")),
                Choice(5, text("Five"), text("Collect four of a kind, with a fifth card in the way.")),
            ),
        ),
    )


def _manners(role: Text) -> tuple[OptionField, OptionField]:
    return (
        _flag(
            "hold",
            text("Stay on the nose"),
            text("A nose let go before the verdict counts only from its next touch."),
        ),
        _flag(
            "no_talking",
            text("Do not talk to {role}", role=role),
            text("Whoever talks to a player who is out becomes {role} as well, at once.", role=role),
        ),
    )


def _winners() -> OptionField:
    return OptionField(
        key="winners",
        kind="choice",
        label=text("How it ends"),
        explain=text("When two players are left, or with one deal more."),
        default=2,
        choices=(
            Choice(2, text("Two winners"), text("When two are left, both win.")),
            Choice(1, text("One winner"), text("When two are left, one more deal decides: its opener wins.")),
        ),
    )


def _dead_heat() -> OptionField:
    return OptionField(
        key="dead_heat",
        kind="choice",
        label=text("Dead heat"),
        explain=text("When the last noses cannot be told apart."),
        default="replay",
        choices=(
            Choice(
                "replay", text("Play again"), text("Nobody gets a letter, and the same dealer deals again.")
            ),
            Choice("share", text("Share it"), text("All of them get the letter.")),
        ),
    )
