"""Sheets, matrix, bracket, lists, prizes and seasons of events that were worked out by hand."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.cli import hall as cli
from lastnose.companion.core.csv_file import as_csv
from lastnose.companion.event import commands, reports
from lastnose.companion.event.reports import Finisher
from lastnose.companion.link.hub import Hall, everything
from lastnose.companion.link.store import HallStore
from lastnose.web.hall.result_file import result_file

from tests.support.commands import lastnose
from tests.support.examples import examples
from tests.support.halls import (
    arranged,
    begun,
    call_round,
    judged_game,
    let_in,
    rows,
    seated,
    take,
    type_result,
)

LIST = (
    "name,club,family,born\nAya,Ouest,,2001\nNoor,Est,Bo,2014-05-01\nTom,Ouest,Bo,\nEwa,Est,,1980\n"
    "Kofi,,,2014\nZoë,Ouest,,"
)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """Give a hall in which nothing has happened."""
    with closing(HallStore(tmp_path / "hall")) as store:
        yield Hall(store, random=Random(3))


def typed(hall: Hall) -> None:
    """Type a result for every table of the newest round: the lower somebody's number, the better."""
    now = hall.state.now
    for number in now.numbers:
        places = tuple((one,) for one in sorted(now.at(number)))
        hall.do(commands.TypeResult(now.number, number, places, "from paper"), "Ann")


def evening(hall: Hall) -> None:
    """Play one heat at two tables of three, and a final of four, all from paper."""
    arranged(hall, LIST, rounds=1, final=4)
    for _ in range(2):
        let_in(hall)
    for _ in range(2):
        call_round(hall)
        typed(hall)


def test_a_sheet_says_what_each_place_rests_on(hall: Hall, tmp_path: Path) -> None:
    """The third was 412 µs behind the second and has a letter; the table ended it, so nobody is out."""
    (member,) = begun(hall, "A,B,C", tables=1, final=0, rounds=1)
    names, call = seated(hall, 1)
    take(hall, member, rows(judged_game(names, call, 0)))
    found = reports.sheet_of(hall.view, 1, 1)
    assert "doubtful" == found.state
    assert "The game was ended by hand." in [str(one) for one in found.doubts]
    told = [(line.place, line.points, str(line.why)) for line in found.lines]
    stayed = "in until the end"
    # Two share places 1 and 2, which are worth 1 and 1/2: 3/4 each; the third has nothing.
    assert [(1, 0.75, stayed), (1, 0.75, stayed), (3, 0.0, f"{stayed}, P")] == told
    assert names[2] == found.lines[2].name
    assert reports.sheet_of(hall.view, 1, 2) is None
    typed(hall)
    found = reports.sheet_of(hall.view, 1, 1)
    assert ([None] * 3, "Typed at the desk: from paper") == (
        [line.why for line in found.lines],
        str(found.note),
    )


def test_who_went_out_is_told_in_which_round_and_how_close_it_was(hall: Hall) -> None:
    """One letter puts somebody out: the third goes in the first round, clearly behind the second."""
    (member,) = begun(hall, "A,B,C", tables=1, final=0, rounds=1, options={"word": "P"})
    names, call = seated(hall, 1)
    started, *rest = judged_game(names, call, 0, margin_us=400_000)
    found = reports.sheet_of(hall.view, 1, 1)
    assert [None] * 3 == [line.place for line in found.lines], "nothing has been played"
    take(hall, member, rows((started_with(started, "P"), *rest)))
    found = reports.sheet_of(hall.view, 1, 1)
    assert (3, f"out in round 1, 0.4 s behind {names[1]}: clear") == (
        found.lines[2].place,
        str(found.lines[2].why),
    )


def started_with(started: object, word: str) -> object:
    """Return the beginning of a game in which *word* has so few letters."""
    import msgspec

    return msgspec.structs.replace(started, options={"word": word})


def test_the_matrix_has_everybody_in_every_round_and_its_cells_add_up(hall: Hall) -> None:
    """Of three at a table the first has 1, the second 1/2; the final's points are in no total."""
    evening(hall)
    found = reports.matrix(hall.view)
    assert ["Round 1", "The final"] == [str(one) for one in found.rounds]
    for row in found.rows:
        assert row.total == row.cells[0].points, row.name
    assert [1, 2, 3] == [row.place for row in found.rows[:3]]
    assert ["points"] * 4 + ["free"] * 2 == [row.cells[1].kind for row in found.rows]
    assert [1.0, 0.6667, 0.3333, 0.0] == [row.cells[1].points for row in found.rows[:4]]
    assert 6 == sum(row.cells[0].of == 3 for row in found.rows)
    hall.do(commands.AddPeople("Late"), "Ann")
    (late,) = [row for row in reports.matrix(hall.view).rows if row.name == "Late"]
    assert ["late", "late"] == [cell.kind for cell in late.cells]


def test_who_comes_between_two_rounds_was_late_for_the_first_and_is_free_in_the_second(hall: Hall) -> None:
    """The final, which is drawn without whoever has played nothing."""
    arranged(hall, LIST, rounds=1, final=4, tables=2)
    let_in(hall), let_in(hall)
    for names in ("Late", "Later"):
        call_round(hall)
        typed(hall)
        hall.do(commands.AddPeople(names), "Ann")
    cells = {row.name: [cell.kind for cell in row.cells] for row in reports.matrix(hall.view).rows}
    assert (["late", "free"], ["late", "late"]) == (cells["Late"], cells["Later"])


def test_a_bracket_tells_who_goes_on_to_which_table(hall: Hall) -> None:
    """Of three at each of two tables the better half, two each, meets at one table."""
    arranged(hall, "A,B,C,D,E,F", format="knock-out", rounds=2, final=0)
    let_in(hall), let_in(hall)
    assert () == reports.bracket(hall.view).rounds
    call_round(hall)
    assert [True, True] == [table.open for table in reports.bracket(hall.view).rounds[0].tables]
    typed(hall)
    call_round(hall)
    first, second = reports.bracket(hall.view).rounds
    for table in first.tables:
        assert [1, 2, 3] == [who.place for who in table.people]
        assert [1, 1, 0] == [who.on for who in table.people]
    (last,) = second.tables
    assert {who.name for table in first.tables for who in table.people[:2]} == {
        who.name for who in last.people
    }
    typed(hall)
    assert ["A", 1] == [reports.bracket(hall.view).rounds[1].tables[0].people[0].name, last.number]


def test_prizes_go_by_category_and_a_family_counts_from_two_on(hall: Hall) -> None:
    """Two were born in 2014 and share that place; clubs have the sums of their best three."""
    evening(hall)
    points = {hall.state.shown(line.entrant): float(line.points) for line in hall.view.lines}
    found = {one.kind: one.lines for one in reports.prizes(hall.view).categories}
    assert [1, 2, 3] == [line.place for line in found["all"]]
    assert [(1, {"Noor", "Kofi"}), (3, {"Aya"})] == [
        (place, {line.name for line in found["youngest"] if line.place == place}) for place in (1, 3)
    ]
    assert [("Bo", points["Noor"] + points["Tom"])] == [(line.name, line.points) for line in found["family"]]
    clubs = {"Ouest": points["Aya"] + points["Tom"] + points["Zoë"], "Est": points["Noor"] + points["Ewa"]}
    assert clubs == {line.name: line.points for line in found["club"]}
    two = {one.kind: one.lines for one in reports.prizes(hall.view, best=2).categories}["club"]
    ouest = sorted((points[name] for name in ("Aya", "Tom", "Zoë")), reverse=True)
    assert sum(ouest[:2]) == next(line.points for line in two if line.name == "Ouest")
    assert 2 == len(next(line.members for line in two if line.name == "Ouest"))


def test_a_list_for_the_wall_has_everybody_once(hall: Hall) -> None:
    """By tables and seats, before the call as after it."""
    assert reports.wall_list(hall.state) is None
    arranged(hall, LIST, rounds=1, final=3)
    hall.do(commands.Draw(), "Ann")
    for _ in range(2):
        found = reports.wall_list(hall.state)
        assert [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)] == [
            (one.table, one.seat) for one in found.seats
        ]
        assert {"Aya", "Noor", "Tom", "Ewa", "Kofi", "Zoë"} == {one.name for one in found.seats}
        if hall.state.now is None:
            let_in(hall), let_in(hall)
            call_round(hall)


def test_the_newest_list_for_the_wall_is_of_the_round_that_is_called_next(hall: Hall) -> None:
    """Of three that were drawn, and of the last once all are called; any of them by its number."""
    arranged(hall, LIST, rounds=3, final=0)
    let_in(hall), let_in(hall)
    for newest in ("Round 2", "Round 3", "Round 3"):
        call_round(hall)
        typed(hall)
        assert newest == str(reports.wall_list(hall.state).title)
    assert ["Round 1", "Round 2"] == [str(reports.wall_list(hall.state, n).title) for n in (1, 2)]


def test_every_report_is_a_table_whose_lines_are_as_long_as_its_heading(hall: Hall) -> None:
    """As a spreadsheet reads them."""
    evening(hall)
    found = (
        reports.sheets(hall.view),
        reports.matrix(hall.view),
        reports.bracket(hall.view),
        reports.wall_list(hall.state, 1),
        reports.prizes(hall.view),
        reports.season([("May", reports.finishers(hall.view))], (3, 2, 1)),
    )
    for one, lines in zip(found, (9, 6, 0, 6, 8, 6), strict=True):
        assert one is not None
        head, *body = csv.reader(io.StringIO(as_csv(reports.rows_of(one))))
        assert {len(head)} >= {len(line) for line in body}
        assert lines <= len(body), type(one)
    born = [
        row[:4:2] + row[-1:] for row in reports.rows_of(reports.prizes(hall.view)) if row[0] == "youngest"
    ]
    assert {("youngest", name, "2014") for name in ("Noor", "Kofi")} <= {*born}
    assert {""} == {row[-1] for row in reports.rows_of(reports.prizes(hall.view)) if row[0] == "family"}


places = st.lists(st.sampled_from("ABCDEFG"), unique=True, min_size=1)


@given(evenings=st.lists(places, min_size=1, max_size=4), worth=st.lists(st.integers(0, 30), max_size=5))
@settings(max_examples=examples(60))
def test_a_season_gives_out_as_much_as_its_places_are_worth(
    evenings: list[list[str]], worth: list[int]
) -> None:
    """Summed by hand: somebody's points are those of their places, and nobody gets more or less."""
    told = [
        (str(n), [Finisher(name, "", place) for place, name in enumerate(one, 1)])
        for n, one in enumerate(evenings)
    ]
    found = reports.season(told, worth)
    by_hand = {
        name: sum((worth + [0] * 9)[one.index(name)] for one in evenings if name in one)
        for one in evenings
        for name in one
    }
    assert by_hand == {line.name: line.points for line in found.lines}
    assert [line.points for line in found.lines] == sorted(by_hand.values(), reverse=True)


@pytest.mark.parametrize(
    ("calls", "told"), [(0, ""), (1, "open.json: Round 1: 2 tables have no result yet")], ids=["none", "open"]
)
def test_a_season_gives_nobody_points_for_what_they_have_not_played(
    calls: int, told: str, hall: Hall, tmp_path: Path
) -> None:
    """An evening that was only set up is worth nothing; one with results still open is refused."""
    arranged(hall, LIST, rounds=1, final=0)
    for _ in range(2):
        let_in(hall)
    for _ in range(calls):
        call_round(hall)
    (tmp_path / "open.json").write_bytes(everything(hall))
    done = CliRunner().invoke(cli.command, ["season", str(tmp_path / "open.json")])
    assert (2 * calls, bool(calls)) == (done.exit_code, bool(done.output))
    assert done.output.rstrip().endswith(told)


def test_who_plays_nothing_but_the_final_has_its_place_in_the_season(hall: Hall) -> None:
    """Came after the only heat of three, and wins the final of four: 10 of 10, 6, 3 and 1 points."""
    begun(hall, "Ann,Bob,Cid", rounds=1, final=4, tables=1)
    type_result(hall, 1, 1)
    hall.do(commands.AddPeople("Dee"), "Ann")
    call_round(hall)
    hall.do(commands.TypeResult(2, 1, ((4,), (1,), (2,), (3,)), "paper"), "Ann")
    found = reports.season([("May", reports.finishers(hall.view))], (10, 6, 3, 1))
    assert [("Dee", 10.0), ("Ann", 6.0), ("Bob", 3.0), ("Cid", 1.0)] == [
        (line.name, line.points) for line in found.lines
    ]


def test_a_season_has_the_decimal_comma_of_its_reader(hall: Hall, tmp_path: Path) -> None:
    """Ann and Bob share the first two of three places: (10 + 5) / 2 each."""
    begun(hall, "Ann,Bob,Cid", rounds=1, final=0, tables=1)
    hall.do(commands.TypeResult(1, 1, ((1, 2), (3,)), "paper"), "Ann")
    (tmp_path / "a.json").write_bytes(everything(hall))
    words = ("hall", "season", str(tmp_path / "a.json"), "--points", "10,5", "--lang")
    for language, half in (("en", "7.5"), ("fr", "7,5")):
        said = [f"   1. Ann  {half}  = {half}", f"   1. Bob  {half}  = {half}", "   3. Cid  0  = 0"]
        assert said == lastnose(*words, language).stdout.splitlines()


def test_two_of_one_name_and_club_in_an_older_evening_are_two_in_the_season() -> None:
    """First and third of three, at 10, 6 and 3 points; one of them alone was second in June: 10 + 6."""
    may = [Finisher("Ann", "", 1), Finisher("Bob", "", 2), Finisher("ann", "", 3)]
    june = [Finisher("Bob", "", 1), Finisher("Ann", "", 2)]
    found = reports.season([("May", may), ("June", june)], (10, 6, 3))
    assert [("Ann", 16.0), ("Bob", 16.0), ("ann", 3.0)] == [(line.name, line.points) for line in found.lines]


def test_a_season_is_added_up_from_archives(tmp_path: Path) -> None:
    """Two evenings that went alike, at 10 and 4 for the first two: 20 and 8; a changed archive is refused."""
    for name in ("a.json", "b.json"):
        store = HallStore(tmp_path / name[0])
        hall = Hall(store, random=Random(3))
        evening(hall)
        (tmp_path / name).write_bytes(everything(hall))
        best = [hall.state.shown(line.entrant) for line in hall.view.lines]
        store.close()
    files = [str(tmp_path / name) for name in ("a.json", "b.json")]
    done = CliRunner().invoke(cli.command, ["season", *files, "--points", "10,4", "--json"])
    assert 0 == done.exit_code, done.output
    lines = json.loads(done.output)["lines"]
    assert [(1, best[0], 20.0), (2, best[1], 8.0)] == [
        (one["place"], one["name"], one["points"]) for one in lines[:2]
    ]
    said = CliRunner().invoke(cli.command, ["season", *files, "--points", "10,4"]).output
    assert f"   1. {best[0]}" in said.splitlines()[0]
    assert said.splitlines()[0].endswith("20  = 10 + 10")
    for points in ("ten", "9" * 400):
        refused = CliRunner().invoke(cli.command, ["season", *files, "--points", points])
        assert (2, True) == (refused.exit_code, "--points: What the first place is worth" in refused.output)
    whole = (tmp_path / "a.json").read_bytes()
    (tmp_path / "again.json").write_bytes(whole)
    twice = CliRunner().invoke(cli.command, ["season", *files, str(tmp_path / "again.json")])
    assert 2 == twice.exit_code
    assert "a.json and" in twice.output
    assert "again.json are archives of the same event: give the newer one alone." in twice.output
    (tmp_path / "a.json").write_bytes(whole[: len(whole) // 2])
    assert 0 != CliRunner().invoke(cli.command, ["season", *files]).exit_code
    (tmp_path / "a.json").write_bytes(b"{}")
    broken = CliRunner().invoke(cli.command, ["season", *files[::-1]])
    assert (2, True) == (broken.exit_code, f"{files[0]}: This is not an archive" in broken.output)


def test_the_results_are_one_page_that_needs_nothing_beside_it(tmp_path: Path) -> None:
    """Written by export: every name is in it, nothing of it is fetched, and no name is markup."""
    store = HallStore(tmp_path / "hall")
    hall = Hall(store, random=Random(3))
    begun(hall, "<i>Aya</i>,Noor,Tom,Ewa,Kofi,Siti", rounds=1)
    typed(hall)
    store.close()
    file = tmp_path / "results.html"
    done = CliRunner().invoke(cli.command, ["export", str(file), "--data", str(tmp_path / "hall")])
    assert 0 == done.exit_code, done.output
    page = file.read_text("utf-8")
    assert all(name in page for name in ("&lt;i&gt;Aya&lt;/i&gt;", "Noor", "Tom", "Ewa", "Kofi", "Siti"))
    assert not any(sign in page for sign in ("<script", "src=", "href=", "@import", "<i>Aya"))


def test_no_year_of_birth_is_on_the_page_that_may_go_onto_the_web(hall: Hall) -> None:
    """The youngest have their prizes there; in which year they were born is for who organises."""
    evening(hall)
    page = result_file(hall.view, "en")
    assert "The youngest" in page
    assert [] == [year for year in ("born in", "2014", "2001", "1980") if year in page]


def test_the_page_of_results_says_as_long_as_not_everything_is_played_that_it_is_not_the_last(
    hall: Hall,
) -> None:
    """It lies on a web server, or is sent on, when the desk has long had another."""
    begun(hall, "Aya,Noor,Tom", tables=1, rounds=1, final=3)
    type_result(hall, 1, 1)
    says = "So far: not everything has been played yet."
    assert says in result_file(hall.view, "en")
    call_round(hall)
    type_result(hall, 2, 1)
    assert says not in result_file(hall.view, "en")
