"""Our files onto a Pico: through its raw REPL, checked afterwards by the box's own greeting.

Or, onto a bare one, as one UF2 with MicroPython, which is copied onto its drive. Our files then lie in a file
system of littlefs 2.0, written here whole; so whatever lay on the board before is out of reach, and no old
file shadows a newer one. What the boot ROMs want: one family, blocks numbered through, the same total in
each, every 4 KiB sector filled, for the RP2040 erases by the *number* of a block (its erratum E14); the
RP2350 wants the official file's first block kept (erratum E10).

Sources: littlefs SPEC.md (v2.0); the UF2 specification (microsoft/uf2); pico-bootrom-rp2040 virtual_disk.c,
pico-bootrom-rp2350 usb_virtual_disk.c; MicroPython ports/rp2/boards (where files begin).
"""

from __future__ import annotations

import re
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from zlib import crc32

import msgspec
from lastnose.companion.core.errors import BadInput, DeviceError
from lastnose.companion.core.text import Text, english, text
from lastnose.hardware.box import protocol
from lastnose.hardware.box.ports import Port
from lastnose.hardware.box.protocol import Decoder, Hello

# What a release's UF2s are built with (Debian 13's) and all texts name; the firmware needs OLDEST.
MICROPYTHON = "1.25"
OLDEST = (1, 24)

# ---- UF2

MAGIC, MAGIC_2, MAGIC_END, HAS_FAMILY = 0x0A324655, 0x9E5D5157, 0x0AB16F30, 0x2000
BLOCK, PAYLOAD, SECTOR, FLASH = 512, 256, 4096, 0x10000000
ABSOLUTE = 0xE48BFF57  # the family of the RP2350's first block
RISCV = 0xE48BFF5A  # of programs for the RP2350's other pair of cores
_HEAD = struct.Struct("<8I")


class Board(msgspec.Struct, frozen=True):
    """A board of MicroPython's: its UF2 family, where its files begin in flash, how many blocks they have."""

    name: str
    family: int
    files_at: int
    blocks: int


BOARDS = {
    "RP2040": Board("RPI_PICO", 0xE48BFF56, 0x100A0000, 352),
    "RP2040 W": Board("RPI_PICO_W", 0xE48BFF56, 0x1012C000, 212),
    "RP2350": Board("RPI_PICO2", 0xE48BFF59, 0x10100000, 768),
    "RP2350 W": Board("RPI_PICO2_W", 0xE48BFF59, 0x10180000, 640),
}


class Image(msgspec.Struct, frozen=True):
    """A MicroPython UF2 as read: board, version, flash in pages of 256 bytes, blocks kept as they are."""

    board: Board
    version: str
    pages: dict[int, bytes]
    kept: tuple[bytes, ...]


def read_image(content: bytes) -> Image:
    """Return what a MicroPython UF2 holds; raise BadInput for any other file, or one that is too old."""
    if not content or len(content) % BLOCK:
        raise _no_uf2()
    pages: dict[int, bytes] = {}
    kept: list[bytes] = []
    for at in range(0, len(content), BLOCK):
        block = content[at : at + BLOCK]
        one, two, flags, address, size, _, _, family = _HEAD.unpack_from(block)
        end = int.from_bytes(block[-4:], "little")
        magic = (one, two, end) == (MAGIC, MAGIC_2, MAGIC_END)
        if not magic or not flags & HAS_FAMILY or size != PAYLOAD or family == RISCV:
            raise _no_uf2()
        if family == ABSOLUTE:
            kept.append(block)
        else:
            pages[address] = block[_HEAD.size : _HEAD.size + PAYLOAD]
    return _told(b"".join(pages[address] for address in sorted(pages)), pages, tuple(kept))


def _told(flash: bytes, pages: dict[int, bytes], kept: tuple[bytes, ...]) -> Image:
    """Return the image as its own banner names it; raise BadInput for another, or one that is too old."""
    named = re.search(rb"Raspberry Pi Pico ?2?( ?W)? with (RP2040|RP2350)", flash)
    version = re.search(rb"MicroPython v?(\d+)\.(\d+)[.\d]*", flash)
    if named is None or version is None:
        raise _no_uf2()
    said = version[0].split(b" ")[1].decode().lstrip("v")
    if (int(version[1]), int(version[2])) < OLDEST:
        raise _no_uf2()
    board = BOARDS[named[2].decode() + (" W" if named[1] else "")]
    if max(pages) >= board.files_at:
        raise _no_uf2()
    return Image(board, said, pages, kept)


def _no_uf2() -> BadInput:
    return BadInput(
        text(
            "That file will not do: download MicroPython {version} for RPI_PICO or RPI_PICO2 (not RISC-V), "
            "as a UF2 file, from micropython.org.",
            version=MICROPYTHON,
        )
    )


def merge(image: Image, files: Mapping[str, bytes]) -> bytes:
    """Return one UF2 with MicroPython and *files*; what else was on the board is out of reach afterwards."""
    pages = dict(image.pages)
    for number, block in file_system(files, image.board.blocks).items():
        begin = image.board.files_at + number * SECTOR
        pages |= {begin + at: block[at : at + PAYLOAD] for at in range(0, SECTOR, PAYLOAD)}
    sectors = sorted({address // SECTOR * SECTOR for address in pages})
    addresses = [sector + at for sector in sectors for at in range(0, SECTOR, PAYLOAD)]
    blocks = (
        _HEAD.pack(MAGIC, MAGIC_2, HAS_FAMILY, address, PAYLOAD, number, len(addresses), image.board.family)
        + pages.get(address, b"\xff" * PAYLOAD)
        + bytes(BLOCK - _HEAD.size - PAYLOAD - 4)
        + MAGIC_END.to_bytes(4, "little")
        for number, address in enumerate(addresses)
    )
    return b"".join((*image.kept, *blocks))


# ---- littlefs

_VERSION, _NAME_MAX, _FILE_MAX, _ATTR_MAX = 0x00020000, 255, 0x7FFFFFFF, 1022
_CREATE, _SUPERBLOCK, _FILE, _INLINE, _CTZ, _CRC = 0x401, 0x0FF, 0x001, 0x201, 0x202, 0x500
_PROGRAM = 256  # bytes that MicroPython writes at once: a commit ends at a multiple of it


def file_system(files: Mapping[str, bytes], blocks: int) -> dict[int, bytes]:
    """Return the blocks of a file system of *blocks* with *files* in its root; the others are free.

    Raise BadInput when they have no room.
    """
    used: dict[int, bytes] = {}
    entries = [(_CREATE, 0, b""), (_SUPERBLOCK, 0, b"littlefs")]
    limits = (_VERSION, SECTOR, blocks, _NAME_MAX, _FILE_MAX, _ATTR_MAX)
    entries.append((_INLINE, 0, struct.pack("<6I", *limits)))
    free = iter(range(2, blocks))
    for number, name in enumerate(sorted(files), start=1):
        head = _write(files[name], free, used)
        entries += [(_CREATE, number, b""), (_FILE, number, name.encode())]
        entries.append((_CTZ, number, struct.pack("<2I", head, len(files[name]))))
    for block, revision in ((0, 2), (1, 1)):  # both of the pair: an old one would win by its higher revision
        used[block] = _commit(revision, entries)
    return used


def _write(content: bytes, free: Iterator[int], used: dict[int, bytes]) -> int:
    """Write *content* as a list of blocks that skips, into *used*; return its last block, the list's head."""
    chain: list[int] = []
    at = 0
    while at < len(content) or not chain:
        number = len(chain)
        steps = (number & -number).bit_length() if number else 0
        back = b"".join(struct.pack("<I", chain[number - (1 << step)]) for step in range(steps))
        block = next(free, None)
        if block is None:
            raise BadInput(english("The files have no room on that board."))
        room = SECTOR - len(back)
        used[block] = (back + content[at : at + room]).ljust(SECTOR, b"\xff")
        chain.append(block)
        at += room
    return chain[-1]


def _commit(revision: int, entries: list[tuple[int, int, bytes]]) -> bytes:
    """Return a block of metadata with one commit: each tag is crossed with the one before, then a CRC."""
    block = bytearray(struct.pack("<I", revision))
    before = 0xFFFFFFFF
    for kind, number, data in entries:
        tag = kind << 20 | number << 10 | len(data)
        block += struct.pack(">I", tag ^ before) + data
        before = tag
    padded = -(-(len(block) + 8) // _PROGRAM) * _PROGRAM
    # A CRC's kind is even: what follows is erased, and a tag of ones is no valid one.
    tag = _CRC << 20 | 0x3FF << 10 | (padded - len(block) - 4)
    block += struct.pack(">I", tag ^ before)
    block += struct.pack("<I", crc32(block) ^ 0xFFFFFFFF)
    return bytes(block.ljust(SECTOR, b"\xff"))


# ---- MicroPython's raw REPL at the other end of a port: a program goes in, what it prints comes out.
#
# Every step has its time, after which the port is one that does not answer (docs.micropython.org, “The
# MicroPython Interactive Interpreter Mode”, raw mode).

ENTER_S = 3.0
STEP_S = 10.0  # erasing and writing a block of the Pico's flash takes a tenth of a second
AT_ONCE = 256  # bytes: what an unhurried board takes without losing any
SLICE_S = 0.05
BANNER = b"raw REPL; CTRL-B to exit\r\n>"


class RawRepl:
    """The raw REPL on *port*, which *device* names in sentences. Every call may raise DeviceError."""

    def __init__(self, port: Port, device: str, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._port = port
        self._device = device
        self._clock_s = clock_s
        self._come = b""

    def enter(self) -> None:
        """Interrupt what runs and enter."""
        self._send(b"\r\x03\x03\r\x01")
        self._until(BANNER, ENTER_S)

    def run(self, program: str) -> str:
        """Return what *program* prints; raise DeviceError with the last line of what it complains of."""
        self.send(program)
        printed = self._until(b"\x04", STEP_S)
        complained = self._until(b"\x04>", STEP_S).decode(errors="replace").strip().splitlines()
        if complained:
            raise self.not_copied(complained[-1])
        return printed.decode(errors="replace").strip()

    def send(self, program: str) -> None:
        """Let *program* begin; what it prints may never come, when it restarts the board."""
        self._send(program.encode() + b"\x04")
        self._until(b"OK", STEP_S)

    def _send(self, data: bytes) -> None:
        try:
            for at in range(0, len(data), AT_ONCE):
                self._port.write(data[at : at + AT_ONCE])
        except OSError as problem:
            raise self._silent() from problem

    def _until(self, end: bytes, within_s: float) -> bytes:
        """Return what comes before *end*; what comes after it is kept for the next."""
        until_s = self._clock_s() + within_s
        while end not in self._come:
            if self._clock_s() >= until_s:
                raise self._silent()
            try:
                self._come += self._port.read(SLICE_S)
            except OSError as problem:
                raise self._silent() from problem
        before, _, self._come = self._come.partition(end)
        return before

    def not_copied(self, why: str) -> DeviceError:
        """Return the error for files that are not on the board; *why* in English, or the file."""
        return DeviceError(
            text(
                "The files could not be copied to {port} ({why}). Is it a Pico with MicroPython on it? "
                "Unplug it, plug it in again, and try once more, with another cable.",
                port=self._device,
                why=why,
            )
        )

    def _silent(self) -> DeviceError:
        return self.not_copied("no answer")


ANSWER_S = 3.0
RESTART_S = 15.0
LEAVES_S = 0.5
PIECE = 512  # bytes of a file in a program
NEW = ".new"

# A bare Pico, step by step.
STEPS: tuple[Text, ...] = (
    text(
        "Get MicroPython {version} for your board (RPI_PICO or RPI_PICO2) from micropython.org, and run "
        "lastnose box uf2 with the name of that file: it writes lastnose.uf2, with our firmware in it.",
        version=MICROPYTHON,
    ),
    text(
        "Hold the Pico’s BOOTSEL button and plug it into the computer: a drive appears. Copy the "
        "file onto it: the Pico restarts by itself, and the drive is gone."
    ),
)


def ask_who(port: Port, wait_s: float = ANSWER_S) -> Hello | None:
    """Return the greeting of the box on *port*, None when nobody answers as one."""
    decoder = Decoder()
    until = time.monotonic() + wait_s
    next_ask = 0.0
    while (now := time.monotonic()) < until:
        if now >= next_ask:
            port.write(protocol.ask())
            next_ask = now + 0.3
        for told in decoder.feed(port.read(0.05)):
            if isinstance(told, Hello):
                return told
    return None


def flash(device: str, open_port: Callable[[], Port]) -> Hello:
    """Copy the firmware onto the Pico at *device*; return what it says of itself then.

    A box that runs is asked to leave its program first, for it does not heed Ctrl-C. A port that does not
    answer is given up within seconds. Raise DeviceError.
    """
    port = open_port()
    try:
        if _runs_ours(port):
            port.write(protocol.leave())
            time.sleep(LEAVES_S)
        repl = RawRepl(port, device)
        copy(repl)
        repl.send("import machine, time\ntime.sleep_ms(100)\nmachine.reset()")
    finally:
        port.close()
    return _check(device, open_port)


def _runs_ours(port: Port) -> bool:
    """Return whether our firmware answers; a port that takes nothing is found out by who asks it next."""
    try:
        return ask_who(port, 1.0) is not None
    except OSError:
        return False


def copy(repl: RawRepl) -> None:
    """Write every file beside the old one, compare, and only then put all in place; raise DeviceError."""
    repl.enter()
    for name in protocol.FILES:
        content = (protocol.folder() / name).read_bytes()
        repl.run(f"f = open({name + NEW!r}, 'wb')")
        for at in range(0, len(content), PIECE):
            repl.run(f"f.write({content[at : at + PIECE]!r})")
        told = repl.run(
            f"f.close()\nfrom binascii import crc32\nf = open({name + NEW!r}, 'rb')\n"
            f"d = f.read()\nf.close()\nprint(len(d), crc32(d))\ndel d"
        )
        if told != f"{len(content)} {crc32(content)}":
            raise repl.not_copied(name)
    repl.run(f"import os\nfor n in {protocol.FILES!r}: os.rename(n + {NEW!r}, n)")


def _check(device: str, open_port: Callable[[], Port]) -> Hello:
    """Wait until the box is back and says that it has our version."""
    until = time.monotonic() + RESTART_S
    hello: Hello | None = None
    while hello is None and time.monotonic() < until:
        try:
            port = open_port()
        except DeviceError:
            time.sleep(0.3)
            continue
        try:
            hello = ask_who(port)
        finally:
            port.close()
    if hello is None or hello.version != protocol.version():
        raise DeviceError(
            text(
                "The files are on {port}, but it does not answer with firmware {version}: unplug it, "
                "plug it in again and run lastnose box list.",
                port=device,
                version=".".join(map(str, protocol.version())),
            )
        )
    return hello
