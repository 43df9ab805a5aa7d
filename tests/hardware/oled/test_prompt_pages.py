"""What the table is asked, on the small screen: when it is shown, and that anything can be."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.text import Text, text
from lastnose.companion.games.pieces.cards import JOKER, RANKS, SUITS, Card
from lastnose.companion.games.rules.prompts import Choice, Choose, Show
from lastnose.companion.views.scoreboard import due
from lastnose.companion.views.snapshot import Cradle, PlayerRow, Snapshot
from lastnose.hardware.oled.screens import count_pages, draw

from tests.support.asked_scenes import COUNTS, SHOWN, SILENT, TURN, UNTIL, asked, racked, with_notes
from tests.support.examples import examples
from tests.support.screen_scenes import FOUR, rows, snapshot

SIZE = (128, 64)
S = TypeVar("S", bound=msgspec.Struct)


def pages(shown: Snapshot, size: tuple[int, int] = SIZE) -> list[bytes]:
    """Every page of a moment."""
    return [draw(shown, size, page=page).tobytes() for page in range(count_pages(shown, size))]


def changed(shown: S, **changes: Any) -> S:
    """The same with something else."""
    return msgspec.structs.replace(shown, **changes)


def order(shown: Snapshot) -> list[bytes]:
    """The pages of a moment without their headings, which tell the place of each among the others."""
    found = [draw(shown, SIZE, page=page) for page in range(count_pages(shown, SIZE))]
    return [page.crop((0, 12, *SIZE)).tobytes() for page in found]


QUESTION = asked(Show(SHOWN, (UNTIL,)), TURN)
NEWS = asked(Show(SHOWN, (UNTIL,)), waits=False)
NOTHING = asked(waits=False)


def test_a_question_that_everything_waits_for_comes_first() -> None:
    """Before the verdict when no round is armed without an answer, after it otherwise."""
    verdict, *_ = order(NOTHING)
    question, after, *_ = order(QUESTION)
    assert after == verdict != question
    assert [verdict, question] == order(changed(QUESTION, waits=False))[:2]


def test_nobody_is_told_of_the_next_deal_while_a_question_waits() -> None:
    """The moment and the standings stay."""
    advice = order(NOTHING)[-1]
    assert advice not in order(QUESTION)
    assert advice in order(changed(QUESTION, waits=False))


def test_what_a_step_has_shown_is_news_until_the_next_round_is_armed() -> None:
    """It stands before the verdict; a table that plays on has seen it."""
    assert order(NOTHING) == order(NEWS)[1:]
    assert pages(changed(NOTHING, phase="armed")) == pages(changed(NEWS, phase="armed"))


def test_an_open_question_is_still_told_when_the_next_round_is_armed() -> None:
    """After the standings."""
    armed = changed(QUESTION, phase="armed", waits=False)
    assert [*order(changed(NOTHING, phase="armed")), order(QUESTION)[0]] == order(armed)


def test_a_round_under_way_is_one_page_whatever_is_asked() -> None:
    """Nobody looks for a question during a race."""
    racing = changed(QUESTION, phase="judging", waits=False, acts=(SILENT,))
    assert pages(changed(NOTHING, phase="judging")) == pages(racing)
    assert 1 == len(pages(racing))


def test_whom_the_table_could_name_is_asked_beside_the_verdict_only() -> None:
    """It is kept from the moment in which the next round is armed; an act without a prompt is the host's."""
    beside = changed(NOTHING, acts=(SILENT,))
    assert len(pages(NOTHING)) + 1 == len(pages(beside))
    assert pages(NOTHING) == pages(changed(beside, acts=(changed(SILENT, prompt=None),)))
    assert pages(changed(NOTHING, phase="armed")) == pages(changed(beside, phase="armed"))


def test_of_two_questions_the_first_is_asked_and_both_tell_their_choices() -> None:
    """As one page: mercy is one of the things to choose."""
    mercy = Choose("mercy", text("Or let it be"), text("x"), (Choice("m", text("Mercy"), text("x")),))
    all_of_it = changed(TURN, choices=(*TURN.choices, *mercy.choices))
    assert pages(asked(TURN, mercy)) == pages(asked(all_of_it)) != pages(asked(TURN))


def test_a_cradle_that_has_been_retired_is_not_drawn() -> None:
    """The rack is as long as there are spoons in the game."""
    shown = racked(True, (1, 3))
    assert pages(shown) == pages(changed(shown, rack=shown.rack[:-1]))
    assert pages(shown) != pages(changed(shown, rack=shown.rack[:-2]))


def test_missing_spoons_are_told_beside_held_noses() -> None:
    """One page more than for the noses alone, as long as a spoon is away that is in use."""
    held = snapshot("blocked", text("x"), text("y"), players=rows(FOUR, by_seat={2: {"held": True}}))
    away = Cradle(2, "spoon.2", used=True, lifted=True)
    racks = {(): 1, (away,): 2, (changed(away, lifted=False),): 1, (changed(away, used=False),): 1}
    shown = [changed(held, rack=rack) for rack in racks]
    assert list(racks.values()) == [len(pages(changed(one, due=due(one)))) for one in shown]


def test_a_note_stands_where_it_fits_and_takes_a_line_of_its_own() -> None:
    """Four players with a note need two pages; on a display too narrow for it, it is left out."""
    scores = {seat: {"score": 16} for seat in range(1, 5)}
    plain = snapshot("armed", text("x"), players=rows(FOUR, "", by_seat=scores))
    noted = snapshot("armed", text("x"), players=rows(FOUR, "", by_seat=with_notes(1, 2, 3, 4)))
    assert (1, 2) == (len(pages(plain)), len(pages(noted)))
    assert pages(plain, (64, 128)) == pages(noted, (64, 128))
    assert pages(plain, (128, 128)) != pages(noted, (128, 128))


WORDS = st.text(max_size=60)
CARDS = st.lists(
    st.builds(Card, st.sampled_from(RANKS), st.sampled_from(SUITS)) | st.just(JOKER), max_size=52
)


def said(words: str) -> Text:
    """Any words as a text."""
    return text("{words}", words=words)


@settings(max_examples=examples(60), deadline=None)
@given(
    title=WORDS,
    lines=st.lists(WORDS, max_size=6),
    cards=CARDS,
    label=WORDS,
    choices=st.lists(WORDS, max_size=8),
    players=st.lists(WORDS, max_size=13),
    size=st.sampled_from([(128, 64), (128, 32), (256, 64), (64, 128), (64, 48), (96, 16)]),
)
def test_whatever_is_asked_it_can_be_drawn(
    title: str,
    lines: list[str],
    cards: list[Card],
    label: str,
    choices: list[str],
    players: list[str],
    size: tuple[int, int],
) -> None:
    """No text, no card and no count of them stops the display."""
    steps = (
        Show(said(title), tuple(map(said, lines)), tuple(cards)),
        Choose("x", said(label), said(label), tuple(Choice(one, said(one), said(one)) for one in choices)),
    )
    people = tuple(
        PlayerRow(seat, name, (), (), False, 3, notes=(COUNTS,)) for seat, name in enumerate(players, 1)
    )
    acts = (changed(SILENT, label=said(label), prompt=said(title)),)
    shown = changed(asked(*steps, acts=acts), rows=people, finish=None)
    for page in range(count_pages(shown, size)):
        assert size == draw(shown, size, page=page).size
