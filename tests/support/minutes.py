"""Minutes of evenings: what people do at a table (`$ …`), and below it the words that its game says of it.

Letters, points, totals, deals and decks are not in them: those are worked out another way, by the umpires of
`tests.games.test_umpire`, who hear the same. A file is written down once, read against the rules, and held
to from then on. What games say now is written below what is done by `python -m tests.support.minutes FILE…`.

- `$ table pig Ana Ben Cem stock=true`: a new game; all that it says, and from then on what is new.
- `$ last 3 of 1 2 3`: a round is judged, touched in that order; several last are a dead heat. `$ void`.
  `$ first 1 of 1 2 3 early 4`: the same of who was first, and who began too early; `$ nobody`.
- `$ points`: what everybody has and who has won, of games that no umpire hears.
  `$ teams 1 3 | 2 4`: who plays with whom.
- `$ {"type": "starts", "seat": 1}`: a move; one that is refused says the rule.
- `$ score 3 1 45`, or with pieces `$ score 3 1 7S 2H`: what is left in hand 3 of seat 1.
- `$ ask contract 4 3S 4S | 9H`: the rules are asked about pieces in hand 4 (`-`: in this one), with groups
  on the table.
- `$ people Ana Dora`: what it would be if these played on from here. `$ circle Ana Dora`: they do.
- `$ options pig`, `$ help pig stock=true`, `$ deal pig 7 stock=true`: what the game says without a table; of
  help with options, what differs from help without.
- `$ count swedish-gin 7S 2H`: what a hand costs. `$ calculate swedish-gin contract {"number": 1, …}`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from lastnose.companion.core.errors import BadInput, IllegalMove, NotNow
from lastnose.companion.core.model import Press, Verdict
from lastnose.companion.core.text import Text, text
from lastnose.companion.games import AnyGame, deal, get_game
from lastnose.companion.games.pieces.cards import Card
from lastnose.companion.games.rules.carried import Sat
from lastnose.companion.games.rules.game import Diagram
from lastnose.companion.games.rules.prompts import Choice, Key

FOLDER = Path(__file__).parents[1] / "games" / "minutes"
NOTHING: tuple[object, ...] = ((), "")
MOST_SHOWN = 14  # of a list of numbers or pieces
# What umpires work out (`tests.games.test_umpire`) is not written down here.
FIGURES = ("packs", "ranks", "cards", "each", "spoons", "dealer", "stock", "odd")
UMPIRED = ("pig", "hog", "donkey")
NOT_SHOWN = {"verdict", "before"}  # of a state: they are shown where they come from


def said(value: Any) -> str:
    """Return a value as minutes write it: fields that hold nothing are left out."""
    match value:
        case Text() | Card():
            return f"“{value}”"
        case Choice(chosen, label, explain):
            return f"{chosen}: “{label}” “{explain}”"
        case Key(_, label, choices):
            return f"{label} → {said(choices)}"
        case Diagram():
            return f"a drawing, “{value.says}”"
        case msgspec.Struct():
            return f"{type(value).__name__}({', '.join(_fields(value))})"
        case tuple() if len(value) > MOST_SHOWN and isinstance(value[0], str | int):
            whole = f", {sum(value)} together" if isinstance(value[0], int) else ""
            return f"[{value[0]} … {value[-1]}: {len(value)}{whole}]"
        case tuple() | list():
            return f"[{', '.join(map(said, value))}]"
        case dict():
            return "{" + ", ".join(f"{key}: {said(one)}" for key, one in value.items()) + "}"
    return str(value)


_known = cache(msgspec.structs.fields)  # which else works each out again


def _fields(struct: msgspec.Struct) -> Iterator[str]:
    for field in _known(type(struct)):
        held = getattr(struct, field.name)
        usual = isinstance(held, msgspec.Struct | tuple) and held == field.default
        if not (usual or held is None or held is False or held in NOTHING or field.name in NOT_SHOWN):
            yield f"{field.name}={said(held)}"


def _lines(what: str, value: Any) -> list[str]:
    """Return *value* as lines, one for each of several."""
    if value is None or value == ():
        return []
    if isinstance(value, tuple) and isinstance(value[0], int | str):
        return [f"{what} {' '.join(map(str, value))}"]
    if isinstance(value, tuple):
        return [f"{what} {said(one)}" for one in value]
    if isinstance(value, msgspec.Struct) and not isinstance(value, Text):
        held = [(field.name, getattr(value, field.name), field.default) for field in _known(type(value))]
        return [line for name, one, usual in held if one != usual for line in _lines(f"{what}.{name}", one)]
    return [f"{what} {said(value)}"]


class Minutes:
    """Does what the lines say, one after the other, and tells what the game says."""

    def __init__(self) -> None:
        self._game: AnyGame | None = None
        self._state: Any = None
        self._shown: list[str] = []
        self._left: dict[str, Sat] = {}  # where everybody sat before the newest circle

    @property
    def table(self) -> tuple[AnyGame, Any]:
        """The game at the table, and its state."""
        assert self._game is not None, "first a table"
        return self._game, self._state

    def does(self, line: str) -> list[str]:
        """Do one thing and return what is said of it."""
        what, *words = line.split(" ")
        try:
            match what:
                case "table":
                    return self._table(words)
                case "options":
                    return _lines("option", get_game(words[0]).option_fields())
                case "help":
                    return self._help(get_game(words[0]), words[1:])
                case "deal":
                    dealt = deal(get_game(words[0]), int(words[1]), _read(get_game(words[0]), words[2:]))
                    left_out = FIGURES if words[0] in UMPIRED else ()
                    return [f"{key} {said(one)}" for key, one in dealt.items() if key not in left_out]
                case "count":
                    game = get_game(words[0])
                    return [said(game.count_hand(words[1:], game.read_options({})))]
                case "calculate":
                    return [self._calculate(get_game(words[0]), words[1], line)]
            return self._at_table(what, words, line)
        except IllegalMove as refused:
            return [f"refused by {refused.rule}: {refused}"]
        except (BadInput, NotNow) as refused:
            return [f"refused: {refused}"]

    @staticmethod
    def _calculate(game: AnyGame, what: str, line: str) -> str:
        (asked,) = [one for one in game.calculations if one.name == what]
        return said(asked.answer(msgspec.json.decode(line[line.index("{") :], type=asked.takes)))

    def _help(self, game: AnyGame, words: Sequence[str]) -> list[str]:
        usual = _lines("help", game.help(_read(game, [])))
        if not words:
            return usual
        now = _lines("help", game.help(_read(game, words)))
        return [line for line in now if line not in usual]

    def _table(self, words: Sequence[str]) -> list[str]:
        self._game = get_game(words[0])
        players = tuple(word for word in words[1:] if "=" not in word)
        self._state = self._game.new(players, _read(self._game, [word for word in words if "=" in word]))
        self._shown, self._left = [], {}
        return self._news()

    def _at_table(self, what: str, words: Sequence[str], line: str) -> list[str]:
        game, before = self._game, self._state
        assert game is not None, "first a table"
        match what:
            case "people" | "circle":
                here = {name: Sat(before, seat) for seat, name in enumerate(before.players, start=1)}
                known = self._left | here
                again = game.gone_on(before, tuple(words), tuple(map(known.get, words)))
                if what == "people":
                    deals = getattr(again, "dealer", None)
                    says = [f"deals {deals}"] if isinstance(deals, int) else []
                    return [*says, *_lines("then", game.moment(again).standings)]
                self._state = again
                self._left = {name: Sat(sat.state, sat.seat, here=False) for name, sat in known.items()}
                return self._news()
            case "ask":
                at = words.index("|") if "|" in words else len(words)
                hand = None if words[1] == "-" else int(words[1])
                groups = [group.split() for group in " ".join(words[at + 1 :]).split("|") if group]
                return _lines(
                    "answer", game.answer_query(before, words[0], hand, words[2:at], groups_of(groups))
                )
            case "points":
                now = game.moment(before)
                won = [] if now.outcome is None else [f"won by {' '.join(map(str, now.outcome.winners))}"]
                return [" ".join(str(one.score) for one in now.standings), *won]
            case "teams":
                teams = " ".join(words).split("|")
                self._state = game.in_teams(before, tuple(tuple(map(int, one.split())) for one in teams))
                return self._news()
            case "void":
                move: Any = Verdict(void=text("It does not count."))
            case "nobody":
                move = Verdict(nobody=True)
            case "last" | "first":
                move = _verdict(what, words)
            case "score":
                hand, seat, *left = words
                points = len(left) == 1 and left[0].lstrip("-").isdigit()
                held = {"points": int(left[0])} if points else {"pieces": left}
                move = game.read_move({"type": "score", "hand": int(hand), "seat": int(seat), **held})
            case _:
                move = game.read_move(json.loads(line))
        self._state = game.play(before, move)
        said = game.moment(self._state).said(game.moment(before), move)
        told = [] if isinstance(move, Verdict) else _lines("history", said)
        return [*told, *self._news()]

    def _news(self) -> list[str]:
        game, state = self.table
        now = game.moment(state)
        outcome, advice, sheet = now.outcome, now.advice, now.sheet
        parts = {
            "standing": tuple(note for one in now.standings for note in one.notes),
            "outcome": None if outcome is None else outcome.why,
            "ask": now.asks,
            "note": now.notes,
            "armed": now.armed_text if game.watched else None,
            "advice": (*advice.sentences, *([advice.title] if advice.title else [])),
            "guide": now.guide,
            "sheet": None if sheet is None else sheet.lines,
            "revised": now.revised,
        }
        shown = [line for what, value in parts.items() for line in _lines(what, value)]
        new = [line for line in shown if line not in self._shown]
        gone = sorted(
            {line.split(" ")[0] for line in self._shown if line not in shown}
            - {line.split(" ")[0] for line in new}
        )
        self._shown = shown
        return [*new, *(f"no more: {what}" for what in gone)]


def groups_of(groups: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return groups of pieces on the table as a page sends them."""
    return tuple(" ".join(group) for group in groups)


def _verdict(what: str, words: Sequence[str]) -> Verdict:
    of, to = words.index("of"), words.index("early") if "early" in words else len(words)
    parts = (words[:of], words[of + 1 : to], words[to + 1 :])
    named, order, early = (tuple(map(int, part)) for part in parts)
    last, first = (named, ()) if what == "last" else ((), named)
    locked = tuple(Press(seat, 0, 0, "gpio") for seat in early)
    return Verdict(order, last, 1, 1, dead_heat=len(named) > 1, first=first, early=locked)


def _read(game: AnyGame, words: Sequence[str]) -> Any:
    raw = {}
    for word in words:
        key, _, value = word.partition("=")
        try:
            raw[key] = json.loads(value)
        except ValueError:
            raw[key] = value
    return game.read_options(raw)


def written(file: Path, does: Callable[[str], Iterable[str]] | None = None) -> str:
    """Return *file* as it is to be: what is done, and below each what is said now, as *does* tells it."""
    does, out = does or Minutes().does, list[str]()
    for line in file.read_text().splitlines():
        if line.startswith("$ "):
            out += [line, *(f"    {one}" for one in does(line.removeprefix("$ ")))]
        elif not line.startswith("    "):
            out.append(line)
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(written(Path(name)))
