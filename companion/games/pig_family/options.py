"""The options of the family. Keys are stable: tapes and saved tables carry them."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from lastnose.companion.core.text import Text, text, texts
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

# ---- what an option and the help say alike

ALIKE = {3: text("three of a kind"), 4: text("four of a kind"), 5: text("four of a kind")}
LET_GO = text("A nose let go before the verdict counts only from its next touch.")
AT_ONCE = text("Whoever is last is out at once.")
LETTERS = text("Whoever is last gets the next letter.")
CROSSES = text("Whoever is last gets a cross. With three crosses you are out.")
CONFIRMED = {
    "confirm": text("With it in your hand, touch your own nose: then it counts."),
    "dock": text("Lay it in your own dock and leave it there: then it counts."),
    "rack-only": text("When the middle is empty, tell the table who has none."),
}
BOTH_WIN = text("When two are left, both have won.")
ONE_DEAL = text("When two are left, one more deal decides: whoever opens it wins, whatever came before.")
DEAD_HEAT = {
    "replay": text("Dead heat: nobody was last, and the round is played again."),
    "share": text(
        "Dead heat: all of them count as last. Where that decides nothing, the round is played again."
    ),
}


def not_talking(role: Text) -> Text:
    """Return what it costs to talk to whoever is out (PIG-12)."""
    return text("Do not talk to {role}: whoever does becomes {role} too. They may talk to you.", role=role)


def fields(word: str, role: Text) -> tuple[OptionField, ...]:
    """Return the options with their sentences; *word* is the game's own, *role* what it calls who is out."""
    quiet = _flag("no_talking", text("Do not talk to {role}", role=role), not_talking(role))
    return (*_penalty(word), *_deck(), hold_field(), quiet, _winners(), dead_heat_field())


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
        _flag("sudden_death", text("Sudden death"), AT_ONCE),
        msgspec.structs.replace(word_field(word), only_if=("sudden_death", False)),
    )


def word_field(word: str) -> OptionField:
    """Return the option which word is spelled, letter by letter: *word* if nobody chooses another."""
    return OptionField(key="word", kind="word", label=text("Word"), explain=LETTERS, default=word)


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
            explain=None,
            default=4,
            choices=tuple(
                Choice(n, texts("{n} card", "{n} cards", n=n), text("Collect {kind}.", kind=kind))
                for n, kind in ALIKE.items()
            ),
        ),
    )


def hold_field() -> OptionField:
    """Return the option to stay on the nose (PIG-5)."""
    return _flag("hold", text("Stay on the nose"), LET_GO)


def _losses() -> OptionField:
    return OptionField(
        key="losses",
        kind="choice",
        label=text("Lives"),
        explain=None,
        default="three",
        choices=(Choice("three", text("Three crosses"), CROSSES), Choice("word", text("Word"), LETTERS)),
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
            Choice("confirm", text("By the nose"), CONFIRMED["confirm"]),
            Choice("dock", text("By a dock"), CONFIRMED["dock"]),
            Choice("rack-only", text("We will say"), CONFIRMED["rack-only"]),
        ),
    )


def _feint() -> OptionField:
    return OptionField(
        key="feint_ms",
        kind="choice",
        label=text("Feints"),
        explain=text("What is back in its cradle this soon, with nothing else touched, was never taken."),
        default=300,
        choices=tuple(Choice(ms, text("{ms} ms", ms=ms)) for ms in (150, 300, 600)),
    )


def _winners() -> OptionField:
    return OptionField(
        key="winners",
        kind="choice",
        label=text("How it ends"),
        explain=None,
        default=2,
        choices=(Choice(2, text("Two winners"), BOTH_WIN), Choice(1, text("One winner"), ONE_DEAL)),
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
            Choice("replay", text("Play again"), DEAD_HEAT["replay"]),
            Choice("share", text("Share it"), DEAD_HEAT["share"]),
        ),
    )
