"""README and documents are true: links lead somewhere, examples run, pins and kits are the profiles'."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import tomllib
from pathlib import Path

import msgspec
import pytest
from babel.messages.pofile import read_po
from lastnose.companion.core.ports import TableNews
from lastnose.companion.link import engine
from lastnose.companion.table.replay import replay, rounds
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing.tape import read_tape
from lastnose.companion.views.news import news, values
from lastnose.companion.wiring.profile import built_in_profiles, load_profile
from lastnose.companion.wiring.wires import SEAT_COLOURS
from PIL import Image

from tests.support.documents import DOCS, PAGES, ROOT, fences
from tests.support.fakes import VERDICT
from tests.support.halls import need_server
from tests.support.phones import Phone, make_app
from tests.support.tables import AnsweringTable
from tools.catalogues import catalogues, read_catalogue

README, BOX, BUILD = PAGES["README.md"], PAGES["docs/box/index.md"], PAGES["docs/box/build.md"]
PICTURES = [path for path in (DOCS / "pictures").iterdir() if path.suffix in {".png", ".webp"}]
MB = 1_000_000


def anchors(path: Path) -> set[str]:
    """Return what may stand behind the # of a link to the page at *path*."""
    titles = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_readme_is_read_in_five_minutes() -> None:
    """120 lines and 900 words; what is more belongs to the documents."""
    assert README.count("\n") <= 120
    assert len(README.split()) <= 900


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    """Pages, their headings, pictures and files; and to nothing outside."""
    missing = []
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", PAGES[page])):
        assert "://" not in target, target
        file, _, heading = target.partition("#")
        path = ROOT / Path(page).parent / file if file else ROOT / page
        if not path.exists() or (heading and heading not in anchors(path)):
            missing.append(target)
    assert [] == missing


def test_every_page_is_in_a_table_of_contents() -> None:
    """What nobody leads to, nobody reads."""
    listed = set()
    for page, written in PAGES.items():
        for inside in re.findall(r"```{toctree}\n(.*?)```", written, re.DOTALL):
            names = re.findall(r"^[a-z][\w/-]+$", inside, re.MULTILINE)
            listed |= {(Path(page).parent / f"{name}.md").as_posix() for name in names}
    assert {page for page in PAGES if page.startswith("docs/")} - {"docs/index.md"} == listed


def test_every_file_and_folder_named_is_there() -> None:
    """In backticks, where it looks like ours."""
    named = {
        (page, path)
        for page, written in PAGES.items()
        for path in re.findall(r"`((?:companion|hardware|tests|web|firmware|docs|tools)/[\w./-]+)`", written)
    }
    assert len(named) >= 20
    assert [] == [(page, path) for page, path in named if not (ROOT / path).exists() and "yours" not in path]


def test_pictures_are_small_and_each_is_shown() -> None:
    """The moving ones a megabyte each, all together five; none lies there for nothing."""
    assert sum(path.stat().st_size for path in PICTURES) <= 5 * MB
    shown = "".join(PAGES.values())
    english = [path.name.replace(".fr.", ".") for path in PICTURES]
    assert [] == [name for name in english if f"pictures/{name}" not in shown]
    moving = [path for path in PICTURES if path.suffix == ".webp"]
    assert ["verdict.fr.webp", "verdict.webp"] == sorted(path.name for path in moving)
    for path in moving:
        assert path.stat().st_size <= MB
        with Image.open(path) as picture:
            assert getattr(picture, "n_frames", 1) > 5


def translations() -> list[tuple[str, str]]:
    """Return each sentence of the documents that is translated, with what it became."""
    found = []
    for path in sorted((DOCS / "locale").rglob("*.po")):
        with path.open("rb") as stream:
            found += [(str(one.id), str(one.string)) for one in read_po(stream) if one.id]
    return found


def test_french_is_spaced_as_it_is_printed() -> None:
    """No line breaks before a colon or behind a guillemet; code stays as it is typed."""
    said = [re.sub(r"`[^`]*`|!\[|\]\(.*?\)", "`", french) for _, french in translations()]
    assert len(said) >= 300
    assert [] == [one for one in said if re.search(r" [;:!?»%]|« |[^\u00a0]»|«[^\u00a0]", one)]


def test_every_link_in_french_is_one_of_the_english() -> None:
    """A translated sentence leads to the same places."""
    led = [[sorted(re.findall(r"\]\(([^)\s]+)\)", side)) for side in pair] for pair in translations()]
    assert [] == [pair for pair in led if pair[0] != pair[1]]


def test_a_button_is_called_in_french_as_it_stands_on_the_page() -> None:
    """What an English page has in *slanted letters* and the catalogue knows."""
    labels = re.compile(r"(?<![*\w])\*([^*\n]+)\*(?![*\w])")
    ours = {one.id: one.string for one in read_catalogue(catalogues()["fr"])}
    named = [
        (one, ours[one], said)
        for english, said in translations()
        for one in labels.findall(english)
        if one in ours
    ]
    assert len(named) >= 20
    assert [] == [(one, is_, said) for one, is_, said in named if is_ not in labels.findall(said)]


def test_french_has_none_of_the_words_that_no_text_may_have() -> None:
    """Those of `tests/i18n/words.toml`, where people read more than a line."""
    words = tomllib.loads((ROOT / "tests" / "i18n" / "words.toml").read_text(encoding="utf-8"))
    never = re.compile("|".join(words["forbidden"]["fr"]), re.IGNORECASE)
    assert [] == [said for _, said in translations() if never.search(said)]


@pytest.mark.parametrize("name", [name for name in built_in_profiles() if name.startswith("home")])
def test_who_builds_is_told_the_group_of_each_bus_that_a_kit_uses(name: str) -> None:
    """Raspberry Pi OS gives i2c and spi to the groups of those names."""
    (groups,) = re.findall(r"usermod -aG (\S+) \$USER", BOX)
    switched_on = re.findall(r"dtparam=(i2c|spi)", " ".join(load_profile(name).config_lines()))
    assert {"gpio", *switched_on} <= set(groups.split(","))


def test_every_example_in_python_runs() -> None:
    """Its assertions are part of it; a test gets the table that it asks for."""
    examples = fences("python")
    assert {"README.md", "docs/program/index.md"} <= {page for page, _ in examples}
    for page, example in examples:
        names: dict[str, object] = {}
        exec(compile(example, page, "exec"), names)
        for name, value in names.items():
            if name.startswith("test_") and callable(value):
                value(*(Scenario() for _ in inspect.signature(value).parameters))


def test_the_tape_of_the_documents_is_judged() -> None:
    """South was last, 0.412 ms behind East."""
    ((_, written),) = fences("json")
    assert 6 == len([json.loads(line) for line in written.splitlines()])
    (told,) = rounds(replay(read_tape(written.splitlines())))
    assert ([3], 412_000) == (list(told["last"]), told["margin_ns"])


def test_the_message_server_takes_the_file_of_the_documents(tmp_path: Path) -> None:
    """With addresses of this machine in the place of the names."""
    need_server()
    files = [inside for page, inside in fences("text") if page == "docs/event/far.md"]
    assert 1 == len(files)
    (tmp_path / "accounts.conf").write_text("accounts { HALL { jetstream: enabled } }", encoding="utf-8")
    for written in files:
        here = written
        for number, name in enumerate(("A", "B", "C"), start=1):
            here = re.sub(rf'(["@/]){name}:', rf"\g<1>127.0.0.{number}:", here)
        (tmp_path / "server.conf").write_text(here, encoding="utf-8")
        words = [engine.find_server(), "-t", "-c", "server.conf"]
        said = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert 0 == said.returncode, said.stderr


def the_news() -> TableNews:
    """Return what neighbours hear of a verdict."""
    return news("verdict", VERDICT, at=100.0, table="Table 4", say=str)


def test_the_body_that_a_hook_is_said_to_get_is_one() -> None:
    """Each field has its name and its kind; what is left out there is in what is sent."""
    (body,) = (inside for page, inside in fences("text") if page == "docs/program/hooks.md")
    shown, sent = json.loads(body), msgspec.to_builtins(the_news())
    assert {*shown} <= {*sent}
    assert shown["standings"][0].keys() == sent["standings"][0].keys()
    read = msgspec.convert({**sent, **shown}, TableNews)
    assert (412_000, ("South",)) == (read.margin_ns, read.who)


@pytest.mark.parametrize(
    ("page", "named", "more"),
    [("companion", "`lastnose_([a-z_0-9]+)`", {"event"}), ("mqtt", "`([a-z/0-9]+)`(?=[^|\n]*\\| )", set())],
)
def test_what_neighbours_are_said_to_be_told_is_what_they_are_told(
    page: str, named: str, more: set[str]
) -> None:
    """Companion's variables, and the topics of MQTT, those of one seat for all."""
    told = {name for name in values(the_news()) if not re.search(r"seat/[^3]", name)} | more
    if page == "companion":
        told = {name.replace("/", "_") for name in told}
    assert told <= {*re.findall(named, PAGES[f"docs/program/{page}.md"])}


def test_the_buttons_of_companion_do_what_they_say() -> None:
    """As they stand in the table, one after the other, at a table that has judged a round."""
    buttons = re.findall(r"`(/api/v1/\w+)` \| `({.*?})` \|", PAGES["docs/program/companion.md"])
    table = Scenario("pig", ["North", "East", "South"])
    for at_us, player in enumerate(["North", "East", "South"]):
        table.press(player, at_us=at_us * 300)
    table.judge()
    host = Phone(make_app(table=AnsweringTable(table.table)))
    asked = [(path, json.loads(body)) for path, body in buttons]
    assert ["arm", "void", "undo"] == [body["type"] for _, body in asked]
    for path, body in asked:
        answer = host.post(path, body)
        assert 200 == answer.status_code, answer.get_data(as_text=True)


@pytest.mark.parametrize("name", ["home4", "home6", "home8"])
def test_the_pins_are_those_of_the_profile(name: str) -> None:
    """Noses in the order of the seats, the host button, and the cradles."""
    found = re.search(rf"`{name}` \| ([\d ]+) \| (\d+) \|", BOX)
    assert found is not None
    profile = load_profile(name)
    assert tuple(int(pin) for pin in found.group(1).split()) == profile.pins.noses
    assert int(found.group(2)) == profile.pins.host
    cradles = re.search(rf"`{name}`: ([\d ]+)", BOX)
    assert cradles is not None
    assert tuple(int(pin) for pin in cradles.group(1).split()) == profile.pins.spoons


def test_every_kit_has_its_row_and_its_page() -> None:
    """A profile that comes along can be built from the manual."""
    rows = re.findall(r"^\| `([\w-]+)` \| ", BUILD, re.MULTILINE)
    kits = sorted(name for name in built_in_profiles() if name != "mock")
    assert kits == sorted(rows)
    for name in kits:
        assert f"# {name}\n\n```{{kit}} {name}\n```\n" == PAGES[f"docs/box/kits/{name}.md"]


def test_colours_are_those_of_the_drawing() -> None:
    """Nose 1 is brown, and so on to 8."""
    said = re.search(r"Nose 1 is (\w+), (.*?)\.\n", BUILD, re.DOTALL)
    assert said
    others = re.findall(r"\d (\w+)", said[2])
    assert [str(name) for name, _ in SEAT_COLOURS[:8]] == [said[1], *others]


def test_steps_are_numbered_and_each_has_a_check() -> None:
    """Twelve of each."""
    steps = re.findall(r"^(\d+)\. \*\*", BUILD, re.MULTILINE)
    assert [str(number) for number in range(1, 13)] == steps
    assert len(steps) == BUILD[BUILD.index("## Step by step") :].count("*Check:*")


def test_the_pages_of_the_table_link_to_nothing_outside() -> None:
    """Whoever plays without a network is led nowhere."""
    led = {
        (path.name, address)
        for kind in ("*.html", "*.js", "*.css")
        for path in (ROOT / "web").rglob(kind)
        for address in re.findall(r"https?://[\w.]+\w", path.read_text(encoding="utf-8"))
    }
    assert set() == {(name, address) for name, address in led if address != "http://www.w3.org"}
