"""Run the campaign, or parts of it, and end in one table of figures with a verdict each."""

from __future__ import annotations

import argparse
import sys
import time
import traceback

from tests.campaign import devices, disk, kills, network
from tests.campaign.figures import Figure, Part

PARTS: dict[str, Part] = {
    "kills": kills.kills,
    "torn": disk.torn,
    "full": disk.full,
    "damaged": disk.damaged,
    "clock": disk.clock,
    "slow": network.slow,
    "stuck": network.stuck,
    "storm": network.storm,
    "reconnect": network.reconnect,
    "pipes": network.pipes,
    "soak": network.soak,
    "box": devices.box,
    "outputs": devices.outputs,
    "schemathesis": devices.schemathesis,
}


def main() -> int:
    """Return 0 when every verdict is good."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of: {', '.join(PARTS)}; otherwise all")
    parser.add_argument("--scale", type=float, default=1.0, help="how much of each: 1 is the whole campaign")
    wanted = parser.parse_args()
    unknown = [name for name in wanted.parts if name not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]}: choose of {', '.join(PARTS)}")
    table: list[tuple[str, Figure]] = []
    for name in wanted.parts or PARTS:
        began = time.monotonic()
        print(f"{name} …", flush=True)
        try:
            found = list(PARTS[name](wanted.scale))
        except Exception as problem:
            traceback.print_exc()
            found = [Figure(f"{name} came to its end", repr(problem)[:60], "yes", good=False)]
        table += [(name, figure) for figure in found]
        for figure in found:
            print(_line(name, figure), flush=True)
        print(f"   {time.monotonic() - began:.0f} s", flush=True)
    print()
    for name, figure in table:
        print(_line(name, figure))
    return 0 if all(figure.good for _, figure in table) else 1


def _line(name: str, figure: Figure) -> str:
    verdict = "good" if figure.good else "BAD"
    return f"{verdict:4}  {name:12}  {figure.what:58}  {figure.found:>22}  (wanted: {figure.wanted})"


if __name__ == "__main__":
    sys.exit(main())
