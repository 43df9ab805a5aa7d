"""What goes over the wire: sentences in the reader's language, times, fonts, what a phone keeps."""

from __future__ import annotations

import io
import json
import re
import struct

import pytest
import uharfbuzz
from lastnose.companion.config.settings import Wifi
from lastnose.companion.core.text import text
from lastnose.companion.games import get_game
from lastnose.companion.i18n import translator
from lastnose.companion.views.photo_finish import TapeEdge
from lastnose.web.encoding import Views, for_page, game_info, plain, to_json
from lastnose.web.language import language_of
from PIL import Image
from werkzeug.datastructures import Headers
from werkzeug.sansio.request import Request

from tests.support.fakes import FINISH, VERDICT
from tests.support.phones import Phone, make_app


def test_every_text_of_a_snapshot_becomes_a_sentence() -> None:
    """No message id with its parameters is left anywhere, and no field is lost."""
    shown = json.loads(to_json(VERDICT, "en"))
    assert "South was last: P" == shown["headline"]
    assert ["North opened."] == shown["proof"]
    assert set(VERDICT.__struct_fields__) == set(shown)
    assert '"params"' not in json.dumps(shown)


def test_times_have_a_ready_text_in_the_readers_language() -> None:
    """1,250,000 ns ± 20,688 is 1.250 ms in English and 1,250 ms in French; no margin, no text."""
    english, french = (plain(FINISH, translator(language)) for language in ("en", "fr"))
    assert ["0 µs", "1.250 ms", "1.662 ms"] == [mark["t_text"] for mark in english["marks"]]
    assert "412 µs" == english["margin_text"].replace("\u202f", " ").replace("\xa0", " ")
    assert ["10 µs"] * 3 == [mark["u_text"] for mark in english["marks"]]
    assert french["marks"][1]["t_text"].startswith("1,250")
    missing = plain(type(FINISH)((), (), None, None, False), translator("en"))
    assert [None, None] == [missing["margin_text"], missing["u_text"]]


def test_a_line_of_a_tape_is_told_no_more_sharply_than_it_is_known() -> None:
    """A phone's touch is sure to 61 ms: 160.412 ms says too much. What has no ± has no text."""
    phone = TapeEdge("edge", 160_412_345, u_ns=61_000_000)
    wired = TapeEdge("edge", -412_345, u_ns=10_000)
    told = [plain(line, translator("en"))["t_text"] for line in (phone, wired, TapeEdge("armed", -412_345))]
    assert ["160 ms", "−412 µs", None] == told


def test_a_snapshot_is_encoded_once_for_all_viewers_of_a_language() -> None:
    """The same bytes, not equal ones; a new snapshot is encoded again."""
    views = Views()
    assert views.state(VERDICT, "en") is views.state(VERDICT, "en")
    assert views.state(VERDICT, "en") is not views.state(VERDICT, "fr")
    later = type(VERDICT)(
        version=8, seq=12, evening=1, phase="armed", simulated=True, headline=text("Play!"), proof=()
    )
    assert b'"phase":"armed"' in views.state(later, "en")


def test_json_in_a_page_cannot_end_its_script_element() -> None:
    """A player called </script> stays a name."""
    name = "</script><!--\u2028&"
    made = for_page(to_json({"player": name}, "en"))
    assert {"player": name} == json.loads(made)
    assert not set("<>&\u2028") & set(made)


def test_a_game_is_described_for_set_up() -> None:
    """Every option with its label and choices as text, and a sentence where the label does not say it all."""
    shown = plain(game_info(get_game("pig")), translator("en"))
    assert {"fewest": 3, "most": 26} == shown["seats"]
    assert all(isinstance(option["label"], str) and option["label"] for option in shown["options"])
    explained = {option["key"]: option["explain"] for option in shown["options"]}
    assert all(one is None or (isinstance(one, str) and one) for one in explained.values())
    assert explained["stock"] is not None
    assert explained["hand_size"] is None
    assert {"flag", "choice", "word"} >= {option["kind"] for option in shown["options"]}


def asks(query: str = "", **headers: str) -> Request:
    """Return a request with this query and these headers."""
    named = Headers({name.replace("_", "-"): value for name, value in headers.items()})
    return Request("GET", "http", None, "", "/", query.encode(), named, None)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("fr", "fr"),
        ("en-GB,en;q=0.9,fr;q=0.8", "en"),
        ("de;q=1.0, fr;q=0.5, en;q=0.4", "fr"),
        ("de-CH, fr-CH;q=0.9, en;q=0.8", "fr"),
        ("en;q=0.3, fr;q=0.7", "fr"),
        ("fr;q=0, en", "en"),
        ("fr;q=0", "en"),
        ("fr;q=x, en;q=0.1", "en"),
        ("*", "en"),
        ("", "en"),
    ],
)
def test_the_browsers_best_wish_that_we_speak_wins(accepted: str, language: str) -> None:
    """By weight, then in its order; what it refuses or what cannot be read does not count."""
    assert language == language_of(asks(Accept_Language=accepted))


@pytest.mark.parametrize(
    ("query", "cookie", "language"),
    [
        ("", "lang=fr", "fr"),
        ("lang=en", "lang=fr", "en"),
        ("lang=xx", "lang=fr", "fr"),
        ("lang=xx", "lang=yy", "fr"),
        ("x=1", 'a"b; =; lang=en', "en"),
        ("lang=%ff", "", "fr"),
    ],
)
def test_what_was_asked_for_comes_before_what_is_remembered(query: str, cookie: str, language: str) -> None:
    """The address before the cookie before the browser (here French); what is none of ours is passed over."""
    assert language == language_of(asks(query, Cookie=cookie, Accept_Language="fr"))


def face_of(font: bytes) -> uharfbuzz.Font:
    """Return *font* as a shaper reads it."""
    return uharfbuzz.Font(uharfbuzz.Face(font))


def test_a_font_has_the_letters_asked_for_and_no_others() -> None:
    """A kanji as wide as it is high, the one beside it left out."""
    font = face_of(Phone(make_app()).get("/names.otf?font=05&text=小").data)
    glyph = font.get_nominal_glyph(ord("小"))
    assert glyph
    assert font.face.upem == font.get_glyph_h_advance(glyph)
    assert font.get_nominal_glyph(ord("小") + 1) is None


def test_a_font_adds_up_to_its_magic_number_and_has_what_browsers_want() -> None:
    """The sum over the whole file, a word at a time; and the tables without which a browser refuses it."""
    phone = Phone(make_app())
    for letters in ("小雨", "한글", "देवी", "😀"):
        faces = phone.get(f"/names.json?text={letters}").get_json()
        assert "".join(sorted(letters)) == "".join(sorted(face["text"] for face in faces))
        font = phone.get(faces[0]["url"]).data
        padded = font + b"\0" * (-len(font) % 4)
        assert 0xB1B0AFBA == sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        tables = set(uharfbuzz.Face(font).table_tags)
        assert {"OS/2", "cmap", "head", "hhea", "hmtx", "maxp", "name", "post"} <= tables
        assert {"glyf", "loca"} <= tables or {"CFF "} <= tables
        assert len(font) < 12_000


def test_letters_that_change_places_still_do() -> None:
    """Hindi: the sign of i stands before its consonant, as in the whole font."""
    phone = Phone(make_app())
    (told,) = phone.get("/names.json?text=कि").get_json()
    font = face_of(phone.get(told["url"]).data)
    buffer = uharfbuzz.Buffer()
    buffer.add_str("कि")
    buffer.guess_segment_properties()
    uharfbuzz.shape(font, buffer)
    assert [1, 0] == sorted({info.cluster for info in buffer.glyph_infos} | {0, 1}, reverse=True)
    assert 0 not in [info.codepoint for info in buffer.glyph_infos]
    consonant = font.get_nominal_glyph(ord("क"))
    assert consonant == buffer.glyph_infos[-1].codepoint


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("/names.otf?font=Comic&text=a", "There is no font “Comic”."),
        ("/names.otf?font=../OFL&text=a", "There is no font “../OFL”."),
        ("/names.json?text=" + "a" * 401, "Ask for at most 400 letters at once."),
    ],
)
def test_what_is_not_there_is_one_sentence(asked: str, sentence: str) -> None:
    """And a status that says whose fault it is."""
    answer = Phone(make_app()).get(asked)
    assert (422, sentence + "\n") == (answer.status_code, answer.get_data(as_text=True))


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
