"""How many random cases a property is tried on: in a quick run a share of what it asks for, else more."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Hypothesis's own number for a property that asks for nothing.
USUAL = 100


def examples(thorough: int, least: int = 3) -> int:
    """Return the number of cases in this run for a property that wants *thorough*; at *least* so many."""
    return max(least, thorough * settings().max_examples // USUAL)


def of_machine(many: int) -> settings:
    """Return the settings of a state machine that is tried *many* times."""
    slow_is_fine = [HealthCheck.too_slow]
    return settings(
        max_examples=many, stateful_step_count=25, deadline=None, suppress_health_check=slow_is_fine
    )
