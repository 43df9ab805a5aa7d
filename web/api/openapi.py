"""The description of the API (OpenAPI 3.1), made from its calls and the very types that they speak."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Union, get_args, get_origin

import msgspec
from lastnose import companion
from lastnose.companion.core.decode import MOST_WHOLE
from lastnose.companion.core.text import Text
from lastnose.web.api.endpoint import TABLE, Api, Call
from lastnose.web.api.responses import Error
from lastnose.web.encoding import TIMES

_SCHEMAS = "#/components/schemas/"
_STRING = {"type": "string"}
_FREE = "Free"
_OF_FREE = "Whatever belongs to a game; its whole numbers fit into 64 bits. At most 64 levels deep."
_WHOLE = {"minimum": -MOST_WHOLE, "maximum": MOST_WHOLE}
_LIMITS = {
    **_WHOLE,
    "items": {"$ref": _SCHEMAS + _FREE},
    "additionalProperties": {"$ref": _SCHEMAS + _FREE},
}
_NO_SCHEMAS = {"example", "default", "enum", "required"}
_SAYS = {
    400: "The request cannot be read",
    401: "The API token is not valid",
    403: "This device may not do that, or the page's token is missing",
    404: "It is not there",
    409: "The rules, or the moment, do not allow it",
    413: "The request is too large",
    415: "The request is not JSON",
    421: "The table does not go by that name",
    422: "The request can be read, but not be carried out",
    429: "Too many wrong PINs: wait",
    503: "A device or the disk fails; nothing is lost",
}
_EVENTS = """\
A message without a name has all that `GET {path}` returns (`{kind}`) as its data, and the newest entry of the
log as its `id`. The first is one, and any later may be; in between there are:

- `change`: the fields that are others than in the message before, whole. `left_out` names fields
  that are no more there (so does `gone`, its old name, until version 0.3), and `items` has, by its index
  from 0, what has changed in the list of `tables` when that is as long as before.
- `beat`: a sign of life, every few seconds, with the server's wall time in ms.
- `you`: what the device that reads may do ("watcher", "player", "host", "removed"), when it changes; for a
  host with a number behind it that grows whenever devices or guests change.

Who reads slowly skips to the newest state. After a break, connect again: nothing has to be asked for.
"""


_WHO = {
    "watcher": "Anybody may ask.",
    "player": "For a device with a seat, of its own seat only; for hosts and programs of any.",
    "host": "For hosts and programs.",
}


@cache
def document(described: Api = TABLE) -> bytes:
    """Return the document of what is *described* as JSON."""
    paths: dict[str, Any] = {}
    for one in described.calls:
        paths.setdefault(described.prefix + _path(one), {})[one.method.lower()] = _operation(one)
    paths["/events"] = {"get": _events(described)}
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "Last Nose",
                "version": companion.__version__,
                "description": (
                    "Reading needs nothing. Changes need an API token (`Authorization: Bearer …`), or the "
                    "page's cookie and its X-CSRFToken. `/events` streams every new state as it comes."
                ),
            },
            "paths": _bounded(paths),
            "components": {
                "schemas": _bounded(_schemas(described)) | {_FREE: _LIMITS | {"description": _OF_FREE}},
                "securitySchemes": {
                    "token": {"type": "http", "scheme": "bearer"},
                    "page": {"type": "apiKey", "in": "header", "name": "X-CSRFToken"},
                },
            },
        }
    )


def _events(described: Api) -> dict[str, Any]:
    """Return the description of the live stream, which is no call: it has no end."""
    state = next(one for one in described.calls if one.path == "/state")
    kind = getattr(state.gives, "__name__", "")
    stream = {"text/event-stream": {"schema": _STRING}}
    plain = {"text/plain": {"schema": _STRING}}
    return {
        "summary": "Stream what `state` returns, now and with every change (server-sent events).",
        "description": _EVENTS.format(path=f"{described.prefix}/state", kind=kind),
        "parameters": _query(state, {}),
        "responses": {
            "200": {"description": "The stream", "content": stream},
            "421": {"description": _SAYS[421], "content": plain},
            "503": {"description": "Too many are watching: try again after `Retry-After`", "content": plain},
        },
    }


def _path(one: Call) -> str:
    """Return the path as the document writes it, with every part in braces."""
    return re.sub(r"<int:(\w+)>", r"{\1}", one.path)


def _operation(one: Call) -> dict[str, Any]:
    like = dict(one.like() if callable(one.like) else one.like)
    number = {"type": "integer", "minimum": 0}
    parts = [
        {"name": name, "in": "path", "required": True, "schema": number, "example": like.pop(name)}
        for name in re.findall(r"<int:(\w+)>", one.path)
    ]
    operation: dict[str, Any] = {
        "summary": one.says,
        "description": _WHO[one.needs],
        "parameters": [*parts, *_query(one, like)],
        "responses": _responses(one),
    }
    if one.takes is not None:
        body = {"schema": _schema_of(one.takes), "example": like}
        operation["requestBody"] = {"required": True, "content": {"application/json": body}}
    if one.changes or one.needs != "watcher":
        token: list[dict[str, list[str]]] = [{"token": []}] if one.by_token else []
        operation["security"] = [*([] if one.changes else [{}]), *token, {"page": []}]
    return operation


def _query(one: Call, like: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what may stand in the query, made from the fields of its type; *like* has examples."""
    (schema,), parts = msgspec.json.schema_components([one.asks], ref_template=_SCHEMAS + "{name}")
    found = parts[schema["$ref"].removeprefix(_SCHEMAS)]
    parameters = []
    for name, wanted in found["properties"].items():
        where = {"name": name, "in": "query", "required": name in found.get("required", ())}
        said = {"schema": wanted, **({"example": like[name]} if name in like and one.takes is None else {})}
        as_json = wanted.get("type") == "object"
        parameters.append({**where, "content": {"application/json": said}} if as_json else {**where, **said})
    return parameters


def _responses(one: Call) -> dict[str, Any]:
    media, schema = (one.gives, _STRING) if isinstance(one.gives, str) else ("application/json", None)
    good = {"description": "Done", "content": {media: {"schema": schema or _schema_of(one.gives)}}}
    wrong = {"application/json": {"schema": _ref("Error")}}
    refused = {
        str(status): {"description": _SAYS[status], "content": wrong} for status in sorted(_refusals(one))
    }
    return {str(one.status): good, **refused}


def _refusals(one: Call) -> set[int]:
    """Return the statuses with which *one* may be refused."""
    found = {400, 401, 421, 503}
    if one.changes:
        found |= {403, 409, 422}
    if one.takes is not None:
        found |= {413, 415, 422}
    if one.needs != "watcher":
        found |= {403}
    if one.may_miss or "<" in one.path:
        found |= {404}
    if one.asks.__struct_fields__ != ("lang",):
        found |= {422}
    if one.path == "/join":
        found |= {429}
    return found


def _members(kind: object) -> tuple[Any, ...]:
    """Return the structs of a union, or *kind* alone."""
    return get_args(kind) if get_origin(kind) in (Union, type(int | str)) else (kind,)


def _named(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _schema_of(kind: object) -> dict[str, Any]:
    """Return a reference for a struct or a union of structs, the schema itself for anything else."""
    members = _members(kind)
    if not all(map(_named, members)):
        return msgspec.json.schema(kind)
    if len(members) > 1:
        return _ref("Command")
    return _ref(members[0].__name__)


def _sparse(kind: type[msgspec.Struct] = msgspec.Struct) -> set[str]:
    """Return the names of the structs that are sent without what has its default."""
    below = kind.__subclasses__()
    return {one.__name__ for one in below if one.__struct_config__.omit_defaults}.union(*map(_sparse, below))


def _schemas(described: Api) -> dict[str, Any]:
    """Return the schema of every type as it goes over the wire: a Text is a sentence."""
    gives = [one.gives for one in described.calls if _named(one.gives)]
    made = _said(_components((*gives, Error), "{name}"))
    sparse = _sparse()
    for name, schema in made.items():
        if name not in sparse:  # everything is always sent
            schema["required"] = [*schema["properties"]]
    for kind, names in TIMES.items():
        for name in names:
            if kind.__name__ in made:
                made[kind.__name__]["properties"][name] = {"type": ["string", "null"]}
    for one in described.calls:
        members = _members(one.takes) if one.takes is not None else ()
        if len(members) > 1:
            wishes = _components(members, "{name}Command")
            made |= _limited({f"{name}Command": schema for name, schema in wishes.items()}, one)
            made["Command"] = {"oneOf": [_ref(f"{kind.__name__}Command") for kind in members]}
        else:
            made |= _limited(_components(members, "{name}"), one)
    return made


def _limited(schemas: dict[str, Any], one: Call) -> dict[str, Any]:
    """Return *schemas* of the requests of *one*: nothing else stands in them.

    Where the call is not strict, it is not looked at, but keeps to the limits.
    """
    more = False if one.strict else _ref(_FREE)
    return {
        name: ({"additionalProperties": more} if "properties" in schema else {}) | schema
        for name, schema in schemas.items()
    }


def _components(kinds: tuple[Any, ...], name: str) -> dict[str, Any]:
    return msgspec.json.schema_components(kinds, ref_template=_SCHEMAS + name)[1]


def _said(schemas: dict[str, Any]) -> dict[str, Any]:
    """Return *schemas* with every reference to Text replaced by a string."""
    schemas.pop(Text.__name__, None)
    said = _sentences(schemas)
    assert isinstance(said, dict)
    return said


def _sentences(schema: object) -> object:
    if isinstance(schema, dict):
        if schema.get("$ref") == _SCHEMAS + Text.__name__:
            return dict(_STRING)
        return {key: _sentences(value) for key, value in schema.items()}
    if isinstance(schema, list):
        return [_sentences(item) for item in schema]
    return schema


def _bounded(part: Any) -> Any:
    """Return *part* of the document with the limits of `companion.core.decode` in all of its schemas."""
    if isinstance(part, list):
        return [_bounded(item) for item in part]
    if not isinstance(part, dict):
        return part
    made = {key: value if key in _NO_SCHEMAS else _bounded(value) for key, value in part.items()}
    if made.get("type") in ("integer", "number"):
        return _WHOLE | made
    if made.get("type") == "object" and not {"properties", "additionalProperties"} & set(made):
        return made | {"additionalProperties": {"$ref": _SCHEMAS + _FREE}}
    return made


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": _SCHEMAS + name}
