"""Minutes of the referee: what lines, sources and tables do (`$ …`), and below it all that it tells.

All times are milliseconds, written out to the nanosecond; of inputs in a list time and line are shown. What
the referee tells now is written below what is done by `python -m tests.support.stream_minutes FILE…`.

- `$ referee noses=3 sources=a,b rearm=500 hold=1 rack=dock spoons=1,2 feint=300`: a new one, watching all.
- `$ is 0 a u=0.01 c=0 nose.1=0 spoon.1=1`: levels; these lines are stamped by *a* from now on, as surely.
- `$ 1500 nose.1=1; 1500.3 nose.1=0`: edges. `$ gap 900 1100 a nose.1`: a loss.
- `$ until 2000`: every source promises; `$ until 2000 a`: one does. `$ until - a`: it says farewell.
- `$ arm 0`, `$ arm 0 again`, `$ arm 0 1 2`, `$ void 5`, `$ say 5 word`, `$ watch 1 2`, `$ rearm 500`,
  `$ drop`, `$ stop` (void at once), `$ end`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
from lastnose.companion.core.model import (
    Armed,
    Edge,
    Gap,
    Input,
    Levels,
    Lift,
    Passthrough,
    Press,
    Rack,
    RefereeEvent,
    Watermark,
)
from lastnose.companion.core.text import Text, text
from lastnose.companion.timing import FOREVER, ArmRequest, Referee, Request, Settings, VoidRequest

from tests.support.minutes import written
from tests.support.slow_modes import Rules

FOLDER = Path(__file__).parents[1] / "timing" / "minutes"
MS, USUAL_U_NS = 1_000_000, 10_000


def ns(written: str) -> int:
    """Return milliseconds as nanoseconds."""
    return FOREVER if written == "-" else int(Decimal(written) * MS)


def ms(value_ns: int) -> str:
    """Return nanoseconds as milliseconds, with nothing that is not needed."""
    if abs(value_ns) >= 2**61:
        return "-"
    found = f"{Decimal(value_ns) / MS:f}"
    return found.rstrip("0").rstrip(".") if "." in found else found


def shown(value: Any) -> str:
    """Return a value as minutes write it."""
    match value:
        case Edge():
            return f"{ms(value.t_ns)} {value.line}={value.level}"
        case Levels():
            worth = _worth(value.u_ns, value.clock_u_ns)
            return f"is {ms(value.t_ns)} {value.source}{worth} {shown(value.levels)}"
        case Gap():
            return (
                f"gap {ms(value.from_ns)} {ms(value.to_ns)} {value.source} {shown(value.lines or '')}".strip()
            )
        case Press():
            contact = f" contact={ms(value.contact_u_ns)}" if value.contact_u_ns else ""
            return f"{value.seat} at {ms(value.t_ns)}{_worth(value.u_ns, value.clock_u_ns)}{contact}"
        case Lift():
            return f"spoon {value.cradle} at {ms(value.t_ns)}{_worth(value.u_ns, value.clock_u_ns)}"
        case Text():
            return f"“{value}”"
        case dict():
            return " ".join(f"{key}={one}" for key, one in value.items())
        case tuple() if value and isinstance(value[0], Edge | Levels | Gap):
            return f"[{'; '.join(map(shown, value))}]"
        case tuple():
            return ", ".join(map(shown, value))
        case msgspec.Struct():
            return _fields(value)
    return str(value)


def _worth(u_ns: int | None, clock_u_ns: int) -> str:
    """Return what stamps are worth, where it is not what they are worth mostly."""
    own = "" if u_ns == USUAL_U_NS else f" u={u_ns if u_ns is None else ms(u_ns)}"
    return f"{own} c={ms(clock_u_ns)}" if clock_u_ns else own


def _fields(struct: msgspec.Struct) -> str:
    told = [type(struct).__name__.lower()]
    for field in msgspec.structs.fields(struct):
        held = getattr(struct, field.name)
        if held in ((), None, False) or held == field.default:
            continue
        name = field.name.removesuffix("_ns").replace("_", " ")
        time = field.name.endswith("_ns") and isinstance(held, int)
        told.append(name if held is True else f"{name}: {ms(held) if time else shown(held)}")
    return " | ".join(told)


class StreamMinutes:
    """Does what the lines say, one after the other, and tells what the referee tells."""

    def __init__(self) -> None:
        self._referee = Referee({}, Settings())
        self._sources: list[str] = []
        self._of: dict[str, tuple[str, int, int]] = {}
        self.heard: list[Input] = []
        self.told: list[RefereeEvent] = []
        self.rules = Rules((), False, None)
        self.rules_at: dict[int, Rules] = {}  # those of each round, by its arming

    def does(self, line: str) -> list[str]:
        """Do one thing and return what is told of it."""
        what, *words = line.split(" ")
        told: Sequence[RefereeEvent] = ()
        match what:
            case "referee":
                self._begin(dict(word.split("=") for word in words))
            case "watch":
                self.rules = Rules(tuple(map(int, words)), hold=False, rack=None)
                self._referee.watch(*self.rules)
            case "rearm":
                self._referee.set_rearm(ns(words[0]))
            case "drop":
                self._referee.drop()
            case "stop":
                judged = self._referee.void(text("It does not count."))
                told = [] if judged is None else [judged]
            case "end":
                told = list(self._referee.end())
            case _:
                fed = self._inputs(what, words, line)
                self.heard += [one for one in fed if isinstance(one, Edge | Levels | Gap)]
                told = self._referee.feed(*fed)
        self.told += told
        self.rules_at |= {
            one.t_ns: self.rules._replace(seats=one.seats) for one in told if isinstance(one, Armed)
        }
        return [shown(one) for one in told]

    def _begin(self, set_up: dict[str, str]) -> None:
        seats = tuple(range(1, int(set_up["noses"]) + 1))
        self._sources = set_up.get("sources", "a").split(",")
        self._of, self.heard, self.told, self.rules_at = {}, [], [], {}
        rearm_ns = ns(set_up["rearm"]) if "rearm" in set_up else None
        lines = {f"nose.{seat}": seat for seat in seats}
        self._referee = Referee(lines, Settings(rearm_ns=rearm_ns), self._sources)
        rack = None
        if "rack" in set_up:
            spoons = tuple(map(int, set_up["spoons"].split(","))) if "spoons" in set_up else seats[:-1]
            way: Any = set_up["rack"]
            rack = Rack(spoons, way, int(set_up.get("feint", "300")))
        self.rules = Rules(seats, "hold" in set_up, rack)
        self._referee.watch(*self.rules)

    def _inputs(self, what: str, words: Sequence[str], line: str) -> list[Input | Request]:
        match what:
            case "is":
                return [self._levels(words)]
            case "gap":
                return [Gap(ns(words[0]), ns(words[1]), words[2], tuple(words[3:]) or None)]
            case "until":
                return [Watermark(ns(words[0]), source) for source in words[1:] or self._sources]
            case "arm":
                seats = tuple(map(int, words[1:])) if words[1:] != ["again"] else ()
                return [ArmRequest(ns(words[0]), seats or None, again=words[1:] == ["again"])]
            case "void":
                return [VoidRequest(ns(words[0]), text("It does not count."))]
            case "say":
                return [Passthrough(ns(words[0]), words[1])]
        return [self._edge(*one.split()) for one in line.split("; ")]

    def _levels(self, words: Sequence[str]) -> Levels:
        at, source, *rest = words
        pairs = dict(word.split("=") for word in rest)
        u_ns, c_ns = ns(pairs.pop("u", "0.01")), ns(pairs.pop("c", "0"))
        self._of |= dict.fromkeys(pairs, (source, u_ns, c_ns))
        return Levels({line: int(level) for line, level in pairs.items()}, ns(at), source, u_ns, c_ns)

    def _edge(self, at: str, change: str) -> Edge:
        line, level = change.split("=")
        source, u_ns, c_ns = self._of.get(line, (self._sources[0], USUAL_U_NS, 0))
        return Edge(ns(at), source, line, int(level), u_ns, c_ns)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(written(Path(name), StreamMinutes().does))
