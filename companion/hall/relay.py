"""What a screen of another machine hears of a hall, with a key that can read this and nothing else.

The hub sends everything that screens show as one message whenever that changes, and every few seconds. It is
in no language yet, and without what only organisers need.
"""

from __future__ import annotations

import asyncio
import logging
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from companion.core.decode import why_not
from companion.core.errors import BadInput, CompanionError
from companion.core.text import Text, text
from companion.hall import engine, wire
from companion.hall.attendance import AWAY_S
from companion.hall.client import connect
from companion.hall.link_trouble import NoLink
from companion.hall.loop_thread import LoopThread
from companion.hall.membership import KeyMembership
from companion.hall.screen import HallScreen
from companion.views.hall import NO_LINK_YET

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

AGAIN_S = 1.0
LOOK_S = 0.5
_log = logging.getLogger("lastnose.hall")


def for_screens(screen: HallScreen) -> bytes:
    """Return what the public may see of *screen*, encoded."""
    people = tuple(msgspec.structs.replace(one, family="") if one.family else one for one in screen.people)
    made = msgspec.json.encode(
        msgspec.structs.replace(screen, todos=(), admitted=(), engine=None, people=people)
    )
    return made if len(made) < wire.LARGE else zlib.compress(made)


def from_hall(payload: bytes) -> HallScreen:
    """Return the screen in *payload*; raise BadInput for what this version does not understand."""
    try:
        raw = payload if payload[:1] == b"{" else wire.inflated(payload)
        return msgspec.json.decode(raw, type=HallScreen)
    except (ValueError, zlib.error, msgspec.MsgspecError) as problem:
        raise BadInput(
            text(
                "The hall shows what this Last Nose does not understand ({why}): update it.",
                why=why_not(problem),
            )
        ) from problem


class ScreenLink:
    """Hears the hall of *member*, with a thread of its own; `shown` is called there with what is to be seen.

    While the hall is not heard, that is what came last, and says that it is not live. *now_s* is the clock of
    that.
    """

    def __init__(
        self,
        member: KeyMembership,
        shown: Callable[[HallScreen], None],
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._member = member
        self._shown = shown
        self._now_s = now_s
        self._heard_s: float | None = None
        self._why: Text = NO_LINK_YET
        self._thread = LoopThread("screen", self._live)
        self.newest = HallScreen(
            version=0,
            seq=0,
            event=member.event,
            name="",
            headline=text("Welcome"),
            step="",
            step_says=text("Welcome"),
            ready=False,
            away=self._why,
        )

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; return within 2 s."""
        self._thread.stop(2)

    async def _live(self) -> None:
        nc: Client | None = None
        while True:
            try:
                member = self._member
                nc = await connect(member.engine, member.seed, f"screen {member.id}", f"_INBOX.{member.id}")
                await nc.subscribe(engine.screen_subject(member.event), cb=self._hear)
                while nc.is_connected:
                    await asyncio.sleep(LOOK_S)
                    self.look()
            except NoLink as problem:
                self._heard_s = None
                self._why = text("No link to the hall: {why} This is what it showed last.", why=problem.text)
            except CompanionError as problem:
                self._heard_s, self._why = None, problem.text
            except Exception as problem:  # the client raises kinds of its own for every part of a link
                _log.debug("the hall cannot be heard: %r", problem)
                self._heard_s = None
                self._why = text("No link to the hall: this is what it showed last.")
            finally:
                if nc is not None:
                    with suppress(Exception):
                        await asyncio.wait_for(nc.close(), 1)
            self.look()
            await asyncio.sleep(AGAIN_S)

    async def _hear(self, message: Msg) -> None:
        self.heard(message.data)

    def heard(self, payload: bytes) -> None:
        """Take a message of the hall."""
        try:
            screen = from_hall(payload)
        except BadInput as problem:
            self._why = problem.text
            self._show(msgspec.structs.replace(self.newest, away=self._why))
            return
        self._heard_s = self._now_s()
        self._why = text("No link to the hall: this is what it showed last.")
        self._show(msgspec.structs.replace(screen, away=None))

    def look(self) -> None:
        """See whether the hall has fallen silent."""
        if self._heard_s is None or self._now_s() - self._heard_s >= AWAY_S:
            self._show(msgspec.structs.replace(self.newest, away=self._why))

    def _show(self, screen: HallScreen) -> None:
        if screen != self.newest:
            self.newest = screen
            self._shown(screen)
