"""What the pages are made of: sentences that can be translated, nothing inline, nothing from elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from lastnose.web import bundle, page
from lastnose.web.page import words_of

from tests.support.phones import Phone, make_app

WEB = Path(__file__).parent.parent.parent / "web"
SCRIPTS = sorted((WEB / "static").rglob("*.js"))
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
    scripts = {script.relative_to(WEB / "static").as_posix() for script in SCRIPTS}
    assert scripts == set().union(*map(page.scripts_of, PAGES))
    for script in SCRIPTS:
        for imported in imported_by(script):
            assert WEB / "static" / imported in SCRIPTS, (script.name, imported)


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
    for script in SCRIPTS:
        room, *rest = script.relative_to(WEB / "static").parts
        for imported in imported_by(script):
            target = Path(imported).parts
            own = room == "pages" and target[:2] == ("pages", rest[0].removesuffix(".js"))
            assert own or target[0] in may.get(room, (*may,)), (script.name, imported)


def test_scripts_say_nothing_but_through_t() -> None:
    """`t` is called with a plain string each time, so that no sentence hides from the list."""
    for script in SCRIPTS:
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
    for source in (*SCRIPTS, *STYLES):
        text = source.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert [] == re.findall(r"https?://|@import (?!\"\.)|url\((?!data:)", text), source.name
        imported = re.findall(r'(?:from|import) "(.*?)"', text)
        assert all(name.startswith(("./", "../")) for name in imported), source.name
