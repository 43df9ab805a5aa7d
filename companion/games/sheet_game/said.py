"""What a sheet says of a hand, in the words of its game: some count rounds instead."""

from __future__ import annotations

from companion.core.text import Text, text

COMINGS = text(
    "Who comes begins with what this table gives latecomers; who comes back has what they had, and the same "
    "for the hands they missed. Who goes is out of the ranking, with the points they had. Whoever deals next "
    "still does, or who sits to their left if they go."
)


class SaidOfHands:
    """A game of hands."""

    def written(self, hand: int, player: str, points: int) -> Text:
        """Return what was written of *player* in *hand*."""
        return text("Hand {hand}, {player}: {points}", hand=hand, player=player, points=points)

    def written_before(self, hand: int, player: str, points: int) -> Text:
        """Return why nothing more is written of *player* in *hand*."""
        return text(
            "{player} has {points} in hand {hand} already: correct that entry.",
            player=player,
            points=points,
            hand=hand,
        )

    def comes_first(self, hand: int) -> Text:
        """Return that *hand* is still to be completed."""
        return text("Hand {hand} comes first: it is not complete.", hand=hand)

    def nothing_of(self, hand: int, player: str) -> Text:
        """Return that nothing of *player* in *hand* can be corrected."""
        return text(
            "{player} has nothing in hand {hand} yet: there is nothing to correct.", player=player, hand=hand
        )

    def not_there(self, hand: int, n: int) -> Text:
        """Return that *hand* is none of the *n* there are."""
        return text("There is no hand {hand}: there are {n}.", hand=hand, n=n)

    def followed(self, hand: int) -> Text:
        """Return why *hand* cannot be emptied."""
        return text("Hand {hand} is followed by others: say what it should have been.", hand=hand)

    def corrected(self, hand: int) -> Text:
        """Return that *hand* was corrected."""
        return text("Hand {hand} corrected", hand=hand)

    def corrected_to(self, hand: int, cells: Text | str) -> Text:
        """Return what *hand* was corrected to."""
        return text("Hand {hand} corrected: {cells}", hand=hand, cells=cells)

    def after(self, hand: int, lead: Text | str) -> Text:
        """Return who led after *hand*."""
        return text("After hand {hand}: {lead}", hand=hand, lead=lead)

    def left(self, n: int) -> Text:
        """Return that *n* of them are still to be played."""
        return text("one hand left") if n == 1 else text("{n} hands left", n=n)

    def correct(self) -> Text:
        """Return what the button says that corrects one."""
        return text("Correct a hand")

    def half_written(self, hand: int) -> Text:
        """Return why nobody can come or go now."""
        return text("Hand {hand} is half written: complete it, then people can come and go.", hand=hand)


class SaidOfRounds(SaidOfHands):
    """A game of rounds."""

    def written(self, hand: int, player: str, points: int) -> Text:
        return text("Round {hand}, {player}: {points}", hand=hand, player=player, points=points)

    def written_before(self, hand: int, player: str, points: int) -> Text:
        return text(
            "{player} has {points} in round {hand} already: correct that entry.",
            player=player,
            points=points,
            hand=hand,
        )

    def comes_first(self, hand: int) -> Text:
        return text("Round {hand} comes first: it is not complete.", hand=hand)

    def nothing_of(self, hand: int, player: str) -> Text:
        return text(
            "{player} has nothing in round {hand} yet: there is nothing to correct.", player=player, hand=hand
        )

    def not_there(self, hand: int, n: int) -> Text:
        return text("There is no round {hand}: there are {n}.", hand=hand, n=n)

    def followed(self, hand: int) -> Text:
        return text("Round {hand} is followed by others: say what it should have been.", hand=hand)

    def corrected(self, hand: int) -> Text:
        return text("Round {hand} corrected", hand=hand)

    def corrected_to(self, hand: int, cells: Text | str) -> Text:
        return text("Round {hand} corrected: {cells}", hand=hand, cells=cells)

    def after(self, hand: int, lead: Text | str) -> Text:
        return text("After round {hand}: {lead}", hand=hand, lead=lead)

    def left(self, n: int) -> Text:
        return text("one round left") if n == 1 else text("{n} rounds left", n=n)

    def correct(self) -> Text:
        return text("Correct a round")

    def half_written(self, hand: int) -> Text:
        return text("Round {hand} is half written: complete it, then people can come and go.", hand=hand)
