"""A second opinion on score sheets: a column a player, added up again from the top each time.

What people do is read as minutes have it (`tests.support.minutes`). Points of cards and tiles are those of
the rules (SGR-7, CHK-9), who deals and starts goes round (SGR-11), a lifted deck is a hundred less (SGR-10).
"""

from __future__ import annotations

import json
from typing import Any

from tests.support.umpire_moves import worth

HANDS = {"swedish-gin": 15}


class SheetUmpire:
    """Keeps one sheet; `does` takes what is allowed only."""

    def __init__(self, game: str, names: list[str], options: dict[str, Any]) -> None:
        self.game, self.options = game, options
        self.seats = range(1, len(names) + 1)
        self.points: dict[tuple[int, int], int] = {}
        self.cuts: set[int] = set()
        self.first = 1
        self.ended = False

    @property
    def hands(self) -> int:
        """How many hands there are to play; without an end so many as nobody plays."""
        if self.game == "chickenfoot":
            return int(self.options.get("set", 9)) + 1
        return HANDS.get(self.game) or self.options.get("rounds") or 99

    def dealer(self, hand: int) -> int:
        """Return who deals a hand."""
        return (self.first + hand - 2) % len(self.seats) + 1

    def complete(self) -> list[int]:
        """Return the hands that are full."""
        return [h for h in range(1, self.hands + 1) if all((h, seat) in self.points for seat in self.seats)]

    def total(self, seat: int, hands: list[int]) -> int:
        """Add up what a player has in *hands*."""
        written = sum(self.points.get((hand, seat), 0) for hand in hands)
        return written - 100 * sum(hand in self.cuts and self.dealer(hand) == seat for hand in hands)

    def figures(self) -> dict[str, Any]:
        """Return totals, who leads and by how much over the full hands, the sums beside each, who has won."""
        full, every = self.complete(), list(range(1, self.hands + 1))
        sums = [self.total(seat, full) for seat in self.seats]
        highest = self.game == "score-pad" and self.options.get("wins") != "lowest"
        best = max(sums) if highest else min(sums)
        leaders = [seat for seat in self.seats if full and sums[seat - 1] == best]
        limit = self.options.get("limit")
        reached = self.game == "score-pad" and limit and full and max(sums) >= limit
        over = full == every or self.ended or (reached and full == list(range(1, len(full) + 1)))
        begun = {hand for hand, _ in self.points}
        return {
            "totals": [self.total(seat, every) for seat in self.seats],
            "leaders": leaders,
            "behind": [abs(one - best) if full else 0 for one in sums],
            "sums": {
                hand: [self.total(seat, [one for one in full if one <= hand]) for seat in self.seats]
                for hand in full
            },
            "written": {
                hand: [self.points.get((hand, seat)) for seat in self.seats] for hand in sorted(begun)
            },
            "deals": self.dealer(min(set(every) - set(full), default=1)),
            "winners": leaders if over else [],
        }

    def does(self, line: str) -> None:
        """Note what is done."""
        what, *words = line.split(" ")
        if what == "score":
            hand, seat, *left = words
            typed = len(left) == 1 and left[0].lstrip("-").isdigit()
            cell = {"points": int(left[0])} if typed else {"pieces": left}
            self._cell(int(hand), cell | {"seat": int(seat)})
        elif what.startswith("{"):
            self._move(json.loads(line))

    def _move(self, move: dict[str, Any]) -> None:
        match move["type"]:
            case "score":
                self._cell(move["hand"], move)
            case "correct":
                for cell in move.get("cells", []):
                    self._cell(move["hand"], cell)
                if "marks" in move:
                    self.cuts.discard(move["hand"])
                    self.cuts |= {move["hand"]} if "exact-cut" in move["marks"] else set()
            case "exact-cut":
                self.cuts.add(move["hand"])
            case "deals-first":
                self.first = move["seat"]
            case "last-round":
                self.ended = True

    def _cell(self, hand: int, cell: dict[str, Any]) -> None:
        if "points" in cell:
            self.points[hand, cell["seat"]] = cell["points"]
        elif "pieces" in cell:
            self.points[hand, cell["seat"]] = worth(self.game, self.options, cell["pieces"])
        else:
            self.points.pop((hand, cell["seat"]), None)
