"""Inside the guest: the product's own sources and judge on a kernel's GPIO device, driven by another process.

usage: guest.py PART..., where PART is METHOD-idle, -busy, -bounce, -burst, -taken, -unplugged, -outputs,
-selftest or -sync.
Writes PART.json for each, into the folder of the host that LASTNOSE_TOLD names.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gpiozero  # noqa: F401  (once, for every part)
import guest_rounds
import guest_sync
from guest_rounds import LINES, Round, Step, Write
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.model import Edge, Gap, Input, Judged, Levels, Verdict, Watermark
from lastnose.companion.selftest.course import Course
from lastnose.companion.selftest.plan import TestPlan, contacts_of, spares_of
from lastnose.companion.system.doctor import Wanted
from lastnose.companion.timing import Referee, Settings
from lastnose.companion.wiring.profile import Pins as Wiring
from lastnose.companion.wiring.profile import Profile
from lastnose.hardware.outputs.buzzer import Buzzer
from lastnose.hardware.outputs.kernel_pins import real_factory
from lastnose.hardware.outputs.lamps import Single
from lastnose.hardware.probe import devices
from lastnose.hardware.sources.gpiochip import GpioChip, KernelReader
from lastnose.hardware.sources.pins import PinSource

BANK = Path("/sys/kernel/config/gpio-sim/rpi")
DRIVER = os.environ["LASTNOSE_DRIVER"]
BOARD = 0x902120
CLEAN_NS = 60_000
SLACK_NS = 20_000
PATIENCE_S = 60.0  # a busy machine hands edges over seconds late; the host waits longer than two of these
MS = 1_000_000
OUTCOMES = ("rounds", "named", "dead_heat", "void", "missed", "wrong")
# How long a round takes and how long the noses are held, in µs: software stamps need a human pace.
PACE_US = {"gpiochip": (90_000, 45_000), "lgpio": (90_000, 45_000), "rpigpio": (240_000, 130_000)}
HANDED_NS: list[int] = []  # by source run: the longest between a stamp and its event in our hands
ROUNDS = {"gpiochip": 30, "lgpio": 30, "rpigpio": 24}


def lgpio_factory() -> Any:
    """Open gpiozero's lgpio factory on a board it cannot recognise."""
    from gpiozero.pins.lgpio import LGPIOFactory

    class Factory(LGPIOFactory):
        def _get_revision(self) -> int:
            return BOARD

    return Factory()


def rpigpio_factory() -> Any:
    """Open gpiozero's RPi.GPIO factory, here over rpi-lgpio."""
    from gpiozero.pins.rpigpio import RPiGPIOFactory

    class Factory(RPiGPIOFactory):
        def _get_revision(self) -> int:
            return BOARD

    return Factory()


def make_source(method: str) -> GpioChip | PinSource:
    """Return the product's source for *method*; the names are those of its figures."""
    if method == "gpiochip":
        return GpioChip(LINES)
    if method == "gpiochip-stalled":
        return GpioChip(LINES, open_reader=StalledReader)
    return PinSource(LINES, lgpio_factory if method == "lgpio" else rpigpio_factory)


class StalledReader(KernelReader):
    """A reader with a small kernel buffer that looks away for a while: events must be lost."""

    def __init__(self) -> None:
        super().__init__(LINES, None, event_buffer_size=64)

    def read(self) -> Any:
        """Look away, then read."""
        time.sleep(0.02)
        return super().read()


class Busy:
    """A Python thread that never rests, in the same process."""

    def __init__(self, wanted: bool) -> None:
        self._resting = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        if wanted:
            self._thread.start()

    def _work(self) -> None:
        while not self._resting.is_set():
            sum(range(100))

    def stop(self) -> None:
        """Let it rest."""
        self._resting.set()


def drive(steps: list[Step], priority: int = 80) -> list[Write]:
    """Let another process move the lines and return what it did."""
    device, chip = (BANK / "dev_name").read_text().strip(), (BANK / "bank0/chip_name").read_text().strip()
    plan = "\n".join(f"{step.at_us} {LINES[step.line]} {step.pull}" for step in steps)
    done = subprocess.run(
        [DRIVER, f"/sys/devices/platform/{device}/{chip}", str(priority)],
        input=plan,
        capture_output=True,
        text=True,
        check=True,
    )
    names = {pin: line for line, pin in LINES.items()}
    writes = []
    for row in done.stdout.splitlines():
        offset, pull, before_ns, after_ns = (int(field) for field in row.split())
        writes.append(Write(names[offset], 1 - pull, before_ns, after_ns))
    return writes


def run_source(method: str, busy: bool, steps: list[Step], settings: Settings, priority: int = 80) -> Any:
    """Run source and judge as the table does; return writes, inputs, verdicts with their time, faults."""
    source = make_source(method)
    inputs: queue.SimpleQueue[Input | None] = queue.SimpleQueue()
    faults: list[str] = []
    seen: list[Input] = []
    verdicts: list[tuple[Verdict, int]] = []
    referee = Referee({line: seat for seat, line in enumerate(LINES, start=1)}, settings, (source.name,))
    referee.watch(tuple(range(1, len(LINES) + 1)))

    def judge() -> None:
        while (item := inputs.get()) is not None:
            seen.append(item)
            verdicts.extend(
                (happening.verdict, time.monotonic_ns())
                for happening in referee.feed(item)
                if isinstance(happening, Judged)
            )

    table = threading.Thread(target=judge)
    table.start()
    source.start(inputs.put, lambda fault: faults.append(str(fault)))
    wait_for(lambda: any(isinstance(item, Watermark) for item in seen))
    work = Busy(busy)
    writes = drive(steps, priority)
    end_ns = time.monotonic_ns()
    wait_for(lambda: isinstance(seen[-1], Watermark) and seen[-1].t_ns > end_ns)
    work.stop()
    source.close()
    HANDED_NS.append(source.handed.most_ns if isinstance(source, GpioChip) else 0)
    inputs.put(None)
    table.join()
    return writes, seen, verdicts, faults


def wait_for(happened: Callable[[], bool]) -> None:
    """Wait until *happened*; raise TimeoutError when that lasts: what still waits is not lost."""
    give_up = time.monotonic() + PATIENCE_S
    while not happened():
        if time.monotonic() > give_up:
            raise TimeoutError
        time.sleep(0.02)


def quantiles(values: list[int]) -> dict[str, int]:
    """Return the nearest-rank quantiles of *values*."""
    ranked = sorted(values)
    last = len(ranked) - 1
    at = {"p50": 0.5, "p99": 0.99, "p999": 0.999, "max": 1.0}
    return {name: ranked[min(last, int(share * len(ranked)))] for name, share in at.items()} if ranked else {}


def pair_edges(writes: list[Write], edges: list[Edge]) -> list[tuple[Write, Edge]]:
    """Return each write with the first edge that tells of it: same line, same level, before the next."""
    pairs = []
    waiting: dict[tuple[str, int], list[Edge]] = {}
    for edge in edges:
        waiting.setdefault((edge.line, edge.level), []).append(edge)
    following: dict[tuple[str, int], int] = {}
    for write in reversed(writes):
        key = (write.line, write.level)
        until_ns = following.get(key, 1 << 62)
        hits = [
            edge
            for edge in waiting.get(key, ())
            if write.before_ns - SLACK_NS <= edge.t_ns + edge.u_ns < until_ns - SLACK_NS
        ]
        if hits:
            pairs.append((write, min(hits, key=lambda edge: edge.t_ns)))
        following[key] = write.before_ns
    return pairs


def judged_figures(method: str, load: str) -> dict[str, Any]:
    """Let rounds be judged and compare the verdicts with what the driver did."""
    make = guest_rounds.bouncing if load == "bounce" else guest_rounds.rounds
    plan = make(ROUNDS[method], *PACE_US[method])
    steps = [step for made in plan for step in made.steps]
    writes, seen, verdicts, faults = run_source(method, load == "busy", steps, Settings(rearm_ns=10 * MS))
    edges = [item for item in seen if isinstance(item, Edge)]
    pairs = pair_edges(writes, edges)
    return {
        **stamp_figures(writes, pairs),
        **verdict_figures(plan, writes, verdicts),
        "u_ns": quantiles([edge.u_ns for _, edge in pairs]),
        "covered": sum(
            write.before_ns - SLACK_NS <= edge.t_ns + edge.u_ns and edge.t_ns - edge.u_ns <= write.after_ns
            for write, edge in pairs
        ),
        "gaps": sum(isinstance(item, Gap) for item in seen),
        "handed_ns": HANDED_NS[-1],
        "faults": faults,
    }


def stamp_figures(writes: list[Write], pairs: list[tuple[Write, Edge]]) -> dict[str, Any]:
    """Return how many writes were stamped, and how far off where the driver was not interrupted."""
    errors = [abs(edge.t_ns - write.before_ns) for write, edge in pairs if clean([write])]
    return {"stamps": len(pairs), "of": len(writes), "stamp_error_ns": quantiles(errors)}


def verdict_figures(
    plan: list[Round], writes: list[Write], verdicts: list[tuple[Verdict, int]]
) -> dict[str, Any]:
    """Count verdicts by the spacing of the last two; where the driver was interrupted, only wrong ones."""
    spacings: dict[str, dict[str, int]] = {}
    outside: dict[str, list[int]] = {}
    doubts: list[int] = []
    real: dict[str, list[int]] = {}
    gaps, waits = [], []
    for made, touches in rounds_of(plan, writes):
        key = str(made.spacing_us)
        tally = spacings.setdefault(key, dict.fromkeys(OUTCOMES, 0))
        last = list(LINES).index(touches[-1].line) + 1
        result = verdict_on(verdicts, touches)
        told = outcome(result[0] if result else None, last)
        if clean(touches[-2:]):
            tally["rounds"] += 1
            gap_ns = touches[-1].before_ns - touches[-2].before_ns
            real.setdefault(key, []).append(gap_ns)
            if result is not None:
                waits.append(result[1] - touches[-1].after_ns)
                verdict = result[0]
                if verdict.margin_ns is not None and verdict.u_ns is not None:
                    gaps.append(abs(verdict.margin_ns - gap_ns))
                    doubt_ns = sum(touch.after_ns - touch.before_ns for touch in touches[-2:])
                    doubts.append(doubt_ns)
                    off_ns = margin_off(verdict.margin_ns, touches, verdict)
                    outside.setdefault(key, []).append(max(0, off_ns - verdict.u_ns))
        if clean(touches[-2:]) or told == "wrong":
            tally[told] += 1
    return {
        "spacings": spacings,
        "spacing_ns": {key: quantiles(values)["p50"] for key, values in real.items()},
        "gap_error_ns": quantiles(gaps),
        "margins": {key: len(values) for key, values in outside.items()},
        "outside": {key: sum(value > 0 for value in values) for key, values in outside.items()},
        "outside_by_ns": max((value for values in outside.values() for value in values), default=0),
        "driver_doubt_ns": quantiles(doubts),
        "verdict_after_ns": quantiles(waits),
        "voids": sorted({str(verdict.void) for verdict, _ in verdicts if verdict.void is not None}),
    }


def margin_off(margin_ns: int, touches: list[Write], verdict: Verdict) -> int:
    """Return by how much a margin is off the truth, beyond what the driver knows of its own writes."""
    written = {touch.line: touch for touch in touches}
    lines = list(LINES)
    pair = sorted(verdict.presses, key=lambda press: (press.t_ns, press.seat))
    last = pair[-1] if verdict.dead_heat else next(p for p in pair if p.seat == verdict.last[0])
    rival = min((p for p in pair if p is not last), key=lambda p: abs(last.t_ns - p.t_ns - margin_ns))
    one, two = written[lines[rival.seat - 1]], written[lines[last.seat - 1]]
    least_ns, most_ns = two.before_ns - one.after_ns, two.after_ns - one.before_ns
    return max(0, least_ns - margin_ns, margin_ns - most_ns)


def rounds_of(plan: list[Round], writes: list[Write]) -> Iterator[tuple[Round, list[Write]]]:
    """Return each round with the writes that touched a nose first."""
    at = 0
    for made in plan:
        yield made, writes[at : at + len(LINES)]
        at += len(made.steps)


def clean(writes: list[Write]) -> bool:
    """Return whether the driver itself was not interrupted in one of *writes*."""
    return all(write.after_ns - write.before_ns < CLEAN_NS for write in writes)


def verdict_on(verdicts: list[tuple[Verdict, int]], touches: list[Write]) -> tuple[Verdict, int] | None:
    """Return the verdict on the round with *touches*, with the time when it was known."""
    for verdict, at_ns in verdicts:
        if verdict.presses and abs(verdict.presses[0].t_ns - touches[0].before_ns) < 40 * MS:
            return verdict, at_ns
    return None


def outcome(verdict: Verdict | None, last: int) -> str:
    """Return what a verdict is worth when seat *last* was last."""
    if verdict is None:
        return "missed"
    if verdict.void is not None:
        return "void"
    if last not in verdict.last:
        return "wrong"
    return "dead_heat" if verdict.dead_heat else "named"


def button_figures(load: str) -> dict[str, Any]:
    """Measure a plain gpiozero Button that asks the clock in its callback."""
    from gpiozero import Button
    from lastnose.hardware.sources.factories import open_factory

    factory = open_factory(lgpio_factory)
    pressed: list[Edge] = []

    def stamp(line: str) -> Any:
        return lambda: pressed.append(Edge(int(time.monotonic() * 1e9), "button", line, 1, 0))

    buttons = {line: Button(pin, pin_factory=factory) for line, pin in LINES.items()}
    for line, button in buttons.items():
        button.when_pressed = stamp(line)
    plan = guest_rounds.rounds(ROUNDS["rpigpio"], *PACE_US["rpigpio"])
    work = Busy(load == "busy")
    writes = drive([step for made in plan for step in made.steps])
    time.sleep(0.3)
    work.stop()
    pairs = pair_edges([write for write in writes if write.level == 1], pressed)
    stamps = {write: edge.t_ns for write, edge in pairs}
    gaps, wrong = [], 0
    for _, touches in rounds_of(plan, writes):
        one, two = touches[-2:]
        if one in stamps and two in stamps and clean([one, two]):
            gap_ns = stamps[two] - stamps[one]
            wrong += gap_ns < 0
            gaps.append(abs(gap_ns - (two.before_ns - one.before_ns)))
    touched = [write for write in writes if write.level == 1]
    return {**stamp_figures(touched, pairs), "gap_error_ns": quantiles(gaps), "wrong_order": wrong}


def burst_figures(method: str) -> dict[str, Any]:
    """Send 1,000 edges as fast as the driver can, and account for every one."""
    writes, seen, _, faults = run_source(method, False, guest_rounds.burst(1000), Settings(), 0)
    edges = [item for item in seen if isinstance(item, Edge)]
    gaps = [item for item in seen if isinstance(item, Gap)]
    if method == "rpigpio":
        unnoticed = short_lines(writes, edges) if not gaps else []
        lost = len(writes) - len(edges)
    else:
        absent = missing(writes, edges)
        unnoticed = [write for write in absent if not any(overlaps(gap, write) for gap in gaps)]
        lost = len(absent)
    return {
        "edges": len(writes),
        "told": len(edges),
        "lost": lost,
        "gaps": len(gaps),
        "unnoticed": len(unnoticed),
        "took_ns": writes[-1].after_ns - writes[0].before_ns,
        "levels": sum(isinstance(item, Levels) for item in seen),
        "faults": faults,
    }


def overlaps(gap: Gap, write: Write) -> bool:
    """Return whether *gap* admits that *write* may be missing."""
    return gap.from_ns - SLACK_NS <= write.after_ns and write.before_ns <= gap.to_ns + SLACK_NS


def missing(writes: list[Write], edges: list[Edge]) -> list[Write]:
    """Return the writes of which no kernel stamp tells."""
    stamps: dict[str, list[int]] = {}
    for edge in edges:
        stamps.setdefault(edge.line, []).append(edge.t_ns)
    return [
        write
        for write in writes
        if not any(
            write.before_ns - SLACK_NS <= t_ns <= write.after_ns + SLACK_NS
            for t_ns in stamps.get(write.line, ())
        )
    ]


def short_lines(writes: list[Write], edges: list[Edge]) -> list[str]:
    """Return the lines of which fewer edges were told than made: software stamps match no single write."""
    made, told = Counter(write.line for write in writes), Counter(edge.line for edge in edges)
    return [line for line in LINES if told[line] < made[line]]


def taken_figures(method: str) -> dict[str, Any]:
    """Ask for pins that a running table holds; return the sentence that refuses them."""
    holder, wanting = make_source("gpiochip"), make_source(method)
    holder.start(lambda _: None, lambda _: None)
    try:
        wanting.start(lambda _: None, lambda _: None)
    except DeviceError as error:
        return {"says": str(error)}
    return {"says": ""}


def unplugged_figures(method: str) -> dict[str, Any]:
    """Take the chip away from a running source and give it back; return what was told, and what reported."""
    live = BANK / "live"
    source = make_source(method)
    seen: list[Input] = []
    reports: list[str | None] = []
    source.start(seen.append, lambda says: reports.append(None if says is None else str(says)))
    wait_for(lambda: any(isinstance(item, Watermark) for item in seen))
    live.write_text("0")
    wait_for(lambda: bool(reports))
    away = len(seen)
    live.write_text("1")
    wait_for(lambda: None in reports and isinstance(seen[-1], Watermark))
    wait_for(lambda: any(isinstance(item, Levels) for item in seen[away:]))
    drive([Step(0, "nose.1", 0)])
    wait_for(lambda: any(isinstance(item, Edge) for item in seen))
    source.close()
    kinds = dict.fromkeys(type(item).__name__ for item in seen[away:] if not isinstance(item, Watermark))
    return {"reports": reports, "then": list(kinds)}


def selftest_figures() -> dict[str, Any]:
    """Lead the self-test through five noses of which four are wired wrongly, on the real device."""
    profile = Profile("rig", "pi", Wiring(noses=tuple(LINES.values())[:5]))
    spare = {"spare.17": LINES["nose.10"]}
    plan = TestPlan("rig", contacts_of(profile, profile.lines), spares_of(profile, spare), profile.timing)
    source = GpioChip({**profile.lines, **spare})
    heard: queue.SimpleQueue[Input] = queue.SimpleQueue()
    course = Course(plan, time.monotonic_ns())
    source.start(heard.put, lambda _: None)

    def look(for_s: float) -> None:
        end = time.monotonic() + for_s
        while time.monotonic() < end:
            while not heard.empty():
                course.feed(heard.get())
            course.advance(time.monotonic_ns())
            time.sleep(0.01)

    give_up = time.monotonic() + 30
    while course.view.step != "done" and time.monotonic() < give_up:
        contact = course.view.contact
        if contact is not None:
            drive(guest_rounds.TOUCHES[contact.line])
        look(0.5)
    source.close()
    return {
        "outcomes": {line: reading.outcome for line, reading in course.readings.items()},
        "findings": [[one.kind, *one.lines] for one in course.findings],
        "u_ns": max(edge.u_ns for reading in course.readings.values() for edge in reading.trace),
    }


def outputs_figures() -> dict[str, Any]:
    """Light lamps and sound the buzzer; return what the kernel saw on the pins."""
    device, chip = (BANK / "dev_name").read_text().strip(), (BANK / "bank0/chip_name").read_text().strip()
    pins = Path(f"/sys/devices/platform/{device}/{chip}")

    def levels(*numbers: int) -> list[int]:
        return [int((pins / f"sim_gpio{number}/value").read_text()) for number in numbers]

    for number in (
        17,
        18,
        22,
        27,
    ):  # a simulated line that is let go follows its pull, which parts before may have set
        (pins / f"sim_gpio{number}/pull").write_text("pull-down")
    source = GpioChip({"nose.1": LINES["nose.1"]})
    source.start(lambda _: None, lambda _: None)
    lamps = Single((17, 27, 22), real_factory())
    lit = [
        [sorted(wanted), levels(17, 27, 22)]
        for wanted in ({1}, {2, 3}, set())
        if not lamps.show(frozenset(wanted))
    ]
    buzzer = Buzzer(18, real_factory())
    buzzer.sound(1760)
    time.sleep(0.5)
    heard = {levels(18)[0] for _ in range(2_000)}
    held = devices(Wanted("gpiochip", None), Path("/")).chip
    buzzer.sound(None)
    time.sleep(0.05)
    quiet = {levels(18)[0] for _ in range(500)}
    lamps.show(frozenset({1}))
    lamps.close()
    buzzer.close()
    rest = levels(17, 18)
    again = Single((17, 18), real_factory())
    again.close()
    source.close()
    return {
        "lit": lit,
        "heard": sorted(heard),
        "quiet": sorted(quiet),
        "rest": rest,
        "held": [[line.pin, line.consumer] for line in held.taken] if held else None,
    }


def main(parts: list[str]) -> None:
    """Measure *parts*, each in a process of its own."""
    for part in parts:
        child = os.fork()
        if child == 0:
            measure(part)
        os.waitpid(child, 0)


def measure(part: str) -> None:
    """Measure *part*, tell its figures and end the process."""
    method, _, load = part.rpartition("-")
    try:
        match load:
            case "burst":
                figures = burst_figures(method)
            case "taken":
                figures = taken_figures(method)
            case "unplugged":
                figures = unplugged_figures(method)
            case "outputs":
                figures = outputs_figures()
            case "sync":
                device, chip = ((BANK / name).read_text().strip() for name in ("dev_name", "bank0/chip_name"))
                figures = guest_sync.measure(Path(f"/sys/devices/platform/{device}/{chip}"))
            case "selftest":
                figures = selftest_figures()
            case _:
                figures = button_figures(load) if method == "button" else judged_figures(method, load)
        Path(os.environ["LASTNOSE_TOLD"], f"{part}.json").write_text(json.dumps(figures), encoding="utf-8")
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
