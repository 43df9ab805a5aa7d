"""The description of the API (OpenAPI 3.1), made from the very types that it speaks."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

import companion
from companion import commands
from companion.games import Advice, OptionField
from companion.games.variations import Variation
from companion.snapshot import RoundView, Snapshot
from companion.statistics import Figures
from web.taps import PageClock, Taps
from web.view import TIMES, text_name
from web.wishes import Appeal, PinTry

_COMMANDS = (
    commands.Start,
    commands.Import,
    commands.Arm,
    commands.Void,
    commands.Play,
    commands.Undo,
    commands.Redo,
    commands.Amend,
    commands.Finish,
    commands.NewEvening,
    commands.Bind,
    commands.Rearm,
    commands.SaveVariation,
    commands.DeleteVariation,
)
_TYPES = (Snapshot, RoundView, Figures, Variation, OptionField, Advice, PinTry, Appeal, PageClock, Taps)
_STRING = {"type": "string"}
_INTEGER = {"type": "integer"}
_LANG = {"name": "lang", "in": "query", "schema": {"type": "string", "enum": ["en", "fr"]}}
_SEQ = {"name": "seq", "in": "path", "required": True, "schema": _INTEGER}


@cache
def document() -> bytes:
    """Return the document as JSON."""
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "Last Nose",
                "version": companion.__version__,
                "description": (
                    "Reading needs nothing. POST needs an API token (`Authorization: Bearer …`), or the "
                    "page's cookie and its X-CSRFToken. `/events` streams every new state as they come."
                ),
            },
            "paths": _paths(),
            "components": {
                "schemas": _schemas(),
                "securitySchemes": {
                    "token": {"type": "http", "scheme": "bearer"},
                    "page": {"type": "apiKey", "in": "header", "name": "X-CSRFToken"},
                },
            },
        }
    )


def _schemas() -> dict[str, Any]:
    """Return the schema of every type as it goes over the wire: a Text is a sentence."""
    _, made = msgspec.json.schema_components(_TYPES, ref_template="#/components/schemas/{name}")
    made.pop("Text", None)
    _, wishes = msgspec.json.schema_components(_COMMANDS, ref_template="#/components/schemas/{name}Command")
    made |= {f"{name}Command": schema for name, schema in wishes.items()}
    for kind, names in TIMES.items():
        for name in names:
            made[kind.__name__]["properties"][text_name(name)] = {"type": ["string", "null"]}
    made["Command"] = {"oneOf": [_ref(f"{kind.__name__}Command") for kind in _COMMANDS]}
    made["Error"] = _object(error=_STRING, rule={"type": ["string", "null"]})
    made["Game"] = _object(
        name=_STRING,
        title=_STRING,
        summary=_STRING,
        emblem=_STRING,
        watched={"type": "boolean"},
        seats=_object(fewest=_INTEGER, most=_INTEGER),
        options=_array(_ref("OptionField")),
    )
    said = _sentences(made)
    assert isinstance(said, dict)
    return said


def _sentences(schema: Any) -> Any:
    """Return *schema* with every reference to Text replaced by a string."""
    if isinstance(schema, dict):
        if schema.get("$ref") == "#/components/schemas/Text":
            return dict(_STRING)
        return {key: _sentences(value) for key, value in schema.items()}
    if isinstance(schema, list):
        return [_sentences(item) for item in schema]
    return schema


def _paths() -> dict[str, Any]:
    round_ = _object(round=_ref("RoundView"))
    return {
        "/api/v1/state": {"get": _reads("Everything that screens show now", _ref("Snapshot"))},
        "/api/v1/games": {"get": _reads("The games and their options", _object(games=_array(_ref("Game"))))},
        "/api/v1/variations": {
            "get": _reads("Saved variations", _object(variations=_array(_ref("Variation"))))
        },
        "/api/v1/players": {
            "get": _reads(
                "Names of earlier evenings, and the nose lines",
                _object(players=_array(_STRING), lines=_array(_STRING), profile=_STRING),
            )
        },
        "/api/v1/rounds": {
            "get": _reads("The rounds of this evening", _object(rounds=_array(_ref("RoundView"))))
        },
        "/api/v1/rounds/{seq}": {"get": _reads("One round", round_, _SEQ)},
        "/api/v1/rounds/{seq}/tape": {"get": _file("Its raw edges", "application/jsonl", _SEQ)},
        "/api/v1/rounds/{seq}/appeal": {
            "post": _changes(
                "Judge it again with other settings; nothing is stored",
                "Appeal",
                _object(round=_ref("RoundView"), stored=_ref("RoundView")),
                _SEQ,
            )
        },
        "/api/v1/statistics": {"get": _reads("The figures of this evening", _ref("Figures"))},
        "/api/v1/export.json": {"get": _file("The evening as JSON", "application/json")},
        "/api/v1/sheet.json": {"get": _file("The score sheet, to be imported again", "application/json")},
        "/api/v1/sheet.csv": {"get": _file("The score sheet as CSV", "text/csv")},
        "/api/v1/export.csv": {"get": _file("The evening as CSV", "text/csv")},
        "/api/v1/commands": {
            "post": _changes(
                "Command the table; answered when it is stored", "Command", _object(state=_ref("Snapshot"))
            )
        },
        "/api/v1/join": {"post": _changes("Join with the PIN", "PinTry", _object(phone=_STRING))},
        "/api/v1/clock": {
            "get": _reads("The host's monotonic clock", _object(t_ns=_INTEGER)),
            "post": _changes("Announce a page's clock", "PageClock", _object(t_ns=_INTEGER)),
        },
        "/api/v1/taps": {"post": _changes("Move simulated noses", "Taps", _object(taps=_INTEGER))},
        "/api/v1/qr.svg": {"get": _file("The way to join, for who has joined", "image/svg+xml")},
        "/api/v1/openapi.json": {"get": _reads("This document", {"type": "object"})},
    }


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _answers(content_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    wrong = {"description": "A sentence", "content": {"application/json": {"schema": _ref("Error")}}}
    right = {"description": "Done", "content": {content_type: {"schema": schema}}}
    return {"200": right, "4XX": wrong, "5XX": wrong}


def _reads(summary: str, schema: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    return {
        "summary": summary,
        "parameters": [_LANG, *parameters],
        "responses": _answers("application/json", schema),
    }


def _file(summary: str, content_type: str, *parameters: dict[str, Any]) -> dict[str, Any]:
    return {
        "summary": summary,
        "parameters": [_LANG, *parameters],
        "responses": _answers(content_type, _STRING),
    }


def _changes(summary: str, body: str, schema: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    return {
        **_reads(summary, schema, *parameters),
        "security": [{"token": []}, {"page": []}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": _ref(body)}}},
    }
