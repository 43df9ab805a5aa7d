"""A second opinion on whole evenings without noses: score sheets and Pig 10, by person, from the list alone.

Moves are written by name (`who`), never by seat. After whatever happened to the list the umpire plays it from
its beginning, with the rules of SGR, CHK and P10, and says what everybody has, or which line cannot be.
"""

from __future__ import annotations

import json
from typing import Any

from tests.support.umpire_evening import Account, CannotBe, Line

WORTH = {"A": 15, "K": 10, "Q": 10, "J": 10, "2": 25}  # SGR-7; the others 5
DECK = {0: 7, 5: 5, 10: 4} | dict.fromkeys((1, 2, 3, 4, 6, 7, 8, 9), 8)  # P10-1
Cell = tuple[int, list[str], bool]  # points, the pieces known, whether they were not there


class MovesUmpire:
    """Keeps the list of one game of moves."""

    def __init__(self, game: str, options: dict[str, Any]) -> None:
        self.game, self.options, self.lines = game, options, list[Line]()

    def book(self) -> PileBook | SheetBook:
        """Play the list; raise CannotBe for the first line that cannot be."""
        names = self.lines[0].sitting
        book = (
            PileBook(names, self.options)
            if self.game == "pig-10"
            else SheetBook(self.game, names, self.options)
        )
        for line in self.lines[1:]:
            if not line.counts:
                continue
            if line.what == "seat":
                book.sit(line.sitting)
            else:
                book.move(line.fix or line.move)
        return book

    def account(self) -> Account:
        """Return what everybody has; raise CannotBe for the first line that cannot be."""
        book = self.book()
        return Account([*book.circle], {one: book.total(one) for one in book.circle}, set(), book.over)


class PileUmpire:
    """Keeps one game of Pig 10 as minutes have it, by seats; `does` takes what is allowed only."""

    def __init__(self, game: str, names: list[str], options: dict[str, Any]) -> None:
        self.game, self.book = game, PileBook(names, options)

    def figures(self) -> dict[str, Any]:
        """Return cards won, whose turn it is, what may be laid, and who has won."""
        book = self.book
        offered = [card for card in sorted(DECK) if book.gone[card] < DECK[card] or not book.counted]
        going_on = book.turn and not book.over
        won = [book.total(one) for one in book.circle]
        return {
            "won": won,
            "turn": book.circle.index(book.turn) + 1 if going_on else 0,
            "keys": {card: sorted(book.values(card)) for card in offered} if going_on else {},
            "winners": [seat for seat, cards in enumerate(won, 1) if cards == max(won)] if book.over else [],
        }

    def does(self, line: str) -> None:
        """Note what is done."""
        if line.startswith("{"):
            move = json.loads(line)
            self.book.move(move | {"who": self.book.circle[move["seat"] - 1]})


def worth(game: str, options: dict[str, Any], pieces: list[str]) -> int:
    """Add up what is left in a hand (SGR-7, CHK-9)."""
    if game == "chickenfoot":
        blank = int(options.get("double_blank", 50))
        return sum(blank if one == "0-0" else sum(map(int, one.split("-"))) for one in pieces)
    return sum(WORTH.get(one[:-1], 5) for one in pieces)


def left_of(circle: list[str], who: str, stays: list[str]) -> str:
    """Return *who* of the old *circle*, or the first to their left who is among *stays*; else none."""
    at = circle.index(who)
    return next((one for one in [*circle[at:], *circle[:at]] if one in stays), "")


class PileBook:
    """Pig 10: the pile, the hands as numbers of cards, and what everybody has won."""

    def __init__(self, names: list[str], options: dict[str, Any]) -> None:
        self.circle, self.counted = [*names], options.get("count_cards", True)
        self.won = dict.fromkeys(names, 0)
        self.hand = dict.fromkeys(names, 3)
        self.empty: set[str] = set()
        self.draw = 80 - 3 * len(names)
        self.gone = dict.fromkeys(DECK, 0)
        self.pile: list[int] = []
        self.value = 0
        self.turn = self.before = ""

    def total(self, who: str) -> int:
        """Return the cards won."""
        return self.won[who]

    def has_card(self, who: str) -> bool:
        """Return whether they can play on."""
        return self.hand[who] > 0 if self.counted else who not in self.empty

    @property
    def over(self) -> bool:
        """Whether all hands are empty (P10-8)."""
        return not any(map(self.has_card, self.circle))

    def values(self, card: int) -> set[int]:
        """Return what the pile may be worth with *card* (P10-3 to P10-6)."""
        if not self.pile:
            return {card}
        if card == 0:
            return {0}
        found = {self.value + card}
        if card == 5 and self.value >= 5:
            found.add(self.value - 5)
        if card in (self.pile[-1], self.value):
            found.add(card)
        return found

    def sit(self, names: list[str]) -> None:
        """Who goes puts cards under the draw pile, who comes draws three, the next one plays on."""
        if self.over:
            raise CannotBe("the game is over")
        stay = [one for one in self.circle if one in names]
        if not stay:
            raise CannotBe("somebody has to stay")
        for one in self.circle:
            if one not in stay:
                self.draw += self.hand.pop(one)
                self.empty.discard(one)
        for one in names:
            if one not in stay:
                self.won.setdefault(one, 0)
                self.hand[one] = min(3, self.draw) if self.counted else 3
                self.draw -= self.hand[one] if self.counted else 0
        able = [one for one in names if self.has_card(one)]
        old, self.circle = self.circle, [*names]
        if self.turn:
            self.turn = left_of(old, self.turn, [one for one in stay if one in able]) or (
                able[0] if able else names[0]
            )
        if self.before:
            self.before = left_of(old[::-1], self.before, stay)

    def move(self, move: dict[str, Any]) -> None:
        """Play a move; raise CannotBe."""
        who = move["who"]
        if who not in self.circle:
            raise CannotBe(f"{who} does not sit there")
        if self.over:
            raise CannotBe("the game is over")
        match move["type"]:
            case "starts":
                if any(self.gone.values()):
                    raise CannotBe("a card is laid")
                self.turn = who
            case "empty":
                if self.counted or who in self.empty:
                    raise CannotBe("not to be said")
                self.empty.add(who)
                if who == self.turn:
                    self._next(who)
            case "lay":
                self._lay(who, move["key"], move["value"])

    def _lay(self, who: str, card: int, value: int) -> None:
        if who != self.turn:
            raise CannotBe("not their turn")
        if (self.counted and self.gone[card] == DECK[card]) or value not in self.values(card):
            raise CannotBe(f"no {card} makes {value}")
        self.gone[card] += 1
        self.pile.append(card)
        self.value = value
        if self.counted:
            self.hand[who] -= 0 if self.draw else 1
            self.draw = max(0, self.draw - 1)
        if value >= 10:
            self.won[who if value == 10 else self.before] += len(self.pile)
            self.pile, self.value = [], 0
        self.before = who
        self._next(who)

    def _next(self, who: str) -> None:
        at = self.circle.index(who) + 1
        around = [*self.circle[at:], *self.circle[:at]]
        self.turn = next((one for one in around if self.has_card(one)), "")


class SheetBook:
    """A sheet: a row a hand, a column a person, whether or not they still sit there."""

    def __init__(self, game: str, names: list[str], options: dict[str, Any]) -> None:
        self.game, self.options, self.circle = game, options, [*names]
        self.hands = 15 if game == "swedish-gin" else options["set"] + 1
        self.rows: list[dict[str, Cell]] = [{} for _ in range(self.hands)]
        self.blocked: set[int] = set()
        self.cut: dict[int, str] = {}  # by hand: who dealt, and lifted the right number of cards
        self.bought: dict[tuple[int, str], int] = {}
        self.dealt: dict[int, str] = {}  # hands before the newest change of seats
        self.came: list[tuple[str, list[int], list[str]]] = []  # who, which hands they missed, who stayed
        self.said: set[tuple[int, str]] = set()  # what people wrote themselves for a hand that was missed
        self.first = names[0]
        self.named = False

    # ---- what there is

    @property
    def now(self) -> int:
        """Return the hand that is played or written, 0 when all are."""
        found = (hand for hand in range(1, self.hands + 1) if not self.full(hand))
        return next(found, 0)

    def full(self, hand: int) -> bool:
        """Return whether everybody who sits there has something in *hand*."""
        return all(one in self.rows[hand - 1] for one in self.circle)

    @property
    def over(self) -> bool:
        """Whether the last hand is written."""
        return not self.now

    @property
    def begun(self) -> bool:
        """Whether anything is written of those who sit there, or of a hand."""
        cells = any(one in row for row in self.rows for one in self.circle)
        marks = [*self.cut.values(), *(who for _, who in self.bought)]
        return bool(cells or self.blocked or any(who in self.circle for who in marks))

    def dealer(self, hand: int) -> str:
        """Return who deals *hand*: the deal passes left (SGR-11)."""
        if hand in self.dealt:
            return self.dealt[hand]
        at = self.circle.index(self.first) + hand - 1 - len(self.dealt)
        return self.circle[at % len(self.circle)]

    def brought(self, who: str, hand: int) -> int:
        """Return what *hand* brought to *who*."""
        points = self.rows[hand - 1].get(who, (0, [], False))[0]
        return points - 100 * (hand in self.cut and self.cut[hand] == who)

    def total(self, who: str) -> int:
        """Add up a column."""
        return sum(self.brought(who, hand) for hand in range(1, self.hands + 1))

    # ---- who comes and goes

    def sit(self, names: list[str]) -> None:
        """Who comes has for each hand that they missed what the table gives."""
        hand = self.now
        if not hand:
            raise CannotBe("the game is over")
        if any(one in self.rows[hand - 1] for one in self.circle):
            raise CannotBe("the hand is half written")
        stay = [one for one in self.circle if one in names]
        if not stay:
            raise CannotBe("somebody has to stay")
        self._fill([one for one in names if one not in stay], stay, hand - 1)
        deals = left_of(self.circle, self.dealer(hand), stay)
        dealt = {done: self.dealer(done) for done in range(1, hand)}
        for at, who in [*self.bought]:
            if who not in names:
                del self.bought[at, who]
        if self.cut.get(hand, deals) not in names:  # this hand is dealt again, by somebody else
            del self.cut[hand]
        self.dealt, self.circle = dealt, [*names]
        self.first = deals if self.named or hand > 1 else names[0]

    def _fill(self, come: list[str], stay: list[str], played: int) -> None:
        for who in come:
            missed = [hand for hand in range(1, played + 1) if who not in self.rows[hand - 1]]
            self.came.append((who, missed, stay))
        self._give()

    def _give(self) -> None:
        """Give everybody who came what the table gives, one after the other, by what is written now."""
        for who, missed, stay in self.came:
            sums = {one: sum(self.brought(one, hand) for hand in missed) for one in stay}
            worst = next(one for one in stay if sums[one] == max(sums.values()))
            whole = before = 0
            for hand in missed:
                each = [self.brought(one, hand) for one in stay]
                whole += sum(each)
                average = (2 * whole + len(stay)) // (2 * len(stay))  # halves up
                kind = self.options.get("latecomers", "average")
                points = {"average": average - before, "worst": self.brought(worst, hand), "zero": 0}[kind]
                if (hand, who) not in self.said:
                    self.rows[hand - 1][who] = (points, [], True)
                before = average

    # ---- what is written

    def move(self, move: dict[str, Any]) -> None:
        """Write a move down; raise CannotBe."""
        named = [move["who"]] if "who" in move else [cell["who"] for cell in move.get("cells", ())]
        for who in named:
            if who not in self.circle:
                raise CannotBe(f"{who} does not sit there")
        if move["type"] == "correct":
            self._correct(move)
            return
        if move["type"] == "deals-first":
            if self.begun:
                raise CannotBe("the sheet is begun")
            self.first, self.named = move["who"], True
            return
        if not self.now or move["hand"] != self.now:
            raise CannotBe("another hand is played")
        {"score": self._score, "blocked": self._blocked, "bought": self._buy, "exact-cut": self._cut}[
            move["type"]
        ](move)

    def _score(self, move: dict[str, Any]) -> None:
        row = self.rows[self.now - 1]
        hand = self.now
        if move["who"] in row:
            raise CannotBe("written already")
        row[move["who"]] = self._cell(move)
        self._look(hand)

    def _cell(self, move: dict[str, Any]) -> Cell:
        pieces = move.get("pieces")
        points = move["points"] if pieces is None else worth(self.game, self.options, pieces)
        return points, pieces or [], False

    def _blocked(self, move: dict[str, Any]) -> None:
        if self.now in self.blocked:
            raise CannotBe("said before")
        self.blocked.add(self.now)
        self._look(self.now)

    def _buy(self, move: dict[str, Any]) -> None:
        key = (self.now, move["who"])
        if move["who"] in self.rows[self.now - 1] or self.bought.get(key, 0) == 2:
            raise CannotBe("no more buying")
        self.bought[key] = self.bought.get(key, 0) + 1

    def _cut(self, move: dict[str, Any]) -> None:
        if not self.options.get("exact_cut") or self.now in self.cut:
            raise CannotBe("no cut")
        self.cut[self.now] = self.dealer(self.now)

    def _correct(self, move: dict[str, Any]) -> None:
        hand = move["hand"]
        row = self.rows[hand - 1]
        for cell in move["cells"]:
            who = cell["who"]
            if who not in row:
                raise CannotBe("nothing is written there")
            if row[who][2]:
                self.said.add((hand, who))
            row[who] = (*self._cell(cell)[:2], row[who][2])
        if "marks" in move:
            self.blocked = self.blocked - {hand} | ({hand} if "blocked" in move["marks"] else set())
            had = self.cut.get(hand) in self.circle
            if "exact-cut" not in move["marks"] and had:
                del self.cut[hand]
            elif "exact-cut" in move["marks"] and not had:
                if self.dealer(hand) not in self.circle:
                    raise CannotBe("who dealt is not here")
                self.cut[hand] = self.dealer(hand)
        if hand in self.dealt:
            self._give()
        self._look(hand)

    def _look(self, hand: int) -> None:
        """Raise CannotBe for a row of which the rules say that it cannot be."""
        there = {who: cell for who, cell in self.rows[hand - 1].items() if not cell[2]}
        out = [who for who, (points, _, _) in there.items() if not points]
        if len(out) > 1 or (out and hand in self.blocked):
            raise CannotBe("one goes out, or nobody")
        if self.full(hand) and not out and hand not in self.blocked:
            raise CannotBe("nobody has nothing")
        pieces = [one for _, known, _ in there.values() for one in known]
        if self.game == "swedish-gin":
            if any(points % 5 for points, _, _ in there.values()):
                raise CannotBe("no multiple of 5")
            if any(pieces.count(one) > 2 for one in pieces):
                raise CannotBe("a card is there twice only")
            return
        most = self.options["set"]
        start = f"{most + 1 - hand}-{most + 1 - hand}"
        if len(set(pieces)) < len(pieces) or start in pieces:
            raise CannotBe("a tile lies elsewhere")
        if hand in self.blocked and {end for one in pieces for end in one.split("-")} >= {
            str(suit) for suit in range(most + 1)
        }:
            raise CannotBe("of every number somebody holds one: it was not blocked (CHK-8)")
