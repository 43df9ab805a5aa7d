"""The JSON API over a table: what it answers, and how it refuses."""

from __future__ import annotations

import json
import re

import pytest
from lastnose.companion.core.errors import BadInput, IllegalMove, NotNow, StoreError
from lastnose.companion.core.text import text
from lastnose.companion.evening import commands
from lastnose.companion.evening.commands import NewEvening, Start
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table

from tests.support.fakes import ROUND, TAPE, FakeTable
from tests.support.phones import Phone, make_access, make_app
from tests.support.tables import AnsweringTable


def test_state_is_the_newest_snapshot(table: FakeTable, browser: Phone) -> None:
    """What the table shows is what the API tells, and nothing is cached."""
    table.show(headline=text("Play!"), phase="armed")
    answer = browser.get("/api/v1/state")
    assert (200, "armed", 8) == (answer.status_code, answer.json["phase"], answer.json["version"])
    assert "no-store" == answer.headers["Cache-Control"]


def test_lists_come_under_their_name(browser: Phone) -> None:
    """Games, players and rounds each have their key, so that more can come beside them."""
    assert "pig" in [game["name"] for game in browser.get("/api/v1/games").json["games"]]
    players = browser.get("/api/v1/players").json
    assert (["Zoé", "North", "East", "South"], ["nose.1", "nose.2", "nose.3"]) == (
        players["players"],
        players["lines"],
    )
    assert [ROUND.seq] == [found["seq"] for found in browser.get("/api/v1/rounds").json["rounds"]]
    assert ROUND.seq == browser.get(f"/api/v1/rounds/{ROUND.seq}").json["round"]["seq"]


def test_a_stranger_learns_no_name_of_an_earlier_evening() -> None:
    """Neither from the API nor from the page that offers them; those who play now are on every screen."""
    store = MemoryStore()
    lines = ("nose.1", "nose.2", "nose.3")
    table = Table(store, lines, simulated=True, wall_s=lambda: 1.0)
    table.execute(Start("pig", ("Vesna", "Marko", "Ivan")), "host")
    table.execute(NewEvening(), "host")
    app = make_app(AnsweringTable(table), make_access(lan=True))
    host, stranger = Phone(app), Phone.in_network(app)
    assert ["Vesna", "Marko", "Ivan"] == host.get("/api/v1/players").json["players"]
    assert [] == stranger.get("/api/v1/players").json["players"]
    assert "Vesna" in host.get("/setup").get_data(as_text=True)
    assert "Vesna" not in stranger.get("/setup").get_data(as_text=True)
    table.execute(Start("pig", ("Ana", "Ben", "Cem")), "host")
    assert ["Ana", "Ben", "Cem"] == stranger.get("/api/v1/players").json["players"]
    assert list(lines) == stranger.get("/api/v1/players").json["lines"]


def test_files_are_sent_to_be_kept(browser: Phone) -> None:
    """Tape, CSV and JSON come as attachments with a name."""
    tape = browser.get(f"/api/v1/rounds/{ROUND.seq}/tape")
    assert (TAPE, "application/jsonl") == (tape.get_data(as_text=True), tape.mimetype)
    assert 'attachment; filename="round-12.jsonl"' == tape.headers["Content-Disposition"]
    csv = browser.get("/api/v1/export.csv")
    assert ("text/csv; charset=utf-8", "round,last\n1,Zoé\n") == (
        csv.content_type,
        csv.get_data(as_text=True),
    )
    assert {"evening": 1} == browser.get("/api/v1/export.json").json


def test_a_tape_is_read_as_its_first_500_lines(browser: Phone) -> None:
    """Each with what its stamp is sure to, as people read it; a round without a tape says so."""
    found = browser.get(f"/api/v1/rounds/{ROUND.seq}/edges").json
    assert (500, 600) == (len(found["edges"]), found["of"])
    texts = [edge["u_text"] for edge in found["edges"][:2]]
    assert (None, "10 µs") == (texts[0], texts[1].replace("\u202f", " ").replace("\xa0", " "))


def test_statistics_name_every_time_and_what_it_is_worth(browser: Phone) -> None:
    """Nanoseconds as they are, and beside them the text that people read, in their language."""
    found = browser.get("/api/v1/statistics?lang=fr").json
    assert [("Cochon", 1)] == [(game["title"], game["rounds"]) for game in found["games"]]
    east = found["players"][1]
    assert {
        "seq": 12,
        "after_ns": 1_250_000,
        "u_ns": 20_000,
        "after_text": "1,250\u00a0ms",
        "u_text": "0,020\u00a0ms",
    } == (east["best"])
    assert ("1,250\u00a0ms", "0,020\u00a0ms") == (east["median_text"], east["median_u_text"])
    assert ("East", "South", "412\u00a0µs") == tuple(
        found["closest"][0][key] for key in ("rival", "last", "margin_text")
    )
    assert None is found["players"][0]["median_text"]


@pytest.mark.parametrize("path", ["rounds/99", "rounds/99/tape", "rounds/99/edges", "nothing", "rounds/x"])
def test_what_is_not_there_is_one_sentence(browser: Phone, path: str) -> None:
    """Unknown rounds and addresses are refused as JSON with one sentence."""
    answer = browser.get(f"/api/v1/{path}")
    assert 404 == answer.status_code
    assert {"error", "rule"} == set(answer.json)
    assert answer.json["error"].endswith(".")


def test_a_command_reaches_the_table_and_its_new_state_comes_back(table: FakeTable, browser: Phone) -> None:
    """The answer is the state after the command, not before."""
    answer = browser.command("start", game="pig", players=["North", "Zoé"], options={"word": "COCHON"})
    assert (200, 8) == (answer.status_code, answer.json["state"]["version"])
    wish = commands.Start(game="pig", players=("North", "Zoé"), options={"word": "COCHON"})
    assert [(wish, "host")] == table.commands


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"type": "void", "reason": "tea"}, commands.Void(reason="tea")),
        (
            {"type": "play", "move": {"type": "talked", "seat": 2}},
            commands.Play(move={"type": "talked", "seat": 2}),
        ),
        ({"type": "undo"}, commands.Undo()),
        ({"type": "redo", "seq": 4}, commands.Redo(seq=4)),
        ({"type": "amend", "seq": 4, "move": {}}, commands.Amend(seq=4, move={})),
        ({"type": "finish"}, commands.Finish()),
        ({"type": "new-evening"}, commands.NewEvening()),
        ({"type": "bind", "player": None}, commands.Bind(player=None)),
        ({"type": "rearm", "seconds": 2.5}, commands.Rearm(seconds=2.5)),
    ],
)
def test_every_kind_of_command_is_understood(
    table: FakeTable, browser: Phone, body: dict[str, object], expected: commands.Command
) -> None:
    """The type decides which command it is."""
    assert 200 == browser.post("/api/v1/commands", body).status_code
    assert [expected] == [command for command, _ in table.commands]


DEEP: list[object] = []
for _ in range(200):
    DEEP = [DEEP]
UNREADABLE: list[object] = [
    {},
    [],
    {"type": "explode"},
    {"type": "play"},
    {"type": "undo", "seq": "last"},
    "arm",
    {"type": "play", "move": {"seat": DEEP}},
    {"type": "play", "move": {"seat": 2**64}},
    {"type": {}},
]


@pytest.mark.parametrize("body", UNREADABLE, ids=range(len(UNREADABLE)))
def test_a_command_that_cannot_be_read_changes_nothing(
    table: FakeTable, browser: Phone, body: object
) -> None:
    """One sentence that says what does not fit; the table never hears of it."""
    answer = browser.post("/api/v1/commands", body)
    assert 400 == answer.status_code
    assert answer.json["error"].startswith("This request cannot be read: ")
    assert [] == table.commands


def test_only_json_is_read(browser: Phone) -> None:
    """A form from somewhere else is not a command."""
    token = browser.get("/csrf").get_data(as_text=True)
    answer = browser.client.post("/api/v1/commands", data="type=arm", headers={"X-CSRFToken": token})
    assert (415, True) == (answer.status_code, "application/json" in answer.json["error"])


def test_a_request_that_is_too_large_is_refused(browser: Phone) -> None:
    """256 KB are plenty for a command."""
    answer = browser.command("void", reason="x" * 300_000)
    assert (413, "This request is larger than the 256 KB that are allowed.") == (
        answer.status_code,
        answer.json["error"],
    )


@pytest.mark.parametrize(
    ("refusal", "status", "rule"),
    [
        (IllegalMove("PIG-12", text("{player} is out.", player="Zoé")), 409, "PIG-12"),
        (NotNow(text("{player} is out.", player="Zoé")), 409, None),
        (BadInput(text("{player} is out.", player="Zoé")), 422, None),
        (StoreError(text("{player} is out.", player="Zoé")), 503, None),
    ],
)
def test_a_refusal_of_the_table_is_passed_on_with_its_rule(
    table: FakeTable, browser: Phone, refusal: BadInput, status: int, rule: str | None
) -> None:
    """The kind of the error decides the status; the rule is named where there is one."""
    table.refusal = refusal
    answer = browser.command()
    assert (status, {"error": "Zoé is out.", "rule": rule}) == (answer.status_code, answer.json)


def test_a_refusal_is_said_in_the_readers_language(table: FakeTable, browser: Phone) -> None:
    """Asked for in the address, or by the browser; English when neither is spoken here."""
    table.refusal = BadInput(text("There is nothing to take back or to put back."))
    answers = [
        browser.post("/api/v1/commands?lang=fr", {"type": "undo"}),
        browser.post("/api/v1/commands", {"type": "undo"}, Accept_Language="fr-CH,en;q=0.5"),
        browser.post("/api/v1/commands", {"type": "undo"}, Accept_Language="de"),
    ]
    french, also_french, english = (answer.json["error"] for answer in answers)
    assert "There is nothing to take back or to put back." == english
    assert french == also_french != english


def test_a_table_that_does_not_answer_is_an_error_in_time(
    table: FakeTable, browser: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page hears that it is not known whether the command went through."""
    monkeypatch.setattr("lastnose.web.context._ANSWER_WITHIN_S", 0.01)
    monkeypatch.setattr("lastnose.web.context._LOOK_EVERY_S", 0.01)
    table.silent = True
    answer = browser.command()
    assert (503, True) == (answer.status_code, "has not answered" in answer.json["error"])


def test_something_wrong_inside_is_told_without_its_insides(
    table: FakeTable, browser: Phone, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bug gives status 500 and one sentence; the traceback goes to the terminal, on stderr."""
    browser.client.application.testing = False
    table.rounds = None  # type: ignore[assignment,method-assign]
    answer = browser.get("/api/v1/rounds")
    assert (500, True) == (
        answer.status_code,
        answer.json["error"].startswith("Something went wrong inside."),
    )
    assert "NoneType" not in answer.get_data(as_text=True)
    assert ("", True) == ((said := capsys.readouterr()).out, "NoneType" in said.err)


def test_an_appeal_is_judged_with_the_given_times_and_stored_nowhere(
    table: FakeTable, browser: Phone
) -> None:
    """Microseconds in, both verdicts out, no command to the table."""
    answer = browser.post(f"/api/v1/rounds/{ROUND.seq}/appeal", {"confirm_us": 500, "lockout_us": 9000})
    assert ("Judged with 500000", "South was last: P") == (
        answer.json["round"]["headline"],
        answer.json["stored"]["headline"],
    )
    assert [] == table.commands
    assert (
        422
        == browser.post(f"/api/v1/rounds/{ROUND.seq}/appeal", {"confirm_us": 0, "lockout_us": 1}).status_code
    )


def test_the_clock_is_the_hosts_monotonic_clock(browser: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nanoseconds, nothing else."""
    monkeypatch.setattr("lastnose.companion.system.host_clock.now_ns", lambda: 123_456_789)
    assert {"t_ns": 123_456_789} == browser.get("/api/v1/clock").json


def test_the_document_names_every_route_and_only_those(browser: Phone) -> None:
    """Every reference leads somewhere. What a call was named one version ago is answered, not described."""
    former = {("/api/v1/sheet/counsel", "get")}
    served = {
        (re.sub(r"<(?:int:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in browser.client.application.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    document = browser.get("/api/v1/openapi.json").json
    told = {(path, method) for path, item in document["paths"].items() for method in item}
    assert served - former | {("/events", "get")} == told
    assert former <= served
    names = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    references = set(re.findall(r'"(#/components/schemas/[^"]+)"', json.dumps(document)))
    assert references <= names
    assert "#/components/schemas/Text" not in references


def test_what_is_not_known_in_a_request_is_named_and_nothing_is_done(
    table: FakeTable, browser: Phone
) -> None:
    """A key that was mistyped would else be as good as none; touches of phones are not looked at."""
    wish = {"type": "start", "game": "pig", "players": ["A", "B", "C"], "optoins": {}}
    answer = browser.post("/api/v1/commands", wish)
    assert (400, "This request cannot be read: optoins is not a key that is known here.") == (
        answer.status_code,
        answer.json["error"],
    )
    assert [] == table.commands
    assert 400 == browser.post("/api/v1/commands", {"type": "undo", "players": []}).status_code
    cell = {"hand": 1, "seat": 1, "points": 0, "colour": "red"}
    assert "colour is not a key" in browser.post("/api/v1/sheet/cells", cell).json["error"]
    wishes = browser.get("/api/v1/openapi.json").json["components"]["schemas"]
    assert [False, False, True] == [
        bool(wishes[name]["additionalProperties"]) for name in ("StartCommand", "PinTry", "Taps")
    ]


@pytest.mark.parametrize("number", ["x", "", "007", "NaN", "[1]"])
def test_a_number_in_a_query_that_is_none_is_named(browser: Phone, number: str) -> None:
    """Which one it is, and what it has to be; one that is too large is that."""
    said = browser.get(f"/api/v1/deal?game=pig&players={number}")
    assert (400, True) == (said.status_code, "players must be a whole number" in said.json["error"])
    assert "too large" in browser.get(f"/api/v1/deal?game=pig&players={10**19}").json["error"]


def test_the_document_describes_what_is_sent(browser: Phone) -> None:
    """The state has exactly the fields that its schema has, at every depth that the state reaches."""
    schemas = browser.get("/api/v1/openapi.json").json["components"]["schemas"]
    state = browser.get("/api/v1/state").json
    statistics = browser.get("/api/v1/statistics").json
    glance = browser.get("/api/v1/statistics/glance").json
    for name, found in {
        "Snapshot": state,
        "PlayerRow": state["rows"][0],
        "PhotoFinish": state["finish"],
        "Mark": state["finish"]["marks"][0],
        "RoundView": browser.get("/api/v1/rounds/12").json["round"],
        "Figures": statistics,
        "GameFigures": statistics["games"][0],
        "PlayerFigures": statistics["players"][0],
        "Glance": glance,
        "PlayerGlance": glance["players"][0],
        "Reaction": statistics["players"][1]["best"],
        "Close": statistics["closest"][0],
        "GameInfo": browser.get("/api/v1/games").json["games"][0],
        "OptionField": browser.get("/api/v1/games").json["games"][0]["options"][0],
    }.items():
        assert set(schemas[name]["properties"]) == set(found), name


def test_saved_variations_are_told() -> None:
    """A name, a game, its options: what a page needs to offer them."""
    found = Phone(make_app()).get("/api/v1/variations").get_json()
    assert {
        "variations": [{"name": "Our Pig", "game": "pig", "options": {"word": "SOW", "stock": True}}]
    } == found
