"""A table's log is folded row by row; a long evening is looked through no more than a short one."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from lastnose.companion.core.errors import CompanionError
from lastnose.companion.evening.events import (
    AnyEvent,
    Finished,
    Redone,
    SignedOff,
    Started,
    Undone,
    ZeroTested,
)
from lastnose.companion.evening.log import apply
from lastnose.companion.evening.state import Evening, Match
from lastnose.companion.event.table_log import CalledMatch, TableLog, call_of, entry_of

from tests.support.halls import judged_game
from tests.support.random_evenings import NOSES, evening

EVENT = "abcdefgh"


def slow_and_obvious(log: TableLog, seq: int, number: int, item: AnyEvent) -> TableLog:
    """Return *log* with one more row, all of whose evening is looked through again."""
    folded = apply(log.evening if number == log.number else Evening(), seq, item)
    games: dict[int, list[CalledMatch]] = {}
    parts: tuple[Match, ...] = ()
    for match in folded.matches:
        parts = (*parts, match)
        if match.parting:
            continue
        call, nonce = entry_of(EVENT, match.started.call)
        if call:
            known = [one for one in log.played.get(call, ()) if one.began == parts[0].seq]
            reopened = not match.signed_by and any(one.signed or one.reopened for one in known)
            zero = folded.zero is not None
            made = CalledMatch(log.id, call, parts, zero, parts[0].seq, reopened, nonce)
            games.setdefault(call, []).append(made)
        parts = ()
    first = folded.matches[0].seq if folded.matches else seq
    played = dict(log.played)
    for call, found in games.items():
        earlier = [one for one in played.get(call, ()) if one.began < first]
        played[call] = (*earlier, *found)
    return TableLog(log.id, folded, number, played)


def written(seed: int) -> list[tuple[int, AnyEvent]]:
    """Return evening and event of a random log: games called once or twice, taken back, signed."""
    rng = Random(seed)
    out: list[tuple[int, AnyEvent]] = []
    for n in range(rng.randint(2, 7)):
        number = 1 + (n > 4)
        offset = len(out)
        for _, event in evening(rng.choice(NOSES), rng.randrange(10_000), rng.randint(2, 14)).book.kept:
            made = event
            if isinstance(made, Started):
                call = rng.choice(("", call_of(EVENT, rng.randint(1, 3), "k")))
                made = msgspec.structs.replace(made, call=call)
            elif hasattr(made, "of"):
                made = msgspec.structs.replace(made, of=made.of + offset)
            out.append((number, made))
        out.append((number, Finished(by="host", at=1)))
        for _ in range(rng.randint(0, 4)):
            what = rng.choice((Undone, Redone, SignedOff))
            out.append((number, what(by="host", at=2, of=rng.randint(1, len(out)))))
        if rng.random() < 0.3:
            out.append((number, ZeroTested(by="host", at=3, lines=("nose.1", "nose.2"), off_ns=(5,), u_ns=9)))
    return out


@pytest.mark.parametrize("seed", range(25))
def test_games_are_the_same_as_when_all_of_the_evening_is_looked_through_again(seed: int) -> None:
    """After each row that is taken, and what is refused by one way is refused by the other."""
    fast, slow = TableLog("t"), TableLog("t")
    taken = 0
    for seq, (number, event) in enumerate(written(seed), 1):
        try:
            slow = slow_and_obvious(slow, seq, number, event)
        except CompanionError:
            with pytest.raises(CompanionError):
                fast.plus(EVENT, seq, number, event)
            continue
        fast = fast.plus(EVENT, seq, number, event)
        taken += 1
        assert slow.played == fast.played, (seq, event)
    assert taken > 5


def test_a_row_at_the_end_of_an_evening_looks_at_its_newest_game_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Forty games, of which the forty-first takes as many looks as the second."""
    looks: list[str] = []
    monkeypatch.setattr(
        "lastnose.companion.event.table_log.entry_of",
        lambda event, call: looks.append(call) or entry_of(event, call),
    )
    log, seq, by_game = TableLog("t"), 0, []
    for game in range(1, 42):
        looks.clear()
        for event in judged_game(("A", "B", "C"), call_of(EVENT, game, "k"), seq):
            seq += 1
            log = log.plus(EVENT, seq, 1, event)
        by_game.append(len(looks))
    assert by_game[1] == by_game[-1]
    assert 41 == len(log.played)
