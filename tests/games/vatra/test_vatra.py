"""Vatra, rule by rule: no letters, punishment by cards, forfeits (MAG-7, MAG-9)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.model import Verdict
from companion.evening.commands import Finish
from companion.games import get_game
from companion.games.slap_family.game import NoShout
from companion.games.vatra.game import FORFEITS
from companion.testing.scenario import Scenario
from tests.support.evenings import NAMES, PlayedGame
from tests.support.examples import examples
from web.encoding import to_json

VATRA = get_game("vatra")
# Three players, kings queens aces, from the top.
ORDER = ("KS", "AH", "QD", "KC", "AS", "QS", "KH", "AD", "QC", "KD", "AC", "QH")


class Lot:
    """Chance that leaves things in their order, and draws the number it is told."""

    def __init__(self, number: int = 0) -> None:
        self.number = number

    def pick(self, count: int) -> int:
        """Return the number."""
        return self.number

    def order(self, count: int) -> tuple[int, ...]:
        """Return the numbers as they are."""
        return tuple(range(count))


def name(card: str) -> dict[str, Any]:
    """The loser names a card."""
    return {"type": "name-card", "card": card}


def end(value: str, order: tuple[str, ...] = ()) -> dict[str, Any]:
    """The loser says from which end."""
    return {"type": "from-end", "value": value, "order": order}


def turned(*values: str) -> list[dict[str, Any]]:
    """What was turned of the real deck."""
    return [{"type": "turned", "value": value} for value in values]


PUNISHED = {"type": "mercy", "value": "done"}  # without the table's steps


def play(evening: PlayedGame, *moves: dict[str, Any]) -> PlayedGame:
    """Make all *moves*."""
    for move in moves:
        evening.do(move)
    return evening


def suits(evening: PlayedGame, seat: int) -> list[str]:
    """Return what has been counted for *seat*."""
    return [str(note) for note in VATRA.standings(evening.state)[seat - 1].notes]


def test_there_are_no_letters_and_no_end() -> None:
    """MAG-7: how often everybody was punished is the score; the table ends the game."""
    evening = PlayedGame(VATRA, 3)
    for seat in (2, 2, 3):
        evening.last(seat)
    assert ([0, 2, 1], ["", "", ""]) == (evening.scores, evening.letters)
    assert evening.end is None


def test_the_table_ends_it() -> None:
    """MAG-9: as any game can be ended; the record stays to be read."""
    scenario = Scenario("vatra", NAMES[:3])
    for seat, player in enumerate(NAMES[:3]):
        scenario.press(player, at_us=1_000 * seat)
    scenario.judge()
    scenario.table.execute(Finish(), "host")
    assert ("won", ()) == (scenario.snapshot.phase, scenario.snapshot.steps)
    assert [0, 0, 1] == [row.score for row in scenario.snapshot.rows]


# MAG-9: the punishment, with the real deck


def test_the_loser_names_a_card_in_play_but_the_travel_card() -> None:
    """MAG-9: rank and suit; twelve cards among three players, the seven of diamonds is none of them."""
    evening = PlayedGame(VATRA, 3, travel_card=True).last(2)
    offered = {str(card) for card in evening.steps["name-card"].cards}
    assert set(ORDER) == offered
    assert ("MAG-9", "The travel card cannot be named: choose another.") == evening.refused(name("7D"))
    assert ("MAG-9", "2S is not in play: name a card that is.") == evening.refused(name("2S"))
    assert [
        "East was last",
        "Another player gathers and shuffles the cards; North punishes.",
        "Palm on the table. Gently: whoever hits hard is hit hard one day.",
    ] == evening.shown


def test_every_card_before_the_named_one_punishes_by_its_suit() -> None:
    """MAG-9: two spades, a club, a heart; the named card itself does not count."""
    evening = play(PlayedGame(VATRA, 3).last(2), name("QH"), end("top"), *turned("S", "S", "C", "H"))
    assert ["East was last", "Until Q♥ appears, from the top.", "♠ 2  ♥ 1  ♦ 0  ♣ 1"] == evening.shown
    play(evening, *turned("appeared"))
    assert ["East was last", "Q♥ appeared: it is over.", "♠ 2  ♥ 1  ♦ 0  ♣ 1"] == evening.shown
    assert (["♠ 2  ♥ 1  ♦ 0  ♣ 1"], []) == (suits(evening, 2), suits(evening, 1))
    assert {} == evening.steps


def test_the_suits_say_how_and_never_with_knuckles() -> None:
    """MAG-9: what each suit does."""
    evening = play(PlayedGame(VATRA, 3).last(2), name("QH"), end("top"))
    said = {choice.value: str(choice.explain) for choice in evening.steps["turned"].choices}
    assert ["S", "C", "D", "H", "appeared"] == list(said)
    assert "A blow with the side of the fist. Never knuckles or fingers: bones break." == said["S"]
    assert "A pat, as for a cat." == said["H"]


def test_a_joker_does_not_punish() -> None:
    """MAG-9: from eight players on the travel card is a joker."""
    evening = PlayedGame(VATRA, 8, travel_card=True).last(2)
    play(evening, name("AS"), end("bottom"), *turned("joker", "D", "appeared"))
    assert ["♠ 0  ♥ 0  ♦ 1  ♣ 0"] == suits(evening, 2)


def test_there_is_an_end_to_the_deck() -> None:
    """MAG-9: of twelve cards eleven can come before the named one."""
    evening = play(PlayedGame(VATRA, 3).last(2), name("QH"), end("top"), *turned(*"SCDHSCDHSCD"))
    assert ["appeared"] == [choice.value for choice in evening.steps["turned"].choices]
    assert (
        "Every other card has been turned: the named one must be next." == evening.refused(turned("H")[0])[1]
    )


@pytest.mark.parametrize(
    ("before", "move"),
    [
        ([], end("top")),
        ([], turned("S")[0]),
        ([name("QH")], name("QD")),
        ([name("QH")], turned("S")[0]),
        ([name("QH"), end("top")], end("bottom")),
        ([name("QH"), end("top")], {"type": "turn", "value": "next"}),
        ([name("QH")], {"type": "mercy", "value": "mercy"}),
        ([name("QH")], {"type": "did-not-shout", "seat": 1}),
        ([], {"type": "forfeit", "value": "draw", "number": 0}),
        ([name("QH"), end("top"), *turned("appeared")], name("QD")),
    ],
)
def test_steps_have_their_order(before: list[dict[str, Any]], move: dict[str, Any]) -> None:
    """MAG-9: a step out of its place is refused with its rule."""
    evening = play(PlayedGame(VATRA, 3).last(2), *before)
    assert evening.refused(move)[0] in ("MAG-9", "MAG-4")


def test_nobody_is_punished_for_nothing() -> None:
    """MAG-9: before the first round, and after a dead heat that is played again."""
    evening = PlayedGame(VATRA, 3)
    assert "Nobody is to be punished now." == evening.refused(name("QH"))[1]
    assert "Nobody is to be punished now." == evening.last(1, 2).refused(name("QH"))[1]


def test_while_cards_are_turned_no_nose_is_watched() -> None:
    """A hand on the table must not open a round; before and after it may."""
    evening = PlayedGame(VATRA, 3).last(2)
    assert evening.watch is not None
    assert play(evening, name("QH")).watch is None
    assert play(evening, end("top"), *turned("appeared")).watch is not None


def test_who_was_not_punished_before_the_next_round_is_not_counted() -> None:
    """MAG-7: the score is how often somebody was punished. Done without the steps is done, too."""
    evening = PlayedGame(VATRA, 3).last(2).do(PUNISHED).last(3)
    assert ([0, 1, 1], "South was last") == (evening.scores, evening.shown[0])
    assert [1, 1, 0] == evening.last(1).scores, "South has not been"
    assert [0, 2, 1] == evening.do({"type": "false-opener", "seat": 2}).do(PUNISHED).last(3).scores


def test_a_table_that_never_tells_a_punishment_counts_who_was_last() -> None:
    """It punishes by itself, and plays on: as a tape does."""
    evening = PlayedGame(VATRA, 3).last(2).last(3)
    assert ([0, 1, 1], "South was last") == (evening.scores, evening.shown[0])


def test_of_two_who_share_a_dead_heat_only_who_was_punished_counts() -> None:
    """East has named a card and been punished; South has not when the next round is judged."""
    evening = PlayedGame(VATRA, 4, dead_heat="share").last(2, 3)
    play(evening, name("QH"), end("top"), *turned("appeared"))
    assert [0, 1, 1, 0] == evening.scores
    assert [0, 1, 0, 1] == evening.last(4).scores, "South’s has not been"


def test_what_is_done_without_the_steps_counts_and_closes_the_round() -> None:
    """MAG-9: nothing of its suits is known; nobody can be said to have kept silent any more."""
    evening = PlayedGame(VATRA, 3).last(2).do(PUNISHED)
    assert ([0, 1, 0], [], {}) == (evening.scores, suits(evening, 2), evening.steps)
    assert "The punishment has begun: it is too late to speak of shouting." == refusal_of(
        evening, {"type": "did-not-shout", "seat": 1}
    )
    assert "Nobody is to be punished now." == refusal_of(evening, PUNISHED)


def refusal_of(evening: PlayedGame, move: dict[str, Any]) -> str:
    """Return why *move* is refused."""
    return str(evening.refused(move)[1])


def test_no_more_cards_of_a_suit_are_turned_than_are_in_the_deck() -> None:
    """MAG-9: three players have four aces, kings and queens, so three spades: two beside the one named."""
    evening = play(PlayedGame(VATRA, 3).last(2), name("QS"), end("top"), *turned("S", "S"))
    assert "No other ♠ is left in this deck: look again." == refusal_of(evening, turned("S")[0])
    assert ["C", "D", "H", "appeared"] == [one.value for one in evening.steps["turned"].choices]
    play(evening, *turned("H", "H", "H"))
    assert "No other ♥ is left in this deck: look again." == refusal_of(evening, turned("H")[0])
    play(evening, *turned("D", "C", "D", "C", "D", "C"))
    assert ["appeared"] == [one.value for one in evening.steps["turned"].choices]


@pytest.mark.parametrize(("players", "extra"), [(3, "D"), (8, "joker")])
def test_the_travel_card_is_one_more_of_its_suit_or_a_joker(players: int, extra: str) -> None:
    """MAG-8: the seven of diamonds, or from eight players on a joker, once; without it there is none."""
    suits = {"S": players, "C": players, "D": players, "H": players}
    with_it = play(PlayedGame(VATRA, players, travel_card=True).last(2), name("AC"), end("top"))
    limits = suits | {"C": players - 1} | {extra: suits.get(extra, 0) + 1}
    for suit, most in limits.items():
        play(with_it, *turned(*[suit] * most))
        assert "is left in this deck" in refusal_of(with_it, turned(suit)[0]) or suit == [*limits][-1]
    without = play(PlayedGame(VATRA, players).last(2), name("AC"), end("top"))
    assert "No other joker is left in this deck: look again." == refusal_of(without, turned("joker")[0])


def test_the_help_says_that_the_travel_card_is_never_named() -> None:
    """MAG-9; at a table that plays with one."""

    def being_last(**options: Any) -> str:
        sections = VATRA.help(VATRA.read_options(options))
        return " ".join(str(line) for section in sections for line in section.lines)

    assert "names a card (never the travel card)" in being_last(travel_card=True)
    assert "never the travel card" not in being_last()


def test_mercy_is_not_counted() -> None:
    """A record of who was punished, not of who might have been."""
    evening = play(PlayedGame(VATRA, 3).last(2), {"type": "mercy", "value": "mercy"})
    assert ([0, 0, 0], {}) == (evening.scores, evening.steps)


def test_mercy_outlasts_a_missing_shout() -> None:
    """Seat 2 had not slapped and was let off; seat 3 did not shout: of the two only 3 is to be punished."""
    late = PlayedGame(VATRA, 4, dead_heat="share").do(Verdict(order=(1, 3, 4), last=(2,)))
    play(late, {"type": "mercy", "value": "mercy"}, {"type": "did-not-shout", "seat": 3})
    assert ([0, 0, 1, 0], "South, name a card") == (late.scores, str(late.steps["name-card"].label))
    late.do(PUNISHED).last(2)
    assert [0, 1, 1, 0] == late.scores


def test_two_who_share_a_dead_heat_are_punished_one_after_the_other() -> None:
    """By option; the opener punishes."""
    evening = PlayedGame(VATRA, 4, dead_heat="share").last(2, 3)
    assert ([0, 1, 1, 0], "East was last") == (evening.scores, evening.shown[0])
    play(evening, name("QH"), end("top"), *turned("D", "appeared"))
    assert "South, name a card" == str(evening.steps["name-card"].label)
    play(evening, name("QS"), end("top"), *turned("C", "appeared"))
    assert (["♠ 0  ♥ 0  ♦ 1  ♣ 0"], ["♠ 0  ♥ 0  ♦ 0  ♣ 1"]) == (suits(evening, 2), suits(evening, 3))


def test_whoever_is_punished_punishes_nobody() -> None:
    """MAG-9: an opener who shares the dead heat is not the one to punish."""
    evening = PlayedGame(VATRA, 3, dead_heat="share").last(1, 2, 3)
    assert "One of the others gathers and shuffles the cards, another punishes." == evening.shown[1]


def test_a_missing_shout_changes_who_is_punished() -> None:
    """MAG-4: and the opener who was silent punishes nobody."""
    evening = PlayedGame(VATRA, 3).last(3, order=(1, 2, 3)).do(NoShout(1))
    assert [1, 0, 0] == evening.scores
    assert "East punishes." in evening.shown[1]


# MAG-9: the virtual deck


def virtual(seat: int = 2) -> PlayedGame:
    """A round of three with the table's own deck, after a card was named."""
    return play(PlayedGame(VATRA, 3, punishment="virtual").last(seat), name("KC"))


def test_the_virtual_deck_is_turned_from_the_top() -> None:
    """MAG-9: the king of spades, the ace of hearts, the queen of diamonds, then the named king."""
    evening = play(virtual(), end("top", ORDER), {"type": "turn", "value": "next"})
    assert "♠ 1  ♥ 0  ♦ 0  ♣ 0" == evening.shown[2]
    for _ in range(3):
        play(evening, {"type": "turn", "value": "next"})
    assert (["♠ 1  ♥ 1  ♦ 1  ♣ 0"], {}) == (suits(evening, 2), evening.steps)


def test_the_virtual_deck_is_turned_from_the_bottom() -> None:
    """MAG-9: QH AC KD QC AD KH QS AS come before the king of clubs, all at once."""
    evening = play(virtual(), end("bottom", ORDER), {"type": "turn", "value": "all"})
    assert ["♠ 2  ♥ 2  ♦ 2  ♣ 2"] == suits(evening, 2)
    shown = next(ask for ask in VATRA.asks(evening.state) if hasattr(ask, "cards"))
    assert ["QH", "AC", "KD", "QC", "AD", "KH", "QS", "AS", "KC"] == [str(card) for card in shown.cards]


def test_history_names_the_cards_that_came_up() -> None:
    """MAG-9: a step says what it turned, the named card at the end; not that it turned."""
    evening = play(virtual(), end("top", ORDER))
    said = []
    for how in ("next", "all"):
        before, move = evening.state, VATRA.read_move({"type": "turn", "value": how})
        evening.do(move)
        said.append(str(VATRA.describe(before, move, evening.state)))
    assert ["Turned: K♠", "Turned: A♥, Q♦ and K♣"] == said


def test_nobody_is_told_to_shuffle_when_the_table_does() -> None:
    """MAG-9: the virtual deck comes shuffled; the opener punishes, if nobody else must."""
    assert "North punishes, as the cards say." == PlayedGame(VATRA, 3, punishment="virtual").last(2).shown[1]
    shared = PlayedGame(VATRA, 3, punishment="virtual", dead_heat="share").last(1, 2, 3)
    assert "One of the others punishes, as the cards say." == shared.shown[1]


def test_a_deck_that_is_not_the_one_in_play_is_refused() -> None:
    """MAG-9: every card once, none too many; without chance the move must say it."""
    for order in ((), ORDER[1:], (*ORDER, "7D"), ("KS", *ORDER[1:-1], "KS")):
        assert "MAG-9" == virtual().refused(end("top", order))[0]


@settings(max_examples=examples(40), deadline=None)
@given(data=st.data(), players=st.integers(3, 13), travel=st.booleans(), top=st.booleans())
def test_any_shuffle_punishes_by_what_comes_before(
    data: st.DataObject, players: int, travel: bool, top: bool
) -> None:
    """MAG-9: counted by another route, travel card included; jokers count nothing."""
    evening = PlayedGame(VATRA, players, punishment="virtual", travel_card=travel).last(1)
    card = str(data.draw(st.sampled_from(evening.steps["name-card"].cards)))
    play(evening, name(card))
    move = VATRA.by_chance(evening.state, VATRA.read_move(end("top" if top else "bottom")), Lot())
    order = data.draw(st.permutations(move.order))
    assert 4 * players + travel == len(order)
    play(evening, end("top" if top else "bottom", tuple(order)), {"type": "turn", "value": "all"})
    before = order[: order.index(card)] if top else order[order.index(card) + 1 :]
    counted = [sum(one.endswith(suit) for one in before) for suit in "SHDC"]
    expected = "♠ {}  ♥ {}  ♦ {}  ♣ {}".format(*counted)
    assert [expected] == (suits(evening, 1) or ["♠ 0  ♥ 0  ♦ 0  ♣ 0"])


def test_the_table_shuffles_and_the_log_holds_it() -> None:
    """MAG-9: whatever order a phone sends, the lot's own is kept; each step can be taken back."""
    scenario = Scenario("vatra", NAMES[:3], chance=Lot(), punishment="virtual")
    for seat, player in enumerate(NAMES[:3]):
        scenario.press(player, at_us=1_000 * seat)
    scenario.judge()
    scenario.move(**name("AD"))
    scenario.move(**end("top", ORDER))
    kept = [entry.move for entry in scenario.table.record.evening.match.entries if entry.move]
    assert ["AS", "AH", "AD", "AC"] == list(kept[-1]["order"])[:4]
    scenario.move(type="turn", value="all")
    assert ["♠ 1  ♥ 1  ♦ 0  ♣ 0"] == [str(note) for note in scenario.snapshot.rows[2].notes]
    assert ["A♦ appeared: it is over."] == [
        str(line) for step in scenario.snapshot.steps for line in step.lines[:1]
    ]
    scenario.undo()
    assert () == scenario.snapshot.rows[2].notes
    assert ["turn"] == [step.move for step in scenario.snapshot.steps if hasattr(step, "move")]


def test_the_table_arms_itself_again_after_the_punishment() -> None:
    """While cards are turned it waits, however long that takes."""
    scenario = Scenario("vatra", NAMES[:3])
    for seat, player in enumerate(NAMES[:3]):
        scenario.press(player, at_us=1_000 * seat)
    scenario.judge()
    assert "armed" == scenario.snapshot.phase
    scenario.move(**name("AD"))
    scenario.wait(30)
    assert "armed" != scenario.snapshot.phase
    scenario.move(**end("top"))
    scenario.move(**turned("appeared")[0])
    scenario.wait(5)
    assert "armed" == scenario.snapshot.phase


# MAG-9: forfeits


def test_forfeits_replace_the_blows() -> None:
    """MAG-9: drawn by lot, another one if it cannot be, then done."""
    evening = PlayedGame(VATRA, 3, punishment="forfeit").last(2)
    assert {"forfeit", "mercy"} == set(evening.steps)
    draw = {"type": "forfeit", "value": "draw"}
    assert "MAG-9" == evening.refused(draw)[0]
    evening.do(VATRA.by_chance(evening.state, VATRA.read_move(draw), Lot(4)))
    assert ["East was last", str(FORFEITS[4])] == evening.shown
    evening.do(VATRA.by_chance(evening.state, VATRA.read_move(draw), Lot(4)))
    assert str(FORFEITS[5]) == evening.shown[1]
    done = VATRA.read_move({"type": "forfeit", "value": "done"})
    assert done == VATRA.by_chance(evening.state, done, Lot(4)), "nothing in it is left to chance"
    evening.do({"type": "forfeit", "value": "done"})
    assert ({}, [0, 1, 0]) == (evening.steps, evening.scores)
    assert "MAG-9" == PlayedGame(VATRA, 3, punishment="forfeit").last(2).refused(name("QH"))[0]


def test_a_forfeit_that_is_drawn_must_be_done_and_then_the_next_has_theirs() -> None:
    """MAG-9: no mercy once it is drawn; of two who share a dead heat the second is still to come."""
    draw, done = ({"type": "forfeit", "value": value} for value in ("draw", "done"))
    evening = PlayedGame(VATRA, 4, punishment="forfeit", dead_heat="share").last(2, 3)
    evening.do(VATRA.by_chance(evening.state, VATRA.read_move(draw), Lot(4)))
    assert ("MAG-9", "The punishment has begun: take that back first.") == evening.refused({"type": "mercy"})
    evening.do(done)
    assert (3,) == evening.state.due
    evening.do(VATRA.by_chance(evening.state, VATRA.read_move(draw), Lot(0)))
    evening.do(done)
    assert ((), {}) == (evening.state.due, evening.steps)


def test_once_a_forfeit_is_drawn_nobody_speaks_of_shouting_until_the_next_verdict() -> None:
    """MAG-4, MAG-9: who has done theirs has done it for good; nobody else is last in their place."""
    draw, done, silent = (
        {"type": "forfeit", "value": "draw"},
        {"type": "forfeit", "value": "done"},
        NoShout(1),
    )
    evening = PlayedGame(VATRA, 3, punishment="forfeit").last(2)

    def asked() -> bool:
        return "did-not-shout" in {getattr(ask, "move", None) for ask in VATRA.asks(evening.state)}

    assert asked()
    evening.do(VATRA.by_chance(evening.state, VATRA.read_move(draw), Lot(4)))
    assert not asked()
    evening.do(done)
    assert not asked()
    late = evening.refused(silent)
    assert ("MAG-4", "The punishment has begun: it is too late to speak of shouting.") == late
    assert [0, 1, 0] == evening.scores
    evening.last(3)
    assert asked()


def test_there_are_forfeits_enough() -> None:
    """About twenty, each different, each a whole sentence."""
    said = [str(forfeit) for forfeit in FORFEITS]
    assert 20 <= len(set(said)) == len(said)
    assert all(one.endswith(".") for one in said)


def test_help_tells_what_this_table_does() -> None:
    """MAG-9: the suits with the cards, none of it with forfeits; tips of the source in our words."""

    def helped(punishment: str) -> str:
        parts = VATRA.help(VATRA.read_options({"punishment": punishment}))
        return " ".join(str(line) for part in parts for line in part.lines)

    assert "♠ Hammer: A blow with the side of the fist." in helped("real")
    assert "Watch the shuffle" in helped("real")
    assert "Watch the shuffle" not in helped("virtual")
    assert "Do not name a heart" in helped("virtual")
    assert "Hammer" not in helped("forfeit")
    assert "draws a forfeit" in helped("forfeit")


def test_a_page_can_draw_the_steps_without_knowing_the_game() -> None:
    """MAG-9: each step says what it is, in the reader's language, and which move it sends."""
    scenario = Scenario("vatra", NAMES[:3])
    for seat, player in enumerate(NAMES[:3]):
        scenario.press(player, at_us=1_000 * seat)
    scenario.judge()
    show, cards, mercy = json.loads(to_json(scenario.snapshot.steps, "fr"))
    assert ("show", "cards", "choose") == (show["ask"], cards["ask"], mercy["ask"])
    assert ("name-card", {"rank": "A", "suit": "S"}) == (cards["move"], cards["cards"][0])
    assert ("mercy", "mercy") == (mercy["move"], mercy["choices"][0]["value"])
