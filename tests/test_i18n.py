"""Sentences in the reader's language: choice, plurals, numbers, and catalogues without a hole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import catalogues
from catalogues import MessageId, fields, found_messages, read_catalogue
from companion.errors import CompanionError
from companion.i18n import (
    LANGUAGES,
    catalogue,
    choose_language,
    gettext_for,
    language_of,
    ngettext_for,
    translator,
)
from companion.text import Text, text, texts

PATHS = catalogues.catalogues()
NO_BREAK = "\u00a0"


def _sides(message: MessageId) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else tuple(message)


def test_every_language_but_english_has_a_catalogue() -> None:
    """A language that is offered is there."""
    assert sorted(set(LANGUAGES) - {"en"}) == sorted(PATHS)


@pytest.mark.parametrize("language", PATHS)
def test_catalogue_has_exactly_the_messages_of_the_sources(language: str) -> None:
    """Nothing is missing, nothing is left over: `make texts` merges."""
    wanted = {found.message: found.where for found in found_messages()}
    have = {message.id for message in read_catalogue(PATHS[language]) if message.id}
    assert {} == {message: where for message, where in wanted.items() if message not in have}
    assert set() == have - set(wanted)


@pytest.mark.parametrize("language", PATHS)
def test_every_message_is_translated_and_sure(language: str) -> None:
    """No message is empty or fuzzy, in any plural."""
    holes = [
        message.id
        for message in read_catalogue(PATHS[language])
        if message.id and (message.fuzzy or not all(_sides(message.string)))
    ]
    assert [] == holes


@pytest.mark.parametrize("language", PATHS)
def test_translations_have_the_fields_of_their_message(language: str) -> None:
    """A translation fills in what the message fills in; only a count may be left to the word (“one”)."""
    wrong = [
        (original, side)
        for message in read_catalogue(PATHS[language])
        if message.id
        for original, side in zip(_sides(message.id), _sides(message.string), strict=True)
        if side and (fields(original) ^ fields(side)) - _optional(message.id)
    ]
    assert [] == wrong


def _optional(message: MessageId) -> set[str]:
    return {"n"} if isinstance(message, tuple) else set()


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


def test_french_marks_stand_behind_a_space_that_does_not_break() -> None:
    """« » ; : ! ? never begin or end a line alone."""
    breaking = re.compile(r"\s(?<!\u00a0)[;:!?»%](?:\W|$)|«(?!\u00a0)|(?<![\u00a0])»|\w[;!?](?:\s|$)")
    wrong = [
        side
        for message in read_catalogue(PATHS["fr"])
        if message.id
        for side in _sides(message.string)
        if breaking.search(side)
    ]
    assert [] == wrong


def test_a_text_inside_a_text_is_translated_too() -> None:
    """The margin inside a sentence speaks the sentence's language, decimal comma included."""
    message = text("last by {margin}", margin=text("{amount} ms", amount=1.25))
    assert f"écart{NO_BREAK}: 1,25{NO_BREAK}ms" == translator("fr")(message)
    assert "last by 1.25 ms" == translator("en")(message)


def test_a_players_name_is_never_translated_or_filled_in() -> None:
    """A name that looks like a message or a field stays as it is."""
    for name in ("Options", "{margin}", "1.5", "%s"):
        assert f"{name} sort du jeu." == translator("fr")(text("{player} is out.", player=name))


def test_plural_follows_the_language() -> None:
    """French says 0 in the singular, English in the plural."""
    wait = "Too many wrong PINs. Try again in {n} second.", "Too many wrong PINs. Try again in {n} seconds."
    said = {n: (translator("en")(texts(*wait, n=n)), translator("fr")(texts(*wait, n=n))) for n in (0, 1, 2)}
    assert said[0][0].endswith("0 seconds.")
    assert said[0][1].endswith("0 seconde.")
    assert said[1][0].endswith("1 second.")
    assert said[2][1].endswith("2 secondes.")


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
    ("wish", "language"),
    [
        ("fr", "fr"),
        ("FR-be", "fr"),
        ("en-GB,en;q=0.9,fr;q=0.8", "en"),
        ("de;q=1.0, fr;q=0.5, en;q=0.4", "fr"),
        ("fr;q=0, en", "en"),
        ("fr;q=x, en;q=0.1", "en"),
        ("*", "en"),
        ("frisian", "en"),
        ("", "en"),
        (None, "en"),
        ("C.UTF-8", "en"),
        ("fr_FR@euro", "fr"),
    ],
)
def test_language_is_chosen_from_a_header_or_a_locale(wish: str | None, language: str) -> None:
    """The reader's best wish that we can speak wins; otherwise English."""
    assert language == choose_language(wish)


def test_environment_is_read_as_gettext_reads_it() -> None:
    """LANGUAGE before LC_ALL before LC_MESSAGES before LANG."""
    assert "fr" == language_of({"LANGUAGE": "de:fr:en", "LC_ALL": "en_GB.UTF-8"})
    assert "en" == language_of({"LC_ALL": "en_GB.UTF-8", "LC_MESSAGES": "fr_FR", "LANG": "fr_FR"})
    assert "fr" == language_of({"LC_ALL": "", "LC_MESSAGES": "fr_FR", "LANG": "en_US"})


def test_missing_catalogue_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout whose translations were not compiled names the file and the command."""
    monkeypatch.setattr("companion.i18n.files", lambda package: tmp_path)
    catalogue.cache_clear()
    with pytest.raises(CompanionError, match=r"messages\.mo is missing: type “make setup”"):
        catalogue("fr")
    catalogue.cache_clear()
