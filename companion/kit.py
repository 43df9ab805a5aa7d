"""Scenarios in a line a press, for plain scripts and as pytest fixtures."""
