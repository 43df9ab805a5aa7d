"""A table's own variations: saved under a name, kept over evenings, deleted."""

from __future__ import annotations

from pathlib import Path

import pytest
from lastnose.companion.core.errors import BadInput
from lastnose.companion.evening.commands import AnyCommand, DeleteVariation, NewEvening, SaveVariation
from lastnose.companion.games.rules.variations import Variation, check_variation, kept
from lastnose.companion.table.memory_store import EventStore, MemoryStore
from lastnose.companion.table.store import Store
from lastnose.companion.table.table import Table


def told(table: Table, *wishes: AnyCommand) -> list[str]:
    """Do *wishes* and return the names of what is saved then."""
    for wish in wishes:
        table.execute(wish, "host")
    return [one.name for one in table.queries.variations()]


@pytest.mark.parametrize("where", ["memory", "disk"])
def test_a_variation_outlives_its_evening(where: str, tmp_path: Path) -> None:
    """Base game, word, stock, hand size, hold and finish come back as they were saved."""
    store: EventStore = MemoryStore() if where == "memory" else Store(tmp_path)
    table = Table(store, ("nose.1", "nose.2", "nose.3"))
    options = {"word": "SOW", "stock": True, "hand_size": 5, "hold": True, "winners": 1}
    assert ["Sow night"] == told(table, SaveVariation("Sow night", "pig", options), NewEvening())
    (saved,) = table.queries.variations()
    assert ("pig", options) == (saved.game, {key: saved.options[key] for key in options})
    assert 8 == len(saved.options)
    assert () == table.queries.rounds()
    store.close()


def test_a_name_is_saved_once() -> None:
    """The later one wins, capitals make no difference, and the list is by name."""
    table = Table(MemoryStore(), ("nose.1", "nose.2", "nose.3"))
    names = told(
        table,
        SaveVariation("Zoë’s", "hog"),
        SaveVariation("ours", "pig"),
        SaveVariation(" Ours ", "donkey"),
    )
    assert ["Ours", "Zoë’s"] == names
    assert "donkey" == table.queries.variations()[0].game
    assert ["Zoë’s"] == told(table, DeleteVariation("OURS"))


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (SaveVariation("  ", "pig"), "A name has 1 to 40 letters on one line."),
        (SaveVariation("x" * 41, "pig"), "A name has 1 to 40 letters on one line."),
        (SaveVariation("a\u0007b", "pig"), "A name has 1 to 40 letters on one line."),
        (SaveVariation("Ours", "pig", {"word": ""}), "Pig: the option “word” is a word"),
        (SaveVariation("Ours", "ludo"), "There is no game “ludo”."),
        (DeleteVariation("Ours"), "There is no saved variation “Ours”."),
    ],
)
def test_what_cannot_be_saved_is_refused(wish: AnyCommand, sentence: str) -> None:
    """In one sentence, and nothing is kept."""
    table = Table(MemoryStore(), ("nose.1", "nose.2", "nose.3"))
    with pytest.raises(BadInput) as caught:
        table.execute(wish, "host")
    assert str(caught.value).startswith(sentence)
    assert () == table.queries.variations()


def test_saving_leaves_a_game_alone() -> None:
    """It is no entry that undo would take back."""
    from lastnose.companion.testing.scenario import Scenario

    scenario = Scenario("pig", ["North", "East", "South"])
    before = scenario.snapshot
    scenario.table.execute(SaveVariation("Ours", "pig"), "host")
    assert (before.phase, before.rows, None) == (
        scenario.snapshot.phase,
        scenario.snapshot.rows,
        scenario.snapshot.undo,
    )


def test_what_was_deleted_can_be_saved_again() -> None:
    """Worked out by hand."""
    ours = check_variation("Ours", "pig", {})
    assert (ours,) == kept([ours, "ours", ours])
    assert () == kept([ours, Variation("OURS", "hog", {}), "Ours"])
