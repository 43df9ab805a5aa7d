"""`make bench`: every group gives figures that make sense, and says what it cannot measure."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result
from lastnose.companion.core.errors import BadInput, DeviceError
from lastnose.companion.core.model import Edge, Watermark
from lastnose.companion.games.swedish_gin.contracts.melds import CONTRACTS
from lastnose.companion.games.swedish_gin.contracts.solve import solve
from lastnose.hardware.sources.mock import Mock

from tests import bench
from tests.bench import (
    box,
    browser,
    campaign,
    contracts,
    edges,
    first,
    kernel,
    kernel_rig,
    killed_tabs,
    load,
    long,
    pages,
    phones,
    processes,
    rest,
    start,
    verdict,
    viewers,
)
from tests.bench.__main__ import main
from tests.bench.evening import WORD, EndlessEvening, ShownPress
from tests.bench.figures import (
    UNITS,
    BenchPlan,
    Column,
    Figure,
    FigureGroup,
    FigureRow,
    FigureTable,
)
from tests.bench.report import lines
from tests.bench.report import verdict as summary
from tests.support.page_rounds import ROWS
from tests.support.simulator import FAULTS
from tests.support.simulator_modes import MODES


@pytest.fixture
def plan(tmp_path: Path) -> BenchPlan:
    """Measure little, in a folder of the test's own."""
    return BenchPlan(tmp_path, quick=True)


def check(group: FigureGroup) -> None:
    """Every figure has its column and is not negative; every row says something."""
    assert group.tables
    for table in group.tables:
        keys = [column.key for column in table.columns]
        assert {column.unit for column in table.columns} <= UNITS.keys()
        assert table.rows
        for row in table.rows:
            assert set() < set(row.figures) <= set(keys)
            assert all(figure.value >= 0 for figure in row.figures.values())


def by_row(group: FigureGroup) -> dict[str, dict[str, float]]:
    """Return the values of *group* by row and column."""
    return {row.key: row.values() for table in group.tables for row in table.rows}


def rises(figures: dict[str, float]) -> bool:
    """Return whether median, 99th percentile and maximum are in order, and above nothing."""
    return 0 < figures["p50_ms"] <= figures["p99_ms"] <= figures["max_ms"]


# ---- figures


def test_group_has_met_its_aims_when_all_figures_have() -> None:
    """One that is over spoils it; without an aim there is nothing to meet."""
    columns = (Column("a", "{amount}", ""),)

    def group(*figures: Figure) -> FigureGroup:
        return FigureGroup(
            (FigureTable(columns, tuple(FigureRow("r", "{amount}", {"a": one}) for one in figures)),)
        )

    assert group(Figure(1, 1), Figure(7)).met is True
    assert group(Figure(1, 1), Figure(7, 6)).met is False
    assert group(Figure(7)).met is None


# ---- groups


@pytest.mark.parametrize("seats", edges.SEATS)
def test_edges_are_judged_as_they_were_made(seats: int) -> None:
    """Everybody's turn to be last comes; each touch and each release has five edges; promises are kept."""
    count = 3
    inputs = tuple(edges.rounds(seats, count))
    run = edges.judge(seats, inputs)
    assert tuple((number % seats + 1,) for number in range(count)) == run.last
    assert count * seats * 10 == run.edges
    mark_ns = -1_000_000_000
    for item in inputs:
        if isinstance(item, Edge):
            assert item.t_ns >= mark_ns
        elif isinstance(item, Watermark):
            mark_ns = item.t_ns


def test_the_campaign_plays_every_fault_and_aims_at_no_wrong_last() -> None:
    """Its rows are counts of rounds; one wrong last misses the aim."""
    fine = campaign.group(lambda _: Counter({"rounds": 90, "void": 4, "needless void": 1}))
    check(fine)
    wires = {f"boxes-{way}" for way in ("whole", "cut", "flaky", "none", "replug")}
    assert {*FAULTS, *MODES, *wires, "feints", "none", "many", "lost+late"} == set(by_row(fine))
    assert "against_the_law" not in by_row(fine)["dock"]
    for case in ("late", "dock"):
        assert {"rounds": 90, "wrong": 0, "needless_void": 1}.items() <= by_row(fine)[case].items()
    assert fine.met
    for missed in ("wrong", "margin", "opener against the law", "waited"):
        assert not campaign.group(partial(_missed, missed)).met


def _missed(what: str, fault: str) -> Counter[str]:
    return Counter({what: int(fault == "drift")})


@pytest.mark.heavy
def test_the_campaign_finds_its_simulator_and_names_nobody_wrongly(
    plan: BenchPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two evenings a case, of every fault and every way to play."""
    monkeypatch.setattr(campaign, "QUICK_EVENINGS", 2)
    monkeypatch.setattr(campaign, "QUICK_MODE_EVENINGS", 2)
    monkeypatch.setattr(campaign, "QUICK_BOXES", 1)
    group = campaign.measure(plan)
    check(group)
    assert group.met
    assert all(row["rounds"] >= 6 for row in by_row(group).values())


def test_phones_aim_at_no_wrong_last_no_margin_outside_and_few_needless_voids() -> None:
    """One wrong last misses the aim, and so do three needless voids of a hundred on a fine network."""

    def found(key: str, **counts: int) -> FigureGroup:
        row = next(one for one in ROWS if one.key == key)
        return phones.group([(row, Counter({"rounds": 100, **counts}), [20.0, 50.0, 140.0])])

    check(found("one_page", void=2))
    assert found("one_page", void=2).met
    assert not found("fine", void=3).met
    assert found("jumps", void=30).met
    for wrong in ("wrong", "outside", "not armed"):
        assert not found("jumps", **{wrong: 1}).met
    assert (50, 140) == tuple(by_row(found("one_page"))["one_page"][key] for key in ("p50_ms", "p99_ms"))


@pytest.mark.heavy
@pytest.mark.skipif(shutil.which("node") is None, reason="the pages’ script cannot run: install node")
def test_phones_name_nobody_wrongly_whatever_goes_wrong(plan: BenchPlan) -> None:
    """A few rounds of every row."""
    group = phones.measure(plan)
    check(group)
    rounds = by_row(FigureGroup(group.tables[:1]))
    assert [*(row.key for row in ROWS), "zero_late"] == list(rounds)
    assert {0} == {row["wrong"] + row["outside"] for row in rounds.values()}


@pytest.mark.heavy
@pytest.mark.browser
@pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no chromium: apt install chromium")
def test_a_tab_that_is_killed_in_any_phase_leaves_the_table_armed_or_its_phone_named(plan: BenchPlan) -> None:
    """One in each phase; how soon is a figure of a quiet machine."""
    group = killed_tabs.measure(plan)
    check(group)
    assert ["ready", "armed", "judging", "verdict"] == list(by_row(group))
    assert [(1, 0)] * 4 == [(row["armed"] + row["named"], row["stuck"]) for row in by_row(group).values()]


@pytest.mark.heavy
def test_an_evening_of_any_length_is_taken_up_and_played_on(plan: BenchPlan) -> None:
    """A row a length; taking it up again has its aim, and so has a correction of the first round."""
    group = long.measure(plan)
    check(group)
    assert ["1", "100"] == list(by_row(group))
    rows = [row for table in group.tables for row in table.rows]
    aims = {(row.figures["restart_s"].aim, row.figures["corrected_s"].aim) for row in rows}
    assert {(long.AIM_S, long.CORRECTED_S)} == aims
    assert [] == list(plan.folder.iterdir()), "the evenings leave nothing behind"


def test_evening_on_a_live_table_goes_on_for_ever(plan: BenchPlan) -> None:
    """Every round is decided, everybody is last in turn, and nobody leaves: a new game begins before."""
    seats = ("nose.1", "nose.2", "nose.3", "nose.4")
    with verdict.live_table(plan.folder, seats, Mock(seats)) as table:
        evening = EndlessEvening(table, 3)
        last = []
        for number in (1, 2, 3, 4):
            opener, decider = evening.play()
            assert opener.version < decider.version
            assert opener.pressed_ns < opener.published_ns <= decider.published_ns
            assert decider.pressed_ns < decider.published_ns
            run = table.queries.evening.match
            assert run is not None
            last += [entry.verdict.last for entry in run.entries if entry.verdict and entry.number == number]
        assert [(1,), (2,), (3,), (1,)] == last
        evening._played = 3 * (len(WORD) - 1)
        evening.play()
        assert 2 == len(table.queries.evening.matches)
    assert [] == list(plan.folder.iterdir()), "the evening leaves nothing behind"


@pytest.mark.heavy
def test_box_gives_cost_and_verdict(plan: BenchPlan) -> None:
    """Of a simulated box: its edges through decoder alone, and through the terminal as well."""
    group = box.measure(plan)
    check(group)
    rows = by_row(group)
    assert rises(rows["verdict"])
    assert rows["decode"]["us_an_edge"] < rows["pty"]["us_an_edge"]


@pytest.mark.heavy
def test_first_gives_the_lamp_the_name_and_the_pages(plan: BenchPlan) -> None:
    """The lamp changes before the name can be read anywhere; every round names somebody."""
    group = first.measure(plan)
    check(group)
    rows = by_row(group)
    assert {"stop", "name", "pages"} == rows.keys()
    assert 0 < rows["stop"]["p50_ms"]
    assert 1 < rows["name"]["p50_ms"]  # what a contact needs to be believed
    assert ("Rounds in which nobody was named: 0.",) == group.notes


def test_verdict_gives_the_spread_of_both_presses(plan: BenchPlan) -> None:
    """A press takes its time to be sure: more than the millisecond of the debounce."""
    group = verdict.measure(plan)
    check(group)
    rows = by_row(group)
    assert {"first_press", "verdict", "disk"} == rows.keys()
    assert min(rows["first_press"]["p50_ms"], rows["verdict"]["p50_ms"]) > 1


@pytest.mark.heavy
def test_pages_are_heard_by_every_viewer(plan: BenchPlan) -> None:
    """Two presses a round, each heard by each viewer, later than it was made; the server is weighed."""
    report, heard = pages.watch(plan, viewers=3, rounds=2)
    assert 2 * 2 * 3 == len(heard)
    for shown, at_ns in heard:
        assert shown.pressed_ns < shown.published_ns
        assert shown.pressed_ns + 1_000_000 < at_ns
    versions = [shown.version for shown in report.presses]
    assert sorted(versions) == versions
    assert [] == list(plan.folder.iterdir())


@pytest.mark.heavy
def test_load_is_weighed_against_the_same_table_left_alone(plan: BenchPlan) -> None:
    """Every verdict comes, none is void, and the loops are answered meanwhile."""
    group = load.measure(plan)
    check(group)
    alone, loaded = group.tables[0].rows
    assert "of_alone" not in alone.figures
    ratio = loaded.figures["p99_ms"].value / alone.figures["p99_ms"].value
    assert loaded.figures["of_alone"].value == pytest.approx(ratio, rel=0.01)
    assert loaded.figures["of_alone"].aim == 1.5


def test_the_loops_never_ask_the_same_twice() -> None:
    """Else they would be answered from memory."""
    assert 200 == len({load.question(number) for number in range(200)})


def test_a_table_that_ends_too_soon_is_said() -> None:
    """Its own words are on the terminal; its status is told."""
    words = [sys.executable, "-c", "raise SystemExit(3)"]
    with (
        subprocess.Popen(words, stdout=subprocess.PIPE) as process,
        pytest.raises(DeviceError, match="ended with status 3"),
    ):
        pages.told(process, int)


def test_a_newer_snapshot_counts_for_the_one_it_replaces() -> None:
    """A slow viewer is sent the newest only: what it heard then is what it waited for."""
    viewer = viewers.MeasuredViewer.__new__(viewers.MeasuredViewer)
    viewer.heard, viewer._rest = [], b""
    viewer.take(b'HTTP/1.1 200 OK\r\n\r\n9\r\nretry: 1000\n\n\r\n3f\r\nid: 4\ndata: {"version":4,"se', 10)
    assert [] == viewer.heard
    viewer.take(b'q":4}\n\n\r\n3f\r\ndata: {"version":7}\n\n\r\n', 20)
    assert [(4, 20), (7, 20)] == viewer.heard
    viewer.take(b'3f\r\ndata: {"version":9}\n\n\r\n', 30)
    assert [20, 20, 30, None] == [viewer.heard_ns(version) for version in (3, 5, 9, 10)]
    presses = tuple(ShownPress(version, 1, 2) for version in (5, 9, 10))
    report = pages.Report(presses, undecided=0, cpu_percent=1.0, memory_mb=1.0)
    assert [(presses[0], 20), (presses[1], 30)] == pages.hearings(report, [viewer])


def test_too_few_open_files_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the limit that is in the way."""
    limits = [(100, 200)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, limit: limits.append(limit))
    with pytest.raises(DeviceError, match="needs 600 open files, and the system allows 200"):
        viewers.allow_files(600)


@pytest.mark.parametrize("kind", ["random", "near", "crowded"])
def test_hands_that_contracts_are_measured_with_can_be(kind: str) -> None:
    """11 to 18 cards of two packs, and of the near ones some lay."""
    chance, lays = Random(7), 0
    for contract in CONTRACTS.values():
        for _ in range(4):
            cards = contracts.hand(kind, contract, chance)
            assert contracts.LEAST <= len(cards) <= contracts.MOST
            lays += solve(contract.number, cards).lays
    assert 0 < lays < 4 * len(CONTRACTS)


@pytest.mark.heavy
def test_start_is_measured_until_the_page_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real page, of a table that is gone afterwards with all it kept."""
    got: list[bytes] = []
    first_page = processes.RunningTable.first_page
    monkeypatch.setattr(processes.RunningTable, "first_page", lambda table: got.append(first_page(table)))
    start.first_page_s(tmp_path)
    assert [True] == [b"</html>" in page for page in got]
    assert [] == list(tmp_path.iterdir())


@pytest.mark.heavy
def test_a_table_that_does_not_start_says_why(tmp_path: Path) -> None:
    """Its own sentence is passed on."""
    (tmp_path / "lastnose.sqlite").write_text("no log")
    with pytest.raises(DeviceError, match=r"The table did not start: .*lastnose\.sqlite"):
        processes.RunningTable(tmp_path)


def test_memory_and_cpu_are_those_of_the_process() -> None:
    """This process has more than 10 MB and has worked; one that is not there is an error."""
    assert 10 < processes.memory_mb(os.getpid()) < 2_000
    assert 0 < processes.cpu_s(os.getpid()) < 10_000
    with pytest.raises(DeviceError, match="/proc"):
        processes.memory_mb(2**30)


@pytest.mark.heavy
def test_rest_weighs_the_table_alone_and_watched(plan: BenchPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process of the table, first without a viewer, then with one that has heard of it."""
    halls: list[viewers.Audience] = []

    class Noted(viewers.Audience):
        def __init__(self, port: int, count: int) -> None:
            super().__init__(port, count)
            halls.append(self)

    def weighed(pid: int) -> float:
        assert b"lastnose.companion.cli" in Path(f"/proc/{pid}/cmdline").read_bytes()
        return 40 + sum(len(hall.viewers[0].heard) > 0 for hall in halls)

    monkeypatch.setattr(rest, "Audience", Noted)
    monkeypatch.setattr(rest, "memory_mb", weighed)
    monkeypatch.setattr(rest, "cpu_percent", lambda pid, during_s: 0.5)
    group = rest.measure(plan)
    assert {
        "no_viewer": {"memory_mb": 40, "cpu_percent": 0.5},
        "one_viewer": {"memory_mb": 41, "cpu_percent": 0.5},
    } == by_row(group)
    assert {rest.AIM_MB} == {aim for table in group.tables for row in table.rows for _, aim in row.aims()}


# ---- the test kernel

SPACING = {"rounds": 4, "named": 3, "dead_heat": 1, "void": 0, "missed": 0, "wrong": 0}
TOLD: dict[str, dict[str, Any]] = {
    "lgpio-busy": {
        "stamps": 8,
        "spacings": {"100": SPACING, "500": {**SPACING, "wrong": 1}},
        "gap_error_ns": {"p50": 2_500, "p99": 7_123, "max": 9_000},
        "outside": {"100": 1, "500": 2},
        "u_ns": {"p50": 10_000},
    },
    "button-idle": {"stamps": 8, "gap_error_ns": {"p50": 37_000, "p99": 83_000_000}, "wrong_order": 2},
    "gpiochip-stalled-burst": {"edges": 1000, "told": 400, "lost": 600, "unnoticed": 0},
}


def test_kernel_figures_are_told_a_row_a_part() -> None:
    """Rounds are summed over their spacings; a Button declares nothing; a wrong verdict misses its aim."""
    group = kernel.group(TOLD)
    check(group)
    rows = by_row(group)
    assert {
        "declared_p50_us": 10,
        "gap_error_p50_us": 2.5,
        "gap_error_p99_us": 7.123,
        "named": 6,
        "dead_heat": 2,
        "void": 0,
        "wrong": 1,
        "outside": 3,
    } == rows["lgpio_busy"]
    assert {"gap_error_p50_us": 37, "gap_error_p99_us": 83_000, "wrong": 2} == rows["button_idle"]
    assert {"edges": 1000, "told": 400, "lost": 600, "unnoticed": 0} == rows["gpiochip_stalled_burst"]
    assert group.met is False
    assert TOLD == group.details
    shown = list(lines(group))
    assert any(line.startswith("lgpio, with a busy thread") and "✗ over 0" in line for line in shown)


def test_a_missing_test_kernel_is_said(plan: BenchPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """No figures, and how to build it."""
    monkeypatch.setattr(kernel_rig, "find_kernel", lambda: None)
    group = bench.measure("kernel", plan)
    assert () == group.tables
    assert group.met is None
    assert ["The test kernel has not been built: say bash tests/kernel/build.sh once."] == list(lines(group))


# ---- printed and kept


def test_table_has_the_aim_beside_the_figure() -> None:
    """Columns stand under each other; what is missing is a dash."""
    columns = (Column("p99_ms", "99 % within", "ms"), Column("server_mb", "server memory", "mb"))
    rows = (
        FigureRow("a", "first press", {"p99_ms": Figure(12.34, 50.0), "server_mb": Figure(51)}),
        FigureRow("b", "verdict", {"p99_ms": Figure(61, 50.0)}),
    )
    group = FigureGroup((FigureTable(columns, rows),), ("A note.",))
    assert [
        "                       99 % within   server memory",
        "first press   12.3 ms ✓ at most 50           51 MB",
        "verdict            61 ms ✗ over 50               –",
        "A note.",
    ] == list(lines(group))
    assert "1 of 2 aims missed: marked ✗." == (summary({"x": group}))


def run(*words: str) -> Result:
    """Run `make bench` with *words*."""
    return CliRunner().invoke(main, words)


def test_json_is_one_document_and_the_same_is_kept(tmp_path: Path) -> None:
    """Units are in the keys; machine, date and load are told."""
    kept = tmp_path / "new" / "bench.json"
    result = run("--json", "--quick", "--only", "edges", "--output", str(kept))
    assert 0 == result.exit_code, result.stderr
    said = json.loads(result.stdout)
    assert said == json.loads(kept.read_text())
    assert {"cores", "processor", "kernel", "python", "lastnose"} == said["machine"].keys()
    (group,) = said["groups"].values()
    assert {"us_an_edge", "edges_per_s"} == group["rows"]["seats_26"].keys()
    assert 10 == group["aims"]["seats_26.us_an_edge"]
    assert group["quick"] is True
    assert group["load_1min"] >= 0
    assert group["measured_at"].endswith("+00:00")


def test_groups_not_measured_stay_as_they_were_kept(tmp_path: Path) -> None:
    """What a bench of another day has kept is still there."""
    kept = tmp_path / "bench.json"
    kept.write_text(json.dumps({"bench": 1, "groups": {"start": {"rows": {}}}}))
    result = run("--quick", "--only", "edges", "--output", str(kept))
    assert 0 == result.exit_code, result.stderr
    assert {"start", "edges"} == json.loads(kept.read_text())["groups"].keys()
    assert result.stdout.startswith("Edges: debounce and judge\n")
    assert result.stdout.splitlines()[-1] == f"The figures are kept in {kept}."
    assert "Measuring: Edges" in result.stderr


@pytest.mark.parametrize("held", ["no figures", "[1]", "{}"])
def test_a_file_that_is_something_else_is_left_alone(tmp_path: Path, held: str) -> None:
    """One sentence before anything is measured, status 2."""
    kept = tmp_path / "mine.json"
    kept.write_text(held)
    result = run("--only", "edges", "--output", str(kept))
    assert (2, "", 1) == (result.exit_code, result.stdout, result.stderr.count("\n"))
    assert str(kept) in result.stderr
    assert held == kept.read_text()


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A folder that is a file."""
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        bench.keep(bench.document({}), tmp_path / "file" / "bench.json")


@pytest.mark.heavy
@pytest.mark.browser
@pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no chromium: apt install chromium")
def test_browser_gives_the_time_from_the_deciding_key_to_its_verdict_and_what_pages_cost(
    plan: BenchPlan,
) -> None:
    """A frame, the debounce and the keyboard's 8 ms at the least; pages have a style and a script."""
    group = browser.measure(plan)
    check(group)
    rows = by_row(group)
    assert rises(rows["one_page"])
    assert rows["one_page"]["p50_ms"] > 9
    pages = {key: rows[key] for key in ("table", "history", "statistics", "sheet")}
    assert all(3 <= row["requests"] and 10 < row["sent_kb"] and row["paint_ms"] > 0 for row in pages.values())
    assert 0 <= rows["board"]["browser_cpu_percent"] < 200
