"""What CONTRIBUTING.md says is true: paths and targets exist, rooms are the rooms, the source is one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from lastnose.companion.core.model import Judged
from lastnose.companion.core.ports import Source
from lastnose.companion.timing import Referee, Settings

from tests.test_layers import HEIGHTS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MS = 1_000_000


def test_every_file_and_folder_named_is_there() -> None:
    """What is to be written again is called yours, or what is so."""
    paths = re.findall(r"`((?:companion|hardware|tests|web)/[\w./-]*)`", PAGE)
    paths += re.findall(r"pytest (tests/[\w./]+)", PAGE)
    assert len(paths) >= 15
    assert [] == [path for path in paths if not (ROOT / path).exists() and "yours" not in path]


def test_every_target_named_can_be_made() -> None:
    """As the Makefile has them."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"`make (\w+)`", PAGE))
    assert {"test", "check", "mutants", "bench"} <= targets
    assert set() == targets - set(re.findall(r"^(\w+):", makefile, re.MULTILINE))


def test_every_room_stands_on_a_floor_of_the_table() -> None:
    """As `tests/test_layers.py` has them."""
    (table,) = re.findall(r"^\| floor \|.*?(?=\n\n)", PAGE, re.MULTILINE | re.DOTALL)
    assert HEIGHTS.keys() == set(re.findall(r"`(\w+)`", table))


def test_the_source_of_the_page_is_judged() -> None:
    """It says who was last by 2.5 ms, once it has promised that nothing is coming any more."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, "CONTRIBUTING.md", "exec"), names)
    referee = Referee({f"nose.{seat}": seat for seat in (1, 2, 3)}, Settings())
    referee.watch((1, 2, 3))
    said: list[Any] = []
    pedals = names["Pedals"](("nose.1", "nose.2", "nose.3"))
    source: Source = pedals
    source.start(lambda item: said.extend(referee.feed(item)), lambda _: None)
    for line, t_ns in (("nose.2", 1000 * MS), ("nose.1", 1010 * MS), ("nose.3", 1012 * MS + MS // 2)):
        pedals.changed(line, 1, t_ns)
    pedals.quiet(1013 * MS)
    assert [] == [one for one in said if isinstance(one, Judged)]
    pedals.quiet(2000 * MS)
    (judged,) = [one for one in said if isinstance(one, Judged)]
    assert ((3,), 2_500_000) == (judged.verdict.last, judged.verdict.margin_ns)
    source.close()
