"""Fonts for names: what HarfBuzz reads of them, drawn again, is what Unifont has; nothing else is in them."""

from __future__ import annotations

import struct

import pytest
import uharfbuzz
from lastnose.companion.i18n.glyphs import Glyph
from lastnose.web.name_fonts import pixel_font

from tests.support.phones import Phone, make_app


def face_of(font: bytes) -> uharfbuzz.Font:
    """Return *font* as a shaper reads it."""
    return uharfbuzz.Font(uharfbuzz.Face(font))


def test_a_pixel_font_draws_the_pixels() -> None:
    """A corner, a bar and a hole: the area and the ends of the outlines, by hand."""
    font = face_of(pixel_font({0x4E00: Glyph((0b1110, 0b1010, 0b1110), 4), 0x300: Glyph((1,), 1, True)}))
    glyph = font.get_nominal_glyph(0x4E00)
    assert glyph
    assert 4 * 64 == font.get_glyph_h_advance(glyph)
    assert 0 == font.get_glyph_h_advance(font.get_nominal_glyph(0x300) or 0)
    extents = font.get_glyph_extents(glyph)
    assert (0, 14 * 64, 3 * 64, -3 * 64) == (
        extents.x_bearing,
        extents.y_bearing,
        extents.width,
        extents.height,
    )
    assert font.get_nominal_glyph(0x4E01) is None


def test_a_font_adds_up_to_its_magic_number_and_has_what_browsers_want() -> None:
    """The sum over the whole file, a word at a time; and ten tables without which a browser refuses it."""
    phone = Phone(make_app())
    for letters in ("小雨", "한글", "देवी", "😀"):
        faces = phone.get(f"/names.json?text={letters}").get_json()
        assert "".join(sorted(letters)) == "".join(sorted(face["text"] for face in faces))
        font = phone.get(faces[0]["url"]).data
        padded = font + b"\0" * (-len(font) % 4)
        assert 0xB1B0AFBA == sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        wanted = {"OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post"}
        assert wanted <= set(uharfbuzz.Face(font).table_tags)
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
        ("/names.ttf?font=Comic&text=a", "There is no font “Comic”."),
        ("/names.ttf?font=../OFL&text=a", "There is no font “../OFL”."),
        ("/names.json?text=" + "a" * 401, "Ask for at most 400 letters at once."),
    ],
)
def test_what_is_not_there_is_one_sentence(asked: str, sentence: str) -> None:
    """And a status that says whose fault it is."""
    answer = Phone(make_app()).get(asked)
    assert (422, sentence + "\n") == (answer.status_code, answer.get_data(as_text=True))
