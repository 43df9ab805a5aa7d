"""The lobby as the table shows it: who comes by phone, who was typed by a host, who waits for the next deal.

What is so is kept with the devices (`web.devices`); this tells the table, and lets in between two rounds who
came late. For any thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING

import msgspec
from lastnose.companion.core.errors import CompanionError, NotNow, StoreError
from lastnose.companion.core.names import alike, tidy
from lastnose.companion.core.text import text
from lastnose.companion.evening import lobby
from lastnose.companion.evening.commands import Regroup
from lastnose.companion.evening.lobby import Guest, NameTaken
from lastnose.companion.evening.state import Evening
from lastnose.companion.views.lobby import GuestView, LobbyView
from lastnose.companion.views.snapshot import Snapshot
from lastnose.web.devices import KnownDevices

if TYPE_CHECKING:
    from lastnose.companion.table.thread import TableThread

BETWEEN = ("ready", "blocked", "verdict", "dead-heat", "void")  # nothing is armed: who came late may come in
_BEFORE = ("ready", "blocked")  # the first deal: nothing stands that somebody would still read
PAUSE_S = 2.0  # that a verdict stands before anybody comes or goes, and what was refused rests
_OVER = ("setup", "won")


class Lobby:
    """Who is at *table*, of which *devices*; *lines* returns the noses that phones can be.

    *answers* tells whether the phone that is the nose of a line can be heard.
    """

    def __init__(
        self,
        table: TableThread,
        devices: KnownDevices,
        lines: Callable[[], Sequence[str]],
        answers: Callable[[str], bool],
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table = table
        self._devices = devices
        self._lines = lines
        self._answers = answers
        self._now_s = now_s
        self._lock = threading.Lock()
        self._told = LobbyView()
        self._shown: tuple[tuple[int, int], tuple[tuple[str, str], ...], bool] | None = None
        self._sat: tuple[str, ...] = ()  # in the game that is going on
        self._formerly: Mapping[str, int] | None = None  # what guests were called at the last look
        self._quiet_since_s: float | None = None
        self._asked: Future[Snapshot] | None = None
        self._refused = False
        devices.listen(self.tell)

    @property
    def shown(self) -> LobbyView:
        """Return who is at the table, as it was told last."""
        return self._told

    # ---- what people ask

    def sit_down(self, name: str, device: str) -> tuple[Guest | None, bool]:
        """Seat *name* with the phone *device*; return the guest, None where a host is asked first, and
        whether the guest waits for the next deal. Raise BadInput, NameTaken or NotNow.
        """
        name = lobby.checked(name)
        mine, there = self._devices.guest(device), lobby.named(self._devices.guests, name)
        if mine is not None and (there is None or there.id == mine.id):
            return mine, self._waits(mine)
        if mine is not None:
            raise NotNow(text("This phone is {name}’s: leave that seat first.", name=mine.name))
        if there is not None and (there.device or there.plays) and not there.vacant:
            if there.device and self._answers(there.line):
                raise NameTaken(there)
            self._devices.wants(device, there.name)
            return None, False
        lines = self._lines()
        most = max(len(self._table.lines), len(lines))
        (fresh,) = self._devices.new_ids(1)

        def sat(guests: lobby.Guests) -> lobby.Guests:
            return lobby.sat_down(guests, Guest(fresh, name, device, lobby.free_line(guests, lines)), most)

        self._devices.change(sat)
        guest = self._devices.guest(device)
        return guest, guest is not None and self._waits(guest)

    def hand_over(self, name: str, device: str) -> None:
        """Let *device* have the seat of *name*, whatever phone had it, or none ("")."""
        self._devices.wants(device, "")
        if name:
            self._devices.change(lambda guests: _handed(guests, name, device))

    def leave(self, device: str) -> None:
        """Let the guest of *device* go: at once, or as soon as no round is under way."""
        mine = self._devices.guest(device)
        if mine is None:
            return
        if not mine.plays:
            self._devices.change(lambda guests: lobby.without(guests, mine.id))
        elif self._table.snapshot.comings is not None or self._table.snapshot.phase in ("armed", "judging"):
            self._devices.change(lambda guests: _leaving(guests, mine.id))
        else:  # this game goes on with those that it began with: the seat stays, without a phone
            self._devices.change(lambda guests: lobby.with_phone(guests, mine.id, ""))

    # ---- what the table says

    def follow(self, snapshot: Snapshot) -> None:
        """Learn who plays, and whether an evening has ended."""
        rows = tuple((row.player, row.line) for row in snapshot.rows)
        game, over = (snapshot.evening, snapshot.game_no), snapshot.phase in _OVER
        shown = game, rows, over
        evening = self._table.queries.evening
        if evening.formerly is not self._formerly:
            self._formerly = evening.formerly
            self._devices.change(lambda all_: lobby.called(all_, evening.people, evening.formerly))
        if shown == self._shown:
            return
        self._devices.begin(snapshot.evening)
        before = self._sat if self._shown is not None and game == self._shown[0] else ()
        if self._shown is None:
            before = _sat_lately(evening, self._devices.guests)
        self._shown, self._sat = shown, tuple(name for name, _ in rows)
        ids = self._devices.new_ids(len(rows))
        if rows:
            self._devices.change(lambda all_: lobby.followed(all_, before, rows, over=over, ids=ids))
        else:
            self._devices.change(_idle)

    def tell(self) -> None:
        """Tell the table who is here, when that has changed."""
        devices = self._devices
        guests = tuple(self._view(one) for one in devices.guests)
        hosts = [one.name for one in devices.all() if one.role == "host" and one.name]
        view = LobbyView(guests, devices.watching, hosts[0] if hosts else "")
        with self._lock:
            if view == self._told:
                return
            self._told = view
        self._table.tell_lobby(view)

    def _view(self, one: Guest) -> GuestView:
        host = bool(one.device) and self._devices.role(one.device) == "host"
        return GuestView(
            one.id, one.name, one.device, one.line, host, one.plays, self._waits(one), one.leaving
        )

    def _waits(self, one: Guest) -> bool:
        return bool(one.device and self._sat and not one.plays and self._table.snapshot.phase != "won")

    def look(self) -> None:
        """Let come in who waits, and go who leaves, when no round is under way; to be called now and then."""
        snapshot, now_s = self._table.snapshot, self._now_s()
        if snapshot.phase not in BETWEEN or snapshot.comings is None or snapshot.waits:
            self._quiet_since_s = None
            return
        if self._quiet_since_s is None:
            self._quiet_since_s = now_s
        pause_s = 0.0 if snapshot.phase in _BEFORE and not self._refused else PAUSE_S
        if now_s - self._quiet_since_s < pause_s or (self._asked is not None and not self._asked.done()):
            return
        self._come_and_go(snapshot)

    def _come_and_go(self, snapshot: Snapshot) -> None:
        guests = self._devices.guests
        going = {one.name for one in guests if one.plays and one.leaving}
        stay = [row.player for row in snapshot.rows if row.player not in going]
        coming = [one for one in guests if self._waits(one) and one.name not in stay and not one.leaving]
        if not going and not coming:
            return
        who = (coming or [one for one in guests if one.name in going])[0]
        by = f"phone {who.device} {who.name}" if who.device else "host"
        self._quiet_since_s = None  # what is refused is asked again after a while
        names = [one.name for one in coming]
        self._asked = self._table.submit(Regroup((*stay, *names)), by)
        self._asked.add_done_callback(lambda done: self._regrouped(done, going))

    def _regrouped(self, done: Future[Snapshot], going: set[str]) -> None:
        """Where a game cannot go on without somebody, their seat stays, without a phone."""
        refusal = done.exception()
        self._refused = refusal is not None
        if going and isinstance(refusal, CompanionError) and not isinstance(refusal, StoreError):
            for one in self._devices.guests:
                if one.name in going:
                    self._devices.change(lambda all_, gone=one.id: lobby.with_phone(all_, gone, ""))  # type: ignore[misc]


def _sat_lately(evening: Evening, guests: lobby.Guests) -> tuple[str, ...]:
    """Return who played as the power went, in the game that goes on: by the log they may have left."""
    if not evening.matches:
        return ()
    game = [evening.matches[at] for at in evening.game_at(len(evening.matches) - 1)]
    sat = {alike(name) for match in game for name in match.started.players}
    return tuple(one.name for one in guests if one.plays and alike(one.name) in sat)


def _handed(guests: lobby.Guests, name: str, device: str) -> lobby.Guests:
    there = lobby.named(guests, tidy(name))
    if there is None:
        raise NotNow(text("{player} is not at the table.", player=name[:40]))
    return lobby.with_phone(guests, there.id, device)


def _leaving(guests: lobby.Guests, guest: str) -> lobby.Guests:
    return tuple(msgspec.structs.replace(one, leaving=True) if one.id == guest else one for one in guests)


def _idle(guests: lobby.Guests) -> lobby.Guests:
    return tuple(
        msgspec.structs.replace(one, plays=False, leaving=False) if one.plays or one.leaving else one
        for one in guests
    )
