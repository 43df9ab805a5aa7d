"""A table that starts by itself: what is set up on a machine, and taken back to the byte.

`plan` says what is to be done, purely; `build` does it and writes each step down before it is done, so that a
machine on which it stopped half-way can go on, or go back.
"""
