"""What a shell offers for the word that is being typed: games, wirings, ports."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


def games(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the games."""
    from lastnose.companion.games import GAMES

    return [CompletionItem(name) for name in GAMES if name.startswith(typed)]


def counting_games(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the games whose hands are counted."""
    from lastnose.companion.games import GAMES, counts

    found = [name for name, game in GAMES.items() if counts(game)]
    return [CompletionItem(name) for name in found if name.startswith(typed)]


def profiles(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the wirings that come along; files as well, where none of them begins like that."""
    from lastnose.companion.wiring.profile import built_in_profiles

    found = [CompletionItem(name) for name in built_in_profiles() if name.startswith(typed)]
    return found or [CompletionItem(typed, type="file")]


def ports(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Offer the serial ports that are there, with what hangs on them."""
    from serial.tools.list_ports import comports

    found = [CompletionItem(port.device, help=port.description) for port in comports()]
    return [item for item in (*found, CompletionItem("sim")) if str(item.value).startswith(typed)]
