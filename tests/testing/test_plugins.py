"""Games, sources and outputs of other packages: one is built of the template, installed, played, and gone."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import msgspec
import pytest
from lastnose.companion.app.app import App
from lastnose.companion.config import plugins
from lastnose.companion.config.neighbours import read_neighbours
from lastnose.companion.config.plugins import load_games, make_output, make_source, source_names
from lastnose.companion.config.settings import run_settings
from lastnose.companion.core.errors import BadInput, GameFailed
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, text
from lastnose.companion.games import GAMES
from lastnose.companion.games.rules.game import OptionField, Section, Standing
from lastnose.companion.i18n import add_catalogue, catalogue
from lastnose.companion.table.memory_store import EveningRecord
from lastnose.companion.table.store import Store
from lastnose.companion.testing.scenario import Scenario
from lastnose.web.encoding import to_json

from tests.support import toy
from tests.support.commands import lastnose

ROOT = Path(__file__).parent.parent.parent
TEMPLATE = ROOT / "docs" / "program" / "template"
WITHIN_S = 300

# What is done where the package is installed: an evening in a folder, and what screens and tape say of it.
EVENING = """
import sys
from pathlib import Path
from lastnose.companion.core.text import text
from lastnose.companion.i18n import translator
from lastnose.companion.table.store import Store
from lastnose.companion.testing.scenario import Scenario
from lastnose.hardware.oled.screens import count_pages
from lastnose.web.api.openapi import document
from lastnose.web.api.endpoint import TABLE, load

store = Store(Path(sys.argv[1]))
table = Scenario("acorns", ["North", "East", "South"], store=store)
for at_us, player in ((0, "North"), (300, "East"), (712, "South")):
    table.press(player, at_us=at_us)
assert table.judge().last == ("South",)
assert [0, 0, 1] == [row.score for row in table.snapshot.rows]
table.move(type="planted", seat=3)
assert [0, 0, 0] == [row.score for row in table.snapshot.rows]
assert count_pages(table.snapshot, (128, 64)) >= 1
said = table.table.queries.rounds()[-1].headline
assert translator("fr")(said) == "Un gland est planté", translator("fr")(said)
assert translator("bs")(said) == "Žir je posađen"
tape = table.table.queries.tape(table.table.queries.last_judged())
Path(sys.argv[2]).write_text(tape, encoding="utf-8")
load()
assert b"acorns" not in document(TABLE)  # the API's own words know no game of others
store.close()
"""


def run(python: Path, *words: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run *python* with *words*, in English, from a folder where no checkout lies."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [python, *words],
        capture_output=True,
        text=True,
        env={**environ, "LANGUAGE": "en"},
        timeout=WITHIN_S,
        check=False,
        **settings,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of a new environment, beside ours, in which the template is installed with pip."""
    folder = tmp_path_factory.mktemp("plugin")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
    made = folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    site = run(made, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip()
    ours = (str(ROOT), sysconfig.get_path("purelib"))
    Path(site, "ours.pth").write_text("".join(f"{line}\n" for line in ours), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "install", "--target", site]
    alone = ("--no-deps", "--no-index", "--no-build-isolation", "--no-compile")
    subprocess.run([*pip, *alone, TEMPLATE], check=True)
    return made


@pytest.mark.heavy
def test_a_game_of_another_package_is_played_everywhere_and_its_evening_outlives_it(
    python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its environment it is played, with its own words; in ours, without it, its evening can be read."""
    data, tape = tmp_path / "data", tmp_path / "round.jsonl"
    data.mkdir()
    run(python, "-c", EVENING, str(data), str(tape), cwd=tmp_path)
    cli = ("-m", "lastnose.companion.cli")
    listed = msgspec.json.decode(run(python, *cli, "games", "--json", cwd=tmp_path).stdout)
    assert {"name": "acorns", "title": "Acorns"}.items() <= listed[-1].items()
    judged = run(python, *cli, "replay", str(tape), "--json", cwd=tmp_path).stdout
    assert [3] == msgspec.json.decode(judged)["rounds"][0]["last"]
    # And here it is gone.
    monkeypatch.setenv("LASTNOSE_DATA", str(data))
    told = lastnose("export", "--output", str(tmp_path / "evening.csv"))
    assert told.exit_code == 0, told.stderr
    rows = (tmp_path / "evening.csv").read_text(encoding="utf-8").splitlines()
    assert "South was last" in rows[1]
    assert lastnose("replay", str(tape)).exit_code == 2


@pytest.mark.heavy
def test_the_template_keeps_the_contract_with_pytest_as_its_author_runs_it(
    python: Path, tmp_path: Path
) -> None:
    """Its tests are those of the documents: a class of one line, and a scenario."""
    done = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(TEMPLATE / "tests"), cwd=tmp_path)
    assert "7 passed" in done.stdout


# ---- what is wrong with a package, without one


class Declared:
    """Entry points as tests declare them; each loads what it is given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: dict[str, list[Any]] = {}
        monkeypatch.setattr(plugins, "entry_points", lambda group: self.made.get(group, []))
        monkeypatch.setattr("lastnose.companion.games.GAMES", GAMES.copy())
        load_games.cache_clear()

    def add(self, group: str, name: str, value: object, package: str = "some") -> None:
        """Declare *value*; an exception is raised when it is loaded."""

        class One(EntryPoint):
            dist = type("Dist", (), {"name": package})()

            def load(self) -> object:
                if isinstance(value, BaseException):
                    raise value
                return value

        self.made.setdefault(f"lastnose.{group}", []).append(One(name, "tests.support.toy:GAME", group))


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Declare nothing yet; afterwards all is as it was."""
    yield Declared(monkeypatch)
    load_games.cache_clear()


def test_what_is_broken_is_named_and_left_out_and_the_others_are_played(declared: Declared) -> None:
    """One that cannot be imported, two that are no game, one that ends Python, one whose state breaks."""

    class Broken(toy.Pebbles):
        name = "broken"

        def standings(self, state: Any) -> Any:
            return ()

    declared.add("games", "away", ImportError("No module named 'wood'"), "away-package")
    declared.add("games", "ends", SystemExit(3))
    declared.add("games", "number", 7)
    declared.add("games", "kind", toy.Pebbles)
    declared.add("games", "stones", toy.GAME)
    declared.add("games", "broken", Broken())
    declared.add("games", "pebbles", toy.GAME)
    said = [str(one) for one in load_games()]
    assert said == [
        "The game away is left out: ImportError No module named 'wood'.",
        "The game broken is left out: its first moment is none that can be played.",
        "The game ends is left out: SystemExit 3.",
        "The game kind is left out: its entry point names no game; it ends with “:GAME”, which is one.",
        "The game number is left out: its entry point names no game; it ends with “:GAME”, which is one.",
        "The game stones is left out: its name and that of its entry point are to be one, in small letters.",
    ]
    assert said == [str(one) for one in load_games()]  # once a process
    from lastnose.companion import games

    assert games.GAMES["pebbles"].title == toy.GAME.title


def test_a_game_that_raises_in_play_refuses_that_move_and_the_table_goes_on(
    declared: Declared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move changes nothing; a verdict is kept and does not count; the evening opens as it was left."""

    class Brittle(toy.Pebbles):
        name = "brittle"

        def play(self, state: Any, move: Any) -> Any:
            if isinstance(move, Verdict) and move.last == (3,):
                raise (ZeroDivisionError if state.pebbles == (0, 1, 0) else SystemExit)("no pebble is left")
            return super().play(state, move)

        def standings(self, state: Any) -> Any:
            found = super().standings(state)
            return found if all(one.score < 2 for one in found) else found[5]

    declared.add("games", "brittle", Brittle())
    assert load_games() == ()
    store = Store(tmp_path)
    table = Scenario("brittle", ["North", "East", "South"], store=store)

    def last(seat: int) -> str:
        for at_us, one in enumerate(sorted((1, 2, 3), key=lambda one: one == seat)):
            table.press(table.players[one - 1], at_us=300_000 * at_us, late_us=900_000 * (one == seat))
        table.judge()
        round_ = table.table.queries.rounds()[-1]
        return " ".join(map(str, (round_.headline, *round_.proof)))

    def letters() -> list[int]:
        return [row.score for row in table.snapshot.rows]

    last(2)
    assert letters() == [0, 1, 0]
    failed = "Pebbles has failed: ZeroDivisionError no pebble is left. Tell who made it."
    assert "This round does not count. " + failed == last(3)
    assert letters() == [0, 1, 0]
    assert "Pebbles has failed: IndexError tuple index out of range. Tell who made it." in last(2)
    assert letters() == [0, 1, 0], "a state that no screen could read is none"
    with pytest.raises(GameFailed, match="no pebble is left"):
        table.amend({"type": "last", "seats": [3]})
    last(1)
    assert letters() == [1, 1, 0]
    assert "Pebbles has failed: SystemExit no pebble is left. Tell who made it." in last(3)
    store.close()

    def scores() -> list[int | None]:
        store = Store(tmp_path)
        match = EveningRecord(store).evening.match
        store.close()
        assert match is not None
        return [one.score for one in match.now.standings]

    assert scores() == [1, 1, 0]
    monkeypatch.setattr(Brittle, "play", toy.Pebbles.play)  # repaired: what did not count does not count now
    monkeypatch.setattr(Brittle, "standings", toy.Pebbles.standings)
    assert scores() == [1, 1, 0]


NOBODY = Text("{who} thinks.")  # says who, and nobody has said it


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("comings", NOBODY),
        ("role", NOBODY),
        ("on_phones", (NOBODY,)),
        ("help", lambda self, options: (Section(text("Aim"), (NOBODY,)),)),
        ("option_fields", lambda self: (OptionField("polite", "flag", text("Polite"), NOBODY, False),)),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_game_with_a_sentence_that_nobody_can_fill_in_is_left_out(
    declared: Declared, part: str, value: object
) -> None:
    """Wherever it stands: set-up shows all games on one page, which would not open."""
    declared.add("games", "murmurs", type("Murmurs", (toy.Pebbles,), {"name": "murmurs", part: value})())
    said = [str(one) for one in load_games()]
    assert said == ["The game murmurs is left out: ValueError {who} thinks.."]


def test_a_state_of_which_a_screen_could_not_be_told_refuses_its_move(declared: Declared) -> None:
    """A note without its name, half a character, a number that no page can read; a headline is left out."""

    class Murmurs(toy.Pebbles):
        name = "murmurs"

        def notes(self, state: Any) -> Any:
            return {(1, 0): (NOBODY,), (0, 1): (text("\ud800"),)}.get(state.pebbles[:2], ())

        def standings(self, state: Any) -> Any:
            found = super().standings(state)
            huge = (*found[:2], Standing(3, score=10**5_000), *found[3:])
            return huge if state.pebbles[2:3] == (1,) else found

        def describe(self, before: Any, move: Any, after: Any) -> Any:
            return NOBODY

        def headline(self, before: Any, move: Any, after: Any, players: Any) -> Any:
            return NOBODY

    declared.add("games", "murmurs", Murmurs())
    assert load_games() == ()
    table = Scenario("murmurs", ["North", "East", "South", "West"], polite=True)
    for last in table.players:
        for at_us, one in enumerate(sorted(table.players, key=lambda one: one == last)):
            table.press(one, at_us=300_000 * at_us)
        table.judge()
        to_json(table.snapshot, "en")
    table.play("thanked", "West")
    assert [0, 0, 0, 0] == [row.score for row in table.snapshot.rows]
    told = [str(round_.headline) for round_ in table.table.queries.rounds()]
    assert ["This round does not count."] * 3 == told[:3]
    assert ["Pebbles"] * 2 == told[3:]


def test_a_game_may_be_one_file(declared: Declared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no folder beside it for translations: nobody else's is taken for its own."""
    (tmp_path / "lone_pebbles.py").write_text(
        "from tests.support.toy import Pebbles\nGAME = type('Lone', (Pebbles,), {'name': 'lone'})()\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    declared.made["lastnose.games"] = [EntryPoint("lone", "lone_pebbles:GAME", "lastnose.games")]
    assert load_games() == ()
    from lastnose.companion import games

    assert games.GAMES["lone"].title == toy.GAME.title


def test_a_translation_with_a_field_of_its_own_is_refused() -> None:
    """It could not be filled in, and only who reads that language would find out."""
    said = 'msgid "{who} has a pebble"\nmsgstr "{qui} a un caillou"\n'
    with pytest.raises(ValueError, match=r"\{qui\} a un caillou"):
        add_catalogue("fr", said.encode())


def test_two_of_one_name_and_one_that_is_called_as_ours_are_refused_by_name(declared: Declared) -> None:
    """Nobody could say which is meant; the packages are named."""
    declared.add("games", "pebbles", toy.GAME, "one-package")
    declared.add("games", "pebbles", toy.GAME, "other-package")
    declared.add("games", "pig", toy.GAME, "third-package")
    assert [str(one) for one in load_games()] == [
        "The game pebbles is left out: both one-package and other-package have one of this name.",
        "The game pig is left out: third-package calls it as one of Last Nose’s own is called.",
    ]


def test_a_source_of_another_package_is_asked_for_by_name(declared: Declared, tmp_path: Path) -> None:
    """It gets the lines of the profile; one that breaks is said in a sentence."""

    class Pedals:
        name, simulated = "pedals", False

        def __init__(self, lines: dict[str, int]) -> None:
            self.lines = lines

        def start(self, emit: Any, report: Any) -> None:
            """Begin nothing."""
            raise OSError("no pedal for " + ", ".join(one for one in self.lines if one == "nose.1"))

        def close(self) -> None:
            """End nothing."""

    declared.add("sources", "pedals", Pedals)
    declared.add("sources", "broken", lambda lines: 1 / 0)
    declared.add("sources", "mock", Pedals)
    assert source_names() == ("broken", "pedals")
    settings = run_settings(source="pedals", data_dir=tmp_path, pi=False)
    assert make_source("pedals", settings.profile.lines).name == "pedals"
    with pytest.raises(BadInput, match=r"pedals cannot be used: OSError no pedal for nose.1\."):
        App(settings).start()
    with pytest.raises(BadInput, match=r"broken cannot be used: ZeroDivisionError division by zero\."):
        make_source("broken", {})
    with pytest.raises(BadInput, match=r"no source “pedal”: choose one of .*, pedals"):
        run_settings(source="pedal", data_dir=tmp_path, pi=False)


def test_an_output_of_another_package_gets_its_table_of_the_file(declared: Declared, tmp_path: Path) -> None:
    """One that nobody has is said before anything begins."""
    given: list[dict[str, Any]] = []

    class Lamp:
        def __init__(self, settings: dict[str, Any]) -> None:
            given.append(settings)

        def tell(self, news: Any) -> None:
            """Shine."""

        def close(self) -> None:
            """Go out."""

    declared.add("outputs", "lamp", Lamp)
    declared.add("outputs", "none", lambda settings: 7)
    file = tmp_path / "neighbours.toml"
    file.write_text('[output.lamp]\ncolour = "red"\n', encoding="utf-8")
    wanted = read_neighbours(file)
    make_output("lamp", wanted.output["lamp"])
    assert given == [{"colour": "red"}]
    with pytest.raises(BadInput, match="none is not what an output is"):
        make_output("none", {})
    declared.add("outputs", "mqtt", Lamp)  # else it would be heard in the place of ours
    file.write_text("[output.mqtt]\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no package here has an output “mqtt”"):
        read_neighbours(file)
    with pytest.raises(BadInput, match="one of Last Nose’s own"):
        make_output("mqtt", {})
    assert len(given) == 1
    file.write_text("[output.lantern]\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no package here has an output “lantern”"):
        read_neighbours(file)


def test_ours_come_first_in_the_words_of_others() -> None:
    """A catalogue of another package adds to ours, and changes nothing of it."""
    before = catalogue("fr").gettext("{player} was last")
    assert before != "{player} was last"
    assert catalogue("fr").gettext("An acorn is planted") == "An acorn is planted"
