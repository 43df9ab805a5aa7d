"""The zero test as people read it: on screens, in a verdict's details, with printed results. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.core.touch import LATE_NS, LATE_U_NS
from lastnose.companion.core.units import duration, uncertainty
from lastnose.companion.evening.events import ZeroTested
from lastnose.companion.evening.state import Evening
from lastnose.companion.timing.zero import covered
from lastnose.companion.views.snapshot import SeatPhone, ZeroView

NONE_MADE = text("No zero test was made before this round.")
_MS = 1_000_000


def zero_text(event: ZeroTested) -> Text:
    """Return what came of a zero test.

    >>> str(zero_text(ZeroTested(by="box", at=0, lines=("a", "b"), off_ns=(4_000, -11_000), u_ns=20_000)))
    'Zero test: 2 of 2 inside ± 20 µs; at most 11 µs apart.'
    """
    return text(
        "Zero test: {n} of {of} inside ± {sure}; at most {most} apart.",
        n=sum(abs(off_ns) <= event.u_ns for off_ns in event.off_ns),
        of=len(event.off_ns) + event.missed,
        sure=uncertainty(event.u_ns),
        most=duration(max(map(abs, event.off_ns), default=0)),
    )


def claim_text(
    event: ZeroTested, phones: Sequence[SeatPhone], names: Mapping[str, str] | None = None
) -> Text | None:
    """Return what a zero test has made of the ± of its *phones* as it counts now, None when it measured none.

    *names* are those of the players by line, as far as they are known.

    >>> phone = SeatPhone("nose.1", "awake", wire_u_ns=28_200_000, tested=(61_500_000, 28_200_000))
    >>> off_ns = 5_000_000, 9_000_000
    >>> event = ZeroTested(by="box", at=0, lines=("nose.1", "nose.2"), off_ns=off_ns * 10, u_ns=59_000_000)
    >>> str(claim_text(event, (phone,))).split(" 20 ")[0]
    'Between these two ± 62 ms has become ± 29 ms, for this evening.'
    """
    pair = [one for one in phones if one.line in event.lines and one.tested]
    wired = len(pair) == 1
    if not pair or pair[0].tested is None or (wired and not {*event.lines}.isdisjoint(pair[0].untested)):
        return None
    now_ns = pair[0].wire_u_ns if wired else sum(one.u_ns for one in pair)
    before, after, counts = (-(-ns // _MS) * _MS for ns in (*pair[0].tested, now_ns))
    if not counts:
        return None  # made with a page, which measures nothing
    refused_ns = pair[0].refused_ns if wired else None
    if refused_ns is not None:
        return _refused(refused_ns, uncertainty(counts))
    if counts < before:
        return _narrower(event, uncertainty(before), uncertainty(counts), wired=wired)
    if counts > before and after > before:
        return text(
            "Between these two ± {was} has become ± {now}: they were up to {most} apart. "
            "A calmer test takes its place.",
            was=uncertainty(before),
            now=uncertainty(counts),
            most=duration(max(map(abs, event.off_ns))),
        )
    return _stays(event, phones, names or {}, uncertainty(counts))


def _narrower(event: ZeroTested, was: Text, now: Text, *, wired: bool) -> Text:
    """Return that ± *now* counts, and how much *event* can show of it."""
    n = len(event.off_ns)
    said: dict[str, Text | int] = {
        "was": was,
        "now": now,
        "n": n,
        "part": int(100 * covered(n, 2 if wired else 1)),
    }
    if wired:
        return text(
            "Between these two ± {was} has become ± {now}, for this evening. {n} touches show this: "
            "at least {part} % of all lie inside, with 95 % confidence.",
            **said,
        )
    return text(
        "Between these two ± {was} has become ± {now}, for this evening, "
        "in games in which every nose has a tested phone or a wire. {n} touches show this: "
        "at least {part} % of all lie inside, with 95 % confidence.",
        **said,
    )


def _refused(late_ns: int, now: Text) -> Text:
    """Return why a test that found a phone *late_ns* late is refused, and what counts instead.

    >>> str(_refused(-80_000_000, Text("135 ms")))[:77]
    'Refused: the phone was 80 ms off, and none reports a touch before it is made,'
    """
    return text(
        "Refused: the phone was {time} off, and none reports a touch before it is made, or more than {most} "
        "late. Until a calmer test ± {now} counts, which has room for that, too.",
        time=duration(abs(late_ns)),
        most=duration(LATE_NS + LATE_U_NS),
        now=now,
    )


def _stays(event: ZeroTested, phones: Sequence[SeatPhone], names: Mapping[str, str], now: Text) -> Text:
    """Return what was measured where ± *now* stays as it was, and for whose sake."""
    one, other = (_called(line, names) for line in event.lines)
    said = {"one": one, "other": other, "most": duration(max(map(abs, event.off_ns))), "now": now}
    untested = tuple(_called(line, names) for line in _untested(event, phones))
    if untested:
        return text(
            "{one} and {other} were at most {most} apart. ± {now} stays all the same, for all phones, "
            "as long as a nose in the game has neither a tested phone nor a wire: {players}.",
            players=listing(untested),
            **said,
        )
    untied = _untied(event, phones)
    if untied:
        return text(
            "{one} and {other} were at most {most} apart. ± {now} stays all the same, for all phones, "
            "as long as no test joins them to {players}: touch one of each together, too.",
            players=listing(tuple(_called(line, names) for line in untied)),
            **said,
        )
    return text(
        "{one} and {other} were at most {most} apart. All tests make it no narrower: ± {now} stays.", **said
    )


def _untested(event: ZeroTested, phones: Sequence[SeatPhone]) -> tuple[str, ...]:
    """Return for whose sake a test of two phones changes nothing: noses without a phone, and untested phones.

    A test of a phone with a wire is its own phone's.
    """
    owned = [one for one in phones if not one.shared]
    if not {one.line for one in owned} >= {*event.lines}:
        return ()
    phoneless = {line for one in owned for line in one.untested}
    return (*sorted(phoneless), *(one.line for one in owned if not one.tested))


def _untied(event: ZeroTested, phones: Sequence[SeatPhone]) -> tuple[str, ...]:
    """Return the noses of tested phones that no test joins to the two of *event*."""
    pair = [one for one in phones if one.line in event.lines and not one.shared]
    return pair[0].untied if len(pair) == len(event.lines) else ()


def _called(line: str, names: Mapping[str, str]) -> Text | str:
    return names.get(line) or text("Nose {n}", n=_number(line))


def waits_text(away: Sequence[str], names: Mapping[str, str]) -> Text:
    """Return whose phones a zero test waits for: those of the lines *away*.

    >>> str(waits_text(["nose.2"], {"nose.2": "Ben"}))
    'Waiting for Ben’s phone.'
    """
    whose = listing(tuple(_called(line, names) for line in away))
    return texts(
        "Waiting for {players}’s phone.", "Waiting for the phones of {players}.", n=len(away), players=whose
    )


def again_text(changed: Sequence[str], names: Mapping[str, str], asks: Text) -> Text:
    """Return why a test starts again: the noses on the lines *changed* have another phone. *asks* comes next.

    >>> str(again_text(["nose.2"], {"nose.2": "Ben"}, Text("Touch both.")))
    'The nose of Ben is on another screen now: the test starts again. Touch both.'
    """
    whose = listing(tuple(_called(line, names) for line in changed))
    return text(
        "The nose of {players} is on another screen now: the test starts again. {asks}",
        players=whose,
        asks=asks,
    )


def by_hand_text(
    lines: tuple[str, str], phones: Collection[str], names: Mapping[str, str], n: int, of: int
) -> Text | None:
    """Return what is to be done when a line is one of *phones*, which no plate closes; None when none is.

    *names* are those of the players by line, as far as they are known.

    >>> str(by_hand_text(("nose.1", "nose.4"), ("nose.4",), {}, 3, 20))
    '3 of 20: touch both at once, with two fingers of one hand: Nose 1 and phone 4.'
    """
    if not {*lines} & {*phones}:
        return None
    one, other = (
        _phone(line, names) if line in phones else text("Nose {n}", n=_number(line)) for line in lines
    )
    return _touch_both(n, of, one, other)


def _phone(line: str, names: Mapping[str, str]) -> Text | str:
    return names.get(line) or text("phone {id}", id=_number(line))


def _touch_both(n: int, of: int, one: Text | str, other: Text | str) -> Text:
    return text(
        "{n} of {of}: touch both at once, with two fingers of one hand: {one} and {other}.",
        n=n,
        of=of,
        one=one,
        other=other,
    )


def on_screens_text(phone: str, page: str, names: Mapping[str, str], n: int, of: int) -> Text:
    """Return what is to be done when the line *phone* is a phone, and *page* a nose of a shared page.

    >>> str(on_screens_text("nose.1", "nose.4", {}, 3, 20))
    '3 of 20: touch both at once, with two fingers of one hand: phone 1 and the shared page, Nose 4.'
    """
    shared = text("the shared page, {player}", player=_called(page, names))
    return _touch_both(n, of, _phone(phone, names), shared)


def asked_text(
    lines: tuple[str, str], names: Mapping[str, str], off_ns: tuple[int, ...], u_ns: int, of: int, alone: str
) -> Text:
    """Return what is to be done in a zero test with a plate, and what came of the last press.

    *off_ns* and *u_ns* as in `ZeroTested`, *of* how many are enough, *alone* the line that was heard alone.

    >>> str(asked_text(("nose.1", "nose.2"), {"nose.2": "Zoë"}, (4_000,), 20_000, 20, ""))
    '1 of 20: 4 µs apart. Again, with one plate on both noses: Nose 1 and Zoë.'
    """
    one, other = (_called(line, names) for line in lines)
    n = len(off_ns)
    if alone:
        return text(
            "{n} of {of}: only one nose was heard, {player}. Press the plate on both.",
            n=n,
            of=of,
            player=_called(alone, names),
        )
    if not off_ns:
        return text(
            "Close both noses at once with one plate, {of} times: {one} and {other}.",
            one=one,
            other=other,
            of=of,
        )
    if abs(off_ns[-1]) > u_ns:
        return _outside(off_ns, u_ns, of)
    return text(
        "{n} of {of}: {apart} apart. Again, with one plate on both noses: {one} and {other}.",
        n=n,
        of=of,
        apart=duration(abs(off_ns[-1])),
        one=one,
        other=other,
    )


def _outside(off_ns: tuple[int, ...], u_ns: int, of: int) -> Text:
    return text(
        "{n} of {of}: {apart} apart, outside ± {sure}. Is the plate flat on both?",
        n=len(off_ns),
        of=of,
        apart=duration(abs(off_ns[-1])),
        sure=uncertainty(u_ns),
    )


def _number(line: str) -> str:
    return line.rpartition(".")[2]


def zero_view(evening: Evening, event: ZeroTested, phones: Sequence[SeatPhone]) -> ZeroView:
    """Return the zero test *event* of the evening, and what it has made of the ± of *phones*."""
    of = len(event.off_ns) + event.missed
    return ZeroView(
        event.lines,
        event.off_ns,
        event.u_ns,
        event.missed,
        of,
        event.at,
        zero_text(event),
        claim_text(event, phones, names_of(evening)),
        event.by_hand,
    )


def names_of(evening: Evening) -> dict[str, str]:
    """Return who has which line in the newest game."""
    match = evening.match
    return {} if match is None else dict(zip(match.started.lines, match.started.players, strict=True))
