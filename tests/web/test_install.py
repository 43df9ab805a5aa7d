"""What lets a phone keep the page: all of it is there, and says what is wrong when the table is not."""

from __future__ import annotations

import io
import re

from lastnose.companion.config.settings import Wifi
from PIL import Image

from tests.support.phones import Phone, make_app


def test_a_manifest_names_icons_of_the_size_it_says() -> None:
    """It opens where a phone is a nose; the mark is red in the middle, paper at the edge."""
    phone = Phone(make_app())
    page = phone.get("/nose").get_data(as_text=True)
    found = re.search(r'rel="manifest" href="([^"]+)"', page)
    assert found
    manifest = phone.get(found[1])
    assert "application/manifest+json" == manifest.mimetype
    described = manifest.get_json(force=True)
    assert "/nose" == described["start_url"]
    for icon in described["icons"]:
        picture = Image.open(io.BytesIO(phone.get(icon["src"]).data))
        assert icon["sizes"] == "{}x{}".format(*picture.size)
        middle, edge = (picture.getpixel((picture.width // 2, y)) for y in (picture.width // 4, 2))
        assert (200, 50, 60) == middle
        assert (247, 244, 238) == edge
    assert 404 == phone.get("/icon-99.png").status_code


def test_the_kept_page_says_what_to_look_at_in_ones_own_language() -> None:
    """It needs nothing but its style and its script, which are kept with it, and names the table's Wi-Fi."""
    phone = Phone(make_app(wifi=Wifi("Tafel <1>", "12345678")))
    body = phone.get("/away?lang=fr").get_data(as_text=True)
    assert "La table ne répond pas" in body
    assert "Tafel &lt;1&gt;" in body
    worker = phone.get("/sw.js").get_data(as_text=True)
    needed = re.findall(r'(?:href|src)="(/made/[^"]+)"', body)
    assert ["/made/error.css", "/made/away.js"] == [one.partition("?")[0] for one in needed]
    for one in needed:
        assert f'"{one}"' in worker
        assert 200 == phone.get(one).status_code


def test_a_phone_that_is_away_gives_its_nose_back() -> None:
    """The host lets its nose be touched on any page again."""
    phone = Phone(make_app())
    line = "nose.2"
    body = {"page": "p1", "owns": line, "phone": "q"}
    assert 200 == phone.post("/api/v1/clock", body).status_code
    assert {"phones": []} == phone.post("/api/v1/phones/free", {"line": line}).get_json()
