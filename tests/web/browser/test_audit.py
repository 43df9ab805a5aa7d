"""A part of `python -m tests.support.page_audit`: no finding of any severity, and everything by keyboard."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.page_audit import LOOKS, audit
from tests.web.browser.conftest import Stage


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
@pytest.mark.parametrize("path", ["/", "/nose", "/setup"])
def test_a_page_has_no_finding(chromium: Any, stage: Stage, address: str, path: str, look: Any) -> None:
    """Axe with its best practices; on the desktop also Tab to everything, with its focus to be seen."""
    assert [] == list(audit(chromium, address, path, look, "fr-FR"))
