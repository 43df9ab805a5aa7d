"""What pages are made of: modules joined to one script, sentences that can be translated, nothing inline."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from lastnose.web import bundle, page
from lastnose.web.page import words_of

from tests.support.phones import Phone, make_app

STATIC = Path(__file__).parents[2] / "web" / "static"
SCRIPTS = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js"))
DIGITS = {
    sign: value
    for value, sign in enumerate(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}


def house(folder: Path, **files: str) -> None:
    """Write scripts into *folder*; "a_b" is a/b.js."""
    for name, source in files.items():
        path = folder / f"{name.replace('_', '/')}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, "utf-8")


def test_joined_modules_do_what_they_did_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Node runs both and they say the same: each module once, in the order of imports, late ones late."""
    if shutil.which("node") is None:
        pytest.skip("scripts cannot be run: install node")
    house(
        tmp_path,
        pages_p="""import {
  a as one,
  Two,
} from "../lib/x.js";
import * as all from "../lib/x.js";
import "../lib/y.js";
console.log("p", one, new Two().n, Object.keys(all).sort().join());
const late = () => import("../lib/z.js");
console.log("before");
console.log((await late()).z());
console.log((await import("../lib/z.js")).z());
""",
        lib_x="""import { log } from "./y.js";
/** Why. */
export const a = 1;
export class Two {
  n = 2;
}
export async function later() {}
log("x");
""",
        lib_y="""export function log(said) {
  console.log(said);
}
log("y");
""",
        lib_z="""console.log("z begins");
let n = 0;
export const z = () => ++n;
""",
    )
    (tmp_path / "package.json").write_text('{"type":"module"}')
    monkeypatch.setattr(bundle, "STATIC", tmp_path)
    made, _ = bundle.script("pages/p.js", "p.js.map")
    # A page's own module may wait at its top in a browser; joined, it is a function that may not.
    (tmp_path / "joined.js").write_text(made.replace('"pages/p.js"()', 'async "pages/p.js"()'))
    apart, joined = (
        subprocess.run(["node", tmp_path / name], capture_output=True, text=True, check=True).stdout
        for name in ("pages/p.js", "joined.js")
    )
    assert apart == joined
    assert ["y", "x", "p 1 2 Two,a,later", "before", "z begins", "1", "2"] == apart.splitlines()


def numbers(segment: str) -> list[int]:
    """Return the numbers of a segment of a source map."""
    found, value, shift = [], 0, 0
    for sign in segment.encode():
        value |= (DIGITS[sign] & 31) << shift
        shift += 5
        if not DIGITS[sign] & 32:
            found.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    return found


def test_every_line_of_a_joined_script_is_mapped_to_its_own() -> None:
    """A complaint names the file and the line that a developer sees."""
    made, mapped = bundle.script("pages/table.js", "table.js.map")
    lines, found = made.split("\n"), json.loads(mapped)
    source = line = checked = 0
    for text, segment in zip(lines, found["mappings"].split(";"), strict=False):
        if not segment:
            continue
        column, to_source, to_line, _ = numbers(segment)
        source, line = source + to_source, line + to_line
        original = (STATIC / found["sources"][source]).read_text("utf-8").split("\n")[line].strip()
        if (
            text
            and not re.match(r"(import|\}? ?from|const .*__need|.*\bas\b|\} = )", text)
            and "__" not in text
        ):
            plain, code = original.removeprefix("export "), text.rstrip()
            assert plain.endswith(code) or plain.startswith(f"{code} // "), (text, original)
            checked += 1
        assert 0 == column
    assert checked > 1000


def test_every_script_can_be_joined() -> None:
    """It exports what does not change, waits nowhere at its top, and is in no circle."""
    needs = {}
    for name in SCRIPTS:
        source = (STATIC / name).read_text("utf-8")
        assert not re.search(r"^export (let|var|default|\{|\*)", source, re.MULTILINE), name
        assert not re.search(r"^(await|const .*= await) ", source, re.MULTILINE), name
        made = bundle.module(source, name)
        assert not re.search(r"^(import|export)\b", made.body, re.MULTILINE), name
        needs[name] = made.at_once
    assert sorted(TopologicalSorter(needs).static_order()) == SCRIPTS


def test_styles_take_what_they_import_with_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each once, where it was asked for; a page without a style of its own has the site's."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "site.css").write_text('@import "./lib/a.css";\n@import "./lib/a.css";\nb {\n  c: d;\n}\n')
    (tmp_path / "lib" / "a.css").write_text("a {\n}\n")
    monkeypatch.setattr(bundle, "STATIC", tmp_path)
    assert "a{}b{c:d;}" == re.sub(r"\s", "", bundle.style("site.css", "pages/none.css"))


WEB = Path(__file__).parent.parent.parent / "web"
WRITTEN = sorted((WEB / "static").rglob("*.js"))
TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
PAGES = (
    *("host", "devices", "door", "table", "setup", "board", "history", "round", "appeal", "overlay"),
    *("join", "help", "selftest", "statistics", "nose", "rules", "zero", "away", "hall-desk", "hall-board"),
    *("hall-where", "hall-standings", "hall-overlay", "hall-cards", "hall-signs", "hall-winners"),
    *("hall-lists", "hall-results", "hall-certificates"),
)
STYLES = sorted((WEB / "static").rglob("*.css"))
TAG = re.compile(
    r"{% block layout.*?endblock %}|{%.*?%}|{{.*?}}|{#.*?#}|<script.*?</script>|<[^>]*>", re.DOTALL
)


def words_in(body: str) -> dict[str, str]:
    """Return what a page hands its scripts."""
    found = re.search(r'<script type="application/json" id="words">(.*?)</script>', body)
    assert found
    made = json.loads(found[1])
    assert isinstance(made, dict)
    return made


def test_a_script_gets_the_sentences_of_its_page_and_no_others() -> None:
    """`t` says nothing that is not handed over; what only another page says is not sent."""
    phone = Phone(make_app())
    board, setup = (
        words_in(phone.get(f"/{page}?lang=fr").get_data(as_text=True)) for page in ("board", "setup")
    )
    assert set(words_of("board")) == set(board)
    assert "Photo finish" in board
    assert "Move {player} up" not in board
    assert "Monter {player}" == setup["Move {player} up"]
    assert {} == words_in(phone.get("/board?lang=en").get_data(as_text=True))


def test_words_follow_imports_of_every_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`from`, a bare import, one that comes when it is needed, and round in a circle."""
    for name, source in {
        "pages/a": 'import {\n b\n} from "../lib/b.js";\nimport "./a/c.js"; t("a"); import("../games/d.js");',
        "lib/b": 'import "../pages/a.js"; t("b {n}", { n })',
        "pages/a/c": 't(\n  "c")',
        "games/d": 'put(t("d"))',
        "pages/e": 't("e")',
    }.items():
        (tmp_path / f"{name}.js").parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.js").write_text(source, "utf-8")
    monkeypatch.setattr(page, "STATIC", tmp_path)
    monkeypatch.setattr(bundle, "STATIC", tmp_path)
    assert ("a", "b {n}", "c", "d") == page.words_of.__wrapped__("a")


def imported_by(script: Path) -> tuple[str, ...]:
    """Return the paths that *script* imports, below `static`."""
    made = bundle.module(script.read_text("utf-8"), script.relative_to(WEB / "static").as_posix())
    return (*made.at_once, *made.perhaps)


def test_every_script_belongs_to_a_page() -> None:
    """So that no sentence stays behind; and every script that is imported is there."""
    scripts = {script.relative_to(WEB / "static").as_posix() for script in WRITTEN}
    assert scripts == set().union(*map(page.scripts_of, PAGES))
    for script in WRITTEN:
        for imported in imported_by(script):
            assert WEB / "static" / imported in WRITTEN, (script.name, imported)


def test_scripts_import_downwards_only() -> None:
    """`lib` knows nothing above it; photo finish, doubt, games in this order; a page its own parts only."""
    may = {
        "lib": ("lib",),
        "photo-finish": ("lib", "photo-finish"),
        "doubt": ("lib", "photo-finish", "doubt"),
        "games": ("lib", "photo-finish", "doubt", "games"),
        "result": ("lib", "photo-finish", "result"),
        "hall": ("lib", "photo-finish", "hall"),
    }
    for script in WRITTEN:
        room, *rest = script.relative_to(WEB / "static").parts
        for imported in imported_by(script):
            target = Path(imported).parts
            own = room == "pages" and target[:2] == ("pages", rest[0].removesuffix(".js"))
            assert own or target[0] in may.get(room, (*may,)), (script.name, imported)


def test_scripts_say_nothing_but_through_t() -> None:
    """`t` is called with a plain string each time, so that no sentence hides from the list."""
    for script in WRITTEN:
        source = script.read_text("utf-8")
        calls = re.findall(r"(?<![\w.])t\(", source)
        assert len(calls) - ("export function t(" in source) == len(page.said_in(source)), script.name


def test_a_template_has_no_sentence_outside_gettext() -> None:
    """What is left without tags and expressions is the name of the thing, and signs."""
    assert TEMPLATES
    for template in TEMPLATES:
        left = TAG.sub(" ", template.read_text("utf-8")).replace("Last Nose", "")
        assert [] == re.findall(r"[A-Za-zÀ-ÿ]{2,}", left), template


def test_a_template_keeps_to_the_content_policy() -> None:
    """No inline script, handler or style, nothing from another host."""
    for template in TEMPLATES:
        source = template.read_text("utf-8")
        assert [] == re.findall(r"<script(?![^>]*(?:src=|application/json))[^>]*>", source), template
        assert [] == re.findall(r"<[^>{%]*\s(?:style|on\w+)\s*=", source), template
        assert [] == re.findall(r"(?:https?:)?//\w[\w.-]*\.\w+", source), template


def test_scripts_and_styles_load_nothing_from_elsewhere() -> None:
    """Imports are neighbours, colours are ours; the only address is the name of SVG."""
    for source in (*WRITTEN, *STYLES):
        text = source.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert [] == re.findall(r"https?://|@import (?!\"\.)|url\((?!data:)", text), source.name
        imported = re.findall(r'(?:from|import) "(.*?)"', text)
        assert all(name.startswith(("./", "../")) for name in imported), source.name
