"""The command line as tests type it, in this process and in English (`tests/conftest.py`)."""

from __future__ import annotations

from click.testing import CliRunner, Result
from lastnose.companion.cli import main


def lastnose(*words: str, typed: str = "") -> Result:
    """Run `lastnose` with *words*; what it asks is answered with what was *typed*."""
    return CliRunner().invoke(main, words, prog_name="lastnose", input=typed)
