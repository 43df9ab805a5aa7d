"""A second opinion on Pig 10: the pile as a list of cards, and every value that a card may give it."""

from __future__ import annotations

import json
from typing import Any

HOW_MANY = {0: 7, 5: 5, 10: 4} | dict.fromkeys((1, 2, 3, 4, 6, 7, 8, 9), 8)  # P10-1


class PileUmpire:
    """Keeps one game of Pig 10; `does` takes what is allowed only."""

    def __init__(self, game: str, names: list[str], options: dict[str, Any]) -> None:
        self.game, self.players = game, len(names)
        self.counted = options.get("count_cards", True)
        self.turn = 0
        self.pile: list[int] = []
        self.value = 0
        self.left = dict(HOW_MANY)
        self.won = dict.fromkeys(range(1, self.players + 1), 0)
        self.hands = dict.fromkeys(self.won, 3)
        self.to_draw = 80 - 3 * self.players

    def values(self, card: int) -> list[int]:
        """Return what the pile may be worth after *card* (P10-3 to P10-6)."""
        if card == 0:
            return [0]
        if not self.pile:
            return [card]
        found = {self.value + card}
        if card == 5 and self.value >= 5:
            found.add(self.value - 5)
        if card in (self.pile[-1], self.value):
            found.add(card)
        return sorted(found)

    @property
    def over(self) -> bool:
        """Whether all hands are empty."""
        return not any(self.hands.values())

    def figures(self) -> dict[str, Any]:
        """Return cards won, whose turn it is, what may be laid, and who has won."""
        going_on = self.turn and not self.over
        offered = {card: self.values(card) for card, left in self.left.items() if left or not self.counted}
        most = max(self.won.values())
        return {
            "won": list(self.won.values()),
            "turn": self.turn if going_on else 0,
            "keys": dict(sorted(offered.items())) if going_on else {},
            "winners": [seat for seat, cards in self.won.items() if cards == most] if self.over else [],
        }

    def does(self, line: str) -> None:
        """Note what is done."""
        if not line.startswith("{"):
            return
        move = json.loads(line)
        match move["type"]:
            case "starts":
                self.turn = move["seat"]
            case "empty":
                self.hands[move["seat"]] = 0
                self.turn = self.turn if self.hands[self.turn] or self.over else self._next(1)
            case "lay":
                self._lay(move["key"], move["value"])

    def _lay(self, card: int, value: int) -> None:
        self.pile.append(card)
        self.value = value
        self.left[card] -= 1
        if value >= 10:
            self.won[self.turn if value == 10 else self._next(-1)] += len(self.pile)
            self.pile, self.value = [], 0
        if self.counted:
            self.hands[self.turn] -= 0 if self.to_draw else 1
            self.to_draw = max(0, self.to_draw - 1)
        self.turn = self.turn if self.over else self._next(1)

    def _next(self, step: int) -> int:
        """Return who plays next, with cards (1), or who played just before (-1)."""
        seat = self.turn
        for _ in range(self.players):
            seat = (seat - 1 + step) % self.players + 1
            if step < 0 or self.hands[seat]:
                break
        return seat
