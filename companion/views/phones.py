"""What is wrong with phones that are noses, in sentences: who sleeps, who is silent, what to do. Pure."""

from __future__ import annotations

from companion.core.model import PAGE_SOURCE, Verdict
from companion.core.text import Text, listing, text, texts
from companion.evening.state import Match
from companion.views.snapshot import SeatPhone


def phone_faults(match: Match, phones: tuple[SeatPhone, ...]) -> tuple[Text, ...]:
    """Return a sentence for each phone whose nose is watched and cannot be heard, one for shared pages."""
    if match.finished or not match.game.watched:
        return ()
    seats = {line: seat for seat, line in enumerate(match.started.lines, 1) if line}
    out = {one.seat for one in match.game.standings(match.state) if one.out}
    said: list[Text] = []
    shared: dict[tuple[bool, bool], list[str]] = {}
    for phone in phones:
        seat = seats.get(phone.line)
        if seat is None or seat in out:
            continue
        player = match.player(seat)
        if phone.state == "missing":
            said.append(text("{player} has no phone yet: open My nose on one.", player=player))
        elif phone.shared:
            shared.setdefault((phone.lost, phone.state == "silent"), []).append(player)
        elif phone.lost:
            said.append(_lost(player, phone))
        elif phone.state == "asleep":
            said.append(
                text(
                    "{player}’s phone is asleep: wake it, or touch that nose on another page.", player=player
                )
            )
        elif phone.state == "silent":
            said.append(text("{player}’s phone has fallen silent: is it in the network?", player=player))
    said += [_shared(tuple(players), *how) for how, players in sorted(shared.items())]
    return tuple(said)


def _shared(players: tuple[str, ...], lost: bool, silent: bool) -> Text:
    """Return what to say of a page on which *players* have touched noses."""
    names = listing(players)
    if not lost:
        return text("The page on which {players} touched noses has fallen silent.", players=names)
    if silent:
        return texts(
            "The page with the nose of {players} has fallen silent: this round will not count. "
            "Is it in the network?",
            "The page with the noses of {players} has fallen silent: this round will not count. "
            "Is it in the network?",
            n=len(players),
            players=names,
        )
    return texts(
        "The page with the nose of {players} was silent for a while: this round will not count.",
        "The page with the noses of {players} was silent for a while: this round will not count.",
        n=len(players),
        players=names,
    )


def _lost(player: str, phone: SeatPhone) -> Text:
    """Return what to say of a phone that was silent in the round under way."""
    if phone.state == "silent":
        return text(
            "{player}’s phone has fallen silent: this round will not count. Is it in the network?",
            player=player,
        )
    return text("{player}’s phone was silent for a while: this round will not count.", player=player)


def too_close(verdict: Verdict) -> tuple[Text, ...]:
    """Return what to say beside a dead heat that a phone could not decide; nothing of any other."""
    presses = {press.seat: press for press in verdict.presses}
    sources = {presses[seat].source for seat in verdict.last if seat in presses}
    phones = [source for source in sources if source.startswith(PAGE_SOURCE)]
    if len(sources) < 2 or not phones:
        return ()
    if len(phones) == len(sources):
        return (text("Too close for phones: wire buttons, or zero-test every phone that plays."),)
    return (
        text(
            "Too close for phones: wire a button, or make a zero test of phone and button if there was none."
        ),
    )
