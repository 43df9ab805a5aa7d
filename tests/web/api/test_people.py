"""The lobby and the devices over HTTP: what a name gives, what a player may do, what a host decides."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest
from lastnose.companion.core.errors import NotNow
from lastnose.companion.core.text import text
from lastnose.companion.table.table import Table
from lastnose.web.lobby import PAUSE_S, Lobby

from tests.support.fakes import FakeDriver, FakeTable
from tests.support.full_disk import FullDisk
from tests.support.phones import PIN, Phone, make_access, make_app
from tests.support.tables import AnsweringTable

LINES = ("nose.1", "nose.2", "nose.3", "nose.4")


class Party:
    """A real table with four noses that phones can be, and the browser of its own machine."""

    def __init__(self) -> None:
        self.store = FullDisk()
        self.table = AnsweringTable(Table(self.store, LINES, simulated=True, wall_s=lambda: 1.0))
        self.table.driver = FakeDriver(LINES)
        self.table.tell_lobby = self.table.table.show_lobby
        self.table.tell_phones = self.table.table.show_phones
        self.access = make_access(lan=True)
        self.app = make_app(self.table, self.access, join_address="http://192.0.2.2:8080/join")
        self.house = self.app.extensions["lastnose.house"]
        self.table.subscribe(self.house.lobby.follow)
        self.now_s = 0.0
        self.house.lobby._now_s = lambda: self.now_s
        self.host = Phone(self.app)
        self._phones = 0

    def phone(self) -> Phone:
        """Return another phone in the network, that has opened a page."""
        self._phones += 1
        made = Phone.in_network(self.app, f"192.0.2.{100 + self._phones}")
        made.get("/")
        return made

    def guest(self, name: str) -> Phone:
        """Return the phone of a new guest."""
        made = self.phone()
        assert 200 == made.post("/api/v1/seat", {"name": name}).status_code
        return made

    def device(self, name: str) -> dict[str, Any]:
        """Return what hosts see of the device that goes by *name*."""
        listed = self.host.get("/api/v1/devices").json["devices"]
        return next(one for one in listed if one["name"] == name)

    def change(self, name: str, **wish: object) -> int:
        """Let the host change the device of *name*; return the status."""
        device = self.device(name)["id"]
        return self.host.post("/api/v1/devices", {"device": device, **wish}).status_code

    def start(self, game: str = "pig", **more: object) -> None:
        """Let the host start with all who are there."""
        players = [one.name for one in self.access.devices.guests]
        answer = self.host.command("start", game=game, players=players, rearm_s=None, **more)
        assert 200 == answer.status_code, answer.text

    def later(self) -> None:
        """Let the lobby look, now and after a verdict's pause."""
        self.house.lobby.look()
        self.now_s += PAUSE_S
        self.house.lobby.look()
        self.table.table.publish()

    @property
    def players(self) -> list[str]:
        """Return who plays."""
        return [row.player for row in self.table.table.publish().rows]


@pytest.fixture
def party() -> Party:
    """Return a table in its lobby."""
    return Party()


def test_a_name_is_a_seat_and_a_nose_without_hosting_rights(party: Party) -> None:
    """The first free nose; the screens show it; the log knows whose phone it is."""
    zoe = party.guest("  Zoë ")
    seat = zoe.get("/api/v1/seat").json
    assert ("Zoë", "nose.1", False) == (seat["name"], seat["line"], seat["waits"])
    (shown,) = party.table.table.publish().lobby.guests
    assert ("Zoë", "nose.1", False) == (shown.name, shown.line, shown.host)
    assert 403 == zoe.command("start", game="pig", players=["A", "B", "C"]).status_code
    assert 403 == zoe.get("/api/v1/pin").status_code
    assert 403 == zoe.get("/api/v1/devices").status_code
    assert "player" == party.device("Zoë")["role"]


def test_who_was_at_the_table_is_there_as_it_starts_again(party: Party) -> None:
    """Before a page has been opened: a program reads them, and the small screen shows them."""
    party.guest("Ana")
    table = FakeTable()
    make_app(table, party.access)
    assert "Ana" in [guest.name for guest in table.snapshot.lobby.guests]


def test_a_player_touches_the_own_nose_only(party: Party) -> None:
    """Neither with a tap nor by saying that the page is another nose; a watcher touches none."""
    zoe = party.guest("Zoë")
    party.guest("Ana")

    def touch(line: str, who: Phone = zoe) -> tuple[int, int]:
        tap = {"line": line, "level": 0, "t_ns": 0}
        said = who.post("/api/v1/taps", {"page": "p", "clock_u_ns": 0, "taps": [tap]})
        owns = who.post("/api/v1/clock", {"page": "p", "owns": line})
        return said.status_code, owns.status_code

    assert (403, 403) == touch("nose.2")
    assert (200, 200) == touch("nose.1")
    assert (403, 403) == touch("nose.1", party.phone())


def test_a_touch_of_a_nose_that_is_the_phones_no_more_is_refused_and_its_word_is_taken(party: Party) -> None:
    """The seat moved while it was under way: a word that were refused as a whole would be said for ever."""
    zoe = party.guest("Zoë")
    taps = [{"line": f"nose.{n}", "level": 1, "t_ns": 0, "no": n} for n in (1, 2)]
    said = zoe.post("/api/v1/taps", {"page": "p", "clock_u_ns": 0, "taps": taps})
    assert 200 == said.status_code
    assert [{"no": 1, "fate": "lost"}, {"no": 2, "fate": "refused"}] == said.get_json()["fates"]


def test_who_has_lost_the_seat_may_end_what_the_page_had_begun_and_no_more(party: Party) -> None:
    """Its last word is taken, a touch is not; nor is any word of a page that nobody knows."""
    zoe, watcher = party.guest("Zoë"), party.phone()

    def says(who: Phone, page: str, *taps: dict[str, Any], leaves: bool = True) -> int:
        word = {"page": page, "clock_u_ns": 0, "taps": [*taps], "leaves": leaves}
        return who.post("/api/v1/taps", word).status_code

    tap = {"line": "nose.1", "level": 1, "t_ns": 0}
    assert 200 == says(zoe, "p", leaves=False)
    assert 200 == zoe.post("/api/v1/leave", {}).status_code
    assert (403, 403, 200) == (says(zoe, "p", tap), says(zoe, "q"), says(zoe, "p", leaves=False))
    party.house.pages.look()  # the page is waited for no more, and has not heard of that
    assert (403, 200, 200) == (says(zoe, "p", tap), says(zoe, "p", leaves=False), says(zoe, "p"))
    assert 403 == says(watcher, "p")


def test_a_player_writes_the_own_score_and_undoes_what_it_wrote(party: Party) -> None:
    """Nobody else's, and nothing that somebody else has written; no other command at all."""
    zoe, ana = party.guest("Zoë"), party.guest("Ana")
    party.start("chickenfoot")
    cell = {"hand": 1, "points": 0}
    assert 403 == zoe.post("/api/v1/sheet/cells", {**cell, "seat": 2}).status_code
    assert 201 == zoe.post("/api/v1/sheet/cells", {**cell, "seat": 1}).status_code
    move = {"type": "score", "hand": 1, "seat": 2, "points": 30}
    assert 403 == zoe.command("play", move=move).status_code
    assert 200 == ana.command("play", move=move).status_code
    (first, second) = party.table.queries.evening.matches[-1].entries
    assert 403 == zoe.command("undo", seq=second.seq).status_code
    assert 403 == zoe.command("undo").status_code, "whose, is not said"
    assert 200 == zoe.command("undo", seq=first.seq).status_code
    assert 403 == ana.command("redo", seq=first.seq).status_code
    assert 200 == zoe.command("redo", seq=first.seq).status_code
    assert 403 == zoe.put("/api/v1/sheet/cells/1/2", {"points": 5}).status_code
    assert 409 == zoe.put("/api/v1/sheet/cells/1/1", {"points": 5}).status_code, "the rules, not the role"
    for kind in ("arm", "finish", "new-evening", "void", "protest"):
        assert 403 == zoe.command(kind).status_code, kind


def test_a_name_that_is_there_is_refused_with_a_way_out(party: Party) -> None:
    """As long as the phone answers; the full table says so."""
    party.guest("Zoë")
    party.house.lobby._answers = lambda line: True
    refused = party.phone().post("/api/v1/seat", {"name": "zoë"})
    assert (409, "There is a Zoë already. Zoë B.?") == (refused.status_code, refused.json["error"])
    for name in ("B", "C", "D"):
        party.guest(name)
    full = party.phone().post("/api/v1/seat", {"name": "E"})
    assert (409, "The table is full. You can watch.") == (full.status_code, full.json["error"])


def test_a_dead_phones_seat_is_taken_back_with_one_touch_of_a_host(party: Party) -> None:
    """Any phone asks for it by the name; nothing changes until the host says so."""
    for name in ("Zoë", "Ana", "Bob"):
        party.guest(name)
    party.start()
    other = party.phone()
    asked = other.post("/api/v1/seat", {"name": "Zoë"}).json
    assert (True, "") == (asked["asks"], asked["id"])
    device = next(one for one, at in party.access.devices._seen.items() if at.wants == "Zoë")
    party.access.devices.opened(device)
    let = party.host.post("/api/v1/devices", {"device": device, "seat": "Zoë"})
    assert 200 == let.status_code
    assert ("Zoë", "nose.1") == (
        other.get("/api/v1/seat").json["name"],
        other.get("/api/v1/seat").json["line"],
    )


def test_who_is_called_otherwise_keeps_phone_seat_and_nose(party: Party) -> None:
    """Zoë is Zora, and after her Ana is Zoë; also where a table was begun again since, or they sat out."""
    phones = {name: party.guest(name) for name in ("Zoë", "Ana", "Bob", "Cleo")}
    party.start()
    party.host.command("rename", player="Zoë", name="Zora")
    party.host.command("rename", player="Ana", name="Zoë")
    seats = {name: phone.get("/api/v1/seat").json for name, phone in phones.items()}
    assert ["Zora", "Zoë", "Bob", "Cleo"] == party.players == [seat["name"] for seat in seats.values()]
    assert [*LINES] == [seat["line"] for seat in seats.values()]
    assert ["Zora", "Zoë", "Bob", "Cleo"] == [one.name for one in party.access.devices.guests]
    party.host.command("start", game="pig", players=["Zora", "Zoë", "Bob"], rearm_s=None)
    party.host.command("rename", player="cleo", name="Cléo")
    assert ["Cléo"] == [one.name for one in party.access.devices.guests if not one.plays]
    again = Lobby(party.table, party.access.devices, lambda: LINES, lambda line: True)
    again.follow(party.table.snapshot)
    assert ["Zora", "Zoë", "Bob", "Cléo"] == [one.name for one in party.access.devices.guests]


def test_who_comes_late_plays_from_the_next_deal(party: Party) -> None:
    """Nobody comes in while a round is armed; between two the host has nothing to do for it."""
    for name in ("Ana", "Bob", "Cleo"):
        party.guest(name)
    party.start()
    before = party.players
    late = party.guest("Zoë")
    assert late.get("/api/v1/seat").json["waits"]
    party.table.table.publisher.change(armed=True)
    party.table.table.publish()
    party.later()
    assert before == party.players
    party.table.table.publisher.change(armed=False)
    party.table.table.publish()
    party.later()
    assert [*before, "Zoë"] == party.players
    assert "nose.4" == late.get("/api/v1/seat").json["line"]
    assert not late.get("/api/v1/seat").json["waits"]


def test_who_comes_before_the_first_deal_is_in_at_once(party: Party) -> None:
    """There is no verdict that somebody would still read."""
    for name in ("Ana", "Bob", "Cleo"):
        party.guest(name)
    party.start()
    late = party.guest("Zoë")
    party.house.lobby.look()
    party.table.table.publish()
    assert ["Ana", "Bob", "Cleo", "Zoë"] == party.players
    assert not late.get("/api/v1/seat").json["waits"]


def test_who_is_refused_before_the_first_deal_is_not_asked_for_again_at_once(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two seconds later, and then let in."""
    for name in ("Ana", "Bob", "Cleo"):
        party.guest(name)
    party.start()
    party.guest("Zoë")
    asked: list[object] = []

    def refuses(command: object, by: str) -> Future[object]:
        asked.append(command)
        refused: Future[object] = Future()
        refused.set_exception(NotNow(text("no")))
        return refused

    with monkeypatch.context() as patch:
        patch.setattr(party.table, "submit", refuses)
        for _ in range(3):
            party.house.lobby.look()
        assert 1 == len(asked)
        party.later()
        assert 2 == len(asked)
    party.later()
    assert ["Ana", "Bob", "Cleo", "Zoë"] == party.players


def test_who_leaves_goes_between_two_rounds(party: Party) -> None:
    """And is not let in again by itself."""
    phones = {name: party.guest(name) for name in ("Ana", "Bob", "Cleo", "Zoë")}
    party.start()
    assert 200 == phones["Bob"].post("/api/v1/leave", {}).status_code
    assert 4 == len(party.players)
    party.later()
    party.later()
    assert ["Ana", "Cleo", "Zoë"] == party.players
    assert "" == phones["Bob"].get("/api/v1/seat").json["id"]


def test_who_leaves_while_the_disk_is_full_goes_as_soon_as_there_is_room(party: Party) -> None:
    """Until then Bob is one who leaves; a nose that nobody holds would stay in the game for good."""
    phones = {name: party.guest(name) for name in ("Ana", "Bob", "Cleo", "Zoë")}
    party.start()
    phones["Bob"].post("/api/v1/leave", {})
    party.store.room = 0
    party.later()
    assert ["Ana", "Bob", "Cleo", "Zoë"] == party.players
    party.store.room = None
    party.later()
    assert ["Ana", "Cleo", "Zoë"] == party.players


def test_who_has_left_as_the_power_went_does_not_come_back_by_itself(party: Party) -> None:
    """The log has it, what is kept of the devices has not yet: there Cleo would wait for the next deal."""
    for name in ("Ana", "Bob", "Cleo", "Dan"):
        party.guest(name)
    party.start()
    kept = party.access.devices.guests
    party.host.command("regroup", players=["Ana", "Bob", "Dan"])
    party.access.devices.change(lambda _: kept)
    party.house.lobby = Lobby(party.table, party.access.devices, lambda: LINES, lambda line: True)
    party.house.lobby.follow(party.table.snapshot)
    party.later()
    assert ["Ana", "Bob", "Dan"] == party.players == [one.name for one in party.access.devices.guests]


def test_a_host_arranges_the_table_and_whoever_comes_meanwhile_stays(party: Party) -> None:
    """People without phones are typed in; the order is the host's."""
    party.guest("Zoë")
    zoe = party.access.devices.guests[0]
    listed = party.host.post("/api/v1/lobby", {"guests": [{"name": "Ana"}, {"name": "Zoë", "id": zoe.id}]})
    assert ["Ana", "Zoë"] == [one["name"] for one in listed.json["guests"]]
    party.guest("Tom")
    party.host.post("/api/v1/lobby", {"guests": [{"name": "Zoë", "id": zoe.id}]})
    assert ["Zoë", "Tom"] == [one.name for one in party.access.devices.guests]
    party.host.post("/api/v1/lobby", {"guests": [], "removed": [zoe.id]})
    assert ["Tom"] == [one.name for one in party.access.devices.guests]
    (tom,) = party.access.devices.guests
    party.host.post("/api/v1/lobby", {"guests": [], "gone": [tom.id]})
    assert () == tuple(party.access.devices.guests), "the old name of `removed`, for a version"


def test_a_player_sits_elsewhere_before_the_first_deal(party: Party) -> None:
    """One touch on a place; in a game only a host can."""
    party.guest("Ana")
    zoe = party.guest("Zoë")
    assert 200 == zoe.post("/api/v1/seat", {"at": 1}).status_code
    assert ["Zoë", "Ana"] == [one.name for one in party.access.devices.guests]
    party.start("chickenfoot")
    assert 403 == zoe.post("/api/v1/seat", {"at": 2}).status_code


def test_a_host_changes_roles_at_once(party: Party) -> None:
    """Made a host, one again no more, put out: refused everything until the code is scanned again."""
    zoe = party.guest("Zoë")
    assert 200 == party.change("Zoë", role="host")
    assert 200 == zoe.get("/api/v1/pin").status_code
    assert 200 == party.change("Zoë", role="player")
    assert 403 == zoe.get("/api/v1/pin").status_code
    assert 200 == party.change("Zoë", remove=True)
    assert {403} == {zoe.get(path).status_code for path in ("/", "/api/v1/state", "/nose")}
    assert 200 == zoe.get("/join").status_code
    assert 200 == zoe.post("/api/v1/seat", {"name": "Zoë"}).status_code


def test_a_new_pin_leaves_only_who_drew_it(party: Party) -> None:
    """And the old one opens nothing any more; the new one can be told on."""
    first, second = party.phone(), party.phone()
    for one in (first, second):
        assert 200 == one.join().status_code
    drawn = first.post("/api/v1/pin", {}).json["pin"]
    assert PIN != drawn == first.get("/api/v1/pin").json["pin"]
    assert 403 == second.get("/api/v1/pin").status_code
    assert 403 == second.join(PIN).status_code
    assert 200 == second.join(drawn).status_code


def test_hosts_end_with_the_evening_but_for_the_one_that_ended_it(party: Party) -> None:
    """A guest who was let in once is none for ever; nor does anybody sit there still."""
    guest, host = party.guest("Zoë"), party.phone()
    party.change("Zoë", role="host")
    host.join()
    assert 200 == host.command("new-evening").status_code
    assert (200, 403) == (host.get("/api/v1/pin").status_code, guest.get("/api/v1/pin").status_code)
    assert () == party.access.devices.guests


def test_the_code_that_everybody_sees_makes_nobody_a_host() -> None:
    """It is the address of the name page: neither PIN nor secret is in it."""
    asked: list[str] = []
    app = make_app(FakeTable(), make_access(lan=True), join_address="http://192.0.2.2:8080/join")
    app.extensions["lastnose.house"].work = lambda _, says: asked.append(says) or b""
    assert 200 == Phone.in_network(app).get("/api/v1/qr.svg").status_code
    assert ["http://192.0.2.2:8080/join"] == asked
