"""A page's modules joined to one script: what it does, where its lines come from, what ours must not do."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from lastnose.web import bundle

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
