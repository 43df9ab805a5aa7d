"""The strip board: walked hole by hole, as a continuity tester would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.wiring.drawings.stripboard import Hole, StripBoard, strip_boards
from lastnose.companion.wiring.profile import Pins, Profile, built_in_profiles, load_profile

End = tuple[str, str, int]  # of a part: its kind, its use, which end


def faults(board: StripBoard, uses: tuple[str, ...]) -> list[str]:
    """Return what is wrong with *board* for the contacts *uses*, a sentence each: it must be nothing.

    Nets are found by walking the copper: a strip between two cuts is one piece, links join pieces. Every end
    of every part must lie in the net that the circuit asks for, and each net be whole.
    """
    holes = [hole for part in board.parts for hole in part.holes]
    said = [f"{hole.name} holds {n} ends" for hole, n in Counter(holes).items() if n > 1]
    said += [f"{hole.name} is cut" for hole in holes if hole in board.cuts]
    said += [
        f"{hole.name} is off the board"
        for hole in (*holes, *board.cuts)
        if not (1 <= hole.strip <= board.strips and 1 <= hole.place <= board.places)
    ]
    net_of = _nets(board)
    wanted = _circuit(uses)
    for net, ends in wanted.items():
        found = {net_of.get(end) for end in ends}
        if found == {None}:
            said.append(f"{net} is nowhere")
        elif len(found) > 1:
            said.append(f"{net} is in pieces, or lacks an end")
    names = {net: {net_of[end] for end in ends if end in net_of} for net, ends in wanted.items()}
    said += [
        f"{one} touches {other}"
        for one in names
        for other in names
        if one < other and names[one] & names[other]
    ]
    known = {end for ends in wanted.values() for end in ends}
    return said + [f"{end} is not in the circuit" for end in net_of if end not in known]


def _ends(board: StripBoard) -> Iterator[tuple[End, Hole]]:
    screws = Counter[str]()
    for part in board.parts:
        if part.kind == "link":
            continue
        for number, hole in enumerate(part.holes):
            use = part.uses[number] if part.uses else part.use
            if use == "":
                continue
            screws[use] += part.kind == "terminal" and use == "ground"
            yield (
                (part.kind, use, screws[use] if use == "ground" and part.kind == "terminal" else number),
                hole,
            )


def _nets(board: StripBoard) -> dict[End, tuple[int, int]]:
    """Return the net of each end, named by one of its pieces."""
    above: dict[tuple[int, int], tuple[int, int]] = {}

    def top(piece: tuple[int, int]) -> tuple[int, int]:
        while piece in above:
            piece = above[piece]
        return piece

    def piece(hole: Hole) -> tuple[int, int]:
        return hole.strip, sum(cut.strip == hole.strip and cut.place < hole.place for cut in board.cuts)

    for part in board.parts:
        if part.kind == "link":
            one, other = (top(piece(hole)) for hole in part.holes)
            if one != other:
                above[one] = other
    return {end: top(piece(hole)) for end, hole in _ends(board)}


def _circuit(uses: tuple[str, ...]) -> dict[str, set[End]]:
    """Return which ends belong together: the circuit of one input, for each contact."""
    nets: dict[str, set[End]] = {"ground": {("lead", "ground", 0)}, "3V3": {("lead", "3V3", 0)}}
    for number, use in enumerate(uses):
        screw = 0 if number % 2 == 0 else 2
        nets[f"{use} at its cable"] = {("terminal", use, screw), ("resistor", use, 0)}
        nets[f"{use} at its pin"] = {
            ("resistor", use, 1), ("lead", use, 0), ("capacitor", use, 0), ("pull-up", use, 0)
        }  # fmt: skip
        nets["ground"] |= {("capacitor", use, 1), ("terminal", "ground", number // 2 + 1)}
        nets["3V3"].add(("pull-up", use, 1))
    return nets


def contacts(board: StripBoard) -> tuple[str, ...]:
    """Return what the board is for, in order."""
    return tuple(part.use for part in board.parts if part.kind == "resistor")


@pytest.mark.parametrize("name", built_in_profiles())
def test_every_net_is_whole_and_touches_no_other(name: str) -> None:
    """For each profile, and each of its contacts is on one board, once."""
    profile = load_profile(name)
    boards = strip_boards(profile)
    assert [[]] * len(boards) == [faults(board, contacts(board)) for board in boards]
    assert tuple(profile.lines) == tuple(use for board in boards for use in contacts(board))


@given(st.integers(1, 60))
def test_any_number_of_contacts_can_be_soldered(count: int) -> None:
    """Also an odd one, whose last terminal has a free screw; and no board is larger than what is sold."""
    boards = strip_boards(Profile("any", "mock", Pins(noses=tuple(range(count)))))
    assert count == sum(len(contacts(board)) for board in boards)
    for board in boards:
        assert [] == faults(board, contacts(board))
        assert board.strips <= 37
        assert board.places <= 61


def test_home6_takes_what_was_reckoned_by_hand() -> None:
    """Six terminals of six strips and one more; a cut a contact, and one a strip of 3.3 V; 5 + 6 links."""
    (board,) = strip_boards(load_profile("home6"))
    assert (37, 20, (51, 94)) == (board.strips, board.places, board.size_mm)
    kinds = Counter(part.kind for part in board.parts)
    assert {"terminal": 6, "resistor": 12, "capacitor": 12, "pull-up": 12, "lead": 14, "link": 11} == kinds
    assert 12 + 7 == len(board.cuts)
    first = {part.kind: [hole.name for hole in part.holes] for part in board.parts if part.use == "nose.1"}
    assert {
        "resistor": ["B6", "B10"],
        "capacitor": ["B12", "D12"],
        "pull-up": ["B13", "A13"],
        "lead": ["B19"],
    } == first


def test_a_board_that_is_wrong_is_found_out() -> None:
    """One mistake at a time, as a person makes them."""
    (board,) = strip_boards(load_profile("home4"))
    uses = contacts(board)

    def without(number: int) -> StripBoard:
        return msgspec.structs.replace(board, parts=(*board.parts[:number], *board.parts[number + 1 :]))

    def moved(number: int, by: int) -> StripBoard:
        part = board.parts[number]
        holes = tuple(Hole(hole.strip + by, hole.place) for hole in part.holes)
        changed = msgspec.structs.replace(part, holes=holes)
        return msgspec.structs.replace(
            board, parts=(*board.parts[:number], changed, *board.parts[number + 1 :])
        )

    assert [] == faults(board, uses)
    for at in range(len(board.cuts)):
        if board.cuts[at].strip % 6 != 1:  # what is behind a cut of 3.3 V ends there anyway
            fewer = msgspec.structs.replace(board, cuts=board.cuts[:at] + board.cuts[at + 1 :])
            assert faults(fewer, uses), board.cuts[at].name
    for number, part in enumerate(board.parts):
        assert faults(without(number), uses), part
        assert faults(moved(number, 1), uses), part
