"""The outward port: whoever listens outside hears what screens show, and never delays or hurts the table.

What belongs to the table's thread is one entry in a bounded list. Working out the news, putting it into
words and handing it over is done on a thread that there is only where somebody listens.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial

from companion.core.errors import CompanionError, reason
from companion.core.ports import Output, Report
from companion.core.text import Text, text
from companion.views.news import is_corrected, kinds, news
from companion.views.snapshot import Snapshot
from hardware.outputs.worker import Worker

MOST_HEARD = 500  # snapshots that wait to be told; of more than that the oldest are passed over


class OutwardPort:
    """Tells *outputs* (by name) what happens at the table called *table*, from the snapshot *now* on.

    *say* puts texts into the table's language; *reporter* says how an output tells its trouble. An output
    that raises has had that news: it is told the next one, and what is wrong is said once.
    """

    def __init__(
        self,
        outputs: Mapping[str, Output],
        now: Snapshot,
        *,
        table: str,
        say: Callable[[Text], str],
        reporter: Callable[[str], Report],
        wall_s: Callable[[], float] = time.time,
    ) -> None:
        self._outputs = outputs
        self._table, self._say, self._wall_s = table, say, wall_s
        self._reports = {name: reporter(name) for name in outputs}
        self._failed: dict[str, Text] = {}
        self._before: Snapshot | None = None
        self._heard: deque[tuple[float, Snapshot]] = deque(maxlen=MOST_HEARD)
        self._heard.append((wall_s(), now))
        self._worker = Worker("neighbours", self._step, self._end)

    def hear(self, snapshot: Snapshot) -> None:
        """Take what the table shows now; called on the table's thread."""
        self._heard.append((self._wall_s(), snapshot))
        self._worker.wake()

    def close(self) -> None:
        """Tell nobody any more, and let the outputs go."""
        self._worker.close()

    def _step(self, _: int) -> None:
        while self._heard:
            at, now = self._heard.popleft()
            before, self._before = self._before, now
            for kind in ("standings",) if before is None else kinds(before, now):
                corrected = kind == "verdict" and before is not None and is_corrected(before, now)
                told = news(kind, now, at=at, table=self._table, say=self._say, corrected=corrected)
                for name, output in self._outputs.items():
                    self._tell(name, partial(output.tell, told))

    def _end(self) -> None:
        for name, output in self._outputs.items():
            self._tell(name, output.close)

    def _tell(self, name: str, do: Callable[[], None]) -> None:
        """Do it, whatever another package's output may raise: the table has to go on."""
        try:
            do()
        except Exception as error:
            why = error.text if isinstance(error, CompanionError) else reason(error)
            says = text("The output {name} does not take what it is told: {why}", name=name, why=why)
            if self._failed.get(name) != says:
                self._failed[name] = says
                self._reports[name](says)
        else:
            if self._failed.pop(name, None) is not None:
                self._reports[name](None)
