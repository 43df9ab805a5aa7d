"""Scripts and styles on their way to pages: one of each a page, compressed, kept by browsers.

`/static/…` gives every file as it lies there (scripts and styles without comments and indentation, each line
where it was); `/made/<page>.js`, `.css` and `.js.map` give what `web.bundle` joins of them.
"""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import msgspec
from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    make_response,
    render_template,
    request,
    send_from_directory,
)
from lastnose.companion.core.errors import Missing
from lastnose.companion.core.text import english
from lastnose.companion.i18n import gettext_for
from lastnose.web import bundle
from lastnose.web.bundle import STATIC, squeezed
from lastnose.web.context import WebContext
from lastnose.web.language import language

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
        return _style(parts, _state(".css"))
    if kind not in ("js", "js.map") or not (STATIC / "pages" / f"{page}.js").is_file():
        return None
    both = _script(page, _state(".js"))
    return both[kind == "js.map"]


def _state(kind: str) -> int:
    """Return a number that changes when a file of this *kind* in `static` does; each page asks for it."""
    files = (one for one in _files(STATIC) if one.name.endswith(kind))
    return hash(tuple(sorted((one.path, one.stat().st_mtime_ns) for one in files)))


def _files(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        for one in found:
            if one.is_dir():
                yield from _files(one.path)
            else:
                yield one


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


# ---- What lets a phone keep the page as an app: its manifest, its icons, and a page for when the table is
# away.
#
# A browser keeps a page for later (a service worker) only from an address with a certificate, or this
# machine's own. Over plain HTTP in a network there is still the icon on the home screen, and a page that was
# open says itself that the table is away.

installing = Blueprint("installing", __name__)

SIZES = (180, 192, 512)
_PAPER, _RED, _SNOUT, _HOLE = "#f7f4ee", "#c8323c", "#f3a9a4", "#7a1820"
_OVER = 4  # drawn so much larger, then made smaller: soft edges
_WORKER = """const KEPT = "away-{version}";
const NEEDED = ["/away", "{style}", "{script}"];
addEventListener("install", (event) => {{
  skipWaiting();
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(NEEDED)));
}});
addEventListener("activate", (event) => {{
  const old = (names) => names.filter((name) => name !== KEPT);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))));
}});
addEventListener("fetch", (event) => {{
  const {{ request }} = event;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match("/away")));
  else if (NEEDED.some((one) => request.url.endsWith(one)))
    event.respondWith(fetch(request).catch(() => caches.match(request)));
}});
"""


@installing.get("/app.webmanifest")
def manifest() -> Response:
    """Describe the app: it opens where a phone is a nose."""
    said = gettext_for(language())
    icons = [
        {
            "src": f"/icon-{size}.png",
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": "any maskable",
        }
        for size in SIZES
    ]
    described = {
        "name": "Last Nose",
        "short_name": "Last Nose",
        "description": said("My nose"),
        "lang": language(),
        "id": "/nose",
        "start_url": "/nose",
        "scope": "/",
        "display": "fullscreen",
        "display_override": ["fullscreen", "standalone"],
        "orientation": "portrait",
        "background_color": _PAPER,
        "theme_color": _PAPER,
        "icons": icons,
    }
    return Response(msgspec.json.encode(described), mimetype="application/manifest+json")


@installing.get("/icon-<int:size>.png")
def icon(size: int) -> Response:
    """Return the mark as a picture of *size* pixels."""
    if size not in SIZES:
        raise Missing(english("The icon is drawn in {sizes} pixels.", sizes=", ".join(map(str, SIZES))))
    made = Response(_icon(size), mimetype="image/png")
    made.headers["Cache-Control"] = "public, max-age=86400"
    return made


@lru_cache(maxsize=len(SIZES))
def _icon(size: int) -> bytes:
    """Return the mark, on paper to the edge, small enough to be cut to a circle."""
    from PIL import Image, ImageDraw

    large = size * _OVER
    picture = Image.new("RGB", (large, large), _PAPER)
    pen = ImageDraw.Draw(picture)

    def oval(x: float, y: float, across: float, down: float, colour: str) -> None:
        pen.ellipse([large * one for one in (x - across, y - down, x + across, y + down)], fill=colour)

    oval(0.5, 0.5, 0.4, 0.4, _RED)
    oval(0.5, 0.55, 0.225, 0.175, _SNOUT)
    for x in (0.415, 0.585):
        oval(x, 0.55, 0.05, 0.05, _HOLE)
    kept = io.BytesIO()
    picture.resize((size, size), Image.Resampling.LANCZOS).save(kept, "PNG", optimize=True)
    return kept.getvalue()


@installing.get("/away")
def away() -> Response:
    """Show what is wrong when the table does not answer; a phone keeps it for that."""
    body = render_template("away.html", lang=language(), wifi=WebContext.here().wifi)
    answer = make_response(body)
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@installing.get("/sw.js")
def worker() -> Response:
    """Return the script that shows the kept page when the table does not answer."""
    style, script = made_address("error.css"), made_address("away.js")
    version = "-".join(one.rpartition("=")[2] for one in (style, script))
    source = _WORKER.format(version=version, style=style, script=script)
    made = Response(source, mimetype="text/javascript")
    made.headers["Cache-Control"] = "no-cache"
    return made
