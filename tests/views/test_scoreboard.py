"""What every screen shows of an evening: phases, sentences, proof and the photo finish."""

from typing import Any

import msgspec
import pytest
from lastnose.companion.core.model import Lift, Press, Rack, Verdict
from lastnose.companion.core.text import text
from lastnose.companion.evening import log
from lastnose.companion.evening.events import Amended, AnyEvent, Played, RoundJudged, Started, Undone
from lastnose.companion.views.scoreboard import make, round_views
from lastnose.companion.views.sentences import behind
from lastnose.companion.views.snapshot import Live, Mark, SeatPhone, Snapshot

from tests.support import screen_scenes

PLAYERS = ("North", "East", "South", "West")
LINES = ("nose.1", "nose.2", "nose.3", "nose.4")


def started(game: str = "pig", **options: object) -> Started:
    """A game among four."""
    return Started(by="host", at=0.0, game=game, players=PLAYERS, options=options, lines=LINES)


def judged(verdict: Verdict) -> RoundJudged:
    """The box judged *verdict*."""
    return RoundJudged(by="box", at=1.0, verdict=verdict, confirm_ns=1_000_000, lockout_ns=20_000_000)


def presses(**at_us: int) -> tuple[Press, ...]:
    """Presses by player name, at µs, each sure to 10 µs."""
    return tuple(
        Press(PLAYERS.index(name) + 1, 5_000_000_000 + t * 1_000, 10_000, "gpio") for name, t in at_us.items()
    )


CLEAR = Verdict(
    (1, 4, 2, 3),
    (3,),
    412_000,
    20_000,
    presses=presses(North=0, West=181_000, East=245_588, South=246_000),
)
HEAT = Verdict(
    (1, 4, 2, 3),
    (2, 3),
    4_000,
    20_000,
    dead_heat=True,
    presses=presses(North=0, West=181_000, East=245_996, South=246_000),
)
MISSING = Verdict((1, 4, 2), (3,), None, 20_000, presses=presses(North=0, West=181_000, East=245_588))
VOID = Verdict((1,), void=text("{line} keeps changing.", line="nose.2"), presses=presses(North=0))


def shown(*events: AnyEvent, live: Live | None = None) -> Snapshot:
    """The snapshot of an evening."""
    return make(log.fold(enumerate(events, 1)), live or Live())


def says(snapshot: Snapshot) -> tuple[str, tuple[str, ...]]:
    """The sentence and its proof, in English."""
    return str(snapshot.headline), tuple(str(line) for line in snapshot.proof)


def test_before_the_first_game_the_table_asks_who_plays() -> None:
    """Nothing else is there to show."""
    snapshot = shown()
    assert (snapshot.phase, str(snapshot.headline), snapshot.rows) == ("setup", "Who plays?", ())


UNSEEN = msgspec.structs.replace(
    CLEAR, order=(1, 2, 3), presses=presses(North=0, East=245_588, South=246_000), unseen=(4,)
)
CORRECTED = Amended(by="host", at=2.0, of=2, move={"type": "last", "seats": [4]})
REPLAYED, AND_WEST = "The round is played again.", "Touched, too, and nobody knows when: West."
LAST, NOT_YET = "South was last: P", "Everybody else was there; South was not yet."
SAID: dict[str, tuple[list[AnyEvent], str, str, str]] = {
    "a clear verdict": ([judged(CLEAR)], "verdict", LAST, "0.4 ms behind East: clear. | North opened."),
    "a dead heat": (
        [judged(HEAT)],
        "dead-heat",
        "Dead heat: East and South",
        f"Too close to tell: 4 µs apart, and sure only to ± 21 µs. | North opened. | {REPLAYED}",
    ),
    "who has not pressed": ([judged(MISSING)], "verdict", LAST, f"{NOT_YET} | North opened."),
    "a press that nobody saw": (
        [judged(UNSEEN)],
        "verdict",
        LAST,
        f"0.4 ms after the last of the others: clear. | Nobody can tell who opened. | {AND_WEST}",
    ),
    "a void round": ([judged(VOID)], "void", "This round does not count.", "nose.2 keeps changing."),
    "a correction": (
        [judged(CLEAR), CORRECTED],
        "verdict",
        "West was last: P",
        "Corrected at the table. | The box had judged: South. | North opened.",
    ),
}


@pytest.mark.parametrize("case", SAID)
def test_a_verdict_is_said_with_its_letter_its_margin_its_reason_and_who_opened(case: str) -> None:
    """Who was there before them and how close; what is not known is said not to be."""
    events, phase, headline, proof = SAID[case]
    snapshot = shown(started(), *events)
    assert (phase, (headline, tuple(proof.split(" | ")))) == (snapshot.phase, says(snapshot))
    assert snapshot.finish is not None
    assert (((3, "South"),) if case == "who has not pressed" else ()) == snapshot.finish.missing


@pytest.mark.parametrize(
    ("margin_ns", "said"),
    [
        (101_500, ("0.1 ms behind East: clear.",)),
        (99_000, ("0.1 ms behind East: close, but sure.", "99 µs ± 21 µs.")),
        (41_000, ("0.04 ms behind East: close, but sure.", "41 µs ± 21 µs.")),
    ],
)
def test_how_close_it_was_is_said_in_words_and_with_its_doubt_where_it_was_close(
    margin_ns: int, said: tuple[str, ...]
) -> None:
    """From five times the ± it is clear: by the exact figures, not by those that are said."""
    close = Verdict(
        (1, 2, 3),
        (3,),
        margin_ns,
        20_000,
        presses=presses(North=0, East=246_000, South=246_000 + margin_ns // 1_000),
    )
    snapshot = shown(started(), judged(close))
    assert said == says(snapshot)[1][: len(said)]
    assert snapshot.finish is not None
    assert ("clear" if len(said) == 1 else "close") == snapshot.finish.closeness


def test_where_lost_edges_leave_the_margin_open_its_least_is_said() -> None:
    """It may be 0.2 s to 1.4 s: never a figure between them in everyday words."""
    lossy = Verdict(
        (1, 2, 3),
        (3,),
        800_000_000,
        600_000_000,
        presses=presses(North=0, East=600_000, South=2_000_000),
        rival_unsure=True,
    )
    sure_of_whom = msgspec.structs.replace(lossy, rival_unsure=False)
    for verdict, whom in ((lossy, "after the last of the others"), (sure_of_whom, "behind East")):
        assert (f"At least 0.1 s {whom}.", "800 ms ± 610 ms.") == says(shown(started(), judged(verdict)))[1][
            :2
        ], "the clock's pace takes a millisecond from 0.2 s"
    match = log.fold(enumerate((started(), judged(sure_of_whom)), 1)).match
    assert match is not None
    assert str(behind(match, match.entries[0])) == "At least 0.1 s", "and so in a line of a list"


def test_where_lost_edges_leave_the_margin_open_the_picture_is_as_open() -> None:
    """0.2 to 1.4 s after East, who was at 0.6 s: from 0.8 to 2 s, and not at the stamp of 2 s, ± 10 µs."""
    lossy = Verdict(
        (1, 2, 3), (3,), 800_000_000, 600_000_000, presses=presses(North=0, East=600_000, South=2_000_000)
    )
    finish = shown(started(), judged(lossy)).finish
    assert finish is not None
    north, east, south = finish.marks
    assert [0, 600_000_000, 1_400_000_000] == [mark.t_ns for mark in (north, east, south)]
    assert finish.u_ns == east.u_ns + south.u_ns
    assert south.t_ns - south.u_ns <= 800_000_000 < 2_000_000_000 <= south.t_ns + south.u_ns


def test_of_who_has_not_touched_the_least_is_said_where_it_is_worth_a_word() -> None:
    """Half a second, known; a millisecond is not."""
    for least_ns, said in ((512_000_000, ("At least 0.5 s after the last of the others.",)), (1_000_000, ())):
        absent = Verdict(
            (1, 2), (3,), None, 20_000, presses=presses(North=0, East=246_000), at_least_ns=least_ns
        )
        snapshot = shown(started(), judged(absent))
        assert snapshot.finish is not None
        assert ("At least 0.5 s" if said else "None") == str(snapshot.finish.in_short)
        lines = says(snapshot)[1]
        assert ("Everybody else was there; South was not yet.", *said, "North opened.") == lines


@pytest.mark.parametrize(
    ("verdict", "move", "last", "opener"),
    [
        (MISSING, {"type": "last", "seats": [1]}, ["North"], "West"),
        (MISSING, {"type": "last", "seats": []}, [], "North"),
        (MISSING, {"type": "last", "seats": [3]}, ["South"], "North"),
        (CLEAR, {"type": "false-opener", "seat": 2}, ["East"], None),
        (CLEAR, {"type": "void"}, ["South"], "North"),
    ],
)
def test_the_photo_finish_shows_who_was_last_as_the_table_has_corrected_it(
    verdict: Verdict, move: dict[str, object], last: list[str], opener: str | None
) -> None:
    """By touch, or for want of one, and who opened as the proof has it. What is void shows the verdict."""
    snapshot = shown(started(), judged(verdict), Amended(by="host", at=2.0, of=2, move=move))
    finish = snapshot.finish
    assert finish is not None
    touched = [mark.player for mark in finish.marks if mark.last]
    assert (last, opener) == ([*touched, *(name for _, name in finish.missing)], finish.opener)
    said = [line for line in says(snapshot)[1] if line.endswith(" opened.")]
    assert said == ([] if move["type"] == "void" or opener is None else [f"{opener} opened."])


def test_a_round_that_was_void_when_it_was_taken_back_is_still_a_round() -> None:
    """The table takes it out of the count, then back altogether: it is no move of the table."""
    void = Amended(by="host", at=2.0, of=2, move={"type": "void"})
    (view,) = round_views(
        log.fold(enumerate((started(), judged(CLEAR), void, Undone(by="host", at=3.0, of=2)), 1))
    )
    assert (True, "This round does not count.") == (view.undone, str(view.headline))


def test_the_photo_finish_counts_from_the_opener() -> None:
    """A mark a seat, the last one marked; times are sure to both stamps, and 550 ppm between."""
    finish = shown(started(), judged(CLEAR)).finish
    assert finish is not None
    assert finish.marks == (
        Mark(1, "North", 0, 10_000, False, 10_000),
        Mark(4, "West", 181_000_000, 10_000, False, 119_561, 181_000_000, 119_561),
        Mark(2, "East", 245_588_000, 10_000, False, 155_085, 64_588_000, 55_535),
        Mark(3, "South", 246_000_000, 10_000, True, 155_311, 412_000, 20_238),
    )
    assert (finish.margin_ns, finish.u_ns, finish.missing, finish.dead_heat) == (412_000, 20_238, (), False)


def test_marks_of_several_clocks_carry_the_error_between_them() -> None:
    """10 µs of the stamp and 500 µs of the clock."""
    mixed = (*CLEAR.presses[:3], Press(3, 5_246_000_000, 10_000, "box", 500_000))
    finish = shown(started(), judged(msgspec.structs.replace(CLEAR, presses=mixed))).finish
    assert finish is not None
    assert [mark.u_ns for mark in finish.marks] == [10_000, 10_000, 10_000, 510_000]


def test_a_shared_dead_heat_gives_letters_to_all_of_them() -> None:
    """By option."""
    snapshot = shown(started(dead_heat="share"), judged(HEAT))
    assert says(snapshot)[1][-1] == "East and South get a letter each."
    assert [row.letters for row in snapshot.rows] == [(), ("P",), ("P",), ()]
    assert [row.new for row in snapshot.rows] == [False, True, True, False]


@pytest.mark.parametrize(
    ("phase", "last", "asked_first", "fresh", "said"),
    [
        ("verdict", (3,), False, (3,), ((3,), ())),
        ("won", (3,), False, (), ((3,), ())),
        ("verdict", (3,), False, (1,), ((1,), ())),
        ("verdict", (3,), True, (1,), ((), (3,))),
        ("dead-heat", (2, 3), False, (2, 3), ((), ())),
        ("void", (3,), False, (), ((), ())),
        ("armed", (3,), False, (), ((), ())),
    ],
)
def test_a_snapshot_says_itself_who_was_last_or_first(
    phase: str, last: tuple[int, ...], asked_first: bool, fresh: tuple[int, ...], said: Any
) -> None:
    """As long as a verdict is shown: who has a letter by it, else who has pressed last or not at all."""
    rows = screen_scenes.rows(screen_scenes.FOUR, by_seat={seat: {"new": True} for seat in fresh})
    for margin_ns in (1_000_000, None):
        finish = msgspec.structs.replace(screen_scenes.finish(last, margin_ns, 1_000), first=asked_first)
        shown = Snapshot(0, 0, 1, phase, False, text("It is over"), (), rows=rows, finish=finish)
        assert said == (shown.last, shown.first)


def test_a_round_taken_out_of_the_count_says_why() -> None:
    """The host's own words, even with braces in them."""
    amended = Amended(by="host", at=2.0, of=2, move={"type": "void", "reason": "spilt {tea}"})
    snapshot = shown(started(), judged(CLEAR), amended)
    assert snapshot.phase == "void"
    assert says(snapshot)[0] == "This round does not count."
    assert says(snapshot)[1][0] == "spilt {tea}"
    assert [row.letters for row in snapshot.rows] == [()] * 4


def test_where_the_rack_alone_is_watched_no_nose_is_touched() -> None:
    """SPN-6: neither in the round nor while the table is asked; with noses or docks they are."""
    watched = [shown(started("spoons", confirm=how)) for how in ("confirm", "dock", "rack-only")]
    assert [True, True, False] == [one.touched for one in watched]
    assert shown(started()).touched


def test_only_a_round_that_counts_can_be_taken_out_of_the_count() -> None:
    """Not before the first one, not twice; one under way always can."""
    voided = Amended(by="host", at=2.0, of=2, move={"type": "void", "reason": "tea"})
    assert not shown(started()).voidable
    assert shown(started(), judged(CLEAR)).voidable
    assert not shown(started(), judged(CLEAR), voided).voidable
    assert not shown(started(), judged(VOID)).voidable
    assert shown(started(), live=Live(armed=True, opened=True)).voidable
    assert not shown(started(), live=Live(armed=True)).voidable


def test_who_completes_the_word_is_out_and_it_is_said() -> None:
    """A one-letter word does it at once; three stay in."""
    snapshot = shown(started(word="P"), judged(CLEAR))
    assert says(snapshot)[1][-1] == "South is out."
    assert [row.out for row in snapshot.rows] == [False, False, True, False]


def test_winning_shows_the_winners() -> None:
    """Without stock two remain and both win (PIG-9)."""
    second = Verdict((1, 2, 4), (4,), 1_000_000, 20_000, presses=presses(North=0, East=5, West=1_005))
    snapshot = shown(started(word="P"), judged(CLEAR), judged(second))
    assert (snapshot.phase, str(snapshot.headline)) == ("won", "North and East win!")
    assert [row.winner for row in snapshot.rows] == [True, True, False, False]
    assert snapshot.acts == ()


def test_undo_and_redo_say_what_they_would_do() -> None:
    """In the words of the round."""
    snapshot = shown(started(), judged(CLEAR))
    assert snapshot.undo is not None
    assert (snapshot.undo.seq, str(snapshot.undo.says)) == (2, "Round 1: South was last: P")
    snapshot = shown(started(), judged(CLEAR), Undone(by="host", at=2.0, of=2))
    assert snapshot.redo is not None
    assert (snapshot.redo.seq, str(snapshot.redo.says)) == (2, "Round 1: South was last")


def test_the_state_of_the_round_in_progress_is_shown() -> None:
    """Armed, then noses going down, then somebody who holds up the arming."""
    assert shown(started(), live=Live(armed=True)).phase == "armed"
    judging = shown(started(), live=Live(armed=True, opened=True, pressed=frozenset({1, 2})))
    assert (judging.phase, str(judging.headline)) == ("judging", "Noses: 2 of 4")
    blocked = shown(started(), judged(CLEAR), live=Live(blocked=(2,), asked=True))
    assert (blocked.phase, str(blocked.headline)) == ("blocked", "Let go first: East")


def test_one_thing_is_due_and_which_it_is_the_snapshot_says() -> None:
    """A card is named before anybody plays; held noses let go; nothing is due while noses count."""
    phone = SeatPhone(LINES[1], "silent")
    for snapshot, due in (
        (punished(), ("answer", "South, name a card")),
        (shown(started()), ("play", "Everybody has 4: play")),
        (
            shown(started(), live=Live(phones=(phone,))),
            ("settle", "East’s phone has fallen silent: is it in the network?"),
        ),
        (shown(started(), live=Live(blocked=(2,), asked=True)), ("free", "Let go first: East")),
        (shown(started(), live=Live(armed=True)), None),
        (shown(started(), live=Live(armed=True, opened=True, pressed=frozenset({1}))), None),
        (punished(NAMED), None),
    ):
        assert due == (snapshot.due and (snapshot.due.kind, str(snapshot.due.says)))
        assert (
            snapshot.game == "vatra" or str(snapshot.ready) == "Everybody has 4: play"
        )  # pages say no other


def test_who_stays_on_the_nose_does_not_push_the_verdict_away() -> None:
    """The clock waits for them in silence; a line says so."""
    snapshot = shown(started(), judged(CLEAR), live=Live(blocked=(2, 3)))
    assert (snapshot.phase, str(snapshot.headline)) == ("verdict", "South was last: P")
    assert str(snapshot.proof[-1]) == "Let go first: East and South"
    snapshot = shown(started(), judged(CLEAR), live=Live(blocked=(1, 2, 3)))
    assert str(snapshot.proof[-1]) == "The next round is armed once all let go."


def test_history_lists_rounds_and_moves_with_what_became_of_them() -> None:
    """Undone ones stay visible."""
    events = (started(), judged(CLEAR), judged(VOID), Undone(by="host", at=2.0, of=2))
    views = round_views(log.fold(enumerate(events, 1)))
    assert [(v.seq, v.number, v.void, v.undone) for v in views] == [(2, 1, False, True), (3, 2, True, False)]


def punished(*moves: dict[str, object]) -> Snapshot:
    """Vatra among four: South was last, then the table made *moves*."""
    begun = started("vatra", punishment="real", travel_card=False, hold=False, dead_heat="replay")
    played = (Played(by="host", at=2.0, move=dict(move)) for move in moves)
    return shown(begun, judged(CLEAR), *played)


NAMED = {"type": "name-card", "card": "QS"}


def test_steps_have_a_screen_of_their_own_and_leave_the_verdict_where_it_is() -> None:
    """A card is named: the sentence is still who was last, and no round is armed before it is over."""
    before, after = punished(), punished(NAMED)
    assert ["show", "cards", "choose"] == [step.__struct_config__.tag for step in before.steps]
    assert (False, True) == (before.waits, after.waits)
    assert ["Until Q♠ appears."] == [str(line) for line in after.steps[0].lines[:1]]  # type: ignore[union-attr]
    assert (before.phase, str(before.headline)) == (after.phase, str(after.headline))
    assert (after.undo is not None) and "Until Q♠ appears." == str(after.undo.says)


def test_steps_are_marked_in_the_history_which_names_the_game() -> None:
    """So that a page may draw them small."""
    begun = started("vatra")
    played = Played(by="host", at=2.0, move=dict(NAMED))
    views = round_views(log.fold(enumerate((begun, judged(CLEAR), played), 1)))
    assert [("Vatra", False), ("Vatra", True)] == [(str(view.title), view.step) for view in views]


def test_before_the_first_round_a_move_is_no_verdict() -> None:
    """The lot has said who deals first; the table is ready."""
    begun = started("magarac")
    first = Played(by="host", at=1.0, move={"type": "first-dealer", "seat": 2})
    snapshot = shown(begun, first)
    assert ("ready", "Ready to deal") == (snapshot.phase, str(snapshot.headline))
    assert "East deals first" == str(snapshot.proof[0])


@pytest.mark.parametrize("game", ["magarac", "vatra"])
@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_whoever_the_lot_lets_deal_first_the_cards_to_take_are_said_before(game: str, seat: int) -> None:
    """Also when it is seat 1, who would have dealt without any lot."""
    begun = started(game)
    guide = shown(begun, Played(by="host", at=1.0, move={"type": "first-dealer", "seat": seat})).guide
    assert guide is not None
    assert ["take", "deal"] == [str(step.short).split()[0].lower() for step in guide.before]


def test_a_snapshot_has_what_starts_the_same_game_again() -> None:
    """Its options and its picture."""
    snapshot = shown(started(word="SOW"))
    assert {"word": "SOW"} == snapshot.options
    assert snapshot.emblem.startswith("M")


def rack(snapshot: Snapshot) -> list[tuple[int, bool, bool]]:
    """The cradles: number, in use, empty."""
    return [(one.number, one.used, one.lifted) for one in snapshot.rack]


def test_the_rack_shows_what_is_taken_and_what_stays_empty_for_good() -> None:
    """Four players have three cradles; when one is out the third retires (SPN-4)."""
    begun = started("spoons", sudden_death=True)
    live = Live(armed=True, opened=True, rack=Rack((1, 2, 3)), lifted=frozenset({2}))
    assert [(1, True, False), (2, True, True), (3, True, False)] == rack(shown(begun, live=live))
    later = shown(begun, judged(CLEAR), live=Live(blocked_lines=("spoon.1",)))
    assert [(1, True, True), (2, True, False), (3, False, False)] == rack(later)
    assert [] == rack(shown(started()))


def test_who_touched_without_a_spoon_is_marked_in_the_round_under_way() -> None:
    """East has confirmed one, South has touched without: the rows say it, for any screen."""
    started_with_spoons = started("spoons")
    live = Live(
        armed=True,
        opened=True,
        rack=Rack((1, 2, 3)),
        lifted=frozenset({1}),
        pressed=frozenset({2}),
        phantoms=frozenset({3}),
    )
    snapshot = shown(started_with_spoons, live=live)
    assert [(False, False), (True, False), (False, True), (False, False)] == [
        (row.pressed, row.phantom) for row in snapshot.rows
    ]


def test_while_the_table_is_asked_who_has_none_the_rack_and_its_lifts_stay_in_sight() -> None:
    """Rack only: nobody pressed, and only the table knows (SPN-6)."""
    begun = started("spoons", confirm="rack-only")
    lifts = tuple(Lift(cradle, 5_000_000_000 + at, 10_000, "gpio") for cradle, at in ((3, 0), (1, 7), (2, 9)))
    snapshot = shown(begun, judged(Verdict(lifts=lifts)), live=Live(blocked_lines=("spoon.1",)))
    assert snapshot.waits
    assert [True, True, True] == [one.used for one in snapshot.rack]
    assert snapshot.finish is not None
    assert ((), [(3, 0), (1, 7), (2, 9)]) == (
        snapshot.finish.marks,
        [(one.cradle, one.t_ns) for one in snapshot.finish.asides],
    )
    [act] = snapshot.acts
    assert ("no-spoon", (1, 2, 3, 4)) == (act.move, act.seats)
    assert act.prompt is not None


def said_of(game: str, *moves: dict[str, object], **options: object) -> Snapshot:
    """Return what is shown of a clear round of *game* after *moves* of the table."""
    begun = started(game, **options)
    played = (Played(by="host", at=2.0, move=move) for move in moves)
    return shown(begun, judged(CLEAR), *played)


def silent(seat: int) -> dict[str, object]:
    """The move that flags *seat*."""
    return {"type": "did-not-shout", "seat": seat}


def test_a_round_judged_again_says_who_was_last_and_why() -> None:
    """South was last, but East kept silent (MAG-4)."""
    snapshot = said_of("magarac", silent(2))
    assert ("verdict", ("East was last: M", ("East did not shout",))) == (snapshot.phase, says(snapshot))
    assert [row.new for row in snapshot.rows] == [False, True, False, False]
    assert snapshot.undo is not None
    assert "East did not shout" == str(snapshot.undo.says)
    assert snapshot.finish is not None
    assert ([2], None) == ([one.seat for one in snapshot.finish.marks if one.last], snapshot.finish.margin_ns)


def test_history_says_once_who_kept_silent_and_then_how_it_came_out() -> None:
    """The screens say it the other way round."""
    begun = started("magarac")
    flag = Played(by="host", at=2.0, move=silent(2))
    view = round_views(log.fold(enumerate((begun, judged(CLEAR), flag), 1)))[-1]
    assert "East did not shout" == str(view.headline)
    assert ["East was last: M"] == [str(line) for line in view.proof]


def test_two_who_kept_silent_are_shown_as_a_dead_heat() -> None:
    """Played again, or shared, as the table likes."""
    snapshot = said_of("magarac", silent(2), silent(4))
    assert snapshot.phase == "dead-heat"
    assert says(snapshot) == (
        "Dead heat: East and West",
        ("East did not shout", "West did not shout", "The round is played again."),
    )
    snapshot = said_of("magarac", silent(2), silent(4), dead_heat="share")
    assert says(snapshot)[1] == (
        "East did not shout",
        "West did not shout",
        "East and West get a letter each.",
    )
    assert [row.new for row in snapshot.rows] == [False, True, False, True]


def test_all_who_kept_silent_are_named() -> None:
    """MAG-4: three flags, three names, in Vatra as in Magarac; a flag that was taken back says nothing."""
    for game in ("magarac", "vatra"):
        snapshot = said_of(game, silent(2), silent(1), silent(4))
        assert says(snapshot)[0] == "Dead heat: North, East and West"
        assert says(snapshot)[1][:3] == ("East did not shout", "North did not shout", "West did not shout")


def test_the_answer_to_an_empty_rack_is_a_verdict() -> None:
    """Who has no spoon was last; here a cross, no letter (SPN-3, SPN-6)."""
    begun = started("spoons", confirm="rack-only")
    lift = Lift(1, 5_000_000_000, 10_000, "gpio")
    answer = Played(by="host", at=2.0, move={"type": "no-spoon", "seat": 3})
    snapshot = shown(begun, judged(Verdict(lifts=(lift,))), answer)
    assert ("South was last: X", ()) == says(snapshot)
    assert snapshot.undo is not None
    assert snapshot.finish is not None
    assert [1] == [one.cradle for one in snapshot.finish.asides]
    assert "South was last: X" == str(snapshot.undo.says)


def test_a_game_that_one_loses_names_that_one() -> None:
    """There is no winner in it (MAG-6)."""
    snapshot = said_of("magarac", word="M")
    assert ("won", "South loses.") == (snapshot.phase, str(snapshot.headline))
    assert [row.loser for row in snapshot.rows] == [False, False, True, False]


def test_what_is_said_of_a_rack_fits_any_tableware() -> None:
    """Forks and knives are no spoons (SPN-5)."""
    begun = started("forks-and-knives")
    lift = Lift(1, 4_900_000_000, 10_000, "gpio")
    verdict = msgspec.structs.replace(CLEAR, lifts=(lift,), phantoms=CLEAR.presses[:1])
    for live in (Live(blocked_lines=("spoon.1",)), Live(blocked_lines=("spoon.1",), asked=True)):
        snapshot = shown(begun, judged(verdict), live=live)
        assert 3 <= len(snapshot.proof) + live.asked * 2
        assert "spoon" not in " ".join((str(snapshot.headline), *map(str, snapshot.proof))).lower()


def test_who_is_back_after_an_undo_or_a_correction_is_said_with_the_cards_that_takes() -> None:
    """Four sets for four, three for three: the jacks that went with West are needed again."""

    def before(*events: AnyEvent) -> list[str]:
        guide = shown(started(sudden_death=True), *events).guide
        assert guide is not None
        return [" ".join(str(part) for part in (one.says, one.more) if part) for one in guide.before]

    west, south = (judged(Verdict(order=(1, 2), last=(seat,))) for seat in (4, 3))
    again = "West plays again."
    out, *_ = before(west)
    assert "West is out. Take 4 jacks away: 12 cards stay, A K Q." == out
    undone = Undone(by="host", at=2.0, of=2)
    assert [again, "Take these, all four suits: 16 cards."] == before(west, undone)[:2]
    north = Amended(by="host", at=2.0, of=2, move={"type": "last", "seats": [1]})
    back, _ = before(west, north)
    assert f"North is out. {again} Take all aces, kings and queens: 12 cards." == back
    out, _ = before(west, undone, south)
    assert "South is out. Take 4 jacks away: 12 cards stay, A K Q." == out


AGAIN = {
    "a dead heat": [judged(HEAT)],
    "a void round": [judged(VOID)],
    "a dead heat, then a void round": [judged(HEAT), judged(VOID)],
    "a round that the host has voided": [
        judged(CLEAR),
        Amended(by="host", at=3.0, of=5, move={"type": "void", "reason": ""}),
    ],
}


@pytest.mark.parametrize("case", AGAIN)
def test_the_cards_of_who_left_are_taken_away_once(case: str) -> None:
    """PIG-8: West leaves with the whole word, and the jacks go; a round that changes nothing takes none."""
    west = Verdict(order=(1, 2, 3), last=(4,))
    begun = (started(word="AB"), judged(west), judged(west))
    once = shown(*begun).advice
    assert once is not None
    taken = "Take 4 jacks away: 12 cards stay, A K Q."
    assert ["West is out.", taken, "South deals 4 cards each."] == [str(one) for one in once.sentences]
    events = [
        msgspec.structs.replace(one, verdict=_among_three(one.verdict))
        if isinstance(one, RoundJudged)
        else one
        for one in AGAIN[case]
    ]
    events = [msgspec.structs.replace(one, of=4) if isinstance(one, Amended) else one for one in events]
    then = shown(*begun, *events).advice
    assert then is not None
    assert (["South deals 4 cards each."], (), 12) == (
        [str(one) for one in then.sentences],
        then.remove,
        then.cards,
    )
    counted = shown(*begun, *events, judged(south_last())).advice
    assert counted is not None
    assert ["North deals 4 cards each."] == [str(one) for one in counted.sentences]


def _among_three(verdict: Verdict) -> Verdict:
    """Return *verdict* without West, who has left."""
    order = tuple(seat for seat in verdict.order if seat != 4)
    return msgspec.structs.replace(verdict, order=order, margin_ns=None, u_ns=None, presses=())


def south_last() -> Verdict:
    """North and East were there before South."""
    return Verdict(order=(1, 2), last=(3,))


def test_the_third_time_hog_makes_a_pig_and_says_so() -> None:
    """PIG-13: three times hog makes a pig, who leaves."""
    said = [str(shown(started("hog"), *[judged(CLEAR)] * times).headline) for times in (1, 2, 3)]
    assert ["South is the hog: H", "South is the hog: O", "South is the hog: G, and a pig"] == said


def test_every_moment_of_a_round_is_at_one_of_four_stages() -> None:
    """The stage follows from the phase, whoever made it; there is none where no nose is watched."""
    stages = {
        "setup": "",
        "ready": "deal",
        "blocked": "deal",
        "armed": "on",
        "judging": "running",
        "verdict": "verdict",
        "dead-heat": "verdict",
        "void": "verdict",
        "won": "verdict",
        "playing": "",
    }
    shown = Snapshot(1, 1, 1, "setup", simulated=True, headline=text("Who plays?"), proof=(), stage="running")
    found = {phase: msgspec.structs.replace(shown, phase=phase).stage for phase in stages}
    assert stages == found
    assert "" == msgspec.structs.replace(shown, phase="won", watched=False).stage


def test_the_first_stage_of_a_duel_has_its_own_word_also_when_the_duel_is_over() -> None:
    """Nobody deals in it, before the end or after."""
    duel = started("reaction-duel", points=1)
    first = msgspec.structs.replace(CLEAR, last=(), first=(1,))
    found = [(one.phase, str(one.stage_word)) for one in (shown(duel), shown(duel, judged(first)))]
    assert [("ready", "Ready"), ("won", "Ready")] == found
