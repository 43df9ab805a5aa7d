"""A source is named in one place; what is named and not made is a sentence."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from lastnose.companion.app.sources import make_source
from lastnose.companion.config import SOURCES
from lastnose.companion.config.settings import RunSettings
from lastnose.companion.core.errors import BadInput
from lastnose.companion.wiring.profile import load_profile

from tests.support.commands import lastnose


def test_a_source_that_nothing_makes_is_said() -> None:
    """Never another source in its place."""
    settings = RunSettings(source="pedals", profile=load_profile("mock:4"), data_dir=Path())
    with pytest.raises(BadInput, match=r"pedals cannot be used: no package that is installed here has it\."):
        make_source(settings, None, lambda _: None)
    made = make_source(msgspec.structs.replace(settings, source="mock"), None, lambda _: None)
    assert made.source.simulated


def test_commands_offer_the_sources_there_are_and_a_tape_where_it_can_be_played() -> None:
    """As the one list has them."""
    assert f"[{'|'.join(SOURCES)}]" in lastnose("run", "--help").output.replace("\n", "").replace(" ", "")
    others = [source for source in SOURCES if source != "replay"]
    assert f"[{'|'.join(others)}]" in lastnose("selftest", "--help").output.replace("\n", "").replace(" ", "")
