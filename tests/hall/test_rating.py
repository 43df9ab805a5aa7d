"""A rating over evenings: the model's figures, who is who, and what is left out."""

from __future__ import annotations

import json
import sys
from math import exp, sqrt
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from companion.cli import hall as cli
from companion.hall import commands
from companion.hall.export import everything
from companion.hall.hub import Hall
from companion.hall.rating import PlayedEvent, RatedPerson, played, rated
from companion.hall.results import Placing
from companion.hall.roster import Person
from companion.hall.standings import TableResult
from companion.hall.store import HallStore
from tests.support.halls import arranged, let_in

ARCHIVE = Path(__file__).parent / "archives" / "event-0.2.0.json"
MU, SIGMA = 25.0, 25 / 3
BETA, TAU = SIGMA / 2, SIGMA / 100


@pytest.fixture(autouse=True)
def _openskill() -> None:
    pytest.importorskip("openskill", reason="needs openskill: pip install -r requirements-test.lock")


def evening(
    event: str, began: float, people: list[Person], *tables: dict[int, int], first: int = 1
) -> PlayedEvent:
    """Return an event whose *tables* have played one after the other: the place of each entrant."""
    results = tuple(
        TableResult(number, 1, tuple((one, Placing("", place)) for one, place in table.items()))
        for number, table in enumerate(tables, 1)
    )
    return PlayedEvent(event, began, dict(enumerate(people, first)), results)


def by_name(*evenings: PlayedEvent) -> dict[str, RatedPerson]:
    """Return everybody's line by name."""
    return {one.name: one for one in rated(evenings)}


def of_two(
    winner: tuple[float, float], loser: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return (mu, sigma) of two after one has won, by the paper's formulas for two (Weng and Lin, 2011).

    Each is first less sure by tau; c² is the sum of all variances and 2 beta². The chance that the winner had
    is 1/(1 + exp((mu of loser - mu of winner)/c)). Of two, the last place is no choice any more.
    """
    (mu_w, s_w), (mu_l, s_l) = winner, loser
    var_w, var_l = s_w**2 + TAU**2, s_l**2 + TAU**2
    c = sqrt(var_w + var_l + 2 * BETA**2)
    lost = 1 / (1 + exp((mu_w - mu_l) / c))
    shrink = lost * (1 - lost)

    def sigma(var: float) -> float:
        return sqrt(var * (1 - var / c**2 * sqrt(var) / c * shrink))

    return (mu_w + var_w / c * lost, sigma(var_w)), (mu_l - var_l / c * lost, sigma(var_l))


def test_one_game_of_two_gives_the_figures_of_the_formula() -> None:
    """By hand: variance 69.4514, c = 13.1767, so the winner gains 69.4514 / 13.1767 / 2 = 2.6354."""
    found = by_name(evening("a", 1, [Person("Ann"), Person("Bob")], {1: 1, 2: 2}))
    assert (27.6354, 8.0659) == (round(found["Ann"].mu, 4), round(found["Ann"].sigma, 4))
    assert (22.3646, 8.0659) == (round(found["Bob"].mu, 4), round(found["Bob"].sigma, 4))
    assert found["Ann"].rating == pytest.approx(27.6354 - 3 * 8.0659, abs=1e-3)
    assert [1, 1] == [one.games for one in found.values()]
    assert ["Ann", "Bob"] == [*found]


def test_evenings_count_in_their_order_however_their_archives_are_given() -> None:
    """Bob wins against Ann, and then Ann twice: worked out step by step; swapped it is another figure."""
    two = [Person("Ann"), Person("Bob")]
    early, late = evening("z", 10, two, {1: 2, 2: 1}), evening("a", 20, two, {1: 1, 2: 2}, {1: 1, 2: 2})
    bob, ann = of_two((MU, SIGMA), (MU, SIGMA))
    for _ in range(2):
        ann, bob = of_two(ann, bob)
    for given in ((early, late), (late, early)):
        found = by_name(*given)
        for name, (mu, sigma) in (("Ann", ann), ("Bob", bob)):
            assert (found[name].mu, found[name].sigma) == pytest.approx((mu, sigma))
            assert 3 == found[name].games
    swapped = by_name(evening("z", 30, two, {1: 2, 2: 1}), late)
    assert swapped["Ann"].mu != pytest.approx(ann[0], abs=1e-3)


def test_the_order_in_which_people_sit_or_are_listed_changes_nothing() -> None:
    """Four people with two who share a place, listed forwards and backwards, with other numbers."""
    names = ["Ann", "Bob", "Cem", "Dea"]
    place = {"Ann": 1, "Bob": 2, "Cem": 2, "Dea": 4}
    lines = []
    for order in (names, names[::-1]):
        people = [Person(name) for name in order]
        table = {number: place[name] for number, name in enumerate(order, 1)}
        lines.append(by_name(evening("a", 1, people, table)))
    for name in names:
        assert lines[0][name].mu == pytest.approx(lines[1][name].mu)
        assert lines[0][name].sigma == pytest.approx(lines[1][name].sigma)


def test_who_shares_a_place_is_rated_alike() -> None:
    """Two who are level stay where they were; of three, the two behind the first are level."""
    level = by_name(evening("a", 1, [Person("Ann"), Person("Bob")], {1: 1, 2: 1}))
    assert [25.0, 25.0] == [pytest.approx(one.mu) for one in level.values()]
    three = by_name(evening("a", 1, [Person("Ann"), Person("Bob"), Person("Cem")], {1: 1, 2: 2, 3: 2}))
    assert three["Bob"].mu == pytest.approx(three["Cem"].mu)
    assert three["Ann"].mu > 25 > three["Bob"].mu


def test_one_more_evening_moves_only_those_who_played() -> None:
    """Cem stays at home, and is as strong and as unsure as before."""
    first = evening("a", 1, [Person("Ann"), Person("Bob"), Person("Cem")], {1: 1, 2: 2, 3: 3})
    second = evening("b", 2, [Person("Bob"), Person("Ann")], {7: 1, 8: 2}, first=7)
    before, after = by_name(first), by_name(first, second)
    assert before["Cem"] == after["Cem"]
    assert after["Bob"].mu > before["Bob"].mu
    assert after["Ann"].mu < before["Ann"].mu
    assert (2, 2, 1) == tuple(after[name].games for name in ("Ann", "Bob", "Cem"))


def test_a_guest_is_left_out_and_the_others_are_rated_among_themselves() -> None:
    """With a guest between them two are rated as without; who meets a guest alone has no game."""
    people = [Person("Ann"), Person("Gil", guest=True), Person("Bob"), Person("Cem")]
    found = by_name(evening("a", 1, people, {1: 1, 2: 2, 3: 3}, {2: 1, 4: 2}))
    assert {"Ann", "Bob"} == found.keys()
    (mu_w, _), (mu_l, _) = of_two((MU, SIGMA), (MU, SIGMA))
    assert (found["Ann"].mu, found["Bob"].mu) == pytest.approx((mu_w, mu_l))


def test_spellings_are_one_person_and_namesakes_are_told_apart_by_their_club() -> None:
    """Zoë is one in any case and with any club; the two Anns of one evening stay two on every evening."""
    first = evening("a", 1, [Person("ZOË", "Ouest"), Person("Bob")], {1: 1, 2: 2})
    second = evening(
        "b", 2, [Person("Zoe\u0308"), Person("Ann", "Est"), Person("ann", "Ouest")], {1: 1, 2: 2, 3: 3}
    )
    third = evening("c", 3, [Person("Ann", "Ouest"), Person("Bob", "Est")], {1: 1, 2: 2})
    games = {name: one.games for name, one in by_name(first, second, third).items()}
    assert {"Zoe\u0308": 2, "Bob": 2, "Ann (Est)": 1, "Ann (Ouest)": 2} == games


def typed_evening(folder: Path) -> bytes:
    """Return the archive of an event of two people and one game, whose result came from paper."""
    store = HallStore(folder)
    try:
        hall = Hall(store, random=Random(4), wall_s=lambda: 1_700_000_000.0)
        let_in(hall)
        arranged(hall, "Aya\nTom\n", game="score-pad", rounds=1, tables=1, final=0)
        hall.do(commands.Draw(), "Ann")
        hall.do(commands.CallRound(), "Ann")
        names = {hall.state.shown(one): one for one in hall.state.people}
        hall.do(commands.TypeResult(1, 1, ((names["Aya"],), (names["Tom"],)), "from paper"), "Ann")
        return everything(hall)
    finally:
        store.close()


def test_the_command_rates_what_two_archives_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of each person are those of the results that the file tells; the table has a line each."""
    spring = tmp_path / "spring.json"
    spring.write_bytes(typed_evening(tmp_path / "spring"))
    words = ["rating", str(ARCHIVE), str(spring)]
    games: dict[str, int] = {}
    for file in (ARCHIVE, spring):
        for result in json.loads(file.read_bytes())["results"]:
            for one in result["places"]:
                games[one["name"]] = games.get(one["name"], 0) + 1
    told = CliRunner().invoke(cli.command, [*words, "--json"])
    people = json.loads(told.stdout)["people"]
    assert games == {one["name"]: one["games"] for one in people}
    assert [one["rating"] for one in people] == sorted((one["rating"] for one in people), reverse=True)
    monkeypatch.setenv("LANGUAGE", "fr")
    shown = CliRunner().invoke(cli.command, words).stdout.splitlines()
    assert ["Note", "Force", "Parties", "Nom"] == shown[0].split()
    first = people[0]
    figures = " ".join(f"{first[part]:.1f}".replace(".", ",") for part in ("rating", "mu"))
    assert shown[1].split() == [
        *figures.split(),
        "±",
        f"{first['sigma']:.1f}".replace(".", ","),
        str(first["games"]),
        first["name"],
    ]
    assert 1 + len(people) == len(shown)


def test_an_archive_that_cannot_be_used_is_named_in_one_sentence(tmp_path: Path) -> None:
    """No file, another file, and one event twice."""
    odd = tmp_path / "odd.json"
    odd.write_bytes(b"[]")
    for words, says in (
        ([str(tmp_path / "none.json")], "none.json cannot be read"),
        ([str(ARCHIVE), str(odd)], "odd.json: This is no archive of a hall"),
        ([str(ARCHIVE), str(ARCHIVE)], "Two of these archives are of one event"),
    ):
        found = CliRunner().invoke(cli.command, ["rating", *words])
        assert says in found.output


def test_an_event_without_a_game_that_counts_says_so_with_status_1(tmp_path: Path) -> None:
    """It is an archive, and nobody can be rated by it."""
    store = HallStore(tmp_path / "hall")
    try:
        empty = tmp_path / "empty.json"
        empty.write_bytes(everything(Hall(store)))
    finally:
        store.close()
    assert () == played(empty.read_bytes()).results
    found = CliRunner().invoke(cli.command, ["rating", str(empty)], standalone_mode=False)
    assert (1, "No game counts in these archives.\n") == (found.return_value, found.stdout)


def test_without_the_package_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine where only the table was installed."""
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    found = CliRunner().invoke(cli.command, ["rating", str(ARCHIVE)])
    assert "pip install openskill" in " ".join(found.output.split())
