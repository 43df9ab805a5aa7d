"""The options of the family. Keys are stable: tapes and saved tables carry them."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from lastnose.companion.core.text import Text, text
from lastnose.companion.games.rules.checks import letters_of
from lastnose.companion.games.rules.game import OptionField
from lastnose.companion.games.rules.prompts import Choice


class Common(msgspec.Struct, frozen=True, kw_only=True):
    """What every game of the family lets its table choose."""

    dead_heat: str


class Dealt(Common, frozen=True, kw_only=True):
    """How a table plays a game in which players leave."""

    stock: bool
    hand_size: int
    word: str
    sudden_death: bool
    winners: int

    @property
    def marks(self) -> tuple[str, ...]:
        """What whoever is last collects, one by one, until they are out; nothing in sudden death."""
        return () if self.sudden_death else letters_of(self.word)


class Options(Dealt, frozen=True, kw_only=True):
    """How a table plays with noses; `option_fields` says what each means and what it is by default."""

    confirm: ClassVar[None] = None
    hold: bool
    no_talking: bool


class RackOptions(Dealt, frozen=True, kw_only=True):
    """How a table plays with a rack: three strikes or a word, and how a spoon finds its player (SPN-6)."""

    hold: ClassVar[bool] = False
    no_talking: ClassVar[bool] = False
    losses: str
    confirm: Literal["confirm", "dock", "rack-only"]
    feint_ms: int

    @property
    def marks(self) -> tuple[str, ...]:
        """What whoever is last collects: strikes, or the letters of the word (SPN-3)."""
        return STRIKES if self.losses == "three" and not self.sudden_death else super().marks


AnyOptions = Options | RackOptions
STRIKES = ("X", "X", "X")


def fields(word: str, role: Text) -> tuple[OptionField, ...]:
    """Return the options with their sentences; *word* is the game's own, *role* what it calls who is out."""
    return (*_penalty(word), *_deck(), hold_field(), _no_talking(role), _winners(), dead_heat_field())


def rack_fields(word: str) -> tuple[OptionField, ...]:
    """Return the options of a game with a rack; *word* is the one to spell when a word is wanted."""
    cruel, spelled = _penalty(word)
    return (
        cruel,
        _losses(),
        msgspec.structs.replace(spelled, only_if=("losses", "word")),
        _confirm(),
        _feint(),
        *_deck(),
        _winners(),
        dead_heat_field(),
    )


def _flag(key: str, label: Text, explain: Text) -> OptionField:
    return OptionField(key=key, kind="flag", label=label, explain=explain, default=False)


def _penalty(word: str) -> tuple[OptionField, OptionField]:
    return (
        _flag(
            "sudden_death",
            text("Sudden death"),
            text("Whoever is last is out at once."),
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


def hold_field() -> OptionField:
    """Return the option to stay on the nose (PIG-5)."""
    return _flag(
        "hold",
        text("Stay on the nose"),
        text("A nose let go before the verdict counts only from its next touch."),
    )


def _no_talking(role: Text) -> OptionField:
    return _flag(
        "no_talking",
        text("Do not talk to {role}", role=role),
        text("Whoever talks to a player who is out becomes {role} as well, at once.", role=role),
    )


def _losses() -> OptionField:
    return OptionField(
        key="losses",
        kind="choice",
        label=text("Lives"),
        explain=text("How many times you can be last before you’re out."),
        default="three",
        choices=(
            Choice(
                "three",
                text("Three crosses"),
                text("Whoever is last gets a cross. With three crosses you are out."),
            ),
            Choice(
                "word",
                text("A word"),
                text("Whoever is last gets the next letter, and is out when the word is complete."),
            ),
        ),
        only_if=("sudden_death", False),
    )


def _confirm() -> OptionField:
    return OptionField(
        key="confirm",
        kind="choice",
        label=text("Who has one"),
        explain=text("A cradle knows that something was taken, not by whom."),
        default="confirm",
        choices=(
            Choice("confirm", text("By the nose"), text("Take one, then touch your own nose.")),
            Choice("dock", text("By a dock"), text("Take one, then lay it in your own dock.")),
            Choice("rack-only", text("We will say"), text("When the rack is empty, the table is asked.")),
        ),
    )


def _feint() -> OptionField:
    return OptionField(
        key="feint_ms",
        kind="choice",
        label=text("Feints"),
        explain=text("What is back in its cradle this soon, with nothing else touched, was never taken."),
        default=300,
        choices=tuple(
            Choice(ms, text("{ms} ms", ms=ms), explain)
            for ms, explain in (
                (150, text("For quick fingers.")),
                (300, text("The usual time.")),
                (600, text("For a table that likes to bluff.")),
            )
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
            Choice(2, text("Two winners"), text("When two are left, both have won.")),
            Choice(
                1,
                text("One winner"),
                text(
                    "When two are left, one more deal decides: whoever opens it wins, whatever came before."
                ),
            ),
        ),
    )


def dead_heat_field() -> OptionField:
    """Return the option for those who cannot be told apart (law 4)."""
    return OptionField(
        key="dead_heat",
        kind="choice",
        label=text("Dead heat"),
        explain=text("When nobody can tell who was last."),
        default="replay",
        choices=(
            Choice(
                "replay",
                text("Play again"),
                text("Dead heat: nobody was last, and the round is played again."),
            ),
            Choice("share", text("Share it"), text("Dead heat: all of them count as last.")),
        ),
    )
