"""Sentences in the reader's language: choice, plurals, numbers, and catalogues without a hole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from babel.messages import Catalog
from lastnose.companion.core.errors import CompanionError
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.i18n import (
    LANGUAGES,
    catalogue,
    choose_language,
    gettext_for,
    language_of,
    ngettext_for,
    translator,
)

from tools import catalogues
from tools.catalogues import Found, MessageId, fields, found_messages, read_catalogue

PATHS = catalogues.catalogues()
NO_BREAK = "\u00a0"


def _sides(message: MessageId) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else tuple(message)


def test_every_language_but_english_has_a_catalogue() -> None:
    """A language that is offered is there."""
    assert sorted(set(LANGUAGES) - {"en"}) == sorted(PATHS)


def _said_by_games_alone(found: Sequence[Found]) -> set[MessageId]:
    """Return the messages that only games say: who writes one sees it played before it is translated."""
    elsewhere = {one.message for one in found if not one.where.startswith("companion/games/")}
    return {one.message for one in found} - elsewhere


@pytest.mark.parametrize("language", PATHS)
def test_catalogue_has_the_messages_of_the_sources_and_no_others(language: str) -> None:
    """Nothing is missing, but of a game that is being written, nothing is left over: `make texts` merges."""
    wanted = {found.message: found.where for found in found_messages()}
    have = {message.id for message in read_catalogue(PATHS[language]) if message.id}
    missing = {message: where for message, where in wanted.items() if message not in have}
    assert {} == {
        message: missing[message] for message in {*missing} - _said_by_games_alone(found_messages())
    }
    assert set() == have - set(wanted)


@pytest.mark.parametrize("language", PATHS)
def test_every_message_is_translated_and_sure_and_fills_in_its_fields(language: str) -> None:
    """No message is empty or fuzzy, in any plural, and none has a field that its message has not."""
    games = _said_by_games_alone(found_messages())
    assert [] == [(one, why) for one, why in catalogues.problems(PATHS[language]) if one not in games]


@pytest.mark.heavy
@pytest.mark.parametrize("language", PATHS)
def test_every_message_of_the_games_is_translated_too(language: str) -> None:
    """Before it is everybody's. For `make check`: `make test` passes while a game is written."""
    assert [] == list(catalogues.problems(PATHS[language]))


def test_a_game_that_is_being_written_may_say_what_nobody_has_translated_yet() -> None:
    """And nothing else may: the same sentence, said by a page as well, is missing."""
    said = "A sentence of a new game."
    found = [Found(said, "companion/games/yours.py:1"), Found("Play!", "companion/games/yours.py:2")]
    assert {said, "Play!"} == _said_by_games_alone(found)
    assert {"Play!"} == _said_by_games_alone([*found, Found(said, "web/pages.py:1")])


def test_a_hole_a_doubt_and_a_mistyped_field_are_found(tmp_path: Path) -> None:
    """The check itself, on a catalogue that has one of each."""
    catalogue = Catalog(locale="bs")
    for found in found_messages():
        catalogue.add(found.message, ("x {n}",) * 3 if isinstance(found.message, tuple) else found.message)
    buys = ("{n} buy", "{n} buys")
    for message_id, form in (
        ("Play!", ""),
        ("Undo", "Poništi"),
        ("{player} wins!", "Pobjednik: {palyer}!"),
        ("{n} points", "bodovi"),
        (buys, ("{n} kupovina", "{n} kupovine", "")),
    ):
        message = catalogue.get(message_id if isinstance(message_id, str) else message_id[0])
        assert message is not None
        message.string = form
        if message_id == "Undo":
            message.flags.add("fuzzy")
    path = tmp_path / "bs" / "LC_MESSAGES" / "messages.po"
    path.parent.mkdir(parents=True)
    catalogues.write_catalogue(path, catalogue)
    wrong = dict(catalogues.problems(path))
    assert "is not translated" == wrong["Play!"] == wrong[buys]
    assert "is not sure (fuzzy)" == wrong["Undo"]
    assert "palyer" in wrong["{player} wins!"]
    assert "bodovi" in wrong["{n} points"]
    assert "No" not in wrong


def _all_fields(message: MessageId) -> set[str]:
    return set().union(*map(fields, _sides(message)))


def test_calls_give_every_field_of_their_message() -> None:
    """`text("{player} was last")` without a player would fail only when somebody reads it."""
    wrong = [
        f"{found.where}: {found.message!r}"
        for found in found_messages()
        if found.given and (_all_fields(found.message) ^ set(found.given)) - {"n"}
    ]
    assert [] == wrong


@pytest.mark.parametrize("language", ["en", *PATHS])
def test_apostrophes_are_those_of_print(language: str) -> None:
    """Write ’, not ', in what a person reads; what is typed in a shell keeps its quotes: 'lastnose[pi]'."""
    quoted = re.compile(r"'[^' ]*\[[^']*\]'")
    wrong = [
        side
        for message in read_catalogue(PATHS["fr" if language == "en" else language])
        if message.id
        for side in (_sides(message.id) if language == "en" else catalogues.sides(message.string))
        if "'" in quoted.sub("", side)
    ]
    assert [] == wrong


def test_french_marks_stand_behind_a_space_that_does_not_break() -> None:
    """« » ; : ! ? never begin or end a line alone."""
    breaking = re.compile(r"\s(?<!\u00a0)[;:!?»%](?:\W|$)|«(?!\u00a0)|(?<![\u00a0])»|\w[;!?](?:\s|$)")
    wrong = [
        side
        for message in read_catalogue(PATHS["fr"])
        if message.id
        for side in catalogues.sides(message.string)
        if breaking.search(side)
    ]
    assert [] == wrong


def test_bosnian_quotes_close_as_they_do_there() -> None:
    """„…“: another closing mark beside it looks like a slip."""
    for message in read_catalogue(catalogues.catalogues()["bs"]):
        said = "".join(message.string) if isinstance(message.string, tuple) else message.string or ""
        assert "”" not in said
        assert said.count("„") == said.count("“"), said


def test_a_text_inside_a_text_is_translated_too() -> None:
    """The margin inside a sentence speaks the sentence's language, decimal comma included."""
    message = text("At least {margin}", margin=text("{amount} ms", amount=1.25))
    assert f"Au moins 1,25{NO_BREAK}ms" == translator("fr")(message)
    assert "At least 1.25 ms" == translator("en")(message)


@pytest.mark.parametrize(
    ("language", "says"), [("en", "−7 and −0.5"), ("fr", "−7 et −0,5"), ("bs", "−7 i −0,5")]
)
def test_a_minus_is_a_minus_and_no_hyphen(language: str, says: str) -> None:
    """As wide as the plus; a name keeps what stands in it."""
    message = text("{first} and {last}", first=-7, last=-0.5)
    assert says == translator(language)(message)
    assert "Jean-Luc" in translator(language)(text("{player} wins!", player="Jean-Luc"))
    assert "−7 and −0.5" == str(message)


def test_a_players_name_is_never_translated_or_filled_in() -> None:
    """A name that looks like a message or a field stays as it is."""
    for name in ("Options", "{margin}", "1.5", "%s"):
        assert f"{name} sort du jeu." == translator("fr")(text("{player} is out.", player=name))


def test_plural_follows_the_language() -> None:
    """French says 0 in the singular, English in the plural."""
    rest = "or let a host make this phone one."
    ways = (f"Too many wrong PINs. Try again in {{n}} {word}, {rest}" for word in ("second", "seconds"))
    wait = (next(ways), next(ways))
    said = {n: (translator("en")(texts(*wait, n=n)), translator("fr")(texts(*wait, n=n))) for n in (0, 1, 2)}
    assert "0 seconds," in said[0][0]
    assert "0 seconde," in said[0][1]
    assert "1 second," in said[1][0]
    assert "2 secondes," in said[2][1]


def test_bosnian_has_three_plurals() -> None:
    """One, two to four, and many; twenty-one is one again, and eleven is many."""
    said = {n: translator("bs")(texts("{n} point", "{n} points", n=n)) for n in (1, 2, 5, 11, 21, 22, 112)}
    assert {1: "1 bod", 2: "2 boda", 5: "5 bodova", 11: "11 bodova", 21: "21 bod"}.items() <= said.items()
    assert {22: "22 boda", 112: "112 bodova"}.items() <= said.items()
    assert "1,25" in translator("bs")(text("{amount} ms", amount=1.25))


@pytest.mark.parametrize("n", [1, 2, 20, 21, 22, 25])
def test_one_spoon_is_said_of_one_alone_though_21_takes_its_form(n: int) -> None:
    """In Bosnian 21 declines as 1 does; with 22 players 21 spoons lie in the middle, not one."""
    ware = {"one": text("one spoon"), "many": text("spoons")}
    lay = texts(
        "Lay {one} in the middle, in cradle 1.",
        "Lay {n} {many} in the middle, in cradles 1 to {n}.",
        n=n,
        **ware,
    )
    one, more = "Stavite na sredinu: jednu kašiku, u ležište 1.", f"u ležišta 1 do {n}."
    said = translator("bs")(lay)
    assert said == one if n == 1 else said.endswith(more)


@pytest.mark.parametrize(
    ("n", "says"),
    [
        (-1, ("−1 point", "−1 point", "−1 bod")),
        (-2, ("−2 points", "−2 points", "−2 boda")),
        (-9, ("−9 points", "−9 points", "−9 bodova")),
        (-21, ("−21 points", "−21 points", "−21 bod")),
    ],
)
def test_less_than_nothing_has_the_plural_of_as_much(n: int, says: tuple[str, ...]) -> None:
    """On a sheet one may be nine points below zero."""
    points = texts("{n} point", "{n} points", n=n)
    assert says == tuple(translator(language)(points) for language in ("en", "fr", "bs"))
    assert says[0] == str(points)


def test_empty_text_stays_empty() -> None:
    """Gettext's header, which has the empty id, is never shown."""
    assert "" == translator("fr")(Text(""))
    assert "" == gettext_for("fr")("")


def test_templates_translate_with_and_without_fields() -> None:
    """Without fields the pattern comes back, for scripts that fill it in themselves."""
    _ = gettext_for("fr")
    assert "South sort du jeu." == _("{player} is out.", player="South")
    assert "{player} sort du jeu." == _("{player} is out.")
    assert "Some text nobody has translated" == _("Some text nobody has translated")
    assert "3 noses" == ngettext_for("fr")("{n} nose nobody translated", "{n} noses", 3)


@pytest.mark.parametrize(
    ("wished", "language"),
    [
        (["fr"], "fr"),
        (["FR-be"], "fr"),
        (["en-GB", "en", "fr"], "en"),
        (["de", "fr-CH", "en"], "fr"),
        (["*"], "en"),
        (["frisian"], "en"),
        ([""], "en"),
        ([], "en"),
        (["C.UTF-8"], "en"),
        (["fr_FR@euro"], "fr"),
    ],
)
def test_language_is_the_first_that_we_speak(wished: list[str], language: str) -> None:
    """However browsers and systems write it; English when it is none of ours."""
    assert language == choose_language(wished)


def test_environment_is_read_as_gettext_reads_it() -> None:
    """LANGUAGE before LC_ALL before LC_MESSAGES before LANG."""
    assert "fr" == language_of({"LANGUAGE": "de:fr:en", "LC_ALL": "en_GB.UTF-8"})
    assert "en" == language_of({"LC_ALL": "en_GB.UTF-8", "LC_MESSAGES": "fr_FR", "LANG": "fr_FR"})
    assert "fr" == language_of({"LC_ALL": "", "LC_MESSAGES": "fr_FR", "LANG": "en_US"})


def test_missing_catalogue_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout whose translations were not compiled names the file and the command."""
    monkeypatch.setattr("lastnose.companion.i18n.files", lambda package: tmp_path)
    catalogue.cache_clear()
    with pytest.raises(CompanionError, match=r"messages\.mo is missing: type “make setup”"):
        catalogue("fr")
    catalogue.cache_clear()
