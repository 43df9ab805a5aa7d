"""Phones that are noses: whether they find the page, what a plain page costs, and how sure they are."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.text import text
from companion.system.doctor.facts import Facts, Wanted
from companion.system.doctor.finding import DoctorFinding, care, fine, note

OWN = "169.254."  # an address that an interface gave itself, because nobody else gave it one


def findings(facts: Facts, wanted: Wanted) -> Iterator[DoctorFinding]:
    """Yield what there is to say of phones, where there are to be any."""
    if not wanted.phones:
        return
    yield _way(facts)
    yield note(
        "phones-plain",
        "phones",
        text("The page has no certificate: it cannot forbid a phone to go dark, nor be kept for later."),
        text(
            "A silent film holds most screens lit; where it does not, give the screen more time in the phone."
        ),
    )
    yield note(
        "phones-sure",
        "phones",
        text("A phone is sure to about ± 60 ms until a zero test has measured it this evening."),
        text("Make the zero test on the page before the first game."),
    )


def _way(facts: Facts) -> DoctorFinding:
    if facts.lan is None or facts.lan.startswith(OWN):
        return care(
            "phones-no-way",
            "phones",
            text("No network has given this machine an address, so phones may not find the page."),
            text("Join a Wi-Fi, or let a Pi make one: sudo lastnose setup-pi --access-point."),
        )
    address = f"http://{facts.lan}:{facts.page.port}/"
    return fine(
        "phones", text("Phones in this network find the page at {address} with --lan.", address=address)
    )
