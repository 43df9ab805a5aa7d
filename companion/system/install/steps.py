"""The steps of an installation as values, and what is written down of each so that it can be taken back."""

from __future__ import annotations

import msgspec

from companion.core.text import Text
from companion.system.install.request import Before, Wish

Command = tuple[str, ...]


class WriteFile(msgspec.Struct, frozen=True):
    """Write a file of our own; what is secret is not shown."""

    says: Text
    path: str
    content: str
    mode: int = 0o644
    secret: bool = False

    @property
    def key(self) -> str:
        """What it is known by from one installation to the next."""
        return f"file {self.path}"


class EditFile(msgspec.Struct, frozen=True):
    """Change somebody else's file: *replaced* becomes *inserted*, once; nothing means the file's end."""

    says: Text
    path: str
    replaced: str
    inserted: str
    ask: bool = False

    @property
    def key(self) -> str:
        """What it is known by."""
        return f"change {self.path}"

    def applied(self, content: str) -> str:
        """Return *content* with the change made."""
        return content.replace(self.replaced, self.inserted, 1) if self.replaced else content + self.inserted


class MakeLink(msgspec.Struct, frozen=True):
    """Make a symbolic link."""

    says: Text
    path: str
    target: str

    @property
    def key(self) -> str:
        """What it is known by."""
        return f"link {self.path}"


class Do(msgspec.Struct, frozen=True):
    """Run commands. They are not run again while `state` stays the same.

    Taking back means to run `undo` and to remove the folders `trees`. `may_fail`: it only makes a program
    read files again that it reads at its next start in any case.
    """

    says: Text
    name: str
    run: tuple[Command, ...] = ()
    undo: tuple[Command, ...] = ()
    undo_says: Text | None = None
    trees: tuple[str, ...] = ()
    state: str = ""
    may_fail: bool = False

    @property
    def key(self) -> str:
        """What it is known by."""
        return f"do {self.name}"


class LeaveAsIs(msgspec.Struct, frozen=True):
    """Leave what an earlier installation did as it is."""

    key: str


Step = LeaveAsIs | WriteFile | EditFile | MakeLink | Do


class Done(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of a step that was begun.

    `state` is what was written (a checksum) or run, empty while it is unfinished; `copy` keeps what was there
    before; `ran` tells whether commands were run at all.
    """

    key: str
    path: str | None = None
    state: str = ""
    copy: str | None = None
    replaced: str | None = None
    inserted: str | None = None
    undo: tuple[Command, ...] = ()
    undo_says: Text | None = None
    trees: tuple[str, ...] = ()
    ran: bool = False
    may_fail: bool = False


class Record(msgspec.Struct, frozen=True):
    """The journal: what was wished, what was there before, and every step in its order.

    `folders` were made for files of ours.
    """

    wish: Wish
    before: Before
    done: tuple[Done, ...] = ()
    folders: tuple[str, ...] = ()
    version: int = 1

    def get(self, key: str) -> Done | None:
        """Return what is known of a step, None when it was never begun."""
        return next((done for done in self.done if done.key == key), None)
