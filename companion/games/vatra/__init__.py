"""Vatra."""
