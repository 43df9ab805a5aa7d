"""`lastnose replay`: judge a tape and say what came of it."""

from __future__ import annotations

from pathlib import Path

import click
from lastnose.companion.cli.frame import A_FILE, argument, define, json_option, option, print_json, speak
from lastnose.companion.core.names import harmless
from lastnose.companion.core.text import text, true_minus
from lastnose.companion.views.sentences import budget_lines
from lastnose.companion.views.snapshot import PlayerRow


@define(
    "replay",
    examples=[
        "lastnose replay evening.jsonl",
        "lastnose replay evening.jsonl --confirm-us 500 --json",
        "lastnose replay round-12.jsonl --doubt",
    ],
)
@argument("tape", type=A_FILE)
@option(
    "--confirm-us",
    type=int,
    default=1_000,
    show_default=True,
    help=text("Debounce: quiet for this long."),
)
@option(
    "--lockout-us",
    type=int,
    default=20_000,
    show_default=True,
    help=text("Debounce: one press in this time."),
)
@option("--doubt", is_flag=True, help=text("Say what each ± is made of."))
@json_option
def command(tape: Path, confirm_us: int, lockout_us: int, doubt: bool, as_json: bool) -> None:
    """Judge *tape* and print what came of it."""
    from lastnose.companion.table import replay
    from lastnose.companion.table.queries import debounce

    table = replay.judge_file(tape, debounce(confirm_us * 1_000, lockout_us * 1_000))
    if as_json:
        print_json(replay.report(table, doubt=doubt))
        return
    for view in table.queries.rounds():
        if view.number:
            _tell(speak(text("Round {number}. {sentence}", number=view.number, sentence=view.headline)))
        else:
            _tell(speak(view.headline))
        for line in view.proof:
            _tell(f"   {speak(line)}")
        budget = view.finish.budget if doubt and view.finish else None
        for line in () if budget is None else budget_lines(budget):
            _tell(f"      {speak(line)}")
    for row in table.snapshot.rows:
        _tell(_standing(row))
    if table.snapshot.phase == "won":
        _tell(speak(table.snapshot.headline))


def _tell(line: str) -> None:
    """Print *line*, in which a tape's names may stand."""
    click.echo(harmless(line))


def _standing(row: PlayerRow) -> str:
    """Return *row* as a line: letters or a count, whether out, and what else is counted."""
    parts = ["".join(row.letters), "" if row.score is None else true_minus(row.score)]
    parts += [speak(text("out")) if row.out else "", *map(speak, row.notes)]
    return "  ".join([f"{row.seat:>2}", row.player, *filter(None, parts)])
