"""`lastnose rescue`: a damaged log made sound again, with all of it that can be read."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.frame import argument, json_option, print_json, say
from companion.cli.frame import command as define
from companion.core.text import text


@define(
    "rescue",
    help=text(
        "Read what can be read of a damaged log into a new one in its place. The damaged file is kept "
        "beside it; a sound log is left as it is."
    ),
    examples=["lastnose rescue /var/lib/lastnose", "lastnose rescue . --json"],
)
@argument("folder", type=click.Path(file_okay=False, path_type=Path))
@json_option()
def command(folder: Path, as_json: bool) -> None:
    """Rescue the log in *folder* and say what came of it."""
    from companion.table.log_file import NAME
    from companion.table.rescue import is_sound, rescue

    if (folder / NAME).is_file() and is_sound(folder):
        if as_json:
            print_json({"sound": True})
        else:
            say(text("The log in {folder} is sound: there is nothing to rescue.", folder=str(folder)))
        return
    done = rescue(folder)
    if as_json:
        print_json({"sound": False, **{name: getattr(done, name) for name in done.__struct_fields__}})
    else:
        say(done.sentence)
