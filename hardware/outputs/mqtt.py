"""What a table shows, to an MQTT broker: values that stay, events once, and Home Assistant's discovery.

Topics begin with `<topic>/<table>`: `online` ("online", and "offline" as its last will), `state` (the newest
`TableNews` as JSON), each of `companion.views.news.values`, all of them kept by the broker; and `event`,
which is not. What happens while the broker is away is not told later: an old verdict would switch lamps.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from ssl import SSLError
from typing import TYPE_CHECKING, Any

import msgspec
from lastnose.companion import __version__
from lastnose.companion.config.neighbours import MqttSettings
from lastnose.companion.config.plugins import MOST_SEATS
from lastnose.companion.core.errors import reason
from lastnose.companion.core.ports import NEWS_KINDS, Report, TableNews
from lastnose.companion.core.text import Text, text
from lastnose.companion.system import host_clock
from lastnose.companion.views.news import values
from lastnose.companion.views.snapshot import STAGES

if TYPE_CHECKING:
    from paho.mqtt.client import Client

ONLINE, OFFLINE = "online", "offline"
MOST_QUEUED = 500  # messages that paho keeps for a slow broker
LONGEST_STATE = 255  # letters that Home Assistant takes as a state
AGAIN_S = (1, 60)  # the shortest and the longest pause before the broker is tried again
# A broker sends away who comes under a name before the next: two tables of one name take turns at it.
SENT_AWAY_NS = 10_000_000_000
SENT_AWAY = 3
GOODBYE_S = 0.4
END_S = 0.5
# Every seat that can be: a broker keeps nobody of an earlier game, for of an empty value it keeps nothing.
_SEATS = range(1, MOST_SEATS + 1)
_NOBODY = {f"seat/{seat}/{what}": b"" for seat in _SEATS for what in ("player", "stands", "out")}


class MqttOutput:
    """Speaks to the broker of *settings* as the table *name* with *table_id*; an `Output`.

    *say* puts what Home Assistant calls its entities into a language. *report* is told that the broker is
    away or refuses us, and that it is back.
    """

    def __init__(
        self,
        settings: MqttSettings,
        *,
        name: str,
        table_id: str,
        say: Callable[[Text], str],
        report: Report,
        clock_ns: Callable[[], int] = host_clock.now_ns,
    ) -> None:
        self._settings, self._name, self._id = settings, name, table_id
        self._say, self._report, self._clock_ns = say, report, clock_ns
        self._since_ns = 0  # when the broker let us in
        self._sent_away = 0  # how often it put us out soon after
        self._base, self._host = f"{settings.topic}/{table_id}", f"MQTT ({settings.host})"
        self._lock = threading.Lock()
        self._kept: dict[str, bytes] = {}
        self._said: Text | None = None
        self._client = self._made()
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        self._thread.start()

    def tell(self, news: TableNews) -> None:
        """Publish *news*: as an event, and what has changed of the values."""
        whole = msgspec.json.encode(news)
        fresh = {name: value[:LONGEST_STATE].encode() for name, value in values(news).items()}
        fresh["state"] = whole
        with self._lock:
            before, self._kept = self._kept, _NOBODY | fresh
            changed = {name: value for name, value in self._kept.items() if before.get(name) != value}
        if self._client.is_connected():
            self._may_stay()
            for name, value in changed.items():
                self._keep(name, value)
            self._client.publish(f"{self._base}/event", whole, qos=1)

    def close(self) -> None:
        """Say that the table is gone, and let the broker go."""
        if self._client.is_connected():
            with suppress(RuntimeError):  # the broker has gone in that moment
                self._keep(ONLINE, OFFLINE.encode()).wait_for_publish(GOODBYE_S)
        self._client.disconnect()
        self._thread.join(END_S)

    def _made(self) -> Client:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        settings = self._settings
        client = Client(CallbackAPIVersion.VERSION2, client_id=f"lastnose-{self._id}")
        if settings.user is not None or settings.password is not None:
            client.username_pw_set(settings.user or "", settings.password)
        if settings.tls:
            client.tls_set()
        client.will_set(f"{self._base}/{ONLINE}", OFFLINE, qos=1, retain=True)
        client.max_queued_messages_set(MOST_QUEUED)
        client.reconnect_delay_set(*AGAIN_S)
        client.on_connect = self._connected
        client.on_disconnect = self._disconnected
        client.on_connect_fail = self._unreachable
        client.connect_async(settings.host, settings.port or (8883 if settings.tls else 1883))
        return client

    def _run(self) -> None:
        """Keep the connection while the table lives; what paho does not expect is said, and ends it."""
        try:
            self._client.loop_forever(retry_first_connection=True)
        except Exception as error:
            self._trouble(reason(error))

    def _keep(self, name: str, value: bytes) -> Any:
        return self._client.publish(f"{self._base}/{name}", value, qos=1, retain=True)

    # ---- on paho's thread

    def _connected(self, client: Client, data: Any, flags: Any, code: Any, properties: Any) -> None:
        if code.is_failure:
            self._trouble(str(code))
            return
        self._since_ns = self._clock_ns()
        if self._sent_away < SENT_AWAY:
            self._tell_of(None)
        if self._settings.home_assistant:
            topic = f"{self._settings.home_assistant}/device/lastnose_{self._id}/config"
            client.publish(topic, msgspec.json.encode(self._device()), qos=1, retain=True)
        with self._lock:
            kept = dict(self._kept)
        for name, value in kept.items():
            self._keep(name, value)
        self._keep(ONLINE, ONLINE.encode())

    def _disconnected(self, client: Client, data: Any, flags: Any, code: Any, properties: Any) -> None:
        if not code.is_failure:
            return
        self._may_stay()
        self._sent_away += 1
        if self._sent_away < SENT_AWAY:
            self._trouble(str(code))
            return
        self._tell_of(
            text(
                "{host} keeps sending this table away: is another one called {name} there? Give one of them "
                "another name.",
                host=self._host,
                name=self._id,
            )
        )

    def _may_stay(self) -> None:
        """Forget that we were sent away, if that was long ago."""
        if self._clock_ns() - self._since_ns > SENT_AWAY_NS:
            self._sent_away = 0
            if self._client.is_connected():
                self._tell_of(None)

    def _unreachable(self, client: Client, data: Any) -> None:
        why = sys.exc_info()[1]  # paho calls this while it handles what went wrong
        self._trouble(reason(why) if isinstance(why, SSLError) else text("it does not answer"))

    def _trouble(self, why: Text | str) -> None:
        if self._said is None:
            self._tell_of(text("{host} cannot be reached: {why}.", host=self._host, why=why))

    def _tell_of(self, says: Text | None) -> None:
        if self._said != says:
            self._said = says
            self._report(says)

    # ---- Home Assistant

    def _device(self) -> dict[str, Any]:
        """Return this table as a device with its entities, as Home Assistant's discovery takes it."""
        us = {"name": "Last Nose", "sw_version": __version__}
        entities: dict[str, dict[str, Any]] = {
            "says": {"name": text("On the screens"), "json_attributes_topic": f"{self._base}/state"},
            "who": {"name": text("Last, or first")},
            "margin": {"name": text("Margin")},
            "stage": {
                "name": text("Phase"),
                "device_class": "enum",
                "options": [*STAGES, "sheet"],
            },
            "game": {"name": text("Game")},
            "winners": {"name": text("Winners")},
            "event": {"name": text("Event"), "platform": "event", "event_types": [*NEWS_KINDS]},
        }
        return {
            "device": {
                "identifiers": [f"lastnose_{self._id}"],
                "name": self._name,
                "manufacturer": "Last Nose",
                "sw_version": __version__,
            },
            "origin": us,
            "availability_topic": f"{self._base}/{ONLINE}",
            "components": {
                key: {
                    "platform": "sensor",
                    **about,
                    "name": self._say(about["name"]),
                    "unique_id": f"lastnose_{self._id}_{key}",
                    "state_topic": f"{self._base}/{key}",
                }
                for key, about in entities.items()
            },
        }
