"""Options, machine and profile: what a run is started with."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from lastnose.companion.config.settings import RunSettings, default_data_dir, on_a_pi, run_settings
from lastnose.companion.core.errors import BadInput, ProfileError
from lastnose.companion.wiring.profile import load_profile


def test_on_a_pi_the_pins_are_real_and_the_page_is_open() -> None:
    """gpiochip, a home kit and the network are what a box starts with."""
    found = run_settings(pi=True)
    assert ("gpiochip", "home8", True) == (found.source, found.profile.name, found.lan)
    assert "ssd1306" == found.oled.driver


def test_elsewhere_noses_are_on_pages_and_phones() -> None:
    """As many as a game can have, none of them wired; nothing real falls back to pretend (law 7)."""
    found = run_settings(pi=False)
    assert ("pages", "pages", False) == (found.source, found.profile.name, found.lan)
    assert ((), 26) == (found.wired_noses, len(found.noses))
    assert ("nose.1", "nose.2") == run_settings(pi=True, source="pages", phones=2).noses
    with pytest.raises(BadInput, match="--profile does not go with --source pages"):
        run_settings(pi=False, profile="home6")
    found = run_settings(pi=False, source="mock")
    assert ("mock", "mock", False) == (found.source, found.profile.name, found.lan)


def test_options_go_before_profile_and_machine(tmp_path: Path) -> None:
    """What was asked for is done."""
    found = run_settings(
        pi=True,
        source="pins",
        profile="party13",
        lan=False,
        oled="none",
        data_dir=tmp_path,
        rearm_s=None,
        port=99,
    )
    party = load_profile("party13")
    expected = RunSettings(
        source="pins",
        profile=msgspec.structs.replace(party, oled=msgspec.structs.replace(party.oled, driver="none")),
        data_dir=tmp_path,
        port=99,
        rearm_s=None,
    )
    assert expected == found


def test_a_display_of_ones_own_takes_no_pin_of_a_nose(tmp_path: Path) -> None:
    """The I²C of a display is on GPIO2 and 3; a simulated table's pins are in memory, where none hangs."""
    own = tmp_path / "own.toml"
    own.write_text('name = "own"\nboard = "pi"\npins.noses = [2, 5, 6]\n', encoding="utf-8")
    assert "none" == run_settings(pi=True, profile=str(own)).oled.driver
    with pytest.raises(BadInput, match=r"nose.1 and oled SDA are both on GPIO2"):
        run_settings(pi=True, profile=str(own), oled="ssd1306")
    assert "ssd1306" == run_settings(pi=True, source="mock", oled="ssd1306").oled.driver
    with pytest.raises(BadInput, match="There is no display driver “ssd1999”"):
        run_settings(pi=True, source="mock", oled="ssd1999")


def test_real_pins_do_not_take_a_simulated_profile() -> None:
    """The mock's pins exist only in memory."""
    with pytest.raises(ProfileError, match=r"mock does not go with --source gpiochip: .*home8"):
        run_settings(pi=True, profile="mock")


def test_the_pis_own_pins_do_not_take_a_picos_profile() -> None:
    """GP5 is not GPIO5."""
    with pytest.raises(ProfileError, match=r"pico-party does not go with --source pins: .*home8"):
        run_settings(pi=True, source="pins", profile="pico-party")
    assert "pico-party" == run_settings(pi=True, source="mock", profile="pico-party").profile.name


@pytest.mark.parametrize("source", ["gpio", "Mock", ""])
def test_unknown_source_lists_the_sources(source: str) -> None:
    """A slip of the finger does not start something else."""
    with pytest.raises(BadInput, match=f"no source “{source}”: choose one of gpiochip, pins, box, pages"):
        run_settings(pi=True, source=source)


def test_tape_and_replay_belong_together(tmp_path: Path) -> None:
    """One without the other is a mistake."""
    tape = tmp_path / "evening.jsonl"
    assert tape == run_settings(pi=False, source="replay", tape=tape).tape
    for wrong in ({"source": "replay"}, {"source": "mock", "tape": tape}):
        with pytest.raises(BadInput, match="A tape goes with --source replay"):
            run_settings(pi=False, **wrong)  # type: ignore[arg-type]


def test_machine_is_asked_what_it_is(tmp_path: Path) -> None:
    """The device tree says it, with a zero at the end."""
    assert not on_a_pi(tmp_path)
    model = tmp_path / "proc/device-tree/model"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    assert on_a_pi(tmp_path)
    model.write_bytes(b"Generic board \xff\0")
    assert not on_a_pi(tmp_path)


def test_data_stays_in_the_users_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """$LASTNOSE_DATA, else the XDG data home, else its default; a relative XDG path is ignored."""
    home = Path.home() / ".local" / "share" / "lastnose"
    monkeypatch.setenv("XDG_DATA_HOME", "/y")
    monkeypatch.setenv("LASTNOSE_DATA", "/srv/x")
    assert Path("/srv/x") == default_data_dir()
    monkeypatch.delenv("LASTNOSE_DATA")
    assert Path("/y/lastnose") == default_data_dir()
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert home == default_data_dir()
    monkeypatch.delenv("XDG_DATA_HOME")
    assert home == default_data_dir()


@pytest.mark.parametrize("place", ["data", "data/../data", "link"])
def test_copies_do_not_lie_where_the_evenings_are(place: str, tmp_path: Path) -> None:
    """The card that fails would take both; a folder below may be another card."""
    (tmp_path / "link").symlink_to(tmp_path / "data")
    with pytest.raises(BadInput, match="The evenings are kept in"):
        run_settings(pi=False, data_dir=tmp_path / "data", backup=tmp_path / place)
    run_settings(pi=False, data_dir=tmp_path / "data", backup=tmp_path / "data" / "stick")


@pytest.mark.parametrize("name", ["", "http://table.local/", "table.local:80", "my table"])
def test_what_is_no_name_is_not_told_to_phones(name: str) -> None:
    """It would stand in an address that leads nowhere."""
    with pytest.raises(BadInput, match=f"“{name}” is no name of a machine"):
        run_settings(pi=False, names=("lastnose.local", name))
    fine = ("table", "big-table.example")
    assert fine == run_settings(pi=False, names=fine).names
