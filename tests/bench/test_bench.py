"""`make bench`: every group gives figures that make sense, and says what it cannot measure."""

from __future__ import annotations

import itertools
import json
import os
import resource
import shutil
import subprocess
import sys
import threading
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result
from lastnose.companion.core.errors import BadInput, DeviceError
from lastnose.companion.core.model import Edge, Watermark
from lastnose.companion.games.swedish_gin.contracts import CONTRACTS, solve
from lastnose.companion.system import host_clock
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
    oled,
    pages,
    phones,
    processes,
    rest,
    slew,
    stamps,
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
    percentile,
    spread,
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


def test_percentile_is_a_value_that_was_measured() -> None:
    """Nearest rank: of a hundred times the 99th is the second slowest, of ten the slowest."""
    assert 99 == percentile(range(1, 101), 99)
    assert 10 == percentile(range(10, 0, -1), 99)
    assert 5 == percentile(range(10, 0, -1), 50)


def test_spread_is_in_milliseconds_with_its_aims() -> None:
    """Half of three are within the second; only the percentile with an aim has one."""
    figures = spread([3_000_000, 1_000_000, 2_500_000], p99_aim_ms=2.9)
    assert {"p50_ms": Figure(2.5), "p99_ms": Figure(3, 2.9), "max_ms": Figure(3)} == figures


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


def test_a_name_stands_for_all_that_begins_like_it() -> None:
    """And nothing named for everything, in the table's order."""
    assert tuple(bench.GROUPS) == bench.chosen(())
    assert ("edges", "oled") == bench.chosen(["oled", "edges"])
    assert {"hall"} == {name.partition("_")[0] for name in bench.chosen(["hall"])}


def test_stamps_are_the_steps_of_the_clock_and_what_waking_takes(
    plan: BenchPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock that steps by 100 ns is said to; a thread is never woken before it is called."""
    assert 0 <= min(stamps.wakes_ns(20))
    now_ns, mine, real = itertools.count(step=100), threading.get_ident(), host_clock.now_ns
    # A thread that another test has left takes no step of this clock.
    monkeypatch.setattr(
        host_clock, "now_ns", lambda: next(now_ns) if threading.get_ident() == mine else real()
    )
    monkeypatch.setattr(stamps, "wakes_ns", lambda count: [7_000] * (count - 1) + [90_000])
    assert {
        "clock": {"p50_us": 0.1, "p99_us": 0.1, "max_us": 0.1},
        "wake": {"p50_us": 7, "p99_us": 90, "max_us": 90},
    } == by_row(stamps.measure(plan))


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


def test_nobody_hosts_for_ever_who_was_let_in_once() -> None:
    """Three, by each way that ends it; who only stays away hosts on."""
    table = phones.hosts(3)
    check(FigureGroup((table,)))
    assert {key: {"hosts": 3, "still": 0} for key in phones.ENDS} == by_row(FigureGroup((table,)))
    assert 5 == len(phones.ENDS)


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


def test_edges_give_time_and_rate_for_every_table_size(plan: BenchPlan) -> None:
    """The two figures say the same."""
    group = edges.measure(plan)
    check(group)
    for row in by_row(group).values():
        assert 1_000_000 == pytest.approx(row["us_an_edge"] * row["edges_per_s"], rel=0.01)
    assert [edges.AIM_US] * 3 == [
        aim for table in group.tables for row in table.rows for _, aim in row.aims()
    ]


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
def test_box_gives_cost_verdict_and_clocks(plan: BenchPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated boxes: what they claim holds, with the sync wire and without."""
    told: list[bool] = []

    def presses(count: int, *, wired: bool, warm_s: float) -> list[tuple[int, int]]:
        told.append(wired)
        return measured(2, wired=wired, warm_s=1.0)

    measured = box.presses
    monkeypatch.setattr(box, "presses", presses)
    group = box.measure(plan)
    check(group)
    rows = by_row(group)
    assert [True, False] == told
    assert rises(rows["verdict"])
    for name in ("sync_wire", "usb_only", "slewed_50_ppm", "slewed_500_ppm"):
        assert rows[name]["error_p50_us"] <= rows[name]["error_max_us"]
        assert 0 == rows[name]["beyond_claim"]
        assert 0 < rows[name]["claimed_p50_us"]
    assert rows["decode"]["us_an_edge"] < rows["pty"]["us_an_edge"]
    assert 26 * 6_000 == rows["storm"]["edges"] == rows["storm"]["told"] + rows["storm"]["lost"]
    assert 26 * 300 == rows["rain"]["edges"] == rows["rain"]["told"] + rows["rain"]["lost"]
    assert 0 == rows["storm"]["unnoticed"] == rows["rain"]["unnoticed"]


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


def test_contract_help_gives_the_spread_of_every_kind_of_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A time for each hand and contract, with the aims of the solver."""
    assert 2 * 15 == len(contracts.times_ns("draws", 2))
    monkeypatch.setattr(contracts, "times_ns", lambda kind, hands: [2_000_000, 3_000_000, 41_000_000])
    row = contracts._row("near", 1)
    assert {"p50_ms": 3, "p99_ms": 41, "max_ms": 41} == row.values()
    assert {"p99_ms": 40, "max_ms": 500} == dict(row.aims())


def test_every_phase_is_drawn(plan: BenchPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row a phase, thirteen players in each but the first; every page of a picture in its turn."""
    found = oled.snapshots()
    assert list(oled.PHASES) == [found[phase].phase for phase in oled.PHASES]
    assert {13} == {len(found[phase].rows) for phase in oled.PHASES if phase != "setup"}
    pages: list[int] = []
    monkeypatch.setattr(oled, "draw", lambda snapshot, size, page: pages.append(page))
    monkeypatch.setattr(oled, "count_pages", lambda snapshot, size: 3)
    group = oled.measure(plan)
    assert [phase.replace("-", "_") for phase in oled.PHASES] == list(by_row(group))
    assert [0, 1, 2, 0, 1, 2, 0, 1, 2, 0] * len(oled.PHASES) == pages


@pytest.mark.heavy
def test_start_is_measured_until_the_page_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real page, of a table that is gone afterwards with all it kept."""
    got: list[bytes] = []
    first_page = processes.RunningTable.first_page
    monkeypatch.setattr(processes.RunningTable, "first_page", lambda table: got.append(first_page(table)))
    start.first_page_s(tmp_path)
    assert [True] == [b"</html>" in page for page in got]
    assert [] == list(tmp_path.iterdir())


def test_start_gives_median_and_slowest(plan: BenchPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two starts the median is in between; only it has the aim."""
    times_s = iter((0.5, 0.9))
    monkeypatch.setattr(start, "first_page_s", lambda _: next(times_s))
    group = start.measure(plan)
    assert {"first_page": {"median_s": 0.7, "max_s": 0.9}} == by_row(group)
    assert group.met is True


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


def test_an_unknown_group_is_refused() -> None:
    """With the names there are."""
    result = run("--only", "speed")
    assert 2 == result.exit_code
    assert "edges" in result.stderr


@pytest.mark.parametrize("ppm", slew.SLEWED_PPM)
def test_figures_under_slew_are_within_their_claim_and_the_slewing_is_real(ppm: int) -> None:
    """280 presses over 40 s; by the end the host's clock is ahead by ten seconds of slewing."""
    told = slew.slewed_presses(ppm)
    assert 280 == len(told)
    assert all(off_ns <= claimed_ns for off_ns, claimed_ns in told)
    clocks = slew.SlewedClocks(ppm)
    assert 10 * ppm * 1_000 == clocks.host_of(1_040 * slew.S) - 1_040 * slew.S


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


def test_without_a_browser_the_group_says_so(plan: BenchPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """A note, and no figure."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    found = bench.measure("browser", plan)
    assert () == found.tables
    assert ["There is no browser to measure with: it wants chromium and Playwright."] == [
        str(note) for note in found.notes
    ]
