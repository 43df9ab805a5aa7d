"""The box's host side under atheris: `python tests/fuzz_box.py -max_total_time=5`. Run by test_box_fuzz."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["hardware.box", "companion.timing.clock"]):
    from fuzz_box_target import one

if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
