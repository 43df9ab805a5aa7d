"""Chance from the system's own randomness: nobody can foresee it, and every outcome is as likely."""

from __future__ import annotations

import secrets


class SystemChance:
    """Decides where no person does (`companion.games.Chance`)."""

    def pick(self, count: int) -> int:
        """Return one of the numbers from 0 to *count* - 1, each as likely."""
        return secrets.randbelow(count)

    def order(self, count: int) -> tuple[int, ...]:
        """Return the numbers from 0 to *count* - 1, each order as likely."""
        return tuple(secrets.SystemRandom().sample(range(count), count))
