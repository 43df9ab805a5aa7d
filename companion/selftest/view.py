"""What terminal, small screen and page show of a self-test at one moment."""

from __future__ import annotations

from typing import Literal

import msgspec
from lastnose.companion.core.ports import Lamp, Signal
from lastnose.companion.core.text import Text
from lastnose.companion.selftest.contact import Outcome
from lastnose.companion.selftest.plan import Contact

Step = Literal["rest", "contact", "tied", "wired", "lamps", "screen", "sounds", "done"]
Word = Literal["nothing", "skip", "back", "yes", "no", "stop", "leave"]


class Reply(msgspec.Struct, frozen=True):
    """What can be said now: the word of the API, what a button says, the letter on the keyboard."""

    word: Word
    says: Text
    key: str


class Tested(msgspec.Struct, frozen=True):
    """A contact in the list: what came of it so far. `away`: it is away from its rest at this moment."""

    contact: Contact
    away: bool
    outcome: Outcome | None = None
    says: Text | None = None


class Seen(msgspec.Struct, frozen=True):
    """A change in a trace: how long after the first, of which line, to which level."""

    t_ns: int
    line: str
    level: int


class Finding(msgspec.Struct, frozen=True):
    """Something to know, and what to do about it. `failed`: the test is not passed with it.

    `trace` are the changes that show it, where there are any to look at.
    """

    kind: str
    lines: tuple[str, ...]
    says: Text
    remedy: Text | None = None
    failed: bool = True
    trace: tuple[Seen, ...] = ()


class SelfTestView(msgspec.Struct, frozen=True):
    """A moment of the self-test: what to do, what can be said, what came of it so far.

    `version` grows with every view. `number` of `of` steps. `contact` is the one asked for. `passed` is None
    until the end. `picture`: the small screen shows the test picture now.
    """

    version: int
    step: Step
    number: int
    of: int
    prompt: Text
    hints: tuple[Text, ...] = ()
    contact: Contact | None = None
    choices: tuple[Reply, ...] = ()
    lines: tuple[Tested, ...] = ()
    spares: tuple[Tested, ...] = ()
    findings: tuple[Finding, ...] = ()
    lamps: tuple[Lamp, ...] = ()
    signals: tuple[Signal, ...] = ()
    signalled: int = 0
    picture: bool = False
    passed: bool | None = None
    simulated: bool = False
    profile: str = ""
