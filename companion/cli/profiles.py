"""`lastnose profiles`: which there are, what one says, and whether one of your own can be built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from companion.cli import completion
from companion.cli.frame import CliGroup, argument, json_option, print_json, speak
from companion.cli.frame import command as define
from companion.core.errors import NoSuchProfile, ProfileError
from companion.core.text import Text, listing, text, texts
from companion.wiring.boards import Use, boot_pull, physical_pin, pin_name
from companion.wiring.profile import Profile, built_in_profiles, load_profile, parse_profile
from companion.wiring.wires import board_name, colour_of, part_of

_PULLS = {"up": text("held up at start"), "down": text("held down at start"), "none": text("in memory")}


@click.command(
    "profiles",
    cls=CliGroup,
    help=text("List the wirings that come along; explain one, or check one of your own."),
    examples=[
        "lastnose profiles",
        "lastnose profiles show home6",
        "lastnose profiles check my-table.toml --json",
    ],
    invoke_without_command=True,
)
@json_option()
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
@json_option()
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
@json_option()
def check(profile: str, as_json: bool) -> int:
    """Say all that is wrong; the status is 1 when the profile cannot be used."""
    try:
        found, _ = parse_profile(profile)
    except NoSuchProfile:
        raise
    except ProfileError as error:
        return _answer(profile, [error.text], [], [], as_json)
    problems = found.problems()
    return _answer(profile, problems, found.warnings(), [] if problems else found.config_lines(), as_json)


command.add_command(show)
command.add_command(check)


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
    verdict = (
        texts("{file}: {n} problem.", "{file}: {n} problems.", n=len(problems), file=file)
        if problems
        else text("{file} can be built.", file=file)
    )
    lines = [speak(verdict), *(f"  {speak(problem)}" for problem in problems)]
    if config:
        lines += [speak(text("In the Pi’s config.txt:")), *(f"  {line}" for line in config)]
    if warnings:
        lines += [speak(text("With care:")), *(f"  {speak(warning)}" for warning in warnings)]
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
        (pins.host is not None, text("a host button")),
        (pins.leds is not None or bool(pins.lamps), text("lamps")),
        (pins.buzzer is not None, text("a buzzer")),
        (pins.sync is not None, text("a sync wire")),
        (profile.oled.driver != "none", text("an OLED ({driver})", driver=profile.oled.driver)),
    )
    parts += [words for there, words in extras if there]
    return text("{board}: {parts}", board=board_name(profile.board), parts=listing(parts))


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
    yield f"{profile.name}: {speak(_sentence(profile))}"
    yield ""
    for use in profile.uses():
        place = physical_pin(use.board, use.pin)
        where = speak(text("pin {n}", n=place)) if place else ""
        pull = speak(_PULLS[boot_pull(use.board, use.pin)])
        colour = speak(colour_of(use.name).name)
        yield f"  {use.name:18} {pin_name(use.board, use.pin):7} {where:10} {pull:22} {colour}"
    if lines := profile.config_lines():
        yield ""
        yield speak(text("In the Pi’s config.txt:"))
        yield from (f"  {line}" for line in lines)
    if warnings := profile.warnings():
        yield ""
        yield speak(text("With care:"))
        yield from (f"  {speak(warning)}" for warning in warnings)
