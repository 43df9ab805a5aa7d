"""Snapshots in, JSON out: every Text is put into the reader's language, times get a ready text beside them.

What many viewers need is encoded once per snapshot and language.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import msgspec
from lastnose.companion.core.text import Text
from lastnose.companion.core.units import at_least, duration, measured, uncertainty
from lastnose.companion.games import AnyGame
from lastnose.companion.i18n import translator
from lastnose.companion.views.photo_finish import TapeEdge
from lastnose.companion.views.sentences import closeness, in_short
from lastnose.companion.views.snapshot import Mark, PhotoFinish, SeatPhone, Snapshot, ZeroView
from lastnose.companion.views.statistics import Close, PlayerFigures, PlayerGlance, Reaction
from lastnose.web.api.responses import GameInfo, SeatRange

Say = Callable[[Text], str]

Ready = Callable[[Any], Text | None]


def _time(name: str, sure: str) -> Ready:
    """Say the time *name* of a value at the step of its ± *sure*; without one, in everyday figures."""

    def said(value: Any) -> Text | None:
        time_ns, u_ns = getattr(value, name), getattr(value, sure)
        if time_ns is None:
            return None
        return duration(time_ns) if u_ns is None else measured(time_ns, u_ns).time

    return said


def _sure(name: str, sure: str) -> Ready:
    """Say the ± *sure* of a value as it stands behind the time *name*; without one, as it stands alone."""

    def said(value: Any) -> Text | None:
        time_ns, u_ns = getattr(value, name), getattr(value, sure)
        if u_ns is None:
            return None
        return uncertainty(u_ns) if time_ns is None else measured(time_ns, u_ns).sure

    return said


def _alone(name: str) -> Ready:
    """Say the ± *name* of a value as it stands alone."""

    def said(value: Any) -> Text | None:
        u_ns = getattr(value, name)
        return None if u_ns is None else uncertainty(u_ns)

    return said


_MEDIAN: dict[str, Ready] = {
    "median_text": _time("median_ns", "median_u_ns"),
    "median_u_text": _sure("median_ns", "median_u_ns"),
}
# Times that get a ready text beside them: no page says what one is sure to by figures of its own.
TIMES: dict[type, dict[str, Ready]] = {
    PhotoFinish: {
        "margin_text": _time("margin_ns", "u_ns"),
        "u_text": _sure("margin_ns", "u_ns"),
        "at_least_text": lambda one: None if one.at_least_ns is None else at_least(one.at_least_ns),
    },
    Mark: {
        "t_text": _time("t_ns", "t_u_ns"),
        "t_u_text": _sure("t_ns", "t_u_ns"),
        "u_text": _alone("u_ns"),
        "after_text": _time("after_ns", "after_u_ns"),
        "after_u_text": _sure("after_ns", "after_u_ns"),
    },
    TapeEdge: {
        "t_text": lambda one: None if one.u_ns is None else measured(one.t_ns, one.u_ns).time,
        "u_text": _alone("u_ns"),
    },
    ZeroView: {
        "u_text": _alone("u_ns"),
        "most_text": lambda one: duration(max(map(abs, one.off_ns), default=0)),
    },
    SeatPhone: {"clock_text": _alone("clock_u_ns"), "sure_text": _alone("sure_ns")},
    Close: {
        "margin_text": _time("margin_ns", "u_ns"),
        "u_text": _sure("margin_ns", "u_ns"),
        "in_short": lambda one: in_short(one.margin_ns, one.u_ns, closeness(one.margin_ns, one.u_ns)),
    },
    Reaction: {"after_text": _time("after_ns", "u_ns"), "u_text": _sure("after_ns", "u_ns")},
    PlayerFigures: _MEDIAN,
    PlayerGlance: _MEDIAN,
}


def plain(value: object, say: Say) -> Any:
    """Return *value* (structs, tuples, numbers) as what JSON knows, with every Text said in a language.

    >>> from lastnose.companion.core.text import text
    >>> plain((text("{player} was last", player="South"), 3), translator("en"))
    ['South was last', 3]
    """
    if isinstance(value, Text):
        return say(value)
    if isinstance(value, msgspec.Struct):
        made = {name: plain(getattr(value, name), say) for name in _told(value)}
        tag = value.__struct_config__.tag
        if tag is not None:
            made[value.__struct_config__.tag_field or "type"] = tag
        if type(value) in TIMES:
            texts = {name: said(value) for name, said in TIMES[type(value)].items()}
            made |= {name: None if one is None else say(one) for name, one in texts.items()}
        return made
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item, say) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item, say) for key, item in value.items()}
    return value


def _told(value: msgspec.Struct) -> tuple[str, ...]:
    """Return the fields of *value* to write; where its type says so, not those with their defaults."""
    names = value.__struct_fields__
    if not value.__struct_config__.omit_defaults:
        return names
    defaults = dict(zip(reversed(names), reversed(value.__struct_defaults__), strict=False))
    return tuple(name for name in names if name not in defaults or getattr(value, name) != defaults[name])


def to_json(value: object, language: str) -> bytes:
    return msgspec.json.encode(plain(value, translator(language)))


def change_of(before: msgspec.Struct, after: msgspec.Struct, language: str, listed: str = "") -> bytes:
    """Return as JSON what makes *after* of *before*, both of one type with fields that may be left out.

    Fields that differ come whole, `left_out` names those that are no more there (so does
    `gone`, its old name, until version 0.3). Of the sequence in the field
    *listed*, if it is as long as before, only items that differ come: in `items`, by their index.

    >>> from lastnose.companion.event.roster import Person
    >>> change_of(Person("Zoë", guest=True), Person("Zoé"), "en").decode()
    '{"name":"Zoé","left_out":["guest"],"gone":["guest"]}'
    """
    say = translator(language)
    told, made, left_out = _told(after), {}, []
    for name in after.__struct_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if old is new or old == new:
            continue
        if name == listed and len(old) == len(new):
            pairs = enumerate(zip(old, new, strict=True))
            made["items"] = {str(n): plain(y, say) for n, (x, y) in pairs if x is not y and x != y}
        elif name in told:
            made[name] = plain(new, say)
        else:
            left_out.append(name)
    return msgspec.json.encode({**made, "left_out": left_out, "gone": left_out} if left_out else made)


def for_page(encoded: bytes) -> str:
    """Return JSON that is safe inside a script element of a page (`{{ state|safe }}`).

    >>> for_page(b'{"player":"</script>"}')
    '{"player":"\\\\u003c/script\\\\u003e"}'
    """
    found = encoded.decode()
    for sign in "<>&\u2028\u2029":
        found = found.replace(sign, f"\\u{ord(sign):04x}")
    return found


def game_info(game: AnyGame) -> GameInfo:
    """Return what set-up needs to know of a game."""
    return GameInfo(
        name=game.name,
        title=game.title,
        summary=game.summary,
        emblem=game.emblem,
        watched=game.watched,
        seats=SeatRange(*game.seats),
        crowd=game.crowd,
        on_phones=game.on_phones,
        options=game.option_fields(),
    )


class Views:
    """The newest snapshot as JSON, encoded once per language: `Frames` of a live stream. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[str, tuple[Snapshot, bytes]] = {}

    def state(self, snapshot: Snapshot, language: str) -> bytes:
        with self._lock:
            found = self._made.get(language)
            if found is not None and found[0] is snapshot:
                return found[1]
            made = to_json(snapshot, language)
            self._made[language] = (snapshot, made)
            return made

    def change(self, before: Snapshot, snapshot: Snapshot, language: str) -> None:
        """Say that a table's snapshot is sent whole: a verdict changes most of it."""
