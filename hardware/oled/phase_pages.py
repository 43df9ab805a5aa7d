"""The first page of each phase: what matters more, at that moment, than the standings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from lastnose.companion.core.ports import JoinInfo, Rows, WifiInfo
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.core.units import everyday, measured
from lastnose.companion.views.snapshot import WITHDRAWN, Cradle, PlayerRow
from lastnose.hardware.oled import layout
from lastnose.hardware.oled.canvas import Canvas, Font
from lastnose.hardware.oled.layout import LARGE, SMALL, Frame, Scene, ScreenPage, Word, standing

QUIET_MODULES = 1
BLOCK = 26


def headline(scene: Scene) -> ScreenPage:
    """Return the snapshot's own sentence and its lines."""
    snapshot = scene.snapshot
    messages = scene.say((snapshot.headline, *snapshot.proof))
    title = scene.round_title() if snapshot.round_no else text("Last Nose")
    return ScreenPage(title, partial(layout.wrapped, messages=messages))


# Before a round.


def setup(scene: Scene) -> ScreenPage:
    """Return how to reach the page: its address, the PIN, the QR code."""
    if scene.join is None:
        messages = scene.say((scene.snapshot.headline, text("Set up a game on the page.")))
        return ScreenPage(scene.home_title(), partial(layout.wrapped, messages=messages))
    if _qr_scale(scene.size, scene.join.modules) >= 2:
        return ScreenPage(scene.home_title(), partial(_join_qr, scene.size, scene.join), width=_beside(scene))
    return ScreenPage(scene.home_title(), partial(_join, scene))


def table_number(scene: Scene, number: int) -> ScreenPage:
    """Return which table of a hall this is, as large as it goes: who looks for a seat reads it standing."""
    return ScreenPage(scene.home_title(), partial(layout.large_number, number=number))


def wifi(scene: Scene) -> list[ScreenPage]:
    """Return how to come into the table's own Wi-Fi, nothing when it has none."""
    network = scene.join.wifi if scene.join is not None else None
    if network is None:
        return []
    if _qr_scale(scene.size, network.modules) >= 2:
        return [ScreenPage(Text("Wi-Fi"), partial(_wifi_qr, scene.size, network), width=_beside(scene))]
    says = [network.ssid, network.password]
    return [ScreenPage(Text("Wi-Fi"), partial(layout.wrapped, messages=says))]


def _beside(scene: Scene) -> int:
    """Return the width of a heading beside a QR code, or above it."""
    width, height = scene.size
    return width - height - 2 if width > height else width


def _join(scene: Scene, frame: Frame) -> None:
    """Draw the address and, large, the PIN."""
    join = scene.join
    if join is None:
        return
    pin = scene.translate(text("PIN {pin}", pin=join.pin)) if join.pin is not None else ""
    if not frame.roomy:
        layout.wrapped(frame, [join.address, pin])
        return
    layout.fitted(frame.canvas, 0, frame.top, join.address, frame.width)
    if pin:
        layout.hero(frame.canvas, 0, frame.top + 20, pin, frame.width)
        return
    layout.wrapped(frame, scene.say((text("Set up a game on the page."),)), top=frame.top + 17)


def _qr_scale(size: tuple[int, int], code: Rows) -> int:
    """Return how many pixels wide a module of a QR code can be, 0 when no room is left beside or above it."""
    width, height = size
    return min(size) // (len(code) + 2 * QUIET_MODULES) if code and abs(width - height) >= 60 else 0


def _join_qr(size: tuple[int, int], join: JoinInfo, frame: Frame) -> None:
    """Draw the way to the page: the QR code, and beside or above it address and PIN."""
    width, bottom = _draw_qr(size, join.modules, frame)
    for number, line in enumerate(_address_lines(join.address, width)):
        frame.canvas.text(0, frame.top + 2 + number * 9, line, SMALL)
    if join.pin is not None:
        layout.hero(frame.canvas, 0, bottom - 28, join.pin, width)


def _wifi_qr(size: tuple[int, int], network: WifiInfo, frame: Frame) -> None:
    """Draw the way into the Wi-Fi: the QR code, and beside or above it name and password."""
    width, _ = _draw_qr(size, network.modules, frame)
    lines = [
        *_pieces(network.ssid, width),
        *([""] * (frame.width > frame.bottom)),
        *_pieces(network.password, width),
    ]
    for number, line in enumerate(lines):
        frame.canvas.text(0, frame.top + 2 + number * 9, line, SMALL)


def _draw_qr(size: tuple[int, int], code: Rows, frame: Frame) -> tuple[int, int]:
    """Draw a QR code at the right, on an upright display below; return width and bottom of what is left."""
    canvas, side, scale = frame.canvas, min(size), _qr_scale(size, code)
    left, top = size[0] - side, size[1] - side
    canvas.fill(left, top, side, side)
    edge = (side - scale * len(code)) // 2
    for y, modules in enumerate(code):
        for x, dark in enumerate(modules):
            if dark:
                canvas.clear(left + edge + x * scale, top + edge + y * scale, scale, scale)
    return (left - 3, frame.bottom) if left else (frame.width, top)


def _pieces(words: str, width: int) -> list[str]:
    """Return *words* cut where a line is full, as a password must be copied letter by letter.

    >>> _pieces("abcdefghijkl", 35)
    ['abcdefg', 'hijkl']
    """
    lines = [""]
    for letter in words:
        if SMALL.measure(lines[-1] + letter) > width:
            lines.append("")
        lines[-1] += letter
    return lines


def _address_lines(address: str, width: int) -> list[str]:
    """Return *address* broken before a dot or the port.

    >>> _address_lines("192.168.178.34:8080", 60)
    ['192.168.178', '.34:8080']
    """
    lines = [""]
    for piece in address.replace(".", "\n.").replace(":", "\n:").split("\n"):
        if lines[-1] and SMALL.measure(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece
    return lines


def blocked(scene: Scene) -> ScreenPage:
    """Return whose nose holds up the round."""
    held = [row for row in scene.snapshot.rows if row.held]
    if not held:
        return headline(scene)
    title = texts("Let go of the nose:", "Let go of the noses:", n=len(held))
    return ScreenPage(scene.round_title(), partial(_names, scene, title, held, ("", "")))


# A round decided.


def _margin(scene: Scene, rows: Sequence[PlayerRow]) -> tuple[str, str]:
    """Return how close it was and how sure that is, empty when not known or not about *rows*."""
    finish = scene.snapshot.finish
    if finish is None or {row.seat for row in rows} != dict(finish.named).keys():
        return "", ""
    if finish.margin_ns is None or finish.u_ns is None:
        says = finish.in_short or text("not yet")
        return (scene.translate(says) if finish.missing else ""), ""
    if finish.closeness == "clear":
        return scene.translate(everyday(finish.margin_ns)), scene.translate(text("clear"))
    margin, sure = measured(finish.margin_ns, finish.u_ns)
    return scene.translate(margin), f"±{scene.translate(sure)}"


def verdict(scene: Scene) -> ScreenPage:
    """Return who was last, large, with the new letter and the margin."""
    seats = (*scene.snapshot.last, *scene.snapshot.first)
    rows = [row for row in scene.snapshot.rows if row.seat in seats]
    if not rows:
        return headline(scene)
    if len(rows) > 1:
        return ScreenPage(
            scene.round_title(), partial(_names, scene, text("Last:"), rows, _margin(scene, rows))
        )
    return ScreenPage(scene.round_title(), partial(_was_last, scene, rows[0]))


def _was_last(scene: Scene, row: PlayerRow, frame: Frame) -> None:
    margin = _margin(scene, [row])
    if not frame.roomy:
        standing(frame, frame.top, row, LARGE, fresh=True)
        if frame.height >= LARGE.height + SMALL.height:
            says = " ".join(margin)
            frame.canvas.text(0, frame.bottom - SMALL.height, SMALL.fit(says, frame.width), SMALL)
        return
    right = frame.width
    if row.new:
        right -= _block_letter(frame, row.letters[-1] if row.letters else "×")
    doubled = _doubled(row, right - 2)
    height = 32 if doubled else 26 if row.word or row.out else 38
    below = frame.top + (31 if doubled else 24)
    layout.hero(frame.canvas, 0, frame.top - 1, row.player, right - 2, height)
    after = _letters_so_far(scene, row, frame, below, right - 2)
    finish = scene.snapshot.finish
    after_it = text("out") if row.out else text("Was first") if finish is not None and finish.first else None
    if after_it is not None:
        layout.fitted(frame.canvas, after, below, scene.translate(after_it), right - 2 - after)
    layout.foot(frame, *margin, font=SMALL if doubled else LARGE)


def _doubled(row: PlayerRow, width: int) -> bool:
    """Return whether a name in a tall script can stand in twice its size above letters that need no more."""
    tall = LARGE.suited(row.player) is layout.TALL
    return tall and 2 * LARGE.measure(row.player) <= width and LARGE.suited("".join(row.word)) is LARGE


def _letters_so_far(scene: Scene, row: PlayerRow, frame: Frame, y: int, width: int) -> int:
    """Draw the word at *y*, below the name, or how many of its letters there are; return the x after."""
    if not row.word:
        return 0
    word = Word(row, LARGE, width, spread=True)
    if word.lines == 1:
        word.draw(frame.canvas, 1, y, fresh=row.new)
        return len(row.word) * word.pitch + 6
    says = scene.translate(text("{n} of {of}", n=len(row.letters), of=len(row.word)))
    layout.fitted(frame.canvas, 0, y, says, width)
    return LARGE.measure(says) + 6


def _block_letter(frame: Frame, letter: str) -> int:
    """Draw *letter* at the right as large as it goes, dark on a lit block; return how wide that is."""
    font = LARGE.suited(letter)
    times = 3 if font is LARGE else 2 if 2 * font.measure(letter) <= frame.width // 3 else 1
    wide = max(BLOCK, times * font.measure(letter) + 4)
    x = frame.width - (wide + times * font.measure(letter)) // 2 + (font is LARGE)
    y = frame.top - 1 if font is LARGE else frame.top + (37 - times * font.height) // 2
    frame.canvas.text(x, y, letter, font, (times, times))
    frame.canvas.invert(frame.width - wide, frame.top, wide, 37)
    return wide


def dead_heat(scene: Scene) -> ScreenPage:
    """Return who cannot be told apart, and by how much."""
    finish = scene.snapshot.finish
    seats = () if finish is None else dict(finish.named)
    rows = [row for row in scene.snapshot.rows if row.seat in seats]
    if not rows:
        return headline(scene)
    return ScreenPage(
        scene.round_title(), partial(_names, scene, text("Dead heat"), rows, _margin(scene, rows))
    )


def _names(scene: Scene, title: Text, rows: Sequence[PlayerRow], foot: tuple[str, str], frame: Frame) -> None:
    """Draw a sentence, the players it is about (large if it is one), and a last line."""
    canvas, says, top = frame.canvas, scene.translate(title), frame.top
    if not frame.roomy:
        layout.fitted(canvas, 0, top, says, frame.width)
        layout.listed(frame, top + LARGE.height, frame.bottom, [row.player for row in rows])
        return
    bottom = frame.bottom
    if any(foot):
        bottom -= LARGE.height
        layout.foot(frame, *foot)
    if len(rows) == 1:
        canvas.text(0, top, LARGE.fit(says, frame.width), LARGE)
        room = bottom - top - LARGE.height
        layout.hero(canvas, 0, top + LARGE.height, rows[0].player, frame.width, room)
        return
    if 2 * LARGE.measure(says) <= frame.width and len(rows) == 2:
        canvas.text(0, top - 2, says, LARGE, (2, 2))
        top += 24
    else:
        layout.fitted(canvas, 0, top, says, frame.width)
        top += LARGE.height
    layout.listed(frame, top, bottom, [row.player for row in rows])


def void(scene: Scene) -> ScreenPage:
    """Return that the round does not count, or its verdict (and whose it was) is withdrawn, and why."""
    snapshot = scene.snapshot
    withdrawn = snapshot.headline == WITHDRAWN
    proof = (*snapshot.proof[1:2], *snapshot.proof[:1], *snapshot.proof[2:]) if withdrawn else snapshot.proof
    title = scene.translate(text("Withdrawn: again!") if withdrawn else text("Does not count"))
    return ScreenPage(scene.round_title(), partial(_titled, title, scene.say(proof)))


def _titled(title: str, messages: Sequence[str], frame: Frame) -> None:
    """Draw a lit line with *title* and the messages below it."""
    font = layout.best_font(title, frame.width - 2) if frame.roomy else SMALL
    lines = layout.paragraphs(messages, frame.width, SMALL)
    if layout.lines_height(lines, SMALL) > frame.height - font.height:
        font = SMALL
    frame.canvas.text(1, frame.top, font.fit(title, frame.width - 2), font)
    frame.canvas.invert(0, frame.top + (font is LARGE), frame.width, font.height - (font is LARGE))
    layout.wrapped(frame, messages, top=frame.top + font.height)


# The end of a game.


def won(scene: Scene) -> ScreenPage:
    winners = [row for row in scene.snapshot.rows if row.winner]
    if not winners or len(winners) > 2 or not scene.frame().roomy:
        return _ended(scene, headline(scene).paint)
    return _ended(scene, partial(_winners, winners, scene.say(scene.snapshot.proof[:1])))


def _ended(scene: Scene, paint: Callable[[Frame], None]) -> ScreenPage:
    """Return the page of who has won: the state of the round, and that it is the end."""
    stage, end = scene.snapshot.stage_says, text("The end")
    return ScreenPage(end, paint) if stage is None else ScreenPage(stage, paint, end)


def _winners(winners: Sequence[PlayerRow], messages: Sequence[str], frame: Frame) -> None:
    """Draw one or two winners large; below a single one there is room for why."""
    for number, row in enumerate(winners):
        y = frame.top + 26 * number
        frame.canvas.pattern(0, y + 6, layout.STAR, 2)
        layout.hero(frame.canvas, 18, y, row.player, frame.width - 18)
    if len(winners) == 1:
        layout.wrapped(frame, messages, top=frame.top + 27)


# ---- a round under way, on the small screen: who has pressed, and what is left in the rack


RACK_HEIGHT = 13
PITCH = 12
NARROWEST = 30  # pixels of a column, for a name that can still be told from others


def judging(scene: Scene) -> ScreenPage:
    """Return every player who is in; those who have pressed are inverse. Nobody, where the first is asked."""
    if scene.snapshot.question == "first":
        return headline(scene)
    playing = [row for row in scene.snapshot.rows if not row.out]
    rack = [cradle for cradle in scene.snapshot.rack if cradle.used]  # what has been retired is not drawn
    if rack:
        return _rack(scene, playing, rack)
    down = sum(1 for row in playing if row.pressed)
    count = Text(f"{down}/{len(playing)}")
    return ScreenPage(scene.round_title(), partial(_grid, playing), count, dense=len(playing) > 8)


def _rack(scene: Scene, playing: Sequence[PlayerRow], rack: Sequence[Cradle]) -> ScreenPage:
    """Return what is left in the rack and who has confirmed; the headline alone where nobody can (SPN-6)."""
    title, count = scene.round_title(), Text(f"{sum(one.lifted for one in rack)}/{len(rack)}")
    if not scene.snapshot.proof:
        return ScreenPage(title, partial(_rack_alone, rack, scene.translate(scene.snapshot.headline)), count)
    return ScreenPage(title, partial(_rack_and_names, rack, playing), count, dense=len(playing) > 6)


def _rack_alone(rack: Sequence[Cradle], says: str, frame: Frame) -> None:
    """Draw the rack large and a sentence below it."""
    font = layout.best_font(says, frame.width)
    room = frame.height - font.height - 2
    _draw(frame.canvas, frame.top + 1, frame.width, room, rack, most_pitch=2 * PITCH)
    frame.canvas.text(0, frame.bottom - font.height, font.fit(says, frame.width), font)


def _rack_and_names(rack: Sequence[Cradle], playing: Sequence[PlayerRow], frame: Frame) -> None:
    """Draw the rack in a strip, and below it the players: inverse with a spoon, a cross for a phantom."""
    high = RACK_HEIGHT if frame.height >= 3 * LARGE.height else SMALL.height
    _draw(frame.canvas, frame.top, frame.width, high - 1, rack)
    _grid(playing, Frame(frame.canvas, frame.top + high))


def _grid(rows: Sequence[PlayerRow], frame: Frame) -> None:
    few = len(rows) <= min(8, 2 * layout.lines_in(frame.height, LARGE))
    font: Font = LARGE if few and frame.height >= 3 * LARGE.height else SMALL
    line, names = _named_with(rows, font, frame)
    a_column = layout.lines_in(frame.height, line)
    width = frame.width // _columns(rows, line, frame)
    names = layout.short_names(names, width - 2, font)
    for number, (row, name) in enumerate(zip(rows, names, strict=True)):
        x, y = number // a_column * width, frame.top + number % a_column * line.height
        base = y + line.base
        frame.canvas.text(x + 1, base - font.base, name, font)
        if row.phantom:
            frame.canvas.clear(x + width - 10, y, 9, line.height)
            frame.canvas.pattern(x + width - 9, base - (8 if font is LARGE else 7), layout.OUT)
        if row.pressed:
            skip = 1 if line is LARGE else 0
            frame.canvas.invert(x, y + skip, width - 1, line.height - skip)


def _named_with(rows: Sequence[PlayerRow], font: Font, frame: Frame) -> tuple[Font, list[str]]:
    """Return the font that gives the height of a line, and the names.

    Where lines that high leave too little width, a name that needs one becomes the number of its seat.
    """
    names = [row.player for row in rows]
    tallest = layout.tallest([font, *map(font.suited, names)])
    if frame.width // _columns(rows, tallest, frame) >= NARROWEST:
        return tallest, names
    return font, [row.player if font.suited(row.player) is font else str(row.seat) for row in rows]


def _columns(rows: Sequence[PlayerRow], line: Font, frame: Frame) -> int:
    return max(1, -(-len(rows) // layout.lines_in(frame.height, line)))


# The rack.


def _draw(
    canvas: Canvas, y: int, width: int, height: int, cradles: Sequence[Cradle], *, most_pitch: int = PITCH
) -> None:
    """Draw *cradles* in the middle of *width*: full ones with a tall piece in them, empty ones as a cup."""
    pitch = min(most_pitch, width // max(1, len(cradles)))
    piece = max(1, pitch // 2)
    left = (width - pitch * len(cradles)) // 2 + (pitch - piece) // 2
    for number, cradle in enumerate(cradles):
        _cradle(canvas, left + number * pitch, y, piece, height, lifted=cradle.lifted)


def _cradle(canvas: Canvas, x: int, y: int, width: int, height: int, *, lifted: bool) -> None:
    """Draw the cup, and in it the piece with a rounded head."""
    bottom = y + height
    canvas.fill(x - 1, bottom - 1, width + 2, 1)
    canvas.fill(x - 1, bottom - 3, 1, 2)
    canvas.fill(x + width, bottom - 3, 1, 2)
    if lifted:
        return
    round_head = width > 2
    canvas.fill(x + round_head, y, width - 2 * round_head, 1)
    canvas.fill(x, y + 1, width, height - 3)
