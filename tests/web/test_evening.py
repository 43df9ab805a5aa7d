"""A real table on simulated noses behind the real server: from taps and commands to the stream."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from lastnose.companion.evening.events import ZeroTested
from lastnose.companion.table.memory_store import MemoryStore

from tests.support.phones import TOKEN
from tests.support.streams import Stream, eventually
from tests.support.tables import Served, served

US, MS = 1_000, 1_000_000
LINES = tuple(f"nose.{n}" for n in range(1, 5))
TRIES = 30


class Evening:
    """A table with its page, and what a page would ask of it."""

    def __init__(self, running: Served) -> None:
        self.server = running.server
        self.armed_at = 0

    def ask(self, path: str, body: Any = None) -> Any:
        """Return the answer of the API; a refusal comes as its JSON too."""
        wish = urllib.request.Request(
            f"http://127.0.0.1:{self.server.port}/api/v1/{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(wish, timeout=120) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return json.loads(error.read())

    def decided(self, stream: Stream, *taps: tuple[int, int]) -> dict[str, Any]:
        """Begin, tap *taps*, and return the state with its verdict.

        What reaches a busy table too late voids the round, as it should: then the same is played again.
        """
        for _ in range(TRIES):
            self.begin()
            while (armed := wait_for(stream, "armed", "void"))["phase"] == "void":
                pass  # of the round before
            self.armed_at = armed["seq"]
            self.tap(*taps)
            shown = wait_for(stream, "void", "verdict")
            if shown["phase"] != "void":
                return shown
            self.tap(*((seat, 0) for seat, _ in taps), level=0)
        pytest.fail(f"void {TRIES} times: {shown['proof']}")

    def begin(self) -> None:
        """Start a game of three and arm the first round."""
        self.ask(
            "commands",
            {"type": "start", "game": "pig", "players": ["North", "Zoé", "South"], "rearm_s": None},
        )
        self.ask("clock", {"page": "p1"})
        self.ask("commands", {"type": "arm"})

    def tap(self, *noses: tuple[int, int], level: int = 1) -> None:
        """Tap *noses*, given as (seat, ns before now), as the page does it at once, and let it promise."""
        now_ns = time.monotonic_ns()
        taps = [{"line": f"nose.{seat}", "level": level, "t_ns": now_ns - before} for seat, before in noses]
        word = {"page": "p1", "clock_u_ns": 200 * US, "taps": taps}
        self.ask("taps", word)
        self.ask("taps", word | {"taps": [], "promised_ns": time.monotonic_ns()})


@pytest.fixture
def evening(monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    """Return a running evening, at which a touch counts however long a busy machine takes to tell of it."""
    for name in ("_HANDED_NS", "_VOWED_NS"):
        monkeypatch.setattr(f"lastnose.web.taps.{name}", 20_000 * MS)
    with served(LINES, late_ns=1_000 * MS) as running:  # for so long a busy machine may hold a tap up
        yield Evening(running)


def wait_for(stream: Stream, *phases: str) -> dict[str, Any]:
    """Return the first state in one of *phases*; a verdict with everybody in it. None is void unasked."""
    while True:
        found = stream.message()
        assert found is not None, "the stream ended"
        data = found["data"]
        assert data["phase"] != "void" or "void" in phases, data["proof"]
        waits = data["phase"] == "verdict" and data["finish"] and data["finish"]["missing"]
        if data["phase"] in phases and not waits:
            assert isinstance(data, dict)
            return data


def test_taps_become_a_verdict_on_every_stream(evening: Evening) -> None:
    """20 ms apart on one page: the last is named, sure to 2 × 8.5 ms, and its clock’s rate over all of that.

    550 ppm of the host’s clock and 700 of the page’s, over 20 ms and what they may be wrong by, 17 ms.
    """
    with Stream(evening.server) as english, Stream(evening.server, lang="fr") as french:
        shown = evening.decided(english, (2, 45 * MS), (1, 25 * MS), (3, 5 * MS))
        while (said := wait_for(french, "verdict", "void"))["phase"] == "void":
            pass
        assert said["finish"] != shown["finish"]  # 1,5 and 1.5
    assert "South was last: P" == shown["headline"]
    assert [2, 1] == [mark["seat"] for mark in shown["finish"]["marks"]][:2]
    assert 17 * MS + 37 * 1_250 == shown["finish"]["u_ns"]
    assert shown["simulated"]


@pytest.mark.heavy
def test_a_tap_on_everybody_has_cards_that_a_verdict_overtakes_arms_nothing(evening: Evening) -> None:
    """It names the state that its page showed; who has seen the verdict is heard."""
    with Stream(evening.server) as stream:
        evening.decided(stream, (2, 45 * MS), (1, 25 * MS), (3, 5 * MS))
        seen = evening.armed_at
        evening.tap((1, 2 * MS), (2, 2 * MS), (3, 2 * MS), level=0)
        late = evening.ask("commands", {"type": "arm", "seq": seen})["state"]
        assert ("verdict", False) == (late["phase"], late["dealt"])
        assert evening.ask("commands", {"type": "arm", "seq": late["seq"]})["state"]["dealt"]
        while evening.ask("state")["phase"] != "armed":
            evening.tap()  # the page says that no finger came back; a silent one is waited for


def test_a_round_can_be_kept_appealed_corrected_and_taken_back(evening: Evening) -> None:
    """History, tape, appeal, amendment, undo and redo of a real round, through the API alone."""
    with Stream(evening.server) as stream:
        seq = evening.decided(stream, (2, 60 * MS), (1, 40 * MS), (3, 10 * MS))["seq"]
    found = next(one for one in evening.ask("rounds")["rounds"] if one["judged"] and not one["void"])
    with urllib.request.urlopen(
        f"http://127.0.0.1:{evening.server.port}/api/v1/rounds/{found['seq']}/tape"
    ) as file:
        tape = [json.loads(line) for line in file.read().decode().splitlines()]
    assert (1, ["North", "Zoé", "South"]) == (tape[0]["tape"], tape[0]["players"])
    presses = [entry for entry in tape if entry.get("level") == 1]
    assert [2, 1, 3] == [int(entry["line"].split(".")[1]) for entry in presses]
    assert 20 * MS == presses[1]["t_ns"] - presses[0]["t_ns"]
    again = evening.ask(f"rounds/{found['seq']}/appeal", {"confirm_us": 500, "lockout_us": 10_000})
    assert again["round"]["headline"] == again["stored"]["headline"] == "South was last: P"
    amended = evening.ask(
        "commands", {"type": "amend", "seq": found["seq"], "move": {"type": "last", "seats": [1]}}
    )["state"]
    assert ["P"] == amended["rows"][0]["letters"]
    back = evening.ask("commands", {"type": "undo"})["state"]
    assert ["P"] == back["rows"][2]["letters"]
    forth = evening.ask("commands", {"type": "redo"})["state"]
    assert ["P"] == forth["rows"][0]["letters"]
    assert forth["seq"] > back["seq"] > amended["seq"] > seq


def test_a_table_that_is_started_again_knows_which_phones_were_found_far_apart() -> None:
    """90 ms by the log, where two untested phones are sure to less."""
    store = MemoryStore()
    off_ns = (4 * MS, -90 * MS)
    noses = LINES[0], LINES[1]
    store.append(ZeroTested(by="box", at=1, lines=noses, off_ns=off_ns, u_ns=64 * MS, phones=("a", "b")))
    with served(LINES, store=store) as running:
        again = Evening(running)
        for line, phone in zip(LINES, "abcd", strict=True):
            again.ask("clock", {"page": f"page-{phone}", "owns": line, "phone": phone})
        assert eventually(lambda: sum(one["u_ns"] for one in again.ask("state")["phones"][:2]) > 90 * MS)
