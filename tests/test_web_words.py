"""What the pages are made of: sentences that can be translated, nothing inline, nothing from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

WEB = Path(__file__).parent.parent / "web"
SCRIPTS = sorted((WEB / "static").glob("*.js"))
TEMPLATES = sorted((WEB / "templates").glob("*.html"))
STYLES = sorted((WEB / "static").glob("*.css"))
SAID = re.compile(r'(?<![\w.])t\(\s*"((?:[^"\\]|\\.)*)"')
TAG = re.compile(
    r"{% block layout.*?endblock %}|{%.*?%}|{{.*?}}|{#.*?#}|<script.*?</script>|<[^>]*>", re.DOTALL
)


def said() -> set[str]:
    """Return every sentence that a script says."""
    return {sentence for script in SCRIPTS for sentence in SAID.findall(script.read_text("utf-8"))}


def test_the_page_hands_its_scripts_every_sentence_they_say() -> None:
    """`words.html` has what `t()` is called with, no more and no less, and hands it to gettext unchanged."""
    template = (WEB / "templates/words.html").read_text("utf-8")
    listed = re.findall(r'^  "(.*?)": _\("(.*?)"\),?$', template, re.MULTILINE)
    assert all(key == message for key, message in listed)
    assert said() == {key for key, _ in listed}


def test_scripts_say_nothing_but_through_t() -> None:
    """`t` is called with a plain string each time, so that no sentence hides from the list."""
    for script in SCRIPTS:
        calls = re.findall(r"(?<![\w.])t\(", script.read_text("utf-8"))
        found = SAID.findall(script.read_text("utf-8"))
        assert len(calls) - ("export function t(" in script.read_text("utf-8")) == len(found), script.name


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_template_has_no_sentence_outside_gettext(template: Path) -> None:
    """What is left without tags and expressions is the name of the thing, and signs."""
    left = TAG.sub(" ", template.read_text("utf-8")).replace("Last Nose", "")
    assert [] == re.findall(r"[A-Za-zÀ-ÿ]{2,}", left)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_template_keeps_to_the_content_policy(template: Path) -> None:
    """No inline script, handler or style, nothing from another host."""
    source = template.read_text("utf-8")
    assert [] == re.findall(r"<script(?![^>]*(?:src=|application/json))[^>]*>", source)
    assert [] == re.findall(r"<[^>{%]*\s(?:style|on\w+)\s*=", source)
    assert [] == re.findall(r"(?:https?:)?//\w[\w.-]*\.\w+", source)


def test_scripts_and_styles_load_nothing_from_elsewhere() -> None:
    """Imports are neighbours, colours are ours; the only address is the name of SVG."""
    for source in (*SCRIPTS, *STYLES):
        text = source.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert [] == re.findall(r"https?://|@import|url\((?!data:)", text), source.name
        assert all(name.startswith("./") for name in re.findall(r'(?:from|import) "(.*?)"', text)), (
            source.name
        )


def test_every_script_that_is_imported_is_there() -> None:
    """And every one that is there is used by a page or by another script."""
    names = {script.name for script in SCRIPTS}
    sources = "".join(script.read_text("utf-8") for script in SCRIPTS)
    imported = set(re.findall(r'"\./([\w-]+\.js)"', sources))
    pages = {
        f"{name}.js" for name in ("table", "setup", "board", "history", "round", "join", "help", "statistics")
    }
    assert names == imported | pages
