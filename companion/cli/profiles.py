"""`lastnose profiles`: which wirings there are, what one says, its drawing and parts; yours checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from lastnose.companion.cli import completion
from lastnose.companion.cli.frame import (
    COMMANDS,
    CSV,
    FILE,
    CliGroup,
    argument,
    bad_option,
    define,
    json_option,
    language,
    option,
    print_json,
    print_table,
    speak,
)
from lastnose.companion.core.errors import BadInput, unwritable
from lastnose.companion.core.text import Text, english, listing, text, texts
from lastnose.companion.wiring import bom as bill
from lastnose.companion.wiring import circuit as printed
from lastnose.companion.wiring.boards import Use, boot_pull, physical_pin, pin_name
from lastnose.companion.wiring.booklet import booklet
from lastnose.companion.wiring.drawings.kicad import as_kicad
from lastnose.companion.wiring.drawings.levers import input_sheets, input_table
from lastnose.companion.wiring.drawings.sheets import channel_sheet, must_be_wired, sheets
from lastnose.companion.wiring.profile import Profile, built_in_profiles, examined, load_profile
from lastnose.companion.wiring.wires import (
    HEADINGS,
    Wire,
    as_csv,
    as_markdown,
    board_name,
    colour_of,
    part_of,
    rows,
    wires,
)

_PULLS = {"up": english("pull-up"), "down": english("pull-down"), "none": text("in memory")}


@click.command(
    "profiles",
    cls=CliGroup,
    help=COMMANDS["profiles"],
    examples=[
        "lastnose profiles",
        "lastnose profiles show home6",
        "lastnose profiles check my-table.toml --json",
        "lastnose profiles wiring home6 -o wiring.svg",
        "lastnose profiles bom home6",
    ],
    invoke_without_command=True,
)
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """List the profiles, unless a member was called."""
    if ctx.invoked_subcommand is not None:
        return
    found = [load_profile(name) for name in built_in_profiles()]
    if as_json:
        print_json([_summary(profile) for profile in found])
    else:
        width = max(len(profile.name) for profile in found)
        click.echo("\n".join(f"{profile.name:{width}}  {speak(_sentence(profile))}" for profile in found))


@define(
    "show",
    help=text("Say what each pin of a wiring is for, and what the Pi’s config.txt needs."),
    examples=["lastnose profiles show home6", "lastnose profiles show my-table.toml --json"],
)
@argument("profile", metavar="NAME|FILE", shell_complete=completion.profiles)
@json_option
def show(profile: str, as_json: bool) -> None:
    """Explain a profile."""
    found = load_profile(profile)
    if as_json:
        print_json(_described(found))
    else:
        click.echo("\n".join(_written(found)))


@define(
    "check",
    help=text("Check a wiring: every problem at once, and what works only with care."),
    examples=["lastnose profiles check my-table.toml", "lastnose profiles check my-table.toml --json"],
)
@argument("profile", metavar="FILE|NAME", shell_complete=completion.profiles)
@json_option
def check(profile: str, as_json: bool) -> int:
    """Say all that is wrong; the status is 1 when the profile cannot be used."""
    found, problems = examined(profile)
    warnings = [] if found is None else found.warnings()
    config = [] if found is None or problems else found.config_lines()
    return _answer(profile, problems, warnings, config, as_json)


def _answer(file: str, problems: list[Text], warnings: list[Text], config: list[str], as_json: bool) -> int:
    """Print what a check found; return the status."""
    if as_json:
        said = {
            "problems": [speak(problem) for problem in problems],
            "warnings": [speak(warning) for warning in warnings],
        }
        print_json({"file": file, "ok": not problems} | said | {"config": config})
    else:
        _say_check(file, problems, warnings, config)
    return 1 if problems else 0


def _say_check(file: str, problems: list[Text], warnings: list[Text], config: list[str]) -> None:
    lines = [speak(text("{what}: {says}", what=file, says=problem)) for problem in problems]
    if not problems:
        lines = [speak(text("{file} can be built.", file=file))]
    if config:
        lines += ["config.txt:", *(f"  {line}" for line in config)]
    if warnings:
        lines += [f"! {speak(warning)}" for warning in warnings]
    click.echo("\n".join(lines))


def _summary(profile: Profile) -> dict[str, Any]:
    pins = profile.pins
    return {
        "name": profile.name,
        "board": profile.board,
        "noses": len(pins.noses),
        "spoons": len(pins.spoons),
        "docks": len(pins.docks),
        "host": pins.host is not None,
        "lamps": pins.leds is not None or bool(pins.lamps),
        "buzzer": pins.buzzer is not None,
        "sync": pins.sync is not None,
        "oled": profile.oled.driver,
        "summary": speak(_sentence(profile)),
    }


def _sentence(profile: Profile) -> Text:
    """Return what a profile has, as one line."""
    pins = profile.pins
    parts: list[Text | str] = [texts("{n} nose", "{n} noses", n=len(pins.noses))]
    if pins.spoons:
        parts.append(texts("{n} spoon", "{n} spoons", n=len(pins.spoons)))
    if pins.docks:
        parts.append(texts("{n} dock", "{n} docks", n=len(pins.docks)))
    extras = (
        (pins.host is not None, text("host button")),
        (pins.leds is not None or bool(pins.lamps), text("lamps")),
        (pins.buzzer is not None, text("buzzer")),
        (pins.sync is not None, text("sync wire")),
        (profile.oled.driver != "none", english("OLED {driver}", driver=profile.oled.driver)),
    )
    parts += [words for there, words in extras if there]
    return text("{what}: {says}", what=board_name(profile.board), says=listing(parts))


def _described(profile: Profile) -> dict[str, Any]:
    timing = profile.timing
    return _summary(profile) | {
        "pins": [_pin(use) for use in profile.uses()],
        "config": profile.config_lines(),
        "warnings": [speak(warning) for warning in profile.warnings()],
        "timing": {"confirm_us": timing.confirm_us, "lockout_us": timing.lockout_us, "u_us": timing.u_us},
    }


def _pin(use: Use) -> dict[str, Any]:
    return {
        "use": use.name,
        "board": use.board,
        "pin": use.pin,
        "name": pin_name(use.board, use.pin),
        "physical": physical_pin(use.board, use.pin),
        "boot_pull": boot_pull(use.board, use.pin),
        "wire": speak(colour_of(use.name).name),
        "to": speak(part_of(use.name)),
    }


def _written(profile: Profile) -> Iterator[str]:
    yield speak(text("{what}: {says}", what=profile.name, says=_sentence(profile)))
    yield ""
    for use in profile.uses():
        place = physical_pin(use.board, use.pin)
        where = speak(text("pin {n}", n=place)) if place else ""
        pull = speak(_PULLS[boot_pull(use.board, use.pin)])
        colour = speak(colour_of(use.name).name)
        yield f"  {use.name:18} {pin_name(use.board, use.pin):7} {where:10} {pull:22} {colour}"
    if lines := profile.config_lines():
        yield ""
        yield "config.txt:"
        yield from (f"  {line}" for line in lines)
    if warnings := profile.warnings():
        yield ""
        yield from (f"! {speak(warning)}" for warning in warnings)


# ---- the drawing of a profile, or its table of wires


DRAWS = text(
    "Draw a profile’s wiring (.svg), tabulate it (.md, .csv), write a booklet to build it by (.html), or "
    "its printed circuit for KiCad 9 (.kicad_pcb), of which there is no drawing."
)


@define(
    "wiring",
    help=DRAWS,
    examples=[
        "lastnose profiles wiring home6 -o wiring.svg",
        "lastnose profiles wiring home6 --sheet board -o board.svg",
        "lastnose profiles wiring home4-screws -o booklet.html --lang fr",
        "lastnose profiles wiring my-table.toml -o wiring.csv",
        "lastnose profiles wiring my-table.toml -o my-table.kicad_pcb",
    ],
)
@argument("profile", metavar="NAME|FILE", shell_complete=completion.profiles)
@option("--output", "-o", type=FILE, help=text("The file to write."))
@option(
    "--sheet",
    type=click.Choice(["wires", "board", "circuit", "channel"]),
    default="wires",
    help=text(
        "All wires, the inputs’ strip board or connectors hole by hole, the printed circuit’s parts, or the "
        "circuit of one input."
    ),
)
@json_option
def wiring(profile: str, output: Path | None, sheet: str, as_json: bool) -> None:
    """Write the drawing or the table."""
    found = load_profile(profile)
    must_be_wired(found)
    if as_json:
        print_json([_wire(wire) for wire in wires(found)])
    if output is None:
        if not as_json:
            print_table(*_table(found, sheet))
        return
    for path, content in _files(found, output, sheet).items():
        try:
            path.write_text(content, encoding="utf-8")
        except OSError as error:
            raise BadInput(unwritable(path, error)) from None
        click.echo(str(path), err=as_json)


def _files(profile: Profile, output: Path, sheet: str) -> dict[Path, str]:
    """Return the contents by file; a second page is called after the first."""
    tables: dict[str, Callable[..., str]] = {".md": as_markdown, ".csv": as_csv}
    suffix = output.suffix.lower()
    if suffix in tables and sheet != "channel":
        return {output: tables[suffix](*_table(profile, sheet), speak)}
    if suffix == ".html":
        return {output: booklet(profile, speak, language())}
    if suffix == ".kicad_pcb":
        return {output: as_kicad(printed.circuit(profile))}
    if suffix != ".svg" or sheet == "circuit":
        raise bad_option(str(output), DRAWS)
    draw = {"wires": sheets, "board": input_sheets}
    pages = [channel_sheet(speak)] if sheet == "channel" else draw[sheet](profile, speak)
    return {
        output.with_stem(output.stem + (f"-{number}" if number > 1 else "")): page
        for number, page in enumerate(pages, start=1)
    }


def _table(profile: Profile, sheet: str) -> tuple[tuple[Text, ...], list[tuple[Text | str, ...]]]:
    if sheet == "board":
        return input_table(profile)
    if sheet == "circuit":
        return printed.HEADINGS, printed.circuit_rows(printed.circuit(profile))
    return HEADINGS, rows(profile)


def _wire(wire: Wire) -> dict[str, object]:
    return {
        "use": wire.use,
        "board": wire.board,
        "pin": wire.physical,
        "name": wire.pin,
        "wire": speak(wire.colour.name),
        "to": speak(wire.to),
        "through": wire.through,
    }


# ---- what to buy for a profile


@define(
    "bom",
    help=text("List what to buy for a profile: parts, spares, and what may replace them."),
    examples=["lastnose profiles bom home6", "lastnose profiles bom pico-party --csv"],
)
@argument("profile", metavar="NAME|FILE", shell_complete=completion.profiles)
@option("--csv", "comma_separated", is_flag=True, help=CSV)
@json_option
def bom(profile: str, comma_separated: bool, as_json: bool) -> None:
    """Print the bill."""
    if comma_separated and as_json:
        raise bad_option("--csv", CSV)
    found = load_profile(profile)
    must_be_wired(found)
    items = bill.bill(found)
    if as_json:
        print_json([_item(item) for item in items])
        return
    if comma_separated:
        click.echo(as_csv(bill.HEADINGS, bill.rows(items), speak), nl=False)
        return
    print_table(bill.HEADINGS, bill.rows(items))


def _item(item: bill.Item) -> dict[str, object]:
    return {
        "part": speak(item.part),
        "for": speak(item.each),
        "needed": item.needed,
        "spare": item.spare,
        "buy": item.buy,
        "instead": speak(item.instead) if item.instead else None,
    }


for _member in (show, check, wiring, bom):
    command.add_command(_member)
