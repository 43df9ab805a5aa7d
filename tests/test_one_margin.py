"""One margin has one ±: what page, terminal, OLED, board, picture, hall and files print of the same interval.

The rule is `tests.support.margins.held`; what pages draw is held to it in `tests/web/browser`.
"""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lastnose.companion.cli.watch import said
from lastnose.companion.i18n import translator
from lastnose.companion.table.table import Table
from lastnose.companion.views.news import news, values
from lastnose.companion.views.photo_finish import budget_of
from lastnose.companion.views.sentences import budget_lines
from lastnose.hardware.oled.canvas import Canvas
from lastnose.hardware.oled.screens import draw
from lastnose.web.encoding import plain

from tests.support.margins import (
    EVERYDAY,
    LINES,
    MARGINS_NS,
    OPENED_NS,
    POINT,
    RIVAL_NS,
    SURE_NS,
    evening,
    held,
    known_ns,
    read,
)

Screens = dict[str, str]


def told_by(table: Table, language: str, monkeypatch: pytest.MonkeyPatch) -> Screens:
    """Return what each screen says of the newest round of *table*, by the screen."""
    say, shown = translator(language), table.snapshot
    state = plain(shown, say)
    finish = state["finish"]
    drawn: list[str] = []

    def written(self: Canvas, x: int, y: int, message: str, *rest: Any) -> int:
        drawn.append(message)
        return as_it_is(self, x, y, message, *rest)

    as_it_is = Canvas.text
    with monkeypatch.context() as patch:
        patch.setattr(Canvas, "text", written)
        draw(shown, (128, 64), translate=say)
    told = values(news("verdict", shown, at=0.0, table="", say=say))
    (match,) = table.record.evening.matches
    judged = match.entries[-1].verdict
    assert judged is not None
    budget = budget_of(judged, judged.margin_u_ns)
    assert budget is not None
    screens = {
        "page": " ".join(state["proof"]),
        "terminal": said(state),
        "OLED": " ".join(drawn),
        "board": f"{finish['margin_text']} ± {finish['u_text']}",
        "picture": finish["in_short"],
        "lamps": told["margin"],
        "budget": say(budget_lines(budget)[0]),
    }
    return {name: re.sub("[\u202f\u00a0 ]+", " ", words) for name, words in screens.items()}


@pytest.mark.parametrize(("ns", "u_ns"), list(product(MARGINS_NS, SURE_NS)))
def test_all_screens_print_one_margin_with_one_plus_minus(
    ns: int, u_ns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below five times its ± in the open everywhere; from there in words, the ± only on the board."""
    table = Table(evening([(ns, u_ns)]), LINES)
    worth_ns = known_ns(ns, u_ns)
    for language in ("en", "fr", "bs"):
        screens = told_by(table, language, monkeypatch)
        board = held(screens["board"], ns, worth_ns, language)
        sure, unit = re.findall(r"± ?([\d.,]+) ?(s|ms|µs)\b", screens["budget"])[0]
        assert board[1] == read(sure, unit, language)[0], "the budget's sum"
        for name in ("page", "terminal", "OLED", "picture", "lamps"):
            if ns < 5 * worth_ns:
                assert board == held(screens[name], ns, worth_ns, language), name
                continue
            assert "±" not in screens[name], name
            figure, unit = EVERYDAY.findall(screens[name])[0]
            assert len(figure.strip("0.,").replace(POINT[language], "")) <= 2, f"{name}: {screens[name]}"
            off_ns = abs(read(figure, unit, language)[0] - ns)
            assert off_ns <= max(Decimal(ns) / 20, 50_000_000 if ns >= 99_500_000 else 0), screens[name]


BY_HAND = [
    ("en", 4_123_456, 1_285_000, "4.1 ms ± 1.4 ms"),  # 1,285,000 + 2,975 = 1,287,975; with 23,456 lost 1.311
    ("fr", 4_123_456, 1_285_000, "4,1 ms ± 1,4 ms"),
    ("bs", 4_123_456, 1_285_000, "4,1 ms ± 1,4 ms"),
    ("en", 72_000, 20_000, "72 µs ± 21 µs"),  # 20,000 + 50.6: up to 21
    ("fr", 412_345, 101_000, "410 µs ± 110 µs"),  # 101,283, and 2,345 lost: 103,628
    ("bs", 1_250_000_000, 300_000_000, "1,25 s ± 0,31 s"),  # 300,852,500
]


@pytest.mark.parametrize(("language", "ns", "u_ns", "words"), BY_HAND)
def test_a_close_margin_reads_as_worked_out_by_hand(
    language: str, ns: int, u_ns: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the letter, with the decimal sign of the language."""
    screens = told_by(Table(evening([(ns, u_ns)]), LINES), language, monkeypatch)
    assert words == screens["board"] == screens["picture"] == screens["lamps"]
    assert f"{words}." in screens["page"]
    assert f"{words}." in screens["terminal"]
    assert words.replace("± ", "±") in screens["OLED"].replace("± ", "±")


def test_a_clear_margin_is_said_as_people_say_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """0.4 s behind Zoë: clear. On the board 412.34 ms ± 0.31 ms: 20 µs, and 550 ppm of 412.365 ms."""
    screens = told_by(Table(evening([(412_345_000, 20_000)]), LINES), "en", monkeypatch)
    assert "0.4 s behind East: clear. North opened." == screens["page"]
    assert "0.4 s: clear" == screens["picture"] == screens["lamps"]
    assert "412.34 ms ± 0.26 ms" == screens["board"]


@given(st.integers(1, 10**10), st.integers(1, 10**10))
@example(1, 159_980_000)  # East may have touched as early as North
def test_a_files_margin_is_the_interval_itself(ns: int, u_ns: int) -> None:
    """The CSV has whole nanoseconds, and in its notes what the page says."""
    table = Table(evening([(ns, u_ns)]), LINES)
    (row,) = csv.DictReader(io.StringIO(table.queries.export_csv()))
    worth_ns = known_ns(ns, u_ns)
    assert (str(ns), str(worth_ns)) == (row["margin_ns"], row["u_ns"])
    others = (
        (RIVAL_NS, u_ns // 2),
        (RIVAL_NS + ns, u_ns - u_ns // 2),
    )  # East, Zoë
    opened = all(t_ns - OPENED_NS > 10_000 + u_ns for t_ns, u_ns in others)
    assert ("North" if opened else "", "" if ns <= u_ns else "East") == (row["opener"], row["rival"])
    assert row["notes"] == " ".join(map(str, table.snapshot.proof))
    assert worth_ns == sum(int(part.split()[1]) for part in row["u_made_of"].split(" + "))
