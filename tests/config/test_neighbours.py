"""The file of who outside hears of the table: what it may say, and what is refused before anything begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from lastnose.companion.config import neighbours
from lastnose.companion.config.neighbours import (
    CompanionSettings,
    HookSettings,
    MqttSettings,
    Neighbours,
    read_neighbours,
)
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.ports import NEWS_KINDS

from tests.support.documents import fences

SECRET = "sixteen letters!"
HOOK = f'[[hook]]\nurl = "https://hooks.example/T0"\nsecret = "{SECRET}"\n'
MQTT = '[mqtt]\nhost = "homeassistant.local"\n'
DECK = '[companion]\nurl = "http://deck.example:8000"\n'


def test_a_file_may_name_all_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not said is as usual."""
    monkeypatch.setattr(neighbours, "find_spec", lambda _: object())
    file = tmp_path / "neighbours.toml"
    file.write_text(
        'name = "Table 4"\n'
        + MQTT
        + HOOK
        + 'events = ["over"]\n'
        + DECK
        + '[companion.press]\nverdict = "1/0/2"\n'
    )
    assert read_neighbours(file) == Neighbours(
        "Table 4",
        MqttSettings("homeassistant.local", None, None, None, False, "lastnose", "homeassistant"),
        (HookSettings("https://hooks.example/T0", SECRET, ("over",)),),
        CompanionSettings("http://deck.example:8000", "lastnose_", {"verdict": "1/0/2"}),
    )
    file.write_text(HOOK)
    assert read_neighbours(file).hook[0].events == NEWS_KINDS


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("mqtt =", "it is not valid TOML"),
        (MQTT + "ports = 1\n", "mqtt.ports is not a key"),
        (MQTT + "port = 0\n", "1 to 65535"),
        (MQTT + 'topic = "a/#"\n', "no + and no #"),
        (MQTT + 'topic = "/a"\n', "no slash at its ends"),
        (MQTT.replace("homeassistant.local", "mqtt://ha"), "no name of a machine"),
        (HOOK.replace(SECRET, "short"), "at least 16 letters"),
        (HOOK.replace(SECRET, "whsec_ÄÄÄÄÄÄÄÄÄÄÄÄ"), "base64"),
        (HOOK.replace("https://", "ftp://"), "http:// or https://"),
        (HOOK.replace("https://", "https://me:word@"), "no password stands in an address"),
        (HOOK.replace("hooks.example", "hooks.example:99999"), "http:// or https://"),
        (HOOK + 'events = ["won"]\n', "there is no event “won”"),
        (HOOK + 'headers = { "X-A" = "a\\nb" }\n', "a line of plain ASCII"),
        (DECK + 'press = { verdict = "1" }\n', "page/row/column"),
        (DECK + 'press = { won = "1/0/2" }\n', "there is no event “won”"),
        (DECK + 'prefix = "a/b"\n', "plain letters"),
        ('name = "' + "x" * 61 + '"\n', "at most 60 letters"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence_with_the_file(tmp_path: Path, says: str, why: str) -> None:
    """And without the secrets that stand in it."""
    file = tmp_path / "neighbours.toml"
    file.write_text(says)
    with pytest.raises(BadInput) as refused:
        read_neighbours(file)
    assert str(file) in str(refused.value)
    assert why in str(refused.value)
    assert SECRET not in str(refused.value)
    assert "word@" not in str(refused.value)


def test_mqtt_without_its_package_is_refused_with_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything begins; who asks for no MQTT needs none."""
    monkeypatch.setattr(neighbours, "find_spec", lambda _: None)
    file = tmp_path / "neighbours.toml"
    file.write_text(MQTT)
    with pytest.raises(BadInput, match="paho-mqtt: type “make mqtt”"):
        read_neighbours(file)
    file.write_text(HOOK)
    assert len(read_neighbours(file).hook) == 1


def test_the_files_in_the_documents_can_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each as it stands there."""
    monkeypatch.setattr(neighbours, "find_spec", lambda _: object())
    written = [inside for page, inside in fences("toml") if page.startswith("docs/program/")]
    assert len(written) == 3
    for inside in written:
        file = tmp_path / "neighbours.toml"
        file.write_text(inside, encoding="utf-8")
        read_neighbours(file)
