"""What a table's key may send: nothing forged, replayed, reordered, foreign or oversized counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import msgspec
import pytest
from lastnose.companion.core.errors import NotNow, StoreError
from lastnose.companion.core.model import Rack, Verdict
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import SignOff
from lastnose.companion.evening.events import (
    DECODER,
    ENCODER,
    AnyEvent,
    RoundJudged,
    Started,
    VerdictCompleted,
    ZeroTested,
)
from lastnose.companion.evening.log import apply
from lastnose.companion.evening.state import Correction, Evening
from lastnose.companion.event import commands
from lastnose.companion.event.table_log import CalledMatch, HallAppeal
from lastnose.companion.event.tally import TableOutcome, Tally, _unfounded, merits
from lastnose.companion.link import wire
from lastnose.companion.link.copies import MOST, Copies, TableEdges
from lastnose.companion.link.hub import Hall, everything
from lastnose.companion.link.reader import StartAgain, StreamReader
from lastnose.companion.link.store import Cursor, HallStore, reopen
from lastnose.companion.table.log_file import NO_HEAD, LogRow, chained

from tests.hall.test_reader import message
from tests.support.hall_tables import TableOfHall
from tests.support.halls import arranged, call_round, decide, take, todos

Forge = Callable[[Verdict, Random], Verdict]

ZERO = ZeroTested(by="box", at=0, lines=("nose.1", "nose.2"), off_ns=(10,) * 20, u_ns=1_000)
ORDERS = ((1, 2, 3), (3, 1, 2), (2, 1, 3), (1, 2))  # who touched in which order; 3 is out, then 2


def played(hall: Hall) -> tuple[TableOfHall, TableOfHall]:
    """Let two tables play a game of "PI" to its end, judged from edges; nothing of it is doubtful."""
    arranged(hall, "A,B,C,D,E,F", rounds=1, final=0, options={"word": "PI"})
    made = TableOfHall(hall), TableOfHall(hall)
    for table in made:
        table.table.record.append(ZERO)
    call_round(hall)
    for table in made:
        table.begin()
        for order in ORDERS:
            table.judged(*order)
        table.do(SignOff())
    assert ["counts", "counts"] == [one.state for one in hall.view.outcomes]
    return made


def forged(rows: list[LogRow], events: list[AnyEvent]) -> list[LogRow]:
    """Return *events* as rows in the place of *rows*, with a chain of their own."""
    head, out = NO_HEAD, []
    for n, event in enumerate(events, 1):
        raw = ENCODER.encode(event)
        head = chained(head, n, rows[0].evening, raw)
        out.append(LogRow(n, rows[0].evening, str(event.__struct_config__.tag), raw, head))
    return out


def judged(events: list[AnyEvent]) -> list[int]:
    """Return where rounds were judged."""
    return [n for n, event in enumerate(events) if isinstance(event, RoundJudged)]


def margin(more_ns: int, less_sharp_ns: int = 0) -> Forge:
    """Return what says a margin of so much more than the edges give, or less sharply than they do."""

    def forge(verdict: Verdict, _: Random) -> Verdict:
        assert (100_000_000, 20_000) == (verdict.margin_ns, verdict.u_ns)
        return msgspec.structs.replace(verdict, margin_ns=100_000_000 + more_ns, u_ns=20_000 + less_sharp_ns)

    return forge


def unseen(verdict: Verdict, _: Random) -> Verdict:
    """Return *verdict* as if who was last had not been seen, with a margin all the same."""
    return msgspec.structs.replace(verdict, order=verdict.order[:-1], presses=verdict.presses[:-1])


def otherwise(verdict: Verdict, random: Random) -> Verdict:
    """Return *verdict* with another seat last, made up as well as one can."""
    last = random.choice([seat for seat in verdict.order if seat not in verdict.last])
    order = (*(seat for seat in verdict.order if seat != last), last)
    seats = dict(zip(verdict.order, order, strict=True))
    presses = tuple(msgspec.structs.replace(one, seat=seats[one.seat]) for one in verdict.presses)
    return msgspec.structs.replace(verdict, order=order, last=(last,), presses=presses)


def sent_with_another_last(
    hall: Hall, tmp_path: Path, forge: Forge = otherwise
) -> tuple[Hall, HallStore, int]:
    """Return the hall with what a thief sends instead of table 1: in its last round another was last."""
    table, _ = played(hall)
    events = [DECODER.decode(row.raw) for row in table.sent]
    at = judged(events)[3]
    told = events[at]
    verdict = forge(told.verdict, Random(1))
    gone = {f"nose.{seat}" for seat in {*told.verdict.order} - {*verdict.order}}
    inputs = tuple(one for one in told.inputs if getattr(one, "line", "") not in gone)
    events[at] = msgspec.structs.replace(told, verdict=verdict, inputs=inputs)
    other = HallStore(tmp_path / "other")
    for seq, event in hall.own():
        other.append(seq, event)
    other.keep("event", hall.event)
    thieved = Hall(other)
    take(thieved, table.member, forged(table.sent, events))
    return thieved, other, at + 1


def test_who_swaps_who_was_last_and_makes_the_chain_again_is_looked_at_with_the_photo_finish(
    hall: Hall, tmp_path: Path
) -> None:
    """It does not count, nor by “It counts”, nor after a restart; to play it again is one decision."""
    thieved, other, entry = sent_with_another_last(hall, tmp_path)
    for found in (thieved, Hall(other)):
        one = found.view.outcomes[0]
        assert ("doubtful", (entry,)) == (one.state, one.unfounded)
        assert "Of 1 round the edges say otherwise than its verdict." in map(str, one.doubts)
        (todo,) = todos(found, "appeal")
        assert str(todo.says).startswith("The edges say otherwise: ")
        assert (1, 1, entry, True) == (todo.number, todo.round, todo.entry, todo.finish is not None)
        assert [] == todos(found, "doubtful")
        with pytest.raises(NotNow, match="Nothing of it counts before you have looked"):
            found.do(commands.Clear(1, 1), "Ann")
    decide(found, "again", entry)
    assert "waiting" == found.view.outcomes[0].state
    found.do(commands.TakeBack(found.state.seq), "Ann")
    found.do(commands.Decide(found.state.seq - 2, "stands", "I saw it"), "Ann")
    assert ("counts", ()) == (found.view.outcomes[0].state, found.view.outcomes[0].unfounded)
    other.close()


def test_what_does_not_follow_from_its_edges_does_not_count_when_the_archive_is_opened_either(
    hall: Hall, tmp_path: Path
) -> None:
    """A season opens it, too. Kept again it is the same."""
    thieved, other, entry = sent_with_another_last(hall, tmp_path)
    kept = everything(thieved)
    other.close()
    assert reopen(kept, tmp_path / "again") is None
    again = HallStore(tmp_path / "again")
    found = Hall(again)
    one = found.view.outcomes[0]
    assert ("doubtful", (entry,), "wait") == (one.state, one.unfounded, found.view.step.kind)
    assert kept == everything(found)
    again.close()


MAY_NS = 20_000 + 55_011  # two stamps, and 550 millionths of what the margin may be by them


@pytest.mark.parametrize(
    ("forge", "counts"),
    [
        (margin(1 - 100_000_000), False),
        (margin(0, -1), False),
        (margin(0, 1), True),
        (margin(-1), True),
        (margin(MAY_NS), True),
        (margin(MAY_NS + 1), False),
        (margin(-MAY_NS - 1, 1_000_000), False),
        (margin(-MAY_NS, 1_000_000), True),
        (unseen, False),
    ],
)
def test_who_makes_a_margin_up_is_looked_at_too(
    hall: Hall, tmp_path: Path, forge: Forge, counts: bool
) -> None:
    """It stands among the closest of the evening, and nobody else was last for it. Less sharp it may be."""
    thieved, other, entry = sent_with_another_last(hall, tmp_path, forge)
    found = thieved.view.outcomes[0]
    assert (("counts", ()) if counts else ("doubtful", (entry,))) == (found.state, found.unfounded)
    other.close()


@pytest.mark.parametrize(
    ("how", "follows"),
    [
        ({"confirm_ns": 0, "lockout_ns": 5}, False),
        ({"confirm_ns": 1, "lockout_ns": 1}, True),
        ({"confirm_ns": 2, "lockout_ns": 1}, False),
        ({"confirm_ns": 1, "lockout_ns": 10**9}, True),
        ({"confirm_ns": 10**9, "lockout_ns": 10**9}, True),
        ({"confirm_ns": 1, "lockout_ns": 10**9 + 1}, False),
        ({"rack": Rack((1, 2))}, False),
        ({"question": "first"}, False),
    ],
)
def test_edges_are_judged_by_settings_that_a_table_may_have_and_by_what_the_round_asked(
    hall: Hall, how: dict[str, Any], follows: bool
) -> None:
    """At most a second, as for an appeal, and a touch is no shorter than what confirms it.

    Who was last with the nose has not lost where no spoon was taken, or where it was asked who was first.
    """
    table, _ = played(hall)
    events, edges, evening = [DECODER.decode(row.raw) for row in table.sent], TableEdges(), Evening()
    for seq, event in enumerate(events, 1):
        before, evening = evening, apply(evening, seq, event)
        if isinstance(event, RoundJudged):
            event = msgspec.structs.replace(event, **how)
        edges.take(seq, event, evening)
        assert (0 if follows or not isinstance(event, RoundJudged) else seq) == edges.contradict(
            seq, event, before
        )


def test_a_round_that_is_corrected_or_taken_out_claims_nothing(hall: Hall, store: HallStore) -> None:
    """What its edges say is no matter then; and verdicts of before are judged once, not at each start."""
    table, _ = played(hall)
    events = [DECODER.decode(row.raw) for row in table.sent]
    for n in judged(events):
        event = events[n]
        events[n] = msgspec.structs.replace(event, inputs=())
    member = TableOfHall(hall).member
    take(hall, member, forged(table.sent, events))
    log = hall.logs[member.table]
    assert {n + 1 for n in judged(events)} == log.unfounded == store.unfounded(member.table)
    assert len(events) == store.judged()[member.table]
    first = events[judged(events)[0]]
    void = msgspec.structs.replace(first, verdict=Verdict(void=text("The host ended it.")))
    another = TableOfHall(hall).member
    take(hall, another, forged(table.sent, [*events[: judged(events)[0]], void]))
    assert frozenset() == hall.logs[another.table].unfounded


def test_only_a_round_that_holds_and_of_which_nobody_has_decided_waits_for_a_decision(hall: Hall) -> None:
    """Of six one: the others were taken back, corrected, void, decided, or follow from their edges."""
    played(hall)
    game = hall.view.outcomes[0].called
    assert game is not None
    one = next(iter(game.entries))
    replace = msgspec.structs.replace
    entries = (
        replace(one, seq=1),
        replace(one, seq=2, stands=False),
        replace(one, seq=3, corrections=(Correction(9, "host", {"type": "last"}),)),
        replace(one, seq=4, verdict=Verdict(void=text("The host ended it."))),
        replace(one, seq=5),
        replace(one, seq=6),
    )
    its = SimpleNamespace(id=game.id, call=game.call, entries=entries)
    decided = HallAppeal(9, game.id, 5, "", "Ann", call=game.call, decision="stands")
    state: Any = SimpleNamespace(appeals={9: decided})
    logs: Any = (SimpleNamespace(id="other"), SimpleNamespace(id=game.id, unfounded=frozenset(range(1, 6))))
    assert (1,) == _unfounded(state, cast("CalledMatch", its), logs)


def test_how_far_all_tables_of_a_batch_were_judged_again_is_kept_with_the_rows_that_come_next(
    hall: Hall, store: HallStore
) -> None:
    """Else it is a write more for each batch. What follows is known of each at once, and kept of each."""
    table, other = played(hall)
    events = [DECODER.decode(row.raw) for row in table.sent]
    at = judged(events)[0]
    first = events[at]
    events[at] = msgspec.structs.replace(first, inputs=())
    one, two, three = (TableOfHall(hall).member.table for _ in range(3))
    sent = {one: forged(table.sent, events), two: other.sent, three: table.sent[:1]}
    found = [(name, row) for name, rows in sent.items() for row in rows]
    store.take(found, Cursor())
    said: list[str] = []
    store._open.set_trace_callback(said.append)
    hall.took(found)
    for written in (0, 1):
        assert written == said.count("COMMIT")
        assert {name: len(rows) for name, rows in sent.items()}.items() <= store.judged().items()
        assert [frozenset({at + 1}), frozenset(), frozenset()] == [*map(store.unfounded, (one, two, three))]
        store.take([], Cursor())
    store._open.set_trace_callback(None)
    kept = dict(store._all('SELECT "table", n FROM judged'))
    assert {name: len(rows) for name, rows in sent.items()}.items() <= kept.items()
    assert [(one, at + 1)] == store._all('SELECT "table", n FROM unfounded')


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_forged_verdict_is_found_after_a_start_though_the_disk_was_full_when_its_game_was_over(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, goes_on: bool
) -> None:
    """What is kept of games that are over never goes further than what is known of their edges."""
    table, _ = played(hall)
    events = [DECODER.decode(row.raw) for row in table.sent]
    at = judged(events)[3]
    told = events[at]
    events[at] = msgspec.structs.replace(told, verdict=otherwise(told.verdict, Random(1)))
    events.append(next(one for one in events if isinstance(one, Started)))
    other = HallStore(tmp_path / "other")
    for seq, event in hall.own():
        other.append(seq, event)
    other.keep("event", hall.event)
    thieved = Hall(other)
    with monkeypatch.context() as full:
        full.setattr(HallStore, "keep_games", Mock(side_effect=StoreError(text("full"))))
        take(thieved, table.member, forged(table.sent, events))
    if goes_on:  # there is room by now: both games are kept, the one that was over as well
        *_, more = forged(table.sent, [*events, events[-1]])
        take(thieved, table.member, [more])
        kept = other.kept(table.member.table)
        assert (more.seq - 1, 2) == (kept[0], len(kept[2]))
    other.close()  # as a kill leaves it
    started = HallStore(tmp_path / "other")
    for found in (thieved, Hall(started)):
        one = found._publish().outcomes[0]
        assert ("doubtful", (at + 1,)) == (one.state, one.unfounded)
    started.close()


# ---- a thief with a table's key, again and again


class Shelf:
    """What a hall keeps of tables, without a disk."""

    def __init__(self) -> None:
        self.kept: dict[str, list[LogRow]] = {}
        self.cursor = Cursor()

    def heads(self) -> dict[str, tuple[int, bytes]]:
        return {table: (rows[-1].seq, rows[-1].head) for table, rows in self.kept.items()}

    def head(self, table: str, n: int) -> bytes | None:
        return next((row.head for row in self.kept.get(table, ()) if row.seq == n), None)

    def rows(self, table: str) -> list[LogRow]:
        return self.kept.get(table, [])

    def take(self, found: list[tuple[str, LogRow]], cursor: Cursor) -> None:
        for table, row in found:
            self.kept.setdefault(table, []).append(row)
        self.cursor = cursor

    def judged(self) -> dict[str, int]:
        return {}

    def unfounded(self, table: str) -> frozenset[int]:
        return frozenset()

    def has_judged(self, found: object) -> None:
        pass


def outcome_of(hall: Hall, table: str, sent: list[tuple[bytes, dict[str, str]]]) -> TableOutcome:
    """Return what a hall makes of table 1 for what was *sent* under its name."""
    shelf, tally = Shelf(), Tally()
    copies = Copies(hall.event, tally, shelf, lambda table, **why: None)
    reader = StreamReader(hall.event, shelf, copies.took, lambda table, why: None)
    messages = [message(hall.event, table, at, *one) for at, one in enumerate(sent, 1)]
    for _ in range(3):  # a hole lets it be read again, once
        try:
            reader._take(messages)
            break
        except StartAgain:
            continue
    return copies.made(lambda: tally.outcomes(hall.state)[0])


def parcelled(rows: list[LogRow], table: str) -> list[tuple[bytes, dict[str, str]]]:
    """Return a message a row."""
    return [wire.packed([row], 0, table) for row in rows]


class Thief:
    """Who has the key of *table*, and the log of *other*."""

    def __init__(self, hall: Hall, table: TableOfHall, other: TableOfHall, random: Random) -> None:
        self._table, self._random = table.member.table, random
        self._rows, self._foreign = table.sent, other.sent
        self._event = hall.event

    def sends(self) -> list[tuple[bytes, dict[str, str]]]:
        """Return what is sent: one to three tricks, one after the other."""
        events = [DECODER.decode(row.raw) for row in self._rows]
        for _ in range(self._random.randint(0, 2)):
            self._random.choice((self._swapped, self._without, self._late, self._settings, self._called))(
                events
            )
        sent = parcelled(forged(self._rows, events), self._table)
        if self._random.random() < 0.2:
            sent = parcelled(self._foreign, self._table)
        for _ in range(self._random.randint(0, 2)):
            self._random.choice((self._replayed, self._reordered, self._broken, self._large))(sent)
        return sent

    def _some(self, events: list[AnyEvent]) -> tuple[int, RoundJudged]:
        at = self._random.choice(judged(events))
        event = events[at]
        assert isinstance(event, RoundJudged)
        return at, event

    def _swapped(self, events: list[AnyEvent]) -> None:
        at, event = self._some(events)
        events[at] = msgspec.structs.replace(event, verdict=otherwise(event.verdict, self._random))

    def _without(self, events: list[AnyEvent]) -> None:
        at, event = self._some(events)
        fewer = event.inputs[: self._random.randint(0, 1)]
        events[at] = msgspec.structs.replace(
            event, inputs=fewer, verdict=otherwise(event.verdict, self._random)
        )

    def _late(self, events: list[AnyEvent]) -> None:
        at, event = self._some(events)
        told = otherwise(event.verdict, self._random)
        events.insert(at + 1, VerdictCompleted(by="box", at=3, of=at + 1, verdict=told))

    def _settings(self, events: list[AnyEvent]) -> None:
        at, event = self._some(events)
        far = self._random.choice((0, -1, 10**12))
        told = otherwise(event.verdict, self._random)
        events[at] = msgspec.structs.replace(event, confirm_ns=far, lockout_ns=far, verdict=told)

    def _called(self, events: list[AnyEvent]) -> None:
        at = next(n for n, event in enumerate(events) if isinstance(event, Started))
        event = events[at]
        calls = (f"zzzzzzzz.{event.call.partition('.')[2]}", event.call[:-1] + "z", f"{self._event}.1", "")
        events[at] = msgspec.structs.replace(event, call=self._random.choice(calls))

    def _replayed(self, sent: list[tuple[bytes, dict[str, str]]]) -> None:
        sent.insert(self._random.randrange(len(sent)), self._random.choice(sent))

    def _reordered(self, sent: list[tuple[bytes, dict[str, str]]]) -> None:
        self._random.shuffle(sent)

    def _broken(self, sent: list[tuple[bytes, dict[str, str]]]) -> None:
        at = self._random.randrange(len(sent))
        payload, headers = sent[at]
        cut = self._random.randrange(len(payload) + 1)
        sent[at] = payload[:cut] + b"%" + payload[cut + 1 :], headers

    def _large(self, sent: list[tuple[bytes, dict[str, str]]]) -> None:
        at = self._random.randrange(len(sent))
        deep = b'{"type":"played","by":"x","at":0,"move":{"type":%s}}' % (b"[" * 500 + b"]" * 500)
        wide = b'{"type":"judged","by":"' + b"x" * 300_000 + b'"}'
        sent.insert(at, (self._random.choice((deep, wide)), sent[at][1]))


@pytest.fixture
def tables(hall: Hall) -> tuple[TableOfHall, TableOfHall]:
    """Return two tables that have played."""
    return played(hall)


@pytest.mark.parametrize("seeds", [range(300), pytest.param(range(300, 10_300), marks=pytest.mark.heavy)])
def test_whatever_a_thief_sends_nothing_counts_but_what_the_edges_say(
    hall: Hall, tables: tuple[TableOfHall, TableOfHall], seeds: range
) -> None:
    """A result counts only if it is that of the edges; most of what was sent is refused, or looked at."""
    table, other = tables
    truth = hall.view.outcomes[0].result
    assert truth is not None
    states: dict[str, int] = {}
    for seed in seeds:
        found = outcome_of(hall, table.member.table, Thief(hall, table, other, Random(seed)).sends())
        states[found.state] = states.get(found.state, 0) + 1
        if not found.open:
            assert found.result is not None
            assert merits(truth) == merits(found.result), f"seed {seed}"
    assert {"counts", "doubtful", "waiting"} <= states.keys(), states
    honest = outcome_of(hall, table.member.table, parcelled(table.sent, table.member.table))
    assert ("counts", merits(truth)) == (honest.state, merits(honest.result) if honest.result else None)


def test_more_edges_than_a_round_has_are_not_judged(hall: Hall) -> None:
    """It would take seconds for each such row: they are looked at instead."""
    table, _ = played(hall)
    events = [DECODER.decode(row.raw) for row in table.sent]
    at = judged(events)[0]
    event = events[at]
    many = event.inputs * (MOST // len(event.inputs) + 1)
    events[at] = msgspec.structs.replace(event, inputs=many)
    member = TableOfHall(hall).member
    take(hall, member, forged(table.sent, events))
    assert {at + 1} == hall.logs[member.table].unfounded
