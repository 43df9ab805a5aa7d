"""The list of what people did and what was judged, played into matches. Pure.

A match is a stretch of the list between two changes of who sits where. Whatever changes the list plays all of
that game behind it again; what does not fit any more is said with its rule, and nothing has changed. What is
kept of a match but its entries is what they come to: none of it is ever the truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import msgspec
from lastnose.companion.core.errors import BadInput, CompanionError, IllegalMove, NotNow
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.evening.authors import author
from lastnose.companion.evening.people import placed
from lastnose.companion.evening.state import Entry, Evening, Match, Seating, effective_move
from lastnose.companion.games.rules.carried import Sat

STRICT = 1 << 30  # no match so far behind that what does not fit there would be passed over


def begun(seating: Entry, match: Match) -> Match:
    """Return the game of *match* before anything was done, with those who sit there by *seating*."""
    held = seating.seating
    assert held is not None
    players, lines = held.players, held.lines
    started = msgspec.structs.replace(match.started, players=players, lines=lines)
    game = match.game
    state = game.new(players, game.read_options(started.options))
    if started.teams:
        state = game.in_teams(state, started.teams)
    special = {-1: seating} if seating.corrections else {}
    return Match(
        seq=match.seq,
        started=started,
        states=(state,),
        special=special,
        number=match.number,
        circle=held.circle,
        seating=seating,
        changed=match.changed,
    )


def gone_on(matches: list[Match], entry: Entry) -> Match:
    """Return the match that begins with *entry*, by which others sit there; raise what the game raises."""
    before, seating = matches[-1], entry.seating
    assert seating is not None
    if len(seating.lines) != len(seating.players):
        raise BadInput(
            english("A game has as many lines as players: an empty one for a player without a nose.")
        )
    if before.now.outcome is not None:
        raise NotNow(text("The game is over: start another, or undo."))
    sat = tuple(_last_sat(matches, person) for person in seating.circle)
    return Match(
        seq=seating.seq,
        started=msgspec.structs.replace(
            before.started,
            by=entry.by,
            at=entry.at,
            players=seating.players,
            lines=seating.lines,
            rearm_ns=seating.rearm_ns,
        ),
        states=(before.game.gone_on(before.state, seating.players, sat),),
        number=before.number,
        rounds_before=before.rounds,
        circle_before=before.started.players,
        circle=seating.circle,
        seating=entry,
        changed=before.changed,
    )


def _last_sat(matches: list[Match], person: int) -> Sat | None:
    """Return where *person* sat last in the newest game of *matches*."""
    for match in reversed(matches):
        if match.number != matches[-1].number:
            return None
        if person in match.circle:
            return Sat(match.state, match.circle.index(person) + 1, match is matches[-1])
    return None


class Player:
    """Plays a list of entries on, from where *matches* stand. *people* are those of the evening.

    What does not fit in the match with index *passing* or a later one is passed over and says so; before it
    the refusal is raised. *meant* is the log number of the entry that was changed: it is refused in the
    game's own words, and what follows it as what was played afterwards.
    """

    def __init__(
        self,
        matches: Iterable[Match],
        people: tuple[str, ...],
        passing: int = STRICT,
        meant: int = 0,
    ) -> None:
        self.matches = list(matches)
        self._people = people
        self._passing = passing
        self._meant = meant
        self._circles: dict[int, tuple[int, ...]] = {}
        number = self.matches[-1].number
        for match in self.matches:
            if match.number == number:
                self._circles[match.seq] = match.circle
                for entry in match.special.values():
                    self._know(entry)

    def _know(self, entry: Entry) -> None:
        if (seating := entry.seating) is not None:
            self._circles[seating.seq] = seating.circle

    def play(self, entries: Iterable[Entry]) -> None:
        """Play *entries* on; raise a CompanionError for the first that does not fit."""
        rest = iter(entries)
        while (seated := self._stretch(rest)) is not None:
            self.matches.append(seated)

    def _stretch(self, rest: Iterator[Entry]) -> Match | None:
        """Take the newest match on, until the next begins; return that, None when there is none."""
        match = self.matches[-1]
        states, made, special = [*match.states], [*match.entries], dict(match.special)
        state, after, wrote = states[-1], None, set(match.writers)
        for written in rest:
            entry = msgspec.structs.replace(written.written, place=len(made), unfit=None)
            if entry.seated is not None:
                self._know(entry)
            try:
                entry = placed(entry, match, self._circles, self._people)
                move = effective_move(entry, match)
                if move is not None and not (entry.move is not None and match.game.moot(state, move)):
                    state = match.game.play(state, move)
                if entry.parts:
                    so_far = msgspec.structs.replace(match, states=(*states,), entries=(*made,))
                    after = gone_on([*self.matches[:-1], so_far], entry)
            except CompanionError as problem:
                entry = passed_over(entry, self._refused(written, problem))
            if after is not None:
                entry, after = _as_sat_down(entry, after)
            if _is_special(entry):
                special[entry.place] = entry
            states.append(state)
            made.append(entry)
            wrote.update(_writers((entry,)))
            if after is not None:
                break
        self.matches[-1] = msgspec.structs.replace(
            match, states=(*states,), entries=(*made,), special=special, writers=frozenset(wrote)
        )
        return after

    def _refused(self, entry: Entry, problem: CompanionError) -> Text:
        """Return why *entry* is passed over; raise *problem* where it is not."""
        if entry.written.idle:  # who is not there takes nothing from it
            return problem.text
        passing = len(self.matches) - 1 >= self._passing or entry.unfit is not None
        if passing and entry.seq != self._meant:
            return problem.text
        if entry.seq == self._meant:
            raise problem
        why = text("That does not fit what was played afterwards: {why}", why=_where(entry, problem.text))
        if isinstance(problem, IllegalMove):
            raise IllegalMove(problem.rule, why) from problem
        raise NotNow(why) from problem


def passed_over(entry: Entry, why: Text) -> Entry:
    """Return *entry* as it is told when it does not count, for *why*: its people may not be here."""
    return msgspec.structs.replace(
        entry,
        origin=entry.written,
        unfit=why,
        verdict=None if entry.verdict is None else Verdict(void=why),
        contest=None,
        protest=None,
        seats=(),
        corrections=(),
    )


def _where(entry: Entry, why: Text) -> Text:
    return text("Round {n}: {why}", n=entry.number, why=why) if entry.number else why


def _as_sat_down(entry: Entry, after: Match) -> tuple[Entry, Match]:
    """Return *entry* knowing with what people sat down, and whether it is something else by now."""
    stands, seated = after.now.standings, entry.seated
    assert seated is not None
    if not seated.stood:
        first = entry.written
        seated = msgspec.structs.replace(seated, stood=stands)
        entry = msgspec.structs.replace(first, seated=seated)
    else:
        entry = msgspec.structs.replace(entry, otherwise=stands != seated.stood)
    return entry, msgspec.structs.replace(after, seating=entry)


def _is_special(entry: Entry) -> bool:
    return (
        entry.ends
        or entry.seated is not None
        or entry.unfit is not None
        or entry.origin is not None
        or bool(entry.corrections)
        or not entry.stands
        or (entry.contest, entry.protest) != (None, None)
    )


def _writers(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the authors of what stands of *entries*."""
    for entry in entries:
        if entry.stands and entry.listed:
            yield author(entry.by)
            yield from (author(one.by) for one in entry.corrections if one.stands)


def put(evening: Evening, index: int, entry: Entry, passing: int = STRICT) -> Evening:
    """Return *evening* with *entry*, of match *index*, as it is now, and everything behind played again.

    Raises a CompanionError, and nothing has changed, for what does not fit any more; from match *passing* on
    that is passed over.
    """
    game, entry = evening.game_at(index), entry.written
    made = _played_with(evening, index, entry, passing)
    former = evening.matches[index].entries[entry.place].written if entry.place >= 0 else entry
    if (former.stands, former.corrections) != (entry.stands, entry.corrections):
        mine = made[index - game.start]
        made[index - game.start] = msgspec.structs.replace(mine, writers=frozenset(_writers(mine.entries)))
    return _with_game(evening, game, made)


def check(evening: Evening, index: int, entry: Entry) -> None:
    """Raise a CompanionError if *entry*, of match *index*, could not be put as it is now."""
    _played_with(evening, index, entry.written, STRICT)


def _played_with(evening: Evening, index: int, entry: Entry, passing: int) -> list[Match]:
    """Return the matches of the game of match *index* with *entry* as it is now."""
    game, match = evening.game_at(index), evening.matches[index]
    behind: Iterable[Entry] = chain.from_iterable(
        one.entries for one in evening.matches[index + 1 : game.stop]
    )
    if entry.place < 0:
        kept: tuple[Match, ...] = ()
        cut = begun(entry, match)
        behind = chain(match.entries, behind)
    else:
        kept, place = evening.matches[game.start : index], entry.place
        special = {at: one for at, one in match.special.items() if at < place}
        cut = msgspec.structs.replace(
            match, states=match.states[: place + 1], entries=match.entries[:place], special=special
        )
        behind = chain((entry,), match.entries[place + 1 :], behind)
    player = Player((*kept, cut), evening.people, passing - game.start, entry.seq)
    player.play(behind)
    return player.matches


def began_again(evening: Evening, index: int, match: Match) -> Evening:
    """Return *evening* with the game of match *index* begun as *match* has it, and all of it played again."""
    game = evening.game_at(index)
    player = Player((match,), evening.people)
    player.play(chain.from_iterable(evening.matches[at].entries for at in game))
    return _with_game(evening, game, player.matches)


def called(evening: Evening, person: int, name: str) -> Evening:
    """Return *evening* with *name* for *person* wherever they sat, and all of that played again."""
    index = 0
    while index < len(evening.matches):
        game, first = evening.game_at(index), evening.matches[index]
        if first.seating is not None and any(person in evening.matches[at].circle for at in game):
            entries = chain.from_iterable(evening.matches[at].entries for at in game)
            player = Player((begun(_named(first.seating, person, name), first),), evening.people)
            player.play(_named(entry, person, name) for entry in entries)
            evening = _with_game(evening, game, player.matches)
        index = evening.game_at(index).stop
    return evening


def _named(entry: Entry, person: int, name: str) -> Entry:
    """Return *entry* with *name* for *person*, if it says who sat where."""
    if entry.seated is None:
        return entry
    corrections = tuple(
        msgspec.structs.replace(one, seated=_with_name(one.seated, person, name)) for one in entry.corrections
    )
    seated = _with_name(entry.seated, person, name)
    return msgspec.structs.replace(entry, seated=seated, corrections=corrections)


def _with_name(seating: Seating | None, person: int, name: str) -> Seating | None:
    if seating is None or person not in seating.circle:
        return seating
    pairs = zip(seating.circle, seating.players, strict=True)
    players = tuple(name if who == person else known for who, known in pairs)
    return msgspec.structs.replace(seating, players=players)


def _with_game(evening: Evening, game: range, made: Sequence[Match]) -> Evening:
    """Return *evening* with the matches *made* in the place of *game*."""
    before, after = evening.matches[game.stop - 1], made[-1]
    newest = game.stop == len(evening.matches)  # only that can be signed off again
    if not newest:
        after = msgspec.structs.replace(after, signed_by=before.signed_by)
    elif before.seq == after.seq:
        after = signed_as(before, after)
        if before.circle == after.circle:
            was = before.state if before.was is None and before.state != after.state else before.was
            after = msgspec.structs.replace(after, was=was)
    matches = (*evening.matches[: game.start], *made[:-1], after, *evening.matches[game.stop :])
    evening = msgspec.structs.replace(evening, matches=matches)
    if newest and (before.seq, before.circle) != (after.seq, after.circle):
        return msgspec.structs.replace(evening, open_round=0)
    return evening


def signed_as(before: Match, match: Match) -> Match:
    """Return *match* with the signature of *before* only if that is for the same result."""
    signed = before.signed_by
    if signed and not (match.finished and _result(before) == _result(match)):
        signed = ""
    return match if match.signed_by == signed else msgspec.structs.replace(match, signed_by=signed)


def _result(match: Match) -> tuple[Any, ...]:
    """Return who has won or lost, and the points of everybody."""
    outcome = match.now.outcome
    ends = None if outcome is None else (outcome.winners, outcome.losers)
    return ends, *(one.score for one in match.now.standings)
