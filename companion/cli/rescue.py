"""`lastnose rescue`: a damaged log made sound again, with all of it that can be read."""

from __future__ import annotations

from pathlib import Path

from lastnose.companion.cli.frame import FILE, FOLDER, argument, define, json_option, option, print_json, say
from lastnose.companion.core.text import text


@define(
    "rescue",
    examples=[
        "lastnose rescue /var/lib/lastnose",
        "lastnose rescue . --copy /media/stick/lastnose-copy.sqlite",
        "lastnose rescue . --json",
    ],
)
@argument("folder", type=FOLDER)
@option(
    "--copy",
    "copy",
    type=FILE,
    metavar="FILE",
    help=text("A copy of this log, to take from it what the log lacks."),
)
@json_option
def command(folder: Path, copy: Path | None, as_json: bool) -> None:
    """Rescue the log in *folder* and say what came of it."""
    from lastnose.companion.table.log_file import NAME
    from lastnose.companion.table.rescue import SOUND, is_sound, rescue

    if (folder / NAME).is_file() and is_sound(folder) and copy is None:
        if as_json:
            print_json({"sound": True})
        else:
            say(SOUND)
        return
    done = rescue(folder, copy)
    if as_json:
        print_json({"sound": False, **{name: getattr(done, name) for name in done.__struct_fields__}})
    else:
        say(done.sentence)
