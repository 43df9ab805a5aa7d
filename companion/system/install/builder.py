"""Does the steps on a machine and takes them back: every step is in the journal before it is begun."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from companion.core.errors import CompanionError, reason
from companion.core.text import Text, text
from companion.system.install.journal import ENCODING, JOURNAL, below, without
from companion.system.install.steps import (
    Command,
    Do,
    Done,
    EditFile,
    LeaveAsIs,
    MakeLink,
    Record,
    Step,
    WriteFile,
)

COPY = ".before-lastnose"

Runner = Callable[[Command], None]
Say = Callable[[Text], None]


class InstallError(CompanionError):
    """A step that failed; what was done so far is in the journal."""


class Builder:
    """Works on the machine below *root*. *say* is told each step, *run* runs commands (or None does)."""

    def __init__(self, root: Path, record: Record, *, run: Runner | None, say: Say) -> None:
        self._root = root
        self._run = run
        self._say = say
        self._wished = msgspec.structs.replace(record, done=())
        self._done = {done.key: done for done in record.done}
        self._new: set[str] = set()

    def install(self, steps: Sequence[Step]) -> frozenset[str]:
        """Do what is not done yet, and take back what is wanted no more; return the keys of what was done.

        Raise InstallError at the first step that fails.
        """
        self._new.clear()
        self._keep()
        wanted = {step.key for step in steps}
        for key in [key for key in reversed(self._done) if key not in wanted]:
            self._undo(self._done[key])
        for step in steps:
            match step:
                case WriteFile():
                    self._write(step)
                case EditFile():
                    self._change(step)
                case MakeLink():
                    self._link(step)
                case Do():
                    self._do(step)
                case LeaveAsIs():
                    continue
        self._done = {step.key: self._done[step.key] for step in steps if step.key in self._done}
        self._keep()
        return frozenset(self._new & {step.key for step in steps if not isinstance(step, Do) or step.run})

    def uninstall(self) -> list[Text]:
        """Take everything back, the last first; return what could not be, which stays in the journal."""
        problems: list[Text] = []
        for done in reversed(tuple(self._done.values())):
            try:
                self._undo(done)
            except (CompanionError, OSError) as error:
                problems.append(
                    error.text
                    if isinstance(error, CompanionError)
                    else text("It cannot be taken back: {why}.", why=str(error))
                )
        if not problems:
            journal = below(self._root, JOURNAL)
            journal.unlink(missing_ok=True)
            _draft(journal).unlink(missing_ok=True)
            for folder in sorted(self._wished.folders, key=len, reverse=True):
                with contextlib.suppress(OSError):  # somebody has put something else into it
                    below(self._root, folder).rmdir()
        return problems

    # ---- one step

    def _write(self, step: WriteFile) -> None:
        path, old = below(self._root, step.path), self._done.get(step.key)
        content = step.content.encode(**ENCODING)
        if old is not None and old.state == _sum(content) and path.exists() and path.read_bytes() == content:
            return
        self._say(step.says)
        self._begin(self._first(step, path, old), state=_sum(content))
        _replace(path, content, step.mode)

    def _change(self, step: EditFile) -> None:
        path, old = below(self._root, step.path), self._done.get(step.key)
        now = path.read_bytes().decode(**ENCODING)
        before = now if old is None else without(now, old)
        content = step.applied(before)
        if old is not None and content == now:
            return
        self._say(step.says)
        state = _sum(content.encode(**ENCODING))
        first = self._first(step, path, old)
        self._begin(first, state=state, replaced=step.replaced, inserted=step.inserted)
        _replace(path, content.encode(**ENCODING), stat.S_IMODE(path.stat().st_mode))

    def _link(self, step: MakeLink) -> None:
        path, old = below(self._root, step.path), self._done.get(step.key)
        if old is not None and path.is_symlink() and str(path.readlink()) == step.target:
            return
        self._say(step.says)
        self._begin(self._first(step, path, old), state=step.target)
        path.unlink(missing_ok=True)
        path.symlink_to(step.target)

    def _do(self, step: Do) -> None:
        old = self._done.get(step.key)
        state = _sum(step.state.encode())
        live = self._run is not None
        if old is not None and old.ran == live and old.state == state:
            return
        if step.run:
            self._say(step.says)
        begun = Done(
            step.key,
            undo=step.undo,
            undo_says=step.undo_says,
            trees=step.trees,
            ran=live,
            may_fail=step.may_fail,
        )
        self._begin(begun)
        if self._run is not None:
            for command in step.run:
                self._try(command, may_fail=step.may_fail)
        self._begin(begun, state=state)

    def _try(self, command: Command, *, may_fail: bool) -> None:
        assert self._run is not None
        with contextlib.suppress(*((InstallError,) if may_fail else ())):
            self._run(command)

    def _undo(self, done: Done) -> None:
        """Take a step back, as far as it was done, and strike it out of the journal."""
        if done.undo_says is not None:
            self._say(done.undo_says)
        if done.ran and self._run is not None:
            for command in done.undo:
                # What was never done to its end may well not be there to be undone.
                self._try(command, may_fail=done.may_fail or not done.state)
        for tree in done.trees:
            shutil.rmtree(below(self._root, tree), ignore_errors=True)
        if done.path is not None:
            self._put_back(done, below(self._root, done.path))
        del self._done[done.key]
        self._keep()

    def _put_back(self, done: Done, path: Path) -> None:
        """Put back what was there before; what somebody has changed since stays changed, but for our part."""
        copy = None if done.copy is None else below(self._root, done.copy)
        for draft in (_draft(path), *(() if copy is None else (_draft(copy),))):
            draft.unlink(missing_ok=True)
        if copy is not None and not os.path.lexists(copy):
            return  # it was never begun
        if done.inserted is None:
            self._say(text("Take away {path}.", path=str(path)))
            path.unlink(missing_ok=True)
            if copy is not None:
                copy.rename(path)
            return
        if not path.exists():
            return
        now = path.read_bytes().decode(**ENCODING)
        if _sum(now.encode(**ENCODING)) == done.state and copy is not None and copy.exists():
            self._say(text("Put {path} back as it was.", path=str(path)))
            copy.replace(path)
            return
        rest = without(now, done)
        if rest != now:
            self._say(text("Take our part out of {path}; the rest has been changed since.", path=str(path)))
            _replace(path, rest.encode(**ENCODING), stat.S_IMODE(path.stat().st_mode))
        if copy is not None:
            copy.unlink(missing_ok=True)

    # ---- journal, copies and folders

    def _first(self, step: WriteFile | EditFile | MakeLink, path: Path, old: Done | None) -> Done:
        """Return what was there before *step*, and keep a copy of it; what an earlier run found, counts."""
        copy = path.with_name(path.name + COPY)
        kept = f"/{copy.relative_to(self._root)}" if os.path.lexists(path) else None
        begun = old or Done(step.key, step.path, copy=kept)
        new = self._note_folders(path)
        self._begin(begun)
        if begun.copy is not None and not os.path.lexists(copy):
            shutil.copy2(path, _draft(copy), follow_symlinks=False)
            _draft(copy).rename(copy)
        for folder in new:
            folder.mkdir(mode=0o755)
        return begun

    def _note_folders(self, path: Path) -> list[Path]:
        """Take note of the folders that are missing above *path* and return them, the outermost first."""
        new = [folder for folder in reversed(path.parents) if not folder.is_dir()]
        names = [f"/{folder.relative_to(self._root)}" for folder in new]
        self._wished = msgspec.structs.replace(
            self._wished, folders=tuple(dict.fromkeys((*self._wished.folders, *names)))
        )
        return new

    def _begin(self, done: Done, **more: object) -> None:
        self._new.add(done.key)
        self._done[done.key] = msgspec.structs.replace(done, **more)
        self._keep()

    def _keep(self) -> None:
        """Write the journal."""
        path = below(self._root, JOURNAL)
        for folder in self._note_folders(path):
            folder.mkdir(mode=0o755)
        record = msgspec.structs.replace(self._wished, done=tuple(self._done.values()))
        _replace(path, msgspec.json.format(msgspec.json.encode(record)) + b"\n", 0o644)


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _draft(path: Path) -> Path:
    """Return where a file is written before it takes its place: what a power cut leaves has a known name."""
    return path.with_name(f".{path.name}.lastnose")


def _replace(path: Path, content: bytes, mode: int) -> None:
    """Put *content* at *path* at one stroke, so that a power cut leaves the old or the new."""
    draft = _draft(path)
    try:
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(PermissionError):  # FAT, on which config.txt lies, has no modes
            draft.chmod(mode)
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise InstallError(
            text("{file} cannot be written: {why}.", file=str(path), why=reason(error))
        ) from error
