"""What there is to say about a round: the sentence in large type and the lines of proof under it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from lastnose.companion.core.model import Rack, Verdict
from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.core.units import at_least, everyday, measured
from lastnose.companion.evening.state import Entry, LodgedProtest, Match, corrected, effective_move
from lastnose.companion.games.rules.base import Moment
from lastnose.companion.games.rules.prompts import Choice, is_ruling
from lastnose.companion.views.phones import too_close
from lastnose.companion.views.snapshot import HOW_SURE, WITHDRAWN, Budget, Closeness, Live, PhotoFinish

# ---- a margin weighed against its ±, in one sentence for people, and the lines of a budget for paper

MOST_TIMES = 1_000
CLEAR_TIMES = 5
WORTH_SAYING_NS = 100_000_000  # of a margin of which only the least is known


def closeness(margin_ns: int, u_ns: int, *, dead_heat: bool = False) -> Closeness:
    """Return how a margin is called, from the exact figures: where the ± stands in the open on every screen.

    >>> closeness(101_135, 20_227), closeness(101_134, 20_227), closeness(7, 20, dead_heat=True)
    ('clear', 'close', 'too-close')
    """
    if dead_heat:
        return "too-close"
    return "clear" if margin_ns >= CLEAR_TIMES * u_ns else "close"


def in_short(margin_ns: int, u_ns: int, near: Closeness) -> Text:
    """Return a margin as a picture shows it: in everyday words where it was clear, else with its ±.

    >>> str(in_short(412_000_000, 61_000_000, "clear")), str(in_short(8_000_000, 2_100_000, "close"))
    ('0.4 s: clear', '8.0 ms ± 2.1 ms')
    """
    if near == "clear":
        return text("{margin}: clear", margin=everyday(margin_ns))
    time, sure = measured(margin_ns, u_ns)
    return Text("{margin} ± {sure}", {"margin": time, "sure": sure})


def least_in_short(at_least_ns: int | None) -> Text | None:
    """Return a margin of which only the least is known, as a picture shows it; None where that says nothing.

    >>> str(least_in_short(290_000_000)), least_in_short(99_000_000), least_in_short(None)
    ('At least 0.2 s', None, None)
    """
    if at_least_ns is None or at_least_ns < WORTH_SAYING_NS:
        return None
    return _no_less(at_least_ns)


def _no_less(at_least_ns: int) -> Text:
    return text("At least {margin}", margin=at_least(at_least_ns))


def doubt_text(finish: PhotoFinish) -> Text:
    """Return how the margin of *finish* compares with what it may be wrong by.

    >>> from lastnose.companion.views.snapshot import Mark
    >>> marks = (Mark(1, "North", 0, 10_000, False), Mark(2, "Zoë", 412_000, 10_000, True))
    >>> str(doubt_text(PhotoFinish(marks, (), 412_000, 20_200, False)))
    'Zoë was last, by at least 20 times the uncertainty.'
    """
    last = [player for _, player in finish.named]
    if finish.margin_ns is None or not finish.u_ns:
        if len(finish.missing) == 1:
            return text("Everybody else was there; {player} was not yet.", player=last[-1])
        return HOW_SURE
    if finish.dead_heat:
        return _not_told_apart(finish.margin_ns, finish.u_ns)
    times = finish.margin_ns // finish.u_ns
    if len(last) != 1 or times < 1:
        return HOW_SURE
    named = (
        text("{player} was first", player=last[0])
        if finish.first
        else text("{player} was last", player=last[0])
    )
    return texts(
        "{named}, by more than the uncertainty.",
        "{named}, by at least {n} times the uncertainty.",
        n=min(times, MOST_TIMES),
        named=named,
    )


def _not_told_apart(margin_ns: int, u_ns: int) -> Text:
    time, sure = measured(margin_ns, u_ns)
    return text("Too close to tell: {margin} apart, and sure only to ± {sure}.", margin=time, sure=sure)


def budget_lines(budget: Budget) -> tuple[Text, ...]:
    """Return *budget* for a terminal or a file: the sum, a line a share, then what is not in it."""
    shares = (
        text(
            "{what}: {says}",
            what=share.name,
            says=Text("{shown} ({how})", {"shown": share.shown, "how": share.how}),
        )
        for share in budget.shares
    )
    return (text("Uncertainty: ± {sure}", sure=budget.shown), *shares, *budget.notes)


# ---- a match and its entries


def names(match: Match, seats: tuple[int, ...]) -> Text | str:
    """Return the players of *seats* as a list in a sentence."""
    return listing(tuple(match.player(seat) for seat in seats))


def counted(entry: Entry, match: Match) -> Verdict | None:
    """Return the verdict of *entry* as it stands, None when it is none or was corrected to something else."""
    if entry.correction is None or entry.seated is not None:
        return entry.verdict
    move = corrected(entry, entry.correction, match)
    return move if isinstance(move, Verdict) else None


def as_it_counts(entry: Entry, match: Match) -> Verdict | None:
    """Return the verdict of *entry* as it stands; None when it was corrected not to count.

    A correction may be a move instead, which says what the round should have been: then its seat was last,
    and there was no race.
    """
    verdict, seat = counted(entry, match), (entry.correction or {}).get("seat")
    if verdict is None and isinstance(seat, int) and entry.question == "last":
        return Verdict(last=(seat,))
    return verdict if verdict is None or entry.correction is None else _by_teams(verdict, match, entry)


def _by_teams(verdict: Verdict, match: Match, entry: Entry) -> Verdict:
    """Return *verdict* with the whole team of who was first, as the box names it, where teams play."""
    standings = match.moment(entry.place).standings
    sides = {one.side for one in standings if one.seat in verdict.first} - {None}
    first = tuple(one.seat for one in standings if one.seat in verdict.first or one.side in sides)
    return msgspec.structs.replace(verdict, first=first, dead_heat=verdict.dead_heat and len(sides) != 1)


def correction_said(match: Match, entry: Entry) -> Text:
    """Return what the correction of *entry* is called."""
    if entry.seated is not None:
        return text("the correction of who sat where")
    what = text("Round {n}", n=entry.number) if entry.number else headline(match, entry)
    return text("the correction: {what}", what=what)


OVERDUE = Choice("time", text("Time!"), text("Whoever was first has not answered in time."))


def ruling_of(match: Match, entry: Entry | None) -> Choice | None:
    """Return what the table says in *entry* of whoever was first, None when it is something else."""
    if entry is None or entry.move is None or not entry.stands or entry.unfit is not None:
        return None
    move = entry.correction or entry.move
    if "value" not in move:
        return None
    asked = [ask for ask in match.moment(entry.place).asks if is_ruling(ask) and ask.move == move.get("type")]
    if any(ask.overdue == move["value"] for ask in asked):
        return OVERDUE
    return next((one for ask in asked for one in ask.choices if one.value == move["value"]), None)


def is_moot(match: Match, entry: Entry) -> bool:
    """Return whether *entry*, a move, does not count any more, or rules on a round that does not."""
    if entry.move is None or entry.correction is not None or entry.unfit is not None:
        return entry.move is not None and entry.idle
    return match.game.moot(match.states[entry.place], match.game.read_move(entry.move))


def judged_again(match: Match, entry: Entry) -> Verdict | None:
    """Return the round before *entry* as this move of the table has it, None when it does not touch it."""
    if entry.move is None or not entry.stands:
        return None
    index = entry.place
    before, after = (match.moment(place).revised for place in (index, index + 1))
    return None if after == before else after


def _why_again(match: Match, entry: Entry) -> list[Text]:
    """Return what all moves up to *entry* say that had its round judged again, in order."""
    first = _round_of(match, entry)
    since = [match.entries[place] for place in range(first + 1, entry.place + 1)]
    said = [_said(match, one) for one in since if judged_again(match, one) is not None]
    return [one for one in said if one is not None]


def _round_of(match: Match, entry: Entry) -> int:
    """Return the place of the round that *entry* had judged again."""
    before = range(entry.place - 1, -1, -1)
    return next(n for n in before if isinstance(effective_move(match.entries[n], match), Verdict))


def around(match: Match, entry: Entry) -> tuple[Moment, Moment]:
    """Return the moments before *entry*, or the round that it had judged again, and after it."""
    first = entry.place if judged_again(match, entry) is None else _round_of(match, entry)
    return match.moment(first), match.moment(entry.place + 1)


NO_MORE = text("This does not count any more.")


def headline(match: Match, entry: Entry) -> Text:
    """Return the sentence of *entry*, as it stands now."""
    if entry.unfit is not None:
        return NO_MORE
    if entry.seated is not None:
        before = match.started.players if entry.place >= 0 else ()
        return circle_change(before, (entry.seating or entry.seated).players)
    if entry.ends:
        return text("The game was ended here.")
    verdict = counted(entry, match)
    if verdict is None:
        return _move_headline(match, entry)
    if entry.withdrawn is not None and verdict.void is not None and entry.correction is None:
        return WITHDRAWN
    if verdict.void is not None:
        return text("This round does not count.")
    return _of(match, entry, verdict)


def _of(match: Match, entry: Entry, move: Any) -> Text:
    """Return what the game says of *move*, which *entry* is or brought about."""
    before, after = around(match, entry)
    if entry.correction is not None and isinstance(move, Verdict) and not move.named and not after.waits:
        return text("Nobody was first") if entry.question == "first" else text("Nobody was last")
    return after.headline(before, move, match.started.players)


def circle_change(before: Sequence[str], after: Sequence[str]) -> Text:
    """Return who comes and who goes between two rounds.

    >>> str(circle_change(("Ana", "Björn", "Ines"), ("Ana", "Ines", "Zoë")))
    'Zoë comes. Björn goes.'
    """
    come = [name for name in after if name not in before]
    go = [name for name in before if name not in after]
    comes = texts("{players} comes.", "{players} come.", n=len(come), players=listing(come))
    goes = texts("{players} goes.", "{players} go.", n=len(go), players=listing(go))
    if come and go:
        return Text("{comes} {goes}", {"comes": comes, "goes": goes})
    return comes if come else goes if go else text("The same people, in other seats.")


def newcomers(match: Match) -> tuple[Text, ...]:
    """Return with which letters those begin who have just come, nothing where they have none."""
    new = [one for one in match.now.standings if match.player(one.seat) not in match.circle_before]
    if not new or not new[0].letters:
        return ()
    who, letters = listing([match.player(one.seat) for one in new]), "".join(new[0].letters)
    return (text("{what}: {says}", what=who, says=letters),)


def spoken(match: Match, entry: Entry) -> Text:
    """Return the sentence for the screens: of a move that had a round judged again, how that came out."""
    again = judged_again(match, entry)
    return headline(match, entry) if again is None else _of(match, entry, again)


def _move_headline(match: Match, entry: Entry) -> Text:
    move, again = _move(match, entry), judged_again(match, entry)
    if move is None:
        return text("This round does not count.") if entry.move is None else NO_MORE
    return _said(match, entry) or _of(match, entry, move if again is None else again)


def _move(match: Match, entry: Entry) -> Any:
    """Return the move that *entry* is, or was before it was taken back."""
    if entry.stands or not entry.move:
        return effective_move(entry, match)
    return match.game.read_move(entry.move)


def _said(match: Match, entry: Entry) -> Text | None:
    """Return what the game itself says of a move of the table."""
    move, before, after = _move(match, entry), match.moment(entry.place), match.moment(entry.place + 1)
    return None if move is None else after.said(before, move)


def proof(match: Match, entry: Entry) -> tuple[Text, ...]:
    """Return the lines under the sentence: how close it was, who opened, what follows."""
    if entry.unfit is not None:
        return (entry.unfit,) if entry.stands else (text("Taken back."), entry.unfit)
    if entry.seated is not None:
        return _seating_lines(entry)
    lines: list[Text] = []
    verdict = counted(entry, match)
    again = judged_again(match, entry)
    if again is not None:
        lines += _why_again(match, entry)
    if entry.correction is not None:
        lines += _correction_lines(match, entry)
    elif verdict is not None and verdict.void is not None:
        lines.append(verdict.void)
        if entry.withdrawn is not None:
            lines.append(_named_before(match, entry.withdrawn))
    if entry.protest is not None:
        lines += _protested(match, entry, entry.protest)
    if entry.contest is not None and (entry.protest is None or entry.protest.verdict != entry.contest):
        lines.append(_contested(match, entry, entry.contest))
    if entry.kept and entry.correction is None:
        lines += _kept_lines(entry)
    if verdict is not None and verdict.void is None:
        lines += [*_margin_lines(match, entry, verdict), *_opener_lines(match, verdict)]
    if verdict is not None and entry.correction is None:
        lines += _asides(match, entry, verdict)
    ruling = ruling_of(match, entry)
    explained = ruling.explain if ruling is not None else None
    if explained is not None and explained not in spoken(match, entry).params.values():
        lines.append(explained)
    if entry.stands:
        lines += _consequences(match, entry, again or verdict)
    else:
        lines.append(text("Taken back."))
    return tuple(lines)


def _seating_lines(entry: Entry) -> tuple[Text, ...]:
    """Return what became of a change of seats since."""
    if not entry.stands:
        return (text("Taken back."),)
    if entry.held is not None:
        return (text("Corrected at the table."),)
    if entry.otherwise:
        return (
            text("What came before was corrected since: it counts otherwise now than when they sat down."),
        )
    return ()


def _opener_lines(match: Match, verdict: Verdict) -> list[Text]:
    """Return who opened, or that nobody can tell; nothing where that was the question."""
    if verdict.first:
        return []
    seat = verdict.opener
    if seat is None:
        return [text("Nobody can tell who opened.")] if len(verdict.presses) > 1 else []
    opener = match.player(seat)
    if verdict.lifts:
        return [text("{player} was the first to have one.", player=opener)]
    return [text("{player} opened.", player=opener)]


def _correction_lines(match: Match, entry: Entry) -> list[Text]:
    correction = entry.correction or {}
    reason = str(correction.get("reason", ""))
    lines = [Text("{reason}", {"reason": reason})] if reason else []
    lines.append(text("Corrected at the table."))
    judged = entry.verdict
    return lines if judged is None or judged.void is not None else [*lines, _named_before(match, judged)]


def _named_before(match: Match, verdict: Verdict) -> Text:
    players = text("Nobody pressed in time") if verdict.nobody else names(match, verdict.named)
    return text("The box had judged: {players}.", players=players)


def _protested(match: Match, entry: Entry, protest: LodgedProtest) -> list[Text]:
    """Return that a verdict was protested, why, and what its tape has said."""
    lines = [Text("{reason}", {"reason": protest.reason})] if protest.reason else []
    if entry.verdict is not None and protest.upholds(entry.verdict):
        return [*lines, text("After a protest the tape was judged again: it says the same.")]
    again = _whom(match, protest.verdict)
    return [*lines, text("After a protest the tape was judged again: {players}.", players=again)]


def _contested(match: Match, entry: Entry, verdict: Verdict) -> Text:
    """Return what evidence says that came when people had played on."""
    return text("Contested. With what came later: {players}.", players=_whom(match, verdict))


def _whom(match: Match, verdict: Verdict) -> Text | str:
    """Return whom *verdict*, of a round judged again, names."""
    if verdict.void is not None or not verdict.named:
        return text("nobody can tell")
    return names(match, verdict.named)


def _kept_lines(entry: Entry) -> list[Text]:
    """Return that the table has decided to keep a verdict, and why."""
    why = [Text("{reason}", {"reason": entry.kept_why})] if entry.kept_why else []
    return [text("The table kept it as it was judged."), *why]


def _margin_lines(match: Match, entry: Entry, verdict: Verdict) -> list[Text]:
    """Return how close it was, in people's words; with its ± where it was close."""
    if entry.correction is not None or verdict.u_ns is None:
        return []
    if verdict.margin_ns is None:
        return _absent(match, verdict)
    u_ns = verdict.margin_u_ns or verdict.u_ns
    if verdict.dead_heat:
        return [_not_told_apart(verdict.margin_ns, u_ns), *too_close(verdict)]
    how = _how_late(match, verdict, everyday(verdict.margin_ns))
    near = closeness(verdict.margin_ns, u_ns)
    if near == "clear":
        return [_sentence(text("{margin}: clear", margin=how))]
    exactly = _sentence(in_short(verdict.margin_ns, u_ns, near))
    if verdict.rival is None or verdict.is_widened:
        least_ns, _ = verdict.span_ns or (0, None)
        least = [_sentence(_how_late(match, verdict, _no_less(least_ns)))] if least_ns else []
        return [*least, exactly]
    return [_sentence(text("{how}: close, but sure", how=how)), exactly]


def _sentence(says: Text) -> Text:
    return Text("{says}.", {"says": says})


def behind(match: Match, entry: Entry) -> Text | None:
    """Return how close the verdict of *entry* was, for a line of a list; None where that is not known.

    Where lost edges have widened the margin it is the least that is said.
    """
    verdict = entry.verdict
    if entry.correction is not None or verdict is None or verdict.void is not None or verdict.dead_heat:
        return None
    if verdict.margin_ns is None or verdict.u_ns is None or verdict.rival is None:
        return None
    how = _how_late(match, verdict, everyday(verdict.margin_ns))
    if closeness(verdict.margin_ns, verdict.margin_u_ns or verdict.u_ns) == "clear":
        return text("{margin}: clear", margin=how)
    if verdict.is_widened:
        return least_in_short((verdict.span_ns or (None, None))[0])
    return text("{how}: close, but sure", how=how)


def _absent(match: Match, verdict: Verdict) -> list[Text]:
    """Return what is known while the last one, or whoever is second, has not touched."""
    least = least_in_short(verdict.at_least_ns)
    if verdict.first:
        return [] if least is None else [_sentence(_how_late(match, verdict, least))]
    behind = [] if least is None else [_sentence(text("{margin} after the last of the others", margin=least))]
    last = match.player(verdict.last[0])
    if verdict.lifts:
        return [text("Everybody else had one; {player} had none.", player=last), *behind]
    return [text("Everybody else was there; {player} was not yet.", player=last), *behind]


def _how_late(match: Match, verdict: Verdict, time: Text) -> Text:
    """Return by how much who was last, and behind whom if that is known; or first, and before whom."""
    rival = verdict.rival
    if verdict.first:
        if rival is None:
            return text("{margin} before the next", margin=time)
        return text("{margin} before {rival}", margin=time, rival=match.player(rival))
    if verdict.lifts and (rival is None or verdict.is_widened):
        return text("{margin} after the last one went", margin=time)
    if rival is None:
        return text("{margin} after the last of the others", margin=time)
    if verdict.lifts:
        return text("{margin} after {rival} took the last one", margin=time, rival=match.player(rival))
    return text("{margin} behind {rival}", margin=time, rival=match.player(rival))


def _asides(match: Match, entry: Entry, verdict: Verdict) -> list[Text]:
    """Return who is in no picture, and what was seen at the rack and did not count (SPN-6, SPN-7)."""
    lines = []
    if entry.left_out:
        lines.append(
            texts(
                "It went on without {players}, whose phone could not be heard.",
                "It went on without {players}, whose phones could not be heard.",
                n=len(entry.left_out),
                players=names(match, entry.left_out),
            )
        )
    if verdict.unseen and verdict.void is None:
        players = names(match, verdict.unseen)
        lines.append(text("Touched, too, and nobody knows when: {players}.", players=players))
    if not verdict.named and verdict.void is None:  # what is open, only the table knows
        phantoms = tuple(sorted({press.seat for press in verdict.phantoms}))
        touched = text("Touched, with one or without: {players}.", players=names(match, phantoms))
        return [*lines, touched] if phantoms else lines
    if verdict.feints:
        lines.append(texts("{n} feint: back at once.", "{n} feints: back at once.", n=len(verdict.feints)))
    bluffers = {press.seat for press in verdict.phantoms}
    return [*lines, _bluffed(match, bluffers)] if bluffers else lines


def _bluffed(match: Match, seats: Collection[int]) -> Text:
    players = names(match, tuple(sorted(seats)))
    return text("Touched without one, which does not count: {players}.", players=players)


def _seems_bluffed(match: Match, seats: Collection[int]) -> Text:
    """Return who touched without one by the stamps, and when the table is asked where they do not tell."""
    players = names(match, tuple(sorted(seats)))
    return text(
        "Touched without one, as it looks: {players}. Where nobody can tell, the table is asked ten seconds "
        "later.",
        players=players,
    )


def judging_rack(match: Match, rack: Rack, live: Live) -> tuple[Text, tuple[Text, ...]]:
    """Return the sentence and the lines of a round in which spoons go: who has one, who touched without.

    Once all are gone it says what their holders do now, and who has not (SPN-6).
    """
    of = len(rack.spoons)
    if rack.confirm == "rack-only":
        return text("Taken: {n} of {of}", n=len(live.lifted), of=of), ()
    bluffed = (_seems_bluffed(match, live.phantoms),) if live.phantoms else ()
    confirmed = text("Confirmed: {n} of {of}", n=len(live.pressed), of=of)
    if len(live.lifted) < of:
        return text("Taken: {n} of {of}", n=len(live.lifted), of=of), (confirmed, *bluffed)
    left = tuple(seat for seat in match.now.playing if seat not in live.pressed)
    says = (
        text("All are gone: into your docks!")
        if rack.confirm == "dock"
        else text("All are gone: touch your nose!")
    )
    missing = text("Not yet: {players}. One of them has none.", players=names(match, left))
    return says, (missing, confirmed, *bluffed)


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
        text("Not empty? Then its sensor is stuck."),
    )


def _consequences(match: Match, entry: Entry, verdict: Verdict | None) -> list[Text]:
    lines = []
    before, after = around(match, entry)
    letters, out = after.gained(before), after.newly_out(before)
    if verdict is not None and verdict.dead_heat and before.standings == after.standings and not after.waits:
        lines.append(text("The round is played again."))
    elif len(letters) > 1:
        lines.append(text("{players} get a letter each.", players=names(match, letters)))
    completed = tuple(seat for seat in out if seat in letters or len(out) > 1)
    if completed and (verdict is not None or letters):
        lines += [text("{player} is out.", player=match.player(seat)) for seat in completed]
    return lines
