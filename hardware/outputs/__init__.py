"""Lamps and buzzer."""
