"""The calls of the API. Each says once what it takes and gives: server and description both go by that."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from typing import Any, Literal, TypeVar, get_origin

import msgspec
from flask import Blueprint, Response, request
from lastnose.companion.core.decode import decode_json, fit, unread
from lastnose.companion.core.errors import BadInput, Malformed
from lastnose.companion.core.text import english
from lastnose.companion.i18n import Language
from lastnose.web import auth
from lastnose.web.devices import Role
from lastnose.web.encoding import to_json
from lastnose.web.language import language
from werkzeug.exceptions import UnsupportedMediaType

Method = Literal["GET", "POST", "PUT", "DELETE"]
View = Callable[..., Any]
Like = Mapping[str, Any] | Callable[[], Mapping[str, Any]]
_T = TypeVar("_T")
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false", re.ASCII)  # all else is a text


class Unreadable(BadInput):
    """A request that is not of the form that the call takes."""


class Query(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may stand behind the question mark of every call: the language of the answer."""

    lang: Language | msgspec.UnsetType = msgspec.UNSET


class Call(msgspec.Struct, frozen=True):
    """One call. `path` is Flask's; `says` describes it.

    `gives` is the type of the answer, or the media type of a file; `asks` what may stand in the query,
    `takes` the type of the body, None for none. `needs`: the least role that may ask;
    `may_miss`: what it asks for may not be there; `like` makes an example: path, query and body in one.
    `strict`: what is not known in the body is refused. It is not where another version of Last Nose may have
    written it, or where a phone's touches must not wait. `by_token`: a program may ask it, too.
    """

    method: Method
    path: str
    says: str
    gives: object
    asks: type[Query] = Query
    takes: Any = None
    needs: Role = "watcher"
    may_miss: bool = False
    status: int = 200
    like: Like = dict
    strict: bool = True
    by_token: bool = True

    @property
    def changes(self) -> bool:
        """Whether it takes more than reading: the page's token, or an API token."""
        return self.method != "GET"


class Api:
    """The calls under one address: the table's, or the hall's."""

    def __init__(self, name: str, prefix: str) -> None:
        self.prefix = prefix
        self.blueprint = Blueprint(name, __name__, url_prefix=prefix)
        self.calls: list[Call] = []

    def call(self, method: Method, path: str, gives: object, **about: Any) -> Callable[[View], View]:
        """Make a view a call of the API: it returns what it gives, or a Response.

        It gets the parts of its path, and `query` and `wish` (the body) where it says their types. *about*
        are further fields of `Call`.
        """

        def made(view: View) -> View:
            says = (view.__doc__ or "").strip().splitlines()[0]
            one = Call(method, path, says, gives, **about)

            @wraps(view)
            def answered(**parts: object) -> Response:
                auth.must_be(one.needs, by_token=one.by_token)
                query = _queried(one.asks)
                more = {"query": query} if one.asks is not Query else {}
                if one.takes is not None:
                    more["wish"] = _body(one.takes, strict=one.strict)
                found = view(**parts, **more)
                return found if isinstance(found, Response) else answer(found, one.status)

            self.calls.append(one)
            self.blueprint.add_url_rule(path, view_func=answered, methods=[method])
            return answered

        return made


TABLE = Api("api", "/api/v1")
api, call = TABLE.blueprint, TABLE.call


def load() -> None:
    """Make sure that every call is known."""
    for name in ("table", "people", "rules", "sheet"):
        import_module(f"lastnose.web.api.{name}")


def answer(value: object, status: int = 200) -> Response:
    """Return *value* as JSON in the reader's language, never cached."""
    return raw(to_json(value, language()), status)


def raw(body: bytes, status: int = 200) -> Response:
    """Return *body*, which is JSON already, never cached."""
    return Response(body, status, mimetype="application/json", headers={"Cache-Control": "no-store"})


def download(body: bytes, content_type: str, name: str) -> Response:
    """Return a file to be kept under *name*."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(body, content_type=content_type, headers=headers)


def _body(kind: type[_T], *, strict: bool) -> _T:
    """Return the body of the request as *kind*; raise Unreadable that says what does not fit.

    *strict*: what is not known in it does not fit either.
    """
    if request.mimetype != "application/json":
        raise UnsupportedMediaType
    body = request.get_data()
    try:
        found = decode_json(body, kind)
        stray = unread(decode_json(body), found) if strict else None
    except Malformed as error:
        raise _unreadable(error) from error
    if stray is not None:
        raise _unreadable(Malformed(stray))
    return found


def _queried(kind: type[Query]) -> Query:
    """Return the query of the request as *kind*: lists as several of one name, objects as JSON."""
    written: dict[str, Any] = request.args.to_dict()
    try:
        for field in msgspec.structs.fields(kind):
            if field.encode_name not in written:
                continue
            if get_origin(field.type) is tuple:
                written[field.encode_name] = request.args.getlist(field.encode_name)
            elif get_origin(field.type) is dict:
                written[field.encode_name] = _inside(field.encode_name, written[field.encode_name])
            elif field.type in (int, bool) and _NUMBER.fullmatch(written[field.encode_name]):
                written[field.encode_name] = decode_json(written[field.encode_name])
        return fit(written, kind)
    except Malformed as error:
        raise _unreadable(error) from error


def _inside(key: str, written: str) -> Any:
    """Return the JSON *written* under *key* of a query; raise Malformed that names the key."""
    try:
        return decode_json(written)
    except Malformed as error:
        raise Malformed(english("{key}: {why}", key=key, why=error.text)) from error


def _unreadable(error: Malformed) -> Unreadable:
    return Unreadable(english("This request cannot be read: {why}.", why=error.text))
