"""Snapshots of moments worth looking at: the usual, the close, the crowded and the long-named."""

from __future__ import annotations

import random
from typing import Any

import msgspec
from lastnose.companion.core.text import text
from lastnose.companion.games import Advice, Card
from lastnose.companion.games.rules.prompts import Choice, Choose, ChooseCard, ChooseSeat, Show
from lastnose.companion.views.photo_finish import TapeEdge, called
from lastnose.companion.views.snapshot import (
    Mark,
    PhotoFinish,
    PlayerRow,
    RoundView,
    Snapshot,
    Step,
)

US, MS = 1_000, 1_000_000
WORD = ("P", "I", "G")
FIVE = ("North", "East", "South", "West", "Élodie")
CROWD = (
    *("Anne-Sophie", "Bob", "Čedomir", "Dagny", "Élodie", "Françoise", "Gaël", "Håkon", "Ines", "Jérôme"),
    *("Katarzyna", "Łukasz", "Maximiliane-Theodora", "Noémie", "Olaf", "Pénélope", "Quentin", "Rosalind"),
    *("Søren", "Thérèse", "Ulrike", "Văn", "Wenceslas", "Xavier", "Yolanda", "Zoé"),
)
TALKED = ChooseSeat(
    move="talked",
    label=text("Talked to a pig"),
    explain=text("Whoever talks to a player who is out is out at once."),
    seats=(1, 2, 4),
)
FALSE = ChooseSeat(
    move="false-opener",
    label=text("False opener"),
    explain=text("The letter goes to the one who touched without four of a kind."),
    seats=(1, 2, 3, 4),
    instead=True,
)


def rows(
    names: tuple[str, ...] = FIVE, letters: tuple[int, ...] = (1, 2, 3, 0, 3), last: int = 3
) -> tuple[PlayerRow, ...]:
    """Return a row a name with that many letters; whoever has them all is out; *last* has a new one."""
    return tuple(
        PlayerRow(
            seat=seat,
            player=name,
            letters=WORD[: letters[(seat - 1) % len(letters)]],
            word=WORD,
            out=letters[(seat - 1) % len(letters)] == len(WORD) and seat != last,
            score=None,
            new=seat == last,
            dealer=seat == 2,
            line=f"nose.{seat}",
        )
        for seat, name in enumerate(names, 1)
    )


def finish(
    *presses: tuple[int, int], names: tuple[str, ...] = FIVE, u_ns: int = 10 * US, heat: tuple[int, ...] = ()
) -> PhotoFinish:
    """Return the finish of *presses* (seat, time in ns): the last one is last unless *heat* says who."""
    lasts = heat or (presses[-1][0],)
    made = PhotoFinish(
        marks=tuple(
            Mark(seat, names[seat - 1], t_ns, u_ns, seat in lasts, t_u_ns=2 * u_ns) for seat, t_ns in presses
        ),
        missing=(),
        margin_ns=presses[-1][1] - presses[-2][1],
        u_ns=2 * u_ns,
        dead_heat=bool(heat),
    )
    return called(made)


CLOSE = Snapshot(
    version=40,
    seq=61,
    evening=1,
    phase="verdict",
    simulated=True,
    headline=text("{player} was last: {letter}", player="South", letter="G"),
    proof=(text("412 µs behind East, sure to ± 20 µs."), text("North opened."), text("South is out.")),
    game="toy",
    title=text("Pig"),
    round_no=9,
    rows=rows(),
    finish=finish((1, 0), (4, 181 * MS), (2, 245_588 * US), (3, 246 * MS)),
    advice=Advice(
        sentences=(
            text("Take 4 jacks away: 12 cards stay, A K Q."),
            text("East deals 4 cards each."),
        ),
        packs=1,
        ranks=("A", "K", "Q"),
        cards=12,
        each=4,
        dealer=2,
        remove=tuple(Card("J", suit) for suit in "SHDC"),
    ),
    notes=(text("Élodie and South may talk. Do not answer."),),
    acts=(TALKED, FALSE),
    voidable=True,
    undo=Step(61, text("Round 9: South was last: G")),
    rearms_in_ns=3_000_000_000,
)


def _with(base: Any, **changes: Any) -> Any:
    return msgspec.structs.replace(base, **changes)


HEAT = _with(
    CLOSE,
    phase="dead-heat",
    headline=text("Dead heat: East and South"),
    proof=(
        text("Too close to tell: 12 µs apart, and sure only to ± 20 µs."),
        text("The round is played again."),
    ),
    rows=rows(letters=(1, 2, 2, 0, 3), last=0),
    finish=finish((1, 0), (4, 181 * MS), (2, 245_988 * US), (3, 246 * MS), heat=(2, 3)),
)
MISSING = _with(
    CLOSE,
    proof=(text("Everybody else was there; South was not yet."), text("North opened.")),
    finish=called(
        PhotoFinish(
            marks=(
                *finish((1, 0), (4, 181 * MS), (2, 245 * MS)).marks[:2],
                Mark(2, "East", 245 * MS, 10 * US, False, t_u_ns=20 * US),
            ),
            missing=((3, "South"),),
            margin_ns=None,
            u_ns=20 * US,
            dead_heat=False,
        )
    ),
)
WIDE = _with(
    CLOSE,
    headline=text("Maximiliane-Theodora was last: P"),
    rows=rows(("North", "Maximiliane-Theodora", "South", "West"), (0, 1, 0, 0), 2),
    finish=finish(
        (1, 0),
        (3, 90 * MS),
        (4, 180 * MS),
        (2, 320 * MS),
        names=("North", "Maximiliane-Theodora", "South", "West"),
    ),
)
ARMED = _with(
    CLOSE,
    phase="armed",
    headline=text("Play!"),
    proof=(text("The first four of a kind touches the nose."), text("Before: South was last: G")),
    rows=rows(last=0),
)
FIRST = _with(
    ARMED,
    rows=rows(letters=(0,), last=0),
    finish=None,
    undo=None,
    round_no=1,
    advice=_with(CLOSE.advice, remove=(), ranks=("A", "K", "Q", "J", "10")),
    proof=(text("The first four of a kind touches the nose."),),
    notes=(),
    acts=(FALSE,),
)
JUDGING = _with(
    ARMED,
    phase="judging",
    headline=text("Noses: 2 of 4"),
    proof=(),
    rows=tuple(_with(row, held=row.seat in (1, 4), pressed=row.seat in (1, 4)) for row in rows(last=0)),
)
BLOCKED = _with(
    ARMED,
    phase="blocked",
    headline=text("Let go first: North"),
    proof=(),
)
VOID = _with(
    CLOSE,
    phase="void",
    headline=text("This round does not count."),
    proof=(text("Edges were lost between 181 ms and 240 ms: the round is played again."),),
    rows=rows(letters=(1, 2, 2, 0, 3), last=0),
    faults=(text("nose.3 keeps changing: check its button and wires."),),
)
SETUP = Snapshot(
    version=1, seq=0, evening=1, phase="setup", simulated=True, headline=text("Who plays?"), proof=()
)
WON = _with(
    CLOSE,
    phase="won",
    headline=text("North and West win!"),
    proof=(
        text("Everybody else is out."),
        text("East was last: G"),
        text("412 µs behind West, sure to ± 20 µs."),
    ),
    rows=tuple(
        _with(row, out=True, letters=WORD) if row.seat in (2, 3, 5) else _with(row, winner=True)
        for row in rows(last=0)
    ),
    advice=None,
    notes=(),
    acts=(),
)

SILENT = ChooseSeat(
    move="did-not-shout",
    label=text("Did not shout"),
    explain=text("A slap without a shout does not count: the round is judged again without it."),
    seats=(1, 3, 4),
    prompt=text("Can be said until the next round is judged."),
)
DECK = tuple(
    Card(rank, suit) for rank in ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5") for suit in "SHDC"
)
ASKED = _with(
    CLOSE,
    headline=text("Maximiliane-Theodora was last"),
    rows=tuple(
        PlayerRow(
            seat=seat,
            player=name,
            letters=(),
            word=(),
            out=False,
            score=seat,
            notes=(text("♠ 2  ♥ 0  ♦ 1  ♣ 3"),),
            line=f"nose.{seat}",
        )
        for seat, name in enumerate(("North", "Maximiliane-Theodora", "South", "West"), 1)
    ),
    waits=True,
    acts=(SILENT, FALSE),
    steps=(
        Show(
            text("Maximiliane-Theodora was last"),
            (text("Until Q♠ appears."), text("From the top"), text("♠ 2  ♥ 0  ♦ 1")),
            (*DECK[1:12], Card("Joker", "")),
        ),
        Choose(
            "turned",
            text("What was turned?"),
            None,
            (
                Choice("S", text("♠ Hammer"), text("A blow with the side of the fist. Never the knuckles.")),
                Choice("C", text("♣ Cross"), text("Fingers drawn twice across the hand, in a cross.")),
                Choice("appeared", text("The card!")),
            ),
        ),
        ChooseCard(
            "name-card", text("Name a card"), text("Not the travel card."), (*DECK, Card("Joker", ""))
        ),
    ),
)


def crowd(seed: int = 7) -> Snapshot:
    """Return a verdict of 26 players, clustered as people are, in which the last two are 700 µs apart."""
    dice = random.Random(seed)
    order = list(range(1, 27))
    dice.shuffle(order)
    times = sorted(int(dice.lognormvariate(5.3, 0.35) * MS) for _ in order)
    times = [time - times[0] for time in times]
    times[-1] = times[-2] + 700 * US
    return _with(
        CLOSE,
        headline=text("{player} was last: {letter}", player=CROWD[order[-1] - 1], letter="P"),
        proof=(text("700 µs behind {rival}, sure to ± 20 µs.", rival=CROWD[order[-2] - 1]),),
        rows=rows(CROWD, (1, 1, 2, 1, 3, 1, 1), order[-1]),
        finish=finish(*zip(order, times, strict=True), names=CROWD),
        advice=_with(CLOSE.advice, packs=2, ranks=tuple("AKQJ") + tuple(str(n) for n in range(10, 1, -1))),
        notes=(),
    )


SCENES: dict[str, Snapshot] = {
    "close": CLOSE,
    "heat": HEAT,
    "missing": MISSING,
    "wide": WIDE,
    "armed": ARMED,
    "first": FIRST,
    "judging": JUDGING,
    "blocked": BLOCKED,
    "void": VOID,
    "setup": SETUP,
    "won": WON,
    "crowd": crowd(),
    "asked": ASKED,
}


def rounds() -> tuple[RoundView, ...]:
    """Return an evening's rounds: clear, dead heat, void, corrected, taken back."""
    return tuple(
        RoundView(
            seq=10 + number,
            number=number,
            game=1,
            at=1_700_000_000.0 + 240 * number,
            headline=scene.headline,
            proof=scene.proof,
            finish=scene.finish,
            void=scene.phase == "void",
            amended=number == 4,
            undone=number == 5,
            players=tuple(row.player for row in scene.rows),
        )
        for number, scene in enumerate((CLOSE, HEAT, VOID, MISSING, WIDE, crowd()), 1)
    )


EDGES = (
    TapeEdge("levels", -1_000 * MS, "gpio"),
    TapeEdge("armed", -1_000 * MS + 5 * US),
    *(
        TapeEdge("edge", t_ns, "gpio", f"nose.{seat}", FIVE[seat - 1], level, 10 * US)
        for seat, level, t_ns in ((1, 1, 0), (1, 0, 31 * US), (1, 1, 62 * US), (4, 1, 181 * MS))
    ),
    TapeEdge("gap", 190 * MS, "gpio", until_ns=191 * MS),
    TapeEdge("edge", 245_588 * US, "gpio", "nose.2", FIVE[1], 1, 10 * US),
    TapeEdge("edge", 246 * MS, "gpio", "nose.3", FIVE[2], 1, 10 * US),
)
