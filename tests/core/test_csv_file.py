"""What goes into a spreadsheet is words and numbers, and comes out as it was."""

from __future__ import annotations

import csv
import io

from hypothesis import example, given
from hypothesis import strategies as st
from lastnose.companion.core.csv_file import as_csv, harmless, plain


@given(st.text())
@example("=1+1")
@example("'=A1")
@example("''	")
@example("＝A1")
def test_words_are_no_formula_and_can_be_had_back(words: str) -> None:
    """Whatever they begin with, and however many marks stand before that."""
    cell = harmless(words)
    assert cell[:1] not in {*"=+-@\t\r\n＝＋－＠"}
    assert words == plain(cell)


def test_every_cell_of_words_is_made_harmless_and_no_number_is() -> None:
    """A heading, too: it may be a name."""
    made = as_csv([("@name", "points"), ("-Ana", -5), ("\tTom", -0.5), ("'t Hooft", 1)])
    assert [
        ["'@name", "points"],
        ["'-Ana", "-5"],
        ["'\tTom", "-0.5"],
        ["'t Hooft", "1"],
    ] == list(csv.reader(io.StringIO(made)))
