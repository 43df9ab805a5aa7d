"""`lastnose profiles`: listed, explained, checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from lastnose.companion.wiring.profile import built_in_profiles

from tests.support.commands import lastnose


def run(*words: str) -> Result:
    """Run `lastnose profiles` with *words*, in English."""
    return lastnose("profiles", *words)


def test_list_has_every_profile_with_what_it_has() -> None:
    """A line each, and the same as JSON."""
    lines = run().stdout.splitlines()
    assert list(built_in_profiles()) == [line.split()[0] for line in lines]
    listed = {entry["name"]: entry for entry in json.loads(run("--json").stdout)}
    home6 = listed["home6"]
    assert (6, 5, True, True, "ssd1306") == tuple(
        home6[key] for key in ("noses", "spoons", "host", "lamps", "oled")
    )
    assert "6 noses, 5 spoons, host button, lamps, buzzer and OLED ssd1306" in home6["summary"]


def test_show_says_pin_place_pull_colour_and_config() -> None:
    """What a builder wants to know of nose 3, and of config.txt."""
    shown = run("show", "home6").stdout
    (nose,) = [line for line in shown.splitlines() if "nose.3 " in line]
    assert ["nose.3", "GPIO12", "pin", "32", "pull-down", "yellow"] == nose.split()
    assert "dtparam=i2c_arm=on\n  dtparam=spi=on" in shown
    described = json.loads(run("show", "party13-max", "--json").stdout)
    spoon = next(pin for pin in described["pins"] if pin["use"] == "spoon.11")
    assert (0, 27, "up") == (spoon["pin"], spoon["physical"], spoon["boot_pull"])
    assert 2 == len(described["warnings"])


def test_check_of_a_sound_profile_is_yes() -> None:
    """Status 0, with the lines that it needs in config.txt, and care included."""
    result = run("check", "home8")
    said = "home8 can be built.\nconfig.txt:\n  dtparam=i2c_arm=on\n  dtparam=spi=on\n"
    assert (0, said) == (result.exit_code, result.stdout)
    assert "mock can be built.\n" == run("check", "mock").stdout
    answer = json.loads(run("check", "party13-max", "--json").stdout)
    assert (True, [], 2) == (answer["ok"], answer["problems"], len(answer["warnings"]))
    assert "force_eeprom_read=0" in answer["config"]


def test_check_of_a_wrong_one_is_no_with_every_problem(tmp_path: Path) -> None:
    """Status 1, and the JSON is printed all the same."""
    path = tmp_path / "mine.toml"
    path.write_text('name="mine"\nboard="pi"\n[pins]\nnoses=[5, 5, 31]\n')
    result = run("check", str(path))
    assert 1 == result.exit_code
    assert [
        f"{path}: nose.1 and nose.2 are both on GPIO5.",
        f"{path}: nose.3 is on GPIO31, but there are only GPIO0–GPIO27.",
    ] == result.stdout.splitlines()
    as_json = run("check", str(path), "--json")
    assert (1, False, 2) == (
        as_json.exit_code,
        json.loads(as_json.stdout)["ok"],
        len(json.loads(as_json.stdout)["problems"]),
    )


def test_check_of_what_is_no_profile_at_all_is_no_too(tmp_path: Path) -> None:
    """A file that is not TOML, or has other keys, is an answer; a missing file is a slip."""
    path = tmp_path / "mine.toml"
    for wrong in ("=", "seats = 4"):
        path.write_text(wrong)
        result = run("check", str(path))
        assert 1 == result.exit_code
        assert result.stdout.startswith(f"{path}: ")
        assert 1 == result.stdout.count(str(path))
    missing = run("check", str(tmp_path / "other.toml"))
    assert (2, "") == (missing.exit_code, missing.stdout)
    assert "There is no profile" in missing.stderr


@pytest.mark.parametrize("words", [["show"], ["check"], ["nope"]])
def test_a_slip_is_one_sentence_and_status_2(words: list[str]) -> None:
    """No traceback."""
    result = run(*words)
    assert (2, "") == (result.exit_code, result.stdout)
    assert 1 == len(result.stderr.splitlines())


def test_it_speaks_french_down_to_the_pulls() -> None:
    """Members, colours and sentences."""
    shown = run("show", "home4", "--lang", "fr").stdout
    assert "jaune" in shown
    assert "Raspberry Pi\u00a0: 4 nez" in shown
    assert "Vérifier" in run("--lang", "fr", "--help").stdout
