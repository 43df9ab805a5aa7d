"""Who plays: names pasted or from a CSV file, with clubs, guests and families. Pure.

Tables and screens write everybody's name short enough for a table, and no two alike: `shown_names`.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Set
from io import StringIO

import msgspec
from lastnose.companion.core.csv_file import plain
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.names import alike, can_be_shown, listed, tidy, unmarked
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.event.once import Once
from lastnose.companion.games.rules.checks import MAX_NAME

MOST = 5_000  # people at one event
LONGEST = MAX_NAME  # letters of a name, as a table takes it
LONGEST_GROUP = 60  # letters of a club or family
SAID = 3  # how many lines that were left out are told one by one
MOST_HEADINGS, HEADING = 8, 30  # so many columns that were not read are named, with so many letters
COLUMNS = {
    "name": ("name", "nom", "ime", "player", "joueur", "igrač", "full name", "nom complet", "ime i prezime"),
    "first": ("first name", "firstname", "given name", "forename", "prénom", "prenom", "vorname"),
    "last": ("last name", "lastname", "surname", "family name", "nom de famille", "prezime", "nachname"),
    "club": ("club", "klub", "verein", "team", "équipe", "equipe"),
    "family": ("family", "famille", "porodica", "apart", "group", "groupe"),
    "guest": ("guest", "invité", "invite", "gost"),
    "born": (
        "born",
        "year of birth",
        "né en",
        "née en",
        "né",
        "année de naissance",
        "godina rođenja",
        "godište",
    ),
}
OLDEST, YOUNGEST = 1900, 2100  # years in which somebody may be born
NAMES = ("name", "first", "last")  # columns of which a name is made
YES = {"1", "x", "y", "yes", "true", "oui", "vrai", "da", "guest", "invité", "gost", "✓"}
CLUB = 12  # letters of a club that stay beside a long name


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody as the organiser writes them down.

    Who shares a `club` or a `family` should not meet at once: a family never if it can be helped, a club not
    while there are others. A `guest` plays, and is left out of the ranking. `born`: the year, 0: not said.
    """

    name: str
    club: str = ""
    family: str = ""
    guest: bool = False
    born: int = 0


class RosterDoubt(msgspec.Struct, frozen=True):
    """A line of a roster that somebody should look at: its number from 1, and why."""

    line: int
    says: Text


class Roster(msgspec.Struct, frozen=True):
    """What a list has told: the people in its order, what is doubtful in it, and columns that say nothing."""

    people: tuple[Person, ...]
    doubts: tuple[RosterDoubt, ...]
    unread: tuple[str, ...] = ()


def bare(name: str) -> str:
    """Return *name* as `alike` does, and without accents.

    >>> bare("  ZOË ")
    'zoe'
    """
    apart = unicodedata.normalize("NFKD", name)
    return alike("".join(sign for sign in apart if not unicodedata.combining(sign)))


def read(written: str, known: Iterable[Person] = ()) -> Roster:
    """Return the roster that *written* is: a name a line, names between commas, or CSV with a heading.

    Namesakes of different clubs are two people. The same name and club twice is one person, and said; so is
    a line that cannot be a name. *known* are people who are on the list already.
    Raises BadInput when it is no text, when nobody is left, or when there are too many.
    """
    written = _lines_of(written)
    heading = written.lstrip("\n").partition("\n")[0]  # where a table has its headings
    cells = _cells(heading)
    columns = _columns(cells)
    seen = set(map(_key, known))
    people: list[Person] = []
    doubts: list[RosterDoubt] = []
    for line, person in _names(written) if columns is None else _rows(written, heading, columns):
        problem = _problem(person, seen)
        if problem is None:
            seen.add(_key(person))
            people.append(person)
        else:
            doubts.append(RosterDoubt(line, problem))
    if not people and not doubts:
        raise BadInput(text("Nobody is on this list: write a name a line."))
    must_have_room(len(seen))
    used = range(len(cells)) if columns is None else columns.values()
    unread = (tidy(cell)[:HEADING] for at, cell in enumerate(cells) if at not in used)
    return Roster(tuple(people), tuple(doubts), tuple(filter(None, unread)))


def must_have_room(people: int) -> None:
    """Raise BadInput where so many *people* are too many."""
    if people > MOST:
        raise BadInput(text("At most {n} people can play at one event.", n=MOST))


def one(person: Person, known: Iterable[Person]) -> Person:
    """Return *person*, tidied, who comes onto the list of *known*; raise BadInput for who cannot."""
    comes = Person(tidy(person.name), tidy(person.club), tidy(person.family), person.guest, person.born)
    problem = _problem(comes, set(map(_key, known)))
    if problem is not None:
        raise BadInput(problem)
    return comes


def must_differ(people: Collection[Person], before: Iterable[Person]) -> None:
    """Raise BadInput where two of *people* are one person, and were not *before*."""
    known, found = Counter(map(_key, before)), Counter(map(_key, people))
    for person in people:
        if found[_key(person)] > max(1, known[_key(person)]):
            raise BadInput(_is_there(person))


def _key(person: Person) -> tuple[str, str]:
    """Return what tells *person* from anybody else."""
    return alike(person.name), alike(person.club)


def summary(roster: Roster) -> Text:
    """Return how reading went, what became of each line that was left out, and which columns were not read.

    >>> print(summary(read("Ann\\nBob\\n—")))
    2 people were read. 1 line was left out. Line 3: “—” is not a name: 1 to 40 letters that can be shown.
    >>> print(summary(read("name,e-mail\\nAnn,ann@example.org")))
    1 person was read. This column was not read: e-mail.
    """
    if not roster.unread:
        return _of_lines(roster)
    n, names = len(roster.unread), ", ".join(roster.unread[:MOST_HEADINGS])
    return texts(
        "{said} This column was not read: {names}.",
        "{said} {n} columns were not read: {names}.",
        n=n,
        said=_of_lines(roster),
        names=names if n <= MOST_HEADINGS else f"{names}…",
    )


def _of_lines(roster: Roster) -> Text:
    """Return how reading went, and what became of each line that was left out."""
    said = texts("{n} person was read.", "{n} people were read.", n=len(roster.people))
    if not roster.doubts:
        return said
    left_out = texts(
        "{said} {n} line was left out.", "{said} {n} lines were left out.", n=len(roster.doubts), said=said
    )
    for one in roster.doubts[:SAID]:
        left_out = text("{before} Line {line}: {why}", before=left_out, line=one.line, why=one.says)
    return left_out if len(roster.doubts) <= SAID else Text("{before} …", {"before": left_out})


def _problem(person: Person, known: Set[tuple[str, str]]) -> Text | None:
    """Return why *person* cannot come onto a list that has the keys *known*."""
    if not any(sign.isalnum() for sign in person.name) or not _fits(person.name, LONGEST):
        return _no_name(person.name, LONGEST)
    if person.born and not OLDEST <= person.born <= YOUNGEST:
        return text("{name}: a year of birth has four digits, as 2015.", name=person.name)
    for group in (person.club, person.family):
        if not _fits(group, LONGEST_GROUP):
            return _no_name(group, LONGEST_GROUP)
    if _key(person) in known:
        return _is_there(person)
    return None


def _is_there(person: Person) -> Text:
    return text("{name} is there already: two people of one name need two clubs.", name=person.name)


def _fits(name: str, most: int) -> bool:
    return len(name) <= most and can_be_shown(name)


def _no_name(name: str, most: int) -> Text:
    shown = name if can_be_shown(name) else "…"
    return text("“{name}” is not a name: 1 to {n} letters that can be shown.", name=shown, n=most)


def _lines_of(written: str) -> str:
    """Return *written* with line ends of one kind; the line by which Excel names its sign is empty then.

    Raise BadInput when it is no text.
    """
    if "\0" in written:
        raise BadInput(text("This is not text: save the list as CSV, or paste it here."))
    written = written.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return re.sub(r"\A\"?sep=.\"?(?=\n)", "", written, flags=re.IGNORECASE)


def _names(written: str) -> Iterable[tuple[int, Person]]:
    """Yield line number and person of a list that has no headings; raise BadInput for a table."""
    lines = written.splitlines()
    if lines and lines[0] != unmarked(lines[0]):  # a list with numbers has no headings
        lines = [unmarked(line) for line in lines]
    if _is_table("\n".join(lines)):
        raise BadInput(
            text(
                "This is a table, and its first line does not say which column has the names. "
                "Headings that are known: name, or first name and family name; club, family, guest, born."
            )
        )
    for number, line in enumerate(lines, 1):
        for name in listed(line):
            yield number, Person(name)


def _rows(written: str, heading: str, columns: dict[str, int]) -> Iterable[tuple[int, Person]]:
    """Yield the people of a table with a *heading*."""
    reader = csv.reader(StringIO(written), delimiter=_delimiter(heading))
    try:
        for row in reader:
            cells = [plain(tidy(cell)) for cell in row]
            if not any(cells) or _columns(cells) is not None:
                continue

            def cell(name: str, cells: list[str] = cells) -> str:
                at = columns.get(name, len(cells))
                return cells[at] if at < len(cells) else ""

            guest = cell("guest").casefold() in YES
            # "Nom" beside "Prénom" is the family name, "Ime" beside "Prezime" the first one.
            names = ("first", "name", "last") if "first" in columns else ("name", "last")
            name = " ".join(filter(None, map(cell, names)))
            yield reader.line_num, Person(name, cell("club"), cell("family"), guest, _year(cell("born")))
    except csv.Error as problem:
        raise BadInput(
            text(
                "Line {n} of this table cannot be read: a quotation mark or a line break stands where none "
                "may.",
                n=reader.line_num,
            )
        ) from problem


def _year(cell: str) -> int:
    """Return the year in *cell*, also of a whole date; 0: none is given, 1: it cannot be read.

    >>> [_year(cell) for cell in ("2015", "3/4/2015", "2015-04-03", "", "ten")]
    [2015, 2015, 2015, 0, 1]
    """
    found = re.search(r"(?<!\d)\d{4}(?!\d)", cell)
    return int(found[0]) if found else 1 if cell else 0


def _delimiter(heading: str) -> str:
    return max(",;\t", key=heading.count)


def _cells(heading: str) -> list[str]:
    return [cell.strip(' "\r') for cell in heading.split(_delimiter(heading))]


def _is_table(written: str) -> bool:
    """Return whether *written* has columns: headings, none of a name, or as many cells in each line."""
    lines = [line for line in written.splitlines() if line.strip()]
    if not lines:
        return False
    if len(_cells(lines[0])) > 1 and _known(_cells(lines[0])):
        return True
    return len(lines) > 1 and any(_even(lines, sign) for sign in ";\t")


def _even(lines: list[str], sign: str) -> bool:
    """Return whether each of *lines* has *sign*, and all as often."""
    counts = {line.count(sign) for line in lines}
    return len(counts) == 1 and 0 not in counts


def _known(cells: list[str]) -> dict[str, int]:
    """Return where the columns are whose headings are known."""
    return {
        name: place
        for place, cell in enumerate(cells)
        for name, words in COLUMNS.items()
        if " ".join(re.split(r"[\s_.:-]+", cell.casefold())).strip() in words
    }


def _columns(cells: list[str]) -> dict[str, int] | None:
    """Return where the columns are, None when *cells* is no heading."""
    found = _known(cells)
    if "first" in found and "family" in found and not found.keys() & {"name", "last"}:
        found["last"] = found.pop("family")  # beside a first name alone it is no group
    return found if any(one in found for one in NAMES) else None


def shown_names(people: Mapping[int, Person]) -> dict[int, str]:
    """Return the names of *people* by entrant: namesakes get their club, and who is alike still a number.

    >>> shown_names({1: Person("Ann", "Oak"), 2: Person("ann"), 3: Person("Ann (Oak)")})
    {1: 'Ann (Oak)', 2: 'ann', 3: 'Ann (Oak) 2'}
    """
    namesakes = Counter(alike(one.name) for one in people.values())
    out: dict[int, str] = {}
    taken: set[str] = set()
    for entrant in sorted(people):
        one, n = people[entrant], 1
        club = one.club if namesakes[alike(one.name)] > 1 else ""
        name = _fitted(one.name, club)
        while alike(name) in taken:
            n += 1
            name = _fitted(one.name, club, f" {n}")
        taken.add(alike(name))
        out[entrant] = name
    return out


def _fitted(name: str, club: str, number: str = "") -> str:
    """Return *name*, with *club* and *number*, as long as a table takes it: else both are cut."""
    room = LONGEST - len(number)
    if not club:
        return _cut(name, room) + number
    room -= len(" ()")
    shorter = _cut(club, max(room - len(name), min(len(club), CLUB)))
    return f"{_cut(name, room - len(shorter))} ({shorter}){number}"


def _cut(written: str, most: int) -> str:
    return written if len(written) <= most else f"{written[: most - 1].rstrip()}…"


SHOWN = Once(shown_names)  # of the newest list, for whoever asks
