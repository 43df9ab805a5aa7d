"""A running table comes into a hall without being ended: by a code, or by asking the desk."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from flask import Flask
from lastnose.companion.app.app import App
from lastnose.companion.config.settings import RunSettings, load_profile
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.event import commands
from lastnose.companion.event.messages import NearHall
from lastnose.companion.link import hub, keys, membership
from lastnose.companion.link.door import HallDoor
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.membership import Membership, load
from lastnose.companion.link.store import HallStore
from lastnose.web.hall.pages import create_hall_app
from werkzeug.serving import make_server

from tests.support.hall_pages import pages_of, post
from tests.support.halls import arranged, call_round, live_hall, until
from tests.support.phones import Phone, make_access, make_app
from tests.support.tables import started


class Clock:
    """Time that the test makes."""

    def __init__(self) -> None:
        self.s = 0.0

    def __call__(self) -> float:
        """Return it."""
        return self.s


class Inside:
    """What a table does in a hall, without a message server: it notes that it is there."""

    def __init__(self, folder: Path) -> None:
        self.members: list[Membership] = []
        self.left = 0
        self.folder, self.clock = folder, Clock()
        self.door = HallDoor(folder, "kitchen", self._enter, self._leave, ask_s=0.01, now_s=self.clock)

    def _enter(self, member: Membership) -> object:
        self.members.append(member)
        return lambda: self.members.remove(member)

    def _leave(self) -> None:
        self.left += 1


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """Return a hall whose clock stands."""
    store = HallStore(tmp_path / "hall")
    yield Hall(store, random=Random(3), now_s=Clock())
    store.close()


@contextmanager
def serving(pages: Flask) -> Iterator[str]:
    """Serve *pages*, and return where."""
    server = make_server("127.0.0.1", 0, pages, threaded=True)
    serves = threading.Thread(target=server.serve_forever)
    serves.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        serves.join()
        server.server_close()


@pytest.fixture
def address(hall: Hall) -> Iterator[str]:
    """Return where the pages of the hall are served."""
    with serving(pages_of(hall)) as made:
        yield made


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[Inside]:
    """Return a table that is in no hall."""
    (tmp_path / "table").mkdir()
    made = Inside(tmp_path / "table")
    made.door.start()
    yield made
    made.door.stop()


def test_a_table_that_asks_comes_in_by_one_touch_of_the_desk(
    hall: Hall, address: str, inside: Inside, tmp_path: Path
) -> None:
    """Its page and the desk show the same letters; it is in again after a restart, and leaves."""
    shown = inside.door.come(address)
    (asks,) = hall.view.asking or asking(hall)
    assert ("asks", f"http://{address}/", asks.check) == (shown.stands, shown.hall, shown.check)
    assert ("kitchen", []) == (asks.name, inside.members)
    assert 1 == hall.let_in((asks.id,), "Ann")
    assert () == hall.view.asking
    until(lambda: inside.members, "the table to be in")
    (member,) = inside.members
    assert (1, asks.id, hall.event) == (member.number, member.table, member.event)
    assert ("in", 1) == (inside.door.view.stands, inside.door.view.number)
    assert "Ann" == hall.own()[-1][1].by
    assert member == load(tmp_path / "table")
    with pytest.raises(NotNow, match="in a hall already"):
        inside.door.come(address)
    inside.door.stop()
    assert [] == inside.members
    inside.door.start()
    assert [member] == inside.members
    assert "out" == inside.door.leave().stands
    assert ([], 1, None) == (inside.members, inside.left, load(tmp_path / "table"))


def asking(hall: Hall) -> tuple[object, ...]:
    """Return who asks, once the hall shows what has come."""
    hall.tick()
    return hall.view.asking


def test_a_table_with_a_code_is_in_at_once(hall: Hall, address: str, inside: Inside) -> None:
    """As on the command line; a code that is none is answered with the hall's own sentence."""
    code = hall.invite()
    assert ("in", 1) == (inside.door.come(f"http://{address}/#{code}").stands, inside.members[0].number)
    inside.door.leave()
    hall.invite(renew=True)
    with pytest.raises(BadInput, match="not the code of this evening"):
        inside.door.come(f"http://{address}/#{code}")
    assert "out" == inside.door.view.stands


@pytest.mark.parametrize("written", ["", "hall", "ftp://hall/", "http://hall:port/", "two words"])
def test_what_is_no_hall_is_said_in_one_sentence(inside: Inside, written: str) -> None:
    """Nothing is asked for, and nothing is kept."""
    wrong = "is not an invitation from a hall" if written != "hall" else "does not answer"
    with pytest.raises(BadInput, match=wrong):
        inside.door.come(written)
    assert "out" == inside.door.view.stands


class Greeting(socketserver.BaseRequestHandler):
    """A machine behind whose port something else than pages answers."""

    def handle(self) -> None:
        """Say what a page's server never says."""
        self.request.recv(10_000)
        self.request.sendall(b"SSH-2.0-OpenSSH_9\r\n")


@pytest.mark.parametrize("code", ["", "#abcdefghjk"])
def test_a_machine_that_speaks_another_language_is_said_in_one_sentence(inside: Inside, code: str) -> None:
    """A port is mistyped easily, and behind it may be anything."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Greeting) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        try:
            port = server.server_address[1]
            with pytest.raises(BadInput, match=f"The hall at http://127.0.0.1:{port}/ does not answer"):
                inside.door.come(f"127.0.0.1:{port}{code}")
        finally:
            server.shutdown()
            serving.join()
    assert "out" == inside.door.view.stands


def test_who_gives_up_while_the_desk_answers_stays_out(
    inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is on its way when somebody touches *Ask no more*."""

    def answer(hall: str, table: str, seed: str, _: str) -> Membership:
        inside.door.leave()
        return Membership(hall, "abcdefgh", "nats://192.168.1.5:4222", 1, table, seed)

    monkeypatch.setattr(membership, "ask_in", answer)
    assert "out" == inside.door.come("192.168.1.5:8100").stands
    assert ([], None) == (inside.members, load(tmp_path / "table"))


def test_nobody_takes_the_place_of_a_table_that_waits_at_the_door(hall: Hall) -> None:
    """The hall's screens tell its id to everybody: who the desk sees is who is let in."""
    table = keys.random_id(keys.TABLE)
    ours, theirs = (keys.public_key(keys.make_seed()) for _ in range(2))
    assert 0 == hall.ask(table, ours, "kitchen")
    with pytest.raises(NotNow, match="Another table asks"):
        hall.ask(table, theirs, "kitchen")
    hall.let_in((table,), "Ann")
    assert (1, ours) == (hall.ask(table, ours, "kitchen"), hall.state.tables[table].key)


def test_nobody_comes_in_as_a_table_that_the_hall_knows_by_another_key(hall: Hall) -> None:
    """Neither with a code, nor by asking, nor once that one is out."""
    table = keys.random_id(keys.TABLE)
    ours, theirs = (keys.public_key(keys.make_seed()) for _ in range(2))
    hall.admit(hall.invite(), table, ours)
    code = hall.invite()
    with pytest.raises(NotNow, match="another key is in"):
        hall.admit(code, table, theirs)
    hall.do(commands.PutTableOut(1), "Ann")
    with pytest.raises(NotNow, match="Another table asks"):
        hall.ask(table, theirs, "kitchen")
    assert () == asking(hall)
    assert (1, ours) == (hall.admit(code, table, ours), hall.state.tables[table].key)


def test_who_asks_no_more_goes_from_the_desk(hall: Hall, address: str, inside: Inside) -> None:
    """After 15 seconds of silence; whoever gives up is not let in behind their back."""
    inside.door.come(address)
    (one,) = asking(hall)
    assert "out" == inside.door.leave().stands
    clock = hall._now_s
    clock.s = 14.0
    hall.look_at_tables()
    assert (one,) == asking(hall)
    clock.s = 60.0
    hall.look_at_tables()
    assert () == asking(hall)
    assert 0 == hall.let_in((one.id,), "Ann")
    assert [] == inside.members


def test_a_table_that_was_put_out_asks_again_and_is_the_same_once_it_is_let_in(
    hall: Hall, address: str, inside: Inside
) -> None:
    """Its page shows its letters once more; what it does in the hall is not begun a second time."""
    door = inside.door
    first = door.come(f"{address}#{hall.invite()}")
    (member,) = inside.members
    hall.do(commands.PutTableOut(1), "Ann")
    door.shut_out()
    until(lambda: asking(hall), "the desk to show it")
    until(lambda: door.view.stands == "asks", "its page to say so")
    assert keys.check(keys.public_key(member.seed)) == door.view.check
    assert 1 == hall.let_in((member.table,), "Ann")
    until(lambda: door.view == first, "the table to be in")
    assert (first.stands, [member], load(inside.folder)) == ("in", inside.members, member)
    door.stop()


def test_what_is_spoilt_is_retired_with_one_button_and_the_table_goes_on_under_a_new_name(
    hall: Hall, address: str, inside: Inside
) -> None:
    """The desk's button removes it; it asks as another, with another key, and gets its number back."""
    inside.door.come(f"{address}#{hall.invite()}")
    (member,) = inside.members
    hall.refused(member.table, "a hole")
    hall.tick()
    client = pages_of(hall).test_client()
    (todo,) = [one for one in client.get("/api/v1/hall/state").json["todos"] if one["kind"] == "refused"]
    assert "Remove it" == todo["button"]
    post(client, "commands", {"command": todo["command"]})
    inside.door.shut_out()
    until(lambda: asking(hall), "the desk to show it")
    (asks,) = asking(hall)
    assert asks.id != member.table
    assert asks.key != keys.public_key(member.seed)
    hall.let_in((asks.id,), "Ann")
    until(lambda: inside.members and inside.members[0].table == asks.id, "the table to be in")
    (now,) = inside.members
    assert (1, now) == (now.number, load(inside.folder))
    inside.door.stop()


def test_a_table_that_only_its_message_server_does_not_know_yet_stays_in_and_asks_now_and_then(
    hall: Hall, address: str, inside: Inside
) -> None:
    """As where somebody else runs the server, and accounts.conf is to be copied: the desk is not bothered."""
    inside.door.come(f"{address}#{hall.invite()}")
    for _ in range(2):
        inside.door.shut_out()
        until(lambda: inside.door._asking is None, "the hall to say that it is in")
        assert ("in", ()) == (inside.door.view.stands, asking(hall))
    inside.clock.s = 9.9
    inside.door.shut_out()
    assert inside.door._asking is None
    inside.clock.s = 10.0
    with inside.door._lock:  # it comes or goes this moment: nobody waits for that
        other = threading.Thread(target=inside.door.shut_out, daemon=True)
        other.start()
        other.join(5)
        assert (False, None) == (other.is_alive(), inside.door._asking)
    inside.door.shut_out()
    assert inside.door._asking is not None
    inside.door.stop()


def test_one_stranger_does_not_fill_the_door(hall: Hall) -> None:
    """Eight of an address wait; others still come in, and so does it once it asks for fewer."""
    key = keys.public_key(keys.make_seed())
    ids = [keys.random_id(keys.TABLE) for _ in range(hub.OF_ONE + 1)]
    for one in ids[:-1]:
        assert 0 == hall.ask(one, key, "", "192.0.2.1")
    with pytest.raises(NotNow, match="Too many tables ask"):
        hall.ask(ids[-1], key, "", "192.0.2.1")
    assert 0 == hall.ask(ids[0], key, "", "192.0.2.1"), "who waits already asks on"
    assert 0 == hall.ask(ids[-1], key, "", "192.0.2.2")
    hall.tick()
    assert ids == [one.id for one in asking(hall)]


def test_all_that_ask_are_let_in_at_once_and_no_more_than_64_wait(hall: Hall) -> None:
    """A stranger fills the door, and not the hall; what is no table is refused, too long a name not shown."""
    client = pages_of(hall).test_client()
    ids = [keys.random_id(keys.TABLE) for _ in range(hub.AT_DOOR + 1)]
    key = keys.public_key(keys.make_seed())
    answers = [
        client.post(
            "/api/v1/hall/asks",
            json={"table": one, "key": key, "name": "N" * n},
            environ_base={"REMOTE_ADDR": f"192.0.2.{n // hub.OF_ONE}"},
        )
        for n, one in enumerate(ids)
    ]
    assert [200] * 64 + [409] == [one.status_code for one in answers]
    assert "with a code from the desk" in answers[-1].json["error"]
    assert 422 == client.post("/api/v1/hall/asks", json={"table": "no", "key": key}).status_code
    hall.tick()
    todos = [one for one in client.get("/api/v1/hall/state").json["todos"] if one["kind"] == "asks"]
    nameless = f"{keys.check(key)} asks to be let in."
    assert (64, nameless) == (len(todos), todos[0]["says"])
    assert "N asks to be let in." == todos[1]["says"]
    assert nameless == todos[-1]["says"], "its name is longer than any"
    assert {"Let all 64 tables in"} == {one["other"] for one in todos}
    assert {f"Its page shows {keys.check(key)}."} == {one["why"] for one in todos}
    shown = post(client, "let-in", {"tables": [one["table"] for one in todos]})
    assert [*range(1, 65)] == [one["number"] for one in shown["tables"]]
    assert [] == [one for one in shown["todos"] if one["kind"] == "asks"]
    stranger = client.post(
        "/api/v1/hall/let-in", json={"tables": []}, environ_base={"REMOTE_ADDR": "192.0.2.9"}
    )
    assert 400 <= stranger.status_code < 500
    answer = client.post("/api/v1/hall/asks", json={"table": ids[0], "key": key}).json
    server = "nats://localhost:4222"
    assert {"event": hall.event, "number": 1, "engine": server, "spoilt": False} == answer
    other = keys.public_key(keys.make_seed())
    again = client.post("/api/v1/hall/asks", json={"table": ids[0], "key": other})
    assert 409 == again.status_code, "who only knows a table's id is not taken for it"


def test_a_running_table_joins_a_hall_plays_in_it_and_leaves_it(tmp_path: Path) -> None:
    """Both ends, and the message server between them: the table is never ended."""
    with live_hall(tmp_path) as live:
        pages = create_hall_app(
            live.hall, make_access(lan=True), engine=lambda host: live.address, address=lambda: None
        )
        profile = load_profile("mock")
        running = App(RunSettings(source="mock", profile=profile, data_dir=tmp_path / "table", port=0))
        with serving(pages) as address, started(running) as app:
            assert "asks" == app.door.come(address).stands
            until(lambda: live.hall.view.asking, "the desk to show who asks")
            (asks,) = live.hall.view.asking
            live.hall.let_in((asks.id,), "Ann")
            until(lambda: asks.id in live.hall.view.there, "the table to be heard")
            arranged(live.hall, "Aya,Noor,Tom", tables=1, rounds=1, final=0)
            call_round(live.hall)
            now = app.table
            until(lambda: now.snapshot.hall and now.snapshot.hall.match, "the called game to begin")
            assert {"Aya", "Noor", "Tom"} == {row.player for row in app.table.snapshot.rows}
            live.hall.do(commands.PutTableOut(1), "Ann")
            until(lambda: live.hall.view.asking, "the table that was put out to ask again")
            live.hall.let_in((asks.id,), "Ann")
            until(
                lambda: app.door.view.stands == "in" and not app.table.snapshot.hall.link, "it to be in again"
            )
            app.door.leave()
            until(lambda: app.table.snapshot.hall is None, "the table to be alone")
            assert {"Aya", "Noor", "Tom"} == {row.player for row in app.table.snapshot.rows}, "it plays on"


def test_only_a_host_takes_a_table_into_a_hall(inside: Inside, address: str, hall: Hall) -> None:
    """From its own machine or with the PIN; a page says in one sentence what is wrong."""
    pages = make_app(None, make_access(lan=True), door=inside.door)
    host, guest = Phone(pages), Phone(pages, address="192.0.2.7")
    for path, body in (("hall", {"address": address}), ("hall/leave", {})):
        assert 403 == guest.post(f"/api/v1/{path}", body).status_code
    assert 302 == guest.get("/hall").status_code
    assert 422 == host.post("/api/v1/hall", {"address": "two words"}).status_code
    assert "asks" == host.post("/api/v1/hall", {"address": address}).json["stands"]
    assert host.get("/api/v1/hall").json["check"] in host.get("/hall").get_data(as_text=True)
    assert 1 == len(asking(hall))
    assert "out" == host.post("/api/v1/hall/leave", {}).json["stands"]
    tape = Phone(make_app())
    assert "out" == tape.get("/api/v1/hall").json["stands"]
    assert 409 == tape.post("/api/v1/hall", {"address": address}).status_code, "a tape comes into no hall"


def evening_code(
    kept: dict[str, str], wall_s: float = 0.0, now_s: float = 0.0
) -> tuple[keys.EveningCode, list[float], list[float]]:
    """Return a code of an evening with its time of day, and its clock that is never set."""
    wall, now = [wall_s], [now_s]
    told = (lambda: wall[0]), (lambda: now[0]), (lambda: now[0])
    return keys.EveningCode(kept.__getitem__, kept.__setitem__, *told), wall, now


def test_the_code_lives_for_twelve_hours_and_who_guesses_waits_a_minute() -> None:
    """Eight wrong codes of an address a minute; others are not held up by it."""
    kept = {"code": ""}
    code, _, now = evening_code(kept, 1_000_000.0)
    shown = code.shown()
    for _ in range(8):
        with pytest.raises(BadInput, match="not the code"):
            code.check("aaaaaa" if shown != "aaaaaa" else "bbbbbb", "192.0.2.1")
    with pytest.raises(NotNow, match="wait a minute"):
        code.check(shown, "192.0.2.1")
    code.check(shown, "192.0.2.2")
    now[0] = 61
    code.check(shown, "192.0.2.1")
    now[0] = 12 * 3600 - 1
    code.check(shown, "192.0.2.1")
    again, wall, _ = evening_code(kept, 1_000_000.0 + 12 * 3600 - 1)
    assert shown == again.shown()
    wall[0] += 2
    now[0] += 2
    for late in (code, again):
        with pytest.raises(BadInput, match="not the code"):
            late.check(shown, "192.0.2.2")
        assert shown != late.shown()


def test_the_code_that_stands_on_the_wall_lets_tables_in_after_the_clock_was_set() -> None:
    """A hub without a clock of its own begins a year behind, and is told the time by the network."""
    code, wall, now = evening_code({"code": ""}, 1_000_000.0)
    shown = code.shown()
    now[0] += 60
    for set_to in (1_000_000.0 + 365 * 86_400, 1_000_000.0 - 86_400):
        wall[0] = set_to
        code.check(shown, "192.0.2.1")
        assert shown == code.shown()


def test_a_hall_announces_itself_and_a_table_finds_it_and_comes_in_with_the_code_alone(
    hall: Hall, address: str, inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By multicast DNS on the loopback; one that answers nothing is not listed, nor one that has ended."""
    lo = ["127.0.0.1"]
    monkeypatch.setattr(membership, "SERVICE", "_lastnose-try._tcp.local.")  # a hall may run on this machine
    host, port = address.rsplit(":", 1)
    ends = [
        membership.announce(int(port), lo, name="kitchen", on=lo),
        membership.announce(9, lo, name="mute", on=lo),
    ]
    found: tuple[NearHall, ...] = ()
    for _ in range(20):  # until it has made sure that nobody else is called so
        found = found or membership.find_halls(within_s=0.5, on=lo)
    assert [f"http://{host}:{port}/"] == [one.address for one in found]
    looked: list[int] = []
    with monkeypatch.context() as at_hand:
        at_hand.setattr(membership, "find_halls", lambda: looked.append(1) or found)
        assert "in" == inside.door.come(f" {hall.invite().upper()} ").stands
    assert [1] == looked
    for end in ends:
        end()
    assert () == membership.find_halls(within_s=0.2, on=lo)
