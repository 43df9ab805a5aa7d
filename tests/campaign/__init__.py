"""The campaign against a running table: `make campaign`, or `python -m tests.campaign kills --scale 0.1`.

Parts are functions in the modules here; each takes how much of it is wanted, and returns figures with a
verdict. All of it stays on this machine, and every part has an end of its own.
"""
