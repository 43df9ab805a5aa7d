"""Who outside hears of the table: the file of `lastnose run --neighbours`, checked before anything begins.

The file is TOML with any of the tables `[mqtt]`, `[[hook]]`, `[companion]`, and `[output.NAME]` for an
output of another package. It holds passwords: no message and no log repeats what stands in it, but for names
of hosts.
"""

from __future__ import annotations

import re
from base64 import b64decode
from importlib.util import find_spec
from pathlib import Path
from platform import node
from typing import Any
from urllib.parse import urlsplit

import msgspec
from lastnose.companion.config import described, refused
from lastnose.companion.config.plugins import output_names
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.ports import NEWS_KINDS
from lastnose.companion.core.text import Text, text

SECRET_LETTERS = 16
_TOPIC = r"[^\s+#/\0]+(/[^\s+#/\0]+)*"
_BUTTON = r"\d{1,3}/\d{1,2}/\d{1,2}"


class MqttSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A broker. What it is told begins with `topic` and the table's id; `home_assistant` is where Home
    Assistant looks for devices, "" for not to tell it. `port` is 8883 with `tls`, else 1883, if not said.
    """

    host: str
    port: int | None = None
    user: str | None = None
    password: str | None = None
    tls: bool = False
    topic: str = "lastnose"
    home_assistant: str = "homeassistant"

    def problem(self) -> Text | None:
        """Return what cannot be, None when all can."""
        if not re.fullmatch(r"[\w.:-]+", self.host):
            return text("“{key}” is no name of a machine", key="mqtt.host")
        if not re.fullmatch(_TOPIC, self.topic) or not re.fullmatch(f"({_TOPIC})?", self.home_assistant):
            return text("a topic of MQTT has no spaces, no + and no #, and no slash at its ends")
        if self.port is not None and not 0 < self.port < 65_536:
            return text("a port is a number from 1 to 65535")
        return None


class HookSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A web hook: each of `events` is posted to `url`, signed with `secret`; all of them without `events`."""

    url: str
    secret: str
    events: tuple[str, ...] = NEWS_KINDS
    headers: dict[str, str] = {}

    def problem(self) -> Text | None:
        """Return what cannot be, None when all can."""
        if len(self.secret) < SECRET_LETTERS:
            return text("a hook’s “secret” has at least {n} letters", n=SECRET_LETTERS)
        if self.secret.startswith("whsec_") and not _is_base64(self.secret.removeprefix("whsec_")):
            return text("behind whsec_ a hook’s “secret” is base64")
        for name, value in self.headers.items():
            if not re.fullmatch(r"[\w-]+", name) or not value.isprintable() or not value.isascii():
                return text("a header is a name and a line of plain ASCII")
        return _url_problem(self.url) or _events_problem(self.events)


class CompanionSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bitfocus Companion at `url`: its custom variables get what the table shows, each with `prefix` before
    its name, and `press` says which button (page/row/column) an event presses.
    """

    url: str
    prefix: str = "lastnose_"
    press: dict[str, str] = {}

    def problem(self) -> Text | None:
        """Return what cannot be, None when all can."""
        if not re.fullmatch(r"\w*", self.prefix, re.ASCII):
            return text("“{key}” has plain letters, digits and _ only", key="companion.prefix")
        if not all(re.fullmatch(_BUTTON, place) for place in self.press.values()):
            return text("a button is page/row/column, as 1/0/2")
        return _url_problem(self.url) or _events_problem(tuple(self.press))


class Neighbours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that hear of a table, which is called `name` there: the machine's name if it is not said."""

    name: str = ""
    mqtt: MqttSettings | None = None
    hook: tuple[HookSettings, ...] = ()
    companion: CompanionSettings | None = None
    output: dict[str, dict[str, Any]] = {}

    @property
    def called(self) -> str:
        """The table's name."""
        return self.name or node() or "lastnose"

    @property
    def id(self) -> str:
        """The table's name as topics have it.

        >>> Neighbours("Table 4, São Paulo").id
        'table-4-s-o-paulo'
        """
        return re.sub(r"[^a-z0-9]+", "-", self.called.lower()).strip("-") or "table"

    def problem(self) -> Text | None:
        """Return what cannot be, None when all can."""
        if len(self.name) > 60 or not self.name.isprintable():
            return text("the table’s name has at most {n} letters", n=60)
        parts = (self.mqtt, self.companion, *self.hook)
        return next((said for part in parts if part is not None and (said := part.problem())), None)


def read_neighbours(path: Path) -> Neighbours:
    """Return who is told; raise BadInput that names the file, or the Python package that is missing."""
    found = described(path, Neighbours)
    unknown = next((name for name in found.output if name not in output_names()), None)
    if unknown is not None:
        raise refused(path, text("no package here has an output “{name}”", name=unknown[:40]))
    if found.mqtt is not None and find_spec("paho") is None:
        raise BadInput(
            text("MQTT needs the Python package paho-mqtt: type “make mqtt”, or pip install paho-mqtt.")
        )
    return found


def _is_base64(written: str) -> bool:
    try:
        return bool(b64decode(written, validate=True))
    except ValueError:
        return False


def _url_problem(url: str) -> Text | None:
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return text("an address begins with http:// or https://")
    if not sound or not url.isascii() or not url.isprintable() or " " in url:
        return text("an address begins with http:// or https://")
    if parts.username is not None or parts.password is not None:
        return text("no password stands in an address: give it as a header")
    return None


def _events_problem(events: tuple[str, ...]) -> Text | None:
    unknown = next((one for one in events if one not in NEWS_KINDS), None)
    if unknown is None:
        return None
    return text("there is no event “{event}”: {events}", event=unknown[:40], events=", ".join(NEWS_KINDS))
