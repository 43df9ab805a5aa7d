"""Names in every script: who is named on a page or in a picture can be read, whatever fonts there are.

Two names of two letters each look the same where a font has neither, for a box is a box.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from PIL import Image, ImageChops

from companion.views.statistics import Figures
from tests.support.fakes import FIGURES
from tests.web.browser.conftest import Stage, Visits
from tests.web.browser.scenes import SCENES

NOBODYS = "\U0010fffd"
TOLD_APART = """([one, other]) => {
  const drawn = (name) => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `24px ${getComputedStyle(document.body).fontFamily}`;
    pen.fillText(name, 10, 60);
    return pen.getImageData(0, 0, 120, 90).data.join();
  };
  return drawn(one) !== drawn(other);
}"""


@pytest.mark.parametrize("place", ["/statistics", "/statistics?evenings=all", "/"])
def test_who_is_not_in_this_game_can_be_read_too(
    visit: Visits, address: str, stage: Stage, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Figures of two who have left: in their tables, and in the table page's column."""
    gone = ("小雨", "大雪", "민준")
    players = tuple(
        msgspec.structs.replace(one, player=name) for one, name in zip(FIGURES.players, gone, strict=True)
    )

    def figures(*_: object) -> Figures:
        return msgspec.structs.replace(FIGURES, players=players)

    monkeypatch.setattr(stage, "statistics", figures)
    monkeypatch.setattr(stage, "statistics_of_all", figures, raising=False)
    page: Any = visit(f"{address}{place}").page
    page.get_by_text("小雨").first.wait_for()
    page.wait_for_function(TOLD_APART, arg=["小雨", "大雪"])


def test_the_picture_of_a_result_has_the_letters_of_the_page(
    visit: Visits, address: str, stage: Stage
) -> None:
    """Pictures differ whose only difference is a name, in letters that most machines lack."""
    pictures = [picture_of(visit, address, stage, name) for name in ("小雨", "大雪", "민준", "小雨")]
    assert [True, True, False] == [
        ImageChops.difference(pictures[0], other).getbbox() is not None for other in pictures[1:]
    ]


def picture_of(visit: Visits, address: str, stage: Stage, name: str) -> Image.Image:
    """Return the picture of a game that was won, its second player called *name*."""
    won: Any = SCENES["won"]
    people = tuple(msgspec.structs.replace(row, player=name) if row.seat == 2 else row for row in won.rows)
    stage.set(msgspec.structs.replace(won, rows=people, finish=None))
    page: Any = visit("about:blank", accept_downloads=True).page
    page.clock.set_fixed_time("2026-11-23T20:00:00")
    page.goto(f"{address}/statistics")
    page.get_by_role("button", name="The result as a picture…").click()
    page.wait_for_function(TOLD_APART, arg=[name, 2 * NOBODYS])
    with page.expect_download() as found:
        page.get_by_role("button", name="Save it").click()
    with Image.open(found.value.path()) as picture:
        return picture.convert("RGB")
