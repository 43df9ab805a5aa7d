"""The table of words (`words.toml`) and the texts: a word has one of its own in each language and game."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lastnose.companion import games
from lastnose.companion.core.text import Text
from lastnose.companion.i18n import LANGUAGES, translator

from tests.i18n.test_i18n import PATHS, read_catalogue
from tests.support import minutes

WORDS: dict[str, Any] = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
GAMES = [(name, game) for game in WORDS["game"] for name in game["names"]]
OTHERS = [language for language in LANGUAGES if language != "en"]


def has(pattern: str, says: str) -> bool:
    """Return whether *says* has what *pattern* means, capitals or not."""
    return re.search(pattern, says, re.IGNORECASE) is not None


@cache
def messages(language: str) -> dict[str, str]:
    """Return the messages of a language by the English, all plurals of one in one line."""
    return {_whole(one.id): _whole(one.string) for one in read_catalogue(PATHS[language]) if one.id}


def _whole(message: str | tuple[str, ...] | list[str]) -> str:
    return message if isinstance(message, str) else " / ".join(message)


@cache
def heard() -> dict[str, tuple[Text, ...]]:
    """Return every text of each game that its minutes have, and its options and its help."""
    found: dict[str, dict[str, Text]] = defaultdict(dict)
    now = ""

    def listening(value: Any, usual: Any = minutes.said) -> str:
        if isinstance(value, Text):
            found[now][f"{value.id} {value}"] = value
        return str(usual(value))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(minutes, "said", listening)
        for file in minutes.FOLDER.glob("*.txt"):
            evening = minutes.Minutes()
            for line in _done(file):
                what, name, *_ = line.split(" ")
                now = name if what in ("table", "options", "help", "deal") else now
                evening.does(line)
    return {name: tuple(said.values()) for name, said in found.items()}


def _done(file: Path) -> Iterator[str]:
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("$ "):
            yield line.removeprefix("$ ") if " " in line.removeprefix("$ ") else f"{line.removeprefix('$ ')} "


PART = re.compile(r"\b(?:nose-pod|spoon-cradle)[\w-]*")  # of a kit: named as its file is, everywhere
FIELD = re.compile(r"(?<=\{)\w+(?=\})")  # filled in, and no word


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_has_a_word_that_natives_do_not_say(language: str) -> None:
    """The English is what the French is a translation of."""
    said = [*messages("fr")] if language == "en" else [*messages(language).values()]
    assert len(said) > 2_000
    forbidden = "|".join(WORDS["forbidden"][language])
    assert [] == [one for one in said if has(forbidden, one)]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("word", WORDS["word"], ids=lambda word: str(word["en"]))
def test_a_word_has_one_translation_in_every_message(word: dict[str, str], language: str) -> None:
    """A dock is no cradle: who reads one for the other puts the spoon back."""
    said = {
        english: other
        for english, other in messages(language).items()
        if other
        and has(word["en"], FIELD.sub("", PART.sub("", english)))
        and not has(word.get("unless", "$^"), english)
    }
    assert said, "a word that nothing says any more"
    assert {} == {english: other for english, other in said.items() if not has(word[language], other)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "game"), GAMES, ids=[name for name, _ in GAMES])
def test_a_game_is_told_in_its_own_words(name: str, game: dict[str, Any], language: str) -> None:
    """Each word of its table is heard in it, and none of another game."""
    say = translator(language)
    said = sorted({say(one) for one in heard()[name]})
    whole = "\n".join(said)
    assert [] == [what for what, words in game["heard"].items() if not has(words[language], whole)]
    never = game["never"][language]
    assert [] == [one for one in said if has(never, one)]


# What a voice reads well, and what the page’s own says in words or between commas (`heard` in voice.js).
SPOKEN = re.compile(r"[\w\s.,:;!?…’'“”„«»–-]|[♠♥♦♣±×−·()+%]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_read_aloud_has_no_sign_that_a_voice_stumbles_over(language: str) -> None:
    """No arrow, slash, star or bracket is in what a game says, or in what the pages say of the moment."""
    say = translator(language)
    said = {say(one) for texts in heard().values() for one in texts}
    assert [] == sorted(one for one in said if SPOKEN.sub("", one))


def test_help_begins_with_what_a_nose_is_where_noses_are_touched() -> None:
    """Not where a spoon counts on its dock, or as soon as it is taken: there nobody has a nose."""
    for name, game in games.GAMES.items():
        first = game.help(game.read_options({}))[0].lines[0]
        assert game.watched == str(first).startswith("A nose is the button in front of you"), name
    spoons = games.get_game("spoons")
    for confirm in ("dock", "rack-only"):
        lines = spoons.help(spoons.read_options({"confirm": confirm}))[0].lines
        assert not has("nose", " ".join(map(str, lines)))
