"""Who was first, and then what that was worth: a ruling rests on its verdict, and goes back with it."""

from __future__ import annotations

import csv
import io

import msgspec
import pytest
from lastnose.companion.core.errors import IllegalMove, NotNow
from lastnose.companion.core.model import HostPress
from lastnose.companion.evening.commands import Amend, Arm, LeaveOut, Play, Regroup, Rename, Undo, Void
from lastnose.companion.evening.events import RoundArmed
from lastnose.companion.table.replay import replay, report
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings
from lastnose.companion.timing.tape import read_tape
from lastnose.companion.views.news import lamps, signals

from tests.table.test_quiz import quiz

NAMES = ("North", "East", "South")


def called(*, second_us: int = 4_500) -> Scenario:
    """Return a table of Snap at which East was first, and South second."""
    table = Scenario("snap", NAMES)
    table.press("East", at_us=0)
    table.press("South", at_us=second_us)
    table.judge()
    return table


def won(table: Scenario) -> tuple[int | None, ...]:
    """Return the matches that everybody has won."""
    return tuple(row.score for row in table.snapshot.rows)


def test_nothing_counts_and_no_round_is_armed_before_the_table_has_ruled() -> None:
    """East is named, and the table asked; the keys are right, wrong, too late."""
    table = called()
    shown = table.snapshot
    assert ("verdict", "East was first", True) == (shown.phase, str(shown.headline), shown.waits)
    assert shown.ruling is not None
    assert "East: was it right?" == str(shown.ruling.label)
    assert ["right", "wrong", "late"] == [choice.value for choice in shown.ruling.choices]
    assert ((), (0, 0, 0)) == (shown.steps, won(table))


@pytest.mark.parametrize(
    ("value", "counts", "says", "heard"),
    [
        ("right", (0, 1, 0), "Right: East", "decided"),
        ("wrong", (0, 0, 0), "Wrong: East", "wrong"),
        ("late", (0, 0, 0), "Too late: East", "wrong"),
    ],
)
def test_the_ruling_is_said_heard_and_counted(
    value: str, counts: tuple[int, ...], says: str, heard: str
) -> None:
    """With what follows from it; then the next round can be armed."""
    table = called()
    before = table.snapshot
    table.move(type="ruled", value=value)
    shown = table.snapshot
    assert (says, value, counts) == (str(shown.headline), shown.ruled, won(table))
    assert (None, False) == (shown.ruling, shown.waits)
    assert (heard,) == signals(before, shown)


def test_a_table_that_arms_itself_lets_the_ruling_be_seen_first() -> None:
    """Noses have been free for long; the next round is armed 3 s after the ruling, not before."""
    table = Scenario("snap", NAMES, settings=Settings(rearm_ns=3_000_000_000))
    table.press("East", at_us=0)
    table.judge()
    table.release("East", at_us=600_000)
    table.wait(20)
    assert "verdict" == table.snapshot.phase
    table.move(type="ruled", value="right")
    table.wait(1.9)  # a second passes with the move itself
    assert "Right: East" == str(table.snapshot.headline)
    table.wait(0.2)
    assert "armed" == table.snapshot.phase


def test_the_lamp_of_the_first_blinks_until_the_table_has_ruled() -> None:
    """The others are off; of two who cannot be told apart both blink."""
    table = called()
    assert ["off", "blink", "off"] == [lamp.light for lamp in lamps(table.snapshot)]
    table.move(type="ruled", value="right")
    assert ["on", "on", "on"] == [lamp.light for lamp in lamps(table.snapshot)]
    assert ["off", "blink", "blink"] == [lamp.light for lamp in lamps(called(second_us=2).snapshot)]


def test_called_together_is_asked_about_and_may_be_the_pool() -> None:
    """Two µs apart nobody can tell: it is a dead heat, and the table says whether it was a match."""
    table = called(second_us=2)
    shown = table.snapshot
    assert shown.ruling is not None
    assert ("dead-heat", "East and South: was it right?") == (shown.phase, str(shown.ruling.label))
    assert "played again" not in " ".join(map(str, shown.proof))
    table.move(type="ruled", value="right")
    assert (0, 0, 0) == won(table)
    assert ["1 pool in the middle."] == [str(note) for note in table.snapshot.notes]


def test_a_card_matches_one_pool_and_the_others_stay_in_the_middle() -> None:
    """A wrong call by two makes two pools, each with a top card of its own; the next to call takes one."""
    table = Scenario("snap", NAMES, wrong="pool")
    for player in ("East", "South"):
        table.press(player, at_us=0)
    table.judge()
    table.move(type="ruled", value="wrong")
    assert ["2 pools in the middle."] == [str(note) for note in table.snapshot.notes]
    for left in (["1 pool in the middle."], []):
        table.arm()
        table.press("North", at_us=0)
        table.judge()
        table.move(type="ruled", value="pool")
        assert left == [str(note) for note in table.snapshot.notes]
    assert (2, 0, 0) == won(table)


def test_nobody_wins_the_slap_pile_without_cards() -> None:
    """Who may still slap in has not most of the cards: it is neither offered nor taken."""
    table = Scenario("slapjack", NAMES)
    table.move(type="no-cards", seat=2)
    offered = {act.move: act.seats for act in table.snapshot.acts}
    assert ((1, 3), (1, 3)) == (offered["no-cards"], offered["has-won"])
    with pytest.raises(IllegalMove, match="does not count any more"):
        table.move(type="has-won", seat=2)
    table.move(type="has-won", seat=3)
    assert "South wins!" == str(table.snapshot.headline)


def test_the_hosts_button_is_right_and_held_it_is_wrong() -> None:
    """Without a page: short, then the same with the second long."""
    for long, counts, says in ((False, (0, 1, 0), "Right: East"), (True, (0, 0, 0), "Wrong: East")):
        table = called()
        table.table.answer(HostPress(table._start_ns, long=long))
        assert (says, counts) == (str(table.snapshot.headline), won(table))


def test_a_press_that_comes_later_takes_verdict_ruling_and_point_back() -> None:
    """North touched 0.3 ms before East, and is told of when the table has already ruled."""
    table = Scenario("snap", NAMES, settings=Settings(rearm_ns=None))
    table.arm()
    table.press("North", at_us=0, late_us=5_000_000)
    table.press("East", at_us=300)
    table.wait(0.5)
    table.move(type="ruled", value="right")
    assert (0, 1, 0) == won(table)
    table.wait(5)
    shown = table.snapshot
    assert ("void", (0, 0, 0), None) == (shown.phase, won(table), shown.ruling)
    assert "The box had judged: East." in [str(line) for line in shown.proof]
    history = [str(view.headline) for view in table.table.queries.rounds()]
    assert "A move of the table" in history[-1]


def test_whom_the_table_named_of_two_who_slapped_together_keeps_the_pile_in_another_seat() -> None:
    """Noses 1 and 3, and the table said South: so it stays where North and South sat the other way round."""
    table = Scenario("slapjack", NAMES)
    table.press("North", at_us=0)
    table.press("South", at_us=0.5)
    table.judge()
    table.move(type="ruled", value="right-3")
    seated = table.table.queries.rounds()[0].seated
    table._execute(Amend(seated, {"type": "seats", "players": ["South", "East", "North"]}))
    assert [("South", 1), ("East", 0), ("North", 0)] == [
        (row.player, row.score) for row in table.snapshot.rows
    ]
    with pytest.raises(IllegalMove, match="does not fit what was played afterwards"):  # East sat at nose 3
        table._execute(Amend(seated, {"type": "seats", "players": ["North", "South", "East"]}))


def test_a_spreadsheet_has_who_was_first_in_a_column_of_its_own() -> None:
    """The last column; nobody was last. The ruling is a row, too."""
    table = called()
    table.move(type="ruled", value="right")
    judged, ruled = csv.DictReader(io.StringIO(table.table.queries.export_csv()))
    assert ("", "East", "East was first") == (judged["last"], judged["first"], judged["sentence"])
    assert ("", "", "Right: East") == (ruled["last"], ruled["first"], ruled["sentence"])


def test_nobody_is_ruled_on_when_nobody_was_first() -> None:
    """Refused by its rule, and nothing has changed."""
    table = Scenario("snap", NAMES)
    with pytest.raises(IllegalMove, match="This does not count any more"):
        table.move(type="ruled", value="right")


def test_a_tape_rules_as_the_table_did() -> None:
    """Its moves stand in their place among the edges."""
    lines = [
        '{"tape":1,"game":"snap","players":["North","East","South"]}',
        '{"arm":1000000000}',
        '{"t_ns":2000000000,"source":"gpio","line":"nose.3","level":1,"u_ns":1000}',
        '{"t_ns":2000700000,"source":"gpio","line":"nose.1","level":1,"u_ns":1000}',
        '{"move":{"type":"ruled","value":"right"},"t_ns":9000000000}',
    ]
    told = report(replay(read_tape(lines)))
    assert [3] == told["rounds"][0]["first"]
    assert [0, 0, 1] == [row["score"] for row in told["standings"]]


def test_everybody_who_slapped_wrongly_pays_also_who_came_after_the_verdict() -> None:
    """SLAP-8: South is told of 0.6 s later, when it is decided, and joins the list; North has not slapped."""
    table = Scenario("slapjack", NAMES, settings=Settings(rearm_ns=None))
    table.arm()
    table.press("East", at_us=0)
    table.wait(0.3)
    table.press("South", at_us=600_000)
    table.move(type="ruled", value="wrong")
    notes = [[str(note) for note in row.notes] for row in table.snapshot.rows]
    assert [[], ["1 mistake"], ["1 mistake"]] == notes


@pytest.mark.parametrize("taken_back", [False, True])
def test_who_touches_after_the_ruling_has_not_slapped(taken_back: bool) -> None:
    """SLAP-8: East was first and wrong; South touches 2 s after that was said, and is told so.

    Also where it is taken back and said once more.
    """
    table = Scenario("slapjack", NAMES, settings=Settings(rearm_ns=None))
    table.arm()
    table.press("East", at_us=0)
    table.wait(0.5)
    table.move(type="ruled", value="wrong")
    if taken_back:
        table._execute(Undo())
    table.press("South", at_us=2_500_000)
    table.wait(3)
    assert "South" in str(table.snapshot.early)
    if taken_back:
        table.move(type="ruled", value="wrong")
    notes = [[str(note) for note in row.notes] for row in table.snapshot.rows]
    assert [[], ["1 mistake"], []] == notes


def test_who_touches_after_the_ruling_that_ended_the_game_changes_nothing() -> None:
    """North and East had no cards and slapped in, wrongly: South alone has cards, and touches 2 s later."""
    table = Scenario("slapjack", NAMES, settings=Settings(rearm_ns=None))
    for seat in (1, 2):
        table.move(type="no-cards", seat=seat)
    table.arm()
    table.press("North", at_us=0)
    table.press("East", at_us=20_000)
    table.wait(0.5)
    table.move(type="ruled", value="wrong")
    table.press("South", at_us=2_500_000)
    table.wait(3)
    assert "South wins!" == str(table.snapshot.headline)
    notes = [[str(note) for note in row.notes] for row in table.snapshot.rows]
    assert [["1 mistake"], ["1 mistake"], []] == notes


def test_the_hosts_button_takes_no_side_when_hands_slapped_together() -> None:
    """Short: the pile stays. Whose was the lowest hand is said by name on a page."""
    table = Scenario("slapjack", NAMES)
    table.press("East", at_us=0)
    table.press("South", at_us=1)
    table.judge()
    asked = table.snapshot.ruling
    assert asked is not None
    assert ["right", "wrong", "late", "right-2", "right-3"] == [one.value for one in asked.choices]
    table.table.answer(HostPress(table._start_ns, long=False))
    assert (0, 0, 0) == won(table)


def test_a_nose_that_was_to_be_let_go_first_is_nobodys_once_its_player_has_left() -> None:
    """South holds theirs, so nothing is armed; South goes, and the other two play on."""
    table = Scenario("snap", NAMES, settings=Settings(rearm_ns=None))
    table.press("South", at_us=0)
    table._execute(Arm())
    table.wait(0.5)
    assert "Let go first: South" == str(table.snapshot.headline)
    table._execute(Regroup(("North", "East")))
    assert ["North", "East"] == [row.player for row in table.snapshot.rows]
    assert "blocked" != table.snapshot.phase


def said_again(table: Scenario) -> tuple[tuple[int, ...], tuple[int, ...], list[int]]:
    """Return who was first in the newest round: as judged, judged again from the log, and from its tape."""
    seq = table.table.queries.last_judged()
    match = table.table.record.evening.match
    assert match is not None
    (judged,) = [entry.verdict for entry in match.entries if entry.seq == seq]
    (one,) = report(replay(read_tape(table.table.queries.tape(seq).splitlines())))["rounds"]
    assert judged is not None
    return judged.first, table.table.queries.judged_again(seq).first, one["first"]


def test_what_was_lost_of_the_next_before_their_buzz_takes_nothing_from_them_later() -> None:
    """Edges of South's nose are lost from 50 to 55 ms. East, at 0 ms, is wrong; South buzzed at 400 ms.

    Nobody else has: whatever was lost, South is next.
    """
    table = quiz(then="queue")
    table.arm()
    table.lose("South", from_us=50_000, to_us=55_000)
    table.press("East", at_us=0)
    table.wait(0.06)
    table.press("South", at_us=400_000)
    table.wait(2)
    table.table.execute(Play({"type": "ruled", "value": "wrong"}), "host")
    table.wait(1)
    assert ((3,), (3,), [3]) == said_again(table)


def test_who_is_left_out_of_a_question_is_asked_when_nobody_else_is_left() -> None:
    """South is not there; East and North are wrong: then it is open for South, and for nobody before."""
    table = quiz(then="queue")
    table.table.execute(LeaveOut((3,)), "host")
    table.arm()
    table.press("East", at_us=0)
    table.press("North", at_us=200_000)
    table.judge()
    for _ in range(2):
        table.move(type="ruled", value="wrong")
        table.wait(1)
    armed = [event for _, event in table.table.record.store.events() if isinstance(event, RoundArmed)]
    assert [(1, 2), (1,), (3,)] == [one.seats for one in armed]
    assert "armed" == table.snapshot.phase


@pytest.mark.parametrize("game", ["slapjack", "egyptian-ratscrew"])
def test_who_comes_back_to_a_slap_pile_has_the_cards_that_are_given_to_all_who_come(game: str) -> None:
    """East and South have none; East leaves and comes back with cards, South stays and still has none."""
    table = Scenario(game, (*NAMES, "West"))
    for seat in (2, 3):
        table.move(type="no-cards", seat=seat)
    for circle in (("North", "South", "West"), ("North", "East", "South", "West")):
        table._execute(Regroup(circle))
    assert [[], [], ["No cards left"], []] == [
        [str(note) for note in row.notes] for row in table.snapshot.rows
    ]
    table.move(type="has-won", seat=2)
    assert "East wins!" == str(table.snapshot.headline)


@pytest.mark.parametrize("came", [(), ("Eva",)])
def test_somebody_who_still_has_cards_has_to_stay(came: tuple[str, ...]) -> None:
    """South and West have none: North and East may not both leave, whoever comes; and the game goes on."""
    table = Scenario("snap", (*NAMES, "West"))
    for seat in (3, 4):
        table.move(type="no-cards", seat=seat)
    with pytest.raises(NotNow, match="Somebody who still plays has to stay"):
        table._execute(Regroup(("South", "West", *came)))
    assert "armed" == table.snapshot.phase


def test_a_second_thumb_rules_on_nobody_else() -> None:
    """East and South answer both: two hosts say "wrong" of East, and South is still asked."""
    table = Scenario("quiz", NAMES, tie="both", wrong=3)
    table.arm()
    table.press("East", at_us=0)
    table.press("South", at_us=1)
    table.judge()
    wrong = Play({"type": "ruled", "value": "wrong"}, seq=table.snapshot.seq)
    table._execute(wrong)
    table._execute(wrong)
    assert ([0, -3, 0], "South answers.") == (
        [row.score for row in table.snapshot.rows],
        str(table.snapshot.ruling and table.snapshot.ruling.label),
    )


def test_a_ruling_rules_on_nobody_whom_an_undo_meanwhile_has_asked_about_instead() -> None:
    """East was wrong, South is asked; that is undone: "right" for South is none for East, a newer one is."""
    table = Scenario("quiz", NAMES, tie="both", wrong=3)
    table.arm()
    table.press("East", at_us=0)
    table.press("South", at_us=1)
    table.judge()
    table.move(type="ruled", value="wrong")
    right = Play({"type": "ruled", "value": "right"}, seq=table.snapshot.seq)
    table._execute(Undo())
    table._execute(right)
    assert (0, 0, 0) == won(table)
    fresh = msgspec.structs.replace(right, seq=table.snapshot.seq)
    table._execute(Rename("East", "Orient"))
    table._execute(fresh)
    assert (0, 10, 0) == won(table)


def test_who_is_named_in_an_untouched_void_round_is_the_headline_of_the_ruling() -> None:
    """Nobody had touched in it; then the table says that East was first, and is asked what that was worth."""
    table = Scenario("snap", NAMES)
    table._execute(Void(under_way=True))
    void = table.table.record.evening.matches[-1].entries[-1].seq
    table._execute(Amend(void, {"type": "last", "seats": [2]}))
    shown = table.snapshot
    assert ("verdict", "East was first", True) == (shown.phase, str(shown.headline), shown.ruling is not None)


def test_nothing_is_armed_while_the_table_is_asked() -> None:
    """Whoever says "play" is told what comes first."""
    with pytest.raises(NotNow, match="Say first whether it was right"):
        called().arm()
