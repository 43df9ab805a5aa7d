"""Edges in, verdicts out. Pure: time is an argument."""
