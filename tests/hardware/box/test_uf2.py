"""One file to flash: taken apart as a boot ROM does, mounted by a reader of littlefs's own words."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput
from lastnose.hardware.box import protocol
from lastnose.hardware.box.flash import BOARDS, MICROPYTHON, Board, file_system, merge, read_image

from tests.support.commands import lastnose
from tools.release import write_firmware

BOOT, ABSOLUTE = 0x10000000, 0xE48BFF57
OURS = {name: (protocol.folder() / name).read_bytes() for name in protocol.FILES}


def uf2(family: int, content: bytes, *, at: int = BOOT) -> bytes:
    """Return *content* as the blocks of a UF2, the last one filled up."""
    pieces = [content[begin : begin + 256].ljust(256, b"\0") for begin in range(0, len(content), 256)]
    return b"".join(
        struct.pack(
            "<8I", 0x0A324655, 0x9E5D5157, 0x2000, at + 256 * number, 256, number, len(pieces), family
        )
        + piece
        + bytes(220)
        + struct.pack("<I", 0x0AB16F30)
        for number, piece in enumerate(pieces)
    )


def micropython(board: Board, *, version: str = "1.25.0", extra: int = 5000) -> bytes:
    """Return what looks like MicroPython for *board*: its banner, and *extra* bytes of code."""
    two = "2" if "2" in board.name else ""
    radio = " W" if board.name.endswith("_W") else ""
    chip = "RP2350" if two else "RP2040"
    banner = f"MicroPython v{version} on 2026-04-06; Raspberry Pi Pico{two}{radio} with {chip}"
    code = bytes(number * 7 % 251 for number in range(extra)) + banner.encode()
    first = uf2(ABSOLUTE, b"\xef" * 256, at=0x10FFFF00) if two else b""
    return first + uf2(board.family, code)


class BootRom:
    """Flash, written as a boot ROM writes a UF2: a sector is erased when the number of a block says so."""

    def __init__(self, old: bytes) -> None:
        self.flash = bytearray(old)

    def write(self, content: bytes, family: int) -> None:
        """Write the blocks of *family*; a byte that was not erased is an error, and so is a new total."""
        totals = set()
        for at in range(0, len(content), 512):
            _, _, _, address, size, number, total, of = struct.unpack_from("<8I", content, at)
            if of != family:
                continue
            totals.add(total)
            place = address - BOOT
            if number % 16 == 0:
                assert 0 == place % 4096
                self.flash[place : place + 4096] = b"\xff" * 4096
            assert b"\xff" * size == self.flash[place : place + size], hex(address)
            self.flash[place : place + size] = content[at + 32 : at + 32 + size]
        assert {
            sum(struct.unpack_from("<I", content, at + 28)[0] == family for at in range(0, len(content), 512))
        } == totals

    def files(self, board: Board) -> dict[str, bytes]:
        """Return the files of the file system of *board*."""
        begin = board.files_at - BOOT
        return dict(mounted(bytes(self.flash[begin : begin + board.blocks * 4096])))


def mounted(disk: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a littlefs, read as its SPEC.md says: the newer block, its tags, its lists."""
    block = max((disk[:4096], disk[4096:8192]), key=lambda one: struct.unpack_from("<I", one)[0])
    names: dict[int, str] = {}
    at, before, checked = 4, 0xFFFFFFFF, False
    tags = []
    while not checked:
        tag = struct.unpack_from(">I", block, at)[0] ^ before
        assert tag < 1 << 31, "a tag that is not valid"
        before, kind, number, length = tag, tag >> 20, tag >> 10 & 0x3FF, tag & 0x3FF
        data = block[at + 4 : at + 4 + length]
        if kind & 0x700 == 0x500:
            assert crc32(block[: at + 4]) ^ 0xFFFFFFFF == struct.unpack("<I", data[:4])[0]
            assert 0 == (at + 4 + length) % 256
            checked = True
        tags.append((kind, number, data))
        at += 4 + length
    for kind, number, data in tags:
        if kind == 0x0FF:
            assert b"littlefs" == data
        elif kind == 0x201:
            assert (0x20000, 4096, len(disk) // 4096) == struct.unpack("<6I", data)[:3]
        elif kind == 0x001:
            names[number] = data.decode()
        elif kind == 0x202:
            yield names[number], linked(disk, *struct.unpack("<2I", data))


def linked(disk: bytes, head: int, length: int) -> bytes:
    """Return a file from the last block of its list: block n begins with a pointer to n - 1, and more."""
    count, room = 0, 0
    while room < length:
        room += 4096 - (0 if count == 0 else 4 * ((count & -count).bit_length()))
        count += 1
    content, block = b"", head
    for number in range(max(count, 1) - 1, -1, -1):
        skips = 0 if number == 0 else 4 * ((number & -number).bit_length())
        here = disk[block * 4096 : block * 4096 + 4096]
        content = here[skips:] + content
        if number:
            block = struct.unpack_from("<I", here)[0]
    return content[:length]


@pytest.mark.parametrize("name", BOARDS)
def test_one_file_puts_micropython_and_our_files_on_a_board_that_had_others(name: str) -> None:
    """Whatever lay there: an old file system is out of reach, MicroPython is as it came."""
    board = BOARDS[name]
    came = micropython(board)
    image = read_image(came)
    assert (board, "1.25.0") == (image.board, image.version)
    before = BootRom(bytes(4 << 20))
    before.write(merge(image, {"main.py": b"old", "left.py": b"over"}), board.family)
    assert {"main.py": b"old", "left.py": b"over"} == before.files(board)
    merged = merge(image, OURS)
    after = BootRom(bytes(before.flash))
    after.write(merged, board.family)
    assert OURS == after.files(board)
    code = b"".join(
        came[at + 32 : at + 288] for at in range(0, len(came), 512) if came[at + 28] != ABSOLUTE & 0xFF
    )
    assert code == bytes(after.flash[: len(code)])
    if "2350" in name:
        assert came[:512] == merged[:512], "the block that works around erratum E10"


@given(st.dictionaries(st.sampled_from(["a.py", "b.py", "main.py", "z"]), st.integers(0, 40_000)))
def test_any_files_are_read_back_as_they_were(sizes: dict[str, int]) -> None:
    """Empty ones, ones of one block, ones whose list skips."""
    files = {
        name: bytes((number * 31 + size) % 256 for number in range(size)) for name, size in sizes.items()
    }
    disk = bytearray(b"\xa5" * (4096 * 64))
    for block, content in file_system(files, 64).items():
        assert 4096 == len(content)
        disk[block * 4096 : block * 4096 + 4096] = content
    assert files == dict(mounted(bytes(disk)))


def test_files_that_have_no_room_are_refused() -> None:
    """Sixteen blocks: two are for their names."""
    assert 16 == len(file_system({"a": bytes(14 * 4096 - 4 * 25)}, 16))
    with pytest.raises(BadInput, match="no room"):
        file_system({"a": bytes(14 * 4096)}, 16)


def test_what_is_not_micropython_for_a_pico_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """Not a UF2; another program; one that is too old; one that holds files; other cores."""
    pico = BOARDS["RP2040"]
    large = micropython(pico, extra=0xA0000)
    said = "That file will not do: download MicroPython 1.25 for RPI_PICO or RPI_PICO2 (not RISC-V)"
    for content in (
        b"",
        b"x" * 512,
        uf2(pico.family, b"blink"),
        micropython(pico, version="1.23.0"),
        large,
        uf2(0xE48BFF5A, b"Raspberry Pi Pico 2 with RP2350 MicroPython v1.25.0"),
    ):
        (tmp_path / "m.uf2").write_bytes(content)
        result = lastnose("box", "uf2", str(tmp_path / "m.uf2"), "-o", str(tmp_path / "out.uf2"))
        assert (2, True) == (result.exit_code, said in result.output), result.output
        assert not (tmp_path / "out.uf2").exists()


def test_one_version_of_micropython_is_named_everywhere() -> None:
    """What a release is built with: in texts, translations, tools and figures."""
    root = Path(__file__).parents[3]
    files = [root / "README.md", root / "CHANGELOG.md", *root.glob("firmware/*"), *root.glob("tools/*.*")]
    files += [
        *root.glob("docs/**/*.md"),
        *root.glob("docs/locale/*/LC_MESSAGES/*.po"),
        *root.glob("companion/cli/*.py"),
    ]
    named = {
        (file.name, version)
        for file in files
        if file.is_file()
        for version in re.findall(r"(?:MicroPython |RPI_PICO2?-v)(\d\.\d+)", file.read_text(encoding="utf-8"))
    }
    assert {version for _, version in named} == {MICROPYTHON}
    assert {"pico.md", "box.po", "BRING-UP.md", "box.py", "pico.sh", "README.md"} <= {
        name for name, _ in named
    }


def test_the_command_writes_the_file_and_says_what_to_do_with_it(tmp_path: Path) -> None:
    """With board, version and firmware; it asks nothing."""
    (tmp_path / "m.uf2").write_bytes(micropython(BOARDS["RP2350"]))
    target = tmp_path / "out.uf2"
    result = lastnose("box", "uf2", str(tmp_path / "m.uf2"), "-o", str(target))
    assert 0 == result.exit_code
    assert "MicroPython 1.25.0 for RPI_PICO2, and firmware 1.1.0: hold BOOTSEL" in result.output
    rom = BootRom(bytes(4 << 20))
    rom.write(target.read_bytes(), BOARDS["RP2350"].family)
    assert OURS == rom.files(BOARDS["RP2350"])
    result = lastnose("box", "uf2", str(tmp_path / "none.uf2"))
    assert (2, True) == (result.exit_code, "cannot be read" in result.output)


def test_a_release_has_a_file_to_flash_for_each_board_with_a_main_that_can_be_replaced(
    tmp_path: Path,
) -> None:
    """What was frozen stays as it was built; of files there is main.py alone. What is missing is said."""
    with pytest.raises(ValueError, match=r"has no RPI_PICO.uf2: say bash tools/pico.sh"):
        write_firmware(tmp_path)
    (tmp_path / "pico").mkdir()
    (tmp_path / "pico" / "LICENCES.txt").write_text("MIT")
    for board in (BOARDS["RP2040"], BOARDS["RP2350"]):
        (tmp_path / "pico" / f"{board.name}.uf2").write_bytes(micropython(board))
    pico, pico2, licences = write_firmware(tmp_path)
    assert ["lastnose-pico.uf2", "lastnose-pico2.uf2"] == [pico.name, pico2.name]
    assert "MIT" == licences.read_text()
    for path, board in ((pico, BOARDS["RP2040"]), (pico2, BOARDS["RP2350"])):
        rom = BootRom(b"\xa5" * (4 << 20))
        rom.write(path.read_bytes(), board.family)
        assert {"main.py": OURS["main.py"]} == rom.files(board)
