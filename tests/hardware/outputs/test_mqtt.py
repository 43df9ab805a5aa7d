"""MQTT at a real Mosquitto: what stays, what is said once, Home Assistant, and a broker that is away."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from lastnose.companion.config.neighbours import MqttSettings
from lastnose.companion.core.ports import NewsKind, TableNews
from lastnose.companion.core.text import Text
from lastnose.companion.views.news import news
from lastnose.hardware.outputs.mqtt import MqttOutput

from tests.support.fakes import VERDICT
from tests.support.ports import free_port

WITHIN_S = 120
PASSWORD = "not-for-the-log"
BROKER = shutil.which(
    "mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/sbin"
)

pytestmark = pytest.mark.skipif(BROKER is None, reason="needs Mosquitto (Debian: apt install mosquitto)")
pytest.importorskip("paho.mqtt.client", reason="needs paho-mqtt (make mqtt)")


@contextmanager
def broker(folder: Path, port: int) -> Iterator[None]:
    """Run a Mosquitto on *port* that lets in "lastnose" with PASSWORD, and nobody else, as root too."""
    users = folder / "users"
    subprocess.run(["mosquitto_passwd", "-c", "-b", users, "lastnose", PASSWORD], check=True)
    config = folder / "mosquitto.conf"
    lines = (f"listener {port} 127.0.0.1", "allow_anonymous false", f"password_file {users}", "user root")
    config.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert BROKER is not None
    with subprocess.Popen([BROKER, "-c", config], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "running" in line:
                break
        try:
            yield
        finally:
            process.terminate()
            process.communicate(timeout=WITHIN_S)


class Listener:
    """Somebody else at the broker: `kept` has what the broker keeps, `events` what it does not.

    What is told empty, and kept by nobody, is heard by those who listen by then: from the start.
    """

    def __init__(self, port: int) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self.kept: dict[str, str] = {}
        self.events: list[dict[str, Any]] = []
        self.onlines: list[str] = []
        self._news = threading.Condition()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.username_pw_set("lastnose", PASSWORD)
        self._client.on_message = self._take
        self._client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        listens = threading.Event()
        self._client.on_subscribe = lambda *_: listens.set()
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert listens.wait(WITHIN_S)

    def _take(self, _: Any, __: Any, message: Any) -> None:
        with self._news:
            said = message.payload.decode()
            if message.topic.endswith("/event"):
                assert not message.retain
                self.events.append(msgspec.json.decode(said))
            else:
                self.kept[message.topic] = said
                # Who comes while it is said is told twice: by the broker's memory and by the table.
                if message.topic.endswith("/online") and self.onlines[-1:] != [said]:
                    self.onlines.append(said)
            self._news.notify_all()

    def wait_for(self, holds: Callable[[], bool]) -> None:
        """Wait until it holds."""
        with self._news:
            assert self._news.wait_for(holds, WITHIN_S), (self.kept, self.events)

    def close(self) -> None:
        """Leave."""
        self._client.disconnect()
        self._client.loop_stop()


def told(kind: NewsKind = "verdict") -> TableNews:
    """Return news of a verdict: South was last, by 412 µs."""
    return news(kind, VERDICT, at=100.0, table="Table 4", say=str)


def output(port: int, said: list[Text | None], password: str = PASSWORD) -> MqttOutput:
    """Return the output of "Table 4" to the broker on *port*."""
    settings = MqttSettings("127.0.0.1", port, "lastnose", password)
    return MqttOutput(settings, name="Table 4", table_id="table-4", say=str, report=said.append)


def test_values_stay_at_the_broker_and_an_event_does_not(tmp_path: Path) -> None:
    """Who comes later still sees who was last; only who is there hears that it happened."""
    port, said = free_port(), list[Text | None]()
    with broker(tmp_path, port):
        there = Listener(port)
        table = output(port, said)
        there.wait_for(lambda: there.kept.get("lastnose/table-4/online") == "online")
        table.tell(told())
        there.wait_for(lambda: bool(there.events))
        assert ("verdict", ["South"], 412_000) == tuple(
            there.events[0][key] for key in ("event_type", "who", "margin_ns")
        )
        later = Listener(port)
        later.wait_for(lambda: later.kept.get("lastnose/table-4/who") == "South")
        later.wait_for(lambda: later.kept.get("lastnose/table-4/seat/3/player") == "South")
        later.wait_for(lambda: "lastnose/table-4/state" in later.kept)
        assert [] == later.events
        table.close()
        later.wait_for(lambda: later.kept["lastnose/table-4/online"] == "offline")
        there.close()
        later.close()
    assert [] == said


def test_seats_that_nobody_has_any_more_are_empty_at_a_broker_that_was_not_told(tmp_path: Path) -> None:
    """Three played before the table was started again: the broker still had the third when two play now."""
    port, players = free_port(), {f"lastnose/table-4/seat/{seat}/player" for seat in (1, 2, 3)}
    two = msgspec.structs.replace(told(), standings=told().standings[:2])
    with broker(tmp_path, port):
        table = output(port, [])
        table.tell(told())
        there = Listener(port)
        there.wait_for(lambda: players <= there.kept.keys() and "lastnose/table-4/online" in there.kept)
        table.close()
        table = output(port, [])
        table.tell(two)
        there.wait_for(lambda: not there.kept["lastnose/table-4/seat/3/player"])
        assert there.kept["lastnose/table-4/seat/2/player"] == "East"
        table.close()
        there.close()


def test_home_assistant_finds_a_device_whose_entities_read_what_is_published(tmp_path: Path) -> None:
    """Each entity's topic is one that the table writes; the event's kinds are those that it sends."""
    port = free_port()
    with broker(tmp_path, port):
        there = Listener(port)
        table = output(port, [])
        table.tell(told())
        there.wait_for(lambda: there.kept.get("lastnose/table-4/online") == "online")
        table.tell(told("standings"))
        there.wait_for(lambda: bool(there.events))
        device = msgspec.json.decode(there.kept["homeassistant/device/lastnose_table-4/config"])
        states = {part["state_topic"] for name, part in device["components"].items() if name != "event"}
        there.wait_for(lambda: states <= there.kept.keys())
        table.close()
        there.close()
    assert device["device"]["name"] == "Table 4"
    assert device["availability_topic"] == "lastnose/table-4/online"
    parts = device["components"]
    event = parts.pop("event")
    assert event["platform"] == "event"
    assert "verdict" in event["event_types"]
    assert event["state_topic"] == "lastnose/table-4/event"
    assert {part["state_topic"] for part in parts.values()} == states
    assert parts["says"]["json_attributes_topic"] in there.kept
    assert len({part["unique_id"] for part in parts.values()}) == len(parts) == 6


def test_a_broken_line_is_told_by_the_last_will_and_mended_by_itself(tmp_path: Path) -> None:
    """The broker says "offline" for the table; a second later it is there again, with all its values.

    What had not been acknowledged before the cut is sent twice, as MQTT has it.
    """
    port, said = free_port(), list[Text | None]()
    with broker(tmp_path, port):
        there = Listener(port)
        table = output(port, said)
        table.tell(told())
        there.wait_for(lambda: there.onlines[:1] == ["online"])
        line = table._client.socket()
        assert line is not None
        line.shutdown(socket.SHUT_RDWR)
        there.wait_for(lambda: there.onlines[:3] == ["online", "offline", "online"])
        assert there.kept["lastnose/table-4/who"] == "South"
        table.close()
        there.close()
    assert [True, False] == [one is not None for one in said]


def test_a_broker_that_comes_later_gets_the_values_and_no_old_event(tmp_path: Path) -> None:
    """Nothing waits for it; that it is away is said once, without the password."""
    port, said = free_port(), list[Text | None]()
    table = output(port, said)
    table.tell(told())
    with broker(tmp_path, port):
        there = Listener(port)
        there.wait_for(lambda: there.onlines[:1] == ["online"])
        assert there.kept["lastnose/table-4/who"] == "South"
        assert [] == there.events
        table.close()
        there.close()
    assert PASSWORD not in " ".join(map(str, said))


def test_a_second_table_of_one_name_is_said_once_and_not_at_each_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broker sends each away when the other comes: both say so, and no longer that it works again."""
    monkeypatch.setattr("lastnose.hardware.outputs.mqtt.AGAIN_S", (0, 0))
    port, said, now_ns = free_port(), list[Text | None](), 1
    heard = threading.Event()

    def report(says: Text | None) -> None:
        said.append(says)
        if says is not None and "another one called table-4" in str(says):
            heard.set()

    settings = MqttSettings("127.0.0.1", port, "lastnose", PASSWORD)
    with broker(tmp_path, port):
        ours = MqttOutput(
            settings, name="Table 4", table_id="table-4", say=str, report=report, clock_ns=lambda: now_ns
        )
        theirs = output(port, [])
        assert heard.wait(WITHIN_S)
        turns = [str(one) for one in said if one is not None]
        theirs.close()
        there = Listener(port)
        ours.tell(told())
        there.wait_for(lambda: there.onlines[-1:] == ["online"])
        assert said[-1] is not None
        now_ns += 11_000_000_000

        def all_well() -> bool:
            ours.tell(told())
            return said[-1] is None

        there.wait_for(all_well)
        ours.close()
        there.close()
    assert 3 >= len(turns)
    assert 1 == len([one for one in turns if "Give one of them another name." in one])
    assert "127.0.0.1" in turns[-1]


def test_a_wrong_password_is_said_and_ends_in_time(tmp_path: Path) -> None:
    """The broker's own words, and the name of its machine."""
    port = free_port()
    heard = threading.Event()
    said: list[Text | None] = []

    def report(says: Text | None) -> None:
        said.append(says)
        heard.set()

    with broker(tmp_path, port):
        settings = MqttSettings("127.0.0.1", port, "lastnose", "wrong one")
        table = MqttOutput(settings, name="T", table_id="t", say=str, report=report)
        assert heard.wait(WITHIN_S)
        table.close()
    assert "127.0.0.1" in str(said[0])
    assert "wrong one" not in " ".join(map(str, said))


def test_a_broker_whose_certificate_nobody_here_knows_is_not_said_to_be_silent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the handshake failed of is said; it is the system's words, without their number."""
    heard = threading.Event()
    said: list[Text | None] = []

    def report(says: Text | None) -> None:
        said.append(says)
        heard.set()

    def reconnect(_: object) -> None:
        raise ssl.SSLError(1, "certificate verify failed: self-signed certificate")

    monkeypatch.setattr("paho.mqtt.client.Client.reconnect", reconnect)
    settings = MqttSettings("broker.example", None, "lastnose", PASSWORD, tls=True)
    table = MqttOutput(settings, name="T", table_id="t", say=str, report=report)
    assert heard.wait(WITHIN_S)
    table.close()
    assert "certificate verify failed" in str(said[0])


def test_a_table_ends_whatever_the_broker_does_in_that_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was there when it was asked, and is gone when it is told."""
    table = output(free_port(), [])
    monkeypatch.setattr(table._client, "is_connected", lambda: True)
    table.close()
