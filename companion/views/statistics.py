"""An evening in, its figures out: who was last how often, how fast, and how closely they got away. Pure.

What counts is what the table agreed on: corrected rounds as corrected, nothing that is void or taken back.
Every time says with `u_ns` what it may be wrong by; times come from stamps that the box itself could judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
from lastnose.companion.core.csv_file import as_csv
from lastnose.companion.core.model import Lift, Press, Verdict, length_u_ns
from lastnose.companion.core.names import alike
from lastnose.companion.core.text import Text
from lastnose.companion.evening.state import Entry, Evening, Match, is_void
from lastnose.companion.games import Standing
from lastnose.companion.timing.judge import uncertainty_ns
from lastnose.companion.views.sentences import as_it_counts

ESCAPES = 3
CLOSEST = 5


class Reaction(msgspec.Struct, frozen=True):
    """A press `after_ns` after the round with log number `seq` opened: by a press, or by a lift of the rack.

    `u_ns` is `w` of the two stamps: what the gap between them may be wrong by (law 4).
    """

    seq: int
    after_ns: int
    u_ns: int


class Close(msgspec.Struct, frozen=True):
    """A clear verdict, to be found by its log number `seq`: `rival` was `margin_ns` earlier than `last`.

    `u_ns` is the verdict's own. `game` counts the games of the evening, `number` the rounds of that game.
    """

    seq: int
    game: int
    number: int
    rival: str
    last: str
    margin_ns: int
    u_ns: int


class PlayerFigures(msgspec.Struct, frozen=True):
    """What a player did in all games of the evening.

    `games` are all that they sat in, `won` those that they won, alone or with others. `rounds` are those that
    were armed for them: who is in again by a correction has not played those before it. `lost` are those in
    which they counted as last. `asked` are those that asked who was first, `firsts` those in which they were,
    or their team, and `false_starts` those in which they were too early. `dead_heats` are those in which they
    could not be told from another. `letters` and `openings` as they stand after corrections. `reactions` are
    in the order of play; `best` is the shortest. `median_u_ns` is how far the median may be from the true
    one. `escapes` are the closest rounds that somebody else was last in, the closest first.
    """

    player: str
    games: int = 0
    won: int = 0
    rounds: int = 0
    lost: int = 0
    asked: int = 0
    firsts: int = 0
    false_starts: int = 0
    dead_heats: int = 0
    letters: int = 0
    openings: int = 0
    reactions: tuple[Reaction, ...] = ()
    best: Reaction | None = None
    median_ns: int | None = None
    median_u_ns: int | None = None
    escapes: tuple[Close, ...] = ()


class GameFigures(msgspec.Struct, frozen=True):
    """A game of the evening: its log number, its rounds that count, and how it ended, if it has."""

    seq: int
    number: int
    game: str
    title: Text
    players: tuple[str, ...]
    rounds: int
    dead_heats: int
    finished: bool
    winners: tuple[str, ...]
    losers: tuple[str, ...]


class Figures(msgspec.Struct, frozen=True):
    """The figures of some `evenings`, `closest` first.

    Players are those who have played a round that counts, or a game without noses, in the order in which they
    first sat down. In an evening they are its persons, however they were called; who has the same name in
    another one is the same player, and is called as in the newest.
    """

    rounds: int
    dead_heats: int
    games: tuple[GameFigures, ...]
    players: tuple[PlayerFigures, ...]
    closest: tuple[Close, ...]
    evenings: int = 1


class PlayerGlance(msgspec.Struct, frozen=True):
    """Of a player's figures what stands beside a game.

    `after_us` are all reactions, in steps of 100 µs, the shortest first.
    """

    player: str
    rounds: int
    lost: int
    asked: int
    firsts: int
    after_us: tuple[int, ...]
    best: Reaction | None
    median_ns: int | None
    median_u_ns: int | None


class Glance(msgspec.Struct, frozen=True):
    """The figures of an evening as they stand beside a game: for a page that shows no more."""

    rounds: int
    dead_heats: int
    players: tuple[PlayerGlance, ...]
    closest: Close | None


class _Part(msgspec.Struct, frozen=True):
    """A match of game number `game`, counted on over the evenings, and what its `players` are called now."""

    match: Match
    game: int
    players: tuple[str, ...]

    def player(self, seat: int) -> str:
        """Return who sits in *seat*."""
        return self.players[seat - 1]

    def names(self, seats: Sequence[int]) -> frozenset[str]:
        """Return who sits in *seats*."""
        return frozenset(map(self.player, seats))

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won."""
        outcome = self.match.now.outcome
        return tuple(map(self.player, outcome.winners)) if outcome else ()

    @property
    def losers(self) -> tuple[str, ...]:
        """Who was last of all."""
        outcome = self.match.now.outcome
        return tuple(map(self.player, outcome.losers)) if outcome else ()


class _Round(msgspec.Struct, frozen=True):
    """A round of `part` that counts: who played, how it came out, and what its presses tell.

    `result` is the verdict as the table counts it, `last` who counted as last (nobody when it is played
    again), `presses` empty where the box itself could not judge.
    """

    part: _Part
    entry: Entry
    seats: tuple[int, ...]
    result: Verdict
    last: tuple[int, ...]

    def names(self, seats: Sequence[int]) -> frozenset[str]:
        """Return who sat in *seats*."""
        return self.part.names(seats)

    @property
    def early(self) -> tuple[Press, ...]:
        """The false starts, one a seat: who presses on in a lock has begun too early once."""
        judged = self.entry.verdict
        return tuple({one.seat: one for one in judged.early}.values()) if judged is not None else ()


def figures(evening: Evening) -> Figures:
    """Return the figures of *evening* as it stands now."""
    return figures_over((evening,))


def figures_over(evenings: Sequence[Evening]) -> Figures:
    """Return the figures of all *evenings* together, their games counted on."""
    parts = tuple(_parts(evenings))
    rounds = tuple(found for part in parts for found in _rounds_of(part))
    closes = sorted((one for found in rounds if (one := _close(found))), key=lambda one: one.margin_ns)
    played = _played(parts, rounds)
    names = dict.fromkeys(name for part in parts for name in part.players)
    return Figures(
        rounds=len(rounds),
        dead_heats=sum(1 for found in rounds if found.result.dead_heat),
        games=tuple(_game(part, rounds) for part in parts if not part.match.parting),
        players=tuple(_player(name, parts, rounds, closes) for name in names if name in played),
        closest=tuple(closes[:CLOSEST]),
        evenings=len(evenings),
    )


def at_a_glance(found: Figures) -> Glance:
    """Return of the figures *found* what stands beside a game."""
    return Glance(
        rounds=found.rounds,
        dead_heats=found.dead_heats,
        players=tuple(
            PlayerGlance(
                player=one.player,
                rounds=one.rounds,
                lost=one.lost,
                asked=one.asked,
                firsts=one.firsts,
                after_us=tuple(sorted(round(each.after_ns, -5) // 1000 for each in one.reactions)),
                best=one.best,
                median_ns=one.median_ns,
                median_u_ns=one.median_u_ns,
            )
            for one in found.players
        ),
        closest=found.closest[0] if found.closest else None,
    )


def _played(parts: Sequence[_Part], rounds: Sequence[_Round]) -> set[str]:
    """Return who has played: a round that counts, a game without noses, or one that they have won."""
    sheets = [part for part in parts if not part.match.game.watched and _written(part.match)]
    names = {name for part in sheets for name in part.players}
    return names.union(*(found.names(found.seats) for found in rounds), *(part.winners for part in parts))


def _written(match: Match) -> bool:
    return any(entry.stands and entry.move is not None for entry in match.entries)


def _parts(evenings: Sequence[Evening]) -> Iterator[_Part]:
    """Yield every match of the *evenings*, its players as the newest evening calls them."""
    called = {alike(name): name for evening in evenings for name in evening.people}
    before = 0
    for evening in evenings:
        people = [called[alike(name)] for name in evening.people]
        for match in evening.matches:
            players = tuple(people[person - 1] for person in match.circle)
            yield _Part(match, before + match.number, players)
        before += evening.match.number if evening.match is not None else 0


# What counts.


def _rounds_of(part: _Part) -> Iterator[_Round]:
    """Yield the rounds of *part* that count."""
    match = part.match
    for at, entry in enumerate(match.entries):
        result, state = _result(match, at) if _counts(entry) else (Verdict(), at)
        if not result.named and not result.nobody:
            continue
        before = match.moment(at).standings
        replayed = result.dead_heat and before == match.moment(state).standings
        yield _Round(
            part=part,
            entry=entry,
            seats=_sat(entry, before, result),
            result=result,
            last=() if replayed else result.last,
        )


def _sat(entry: Entry, before: Sequence[Standing], result: Verdict) -> tuple[int, ...]:
    """Return who sat in the round *entry*: whom it was armed for, or who was in *before* it."""
    armed = entry.seats or tuple(standing.seat for standing in before if not standing.out)
    return tuple(sorted({*armed, *result.named}))


def _counts(entry: Entry) -> bool:
    """Return whether *entry* is a judged round that stands and is not void."""
    return entry.verdict is not None and entry.listed and entry.stands and not is_void(entry)


def _result(match: Match, at: int) -> tuple[Verdict, int]:
    """Return how the table counts round *at*, and the number of the game's state that knows it.

    Moves made after it may have changed it (a slap without a shout). Nobody was last while the table has not
    said who.
    """
    entry = match.entries[at]
    ends = next(
        (n for n in range(at + 1, len(match.entries)) if _counts(match.entries[n])), len(match.entries)
    )
    later = [match.moment(place).revised for place in range(at + 1, ends + 1)]
    again = next((found for found in reversed(later) if found is not None), None)
    if again is not None:
        return again, at + 1 + later.index(again)
    result = as_it_counts(entry, match) or Verdict()
    judged = entry.verdict is not None and entry.verdict.void is None
    return (result if judged else msgspec.structs.replace(result, presses=())), at + 1


# What the presses tell.


def _close(found: _Round) -> Close | None:
    """Return how close a round was, None when nobody knows or it was too close to call."""
    result = found.result
    if (
        result.margin_ns is None
        or result.u_ns is None
        or result.dead_heat
        or result.rival is None
        or not result.last
    ):
        return None
    return Close(
        seq=found.entry.seq,
        game=found.part.game,
        number=found.entry.number,
        rival=found.part.player(result.rival),
        last=found.part.player(result.last[0]),
        margin_ns=result.margin_ns,
        u_ns=result.margin_u_ns or 0,
    )


def _reaction(found: _Round, player: str) -> Reaction | None:
    """Return how long after the opening *player* pressed; None for the opener, and who is not in the order.

    None for everybody when nobody can tell who opened (law 4).

    With a rack the opening is the first lift, and a press the confirmation of a spoon.
    """
    _, *others = found.result.order or (0,)
    opener = found.result.opener
    if opener is None:
        return None
    by_seat: dict[int, Press] = {press.seat: press for press in found.result.presses}
    first = by_seat.get(opener)
    mine = next((by_seat.get(seat) for seat in others if found.part.player(seat) == player), None)
    if first is None or mine is None or mine.t_ns < first.t_ns:
        return None
    judged = found.entry.verdict
    lifts = judged.lifts if judged is not None else ()
    marks: list[Press | Lift] = [first, *lifts]
    opening = min(marks, key=lambda mark: mark.t_ns)
    after_ns = mine.t_ns - opening.t_ns
    steered = bool(opening.clock_u_ns or mine.clock_u_ns)
    u_ns = length_u_ns(after_ns, uncertainty_ns(opening, mine), steered=steered)
    return Reaction(found.entry.seq, after_ns, u_ns)


def median(values: Sequence[int]) -> int:
    """Return the median of *values*, at least one, rounded down.

    >>> median([30, 10, 20]), median([10, 21])
    (20, 15)
    """
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) // 2


def median_u_ns(reactions: Sequence[Reaction]) -> int:
    """Return how far the median of *reactions* may be from the true one, each within its own `u_ns`.

    The median grows with each of its values, so the true one lies between those of all ends.

    >>> median_u_ns([Reaction(1, 100, 5), Reaction(2, 200, 50), Reaction(3, 230, 5)])
    50
    >>> median_u_ns([Reaction(1, 100, 5), Reaction(2, 200, 50), Reaction(3, 110, 5)])
    5
    """
    middle = median([one.after_ns for one in reactions])
    ends: tuple[Callable[[Reaction], int], ...] = (
        lambda one: one.after_ns - one.u_ns,
        lambda one: one.after_ns + one.u_ns,
    )
    return max(abs(median([end(one) for one in reactions]) - middle) for end in ends)


# Put together.


def _game(part: _Part, rounds: Sequence[_Round]) -> GameFigures:
    match = part.match
    mine = [found for found in rounds if found.part.game == part.game]
    return GameFigures(
        seq=match.seq,
        number=part.game,
        game=match.started.game,
        title=match.game.title,
        players=part.players,
        rounds=len(mine),
        dead_heats=sum(1 for found in mine if found.result.dead_heat),
        finished=match.finished,
        winners=part.winners,
        losers=part.losers,
    )


def _letters(player: str, parts: Sequence[_Part]) -> Iterator[int]:
    """Yield how many letters *player* got in each game that they sat in, without those brought along."""
    for part in parts:
        for standing in part.match.now.standings:
            if part.player(standing.seat) == player:
                brought = part.match.moment(0).standings[standing.seat - 1]
                yield len(standing.letters) - len(brought.letters)


def _player(
    player: str, parts: Sequence[_Part], rounds: Sequence[_Round], closes: Sequence[Close]
) -> PlayerFigures:
    reactions = tuple(one for found in rounds if (one := _reaction(found, player)))
    times = [one.after_ns for one in reactions]
    mine = [found for found in rounds if player in found.names(found.seats)]
    return PlayerFigures(
        player=player,
        games=len({part.game for part in parts if player in part.players}),
        won=sum(1 for part in parts if player in part.winners),
        rounds=len(mine),
        lost=sum(1 for found in rounds if player in found.names(found.last)),
        asked=sum(1 for found in mine if found.entry.question == "first"),
        firsts=sum(
            1 for found in mine if not found.result.dead_heat and player in found.names(found.result.first)
        ),
        false_starts=sum(player in found.names((press.seat,)) for found in mine for press in found.early),
        dead_heats=sum(
            1 for found in rounds if found.result.dead_heat and player in found.names(found.result.named)
        ),
        letters=sum(_letters(player, parts)),
        openings=sum(
            1 for found in rounds if found.result.opener and player in found.names((found.result.opener,))
        ),
        reactions=reactions,
        best=min(reactions, key=lambda one: one.after_ns, default=None),
        median_ns=median(times) if times else None,
        median_u_ns=median_u_ns(reactions) if times else None,
        escapes=tuple(one for one in closes if one.rival == player)[:ESCAPES],
    )


# ---- for spreadsheets: a line a player, in English


HEAD = (
    "player",
    "games",
    "won",
    "rounds",
    "was_last",
    "share_last",
    "asked_first",
    "was_first",
    "false_starts",
    "letters",
    "opened",
    "dead_heats",
    "median_ns",
    "median_u_ns",
    "best_ns",
    "best_u_ns",
)


def to_csv(figures: Figures) -> str:
    """Return *figures* as CSV, by how often players were last of their rounds; who played none comes last."""
    players = sorted(figures.players, key=_share)
    return as_csv([HEAD, *map(_row, players)])


def _share(one: PlayerFigures) -> float:
    """Return what orders players: how often they were last, negative; 1 for who was in no round like that."""
    raced = one.rounds - one.asked
    return -one.lost / raced if raced else 1


def _row(one: PlayerFigures) -> tuple[str | int | float, ...]:
    best = one.best
    return (
        one.player,
        one.games,
        one.won,
        one.rounds,
        one.lost,
        round(one.lost / raced, 4) if (raced := one.rounds - one.asked) else "",
        one.asked,
        one.firsts,
        one.false_starts,
        one.letters,
        one.openings,
        one.dead_heats,
        "" if one.median_ns is None else one.median_ns,
        "" if one.median_u_ns is None else one.median_u_ns,
        "" if best is None else best.after_ns,
        "" if best is None else best.u_ns,
    )
