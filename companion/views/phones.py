"""What is wrong with phones that are noses, in sentences: who sleeps, who is silent, what to do. Pure."""

from __future__ import annotations

from lastnose.companion.core.model import PAGE_SOURCE, Verdict
from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.evening.state import Match
from lastnose.companion.views.snapshot import Duty, Live, SeatPhone

_AWAY = {
    "missing": text("{player} has no phone yet: open My nose on one."),
    "asleep": text("{player}’s phone is asleep: wake it, or touch that nose on another page."),
    "silent": text("{player}’s phone has fallen silent: is it in the network?"),
}


def duty(match: Match, live: Live) -> Duty | None:
    """Return which phone has to be settled before cards go round, None when every nose can be heard.

    A page on which several touch theirs is no duty: any other page does as well.
    """
    if match.finished or not match.game.watched:
        return None
    if live.armed:
        return _awaited(match, live) if live.question == "first" else None
    watched = None if match.ended else match.now.noses
    if watched is None or (watched.rack is not None and watched.rack.confirm != "confirm"):
        return None
    seats = [seat for seat in watched.seats if seat not in live.aside]
    away = {one.line: one for one in live.phones if one.state == "missing" or not one.shared}
    for seat in seats:
        line = match.started.lines[seat - 1]
        phone = away.get(line)
        if phone is None or phone.state == "awake":
            continue
        player = match.player(seat)
        return Duty(
            seat=seat,
            player=player,
            line=line,
            says=_away(player, phone),
            use=None if phone.shared else text("Play {player}’s nose on this page", player=player),
            without=text("Play this round without {player}", player=player)
            if len(seats) > 2 and watched.rack is None
            else None,
        )
    return None


def _away(player: str, phone: SeatPhone) -> Text:
    return Text(_AWAY[phone.state].id, {"player": player})


def stopped(live: Live) -> bool:
    """Return whether somebody has pressed and no name is told yet: nothing tells seats apart (F32)."""
    return live.armed and live.question == "first" and (live.opened or live.stirred)


def waited_for(match: Match, live: Live) -> tuple[tuple[int, str], ...]:
    """Return the seats, with their lines, whose phones keep back who was first: they have gone quiet."""
    noses = match.now.noses
    if not stopped(live) or noses is None:
        return ()
    late = {phone.line for phone in live.phones if phone.late}
    lines = ((seat, match.started.lines[seat - 1]) for seat in noses.seats if seat not in live.aside)
    return tuple((seat, line) for seat, line in lines if line in late)


def _awaited(match: Match, live: Live) -> Duty | None:
    """Return the phone to go on without, if the question waits for one; somebody has to be left."""
    waited = waited_for(match, live)
    if not waited:
        return None
    (seat, line), player = waited[0], match.player(waited[0][0])
    noses = match.now.noses
    others = noses is not None and {*noses.seats} - live.aside - {seat}
    without = text("Play this round without {player}", player=player) if others else None
    says = texts(
        "Waiting for {players}’s phone.",
        "Waiting for the phones of {players}.",
        n=len(waited),
        players=listing(tuple(match.player(one) for one, _ in waited)),
    )
    return Duty(seat, player, line, says, None, without)


def left_out(match: Match, live: Live) -> tuple[Text, ...]:
    """Return who sits the round out that is dealt now, and what that means for the cards."""
    if not live.aside or match.finished:
        return ()
    players = listing(tuple(match.player(seat) for seat in sorted(live.aside)))
    n = len(live.aside)
    says = texts("{players} sits this round out.", "{players} sit this round out.", n=n, players=players)
    if len({*match.now.advice.ranks}) != len(match.now.playing):
        return (says,)
    aside = texts(
        "Put the four cards of one rank aside for it.", "Put the cards of {n} ranks aside for it.", n=n
    )
    return says, aside


def phone_faults(match: Match, live: Live) -> tuple[Text, ...]:
    """Return a sentence for each phone whose nose is watched and cannot be heard, one for shared pages.

    Whoever sits the round out is not missed; whose phone keeps a name back the duty says, to the host (F33).
    """
    if not live.phones or match.finished or not match.game.watched or stopped(live):
        return ()
    seats = {line: seat for seat, line in enumerate(match.started.lines, 1) if line}
    said: list[Text] = []
    shared: list[str] = []
    lost: list[str] = []
    for phone in live.phones:
        seat = seats.get(phone.line)
        if seat not in match.now.playing or seat in live.aside:
            continue
        player = match.player(seat)
        if phone.lost:
            lost.append(player)
        if phone.state in _AWAY and (phone.state == "missing" or not phone.shared):
            said.append(_away(player, phone))
        elif phone.shared and (phone.state == "silent" or not phone.lost):
            shared.append(player)
    if shared:
        says = text("The page on which {players} touched noses has fallen silent.", players=listing(shared))
        said.append(says)
    if lost:
        who = listing(lost)
        said.append(text("This round will not count: for a while nothing came from {players}.", players=who))
    return tuple(said)


def too_close(verdict: Verdict) -> tuple[Text, ...]:
    """Return what to say beside a dead heat that a phone could not decide; nothing of any other."""
    presses = {press.seat: press for press in verdict.presses}
    sources = {presses[seat].source for seat in verdict.last if seat in presses}
    phones = [source for source in sources if source.startswith(PAGE_SOURCE)]
    if len(sources) < 2 or not phones:
        return ()
    return (text("Too close for phones: wire buttons, or zero-test every phone that plays."),)
