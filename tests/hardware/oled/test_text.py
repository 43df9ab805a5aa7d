"""Every script on the small screen: glyphs, shaping, order from left to right, and room for words."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose import companion
from lastnose.companion.games.rules.checks import letters_of
from lastnose.hardware.oled.canvas import Canvas
from lastnose.hardware.oled.layout import LARGE, SMALL, TALL, Word, short_names, standing_height
from lastnose.hardware.oled.shaping import (
    ROWS,
    SIZES,
    DrawnText,
    code_box,
    drawn,
    pieces,
    script_of,
    shaped,
    unifont,
    visual_order,
)

from tests.support.examples import examples
from tests.support.script_scenes import WORDS, people


def picture(line: DrawnText) -> list[str]:
    """Return *line* as strings, `#` for light."""
    return [f"{row:0{line.width}b}".replace("0", ".").replace("1", "#") for row in line.rows]


def ink(line: DrawnText) -> int:
    """Return how many pixels of *line* are lit."""
    return sum(row.bit_count() for row in line.rows)


def columns(line: DrawnText) -> list[int]:
    """Return how many pixels of each column of *line* are lit."""
    return [column.count("#") for column in map("".join, zip(*picture(line), strict=True))]


def test_each_script_is_written_in_the_smallest_font_that_knows_it() -> None:
    """Latin, Greek, Cyrillic and Hebrew go into small print, Thai into 6x13, all else into a tall line."""
    assert [SMALL] * 4 == [SMALL.suited(word) for word in ("Željko", "Σοφία", "Ђорђе", "דוד")]
    assert [LARGE] * 3 == [SMALL.suited(word) for word in ("Հայ", "ลา", "Nguyễn")]
    assert [TALL] * 4 == [LARGE.suited(word) for word in ("驴子", "حمار", "गधा", "Ana 🐴")]


@pytest.mark.parametrize(
    ("typed", "drawn"),
    [
        ("\u2764\ufe0f", ["\u2764"]),
        ("\U0001f44d\U0001f3fd!", ["\U0001f44d", "!"]),
        ("葛\U000e0100", ["葛"]),
        ("\ufdff\ufe10", ["\ufdff", "\ufe10"]),
        ("\U0001f3fa\U0001f400", ["\U0001f3fa", "\U0001f400"]),
    ],
    ids=[
        "a red heart",
        "a hand with its colour",
        "a variant of a letter",
        "beside the variants",
        "beside the colours",
    ],
)
def test_what_only_changes_what_stands_before_it_is_not_drawn(typed: str, drawn: list[str]) -> None:
    """Variants and colours of skin are left out, and nothing beside them in Unicode's tables is."""
    assert drawn == pieces(typed)


def test_every_sentence_of_ours_fits_small_print() -> None:
    """No letter of the program's own sentences makes a line taller; only the marks of the bench do."""
    for path in (Path(companion.__file__).parent / "i18n" / "locale").glob("*/LC_MESSAGES/*.po"):
        with path.open("rb") as stream:
            for message in read_po(stream):
                for sentence in (message.id, message.string):
                    said = sentence if isinstance(sentence, str) else "".join(sentence)
                    plain = said.replace("\n", " ").replace("✓", "").replace("✗", "")
                    assert SMALL is SMALL.suited(plain), said


def test_a_chinese_letter_is_sixteen_pixels_square() -> None:
    """子 is 16 pixels wide: a bar above, a stroke through it."""
    drawn = picture(TALL.line("子"))
    assert (16, 16) == (len(drawn), len(drawn[0]))
    assert "................" != drawn[7]
    assert 13 <= drawn[7].count("#"), "the horizontal stroke"


def test_letters_of_the_plain_font_keep_their_shape_in_a_tall_line() -> None:
    """In “A子” the A is that of 6x13, three rows lower."""
    alone = picture(LARGE.line("A"))
    beside = [row[:6] for row in picture(TALL.line("A子"))]
    assert ["......"] * 3 + alone == beside


def test_arabic_letters_join_in_a_word_and_stand_alone_by_themselves() -> None:
    """حمار is narrower than its letters one by one, and the first letter stands at the right."""
    word = TALL.line("حمار")
    apart = sum(TALL.measure(letter) for letter in letters_of("حمار"))
    assert word.width < apart
    last = picture(TALL.line("ر"))
    descender = [row[: len(last[0]) - 1] for row in picture(word)][-3:]
    assert any("#" in row for row in descender), (
        "the letter that hangs lowest, ر, is the last and at the left"
    )
    assert not any("#" in row[-6:] for row in picture(word)[-2:])


def test_persian_and_pashto_letters_are_joined_too() -> None:
    """No letter of a word of any language in Arabic script is left out."""
    for word in ("گچپژ", "پښتو", "ٹھیک", "ئۇيغۇر"):
        assert {"SansArabic"} == {script_of(letter) for letter in word}
        assert TALL.measure(word) < sum(map(TALL.measure, letters_of(word)))


def test_devanagari_forms_conjuncts() -> None:
    """स्ते has no virama to be seen and is narrower than its letters; क्ष is one sign."""
    assert TALL.measure("स्ते") < TALL.measure("स") + TALL.measure("ते")
    assert TALL.measure("क्ष") < TALL.measure("क") + TALL.measure("ष")


def test_a_vowel_that_is_written_before_its_letter_stands_before_it() -> None:
    """In कि the stroke of the vowel is left of the letter, in की right of it."""
    before, after = columns(TALL.line("कि")), columns(TALL.line("की"))
    assert 7 <= max(before[:4]), "the stroke of the vowel, at the left"
    assert 7 > max(before[-3:])
    assert 7 <= max(after[-4:]), "the stroke of the vowel, at the right"
    assert 7 > max(after[:4])


@pytest.mark.parametrize("script", [name for name, (word, _) in WORDS.items() if script_of(word[0])])
def test_nothing_of_a_shaped_word_is_cut_off(script: str) -> None:
    """Every word and name has all its rows in the 16 of a line."""
    word, names = WORDS[script]
    for part in (part for name in (word, *names) for part in pieces(name)):
        font = script_of(part[0])
        if font is not None:
            line = shaped(part, font)
            sizes = {sum(row.bit_count() for row in drawn(part, font, size).rows) for size in SIZES}
            assert ROWS == len(line.rows)
            assert ink(line) in sizes, part


def test_what_is_too_tall_is_drawn_smaller() -> None:
    """A Tibetan stack of five is more than 16 rows high at 13 pixels an em; it is drawn whole even so."""
    stack = "ཧྐྱུྂ"
    tall = [row for row in drawn(stack, "SerifTibetan", 13).rows if row]
    assert ROWS < len(tall)
    assert ink(shaped(stack, "SerifTibetan")) < sum(row.bit_count() for row in tall)
    assert ink(shaped(stack, "SerifTibetan")) in [
        sum(row.bit_count() for row in drawn(stack, "SerifTibetan", size).rows) for size in SIZES
    ]


def test_a_code_point_without_a_picture_is_its_number_in_a_box() -> None:
    """U+E000 is E0 over 00 in a frame, each digit three pixels wide."""
    expected = [
        "###########.",
        "#.........#.",
        "#.###.###.#.",
        "#.#...#.#.#.",
        "#.##..#.#.#.",
        "#.#...#.#.#.",
        "#.###.###.#.",
        "#.........#.",
        "#.###.###.#.",
        "#.#.#.#.#.#.",
        "#.#.#.#.#.#.",
        "#.#.#.#.#.#.",
        "#.###.###.#.",
        "#.........#.",
        "###########.",
        "............",
    ]
    glyph = code_box(0xE000)
    assert expected == picture(DrawnText(glyph.rows, glyph.width))
    assert glyph == unifont("\ue000")


def test_six_digits_of_a_box_differ_from_each_other() -> None:
    """All sixteen digits are different, so that a box can be read."""
    boxes = {code_box(int(f"F{digit:X}0000", 16)).rows for digit in range(16)}
    assert 16 == len(boxes)


@settings(max_examples=examples(200), deadline=None)
@given(st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp", "Cf", "Mn", "Me", "Mc")))
def test_every_character_leaves_a_mark(char: str) -> None:
    """No letter, figure or sign of Unicode is drawn as nothing."""
    blank = {"\u2800", "\u3164", "\uffa0", "\u115f", "\u1160"}  # empty by nature
    unseen = unicodedata.category(char) == "Sk" and 0x1F3FB <= ord(char) <= 0x1F3FF
    if unicodedata.normalize("NFC", char) not in blank and not unseen:
        assert ink(LARGE.line(char)) > 0, f"U+{ord(char):04X}"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("אבג", "גבא"),
        ("דוד was last", "דוד"[::-1] + " was last"),
        ("Tom (דו) 3", "Tom (" + "דו"[::-1] + ") 3"),
        ("רבקה (2)", "(2) " + "רבקה"[::-1]),
        ("א 12 ב", "ב 12 א"),
        ("a א, ב b", "a ב ,א b"),
        ("ב 12:30, 5%", "5% ,12:30 ב"),
        ("קלף +1-2", "1-2+ ףלק"),
    ],
)
def test_right_and_left_take_their_places(written: str, shown: str) -> None:
    """A sentence runs as the language of the screen does, its Hebrew the other way, its figures as ever."""
    assert list(shown) == visual_order(list(written))


def test_a_long_message_and_one_with_breaks_keep_all_their_pieces() -> None:
    """More than a hundred pieces, a word to be shaped among them, blanks at the end, breaks in between."""
    message = "אב 12\n(حمار) " * 12 + "\t "
    assert 100 < len(pieces(message))
    shown = visual_order(pieces(message))
    assert sorted(pieces(message)) == sorted(shown), "as many brackets of each kind, turned or not"
    assert 12 == shown.count("حمار")


@given(st.text(alphabet="abאב12 ()[]!,", max_size=12))
def test_no_piece_is_lost_or_doubled(message: str) -> None:
    """Whatever its order, a message keeps its letters; a bracket may only be turned."""
    plain = str.maketrans("([", ")]")
    assert sorted(message.translate(plain)) == sorted("".join(visual_order(list(message))).translate(plain))


@settings(max_examples=examples(60), deadline=None)
@given(
    st.text(alphabet=st.sampled_from("aé 子गधास्ت्حמ🐴\u200d"), max_size=20),
    st.integers(min_value=20, max_value=128),
)
def test_what_is_fitted_and_wrapped_stays_within_its_width(message: str, width: int) -> None:
    """In each font, cut or broken, no line is wider than asked for; wrapping loses no letter."""
    for font in (SMALL, LARGE, TALL):
        assert font.measure(font.fit(message, width)) <= width
        lines = font.wrap(message, width)
        assert all(font.measure(line) <= width or 1 == len(letters_of(line)) for line in lines)
        assert "".join(message.split(" ")) == "".join(lines).replace(" ", "")


def test_a_cut_name_keeps_whole_letters() -> None:
    """लक्ष्मी loses its last letter as a whole, never a virama or a vowel alone."""
    whole = letters_of("लक्ष्मी")
    assert ("ल", "क्ष्मी") == whole
    assert "ल" == TALL.start("लक्ष्मी", TALL.measure("लक्ष्मी") - 1)


def test_names_that_begin_alike_stay_apart_in_any_script() -> None:
    """王小明 and 王大明 are not both cut to 王."""
    cut = short_names(["王小明", "王大明", "North"], 30, SMALL)
    assert 3 == len(set(cut))


def test_twelve_wide_letters_take_two_lines_below_the_name() -> None:
    """12 × 16 pixels with gaps are 8 or fewer a line on 128: name and two lines of 16 make 48."""
    row = people("我爱玩牌今天晚上一起来吧", ("North",))[0]
    word = Word(row, LARGE, 128)
    assert (7, 2, 32) == (word.a_line, word.lines, word.height)
    assert 13 + 32 == standing_height(row, LARGE, 128)
    assert 13 == standing_height(people("DONKEY", ("North",))[0], LARGE, 128)


def test_a_whole_arabic_word_is_joined_where_its_letters_stood() -> None:
    """With three letters of four they stand apart; with the fourth the word is written as one."""
    apart, whole = people("حمار", ("A", "B", "C", "D"))[2:]
    pictures = []
    for row in (apart, whole):
        canvas = Canvas(128, 16)
        Word(row, LARGE, 128).draw(canvas, 0, 0, fresh=False)
        pictures.append(canvas.image())
    joined = Canvas(128, 16)
    width = Word(whole, LARGE, 128).width
    joined.text(width - TALL.measure("حمار"), 0, "حمار", TALL)
    assert joined.image().tobytes() == pictures[1].tobytes()
    assert pictures[0].tobytes() != pictures[1].tobytes()
