"""`lastnose selftest`: by a script in its own time, and live with simulated hands on terminal and page."""

from __future__ import annotations

import io
import json
import threading
from pathlib import Path

import pytest
from click.testing import Result
from lastnose.companion.app.selftest import SelfTestRun
from lastnose.companion.cli.selftest import Keyboard, Teller, _pretended, make_plan
from lastnose.companion.config.settings import run_settings
from lastnose.companion.core.errors import BadInput
from lastnose.companion.selftest.course import AnswerGiven, LineMoved, Wait, play, read

from tests.support.commands import lastnose
from tests.support.selftest_rig import MS, Rig, plan_of

WITHIN_S = 120
GOOD = """
wait 2200   # hands off
touch nose.1
touch nose.2
touch nose.3
touch nose.4
touch spoon.1
touch spoon.2
touch spoon.3
touch host
yes
yes
yes
"""
SWAPPED = """
wait 2200
touch nose.2
touch nose.2
touch nose.1
touch nose.1
stop
"""


def run(tmp_path: Path, script: str, *words: str) -> Result:
    """Run `lastnose selftest` on simulated noses by *script*, in English."""
    path = tmp_path / "hand.txt"
    path.write_text(script, encoding="utf-8")
    told = ["selftest", "--source", "mock", "--script", str(path), "-o", str(tmp_path / "out"), *words]
    return lastnose(*told)


def test_a_sound_table_passes_and_its_report_is_kept(tmp_path: Path) -> None:
    """Status 0; a report for people and one for programs, and both say that it was simulated."""
    result = run(tmp_path, GOOD)
    assert (0, "") == (result.exit_code, result.stderr)
    paper, data = sorted((tmp_path / "out").iterdir(), key=lambda path: path.suffix)
    assert [f"Written: {paper}", f"Written: {data}"] == result.stdout.splitlines()[-2:]
    assert "nose 1: good" in result.stdout
    assert "All is well: play." in result.stdout
    said = paper.read_text(encoding="utf-8")
    assert "<b>All is well: play.</b>" in said
    assert "Simulated" in said
    assert "<li>Do the lamps light one after the other, from 1 to 4? – Yes</li>" in said
    found = json.loads(data.read_text(encoding="utf-8"))
    assert (True, True, "home4", "mock") == tuple(
        found[key] for key in ("passed", "simulated", "profile", "source")
    )
    assert ["ok"] * 8 == [contact["outcome"] for contact in found["contacts"]]


def test_what_is_wrong_is_status_1_and_its_json_is_printed_all_the_same(tmp_path: Path) -> None:
    """Two noses swapped, and stopped after them."""
    result = run(tmp_path, SWAPPED, "--json")
    assert 1 == result.exit_code
    found = json.loads(result.stdout)
    assert (False, True) == (found["passed"], found["stopped"])
    assert ["swapped"] == [one["kind"] for one in found["findings"]]
    assert found["findings"][0]["says"].startswith("Nose 1 and nose 2 are swapped: at the board, ")
    assert 2 == result.stderr.count("Written: ")


def test_what_nobody_touches_is_silent(tmp_path: Path) -> None:
    """An empty script waits out every contact, in no time."""
    found = json.loads(run(tmp_path, "", "--json", "--profile", "mock:3").stdout)
    assert ["silent"] * 6 == [contact["outcome"] for contact in found["contacts"]]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("touch nose.9", "no line “nose.9”"),
        ("tuch nose.1", "cannot be read"),
        ("wait long", "cannot be read"),
        ("yes", "does not answer what is asked"),
    ],
)
def test_a_script_that_cannot_be_followed_is_bad_input(tmp_path: Path, script: str, said: str) -> None:
    """One sentence, status 2, no report."""
    result = run(tmp_path, script)
    assert (2, "") == (result.exit_code, result.stdout)
    assert said in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_script_is_for_simulated_noses_only(tmp_path: Path) -> None:
    """A hand cannot be scripted where noses are real."""
    result = run(tmp_path, GOOD, "--source", "gpiochip", "--profile", "home4")
    assert 2 == result.exit_code
    assert "--source mock" in result.stderr


@pytest.mark.parametrize("words", [("--tied", "nose.1"), ("--wired", "5:nose.1"), ("--wired", "nose.1")])
def test_a_measurement_that_makes_no_sense_is_refused(tmp_path: Path, words: tuple[str, str]) -> None:
    """Pin 5 is nose 1 itself."""
    result = run(tmp_path, GOOD, *words)
    assert 2 == result.exit_code
    assert words[0] in result.stderr


def test_lines_of_a_script_are_words_for_a_hand() -> None:
    """Several lines at once; comments are for people."""
    both = read("touch nose.1 nose.2", ["nose.1", "nose.2"])
    assert (LineMoved("nose.1", True), LineMoved("nose.2", True), Wait(120)) == both[:3]
    assert (AnswerGiven("skip"),) == read("skip  # who cares", [])
    assert () == read("  # nothing", [])
    rig = Rig(plan_of())
    play(rig.course, (Wait(2_200), AnswerGiven("stop")), rig.now_ns)
    assert "done" == rig.course.view.step


class Bench:
    """A live self-test of a small simulated table without page, and a keyboard before it."""

    def __init__(self, tmp_path: Path, plan: str = "mock:3") -> None:
        self.settings = run_settings(source="mock", profile=plan, data_dir=tmp_path, pi=False)
        self.run = SelfTestRun(self.settings, plan_of(self.settings.profile), page=False)
        self.run.start()

    def until_asked(self, line: str) -> None:
        """Wait until this contact is asked for."""
        asked = threading.Event()
        self.run._show.append(
            lambda view: asked.set() if view.contact and view.contact.line == line else None
        )
        contact = self.run.view.contact
        assert (contact is not None and contact.line == line) or asked.wait(WITHIN_S)

    def type(self, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Type lines, as a person would."""
        monkeypatch.setattr("sys.stdin", io.StringIO(words))
        keyboard = Keyboard(self.run)
        keyboard.start()
        keyboard.join(WITHIN_S)


def test_a_terminal_without_input_answers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever starts it may have closed its input: then Python has none."""
    bench = Bench(tmp_path)
    try:
        monkeypatch.setattr("sys.stdin", None)
        Keyboard(bench.run).run()
    finally:
        bench.run.stop()


def test_a_measurement_that_asks_nothing_ends_by_itself(tmp_path: Path) -> None:
    """With a page and a terminal that nobody uses: twenty changes, and it is over."""
    settings = run_settings(source="mock", profile="home4", data_dir=tmp_path, port=0, pi=False)
    plan = make_plan(settings, None, "17:nose.1,nose.2", changes=20, measured_only=True)
    test = SelfTestRun(settings, plan, page=True)
    try:
        test.start()
        assert test._over.wait(WITHIN_S)
        closings = {(one.how, one.closing.pairs) for one in test.course.timed if one.closing is not None}
        # Half of twenty at rest, half under load; half of each close; and both lines together.
        assert {("wired", 5), ("pins", 10)} == closings
    finally:
        test.stop()


def test_a_keyboard_moves_simulated_noses_and_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A touch is seen live; a letter answers; a word that does not fit is told and nothing else."""
    monkeypatch.setattr("lastnose.companion.selftest.course.REST_NS", 50 * MS)
    bench = Bench(tmp_path)
    try:
        bench.until_asked("nose.1")
        bench.type("wait 1\ntouch nose.1\n", monkeypatch)
        bench.until_asked("nose.2")
        bench.type("touch nose.2\n", monkeypatch)
        bench.until_asked("nose.3")
        bench.type("yes\ns\nq\n", monkeypatch)
        assert bench.run.wait(WITHIN_S)
        readings = bench.run.course.readings
        assert {"nose.1": "ok", "nose.2": "ok", "nose.3": "skipped"} == {
            line: reading.outcome for line, reading in readings.items()
        }
        assert bench.run.course.stopped
        assert "does not answer" in capsys.readouterr().err
        assert "mock" in bench.run.report("html", str, "en").decode()
    finally:
        bench.run.stop()


def test_real_noses_are_not_moved_by_a_keyboard(tmp_path: Path) -> None:
    """They are touched."""
    bench = Bench(tmp_path)
    try:
        bench.run.driver = None
        with pytest.raises(BadInput, match="real"):
            Keyboard(bench.run)._do("away nose.1")
    finally:
        bench.run.stop()


def test_the_terminal_tells_each_prompt_and_each_result_once(capsys: pytest.CaptureFixture[str]) -> None:
    """However often the view changes meanwhile."""
    rig, teller = Rig(plan_of(lamps=4)), Teller()
    teller.tell(rig.course.view)
    rig.wait(2_200)
    for _ in range(3):
        teller.tell(rig.course.view)
        rig.away("nose.1")
        teller.tell(rig.course.view)
        rig.back("nose.1", 100_000)
        rig.wait(600)
        teller.tell(rig.course.view)
    said = capsys.readouterr().out
    assert 1 == said.count("Touch nose 1")
    assert 1 == said.count("    nose 1: good")
    rig.course.say("stop")
    teller.tell(rig.course.view)
    assert "Stopped before the end." in capsys.readouterr().out


def test_the_output_of_a_measurement_is_no_free_pin_to_listen_to(tmp_path: Path) -> None:
    """It cannot be both."""
    settings = run_settings(source="gpiochip", profile="home4", data_dir=tmp_path, pi=True)
    spares = [one.line for one in make_plan(settings, None, "17:nose.1").spares]
    assert {"spare.17", *spares} == {one.line for one in make_plan(settings, None, None).spares}
    assert "spare.17" not in spares
    assert (17, ("nose.1",)) == make_plan(settings, None, "17:nose.1").wired


def test_contacts_of_two_boxes_and_of_the_pi_beside_them_are_all_asked_for(tmp_path: Path) -> None:
    """Each with its own board's pins and colours; free pins of several boards are not listened to."""
    settings = run_settings(
        source="box", boxes=["sim"], beside="home4", profile="pico-party", data_dir=tmp_path, pi=True
    )
    plan = make_plan(settings, None, None)
    found = plan.lines
    assert ("GP0", "brown") == (found["nose.1"].pin, str(found["nose.1"].colour.name))  # type: ignore[union-attr]
    assert ("GPIO5", "brown") == (found["nose.14"].pin, str(found["nose.14"].colour.name))  # type: ignore[union-attr]
    assert () == plan.spares


def test_measuring_alone_has_a_wire_by_itself_only_where_all_is_simulated(tmp_path: Path) -> None:
    """home4 uses neither GPIO4 nor a wire between its own pins; a box wants to be told which pin is wired."""
    result = lastnose(
        "selftest", "--source", "box", "--box", "sim", "--measure-only", "--data", str(tmp_path)
    )
    assert (2, True) == (result.exit_code, "measure only, with --wired or --tied" in result.stderr)
    mocked = run_settings(source="mock", profile="home4", data_dir=tmp_path)
    assert "4:all" == _pretended(mocked)
    assert len(mocked.profile.lines) == len((make_plan(mocked, None, "4:all").wired or (0, ()))[1])


def test_tied_lines_are_measured_alone(tmp_path: Path) -> None:
    """Twenty presses on one wire; the report says above all that it was simulated."""
    press = "away nose.1 nose.2\nwait 100\nback nose.1 nose.2\nwait 100\n"
    script = "wait 2200\n" + press * 20 + "wait 1000\n"
    result = run(tmp_path, script, "--measure-only", "--tied", "nose.1,nose.2")
    assert (0, "") == (result.exit_code, result.stderr)
    paper = next((tmp_path / "out").glob("*.html")).read_text(encoding="utf-8")
    assert paper.index("Simulated") < paper.index("Tied together: nose.1, nose.2")
