"""What pages are made of: scripts and styles, joined and squeezed, their sentences, their way to a page."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from lastnose.web import bundle, page
from lastnose.web.bundle import squeezed
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
            assert original.removeprefix("export ").endswith(text.rstrip()), (text, original)
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


SOURCES = sorted((*STATIC.rglob("*.js"), *STATIC.rglob("*.css")))


def test_every_source_can_be_squeezed() -> None:
    """No string goes over several lines, and each line is there still, or was a comment."""
    assert SOURCES
    for source in SOURCES:
        is_squeezed(source)


def is_squeezed(source: Path) -> None:
    """Compare *source* with what it is squeezed to, line by line."""
    text = source.read_text("utf-8")
    lines, made = text.split("\n"), squeezed(text, source.suffix).split("\n")
    assert len(lines) == len(made), source
    assert "@param" not in "".join(made), source
    if source.suffix == ".js":
        assert all(line.count("`") % 2 == 0 for line in lines), f"a string over lines of {source}"
    inside = False
    for line, left in zip(lines, made, strict=True):
        begins = re.match(r"\s*(/\*|//)", line) is not None
        if inside or begins:
            assert line.strip().endswith(left), source
            inside = "*/" not in line if (inside or line.lstrip().startswith("/*")) else False
        else:
            assert line.strip() == left.rstrip(), source


READ_ALL = """
const scripts = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
for (const [name, script] of Object.entries(scripts)) {
  new (require("node:vm").SourceTextModule)(script, { identifier: name });
}
console.log(Object.keys(scripts).length);
"""


def test_a_squeezed_script_is_still_one() -> None:
    """Node reads every one of them."""
    if shutil.which("node") is None:
        pytest.skip("scripts cannot be read: install node")
    sources = [one for one in SOURCES if one.suffix == ".js"]
    scripts = {str(one.relative_to(STATIC)): squeezed(one.read_text("utf-8"), ".js") for one in sources}
    command = ["node", "--experimental-vm-modules", "--eval", READ_ALL]
    for added, status in (("", 0), ("if (", 1)):
        broken = {**scripts, "last.js": added}
        done = subprocess.run(command, input=json.dumps(broken), capture_output=True, text=True, check=False)
        assert status == done.returncode, done.stderr
    assert "last.js" in done.stderr


def test_what_is_served_is_squeezed_typed_and_asked_for_again_only_when_it_changed() -> None:
    """The icon goes as it is; what is not there is not found, and nothing above the folder is."""
    phone = Phone(make_app())
    script = phone.get("/static/lib/dom.js")
    assert "text/javascript; charset=utf-8" == script.content_type
    assert "@param" not in script.get_data(as_text=True)
    assert "no-cache" == script.headers["Cache-Control"]
    assert 304 == phone.get("/static/lib/dom.js", If_None_Match=script.headers["ETag"]).status_code
    assert "text/css; charset=utf-8" == phone.get("/static/site.css").content_type
    assert (STATIC / "nose.svg").read_bytes() == phone.get("/static/nose.svg").data
    for wrong in ("/static/nothing.js", "/static/lib", "/static/../app.py", "/static/%2e%2e/app.py"):
        assert 404 == phone.get(wrong).status_code, wrong


def test_what_is_made_for_a_page_is_kept_for_ever_under_its_version() -> None:
    """The page's address changes with the content; without it the browser asks each time."""
    phone = Phone(make_app())
    page = phone.get("/").get_data(as_text=True)
    found = re.search(r'src="(/made/table\.js)\?v=([0-9a-f]{12})"', page)
    assert found
    first = phone.get(f"{found[1]}?v={found[2]}", Accept_Encoding="gzip")
    assert "gzip" == first.headers["Content-Encoding"]
    assert "immutable" in first.headers["Cache-Control"]
    plain = phone.get(found[1], Accept_Encoding="identity")
    assert "no-cache" == plain.headers["Cache-Control"]
    assert plain.data == gzip.decompress(first.data)
    assert 304 == phone.get(found[1], If_None_Match=plain.headers["ETag"]).status_code
    assert "Accept-Encoding" in plain.headers["Vary"]
    for wrong in ("/made/nothing.js", "/made/table.txt", "/made/../app.py", "/made/.js"):
        assert 404 == phone.get(wrong).status_code, wrong


def test_a_page_goes_packed_to_who_can_read_that() -> None:
    """And as it is to who cannot."""
    phone = Phone(make_app())
    packed, plain = phone.get("/join", Accept_Encoding="gzip"), phone.get("/join")
    assert "gzip" == packed.headers["Content-Encoding"]
    assert "Content-Encoding" not in plain.headers
    assert b"</html>" in gzip.decompress(packed.data)
    assert b"</html>" in plain.data


WEB = Path(__file__).parent.parent.parent / "web"
WRITTEN = sorted((WEB / "static").rglob("*.js"))
TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
PAGES = (
    "host",
    "devices",
    "door",
    "table",
    "setup",
    "board",
    "history",
    "round",
    "appeal",
    "overlay",
    "join",
    "help",
    "selftest",
    "statistics",
    "nose",
    "rules",
    "zero",
    "away",
    "hall-desk",
    "hall-board",
    "hall-where",
    "hall-standings",
    "hall-overlay",
    "hall-cards",
    "hall-signs",
    "hall-winners",
    "hall-lists",
    "hall-results",
    "hall-certificates",
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
