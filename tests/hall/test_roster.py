"""A list of people as somebody pastes it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.names import JOINERS, can_be_shown
from lastnose.companion.core.text import text
from lastnose.companion.event import commands
from lastnose.companion.event.roster import Person, one, read, summary
from lastnose.companion.games.rules.checks import check_players
from lastnose.companion.link.hub import Hall

from tests.support.examples import examples
from tests.support.halls import arranged


def names(written: str) -> list[str]:
    """Return the names of a list."""
    return [one.name for one in read(written).people]


def test_a_name_a_line_or_between_commas() -> None:
    """Spaces are tidied, empty lines skipped."""
    assert ["Zoë", "Дима K.", "小雨"] == names("  Zoë \n\nДима   K.\r\n小雨\n")
    assert ["Ann", "Bob", "Cy"] == names("Ann, Bob; Cy")


@pytest.mark.parametrize(
    "written",
    [
        "1. Ana\n2. Мая\n10. 4u2",
        "1) Ana\n 2) Мая\n3) 4u2",
        "- Ana\n– Мая\n* 4u2",
        "•\tAna\n•\tМая\n•\t4u2",
        "1.\tAna\n2.\tМая\n3.\t4u2",
    ],
)
def test_the_numbers_and_bullets_of_a_list_are_no_part_of_a_name(written: str) -> None:
    """As letters, notes and word processors write lists, with tabs too; a name may begin with a number."""
    assert ["Ana", "Мая", "4u2"] == names(written)
    assert ["Ana-Maria", "-Ana", "4.5"] == names("Ana-Maria\n-Ana\n4.5")


def test_a_table_with_a_heading_has_clubs_families_and_guests() -> None:
    """In English or French, with commas or semicolons, behind a byte order mark."""
    found = read("\ufeffNom;Club;Famille;Invité\nInès;Tilleuls;Bo;\nTom;;Bo;oui\n")
    assert (Person("Inès", "Tilleuls", "Bo"), Person("Tom", "", "Bo", True)) == found.people
    assert (Person("Ann", "A, B"),) == read('name,club\nAnn,"A, B"\n').people


@pytest.mark.parametrize(
    "heading",
    ["Nom;Prénom", "Nom de famille;PRENOM ", "Ime,Prezime", "First_name\tLast name", "First name,Family"],
)
def test_a_first_and_a_family_name_are_one_name(heading: str) -> None:
    """Whichever stands first; people who share one of both are not the same."""
    sign = next(sign for sign in ";,\t" if sign in heading)
    family_first = heading.startswith("Nom")
    people = (("Zoë", "Müller"), ("Jean", "Müller"), ("Zoë", "Martin"))
    lines = [sign.join(reversed(one) if family_first else one) for one in people]
    found = read("\n".join([heading, *lines]))
    assert ["Zoë Müller", "Jean Müller", "Zoë Martin"] == [one.name for one in found.people]
    assert () == found.doubts


@pytest.mark.parametrize(
    "written", ["Club;Licence\nOak;12", "Müller;Zoë\nMartin;Léa", "Joueuse\tClub\nAna\tOak"]
)
def test_a_table_whose_names_cannot_be_told_is_refused_with_the_headings_that_are_known(written: str) -> None:
    """Nobody becomes two people, or a club."""
    with pytest.raises(BadInput, match="known: name, or first name and family name; club, family, guest"):
        read(written)


def test_namesakes_of_two_clubs_are_two_and_one_person_twice_is_one() -> None:
    """ZOË and Zoe with a combining mark are one spelling."""
    found = read("name,club\nAnn,Oak\nann,Elm\nANN,oak\nZOË,\nZoe\u0308,\n")
    assert ["Ann", "ann", "ZOË"] == [one.name for one in found.people]
    assert [4, 6] == [doubt.line for doubt in found.doubts]
    assert "ANN is there already" in str(found.doubts[0].says)


def test_who_is_on_the_list_already_is_not_read_again() -> None:
    """The same paste twice adds nobody."""
    found = read("Ann\nBob", [Person("ann")])
    assert (["Bob"], [1]) == ([one.name for one in found.people], [doubt.line for doubt in found.doubts])


def test_a_thousand_odd_lines_are_counted_and_the_first_three_are_named() -> None:
    """What can be read is read."""
    found = read("Ann\n" + "?!\n" * 1000 + "x" * 41)
    assert (1, 1001) == (len(found.people), len(found.doubts))
    said = str(summary(found))
    why = "“?!” is not a name: 1 to 40 letters that can be shown."
    assert said == (
        f"1 person was read. 1001 lines were left out. Line 2: {why} Line 3: {why} Line 4: {why} …"
    )


def test_three_odd_lines_are_all_named_and_nothing_more_is_hinted_at() -> None:
    """With a fourth it would end in "…"."""
    said = str(summary(read("Ann\n?!\n?!\n?!")))
    why = "“?!” is not a name: 1 to 40 letters that can be shown."
    assert said == f"1 person was read. 3 lines were left out. Line 2: {why} Line 3: {why} Line 4: {why}"


@pytest.mark.parametrize(
    ("person", "why"),
    [
        (Person("N" * 41), "“N+” is not a name: 1 to 40 letters that can be shown"),
        (Person("Ann", club="C" * 61), "“C+” is not a name: 1 to 60 letters"),
        (Person("Ann", family="C" * 61), "“C+” is not a name"),
        (Person("Ann", club="C\a"), "“…” is not a name: 1 to 60 letters that can be shown"),
    ],
)
def test_what_no_table_or_screen_could_write_is_refused_where_it_is_typed(person: Person, why: str) -> None:
    """One letter fewer is taken, by hand and from a list."""
    with pytest.raises(BadInput, match=f"^{why}"):
        one(person, ())
    shorter = Person(person.name[:40], person.club[:60].strip("\a"), person.family[:60])
    assert shorter == one(shorter, ())
    found = read(f"name,club,family\nBob,,\n{person.name},{person.club},{person.family}\n")
    assert (["Bob"], [3]) == ([one.name for one in found.people], [doubt.line for doubt in found.doubts])


def test_columns_that_were_not_read_are_named_after_how_reading_went() -> None:
    """As they stand in the file; a long heading is cut, of many the first eight stand there."""
    found = read("Name;E-Mail;Club; ;Shirt size\nZoë;z@example.org;A;;M\nZoë;;A;;\n")
    assert [Person("Zoë", "A")] == list(found.people)
    assert str(summary(found)).endswith("two clubs. 2 columns were not read: E-Mail, Shirt size.")
    many = read(",".join(["name", "x" * 50, *(f"c{n}" for n in range(9))]) + "\nAnn")
    cut = ", ".join(["x" * 30, *(f"c{n}" for n in range(7))])
    assert f"1 person was read. 10 columns were not read: {cut}…." == str(summary(many))
    assert "1 person was read." == str(summary(read("first name,family\nAnn,Li")))


@pytest.mark.parametrize("name", ["علی\u200cرضا", "अक्\u200dषय", "Ann \U0001f469\u200d\U0001f680"])
def test_a_name_with_joiners_is_taken_as_a_table_takes_it(name: str) -> None:
    """Persian, Hindi and many pictures are written with them; without them it is the same person."""
    assert (
        (name,) == tuple(one.name for one in read(name).people) == check_players(text("Pig"), (name,), (1, 1))
    )
    assert [2] == [
        doubt.line for doubt in read(f"{name}\n{name.translate(dict.fromkeys(map(ord, JOINERS)))}").doubts
    ]


def test_an_empty_list_is_refused() -> None:
    """With what to do."""
    with pytest.raises(BadInput, match="write a name a line"):
        read(" \n\n")


@settings(max_examples=examples(80), deadline=None)
@given(st.text(max_size=200))
def test_whatever_is_pasted_is_read_or_refused_in_a_sentence(written: str) -> None:
    """No other error, and every name is one that can be shown."""
    try:
        found = read(written)
    except BadInput:
        return
    assert all(0 < len(one.name) <= 40 and can_be_shown(one.name) for one in found.people)
    assert len({(one.name.casefold(), one.club.casefold()) for one in found.people}) == len(found.people)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("first", ["", "sep=;", '"sep=;"', "SEP=;"])
def test_a_table_is_read_as_excel_writes_it_here_and_on_a_mac(first: str, ends: str) -> None:
    """With a line that names its sign; the number of a line is the one that a spreadsheet shows."""
    lines = [*([first] if first else []), "Nom;Prénom;Club", "Müller;Zoë;Été", "Müller;Zoë;Été", ""]
    found = read("\ufeff" + ends.join(lines))
    assert (Person("Zoë Müller", "Été"),) == found.people
    assert [4 if first else 3] == [one.line for one in found.doubts]


def test_a_file_that_is_no_text_is_refused_as_that() -> None:
    """A workbook that was chosen by mistake puts nobody on the list."""
    workbook = b"PK\x03\x04" + bytes(range(256))
    with pytest.raises(BadInput, match="This is not text: save the list as CSV, or paste it here"):
        read(workbook.decode("cp1252", errors="replace"))


def test_who_comes_alone_to_a_full_list_is_refused_like_a_list_that_is_too_long(hall: Hall) -> None:
    """Five thousand are there: a phone puts nobody more on it, and somebody of them can be rewritten."""
    arranged(hall, ",".join(f"P{n}" for n in range(4_999)))
    hall.do(commands.AddPerson(Person("Last")), "phone")
    too_many = "At most 5,?000 people can play at one event."
    for late in (commands.AddPerson(Person("Late")), commands.AddPeople("Late, Later")):
        with pytest.raises(BadInput, match=too_many):
            hall.do(late, "phone")
    hall.do(commands.Rewrite(5_000, Person("First")), "Ann")
    assert (5_000, "First") == (len(hall.state.people), hall.state.people[5_000].name)
