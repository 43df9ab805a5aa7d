"""The figures of an evening: worked out by hand, and sums that hold for any evening."""

from __future__ import annotations

import gzip
from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.model import Lift, Press, Verdict
from lastnose.companion.core.text import text
from lastnose.companion.evening import log
from lastnose.companion.evening.events import (
    Amended,
    AnyEvent,
    NameChanged,
    Played,
    RoundArmed,
    RoundJudged,
    Seated,
    Started,
    Undone,
)
from lastnose.companion.evening.state import Evening
from lastnose.companion.timing.judge import judge
from lastnose.companion.views import statistics
from lastnose.companion.views.statistics import (
    Close,
    Figures,
    PlayerFigures,
    Reaction,
    at_a_glance,
    figures,
    figures_over,
    median,
    median_u_ns,
)

from tests.support.examples import examples

PLAYERS = ("North", "East", "South", "West")
MS, US = 1_000_000, 1_000


def started(
    game: str = "pig", players: tuple[str, ...] = PLAYERS, seq: int = 1, **options: object
) -> tuple[int, AnyEvent]:
    """A game begins."""
    lines = tuple(f"nose.{seat}" for seat in range(1, len(players) + 1))
    return seq, Started(by="host", at=0.0, game=game, players=players, options=options, lines=lines)


def judged(seq: int, verdict: Verdict) -> tuple[int, AnyEvent]:
    """The box judged *verdict*."""
    return seq, RoundJudged(by="box", at=1.0, verdict=verdict, confirm_ns=MS, lockout_ns=20 * MS)


def seated(seq: int, players: tuple[str, ...]) -> tuple[int, AnyEvent]:
    """Somebody came or went."""
    lines = tuple(f"nose.{seat}" for seat in range(1, len(players) + 1))
    return seq, Seated(by="host", at=1.0, players=players, lines=lines)


def played(seq: int, **move: Any) -> tuple[int, AnyEvent]:
    """The table made a move."""
    return seq, Played(by="host", at=1.0, move=move)


def amended(seq: int, of: int, **move: Any) -> tuple[int, AnyEvent]:
    """The table corrected entry *of*."""
    return seq, Amended(by="host", at=1.0, of=of, move=move)


def undone(seq: int, of: int) -> tuple[int, AnyEvent]:
    """Entry *of* was taken back."""
    return seq, Undone(by="host", at=1.0, of=of)


def raced(u_ns: int = 10 * US, start_ns: int = 5_000 * MS, **at_ns: int) -> Verdict:
    """The verdict of presses by player, each sure to *u_ns*."""
    return judge([Press(PLAYERS.index(name) + 1, start_ns + t, u_ns, "gpio") for name, t in at_ns.items()])


def of_evening(*events: tuple[int, AnyEvent]) -> Figures:
    """The figures of an evening."""
    return figures(log.fold(events))


def of_player(found: Figures, name: str) -> PlayerFigures:
    """One player's figures."""
    return next(player for player in found.players if player.player == name)


def sums(found: Figures, field: str) -> dict[str, Any]:
    """One figure of every player."""
    return {player.player: getattr(player, field) for player in found.players}


FIRST = raced(North=0, West=181 * MS, East=245_588 * US, South=246 * MS)
SECOND = raced(East=0, South=100 * MS, North=150 * MS, West=150_100 * US)
SECOND_EVENING = judge(
    [Press(seat, 5_000 * MS + at * MS, 10 * US, "gpio") for seat, at in ((1, 0), (3, 90), (2, 100))]
)
HEAT = raced(North=0, East=200 * MS, South=300 * MS, West=300_004 * US)


def test_an_evening_without_a_game_has_no_figures() -> None:
    """Nothing is divided by nothing."""
    assert figures(Evening()) == Figures(rounds=0, dead_heats=0, games=(), players=(), closest=())


def test_rounds_losses_letters_and_openings_are_counted_by_player() -> None:
    """South was last behind East, then West behind North; North and East opened."""
    found = of_evening(started(), judged(3, FIRST), judged(5, SECOND))
    assert (found.rounds, found.dead_heats) == (2, 0)
    assert sums(found, "rounds") == {"North": 2, "East": 2, "South": 2, "West": 2}
    assert sums(found, "lost") == {"North": 0, "East": 0, "South": 1, "West": 1}
    assert sums(found, "letters") == {"North": 0, "East": 0, "South": 1, "West": 1}
    assert sums(found, "openings") == {"North": 1, "East": 1, "South": 0, "West": 0}


def test_a_reaction_counts_from_the_openers_press_and_carries_the_doubt_of_both() -> None:
    """Two presses, each sure to ± 10 µs, make a gap that is sure to ± 20 µs; the opener has none."""
    found = of_evening(started(), judged(3, FIRST))
    assert [
        ("North", ()),
        ("East", (Reaction(3, 245_588 * US, 155_085),)),
        ("South", (Reaction(3, 246 * MS, 155_311),)),
        ("West", (Reaction(3, 181 * MS, 119_561),)),
    ] == [(player.player, player.reactions) for player in found.players]
    north = of_player(found, "North")
    assert (None, None, None) == (north.best, north.median_ns, north.median_u_ns)


def test_between_two_clocks_a_reaction_carries_the_doubt_of_the_clocks() -> None:
    """10 + 20 µs of their own, 100 + 300 of their clocks, 1,250 ppm of 50.43 ms by a steered clock."""
    presses = (
        Press(1, 0, 10 * US, "gpio", 100 * US),
        Press(2, 50 * MS, 20 * US, "page", 300 * US),
        Press(3, 90 * MS, 10 * US, "gpio", 100 * US),
    )
    found = of_evening(started(players=PLAYERS[:3]), judged(3, judge(presses)))
    assert (Reaction(3, 50 * MS, 493_038),) == of_player(found, "East").reactions
    assert (Reaction(3, 90 * MS, 132_525),) == of_player(found, "South").reactions


def test_with_a_rack_a_reaction_counts_from_the_first_lift() -> None:
    """North lifts at 0 and confirms at 200 ms; East confirms at 300 ms, South touches too late at 350 ms.

    A lift that is sure to ± 5 µs and a touch sure to ± 10 µs make a gap that is sure to ± 15 µs.
    """
    raced_for_spoons = msgspec.structs.replace(
        raced(North=200 * MS, East=300 * MS, South=350 * MS),
        lifts=(Lift(2, 5_000 * MS, 5 * US, "gpio"), Lift(1, 5_250 * MS, 5 * US, "gpio")),
    )
    found = of_evening(started("spoons", PLAYERS[:3]), judged(3, raced_for_spoons))
    assert [(), (Reaction(3, 300 * MS, 180_009),), (Reaction(3, 350 * MS, 207_509),)] == [
        player.reactions for player in found.players
    ]
    assert (Close(3, 1, 1, "East", "South", 50 * MS, 47_511),) == found.closest


def test_best_and_median_are_those_of_all_rounds() -> None:
    """South reacted after 246, 100 and 300 ms: at best 100, in the middle 246."""
    found = of_evening(started(), judged(3, FIRST), judged(5, SECOND), judged(7, HEAT))
    south = of_player(found, "South")
    assert Reaction(5, 100 * MS, 75_011) == south.best
    assert (246 * MS, 155_311) == (south.median_ns, south.median_u_ns)
    assert 181 * MS == of_player(found, "West").median_ns


def test_beside_a_game_stand_shares_reactions_and_the_closest_finish_alone() -> None:
    """Two rounds: 249.96 and 100.04 ms after North are 250.0 and 100.0 in steps of a tenth."""
    found = of_evening(
        started(),
        judged(2, raced(North=0, East=249_960 * US, South=300 * MS, West=400 * MS)),
        judged(3, raced(North=0, East=100_040 * US, South=300 * MS, West=350 * MS)),
    )
    shown = at_a_glance(found)
    north, east, _, west = shown.players
    assert (2, 0, 4, 50 * MS) == (shown.rounds, shown.dead_heats, len(shown.players), shown.closest.margin_ns)
    assert ((), None, None) == (north.after_us, north.best, north.median_ns)
    assert (100_000, 250_000) == east.after_us
    assert (100_040 * US, 175_000 * US) == (east.best.after_ns, east.median_ns)
    assert (2, 2, 0, 0) == (west.rounds, west.lost, west.asked, west.firsts)


def test_what_stands_beside_a_game_is_small_after_a_hundred_rounds_of_twenty_six() -> None:
    """Of the hundred kilobytes of a page it leaves ninety to all else, also where every figure is another."""
    lots = Random(1)
    reactions = tuple(Reaction(seq, lots.randrange(100 * MS, 2_000 * MS), 20 * US) for seq in range(100))
    players = tuple(
        PlayerFigures(f"Maximiliane-Theodora {n}", 50, 3, 100, 4, reactions=reactions, best=reactions[0])
        for n in range(26)
    )
    all_of_it = Figures(100, 0, (), players, ())
    assert len(gzip.compress(msgspec.json.encode(at_a_glance(all_of_it)))) < 10_000


def test_an_escape_is_the_margin_of_a_verdict_that_somebody_else_was_last_in() -> None:
    """East escaped by 412 µs, North by 100 µs; the closest verdict of the evening comes first."""
    found = of_evening(started(), judged(3, FIRST), judged(5, SECOND))
    first = Close(3, 1, 1, "East", "South", 412 * US, 20_238)
    second = Close(5, 1, 2, "North", "West", 100 * US, 20_066)
    assert (second, first) == found.closest
    assert {"North": (second,), "East": (first,), "South": (), "West": ()} == sums(found, "escapes")


def test_a_player_has_the_three_closest_escapes_and_the_evening_the_five_closest_verdicts() -> None:
    """North gets away six times, by less and less, while East collects letters."""
    gaps_us = (900, 800, 700, 600, 500, 400)
    rounds = [raced(South=0, North=50 * MS, East=50 * MS + gap * US) for gap in gaps_us]
    events = [judged(seq, verdict) for seq, verdict in enumerate(rounds, 2)]
    found = of_evening(started(players=PLAYERS[:3], word="ABCDEFGH"), *events)
    assert [400 * US, 500 * US, 600 * US] == [one.margin_ns for one in of_player(found, "North").escapes]
    assert [400 * US, 500 * US, 600 * US, 700 * US, 800 * US] == [one.margin_ns for one in found.closest]
    assert [6, 5, 4, 3, 2] == [one.number for one in found.closest]


def test_a_dead_heat_that_is_played_again_has_no_last_and_no_escape() -> None:
    """4 µs apart and sure only to ± 20 µs: it is counted as what it is, and people did react in it."""
    found = of_evening(started(), judged(3, HEAT))
    assert (1, 1) == (found.rounds, found.dead_heats)
    assert {"North": 0, "East": 0, "South": 1, "West": 1} == sums(found, "dead_heats")
    assert {"North": 0, "East": 0, "South": 0, "West": 0} == sums(found, "lost")
    assert () == found.closest
    assert Reaction(3, 300 * MS, 185_011) == of_player(found, "South").best


def test_what_is_void_or_taken_back_is_not_counted() -> None:
    """Void as judged, void by correction, undone: nothing of them is left in any figure."""
    noise = msgspec.structs.replace(FIRST, last=(), void=text("{line} keeps changing.", line="nose.2"))
    found = of_evening(
        started(),
        judged(3, noise),
        judged(5, SECOND),
        amended(6, 5, type="void", reason="tea"),
        judged(8, FIRST),
        undone(9, 8),
    )
    assert (0, ()) == (found.rounds, found.closest)
    assert () == found.players


def test_who_has_not_played_a_round_has_no_figures() -> None:
    """Ida has joined for the second game, of which no round has been judged: no “0 of 0” for her."""
    found = of_evening(started(), judged(3, FIRST), started(players=("North", "East", "Ida"), seq=4))
    assert list(PLAYERS) == [player.player for player in found.players]
    assert [4, 3] == [len(game.players) for game in found.games]


def test_a_correction_decides_who_was_last_and_leaves_the_stamps() -> None:
    """The table says that North was last, not South: no margin was measured for that, but reactions were.

    North, who pressed first, did not open as the table sees it: West did, and East came 64.588 ms later.
    """
    found = of_evening(started(), judged(3, FIRST), amended(4, 3, type="last", seats=[1]))
    assert {"North": 1, "East": 0, "South": 0, "West": 0} == sums(found, "lost")
    assert {"North": 0, "East": 0, "South": 0, "West": 1} == sums(found, "openings")
    assert () == found.closest
    assert [(), (64_588 * US,), (65 * MS,), ()] == [
        tuple(one.after_ns for one in player.reactions) for player in found.players
    ]


def test_a_round_that_the_box_could_not_judge_leaves_no_times_when_the_table_does() -> None:
    """A record is not made of presses among which some may be missing."""
    gap = msgspec.structs.replace(FIRST, last=(), void=text("Edges were lost."))
    found = of_evening(started(), judged(3, gap), amended(4, 3, type="last", seats=[3]))
    assert (1, 1) == (found.rounds, of_player(found, "South").lost)
    assert [()] * 4 == [player.reactions for player in found.players]


def test_a_round_that_began_too_early_was_no_race() -> None:
    """East touched without the cards: East counts as last, nobody opened, nobody reacted."""
    found = of_evening(started(), judged(3, SECOND), amended(4, 3, type="false-opener", seat=2))
    assert (1, ()) == (found.rounds, found.closest)
    assert {"North": 0, "East": 1, "South": 0, "West": 0} == sums(found, "lost")
    assert {"North": 0, "East": 1, "South": 0, "West": 0} == sums(found, "letters")
    assert {"North": 0, "East": 0, "South": 0, "West": 0} == sums(found, "openings")
    assert [()] * 4 == [player.reactions for player in found.players]


def test_a_slap_without_a_shout_changes_who_was_last_and_who_opened() -> None:
    """North slapped first but in silence: North was last, West opened; the next round stands for itself."""
    found = of_evening(
        started("magarac"),
        judged(3, FIRST),
        played(4, type="did-not-shout", seat=1),
        judged(6, SECOND),
    )
    assert {"North": 1, "East": 0, "South": 0, "West": 1} == sums(found, "lost")
    assert {"North": 1, "East": 0, "South": 0, "West": 1} == sums(found, "letters")
    assert {"North": 0, "East": 1, "South": 0, "West": 1} == sums(found, "openings")
    assert (Close(6, 1, 2, "North", "West", 100 * US, 20_066),) == found.closest


def test_two_who_kept_silent_are_a_dead_heat() -> None:
    """It is played again, so that neither was last; the void round after it changes nothing."""
    found = of_evening(
        started("magarac"),
        judged(3, FIRST),
        played(4, type="did-not-shout", seat=1),
        played(5, type="did-not-shout", seat=2),
        judged(6, Verdict(void=text("Tea."))),
    )
    assert (1, 1) == (found.rounds, found.dead_heats)
    assert {"North": 1, "East": 1, "South": 0, "West": 0} == sums(found, "dead_heats")
    assert {"North": 0, "East": 0, "South": 0, "West": 0} == sums(found, "lost")


def test_what_follows_a_round_does_not_change_it() -> None:
    """A letter that West gets afterwards for beginning too early is not of the dead heat before it."""
    found = of_evening(
        started("magarac"),
        judged(3, FIRST),
        played(4, type="did-not-shout", seat=1),
        played(5, type="did-not-shout", seat=2),
        played(6, type="false-opener", seat=4),
    )
    assert {"North": 0, "East": 0, "South": 0, "West": 0} == sums(found, "lost")
    assert {"North": 0, "East": 0, "South": 0, "West": 1} == sums(found, "letters")


def test_an_empty_rack_counts_when_the_table_has_said_who_went_without() -> None:
    """Before the answer nobody was last, and the round is not counted yet."""
    start = started("spoons", confirm="rack-only")
    assert 0 == of_evening(start, judged(3, Verdict())).rounds
    found = of_evening(start, judged(3, Verdict()), played(4, type="no-spoon", seat=2))
    assert 1 == found.rounds
    assert {"North": 0, "East": 1, "South": 0, "West": 0} == sums(found, "lost")


def armed(seq: int, *seats: int) -> tuple[int, AnyEvent]:
    """A round was armed for *seats*."""
    return seq, RoundArmed(by="box", at=1.0, t_ns=0, seats=seats)


def test_who_is_in_again_by_a_correction_has_not_played_the_rounds_between() -> None:
    """South was out after round 1 and sat round 2 out; then round 1 was void, and South plays on."""
    found = of_evening(
        started(sudden_death=True),
        armed(2, 1, 2, 3, 4),
        judged(3, FIRST),
        armed(4, 1, 2, 4),
        judged(5, raced(North=0, East=10 * MS, West=30 * MS)),
        amended(6, 3, type="void"),
        armed(7, 1, 2, 3),
        judged(8, raced(North=0, East=10 * MS, South=30 * MS)),
    )
    assert {"North": 2, "East": 2, "South": 1, "West": 1} == sums(found, "rounds")
    assert {"North": 0, "East": 0, "South": 1, "West": 1} == sums(found, "lost")


def test_who_has_only_kept_a_score_sheet_is_listed_with_games_and_wins() -> None:
    """Two games of one hand: Ana wins the first, both win the second; Ida's has nothing written yet."""

    def sheet(seq: int, *points: int, names: tuple[str, ...] = ("Ana", "Zoë")) -> list[tuple[int, AnyEvent]]:
        moves = [
            played(seq + seat, type="score", hand=1, seat=seat, points=one)
            for seat, one in enumerate(points, 1)
        ]
        return [started("score-pad", names, seq=seq, rounds=1), *moves]

    found = of_evening(*sheet(1, 30, 10), *sheet(4, 20, 20), *sheet(7, names=("Ida", "Zoë")))
    assert [("Ana", 2, 2, 0), ("Zoë", 3, 1, 0)] == [
        (one.player, one.games, one.won, one.rounds) for one in found.players
    ]
    lines = statistics.to_csv(found).split("\r\n")
    assert ["Ana,2,2,0,0,,0,0,0,0,0,0,,,,", "Zoë,3,1,0,0,,0,0,0,0,0,0,,,,"] == lines[1:3]


def test_a_player_is_known_by_name_over_all_games() -> None:
    """North sits elsewhere in the second game, in which South does not play and Zoë does."""
    found = of_evening(
        started(),
        judged(3, FIRST),
        started("hog", ("Zoë", "North", "East"), seq=4),
        judged(6, raced(North=0, East=80 * MS, South=90 * MS)),
    )
    assert ["North", "East", "South", "West", "Zoë"] == [player.player for player in found.players]
    assert {"North": 2, "East": 2, "South": 1, "West": 1, "Zoë": 1} == sums(found, "games")
    assert {"North": 0, "East": 1, "South": 1, "West": 0, "Zoë": 0} == sums(found, "lost")
    assert {"North": 1, "East": 0, "South": 0, "West": 0, "Zoë": 1} == sums(found, "openings")
    assert (Reaction(6, 80 * MS, 64_011),) == of_player(found, "North").reactions
    assert [(1, "pig", 1, 1, False), (2, "hog", 4, 1, False)] == [
        (game.number, game.game, game.seq, game.rounds, game.finished) for game in found.games
    ]
    assert [(2, 1), (1, 1)] == [(one.game, one.number) for one in sorted(found.closest, key=lambda o: -o.seq)]


def test_a_game_tells_how_it_ended() -> None:
    """Three players and one letter: South is out, two have won."""
    found = of_evening(
        started(players=PLAYERS[:3], word="P"), judged(3, raced(North=0, East=10 * MS, South=30 * MS))
    )
    (game,) = found.games
    assert (True, ("North", "East"), ()) == (game.finished, game.winners, game.losers)


ROUNDS = st.lists(
    st.tuples(
        st.permutations(range(1, 5)),
        st.lists(st.integers(0, 60 * US), min_size=4, max_size=4),
        st.sampled_from(("stands", "stands", "void", "undone", "last")),
    ),
    max_size=6,
)


def any_evening(rounds: list[tuple[list[int], list[int], str]], dead_heat: str) -> list[Any]:
    """A long game in which rounds were judged, and some corrected, in log order."""
    events = [started(word="ABCDEFGHIJKL", dead_heat=dead_heat)]
    for at, (order, gaps_ns, fate) in enumerate(rounds):
        seq, t_ns, presses = 10 + 10 * at, 0, []
        for seat, gap_ns in zip(order, gaps_ns, strict=True):
            t_ns += gap_ns
            presses.append(Press(seat, t_ns, 10 * US, "gpio"))
        events.append(judged(seq, judge(presses)))
        if fate == "undone":
            events.append(undone(seq + 1, seq))
        elif fate == "void":
            events.append(amended(seq + 1, seq, type="void"))
        elif fate == "last":
            events.append(amended(seq + 1, seq, type="last", seats=[order[0]]))
    return events


@settings(max_examples=examples(60), deadline=None)
@given(ROUNDS)
def test_every_counted_round_has_one_last_unless_it_is_a_dead_heat(
    rounds: list[tuple[list[int], list[int], str]],
) -> None:
    """Sums over the players fit the evening, and every letter was somebody's being last."""
    found = of_evening(*any_evening(rounds, "replay"))
    counting = sum(1 for _, _, fate in rounds if fate in ("stands", "last"))
    assert counting == found.rounds >= sum(sums(found, "openings").values())
    assert found.rounds - found.dead_heats == sum(sums(found, "lost").values())
    assert sums(found, "letters") == sums(found, "lost")
    assert 2 * found.dead_heats <= sum(sums(found, "dead_heats").values())
    assert all(rounds == found.rounds for rounds in sums(found, "rounds").values())
    assert all(one.margin_ns > one.u_ns for one in found.closest)
    assert sorted(one.margin_ns for one in found.closest) == [one.margin_ns for one in found.closest]


@settings(max_examples=examples(40), deadline=None)
@given(ROUNDS)
def test_in_a_shared_dead_heat_everybody_in_it_is_last(
    rounds: list[tuple[list[int], list[int], str]],
) -> None:
    """The same sums with the option to share."""
    found = of_evening(*any_evening(rounds, "share"))
    clear = found.rounds - found.dead_heats
    assert clear + sum(sums(found, "dead_heats").values()) == sum(sums(found, "lost").values())
    assert sums(found, "letters") == sums(found, "lost")


@given(
    st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 300), st.floats(-1, 1)), min_size=1, max_size=9)
)
def test_the_true_median_is_within_its_doubt(times: list[tuple[int, int, float]]) -> None:
    """However wrong each time is within its own doubt."""
    reactions = [Reaction(1, after_ns, u_ns) for after_ns, u_ns, _ in times]
    truth = median([after_ns + round(u_ns * wrong) for after_ns, u_ns, wrong in times])
    assert abs(truth - median([one.after_ns for one in reactions])) <= median_u_ns(reactions)


def test_over_evenings_players_are_known_by_their_names() -> None:
    """Two evenings: the same four once, then three of them with a new one; games are counted on."""
    first = log.fold((started(), judged(3, FIRST)))
    second = log.fold((started(players=("West", "North", "Ana")), judged(3, SECOND_EVENING)))
    found = figures_over((first, second))
    assert (2, 2, [1, 2]) == (found.evenings, found.rounds, [one.number for one in found.games])
    assert {"North": 2, "East": 1, "South": 1, "West": 2, "Ana": 1} == sums(found, "rounds")
    assert {"North": 2, "East": 1, "South": 1, "West": 2, "Ana": 1} == sums(found, "games")
    assert {"North": 1, "East": 0, "South": 1, "West": 0, "Ana": 0} == sums(found, "lost")
    assert found.closest[0].game == 1
    assert figures(first) == figures_over((first,))


def test_over_evenings_a_person_is_one_however_their_name_was_written() -> None:
    """In capitals, with an accent as two signs, and by another name that was put right later that evening.

    Two evenings of two games; the newest evening says what everybody is called. Closest escapes name them so.
    """
    first = log.fold(
        (
            started(players=("Jhon", "zoe\u0308", "Ana", "Björn")),
            judged(3, FIRST),
            started(players=("Jhon", "Zoe\u0308", "ANA", "Björn"), seq=4),
            (5, NameChanged(by="host", at=1.0, was="jhon", name="John")),
            judged(6, SECOND),
        )
    )
    names = {"Zo\u00eb", "Ana", "Björn"}
    assert {"John", "zoe\u0308", "Ana", "Björn"} == {one.player for one in figures(first).players}
    assert {2} == {one.games for one in figures(first).players}
    second = log.fold((started(players=("Ana", "john", "Zo\u00eb")), judged(3, SECOND_EVENING)))
    found = figures_over((first, second))
    assert {"john", *names} == {one.player for one in found.players}
    assert {"john": 3, "Zo\u00eb": 3, "Ana": 3, "Björn": 2} == sums(found, "games") == sums(found, "rounds")
    assert {"john": 1, "Zo\u00eb": 0, "Ana": 1, "Björn": 1} == sums(found, "lost")
    assert {"john", *names} >= {name for one in found.closest for name in (one.rival, one.last)}
    assert {"john", *names} == {name for game in found.games for name in game.players}


def test_who_goes_and_comes_back_is_one_person_with_one_game() -> None:
    """South is last, goes, comes back and is last again: two rounds of two, one game, two letters."""
    three = ("North", "East", "West")
    found = of_evening(
        started(word="LETTERS"),
        judged(3, FIRST),
        seated(4, three),
        judged(5, SECOND_EVENING),
        seated(6, PLAYERS),
        judged(7, FIRST),
    )
    assert (1, 2, 2, 2) == tuple(
        getattr(of_player(found, "South"), field) for field in ("games", "rounds", "lost", "letters")
    )
    assert {"North": 3, "East": 3, "South": 2, "West": 3} == sums(found, "rounds")
    assert {"North": 0, "East": 1, "South": 2, "West": 0} == sums(found, "lost")


def test_figures_are_exported_by_how_often_one_was_last() -> None:
    """A half before a third; a name that a spreadsheet would take for a formula is quoted."""
    names = ("North", "=East", "South", "West")
    found = figures(log.fold((started(players=names), judged(3, FIRST), judged(5, SECOND))))
    lines = statistics.to_csv(found).split("\r\n")
    head = "player,games,won,rounds,was_last,share_last,asked_first,was_first,false_starts,letters,opened"
    head += ",dead_heats"
    assert head == lines[0].rsplit(",", 4)[0]
    assert ["South,1,0,2,1,0.5,0,0,0,1,0,0", "West,1,0,2,1,0.5,0,0,0,1,0,0"] == [
        line.rsplit(",", 4)[0] for line in lines[1:3]
    ]
    assert "'=East,1,0,2,0,0.0,0,0,0,0,1,0" == lines[4].rsplit(",", 4)[0]
    assert "" == lines[5]


def test_who_was_first_and_too_early_is_counted_by_person_over_evenings() -> None:
    """Two goes of a duel an evening: North is first by 4 ms, then too early twice in one go; never last."""

    def evening() -> Evening:
        presses = (Press(1, 0, 10, "gpio"), Press(2, 4 * MS, 10, "gpio"))
        first = Verdict(order=(1, 2), first=(1,), margin_ns=4 * MS, u_ns=20, presses=presses)
        early = Verdict(nobody=True, early=(Press(1, -9, 1, "gpio"), Press(1, -2, 1, "gpio")))
        rounds = [
            (seq, msgspec.structs.replace(judged(seq, one)[1], question="first"))
            for seq, one in ((3, first), (5, early))
        ]
        return log.fold((started("reaction-duel", ("North", "East")), *rounds))

    for evenings in (1, 2):
        north, east = figures_over([evening() for _ in range(evenings)]).players
        n = evenings
        assert [("North", 2 * n, 2 * n, n, n, 0), ("East", 2 * n, 2 * n, 0, 0, 0)] == [
            (one.player, one.rounds, one.asked, one.firsts, one.false_starts, one.lost)
            for one in (north, east)
        ]
        assert (None, 4 * MS) == (north.median_ns, east.median_ns)


def test_nobody_was_last_where_it_was_asked_who_was_first() -> None:
    """East was first in Snap, and the table puts right that North had no cards left: no race, nobody last."""
    first = Verdict(order=(2, 1), first=(2,), presses=(Press(2, 0, 10, "gpio"), Press(1, MS, 10, "gpio")))
    asked = msgspec.structs.replace(judged(3, first)[1], question="first")
    found = of_evening(started("snap"), (3, asked), amended(4, 3, type="no-cards", seat=1))
    assert (0, []) == (found.rounds, [one.player for one in found.players if one.lost])


def test_the_whole_team_was_first_also_where_the_table_has_named_one_of_them() -> None:
    """North and East against South and West: the box heard West, and the table says that it was North."""
    heard = Verdict(order=(4,), first=(3, 4), presses=(Press(4, 0, 10, "gpio"),))
    asked = msgspec.structs.replace(judged(3, heard)[1], question="first")
    evening = [started("quiz", teams="two"), (3, asked)]
    assert {"North": 0, "East": 0, "South": 1, "West": 1} == sums(of_evening(*evening), "firsts")
    for seats in ((1,), (1, 2)):
        found = of_evening(*evening, amended(4, 3, type="last", seats=seats))
        assert {"North": 1, "East": 1, "South": 0, "West": 0} == sums(found, "firsts")
        assert 0 == found.dead_heats
    both = of_evening(*evening, amended(4, 3, type="last", seats=(1, 4)))
    assert (1, {0}) == (both.dead_heats, {*sums(both, "firsts").values()})
