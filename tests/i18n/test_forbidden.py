"""Words that nobody at a table says, or that say something else there: none of them is in any message."""

from __future__ import annotations

import re

import pytest

from tests.i18n.test_i18n import PATHS, read_catalogue

# What a hall says of people and machines has words of its own, which are not held yet.
FORBIDDEN = {
    "en": r"\bsay (?:lastnose|sudo|--)|\bso be it\b|\bmend|\bthe doubt\b|\bwas last of all\b"
    r"|\bone less than\b"
    r"|\bslaps? (?:your|the|their) nose\b|\bbeyond ten\b|(?:^|[.;:] )who (?:is out|closed|cannot)\b"
    r"|\beverybody may[.,]",
    "fr": r"dernier nez|premier nez|\bvos supports\b|\bvotre support\b|\bquais?\b|\bbon pour rire\b"
    r"|\best sain\b"
    r"|frappe[zr]? (?:le|votre|son) nez|mettre la table|au talon|\bparaîtra\b|la partie finit",
    "bs": r"\bposljednj|\bpoen(?:i|a|e|ima)?\b|\blicem nadolje\b|\bsticku\b|kazaljke(?! na satu)"
    r"|\bpo nosu\b",
}


@pytest.mark.parametrize("language", FORBIDDEN)
def test_no_message_has_a_word_that_natives_do_not_say(language: str) -> None:
    """The English is what the French is a translation of."""
    forbidden = re.compile(FORBIDDEN[language], re.IGNORECASE)
    messages = [one for one in read_catalogue(PATHS["fr" if language == "en" else language]) if one.id]
    said = [side for one in messages for side in _sides(one.id if language == "en" else one.string)]
    assert len(said) > 2_000
    assert [] == [one for one in said if forbidden.search(one)]


def _sides(message: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Return *message* in all its plurals."""
    return (message,) if isinstance(message, str) else tuple(message)
