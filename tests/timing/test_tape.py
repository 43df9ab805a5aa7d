"""Tapes are read, written and played; a broken one is named by its line."""

from __future__ import annotations

import json
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import TapeError
from lastnose.companion.core.model import (
    Armed,
    Edge,
    Gap,
    Judged,
    Late,
    Levels,
    Passthrough,
    RefereeEvent,
    Watermark,
)
from lastnose.companion.core.text import text
from lastnose.companion.timing import Referee, Settings, VoidRequest
from lastnose.companion.timing.tape import (
    ArmRecord,
    Header,
    MoveRecord,
    Tape,
    read_tape,
    stream,
    with_watermarks,
    write_tape,
)

from tests.support.examples import examples

HEADER = '{"tape":1,"game":"pig","players":["North","East","South"],"options":{"hold":true}}'
ENTRIES = {
    '{"t_ns":5,"source":"gpio","line":"nose.1","level":1,"u_ns":1000}': Edge(5, "gpio", "nose.1", 1, 1000),
    '{"t_ns":6,"source":"box","line":"host","level":0,"u_ns":0,"clock_u_ns":9}': Edge(
        6, "box", "host", 0, 0, 9
    ),
    '{"levels":{"spoon.1":1,"dock.2":0},"t_ns":7,"source":"gpio"}': Levels(
        {"spoon.1": 1, "dock.2": 0}, 7, "gpio"
    ),
    '{"levels":{},"t_ns":7,"source":"gpio","u_ns":10,"clock_u_ns":3}': Levels({}, 7, "gpio", 10, 3),
    '{"gap":[7,9],"source":"gpio"}': Gap(7, 9, "gpio"),
    '{"gap":[7,9],"source":"gpio","late_ns":9}': Gap(7, 9, "gpio", late_ns=9),
    '{"levels":{"nose.1":1},"t_ns":7,"source":"gpio","late_ns":9}': Levels(
        {"nose.1": 1}, 7, "gpio", late_ns=9
    ),
    '{"levels":{"nose.1":0},"t_ns":7,"source":"gpio","u_ns":10,"expected":true}': Levels(
        {"nose.1": 0}, 7, "gpio", 10, expected=True
    ),
    '{"gap":[7,7],"source":"gpio"}': Gap(7, 7, "gpio"),
    '{"gap":[7,9],"source":"page.a","lines":["nose.2"]}': Gap(7, 9, "page.a", ("nose.2",)),
    '{"watermark":10,"source":"gpio"}': Watermark(10, "gpio"),
    '{"arm":11}': ArmRecord(11),
    '{"arm":12,"seats":[1,3]}': ArmRecord(12, (1, 3)),
    '{"arm":13,"teams":[[1,3],[],[2]]}': ArmRecord(13, teams=((1, 3), (), (2,))),
    '{"move":{"type":"talked","seat":2},"t_ns":13}': MoveRecord({"type": "talked", "seat": 2}, 13),
}
MS, S = 10**6, 10**9


@pytest.mark.parametrize(
    "sent",
    [
        Edge(5, "gpio", "nose.1", 1, 1000, 9, 300, 5_000_000, 2, 7),
        Levels({"nose.1": 1}, 4, "page.a", 10, 3, 2, 9),
        Gap(7, 9, "page.a", ("nose.2",), 9),
    ],
)
def test_everything_that_a_source_says_of_its_stamps_is_on_the_tape(sent: Edge | Levels | Gap) -> None:
    """As of a Pi whose pins differ by 0.3 µs, and whose contact bounced unseen for 5 ms."""
    assert None not in msgspec.structs.astuple(sent)
    written = list(write_tape(Tape(Header("pig", ("North", "East")), (sent,))))
    assert (sent,) == read_tape(written).entries


def referee_for(tape: Tape) -> Referee:
    """Return a referee for three players who are all watched."""
    lines = {f"nose.{seat}": seat for seat in range(1, len(tape.header.players) + 1)}
    referee = Referee(lines, Settings(rearm_ns=3 * S if tape.arms_itself else None), tape.sources)
    referee.watch(tuple(lines.values()))
    return referee


def play(tape: Tape) -> list[RefereeEvent]:
    """Return all that happens on a tape."""
    referee = referee_for(tape)
    return [*referee.feed(*stream(tape)), *referee.end()]


def taped(*lines: str) -> Tape:
    """Return the tape with these lines after a header."""
    return read_tape([HEADER, *lines])


def test_every_kind_of_line_is_read_in_arrival_order() -> None:
    """Header, edges, levels, gaps, watermarks, arms and moves; empty lines are nothing."""
    tape = read_tape([HEADER, "", *ENTRIES, " \n"])
    assert Header("pig", ("North", "East", "South"), {"hold": True}) == tape.header
    assert tuple(ENTRIES.values()) == tape.entries
    assert ("box", "gpio", "page.a") == tape.sources
    assert not tape.arms_itself


def test_a_tape_is_written_as_it_was_read() -> None:
    """Line by line, the same JSON."""
    lines = [HEADER, *ENTRIES]
    assert [json.loads(line) for line in lines] == [json.loads(line) for line in write_tape(read_tape(lines))]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "Line 3 of the tape is not a JSON object"),
        ("[1]", "Line 3 of the tape is not a JSON object"),
        ('{"t_ns":1}', 'Line 3 of the tape is none of: {"t_ns":'),
        ('{"t_ns":1,"source":"gpio","line":"nose.1","level":1}', "u_ns"),
        ('{"t_ns":1.5,"source":"gpio","line":"nose.1","level":1,"u_ns":0}', "t_ns"),
        ('{"t_ns":true,"source":"gpio","line":"nose.1","level":1,"u_ns":0}', "t_ns"),
        ('{"t_ns":1,"source":"gpio","line":"nose.0","level":1,"u_ns":0}', "line"),
        ('{"t_ns":1,"source":"gpio","line":"knee.1","level":1,"u_ns":0}', "line"),
        ('{"t_ns":1,"source":"gpio","line":"nose.1","level":2,"u_ns":0}', "level"),
        ('{"t_ns":1,"source":"gpio","line":"nose.1","level":1,"u_ns":-1}', "u_ns"),
        ('{"t_ns":1,"source":"","line":"nose.1","level":1,"u_ns":0}', "source"),
        ('{"t_ns":1,"source":"gpio","line":"nose.1","level":1,"u_ns":0,"clock_u":1}', "clock_u"),
        (
            '{"t_ns":99999999999999999999,"source":"gpio","line":"nose.1","level":1,"u_ns":0}',
            "a number in it is too large",
        ),
        ('{"levels":{"nose.1":7},"t_ns":1,"source":"gpio"}', "levels"),
        ('{"gap":[9,7],"source":"gpio"}', "the gap ends before it begins"),
        ('{"gap":[9],"source":"gpio"}', "gap"),
        ('{"watermark":"soon","source":"gpio"}', "watermark"),
        ('{"arm":1,"seats":[1,4]}', "its seats must be from 1 to 3, each once"),
        ('{"arm":1,"seats":[2,2]}', "its seats must be from 1 to 3, each once"),
        ('{"arm":1,"seats":[]}', "seats"),
        ('{"move":"talked","t_ns":1}', "move"),
    ],
)
def test_a_broken_line_is_named_with_what_was_expected(line: str, said: str) -> None:
    """One sentence, with the line's number."""
    with pytest.raises(TapeError) as caught:
        taped("", line)
    assert "Line 3 of the tape" in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "The tape is empty"),
        ([next(iter(ENTRIES)), HEADER], "Line 1 of the tape must be its header"),
        (
            ['{"tape":2,"what":"comes next"}'],
            "This has format 2; this Last Nose reads 1. Update Last Nose first.",
        ),
        (['{"tape":"1","game":"pig","players":["a","b"]}'], "Line 1 of the tape cannot be read"),
        (['{"tape":1,"game":"pig","players":["a"]}'], "players"),
        (['{"tape":1,"game":"pig","players":["a",""]}'], "players"),
        (['{"tape":1,"game":"pig","players":["a","b"],"option":{}}'], "option"),
    ],
)
def test_a_header_that_is_missing_newer_or_wrong_is_refused(lines: list[str], said: str) -> None:
    """Each with its own sentence."""
    with pytest.raises(TapeError) as caught:
        read_tape(lines)
    assert said in str(caught.value)


def press(seat: int, t_ns: int, level: int = 1) -> str:
    """Return the line of an edge, 10 µs good."""
    return f'{{"t_ns":{t_ns},"source":"gpio","line":"nose.{seat}","level":{level},"u_ns":10000}}'


def test_a_tape_without_watermarks_is_judged_as_if_they_always_followed() -> None:
    """Two rounds, armed at the start and again 3 s after the noses were let go; the second is cut off."""
    first = [press(1, 0), press(2, 1 * S), press(1, 2 * S, 0), press(2, 2 * S, 0)]
    said = play(taped(*first, press(3, 6 * S)))
    assert [Armed(0, (1, 2, 3)), Armed(5 * S, (1, 2, 3))] == [one for one in said if isinstance(one, Armed)]
    verdicts = [one.verdict for one in said if isinstance(one, Judged)]
    assert [((1, 2), (3,), None), ((3,), (), "tape ended")] == [
        (verdict.order, verdict.last, verdict.void and str(verdict.void)) for verdict in verdicts
    ]
    assert "Late" not in [type(one).__name__ for one in said]


def test_arrival_order_on_a_tape_without_watermarks_breaks_nothing() -> None:
    """Nothing was promised, so nothing is broken: any order of lines is the same round."""
    lines = [press(1, 1 * S), press(2, 2 * S), press(3, 3 * S)]
    expected = play(taped(*lines))
    assert any(isinstance(one, Late) for one in expected)
    for _ in range(5):
        random.Random(5).shuffle(lines)
        assert expected == play(taped(*lines))


def test_with_arms_on_the_tape_only_those_arm() -> None:
    """At 1.5 s, for two seats; the presses before and the noses free for hours arm nothing."""
    said = play(
        taped(press(1, 1 * S), press(1, 1_100 * MS, 0), '{"arm":1500000000,"seats":[1,3]}', press(1, 9 * S))
    )
    assert [Armed(1_500 * MS, (1, 3))] == [one for one in said if isinstance(one, Armed)]
    (judged,) = [one for one in said if isinstance(one, Judged)]
    assert ((1,), (3,)) == (judged.verdict.order, judged.verdict.last)


def test_watermarks_on_the_tape_make_a_late_edge_a_gap() -> None:
    """The very same lines without the watermark are an ordinary round."""
    lines = [
        press(1, 1 * S),
        '{"watermark":1900000000,"source":"gpio"}',
        press(2, 1_800 * MS),
        press(3, 2 * S),
    ]
    assert "BrokenPromise" in [type(one).__name__ for one in play(taped(*lines))]
    del lines[1]
    said = play(taped(*lines))
    assert "BrokenPromise" not in [type(one).__name__ for one in said]


def test_moves_come_out_in_their_place_and_may_void_the_round() -> None:
    """Somebody talked at 1.5 s; what the caller feeds then takes effect before the press of 2 s."""
    tape = taped(press(1, 1 * S), press(2, 2 * S), '{"move":{"type":"talked","seat":2},"t_ns":1500000000}')
    referee = referee_for(tape)
    for item in stream(tape):
        referee.take(item)
    referee.close()
    said: list[RefereeEvent] = []
    while told := referee.tell():
        said += told
        if isinstance(told[-1], Passthrough):
            referee.take(VoidRequest(told[-1].t_ns, text("somebody talked")))
    assert ["Armed", "Pressed", "Passthrough", "Judged", "Pressed"] == [type(one).__name__ for one in said]
    judged = next(one for one in said if isinstance(one, Judged))
    assert ((1,), "somebody talked") == (judged.verdict.order, str(judged.verdict.void))


def test_levels_at_the_start_may_say_that_a_nose_is_held() -> None:
    """Then nothing is armed until it is let go and 3 s have passed."""
    said = play(
        taped('{"levels":{"nose.2":1},"t_ns":0,"source":"gpio"}', press(2, 1 * S, 0), press(1, 10 * S))
    )
    assert ["UnseenChange", "ArmingBlocked", "Released", "Armed", "Pressed"] == [
        type(one).__name__ for one in said
    ][:5]
    assert Armed(4 * S, (1, 2, 3)) == said[3]


@settings(max_examples=examples(100), deadline=None)
@given(st.integers(0, 2**48))
def test_made_up_watermarks_are_kept_and_never_stay_behind(seed: int) -> None:
    """Each source that promised nothing now promises just what the rest of the tape keeps."""
    rng = random.Random(seed)
    entries = [
        Edge(rng.randint(0, 50), rng.choice("ab"), f"nose.{rng.randint(1, 3)}", 1, 0)
        for _ in range(rng.randint(1, 12))
    ]
    stream = list(with_watermarks(entries))
    assert entries == [one for one in stream if isinstance(one, Edge)]
    for index, one in enumerate(stream):
        if isinstance(one, Watermark):
            rest = [
                edge.t_ns for edge in stream[index:] if isinstance(edge, Edge) and edge.source == one.source
            ]
            assert min(rest, default=max(edge.t_ns for edge in entries)) == one.t_ns
    promised = {one.source for one in stream if isinstance(one, Watermark)}
    assert {edge.source for edge in entries} == promised
    own = [*entries, Watermark(60, "a"), Watermark(60, "b")]
    assert own == list(with_watermarks(own))
