"""A table's page lets its host into a hall, and nobody else."""

from __future__ import annotations
