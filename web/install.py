"""What lets a phone keep the page as an app: its manifest, its icons, and a page for when the table is away.

A browser keeps a page for later (a service worker) only from an address with a certificate, or this machine's
own. Over plain HTTP in a network there is still the icon on the home screen, and a page that was open says
itself that the table is away.
"""

from __future__ import annotations

import io
from functools import lru_cache

import msgspec
from flask import Blueprint, Response, make_response, render_template

from companion.core.errors import Missing
from companion.core.text import text
from companion.i18n import gettext_for
from web.context import WebContext
from web.delivery import made_address
from web.language import language

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
        raise Missing(text("The icon is drawn in {sizes} pixels.", sizes=", ".join(map(str, SIZES))))
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
