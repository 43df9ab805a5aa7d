"""What the journal tells of an installation: the steps so far, and how a file would be without them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion.core.errors import BadInput, reason
from companion.core.text import Text, text
from companion.system.config_txt import without_block
from companion.system.install.steps import Done, Record
from companion.system.install.templates import PREFIX

JOURNAL = f"{PREFIX}/installed.json"
ENCODING = {"encoding": "utf-8", "errors": "surrogateescape"}


def read_record(root: Path) -> Record | None:
    """Return the journal below *root*, None when nothing is installed; raise BadInput for a damaged one."""
    path = below(root, JOURNAL)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(text("{file} cannot be read: {why}.", file=str(path), why=reason(error))) from None
    except msgspec.MsgspecError as error:
        raise BadInput(
            text("{file} is damaged ({why}): put it right by hand.", file=str(path), why=str(error))
        ) from None


def current(root: Path, path: str, record: Record | None) -> str | None:
    """Return the text of a file as it would be without us, None when there is none."""
    try:
        content = below(root, path).read_bytes().decode(**ENCODING)
    except OSError:
        return None
    done = record.get(f"change {path}") if record is not None else None
    return without(content, done) if done is not None else content


def what_undoing_says(record: Record) -> list[Text]:
    """Return what taking everything back would say, where nobody has changed anything since."""
    said: list[Text] = []
    for done in reversed(record.done):
        if done.undo_says is not None:
            said.append(done.undo_says)
        elif done.path is not None and done.inserted is not None:
            said.append(text("Put {path} back as it was.", path=done.path))
        elif done.path is not None:
            said.append(text("Take away {path}.", path=done.path))
    return said


def without(content: str, done: Done) -> str:
    """Return a changed file without our change, however the rest has been changed."""
    inserted, replaced = done.inserted or "", done.replaced or ""
    if inserted and inserted in content:
        at = content.rindex(inserted)
        return content[:at] + replaced + content[at + len(inserted) :]
    return without_block(content)


def below(root: Path, path: str) -> Path:
    """Return where *path* of the machine lies below *root*."""
    return root / path.lstrip("/")
