"""The box's host side under atheris: `python tests/support/fuzz_box.py -runs=4000`. Run by test_box_fuzz."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["lastnose.hardware.box", "lastnose.hardware.box.clock"]):
    from tests.support.fuzz_box_target import one

if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
