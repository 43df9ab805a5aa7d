"""Drawings from a profile, as plain SVG: the board, every wire in its colour, the circuits beside it.

`sheets.sheets(profile, speak)` gives the pages; nothing in here knows a file.
"""
