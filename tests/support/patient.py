"""`lastnose` that waits for a busy machine; what a table does with pages that are late is held by tests/web.

Run `python tests/support/patient.py WORDS…` for `lastnose WORDS…` in such a process.
"""

from __future__ import annotations


def be_patient() -> None:
    """Believe touches that are old by the time they are told, and take no page for silent."""
    from lastnose.web import page_sources, taps

    for module in (page_sources, taps):
        vars(module)["PATIENCE_NS"] = 100_000_000_000
    taps._HANDED_NS = taps._VOWED_NS = 20_000_000_000


if __name__ == "__main__":
    from lastnose.companion.cli import main

    be_patient()
    main()
