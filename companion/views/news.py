"""What lamps, sounds and neighbours hear of a table: two snapshots in, the news between them out. Pure.

A neighbour is whatever listens outside: a house's lights, another program, a row of buttons. It is told what
screens show, as flat values in the table's language; a snapshot that no screen was shown is no news.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import msgspec
from lastnose.companion.core.ports import SIDES, Lamp, Light, NewsKind, NewsRow, Signal, TableNews
from lastnose.companion.core.text import Text
from lastnose.companion.views.sentences import OVERDUE
from lastnose.companion.views.snapshot import WITHDRAWN, PlayerRow, Snapshot

# In the order in which a round goes through them.
_ROUND: tuple[NewsKind, ...] = ("opened", "touched", "verdict")
_REACHED = {"armed": 1, "judging": 2, "verdict": 3, "dead-heat": 3, "void": 3, "won": 3}
_DECIDED = ("verdict", "dead-heat", "won")


def kinds(before: Snapshot, after: Snapshot) -> tuple[NewsKind, ...]:
    """Return what has happened between two snapshots, in order.

    A verdict that is shown at once is told alone, without what led to it.
    """
    same = (before.evening, before.game_no) == (after.evening, after.game_no)
    found: list[NewsKind] = []
    if after.game and after.watched:
        at, now = _reached(before) if same else (0, 0), _reached(after)
        if now > at:
            start = at[1] if now[0] == at[0] else 0
            found += _ROUND[start : now[1]] if now[1] < len(_ROUND) else ("verdict",)
        elif _withdrawn(before, after, at, now):
            found.append("withdrawn")
        elif same and _told_otherwise(before, after):
            found.append("verdict")
    was_over, is_over = same and before.phase == "won", after.phase == "won"
    changed = not same or (was_over and not is_over) or _places(before) != _places(after)
    if changed and (before.game or after.game):
        found.append("standings")
    if is_over and not was_over:
        found.append("over")
    return tuple(found)


def news(
    kind: NewsKind,
    now: Snapshot,
    *,
    at: float,
    table: str,
    say: Callable[[Text], str],
    corrected: bool = False,
) -> TableNews:
    """Return what neighbours are sent of *kind*, with *now* shown; *say* puts it into a language."""
    finish = now.finish if now.phase in _DECIDED and kind != "withdrawn" else None
    margin = None if finish is None else finish.in_short
    return TableNews(
        event_type=kind,
        id=f"{now.evening}-{now.seq}-{kind}-{round(at * 1000)}",
        at=at,
        table=table,
        evening=now.evening,
        game=now.game,
        title="" if now.title is None else say(now.title),
        game_no=now.game_no,
        round=now.round_no,
        stage=now.stage if now.watched else "sheet",
        simulated=now.simulated,
        says=say(now.headline),
        lines=tuple(map(say, now.proof)),
        question="first" if finish is not None and finish.first else now.question,
        who=() if finish is None else _who(now),
        dead_heat=finish is not None and finish.dead_heat,
        void=now.phase == "void",
        corrected=corrected,
        margin="" if margin is None else say(margin),
        margin_ns=None if finish is None else finish.margin_ns,
        at_least_ns=None if finish is None else finish.at_least_ns,
        u_ns=None if finish is None else finish.u_ns,
        winners=tuple(row.player for row in now.rows if row.winner),
        standings=tuple(map(_row, now.rows)),
    )


def _row(row: PlayerRow) -> NewsRow:
    return NewsRow(row.seat, row.player, "".join(row.letters), row.out, row.score, row.place)


def is_corrected(before: Snapshot, after: Snapshot) -> bool:
    """Return whether the verdict of *after* is another one than *before* had of the same round."""
    same = _reached(before) == _reached(after) and before.game_no == after.game_no
    return same and not answered(before, after)


def values(told: TableNews) -> dict[str, str]:
    """Return *told* as short plain values by name, for what shows a word on a button or a lamp.

    >>> from lastnose.companion.views.snapshot import WITHDRAWN, PhotoFinish, PlayerRow, Snapshot
    >>> row = PlayerRow(1, "Ana", ("P", "I"), ("P", "I", "G"), False, None)
    >>> shot = Snapshot(1, 7, 1, "armed", False, Text("Play!"), (), game="pig", round_no=3, rows=(row,))
    >>> told = values(news("opened", shot, at=0.0, table="Table 1", say=str))
    >>> told["says"], told["stage"], told["round"], told["who"], told["seat/1/player"], told["seat/1/stands"]
    ('Play!', 'on', '3', '', 'Ana', 'PI')
    """
    found = {
        "says": told.says,
        "stage": told.stage,
        "game": told.title,
        "round": str(told.round) if told.round else "",
        "who": ", ".join(told.who),
        "margin": told.margin,
        "winners": ", ".join(told.winners),
    }
    for one in told.standings:
        stands = one.letters if one.score is None else str(one.score)
        found |= {f"seat/{one.seat}/player": one.player, f"seat/{one.seat}/stands": stands}
        found[f"seat/{one.seat}/out"] = "yes" if one.out else "no"
    return found


def _reached(snapshot: Snapshot) -> tuple[int, int]:
    """Return the round that is shown, and how far it has come."""
    return snapshot.round_no, _REACHED.get(snapshot.phase, 0)


def _withdrawn(before: Snapshot, after: Snapshot, at: tuple[int, int], now: tuple[int, int]) -> bool:
    """Return whether a verdict that was shown, or another one of a round before it, is taken back."""
    decided = before.phase in _DECIDED and before.round_no > 0
    if now == at:
        return decided and after.phase == "void"
    return _rounds_decided(now) < _rounds_decided(at)


def _rounds_decided(reached: tuple[int, int]) -> int:
    return reached[0] if reached[1] == _ROUND.index("verdict") + 1 else reached[0] - 1


def _told_otherwise(before: Snapshot, after: Snapshot) -> bool:
    """Return whether the same round is now told with another name: people corrected it, or have answered."""
    if answered(before, after):
        return True
    both = before.phase in (*_DECIDED, "void") and after.phase in _DECIDED
    return both and None not in (before.finish, after.finish) and _who(before) != _who(after)


def _who(snapshot: Snapshot) -> tuple[str, ...]:
    finish = snapshot.finish
    if finish is None or snapshot.phase == "void":
        return ()
    return tuple(player for _, player in (*finish.named, *finish.unseen))


def _places(snapshot: Snapshot) -> tuple[tuple[object, ...], ...]:
    return tuple((row.player, row.letters, row.out, row.score, row.place) for row in snapshot.rows)


# ---- what lamps and sounds say: a snapshot in, a lamp a seat out; two snapshots in, signals out

TICKS = 3  # so many seconds before the end a clock is heard
_HEARD: dict[str, Signal] = {"verdict": "decided", "won": "decided", "dead-heat": "dead-heat"}


def lamps(snapshot: Snapshot) -> tuple[Lamp, ...]:
    """Return the lamp of every seat, off when out: while people deal those blink of whom something is due.

    Once noses count all are on but who is locked; those blink who are waited for, then who was last, also who
    is out with that. Where the time to press or to answer is over, or nobody has pressed, all are off.
    """
    finish, last = snapshot.finish, set[int]()
    if finish is not None and not finish.first and snapshot.phase in _HEARD:
        last = {seat for seat, _ in (*finish.named, *finish.unseen)}
    return tuple(
        Lamp(row.seat, row.line, "blink" if row.seat in last else _light(snapshot, row))
        for row in snapshot.rows
    )


def _light(snapshot: Snapshot, row: PlayerRow) -> Light:
    """Return the light of somebody who was not last just now."""
    if row.out or row.aside or row.locked or snapshot.hushed:
        return "off"
    if snapshot.question == "first" and (snapshot.phase == "judging" or _is_time(snapshot)):
        return "off"  # for all alike: until the verdict no lamp tells one seat from another
    finish = snapshot.finish
    if finish is not None and finish.first and snapshot.phase in _HEARD:
        if row.seat not in dict(finish.named):
            return "off"
        return "blink" if snapshot.ruling is not None or finish.dead_heat else "on"
    if snapshot.stage == "deal":
        return "blink" if row.seat in _owing(snapshot) else "off"
    return "blink" if snapshot.phase == "judging" and not row.pressed else "on"


def _owing(shown: Snapshot) -> set[int]:
    """Return the seats of which something is due at the table: to let go, or to wake a phone."""
    kind = None if shown.due is None else shown.due.kind
    if kind == "free":
        return {row.seat for row in shown.rows if row.held}
    return {shown.duty.seat} if kind == "settle" and shown.duty is not None else set()


def _is_time(snapshot: Snapshot) -> bool:
    """Return whether the time to press, or to answer, is over, or nobody is asked about."""
    over = snapshot.clock is not None and not snapshot.clock.left_s
    return over or (snapshot.phase == "verdict" and snapshot.finish is None and not snapshot.ruled)


def signals(before: Snapshot, after: Snapshot) -> tuple[Signal, ...]:
    """Return what *after* has to be heard of, in the order to play it; nothing when only figures changed.

    A verdict is heard once: not again when something is taken back or corrected later, nor when the history
    is read after a restart. One that waited for the table's answer is heard with that. One that is withdrawn,
    and a round that does not count, are heard as a dead heat: nobody was last, and it is played again.
    """
    withdrawn = after.headline == WITHDRAWN and before.phase in _HEARD
    if after.phase == "void" and (withdrawn or before.phase in ("armed", "judging")):
        return ("dead-heat",)
    has_answered = answered(before, after)
    if before.phase == after.phase and not has_answered:
        return _heard(before, after)
    out: tuple[Signal, ...] = ("time",) if has_answered and after.ruled == OVERDUE.value else ()
    if after.phase == "armed":
        return (*out, "armed")
    if after.phase == "judging":
        return ("opened",)
    decided = _HEARD.get(after.phase)
    if out:
        return out
    if decided is None or not (has_answered or before.phase in ("armed", "judging")):
        return ()
    if after.ruling is not None and after.ruling.side:
        return (cast(Signal, f"side-{(after.ruling.side - 1) % SIDES + 1}"),)
    if before.clock is not None and before.clock.kind == "buzz" and after.finish is None:
        return (
            ("time",) if before.clock.left_s else ()
        )  # nobody has buzzed; else it was heard when it was over
    if has_answered and after.ruled and after.phase != "won":
        return ("wrong",) if after.ruled in ("wrong", "late") else ("decided",)
    return (decided, "letter") if any(row.new for row in after.rows) else (decided,)


def _heard(before: Snapshot, after: Snapshot) -> tuple[Signal, ...]:
    """Return what is heard while a phase lasts: somebody was too early, or a clock comes to its end."""
    if after.early is not None and after.early != before.early:
        return ("too-early",)
    if _locked_out(after) - _locked_out(before):
        return ("too-early",)
    if after.clock is None or after.clock == before.clock or after.clock.left_s > TICKS:
        return ()
    return ("tick",) if after.clock.left_s else ("time",)


def _locked_out(snapshot: Snapshot) -> set[int]:
    """Return the seats that were too early for the question that is open."""
    return {row.seat for row in snapshot.rows if row.early} if snapshot.question == "first" else set()


def answered(before: Snapshot, after: Snapshot) -> bool:
    """Return whether the table has just said who was last (an empty rack does not tell)."""
    asked = before.waits and before.phase in ("verdict", "dead-heat") and not after.waits
    played = after.undo is not None and before.seq < after.seq == after.undo.seq
    return asked and played and before.headline != after.headline


def cued(before: Snapshot | None, after: Snapshot) -> Snapshot:
    """Return *after* with its lamps, and with its signals, or with those of *before* when it has none."""
    found = signals(before, after) if before is not None else ()
    heard = before if before is not None and not found else None
    return msgspec.structs.replace(
        after,
        lamps=lamps(after),
        signals=heard.signals if heard is not None else found,
        signalled=heard.signalled if heard is not None else after.version if found else 0,
    )
