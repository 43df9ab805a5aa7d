"""What there is to say about a round: the sentence in large type and the lines of proof under it. Pure."""

from __future__ import annotations

from collections.abc import Collection

from companion.games import Standing
from companion.log import Entry, Run, corrected, effective_move
from companion.model import Press, Rack, Verdict
from companion.text import Text, listing, text, texts
from companion.units import duration


def names(run: Run, seats: tuple[int, ...]) -> Text | str:
    """Return the players of *seats* as a list in a sentence."""
    return listing(tuple(run.player(seat) for seat in seats))


def counted(entry: Entry, run: Run) -> Verdict | None:
    """Return the verdict of *entry* as it stands, None when it is none or was corrected to something else."""
    if entry.correction is None:
        return entry.verdict
    move = corrected(entry, entry.correction, run)
    return move if isinstance(move, Verdict) else None


def judged_again(run: Run, entry: Entry) -> Verdict | None:
    """Return the round before *entry* as this move of the table has it, None when it does not touch it."""
    if entry.move is None or not entry.stands:
        return None
    index = run.entries.index(entry)
    before, after = (run.game.restated(state) for state in run.states[index : index + 2])
    return None if after == before else after


def _standings(run: Run, entry: Entry) -> tuple[tuple[Standing, ...], tuple[Standing, ...]]:
    """Return how things stood before *entry*, or the round that it had judged again, and after it."""
    after = first = run.entries.index(entry)
    if judged_again(run, entry) is not None:
        first = max(n for n in range(after) if isinstance(effective_move(run.entries[n], run), Verdict))
    return run.game.standings(run.states[first]), run.game.standings(run.states[after + 1])


def gained(run: Run, entry: Entry) -> tuple[int, ...]:
    """Return the seats that got a letter with *entry*."""
    before, after = _standings(run, entry)
    return tuple(b.seat for a, b in zip(before, after, strict=True) if len(b.letters) > len(a.letters))


def newly_out(run: Run, entry: Entry) -> tuple[int, ...]:
    """Return the seats that *entry* put out of the game."""
    before, after = _standings(run, entry)
    return tuple(b.seat for a, b in zip(before, after, strict=True) if b.out and not a.out)


def _letter(run: Run, entry: Entry, seat: int) -> str:
    after = _standings(run, entry)[1][seat - 1]
    return after.letters[-1]


def headline(run: Run, entry: Entry) -> Text:
    """Return the sentence of *entry*, as it stands now."""
    if entry.ends:
        return text("The game was ended here.")
    verdict = counted(entry, run)
    if verdict is None:
        return _move_headline(run, entry)
    if verdict.void is not None:
        return text("This round does not count.")
    return _who_was_last(run, entry, verdict)


def spoken(run: Run, entry: Entry) -> Text:
    """Return the sentence for the screens: of a move that had a round judged again, how that came out."""
    again = judged_again(run, entry)
    return headline(run, entry) if again is None else _who_was_last(run, entry, again)


def _who_was_last(run: Run, entry: Entry, verdict: Verdict) -> Text:
    if len(verdict.last) > 1:
        return text("Dead heat: {players}", players=names(run, verdict.last))
    if not verdict.last:
        return text("The rack is empty: who has none?")
    seat = verdict.last[0]
    if entry.stands and seat in gained(run, entry):
        return text("{player} was last: {letter}", player=run.player(seat), letter=_letter(run, entry, seat))
    if entry.stands and seat in newly_out(run, entry):
        return text("{player} was last and is out", player=run.player(seat))
    return text("{player} was last", player=run.player(seat))


def _move_headline(run: Run, entry: Entry) -> Text:
    if effective_move(entry, run) is None and entry.stands:
        return text("This round does not count.")
    said, again = _said(run, entry), judged_again(run, entry)
    if said is not None:
        return said
    if again is not None:
        return _who_was_last(run, entry, again)
    out, letters = newly_out(run, entry), gained(run, entry)
    if len(letters) == 1 and not out:
        seat = letters[0]
        return text(
            "{player} gets a letter: {letter}", player=run.player(seat), letter=_letter(run, entry, seat)
        )
    if len(out) == 1:
        return text("{player} is out", player=run.player(out[0]))
    return text("A move of the table")


def _said(run: Run, entry: Entry) -> Text | None:
    """Return what the game itself says of a move of the table."""
    index = run.entries.index(entry)
    before, after = run.states[index], run.states[index + 1]
    if entry.stands:
        return run.game.said(before, effective_move(entry, run), after)
    return run.game.said(before, run.game.read_move(entry.move or {}), after) if entry.move else None


def proof(run: Run, entry: Entry) -> tuple[Text, ...]:
    """Return the lines under the sentence: how close it was, who opened, what follows."""
    lines: list[Text] = []
    verdict = counted(entry, run)
    again = judged_again(run, entry)
    said = None if again is None else _said(run, entry)
    if said is not None:
        lines.append(said)
    if entry.correction is not None:
        lines += _correction_lines(run, entry)
    elif verdict is not None and verdict.void is not None:
        lines.append(verdict.void)
    if verdict is not None and verdict.void is None:
        lines += _margin_lines(run, entry, verdict)
    if verdict is not None and verdict.opener is not None and verdict.void is None:
        opener = run.player(verdict.opener)
        lines.append(
            text("{player} was the first to have one.", player=opener)
            if verdict.lifts
            else text("{player} opened.", player=opener)
        )
    if verdict is not None and entry.correction is None:
        lines += _asides(run, verdict)
    if entry.stands:
        lines += _consequences(run, entry, again or verdict)
    else:
        lines.append(text("Taken back."))
    return tuple(lines)


def _correction_lines(run: Run, entry: Entry) -> list[Text]:
    correction = entry.correction or {}
    reason = str(correction.get("reason", ""))
    lines = [Text("{reason}", {"reason": reason})] if reason else []
    judged = entry.verdict
    if judged is None or judged.void is not None:
        return [*lines, text("Corrected at the table.")]
    return [
        *lines,
        text("Corrected at the table. The box had judged: {players}.", players=names(run, judged.last)),
    ]


def _margin_lines(run: Run, entry: Entry, verdict: Verdict) -> list[Text]:
    if entry.correction is not None or verdict.u_ns is None:
        return []
    if verdict.lifts and not verdict.dead_heat:
        return [_last_spoon(run, verdict, verdict.u_ns)]
    if verdict.margin_ns is None:
        return [text("Everybody else was there; {player} was not yet.", player=run.player(verdict.last[0]))]
    margin, sure = duration(verdict.margin_ns), duration(verdict.u_ns)
    if verdict.dead_heat:
        return [text("{margin} apart, and sure only to ± {sure}.", margin=margin, sure=sure)]
    rival = run.player(closest_rival(verdict).seat)
    return [text("{margin} behind {rival}, sure to ± {sure}.", margin=margin, rival=rival, sure=sure)]


def _last_spoon(run: Run, verdict: Verdict, u_ns: int) -> Text:
    """Return by how much the last spoon was won."""
    last = run.player(verdict.last[0])
    if verdict.margin_ns is None:
        return text("Everybody else had one; {player} had none.", player=last)
    return text(
        "The last one went to {rival}, {margin} before {player}, sure to ± {sure}.",
        rival=run.player(closest_rival(verdict).seat),
        margin=duration(verdict.margin_ns),
        player=last,
        sure=duration(u_ns),
    )


def _asides(run: Run, verdict: Verdict) -> list[Text]:
    """Return what was seen at the rack and did not count (SPN-6, SPN-7)."""
    lines = []
    if verdict.feints:
        lines.append(texts("{n} feint: back at once.", "{n} feints: back at once.", n=len(verdict.feints)))
    bluffers = {press.seat for press in verdict.phantoms}
    return [*lines, _bluffed(run, bluffers)] if bluffers else lines


def _bluffed(run: Run, seats: Collection[int]) -> Text:
    players = names(run, tuple(sorted(seats)))
    return text("Touched without one, which does not count: {players}.", players=players)


def judging_rack(
    run: Run, rack: Rack, confirmed: frozenset[int], phantoms: frozenset[int]
) -> tuple[Text, ...]:
    """Return the lines of a round in which spoons go: who has one, and who touched without."""
    if rack.confirm == "rack-only":
        return ()
    said = text("Confirmed: {n} of {of}", n=len(confirmed), of=len(rack.spoons))
    return (said, _bluffed(run, phantoms)) if phantoms else (said,)


def missing_spoons(lines: tuple[str, ...]) -> tuple[Text, ...]:
    """Return which cradles hold up the arming and what to do about it, nothing when none does.

    >>> [str(line) for line in missing_spoons(("spoon.2",))][0]
    'Cradle 2 is empty.'
    """
    if not lines:
        return ()
    numbers = [line.rpartition(".")[2] for line in lines]
    return (
        texts(
            "Cradle {cradles} is empty.",
            "Cradles {cradles} are empty.",
            n=len(numbers),
            cradles=listing(numbers),
        ),
        text("The round is armed as soon as nothing is missing. Not empty? Then its sensor is stuck."),
    )


def _consequences(run: Run, entry: Entry, verdict: Verdict | None) -> list[Text]:
    lines = []
    letters, out = gained(run, entry), newly_out(run, entry)
    before, after = _standings(run, entry)
    if verdict is not None and verdict.dead_heat and before == after:
        lines.append(text("Nobody was last: the round is played again."))
    elif len(letters) > 1:
        lines.append(text("{players} get a letter each.", players=names(run, letters)))
    completed = tuple(seat for seat in out if seat in letters or len(out) > 1)
    if completed and (verdict is not None or letters):
        lines += [text("{player} is out.", player=run.player(seat)) for seat in completed]
    return lines


def closest_rival(verdict: Verdict) -> Press:
    """Return the press that the margin of a clear verdict is measured to.

    >>> presses = tuple(Press(seat=s, t_ns=t, u_ns=1, source="gpio") for s, t in ((1, 0), (2, 50), (3, 90)))
    >>> closest_rival(Verdict(order=(1, 2, 3), last=(3,), margin_ns=40, u_ns=2, presses=presses)).seat
    2
    """
    by_seat = {press.seat: press for press in verdict.presses}
    last = by_seat[verdict.last[0]]
    wanted = last.t_ns - (verdict.margin_ns or 0)
    others = [press for press in verdict.presses if press.seat != last.seat]
    return min(others, key=lambda press: abs(press.t_ns - wanted))
