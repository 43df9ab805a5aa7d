"""Scripts and styles on their way to pages: one of each a page, compressed, kept by browsers.

`/static/…` gives every file as it lies there (scripts and styles without comments and indentation, each line
where it was); `/made/<page>.js`, `.css` and `.js.map` give what `web.bundle` joins of them.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import msgspec
from flask import Flask, Response, abort, request, send_from_directory

from web import bundle
from web.bundle import STATIC, squeezed

KINDS = {".js": "text/javascript", ".css": "text/css", ".map": "application/json"}
_FOR_EVER = "public, max-age=31536000, immutable"
_WORTH_IT = 1000  # bytes; less is not compressed


class Made(msgspec.Struct, frozen=True):
    """Something to deliver, as it is and compressed; `version` is for its address."""

    body: bytes
    packed: bytes
    version: str


def deliver(app: Flask) -> None:
    """Serve the folder `static`, and what is made of it; compress pages."""

    @app.get("/static/<path:filename>", endpoint="static")
    def static(filename: str) -> Response:
        served = send_from_directory(STATIC, filename)
        path = STATIC / filename
        if path.suffix not in KINDS:
            return served
        served.close()
        return _answer(_squeezed(path, path.stat().st_mtime_ns), path.suffix)

    @app.get("/made/<name>", endpoint="made")
    def made(name: str) -> Response:
        found = of_page(name)
        return abort(404) if found is None else _answer(found, Path(name).suffix)

    @app.context_processor
    def address() -> dict[str, object]:
        return {"made": made_address}

    @app.after_request
    def pack(response: Response) -> Response:
        if response.mimetype == "text/html" and not response.direct_passthrough:
            _pack(response, None)
        return response


def made_address(name: str) -> str:
    """Return the address of what is made for a page: "table.js" or "table.css"."""
    found = of_page(name)
    return f"/made/{name}?v={found.version}" if found is not None else f"/made/{name}"


def of_page(name: str) -> Made | None:
    """Return the joined "table.js", "table.js.map" or "table.css" of a page; None where there is none."""
    page, _, kind = name.partition(".")
    if kind == "css":
        parts = ("site.css", f"pages/{page}.css")
        return _style(parts, _state("**/*.css"))
    if kind not in ("js", "js.map") or not (STATIC / "pages" / f"{page}.js").is_file():
        return None
    both = _script(page, _state("**/*.js"))
    return both[kind == "js.map"]


def _state(pattern: str) -> int:
    """Return a number that changes when a file of `static` does."""
    return hash(tuple((path, path.stat().st_mtime_ns) for path in sorted(STATIC.glob(pattern))))


@lru_cache(maxsize=64)
def _script(page: str, state: int) -> tuple[Made, Made]:
    script, source_map = bundle.script(f"pages/{page}.js", f"{page}.js.map")
    return _made(script), _made(source_map)


@lru_cache(maxsize=64)
def _style(names: tuple[str, ...], state: int) -> Made:
    return _made(bundle.style(*names))


@lru_cache(maxsize=256)
def _squeezed(path: Path, changed_ns: int) -> Made:
    return _made(squeezed(path.read_text("utf-8"), path.suffix))


def _made(text: str) -> Made:
    body = text.encode()
    return Made(body, gzip.compress(body, 9, mtime=0), sha256(body).hexdigest()[:12])


def _answer(found: Made, kind: str) -> Response:
    """Return *found* as an answer: for ever under the address that names its version, else for now."""
    answer = Response(found.body, mimetype=KINDS[kind])
    answer.headers["Cache-Control"] = _FOR_EVER if request.args.get("v") == found.version else "no-cache"
    answer.set_etag(found.version)
    _pack(answer, found.packed)
    answer.make_conditional(request)
    return answer


def _pack(answer: Response, packed: bytes | None) -> None:
    """Compress *answer* (or take *packed*) for who can read that."""
    answer.vary.add("Accept-Encoding")
    if request.accept_encodings["gzip"] and not answer.content_encoding:
        body = answer.get_data()
        if len(body) >= _WORTH_IT:
            answer.set_data(gzip.compress(body, 5, mtime=0) if packed is None else packed)
            answer.content_encoding = "gzip"
