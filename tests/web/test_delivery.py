"""Scripts and styles on their way to a page."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from lastnose.web.bundle import squeezed

from tests.support.phones import Phone, make_app

STATIC = Path(__file__).parents[2] / "web" / "static"
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
            behind = line.strip().removeprefix(left.rstrip()).strip()
            assert behind == "" or behind.startswith("// "), source


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
