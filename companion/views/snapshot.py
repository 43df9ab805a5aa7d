"""What screens show at one moment, as immutable values; the page's JSON has the same shapes. Pure."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

import msgspec
from lastnose.companion.core.model import Question, Rack
from lastnose.companion.core.ports import Lamp, Signal
from lastnose.companion.core.text import Text, text
from lastnose.companion.games import Advice
from lastnose.companion.games.rules.game import Guide
from lastnose.companion.games.rules.prompts import (
    Choose,
    ChooseCard,
    ChooseSeat,
    CloseQuestion,
    EndGame,
    FormPrompt,
    RulesQuery,
    Show,
)
from lastnose.companion.games.rules.sheet import Sheet
from lastnose.companion.views.lobby import LobbyView


class PlayerRow(msgspec.Struct, frozen=True):
    """A player as shown. `new` marks a letter that landed with the last verdict; `notes` say more.

    `place` is theirs by points, shared by equals, 0 where the game counts none.
    `phantom`: in the round under way the player has touched without a spoon. `early`: the nose has just been
    touched while nothing counts. `locked`: in the question that is open its touches do not count (yet).
    `aside`: the next round, or the one under way, is played without this seat.
    """

    seat: int
    player: str
    letters: tuple[str, ...]
    word: tuple[str, ...]
    out: bool
    score: int | None
    place: int = 0
    new: bool = False
    dealer: bool = False
    winner: bool = False
    loser: bool = False
    held: bool = False
    pressed: bool = False
    phantom: bool = False
    early: bool = False
    locked: bool = False
    aside: bool = False
    line: str = ""
    notes: tuple[Text, ...] = ()


class Duty(msgspec.Struct, frozen=True):
    """What people settle before cards go round, in the place of the green button: a phone that nobody hears.

    Also, once somebody has pressed and it is asked who was first, a phone whose word is waited for (F33).

    `line` is the nose of `player` in `seat`; `says` names it. `use` is a button: that nose is played on this
    page; None where it is none of a phone. `without` is one, too: the next round is dealt without that seat;
    None where nobody can be missing.
    """

    seat: int
    player: str
    line: str
    says: Text
    use: Text | None
    without: Text | None


class Due(msgspec.Struct, frozen=True):
    """The one thing that people do next: what the green button is, or what stands in its place.

    `kind` is "settle" (a silent phone), "decide" (about a round), "lay" (spoons back), "free" (noses),
    "answer" (a question of the game) or "play"; `says` it.
    """

    kind: Literal["settle", "decide", "lay", "free", "answer", "play"]
    says: Text


PhoneState = Literal["awake", "asleep", "silent", "missing"]


class SeatPhone(msgspec.Struct, frozen=True):
    """A phone that is the nose of `line`: awake, asleep (hidden or closed) or silent (not heard of any more).

    `rtt_ns` is its slowest recent way there and back. `shared`: it is a page on which several touch theirs.
    `page` is the id that the page has given itself; `u_ns` what a touch on it may be off by against another
    phone's touch, which adds its own, `wire_u_ns` against a wire, 0 where there is none. Beside wires a
    nose is "missing" that has no phone, nor a page on which it could be touched. `tested`: what it and the
    other nose of its zero test were sure to before that test, and after it; None when it has made none.
    `lost`: it fell silent in the round under way, before every nose on it was touched, and that round cannot
    count; a shared page is told of that until the round ends, also when it is awake again.
    `untested`, of a phone that was tested: noses of this game that any page may touch, for whose sake the
    usual ± counts all the same, and `untied` those of tested phones that no test joins to this one, nor any
    chain of tests. `phone` is what the phone calls itself, on whichever page: "" when it does not.
    `refused_ns` is how late its last test with a wire found it, where that cannot be. `clock_u_ns` is what
    its clock may be off by; `late`: where it is asked who was first it has said nothing for 300 ms, and its
    word is waited for; and `sure_ns`, in whole milliseconds, what its touch is sure to against that of
    the phone that is least sure, or alone against a wire's, or one just like it; 0 while that is not known.
    """

    line: str
    state: PhoneState
    rtt_ns: int = 0
    shared: bool = False
    page: str = ""
    u_ns: int = 0
    wire_u_ns: int = 0
    tested: tuple[int, int] | None = None
    lost: bool = False
    untested: tuple[str, ...] = ()
    untied: tuple[str, ...] = ()
    phone: str = ""
    refused_ns: int | None = None
    clock_u_ns: int = 0
    sure_ns: int = 0
    late: bool = False


class Mark(msgspec.Struct, frozen=True):
    """A seat's press in the photo finish; `t_ns` counts from the opener: the first press or lift.

    `u_ns` is what the stamp may be off by, `t_u_ns` what `t_ns` may, with the opener's stamp and the pace of
    the clock. `after_ns` is how long it came after the mark before, known to `after_u_ns`.
    """

    seat: int
    player: str
    t_ns: int
    u_ns: int
    last: bool
    t_u_ns: int | None = None
    after_ns: int | None = None
    after_u_ns: int | None = None


class Aside(msgspec.Struct, frozen=True):
    """What else the photo finish shows of a rack, on the axis of its marks.

    `kind` is "lift", "feint" (a spoon back at once; both have a `cradle`) or "phantom" (a touch of `player`
    without a spoon).
    """

    kind: str
    t_ns: int
    u_ns: int
    cradle: int = 0
    seat: int = 0
    player: str = ""


WITHDRAWN = text("Withdrawn: again!")  # the sentence of a verdict that did not stand


HOW_SURE = text("How sure is it?")


class Share(msgspec.Struct, frozen=True):
    """A line of a `Budget`: `kind` is "stamp", "skew", "contact", "button", "clock", "rate" or "page" (of a
    page: what browser and screen add). `name` and `how` (what it consists of) are for people; `u_ns` its
    share of the ±, `shown` the same for people, rounded so that the lines still add up.
    """

    kind: str
    name: Text
    how: Text
    u_ns: int
    shown: Text


class Budget(msgspec.Struct, frozen=True):
    """What the ± of a verdict is made of: `shares` add up to `u_ns`, which is the `u_ns` of the finish.

    `shown` is `u_ns` for people, as exact as the shares are. `says` weighs the margin against it in a
    sentence. `notes` are sentences about what is not in it; `zero` is what the zero test says of it.
    """

    u_ns: int
    shares: tuple[Share, ...]
    shown: Text
    says: Text = HOW_SURE
    notes: tuple[Text, ...] = ()
    zero: Text | None = None


Closeness = Literal["clear", "close", "too-close"]


class PhotoFinish(msgspec.Struct, frozen=True):
    """The photo finish of a judged round. `missing` names watched seats that were last, and have not pressed.

    `margin_ns` ± `u_ns` holds the margin whatever the evidence may mean; it is None while the last seat has
    not touched, and then the margin is `at_least_ns`. With a rack the presses are confirmations, and `asides`
    what does not decide. `budget` says what `u_ns` is made of, None where there is no `u_ns`. `closeness` is
    how the margin is called, None where it is not known; `in_short` is the margin so, or the least of it.
    `first`: who is marked as last was the first, where that was asked; then the margin is to the second.
    `unseen` are those whom people named although no press of theirs was seen.
    `opener` surely opened, as the round counts, `rival` is whom the margin is to; None where nobody can know.
    """

    marks: tuple[Mark, ...]
    missing: tuple[tuple[int, str], ...]
    margin_ns: int | None
    u_ns: int | None
    dead_heat: bool
    asides: tuple[Aside, ...] = ()
    budget: Budget | None = None
    at_least_ns: int | None = None
    closeness: Closeness | None = None
    in_short: Text | None = None
    first: bool = False
    opener: str | None = None
    rival: str | None = None
    unseen: tuple[tuple[int, str], ...] = ()

    @property
    def named(self) -> tuple[tuple[int, str], ...]:
        """Who was last, or first where that was asked: seat and player, also who has not pressed."""
        return (*((mark.seat, mark.player) for mark in self.marks if mark.last), *self.missing)


class ZeroView(msgspec.Struct, frozen=True):
    """A zero test: by how much `lines[1]` came after `lines[0]` each time, and what that was sure to.

    `missed`: how often one was heard alone. `of`: how often is enough. `at`: wall time in s when it was kept,
    0 while it is going on. `says` is for people: what came of it, or what is to be done now; `claim` is what
    it has made of the ± of its phones. `by_hand`: one is a phone, and two fingers touch both.
    """

    lines: tuple[str, str]
    off_ns: tuple[int, ...]
    u_ns: int
    missed: int
    of: int
    at: float = 0.0
    says: Text | None = None
    claim: Text | None = None
    by_hand: bool = False


class Cradle(msgspec.Struct, frozen=True):
    """A place on the rack: its number and line, whether it is in use still, and whether its spoon is gone."""

    number: int
    line: str
    used: bool
    lifted: bool


class RoundView(msgspec.Struct, frozen=True):
    """A round or a move of the evening as history shows it. `seq` is its log number, `at` wall time in s.

    `game` counts the games of the evening, `title` is its name. A `step` is one of several that belong
    together. `judged` is a round that the box judged, and has a tape; else `by` says who made the entry.
    `contested`: evidence that came later says otherwise, and the table has not decided yet. `protested`:
    somebody has protested it; `undecided`: it is contested or protested, and waits for the host's word.
    `winners` have won the game with it. `held` is the log number of the correction that holds, 0 for none.
    `players` sat there then, by seat, and `seated` is the log number by which they sat down. `typed` is the
    move that wrote points down, as it holds now, None for what did not: with others in it it is corrected.
    `question` is what a judged round asked.
    """

    seq: int
    number: int
    game: int
    at: float
    headline: Text
    proof: tuple[Text, ...]
    finish: PhotoFinish | None
    void: bool
    amended: bool
    undone: bool
    title: Text | None = None
    step: bool = False
    judged: bool = True
    by: Text | None = None
    contested: bool = False
    protested: bool = False
    undecided: bool = False
    winners: tuple[str, ...] = ()
    held: int = 0
    players: tuple[str, ...] = ()
    seated: int = 0
    typed: dict[str, Any] | None = None
    question: Question = "last"


class Step(msgspec.Struct, frozen=True):
    """Something the table can decide on: the log number it concerns and what it says."""

    seq: int
    says: Text


class HallView(msgspec.Struct, frozen=True):
    """What a table in a hall shows of it.

    `number` is the table's, `title` the round that it was called for with `call`, `players` who was called;
    `here` are the seats that have touched their nose since; `settles`: they are too few for the game, and
    settle it by hand. `stuck` says which of its games get no result by themselves, what the hall cannot
    take, and who has left the event; `says` is the organiser's word to all. `link` says what is wrong with
    the link, or with this table's clock, None when the hall has everything. `signs` is the log number of a
    game whose result waits to be signed off by the table's host, 0 when none does; `begun` that of the newest
    game for `call`, 0 before it has begun, and `match` the same while it is the table's newest game at all.
    `typed` is the call of a game that nobody signs off any more: its result was typed in the hall.
    """

    number: int
    title: Text | None = None
    call: str = ""
    players: tuple[str, ...] = ()
    here: tuple[int, ...] = ()
    says: str = ""
    link: Text | None = None
    signs: int = 0
    begun: int = 0
    match: int = 0
    settles: bool = False
    stuck: tuple[Text, ...] = ()
    typed: str = ""


class TieBreak(msgspec.Struct, frozen=True):
    """What those who share a place may play then: the game, they and their noses, and what it is called.

    `lines` is empty where they have played without noses: the first of the table are theirs.
    """

    game: str
    players: tuple[str, ...]
    lines: tuple[str, ...]
    says: Text


class RoundSaid(msgspec.Struct, frozen=True):
    """What was said of a round: its phase ("verdict", "dead-heat", "void"), its sentence and its proof."""

    phase: str
    headline: Text
    proof: tuple[Text, ...]


class Clock(msgspec.Struct, frozen=True):
    """What is left of the time to buzz, or to answer, in whole seconds begun: by the table's own clock.

    `left_s` counts down from `of_s`; 0: the time is over. `says` is for people. That of a "prompt" stands
    beside it, and nowhere else.
    """

    kind: Literal["buzz", "answer", "prompt"]
    left_s: int
    of_s: int
    says: Text


STAGES = {
    "deal": text("Deal"),
    "on": text("Noses on"),
    "running": text("Running"),
    "verdict": text("Verdict"),
}
_STAGE_OF = {"ready": "deal", "blocked": "deal", "armed": "on", "judging": "running"}
_STAGE_OF |= dict.fromkeys(("verdict", "dead-heat", "void", "won"), "verdict")


class Snapshot(msgspec.Struct, frozen=True):
    """Everything that screens show at one moment.

    `phase` is one of: "setup" (no game), "blocked" (a nose is held), "ready" (not armed), "armed",
    "judging" (a nose is down), "verdict", "dead-heat", "void", "won"; "playing" in a game that watches no
    noses (`watched` is false): no round is armed or judged there.
    `stage` is what every screen shows of that in one word, and follows from it: "deal" (nothing counts),
    "on" (noses count), "running" (a nose is down), "verdict"; "" where no nose is watched.
    `stage_says` is that word for people, as every screen writes it and the voice says it.
    `last` are the seats that the verdict has given a letter, or else names as last; `first` who was first.
    `seq` is the log number it rests on (0 before the first event); `version` grows with every snapshot.
    `headline` is the sentence in the largest type, `proof` the lines under it. `game_no` counts the games of
    the evening, `round_no` the rounds of the game.
    `rearms_in_ns` is the re-arm delay when the table arms itself, None when it waits for the host.
    `binding` is the player whose nose is waited for in set-up, `bindings` the lines bound so far.
    `guide` is what people do from here to the next verdict, `last_round` what was said of the one before,
    while another is armed, or that somebody came or went; `told` is the same by its old name, which goes
    with version 0.3.
    `dealt`: somebody has said that everybody has cards; from now on pages show noses, no longer the deal.
    `dealing`: people still deal, although noses count already, for the table has armed itself.
    `early` says who has touched a nose while nothing counts, None when nobody has. As long as there is a
    `duty` nobody can say that cards are dealt. `due` is what is done next, None while noses count, a question
    is open that only the table answers, or the game is over.
    `acts` name a seat; `steps` is a screen of its own, in order: what to show and what to choose.
    `hushed`: a signal comes at a time that chance has drawn; until then no lamp is on.
    `ruling` is asked about whoever was first just now, by large keys beside the verdict; `ruled` is what was
    said then ("right", "wrong", …) as long as that is what screens speak of.
    `ties` are the duels that are offered to those who have won together, or share a place behind.
    `closing` ends what noses are open for.
    `clock` is what runs down while a question is open, or somebody answers. `ending` ends the game, with its
    ranking, between two questions.
    `ready` are the words of the button that lets noses count, None where none do; `stage_word` is what the
    state "deal" is called where no cards are dealt.
    `contest` is a round that is contested or protested, for the host to keep or void.
    `undo` and `redo` are the host's, `undos` and `redos` each author's; "box" is for who wrote nothing yet.
    `entries` are filled in on any phone: the pad of whose turn it is, points, tokens.
    `rules_queries` are what anybody can ask the rules.
    `sheet` is the score sheet of a game that keeps one.
    `touched`: noses are touched in it, or docks; not where the rack alone is watched.
    `voidable`: the round under way, or the newest one, can be taken out of the count.
    `protestable`: the log number of the verdict that can be protested just now, 0 when there is none.
    `comings`: somebody may join or leave now, and what the game does then; None when nobody can.
    `waits`: no round can be armed before the table has answered one of them.
    `rack` has the cradles of a game that is played with one.
    `emblem` is the game's picture, the path of an SVG in a 24 by 24 box; `options` are those of the game.
    `all_on_phones`: every nose is somebody's own phone, so nothing is simulated.
    `on_phones` says what phones mean for who is first, wherever one chooses them; nothing where that is not
    asked.
    `question` is what the round asks: until the verdict of a "first" no row and no lamp tells seats apart.
    `lamps` are those of the seats; `signals` are to be heard once by whoever comes to see `signalled` (the
    version that brought them) grow.
    `phones` are the phones that are noses, and pages that have fallen silent.
    `zero` is the zero test that is going on, else the last one of this evening, None when none was made.
    `hall` is what a table in a hall shows of that, None at a table alone.
    `lobby` is who is at the table, also before the first game and between two.
    `faults` are sentences about devices and the disk, to be shown until they are over.
    """

    version: int
    seq: int
    evening: int
    phase: str
    simulated: bool
    headline: Text
    proof: tuple[Text, ...]
    game: str = ""
    title: Text | None = None
    game_no: int = 0
    round_no: int = 0
    rows: tuple[PlayerRow, ...] = ()
    finish: PhotoFinish | None = None
    advice: Advice | None = None
    notes: tuple[Text, ...] = ()
    guide: Guide | None = None
    last_round: RoundSaid | None = None
    told: RoundSaid | None = None
    early: Text | None = None
    duty: Duty | None = None
    due: Due | None = None
    dealt: bool = False
    dealing: bool = False
    acts: tuple[ChooseSeat, ...] = ()
    steps: tuple[Show | Choose | ChooseCard, ...] = ()
    ruling: Choose | None = None
    ruled: str = ""
    closing: CloseQuestion | None = None
    ending: EndGame | None = None
    clock: Clock | None = None
    ready: Text | None = None
    stage_word: Text | None = None
    ties: tuple[TieBreak, ...] = ()
    hushed: bool = False
    entries: tuple[FormPrompt, ...] = ()
    rules_queries: tuple[RulesQuery, ...] = ()
    sheet: Sheet | None = None
    watched: bool = True
    comings: Text | None = None
    waits: bool = False
    voidable: bool = False
    protestable: int = 0
    touched: bool = True
    rack: tuple[Cradle, ...] = ()
    emblem: str = ""
    on_phones: tuple[Text, ...] = ()
    all_on_phones: bool = False
    options: dict[str, Any] = {}
    lamps: tuple[Lamp, ...] = ()
    signals: tuple[Signal, ...] = ()
    question: Question = "last"
    signalled: int = 0
    contest: Step | None = None
    undo: Step | None = None
    redo: Step | None = None
    undos: dict[str, Step] = {}
    redos: dict[str, Step] = {}
    rearms_in_ns: int | None = None
    binding: int | None = None
    bindings: dict[int, str] = {}
    phones: tuple[SeatPhone, ...] = ()
    zero: ZeroView | None = None
    hall: HallView | None = None
    lobby: LobbyView = LobbyView()
    faults: tuple[Text, ...] = ()
    stage: str = ""
    stage_says: Text | None = None
    last: tuple[int, ...] = ()
    first: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Let stage, its word, whose the noses are and who was last follow from the rest."""
        stage = _STAGE_OF.get(self.phase, "") if self.watched else ""
        own = self.stage_word if stage == "deal" else None
        phones = {one.line for one in self.phones if not one.shared}
        of_phones = bool(phones and self.rows) and phones.issuperset(row.line for row in self.rows)
        decided, finish = self.phase in ("verdict", "won"), self.finish
        named = tuple(dict(finish.named)) if decided and finish is not None else ()
        fresh = tuple(row.seat for row in self.rows if row.new) if decided else ()
        follows = dict[str, object](stage=stage, stage_says=own or STAGES.get(stage), all_on_phones=of_phones)
        if finish is not None and finish.first:
            follows |= {"first": named, "last": ()}
        else:
            follows |= {"first": (), "last": fresh or named}
        for field, value in follows.items():
            msgspec.structs.force_setattr(self, field, value)


class Live(msgspec.Struct, frozen=True):
    """What the log does not hold: the state of the round in progress and of the devices.

    `down` are the lines held now, `pressed` the seats that have pressed in this round, `blocked` who holds up
    the arming, `asked` whether somebody (or the start of the game) asked for it rather than the clock.
    `dealt`: somebody has said since the last verdict that everybody has cards.
    `question` is that of the round: where it is the first, `pressed` stays empty until the verdict.
    `stirred`: an edge has come that may be the press it asks for; lamps are out until that is known. `opened`
    as well then: its own source says that it was a press, and others have yet to promise.
    With a `rack` in the round, `lifted` are the cradles that are empty, `pressed` the seats that have
    confirmed a spoon and `phantoms` those that touched without one. `early` are the seats that were touched
    just now while nothing counts, `locked` those whose touches do not count in the open question, `aside`
    those without which the next round is dealt. `zero` is the zero test going on. `closes_ns` is when the
    time to press is over of the round that is armed, 0: never; `clock` is what is shown of that, or of the
    time to answer, or of a prompt. `recalled`: "Stop!" was said for a press that did not count, and the
    question goes on. `unlisted`: it does after a wrong answer, and nothing is known of who had pressed.
    """

    version: int = 0
    evening: int = 1
    simulated: bool = False
    armed: bool = False
    opened: bool = False
    asked: bool = False
    dealt: bool = False
    blocked: tuple[int, ...] = ()
    blocked_lines: tuple[str, ...] = ()
    down: frozenset[str] = frozenset()
    pressed: frozenset[int] = frozenset()
    rack: Rack | None = None
    question: Question = "last"
    stirred: bool = False
    recalled: bool = False
    unlisted: bool = False
    lifted: frozenset[int] = frozenset()
    phantoms: frozenset[int] = frozenset()
    early: frozenset[int] = frozenset()
    locked: frozenset[int] = frozenset()
    aside: frozenset[int] = frozenset()
    closes_ns: int = 0
    clock: Clock | None = None
    rearm_ns: int | None = None
    binding: int | None = None
    bindings: dict[int, str] = {}
    phones: tuple[SeatPhone, ...] = ()
    zero: ZeroView | None = None
    hall: HallView | None = None
    lobby: LobbyView = LobbyView()
    faults: tuple[Text, ...] = ()


class LiveChanges(TypedDict, total=False):
    """Some fields of `Live`, with what they change to."""

    evening: int
    armed: bool
    opened: bool
    asked: bool
    dealt: bool
    blocked: tuple[int, ...]
    blocked_lines: tuple[str, ...]
    down: frozenset[str]
    pressed: frozenset[int]
    rack: Rack | None
    question: Question
    stirred: bool
    recalled: bool
    unlisted: bool
    lifted: frozenset[int]
    phantoms: frozenset[int]
    early: frozenset[int]
    locked: frozenset[int]
    aside: frozenset[int]
    closes_ns: int
    clock: Clock | None
    rearm_ns: int | None
    binding: int | None
    bindings: dict[int, str]
    phones: tuple[SeatPhone, ...]
    zero: ZeroView | None
    hall: HallView | None
    lobby: LobbyView
    faults: tuple[Text, ...]
