"""An independent look at seatings: how many meet again, and below what nobody comes.

`python -m tests.support.seatings` draws evenings of chance and prints for each the bound and the result.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from collections.abc import Sequence
from random import Random

from lastnose.companion.event.seating import Seats, draw


def again(rounds: Sequence[Seats]) -> int:
    """Return how many meetings are second ones, from how often each two sat side by side at all."""
    sat = Counter(
        frozenset((one, other)) for drawn in rounds for table in drawn for one in table for other in table
    )
    return sum(n // 2 - 1 for pair, n in sat.items() if len(pair) == 2)


def least(people: int, tables: int, rounds: int) -> int:
    """Return a bound by what one person meets: so many beside them a round, of so many others there are."""
    small, large = people // tables, -(-people // tables)
    beside = (large * (large - 1) * (people - tables * small) if large > small else 0) + small * (
        small - 1
    ) * (tables if large == small else tables - (people - tables * small))
    all_ = math.ceil(rounds * beside / 2)  # meetings of the evening
    return max(0, all_ - people * (people - 1) // 2)


def must_be_seated(rounds: Sequence[Seats], people: Sequence[int], tables: int) -> None:
    """Fail unless each round seats everybody once, at so many tables whose sizes differ by one at most."""
    for drawn in rounds:
        assert sorted(people) == sorted(who for table in drawn for who in table)
        assert tables == len(drawn)
        assert max(map(len, drawn)) - min(map(len, drawn)) <= 1


def main() -> None:
    """Draw, look, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evenings", type=int, default=20)
    asked = parser.parse_args()
    random = Random(asked.seed)
    print("people tables rounds bound result     s")
    for _ in range(asked.evenings):
        tables = random.randint(2, 16)
        people = random.randint(3 * tables, min(13 * tables, 160))
        rounds = random.randint(2, 8)
        begin_s = time.process_time()
        drawn = draw(range(people), tables, rounds, random=random)
        took_s = time.process_time() - begin_s
        must_be_seated(drawn, range(people), tables)
        told = least(people, tables, rounds), again(drawn)
        print(f"{people:6} {tables:6} {rounds:6} {told[0]:5} {told[1]:6} {took_s:5.1f}")


if __name__ == "__main__":
    main()
