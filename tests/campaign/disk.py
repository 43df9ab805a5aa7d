"""The disk against the log: writes torn by a power cut, a full disk, damaged files, a clock that jumps.

A power cut is tried out on notes that a preloaded library (`torn.c`) took of every write, cut and sync: at
any moment each file has what was synced, and of what came after any part, in sectors of 512
bytes, in any order. That a file's name is in its folder is taken for granted.
"""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
from lastnose.companion.core.errors import CompanionError
from lastnose.companion.evening.log import Saved
from lastnose.companion.table.log_file import NAME
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.reader import LogReader
from lastnose.companion.table.rescue import open_store
from lastnose.companion.table.store import Store
from lastnose.companion.table.table import Table

from tests.campaign.figures import Figure, none_of, times

SECTOR = 512
WRITER = """
import os, random, sqlite3, sys
from contextlib import suppress
from pathlib import Path
from lastnose.companion.core.errors import StoreError
from lastnose.companion.evening.log import Saved
from lastnose.companion.table.store import Store
folder, chance = Path(sys.argv[1]), random.Random(int(sys.argv[2]))
store = Store(folder)
acknowledged = os.open(folder / "acknowledged", os.O_WRONLY | os.O_CREAT, 0o644)
full = 0
for n in range(int(sys.argv[3])):
    word = "W" * chance.choice([5, 300, 9000])
    event = Saved(by="host", at=float(n), name=str(n), game="pig", options={"word": word})
    while True:
        try:
            store.append(event)
            break
        except StoreError as problem:
            assert "is full" in str(problem), problem
            full += 1
            (folder / "room").touch()
    os.write(acknowledged, b"%d\\n" % n)
    if chance.random() < 0.02:
        with suppress(sqlite3.OperationalError):  # the disk may be full for that too
            store._db().execute("PRAGMA wal_checkpoint(PASSIVE)")
assert store.adrift is None
print(full)
os._exit(0)
"""


class Note(msgspec.Struct):
    """What was done to a file: W(rite), T(runcate) or S(ync)."""

    kind: str
    path: str
    offset: int
    data: bytes


def _preload(place: Path) -> Path | None:
    """Return the library that takes notes, None where it cannot be made."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        return None
    library = place / "torn.so"
    source = Path(__file__).with_name("torn.c")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


def _notes(file: Path) -> Iterator[Note]:
    raw, at = file.read_bytes(), 0
    while at < len(raw):
        kind, path, offset, length = struct.unpack_from("=4q", raw, at)
        at += 32
        name = raw[at : (at := at + path)].decode()
        data = raw[at : at + length] if chr(kind) == "W" else b""
        at += len(data)
        yield Note(chr(kind), Path(name).name, offset, data)


def _write(place: Path, library: Path, seed: int, events: int, room: int | None = None) -> tuple[Path, int]:
    folder = place / f"log-{seed}"
    folder.mkdir()
    env = {
        **os.environ,
        "LD_PRELOAD": str(library),
        "TORN_FOLDER": str(folder),
        "TORN_NOTES": str(place / f"notes-{seed}"),
        **({} if room is None else {"TORN_ROOM": str(room)}),
    }
    run = [sys.executable, "-c", WRITER, str(folder), str(seed), str(events)]
    done = subprocess.run(run, env=env, capture_output=True, text=True, check=True, timeout=300)
    return folder, int(done.stdout)


class Disk:
    """What is on the disk for certain, and what may be."""

    def __init__(self) -> None:
        self.sure: dict[str, bytearray] = {}
        self.waiting: dict[str, list[Note]] = {}

    def take(self, note: Note) -> None:
        """Do what was noted."""
        if note.kind != "S":
            self.waiting.setdefault(note.path, []).append(note)
            return
        for one in self.waiting.pop(note.path, []):
            self._apply(self.sure.setdefault(note.path, bytearray()), one)

    def _apply(self, file: bytearray, note: Note) -> None:
        if note.kind == "T":
            del file[note.offset :]
            file.extend(bytes(max(0, note.offset - len(file))))
            return
        file.extend(bytes(max(0, note.offset - len(file))))
        file[note.offset : note.offset + len(note.data)] = note.data

    def after_a_cut(self, chance: random.Random) -> dict[str, bytes]:
        """Return the files as a power cut may leave them now."""
        out = {path: bytearray(raw) for path, raw in self.sure.items()}
        for path, notes in self.waiting.items():
            file = out.setdefault(path, bytearray())
            for note in chance.sample(notes, len(notes)) if chance.random() < 0.5 else notes:
                if note.kind == "T":
                    if chance.random() < 0.5:
                        self._apply(file, note)
                    continue
                for at in range(0, len(note.data), SECTOR):
                    if chance.random() < 0.6:
                        part = note.data[at : at + SECTOR]
                        self._apply(file, Note("W", path, note.offset + at, part))
        return {path: bytes(raw) for path, raw in out.items()}


def torn(scale: float) -> Iterable[Figure]:
    """Cut the power at any write of a log, tearing what was not synced; full: 1,500 cuts."""
    chance, cuts = random.Random(2), times(scale, 1500, 30)
    lost = broken = done = promised = 0
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        library = _preload(place)
        if library is None:
            yield Figure("power cuts", "no C compiler, or no Linux", "a compiler", good=False)
            return
        for seed in range(times(scale, 10)):
            folder, _ = _write(place, library, seed, 200)
            notes = list(_notes(place / f"notes-{seed}"))
            share = -(-cuts // times(scale, 10))
            moments = set(chance.sample(range(len(notes)), min(share, len(notes))))
            disk, said = Disk(), 0
            for number, note in enumerate(notes):
                if note.path == "acknowledged":
                    said = int(note.data) + 1
                disk.take(note)
                if number in moments:
                    done += 1
                    promised += said > 0
                    found = _after(place / "cut", disk.after_a_cut(chance))
                    broken += found is None
                    lost += found is not None and found[:said] != list(range(said))
            shutil.rmtree(folder)
    yield none_of("power cut: acknowledged, and lost", lost, promised)
    yield none_of("power cut: logs that do not open, or needed a rescue", broken, done)


def _after(folder: Path, files: dict[str, bytes]) -> list[int] | None:
    """Return which events a table finds that starts after a power cut, None when its log is damaged."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in (NAME, f"{NAME}-wal"):
        if name in files:
            (folder / name).write_bytes(files[name])
    try:
        with closing(Store(folder)) as store:
            return [int(event.at) for _, event in store.events()]
    except CompanionError as problem:
        print("   ", problem)
        return None


def full(scale: float) -> Iterable[Figure]:
    """Fill the disk (ENOSPC from a preloaded library) at any byte, then make room; full: 60 times."""
    chance, count = random.Random(3), times(scale, 60, 3)
    lost = refused = 0
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        library = _preload(place)
        if library is None:
            yield Figure("disk full", "no C compiler, or no Linux", "a compiler", good=False)
            return
        for seed in range(count):
            folder, said = _write(place, library, seed, 60, room=chance.randint(60_000, 250_000))
            refused += said > 0
            with closing(LogReader(folder)) as reader:
                reader.must_be_sound()
                lost += [int(event.at) for _, event in reader.events()] != list(range(60))
            shutil.rmtree(folder)
            (place / f"notes-{seed}").unlink()
    yield none_of("disk full: evenings with an event lost or doubled", lost, count)
    yield Figure(
        "disk full: evenings that were told so", f"{refused} of {count}", "most", refused * 2 > count
    )


def damaged(scale: float) -> Iterable[Figure]:
    """Zero pages, flip bits, cut and mix up logs; full: 400 files."""
    chance, count = random.Random(4), times(scale, 400, 20)
    odd = unusable = wrong = entries = saved = 0
    with tempfile.TemporaryDirectory() as name:
        sound = Path(name) / "sound"
        with closing(Store(sound)) as store:
            for evening in range(3):
                if evening:
                    store.new_evening()
                for n in range(80):
                    store.append(
                        Saved(by="host", at=1.0, name=f"{n}", game="pig", options={"w": "W" * (n * 9)})
                    )
        raw = (sound / NAME).read_bytes()
        for number in range(count):
            folder = Path(name) / "damaged"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / NAME).write_bytes(_damage(raw, chance))
            try:
                store, _ = open_store(folder)
                with closing(store):
                    store.append(Saved(by="host", at=2.0, name="after", game="pig", options={}))
                with closing(LogReader(folder)) as reader:
                    made = {one.name for one in reader.variations()}
                    wrong += not made <= {*map(str, range(80)), "after"}
                    reader.must_be_sound()
                    rows = sum(1 for _ in _all(reader)) - 1
                entries, saved = entries + 240, saved + rows
            except CompanionError:
                unusable += 1
            except Exception as problem:
                print("   ", number, repr(problem))
                odd += 1
    yield none_of("damaged logs: anything but a sentence", odd, count)
    yield none_of("damaged logs: rescued, and saying what was never written", wrong, count)
    yield Figure(
        "damaged logs: not one entry could be read", f"{unusable} of {count}", "few", unusable < count / 5
    )
    share = 100 * saved / max(1, entries)
    yield Figure("damaged logs: entries that came through", f"{share:.1f} %", "≥ 80 %", share >= 80)


def _all(reader: LogReader) -> Iterator[int]:
    for evening in range(1, reader.evening + 1):
        reader.evening = evening
        yield from (seq for seq, _ in reader.events())


def _damage(raw: bytes, chance: random.Random) -> bytes:
    """Return *raw* as a dying card may give it back."""
    out, pages = bytearray(raw), len(raw) // 4096
    match chance.randrange(5):
        case 0:
            at = chance.randrange(pages) * 4096
            out[at : at + 4096] = bytes(4096)
        case 1:
            for _ in range(chance.randint(1, 40)):
                out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
        case 2:
            del out[chance.randrange(len(out) * 3 // 4, len(out)) :]
        case 3:
            one, other = (chance.randrange(pages) * 4096 for _ in range(2))
            out[one : one + 4096] = raw[other : other + 4096]
        case _:
            at = chance.randrange(len(out) // 512) * 512
            out[at : at + 512] = chance.randbytes(512)
    return bytes(out)


def clock(scale: float) -> Iterable[Figure]:
    """Let the time of day jump by years between any two events of an evening; full: 100 evenings."""
    chance, count = random.Random(5), times(scale, 100, 3)
    wrong = odd = 0
    from lastnose.companion.evening.commands import Finish, SaveVariation, Start

    for _ in range(count):
        store = MemoryStore()
        table = Table(
            store,
            ("nose.1", "nose.2", "nose.3"),
            clock_ns=lambda: 0,
            wall_s=lambda: chance.choice([0.0, -1e9, 1.7e9, 4e9, chance.uniform(-1e10, 1e11)]),
        )
        try:
            table.execute(Start("pig", ("N", "E", "S")), "host")
            for n in range(30):
                table.execute(SaveVariation(f"{n}", "pig"), "host")
            table.execute(Finish(), "host")
            asked = table.queries
            asked.export_csv(), asked.export_json(), asked.statistics()
            wrong += [seq for seq, _ in store.events()] != list(range(1, 33))
        except Exception as problem:
            print("   ", repr(problem))
            odd += 1
    yield none_of("clock jumps: evenings out of order", wrong, count)
    yield none_of("clock jumps: anything that failed", odd, count)
