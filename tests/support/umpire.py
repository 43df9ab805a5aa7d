"""A second opinion on games with noses: an umpire with pen and paper, who knows the rules and no code.

He reads what people do as minutes have it (`tests.support.minutes`), and keeps letters, who is out, the deal
and the deck in lists: the deck is the first so many cards of packs that lie in order, from the aces down.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"]
WORDS = {"pig": "PIG", "hog": "HOG", "donkey": "DONKEY", "magarac": "MAGARAC", "spoons": "SPOON"}
FAMILY = ("pig", "hog", "donkey", "spoons", "forks-and-knives")


class Umpire:
    """Keeps an evening of one game; `does` takes what is allowed only."""

    def __init__(self, game: str, names: list[str], options: dict[str, Any]) -> None:
        self.game, self.names, self.options = game, names, options
        spoons = game in ("spoons", "forks-and-knives")
        losses = options.get("losses", "word" if "word" in options else "three")  # who names a word spells it
        word = "XXX" if spoons and losses != "word" else options.get("word", WORDS.get(game))
        self.word = None if options.get("sudden_death") or word is None else word
        self.letters = [0] * len(names)
        self.out: list[int] = []
        self.dealer: int | None = 1
        self.unseen = False  # only the players know who took the first spoon, and deals
        self.won: list[int] = []
        self.lost: list[int] = []
        self.due: list[int] = []  # Vatra: who is to be punished still
        self.spared: list[int] = []  # by mercy, whoever else is silent
        self.told = False  # and whether anybody ever tells that it is done
        self.closed = False  # somebody has been punished: too late to speak of shouting
        self.deck_turned: list[str] = []  # the virtual deck of a punishment, as far as its card
        self.gone: list[str] = []  # what the newest change takes out of the deck
        self.before: dict[str, Any] = {}
        self.heard: tuple[list[int], list[int], list[int]] = [], [], []  # order, last, who did not shout

    @property
    def seats(self) -> list[int]:
        """Who is in."""
        return [seat for seat in range(1, len(self.names) + 1) if seat not in self.out]

    @property
    def travels(self) -> bool:
        """Whether there is a travel card, which is one more (MAG-8)."""
        return bool(self.options.get("travel_card"))

    def deck(self) -> list[str]:
        """Return the cards in play, in the order of packs that are sorted."""
        each, stock = self.options.get("hand_size", 4), self.options.get("stock")
        suits = "SHDC" if stock or each > 3 else "SHD"
        packs = [rank + suit for _ in range(4) for rank in RANKS for suit in suits]
        if stock:
            return packs[: 52 * (len(self.names) * each // 52 + 1)]
        return packs[: len(self.seats) * each]

    def figures(self) -> dict[str, Any]:
        """Return all that can be counted: letters, who is out, deal, deck, end."""
        over = bool(self.won or self.lost)
        found: dict[str, Any] = {
            "letters": self.letters,
            "out": sorted(self.out),
            "dealer": None if over or self.unseen else self.dealer,
            "winners": sorted(self.won),
            "losers": self.lost,
        }
        deck = self.deck()
        suits = len({card[-1] for card in deck})
        whole = [card[:-1] for n, card in enumerate(deck) if n % suits == suits - 1]
        found |= {"each": self.options.get("hand_size", 4), "cards": len(deck) + self.travels}
        found["ranks"] = whole[:13] if self.options.get("stock") else whole
        if self.game in ("magarac", "vatra"):
            found["revised"] = self.revised()
        if self.game in FAMILY:
            found["remove"] = [] if over else sorted(self.gone)
        return found

    def does(self, line: str) -> None:
        """Note what is done."""
        what, *words = line.split(" ")
        if what == "last":
            of = words.index("of")
            self._round([int(seat) for seat in words[:of]], [int(seat) for seat in words[of + 1 :]])
        elif what.startswith("{"):
            move = json.loads(line)
            self._move(move["type"], move)
        elif what == "circle":
            self.letters, self.out, self.dealer = self.carried(words)
            self.names, self.gone, self.due, self.told = words, [], [], False
            self.before, self.heard = {}, ([], [], [])

    def carried(self, names: list[str]) -> tuple[list[int], list[int], int]:
        """Return letters, who is out and who deals, when *names* play on."""
        had = dict(zip(self.names, self.punished(), strict=True))
        away = {self.names[seat - 1] for seat in self.out}
        staying = [had[name] for name in names if name in had and name not in away]
        most = 0 if self.game == "vatra" else max(staying, default=0)
        assert self.dealer is not None
        round_the_table = self.names[self.dealer - 1 :] + self.names[: self.dealer - 1]
        deals = next(
            (names.index(name) + 1 for name in round_the_table if name in names and name not in away), 1
        )
        out = [seat for seat, name in enumerate(names, start=1) if name in away]
        return [had.get(name, most) for name in names], out, deals

    def revised(self) -> tuple[list[int], list[int]] | None:
        """Return who slapped and shouted, in order, and who did not (MAG-4); None while all did."""
        order, last, silent = self.heard
        gone = [seat for seat in range(1, 27) if seat in silent or (seat in last and seat not in order)]
        return ([seat for seat in order if seat not in silent], gone) if silent else None

    def punished(self) -> list[int]:
        """Return letters, or how often everybody was punished, without who has only been last (MAG-7)."""
        return [count - (self.told and seat in self.due) for seat, count in enumerate(self.letters, start=1)]

    # What is done

    def _round(self, last: list[int], order: list[int]) -> None:
        if self.game in ("magarac", "vatra"):
            self.letters, self.due, self.closed, self.spared = self.punished(), [], False, []
            self.before = {"letters": [*self.letters], "dealer": self.dealer}
            self.heard = order, last, []
            self._turns(last)
        elif last:
            self.unseen = False
            self._penalty(last, opener=(order or [0])[0])
        elif self.options.get("confirm") != "rack-only":  # the table says so: nobody pays, the next deals
            self._deals(order[0] if order else None)
            self.gone = []

    def _move(self, what: str, move: dict[str, Any]) -> None:
        seat = move.get("seat", 0)
        match what:
            case "first-dealer":
                self.dealer = seat
            case "did-not-shout":
                self.letters, self.dealer = [*self.before["letters"]], self.before["dealer"]
                self.won, self.lost, self.due = [], [], []
                self.heard[2].append(seat)
                again = self.revised()
                assert again is not None
                self._turns(again[1])
                for seat in {*self.due} & {*self.spared}:
                    self.letters[seat - 1] -= 1
                    self.due.remove(seat)
            case "mercy" if move.get("value", "mercy") == "mercy":
                self.spared.append(self.due.pop(0))
                self.letters[self.spared[-1] - 1] -= 1
                self.told = True
            case "mercy":
                self.due.pop(0)
                self.told = self.closed = True
            case "turned" | "forfeit" if move["value"] in ("appeared", "done"):
                self.due.pop(0)
                self.told = True
            case "name-card":
                self.deck_turned = [move["card"]]
            case "from-end" if move.get("order"):
                order = move["order"] if move["value"] == "top" else move["order"][::-1]
                self.deck_turned = [*order[: order.index(self.deck_turned[0]) + 1]]
            case "turn":
                self.deck_turned = self.deck_turned[1:] if move["value"] == "next" else []
                if not self.deck_turned:
                    self.due, self.told = self.due[1:], True
            case "false-opener" if self.game in ("magarac", "vatra"):
                self.letters, self.due, self.closed, self.spared = self.punished(), [], False, []
                self.heard = [], [seat], []
                self._turns([seat])
            case "false-opener":
                deck = self.deck()
                self._letter([seat])
                self._deals(None)
                self._settle(deck)
            case "no-spoon":
                self._penalty([seat], opener=0)
                self.unseen = bool(self.options.get("stock"))
            case "talked":
                deck = self.deck()
                self.out.append(seat)
                self.dealer = self._from(self.dealer or 1)
                self._settle(deck)

    def _penalty(self, last: list[int], opener: int) -> None:
        duel = self.options.get("winners", 2) == 1 and len(self.seats) == 2
        again = len(last) > 1 and (duel or self.options.get("dead_heat", "replay") == "replay")
        if again or (not duel and not self._stays(last)):
            return
        deck = self.deck()
        if duel:
            self.won = [seat for seat in self.seats if seat not in last]
            self.out += last if self.options.get("sudden_death") else []
        else:
            self._letter(last)
        self._deals(opener or None)
        self._settle(deck)

    def _stays(self, last: list[int]) -> bool:
        """Tell whether anybody would be left."""
        need = 1 if self.word is None else len(self.word)
        return any(seat not in last or self.letters[seat - 1] + 1 < need for seat in self.seats)

    def _letter(self, seats: list[int]) -> None:
        for seat in seats:
            self.letters[seat - 1] += self.word is not None
            if self.word is None or self.letters[seat - 1] == len(self.word):
                self.out.append(seat)

    def _deals(self, opener: int | None) -> None:
        assert self.dealer is not None
        if not self.options.get("stock"):
            self.dealer = self._from(self.dealer % len(self.names) + 1)
        else:
            self.dealer = self._from(opener or self.dealer)

    def _from(self, seat: int) -> int:
        """Return the first seat that is in, from *seat* on to the left."""
        return next(one for one in [*range(seat, len(self.names) + 1), *range(1, seat)] if one in self.seats)

    def _settle(self, deck: list[str]) -> None:
        self.gone = (
            [] if self.options.get("stock") else list((Counter(deck) - Counter(self.deck())).elements())
        )
        if len(self.seats) <= self.options.get("winners", 2):
            self.won = self.seats

    def _turns(self, last: list[int]) -> None:
        """Magarac and Vatra: a letter each, and the deal goes left; nobody leaves."""
        whole = [seat for seat in last if self.word and self.letters[seat - 1] + 1 == len(self.word)]
        if len(whole) > 1:
            return
        if len(last) > 1 and self.options.get("dead_heat", "replay") == "replay":
            return
        for seat in last:
            self.letters[seat - 1] += 1
        self.due = [*last] if self.game == "vatra" else []
        self.lost = whole
        assert self.dealer is not None
        self.dealer = self.dealer % len(self.names) + 1
