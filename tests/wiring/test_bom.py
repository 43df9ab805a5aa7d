"""The bill of materials: quantities worked out by hand for two kits, and the command that prints it."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from click.testing import Result
from lastnose.companion.i18n import translator
from lastnose.companion.wiring.bom import Item, bill
from lastnose.companion.wiring.profile import built_in_profiles, load_profile

from tests.support.commands import lastnose


def run(*words: str) -> Result:
    """Run `lastnose profiles bom` with *words*, in English."""
    return lastnose("profiles", "bom", *words)


def item(name: str, part: str) -> Item:
    """Return the one item of a profile whose name begins with *part*."""
    (found,) = [item for item in bill(load_profile(name)) if str(item.part).startswith(part)]
    return found


@pytest.mark.parametrize(
    ("name", "part", "needed"),
    [
        ("home6", "arcade button", 7),
        ("home6", "reed contact", 5),
        ("home6", "twisted pair", 12),
        ("home6", "resistor 1 kΩ", 12),
        ("home6", "capacitor 1 nF", 12),
        ("home6", "resistor 220 Ω", 7),
        ("home6", "74HC595", 1),
        ("home6", "strip board", 1),
        ("home6", "screw terminal", 6),
        ("home6", "spade connector", 14),
        ("home6", "printed: spoon-cradle", 5),
        ("home6", "screw M3 × 10", 6 * 4 + 5 * 3 + 4 + 4),
        ("home6", "rubber foot", 28),
        ("home6", "printed: pod-base", 6),
        ("pico-party", "arcade button", 13),
        ("pico-party", "twisted pair", 25),
        ("pico-party", "ULN2803A", 2),
        ("pico-party", "strip board", 2),
        ("pico-party", "screw terminal", 13),
        ("pico-party", "Raspberry Pi Pico", 1),
        ("pico-party", "resistor 220 Ω", 14),
    ],
)
def test_quantities_are_those_counted_by_hand(name: str, part: str, needed: int) -> None:
    """home6: 6 noses, 5 spoons, host, 6 lamps, buzzer. pico-party: 13 noses, 12 spoons, 13 lamps, buzzer."""
    assert needed == item(name, part).needed


@pytest.mark.parametrize("language", ["fr", "bs"])
@pytest.mark.parametrize("name", built_in_profiles())
def test_a_bill_has_the_decimal_comma_of_its_reader(name: str, language: str) -> None:
    """4,7 kΩ, as in the drawing."""
    speak = translator(language)
    said = [
        speak(one) for row in bill(load_profile(name)) for one in (row.part, row.instead) if one is not None
    ]
    assert [] == [one for one in said if re.search(r"\d\.\d", one)]


@pytest.mark.parametrize("name", built_in_profiles())
def test_every_bill_has_whole_parts_and_no_part_twice(name: str) -> None:
    """One line a part; nothing of which none is needed."""
    items = bill(load_profile(name))
    assert all(item.needed > 0 and item.spare >= 0 for item in items)
    assert len(items) == len({str(item.part) for item in items})


def test_command_prints_a_table_csv_and_json_alike() -> None:
    """The same parts in each form; into a pipe a line a part, its cells below each other."""
    count = len(bill(load_profile("home6")))
    heading, *lines = run("home6").stdout.splitlines()
    assert count == len(lines)
    (button,) = [line for line in lines if line.startswith("arcade button")]
    assert ["7", "1", "8"] == [
        button[heading.index(word) :].split()[0] for word in ("needed", "to spare", "buy")
    ]
    table = list(csv.reader(io.StringIO(run("home6", "--csv").stdout)))
    assert ["part", "for", "needed", "to spare", "buy", "may be replaced by"] == table[0]
    listed = json.loads(run("home6", "--json").stdout)
    assert [row[0] for row in table[1:]] == [entry["part"] for entry in listed]
    assert count == len(listed)
    assert all(entry["buy"] == entry["needed"] + entry["spare"] for entry in listed)


@pytest.mark.parametrize("name", ["wiring", "bom"])
def test_what_was_a_command_of_its_own_can_be_typed_as_before(name: str) -> None:
    """Help lists it among the members of `profiles` alone."""
    assert lastnose("profiles", name, "home4").stdout == lastnose(name, "home4").stdout
    assert f"\n  {name} " in lastnose("profiles", "--help").stdout
    assert f"\n  {name} " not in lastnose("--help").stdout


def test_two_forms_at_once_are_refused() -> None:
    """One clear sentence, status 2."""
    result = run("home6", "--csv", "--json")
    assert (2, "") == (result.exit_code, result.stdout)
    assert "and no JSON" in result.stderr
