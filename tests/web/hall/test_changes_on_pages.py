"""What a hall's pages are sent: everything at first, then what has changed, which comes to the same."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lastnose.companion.evening.events import Started
from lastnose.companion.event import commands
from lastnose.companion.event.messages import Presence
from lastnose.companion.event.table_log import call_of
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore
from lastnose.web.hall.context import HallContext, change

from tests.support.halls import arranged, call_round, let_in, rows, take


def put_together(before: Any, change: Any) -> Any:
    """Do what the page does."""
    left_out, items = change.pop("left_out", []), change.pop("items", {})
    assert left_out == change.pop("gone", []), "its old name, for a version"
    made = {key: value for key, value in {**before, **change}.items() if key not in left_out}
    tables = [items.get(str(n), one) for n, one in enumerate(made.get("tables", []))]
    return {**made, "tables": tables} if tables else made


@pytest.mark.parametrize("language", ["en", "fr"])
def test_changes_come_to_the_same_as_the_whole(tmp_path: Path, language: str) -> None:
    """Over everything that happens in an evening; a deal at one table of two sends little."""
    store = HallStore(tmp_path)
    hall = Hall(store, random=Random(3), now_s=lambda: 0.0)
    pages = HallContext(hall, str, lambda: None)
    shown = pages.screen()
    page = json.loads(pages.encoded(shown, language))
    sizes: dict[str, int] = {}

    def follow(name: str) -> None:
        nonlocal shown, page
        now = pages.screen()
        news = change(shown, now, language)
        sizes[name] = len(news)
        page, shown = put_together(page, json.loads(news)), now
        assert page == json.loads(pages.encoded(now, language))

    arranged(hall, "Aya,Noor,Tom,Ewa,Kofi,Siti,Zoë,Nils")
    follow("arranged")
    one, other = let_in(hall), let_in(hall)
    follow("let in")
    hall.do(commands.Announce("Pizza"), "Ann")
    call_round(hall)
    follow("called")
    hall.do(commands.Announce(""), "Ann")
    follow("silence")
    now = hall.state.now
    for member in (one, other):
        names = tuple(now.names[entrant] for entrant in now.at(member.number))
        call, lines = call_of(hall.event, now.seq, now.nonce), tuple(f"nose.{n}" for n in range(1, 5))
        begun = Started(by="hall", at=0, game="pig", players=names, options={}, lines=lines, call=call)
        take(hall, member, rows((begun,)))
        hall.heard(member.table, Presence(n=1, here=(1,)))
        hall.tick()
        follow(f"table {member.number}")
    hall.do(commands.PutTableOut(other.number), "Ann")
    follow("put out")
    store.close()
    assert sizes["table 2"] < len(pages.encoded(shown, language)) / 2
    assert "people" not in json.loads(change(shown, pages.screen(), language))
