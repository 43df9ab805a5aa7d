"""The doctor: a sound Pi has nothing wrong, and each thing that can be wrong is found by the facts alone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import Result
from lastnose import companion
from lastnose.companion.core.ports import FoundBox
from lastnose.companion.core.text import text
from lastnose.companion.system.doctor import DoctorFinding, Facts, Wanted, examine
from lastnose.companion.system.doctor.facts import (
    ChipFacts,
    ClockFacts,
    Devices,
    Folder,
    LateFacts,
    Line,
    LogFacts,
    Node,
    PageFacts,
)
from lastnose.companion.wiring.profile import Profile, load_profile

from tests.support.commands import lastnose
from tests.support.profiles import read_profile

HOME6 = load_profile("home6")
CHIP = ChipFacts("/dev/gpiochip0", "pinctrl-bcm2711")
NODES = (
    Node("/dev/gpiochip0", "gpio"),
    Node("/dev/i2c-1", "i2c"),
    Node("/dev/spidev0.0", "spi"),
)
SOUND = Facts(
    name="table",
    system="Raspberry Pi 4 Model B Rev 1.5, Debian GNU/Linux 12 (bookworm)",
    kernel=(6, 6),
    pi=True,
    clock=ClockFacts(52, "arch_sys_counter", 0),
    devices=Devices(nodes=NODES, chip=CHIP, oled=(0x3C,)),
    folder=Folder("/home/ada/.local/share", True, 9_000_000_000),
    evening=LogFacts("sound"),
    page=PageFacts(8080),
    late=LateFacts("calibration/home6.gpiochip.json", 840.0, here=True),
    config_path="/boot/firmware/config.txt",
    config_txt="dtparam=i2c_arm=on\ndtparam=spi=on\n",
)
change = msgspec.structs.replace


def wanted(source: str = "gpiochip", profile: Profile | None = HOME6, **more: Any) -> Wanted:
    """Return what is to run, by default home6 on the Pi's pins."""
    return Wanted(source, profile, **more)


def found(facts: Facts, what: Wanted | None = None) -> dict[str, DoctorFinding]:
    """Return what is said beside “fine”, by name."""
    said = examine(facts, what or wanted())
    assert said
    return {finding.name: finding for finding in said if finding.state != "fine"}


def devices(**changes: Any) -> Facts:
    """Return a sound Pi but for what is plugged in."""
    return change(SOUND, devices=change(SOUND.devices, **changes))


def clock(**changes: Any) -> Facts:
    """Return a sound Pi but for its clock and supply."""
    return change(SOUND, clock=change(SOUND.clock, **changes))


def test_a_sound_pi_has_nothing_wrong_and_says_what_was_looked_at() -> None:
    """Every area has its line."""
    said = examine(SOUND, wanted())
    assert {"fine"} == {finding.state for finding in said}
    assert {*("machine", "wiring", "clock", "power", "pins", "buses", "evening", "page")} == {
        finding.area for finding in said
    }
    assert "/dev/gpiochip0 (pinctrl-bcm2711)" in [str(finding.says) for finding in said]


def test_a_laptop_lacks_nothing_for_the_simulated_table() -> None:
    """No pins, no bus, no config.txt, nobody in a group: and all is well."""
    bare = Devices(gpiod=False, wifi_blocked=True)
    laptop = change(SOUND, pi=False, devices=bare, config_path=None, config_txt=None)
    assert {} == found(laptop, wanted("mock", load_profile("mock")))


def test_a_log_that_is_not_there_is_not_called_sound() -> None:
    """Before the first evening the disk alone is told of."""
    new = examine(change(SOUND, evening=LogFacts("none")), wanted())
    assert ["9000 MB are free in /home/ada/.local/share."] == [
        str(finding.says) for finding in new if finding.area == "evening"
    ]


WRONG: list[tuple[str, Callable[[], Facts], str, str]] = [
    ("kernel-old", lambda: change(SOUND, kernel=(5, 4)), "5.4", "5.10"),
    ("no-pi", lambda: change(SOUND, pi=False), "not a Raspberry Pi", "--source pages"),
    ("clock-coarse", lambda: clock(source="jiffies"), "jiffies", "cmdline.txt"),
    ("clock-coarse", lambda: clock(step_ns=4_000_000), "4 ms", "cannot judge"),
    ("under-voltage", lambda: clock(throttled=0x10001), "too weak", "supply"),
    ("gpiod-missing", lambda: devices(gpiod=False, chip=None), "library", "make pi"),
    ("no-header", lambda: devices(chip=None, no_chip=text("No /dev/gpiochip*.")), "No /dev/gpiochip*.", "ls"),
    ("pin-taken", lambda: devices(chip=change(CHIP, taken=(Line(5, "fan"),))), "GPIO5 (nose.1)", "nose.1"),
    (
        "config-txt",
        lambda: change(SOUND, config_txt="dtparam=spi=on"),
        "lacks dtparam=i2c_arm=on:",
        "setup-pi",
    ),
    ("bus-off", lambda: devices(nodes=(NODES[0], NODES[2])), "/dev/i2c-1 is not there", "modprobe i2c-dev"),
    ("bits", lambda: change(SOUND, bits=32), "64-bit", "Zero 2 W"),
    ("bus-off", lambda: devices(nodes=NODES[:2]), "/dev/spidev0.0 is not there", "restart"),
    ("disk-closed", lambda: change(SOUND, folder=Folder("/srv", False, 10**9)), "/srv", "--data"),
    ("disk-full", lambda: change(SOUND, folder=Folder("/srv", True, 19_999_999)), "19 MB", "room"),
    (
        "log-bad",
        lambda: change(SOUND, evening=LogFacts("bad", text("page 3 is torn: run lastnose rescue."))),
        "page 3",
        "lastnose rescue",
    ),
    (
        "port-taken",
        lambda: change(SOUND, page=PageFacts(80, "Address in use")),
        "80 (Address in use)",
        "--port",
    ),
    ("service-failed", lambda: change(SOUND, service="failed"), "does not come up", "journalctl"),
]


@pytest.mark.parametrize(("name", "facts", "says", "do"), WRONG, ids=[f"{w[0]}-{w[2]}" for w in WRONG])
def test_what_keeps_a_table_from_working_is_named_with_what_helps(
    name: str, facts: Callable[[], Facts], says: str, do: str
) -> None:
    """It alone, and as wrong."""
    ((got, finding),) = found(facts()).items()
    assert (name, "wrong") == (got, finding.state)
    assert says in str(finding.says)
    assert do in f"{finding.says} {finding.do}"


MINOR: list[tuple[str, str, Callable[[], Facts]]] = [
    ("late-unmeasured", "note", lambda: change(SOUND, late=None)),
    ("late-elsewhere", "note", lambda: change(SOUND, late=LateFacts("x.json", 840.0))),
    ("calibration", "wrong", lambda: change(SOUND, late=LateFacts("x.json", why=text("no")))),
    ("clock-slewed", "care", lambda: clock(slew_ppm=-500.2)),
    ("under-voltage-before", "care", lambda: clock(throttled=0x50000)),
    ("display-silent", "care", lambda: devices(oled=())),
    ("wifi-blocked", "care", lambda: devices(wifi_blocked=True)),
    ("wifi-protected", "care", lambda: devices(wifi_protected=True)),
    ("log-closed", "note", lambda: change(SOUND, evening=LogFacts("closed"))),
    ("service-stopped", "note", lambda: change(SOUND, service="inactive")),
]


@pytest.mark.parametrize(("name", "state", "facts"), MINOR, ids=[m[0] for m in MINOR])
def test_what_a_table_can_live_with_is_no_wrong(name: str, state: str, facts: Callable[[], Facts]) -> None:
    """It is said all the same."""
    assert {name: state} == {name: finding.state for name, finding in found(facts()).items()}


@pytest.mark.parametrize("unknown", ["throttled", "slew_ppm"])
def test_what_could_not_be_found_out_is_not_guessed(unknown: str) -> None:
    """A machine without such a sensor is well."""
    assert {} == found(clock(**{unknown: None}))


def test_a_running_table_explains_its_own_port_and_pins() -> None:
    """What it holds is no fault."""
    running = change(
        SOUND,
        evening=LogFacts("sound", held_by=812),
        page=PageFacts(8080, "Address already in use"),
        devices=change(SOUND.devices, chip=change(CHIP, taken=(Line(5, "lastnose"), Line(6, "lastnose")))),
    )
    assert {} == found(running)
    said = [str(finding.says) for finding in examine(running, wanted())]
    assert {"Port 8080", "/dev/gpiochip0 (pinctrl-bcm2711)"} <= set(said)


def test_a_running_service_explains_its_port_to_who_may_not_look_into_its_log() -> None:
    """Whoever is not root sees neither lock nor process."""
    facts = change(SOUND, evening=LogFacts("closed"), page=PageFacts(8080, "in use"), service="active")
    assert {"log-closed"} == set(found(facts))


def test_a_service_that_is_just_starting_is_no_fault_and_no_promise() -> None:
    """Nothing is said of it."""
    assert {} == found(change(SOUND, service="activating"))
    assert "service" not in " ".join(
        str(one.says) for one in examine(change(SOUND, service="activating"), wanted())
    )


def test_the_buzzer_of_a_running_table_is_its_own() -> None:
    """gpiozero's library calls itself “lg”; without a table that runs, it is somebody else."""
    taken = devices(chip=change(CHIP, taken=(Line(18, "lg"),)))
    assert {"pin-taken"} == set(found(taken))
    assert {} == found(change(taken, evening=LogFacts("sound", held_by=812)))


def test_lamps_may_hang_on_a_select_line_that_the_kernel_has() -> None:
    """GPIO8 is “spi0 CS0” on every Pi with SPI: that is how the chain is driven."""
    assert {} == found(devices(chip=change(CHIP, taken=(Line(8, "spi0 CS0"), Line(17, "w1")))))


def test_a_display_at_the_other_address_is_told_from_a_silent_one() -> None:
    """The line for the profile stands in the answer."""
    finding = found(devices(oled=(0x3D,)))["display-silent"]
    assert "answers at 0x3D: write i2c_address = 0x3D" in str(finding.says)
    silent = str(found(devices(oled=()))["display-silent"].says)
    assert "does not answer" in silent and "VCC and GND" in silent


def test_permission_asks_for_the_group_and_a_new_login() -> None:
    """Once a group; of devices that this table does not need, nothing is said."""
    shut = [Node(node.path, node.group, usable=False) for node in NODES]
    facts = devices(nodes=(*shut, Node("/dev/ttyACM0", "dialout", usable=False)))
    said = [finding for finding in examine(facts, wanted()) if finding.name == "permission"]
    join = "No permission to use {}. Join the group {} (sudo usermod -aG {} $USER), then log in again."
    needed = (("/dev/gpiochip0", "gpio"), ("/dev/i2c-1", "i2c"), ("/dev/spidev0.0", "spi"))
    assert {join.format(path, group, group) for path, group in needed} == {
        str(finding.says) for finding in said
    }


def test_nobody_is_told_to_become_root() -> None:
    """Debian gives the chips to root alone: then a rule for udev is missing, not a membership."""
    for group in ("root", "?"):
        facts = devices(nodes=(Node("/dev/gpiochip0", group, usable=False), *NODES[1:]))
        said = str(found(facts)["permission"].says)
        assert ("usermod" not in said, "udev rule" in said) == (True, True)


def test_who_only_asks_beside_a_running_service_needs_no_permission() -> None:
    """The service has its own user; it is worth knowing all the same."""
    shut = (Node("/dev/gpiochip0", "gpio", usable=False), *NODES[1:])
    for service, state in (("active", "note"), (None, "wrong")):
        facts = change(devices(nodes=shut), service=service)
        assert {"permission": state} == {name: finding.state for name, finding in found(facts).items()}


def test_a_buzzer_box_is_looked_for_when_it_is_wanted() -> None:
    """A bare Pico, the wrong box, the right one, and a pretended one."""
    party = load_profile("pico-party")
    laptop = change(SOUND, pi=False, devices=Devices(), config_txt=None)

    def with_boxes(*boxes: FoundBox) -> Facts:
        return change(laptop, devices=Devices(boxes=boxes))

    real, bare = FoundBox("/dev/ttyACM0", "E660", "MicroPython"), FoundBox("", "", "bootloader")
    box = wanted("box", party)
    assert {"no-box"} == set(found(laptop, box))
    assert "lastnose box list" in str(found(with_boxes(bare), box)["no-box"].says)
    assert {} == found(with_boxes(real), box)
    assert {} == found(with_boxes(real), wanted("box", party, box="E660"))
    assert {"no-box"} == set(found(with_boxes(real), wanted("box", party, box="E661")))
    assert {} == found(laptop, wanted("box", party, box="sim"))


def test_where_the_bound_of_a_late_interrupt_thread_comes_from_is_said() -> None:
    """The profile comes first, then what was measured here; else 5 ms, and only where it counts."""
    own = change(HOME6, timing=change(HOME6.timing, late_us=300.0))
    for what, facts, says in (
        (wanted(profile=own), SOUND, "may be 300 µs late (home6)."),
        (wanted(), SOUND, "may be 840 µs late (calibration/home6.gpiochip.json)."),
        (wanted(), change(SOUND, late=None), "was never measured, so 5 ms are assumed"),
        (wanted("mock"), change(SOUND, late=None), ""),
    ):
        said = [str(one.says) for one in examine(facts, what) if "interrupt" in str(one.says)]
        assert bool(says) == bool(said) and all(says in one for one in said)


def test_every_problem_of_a_profile_is_said() -> None:
    """And nothing is guessed of pins that it does not have."""
    problems = (text("nose.1 and nose.2 are both on GPIO5."), text("nose.3 is on GPIO31."))
    said = examine(SOUND, wanted(profile=None, problems=problems))
    assert list(problems) == [finding.says for finding in said if finding.state == "wrong"]
    assert not [finding for finding in said if finding.area == "pins"]


def test_a_wiring_that_wants_care_says_so() -> None:
    """A nose on a pin with a fixed pull-up."""
    profile = read_profile('name="mine"\nboard="pi"\n[pins]\nnoses=[2, 5]\n', "mine.toml")
    said = found(SOUND, wanted(profile=profile))
    assert {"profile-care": "care"} == {name: finding.state for name, finding in said.items()}


def test_phones_are_told_the_way_and_what_a_plain_page_costs() -> None:
    """A note each; care only where no network has given an address. Without phones nothing is said."""
    for lan, more in (
        ("192.168.1.7", {}),
        (None, {"phones-no-way": "care"}),
        ("169.254.3.4", {"phones-no-way": "care"}),
    ):
        said = found(change(SOUND, lan=lan), wanted(phones=2))
        assert {"phones-plain": "note", "phones-sure": "note", **more} == {
            name: finding.state for name, finding in said.items()
        }
    assert {} == found(change(SOUND, lan=None))
    way = [one for one in examine(change(SOUND, lan="192.168.1.7"), wanted(phones=2)) if one.area == "phones"]
    assert ["On the network: http://192.168.1.7:8080/"] == [
        str(one.says) for one in way if one.state == "fine"
    ]


# The command, on the machine that runs the tests.


def run(*words: str, data: Path) -> Result:
    """Run `lastnose doctor` with a data folder of its own and a port that the system chooses."""
    return lastnose("doctor", "--data", str(data), "--port", "0", *words)


def test_the_command_says_that_a_simulated_table_can_run_here(tmp_path: Path) -> None:
    """Status 0, a mark a line, and the verdict last."""
    result = run("--source", "mock", data=tmp_path)
    assert (0, "") == (result.exit_code, result.stderr)
    lines = result.stdout.splitlines()
    assert "Nothing is wrong." == lines[-1]
    assert "✓ mock: 26 noses" in lines
    assert not [line for line in lines if line.startswith("✗")]
    assert not list(tmp_path.iterdir())


def test_a_folder_whose_name_is_not_utf_8_has_its_json_too(tmp_path: Path) -> None:
    """As on an old stick: a question mark stands for what cannot be said, as in the sentences."""
    folder = Path(os.fsdecode(bytes(tmp_path) + b"/st\xffck"))
    folder.mkdir()
    words = ("--source", "mock", "--profile", "mock:4")
    result = run(*words, "--json", data=folder)
    said = [one["says"] for one in json.loads(result.stdout)["findings"]]
    assert (0, 1) == (result.exit_code, sum(one.endswith("/st?ck.") for one in said))
    assert "/st?ck." in run(*words, data=folder).stdout.replace("\udcff", "?")


def test_what_is_wrong_gives_status_1_and_its_json_all_the_same(tmp_path: Path) -> None:
    """A profile with two uses of a pin."""
    mine = tmp_path / "mine.toml"
    mine.write_text('name="mine"\nboard="pi"\n[pins]\nnoses=[5, 5]\n')
    result = run("--source", "mock", "--profile", str(mine), "--json", data=tmp_path)
    assert 1 == result.exit_code
    document = json.loads(result.stdout)
    assert (False, "mock") == (document["ok"], document["source"])
    wrong = [entry for entry in document["findings"] if entry["state"] == "wrong"]
    assert [("profile", "wiring", "nose.1 and nose.2 are both on GPIO5.")] == [
        (entry["name"], entry["area"], entry["says"]) for entry in wrong
    ]
    mine.write_text("=")
    assert 1 == run("--source", "mock", "--profile", str(mine), data=tmp_path).exit_code


def test_the_command_looks_at_phones_when_there_are_to_be_some(tmp_path: Path) -> None:
    """Never wrong: a table without a network plays on."""
    words = ("--source", "mock", "--profile", "mock:4", "--json")
    areas = [
        {entry["area"] for entry in json.loads(run(*words, *more, data=tmp_path).stdout)["findings"]}
        for more in ((), ("--phones", "2"))
    ]
    assert [False, True] == ["phones" in area for area in areas]
    told = run("--profile", "mock:4", "--source", "mock", "--phones", "2", "--lang", "fr", data=tmp_path)
    assert (0, True) == (told.exit_code, "Sans certificat" in told.stdout)


def test_a_profile_that_does_not_exist_is_a_slip(tmp_path: Path) -> None:
    """Status 2, one sentence."""
    result = run("--profile", "home99", data=tmp_path)
    assert (2, "") == (result.exit_code, result.stdout)
    assert 1 == len(result.stderr.splitlines())


@pytest.mark.parametrize(
    "words",
    [
        ("--profile", "home6"),
        ("--source", "mock", "--phones", "4"),
        ("--source", "mock", "--box", "sim"),
        ("--source", "mock", "--phones", "1000000000"),
        ("--source", "mock", "--profile", "mock:1000000000"),
        ("--source", "mock", "--profile", f"mock:{'9' * 5_000}"),
    ],
)
def test_what_run_refuses_at_once_the_doctor_refuses_as_well(words: tuple[str, ...], tmp_path: Path) -> None:
    """In the same words, before anything so large is made."""
    doctor = run(*words, data=tmp_path)
    told = lastnose("run", "--data", str(tmp_path), "--port", "0", *words)
    assert (2, "", 1) == (doctor.exit_code, doctor.stdout, doctor.stderr.count("\n"))
    assert told.stderr == doctor.stderr.replace("doctor", "run")


def test_a_profile_of_another_board_is_what_is_wrong(tmp_path: Path) -> None:
    """Nothing else is amiss with it."""
    result = run("--source", "gpiochip", "--profile", "pico-party", "--json", data=tmp_path)
    (wrong,) = [one for one in json.loads(result.stdout)["findings"] if one["name"] == "profile"]
    assert "The profile pico-party does not go with --source gpiochip" in wrong["says"]


def test_it_speaks_french(tmp_path: Path) -> None:
    """Findings and verdict."""
    assert "Tout va bien." == run("--source", "mock", "--lang", "fr", data=tmp_path).stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("days", "says"),
    [
        (-365 * 30, "This table’s clock is off by 10950 days: set it."),
        (-1, "This table’s clock is off by 1 day: set it."),
        (-0.9, ""),
        (0, ""),
        (3650, ""),
    ],
)
def test_a_clock_from_before_the_program_was_made_is_said_to_be_off(days: float, says: str) -> None:
    """A Pi without battery and network begins in its own past; what is less than a day may be the zone."""
    made_s = datetime.fromisoformat(f"{companion.RELEASED}T00:00:00+00:00").timestamp()
    said = found(clock(wall_s=made_s + days * 86_400))
    assert [("care", "clock")] * bool(says) == [(one.state, one.area) for one in said.values()]
    assert all(str(one.says).startswith(says) for one in said.values())


@pytest.mark.parametrize(
    ("copied_s", "state", "says"),
    [
        (None, "fine", "No copy of the evenings is kept: lastnose run --backup DIR"),
        (3600.0, "fine", "The newest copy of the evenings is 0 days old: /stick/copy."),
        (24 * 3600.0, "note", "The newest copy of the evenings is 1 day old: /stick/copy."),
        (9.9 * 24 * 3600, "note", "The newest copy of the evenings is 9 days old: /stick/copy."),
    ],
)
def test_the_age_of_the_last_copy_is_told(copied_s: float | None, state: str, says: str) -> None:
    """Nothing is wrong where none is kept; an old one is worth knowing."""
    facts = change(SOUND, evening=LogFacts("sound", copied_s=copied_s, copy="/stick/copy"))
    found_ = [one for one in examine(facts, wanted()) if "cop" in str(one.says) and one.area == "evening"]
    assert [(state, True)] == [(one.state, str(one.says).startswith(says)) for one in found_]
