"""The table: rounds stored before they are shown, people's wishes, and coming back after a stop."""

import csv
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput, CompanionError, IllegalMove, NotNow, StoreError
from lastnose.companion.core.model import Edge, Levels, Watermark
from lastnose.companion.evening.commands import (
    Amend,
    AnyCommand,
    Arm,
    Bind,
    Finish,
    LeaveOut,
    NewEvening,
    Play,
    Rearm,
    Regroup,
    Start,
    TestZero,
    Undo,
    Void,
)
from lastnose.companion.evening.events import RoundArmed, RoundJudged
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.store import Store
from lastnose.companion.table.table import Table
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings

from tests.support.full_disk import FullDisk

MS = 1_000_000
S = 1_000_000_000
FOUR = ("North", "East", "South", "West")
NOSES = ("nose.1", "nose.2", "nose.3", "nose.4", "nose.5")


class Box:
    """A table with five noses, moved by raw edges in a time of its own."""

    def __init__(self, store: Any = None, lines: tuple[str, ...] = NOSES, **more: Any) -> None:
        self.now_ns = 0
        self.store = store or MemoryStore()
        self.table = Table(
            self.store, lines, simulated=True, clock_ns=lambda: self.now_ns, wall_s=lambda: 100.0, **more
        )
        self.table.feed(Levels({}, 0, "gpio"))
        self.wait(1)

    def do(self, command: Any) -> Any:
        """Execute *command* as the host."""
        return self.table.execute(command, "host")

    def wait(self, ms: float) -> None:
        """Let time pass."""
        self.now_ns += round(ms * MS)
        self.table.feed(Watermark(self.now_ns, "gpio"))

    def edge(self, number: int, level: int) -> None:
        """Move nose *number* now; time goes on by 0.5 ms, less than a verdict waits for the last."""
        self.table.feed(Edge(self.now_ns, "gpio", f"nose.{number}", level, 1_000))
        self.wait(0.5)

    def round(self, *numbers: int) -> None:
        """Press and, after the verdict, let go; then wait until the table has armed itself."""
        for number in numbers:
            self.edge(number, 1)
        self.wait(100)
        for number in numbers:
            self.edge(number, 0)
        self.wait(3_100)

    def shown(self) -> tuple[str, str]:
        """Phase and sentence."""
        snapshot = self.table.publish()
        return snapshot.phase, str(snapshot.headline)

    def letters(self) -> list[str]:
        """Everybody's letters."""
        return ["".join(row.letters) for row in self.table.publish().rows]

    def kinds(self) -> list[str]:
        """The log, by type."""
        return [type(event).__name__ for _, event in self.store.events()]


@pytest.fixture
def box() -> Box:
    """Pig among four, armed."""
    made = Box()
    made.do(Start("pig", FOUR))
    made.wait(10)
    return made


def test_a_game_starts_armed_and_goes_on_by_itself(box: Box) -> None:
    """Two rounds without touching anything but noses."""
    assert box.shown() == ("armed", "Noses on: deal, then play!")
    box.round(1, 2, 4, 3)
    box.round(3, 1, 2, 4)
    assert box.letters() == ["", "", "P", "P"]
    assert box.kinds() == ["Started", "RoundArmed", "RoundJudged", "RoundArmed", "RoundJudged", "RoundArmed"]


def test_that_everybody_has_cards_is_told_to_all_until_the_verdict(box: Box) -> None:
    """The host says it while a round is armed: none is armed again. A table that arms itself says nothing."""
    told: list[bool] = []
    box.table.subscribe(lambda shown: told.append(shown.dealt))
    assert not box.table.snapshot.dealt
    assert box.shown() == ("armed", "Noses on: deal, then play!"), "also where nobody has a page to say it on"
    assert box.do(Arm()).dealt
    assert box.shown() == ("armed", "Play!")
    assert box.kinds() == ["Started", "RoundArmed"]
    box.edge(1, 1)
    box.table.publish()
    assert told[-1], "while noses are touched"
    box.edge(1, 0)
    box.round(1, 2, 4, 3)
    assert box.shown()[0] == "armed"
    assert not box.table.publish().dealt


def test_who_says_late_that_everybody_has_cards_does_not_skip_the_next_deal(box: Box) -> None:
    """What was tapped before the verdict was seen says nothing of the round after it, nor arms that."""
    box.do(Rearm(None))
    seen = box.table.snapshot.seq
    for seat in (1, 2, 4, 3):
        box.edge(seat, 1)
    box.wait(100)
    for seat in (1, 2, 4, 3):
        box.edge(seat, 0)
    late = box.do(Arm(seen))
    assert ("verdict", False) == (late.phase, late.dealt)
    box.wait(5_000)
    assert "verdict" == box.shown()[0], "nobody has asked for a round"
    assert box.do(Arm(late.seq)).dealt
    box.wait(10)
    assert "armed" == box.shown()[0]


def test_who_says_it_while_the_table_arms_itself_is_heard(box: Box) -> None:
    """It was tapped at the verdict; that the table has armed a round since says nothing against it."""
    for seat in (1, 2, 4, 3):
        box.edge(seat, 1)
    box.wait(100)
    seen = box.table.publish()
    assert "verdict" == seen.phase
    for seat in (1, 2, 4, 3):
        box.edge(seat, 0)
    box.wait(3_100)
    assert "armed" == box.shown()[0]
    assert box.do(Arm(seen.seq)).dealt


def test_what_was_said_of_the_cards_of_a_game_is_not_said_of_the_next(box: Box) -> None:
    """Another game was begun before the tap came to the table."""
    seen = box.table.snapshot.seq
    box.do(Start("pig", FOUR))
    assert not box.do(Arm(seen)).dealt
    assert box.do(Arm(box.table.snapshot.seq)).dealt


def test_cards_are_dealt_again_in_a_game_begun_again(box: Box) -> None:
    """What was said of the cards was said of the other game's."""
    box.do(Arm())
    assert not box.do(Start("pig", FOUR)).dealt


def test_players_may_have_other_noses_than_their_numbers() -> None:
    """North sits at nose 5."""
    box = Box()
    box.do(Start("pig", FOUR[:3], lines=("nose.5", "nose.1", "nose.2")))
    box.wait(10)
    box.round(5, 2, 1)
    assert box.letters() == ["", "P", ""]


@pytest.mark.parametrize(
    "meanwhile",
    [(Bind(1),), (TestZero(("nose.1", "nose.2")),), "restart"],
    ids=["set-up", "zero test", "restart"],
)
def test_a_game_that_goes_on_after_its_end_has_its_own_noses_again(meanwhile: Any) -> None:
    """The end is taken back: North's nose is the fifth again, whatever noses were for since."""
    box = Box()
    box.do(Start("pig", FOUR[:3], lines=("nose.5", "nose.1", "nose.2")))
    box.do(Finish())
    if meanwhile == "restart":
        box = Box(store=box.store)
    else:
        box.do(*meanwhile)
    box.do(Undo())
    shown = box.table.publish()
    assert (None, None) == (shown.zero, shown.binding)
    box.wait(5_000)
    box.round(5, 2, 1)
    assert ["", "P", ""] == box.letters()


def test_a_noisy_nose_of_nobody_is_named_by_its_line() -> None:
    """Three have played, and set-up waits for a nose: the fifth chatters, and is nobody's."""
    box = Box()
    box.do(Start("pig", FOUR[:3]))
    box.do(Finish())
    box.do(Bind(1))
    for at in range(60):
        box.now_ns += 700_000
        box.table.feed(Edge(box.now_ns, "gpio", "nose.5", (at + 1) % 2, 1_000))
    box.wait(100)
    assert any(str(one).startswith("nose.5 keeps changing") for one in box.table.publish().faults)


def test_press_your_nose_binds_seat_and_button() -> None:
    """Each nose pressed goes to the player waited for; the others take the rest in order."""
    box = Box()
    for player, nose in ((1, 4), (2, 2)):
        assert box.do(Bind(player)).binding == player
        box.edge(nose, 1)
        box.wait(50)
        box.edge(nose, 0)
        box.wait(50)
    assert box.table.publish().bindings == {1: "nose.4", 2: "nose.2"}
    snapshot = box.do(Start("pig", FOUR))
    assert [row.line for row in snapshot.rows] == ["nose.4", "nose.2", "nose.1", "nose.3"]


def test_a_nose_bound_twice_goes_to_the_later_player() -> None:
    """Nobody shares a button."""
    box = Box()
    for player in (1, 2):
        box.do(Bind(player))
        box.edge(3, 1)
        box.wait(50)
        box.edge(3, 0)
        box.wait(50)
    assert box.table.publish().bindings == {2: "nose.3"}


@pytest.mark.parametrize(
    ("start", "sentence"),
    [
        (Start("whist", FOUR), "There is no game “whist”"),
        (Start("pig", ("A", "B")), "3 to 26"),
        (Start("pig", ("A", "B", "a")), "a"),
        (Start("pig", ("A", "  ", "C")), "name"),
        (Start("pig", FOUR, {"stok": True}), "stok"),
        (Start("pig", FOUR, {"hand_size": 6}), "hand_size"),
        (Start("pig", ("A", "B", "C", "D", "E", "F")), "5 noses: that is too few for 6 players"),
        (Start("pig", ("A", "B", "C"), {}, ("nose.1",)), "a nose for each of the 3 players, or no lines"),
        (Start("pig", FOUR[:3], lines=("nose.1", "nose.1", "nose.2")), "Seats 1 and 2 have the same nose"),
        (Start("pig", FOUR[:3], lines=("nose.1", "nose.9", "nose.2")), "no nose “nose.9”"),
        (Start("pig", FOUR, rearm_s=0), "0.5 to 60 seconds"),
    ],
)
def test_a_start_that_cannot_be_gets_one_sentence_and_nothing_is_stored(start: Start, sentence: str) -> None:
    """Unknown game or option, players too few or alike, noses missing or shared."""
    box = Box()
    with pytest.raises(BadInput) as caught:
        box.do(start)
    assert sentence in str(caught.value)
    assert box.kinds() == []


def test_a_second_thumb_on_again_breaks_off_no_game_that_has_just_begun(box: Box) -> None:
    """Nor does a request that was long on its way; who has seen that game may begin another."""
    box.do(Finish())
    seen = box.table.snapshot.seq
    begun = box.do(Start("pig", FOUR, seq=seen))
    box.do(Arm())
    kinds = box.kinds()
    with pytest.raises(NotNow) as caught:
        box.do(Start("pig", FOUR[::-1], seq=seen))
    assert "That has just changed: look again." == str(caught.value)
    assert kinds == box.kinds()
    assert begun.game_no == box.table.snapshot.game_no
    box.do(Start("pig", FOUR[::-1], seq=box.table.snapshot.seq))
    assert ["West", "South", "East", "North"] == [row.player for row in box.table.snapshot.rows]


def test_who_ends_a_game_or_an_evening_late_ends_no_other_that_has_begun_since(box: Box) -> None:
    """Two hosts confirm at once, or a request was long on its way: the second is told to look."""
    box.round(1, 2, 4, 3)
    first, seen = box.table.snapshot.evening, box.table.publish().seq
    box.do(Regroup(FOUR[:3], seq=seen))
    for late in (Finish(seq=seen), Regroup((*FOUR, "Zoë"), seq=seen)):
        kinds = box.kinds()
        with pytest.raises(NotNow, match="That has just changed: look again"):
            box.do(late)
        assert kinds == box.kinds()
    box.do(Finish(seq=box.table.publish().seq))
    box.do(NewEvening(evening=first))
    box.do(Start("pig", FOUR))
    with pytest.raises(NotNow, match="That has just changed: look again"):
        box.do(NewEvening(evening=first))
    assert (first + 1, 1) == (box.table.snapshot.evening, box.table.snapshot.game_no)
    assert first + 2 == box.do(NewEvening(evening=first + 1)).evening


def test_who_is_left_out_by_a_wish_that_comes_late_is_nobody_else(box: Box) -> None:
    """East was meant, whose seat is West's since; and nobody is left out of a round after the one meant."""
    box.do(Rearm(None))
    box.round(1, 2, 4, 3)
    seen = box.table.publish().seq
    box.do(LeaveOut((2,), seq=seen))
    box.do(LeaveOut((), seq=seen))
    box.do(Regroup((FOUR[0], *FOUR[2:]), seq=seen))
    with pytest.raises(NotNow, match="That has just changed: look again"):
        box.do(LeaveOut((2,), seq=seen))
    seen = box.table.publish().seq
    box.do(Arm())
    box.round(1, 2, 3)
    with pytest.raises(NotNow, match="That has just changed: look again"):
        box.do(LeaveOut((2,), seq=seen))
    assert not any(row.aside for row in box.table.publish().rows)


def test_who_takes_the_last_round_out_takes_out_none_that_has_begun_since(box: Box) -> None:
    """While the reason is typed the table arms itself and the next round is played; that one stands."""
    box.round(1, 2, 4, 3)
    seen = box.table.publish().seq
    box.do(Void("the cat", seq=seen))
    assert ["", "", "", ""] == box.letters()
    box.wait(3_100)
    seen = box.table.publish().seq
    box.edge(1, 1)
    box.wait(10)
    with pytest.raises(NotNow, match="That has just changed: look again"):
        box.do(Void("the cat", seq=seen))
    assert "judging" == box.shown()[0]
    box.edge(1, 0)
    box.round(1, 2, 4, 3)
    with pytest.raises(NotNow, match="That has just changed: look again"):
        box.do(Void("the cat", seq=seen))
    assert ["", "", "P", ""] == box.letters()


def test_a_round_in_progress_can_be_voided_with_a_reason(box: Box) -> None:
    """The presses so far stay in the record."""
    box.edge(1, 1)
    box.wait(10)
    box.do(Void("the cat"))
    assert box.shown() == ("void", "This round does not count.")
    assert [str(line) for line in box.table.publish().proof][:1] == ["the cat"]
    box.edge(1, 0)
    box.wait(3_100)
    box.round(1, 2, 4, 3)
    assert box.letters() == ["", "", "P", ""]


def test_only_the_round_under_way_is_voided_where_that_is_asked(box: Box) -> None:
    """Touched it is void; untouched it is armed again, with the cards in hand; a verdict always stays."""
    box.round(1, 2, 4, 3)
    box.do(Arm())
    box.do(Void("a phone", under_way=True))
    box.wait(100)
    assert box.kinds()[-3:] == ["RoundArmed", "RoundJudged", "RoundArmed"]
    assert box.shown()[0] == "armed"
    assert box.table.snapshot.dealt
    box.edge(1, 1)
    box.wait(10)
    for _ in range(2):  # the second one finds nothing under way
        box.do(Void("a phone", under_way=True))
        assert box.shown() == ("void", "This round does not count.")
    assert box.letters() == ["", "", "P", ""]


def test_voiding_between_rounds_takes_the_last_verdict_out_of_the_count(box: Box) -> None:
    """As the host's long press does."""
    box.round(1, 2, 4, 3)
    box.do(Void("talking"))
    assert box.letters() == ["", "", "", ""]
    with pytest.raises(BadInput, match="no round that could be taken out"):
        box.do(Void())
    box.do(Undo())
    assert box.letters() == ["", "", "P", ""]


def test_a_correction_that_brings_a_player_back_watches_their_nose_again() -> None:
    """South was out; the round is armed again with South in it."""
    box = Box()
    box.do(Start("pig", FOUR, {"sudden_death": True}))
    box.wait(10)
    box.round(1, 2, 4, 3)
    armed = [event for _, event in box.store.events() if isinstance(event, RoundArmed)]
    assert armed[-1].seats == (1, 2, 4)
    box.do(Amend(box.table.queries.last_judged(), {"type": "last", "seats": [4]}))
    box.wait(10)
    armed = [event for _, event in box.store.events() if isinstance(event, RoundArmed)]
    assert armed[-1].seats == (1, 2, 3)
    box.round(1, 2, 3)
    assert [row.out for row in box.table.publish().rows] == [False, False, True, True]


def test_a_false_opener_in_mid_round_voids_it_and_gets_the_letter(box: Box) -> None:
    """PIG-15: the void round and the move are both in the log."""
    box.edge(2, 1)
    box.wait(10)
    box.do(Play({"type": "false-opener", "seat": 2}))
    assert box.letters() == ["", "P", "", ""]
    assert box.kinds()[-2:] == ["RoundJudged", "Played"]


def test_talking_to_a_pig_needs_the_option(box: Box) -> None:
    """The refusal names the rule and nothing is voided."""
    box.edge(2, 1)
    box.wait(10)
    with pytest.raises(IllegalMove) as caught:
        box.do(Play({"type": "talked", "seat": 1}))
    assert caught.value.rule == "PIG-12"
    assert box.shown()[0] == "judging"


def test_a_seat_that_is_out_is_recorded_and_ignored() -> None:
    """South is out and holds the nose all along; the others play on."""
    box = Box()
    box.do(Start("pig", FOUR, {"sudden_death": True}))
    box.wait(10)
    box.round(1, 2, 4, 3)
    box.edge(3, 1)
    box.round(1, 2, 4)
    assert [row.out for row in box.table.publish().rows] == [False, False, True, True]
    judged = [event for _, event in box.store.events() if isinstance(event, RoundJudged)]
    assert any(isinstance(i, Edge | Levels) and "nose.3" in str(i) for i in judged[-1].inputs)


def test_a_held_nose_blocks_the_arming_by_name() -> None:
    """Until it is let go."""
    box = Box()
    box.edge(2, 1)
    box.wait(10)
    box.do(Start("pig", FOUR))
    box.wait(10)
    assert box.shown() == ("blocked", "Let go first: East")
    box.edge(2, 0)
    box.wait(200)
    assert box.shown() == ("armed", "Noses on: deal, then play!")


def test_the_verdict_stays_while_noses_are_held_and_says_who_holds_up_the_next_round(box: Box) -> None:
    """East and South stay on the nose, then South alone, then nobody."""
    for number in (1, 2, 4, 3):
        box.edge(number, 1)
    box.wait(10)
    for number in (1, 4):
        box.edge(number, 0)
    box.wait(3_500)
    assert box.shown() == ("verdict", "South was last: P")
    waiting = "Let go first: {}"
    assert str(box.table.publish().proof[-1]) == waiting.format("East and South")
    box.edge(2, 0)
    box.wait(50)
    assert str(box.table.publish().proof[-1]) == waiting.format("South")
    box.edge(3, 0)
    box.wait(50)
    assert str(box.table.publish().proof[-1]) == "North opened."
    box.wait(3_000)
    assert box.shown() == ("armed", "Noses on: deal, then play!")


def test_without_rearm_the_table_waits_for_the_host() -> None:
    """And `Rearm` changes that in mid-game."""
    box = Box()
    box.do(Start("pig", FOUR, rearm_s=None))
    box.wait(5_000)
    assert box.shown() == ("ready", "Ready to deal")
    box.do(Arm())
    box.wait(10)
    box.round(1, 2, 4, 3)
    assert box.shown() == ("verdict", "South was last: P")
    box.do(Rearm(1.0))
    box.wait(1_100)
    assert box.shown()[0] == "armed"


def test_a_game_that_waits_for_the_host_is_not_armed_for_the_one_whose_place_it_takes() -> None:
    """That asked to be armed an instant ago, and no source has said since that nothing earlier comes."""
    box = Box()
    box.do(Start("pig", FOUR, rearm_s=3.0))
    box.do(Start("pig", FOUR, rearm_s=None))
    box.wait(10_000)
    assert box.shown() == ("ready", "Ready to deal")
    box.do(Arm())
    box.do(Start("pig", FOUR, rearm_s=3.0))
    box.wait(10)
    assert box.shown()[0] == "armed", "what this game asks for itself holds"


def test_the_host_button_arms_and_voids() -> None:
    """Short arms, a second long takes the last round out of the count."""
    box = Box()
    box.do(Start("pig", FOUR, rearm_s=None))
    box.wait(10)
    for level, ms in ((1, 100), (0, 100)):
        box.table.feed(Edge(box.now_ns, "gpio", "host", level, 1_000))
        box.wait(ms)
    box.wait(10)
    assert box.shown()[0] == "armed"
    box.round(1, 2, 4, 3)
    box.table.feed(Edge(box.now_ns, "gpio", "host", 1, 1_000))
    box.wait(1_200)
    assert (box.shown()[0], box.letters()) == ("void", ["", "", "", ""])


def test_a_late_press_completes_the_margin(box: Box) -> None:
    """South was not there when the others were; half a second later the margin is known."""
    for number in (1, 2, 4):
        box.edge(number, 1)
    box.wait(500)
    assert [str(line) for line in box.table.publish().proof] == [
        "Everybody else was there; South was not yet.",
        "North opened.",
    ]
    box.edge(3, 1)
    box.wait(10)
    assert str(box.table.publish().proof[0]) == "0.5 s behind West: clear."
    assert box.letters() == ["", "", "P", ""]


def test_a_full_disk_holds_the_verdict_back_and_loses_nothing() -> None:
    """Nothing is shown as decided before it is stored; wishes are refused with the sentence."""
    store = FullDisk()
    box = Box(store)
    box.do(Start("pig", FOUR))
    box.wait(10)
    store.room = 0
    box.round(1, 2, 4, 3)
    snapshot = box.table.publish()
    assert (snapshot.phase, [str(f) for f in snapshot.faults]) == ("judging", ["The disk is full."])
    with pytest.raises(StoreError):
        box.do(Undo())
    store.room = None
    box.table.work_off()
    snapshot = box.table.publish()
    assert (box.letters(), snapshot.faults) == (["", "", "P", ""], ())


def test_the_hosts_button_is_refused_by_a_full_disk_in_words_and_the_table_goes_on() -> None:
    """Held, it takes the last round out of the count, which cannot be written."""
    store = FullDisk()
    box = Box(store)
    box.do(Start("pig", FOUR, rearm_s=None))
    box.do(Arm())
    box.wait(10)
    box.round(1, 2, 4, 3)
    store.room = 0
    box.table.feed(Edge(box.now_ns, "gpio", "host", 1, 1_000))
    box.wait(1_200)
    assert ["The disk is full."] == [str(fault) for fault in box.table.publish().faults]
    assert ["", "", "P", ""] == box.letters()


def test_a_disk_without_room_for_another_evening_leaves_this_ones_game_going_on() -> None:
    """Its end and the new evening take one write: what is refused has done neither."""
    store = FullDisk()
    box = Box(store)
    box.do(Start("pig", FOUR, rearm_s=None))
    for room, found in ((0, (1, "ready")), (1, (2, "setup"))):
        store.room = room
        with suppress(StoreError):
            box.do(NewEvening())
        assert found == (store.evening, box.table.publish().phase)


def test_a_move_that_takes_somebody_out_says_their_letter_and_says_that_once() -> None:
    """The word has one letter: whoever opens falsely has it, and is out with that."""
    box = Box()
    box.do(Start("pig", ("North", "East", "South"), {"word": "A"}, rearm_s=None))
    box.do(Play({"type": "false-opener", "seat": 1}))
    snapshot = box.table.publish()
    assert ("East and South win!", ["North gets a letter: A", "North is out."]) == (
        str(snapshot.headline),
        [str(line) for line in snapshot.proof[1:]],
    )


def test_a_ruling_that_is_corrected_says_what_it_costs_now() -> None:
    """Right, then wrong after all: neither the 10 points nor their tune stay with it."""
    box = Box()
    box.do(Start("quiz", FOUR))
    box.do(Arm())
    box.wait(10)
    box.edge(1, 1)
    box.wait(100)
    box.do(Play({"type": "ruled", "value": "right"}))
    ruled = box.table.queries.rounds()[-1].seq
    box.do(Amend(ruled, {"type": "ruled", "value": "wrong"}))
    snapshot = box.table.publish()
    assert ("Wrong: North", ["Corrected at the table.", "It costs nothing."], "wrong") == (
        str(snapshot.headline),
        [str(line) for line in snapshot.proof],
        snapshot.ruled,
    )


def test_a_move_that_is_corrected_not_to_count_leaves_the_round_before_it_on_the_screens() -> None:
    """Only East's shout does not count any more: West was last all the same, and has the letter."""
    box = Box()
    box.do(Start("magarac", FOUR, rearm_s=None))
    box.do(Arm())
    box.wait(10)
    box.round(1, 2, 3, 4)
    box.do(Play({"type": "did-not-shout", "seat": 2}))
    moved = box.table.queries.rounds()[-1].seq
    box.do(Amend(moved, {"type": "void"}))
    assert (("verdict", "West was last: M"), ["", "", "", "M"]) == (box.shown(), box.letters())
    (view,) = (one for one in box.table.queries.rounds() if one.seq == moved)
    assert ("This does not count any more.", ["Corrected at the table."]) == (
        str(view.headline),
        [str(line) for line in view.proof],
    )


@pytest.mark.parametrize(
    ("game", "move"),
    [
        ("quiz", {"type": "ruled", "value": "right"}),
        ("magarac", {"type": "did-not-shout", "seat": 2}),
        ("pig", {"type": "false-opener", "seat": 2}),
    ],
)
@pytest.mark.parametrize("seats", [[], [3], [3, 4]])
def test_a_move_is_not_corrected_to_who_was_last(game: str, move: dict[str, Any], seats: list[int]) -> None:
    """That is said of the round: here it would be a second letter for it, or a ruling of no question."""
    box = Box()
    box.do(Start(game, FOUR, rearm_s=None))
    box.do(Arm())
    box.wait(10)
    box.round(1, 2, 3, 4)
    box.do(Play(move))
    before = box.table.publish()
    moved = box.table.queries.rounds()[-1].seq
    with pytest.raises(BadInput, match=f"Entry {moved} cannot be corrected"):
        box.do(Amend(moved, {"type": "last", "seats": seats}))
    assert (before.headline, before.rows) == (box.table.publish().headline, box.table.publish().rows)


def test_a_question_that_a_full_disk_lets_nobody_leave_goes_on_with_everybody() -> None:
    """East is quiet and to be left out: that is refused in words, and once there is room East can buzz."""
    store = FullDisk()
    box = Box(store)
    box.do(Start("quiz", FOUR))
    box.do(Arm())
    box.wait(10)
    store.room = 0
    with pytest.raises(StoreError):
        box.table.rounds.go_on_without({2}, "phone 3f9a")
    store.room = None
    box.table.retry()
    armed = [event for _, event in store.events() if isinstance(event, RoundArmed)]
    assert [("box", (1, 2, 3, 4))] == [(one.by, one.seats) for one in armed]
    assert not any(row.aside for row in box.table.publish().rows)
    box.edge(2, 1)
    box.wait(100)
    assert "East was first" == box.shown()[1]


@pytest.mark.parametrize(
    "wish",
    [Void(under_way=True), Finish(), Start("pig", ("A", "B", "C")), Regroup((*FOUR, "Zoe")), NewEvening()],
    ids=lambda wish: type(wish).__name__,
)
@pytest.mark.parametrize("touched", [0, 1])
def test_what_would_end_a_round_and_finds_a_full_disk_lets_it_go_on(wish: AnyCommand, touched: int) -> None:
    """Refused, it has done nothing: the noses that are touched before and after decide the round."""
    store = FullDisk()
    box = Box(store)
    box.do(Start("pig", FOUR, rearm_s=None))
    box.do(Arm())
    box.wait(10)
    order = (1, 2, 4, 3)
    for seat in order[:touched]:
        box.edge(seat, 1)
        box.wait(100)
    store.room = 0
    with pytest.raises((StoreError, NotNow)):
        box.do(wish)
    store.room = None
    box.table.retry()
    for seat in order[touched:]:
        box.edge(seat, 1)
        box.wait(100)
    assert (["", "", "P", ""], "South was last: P") == (box.letters(), box.shown()[1])


def test_a_table_that_is_stopped_in_the_middle_of_a_round_says_so(tmp_path: Path) -> None:
    """Somebody has touched: the round does not count, and the screens say why."""
    store = Store(tmp_path)
    box = Box(store)
    box.do(Start("pig", FOUR))
    box.wait(10)
    box.edge(1, 1)
    box.wait(10)
    box.table.let_go()
    store.close()
    back = Box(Store(tmp_path))
    (view,) = back.table.queries.rounds()
    assert (view.void, str(view.proof[0])) == (True, "The table was switched off in the middle of the round.")
    back.wait(3_100)
    before = [str(line) for line in back.table.publish().proof if str(line).startswith("Before:")]
    expected = "Before: This round does not count. The table was switched off in the middle of the round."
    assert [expected] == before
    back.store.close()


def test_a_killed_table_comes_back_with_the_round_in_progress_void(tmp_path: Path) -> None:
    """Opened, then the power goes; the letters are as they were and the reason is said."""
    store = Store(tmp_path)
    box = Box(store)
    box.do(Start("pig", FOUR))
    box.wait(10)
    box.round(1, 2, 4, 3)
    box.edge(1, 1)
    box.wait(10)
    before = box.letters()
    store.close()
    again = Store(tmp_path)
    back = Box(again)
    assert back.letters() == before
    view = back.table.queries.rounds()[-1]
    assert (view.void, str(view.proof[0])) == (True, "The table was switched off in the middle of the round.")
    back.wait(3_100)
    back.round(2, 1, 3, 4)
    assert back.letters() == ["", "", "P", "P"]
    again.close()


def test_a_round_has_its_tape_which_judges_the_same(box: Box) -> None:
    """What `lastnose replay` says of the download is what the table said."""
    from lastnose.companion.table.replay import replay, rounds
    from lastnose.companion.timing.tape import read_tape

    box.round(1, 2, 4, 3)
    tape = box.table.queries.tape(box.table.queries.last_judged())
    replayed = rounds(replay(read_tape(tape.splitlines())))
    assert [(r["order"], r["last"], r["margin_ns"]) for r in replayed] == [([1, 2, 4, 3], [3], MS // 2)]


def test_a_tape_is_listed_from_the_opener_and_by_who_sat_there(box: Box) -> None:
    """Armed 1 ms before it; noses touch every half millisecond, and each is sure to 1 µs."""
    before = box.now_ns
    for number in (1, 2, 4, 3):
        box.edge(number, 1)
    box.wait(100)
    listed = box.table.queries.edges(box.table.queries.last_judged())
    assert "armed" == listed[0].kind
    assert listed[0].t_ns <= 0 <= before
    edges = [(one.line, one.player, one.level, one.t_ns, one.u_ns) for one in listed if one.kind == "edge"]
    assert [
        (f"nose.{seat}", FOUR[seat - 1], 1, place * MS // 2, 1_000) for place, seat in enumerate((1, 2, 4, 3))
    ] == edges


def test_an_appeal_judges_the_same_edges_with_other_settings_and_stores_nothing(box: Box) -> None:
    """A 2 ms touch of South before its real press: with 5 ms to confirm it was a glitch."""
    box.edge(1, 1)
    box.table.feed(Edge(box.now_ns, "gpio", "nose.3", 1, 1_000))
    box.wait(2)
    box.table.feed(Edge(box.now_ns, "gpio", "nose.3", 0, 1_000))
    box.wait(30)
    for number in (2, 4):
        box.edge(number, 1)
    box.wait(500)
    seq = box.table.queries.last_judged()
    kinds = box.kinds()
    assert str(box.table.queries.round(seq).headline) == "West was last: P"
    assert str(box.table.queries.appeal(seq, 5 * MS, 20 * MS).headline) == "South was last: P"
    assert str(box.table.queries.appeal(seq, 1 * MS, 20 * MS).headline) == "West was last: P"
    assert box.kinds() == kinds
    with pytest.raises(BadInput, match="at most the lockout"):
        box.table.queries.appeal(seq, 30 * MS, 20 * MS)


def test_exports_tell_the_whole_evening(box: Box) -> None:
    """CSV a line a round, JSON every event."""
    box.round(1, 2, 4, 3)
    box.do(Amend(box.table.queries.last_judged(), {"type": "last", "seats": [4]}))
    rows = box.table.queries.export_csv().splitlines()
    assert rows[0].startswith("game,round,entry")
    assert "West was last: P" in rows[1]
    assert "amended" in rows[1]
    document = msgspec.json.decode(box.table.queries.export_json())
    assert [e["type"] for e in document["events"]] == ["started", "armed", "judged", "armed", "amended"]


@pytest.mark.parametrize(
    ("move", "last"),
    [
        ({"type": "false-opener", "seat": 2}, "East"),
        ({"type": "last", "seats": [1]}, "North"),
        ({"type": "last", "seats": [1, 4]}, "North / West"),
        ({"type": "last", "seats": []}, ""),
    ],
)
def test_the_csv_says_who_was_last_as_the_table_has_corrected_it(
    box: Box, move: dict[str, Any], last: str
) -> None:
    """Also who has not touched, and who touched too early; the box had named West, who had not touched."""
    box.round(1, 2, 3)
    box.do(Amend(box.table.queries.last_judged(), move))
    (row,) = csv.DictReader(box.table.queries.export_csv().splitlines())
    assert (last, "North / East / South") == (row["last"], row["order"])


def test_the_csv_has_the_boxs_margin_only_while_its_last_counts(box: Box) -> None:
    """How far South was behind West says nothing of West."""

    def gap() -> tuple[bool, str]:
        (row,) = csv.DictReader(box.table.queries.export_csv().splitlines())
        return row["margin_ns"] != "", row["rival"]

    box.round(1, 2, 4, 3)
    assert (True, "West") == gap()
    for move, told in (({"type": "last", "seats": [4]}, (False, "")), (None, (True, "West"))):
        box.do(Amend(box.table.queries.last_judged(), move) if move else Undo())
        assert told == gap()


def test_a_name_that_looks_like_a_formula_is_plain_text_in_the_csv(
    new_table: Callable[..., Scenario],
) -> None:
    """Spreadsheets run cells that begin with =."""
    table = new_table("pig", ["=1+1", "East", "South"])
    for at, player in enumerate(("East", "South", "=1+1")):
        table.press(player, at_us=at * 10_000)
    table.judge()
    assert "'=1+1 was last: P" in table.table.queries.export_csv()


def test_every_error_is_of_the_one_tree(box: Box) -> None:
    """So that every door can turn it into a sentence."""
    for wish in (Amend(99, {}), Amend(1, {"type": "last"}), Undo(77), Play({"type": "nonsense"}), Bind(9)):
        with pytest.raises(CompanionError):
            box.do(wish)


def test_a_move_with_a_key_that_the_game_does_not_know_is_refused_and_not_kept(box: Box) -> None:
    """One that was mistyped would else be as good as none, and the log would keep it."""
    kept = len(box.kinds())
    with pytest.raises(BadInput, match=r"Pig does not have this move: seta is not a key that is known here"):
        box.do(Play({"type": "false-opener", "seat": 1, "seta": 2}))
    assert kept == len(box.kinds())
    box.do(Play({"type": "false-opener", "seat": 1}))
    assert "Played" in box.kinds()[kept:]


def test_a_game_without_noses_takes_more_players_than_there_are_noses() -> None:
    """No seat has a line, nothing is armed, and a press of a nose changes nothing."""
    box = Box()
    names = (*FOUR, "Ann", "Ben")
    box.do(Start("pig-10", names))
    before = box.table.snapshot
    box.round(1, 2, 3)
    shown = box.table.snapshot
    assert ("playing", False, False, 0) == (shown.phase, shown.watched, shown.waits, shown.round_no)
    assert ("",) * 6 == tuple(row.line for row in shown.rows)
    assert before.seq == shown.seq
    with pytest.raises(BadInput, match="nothing to arm"):
        box.do(Arm())


def test_the_time_to_say_who_did_not_shout_is_the_table_s_and_no_loud_clock() -> None:
    """MAG-4: ten seconds from the verdict; what is left stands at the question, which then is the host's."""

    def asked() -> tuple[int, bool]:
        act = next(one for one in table.snapshot.acts if one.move == "did-not-shout")
        return act.within_s, act.prompt is not None

    table = Scenario("magarac", FOUR[:3], settings=Settings(rearm_ns=None))
    table.arm()
    for name, at_us in zip(FOUR, (0, 700_000, 400_000), strict=False):
        table.press(name, at_us=at_us)
    table.wait(1)
    assert ("East was last: M", (10, True)) == (str(table.snapshot.headline), asked())
    assert 1.0 == table.table.wakes_in_s()
    heard = table.snapshot.signalled
    table.wait(6.25)
    assert ((4, True), 0.75) == (asked(), table.table.wakes_in_s())
    table.wait(3.75)
    assert not asked()[1]
    assert (None, None, heard) == (table.snapshot.clock, table.table.wakes_in_s(), table.snapshot.signalled)
    table.move(type="did-not-shout", seat=1)
    assert ("North was last: M", False) == (str(table.snapshot.headline), asked()[1])
