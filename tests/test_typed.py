"""Every command that we write down, or type ourselves, can be typed: with these options, in this order."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.support.commands import lastnose
from tests.support.documents import PAGES

ROOT = Path(__file__).parent.parent
WRITTEN = (*PAGES, "firmware/README.md", "firmware/BRING-UP.md", "Makefile")


def typed(page: str) -> list[str]:
    """Return the lines of *page* that call `lastnose`: in backticks, in blocks, in the Makefile."""
    blocks = "\n".join(re.findall(r"^ *```sh\n(.*?)```", page, re.DOTALL | re.MULTILINE))
    found = re.findall(r"`(?:sudo )?lastnose (\w[^`\n]*)`", page)
    found += re.findall(r"^ *(?:sudo )?(?:\S*/)?lastnose (\w.*)$", blocks, re.MULTILINE)
    found += re.findall(r"^\t@?\$\(BIN\)/lastnose (\w.*)$", page, re.MULTILINE)
    return found


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_down_can_be_typed(name: str) -> None:
    """Help is asked for at the end, so nothing is done; a wrong word or option is refused before that."""
    refused = {}
    for line in typed((ROOT / name).read_text(encoding="utf-8").replace("$(ARGS)", "")):
        words = shlex.split(re.sub(r"\s+#.*| [|&>].*|…", "", line))
        answer = lastnose(*words, "--help")
        if answer.exit_code:
            refused[line] = answer.output.strip()
    assert {} == refused


def test_a_word_that_no_command_knows_is_refused() -> None:
    """Else the test above would pass whatever is written."""
    assert 2 == lastnose("hall", "run", "--tables", "8", "--help").exit_code


def test_what_is_written_down_is_found() -> None:
    """Else it would pass whatever the pages look like."""
    written = "Say `sudo lastnose doctor`.\n\n   ```sh\n   .venv/bin/lastnose run --lan   # so\n   ```\n"
    assert ["doctor", "run --lan   # so"] == typed(written)
    assert 80 <= sum(len(typed(page)) for page in PAGES.values())
