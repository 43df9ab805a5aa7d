"""Chickenfoot."""
