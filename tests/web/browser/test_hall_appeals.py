"""Appeals at two desks: about the machine that has judged, and told to who decides second."""

from __future__ import annotations

from lastnose.companion.event import commands

from tests.support.halls import begun, judged_game, let_in, rows, seated, take
from tests.web.browser.conftest import OpenHall, expect


def test_two_desks_appeal_a_verdict_of_a_machine_that_was_replaced_and_the_later_one_is_told(
    opened: OpenHall,
) -> None:
    """Its dialog stays open with what was typed; pressed once more, its decision holds."""
    hall = opened.hall
    (member,) = begun(hall, "Ana,Ben,Zoë", tables=1, rounds=1, final=0)
    take(hall, member, rows(judged_game(*seated(hall), 0)))
    hall.do(commands.Clear(1, 1), "Ann")
    hall.do(commands.PutTableOut(1), "Ann")
    let_in(hall)
    desks = [opened.visit("/", may_complain=True).page for _ in range(2)]
    dialogs = []
    for desk, decision in zip(
        desks, ("This table’s game is played again", "The verdict stands"), strict=True
    ):
        desk.get_by_role("button", name="Table 1").click()
        desk.get_by_role("button", name="Appeal its newest verdict…").click()
        dialog = desk.locator("#appeal-dialog[open]")
        dialog.get_by_label(decision).check()
        dialog.get_by_label("Why", exact=True).fill(f"So it is: {decision}")
        dialogs.append(dialog)
    first, second = dialogs
    first.get_by_role("button", name="Decide").click()
    first.wait_for(state="detached")
    assert "waiting" == hall.view.outcomes[0].state
    second.get_by_role("button", name="Decide").click()
    second.get_by_text("has changed this meanwhile: This table’s game is played again").wait_for()
    expect(second.get_by_label("Why", exact=True)).to_have_value("So it is: The verdict stands")
    second.get_by_role("button", name="Decide").click()
    second.wait_for(state="detached")
    assert "counts" == hall.view.outcomes[0].state
    assert {member.table} == {one.table for one in hall.state.appeals.values()}
