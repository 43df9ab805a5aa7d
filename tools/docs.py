"""Make the site of `docs`: `python -m tools.docs` writes it into dist/docs, in French below `fr`.

A warning is an error. What is translated (TRANSLATED) is translated whole: a sentence that `docs/locale`
lacks is one, too, and said. `--update` merges what is new into the catalogues, with the hand of
`tools/catalogues.py`; `--messages` only says what they lack.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog
from babel.messages.pofile import read_po

from tools.catalogues import read_catalogue, write_catalogue

ROOT = Path(__file__).parent.parent
DOCS, SITE, TREES = ROOT / "docs", ROOT / "dist" / "docs", ROOT / ".cache" / "docs"
LANGUAGES = ("fr",)
TRANSLATED = ("index", "play", "box")


def sphinx(builder: str, to: Path, *more: str, trees: str) -> int:
    """Build `docs` and return the exit status; a warning is one."""
    words = (sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet", "-b", builder)
    return subprocess.run([*words, "-d", TREES / trees, *more, DOCS, to], cwd=ROOT, check=False).returncode


def wanted(folder: Path) -> dict[str, Catalog]:
    """Return what there is to translate, by the file of the catalogue."""
    if sphinx("gettext", folder, trees="gettext"):
        raise SystemExit(1)
    return {name: read_po((folder / f"{name}.pot").open("rb")) for name in TRANSLATED}


def catalogue(language: str, name: str) -> Path:
    """Return where the sentences of *name* are, in *language*."""
    return DOCS / "locale" / language / "LC_MESSAGES" / f"{name}.po"


def update(path: Path, template: Catalog) -> None:
    """Merge the sentences of *template* into the catalogue at *path*; what has gone is dropped."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = read_catalogue(path) if path.exists() else Catalog(locale=path.parent.parent.name, fuzzy=False)
    known = {message.id: message.string for message in made if message.id}
    for message_id in known.keys() - {message.id for message in template}:
        made.delete(message_id)
    for message in template:
        if message.id and message.id not in known:
            made.add(message.id, "")
    write_catalogue(path, made)


def missing(path: Path, template: Catalog) -> Iterator[str]:
    """Yield the sentences that the catalogue at *path* does not say."""
    said = {message.id: message.string for message in read_catalogue(path)} if path.exists() else {}
    yield from (str(message.id) for message in template if message.id and not said.get(message.id))


def check(*, merge: bool) -> int:
    """Say what the catalogues lack, after having merged what is new if wanted; return the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        templates = wanted(Path(folder))
    lacking = []
    for language in LANGUAGES:
        for name, template in templates.items():
            path = catalogue(language, name)
            if merge:
                update(path, template)
            lacking += [f"{path.relative_to(ROOT)}: {sentence}" for sentence in missing(path, template)]
    if lacking:
        print("\n".join(lacking))
        print(f"{len(lacking)} are not translated; --update puts them into the catalogues.")
    return 1 if lacking else 0


def main() -> int:
    """Make the site, or look after its catalogues; return the exit status."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--update", action="store_true", help="merge new sentences into docs/locale")
    options.add_argument("--messages", action="store_true", help="only say what docs/locale lacks")
    wish = options.parse_args()
    if wish.update or wish.messages:
        return check(merge=wish.update)
    failed = sphinx("html", SITE, trees="en")
    for language in LANGUAGES:
        failed |= sphinx("html", SITE / language, "-t", language, trees=language)
    failed |= check(merge=False)
    if not failed:
        print(f"The site begins with {(SITE / 'index.html').relative_to(ROOT)}.")
    return failed


if __name__ == "__main__":
    sys.exit(main())
