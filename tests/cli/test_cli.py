"""The command line's frame: help in both languages, one sentence for an error, statuses, a fast start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import lastnose.companion.cli as companion_cli
import pytest
from lastnose.companion import __version__
from lastnose.companion.cli import COMMANDS, Main
from lastnose.companion.cli.frame import CliCommand, argument, define, json_option, option, print_json, say
from lastnose.companion.core.errors import (
    BadInput,
    CompanionError,
    Missing,
    NoSuchProfile,
    NotNow,
    StoreError,
)
from lastnose.companion.core.text import text

from tests.support.commands import lastnose

ROOT = Path(__file__).parent.parent.parent


@define("knock", help=text("Print the result as JSON."), examples=["lastnose knock once"])
@argument("how")
@option("--times", type=int, default=1, help=text("Print the result as JSON."))
@json_option
def knock(how: str, times: int, as_json: bool) -> int | None:
    """Do what a test wants."""
    if how == "badly":
        raise BadInput(text("{player} is out.", player="South"))
    if how == "cut":
        raise KeyboardInterrupt
    if how == "no":
        return 1
    if as_json:
        print_json({"how": how, "times": times})
    else:
        say(text("{player} is out.", player=how))
    return None


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch) -> Iterator[Main]:
    """The real group, with one command more."""
    monkeypatch.setitem(COMMANDS, "knock", text("Print the result as JSON."))
    module = type(sys)("lastnose.companion.cli.knock")
    module.command = knock  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lastnose.companion.cli.knock", module)
    yield companion_cli.main
    assert "LANGUAGE" not in os.environ, "a command leaves the environment as it was"


def test_companion_error_is_one_sentence_on_stderr_and_status_2(main: Main) -> None:
    """No traceback, nothing on stdout."""
    result = lastnose("knock", "badly")
    assert (2, "", "Error: South is out. Try lastnose knock --help for help.\n") == (
        result.exit_code,
        result.stdout,
        result.stderr,
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nope"], "No such command 'nope'."),
        (["--nope"], "No such option '--nope'."),
        (["knock"], "Missing argument 'HOW'."),
        (["knock", "a", "b"], "Got unexpected extra argument (b)."),
        (["knock", "a", "--times", "x"], "Invalid value for '--times': 'x' is not a valid whole number."),
        (["--lang", "xx", "games"], "Invalid value for '--lang': 'xx' is not one of 'en', 'fr', 'bs'."),
    ],
)
def test_a_wrong_command_line_is_one_sentence_and_status_2(
    main: Main, words: list[str], sentence: str
) -> None:
    """What click finds wrong is said like everything else."""
    result = lastnose(*words)
    asked = "lastnose knock" if words[0] == "knock" else "lastnose"
    said = f"Error: {sentence} Try {asked} --help for help.\n"
    assert (2, "", said) == (result.exit_code, result.stdout, result.stderr)


def test_interrupt_is_status_130(main: Main) -> None:
    """Ctrl-C leaves as a shell expects, without a traceback."""
    result = lastnose("knock", "cut")
    assert 130 == result.exit_code
    assert "Traceback" not in result.output


@pytest.mark.parametrize("words", [["knock", "badly", "--lang", "fr"], ["--lang=fr", "knock", "badly"]])
def test_lang_is_obeyed_wherever_it_stands(main: Main, words: list[str]) -> None:
    """Errors speak it too."""
    assert "Erreur\u00a0: South sort du jeu. Voyez lastnose knock --help.\n" == lastnose(*words).stderr


def test_language_comes_from_the_environment(main: Main, monkeypatch: pytest.MonkeyPatch) -> None:
    """LANG is enough; click's own words follow."""
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert (
        "Erreur\u00a0: South sort du jeu. Voyez lastnose knock --help.\n" == lastnose("knock", "badly").stderr
    )
    missing = "Erreur\u00a0: Argument manquant 'HOW'. Voyez lastnose knock --help.\n"
    assert missing == lastnose("knock").stderr
    assert lastnose("--help").stdout.startswith("Usage\u00a0: lastnose")


@pytest.mark.parametrize("words", [["knock", "--help", "--lang", "fr"], ["knock", "--lang", "fr", "--help"]])
def test_help_is_translated_whole(main: Main, words: list[str]) -> None:
    """Usage, text, options, and the heading of the examples."""
    shown = lastnose(*words).stdout
    assert "Afficher la version et quitter." in lastnose("--lang", "fr", "--help").stdout
    for french in ("Usage\u00a0:", "Afficher le résultat en JSON.", "Afficher cette aide", "Exemples\u00a0:"):
        assert french in shown
    assert "lastnose knock once" in shown


def test_help_names_every_command_without_loading_any() -> None:
    """`lastnose --help` imports no command, no web server and no pins."""
    script = (
        "import sys; from lastnose.companion.cli import main\n"
        "try: main(['--help'])\nfinally: print(*sys.modules)"
    )
    shown = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    *help_lines, modules = shown.splitlines()
    for name in COMMANDS:
        assert any(line.strip().startswith(name + " ") for line in help_lines)
        assert f"lastnose.companion.cli.{name}" not in modules.split()
    headings = [line for line in help_lines if line.endswith(":") and not line.startswith(" ")]
    assert ["Options:", "Play:", "Ask:", "Build:", "Event:", "Programs:", "Examples:"] == headings
    assert not {"flask", "gpiozero", "PIL", "uvicorn", "sqlite3", "lastnose.companion.app.app"} & set(
        modules.split()
    )


def test_version_is_the_package_s(main: Main) -> None:
    """`--version` says name and number."""
    assert f"lastnose {__version__}\n" == lastnose("--version").stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    """Each line of `lastnose --help` leads to a command whose examples start with its name."""
    found = companion_cli.main.get_command(click.Context(companion_cli.main), name)
    assert isinstance(found, CliCommand)
    assert found.name == name
    assert found.examples
    for example in found.examples:
        assert example.startswith(f"lastnose {name}")


def test_a_closed_pipe_is_quiet() -> None:
    """`lastnose games --json | head -c 1` says nothing of a broken pipe."""
    shown = subprocess.run(
        f"{sys.executable} -m lastnose.companion.cli games --json | head -c 1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert ("[", "") == (shown.stdout, shown.stderr)


def test_what_the_rules_do_not_allow_is_said_with_the_rule(main: Main, tmp_path: Path) -> None:
    """A tape with a move that cannot be: the file, the sentence, the rule, status 2."""
    moves = [{"type": "score", "hand": 1, "seat": seat, "points": 0} for seat in (1, 2)]
    lines = [{"tape": 1, "game": "chickenfoot", "players": ["North", "East"], "options": {}}]
    lines += [{"move": move, "t_ns": at} for at, move in enumerate(moves)]
    tape = tmp_path / "two.jsonl"
    tape.write_text("\n".join(map(json.dumps, lines)))
    result = lastnose("replay", str(tape), "--lang", "en")
    assert (2, "") == (result.exit_code, result.stdout)
    assert result.stderr.endswith("a hand ends when the first is out.\n")


def test_a_number_that_is_none_is_refused_in_the_readers_words(main: Main) -> None:
    """No English word of click's in a French sentence, and English is itself again afterwards."""
    words = ("deal", "pig", "--players", "x")
    assert "'x' n’est pas un nombre entier valable." in lastnose(*words, "--lang", "fr").stderr
    assert "'x' is not a valid whole number." in lastnose(*words).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "--tape", "/nowhere"), "Fichier '/nowhere' introuvable."),
        (("run", "--data", ""), "Dossier '' introuvable."),
        (("export", "--output", ""), "Fichier '' introuvable."),
        (("run", "--data", __file__), f"Dossier '{__file__}'\u00a0: c’est un fichier."),
        (("export", "--output", "/"), "Fichier '/'\u00a0: c’est un dossier."),
        (("setup-pi", "--root", "/nowhere"), "Dossier '/nowhere' introuvable."),
    ],
)
def test_a_path_that_will_not_do_is_refused_in_the_readers_words(words: tuple[str, ...], said: str) -> None:
    """Whatever was spoken when the command was imported."""
    assert said in lastnose(*words, "--lang", "fr").stderr
    assert "--data DOSSIER" in lastnose("run", "--help", "--lang", "fr").stdout
    assert "--data DIRECTORY" in lastnose("run", "--help").stdout


@pytest.mark.parametrize(
    ("tape", "standings"),
    [
        ("mag-9-real-deck", [" 1  North  0", " 2  East  0", " 3  South  1  ♠ 1  ♥ 0  ♦ 0  ♣ 1"]),
        ("pig-7-three-letters-and-out", [" 1  North  P", " 2  East", " 3  South", " 4  West  PIG  out"]),
    ],
)
def test_a_replay_ends_with_the_standings(main: Main, tape: str, standings: list[str]) -> None:
    """Without letters a count, and what the cards said; whoever is out is called so."""
    result = lastnose("replay", str(ROOT / "tests" / "tapes" / f"{tape}.jsonl"), "--lang", "en")
    assert standings == result.stdout.splitlines()[-len(standings) :]


def test_a_replay_says_what_each_uncertainty_is_made_of_when_asked(main: Main, tmp_path: Path) -> None:
    """Two stamps of 10 µs, and 550 ppm of the 412 µs between them: 226.6 ns, told in the steps of the ±."""
    header = {"tape": 1, "game": "pig", "players": ["North", "East", "Zoë"], "options": {}}
    lines = [
        {"t_ns": 10**9 + t_ns, "source": "gpio", "line": f"nose.{seat}", "level": 1, "u_ns": 10_000}
        for seat, t_ns in ((1, 0), (2, 90_000_000), (3, 90_412_000))
    ]
    tape = tmp_path / "three.jsonl"
    tape.write_text("\n".join(map(json.dumps, (header, *lines))))
    told = lastnose("replay", str(tape), "--doubt", "--lang", "en").stdout
    assert "Uncertainty: ± 21 µs\n      Stamp: 20 µs (2 × 10 µs)\n" in told
    assert "Pace of the clock: 1 µs (one clock for both, over 412 µs)" in told
    (asked,) = json.loads(lastnose("replay", str(tape), "--doubt", "--json").stdout)["rounds"]
    assert [{"kind": "stamp", "u_ns": 20_000}, {"kind": "rate", "u_ns": 238}] == asked.pop("budget")
    assert "doubt" not in lastnose("replay", str(tape), "--lang", "en").stdout
    assert (1, 2) == (asked.pop("opener"), asked.pop("rival"))
    assert [412_000 - 20_238, 412_000 + 20_238] == asked["span_ns"]
    assert [asked] == json.loads(lastnose("replay", str(tape), "--json").stdout)["rounds"]


def test_a_name_typed_wrong_is_guessed() -> None:
    """A command, a game, a wiring; what resembles nothing is answered with the list."""
    for words, guess in (
        (("dael",), "Did you mean 'deal'?"),
        (("run", "--sorce", "mock"), "'--sorce'. Did you mean '--source'? Try lastnose run --help"),
        (("replay", "--sorce"), "No such option '--sorce'. Try "),
        (("deal", "chickenfot", "--players", "4"), "Did you mean chickenfoot?"),
        (("profiles", "show", "hoem6"), "Did you mean home6?"),
        (("deal", "bridge", "--players", "4"), "Choose one of: pig, "),
    ):
        said = lastnose(*words)
        assert 2 == said.exit_code
        assert guess in said.stderr


def leaves(found: click.Command, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command that is no group, under the words that call it."""
    if not isinstance(found, click.Group):
        yield words, found
        return
    for name in found.list_commands(click.Context(found)):
        member = found.get_command(click.Context(found), name)
        assert member is not None
        yield from leaves(member, *words, name)


LEAVES = dict(leaves(companion_cli.main))


@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_every_command_names_its_help_after_what_was_told_wrong(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether click finds it (an option that is none) or the command itself (a game, a wiring, a number)."""
    tried = f" Try lastnose {' '.join(words)} --help for help.\n"
    assert lastnose(*words, "--nonsense").stderr.endswith(tried)
    monkeypatch.setattr(LEAVES[words], "params", [])
    for error in (BadInput, Missing, NoSuchProfile, NotNow, StoreError):

        def refuse(error: type[CompanionError] = error, **_: object) -> None:
            raise error(text("{player} is out.", player="South"))

        monkeypatch.setattr(LEAVES[words], "callback", refuse)
        helped = tried if issubclass(error, BadInput | NoSuchProfile) and error is not NotNow else "\n"
        done = lastnose(*words)
        assert (2, f"Error: South is out.{helped}") == (done.exit_code, done.stderr)


@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_an_option_says_what_it_takes(words: tuple[str, ...]) -> None:
    """A file, a name, a port: never just any text."""
    assert " TEXT" not in lastnose(*words, "--help").stdout


def test_h_is_help_everywhere() -> None:
    """Of the whole, of a command, and of a member of one."""
    for words in ((), ("deal",), ("profiles",), ("profiles", "show")):
        short, long = lastnose(*words, "-h"), lastnose(*words, "--help")
        assert (0, long.stdout) == (short.exit_code, short.stdout)


def test_no_color_takes_colours_even_where_they_are_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    """https://no-color.org: whatever it says, as long as it says something."""

    def seen() -> bool | None:
        context = click.get_current_context()
        return context.find_root().color

    made = define("seen", help=text("x"), examples=[])(lambda: click.echo(str(seen())))
    monkeypatch.setattr(companion_cli, "COMMANDS", {"seen": text("x")})
    monkeypatch.setattr(Main, "get_command", lambda self, ctx, name: made)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "False\n" == lastnose("seen").stdout
    monkeypatch.setenv("NO_COLOR", "")
    assert "None\n" == lastnose("seen").stdout


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("lastnose dea", ["deal"]),
        ("lastnose deal chi", ["chickenfoot"]),
        ("lastnose run --profile hom", ["home6", "home8"]),
        ("lastnose box clock si", ["sim"]),
    ],
)
def test_a_shell_is_told_what_may_follow(
    monkeypatch: pytest.MonkeyPatch, typed: str, offered: list[str]
) -> None:
    """As bash asks: the words, and which one is being typed."""
    monkeypatch.setenv("_LASTNOSE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    said = lastnose()
    assert {f"plain,{one}" for one in offered} <= set(said.stdout.split())


@pytest.mark.parametrize("first", [("--double-blank", "50"), ("--option", "double_blank=50")])
def test_an_option_that_is_said_twice_is_refused(first: tuple[str, str]) -> None:
    """Nobody could say which of both is meant: 0-0 would cost 50, or 25."""
    once = lastnose("points", "chickenfoot", "0-0", *first)
    twice = lastnose("points", "chickenfoot", "0-0", *first, "--option", "double_blank=25")
    assert (0, "50 points\n") == (once.exit_code, once.stdout)
    assert (2, "") == (twice.exit_code, twice.stdout)
    assert "double_blank=25: Any option of the game as NAME=VALUE" in twice.stderr


def test_a_shell_is_offered_no_game_without_hand_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """`points` would refuse Spoons and the sheet for any other game."""
    for name, value in (("_LASTNOSE_COMPLETE", "bash_complete"), ("COMP_CWORD", "2")):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COMP_WORDS", "lastnose points s")
    assert ["plain,swedish-gin"] == lastnose().stdout.split()


@pytest.mark.parametrize("game", ["quiz", "score-pad", "reaction-duel"])
def test_a_game_without_cards_needs_none(game: str) -> None:
    """It says so, and no empty line."""
    assert "There is nothing to do.\n" == lastnose("deal", game, "--players", "4", "--lang", "en").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("deal", "pig", "--players", "9" * 23), f"not {'9' * 23}."),
        (("contract", "1", "--table", "", "7S"), "Say which cards"),
        (
            ("replay", "{tape}", "--confirm-us", "9" * 20),
            "Confirm must be more than 0 and at most the lockout",
        ),
        (("replay", "{tape}", "--confirm-us", "0"), "Confirm must be more than 0 and at most the lockout"),
        (("replay", "{latin}"), "latin cannot be read (it is not UTF-8)."),
        (("run", "--source", "mock", "--wifi", "{latin}"), "latin: it is not UTF-8."),
        (("box", "clock", "sim", "--seconds", "NaN"), "'--seconds': 'NaN' is not a valid number."),
        (("profiles", "show", ""), "Error: . cannot be read (Is a directory)."),
        (("selftest", "--source", "mock", "--script", "{latin}"), "latin cannot be read (it is not UTF-8)."),
    ],
)
def test_what_was_typed_wrong_is_told_as_it_was_typed(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    """One sentence, status 2."""
    latin = tmp_path / "latin"
    latin.write_bytes("é".encode("latin-1"))
    files = {
        "tape": str(ROOT / "tests" / "tapes" / "pig-5-a-loss-widens-the-margin.jsonl"),
        "latin": str(latin),
    }
    told = lastnose(*(word.format_map(files) for word in words), "--lang", "en")
    assert (2, "", 1) == (told.exit_code, told.stdout, told.stderr.count("\n"))
    assert said in told.stderr


def test_no_option_takes_what_is_not_a_number_for_one() -> None:
    """A tape that is played NaN times as fast, a box that is watched for NaN seconds."""
    taken = []
    for path, command in _commands(companion_cli.main, ()):
        for param in command.params:
            if isinstance(param.type, click.types.FloatParamType):
                with pytest.raises(click.BadParameter, match="'nan' is not a valid number"):
                    taken.append((path, param.type.convert("nan", param, None)))
    assert [] == taken


def _commands(
    command: click.Command, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _commands(below, (*path, name))


@pytest.mark.parametrize(("spoken", "words"), [("fr_FR.UTF-8", []), ("C.UTF-8", ["--lang", "fr"])])
def test_a_language_that_was_never_compiled_is_named(spoken: str, words: list[str]) -> None:
    """As in a checkout that nobody has set up: one sentence, status 2."""
    begin = (
        "import pathlib, lastnose.companion.i18n as ours; ours.files = lambda _: pathlib.Path('/nowhere'); "
    )
    command = [
        sys.executable,
        "-c",
        begin + "from lastnose.companion.cli import main; main()",
        "games",
        *words,
    ]
    env = {name: value for name, value in os.environ.items() if name not in ("LANGUAGE", "LC_ALL")}
    told = subprocess.run(command, env=env | {"LANG": spoken}, capture_output=True, text=True, check=False)
    file = "/nowhere/locale/fr/LC_MESSAGES/messages.mo"
    said = f"Error: {file} is missing: type “make setup” to compile the translations.\n"
    assert (2, "", said) == (told.returncode, told.stdout, told.stderr)


def test_what_a_terminal_has_no_sign_for_ends_no_command() -> None:
    """A terminal that knows Latin letters alone shows a question mark; JSON is UTF-8 all the same."""
    command = [sys.executable, "-m", "lastnose.companion.cli"]
    env = {**os.environ, "PYTHONIOENCODING": "latin-1"}

    def told(*words: str) -> bytes:
        return subprocess.run([*command, *words], env=env, capture_output=True, check=True).stdout

    assert "Change somebody?s name" in told("--help", "--lang", "en").decode("latin-1")
    games = json.loads(told("games", "--json", "--lang", "bs").decode("utf-8"))
    assert "č" in json.dumps(games, ensure_ascii=False)


@pytest.mark.parametrize("zone", ["/", __file__, "Nowhere/At all"])
def test_a_zone_that_is_none_ends_no_command(zone: str) -> None:
    """In a process of its own: babel looks once."""
    words = [sys.executable, "-m", "lastnose.companion.cli", "deal", "quiz", "--players", "4", "--lang", "en"]
    env = {**os.environ, "TZ": zone}
    told = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    assert (0, "There is nothing to do.\n", "") == (told.returncode, told.stdout, told.stderr)
