"""One word, one concept: no two classes share a name, but where each stands for the same thing."""

from __future__ import annotations

from collections import defaultdict

from tests.support.sources import ROOT, sources

# The same concept in every place, each with why it has no name of its own.
SHARED = {
    "Options": "how a table plays one game: each game has its own, and is read by that name",
}


def _classes() -> dict[str, list[str]]:
    """Return where each class with a public name is defined, by name."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, source in sources().items():
        for name, line in source.classes:
            if not name.startswith("_"):
                found[name].append(f"{path.relative_to(ROOT)}:{line}")
    return found


def test_no_two_classes_have_one_name() -> None:
    """Who reads `Entry` need not ask which; a class beside another of its name says what is its own."""
    found = _classes()
    assert len(found) >= 500
    assert {} == {name: places for name, places in found.items() if len(places) > 1 and name not in SHARED}


def test_what_may_stand_twice_does_so_in_games_only() -> None:
    """A reason that nobody needs any more goes; a game's own names stay with the games."""
    found = _classes()
    assert [] == [name for name in SHARED if len(found[name]) < 2]
    places = [place for name in SHARED for place in found[name]]
    assert [] == [place for place in places if not place.startswith("companion/games/")]
