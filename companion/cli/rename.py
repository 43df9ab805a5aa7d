"""`lastnose rename`: somebody is called otherwise in all of the evening, at a running table or in its log."""

from __future__ import annotations

import time
from pathlib import Path

from lastnose.companion.cli.frame import argument, data_option, define, json_option, print_json, say
from lastnose.companion.cli.remote import HERE, at_option, base_of, command_table, token_option
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.names import tidy
from lastnose.companion.core.text import text


@define(
    "rename",
    examples=[
        "lastnose rename Jhon John",
        "lastnose rename 'Ana 2' Annika --at http://lastnose.local/ --token lastnose_…",
    ],
)
@argument("player")
@argument("name")
@data_option
@at_option()
@token_option
@json_option
def command(
    player: str, name: str, data_dir: Path | None, address: str | None, token: str | None, as_json: bool
) -> None:
    """Ask the table, or write into the log; say who is who."""
    from lastnose.companion.config.settings import default_data_dir
    from lastnose.companion.table.log_file import InUse

    folder = data_dir or default_data_dir()
    wish = {"type": "rename", "player": player, "name": name}
    try:
        if address is not None or token is not None:
            command_table(base_of(address or HERE), folder, token, wish)
        else:
            _write(folder, player, name)
    except InUse:
        command_table(base_of(HERE), folder, None, wish)
    if as_json:
        print_json({"was": tidy(player), "name": tidy(name)})
    else:
        say(text("{player} is called {name} this evening.", player=tidy(player), name=tidy(name)))


def _write(folder: Path, player: str, name: str) -> None:
    """Write it into the log in *folder*, which no table uses; raise a CompanionError, InUse if one does."""
    from lastnose.companion.evening.events import NameChanged
    from lastnose.companion.evening.log import check_renaming
    from lastnose.companion.table.log_file import NAME, none_kept
    from lastnose.companion.table.memory_store import EveningRecord
    from lastnose.companion.table.store import Store, must_be_there

    must_be_there(folder / NAME)
    if not (folder / NAME).is_file():
        raise BadInput(none_kept(folder / NAME))
    store = Store(folder)
    try:
        record = EveningRecord(store)
        kept = check_renaming(record.evening, player, name)
        record.append(NameChanged(by="host", at=time.time(), was=player, name=kept))
    finally:
        store.close()
