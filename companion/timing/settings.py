"""What the table may ask of the referee, and how it is set. Each request takes effect in stream order."""

from __future__ import annotations

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.model import Armed, Passthrough, Press
from lastnose.companion.core.text import Text, english


class Settings(msgspec.Struct, frozen=True, gc=False):
    """How edges are read and when a round is armed (laws 2 and 3). `rearm_ns` None: only when told."""

    confirm_ns: int = 1_000_000
    lockout_ns: int = 20_000_000
    rearm_ns: int | None = 3_000_000_000
    long_press_ns: int = 1_000_000_000

    def __post_init__(self) -> None:
        """Refuse negative times."""
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None and value < 0:
                raise BadInput(english("{key} is {value}: it must not be negative.", key=name, value=value))


class ArmRequest(msgspec.Struct, frozen=True):
    """Arm at `t_ns`, or as soon after as all watched noses have come to rest and nothing may be lost.

    `seats`: watch only these this time. `again`: a round that was armed then, to be judged again: at `t_ns`.
    `goes_on`: the question of who was first that was just judged goes on among these seats, with the touches
    that they have made since it was opened; where it cannot, they are armed again. `barred` and `early` of a
    round that was armed before, and just then (see `Armed`); None: as noses and locks are now. `asked_ns`:
    its question had been open before, and only from then on was it asked among these seats.
    """

    t_ns: int
    seats: tuple[int, ...] | None = None
    again: bool = False
    goes_on: bool = False
    barred: tuple[tuple[int, int], ...] | None = None
    early: tuple[Press, ...] = ()
    asked_ns: int | None = None


class VoidRequest(msgspec.Struct, frozen=True):
    """The armed round, if there is one at `t_ns`, does not count."""

    t_ns: int
    why: Text


Request = ArmRequest | VoidRequest | Passthrough


def as_armed(armed: Armed) -> ArmRequest:
    """Return the request that arms a round once more as it was *armed*, to be judged again."""
    asked_ns = armed.t_ns if armed.since_ns is not None else None
    return ArmRequest(
        armed.from_ns, armed.seats, again=True, barred=armed.barred, early=armed.early, asked_ns=asked_ns
    )
